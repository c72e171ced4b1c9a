# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Kernels of hosts who keep the largest part; `reference_hosts` is their plain twin and says what each returns."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy, memset


cdef enum:
    WIDE = 8  # secrets of a core at most
    SAMPLE = 256  # guesses at which a core looks, about
    BLOCK = 32  # sets of what is left that are gone through at once
    MOST_NEW = 256  # cores that one call finds at most

CORE = WIDE

ctypedef fused Response:
    uint8_t
    uint16_t


def kept(const Response[:, ::1] table, const int32_t[::1] candidates, const int32_t[::1] rank, int winning):
    """See `reference_hosts.kept`. Counts are set back by who was counted, or all at once, whichever is less."""
    cdef Py_ssize_t G = table.shape[0], n = candidates.shape[0], R = rank.shape[0], g, i
    cdef int32_t best, most, parts, r
    found = np.empty((3, G), dtype=np.int32)
    cdef int32_t[:, ::1] out = found
    cdef int32_t[::1] counts = np.zeros(R, dtype=np.int32)
    cdef int32_t[::1] met = np.empty(R, dtype=np.int32)
    cdef const Response *row
    with nogil:
        for g in range(G):
            row = &table[g, 0]
            parts = 0
            for i in range(n):
                r = row[candidates[i]]
                if counts[r] == 0:
                    met[parts] = r
                    parts += 1
                counts[r] += 1
            best, most = -1, 0
            for i in range(parts):
                r = met[i]
                if r != winning and (
                    counts[r] > most or (counts[r] == most and rank[r] < rank[best])
                ):
                    best, most = r, counts[r]
            if best < 0:
                best, most = winning, counts[winning]
            for i in range(parts):
                counts[met[i]] = 0
            out[0, g], out[1, g], out[2, g] = best, most, parts
    return found[0], found[1], found[2]


cdef inline bint apart(const Response *row, int32_t *left, Py_ssize_t many, uint32_t *seen,
                       uint32_t stamp) noexcept nogil:
    """Return whether some secrets get different responses; what was seen bears the stamp.

    The secret that was told from none moves forward, so that secrets which few guesses tell apart come first.
    """
    cdef Py_ssize_t i
    cdef int32_t secret
    for i in range(many):
        secret = left[i]
        if seen[row[secret]] == stamp:
            left[i] = left[i >> 1]
            left[i >> 1] = secret
            return False
        seen[row[secret]] = stamp
    return True


cdef inline bint may_follow(const uint64_t *has, const uint64_t *demanded, Py_ssize_t words) noexcept nogil:
    """Return whether a guess has all that is demanded."""
    cdef Py_ssize_t i
    for i in range(words):
        if has[i] & demanded[i] != demanded[i]:
            return False
    return True


cdef inline uint64_t mixed(uint64_t number) noexcept nogil:
    """Return 64 bits that follow from a number as if by chance: splitmix64 (Steele, Lea and Flood 2014)."""
    number = (number + 1) * <uint64_t>0x9E3779B97F4A7C15
    number = (number ^ (number >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    number = (number ^ (number >> 27)) * <uint64_t>0x94D049BB133111EB
    return number ^ (number >> 31)


cdef inline bint is_in(int32_t secret, const int32_t *left, Py_ssize_t many) noexcept nogil:
    """Return whether a secret is one of these."""
    cdef Py_ssize_t i
    for i in range(many):
        if left[i] == secret:
            return True
    return False


cdef inline bint holds(const int32_t *core, const uint8_t *member) noexcept nogil:
    """Return whether all secrets of a core are members; a core that is shorter than others ends with -1."""
    cdef int i
    for i in range(WIDE):
        if core[i] < 0:
            return True
        if not member[core[i]]:
            return False
    return True


cdef int find_core(const Response[:, ::1] table, const int32_t *left, Py_ssize_t many, int32_t *alive,
                   int32_t *score, int32_t *counts, int32_t *core) noexcept nogil:
    """Look for a few of some secrets that no guess tells apart; return how many, or 0: none was found.

    One after the other, the secret is taken that a sample of the guesses which tell those before it apart tell
    least from these. When no such guess is left, no guess tells all of those taken apart.
    """
    cdef Py_ssize_t living = table.shape[0], step, i, k, best, stay
    cdef const Response *row
    cdef int taken = 0, t
    for i in range(living):
        alive[i] = <int32_t>i
    for i in range(WIDE):
        core[i] = -1
    while taken < WIDE:
        step = living // SAMPLE + 1
        for k in range(many):
            score[k] = 0
        i = 0
        while i < living:
            row = &table[alive[i], 0]
            i += step
            for t in range(taken):
                counts[row[core[t]]] = 1
            if not taken:
                for k in range(many):
                    counts[row[left[k]]] += 1
            for k in range(many):
                score[k] += counts[row[left[k]]]
            for t in range(taken):
                counts[row[core[t]]] = 0
            if not taken:
                for k in range(many):
                    counts[row[left[k]]] = 0
        for t in range(taken):
            for k in range(many):
                if left[k] == core[t]:
                    score[k] = -1
        best = 0
        for k in range(many):
            if score[k] > score[best]:
                best = k
        if score[best] < 0:
            return 0
        stay = 0
        for i in range(living):
            row = &table[alive[i], 0]
            for t in range(taken):
                if row[core[t]] == row[left[best]]:
                    break
            else:
                alive[stay] = alive[i]
                stay += 1
        living = stay
        core[taken] = left[best]
        taken += 1
        if living == 0:
            return taken
    return 0


def endings(const Response[:, ::1] table, const int32_t[::1] candidates, const int32_t[::1] asked,
            const int32_t[::1] answers, const int32_t[::1] others, const int32_t[::1] parts,
            const uint64_t[:, ::1] demanded, const uint64_t[:, ::1] features, const int32_t[::1] own,
            const int32_t[:, ::1] cores):
    """See `reference_hosts.endings`.

    What several first guesses leave is looked at once. What is left is compared with cores first: a guess that
    tells all of a set apart tells all of a subset apart, so of what holds a core none tells all apart. The
    others are gone through in blocks, smallest first, and cores are looked for where no guess was found.
    Within a block the second guesses are the outer loop, so that the responses of one stay near at hand. A
    guess that makes p parts of all candidates makes at most p of some of them, and to tell m apart it must
    make m: so each looks at what is left of at most p, no further.
    """
    cdef Py_ssize_t A = asked.shape[0], B = others.shape[0], n = candidates.shape[0], N = table.shape[1]
    cdef Py_ssize_t words = demanded.shape[1], i, j, k, g, at, b, block, pairs = 0, room = 0, groups = 0
    cdef Py_ssize_t old = cores.shape[0], known = 0, new = 0
    cdef bint only = own.shape[0] > 0
    cdef uint32_t stamp = 0
    cdef int32_t *found = NULL
    cdef int32_t *more = NULL
    cdef const Response *row
    cdef int32_t guess
    cdef int t
    cdef int64_t[::1] size, number, begin
    cdef uint64_t[::1] hashed
    nothing = np.empty((0, 2), dtype=np.int32), np.empty((0, WIDE), dtype=np.int32)
    if A == 0 or B == 0:
        return nothing
    sizes, hashes = np.zeros(A, dtype=np.int64), np.zeros(A, dtype=np.uint64)
    size, hashed = sizes, hashes
    with nogil:
        for i in range(A):
            row = &table[asked[i], 0]
            for k in range(n):
                if row[candidates[k]] == answers[i]:
                    size[i] += 1
                    hashed[i] += mixed(candidates[k])
    number = order = np.lexsort((hashes, sizes))
    size, hashed = sizes[order], hashes[order]
    begins = np.zeros(A + 1, dtype=np.int64)
    np.cumsum(sizes[order], out=begins[1:])
    begin = begins
    cdef int32_t[::1] left = np.empty(max(int(begins[A]), 1), dtype=np.int32)
    cdef int64_t[::1] group = np.empty(A + 1, dtype=np.int64)
    cdef uint8_t[::1] ended = np.zeros(A + 1, dtype=np.uint8)
    cdef int64_t[::1] some = np.empty(BLOCK, dtype=np.int64)
    cdef uint8_t[::1] member = np.zeros(N, dtype=np.uint8)
    learnt = np.empty((old + MOST_NEW, WIDE), dtype=np.int32)
    cdef int32_t[:, ::1] mine = learnt
    fresh = np.empty((MOST_NEW, WIDE), dtype=np.int32)
    cdef int32_t[:, ::1] made = fresh
    cdef int32_t[::1] alive = np.empty(table.shape[0], dtype=np.int32)
    cdef int32_t[::1] score = np.empty(n, dtype=np.int32)
    cdef uint32_t[::1] seen = np.zeros(1 << 8 * sizeof(Response), dtype=np.uint32)
    cdef int32_t[::1] counts = np.zeros(1 << 8 * sizeof(Response), dtype=np.int32)
    try:
        with nogil:
            for k in range(n):
                member[candidates[k]] = 1
            for i in range(old):
                if holds(&cores[i, 0], &member[0]):
                    memcpy(&mine[known, 0], &cores[i, 0], WIDE * sizeof(int32_t))
                    known += 1
            memset(&member[0], 0, N)
            for i in range(A):
                row, at = &table[asked[number[i]], 0], begin[i]
                for k in range(n):
                    if row[candidates[k]] == answers[number[i]]:
                        left[at] = candidates[k]
                        at += 1
                if groups and size[i] == size[i - 1] and hashed[i] == hashed[i - 1] and not memcmp(
                        &left[begin[i]], &left[begin[group[groups - 1]]], size[i] * sizeof(int32_t)):
                    continue
                group[groups] = i
                groups += 1
            group[groups] = A
            g = 0
            while g < groups:
                block = 0
                while g < groups and block < BLOCK:
                    i = group[g]
                    for k in range(begin[i], begin[i] + size[i]):
                        member[left[k]] = 1
                    for k in range(known):
                        if holds(&mine[k, 0], &member[0]):
                            for t in range(WIDE):  # it moves forward: it may be met soon again
                                mine[k, t], mine[k >> 1, t] = mine[k >> 1, t], mine[k, t]
                            break
                    else:
                        some[block] = g
                        block += 1
                    for k in range(begin[i], begin[i] + size[i]):
                        member[left[k]] = 0
                    g += 1
                for j in range(B if block else 0):
                    guess = others[j]
                    row = &table[guess, 0]
                    for b in range(block):
                        i = group[some[b]]
                        if size[i] > parts[j]:
                            break
                        stamp += 1
                        if stamp == 0:  # all stamps were used: what bears one of old is forgotten
                            memset(&seen[0], 0, seen.shape[0] * sizeof(uint32_t))
                            stamp = 1
                        if not apart(row, &left[begin[i]], size[i], &seen[0], stamp):
                            continue
                        ended[some[b]] = True
                        if only and not is_in(own[guess], &left[begin[i]], size[i]):
                            continue
                        for at in range(i, group[some[b] + 1]):
                            if words and not may_follow(&features[guess, 0], &demanded[number[at], 0], words):
                                continue
                            if pairs == room:
                                room = 2 * room + 1024
                                more = <int32_t *>realloc(found, 2 * room * sizeof(int32_t))
                                if more == NULL:
                                    with gil:
                                        raise MemoryError
                                found = more
                            found[2 * pairs] = <int32_t>number[at]
                            found[2 * pairs + 1] = <int32_t>j
                            pairs += 1
                for b in range(block):
                    i = group[some[b]]
                    if ended[some[b]] or new == MOST_NEW:
                        continue
                    for k in range(begin[i], begin[i] + size[i]):
                        member[left[k]] = 1
                    for k in range(known - 1, -1, -1):
                        if holds(&mine[k, 0], &member[0]):
                            break
                    else:
                        if find_core(table, &left[begin[i]], size[i], &alive[0], &score[0], &counts[0],
                                     &made[new, 0]):
                            memcpy(&mine[known, 0], &made[new, 0], WIDE * sizeof(int32_t))
                            known += 1
                            new += 1
                    for k in range(begin[i], begin[i] + size[i]):
                        member[left[k]] = 0
        if pairs == 0:
            return nothing[0], fresh[:new]
        every = np.array(<int32_t[:2 * pairs]>found).reshape(-1, 2)
        return every[np.lexsort((every[:, 0], every[:, 1]))], fresh[:new]
    finally:
        free(found)
