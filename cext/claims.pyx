# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What a checker of proofs counts for all guesses at once; `reference_claims` is the plain twin."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

from guesstree.cext.core cimport (
    Arena, Mark, arena_free, arena_new, arena_release, countdown_place, out_of_memory, take
)


cdef extern from "parts.h" nogil:
    int parts_avx2_available()
    void parts_of_columns(const uint8_t **rows, int n, int width, int responses, const uint8_t *reach, int enough,
                          int simd, uint8_t *out)


INFINITE = 1 << 50

cdef int64_t INF = <int64_t>1 << 50


cdef class Counter:
    """See `reference_claims.Counter`."""

    cdef object by_guess_array, by_secret_array, inside_array, parts_array
    cdef const uint8_t[:, ::1] by_guess, by_secret
    cdef const int32_t[::1] own
    cdef uint8_t[::1] inside
    cdef int G, S, R, width, winning, simd
    cdef Arena arena

    def __cinit__(self, *args, **kwargs):
        if not arena_new(&self.arena, countdown_place()):
            out_of_memory()

    def __init__(self, table, const int32_t[::1] own, int responses, int winning):
        self.G, self.S = table.shape
        self.R, self.winning, self.own = responses, winning, own
        self.width = (self.G + 31) // 32 * 32
        self.by_guess = self.by_guess_array = np.ascontiguousarray(table, dtype=np.uint8)
        turned = np.zeros((self.S, self.width), dtype=np.uint8)
        turned[:, : self.G] = table.T
        self.by_secret = self.by_secret_array = turned
        self.inside = self.inside_array = np.zeros(self.S, dtype=np.uint8)
        self.simd = parts_avx2_available()

    def __dealloc__(self):
        arena_free(&self.arena)

    def parts(self, const int32_t[::1] candidates):
        """See `reference_claims.Counter.parts`."""
        cdef int i, n = candidates.shape[0]
        cdef uint8_t[::1] out
        cdef const uint8_t **rows
        cdef Mark mark = self.arena.top
        found = np.empty(self.width, dtype=np.uint8)
        out = found
        rows = <const uint8_t **>take(&self.arena, n * sizeof(void *))
        with nogil:
            for i in range(n):
                rows[i] = &self.by_secret[candidates[i], 0]
            parts_of_columns(rows, n, self.width, self.R, NULL, 0, self.simd, &out[0])
            arena_release(&self.arena, mark)
        return found[: self.G]

    def least(self, const int32_t[::1] candidates, const uint8_t[::1] parts, const int64_t[::1] of_size,
              const int64_t[:, ::1] even, int64_t floor):
        """See `reference_claims.Counter.least`."""
        cdef int64_t best = INF, total
        cdef int g, k, most = 0, first = 0, i
        with nogil:
            self.mark(candidates, 1)
            for g in range(self.G):
                if parts[g] > most:
                    most, first = parts[g], g
            for i in range(-1, self.G):
                g = first if i < 0 else i
                k = parts[g]
                if k == 1 or even[self.wins(g), k] >= best:
                    continue
                total = self.by_sizes(candidates, g, of_size)
                if total < best:
                    best = total
                    if best <= floor:
                        break
            self.mark(candidates, 0)
        return best

    def weak(self, const int32_t[::1] candidates, const uint8_t[::1] parts, const int64_t[::1] of_size,
             const int64_t[:, ::1] even, int64_t bound):
        """See `reference_claims.Counter.weak`."""
        cdef int g, k, few = 0, n = candidates.shape[0]
        cdef int32_t[::1] out
        found = np.empty(self.G, dtype=np.int32)
        out = found
        with nogil:
            self.mark(candidates, 1)
            for g in range(self.G):
                k = parts[g]
                if (k == 1 and n > 1) or even[self.wins(g), k] >= bound:
                    continue
                if self.by_sizes(candidates, g, of_size) < bound:
                    out[few] = g
                    few += 1
            self.mark(candidates, 0)
        return found[:few].copy()

    cdef void mark(self, const int32_t[::1] candidates, uint8_t sign) noexcept nogil:
        cdef int i
        for i in range(candidates.shape[0]):
            self.inside[candidates[i]] = sign

    cdef int wins(self, int guess) noexcept nogil:
        return self.winning >= 0 and self.own[guess] >= 0 and self.inside[self.own[guess]]

    cdef int64_t by_sizes(self, const int32_t[::1] candidates, int guess, const int64_t[::1] of_size) noexcept nogil:
        """Return the number of candidates and what every part that does not win costs at least."""
        cdef int32_t count[256]
        cdef int i, r, n = candidates.shape[0]
        cdef int64_t total = n
        cdef const uint8_t *row = &self.by_guess[guess, 0]
        memset(count, 0, self.R * sizeof(int32_t))
        for i in range(n):
            count[row[candidates[i]]] += 1
        for r in range(self.R):
            if count[r] and r != self.winning:
                total += of_size[count[r]]
        return min(total, INF)
