# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Compiled kernels; `reference` is their plain twin and says what each returns."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from guesstree.cext.code_form cimport CodeForm, code_form_image, code_form_order
from guesstree.cext.core cimport (
    Arena, Stabiliser, arena_free, arena_new, countdown_place, out_of_memory, stabiliser_drops, stabiliser_new
)


cdef extern from "spread.h" nogil:
    uint64_t spread(uint64_t x)


def code_responses(const uint8_t[:, ::1] guesses, const uint8_t[:, ::1] secrets, int colours,
                   const uint8_t[:, ::1] lookup):
    """See `reference.code_responses`. One pass over the secrets for each peg and each colour of a guess."""
    cdef Py_ssize_t G = guesses.shape[0], S = secrets.shape[0], g, s
    cdef int pegs = guesses.shape[1], p, c, most
    by_peg = np.ascontiguousarray(np.asarray(secrets).T)
    by_colour = np.stack([(by_peg == c).sum(axis=0, dtype=np.uint8) for c in range(colours)])
    out = np.empty((G, S), dtype=np.uint8)
    cdef const uint8_t[:, ::1] pegs_of = by_peg
    cdef const uint8_t[:, ::1] counts_of = by_colour
    cdef uint8_t[:, ::1] result = out
    cdef uint8_t[::1] black = np.empty(S, dtype=np.uint8)
    cdef uint8_t[::1] common = np.empty(S, dtype=np.uint8)
    cdef uint8_t colour
    cdef const uint8_t *row
    cdef uint8_t *b
    cdef uint8_t *m
    if S == 0 or G == 0:
        return out
    b, m = &black[0], &common[0]
    with nogil:
        for g in range(G):
            for s in range(S):
                b[s] = 0
                m[s] = 0
            for p in range(pegs):
                colour = guesses[g, p]
                row = &pegs_of[p, 0]
                for s in range(S):
                    b[s] += row[s] == colour
            for c in range(colours):
                most = 0
                for p in range(pegs):
                    most += guesses[g, p] == c
                if most:
                    row = &counts_of[c, 0]
                    for s in range(S):
                        m[s] += row[s] if row[s] < most else <uint8_t>most
            for s in range(S):
                result[g, s] = lookup[b[s], m[s]]
    return out


ctypedef fused Response:
    uint8_t
    uint16_t


def histograms(const Response[:, ::1] table, const int32_t[::1] candidates, int responses):
    """See `reference.histograms`."""
    cdef Py_ssize_t G = table.shape[0], n = candidates.shape[0], g, i
    out = np.zeros((G, responses), dtype=np.int32)
    cdef int32_t[:, ::1] counts = out
    with nogil:
        for g in range(G):
            for i in range(n):
                counts[g, table[g, candidates[i]]] += 1
    return out


cdef enum:
    STRETCH = 32        # secrets between two looks at whether a guess may still tell more than others


def most_told(const Response[:, ::1] table, const int32_t[::1] own, const int32_t[::1] secrets,
              const int32_t[::1] starts):
    """See `reference.most_told`. Responses are stamped with the number of the set that met them last.

    A guess is left when it would tell no more than another even if all the rest of a set were told apart.
    """
    cdef Py_ssize_t G = table.shape[0], K = starts.shape[0] - 1, g, k, i, j, stop, end, left = K
    cdef int32_t told
    cdef uint32_t stamp = 0
    cdef Response r
    most_array, guess_array = np.zeros(K, dtype=np.int32), np.full(K, -1, dtype=np.int32)
    cdef int32_t[::1] most = most_array, guess = guess_array
    cdef int32_t[::1] active = np.arange(K, dtype=np.int32), home = np.full(table.shape[1], -1, dtype=np.int32)
    cdef uint32_t[::1] stamps = np.zeros(1 << 16, dtype=np.uint32)
    cdef const Response *row
    with nogil:
        for k in range(K):
            for i in range(starts[k], starts[k + 1]):
                home[secrets[i]] = <int32_t>k
        for g in range(G):
            j, row = 0, &table[g, 0]
            while j < left:
                k = active[j]
                i, end = starts[k], starts[k + 1]
                told = own[g] >= 0 and home[own[g]] == k
                if stamp == <uint32_t>0xFFFFFFFF:
                    stamps[:] = 0
                    stamp = 0
                stamp += 1
                while i < end and told + end - i > most[k]:
                    stop = min(i + STRETCH, end)
                    while i < stop:
                        r = row[secrets[i]]
                        told += stamps[r] != stamp
                        stamps[r] = stamp
                        i += 1
                if i == end and told > most[k]:
                    most[k], guess[k] = told, <int32_t>g
                if told > end - starts[k]:  # all told apart, and one of them won
                    left -= 1
                    active[j] = active[left]
                else:
                    j += 1
    return most_array, guess_array


def equivalents(const uint8_t[:, ::1] digits, int colours, bint separate, const int32_t[::1] history):
    """See `reference.equivalents`. Exact while the smaller of positions! and colours! is at most 5040."""
    cdef Py_ssize_t G = digits.shape[0], g
    cdef int positions = digits.shape[1], length = history.shape[0]
    cdef Stabiliser *stabiliser
    cdef Arena arena
    out = np.zeros(G, dtype=np.uint8)
    cdef uint8_t[::1] result = out
    if G == 0 or positions == 0:
        return out
    if not arena_new(&arena, countdown_place()):
        out_of_memory()
    try:
        with nogil:
            if not stabiliser_new(&arena, &digits[0, 0], positions, colours, separate,
                                  &history[0] if length else NULL, length, &stabiliser):
                out_of_memory()
            if stabiliser != NULL:
                for g in range(G):
                    result[g] = stabiliser_drops(stabiliser, &digits[g, 0])
    finally:
        arena_free(&arena)
    return out


cdef inline int64_t least_of(int64_t *least, int64_t one) noexcept nogil:
    """Return the number at the root of a tree, and shorten the way there."""
    while least[one] != one:
        least[one] = least[least[one]]
        one = least[one]
    return one


cdef class Generators:
    """What takes numbers below a size elsewhere, and orbits of some of them: trees, the root of each its least."""

    cdef Py_ssize_t size, n, many
    cdef bint alone                 # whether members are taken to members: then the others do not matter
    cdef list kept
    cdef const int64_t[::1] members
    cdef uint64_t[::1] places       # where the images begin in memory
    cdef int64_t[::1] least, stamps
    cdef int64_t stamp

    def __cinit__(self, Py_ssize_t size=0, generators=(), const int64_t[::1] members=None):
        cdef const int64_t[::1] to
        cdef uint8_t[::1] inside = np.zeros(size, dtype=np.uint8)
        cdef Py_ssize_t i, k
        self.size, self.n, self.members = size, 0 if members is None else members.shape[0], members
        self.kept, self.alone = list(generators), 1
        self.many = len(self.kept)
        self.places = np.zeros(self.many, dtype=np.uint64)
        self.least, self.stamps, self.stamp = np.arange(size), np.zeros(size, dtype=np.int64), 0
        for i in range(self.n):
            inside[members[i]] = 1
        for k in range(self.many):
            to = self.kept[k]
            if to.shape[0] != size:
                raise ValueError(f"a generator of {to.shape[0]} numbers; expected {size}")
            self.places[k] = <uint64_t>&to[0]
            for i in range(self.n):
                self.alone = self.alone and inside[to[members[i]]]

    cdef Py_ssize_t moved(self) noexcept nogil:
        """Return how many numbers matter: the members, or all."""
        return self.n if self.alone else self.size

    cdef void begin(self, const int64_t *joined) noexcept nogil:
        """Take the orbits that `keep` wrote."""
        cdef Py_ssize_t i
        for i in range(self.moved()):
            self.least[self.members[i] if self.alone else i] = joined[i]

    cdef void keep(self, int64_t *joined) noexcept nogil:
        """Write the orbits, as far as they matter."""
        cdef Py_ssize_t i
        for i in range(self.moved()):
            joined[i] = self.least[self.members[i] if self.alone else i]

    cdef void add(self, Py_ssize_t k) noexcept nogil:
        """Join what a generator takes to each other."""
        cdef Py_ssize_t i
        cdef int64_t *least = &self.least[0]
        cdef const int64_t *to = <const int64_t *>self.places[k]
        cdef int64_t one, other
        for i in range(self.moved()):
            one = self.members[i] if self.alone else i
            one, other = least_of(least, one), least_of(least, to[one])
            least[max(one, other)] = min(one, other)

    cdef Py_ssize_t count(self) noexcept nogil:
        """Return how many orbits members are in."""
        cdef Py_ssize_t i, found = 0
        cdef int64_t one
        self.stamp += 1
        for i in range(self.n):
            one = least_of(&self.least[0], self.members[i])
            found += self.stamps[one] != self.stamp
            self.stamps[one] = self.stamp
        return found


def orbits(Py_ssize_t size, generators, const int64_t[::1] members):
    """See `reference.orbits`."""
    cdef Py_ssize_t n = members.shape[0], i, k
    cdef int64_t[::1] first, found = np.empty(n, dtype=np.int64)
    cdef Generators those = Generators(size, generators, members)
    if n:
        first = np.full(size, -1, dtype=np.int64)
        for k in range(those.many):
            those.add(k)
    for i in range(n):
        found[i] = least_of(&those.least[0], members[i])
        if first[found[i]] < 0:
            first[found[i]] = members[i]
        found[i] = first[found[i]]
    return np.asarray(found)


def enough(Py_ssize_t size, generators, const int64_t[::1] members):
    """See `reference.enough`. Fewer generators that have as many orbits have the same.

    What the first ones join is kept for each, so that only those that are needed are added to it again.
    """
    cdef Generators those = Generators(size, generators, members)
    cdef int64_t[:, ::1] joined = np.empty((those.many, those.moved()), dtype=np.int64)
    cdef Py_ssize_t most, k, one
    if not members.shape[0]:
        return []
    for k in range(those.many):
        those.keep(&joined[k, 0])
        those.add(k)
    most, kept = those.count(), []
    for k in range(those.many - 1, -1, -1):
        those.begin(&joined[k, 0])
        for one in kept:
            those.add(one)
        if those.count() != most:
            kept.append(k)
    return kept[::-1]


ctypedef fused Marks:
    uint8_t
    uint16_t
    uint32_t


cdef void mark_row(const uint8_t *guess, const uint8_t[:, ::1] places, const uint8_t[:, ::1] counts,
                   uint8_t[:, ::1] placed, uint8_t[:, ::1] left, Marks *to) noexcept nogil:
    """Mark the letters of one guess for all secrets; `to` holds zeros."""
    cdef Py_ssize_t S = places.shape[1], s
    cdef int letters = places.shape[0], i, first
    cdef const uint8_t *row
    cdef uint8_t *place
    cdef uint8_t *free
    cdef uint8_t letter, mark
    for i in range(letters):    # how often each letter of the guess is in the secret, where it is not in place
        letter, first = guess[i], 0
        while guess[first] != letter:
            first += 1
        row, place, free = &places[i, 0], &placed[i, 0], &left[first, 0]
        if first == i:
            row = &counts[letter, 0]
            for s in range(S):
                free[s] = row[s]
            row = &places[i, 0]
        for s in range(S):
            place[s] = row[s] == letter
            free[s] -= place[s]
    for i in range(letters):
        letter, first = guess[i], 0
        while guess[first] != letter:
            first += 1
        place, free = &placed[i, 0], &left[first, 0]
        for s in range(S):
            mark = (1 - place[s]) & (free[s] > 0)
            free[s] -= mark
            to[s] = <Marks>(to[s] * 3 + (2 * place[s] + mark))


cdef mark_rows(const uint8_t[:, ::1] guesses, const uint8_t[:, ::1] secrets, Marks[:, ::1] out):
    """Mark the letters of all guesses for all secrets."""
    cdef Py_ssize_t G = guesses.shape[0], S = secrets.shape[0], g
    cdef int letters = guesses.shape[1]
    kinds = max(int(np.max(guesses)), int(np.max(secrets))) + 1
    by_place = np.ascontiguousarray(np.asarray(secrets).T)
    by_letter = np.zeros((kinds, S), dtype=np.uint8)
    for row in by_place:
        by_letter[row, np.arange(S)] += 1
    cdef const uint8_t[:, ::1] places = by_place, counts = by_letter
    cdef uint8_t[:, ::1] placed = np.empty((letters, S), dtype=np.uint8)
    cdef uint8_t[:, ::1] left = np.empty((letters, S), dtype=np.uint8)
    with nogil:
        for g in range(G):
            mark_row(&guesses[g, 0], places, counts, placed, left, &out[g, 0])


def mark_responses(const uint8_t[:, ::1] guesses, const uint8_t[:, ::1] secrets):
    """See `reference.mark_responses`. Secrets are passed over twice for each letter of a guess."""
    cdef int letters = guesses.shape[1]
    kind = np.uint8 if letters <= 5 else np.uint16 if letters <= 10 else np.uint32
    out = np.zeros((guesses.shape[0], secrets.shape[0]), dtype=kind)
    if out.size and letters <= 5:
        mark_rows[uint8_t](guesses, secrets, out)
    elif out.size and letters <= 10:
        mark_rows[uint16_t](guesses, secrets, out)
    elif out.size:
        mark_rows[uint32_t](guesses, secrets, out)
    return out


def occurring(const Marks[:, ::1] table, int64_t responses):
    """See `reference.occurring`."""
    cdef Py_ssize_t G = table.shape[0], S = table.shape[1], g, s
    found = np.zeros(responses, dtype=np.uint8)
    cdef uint8_t[::1] met = found
    with nogil:
        for g in range(G):
            for s in range(S):
                met[table[g, s]] = 1
    return found.astype(bool)


def refined(const Response[:, ::1] table, const uint64_t[:, ::1] kinds, const uint64_t[::1] guesses,
            const uint64_t[::1] secrets):
    """See `reference.refined`. Two passes over each row of the table, while it is in the cache."""
    cdef Py_ssize_t G = table.shape[0], S = table.shape[1], R = kinds.shape[1], g, s, r
    cdef uint64_t colour
    cdef uint64_t[::1] spread_secrets = np.empty(S, dtype=np.uint64)
    cdef uint64_t[::1] parts = np.empty(R, dtype=np.uint64)
    met_array, found_array = np.zeros(S, dtype=np.uint64), np.empty(G, dtype=np.uint64)
    cdef uint64_t[::1] met = met_array, found = found_array
    with nogil:
        for s in range(S):
            spread_secrets[s] = spread(secrets[s])
        for g in range(G):
            for r in range(R):
                parts[r] = 0
            for s in range(S):
                parts[table[g, s]] += spread_secrets[s]
            colour = guesses[g]
            for r in range(R):
                if parts[r]:  # what no secret gives says nothing
                    parts[r] = spread(parts[r] + kinds[g, r])
                    colour += parts[r]
            found[g] = colour = spread(colour)
            for r in range(R):
                parts[r] = spread(parts[r] + colour)
            for s in range(S):
                met[s] += parts[table[g, s]]
        for s in range(S):
            met[s] = spread(secrets[s] + spread(met[s]))
    return met_array, found_array


def replayed(const Response[:, ::1] table, int responses, const int64_t[::1] guesses, const int64_t[::1] secrets):
    """See `reference.replayed`."""
    cdef Py_ssize_t G = table.shape[0], S = table.shape[1], g, s
    cdef int mine, image, spare, r, failed = 0
    there_array = np.full((G, responses), -1, dtype=np.int32)
    cdef int32_t[:, ::1] there = there_array
    cdef int32_t[::1] back = np.empty(responses, dtype=np.int32)
    with nogil:
        for g in range(G):
            for r in range(responses):
                back[r] = -1
            for s in range(S):
                mine, image = table[g, s], table[guesses[g], secrets[s]]
                if there[g, mine] < 0 and back[image] < 0:
                    there[g, mine], back[image] = image, mine
                elif there[g, mine] != image:
                    failed = 1
                    break
            if failed:
                break
            spare = 0
            for r in range(responses):
                if there[g, r] < 0:
                    while back[spare] >= 0:
                        spare += 1
                    there[g, r], back[spare] = spare, r
    return None if failed else there_array


def code_form(const uint8_t[:, ::1] digits, const int32_t[::1] members, int colours, bint separate):
    """See `reference.code_form`."""
    cdef Py_ssize_t n = members.shape[0], s, x
    cdef int pegs = digits.shape[1], rows = pegs if separate else 1
    cdef CodeForm form
    image, position = np.empty(n, dtype=np.int64), np.empty(pegs, dtype=np.int64)
    each = np.empty((rows, colours), dtype=np.int64)
    cdef int64_t[::1] found = image
    cdef int64_t[::1] where = position
    cdef int64_t[:, ::1] named = each
    cdef uint8_t[:, ::1] codes = np.empty((n, pegs), dtype=np.uint8)
    cdef uint64_t[::1] labels = np.empty(3 * (pegs + rows * colours), dtype=np.uint64)
    cdef int32_t[::1] there = np.empty(rows * colours, dtype=np.int32)
    form.n, form.pegs, form.colours, form.rows = <int>n, pegs, colours, rows
    form.codes, form.labels, form.there = &codes[0, 0], &labels[0], &there[0]
    form.position, form.named = &where[0], &named[0, 0]
    with nogil:
        for s in range(n):
            for x in range(pegs):
                codes[s, x] = digits[members[s], x]
        code_form_order(&form)
        for s in range(n):
            found[s] = code_form_image(&form, <int>s)
    image.sort()
    return image, position, each
