"""Sets that differ in names alone, for searches of tables: what is known of one is known of all."""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from guesstree.cext.core cimport Arena, Mark, arena_release, mixed, out_of_memory, take


cdef extern from "isomorph.h" nogil:
    ctypedef struct Structure:
        int n
        int guesses
        int width
        uint16_t *cells
        uint64_t *kinds
        uint64_t *secrets
    int isomorph_key(Arena *arena, const Structure *s, const uint64_t *z1, const uint64_t *z2, uint64_t *key1,
                     uint64_t *key2, uint64_t *hashes)
    uint64_t isomorph_select(uint64_t *hashes, int count, int rank)


cdef struct Alike:      # a set as all those alike know it
    uint64_t key1
    uint64_t key2
    int64_t scale           # the greatest common divisor of its weights: all that is known is in units of it
    int count
    const int32_t *guesses  # one of each partition, ascending
    uint64_t *hashes        # of each, the same for its image; NULL: not looked for


cdef inline int64_t common_divisor(int64_t a, int64_t b) noexcept nogil:
    """Return the greatest common divisor of two numbers that are not negative (Euclid)."""
    while b:
        a, b = b, a % b
    return a


cdef inline int write_cells(Arena *arena, const uint16_t *table, size_t secrets, const int32_t *members,
                            const int64_t *costs, int responses, int winning, const Alike *alike,
                            Structure *s) except -1 nogil:
    """Write the parts that guesses make of a set, numbered as they appear, and what each costs."""
    cdef Mark mark
    cdef const uint16_t *col
    cdef int32_t *number
    cdef uint64_t kind
    cdef int i, j, r, few
    s.guesses, s.width = alike.count, min(responses, s.n)
    s.cells = <uint16_t *>take(arena, <size_t>s.guesses * s.n * sizeof(uint16_t))
    s.kinds = <uint64_t *>take(arena, <size_t>s.guesses * s.width * sizeof(uint64_t))
    memset(s.kinds, 0, <size_t>s.guesses * s.width * sizeof(uint64_t))
    mark = arena.top
    number = <int32_t *>take(arena, responses * sizeof(int32_t))
    memset(number, 255, responses * sizeof(int32_t))
    for j in range(s.guesses):
        col, few = table + <size_t>alike.guesses[j] * secrets, 0
        for i in range(s.n):
            r = col[members[i]]
            if number[r] < 0:
                kind = <uint64_t>costs[<size_t>alike.guesses[j] * responses + r] * 2 + (r == winning)
                s.kinds[<size_t>j * s.width + few] = mixed(kind + <uint64_t>0x9E3779B97F4A7C15) | 1
                number[r] = few
                few += 1
            s.cells[<size_t>j * s.n + i] = <uint16_t>number[r]
        for i in range(s.n):
            number[col[members[i]]] = -1
    arena_release(arena, mark)
    return 0


cdef inline int write_key(Arena *arena, const uint16_t *table, size_t secrets, const int32_t *members, int n,
                          const int64_t *weights, const int64_t *kinds, const int64_t *costs, int responses,
                          int winning, const uint64_t *z1, const uint64_t *z2, Alike *alike) except -1 nogil:
    """Add the key of a set to what tells it apart besides; write a hash of each guess.

    `table`: responses by guess and secret. `kinds`: what images of secrets have in common beside their weights.
    """
    cdef Mark mark
    cdef Structure s
    cdef int i
    alike.scale = 0
    for i in range(n):
        alike.scale = common_divisor(weights[members[i]], alike.scale)
        if alike.scale == 1:
            break
    alike.hashes = <uint64_t *>take(arena, (alike.count + 1) * sizeof(uint64_t))
    mark, s.n = arena.top, n
    s.secrets = <uint64_t *>take(arena, n * sizeof(uint64_t))
    for i in range(n):
        s.secrets[i] = mixed(<uint64_t>kinds[members[i]] + mixed(<uint64_t>(weights[members[i]] // alike.scale)))
    write_cells(arena, table, secrets, members, costs, responses, winning, alike, &s)
    if not isomorph_key(arena, &s, z1, z2, &alike.key1, &alike.key2, alike.hashes):
        out_of_memory()
    arena_release(arena, mark)
    return 0


cdef inline int rank_of(const Alike *alike, int guess) noexcept nogil:
    """Return how many guesses come before one by their hashes, which name it in every set that is alike; or -1."""
    cdef int j, found = -1, rank = 0
    for j in range(alike.count):
        if alike.guesses[j] == guess:
            found = j
    if found < 0:
        return -1
    for j in range(alike.count):
        rank += alike.hashes[j] < alike.hashes[found]
    return rank


cdef inline int guess_at(Arena *arena, const Alike *alike, int rank) except -2 nogil:
    """Return the guess that so many come before, or -1."""
    cdef Mark mark = arena.top
    cdef uint64_t *hashes
    cdef uint64_t found
    cdef int j
    if rank < 0 or rank >= alike.count:
        return -1
    hashes = <uint64_t *>take(arena, alike.count * sizeof(uint64_t))
    memcpy(hashes, alike.hashes, alike.count * sizeof(uint64_t))
    found = isomorph_select(hashes, alike.count, rank)
    arena_release(arena, mark)
    for j in range(alike.count):
        if alike.hashes[j] == found:
            return alike.guesses[j]
    return -1
