/* Claims about sets of secrets, whatever bounds them: what is remembered of sets, and which guesses renamings make
 * equal. A set is a list of numbers that rise; what they stand for is up to the bounds. */
#include "reading.h"

#ifndef MAX_LOOKED
#define MAX_LOOKED ((size_t)1 << 29) /* bytes of what is found by looking ahead, between two claims */
#endif

enum { ANY = -2, FREE = -1 }; /* as a guess: one of each orbit; none but what costs nothing */

typedef struct Claim { /* the set costs at least the bound, with so much left: guesses, or what may be paid */
    const int *set;
    int n;
    int under;             /* the number of what the history demands of guesses, or 0 */
    Cost left, bound;
    Cost given;            /* what is left, also if no set of this size needs so much */
    int first;             /* the guess that is prescribed, or ANY */
    int only;              /* the guess that has to pass, or ANY */
    long line;             /* where its body begins */
    int *named, nameds;    /* guesses that its lemmas name */
    int *orbit;            /* union-find over guesses, or NULL without renamings */
    int most;              /* parts that any guess makes of the set */
    uint8_t *parts;        /* and each guess; by counting alone */
    uint8_t *large;        /* of each guess: whether some part is seen to be larger than what is left settles, or NULL */
    uint8_t *gathered;     /* the responses of each guess to the members, or NULL */
    const struct Small **refuted; /* small sets within this one, by counting alone */
} Claim;

/* ---- what is known of sets ---------------------------------------------------------------------------------- */

typedef struct Known {
    struct Known *next;
    Cost left, proved, looked; /* proved by a lemma, or -1; found by looking ahead */
    int under, by, whole, n, set[]; /* by: the counting that the look used; whole: what more of it may show, see the bounds */
} Known;

static inline size_t slot_of(const int *set, int n, size_t slots) {
    uint64_t h = (uint64_t)n;
    for (int i = 0; i < n; i++) h = (h ^ (uint64_t)set[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return (size_t)h & (slots - 1);
}

static inline Known *same_set(Known *at, const int *set, int n) { /* the first of a list that is about this set */
    while (at && (at->n != n || memcmp(at->set, set, (size_t)n * sizeof *set))) at = at->next;
    return at;
}

static inline Known *first_of(const Check *c, const int *set, int n) {
    return c->known_slots ? same_set(c->known[slot_of(set, n, c->known_slots)], set, n) : NULL;
}

static void widen(Check *c) {
    size_t slots = c->known_slots ? 2 * c->known_slots : 1 << 12;
    Known **wider = take(c, slots, sizeof *wider);
    for (size_t i = 0; i < c->known_slots; i++)
        for (Known *one = c->known[i], *next; one; one = next) {
            size_t slot = slot_of(one->set, one->n, slots);
            next = one->next, one->next = wider[slot], wider[slot] = one;
        }
    give(c->known);
    c->known = wider, c->known_slots = slots;
}

static Known *entry(Check *c, const int *set, int n, int under, Cost left, int by) { /* it stays where it is until `forget` */
    Known *at = first_of(c, set, n);
    while (at && (at->left != left || at->by != by || at->under != under)) at = same_set(at->next, set, n);
    if (at) return at;
    if (c->known_count >= c->known_slots) widen(c);
    size_t slot = slot_of(set, n, c->known_slots), bytes = sizeof *at + (size_t)n * sizeof *set;
    at = take(c, 1, bytes);
    c->known_count++, c->known_bytes += bytes;
    at->next = c->known[slot], at->left = left, at->proved = -1, at->by = by, at->n = n, at->under = under;
    memcpy(at->set, set, (size_t)n * sizeof *set);
    return c->known[slot] = at;
}

HELPER void remember(Check *c, const int *set, int n, int under, Cost left, Cost bound) {
    Known *at = entry(c, set, n, under, left, 0);
    if (at->proved < bound) at->proved = bound;
}

HELPER Cost proved_bound(const Check *c, const int *set, int n, Cost left) { /* -1: nothing is */
    Cost best = -1;
    for (const Known *at = first_of(c, set, n); at; at = same_set(at->next, set, n))
        if (at->left >= left && at->proved > best) best = at->proved;
    return best;
}

HELPER void forget(Check *c, int proved) { /* what was found by looking ahead is found again; or what was proved */
    c->known_count = c->known_bytes = 0;
    for (size_t i = 0; i < c->known_slots; i++)
        for (Known **to = &c->known[i], *at; (at = *to);) {
            if (proved) at->proved = -1;
            if (proved ? at->looked || at->whole : at->proved >= 0) {
                to = &at->next, c->known_count++;
                if (!proved) at->looked = at->whole = 0;
                else c->known_bytes += sizeof *at + (size_t)at->n * sizeof *at->set;
            } else *to = at->next, give(at);
        }
}

/* ---- guesses that renamings make equal ------------------------------------------------------------------------ */

static inline int orbit_of(const Claim *claim, int g) {
    if (claim->orbit) while (claim->orbit[g] != g) g = claim->orbit[g] = claim->orbit[claim->orbit[g]];
    return g;
}

HELPER void open_orbits(Check *c, Claim *claim) {
    if (claim->orbit) return;
    claim->orbit = take(c, (size_t)c->guesses, sizeof *claim->orbit);
    for (int g = 0; g < c->guesses; g++) claim->orbit[g] = g;
}

static inline void join_orbits(Claim *claim, int g, int to) { claim->orbit[orbit_of(claim, g)] = orbit_of(claim, to); }
