# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What the checker of certificates finds by itself about sets of secrets: verify/counting.h, called by writers.

A certificate names only what a checker does not find. Nothing here has to be believed: the programs in `verify` check
every certificate, and share no state with the writer.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t


cdef extern from *:
    """
    #define MAX_LOOKED ((size_t)1 << 28)
    #define MAX_MASKS ((size_t)1 << 28)
    #include "counting.h"

    /* Each returns -1 where the checker stops, which says why in `why`. */

    static int open_game(Check *c, const char *words) {
        if (setjmp(c->stopped)) return -1;
        if (c->rules) {
            c->kind = WORDLE;
            c->guess_text = take(c, (size_t)c->guesses, sizeof *c->guess_text);
            c->secret_text = take(c, (size_t)c->secrets, sizeof *c->secret_text);
            for (int i = 0; i < c->guesses + c->secrets; i++, words += c->pegs) {
                if (i < c->guesses) c->guess_text[i] = (char *)words;
                else c->secret_text[i - c->guesses] = (char *)words;
            }
        }
        c->guess_of = take(c, (size_t)c->secrets, sizeof *c->guess_of);
        for (int s = 0; s < c->secrets; s++) c->guess_of[s] = -1;
        for (int g = 0; g < c->guesses; g++) if (c->secret_of[g] >= 0) c->guess_of[c->secret_of[g]] = g;
        open_rules(c);
        turn_responses(c);
        open_bounds(c);
        c->bounds->plainly = c->bounds->largest = 1;
        return 0;
    }

    static int begin(Check *c, Claim *claim) {
        if (setjmp(c->stopped)) return -1;
        if (c->known_bytes > MAX_LOOKED) forget(c, 0);
        claim->left = depth_of(c, claim->n, claim->left);
        open_claim(c, claim);
        count_of(c, claim->most); /* for all who ask later: it may stop here only */
        return 0;
    }

    static int keep(Check *c, const int *set, int n, int under, int64_t depth, int64_t bound) {
        if (setjmp(c->stopped)) return -1;
        remember(c, set, n, under, depth_of(c, n, depth), bound);
        return 0;
    }

    /* Writes the guesses that counting does not settle, but those left out; returns how many. */
    static int find_weak(Check *c, Claim *claim, const uint8_t *out, int *found) {
        int count = 0, asked = 0;
        if (setjmp(c->stopped)) return -1;
        mark(c, claim->set, claim->n);
        for (int g = 0; g < c->guesses; g++) asked += !out[g];
        if (asked > c->guesses / 8) look_for_large(c, claim);
        for (int g = 0; g < c->guesses; g++) {
            if (out[g] || (claim->first >= 0 && g != claim->first)) continue;
            if (by_count(c, claim, g) < claim->bound) found[count++] = g;
        }
        return count;
    }

    /* Writes which of some guesses are not shown to cost the bound, with what is shown; returns how many. Of those
     * that are shown to, the parts that promise most are enough; of the others all parts are looked at. */
    static int find_failing(Check *c, Claim *claim, const int *guesses, int many, int *found, int64_t *shown) {
        Part parts[MAX_PARTS + 1];
        int count = 0, used;
        c->bounds->largest = 0;
        if (setjmp(c->stopped)) return -1;
        for (int i = 0; i < many; i++) {
            shown[count] = weigh_parts(c, claim, guesses[i], claim->bound, 1, parts, &used);
            if (shown[count] < claim->bound) found[count++] = guesses[i];
        }
        return count;
    }

    static int find_parts(Check *c, Claim *claim, int g, int64_t need, int ahead, Part *parts) {
        int used;
        c->bounds->largest = 1;
        if (setjmp(c->stopped)) return -1;
        weigh_parts(c, claim, g, need, ahead, parts, &used);
        return used;
    }

    static int find_demands(Check *c, int under, int g, int s) {
        if (setjmp(c->stopped)) return -1;
        return demanded(c, under, g, s);
    }

    /* Joins orbits of guesses by a renaming; returns 0 where it is none. */
    static int find_orbits(Check *c, Claim *claim, const int *to) {
        if (setjmp(c->stopped)) return -1;
        return join_images(c, claim, claim->set, to, claim->n) < 0;
    }
    """
    int64_t INF
    int MAX_PARTS
    ctypedef struct Check:
        const char *why
        int secrets, guesses, responses, win, identify, candidates_only, rules, pegs
        int32_t *secret_of
        const uint8_t *of_guess
        size_t long_row, wide_row
    ctypedef struct CClaim "Claim":
        const int32_t *set
        int n, first, most, under
        int64_t left, bound
        uint8_t *parts
        uint8_t *large
        uint8_t *gathered
        int32_t *orbit
    ctypedef struct Part:
        const int32_t *set
        int n
        int64_t bound
    ctypedef struct Count:
        pass
    int ANY
    void start(Check *c) nogil
    int open_game(Check *c, const char *words) nogil
    int begin(Check *c, CClaim *claim) nogil
    int keep(Check *c, const int32_t *members, int n, int under, int64_t depth, int64_t bound) nogil
    int find_weak(Check *c, CClaim *claim, const uint8_t *out, int32_t *found) nogil
    int find_failing(Check *c, CClaim *claim, const int32_t *guesses, int many, int32_t *found,
                     int64_t *shown) nogil
    int find_parts(Check *c, CClaim *claim, int g, int64_t need, int ahead, Part *parts) nogil
    int find_demands(Check *c, int under, int g, int s) nogil
    int find_orbits(Check *c, CClaim *claim, const int32_t *to) nogil
    int orbit_of(const CClaim *claim, int g) nogil
    int depth_of(const Check *c, int n, int64_t depth) nogil
    void forget_some "forget" (Check *c, int proved) nogil
    void give(void *memory) nogil
    void release(Check *c) nogil
    const Count *count_of(Check *c, int parts) nogil
    int64_t counting(const Check *c, const Count *count, int n, int64_t depth) nogil
    const uint8_t *row(const Check *c, int g) nogil


INFINITE = 1 << 50
RULES = "", "hard", "ultra"
MOST_LETTERS = 5

cdef int64_t MUCH = <int64_t>1 << 50


cdef class Checker:
    """Bounds of sets, as a checker has them: by counting, one step ahead, and by what is proved already.

    Parameters
    ----------
    table: every response, at most 255, uint8, shape (guesses, secrets).
    own: the secret that each guess names, or -1; int32, shape (guesses,).
    winning: the response that ends the game, or -1: the goal is to identify.
    only: whether only guesses that name a secret of the set at hand may be asked.
    rules: of what may be asked, one of `RULES`.
    words: the guesses and then the secrets, where there are rules: letters a to z, ASCII, shape (words, letters).
    """

    cdef Check c
    cdef object kept

    def __cinit__(self):
        start(&self.c)

    def __init__(self, table, const int32_t[::1] own, int responses, int winning, bint only=False,
                 rules="", const uint8_t[:, ::1] words=None):
        cdef const uint8_t[:, ::1] rows = np.ascontiguousarray(table, dtype=np.uint8)
        cdef const uint8_t *letters = NULL
        cdef int failed
        self.kept = rows, own, words
        self.c.guesses, self.c.secrets, self.c.responses = rows.shape[0], rows.shape[1], responses
        self.c.rules = RULES.index(rules)
        if self.c.rules:
            self.require_words(words)
            letters, self.c.pegs = &words[0, 0], words.shape[1]
        self.c.win, self.c.identify, self.c.candidates_only = winning, winning < 0, only
        self.c.of_guess, self.c.secret_of = &rows[0, 0], <int32_t *>&own[0]
        self.c.long_row, self.c.wide_row = rows.shape[1], (rows.shape[0] + 63) // 64 * 64
        with nogil:
            failed = open_game(&self.c, <const char *>letters)
        self.require(failed)

    def __dealloc__(self):
        release(&self.c)

    def require_words(self, words):
        """Raise ValueError for what are not the guesses and the secrets in letters that the checker takes."""
        letters = np.zeros((0, 0), np.uint8) if words is None else np.asarray(words)
        fits = letters.shape[0] == self.c.guesses + self.c.secrets and 1 <= letters.shape[1] <= MOST_LETTERS
        if not fits or letters.min() < ord("a") or letters.max() > ord("z"):
            raise ValueError(f"words of shape {letters.shape}; expected all guesses and secrets in up to "
                             f"{MOST_LETTERS} letters a to z")

    cdef int require(self, int found) except -1:
        """Return what was found; raise MemoryError where the checker stopped."""
        if found < 0:
            raise MemoryError(self.c.why.decode())
        return found

    def depth(self, int n, int64_t depth):
        """Return the guesses that can matter to n secrets (L6)."""
        return depth_of(&self.c, n, depth)

    def remember(self, const int32_t[::1] candidates, int64_t depth, int64_t bound, int under=0):
        """Keep a bound that is proved, of exactly this set with so many guesses left, under what was demanded."""
        self.require(keep(&self.c, &candidates[0], candidates.shape[0], under, depth, inner(bound)))

    def demanded(self, int under, int guess, int secret):
        """Return the number of what is demanded after one more guess, when this is the secret; 0: nothing is."""
        return self.require(find_demands(&self.c, under, guess, secret))

    def forget(self):
        """Forget what is proved."""
        forget_some(&self.c, 1)

    def orbits(self, const int32_t[::1] candidates, renamings):
        """Return which guesses renamings of a set make equal (L9), by the least of each orbit; int32, shape (guesses,).

        `renamings`: where each candidate goes, in their order. Returns None where one is no renaming of the set.
        """
        cdef CClaim claim
        cdef const int32_t[::1] images
        cdef int fits = 1, g
        cdef int32_t[::1] least = np.arange(self.c.guesses, dtype=np.int32)
        claim.orbit, claim.set, claim.n = NULL, &candidates[0], candidates.shape[0]
        for to in renamings:
            images = np.ascontiguousarray(to)
            fits = fits and self.require(find_orbits(&self.c, &claim, &images[0]))
        for g in range(self.c.guesses - 1, -1, -1):
            least[orbit_of(&claim, g)] = g
        found = np.array([least[orbit_of(&claim, g)] for g in range(self.c.guesses)], dtype=np.int32)
        give(claim.orbit)
        return found if fits else None

    def whole(self, const int32_t[::1] guesses, const int32_t[:, ::1] members, const int32_t[::1] sizes):
        """Return for each guess the first set that it leaves whole in a part that does not win, or -1.

        `members`: int32, shape (sets, most members), of which the first `sizes` count.
        """
        cdef int i, j, k, r
        cdef const uint8_t *of
        cdef int32_t[::1] out
        found = np.full(guesses.shape[0], -1, dtype=np.int32)
        out = found
        with nogil:
            for i in range(guesses.shape[0]):
                of = row(&self.c, guesses[i])
                for j in range(sizes.shape[0]):
                    r, k = of[members[j, 0]], 1
                    while k < sizes[j] and of[members[j, k]] == r:
                        k += 1
                    if k == sizes[j] and r != self.c.win:
                        out[i] = j
                        break
        return found


cdef class Claim:
    """The claim that a set costs at least a bound within so many guesses, with what a checker finds of its guesses.

    Parameters
    ----------
    depth: the guesses left; more than can matter are taken as those.
    first: the only first guess there is, or None.
    under: the number of what the history demands, see `Checker.demanded`.
    """

    cdef Checker checker
    cdef CClaim claim
    cdef const int32_t[::1] members

    def __init__(self, Checker checker, const int32_t[::1] candidates, int64_t depth, int64_t bound, first=None,
                 int under=0):
        cdef int failed
        self.checker, self.members = checker, candidates
        self.claim.set, self.claim.n = &self.members[0], self.members.shape[0]
        self.claim.left, self.claim.bound, self.claim.under = depth, inner(bound), under
        self.claim.first = ANY if first is None else first
        with nogil:
            failed = begin(&checker.c, &self.claim)
        checker.require(failed)

    def __dealloc__(self):
        if self.checker is not None:
            give(self.claim.parts)
            give(self.claim.large)
            give(self.claim.gathered)

    @property
    def depth(self):
        """The guesses left."""
        return self.claim.left

    def counted(self, int n, int64_t depth):
        """Return at least what n secrets of the set cost within so many guesses, by counting (L3)."""
        cdef const Count *count = count_of(&self.checker.c, self.claim.most)
        return outer(counting(&self.checker.c, count, n, depth))

    def unsettled(self, left_out=None):
        """Return the guesses, rising, that counting does not show to cost the bound, without those left out."""
        cdef int few
        cdef int32_t[::1] out
        cdef uint8_t[::1] skipped
        found, skip = np.empty(self.checker.c.guesses, dtype=np.int32), np.zeros(self.checker.c.guesses, dtype=np.uint8)
        if left_out is not None:
            skip[left_out] = 1
        out, skipped = found, skip
        with nogil:
            few = find_weak(&self.checker.c, &self.claim, &skipped[0], &out[0])
        return found[: self.checker.require(few)].copy()

    def failing(self, const int32_t[::1] guesses):
        """Return those of the guesses that are not shown to cost the bound, and what is shown of each."""
        cdef int few, many = guesses.shape[0]
        cdef int32_t[::1] out
        cdef int64_t[::1] totals
        found, shown = np.empty(many, dtype=np.int32), np.empty(many + 1, dtype=np.int64)
        out, totals = found, shown
        if not many:
            return found, shown[:0]
        with nogil:
            few = find_failing(&self.checker.c, &self.claim, &guesses[0], many, &out[0], &totals[0])
        self.checker.require(few)
        return found[:few].copy(), np.minimum(shown[:few], INFINITE)

    def parts_of(self, int guess, int64_t enough, bint looking=True):
        """Return the parts of a guess, the largest first, with bounds: as far as `enough`, or without a look ahead."""
        cdef Part[256] parts
        cdef int i, used
        with nogil:
            used = find_parts(&self.checker.c, &self.claim, guess, inner(enough) if looking else INF, looking, parts)
        return [
            (np.array(<int32_t[:parts[i].n]>parts[i].set), outer(parts[i].bound))
            for i in range(self.checker.require(used))
        ]


cdef inline int64_t inner(int64_t bound) noexcept nogil:
    return INF if bound >= MUCH else bound


cdef inline int64_t outer(int64_t bound) noexcept nogil:
    return min(bound, MUCH)
