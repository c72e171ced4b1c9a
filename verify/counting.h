/* Bounds by counting, for games in which each guess counts one: L1 to L7 of LEMMAS.md. */
#include "games.h"

#define MAX_BOUND 999999999999LL     /* so far below INF that no sum of bounds reaches it */
#define MAX_SMALL 64                /* secrets of a small set */
#define OFTEN 8                     /* responses that are met most often */
#ifndef LARGE
#define LARGE 96                    /* secrets of a part whose largest parts are looked for before all are counted */
#endif
#ifndef GATHERED
#define GATHERED 48                 /* secrets of a part whose responses are gathered before a look ahead */
#endif

/* For sets of which no guess makes more than `parts` parts: what n secrets cost at least, L (convex, to win), and the
 * most secrets that d guesses settle, C. */
typedef struct { Cost *L; int *C, parts; } Count;

typedef struct { const int *set, *places; int n, response, under, looked; Cost bound; double promise; } Part;

typedef struct Small { struct Small *next; int n, d, set[MAX_SMALL]; } Small; /* that d guesses cannot settle */

struct Bounds {
    int64_t *inside, marks; /* of each secret: the number of the set that it was last marked for */
    int64_t answered[MAX_PARTS + 1], looks; /* of each response: the number of the look in which it was last met */
    int *rank_most;         /* c: the most secrets in the part of each rank, over all guesses; a 0 ends them */
    Count counts[MAX_PARTS + 1];
    int *sorted, *places;   /* the parts of `weigh_parts`, and where their members are in the set */
    uint8_t *parts, (*met)[MAX_PARTS + 1];
    Small *small;
    int smalls;
    uint8_t *large;         /* as in a claim, of the part at hand */
    uint8_t often[OFTEN];   /* the responses that are met most often, over all guesses, but that which wins */
    double gained[512], paid[512]; /* by looks ahead so far, for each size of sets, about */
    int plainly;            /* whether a look ahead counts as the claim does, which L5 allows, and shows less. So do
                               writers, for all who check what they write. */
    int largest;            /* whether the largest parts are looked at first: the order in which writers name them */
};

enum { UNSEEN, FINITE, EXACT }; /* what a look ahead says: nothing, that the set may be settled, its whole bound */

/* ---- sets of secrets, rising -------------------------------------------------------------------------------- */

static void mark(const Check *c, const int *set, int n) {
    struct Bounds *b = c->bounds;
    b->marks++;
    for (int i = 0; i < n; i++) b->inside[set[i]] = b->marks;
}

static inline int holds(const Check *c, int s) { return c->bounds->inside[s] == c->bounds->marks; } /* the marked set does */

static inline int wins(const Check *c, int g) { return c->win >= 0 && c->secret_of[g] >= 0 && holds(c, c->secret_of[g]); }

/* Of n secrets, answered with of[at[i]]. */
static inline uint8_t parts_of(const Check *c, const uint8_t *of, const int *at, int n) {
    int64_t *last = c->bounds->answered, now = ++c->bounds->looks;
    int count = 0;
    for (int i = 0; i < n; i++) count += last[of[at[i]]] != now, last[of[at[i]]] = now;
    return (uint8_t)count;
}

/* Few responses: the masks of all members together, for all guesses at once. */
static void count_by_masks(const Check *c, const int *set, int n, uint8_t *parts) {
    enum { WORDS = 256 };
    size_t words = c->wide_row / 8;
    for (size_t from = 0; from < words; from += WORDS) {
        size_t size = words - from < WORDS ? words - from : WORDS;
        uint64_t total[WORDS] = {0};
        for (int p = 0; p < c->planes; p++) {
            uint64_t met[WORDS] = {0};
            const uint64_t *of = c->masks + (size_t)p * (size_t)c->secrets * words + from;
            for (int i = 0; i < n; i += 4) { /* the last member may be taken again */
                const uint64_t *a = of + (size_t)set[i] * words, *b = of + (size_t)set[i + 1 < n ? i + 1 : i] * words;
                const uint64_t *d = of + (size_t)set[i + 2 < n ? i + 2 : i] * words;
                const uint64_t *e = of + (size_t)set[i + 3 < n ? i + 3 : i] * words;
                for (size_t w = 0; w < size; w++) met[w] |= a[w] | b[w] | d[w] | e[w];
            }
            for (size_t w = 0; w < size; w++) { /* add up the bits of each byte */
                uint64_t x = met[w] - (met[w] >> 1 & 0x5555555555555555u);
                x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
                total[w] += (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
            }
        }
        memcpy(parts + 8 * from, total, 8 * size);
    }
}

/* Many responses: mark what is met, then count the marks. (To compare members is slower from 9 of them on.) */
static void count_by_marks(const Check *c, const int *set, int n, uint8_t *parts) {
    uint8_t (*met)[MAX_PARTS + 1] = c->bounds->met;
    for (size_t from = 0; from < c->wide_row; from += 64) {
        memset(met, 0, 64 * sizeof *met);
        for (int i = 0; i < n; i++) {
            const uint8_t *a = answers(c, set[i]) + from;
            for (int g = 0; g < 64; g++) met[g][a[g]] = 1;
        }
        for (int g = 0; g < 64; g++) {
            uint8_t count = 0;
            for (int r = 0; r <= MAX_PARTS; r++) count = (uint8_t)(count + met[g][r]);
            parts[from + (size_t)g] = count;
        }
    }
}

static inline int is_asked(const Check *c, int under, int g) { /* whether the guess may be asked of the marked set */
    return (!c->candidates_only || (c->secret_of[g] >= 0 && holds(c, c->secret_of[g]))) && may_ask(c, under, g);
}

/* Of all guesses, 0: it may not be asked. Returns the most. The set is marked. */
static int count_parts(const Check *c, const int *set, int n, int under, uint8_t *parts) {
    uint8_t most = 0;
    int each = c->candidates_only, asked = 0; /* one by one, where few may be asked */
    for (int g = 0; under && g < c->guesses; g++) asked += may_ask(c, under, g);
    each |= under && asked < c->guesses / 2;
    if (!each) (c->planes ? count_by_masks : count_by_marks)(c, set, n, parts);
    for (int g = 0; (each || under) && g < c->guesses; g++)
        parts[g] = !is_asked(c, under, g) ? 0 : each ? parts_of(c, row(c, g), set, n) : parts[g];
    for (int g = 0; g < c->guesses; g++) most = parts[g] > most ? parts[g] : most;
    return most;
}

/* ---- counting (L2, L3, L4) ---------------------------------------------------------------------------------- */

static int falling(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

/* Of a guess: the most of each rank so far, and how often each response was met. */
static void rank_parts(const Check *c, const uint8_t *of, int *most, int64_t *met) {
    int size[MAX_PARTS + 1] = {0};
    for (int s = 0; s < c->secrets; s++) size[of[s]]++;
    if (c->win >= 0) size[c->win] = 0;
    int parts = 0;
    for (int r = 0; r < c->responses; r++) met[r] += size[r];
    for (int r = 0; r < c->responses; r++) if (size[r]) size[parts++] = size[r];
    qsort(size, (size_t)parts, sizeof *size, falling);
    for (int r = 0; r < parts; r++) if (size[r] > most[r]) most[r] = size[r];
}

static void find_often(const Check *c, int64_t *met, uint8_t *often) { /* by how often each response was met */
    for (int k = 0; k < OFTEN; k++) {
        int most = 0;
        for (int r = 1; r < c->responses; r++) if (met[r] > met[most]) most = r;
        often[k] = (uint8_t)most, met[most] = 0;
    }
}

static void open_bounds(Check *c) { /* of a game that is made */
    struct Bounds *b = c->bounds = take(c, 1, sizeof *b);
    b->inside = take(c, (size_t)c->secrets, sizeof *b->inside), b->sorted = take(c, (size_t)c->secrets, sizeof *b->sorted);
    b->places = take(c, (size_t)c->secrets, sizeof *b->places);
    b->parts = take(c, c->wide_row, 1), b->large = take(c, c->wide_row, 1), b->met = take(c, 64, sizeof *b->met);
    b->rank_most = take(c, MAX_PARTS + 2, sizeof *b->rank_most);
    int64_t met[MAX_PARTS + 1] = {0};
    for (int g = 0; g < c->guesses; g++) rank_parts(c, row(c, g), b->rank_most, met);
    find_often(c, met, b->often);
}

typedef struct { int first, most, level, used, whole; Cost sum; } Fill; /* places: `first` at level 0, `most` above */

/* The least sum of L for n secrets, when L is known up to `known`: the smallest places are taken first. Called with
 * rising n. INF: there is no place. */
static Cost fill(const int *rank_most, Fill *f, const Cost *L, int n, int known) {
    while (f->whole < n && f->level < known) {
        if (f->used < (f->level ? f->most : f->first) && rank_most[f->used] > f->level)
            f->used++, f->whole++, f->sum += L[f->level + 1] - L[f->level];
        else if (!f->most || rank_most[0] <= f->level) break;
        else f->level++, f->used = 0;
    }
    return f->whole == n ? f->sum : INF;
}

/* To identify: n leaves below k nodes that have at most `parts` branches each, and the least sum of their depths. */
static Cost leaves(int parts, Cost k, Cost n) {
    Cost depth = 0, split;
    if (n == k) return 0;
    if (parts < 2) return INF;
    while (n > k * parts) k *= parts, depth++;
    split = (n - k + parts - 2) / (parts - 1); /* so many of the k nodes at this depth have branches */
    return k * depth + split + (n - k) * (depth + 1);
}

/* Returns how many secrets have room, or 0: not convex. Won by the guess: parts - 1 others share n - 1. Not won: `parts`
 * share n. Relaxed: at most both, and convex. */
static int fill_counts(const Check *c, Cost *L, int parts, int relaxed) {
    Fill won = {parts - 1, relaxed ? parts : parts - 1, 0, 0, 0, 0}, open = {parts, parts, 0, 0, 0, 0};
    const int *ranks = c->bounds->rank_most;
    L[0] = 0, L[1] = !c->identify;
    for (int n = 2; n <= c->secrets; n++) {
        Cost least = c->identify ? leaves(parts, 1, n) : plus(n, fill(ranks, &won, L, n - 1, n - 1));
        Cost other = c->identify || relaxed || c->candidates_only ? INF : plus(n, fill(ranks, &open, L, n, n - 1));
        L[n] = least < other ? least : other;
        if (L[n] >= INF) return n - 1;
        if (!c->identify && L[n] - L[n - 1] < L[n - 1] - L[n - 2]) return 0;
    }
    return c->secrets;
}

static const Count *count_of(Check *c, int parts) {
    Count *count = &c->bounds->counts[parts];
    if (count->L) return count;
    Cost *L = take(c, (size_t)c->secrets + 2, sizeof *L);
    int room = fill_counts(c, L, parts, 0), *C = take(c, (size_t)c->secrets + 1, sizeof *C);
    if (!room && !(room = fill_counts(c, L, parts, 1))) stop(c, 1, "counting with %d parts is not convex", parts);
    C[0] = c->identify;
    for (int d = 1; d <= c->secrets; d++) {
        Cost won = !c->identify, open = 0;
        for (int r = 0; r < parts; r++) {
            int most = c->bounds->rank_most[r], size = most < C[d - 1] ? most : C[d - 1];
            won += !c->identify && r < parts - 1 ? size : 0, open += c->candidates_only && !c->identify ? 0 : size;
        }
        if (won > open) open = won;
        C[d] = (int)(open < c->identify ? c->identify : open < room ? open : room);
    }
    *count = (Count){L, C, parts};
    return count;
}

static int depth_of(const Check *c, int n, Cost d) { /* L6 */
    int most = c->identify ? n - 1 : n;
    return d < most ? (int)d : most;
}

static inline int settled(const Check *c, const Count *count, Cost d) { /* by d guesses */
    return d < 0 ? -1 : count->C[d < c->secrets ? d : c->secrets];
}

static inline Cost counting(const Check *c, const Count *count, int n, Cost d) {
    return n > settled(c, count, d) ? INF : count->L[n];
}

/* L4: k parts of n secrets, w: one of them won. */
static Cost evenly(const Check *c, const Count *count, int n, int k, int w, Cost d) {
    if (k == w) return n;
    if (c->identify) return n > k * (Cost)settled(c, count, d - 1) ? INF : plus(n, leaves(count->parts, k, n));
    int size = (n - w) / (k - w), more = (n - w) % (k - w);
    if (size + (more > 0) > settled(c, count, d - 1)) return INF;
    return n + (k - w - more) * count->L[size] + more * (more ? count->L[size + 1] : 0);
}

/* ---- one step ahead ----------------------------------------------------------------------------------------- */

/* n and counting for every part of n secrets under a guess that answers them with of[at[i]]; won: it is one of them. */
static Cost by_sizes(const Check *c, const Count *count, const uint8_t *of, const int *at, int n, Cost d, int won) {
    const Cost *L = count->L;
    int size[2][MAX_PARTS + 1], limit = settled(c, count, d - 1), fit = n < limit ? n : limit, i = 0;
    if (limit < 1) return n == won ? n : INF; /* nothing settles what is left */
    Cost sum = n - won * L[1];
    for (int half = 0; half < 2; half++) memset(size[half], 0, (size_t)c->responses * sizeof **size);
    for (; i + 1 < fit; i += 2) size[0][of[at[i]]]++, size[1][of[at[i + 1]]]++; /* two: neither waits for the other */
    for (int r = 0; r < c->responses; r++) size[0][r] += size[1][r];
    for (; i < n; i++) if (++size[0][of[at[i]]] > limit) return INF; /* as soon as it is seen */
    for (int r = 0; r < c->responses; r++) sum += L[size[0][r]];
    return sum;
}

static void gather(Check *c, Claim *claim) { /* the responses to the members only: all are more than a cache holds */
    uint8_t *to = claim->gathered = take(c, (size_t)c->guesses, (size_t)claim->n);
    for (int g = 0; g < c->guesses; g++)
        for (int i = 0; i < claim->n; i++) *to++ = row(c, g)[claim->set[i]];
}

/* Counts what the guesses make of a part that make `level` parts of the claim's set; returns the most. It is marked. */
static int count_level(const Check *c, const Claim *claim, const Part *part, int level, uint8_t *parts) {
    const uint8_t *from = claim->parts, *next = from, *end = from + c->guesses;
    int most = 0;
    for (; (next = memchr(next, level, (size_t)(end - next))); next++) {
        size_t g = (size_t)(next - from);
        if (!is_asked(c, part->under, (int)g)) continue;
        parts[g] = parts_of(c, claim->gathered + g * (size_t)claim->n, part->places, part->n);
        most = parts[g] > most ? parts[g] : most;
    }
    return most;
}

/* Whether a guess tells n secrets apart: pairs of them, for 64 guesses at once. */
static int told_apart(const Check *c, const int *set, int n) {
    for (size_t from = 0; from < c->wide_row; from += 64) {
        uint8_t same[64] = {0}, left = 1;
        for (int i = 1; i < n && left; i++)
            for (int j = 0; j < i && left; j++) {
                const uint8_t *a = answers(c, set[i]) + from, *b = answers(c, set[j]) + from;
                for (int g = left = 0; g < 64; g++) same[g] |= a[g] == b[g], left |= !same[g];
            }
        if (left) return 1;
    }
    return 0;
}

/* Marks which of 64 guesses, from one on, leave more than `limit` of n secrets with a response that is met often. */
static void mark_large(const Check *c, const int *set, int n, int limit, size_t from, uint8_t *large) {
    uint8_t left = 1;
    memset(large, 0, 64);
    for (int k = 0; k < OFTEN && k < c->responses && left; k++) {
        uint8_t count[64] = {0}, r = c->bounds->often[k];
        for (int i = 0; i < n && left; i++) {
            const uint8_t *a = answers(c, set[i]) + from;
            for (int g = 0; g < 64; g++) count[g] = (uint8_t)(count[g] + (a[g] == r));
            if (i % 16 && i < n - 1) continue;
            for (int g = left = 0; g < 64; g++) large[g] |= count[g] > limit, left |= !large[g];
        }
    }
}

/* Marks those of all guesses; returns how many may leave no more. */
static int mark_all_large(const Check *c, const int *set, int n, int limit, uint8_t *large) {
    int left = 0;
    if (n > 255) n = 255; /* counted in a byte: some of them show it, too */
    if (limit < 1 || limit >= n) return c->guesses; /* a guess may win where nothing is left */
    for (size_t from = 0; from < c->wide_row; from += 64) mark_large(c, set, n, limit, from, large + from);
    for (int g = 0; g < c->guesses; g++) left += !large[g];
    return left;
}

/* Whether some guess that is not marked leaves only parts that d - 1 guesses settle. The set is marked. */
static int settles_one(const Check *c, const Part *part, const Count *count, Cost d, const uint8_t *large) {
    for (int g = 0; g < c->guesses; g++) {
        const uint8_t *of = row(c, g);
        if (!large[g] && by_sizes(c, count, of, part->set, part->n, d, wins(c, g)) < INF && is_asked(c, part->under, g)
            && parts_of(c, of, part->set, part->n) > 1) return 1;
    }
    return 0;
}

/* L5: the least, over guesses, of n and counting for their parts. For `whole` it is only asked whether the set can be
 * settled: INF, or `floor`, which holds already by the counting `above`, that of a larger set. Marks the set. */
static Cost one_step(Check *c, const Claim *claim, const Part *part, Cost d, const Count *above, Cost floor, int whole) {
    uint8_t *parts = c->bounds->parts;
    const int *set = part->set, n = part->n, *at = claim->gathered ? part->places : set;
    const uint8_t *of = claim->gathered ? claim->gathered : c->of_guess;
    size_t wide = claim->gathered ? (size_t)claim->n : c->long_row;
    mark(c, set, n);
    for (int i = 0, g; n <= above->parts && i < n; i++) /* a secret that tells all others apart: nothing costs less */
        if ((g = c->guess_of[set[i]]) >= 0 && parts_of(c, row(c, g), set, n) == n) return c->identify ? n : 2 * n - 1;
    int most = 0, level = claim->most;
    if (whole && d - 1 == !c->identify && !c->candidates_only && !part->under) /* what is left must be told apart */
        return n <= above->parts && told_apart(c, set, n) ? floor : INF;
    uint8_t *large = NULL;
    if (whole && n >= LARGE && (c->planes || !claim->gathered)) {
        int left = mark_all_large(c, set, n, settled(c, above, d - 1), large = c->bounds->large);
        if (left < c->guesses / 16 && !settles_one(c, part, above, d, large)) return INF;
        if (left == c->guesses) large = NULL;
    }
    if (c->planes || !claim->gathered) most = count_parts(c, set, n, part->under, parts), level = 0;
    else memset(parts, 0, (size_t)c->guesses); /* and count them while it matters: no guess makes more of the part */
    for (int more; level > most; level--) most = (more = count_level(c, claim, part, level, parts)) > most ? more : most;
    const Count *count = c->bounds->plainly ? above : count_of(c, most);
    Cost least = INF, counted = counting(c, count, n, d);
    if (counted > floor) floor = counted;
    for (int k = most; k > 1 && least > floor; k--) { /* the most parts first */
        Cost open = evenly(c, count, n, k, 0, d), won = c->win >= 0 ? evenly(c, count, n, k, 1, d) : open;
        const uint8_t *next = parts, *end = parts + c->guesses;
        if (won >= least && open >= least) continue;
        for (; level >= k; level--) count_level(c, claim, part, level, parts);
        for (; least > floor && (next = memchr(next, k, (size_t)(end - next))); next++) {
            int g = (int)(next - parts);
            if ((wins(c, g) ? won : open) >= least || (large && large[g])) continue;
            Cost cost = by_sizes(c, count, of + (size_t)g * wide, at, n, d, wins(c, g));
            if (cost < least) least = cost;
            if (whole && least < INF) return floor;
        }
    }
    return least;
}

/* The best bound that is known: one with more guesses left holds with fewer, and one with fewer demands with more (L10).
 * *looked: there is no need to look ahead. */
static Cost known_bound(const Check *c, const int *set, int n, int under, int d, int by, int whole, int *looked) {
    Cost best = 0;
    *looked = 0;
    for (const Known *at = first_of(c, set, n); at; at = same_set(at->next, set, n)) {
        if (!implied(c, at->under, under)) continue;
        if (at->left >= d && at->proved > best) best = at->proved;
        if (at->left >= d && at->by == by && at->looked > best) best = at->looked;
        *looked |= at->under == under && at->left == d && at->by == by && at->whole >= (whole ? FINITE : EXACT);
    }
    return best;
}

static int about(int n) { /* four steps for each doubling */
    int high = 0;
    while (n >> high > 7) high++;
    return 4 * high + (n >> high);
}

static int promising(const void *a, const void *b) { /* the order of looking: what gains most for its size goes first */
    const Part *x = a, *y = b;
    if (x->promise != y->promise) return (x->promise < y->promise) - (x->promise > y->promise);
    return x->n != y->n ? y->n - x->n : x->response - y->response;
}

static int split(Check *c, const Claim *claim, int g, Part *parts) { /* returns how many; they lie in `sorted` */
    int start[MAX_PARTS + 2], at[MAX_PARTS + 1], met = 0, *sorted = c->bounds->sorted, *places = c->bounds->places;
    const uint8_t *of = row(c, g);
    memset(start, 0, (size_t)(c->responses + 1) * sizeof *start);
    for (int i = 0; i < claim->n; i++) start[of[claim->set[i]] + 1]++;
    for (int r = 0; r < c->responses; r++) {
        if (start[r + 1] && r != c->win) parts[met++] = (Part){sorted + start[r], places + start[r], start[r + 1], r, 0, 0, 0, 0};
        at[r] = start[r], start[r + 1] += start[r];
    }
    for (int i = 0; i < claim->n; i++) {
        int to = at[of[claim->set[i]]]++;
        sorted[to] = claim->set[i], places[to] = i;
    }
    for (int i = 0; i < met; i++) /* counting is exact for one secret, whatever is demanded */
        if (parts[i].n > 1) parts[i].under = demanded(c, claim->under, g, parts[i].set[0]);
    return met;
}

/* At least what the claim's set costs when g is asked, with at least what its parts cost, as far as `need`; ahead: looks
 * at parts may help. Keeps the set marked. */
static Cost weigh_parts(Check *c, Claim *claim, int g, Cost need, int ahead, Part *parts, int *used) {
    struct Bounds *b = c->bounds;
    const Count *count = count_of(c, claim->most);
    int whole = need == INF, by = b->plainly ? count->parts : 0;
    int64_t marked = b->marks;
    Cost sum = claim->n, d = claim->left;
    Part *p = parts, *end = parts + (*used = split(c, claim, g, parts));
    for (; p < end; p++) sum = plus(sum, p->bound = counting(c, count, p->n, d - 1));
    if (b->largest) qsort(parts, (size_t)*used, sizeof *parts, promising);
    for (p = parts; p < end && sum < need; p++) { /* what is known */
        Cost counted = p->bound, known = known_bound(c, p->set, p->n, p->under, depth_of(c, p->n, d - 1), by, whole, &p->looked);
        if (known > counted) sum = plus(sum - counted, p->bound = known);
        if (!b->largest) p->promise = (1 + b->gained[about(p->n)]) / (1 + b->paid[about(p->n)]);
    }
    if (!ahead || sum >= need) return sum;
    if (!b->largest) qsort(parts, (size_t)*used, sizeof *parts, promising);
    for (p = parts; p < end && sum < need; p++) { /* one step ahead */
        if (p->looked || p->n < 3 - c->identify) continue;
        int left = depth_of(c, p->n, d - 1);
        Cost counted = counting(c, count, p->n, left), now;
        if ((p->n >= GATHERED || !c->planes) && !claim->gathered && claim->n <= c->secrets / 4) gather(c, claim);
        now = one_step(c, claim, p, left, count, counted, whole);
        Known *look = entry(c, p->set, p->n, p->under, left, by);
        if (now > look->looked) look->looked = now;
        if (look->whole < EXACT) look->whole = whole && now < INF ? FINITE : EXACT;
        b->gained[about(p->n)] += (double)(now < INF ? now - counted : p->n), b->paid[about(p->n)] += p->n;
        if (now > p->bound) sum = plus(sum - p->bound, now), p->bound = now;
    }
    if (b->marks != marked) mark(c, claim->set, claim->n);
    return sum;
}

static int leaves_whole(const Check *c, const Small *const *refuted, int g) { /* one of these sets (L7) */
    const uint8_t *of = row(c, g);
    for (; *refuted; refuted++) {
        int j = 1;
        while (j < (*refuted)->n && of[(*refuted)->set[j]] == of[(*refuted)->set[0]]) j++;
        if (j == (*refuted)->n) return 1;
    }
    return 0;
}

static Cost by_count(Check *c, const Claim *claim, int g) { /* at least what asking g costs, by counting alone (L2 to L4) */
    const Count *count = count_of(c, claim->most);
    if (claim->parts[g] < 1 + (claim->n > 1 && claim->first < 0)) return INF; /* not allowed; or it tells nothing (L1) */
    if (claim->large && claim->large[g]) return INF;
    Cost sum = evenly(c, count, claim->n, claim->parts[g], wins(c, g), claim->left);
    return sum >= claim->bound ? sum : by_sizes(c, count, row(c, g), claim->set, claim->n, claim->left, wins(c, g));
}

static Cost asking(Check *c, Claim *claim, int g) { /* at least what asking g costs. The set is marked, and stays so */
    Part parts[MAX_PARTS + 1];
    int used;
    Cost sum = by_count(c, claim, g);
    if (sum >= claim->bound) return sum;
    if (claim->bound == INF && claim->refuted && leaves_whole(c, claim->refuted, g)) return INF;
    return weigh_parts(c, claim, g, claim->bound, 1, parts, &used);
}

static void look_for_large(Check *c, Claim *claim) { /* for all guesses at once, of a claim that none settles the set */
    if (claim->bound < INF || claim->first >= 0 || claim->large) return;
    int limit = settled(c, count_of(c, claim->most), claim->left - 1);
    claim->large = take(c, c->wide_row, 1);
    mark_all_large(c, claim->set, claim->n, limit, claim->large);
}

static void open_claim(Check *c, Claim *claim) {
    mark(c, claim->set, claim->n);
    if (claim->first < 0) claim->left = depth_of(c, claim->n, claim->left);
    if (!claim->parts) claim->parts = take(c, c->wide_row, 1);
    claim->most = count_parts(c, claim->set, claim->n, claim->under, claim->parts);
    claim->only = claim->first;
}
