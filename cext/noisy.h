/* What is known of states of masses: a hash table that grows up to a limit; then what is new is not entered.
 *
 * Values are non-negative doubles, of states of some mass: for another mass they grow as it does. */
#ifndef GUESSTREE_NOISY_H
#define GUESSTREE_NOISY_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "arena.h"

typedef struct {
    uint64_t key1, key2;                    /* key1 is 0 in an empty slot */
    double lower, upper, mass;
    int32_t test;                           /* the first of the strategy that takes `upper`, or its decision */
    int16_t depth;                          /* questions looked ahead */
    int16_t width;                          /* tests tried of each state by the widest beam so far */
} Entry;

typedef struct {
    Entry *slots;
    uint64_t size, used, limit;             /* slots now, of them used, and at most */
    int guard;                              /* of all this, where several threads share it */
    int64_t *countdown;
} Store;

static int store_new(Store *m, uint64_t bytes, int64_t *countdown) {
    m->limit = 1024;
    while (3 * m->limit * sizeof(Entry) <= bytes) m->limit *= 2;    /* while it grows, the old half is there too */
    m->size = 1024;
    m->used = 0;
    m->guard = 0;
    m->countdown = countdown;
    m->slots = fails_on_purpose(countdown) ? NULL : (Entry *)calloc(m->size, sizeof(Entry));
    return m->slots != NULL;
}

static inline Entry *store_slot(const Store *m, uint64_t key1, uint64_t key2) {
    uint64_t at = key1 & (m->size - 1);
    while (m->slots[at].key1 && (m->slots[at].key1 != key1 || m->slots[at].key2 != key2))
        at = (at + 1) & (m->size - 1);
    return m->slots + at;
}

/* What is known of a key, NULL: nothing. Good until the next `store_enter`. */
static inline Entry *store_find(const Store *m, uint64_t key1, uint64_t key2) {
    Entry *slot = store_slot(m, key1, key2);
    return slot->key1 ? slot : NULL;
}

/* A slot for a key that has none, empty but for it; NULL: the table is full. */
static Entry *store_enter(Store *m, uint64_t key1, uint64_t key2) {
    if (3 * m->used >= 2 * m->size) {
        Entry *before = m->slots, *after = NULL;
        uint64_t from = m->size;
        if (2 * from <= m->limit && !fails_on_purpose(m->countdown))
            after = (Entry *)calloc(2 * from, sizeof(Entry));
        if (after == NULL) return NULL;
        m->slots = after;
        m->size = 2 * from;
        for (uint64_t i = 0; i < from; i++)
            if (before[i].key1) *store_slot(m, before[i].key1, before[i].key2) = before[i];
        free(before);
    }
    Entry *slot = store_slot(m, key1, key2);
    slot->key1 = key1;
    slot->key2 = key2;
    m->used++;
    return slot;
}

/* A value for another mass: exactly, where all are integers; of a lower bound the next integer above. */
static inline double for_mass(double value, double from, double to, int whole) {
    if (from == to || value == 0 || value == INFINITY) return value;
    if (!whole) return value * (to / from);
    __int128 product = (__int128)(int64_t)value * (int64_t)to, divisor = (int64_t)from;
    return (double)(int64_t)((product + divisor - 1) / divisor);
}

static inline void sort_doubles(double *v, int n) {     /* nearly sorted most of the time */
    for (int gap = n > 32 ? n / 3 : 1; gap; gap = gap > 1 && gap < 3 ? 1 : gap / 3)
        for (int i = gap; i < n; i++) {
            double x = v[i];
            int j = i;
            for (; j >= gap && v[j - gap] > x; j -= gap) v[j] = v[j - gap];
            v[j] = x;
        }
}

/* The total of Huffman's code with so many symbols for weights in ascending order, which are destroyed. */
static inline double huffman(double *v, int n, int symbols) {
    if (n <= 1) return 0;
    double total = 0;
    int leaf = 0, node = 0, made = 0, first = 2 + (n - 2) % (symbols - 1), left = n;
    for (int take = first; left > 1; take = symbols) {
        double sum = 0;
        for (int k = 0; k < take; k++)
            sum += node < made && (leaf >= n || v[node] <= v[leaf]) ? v[node++] : v[leaf++];
        /* joined weights take the room of leaves that are gone: made < leaf after the first join */
        v[made++] = sum;
        total += sum;
        left -= take - 1;
    }
    return total;
}

#endif
