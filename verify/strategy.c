/* strategy: replay a strategy for every secret, and count: the other side of a lower bound.
 *
 *     cc -O3 strategy.c -o gtstrategy && ./gtstrategy FILE.strategy
 *
 *     file := "guesstree-proof/1 strategy" KIND A B GOAL FIRST WITHIN COST "(" GUESS* ")"
 *
 * Status 0: the strategy settles every secret within WITHIN guesses, and takes no more than COST of them in all. 1: it
 * does not, and where. 2: a file cannot be read. The guesses stand in the order in which they are met: that of all
 * secrets, then those of the parts that it leaves, each with all that follows it; parts come in the order of their first
 * secrets. For a set of one secret none stands: to win, it is guessed. Plain C99. */
#define MAX_MASKS 0 /* bytes: nothing is looked up by responses */
#include "games.h"

#define MAX_DEPTH 1000 /* guesses one after the other */

typedef struct { long long total, worst; } Taken; /* guesses: of all secrets together, of one at most */

static void ended(Taken *taken, int depth) { if (taken->worst < depth) taken->worst = depth; }

static void require_allowed(Check *c, int under, int depth, int g) {
    if (depth > MAX_DEPTH) stop(c, 1, "more than %d guesses one after the other", MAX_DEPTH);
    if (!may_ask(c, under, g)) stop(c, 1, "%s may not be asked after these responses", name_of(c, g));
}

static int next_guess(Check *c, const int *set, int n, int first) {
    const char *word = token(c);
    if (!*word || !strcmp(word, ")")) stop(c, 1, "the guess for a set of %d secrets is missing", n);
    int g = index_of(c, word, 1), i = 0;
    while (c->candidates_only && i < n && c->secret_of[g] != set[i]) i++;
    if (i == n) stop(c, 1, "%s is no candidate: it may not be asked", name_of(c, g));
    if (first != ANY && g != first) stop(c, 1, "%s is asked first, not %s", name_of(c, g), name_of(c, first));
    return g;
}

static void settle(Check *c, const int *set, int n, int under, int depth, Taken *taken);

static void ask(Check *c, const int *set, int n, int under, int depth, int first, Taken *taken) {
    int g = next_guess(c, set, n, first), size, *part = take(c, (size_t)n, sizeof *part);
    uint8_t met[MAX_PARTS + 1] = {0};
    const uint8_t *of = row(c, g);
    require_allowed(c, under, depth, g);
    taken->total += n;
    for (int i = 0; i < n; i++) {
        int r = of[set[i]];
        if (met[r]) continue;
        met[r] = 1;
        for (int j = size = 0; j < n; j++) if (of[set[j]] == r) part[size++] = set[j];
        if (r == c->win) ended(taken, depth);
        else settle(c, part, size, demanded(c, under, g, set[i]), depth + 1, taken);
    }
    give(part);
}

static void settle(Check *c, const int *set, int n, int under, int depth, Taken *taken) {
    if (n > 1) ask(c, set, n, under, depth, ANY, taken);
    else if (c->identify) ended(taken, depth - 1);
    else {
        int g = c->guess_of[*set];
        if (g < 0) stop(c, 1, "a secret that no guess wins for is left");
        require_allowed(c, under, depth, g);
        taken->total++, ended(taken, depth);
    }
}

static void judge(Check *c) {
    Taken taken = {0, 0};
    const char *word = token(c);
    if (strcmp(word, "strategy")) stop(c, 1, "%.40s: strategy is due there; other certificates have other checkers", word);
    make_game(c, token(c));
    int first = strcmp(word = token(c), "-") ? index_of(c, word, 1) : ANY, *all = take(c, (size_t)c->secrets, sizeof *all);
    Cost within = number(c, token(c), 0, MAX_NUMBER, "the guesses allowed"), cost = number(c, token(c), 0, BIGGEST, "the total");
    if (strcmp(word = token(c), "(")) stop(c, 1, "%.40s: ( is due there", word);
    for (int s = 0; s < c->secrets; s++) all[s] = s;
    if (first == ANY) settle(c, all, c->secrets, 0, 1, &taken);
    else ask(c, all, c->secrets, 0, 1, first, &taken);
    if (strcmp(word = token(c), ")") || *(word = token(c))) stop(c, 1, "%.40s: nothing is due behind the strategy", word);
    if (taken.worst > within) stop(c, 1, "it takes up to %lld guesses, not %lld", taken.worst, (long long)within);
    if (taken.total > cost) stop(c, 1, "it takes %lld guesses in all, not %lld", taken.total, (long long)cost);
    printf("verified: a strategy for %d secrets takes %lld guesses in all, at most %lld", c->secrets, taken.total, taken.worst);
}

int main(int count, char **arguments) { return run(judge, count, arguments); }
