/* The table of tests that may get several answers, as NOISY.md describes it. */
#include "noise.h"

typedef struct { /* as it is read */
    char **head; /* the first row */
    int width, cost, later, group, ends, after; /* columns, and where these are; 0: nowhere */
    char ***rows; /* of tests, and of decisions */
    int tests, decisions, room;
    char ***decided, **weights, **groups;
    Cost *weight;
    size_t entries, entry_room;
} NoisyTable;

static void read_rows(Check *c, NoisyTable *table, char *at, char *end, const char *name) {
    int last = 0;
    while (!last) {
        table->head = changed(c, table->head, (size_t)(table->width + 1) * sizeof *table->head);
        table->head[table->width] = cell(c, &at, end, &last);
        const char *head = table->head[table->width++];
        int *column[] = {&table->cost, &table->later, &table->group, &table->ends, &table->after};
        const char *names[] = {"cost", "cost:later", "cost:group", "cost:ends", "cost:after"};
        for (int i = 0; i < 5 && table->width > 1; i++) {
            if (strcmp(head, names[i])) continue;
            if (*column[i]) stop(c, 1, "%s: two columns %s", name, head);
            *column[i] = table->width - 1;
        }
        if (table->width > 1 && !is_cost(head)) {
            if (c->secrets < table->width - 2) stop(c, 1, "%s: a column of a cause behind those of costs", name);
            c->secrets++;
        }
    }
    if (!table->cost || table->width != 1 + c->secrets + 1 + !!table->later + !!table->group + !!table->ends + !!table->after)
        stop(c, 1, "%s: no column cost, or one that is not known", name);
    if (!table->later != !table->group) stop(c, 1, "%s: cost:later goes with cost:group", name);
    require_secrets(c, name);
    while (at <= end) {
        char **cells = take(c, (size_t)table->width, sizeof *cells);
        last = 0;
        for (int k = 0; k < table->width; k++) {
            if (last) stop(c, 1, "%s: a row of %d cells instead of %d", name, k, table->width);
            cells[k] = cell(c, &at, end, &last);
        }
        if (!last) stop(c, 1, "%s: a row of more than %d cells", name, table->width);
        if (!strcmp(cells[0], "weight")) {
            if (table->weights) stop(c, 1, "%s: two rows of weights", name);
            table->weights = cells;
            continue;
        }
        if (table->tests + table->decisions >= MAX_NUMBER) stop(c, 1, "%s: more than %d rows", name, MAX_NUMBER);
        if (table->tests + table->decisions == table->room) {
            size_t size = (size_t)(table->room = 2 * table->room + 16) * sizeof *table->rows;
            table->rows = changed(c, table->rows, size), table->decided = changed(c, table->decided, size);
        }
        if (!strcmp(cells[table->cost], "-")) table->decided[table->decisions++] = cells;
        else table->rows[table->tests++] = cells;
        if (table->tests > MAX_TESTS) stop(c, 1, "%s: more than %d tests", name, MAX_TESTS);
    }
    if (!table->tests) stop(c, 1, "%s: no test", name);
}

static int answer_of(const Bounds *b, int t, const char *label) {
    for (int a = 0; a < b->answers[t]; a++) if (!strcmp(b->label[t][a], label)) return a;
    return -1;
}

static Cost divisor(Cost x, Cost y) { return y ? divisor(y, x % y) : x; }

static void read_cell(Check *c, NoisyTable *table, int t, int i, const char *name) { /* ANSWER, or ANSWER:RATE/... */
    Bounds *b = c->bounds;
    size_t cell = cell_at(b, t, i), first = table->entries;
    char *at = table->rows[t][1 + i], *next;
    Cost whole = 0, common = 0;
    for (b->start[cell] = first; at; at = next) {
        next = strchr(at, '/');
        if (next) *next++ = 0;
        char *rate = strchr(at, ':');
        if (rate) *rate++ = 0;
        if (!*at || (!rate && (next || table->entries > first)))
            stop(c, 1, "%s: test %d: an answer, or ANSWER:RATE/ANSWER:RATE is due", name, t + 1);
        int a = answer_of(b, t, at);
        if (a < 0) {
            if (b->answers[t] == MAX_ANSWERS) stop(c, 1, "%s: test %d has more than %d answers", name, t + 1, MAX_ANSWERS);
            b->label[t] = changed(c, b->label[t], (size_t)(b->answers[t] + 1) * sizeof **b->label);
            b->label[t][a = b->answers[t]++] = at;
        }
        for (size_t e = first; e < table->entries; e++)
            if (b->answer[e] == a) stop(c, 1, "%s: test %d: an answer twice in a cell", name, t + 1);
        if (table->entries == table->entry_room) {
            size_t size = table->entry_room = 2 * table->entry_room + 64;
            if (size > 2 * MAX_CELLS) stop(c, 2, "%s: more than %zu answers", name, MAX_CELLS);
            b->answer = changed(c, b->answer, size * sizeof *b->answer);
            b->rate = changed(c, b->rate, size * sizeof *b->rate);
        }
        Cost value = rate ? number(c, rate, 1, BIGGEST, "a rate") : 1;
        if ((whole += value) > BIGGEST) stop(c, 1, "%s: test %d: rates of more than %lld", name, t + 1, BIGGEST);
        common = divisor(value, common);
        b->answer[table->entries] = (uint16_t)a, b->rate[table->entries++] = value;
    }
    for (size_t e = first; e < table->entries; e++) b->rate[e] /= common;
    for (size_t e = first + 1; e < table->entries; e++) /* by answers: equal cells look alike */
        for (size_t j = e; j > first && b->answer[j - 1] > b->answer[j]; j--) {
            uint16_t answer = b->answer[j];
            Cost value = b->rate[j];
            b->answer[j] = b->answer[j - 1], b->answer[j - 1] = answer;
            b->rate[j] = b->rate[j - 1], b->rate[j - 1] = value;
        }
    b->sum[cell] = whole / common, b->start[cell + 1] = table->entries;
}

static int alike(const Bounds *b, size_t x, size_t y) {
    size_t n = b->start[x + 1] - b->start[x];
    if (n != b->start[y + 1] - b->start[y]) return 0;
    return !memcmp(b->answer + b->start[x], b->answer + b->start[y], n * sizeof *b->answer) &&
           !memcmp(b->rate + b->start[x], b->rate + b->start[y], n * sizeof *b->rate);
}

static void read_cells(Check *c, NoisyTable *table, const char *name) {
    Bounds *b = c->bounds;
    size_t cells = (size_t)b->tests * (size_t)b->causes;
    if (cells > MAX_CELLS) stop(c, 2, "%s: more than %zu cells", name, MAX_CELLS);
    b->start = take(c, cells + 1, sizeof *b->start), b->sum = take(c, cells, sizeof *b->sum);
    b->kind = take(c, cells, sizeof *b->kind);
    size_t *kinds = take(c, (size_t)b->causes, sizeof *kinds);
    for (int t = 0; t < b->tests; t++) {
        int count = 0;
        for (int i = 0; i < b->causes; i++) {
            read_cell(c, table, t, i, name);
            int k = 0;
            while (k < count && !alike(b, kinds[k], cell_at(b, t, i))) k++;
            if (k == MAX_ANSWERS) stop(c, 1, "%s: test %d has more than %d different cells", name, t + 1, MAX_ANSWERS);
            if (k == count) kinds[count++] = cell_at(b, t, i);
            b->kind[cell_at(b, t, i)] = (uint16_t)k;
        }
    }
    b->certain = b->worst || table->entries == cells;
    give(kinds);
}

static void read_tests(Check *c, NoisyTable *table, const char *name) { /* prices, groups, ends, needs */
    Bounds *b = c->bounds;
    table->groups = take(c, (size_t)b->tests, sizeof *table->groups);
    for (int t = 0; t < b->tests; t++) {
        char **row = table->rows[t], *at, *next;
        b->price[t] = b->later[t] = number(c, row[table->cost], 0, BIGGEST, "a cost"), b->group[t] = -1;
        if (table->group && !*row[table->group] != !*row[table->later])
            stop(c, 1, "%s: test %d: cost:later goes with cost:group", name, t + 1);
        if (table->group && *row[table->group]) {
            int g = 0;
            while (g < b->groups && strcmp(table->groups[g], row[table->group])) g++;
            table->groups[g] = row[table->group], b->groups += g == b->groups, b->group[t] = g;
            b->later[t] = number(c, row[table->later], 0, b->price[t], "what a test costs later"), b->grouped = 1;
        }
        b->ending[t] = take(c, (size_t)b->answers[t], 1);
        for (at = table->ends && *row[table->ends] ? row[table->ends] : NULL; at; at = next) {
            if ((next = strchr(at, '/'))) *next++ = 0;
            int a = answer_of(b, t, at);
            if (a < 0) stop(c, 1, "%s: test %d: %.40s is none of its answers", name, t + 1, at);
            b->ending[t][a] = 1, b->stops = 1;
        }
        for (at = table->after && *row[table->after] ? row[table->after] : NULL; at; at = next) {
            if ((next = strchr(at, '/'))) *next++ = 0;
            set_bit(b->needs + (size_t)t * (size_t)b->words, (int)number(c, at, 1, b->tests, "a test") - 1), b->needy = 1;
        }
    }
    for (int t = 0; t < b->tests; t++) {
        int going = 0;
        for (int a = 0; a < b->answers[t]; a++) going += !b->ending[t][a];
        if (going > b->most_answers) b->most_answers = going;
        if (b->group[t] >= 0) {
            b->opening[t] = b->price[t];
            for (int u = 0; u < b->tests; u++)
                if (b->group[u] == b->group[t] && b->price[u] < b->opening[t]) b->opening[t] = b->price[u];
        }
        int at = t;
        while (at && b->later[b->by_low[at - 1]] > b->later[t]) b->by_low[at] = b->by_low[at - 1], at--;
        b->by_low[at] = t;
    }
}

static void read_decisions(Check *c, NoisyTable *table, const char *name) {
    Bounds *b = c->bounds;
    size_t losses = (size_t)b->decisions * (size_t)b->causes;
    if (losses > MAX_CELLS) stop(c, 2, "%s: more than %zu losses", name, MAX_CELLS);
    if (b->decisions && b->cliques) stop(c, 1, "%s: cliques, and decisions", name);
    b->loss = take(c, losses + 1, sizeof *b->loss);
    b->least = take(c, (size_t)b->causes, sizeof *b->least), b->stop = take(c, (size_t)b->causes, sizeof *b->stop);
    table->weight = take(c, (size_t)b->causes, sizeof *table->weight);
    for (int i = 0; i < b->causes; i++) {
        b->least[i] = b->stop[i] = INF;
        for (int d = 0; d < b->decisions; d++) {
            const char *word = table->decided[d][1 + i];
            Cost *loss = b->loss + (size_t)d * (size_t)b->causes + i;
            *loss = *word ? number(c, word, 0, BIGGEST, "a loss") : NONE;
            if (*word && *loss < b->least[i]) b->least[i] = *loss;
        }
        for (int t = 0; t < b->tests; t++)
            for (size_t cell = cell_at(b, t, i), e = b->start[cell]; e < b->start[cell + 1]; e++)
                if (b->ending[t][b->answer[e]] && b->later[t] < b->stop[i]) b->stop[i] = b->later[t];
        table->weight[i] = table->weights ? number(c, table->weights[1 + i], 1, BIGGEST, "a weight") : 1;
    }
}

static void find_overlaps(Check *c) { /* who may be named together: N1 */
    Bounds *b = c->bounds;
    b->overlap = take(c, (size_t)b->causes * (size_t)b->cause_words, sizeof *b->overlap);
    for (int i = 0; i < b->causes; i++)
        for (int j = 0; j < b->causes; j++) {
            int together = 1;
            for (int t = 0; t < b->tests && together; t++) {
                size_t cell = cell_at(b, t, i), e = b->start[cell];
                while (e < b->start[cell + 1] && !may(b, cell_at(b, t, j), b->answer[e])) e++;
                together = e < b->start[cell + 1];
            }
            if (together) set_bit(b->overlap + (size_t)i * (size_t)b->cause_words, j);
        }
}

static void find_apart(Check *c) { /* what a cause pays at least if another may not be named with it: N4 */
    Bounds *b = c->bounds;
    if (b->decisions || b->stops || b->causes > MAX_COMPARED) return;
    b->apart = take(c, (size_t)b->causes * (size_t)b->causes, sizeof *b->apart);
    for (int i = 0; i < b->causes; i++)
        for (int j = 0; j < b->causes; j++) {
            Cost *least = b->apart + (size_t)i * (size_t)b->causes + j;
            if (i == j || (b->cliques && bit(b->overlap + (size_t)i * (size_t)b->cause_words, j))) continue;
            *least = INF;
            for (int at = 0; at < b->tests && *least == INF; at++) {
                int t = b->by_low[at];
                for (size_t cell = cell_at(b, t, i), e = b->start[cell]; e < b->start[cell + 1]; e++)
                    if (!may(b, cell_at(b, t, j), b->answer[e])) *least = b->later[t];
            }
        }
}

static void find_unit(Check *c, NoisyTable *table, const char *name) { /* and how long numbers are */
    Bounds *b = c->bounds;
    Cost weights = 0, paid = 0, most = 0;
    int bits = 0, unit_bits;
    for (int t = 0; t < b->tests; t++) if ((paid += b->price[t]) > MOST_SUM) break;
    for (size_t i = 0; i < (size_t)b->decisions * (size_t)b->causes; i++) if (b->loss[i] > most) most = b->loss[i];
    for (int i = 0; i < b->causes; i++) if ((weights += table->weight[i]) > MOST_SUM) break;
    if (paid > MOST_SUM || weights > MOST_SUM) stop(c, 1, "%s: costs or weights are too large", name);
    bits = bits_of((Limb)(paid + most + 1)) + bits_of((Limb)weights) + 8;
    bits += bits_of((Limb)b->causes + MAX_ANSWERS); /* so many bounds are added up, none of them more than `most` */
    b->limbs = MAX_BITS / 64 + 3;
    b->unit = take(c, (size_t)b->limbs + 1, sizeof *b->unit), b->unit[0] = 1;
    for (int t = 0; t < b->tests && !b->worst; t++) {
        Cost multiple = 1;
        for (int i = 0; i < b->causes; i++) {
            Cost sum = b->sum[cell_at(b, t, i)], rest = sum / divisor(sum, multiple);
            if (rest > BIGGEST / multiple) stop(c, 1, "%s: test %d: rates are too different", name, t + 1);
            multiple *= rest;
        }
        split_off(b, b->unit, b->unit, 1, multiple);
        for (unit_bits = b->limbs * 64; unit_bits && !bit(b->unit, unit_bits - 1);) unit_bits--;
        if (unit_bits > MAX_BITS) stop(c, 1, "%s: the unit has more than %d bits", name, MAX_BITS);
    }
    for (unit_bits = b->limbs * 64; unit_bits && !bit(b->unit, unit_bits - 1);) unit_bits--;
    b->limbs = (bits + unit_bits) / 64 + 1;
    b->root = take(c, (size_t)b->causes * (size_t)b->limbs, sizeof *b->root);
    Limb *all = take(c, (size_t)b->limbs, sizeof *all);
    b->most = take(c, (size_t)b->limbs, sizeof *b->most);
    add(b, all, b->unit, b->worst ? 1 : weights), add(b, b->most, all, paid + most);
    give(all);
    for (int i = 0; i < b->causes; i++)
        add(b, b->root + (size_t)i * (size_t)b->limbs, b->unit, b->worst ? 1 : table->weight[i]);
}

static void open_bounds(Check *c, char *at, char *end, const char *name, int worst) {
    NoisyTable *table = take(c, 1, sizeof *table);
    Bounds *b = c->bounds = take(c, 1, sizeof *b);
    read_rows(c, table, at, end, name);
    size_t tests = (size_t)table->tests;
    b->tests = c->guesses = table->tests, b->causes = c->secrets, b->decisions = table->decisions, b->worst = worst;
    b->words = (b->tests + 63) / 64, b->cause_words = (b->causes + 63) / 64;
    b->cliques = !strcmp(table->head[0], "cliques");
    if (*table->head[0] && !b->cliques) stop(c, 1, "%s: it begins with %.40s, not with cliques or nothing", name, table->head[0]);
    b->label = take(c, tests, sizeof *b->label), b->answers = take(c, tests, sizeof *b->answers);
    b->group = take(c, tests, sizeof *b->group), b->by_low = take(c, tests, sizeof *b->by_low);
    b->ending = take(c, tests, sizeof *b->ending), b->needs = take(c, tests * (size_t)b->words, sizeof *b->needs);
    b->price = take(c, tests, sizeof *b->price), b->later = take(c, tests, sizeof *b->later);
    b->opening = take(c, tests, sizeof *b->opening);
    read_cells(c, table, name), read_tests(c, table, name), read_decisions(c, table, name);
    b->group_words = (b->groups + 63) / 64;
    find_unit(c, table, name);
    if (b->cliques) find_overlaps(c);
    find_apart(c);
    b->chunk = b->base = take(c, 1, sizeof *b->chunk);
}
