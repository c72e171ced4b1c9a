"""Beliefs of models with noisy tests: who is possible, with which masses; what each test leaves, and bounds.

A belief is the state of a partially observable problem with a fixed hidden state (Smallwood and Sondik 1973): the
weight of each cause times the probabilities of the answers so far.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from guesstree.cext.core cimport Arena


cdef extern from "points.h" nogil:
    ctypedef struct Points:
        int many


cdef extern from "questions.h" nogil:
    ctypedef struct Questions:
        int many
        const int32_t *character
        const uint64_t *parts
        const uint64_t *possible


cdef struct Belief:
    int32_t *members
    double *x           # masses by the share of each cause that is here; NULL: all of it, always
    uint64_t *prints    # two words for each member; NULL: what was asked tells them
    uint64_t *asked     # bits of tests, then of groups that are open
    uint64_t *states    # of each character those that are still possible, as bits; NULL: there are no characters
    uint64_t about      # a word for the questions about characters that may help
    int n
    int answer
    int decision        # the best, -1: none is allowed
    int test            # the first of the strategy that takes `upper`, T and the decision; -1: none
    int depth           # tests looked ahead
    int tests           # that may still be asked on a path
    int failures        # of tests to answer that may still come
    double budget       # what may still be paid on a path, in whole numbers; infinite: there is no limit
    double mass
    double least        # what is lost whatever is decided
    double decide       # what the best decision loses
    uint64_t key1
    uint64_t key2
    uint64_t anchor     # the factor of the masses that keys leave out, where points have places
    uint32_t places     # of points, four bits each, see `points.h`
    double lower
    double upper


cdef struct AndNode:
    Belief *after
    double total        # at least what is paid when this test is the first
    double paid
    double gain
    int test
    int count             # states after it
    uint64_t signature        # of the states after it, 0: it has no equal
    uint64_t alike1           # of the forms of these states, where points have places
    uint64_t alike2


cdef inline int bit(const uint64_t *words, int i) noexcept nogil:
    return (words[i >> 6] >> (i & 63)) & 1


cdef inline void set_bit(uint64_t *words, int i) noexcept nogil:
    words[i >> 6] |= <uint64_t>1 << (i & 63)


cdef class BeliefModel:
    cdef Arena arena
    cdef int made               # what has to be freed: the arena
    cdef int C, T, A, D, G      # causes, tests, answers, decisions, groups
    cdef int W, words, asked_words     # words of 64 bits: of tests, of causes, of tests and then groups
    cdef int row                # numbers of each cause: its weight, what it pays at least, losses
    cdef int certain            # whether every cell has one answer
    cdef int even, whole, worst, may_stop, classes
    cdef int most_tests, failures, silent   # at the root; the answer of a test that fails to answer
    cdef double limit           # what a path may cost, infinite: anything
    cdef readonly int exponent           # of the power of two by which the masses after a history were divided
    cdef const int32_t[::1] starts_, answers_, groups_, points_
    cdef const int32_t[:, ::1] kinds_
    cdef const double[::1] shares_, prices_, later_, begin_
    cdef const uint64_t[:, ::1] prints_, overlap_, after_
    cdef const uint8_t[:, ::1] ends_
    cdef Questions questions    # two answers each, about characters
    cdef const int32_t[::1] ints_
    cdef const uint64_t[::1] words_
    cdef const double[:, ::1] rows_, apart_, lost_
    cdef const int32_t *starts
    cdef const int32_t *answers
    cdef const int32_t *groups
    cdef const int32_t *kinds
    cdef const double *shares
    cdef const double *prices
    cdef const double *later
    cdef const double *begin
    cdef const double *rows
    cdef const double *apart
    cdef const double *lost     # for each cause and decision, what is lost, not weighted; NULL: paths have no limit
    cdef const uint64_t *prints
    cdef const uint64_t *overlap
    cdef const uint64_t *after
    cdef const uint8_t *ends
    cdef uint8_t *given         # answers that somebody may give and that go on, by test
    cdef uint8_t *ending        # tests with an answer that ends the path
    cdef uint64_t *wanted       # bits of tests, for `name`
    cdef uint64_t *noisy_tests       # bits of tests some of whose cells have several answers
    cdef uint64_t *z            # two words for each cause, test, group
    cdef int32_t *best          # decision for each cause
    cdef double *sums           # of masses for each decision, 0 between uses
    cdef Points points          # that may change places
    cdef uint64_t *told         # bits of tests, for `set_key`

    cdef int prepare(self) except -1
    cdef int know_tests(self) except -1
    cdef int know_causes(self) except -1
    cdef int know_questions(self, questions) except -1
    cdef int replay(self, history, Belief *s) except -1
    cdef void normalise(self, Belief *s) noexcept nogil
    cdef double cheapest(self, const Belief *s) noexcept nogil
    cdef int splits(self, const Belief *s, int t) noexcept nogil
    cdef void useful(self, const Belief *s, uint64_t *found) noexcept nogil
    cdef void weigh(self, Belief *s) noexcept nogil
    cdef int settled(self, const Belief *s) noexcept nogil
    cdef void set_key(self, Belief *s) noexcept nogil
    cdef int renamed(self, const Belief *s, int test, int back) noexcept nogil
    cdef void add_to_key(self, const Belief *s, uint64_t *key1, uint64_t *key2) noexcept nogil
    cdef int static_bound(self, Belief *s, double price, int branches) except -1 nogil
    cdef double code_bound(self, const Belief *s, double price, int branches) except -1 nogil
    cdef int components(self, const Belief *s, double *parts) except -1 nogil
    cdef int split(self, Belief *s, int t, AndNode *node) except -1 nogil
    cdef void fill(self, const Belief *s, int t, AndNode *node, const int32_t *where) noexcept nogil
    cdef Belief *child(self, const Belief *s, AndNode *node, uint64_t *asked, int answer, int n) except NULL nogil
    cdef int most_answers(self, const Belief *s, int t) noexcept nogil
    cdef uint64_t hashed(self, const Belief *s) noexcept nogil
    cdef double gain(self, const Belief *s, const AndNode *node) noexcept nogil
    cdef double entropy(self, const Belief *s) noexcept nogil

    cdef inline int is_open(self, const Belief *s, int group) noexcept nogil:
        return bit(s.asked + self.W, group)

    cdef inline double price(self, const Belief *s, int t) noexcept nogil:
        cdef int group = self.groups[t]
        return self.later[t] if group >= 0 and self.is_open(s, group) else self.prices[t]

    cdef inline int helps(self, const Belief *s, int t) noexcept nogil:
        """Return whether a test helps by its answers: not all are equally likely for all causes, or one ends the path.

        In the worst case: whether no answer that goes on is possible for all.
        """
        cdef const int32_t *kinds = self.kinds + <int64_t>t * self.C
        cdef int32_t first = kinds[s.members[0]]
        cdef int k = 1
        if self.worst:
            return self.splits(s, t)
        while k < s.n and kinds[s.members[k]] == first:
            k += 1
        return k < s.n or (self.ending[t] and self.may_end(s.members[0], t))

    cdef inline int may_end(self, int cause, int t) noexcept nogil:
        cdef int64_t cell = <int64_t>t * self.C + cause
        cdef int e
        for e in range(self.starts[cell], self.starts[cell + 1]):
            if self.ends[t * self.A + self.answers[e]]:
                return 1
        return 0

    cdef inline int may(self, int64_t cell, int a) noexcept nogil:
        cdef int e
        for e in range(self.starts[cell], self.starts[cell + 1]):
            if self.answers[e] == a:
                return 1
        return 0

    cdef inline int askable(self, const Belief *s, int t) noexcept nogil:
        """Return whether all tests were asked that must be before this one."""
        cdef int w
        if self.after != NULL:
            for w in range(self.W):
                if self.after[t * self.W + w] & ~s.asked[w]:
                    return 0
        return 1
