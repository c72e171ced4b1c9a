/* lies: check a certificate that no strategy settles a game within so many guesses where responses may be false.
 *
 *     cc -O3 lies.c -o gtlies && ./gtlies FILE.proof
 *
 * Status 0: what the file says is proved. 1: refused, with the line and why. 2: a file cannot be read. F1 to F5 are
 * stated and proved in LIES.md. Plain C99. */
#include "volume.h"

static int read_guess(Check *c, const char *word) { return index_of(c, word, 1); }

static int evident(Check *c, const Claim *around, const Claim *claim) { return (void)c, (void)around, (void)claim, 0; }

static void open_claim(Check *c, Claim *claim) { (void)c, claim->only = claim->first; }

static void read_part(Check *c, const Claim *claim, int g, int *to, Claim *part) {
    int s = index_of(c, token(c), 0), i = 0, response = row(c, g)[s];
    while (i < claim->n && secret_in(claim->set[i]) != s) i++;
    if (i == claim->n) stop(c, 1, "the secret is not in the set at hand");
    if (response == c->win || !claim->left) stop(c, 1, "nothing is left to ask");
    part->n = child(c, claim->set, claim->n, g, response, to), part->left = claim->left - 1, part->bound = INF;
}

static int renamed(Check *c, const Claim *claim, const char *word) { /* no body renames a claim */
    (void)c, (void)claim, (void)word;
    return 0;
}

static int read_item(Check *c, Claim *claim, const char *word, int nesting) { /* a renaming (F2) */
    (void)nesting;
    if (strcmp(word, "=")) return 0;
    int *like = take(c, (size_t)c->guesses + (size_t)c->secrets, sizeof *like);
    for (int i = 0; i < claim->n; i++) like[secret_in(claim->set[i])] = 1 + left_in(claim->set[i]);
    read_renaming(c, claim, like);
    give(like);
    return 1;
}

static void refuse(Check *c, const Claim *claim, int g) {
    c->line = claim->line;
    stop(c, 1, "%d secrets: it is not shown that %d guesses do not settle them, guess %s first", claim->n, (int)claim->left,
         name_of(c, g));
}

static int shown(Check *c, const Claim *claim) {
    int open = open_set(c, claim->n);
    if (open && (too_many(c, claim->set, claim->n, claim->left) || refuted(c, claim->set, claim->n, claim->left))) return 1;
    if (!open || !claim->left) refuse(c, claim, -1);
    return 0;
}

static int passes(Check *c, const Claim *claim, int g) { /* what tells nothing is left out: F1 */
    if (claim->only == ANY && !tells(c, claim->set, claim->n, g)) return 1;
    return leaves_refuted(c, claim->set, claim->n, claim->left, g);
}

#include "driver.h"

static void judge(Check *c) {
    const char *word = token(c);
    if (strcmp(word, "lies")) stop(c, 1, "%.40s: this checker is for lies", word);
    int lies = (int)number(c, token(c), 0, MAX_LIES, "the lies");
    make_game(c, token(c));
    if (c->rules) stop(c, 1, "hard mode: a false response would forbid guesses that are allowed");
    if (c->candidates_only) stop(c, 1, "candidates only: that is not checked with lies");
    open_bounds(c, lies);
    word = token(c);
    int first = strcmp(word, "-") ? index_of(c, word, 1) : ANY, *all = take(c, (size_t)c->secrets, sizeof *all);
    int d = (int)number(c, token(c), 0, c->bounds->deepest, "the guesses allowed");
    if (strcmp(word = token(c), "inf")) stop(c, 1, "%.40s: inf is due", word);
    for (int s = 0; s < c->secrets; s++) all[s] = s * 8 + lies;
    prove_all(c, all, d, INF, first);
    printf("verified: no strategy settles all %d secrets within %d guesses if %d response%s may be false", c->secrets, d, lies,
           lies == 1 ? "" : "s");
    if (first >= 0) printf(", first guess %s", name_of(c, first));
}

int main(int count, char **arguments) { return run(judge, count, arguments); }
