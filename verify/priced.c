/* priced: check a certificate of a game in which questions cost and secrets weigh, as PRICED.md says.
 *
 *     cc -O3 priced.c -o gtpriced && ./gtpriced FILE.proof
 *
 * Status 0: every strategy for the game costs at least what the file says. 1: refused, with the line and why. 2: a file
 * cannot be read. P1 to P9 are stated and proved in PRICED.md. Plain C99. */
#include "price.h"

#define MAX_ANSWERS 4096             /* responses to a guess */
#define MAX_CELLS ((size_t)1 << 30)  /* of the table */

/* ---- the table ------------------------------------------------------------------------------------------------ */

typedef struct { /* as it is read */
    char **head; /* the first row */
    int width, *place; /* columns; of each column of a secret: its number */
    uint16_t *answers;
    Cost **price, *weight;
} Table;

static void read_row(Check *c, Table *table, char **cells, const char *name) {
    char *label[MAX_ANSWERS + 1];
    int count = 1, winners = 0, s = 0, g = c->guesses;
    uint16_t *to = table->answers + (size_t)g * (size_t)c->secrets;
    Cost prices[MAX_ANSWERS + 1], usual = 1;
    label[0] = "win";
    for (int k = 1; k < table->width; k++) {
        int r = !(c->win && !strcmp(cells[k], "win"));
        if (!strcmp(table->head[k], "cost")) usual = number(c, cells[k], 0, BIGGEST, "a cost");
        if (is_cost(table->head[k])) continue;
        if (!*cells[k]) stop(c, 1, "%s: guess %d has an empty cell", name, g + 1);
        while (r && r < count && strcmp(label[r], cells[k])) r++;
        if (r > MAX_ANSWERS) stop(c, 1, "%s: guess %d has more than %d responses", name, g + 1, MAX_ANSWERS);
        if (r == count) label[count++] = cells[k];
        if (!r && winners++) stop(c, 1, "%s: guess %d wins on two secrets", name, g + 1);
        to[s++] = (uint16_t)r;
    }
    for (int r = 0; r < count; r++) prices[r] = usual;
    for (int k = 1; k < table->width; k++) {
        if (strncmp(table->head[k], "cost:", 5) || !*cells[k]) continue;
        Cost cost = number(c, cells[k], 0, BIGGEST, "a cost");
        for (int r = !c->win; r < count; r++) if (!strcmp(label[r], table->head[k] + 5)) prices[r] = cost;
    }
    table->price = changed(c, table->price, (size_t)(g + 1) * sizeof *table->price);
    table->price[g] = take(c, (size_t)count, sizeof **table->price);
    memcpy(table->price[g], prices, (size_t)count * sizeof *prices);
    c->guesses++;
}

typedef struct { Cost weight; int column; } Heavy;

static int heavier(const void *a, const void *b) {
    const Heavy *x = a, *y = b;
    return x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight) : x->column - y->column;
}

static void number_by_weight(Check *c, Table *table) {
    size_t all = (size_t)c->secrets;
    Heavy *order = take(c, all, sizeof *order);
    uint16_t *old = take(c, all, sizeof *old);
    table->place = take(c, all, sizeof *table->place);
    for (int s = 0; s < c->secrets; s++) order[s] = (Heavy){table->weight[s], s};
    qsort(order, all, sizeof *order, heavier);
    for (int s = 0; s < c->secrets; s++) table->place[order[s].column] = s, table->weight[s] = order[s].weight;
    for (int g = 0; g < c->guesses; g++) {
        uint16_t *to = table->answers + (size_t)g * all;
        memcpy(old, to, all * sizeof *old);
        for (int s = 0; s < c->secrets; s++) to[s] = old[order[s].column];
    }
    give(order), give(old);
}

static void read_table(Check *c, Table *table, const char *hash, const char *name) { /* it is described in PRICED.md */
    int last = 0, room = 0, weighed = 0;
    char *end, *at = open_table(c, hash, name, &end);
    while (!last) {
        table->head = changed(c, table->head, (size_t)(table->width + 1) * sizeof *table->head);
        table->head[table->width++] = cell(c, &at, end, &last);
    }
    for (int k = 1; k < table->width; k++) {
        c->secrets += !is_cost(table->head[k]);
        if (k - c->secrets > MAX_ANSWERS + 1) stop(c, 1, "%s: more than %d columns of costs", name, MAX_ANSWERS + 1);
        for (int other = 1; other < k && is_cost(table->head[k]); other++)
            if (!strcmp(table->head[k], table->head[other])) stop(c, 1, "%s: two columns %.40s", name, table->head[k]);
    }
    require_secrets(c, name);
    char **cells = take(c, (size_t)table->width, sizeof *cells);
    table->weight = take(c, (size_t)c->secrets, sizeof *table->weight);
    for (int s = 0; s < c->secrets; s++) table->weight[s] = 1;
    while (at <= end) {
        last = 0;
        for (int k = 0; k < table->width; k++) {
            if (last) stop(c, 1, "%s: guess %d has %d cells instead of %d", name, c->guesses + 1, k, table->width);
            cells[k] = cell(c, &at, end, &last);
        }
        if (!last) stop(c, 1, "%s: guess %d has more than %d cells", name, c->guesses + 1, table->width);
        if (!strcmp(cells[0], "weight")) {
            if (weighed++) stop(c, 1, "%s: two rows of weights", name);
            for (int k = 1, s = 0; k < table->width; k++)
                if (!is_cost(table->head[k])) table->weight[s++] = number(c, cells[k], 1, BIGGEST, "a weight");
            continue;
        }
        if (c->guesses == room) {
            size_t size = (size_t)(room = 2 * room + 16) * (size_t)c->secrets;
            if (size > 2 * MAX_CELLS) stop(c, 2, "%s: more than %zu cells", name, MAX_CELLS);
            table->answers = changed(c, table->answers, size * sizeof *table->answers);
        }
        if (c->guesses == MAX_NUMBER) stop(c, 1, "%s: more than %d guesses", name, MAX_NUMBER);
        read_row(c, table, cells, name);
    }
    if (!c->guesses) stop(c, 1, "%s: no guess", name);
    number_by_weight(c, table);
}

/* ---- claims ------------------------------------------------------------------------------------------------- */

static int read_secret(Check *c, const char *word) { return c->secret_of[number(c, word, 1, c->secrets, "a secret") - 1]; }

static int read_guess(Check *c, const char *word) {
    return strcmp(word, "-") ? (int)number(c, word, 1, c->guesses, "a guess") - 1 : FREE;
}

static int evident(Check *c, const Claim *around, const Claim *claim) { return (void)c, (void)around, (void)claim, 0; }

static void open_claim(Check *c, Claim *claim) { /* one secret, or something free: no other guess need be asked, P1, P2 */
    int alone = claim->n == 1, free = alone || free_guess(c, claim->set, claim->n) >= 0;
    claim->most = branches(c, claim->set, claim->n);
    claim->only = claim->first >= 0 && (!alone || c->win) ? claim->first : claim->first >= 0 || free ? FREE : ANY;
}

static void read_part(Check *c, const Claim *claim, int g, int *to, Claim *part) {
    int s = read_secret(c, token(c)), found = 0;
    Cost ignored = 0;
    Part *parts = take(c, (size_t)claim->n + 1, sizeof *parts);
    part->bound = bound_of(c, token(c), BIGGEST);
    int count = open_parts(c, claim->set, claim->n, claim->left, g, to, parts, &ignored);
    for (int i = 0; i < count && !found; i++) {
        for (int j = 0; j < parts[i].n; j++) found |= parts[i].set[j] == s;
        part->set = parts[i].set, part->n = parts[i].n, part->left = parts[i].left;
    }
    if (!found) stop(c, 1, "the secret is not in the set at hand, or nothing is left to ask of it");
    give(parts);
}

static int renamed(Check *c, const Claim *claim, const char *word) { /* no body renames a claim */
    (void)c, (void)claim, (void)word;
    return 0;
}

static int read_item(Check *c, Claim *claim, const char *word, int nesting) { /* a renaming (P9) */
    (void)nesting;
    if (strcmp(word, "=")) return 0;
    int *like = take(c, (size_t)c->secrets, sizeof *like), first = 0; /* one number for each weight: they fall */
    for (int i = 0; i < claim->n; i++) {
        if (!i || c->bounds->weight[claim->set[i]] != c->bounds->weight[claim->set[i - 1]]) first = 1 + i;
        like[claim->set[i]] = first;
    }
    rename_secrets(c, claim, like, read_secret);
    give(like);
    return 1;
}

static int shown(Check *c, const Claim *claim) {
    return known_bound(c, claim->set, claim->n, claim->left) >= claim->bound || (claim->only == ANY && by_set(c, claim));
}

static Cost asked(Check *c, const Claim *claim, int g) {
    return asking(c, claim->set, claim->n, claim->left, g, claim->bound, claim->most, 1);
}

static int passes(Check *c, const Claim *claim, int g) { /* what tells nothing, or may not be asked, is left out: P1, P7 */
    if (claim->only == ANY && !useful(c, g, claim->set, claim->n)) return 1;
    return asked(c, claim, g) >= claim->bound;
}

static void refuse(Check *c, const Claim *claim, int g) {
    c->line = claim->line;
    stop(c, 1, "a set of %d secrets: guess %s is shown to cost %lld at least; %s is not shown", claim->n, name_of(c, g),
         (long long)asked(c, claim, g), written(c, claim->bound));
}

#include "driver.h"

static Cost read_bound(Check *c, char *word, Cost left, Cost all) { /* sets what counts, as the words of the bound say */
    if (strncmp(word, "lost:", 5)) return bound_of(c, word, BIGGEST);
    char *won = strchr(word += 5, ':');
    if (left == INF) stop(c, 1, "what is lost within no limit is not asked");
    if (won) *won++ = 0;
    if (left > (MAX_SUM / all - 1) / all) stop(c, 1, "weights and the limit are too large");
    Cost weight_lost = number(c, word, 0, less(all, BIGGEST), "the weight that is lost"), scale = all * left + 1;
    c->bounds->rate = won != NULL, c->bounds->penalty = won ? scale - left : 1;
    if (!won) return weight_lost;
    return weight_lost * scale + number(c, won, 0, less(scale - 1, BIGGEST), "what the others pay");
}

static void judge(Check *c) {
    Table table = {NULL, 0, NULL, NULL, NULL, NULL};
    const char *word = token(c);
    if (strcmp(word, "priced")) stop(c, 1, "%.40s: this checker is for priced games", word);
    const char *hash = token(c), *name = token(c);
    word = token(c), c->kind = TABLE, c->candidates_only = !strcmp(word, "win-candidates");
    c->win = c->candidates_only || !strcmp(word, "win");
    if (!c->win && strcmp(word, "identify")) stop(c, 1, "the goal is win, win-candidates or identify, not %.40s", word);
    read_table(c, &table, hash, name);
    c->bounds = take(c, 1, sizeof *c->bounds), c->secret_of = table.place;
    c->bounds->answers = table.answers, c->bounds->weight = table.weight;
    c->bounds->price = (const Cost *const *)table.price;
    open_bounds(c, MAX_ANSWERS + 1);
    word = token(c);
    int first = strcmp(word, "-") ? read_guess(c, word) : ANY, *all = take(c, (size_t)c->secrets, sizeof *all);
    word = token(c);
    Cost left = strcmp(word, "-") ? number(c, word, 0, BIGGEST, "what may be paid") : INF;
    for (int s = 0; s < c->secrets; s++) all[s] = s;
    if (first >= 0 && !allowed(c, first, all, c->secrets))
        stop(c, 1, "guess %s wins on no secret: it may not be asked", name_of(c, first));
    char *cost = token(c), said[64];
    snprintf(said, sizeof said, "%.60s", cost);
    Cost bound = read_bound(c, cost, left, weigh(c, all, c->secrets));
    prove_all(c, all, left, bound, first);
    if (c->bounds->penalty < INF)
        printf("verified: within %lld every strategy for %d secrets loses at least %s", (long long)left, c->secrets, said + 5);
    else if (bound == INF && left == INF) printf("verified: no strategy settles all %d secrets", c->secrets);
    else if (bound == INF) printf("verified: no strategy settles all %d secrets within %lld", c->secrets, (long long)left);
    else printf("verified: every strategy for %d secrets costs at least %lld", c->secrets, (long long)bound);
    if (bound < INF && c->bounds->penalty == INF && left < INF) printf(" within %lld", (long long)left);
    if (first >= 0) printf(", first guess %d", first + 1);
}

int main(int count, char **arguments) { return run(judge, count, arguments); }
