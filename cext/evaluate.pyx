# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Responses and bounds of the compiled search; `reference_evaluate` has the same, with the proofs."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memchr, memcpy, memset

from guesstree.cext.core cimport Arena, Mark, Ranked, Worker, arena_release, flag_add, flag_get, lock, take, unlock
from guesstree.cext.search cimport Search
from guesstree.cext.view cimport PARTS_MOST, View, fill_rows, link_names, new_view, transpose


cdef extern from "onestep.h" nogil:
    int parts_simd()
    void parts_of_columns(const uint8_t **rows, int n, int width, int responses, const uint8_t *reach, int enough,
                          int simd, uint8_t *out)
    int separating_column(const uint8_t **rows, int n, int width, int responses, int simd)
    int pair_number(int pegs, int black, int common)
    void code_row(const uint8_t *planes, const uint8_t *counts, size_t width, int start, int stop, int pegs,
                  int symbols, const uint8_t *code, const uint8_t *number, int simd, uint8_t *out)


cdef int64_t INF = <int64_t>1 << 50

cdef enum:
    LANES = 4           # counters of one response, so that none waits for itself; 256 / PARTS_MOST


cdef int64_t counting_bound(const Limits *limits, int n, int d) noexcept nogil:
    if n > limits.capacity[d if d < limits.reach else limits.reach]:
        return INF
    return limits.least[n]


cdef int64_t leaves(int64_t branches, int64_t k, int64_t n) noexcept nogil:
    cdef int64_t depth = 0, split
    while n > k * branches:
        k, depth = k * branches, depth + 1
    split = (n - k + branches - 2) // (branches - 1)
    return k * depth + split + (n - k) * (depth + 1)


cdef int tighten(Arena *arena, const Limits *above, int n, int parts, int base, int unit,
                 Limits *out) except -1 nogil:
    """Write what counting says of the subsets of a set of n secrets of which no guess makes more parts."""
    cdef int64_t level = 1, total = 0, won
    cdef int64_t depth = 0, room = 0, width = 1
    cdef Limits before = above[0]
    cdef int i
    out[0] = before
    if parts >= before.parts or n < 2:
        return 0
    out.parts, out.reach = parts, 0
    out.least = <int64_t *>take(arena, (n + 1) * sizeof(int64_t))
    out.capacity = <int64_t *>take(arena, (n + 3) * sizeof(int64_t))
    memcpy(out.least, before.least, (n + 1) * sizeof(int64_t))
    won = 1 - base
    out.capacity[0] = won
    while out.capacity[out.reach] < n:
        won = min(<int64_t>n, won + level if base else won * parts)
        level = min(level * (parts - 1), <int64_t>n)
        out.reach += 1
        if out.reach > n:       # a single part: nothing can be told apart
            won = n
        out.capacity[out.reach] = min(won, before.capacity[min(out.reach, before.reach)])
    if not unit:
        return 0
    if not base:
        for i in range(2, n + 1 if parts > 1 else 0):
            out.least[i] = max(leaves(parts, 1, i), before.least[i])
        return 0
    for i in range(1, n + 1):
        if room == 0:
            depth, room = depth + 1, width
            width = min(width * max(parts - 1, 1), <int64_t>n)
        room -= 1
        total += depth
        out.least[i] = max(total, before.least[i])
    return 0


cdef class Evaluator(Search):
    """A game as tables, and bounds of one set of candidates at a time."""

    def __init__(self, table, const int32_t[::1] own, int responses, int winning, int unit, bint only_candidates,
                 const int64_t[::1] least, const int64_t[::1] capacity, classes, digits, int renaming, int symbols,
                 response_of, int without, uint64_t memory, int width, int jobs):
        cdef int s
        self.prepare(own.shape[0], least.shape[0] - 1, least.shape[0] - 1, 20200229, INF, memory, width, jobs,
                     least.shape[0], classes, digits, renaming)
        self.R, self.winning, self.unit = responses, winning, unit
        self.base = 1 if winning >= 0 else 0
        self.only_candidates, self.without = only_candidates, without
        self.simd = parts_simd()
        self.symbols = symbols
        self.identity = <int32_t *>take(&self.arena, self.S * sizeof(int32_t))
        for s in range(self.S):
            self.identity[s] = s
        self.limits.parts, self.limits.reach = 1 << 30, capacity.shape[0] - 1
        self.limits.least = <int64_t *>take(&self.arena, (self.S + 1) * sizeof(int64_t))
        self.limits.capacity = <int64_t *>take(&self.arena, (self.limits.reach + 1) * sizeof(int64_t))
        for s in range(self.S + 1):
            self.limits.least[s] = least[s]
        for s in range(self.limits.reach + 1):
            self.limits.capacity[s] = capacity[s]
        # cells of at most `small` - 1 secrets cost 2n - 1 (win) or n (identify) at least, as `least` says
        self.small = 0
        for s in range(1, self.S + 1):
            if least[s] != (2 * s - 1 if self.base else s if s > 1 else 0) * unit or (
                not unit and s > capacity[min(1 + self.base, self.limits.reach)]
            ):
                break
            self.small = s + 1
        self.small = 0 if without & NO_PARTS else min(self.small, MOST_SMALL)
        self.nogood = <int32_t *>take(&self.arena, MOST_NOGOODS * MOST_WHOLE * sizeof(int32_t))
        self.nogood_size = <int32_t *>take(&self.arena, MOST_NOGOODS * sizeof(int32_t))
        self.nogood_count = self.nogood_guard = 0
        self.root = self.root_view(own)
        if table is None:
            self.prepare_codes(response_of)
        else:
            self.fill_root(table)

    cdef int equip(self, Worker *w) except -1 nogil:
        cdef Columns *columns = <Columns *>take(&w.arena, sizeof(Columns))
        columns.parts = <uint8_t *>take(&w.arena, self.G + 32)
        columns.row = <const uint8_t **>take(&w.arena, self.S * sizeof(void *))
        columns.response = <uint8_t *>take(&w.arena, self.G + 32)
        w.more = columns
        return 0

    # ---- tables -------------------------------------------------------------------------------------------------

    cdef View *root_view(self, const int32_t[::1] own) except NULL:
        cdef View *view
        cdef int i
        view = new_view(&self.arena, self.S, self.G)
        for i in range(self.S):
            view.secret[i] = i
        for i in range(self.G):
            view.guess[i], view.own[i] = i, own[i]
        link_names(&self.arena, view, self.S)
        return view

    cdef int fill_root(self, const uint8_t[:, ::1] table) except -1:
        """Copy the table; where guesses and secrets answer alike, one copy serves both ways round."""
        cdef View *view = self.root
        cdef int g
        view.tall = (self.S + 31) // 32 * 32
        view.cols = <uint8_t *>take(&self.arena, <size_t>self.G * view.tall)
        with nogil:     # whoever waits for the search is to hear the clock
            for g in range(self.G):
                memcpy(view.cols + <size_t>g * view.tall, &table[g, 0], self.S)
                memset(view.cols + <size_t>g * view.tall + self.S, 0, view.tall - self.S)
            if self.pegs or (self.S == self.G and self.same_both_ways(view)):     # codes are alike
                view.rows = view.cols
            else:
                fill_rows(&self.arena, view, self.R)
        return 0

    cdef int same_both_ways(self, const View *view) noexcept nogil:
        """Return whether the table is its own transpose, a tile at a time: a tile stays in the cache."""
        cdef int g, s, above, left
        for above in range(0, self.G, 64):
            for left in range(0, above + 1, 64):
                for g in range(above, min(above + 64, self.G)):
                    for s in range(left, min(left + 64, self.S)):
                        if view.cols[<size_t>g * view.tall + s] != view.cols[<size_t>s * view.tall + g]:
                            return 0
        return 1

    cdef int prepare_codes(self, response_of) except -1:
        """Keep the codes, from which responses are worked out; columns beyond the last repeat it."""
        cdef int b, width = (self.G + 31) // 32 * 32
        codes = np.asarray(self.digits)
        padded = np.concatenate((codes, np.repeat(codes[-1:], width - self.G, axis=0)))
        self.planes_array = np.ascontiguousarray(padded.T)
        self.counts_array = np.stack(
            [(self.planes_array == c).sum(axis=0, dtype=np.uint8) for c in range(max(self.symbols, 1))]
        )
        self.planes, self.counts, self.response_of = self.planes_array, self.counts_array, response_of
        memset(self.number, 0, 256)
        for b in range(self.pegs + 1):
            self.number[b] = pair_number(self.pegs, b, 0)
        return 0

    cdef void answer_all(self, int code, uint8_t *out) noexcept nogil:
        """Write the responses of every code to one code, as wide as a row; response is symmetric."""
        cdef int j, width = self.planes.shape[1]
        code_row(&self.planes[0, 0], &self.counts[0, 0], width, 0, width, self.pegs, self.symbols,
                 &self.digits[code, 0], self.number, self.simd, out)
        for j in range(self.G):
            out[j] = self.response_of[out[j]]
        memset(out + self.G, 0, width - self.G)

    cdef const uint8_t *column(self, Worker *w, View *view, int column) noexcept nogil:
        """Return the responses of a guess by row of the view."""
        if view.cols != NULL:
            return view.cols + <size_t>column * view.tall
        self.answer_all(column, (<Columns *>w.more).response)
        return (<Columns *>w.more).response

    cdef View *code_view(self, Worker *w, const int32_t *rows, int n) except NULL nogil:
        """Return a table of all guesses on some secrets of a root that has none; not all of it when stopped."""
        cdef Arena *arena = &w.arena
        cdef View *view = new_view(arena, n, self.G)
        cdef int i, done
        memcpy(view.guess, self.root.guess, self.G * sizeof(int32_t))
        memcpy(view.own, self.root.own, self.G * sizeof(int32_t))
        view.tall = (n + 31) // 32 * 32
        view.rows = <uint8_t *>take(arena, <size_t>n * view.width)
        view.cols = <uint8_t *>take(arena, <size_t>self.G * view.tall)
        for i in range(n):
            view.secret[i] = rows[i]
            self.answer_all(rows[i], view.rows + <size_t>i * view.width)
            if i % LOOK == LOOK - 1 or i == n - 1:
                if self.halted(w):
                    return view
                done = i - i % LOOK
                transpose(view.rows + <size_t>done * view.width, view.width, i + 1 - done, self.G, view.cols + done,
                          view.tall)
        link_names(arena, view, self.S)
        return view

    # ---- bounds -------------------------------------------------------------------------------------------------

    cdef int64_t solved_by_size(self, int n, int d) noexcept nogil:
        """Return exactly the value of a set that needs no search, or -1.

        One secret: guess it (or nothing, to identify). Two, to win: guess one of them, then the other.
        """
        if n == 1:
            return self.unit * self.base if d >= self.base else INF
        if n == 2 and self.base:
            return 3 * self.unit if d >= 2 else INF
        return -1

    cdef int must_separate(self, int d) noexcept nogil:
        """Return whether a set is settled if and only if some guess leaves single secrets only."""
        return not self.unit and d - 1 <= self.base and not self.only_candidates and not self.without & NO_PARTS

    cdef int by_counts(self, View *view, int n) noexcept nogil:
        """Return whether the numbers of parts are worth counting for a set of n."""
        return view.rows != NULL and not self.without & NO_PARTS and (
            n <= self.small or self.R <= MOST_SMALL
        )

    cdef uint8_t *count_parts(self, Worker *w, View *view, const int32_t *rows, int n,
                              int enough=0) noexcept nogil:
        """Return the number of parts that each guess of the view makes of a set; see parts.h for `enough`."""
        cdef Columns *columns = <Columns *>w.more
        cdef uint8_t *placed = columns.parts if view.order == NULL else columns.response
        cdef int i
        parts_of_columns(self.gather(w, view, rows, n), n, view.width, self.R, view.reach, enough, self.simd, placed)
        for i in range(0 if view.order == NULL else view.ng):
            columns.parts[view.order[i]] = placed[i]
        return columns.parts

    cdef int separating(self, Worker *w, View *view, const int32_t *rows, int n) noexcept nogil:
        """Return the first guess of the view that leaves single secrets only of a set, or -1."""
        cdef int j = separating_column(self.gather(w, view, rows, n), n, view.width, self.R, self.simd)
        if j < 0 or view.order == NULL:
            return j
        return next_with(self.count_parts(w, view, rows, n, n - 1), 0, view.ng, n)

    cdef const uint8_t **gather(self, Worker *w, View *view, const int32_t *rows, int n) noexcept nogil:
        cdef const uint8_t **row = (<Columns *>w.more).row
        cdef int i
        for i in range(n):
            row[i] = view.rows + <size_t>rows[i] * view.width
        return row

    cdef int most_parts(self, Worker *w, View *view, const uint8_t *parts) noexcept nogil:
        """Return the most parts that a guess makes, one more where none of them wins; `inside` marks the set."""
        cdef int most = largest(parts, view.ng)
        cdef int j = next_with(parts, 0, view.ng, most)
        while j < view.ng and view.own[j] >= 0 and w.inside[view.own[j]]:
            j = next_with(parts, j + 1, view.ng, most)
        return most + (1 if self.base and j < view.ng else 0)

    cdef int tighten_by_parts(self, Worker *w, const Limits *above, View *view, int n, const uint8_t *parts,
                              Limits *out) except -1 nogil:
        if not self.without & NO_LIMITS:
            tighten(&w.arena, above, n, self.most_parts(w, view, parts), self.base, self.unit, out)
        return 0

    cdef int64_t bound_by_parts(self, const Limits *limits, int n, int d, int k, int wins) noexcept nogil:
        """Return at least what a guess with k parts costs on n secrets.

        See `reference_evaluate.Evaluator.bound_by_parts`.
        """
        cdef int64_t total
        cdef int share
        if k < 2 or (k < n and d - 1 <= self.base):
            return INF
        if n > self.small and not self.base:
            if n > k * limits.capacity[min(d - 1, limits.reach)]:
                return INF
            return self.unit * (n + leaves(max(2, min(self.R, limits.parts)), k, n))
        if n > self.small:
            n, k = n - wins, k - wins
            share = n // k
            total = self.unit * (n + wins) + (k - n % k) * counting_bound(limits, share, d - 1)
            if n % k:
                total += (n % k) * counting_bound(limits, share + 1, d - 1)
            return min(total, INF)
        if not self.unit:
            return 0
        if self.base:
            return 3 * n - k - wins
        return n if k == n else 2 * n - k + 1

    cdef const int64_t *part_bounds(self, Worker *w, const Limits *limits, int n, int d) except NULL nogil:
        """Return what counting says of a part of m secrets, for m = 0 to n."""
        cdef int64_t *bounds = <int64_t *>take(&w.arena, (n + 1) * sizeof(int64_t))
        cdef int m
        bounds[0] = 0
        for m in range(1, n + 1):
            bounds[m] = counting_bound(limits, m, d - 1)
        return bounds

    cdef void bound_by_sizes(self, const int64_t *bounds, const uint8_t *col, const int32_t *rows, int n,
                             Ranked *out) noexcept nogil:
        """Bound one guess by the sizes of its parts; its score is their sum of squares.

        Few responses are counted by four counters each in turn: one would wait for itself, secret after secret.
        """
        cdef int lanes = LANES if self.R <= PARTS_MOST else 1
        cdef int i, r, m, first = col[rows[0]]
        cdef const int32_t *whole = rows + n - n % LANES
        cdef int64_t total = self.unit * n
        cdef int64_t squares = 0
        cdef int32_t count[256]     # at least LANES * PARTS_MOST
        memset(count, 0, lanes * self.R * sizeof(int32_t))
        if lanes == LANES:
            while rows < whole:
                count[LANES * <size_t>col[rows[0]]] += 1
                count[LANES * <size_t>col[rows[1]] + 1] += 1
                count[LANES * <size_t>col[rows[2]] + 2] += 1
                count[LANES * <size_t>col[rows[3]] + 3] += 1
                rows += LANES
            for i in range(n % LANES):
                count[LANES * <size_t>col[rows[i]]] += 1
            for r in range(self.R):
                m = count[LANES * r] + count[LANES * r + 1] + count[LANES * r + 2] + count[LANES * r + 3]
                count[r] = m
                total += bounds[m]
                squares += <int64_t>m * m
        else:
            for i in range(n):
                m = count[col[rows[i]]]
                total += bounds[m + 1] - bounds[m]
                squares += 2 * m + 1
                count[col[rows[i]]] = m + 1
        if self.base:
            total -= bounds[count[self.winning]]
        out.score = squares
        out.bound = total if total < INF and count[first] < n else INF

    cdef void best_by_parts(self, Worker *w, View *view, const int32_t *rows, int n, int d, const Limits *limits,
                            Ahead *found) noexcept nogil:
        """Bound a small set: only the most parts count, among all guesses and among candidates.

        With n - 1 parts or more, no part has more than two secrets and the bound is reached.
        """
        cdef uint8_t *parts = NULL
        cdef int i, j, k, first = -1, most = 0, named = 0
        cdef int64_t inner, outer
        if self.must_separate(d):
            j = self.separating(w, view, rows, n)
            if j >= 0:
                found.lower, found.upper, found.column = 0, 0, j
            return
        if self.R <= PARTS_MOST or n > PARTS_MOST:    # quick for all guesses; else first what candidates say is enough
            parts = self.count_parts(w, view, rows, n)
        for i in range(n):
            j = view.first[rows[i]]
            while j >= 0:
                k = parts[j] if parts != NULL else parts_of_one(view.cols + <size_t>j * view.tall, rows, n)
                if k > named:
                    named, first = k, j
                j = view.next[j]
        if not self.only_candidates:
            parts = parts if parts != NULL else self.count_parts(w, view, rows, n, named)
            most = largest(parts, view.ng)
        inner = self.bound_by_parts(limits, n, d, named, self.base)
        outer = self.bound_by_parts(limits, n, d, most, 0)
        found.lower = min(inner, outer)
        if found.lower == INF:
            return
        found.column = first
        if inner > outer or (inner == outer and named < n - self.base <= most):
            named, found.column = most, next_with(parts, 0, view.ng, most)
        if named >= n - self.base:
            found.upper = found.lower

    cdef int best_by_sizes(self, Worker *w, View *view, const int32_t *rows, int n, int d, const Limits *above,
                           Ahead *found) except -1 nogil:
        """Bound a set that is large or has many responses.

        Guesses are met with the most parts first, candidates before all: fewer parts are bounded higher,
        so the rest is left as soon as its parts alone bound it at the best bound met.
        """
        cdef Mark mark = w.arena.top
        cdef uint8_t *parts = NULL
        cdef Limits limits = above[0]
        cdef Ranked guess, best
        cdef const int64_t *bounds
        cdef int i, j, k
        best.bound, best.score, best.column = INF, INF, -1
        if self.by_counts(view, n):
            parts = self.count_parts(w, view, rows, n)
            self.tighten_by_parts(w, above, view, n, parts, &limits)
        bounds = self.part_bounds(w, &limits, n, d)
        for i in range(n):
            j = view.first[rows[i]]
            while j >= 0:
                if parts == NULL or self.bound_by_parts(&limits, n, d, parts[j], self.base) < best.bound:
                    guess.column = j
                    self.bound_by_sizes(bounds, view.cols + <size_t>j * view.tall, rows, n, &guess)
                    if by_bound(&guess, &best):
                        best = guess
                j = view.next[j]
        for k in range(min(n, self.R) if parts != NULL else 2, 1, -1):
            if self.only_candidates or (
                parts != NULL and self.bound_by_parts(&limits, n, d, k, 0) >= best.bound
            ):
                break
            j = next_with(parts, 0, view.ng, k)
            while j < view.ng:
                if not (view.own[j] >= 0 and w.inside[view.own[j]]):
                    guess.column = j
                    self.bound_by_sizes(bounds, view.cols + <size_t>j * view.tall, rows, n, &guess)
                    if by_bound(&guess, &best):
                        best = guess
                j = next_with(parts, j + 1, view.ng, k)
        arena_release(&w.arena, mark)
        found.lower = best.bound
        if best.bound < INF:
            found.column = best.column
        return 0

    # ---- nogoods ------------------------------------------------------------------------------------------------

    cdef int learn_nogood(self, Worker *w, View *view, const int32_t *rows, int n) except -1 nogil:
        """Remember a small part of a set that no guess separates: a nogood."""
        cdef Mark mark = w.arena.top
        cdef int32_t *kept
        cdef int32_t *fewer
        cdef int i, m = n, step = n // 2, place
        if self.without & NO_NOGOODS or flag_get(&self.nogood_count) >= MOST_NOGOODS:
            return 0
        kept = <int32_t *>take(&w.arena, n * sizeof(int32_t))
        fewer = <int32_t *>take(&w.arena, n * sizeof(int32_t))
        memcpy(kept, rows, n * sizeof(int32_t))
        while step:
            i = 0
            while i < m:
                place = min(i + step, m)
                memcpy(fewer, kept, i * sizeof(int32_t))
                memcpy(fewer + i, kept + place, (m - place) * sizeof(int32_t))
                if m - (place - i) > 1 and separating_column(
                    self.gather(w, view, fewer, m - (place - i)), m - (place - i), view.width, self.R, self.simd
                ) < 0:
                    m -= place - i
                    memcpy(kept, fewer, m * sizeof(int32_t))
                else:
                    i += step
            step //= 2
        lock(&self.nogood_guard)
        if m <= MOST_WHOLE and self.nogood_count < MOST_NOGOODS:
            for i in range(m):
                self.nogood[self.nogood_count * MOST_WHOLE + i] = view.secret[kept[i]]
            self.nogood_size[self.nogood_count] = m
            flag_add(&self.nogood_count, 1)
        unlock(&self.nogood_guard)
        arena_release(&w.arena, mark)
        return 0

    cdef int nogoods_matter(self, int d) noexcept nogil:
        """Return whether what a guess leaves must be separated by the next but one."""
        return not self.unit and d == self.base + 2 and not self.only_candidates and not self.without & NO_NOGOODS

    cdef int is_nogood(self, Worker *w, Nogoods *known, View *view, const int32_t *rows, int n,
                       const uint8_t *col) except -1 nogil:
        """Return whether a guess leaves a set whole that the last guess but one cannot separate."""
        cdef int i, k, m, id
        cdef const int32_t *some
        if known.place == NULL or known.owner != w:
            known.owner = w
            known.place = <int32_t *>take(&w.arena, self.S * sizeof(int32_t))
            known.ids = <int32_t *>take(&w.arena, MOST_NOGOODS * sizeof(int32_t))
            known.inside = known.looked = 0
            memset(known.place, 255, self.S * sizeof(int32_t))
            for i in range(n):
                known.place[view.secret[rows[i]]] = rows[i]
        while known.looked < flag_get(&self.nogood_count):
            some, m = self.nogood + known.looked * MOST_WHOLE, self.nogood_size[known.looked]
            i = 0
            while i < m and known.place[some[i]] >= 0:
                i += 1
            if i == m:
                known.ids[known.inside] = known.looked
                known.inside += 1
            known.looked += 1
        for k in range(known.inside):
            id = known.ids[k]
            some, m = self.nogood + id * MOST_WHOLE, self.nogood_size[id]
            i = 1
            while i < m and col[known.place[some[i]]] == col[known.place[some[0]]]:
                i += 1
            if i == m:
                known.ids[k], known.ids[k // 2] = known.ids[k // 2], id  # sooner the next time
                return 1
        return 0


cdef int parts_of_one(const uint8_t *col, const int32_t *rows, int n) noexcept nogil:
    cdef uint8_t met[256]
    cdef int i, k = 0
    memset(met, 0, 256)
    for i in range(n):
        k += not met[col[rows[i]]]
        met[col[rows[i]]] = 1
    return k


cdef int largest(const uint8_t *parts, int ng) noexcept nogil:
    cdef uint8_t most = 0
    cdef int j
    for j in range(ng):
        most = parts[j] if parts[j] > most else most
    return most


cdef int next_with(const uint8_t *parts, int j, int ng, int k) noexcept nogil:
    """Return the first guess from j on that makes k parts, or any where they are not counted; ng: none."""
    cdef const void *found
    if parts == NULL or j >= ng:
        return j
    found = memchr(parts + j, k, ng - j)
    return ng if found == NULL else <int>(<const uint8_t *>found - parts)


cdef int by_bound(const Ranked *guess, const Ranked *best) noexcept nogil:
    return guess.bound < best.bound or (guess.bound == best.bound and guess.bound < INF and guess.score < best.score)
