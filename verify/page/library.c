/* Two functions of the C library, as the page needs them: of those that come with zig, one compares byte by byte, and one
 * is so long that a browser takes more time to compile it than to run it. */
#include <stdlib.h>
#include <string.h>
#include <wasm_simd128.h>

void *memchr(const void *from, int byte, size_t count) {
    const unsigned char *at = from, *end = at + count;
    v128_t wanted = wasm_u8x16_splat((unsigned char)byte);
    while (end - at >= 16 && !wasm_v128_any_true(wasm_i8x16_eq(wasm_v128_load(at), wanted))) at += 16;
    while (at < end && *at != (unsigned char)byte) at++;
    return at < end ? (void *)at : NULL;
}

typedef int Compare(const void *a, const void *b);

/* D. L. Shell's sort. In every order of a checker only equal bytes are equal, so any sort does the same. */
static inline __attribute__((always_inline)) void sort(char *base, size_t count, size_t size, Compare *compare) {
    char one[size];
    for (size_t gap = count; gap > 1;) {
        gap = gap < 5 ? 1 : (5 * gap - 1) / 11;
        for (size_t i = gap; i < count; i++) {
            size_t to = i;
            memcpy(one, base + i * size, size);
            for (; to >= gap && compare(base + (to - gap) * size, one) > 0; to -= gap)
                memcpy(base + to * size, base + (to - gap) * size, size);
            memcpy(base + to * size, one, size);
        }
    }
}

void qsort(void *base, size_t count, size_t size, Compare *compare) {
    if (size == sizeof(int)) sort(base, count, sizeof(int), compare); /* most are, and pointers: no calls to copy them */
    else sort(base, count, size, compare);
}
