"""Local tables of the search: the candidates of one state as rows, the guesses that differ on it as columns."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset


cdef struct View:
    int n               # candidates (rows)
    int ng              # guesses (columns)
    int width           # ng rounded up to a multiple of 32
    int32_t *secret     # secret of each row
    int32_t *guess      # guess of each column
    int32_t *own        # row of the secret that the guess names, or -1
    int32_t *named      # the columns with such a row
    int nc              # how many they are
    uint8_t *cols       # responses, ng x n
    uint8_t *rows       # the same, n x width


cdef inline View *new_view(int n, int ng) noexcept nogil:
    cdef View *view = <View *>malloc(sizeof(View))
    view.n, view.ng, view.width = n, ng, (ng + 31) // 32 * 32
    view.secret = <int32_t *>malloc((n + 1) * sizeof(int32_t))
    view.guess = <int32_t *>malloc((ng + 1) * sizeof(int32_t))
    view.own = <int32_t *>malloc((ng + 1) * sizeof(int32_t))
    view.named = <int32_t *>malloc((ng + 1) * sizeof(int32_t))
    view.nc = 0
    view.cols = <uint8_t *>malloc(<size_t>ng * n + 1)
    view.rows = NULL
    return view


cdef inline void fill_rows(View *view) noexcept nogil:
    cdef int i, j, b
    cdef uint8_t *to
    view.rows = <uint8_t *>malloc(<size_t>view.n * view.width + 1)
    for i in range(view.n):
        memset(view.rows + <size_t>i * view.width + view.ng, 0, view.width - view.ng)
    for b in range(0, view.ng, 64):     # in blocks, for the cache
        for i in range(view.n):
            to = view.rows + <size_t>i * view.width
            for j in range(b, min(b + 64, view.ng)):
                to[j] = view.cols[<size_t>j * view.n + i]


cdef inline void free_view(View *view) noexcept nogil:
    if view != NULL:
        free(view.secret)
        free(view.guess)
        free(view.own)
        free(view.named)
        free(view.cols)
        free(view.rows)
        free(view)


cdef inline uint64_t partition_hash(View *above, const int32_t *rows, int n, int column, int responses,
                                    const uint64_t *words) noexcept nogil:
    """Return a hash of the partition of the rows by a column, equal for equal partitions; 0: a single part."""
    cdef uint64_t part[256]
    cdef uint64_t h = 0
    cdef const uint8_t *col = above.cols + <size_t>column * above.n
    cdef uint8_t differs = 0
    cdef int i, r
    memset(part, 0, responses * sizeof(uint64_t))
    for i in range(n):
        part[col[rows[i]]] ^= words[i]
        differs |= col[rows[i]] ^ col[rows[0]]
    if not differs:
        return 0
    for r in range(responses):
        h += (part[r] ^ (part[r] >> 31)) * <uint64_t>0x9E3779B97F4A7C15
    return h if h else 1


cdef inline int same_partition(View *above, const int32_t *rows, int n, int a, int b, int responses) noexcept nogil:
    """Return whether two columns make the same partition of the rows."""
    cdef uint8_t forward[256]
    cdef uint8_t backward[256]
    cdef const uint8_t *x = above.cols + <size_t>a * above.n
    cdef const uint8_t *y = above.cols + <size_t>b * above.n
    cdef int i
    memset(forward, 255, responses)
    memset(backward, 255, responses)
    for i in range(n):
        if forward[x[rows[i]]] == 255 and backward[y[rows[i]]] == 255:
            forward[x[rows[i]]], backward[y[rows[i]]] = y[rows[i]], x[rows[i]]
        elif forward[x[rows[i]]] != y[rows[i]] or backward[y[rows[i]]] != x[rows[i]]:
            return 0
    return 1


cdef inline View *make_view(View *above, const int32_t *rows, int n, int responses, const uint64_t *words,
                            int only_candidates) noexcept nogil:
    """Return the table of `rows` of `above` with one guess for each partition (step 5).

    A guess with a single part is dropped: it tells nothing. Of several guesses with equal partitions
    the first is kept, and every candidate: equal partitions of a set are equal on each subset, so a
    kept guess stands for the dropped one in all that follows, and wins besides if it is a candidate;
    two candidates stay apart because on a subset only one of them may still be a candidate.
    """
    cdef View *view = new_view(n, above.ng)
    cdef int *place = <int *>malloc(above.n * sizeof(int))
    cdef uint64_t *hashes = <uint64_t *>malloc((above.ng + 1) * sizeof(uint64_t))
    cdef uint64_t slots = 64
    cdef uint64_t slot
    cdef int32_t *index
    cdef int i, j, own, phase, kept = 0
    while slots < 2 * <uint64_t>above.ng:
        slots *= 2
    index = <int32_t *>malloc(slots * sizeof(int32_t))
    memset(index, 255, slots * sizeof(int32_t))
    for i in range(above.n):
        place[i] = -1
    for i in range(n):
        view.secret[i] = above.secret[rows[i]]
        place[rows[i]] = i
    for j in range(above.ng):
        hashes[j] = partition_hash(above, rows, n, j, responses, words)
    for phase in range(2):      # candidates enter the index first, so that their equals find them
        for j in range(above.ng):
            own = place[above.own[j]] if above.own[j] >= 0 else -1
            if not hashes[j] or (own < 0 and (phase == 0 or only_candidates)):
                continue
            if phase == 0 or own < 0:
                slot = hashes[j] & (slots - 1)
                while index[slot] >= 0 and (
                    hashes[index[slot]] != hashes[j] or not same_partition(above, rows, n, index[slot], j, responses)
                ):
                    slot = (slot + 1) & (slots - 1)
                if index[slot] < 0:
                    index[slot] = j
                elif own < 0:
                    continue
            if phase == 1:
                for i in range(n):
                    view.cols[<size_t>kept * n + i] = above.cols[<size_t>j * above.n + rows[i]]
                view.guess[kept], view.own[kept] = above.guess[j], own
                if own >= 0:
                    view.named[view.nc] = kept
                    view.nc += 1
                kept += 1
    view.ng, view.width = kept, (kept + 31) // 32 * 32
    free(index)
    free(hashes)
    free(place)
    fill_rows(view)
    return view
