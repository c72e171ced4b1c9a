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

#define ISOMORPH_ROUNDS 48                  /* then secrets of one colour stay in the order in which they came */

typedef struct {
    int n, guesses, width;                  /* width: parts of a guess at most */
    uint16_t *cells;                        /* the part of each secret, guesses x n */
    uint64_t *kinds;                        /* guesses x width; 0 beyond the parts that there are */
    uint64_t *secrets;                      /* what an image of a secret has in common with it */
} Structure;

typedef struct { uint64_t colour; int32_t secret; } Coloured;

static inline uint64_t isomorph_mixed(uint64_t x) {     /* SplitMix64 (Steele, Lea and Flood 2014) */
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static int isomorph_by_colour(const void *a, const void *b) {
    const Coloured *x = (const Coloured *)a, *y = (const Coloured *)b;
    if (x->colour != y->colour) return x->colour < y->colour ? -1 : 1;
    return (x->secret > y->secret) - (x->secret < y->secret);
}

/* Refine colours once; `parts` has room for the parts of a guess, `met` for a number of each secret. */
static void isomorph_refine(const Structure *s, Coloured *by_secret, uint64_t *parts, uint64_t *met) {
    memset(met, 0, (size_t)s->n * sizeof(uint64_t));
    for (int g = 0; g < s->guesses; g++) {
        const uint16_t *cells = s->cells + (size_t)g * s->n;
        const uint64_t *kinds = s->kinds + (size_t)g * s->width;
        uint64_t colour = 0;
        memset(parts, 0, (size_t)s->width * sizeof(uint64_t));
        for (int i = 0; i < s->n; i++) parts[cells[i]] += by_secret[i].colour;
        for (int p = 0; p < s->width && kinds[p]; p++) colour += parts[p] = isomorph_mixed(parts[p] + kinds[p]);
        colour = isomorph_mixed(colour);
        for (int p = 0; p < s->width && kinds[p]; p++) parts[p] = isomorph_mixed(parts[p] + colour);
        for (int i = 0; i < s->n; i++) met[i] += parts[cells[i]];
    }
    for (int i = 0; i < s->n; i++) by_secret[i].colour = isomorph_mixed(by_secret[i].colour + isomorph_mixed(met[i]));
}

/* Sort secrets by colour; return how many colours there are. */
static int isomorph_sorted(const Coloured *by_secret, int n, Coloured *sorted) {
    int colours = n > 0;
    memcpy(sorted, by_secret, (size_t)n * sizeof(Coloured));
    qsort(sorted, n, sizeof(Coloured), isomorph_by_colour);
    for (int i = 1; i < n; i++) colours += sorted[i].colour != sorted[i - 1].colour;
    return colours;
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
    int n = s->n, colours = 0, before;
    Coloured *by_secret = (Coloured *)arena_take(arena, (size_t)n * sizeof(Coloured));
    Coloured *sorted = (Coloured *)arena_take(arena, (size_t)n * sizeof(Coloured));
    uint64_t *parts = (uint64_t *)arena_take(arena, 2 * (size_t)s->width * sizeof(uint64_t));
    uint64_t *met = (uint64_t *)arena_take(arena, (size_t)n * sizeof(uint64_t));
    int32_t *place = (int32_t *)arena_take(arena, (size_t)n * sizeof(int32_t));
    if (by_secret == NULL || sorted == NULL || parts == NULL || met == NULL || place == NULL) return 0;
    for (int i = 0; i < n; i++) {
        by_secret[i].colour = isomorph_mixed(s->secrets[i]);
        by_secret[i].secret = i;
    }
    for (int round = 0; round < ISOMORPH_ROUNDS && colours < n; round++) {
        isomorph_refine(s, by_secret, parts, met);
        before = colours;
        colours = isomorph_sorted(by_secret, n, sorted);
        if (colours == before && colours < n) {
            int chosen = isomorph_chosen(sorted, n);
            by_secret[chosen].colour = isomorph_mixed(~by_secret[chosen].colour);
            colours = 0;
        }
    }
    isomorph_sorted(by_secret, n, sorted);
    for (int i = 0; i < n; i++) place[sorted[i].secret] = i;
    for (int i = 0; i < n; i++) {
        *key1 += isomorph_mixed(s->secrets[i] + z1[place[i]]);
        *key2 += isomorph_mixed(s->secrets[i] + z2[place[i]]);
    }
    for (int g = 0; g < s->guesses; g++) {
        const uint16_t *cells = s->cells + (size_t)g * n;
        const uint64_t *kinds = s->kinds + (size_t)g * s->width;
        uint64_t one = 0, two = 0;
        memset(parts, 0, 2 * (size_t)s->width * sizeof(uint64_t));
        for (int i = 0; i < n; i++) {
            parts[2 * cells[i]] += z1[place[i]];
            parts[2 * cells[i] + 1] += z2[place[i]];
        }
        for (int p = 0; p < s->width && kinds[p]; p++) {
            one += isomorph_mixed(parts[2 * p] + kinds[p]);
            two += isomorph_mixed(parts[2 * p + 1] + kinds[p]);
        }
        hashes[g] = isomorph_mixed(one);
        *key1 += hashes[g];
        *key2 += isomorph_mixed(two);
    }
    return 1;
}

#endif
