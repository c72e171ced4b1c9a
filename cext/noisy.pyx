# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled search of models with noisy tests; `reference_noisy` is the plain twin, with the contract.

A search of an AND/OR graph, whose bounds rise by iterative deepening (Korf 1985) with a memory of beliefs, and in turn
by a beam and depth first. Several threads run it at once with one memory, and refute tests in different orders, so
that each finds what the others have done ("lazy SMP" of chess programs; the deferral of ABDADA, Weill 1996, is left
out).
"""

from threading import Thread

from libc.math cimport INFINITY, ldexp
from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, qsort
from libc.string cimport memcpy

from guesstree.cext.core cimport (
    Mark, SPENT, STOPPED, alone, arena_release, countdown_place, flag_get, flag_set, lock, mixed, out_of_memory, take,
    unlock,
)
from guesstree.cext.belief cimport Ask, BeliefModel, State, bit, set_bit

from .outcome import Outcome


cdef extern from "noisy.h" nogil:
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
        int guard
    int store_new(Store *store, uint64_t bytes, int64_t *countdown)
    Entry *store_find(const Store *store, uint64_t key1, uint64_t key2)
    Entry *store_enter(Store *store, uint64_t key1, uint64_t key2)
    double for_mass(double value, double before, double after, int whole)


INFINITE = float("inf")
MOST_TESTS = 1 << 30
cdef dict ended = {0: "", STOPPED: "stopped", SPENT: "budget"}


cdef enum:
    DEEP = 1 << 14      # more questions than any path has
    TURN = 1 << 12      # evaluations of the first turn

cdef int64_t MOST = <int64_t>1 << 62


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


cdef class Searcher(BeliefModel):
    """See `reference_noisy.Searcher`."""

    cdef Store own              # what is remembered; threads that help use that of the one that they help
    cdef Store *store
    cdef int stored, full, stop_flag
    cdef int busy               # whether a call is at work
    cdef int jobs, number       # threads, and the number of this one
    cdef dict given             # how threads that help are made
    cdef list helpers
    cdef int64_t last, turn     # evaluations that end the search, and this turn
    cdef readonly int64_t states, evaluations
    cdef double seen_lower, seen_upper
    cdef int seen_test

    def __cinit__(self, *args, **kwargs):
        self.stored = self.busy = 0

    def __init__(self, *, starts, answers, shares, prints, kinds, prices, later, groups, ends, after, begin, rows,
                 overlap, apart, lost, bint even, bint whole, bint worst, int failures=0, int silent=-1,
                 double limit=INFINITY, int tests=MOST_TESTS, int jobs=1, int64_t memory=1 << 30):
        if self.made:
            raise TypeError("a searcher is made once")
        self.starts_, self.answers_, self.shares_, self.prints_ = starts, answers, shares, prints
        self.kinds_, self.prices_, self.later_, self.groups_ = kinds, prices, later, groups
        self.ends_, self.after_, self.begin_, self.rows_ = ends, after, begin, rows
        self.overlap_, self.apart_, self.lost_ = overlap, apart, lost
        self.even, self.whole, self.worst = even, whole, worst
        self.failures, self.silent, self.limit, self.most_tests = failures, silent, limit, tests
        self.prepare()
        if not store_new(&self.own, memory, countdown_place()):
            out_of_memory()
        self.stored, self.store = 1, &self.own
        self.jobs, self.number, self.helpers = jobs, 0, []
        if jobs > 1:
            self.given = {
                "starts": starts, "answers": answers, "shares": shares, "prints": prints, "kinds": kinds,
                "prices": prices, "later": later, "groups": groups, "ends": ends, "after": after, "begin": begin,
                "rows": rows, "overlap": overlap, "apart": apart, "lost": lost, "even": even, "whole": whole,
                "worst": worst, "failures": failures, "silent": silent, "limit": limit, "tests": tests,
            }
        self.states = self.evaluations = self.full = self.stop_flag = 0
        self.seen_lower, self.seen_upper, self.seen_test = 0, INFINITY, -1

    def __dealloc__(self):
        if self.stored:
            free(self.own.slots)

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
        """See `reference_noisy.Searcher.search`."""
        cdef State s
        cdef Mark mark
        self.busy = alone(self.busy)
        mark = self.arena.top
        threads = []
        try:
            self.last, self.turn = self.evaluations + budget if budget else 0, 0
            flag_set(&self.stop_flag, 0)
            self.replay(history, &s)
            self.probe(&s)
            self.seen_lower, self.seen_upper, self.seen_test = s.lower, s.upper, self.first(&s)
            if self.jobs > 1 and s.lower < s.upper and not width:
                threads = self.call_helpers(history, beta)
            with nogil:
                self.run(&s, ldexp(beta, -self.exponent), width)
            return Outcome(s.lower, s.upper, self.first(&s), ended[self.stop_flag])
        finally:
            if threads:
                self.dismiss(threads)
            arena_release(&self.arena, mark)
            self.busy = 0

    cdef list call_helpers(self, history, double beta):
        """Return threads that search the same state, begun; they end when their searchers are told to stop."""
        cdef Searcher helper
        while len(self.helpers) < self.jobs - 1:
            helper = Searcher(**self.given, memory=0)
            helper.store, helper.jobs, helper.number = self.store, self.jobs, len(self.helpers) + 1
            self.helpers.append(helper)
        threads = []
        for helper in self.helpers:
            flag_set(&helper.stop_flag, 0)
            thread = Thread(target=helper._help, args=(history, beta), daemon=True)
            thread.start()
            threads.append(thread)
        return threads

    cdef int dismiss(self, threads) except -1:
        """End the threads that help, and count what they did."""
        cdef Searcher helper
        for helper in self.helpers:
            flag_set(&helper.stop_flag, STOPPED)
        for thread in threads:
            thread.join()
        for helper in self.helpers:
            self.states += helper.states
            self.evaluations += helper.evaluations
            helper.states = helper.evaluations = 0
        return 0

    def _help(self, history, double beta):
        """Search a state for the thread that is helped, which sees what is remembered; without memory, end."""
        cdef State s
        cdef Mark mark = self.arena.top
        self.last = 0
        try:
            self.replay(history, &s)
            self.probe(&s)
            with nogil:
                self.run(&s, ldexp(beta, -self.exponent), 0)
        except MemoryError:     # fewer threads take longer
            pass
        finally:
            arena_release(&self.arena, mark)

    def bound(self, history=()):
        """See `reference_noisy.Searcher.bound`."""
        cdef State s
        cdef Mark mark
        self.busy = alone(self.busy)
        mark = self.arena.top
        try:
            self.replay(history, &s)
            self.probe(&s)
            return s.lower, s.upper
        finally:
            arena_release(&self.arena, mark)
            self.busy = 0

    def choice(self, history=()):
        """See `reference_noisy.Searcher.choice`."""
        cdef State s
        cdef Mark mark
        self.busy = alone(self.busy)
        mark = self.arena.top
        try:
            self.replay(history, &s)
            self.probe(&s)
            if self.full and store_find(self.store, s.key1, s.key2) == NULL:
                flag_set(&self.stop_flag, 0)
                self.last = 0
                with nogil:
                    self.run(&s, INFINITY, 0)
            return self.first(&s)
        finally:
            arena_release(&self.arena, mark)
            self.busy = 0

    def key(self, history=()):
        """See `reference_noisy.Searcher.key`."""
        cdef State s
        cdef Mark mark
        self.busy = alone(self.busy)
        mark = self.arena.top
        try:
            self.replay(history, &s)
            self.probe(&s)
            return s.key1, s.key2
        finally:
            arena_release(&self.arena, mark)
            self.busy = 0

    def asks(self, history=()):
        """See `reference_noisy.Searcher.asks`."""
        cdef State s
        cdef Mark mark
        cdef Ask *asks
        cdef int many, i, k
        self.busy = alone(self.busy)
        mark = self.arena.top
        try:
            self.replay(history, &s)
            self.probe(&s)
            asks = self.expand(&s, &many)
            return [
                (asks[i].test, [(asks[i].after[k].answer, asks[i].after[k].lower) for k in range(asks[i].few)])
                for i in range(many)
            ]
        finally:
            arena_release(&self.arena, mark)
            self.busy = 0

    cdef int first(self, const State *s) noexcept nogil:
        """Return the first test of the best strategy known, T and the decision; -1: none, or no need of one."""
        return -1 if s.upper == INFINITY else s.test

    # ---- the search ----------------------------------------------------------------------------------------------

    cdef int probe(self, State *s) noexcept nogil:
        """Add what is remembered of a state to its bounds."""
        cdef Entry known
        cdef double upper
        if self.recall(s, &known):
            s.lower = max(s.lower, for_mass(known.lower, known.mass, s.mass, self.whole))
            upper = for_mass(known.upper, known.mass, s.mass, self.whole)
            if upper <= s.upper:
                s.upper, s.test = upper, known.test
            s.depth = max(s.depth, known.depth)
        return 0

    cdef int recall(self, const State *s, Entry *known) noexcept nogil:
        """Read what is remembered of a state; return whether something is."""
        cdef const Entry *entry
        if self.jobs > 1:
            lock(&self.store.guard)
        entry = store_find(self.store, s.key1, s.key2)
        if entry != NULL:
            known[0] = entry[0]
        if self.jobs > 1:
            unlock(&self.store.guard)
        return entry != NULL

    cdef int run(self, State *s, double beta, int wide) except -1 nogil:
        """Search a state: a beam, look ahead one question further, depth first to the end, in turns that grow.

        `wide`: of a beam, which is all that is done; 0: none.
        """
        cdef int64_t turn = TURN
        cdef int width = 1 + self.number
        if wide:
            self.turn = MOST
            self.dive(s, wide)
        while not wide and s.lower < s.upper and s.lower < beta and flag_get(&self.stop_flag) == 0:
            self.turn = self.evaluations + turn
            self.dive(s, width)
            self.note(s)
            width += not self.over()    # else the beam is not at its end
            self.turn = self.evaluations + turn
            while s.lower < min(s.upper, beta) and self.over() == 0:
                self.look(s, beta, s.depth + 1)
                self.note(s)
            self.turn = self.evaluations + turn
            self.look(s, beta, DEEP)
            self.note(s)
            turn *= 2
        return 0

    cdef void note(self, const State *s) noexcept nogil:
        """Show what is known of the state that is searched."""
        self.seen_lower, self.seen_upper, self.seen_test = s.lower, s.upper, self.first(s)

    cdef inline int over(self) noexcept nogil:
        """Return whether this turn is over, or the whole search."""
        if 0 < self.last <= self.evaluations:
            if flag_get(&self.stop_flag) == 0:
                flag_set(&self.stop_flag, SPENT)
        return self.evaluations >= self.turn or flag_get(&self.stop_flag) != 0

    cdef int look(self, State *s, double beta, int depth) except -1 nogil:
        """Raise the lower bound of a state, looking ahead so far or until it is beta or what the best strategy takes.

        What is remembered is known already.
        """
        cdef Mark mark = self.arena.top
        cdef Ask *asks
        cdef double bound, lower
        cdef int many, i, k, best = -1
        if s.lower >= s.upper or s.lower >= beta or s.depth >= depth:
            return 0
        if self.over():
            return 0
        self.evaluations += 1
        asks = self.expand(s, &many)
        lower = s.decide
        for i in range(many):
            best = self.improve(s, asks + i, best)
        for k in range(many):   # each thread begins with another test
            i = (k + self.number * many // self.jobs) % many
            bound = min(beta, s.upper)
            if depth > 1 and asks[i].total < bound:
                self.follow(asks + i, s, beta, depth)
                best = self.improve(s, asks + i, best)
            lower = min(lower, asks[i].total)
        s.lower = max(s.lower, lower)
        if s.lower < beta and not self.over():
            s.depth = depth
        self.remember(s, best, 0)
        arena_release(&self.arena, mark)
        return 0

    cdef int dive(self, State *s, int width) except -1 nogil:
        """Find a better strategy for a state among those that begin with one of so many tests, the most promising."""
        cdef Mark mark = self.arena.top
        cdef Ask *asks
        cdef Entry known
        cdef double lower
        cdef int many, i, k, best = -1
        if s.lower >= s.upper or (self.recall(s, &known) and known.width >= width) or self.over():
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
                if asks[i].after[k].lower < asks[i].after[k].upper:     # else it has no key
                    self.probe(asks[i].after + k)
                    self.dive(asks[i].after + k, width)
                    self.sum_up(asks + i)
            best = self.improve(s, asks + i, best)
        self.remember(s, best, 0 if self.over() else width)
        arena_release(&self.arena, mark)
        return 0

    cdef int improve(self, State *s, const Ask *ask, int best) noexcept nogil:
        """Return the best first test known, of a strategy that takes `upper`."""
        cdef double upper = 0
        cdef int k
        for k in range(ask.few):
            upper = max(upper, ask.after[k].upper) if self.worst else upper + ask.after[k].upper
        if ask.paid + upper < s.upper:
            s.upper, s.test = ask.paid + upper, ask.test
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

    cdef void remember(self, State *s, int best, int width) noexcept nogil:
        """Enter what was found of a state, by a beam of this width (0: by none), unless its mass counts as 0."""
        if s.mass == 0:
            return
        if self.jobs > 1:
            lock(&self.store.guard)
        self.enter(s, best, width)
        if self.jobs > 1:
            unlock(&self.store.guard)

    cdef void enter(self, State *s, int best, int width) noexcept nogil:
        """See `remember`. What was known and is not improved stays as it is, see `float_model._error`."""
        cdef Entry *known = store_find(self.store, s.key1, s.key2)
        if known == NULL:
            known = store_enter(self.store, s.key1, s.key2)
            if known == NULL:
                self.full = 1
                return
            self.states += 1
            known.lower, known.upper, known.mass, known.depth = s.lower, s.upper, s.mass, s.depth
            known.test = s.test
        if s.lower > for_mass(known.lower, known.mass, s.mass, self.whole):
            known.lower = for_mass(s.lower, s.mass, known.mass, self.whole)
        if best >= 0 and s.upper <= for_mass(known.upper, known.mass, s.mass, self.whole):
            known.upper, known.test = for_mass(s.upper, s.mass, known.mass, self.whole), best
        known.depth = max(known.depth, s.depth)
        if width:
            known.width = width

    cdef Ask *expand(self, State *s, int *found) except NULL nogil:
        """Return the tests that may be best, by what they cost at least."""
        cdef Ask *asks = <Ask *>take(&self.arena, self.T * sizeof(Ask))
        cdef int32_t *live = <int32_t *>take(&self.arena, self.T * sizeof(int32_t))
        cdef uint64_t *asked = <uint64_t *>take(&self.arena, self.both * sizeof(uint64_t))
        cdef uint64_t *useful = <uint64_t *>take(&self.arena, self.W * sizeof(uint64_t))
        cdef uint64_t *before = s.asked
        cdef int t, k, few = 0, many = 0, branches = 0, gift = -1
        memcpy(asked, s.asked, self.both * sizeof(uint64_t))
        self.useful(s, useful)
        for t in range(self.T):
            if bit(useful, t):
                live[few] = t
                few += 1
                branches = max(branches, self.fan(s, t))
                if self.price(s, t) == 0 and gift < 0 and self.askable(s, t) and self.most_tests >= self.T:
                    gift = t
            else:
                set_bit(asked, t)   # it does not help from here on
        s.asked = asked
        for k in range(few):
            t = live[k]
            if (gift < 0 or gift == t) and self.askable(s, t) and s.tests and self.price(s, t) <= s.budget:
                self.split(s, t, asks + many)
                if not self.repeated(s, asks, many):
                    self.value(s, asks + many, live, few, branches)
                    many += 1
        s.asked = before
        qsort(asks, many, sizeof(Ask), by_total)
        found[0] = many
        return asks

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
        if self.groups[t] >= 0 or self.ending[t] or self.after != NULL:
            return 0
        for k in range(new.few):
            own += mixed(self.hashed(new.after + k))
        new.own = own + (own == 0)
        for k in range(many):
            if asks[k].own == new.own and asks[k].few == new.few and self.prices[asks[k].test] <= self.prices[t]:
                return 1
        return 0

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
