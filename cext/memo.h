/* What is known of sets of candidates: a hash table that grows up to a limit and then forgets the cheapest.
 *
 * Slots come in groups of 16; a key lives in one group only, so nothing ever moves but when the table grows.
 * Any thread may read and write at any time. Who writes locks the group; who reads takes no lock, but a slot has its
 * second key only added to a digest of the rest (as Hyatt and Mann 2002 do by XOR), so what is read while it is
 * written is not taken for the key. A thread that makes the table grow waits until all others are outside; those that
 * come meanwhile move some of it. */
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
    int64_t lower, upper;
    int32_t guess;
    uint8_t bounded;
} Known;

typedef struct {                            /* all words are read and written whole, each by itself */
    uint64_t key1, sealed;                  /* sealed: the second key, and the digest of what follows */
    int64_t lower, upper;
    uint64_t rest;                          /* 0: the slot is free; see `memo_rest` */
} Slot;

typedef struct {                            /* what is written often has cache lines of its own */
    Slot *slots;
    uint64_t groups, limit;                 /* limit: groups at most */
    int64_t most;                           /* an upper bound that is none */
    int threads, growing;
    int64_t *countdown;                     /* see arena.h */
    Slot *wider;                            /* while it grows: twice as many */
    char padding1[128];
    uint64_t used;
    char padding2[128];
    int64_t untaken, unmoved;               /* pieces of the table that grows: that nobody moves, that are not moved */
    char padding3[128];
    struct { int inside; char padding[124]; } gate[MEMO_THREADS];
    struct { int held; char padding[60]; } locks[MEMO_LOCKS];
} Memo;

/* Slots that are not yet emptied. They are met at random, so large pages save much. */
static Slot *memo_slots(uint64_t groups, int64_t *countdown) {
    if (fails_on_purpose(countdown)) return NULL;
    size_t bytes = groups * MEMO_GROUP * sizeof(Slot), page = (size_t)2 << 20;
    if (bytes < page) return (Slot *)malloc(bytes);
    Slot *slots = (Slot *)aligned_alloc(page, (bytes + page - 1) / page * page);
    if (slots == NULL) return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    madvise(slots, bytes, MADV_HUGEPAGE);
#endif
    return slots;
}

static Memo *memo_new(uint64_t bytes, int64_t most, int64_t *countdown) {
    Memo *m = (Memo *)calloc(1, sizeof(Memo));
    if (m == NULL) return NULL;
    uint64_t room = bytes / (MEMO_GROUP * sizeof(Slot)) / 3 * 2;   /* while it grows, the old half is there too */
    m->limit = 1;
    while (2 * m->limit <= room) m->limit *= 2;
    m->groups = m->limit < 256 ? m->limit : 256;
    m->countdown = countdown;
    m->slots = memo_slots(m->groups, countdown);
    m->most = most;
    m->threads = 1;
    if (m->slots == NULL) { free(m); return NULL; }
    memset(m->slots, 0, m->groups * MEMO_GROUP * sizeof(Slot));
    return m;
}

static void memo_free(Memo *m) {
    if (m != NULL) { free(m->slots); free(m); }
}

#define MEMO_GET(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)
#define MEMO_SET(word, value) __atomic_store_n(&(word), (value), __ATOMIC_RELAXED)

/* A guess, whether bounds one ply ahead are known, about log2 of the evaluations that went into it, and a bit: used. */
static inline uint64_t memo_rest(int32_t guess, int bounded, int effort) {
    return (uint64_t)(uint32_t)guess << 32 | (uint64_t)(effort & 255) << 16 | (uint64_t)(bounded != 0) << 8 | 1;
}

static inline int32_t memo_guess(uint64_t rest) { return (int32_t)(rest >> 32); }
static inline int memo_bounded(uint64_t rest) { return rest >> 8 & 1; }
static inline int memo_effort(uint64_t rest) { return rest >> 16 & 255; }

static inline uint64_t memo_digest(int64_t lower, int64_t upper, uint64_t rest) {
    uint64_t z = (uint64_t)lower * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 29) ^ (uint64_t)upper) * 0xBF58476D1CE4E5B9ULL;
    return (z ^ (z >> 32) ^ rest) * 0x94D049BB133111EBULL;
}

static inline void memo_put(Slot *slot, uint64_t key1, uint64_t key2, int64_t lower, int64_t upper, uint64_t rest) {
    MEMO_SET(slot->key1, key1);
    MEMO_SET(slot->sealed, key2 + memo_digest(lower, upper, rest));
    MEMO_SET(slot->lower, lower);
    MEMO_SET(slot->upper, upper);
    MEMO_SET(slot->rest, rest);
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
            memset(m->wider + (first + half * from) * MEMO_GROUP, 0, many * MEMO_GROUP * sizeof(Slot));
        for (const Slot *old = m->slots + first * MEMO_GROUP, *end = old + many * MEMO_GROUP; old < end; old++)
            if (old->rest) {
                uint64_t key2 = old->sealed - memo_digest(old->lower, old->upper, old->rest);
                Slot *slot = m->wider + memo_group(2 * from, old->key1, key2) * MEMO_GROUP;
                while (slot->rest) slot++;
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

/* The slot of a key, or NULL; what it holds is written to `out`. */
static inline Slot *memo_find(Memo *m, uint64_t group, uint64_t key1, uint64_t key2, Known *out, uint64_t *rest) {
    Slot *slot = m->slots + group * MEMO_GROUP;
    for (int i = 0; i < MEMO_GROUP && (*rest = MEMO_GET(slot[i].rest)); i++) {
        if (MEMO_GET(slot[i].key1) != key1) continue;
        out->lower = MEMO_GET(slot[i].lower), out->upper = MEMO_GET(slot[i].upper);
        if (MEMO_GET(slot[i].sealed) - memo_digest(out->lower, out->upper, *rest) == key2) return slot + i;
    }
    return NULL;
}

/* Copy what is known of a key; 0 when nothing is. */
static inline int memo_read(Memo *m, int thread, uint64_t key1, uint64_t key2, Known *out) {
    uint64_t rest;
    memo_enter(m, thread);
    int found = memo_find(m, memo_group(m->groups, key1, key2), key1, key2, out, &rest) != NULL;
    memo_leave(m, thread);
    if (found) out->guess = memo_guess(rest), out->bounded = (uint8_t)memo_bounded(rest);
    return found;
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
        Known known;
        uint64_t rest;
        Slot *slot = memo_find(m, group, key1, key2, &known, &rest);
        if (slot == NULL) {
            Slot *first = m->slots + group * MEMO_GROUP, *cheapest = NULL;
            uint64_t used = __atomic_load_n(&m->used, __ATOMIC_RELAXED), all = groups * MEMO_GROUP;
            for (int i = 0; i < MEMO_GROUP && slot == NULL; i++) {
                if (!first[i].rest) slot = first + i;
                else if (cheapest == NULL || memo_effort(first[i].rest) < memo_effort(cheapest->rest))
                    cheapest = first + i;
            }
            if (2 * groups <= m->limit && (2 * used >= all || (slot == NULL && 4 * used >= all))) {
                memo_unlock(m, group);
                memo_leave(m, thread);
                memo_grow(m, groups);
                continue;
            }
            if (slot == NULL) slot = cheapest;
            else __atomic_fetch_add(&m->used, 1, __ATOMIC_RELAXED);
            known.lower = lower, known.upper = m->most;
            rest = memo_rest(-1, 0, 0);
        }
        int32_t best = memo_guess(rest);
        if (lower > known.lower) known.lower = lower;
        if (upper < known.upper) known.upper = upper, best = guess;
        else if (known.upper == m->most && guess >= 0) best = guess;
        if (effort < memo_effort(rest)) effort = memo_effort(rest);
        memo_put(slot, key1, key2, known.lower, known.upper, memo_rest(best, bounded || memo_bounded(rest), effort));
        memo_unlock(m, group);
        memo_leave(m, thread);
        return;
    }
}

#endif
