"""The loop of every depth-first search, and what a kernel says of its states and guesses."""

from libc.stdint cimport int64_t, uint64_t

from guesstree.cext.core cimport ANY, Core, Due, Known, Node, Ranked, SharedNode, State, Worker, mixed


cdef struct Child:      # what a guess leaves after one response
    State state
    int response
    int exact           # whether `bound` is the value
    int looked          # whether a bound one ply ahead is known, or is not worth its time
    int64_t paid        # what the guess adds to the value of the child
    int64_t bound       # at least its value


cdef class Search(Core):
    cdef int maximum            # whether the value of a guess is the largest over its children; else the sum
    cdef int small              # states of so many candidates are searched without symmetry, beams, discrepancies
    cdef int least_shared       # nodes of more candidates are worth more threads
    cdef int narrow             # whether beams limit the guesses of small states too
    cdef int sliced             # whether children of the first guess get time slices
    cdef int learns             # whether children come in the order in which work on them has gained most
    cdef int looks              # whether there are bounds one ply ahead
    cdef int discrepancies      # of a path of a beam, or ANY
    cdef const Node *whole      # above the state that is searched
    cdef State asked            # that state
    cdef int64_t beta

    # ---- what a kernel defines; `search` says when each is called
    cdef int ask(self, Worker *w, candidates, int depth, left, history) except -1
    cdef void hash_state(self, const Node *above, State *state) noexcept nogil
    cdef int64_t solved(self, const State *state) noexcept nogil
    cdef int last_guess(self, const State *state) noexcept nogil
    cdef int recall(self, Worker *w, const State *state, Known *out) noexcept nogil
    cdef int64_t static_bound(self, Worker *w, const Node *above, const State *state) except -1 nogil
    cdef int open(self, Worker *w, const Node *above, Node *node) except -1 nogil
    cdef int hash_move(self, Worker *w, Node *node, int guess, Ranked *out) except -1 nogil
    cdef int rank(self, Worker *w, const Node *above, Node *node, Ranked **out) except -1 nogil
    cdef int admit(self, Worker *w, Node *node, const Ranked *ranked, SharedNode *shared) except -2 nogil
    cdef int split(self, Worker *w, Node *node, int column, int guess, Child **out, int64_t *paid) except -1 nogil
    cdef int enter(self, Worker *w, const Node *node, Child *child) except -1 nogil
    cdef int look_ahead(self, Worker *w, const Node *above, const State *state, Known *found) except -1 nogil
    cdef void store(self, Worker *w, const State *state, int64_t lower, int settled, int guess,
                    int effort) noexcept nogil
    cdef void store_alike(self, Worker *w, const Node *node, int64_t lower) noexcept nogil

    # ---- the loop
    cdef int first_guess(self) noexcept
    cdef int known(self, Worker *w, const Node *above, const State *state, Known *out) except -1 nogil
    cdef int64_t value(self, Worker *w, const Node *above, const State *state, int64_t beta, int ply) except -1 nogil
    cdef int try_guesses(self, Worker *w, const Node *above, Node *node, int hint) except -1 nogil
    cdef int try_ranked(self, Worker *w, Node *node, Ranked *ranked, int many) except -1 nogil
    cdef int64_t guess_value(self, Worker *w, Node *node, int column, int guess) except -1 nogil
    cdef int64_t value_together(self, Worker *w, Node *node, Child *children, int many, Due *order, int64_t total,
                                int values) except -1 nogil
    cdef int in_order(self, const Child *children, int many, int searching, Due *order) noexcept nogil
    cdef void learn(self, Worker *w, const Child *child, int searching, int64_t gained, int64_t before) noexcept nogil
    cdef int64_t descend(self, Worker *w, Node *node, Child *children, int many, Due *order,
                         int64_t total) except -1 nogil
    cdef int64_t raised(self, int64_t total, Child *child, int64_t bound) noexcept nogil
    cdef int64_t total(self, const Child *children, int many, int64_t paid) noexcept nogil
    cdef void pass_on(self, const Node *node, State *child) noexcept nogil

    cdef inline void mix_discrepancies(self, State *state) noexcept nogil:
        """Mix the discrepancies that are left into the key of a state, where they are counted."""
        if state.discrepancies != ANY:
            state.key1 += mixed(<uint64_t>(state.discrepancies + 1) * <uint64_t>0xC2B2AE3D27D4EB4F + 5)
            state.key2 += mixed(<uint64_t>(state.discrepancies + 1) * <uint64_t>0xC2B2AE3D27D4EB4F + 6)

    cdef inline int64_t plus(self, int64_t a, int64_t b) noexcept nogil:
        """Return the sum of two values of at most `infinite`, or `infinite`."""
        return self.infinite if a > self.infinite - b else a + b
