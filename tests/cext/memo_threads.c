/* Threads write keys of their own into one memory, from its smallest size on, and read what they wrote before. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "memo.h"

#define THREADS 8
#define KEYS 20000
#define MOST ((int64_t)1 << 30)

static Memo *memo;

static uint64_t mixed(uint64_t z) {         /* splitmix64 (Steele, Lea, Flood 2014) */
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Whether a key is there: where a group is full before the table grows, one is forgotten. -1: with a wrong bound. */
static int is_there(uint64_t thread, uint64_t number) {
    uint64_t key = mixed(number * THREADS + thread);
    Known known;
    if (!memo_read(memo, (int)thread, key, mixed(key), &known)) return 0;
    return known.lower == (int64_t)number ? 1 : -1;
}

/* Raise the bounds of two keys that all threads raise; what is read of them always belongs together. */
static uint64_t torn(int thread, uint64_t i) {
    uint64_t key = mixed(i % 2 + ((uint64_t)THREADS << 32));
    Known known;
    if (i % 16 < 2) memo_write(memo, thread, key, mixed(key), (int64_t)i, MOST - 1 - (int64_t)i, (int32_t)i, 0, 0);
    if (!memo_read(memo, thread, key, mixed(key), &known)) return 0;
    return known.lower + known.upper != MOST - 1 || known.guess != known.lower;
}

static void *write_and_read(void *given) {
    uint64_t thread = (uint64_t)(uintptr_t)given, wrong = 0;
    for (uint64_t i = 0; i < KEYS; i++) {
        uint64_t key = mixed(i * THREADS + thread);
        memo_write(memo, (int)thread, key, mixed(key), (int64_t)i, MOST, 1, 0, 0);
        wrong += is_there(thread, mixed(i) % (i + 1)) < 0;
        wrong += torn((int)thread, i);
    }
    return (void *)(uintptr_t)wrong;
}

int main(void) {
    pthread_t threads[THREADS];
    uintptr_t wrong = 0;
    long there = 0;
    memo = memo_new((uint64_t)1 << 28, MOST, NULL);
    if (memo == NULL) return 2;
    memo->threads = THREADS;
    for (uintptr_t t = 0; t < THREADS; t++)
        if (pthread_create(&threads[t], NULL, write_and_read, (void *)t)) return 2;
    for (int t = 0; t < THREADS; t++) {
        void *some;
        pthread_join(threads[t], &some);
        wrong += (uintptr_t)some;
    }
    for (uint64_t t = 0; t < THREADS; t++)
        for (uint64_t i = 0; i < KEYS; i++) {
            int found = is_there(t, i);
            there += found > 0;
            wrong += found < 0;
        }
    printf("%lu wrong, %ld there, %ld counted, %lu groups\n", (unsigned long)wrong, there, (long)memo->used,
           (unsigned long)memo->groups);
    memo_free(memo);
    return 0;
}
