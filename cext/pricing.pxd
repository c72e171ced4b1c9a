"""What the search over costs adds up for the parts of a guess, and what counting says of them."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from guesstree.cext.core cimport Arena, Mark, Node, State, Worker, arena_release, bits, take
from guesstree.cext.search cimport Search


cdef struct Part:       # of one guess, by response
    int32_t count
    int32_t last
    int64_t weight
    int64_t sum             # of what the secrets pay at least; or the largest
    int64_t depth           # counting: of the secret that comes next,
    int64_t room            # and how many more are won at that depth,
    int64_t width           # and at the next
    int64_t remaining       # of the budget, or TOO_DEAR
    uint64_t key1
    uint64_t key2
    int32_t *start          # where the next secret goes


cdef struct Parts:
    int32_t *touched        # the responses that there are
    Part *of                # each response; `count` is 0 between uses


cdef inline int descending(const void *a, const void *b) noexcept nogil:
    cdef int64_t x = (<const int64_t *>a)[0]
    cdef int64_t y = (<const int64_t *>b)[0]
    return -1 if x > y else x < y


cdef inline int64_t binary_log(int64_t n) noexcept nogil:
    """Return log2 n in units of 2^-16, rounded down, for n from 1 up to 2^31; by squaring (Briggs 1624)."""
    cdef int whole = bits(n) - 1, _
    cdef uint64_t x = <uint64_t>n << (31 - whole), fraction = 0
    for _ in range(16):
        x = (x * x) >> 31
        fraction *= 2
        if x >> 32:
            x >>= 1
            fraction += 1
    return (whole << 16) + <int64_t>fraction


cdef inline int is_hopeless(int n, int depth, int most, int win) noexcept nogil:
    """Return 1 only if no strategy settles so many secrets in time; see `reference_priced.Searcher.dead`."""
    cdef int64_t settled = 1 - win, level = 1
    while depth > 0 and settled < n:
        settled = settled + level if win else settled * most
        level = min(level * max(most - 1, 1), <int64_t>n)
        depth -= 1
    return settled < n


cdef inline int64_t huffman(Arena *arena, const int64_t *weights, const int32_t *members, int n,
                            int most) except -1 nogil:
    """Return the least weighted depth of leaves with such weights, the heaviest first, below `most` branches."""
    cdef Mark mark = arena.top
    cdef int64_t *joined = <int64_t *>take(arena, n * sizeof(int64_t))
    cdef int64_t total = 0, weight
    cdef int i = n, head = 0, tail = 0, joining = 2 + (n - 2) % (most - 1), _
    while i + tail - head > 1:
        weight = 0
        for _ in range(joining):
            if head == tail or (i > 0 and weights[members[i - 1]] <= joined[head]):
                i -= 1
                weight += weights[members[i]]
            else:
                weight += joined[head]
                head += 1
        total += weight
        joined[tail] = weight
        tail += 1
        joining = most
    arena_release(arena, mark)
    return total


cdef inline int64_t beam_score(const Parts *parts, int few, const int64_t *costs, int shift, int pairs,
                               int64_t infinite) noexcept nogil:
    """Return what a guess costs for what it tells; see `reference_priced.Searcher.beam_score`."""
    cdef int64_t weight, scale, whole = 0, paid = 0, gained = 0
    cdef int i, r
    for i in range(few):
        r = parts.touched[i]
        weight = max(parts.of[r].weight >> shift, <int64_t>1)
        whole += weight
        paid += parts.of[r].weight * costs[r]
        gained -= weight * (weight if pairs else binary_log(weight))
    gained = max(gained + whole * (whole if pairs else binary_log(whole)), <int64_t>1)
    scale = whole if pairs else 1
    return <int64_t>min(<double>paid * <double>(1 << 20) * <double>scale / <double>gained, <double>infinite)


cdef class Pricing(Search):
    cdef int win, rate
    cdef int64_t unit, penalty
    cdef int64_t *weights       # of each secret
    cdef int64_t *min_ask
    cdef int64_t *min_finish

    cdef int dead(self, int n, int depth, int most) noexcept nogil
    cdef int64_t lost_all(self, int64_t weight, int64_t left) noexcept nogil
    cdef int64_t weight(self, const int32_t *members, int n) noexcept nogil
    cdef int64_t given_up(self, const int32_t *members, int n, int64_t left) noexcept nogil
    cdef int64_t per(self, int64_t cost, int64_t left) noexcept nogil
    cdef int64_t loss(self, int64_t left) noexcept nogil
    cdef int64_t single(self, int s, int64_t left, int depth) noexcept nogil
    cdef int64_t counted(self, Worker *w, const int32_t *members, int n, int64_t left, int most) except -1 nogil

    cdef inline int bound_to(self, int n, int depth) noexcept nogil:
        """Return whether so many guesses left may be too few: more than one for each secret are never asked."""
        return depth < n - 1 + self.win
