# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled depth-first search; `reference_counted` is its plain twin and explains the contract.

Everything here sees arrays of small integers. A *view* is a local table: the candidates of one state as
rows, the guesses that still differ on it as columns, stored both ways round. A set is some rows of a view.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcpy, memset

from guesstree.cext.evaluate cimport Ahead, Evaluator, Limits, Ranked, Worker, static_bound
from guesstree.cext.memo cimport (
    C_BUDGET, C_ENTRIES, C_EVALUATIONS, C_FIRST, C_LOWER, C_SPENT, C_STATES, C_STOP, C_UPPER, Known, Memo, bits,
    counter_add, counter_get, memo_free, memo_new, memo_read, memo_write, mixed, splitmix
)
from guesstree.cext.rules cimport Rules, hash_needs, needs_after
from guesstree.cext.view cimport (
    Mark, View, allowed_view, arena_free, arena_new, arena_release, arena_take, column_of, make_view, partition_hash
)


cdef extern from "onestep.h" nogil:
    int separating_column(const uint8_t **rows, int n, int width, int responses, int simd)

cdef extern from "canonical.h" nogil:
    ctypedef struct Stabiliser:
        pass
    Stabiliser *stabiliser_new(const uint8_t *digits, int positions, int colours, int separate,
                               const int32_t *history, int length)
    int stabiliser_drops(const Stabiliser *s, const uint8_t *code)
    void stabiliser_free(Stabiliser *s)

cdef extern from *:
    """
    #define flag_add(place, more) __atomic_fetch_add((place), (more), __ATOMIC_SEQ_CST)
    #define flag_get(place) __atomic_load_n((place), __ATOMIC_SEQ_CST)
    #define flag_set(place, value) __atomic_store_n((place), (value), __ATOMIC_SEQ_CST)
    #define lock(place) while (__atomic_exchange_n((place), 1, __ATOMIC_ACQUIRE)) {}
    #define unlock(place) __atomic_store_n((place), 0, __ATOMIC_RELEASE)
    """
    int flag_add(int *place, int more) nogil
    int flag_get(int *place) nogil
    void flag_set(int *place, int value) nogil
    void lock(int *place) nogil
    void unlock(int *place) nogil

cdef extern from "<pthread.h>" nogil:
    ctypedef struct pthread_t:
        pass
    ctypedef struct pthread_attr_t:
        pass
    int pthread_attr_init(pthread_attr_t *attributes)
    int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size)
    int pthread_attr_destroy(pthread_attr_t *attributes)
    int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *) noexcept,
                       void *given)
    int pthread_join(pthread_t thread, void **result)

cdef extern from "<unistd.h>" nogil:
    int usleep(unsigned int microseconds)


INFINITE = 1 << 50
STATES, EVALUATIONS, STOP, LOWER, UPPER, FIRST, ENTRIES, BUDGET = range(8)
COUNTERS = 8
SPENT = 2
MOST_JOBS = 64
BY_PARTS, HINTS, AHEAD, LIMITS, TABLES, DUPLICATES, HOPELESS = (1 << i for i in range(7))

cdef int64_t INF = <int64_t>1 << 50
cdef enum:
    MOST_HISTORY = 20
    CLASS_PLIES = 2
    LOCAL = 4
    NO_HINTS = 2
    NO_AHEAD = 4
    NO_TABLES = 16
    NO_DUPLICATES = 32
    NO_HOPELESS = 64
    MOST_HOPELESS = 16384
    MOST_WHOLE = 16
    STACK = 256 << 20


cdef struct Cell:
    int32_t start
    int32_t size
    uint64_t key1
    uint64_t key2
    int64_t bound
    int depth           # guesses left
    int exact
    int ahead           # whether it has been bounded one step ahead


cdef struct Tried:      # the partition of a guess that was tried on a state; a slot of a hash table
    uint64_t hash1
    uint64_t hash2
    int32_t used
    int32_t outside


cdef struct State:      # a state while its guesses are tried
    View *view
    const int32_t *rows
    int n
    int d
    int ply
    const uint64_t *needs       # what the history demands; NULL without rules
    uint64_t *below             # the same of the part that is looked at
    Limits limits
    int32_t *order      # rows, cell after cell
    Cell *cells         # largest first
    int64_t best
    int64_t low
    int guess
    Tried *tried
    uint64_t slots      # of `tried`, less one
    int count           # of guesses tried
    int32_t *place      # row of each secret, or -1; NULL until a guess is tested against hopeless sets
    int32_t *hopeless   # those inside the state
    int inside          # how many
    int looked          # how many of all were looked at


cdef struct Split:      # a state whose guesses several threads try
    State *state        # of the thread that met it first, which waits for the others
    Worker *owner
    const Ranked *ranked
    int few
    int next            # the first of `ranked` that nobody has taken
    int64_t lower
    int64_t best
    int64_t low
    int guess
    int count
    int done            # nothing is left to find: all go back
    int helpers
    int guard           # of best, low, guess, count and what was tried
    Split *above        # around the owner's work on this one
    Split *link         # in the list of those that take helpers


cdef struct Helper:     # how a thread that helps begins
    void *searcher
    int thread
    int past
    pthread_t id


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


cdef int by_score(const void *a, const void *b) noexcept nogil:
    cdef const Ranked *x = <const Ranked *>a
    cdef const Ranked *y = <const Ranked *>b
    if x.score != y.score:
        return -1 if x.score < y.score else 1
    return by_rank(a, b)


cdef class Searcher(Evaluator):
    """See `reference_counted.Searcher`."""

    cdef int width, jobs, least_parallel, colours, renaming
    cdef uint64_t *z1
    cdef uint64_t *z2
    cdef Rules rules
    cdef uint64_t *needs
    cdef const uint64_t[:, ::1] features_array
    cdef const uint64_t[:, :, ::1] needs_array
    cdef int32_t *winner        # the first guess that names each secret, or -1
    cdef Memo *memo
    cdef Split *splits          # those that take helpers
    cdef int guard, over        # of the list; whether helpers are to end
    cdef int32_t *hopeless      # sets that no guess separates: MOST_WHOLE places each, and how many are used
    cdef int32_t *hopeless_size
    cdef int hopeless_count, hopeless_guard
    cdef int64_t[::1] counter_array
    cdef int64_t *counters
    cdef object classes, error

    def __cinit__(self, *args, **kwargs):
        self.memo = NULL

    def __init__(self, table, const int32_t[::1] own, int responses, int winning, int unit, bint only_candidates,
                 const int64_t[::1] least, const int64_t[::1] capacity, int64_t[::1] counters, classes=None,
                 digits=None, int renaming=0, int symbols=0, response_of=None, features=None, needs=None,
                 uint64_t memory=1 << 28, int width=0, int jobs=1, int without=0):
        cdef int s
        cdef uint64_t seed = 20200229
        Evaluator.__init__(self, table, own, responses, winning, unit, only_candidates, least, capacity, digits,
                           symbols, response_of, without)
        self.counter_array, self.counters = counters, &counters[0]
        self.classes, self.error = classes, None
        self.width, self.jobs, self.least_parallel = width, jobs, 2 * self.small
        self.renaming, self.colours = renaming, int(digits.max()) + 1 if renaming else 0
        self.memo = memo_new(memory, INF)
        if self.memo == NULL:
            raise MemoryError
        self.memo.threads = jobs
        self.z1 = <uint64_t *>arena_take(&self.arena, self.S * sizeof(uint64_t))
        self.z2 = <uint64_t *>arena_take(&self.arena, self.S * sizeof(uint64_t))
        self.winner = <int32_t *>arena_take(&self.arena, self.S * sizeof(int32_t))
        self.hopeless = <int32_t *>arena_take(&self.arena, MOST_HOPELESS * MOST_WHOLE * sizeof(int32_t))
        self.hopeless_size = <int32_t *>arena_take(&self.arena, MOST_HOPELESS * sizeof(int32_t))
        self.hopeless_count = self.hopeless_guard = 0
        for s in range(self.S):
            self.z1[s], self.z2[s] = splitmix(&seed), splitmix(&seed)
            self.winner[s] = -1
        for s in range(self.G - 1, -1, -1):
            if own[s] >= 0:
                self.winner[own[s]] = s
        self.rules.words, self.rules.responses, self.rules.closed = 0, responses, 1 + self.base
        if features is not None:
            self.features_array, self.needs_array = features, needs
            self.rules.words = self.features_array.shape[1]
        if self.rules.words:
            self.without |= NO_HOPELESS     # what may be asked differs from set to set
            self.needs = <uint64_t *>arena_take(&self.arena, self.rules.words * sizeof(uint64_t))
            self.rules.features, self.rules.needs = &self.features_array[0, 0], &self.needs_array[0, 0, 0]

    def __dealloc__(self):
        memo_free(self.memo)

    # ---- what is known ------------------------------------------------------------------------------------------

    cdef Known bound_ahead(self, Worker *w, View *view, const int32_t *rows, int n, int d, const Limits *above,
                           const uint64_t *needs, uint64_t key1, uint64_t key2) noexcept nogil:
        """Return bounds of a set, the least bound over its guesses and the guess that has it (step 8); store it."""
        cdef Ahead ahead
        cdef Known found
        cdef Mark mark = w.arena.top
        cdef View *whole = view
        cdef int i
        if needs != NULL:
            view = allowed_view(&w.arena, &self.rules, needs, whole, rows, n, self.S)
            rows = rows if view == whole else self.identity
        counter_add(self.counters + C_EVALUATIONS, 1)
        ahead.lower, ahead.upper, ahead.column = INF, INF, -1
        for i in range(n):
            w.inside[view.secret[rows[i]]] = 1
        if n <= self.small or self.must_separate(d):
            self.best_by_parts(w, view, rows, n, d, above, &ahead)
        else:
            self.best_by_sizes(w, view, rows, n, d, above, &ahead)
        for i in range(n):
            w.inside[view.secret[rows[i]]] = 0
        if ahead.lower == INF and self.must_separate(d) and not self.without & NO_HOPELESS and (
            flag_get(&self.hopeless_count) < MOST_HOPELESS
        ):
            self.learn_hopeless(w, view, rows, n)
        found.lower, found.upper, found.bounded = max(ahead.lower, static_bound(above, n, d)), ahead.upper, 1
        found.guess = view.guess[ahead.column] if ahead.column >= 0 else -1
        arena_release(&w.arena, mark)
        memo_write(self.memo, w.thread, key1, key2, found.lower, found.upper, found.guess, 1, 0)
        return found

    cdef void learn_hopeless(self, Worker *w, View *view, const int32_t *rows, int n) noexcept nogil:
        """Remember a small part of a set that no guess separates."""
        cdef Mark mark = w.arena.top
        cdef int32_t *kept = <int32_t *>arena_take(&w.arena, n * sizeof(int32_t))
        cdef int32_t *fewer = <int32_t *>arena_take(&w.arena, n * sizeof(int32_t))
        cdef int i, m = n, step = n // 2, place
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
        lock(&self.hopeless_guard)
        if m <= MOST_WHOLE and self.hopeless_count < MOST_HOPELESS:
            for i in range(m):
                self.hopeless[self.hopeless_count * MOST_WHOLE + i] = view.secret[kept[i]]
            self.hopeless_size[self.hopeless_count] = m
            flag_add(&self.hopeless_count, 1)
        unlock(&self.hopeless_guard)
        arena_release(&w.arena, mark)

    cdef int hopeless_matter(self, State *state) noexcept nogil:
        """Return whether what a guess leaves must be separated by the next but one."""
        return not self.unit and state.d == self.base + 2 and not self.only_candidates and (
            not self.without & NO_HOPELESS
        )

    cdef int is_hopeless(self, Worker *w, State *state, const uint8_t *col) noexcept nogil:
        """Return whether a guess leaves a set whole that the last guess but one cannot separate."""
        cdef int i, k, m, id
        cdef const int32_t *some
        if state.place == NULL:
            state.place = <int32_t *>arena_take(&w.arena, self.S * sizeof(int32_t))
            state.hopeless = <int32_t *>arena_take(&w.arena, MOST_HOPELESS * sizeof(int32_t))
            state.inside = state.looked = 0
            memset(state.place, 255, self.S * sizeof(int32_t))
            for i in range(state.n):
                state.place[state.view.secret[state.rows[i]]] = state.rows[i]
        while state.looked < flag_get(&self.hopeless_count):
            some, m = self.hopeless + state.looked * MOST_WHOLE, self.hopeless_size[state.looked]
            i = 0
            while i < m and state.place[some[i]] >= 0:
                i += 1
            if i == m:
                state.hopeless[state.inside] = state.looked
                state.inside += 1
            state.looked += 1
        for k in range(state.inside):
            id = state.hopeless[k]
            some, m = self.hopeless + id * MOST_WHOLE, self.hopeless_size[id]
            i = 1
            while i < m and col[state.place[some[i]]] == col[state.place[some[0]]]:
                i += 1
            if i == m:
                state.hopeless[k], state.hopeless[k // 2] = state.hopeless[k // 2], id  # sooner the next time
                return 1
        return 0

    cdef void key_of(self, View *view, const int32_t *rows, int n, int d, const uint64_t *needs, uint64_t *key1,
                     uint64_t *key2) noexcept nogil:
        """Write the key of a set with d guesses left and its needs.

        It is a sum of two random words per secret, so that two different sets meet with probability 2^-128
        per pair; needs are mixed in.
        """
        cdef int j, s
        key1[0] = <uint64_t>d * <uint64_t>0xD6E8FEB86659FD93
        key2[0] = <uint64_t>d * <uint64_t>0xA5A3564E27F88691
        for j in range(n):
            s = view.secret[rows[j]]
            key1[0] += self.z1[s]
            key2[0] += self.z2[s]
        for j in range(self.rules.words):
            key1[0] = mixed(key1[0] + needs[j] + <uint64_t>0x9E3779B97F4A7C15)
            key2[0] = mixed(key2[0] ^ needs[j] ^ <uint64_t>0x94D049BB133111EB)

    cdef Known known(self, Worker *w, const Limits *limits, int n, int d, uint64_t key1, uint64_t key2) noexcept nogil:
        """Return what is known of a set, by counting if by nothing else."""
        cdef Known found
        if not memo_read(self.memo, w.thread, key1, key2, &found):
            found.lower, found.upper, found.guess, found.bounded = 0, INF, -1, 0
        found.lower = max(found.lower, static_bound(limits, n, d))
        return found

    # ---- the search ---------------------------------------------------------------------------------------------

    cdef int halted(self, Worker *w) noexcept nogil:
        """Return whether to go back: all is stopped, or what is searched here is settled."""
        cdef Split *split = <Split *>w.split
        if counter_get(self.counters + C_STOP):
            return 1
        while split != NULL:
            if flag_get(&split.done):
                return 1
            split = split.above
        return 0

    cdef int64_t value(self, Worker *w, View *above, const int32_t *rows, int n, int d, int64_t beta, int ply,
                       const Limits *limits, const uint64_t *needs) noexcept nogil:
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
        if lower >= beta or lower == known.upper or self.halted(w):      # 4
            return lower
        evaluations = counter_get(self.counters + C_EVALUATIONS)
        if 0 < counter_get(self.counters + C_BUDGET) <= evaluations:
            self.counters[C_STOP] = C_SPENT
            return lower
        counter_add(self.counters + C_STATES, 1)
        if above.rows == NULL and n < above.n:
            above, rows = self.code_view(&w.arena, rows, n), self.identity
        state.needs, state.below = needs, NULL
        if needs != NULL:
            state.below = <uint64_t *>arena_take(&w.arena, self.rules.words * sizeof(uint64_t))
            state.view = allowed_view(&w.arena, &self.rules, needs, above, rows, n, self.S)
            if state.view != above:
                above, rows = state.view, self.identity
        state.view, state.rows, state.n, state.d, state.ply = above, rows, n, d, ply
        state.best, state.low, state.guess, state.count, state.place = beta, INF, -1, 0, NULL
        state.order = <int32_t *>arena_take(&w.arena, n * sizeof(int32_t))
        state.cells = <Cell *>arena_take(&w.arena, min(n, self.R) * sizeof(Cell))
        self.try_guesses(w, &state, lower, known.guess, limits)
        arena_release(&w.arena, mark)
        if not self.halted(w):      # 10
            lower = max(lower, state.best if state.guess >= 0 else state.low)
            memo_write(self.memo, w.thread, key1, key2, lower, lower if state.guess >= 0 else INF, state.guess, 0,
                       bits(counter_get(self.counters + C_EVALUATIONS) - evaluations))
        return lower

    cdef void try_guesses(self, Worker *w, State *state, int64_t lower, int hint,
                          const Limits *above) noexcept nogil:
        """Try the guesses of a state, the best bound first; state.best, low and guess hold the result."""
        cdef View *local
        cdef Stabiliser *fixing = NULL
        cdef uint8_t *dropped = NULL
        cdef Ranked *ranked
        cdef Ranked first
        cdef Tried *before
        cdef int few, i
        state.limits = above[0]
        if state.n > self.small:                                # 7
            if self.renaming and w.past + state.ply <= MOST_HISTORY:
                fixing = stabiliser_new(&self.digits[0, 0], self.pegs, self.colours, self.renaming == 2,
                                        w.history, w.past + state.ply)
            elif self.classes is not None and w.past + state.ply <= CLASS_PLIES:
                dropped = self.dropped_by_classes(w, state.ply)
        self.new_tried(w, state, 1)
        first.column = -1
        if hint >= 0 and (self.unit or state.n <= self.small) and not self.without & NO_HINTS:
            first.column = column_of(state.view, hint)
        if first.column >= 0 and not self.is_dropped(state.view, first.column, fixing, dropped):
            first.bound, first.outside = lower, not self.names_one(state, first.column)     # 5
            self.attempt(w, state, &first, NULL)
        if not self.halted(w) and (state.guess < 0 or state.best > lower):
            ranked = <Ranked *>arena_take(&w.arena, state.view.ng * sizeof(Ranked))
            few = self.rank(w, state, fixing, dropped, ranked)           # 6
            if self.in_beam(state):
                self.score(w, state, ranked, few)
            qsort(ranked, few, sizeof(Ranked), by_score if self.in_beam(state) else by_rank)
            if few >= LOCAL and state.n > 2 * LOCAL * self.small and not self.without & NO_TABLES and (
                2 * state.n <= state.view.n or self.rules.words
            ):
                local = make_view(&w.arena, state.view, state.rows, state.n, self.S, self.R, self.z1,
                                  self.only_candidates, &self.rules, state.needs, self.demandable(w, state))
                few = self.translate(state, local, ranked, few)
            before = state.tried
            self.new_tried(w, state, few + 1)
            for i in range(2):      # the guess that was tried first
                if before[i].used:
                    state.tried[before[i].hash1 & state.slots] = before[i]
            self.try_ranked(w, state, ranked, few, lower)
        free(dropped)
        if fixing != NULL:
            stabiliser_free(fixing)

    cdef void try_ranked(self, Worker *w, State *state, const Ranked *ranked, int few, int64_t lower) noexcept nogil:
        """Try ranked guesses until the next is bounded at the best known; the first alone, the rest with others."""
        cdef int i
        for i in range(few):
            if ranked[i].bound >= state.best:
                state.low = min(state.low, ranked[i].bound)
                if self.in_beam(state):
                    continue
                break
            if self.width and state.count >= self.width:
                break
            if self.jobs > 1 and state.count and few - i > 1 and state.n > self.least_parallel:
                self.try_together(w, state, ranked + i, few - i, lower)
                break
            self.attempt(w, state, &ranked[i], NULL)
            if self.halted(w) or (state.guess >= 0 and state.best <= lower):
                break

    cdef void attempt(self, Worker *w, State *state, const Ranked *guess, Split *split) noexcept nogil:
        """Try a guess unless one with the same partition was tried, and keep it if it is better."""
        cdef int64_t total
        cdef int number = state.view.guess[guess.column]
        cdef const uint8_t *col = self.column(w, state.view, guess.column)
        if self.hopeless_matter(state) and self.is_hopeless(w, state, col):
            return
        if not self.without & NO_DUPLICATES and self.was_tried(state, col, number, guess.outside, split):
            return
        if state.ply == 0 and split == NULL:
            self.counters[C_LOWER] = max(self.counters[C_LOWER], guess.bound)
        w.history[w.past + state.ply] = number
        total = self.guess_value(w, state, col, number)
        if self.halted(w):
            return
        if split != NULL:
            lock(&split.guard)
            split.count += 1
            split.low = min(split.low, total)
            if total < split.best:
                split.best, split.guess = total, number
            if split.guess >= 0 and split.best <= split.lower:
                flag_set(&split.done, 1)
            state.best, state.low, state.guess, state.count = split.best, split.low, split.guess, split.count
            unlock(&split.guard)
        else:
            state.count += 1
            state.low = min(state.low, total)
            if total < state.best:
                state.best, state.guess = total, number
        if state.ply == 0 and state.guess >= 0:
            self.counters[C_UPPER], self.counters[C_FIRST] = state.best, state.guess

    # ---- several threads ----------------------------------------------------------------------------------------

    cdef void try_together(self, Worker *w, State *state, const Ranked *ranked, int few, int64_t lower) noexcept nogil:
        """Try ranked guesses with the threads that have nothing else to do; wait for them."""
        cdef Split split
        cdef Split *other
        cdef Split **link
        split.state, split.owner, split.ranked, split.few, split.next, split.lower = state, w, ranked, few, 0, lower
        split.best, split.low, split.guess, split.count = state.best, state.low, state.guess, state.count
        split.done = split.helpers = split.guard = 0
        split.above = <Split *>w.split
        w.split = &split
        lock(&self.guard)
        split.link = self.splits
        self.splits = &split
        unlock(&self.guard)
        self.take_guesses(w, state, &split)
        lock(&self.guard)
        link = &self.splits
        while link[0] != &split:
            link = &link[0].link
        link[0] = split.link
        unlock(&self.guard)
        while flag_get(&split.helpers):     # meanwhile, help them
            other = self.join(&split)
            if other != NULL:
                self.help(w, other)
            else:
                usleep(5)
        w.split = split.above
        state.best, state.low, state.guess, state.count = split.best, split.low, split.guess, split.count

    cdef void take_guesses(self, Worker *w, State *state, Split *split) noexcept nogil:
        """Try the guesses that nobody has taken; `state` is this thread's own copy."""
        cdef int i
        while not self.halted(w):
            i = flag_add(&split.next, 1)
            if i >= split.few:
                break
            lock(&split.guard)
            state.best, state.guess, state.count = split.best, split.guess, split.count
            if split.ranked[i].bound >= split.best:
                split.low = min(split.low, split.ranked[i].bound)
            unlock(&split.guard)
            if self.width and state.count >= self.width:
                break
            if split.ranked[i].bound >= state.best:
                if self.in_beam(state):
                    continue
                break
            self.attempt(w, state, &split.ranked[i], split)

    cdef Split *join(self, Split *around) noexcept nogil:
        """Enter the split state nearest to the root that takes helpers, within one or anywhere; NULL: none."""
        cdef Split *split
        cdef Split *best = NULL
        cdef Split *above
        lock(&self.guard)
        split = self.splits
        while split != NULL:
            above = split.above
            while above != NULL and above != around:
                above = above.above
            if above == around and split != around and flag_get(&split.next) < split.few and (
                best == NULL or split.state.ply < best.state.ply
            ):
                best = split
            split = split.link
        if best != NULL:
            flag_add(&best.helpers, 1)
        unlock(&self.guard)
        return best

    cdef void help(self, Worker *w, Split *split) noexcept nogil:
        """Try guesses of a split state for its owner."""
        cdef State state = split.state[0]
        cdef void *before = w.split
        cdef Mark mark = w.arena.top
        memcpy(w.history, split.owner.history, (w.past + state.ply) * sizeof(int32_t))
        w.split, state.place = split, NULL
        state.order = <int32_t *>arena_take(&w.arena, state.n * sizeof(int32_t))
        state.cells = <Cell *>arena_take(&w.arena, min(state.n, self.R) * sizeof(Cell))
        state.below = <uint64_t *>arena_take(&w.arena, self.rules.words * sizeof(uint64_t))
        self.take_guesses(w, &state, split)
        arena_release(&w.arena, mark)
        w.split = before
        flag_add(&split.helpers, -1)

    cdef void new_worker(self, Worker *w, int thread, int past) noexcept nogil:
        w.thread, w.past, w.split = thread, past, NULL
        arena_new(&w.arena)
        w.history = <int32_t *>arena_take(&w.arena, (past + self.S) * sizeof(int32_t))
        w.inside = <uint8_t *>arena_take(&w.arena, self.S)
        w.parts = <uint8_t *>arena_take(&w.arena, self.G + 32)
        w.row = <const uint8_t **>arena_take(&w.arena, self.S * sizeof(void *))
        w.response = <uint8_t *>arena_take(&w.arena, self.G + 32)
        memset(w.inside, 0, self.S)

    cdef void help_to_the_end(self, int thread, int past) noexcept nogil:
        """Help whoever takes helpers until the search is over."""
        cdef Worker w
        cdef Split *split
        self.new_worker(&w, thread, past)
        while not flag_get(&self.over):
            split = self.join(NULL)
            if split != NULL:
                self.help(&w, split)
            else:
                usleep(20)
        arena_free(&w.arena)

    cdef void new_tried(self, Worker *w, State *state, int most) noexcept nogil:
        """Make room for the partitions of so many guesses."""
        cdef uint64_t slots = 2
        while slots < 2 * <uint64_t>most:
            slots *= 2
        state.tried, state.slots = <Tried *>arena_take(&w.arena, slots * sizeof(Tried)), slots - 1
        memset(state.tried, 0, slots * sizeof(Tried))

    cdef int was_tried(self, State *state, const uint8_t *col, int guess, int outside, Split *split) noexcept nogil:
        """Return whether a guess with the same partition, no worse, was tried; remember this one."""
        cdef uint64_t hash1 = partition_hash(col, state.rows, state.n, self.R, self.z1)
        cdef uint64_t hash2 = partition_hash(col, state.rows, state.n, self.R, self.z2)
        cdef int found
        if self.rules.words:
            hash_needs(&self.rules, state.needs, guess, col, state.rows, state.n, &hash1, &hash2)
        if split != NULL:
            lock(&split.guard)
        found = self.remember_tried(state, hash1, hash2, outside)
        if split != NULL:
            unlock(&split.guard)
        return found

    cdef int remember_tried(self, State *state, uint64_t hash1, uint64_t hash2, int outside) noexcept nogil:
        cdef uint64_t slot = hash1 & state.slots
        cdef Tried *tried = state.tried
        while tried[slot].used:
            if tried[slot].hash1 == hash1 and tried[slot].hash2 == hash2:
                if tried[slot].outside <= outside:
                    return 1
                break
            slot = (slot + 1) & state.slots
        tried[slot].used, tried[slot].outside = 1, outside
        tried[slot].hash1, tried[slot].hash2 = hash1, hash2
        return 0

    cdef int names_one(self, State *state, int column) noexcept nogil:
        """Return whether a guess names a candidate."""
        cdef int i
        for i in range(state.n):
            if state.view.own[column] == state.view.secret[state.rows[i]]:
                return 1
        return 0

    cdef int is_dropped(self, View *view, int column, Stabiliser *fixing, const uint8_t *dropped) noexcept nogil:
        """Return whether the symmetry makes a guess equal to a smaller one."""
        if fixing != NULL:
            return stabiliser_drops(fixing, &self.digits[view.guess[column], 0])
        return dropped != NULL and dropped[view.guess[column]]

    cdef int rank(self, Worker *w, State *state, Stabiliser *fixing, const uint8_t *dropped,
                  Ranked *out) noexcept nogil:
        """Write the guesses bounded below the best known, and return how many (step 6).

        A guess whose number of parts alone bounds it there keeps that bound: it is no better.
        """
        cdef View *view = state.view
        cdef uint8_t *parts = NULL
        cdef int64_t inner[256]
        cdef int64_t outer[256]
        cdef int i, j, k, few = 0, n = state.n
        counter_add(self.counters + C_EVALUATIONS, 1)
        for i in range(n):
            w.inside[view.secret[state.rows[i]]] = 1
        if self.by_counts(view, n):
            parts = self.count_parts(w, view, state.rows, n)
            if n > self.small:
                self.tighten_by_parts(w, &state.limits, view, n, parts, &state.limits)
            for k in range(min(n, self.R) + 1):
                inner[k] = self.bound_by_parts(&state.limits, n, state.d, k, self.base)
                outer[k] = self.bound_by_parts(&state.limits, n, state.d, k, 0)
        for i in range(n):
            j = view.first[state.rows[i]]
            while j >= 0:
                few += self.consider(w, state, j, 0, parts, inner, fixing, dropped, out + few)
                j = view.next[j]
        if not self.only_candidates:
            for j in range(view.ng):
                if parts != NULL and outer[parts[j]] >= max(state.best, state.low):
                    continue
                if not (view.own[j] >= 0 and w.inside[view.own[j]]):
                    few += self.consider(w, state, j, 1, parts, outer, fixing, dropped, out + few)
        for i in range(n):
            w.inside[view.secret[state.rows[i]]] = 0
        return few

    cdef int in_beam(self, State *state) noexcept nogil:
        """Return whether the guesses of a state are tried in the order of a beam."""
        return self.width and state.n > self.small

    cdef void score(self, Worker *w, State *state, Ranked *ranked, int few) noexcept nogil:
        """Score guesses as beams order them; see `reference_counted.Searcher.beam_score`."""
        cdef int i, j, r
        cdef const uint8_t *col
        cdef int64_t squares, parts
        cdef int32_t count[256]
        for i in range(few):
            col = self.column(w, state.view, ranked[i].column)
            memset(count, 0, self.R * sizeof(int32_t))
            for j in range(state.n):
                count[col[state.rows[j]]] += 1
            squares = parts = 0
            for r in range(self.R):
                squares += <int64_t>count[r] * count[r]
                parts += count[r] > 0
            ranked[i].score = 2 * squares - state.n * (parts + (0 if ranked[i].outside else self.base))

    cdef int consider(self, Worker *w, State *state, int column, int outside, const uint8_t *parts,
                      const int64_t *by_parts, Stabiliser *fixing, const uint8_t *dropped, Ranked *out) noexcept nogil:
        """Write a guess and return 1 if it may be better than the best known; else note its bound."""
        out.column, out.outside, out.bound, out.score = column, outside, 0, 0
        if parts != NULL:
            out.bound, out.score = by_parts[parts[column]], -<int>parts[column]
        if out.bound < state.best and self.is_dropped(state.view, column, fixing, dropped):
            return 0
        if out.bound < state.best and self.hopeless_matter(state) and (
            self.is_hopeless(w, state, self.column(w, state.view, column))
        ):
            return 0
        if out.bound < state.best and (parts == NULL or state.n > self.small):
            self.bound_by_sizes(&state.limits, self.column(w, state.view, column), state.rows, state.n, state.d, out)
        if out.bound < state.best:
            return 1
        state.low = min(state.low, out.bound)
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
        state.view, state.rows, state.place = local, self.identity, NULL
        return kept

    cdef const uint64_t *demandable(self, Worker *w, State *state) noexcept nogil:
        """Return the bits that can be demanded of any subset of the state."""
        cdef uint64_t *found = <uint64_t *>arena_take(&w.arena, self.rules.words * sizeof(uint64_t))
        cdef int i, k, guess
        for k in range(self.rules.words):
            found[k] = 0 if self.base else <uint64_t>-1
            for i in range(state.n if self.base else 0):
                guess = self.winner[state.view.secret[state.rows[i]]]
                found[k] |= self.rules.features[<size_t>guess * self.rules.words + k]
        return found

    cdef const uint64_t *needs_below(self, State *state, const uint8_t *col, int guess,
                                     const Cell *cell) noexcept nogil:
        """Return what is demanded in a part, until the next is asked for; NULL without rules."""
        if state.needs != NULL:
            needs_after(&self.rules, state.needs, guess, col[state.order[cell.start]], state.below)
        return state.below

    cdef int64_t guess_value(self, Worker *w, State *state, const uint8_t *col, int guess) noexcept nogil:
        """Return exactly the value of the set with this guess if it is below the best, else at least the best."""
        cdef View *view = state.view
        cdef Cell *cell
        cdef Known known
        cdef int cells = self.split(state, col), c
        cdef int64_t total = self.unit * state.n
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
            if total >= state.best:
                return min(total, INF)
            if cell.exact or cell.ahead or view.rows == NULL or self.without & NO_AHEAD:
                continue
            if not self.unit and cell.depth - 1 > self.base:
                continue
            known = self.bound_ahead(w, view, state.order + cell.start, cell.size, cell.depth, &state.limits,
                                     self.needs_below(state, col, guess, cell), cell.key1, cell.key2)
            total += max(known.lower, cell.bound) - cell.bound
            cell.bound, cell.exact = max(known.lower, cell.bound), known.lower >= known.upper
        for c in range(cells):                                  # 9
            cell = &state.cells[c]
            if total >= state.best or self.halted(w):
                break
            if not cell.exact:
                total += self.value(w, view, state.order + cell.start, cell.size, state.d - 1,
                                    state.best - (total - cell.bound), state.ply + 1, &state.limits,
                                    self.needs_below(state, col, guess, cell)) - cell.bound
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
        for i in range(state.n):
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
        for i in range(state.n):
            r = col[state.rows[i]]
            state.order[start[r]] = state.rows[i]
            start[r] += 1
        return cells

    cdef uint8_t *dropped_by_classes(self, Worker *w, int ply) noexcept with gil:
        """Return marks of the guesses that are not the smallest of their class, to be freed, or NULL."""
        cdef const int32_t[::1] classes
        cdef uint8_t *dropped
        cdef int i
        try:
            found = self.classes(tuple(w.history[i] for i in range(w.past + ply)))
            if found is None:
                return NULL
            classes = found
            dropped = <uint8_t *>malloc(self.G)
            for i in range(self.G):
                dropped[i] = classes[i] != i
            return dropped
        except BaseException as error:  # carried to the caller of `search`
            self.error = error
            self.counters[C_STOP] = 1
            return NULL

    cdef const uint64_t *needs_of(self, const int32_t[::1] candidates, tuple history):
        """Return what the guesses that led to some candidates demand, until it is asked for again."""
        cdef int guess
        if not self.rules.words:
            return NULL
        memset(self.needs, 0, self.rules.words * sizeof(uint64_t))
        for guess in history:
            needs_after(&self.rules, self.needs, guess,
                        self.root.cols[<size_t>guess * self.root.tall + candidates[0]], self.needs)
        return self.needs

    def search(self, const int32_t[::1] candidates, int depth, int64_t beta, tuple history=()):
        """See `reference_counted.Searcher.search`."""
        cdef Worker w
        cdef Helper helpers[64]
        cdef pthread_attr_t attributes
        cdef int i, started = 1
        cdef int64_t result
        cdef const uint64_t *needs = self.needs_of(candidates, history)
        self.new_worker(&w, 0, len(history))
        for i in range(w.past):
            w.history[i] = history[i]
        self.splits, self.guard, self.over = NULL, 0, 0
        with nogil:
            pthread_attr_init(&attributes)
            pthread_attr_setstacksize(&attributes, STACK)
            while started < self.jobs:
                helpers[started].searcher, helpers[started].thread = <void *>self, started
                helpers[started].past = w.past
                if pthread_create(&helpers[started].id, &attributes, begin_to_help, &helpers[started]):
                    break               # fewer threads take longer
                started += 1
            result = self.value(&w, self.root, &candidates[0], candidates.shape[0], depth, beta, 0, &self.limits,
                                needs)
            flag_set(&self.over, 1)
            for i in range(1, started):
                pthread_join(helpers[i].id, NULL)
            pthread_attr_destroy(&attributes)
            arena_free(&w.arena)
        self.counters[C_ENTRIES] = self.memo.used
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return result

    def bound(self, const int32_t[::1] candidates, int depth, tuple history=()):
        """See `reference_counted.Searcher.bound`."""
        cdef Worker w
        cdef Known known
        cdef int n = candidates.shape[0], d = min(depth, n - 1 + self.base)
        cdef int64_t lower = self.closed(n, d)
        cdef const uint64_t *needs = self.needs_of(candidates, history)
        cdef uint64_t key1, key2
        if lower >= 0:
            return lower, True
        self.key_of(self.root, &candidates[0], n, d, needs, &key1, &key2)
        self.new_worker(&w, 0, 0)
        with nogil:
            known = self.known(&w, &self.limits, n, d, key1, key2)
            if not known.bounded and known.lower < known.upper and self.root.rows != NULL:
                lower = known.lower
                known = self.bound_ahead(&w, self.root, &candidates[0], n, d, &self.limits, needs, key1, key2)
                known.lower = max(known.lower, lower)
            arena_free(&w.arena)
        return known.lower, known.lower >= known.upper

    def choice(self, const int32_t[::1] candidates, int depth, tuple history=()):
        """See `reference_counted.Searcher.choice`."""
        cdef int n = candidates.shape[0], d = min(depth, n - 1 + self.base)
        cdef uint64_t key1, key2
        cdef Known known
        if n <= 2 and self.closed(n, depth) >= 0:
            return self.winner[candidates[0]]
        self.key_of(self.root, &candidates[0], n, d, self.needs_of(candidates, history), &key1, &key2)
        if not memo_read(self.memo, 0, key1, key2, &known) or known.lower < known.upper:
            self.counters[C_FIRST] = -1
            self.search(candidates, depth, INF, history)
            if not memo_read(self.memo, 0, key1, key2, &known) or known.lower < known.upper:
                known.guess = self.counters[C_FIRST]    # the table was too small to keep it
        if known.guess < 0 or known.lower >= INF:
            raise ValueError(f"no strategy is known for {n} candidates within {depth} guesses")
        return known.guess


cdef void *begin_to_help(void *given) noexcept with gil:
    cdef Helper *helper = <Helper *>given
    cdef Searcher searcher = <Searcher>helper.searcher
    with nogil:
        searcher.help_to_the_end(helper.thread, helper.past)
    return NULL
