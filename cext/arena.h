/* Memory that is given back in the order opposite to that in which it was taken: no lock, no call of the system.
 *
 * What cannot be had is NULL; the arena stays as it was. */
#ifndef GUESSTREE_ARENA_H
#define GUESSTREE_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)           /* what was not taken is poison, and some lies between what was */
#include <sanitizer/asan_interface.h>
#define ARENA_MARGIN ((size_t)64)
#else
#define ARENA_MARGIN ((size_t)0)
#define ASAN_POISON_MEMORY_REGION(start, bytes) ((void)(start), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(start, bytes) ((void)(start), (void)(bytes))
#endif

#define ARENA_CHUNK ((size_t)1 << 20)
#define ARENA_KEPT (64 * ARENA_CHUNK)       /* larger chunks go back to the system */

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *after;
    size_t size;
    char padding[48];                       /* what follows is as well aligned as the chunk */
};

typedef struct { Chunk *chunk; size_t used; } Mark;
typedef struct {
    Chunk *first;
    Mark top;
    int64_t *countdown;                     /* so many requests until one fails on purpose; 0: none does */
} Arena;

/* 1: this request is to fail, so that a test sees what becomes of it. */
static inline int fails_on_purpose(int64_t *countdown) {
    return countdown != NULL && __atomic_load_n(countdown, __ATOMIC_RELAXED) > 0 &&
           __atomic_sub_fetch(countdown, 1, __ATOMIC_RELAXED) == 0;
}

static Chunk *arena_chunk(size_t bytes, Chunk *after) {
    size_t size = (bytes > ARENA_CHUNK ? bytes + 63 : ARENA_CHUNK) / 64 * 64;
    Chunk *made = (Chunk *)aligned_alloc(64, sizeof(Chunk) + size);
    if (made == NULL) return NULL;
    made->after = after;
    made->size = size;
    ASAN_POISON_MEMORY_REGION(made->padding, sizeof(made->padding) + size);
    return made;
}

/* 0: no memory; then nothing has to be freed. */
static int arena_new(Arena *a, int64_t *countdown) {
    a->countdown = countdown;
    a->first = fails_on_purpose(countdown) ? NULL : arena_chunk(0, NULL);
    a->top.chunk = a->first;
    a->top.used = 0;
    return a->first != NULL;
}

/* Room for so many bytes and 32 more, aligned to 64: vectors may read beyond the end. */
static void *arena_take(Arena *a, size_t wanted) {
    size_t bytes = (wanted + 95) / 64 * 64 + ARENA_MARGIN;
    if (fails_on_purpose(a->countdown)) return NULL;
    if (a->top.used + bytes > a->top.chunk->size) {
        Chunk *next = a->top.chunk->after;
        if (next == NULL || next->size < bytes) {
            next = arena_chunk(bytes, next);
            if (next == NULL) return NULL;
            a->top.chunk->after = next;
        }
        a->top.chunk = next;
        a->top.used = 0;
    }
    a->top.used += bytes;
    char *taken = (char *)(a->top.chunk + 1) + a->top.used - bytes;
    ASAN_UNPOISON_MEMORY_REGION(taken, wanted + 32);
    return taken;
}

/* Give back all that was taken since the mark. */
static void arena_release(Arena *a, Mark mark) {
#if defined(__SANITIZE_ADDRESS__)
    for (Mark from = mark;; from.chunk = from.chunk->after, from.used = 0) {
        size_t end = from.chunk == a->top.chunk ? a->top.used : from.chunk->size;
        ASAN_POISON_MEMORY_REGION((char *)(from.chunk + 1) + from.used, end - from.used);
        if (from.chunk == a->top.chunk) break;
    }
#endif
    a->top = mark;
    while (mark.chunk->after != NULL && mark.chunk->after->size > ARENA_KEPT) {
        Chunk *large = mark.chunk->after;
        mark.chunk->after = large->after;
        free(large);
    }
}

static void arena_free(Arena *a) {
    while (a->first != NULL) {
        Chunk *next = a->first->after;
        free(a->first);
        a->first = next;
    }
}

#endif
