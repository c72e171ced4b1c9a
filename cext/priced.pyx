# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled search over costs; `reference_priced` is its plain twin, explains the contract and has the proofs.

Secrets are known by their places, heaviest first, so that every set has them in that order.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy, memset

import numpy as np

from guesstree.cext.memo cimport (
    C_BUDGET, C_ENTRIES, C_EVALUATIONS, C_FIRST, C_LOWER, C_SPENT, C_STATES, C_STOP, C_UPPER, Known, Memo, bits,
    counter_get, memo_free, memo_new, memo_read, memo_write, mixed, splitmix
)
from guesstree.cext.view cimport Arena, Mark, arena_free, arena_new, arena_release, arena_take


INFINITE = 1 << 62
STATES, EVALUATIONS, STOP, LOWER, UPPER, FIRST, ENTRIES, BUDGET = range(8)
COUNTERS = 8
SPENT = 2

cdef int64_t INF = <int64_t>1 << 62


cdef struct Part:
    int32_t *members
    int n
    int exact
    int ahead           # whether it has been bounded one step ahead
    int64_t left
    int64_t cost
    int64_t paid
    int64_t bound
    uint64_t key1
    uint64_t key2


cdef struct Ranked:
    int64_t bound
    int64_t score
    int64_t guess


cdef struct Scan:       # all guesses on a set
    Ranked *ranked
    int32_t *guesses    # those that tell something new, ascending: of no others is more to be had below
    int choices
    int few
    int free            # a guess that costs nothing on the set, or -1
    int most
    int guess
    int64_t lower
    int64_t upper


cdef struct Cells:      # the parts of one guess, by response
    int32_t *touched
    int32_t *count
    int64_t *weight
    int64_t *sum            # of what the secrets pay at least; or the largest
    int64_t *depth          # counting: of the secret that comes next,
    int64_t *room           # and how many more are won at that depth,
    int64_t *width          # and at the next
    int64_t *left
    int32_t *last
    uint64_t *key1
    uint64_t *key2
    int32_t **start         # where the next secret of a part goes


cdef int by_rank(const void *a, const void *b) noexcept nogil:
    cdef const Ranked *x = <const Ranked *>a
    cdef const Ranked *y = <const Ranked *>b
    if x.bound != y.bound:
        return -1 if x.bound < y.bound else 1
    if x.score != y.score:
        return -1 if x.score < y.score else 1
    return -1 if x.guess < y.guess else 1


cdef int by_size(const void *a, const void *b) noexcept nogil:
    cdef const Part *x = <const Part *>a
    cdef const Part *y = <const Part *>b
    if x.n != y.n:
        return y.n - x.n
    return -1 if x.exact < y.exact else 1      # `exact` holds the response while parts are sorted


cdef int descending(const void *a, const void *b) noexcept nogil:
    cdef int64_t x = (<const int64_t *>a)[0]
    cdef int64_t y = (<const int64_t *>b)[0]
    return -1 if x > y else x < y


cdef class Searcher:
    """See `reference_priced.Searcher`."""

    cdef int G, S, R, winning, win, only_candidates, worst, shift, rate
    cdef int64_t unit, payer, lost
    cdef Arena arena
    cdef int made
    cdef uint16_t *cols         # responses by guess and place; bytes would be no faster (measured)
    cdef Cells cells            # used by one scan, or one partition, at a time
    cdef uint8_t *inside
    cdef int32_t *own
    cdef int32_t *usual         # the commonest response to each guess
    cdef int plain              # whether parts have nothing to add up but weights: nobody pays for all guesses
    cdef int64_t *weights
    cdef int64_t *pay
    cdef int64_t *end
    cdef int64_t *costs
    cdef int64_t *prices
    cdef uint64_t *z1
    cdef uint64_t *z2
    cdef Memo *memo
    cdef int64_t[::1] counter_array
    cdef int64_t *counters
    cdef object place

    def __cinit__(self, *args, **kwargs):
        self.memo = NULL
        self.made = 0

    def __init__(self, table, own, int responses, int winning, bint only_candidates, weights, costs, prices, pay, end,
                 int64_t unit, int64_t payer, bint worst, int64_t lost, int rate, int64_t[::1] counters,
                 uint64_t memory=1 << 28):
        cdef int s, g
        cdef uint64_t seed = 20200229
        cdef int32_t[::1] places
        cdef const int32_t[::1] names = own
        cdef const uint16_t[:, ::1] cells
        order = np.argsort(-weights, kind="stable").astype(np.int32)
        self.place = np.argsort(order).astype(np.int32)
        places = self.place
        cells = np.ascontiguousarray(table[:, order], dtype=np.uint16)
        self.G, self.S, self.R = table.shape[0], table.shape[1], responses
        self.winning, self.win, self.only_candidates = winning, winning >= 0, only_candidates
        self.unit, self.payer, self.worst, self.lost = unit, payer, worst, lost
        self.rate = rate
        self.shift = max(0, int(weights.sum()).bit_length() - 30)
        self.counter_array, self.counters = counters, &counters[0]
        arena_new(&self.arena)
        self.made = 1
        self.memo = memo_new(memory, INF)
        if self.memo == NULL:
            raise MemoryError
        self.cols = <uint16_t *>arena_take(&self.arena, <size_t>self.G * self.S * sizeof(uint16_t))
        for g in range(self.G):
            for s in range(self.S):
                self.cols[<size_t>g * self.S + s] = cells[g, s]
        self.make_cells()
        self.usual = <int32_t *>arena_take(&self.arena, self.G * sizeof(int32_t))
        for g in range(self.G):
            self.usual[g] = int(np.bincount(table[g]).argmax()) if self.S else 0
        self.plain = winning < 0 and not pay.any()
        self.inside = <uint8_t *>arena_take(&self.arena, self.S)
        memset(self.inside, 0, self.S)
        self.own = <int32_t *>arena_take(&self.arena, self.G * sizeof(int32_t))
        for g in range(self.G):
            self.own[g] = places[names[g]] if names[g] >= 0 else -1
        self.weights, self.pay, self.end = (self.copy(weights[order]), self.copy(pay[order]), self.copy(end[order]))
        self.costs, self.prices = self.copy(costs.ravel()), self.copy(prices.ravel())
        self.z1 = <uint64_t *>arena_take(&self.arena, self.S * sizeof(uint64_t))
        self.z2 = <uint64_t *>arena_take(&self.arena, self.S * sizeof(uint64_t))
        for s in range(self.S):
            self.z1[s], self.z2[s] = splitmix(&seed), splitmix(&seed)

    cdef int64_t *copy(self, values):
        cdef const int64_t[::1] source = np.ascontiguousarray(values, dtype=np.int64)
        cdef int64_t *target = <int64_t *>arena_take(&self.arena, source.shape[0] * sizeof(int64_t))
        cdef Py_ssize_t i
        for i in range(source.shape[0]):
            target[i] = source[i]
        return target

    cdef void make_cells(self):
        cdef Cells *cells = &self.cells
        cdef size_t n = self.R
        cells.touched = <int32_t *>arena_take(&self.arena, n * sizeof(int32_t))
        cells.count = <int32_t *>arena_take(&self.arena, n * sizeof(int32_t))
        cells.last = <int32_t *>arena_take(&self.arena, n * sizeof(int32_t))
        cells.weight = <int64_t *>arena_take(&self.arena, n * sizeof(int64_t))
        cells.sum = <int64_t *>arena_take(&self.arena, n * sizeof(int64_t))
        cells.depth = <int64_t *>arena_take(&self.arena, n * sizeof(int64_t))
        cells.room = <int64_t *>arena_take(&self.arena, n * sizeof(int64_t))
        cells.width = <int64_t *>arena_take(&self.arena, n * sizeof(int64_t))
        cells.left = <int64_t *>arena_take(&self.arena, n * sizeof(int64_t))
        cells.key1 = <uint64_t *>arena_take(&self.arena, n * sizeof(uint64_t))
        cells.key2 = <uint64_t *>arena_take(&self.arena, n * sizeof(uint64_t))
        cells.start = <int32_t **>arena_take(&self.arena, n * sizeof(int32_t *))
        memset(cells.count, 0, n * sizeof(int32_t))

    def __dealloc__(self):
        memo_free(self.memo)
        if self.made:
            arena_free(&self.arena)

    def search(self, candidates, int64_t left, int64_t beta):
        """See `reference_priced.Searcher.search`."""
        cdef int64_t value
        cdef Mark mark = self.arena.top
        cdef int n = len(candidates)
        cdef int32_t *members = self.members(candidates)
        cdef int32_t *guesses = <int32_t *>arena_take(&self.arena, self.G * sizeof(int32_t))
        cdef uint64_t key1, key2
        cdef int g
        for g in range(self.G):
            guesses[g] = g
        self.key_of(members, n, left, &key1, &key2)
        with nogil:
            value = self.value(members, n, left, beta, max(self.R, 2), guesses, self.G, key1, key2, 1)
        arena_release(&self.arena, mark)
        self.counters[C_ENTRIES] = self.memo.used
        return value

    def choice(self, candidates, int64_t left):
        """See `reference_priced.Searcher.choice`."""
        cdef Known known
        cdef uint64_t key1, key2
        cdef Mark mark = self.arena.top
        cdef int n = len(candidates)
        self.key_of(self.members(candidates), n, left, &key1, &key2)
        arena_release(&self.arena, mark)
        if not memo_read(self.memo, 0, key1, key2, &known) or known.lower < known.upper:
            self.search(candidates, left, INF)
            if not memo_read(self.memo, 0, key1, key2, &known) or known.lower < known.upper:
                raise ValueError(f"no strategy is known for {n} candidates")
        if known.lower >= INF:
            raise ValueError(f"no strategy is known for {n} candidates")
        return known.guess

    cdef int32_t *members(self, candidates):
        cdef int32_t[::1] places = np.sort(self.place[candidates])
        cdef int32_t *members = <int32_t *>arena_take(&self.arena, (len(places) + 1) * sizeof(int32_t))
        cdef int i
        for i in range(places.shape[0]):
            members[i] = places[i]
        return members

    cdef void key_of(self, const int32_t *members, int n, int64_t left, uint64_t *key1, uint64_t *key2) noexcept nogil:
        """Write the key of a set with so much left.

        It is a sum of two random words per secret, so that two different sets meet with probability 2^-128
        per pair.
        """
        cdef int i
        key1[0], key2[0] = self.of_left(left, 1), self.of_left(left, 2)
        for i in range(n):
            key1[0] += self.z1[members[i]]
            key2[0] += self.z2[members[i]]

    cdef inline uint64_t of_left(self, int64_t left, int word) noexcept nogil:
        """Return what a budget adds to a word of the key: random words, as one for each secret."""
        return mixed(<uint64_t>(left + 1) * <uint64_t>0xD6E8FEB86659FD93 + word)

    # ---- one state ----------------------------------------------------------------------------------------------

    cdef int64_t value(self, int32_t *members, int n, int64_t left, int64_t beta, int most, const int32_t *guesses,
                       int choices, uint64_t key1, uint64_t key2, int top) noexcept nogil:
        """Return exactly the value of a set if it is below beta, otherwise at least beta (and a true bound).

        `guesses` are those that may tell something: what has one response on a set, or makes the same parts
        as another guess, does so on every subset. The steps are those of `reference_priced.Searcher.value`,
        where each is proved.
        """
        cdef Mark mark
        cdef Known known
        cdef Scan scan
        cdef int64_t lower, best, low, total, evaluations
        cdef int guess = -1, settled = 0, i
        if n == 1:                                              # 1
            return self.single(members[0], left)
        known = self.known(members, n, left, most, key1, key2)  # 2
        lower = known.lower
        if lower >= beta or lower == known.upper or counter_get(self.counters + C_STOP):
            return lower
        evaluations = self.counters[C_EVALUATIONS]
        if 0 < self.counters[C_BUDGET] <= evaluations:
            self.counters[C_STOP] = C_SPENT
            return lower
        self.counters[C_STATES] += 1
        mark = self.arena.top
        self.scan(members, n, left, most, guesses, choices, &scan)      # 3
        lower = max(lower, scan.lower)
        best, low = beta, INF
        if left >= 0:                                           # 4
            low = self.given_up(members, n, left)
            if low < best:
                best, settled = low, 1
        if scan.free >= 0:                                      # 5
            scan.few = 1
            scan.ranked[0].bound, scan.ranked[0].guess = scan.lower, scan.free
        else:
            qsort(scan.ranked, scan.few, sizeof(Ranked), by_rank)
        for i in range(scan.few):
            if scan.ranked[i].bound >= best or (settled and best <= lower):     # 6
                low = min(low, scan.ranked[i].bound)
                break
            if top:
                self.counters[C_LOWER] = max(self.counters[C_LOWER], min(scan.ranked[i].bound, best))
            total = self.guess_value(members, n, left, <int>scan.ranked[i].guess, best, &scan)
            if counter_get(self.counters + C_STOP):
                arena_release(&self.arena, mark)
                return lower
            low = min(low, total)
            if total < best:
                best, guess, settled = total, <int>scan.ranked[i].guess, 1
                if top:
                    self.counters[C_UPPER], self.counters[C_FIRST] = total, guess
        arena_release(&self.arena, mark)
        lower = max(lower, best if settled else low)            # 9
        memo_write(self.memo, 0, key1, key2, lower, lower if settled else INF, guess, 0,
                   bits(self.counters[C_EVALUATIONS] - evaluations))
        return lower

    cdef int64_t guess_value(self, int32_t *members, int n, int64_t left, int guess, int64_t best,
                             const Scan *scan) noexcept nogil:
        """Return exactly the value of the set with this guess if it is below best, else at least best."""
        cdef Mark mark = self.arena.top
        cdef Part *parts
        cdef Part *part
        cdef Known known
        cdef int i, most = scan.most, few = self.parts(members, n, left, guess, scan.most, &parts)
        cdef int64_t total = self.total(parts, few), before
        for i in range(few):                                    # 7
            part = parts + i
            if total >= best:
                break
            if not part.exact and not part.ahead:
                known = self.ahead(part, scan)
                if known.lower > part.bound:
                    before = part.bound
                    part.bound = known.lower
                    total = self.total(parts, few) if self.worst else self.sum(total - before, part.bound)
                part.exact = known.lower >= known.upper
        for i in range(few):                                    # 8
            part = parts + i
            if total >= best or counter_get(self.counters + C_STOP):
                break
            if not part.exact:
                before = part.bound
                part.bound = self.value(part.members, part.n, part.left,
                                        best - part.cost if self.worst else best - (total - part.bound), most,
                                        scan.guesses, scan.choices, part.key1, part.key2, 0)
                total = self.total(parts, few) if self.worst else self.sum(total - before, part.bound)
        arena_release(&self.arena, mark)
        return min(total, INF)

    cdef int64_t total(self, const Part *parts, int few) noexcept nogil:
        """Return at least what a guess costs, by what is known of its parts."""
        cdef int64_t total = 0
        cdef int i
        for i in range(few):
            if self.worst:
                total = max(total, parts[i].paid + parts[i].bound)
            else:
                total = self.sum(total, parts[i].paid)
                total = self.sum(total, parts[i].bound)
        return total

    cdef inline int64_t sum(self, int64_t a, int64_t b) noexcept nogil:
        """Return the sum of two values of at most INF, or INF: sets that nothing tells apart have it."""
        return INF if a > INF - b else a + b

    cdef int parts(self, const int32_t *members, int n, int64_t left, int guess, int most, Part **out) noexcept nogil:
        """Write the parts that a guess leaves, largest first; return how many there are."""
        cdef const uint16_t *col = self.cols + <size_t>guess * self.S
        cdef Cells *cells = &self.cells
        cdef int32_t *rows = <int32_t *>arena_take(&self.arena, n * sizeof(int32_t))
        cdef Part *part
        cdef Known known
        cdef int i, r, few = 0
        for i in range(n):
            r = col[members[i]]
            if cells.count[r] == 0:
                cells.touched[few] = r
                few += 1
            cells.count[r] += 1
        out[0] = part = <Part *>arena_take(&self.arena, few * sizeof(Part))
        for i in range(few):
            r = cells.touched[i]
            part.members, part.n, part.exact = rows, cells.count[r], r
            cells.start[r] = rows
            rows += cells.count[r]
            cells.count[r] = 0
            part += 1
        for i in range(n):
            r = col[members[i]]
            cells.start[r][0] = members[i]
            cells.start[r] += 1
        qsort(out[0], few, sizeof(Part), by_size)
        for i in range(few):
            part = out[0] + i
            r = part.exact
            part.cost, part.exact, part.ahead = self.costs[guess * self.R + r], 1, 1
            part.paid, part.bound, part.left = 0, 0, left
            if left >= 0 and part.cost > left:
                part.bound = self.given_up(part.members, part.n, left)
                continue
            part.left = left - part.cost if left >= 0 else -1
            part.paid = part.cost if self.worst else self.rate * part.cost * self.weight(part.members, part.n)
            if r == self.winning:
                continue
            if part.n == 1:
                part.bound = self.single(part.members[0], part.left)
                continue
            self.key_of(part.members, part.n, part.left, &part.key1, &part.key2)
            known = self.known(part.members, part.n, part.left, most, part.key1, part.key2)
            part.bound, part.exact, part.ahead = known.lower, known.lower >= known.upper, known.bounded
        return few

    # ---- bounds -------------------------------------------------------------------------------------------------

    cdef int64_t weight(self, const int32_t *members, int n) noexcept nogil:
        cdef int64_t weight = 0
        cdef int i
        for i in range(n):
            weight += self.weights[members[i]]
        return weight

    cdef int64_t given_up(self, const int32_t *members, int n, int64_t left) noexcept nogil:
        return self.weight(members, n) * self.loss(left)

    cdef inline int64_t per(self, int64_t cost, int64_t left) noexcept nogil:
        return self.rate * cost if left < 0 or cost <= left else self.loss(left)

    cdef inline int64_t loss(self, int64_t left) noexcept nogil:
        return self.lost + self.rate * left

    cdef int64_t single(self, int s, int64_t left) noexcept nogil:
        if not self.win:
            return 0
        return self.end[s] if self.worst else self.weights[s] * self.per(self.end[s], left)

    cdef Known known(self, const int32_t *members, int n, int64_t left, int most, uint64_t key1,
                     uint64_t key2) noexcept nogil:
        cdef Known found
        if not memo_read(self.memo, 0, key1, key2, &found):
            found.lower, found.upper, found.guess, found.bounded = 0, INF, -1, 0
        if found.lower < found.upper:
            found.lower = max(found.lower, self.static_bound(members, n, left, most))
        return found

    cdef int64_t static_bound(self, const int32_t *members, int n, int64_t left, int most) noexcept nogil:
        """Return at least the value of two secrets or more; see `reference_priced.Searcher.static`."""
        cdef int64_t total = 0, spared = 0, second = -1, full
        cdef int i
        for i in range(n):
            full = self.pay[members[i]] + self.end[members[i]]
            if self.worst:
                if full > total:
                    total, second = full, total
                elif full > second:
                    second = full
            else:
                full = self.weights[members[i]] * self.per(full, left)
                total += full
                if self.win:
                    spared = max(spared, full - self.weights[members[i]] * self.per(self.end[members[i]], left))
        total = max(second, <int64_t>0) if self.worst and self.win else total - spared
        return max(total, self.counted(members, n, left, most)) if self.unit else total

    cdef int64_t counted(self, const int32_t *members, int n, int64_t left, int most) noexcept nogil:
        cdef int64_t total = 0, depth = 0, room = 0, width = 1, place = 1, reach
        cdef int i
        if self.win:
            for i in range(n):
                if room == 0:
                    depth, room = depth + 1, width
                    width = min(width * max(most - 1, 1), <int64_t>n)
                room -= 1
                total += self.weights[members[i]] * self.per(depth * self.unit, left)
            return depth * self.unit if self.worst else total
        if left >= 0:
            reach = left // self.unit
            while reach > 0 and place < n:
                place, reach = place * most, reach - 1
            return self.given_up(members + place, n - <int>place, left) if place < n else 0
        if self.worst:
            while place < n:
                place, depth = place * most, depth + 1
            return depth * self.unit
        return self.unit * self.huffman(members, n, most)

    cdef int64_t huffman(self, const int32_t *members, int n, int most) noexcept nogil:
        cdef Mark mark = self.arena.top
        cdef int64_t *joined = <int64_t *>arena_take(&self.arena, n * sizeof(int64_t))
        cdef int64_t total = 0, weight
        cdef int i = n, head = 0, tail = 0, take = 2 + (n - 2) % (most - 1), _
        while i + tail - head > 1:
            weight = 0
            for _ in range(take):
                if head == tail or (i > 0 and self.weights[members[i - 1]] <= joined[head]):
                    i -= 1
                    weight += self.weights[members[i]]
                else:
                    weight += joined[head]
                    head += 1
            total += weight
            joined[tail] = weight
            tail += 1
            take = most
        arena_release(&self.arena, mark)
        return total

    cdef Known ahead(self, Part *part, const Scan *above) noexcept nogil:
        """Return bounds of a set one step ahead (step 7), and remember them."""
        cdef Mark mark = self.arena.top
        cdef Scan scan
        cdef Known found = self.known(part.members, part.n, part.left, above.most, part.key1, part.key2)
        cdef int64_t given
        self.scan(part.members, part.n, part.left, above.most, above.guesses, above.choices, &scan)
        found.lower, found.upper, found.guess = max(found.lower, scan.lower), scan.upper, scan.guess
        if part.left >= 0:
            given = self.given_up(part.members, part.n, part.left)
            if given <= found.lower and given <= found.upper:
                found.upper, found.guess = given, -1
        if found.upper > found.lower:
            found.upper, found.guess = INF, -1
        found.bounded = 1
        memo_write(self.memo, 0, part.key1, part.key2, found.lower, found.upper, found.guess, 1, 0)
        arena_release(&self.arena, mark)
        return found

    cdef void scan(self, const int32_t *members, int n, int64_t left, int most, const int32_t *guesses, int choices,
                   Scan *out) noexcept nogil:
        """Bound every guess on a set; see `reference_priced.Searcher.scan`. The caller gives the memory back."""
        cdef Cells *cells = &self.cells
        cdef int64_t *spared = NULL
        cdef uint64_t *seen
        cdef uint64_t slots = 64, key1 = 0, key2 = 0
        cdef int64_t weight = 0
        cdef int g, i, j, few, count = 0
        self.counters[C_EVALUATIONS] += 1
        while slots < 2 * <uint64_t>choices:
            slots *= 2
        out.ranked = <Ranked *>arena_take(&self.arena, (choices + 1) * sizeof(Ranked))
        out.guesses = <int32_t *>arena_take(&self.arena, choices * sizeof(int32_t))
        seen = <uint64_t *>arena_take(&self.arena, 2 * slots * sizeof(uint64_t))
        memset(seen, 0, 2 * slots * sizeof(uint64_t))
        if self.payer:
            spared = <int64_t *>arena_take(&self.arena, choices * sizeof(int64_t))
        out.few, out.choices, out.free, out.most, out.guess, out.lower, out.upper = 0, 0, -1, 0, -1, INF, INF
        if self.only_candidates:
            for i in range(n):
                self.inside[members[i]] = 1
        if self.plain:
            for i in range(n):
                weight += self.weights[members[i]]
                key1 += self.z1[members[i]]
                key2 += self.z2[members[i]]
        for j in range(choices):
            g = guesses[j]
            if self.only_candidates and not (self.own[g] >= 0 and self.inside[self.own[g]]):
                continue
            if self.plain:
                few = self.fill_plainly(members, n, left, g, weight, key1, key2, cells)
            else:
                few = self.fill(members, n, left, most, g, cells)
            if few > 1 and self.unseen(cells, few, g, seen, slots - 1):
                self.rank(cells, few, left, g, out)
                if spared != NULL:
                    spared[count] = self.spared(cells, few, g)
                    count += 1
                if not self.only_candidates:
                    out.guesses[out.choices] = g
                    out.choices += 1
            for i in range(few):
                cells.count[cells.touched[i]] = 0
        if self.only_candidates:
            for i in range(n):
                self.inside[members[i]] = 0
            # Of two guesses with the same parts either may be the one that names a candidate below.
            memcpy(out.guesses, guesses, choices * sizeof(int32_t))
            out.choices = choices
        if count:
            qsort(spared, count, sizeof(int64_t), descending)
            out.lower = max(out.lower, self.chain(members, n, left, spared, count))
        if left >= 0:
            out.lower = min(out.lower, self.given_up(members, n, left))

    cdef int fill(self, const int32_t *members, int n, int64_t left, int most, int guess,
                  Cells *cells) noexcept nogil:
        """Add up the parts of a guess; return how many there are."""
        cdef const uint16_t *col = self.cols + <size_t>guess * self.S
        cdef const int64_t *costs = self.costs + <size_t>guess * self.R
        cdef int i, r, s, few = 0
        cdef int counting = self.win and self.unit > 0
        cdef int64_t weight, below
        for i in range(n):
            s = members[i]
            r = col[s]
            weight = self.weights[s]
            if cells.count[r] == 0:
                cells.touched[few] = r
                few += 1
                below = left - costs[r] if left >= 0 else -1
                cells.left[r] = -2 if left >= 0 and below < 0 else below
                cells.weight[r], cells.sum[r] = 0, 0
                cells.key1[r], cells.key2[r] = 0, 0
                cells.depth[r], cells.room[r], cells.width[r] = 0, 0, 1
            cells.count[r] += 1
            cells.weight[r] += weight
            cells.key1[r] += self.z1[s]
            cells.key2[r] += self.z2[s]
            cells.last[r] = s
            if cells.left[r] == -2:
                continue
            if counting:
                if cells.room[r] == 0:
                    cells.depth[r] += 1
                    cells.room[r] = cells.width[r]
                    cells.width[r] = min(cells.width[r] * max(most - 1, 1), <int64_t>n)
                cells.room[r] -= 1
                if not self.worst:
                    cells.sum[r] += weight * self.per(cells.depth[r] * self.unit, cells.left[r])
            elif not self.win:
                if self.worst:
                    cells.sum[r] = max(cells.sum[r], self.pay[s])
                else:
                    cells.sum[r] += weight * self.per(self.pay[s], cells.left[r])
        return few

    cdef int fill_plainly(self, const int32_t *members, int n, int64_t left, int guess, int64_t weight, uint64_t key1,
                          uint64_t key2, Cells *cells) noexcept nogil:
        """Do what `fill` does where secrets pay nothing at least: the commonest part is what the others leave.

        Most letters are in few words, so that most secrets are passed over (three times faster in Hangman).
        """
        cdef const uint16_t *col = self.cols + <size_t>guess * self.S
        cdef int i, r, s, few = 0, usual = self.usual[guess], rest = n
        for i in range(n):
            s = members[i]
            r = col[s]
            if r == usual:
                continue
            if cells.count[r] == 0:
                cells.touched[few] = r
                few += 1
                cells.weight[r], cells.sum[r] = 0, 0
                cells.key1[r], cells.key2[r] = 0, 0
            cells.count[r] += 1
            cells.weight[r] += self.weights[s]
            cells.key1[r] += self.z1[s]
            cells.key2[r] += self.z2[s]
        for i in range(few):
            r = cells.touched[i]
            rest -= cells.count[r]
            weight -= cells.weight[r]
            key1 -= cells.key1[r]
            key2 -= cells.key2[r]
        if rest:
            cells.touched[few] = usual
            few += 1
            cells.count[usual], cells.weight[usual], cells.sum[usual] = rest, weight, 0
            cells.key1[usual], cells.key2[usual] = key1, key2
        for i in range(few):
            r = cells.touched[i]
            cells.last[r] = members[0]      # to identify, a single secret pays nothing whichever it is
            cells.left[r] = -1
            if left >= 0:
                cells.left[r] = left - self.costs[guess * self.R + r]
                if cells.left[r] < 0:
                    cells.left[r] = -2
        return few

    cdef int unseen(self, const Cells *cells, int few, int guess, uint64_t *seen, uint64_t mask) noexcept nogil:
        """Return whether no guess before makes the same parts at the same costs and wins on the same secret."""
        cdef uint64_t h1 = 0, h2 = 0, slot, more
        cdef int i, r
        for i in range(few):
            r = cells.touched[i]
            more = (<uint64_t>self.costs[guess * self.R + r] * 2 + (r == self.winning)) * <uint64_t>0x9E3779B97F4A7C15
            h1 += mixed(cells.key1[r] + more)
            h2 += mixed(cells.key2[r] + more)
        h1 += h1 == 0
        slot = h2 & mask
        while seen[2 * slot]:
            if seen[2 * slot] == h1 and seen[2 * slot + 1] == h2:
                return 0
            slot = (slot + 1) & mask
        seen[2 * slot], seen[2 * slot + 1] = h1, h2
        return 1

    cdef void rank(self, const Cells *cells, int few, int64_t left, int guess, Scan *out) noexcept nogil:
        """Bound and score one guess, and note what it says of the set."""
        cdef Ranked *ranked = out.ranked + out.few
        cdef int64_t part, cost
        cdef int i, r, n, closed, log, exact = 1, free = 1, wins = 0
        ranked.bound, ranked.score, ranked.guess = 0, 0, guess
        for i in range(few):
            r = cells.touched[i]
            n, cost, closed = cells.count[r], self.costs[guess * self.R + r], 1
            free, wins = free and cost == 0, wins or r == self.winning
            if cells.left[r] == -2:
                part = cells.weight[r] * self.loss(left)
            else:
                part = cost if self.worst else self.rate * cost * cells.weight[r]
                if r == self.winning:
                    pass
                elif n == 1:
                    part += self.single(cells.last[r], cells.left[r])
                else:
                    closed = 0
                    part += cells.depth[r] * self.unit if self.win and self.worst else cells.sum[r]
            exact = exact and closed
            ranked.bound = max(ranked.bound, part) if self.worst else ranked.bound + part
            log = bits(n) - 1
            log = 16 * log + ((16 * n) >> log) - 16
            ranked.score += (cells.weight[r] >> self.shift) * (self.prices[guess * self.R + r] + log)
        out.few += 1
        out.lower = min(out.lower, ranked.bound)
        if exact and ranked.bound < out.upper:
            out.upper, out.guess = ranked.bound, guess
        out.most = max(out.most, few + (1 if self.win and not wins else 0))
        if free and out.free < 0 and not self.only_candidates:
            out.free = guess

    cdef int64_t spared(self, const Cells *cells, int few, int guess) noexcept nogil:
        """Return the weight that a guess costs nothing."""
        cdef int64_t weight = 0
        cdef int i
        for i in range(few):
            if self.costs[guess * self.R + cells.touched[i]] == 0:
                weight += cells.weight[cells.touched[i]]
        return weight

    cdef int64_t chain(self, const int32_t *members, int n, int64_t left, const int64_t *spared,
                       int count) noexcept nogil:
        """Return at least the value where few guesses cost something; see `reference_priced.Searcher.chain`."""
        cdef int64_t total = self.weight(members, n), heaviest = self.weights[members[0]], paid = 0, steps = 0, term
        cdef int64_t reach, some = 0
        cdef int k
        if left >= 0:
            reach = left // self.payer
            k = 0
            while k < count and k < reach:
                some += spared[k]
                k += 1
            total -= max(some + heaviest, some + (spared[k] if k < count else 0))
            return max(<int64_t>0, total) * self.loss(left)
        for k in range(count):
            total -= spared[k]
            term = total - (heaviest if k else 0)
            if term <= 0:
                break
            paid, steps = paid + term, steps + 1
        return self.payer * (steps if self.worst else paid)
