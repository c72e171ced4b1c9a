# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What a checker of proofs over costs knows of sets; `reference_priced_claims` is the plain twin, with the contract."""

import numpy as np

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint16_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy

from guesstree.cext.core cimport Arena, Mark, arena_free, arena_new, arena_release, countdown_place, out_of_memory, take


INFINITE = 1 << 60
SMALL = 10

cdef int64_t INF = <int64_t>1 << 60

cdef struct Part:
    int32_t *members    # by weight, the heaviest first
    int n
    int answer
    int64_t left
    int64_t bound


cdef int falling(const void *a, const void *b) noexcept nogil:
    cdef int64_t x = (<const int64_t *>a)[0]
    cdef int64_t y = (<const int64_t *>b)[0]
    return (x < y) - (x > y)


cdef inline int64_t plus(int64_t a, int64_t b) noexcept nogil:
    return INF if a >= INF or b >= INF else min(a + b, INF - 1)


cdef inline int64_t times(int64_t weight, int64_t each) noexcept nogil:
    return INF if each >= INF else weight * each


cdef class Shown:
    """See `reference_priced_claims.Shown`."""

    cdef object order, place, answers_array, costs_array, weights_array, pay_array, end_array, freeable_array
    cdef object scratch_array, joined_array, spared_array
    cdef const uint16_t[:, ::1] answers
    cdef const int64_t[:, ::1] costs
    cdef const int64_t[::1] weights, pay, end
    cdef const int32_t[::1] freeable
    cdef int32_t[:, ::1] scratch    # counts of responses, all 0 between uses, and places of parts
    cdef int64_t[::1] joined, spared_by
    cdef int G, S, R, win, winning, small, rate
    cdef int64_t unit, payer, penalty
    cdef dict proved, seen
    cdef Arena arena

    def __cinit__(self, *args, **kwargs):
        if not arena_new(&self.arena, countdown_place()):
            out_of_memory()

    def __init__(self, table, int responses, int winning, weights, costs, pay, end, int64_t unit, int64_t payer,
                 int small=SMALL):
        cdef int g
        self.G, self.S = table.shape
        self.R, self.winning, self.win, self.small = responses, winning, winning >= 0, small
        self.order = np.argsort(-weights, kind="stable").astype(np.int32)
        self.place = np.argsort(self.order).astype(np.int32)
        self.answers = self.answers_array = np.ascontiguousarray(table[:, self.order], dtype=np.uint16)
        self.costs = self.costs_array = np.ascontiguousarray(costs, dtype=np.int64)
        ordered = [np.ascontiguousarray(a[self.order], dtype=np.int64) for a in (weights, pay, end)]
        self.weights_array, self.pay_array, self.end_array = ordered
        self.weights, self.pay, self.end = ordered
        self.unit, self.payer = unit, payer
        some = [g for g in range(self.G) if not self.costs_array[g][self.answers_array[g]].all()]
        self.freeable = self.freeable_array = np.array(some, dtype=np.int32)
        self.scratch = self.scratch_array = np.zeros((2, responses), dtype=np.int32)
        self.joined = self.joined_array = np.zeros(self.S, dtype=np.int64)
        self.spared_by = self.spared_array = np.zeros(self.G + 1, dtype=np.int64)
        self.counts(INF, 1)

    def __dealloc__(self):
        arena_free(&self.arena)

    def counts(self, int64_t penalty, int rate):
        """See `reference_priced_claims.Shown.counts`."""
        self.penalty, self.rate, self.proved, self.seen = penalty, rate, {}, {}

    def forget(self):
        """See `reference_priced_claims.Shown.forget`."""
        self.proved = {}

    def remember(self, candidates, int64_t left, int64_t bound):
        """See `reference_priced_claims.Shown.remember`."""
        cdef int32_t[::1] members = np.sort(self.place[candidates])
        of = self.proved.setdefault(self.key(&members[0], members.shape[0]), {})
        of[left] = max(of.get(left, 0), bound)

    def known(self, candidates, int64_t left):
        """See `reference_priced_claims.Shown.known`."""
        cdef int32_t[::1] members = np.sort(self.place[candidates])
        return self.remembered(&members[0], members.shape[0], left)

    def weak(self, candidates, int64_t left, int64_t bound):
        """See `reference_priced_claims.Shown.weak`."""
        cdef int32_t[::1] members = np.sort(self.place[candidates])
        cdef int g, n = members.shape[0], most = self.branches(&members[0], n)
        if max(self.counting(&members[0], n, left, most), self.chain(&members[0], n, left)) >= bound:
            return []
        return [
            g for g in range(self.G)
            if self.tells(g, &members[0], n) and self.asking(&members[0], n, left, g, bound, most, 1, None) < bound
        ]

    def ask(self, candidates, int64_t left, int guess, int64_t bound):
        """See `reference_priced_claims.Shown.ask`."""
        cdef int32_t[::1] members = np.sort(self.place[candidates])
        cdef int n = members.shape[0], most = self.branches(&members[0], n)
        parts = []
        shown = self.asking(&members[0], n, left, guess, bound, most, 1, parts)
        return shown, parts

    cdef object key(self, const int32_t *members, int n):
        return PyBytes_FromStringAndSize(<const char *>members, n * sizeof(int32_t))

    cdef int64_t remembered(self, const int32_t *members, int n, int64_t left) except -1:
        cdef int64_t best = 0, at, bound
        of = self.proved.get(self.key(members, n))
        if of is not None:
            for at, bound in of.items():
                if bound > best and (at == left or ((self.penalty >= INF or not self.rate)
                                                    and left >= 0 and (at < 0 or at > left))):
                    best = bound
        return best

    # ---- what is paid -------------------------------------------------------------------------------------------

    cdef int64_t lost(self, int64_t left) noexcept nogil:
        return INF if self.penalty >= INF else self.penalty + self.rate * left

    cdef int64_t per(self, int64_t cost, int64_t left) noexcept nogil:
        return self.lost(left) if 0 <= left < cost else self.rate * cost

    cdef int64_t weight(self, const int32_t *members, int n) noexcept nogil:
        cdef int64_t sum = 0
        cdef int i
        for i in range(n):
            sum += self.weights[members[i]]
        return sum

    cdef int tells(self, int g, const int32_t *members, int n) noexcept nogil:
        cdef const uint16_t *row = &self.answers[g, 0]
        cdef int i
        for i in range(1, n):
            if row[members[i]] != row[members[0]]:
                return 1
        return 0

    cdef int free_guess(self, const int32_t *members, int n) noexcept nogil:
        cdef int f, g, i
        for f in range(<int>self.freeable.shape[0]):
            g = self.freeable[f]
            for i in range(n):
                if self.costs[g, self.answers[g, members[i]]]:
                    break
            else:
                if self.tells(g, members, n):
                    return g
        return -1

    cdef int split(self, int32_t *members, int n, int g, Part *parts) except -1:
        """Sort members by response, and write the parts; return how many."""
        cdef Mark mark = self.arena.top
        cdef int32_t *old = <int32_t *>take(&self.arena, n * sizeof(int32_t))
        cdef int32_t *count = &self.scratch[0, 0]
        cdef int32_t *at = &self.scratch[1, 0]
        cdef const uint16_t *row = &self.answers[g, 0]
        cdef Part *part
        cdef int i, r, met = 0
        memcpy(old, members, n * sizeof(int32_t))
        for i in range(n):
            r = row[old[i]]
            if count[r] == 0:
                parts[met].answer, parts[met].n = r, 0
                at[r] = met
                met += 1
            count[r] += 1
        for i in range(met):
            parts[i].members = members
            members += count[parts[i].answer]
            count[parts[i].answer] = 0
        for i in range(n):
            part = parts + at[row[old[i]]]
            part.members[part.n] = old[i]
            part.n += 1
        arena_release(&self.arena, mark)
        return met

    cdef int open_parts(self, const int32_t *members, int n, int64_t left, int g, int32_t *copy, Part *parts,
                        int64_t *sum) except -1:
        """Write the sets that are left after a guess (-1: none) and all that costs nothing (P2); return how many."""
        cdef int count = 1, kept = 0, k, f, j, fresh, first
        cdef int64_t cost
        cdef Part part
        memcpy(copy, members, n * sizeof(int32_t))
        parts[0].members, parts[0].n, parts[0].left = copy, n, left
        if g >= 0:
            count = self.split(copy, n, g, parts)
            for k in range(count):
                part = parts[k]
                cost = self.costs[g, part.answer]
                sum[0] = plus(sum[0], times(self.weight(part.members, part.n), self.per(cost, left)))
                if (left < 0 or cost <= left) and part.answer != self.winning:
                    part.left = left - cost if left >= 0 else -1
                    parts[kept] = part
                    kept += 1
            count = kept
        k = 0
        while k < count:
            part = parts[k]
            if part.n == 1:
                count -= 1
                parts[k] = parts[count]
                if self.win:
                    cost = self.per(self.end[part.members[0]], part.left)
                    sum[0] = plus(sum[0], times(self.weights[part.members[0]], cost))
                continue
            f = self.free_guess(part.members, part.n)
            if f < 0:
                k += 1
                continue
            count -= 1
            parts[k] = parts[count]
            first, fresh = count, self.split(part.members, part.n, f, parts + count)
            for j in range(first, first + fresh):
                if parts[j].answer != self.winning:
                    parts[count] = parts[j]
                    parts[count].left = part.left
                    count += 1
        return count

    cdef int branches(self, const int32_t *members, int n) noexcept nogil:
        cdef int32_t *met = &self.scratch[0, 0]
        cdef const uint16_t *row
        cdef int g, i, r, parts, most = 1
        if not self.unit:
            return most
        for g in range(self.G):
            row = &self.answers[g, 0]
            parts = 0
            for i in range(n):
                r = row[members[i]]
                parts += r != self.winning and met[r] == 0
                met[r] = 1
            for i in range(n):
                met[row[members[i]]] = 0
            most = max(most, parts)
        return most

    cdef int64_t huffman(self, const int32_t *members, int n, int most) noexcept nogil:
        cdef int64_t total = 0, weight
        cdef int i = n, head = 0, tail = 0, joining = 2 + (n - 2) % (most - 1), _
        while i + tail - head > 1:
            weight = 0
            for _ in range(joining):
                if head == tail or (i > 0 and self.weights[members[i - 1]] <= self.joined[head]):
                    i -= 1
                    weight += self.weights[members[i]]
                else:
                    weight += self.joined[head]
                    head += 1
            total += weight
            self.joined[tail] = weight
            tail += 1
            joining = most
        return total

    cdef int64_t counting(self, const int32_t *members, int n, int64_t left, int most) noexcept nogil:
        """Return at least what two secrets or more cost, secret by secret (P3) and by counting (P4)."""
        cdef int64_t sum = 0, deep = 0, spared, most_spared = -1, last, full, depth = 0, room = 0, width = 1, reached, k
        cdef int i, s, first = -1
        for i in range(n):
            s = members[i]
            if self.win:
                full = times(self.weights[s], self.per(self.pay[s] + self.end[s], left))
                spared = full - times(self.weights[s], self.per(self.end[s], left))
                if spared > most_spared:
                    most_spared, first = spared, i
        for i in range(n):
            s = members[i]
            last = self.end[s] if self.win else 0
            sum = plus(sum, times(self.weights[s], self.per(last if i == first else self.pay[s] + last, left)))
        if not self.unit:
            return sum
        if self.win:
            for i in range(n):
                if room == 0:
                    depth, room, width = depth + 1, width, min(width * most, n)
                room -= 1
                deep = plus(deep, times(self.weights[members[i]], self.per(depth * self.unit, left)))
        elif most < 2:
            return INF
        else:
            reached, k = n if left < 0 else 1, left // self.unit
            while reached < n and k > 0:
                reached, k = reached * most, k - 1
            if reached < n:
                deep = times(self.weight(members + reached, n - <int>reached), self.lost(left))
            elif self.penalty >= INF:
                deep = self.unit * self.huffman(members, n, most)
        return max(sum, deep)

    cdef int64_t chain(self, const int32_t *members, int n, int64_t left) noexcept nogil:
        """Return at least what a set costs where one response to a guess costs something at most (P5)."""
        cdef int64_t whole = self.weight(members, n), on_path = whole, paid = 0, best = 0, some = 0, covered, reach
        cdef int64_t *spared = &self.spared_by[0]
        cdef int g, i, k, count = 0
        if not self.payer:
            return 0
        for g in range(self.G):
            if self.tells(g, members, n):
                spared[count] = 0
                for i in range(n):
                    if not self.costs[g, self.answers[g, members[i]]]:
                        spared[count] += self.weights[members[i]]
                count += 1
        qsort(spared, count, sizeof(int64_t), falling)
        if left >= 0:
            reach = left // self.payer
            for k in range(<int>min(<int64_t>count, reach)):
                some += spared[k]
            covered = max(some + self.weights[members[0]], some + (spared[reach] if reach < count else 0))
            if covered < whole:
                best = times(whole - covered, self.lost(left))
        if self.penalty >= INF and best < INF:
            for k in range(count):
                if k and on_path <= self.weights[members[0]]:
                    break
                on_path -= spared[k]
                if on_path <= 0:
                    break
                paid += on_path
        return max(best, self.payer * paid)

    # ---- asking -------------------------------------------------------------------------------------------------

    cdef int64_t asking(self, const int32_t *members, int n, int64_t left, int g, int64_t need, int most,
                        int claimed, list out) except -1:
        """Return at least what a set costs if the guess (-1: none) is asked first, as far as it is needed."""
        cdef Mark mark = self.arena.top
        cdef int32_t *copy = <int32_t *>take(&self.arena, n * sizeof(int32_t))
        cdef Part *parts = <Part *>take(&self.arena, (n + 1) * sizeof(Part))
        cdef Part *part
        cdef int64_t sum = 0, rest, ahead
        cdef int i, count
        count = self.open_parts(members, n, left, g, copy, parts, &sum)
        for i in range(count):
            part = parts + i
            part.bound = self.counting(part.members, part.n, part.left, most)
            if claimed:
                part.bound = max(part.bound, self.remembered(part.members, part.n, part.left))
            sum = plus(sum, part.bound)
        for i in range(2 * count):
            part = parts + i % count
            if sum >= need:
                break
            if (part.n <= self.small) != (i < count) or (part.n > self.small and not claimed):
                continue
            rest = sum - part.bound
            ahead = self.ahead(part.members, part.n, part.left, INF if need >= INF else need - rest)
            part.bound = max(part.bound, ahead)
            sum = plus(rest, part.bound)
        if out is not None:
            for i in range(count):
                part = parts + i
                some = np.sort(self.order[np.array([part.members[j] for j in range(part.n)], dtype=np.int32)])
                out.append((some, part.left, part.bound))
        arena_release(&self.arena, mark)
        return sum

    cdef int64_t ahead(self, const int32_t *members, int n, int64_t left, int64_t need) except -1:
        """Return at least what a set costs, one step ahead (P6), as far as it is needed."""
        cdef int64_t least = need, floor, looked
        cdef int g, most
        key = self.key(members, n), left
        before = self.seen.get(key)
        if before is not None:
            looked = before[0]
            if before[1] or looked >= need:
                return looked
        most = self.branches(members, n)
        floor = max(self.counting(members, n, left, most), self.chain(members, n, left))
        for g in range(self.G):
            if least <= floor:
                break
            if self.tells(g, members, n):
                least = min(least, self.asking(members, n, left, g, least, most, 0, None))
        looked = max(least, floor)
        self.seen[key] = looked, least < need
        return looked
