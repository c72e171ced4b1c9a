# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What sets of secrets cost at least, by their weights and by counting; `reference_priced` has the proofs."""

from libc.stdint cimport int32_t, int64_t

from guesstree.cext.core cimport Node, State, Worker


cdef int64_t INF = <int64_t>1 << 62


cdef class Pricing(Search):
    """States with costs, weights and budgets, as `reference_priced.Searcher` values them without looking at a guess."""

    cdef int dead(self, int n, int depth, int most) noexcept nogil:
        """Return 1 only if no strategy settles so many secrets in time; see `reference_priced.Searcher.dead`."""
        if n == 1:
            return self.win and depth < 1
        return self.bound_to(n, depth) and is_hopeless(n, depth, most, self.win)

    cdef int64_t lost_all(self, int64_t weight, int64_t left) noexcept nogil:
        """Return exactly the value of a set of this weight for which there is no strategy."""
        return INF if left < 0 else weight * self.loss(left)

    cdef int64_t weight(self, const int32_t *members, int n) noexcept nogil:
        cdef int64_t weight = 0
        cdef int i
        for i in range(n):
            weight += self.weights[members[i]]
        return weight

    cdef int64_t given_up(self, const int32_t *members, int n, int64_t left) noexcept nogil:
        return self.weight(members, n) * self.loss(left)

    cdef int64_t per(self, int64_t cost, int64_t left) noexcept nogil:
        """Return what a unit of weight pays that needs this cost."""
        return self.rate * cost if left < 0 or cost <= left else self.loss(left)

    cdef int64_t loss(self, int64_t left) noexcept nogil:
        """Return what a unit of weight pays that is lost with so much left."""
        return self.penalty + self.rate * left

    cdef int64_t single(self, int s, int64_t left, int depth) noexcept nogil:
        """Return exactly the value of one secret: the cheapest guess that wins on it, or nothing."""
        if not self.win:
            return 0
        if depth < 1:
            return self.lost_all(self.weights[s], left)
        return self.min_finish[s] if self.maximum else self.weights[s] * self.per(self.min_finish[s], left)

    cdef int64_t static_bound(self, Worker *w, const Node *above, const State *state) except -1 nogil:
        """Return at least the value of two secrets or more; see `reference_priced.Searcher.static`."""
        cdef int64_t total = 0, spared = 0, second = -1, full, left = state.remaining
        cdef int i, s
        for i in range(state.n):
            s = state.members[i]
            full = self.min_ask[s] + self.min_finish[s]
            if self.maximum:
                if full > total:
                    total, second = full, total
                elif full > second:
                    second = full
            else:
                full = self.weights[s] * self.per(full, left)
                total += full
                if self.win:
                    spared = max(spared, full - self.weights[s] * self.per(self.min_finish[s], left))
        total = max(second, <int64_t>0) if self.maximum and self.win else total - spared
        return max(total, self.counted(w, state.members, state.n, left, state.most_parts)) if self.unit else total

    cdef int64_t counted(self, Worker *w, const int32_t *members, int n, int64_t left, int most) except -1 nogil:
        cdef int64_t total = 0, depth = 0, room = 0, width = 1, place = 1, reach
        cdef int i
        if self.win:
            for i in range(n):
                if room == 0:
                    depth, room = depth + 1, width
                    width = min(width * max(most - 1, 1), <int64_t>n)
                room -= 1
                total += self.weights[members[i]] * self.per(depth * self.unit, left)
            return depth * self.unit if self.maximum else total
        if left >= 0:
            reach = left // self.unit
            while reach > 0 and place < n:
                place, reach = place * most, reach - 1
            return self.given_up(members + place, n - <int>place, left) if place < n else 0
        if self.maximum:
            while place < n:
                place, depth = place * most, depth + 1
            return depth * self.unit
        return self.rate * self.unit * huffman(&w.arena, self.weights, members, n, most)
