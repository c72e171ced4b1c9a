"""Local tables of the search: the candidates of one state as rows, the guesses that differ on it as columns."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from guesstree.cext.core cimport Arena, Mark, arena_release, take
from guesstree.cext.rules cimport Rules, hash_needs, is_allowed, same_features, same_needs


cdef enum:
    PARTS_MOST = 64     # responses that the kernels count at once; see parts.h


cdef struct View:
    int n               # candidates (rows)
    int ng              # guesses (columns)
    size_t width        # bytes of a row: ng rounded up to a multiple of 32
    size_t tall         # bytes of a column
    int32_t *secret     # secret of each row
    int32_t *guess      # guess of each column, ascending
    int32_t *own        # secret that the guess names, or -1
    int32_t *first      # first column that names the secret of a row, or -1
    int32_t *next       # next column that names the same secret, or -1
    uint8_t *cols       # responses, ng x tall; NULL where they are worked out from codes
    uint8_t *rows       # the same, n x width; with many responses each column numbers those that it has
    uint8_t *reach      # then the largest number in each 32 columns; else NULL
    int32_t *order      # then the column at each place of a row, those with the most responses first; else NULL


cdef inline View *new_view(Arena *arena, int n, int ng) except NULL nogil:
    """Return a view without responses, to be filled."""
    cdef View *view = <View *>take(arena, sizeof(View))
    view.n, view.ng, view.width, view.tall = n, ng, (ng + 31) // 32 * 32, n
    view.secret = <int32_t *>take(arena, n * sizeof(int32_t))
    view.guess = <int32_t *>take(arena, ng * sizeof(int32_t))
    view.own = <int32_t *>take(arena, ng * sizeof(int32_t))
    view.first = <int32_t *>take(arena, n * sizeof(int32_t))
    view.next = <int32_t *>take(arena, ng * sizeof(int32_t))
    view.cols, view.rows, view.reach, view.order = NULL, NULL, NULL, NULL
    return view


cdef inline int link_names(Arena *arena, View *view, int secrets) except -1 nogil:
    """Chain the columns that name the secret of each row, in ascending order."""
    cdef Mark mark = arena.top
    cdef int32_t *place = <int32_t *>take(arena, (secrets + 1) * sizeof(int32_t))
    cdef int i, j
    memset(place, 255, secrets * sizeof(int32_t))
    for i in range(view.n):
        place[view.secret[i]] = i
        view.first[i] = -1
    for j in range(view.ng - 1, -1, -1):
        view.next[j] = -1
        i = place[view.own[j]] if view.own[j] >= 0 else -1
        if i >= 0:
            view.next[j] = view.first[i]
            view.first[i] = j
    arena_release(arena, mark)
    return 0


cdef inline void transpose(const uint8_t *source, size_t from_stride, int n, int m, uint8_t *target,
                           size_t to_stride) noexcept nogil:
    """Write a table of n rows and m columns with rows and columns exchanged; in blocks, for the cache."""
    cdef int i, j, a, b
    for a in range(0, n, 64):
        for b in range(0, m, 64):
            for j in range(b, min(b + 64, m)):
                for i in range(a, min(a + 64, n)):
                    target[<size_t>j * to_stride + i] = source[<size_t>i * from_stride + j]


cdef inline int renumbered(const uint8_t *source, int n, uint8_t *target) noexcept nogil:
    """Write responses as numbers in order of appearance, so that equal ones stay equal; return the largest."""
    cdef uint8_t number[256]
    cdef uint8_t met[256]
    cdef int i, next = 0
    memset(met, 0, 256)
    for i in range(n):
        if not met[source[i]]:
            met[source[i]], number[source[i]] = 1, <uint8_t>next
            next += 1
        target[i] = number[source[i]]
    return next - 1


cdef inline int lay_rows(Arena *arena, const uint8_t *cols, size_t tall, int ng, int n, uint8_t *rows, size_t width,
                         uint8_t *reach, const int32_t *order) except -1 nogil:
    """Write columns as rows, and zeros beyond the last; with a place for `reach`, see `View`, renumbered."""
    cdef Mark mark = arena.top
    cdef uint8_t *some = <uint8_t *>take(arena, 32 * <size_t>n)
    cdef int i, b, j, many, last
    for i in range(n):
        memset(rows + i * width + ng, 0, width - ng)
    if reach == NULL:
        transpose(cols, tall, ng, n, rows, width)
    for b in range(0, ng if reach != NULL else 0, 32):
        many, reach[b // 32] = min(32, ng - b), 0
        for j in range(many):
            last = renumbered(cols + (b + j if order == NULL else order[b + j]) * tall, n, some + j * <size_t>n)
            reach[b // 32] = <uint8_t>max(<int>reach[b // 32], last)
        transpose(some, n, many, n, rows + b, width)
    arena_release(arena, mark)
    return 0


cdef inline int order_columns(Arena *arena, View *view) except -1 nogil:
    """Write which columns have the most responses; where numbers of responses are equal, the first comes first."""
    cdef Mark mark = arena.top
    cdef uint8_t *last = <uint8_t *>take(arena, view.ng + 1)
    cdef uint8_t *some = <uint8_t *>take(arena, view.n)
    cdef int32_t many[256]
    cdef int j, r, at = 0
    memset(many, 0, sizeof(many))
    for j in range(view.ng):
        last[j] = <uint8_t>renumbered(view.cols + j * view.tall, view.n, some)
        many[last[j]] += 1
    for r in range(255, -1, -1):        # the place of the first of them
        many[r], at = at, at + many[r]
    for j in range(view.ng):
        view.order[many[last[j]]] = j
        many[last[j]] += 1
    arena_release(arena, mark)
    return 0


cdef inline int fill_rows(Arena *arena, View *view, int responses) except -1 nogil:
    """Make the rows of a view from its columns."""
    view.rows = <uint8_t *>take(arena, <size_t>view.n * view.width)
    if responses > PARTS_MOST:
        view.reach = <uint8_t *>take(arena, view.width // 32)
        view.order = <int32_t *>take(arena, view.ng * sizeof(int32_t))
        order_columns(arena, view)
    return lay_rows(arena, view.cols, view.tall, view.ng, view.n, view.rows, view.width, view.reach, view.order)


cdef inline int column_of(View *view, int guess) noexcept nogil:
    """Return the column of a guess, or -1."""
    cdef int low = 0, high = view.ng, middle
    while low < high:
        middle = (low + high) // 2
        if view.guess[middle] < guess:
            low = middle + 1
        else:
            high = middle
    return low if low < view.ng and view.guess[low] == guess else -1


cdef inline uint64_t partition_hash(const uint8_t *col, const int32_t *rows, int n, int responses,
                                    const uint64_t *words) noexcept nogil:
    """Return a hash of the partition of the rows by their responses, the same for equal partitions;
    0: a single part."""
    cdef uint64_t part[256]
    cdef uint64_t h = 0
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


cdef inline int same_partition(View *view, const int32_t *rows, int n, int a, int b, int responses) noexcept nogil:
    """Return whether two columns make the same partition of the rows."""
    cdef uint8_t forward[256]
    cdef uint8_t backward[256]
    cdef const uint8_t *x = view.cols + <size_t>a * view.tall
    cdef const uint8_t *y = view.cols + <size_t>b * view.tall
    cdef int i
    memset(forward, 255, responses)
    memset(backward, 255, responses)
    for i in range(n):
        if forward[x[rows[i]]] == 255 and backward[y[rows[i]]] == 255:
            forward[x[rows[i]]], backward[y[rows[i]]] = y[rows[i]], x[rows[i]]
        elif forward[x[rows[i]]] != y[rows[i]] or backward[y[rows[i]]] != x[rows[i]]:
            return 0
    return 1


cdef inline int same_rules(const Rules *rules, const uint64_t *needs, const uint64_t *demandable, View *view,
                           const int32_t *rows, int n, int a, int b) noexcept nogil:
    """Return whether two columns with equal partitions are the same under the rules."""
    return not rules.words or (
        same_features(rules, demandable, view.guess[a], view.guess[b])
        and same_needs(rules, needs, view.guess[a], view.guess[b], view.cols + <size_t>a * view.tall,
                       view.cols + <size_t>b * view.tall, rows, n)
    )


cdef inline int copy_columns(Arena *arena, View *above, const int32_t *rows, int n, View *view,
                             int secrets, int responses) except -1 nogil:
    """Fill a view with some rows and columns of another; view.guess holds the columns there."""
    cdef uint8_t *to
    cdef int i, j
    view.width = (view.ng + 31) // 32 * 32
    view.cols = <uint8_t *>take(arena, <size_t>view.ng * n)
    for j in range(view.ng):
        to = view.cols + <size_t>j * n
        for i in range(n):
            to[i] = above.cols[<size_t>view.guess[j] * above.tall + rows[i]]
        view.own[j], view.guess[j] = above.own[view.guess[j]], above.guess[view.guess[j]]
    fill_rows(arena, view, responses)
    link_names(arena, view, secrets)
    return 0


cdef inline View *allowed_view(Arena *arena, const Rules *rules, const uint64_t *needs, View *above,
                               const int32_t *rows, int n, int secrets, int responses) except NULL nogil:
    """Return the table of `rows` of `above` with the guesses that have what is demanded; `above` if all have."""
    cdef Mark mark = arena.top
    cdef View *view = new_view(arena, n, above.ng)
    cdef int i, j, kept = 0
    for j in range(above.ng):
        view.guess[kept] = j
        kept += is_allowed(rules, above.guess[j], needs)
    if kept == above.ng:
        arena_release(arena, mark)
        return above
    for i in range(n):
        view.secret[i] = above.secret[rows[i]]
    view.ng = kept
    copy_columns(arena, above, rows, n, view, secrets, responses)
    return view


cdef inline View *make_view(Arena *arena, View *above, const int32_t *rows, int n, int secrets, int responses,
                            const uint64_t *words, int only_candidates, const Rules *rules, const uint64_t *needs,
                            const uint64_t *demandable) except NULL nogil:
    """Return `rows` of `above` with one guess for each partition; see `reference_counted.Searcher.distinct`."""
    cdef View *view = new_view(arena, n, above.ng)
    cdef Mark mark = arena.top
    cdef uint8_t *inside = <uint8_t *>take(arena, secrets + 1)
    cdef uint64_t *hashes = <uint64_t *>take(arena, (above.ng + 1) * sizeof(uint64_t))
    cdef uint64_t slots = 64, spare = 0
    cdef uint64_t slot
    cdef int32_t *index
    cdef const uint8_t *col
    cdef int i, j, named, phase, kept = 0
    while slots < 2 * <uint64_t>above.ng:
        slots *= 2
    index = <int32_t *>take(arena, slots * sizeof(int32_t))
    memset(inside, 0, secrets + 1)
    memset(index, 255, slots * sizeof(int32_t))
    for i in range(n):
        view.secret[i] = above.secret[rows[i]]
        inside[view.secret[i]] = 1
    for j in range(above.ng):
        col = above.cols + <size_t>j * above.tall
        hashes[j] = partition_hash(col, rows, n, responses, words)
        if rules.words and hashes[j]:
            hash_needs(rules, needs, above.guess[j], col, rows, n, &hashes[j], &spare)
            hashes[j] |= 1
    for phase in range(2):      # candidates enter the index first, so that their equals find them
        for j in range(above.ng):
            named = above.own[j] >= 0 and inside[above.own[j]]
            if not hashes[j] or (not named and (phase == 0 or only_candidates)):
                continue
            if phase == 0 or not named:
                slot = hashes[j] & (slots - 1)
                while index[slot] >= 0 and not (
                    hashes[index[slot]] == hashes[j] and same_partition(above, rows, n, index[slot], j, responses)
                    and same_rules(rules, needs, demandable, above, rows, n, index[slot], j)
                ):
                    slot = (slot + 1) & (slots - 1)
                if index[slot] < 0:
                    index[slot] = j
                elif not named:
                    continue
            if phase == 1:
                view.guess[kept] = j
                kept += 1
    view.ng = kept
    arena_release(arena, mark)
    copy_columns(arena, above, rows, n, view, secrets, responses)
    return view
