# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled depth-first search; `reference_dfs` is its plain twin and explains the contract.

Everything here sees arrays of small integers. A *view* is a local table: the candidates of one state as
rows, the guesses that still differ on it as columns, stored both ways round.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memchr, memcpy, memset

from guesstree.cext.view cimport View, free_view, make_view, new_view


cdef extern from "parts.h" nogil:
    int parts_avx2_available()
    void parts_of_columns(const uint8_t **rows, int n, int width, int responses, int simd, uint8_t *out)


INFINITE = 1 << 50
STATES, EVALUATIONS, STOP, LOWER, UPPER, FIRST, ENTRIES = range(7)
COUNTERS = 7
SYMMETRIC_PLIES = 2
STOPPED_BY_MEMORY = 2

cdef int64_t INF = <int64_t>1 << 50
cdef enum:
    C_STATES = 0
    C_EVALUATIONS = 1
    C_STOP = 2
    C_LOWER = 3
    C_UPPER = 4
    C_FIRST = 5
    C_ENTRIES = 6
    PLIES = 2
    OUT_OF_MEMORY = 2
    MOST_BY_PARTS = 33


cdef struct Entry:
    uint64_t key1
    uint64_t key2
    int64_t lower
    int64_t upper
    int32_t guess
    int16_t used
    int16_t bounded     # whether the state has been bounded one step ahead


cdef struct Ranked:
    int64_t bound
    int64_t score
    int32_t column
    int32_t outside     # 1 unless the guess is a candidate


cdef struct Cell:
    int32_t start
    int32_t size
    int64_t bound
    int exact


cdef struct Work:       # room for splitting the set of a view
    int32_t *order      # rows, cell after cell
    Cell *cells         # largest first
    uint8_t *inside     # marks of rows, all 0 between uses


cdef int by_rank(const void *a, const void *b) noexcept nogil:
    cdef const Ranked *x = <const Ranked *>a
    cdef const Ranked *y = <const Ranked *>b
    if x.bound != y.bound:
        return -1 if x.bound < y.bound else 1
    if x.score != y.score:
        return -1 if x.score < y.score else 1
    if x.outside != y.outside:
        return x.outside - y.outside
    return x.column - y.column


cdef uint64_t splitmix(uint64_t *seed) noexcept nogil:
    # Steele, Lea and Flood 2014
    cdef uint64_t z
    seed[0] += <uint64_t>0x9E3779B97F4A7C15
    z = seed[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef class Searcher:
    """See `reference_dfs.Searcher`."""

    cdef View *root
    cdef int G, S, R, small, unit, base, winning, only_candidates, simd, reach
    cdef uint64_t *z1
    cdef uint64_t *z2
    cdef int64_t *least         # least[n]: total of n secrets by counting
    cdef int64_t *capacity      # capacity[d]: secrets that d guesses can settle, d <= reach
    cdef int32_t *winner        # the first guess that names each secret, or -1
    cdef Entry *entries
    cdef uint64_t mask, used, limit
    cdef int64_t[::1] counters
    cdef object classes, error
    cdef tuple prefix
    cdef int32_t *history
    cdef uint8_t *dropped

    def __cinit__(self, *args, **kwargs):
        self.root = NULL

    def __init__(self, const uint8_t[:, ::1] table, const int32_t[::1] own, int responses, int winning,
                 int unit, bint only_candidates, const int64_t[::1] least, const int64_t[::1] capacity,
                 int64_t[::1] counters, classes=None, uint64_t limit=1 << 26):
        cdef int g, s
        cdef uint64_t seed = 20200229
        self.G, self.S = table.shape[0], table.shape[1]
        self.R, self.winning, self.unit = responses, winning, unit
        self.base = 1 if winning >= 0 else 0
        self.only_candidates = only_candidates
        self.counters, self.classes, self.limit = counters, classes, limit
        self.error, self.prefix = None, ()
        self.simd = parts_avx2_available()
        self.reach = capacity.shape[0] - 1
        self.z1 = <uint64_t *>malloc(self.S * sizeof(uint64_t))
        self.z2 = <uint64_t *>malloc(self.S * sizeof(uint64_t))
        self.least = <int64_t *>malloc((self.S + 1) * sizeof(int64_t))
        self.capacity = <int64_t *>malloc((self.reach + 1) * sizeof(int64_t))
        self.winner = <int32_t *>malloc(self.S * sizeof(int32_t))
        self.history = <int32_t *>malloc((PLIES + 1) * sizeof(int32_t))
        self.dropped = <uint8_t *>malloc(self.G)
        self.mask, self.used = (1 << 12) - 1, 0
        self.entries = <Entry *>calloc(self.mask + 1, sizeof(Entry))
        for s in range(self.S):
            self.z1[s], self.z2[s] = splitmix(&seed), splitmix(&seed)
            self.winner[s] = -1
        for s in range(self.S + 1):
            self.least[s] = least[s]
        # cells of at most `small` - 1 secrets cost 2n - 1 (win) or n (identify) at least, as `least` says
        self.small = 0
        for s in range(1, self.S + 1):
            if least[s] != (2 * s - 1 if self.base else s if s > 1 else 0) * unit or (
                not unit and s > capacity[min(1 + self.base, self.reach)]
            ):
                break
            self.small = s + 1
        self.small = min(self.small, MOST_BY_PARTS)
        for s in range(self.reach + 1):
            self.capacity[s] = capacity[s]
        for g in range(self.G - 1, -1, -1):
            if own[g] >= 0:
                self.winner[own[g]] = g
        self.root = self.root_view(table, own)

    def __dealloc__(self):
        if self.root != NULL:
            free_view(self.root)
            free(self.z1)
            free(self.z2)
            free(self.least)
            free(self.capacity)
            free(self.winner)
            free(self.history)
            free(self.dropped)
            free(self.entries)

    # ---- views and bounds ---------------------------------------------------------------------------------------

    cdef View *root_view(self, const uint8_t[:, ::1] table, const int32_t[::1] own):
        cdef View *view = new_view(self.S, self.G)
        cdef int i
        for i in range(self.S):
            view.secret[i] = i
        for i in range(self.G):
            view.guess[i], view.own[i] = i, own[i]
            memcpy(view.cols + <size_t>i * self.S, &table[i, 0], self.S)
        return view     # without rows: no set is evaluated on the root's own view

    cdef int64_t static_bound(self, int n, int d) noexcept nogil:
        if n > self.capacity[d if d < self.reach else self.reach]:
            return INF
        return self.least[n]

    cdef int64_t closed(self, int n, int d) noexcept nogil:
        """Return exactly the value of a set that needs no search, or -1.

        One secret: guess it (or nothing, to identify). Two, to win: guess one of them, then the other.
        """
        if n == 1:
            return self.unit * self.base if d >= self.base else INF
        if n == 2 and self.base:
            return 3 * self.unit if d >= 2 else INF
        return -1

    cdef void rank(self, View *view, const int32_t *rows, int n, int d, int64_t limit, uint8_t *inside,
                   Ranked *out) noexcept nogil:
        """Bound every guess of the view on the set `rows` (step 6); `inside` marks the rows of the set.

        A guess whose number of parts alone bounds it at `limit` or more keeps that bound: it is no better
        than what is known.
        """
        cdef int j, cand, k
        cdef uint8_t *parts = NULL
        cdef int64_t by_parts[2][34]
        self.counters[C_EVALUATIONS] += 1
        if n <= self.small or (self.base and self.R <= MOST_BY_PARTS - 1):
            parts = self.count_parts(view, rows, n)
            for k in range(34):
                for cand in range(2):
                    by_parts[cand][k] = self.bound_by_parts(n, d, k, cand and self.base)
        for j in range(view.ng):
            cand = view.own[j] >= 0 and inside[view.own[j]]
            out[j].column, out[j].outside = j, 1 - cand
            out[j].bound, out[j].score = INF, 0
            if self.only_candidates and not cand:
                continue
            if parts != NULL:
                out[j].bound, out[j].score = by_parts[cand][parts[j]], -<int>parts[j]
            if n > self.small and (parts == NULL or out[j].bound < limit):
                self.bound_by_sizes(view, rows, n, d, &out[j])
        free(parts)

    cdef void bound_by_sizes(self, View *view, const int32_t *rows, int n, int d, Ranked *out) noexcept nogil:
        """Bound one guess by the sizes of its parts; its score is their sum of squares."""
        cdef int i, r
        cdef int64_t total = self.unit * n
        cdef int64_t squares = 0
        cdef int32_t count[256]
        cdef const uint8_t *col = view.cols + <size_t>out.column * view.n
        memset(count, 0, self.R * sizeof(int32_t))
        for i in range(n):
            count[col[rows[i]]] += 1
        for r in range(self.R):
            if count[r]:
                squares += <int64_t>count[r] * count[r]
                if r != self.winning:
                    total += self.static_bound(count[r], d - 1)
                if count[r] == n:
                    total = INF
        out.score = squares
        out.bound = total if total < INF else INF

    cdef int64_t bound_by_parts(self, int n, int d, int k, int wins) noexcept nogil:
        """Return at least what a guess with k parts costs on n secrets; to identify, n <= small only.

        See `reference_dfs.Searcher.bound_by_parts`.
        """
        cdef int64_t total
        cdef int share
        if k < 2 or (k < n and d - 1 <= self.base):
            return INF
        if n > self.small:
            n, k = n - wins, k - wins
            share = n // k
            total = self.unit * (n + wins) + (k - n % k) * self.static_bound(share, d - 1)
            if n % k:
                total += (n % k) * self.static_bound(share + 1, d - 1)
            return min(total, INF)
        if not self.unit:
            return 0
        if self.base:
            return 3 * n - k - wins
        return n if k == n else 2 * n - k + 1

    cdef int64_t bound_ahead(self, View *view, const int32_t *rows, int n, int d, uint8_t *inside) noexcept nogil:
        """Return at least the value of a set: the least bound over its guesses (step 8); store it."""
        cdef Entry *entry
        cdef int i, best = -1
        cdef int64_t lower
        for i in range(n):
            inside[rows[i]] = 1
        if n <= self.small:
            lower = self.best_by_parts(view, rows, n, d, inside, &best)
        else:
            lower = self.best_by_sizes(view, rows, n, d, inside)
        for i in range(n):
            inside[rows[i]] = 0
        entry = self.entry(view, rows, n, d)
        if entry != NULL:
            entry.bounded = 1
            if lower > entry.lower:
                entry.lower = lower
            if best >= 0:       # all parts single: the bound is reached
                entry.upper, entry.guess = lower, view.guess[best]
            lower = entry.lower
        return lower

    cdef int64_t best_by_sizes(self, View *view, const int32_t *rows, int n, int d, uint8_t *inside) noexcept nogil:
        """Return the least bound over the guesses on a set, large or with many responses.

        To win, guesses are met with the most parts first, candidates before all: fewer parts are bounded
        higher, so the rest is left as soon as its parts alone bound it at the best bound met.
        """
        cdef uint8_t *parts
        cdef const uint8_t *at
        cdef Ranked guess
        cdef int64_t lower = INF
        cdef int i, k
        self.counters[C_EVALUATIONS] += 1
        if not self.base or self.R >= MOST_BY_PARTS or self.only_candidates:
            for i in range(view.ng):
                guess.column = i
                if not self.only_candidates or (view.own[i] >= 0 and inside[view.own[i]]):
                    self.bound_by_sizes(view, rows, n, d, &guess)
                    lower = min(lower, guess.bound)
            return lower
        parts = self.count_parts(view, rows, n)
        for i in range(view.nc):
            guess.column = view.named[i]
            if inside[view.own[guess.column]] and self.bound_by_parts(n, d, parts[guess.column], 1) < lower:
                self.bound_by_sizes(view, rows, n, d, &guess)
                lower = min(lower, guess.bound)
        for k in range(min(n, self.R), 1, -1):
            if self.bound_by_parts(n, d, k, 0) >= lower:
                break
            at = <const uint8_t *>memchr(parts, k, view.ng)
            while at != NULL:
                guess.column = <int>(at - parts)
                self.bound_by_sizes(view, rows, n, d, &guess)
                lower = min(lower, guess.bound)
                at = <const uint8_t *>memchr(at + 1, k, view.ng - guess.column - 1)
        free(parts)
        return lower

    cdef uint8_t *count_parts(self, View *view, const int32_t *rows, int n) noexcept nogil:
        """Return the number of parts that each guess of the view makes of a set; to be freed."""
        cdef uint8_t *parts = <uint8_t *>malloc(view.width + 1)
        cdef const uint8_t **row = <const uint8_t **>malloc(n * sizeof(void *))
        cdef int i
        for i in range(n):
            row[i] = view.rows + <size_t>rows[i] * view.width
        parts_of_columns(row, n, view.width, self.R, self.simd, parts)
        free(row)
        return parts

    cdef int64_t best_by_parts(self, View *view, const int32_t *rows, int n, int d, uint8_t *inside,
                               int *best) noexcept nogil:
        """Return the least bound over the guesses on a small set; `best`: one that leaves only single parts, or -1.

        Only the most parts count, among all guesses and among candidates.
        """
        cdef uint8_t *parts = self.count_parts(view, rows, n)
        cdef int i, j, first = -1
        cdef uint8_t most = 0, named = 0
        cdef int64_t lower
        self.counters[C_EVALUATIONS] += 1
        if not self.only_candidates:
            for j in range(view.ng):
                most = max(most, parts[j])
        for i in range(view.nc):
            j = view.named[i]
            if inside[view.own[j]] and parts[j] > named:
                named, first = parts[j], j
        lower = min(self.bound_by_parts(n, d, most, 0), self.bound_by_parts(n, d, named, self.base))
        if lower < INF and named == n and lower == self.bound_by_parts(n, d, named, self.base):
            best[0] = first
        if lower < INF and most == n and lower == self.bound_by_parts(n, d, most, 0):
            j = 0
            while parts[j] != n:
                j += 1
            if best[0] < 0 or j < best[0]:
                best[0] = j
        free(parts)
        return lower

    # ---- the table of states --------------------------------------------------------------------------

    cdef Entry *slot(self, uint64_t key1, uint64_t key2) noexcept nogil:
        cdef uint64_t i = (key1 ^ (key2 >> 17)) & self.mask
        while self.entries[i].used and (self.entries[i].key1 != key1 or self.entries[i].key2 != key2):
            i = (i + 1) & self.mask
        return &self.entries[i]

    cdef Entry *entry(self, View *view, const int32_t *rows, int n, int d) noexcept nogil:
        """Return the entry of a set with d guesses left, made if absent; NULL when memory is used up.

        The pointer holds until the next call. The key is the sum of two random words per secret, so that
        two different sets meet with probability 2^-128 per pair.
        """
        cdef uint64_t key1 = <uint64_t>d * <uint64_t>0xD6E8FEB86659FD93
        cdef uint64_t key2 = <uint64_t>d * <uint64_t>0xA5A3564E27F88691
        cdef uint64_t i, old
        cdef Entry *before
        cdef Entry *found
        cdef int s, j
        for j in range(n):
            s = view.secret[rows[j]]
            key1 += self.z1[s]
            key2 += self.z2[s]
        found = self.slot(key1, key2)
        if found.used:
            return found
        if self.used * 3 >= self.mask * 2:
            if self.mask + 1 >= self.limit:
                self.counters[C_STOP] = OUT_OF_MEMORY
                return NULL
            before, old = self.entries, self.mask
            found = <Entry *>calloc(2 * (self.mask + 1), sizeof(Entry))
            if found == NULL:
                self.counters[C_STOP] = OUT_OF_MEMORY
                return NULL
            self.entries, self.mask = found, 2 * self.mask + 1
            for i in range(old + 1):
                if before[i].used:
                    self.slot(before[i].key1, before[i].key2)[0] = before[i]
            free(before)
            found = self.slot(key1, key2)
        self.used += 1
        self.counters[C_ENTRIES] = self.used
        found.key1, found.key2, found.used = key1, key2, 1
        found.lower, found.upper, found.guess, found.bounded = self.static_bound(n, d), INF, -1, 0
        return found

    # ---- the search -----------------------------------------------------------------------------------

    cdef int64_t value(self, View *above, const int32_t *rows, int n, int d, int64_t beta, int ply) noexcept nogil:
        """Return exactly the value of a set if it is below beta, otherwise at least beta and at most the value.

        The steps are those of `reference_dfs.Searcher.value`, where each is proved.
        """
        cdef int64_t lower, best, low, total
        cdef int64_t beyond = INF
        cdef int i, g = -1, few = 0
        cdef Entry *entry
        cdef View *view
        cdef Ranked *ranked
        cdef int32_t *everything
        cdef uint8_t *inside
        cdef Work work
        if d > n - 1 + self.base:
            d = n - 1 + self.base
        lower = self.closed(n, d)                               # 1, 2
        if lower >= 0:
            return lower
        entry = self.entry(above, rows, n, d)                   # 3
        if entry == NULL or self.counters[C_STOP]:
            return self.static_bound(n, d)
        lower = entry.lower
        if lower >= beta or lower == entry.upper:               # 4
            return lower
        self.counters[C_STATES] += 1
        view = make_view(above, rows, n, self.R, self.z1, self.only_candidates)                   # 5
        everything = <int32_t *>malloc(n * sizeof(int32_t))
        inside = <uint8_t *>malloc(n)
        ranked = <Ranked *>malloc((view.ng + 1) * sizeof(Ranked))
        work.order = <int32_t *>malloc(n * sizeof(int32_t))
        work.cells = <Cell *>malloc(min(n, self.R) * sizeof(Cell))
        work.inside = inside
        for i in range(n):
            everything[i], inside[i] = i, 1
        self.rank(view, everything, n, d, beta, inside, ranked)       # 6
        memset(inside, 0, n)
        if ply <= PLIES and n > self.small and self.classes is not None:
            self.drop_equivalent(view, ranked, ply)             # 7
        best, low = beta, INF
        for i in range(view.ng):
            if ranked[i].bound >= beta:
                beyond = min(beyond, ranked[i].bound)
            else:
                ranked[few] = ranked[i]
                few += 1
        qsort(ranked, few, sizeof(Ranked), by_rank)
        for i in range(few):
            if ranked[i].bound >= best:
                low = min(low, ranked[i].bound)
                break
            if ply == 0:
                self.counters[C_LOWER] = max(lower, ranked[i].bound)
            if ply < PLIES:
                self.history[ply] = view.guess[ranked[i].column]
            total = self.guess_value(view, ranked[i].column, d, best, ply, &work)
            if self.counters[C_STOP]:
                break
            low = min(low, total)
            if total < best:
                best, g = total, view.guess[ranked[i].column]
                if ply == 0:
                    self.counters[C_UPPER], self.counters[C_FIRST] = best, g
                if best <= lower:
                    break
        else:
            low = min(low, beyond)
        free(everything)
        free(inside)
        free(ranked)
        free(work.order)
        free(work.cells)
        if not self.counters[C_STOP]:                           # 10
            lower = max(lower, best if g >= 0 else low)
            entry = self.entry(above, rows, n, d)
            if entry != NULL:
                entry.lower = lower
                if g >= 0:
                    entry.upper, entry.guess = lower, g
        free_view(view)
        return lower

    cdef int64_t guess_value(self, View *view, int column, int d, int64_t best, int ply, Work *work) noexcept nogil:
        """Return exactly the value of the view's set with this guess if it is below best, else at least best."""
        cdef int cells = self.split(view, column, work)
        cdef int c, below
        cdef int64_t bound, beta
        cdef int64_t total = self.unit * view.n
        cdef Cell *cell
        cdef Entry *entry
        for c in range(cells):
            cell = &work.cells[c]
            below = min(d - 1, cell.size - 1 + self.base)
            cell.bound = self.closed(cell.size, below)
            cell.exact = cell.bound >= 0
            if not cell.exact:
                entry = self.entry(view, work.order + cell.start, cell.size, below)
                if entry == NULL:
                    return best
                cell.bound, cell.exact = entry.lower, entry.lower == entry.upper
            total += cell.bound
        for c in range(cells):                                  # 8
            if total >= best:
                return min(total, INF)
            cell = &work.cells[c]
            if cell.exact:
                continue
            below = min(d - 1, cell.size - 1 + self.base)
            entry = self.entry(view, work.order + cell.start, cell.size, below)
            if entry != NULL and not entry.bounded:
                bound = self.bound_ahead(view, work.order + cell.start, cell.size, below, work.inside)
                total += bound - cell.bound
                cell.bound = bound
                entry = self.entry(view, work.order + cell.start, cell.size, below)
                cell.exact = entry != NULL and entry.lower == entry.upper
        for c in range(cells):                                  # 9
            if total >= best or self.counters[C_STOP]:
                break
            cell = &work.cells[c]
            if not cell.exact:
                beta = best - (total - cell.bound)
                bound = self.value(view, work.order + cell.start, cell.size, d - 1, beta, ply + 1)
                total += bound - cell.bound
        return min(total, INF)

    cdef int split(self, View *view, int column, Work *work) noexcept nogil:
        """Sort the rows of the view by response into work.order; return the number of cells, largest first.

        The part that wins is no cell: nothing is left to ask there.
        """
        cdef int32_t count[256]
        cdef int32_t start[256]
        cdef uint8_t *col = view.cols + <size_t>column * view.n
        cdef int i, r, c, at = 0, cells = 0
        cdef Cell cell
        memset(count, 0, self.R * sizeof(int32_t))
        for i in range(view.n):
            count[col[i]] += 1
        for r in range(self.R):
            start[r] = at
            if count[r] and r != self.winning:
                cell.start, cell.size, cell.bound, cell.exact = at, count[r], 0, 0
                c = cells
                while c > 0 and work.cells[c - 1].size < cell.size:
                    work.cells[c] = work.cells[c - 1]
                    c -= 1
                work.cells[c] = cell
                cells += 1
            at += count[r]
        for i in range(view.n):
            work.order[start[col[i]]] = i
            start[col[i]] += 1
        return cells

    cdef void drop_equivalent(self, View *view, Ranked *ranked, int ply) noexcept nogil:
        """Put out of reach every guess that the symmetry makes equal to an earlier one (step 7)."""
        cdef int j
        if self.mark_dropped(ply):
            for j in range(view.ng):
                if self.dropped[view.guess[ranked[j].column]]:
                    ranked[j].bound = INF

    cdef int mark_dropped(self, int ply) noexcept with gil:
        cdef const int32_t[::1] classes
        cdef int i, j
        try:
            past = self.prefix + tuple(self.history[j] for j in range(ply))
            found = self.classes(past) if len(past) <= PLIES else None
            if found is None:
                return 0
            classes = found
            for i in range(self.G):
                self.dropped[i] = classes[i] != i
            return 1
        except BaseException as error:  # carried to the caller of `search`
            self.error = error
            self.counters[C_STOP] = 1
            return 0

    def search(self, const int32_t[::1] candidates, int depth, int64_t beta, tuple history=()):
        """See `reference_dfs.Searcher.search`."""
        cdef int64_t result
        self.prefix = history
        with nogil:
            result = self.value(self.root, &candidates[0], candidates.shape[0], depth, beta, 0)
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return result

    def choice(self, const int32_t[::1] candidates, int depth):
        """See `reference_dfs.Searcher.choice`."""
        cdef int n = candidates.shape[0]
        cdef Entry *entry
        if n <= 2 and self.closed(n, depth) >= 0:
            return self.winner[candidates[0]]
        depth = min(depth, n - 1 + self.base)
        entry = self.entry(self.root, &candidates[0], n, depth)
        if entry == NULL or entry.lower != entry.upper or entry.guess < 0:
            # No history: the symmetry of the whole game is not that of a set.
            self.search(candidates, depth, INF, (0,) * (PLIES + 1))
            entry = self.entry(self.root, &candidates[0], n, depth)
        if entry == NULL or entry.guess < 0:
            raise ValueError(f"no strategy is known for {n} candidates within {depth} guesses")
        return entry.guess
