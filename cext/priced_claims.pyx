# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What the checker of certificates with costs finds by itself about sets: verify/price.h, called by writers.

P1 to P9 are stated and proved in verify/PRICED.md. A set goes with what each of its secrets may still pay, -1: any. It
is *open* if no guess that costs nothing tells anything of it.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint16_t


cdef extern from *:
    """
    #define MAX_LOOKED ((size_t)1 << 28)
    #include "price.h"

    /* Each returns -1 where the checker stops, which says why in `why`. */

    static int open_game(Check *c, const uint16_t *answers, const int64_t *costs, int responses,
                         const int64_t *weights) {
        if (setjmp(c->stopped)) return -1;
        const Cost **price = take(c, (size_t)c->guesses, sizeof *price);
        for (int g = 0; g < c->guesses; g++) price[g] = costs + (size_t)g * (size_t)responses;
        c->bounds = take(c, 1, sizeof *c->bounds);
        c->bounds->answers = answers, c->bounds->price = price, c->bounds->weight = weights;
        open_bounds(c, responses);
        return 0;
    }

    static int keep(Check *c, const int *set, int n, int64_t left, int64_t bound) {
        if (setjmp(c->stopped)) return -1;
        remember(c, set, n, 0, left, bound);
        return 0;
    }

    /* Writes which of some guesses are not shown to cost the bound on an open set; none where the set is. */
    static int find_weak(Check *c, Claim *claim, const int *guesses, int many, int *found) {
        int count = 0;
        if (setjmp(c->stopped)) return -1;
        if (c->known_bytes > MAX_LOOKED) forget(c, 0);
        claim->most = branches(c, claim->set, claim->n);
        if (by_set(c, claim)) return 0;
        for (int i = 0; i < many; i++)
            if (useful(c, guesses[i], claim->set, claim->n) && asking(c, claim->set, claim->n, claim->left, guesses[i],
                                                                     claim->bound, claim->most, 1) < claim->bound)
                found[count++] = guesses[i];
        return count;
    }

    static int find_parts(Check *c, const Claim *claim, int g, int *copy, Part *parts, int64_t *sum) {
        int used;
        if (setjmp(c->stopped)) return -1;
        if (c->known_bytes > MAX_LOOKED) forget(c, 0);
        int most = branches(c, claim->set, claim->n);
        *sum = weigh_parts(c, claim->set, claim->n, claim->left, g, claim->bound, most, 1, copy, parts, &used);
        return used;
    }

    /* Joins orbits of guesses by a renaming; returns 0 where it is none. */
    static int find_orbits(Check *c, Claim *claim, const int *to) {
        if (setjmp(c->stopped)) return -1;
        for (int i = 0; i < claim->n; i++)
            if (c->bounds->weight[claim->set[i]] != c->bounds->weight[to[i]]) return 0;
        return join_images(c, claim, claim->set, to, claim->n) < 0;
    }
    """
    int64_t INF
    int FREE
    ctypedef struct Bounds "struct Bounds":
        int64_t penalty
        int rate
    ctypedef struct Check:
        const char *why
        int secrets, guesses, win, candidates_only
        Bounds *bounds
    ctypedef struct CClaim "Claim":
        const int32_t *set
        int n, most
        int64_t left, bound
        int32_t *orbit
    ctypedef struct CPart "Part":
        const int32_t *set
        int n
        int64_t left, bound
    void start(Check *c) nogil
    int open_game(Check *c, const uint16_t *answers, const int64_t *costs, int responses, const int64_t *weights) nogil
    int keep(Check *c, const int32_t *members, int n, int64_t left, int64_t bound) nogil
    int find_weak(Check *c, CClaim *claim, const int32_t *guesses, int many, int32_t *found) nogil
    int find_parts(Check *c, const CClaim *claim, int g, int32_t *copy, CPart *parts, int64_t *sum) nogil
    int find_orbits(Check *c, CClaim *claim, const int32_t *to) nogil
    int orbit_of(const CClaim *claim, int g) nogil
    int64_t known_bound(const Check *c, const int32_t *members, int n, int64_t left) nogil
    void forget_some "forget" (Check *c, int proved) nogil
    void give(void *memory) nogil
    void release(Check *c) nogil


INFINITE = 1 << 60


cdef class Checker:
    """Bounds of sets, as a checker has them: by price, small sets, one step ahead, and what is proved.

    Parameters
    ----------
    table: responses, shape (guesses, secrets).
    winning: the response that ends the game, or -1: to identify.
    weights: at least 1, int64, shape (secrets,).
    costs: not negative, int64, shape (guesses, responses).
    only: whether a guess may be asked only where it wins on a secret that is left.
    """

    cdef Check c
    cdef object order, place, kept

    def __cinit__(self):
        start(&self.c)

    def __init__(self, table, int responses, int winning, weights, costs, bint only=False):
        cdef const uint16_t[:, ::1] answers
        cdef const int64_t[:, ::1] prices
        cdef const int64_t[::1] ordered
        cdef int failed
        self.order = np.argsort(-weights, kind="stable").astype(np.int32)  # the heaviest first
        self.place = np.argsort(self.order).astype(np.int32)
        numbers = np.arange(1, responses + 1, dtype=np.uint16)  # response 0 wins
        first = costs[:, :1] if winning < 0 else costs[:, [winning]]
        prices = np.ascontiguousarray(np.hstack([first, costs]), np.int64)
        if winning >= 0:
            numbers[winning] = 0
        answers = np.ascontiguousarray(numbers[table[:, self.order]])
        ordered = np.ascontiguousarray(weights[self.order], dtype=np.int64)
        self.kept = answers, prices, ordered
        self.c.guesses, self.c.secrets, self.c.win = answers.shape[0], answers.shape[1], winning >= 0
        self.c.candidates_only = only
        with nogil:
            failed = open_game(&self.c, &answers[0, 0], &prices[0, 0], responses + 1, &ordered[0])
        self.require(failed)

    def __dealloc__(self):
        release(&self.c)

    cdef int require(self, int found) except -1:
        """Return what was found; raise MemoryError where the checker stopped."""
        if found < 0:
            raise MemoryError(self.c.why.decode())
        return found

    def counts(self, int64_t penalty, int rate):
        """Say what counts, and forget all that was known.

        A unit of weight that is lost with so much left costs penalty + rate * left, or INFINITE; what is paid counts if
        `rate` is 1, and not if it is 0.
        """
        self.c.bounds.penalty, self.c.bounds.rate = penalty, rate
        forget_some(&self.c, 0)
        forget_some(&self.c, 1)

    def forget(self):
        """Forget what was proved."""
        forget_some(&self.c, 1)

    def remember(self, candidates, int64_t left, int64_t bound):
        """Keep a bound that is proved."""
        cdef const int32_t[::1] members = np.sort(self.place[candidates])
        self.require(keep(&self.c, &members[0], members.shape[0], inner(left), bound))

    def known(self, candidates, int64_t left):
        """Return the best bound that was proved of exactly this set (P8)."""
        cdef const int32_t[::1] members = np.sort(self.place[candidates])
        return known_bound(&self.c, &members[0], members.shape[0], inner(left))

    def weak(self, candidates, int64_t left, int64_t bound, const int32_t[::1] guesses):
        """Return which guesses are not shown to cost the bound on an open set; none if the set is shown to."""
        cdef const int32_t[::1] members = np.sort(self.place[candidates])
        cdef int32_t[::1] out
        cdef int few, many = guesses.shape[0]
        cdef CClaim claim
        found = np.empty(self.c.guesses, dtype=np.int32)
        out = found
        claim.set, claim.n, claim.left, claim.bound = &members[0], members.shape[0], inner(left), bound
        with nogil:
            few = find_weak(&self.c, &claim, &guesses[0], many, &out[0])
        return found[: self.require(few)].tolist()

    def ask(self, candidates, int64_t left, int guess, int64_t bound):
        """Return at least what a guess costs (-1: none), and the parts that it leaves.

        A part is (candidates, left, at least what it costs), open; the bounds go as far as is needed.
        """
        cdef const int32_t[::1] members = np.sort(self.place[candidates])
        cdef int n = members.shape[0], used, i
        cdef int32_t[::1] copy = np.empty(n, dtype=np.int32)
        cdef int64_t total
        cdef CClaim claim
        room = np.empty((n + 1) * sizeof(CPart), dtype=np.uint8)
        cdef CPart *parts = <CPart *><size_t>room.ctypes.data
        claim.set, claim.n, claim.left, claim.bound = &members[0], n, inner(left), bound
        with nogil:
            used = find_parts(&self.c, &claim, guess, &copy[0], parts, &total)
        found = []
        for i in range(self.require(used)):
            some = np.sort(self.order[np.asarray(<int32_t[:parts[i].n]>parts[i].set)])
            found.append((some, -1 if parts[i].left >= INF else parts[i].left, parts[i].bound))
        return total, found

    def orbits(self, candidates, renamings):
        """Return which guesses renamings of a set make equal (P9), by the least of each orbit; int32, shape (guesses,).

        `renamings`: where each candidate goes, in their order. Returns None where one is no renaming of the set.
        """
        cdef CClaim claim
        cdef const int32_t[::1] members, images
        cdef int fits = 1, g
        cdef int32_t[::1] least = np.arange(self.c.guesses, dtype=np.int32)
        claim.orbit = NULL
        by_place = np.argsort(self.place[candidates])
        members = np.ascontiguousarray(self.place[candidates][by_place])
        claim.set, claim.n = &members[0], members.shape[0]
        for to in renamings:
            images = np.ascontiguousarray(self.place[to][by_place])
            fits = fits and self.require(find_orbits(&self.c, &claim, &images[0]))
        for g in range(self.c.guesses - 1, -1, -1):
            least[orbit_of(&claim, g)] = g
        found = np.array([least[orbit_of(&claim, g)] for g in range(self.c.guesses)], dtype=np.int32)
        give(claim.orbit)
        return found if fits else None


cdef inline int64_t inner(int64_t left) noexcept nogil:
    return INF if left < 0 else left
