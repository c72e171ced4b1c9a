# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled search of models whose tests split masses; `reference_masses` is the plain twin, with the contract."""

import numpy as np

from libc.math cimport INFINITY, log2
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, qsort
from libc.string cimport memcpy, memset

from guesstree.cext.core cimport (
    Arena, Mark, SPENT, STOPPED, arena_free, arena_new, arena_release, countdown_place, flag_get, flag_set, mixed,
    out_of_memory, splitmix, take,
)

from .outcome import Outcome


cdef extern from "masses.h" nogil:
    ctypedef struct Entry:
        double lower
        double upper
        double mass
        int32_t test
        int16_t depth
        int16_t width
    ctypedef struct Store:
        Entry *slots
        uint64_t used
    int store_new(Store *store, uint64_t bytes, int64_t *countdown)
    Entry *store_find(const Store *store, uint64_t key1, uint64_t key2)
    Entry *store_enter(Store *store, uint64_t key1, uint64_t key2)
    double for_mass(double value, double before, double after, int whole)
    void sort_doubles(double *values, int n)
    double huffman(double *values, int n, int symbols)


INFINITE = float("inf")
ENDED = {0: "", STOPPED: "stopped", SPENT: "budget"}


cdef enum:
    DEEP = 1 << 14      # more questions than any path has
    TURN = 1 << 12      # evaluations of the first turn

cdef int64_t MOST = <int64_t>1 << 62


cdef struct State:
    int32_t *members
    double *x           # masses by the share of each cause that is here; NULL: all of it, always
    uint64_t *prints    # two words for each member; NULL: what was asked tells them
    uint64_t *asked     # bits of tests, then of groups that are open
    int n
    int answer
    int decision        # the best, -1: none is allowed
    int depth           # questions looked ahead
    double mass
    double least        # what is lost whatever is decided
    double decide       # what the best decision loses
    uint64_t key1
    uint64_t key2
    double lower
    double upper


cdef struct Ask:
    State *after
    double total        # at least what is paid when this test is the first
    double paid
    double gain
    int test
    int few             # states after it
    uint64_t own        # of the states after it, 0: it has no equal


cdef int by_total(const void *a, const void *b) noexcept nogil:
    cdef const Ask *x = <const Ask *>a
    cdef const Ask *y = <const Ask *>b
    if x.total != y.total:
        return -1 if x.total < y.total else 1
    return x.test - y.test


cdef int by_gain(const void *a, const void *b) noexcept nogil:
    cdef const Ask *x = <const Ask *>a
    cdef const Ask *y = <const Ask *>b
    if x.gain != y.gain:
        return -1 if x.gain > y.gain else 1
    return x.test - y.test


cdef inline int bit(const uint64_t *words, int i) noexcept nogil:
    return (words[i >> 6] >> (i & 63)) & 1


cdef inline void set_bit(uint64_t *words, int i) noexcept nogil:
    words[i >> 6] |= <uint64_t>1 << (i & 63)


cdef class Searcher:
    """See `reference_masses.Searcher`."""

    cdef Arena arena
    cdef Store store
    cdef int made, stored
    cdef int C, T, A, D, W, words, row, groups_many
    cdef int certain, even, whole, worst, stops, classes, full, stop_flag
    cdef int64_t limit, turn
    cdef readonly int64_t states, evaluations
    cdef const int32_t[::1] starts_, answers_, groups_
    cdef const int32_t[:, ::1] kinds_, single_
    cdef const double[::1] shares_, prices_, later_, begin_
    cdef const uint64_t[:, ::1] prints_, overlap_, after_
    cdef const uint8_t[:, ::1] ends_
    cdef const double[:, ::1] rows_, apart_
    cdef const int32_t *starts
    cdef const int32_t *answers
    cdef const int32_t *groups
    cdef const int32_t *kinds
    cdef const int32_t *single
    cdef const double *shares
    cdef const double *prices
    cdef const double *later
    cdef const double *begin
    cdef const double *rows
    cdef const double *apart
    cdef const uint64_t *prints
    cdef const uint64_t *overlap
    cdef const uint64_t *after
    cdef const uint8_t *ends
    cdef uint8_t *ending        # tests with an answer that ends the path
    cdef uint8_t *given         # answers that somebody may give and that go on, by test
    cdef uint8_t *kept          # tests that belong to the state once asked, whatever they tell
    cdef uint64_t *unsure       # bits of tests some of whose cells have several answers
    cdef uint64_t *z            # two words for each cause, test, group
    cdef int32_t *best          # decision for each cause
    cdef double *sums           # of masses for each decision, 0 between uses
    cdef double seen_lower, seen_upper
    cdef int seen_test

    def __cinit__(self, *args, **kwargs):
        self.made = self.stored = 0

    def __init__(self, *, starts, answers, shares, prints, kinds, single, prices, later, groups, ends, after, begin,
                 rows, overlap, apart, bint even, bint whole, bint worst, int64_t memory=1 << 30):
        cdef int i
        cdef uint64_t seed = 1
        if self.made:
            raise TypeError("a searcher is made once")
        if not arena_new(&self.arena, countdown_place()):
            out_of_memory()
        self.made = 1
        if not store_new(&self.store, memory, countdown_place()):
            out_of_memory()
        self.stored = 1
        self.starts_, self.answers_, self.shares_, self.prints_ = starts, answers, shares, prints
        self.kinds_, self.single_, self.prices_, self.later_, self.groups_ = kinds, single, prices, later, groups
        self.ends_, self.after_, self.begin_, self.rows_ = ends, after, begin, rows
        self.T, self.C = kinds.shape
        self.A, self.row, self.D = ends.shape[1], rows.shape[1], rows.shape[1] - 2
        self.starts, self.kinds = &self.starts_[0], &self.kinds_[0, 0]
        self.answers, self.shares, self.prints = &self.answers_[0], &self.shares_[0], &self.prints_[0, 0]
        self.prices, self.later, self.groups = &self.prices_[0], &self.later_[0], &self.groups_[0]
        self.ends, self.begin, self.rows = &self.ends_[0, 0], &self.begin_[0], &self.rows_[0, 0]
        self.certain = single is not None
        self.single = &self.single_[0, 0] if self.certain else NULL
        self.after = &self.after_[0, 0] if after is not None else NULL
        self.overlap = self.apart = NULL
        self.words = (self.C + 63) // 64
        if overlap is not None:
            self.overlap_ = overlap
            self.overlap = &self.overlap_[0, 0]
        if apart is not None:
            self.apart_ = apart
            self.apart = &self.apart_[0, 0]
        self.even, self.whole, self.worst = even, whole, worst
        self.groups_many = max(-1, *groups) + 1
        self.W = (self.T + 63) // 64
        self.prepare()
        self.z = <uint64_t *>take(&self.arena, 2 * (self.C + self.T + self.groups_many) * sizeof(uint64_t))
        for i in range(2 * (self.C + self.T + self.groups_many)):
            self.z[i] = splitmix(&seed)
        self.states = self.evaluations = self.full = self.stop_flag = 0
        self.seen_lower, self.seen_upper, self.seen_test = 0, INFINITY, -1

    def __dealloc__(self):
        if self.stored:
            free(self.store.slots)
        if self.made:
            arena_free(&self.arena)

    cdef int prepare(self) except -1:
        """Note what each test is."""
        cdef int t, i, a, d, e
        self.ending = <uint8_t *>take(&self.arena, self.T)
        self.kept = <uint8_t *>take(&self.arena, self.T)
        self.given = <uint8_t *>take(&self.arena, self.T * self.A)
        memset(self.given, 0, self.T * self.A)
        self.unsure = <uint64_t *>take(&self.arena, self.W * sizeof(uint64_t))
        self.best = <int32_t *>take(&self.arena, self.C * sizeof(int32_t))
        self.sums = <double *>take(&self.arena, (self.D + 1) * sizeof(double))
        memset(self.sums, 0, (self.D + 1) * sizeof(double))
        memset(self.unsure, 0, self.W * sizeof(uint64_t))
        for i in range(self.C):
            self.best[i] = 0
            for d in range(1, self.D):
                if self.rows[i * self.row + 2 + d] < self.rows[i * self.row + 2 + self.best[i]]:
                    self.best[i] = d
            self.sums[self.best[i]] = 1
        self.classes = self.stops = 0
        for d in range(self.D):
            self.classes += self.sums[d] == 1
        memset(self.sums, 0, (self.D + 1) * sizeof(double))
        for t in range(self.T):
            self.ending[t] = 0
            for a in range(self.A):
                self.ending[t] |= self.ends[t * self.A + a]
            self.kept[t] = self.ending[t]
            self.stops |= self.ending[t]
        for t in range(self.T):
            for i in range(self.C):
                if self.starts[t * self.C + i + 1] > self.starts[t * self.C + i] + 1:
                    set_bit(self.unsure, t)
                for e in range(self.starts[t * self.C + i], self.starts[t * self.C + i + 1]):
                    self.given[t * self.A + self.answers[e]] = not self.ends[t * self.A + self.answers[e]]
            for a in range(self.T):
                if self.after != NULL and bit(self.after + t * self.W, a):
                    self.kept[a] = 1
        return 0

    # ---- what is asked of it -------------------------------------------------------------------------------------

    @property
    def entries(self):
        """States remembered."""
        return self.store.used

    def stop(self):
        """End a search that runs in another thread."""
        flag_set(&self.stop_flag, STOPPED)

    def seen(self):
        """Return what is known of the state that is searched."""
        return Outcome(self.seen_lower, self.seen_upper, self.seen_test, "")

    def search(self, history=(), double beta=INFINITY, int64_t budget=0, int width=0):
        """See `reference_masses.Searcher.search`."""
        cdef State s
        cdef Mark mark = self.arena.top
        self.limit, self.turn = self.evaluations + budget if budget else 0, 0
        flag_set(&self.stop_flag, 0)
        try:
            self.replay(history, &s)
            self.seen_lower, self.seen_upper, self.seen_test = s.lower, s.upper, self.first(&s)
            with nogil:
                self.run(&s, beta, width)
            return Outcome(s.lower, s.upper, self.first(&s), ENDED[self.stop_flag])
        finally:
            arena_release(&self.arena, mark)

    def bound(self, history=()):
        """See `reference_masses.Searcher.bound`."""
        cdef State s
        cdef Mark mark = self.arena.top
        try:
            self.replay(history, &s)
            return s.lower, s.upper
        finally:
            arena_release(&self.arena, mark)

    def choice(self, history=()):
        """See `reference_masses.Searcher.choice`."""
        cdef State s
        cdef Mark mark = self.arena.top
        try:
            self.replay(history, &s)
            if self.full and store_find(&self.store, s.key1, s.key2) == NULL:
                flag_set(&self.stop_flag, 0)
                self.limit = 0
                with nogil:
                    self.run(&s, INFINITY, 0)
            return self.first(&s)
        finally:
            arena_release(&self.arena, mark)

    def asks(self, history=()):
        """See `reference_masses.Searcher.asks`."""
        cdef State s
        cdef Mark mark = self.arena.top
        cdef Ask *asks
        cdef int many, i, k
        try:
            self.replay(history, &s)
            asks = self.expand(&s, &many)
            return (s.key1, s.key2), [
                (asks[i].test, [(asks[i].after[k].answer, asks[i].after[k].lower) for k in range(asks[i].few)])
                for i in range(many)
            ]
        finally:
            arena_release(&self.arena, mark)

    cdef int first(self, const State *s) noexcept nogil:
        """Return the first test of the best strategy known, T and the decision, or -1: there is none, or none is needed."""
        cdef const Entry *known = store_find(&self.store, s.key1, s.key2)
        if s.upper == INFINITY:
            return -1
        if known != NULL:
            return known.test
        return self.T + s.decision if s.decision >= 0 else -1

    cdef int replay(self, history, State *s) except -1:
        """Go to the state after some tests and answers; the root after none."""
        cdef int i
        cdef Ask ask
        cdef State *here
        s.n, s.answer, s.depth = self.C, -1, 0
        s.members = <int32_t *>take(&self.arena, self.C * sizeof(int32_t))
        s.x, s.prints = NULL, NULL
        if not self.certain:
            s.x = <double *>take(&self.arena, self.C * sizeof(double))
            if not self.even:
                s.prints = <uint64_t *>take(&self.arena, 2 * self.C * sizeof(uint64_t))
                memset(s.prints, 0, 2 * self.C * sizeof(uint64_t))
        s.asked = <uint64_t *>take(&self.arena, (self.W + self.groups_many // 64 + 1) * sizeof(uint64_t))
        memset(s.asked, 0, (self.W + self.groups_many // 64 + 1) * sizeof(uint64_t))
        for i in range(self.C):
            s.members[i] = i
            if s.x != NULL:
                s.x[i] = self.begin[i]
        self.weigh(s)
        self.static(s, self.cheapest(s), self.A)
        self.name(s)
        for test, answer in history:
            self.split(s, test, &ask)
            here = NULL
            for i in range(ask.few):
                if ask.after[i].answer == answer:
                    here = ask.after + i
            if here == NULL:
                raise ValueError(f"test {test} cannot get answer {answer} there, or ends with it")
            s[0] = here[0]
            self.static(s, self.cheapest(s), self.A)
            self.name(s)
        self.probe(s)
        return 0

    cdef double cheapest(self, const State *s) noexcept nogil:
        """Return what the cheapest test costs that may still be asked."""
        cdef double best = INFINITY
        cdef int t
        for t in range(self.T):
            if not bit(s.asked, t):
                best = min(best, self.later[t] if self.groups[t] >= 0 else self.prices[t])
        return best

    # ---- states --------------------------------------------------------------------------------------------------

    cdef inline int is_open(self, const State *s, int group) noexcept nogil:
        return bit(s.asked + self.W, group)

    cdef inline double price(self, const State *s, int t) noexcept nogil:
        cdef int group = self.groups[t]
        return self.later[t] if group >= 0 and self.is_open(s, group) else self.prices[t]

    cdef inline int telling(self, const State *s, int t) noexcept nogil:
        """Return whether the answer to a test says anything of who is possible; for the worst case, in any case."""
        cdef const int32_t *kinds = self.kinds + <int64_t>t * self.C
        cdef int32_t first = kinds[s.members[0]]
        cdef int k
        for k in range(1, s.n):
            if kinds[s.members[k]] != first:
                return not self.worst or self.splits(s, t)
        return 0

    cdef int splits(self, const State *s, int t) noexcept nogil:
        """Return whether no answer that goes on is possible for all."""
        cdef int64_t base = <int64_t>t * self.C
        cdef int e, k, a, i = s.members[0]
        for e in range(self.starts[base + i], self.starts[base + i + 1]):
            a = self.answers[e]
            if not self.ends[t * self.A + a]:
                k = 1
                while k < s.n and self.may(base + s.members[k], a):
                    k += 1
                if k == s.n:
                    return 0
        return 1

    cdef inline int may(self, int64_t cell, int a) noexcept nogil:
        cdef int e
        for e in range(self.starts[cell], self.starts[cell + 1]):
            if self.answers[e] == a:
                return 1
        return 0

    cdef int opens(self, const State *s, int t) noexcept nogil:
        """Return whether a test makes another cheaper that may still help."""
        cdef int u, group = self.groups[t]
        if group < 0 or self.is_open(s, group):
            return 0
        for u in range(self.T):
            if u != t and self.groups[u] == group and not bit(s.asked, u) and self.later[u] < self.prices[u]:
                if self.kept[u] or self.telling(s, u):
                    return 1
        return 0

    cdef inline int askable(self, const State *s, int t) noexcept nogil:
        """Return whether all tests were asked that must be before this one."""
        cdef int w
        if self.after != NULL:
            for w in range(self.W):
                if self.after[t * self.W + w] & ~s.asked[w]:
                    return 0
        return 1

    cdef void weigh(self, State *s) noexcept nogil:
        """Set what the state loses whatever is decided, what the best decision loses, and the mass."""
        cdef const double *row
        cdef double x, loss
        cdef int k, d
        s.mass = s.least = 0
        s.decide, s.decision = INFINITY, -1
        for k in range(s.n):
            row = self.rows + <int64_t>s.members[k] * self.row
            x = s.x[k] if s.x != NULL else 1
            s.mass += x * row[0]
            s.least = max(s.least, x * row[1]) if self.worst else s.least + x * row[1]
        for d in range(self.D):
            loss = 0
            for k in range(s.n):
                x = s.x[k] if s.x != NULL else 1
                row = self.rows + <int64_t>s.members[k] * self.row
                loss = max(loss, x * row[2 + d]) if self.worst else loss + x * row[2 + d]
            if loss < s.decide:
                s.decide, s.decision = loss, d
        if self.worst:
            s.mass = 1
        if not self.D and self.settled(s):
            s.decide = 0

    cdef int settled(self, const State *s) noexcept nogil:
        """Return whether the causes may be named together."""
        cdef int k, j
        if s.n <= 1:
            return 1
        if self.overlap == NULL:
            return 0
        for k in range(s.n):
            for j in range(k + 1, s.n):
                if not bit(self.overlap + <int64_t>s.members[k] * self.words, s.members[j]):
                    return 0
        return 1

    cdef int name(self, State *s) except -1 nogil:
        """Set the key of a state: all that its value depends on, but a factor of the masses."""
        cdef uint64_t key1 = 0, key2 = 0, word, one1 = 0, one2 = 0
        cdef const uint64_t *z
        cdef int k, t, w, g
        if s.prints != NULL:
            one1, one2 = s.prints[0], s.prints[1]
            for k in range(s.n):
                z = self.z + 2 * s.members[k]
                key1 += mixed(z[0] + s.prints[2 * k] - one1)
                key2 += mixed(z[1] + s.prints[2 * k + 1] - one2)
        else:
            for k in range(s.n):
                z = self.z + 2 * s.members[k]
                key1 += z[0]
                key2 += z[1]
        z = self.z + 2 * self.C
        for w in range(self.W):
            word = s.asked[w]
            t = 64 * w
            while word:
                if word & 1 and (self.kept[t] or (bit(self.unsure, t) and not self.worst and self.telling(s, t))):
                    key1 += z[2 * t]
                    key2 += z[2 * t + 1]
                word >>= 1
                t += 1
        for g in range(self.groups_many):
            if self.is_open(s, g):
                for t in range(self.T):
                    if self.groups[t] == g and not bit(s.asked, t) and self.later[t] < self.prices[t] and (
                            self.kept[t] or self.telling(s, t)):
                        key1 += z[2 * (self.T + g)]
                        key2 += z[2 * (self.T + g) + 1]
                        break
        s.key1, s.key2 = key1 + (key1 == 0), key2
        return 0

    # ---- bounds --------------------------------------------------------------------------------------------------

    cdef int static(self, State *s, double price, int branches) except -1 nogil:
        """Bound a state whose next test costs at least this and none has more answers."""
        cdef double bound = INFINITY
        s.upper = s.decide
        if price < INFINITY and s.decide > 0:
            bound = max(price * s.mass, s.least) if self.stops else price * s.mass + s.least
            if not self.D and not self.stops:
                bound = self.naming(s, price, branches)
        s.lower = min(s.decide, bound)
        return 0

    cdef double naming(self, const State *s, double price, int branches) except -1 nogil:
        """Return at least what it costs to name who it is, where every test costs this or more."""
        cdef Mark mark = self.arena.top
        cdef double *parts = <double *>take(&self.arena, s.n * sizeof(double))
        cdef double bound = 0, paid, most
        cdef int many, k, j
        many = self.components(s, parts)
        if self.worst:
            if many > 1 and branches > 1:
                bound, paid = 0, 1
                while paid < many:
                    paid *= branches
                    bound += price
        elif many > 1 and branches > 1:
            sort_doubles(parts, many)
            bound = price * huffman(parts, many, branches)
        if self.apart != NULL and s.n <= 64:
            paid = 0
            for k in range(s.n):
                most = 0
                for j in range(s.n):
                    most = max(most, self.apart[<int64_t>s.members[k] * self.C + s.members[j]])
                if self.worst:
                    paid = max(paid, most)
                else:
                    paid += most * (s.x[k] if s.x != NULL else 1) * self.rows[<int64_t>s.members[k] * self.row]
            bound = max(bound, paid)
        arena_release(&self.arena, mark)
        return bound

    cdef int components(self, const State *s, double *parts) except -1 nogil:
        """Write the masses of the connected parts of the overlaps; return how many there are."""
        cdef int32_t *root
        cdef double mass
        cdef int k, j, a, b, many = 0
        cdef const uint64_t *row
        for k in range(s.n):
            parts[k] = (s.x[k] if s.x != NULL else 1) * self.rows[<int64_t>s.members[k] * self.row]
        if self.overlap == NULL:
            return s.n
        root = <int32_t *>take(&self.arena, s.n * sizeof(int32_t))
        for k in range(s.n):
            root[k] = k
        for k in range(s.n):
            row = self.overlap + <int64_t>s.members[k] * self.words
            for j in range(k + 1, s.n):
                if bit(row, s.members[j]):
                    a, b = k, j
                    while root[a] != a:
                        a = root[a]
                    while root[b] != b:
                        b = root[b]
                    root[max(a, b)] = min(a, b)
        for k in range(s.n):        # the root of a part is its first member
            mass = parts[k]
            if root[k] == k:
                root[k] = -1 - many
                parts[many] = mass
                many += 1
            else:
                a = root[k]
                while a >= 0:
                    a = root[a]
                parts[-1 - a] += mass
                root[k] = a
        return many

    # ---- splitting -----------------------------------------------------------------------------------------------

    cdef int split(self, State *s, int t, Ask *ask) except -1 nogil:
        """Make the states after each answer to a test that does not end the path, not bounded yet."""
        cdef Mark mark
        cdef int64_t base = <int64_t>t * self.C
        cdef int32_t *where = <int32_t *>take(&self.arena, self.A * sizeof(int32_t))
        cdef int k, e, a, i, few = 0, words = self.W + self.groups_many // 64 + 1
        cdef uint64_t *asked = <uint64_t *>take(&self.arena, words * sizeof(uint64_t))
        cdef State *c
        memset(where, 0, self.A * sizeof(int32_t))
        for k in range(s.n):
            i = s.members[k]
            for e in range(self.starts[base + i], self.starts[base + i + 1]):
                where[self.answers[e]] += 1
        for a in range(self.A):
            if where[a] and not self.ends[t * self.A + a]:
                few += 1
        ask.test, ask.few = t, 0
        ask.paid = self.price(s, t) * s.mass
        ask.after = <State *>take(&self.arena, few * sizeof(State))
        memcpy(asked, s.asked, words * sizeof(uint64_t))
        set_bit(asked, t)
        if self.groups[t] >= 0:
            set_bit(asked + self.W, self.groups[t])
        for a in range(self.A):
            if not where[a] or self.ends[t * self.A + a]:
                where[a] = -1
                continue
            c = ask.after + ask.few
            c.members = <int32_t *>take(&self.arena, where[a] * sizeof(int32_t))
            c.x, c.prints = NULL, NULL
            if not self.certain:
                c.x = <double *>take(&self.arena, where[a] * sizeof(double))
                if not self.even:
                    c.prints = <uint64_t *>take(&self.arena, 2 * where[a] * sizeof(uint64_t))
            c.asked, c.answer, c.depth, c.n = asked, a, 0, 0
            where[a] = ask.few
            ask.few += 1
        self.fill(s, t, ask, where)
        return 0

    cdef void fill(self, const State *s, int t, Ask *ask, const int32_t *where) noexcept nogil:
        """Write who is in each state after a test, and their masses."""
        cdef int64_t base = <int64_t>t * self.C
        cdef int k, e, i
        cdef State *c
        for k in range(s.n):
            i = s.members[k]
            for e in range(self.starts[base + i], self.starts[base + i + 1]):
                if where[self.answers[e]] < 0:
                    continue
                c = ask.after + where[self.answers[e]]
                c.members[c.n] = i
                if c.x != NULL:
                    c.x[c.n] = s.x[k] * self.shares[e] if not self.worst else s.x[k]
                if c.prints != NULL:
                    c.prints[2 * c.n] = s.prints[2 * k] + self.prints[2 * e]
                    c.prints[2 * c.n + 1] = s.prints[2 * k + 1] + self.prints[2 * e + 1]
                c.n += 1
        for k in range(ask.few):
            self.weigh(ask.after + k)

    # ---- the search ----------------------------------------------------------------------------------------------

    cdef int probe(self, State *s) noexcept nogil:
        """Add what is remembered of a state to its bounds."""
        cdef const Entry *known = store_find(&self.store, s.key1, s.key2)
        if known != NULL:
            s.lower = max(s.lower, for_mass(known.lower, known.mass, s.mass, self.whole))
            s.upper = min(s.upper, for_mass(known.upper, known.mass, s.mass, self.whole))
            s.depth = max(s.depth, known.depth)
        return 0

    cdef int run(self, State *s, double beta, int wide) except -1 nogil:
        """Search a state: a beam, look ahead one question further, depth first to the end, in turns that grow.

        `wide`: of a beam, which is all that is done; 0: none.
        """
        cdef int64_t turn = TURN
        cdef int width = 1
        if wide:
            self.turn = MOST
            self.dive(s, wide)
        while not wide and s.lower < s.upper and s.lower < beta and flag_get(&self.stop_flag) == 0:
            self.turn = self.evaluations + turn
            self.dive(s, width)
            self.note(s)
            self.turn = self.evaluations + turn
            while s.lower < min(s.upper, beta) and self.over() == 0:
                self.look(s, beta, s.depth + 1)
                self.note(s)
            self.turn = self.evaluations + turn
            self.look(s, beta, DEEP)
            self.note(s)
            turn *= 2
            width += 1
        return 0

    cdef void note(self, const State *s) noexcept nogil:
        """Show what is known of the state that is searched."""
        self.seen_lower, self.seen_upper, self.seen_test = s.lower, s.upper, self.first(s)

    cdef inline int over(self) noexcept nogil:
        """Return whether this turn is over, or the whole search."""
        if 0 < self.limit <= self.evaluations:
            if flag_get(&self.stop_flag) == 0:
                flag_set(&self.stop_flag, SPENT)
        return self.evaluations >= self.turn or flag_get(&self.stop_flag) != 0

    cdef int look(self, State *s, double beta, int depth) except -1 nogil:
        """Raise the lower bound of a state, looking ahead so far or until it is beta or what the best strategy takes.

        What is remembered is known already.
        """
        cdef Mark mark = self.arena.top
        cdef Ask *asks
        cdef State *c
        cdef double bound, lower
        cdef int many, i, best = -1
        if s.lower >= s.upper or s.lower >= beta or s.depth >= depth:
            return 0
        if self.over():
            return 0
        self.evaluations += 1
        asks = self.expand(s, &many)
        lower = s.decide
        for i in range(many):
            best = self.improve(s, asks + i, best)
        for i in range(many):
            bound = min(beta, s.upper)
            if depth > 1 and asks[i].total < bound:
                self.follow(asks + i, s, beta, depth)
                best = self.improve(s, asks + i, best)
            lower = min(lower, asks[i].total)
        s.lower = max(s.lower, lower)
        if s.lower < beta and not self.over():
            s.depth = depth
        self.remember(s, best)
        arena_release(&self.arena, mark)
        return 0

    cdef int dive(self, State *s, int width) except -1 nogil:
        """Find a better strategy for a state among those that begin with one of so many tests, the most promising."""
        cdef Mark mark = self.arena.top
        cdef Ask *asks
        cdef Entry *known = store_find(&self.store, s.key1, s.key2)
        cdef double lower
        cdef int many, i, k, best = -1
        if s.lower >= s.upper or (known != NULL and known.width >= width) or self.over():
            return 0
        self.evaluations += 1
        asks = self.expand(s, &many)
        lower = s.decide
        for i in range(many):
            best = self.improve(s, asks + i, best)
            lower = min(lower, asks[i].total)
            asks[i].gain = self.gain(s, asks + i)
        s.lower = max(s.lower, lower)
        qsort(asks, many, sizeof(Ask), by_gain)
        for i in range(min(many, width)):
            for k in range(asks[i].few):
                if asks[i].total >= s.upper:
                    break
                self.probe(asks[i].after + k)
                self.dive(asks[i].after + k, width)
                self.sum_up(asks + i)
            best = self.improve(s, asks + i, best)
        known = self.remember(s, best)
        if known != NULL and not self.over():
            known.width = width
        arena_release(&self.arena, mark)
        return 0

    cdef int improve(self, State *s, const Ask *ask, int best) noexcept nogil:
        """Return the best first test known, of a strategy that takes `upper`."""
        cdef double upper = 0
        cdef int k
        for k in range(ask.few):
            upper = max(upper, ask.after[k].upper) if self.worst else upper + ask.after[k].upper
        if ask.paid + upper < s.upper:
            s.upper = ask.paid + upper
            return ask.test
        return best

    cdef void sum_up(self, Ask *ask) noexcept nogil:
        """Set at least what is paid with this test first."""
        cdef double lower = 0
        cdef int k
        for k in range(ask.few):
            lower = max(lower, ask.after[k].lower) if self.worst else lower + ask.after[k].lower
        ask.total = ask.paid + lower

    cdef int follow(self, Ask *ask, State *s, double beta, int depth) except -1 nogil:
        """Look further in the states after a test, until it cannot be better than the best, or than beta."""
        cdef State *c
        cdef double room, bound
        cdef int k
        for k in range(ask.few):
            bound = min(beta, s.upper)
            if ask.total >= bound:
                break
            c = ask.after + k
            if c.lower < c.upper:
                self.probe(c)
                room = bound - (ask.paid if self.worst else ask.total - c.lower)
                self.look(c, room, depth - 1)
                self.sum_up(ask)
        return 0

    cdef Entry *remember(self, State *s, int best) noexcept nogil:
        """Enter what was found of a state. What was known and is not improved stays as it is: see `arrays.error`."""
        cdef Entry *known = store_find(&self.store, s.key1, s.key2)
        if known == NULL:
            known = store_enter(&self.store, s.key1, s.key2)
            if known == NULL:
                self.full = 1
                return NULL
            self.states += 1
            known.test = self.T + s.decision if s.decision >= 0 else -1
            known.lower, known.upper, known.mass, known.depth = s.lower, s.upper, s.mass, s.depth
        if s.lower > for_mass(known.lower, known.mass, s.mass, self.whole):
            known.lower = for_mass(s.lower, s.mass, known.mass, self.whole)
        if best >= 0 and s.upper <= for_mass(known.upper, known.mass, s.mass, self.whole):
            known.upper, known.test = for_mass(s.upper, s.mass, known.mass, self.whole), best
        known.depth = max(known.depth, s.depth)
        return known

    cdef Ask *expand(self, State *s, int *found) except NULL nogil:
        """Return the tests that may be best, by what they cost at least."""
        cdef Ask *asks = <Ask *>take(&self.arena, self.T * sizeof(Ask))
        cdef int32_t *live = <int32_t *>take(&self.arena, self.T * sizeof(int32_t))
        cdef int words = self.W + self.groups_many // 64 + 1
        cdef uint64_t *asked = <uint64_t *>take(&self.arena, words * sizeof(uint64_t))
        cdef uint64_t *before = s.asked
        cdef int t, k, few = 0, many = 0, branches = 0, free = -1
        memcpy(asked, s.asked, words * sizeof(uint64_t))
        for t in range(self.T):
            if bit(s.asked, t):
                continue
            if self.kept[t] or self.telling(s, t) or self.opens(s, t):
                live[few] = t
                few += 1
                branches = max(branches, self.fan(s, t))
                if self.price(s, t) == 0 and free < 0 and self.askable(s, t):
                    free = t
            else:
                set_bit(asked, t)   # it does not help from here on
        s.asked = asked
        for k in range(few):
            t = live[k]
            if (free < 0 or free == t) and self.askable(s, t):
                self.split(s, t, asks + many)
                if not self.repeated(s, asks, many):
                    self.value(s, asks + many, live, few, branches)
                    many += 1
        s.asked = before
        qsort(asks, many, sizeof(Ask), by_total)
        found[0] = many
        return asks

    cdef int fan(self, const State *s, int t) noexcept nogil:
        """Return how many answers a test has at most that go on."""
        cdef int a, many = 0
        for a in range(self.A):
            many += self.given[t * self.A + a]
        return many

    cdef int repeated(self, const State *s, Ask *asks, int many) noexcept nogil:
        """Return whether a test says the same as one before it that may take its place.

        Both have neither group nor needs, nor do others wait for them, and the one before is no dearer. In a strategy
        that begins with the other let the two change places: a path that has both pays the same, any other no more.
        A test that says the same and is cheaper takes the place of the one before.
        """
        cdef Ask *new = asks + many
        cdef uint64_t own = 0
        cdef int k, t = new.test
        new.own = 0
        if self.groups[t] >= 0 or self.kept[t] or self.after != NULL:
            return 0
        for k in range(new.few):
            own += mixed(self.hashed(new.after + k))
        new.own = own + (own == 0)
        for k in range(many):
            if asks[k].own == new.own and asks[k].few == new.few and self.prices[asks[k].test] <= self.prices[t]:
                return 1
        return 0

    cdef uint64_t hashed(self, const State *s) noexcept nogil:
        """Return a hash of who is possible and with which masses."""
        cdef uint64_t own = 0
        cdef int k
        for k in range(s.n):
            own += mixed(self.z[2 * s.members[k]] + (s.prints[2 * k] if s.prints != NULL else 0))
        return own

    cdef int value(self, const State *s, Ask *ask, const int32_t *live, int few, int branches) except -1 nogil:
        """Bound the states after a test, by themselves and by what is remembered."""
        cdef double first = INFINITY, ever = INFINITY
        cdef int k, u, g
        cdef State *c
        for k in range(few):
            u = live[k]
            if u != ask.test:
                g = self.groups[u]
                ever = min(ever, self.later[u] if g >= 0 else self.prices[u])
                first = min(first, self.later[u] if g >= 0 and (g == self.groups[ask.test] or self.is_open(s, g))
                            else self.prices[u])
        for k in range(ask.few):
            c = ask.after + k
            self.static(c, first if self.D else ever, branches)
            if c.lower < c.upper:
                self.name(c)
                self.probe(c)
        self.sum_up(ask)
        return 0

    cdef double gain(self, const State *s, const Ask *ask) noexcept nogil:
        """Return how good a test looks for its price: what it tells of the best decision, or how many it rules out."""
        cdef double gain = 0, left = s.mass
        cdef int k
        if self.classes > 1:
            gain = self.doubt(s)
            for k in range(ask.few):
                gain -= self.doubt(ask.after + k)
        else:
            for k in range(ask.few):
                gain += ask.after[k].mass * (s.n - ask.after[k].n)
                left -= ask.after[k].mass
            gain += max(left, 0) * s.n
        return gain / ask.paid if ask.paid > 0 else INFINITY

    cdef double doubt(self, const State *s) noexcept nogil:
        """Return how many bits are missing to know which decision is best, times the mass."""
        cdef double total = 0, mass, doubt = 0
        cdef int k
        for k in range(s.n):
            mass = (s.x[k] if s.x != NULL else 1) * self.rows[<int64_t>s.members[k] * self.row]
            self.sums[self.best[s.members[k]]] += mass
            total += mass
        for k in range(s.n):
            mass = self.sums[self.best[s.members[k]]]
            if mass > 0:
                doubt += mass * log2(total / mass)
                self.sums[self.best[s.members[k]]] = 0
        return doubt
