# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled search against lies; `reference_lying` is its plain twin, explains the contract and has the proofs.

The secrets of a state are kept by lies left, most first.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memset

import numpy as np

from guesstree.cext.memo cimport (
    C_BUDGET, C_ENTRIES, C_EVALUATIONS, C_SPENT, C_STATES, C_STOP, Known, Memo, bits, counter_get, memo_free, memo_new,
    memo_read, memo_write, mixed, splitmix
)
from guesstree.cext.view cimport Arena, Mark, arena_free, arena_new, arena_release, arena_take


INFINITE = 1 << 62
STATES, EVALUATIONS, STOP, _LOWER, _UPPER, FIRST, ENTRIES, BUDGET = range(8)
COUNTERS = 8
SPENT = 2
MOST_LIES = 7
LONGEST_HISTORY = 2

cdef int64_t INF = <int64_t>1 << 62

cdef enum:
    LEVELS = 8          # MOST_LIES + 1
    LONGEST = 2


cdef struct State:
    int32_t *members            # by lies left, most first
    int n
    int32_t counts[LEVELS]      # how many have so many lies left
    uint64_t key1
    uint64_t key2


cdef struct Ranked:
    int64_t volume
    int32_t fewer       # minus the number of parts
    int32_t other       # whether it names no candidate
    int32_t guess


cdef struct Child:
    int64_t volume
    int32_t response


cdef int by_rank(const void *a, const void *b) noexcept nogil:
    cdef const Ranked *x = <const Ranked *>a
    cdef const Ranked *y = <const Ranked *>b
    if x.volume != y.volume:
        return -1 if x.volume < y.volume else 1
    if x.fewer != y.fewer:
        return -1 if x.fewer < y.fewer else 1
    if x.other != y.other:
        return x.other - y.other
    return -1 if x.guess < y.guess else 1


cdef int by_volume(const void *a, const void *b) noexcept nogil:
    cdef const Child *x = <const Child *>a
    cdef const Child *y = <const Child *>b
    if x.volume != y.volume:
        return -1 if x.volume > y.volume else 1
    return x.response - y.response


cdef class Searcher:
    """See `reference_lying.Searcher`."""

    cdef int G, S, R, L, winning, win, depths, capacities, width
    cdef Arena arena
    cdef int made
    cdef uint8_t *table
    cdef uint8_t *lies_of       # lies left of each secret of the state that is scanned, plus 1; 0: not in it
    cdef int32_t *own
    cdef int32_t *winner
    cdef int64_t *weight
    cdef int64_t *nodes
    cdef int64_t *spread
    cdef int64_t *capacity
    cdef uint64_t *z1
    cdef uint64_t *z2
    cdef Memo *memo
    cdef int64_t[::1] counter_array
    cdef int64_t *counters
    cdef object classes

    def __cinit__(self, *args, **kwargs):
        self.memo = NULL
        self.made = 0

    def __init__(self, table, own, winner, int responses, int winning, int lies, weight, nodes, spread, capacity,
                 int64_t[::1] counters, classes, uint64_t memory=1 << 28, int width=0):
        cdef uint64_t seed = 20051106
        cdef const uint8_t[:, ::1] cells = table
        cdef size_t i
        if not 0 <= lies <= MOST_LIES:
            raise ValueError(f"{lies} lies")
        self.G, self.S, self.R, self.L = table.shape[0], table.shape[1], responses, lies
        self.winning, self.win, self.width = winning, winning >= 0, width
        self.depths, self.capacities = len(weight), len(capacity)
        self.counter_array, self.counters, self.classes = counters, &counters[0], classes
        arena_new(&self.arena)
        self.made = 1
        self.memo = memo_new(memory, INF)
        if self.memo == NULL:
            raise MemoryError
        self.table = <uint8_t *>arena_take(&self.arena, <size_t>self.G * self.S)
        for i in range(<size_t>self.G * self.S):
            self.table[i] = (&cells[0, 0])[i]
        self.lies_of = <uint8_t *>arena_take(&self.arena, self.S)
        memset(self.lies_of, 0, self.S)
        self.own, self.winner = self.small(own), self.small(winner)
        self.weight, self.nodes, self.spread = self.copy(weight), self.copy(nodes), self.copy(spread)
        self.capacity = self.copy(capacity)
        self.z1 = <uint64_t *>arena_take(&self.arena, (<size_t>self.S * (lies + 1)) * sizeof(uint64_t))
        self.z2 = <uint64_t *>arena_take(&self.arena, (<size_t>self.S * (lies + 1)) * sizeof(uint64_t))
        for i in range(<size_t>self.S * (lies + 1)):
            self.z1[i], self.z2[i] = splitmix(&seed), splitmix(&seed)

    cdef int64_t *copy(self, values):
        cdef const int64_t[::1] source = np.ascontiguousarray(values, dtype=np.int64).ravel()
        cdef int64_t *target = <int64_t *>arena_take(&self.arena, (source.shape[0] + 1) * sizeof(int64_t))
        cdef Py_ssize_t i
        for i in range(source.shape[0]):
            target[i] = source[i]
        return target

    cdef int32_t *small(self, values):
        cdef const int32_t[::1] source = np.ascontiguousarray(values, dtype=np.int32)
        cdef int32_t *target = <int32_t *>arena_take(&self.arena, (source.shape[0] + 1) * sizeof(int32_t))
        cdef Py_ssize_t i
        for i in range(source.shape[0]):
            target[i] = source[i]
        return target

    def __dealloc__(self):
        memo_free(self.memo)
        if self.made:
            arena_free(&self.arena)

    def search(self, candidates, left, int depth, history=()):
        """See `reference_lying.Searcher.search`."""
        cdef State state
        cdef Mark mark = self.arena.top
        cdef int32_t past[LONGEST + 1]
        cdef int asked = min(len(history), LONGEST + 1), found, i
        for i in range(min(asked, LONGEST)):
            past[i] = history[i]
        self.enter(candidates, left, &state)
        with nogil:
            found = self.settle(&state, depth, past, asked)
        arena_release(&self.arena, mark)
        self.counters[C_ENTRIES] = self.memo.used
        return found

    def choice(self, candidates, left, int depth):
        """See `reference_lying.Searcher.choice`."""
        cdef State state
        cdef Known known
        cdef Mark mark = self.arena.top
        cdef int32_t past[LONGEST + 1]
        cdef int found, first
        self.enter(candidates, left, &state)
        first = state.members[0] if state.n else -1
        with nogil:
            found = self.settle(&state, depth, past, LONGEST + 1)
        arena_release(&self.arena, mark)
        if found and state.n:
            if self.win and state.n <= depth:
                return self.winner[first]
            if memo_read(self.memo, 0, state.key1, state.key2, &known) and known.upper <= depth:
                return known.guess
        raise ValueError(f"no guess is known for {state.n} candidates within {depth}")

    def least(self, candidates, left):
        """See `reference_lying.Searcher.least`."""
        cdef State state
        cdef Mark mark = self.arena.top
        cdef int depth = 0
        self.enter(candidates, left, &state)
        while not self.fits(state.counts, depth):
            depth += 1
        arena_release(&self.arena, mark)
        return depth

    cdef void enter(self, candidates, left, State *state):
        """Write a state; the caller gives the memory back."""
        order = np.argsort(-left.astype(np.int32), kind="stable")
        cdef const int32_t[::1] some = np.ascontiguousarray(candidates[order], dtype=np.int32)
        cdef const uint8_t[::1] lies = np.ascontiguousarray(left[order], dtype=np.uint8)
        cdef int i
        state.members = <int32_t *>arena_take(&self.arena, (len(candidates) + 1) * sizeof(int32_t))
        self.clear(state)
        for i in range(<int>some.shape[0]):
            self.put(state, some[i], lies[i])

    cdef inline void clear(self, State *state) noexcept nogil:
        state.n, state.key1, state.key2 = 0, 0, 0
        memset(state.counts, 0, sizeof(state.counts))

    cdef inline void put(self, State *state, int s, int left) noexcept nogil:
        """Add a secret; its words make two different states meet with probability 2^-128 per pair."""
        state.members[state.n] = s
        state.n += 1
        state.counts[left] += 1
        state.key1 += self.z1[<size_t>left * self.S + s]
        state.key2 += self.z2[<size_t>left * self.S + s]

    # ---- one state ----------------------------------------------------------------------------------------------

    cdef int settle(self, State *state, int depth, int32_t *history, int asked) noexcept nogil:
        """Return whether `depth` guesses settle a state; the steps are those of `reference_lying.Searcher.settle`."""
        cdef Mark mark
        cdef Known known
        cdef Ranked *ranked
        cdef uint64_t *seen
        cdef uint64_t slots = 64
        cdef int few, i, guess = -1, tried = 0
        cdef int64_t evaluations
        if state.n <= (depth if self.win else 1):                                   # 1
            return 1
        if memo_read(self.memo, 0, state.key1, state.key2, &known):                 # 2
            if known.upper <= depth:
                return 1
            if known.lower > depth:
                return 0
        if not self.fits(state.counts, depth):                                      # 3
            return 0
        evaluations = self.counters[C_EVALUATIONS]
        if 0 < self.counters[C_BUDGET] <= evaluations:
            self.counters[C_STOP] = C_SPENT
        if counter_get(self.counters + C_STOP):
            return 0
        self.counters[C_STATES] += 1
        mark = self.arena.top
        few = self.scan(state, depth, history, asked, &ranked)                      # 4
        while slots < 2 * <uint64_t>few:
            slots *= 2
        seen = <uint64_t *>arena_take(&self.arena, 2 * slots * sizeof(uint64_t))
        memset(seen, 0, 2 * slots * sizeof(uint64_t))
        for i in range(few):
            if not self.admitted(state, depth, ranked[i].guess, seen, slots - 1):   # 5
                continue
            if self.width and tried == self.width:
                break
            tried += 1
            if asked < LONGEST:
                history[asked] = ranked[i].guess
            if self.after(state, depth, ranked[i].guess, history, asked + 1):       # 6
                guess = ranked[i].guess
                break
            if counter_get(self.counters + C_STOP):
                break
        arena_release(&self.arena, mark)
        if guess < 0 and counter_get(self.counters + C_STOP):
            return 0
        memo_write(self.memo, 0, state.key1, state.key2, 0 if guess >= 0 else depth + 1, depth if guess >= 0 else INF,
                   guess, 0, bits(self.counters[C_EVALUATIONS] - evaluations))
        return guess >= 0

    cdef int after(self, const State *state, int depth, int guess, int32_t *history, int asked) noexcept nogil:
        """Return whether `depth` guesses settle a state, this guess first."""
        cdef Mark mark = self.arena.top
        cdef State child
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
            for _ in range(state.counts[left]):
                r = row[state.members[i]]
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
        child.members = <int32_t *>arena_take(&self.arena, state.n * sizeof(int32_t))
        for i in range(few):
            self.child(state, row, order[i].response, &child)
            if not self.settle(&child, depth - 1, history, asked):
                found = 0
                break
        arena_release(&self.arena, mark)
        return found

    cdef void child(self, const State *state, const uint8_t *row, int response, State *out) noexcept nogil:
        """Write the state after a response; -1 stands for one that no secret gives."""
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

    cdef int scan(self, const State *state, int depth, int32_t *history, int asked, Ranked **out) noexcept nogil:
        """Write guesses, best first, without some that do not fit; return how many; see `reference_lying`.

        The caller gives the memory back.
        """
        cdef int32_t *classes = NULL
        cdef const int64_t *weight = self.weight + min(depth - 1, self.depths - 1) * (self.L + 1)
        cdef int64_t step[LEVELS]       # what a secret adds to the child of its own response
        cdef int32_t most[LEVELS]
        cdef int64_t shared = 0, limit
        cdef int g, i = 0, left, few = 0
        self.counters[C_EVALUATIONS] += 1
        if self.classes is not None and asked <= LONGEST:
            with gil:
                classes = self.smallest(history, asked)
        out[0] = <Ranked *>arena_take(&self.arena, (self.G + 1) * sizeof(Ranked))
        for left in range(self.L + 1):
            step[left] = weight[left] - (weight[left - 1] if left else 0)
            shared += state.counts[left] * (weight[left - 1] if left else 0)
            most[left] = state.counts[left] + (state.counts[left + 1] if left < self.L else 0)
        # No child has more secrets at any level, so none has more room.
        limit = self.room(most, depth - 1) if depth - 1 < self.depths else INF
        for left in range(self.L, -1, -1):
            for _ in range(state.counts[left]):
                self.lies_of[state.members[i]] = left + 1
                i += 1
        for g in range(self.G):
            if classes != NULL and classes[g] != g:
                continue
            if counter_get(self.counters + C_STOP):
                few = 0
                break
            few += self.rank(state, g, weight, step, shared, limit, out[0] + few)
        for i in range(state.n):
            self.lies_of[state.members[i]] = 0
        qsort(out[0], few, sizeof(Ranked), by_rank)
        return few

    cdef int32_t *smallest(self, int32_t *history, int asked) except? NULL:
        """Return the classes after a history, or NULL; the caller of `scan` gives the memory back."""
        found = self.classes(tuple([history[i] for i in range(asked)]))
        return NULL if found is None else self.small(found)

    cdef int rank(self, const State *state, int guess, const int64_t *weight, const int64_t *step, int64_t shared,
                  int64_t limit, Ranked *out) noexcept nogil:
        """Write the rank of a guess; return 0 when it tells nothing, or leaves too much volume for any child."""
        cdef const uint8_t *row = self.table + <size_t>guess * self.S
        cdef int64_t volume[256]
        cdef uint8_t met[256]
        cdef int64_t room, add, largest = 0
        cdef int won = self.own[guess] if self.win else -1, i = 0, r, left, parts = 0
        if won >= 0 and not self.lies_of[won]:
            won = -1
        if won >= 0 and self.lies_of[won] > 1:
            shared -= weight[self.lies_of[won] - 2]
        room = limit - shared
        memset(volume, 0, self.R * sizeof(int64_t))
        memset(met, 0, self.R)
        for left in range(self.L, -1, -1):
            add = step[left]
            for _ in range(state.counts[left]):
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
        out.volume, out.fewer, out.guess = largest, -parts, guess
        out.other = self.own[guess] < 0 or not self.lies_of[self.own[guess]]
        return 1

    cdef int admitted(self, const State *state, int depth, int guess, uint64_t *seen, uint64_t mask) noexcept nogil:
        """Return whether all that a guess leaves fits, and no guess before leaves the same."""
        cdef const uint8_t *row = self.table + <size_t>guess * self.S
        cdef int32_t counts[256 * LEVELS]
        cdef int32_t rest[LEVELS]
        cdef int32_t after[LEVELS]
        cdef uint64_t key1[256]
        cdef uint64_t key2[256]
        cdef uint64_t h1 = 0, h2 = 0, slot
        cdef int i = 0, r, s, left, met
        memset(counts, 0, self.R * LEVELS * sizeof(int32_t))
        memset(key1, 0, self.R * sizeof(uint64_t))
        memset(key2, 0, self.R * sizeof(uint64_t))
        for left in range(self.L, -1, -1):
            rest[left] = state.counts[left]
            for _ in range(state.counts[left]):
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
            if not self.fits(after, depth - 1):
                return 0
            h1 += mixed(key1[r])
            h2 += mixed(key2[r])
        h1 += h1 == 0
        slot = h2 & mask
        while seen[2 * slot]:
            if seen[2 * slot] == h1 and seen[2 * slot + 1] == h2:
                return 0
            slot = (slot + 1) & mask
        seen[2 * slot], seen[2 * slot + 1] = h1, h2
        return 1
