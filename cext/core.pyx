# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What every compiled search needs besides its loop; `reference_core` is its plain twin.

Memory, the transposition table, the order of guesses, why a search ends, symmetry, and threads: they share the guesses
of one state once the first of these has been tried, since it often solves the state (young brothers wait, Feldmann
1993).
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from .outcome import BUSY, Outcome


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


MOST_JOBS = 64
ENDED = {0: "", STOPPED: "stopped", SPENT: "budget"}

cdef enum:
    STACK = 256 << 20

cdef int64_t countdown = 0
cdef int least_together = 64    # secrets of a node whose children are valued by several threads: that takes some time
cdef int least_idle = 1         # threads that must have nothing to do


cdef struct Helper:     # how a thread that helps begins
    void *core
    int thread
    pthread_t id


cdef int64_t *countdown_place() noexcept nogil:
    return &countdown


cdef int alone(int busy) except -1:
    """Return 1, for a call that begins; raise RuntimeError while another is at work: both would write one state."""
    if busy:
        raise RuntimeError(BUSY)
    return 1


cdef int out_of_memory() except -1 nogil:
    with gil:
        raise MemoryError("no memory for the search")


def fail_allocation(int64_t number):
    """Let the given request for memory fail, counted from 1 on; 0: none. Return how many were still to come.

    For tests: what a search does without memory.
    """
    global countdown
    before = countdown
    countdown = number
    return before


def set_sharing(int secrets, int idle):
    """Let threads share the children of nodes of so many secrets, where so many are idle; return both as they were.

    For tests: small games have few secrets, and are solved before a thread is idle. For searchers that are made later.
    """
    global least_together, least_idle
    before = least_together, least_idle
    least_together, least_idle = secrets, idle
    return before


cdef class Core:
    """See `reference_core.Core`."""

    def __cinit__(self, *args, **kwargs):
        self.memo = NULL
        self.made = self.ready = self.busy = 0

    cdef int prepare(self, int guesses, int secrets, int words, uint64_t seed, int64_t infinite, uint64_t memory,
                     int width, int jobs, int longest, classes, digits, int renaming) except -1:
        """Make what every search has; `words`: Zobrist words, `longest`: guesses on a path at most."""
        cdef int i
        if self.made:
            raise ValueError("a searcher is made once")
        if not 1 <= jobs <= MOST_JOBS:
            raise ValueError(f"{jobs} jobs; expected 1 to {MOST_JOBS}")
        if not arena_new(&self.arena, &countdown):
            out_of_memory()
        self.made = 1
        self.G, self.S, self.infinite, self.longest = guesses, secrets, infinite, longest + MOST_HISTORY + 1
        self.width, self.jobs, self.least_together, self.least_idle = width, jobs, least_together, least_idle
        self.classes, self.error, self.renaming = classes, None, renaming
        if digits is not None:
            self.digits, self.pegs = digits, digits.shape[1]
        if renaming:
            self.colours = int(digits.max()) + 1
        self.rules.words = 0
        memset(&self.tally, 0, sizeof(Tally))
        memset(self.gains, 0, sizeof(self.gains))
        self.tally.upper, self.tally.guess = infinite, -1
        self.memo = memo_new(memory, infinite, &countdown)
        if self.memo == NULL:
            out_of_memory()
        self.memo.threads = jobs
        self.z1 = <uint64_t *>take(&self.arena, <size_t>words * sizeof(uint64_t))
        self.z2 = <uint64_t *>take(&self.arena, <size_t>words * sizeof(uint64_t))
        for i in range(words):
            self.z1[i], self.z2[i] = splitmix(&seed), splitmix(&seed)
        return 0

    cdef int set_rules(self, features, needs, int responses, int solved) except -1:
        """Limit what may be asked by earlier responses, unless there are no features."""
        self.rules.responses, self.rules.solved = responses, solved
        if features is not None:
            self.features_array, self.needs_array = features, needs
            self.rules.words = self.features_array.shape[1]
        if self.rules.words:
            self.rules.features, self.rules.needs = &self.features_array[0, 0], &self.needs_array[0, 0, 0]
        return 0

    def __dealloc__(self):
        memo_free(self.memo)
        if self.ready:
            arena_free(&self.main.arena)
        if self.made:
            arena_free(&self.arena)

    cdef int64_t *longs(self, values) except NULL:
        """Return a lasting copy of some integers."""
        cdef const int64_t[::1] source = np.ascontiguousarray(values, dtype=np.int64).ravel()
        cdef int64_t *target = <int64_t *>take(&self.arena, (source.shape[0] + 1) * sizeof(int64_t))
        if source.shape[0]:
            memcpy(target, &source[0], source.shape[0] * sizeof(int64_t))
        return target

    cdef int32_t *ints(self, values) except NULL:
        """Return a lasting copy of some small integers."""
        cdef const int32_t[::1] source = np.ascontiguousarray(values, dtype=np.int32).ravel()
        cdef int32_t *target = <int32_t *>take(&self.arena, (source.shape[0] + 1) * sizeof(int32_t))
        if source.shape[0]:
            memcpy(target, &source[0], source.shape[0] * sizeof(int32_t))
        return target

    @property
    def states(self):
        """States expanded, in all searches."""
        return self.tally.states

    @property
    def evaluations(self):
        """Sets valued against all guesses, in all searches."""
        return self.tally.evaluations

    @property
    def entries(self):
        """States remembered."""
        return self.memo.used

    def stop(self):
        """End a search that runs in another thread; one that begins later is not ended."""
        flag_set(&self.tally.stop, STOPPED)

    def seen(self):
        """Return what is known of the state that is searched in another thread."""
        return Outcome(self.tally.lower, self.tally.upper, self.tally.guess, "")

    # ---- one search ---------------------------------------------------------------------------------------------

    cdef Worker *worker(self, history) except NULL:
        """Return the worker of the thread that calls, with the guesses that led here; None: too many for symmetry.

        What the last call has taken is given back and its marks are wiped out, so that a call need not do either,
        not even one that raised.
        """
        cdef int i, past = MOST_HISTORY + 1 if history is None else len(history)
        if past > self.longest:
            raise ValueError(f"a history of {past} guesses")
        if not self.ready:
            self.make_worker(&self.main, 0)
            self.ready, self.base = 1, self.main.arena.top
        arena_release(&self.main.arena, self.base)
        memset(self.main.inside, 0, self.S)
        self.main.past, self.main.shared, self.main.slice, self.main.over = past, NULL, 0, 0
        for i in range(past):
            self.main.history[i] = 0 if history is None else history[i]
        return &self.main

    cdef int make_worker(self, Worker *w, int thread) except -1 nogil:
        """Make what a thread writes; what there is of it is freed when there is no memory."""
        cdef int done = 0
        w.thread, w.past, w.shared, w.more, w.slice, w.over, w.work = thread, 0, NULL, NULL, 0, 0, 0
        if not arena_new(&w.arena, &countdown):
            out_of_memory()
        try:
            w.history = <int32_t *>take(&w.arena, (2 * <size_t>self.longest + 1) * sizeof(int32_t))
            w.inside = <uint8_t *>take(&w.arena, self.S)
            memset(w.inside, 0, self.S)
            self.equip(w)
            done = 1
        finally:
            if not done:
                arena_free(&w.arena)
        return 0

    cdef object ended(self):
        """Return why the search ended early, in a word; empty: it ran to the end."""
        return ENDED[self.tally.stop]

    cdef object outcome(self, int64_t value, int64_t beta, int guess):
        """Return what a search has found; `guess` is that of a strategy below beta, if it ran to the end."""
        if self.tally.stop:
            return Outcome(self.tally.lower, self.tally.upper, self.tally.guess, self.ended())
        if value < beta:
            return Outcome(value, value, guess, "")
        return Outcome(value, self.infinite, -1, "")

    cdef int equip(self, Worker *w) except -1 nogil:
        """Add what a kernel needs to a worker."""
        return 0

    cdef int new_tried(self, Worker *w, Node *node, int most) except -1 nogil:
        """Make room for the partitions of so many guesses."""
        cdef uint64_t slots = 2
        while slots < 2 * <uint64_t>most:
            slots *= 2
        node.tried.words = <uint64_t *>take(&w.arena, 2 * slots * sizeof(uint64_t))
        node.tried.mask = slots - 1
        memset(node.tried.words, 0, 2 * slots * sizeof(uint64_t))
        return 0

    cdef int64_t root_value(self, Worker *w) except -1 nogil:
        """Return the value of the state that is searched."""
        return 0

    cdef int attempt(self, Worker *w, Node *node, const Ranked *ranked, SharedNode *shared) except -1 nogil:
        """Try a guess, and keep it if it is better; `shared`: other threads try others."""
        return 0

    # ---- symmetry -----------------------------------------------------------------------------------------------

    cdef int dropping(self, Worker *w, int ply, Dropping *out) except -1 nogil:
        """Write what tells, after the guesses so far, those that the symmetry makes equal to a smaller one."""
        cdef int length = w.past + ply
        out.fixing, out.marks = NULL, NULL
        if self.renaming:
            if length <= MOST_HISTORY and not stabiliser_new(
                &w.arena, &self.digits[0, 0], self.pegs, self.colours, self.renaming == 2, w.history, length,
                &out.fixing
            ):
                out_of_memory()
        elif self.classes is not None and length <= CLASS_PLIES:
            out.marks = self.smallest(w, length)
        return 0

    cdef const uint8_t *smallest(self, Worker *w, int length) except? NULL with gil:
        """Return marks of the guesses that are not the smallest of their class, or NULL: all are."""
        cdef const int32_t[::1] classes
        cdef uint8_t *marks
        cdef int i
        found = self.classes(tuple([w.history[i] for i in range(length)]))
        if found is None:
            return NULL
        classes = found
        if classes.shape[0] != self.G:
            raise ValueError(f"classes of {classes.shape[0]} guesses; expected {self.G}")
        marks = <uint8_t *>take(&w.arena, self.G)
        for i in range(self.G):
            marks[i] = classes[i] != i
        return marks

    cdef int is_dropped(self, const Dropping *dropping, int guess) noexcept nogil:
        """Return whether the symmetry makes a guess equal to a smaller one."""
        if dropping.fixing != NULL:
            return stabiliser_drops(dropping.fixing, &self.digits[guess, 0])
        return dropping.marks != NULL and dropping.marks[guess]

    # ---- threads ------------------------------------------------------------------------------------------------
    #
    # How threads share a node:
    # 1. Its owner tries the first guess alone. If that does not settle the node, the owner puts a SharedNode into
    #    the list `nodes`, where idle threads find it (`share`).
    # 2. A helper joins the one nearest to the root (`join`), under the guard of the list, and counts itself in
    #    `helpers`; then the owner may not leave. It works on a copy of the node (`help`).
    # 3. Owner and helpers take ranked guesses by adding 1 to `next`; none is tried twice (`take_part`).
    # 4. Each takes the best of all threads over before it tries a guess, and writes its own back, both under the
    #    guard of the node (`keep`). Who proves that nothing better is left sets `done`, and all go back: `halted`
    #    looks at `done` of every shared node around.
    # 5. When no guess is left, the owner takes the node out of the list and waits until `helpers` is 0. Meanwhile it
    #    helps them in nodes within its own, never outside: what it does there ends before they do.
    # 6. The owner copies the result into its node.
    # The children of one guess are shared in the same way where threads are idle (`do_child`): their bounds one ply
    # ahead, and, where they add up, so that a guess that is not refuted needs them all, their values.
    # An exception in any thread stops the search (FAILED); it is raised when all threads have ended. A helper has no
    # time slice: what it takes is tried to the end, or the owner would not know of it.

    cdef int64_t run(self, Worker *w, int64_t evaluations) except -1:
        """Return `root_value`, searched by all threads; raise what was raised in any of them."""
        cdef Helper helpers[64]
        cdef pthread_attr_t attributes
        cdef Mark mark = w.arena.top
        cdef int i, started = 1
        cdef int64_t value = 0
        self.tally.limit = self.tally.evaluations + evaluations if evaluations else 0
        self.tally.lower, self.tally.upper, self.tally.guess = 0, self.infinite, -1
        self.nodes, self.guard, self.over, self.error = NULL, 0, 0, None
        self.offers = self.idle = 0
        flag_set(&self.tally.stop, 0)
        try:
            with nogil:
                try:
                    if self.jobs > 1:
                        pthread_attr_init(&attributes)
                        pthread_attr_setstacksize(&attributes, STACK)
                        while started < self.jobs:
                            helpers[started].core, helpers[started].thread = <void *>self, started
                            if pthread_create(&helpers[started].id, &attributes, begin_to_help, &helpers[started]):
                                break               # fewer threads take longer
                            started += 1
                        pthread_attr_destroy(&attributes)
                    value = self.root_value(w)
                finally:
                    flag_set(&self.over, 1)
                    for i in range(1, started):
                        pthread_join(helpers[i].id, NULL)
            if self.error is not None:
                raise self.error
        finally:
            self.error = None
            arena_release(&w.arena, mark)
        return value

    cdef int share(self, Worker *w, Node *node, const Ranked *ranked, int many) except -1 nogil:
        """Try ranked guesses with the threads that have nothing else to do; wait for them."""
        cdef SharedNode shared
        shared.ranked, shared.many = ranked, many
        shared.best, shared.low, shared.settled = node.best, node.low, node.settled
        shared.guess, shared.count = node.guess, node.count
        self.work_together(w, node, &shared)
        node.best, node.low, node.settled = shared.best, shared.low, shared.settled
        node.guess, node.count = shared.guess, shared.count
        return 0

    cdef int work_together(self, Worker *w, Node *node, SharedNode *shared) except -1 nogil:
        """Let other threads take part in what is shared, take part, and wait for them."""
        cdef SharedNode *other
        cdef SharedNode **link
        cdef int done = 0, tries = 0, seen = -1
        shared.node, shared.owner, shared.next = node, w, 0
        shared.done = shared.helpers = shared.guard = 0
        shared.above = w.shared
        w.shared = shared
        lock(&self.guard)
        shared.link = self.nodes
        self.nodes = shared
        flag_add(&self.offers, 1)
        unlock(&self.guard)
        try:
            self.take_part(w, node, shared)
            done = 1
        finally:
            if not done:        # an exception: all go back, and nobody looks at this node any more
                flag_set(&self.tally.stop, FAILED)
            if w.over:          # nobody needs this node until its next time slice
                flag_set(&shared.done, 1)
            lock(&self.guard)
            link = &self.nodes
            while link[0] != shared:
                link = &link[0].link
            link[0] = shared.link
            unlock(&self.guard)
            while flag_get(&shared.helpers):
                other = NULL
                if done and not self.halted(w):
                    other = self.join(shared, &seen)    # meanwhile, help them
                if other != NULL:
                    self.help_quietly(w, other)
                    tries = 0
                else:
                    wait_a_moment(&tries)
            w.shared = shared.above
        return 0

    cdef void help_quietly(self, Worker *w, SharedNode *shared) noexcept with gil:
        """Help; an exception is kept for the end, when nobody needs this thread's stack any more."""
        try:
            with nogil:
                self.help(w, shared)
        except BaseException as error:
            self.error = error

    cdef int take_part(self, Worker *w, Node *node, SharedNode *shared) except -1 nogil:
        """Try the guesses, or value the children, that nobody has taken; `node` is this thread's own copy."""
        cdef int i
        while not self.halted(w):
            i = flag_add(&shared.next, 1)
            if i >= shared.many:
                break
            if shared.ranked == NULL:
                self.do_child(w, node, shared, i)
                continue
            lock(&shared.guard)
            node.best, node.settled, node.guess, node.count = shared.best, shared.settled, shared.guess, shared.count
            if shared.ranked[i].bound >= shared.best:
                shared.low = min(shared.low, shared.ranked[i].bound)
            unlock(&shared.guard)
            if node.width and node.count >= node.width:
                break
            if shared.ranked[i].bound >= node.best:
                if node.beam:
                    continue
                break
            self.attempt(w, node, &shared.ranked[i], shared)
        return 0

    cdef int do_child(self, Worker *w, Node *node, SharedNode *shared, int number) except -1 nogil:
        """Search a child of a guess, or bound it one ply ahead; who finds enough sets `done`."""
        return 0

    cdef SharedNode *join(self, SharedNode *around, int *seen) noexcept nogil:
        """Enter the shared node nearest to the root that takes helpers, within one or anywhere; NULL: none.

        `seen`: how many nodes there had been when none was found; where there are no more, none is looked for.
        """
        cdef SharedNode *shared
        cdef SharedNode *best = NULL
        cdef SharedNode *above
        cdef int done, offers = flag_get(&self.offers)
        if offers == seen[0]:
            return NULL
        lock(&self.guard)
        shared = self.nodes
        while shared != NULL:
            above, done = shared.above, flag_get(&shared.done)
            while above != NULL and above != around:
                done |= flag_get(&above.done)
                above = above.above
            if above == around and shared != around and not done and flag_get(&shared.next) < shared.many and (
                best == NULL or shared.node.ply < best.node.ply
            ):
                best = shared
            shared = shared.link
        if best != NULL:
            flag_add(&best.helpers, 1)
        else:
            seen[0] = offers
        unlock(&self.guard)
        return best

    cdef int help(self, Worker *w, SharedNode *shared) except -1 nogil:
        """Try guesses of a shared node for its owner."""
        cdef SharedNode *before = w.shared
        cdef Mark mark = w.arena.top
        cdef Node *own
        cdef int64_t slice = w.slice
        cdef int done = 0, over = w.over
        memcpy(w.history, shared.owner.history, (shared.owner.past + shared.node.ply + 1) * sizeof(int32_t))
        w.past, w.shared = shared.owner.past, shared
        w.slice = w.over = 0     # what is taken here is tried to the end, or the owner would not know of it
        try:
            own = <Node *>take(&w.arena, self.node_size)
            memcpy(own, shared.node, self.node_size)
            self.take_part(w, own, shared)
            done = 1
        finally:
            if not done:        # before the owner hears that this helper is gone
                flag_set(&self.tally.stop, FAILED)
            arena_release(&w.arena, mark)
            w.shared, w.slice, w.over = before, slice, over
            flag_add(&shared.helpers, -1)
        return 0

    cdef int help_to_the_end(self, int thread) except -1 nogil:
        """Help whoever takes helpers until the search is over."""
        cdef Worker w
        cdef SharedNode *shared
        cdef int tries = 0, seen = -1, idle = 0
        self.make_worker(&w, thread)
        wake_in_time()
        try:
            while not flag_get(&self.over):
                shared = self.join(NULL, &seen)
                if (shared == NULL) != idle:
                    idle = shared == NULL
                    flag_add(&self.idle, 1 if idle else -1)
                if shared != NULL:
                    self.help(&w, shared)
                    tries = 0
                else:
                    wait_a_moment(&tries)
        finally:
            arena_free(&w.arena)
        return 0

    cdef void keep(self, Node *node, SharedNode *shared, int64_t total, int guess) noexcept nogil:
        """Note what a guess that was tried takes, at least, and exactly if it is better than the best."""
        if shared != NULL:
            lock(&shared.guard)
            shared.count += 1
            shared.low = min(shared.low, total)
            if total < shared.best:
                shared.best, shared.guess, shared.settled = total, guess, 1
            if shared.settled and shared.best <= node.lower:
                flag_set(&shared.done, 1)
            node.best, node.low, node.settled = shared.best, shared.low, shared.settled
            node.guess, node.count = shared.guess, shared.count
        else:
            node.count += 1
            node.low = min(node.low, total)
            if total < node.best:
                node.best, node.guess, node.settled = total, guess, 1
        if node.ply == 0 and node.guess >= 0:
            self.tally.upper, self.tally.guess = node.best, node.guess
        if shared != NULL:       # only now, or a seen guess might come with the value of an older one
            unlock(&shared.guard)

    cdef int was_tried(self, Node *node, SharedNode *shared, uint64_t hash1, uint64_t hash2,
                       int outside) noexcept nogil:
        """Return whether a guess with the same partition, no worse, was tried; remember this one."""
        cdef int found
        if shared != NULL:
            lock(&shared.guard)
        found = remember(&node.tried, hash1, hash2, outside)
        if shared != NULL:
            unlock(&shared.guard)
        return found


cdef void *begin_to_help(void *given) noexcept with gil:
    cdef Helper *helper = <Helper *>given
    cdef Core core = <Core>helper.core
    try:
        with nogil:
            core.help_to_the_end(helper.thread)
    except BaseException as error:      # carried to the thread that called
        core.error = error
        flag_set(&core.tally.stop, FAILED)
    return NULL
