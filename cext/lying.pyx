# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""States with lies for the compiled search; `reference_lying` is the plain twin, with the contract and the proofs.

The value of a state is 0 if its guesses suffice, else INFINITE. Counting bounds are those of Berlekamp (1968). The
candidates of a state are kept by lies left, most first.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy, memset

import numpy as np

from guesstree.cext.core cimport (
    ANY, LEVELS, Known, Node, Ranked, SharedNode, State, Worker, alone, memo_read, memo_write, mixed, take
)
from guesstree.cext.search cimport Child, Search


INFINITE = 1 << 62
MOST_LIES = LEVELS - 1

cdef int64_t INF = <int64_t>1 << 62


cdef struct Part:       # of the candidates after a response
    int64_t volume
    int32_t response


cdef int by_volume(const void *a, const void *b) noexcept nogil:
    cdef const Part *x = <const Part *>a
    cdef const Part *y = <const Part *>b
    if x.volume != y.volume:
        return -1 if x.volume > y.volume else 1
    return x.response - y.response


cdef class Searcher(Search):
    """See `reference_lying.Searcher`."""

    cdef int R, L, winning, win, depths, capacities
    cdef uint8_t *table
    cdef int32_t *secret_of_guess
    cdef int32_t *guess_of_secret
    cdef int64_t *weight
    cdef int64_t *nodes_at
    cdef int64_t *spread
    cdef int64_t *capacity

    def __init__(self, table, secret_of_guess, guess_of_secret, int responses, int winning, int lies, weight, nodes,
                 spread, capacity, classes=None, digits=None, int renaming=0, uint64_t memory=1 << 28, int width=0,
                 int jobs=1, int discrepancies=ANY):
        cdef const uint8_t[:, ::1] cells = table
        if not 0 <= lies <= MOST_LIES:
            raise ValueError(f"{lies} lies")
        self.prepare(table.shape[0], table.shape[1], table.shape[1] * (lies + 1), 20051106, INF, memory, width, jobs,
                     table.shape[1] * (lies + 1) + 1, classes, digits, renaming)
        self.R, self.L = responses, lies
        self.winning, self.win = winning, winning >= 0
        self.depths, self.capacities = len(weight), len(capacity)
        self.node_size, self.narrow, self.sliced, self.discrepancies = sizeof(Node), 1, 1, discrepancies
        self.table = <uint8_t *>take(&self.arena, <size_t>self.G * self.S)
        if self.G and self.S:
            memcpy(self.table, &cells[0, 0], <size_t>self.G * self.S)
        self.secret_of_guess, self.guess_of_secret = self.ints(secret_of_guess), self.ints(guess_of_secret)
        self.weight, self.nodes_at, self.spread = self.longs(weight), self.longs(nodes), self.longs(spread)
        self.capacity = self.longs(capacity)

    def least(self, candidates, left):
        """See `reference_lying.Searcher.least`."""
        cdef int depth = 0
        self.busy = alone(self.busy)
        try:
            self.ask(self.worker(()), candidates, 0, left, ())
            while not self.fits(self.asked.by_lies, depth):
                depth += 1
            return depth
        finally:
            self.busy = 0

    cdef int ask(self, Worker *w, candidates, int depth, left, history) except -1:
        """Write what is asked; `left`: how many lies each candidate has left."""
        order = np.argsort(-left.astype(np.int32), kind="stable")
        cdef const int32_t[::1] members = np.ascontiguousarray(candidates[order], dtype=np.int32)
        cdef const uint8_t[::1] lies = np.ascontiguousarray(left[order], dtype=np.uint8)
        cdef int32_t *some = <int32_t *>take(&w.arena, (len(candidates) + 1) * sizeof(int32_t))
        cdef int i
        self.clear(&self.asked, depth)
        self.asked.members = some
        for i in range(<int>members.shape[0]):
            self.put(&self.asked, some, members[i], lies[i])
        self.asked.discrepancies = self.discrepancies if self.asked.n > self.small else ANY
        self.mix_discrepancies(&self.asked)
        return 0

    # ---- states -------------------------------------------------------------------------------------------------

    cdef inline void clear(self, State *state, int depth) noexcept nogil:
        """Write a state of no candidates."""
        state.n, state.depth, state.discrepancies, state.most_parts, state.remaining = 0, depth, ANY, 0, -1
        state.needs, state.key1, state.key2 = NULL, 0, 0
        memset(state.by_lies, 0, sizeof(state.by_lies))

    cdef inline void put(self, State *state, int32_t *members, int s, int left) noexcept nogil:
        """Add a candidate with so many lies left; each number of them has random words of its own."""
        members[state.n] = s
        state.n += 1
        state.by_lies[left] += 1
        state.key1 += self.z1[<size_t>left * self.S + s]
        state.key2 += self.z2[<size_t>left * self.S + s]

    cdef void hash_state(self, const Node *above, State *state) noexcept nogil:
        cdef int i = 0, left
        state.key1 = state.key2 = 0
        for left in range(self.L, -1, -1):
            for _ in range(state.by_lies[left]):
                state.key1 += self.z1[<size_t>left * self.S + state.members[i]]
                state.key2 += self.z2[<size_t>left * self.S + state.members[i]]
                i += 1
        self.mix_discrepancies(state)

    cdef int64_t solved(self, const State *state) noexcept nogil:
        return 0 if state.n <= (state.depth if self.win else 1) else -1

    cdef int last_guess(self, const State *state) noexcept nogil:
        return self.guess_of_secret[state.members[0]] if self.win and state.n else -1

    cdef int recall(self, Worker *w, const State *state, Known *out) noexcept nogil:
        """Write what is remembered: of fewer guesses that suffice, or more that do not."""
        cdef int found = memo_read(self.memo, w.thread, state.key1, state.key2, out)
        if not found:
            out.guess = -1
        out.lower = INF if found and out.lower > state.depth else 0
        out.upper = 0 if found and out.upper <= state.depth else INF
        return 0

    cdef void store(self, Worker *w, const State *state, int64_t lower, int settled, int guess,
                    int effort) noexcept nogil:
        memo_write(self.memo, w.thread, state.key1, state.key2, 0 if settled else state.depth + 1,
                   state.depth if settled else INF, guess, 0, effort)

    cdef int64_t static_bound(self, Worker *w, const Node *above, const State *state) except -1 nogil:
        return 0 if self.fits(state.by_lies, state.depth) else INF

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
            return self.nodes_at[depth]
        for level in range(depth):
            free = self.nodes_at[level]
            for left in range(self.L, -1, -1):
                met = 0
                for more in range(left, self.L + 1):
                    met += counts[more] * self.spread[level * (self.L + 1) + more - left]
                met = min(met, free)
                total += met * self.weight[(depth - level) * (self.L + 1) + left]
                free -= met
        return total

    # ---- guesses ------------------------------------------------------------------------------------------------

    cdef int split(self, Worker *w, Node *node, int column, int guess, Child **out, int64_t *paid) except -1 nogil:
        """Write the responses to a guess, those first that leave the largest volume; last one that no secret gives."""
        cdef const State *state = &node.state
        cdef Part parts[257]
        cdef const int64_t *weight = self.weights_below(state.depth)
        cdef const uint8_t *row = self.table + <size_t>guess * self.S
        cdef int64_t volume[256]
        cdef int32_t met[256]
        cdef int many = 0, i = 0, left, r
        cdef int64_t below
        memset(volume, 0, self.R * sizeof(int64_t))
        memset(met, 0, self.R * sizeof(int32_t))
        for left in range(self.L, -1, -1):      # volume above what all responses share
            below = weight[left] - (weight[left - 1] if left else 0)
            for _ in range(state.by_lies[left]):
                r = row[state.members[i]]
                met[r] += 1
                volume[r] += below
                i += 1
        for r in range(self.R):
            if met[r] and r != self.winning:
                parts[many].volume, parts[many].response = volume[r], r
                many += 1
        qsort(parts, many, sizeof(Part), by_volume)
        if many < self.R - self.win:
            parts[many].response = -1
            many += 1
        out[0] = <Child *>take(&w.arena, many * sizeof(Child))
        for i in range(many):
            out[0][i].response, out[0][i].exact, out[0][i].looked = parts[i].response, 0, 1
            out[0][i].paid, out[0][i].bound = 0, 0
        return many

    cdef int enter(self, Worker *w, const Node *node, Child *child) except -1 nogil:
        """Write what is left after a response; -1 stands for one that no secret gives."""
        cdef const uint8_t *row = self.table + <size_t>w.history[w.past + node.ply] * self.S
        cdef const int32_t *members = node.state.members
        cdef const int32_t *above = NULL    # those with one lie more
        cdef int32_t *some = <int32_t *>take(&w.arena, node.state.n * sizeof(int32_t))
        cdef int left, i, many = 0
        self.clear(&child.state, node.state.depth - 1)
        child.state.members = some
        for left in range(self.L, -1, -1):
            for i in range(many):
                if row[above[i]] != child.response and row[above[i]] != self.winning:
                    self.put(&child.state, some, above[i], left)
            above, many = members, node.state.by_lies[left]
            for i in range(many):
                if row[above[i]] == child.response:
                    self.put(&child.state, some, above[i], left)
            members += many
        self.pass_on(node, &child.state)
        self.mix_discrepancies(&child.state)
        return 0

    cdef int rank(self, Worker *w, const Node *above, Node *node, Ranked **out) except -1 nogil:
        """Write guesses, without some that do not fit; return how many; see `reference_lying`."""
        cdef const State *state = &node.state
        cdef const int64_t *weight = self.weights_below(state.depth)
        cdef int64_t step[LEVELS]       # what a secret adds to the child of its own response
        cdef int32_t most[LEVELS]
        cdef int64_t shared = 0, limit
        cdef int g, i = 0, left, many = 0
        self.evaluated(w, state.n)
        out[0] = <Ranked *>take(&w.arena, (self.G + 1) * sizeof(Ranked))
        for left in range(self.L + 1):
            step[left] = weight[left] - (weight[left - 1] if left else 0)
            shared += state.by_lies[left] * (weight[left - 1] if left else 0)
            most[left] = state.by_lies[left] + (state.by_lies[left + 1] if left < self.L else 0)
        # No child has more secrets at any level, so none has more room.
        limit = self.room(most, state.depth - 1) if state.depth - 1 < self.depths else INF
        for left in range(self.L, -1, -1):
            for _ in range(state.by_lies[left]):
                w.inside[state.members[i]] = left + 1
                i += 1
        for g in range(self.G):
            if self.is_dropped(&node.dropping, g):
                continue
            if self.halted(w):
                many = 0
                break
            many += self.rank_one(w, state, g, weight, step, shared, limit, out[0] + many)
        for i in range(state.n):
            w.inside[state.members[i]] = 0
        self.new_tried(w, node, many)
        return many

    cdef const int64_t *weights_below(self, int depth) noexcept nogil:
        """Return what a secret counts in a child, by lies left."""
        return self.weight + min(depth - 1, self.depths - 1) * (self.L + 1)

    cdef int rank_one(self, Worker *w, const State *state, int guess, const int64_t *weight, const int64_t *step,
                      int64_t shared, int64_t limit, Ranked *out) noexcept nogil:
        """Rank a guess by the volume that it leaves at most, then by parts.

        Return 0 when it tells nothing, or leaves too much volume for any child.
        """
        cdef const uint8_t *row = self.table + <size_t>guess * self.S
        cdef int64_t volume[256]
        cdef uint8_t met[256]
        cdef int64_t room, add, largest = 0
        cdef int won = self.secret_of_guess[guess] if self.win else -1, i = 0, r, left, parts = 0
        if won >= 0 and not w.inside[won]:
            won = -1
        if won >= 0 and w.inside[won] > 1:
            shared -= weight[w.inside[won] - 2]
        room = limit - shared
        memset(volume, 0, self.R * sizeof(int64_t))
        memset(met, 0, self.R)
        for left in range(self.L, -1, -1):
            add = step[left]
            for _ in range(state.by_lies[left]):
                r = row[state.members[i]]
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
        out.bound, out.score, out.column = 0, largest, guess
        # Of equal volumes the one with more parts comes first, then a candidate.
        out.outside = 2 * (self.R - parts) + (
            self.secret_of_guess[guess] < 0 or not w.inside[self.secret_of_guess[guess]]
        )
        return 1

    cdef int admit(self, Worker *w, Node *node, const Ranked *ranked, SharedNode *shared) except -2 nogil:
        """Return the guess if all that it leaves fits, and no guess before leaves the same; else -1."""
        cdef const State *state = &node.state
        cdef const uint8_t *row = self.table + <size_t>ranked.column * self.S
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
            rest[left] = state.by_lies[left]
            for _ in range(state.by_lies[left]):
                s = state.members[i]
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
                return -1
            h1 += mixed(key1[r])
            h2 += mixed(key2[r])
        return -1 if self.was_tried(node, shared, h1, h2, 0) else ranked.column
