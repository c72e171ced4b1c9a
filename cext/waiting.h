/* How threads wait for each other: what is waited for takes microseconds, and a thread that sleeps wakes late. */
#ifndef GUESSTREE_WAITING_H
#define GUESSTREE_WAITING_H

#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#define WAITS_AWAKE 32      /* so often a thread looks again before it sleeps: some 50 microseconds */
#define WAIT_STEPS 32

static inline void stand_by(void) {     /* lets the processor's other thread run, and saves power */
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

/* Take a lock. Those that wait only read it, or each of their tries would take the cache line from its holder. */
static inline void lock(int *place) {
    while (__atomic_exchange_n(place, 1, __ATOMIC_ACQUIRE))
        while (__atomic_load_n(place, __ATOMIC_RELAXED)) stand_by();
}

static inline void unlock(int *place) { __atomic_store_n(place, 0, __ATOMIC_RELEASE); }

/* Wait a moment: `tries` counts the waits since there was something to do. */
static inline void wait_a_moment(int *tries) {
    if (*tries < WAITS_AWAKE) {
        (*tries)++;
        for (int i = 0; i < WAIT_STEPS; i++) stand_by();
    } else {
        usleep(20);
    }
}

/* Let the thread that calls wake when it asked to, not some 50 microseconds later, as Linux has it otherwise. */
static inline void wake_in_time(void) {
#if defined(__linux__)
    prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
#endif
}

#endif
