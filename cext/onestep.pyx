# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Compiled one-step strategies played out over a whole game; `reference_onestep` is the plain twin."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from guesstree.cext.core cimport (
    Arena, Mark, arena_free, arena_new, arena_release, countdown_place, out_of_memory, take
)
from guesstree.cext.view cimport PARTS_MOST, lay_rows


cdef extern from "onestep.h" nogil:
    int parts_simd()
    void parts_of_columns(const uint8_t **rows, int n, int width, int responses, const uint8_t *reach, int enough,
                          int simd, uint8_t *out)
    int pair_number(int pegs, int black, int common)
    void code_row(const uint8_t *planes, const uint8_t *counts, size_t width, int start, int stop, int pegs,
                  int symbols, const uint8_t *code, const uint8_t *number, int simd, uint8_t *out)
    void part_sizes(const uint8_t *rows, size_t stride, int n, int responses, int simd, uint32_t *sizes)


STOP, SETTLED, VALUED = range(3)
COUNTERS = 3

cdef enum:
    C_STOP = 0
    C_SETTLED = 1
    C_VALUED = 2
    MOST_BY_PARTS = 32
    BLOCK_BYTES = 1 << 20

cdef int64_t WORST = <int64_t>1 << 62


cdef struct Best:
    int guess
    int outside             # 1 unless it is a candidate
    int perfect             # whether it leaves only single secrets
    int64_t score
    int32_t count[256]      # sizes of its parts, by response


cdef class Pool:
    """The guesses to choose from in some states, ready for the kernels."""

    cdef int ng, width
    cdef object ids_array, planes_array, counts_array
    cdef const int32_t[::1] ids
    cdef const uint8_t[:, ::1] planes       # codes: symbol at each position, (pegs, width)
    cdef const uint8_t[:, ::1] counts       # codes: how often each symbol occurs, (symbols, width)
    cdef uint8_t[:, ::1] table              # tables: responses, (secrets, width), see `lay_rows`
    cdef uint8_t[::1] reach


cdef class Player:
    """See `reference_onestep.Player`."""

    cdef int named_once     # whether no two guesses name the same secret
    cdef int S, R, pegs, win, winning, by_max, prefer, only_candidates, simd, tables
    cdef int64_t tolerance
    cdef object guess_codes, classes, compare
    cdef const uint8_t[:, ::1] table    # tables: responses, (guesses, secrets)
    cdef Arena arena
    cdef Mark base              # of it, between plays
    cdef int made               # whether there is an arena to be freed
    cdef int symbols
    cdef const uint8_t[:, ::1] codes
    cdef const uint8_t[::1] response_of
    cdef const int32_t[::1] own, winner
    cdef const int64_t[::1] scores
    cdef int64_t[::1] counters
    cdef uint8_t number[256]
    cdef uint8_t *inside
    cdef Pool everything

    def __cinit__(self, *args, **kwargs):
        self.made = 0

    def __init__(self, table, guess_codes, secret_codes, int symbols, const uint8_t[::1] response_of, int winning,
                 bint win, const int32_t[::1] own, const int32_t[::1] winner, const int64_t[::1] scores,
                 int64_t tolerance, bint prefer, bint only_candidates, int64_t[::1] counters, classes=None,
                 compare=None):
        cdef int b
        self.guess_codes, self.symbols = guess_codes, symbols
        self.tables = table is not None
        if self.tables:
            self.table = np.ascontiguousarray(table)
        self.response_of, self.winning, self.win = response_of, winning, win
        self.own, self.winner, self.scores = own, winner, scores
        self.by_max = scores.shape[0] == 0
        self.tolerance, self.prefer, self.only_candidates = tolerance, prefer, only_candidates
        self.counters, self.classes, self.compare = counters, classes, compare
        names = np.asarray(own)[np.asarray(own) >= 0]
        self.named_once = len(set(names.tolist())) == len(names)  # np.unique would load numpy.ma
        self.R = response_of.shape[0]
        self.simd = parts_simd()
        self.S = winner.shape[0]
        memset(self.number, 0, 256)
        if not self.tables:
            self.codes = secret_codes
            self.pegs = self.codes.shape[1]
            for b in range(self.pegs + 1):
                self.number[b] = pair_number(self.pegs, b, 0)
        if not arena_new(&self.arena, countdown_place()):
            out_of_memory()
        self.made = 1
        self.inside = <uint8_t *>take(&self.arena, self.S)
        self.base = self.arena.top
        self.everything = self.pool(np.arange(own.shape[0], dtype=np.int32))

    def __dealloc__(self):
        if self.made:
            arena_free(&self.arena)

    cdef Pool pool(self, ids):
        """Gather what the kernels need of some guesses; columns beyond the last repeat it."""
        cdef Pool pool = Pool.__new__(Pool)
        cdef const uint8_t[:, ::1] columns
        cdef uint8_t *reach = NULL
        pool.ng = len(ids)
        pool.width = (pool.ng + 31) // 32 * 32
        pool.ids_array = np.ascontiguousarray(ids, dtype=np.int32)
        pool.ids = pool.ids_array
        if self.tables:
            columns = self.table if pool.ng == self.table.shape[0] else np.asarray(self.table)[ids]
            pool.table = np.empty((self.S, pool.width), dtype=np.uint8)
            pool.reach = np.empty(pool.width // 32, dtype=np.uint8)
            if self.R > PARTS_MOST:
                reach = &pool.reach[0]
            lay_rows(&self.arena, &columns[0, 0], self.S, pool.ng, self.S, &pool.table[0, 0], pool.width, reach, NULL)
        else:
            padded = np.concatenate((ids, np.full(pool.width - pool.ng, ids[pool.ng - 1]))).astype(np.int32)
            pool.planes_array = np.ascontiguousarray(self.guess_codes[padded].T)
            pool.planes = pool.planes_array
            pool.counts_array = np.stack(
                [(pool.planes_array == c).sum(axis=0, dtype=np.uint8) for c in range(max(self.symbols, 1))]
            )
            pool.counts = pool.counts_array
        return pool

    cdef int fill(self, Pool pool, const int32_t *members, int n, int start, int stop, uint8_t *out) noexcept nogil:
        """Write the responses of columns start..stop of the pool, a row for each member."""
        cdef int i
        cdef size_t stride = stop - start
        for i in range(n):
            if self.tables:
                memcpy(out + i * stride, &pool.table[members[i], start], stride)
            else:
                code_row(&pool.planes[0, 0], &pool.counts[0, 0], pool.width, start, stop, self.pegs, self.symbols,
                         &self.codes[members[i], 0], self.number, self.simd, out + i * stride)
        return 0

    cdef void one_row(self, int guess, const int32_t *members, int n, uint8_t *out) noexcept nogil:
        """Write the responses of one guess to each member."""
        cdef int i, p, q, black, common
        cdef uint8_t spare[64]
        cdef const uint8_t *secret
        if self.tables:
            for i in range(n):
                out[i] = self.table[guess, members[i]]
            return
        for i in range(n):
            secret = &self.codes[members[i], 0]
            black = common = 0
            memset(spare, 0, self.pegs)
            for p in range(self.pegs):
                black += self.everything.planes[p, guess] == secret[p]
                for q in range(self.pegs if self.symbols else 0):
                    if not spare[q] and self.everything.planes[p, guess] == secret[q]:
                        spare[q] = 1
                        common += 1
                        break
            out[i] = self.number[black] + common

    cdef int separating_candidate(self, const int32_t *members, int n, uint8_t *row) noexcept nogil:
        """Return the smallest guess that names a candidate and leaves only single secrets, or -1."""
        cdef int i, j, best = -1
        cdef uint8_t met[256]
        for i in range(n):
            if self.winner[members[i]] < 0 or (best >= 0 and self.winner[members[i]] > best):
                continue
            self.one_row(self.winner[members[i]], members, n, row)
            memset(met, 0, self.R)
            for j in range(n):
                if met[row[j]]:
                    break
                met[row[j]] = 1
            else:
                best = self.winner[members[i]]
        return best

    cdef int64_t least_score(self, int n, int k) noexcept nogil:
        """Return at least the score of k parts of n secrets: scores are convex, so an even split is least."""
        if self.by_max:
            return (n + k - 1) // k
        return (k - n % k) * self.scores[n // k] + (n % k) * self.scores[n // k + 1 if n % k else 0]

    cdef int same_sizes(self, const int32_t *a, const int32_t *b) noexcept nogil:
        """Return whether two lists of sizes, by response, are equal up to order."""
        cdef int i, j
        cdef uint8_t used[256]
        memset(used, 0, self.R)
        for i in range(self.R):
            for j in range(self.R):
                if not used[j] and a[i] == b[j]:
                    used[j] = 1
                    break
            else:
                return 0
        return 1

    cdef int compare_exactly(self, const int32_t *a, const int32_t *b) except -2 with gil:
        """Return the sign of score(a) - score(b), decided by the caller's exact comparison."""
        cdef int i, sign = self.compare([a[i] for i in range(self.R)], [b[i] for i in range(self.R)])
        return (sign > 0) - (sign < 0)

    cdef int best_guess(self, Pool pool, const int32_t *members, int n) except -2 nogil:
        """Return the guess that the valuation picks, or -1 when no guess of the pool tells anything.

        Guesses come in order, so the first of equal ones stays. A guess that leaves only single secrets has
        the best score there is: it ends the scan, because a candidate that does so was looked for before.
        """
        cdef Best best
        cdef int b, j, stop, i, k
        # Parts are counted in bytes; sizes of a few responses are counted as fast.
        cdef int few = n <= MOST_BY_PARTS and self.R <= MOST_BY_PARTS
        cdef int small = 1 if few or PARTS_MOST < self.R <= 255 else 0
        cdef int direct = small and self.tables
        cdef const uint8_t *reach = NULL
        cdef int step = pool.width if direct else min(max(BLOCK_BYTES // n // 32 * 32, 32), pool.width)
        cdef Mark mark = self.arena.top
        cdef uint8_t *rows = <uint8_t *>take(&self.arena, 0 if direct else <size_t>n * step)
        cdef uint8_t *parts = <uint8_t *>take(&self.arena, step)
        cdef const uint8_t **row = <const uint8_t **>take(&self.arena, n * sizeof(void *))
        cdef uint32_t *sizes = <uint32_t *>take(&self.arena, self.R * 32 * sizeof(uint32_t))
        cdef int32_t count[256]
        best.guess = -1
        best.score = WORST
        best.outside = 1
        best.perfect = 0
        if direct and self.R > PARTS_MOST:
            reach = &pool.reach[0]
        b = 0
        while b < pool.width and not self.enough(&best):
            stop = min(b + step, pool.width)
            if not direct:
                self.fill(pool, members, n, b, stop, rows)
            self.counters[C_VALUED] += min(stop, pool.ng) - b
            if small:
                for i in range(n):
                    row[i] = rows + <size_t>i * (stop - b)
                    if direct:
                        row[i] = &pool.table[members[i], 0]
                parts_of_columns(row, n, stop - b, self.R, reach, 0, self.simd, parts)
            for j in range(b, min(stop, pool.ng)):
                if small:
                    k = parts[j - b]
                    if k < 2 or self.least_score(n, k) > best.score + self.tolerance:
                        continue
                    memset(count, 0, self.R * sizeof(int32_t))
                    for i in range(n):
                        count[row[i][j - b]] += 1
                else:
                    if (j - b) % 32 == 0:
                        part_sizes(rows + (j - b), stop - b, n, self.R, self.simd, sizes)
                    for i in range(self.R):
                        count[i] = sizes[i * 32 + (j - b) % 32]
                self.offer(pool.ids[j], n, count, &best)
                if self.enough(&best):
                    break
            b = stop
        arena_release(&self.arena, mark)
        return best.guess

    cdef int enough(self, const Best *best) noexcept nogil:
        """Return whether no better guess is to be looked for: none is, or there is no time."""
        return (best.perfect and self.named_once) or (best.guess >= 0 and self.counters[C_STOP] != 0)

    cdef int offer(self, int guess, int n, const int32_t *count, Best *best) except -1 nogil:
        """Take a guess with these sizes of parts if it is better than the best so far."""
        cdef int outside = self.own[guess] < 0 or not self.inside[self.own[guess]]
        cdef int r, sign, parts = 0
        cdef int64_t score = 0
        if self.only_candidates and outside:
            return 0
        for r in range(self.R):
            if count[r] == n:
                return 0
            parts += count[r] > 0
            if self.by_max:
                score = max(score, count[r])
            else:
                score += self.scores[count[r]]
        if score > best.score + self.tolerance:
            return 0
        if best.guess < 0 or score < best.score - self.tolerance:
            sign = -1
        elif not self.tolerance:
            sign = -1 if score < best.score else score > best.score
        else:
            sign = 0 if self.same_sizes(count, best.count) else self.compare_exactly(count, best.count)
        if sign < 0 or (sign == 0 and self.prefer and outside < best.outside):
            best.guess, best.score, best.outside, best.perfect = guess, score, outside, parts == n
            memcpy(best.count, count, self.R * sizeof(int32_t))
        return 0

    cdef int first_useful(self, Pool pool, const int32_t *members, int n, uint8_t *row) noexcept nogil:
        """Return a guess at once: one that names the first candidate, else the first that tells something."""
        cdef int i, j
        if self.winner[members[0]] >= 0 and self.win:
            return self.winner[members[0]]
        for j in range(pool.ng):
            if self.only_candidates and (self.own[pool.ids[j]] < 0 or not self.inside[self.own[pool.ids[j]]]):
                continue
            self.one_row(pool.ids[j], members, n, row)
            for i in range(1, n):
                if row[i] != row[0]:
                    return pool.ids[j]
        return -1

    cdef int choose(self, Pool pool, const int32_t *members, int n, uint8_t *row) except -2 nogil:
        """Return the guess for a state, or -1."""
        cdef int i, guess = -1
        if n == 1 and self.win:
            return self.winner[members[0]]
        for i in range(n):
            self.inside[members[i]] = 1
        if self.counters[C_STOP]:
            guess = self.first_useful(pool, members, n, row)
        else:
            if n <= self.R and self.named_once and (self.prefer or self.only_candidates):
                guess = self.separating_candidate(members, n, row)
            if guess < 0:
                guess = self.best_guess(pool, members, n)
        for i in range(n):
            self.inside[members[i]] = 0
        return guess

    cdef int split(self, int32_t *members, int n, const uint8_t *row, int32_t *room, int32_t *count) noexcept nogil:
        """Sort members by response, in order within each; count them by response; return whether they differ."""
        cdef int32_t start[256]
        cdef int i, r, at = 0, parts = 0
        memset(count, 0, 256 * sizeof(int32_t))
        for i in range(n):
            count[self.response_of[row[i]]] += 1
        for r in range(256):
            start[r] = at
            at += count[r]
            parts += count[r] > 0
        for i in range(n):
            r = self.response_of[row[i]]
            room[start[r]] = members[i]
            start[r] += 1
        memcpy(members, room, n * sizeof(int32_t))
        return parts > 1 or (self.win and count[self.winning] == n)

    cdef int advance(self, Pool pool, int32_t[:, ::1] states, int32_t *order, int32_t *room, uint8_t *row, int done,
                     int *made, int deepest, int first, int max_depth) except -2 nogil:
        """Play states from `done` on, to a depth; return how many are done, or -1 when one has no guess."""
        cdef int32_t count[256]
        cdef int r, at, n, depth, guess
        while done < made[0] and states[done, 2] <= deepest:
            depth, at, n = states[done, 2], states[done, 0], states[done, 1] - states[done, 0]
            guess = first if depth == 0 and first >= 0 else self.choose(pool, &order[at], n, row)
            if guess < 0 or depth >= max_depth:
                return -1
            states[done, 4] = guess
            self.one_row(guess, &order[at], n, row)
            if not self.split(&order[at], n, row, room, count):
                return -1
            for r in range(256):
                if (self.win and r == self.winning) or (not self.win and count[r] == 1):
                    self.counters[C_SETTLED] += count[r]
                elif count[r]:
                    states[made[0], 0], states[made[0], 1] = at, at + count[r]
                    states[made[0], 2], states[made[0], 3] = depth + 1, done
                    made[0] += 1
                at += count[r]
            done += 1
        return done

    def play(self, int first, int max_depth):
        """See `reference_onestep.Player.play`."""
        states_array = np.zeros((2 * self.S + 2, 5), dtype=np.int32)
        order_array = np.arange(self.S, dtype=np.int32)
        cdef int32_t[:, ::1] states = states_array
        cdef int32_t[::1] order = order_array
        cdef int32_t[::1] room = np.empty(self.S, dtype=np.int32)
        cdef uint8_t[::1] row = np.empty(self.S, dtype=np.uint8)
        cdef int done = 0, made = 1, deepest
        cdef Pool pool
        arena_release(&self.arena, self.base)   # a play that raised has left memory taken, and marks
        memset(self.inside, 0, self.S)
        states[0, 1], states[0, 3] = self.S, -1
        # The symmetry of longer histories costs more than it saves.
        for deepest in (0, 1, self.S):
            if deepest == 0:
                pool = self.everything if first >= 0 else self.pool_after(())
            else:
                pool = self.pool_after((states_array[0, 4],)) if deepest == 1 else self.everything
            with nogil:
                done = self.advance(pool, states, &order[0], &room[0], &row[0], done, &made, deepest, first, max_depth)
            if done < 0:
                return None
        return states_array[:made], order_array

    cdef Pool pool_after(self, tuple history):
        """Return the smallest of each class of guesses that the symmetry makes equal after a history."""
        classes = None if self.classes is None else self.classes(history)
        if classes is None:
            return self.everything
        return self.pool(np.flatnonzero(classes == np.arange(len(classes))))
