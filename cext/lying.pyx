# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled search against lies; `reference_lying` is its plain twin, explains the contract and has the proofs.

The secrets of a state are kept by lies left, most first.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy, memset

import numpy as np

from guesstree.cext.core cimport (
    Core, Dropping, Known, Mark, Node, Ranked, Split, Worker, alone, arena_release, bits, counter_add,
    counter_get, memo_read, memo_write, mixed, sort_ranked, take
)

from .outcome import Outcome


INFINITE = 1 << 62
MOST_LIES = 7

cdef int64_t INF = <int64_t>1 << 62

cdef enum:
    LEVELS = 8          # MOST_LIES + 1
    SMALL = 4           # states of more secrets are worth symmetry, and threads


cdef struct Suspects:   # the secrets of a state
    int32_t *members            # by lies left, most first
    int n
    int32_t counts[LEVELS]      # how many have so many lies left
    uint64_t key1
    uint64_t key2


cdef struct State:      # a state while its guesses are tried
    Node node
    const Suspects *suspects
    int depth                   # guesses left


cdef struct Child:
    int64_t volume
    int32_t response


cdef int by_volume(const void *a, const void *b) noexcept nogil:
    cdef const Child *x = <const Child *>a
    cdef const Child *y = <const Child *>b
    if x.volume != y.volume:
        return -1 if x.volume > y.volume else 1
    return x.response - y.response


cdef class Searcher(Core):
    """See `reference_lying.Searcher`."""

    cdef int R, L, winning, win, depths, capacities
    cdef uint8_t *table
    cdef int32_t *own
    cdef int32_t *winner
    cdef int64_t *weight
    cdef int64_t *nodes
    cdef int64_t *spread
    cdef int64_t *capacity
    cdef Suspects asked         # what is searched
    cdef int asked_depth

    def __init__(self, table, own, winner, int responses, int winning, int lies, weight, nodes, spread, capacity,
                 classes=None, digits=None, int renaming=0, uint64_t memory=1 << 28, int width=0, int jobs=1):
        cdef const uint8_t[:, ::1] cells = table
        if not 0 <= lies <= MOST_LIES:
            raise ValueError(f"{lies} lies")
        self.prepare(table.shape[0], table.shape[1], table.shape[1] * (lies + 1), 20051106, INF, memory, width, jobs,
                     table.shape[1] * (lies + 1) + 1, classes, digits, renaming)
        self.R, self.L = responses, lies
        self.winning, self.win = winning, winning >= 0
        self.depths, self.capacities = len(weight), len(capacity)
        self.least_parallel = SMALL
        self.table = <uint8_t *>take(&self.arena, <size_t>self.G * self.S)
        if self.G and self.S:
            memcpy(self.table, &cells[0, 0], <size_t>self.G * self.S)
        self.own, self.winner = self.ints(own), self.ints(winner)
        self.weight, self.nodes, self.spread = self.longs(weight), self.longs(nodes), self.longs(spread)
        self.capacity = self.longs(capacity)

    # ---- asked from outside -------------------------------------------------------------------------------------

    def search(self, candidates, left, int depth, history=(), int64_t budget=0):
        """See `reference_lying.Searcher.search`."""
        cdef Worker *w
        self.busy = alone(self.busy)
        try:
            w = self.worker(history)
            self.enter(w, candidates, left, depth)
            if self.run(w, budget):
                return Outcome(0, depth, self.chosen(), "")
            return Outcome(0 if self.tally.stop else depth + 1, INF, -1, self.ended())
        finally:
            self.busy = 0

    def choice(self, candidates, left, int depth):
        """See `reference_lying.Searcher.choice`."""
        # What is not known is searched without symmetry: the history is not told.
        outcome = self.search(candidates, left, depth, None)
        if outcome.upper > depth or outcome.guess < 0:
            raise ValueError(f"no guess is known for {len(candidates)} candidates within {depth}")
        return outcome.guess

    def least(self, candidates, left):
        """See `reference_lying.Searcher.least`."""
        cdef int depth = 0
        self.busy = alone(self.busy)
        try:
            self.enter(self.worker(()), candidates, left, 0)
            while not self.fits(self.asked.counts, depth):
                depth += 1
            return depth
        finally:
            self.busy = 0

    cdef int enter(self, Worker *w, candidates, left, int depth) except -1:
        """Write what is asked."""
        order = np.argsort(-left.astype(np.int32), kind="stable")
        cdef const int32_t[::1] some = np.ascontiguousarray(candidates[order], dtype=np.int32)
        cdef const uint8_t[::1] lies = np.ascontiguousarray(left[order], dtype=np.uint8)
        cdef int i
        self.asked_depth = depth
        self.asked.members = <int32_t *>take(&w.arena, (len(candidates) + 1) * sizeof(int32_t))
        self.clear(&self.asked)
        for i in range(<int>some.shape[0]):
            self.put(&self.asked, some[i], lies[i])
        return 0

    cdef int chosen(self) noexcept:
        """Return the first guess of the strategy that was found for what was asked; -1: nothing is left to ask."""
        cdef Known known
        if not self.asked.n or (not self.win and self.asked.n == 1):
            return -1
        if self.win and self.asked.n <= self.asked_depth:
            return self.winner[self.asked.members[0]]
        if memo_read(self.memo, 0, self.asked.key1, self.asked.key2, &known) and known.upper <= self.asked_depth:
            return known.guess
        return self.tally.guess     # the table was too small to keep it

    cdef inline void clear(self, Suspects *some) noexcept nogil:
        some.n, some.key1, some.key2 = 0, 0, 0
        memset(some.counts, 0, sizeof(some.counts))

    cdef inline void put(self, Suspects *some, int s, int left) noexcept nogil:
        """Add a secret; its Zobrist words make two different states meet with probability 2^-128 per pair."""
        some.members[some.n] = s
        some.n += 1
        some.counts[left] += 1
        some.key1 += self.z1[<size_t>left * self.S + s]
        some.key2 += self.z2[<size_t>left * self.S + s]

    cdef int64_t root_value(self, Worker *w) except -1 nogil:
        return self.settle(w, &self.asked, self.asked_depth, 0)

    # ---- one state ----------------------------------------------------------------------------------------------

    cdef int settle(self, Worker *w, const Suspects *some, int depth, int ply) except -1 nogil:
        """Return whether `depth` guesses settle a state; the steps are those of `reference_lying.Searcher.settle`."""
        cdef Mark mark
        cdef Known known
        cdef State state
        cdef Node *node = &state.node
        cdef Ranked *ranked
        cdef int few
        cdef int64_t evaluations
        if some.n <= (depth if self.win else 1):                                    # 1
            return 1
        if memo_read(self.memo, w.thread, some.key1, some.key2, &known):            # 2
            if known.upper <= depth:
                return 1
            if known.lower > depth:
                return 0
        if not self.fits(some.counts, depth):                                       # 3
            return 0
        if self.spent() or self.halted(w):
            return 0
        evaluations = counter_get(&self.tally.evaluations)
        counter_add(&self.tally.states, 1)
        mark = w.arena.top
        few = self.scan(w, some, depth, ply, &ranked)                               # 4
        # A guess that settles the state takes nothing, any other INFINITE: the first that does ends the search.
        state.suspects, state.depth = some, depth
        node.n, node.ply, node.best, node.low, node.lower = some.n, ply, INF, INF, 0
        node.settled, node.guess, node.count, node.beam, node.width = 0, -1, 0, 0, self.width
        self.new_tried(w, node, few)
        self.try_ranked(w, node, ranked, few)
        arena_release(&w.arena, mark)
        if node.guess < 0 and self.halted(w):
            return 0
        memo_write(self.memo, w.thread, some.key1, some.key2, 0 if node.guess >= 0 else depth + 1,
                   depth if node.guess >= 0 else INF, node.guess, 0,
                   bits(counter_get(&self.tally.evaluations) - evaluations))
        return node.guess >= 0

    cdef int attempt(self, Worker *w, Node *node, const Ranked *guess, Split *split) except -1 nogil:
        """Try a guess if all that it leaves fits, and no guess before leaves the same."""
        cdef State *state = <State *>node
        cdef int found
        if not self.admitted(state, guess.column, split):                           # 5
            return 0
        w.history[w.past + node.ply] = guess.column
        found = self.after(w, state.suspects, state.depth, guess.column, node.ply)  # 6
        if found or not self.halted(w):
            self.keep(node, split, 0 if found else INF, guess.column)
            if found and node.ply == 0:
                self.tally.upper = state.depth
        return 0

    cdef int help_with(self, Worker *w, Split *split) except -1 nogil:
        cdef State state = (<State *>split.node)[0]
        return self.take_guesses(w, &state.node, split)

    cdef int after(self, Worker *w, const Suspects *some, int depth, int guess, int ply) except -1 nogil:
        """Return whether `depth` guesses settle a state, this guess first."""
        cdef Mark mark = w.arena.top
        cdef Suspects child
        cdef Child order[257]
        cdef const int64_t *weight = self.weight + min(depth - 1, self.depths - 1) * (self.L + 1)
        cdef const uint8_t *row = self.table + <size_t>guess * self.S
        cdef int64_t volume[256]
        cdef int32_t met[256]
        cdef int few = 0, i, left, r, found = 1
        cdef int64_t below
        memset(volume, 0, self.R * sizeof(int64_t))
        memset(met, 0, self.R * sizeof(int32_t))
        i = 0
        for left in range(self.L, -1, -1):      # volume above what all responses share
            below = weight[left] - (weight[left - 1] if left else 0)
            for _ in range(some.counts[left]):
                r = row[some.members[i]]
                met[r] += 1
                volume[r] += below
                i += 1
        for r in range(self.R):
            if met[r] and r != self.winning:
                order[few].volume, order[few].response = volume[r], r
                few += 1
        qsort(order, few, sizeof(Child), by_volume)
        if few < self.R - self.win:
            order[few].response = -1
            few += 1
        child.members = <int32_t *>take(&w.arena, some.n * sizeof(int32_t))
        for i in range(few):
            self.child(some, row, order[i].response, &child)
            if not self.settle(w, &child, depth - 1, ply + 1):
                found = 0
                break
        arena_release(&w.arena, mark)
        return found

    cdef void child(self, const Suspects *state, const uint8_t *row, int response, Suspects *out) noexcept nogil:
        """Write what is left after a response; -1 stands for one that no secret gives."""
        cdef const int32_t *members = state.members
        cdef const int32_t *above = NULL    # those with one lie more
        cdef int left, i, many = 0
        self.clear(out)
        for left in range(self.L, -1, -1):
            for i in range(many):
                if row[above[i]] != response and row[above[i]] != self.winning:
                    self.put(out, above[i], left)
            above, many = members, state.counts[left]
            for i in range(many):
                if row[above[i]] == response:
                    self.put(out, above[i], left)
            members += many

    # ---- bounds -------------------------------------------------------------------------------------------------

    cdef int fits(self, const int32_t *counts, int depth) noexcept nogil:
        """Return 0 only if `depth` guesses cannot settle so many; see `reference_lying.Searcher.fits`."""
        cdef int64_t total = 0, volume = 0
        cdef int left
        if depth < 0:
            return 0
        for left in range(self.L + 1):
            total += counts[left]
            if depth < self.depths:
                volume += counts[left] * self.weight[depth * (self.L + 1) + left]
        if total > self.capacity[min(depth, self.capacities - 1)]:
            return 0
        return depth >= self.depths or volume <= self.room(counts, depth)

    cdef int64_t room(self, const int32_t *counts, int depth) noexcept nogil:
        """See `reference_lying.Searcher.room`."""
        cdef int64_t total = 0, free, met
        cdef int level, left, more
        if not self.win:
            return self.nodes[depth]
        for level in range(depth):
            free = self.nodes[level]
            for left in range(self.L, -1, -1):
                met = 0
                for more in range(left, self.L + 1):
                    met += counts[more] * self.spread[level * (self.L + 1) + more - left]
                met = min(met, free)
                total += met * self.weight[(depth - level) * (self.L + 1) + left]
                free -= met
        return total

    # ---- guesses ------------------------------------------------------------------------------------------------

    cdef int scan(self, Worker *w, const Suspects *some, int depth, int ply, Ranked **out) except -1 nogil:
        """Write guesses, best first, without some that do not fit; return how many; see `reference_lying`.

        The caller gives the memory back.
        """
        cdef Dropping dropping
        cdef const int64_t *weight = self.weight + min(depth - 1, self.depths - 1) * (self.L + 1)
        cdef int64_t step[LEVELS]       # what a secret adds to the child of its own response
        cdef int32_t most[LEVELS]
        cdef int64_t shared = 0, limit
        cdef int g, i = 0, left, few = 0
        counter_add(&self.tally.evaluations, 1)
        dropping.fixing, dropping.marks = NULL, NULL
        if some.n > SMALL:
            self.dropping(w, ply, &dropping)
        out[0] = <Ranked *>take(&w.arena, (self.G + 1) * sizeof(Ranked))
        for left in range(self.L + 1):
            step[left] = weight[left] - (weight[left - 1] if left else 0)
            shared += some.counts[left] * (weight[left - 1] if left else 0)
            most[left] = some.counts[left] + (some.counts[left + 1] if left < self.L else 0)
        # No child has more secrets at any level, so none has more room.
        limit = self.room(most, depth - 1) if depth - 1 < self.depths else INF
        for left in range(self.L, -1, -1):
            for _ in range(some.counts[left]):
                w.inside[some.members[i]] = left + 1
                i += 1
        for g in range(self.G):
            if self.is_dropped(&dropping, g):
                continue
            if self.halted(w):
                few = 0
                break
            few += self.rank(w, some, g, weight, step, shared, limit, out[0] + few)
        for i in range(some.n):
            w.inside[some.members[i]] = 0
        sort_ranked(out[0], few, 0)
        return few

    cdef int rank(self, Worker *w, const Suspects *some, int guess, const int64_t *weight, const int64_t *step,
                  int64_t shared, int64_t limit, Ranked *out) noexcept nogil:
        """Rank a guess by the volume that it leaves at most, then by parts.

        Return 0 when it tells nothing, or leaves too much volume for any child.
        """
        cdef const uint8_t *row = self.table + <size_t>guess * self.S
        cdef int64_t volume[256]
        cdef uint8_t met[256]
        cdef int64_t room, add, largest = 0
        cdef int won = self.own[guess] if self.win else -1, i = 0, r, left, parts = 0
        if won >= 0 and not w.inside[won]:
            won = -1
        if won >= 0 and w.inside[won] > 1:
            shared -= weight[w.inside[won] - 2]
        room = limit - shared
        memset(volume, 0, self.R * sizeof(int64_t))
        memset(met, 0, self.R)
        for left in range(self.L, -1, -1):
            add = step[left]
            for _ in range(some.counts[left]):
                r = row[some.members[i]]
                i += 1
                met[r] = 1
                volume[r] += add
                if volume[r] > room and r != self.winning:
                    return 0
        for r in range(self.R):
            if met[r] and r != self.winning:
                parts += 1
                largest = max(largest, shared + volume[r])
        if won < 0 and parts == 1:
            return 0
        out.bound, out.score, out.column = largest, -parts, guess
        out.outside = self.own[guess] < 0 or not w.inside[self.own[guess]]
        return 1

    cdef int admitted(self, State *state, int guess, Split *split) noexcept nogil:
        """Return whether all that a guess leaves fits, and no guess before leaves the same."""
        cdef const Suspects *some = state.suspects
        cdef const uint8_t *row = self.table + <size_t>guess * self.S
        cdef int32_t counts[256 * LEVELS]
        cdef int32_t rest[LEVELS]
        cdef int32_t after[LEVELS]
        cdef uint64_t key1[256]
        cdef uint64_t key2[256]
        cdef uint64_t h1 = 0, h2 = 0
        cdef int i = 0, r, s, left, met
        memset(counts, 0, self.R * LEVELS * sizeof(int32_t))
        memset(key1, 0, self.R * sizeof(uint64_t))
        memset(key2, 0, self.R * sizeof(uint64_t))
        for left in range(self.L, -1, -1):
            rest[left] = some.counts[left]
            for _ in range(some.counts[left]):
                s = some.members[i]
                r = row[s]
                i += 1
                if r == self.winning:
                    rest[left] -= 1
                    h1 += mixed(self.z1[s] + 1)
                    h2 += mixed(self.z2[s] + 1)
                    continue
                counts[r * LEVELS + left] += 1
                key1[r] += self.z1[<size_t>left * self.S + s]
                key2[r] += self.z2[<size_t>left * self.S + s]
        for r in range(self.R):
            met = 0
            for left in range(self.L + 1):
                met += counts[r * LEVELS + left]
            if not met:
                continue
            for left in range(self.L + 1):
                after[left] = counts[r * LEVELS + left]
                if left < self.L:
                    after[left] += rest[left + 1] - counts[r * LEVELS + left + 1]
            if not self.fits(after, state.depth - 1):
                return 0
            h1 += mixed(key1[r])
            h2 += mixed(key2[r])
        return not self.was_tried(&state.node, split, h1, h2, 0)
