# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Exact values where each guess has at most one response that costs; `reference_misses` has the proof.

The sets that free responses leave are the nodes of a lattice. Each has a table: for so many misses left, and each
set of guesses that missed, what is lost. Sets of guesses are numbered by size, then in colexicographic order: that
with the places a < b < ... among r guesses is number C(a, 1) + C(b, 2) + ... of its size.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np

cdef extern from *:
    int popcount "__builtin_popcountll"(uint64_t) noexcept nogil

cdef enum:
    MOST = 64               # guesses that a set may have, at most
    EMPTY = 128             # for a rank or a count: of a kid no secret is left


cdef struct Lattice:        # one set of it
    int r                   # guesses that tell its secrets apart
    int n
    int kids
    int32_t *members
    int32_t *guesses        # in the order of `order`
    int32_t *kid            # the sets of two or more that free responses leave, in the order of the guesses
    int32_t *start          # those of each guess
    uint32_t *values


cdef struct Scratch:        # what the table of one set takes while it is filled
    Lattice *at
    int m                   # misses left
    uint8_t *ranks          # of each guess among those of each kid, from 1; 0: all miss there, or no guess; or EMPTY
    uint8_t *count          # missed guesses that matter in each kid, by ply but the last; EMPTY where one empties it
    int32_t *place          # their number, by ply
    uint32_t **base         # the table of each kid, for so many misses left
    int64_t **sizes         # where in it the sets of each size begin
    uint32_t *weight        # what is left of the set, by missed guesses
    uint8_t *open           # whether that is two secrets or more
    int words               # of 64 members
    uint64_t *alive         # a bit for each secret left, by ply
    uint64_t *paid          # for each on which a guess has the response that costs
    int planes
    uint64_t *plane         # for each whose weight has a certain bit
    int path[MOST + 1]      # the guesses that missed, ascending


cdef inline uint64_t weigh(const Scratch *s, const uint64_t *alive, const uint64_t *some) noexcept nogil:
    """Return the weight of the secrets left, or of some of them."""
    cdef uint64_t weight = 0
    cdef int i, g
    for g in range(s.planes):
        for i in range(s.words):
            weight += <uint64_t>popcount(
                alive[i] & s.plane[g * s.words + i] & (~<uint64_t>0 if some == NULL else some[i])
            ) << g
    return weight


cdef class Misses:
    """See `reference_misses.Misses`."""

    cdef const uint16_t[:, ::1] table
    cdef const int32_t[::1] paid
    cdef const int64_t[::1] weights
    cdef const int64_t[::1] loss
    cdef int64_t price
    cdef int misses, G, many, planes, fits
    cdef int stopped
    cdef int64_t memory
    cdef readonly int64_t states
    cdef dict index
    cdef Lattice *sets
    cdef int32_t binomial[MOST + 2][MOST + 2]   # [j][a + 1]: C(a, j); [j][0]: 0
    cdef int64_t sizes[MOST + 1][MOST + 3]      # [r][k]: sets of fewer than k out of r
    cdef int64_t starts[MOST + 1][MOST + 3]     # [r][m]: where the table for m misses left begins
    cdef object kept

    def __init__(self, table, paid, weights, loss, int64_t price, int64_t memory):
        self.table, self.paid = np.ascontiguousarray(table, dtype=np.uint16), paid
        self.weights, self.loss, self.price = weights, loss, price
        self.G, self.misses, self.memory = table.shape[0], loss.shape[0] - 1, memory
        self.planes = int(weights.max()).bit_length()
        self.fits = self.misses <= MOST and int(weights.sum()) * int(loss.max()) < 1 << 32

    def __dealloc__(self):
        cdef int i
        if self.sets != NULL:
            for i in range(self.many):
                free(self.sets[i].values)
            free(self.sets)

    def stop(self):
        """See `reference_misses.Misses.stop`."""
        self.stopped = 1

    cdef void count(self):
        """Write binomial coefficients up to what memory holds, and the sizes of tables."""
        cdef int a, j, k, r, m
        cdef int64_t most = (1 << 31) - 1
        for a in range(MOST + 1):
            for j in range(MOST + 2):
                if j == 0:
                    self.binomial[j][a + 1] = 1
                elif a == 0:
                    self.binomial[j][a + 1] = 0
                else:
                    self.binomial[j][a + 1] = <int32_t>min(
                        <int64_t>self.binomial[j - 1][a] + self.binomial[j][a], most
                    )
        for j in range(MOST + 2):
            self.binomial[j][0] = 0
        for r in range(MOST + 1):
            self.sizes[r][0] = self.starts[r][0] = 0
            for k in range(MOST + 2):
                self.sizes[r][k + 1] = self.sizes[r][k] + self.binomial[k][r + 1]
            for m in range(self.misses + 1):
                self.starts[r][m + 1] = self.starts[r][m] + self.sizes[r][self.misses - m + 1]

    cdef list order(self):
        """Return the guesses, those first that most weight answers free of cost.

        All sets have their guesses in this order: so guesses that missed, ascending in one, ascend in its kids.
        """
        table, weights = np.asarray(self.table), np.asarray(self.weights)
        told = [-int(weights[table[g] != self.paid[g]].sum()) for g in range(self.G)]
        return sorted(range(self.G), key=told.__getitem__)

    cdef int list_sets(self) except -1:
        """List the sets that free responses leave; return 0 where their tables take too much."""
        cdef int64_t taken = 0
        cdef const int32_t[::1] members
        cdef int i, g, n, few
        root = np.arange(self.table.shape[1], dtype=np.int32)
        order = self.order()
        self.index, waiting, self.kept = {root.tobytes(): 0}, [root], []
        for some in waiting:
            with nogil:     # the thread that asks may call `stop`
                pass
            if self.stopped:
                return 0
            members, n, told = some, len(some), []
            for g in order:
                few, buckets = 0, {}
                for i in range(1, n):
                    if self.table[g, members[i]] != self.table[g, members[0]]:
                        few = 1
                        break
                if not few:
                    continue
                for i in range(n):
                    r = self.table[g, members[i]]
                    if r != self.paid[g]:
                        buckets.setdefault(r, []).append(members[i])
                parts = [np.array(part, dtype=np.int32) for part in buckets.values() if len(part) > 1]
                told.append((g, parts))
            kid, start = [], [0]
            for _, parts in told:
                for part in parts:
                    key = part.tobytes()
                    if key not in self.index:
                        self.index[key] = len(waiting)
                        waiting.append(part)
                    kid.append(self.index[key])
                start.append(len(kid))
            if len(told) > MOST or self.starts[len(told)][self.misses + 1] >= 1 << 31:
                return 0
            guesses = np.array([g for g, _ in told], dtype=np.int32)
            taken += 4 * self.starts[len(told)][self.misses + 1] + 64 * (n + len(kid)) + 1000
            if taken > self.memory:
                return 0
            self.kept.append((some, guesses, np.array(kid, dtype=np.int32), np.array(start, dtype=np.int32)))
        self.many = len(waiting)
        self.sets = <Lattice *>calloc(self.many, sizeof(Lattice))
        if self.sets == NULL:
            raise MemoryError
        for i in range(self.many):
            members, guesses, kid, start = self.kept[i]
            self.take_in(&self.sets[i], members, guesses, kid, start)
        return 1

    cdef int take_in(self, Lattice *at, const int32_t[::1] members, const int32_t[::1] guesses,
                     const int32_t[::1] kid, const int32_t[::1] start) except -1:
        at.n, at.r, at.kids = members.shape[0], guesses.shape[0], kid.shape[0]
        at.members, at.start = <int32_t *>&members[0], <int32_t *>&start[0]
        at.guesses = <int32_t *>&guesses[0] if at.r else NULL
        at.kid = <int32_t *>&kid[0] if at.kids else NULL
        return 0

    # ---- tables -------------------------------------------------------------------------------------------------

    def run(self):
        """See `reference_misses.Misses.run`."""
        cdef Lattice *root
        cdef int i
        if not self.fits:
            return -1
        self.count()
        if not self.list_sets():
            return -1
        order = np.argsort([len(each[0]) for each in self.kept], kind="stable")
        for i in order.tolist():
            self.fill(&self.sets[i])
            if self.stopped:
                return -1
        root = &self.sets[0]
        return int(root.values[self.starts[root.r][self.misses]])

    cdef int fill(self, Lattice *at) except -1:
        """Fill the table of a set, whose kids have theirs: with no miss left, then with one, and so on."""
        cdef Scratch s
        cdef int i, g, c, failed = 1
        cdef int64_t most = self.sizes[at.r][self.misses + 1], kids = at.kids + 1
        cdef Lattice *kid
        cdef uint64_t bit
        memset(&s, 0, sizeof(Scratch))
        s.at = at
        s.ranks = <uint8_t *>calloc(kids * (at.r + 1), 1)
        s.count = <uint8_t *>calloc(kids * (self.misses + 1), 1)
        s.place = <int32_t *>calloc(kids * (self.misses + 1), sizeof(int32_t))
        s.base = <uint32_t **>calloc(kids, sizeof(uint32_t *))
        s.sizes = <int64_t **>calloc(kids, sizeof(int64_t *))
        s.weight = <uint32_t *>calloc(most, sizeof(uint32_t))
        s.open = <uint8_t *>calloc(most, 1)
        s.words = (at.n + 63) // 64
        s.alive = <uint64_t *>calloc(<int64_t>s.words * (self.misses + 1), sizeof(uint64_t))
        s.paid = <uint64_t *>calloc(<int64_t>s.words * (at.r + 1), sizeof(uint64_t))
        s.planes = self.planes
        s.plane = <uint64_t *>calloc(<int64_t>s.words * s.planes, sizeof(uint64_t))
        at.values = <uint32_t *>calloc(self.starts[at.r][self.misses + 1], sizeof(uint32_t))
        if (s.ranks != NULL and s.count != NULL and s.place != NULL and s.base != NULL and s.sizes != NULL
                and s.weight != NULL and s.open != NULL and s.alive != NULL and s.paid != NULL and s.plane != NULL
                and at.values != NULL):
            failed = 0
            for i in range(at.n):
                bit = <uint64_t>1 << (i & 63)
                s.alive[i >> 6] |= bit
                for g in range(at.r):
                    if self.table[at.guesses[g], at.members[i]] == self.paid[at.guesses[g]]:
                        s.paid[g * s.words + (i >> 6)] |= bit
                for g in range(s.planes):
                    if self.weights[at.members[i]] >> g & 1:
                        s.plane[g * s.words + (i >> 6)] |= bit
            for c in range(at.kids):
                kid = &self.sets[at.kid[c]]
                s.sizes[c] = self.sizes[kid.r]
                for g in range(at.r):
                    if self.table[at.guesses[g], kid.members[0]] != self.paid[at.guesses[g]]:
                        s.ranks[g * at.kids + c] = EMPTY    # where it tells nothing
                    for i in range(kid.r):
                        if kid.guesses[i] == at.guesses[g]:
                            s.ranks[g * at.kids + c] = i + 1
            with nogil:
                for i in range(self.misses + 1):
                    s.m = i
                    for c in range(at.kids):
                        kid = &self.sets[at.kid[c]]
                        s.base[c] = kid.values + self.starts[kid.r][i]
                    self.visit(&s, 0, 0)
        free(s.ranks)
        free(s.count)
        free(s.place)
        free(s.base)
        free(s.sizes)
        free(s.weight)
        free(s.open)
        free(s.alive)
        free(s.paid)
        free(s.plane)
        if failed:
            raise MemoryError
        return 0

    cdef void visit(self, Scratch *s, int k, int32_t number) noexcept nogil:
        """Value what k misses on the path leave of a set, then all that more misses leave, in order.

        `number`: of these guesses among those of their size.
        """
        cdef Lattice *at = s.at
        cdef uint64_t *alive = s.alive + <int64_t>k * s.words
        cdef uint64_t *below = alive + s.words
        cdef const uint64_t *paid
        cdef uint8_t *ranks
        cdef uint8_t *count = s.count + <int64_t>k * at.kids
        cdef int32_t *place = s.place + <int64_t>k * at.kids
        cdef int64_t here = self.sizes[at.r][k] + number
        cdef int a, c, i, few
        if self.stopped:
            return
        if s.m == 0:
            few = 0
            for i in range(s.words):
                few += popcount(alive[i])
            s.weight[here] = weigh(s, alive, NULL)
            s.open[here] = few > 1
            if few == 0:
                return
        elif not s.open[here]:
            return
        if s.open[here]:
            self.value(s, k, here)
        if k == self.misses - s.m:
            return
        if k and s.open[here]:
            ranks = s.ranks + <int64_t>s.path[k - 1] * at.kids
            for c in range(at.kids):
                if (ranks[c] | count[c - at.kids]) & EMPTY:
                    count[c] = EMPTY
                    continue
                place[c] = place[c - at.kids] + self.binomial[count[c - at.kids] + 1][ranks[c]]
                count[c] = count[c - at.kids] + (ranks[c] > 0)
        for a in range(s.path[k - 1] + 1 if k else 0, at.r):
            if s.m == 0:
                paid = s.paid + <int64_t>a * s.words
                for i in range(s.words):
                    below[i] = alive[i] & paid[i]
            s.path[k] = a
            self.visit(s, k + 1, number + self.binomial[k + 1][a + 1])

    cdef void value(self, Scratch *s, int k, int64_t here) noexcept nogil:
        """Write the least that is lost after the guesses of the path missed."""
        cdef Lattice *at = s.at
        # The numbers in the kids before the last of the path, which is added where a kid is looked up.
        cdef const uint8_t *ranks = s.ranks + <int64_t>(s.path[k - 1] if k else at.r) * at.kids
        cdef const uint8_t *count = s.count + <int64_t>max(k - 1, 0) * at.kids
        cdef const int32_t *place = s.place + <int64_t>max(k - 1, 0) * at.kids
        cdef const uint64_t *alive = s.alive + <int64_t>k * s.words
        cdef const uint32_t *less = NULL
        cdef uint64_t best = s.weight[here] * <uint64_t>self.loss[s.m], total
        cdef int64_t number = 0, there
        cdef int c, i, j = 0, h
        self.states += 1
        if s.m:
            less = at.values + self.starts[at.r][s.m - 1]
        for i in range(k):      # number of the path with one more before all
            number += self.binomial[i + 2][s.path[i] + 1]
        for h in range(at.r):
            if j < k and h == s.path[j]:
                number += self.binomial[j + 1][h + 1] - self.binomial[j + 2][h + 1]
                j += 1
                continue
            if s.m == 0:
                total = weigh(s, alive, s.paid + <int64_t>h * s.words) * <uint64_t>self.loss[0]
            else:
                there = self.sizes[at.r][k + 1] + number + self.binomial[j + 1][h + 1]
                total = less[there] + <uint64_t>self.price * s.weight[there]
            c = at.start[h]
            while total < best and c < at.start[h + 1]:
                if not (ranks[c] | count[c]) & EMPTY:
                    there = place[c] + self.binomial[count[c] + 1][ranks[c]]
                    total += s.base[c][s.sizes[c][count[c] + (ranks[c] > 0)] + there]
                c += 1
            if total < best:
                best = total
        at.values[self.starts[at.r][s.m] + here] = <uint32_t>best

    # ---- strategies ---------------------------------------------------------------------------------------------

    cdef int64_t look_up(self, Lattice *at, int m, const uint8_t *missed) noexcept nogil:
        """Return the value of a set with so many misses left after guesses that are marked missed."""
        cdef int64_t number = 0
        cdef int k = 0, g, i, left
        for g in range(self.G):
            if not missed[g]:
                continue
            left = 0
            for i in range(at.n):
                left += self.table[g, at.members[i]] == self.paid[g]
            if not left:
                return 0
        for g in range(at.r):
            if missed[at.guesses[g]]:
                k += 1
                number += self.binomial[k][g + 1]
        return at.values[self.starts[at.r][m] + self.sizes[at.r][k] + number]

    def choice(self, const int32_t[::1] candidates, int depth, history, left):
        """See `reference_misses.Misses.choice`."""
        cdef uint8_t[::1] missed = np.zeros(self.G + 1, dtype=np.uint8)
        cdef Lattice *at
        cdef int g, h, c, i, tells, guess, few = self.misses, best = -1
        cdef int64_t least = 0, total, weight
        cdef uint16_t response
        table = np.asarray(self.table)
        kept = np.ones(table.shape[1], dtype=bool)
        for g in history:
            if self.table[g, candidates[0]] == self.paid[g]:
                missed[g] = 1
                few -= 1
            else:
                kept &= table[g] == self.table[g, candidates[0]]
        at = &self.sets[self.index[np.flatnonzero(kept).astype(np.int32).tobytes()]]
        for i in range(candidates.shape[0]):
            least += self.weights[candidates[i]] * self.loss[few]
        for h in range(at.r):
            guess, weight, tells = at.guesses[h], 0, 0
            if missed[guess]:
                continue
            for i in range(candidates.shape[0]):
                response = self.table[guess, candidates[i]]
                tells |= response != self.table[guess, candidates[0]]
                if response == self.paid[guess]:
                    weight += self.weights[candidates[i]]
            if not tells:
                continue
            if few:
                missed[guess] = 1
                total = self.price * weight + self.look_up(at, few - 1, &missed[0])
                missed[guess] = 0
            else:
                total = weight * self.loss[0]
            for c in range(at.start[h], at.start[h + 1]):
                total += self.look_up(&self.sets[at.kid[c]], few, &missed[0])
            if total < least:
                least, best = total, guess
        return best
