/* verify: check a lower bound for a game of questions from its certificate, in the format guesstree-proof/1.
 *
 *     cc -O3 verify.c -o gtverify && ./gtverify FILE.proof
 *
 * Status 0: every strategy for the game costs at least what the file says. 1: refused, with the line and why. 2: a file
 * cannot be read. The game is made again from its rules. L1 to L8 are stated and proved in LEMMAS.md. Plain C99. */
#include "games.h"

#define MAX_NESTING 1000            /* claims inside claims */
#define MAX_STEPS ((size_t)1 << 29) /* bytes of remembered looks ahead */
#define MAX_BOUND 999999999999LL     /* less than INF >> 20, see by_sizes */
#define MAX_SMALL 64                /* secrets of a small set */
#define SLOTS ((size_t)1 << 20)     /* for what is remembered */

/* ---- sets of secrets, rising -------------------------------------------------------------------------------- */

static int64_t *inside, marks; /* of each secret: the number of the set that it was last marked for */

static void mark(const int *set, int n) {
    marks++;
    for (int i = 0; i < n; i++) inside[set[i]] = marks;
}

static int wins(int g) { return win >= 0 && secret_of[g] >= 0 && inside[secret_of[g]] == marks; } /* the marked set */

static uint8_t parts_of(int g, const int *set, int n) {
    uint8_t met[MAX_PARTS + 1] = {0}, count = 0;
    for (int i = 0; i < n; i++) if (!met[row(g)[set[i]]]) met[row(g)[set[i]]] = 1, count++;
    return count;
}

/* Few responses: the masks of all members together, for all guesses at once. */
static void count_by_masks(const int *set, int n, uint8_t *parts) {
    enum { WORDS = 256 };
    size_t words = wide_row / 8;
    for (size_t from = 0; from < words; from += WORDS) {
        size_t size = words - from < WORDS ? words - from : WORDS;
        uint64_t total[WORDS] = {0};
        for (int p = 0; p < planes; p++) {
            uint64_t met[WORDS] = {0};
            const uint64_t *of = masks + (size_t)p * (size_t)secrets * words + from;
            for (int i = 0; i < n; i += 4) { /* the last member may be taken again */
                const uint64_t *a = of + (size_t)set[i] * words, *b = of + (size_t)set[i + 1 < n ? i + 1 : i] * words;
                const uint64_t *c = of + (size_t)set[i + 2 < n ? i + 2 : i] * words;
                const uint64_t *e = of + (size_t)set[i + 3 < n ? i + 3 : i] * words;
                for (size_t w = 0; w < size; w++) met[w] |= a[w] | b[w] | c[w] | e[w];
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
static void count_by_marks(const int *set, int n, uint8_t *parts) {
    static uint8_t met[64][MAX_PARTS + 1];
    for (size_t from = 0; from < wide_row; from += 64) {
        memset(met, 0, sizeof met);
        for (int i = 0; i < n; i++) {
            const uint8_t *a = answers(set[i]) + from;
            for (int g = 0; g < 64; g++) met[g][a[g]] = 1;
        }
        for (int g = 0; g < 64; g++) {
            uint8_t count = 0;
            for (int r = 0; r <= MAX_PARTS; r++) count = (uint8_t)(count + met[g][r]);
            parts[from + (size_t)g] = count;
        }
    }
}

/* Of all guesses, 0: it may not be asked. Returns the most. */
static int count_parts(const int *set, int n, uint8_t *parts) {
    uint8_t most = 0;
    if (own) memset(parts, 0, wide_row);
    for (int i = 0, g; own && i < n; i++) if ((g = guess_of[set[i]]) >= 0) parts[g] = parts_of(g, set, n);
    if (!own) (planes ? count_by_masks : count_by_marks)(set, n, parts);
    for (int g = 0; g < guesses; g++) if (parts[g] > most) most = parts[g];
    return most;
}

/* ---- counting (L2, L3, L4) ---------------------------------------------------------------------------------- */

static int *rank_most; /* c: the most secrets in the part of each rank, over all guesses; a 0 ends them */

/* For sets of which no guess makes more than `parts` parts: what n secrets cost at least, L (convex, to win), and the
 * most secrets that d guesses settle, C. */
typedef struct { Cost *L; int *C, parts; } Count;

static int falling(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

static void rank_parts(void) {
    rank_most = take(MAX_PARTS + 2, sizeof *rank_most);
    for (int g = 0; g < guesses; g++) {
        int size[MAX_PARTS + 1] = {0};
        for (int s = 0; s < secrets; s++) size[row(g)[s]]++;
        if (win >= 0) size[win] = 0;
        qsort(size, (size_t)responses, sizeof *size, falling);
        for (int r = 0; r < responses; r++) if (size[r] > rank_most[r]) rank_most[r] = size[r];
    }
}

typedef struct { int first, most, level, used, whole; Cost sum; } Fill; /* places: `first` at level 0, `most` above */

/* The least sum of L for n secrets, when L is known up to `known`: the smallest places are taken first. Called with
 * rising n. INF: there is no place. */
static Cost fill(Fill *f, const Cost *L, int n, int known) {
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

static int fill_counts(Cost *L, int parts, int relaxed) { /* returns how many secrets have room, or 0: not convex */
    /* Won by the guess: parts - 1 others share n - 1. Not won: `parts` share n. Relaxed: at most both, and convex. */
    Fill won = {parts - 1, relaxed ? parts : parts - 1, 0, 0, 0, 0}, open = {parts, parts, 0, 0, 0, 0};
    L[0] = 0, L[1] = !identify;
    for (int n = 2; n <= secrets; n++) {
        Cost least = identify ? leaves(parts, 1, n) : plus(n, fill(&won, L, n - 1, n - 1));
        Cost other = identify || relaxed || own ? INF : plus(n, fill(&open, L, n, n - 1));
        L[n] = least < other ? least : other;
        if (L[n] >= INF) return n - 1;
        if (!identify && L[n] - L[n - 1] < L[n - 1] - L[n - 2]) return 0;
    }
    return secrets;
}

static const Count *count_of(int parts) {
    static Count counts[MAX_PARTS + 1];
    Count *c = &counts[parts];
    if (c->L) return c;
    c->parts = parts, c->L = take((size_t)secrets + 2, sizeof *c->L), c->C = take((size_t)secrets + 1, sizeof *c->C);
    int room = fill_counts(c->L, parts, 0);
    if (!room && !(room = fill_counts(c->L, parts, 1))) stop(1, "counting with %d parts is not convex", parts);
    c->C[0] = identify;
    for (int d = 1; d <= secrets; d++) {
        Cost won = !identify, open = 0;
        for (int r = 0; r < parts; r++) {
            int size = rank_most[r] < c->C[d - 1] ? rank_most[r] : c->C[d - 1];
            won += !identify && r < parts - 1 ? size : 0, open += own && !identify ? 0 : size;
        }
        if (won > open) open = won;
        c->C[d] = (int)(open < identify ? identify : open < room ? open : room);
    }
    return c;
}

static int depth_of(int n, int d) { /* L6 */
    int most = identify ? n - 1 : n;
    return d < most ? d : most;
}

static int settled(const Count *c, int d) { return d < 0 ? -1 : c->C[d < secrets ? d : secrets]; } /* by d guesses */

static Cost counting(const Count *c, int n, int d) { return n > settled(c, d) ? INF : c->L[n]; }

static Cost evenly(const Count *c, int n, int k, int w, int d) { /* L4: k parts of n secrets, w: one of them won */
    if (k == w) return n;
    if (identify) return n > k * (Cost)settled(c, d - 1) ? INF : plus(n, leaves(c->parts, k, n));
    int size = (n - w) / (k - w), more = (n - w) % (k - w);
    if (size + (more > 0) > settled(c, d - 1)) return INF;
    return n + (k - w - more) * c->L[size] + more * (more ? c->L[size + 1] : 0);
}

/* ---- what is proved of sets --------------------------------------------------------------------------------- */

enum { CLAIM, FINITE, EXACT }; /* whether one step ahead was taken: not, to see that it is finite, to the end */

typedef struct Known { struct Known *next; Cost bound; int n, d, step, set[]; } Known;

static Known *known[SLOTS];
static size_t steps_bytes;

static Known **slot_of(const int *set, int n) {
    uint64_t h = (uint64_t)n;
    for (int i = 0; i < n; i++) h = (h ^ (uint64_t)set[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return &known[h & (SLOTS - 1)];
}

/* The best bound: one with more guesses left holds with fewer. *looked: there is no need to look ahead. */
static Cost remembered(const int *set, int n, int d, int whole, int *looked) {
    Cost best = 0;
    *looked = 0;
    for (const Known *at = *slot_of(set, n); at; at = at->next) {
        if (at->n != n || memcmp(at->set, set, (size_t)n * sizeof *set)) continue;
        if (at->d >= d && at->bound > best) best = at->bound;
        *looked |= at->d == d && at->step >= (whole ? FINITE : EXACT);
    }
    return best;
}

static void remember(const int *set, int n, int d, Cost bound, int step) {
    size_t bytes = sizeof(Known) + (size_t)n * sizeof *set;
    if (step != CLAIM && (steps_bytes += bytes) > MAX_STEPS) return; /* found again when it is needed */
    Known *entry = take(1, bytes), **slot = slot_of(set, n);
    *entry = (Known){*slot, bound, n, d, step};
    memcpy(entry->set, set, (size_t)n * sizeof *set);
    *slot = entry;
}

typedef struct Small { struct Small *next; int n, d, set[MAX_SMALL]; } Small;

static Small *small; /* sets that cannot be settled within d guesses */
static int smalls;

/* ---- one step ahead ----------------------------------------------------------------------------------------- */

/* n and counting for every part of the set under a guess. The set is marked. */
static Cost by_sizes(const Count *c, const int *set, int n, int d, int g) {
    const Cost much = INF >> 20; /* more than any sum: a part that d - 1 guesses do not settle */
    int size[MAX_PARTS + 1], limit = settled(c, d - 1);
    const uint8_t *of = row(g);
    Cost sum = n - (!wins(g) ? 0 : limit > 0 ? c->L[1] : much);
    memset(size, 0, (size_t)responses * sizeof *size);
    for (int i = 0; i < n; i++) {
        int k = size[of[set[i]]]++;
        sum += k < limit ? c->L[k + 1] - c->L[k] : much;
    }
    return sum < much ? sum : INF;
}

/* L5: the least, over guesses, of n and counting for their parts. For `whole` it is only asked whether the set can be
 * settled: INF, or `floor`, which holds already by the counting for sets of at most `above` parts. Marks the set. */
static Cost one_step(const int *set, int n, int d, int above, Cost floor, int whole) {
    static uint8_t *parts;
    if (!parts) parts = take(wide_row, 1);
    mark(set, n);
    for (int i = 0, g; n <= above && i < n; i++) /* a secret that tells all others apart: nothing costs less */
        if ((g = guess_of[set[i]]) >= 0 && parts_of(g, set, n) == n) return identify ? n : 2 * n - 1;
    int most = count_parts(set, n, parts);
    const Count *c = count_of(most);
    Cost least = INF, counted = counting(c, n, d);
    if (counted > floor) floor = counted;
    for (int k = most; k > 1 && least > floor; k--) { /* the most parts first */
        Cost open = evenly(c, n, k, 0, d), won = win >= 0 ? evenly(c, n, k, 1, d) : open;
        const uint8_t *at = parts, *end = parts + guesses;
        if (won >= least && open >= least) continue;
        for (; least > floor && (at = memchr(at, k, (size_t)(end - at))); at++) {
            int g = (int)(at - parts);
            if ((wins(g) ? won : open) >= least) continue;
            Cost cost = by_sizes(c, set, n, d, g);
            if (cost < least) least = cost;
            if (whole && least < INF) return floor;
        }
    }
    return least;
}

/* ---- claims ------------------------------------------------------------------------------------------------- */

typedef struct {
    const int *set;
    int n, d, most;  /* most: the parts that any guess makes of the set */
    int first;       /* the guess that is prescribed, or -1 */
    Cost bound;
    uint8_t *parts;  /* of each guess */
    int *orbit;      /* union-find over guesses, or NULL without renamings */
    const Small **refuted; /* small sets within this one that cannot be settled with one guess less, ended by NULL */
} Claim;

static int leaves_whole(const Claim *claim, int g) { /* L7 */
    for (const Small **at = claim->refuted; *at; at++) {
        int j = 1;
        while (j < (*at)->n && row(g)[(*at)->set[j]] == row(g)[(*at)->set[0]]) j++;
        if (j == (*at)->n) return 1;
    }
    return 0;
}

typedef struct { const int *set; int n, looked; Cost bound; } Part;

static double gained[512], paid[512]; /* by looks ahead so far, for each size of sets, about */

static int about(int n) { /* four steps for each doubling */
    int high = 0;
    while (n >> high > 7) high++;
    return 4 * high + (n >> high);
}

static int promising(const void *a, const void *b) { /* the order of looking: what gains most for its size goes first */
    const Part *x = a, *y = b;
    int i = about(x->n), j = about(y->n);
    double p = (1 + gained[i]) / (1 + paid[i]), q = (1 + gained[j]) / (1 + paid[j]);
    return p != q ? (p < q) - (p > q) : y->n - x->n;
}

/* At least what the claim's set costs when g is asked, as far as it is needed. Keeps the set marked. */
static Cost asking(const Claim *claim, int g) {
    static int *sorted;
    const Count *c = count_of(claim->most);
    int n = claim->n, d = claim->d, used = 0, start[MAX_PARTS + 2] = {0}, at[MAX_PARTS + 1];
    int64_t marked = marks;
    Part parts[MAX_PARTS + 1];
    if (claim->parts[g] < 1 + (n > 1 && claim->first < 0)) return INF; /* not allowed; or it tells nothing (L1) */
    Cost bound = claim->bound, sum = evenly(c, n, claim->parts[g], wins(g), d);
    if (sum >= bound || (sum = by_sizes(c, claim->set, n, d, g)) >= bound) return sum;
    if (bound == INF && leaves_whole(claim, g)) return INF;
    if (!sorted) sorted = take((size_t)secrets, sizeof *sorted);
    for (int i = 0; i < n; i++) start[row(g)[claim->set[i]] + 1]++;
    for (int r = 0; r < responses; r++) {
        if (start[r + 1] && r != win) parts[used++] = (Part){sorted + start[r], start[r + 1], 0, 0};
        at[r] = start[r], start[r + 1] += start[r];
    }
    for (int i = 0; i < n; i++) sorted[at[row(g)[claim->set[i]]]++] = claim->set[i];
    for (Part *p = parts; p < parts + used && sum < bound; p++) { /* what is remembered */
        Cost counted = counting(c, p->n, d - 1);
        p->bound = remembered(p->set, p->n, depth_of(p->n, d - 1), bound == INF, &p->looked);
        p->bound = p->bound > counted ? p->bound : counted, sum = plus(sum - counted, p->bound);
    }
    if (sum < bound) qsort(parts, (size_t)used, sizeof *parts, promising);
    for (Part *p = parts; p < parts + used && sum < bound; p++) { /* one step ahead */
        if (p->looked || p->n < 3 - identify) continue;
        int left = depth_of(p->n, d - 1);
        Cost counted = counting(c, p->n, left), now = one_step(p->set, p->n, left, c->parts, counted, bound == INF);
        remember(p->set, p->n, left, now, bound == INF && now < INF ? FINITE : EXACT);
        gained[about(p->n)] += (double)(now < INF ? now - counted : p->n), paid[about(p->n)] += p->n;
        if (now > p->bound) sum = plus(sum - p->bound, now);
    }
    if (marks != marked) mark(claim->set, n);
    return sum;
}

static int orbit_of(const Claim *claim, int g) {
    if (claim->orbit) while (claim->orbit[g] != g) g = claim->orbit[g] = claim->orbit[claim->orbit[g]];
    return g;
}

static void read_permutation(const char *word, int *to, int size, const char *what) {
    int met[36] = {0};
    for (int i = 0; i < size; i++) {
        const char *place = word[i] ? strchr(digits, word[i]) : NULL;
        to[i] = place ? (int)(place - digits) : size;
        if (to[i] >= size || met[to[i]]++) stop(1, "%.40s does not rename %d %s", word, size, what);
    }
}

static void rename_guesses(Claim *claim) { /* L8 */
    int position[16], colour[16][36], fresh = !claim->orbit;
    const char *order = token(), *names = token();
    int each = kind == BLACKPEG && strchr(names, '/') ? colours + 1 : 0; /* one for each position, with / between */
    if (kind > BULLS) stop(1, "renamings are for codes only");
    read_permutation(order, position, pegs, "positions");
    if ((int)strlen(order) != pegs || (int)strlen(names) != (each ? each * pegs - 1 : colours))
        stop(1, "%.40s %.40s does not rename %d positions and %d colours", order, names, pegs, colours);
    for (int i = 0; i < pegs; i++) {
        if (each && i && names[each * i - 1] != '/') stop(1, "%.40s: / is due between positions", names);
        read_permutation(names + each * i, colour[i], colours, "colours");
    }
    if (fresh) claim->orbit = take((size_t)guesses, sizeof *claim->orbit);
    for (int g = 0; fresh && g < guesses; g++) claim->orbit[g] = g;
    mark(claim->set, claim->n);
    for (int g = 0; g < guesses; g++) {
        char image[37] = {0};
        for (int i = 0; i < pegs; i++) {
            int sign = guess_text[g][i];
            image[position[i]] = digits[colour[i][sign <= '9' ? sign - '0' : sign - 'a' + 10]];
        }
        int to = find(guess_text, guesses, image);
        if (inside[g] == marks && inside[to] != marks) stop(1, "the renaming takes %s out of the set", guess_text[g]);
        claim->orbit[orbit_of(claim, g)] = orbit_of(claim, to);
    }
}

static void check(Claim *claim, const int *named, int nameds, long claimed_at) { /* refuse what the items do not show */
    uint8_t *passed = take((size_t)guesses, 1);
    int n = claim->n, found = 0, failed = -1;
    mark(claim->set, n);
    claim->refuted = take((size_t)smalls + 1, sizeof *claim->refuted);
    for (const Small *at = small; at && claim->bound == INF; at = at->next) {
        int i = 0;
        while (i < at->n && inside[at->set[i]] == marks) i++;
        if (i == at->n && at->d >= claim->d - 1) claim->refuted[found++] = at;
    }
    for (int i = 0; i < nameds + guesses; i++) { /* one guess of each orbit passes; those named go first */
        int g = i < nameds ? named[i] : i - nameds, of = orbit_of(claim, g);
        if (claim->first < 0 ? passed[of] : g != claim->first || passed[of = g]) continue;
        if (asking(claim, g) >= claim->bound) passed[of] = 1;
    }
    for (int g = 0; g < guesses && failed < 0; g++)
        if (claim->first < 0 ? !passed[orbit_of(claim, g)] : g == claim->first && !passed[g]) failed = g;
    if (failed >= 0) {
        char due[24] = "inf";
        line = claimed_at;
        if (claim->bound < INF) sprintf(due, "%lld", (long long)claim->bound);
        stop(1, "a set of %d secrets: guess %s is shown to cost %lld at least; %s is not shown", n, name_of(failed),
             (long long)asking(claim, failed), due);
    }
    free(passed), free(claim->refuted);
}

static long lemmas;

static void prove(const int *set, int n, int d, Cost bound, int parts_above, int first, int nesting);

static void small_set(void) {
    Small *s = take(1, sizeof *s);
    if (own) stop(1, "with candidates only, a larger set may cost less: no small sets");
    s->n = (int)number(token(), 2, MAX_SMALL, "the size"), s->d = (int)number(token(), 0, MAX_NUMBER, "the guesses");
    for (int i = 0; i < s->n; i++) {
        s->set[i] = index_of(token(), 0);
        if (i && s->set[i] <= s->set[i - 1]) stop(1, "the secrets of a small set rise");
    }
    prove(s->set, s->n, s->d, INF, MAX_PARTS, -1, 1);
    remember(s->set, s->n, depth_of(s->n, s->d), INF, CLAIM);
    s->next = small, small = s, smalls++;
}

static int lemma(const Claim *claim, const char *word, int nesting) { /* returns the guess that it names */
    int g = index_of(word, 1), s = index_of(token(), 0), size = 0, left = claim->d > 0 ? claim->d - 1 : 0;
    Cost bound = bound_of(token(), MAX_BOUND);
    mark(claim->set, claim->n);
    if (inside[s] != marks) stop(1, "the secret is not in the set at hand");
    int *part = take((size_t)claim->n, sizeof *part);
    for (int i = 0; i < claim->n; i++) if (row(g)[claim->set[i]] == row(g)[s]) part[size++] = claim->set[i];
    prove(part, size, left, bound, claim->most, -1, nesting + 1);
    remember(part, size, depth_of(size, left), bound, CLAIM);
    free(part);
    lemmas++;
    return g;
}

/* Read the body of the claim "within d guesses the set costs at least the bound" and verify it. */
static void prove(const int *set, int n, int d, Cost bound, int parts_above, int first, int nesting) {
    const char *word = token();
    long claimed_at = line;
    int nameds = 0, *named = NULL, open = !strcmp(word, "("), ignored;
    if (!open && strcmp(word, ".")) stop(1, "%.40s: a body is . or ( items )", *word ? word : "end of file");
    if (nesting > MAX_NESTING) stop(1, "more than %d claims inside claims", MAX_NESTING);
    if (!open && counting(count_of(parts_above), n, d) >= bound) return;
    Claim claim = {set, n, first < 0 ? depth_of(n, d) : d, 0, first, bound, take(wide_row, 1), NULL, NULL};
    claim.most = count_parts(set, n, claim.parts);
    while (open && strcmp(word = token(), ")")) {
        if (!*word) stop(1, "the file ends inside a body");
        if (!strcmp(word, "=")) rename_guesses(&claim);
        else if (!strcmp(word, "!") && !nesting) small_set();
        else if (!strcmp(word, "!")) stop(1, "small sets stand at the top level only");
        else {
            if (!(named = realloc(named, (size_t)(nameds + 1) * sizeof *named))) stop(2, "out of memory");
            named[nameds++] = lemma(&claim, word, nesting);
        }
    }
    if (counting(count_of(claim.most), n, claim.d) < bound && remembered(set, n, claim.d, 0, &ignored) < bound) {
        if (n == 1 && identify) line = claimed_at, stop(1, "one secret is identified already: it costs 0");
        check(&claim, named, nameds, claimed_at);
    }
    free(claim.orbit), free(claim.parts), free(named);
}

int main(int count, char **arguments) {
    begin(count, arguments);
    make_game();
    rank_parts();
    inside = take((size_t)secrets, sizeof *inside);
    const char *word = token();
    int first = strcmp(word, "-") ? index_of(word, 1) : -1, *all = take((size_t)secrets, sizeof *all);
    if (own && first >= 0 && secret_of[first] < 0) stop(1, "%s is no candidate: it may not be asked", word);
    word = token();
    int d = strcmp(word, "-") ? (int)number(word, 0, MAX_NUMBER, "the guesses allowed") : MAX_NUMBER;
    Cost bound = bound_of(token(), MAX_BOUND);
    for (int s = 0; s < secrets; s++) all[s] = s;
    prove(all, secrets, d, bound, MAX_PARTS, first, 0);
    if (*(word = token())) stop(1, "%.40s: nothing is due behind the proof", word);
    if (bound == INF) printf("verified: no strategy settles all %d secrets", secrets);
    else printf("verified: every strategy for %d secrets costs at least %lld", secrets, (long long)bound);
    if (d < MAX_NUMBER) printf(" within %d guesses", d);
    if (first >= 0) printf(", first guess %s", name_of(first));
    return accepted(guesses, lemmas);
}
