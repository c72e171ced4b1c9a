"""Bounds of the search over costs: what every guess makes of one set."""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t

from guesstree.cext.core cimport Core, Dropping, Known, Ranked, Worker


cdef enum:
    SMALL = 4       # sets of more secrets are worth symmetry, threads, and the order of a beam
    ANY = -1        # deviations: as many as there are


cdef struct Scan:       # all guesses on a set
    Ranked *ranked
    int32_t *guesses    # those that tell something new, ascending: of no others is more to be had below
    int choices
    int few
    int free            # a guess that costs nothing on the set, or -1
    int most
    int guess
    int64_t lower
    int64_t upper


cdef struct Cells:      # the parts of one guess, by response
    int32_t *touched
    int32_t *count
    int64_t *weight
    int64_t *sum            # of what the secrets pay at least; or the largest
    int64_t *depth          # counting: of the secret that comes next,
    int64_t *room           # and how many more are won at that depth,
    int64_t *width          # and at the next
    int64_t *left
    int32_t *last
    uint64_t *key1
    uint64_t *key2
    int32_t **start         # where the next secret of a part goes


cdef struct Set:        # some secrets, and what may still be asked of them
    const int32_t *members  # by weight, the heaviest first
    int n
    int depth           # guesses left
    int most            # no guess makes more parts of it
    int spare           # deviations left, or ANY
    int64_t left        # of the budget, -1: there is none
    const uint64_t *needs   # what the history demands; NULL without rules
    uint64_t key1
    uint64_t key2


cdef class Pricer(Core):
    cdef int R, winning, win, only_candidates, worst, shift, rate, deviations, pairs
    cdef int64_t unit, payer, lost
    cdef uint16_t *cols         # responses by guess and place; bytes would be no faster (measured)
    cdef int32_t *own
    cdef int32_t *usual         # the commonest response to each guess
    cdef int plain              # whether parts have nothing to add up but weights: nobody pays for all guesses
    cdef int64_t *weights
    cdef int64_t *pay
    cdef int64_t *end
    cdef int64_t *costs
    cdef int64_t *prices
    cdef object place
    cdef int32_t *everything    # all guesses

    cdef void key_of(self, Set *some) noexcept nogil
    cdef inline int64_t sum(self, int64_t a, int64_t b) noexcept nogil:
        """Return the sum of two values of at most INFINITE, or INFINITE: sets that nothing tells apart have it."""
        return self.infinite if a > self.infinite - b else a + b
    cdef inline int bound_to(self, int n, int depth) noexcept nogil:
        """Return whether so many guesses left may be too few: more than one for each secret are never asked."""
        return depth < n - 1 + self.win
    cdef int dead(self, int n, int depth, int most) noexcept nogil
    cdef int64_t lost_all(self, int64_t weight, int64_t left) noexcept nogil
    cdef int64_t weight(self, const int32_t *members, int n) noexcept nogil
    cdef int64_t given_up(self, const int32_t *members, int n, int64_t left) noexcept nogil
    cdef int64_t per(self, int64_t cost, int64_t left) noexcept nogil
    cdef int64_t loss(self, int64_t left) noexcept nogil
    cdef int64_t single(self, int s, int64_t left, int depth) noexcept nogil
    cdef int known(self, Worker *w, const Set *some, Known *found) except -1 nogil
    cdef int64_t static_bound(self, Worker *w, const Set *some) except -1 nogil
    cdef int64_t counted(self, Worker *w, const int32_t *members, int n, int64_t left, int most) except -1 nogil
    cdef int64_t huffman(self, Worker *w, const int32_t *members, int n, int most) except -1 nogil
    cdef int ahead(self, Worker *w, const Set *some, const Scan *above, Known *found) except -1 nogil
    cdef int scan(self, Worker *w, const Set *some, const int32_t *guesses, int choices, const Dropping *dropping,
                  Scan *out) except -1 nogil
    cdef int fill(self, const Set *some, int guess, Cells *cells) noexcept nogil
    cdef int fill_plainly(self, const Set *some, int guess, int64_t weight, uint64_t key1, uint64_t key2,
                          Cells *cells) noexcept nogil
    cdef void hash_parts(self, const Set *some, const Cells *cells, int few, int guess, uint64_t *hash1,
                         uint64_t *hash2) noexcept nogil
    cdef void note(self, const Set *some, const Cells *cells, int few, int guess, int dropped,
                   Scan *out) noexcept nogil
    cdef int64_t beam_score(self, const Cells *cells, int few, int guess) noexcept nogil
    cdef int64_t spared(self, const Cells *cells, int few, int guess) noexcept nogil
    cdef int64_t chain(self, const int32_t *members, int n, int64_t left, const int64_t *spared,
                       int count) noexcept nogil
