/* Guesses in the order in which a search tries them. */

#ifndef GUESSTREE_RANKED_H
#define GUESSTREE_RANKED_H

#include <stdint.h>

#define FEW_RANKED 16 /* so many are sorted by insertion */

typedef struct { /* a guess with what orders it: the least bound first, then the least score */
    int64_t bound;
    int64_t score;
    int32_t column;  /* of the table at hand; its number where there is one table */
    int32_t outside; /* 1 unless the guess is a candidate */
} Ranked;

/* Return whether a guess comes before another; in a beam, the least score comes first. */
static inline int comes_before(const Ranked *x, const Ranked *y, int beam)
{
    if (beam && x->score != y->score)
        return x->score < y->score;
    if (x->bound != y->bound)
        return x->bound < y->bound;
    if (x->score != y->score)
        return x->score < y->score;
    return x->outside != y->outside ? x->outside < y->outside : x->column < y->column;
}

static inline void swap_ranked(Ranked *x, Ranked *y)
{
    Ranked one = *x;
    *x = *y;
    *y = one;
}

/* Bring guesses that come first to the left of the others; return how many, and where the others begin. */
static inline int part_ranked(Ranked *ranked, int many, int beam, int *right)
{
    int i = 0, j = many - 1;
    Ranked pivot = ranked[many / 2];
    if (comes_before(&ranked[j], &ranked[0], beam))
        swap_ranked(&ranked[0], &ranked[j]);
    if (comes_before(&pivot, &ranked[0], beam))
        pivot = ranked[0];
    else if (comes_before(&ranked[j], &pivot, beam))
        pivot = ranked[j];
    while (i <= j) {
        while (comes_before(&ranked[i], &pivot, beam))
            i++;
        while (comes_before(&pivot, &ranked[j], beam))
            j--;
        if (i <= j)
            swap_ranked(&ranked[i++], &ranked[j--]);
    }
    *right = i;
    return j + 1;
}

/* Sort guesses (quicksort, Hoare 1962). */
static inline void sort_ranked(Ranked *ranked, int many, int beam)
{
    while (many > FEW_RANKED) {
        int right, left = part_ranked(ranked, many, beam, &right);
        if (left < many - right) { /* the smaller side first: log2(many) calls deep */
            sort_ranked(ranked, left, beam);
            ranked += right;
            many -= right;
        } else {
            sort_ranked(ranked + right, many - right, beam);
            many = left;
        }
    }
    for (int i = 1; i < many; i++) {
        Ranked one = ranked[i];
        int j = i;
        for (; j > 0 && comes_before(&one, &ranked[j - 1], beam); j--)
            ranked[j] = ranked[j - 1];
        ranked[j] = one;
    }
}

/* Sort about as many guesses more as are sorted, the least of the others; return how many are sorted then.

   A node is left after a tenth of its guesses: sorting them all took a quarter of the time of Mastermind 12x2. */
static inline int sort_more(Ranked *ranked, int sorted, int many, int beam)
{
    int right, end = many, wanted = 2 * sorted > FEW_RANKED ? 2 * sorted : FEW_RANKED;
    while (end - sorted > FEW_RANKED) {
        int left = sorted + part_ranked(ranked + sorted, end - sorted, beam, &right);
        if (left < wanted)
            break;
        end = left;
    }
    sort_ranked(ranked + sorted, end - sorted, beam);
    return end;
}

#endif
