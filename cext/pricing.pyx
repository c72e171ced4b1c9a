# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Bounds of the compiled search over costs; `reference_pricing` has the same, with the proofs.

Secrets are known by their places, heaviest first, so that every set has them in that order.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy, memset

import numpy as np

from guesstree.cext.core cimport (
    Core, Dropping, Known, Mark, Ranked, Tried, Worker, arena_release, bits, counter_add, memo_read, memo_write, mixed,
    remember, take
)
from guesstree.cext.rules cimport is_allowed, mix_needs


cdef int64_t INF = <int64_t>1 << 62


cdef int descending(const void *a, const void *b) noexcept nogil:
    cdef int64_t x = (<const int64_t *>a)[0]
    cdef int64_t y = (<const int64_t *>b)[0]
    return -1 if x > y else x < y


cdef int64_t binary_log(int64_t n) noexcept nogil:
    """Return log2 n in units of 2^-16, rounded down, for n from 1 up to 2^31; by squaring (Briggs 1624)."""
    cdef int whole = bits(n) - 1, _
    cdef uint64_t x = <uint64_t>n << (31 - whole), fraction = 0
    for _ in range(16):
        x = (x * x) >> 31
        fraction *= 2
        if x >> 32:
            x >>= 1
            fraction += 1
    return (whole << 16) + <int64_t>fraction


cdef class Pricer(Core):
    """A game with weights and costs as arrays, and bounds of one set of candidates at a time."""

    def __init__(self, table, own, int responses, int winning, bint only_candidates, weights, costs, prices, pay, end,
                 int64_t unit, int64_t payer, bint worst, int64_t lost, int rate, classes=None, digits=None,
                 int renaming=0, features=None, needs=None, uint64_t memory=1 << 28, int width=0, int jobs=1,
                 int deviations=ANY, bint pairs=False):
        cdef const uint16_t[:, ::1] cells
        self.prepare(table.shape[0], table.shape[1], table.shape[1], 20200229, INF, memory, width, jobs,
                     table.shape[1] + 1, classes, digits, renaming)
        order = np.argsort(-weights, kind="stable").astype(np.int32)
        self.place = np.argsort(order).astype(np.int32)
        self.R = responses
        self.winning, self.win, self.only_candidates = winning, winning >= 0, only_candidates
        self.unit, self.payer, self.worst, self.lost = unit, payer, worst, lost
        self.rate, self.least_parallel, self.deviations = rate, SMALL, deviations
        self.pairs = pairs
        self.shift = max(0, int(weights.sum()).bit_length() - 30)
        self.cols = <uint16_t *>take(&self.arena, <size_t>self.G * self.S * sizeof(uint16_t))
        if self.G and self.S:
            cells = np.ascontiguousarray(table[:, order], dtype=np.uint16)
            memcpy(self.cols, &cells[0, 0], <size_t>self.G * self.S * sizeof(uint16_t))
        self.usual = self.ints([int(np.bincount(row).argmax()) if self.S else 0 for row in table])
        self.plain = winning < 0 and not pay.any()
        self.own = self.ints([self.place[s] if s >= 0 else -1 for s in own])
        self.weights, self.pay, self.end = (self.longs(weights[order]), self.longs(pay[order]), self.longs(end[order]))
        self.costs, self.prices = self.longs(costs), self.longs(prices)
        self.everything = self.ints(np.arange(self.G))
        self.set_rules(features, needs, responses, 1)

    cdef int equip(self, Worker *w) except -1 nogil:
        cdef Cells *cells = <Cells *>take(&w.arena, sizeof(Cells))
        cdef size_t n = self.R
        cells.touched = <int32_t *>take(&w.arena, n * sizeof(int32_t))
        cells.count = <int32_t *>take(&w.arena, n * sizeof(int32_t))
        cells.last = <int32_t *>take(&w.arena, n * sizeof(int32_t))
        cells.weight = <int64_t *>take(&w.arena, n * sizeof(int64_t))
        cells.sum = <int64_t *>take(&w.arena, n * sizeof(int64_t))
        cells.depth = <int64_t *>take(&w.arena, n * sizeof(int64_t))
        cells.room = <int64_t *>take(&w.arena, n * sizeof(int64_t))
        cells.width = <int64_t *>take(&w.arena, n * sizeof(int64_t))
        cells.left = <int64_t *>take(&w.arena, n * sizeof(int64_t))
        cells.key1 = <uint64_t *>take(&w.arena, n * sizeof(uint64_t))
        cells.key2 = <uint64_t *>take(&w.arena, n * sizeof(uint64_t))
        cells.start = <int32_t **>take(&w.arena, n * sizeof(int32_t *))
        memset(cells.count, 0, n * sizeof(int32_t))
        w.more = cells
        return 0

    # ---- keys ---------------------------------------------------------------------------------------------------

    cdef void key_of(self, Set *some) noexcept nogil:
        """Write the key of a set with what is left of the budget, and of the guesses if they may be too few.

        It is a sum of two random words per secret (Zobrist 1970), so that two different sets meet with
        probability 2^-128 per pair; needs are mixed in.
        """
        cdef int i
        some.key1 = mixed(<uint64_t>(some.left + 1) * <uint64_t>0xD6E8FEB86659FD93 + 1)
        some.key2 = mixed(<uint64_t>(some.left + 1) * <uint64_t>0xD6E8FEB86659FD93 + 2)
        if self.bound_to(some.n, some.depth):
            some.key1 += mixed(<uint64_t>(some.depth + 1) * <uint64_t>0xA5A3564E27F88691 + 3)
            some.key2 += mixed(<uint64_t>(some.depth + 1) * <uint64_t>0xA5A3564E27F88691 + 4)
        if some.spare != ANY:
            some.key1 += mixed(<uint64_t>(some.spare + 1) * <uint64_t>0xC2B2AE3D27D4EB4F + 5)
            some.key2 += mixed(<uint64_t>(some.spare + 1) * <uint64_t>0xC2B2AE3D27D4EB4F + 6)
        for i in range(some.n):
            some.key1 += self.z1[some.members[i]]
            some.key2 += self.z2[some.members[i]]
        mix_needs(&self.rules, some.needs, &some.key1, &some.key2)

    # ---- bounds -------------------------------------------------------------------------------------------------

    cdef int dead(self, int n, int depth, int most) noexcept nogil:
        """Return 1 only if no strategy settles so many secrets in time; see `reference_pricing.Pricer.dead`."""
        cdef int64_t settled = 1 - self.win, level = 1
        if n == 1:
            return self.win and depth < 1
        if not self.bound_to(n, depth):
            return 0
        while depth > 0 and settled < n:
            settled = settled + level if self.win else settled * most
            level = min(level * max(most - 1, 1), <int64_t>n)
            depth -= 1
        return settled < n

    cdef int64_t lost_all(self, int64_t weight, int64_t left) noexcept nogil:
        """Return exactly the value of a set of this weight for which there is no strategy."""
        return INF if left < 0 else weight * self.loss(left)

    cdef int64_t weight(self, const int32_t *members, int n) noexcept nogil:
        cdef int64_t weight = 0
        cdef int i
        for i in range(n):
            weight += self.weights[members[i]]
        return weight

    cdef int64_t given_up(self, const int32_t *members, int n, int64_t left) noexcept nogil:
        return self.weight(members, n) * self.loss(left)

    cdef int64_t per(self, int64_t cost, int64_t left) noexcept nogil:
        """Return what a unit of weight pays that needs this cost."""
        return self.rate * cost if left < 0 or cost <= left else self.loss(left)

    cdef int64_t loss(self, int64_t left) noexcept nogil:
        """Return what a unit of weight pays that is lost with so much left."""
        return self.lost + self.rate * left

    cdef int64_t single(self, int s, int64_t left, int depth) noexcept nogil:
        """Return exactly the value of one secret: the cheapest guess that wins on it, or nothing."""
        if not self.win:
            return 0
        if depth < 1:
            return self.lost_all(self.weights[s], left)
        return self.end[s] if self.worst else self.weights[s] * self.per(self.end[s], left)

    cdef int known(self, Worker *w, const Set *some, Known *found) except -1 nogil:
        """Write what is known of a set, by counting if by nothing else."""
        if not memo_read(self.memo, w.thread, some.key1, some.key2, found):
            found.lower, found.upper, found.guess, found.bounded = 0, INF, -1, 0
        if found.lower < found.upper:
            found.lower = max(found.lower, self.static_bound(w, some))
        return 0

    cdef int64_t static_bound(self, Worker *w, const Set *some) except -1 nogil:
        """Return at least the value of two secrets or more; see `reference_pricing.Pricer.static`."""
        cdef int64_t total = 0, spared = 0, second = -1, full, left = some.left
        cdef int i, s
        for i in range(some.n):
            s = some.members[i]
            full = self.pay[s] + self.end[s]
            if self.worst:
                if full > total:
                    total, second = full, total
                elif full > second:
                    second = full
            else:
                full = self.weights[s] * self.per(full, left)
                total += full
                if self.win:
                    spared = max(spared, full - self.weights[s] * self.per(self.end[s], left))
        total = max(second, <int64_t>0) if self.worst and self.win else total - spared
        return max(total, self.counted(w, some.members, some.n, left, some.most)) if self.unit else total

    cdef int64_t counted(self, Worker *w, const int32_t *members, int n, int64_t left, int most) except -1 nogil:
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
        return self.unit * self.huffman(w, members, n, most)

    cdef int64_t huffman(self, Worker *w, const int32_t *members, int n, int most) except -1 nogil:
        cdef Mark mark = w.arena.top
        cdef int64_t *joined = <int64_t *>take(&w.arena, n * sizeof(int64_t))
        cdef int64_t total = 0, weight
        cdef int i = n, head = 0, tail = 0, joining = 2 + (n - 2) % (most - 1), _
        while i + tail - head > 1:
            weight = 0
            for _ in range(joining):
                if head == tail or (i > 0 and self.weights[members[i - 1]] <= joined[head]):
                    i -= 1
                    weight += self.weights[members[i]]
                else:
                    weight += joined[head]
                    head += 1
            total += weight
            joined[tail] = weight
            tail += 1
            joining = most
        arena_release(&w.arena, mark)
        return total

    cdef int ahead(self, Worker *w, const Set *some, const Scan *above, Known *found) except -1 nogil:
        """Write bounds of a set one step ahead (step 7), and remember them."""
        cdef Mark mark = w.arena.top
        cdef Scan scan
        cdef int64_t given
        self.known(w, some, found)
        self.scan(w, some, above.guesses, above.choices, NULL, &scan)
        found.lower, found.upper, found.guess = max(found.lower, scan.lower), scan.upper, scan.guess
        if some.left >= 0:
            given = self.given_up(some.members, some.n, some.left)
            if given <= found.lower and given <= found.upper:
                found.upper, found.guess = given, -1
        if found.upper > found.lower:
            found.upper, found.guess = INF, -1
        found.bounded = 1
        memo_write(self.memo, w.thread, some.key1, some.key2, found.lower, found.upper, found.guess, 1, 0)
        arena_release(&w.arena, mark)
        return 0

    cdef int scan(self, Worker *w, const Set *some, const int32_t *guesses, int choices, const Dropping *dropping,
                  Scan *out) except -1 nogil:
        """Bound every guess on a set; see `reference_pricing.Pricer.scan`. The caller gives the memory back."""
        cdef Cells *cells = <Cells *>w.more
        cdef const int32_t *members = some.members
        cdef int64_t *spared = NULL
        cdef Tried seen
        cdef uint64_t slots = 64, key1 = 0, key2 = 0, hash1, hash2
        cdef int64_t weight = 0
        cdef int g, i, j, few, n = some.n, count = 0
        counter_add(&self.tally.evaluations, 1)
        while slots < 2 * <uint64_t>choices:
            slots *= 2
        out.ranked = <Ranked *>take(&w.arena, (choices + 1) * sizeof(Ranked))
        out.guesses = <int32_t *>take(&w.arena, choices * sizeof(int32_t))
        seen.words, seen.mask = <uint64_t *>take(&w.arena, 2 * slots * sizeof(uint64_t)), slots - 1
        memset(seen.words, 0, 2 * slots * sizeof(uint64_t))
        if self.payer:
            spared = <int64_t *>take(&w.arena, choices * sizeof(int64_t))
        out.few, out.choices, out.free, out.most, out.guess, out.lower, out.upper = 0, 0, -1, 0, -1, INF, INF
        if self.only_candidates:
            for i in range(n):
                w.inside[members[i]] = 1
        if self.plain:
            for i in range(n):
                weight += self.weights[members[i]]
                key1 += self.z1[members[i]]
                key2 += self.z2[members[i]]
        for j in range(choices):
            g = guesses[j]
            if self.only_candidates and not (self.own[g] >= 0 and w.inside[self.own[g]]):
                continue
            if self.rules.words and not is_allowed(&self.rules, g, some.needs):
                continue
            if self.plain:
                few = self.fill_plainly(some, g, weight, key1, key2, cells)
            else:
                few = self.fill(some, g, cells)
            if few > 1:
                self.hash_parts(some, cells, few, g, &hash1, &hash2)
                if not remember(&seen, hash1, hash2, 0):
                    self.note(some, cells, few, g, dropping != NULL and self.is_dropped(dropping, g), out)
                    if spared != NULL:
                        spared[count] = self.spared(cells, few, g)
                        count += 1
                    if not self.only_candidates and not self.rules.words:
                        out.guesses[out.choices] = g
                        out.choices += 1
            for i in range(few):
                cells.count[cells.touched[i]] = 0
        if self.only_candidates:
            for i in range(n):
                w.inside[members[i]] = 0
        if self.only_candidates or self.rules.words:
            # Of two guesses with the same parts either may be the one that may be asked below.
            memcpy(out.guesses, guesses, choices * sizeof(int32_t))
            out.choices = choices
        if count:
            qsort(spared, count, sizeof(int64_t), descending)
            out.lower = max(out.lower, self.chain(members, n, some.left, spared, count))
        if some.left >= 0:
            out.lower = min(out.lower, self.given_up(members, n, some.left))
        return 0

    cdef int fill(self, const Set *some, int guess, Cells *cells) noexcept nogil:
        """Add up the parts of a guess; return how many there are."""
        cdef const uint16_t *col = self.cols + <size_t>guess * self.S
        cdef const int64_t *costs = self.costs + <size_t>guess * self.R
        cdef const int32_t *members = some.members
        cdef int i, r, s, n = some.n, most = some.most, few = 0
        cdef int counting = self.win and self.unit > 0
        cdef int64_t weight, below, left = some.left
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

    cdef int fill_plainly(self, const Set *some, int guess, int64_t weight, uint64_t key1, uint64_t key2,
                          Cells *cells) noexcept nogil:
        """Do what `fill` does where secrets pay nothing at least: the commonest part is what the others leave.

        Most letters are in few words, so that most secrets are passed over (three times faster in Hangman).
        """
        cdef const uint16_t *col = self.cols + <size_t>guess * self.S
        cdef const int32_t *members = some.members
        cdef int64_t left = some.left
        cdef int i, r, s, n = some.n, few = 0, usual = self.usual[guess], rest = some.n
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

    cdef void hash_parts(self, const Set *some, const Cells *cells, int few, int guess, uint64_t *hash1,
                         uint64_t *hash2) noexcept nogil:
        """Write a hash of the parts of a guess, what they cost and need, and which of them is won."""
        cdef const uint64_t *needs = NULL
        cdef uint64_t more
        cdef int i, k, r
        hash1[0] = hash2[0] = 0
        for i in range(few):
            r = cells.touched[i]
            more = (<uint64_t>self.costs[guess * self.R + r] * 2 + (r == self.winning)) * <uint64_t>0x9E3779B97F4A7C15
            if self.rules.words and cells.count[r] > self.rules.closed:
                needs = self.rules.needs + (<size_t>guess * self.R + r) * self.rules.words
                for k in range(self.rules.words):
                    more = mixed(more ^ (some.needs[k] | needs[k]))
            hash1[0] += mixed(cells.key1[r] + more)
            hash2[0] += mixed(cells.key2[r] + more)

    cdef void note(self, const Set *some, const Cells *cells, int few, int guess, int dropped,
                   Scan *out) noexcept nogil:
        """Bound and score one guess, and note what it says of the set.

        `dropped`: a smaller guess is its equal, with the same bound; it need not be tried.
        """
        cdef Ranked *ranked = out.ranked + out.few
        cdef int64_t part, cost
        cdef int i, r, n, closed, log, exact = 1, free = 1, wins = 0
        ranked.bound, ranked.score, ranked.column, ranked.outside = 0, 0, guess, 0
        for i in range(few):
            r = cells.touched[i]
            n, cost, closed = cells.count[r], self.costs[guess * self.R + r], 1
            free, wins = free and cost == 0, wins or r == self.winning
            if cells.left[r] == -2:
                part = cells.weight[r] * self.loss(some.left)
            else:
                part = cost if self.worst else self.rate * cost * cells.weight[r]
                if r == self.winning:
                    pass
                elif n == 1:
                    part = self.sum(part, self.single(cells.last[r], cells.left[r], some.depth - 1))
                elif self.dead(n, some.depth - 1, some.most):
                    part = self.sum(part, self.lost_all(cells.weight[r], cells.left[r]))
                else:
                    closed = 0
                    part += cells.depth[r] * self.unit if self.win and self.worst else cells.sum[r]
            exact = exact and closed
            ranked.bound = max(ranked.bound, part) if self.worst else self.sum(ranked.bound, part)
            if not self.width:
                log = bits(n) - 1
                log = 16 * log + ((16 * n) >> log) - 16
                ranked.score += (cells.weight[r] >> self.shift) * (self.prices[guess * self.R + r] + log)
        if self.width:
            ranked.score = self.beam_score(cells, few, guess)
        out.lower = min(out.lower, ranked.bound)
        if exact and ranked.bound < out.upper:
            out.upper, out.guess = ranked.bound, guess
        out.most = max(out.most, few + (1 if self.win and not wins else 0))
        # Where what may be asked next depends on what was asked, or on how often, no question is free.
        if free and out.free < 0 and not self.only_candidates and not self.rules.words and (
            not self.bound_to(some.n, some.depth)
        ):
            out.free = guess
        out.few += not dropped

    cdef int64_t beam_score(self, const Cells *cells, int few, int guess) noexcept nogil:
        """Return what a guess costs for what it tells; see `reference_pricing.Pricer.beam_score`."""
        cdef int64_t weight, scale, whole = 0, paid = 0, told = 0
        cdef int i, r
        for i in range(few):
            r = cells.touched[i]
            weight = max(cells.weight[r] >> self.shift, <int64_t>1)
            whole += weight
            paid += cells.weight[r] * self.costs[guess * self.R + r]
            told -= weight * (weight if self.pairs else binary_log(weight))
        told = max(told + whole * (whole if self.pairs else binary_log(whole)), <int64_t>1)
        scale = whole if self.pairs else 1
        return <int64_t>min(<double>paid * <double>(1 << 20) * <double>scale / <double>told, <double>INF)

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
