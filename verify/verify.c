/* verify: check a lower bound for a game of questions from its certificate, in the format guesstree-proof/1.
 *
 *     cc -O3 verify.c -o gtverify && ./gtverify FILE.proof
 *
 * Status 0: every strategy for the game costs at least what the file says. 1: refused, with the line and why. 2: a file
 * cannot be read. The game is made again from its rules. L1 to L8 are stated and proved in LEMMAS.md. Plain C99. */
#include "reading.h"

#define MAX_PARTS 255               /* responses of a game */
#define MAX_NUMBER 100000           /* secrets or guesses */
#define MAX_NESTING 1000            /* claims inside claims */
#define MAX_TABLE ((size_t)3 << 30) /* bytes of responses */
#define MAX_STEPS ((size_t)1 << 29) /* bytes of remembered looks ahead */
#define MAX_SMALL 64                /* secrets of a small set */

/* ---- the game ----------------------------------------------------------------------------------------------- */

static enum { MASTERMIND, BLACKPEG, BULLS, WORDLE, TABLE } kind;
static int secrets, guesses, pegs, colours, responses, win, identify, codes; /* win: the response that ends the game, or -1 */
static char **secret_text, **guess_text;
static int *secret_of; /* of each guess, -1 if it is none */
static uint8_t *of_guess, *of_secret; /* the responses: rows of guesses, rows of secrets */

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

static int respond_code(const char *guess, const char *secret) {
    int hits = 0, common = 0, left[128] = {0};
    for (int i = 0; i < pegs; i++) hits += guess[i] == secret[i], left[(int)secret[i]]++;
    for (int i = 0; i < pegs; i++) common += left[(int)guess[i]]-- > 0;
    return kind == BLACKPEG ? hits : hits * (pegs + 1) + common - hits;
}

static int respond_word(const char *guess, const char *secret) { /* 2 in place, 1 elsewhere, each letter of the secret once */
    int tile[8] = {0}, used[8] = {0}, value = 0;
    for (int i = 0; i < pegs; i++) if (guess[i] == secret[i]) tile[i] = 2, used[i] = 1;
    for (int i = 0; i < pegs; i++)
        for (int j = 0; !tile[i] && j < pegs; j++) if (!used[j] && guess[i] == secret[j]) tile[i] = 1, used[j] = 1;
    for (int i = 0; i < pegs; i++) value = value * 3 + tile[i];
    return value;
}

static void make_codes(int without_repeats) {
    double all = 1;
    for (int i = 0; i < pegs; i++) all *= without_repeats ? colours - i : colours;
    if (all < 1 || all > MAX_NUMBER) stop(1, "%.0f codes: 1 to %d are checked", all, MAX_NUMBER);
    secrets = 0, secret_text = take((size_t)all, sizeof *secret_text);
    int code[16] = {0};
    for (;;) {
        int repeated = 0, i;
        for (i = 0; i < pegs; i++) for (int j = 0; j < i; j++) repeated |= code[i] == code[j];
        if (!(without_repeats && repeated)) {
            char *word = secret_text[secrets++] = take((size_t)pegs + 1, 1);
            for (i = 0; i < pegs; i++) word[i] = digits[code[i]];
        }
        for (i = pegs - 1; i >= 0 && ++code[i] == colours; i--) code[i] = 0;
        if (i < 0) break;
    }
    guesses = secrets, guess_text = secret_text, codes = 1;
}

static int read_words(const char *name, char ***list) {
    size_t length;
    char *content = beside(name, name, &length), *end = content + length;
    int count = 0;
    *list = take(length / 2 + 1, sizeof **list);
    for (char *c = content; c < end;) {
        char *start = c;
        while (c < end && *c != '\n') c++;
        char *stop_at = c > start && c[-1] == '\r' ? c - 1 : c;
        if (c < end) c++;
        if (stop_at == start) continue;
        *stop_at = 0;
        if (!pegs) pegs = (int)(stop_at - start);
        if (stop_at - start != pegs || pegs > 5 || (int)strlen(start) != pegs) stop(1, "%s: %.20s: words of one length, at most 5, are due", name, start);
        (*list)[count++] = start;
    }
    qsort(*list, (size_t)count, sizeof **list, by_text);
    for (int i = 1; i < count; i++) if (!strcmp((*list)[i], (*list)[i - 1])) stop(1, "%s: %s is there twice", name, (*list)[i]);
    if (count < 1 || count > MAX_NUMBER) stop(1, "%s: %d words: 1 to %d are checked", name, count, MAX_NUMBER);
    return count;
}

static void read_table(const char *hash, const char *name) { /* secrets and guesses are columns and rows, from 1 */
    size_t length;
    if (strlen(hash) != 64) stop(1, "%.80s: a SHA-256 is 64 digits", hash);
    char *at = beside(name, hash, &length), *end = at + length;
    int last = 0, room = 0;
    if (length && end[-1] == '\n') end--;
    for (secrets = -1; !last; secrets++) cell(&at, end, &last);
    if (secrets < 1 || secrets > MAX_NUMBER) stop(1, "%s: %d secrets: 1 to %d are checked", name, secrets, MAX_NUMBER);
    while (at <= end) {
        char *seen[MAX_PARTS];
        int responses = 0;
        cell(&at, end, &last);
        if (guesses == room) {
            of_guess = realloc(of_guess, (size_t)(room = 2 * room + 16) * (size_t)secrets);
            if (!of_guess || (size_t)room * (size_t)secrets > MAX_TABLE) stop(2, "%s: out of memory", name);
        }
        for (int s = 0; s < secrets; s++) {
            if (last) stop(1, "%s: row %d has %d cells instead of %d", name, guesses + 1, s, secrets);
            char *word = cell(&at, end, &last);
            int r = 0;
            while (r < responses && strcmp(seen[r], word)) r++;
            if (r == MAX_PARTS) stop(1, "%s: row %d has more than %d responses", name, guesses + 1, MAX_PARTS);
            if (r == responses) seen[responses++] = word;
            of_guess[(size_t)guesses * (size_t)secrets + (size_t)s] = (uint8_t)r;
        }
        if (!last) stop(1, "%s: row %d has more than %d cells", name, guesses + 1, secrets);
        if (++guesses > MAX_NUMBER) stop(1, "%s: more than %d guesses", name, MAX_NUMBER);
    }
}

static int index_of(const char *word, int is_guess) {
    int count = is_guess ? guesses : secrets, at;
    if (kind == TABLE) return (int)number(word, 1, count, is_guess ? "a guess" : "a secret") - 1;
    at = find(is_guess ? guess_text : secret_text, count, word);
    if (at < 0) stop(1, "%.40s is no %s of the game", word, is_guess ? "guess" : "secret");
    return at;
}

static void make_game(void) {
    static const char *const names[] = {"mastermind", "blackpeg", "bulls", "wordle", "table"};
    const char *word = token(), *a = token(), *b = token();
    int k = 0;
    while (k < 5 && strcmp(word, names[k])) k++;
    if (k == 5) stop(1, "%.40s is no game: mastermind, blackpeg, bulls, wordle or table", word);
    kind = k, win = -1;
    if (kind <= BULLS) {
        pegs = (int)number(a, 1, 15, "pegs"), colours = (int)number(b, 1, 36, "colours");
        make_codes(kind == BULLS);
        responses = kind == BLACKPEG ? pegs + 1 : (pegs + 1) * (pegs + 1);
        win = kind == BLACKPEG ? pegs : pegs * (pegs + 1);
    } else if (kind == WORDLE) {
        char **allowed;
        secrets = read_words(a, &secret_text), guesses = read_words(b, &allowed);
        guess_text = take((size_t)(secrets + guesses), sizeof *guess_text); /* a secret may always be guessed */
        memcpy(guess_text, allowed, (size_t)guesses * sizeof *allowed);
        int count = guesses;
        for (int s = 0; s < secrets; s++) if (find(allowed, count, secret_text[s]) < 0) guess_text[guesses++] = secret_text[s];
        qsort(guess_text, (size_t)guesses, sizeof *guess_text, by_text);
        for (responses = 1, k = 0; k < pegs; k++) responses *= 3;
        win = responses - 1;
    } else {
        read_table(a, b);
        responses = MAX_PARTS;
    }
    if (responses > MAX_PARTS) stop(1, "%d responses: at most %d are checked", responses, MAX_PARTS);
    word = token();
    if (strcmp(word, "win") && strcmp(word, "identify")) stop(1, "the goal is win or identify, not %.40s", word);
    identify = *word == 'i';
    if (kind == TABLE && !identify) stop(1, "a table is asked to identify, not to win");
    if (identify) win = -1;
    size_t cells = (size_t)guesses * (size_t)secrets;
    if (cells > MAX_TABLE) stop(2, "the responses take %zu bytes: at most %zu are taken", cells, MAX_TABLE);
    secret_of = take((size_t)guesses, sizeof *secret_of);
    if (kind != TABLE) of_guess = take(cells, 1);
    of_secret = codes ? of_guess : take(cells, 1); /* who guesses and who hides are alike for codes */
    int dense[MAX_PARTS + 1] = {0}, used = 0;
    for (int g = 0; g < guesses; g++) {
        uint8_t *of = of_guess + (size_t)g * (size_t)secrets;
        secret_of[g] = identify ? -1 : codes ? g : find(secret_text, secrets, guess_text[g]);
        for (int s = 0; s < secrets; s++) {
            if (codes && s < g) of[s] = of_guess[(size_t)s * (size_t)secrets + (size_t)g];
            else if (kind != TABLE) of[s] = (uint8_t)(codes ? respond_code(guess_text[g], secret_text[s]) : respond_word(guess_text[g], secret_text[s]));
            dense[of[s]] = 1;
        }
    }
    for (int r = 0; r <= MAX_PARTS; r++) dense[r] = dense[r] ? used++ : -1; /* responses that occur, from 0 on */
    responses = used, win = win < 0 ? -1 : dense[win];
    for (size_t i = 0; i < cells; i++) of_guess[i] = (uint8_t)dense[of_guess[i]];
    for (int s = 0; !codes && s < secrets; s++)
        for (int g = 0; g < guesses; g++) of_secret[(size_t)s * (size_t)guesses + (size_t)g] = of_guess[(size_t)g * (size_t)secrets + (size_t)s];
}

/* ---- counting (L2, L3, L4) ---------------------------------------------------------------------------------- */

static int *rank_most; /* P: the most secrets in the part of each rank, over all guesses */
static struct Count { Cost *L; int *C, parts; } counts[MAX_PARTS + 1]; /* for each number of parts */

static int biggest_first(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

static void rank_parts(void) {
    rank_most = take(MAX_PARTS + 1, sizeof *rank_most);
    for (int g = 0; g < guesses; g++) {
        int size[MAX_PARTS + 1] = {0};
        for (int s = 0; s < secrets; s++) size[of_guess[(size_t)g * (size_t)secrets + (size_t)s]]++;
        if (win >= 0) size[win] = 0;
        qsort(size, MAX_PARTS + 1, sizeof *size, biggest_first);
        for (int r = 0; r <= MAX_PARTS; r++) if (size[r] > rank_most[r]) rank_most[r] = size[r];
    }
}

static int places(int level, int most) { /* P(level), and no more than `most` */
    int count = 0;
    while (count < most && count <= MAX_PARTS && rank_most[count] > level) count++;
    return count;
}

typedef struct { int level, used, first, most, whole; Cost sum; } Fill; /* the smallest places are taken first */

static int fill(Fill *f, const Cost *L, int known) { /* one secret more; 0 when no place of known cost is left */
    for (;;) {
        if (f->level + 1 > known) return 0;
        if (f->used < places(f->level, f->level ? f->most : f->first)) break;
        if (!places(f->level, f->most)) return 0;
        f->level++, f->used = 0;
    }
    f->used++, f->sum += L[f->level + 1] - L[f->level];
    f->whole++;
    return 1;
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

static int make_counts(struct Count *c, int parts, int relaxed) { /* 0 if it is not convex */
    Cost *L = c->L;
    /* Won by the guess: parts - 1 others share n - 1. Not won: `parts` share n. Relaxed: at most both, and convex. */
    Fill won = {0, 0, parts - 1, relaxed ? parts : parts - 1, 0, 0}, open = {0, 0, parts, parts, 0, 0};
    L[0] = 0, L[1] = identify ? 0 : 1;
    for (int n = 2; n <= secrets; n++) {
        L[n] = identify ? leaves(parts, 1, n) : INF;
        if (identify) continue;
        while (won.whole < n - 1 && fill(&won, L, n - 1)) {}
        if (won.whole == n - 1) L[n] = n + won.sum;
        if (!relaxed) {
            while (open.whole < n && fill(&open, L, n - 1)) {}
            if (open.whole == n && n + open.sum < L[n]) L[n] = n + open.sum;
        }
        if (L[n] == INF) {
            while (++n <= secrets) L[n] = INF;
        } else if (L[n] - L[n - 1] < L[n - 1] - L[n - 2]) return 0;
    }
    return 1;
}

static struct Count *count_of(int parts) { /* for sets of which no guess makes more than `parts` parts */
    struct Count *c = &counts[parts];
    if (c->L) return c;
    c->parts = parts, c->L = take((size_t)secrets + 1, sizeof *c->L);
    if (!make_counts(c, parts, 0) && !make_counts(c, parts, 1)) stop(1, "counting with %d parts is not convex", parts);
    c->C = take((size_t)secrets + 2, sizeof *c->C); /* C(d): the most secrets that d guesses settle */
    c->C[0] = identify;
    for (int d = 1; d <= secrets + 1; d++) {
        Cost won = !identify, open = 0;
        for (int r = 0; r < parts && r < MAX_PARTS; r++) {
            int size = rank_most[r] < c->C[d - 1] ? rank_most[r] : c->C[d - 1];
            open += size, won += r < parts - 1 && !identify ? size : 0;
        }
        if (won > open) open = won;
        c->C[d] = (int)(open < identify ? identify : open < secrets ? open : secrets);
    }
    return c;
}

static int depth_of(int n, int d) { /* L6 */
    int most = identify ? n - 1 : n;
    return d < most ? d : most;
}

static int settled(const struct Count *c, int d) { return d < 0 ? -1 : c->C[d < secrets ? d : secrets]; } /* by d guesses */

static Cost counting(const struct Count *c, int n, int d) { return n > settled(c, depth_of(n, d)) ? INF : c->L[n]; }

static Cost evenly(const struct Count *c, int n, int k, int w, int d) { /* L4: k parts of n secrets, w: one of them won */
    if (k == w) return n;
    if (identify) return n > k * (Cost)settled(c, d - 1) ? INF : plus(n, leaves(c->parts, k, n));
    int size = (n - w) / (k - w), more = (n - w) % (k - w);
    if (counting(c, more ? size + 1 : size, d - 1) >= INF) return INF;
    return n + (k - w - more) * c->L[size] + more * (more ? c->L[size + 1] : 0);
}

/* ---- what is proved of sets --------------------------------------------------------------------------------- */

typedef struct Known { struct Known *next; Cost bound; int n, d, stepped, set[]; } Known;

static Known **known;
static size_t known_slots = 1 << 16, known_count, steps_bytes;

static size_t slot_of(const int *set, int n, size_t slots) {
    uint64_t h = (uint64_t)n;
    for (int i = 0; i < n; i++) h = (h ^ (uint64_t)set[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return (size_t)h & (slots - 1);
}

static Known *same_set(Known *at, const int *set, int n) { /* the first of a list that is about this set */
    while (at && (at->n != n || memcmp(at->set, set, (size_t)n * sizeof *set))) at = at->next;
    return at;
}

static Cost remembered(const int *set, int n, int d, int *stepped) { /* a bound with more guesses left holds with fewer */
    Cost best = 0;
    *stepped = 0;
    for (Known *at = same_set(known[slot_of(set, n, known_slots)], set, n); at; at = same_set(at->next, set, n)) {
        if (at->d >= d && at->bound > best) best = at->bound;
        *stepped |= at->d == d && at->stepped;
    }
    return best;
}

static void remember(const int *set, int n, int d, Cost bound, int stepped) {
    size_t bytes = sizeof(Known) + (size_t)n * sizeof *set;
    if (stepped && (steps_bytes += bytes) > MAX_STEPS) return; /* found again when it is needed */
    if (known_count++ > known_slots) {
        Known **wider = take(2 * known_slots, sizeof *known);
        for (size_t i = 0; i < known_slots; i++)
            for (Known *at = known[i], *next; at; at = next) {
                size_t slot = slot_of(at->set, at->n, 2 * known_slots);
                next = at->next, at->next = wider[slot], wider[slot] = at;
            }
        free(known);
        known = wider, known_slots *= 2;
    }
    Known *entry = malloc(bytes);
    if (!entry) stop(2, "out of memory: %zu sets are remembered", known_count);
    size_t slot = slot_of(set, n, known_slots);
    *entry = (Known){known[slot], bound, n, d, stepped};
    memcpy(entry->set, set, (size_t)n * sizeof *set);
    known[slot] = entry;
}

static struct Small { int n, d, set[MAX_SMALL]; } *small; /* sets that cannot be settled within d guesses */
static int smalls, small_room;

/* ---- parts -------------------------------------------------------------------------------------------------- */

static const uint8_t *row(int g) { return of_guess + (size_t)g * (size_t)secrets; }

static int count_parts(const int *set, int n, uint8_t *parts) { /* of all guesses; returns the most */
    enum { BLOCK = 2048 };
    static uint64_t seen[BLOCK][4];
    static uint8_t met[BLOCK];
    int most = 0, pairs = n <= 64 && n <= 2 * responses, each = !pairs && responses <= 32;
    memset(parts, 0, (size_t)guesses);
    for (int from = 0; from < guesses; from += BLOCK) {
        int wide = guesses - from < BLOCK ? guesses - from : BLOCK;
        uint8_t *here = parts + from;
        for (int r = 0; each && r < responses; r++) { /* whether any secret answers r */
            memset(met, 0, (size_t)wide);
            for (int i = 0; i < n; i++) {
                const uint8_t *answers = of_secret + (size_t)set[i] * (size_t)guesses + from;
                for (int g = 0; g < wide; g++) met[g] |= answers[g] == r;
            }
            for (int g = 0; g < wide; g++) here[g] = (uint8_t)(here[g] + met[g]);
        }
        if (!pairs && !each) memset(seen, 0, sizeof seen);
        for (int i = 0; !each && i < n; i++) {
            const uint8_t *answers = of_secret + (size_t)set[i] * (size_t)guesses + from;
            if (pairs) { /* whether a secret before answers the same */
                memset(met, 0, (size_t)wide);
                for (int j = 0; j < i; j++) {
                    const uint8_t *earlier = of_secret + (size_t)set[j] * (size_t)guesses + from;
                    for (int g = 0; g < wide; g++) met[g] |= answers[g] == earlier[g];
                }
                for (int g = 0; g < wide; g++) here[g] = (uint8_t)(here[g] + 1 - met[g]);
                continue;
            }
            for (int g = 0; g < wide; g++) {
                uint64_t *word = &seen[g][answers[g] >> 6], bit = (uint64_t)1 << (answers[g] & 63);
                here[g] = (uint8_t)(here[g] + !(*word & bit));
                *word |= bit;
            }
        }
        for (int g = 0; g < wide; g++) if (here[g] > most) most = here[g];
    }
    return most;
}

static int *inside; /* of each secret: the number of the set that it was last marked for */
static int marks;

static void mark(const int *set, int n) {
    marks++;
    for (int i = 0; i < n; i++) inside[set[i]] = marks;
}

static int wins(int g) { return secret_of[g] >= 0 && inside[secret_of[g]] == marks; } /* a secret of the marked set */

static Cost by_sizes(const struct Count *c, const int *set, int n, int d, int g) { /* n and counting for every part */
    int size[MAX_PARTS + 1] = {0};
    Cost sum = n;
    for (int i = 0; i < n; i++) size[row(g)[set[i]]]++;
    for (int i = 0; i < n; i++) {
        int r = row(g)[set[i]];
        if (size[r] && r != win) sum = plus(sum, counting(c, size[r], d - 1));
        size[r] = 0;
    }
    return sum;
}

static Cost one_step(const int *set, int n, int d) { /* L5; marks the set */
    static uint8_t *parts;
    if (!parts) parts = take((size_t)guesses, 1);
    int most = count_parts(set, n, parts), first = 0;
    const struct Count *c = count_of(most);
    Cost least = INF, floor = counting(c, n, d), even[2][MAX_PARTS + 1];
    if (floor >= INF || d < 1) return INF;
    mark(set, n);
    for (int k = 1; k <= most; k++) even[0][k] = evenly(c, n, k, 0, d), even[1][k] = evenly(c, n, k, 1, d);
    while (parts[first] < most) first++;
    for (int i = -1; i < guesses && least > floor; i++) { /* one with the most parts goes first */
        int g = i < 0 ? first : i, k = parts[g];
        if (k == 1 || even[wins(g)][k] >= least) continue;
        Cost cost = by_sizes(c, set, n, d, g);
        if (cost < least) least = cost;
    }
    return least;
}

/* ---- claims ------------------------------------------------------------------------------------------------- */

typedef struct {
    const int *set;
    int n, d, most;           /* most: the parts that any guess makes of the set */
    int fixed;                /* whether the guess is prescribed: then it may tell nothing */
    Cost bound;
    uint8_t *parts;           /* of each guess */
    int *orbit;               /* union-find over guesses, or NULL without renamings */
    int *refuted, refuteds;   /* small sets within this one that cannot be settled with one guess less */
} Claim;

static int within(const struct Small *s) { /* the marked set */
    for (int i = 0; i < s->n; i++) if (inside[s->set[i]] != marks) return 0;
    return 1;
}

static int leaves_whole(const Claim *claim, int g) { /* L7 */
    for (int i = 0; i < claim->refuteds; i++) {
        const struct Small *s = &small[claim->refuted[i]];
        int j = 1;
        while (j < s->n && row(g)[s->set[j]] == row(g)[s->set[0]]) j++;
        if (j == s->n && row(g)[s->set[0]] != win) return 1;
    }
    return 0;
}

static Cost asking(const Claim *claim, int g) { /* at least what the claim's set costs when g is asked, as far as it is needed */
    const struct Count *c = count_of(claim->most);
    int n = claim->n, d = claim->d, used = 0, start[MAX_PARTS + 2] = {0}, order[MAX_PARTS + 1];
    Cost bound = claim->bound, of_part[MAX_PARTS + 1], sum = evenly(c, n, claim->parts[g], wins(g), d);
    if (claim->parts[g] == 1 && n > 1 && !claim->fixed) return INF; /* L1: it tells nothing */
    if (sum >= bound || (sum = by_sizes(c, claim->set, n, d, g)) >= bound) return sum;
    if (bound == INF && leaves_whole(claim, g)) return INF;
    int *sorted = take((size_t)n, sizeof *sorted), at[MAX_PARTS + 1];
    for (int i = 0; i < n; i++) start[row(g)[claim->set[i]] + 1]++;
    for (int r = 0; r <= MAX_PARTS; r++) {
        if (start[r + 1] && r != win) order[used++] = r;
        start[r + 1] += start[r], at[r] = start[r];
    }
    for (int i = 0; i < n; i++) sorted[at[row(g)[claim->set[i]]]++] = claim->set[i];
    for (int i = 1; i < used; i++) /* the biggest parts first */
        for (int j = i; j && at[order[j]] - start[order[j]] > at[order[j - 1]] - start[order[j - 1]]; j--) {
            int other = order[j];
            order[j] = order[j - 1], order[j - 1] = other;
        }
    uint8_t stepped[MAX_PARTS + 1] = {0};
    for (int look = 0; look < 2 && sum < bound; look++) { /* what is remembered, then one step ahead */
        for (int i = 0; i < used && sum < bound; i++) {
            int r = order[i], size = at[r] - start[r], left = depth_of(size, d - 1), done;
            const int *part = sorted + start[r];
            if (look && (size < 3 - identify || stepped[r])) continue;
            Cost before = look ? of_part[r] : counting(c, size, left), now;
            if (look) remember(part, size, left, now = one_step(part, size, left), 1);
            else now = remembered(part, size, left, &done), stepped[r] = (uint8_t)done;
            of_part[r] = now > before ? now : before;
            sum = plus(sum - before, of_part[r]);
        }
    }
    free(sorted);
    mark(claim->set, n);
    return sum;
}

static int orbit_of(const Claim *claim, int g) {
    if (!claim->orbit) return g;
    while (claim->orbit[g] != g) g = claim->orbit[g] = claim->orbit[claim->orbit[g]];
    return g;
}

static void read_permutation(const char *word, int *to, int size, const char *what) {
    int met[36] = {0};
    if ((int)strlen(word) < size) stop(1, "%.40s: %d %s are due", word, size, what);
    for (int i = 0; i < size; i++) {
        const char *place = strchr(digits, word[i]);
        to[i] = place ? (int)(place - digits) : size;
        if (to[i] >= size || met[to[i]]++) stop(1, "%.40s does not rename %s", word, what);
    }
}

static void rename_guesses(Claim *claim) { /* L8 */
    int position[36], colour[16][36], fresh = !claim->orbit;
    if (!codes) stop(1, "renamings are for codes only");
    const char *order = token(), *names = token();
    size_t each = strlen(names) > (size_t)colours ? (size_t)colours + 1 : 0; /* black pegs: one for each position, with / between */
    if (strlen(order) != (size_t)pegs) stop(1, "%.40s: %d positions are due", order, pegs);
    if (strlen(names) != (each ? each * (size_t)pegs - 1 : (size_t)colours) || (each && kind != BLACKPEG)) stop(1, "%.40s: %d colours are due", names, colours);
    read_permutation(order, position, pegs, "positions");
    for (int i = 0; i < pegs; i++) {
        if (each && i && names[each * (size_t)i - 1] != '/') stop(1, "%.40s: / is due between positions", names);
        read_permutation(names + each * (size_t)i, colour[i], colours, "colours");
    }
    if (fresh) claim->orbit = take((size_t)guesses, sizeof *claim->orbit);
    mark(claim->set, claim->n);
    for (int g = 0; fresh && g < guesses; g++) claim->orbit[g] = g;
    for (int g = 0; g < guesses; g++) {
        char image[37] = {0};
        for (int i = 0; i < pegs; i++) image[position[i]] = digits[colour[i][strchr(digits, guess_text[g][i]) - digits]];
        int to = find(guess_text, guesses, image);
        if (inside[g] == marks && inside[to] != marks) stop(1, "the renaming takes %s out of the set", guess_text[g]);
        claim->orbit[orbit_of(claim, g)] = orbit_of(claim, to);
    }
}

static long lemmas;

static void prove(const int *set, int n, int d, Cost bound, int parts_above, int first, int nesting);

static void small_set(void) {
    struct Small s = {0, 0, {0}};
    s.n = (int)number(token(), 2, MAX_SMALL, "the size"), s.d = (int)number(token(), 0, MAX_NUMBER, "the guesses");
    for (int i = 0; i < s.n; i++) {
        s.set[i] = index_of(token(), 0);
        if (i && s.set[i] <= s.set[i - 1]) stop(1, "the secrets of a small set rise");
    }
    prove(s.set, s.n, s.d, INF, MAX_PARTS, -1, 1);
    remember(s.set, s.n, depth_of(s.n, s.d), INF, 0);
    if (smalls == small_room && !(small = realloc(small, (size_t)(small_room = 2 * small_room + 64) * sizeof *small))) stop(2, "out of memory");
    small[smalls++] = s;
}

static int lemma(const Claim *claim, const char *word, int nesting) { /* returns the guess that it names */
    int g = index_of(word, 1), s = index_of(token(), 0), size = 0, left;
    Cost bound = bound_of(token());
    mark(claim->set, claim->n);
    if (inside[s] != marks) stop(1, "the secret is not in the set at hand");
    if (row(g)[s] == win) stop(1, "the guess is the secret: nothing is left to ask");
    int *part = take((size_t)claim->n, sizeof *part);
    for (int i = 0; i < claim->n; i++) if (row(g)[claim->set[i]] == row(g)[s]) part[size++] = claim->set[i];
    left = depth_of(size, claim->d - 1);
    prove(part, size, left, bound, claim->most, -1, nesting + 1);
    remember(part, size, left, bound, 0);
    free(part);
    lemmas++;
    return g;
}

/* Read the body of the claim "within d guesses the set costs at least the bound" and verify it. */
static void prove(const int *set, int n, int d, Cost bound, int parts_above, int first, int nesting) {
    const char *word = token();
    long claimed_at = line;
    int nameds = 0, room = 0, *named = NULL, open = !strcmp(word, "("), ignored;
    if (!open && strcmp(word, ".")) stop(1, "%.40s: a body is . or ( items )", *word ? word : "end of file");
    if (nesting > MAX_NESTING) stop(1, "more than %d claims inside claims", MAX_NESTING);
    if (!open && counting(count_of(parts_above), n, d) >= bound) return;
    Claim claim = {set, n, first < 0 ? depth_of(n, d) : d, 0, first >= 0, bound, take((size_t)guesses, 1), NULL, NULL, 0};
    claim.most = count_parts(set, n, claim.parts);
    while (open && strcmp(word = token(), ")")) {
        if (!*word) stop(1, "the file ends inside a body");
        if (!strcmp(word, "=")) rename_guesses(&claim);
        else if (!strcmp(word, "!") && !nesting) small_set();
        else if (!strcmp(word, "!")) stop(1, "small sets stand at the top level only");
        else {
            if (nameds == room && !(named = realloc(named, (size_t)(room = 2 * room + 8) * sizeof *named))) stop(2, "out of memory");
            named[nameds++] = lemma(&claim, word, nesting);
        }
    }
    if (counting(count_of(claim.most), n, claim.d) < bound && remembered(set, n, claim.d, &ignored) < bound) {
        uint8_t *passed = take((size_t)guesses, 1);
        int failed = -1;
        Cost reached = n == 1 ? counting(count_of(claim.most), 1, claim.d) : INF;
        mark(set, n);
        claim.refuted = take((size_t)smalls + 1, sizeof *claim.refuted);
        for (int i = 0; i < smalls && bound == INF; i++)
            if (small[i].d >= claim.d - 1 && within(&small[i])) claim.refuted[claim.refuteds++] = i;
        for (int i = 0; i < nameds + guesses && n > 1; i++) { /* one guess of each orbit passes; those named go first */
            int g = i < nameds ? named[i] : i - nameds, of = first >= 0 ? g : orbit_of(&claim, g);
            if (passed[of] || (first >= 0 && g != first)) continue;
            if (asking(&claim, g) >= bound) passed[of] = 1;
        }
        for (int g = 0; g < guesses && n > 1 && failed < 0; g++)
            if (!passed[first >= 0 ? first : orbit_of(&claim, g)]) failed = first >= 0 ? first : g;
        if (failed >= 0) reached = asking(&claim, failed);
        if (failed >= 0 || n == 1) {
            char name[24], due[24] = "inf";
            line = claimed_at;
            if (kind == TABLE) sprintf(name, "%d", failed + 1);
            if (bound < INF) sprintf(due, "%lld", (long long)bound);
            stop(1, "a set of %d secrets: guess %s is shown to cost %lld at least; %s is not shown", n,
                 n == 1 ? "-" : kind == TABLE ? name : guess_text[failed], (long long)reached, due);
        }
        free(passed);
    }
    free(claim.refuted), free(claim.orbit), free(claim.parts), free(named);
}

int main(int count, char **arguments) {
    begin(count, arguments);
    make_game();
    rank_parts();
    known = take(known_slots, sizeof *known);
    inside = take((size_t)secrets, sizeof *inside);
    const char *word = token();
    int first = strcmp(word, "-") ? index_of(word, 1) : -1, *all = take((size_t)secrets, sizeof *all);
    word = token();
    int d = strcmp(word, "-") ? (int)number(word, 0, MAX_NUMBER, "the guesses allowed") : MAX_NUMBER;
    Cost bound = bound_of(token());
    for (int s = 0; s < secrets; s++) all[s] = s;
    prove(all, secrets, d, bound, MAX_PARTS, first, 0);
    if (*(word = token())) stop(1, "%.40s: nothing is due behind the proof", word);
    if (bound == INF && d == MAX_NUMBER) printf("verified: no strategy settles all %d secrets", secrets);
    else if (bound == INF) printf("verified: no strategy settles all %d secrets within %d guesses", secrets, d);
    else printf("verified: every strategy for %d secrets costs at least %lld", secrets, (long long)bound);
    if (bound < INF && d < MAX_NUMBER) printf(" within %d guesses", d);
    if (first >= 0 && kind != TABLE) printf(", first guess %s", guess_text[first]);
    if (first >= 0 && kind == TABLE) printf(", first guess %d", first + 1);
    printf(" (%ld lemmas, %d small sets)\n", lemmas, smalls);
    return fflush(stdout) ? 2 : 0;
}
