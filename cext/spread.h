/* A number spread over 64 bits: SplitMix64 (Steele, Lea and Flood 2014). */
#ifndef GUESSTREE_SPREAD_H
#define GUESSTREE_SPREAD_H

#include <stdint.h>

static inline uint64_t spread(uint64_t x) {
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

#endif
