# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What the checker of certificates of tests with several answers finds: verify/noise_table.h, called by writers.

N1 to N6 are stated and proved in verify/NOISY.md. Bounds are texts of digits, as certificates have them.
"""

from libc.stdint cimport int32_t, int64_t


cdef extern from *:
    """
    #define MAX_LOOKED ((size_t)1 << 28)
    #include "noise_table.h"

    /* Each returns -1 where the checker stops, which says why in `why`. */

    static int open_game(Check *c, const char *table, size_t length, int worst) {
        if (setjmp(c->stopped)) return -1;
        char *text = take(c, length + 1, 1);
        memcpy(text, table, length);
        c->secrets = c->guesses = 0;
        open_bounds(c, text, text + length - (length && text[length - 1] == '\\n'), "the table", worst);
        return 0;
    }

    static void limit_looks(Check *c, int64_t most) { c->bounds->looks = 0, c->bounds->most_looks = most; }
    static void end_looks(Check *c) { if (c->bounds) c->bounds->halted = 1; }

    static const State *state_after(Check *c, const int *path, int length) {
        const State *s = root_state(c);
        for (int i = 0; i + 1 < length; i += 2) {
            State *after, *next = NULL;
            if (bit(s->asked, path[i])) stop(c, 1, "asked before");
            int count = split(c, s, path[i], &after);
            for (int k = 0; k < count; k++) if (after[k].answer == path[i + 1]) next = after + k;
            if (!next) stop(c, 1, "no such answer");
            s = next;
        }
        return s;
    }

    /* Which test is not shown to cost so much, -1: the claim holds; the number of tests: to decide costs less. */
    static int find_refused(Check *c, const int *path, int length, int first, char *bound, int ahead, int *refused) {
        if (setjmp(c->stopped)) return -1;
        back_to(c->bounds, (Mark){c->bounds->base, 0});
        Limb *least = new_number(c);
        read_limbs(c, bound, least);
        *refused = refused_test(c, state_after(c, path, length), least, first, far_ahead(c, ahead));
        return 0;
    }

    /* At least what the whole costs, by so many tests ahead, as far as `bound` goes. */
    static int find_least(Check *c, int first, char *bound, int ahead, char **found) {
        if (setjmp(c->stopped)) return -1;
        back_to(c->bounds, (Mark){c->bounds->base, 0});
        Limb *want = new_number(c), *out = new_number(c);
        read_limbs(c, bound, want);
        State *s = root_state(c);
        if (first < 0) look(c, s, want, ahead < c->bounds->tests ? far_ahead(c, ahead + 1) : TO_THE_END, out);
        else {
            State *after;
            int count = split(c, s, first, &after);
            follow(c, s, first, after, count, want, far_ahead(c, ahead), out);
        }
        if (endless(c->bounds, out)) copy(c->bounds, out, want);
        *found = decimal(c, out);
        return 0;
    }

    static int keep(Check *c, const int *path, int length, char *bound) {
        if (setjmp(c->stopped)) return -1;
        back_to(c->bounds, (Mark){c->bounds->base, 0});
        Bounds *b = c->bounds;
        const State *s = state_after(c, path, length);
        Limb *least = new_number(c), *found = room(c, (size_t)b->words, sizeof *found);
        uint32_t *key;
        read_limbs(c, bound, least);
        size_t words = key_of(c, s, 0, found, &key);
        remember(c, &b->known, key, words, least, 0);
        return 0;
    }
    """
    ctypedef struct Check:
        const char *why
        int secrets, guesses
    void start(Check *c) nogil
    int open_game(Check *c, const char *table, size_t length, int worst) nogil
    void limit_looks(Check *c, int64_t most) nogil
    void end_looks(Check *c) nogil
    int find_refused(Check *c, const int32_t *path, int length, int first, char *bound, int ahead, int *refused) nogil
    int find_least(Check *c, int first, char *bound, int ahead, char **found) nogil
    int keep(Check *c, const int32_t *path, int length, char *bound) nogil
    void release(Check *c) nogil


class Unfinished(Exception):
    """More looks were needed than were allowed, or the looking was ended."""


cdef class Checker:
    """Bounds of the states of a table, as its checker has them.

    Parameters
    ----------
    table: the CSV file of a certificate.
    worst: whether the worst case counts.
    """

    cdef Check c

    def __cinit__(self):
        start(&self.c)

    def __init__(self, bytes table, bint worst):
        cdef const char *text = table
        cdef size_t length = len(table)
        if open_game(&self.c, text, length, worst) < 0:
            raise ValueError(self.c.why.decode("utf-8", "replace"))

    def __dealloc__(self):
        release(&self.c)

    cdef int require(self, int found) except -1:
        if found < 0:
            why = self.c.why.decode("utf-8", "replace")
            raise MemoryError(why) if why.startswith("out of memory") else Unfinished(why)
        return 0

    def stop(self):
        """End what another thread looks for, for good."""
        end_looks(&self.c)

    def refused(self, const int32_t[::1] path, int first, bytes bound, int ahead, int64_t most=0):
        """Return the first test that is not shown to cost so much after a path; -1: the claim is shown.

        The number of tests: to decide now costs less. `path`: tests, each with its answer as the table numbers them.
        `first`: the only first test, or -1. `most`: looks; then Unfinished is raised, 0: any number.
        """
        cdef int found = -1, failed, length = path.shape[0]
        cdef const int32_t *steps = NULL
        cdef char *text = bound
        if length:
            steps = &path[0]
        limit_looks(&self.c, most)
        with nogil:
            failed = find_refused(&self.c, steps, length, first, text, ahead, &found)
        self.require(failed)
        return found

    def least(self, int first, bytes bound, int ahead, int64_t most=0):
        """Return at least what the whole costs, by so many tests ahead of those asked first; up to a bound."""
        cdef char *found = NULL
        cdef char *text = bound
        cdef int failed
        limit_looks(&self.c, most)
        with nogil:
            failed = find_least(&self.c, first, text, ahead, &found)
        self.require(failed)
        return int(found)

    def remember(self, const int32_t[::1] path, bytes bound):
        """Keep a bound that is proved of the state after a path."""
        cdef const int32_t *steps = NULL
        cdef int length = path.shape[0]
        if length:
            steps = &path[0]
        self.require(keep(&self.c, steps, length, bound))
