/* verify: check a lower bound for a game of questions from its certificate, in the format guesstree-proof/1.
 *
 *     cc -O3 verify.c -o gtverify && ./gtverify FILE.proof
 *
 * Status 0: every strategy for the game costs at least what the file says. 1: refused, with the line and why. 2: a file
 * cannot be read. The game is made again from its rules. L1 to L10 are stated and proved in LEMMAS.md. Plain C99. */
#include "counting.h"

static void prove(Check *c, const Claim *around, Claim *claim, int nesting);

static int read_guess(Check *c, const char *word) { return index_of(c, word, 1); }

static int evident(Check *c, const Claim *around, const Claim *claim) {
    return counting(c, count_of(c, around ? around->most : MAX_PARTS), claim->n, claim->left) >= claim->bound;
}

static void read_part(Check *c, const Claim *claim, int g, int *to, Claim *part) {
    int s = index_of(c, token(c), 0);
    part->given = claim->given > 0 ? claim->given - 1 : 0, part->bound = bound_of(c, token(c), MAX_BOUND);
    mark(c, claim->set, claim->n);
    if (!holds(c, s)) stop(c, 1, "the secret is not in the set at hand");
    const uint8_t *of = row(c, g);
    for (int i = 0; i < claim->n; i++) if (of[claim->set[i]] == of[s]) to[part->n++] = claim->set[i];
    part->left = depth_of(c, part->n, part->given), part->under = demanded(c, claim->under, g, s);
}

static void small_set(Check *c) {
    Small *small = take(c, 1, sizeof *small);
    if (c->candidates_only) stop(c, 1, "with candidates only, a larger set may cost less: no small sets");
    small->n = (int)number(c, token(c), 2, MAX_SMALL, "the size");
    small->d = (int)number(c, token(c), 0, MAX_NUMBER, "the guesses");
    for (int i = 0; i < small->n; i++) {
        small->set[i] = index_of(c, token(c), 0);
        if (i && small->set[i] <= small->set[i - 1]) stop(c, 1, "the secrets of a small set rise");
    }
    Claim claim = {.set = small->set, .n = small->n, .given = small->d, .bound = INF, .first = ANY};
    claim.left = depth_of(c, small->n, small->d);
    prove(c, NULL, &claim, 1);
    small->next = c->bounds->small, c->bounds->small = small, c->bounds->smalls++;
}

static int read_item(Check *c, Claim *claim, const char *word, int nesting) {
    if (!strcmp(word, "!")) {
        if (nesting) stop(c, 1, "small sets stand at the top level only");
        small_set(c);
        return 1;
    }
    if (strcmp(word, "=")) return 0;
    if (c->rules) stop(c, 1, "renamings need not keep what may be asked in hard mode: none are checked there");
    int *like = take(c, (size_t)c->guesses + (size_t)c->secrets, sizeof *like);
    for (int i = 0; i < claim->n; i++) like[claim->set[i]] = 1;
    read_renaming(c, claim, like);
    give(like);
    return 1;
}

static int rising(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int renamed(Check *c, Claim *claim, const char *word) { /* L8(c) */
    int position[16], colour[16][36];
    if (strcmp(word, "~")) return 0;
    if (c->kind > BULLS) stop(c, 1, "~: only codes have renamings that take a set to another");
    read_code_renaming(c, position, colour);
    int *image = take(c, (size_t)claim->n, sizeof *image);
    for (int i = 0; i < claim->n; i++) image[i] = renamed_code(c, position, colour, claim->set[i]);
    qsort(image, (size_t)claim->n, sizeof *image, rising);
    if (proved_bound(c, image, claim->n, claim->left) < claim->bound) {
        c->line = claim->line;
        stop(c, 1, "a set of %d secrets: its image is not proved to cost %s", claim->n, written(c, claim->bound));
    }
    give(image);
    return 1;
}

static int shown(Check *c, Claim *claim) {
    int ignored, found = 0;
    if (counting(c, count_of(c, claim->most), claim->n, claim->left) >= claim->bound) return 1;
    if (known_bound(c, claim->set, claim->n, claim->under, (int)claim->left, 0, 0, &ignored) >= claim->bound) return 1;
    if (claim->n == 1 && c->identify) c->line = claim->line, stop(c, 1, "one secret is identified already: it costs 0");
    mark(c, claim->set, claim->n);
    if (!claim->orbit) look_for_large(c, claim);
    claim->refuted = take(c, (size_t)c->bounds->smalls + 1, sizeof *claim->refuted);
    for (const Small *at = c->bounds->small; at && claim->bound == INF; at = at->next) {
        int i = 0;
        while (i < at->n && holds(c, at->set[i])) i++;
        if (i == at->n && at->d >= claim->left - 1) claim->refuted[found++] = at;
    }
    return 0;
}

static int passes(Check *c, Claim *claim, int g) { return asking(c, claim, g) >= claim->bound; }

static void refuse(Check *c, Claim *claim, int g) {
    c->line = claim->line;
    stop(c, 1, "a set of %d secrets: guess %s is shown to cost %lld at least; %s is not shown", claim->n, name_of(c, g),
         (long long)asking(c, claim, g), written(c, claim->bound));
}

#include "driver.h"

static void judge(Check *c) {
    make_game(c, token(c));
    open_bounds(c);
    const char *word = token(c);
    int first = strcmp(word, "-") ? index_of(c, word, 1) : ANY, *all = take(c, (size_t)c->secrets, sizeof *all);
    if (c->candidates_only && first >= 0 && c->secret_of[first] < 0)
        stop(c, 1, "%s is no candidate: it may not be asked", word);
    word = token(c);
    int d = strcmp(word, "-") ? (int)number(c, word, 0, MAX_NUMBER, "the guesses allowed") : MAX_NUMBER;
    Cost bound = bound_of(c, token(c), MAX_BOUND);
    for (int s = 0; s < c->secrets; s++) all[s] = s;
    prove_all(c, all, d, bound, first);
    if (bound == INF) printf("verified: no strategy settles all %d secrets", c->secrets);
    else printf("verified: every strategy for %d secrets costs at least %lld", c->secrets, (long long)bound);
    if (d < MAX_NUMBER) printf(" within %d guesses", d);
    if (first >= 0) printf(", first guess %s", name_of(c, first));
}

int main(int count, char **arguments) { return run(judge, count, arguments); }
