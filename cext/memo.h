/* What is known of sets of candidates: a hash table that grows up to a limit and then forgets the cheapest.
 *
 * Slots come in groups of 16; a key lives in one group only, so nothing ever moves but when the table grows.
 * Any thread may read and write at any time: a group is locked while it is touched, and a thread that makes
 * the table grow waits until all others are outside; those that come meanwhile move some of it. With one thread no
 * lock is taken. */
#ifndef GUESSTREE_MEMO_H
#define GUESSTREE_MEMO_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#include "waiting.h"
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define MEMO_GROUP 16
#define MEMO_LOCKS 1024
#define MEMO_THREADS 64
#define MEMO_PIECE 256      /* groups that are moved at once */

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
    Known *wider;                           /* while it grows: twice as many */
    char padding1[128];
    uint64_t used;
    char padding2[128];
    int64_t untaken, unmoved;               /* pieces of the table that grows: that nobody moves, that are not moved */
    char padding3[128];
    struct { int inside; char padding[124]; } gate[MEMO_THREADS];
    struct { int held; char padding[60]; } locks[MEMO_LOCKS];
} Memo;

/* Slots that are not yet emptied. They are met at random, so large pages save much. */
static Known *memo_slots(uint64_t groups, int64_t *countdown) {
    if (fails_on_purpose(countdown)) return NULL;
    size_t bytes = groups * MEMO_GROUP * sizeof(Known), page = (size_t)2 << 20;
    if (bytes < page) return (Known *)malloc(bytes);
    Known *slots = (Known *)aligned_alloc(page, (bytes + page - 1) / page * page);
    if (slots == NULL) return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    madvise(slots, bytes, MADV_HUGEPAGE);
#endif
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
    memset(m->slots, 0, m->groups * MEMO_GROUP * sizeof(Known));
    return m;
}

static void memo_free(Memo *m) {
    if (m != NULL) { free(m->slots); free(m); }
}

static inline uint64_t memo_group(uint64_t groups, uint64_t key1, uint64_t key2) {
    return (key1 ^ (key2 >> 17)) & (groups - 1);
}

/* Move pieces of the table that grows into the wider one until all are taken. A group splits into two, which no
 * other group moves to. A thread that is late for one growth may take a piece of the next: what it reads of it was
 * written before the pieces were offered. */
static void memo_move(Memo *m) {
    while (__atomic_load_n(&m->untaken, __ATOMIC_RELAXED) > 0) {
        int64_t piece = __atomic_sub_fetch(&m->untaken, 1, __ATOMIC_ACQUIRE);
        if (piece < 0) return;
        uint64_t from = m->groups, first = (uint64_t)piece * MEMO_PIECE;
        uint64_t many = from - first < MEMO_PIECE ? from - first : MEMO_PIECE;
        for (int half = 0; half < 2; half++)    /* written before they are read, or they would be fetched */
            memset(m->wider + (first + half * from) * MEMO_GROUP, 0, many * MEMO_GROUP * sizeof(Known));
        for (const Known *old = m->slots + first * MEMO_GROUP, *end = old + many * MEMO_GROUP; old < end; old++)
            if (old->used) {
                Known *slot = m->wider + memo_group(2 * from, old->key1, old->key2) * MEMO_GROUP;
                while (slot->used) slot++;
                *slot = *old;
            }
        __atomic_sub_fetch(&m->unmoved, 1, __ATOMIC_RELEASE);
    }
}

static inline void memo_enter(Memo *m, int thread) {
    if (m->threads == 1) return;
    for (;;) {
        __atomic_store_n(&m->gate[thread].inside, 1, __ATOMIC_SEQ_CST);
        if (!__atomic_load_n(&m->growing, __ATOMIC_SEQ_CST)) return;
        __atomic_store_n(&m->gate[thread].inside, 0, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&m->growing, __ATOMIC_ACQUIRE)) memo_move(m);
    }
}

static inline void memo_leave(Memo *m, int thread) {
    if (m->threads > 1) __atomic_store_n(&m->gate[thread].inside, 0, __ATOMIC_RELEASE);
}

static inline void memo_lock(Memo *m, uint64_t group) {
    if (m->threads > 1) lock(&m->locks[group % MEMO_LOCKS].held);
}

static inline void memo_unlock(Memo *m, uint64_t group) {
    if (m->threads > 1) unlock(&m->locks[group % MEMO_LOCKS].held);
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
    uint64_t group = memo_group(m->groups, key1, key2);
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
        m->wider = memo_slots(2 * from, m->countdown);
        if (m->wider == NULL) {
            m->limit = from;
        } else {
            m->unmoved = (int64_t)((from + MEMO_PIECE - 1) / MEMO_PIECE);
            __atomic_store_n(&m->untaken, m->unmoved, __ATOMIC_RELEASE);
            memo_move(m);
            while (__atomic_load_n(&m->unmoved, __ATOMIC_ACQUIRE)) {}
            free(m->slots);
            m->slots = m->wider;
            m->groups = 2 * from;
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
        uint64_t groups = m->groups, group = memo_group(groups, key1, key2);
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
