# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled search of trees whose leaves are limited; `reference_leaves` is the plain twin, with the contract.

Dynamic programming over beliefs, as DL8 (Nijssen and Fromont 2007) does over sets of examples, each with a curve of
values by the number of leaves. Trees of one test on a path come first, then of two, and so on, until no path would
go further: so there is a good tree soon, and what is known of it cuts the next.

*Cuts.* Each number of a curve has a lower bound and what some tree takes. A test is dropped where for each number of
leaves its bound is not below what is wanted (`beta`) or known. The bound joins bounds of the states after it, which
are true without limits (`belief`), and 2 more leaves at least are paid where something is asked: a tree with one leaf
asks nothing, unless an answer ends the path, as to decide the same at once costs no more. Of a state after a test, the
curve is wanted at i leaves only below the largest of what is wanted at j less the bound of the others with j - i. When
all are known so far, the joined curve is exact wherever it is below what is wanted: where the best sharing has i
leaves, the bound of that state is below what was wanted there, and so it is its value.

A state is not split where its mass is below twice the least of a leaf: the masses of leaves add up to it, unless tests
fail to answer. *Paths.* Where tests have neither groups nor needs, one that may help leaves two states or ends the
path; so l leaves need no path longer than l - 1, and n causes with certain answers none longer than n - 1, or one more
where an answer may end it. A first test that is given may help or not, so there that does not hold.
"""

from libc.math cimport INFINITY, rint
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy, memset

from guesstree.cext.core cimport Mark, alone, arena_release, flag_get, flag_set, mixed, take
from guesstree.cext.belief cimport AndNode, Belief, bit, set_bit
from guesstree.cext.curves cimport Asked, Curve, CurveModel

from .outcome import Outcome

INFINITE = float("inf")
MOST_TESTS = 1 << 30


cdef int by_order(const void *a, const void *b) noexcept nogil:
    cdef const Asked *x = <const Asked *>a
    cdef const Asked *y = <const Asked *>b
    if x.order != y.order:
        return -1 if x.order < y.order else 1
    return x.after.test - y.after.test


cdef class Searcher(CurveModel):
    """See `reference_leaves.Searcher`."""

    cdef int most               # tests on a path
    cdef int depth              # those of the best tree
    cdef int stop_flag, busy
    cdef readonly int64_t evaluations
    cdef double seen_lower, seen_upper
    cdef int seen_test

    def __cinit__(self, *args, **kwargs):
        self.busy = 0

    def __init__(self, *, starts, answers, shares, prints, kinds, prices, later, groups, ends, after, begin, rows,
                 overlap, apart, lost, points, bint even, bint whole, bint worst, int failures=0, int silent=-1,
                 double limit=INFINITY, int tests=MOST_TESTS, int jobs=1, int64_t memory=1 << 30, int leaves=0,
                 double least=0, double price=0, bint maximum=False, int first=-1):
        if self.made:
            raise TypeError("a searcher is made once")
        if not whole or worst or even or points is not None:
            raise ValueError("the kernel needs whole numbers, with masses and their prints, and no points")
        self.starts_, self.answers_, self.shares_, self.prints_ = starts, answers, shares, prints
        self.kinds_, self.prices_, self.later_, self.groups_ = kinds, prices, later, groups
        self.ends_, self.after_, self.begin_, self.rows_ = ends, after, begin, rows
        self.overlap_, self.apart_, self.lost_, self.points_ = overlap, apart, lost, points
        self.even, self.whole, self.worst = 0, 1, 0
        self.failures, self.silent, self.limit, self.most_tests = failures, silent, limit, MOST_TESTS
        self.prepare()
        self.L, self.least, self.leaf_price, self.maximum, self.only = leaves, least, price, maximum, first
        self.most = min(tests, self.T)
        self.prepare_curves(memory)
        self.depth = self.stop_flag = 0
        self.evaluations = 0
        self.seen_lower, self.seen_upper, self.seen_test = 0, INFINITY, -1

    # ---- what is asked of it -------------------------------------------------------------------------------------

    @property
    def entries(self):
        """States remembered."""
        return self.used

    def stop(self):
        """End a search that runs in another thread."""
        flag_set(&self.stop_flag, 1)

    def seen(self):
        """Return what is known of the game."""
        return Outcome(self.seen_lower, self.seen_upper, self.seen_test, "")

    def find(self, double beta=INFINITY, int depth=0):
        """See `reference_leaves.Searcher.find`."""
        cdef Belief s
        cdef Curve *v
        cdef double *wanted
        cdef Mark mark
        cdef int d, most = min(self.most, depth) if depth else self.most
        cdef double lower = 0
        self.busy = alone(self.busy)
        mark = self.arena.top
        try:
            flag_set(&self.stop_flag, 0)
            self.seen_lower, self.seen_upper, self.seen_test = 0, INFINITY, -1
            for d in range(most + 1):
                arena_release(&self.arena, mark)
                self.begin_at(&s, d)
                v = self.curve(&s, self.cheapest(&s), self.A)
                wanted = <double *>take(&self.arena, v.m * sizeof(double))
                memset(wanted, 0, v.m * sizeof(double))
                wanted[v.m - 1] = min(beta, self.seen_upper)
                with nogil:
                    self.look(&s, v, wanted)
                if v.upper[v.m - 1] < self.seen_upper or d == 0:
                    self.seen_upper, self.seen_test, self.depth = v.upper[v.m - 1], v.test[v.m - 1], d
                if flag_get(&self.stop_flag):
                    return Outcome(lower, self.seen_upper, self.seen_test, "stopped")
                if not v.cut or d == most:
                    lower = min(v.lower[v.m - 1], self.seen_upper)
                    self.seen_lower = lower
                    return Outcome(lower, self.seen_upper, self.seen_test, "")
        finally:
            arena_release(&self.arena, mark)
            self.busy = 0

    def below(self, history, int leaves):
        """See `reference_leaves.Searcher.below`."""
        cdef Belief s
        cdef Curve *v
        cdef Asked node
        cdef Mark mark
        cdef int k, j, t
        self.busy = alone(self.busy)
        mark = self.arena.top
        try:
            flag_set(&self.stop_flag, 0)
            v = self.go_to(history, &s)
            j = min(leaves, v.m) - 1 if self.L else 0
            t = v.test[j]
            if t < 0 or t >= self.T:
                return t, [], 0
            if not self.ask(&s, t, &node, INFINITY, self.A):
                return -1, [], 0
            found = []
            for k in range(node.after.count):
                v = self.ready(node.after.after + k, node.curves[k])
                found.append((node.after.after[k].answer, [v.upper[j] for j in range(v.m)]))
            return t, found, node.over
        finally:
            arena_release(&self.arena, mark)
            self.busy = 0

    cdef int begin_at(self, Belief *s, int depth) except -1:
        """Go to the state before the first test, with so many tests on a path."""
        self.replay((), s)
        s.tests = depth
        return 0

    cdef Curve *go_to(self, history, Belief *s) except NULL:
        """Go to a state of the best tree, and look at it where it was forgotten."""
        cdef AndNode node
        cdef Belief *here
        cdef Curve *v
        cdef int i
        self.begin_at(s, self.depth)
        v = self.curve(s, self.cheapest(s), self.A)
        for test, answer in history:
            self.split(s, test, &node)
            here = NULL
            for i in range(node.count):
                if node.after[i].answer == answer:
                    here = node.after + i
            if here == NULL:
                raise ValueError(f"test {test} cannot get answer {answer} there, or ends with it")
            s[0] = here[0]
            v = self.curve(s, self.cheapest(s), self.A)
        return self.ready(s, v)

    cdef Curve *ready(self, Belief *s, Curve *v) except NULL:
        """Look at a state that was forgotten, or never was known."""
        cdef double *wanted
        cdef int j
        if v.fresh:
            wanted = <double *>take(&self.arena, v.m * sizeof(double))
            for j in range(v.m):
                wanted[j] = INFINITY
            self.look(s, v, wanted)
        return v

    # ---- the search ----------------------------------------------------------------------------------------------

    cdef int look(self, Belief *s, Curve *v, const double *beta) except -1 nogil:
        """Raise the curve of a state until each number is beta or more, or what some tree takes."""
        cdef Mark mark = self.arena.top
        cdef Asked *nodes
        cdef int32_t *live
        cdef uint64_t *asked
        cdef uint64_t *before = s.asked
        cdef int i, j, t, count = 0, many = 0, branches = 0, wanted = 0
        for j in range(v.m):
            wanted |= v.lower[j] < min(beta[j], v.upper[j])
        if not wanted or flag_get(&self.stop_flag):
            return 0
        self.evaluations += 1
        v.fresh = 0
        live = <int32_t *>take(&self.arena, self.T * sizeof(int32_t))
        asked = <uint64_t *>take(&self.arena, self.asked_words * sizeof(uint64_t))
        count = self.choose(s, asked, live)
        for i in range(count):
            branches = max(branches, self.most_answers(s, live[i]))
        if s.tests == 1 and self.D and not self.maximum and not self.failures and self.limit == INFINITY:
            self.last(s, v, live, count)
            arena_release(&self.arena, mark)
            return 0
        s.asked = asked
        nodes = <Asked *>take(&self.arena, (count + 1) * sizeof(Asked))
        for i in range(count):
            t = live[i]
            if self.askable(s, t) and self.price(s, t) <= s.budget:
                if self.ask(s, t, nodes + many, self.other_price(live, count, t), branches):
                    if not self.repeated(nodes, many):
                        nodes[many].total = <double *>take(&self.arena, v.m * sizeof(double))
                        self.sum_up(nodes + many, v.m, 0, nodes[many].total)
                        many += 1
        s.asked = before
        qsort(nodes, many, sizeof(Asked), by_order)
        for i in range(many):
            self.follow(nodes + i, v, beta)
            if flag_get(&self.stop_flag):
                break
        else:
            for j in range(v.m):
                v.lower[j] = max(v.lower[j], min(beta[j], v.upper[j]))
        arena_release(&self.arena, mark)
        return 0

    cdef int choose(self, Belief *s, uint64_t *asked, int32_t *live) except -1 nogil:
        """Write the tests that may help, and what children take as asked; return how many there are."""
        cdef uint64_t *useful = <uint64_t *>take(&self.arena, self.W * sizeof(uint64_t))
        cdef int t, count = 0
        memcpy(asked, s.asked, self.asked_words * sizeof(uint64_t))
        self.useful(s, useful)
        for t in range(self.T):
            if self.only >= 0 and s.answer < 0:
                if t == self.only:
                    live[count] = t
                    count += 1
            elif bit(useful, t):
                live[count] = t
                count += 1
            else:
                set_bit(asked, t)   # it does not help from here on
        return count

    cdef double other_price(self, const int32_t *live, int count, int test) noexcept nogil:
        """Return what the cheapest of some tests but one may cost."""
        cdef double best = INFINITY
        cdef int i, t
        if self.only >= 0:
            return 0
        for i in range(count):
            t = live[i]
            if t != test:
                best = min(best, self.later[t] if self.groups[t] >= 0 else self.prices[t])
        return best

    cdef int ask(self, Belief *s, int t, Asked *node, double price, int branches) except -1 nogil:
        """Make the states after a test; return whether each may hold a leaf."""
        cdef Belief *c
        cdef int k
        self.split(s, t, &node.after)
        node.paid, node.over = self.price(s, t) * (1 if self.maximum else s.mass), 0
        for k in range(node.after.count):
            if node.after.after[k].mass < self.least:
                return 0
        if self.ending[t] and not self.ended(s, t, &node.over):
            return 0
        node.paid += node.over * self.leaf_price
        if self.L and node.over + node.after.count > self.L:
            return 0
        node.curves = <Curve **>take(&self.arena, node.after.count * sizeof(Curve *))
        node.order = node.paid
        for k in range(node.after.count):
            c = node.after.after + k
            node.curves[k] = self.curve(c, price, branches)
            node.order += node.curves[k].upper[node.curves[k].m - 1]
        return 1

    cdef int ended(self, const Belief *s, int t, int *over) except -1 nogil:
        """Count the answers that end the path; return whether all have the mass of a leaf."""
        cdef Mark mark = self.arena.top
        cdef double *mass = <double *>take(&self.arena, self.A * sizeof(double))
        cdef int64_t cell
        cdef double x
        cdef int k, e, a, enough = 1
        memset(mass, 0, self.A * sizeof(double))
        for k in range(s.n):
            cell = <int64_t>t * self.C + s.members[k]
            x = (s.x[k] if s.x != NULL else 1) * self.rows[<int64_t>s.members[k] * self.row]
            for e in range(self.starts[cell], self.starts[cell + 1]):
                mass[self.answers[e]] += x if s.x == NULL else rint(x * self.shares[e])
        for a in range(self.A):
            if self.ends[t * self.A + a] and mass[a] > 0:
                over[0] += 1
                enough &= mass[a] >= self.least
        arena_release(&self.arena, mark)
        return enough

    cdef int repeated(self, Asked *nodes, int many) noexcept nogil:
        """Return whether a test says the same as one before it that is no dearer, see `noisy.repeated`."""
        cdef AndNode *new = &nodes[many].after
        cdef uint64_t signature = 0
        cdef int k, t = new.test
        new.signature = 0
        if self.groups[t] >= 0 or self.ending[t] or self.after != NULL:
            return 0
        for k in range(new.count):
            signature += mixed(self.hashed(new.after + k))
        new.signature = signature + (signature == 0)
        for k in range(many):
            if nodes[k].after.signature == new.signature and nodes[k].after.count == new.count:
                if self.prices[nodes[k].after.test] <= self.prices[t]:
                    return 1
        return 0

    cdef int follow(self, Asked *node, Curve *v, const double *beta) except -1 nogil:
        """Look at the states after a test as far as it may be better, and keep what is better."""
        cdef Mark mark = self.arena.top
        cdef double *bound = <double *>take(&self.arena, v.m * sizeof(double))
        cdef double *room
        cdef Curve *c
        cdef int j, k, may
        for k in range(node.after.count + 1):
            may = 0
            for j in range(v.m):
                bound[j] = min(beta[j], v.upper[j])
                may |= node.total[j] < bound[j]
            if not may or k == node.after.count:
                break
            c = node.curves[k]
            room = <double *>take(&self.arena, c.m * sizeof(double))
            self.room_for(node, k, bound, v.m, room)
            self.look(node.after.after + k, c, room)
            self.sum_up(node, v.m, 0, node.total)
        for k in range(node.after.count):   # their bounds may hold for so many tests alone
            v.cut |= node.curves[k].cut
        self.sum_up(node, v.m, 1, bound)
        for j in range(v.m):
            if bound[j] < v.upper[j]:
                v.upper[j], v.test[j] = bound[j], node.after.test
        arena_release(&self.arena, mark)
        return 0

    cdef int room_for(self, const Asked *node, int k, const double *bound, int m, double *room) except -1 nogil:
        """Write below what the curve of a state after a test is wanted, by the bounds of the others."""
        cdef Mark mark = self.arena.top
        cdef double *rest = <double *>take(&self.arena, m * sizeof(double))
        cdef double most, left
        cdef int i, j, at, n = self.joined(node, m, 0, k, rest)
        for i in range(node.curves[k].m):
            most = 0
            for j in range(m):
                left = bound[j] - node.paid
                at = j - node.over - i - (n > 0) if self.L else 0
                if at < 0 or left <= 0:
                    continue
                if n and self.maximum:
                    left = left if rest[min(at, n - 1)] < left else 0
                elif n:
                    left = left - rest[min(at, n - 1)] if rest[min(at, n - 1)] < INFINITY else 0
                most = max(most, left)
            room[i] = most
        arena_release(&self.arena, mark)
        return 0

    cdef int last(self, Belief *s, Curve *v, const int32_t *live, int count) except -1 nogil:
        """Value a state below which one test may be asked: every answer ends with the best decision."""
        cdef double *lost = <double *>take(&self.arena, self.A * self.D * sizeof(double))
        cdef double *mass = <double *>take(&self.arena, self.A * sizeof(double))
        cdef const double *row
        cdef double x, total, best
        cdef int64_t cell
        cdef int i, k, e, a, d, t, leaves
        for i in range(count):
            t = live[i]
            if not self.askable(s, t):
                continue
            memset(lost, 0, self.A * self.D * sizeof(double))
            memset(mass, 0, self.A * sizeof(double))
            for k in range(s.n):
                cell = <int64_t>t * self.C + s.members[k]
                row = self.rows + <int64_t>s.members[k] * self.row
                for e in range(self.starts[cell], self.starts[cell + 1]):
                    a = self.answers[e]
                    x = 1 if s.x == NULL else rint(s.x[k] * self.shares[e])
                    mass[a] += x * row[0]
                    for d in range(self.D):
                        lost[a * self.D + d] += x * row[2 + d]
            total, leaves = self.price(s, t) * s.mass, 0
            for a in range(self.A):
                if mass[a] > 0:
                    leaves += 1
                    best = INFINITY
                    if self.ends[t * self.A + a]:
                        best = 0
                    else:
                        for d in range(self.D):
                            best = min(best, lost[a * self.D + d])
                    total += best + self.leaf_price if mass[a] >= self.least else INFINITY
            for k in range(leaves - 1 if self.L else 0, v.m):
                if total < v.upper[k]:
                    v.upper[k], v.test[k] = total, t
        for k in range(v.m):
            v.lower[k] = v.upper[k]
        v.cut = v.paths > 1
        return 0
