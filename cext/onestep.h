/* Responses of many guesses to one secret, and sizes of parts, 32 guesses at a time. */
#ifndef GUESSTREE_ONESTEP_H
#define GUESSTREE_ONESTEP_H

#include <stdint.h>
#include <string.h>
#include "parts.h"

/* Pairs (equal positions b, common symbols t >= b) are numbered row by row: b(2p + 1 - b)/2 + t. */
static int pair_number(int pegs, int black, int common) {
    return black * (2 * pegs + 1 - black) / 2 + common;
}

static void fill_portable(const uint8_t *planes, const uint8_t *counts, size_t width, int from, int to, int pegs,
                          const uint8_t *digits, int kinds, const uint8_t *kind, const uint8_t *many,
                          const uint8_t *number, uint8_t *out) {
    for (int j = from; j < to; j++) {
        uint8_t black = 0, common = 0;
        for (int p = 0; p < pegs; p++) black += planes[p * width + j] == digits[p];
        for (int c = 0; c < kinds; c++) {
            uint8_t have = counts[kind[c] * width + j];
            common += have < many[c] ? have : many[c];
        }
        out[j - from] = number[black] + common;
    }
}

#ifdef GUESSTREE_HAVE_AVX2
/* number[b] holds b(2p + 1 - b)/2 for b < 16, so that a shuffle looks it up. */
__attribute__((target("avx2"))) static void fill_avx2(const uint8_t *planes, const uint8_t *counts, size_t width,
                                                      int from, int to, int pegs, const uint8_t *digits, int kinds,
                                                      const uint8_t *kind, const uint8_t *many,
                                                      const uint8_t *number, uint8_t *out) {
    const __m256i lookup = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)number));
    for (int j = from; j < to; j += 32) {
        __m256i black = _mm256_setzero_si256(), common = black;
        for (int p = 0; p < pegs; p++) {
            __m256i peg = _mm256_loadu_si256((const __m256i *)(planes + p * width + j));
            black = _mm256_sub_epi8(black, _mm256_cmpeq_epi8(peg, _mm256_set1_epi8((char)digits[p])));
        }
        for (int c = 0; c < kinds; c++) {
            __m256i have = _mm256_loadu_si256((const __m256i *)(counts + kind[c] * width + j));
            common = _mm256_add_epi8(common, _mm256_min_epu8(have, _mm256_set1_epi8((char)many[c])));
        }
        _mm256_storeu_si256((__m256i *)(out + (j - from)),
                            _mm256_add_epi8(common, _mm256_shuffle_epi8(lookup, black)));
    }
}

/* Counts of 8 responses at once in registers; a byte counts to 255, so rows come in runs of 255. */
__attribute__((target("avx2"))) static void sizes_avx2(const uint8_t *rows, size_t stride, int n, int responses,
                                                       uint32_t *sizes) {
    uint8_t part[32];
    memset(sizes, 0, (size_t)responses * 32 * sizeof(uint32_t));
    for (int start = 0; start < n; start += 255) {
        int stop = start + 255 < n ? start + 255 : n;
        for (int first = 0; first < responses; first += 8) {
            __m256i count[8];
            for (int k = 0; k < 8; k++) count[k] = _mm256_setzero_si256();
            for (int i = start; i < stop; i++) {
                __m256i r = _mm256_sub_epi8(_mm256_loadu_si256((const __m256i *)(rows + i * stride)),
                                            _mm256_set1_epi8((char)first));
                for (int k = 0; k < 8; k++)
                    count[k] = _mm256_sub_epi8(count[k], _mm256_cmpeq_epi8(r, _mm256_set1_epi8((char)k)));
            }
            for (int k = 0; k < 8 && first + k < responses; k++) {
                _mm256_storeu_si256((__m256i *)part, count[k]);
                for (int lane = 0; lane < 32; lane++) sizes[(first + k) * 32 + lane] += part[lane];
            }
        }
    }
}
#endif

static void fill_row(const uint8_t *planes, const uint8_t *counts, size_t width, int from, int to, int pegs,
                     const uint8_t *digits, int kinds, const uint8_t *kind, const uint8_t *many,
                     const uint8_t *number, int simd, uint8_t *out) {
#ifdef GUESSTREE_HAVE_AVX2
    if (simd && pegs < 16) {
        fill_avx2(planes, counts, width, from, to, pegs, digits, kinds, kind, many, number, out);
        return;
    }
#endif
    fill_portable(planes, counts, width, from, to, pegs, digits, kinds, kind, many, number, out);
}

/* Responses of columns from..to to one code: the same, with the kinds of its symbols counted first. */
static void code_row(const uint8_t *planes, const uint8_t *counts, size_t width, int from, int to, int pegs, int symbols,
                     const uint8_t *code, const uint8_t *number, int simd, uint8_t *out) {
    uint8_t kind[64], many[64];
    int kinds = 0;
    for (int p = 0; symbols && p < pegs; p++) {
        int c = 0;
        while (c < kinds && kind[c] != code[p]) c++;
        if (c == kinds) { kind[kinds] = code[p]; many[kinds++] = 0; }
        many[c]++;
    }
    fill_row(planes, counts, width, from, to, pegs, code, kinds, kind, many, number, simd, out);
}

/* Sizes of the parts of 32 guesses, sizes[response * 32 + guess]. Many responses are rare ones: count one by one. */
static void part_sizes(const uint8_t *rows, size_t stride, int n, int responses, int simd, uint32_t *sizes) {
#ifdef GUESSTREE_HAVE_AVX2
    if (simd && responses <= 64) {
        sizes_avx2(rows, stride, n, responses, sizes);
        return;
    }
#endif
    memset(sizes, 0, (size_t)responses * 32 * sizeof(uint32_t));
    for (int i = 0; i < n; i++)
        for (int lane = 0; lane < 32; lane++) sizes[rows[i * stride + lane] * 32 + lane]++;
}

#endif
