# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The rest of a kit, where no symmetry is left; `reference_kits` says what is searched, and how."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy, memset

from guesstree.cext.core cimport (
    Arena, Mark, arena_free, arena_new, arena_release, countdown_place, out_of_memory, take
)

cdef extern from *:
    int popcount "__builtin_popcountll"(uint64_t) noexcept nogil
    int lowest "__builtin_ctzll"(uint64_t) noexcept nogil

POLL = 2048
NEW_PAIRS = 16
COMPARED = 4
FIRST_OPEN = 64

cdef enum:
    SHIFT = 16              # see reference_kits.Kits._ordered
    MOST_NEW = 16
    MOST_COMPARED = 4
    MOST_OPEN = 64
    FIRST_PAIRS = 1024      # room for pairs; twice as much when it is full


cdef struct Tried:          # a question with what orders it
    int64_t key
    int32_t question


cdef int by_key(const void *a, const void *b) noexcept nogil:
    cdef const Tried *x = <const Tried *>a
    cdef const Tried *y = <const Tried *>b
    if x.key != y.key:
        return -1 if x.key < y.key else 1
    return x.question - y.question


cdef class Kits:
    """See `reference_kits.Kits`."""

    cdef const uint16_t[:, ::1] columns
    cdef const int64_t[::1] kinds
    cdef const int64_t[::1] costs
    cdef object stopped, lists
    cdef Arena arena
    cdef int made, S, Q, words      # of 64 questions
    cdef int answers, poll
    cdef int pairs, room, pair_words
    cdef int tokens, token_words
    cdef uint64_t[:, ::1] rows      # questions that tell each pair apart
    cdef uint64_t[:, ::1] covers    # pairs that each question tells apart
    cdef uint64_t[:, ::1] collects  # tokens that it collects
    cdef const int32_t[::1] token_pairs
    cdef int32_t[::1] place         # of a label and an answer: the new label, valid if `stamp` is there
    cdef int32_t[::1] stamps
    cdef int32_t stamp
    cdef const int32_t[::1] labels
    cdef int32_t[:, ::1] split      # labels, the first secret of each, and which of `alike` it is
    cdef uint64_t[:, ::1] open      # by depth
    cdef uint64_t[:, ::1] allowed
    cdef int32_t[::1] kit
    cdef int64_t least
    cdef readonly int64_t nodes, over
    cdef int64_t left
    cdef readonly int ended
    cdef readonly list added

    def __init__(self, columns, kinds, costs, stopped):
        if not arena_new(&self.arena, countdown_place()):
            out_of_memory()
        self.made = 1
        self.columns, self.kinds, self.costs, self.stopped = columns, kinds, costs, stopped
        self.S, self.Q = columns.shape[0], columns.shape[1]
        self.words = (self.Q + 63) // 64
        self.answers = int(columns.max(initial=0)) + 1
        self.pairs, self.room, self.tokens, self.token_words = 0, 0, 0, 0
        self.open = np.zeros((0, 0), dtype=np.uint64)
        self.make_room(FIRST_PAIRS)
        self.place = np.zeros(self.S * self.answers, dtype=np.int32)
        self.stamps = np.zeros(self.S * self.answers, dtype=np.int32)
        self.split = np.zeros((3, self.S), dtype=np.int32)
        self.stamp = 0
        self.nodes, self.over, self.ended, self.added = 0, -1, 0, []
        self.poll = POLL

    def __dealloc__(self):
        if self.made:
            arena_free(&self.arena)

    cdef int make_room(self, int room) except -1:
        """Have room for so many pairs."""
        rows, covers = np.zeros((room, self.words), dtype=np.uint64), np.zeros((self.Q, room // 64), dtype=np.uint64)
        opened = np.zeros((np.asarray(self.open).shape[0], room // 64), dtype=np.uint64)
        if self.room:
            rows[:self.room] = self.rows
            covers[:, :self.pair_words] = self.covers
            opened[:, :self.pair_words] = self.open
        self.rows, self.covers, self.open = rows, covers, opened
        self.room, self.pair_words = room, room // 64
        return 0

    def add(self, int a, int b):
        """See `reference_kits.Kits.add`."""
        if not 0 <= a < self.S or not 0 <= b < self.S:
            raise ValueError(f"secrets {a} and {b}; expected numbers below {self.S}")
        self.add_pair(a, b)

    cdef int add_pair(self, int a, int b) except -1:
        cdef int q
        if self.pairs == self.room:
            self.make_room(2 * self.room)
        for q in range(self.Q):
            if self.columns[a, q] != self.columns[b, q]:
                self.rows[self.pairs, q >> 6] |= <uint64_t>1 << (q & 63)
                self.covers[q, self.pairs >> 6] |= <uint64_t>1 << (self.pairs & 63)
        self.pairs += 1
        return 0

    def price(self, const int32_t[::1] pairs):
        """See `reference_kits.Kits.price`."""
        cdef int t, q, pair
        cdef int many = pairs.shape[0], words = (many + 63) // 64
        collects = np.zeros((self.Q, max(words, 1)), dtype=np.uint64)
        cdef uint64_t[:, ::1] filled = collects
        for t in range(many):
            pair = pairs[t]
            if not 0 <= pair < self.pairs:
                raise ValueError(f"pair {pair}; expected a number below {self.pairs}")
            for q in range(self.Q):
                if self.rows[pair, q >> 6] >> (q & 63) & 1:
                    filled[q, t >> 6] |= <uint64_t>1 << (t & 63)
        self.tokens, self.token_words, self.token_pairs, self.collects = many, words, pairs, collects

    def rest(self, bytes opened, bytes allowed, const int32_t[::1] labels, int64_t budget, int64_t most):
        """See `reference_kits.Kits.rest`."""
        cdef int q, depth
        cdef int64_t deepest
        cdef int found = 0
        self.added, self.over, self.ended, self.left = [], -1, 0, most
        if labels.shape[0] != self.S:
            raise ValueError(f"{labels.shape[0]} labels; expected {self.S}")
        self.labels = labels
        self.least = 0
        may = np.frombuffer(allowed.ljust(8 * self.words, b"\0"), dtype=np.uint64)
        for q in range(self.Q):
            if may[q >> 6] >> np.uint64(q & 63) & np.uint64(1):
                if self.costs[q] < 1:
                    raise ValueError(f"question {q} costs {self.costs[q]}; expected at least 1")
                if self.least == 0 or self.costs[q] < self.least:
                    self.least = self.costs[q]
        if self.least == 0:
            return None
        deepest = min(max(budget, 0) // self.least, self.Q) + 3
        self.open = np.zeros((deepest, self.pair_words), dtype=np.uint64)
        self.allowed = np.zeros((deepest, self.words), dtype=np.uint64)
        self.kit = np.zeros(deepest, dtype=np.int32)
        start = np.frombuffer(opened.ljust(8 * self.pair_words, b"\0"), dtype=np.uint64)
        np.asarray(self.open)[0] = start[:self.pair_words]
        np.asarray(self.allowed)[0] = may[:self.words]
        with nogil:
            found = self.visit(0, budget)
        if found:
            return [self.kit[depth] for depth in range(found - 1)]
        return None

    cdef int heed(self) except -1 nogil:
        with gil:
            if self.stopped():
                self.ended = 1
        return 0

    cdef inline int is_open(self, int depth) noexcept nogil:
        cdef int i
        for i in range(self.pair_words):
            if self.open[depth, i]:
                return 1
        return 0

    cdef inline void exceeds(self, int64_t over) noexcept nogil:
        if self.over < 0 or over < self.over:
            self.over = over

    cdef inline int cut(self, int64_t tokens, int64_t gain, int64_t cost, int64_t budget) noexcept nogil:
        cdef int64_t rest
        if not tokens:
            return 0
        if not gain:
            return 1
        rest = (tokens * cost + gain - 1) // gain
        if rest > budget:
            self.exceeds(rest - budget)
        return rest > budget

    cdef int visit(self, int depth, int64_t budget) except -1 nogil:
        """Return 1 more than the length of the kit that was found, or 0."""
        cdef int found = 0
        cdef int64_t gain = 0, cost = 1, tokens
        cdef uint64_t *still
        cdef Mark mark
        if self.count_node():
            return 0
        if not self.is_open(depth) and not self.untold(depth):
            return depth + 1
        if budget < 2 * self.least:
            return self.last(depth, budget, -1)
        mark = self.arena.top
        still = <uint64_t *>take(&self.arena, (self.token_words + 1) * sizeof(uint64_t))
        tokens = self.open_tokens(depth, still)
        self.most_for_its_cost(depth, still, &gain, &cost)
        if not self.cut(tokens, gain, cost, budget):
            if budget < 3 * self.least:
                found = self.two(depth, budget)
            else:
                found = self.branch(depth, budget, still, gain, cost)
        arena_release(&self.arena, mark)
        return found

    cdef int branch(self, int depth, int64_t budget, const uint64_t *still, int64_t gain,
                    int64_t cost) except -1 nogil:
        """Try the questions that tell the hardest pair apart."""
        cdef int i, k, many = 0, found
        cdef int pair = self.hardest(depth, self.pairs, &many)
        cdef int32_t q
        cdef int64_t tokens, after
        cdef Tried *tried = <Tried *>take(&self.arena, (many + 1) * sizeof(Tried))
        many = self.order(depth, pair, tried)
        for k in range(many):
            q = tried[k].question
            after = budget - self.costs[q]
            if after < 0:
                self.exceeds(-after)
                continue
            self.allowed[depth, q >> 6] &= ~(<uint64_t>1 << (q & 63))
            tokens = 0
            for i in range(self.token_words):
                tokens += popcount(still[i] & ~self.collects[q, i])
            if self.cut(tokens, gain, cost, after):
                continue
            for i in range(self.pair_words):
                self.open[depth + 1, i] = self.open[depth, i] & ~self.covers[q, i]
            memcpy(&self.allowed[depth + 1, 0], &self.allowed[depth, 0], self.words * sizeof(uint64_t))
            self.kit[depth] = q
            found = self.visit(depth + 1, after)
            if found or self.ended:
                return found
        return 0

    cdef int two(self, int depth, int64_t budget) except -1 nogil:
        """Try the questions that tell a hard pair apart, where one more may follow at most."""
        cdef int w, q, found, many = 0
        cdef int pair = self.hardest(depth, MOST_OPEN, &many)
        cdef int64_t after
        cdef uint64_t mask
        for w in range(self.words):
            mask = self.rows[pair, w] & self.allowed[depth, w]
            while mask:
                q = 64 * w + lowest(mask)
                mask &= mask - 1
                after = budget - self.costs[q]
                if after < 0:
                    self.exceeds(-after)
                    continue
                self.allowed[depth, w] &= ~(<uint64_t>1 << (q & 63))
                if self.count_node():
                    return 0
                self.kit[depth] = q
                found = self.last(depth, after, q)
                if found:
                    return found
        return 0

    cdef inline int count_node(self) except -1 nogil:
        """Count a node; return whether the search is to end."""
        self.nodes += 1
        self.left -= 1
        if self.left < 0:
            self.ended = 2
        elif self.nodes % self.poll == 0:
            self.heed()
        return self.ended

    cdef int64_t open_tokens(self, int depth, uint64_t *still) noexcept nogil:
        """Return how many tokens are open, and mark them."""
        cdef int t, pair
        cdef int64_t many = 0
        memset(still, 0, self.token_words * sizeof(uint64_t))
        for t in range(self.tokens):
            pair = self.token_pairs[t]
            if self.open[depth, pair >> 6] >> (pair & 63) & 1:
                still[t >> 6] |= <uint64_t>1 << (t & 63)
                many += 1
        return many

    cdef void most_for_its_cost(self, int depth, const uint64_t *still, int64_t *gain,
                                int64_t *cost) noexcept nogil:
        cdef int w, i, q
        cdef int64_t more
        cdef uint64_t mask
        for w in range(self.words):
            mask = self.allowed[depth, w]
            while mask:
                q = 64 * w + lowest(mask)
                mask &= mask - 1
                more = 0
                for i in range(self.token_words):
                    more += popcount(still[i] & self.collects[q, i])
                if more * cost[0] > gain[0] * self.costs[q]:
                    gain[0], cost[0] = more, self.costs[q]

    cdef int hardest(self, int depth, int most, int *least) noexcept nogil:
        """Return which of the first open pairs the fewest allowed questions tell apart, and write how many."""
        cdef int w, i, pair, many, best = -1
        cdef uint64_t mask
        least[0] = self.Q + 1
        for w in range(self.pair_words):
            mask = self.open[depth, w]
            while mask and most:
                pair = 64 * w + lowest(mask)
                mask &= mask - 1
                most -= 1
                many = 0
                for i in range(self.words):
                    many += popcount(self.rows[pair, i] & self.allowed[depth, i])
                if many < least[0]:
                    best, least[0] = pair, many
        return best

    cdef int order(self, int depth, int pair, Tried *tried) noexcept nogil:
        """Write the allowed questions that tell a pair apart, in order; return how many."""
        cdef int w, i, q, many = 0
        cdef int64_t told
        cdef uint64_t mask
        for w in range(self.words):
            mask = self.rows[pair, w] & self.allowed[depth, w]
            while mask:
                q = 64 * w + lowest(mask)
                mask &= mask - 1
                told = 0
                for i in range(self.pair_words):
                    told += popcount(self.open[depth, i] & self.covers[q, i])
                tried[many].question, tried[many].key = q, -((told << SHIFT) // self.costs[q])
                many += 1
        qsort(tried, many, sizeof(Tried), by_key)
        return many

    cdef int last(self, int depth, int64_t budget, int q) except -1 nogil:
        """Look for the last question; `q` is asked, too, unless it is -1."""
        cdef int w, i, pair, some, opened, asked = depth + (q >= 0)
        cdef uint64_t mask
        cdef uint64_t *common
        cdef Mark mark = self.arena.top
        common = <uint64_t *>take(&self.arena, self.words * sizeof(uint64_t))
        memcpy(common, &self.allowed[depth, 0], self.words * sizeof(uint64_t))
        while True:
            opened, some = 0, 1
            for w in range(self.pair_words):
                mask = self.open[depth, w]
                if q >= 0:
                    mask &= ~self.covers[q, w]
                opened |= mask != 0
                while mask and some:
                    pair = 64 * w + lowest(mask)
                    mask &= mask - 1
                    some = 0
                    for i in range(self.words):
                        common[i] &= self.rows[pair, i]
                        some |= common[i] != 0
                if opened and (not some or budget < self.least):
                    break
            if not opened:
                if not self.untold(asked):
                    arena_release(&self.arena, mark)
                    return asked + 1
                continue
            if budget < self.least:
                self.exceeds(self.least - budget)
                break
            some = 0
            for i in range(self.words):
                some |= common[i] != 0
            if not some:
                self.exceeds(2 * self.least - budget)
                break
            i = 0
            while not common[i]:
                i += 1
            some = 64 * i + lowest(common[i])
            common[i] &= common[i] - 1
            if self.costs[some] > budget:
                self.exceeds(self.costs[some] - budget)
                continue
            self.kit[asked] = some
            if not self.untold(asked + 1):
                arena_release(&self.arena, mark)
                return asked + 2
        arena_release(&self.arena, mark)
        return 0

    cdef int untold(self, int depth) except -1 nogil:
        """Return how many pairs that so many questions do not tell apart were added; they are open from here up."""
        cdef int s, k, many = self.S, label, other, alike = 0, compared, i
        cdef int32_t at
        cdef int32_t cells[MOST_NEW]
        cdef int32_t pairs[MOST_NEW][MOST_COMPARED]
        cdef int counts[MOST_NEW]
        cdef int hard, best, b
        for s in range(self.S):
            self.split[0, s] = self.labels[s]
        for k in range(depth):
            if self.stamp == 2147483647:
                self.stamps[:] = 0
                self.stamp = 0
            self.stamp += 1
            many = 0
            for s in range(self.S):
                at = self.split[0, s] * self.answers + self.columns[s, self.kit[k]]
                if self.stamps[at] != self.stamp:
                    self.stamps[at], self.place[at] = self.stamp, many
                    many += 1
                self.split[0, s] = self.place[at]
        for label in range(self.S):
            self.split[1, label], self.split[2, label] = -1, -1
        for s in range(self.S):
            label = self.split[0, s]
            other = self.split[1, label]
            if other < 0:
                self.split[1, label] = s
            elif self.kinds[other] != self.kinds[s]:
                k = self.split[2, label]
                if k < 0 and alike < MOST_NEW:
                    k = self.split[2, label] = alike
                    cells[k], counts[k] = label, 0
                    alike += 1
                if k >= 0 and counts[k] < MOST_COMPARED:
                    pairs[k][counts[k]] = s
                    counts[k] += 1
        if not alike:
            return 0
        with gil:
            for k in range(alike):
                other = self.split[1, cells[k]]
                best, hard = pairs[k][0], self.Q + 1
                for i in range(counts[k]):
                    compared = 0
                    b = pairs[k][i]
                    for s in range(self.Q):
                        compared += self.columns[other, s] != self.columns[b, s]
                    if compared < hard:
                        best, hard = b, compared
                self.add_pair(other, best)
                self.added.append((other, best))
                i = self.pairs - 1
                for s in range(min(depth + 1, <int>self.open.shape[0])):
                    self.open[s, i >> 6] |= <uint64_t>1 << (i & 63)
        return alike
