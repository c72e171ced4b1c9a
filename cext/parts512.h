/* The same counts on 64 columns at a time, for processors with AVX-512 VBMI and BITALG; parts.h has the contract.
 *
 * A response is one of 64 bits, in eight bytes; one permutation looks up a byte of it in 64 columns. */
#ifndef GUESSTREE_PARTS512_H
#define GUESSTREE_PARTS512_H

#include <immintrin.h>
#include <stdint.h>

#define FOR_512 __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512bitalg")))
#define INLINE_512 __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512bitalg"), always_inline)) static inline

static int parts_512_available(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bitalg");
}

/* Which of 64 columns there are: the width is a multiple of 32. */
static inline uint64_t live_columns(int column, int width) {
    return width - column < 64 ? (uint64_t)0xffffffff : ~(uint64_t)0;
}

/* Byte `b` of the bits of the responses 0 to 63. */
INLINE_512 __m512i hot_bytes(int b) {
    return _mm512_maskz_set1_epi64((__mmask8)(1 << b), (long long)0x8040201008040201ULL);
}

/* Numbers of different responses among the 8 * bytes from `from` on; `others`: whether there are any beside them. */
INLINE_512 __m512i block_512(const uint8_t *const *rows, int n, int column, uint64_t live, int bytes, int others,
                             int from) {
    __m512i seen[8], hot[8], count = _mm512_setzero_si512();
    const __m512i first = _mm512_set1_epi8((char)from), end = _mm512_set1_epi8(64);
    for (int b = 0; b < bytes; b++) seen[b] = count, hot[b] = hot_bytes(b);
    for (int i = 0; i < n; i += 2) { /* two rows at a time; the last of an odd number twice */
        __m512i r = _mm512_sub_epi8(_mm512_maskz_loadu_epi8(live, rows[i] + column), first);
        __m512i s = _mm512_sub_epi8(_mm512_maskz_loadu_epi8(live, rows[i + (i + 1 < n)] + column), first);
        __mmask64 r_in = others ? _mm512_cmplt_epu8_mask(r, end) : live;
        __mmask64 s_in = others ? _mm512_cmplt_epu8_mask(s, end) : live;
        for (int b = 0; b < bytes; b++) {
            __m512i x = others ? _mm512_maskz_permutexvar_epi8(r_in, r, hot[b]) : _mm512_permutexvar_epi8(r, hot[b]);
            __m512i y = others ? _mm512_maskz_permutexvar_epi8(s_in, s, hot[b]) : _mm512_permutexvar_epi8(s, hot[b]);
            seen[b] = _mm512_ternarylogic_epi64(seen[b], x, y, 0xfe); /* seen | x | y */
        }
    }
    for (int b = 0; b < bytes; b++) count = _mm512_add_epi8(count, _mm512_popcnt_epi8(seen[b]));
    return count;
}

/* One copy for each number of bytes, so that they stay in registers. */
FOR_512 static __m512i some_512(const uint8_t *const *rows, int n, int column, uint64_t live, int bytes) {
    switch (bytes) {
    case 1: return block_512(rows, n, column, live, 1, 0, 0);
    case 2: return block_512(rows, n, column, live, 2, 0, 0);
    case 3: return block_512(rows, n, column, live, 3, 0, 0);
    case 4: return block_512(rows, n, column, live, 4, 0, 0);
    case 5: return block_512(rows, n, column, live, 5, 0, 0);
    case 6: return block_512(rows, n, column, live, 6, 0, 0);
    case 7: return block_512(rows, n, column, live, 7, 0, 0);
    default: return block_512(rows, n, column, live, 8, 0, 0);
    }
}

FOR_512 static __m512i passes_512(const uint8_t *const *rows, int n, int column, uint64_t live, int bytes) {
    if (bytes <= 8) return some_512(rows, n, column, live, bytes);
    __m512i count = _mm512_setzero_si512();
    for (int from = 0; bytes > 0; bytes -= 8, from += 64)
        count = _mm512_add_epi8(count, bytes <= 2   ? block_512(rows, n, column, live, 2, 1, from)
                                       : bytes <= 4 ? block_512(rows, n, column, live, 4, 1, from)
                                       : bytes <= 6 ? block_512(rows, n, column, live, 6, 1, from)
                                                    : block_512(rows, n, column, live, 8, 1, from));
    return count;
}

/* The first column whose responses, of 8 * bytes at most, all differ, or -1. */
INLINE_512 int separating_bytes_512(const uint8_t *const *rows, int n, int width, int bytes) {
    for (int column = 0; column < width; column += 64) {
        uint64_t live = live_columns(column, width), good = live;
        __m512i seen[8], hot[8], again = _mm512_setzero_si512();
        for (int b = 0; b < bytes; b++) seen[b] = again, hot[b] = hot_bytes(b);
        for (int i = 0; i < n && good; i++) {
            __m512i r = _mm512_maskz_loadu_epi8(live, rows[i] + column);
            for (int b = 0; b < bytes; b++) {
                __m512i bit = _mm512_permutexvar_epi8(r, hot[b]);
                again = _mm512_ternarylogic_epi64(again, seen[b], bit, 0xf8); /* again | (seen & bit) */
                seen[b] = _mm512_or_si512(seen[b], bit);
            }
            if (i % 4 == 3 || i == n - 1) good = live & _mm512_testn_epi8_mask(again, again);
        }
        if (good) return column + __builtin_ctzll(good);
    }
    return -1;
}

FOR_512 static int separating_512(const uint8_t *const *rows, int n, int width, int responses) {
    if (responses <= 16) return separating_bytes_512(rows, n, width, 2);
    if (responses <= 32) return separating_bytes_512(rows, n, width, 4);
    if (responses <= 48) return separating_bytes_512(rows, n, width, 6);
    return separating_bytes_512(rows, n, width, 8);
}

#endif
