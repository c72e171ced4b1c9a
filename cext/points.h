/* Points that may change places: causes, tests and decisions are sets of them, as samples in pools are.
 *
 * A renaming permutes points of one kind; what it does to sets, it does to a belief. Each belief gets places for its
 * points, by marks that no renaming changes: beliefs that are alike then mostly have one form in common. Where points
 * have the same marks their own order decides, so two beliefs may be alike and have two forms: that costs time alone. */
#ifndef GUESSTREE_POINTS_H
#define GUESSTREE_POINTS_H

#include <stdint.h>

#define MOST_POINTS 8

typedef struct {
    int many;                                           /* 0: no renamings are known */
    int32_t kind[MOST_POINTS];
    const int32_t *sets[3];                             /* of causes, tests, decisions: the bits of their points */
    int32_t number[3][1 << MOST_POINTS];                /* of a set of points, -1: there is none */
} Points;

static inline uint64_t stirred(uint64_t z) {            /* the finalizer of splitmix64 (Steele et al. 2014) */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* Take points from an array: how many, their kinds, then the sets of so many causes, tests and decisions. */
static inline void points_take(Points *p, const int32_t *given, int causes, int tests, int decisions) {
    int many[3] = {causes, tests, decisions};
    p->many = given[0];
    given++;
    for (int i = 0; i < p->many; i++) p->kind[i] = *given++;
    for (int what = 0; what < 3; what++) {
        for (int i = 0; i < 1 << MOST_POINTS; i++) p->number[what][i] = -1;
        for (int i = 0; i < many[what]; i++) p->number[what][given[i]] = i;
        p->sets[what] = given;
        given += many[what];
    }
}

/* Add a word for each set to the marks of its points; the word comes from their marks and what is known of the set. */
static inline void points_mark(const uint64_t *before, uint64_t *after, int32_t set, uint64_t word) {
    for (int32_t left = set; left; left &= left - 1) word += before[__builtin_ctz(left)];
    word = stirred(word);
    for (int32_t left = set; left; left &= left - 1) after[__builtin_ctz(left)] += word;
}

/* The places of the points of a belief, four bits each. `prints`: two words of each member, or NULL; they are sums of
 * words of shares, so n times one less the sum of all is the same where all masses have a factor in common. */
static uint32_t points_places(const Points *p, const int32_t *members, const uint64_t *prints, int n,
                              const uint64_t *asked, int tests) {
    uint64_t mark[MOST_POINTS], before[MOST_POINTS], sum = 0;
    int order[MOST_POINTS];
    uint32_t places = 0;
    for (int i = 0; i < p->many; i++) mark[i] = p->kind[i];
    for (int k = 0; prints && k < n; k++) sum += prints[2 * k];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < p->many; i++) before[i] = mark[i] = stirred(mark[i] + 1);
        for (int k = 0; k < n; k++)
            points_mark(before, mark, p->sets[0][members[k]], prints ? n * prints[2 * k] - sum : 0);
        for (int t = 0; t < tests; t++)
            if (asked[t >> 6] >> (t & 63) & 1) points_mark(before, mark, p->sets[1][t], 0x5bd1e995);
    }
    for (int i = 0; i < p->many; i++) {
        int at = i;
        for (; at && (p->kind[order[at - 1]] > p->kind[i] ||
                      (p->kind[order[at - 1]] == p->kind[i] && mark[order[at - 1]] > mark[i])); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int kind = 0, next = 0; next < p->many; kind++)        /* points of a kind share out the places of the kind */
        for (int place = 0; place < p->many; place++)
            if (p->kind[place] == kind) places |= (uint32_t)place << 4 * order[next++];
    return places;
}

/* The number of a cause (0), test (1) or decision (2) whose points have gone to these places, or have come back. */
static inline int points_moved(const Points *p, int what, int number, uint32_t places, int back) {
    int32_t set = p->sets[what][number], image = 0;
    for (int i = 0; i < p->many; i++) {
        int place = places >> 4 * i & 15;
        image |= back ? (set >> place & 1) << i : (set >> i & 1) << place;
    }
    return p->number[what][image];
}

#endif
