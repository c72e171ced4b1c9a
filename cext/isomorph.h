/* Sets of candidates that differ in names alone: a key that they have in common.
 *
 * A set, with what guesses make of it, is a structure: secrets, and parts that guesses leave, each of a kind. Secrets
 * and guesses split each other by colours until none changes (Weisfeiler and Leman 1968); where several secrets have
 * one colour, one gets its own, until each is alone, which puts all in an order (McKay 1981). The key is a hash of the
 * structure with its secrets named by their places in that order.
 *
 * Equal keys: the structures so named are equal (but for a chance of 2^-128, as with sets themselves), so places name
 * a renaming of one set to the other that keeps all kinds and parts. That holds for any order at all. How good the
 * order is decides only how often alike sets are seen to be: always where secrets of one colour are alike. */
#ifndef GUESSTREE_ISOMORPH_H
#define GUESSTREE_ISOMORPH_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#include "spread.h"

#define ISOMORPH_ROUNDS 48                  /* then secrets of one colour stay in the order in which they came */

typedef struct {
    int n, guesses, width;                  /* width: parts of a guess at most */
    uint16_t *cells;                        /* the part of each secret, guesses x n */
    uint64_t *kinds;                        /* guesses x width; 0 beyond the parts that there are */
    uint64_t *secrets;                      /* what an image of a secret has in common with it */
} Structure;

typedef struct { uint64_t colour; int32_t secret; } Coloured;

static int isomorph_by_colour(const void *a, const void *b) {
    const Coloured *x = (const Coloured *)a, *y = (const Coloured *)b;
    if (x->colour != y->colour) return x->colour < y->colour ? -1 : 1;
    return (x->secret > y->secret) - (x->secret < y->secret);
}

/* Add the colours in each part of a guess. Of two parts the second is what the first leaves: sums in registers. */
static void isomorph_add(const Structure *s, const uint16_t *cells, const uint64_t *colours, uint64_t *parts) {
    uint64_t all = 0, second = 0;
    memset(parts, 0, (size_t)s->width * sizeof(uint64_t));
    if (s->width != 2) {
        for (int i = 0; i < s->n; i++) parts[cells[i]] += colours[i];
        return;
    }
    for (int i = 0; i < s->n; i++) {
        all += colours[i];
        second += colours[i] & -(uint64_t)cells[i];
    }
    parts[0] = all - second;
    parts[1] = second;
}

/* Refine colours once; `parts` has room for the parts of a guess, `met` for a number of each secret. */
static void isomorph_refine(const Structure *s, uint64_t *colours, uint64_t *parts, uint64_t *met) {
    memset(met, 0, (size_t)s->n * sizeof(uint64_t));
    for (int g = 0; g < s->guesses; g++) {
        const uint16_t *cells = s->cells + (size_t)g * s->n;
        const uint64_t *kinds = s->kinds + (size_t)g * s->width;
        uint64_t colour = 0;
        isomorph_add(s, cells, colours, parts);
        for (int p = 0; p < s->width && kinds[p]; p++) colour += parts[p] = spread(parts[p] + kinds[p]);
        colour = spread(colour);
        for (int p = 0; p < s->width && kinds[p]; p++) parts[p] = spread(parts[p] + colour);
        if (s->width == 2) {
            for (int i = 0; i < s->n; i++) met[i] += parts[0] + ((parts[1] - parts[0]) & -(uint64_t)cells[i]);
        } else {
            for (int i = 0; i < s->n; i++) met[i] += parts[cells[i]];
        }
    }
    for (int i = 0; i < s->n; i++) colours[i] = spread(colours[i] + spread(met[i]));
}

/* Sort secrets by colour; return how many colours there are. */
static int isomorph_sorted(const uint64_t *colours, int n, Coloured *sorted) {
    int many = n > 0;
    for (int i = 0; i < n; i++) {
        sorted[i].colour = colours[i];
        sorted[i].secret = i;
    }
    qsort(sorted, n, sizeof(Coloured), isomorph_by_colour);
    for (int i = 1; i < n; i++) many += sorted[i].colour != sorted[i - 1].colour;
    return many;
}

/* Return the first secret of the colour that fewest have, of those that several have. */
static int isomorph_chosen(const Coloured *sorted, int n) {
    int chosen = -1, fewest = n + 1;
    for (int from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && sorted[to].colour == sorted[from].colour; to++) {}
        if (to - from > 1 && to - from < fewest) { fewest = to - from; chosen = sorted[from].secret; }
    }
    return chosen;
}

/* Write the key of a structure, and a hash of each guess with the secrets so named, of which no two are equal where
 * no two guesses make the same of the set. `z1`, `z2`: random words of each place. 0: no memory. */
static int isomorph_key(Arena *arena, const Structure *s, const uint64_t *z1, const uint64_t *z2, uint64_t *key1,
                        uint64_t *key2, uint64_t *hashes) {
    int n = s->n, many = 0, before;
    uint64_t *colours = (uint64_t *)arena_take(arena, (size_t)n * sizeof(uint64_t));
    Coloured *sorted = (Coloured *)arena_take(arena, (size_t)n * sizeof(Coloured));
    uint64_t *parts = (uint64_t *)arena_take(arena, 2 * (size_t)s->width * sizeof(uint64_t));
    uint64_t *met = (uint64_t *)arena_take(arena, (size_t)n * sizeof(uint64_t));
    uint64_t *in_order = (uint64_t *)arena_take(arena, 2 * (size_t)n * sizeof(uint64_t));
    int32_t *place = (int32_t *)arena_take(arena, (size_t)n * sizeof(int32_t));
    if (colours == NULL || sorted == NULL || parts == NULL || met == NULL || in_order == NULL || place == NULL) return 0;
    for (int i = 0; i < n; i++) colours[i] = spread(s->secrets[i]);
    for (int round = 0; round < ISOMORPH_ROUNDS && many < n; round++) {
        isomorph_refine(s, colours, parts, met);
        before = many;
        many = isomorph_sorted(colours, n, sorted);
        if (many == before && many < n) {
            int chosen = isomorph_chosen(sorted, n);
            colours[chosen] = spread(~colours[chosen]);
            many = 0;
        }
    }
    isomorph_sorted(colours, n, sorted);
    for (int i = 0; i < n; i++) place[sorted[i].secret] = i;
    for (int i = 0; i < n; i++) {
        in_order[i] = z1[place[i]];
        in_order[n + i] = z2[place[i]];
        *key1 += spread(s->secrets[i] + in_order[i]);
        *key2 += spread(s->secrets[i] + in_order[n + i]);
    }
    for (int g = 0; g < s->guesses; g++) {
        const uint16_t *cells = s->cells + (size_t)g * n;
        const uint64_t *kinds = s->kinds + (size_t)g * s->width;
        uint64_t one = 0, two = 0;
        isomorph_add(s, cells, in_order, parts);
        isomorph_add(s, cells, in_order + n, parts + s->width);
        for (int p = 0; p < s->width && kinds[p]; p++) {
            one += spread(parts[p] + kinds[p]);
            two += spread(parts[s->width + p] + kinds[p]);
        }
        hashes[g] = spread(one);
        *key1 += hashes[g];
        *key2 += spread(two);
    }
    return 1;
}

/* Return the hash that so many are less than, of different ones; their order is lost. Quickselect (Hoare 1961). */
static uint64_t isomorph_select(uint64_t *hashes, int count, int rank) {
    int from = 0, to = count - 1;
    while (from < to) {
        uint64_t pivot = hashes[from + (to - from) / 2];
        int i = from, j = to;
        while (i <= j) {
            while (hashes[i] < pivot) i++;
            while (hashes[j] > pivot) j--;
            if (i <= j) {
                uint64_t swapped = hashes[i];
                hashes[i++] = hashes[j];
                hashes[j--] = swapped;
            }
        }
        if (rank <= j) to = j;
        else if (rank >= i) from = i;
        else break;
    }
    return hashes[rank];
}

#endif
