/* Questions of two answers about characters: which are about the states that are still possible, and may help.
 *
 * `engine/noisy/splits.py` says why these are enough, `reference_noisy.Searcher` what the arrays are. */
#ifndef GUESSTREE_QUESTIONS_H
#define GUESSTREE_QUESTIONS_H

#include <stdint.h>

typedef struct {
    int many, causes;                       /* characters, 0: tests are independent; causes */
    const int32_t *character, *spots, *first, *last, *joined, *kinds;
    const uint64_t *parts, *shown, *possible, *within;
} Questions;

/* Take the arrays: how many characters; of each test its character; spots, then the first and last test of each; whether
 * characters are joined. In words the parts of each test, who shows what, what is possible, what spots are about. */
static inline void questions_take(Questions *q, const int32_t *ints, const uint64_t *words, const int32_t *kinds,
                                  int causes, int tests) {
    q->many = ints[0];
    q->causes = causes;
    q->kinds = kinds;
    q->character = ints + 1;
    q->spots = q->character + tests;
    q->first = q->spots + q->many + 1;
    q->last = q->first + q->spots[q->many];
    q->joined = q->last + q->spots[q->many];
    q->parts = words;
    q->shown = words + 2 * tests;
    q->possible = q->shown + (int64_t)q->many * causes;
    q->within = q->possible + q->many;
}

/* The states of a character that are still possible for somebody. */
static inline uint64_t questions_met(const Questions *q, const int32_t *members, int n, const uint64_t *states, int c) {
    const uint64_t *shown = q->shown + (int64_t)c * q->causes;
    uint64_t met = 0;
    for (int k = 0; k < n; k++) met |= shown[members[k]];
    return met & states[c];
}

/* The place of the questions about some states of a character, -1: none may help. */
static int questions_spot(const Questions *q, const int32_t *members, int n, int c, uint64_t met) {
    int low = q->spots[c], high = q->spots[c + 1], end = high;
    uint64_t within = met;
    if (q->joined[c] && met) {              /* all between the first and the last */
        for (uint64_t span = met; span; span >>= 1) within |= span;
        within &= ~((met & -met) - 1);
    }
    while (low < high) {
        int middle = (low + high) / 2;
        if (q->within[middle] < within) low = middle + 1;
        else high = middle;
    }
    if (low == end || q->within[low] != within) return -1;
    const int32_t *kinds = q->kinds + (int64_t)q->first[low] * q->causes;
    for (int k = 1; k < n; k++)
        if (kinds[members[k]] != kinds[members[0]]) return low;
    return -1;
}

/* A word for what questions may help with: that and the masses say all that a value depends on. */
static uint64_t questions_about(const Questions *q, const int32_t *members, int n, const uint64_t *states, uint64_t key) {
    uint64_t word = 0;
    for (int c = 0; c < q->many; c++) {
        int spot = questions_spot(q, members, n, c, questions_met(q, members, n, states, c));
        uint64_t z = ((uint64_t)spot + 1) * 0x9e3779b97f4a7c15ULL + key;        /* splitmix64 (Steele et al. 2014) */
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        if (spot >= 0) word += z ^ (z >> 31);
    }
    return word;
}

/* Write the bits of the questions that may be asked and may help, where these causes and states are possible. */
static void questions_useful(const Questions *q, const int32_t *members, int n, const uint64_t *states, uint64_t *found) {
    for (int c = 0; c < q->many; c++) {
        uint64_t met = questions_met(q, members, n, states, c);
        int spot = questions_spot(q, members, n, c, met);
        for (int t = spot < 0 ? 0 : q->first[spot]; spot >= 0 && t < q->last[spot]; t++) {
            uint64_t part = q->parts[2 * t] < q->parts[2 * t + 1] ? q->parts[2 * t] : q->parts[2 * t + 1];
            if (!q->joined[c] || (met & part & ~(part >> 1)))       /* it cuts behind a state that is met */
                found[t >> 6] |= (uint64_t)1 << (t & 63);
        }
    }
}

#endif
