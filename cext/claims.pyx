# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What a checker of proofs finds by itself about sets of secrets; `reference_claims` is the plain twin."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from guesstree.cext.core cimport (
    Arena, Known, Mark, Memo, arena_free, arena_new, arena_release, countdown_place, memo_free, memo_new, memo_read,
    memo_write, out_of_memory, take
)
from guesstree.cext.view cimport lay_rows


cdef extern from "parts.h" nogil:
    int PARTS_MOST
    int parts_avx2_available()
    void parts_of_columns(const uint8_t **rows, int n, int width, int responses, const uint8_t *reach, int enough,
                          int simd, uint8_t *out)


INFINITE = 1 << 50

cdef int64_t INF = <int64_t>1 << 50


cdef struct Counts:         # see `reference_claims.Counts`
    const int64_t *least
    int parts
    int64_t settled         # with one guess less
    int64_t later           # with two less
    int depth               # guesses left after one
    int64_t enough          # INF where less says nothing: a look ahead may end below it; else 0


cdef struct Proved:         # the bound of a set with so many guesses left, by a hash of both
    uint64_t key1
    uint64_t key2
    int64_t bound           # 0: the place is free


cdef struct Part:
    int start
    int size
    int64_t bound


cdef struct Split:          # the parts that a guess leaves, but the winning one, largest first
    Part *part
    int count
    int32_t *members        # of all parts, one after the other


cdef inline int64_t counted(const Counts *c, int64_t settled, int64_t n) noexcept nogil:
    return INF if n > settled else c.least[n]


cpdef int64_t leaves(int parts, int64_t nodes, int64_t n) noexcept nogil:
    """See `reference_claims.leaves`."""
    cdef int64_t depth = 0
    if n == nodes:
        return 0
    if parts < 2:
        return INF
    while n > nodes * parts:
        nodes, depth = nodes * parts, depth + 1
    return nodes * depth + (n - nodes + parts - 2) // (parts - 1) + (n - nodes) * (depth + 1)


cdef class Counter:
    """See `reference_claims.Counter`."""

    cdef object kept
    cdef const uint8_t[:, ::1] by_guess
    cdef const int32_t[::1] own
    cdef const uint64_t[:, ::1] words
    cdef uint8_t *by_secret     # (S, width)
    cdef uint8_t *reach
    cdef uint8_t *inside
    cdef uint8_t *shown
    cdef int G, S, R, width, winning, simd, only, win
    cdef Proved *proved         # nothing is ever forgotten, unlike in a memo
    cdef uint64_t places, taken
    cdef Memo *looked
    cdef Arena arena

    def __cinit__(self, *args, **kwargs):
        self.proved, self.looked = NULL, NULL
        if not arena_new(&self.arena, countdown_place()):
            out_of_memory()

    def __init__(self, table, const int32_t[::1] own, int responses, int winning, bint only=False,
                 int64_t memory=1 << 28):
        self.G, self.S = table.shape
        self.R, self.winning, self.own, self.only = responses, winning, own, only
        self.win = winning >= 0
        self.width = (self.G + 31) // 32 * 32
        self.by_guess = np.ascontiguousarray(table, dtype=np.uint8)
        self.words = np.random.default_rng(1).integers(0, 1 << 64, (self.S, 2), dtype=np.uint64)
        self.forget()
        self.looked = memo_new(memory, INF, countdown_place())
        if self.looked == NULL:
            out_of_memory()
        self.by_secret = <uint8_t *>take(&self.arena, <size_t>self.S * self.width)
        self.inside = <uint8_t *>take(&self.arena, self.S)
        memset(self.inside, 0, self.S)
        self.shown = <uint8_t *>take(&self.arena, self.width)
        self.reach = <uint8_t *>take(&self.arena, self.width // 32) if responses > PARTS_MOST else NULL
        lay_rows(&self.arena, &self.by_guess[0, 0], self.S, self.G, self.S, self.by_secret, self.width, self.reach)
        self.simd = parts_avx2_available()

    def __dealloc__(self):
        free(self.proved)
        if self.looked != NULL:
            memo_free(self.looked)
        arena_free(&self.arena)

    def parts(self, const int32_t[::1] candidates):
        """See `reference_claims.Counter.parts`."""
        found = np.empty(self.width, dtype=np.uint8)
        cdef uint8_t[::1] out = found
        cdef int n = candidates.shape[0], g
        with nogil:
            self.count(&candidates[0], n, &out[0])
            if self.only:
                self.mark(&candidates[0], n, 1)
                for g in range(self.G):
                    if not self.may_ask(g):
                        out[g] = 0
                self.mark(&candidates[0], n, 0)
        return found[: self.G]

    def weak(self, const int32_t[::1] candidates, const uint8_t[::1] parts, const int64_t[::1] least, int most,
             int64_t settled, int64_t bound):
        """See `reference_claims.Counter.weak`."""
        cdef int g, k, few = 0, n = candidates.shape[0]
        cdef Counts counts = Counts(&least[0], most, settled, 0, 0, 0)
        cdef int64_t even[2][256]
        cdef int32_t[::1] out
        found = np.empty(self.G, dtype=np.int32)
        out = found
        with nogil:
            self.evenly(&counts, settled, n, most, even)
            self.mark(&candidates[0], n, 1)
            for g in range(self.G):
                k = parts[g]
                if not k or (k == 1 and n > 1) or even[self.wins(g)][k] >= bound:
                    continue
                if self.by_sizes(&candidates[0], n, g, &counts, settled, bound) < bound:
                    out[few] = g
                    few += 1
            self.mark(&candidates[0], n, 0)
        return found[:few].copy()

    def failing(self, const int32_t[::1] candidates, const int32_t[::1] guesses, const int64_t[::1] least, int most,
                int64_t settled, int64_t later, int depth, int64_t bound):
        """See `reference_claims.Counter.failing`."""
        cdef Counts counts = Counts(&least[0], most, settled, later, depth, bound if bound >= INF else 0)
        cdef int i, few = 0, n = candidates.shape[0], many = guesses.shape[0]
        cdef int32_t[::1] out
        cdef int64_t[::1] totals
        cdef Split split
        cdef Mark mark
        found, shown = np.empty(many, dtype=np.int32), np.empty(many, dtype=np.int64)
        out, totals = found, shown
        with nogil:
            for i in range(many):
                mark = self.arena.top
                totals[few] = self.ask(&candidates[0], n, guesses[i], &counts, bound, &split)
                arena_release(&self.arena, mark)
                if totals[few] < bound:
                    out[few] = guesses[i]
                    few += 1
        return found[:few].copy(), shown[:few].copy()

    def bounds(self, const int32_t[::1] candidates, int guess, const int64_t[::1] least, int most, int64_t settled,
               int64_t later, int depth, int64_t bound):
        """See `reference_claims.Counter.bounds`."""
        cdef Counts counts = Counts(&least[0], most, settled, later, depth, bound if bound >= INF else 0)
        cdef Mark mark = self.arena.top
        cdef Split split
        cdef int p, i
        cdef int64_t total = self.ask(&candidates[0], candidates.shape[0], guess, &counts, bound, &split)
        found = []
        for p in range(split.count):
            members = np.empty(split.part[p].size, dtype=np.int32)
            for i in range(split.part[p].size):
                members[i] = split.members[split.part[p].start + i]
            found.append((members, split.part[p].bound))
        arena_release(&self.arena, mark)
        return total, found

    def whole(self, const int32_t[::1] guesses, const int32_t[:, ::1] members, const int32_t[::1] sizes):
        """See `reference_claims.Counter.whole`."""
        cdef int i, j, k, r
        cdef const uint8_t *row
        cdef int32_t[::1] out
        found = np.full(guesses.shape[0], -1, dtype=np.int32)
        out = found
        with nogil:
            for i in range(guesses.shape[0]):
                row = &self.by_guess[guesses[i], 0]
                for j in range(sizes.shape[0]):
                    r, k = row[members[j, 0]], 1
                    while k < sizes[j] and row[members[j, k]] == r:
                        k += 1
                    if k == sizes[j] and r != self.winning:
                        out[i] = j
                        break
        return found

    def remember(self, const int32_t[::1] candidates, int depth, int64_t bound):
        """See `reference_claims.Counter.remember`."""
        cdef int n = candidates.shape[0]
        cdef uint64_t key1, key2, i, before = self.places
        cdef Proved *wider
        cdef Proved *old = self.proved
        if 2 * self.taken >= self.places:
            wider = <Proved *>calloc(2 * self.places, sizeof(Proved))
            if wider == NULL:
                raise MemoryError
            self.proved, self.places = wider, 2 * self.places
            for i in range(before):
                if old[i].bound:
                    self.place(old[i].key1, old[i].key2)[0] = old[i]
            free(old)
        self.key(&candidates[0], n, self.needed(n, depth), 0, &key1, &key2)
        wider = self.place(key1, key2)
        self.taken += 0 if wider.bound else 1
        wider[0] = Proved(key1, key2, max(bound, wider.bound))

    def forget(self):
        """See `reference_claims.Counter.forget`."""
        free(self.proved)
        self.places, self.taken = 1 << 10, 0
        self.proved = <Proved *>calloc(self.places, sizeof(Proved))
        if self.proved == NULL:
            raise MemoryError

    cdef inline Proved *place(self, uint64_t key1, uint64_t key2) noexcept nogil:
        """Return where a bound is kept, or would be."""
        cdef uint64_t at = key1 & (self.places - 1)
        while self.proved[at].bound and (self.proved[at].key1 != key1 or self.proved[at].key2 != key2):
            at = (at + 1) & (self.places - 1)
        return &self.proved[at]

    cdef inline int needed(self, int n, int depth) noexcept nogil:
        """Return the guesses that can matter to n secrets (L6)."""
        return min(depth, n if self.win else n - 1)

    cdef void key(self, const int32_t *candidates, int n, int depth, int parts, uint64_t *key1,
                  uint64_t *key2) noexcept nogil:
        cdef int i
        key1[0] = <uint64_t>0x9e3779b97f4a7c15 * <uint64_t>(depth + 1)
        key2[0] = <uint64_t>0xc2b2ae3d27d4eb4f * <uint64_t>(parts + 1)
        for i in range(n):
            key1[0] += self.words[candidates[i], 0]
            key2[0] += self.words[candidates[i], 1]

    cdef void mark(self, const int32_t *candidates, int n, uint8_t sign) noexcept nogil:
        cdef int i
        for i in range(n):
            self.inside[candidates[i]] = sign

    cdef inline int may_ask(self, int guess) noexcept nogil:
        return not self.only or (self.own[guess] >= 0 and self.inside[self.own[guess]])

    cdef inline int wins(self, int guess) noexcept nogil:
        return self.win and self.own[guess] >= 0 and self.inside[self.own[guess]]

    cdef int count(self, const int32_t *candidates, int n, uint8_t *out) except -1 nogil:
        """Write how many parts each guess makes."""
        cdef Mark mark = self.arena.top
        cdef const uint8_t **rows = <const uint8_t **>take(&self.arena, n * sizeof(void *))
        cdef int i
        for i in range(n):
            rows[i] = self.by_secret + <size_t>candidates[i] * self.width
        parts_of_columns(rows, n, self.width, self.R, self.reach, 0, self.simd, out)
        arena_release(&self.arena, mark)
        return 0

    cdef int64_t by_sizes(self, const int32_t *candidates, int n, int guess, const Counts *counts, int64_t settled,
                          int64_t bound) noexcept nogil:
        """Return n and what counting says of every part that does not win, as far as `bound`."""
        cdef int32_t count[256]
        cdef int i, r
        cdef int64_t total = n
        cdef const uint8_t *row = &self.by_guess[guess, 0]
        for i in range(n):
            count[row[candidates[i]]] = 0
        for i in range(n):
            count[row[candidates[i]]] += 1
        if self.win:
            count[self.winning] = 0
        for i in range(n):
            r = row[candidates[i]]
            if count[r]:
                total += counted(counts, settled, count[r])
                count[r] = 0
                if total >= bound:
                    break
        return min(total, INF)

    cdef void evenly(self, const Counts *counts, int64_t settled, int n, int most, int64_t (*even)[256]) noexcept nogil:
        """Write at least the total after a guess of k parts, k = 1, ..., most; row 1: one of them is won (L4)."""
        cdef int k, w, size, more
        for w in range(2):
            for k in range(1, most + 1):
                even[w][k] = INF
                if not self.win:
                    if n <= k * settled:
                        even[w][k] = min(INF, n + leaves(counts.parts, k, n))
                    continue
                if k == w:
                    even[w][k] = n if n == 1 else INF
                    continue
                size, more = (n - w) // (k - w), (n - w) % (k - w)
                if size + (more > 0) <= settled and counts.least[size + (more > 0)] < INF:
                    even[w][k] = n + (k - w - more) * counts.least[size]
                    if more:
                        even[w][k] += more * counts.least[size + 1]

    cdef int64_t ask(self, const int32_t *candidates, int n, int guess, const Counts *counts, int64_t bound,
                     Split *split) except -1 nogil:
        """Split the candidates, with the best bound of each part until their sum reaches `bound`; return the sum."""
        cdef int32_t start[257]
        cdef int32_t place[256]
        cdef int i, r
        cdef uint64_t key1, key2
        cdef int64_t total = n, ahead
        cdef Part part
        cdef const uint8_t *row = &self.by_guess[guess, 0]
        memset(start, 0, (self.R + 1) * sizeof(int32_t))
        for i in range(n):
            start[row[candidates[i]] + 1] += 1
        split.part, split.count = <Part *>take(&self.arena, min(n, self.R) * sizeof(Part)), 0
        split.members = <int32_t *>take(&self.arena, n * sizeof(int32_t))
        for r in range(self.R):
            part.size = start[r + 1]
            start[r + 1] += start[r]
            part.start = place[r] = start[r]
            if not part.size or r == self.winning:
                continue
            i = split.count
            while i > 0 and split.part[i - 1].size < part.size:
                split.part[i] = split.part[i - 1]
                i -= 1
            split.part[i] = part
            split.count += 1
        for i in range(n):
            r = row[candidates[i]]
            split.members[place[r]] = candidates[i]
            place[r] += 1
        for i in range(split.count):
            part = split.part[i]
            self.key(split.members + part.start, part.size, self.needed(part.size, counts.depth), 0, &key1, &key2)
            split.part[i].bound = max(counted(counts, counts.settled, part.size), self.place(key1, key2).bound)
            total += split.part[i].bound
        for i in range(split.count):
            if total >= bound:
                break
            part = split.part[i]
            if part.size >= 2 + self.win:
                ahead = self.look(split.members + part.start, part.size, counts)
                if ahead > part.bound:
                    total += ahead - part.bound
                    split.part[i].bound = ahead
        return min(total, INF)

    cdef int64_t look(self, const int32_t *candidates, int n, const Counts *counts) except -1 nogil:
        """Return at least what a part costs, one step ahead (L5), by the counting of the set around it."""
        cdef int64_t even[2][256]
        cdef int64_t floor = counted(counts, counts.settled, n), best = INF, total
        cdef int g, i, k, most = 0, first = 0, depth = self.needed(n, counts.depth)
        cdef uint64_t key1, key2
        cdef Known found
        if floor >= INF or depth < 1:
            return INF
        self.key(candidates, n, depth, counts.parts + (256 if counts.enough else 0), &key1, &key2)
        if memo_read(self.looked, 0, key1, key2, &found):
            return found.lower
        self.count(candidates, n, self.shown)
        self.mark(candidates, n, 1)
        for g in range(self.G):
            if not self.may_ask(g):
                self.shown[g] = 1
            elif self.shown[g] > most:
                most, first = self.shown[g], g
        self.evenly(counts, counts.later, n, most, even)
        for i in range(-1, self.G):
            g = first if i < 0 else i
            k = self.shown[g]
            if k == 1 or even[self.wins(g)][k] >= best:
                continue
            total = self.by_sizes(candidates, n, g, counts, counts.later, best)
            if total < best:
                best = total
                if best < counts.enough:
                    best = floor
                if best <= floor:
                    break
        self.mark(candidates, n, 0)
        memo_write(self.looked, 0, key1, key2, best, INF, -1, 1, n // 64)
        return best
