# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""States where guesses are counted, for the compiled search; `reference_counted` is the plain twin, with the contract.

Everything here sees arrays of small integers. A *view* is a local table: the candidates of one state as
rows, the guesses that still differ on it as columns, stored both ways round. A set is some rows of a view.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from guesstree.cext import core
from guesstree.cext.code_form cimport CodeForm, code_form_image, code_form_order
from guesstree.cext.core cimport (
    ANY, Known, Mark, Node, Ranked, SharedNode, State, Worker, arena_release, memo_read, memo_write, mixed,
    remember, sort_ranked, take
)
from guesstree.cext.evaluate cimport LOOK, NO_NOGOODS, Ahead, Evaluator, Limits, Nogoods, counting_bound
from guesstree.cext.rules cimport hash_needs, mix_needs, needs_after
from guesstree.cext.search cimport Child
from guesstree.cext.view cimport View, allowed_view, column_of, make_view, partition_hash


INFINITE = 1 << 50
MOST_JOBS = core.MOST_JOBS
BY_PARTS, HINTS, AHEAD, LIMITS, TABLES, DUPLICATES, NOGOODS, ALIKE = (1 << i for i in range(8))

cdef int64_t INF = <int64_t>1 << 50
cdef enum:
    LOCAL = 4
    AHEAD_ALIKE = 16    # one ply ahead, sets of more are looked up by what those alike share
    NO_HINTS = 2
    NO_AHEAD = 4
    NO_TABLES = 16
    NO_DUPLICATES = 32
    NO_ALIKE = 128


cdef struct Alike:
    uint64_t key1       # of the image of a set: what all share that renamings take it to
    uint64_t key2


cdef struct CountedNode:
    Node node           # its members are rows of the view
    View *view
    Limits limits
    const int64_t *part_bounds  # see `Evaluator.part_bounds`
    Nogoods nogoods
    Alike alike
    int hint            # the guess with the best bound one ply ahead, where only bounds were taken over


cdef class Searcher(Evaluator):
    """See `reference_counted.Searcher`."""

    cdef CountedNode all        # all guesses
    cdef int32_t *guess_of_secret       # the first guess that names each secret, or -1

    def __init__(self, table, const int32_t[::1] secret_of_guess, int responses, int winning, int unit,
                 bint only_candidates, const int64_t[::1] least, const int64_t[::1] capacity, classes=None,
                 digits=None, int renaming=0, int symbols=0, response_of=None, features=None, needs=None,
                 uint64_t memory=1 << 28, int width=0, int jobs=1, int without=0, int discrepancies=ANY):
        cdef int s
        Evaluator.__init__(self, table, secret_of_guess, responses, winning, unit, only_candidates, least, capacity,
                           classes, digits, renaming, symbols, response_of, without, memory, width, jobs)
        self.least_shared, self.narrow, self.sliced, self.learns = 2 * self.small, 1, unit, unit
        self.node_size, self.discrepancies, self.looks = sizeof(CountedNode), discrepancies, table is not None
        self.all.view, self.all.limits, self.whole = self.root, self.limits, &self.all.node
        self.guess_of_secret = <int32_t *>take(&self.arena, self.S * sizeof(int32_t))
        for s in range(self.S):
            self.guess_of_secret[s] = -1
        for s in range(self.G - 1, -1, -1):
            if secret_of_guess[s] >= 0:
                self.guess_of_secret[secret_of_guess[s]] = s
        self.set_rules(features, needs, responses, 1 + self.base)
        if self.rules.words:
            self.without |= NO_NOGOODS      # what may be asked differs from state to state

    cdef int ask(self, Worker *w, candidates, int depth, left, history) except -1:
        """Write what is asked."""
        cdef const int32_t[::1] places = candidates
        cdef int32_t *rows = <int32_t *>take(&w.arena, (places.shape[0] + 1) * sizeof(int32_t))
        cdef uint64_t *needs = NULL
        cdef int i, guess
        for i in range(<int>places.shape[0]):
            rows[i] = places[i]
        if self.rules.words:
            needs = <uint64_t *>take(&w.arena, self.rules.words * sizeof(uint64_t))
            memset(needs, 0, self.rules.words * sizeof(uint64_t))
            for guess in history or ():
                needs_after(&self.rules, needs, guess, self.root.cols[<size_t>guess * self.root.tall + rows[0]], needs)
        self.asked.members, self.asked.n, self.asked.needs, self.asked.remaining = rows, places.shape[0], needs, -1
        self.asked.depth = min(depth, self.asked.n - 1 + self.base)
        self.asked.discrepancies = self.discrepancies if self.asked.n > self.small else ANY
        self.hash_state(self.whole, &self.asked)
        return 0

    # ---- what is known ------------------------------------------------------------------------------------------

    cdef void hash_state(self, const Node *above, State *state) noexcept nogil:
        """Write a sum of random words of the candidates, with the guesses left, which are never more than matter."""
        cdef const View *view = (<const CountedNode *>above).view
        cdef int j, s
        state.key1 = <uint64_t>state.depth * <uint64_t>0xD6E8FEB86659FD93
        state.key2 = <uint64_t>state.depth * <uint64_t>0xA5A3564E27F88691
        for j in range(state.n):
            s = view.secret[state.members[j]]
            state.key1 += self.z1[s]
            state.key2 += self.z2[s]
        self.mix_discrepancies(state)
        mix_needs(&self.rules, state.needs, &state.key1, &state.key2)

    cdef int64_t solved(self, const State *state) noexcept nogil:
        return self.solved_by_size(state.n, state.depth)

    cdef int last_guess(self, const State *state) noexcept nogil:
        return self.guess_of_secret[state.members[0]] if self.base and self.solved(state) < INF else -1

    cdef int64_t static_bound(self, Worker *w, const Node *above, const State *state) except -1 nogil:
        return counting_bound(&(<const CountedNode *>above).limits, state.n, state.depth)

    cdef int look_ahead(self, Worker *w, const Node *above, const State *state, Known *found) except -1 nogil:
        """Write bounds of a state one ply ahead, which all states share that renamings take it to; remember them."""
        cdef Alike alike
        cdef int64_t lower = 0
        if not self.shares(state.n, AHEAD_ALIKE):
            return self.bound_ahead(w, above, state, found)
        if self.recall_alike(w, (<const CountedNode *>above).view, state, &alike, found):
            lower = found.lower
            if found.bounded or lower >= found.upper:   # the upper bound is not the state's own: that has a guess
                memo_write(self.memo, w.thread, state.key1, state.key2, lower, INF, -1, 1, 0)
                return 0
        self.bound_ahead(w, above, state, found)
        found.lower = max(found.lower, lower)
        memo_write(self.memo, w.thread, alike.key1, alike.key2, found.lower, found.upper, -1, 1, 0)
        return 0

    cdef int bound_ahead(self, Worker *w, const Node *above, const State *state, Known *found) except -1 nogil:
        """Write bounds of a state: the least bound over its guesses, and the guess that has it; remember them."""
        cdef Ahead ahead
        cdef Mark mark = w.arena.top
        cdef const Limits *limits = &(<const CountedNode *>above).limits
        cdef View *whole = (<CountedNode *>above).view
        cdef View *view = whole
        cdef const int32_t *rows = state.members
        cdef int i, n = state.n, d = state.depth
        if state.needs != NULL:
            view = allowed_view(&w.arena, &self.rules, state.needs, whole, rows, n, self.S, self.R)
            rows = rows if view == whole else self.identity
        self.evaluated(w, n)
        ahead.lower, ahead.upper, ahead.column = INF, INF, -1
        for i in range(n):
            w.inside[view.secret[rows[i]]] = 1
        if n <= self.small or self.must_separate(d):
            self.best_by_parts(w, view, rows, n, d, limits, &ahead)
        else:
            self.best_by_sizes(w, view, rows, n, d, limits, &ahead)
        for i in range(n):
            w.inside[view.secret[rows[i]]] = 0
        if ahead.lower == INF and self.must_separate(d):
            self.learn_nogood(w, view, rows, n)
        found.lower, found.upper, found.bounded = max(ahead.lower, counting_bound(limits, n, d)), ahead.upper, 1
        found.guess = view.guess[ahead.column] if ahead.column >= 0 else -1
        arena_release(&w.arena, mark)
        memo_write(self.memo, w.thread, state.key1, state.key2, found.lower, found.upper, found.guess, 1, 0)
        return 0

    cdef int shares(self, int n, int small) noexcept nogil:
        """Return whether a set of codes shares what is known with those that renamings take it to."""
        return self.renaming and n > small and not (self.width or self.rules.words or self.without & NO_ALIKE)

    cdef int recall_alike(self, Worker *w, const View *view, const State *state, Alike *alike,
                          Known *known) except -1 nogil:
        """Write the key of a state's image, and what is known of all that have it; return whether anything is."""
        cdef Mark mark = w.arena.top
        cdef CodeForm form
        cdef uint64_t image
        cdef int i, all_of
        form.n, form.pegs, form.colours = state.n, self.pegs, self.colours
        form.rows = self.pegs if self.renaming == 2 else 1
        all_of = form.rows * form.colours
        form.codes = <uint8_t *>take(&w.arena, <size_t>form.n * form.pegs)
        form.labels = <uint64_t *>take(&w.arena, 3 * (form.pegs + all_of) * sizeof(uint64_t))
        form.there = <int32_t *>take(&w.arena, all_of * sizeof(int32_t))
        form.position = <int64_t *>take(&w.arena, form.pegs * sizeof(int64_t))
        form.named = <int64_t *>take(&w.arena, all_of * sizeof(int64_t))
        for i in range(form.n):
            memcpy(form.codes + <size_t>i * form.pegs, &self.digits[view.secret[state.members[i]], 0], form.pegs)
        code_form_order(&form)
        alike.key1 = mixed(<uint64_t>state.depth * <uint64_t>0xD6E8FEB86659FD93 + 13)
        alike.key2 = mixed(<uint64_t>state.depth * <uint64_t>0xA5A3564E27F88691 + 14)
        for i in range(form.n):
            image = <uint64_t>code_form_image(&form, i)
            alike.key1 += mixed(2 * image)
            alike.key2 += mixed(2 * image + 1)
        arena_release(&w.arena, mark)
        return memo_read(self.memo, w.thread, alike.key1, alike.key2, known)

    cdef void store_alike(self, Worker *w, const Node *node, int64_t lower) noexcept nogil:
        cdef const CountedNode *counted = <const CountedNode *>node
        if self.shares(node.state.n, self.small):
            memo_write(self.memo, w.thread, counted.alike.key1, counted.alike.key2, lower,
                       lower if node.settled else INF, -1, 0, 0)

    # ---- guesses ------------------------------------------------------------------------------------------------

    cdef int open(self, Worker *w, const Node *above, Node *node) except -1 nogil:
        """Let the node have the view of the node above, or one of its own where that has no responses or may not."""
        cdef CountedNode *counted = <CountedNode *>node
        cdef State *state = &node.state
        cdef View *view = (<CountedNode *>above).view
        cdef Known known
        if self.shares(state.n, self.small) and self.recall_alike(w, view, state, &counted.alike, &known):
            node.lower = max(node.lower, known.lower)
            if node.lower >= node.best or (known.lower >= known.upper and node.ply):
                node.settled = node.lower < node.best       # whose guess is asked for, needs one of its own
                return 0
        counted.limits, counted.nogoods.place = (<const CountedNode *>above).limits, NULL
        if view.rows == NULL and state.n < view.n:
            view, state.members = self.code_view(w, state.members, state.n), self.identity
        counted.view = view
        if state.needs != NULL and not self.halted(w):
            counted.view = allowed_view(&w.arena, &self.rules, state.needs, view, state.members, state.n, self.S,
                                        self.R)
            if counted.view != view:
                state.members = self.identity
        counted.hint = -1
        if view.rows != NULL and self.takes_hints(state.n) and self.shares(state.n, AHEAD_ALIKE):
            self.recall(w, state, &known)
            if known.bounded and known.guess < 0 and not self.halted(w):
                self.bound_ahead(w, node, state, &known)
                counted.hint = known.guess
        return 0

    cdef int takes_hints(self, int n) noexcept nogil:
        """Return whether a guess known to be good is tried first; depth alone says nothing about which is."""
        return (self.unit or n <= self.small) and not self.without & NO_HINTS

    cdef int hash_move(self, Worker *w, Node *node, int guess, Ranked *out) except -1 nogil:
        cdef CountedNode *counted = <CountedNode *>node
        self.new_tried(w, node, 1)
        guess = counted.hint if guess < 0 else guess
        if guess < 0 or not self.takes_hints(node.state.n):
            return 0
        out.column = column_of(counted.view, guess)
        if out.column < 0 or self.is_dropped(&node.dropping, guess):
            return 0
        out.bound, out.outside = node.lower, not self.names_one(counted, out.column)
        return 1

    cdef int rank(self, Worker *w, const Node *above, Node *node, Ranked **out) except -1 nogil:
        """Write the guesses bounded below the best known; a large node gets a table of its own, and sorts them."""
        cdef CountedNode *counted = <CountedNode *>node
        cdef View *local
        cdef Ranked *ranked = <Ranked *>take(&w.arena, counted.view.ng * sizeof(Ranked))
        cdef uint64_t *before = node.tried.words
        cdef int i, n = node.state.n, many = self.bounded(w, counted, ranked)
        out[0] = ranked
        if node.beam:
            self.score(w, counted, ranked, many)
        if self.halted(w):
            return 0
        if many >= LOCAL and n > 2 * LOCAL * self.small and not self.without & NO_TABLES and (
            2 * n <= counted.view.n or self.rules.words
        ):
            sort_ranked(ranked, many, node.beam)    # in the order of this table's columns
            local = make_view(&w.arena, counted.view, node.state.members, n, self.S, self.R, self.z1,
                              self.only_candidates, &self.rules, node.state.needs, self.demandable(w, counted))
            node.sorted = many = self.translate(counted, local, ranked, many)
        self.new_tried(w, node, many + 1)
        for i in range(2):      # the guess that was tried first
            if before[2 * i]:
                remember(&node.tried, before[2 * i], before[2 * i + 1], before[2 * i + 1] & 1)
        return many

    cdef int admit(self, Worker *w, Node *node, const Ranked *ranked, SharedNode *shared) except -2 nogil:
        """Return the number of a guess, or -1 if it leaves a nogood whole, or one with its partition was tried."""
        cdef CountedNode *counted = <CountedNode *>node
        cdef const uint8_t *col = self.column(w, counted.view, ranked.column)
        cdef int guess = counted.view.guess[ranked.column]
        if self.nogoods_matter(node.state.depth) and (
            self.is_nogood(w, &counted.nogoods, counted.view, node.state.members, node.state.n, col)
        ):
            return -1
        if not self.without & NO_DUPLICATES and self.was_met(counted, col, guess, ranked.outside, shared):
            return -1
        return guess

    cdef int was_met(self, CountedNode *counted, const uint8_t *col, int guess, int outside,
                     SharedNode *shared) noexcept nogil:
        """Return whether a guess with the same partition, no worse, was tried; remember this one."""
        cdef const State *state = &counted.node.state
        cdef uint64_t hash1 = partition_hash(col, state.members, state.n, self.R, self.z1)
        cdef uint64_t hash2 = partition_hash(col, state.members, state.n, self.R, self.z2)
        if self.rules.words:
            hash_needs(&self.rules, state.needs, guess, col, state.members, state.n, &hash1, &hash2)
        return self.was_tried(&counted.node, shared, hash1, hash2, outside)

    cdef int names_one(self, CountedNode *counted, int column) noexcept nogil:
        """Return whether a guess names a candidate."""
        cdef int i
        for i in range(counted.node.state.n):
            if counted.view.own[column] == counted.view.secret[counted.node.state.members[i]]:
                return 1
        return 0

    cdef int bounded(self, Worker *w, CountedNode *counted, Ranked *out) except -1 nogil:
        """Write the guesses bounded below the best known, and return how many.

        A guess whose number of parts alone bounds it there keeps that bound: it is no better. When the search is
        stopped, some are left out.
        """
        cdef View *view = counted.view
        cdef uint8_t *parts = NULL
        cdef int64_t inner[256]
        cdef int64_t outer[256]
        cdef int i, j, k, few = 0, n = counted.node.state.n
        self.evaluated(w, n)
        for i in range(n):
            w.inside[view.secret[counted.node.state.members[i]]] = 1
        if self.by_counts(view, n):
            parts = self.count_parts(w, view, counted.node.state.members, n)
            if n > self.small:
                self.tighten_by_parts(w, &counted.limits, view, n, parts, &counted.limits)
            for k in range(min(n, self.R) + 1):
                inner[k] = self.bound_by_parts(&counted.limits, n, counted.node.state.depth, k, self.base)
                outer[k] = self.bound_by_parts(&counted.limits, n, counted.node.state.depth, k, 0)
        counted.part_bounds = self.part_bounds(w, &counted.limits, n, counted.node.state.depth)
        for i in range(n):
            if i % LOOK == 0 and self.halted(w):
                break
            j = view.first[counted.node.state.members[i]]
            while j >= 0:
                few += self.consider(w, counted, j, 0, parts, inner, out + few)
                j = view.next[j]
        if not self.only_candidates:
            for j in range(view.ng):
                if j % LOOK == 0 and self.halted(w):
                    break
                if parts != NULL and outer[parts[j]] >= max(counted.node.best, counted.node.low):
                    continue
                if not (view.own[j] >= 0 and w.inside[view.own[j]]):
                    few += self.consider(w, counted, j, 1, parts, outer, out + few)
        for i in range(n):
            w.inside[view.secret[counted.node.state.members[i]]] = 0
        return few

    cdef void score(self, Worker *w, CountedNode *counted, Ranked *ranked, int few) noexcept nogil:
        """Score guesses as beams order them; see `reference_counted.Searcher.beam_score`."""
        cdef int i, j, r
        cdef const uint8_t *col
        cdef int64_t squares, parts
        cdef int32_t count[256]
        for i in range(few):
            if i % LOOK == 0 and self.halted(w):
                break
            col = self.column(w, counted.view, ranked[i].column)
            memset(count, 0, self.R * sizeof(int32_t))
            for j in range(counted.node.state.n):
                count[col[counted.node.state.members[j]]] += 1
            squares = parts = 0
            for r in range(self.R):
                squares += <int64_t>count[r] * count[r]
                parts += count[r] > 0
            ranked[i].score = 2 * squares - counted.node.state.n * (parts + (0 if ranked[i].outside else self.base))

    cdef int consider(self, Worker *w, CountedNode *counted, int column, int outside, const uint8_t *parts,
                      const int64_t *by_parts, Ranked *out) except -1 nogil:
        """Write a guess and return 1 if it may be better than the best known; else note its bound."""
        out.column, out.outside, out.bound, out.score = column, outside, 0, 0
        if parts != NULL:
            out.bound, out.score = by_parts[parts[column]], -<int>parts[column]
        if out.bound < counted.node.best and self.is_dropped(&counted.node.dropping, counted.view.guess[column]):
            return 0
        if out.bound < counted.node.best and self.nogoods_matter(counted.node.state.depth) and (
            self.is_nogood(w, &counted.nogoods, counted.view, counted.node.state.members, counted.node.state.n,
                           self.column(w, counted.view, column))
        ):
            return 0
        if out.bound < counted.node.best and (parts == NULL or counted.node.state.n > self.small):
            self.bound_by_sizes(counted.part_bounds, self.column(w, counted.view, column), counted.node.state.members,
                                counted.node.state.n, out)
        if out.bound < counted.node.best:
            return 1
        counted.node.low = min(counted.node.low, out.bound)
        return 0

    cdef int translate(self, CountedNode *counted, View *local, Ranked *ranked, int few) noexcept nogil:
        """Go over to a local table: renumber the guesses, leave out those that it stands for by others."""
        cdef int i, kept = 0, column
        for i in range(few):
            column = column_of(local, counted.view.guess[ranked[i].column])
            if column >= 0:
                ranked[kept] = ranked[i]
                ranked[kept].column = column
                kept += 1
        counted.view, counted.node.state.members, counted.nogoods.place = local, self.identity, NULL
        return kept

    cdef const uint64_t *demandable(self, Worker *w, CountedNode *counted) except NULL nogil:
        """Return the bits that can be demanded of any subset of the state."""
        cdef uint64_t *found = <uint64_t *>take(&w.arena, self.rules.words * sizeof(uint64_t))
        cdef int i, k, guess
        for k in range(self.rules.words):
            found[k] = 0 if self.base else <uint64_t>-1
            for i in range(counted.node.state.n if self.base else 0):
                guess = self.guess_of_secret[counted.view.secret[counted.node.state.members[i]]]
                found[k] |= self.rules.features[<size_t>guess * self.rules.words + k]
        return found

    cdef int split(self, Worker *w, Node *node, int column, int guess, Child **out, int64_t *paid) except -1 nogil:
        """Write the children of a guess, largest first; one that wins is none: nothing is left to ask there."""
        cdef const uint8_t *col = self.column(w, (<CountedNode *>node).view, column)
        cdef const State *above = &node.state
        cdef int32_t *order = <int32_t *>take(&w.arena, above.n * sizeof(int32_t))
        cdef int32_t count[256]
        cdef int32_t start[256]
        cdef int32_t largest_first[256]
        cdef Child *child
        cdef int i, r, c, at = 0, many = 0
        memset(count, 0, self.R * sizeof(int32_t))
        for i in range(above.n):
            count[col[above.members[i]]] += 1
        for r in range(self.R):
            start[r] = at
            at += count[r]
            if count[r] and r != self.winning:
                c = many
                while c > 0 and count[largest_first[c - 1]] < count[r]:
                    largest_first[c] = largest_first[c - 1]
                    c -= 1
                largest_first[c] = r
                many += 1
        for i in range(above.n):
            r = col[above.members[i]]
            order[start[r]] = above.members[i]
            start[r] += 1
        out[0] = child = <Child *>take(&w.arena, many * sizeof(Child))
        for i in range(many):
            r = largest_first[i]
            child.response, child.state.members, child.state.n = r, order + start[r] - count[r], count[r]
            self.bound_child(w, node, guess, child)
            child += 1
        paid[0] = self.unit * above.n
        return many

    cdef int bound_child(self, Worker *w, const Node *node, int guess, Child *child) except -1 nogil:
        """Write what may still be asked of a child, and what is known of its value."""
        cdef State *state = &child.state
        cdef Known known
        cdef uint64_t *needs
        state.depth, state.remaining, state.needs = min(node.state.depth - 1, state.n - 1 + self.base), -1, NULL
        child.paid, child.bound = 0, self.solved_by_size(state.n, state.depth)
        child.exact = child.looked = child.bound >= 0
        if child.exact:
            return 0
        if node.state.needs != NULL:
            needs = <uint64_t *>take(&w.arena, self.rules.words * sizeof(uint64_t))
            needs_after(&self.rules, node.state.needs, guess, child.response, needs)
            state.needs = needs
        self.pass_on(node, state)
        self.hash_state(node, state)
        self.known(w, node, state, &known)
        child.bound, child.exact = known.lower, known.lower >= known.upper
        # For depth alone a look ahead says nothing before the last guess but one.
        child.looked = known.bounded or (<const CountedNode *>node).view.rows == NULL or self.without & NO_AHEAD or (
            not self.unit and state.depth - 1 > self.base
        )
        return 0
