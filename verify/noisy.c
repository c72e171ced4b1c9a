/* noisy: check a certificate of tests that may get several answers, of decisions and set-ups, as NOISY.md says.
 *
 *     cc -O3 noisy.c -o gtnoisy && ./gtnoisy FILE.proof
 *
 * Status 0: every strategy costs at least what the file says. 1: refused, with the line and why. 2: a file cannot be
 * read. N1 to N6 are stated and proved in NOISY.md. C99, with the 128-bit integers of gcc and clang. */
#include "noise_table.h"

#define MAX_NESTING 1000 /* claims inside claims */

static const char *bound_word(Check *c) {
    const char *word = token(c);
    if (!*word) stop(c, 1, "nothing stands where the bound is due");
    return word;
}

static void prove(Check *c, const State *s, const Limb *least, int first, int nesting);

static void lemma(Check *c, const State *s, const char *word, int nesting) {
    Bounds *b = c->bounds;
    Mark mark = marked(b);
    int t = (int)number(c, word, 1, b->tests, "a test") - 1;
    if (bit(s->asked, t)) stop(c, 1, "test %d was asked before", t + 1);
    int a = answer_of(b, t, word = token(c));
    if (a < 0) stop(c, 1, "%.40s is no answer to test %d", word, t + 1);
    State *after, *child = NULL;
    int count = split(c, s, t, &after);
    for (int k = 0; k < count; k++) if (after[k].answer == a) child = after + k;
    if (!child) stop(c, 1, "test %d does not get %.40s there, or the path ends with it", t + 1, word);
    Limb *least = new_number(c);
    read_limbs(c, bound_word(c), least);
    prove(c, child, least, -1, nesting + 1);
    c->lemmas++;
    back_to(b, mark);
}

/* Read the body of a claim, verify the claim, and remember it. */
static void prove(Check *c, const State *s, const Limb *least, int first, int nesting) {
    Bounds *b = c->bounds;
    Mark mark = marked(b);
    const char *word = token(c);
    long line = c->line;
    int ahead = 1;
    if (nesting > MAX_NESTING) stop(c, 1, "more than %d claims inside claims", MAX_NESTING);
    if (!strcmp(word, "(")) {
        while (strcmp(word = token(c), ")")) {
            if (!*word) stop(c, 1, "the file ends inside a body");
            lemma(c, s, word, nesting);
        }
    } else if (strcmp(word, ".")) ahead = (int)number(c, word, 0, MAX_NUMBER, "a body, or how far to look ahead,");
    int refused = refused_test(c, s, least, first, far_ahead(c, ahead));
    c->line = refused < 0 ? c->line : line;
    if (refused == b->tests)
        stop(c, 1, "%d causes: %.200s is not shown: to decide costs %.200s", s->n, decimal(c, least), decimal(c, s->decide));
    if (refused >= 0) stop(c, 1, "%d causes: %.200s is not shown of test %d", s->n, decimal(c, least), refused + 1);
    if (first < 0) {
        Limb *found = room(c, (size_t)b->words, sizeof *found);
        uint32_t *key;
        size_t length = key_of(c, s, 0, found, &key);
        remember(c, &b->known, key, length, least, 0);
    }
    back_to(b, mark);
}

static void judge(Check *c) {
    const char *word = token(c);
    if (strcmp(word, "noisy")) stop(c, 1, "%.40s: this checker is for tests that may get several answers", word);
    const char *hash = token(c), *name = token(c);
    word = token(c), c->kind = TABLE;
    if (strcmp(word, "identify")) stop(c, 1, "the goal is identify, not %.40s", word);
    char *first = token(c), *within = token(c), *cost = token(c), *end;
    Cost left = strcmp(within, "-") ? number(c, within, 0, BIGGEST, "what may be paid") : INF;
    if ((left < INF) != !strcmp(cost, "inf")) stop(c, 1, "a number, or a limit of what is paid and inf is due");
    char *at = open_table(c, hash, name, &end);
    open_bounds(c, at, end, name, left < INF);
    Bounds *b = c->bounds;
    State *root = root_state(c);
    Limb *least = new_number(c);
    if (left < INF) least[0] = (Limb)left + 1, no_more(b, least);
    else read_limbs(c, cost, least);
    int only = strcmp(first, "-") ? (int)number(c, first, 1, b->tests, "a test") - 1 : -1;
    if (only >= 0 && !askable(b, root, only)) stop(c, 1, "test %d waits for others", only + 1);
    prove(c, root, least, only, 0);
    word = token(c);
    if (*word) stop(c, 1, "%.40s: nothing is due behind the proof", word);
    if (left < INF) printf("verified: no strategy settles all %d secrets within %lld", c->secrets, (long long)left);
    else {
        char *unit = decimal(c, b->unit);
        printf("verified: every strategy for %d secrets costs at least %s", c->secrets, cost);
        if (strcmp(unit, "1")) printf(" / %s", unit);
    }
    if (only >= 0) printf(", first guess %d", only + 1);
}

int main(int count, char **arguments) { return run(judge, count, arguments); }
