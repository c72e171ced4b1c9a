"""Curves: what trees below a belief cost by their number of leaves, see `reference_leaves`."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from guesstree.cext.core cimport Arena
from guesstree.cext.belief cimport AndNode, Belief, BeliefModel


cdef struct Curve:
    uint64_t key1           # 0 in an empty slot
    uint64_t key2
    double *lower
    double *upper
    int32_t *test           # the first of the tree that takes `upper`, T and the decision; -1: none
    int m                   # numbers of leaves
    int paths               # no path goes further, however many tests may be asked
    int cut                 # whether more tests on a path might help
    int fresh               # whether it was not looked at


cdef struct Asked:          # a test with what it leaves
    AndNode after
    Curve **curves
    double *total           # at least what is paid, by the number of leaves
    double paid
    double order
    int over                # answers that end the path


cdef class CurveModel(BeliefModel):
    cdef Arena kept             # of curves that last
    cdef int kept_made
    cdef Curve **slots
    cdef uint64_t size, used
    cdef int64_t memory, taken
    cdef int L                  # leaves, 0: any number
    cdef int maximum            # whether the worst case is sought
    cdef int only               # the first test, -1: any
    cdef double least, leaf_price
    cdef const double *loss     # by cause and decision, not weighted
    cdef double *own            # of each cause, the least that it may lose
    cdef double *second         # by each decision but the best for it, the least that it loses, weighted
    cdef double *gains          # by decision
    cdef int counted            # whether few leaves are known to lose more
    cdef int plain              # whether tests have neither groups nor needs
    cdef readonly int64_t states

    cdef int prepare_curves(self, int64_t memory) except -1
    cdef Curve *curve(self, Belief *s, double price, int branches) except NULL nogil
    cdef Curve *new_curve(self, const Belief *s, int m, int lasts) except NULL nogil
    cdef int room(self) noexcept nogil
    cdef void place(self, Curve *v) noexcept nogil
    cdef int longest(self, Belief *s) noexcept nogil
    cdef int most_leaves(self, const Belief *s) noexcept nogil
    cdef double decided(self, const Belief *s, int *decision) noexcept nogil
    cdef double at_least(self, Belief *s, double decide, double price, int branches) except -1 nogil
    cdef int few_leaves(self, const Belief *s, double paid, double *lower, int m) noexcept nogil
    cdef int join(self, double *out, const double *a, int am, const double *b, int bm, int most) noexcept nogil
    cdef int joined(self, const Asked *node, int m, int upper, int without, double *out) except -1 nogil
    cdef int sum_up(self, const Asked *node, int m, int upper, double *total) except -1 nogil
