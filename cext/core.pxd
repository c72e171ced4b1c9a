"""What the compiled searches share: memory, transposition table, keys, tried guesses, stop and budget, threads.

Errors have one carrier, Cython's own: every function that takes memory or calls back returns a value that says
"an exception is set", so none can be taken for a result.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t


cdef extern from "arena.h" nogil:
    ctypedef struct Mark:
        pass
    ctypedef struct Arena:
        Mark top
    int arena_new(Arena *arena, int64_t *countdown)
    void *arena_take(Arena *arena, size_t size)
    void arena_release(Arena *arena, Mark mark)
    void arena_free(Arena *arena)

cdef extern from "memo.h" nogil:
    ctypedef struct Known:
        int64_t lower
        int64_t upper
        int32_t guess
        uint8_t bounded
    ctypedef struct Memo:
        uint64_t used
        int threads
    Memo *memo_new(uint64_t size, int64_t most, int64_t *countdown)
    void memo_free(Memo *memo)
    int memo_read(Memo *memo, int thread, uint64_t key1, uint64_t key2, Known *out)
    void memo_write(Memo *memo, int thread, uint64_t key1, uint64_t key2, int64_t lower, int64_t upper,
                    int32_t guess, int bounded, int effort)

cdef extern from "canonical.h" nogil:
    ctypedef struct Stabiliser:
        pass
    int stabiliser_new(Arena *arena, const uint8_t *digits, int positions, int colours, int separate,
                       const int32_t *history, int length, Stabiliser **out)
    int stabiliser_drops(const Stabiliser *s, const uint8_t *code)

cdef extern from *:
    """
    #define counter_add(place, more) __atomic_fetch_add((place), (more), __ATOMIC_RELAXED)
    #define counter_get(place) __atomic_load_n((place), __ATOMIC_RELAXED)
    #define sum_get(place) ({ double sum; __atomic_load((place), &sum, __ATOMIC_RELAXED); sum; })
    #define sum_add(place, more) do { \
        double sum = sum_get(place) + (more); \
        __atomic_store((place), &sum, __ATOMIC_RELAXED); /* what another thread adds meanwhile may be lost */ \
    } while (0)
    #define flag_add(place, more) __atomic_fetch_add((place), (more), __ATOMIC_SEQ_CST)
    #define flag_get(place) __atomic_load_n((place), __ATOMIC_SEQ_CST)
    #define flag_set(place, value) __atomic_store_n((place), (value), __ATOMIC_SEQ_CST)
    """
    int64_t counter_add(int64_t *place, int64_t more) nogil
    int64_t counter_get(int64_t *place) nogil
    double sum_get(double *place) nogil
    void sum_add(double *place, double more) nogil
    int flag_add(int *place, int more) nogil
    int flag_get(int *place) nogil
    void flag_set(int *place, int value) nogil

cdef extern from "waiting.h" nogil:
    void lock(int *place)
    void unlock(int *place)
    void wait_a_moment(int *tries)
    void wake_in_time()


cdef extern from "ranked.h" nogil:
    ctypedef struct Ranked:
        int64_t bound
        int64_t score
        int32_t column
        int32_t outside
    void sort_ranked(Ranked *ranked, int many, int beam)
    int sort_more(Ranked *ranked, int sorted, int many, int beam)


cdef enum:
    MOST_HISTORY = 20   # guesses up to which renamings are gone through
    CLASS_PLIES = 2     # guesses up to which classes are asked for
    LEVELS = 8          # most lies of a secret, and 1
    ANY = -1            # discrepancies: as many as there are
    SIZES = 128         # classes of sizes of sets
    FIXED_ROWS = 12     # an evaluation takes as long as so many candidates more
    STOPPED = 1         # why a search is ended
    SPENT = 2
    FAILED = 3


cdef int64_t *countdown_place() noexcept nogil
cdef int alone(int busy) except -1
cdef int out_of_memory() except -1 nogil


cdef inline void *take(Arena *arena, size_t size) except NULL nogil:
    """Return room for so many bytes; raise MemoryError when there is none."""
    cdef void *found = arena_take(arena, size)
    if found == NULL:
        out_of_memory()
    return found


cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint64_t splitmix(uint64_t *seed) noexcept nogil:
    """Return the next random word (Steele, Lea and Flood 2014)."""
    seed[0] += <uint64_t>0x9E3779B97F4A7C15
    return mixed(seed[0])


cdef inline int bits(int64_t n) noexcept nogil:
    """Return how many bits a number has."""
    cdef int count = 0
    while n > 0:
        n >>= 1
        count += 1
    return count


cdef inline int size_class(int n) noexcept nogil:
    """Return a class of sizes: each for itself up to 7, then four for each doubling."""
    cdef int k = max(0, bits(n) - 3)
    return 4 * k + (n >> k)


cdef struct Tried:      # partitions of the guesses that were tried, a hash set: two words each
    uint64_t *words
    uint64_t mask


cdef struct Dropping:   # which guesses the symmetry makes equal to a smaller one, in either form; both NULL: none
    Stabiliser *fixing
    const uint8_t *marks


cdef struct State:      # some candidates, and what may still be asked of them
    const int32_t *members      # secrets; where guesses are counted, rows of the view at hand
    int n               # candidates
    int depth           # guesses left
    int discrepancies   # so often a path may still leave the first guess that is tried, or ANY
    int most_parts      # with costs: no guess makes more parts of it
    int64_t remaining   # of what a path may pay; -1: any amount
    const uint64_t *needs       # what the history demands; NULL without rules
    int32_t by_lies[LEVELS]     # with lies: how many candidates have 0, 1, ... of them left
    uint64_t key1
    uint64_t key2


cdef struct Node:       # a state while its guesses are tried; the node of every kernel begins with one
    State state
    int ply
    int64_t best        # what the best guess so far takes; before there is one, what it must be below
    int64_t low         # at least what any other takes
    int64_t lower       # at least what the state takes: a best that reaches it is optimal
    int settled         # whether a strategy takes `best`
    int guess           # its first guess, or -1
    int count           # of guesses tried
    int sorted          # so many of its ranked guesses are, the first
    int beam            # whether guesses are ordered by score alone, as beams order them
    int width           # so many are tried at most, 0: all
    Dropping dropping
    Tried tried


cdef struct Due:        # a child that is to be looked at, or searched
    double promise      # by how much that may raise its bound, for each candidate read
    int32_t child


cdef struct SharedNode:  # a node whose guesses several threads try; `core.pyx` says how
    Node *node          # of its owner, the thread that met it first
    Worker *owner
    const Ranked *ranked        # guesses that are tried; NULL: one is, and its children are shared
    void *children
    const Due *order        # of the children
    int values          # whether children are searched, or bounded one ply ahead
    int many            # of guesses, or children
    int done            # whether nothing is left to find
    SharedNode *above   # around the owner's work on this one
    SharedNode *link    # in the list of those that take helpers
    char apart[64]      # what is written often has cache lines of its own
    int next            # the first that nobody has taken
    int helpers         # threads other than the owner that work on it
    int guard           # of what follows, and of what was tried
    int64_t best        # as in Node, of all threads
    int64_t low         # as in Node; with children: at least what the guess takes
    int settled
    int guess
    int count
    char beyond[64]


cdef struct Gain:       # what looking ahead from sets of a size, or searching them, has brought
    double raised       # by how much it raised what was known
    double work         # the work for it


cdef struct Worker:     # what one thread writes
    int thread
    Arena arena
    int32_t *history    # guesses that led to the state at hand
    int past            # how many of them before the search began
    SharedNode *shared  # the innermost shared node that it works for
    uint8_t *inside     # marks of secrets, all 0 between uses
    int64_t slice       # evaluations of the search that end the time slice of a child; 0: it has none
    int over            # whether that slice has ended before the child was solved
    int64_t work        # candidates evaluated, each time, and FIXED_ROWS
    void *more          # what a kernel needs besides


cdef struct Rules:      # how earlier responses limit what may be asked, see `rules`
    int words           # of 64 bits; 0: every guess is always allowed
    int responses
    int solved          # parts of at most so many secrets are solved whatever they need
    const uint64_t *features    # of each guess
    const uint64_t *needs       # of each response to each guess


cdef struct Tally:      # what a running search reports, and how it is ended
    int64_t limit       # evaluations that end it, 0: none do
    int64_t lower       # of the state searched
    int64_t upper
    int guess
    int stop            # why it is ended, 0: it is not
    char apart[64]      # what all threads write has a cache line of its own
    int64_t states
    int64_t evaluations
    char beyond[64]


cdef class Core:
    cdef Arena arena            # of all that lasts
    cdef Memo *memo
    cdef uint64_t *z1           # Zobrist words of each secret
    cdef uint64_t *z2
    cdef Tally tally
    cdef int64_t infinite
    cdef readonly int width, jobs
    cdef int G, S, longest
    cdef object classes, error
    cdef const uint8_t[:, ::1] digits
    cdef int pegs, colours, renaming
    cdef Rules rules
    cdef const uint64_t[:, ::1] features_array
    cdef const uint64_t[:, :, ::1] needs_array
    cdef Worker main            # of the thread that calls
    cdef Mark base              # of its arena, between calls
    cdef size_t node_size       # of the kernel's node, which begins with a Node
    cdef int over               # whether helpers are to end
    cdef int idle               # threads that look for a node that takes helpers
    cdef int least_together, least_idle
    cdef char apart[64]         # what is written at each offer has a cache line of its own
    cdef SharedNode *nodes      # those that take helpers, nearest to the leaves first
    cdef int guard, offers      # of that list; how many there were so far
    cdef char between[64]
    cdef Gain gains[2][SIZES]   # by looking ahead, and by searching; all threads learn from each other
    cdef char beyond[64]
    cdef int made, ready        # what has to be freed: the arena, the main worker
    cdef int busy               # whether a call is at work

    cdef int prepare(self, int guesses, int secrets, int words, uint64_t seed, int64_t infinite, uint64_t memory,
                     int width, int jobs, int longest, classes, digits, int renaming) except -1
    cdef int set_rules(self, features, needs, int responses, int solved) except -1
    cdef int64_t *longs(self, values) except NULL
    cdef int32_t *ints(self, values) except NULL
    cdef Worker *worker(self, history) except NULL
    cdef int make_worker(self, Worker *w, int thread) except -1 nogil
    cdef int equip(self, Worker *w) except -1 nogil
    cdef object ended(self)
    cdef object outcome(self, int64_t value, int64_t beta, int guess)
    cdef int new_tried(self, Worker *w, Node *node, int most) except -1 nogil
    cdef int dropping(self, Worker *w, int ply, Dropping *out) except -1 nogil
    cdef const uint8_t *smallest(self, Worker *w, int length) except? NULL with gil
    cdef int is_dropped(self, const Dropping *dropping, int guess) noexcept nogil

    # ---- a search, and its threads
    cdef int64_t root_value(self, Worker *w) except -1 nogil
    cdef int attempt(self, Worker *w, Node *node, const Ranked *ranked, SharedNode *shared) except -1 nogil
    cdef int64_t run(self, Worker *w, int64_t evaluations) except -1
    cdef int share(self, Worker *w, Node *node, const Ranked *ranked, int many) except -1 nogil
    cdef int work_together(self, Worker *w, Node *node, SharedNode *shared) except -1 nogil
    cdef int take_part(self, Worker *w, Node *node, SharedNode *shared) except -1 nogil
    cdef int do_child(self, Worker *w, Node *node, SharedNode *shared, int number) except -1 nogil
    cdef SharedNode *join(self, SharedNode *around, int *seen) noexcept nogil
    cdef int help(self, Worker *w, SharedNode *shared) except -1 nogil
    cdef void help_quietly(self, Worker *w, SharedNode *shared) noexcept with gil
    cdef int help_to_the_end(self, int thread) except -1 nogil
    cdef void keep(self, Node *node, SharedNode *shared, int64_t total, int guess) noexcept nogil
    cdef int was_tried(self, Node *node, SharedNode *shared, uint64_t hash1, uint64_t hash2,
                       int outside) noexcept nogil

    cdef inline int halted(self, const Worker *w) noexcept nogil:
        """Return whether to go back: all is stopped, a time slice is over, or what is searched here is solved."""
        cdef SharedNode *shared = w.shared
        if w.over or flag_get(&self.tally.stop):
            return 1
        while shared != NULL:
            if flag_get(&shared.done):
                return 1
            shared = shared.above
        return 0

    cdef inline void evaluated(self, Worker *w, int n) noexcept nogil:
        """Count that all guesses were bounded on so many candidates."""
        counter_add(&self.tally.evaluations, 1)
        w.work += n + FIXED_ROWS

    cdef inline int may_share(self, const Node *node) noexcept nogil:
        """Return whether other threads are to value children of a guess, too."""
        return self.jobs > 1 and node.state.n >= self.least_together and flag_get(&self.idle) >= self.least_idle

    cdef inline int slice_over(self, Worker *w) noexcept nogil:
        """Return whether the time slice of a child has ended; then this thread goes back to where it began."""
        if 0 < w.slice <= counter_get(&self.tally.evaluations):
            w.over = 1
        return w.over

    cdef inline int spent(self) noexcept nogil:
        """Return whether as many evaluations are spent as a search may take; then it is ended."""
        if 0 < self.tally.limit <= counter_get(&self.tally.evaluations):
            flag_set(&self.tally.stop, SPENT)
            return 1
        return 0


cdef inline int remember(Tried *tried, uint64_t hash1, uint64_t hash2, int outside) noexcept nogil:
    """Return whether a partition was met from a guess that is no worse; remember it.

    The last bit of the second word says whether it was met from guesses outside the candidates alone.
    """
    cdef uint64_t slot
    hash1 += hash1 == 0
    hash2 |= 1
    slot = hash1 & tried.mask
    while tried.words[2 * slot]:
        if tried.words[2 * slot] == hash1 and tried.words[2 * slot + 1] | 1 == hash2:
            if <int>(tried.words[2 * slot + 1] & 1) <= outside:
                return 1
            break
        slot = (slot + 1) & tried.mask
    tried.words[2 * slot], tried.words[2 * slot + 1] = hash1, hash2 ^ <uint64_t>(not outside)
    return 0
