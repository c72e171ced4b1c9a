# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Curves of beliefs: found by their keys, bounded, and joined; `leaves` says why the bounds hold."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from guesstree.cext.core cimport (
    Mark, arena_free, arena_new, arena_release, countdown_place, mixed, out_of_memory, take,
)
from guesstree.cext.belief cimport Belief, BeliefModel, bit


cdef class CurveModel(BeliefModel):
    """A model whose states have curves, see `reference_leaves.Searcher`."""

    def __cinit__(self, *args, **kwargs):
        self.kept_made = 0
        self.slots = NULL

    def __dealloc__(self):
        if self.kept_made:
            arena_free(&self.kept)
        free(self.slots)

    cdef int prepare_curves(self, int64_t memory) except -1:
        """Take memory for what is remembered, and note the least that each cause may lose, not weighted."""
        cdef int i, d
        if not arena_new(&self.kept, countdown_place()):
            out_of_memory()
        self.kept_made, self.memory, self.taken, self.states = 1, memory, 0, 0
        self.size, self.used = 1 << 12, 0
        self.slots = <Curve **>calloc(self.size, sizeof(Curve *))
        if self.slots == NULL:
            out_of_memory()
        self.plain = self.G == 0 and self.after == NULL
        self.loss = &self.lost_[0, 0] if self.D else NULL
        self.own = <double *>take(&self.arena, self.C * sizeof(double))
        for i in range(self.C):
            self.own[i] = INFINITY if self.D else 0
            for d in range(self.D):
                self.own[i] = min(self.own[i], self.loss[<int64_t>i * self.D + d])
        self.second = <double *>take(&self.arena, self.C * sizeof(double))
        self.gains = <double *>take(&self.arena, (self.D + 1) * sizeof(double))
        self.counted = self.L > 0 and self.D > 0 and not self.may_stop and not self.maximum
        for i in range(self.C):
            self.second[i] = INFINITY
            for d in range(self.D):
                if d != self.best[i]:
                    self.second[i] = min(self.second[i], self.rows[<int64_t>i * self.row + 2 + d])
            self.counted &= self.second[i] < INFINITY
        return 0

    cdef Curve *curve(self, Belief *s, double price, int branches) except NULL nogil:
        """Return what is known of a state whose next test costs at least this and none has more answers.

        How many tests may be asked is lowered to what matters, so that equal states are found.
        """
        cdef Curve *v
        cdef uint64_t at
        cdef double decide, lower, free_lower
        cdef int j, m, paths, tests, decision = -1, given = self.only >= 0 and s.answer < 0
        paths = self.longest(s)
        decide = self.decided(s, &decision)
        if given:
            decide, decision = INFINITY, -1
        lower = free_lower = self.at_least(s, decide, price, branches)
        if s.tests < paths:     # what it would be if more tests might be asked
            tests, s.tests = s.tests, paths
            free_lower = self.at_least(s, decide, price, branches)
            s.tests = tests
        if given:
            free_lower, lower = 0, 0 if s.tests else decide
        m = self.most_leaves(s)
        decide += self.leaf_price
        if m == 1 and self.L and not self.may_stop and not given:
            lower = decide
        self.set_key(s)
        if s.prints != NULL:
            s.key1 += mixed(s.prints[0] ^ <uint64_t>0x5bd1e995)
            s.key2 += mixed(s.prints[1] ^ <uint64_t>0x5bd1e995)
        at = mixed(<uint64_t>s.tests + (<uint64_t>given << 40) + (<uint64_t>1 << 50))
        s.key1, s.key2 = s.key1 + at, s.key2 + mixed(~at)
        s.key1 += s.key1 == 0
        at = s.key1 & (self.size - 1)
        while self.slots[at] != NULL:
            if self.slots[at].key1 == s.key1 and self.slots[at].key2 == s.key2:
                return self.slots[at]
            at = (at + 1) & (self.size - 1)
        v = self.new_curve(s, m, lower < decide)
        v.paths, v.fresh = paths, lower < decide
        v.cut = free_lower < lower
        for j in range(m):
            v.lower[j], v.upper[j], v.test[j] = lower, decide, decision
        if self.counted and m > 1 and lower < decide and not given:
            self.few_leaves(s, price * s.mass + 2 * self.leaf_price, v.lower, m)
            if s.tests < paths and v.lower[m - 1] > free_lower:
                v.cut = 1           # more tests on a path may have more leaves than m
        if self.L and not self.may_stop and not given:
            v.lower[0] = decide
        if s.tests == 0:
            v.fresh = 0
            for j in range(m):
                v.lower[j] = decide
        return v

    cdef Curve *new_curve(self, const Belief *s, int m, int lasts) except NULL nogil:
        """Return a new curve; it lasts if there is memory for it, and is forgotten with its parent if not."""
        cdef Curve *v
        cdef size_t bytes = sizeof(Curve) + m * (2 * sizeof(double) + sizeof(int32_t))
        if lasts and self.taken + <int64_t>bytes + 16 * <int64_t>self.used < self.memory and self.room():
            v = <Curve *>take(&self.kept, bytes)
            self.taken += bytes
            self.states += 1
            v.key1, v.key2 = s.key1, s.key2
            self.place(v)
            self.used += 1
        else:
            v = <Curve *>take(&self.arena, bytes)
        v.m = m
        v.lower = <double *>(v + 1)
        v.upper = v.lower + m
        v.test = <int32_t *>(v.upper + m)
        return v

    cdef int room(self) noexcept nogil:
        """Return whether one more curve can be remembered; the table grows where it may."""
        cdef Curve **before = self.slots
        cdef Curve **after
        cdef uint64_t i, size = self.size
        if 2 * self.used < size:
            return 1
        after = <Curve **>calloc(2 * size, sizeof(Curve *))
        if after == NULL:
            return 4 * self.used < 3 * size
        self.slots, self.size = after, 2 * size
        for i in range(size):
            if before[i] != NULL:
                self.place(before[i])
        free(before)
        return 1

    cdef void place(self, Curve *v) noexcept nogil:
        """Put a curve into the table."""
        cdef uint64_t at = v.key1 & (self.size - 1)
        while self.slots[at] != NULL:
            at = (at + 1) & (self.size - 1)
        self.slots[at] = v

    cdef int longest(self, Belief *s) noexcept nogil:
        """Lower the tests that may still be asked to what matters; return how many that is without a limit."""
        cdef int t, many = 0
        for t in range(self.T):
            many += not bit(s.asked, t)
        if self.plain and not self.failures and not (self.only >= 0 and s.answer < 0):
            if self.L:
                many = min(many, self.L - 1 + self.may_stop)
            if self.certain:
                many = min(many, s.n - 1 + self.may_stop)
        s.tests = min(s.tests, many)
        return many

    cdef int most_leaves(self, const Belief *s) noexcept nogil:
        """Return how many numbers a curve has: more leaves than so many cannot be."""
        cdef int answers = self.A + (self.failures > 0)
        cdef int64_t most = 1
        if not self.L:
            return 1
        for _ in range(s.tests):
            most *= answers
            if most >= self.L:
                most = self.L
                break
        if self.certain and not self.failures:
            most = min(most, s.n)
        return <int>min(most, self.L)

    cdef double decided(self, const Belief *s, int *decision) noexcept nogil:
        """Return what the best decision costs, and T and its number, or -1."""
        cdef double best = INFINITY, loss
        cdef int k, d
        if not self.D:
            return s.decide
        if s.mass < self.least:
            return INFINITY
        if not self.maximum:
            if s.decision >= 0:
                decision[0] = self.T + s.decision
            return s.decide
        for d in range(self.D):
            loss = 0
            for k in range(s.n):
                loss = max(loss, self.loss[<int64_t>s.members[k] * self.D + d])
            if loss < best and loss <= s.budget:
                best, decision[0] = loss, self.T + d
        return best

    cdef double at_least(self, Belief *s, double decide, double price, int branches) except -1 nogil:
        """Return at least what the best tree below a state costs, its leaves too."""
        cdef double bound = 0, paid = decide + self.leaf_price
        cdef int k
        if s.tests == 0 or decide == 0 or price == INFINITY or price > s.budget:
            return paid
        if not self.failures and not self.may_stop and s.mass < 2 * self.least:
            return paid
        if self.maximum:
            for k in range(s.n):
                bound = max(bound, self.own[s.members[k]])
            bound = price if self.may_stop else price + bound
        else:
            self.static_bound(s, price, branches)
            bound = s.lower
            if bound >= s.decide and s.decide < INFINITY:
                return paid
        return min(paid, bound + (1 if self.may_stop else 2) * self.leaf_price)

    cdef int few_leaves(self, const Belief *s, double paid, double *lower, int m) noexcept nogil:
        """Raise the numbers of a curve where something is asked: l leaves decide in at most l ways.

        A cause loses what the best decision for it loses, or if that is none of these at least what the next loses. So
        all lose at least what the next lose, but for what l decisions save, of which each saves so much of its causes.
        """
        cdef const double *row
        cdef double x, total = 0, gain
        cdef int k, d, j, top
        for d in range(self.D):
            self.gains[d] = 0
        for k in range(s.n):
            x = s.x[k] if s.x != NULL else 1
            row = self.rows + <int64_t>s.members[k] * self.row + 2
            total += x * self.second[s.members[k]]
            d = self.best[s.members[k]]
            self.gains[d] += x * (self.second[s.members[k]] - row[d])
        for j in range(m):
            top = 0
            for d in range(1, self.D):
                if self.gains[d] > self.gains[top]:
                    top = d
            gain = self.gains[top]
            self.gains[top] = 0
            total -= gain
            lower[j] = min(max(lower[j], paid + total), max(lower[j], s.decide + self.leaf_price))
        return 0

    cdef int join(self, double *out, const double *a, int am, const double *b, int bm, int most) noexcept nogil:
        """Write the curve of two states side by side; return how many numbers it has, `most` at most."""
        cdef double x
        cdef int i, k, n
        if not self.L:
            out[0] = max(a[0], b[0]) if self.maximum else a[0] + b[0]
            return 1
        n = max(1, min(most, am + bm))
        for i in range(n):
            out[i] = INFINITY
        for i in range(am):
            for k in range(bm):
                if i + k + 1 >= n:
                    break
                x = max(a[i], b[k]) if self.maximum else a[i] + b[k]
                out[i + k + 1] = min(out[i + k + 1], x)
        return n

    cdef int joined(self, const Asked *node, int m, int upper, int without, double *out) except -1 nogil:
        """Write the curve of all states after a test but one; return how many numbers it has, 0: there are none."""
        cdef Mark mark = self.arena.top
        cdef double *other = <double *>take(&self.arena, m * sizeof(double))
        cdef const double *curve
        cdef Curve *v
        cdef int k, n = 0
        for k in range(node.after.count):
            v = node.curves[k]
            curve = v.upper if upper else v.lower
            if k == without:
                continue
            if n == 0:
                n = min(v.m, m)
                memcpy(out, curve, n * sizeof(double))
            else:
                memcpy(other, out, n * sizeof(double))
                n = self.join(out, other, n, curve, v.m, m)
        arena_release(&self.arena, mark)
        return n

    cdef int sum_up(self, const Asked *node, int m, int upper, double *total) except -1 nogil:
        """Write what a test costs by the number of leaves: at least, or what the best trees known take."""
        cdef Mark mark = self.arena.top
        cdef double *out = <double *>take(&self.arena, m * sizeof(double))
        cdef int j, at, n = self.joined(node, m, upper, -1, out)
        for j in range(m):
            at = j - node.over if self.L else 0
            if n == 0:
                total[j] = node.paid if at >= -1 else INFINITY
            elif at < 0:
                total[j] = INFINITY
            else:
                total[j] = node.paid + out[min(at, n - 1)]
        arena_release(&self.arena, mark)
        return 0
