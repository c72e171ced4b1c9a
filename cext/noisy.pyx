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
from guesstree.cext.belief cimport AndNode, BeliefModel, Belief, bit, set_bit

from .outcome import STARTING, Outcome


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
    FIRST_SLICE = 1 << 12      # evaluations of the first time slice

cdef int64_t MOST = <int64_t>1 << 62


cdef int by_total(const void *a, const void *b) noexcept nogil:
    cdef const AndNode *x = <const AndNode *>a
    cdef const AndNode *y = <const AndNode *>b
    if x.total != y.total:
        return -1 if x.total < y.total else 1
    return x.test - y.test


cdef int by_gain(const void *a, const void *b) noexcept nogil:
    cdef const AndNode *x = <const AndNode *>a
    cdef const AndNode *y = <const AndNode *>b
    if x.gain != y.gain:
        return -1 if x.gain > y.gain else 1
    return x.test - y.test


cdef class Searcher(BeliefModel):
    """See `reference_noisy.Searcher`."""

    cdef Store own_store              # what is remembered; threads that help use that of the one that they help
    cdef Store *store
    cdef int stored, full, stop_flag
    cdef int busy               # whether a call is at work
    cdef Mark mark              # what was taken before it
    cdef int jobs, number       # threads, and the number of this one
    cdef dict given             # how threads that help are made
    cdef list helpers
    cdef int64_t last, slice_end     # evaluations that end the search, and this time slice
    cdef readonly int64_t states, evaluations
    cdef double seen_lower, seen_upper
    cdef int seen_test

    def __cinit__(self, *args, **kwargs):
        self.stored = self.busy = 0

    def __init__(self, *, starts, answers, shares, prints, kinds, prices, later, groups, ends, after, begin, rows,
                 overlap, apart, lost, points, bint even, bint whole, bint worst, int failures=0, int silent=-1,
                 double limit=INFINITY, int tests=MOST_TESTS, questions=None, int jobs=1, int64_t memory=1 << 30):
        if self.made:
            raise TypeError("a searcher is made once")
        self.starts_, self.answers_, self.shares_, self.prints_ = starts, answers, shares, prints
        self.kinds_, self.prices_, self.later_, self.groups_ = kinds, prices, later, groups
        self.ends_, self.after_, self.begin_, self.rows_ = ends, after, begin, rows
        self.overlap_, self.apart_, self.lost_, self.points_ = overlap, apart, lost, points
        self.even, self.whole, self.worst = even, whole, worst
        self.failures, self.silent, self.limit, self.most_tests = failures, silent, limit, tests
        self.know_questions(questions)
        self.prepare()
        if not store_new(&self.own_store, memory, countdown_place()):
            out_of_memory()
        self.stored, self.store = 1, &self.own_store
        self.jobs, self.number, self.helpers = jobs, 0, []
        if jobs > 1:
            self.given = {
                "starts": starts, "answers": answers, "shares": shares, "prints": prints, "kinds": kinds,
                "prices": prices, "later": later, "groups": groups, "ends": ends, "after": after, "begin": begin,
                "rows": rows, "overlap": overlap, "apart": apart, "lost": lost, "points": points, "even": even,
                "whole": whole, "worst": worst, "failures": failures, "silent": silent, "limit": limit, "tests": tests,
                "questions": questions,
            }
        self.states = self.evaluations = self.full = self.stop_flag = 0
        self.seen_lower, self.seen_upper, self.seen_test = 0, INFINITY, -1

    def __dealloc__(self):
        if self.stored:
            free(self.own_store.slots)

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
        cdef Belief s
        cdef double goal
        threads = []
        self.start_call()
        try:
            self.go_to(history, &s)
            self.last, self.slice_end = self.evaluations + budget if budget else 0, 0
            flag_set(&self.stop_flag, 0)
            self.seen_lower, self.seen_upper, self.seen_test = s.lower, s.upper, self.first(&s)
            goal = ldexp(beta, -self.exponent)
            if self.jobs > 1 and not width:     # most searches end with the first slices: threads would cost more
                with nogil:
                    self.run(&s, goal, 0, 1)
                if s.lower < s.upper and s.lower < goal and flag_get(&self.stop_flag) == 0:
                    self.call_helpers(history, beta, threads)
            with nogil:
                self.run(&s, goal, width, 0)
            return Outcome(s.lower, s.upper, self.first(&s), ended[self.stop_flag])
        finally:
            if threads:
                self.dismiss(threads)
            self.end_call()

    cdef int start_call(self) except -1:
        """Begin a call; raise RuntimeError while another is at work."""
        self.busy = alone(self.busy)
        self.mark = self.arena.top
        return 0

    cdef int go_to(self, history, Belief *s) except -1:
        """Go to the state after some tests and answers, with what is remembered of it."""
        self.replay(history, s)
        self.probe(s)
        return 0

    cdef void end_call(self) noexcept:
        """End a call, and give back what it took."""
        arena_release(&self.arena, self.mark)
        self.busy = 0

    cdef int call_helpers(self, history, double beta, list threads) except -1:
        """Begin threads that search the same state; they end when their searchers stop them."""
        cdef Searcher helper
        while len(self.helpers) < self.jobs - 1:
            helper = Searcher(**self.given, memory=0)
            helper.store, helper.jobs, helper.number = self.store, self.jobs, len(self.helpers) + 1
            self.helpers.append(helper)
        for helper in self.helpers:
            flag_set(&helper.stop_flag, 0)
            thread = Thread(target=helper._help, args=(history, beta), daemon=True)
            with STARTING:
                thread.start()
            threads.append(thread)
        return 0

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
        cdef Belief s
        self.last = 0
        self.start_call()
        try:
            self.go_to(history, &s)
            with nogil:
                self.run(&s, ldexp(beta, -self.exponent), 0, 0)
        except MemoryError:     # fewer threads take longer
            pass
        finally:
            self.end_call()

    def bound(self, history=()):
        """See `reference_noisy.Searcher.bound`."""
        cdef Belief s
        self.start_call()
        try:
            self.go_to(history, &s)
            return s.lower, s.upper
        finally:
            self.end_call()

    def choice(self, history=()):
        """See `reference_noisy.Searcher.choice`."""
        cdef Belief s
        self.start_call()
        try:
            self.go_to(history, &s)
            if self.full and store_find(self.store, s.key1, s.key2) == NULL:
                flag_set(&self.stop_flag, 0)
                self.last = 0
                with nogil:
                    self.run(&s, INFINITY, 0, 0)
            return self.first(&s)
        finally:
            self.end_call()

    def key(self, history=()):
        """See `reference_noisy.Searcher.key`."""
        cdef Belief s
        self.start_call()
        try:
            self.go_to(history, &s)
            return s.key1, s.key2
        finally:
            self.end_call()

    def named(self, int test, history=(), bint back=False):
        """See `reference_noisy.Searcher.named`."""
        cdef Belief s
        self.start_call()
        try:
            self.go_to(history, &s)
            return self.renamed(&s, test, back)
        finally:
            self.end_call()

    def first_tests(self, history=()):
        """See `reference_noisy.Searcher.first_tests`."""
        cdef Belief s
        cdef AndNode *nodes
        cdef int many, i, k
        self.start_call()
        try:
            self.go_to(history, &s)
            nodes = self.expand(&s, &many)
            return [
                (nodes[i].test, [(nodes[i].after[k].answer, nodes[i].after[k].lower) for k in range(nodes[i].count)])
                for i in range(many)
            ]
        finally:
            self.end_call()

    cdef int first(self, const Belief *s) noexcept nogil:
        """Return the first test of the best strategy known, T and the decision; -1: none, or no need of one."""
        return -1 if s.upper == INFINITY else s.test

    # ---- the search ----------------------------------------------------------------------------------------------

    cdef int probe(self, Belief *s) noexcept nogil:
        """Add what is remembered of a state to its bounds."""
        cdef Entry known
        cdef double upper
        if self.recall(s, &known):
            s.lower = max(s.lower, for_mass(known.lower, known.mass, s.mass, self.whole))
            upper = for_mass(known.upper, known.mass, s.mass, self.whole)
            if upper <= s.upper:
                s.upper, s.test = upper, self.renamed(s, known.test, 1)
            s.depth = max(s.depth, known.depth)
        return 0

    cdef int recall(self, const Belief *s, Entry *known) noexcept nogil:
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

    cdef int run(self, Belief *s, double beta, int wide, int rounds) except -1 nogil:
        """Search a state: a beam, look ahead one question further, depth first to the end, in time slices that grow.

        `wide`: of a beam, which is all that is done; 0: none. `rounds`: so many of all three at most; 0: any number.
        """
        cdef int64_t length = FIRST_SLICE
        cdef int width = 1 + self.number
        if wide:
            self.slice_end = MOST
            self.beam(s, wide)
        while not wide and s.lower < s.upper and s.lower < beta and flag_get(&self.stop_flag) == 0:
            self.slice_end = self.evaluations + length
            self.beam(s, width)
            self.note(s)
            width += not self.over()    # else the beam is not at its end
            self.slice_end = self.evaluations + length
            while s.lower < min(s.upper, beta) and self.over() == 0:
                self.look_ahead(s, beta, s.depth + 1)
                self.note(s)
            self.slice_end = self.evaluations + length
            self.look_ahead(s, beta, DEEP)
            self.note(s)
            length *= 2
            rounds -= 1
            if rounds == 0:
                break
        return 0

    cdef void note(self, const Belief *s) noexcept nogil:
        """Show what is known of the state that is searched."""
        self.seen_lower, self.seen_upper, self.seen_test = s.lower, s.upper, self.first(s)

    cdef inline int over(self) noexcept nogil:
        """Return whether this time slice is over, or the whole search."""
        if 0 < self.last <= self.evaluations:
            if flag_get(&self.stop_flag) == 0:
                flag_set(&self.stop_flag, SPENT)
        return self.evaluations >= self.slice_end or flag_get(&self.stop_flag) != 0

    cdef int look_ahead(self, Belief *s, double beta, int depth) except -1 nogil:
        """Raise the lower bound of a state, looking ahead so far or until it is beta or what the best strategy takes.

        What is remembered is known already.
        """
        cdef Mark mark = self.arena.top
        cdef AndNode *nodes
        cdef double bound, lower
        cdef int many, i, k, best = -1
        if s.lower >= s.upper or s.lower >= beta or s.depth >= depth:
            return 0
        if self.over():
            return 0
        self.evaluations += 1
        nodes = self.expand(s, &many)
        lower = s.decide
        for i in range(many):
            best = self.improve(s, nodes + i, best)
        for k in range(many):   # each thread begins with another test
            i = (k + self.number * many // self.jobs) % many
            bound = min(beta, s.upper)
            if depth > 1 and nodes[i].total < bound:
                self.follow(nodes + i, s, beta, depth)
                best = self.improve(s, nodes + i, best)
            lower = min(lower, nodes[i].total)
        s.lower = max(s.lower, lower)
        if s.lower < beta and not self.over():
            s.depth = depth
        self.remember(s, best, 0)
        arena_release(&self.arena, mark)
        return 0

    cdef int beam(self, Belief *s, int width) except -1 nogil:
        """Find a better strategy for a state among those that begin with one of so many tests, the most promising."""
        cdef Mark mark = self.arena.top
        cdef AndNode *nodes
        cdef Entry known
        cdef double lower
        cdef int many, i, k, best = -1
        if s.lower >= s.upper or (self.recall(s, &known) and known.width >= width) or self.over():
            return 0
        self.evaluations += 1
        nodes = self.expand(s, &many)
        lower = s.decide
        for i in range(many):
            best = self.improve(s, nodes + i, best)
            lower = min(lower, nodes[i].total)
            nodes[i].gain = self.gain(s, nodes + i)
        s.lower = max(s.lower, lower)
        qsort(nodes, many, sizeof(AndNode), by_gain)
        for i in range(min(many, width)):
            for k in range(nodes[i].count):
                if nodes[i].total >= s.upper:
                    break
                if nodes[i].after[k].lower < nodes[i].after[k].upper:     # else it has no key
                    self.probe(nodes[i].after + k)
                    self.beam(nodes[i].after + k, width)
                    self.sum_up(nodes + i)
            best = self.improve(s, nodes + i, best)
        self.remember(s, best, 0 if self.over() else width)
        arena_release(&self.arena, mark)
        return 0

    cdef int improve(self, Belief *s, const AndNode *node, int best) noexcept nogil:
        """Return the best first test known, of a strategy that takes `upper`."""
        cdef double upper = 0
        cdef int k
        for k in range(node.count):
            upper = max(upper, node.after[k].upper) if self.worst else upper + node.after[k].upper
        if node.paid + upper < s.upper:
            s.upper, s.test = node.paid + upper, node.test
            return node.test
        return best

    cdef void sum_up(self, AndNode *node) noexcept nogil:
        """Set at least what is paid with this test first."""
        cdef double lower = 0
        cdef int k
        for k in range(node.count):
            lower = max(lower, node.after[k].lower) if self.worst else lower + node.after[k].lower
        node.total = node.paid + lower

    cdef int follow(self, AndNode *node, Belief *s, double beta, int depth) except -1 nogil:
        """Look further in the states after a test, until it cannot be better than the best, or than beta."""
        cdef Belief *c
        cdef double room, bound
        cdef int k
        for k in range(node.count):
            bound = min(beta, s.upper)
            if node.total >= bound:
                break
            c = node.after + k
            if c.lower < c.upper:
                self.probe(c)
                room = bound - (node.paid if self.worst else node.total - c.lower)
                self.look_ahead(c, room, depth - 1)
                self.sum_up(node)
        return 0

    cdef void remember(self, Belief *s, int best, int width) noexcept nogil:
        """Enter what was found of a state, by a beam of this width (0: by none), unless its mass counts as 0."""
        if s.mass == 0:
            return
        if self.jobs > 1:
            lock(&self.store.guard)
        self.enter(s, best, width)
        if self.jobs > 1:
            unlock(&self.store.guard)

    cdef void enter(self, Belief *s, int best, int width) noexcept nogil:
        """See `remember`. What was known and is not improved stays as it is, see `float_model._error`."""
        cdef Entry *known = store_find(self.store, s.key1, s.key2)
        if known == NULL:
            known = store_enter(self.store, s.key1, s.key2)
            if known == NULL:
                self.full = 1
                return
            self.states += 1
            known.lower, known.upper, known.mass, known.depth = s.lower, s.upper, s.mass, s.depth
            known.test = self.renamed(s, s.test, 0)
        if s.lower > for_mass(known.lower, known.mass, s.mass, self.whole):
            known.lower = for_mass(s.lower, s.mass, known.mass, self.whole)
        if best >= 0 and s.upper <= for_mass(known.upper, known.mass, s.mass, self.whole):
            known.upper, known.test = for_mass(s.upper, s.mass, known.mass, self.whole), self.renamed(s, best, 0)
        known.depth = max(known.depth, s.depth)
        if width:
            known.width = width

    cdef AndNode *expand(self, Belief *s, int *found) except NULL nogil:
        """Return the tests that may be best, by what they cost at least."""
        cdef AndNode *nodes
        cdef int32_t *live = <int32_t *>take(&self.arena, self.T * sizeof(int32_t))
        cdef uint64_t *asked = <uint64_t *>take(&self.arena, self.asked_words * sizeof(uint64_t))
        cdef uint64_t *useful = <uint64_t *>take(&self.arena, self.W * sizeof(uint64_t))
        cdef uint64_t *before = s.asked
        cdef int t, k, count = 0, many = 0, branches = 0, gratis = -1
        memcpy(asked, s.asked, self.asked_words * sizeof(uint64_t))
        self.useful(s, useful)
        for t in range(self.T):
            if bit(useful, t):
                live[count] = t
                count += 1
                branches = max(branches, self.most_answers(s, t))
                if self.price(s, t) == 0 and gratis < 0 and self.askable(s, t) and self.most_tests >= self.T:
                    gratis = t
            else:
                set_bit(asked, t)   # it does not help from here on
        s.asked = asked
        nodes = <AndNode *>take(&self.arena, (count + 1) * sizeof(AndNode))
        for k in range(count):
            t = live[k]
            if (gratis < 0 or gratis == t) and self.askable(s, t) and s.tests and self.price(s, t) <= s.budget:
                self.split(s, t, nodes + many)
                if not self.repeated(s, nodes, many):
                    self.value(s, nodes + many, live, count, branches)
                    many += not self.alike(nodes, many)
        s.asked = before
        qsort(nodes, many, sizeof(AndNode), by_total)
        found[0] = many
        return nodes

    cdef int repeated(self, const Belief *s, AndNode *nodes, int many) noexcept nogil:
        """Return whether a test says the same as one before it that may take its place.

        Both have neither group nor needs, nor do others wait for them, and the one before is no dearer. In a strategy
        that begins with the other let the two change places: a path that has both pays the same, any other no more.
        A test that says the same and is cheaper takes the place of the one before. Questions about characters say the
        same only if they leave the same states, where the same may help; then what follows is the same.
        """
        cdef AndNode *new = nodes + many
        cdef uint64_t signature = 0
        cdef int k, t = new.test
        new.signature = 0
        if self.groups[t] >= 0 or self.ending[t] or self.after != NULL:
            return 0
        for k in range(new.count):
            signature += mixed(self.hashed(new.after + k) + new.after[k].about)
        new.signature = signature + (signature == 0)
        for k in range(many):
            if nodes[k].signature == new.signature and nodes[k].count == new.count:
                if self.prices[nodes[k].test] <= self.prices[t]:
                    return 1
        return 0

    cdef int alike(self, AndNode *nodes, int many) noexcept nogil:
        """Return whether a test leaves states of the same forms as one before it, of the same masses, at one price.

        Then both take the same. `Belief.anchor` says which factor of the masses a key leaves out: of a cause, whose
        weight is that of its image. So where forms and anchors are the same, all masses are.
        """
        cdef AndNode *new = nodes + many
        cdef int k
        if not self.points.many or not (self.worst or new.after[0].prints != NULL):
            return 0
        new.alike1 = new.alike2 = 0
        for k in range(new.count):
            new.alike1 += mixed(new.after[k].key1 + mixed(new.after[k].anchor))
            new.alike2 += mixed(new.after[k].key2 + mixed(~new.after[k].anchor))
        for k in range(many):
            if nodes[k].alike1 == new.alike1 and nodes[k].alike2 == new.alike2 and nodes[k].paid == new.paid:
                return 1
        return 0

    cdef int value(self, const Belief *s, AndNode *node, const int32_t *live, int count, int branches) except -1 nogil:
        """Bound the states after a test, by themselves and by what is remembered."""
        cdef double first = INFINITY, ever = INFINITY
        cdef int k, u, g
        cdef Belief *c
        for k in range(count):
            u = live[k]
            if u != node.test:
                g = self.groups[u]
                ever = min(ever, self.later[u] if g >= 0 else self.prices[u])
                first = min(first, self.later[u] if g >= 0 and (g == self.groups[node.test] or self.is_open(s, g))
                            else self.prices[u])
        for k in range(node.count):
            c = node.after + k
            self.static_bound(c, first if self.D else ever, branches)
            if c.lower < c.upper:
                self.set_key(c)
                self.probe(c)
            elif self.points.many:
                self.set_key(c)
        self.sum_up(node)
        return 0
