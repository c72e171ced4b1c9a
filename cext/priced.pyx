# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled search over costs; `reference_priced` is its plain twin, explains the contract and has the proofs."""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memset

import numpy as np

from guesstree.cext.core cimport (
    Dropping, Known, Mark, Node, Ranked, Split, Worker, alone, arena_release, bits, counter_add, counter_get,
    memo_read, memo_write, sort_ranked, take
)
from guesstree.cext.pricing cimport ANY, SMALL, Cells, Pricer, Scan, Set
from guesstree.cext.rules cimport needs_after


INFINITE = 1 << 62
UNLIMITED = 1 << 30

cdef int64_t INF = <int64_t>1 << 62
cdef enum:
    WORTH_BOUNDS = 16       # where deviations are counted, larger parts are not bounded one step ahead

cdef struct Part:
    Set set
    int exact
    int ahead           # whether it has been bounded one step ahead
    int response
    int64_t cost
    int64_t paid
    int64_t bound


cdef struct State:      # a set while its guesses are tried
    Node node
    Set set
    Scan scan


cdef int by_size(const void *a, const void *b) noexcept nogil:
    cdef const Part *x = <const Part *>a
    cdef const Part *y = <const Part *>b
    if x.set.n != y.set.n:
        return y.set.n - x.set.n
    return -1 if x.response < y.response else 1


cdef class Searcher(Pricer):
    """See `reference_priced.Searcher`."""

    cdef Set asked              # the set that is searched
    cdef int64_t beta

    # ---- asked from outside -------------------------------------------------------------------------------------

    def search(self, candidates, int64_t left, int64_t beta, int64_t budget=0, int depth=UNLIMITED, history=()):
        """See `reference_priced.Searcher.search`."""
        cdef Worker *w
        cdef Known known
        cdef int guess = -1
        cdef int64_t value
        self.busy = alone(self.busy)
        try:
            w = self.worker(history)
            self.enter(w, candidates, left, depth, history)
            self.beta = beta
            value = self.run(w, budget)
            if value < beta and not self.tally.stop and self.asked.n > 1:
                guess = self.tally.guess    # the table may be too small to keep it
                if memo_read(self.memo, 0, self.asked.key1, self.asked.key2, &known) and known.lower >= known.upper:
                    guess = known.guess
            return self.outcome(value, beta, guess)
        finally:
            self.busy = 0

    def choice(self, candidates, int64_t left, int depth=UNLIMITED, history=()):
        """See `reference_priced.Searcher.choice`."""
        cdef Known known
        cdef int64_t least = INF
        cdef int guess = -1, found = 0
        self.busy = alone(self.busy)
        try:
            self.enter(self.worker(history), candidates, left, depth, history)
            while True:                 # with as many deviations left as were, or fewer
                if memo_read(self.memo, 0, self.asked.key1, self.asked.key2, &known) and (
                    known.upper < least and known.upper <= known.lower
                ):
                    least, guess, found = known.upper, known.guess, 1
                if self.asked.spare <= 0:
                    break
                self.asked.spare -= 1
                self.key_of(&self.asked)
        finally:
            self.busy = 0
        if found:
            return guess
        outcome = self.search(candidates, left, INF, 0, depth, history)
        if outcome.ended or outcome.upper >= INF:
            raise ValueError(f"no strategy is known for {len(candidates)} candidates")
        return outcome.guess

    def bound(self, candidates, int64_t left, int depth=UNLIMITED, history=()):
        """See `reference_priced.Searcher.bound`."""
        cdef Worker *w
        cdef Known known
        cdef Scan all
        cdef int64_t lower
        self.busy = alone(self.busy)
        try:
            w = self.worker(history)
            self.enter(w, candidates, left, depth, history)
            known.lower = known.upper = 0
            all.guesses, all.choices = self.everything, self.G
            with nogil:
                if self.asked.n == 1:
                    known.lower = known.upper = self.single(self.asked.members[0], left, depth)
                elif self.dead(self.asked.n, depth, self.asked.most):
                    known.lower = self.lost_all(self.weight(self.asked.members, self.asked.n), left)
                    known.upper = known.lower
                else:
                    self.known(w, &self.asked, &known)
                    if not known.bounded and known.lower < known.upper:
                        lower = known.lower
                        self.ahead(w, &self.asked, &all, &known)
                        known.lower = max(known.lower, lower)
            return known.lower, known.lower >= known.upper
        finally:
            self.busy = 0

    cdef int enter(self, Worker *w, candidates, int64_t left, int depth, history) except -1:
        """Write what is asked."""
        cdef const int32_t[::1] places = np.sort(self.place[candidates])
        cdef int32_t *members = <int32_t *>take(&w.arena, (places.shape[0] + 1) * sizeof(int32_t))
        cdef uint64_t *needs = <uint64_t *>take(&w.arena, (self.rules.words + 1) * sizeof(uint64_t))
        cdef int i, guess
        for i in range(<int>places.shape[0]):
            members[i] = places[i]
        memset(needs, 0, (self.rules.words + 1) * sizeof(uint64_t))
        if self.rules.words:
            for guess in history or ():
                needs_after(&self.rules, needs, guess, self.cols[<size_t>guess * self.S + members[0]], needs)
        self.asked.members, self.asked.n, self.asked.depth, self.asked.left = members, places.shape[0], depth, left
        self.asked.most, self.asked.needs = max(self.R, 2), needs if self.rules.words else NULL
        self.asked.spare = self.deviations if self.asked.n > SMALL else ANY
        self.key_of(&self.asked)
        return 0

    cdef int64_t root_value(self, Worker *w) except -1 nogil:
        return self.value(w, &self.asked, self.beta, self.everything, self.G, 0)

    # ---- one state ----------------------------------------------------------------------------------------------

    cdef int64_t value(self, Worker *w, const Set *some, int64_t beta, const int32_t *guesses, int choices,
                       int ply) except -1 nogil:
        """Return exactly the value of a set if it is below beta, otherwise at least beta (and a true bound).

        `guesses` are those that may tell something: what has one response on a set, or makes the same parts
        as another guess, does so on every subset. The steps are those of `reference_priced.Searcher.value`,
        where each is proved.
        """
        cdef Mark mark = w.arena.top
        cdef Known known
        cdef State state
        cdef Dropping dropping
        cdef Node *node = &state.node
        cdef int64_t lower, evaluations, given
        if some.n == 1:                                         # 1
            return self.single(some.members[0], some.left, some.depth)
        if self.dead(some.n, some.depth, some.most):
            return self.lost_all(self.weight(some.members, some.n), some.left)
        self.known(w, some, &known)                             # 2
        lower = known.lower
        if lower >= beta or lower == known.upper or self.halted(w) or self.spent():
            return lower
        evaluations = counter_get(&self.tally.evaluations)
        counter_add(&self.tally.states, 1)
        dropping.fixing, dropping.marks = NULL, NULL
        if some.n > SMALL:
            self.dropping(w, ply, &dropping)
        self.scan(w, some, guesses, choices, &dropping, &state.scan)     # 3
        lower = max(lower, state.scan.lower)
        state.set = some[0]
        node.n, node.ply, node.best, node.low, node.lower = some.n, ply, beta, INF, lower
        node.settled, node.guess, node.count = 0, -1, 0
        node.beam = self.width and some.n > SMALL       # smaller sets are searched to the end
        node.width = (self.width if some.spare else 1) if node.beam else 0
        if some.left >= 0:                                      # 4
            given = self.given_up(some.members, some.n, some.left)
            node.low = given
            if given < beta:
                node.best, node.settled = given, 1
        if state.scan.free >= 0:                                # 5
            state.scan.few = 1
            state.scan.ranked[0].bound, state.scan.ranked[0].column = state.scan.lower, state.scan.free
        else:
            sort_ranked(state.scan.ranked, state.scan.few, node.beam)
        if not node.settled or node.best > lower:               # 6
            self.try_ranked(w, node, state.scan.ranked, state.scan.few)
        arena_release(&w.arena, mark)
        if not self.halted(w):                                  # 9
            lower = max(lower, node.best if node.settled else node.low)
            memo_write(self.memo, w.thread, some.key1, some.key2, lower, lower if node.settled else INF, node.guess, 0,
                       bits(counter_get(&self.tally.evaluations) - evaluations))
        return lower

    cdef int attempt(self, Worker *w, Node *node, const Ranked *guess, Split *split) except -1 nogil:
        """Try a guess, and keep it if it is better."""
        cdef int64_t total
        if node.ply == 0 and split == NULL:
            self.tally.lower = max(self.tally.lower, guess.bound)
        w.history[w.past + node.ply] = guess.column
        total = self.guess_value(w, <const State *>node, guess.column)
        if not self.halted(w):
            self.keep(node, split, total, guess.column)
        return 0

    cdef int help_with(self, Worker *w, Split *split) except -1 nogil:
        cdef State state = (<State *>split.node)[0]
        return self.take_guesses(w, &state.node, split)

    cdef int64_t guess_value(self, Worker *w, const State *state, int guess) except -1 nogil:
        """Return exactly the value of the set with this guess if it is below the best, else at least the best."""
        cdef Mark mark = w.arena.top
        cdef Part *parts
        cdef Part *part
        cdef Known known
        cdef int64_t best = state.node.best, total, before
        cdef int i, few = self.parts(w, state, guess, &parts)
        total = self.total(parts, few)
        for i in range(few):                                    # 7
            part = parts + i
            if total >= best:
                break
            if not part.exact and not part.ahead and (part.set.spare == ANY or part.set.n <= WORTH_BOUNDS):
                self.ahead(w, &part.set, &state.scan, &known)
                if known.lower > part.bound:
                    before = part.bound
                    part.bound = known.lower
                    total = self.total(parts, few) if self.worst else self.sum(total - before, part.bound)
                part.exact = known.lower >= known.upper
        for i in range(few):                                    # 8
            part = parts + i
            if total >= best or self.halted(w):
                break
            if not part.exact:
                before = part.bound
                part.bound = self.value(w, &part.set, best - part.cost if self.worst else best - (total - part.bound),
                                        state.scan.guesses, state.scan.choices, state.node.ply + 1)
                total = self.total(parts, few) if self.worst else self.sum(total - before, part.bound)
        arena_release(&w.arena, mark)
        return min(total, INF)

    cdef int64_t total(self, const Part *parts, int few) noexcept nogil:
        """Return at least what a guess costs, by what is known of its parts."""
        cdef int64_t total = 0
        cdef int i
        for i in range(few):
            if self.worst:
                total = max(total, self.sum(parts[i].paid, parts[i].bound))
            else:
                total = self.sum(total, parts[i].paid)
                total = self.sum(total, parts[i].bound)
        return total

    cdef int parts(self, Worker *w, const State *state, int guess, Part **out) except -1 nogil:
        """Write the parts that a guess leaves, largest first; return how many there are."""
        cdef const uint16_t *col = self.cols + <size_t>guess * self.S
        cdef Cells *cells = <Cells *>w.more
        cdef const Set *above = &state.set
        cdef int32_t *rows = <int32_t *>take(&w.arena, above.n * sizeof(int32_t))
        cdef int32_t *first
        cdef uint64_t *needs
        cdef Part *part
        cdef Known known
        cdef int i, r, few = 0
        for i in range(above.n):
            r = col[above.members[i]]
            if cells.count[r] == 0:
                cells.touched[few] = r
                few += 1
            cells.count[r] += 1
        # The counts are back at 0 before memory is asked for, which may fail.
        first = rows
        for i in range(few):
            r = cells.touched[i]
            cells.start[r] = first
            first += cells.count[r]
            cells.count[r] = 0
        for i in range(above.n):
            r = col[above.members[i]]
            cells.start[r][0] = above.members[i]
            cells.start[r] += 1
        out[0] = part = <Part *>take(&w.arena, few * sizeof(Part))
        first = rows
        for i in range(few):
            r = cells.touched[i]
            part.set.members, part.set.n, part.response = first, cells.start[r] - first, r
            first = cells.start[r]
            part += 1
        qsort(out[0], few, sizeof(Part), by_size)
        for i in range(few):
            part = out[0] + i
            r = part.response
            part.cost, part.exact, part.ahead = self.costs[guess * self.R + r], 1, 1
            part.paid, part.bound = 0, 0
            part.set.left, part.set.depth = above.left, above.depth - 1
            part.set.most, part.set.needs, part.set.spare = state.scan.most, NULL, ANY
            if part.set.n > SMALL and above.spare != ANY:
                part.set.spare = above.spare - (state.node.count > 0)
            if above.left >= 0 and part.cost > above.left:
                part.bound = self.given_up(part.set.members, part.set.n, above.left)
                continue
            part.set.left = above.left - part.cost if above.left >= 0 else -1
            part.paid = part.cost if self.worst else self.rate * part.cost * self.weight(part.set.members, part.set.n)
            if r == self.winning:
                continue
            if part.set.n == 1:
                part.bound = self.single(part.set.members[0], part.set.left, part.set.depth)
                continue
            if self.dead(part.set.n, part.set.depth, part.set.most):
                part.bound = self.lost_all(self.weight(part.set.members, part.set.n), part.set.left)
                continue
            if self.rules.words:
                needs = <uint64_t *>take(&w.arena, self.rules.words * sizeof(uint64_t))
                needs_after(&self.rules, above.needs, guess, r, needs)
                part.set.needs = needs
            self.key_of(&part.set)
            self.known(w, &part.set, &known)
            part.bound, part.exact, part.ahead = known.lower, known.lower >= known.upper, known.bounded
        return few
