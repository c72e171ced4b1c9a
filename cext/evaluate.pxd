"""Responses and bounds: what the search asks about one set of candidates at a time."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from guesstree.cext.core cimport Arena, Ranked, Worker
from guesstree.cext.search cimport Search
from guesstree.cext.view cimport View


cdef enum:
    MOST_SMALL = 255    # parts are counted in bytes
    NO_PARTS = 1
    NO_LIMITS = 8
    NO_NOGOODS = 64
    MOST_NOGOODS = 16384
    MOST_WHOLE = 16     # secrets of a nogood at most
    LOOK = 64           # guesses, or secrets, between two looks at whether to go back

cdef struct Limits:     # what counting says of every subset of one set
    int parts           # at most so many parts, the winning one counted in any case
    int reach
    int64_t *least      # least[n]: total of n secrets
    int64_t *capacity   # capacity[d]: secrets that d guesses can settle, d <= reach


cdef struct Ahead:      # what the guesses of a set promise: the least bound, exact or not, and who has it
    int64_t lower
    int64_t upper
    int column


cdef struct Nogoods:    # those inside one state
    Worker *owner       # whose memory these are in
    int32_t *place      # row of each secret, or -1; NULL until a guess is tested
    int32_t *ids
    int inside          # how many
    int looked          # how many of all were looked at


cdef struct Columns:    # what a worker needs to look at all guesses at once
    uint8_t *parts
    const uint8_t **row
    uint8_t *response


cdef int64_t counting_bound(const Limits *limits, int n, int d) noexcept nogil


cdef class Evaluator(Search):
    cdef View *root
    cdef Limits limits
    cdef readonly int unit
    cdef int R, base, winning, only_candidates, simd, without
    cdef int32_t *identity
    cdef object planes_array, counts_array
    cdef const uint8_t[::1] response_of
    cdef const uint8_t[:, ::1] planes   # codes: symbol at each position, (pegs, width)
    cdef const uint8_t[:, ::1] counts   # codes: how often each symbol occurs, (symbols, width)
    cdef uint8_t number[256]
    cdef int symbols
    cdef int32_t *nogood        # sets that no guess separates: MOST_WHOLE places each, and how many are used
    cdef int32_t *nogood_size
    cdef int nogood_count, nogood_guard

    cdef View *root_view(self, const int32_t[::1] own) except NULL
    cdef int fill_root(self, const uint8_t[:, ::1] table) except -1
    cdef int same_both_ways(self, const View *view) noexcept nogil
    cdef int prepare_codes(self, response_of) except -1
    cdef void answer_all(self, int code, uint8_t *out) noexcept nogil
    cdef const uint8_t *column(self, Worker *w, View *view, int column) noexcept nogil
    cdef View *code_view(self, Worker *w, const int32_t *rows, int n) except NULL nogil
    cdef int64_t solved_by_size(self, int n, int d) noexcept nogil
    cdef int must_separate(self, int d) noexcept nogil
    cdef int by_counts(self, View *view, int n) noexcept nogil
    cdef uint8_t *count_parts(self, Worker *w, View *view, const int32_t *rows, int n, int enough=*) noexcept nogil
    cdef int separating(self, Worker *w, View *view, const int32_t *rows, int n) noexcept nogil
    cdef const uint8_t **gather(self, Worker *w, View *view, const int32_t *rows, int n) noexcept nogil
    cdef int most_parts(self, Worker *w, View *view, const uint8_t *parts) noexcept nogil
    cdef int tighten_by_parts(self, Worker *w, const Limits *above, View *view, int n, const uint8_t *parts,
                              Limits *out) except -1 nogil
    cdef int64_t bound_by_parts(self, const Limits *limits, int n, int d, int k, int wins) noexcept nogil
    cdef const int64_t *part_bounds(self, Worker *w, const Limits *limits, int n, int d) except NULL nogil
    cdef void bound_by_sizes(self, const int64_t *bounds, const uint8_t *col, const int32_t *rows, int n,
                             Ranked *out) noexcept nogil
    cdef void best_by_parts(self, Worker *w, View *view, const int32_t *rows, int n, int d, const Limits *limits,
                            Ahead *found) noexcept nogil
    cdef int best_by_sizes(self, Worker *w, View *view, const int32_t *rows, int n, int d, const Limits *above,
                           Ahead *found) except -1 nogil
    cdef int learn_nogood(self, Worker *w, View *view, const int32_t *rows, int n) except -1 nogil
    cdef int nogoods_matter(self, int d) noexcept nogil
    cdef int is_nogood(self, Worker *w, Nogoods *known, View *view, const int32_t *rows, int n,
                       const uint8_t *col) except -1 nogil
