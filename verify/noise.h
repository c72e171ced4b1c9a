/* States of tests that may get several answers, and bounds of what strategies cost from one on: N1 to N6 of NOISY.md.
 *
 * Numbers of any size are `limbs` words of 64 bits, the lowest first; as many as the largest sum needs. */
#include <limits.h>
#include "reading.h"

#define MAX_ANSWERS 4096               /* to a test */
#define MAX_CELLS ((size_t)1 << 28)    /* of the table, and answers in all */
#define MOST_SUM 100000000000000000LL  /* weights; or prices and a loss */
#define MAX_BITS 4000                  /* of the unit */
#ifndef MAX_LOOKED
#define MAX_LOOKED ((size_t)1 << 30)   /* bytes of what is found by looking ahead; then it is found again */
#endif
#define MAX_TESTS 1000                 /* of a table: as deep may be looked */
#define MAX_APART 64                   /* causes of a state of which every two are compared, */
#define MAX_COMPARED 300               /* and of a table */
#define NONE (-1)                      /* a loss: the decision is not allowed */
#define TO_THE_END INT_MAX             /* tests to look ahead */

typedef uint64_t Limb;
__extension__ typedef unsigned __int128 Wide;

typedef struct Entry { /* what is known of a state: a bound, perhaps the whole truth about so many tests ahead */
    struct Entry *next;
    size_t length; /* of the key, in words of 32 bits, behind the bound */
    int exact;
    Limb bound[];
} Entry;

typedef struct {
    Entry **slots;
    size_t size, count, bytes;
} Memory;

typedef struct Chunk { struct Chunk *before, *after; size_t size, used; } Chunk;
typedef struct { Chunk *chunk; size_t used; } Mark;

struct Bounds {
    int tests, causes, decisions, groups, limbs, words, group_words, cause_words, most_answers;
    int certain, worst, cliques, stops, needy, grouped;
    size_t *start;            /* of each test and cause: its answers with their rates, and the next one's */
    uint16_t *answer, *kind;  /* of entries; of cells: equal cells of a test have one number */
    Cost *rate, *sum;         /* of entries; of cells: what the rates add up to */
    char ***label;            /* of each test, its answers */
    int *answers, *group, *by_low;
    uint8_t **ending;         /* of each test and answer: whether it ends the path */
    Cost *price, *later, *opening, *loss, *least, *stop, *apart; /* see NOISY.md; losses: by decision, then cause */
    Limb *needs, *overlap, *root, *unit, *most; /* most: no strategy costs more */
    Memory known, looked;
    Chunk *chunk, *base;
    int64_t looks, most_looks; /* most: 0: any number */
    volatile int halted;       /* whoever writes certificates may end what is looked for */
};
typedef struct Bounds Bounds;

typedef struct { /* who is possible with which masses, what was asked, which groups are open */
    int n, answer, *who;
    int *got;                        /* of tests asked, the answers; -1 where masses do not count them any more */
    Limb *mass, *asked, *opened;     /* masses: NULL where each has the one that it began with */
    Limb *sum, *decide, *low;        /* all masses; what is lost if it is decided now; the bound N4, or N5 */
    const Limb *known;               /* what is remembered of it, or NULL; looking ahead does not use it */
} State;

/* ---- numbers ------------------------------------------------------------------------------------------------ */

static inline void copy(const Bounds *b, Limb *to, const Limb *x) { memcpy(to, x, (size_t)b->limbs * sizeof *to); }
static inline void clear(const Bounds *b, Limb *to) { memset(to, 0, (size_t)b->limbs * sizeof *to); }
static inline int endless(const Bounds *b, const Limb *x) { return x[b->limbs - 1] >> 62 != 0; }
static inline void set_endless(const Bounds *b, Limb *to) { clear(b, to), to[b->limbs - 1] = (Limb)1 << 63; }

static inline int order(const Bounds *b, const Limb *x, const Limb *y) {
    for (int i = b->limbs; i--;) if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

static inline void add(const Bounds *b, Limb *to, const Limb *x, Cost times) { /* to += x * times; endless stays endless */
    Wide carry = 0;
    if (endless(b, to) || endless(b, x)) {
        set_endless(b, to);
        return;
    }
    for (int i = 0; i < b->limbs; i++) {
        carry += (Wide)x[i] * (Limb)times + to[i];
        to[i] = (Limb)carry, carry >>= 64;
    }
}

static inline void take_off(const Bounds *b, Limb *to, const Limb *x) { /* to -= x, which is not more */
    Limb borrow = 0;
    for (int i = 0; i < b->limbs; i++) {
        Limb less = to[i] - x[i], out = to[i] < x[i];
        out |= less < borrow, to[i] = less - borrow, borrow = out;
    }
}

static void split_off(const Bounds *b, Limb *to, const Limb *x, Cost by, Cost times) { /* x / by * times; no rest */
    Wide rest = 0;
    for (int i = b->limbs; i--;) rest = rest << 64 | x[i], to[i] = (Limb)(rest / (Limb)by), rest %= (Limb)by;
    for (int i = 0; i < b->limbs; i++) rest += (Wide)to[i] * (Limb)times, to[i] = (Limb)rest, rest >>= 64;
}

static int bits_of(Limb x) { return x ? 1 + bits_of(x >> 1) : 0; }

/* What is more than any strategy costs is endless. */
static inline void no_more(const Bounds *b, Limb *to) { if (order(b, to, b->most) > 0) set_endless(b, to); }

static void read_limbs(Check *c, const char *word, Limb *to) { /* a number of a file */
    const Bounds *b = c->bounds;
    int large = 0; /* what is more than any sum stands for all that is endless */
    clear(b, to);
    for (const char *at = word; *at || at == word; at++) {
        if (*at < '0' || *at > '9' || (*word == '0' && word[1])) stop(c, 1, "%.40s: a number is due as the bound", word);
        Wide carry = (Wide)(*at - '0');
        if (large) continue;
        for (int i = 0; i < b->limbs; i++) carry += (Wide)to[i] * 10, to[i] = (Limb)carry, carry >>= 64;
        large = carry || endless(b, to);
    }
    if (large) set_endless(b, to);
    no_more(b, to);
}

HELPER char *decimal(Check *c, const Limb *x) {
    const Bounds *b = c->bounds;
    size_t room = (size_t)b->limbs * 20 + 8;
    char *to = take(c, room, 1), *at = to + room - 1;
    Limb *rest = take(c, (size_t)b->limbs, sizeof *rest), any = 1;
    if (endless(b, x)) return strcpy(to, "inf");
    for (copy(b, rest, x); any;) {
        Wide left = 0;
        any = 0;
        for (int i = b->limbs; i--; any |= rest[i]) left = left << 64 | rest[i], rest[i] = (Limb)(left / 10), left %= 10;
        *--at = (char)('0' + (int)left);
    }
    give(rest);
    return at;
}

/* ---- room that is given back in the order in which it was taken ----------------------------------------------- */

static Mark marked(const Bounds *b) { return (Mark){b->chunk, b->chunk->used}; }
static void back_to(Bounds *b, Mark mark) { b->chunk = mark.chunk, b->chunk->used = mark.used; }

static void *room(Check *c, size_t count, size_t size) { /* not cleared */
    Bounds *b = c->bounds;
    size_t bytes = (count * size + 15) & ~(size_t)15;
    while (b->chunk->used + bytes > b->chunk->size) {
        if (!b->chunk->after) {
            size_t large = bytes > (1 << 20) ? bytes : 1 << 20;
            Chunk *fresh = take(c, 1, sizeof *fresh + large);
            fresh->size = large, fresh->before = b->chunk, b->chunk->after = fresh;
        }
        b->chunk = b->chunk->after, b->chunk->used = 0;
    }
    void *found = (char *)(b->chunk + 1) + b->chunk->used;
    b->chunk->used += bytes;
    return found;
}

static Limb *new_number(Check *c) {
    Limb *to = room(c, (size_t)c->bounds->limbs, sizeof *to);
    clear(c->bounds, to);
    return to;
}

/* ---- states --------------------------------------------------------------------------------------------------- */

static inline int bit(const Limb *set, int i) { return set[i / 64] >> (i % 64) & 1; }
static inline void set_bit(Limb *set, int i) { set[i / 64] |= (Limb)1 << (i % 64); }

static const Limb *mass_of(const Bounds *b, const State *s, int k) {
    return s->mass ? s->mass + (size_t)k * (size_t)b->limbs : b->root + (size_t)s->who[k] * (size_t)b->limbs;
}

static inline size_t cell_at(const Bounds *b, int t, int i) { return (size_t)t * (size_t)b->causes + (size_t)i; }

static int may(const Bounds *b, size_t cell, int answer) {
    for (size_t e = b->start[cell]; e < b->start[cell + 1]; e++) if (b->answer[e] == answer) return 1;
    return 0;
}

static int helps(const Bounds *b, const State *s, int t) { /* N2 */
    size_t first = cell_at(b, t, s->who[0]);
    int differ = 0;
    for (int k = 1; k < s->n && !differ; k++) differ = b->kind[cell_at(b, t, s->who[k])] != b->kind[first];
    if (!b->worst && differ) return 1;
    for (size_t e = b->start[first]; e < b->start[first + 1]; e++) {
        int a = b->answer[e], all = 1;
        if (b->ending[t][a]) {
            if (!b->worst) return 1;
            continue;
        }
        for (int k = 1; k < s->n && differ && all; k++) all = may(b, cell_at(b, t, s->who[k]), a);
        if (b->worst && all) return 0;
    }
    return b->worst;
}

static inline int is_open(const Bounds *b, const State *s, int t) { return b->group[t] >= 0 && bit(s->opened, b->group[t]); }
static inline Cost price_of(const Bounds *b, const State *s, int t) { return is_open(b, s, t) ? b->later[t] : b->price[t]; }

static int askable(const Bounds *b, const State *s, int t) {
    if (bit(s->asked, t)) return 0;
    for (int w = 0; b->needy && w < b->words; w++) if (b->needs[t * b->words + w] & ~s->asked[w]) return 0;
    return 1;
}

static int settled(const Bounds *b, const State *s) {
    for (int k = 0; k < s->n; k++)
        for (int j = k + 1; j < s->n; j++)
            if (!b->cliques || !bit(b->overlap + (size_t)s->who[k] * (size_t)b->cause_words, s->who[j])) return 0;
    return 1;
}

static void decide_now(const Bounds *b, State *s, Limb *loss) {
    set_endless(b, s->decide);
    if (!b->decisions && settled(b, s)) clear(b, s->decide);
    for (int d = 0; d < b->decisions; d++) {
        const Cost *lost = b->loss + (size_t)d * (size_t)b->causes;
        Cost most = 0;
        int k = 0;
        clear(b, loss);
        for (; k < s->n && lost[s->who[k]] != NONE; k++) {
            if (b->worst) most = most > lost[s->who[k]] ? most : lost[s->who[k]];
            else if (lost[s->who[k]]) add(b, loss, mass_of(b, s, k), lost[s->who[k]]);
        }
        if (k < s->n) continue;
        if (b->worst) loss[0] = (Limb)most;
        if (order(b, loss, s->decide) < 0) copy(b, s->decide, loss);
    }
}

static int components(Check *c, const State *s, Limb *parts) { /* masses of the connected parts of the overlaps */
    const Bounds *b = c->bounds;
    size_t limbs = (size_t)b->limbs;
    int *part = room(c, (size_t)s->n, sizeof *part), *queue = room(c, (size_t)s->n, sizeof *queue), many = 0;
    for (int k = 0; k < s->n; k++) part[k] = -1;
    for (int k = 0; k < s->n; k++) {
        if (part[k] >= 0) continue;
        int first = 0, last = 1;
        queue[0] = k, part[k] = many;
        clear(b, parts + (size_t)many * limbs);
        while (first < last) {
            int x = queue[first++];
            const Limb *near = b->cliques ? b->overlap + (size_t)s->who[x] * (size_t)b->cause_words : NULL;
            add(b, parts + (size_t)many * limbs, mass_of(b, s, x), 1);
            for (int y = 0; near && y < s->n; y++)
                if (part[y] < 0 && bit(near, s->who[y])) part[y] = many, queue[last++] = y;
        }
        many++;
    }
    return many;
}

static void sift(const Bounds *b, Limb **heap, int n, int at) {
    for (int child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && order(b, heap[child + 1], heap[child]) < 0) child++;
        if (order(b, heap[at], heap[child]) <= 0) return;
        Limb *other = heap[at];
        heap[at] = heap[child], heap[child] = other;
    }
}

static void huffman(Check *c, Limb *parts, int n, int symbols, Limb *total) { /* the total of the shortest code */
    const Bounds *b = c->bounds;
    int none = symbols > 2 ? (symbols - 1 - (n - 1) % (symbols - 1)) % (symbols - 1) : 0, all = n + none;
    Limb **heap = room(c, (size_t)all, sizeof *heap), *joined = new_number(c);
    for (int i = 0; i < all; i++) heap[i] = i < n ? parts + (size_t)i * (size_t)b->limbs : new_number(c);
    for (int i = all; i--;) sift(b, heap, all, i);
    for (clear(b, total); all > 1;) {
        Limb *last = heap[0];
        clear(b, joined);
        for (int k = 0; k < symbols; k++) {
            last = heap[0];
            add(b, joined, last, 1);
            heap[0] = heap[--all], sift(b, heap, all, 0);
        }
        copy(b, last, joined), add(b, total, joined, 1);
        heap[all] = last;
        for (int at = all++; at && order(b, heap[at], heap[(at - 1) / 2]) < 0; at = (at - 1) / 2) {
            Limb *other = heap[at];
            heap[at] = heap[(at - 1) / 2], heap[(at - 1) / 2] = other;
        }
    }
}

static void tell_apart(Check *c, const State *s, Limb *to) { /* at least what tests cost that leave the others out: N4 */
    const Bounds *b = c->bounds;
    Limb *one = new_number(c);
    clear(b, to);
    for (int k = 0; k < s->n; k++) {
        const Cost *apart = b->apart + (size_t)s->who[k] * (size_t)b->causes;
        Cost most = 0;
        for (int j = 0; j < s->n; j++) if (apart[s->who[j]] > most) most = apart[s->who[j]];
        clear(b, one);
        if (most == INF) set_endless(b, one);
        else add(b, one, b->worst ? s->sum : mass_of(b, s, k), most);
        if (!b->worst) add(b, to, one, 1);
        else if (order(b, one, to) > 0) copy(b, to, one);
    }
}

static void bound(Check *c, State *s) { /* N3, N4 */
    const Bounds *b = c->bounds;
    Mark mark = marked(b);
    Limb *low = new_number(c), *total = new_number(c), *parts = NULL;
    Cost next = INF, ever = INF;
    clear(b, s->sum);
    if (b->worst) s->sum[0] = 1;
    for (int k = 0; k < s->n && !b->worst; k++) add(b, s->sum, mass_of(b, s, k), 1);
    decide_now(b, s, low);
    copy(b, s->low, s->decide);
    for (int i = 0; i < b->tests && order(b, s->decide, total) > 0; i++) {
        int t = b->by_low[i];
        if (b->later[t] >= next) break;
        if (bit(s->asked, t) || !helps(b, s, t)) continue;
        Cost pays = price_of(b, s, t);
        if (b->later[t] + b->opening[t] < pays && !is_open(b, s, t)) pays = b->later[t] + b->opening[t];
        if (ever == INF) ever = b->later[t];
        if (pays < next) next = pays;
    }
    if (next < INF) {
        clear(b, low), add(b, low, s->sum, next);
        if (b->decisions) {
            Limb *one = new_number(c);
            clear(b, low);
            for (int k = 0; k < s->n; k++) {
                int i = s->who[k];
                Cost ends = b->least[i] < INF ? next + b->least[i] : INF, stops = b->stop[i] > next ? b->stop[i] : next;
                Cost pays = ends < stops ? ends : stops;
                if (pays >= INF) set_endless(b, one);
                else clear(b, one), add(b, one, b->worst ? s->sum : mass_of(b, s, k), pays);
                if (!b->worst) add(b, low, one, 1);
                else if (order(b, one, low) > 0) copy(b, low, one);
            }
        } else if (!b->stops) {
            parts = room(c, (size_t)s->n * (size_t)b->limbs, sizeof *parts);
            int many = components(c, s, parts);
            Cost length = 0;
            for (Cost reached = 1; b->most_answers > 1 && reached < many; length++) reached *= b->most_answers;
            if (b->most_answers > 1 && !b->worst && many > 1) huffman(c, parts, many, b->most_answers, total);
            if (b->worst) total[0] = (Limb)length;
            Limb *coded = new_number(c);
            add(b, coded, total, ever);
            if (order(b, coded, low) > 0) copy(b, low, coded);
            if (b->apart && s->n <= MAX_APART) {
                tell_apart(c, s, coded);
                if (order(b, coded, low) > 0) copy(b, low, coded);
            }
        }
        if (order(b, low, s->low) < 0) copy(b, s->low, low);
    }
    back_to(c->bounds, mark);
}

static void number_room(Check *c, State *s) { s->sum = new_number(c), s->decide = new_number(c), s->low = new_number(c); }

static State *root_state(Check *c) {
    const Bounds *b = c->bounds;
    State *s = room(c, 1, sizeof *s);
    s->n = b->causes, s->answer = -1, s->mass = NULL, s->known = NULL;
    s->who = room(c, (size_t)s->n, sizeof *s->who);
    for (int i = 0; i < s->n; i++) s->who[i] = i;
    s->asked = room(c, (size_t)b->words, sizeof *s->asked), s->opened = room(c, (size_t)b->group_words, sizeof *s->opened);
    memset(s->asked, 0, (size_t)b->words * sizeof *s->asked);
    memset(s->opened, 0, (size_t)b->group_words * sizeof *s->opened);
    if (!b->certain) { /* as after a test that tells nothing */
        size_t bytes = (size_t)s->n * (size_t)b->limbs * sizeof(Limb);
        s->mass = memcpy(room(c, bytes, 1), b->root, bytes);
    }
    s->got = room(c, (size_t)b->tests, sizeof *s->got);
    for (int t = 0; t < b->tests; t++) s->got[t] = -1;
    number_room(c, s), bound(c, s);
    return s;
}

static int split(Check *c, const State *s, int t, State **after) { /* the states after the answers that go on */
    const Bounds *b = c->bounds;
    size_t limbs = (size_t)b->limbs;
    int *place = room(c, (size_t)b->answers[t] + 1, sizeof *place), count = 0;
    for (int a = 0; a < b->answers[t]; a++) place[a] = 0;
    for (int k = 0; k < s->n; k++)
        for (size_t cell = cell_at(b, t, s->who[k]), e = b->start[cell]; e < b->start[cell + 1]; e++) place[b->answer[e]]++;
    for (int a = 0; a < b->answers[t]; a++) count += place[a] && !b->ending[t][a];
    State *to = *after = room(c, (size_t)count + 1, sizeof *to);
    Limb *asked = room(c, (size_t)b->words, sizeof *asked), *opened = room(c, (size_t)b->group_words, sizeof *opened);
    memcpy(asked, s->asked, (size_t)b->words * sizeof *asked), set_bit(asked, t);
    memcpy(opened, s->opened, (size_t)b->group_words * sizeof *opened);
    if (b->group[t] >= 0) set_bit(opened, b->group[t]);
    count = 0;
    for (int a = 0; a < b->answers[t]; a++) {
        int n = place[a];
        place[a] = -1;
        if (!n || b->ending[t][a]) continue;
        to[count] = (State){.answer = a, .who = room(c, (size_t)n, sizeof *to->who), .asked = asked, .opened = opened};
        to[count].got = s->got;
        if (!b->certain) {
            to[count].got = room(c, (size_t)b->tests, sizeof *s->got);
            memcpy(to[count].got, s->got, (size_t)b->tests * sizeof *s->got), to[count].got[t] = a;
        }
        if (!b->certain) to[count].mass = room(c, (size_t)n * limbs, sizeof(Limb));
        number_room(c, to + count);
        place[a] = count++;
    }
    for (int k = 0; k < s->n; k++)
        for (size_t cell = cell_at(b, t, s->who[k]), e = b->start[cell]; e < b->start[cell + 1]; e++) {
            if (place[b->answer[e]] < 0) continue;
            State *child = to + place[b->answer[e]];
            if (child->mass)
                split_off(b, child->mass + (size_t)child->n * limbs, mass_of(b, s, k), b->sum[cell], b->rate[e]);
            child->who[child->n++] = s->who[k];
        }
    for (int k = 0; k < count; k++) bound(c, to + k);
    return count;
}

/* ---- what is remembered ----------------------------------------------------------------------------------------- */

static void useful(const Bounds *b, const State *s, Limb *by_answers, Limb *found) { /* N2 */
    memset(by_answers, 0, (size_t)b->words * sizeof *by_answers);
    for (int t = 0; t < b->tests; t++) if (helps(b, s, t)) set_bit(by_answers, t);
    for (int w = 0; w < b->words; w++) found[w] = by_answers[w] & ~s->asked[w];
    for (int more = b->grouped || b->needy; more;) {
        more = 0;
        for (int t = 0; t < b->tests; t++) {
            if (!bit(found, t)) continue;
            for (int w = 0; w < b->words && b->needy; w++) {
                Limb fresh = b->needs[t * b->words + w] & ~s->asked[w] & ~found[w];
                found[w] |= fresh, more |= fresh != 0;
            }
            if (b->group[t] < 0 || b->later[t] >= b->price[t] || is_open(b, s, t)) continue;
            for (int u = 0; u < b->tests; u++)
                if (b->group[u] == b->group[t] && !bit(s->asked, u) && !bit(found, u)) set_bit(found, u), more = 1;
        }
    }
}

/* What a state is, as words, for so many tests ahead; `found` gets the tests that are useful. */
static size_t key_of(Check *c, const State *s, int ahead, Limb *found, uint32_t **key) {
    const Bounds *b = c->bounds;
    size_t words = 2 * (size_t)b->words, groups = 2 * (size_t)b->group_words, n = (size_t)s->n;
    size_t masses = s->mass ? n * (size_t)b->limbs * 2 : 0, length = 2 + n + masses + words + groups;
    Limb *asked = room(c, (size_t)b->words, sizeof *asked), *opened = room(c, (size_t)b->group_words, sizeof *opened);
    uint32_t *at = *key = room(c, length, sizeof *at);
    useful(b, s, asked, found);
    memset(opened, 0, (size_t)b->group_words * sizeof *opened);
    for (int t = 0; t < b->tests; t++) {
        if (!bit(found, t)) continue;
        for (int w = 0; w < b->words && b->needy; w++) asked[w] |= b->needs[t * b->words + w];
        if (b->group[t] >= 0 && b->later[t] < b->price[t]) set_bit(opened, b->group[t]);
    }
    for (int w = 0; w < b->words; w++) asked[w] &= s->asked[w];
    for (int w = 0; w < b->group_words; w++) opened[w] &= s->opened[w];
    *at++ = (uint32_t)ahead, *at++ = (uint32_t)s->n;
    memcpy(at, s->who, n * sizeof *at), at += n;
    if (s->mass) memcpy(at, s->mass, masses * sizeof *at), at += masses;
    memcpy(at, asked, words * sizeof *at), at += words;
    memcpy(at, opened, groups * sizeof *at);
    return length;
}

static size_t slot_of(const Memory *m, const uint32_t *key, size_t length) {
    uint64_t h = length;
    for (size_t i = 0; i < length; i++) h = (h ^ key[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return (size_t)h & (m->size - 1);
}

static Entry *find_entry(const Bounds *b, const Memory *m, const uint32_t *key, size_t length) {
    Entry *at = m->size ? m->slots[slot_of(m, key, length)] : NULL;
    while (at && (at->length != length || memcmp(at->bound + b->limbs, key, length * sizeof *key))) at = at->next;
    return at;
}

static void forget(Memory *m) {
    for (size_t i = 0; i < m->size; i++)
        for (Entry *at = m->slots[i], *next; at; at = next) next = at->next, give(at);
    give(m->slots);
    *m = (Memory){NULL, 0, 0, 0};
}

static void widen(Check *c, Memory *m) {
    Memory wide = {NULL, m->size ? 2 * m->size : 1 << 10, m->count, m->bytes};
    wide.slots = take(c, wide.size, sizeof *wide.slots);
    for (size_t i = 0; i < m->size; i++)
        for (Entry *at = m->slots[i], *next; at; at = next) {
            size_t slot = slot_of(&wide, (uint32_t *)(at->bound + c->bounds->limbs), at->length);
            next = at->next, at->next = wide.slots[slot], wide.slots[slot] = at;
        }
    give(m->slots);
    *m = wide;
}

static void remember(Check *c, Memory *m, const uint32_t *key, size_t length, const Limb *value, int exact) {
    const Bounds *b = c->bounds;
    Entry *at = find_entry(b, m, key, length);
    if (!at) {
        if (m->count >= m->size) widen(c, m);
        size_t slot = slot_of(m, key, length), bytes = (size_t)b->limbs * sizeof(Limb) + length * sizeof *key;
        at = take(c, 1, sizeof *at + bytes);
        at->length = length, memcpy(at->bound + b->limbs, key, length * sizeof *key);
        at->next = m->slots[slot], m->slots[slot] = at;
        m->count++, m->bytes += sizeof *at + 48 + bytes;
    }
    if (order(b, value, at->bound) >= 0) copy(b, at->bound, value), at->exact |= exact;
}

/* ---- looking ahead, N5 -------------------------------------------------------------------------------------------- */

typedef struct { Limb *total; int test; const Bounds *by; } Ask;

static int by_total(const void *x, const void *y) {
    const Ask *a = x, *b = y;
    int first = order(a->by, a->total, b->total);
    return first ? first : a->test - b->test;
}

static const Limb *least_of(const Bounds *b, const State *s) {
    return s->known && order(b, s->known, s->low) > 0 ? s->known : s->low;
}

/* Add up what a test costs with these bounds of the states behind it. */
static void add_up(Check *c, const State *s, int t, const State *after, int count, Limb *total) {
    const Bounds *b = c->bounds;
    clear(b, total);
    for (int k = 0; k < count; k++) {
        const Limb *least = least_of(b, after + k);
        if (!b->worst) add(b, total, least, 1);
        else if (order(b, least, total) > 0) copy(b, total, least);
    }
    add(b, total, s->sum, price_of(b, s, t));
}

static void look_from(Check *c, const State *s, const Limb *want, int ahead, Limb *out);

/* The rate of the answer to a test that was asked and does not help, the same for all that are left; 0: masses do not count
 * it, or it helps. */
static Cost common_rate(const Bounds *b, const State *s, int t, Cost *of) {
    if (!s->mass || s->got[t] < 0 || helps(b, s, t)) return 0;
    size_t cell = cell_at(b, t, s->who[0]), e = b->start[cell];
    while (b->answer[e] != s->got[t]) e++;
    *of = b->sum[cell];
    return b->rate[e];
}

static void round_up(const Bounds *b, Limb *x, Cost by) { /* x / by, rounded up */
    Limb *rest = x;
    Wide carry = 0;
    for (int i = b->limbs; i--;) carry = carry << 64 | rest[i], rest[i] = (Limb)(carry / (Limb)by), carry %= (Limb)by;
    for (int i = 0; carry && i < b->limbs; i++) carry = ++rest[i] == 0;
}

static void enlarge(const Bounds *b, Limb *x, Cost times) { /* endless where it is more than any sum */
    Wide carry = 0;
    for (int i = 0; i < b->limbs; i++) carry += (Wide)x[i] * (Limb)times, x[i] = (Limb)carry, carry >>= 64;
    if (carry || endless(b, x)) set_endless(b, x);
}

/* `look_from`, by the same state with masses as if tests were not asked that do not help any more: all are larger by one
 * factor, so values are; with a test of rate / of less, they are multiples of `of`. */
static void look(Check *c, const State *s, const Limb *want, int ahead, Limb *out) {
    const Bounds *b = c->bounds;
    Mark mark = marked(b);
    State one = *s;
    Limb *more = new_number(c), *found = new_number(c);
    Cost of = 0, rate;
    if (out != s->low) copy(b, out, s->low);
    if (!ahead || order(b, s->low, want) >= 0 || order(b, s->low, s->decide) >= 0) {
        back_to(c->bounds, mark);
        return;
    }
    copy(b, more, want);
    for (int t = 0; t < b->tests; t++) {
        if (!(rate = common_rate(b, s, t, &of))) continue;
        if (one.got == s->got) { /* numbers of its own */
            size_t bytes = (size_t)s->n * (size_t)b->limbs * sizeof(Limb);
            one.mass = memcpy(room(c, bytes, 1), s->mass, bytes);
            one.got = memcpy(room(c, (size_t)b->tests, sizeof *one.got), s->got, (size_t)b->tests * sizeof *one.got);
            number_room(c, &one);
            copy(b, one.sum, s->sum), copy(b, one.low, s->low), copy(b, one.decide, s->decide);
        }
        for (int k = 0; k < s->n; k++) {
            Limb *mass = one.mass + (size_t)k * (size_t)b->limbs;
            split_off(b, mass, mass, rate, of);
        }
        split_off(b, one.sum, one.sum, rate, of);
        if (!endless(b, one.low)) split_off(b, one.low, one.low, rate, of);
        if (!endless(b, one.decide)) split_off(b, one.decide, one.decide, rate, of);
        if (!endless(b, more)) round_up(b, more, rate), enlarge(b, more, of);
        one.got[t] = -1;
    }
    look_from(c, &one, more, ahead, found);
    for (int t = b->tests; t--;) {
        if (one.got[t] == s->got[t] || endless(b, found)) continue;
        rate = common_rate(b, s, t, &of);
        split_off(b, found, found, of, rate);
    }
    copy(b, out, found);
    back_to(c->bounds, mark);
}

/* Look further in the states after a test, whose bounds rise, until it costs `want` or nothing is left to find. */
static void follow(Check *c, const State *s, int t, State *after, int count, const Limb *want, int ahead, Limb *total) {
    const Bounds *b = c->bounds;
    add_up(c, s, t, after, count, total);
    for (int done = 0; done < count && order(b, total, want) < 0; done++) {
        Mark mark = marked(b);
        Limb *need = new_number(c);
        int k = done;
        for (int j = done + 1; j < count; j++) if (order(b, after[j].sum, after[k].sum) > 0) k = j;
        State one = after[k];
        after[k] = after[done], after[done] = one;
        if (order(b, one.low, one.decide) < 0) {
            copy(b, need, want);
            if (b->worst) {
                Limb *paid = new_number(c);
                add(b, paid, s->sum, price_of(b, s, t));
                if (order(b, paid, need) <= 0) take_off(b, need, paid);
                else clear(b, need);
            } else take_off(b, need, total), add(b, need, least_of(b, &one), 1);
            look(c, &one, need, ahead, one.low); /* the bound of one state, where it was */
            add_up(c, s, t, after, count, total);
        }
        back_to(c->bounds, mark);
    }
}

/* At least what a state costs, by so many tests ahead: exactly that bound, or `want` or more if it is that. */
static void look_from(Check *c, const State *s, const Limb *want, int ahead, Limb *out) {
    Bounds *b = c->bounds;
    if (out != s->low) copy(b, out, s->low);
    if (!ahead || order(b, s->low, want) >= 0 || order(b, s->low, s->decide) >= 0) return;
    b->looks++;
    if (b->halted || (b->most_looks && b->looks > b->most_looks)) stop(c, 2, "enough was looked at");
    Mark mark = marked(b);
    Limb *found = room(c, (size_t)b->words, sizeof *found), *limit = new_number(c), *total = new_number(c);
    uint32_t *key;
    size_t length = key_of(c, s, ahead, found, &key);
    Entry *known = find_entry(b, &b->looked, key, length);
    if (known && (known->exact || order(b, known->bound, want) >= 0)) {
        copy(b, out, known->bound);
        back_to(b, mark);
        return;
    }
    copy(b, limit, order(b, want, s->decide) < 0 ? want : s->decide);
    Ask *asks = room(c, (size_t)b->tests, sizeof *asks);
    int many = 0;
    for (int t = 0; t < b->tests; t++) {
        if (!bit(found, t) || !askable(b, s, t)) continue;
        Limb *cost = new_number(c);
        Mark here = marked(b);
        State *after;
        int count = split(c, s, t, &after);
        add_up(c, s, t, after, count, cost);
        back_to(b, here);
        if (order(b, cost, limit) < 0) asks[many++] = (Ask){cost, t, b};
    }
    qsort(asks, (size_t)many, sizeof *asks, by_total);
    for (int i = 0; i < many && order(b, asks[i].total, limit) < 0; i++) {
        Mark here = marked(b);
        State *after;
        int count = split(c, s, asks[i].test, &after);
        follow(c, s, asks[i].test, after, count, limit, ahead == TO_THE_END ? ahead : ahead - 1, total);
        if (order(b, total, limit) < 0) copy(b, limit, total);
        back_to(b, here);
    }
    int exact = order(b, limit, want) < 0;
    if (order(b, limit, s->low) > 0) copy(b, out, limit);
    if (b->looked.bytes > MAX_LOOKED) forget(&b->looked);
    remember(c, &b->looked, key, length, out, exact);
    back_to(b, mark);
}

/* ---- claims, N6 -------------------------------------------------------------------------------------------------- */

static int far_ahead(const Check *c, int ahead) { return ahead >= c->bounds->tests ? TO_THE_END : ahead; }

/* Whether a test that is asked first is shown to cost so much, by so many tests ahead of the states behind it. */
static int passes(Check *c, const State *s, int t, const Limb *least, int ahead) {
    Bounds *b = c->bounds;
    Mark mark = marked(b);
    State *after;
    int count = split(c, s, t, &after);
    Limb *total = new_number(c), *found = room(c, (size_t)b->words, sizeof *found);
    for (int k = 0; k < count; k++) {
        Mark here = marked(b);
        uint32_t *key;
        size_t length = b->known.count ? key_of(c, after + k, 0, found, &key) : 0;
        const Entry *known = length ? find_entry(b, &b->known, key, length) : NULL;
        if (known) after[k].known = known->bound;
        back_to(b, here);
    }
    add_up(c, s, t, after, count, total);
    if (order(b, total, least) < 0) follow(c, s, t, after, count, least, ahead, total);
    int enough = order(b, total, least) >= 0;
    back_to(b, mark);
    return enough;
}

/* The first test that is not shown to cost so much, -1: none; the number of tests: to decide costs less. */
static int refused_test(Check *c, const State *s, const Limb *least, int first, int ahead) {
    Bounds *b = c->bounds;
    Mark mark = marked(b);
    Limb *found = room(c, (size_t)b->words, sizeof *found);
    int refused = -1;
    uint32_t *key;
    if (first >= 0) return passes(c, s, first, least, ahead) ? -1 : first;
    size_t length = key_of(c, s, 0, found, &key);
    const Entry *known = find_entry(b, &b->known, key, length);
    if (order(b, s->low, least) < 0 && !(known && order(b, known->bound, least) >= 0)) {
        if (order(b, s->decide, least) < 0) refused = b->tests;
        for (int t = 0; t < b->tests && refused < 0; t++)
            if (bit(found, t) && askable(b, s, t) && !passes(c, s, t, least, ahead)) refused = t;
    }
    back_to(b, mark);
    return refused;
}
