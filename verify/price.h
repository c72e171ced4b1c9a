/* Bounds by price, for games in which guesses cost and secrets weigh: P1 to P9 of PRICED.md. Secrets are numbered by
 * weight, the heaviest first. */
#include "claims.h"

#define MAX_SUM 100000000000000000LL /* the weight of all times what one may pay; far below INF */
#ifndef SMALL
#define SMALL 10                     /* sets of so many secrets are searched to the end (P6) */
#endif

typedef struct { int *set, n, answer; Cost left, bound; } Part;

struct Bounds {
    const uint16_t *answers;      /* rows of guesses, of numbers of responses; 0: the guess wins */
    const Cost *const *price;     /* of each guess and response */
    const Cost *weight;           /* of each secret */
    Cost *pay, *ending;           /* at least what a guess costs that does not win, that wins (P3) */
    Cost unit, payer;             /* the least price if none is 0; the least but 0 where P5 holds; else 0 */
    int *freeable, freeables;     /* guesses with a response that costs nothing */
    Cost penalty;                 /* what a unit of weight costs that is lost with so much left: penalty + rate * left */
    int rate;                     /* 1: what is paid counts, 0: only what is lost */
    int *count, *place, *old, answers_most; /* for `split`: of each response, all 0 between uses; for a set */
    int64_t *met, marks;          /* for `branches`: of each response, the guess that it was last met for */
    Cost *joined, *spared;        /* for `huffman` and `chain` */
};

static inline Cost less(Cost a, Cost b) { return a < b ? a : b; }

static inline Cost more(Cost a, Cost b) { return a > b ? a : b; }

static inline Cost add(Cost a, Cost b) { return a >= INF || b >= INF ? INF : less(a + b, INF - 1); } /* never too much */

static inline Cost times(Cost weight, Cost each) { /* never too much */
    return each >= INF ? INF : (double)weight * (double)each > 1e18 ? INF - 1 : weight * each;
}

static inline const uint16_t *row(const Check *c, int g) { return c->bounds->answers + (size_t)g * (size_t)c->secrets; }

static inline Cost price_of(const Check *c, int g, int s) { return c->bounds->price[g][row(c, g)[s]]; }

/* P3, P4, P5, of guesses that tell something or win, for a game that is made: answers with numbers below `answers_most`,
 * prices and weights. */
static void open_bounds(Check *c, int answers_most) {
    struct Bounds *b = c->bounds;
    Cost all = 0, most = 1; /* most: of any guess, as one that tells nothing may be asked, too */
    int single = 1;
    b->unit = b->payer = INF, b->penalty = INF, b->rate = 1, b->answers_most = answers_most;
    b->pay = take(c, (size_t)c->secrets, sizeof *b->pay), b->ending = take(c, (size_t)c->secrets, sizeof *b->ending);
    b->joined = take(c, (size_t)c->secrets, sizeof *b->joined), b->old = take(c, (size_t)c->secrets, sizeof *b->old);
    b->spared = take(c, (size_t)c->guesses + 1, sizeof *b->spared);
    b->freeable = take(c, (size_t)c->guesses + 1, sizeof *b->freeable);
    b->met = take(c, (size_t)answers_most, sizeof *b->met);
    b->count = take(c, (size_t)answers_most, sizeof *b->count), b->place = take(c, (size_t)answers_most, sizeof *b->place);
    for (int s = 0; s < c->secrets; s++) b->pay[s] = b->ending[s] = INF, all += all > MAX_SUM ? 0 : b->weight[s];
    for (int g = 0; g < c->guesses; g++) for (int s = 0; s < c->secrets; s++) most = more(most, price_of(c, g, s));
    if (most > MAX_SUM / all / c->secrets) stop(c, 1, "weights and costs are too large to be added up");
    for (int g = 0; g < c->guesses; g++) {
        const uint16_t *of = row(c, g);
        int same = 1, wins = 0, paying = -1, none = 0;
        for (int s = 0; s < c->secrets; s++) same &= of[s] == of[0], wins |= !of[s];
        if (!wins && (same || c->candidates_only)) continue;
        for (int s = 0; s < c->secrets; s++) {
            Cost cost = price_of(c, g, s), *least = of[s] ? b->pay : b->ending;
            least[s] = less(least[s], cost), b->unit = less(b->unit, cost);
            none |= !cost;
            if (!cost) continue;
            b->payer = less(b->payer, cost), single &= paying < 0 || paying == of[s], paying = of[s];
        }
        if (none) b->freeable[b->freeables++] = g;
    }
    for (int s = 0; s < c->secrets; s++) if (c->win && b->ending[s] == INF) stop(c, 1, "no guess wins on some secret");
    b->unit = b->unit == INF ? 0 : b->unit, b->payer = single && !b->unit && b->payer < INF ? b->payer : 0;
}

/* ---- what strategies pay: P2 to P5 -------------------------------------------------------------------------- */

static inline Cost lost(const Check *c, Cost left) {
    const struct Bounds *b = c->bounds;
    return b->penalty == INF ? INF : b->rate ? b->penalty + left : b->penalty;
}

static inline Cost per(const Check *c, Cost cost, Cost left) { /* cost may be INF */
    return cost > left ? lost(c, left) : c->bounds->rate ? cost : 0;
}

static inline Cost after(Cost left, Cost cost) { return left == INF ? INF : left - cost; }

static inline Cost weigh(const Check *c, const int *set, int n) {
    Cost sum = 0;
    for (int i = 0; i < n; i++) sum += c->bounds->weight[set[i]];
    return sum;
}

static int split(const Check *c, int *set, int n, int g, Part *parts) { /* the set is sorted by response, stably */
    int *count = c->bounds->count, *place = c->bounds->place, *old = c->bounds->old, met = 0;
    const uint16_t *of = row(c, g);
    memcpy(old, set, (size_t)n * sizeof *set);
    for (int i = 0; i < n; i++) {
        int r = of[set[i]];
        if (!count[r]++) parts[met].answer = r, parts[met].n = 0, place[r] = met++;
    }
    for (int k = 0; k < met; k++) parts[k].set = set, set += count[parts[k].answer], count[parts[k].answer] = 0;
    for (int i = 0; i < n; i++) {
        Part *part = &parts[place[of[old[i]]]];
        part->set[part->n++] = old[i];
    }
    return met;
}

static inline int tells(const Check *c, int g, const int *set, int n) { /* whether not all secrets of the set answer alike */
    const uint16_t *of = row(c, g);
    for (int i = 1; i < n; i++) if (of[set[i]] != of[set[0]]) return 1;
    return 0;
}

static inline int allowed(const Check *c, int g, const int *set, int n) { /* candidates only: it wins on one of the set (P7) */
    const uint16_t *of = row(c, g);
    int i = 0;
    while (c->candidates_only && i < n && of[set[i]]) i++;
    return i < n;
}

static inline int useful(const Check *c, int g, const int *set, int n) { return allowed(c, g, set, n) && tells(c, g, set, n); }

static int free_guess(const Check *c, const int *set, int n) { /* one that tells something and costs nothing (P2), or -1 */
    for (int f = 0; !c->candidates_only && f < c->bounds->freeables; f++) {
        int g = c->bounds->freeable[f], i = 0;
        while (i < n && !price_of(c, g, set[i])) i++;
        if (i == n && tells(c, g, set, n)) return g;
    }
    return -1;
}

/* The sets that are left when the guess (FREE: none) and then all that costs nothing is asked: those that are neither
 * won, lost nor settled. They lie in the copy. What all others pay is added to the sum. */
static int open_parts(const Check *c, const int *set, int n, Cost left, int guess, int *copy, Part *parts, Cost *sum) {
    const struct Bounds *b = c->bounds;
    int count = guess < 0, met = 0;
    memcpy(copy, set, (size_t)n * sizeof *set);
    parts[0] = (Part){copy, n, 0, left, 0};
    if (guess >= 0) met = split(c, copy, n, guess, parts);
    for (int k = 0; k < met; k++) {
        Part part = parts[k];
        Cost cost = b->price[guess][part.answer];
        *sum = add(*sum, times(weigh(c, part.set, part.n), per(c, cost, left)));
        part.left = after(left, cost);
        if (cost <= left && part.answer) parts[count++] = part;
    }
    for (int k = 0; k < count;) {
        Part part = parts[k];
        int g = part.n > 1 ? free_guess(c, part.set, part.n) : -1, from = count - 1, fresh = 0;
        if (part.n > 1 && g < 0) {
            k++;
            continue;
        }
        parts[k] = parts[--count];
        if (part.n > 1) fresh = split(c, part.set, part.n, g, parts + from);
        else if (c->win) *sum = add(*sum, times(b->weight[*part.set], per(c, b->ending[*part.set], part.left)));
        for (int j = from; j < from + fresh; j++) {
            parts[j].left = part.left;
            if (parts[j].answer) parts[count++] = parts[j];
        }
    }
    return count;
}

static int branches(const Check *c, const int *set, int n) { /* the most parts that a guess leaves, but the one it wins; >= 1 */
    int64_t *met = c->bounds->met;
    int most = 1;
    for (int g = 0; c->bounds->unit && g < c->guesses; g++) {
        const uint16_t *of = row(c, g);
        int64_t mark = ++c->bounds->marks;
        int parts = 0;
        if (!allowed(c, g, set, n)) continue;
        for (int i = 0; i < n; i++) {
            int r = of[set[i]];
            parts += r && met[r] != mark, met[r] = mark;
        }
        most = parts > most ? parts : most;
    }
    return most;
}

static Cost huffman(const Check *c, const int *set, int n, int most) { /* the least weighted depth of so many leaves */
    const Cost *weight = c->bounds->weight;
    Cost sum = 0, *joined = c->bounds->joined;
    int i = n, head = 0, tail = 0, joining = 2 + (n - 2) % (most - 1);
    for (; i + tail - head > 1; joining = most) {
        Cost together = 0;
        for (int k = 0; k < joining; k++)
            together += head == tail || (i > 0 && weight[set[i - 1]] <= joined[head]) ? weight[set[--i]] : joined[head++];
        sum += joined[tail++] = together;
    }
    return sum;
}

static inline Cost spares(const Check *c, int s, Cost left) {
    const struct Bounds *b = c->bounds;
    return times(b->weight[s], per(c, plus(b->pay[s], b->ending[s]), left)) - times(b->weight[s], per(c, b->ending[s], left));
}

/* At least what two secrets or more cost of which no guess leaves more than so many parts: P3, P4. */
static Cost counting(const Check *c, const int *set, int n, Cost left, int most) {
    const struct Bounds *b = c->bounds;
    Cost sum = 0, deep = 0;
    int first = -1; /* to win, one secret may be won by the first guess: let it be the one that this spares most */
    for (int i = 0; c->win && i < n; i++)
        if (first < 0 || spares(c, set[i], left) > spares(c, set[first], left)) first = i;
    for (int i = 0; i < n; i++) {
        Cost last = c->win ? b->ending[set[i]] : 0;
        sum = add(sum, times(b->weight[set[i]], per(c, i == first ? last : plus(b->pay[set[i]], last), left)));
    }
    if (!b->unit) return sum;
    if (c->win) {
        Cost depth = 0, room = 0, wide = 1;
        for (int i = 0; i < n; i++, room--) {
            if (!room) depth++, room = wide, wide = less(wide * most, n);
            deep = add(deep, times(b->weight[set[i]], per(c, depth * b->unit, left)));
        }
    } else if (most < 2) return INF;
    else {
        Cost reached = left == INF ? n : 1;
        for (Cost k = left / b->unit; reached < n && k > 0; k--) reached *= most;
        if (reached < n) deep = times(weigh(c, set + reached, n - (int)reached), lost(c, left));
        else if (b->penalty == INF) deep = b->unit * huffman(c, set, n, most);
    }
    return more(sum, deep);
}

static int falling(const void *a, const void *b) {
    Cost x = *(const Cost *)a, y = *(const Cost *)b;
    return (x < y) - (x > y);
}

static Cost chain(const Check *c, const int *set, int n, Cost left) { /* P5 */
    const struct Bounds *b = c->bounds;
    Cost *spared = b->spared;
    int count = 0;
    if (!b->payer) return 0;
    for (int g = 0; g < c->guesses; g++) {
        if (!useful(c, g, set, n)) continue;
        spared[count] = 0;
        for (int i = 0; i < n; i++) if (!price_of(c, g, set[i])) spared[count] += b->weight[set[i]];
        count++;
    }
    qsort(spared, (size_t)count, sizeof *spared, falling);
    Cost all = weigh(c, set, n), heaviest = b->weight[set[0]], on_path = all, paid = 0, best = 0;
    if (left < INF) {
        Cost reach = left / b->payer, gone = 0;
        for (int k = 0; k < count && k < reach; k++) gone += spared[k];
        Cost covered = more(gone + heaviest, gone + (reach < count ? spared[reach] : 0));
        if (covered < all) best = times(all - covered, lost(c, left));
    }
    for (int k = 0; k < count && b->penalty == INF && best < INF; k++) {
        if (k && on_path <= heaviest) break;
        if ((on_path -= spared[k]) <= 0) break;
        paid = add(paid, on_path);
    }
    return more(best, times(paid, b->payer));
}

/* ---- asking: P1, P6, P8 --------------------------------------------------------------------------------------- */

static Cost known_bound(const Check *c, const int *set, int n, Cost left) { /* P8 */
    const struct Bounds *b = c->bounds;
    Cost best = 0;
    for (const Known *at = first_of(c, set, n); at; at = same_set(at->next, set, n))
        if (at->left == left || (at->left > left && (b->penalty == INF || !b->rate))) best = more(best, at->proved);
    return best;
}

static Cost ahead(Check *c, const int *set, int n, Cost left, Cost need);

/* At least what the set costs if the guess (FREE: none) is asked first, as far as it is needed; with its parts, which lie
 * in the copy. claimed: lemmas and one step ahead may be used. */
static Cost weigh_parts(Check *c, const int *set, int n, Cost left, int g, Cost need, int most, int claimed, int *copy,
                        Part *parts, int *used) {
    Cost sum = 0;
    int count = *used = open_parts(c, set, n, left, g, copy, parts, &sum);
    for (int i = 0; i < count; i++) {
        Part *part = &parts[i];
        part->bound = counting(c, part->set, part->n, part->left, most);
        if (claimed) part->bound = more(part->bound, known_bound(c, part->set, part->n, part->left));
        sum = add(sum, part->bound);
    }
    for (int i = 0; i < 2 * count && sum < need; i++) { /* small ones first */
        Part *part = &parts[i % count];
        if ((part->n <= SMALL) != (i < count) || (part->n > SMALL && !claimed)) continue;
        Cost rest = sum - part->bound;
        part->bound = more(part->bound, ahead(c, part->set, part->n, part->left, need == INF ? INF : need - rest));
        sum = add(rest, part->bound);
    }
    return sum;
}

static Cost asking(Check *c, const int *set, int n, Cost left, int g, Cost need, int most, int claimed) {
    int *copy = changed(c, NULL, (size_t)n * sizeof *copy), used;
    Part *parts = changed(c, NULL, ((size_t)n + 1) * sizeof *parts);
    Cost sum = weigh_parts(c, set, n, left, g, need, most, claimed, copy, parts, &used);
    give(copy), give(parts);
    return sum;
}

/* At least what a set costs of which nothing free tells anything, as far as it is needed: P6. */
static Cost ahead(Check *c, const int *set, int n, Cost left, Cost need) {
    Known *at = entry(c, set, n, 0, left, 0);
    if (at->whole || at->looked >= need) return at->looked;
    int most = branches(c, set, n);
    Cost least = need, floor = more(counting(c, set, n, left, most), chain(c, set, n, left));
    for (int g = 0; g < c->guesses && least > floor; g++) /* what tells nothing is left out: P1 */
        if (useful(c, g, set, n)) least = less(least, asking(c, set, n, left, g, least, most, 0));
    at->whole = least < need, at->looked = more(least, floor);
    return at->looked;
}

static int by_set(const Check *c, const Claim *claim) { /* whether P3, P4 or P5 gives the bound for the set itself */
    if (counting(c, claim->set, claim->n, claim->left, claim->most) >= claim->bound) return 1;
    return chain(c, claim->set, claim->n, claim->left) >= claim->bound;
}

/* ---- renamings: P9 -------------------------------------------------------------------------------------------- */

static inline int answer_to(const Check *c, int g, int s) { return row(c, g)[s]; }

static inline int answers_most(const Check *c) { return c->bounds->answers_most; }

static inline uint64_t kept_of(const Check *c, int g, int s) { return 2 * (uint64_t)price_of(c, g, s) + !row(c, g)[s]; }

#include "renamings.h"
