/* How many different responses each guess gives on a small set, for all guesses at once.
 *
 * Rows are secrets, columns guesses, one byte a response; the width is a multiple of 32. 64 responses at a time
 * become bits of up to eight byte-wide accumulators; their population count is the number of parts. Only which
 * responses are equal matters, so each column may number its own from 0 on; `reach` holds the largest number in
 * each 32 columns, NULL: any response may be there. */
#ifndef GUESSTREE_PARTS_H
#define GUESSTREE_PARTS_H

#include <stdint.h>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>
#include "parts512.h"
#define GUESSTREE_HAVE_AVX2 1

/* What the processor can do: 0: nothing of this, 1: AVX2, 2: AVX-512 with what parts512.h needs, too. */
static int parts_simd(void) { return !__builtin_cpu_supports("avx2") ? 0 : parts_512_available() ? 2 : 1; }

__attribute__((target("avx2"))) static inline __m256i parts_popcount(__m256i v) {
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i bits = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                          0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    return _mm256_add_epi8(_mm256_shuffle_epi8(bits, _mm256_and_si256(v, nibble)),
                           _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble)));
}

/* low and high: one-hot of 0..7 in the low, of 8..15 in the high byte table; an index with bit 7 set gives 0.
 * Subtracting 16 g brings the responses of group g to 0..15; adding 0x70 then lifts all others above 0x7f. */
#define PARTS_TABLES                                                                             \
    const __m256i low = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,   \
                                         1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);  \
    const __m256i high = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128,  \
                                          0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128); \
    const __m256i lift = _mm256_set1_epi8(0x70);

/* 32 columns. One copy for each number of groups of 16 responses, so that the groups stay in registers; the first
 * response of the first group is `from`, 0 and with one group the last of all. */
__attribute__((target("avx2"), always_inline)) static inline __m256i parts_block(const uint8_t *const *rows, int n,
                                                                                 int column, int groups, int all,
                                                                                 int from) {
    PARTS_TABLES
    __m256i seen[8], count = _mm256_setzero_si256();
    for (int g = 0; g < 2 * groups; g++) seen[g] = count;
    for (int i = 0; i < n; i++) {
        __m256i r = _mm256_loadu_si256((const __m256i *)(rows[i] + column));
        for (int g = 0; g < groups; g++) {
            __m256i at = all ? r : _mm256_adds_epu8(_mm256_sub_epi8(r, _mm256_set1_epi8((char)(from + 16 * g))), lift);
            seen[2 * g] = _mm256_or_si256(seen[2 * g], _mm256_shuffle_epi8(low, at));
            seen[2 * g + 1] = _mm256_or_si256(seen[2 * g + 1], _mm256_shuffle_epi8(high, at));
        }
    }
    for (int g = 0; g < 2 * groups; g++) count = _mm256_add_epi8(count, parts_popcount(seen[g]));
    return count;
}

__attribute__((target("avx2"), always_inline)) static inline void parts_groups(const uint8_t *const *rows, int n,
                                                                               int width, int groups, uint8_t *out) {
    for (int column = 0; column < width; column += 32)
        _mm256_storeu_si256((__m256i *)(out + column), parts_block(rows, n, column, groups, groups == 1, 0));
}

__attribute__((target("avx2"))) static void parts_avx2(const uint8_t *const *rows, int n, int width,
                                                       int responses, uint8_t *out) {
    if (responses <= 16) parts_groups(rows, n, width, 1, out);
    else if (responses <= 32) parts_groups(rows, n, width, 2, out);
    else if (responses <= 48) parts_groups(rows, n, width, 3, out);
    else parts_groups(rows, n, width, 4, out);
}

/* 32 columns, any responses, many rows: 64 responses at a time. */
__attribute__((target("avx2"))) static __m256i parts_passes(const uint8_t *const *rows, int n, int column, int groups) {
    __m256i count = _mm256_setzero_si256();
    for (int from = 0; groups > 0; groups -= 4, from += 64)
        count = _mm256_add_epi8(count, groups == 1   ? parts_block(rows, n, column, 1, 0, from)
                                       : groups == 2 ? parts_block(rows, n, column, 2, 0, from)
                                       : groups == 3 ? parts_block(rows, n, column, 3, 0, from)
                                                     : parts_block(rows, n, column, 4, 0, from));
    return count;
}

/* The first column whose responses all differ, or -1. A block of columns is left when each has met a repetition. */
__attribute__((target("avx2"), always_inline)) static inline int separating_groups(const uint8_t *const *rows, int n,
                                                                                   int width, int groups) {
    PARTS_TABLES
    for (int column = 0; column < width; column += 32) {
        __m256i seen[8], again = _mm256_setzero_si256();
        for (int g = 0; g < 2 * groups; g++) seen[g] = again;
        for (int i = 0; i < n; i++) {
            __m256i r = _mm256_loadu_si256((const __m256i *)(rows[i] + column));
            for (int g = 0; g < groups; g++) {
                __m256i at = groups == 1 ? r : _mm256_adds_epu8(_mm256_sub_epi8(r, _mm256_set1_epi8((char)(16 * g))), lift);
                __m256i a = _mm256_shuffle_epi8(low, at), b = _mm256_shuffle_epi8(high, at);
                again = _mm256_or_si256(again, _mm256_or_si256(_mm256_and_si256(seen[2 * g], a),
                                                               _mm256_and_si256(seen[2 * g + 1], b)));
                seen[2 * g] = _mm256_or_si256(seen[2 * g], a);
                seen[2 * g + 1] = _mm256_or_si256(seen[2 * g + 1], b);
            }
            if (i % 4 == 3 && !_mm256_movemask_epi8(_mm256_cmpeq_epi8(again, _mm256_setzero_si256()))) break;
        }
        uint32_t good = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(again, _mm256_setzero_si256()));
        if (good) return column + __builtin_ctz(good);
    }
    return -1;
}

__attribute__((target("avx2"))) static int separating_avx2(const uint8_t *const *rows, int n, int width, int responses) {
    if (responses <= 16) return separating_groups(rows, n, width, 1);
    if (responses <= 32) return separating_groups(rows, n, width, 2);
    if (responses <= 48) return separating_groups(rows, n, width, 3);
    return separating_groups(rows, n, width, 4);
}

/* 32 columns, any responses, few rows: a row counts where no row before it has the same response. Where the rows that
 * are left cannot lift any column above `enough`, all of them count. */
__attribute__((target("avx2"))) static __m256i parts_pairs(const uint8_t *const *rows, int n, int column, int enough) {
    __m256i count = _mm256_setzero_si256();
    for (int i = 0; i < n; i++) {
        __m256i r = _mm256_loadu_si256((const __m256i *)(rows[i] + column)), met = _mm256_setzero_si256();
        for (int j = 0; j < i; j++)
            met = _mm256_or_si256(met, _mm256_cmpeq_epi8(r, _mm256_loadu_si256((const __m256i *)(rows[j] + column))));
        count = _mm256_sub_epi8(count, _mm256_cmpeq_epi8(met, _mm256_setzero_si256()));
        if (i % 4 == 3 && n - 1 - i < enough) {
            __m256i all = _mm256_add_epi8(count, _mm256_set1_epi8((char)(n - 1 - i)));
            __m256i most = _mm256_max_epu8(all, _mm256_set1_epi8((char)enough));
            if (_mm256_movemask_epi8(_mm256_cmpeq_epi8(most, _mm256_set1_epi8((char)enough))) == -1) return all;
        }
    }
    return count;
}

/* What is enough when some columns have been counted; 0 stays: all are told apart. */
static inline int parts_enough(const uint8_t *out, int columns, int enough) {
    for (int j = 0; enough && j < columns; j++)
        if (out[j] - 1 > enough) enough = out[j] - 1;
    return enough;
}

/* Any responses: pairs cost about n steps a row, passes 6 for each group of 16 responses. */
__attribute__((target("avx2"))) static void parts_many(const uint8_t *const *rows, int n, int width, int responses,
                                                       const uint8_t *reach, int enough, uint8_t *out) {
    for (int column = 0; column < width; column += 32) {
        int groups = (reach == NULL ? responses - 1 : reach[column / 32]) / 16 + 1;
        __m256i count = n <= 6 * groups ? parts_pairs(rows, n, column, enough) : parts_passes(rows, n, column, groups);
        _mm256_storeu_si256((__m256i *)(out + column), count);
        enough = parts_enough(out + column, 32, enough);
    }
}

/* The same with AVX-512, for any number of responses. */
FOR_512 static void parts_512(const uint8_t *const *rows, int n, int width, int responses, const uint8_t *reach,
                              int enough, uint8_t *out) {
    for (int column = 0; column < width; column += 64) {
        int many = width - column < 64 ? 32 : 64, most = responses - 1;
        if (reach != NULL) most = reach[column / 32];
        if (reach != NULL && many == 64 && reach[column / 32 + 1] > most) most = reach[column / 32 + 1];
        int bytes = most / 8 + 1;
        if (2 * n <= 3 * bytes && responses > 64) {
            for (int half = column; half < column + many; half += 32)
                _mm256_storeu_si256((__m256i *)(out + half), parts_pairs(rows, n, half, enough));
        } else {
            uint64_t live = live_columns(column, width);
            _mm512_mask_storeu_epi8(out + column, live, passes_512(rows, n, column, live, bytes));
        }
        enough = parts_enough(out + column, many, enough);
    }
}

__attribute__((target("avx2"))) static int separating_pairs(const uint8_t *const *rows, int n, int width) {
    for (int column = 0; column < width; column += 32) {
        __m256i again = _mm256_setzero_si256();
        uint32_t good = 0xffffffff;
        for (int i = 1; i < n && good; i++) {
            __m256i r = _mm256_loadu_si256((const __m256i *)(rows[i] + column));
            for (int j = 0; j < i; j++)
                again = _mm256_or_si256(
                    again, _mm256_cmpeq_epi8(r, _mm256_loadu_si256((const __m256i *)(rows[j] + column))));
            good = ~(uint32_t)_mm256_movemask_epi8(again);
        }
        if (good) return column + __builtin_ctz(good);
    }
    return -1;
}
#else
static int parts_simd(void) { return 0; }
static void parts_avx2(const uint8_t *const *rows, int n, int width, int responses, uint8_t *out) {
    (void)rows; (void)n; (void)width; (void)responses; (void)out;
}
static void parts_many(const uint8_t *const *rows, int n, int width, int responses, const uint8_t *reach, int enough,
                       uint8_t *out) {
    (void)rows; (void)n; (void)width; (void)responses; (void)reach; (void)enough; (void)out;
}
static void parts_512(const uint8_t *const *rows, int n, int width, int responses, const uint8_t *reach, int enough,
                      uint8_t *out) {
    (void)rows; (void)n; (void)width; (void)responses; (void)reach; (void)enough; (void)out;
}
static int separating_512(const uint8_t *const *rows, int n, int width, int responses) {
    (void)rows; (void)n; (void)width; (void)responses;
    return -1;
}
static int separating_avx2(const uint8_t *const *rows, int n, int width, int responses) {
    (void)rows; (void)n; (void)width; (void)responses;
    return -1;
}
static int separating_pairs(const uint8_t *const *rows, int n, int width) {
    (void)rows; (void)n; (void)width;
    return -1;
}
#endif

#define PARTS_MOST 64   /* responses that are counted as bits */

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

/* `simd`: what `parts_simd` returns. `enough`: numbers of parts up to this one need not be told apart, they may be
 * given higher, up to it. It rises to one less than what is met: where the largest number is above it, all columns
 * that have the largest are right. 0: all are. */
static void parts_of_columns(const uint8_t *const *rows, int n, int width, int responses, const uint8_t *reach,
                             int enough, int simd, uint8_t *out) {
    if (simd > 1) parts_512(rows, n, width, responses, reach, enough, out);
    else if (simd && responses <= PARTS_MOST) parts_avx2(rows, n, width, responses, out);
    else if (simd) parts_many(rows, n, width, responses, reach, enough, out);
    else parts_portable(rows, n, width, out);
}

static int separating_portable(const uint8_t *const *rows, int n, int width) {
    for (int column = 0; column < width; column++) {
        uint64_t seen[4] = {0, 0, 0, 0};
        int i = 0;
        for (; i < n; i++) {
            uint8_t r = rows[i][column];
            if ((seen[r >> 6] >> (r & 63)) & 1) break;
            seen[r >> 6] |= (uint64_t)1 << (r & 63);
        }
        if (i == n) return column;
    }
    return -1;
}

/* The first column on which all rows differ, or -1; with two rows or more, columns of zeros never do. */
static int separating_column(const uint8_t *const *rows, int n, int width, int responses, int simd) {
    if (simd > 1 && responses <= PARTS_MOST) return separating_512(rows, n, width, responses);
    if (simd && responses <= PARTS_MOST) return separating_avx2(rows, n, width, responses);
    if (simd) return separating_pairs(rows, n, width);
    return separating_portable(rows, n, width);
}

#endif
