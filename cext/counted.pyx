# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled depth-first search that counts guesses; `reference_counted` is its plain twin and explains the contract.

Everything here sees arrays of small integers. A *view* is a local table: the candidates of one state as
rows, the guesses that still differ on it as columns, stored both ways round. A set is some rows of a view.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from guesstree.cext import core
from guesstree.cext.core cimport (
    Dropping, Known, Mark, Node, Ranked, Split, Worker, alone, arena_release, bits, counter_add, counter_get,
    memo_read, memo_write, remember, sort_ranked, take
)
from guesstree.cext.evaluate cimport LOOK, NO_NOGOODS, Ahead, Evaluator, Limits, Nogoods, static_bound
from guesstree.cext.rules cimport hash_needs, mix_needs, needs_after
from guesstree.cext.view cimport View, allowed_view, column_of, make_view, partition_hash


INFINITE = 1 << 50
MOST_JOBS = core.MOST_JOBS
BY_PARTS, HINTS, AHEAD, LIMITS, TABLES, DUPLICATES, NOGOODS = (1 << i for i in range(7))

cdef int64_t INF = <int64_t>1 << 50
cdef enum:
    LOCAL = 4
    MANY_PARTS = 16     # from which on parts take turns
    FIRST_TURN = 64     # evaluations; each turn has so many times those of the last:
    TURN_GROWS = 4
    NO_HINTS = 2
    NO_AHEAD = 4
    NO_TABLES = 16
    NO_DUPLICATES = 32


cdef struct Cell:
    int32_t start
    int32_t size
    uint64_t key1
    uint64_t key2
    int64_t bound
    int depth           # guesses left
    int exact
    int ahead           # whether it has been bounded one step ahead


cdef struct State:      # a state while its guesses are tried
    Node node
    View *view
    const int32_t *rows
    int d
    const uint64_t *needs       # what the history demands; NULL without rules
    uint64_t *below             # the same of the part that is looked at
    Limits limits
    const int64_t *growth       # see `Evaluator.growth`
    int32_t *order      # rows, cell after cell
    Cell *cells         # largest first
    Nogoods nogoods


cdef class Searcher(Evaluator):
    """See `reference_counted.Searcher`."""

    cdef uint64_t *needs
    cdef int32_t *winner        # the first guess that names each secret, or -1
    cdef const int32_t *asked   # the state that is searched
    cdef int asked_size, asked_depth
    cdef int64_t asked_beta
    cdef const uint64_t *asked_needs

    def __init__(self, table, const int32_t[::1] own, int responses, int winning, int unit, bint only_candidates,
                 const int64_t[::1] least, const int64_t[::1] capacity, classes=None, digits=None, int renaming=0,
                 int symbols=0, response_of=None, features=None, needs=None, uint64_t memory=1 << 28, int width=0,
                 int jobs=1, int without=0):
        cdef int s
        Evaluator.__init__(self, table, own, responses, winning, unit, only_candidates, least, capacity, classes,
                           digits, renaming, symbols, response_of, without, memory, width, jobs)
        self.least_parallel = 2 * self.small
        self.winner = <int32_t *>take(&self.arena, self.S * sizeof(int32_t))
        for s in range(self.S):
            self.winner[s] = -1
        for s in range(self.G - 1, -1, -1):
            if own[s] >= 0:
                self.winner[own[s]] = s
        self.set_rules(features, needs, responses, 1 + self.base)
        if self.rules.words:
            self.without |= NO_NOGOODS      # what may be asked differs from set to set
            self.needs = <uint64_t *>take(&self.arena, self.rules.words * sizeof(uint64_t))

    # ---- asked from outside -------------------------------------------------------------------------------------

    def search(self, const int32_t[::1] candidates, int depth, int64_t beta, history=(), int64_t budget=0):
        """See `reference_counted.Searcher.search`."""
        cdef int64_t value
        cdef int guess = -1
        self.busy = alone(self.busy)
        try:
            self.asked, self.asked_size, self.asked_depth = &candidates[0], candidates.shape[0], depth
            self.asked_beta, self.asked_needs = beta, self.needs_of(candidates, history)
            value = self.run(self.worker(history), budget)
            if value < beta and not self.tally.stop:
                guess = self.chosen(candidates, depth)
                if guess < 0 and candidates.shape[0] > 1:
                    guess = self.tally.guess    # the table was too small to keep it
            return self.outcome(value, beta, guess)
        finally:
            self.busy = 0

    def bound(self, const int32_t[::1] candidates, int depth, history=()):
        """See `reference_counted.Searcher.bound`."""
        cdef Worker *w
        cdef Known known
        cdef int n = candidates.shape[0], d = min(depth, n - 1 + self.base)
        cdef int64_t lower = self.closed(n, d)
        cdef const uint64_t *needs
        cdef uint64_t key1, key2
        self.busy = alone(self.busy)
        try:
            w, needs = self.worker(history), self.needs_of(candidates, history)
            if lower >= 0:
                return lower, True
            self.key_of(self.root, &candidates[0], n, d, needs, &key1, &key2)
            with nogil:
                known = self.known(w, &self.limits, n, d, key1, key2)
                if not known.bounded and known.lower < known.upper and self.root.rows != NULL:
                    lower = known.lower
                    self.bound_ahead(w, self.root, &candidates[0], n, d, &self.limits, needs, key1, key2, &known)
                    known.lower = max(known.lower, lower)
            return known.lower, known.lower >= known.upper
        finally:
            self.busy = 0

    def choice(self, const int32_t[::1] candidates, int depth, history=()):
        """See `reference_counted.Searcher.choice`."""
        cdef int guess
        self.busy = alone(self.busy)
        try:
            self.asked_needs = self.needs_of(candidates, history)
            guess = self.chosen(candidates, depth)
        finally:
            self.busy = 0
        if guess < 0:
            guess = self.search(candidates, depth, INF, history).guess
        if guess < 0:
            raise ValueError(f"no strategy is known for {candidates.shape[0]} candidates within {depth} guesses")
        return guess

    cdef int chosen(self, const int32_t[::1] candidates, int depth) except -2:
        """Return the first guess of the best strategy for what was asked last, if it is known, else -1."""
        cdef int n = candidates.shape[0], d = min(depth, n - 1 + self.base)
        cdef uint64_t key1, key2
        cdef Known known
        if n <= 1 + self.base:
            return self.winner[candidates[0]] if self.base and self.closed(n, depth) < INF else -1
        self.key_of(self.root, &candidates[0], n, d, self.asked_needs, &key1, &key2)
        if memo_read(self.memo, 0, key1, key2, &known) and INF > known.lower >= known.upper:
            return known.guess
        return -1

    cdef const uint64_t *needs_of(self, const int32_t[::1] candidates, history) except? NULL:
        """Return what the guesses that led to some candidates demand, until it is asked for again."""
        cdef int guess
        if not self.rules.words:
            return NULL
        memset(self.needs, 0, self.rules.words * sizeof(uint64_t))
        for guess in history:
            needs_after(&self.rules, self.needs, guess,
                        self.root.cols[<size_t>guess * self.root.tall + candidates[0]], self.needs)
        return self.needs

    cdef int64_t root_value(self, Worker *w) except -1 nogil:
        return self.value(w, self.root, self.asked, self.asked_size, self.asked_depth, self.asked_beta, 0, &self.limits,
                          self.asked_needs)

    # ---- what is known ------------------------------------------------------------------------------------------

    cdef int bound_ahead(self, Worker *w, View *view, const int32_t *rows, int n, int d, const Limits *above,
                         const uint64_t *needs, uint64_t key1, uint64_t key2, Known *found) except -1 nogil:
        """Write bounds of a set, the least bound over its guesses and the guess that has it (step 8); store them."""
        cdef Ahead ahead
        cdef Mark mark = w.arena.top
        cdef View *whole = view
        cdef int i
        if needs != NULL:
            view = allowed_view(&w.arena, &self.rules, needs, whole, rows, n, self.S, self.R)
            rows = rows if view == whole else self.identity
        counter_add(&self.tally.evaluations, 1)
        ahead.lower, ahead.upper, ahead.column = INF, INF, -1
        for i in range(n):
            w.inside[view.secret[rows[i]]] = 1
        if n <= self.small or self.must_separate(d):
            self.best_by_parts(w, view, rows, n, d, above, &ahead)
        else:
            self.best_by_sizes(w, view, rows, n, d, above, &ahead)
        for i in range(n):
            w.inside[view.secret[rows[i]]] = 0
        if ahead.lower == INF and self.must_separate(d):
            self.learn_nogood(w, view, rows, n)
        found.lower, found.upper, found.bounded = max(ahead.lower, static_bound(above, n, d)), ahead.upper, 1
        found.guess = view.guess[ahead.column] if ahead.column >= 0 else -1
        arena_release(&w.arena, mark)
        memo_write(self.memo, w.thread, key1, key2, found.lower, found.upper, found.guess, 1, 0)
        return 0

    cdef void key_of(self, View *view, const int32_t *rows, int n, int d, const uint64_t *needs, uint64_t *key1,
                     uint64_t *key2) noexcept nogil:
        """Write the key of a set with d guesses left and its needs.

        It is a sum of two random words per secret (Zobrist 1970), so that two different sets meet with probability
        2^-128 per pair; needs are mixed in.
        """
        cdef int j, s
        key1[0] = <uint64_t>d * <uint64_t>0xD6E8FEB86659FD93
        key2[0] = <uint64_t>d * <uint64_t>0xA5A3564E27F88691
        for j in range(n):
            s = view.secret[rows[j]]
            key1[0] += self.z1[s]
            key2[0] += self.z2[s]
        mix_needs(&self.rules, needs, key1, key2)

    cdef Known known(self, Worker *w, const Limits *limits, int n, int d, uint64_t key1, uint64_t key2) noexcept nogil:
        """Return what is known of a set, by counting if by nothing else."""
        cdef Known found
        if not memo_read(self.memo, w.thread, key1, key2, &found):
            found.lower, found.upper, found.guess, found.bounded = 0, INF, -1, 0
        found.lower = max(found.lower, static_bound(limits, n, d))
        return found

    # ---- the search ---------------------------------------------------------------------------------------------

    cdef int64_t value(self, Worker *w, View *above, const int32_t *rows, int n, int d, int64_t beta, int ply,
                       const Limits *limits, const uint64_t *needs) except -1 nogil:
        """Return exactly the value of a set if it is below beta, otherwise at least beta and at most the value.

        The steps are those of `reference_counted.Searcher.value`, where each is proved.
        """
        cdef State state
        cdef Known known
        cdef Mark mark = w.arena.top
        cdef uint64_t key1, key2
        cdef int64_t lower, evaluations
        d = min(d, n - 1 + self.base)
        lower = self.closed(n, d)                               # 1, 2
        if lower >= 0:
            return lower
        self.key_of(above, rows, n, d, needs, &key1, &key2)     # 3
        known = self.known(w, limits, n, d, key1, key2)
        lower = known.lower
        if lower >= beta or lower == known.upper or self.halted(w) or self.spent() or self.turn_over(w):    # 4
            return lower
        evaluations = counter_get(&self.tally.evaluations)
        counter_add(&self.tally.states, 1)
        if above.rows == NULL and n < above.n:
            above, rows = self.code_view(w, rows, n), self.identity
            if self.halted(w):
                arena_release(&w.arena, mark)
                return lower
        state.needs, state.below = needs, NULL
        if needs != NULL:
            state.below = <uint64_t *>take(&w.arena, self.rules.words * sizeof(uint64_t))
            state.view = allowed_view(&w.arena, &self.rules, needs, above, rows, n, self.S, self.R)
            if state.view != above:
                above, rows = state.view, self.identity
        state.view, state.rows, state.d, state.nogoods.place = above, rows, d, NULL
        state.node.n, state.node.ply, state.node.best, state.node.low, state.node.lower = n, ply, beta, INF, lower
        state.node.settled, state.node.guess, state.node.count = 0, -1, 0
        state.node.beam, state.node.width = self.width and n > self.small, self.width
        state.order = <int32_t *>take(&w.arena, n * sizeof(int32_t))
        state.cells = <Cell *>take(&w.arena, min(n, self.R) * sizeof(Cell))
        self.try_guesses(w, &state, known.guess, limits)
        arena_release(&w.arena, mark)
        if not self.halted(w):      # 10
            lower = max(lower, state.node.best if state.node.settled else state.node.low)
            memo_write(self.memo, w.thread, key1, key2, lower, lower if state.node.settled else INF,
                       state.node.guess, 0, bits(counter_get(&self.tally.evaluations) - evaluations))
        return lower

    cdef int try_guesses(self, Worker *w, State *state, int hint, const Limits *above) except -1 nogil:
        """Try the guesses of a state, the best bound first; best, low and guess of its node hold the result."""
        cdef View *local
        cdef Dropping dropping
        cdef Node *node = &state.node
        cdef Ranked *ranked
        cdef Ranked first
        cdef uint64_t *before
        cdef int few, i
        state.limits = above[0]
        dropping.fixing, dropping.marks = NULL, NULL
        if node.n > self.small:                                # 7
            self.dropping(w, node.ply, &dropping)
        self.new_tried(w, node, 1)
        first.column = -1
        if hint >= 0 and (self.unit or node.n <= self.small) and not self.without & NO_HINTS:
            first.column = column_of(state.view, hint)
        if first.column >= 0 and not self.is_dropped(&dropping, state.view.guess[first.column]):
            # 5: the hash move
            first.bound, first.outside = node.lower, not self.names_one(state, first.column)
            self.attempt(w, node, &first, NULL)
        if self.halted(w) or (node.settled and node.best <= node.lower):
            return 0
        ranked = <Ranked *>take(&w.arena, state.view.ng * sizeof(Ranked))
        few = self.rank(w, state, &dropping, ranked)           # 6
        if node.beam:
            self.score(w, state, ranked, few)
        if self.halted(w):
            return 0
        sort_ranked(ranked, few, node.beam)
        if few >= LOCAL and node.n > 2 * LOCAL * self.small and not self.without & NO_TABLES and (
            2 * node.n <= state.view.n or self.rules.words
        ):
            local = make_view(&w.arena, state.view, state.rows, node.n, self.S, self.R, self.z1, self.only_candidates,
                              &self.rules, state.needs, self.demandable(w, state))
            few = self.translate(state, local, ranked, few)
        before = node.tried.words
        self.new_tried(w, node, few + 1)
        for i in range(2):      # the guess that was tried first
            if before[2 * i]:
                remember(&node.tried, before[2 * i], before[2 * i + 1], before[2 * i + 1] & 1)
        return self.try_ranked(w, node, ranked, few)

    cdef int attempt(self, Worker *w, Node *node, const Ranked *guess, Split *split) except -1 nogil:
        """Try a guess unless one with the same partition was tried, and keep it if it is better."""
        cdef State *state = <State *>node
        cdef int64_t total
        cdef int number = state.view.guess[guess.column]
        cdef const uint8_t *col
        if self.turn_over(w):
            return 0
        col = self.column(w, state.view, guess.column)
        if self.nogoods_matter(state.d) and self.is_nogood(w, &state.nogoods, state.view, state.rows, node.n, col):
            return 0
        if not self.without & NO_DUPLICATES and self.was_met(state, col, number, guess.outside, split):
            return 0
        if node.ply == 0 and split == NULL:
            self.tally.lower = max(self.tally.lower, guess.bound)
        w.history[w.past + node.ply] = number
        total = self.guess_value(w, state, col, number)
        if not self.halted(w):
            self.keep(node, split, total, number)
        return 0

    cdef int was_met(self, State *state, const uint8_t *col, int guess, int outside, Split *split) noexcept nogil:
        """Return whether a guess with the same partition, no worse, was tried; remember this one."""
        cdef uint64_t hash1 = partition_hash(col, state.rows, state.node.n, self.R, self.z1)
        cdef uint64_t hash2 = partition_hash(col, state.rows, state.node.n, self.R, self.z2)
        if self.rules.words:
            hash_needs(&self.rules, state.needs, guess, col, state.rows, state.node.n, &hash1, &hash2)
        return self.was_tried(&state.node, split, hash1, hash2, outside)

    cdef int help_with(self, Worker *w, Split *split) except -1 nogil:
        cdef State state = (<State *>split.node)[0]
        state.nogoods.place = NULL
        state.order = <int32_t *>take(&w.arena, state.node.n * sizeof(int32_t))
        state.cells = <Cell *>take(&w.arena, min(state.node.n, self.R) * sizeof(Cell))
        state.below = <uint64_t *>take(&w.arena, self.rules.words * sizeof(uint64_t))
        return self.take_guesses(w, &state.node, split)

    cdef int names_one(self, State *state, int column) noexcept nogil:
        """Return whether a guess names a candidate."""
        cdef int i
        for i in range(state.node.n):
            if state.view.own[column] == state.view.secret[state.rows[i]]:
                return 1
        return 0

    cdef int rank(self, Worker *w, State *state, const Dropping *dropping, Ranked *out) except -1 nogil:
        """Write the guesses bounded below the best known, and return how many (step 6).

        A guess whose number of parts alone bounds it there keeps that bound: it is no better. When the search is
        stopped, some are left out.
        """
        cdef View *view = state.view
        cdef uint8_t *parts = NULL
        cdef int64_t inner[256]
        cdef int64_t outer[256]
        cdef int i, j, k, few = 0, n = state.node.n
        counter_add(&self.tally.evaluations, 1)
        for i in range(n):
            w.inside[view.secret[state.rows[i]]] = 1
        if self.by_counts(view, n):
            parts = self.count_parts(w, view, state.rows, n)
            if n > self.small:
                self.tighten_by_parts(w, &state.limits, view, n, parts, &state.limits)
            for k in range(min(n, self.R) + 1):
                inner[k] = self.bound_by_parts(&state.limits, n, state.d, k, self.base)
                outer[k] = self.bound_by_parts(&state.limits, n, state.d, k, 0)
        state.growth = self.growth(w, &state.limits, n, state.d)
        for i in range(n):
            if i % LOOK == 0 and self.halted(w):
                break
            j = view.first[state.rows[i]]
            while j >= 0:
                few += self.consider(w, state, j, 0, parts, inner, dropping, out + few)
                j = view.next[j]
        if not self.only_candidates:
            for j in range(view.ng):
                if j % LOOK == 0 and self.halted(w):
                    break
                if parts != NULL and outer[parts[j]] >= max(state.node.best, state.node.low):
                    continue
                if not (view.own[j] >= 0 and w.inside[view.own[j]]):
                    few += self.consider(w, state, j, 1, parts, outer, dropping, out + few)
        for i in range(n):
            w.inside[view.secret[state.rows[i]]] = 0
        return few

    cdef void score(self, Worker *w, State *state, Ranked *ranked, int few) noexcept nogil:
        """Score guesses as beams order them; see `reference_counted.Searcher.beam_score`."""
        cdef int i, j, r
        cdef const uint8_t *col
        cdef int64_t squares, parts
        cdef int32_t count[256]
        for i in range(few):
            if i % LOOK == 0 and self.halted(w):
                break
            col = self.column(w, state.view, ranked[i].column)
            memset(count, 0, self.R * sizeof(int32_t))
            for j in range(state.node.n):
                count[col[state.rows[j]]] += 1
            squares = parts = 0
            for r in range(self.R):
                squares += <int64_t>count[r] * count[r]
                parts += count[r] > 0
            ranked[i].score = 2 * squares - state.node.n * (parts + (0 if ranked[i].outside else self.base))

    cdef int consider(self, Worker *w, State *state, int column, int outside, const uint8_t *parts,
                      const int64_t *by_parts, const Dropping *dropping, Ranked *out) except -1 nogil:
        """Write a guess and return 1 if it may be better than the best known; else note its bound."""
        out.column, out.outside, out.bound, out.score = column, outside, 0, 0
        if parts != NULL:
            out.bound, out.score = by_parts[parts[column]], -<int>parts[column]
        if out.bound < state.node.best and self.is_dropped(dropping, state.view.guess[column]):
            return 0
        if out.bound < state.node.best and self.nogoods_matter(state.d) and (
            self.is_nogood(w, &state.nogoods, state.view, state.rows, state.node.n,
                           self.column(w, state.view, column))
        ):
            return 0
        if out.bound < state.node.best and (parts == NULL or state.node.n > self.small):
            self.bound_by_sizes(state.growth, self.column(w, state.view, column), state.rows, state.node.n, out)
        if out.bound < state.node.best:
            return 1
        state.node.low = min(state.node.low, out.bound)
        return 0

    cdef int translate(self, State *state, View *local, Ranked *ranked, int few) noexcept nogil:
        """Go over to a local table: renumber the guesses, leave out those that it stands for by others."""
        cdef int i, kept = 0, column
        for i in range(few):
            column = column_of(local, state.view.guess[ranked[i].column])
            if column >= 0:
                ranked[kept] = ranked[i]
                ranked[kept].column = column
                kept += 1
        state.view, state.rows, state.nogoods.place = local, self.identity, NULL
        return kept

    cdef const uint64_t *demandable(self, Worker *w, State *state) except NULL nogil:
        """Return the bits that can be demanded of any subset of the state."""
        cdef uint64_t *found = <uint64_t *>take(&w.arena, self.rules.words * sizeof(uint64_t))
        cdef int i, k, guess
        for k in range(self.rules.words):
            found[k] = 0 if self.base else <uint64_t>-1
            for i in range(state.node.n if self.base else 0):
                guess = self.winner[state.view.secret[state.rows[i]]]
                found[k] |= self.rules.features[<size_t>guess * self.rules.words + k]
        return found

    cdef const uint64_t *needs_below(self, State *state, const uint8_t *col, int guess,
                                     const Cell *cell) noexcept nogil:
        """Return what is demanded in a part, until the next is asked for; NULL without rules."""
        if state.needs != NULL:
            needs_after(&self.rules, state.needs, guess, col[state.order[cell.start]], state.below)
        return state.below

    cdef int64_t guess_value(self, Worker *w, State *state, const uint8_t *col, int guess) except -1 nogil:
        """Return exactly the value of the set with this guess if it is below the best, else at least the best."""
        cdef View *view = state.view
        cdef Cell *cell
        cdef Known known
        cdef int cells = self.split(state, col), c
        cdef int64_t total = self.unit * state.node.n
        for c in range(cells):
            cell = &state.cells[c]
            cell.depth = min(state.d - 1, cell.size - 1 + self.base)
            cell.bound = self.closed(cell.size, cell.depth)
            cell.exact, cell.ahead = cell.bound >= 0, 0
            if not cell.exact:
                self.key_of(view, state.order + cell.start, cell.size, cell.depth,
                            self.needs_below(state, col, guess, cell), &cell.key1, &cell.key2)
                known = self.known(w, &state.limits, cell.size, cell.depth, cell.key1, cell.key2)
                cell.bound, cell.exact, cell.ahead = known.lower, known.lower >= known.upper, known.bounded
            total += cell.bound
        for c in range(cells):                                  # 8
            cell = &state.cells[c]
            if total >= state.node.best:
                return min(total, INF)
            if cell.exact or cell.ahead or view.rows == NULL or self.without & NO_AHEAD:
                continue
            if not self.unit and cell.depth - 1 > self.base:
                continue
            self.bound_ahead(w, view, state.order + cell.start, cell.size, cell.depth, &state.limits,
                             self.needs_below(state, col, guess, cell), cell.key1, cell.key2, &known)
            total += max(known.lower, cell.bound) - cell.bound
            cell.bound, cell.exact = max(known.lower, cell.bound), known.lower >= known.upper
        return self.value_of_cells(w, state, col, guess, cells, total)

    cdef int64_t value_of_cells(self, Worker *w, State *state, const uint8_t *col, int guess, int cells,
                                int64_t total) except -1 nogil:
        """Replace bounds of cells by values, until their sum reaches the best (step 9); return the sum."""
        cdef Cell *cell
        cdef int c, left = 0
        cdef int64_t turn, value
        for c in range(cells):
            left += 1 if not state.cells[c].exact else 0
        turn = FIRST_TURN if self.unit and not self.width and state.node.ply == 0 and left > MANY_PARTS else 0
        while left and total < state.node.best and not self.halted(w):
            if left == 1:
                turn = 0
            left = 0
            for c in range(cells):
                cell = &state.cells[c]
                if total >= state.node.best or self.halted(w):
                    break
                if cell.exact:
                    continue
                if turn:
                    w.turn = counter_get(&self.tally.evaluations) + turn
                value = self.value(w, state.view, state.order + cell.start, cell.size, state.d - 1,
                                   state.node.best - (total - cell.bound), state.node.ply + 1, &state.limits,
                                   self.needs_below(state, col, guess, cell))
                total += value - cell.bound
                cell.bound, cell.exact = value, 1
                if turn:
                    cell.exact, w.turn, w.over = 1 - w.over, 0, 0
                left += 1 - cell.exact
            turn *= TURN_GROWS
        return min(total, INF)

    cdef int split(self, State *state, const uint8_t *col) noexcept nogil:
        """Sort the rows of the state by response into state.order; return the number of cells, largest first.

        The part that wins is no cell: nothing is left to ask there.
        """
        cdef int32_t count[256]
        cdef int32_t start[256]
        cdef int i, r, c, at = 0, cells = 0
        cdef Cell cell
        memset(count, 0, self.R * sizeof(int32_t))
        for i in range(state.node.n):
            count[col[state.rows[i]]] += 1
        for r in range(self.R):
            start[r] = at
            if count[r] and r != self.winning:
                cell.start, cell.size, cell.bound, cell.exact = at, count[r], 0, 0
                c = cells
                while c > 0 and state.cells[c - 1].size < cell.size:
                    state.cells[c] = state.cells[c - 1]
                    c -= 1
                state.cells[c] = cell
                cells += 1
            at += count[r]
        for i in range(state.node.n):
            r = col[state.rows[i]]
            state.order[start[r]] = state.rows[i]
            start[r] += 1
        return cells
