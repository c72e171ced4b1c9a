/* priced: check a certificate of a game in which questions cost and secrets weigh, as PRICED.md says.
 *
 *     cc -O3 priced.c -o gtpriced && ./gtpriced FILE.proof
 *
 * Status 0: every strategy for the game costs at least what the file says. 1: refused, with the line and why. 2: a file
 * cannot be read. P1 to P8 are stated and proved in PRICED.md. Plain C99. */
#include "reading.h"

#define MAX_NUMBER 100000            /* secrets or guesses */
#define MAX_ANSWERS 4096             /* responses to a guess */
#define MAX_CELLS ((size_t)1 << 30)  /* of the table */
#define MAX_NESTING 1000             /* claims inside claims */
#ifndef MAX_LOOKED
#define MAX_LOOKED ((size_t)1 << 28) /* bytes of what is found by looking ahead, between two claims */
#endif
#define MAX_SUM 100000000000000000LL /* the weight of all times what one may pay; far below INF */
#ifndef SMALL
#define SMALL 10                     /* sets of so many secrets are searched to the end (P6) */
#endif

static Cost less(Cost a, Cost b) { return a < b ? a : b; }

static Cost more(Cost a, Cost b) { return a > b ? a : b; }

static Cost add(Cost a, Cost b) { return a >= INF || b >= INF ? INF : less(a + b, INF - 1); } /* never too much */

static Cost times(Cost weight, Cost each) { /* never too much */
    return each >= INF ? INF : (double)weight * (double)each > 1e18 ? INF - 1 : weight * each;
}

static void *grown(void *memory, size_t bytes) {
    if (!(memory = realloc(memory, bytes))) stop(2, "out of memory: %zu bytes", bytes);
    return memory;
}

/* ---- the game ----------------------------------------------------------------------------------------------- */

static int secrets, guesses, win;    /* secrets by number, the heaviest first; win: whether the goal is to win */
static int *place;                   /* of each column of a secret: its number */
static uint16_t *answers;            /* rows of guesses, of numbers of responses; 0: the guess wins */
static Cost **price;                 /* of each guess and response */
static Cost *weight, *pay, *ending;  /* of each secret; at least what a guess costs that does not win, that wins (P3) */
static Cost unit, payer;             /* the least price if none is 0; the least but 0 where P5 holds; else 0 */
static int *freeable, freeables;     /* guesses with a response that costs nothing */

static char **head; /* the first row of the table */
static int width;   /* columns */

static const uint16_t *row(int g) { return answers + (size_t)g * (size_t)secrets; }

static void read_guess(char **cells, const char *name) {
    static const char *label[MAX_ANSWERS + 1];
    int count = 1, winners = 0, s = 0;
    uint16_t *to = answers + (size_t)guesses * (size_t)secrets;
    Cost prices[MAX_ANSWERS + 1], usual = 1;
    label[0] = "win";
    for (int c = 1; c < width; c++) {
        int r = !(win && !strcmp(cells[c], "win"));
        if (!strcmp(head[c], "cost")) usual = number(cells[c], 0, BIGGEST, "a cost");
        if (is_cost(head[c])) continue;
        if (!*cells[c]) stop(1, "%s: guess %d has an empty cell", name, guesses + 1);
        while (r && r < count && strcmp(label[r], cells[c])) r++;
        if (r > MAX_ANSWERS) stop(1, "%s: guess %d has more than %d responses", name, guesses + 1, MAX_ANSWERS);
        if (r == count) label[count++] = cells[c];
        if (!r && winners++) stop(1, "%s: guess %d wins on two secrets", name, guesses + 1);
        to[s++] = (uint16_t)r;
    }
    for (int r = 0; r < count; r++) prices[r] = usual;
    for (int c = 1; c < width; c++) {
        if (strncmp(head[c], "cost:", 5) || !*cells[c]) continue;
        Cost cost = number(cells[c], 0, BIGGEST, "a cost");
        for (int r = !win; r < count; r++) if (!strcmp(label[r], head[c] + 5)) prices[r] = cost;
    }
    price = grown(price, (size_t)(guesses + 1) * sizeof *price);
    price[guesses] = take((size_t)count, sizeof **price);
    memcpy(price[guesses++], prices, (size_t)count * sizeof *prices);
}

static int heavier(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return weight[x] != weight[y] ? (weight[x] < weight[y]) - (weight[x] > weight[y]) : x - y;
}

static void read_table(const char *hash, const char *name) { /* the table is described in PRICED.md */
    size_t length;
    int last = 0, room = 0, weighed = 0;
    if (strlen(hash) != 64) stop(1, "%.80s: a SHA-256 is 64 digits", hash);
    char *at = beside(name, hash, &length), *end = at + length;
    if (length && end[-1] == '\n') end--;
    while (!last) {
        head = grown(head, (size_t)(width + 1) * sizeof *head);
        head[width++] = cell(&at, end, &last);
    }
    for (int c = 1; c < width; c++) {
        secrets += !is_cost(head[c]);
        if (c - secrets > MAX_ANSWERS + 1) stop(1, "%s: more than %d columns of costs", name, MAX_ANSWERS + 1);
        for (int other = 1; other < c && is_cost(head[c]); other++)
            if (!strcmp(head[c], head[other])) stop(1, "%s: two columns %.40s", name, head[c]);
    }
    if (secrets < 1 || secrets > MAX_NUMBER) stop(1, "%s: %d secrets: 1 to %d are checked", name, secrets, MAX_NUMBER);
    char **cells = take((size_t)width, sizeof *cells);
    weight = take((size_t)secrets, sizeof *weight);
    for (int s = 0; s < secrets; s++) weight[s] = 1;
    while (at <= end) {
        last = 0;
        for (int c = 0; c < width; c++) {
            if (last) stop(1, "%s: guess %d has %d cells instead of %d", name, guesses + 1, c, width);
            cells[c] = cell(&at, end, &last);
        }
        if (!last) stop(1, "%s: guess %d has more than %d cells", name, guesses + 1, width);
        if (!strcmp(cells[0], "weight")) {
            if (weighed++) stop(1, "%s: two rows of weights", name);
            for (int c = 1, s = 0; c < width; c++) if (!is_cost(head[c])) weight[s++] = number(cells[c], 1, BIGGEST, "a weight");
            continue;
        }
        if (guesses == room) {
            size_t size = (size_t)(room = 2 * room + 16) * (size_t)secrets;
            if (size > 2 * MAX_CELLS) stop(2, "%s: more than %zu cells", name, MAX_CELLS);
            answers = grown(answers, size * sizeof *answers);
        }
        if (guesses == MAX_NUMBER) stop(1, "%s: more than %d guesses", name, MAX_NUMBER);
        read_guess(cells, name);
    }
    if (!guesses) stop(1, "%s: no guess", name);
    int *order = take((size_t)secrets, sizeof *order); /* now secrets are numbered by weight */
    uint16_t *old = take((size_t)secrets, sizeof *old);
    Cost *given = take((size_t)secrets, sizeof *given);
    place = take((size_t)secrets, sizeof *place);
    for (int s = 0; s < secrets; s++) order[s] = s, given[s] = weight[s];
    qsort(order, (size_t)secrets, sizeof *order, heavier);
    for (int s = 0; s < secrets; s++) place[order[s]] = s, weight[s] = given[order[s]];
    for (int g = 0; g < guesses; g++) {
        memcpy(old, row(g), (size_t)secrets * sizeof *old);
        for (int s = 0; s < secrets; s++) answers[(size_t)g * (size_t)secrets + (size_t)s] = old[order[s]];
    }
    free(order), free(old), free(given);
}

static void find_prices(void) { /* P3, P4, P5: of guesses that tell something or win */
    Cost all = 0, most = 1; /* most: of any guess, as one that tells nothing may be asked, too */
    int single = 1;
    unit = payer = INF;
    pay = take((size_t)secrets, sizeof *pay), ending = take((size_t)secrets, sizeof *ending);
    freeable = take((size_t)guesses + 1, sizeof *freeable);
    for (int s = 0; s < secrets; s++) pay[s] = ending[s] = INF, all += all > MAX_SUM ? 0 : weight[s];
    for (int g = 0; g < guesses; g++) for (int s = 0; s < secrets; s++) most = more(most, price[g][row(g)[s]]);
    if (most > MAX_SUM / all / secrets) stop(1, "weights and costs are too large to be added up");
    for (int g = 0; g < guesses; g++) {
        int useless = row(g)[0] != 0, paying = -1, none = 0;
        for (int s = 1; s < secrets; s++) useless &= row(g)[s] == row(g)[0];
        if (useless) continue;
        for (int s = 0; s < secrets; s++) {
            int r = row(g)[s];
            Cost cost = price[g][r], *least = r ? pay : ending;
            least[s] = less(least[s], cost), unit = less(unit, cost);
            none |= !cost;
            if (!cost) continue;
            payer = less(payer, cost), single &= paying < 0 || paying == r, paying = r;
        }
        if (none) freeable[freeables++] = g;
    }
    for (int s = 0; s < secrets; s++) if (win && ending[s] == INF) stop(1, "no guess wins on some secret");
    unit = unit == INF ? 0 : unit, payer = single && !unit && payer < INF ? payer : 0;
}

/* ---- what strategies pay: P2 to P5 -------------------------------------------------------------------------- */

static Cost penalty; /* what a unit of weight costs that is lost with so much left to pay: penalty + rate * left */
static int rate;     /* 1: what is paid counts, 0: only what is lost */

static Cost lost(Cost left) { return penalty == INF ? INF : rate ? penalty + left : penalty; }

static Cost per(Cost cost, Cost left) { return cost > left ? lost(left) : rate ? cost : 0; } /* cost may be INF */

static Cost after(Cost left, Cost cost) { return left == INF ? INF : left - cost; }

static Cost weigh(const int *set, int n) {
    Cost sum = 0;
    for (int i = 0; i < n; i++) sum += weight[set[i]];
    return sum;
}

typedef struct { int *set, n, answer; Cost left, bound; } Part;

static int split(int *set, int n, int g, Part *parts) { /* the set is sorted by response; parts keep its order */
    static int count[MAX_ANSWERS + 1], at[MAX_ANSWERS + 1], *old;
    int met = 0;
    if (!old) old = take((size_t)secrets, sizeof *old);
    memcpy(old, set, (size_t)n * sizeof *set);
    for (int i = 0; i < n; i++) {
        int r = row(g)[set[i]];
        if (!count[r]++) parts[met].answer = r, parts[met].n = 0, at[r] = met++;
    }
    for (int k = 0; k < met; k++) parts[k].set = set, set += count[parts[k].answer], count[parts[k].answer] = 0;
    for (int i = 0; i < n; i++) {
        Part *part = &parts[at[row(g)[old[i]]]];
        part->set[part->n++] = old[i];
    }
    return met;
}

static int tells(int g, const int *set, int n) { /* whether not all secrets of the set answer alike */
    for (int i = 1; i < n; i++) if (row(g)[set[i]] != row(g)[set[0]]) return 1;
    return 0;
}

static int free_guess(const int *set, int n) { /* one that tells something and costs nothing (P2), or -1 */
    for (int f = 0; f < freeables; f++) {
        int g = freeable[f], i = 0;
        while (i < n && !price[g][row(g)[set[i]]]) i++;
        if (i == n && tells(g, set, n)) return g;
    }
    return -1;
}

/* The sets that are left when the guess (-1: none) and then all that costs nothing is asked: those that are neither
 * won, lost nor settled. They lie in the copy. What all others pay is added to the sum. */
static int open_parts(const int *set, int n, Cost left, int guess, int *copy, Part *parts, Cost *sum) {
    int count = guess < 0, met = 0;
    memcpy(copy, set, (size_t)n * sizeof *set);
    parts[0] = (Part){copy, n, 0, left, 0};
    if (guess >= 0) met = split(copy, n, guess, parts);
    for (int k = 0; k < met; k++) {
        Part part = parts[k];
        Cost cost = price[guess][part.answer];
        *sum = add(*sum, times(weigh(part.set, part.n), per(cost, left)));
        part.left = after(left, cost);
        if (cost <= left && part.answer) parts[count++] = part;
    }
    for (int k = 0; k < count;) {
        Part part = parts[k];
        int g = part.n > 1 ? free_guess(part.set, part.n) : -1, from = count - 1, fresh = 0;
        if (part.n > 1 && g < 0) {
            k++;
            continue;
        }
        parts[k] = parts[--count];
        if (part.n > 1) fresh = split(part.set, part.n, g, parts + from);
        else if (win) *sum = add(*sum, times(weight[*part.set], per(ending[*part.set], part.left)));
        for (int j = from; j < from + fresh; j++) {
            parts[j].left = part.left;
            if (parts[j].answer) parts[count++] = parts[j];
        }
    }
    return count;
}

static int branches(const int *set, int n) { /* the most parts that a guess leaves, but the one that it wins; 1 at least */
    static int64_t met[MAX_ANSWERS + 1], mark;
    int most = 1;
    for (int g = 0; unit && g < guesses; g++) {
        int parts = 0;
        mark++;
        for (int i = 0; i < n; i++) {
            int r = row(g)[set[i]];
            parts += r && met[r] != mark, met[r] = mark;
        }
        most = parts > most ? parts : most;
    }
    return most;
}

static Cost huffman(const int *set, int n, int most) { /* the least weighted depth of leaves below at most so many branches */
    static Cost *joined;
    Cost sum = 0;
    int i = n, head = 0, tail = 0, some = 2 + (n - 2) % (most - 1);
    if (!joined) joined = take((size_t)secrets, sizeof *joined);
    for (; i + tail - head > 1; some = most) {
        Cost together = 0;
        for (int k = 0; k < some; k++)
            together += head == tail || (i > 0 && weight[set[i - 1]] <= joined[head]) ? weight[set[--i]] : joined[head++];
        sum += joined[tail++] = together;
    }
    return sum;
}

static Cost spares(int s, Cost left) {
    return times(weight[s], per(plus(pay[s], ending[s]), left)) - times(weight[s], per(ending[s], left));
}

/* At least what two secrets or more cost of which no guess leaves more than so many parts: P3, P4. */
static Cost counting(const int *set, int n, Cost left, int most) {
    Cost sum = 0, deep = 0;
    int first = -1; /* to win, one secret may be won by the first guess: let it be the one that this spares most */
    for (int i = 0; win && i < n; i++) if (first < 0 || spares(set[i], left) > spares(set[first], left)) first = i;
    for (int i = 0; i < n; i++) {
        Cost last = win ? ending[set[i]] : 0;
        sum = add(sum, times(weight[set[i]], per(i == first ? last : plus(pay[set[i]], last), left)));
    }
    if (!unit) return sum;
    if (win) {
        Cost depth = 0, room = 0, wide = 1;
        for (int i = 0; i < n; i++, room--) {
            if (!room) depth++, room = wide, wide = less(wide * most, n);
            deep = add(deep, times(weight[set[i]], per(depth * unit, left)));
        }
    } else if (most < 2) return INF;
    else {
        Cost reached = left == INF ? n : 1;
        for (Cost k = left / unit; reached < n && k > 0; k--) reached *= most;
        if (reached < n) deep = times(weigh(set + reached, n - (int)reached), lost(left));
        else if (penalty == INF) deep = unit * huffman(set, n, most);
    }
    return more(sum, deep);
}

static int falling(const void *a, const void *b) {
    Cost x = *(const Cost *)a, y = *(const Cost *)b;
    return (x < y) - (x > y);
}

static Cost chain(const int *set, int n, Cost left) { /* P5 */
    static Cost *spared;
    int count = 0;
    if (!payer) return 0;
    if (!spared) spared = take((size_t)guesses + 1, sizeof *spared);
    for (int g = 0; g < guesses; g++) {
        if (!tells(g, set, n)) continue;
        spared[count] = 0;
        for (int i = 0; i < n; i++) if (!price[g][row(g)[set[i]]]) spared[count] += weight[set[i]];
        count++;
    }
    qsort(spared, (size_t)count, sizeof *spared, falling);
    Cost all = weigh(set, n), heaviest = weight[set[0]], on_path = all, paid = 0, best = 0;
    if (left < INF) {
        Cost reach = left / payer, some = 0;
        for (int k = 0; k < count && k < reach; k++) some += spared[k];
        Cost covered = more(some + heaviest, some + (reach < count ? spared[reach] : 0));
        if (covered < all) best = times(all - covered, lost(left));
    }
    for (int k = 0; k < count && penalty == INF && best < INF; k++) {
        if (k && on_path <= heaviest) break;
        if ((on_path -= spared[k]) <= 0) break;
        paid = add(paid, on_path);
    }
    return more(best, times(paid, payer));
}

/* ---- what is known of sets ---------------------------------------------------------------------------------- */

typedef struct Known {
    struct Known *next;
    Cost left, proved, looked; /* proved by a lemma; found by looking ahead */
    int whole, n, set[];       /* whole: looking ahead shows no more than that */
} Known;

static Known **known;
static size_t known_slots = 1 << 12, known_count, known_bytes;

static size_t slot_of(const int *set, int n, size_t slots) {
    uint64_t h = (uint64_t)n;
    for (int i = 0; i < n; i++) h = (h ^ (uint64_t)set[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return (size_t)h & (slots - 1);
}

static Known *same_set(Known *at, const int *set, int n) { /* the first of a list that is about this set */
    while (at && (at->n != n || memcmp(at->set, set, (size_t)n * sizeof *set))) at = at->next;
    return at;
}

static Cost remembered(const int *set, int n, Cost left) { /* P8 */
    Cost best = 0;
    for (Known *at = same_set(known[slot_of(set, n, known_slots)], set, n); at; at = same_set(at->next, set, n))
        if (at->left == left || (at->left > left && (penalty == INF || !rate))) best = more(best, at->proved);
    return best;
}

static Known *entry(const int *set, int n, Cost left) {
    Known *at = same_set(known[slot_of(set, n, known_slots)], set, n);
    while (at && at->left != left) at = same_set(at->next, set, n);
    if (at) return at;
    if (known_count++ > known_slots) {
        Known **wider = take(2 * known_slots, sizeof *known);
        for (size_t i = 0; i < known_slots; i++)
            for (Known *one = known[i], *next; one; one = next) {
                size_t slot = slot_of(one->set, one->n, 2 * known_slots);
                next = one->next, one->next = wider[slot], wider[slot] = one;
            }
        free(known);
        known = wider, known_slots *= 2;
    }
    size_t slot = slot_of(set, n, known_slots);
    known_bytes += sizeof *at + (size_t)n * sizeof *set;
    at = take(1, sizeof *at + (size_t)n * sizeof *set);
    at->next = known[slot], at->left = left, at->n = n;
    memcpy(at->set, set, (size_t)n * sizeof *set);
    return known[slot] = at;
}

static void forget(void) { /* what was found by looking ahead, and is found again when it is needed */
    known_count = known_bytes = 0;
    for (size_t i = 0; i < known_slots; i++)
        for (Known **to = &known[i], *at; (at = *to);) {
            if (at->proved) to = &at->next, known_count++;
            else *to = at->next, free(at);
        }
}

/* ---- asking: P1, P6 ------------------------------------------------------------------------------------------- */

enum { FIXED = 1, CLAIMED = 2 }; /* the guess is prescribed; lemmas and one step ahead may be used */

static Cost ahead(const int *set, int n, Cost left, Cost need);

/* At least what the set costs if the guess (-1: none) is asked first, as far as it is needed. */
static Cost asking(const int *set, int n, Cost left, int g, Cost need, int most, int how) {
    if (g >= 0 && !tells(g, set, n) && !(how & FIXED)) return INF; /* P1 */
    Cost sum = 0;
    int *copy = malloc((size_t)n * sizeof *copy), count;
    Part *parts = malloc((size_t)n * sizeof *parts);
    if (!copy || !parts) stop(2, "out of memory");
    count = open_parts(set, n, left, g, copy, parts, &sum);
    for (int i = 0; i < count; i++) {
        Part *part = &parts[i];
        part->bound = counting(part->set, part->n, part->left, most);
        if (how & CLAIMED) part->bound = more(part->bound, remembered(part->set, part->n, part->left));
        sum = add(sum, part->bound);
    }
    for (int i = 0; i < 2 * count && sum < need; i++) { /* small ones first */
        Part *part = &parts[i % count];
        if ((part->n <= SMALL) != (i < count) || (part->n > SMALL && !(how & CLAIMED))) continue;
        Cost rest = sum - part->bound;
        part->bound = more(part->bound, ahead(part->set, part->n, part->left, need == INF ? INF : need - rest));
        sum = add(rest, part->bound);
    }
    free(copy), free(parts);
    return sum;
}

/* At least what a set costs of which nothing free tells anything, as far as it is needed: P6. */
static Cost ahead(const int *set, int n, Cost left, Cost need) {
    Known *at = entry(set, n, left);
    if (at->whole || at->looked >= need) return at->looked;
    int most = branches(set, n);
    Cost least = need, floor = more(counting(set, n, left, most), chain(set, n, left));
    for (int g = 0; g < guesses && least > floor; g++) least = less(least, asking(set, n, left, g, least, most, 0));
    at->whole = least < need, at->looked = more(least, floor);
    return at->looked;
}

/* ---- claims ------------------------------------------------------------------------------------------------- */

static long lemmas;

static void prove(const int *set, int n, Cost left, Cost bound, int first, int nesting);

static void lemma(const int *set, int n, Cost left, const char *word, int nesting) {
    int g = strcmp(word, "-") ? (int)number(word, 1, guesses, "a guess") - 1 : -1;
    int s = place[number(token(), 1, secrets, "a secret") - 1], *copy = take((size_t)n, sizeof *copy);
    Part *parts = take((size_t)n, sizeof *parts), *found = NULL;
    Cost bound = bound_of(token(), BIGGEST), ignored = 0;
    int count = open_parts(set, n, left, g, copy, parts, &ignored);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < parts[i].n; j++) if (parts[i].set[j] == s) found = &parts[i];
    if (!found) stop(1, "the secret is not in the set at hand, or nothing is left to ask of it");
    prove(found->set, found->n, found->left, bound, -1, nesting + 1);
    free(copy), free(parts);
    lemmas++;
}

/* Read the body of the claim that the set costs at least the bound, verify it, and remember it. */
static void prove(const int *set, int n, Cost left, Cost bound, int first, int nesting) {
    const char *word = token();
    long claimed_at = line;
    int open = !strcmp(word, "("), most = branches(set, n), failed = -1;
    if (!open && strcmp(word, ".")) stop(1, "%.40s: a body is . or ( items )", *word ? word : "end of file");
    if (nesting > MAX_NESTING) stop(1, "more than %d claims inside claims", MAX_NESTING);
    while (open && strcmp(word = token(), ")")) {
        if (!*word) stop(1, "the file ends inside a body");
        lemma(set, n, left, word, nesting);
    }
    if (known_bytes > MAX_LOOKED) forget();
    Cost shown = remembered(set, n, left);
    if (first >= 0 || n == 1 || free_guess(set, n) >= 0) { /* no other guess need be asked: P1, P2 */
        shown = more(shown, asking(set, n, left, n > 1 || win ? first : -1, bound, most, FIXED | CLAIMED));
        failed = first;
    } else if (shown < bound && (shown = more(shown, more(counting(set, n, left, most), chain(set, n, left)))) < bound) {
        Cost least = bound;
        for (int g = 0; g < guesses && least >= bound; g++)
            if ((least = asking(set, n, left, g, bound, most, CLAIMED)) < bound) failed = g;
        shown = more(shown, least);
    }
    if (shown < bound) {
        char due[24] = "inf";
        line = claimed_at;
        if (bound < INF) sprintf(due, "%lld", (long long)bound);
        stop(1, "a set of %d secrets: guess %d is shown to cost %lld at least; %s is not shown", n, failed + 1,
             (long long)shown, due);
    }
    if (first >= 0) return;
    Known *at = entry(set, n, left);
    at->proved = more(at->proved, bound);
}

static Cost read_bound(char *word, Cost left, Cost all) { /* sets what counts, as the words of the bound say */
    rate = 1, penalty = INF;
    if (strncmp(word, "lost:", 5)) return bound_of(word, BIGGEST);
    char *won = strchr(word += 5, ':');
    if (left == INF) stop(1, "what is lost within no limit is not asked");
    if (won) *won++ = 0;
    if (left > (MAX_SUM / all - 1) / all) stop(1, "weights and the limit are too large");
    Cost weight_lost = number(word, 0, less(all, BIGGEST), "the weight that is lost"), scale = all * left + 1;
    if (!won) {
        rate = 0, penalty = 1;
        return weight_lost;
    }
    penalty = scale - left;
    return weight_lost * scale + number(won, 0, less(scale - 1, BIGGEST), "what the others pay");
}

int main(int count, char **arguments) {
    begin(count, arguments);
    const char *word;
    if (strcmp(word = token(), "priced")) stop(1, "%.40s: this checker is for priced games", word);
    const char *hash = token(), *name = token();
    word = token(), win = !strcmp(word, "win");
    if (!win && strcmp(word, "identify")) stop(1, "the goal is win or identify, not %.40s", word);
    read_table(hash, name);
    find_prices();
    known = take(known_slots, sizeof *known);
    word = token();
    int first = strcmp(word, "-") ? (int)number(word, 1, guesses, "a guess") - 1 : -1, *all = take((size_t)secrets, sizeof *all);
    word = token();
    Cost left = strcmp(word, "-") ? number(word, 0, BIGGEST, "what may be paid") : INF;
    for (int s = 0; s < secrets; s++) all[s] = s;
    char *cost = token(), said[64];
    sprintf(said, "%.60s", cost);
    Cost bound = read_bound(cost, left, weigh(all, secrets));
    prove(all, secrets, left, bound, first, 0);
    if (*(word = token())) stop(1, "%.40s: nothing is due behind the proof", word);
    if (penalty < INF) printf("verified: within %lld every strategy for %d secrets loses at least %s", (long long)left, secrets, said + 5);
    else if (bound == INF && left == INF) printf("verified: no strategy settles all %d secrets", secrets);
    else if (bound == INF) printf("verified: no strategy settles all %d secrets within %lld", secrets, (long long)left);
    else printf("verified: every strategy for %d secrets costs at least %lld", secrets, (long long)bound);
    if (bound < INF && penalty == INF && left < INF) printf(" within %lld", (long long)left);
    if (first >= 0) printf(", first guess %d", first + 1);
    return accepted(guesses, lemmas);
}
