/* What is known of sets of candidates: a hash table that grows up to a limit and then forgets the cheapest.
 *
 * Slots come in groups of 16; a key lives in one group only, so nothing ever moves but when the table grows.
 * Any thread may read and write at any time: a group is locked while it is touched, and a thread that makes
 * the table grow waits until all others are outside. With one thread no lock is taken. */
#ifndef GUESSTREE_MEMO_H
#define GUESSTREE_MEMO_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define MEMO_GROUP 16
#define MEMO_LOCKS 1024
#define MEMO_THREADS 64

typedef struct {
    uint64_t key1, key2;
    int64_t lower, upper;
    int32_t guess;
    uint8_t used, bounded, effort;    /* effort: about log2 of the evaluations that went into it */
} Known;

typedef struct {                            /* what is written often has cache lines of its own */
    Known *slots;
    uint64_t groups, limit;                 /* limit: groups at most */
    int64_t most;                           /* an upper bound that is none */
    int threads, growing;
    int64_t *countdown;                     /* see arena.h */
    char padding1[128];
    uint64_t used;
    char padding2[128];
    struct { int inside; char padding[124]; } gate[MEMO_THREADS];
    struct { int held; char padding[60]; } locks[MEMO_LOCKS];
} Memo;

/* Slots, all empty. They are met at random, so large pages save much; and they are written before they are read,
 * or every first write would interrupt the other threads. */
static Known *memo_slots(uint64_t groups, int64_t *countdown) {
    if (fails_on_purpose(countdown)) return NULL;
    size_t bytes = groups * MEMO_GROUP * sizeof(Known), page = (size_t)2 << 20;
    if (bytes < page) return (Known *)calloc(bytes, 1);
    Known *slots = (Known *)aligned_alloc(page, (bytes + page - 1) / page * page);
    if (slots == NULL) return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    madvise(slots, bytes, MADV_HUGEPAGE);
#endif
    memset(slots, 0, bytes);
    return slots;
}

static Memo *memo_new(uint64_t bytes, int64_t most, int64_t *countdown) {
    Memo *m = (Memo *)calloc(1, sizeof(Memo));
    if (m == NULL) return NULL;
    uint64_t room = bytes / (MEMO_GROUP * sizeof(Known)) / 3 * 2;   /* while it grows, the old half is there too */
    m->limit = 1;
    while (2 * m->limit <= room) m->limit *= 2;
    m->groups = m->limit < 256 ? m->limit : 256;
    m->countdown = countdown;
    m->slots = memo_slots(m->groups, countdown);
    m->most = most;
    m->threads = 1;
    if (m->slots == NULL) { free(m); return NULL; }
    return m;
}

static void memo_free(Memo *m) {
    if (m != NULL) { free(m->slots); free(m); }
}

static inline void memo_enter(Memo *m, int thread) {
    if (m->threads == 1) return;
    for (;;) {
        __atomic_store_n(&m->gate[thread].inside, 1, __ATOMIC_SEQ_CST);
        if (!__atomic_load_n(&m->growing, __ATOMIC_SEQ_CST)) return;
        __atomic_store_n(&m->gate[thread].inside, 0, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&m->growing, __ATOMIC_ACQUIRE)) {}
    }
}

static inline void memo_leave(Memo *m, int thread) {
    if (m->threads > 1) __atomic_store_n(&m->gate[thread].inside, 0, __ATOMIC_RELEASE);
}

static inline uint64_t memo_group(const Memo *m, uint64_t key1, uint64_t key2) {
    return (key1 ^ (key2 >> 17)) & (m->groups - 1);
}

static inline void memo_lock(Memo *m, uint64_t group) {
    if (m->threads > 1)
        while (__atomic_exchange_n(&m->locks[group % MEMO_LOCKS].held, 1, __ATOMIC_ACQUIRE)) {}
}

static inline void memo_unlock(Memo *m, uint64_t group) {
    if (m->threads > 1) __atomic_store_n(&m->locks[group % MEMO_LOCKS].held, 0, __ATOMIC_RELEASE);
}

static inline Known *memo_find(Memo *m, uint64_t group, uint64_t key1, uint64_t key2) {
    Known *slot = m->slots + group * MEMO_GROUP;
    for (int i = 0; i < MEMO_GROUP && slot[i].used; i++)
        if (slot[i].key1 == key1 && slot[i].key2 == key2) return slot + i;
    return NULL;
}

/* Copy what is known of a key; 0 when nothing is. */
static inline int memo_read(Memo *m, int thread, uint64_t key1, uint64_t key2, Known *out) {
    memo_enter(m, thread);
    uint64_t group = memo_group(m, key1, key2);
    memo_lock(m, group);
    Known *found = memo_find(m, group, key1, key2);
    if (found != NULL) *out = *found;
    memo_unlock(m, group);
    memo_leave(m, thread);
    return found != NULL;
}

/* Double the table; nothing happens when there is no memory for it. The caller is outside. */
static void memo_grow(Memo *m, uint64_t from) {
    int closed = 0;
    if (m->threads > 1) {
        if (!__atomic_compare_exchange_n(&m->growing, &closed, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
        for (int t = 0; t < MEMO_THREADS; t++)
            while (__atomic_load_n(&m->gate[t].inside, __ATOMIC_SEQ_CST)) {}
    }
    if (m->groups == from) {
        Known *before = m->slots, *after = memo_slots(2 * from, m->countdown);
        if (after == NULL) {
            m->limit = from;
        } else {
            m->slots = after;
            m->groups = 2 * from;
            for (uint64_t i = 0; i < from * MEMO_GROUP; i++)
                if (before[i].used) {       /* a group splits into two, so there is room */
                    Known *slot = after + memo_group(m, before[i].key1, before[i].key2) * MEMO_GROUP;
                    while (slot->used) slot++;
                    *slot = before[i];
                }
            free(before);
        }
    }
    __atomic_store_n(&m->growing, 0, __ATOMIC_SEQ_CST);
}

/* Enter what was found of a key: bounds are tightened, a better guess replaces a worse one. When the group is full
 * and the table cannot grow, the entry that took the least effort is forgotten; its set would be searched again. */
static void memo_write(Memo *m, int thread, uint64_t key1, uint64_t key2, int64_t lower, int64_t upper, int32_t guess,
                       int bounded, int effort) {
    for (;;) {
        memo_enter(m, thread);
        uint64_t groups = m->groups, group = memo_group(m, key1, key2);
        memo_lock(m, group);
        Known *slot = memo_find(m, group, key1, key2);
        if (slot == NULL) {
            Known *first = m->slots + group * MEMO_GROUP, *cheapest = NULL;
            uint64_t used = __atomic_load_n(&m->used, __ATOMIC_RELAXED), all = groups * MEMO_GROUP;
            for (int i = 0; i < MEMO_GROUP && slot == NULL; i++) {
                if (!first[i].used) slot = first + i;
                else if (cheapest == NULL || first[i].effort < cheapest->effort) cheapest = first + i;
            }
            if (2 * groups <= m->limit && (2 * used >= all || (slot == NULL && 4 * used >= all))) {
                memo_unlock(m, group);
                memo_leave(m, thread);
                memo_grow(m, groups);
                continue;
            }
            if (slot == NULL) slot = cheapest;
            else __atomic_fetch_add(&m->used, 1, __ATOMIC_RELAXED);
            Known fresh = {key1, key2, lower, m->most, -1, 1, 0, 0};
            *slot = fresh;
        }
        if (lower > slot->lower) slot->lower = lower;
        if (upper < slot->upper) { slot->upper = upper; slot->guess = guess; }
        else if (slot->upper == m->most && guess >= 0) slot->guess = guess;
        slot->bounded |= bounded;
        if (effort > slot->effort) slot->effort = (uint8_t)effort;
        memo_unlock(m, group);
        memo_leave(m, thread);
        return;
    }
}

#endif
