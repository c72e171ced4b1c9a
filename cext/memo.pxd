"""What the compiled searches share: the table of what is known, counters, and the random words of its keys."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t


cdef extern from "memo.h" nogil:
    ctypedef struct Known:
        int64_t lower
        int64_t upper
        int32_t guess
        uint8_t bounded
    ctypedef struct Memo:
        uint64_t used
        int threads
    Memo *memo_new(uint64_t size, int64_t most)
    void memo_free(Memo *memo)
    int memo_read(Memo *memo, int thread, uint64_t key1, uint64_t key2, Known *out)
    void memo_write(Memo *memo, int thread, uint64_t key1, uint64_t key2, int64_t lower, int64_t upper,
                    int32_t guess, int bounded, int effort)

cdef extern from *:
    """
    #define counter_add(place, more) __atomic_fetch_add((place), (more), __ATOMIC_RELAXED)
    #define counter_get(place) __atomic_load_n((place), __ATOMIC_RELAXED)
    """
    int64_t counter_add(int64_t *place, int64_t more) nogil
    int64_t counter_get(int64_t *place) nogil

cdef enum:      # places in the array of counters; what STOP holds when the budget is spent
    C_STATES = 0
    C_EVALUATIONS = 1
    C_STOP = 2
    C_LOWER = 3
    C_UPPER = 4
    C_FIRST = 5
    C_ENTRIES = 6
    C_BUDGET = 7
    C_SPENT = 2


cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint64_t splitmix(uint64_t *seed) noexcept nogil:
    """Return the next random word (Steele, Lea and Flood 2014)."""
    seed[0] += <uint64_t>0x9E3779B97F4A7C15
    return mixed(seed[0])


cdef inline int bits(int64_t n) noexcept nogil:
    """Return how many bits a number has."""
    cdef int count = 0
    while n > 0:
        n >>= 1
        count += 1
    return count
