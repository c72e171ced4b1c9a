/* How many different responses each guess gives on a small set, for all guesses at once.
 *
 * Rows are secrets, columns guesses, one byte a response; the width is a multiple of 32. Responses below 32
 * become bits of four byte-wide accumulators; their population count is the number of parts. */
#ifndef GUESSTREE_PARTS_H
#define GUESSTREE_PARTS_H

#include <stdint.h>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>
#define GUESSTREE_HAVE_AVX2 1

static int parts_avx2_available(void) { return __builtin_cpu_supports("avx2"); }

__attribute__((target("avx2"))) static inline __m256i parts_popcount(__m256i v) {
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i bits = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                          0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    return _mm256_add_epi8(_mm256_shuffle_epi8(bits, _mm256_and_si256(v, nibble)),
                           _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble)));
}

/* low and high: one-hot of 0..7 in the low, of 8..15 in the high byte table; an index with bit 7 set gives 0.
 * Adding 0x70 keeps 0..15 below 0x80 and lifts 16..31 above it; subtracting 16 does the opposite. */
__attribute__((target("avx2"))) static void parts_avx2(const uint8_t *const *rows, int n, int width,
                                                       int responses, uint8_t *out) {
    const __m256i low = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,
                                         1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i high = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128,
                                          0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128);
    const __m256i lift = _mm256_set1_epi8(0x70), sixteen = _mm256_set1_epi8(16);
    for (int column = 0; column < width; column += 32) {
        __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
        if (responses <= 16) {
            for (int i = 0; i < n; i++) {
                __m256i r = _mm256_loadu_si256((const __m256i *)(rows[i] + column));
                a = _mm256_or_si256(a, _mm256_shuffle_epi8(low, r));
                b = _mm256_or_si256(b, _mm256_shuffle_epi8(high, r));
            }
        } else {
            for (int i = 0; i < n; i++) {
                __m256i r = _mm256_loadu_si256((const __m256i *)(rows[i] + column));
                __m256i first = _mm256_adds_epu8(r, lift), second = _mm256_sub_epi8(r, sixteen);
                a = _mm256_or_si256(a, _mm256_shuffle_epi8(low, first));
                b = _mm256_or_si256(b, _mm256_shuffle_epi8(high, first));
                c = _mm256_or_si256(c, _mm256_shuffle_epi8(low, second));
                d = _mm256_or_si256(d, _mm256_shuffle_epi8(high, second));
            }
        }
        __m256i count = _mm256_add_epi8(parts_popcount(a), parts_popcount(b));
        if (responses > 16)
            count = _mm256_add_epi8(count, _mm256_add_epi8(parts_popcount(c), parts_popcount(d)));
        _mm256_storeu_si256((__m256i *)(out + column), count);
    }
}
#else
static int parts_avx2_available(void) { return 0; }
static void parts_avx2(const uint8_t *const *rows, int n, int width, int responses, uint8_t *out) {
    (void)rows; (void)n; (void)width; (void)responses; (void)out;
}
#endif

/* The same for any number of responses and any processor. */
static void parts_portable(const uint8_t *const *rows, int n, int width, uint8_t *out) {
    for (int column = 0; column < width; column++) {
        uint64_t seen[4] = {0, 0, 0, 0};
        int parts = 0;
        for (int i = 0; i < n; i++) {
            uint8_t r = rows[i][column];
            parts += !((seen[r >> 6] >> (r & 63)) & 1);
            seen[r >> 6] |= (uint64_t)1 << (r & 63);
        }
        out[column] = (uint8_t)parts;
    }
}

static void parts_of_columns(const uint8_t *const *rows, int n, int width, int responses, int simd, uint8_t *out) {
    if (simd && responses <= 32) parts_avx2(rows, n, width, responses, out);
    else parts_portable(rows, n, width, out);
}

#endif
