/* The games of the checker: their rules, and the response to every guess for every secret. Whoever doubts a certificate
 * of a code or a word begins to read at `respond`. */
#include "claims.h"

#define MAX_PARTS 255               /* responses of a game */
#define MAX_PEGS 14                 /* of a code */
#define MAX_TABLE ((size_t)2 << 30) /* bytes of responses */
#ifndef MAX_MASKS
#define MAX_MASKS MAX_TABLE         /* and of their masks, without which it takes longer */
#endif
#ifndef MAX_PLANES
#define MAX_PLANES 8                /* of masks: with more responses, to mark them is quicker */
#endif

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

static inline const uint8_t *row(const Check *c, int g) { return c->of_guess + (size_t)g * c->long_row; }

static inline const uint8_t *answers(const Check *c, int s) { return c->of_secret + (size_t)s * c->wide_row; }

static inline int respond(const Check *c, const char *guess, const char *secret) {
    uint8_t left[128] = {0}; /* symbols of the secret that are not in place: each answers for one of the guess */
    int hits = 0, others = 0, tiles = 0;
    for (int i = 0; i < c->pegs; i++) if (guess[i] != secret[i]) left[(int)secret[i]]++;
    for (int i = 0; i < c->pegs; i++) {
        int hit = guess[i] == secret[i], other = !hit && left[(int)guess[i]];
        if (other) left[(int)guess[i]]--;
        hits += hit, others += other, tiles = 3 * tiles + 2 * hit + other;
    }
    return c->kind == WORDLE ? tiles : c->kind == BLACKPEG ? hits : hits * (c->pegs + 1) + others;
}

#include "demands.h"

HELPER void make_codes(Check *c) {
    double all = 1;
    for (int i = 0; i < c->pegs; i++) all *= c->kind == BULLS ? c->colours - i : c->colours;
    if (all < 1 || all > MAX_NUMBER) stop(c, 1, "%.0f codes: 1 to %d are checked", all, MAX_NUMBER);
    c->guess_text = c->secret_text = take(c, (size_t)all, sizeof *c->secret_text);
    int code[16] = {0};
    for (int i = 0; i >= 0;) {
        int repeated = 0;
        for (i = 0; i < c->pegs; i++) for (int j = 0; j < i; j++) repeated |= code[i] == code[j];
        if (c->kind != BULLS || !repeated) {
            char *word = c->secret_text[c->secrets++] = take(c, (size_t)c->pegs + 1, 1);
            for (i = 0; i < c->pegs; i++) word[i] = digits[code[i]];
        }
        for (i = c->pegs - 1; i >= 0 && ++code[i] == c->colours; i--) code[i] = 0;
    }
    c->guesses = c->secrets;
}

HELPER int read_words(Check *c, const char *name, char ***list) {
    size_t length;
    char *content = beside(c, name, name, &length);
    int count = 0;
    *list = take(c, length / 2 + 1, sizeof **list);
    for (char *word = content, *end = content + length; word < end; count++) {
        size_t size = 0;
        while (word[size] >= 'a' && word[size] <= 'z') size++;
        if (!c->pegs) c->pegs = (int)size;
        if ((word[size] && word[size] != '\n') || (int)size != c->pegs || size < 1 || size > 5)
            stop(c, 1, "%s: word %d: 1 to 5 letters a to z, as many as in all others, are due", name, count + 1);
        (*list)[count] = word, word[size] = 0, word += size + 1;
    }
    if (!count) stop(c, 1, "%s: no word", name);
    qsort(*list, (size_t)count, sizeof **list, by_text);
    for (int i = 1; i < count; i++)
        if (!strcmp((*list)[i], (*list)[i - 1])) stop(c, 1, "%s: %s is there twice", name, (*list)[i]);
    if (count > MAX_NUMBER) stop(c, 1, "%s: %d words: at most %d are checked", name, count, MAX_NUMBER);
    return count;
}

HELPER void make_words(Check *c, const char *hidden, const char *others) {
    char **allowed;
    c->secrets = read_words(c, hidden, &c->secret_text);
    int count = c->guesses = read_words(c, others, &allowed);
    c->guess_text = take(c, (size_t)(c->secrets + count), sizeof *c->guess_text); /* a secret may always be guessed */
    memcpy(c->guess_text, allowed, (size_t)count * sizeof *allowed);
    for (int s = 0; s < c->secrets; s++)
        if (find(allowed, count, c->secret_text[s]) < 0) c->guess_text[c->guesses++] = c->secret_text[s];
    qsort(c->guess_text, (size_t)c->guesses, sizeof *c->guess_text, by_text);
}

HELPER uint8_t *read_table(Check *c, const char *hash, const char *name) { /* secrets and guesses: columns, rows, from 1 */
    char *end, *at = open_table(c, hash, name, &end);
    int last = 0, room = 0;
    uint8_t *cells = NULL;
    size_t most = (size_t)(end - at) + 2;
    c->secret_text = take(c, most, sizeof *c->secret_text), c->guess_text = take(c, most, sizeof *c->guess_text);
    for (cell(c, &at, end, &last); !last; c->secrets++)
        if (is_cost(c->secret_text[c->secrets] = cell(c, &at, end, &last))) stop(c, 1, "%s: has costs", name);
    require_secrets(c, name);
    c->long_row = ((size_t)c->secrets + 63) / 64 * 64;
    for (; at <= end; c->guesses++) {
        char *seen[MAX_PARTS];
        int used = 0, g = c->guesses;
        if (!strcmp(c->guess_text[g] = cell(c, &at, end, &last), "weight")) stop(c, 1, "%s: has weights", name);
        if (g == MAX_NUMBER) stop(c, 1, "%s: more than %d guesses", name, MAX_NUMBER);
        if (g == room) {
            size_t size = (size_t)(room = 2 * room + 16) * c->long_row;
            if (size > MAX_TABLE) stop(c, 2, "%s: out of memory", name);
            cells = changed(c, cells, size);
        }
        for (int s = 0, r; s < c->secrets; s++) {
            if (last) stop(c, 1, "%s: row %d has %d cells instead of %d", name, g + 1, s, c->secrets);
            char *word = cell(c, &at, end, &last);
            if (!*word) stop(c, 1, "%s: row %d has an empty cell", name, g + 1);
            for (r = 0; r < used && strcmp(seen[r], word); r++) {}
            if (!strcmp(word, "win")) r = MAX_PARTS;
            else if (r == MAX_PARTS - 1) stop(c, 1, "%s: row %d has more than %d responses", name, g + 1, r);
            else if (r == used) seen[used++] = word;
            cells[(size_t)g * c->long_row + (size_t)s] = (uint8_t)r;
        }
        if (!last) stop(c, 1, "%s: row %d has more than %d cells", name, g + 1, c->secrets);
    }
    if (!c->guesses) stop(c, 1, "%s: no guess", name);
    return cells;
}

HELPER int index_of(Check *c, const char *word, int is_guess) {
    int count = is_guess ? c->guesses : c->secrets, at;
    if (c->kind == TABLE) return (int)number(c, word, 1, count, is_guess ? "a guess" : "a secret") - 1;
    at = find(is_guess ? c->guess_text : c->secret_text, count, word);
    if (at < 0) stop(c, 1, "%.40s is no %s of the game", word, is_guess ? "guess" : "secret");
    return at;
}

HELPER void match_names(Check *c) { /* which guess is which secret; in a table to win, the one that it wins for */
    c->secret_of = take(c, (size_t)c->guesses, sizeof *c->secret_of);
    c->guess_of = take(c, (size_t)c->secrets, sizeof *c->guess_of);
    for (int s = 0; s < c->secrets; s++) c->guess_of[s] = -1;
    for (int g = 0; g < c->guesses; g++) {
        const char *name = c->guess_text[g];
        int at = c->kind == TABLE ? -1 : find(c->secret_text, c->secrets, name);
        for (int s = 0; c->kind == TABLE && (c->candidates_only || !c->identify) && s < c->secrets; s++) {
            if (c->identify ? strcmp(c->secret_text[s], name) : row(c, g)[s] != c->win) continue;
            if (at >= 0) stop(c, 1, "%.40s: a guess names one secret, and wins for one", name);
            if (c->candidates_only && c->guess_of[s] >= 0) stop(c, 1, "%.40s: another guess is the same secret", name);
            at = s;
        }
        if ((c->secret_of[g] = at) >= 0) c->guess_of[at] = g;
    }
}

/* So many responses of each secret, from a guess on. */
static void turn_rows(const Check *c, int from, uint8_t *of_secret) {
    for (int s = 0; s < c->secrets; s++)
        for (int g = from; g < c->guesses && g < from + 64; g++)
            of_secret[(size_t)s * c->wide_row + (size_t)g] = row(c, g)[s];
}

static void mask_row(const Check *c, int p, int s, uint8_t *to) {
    for (int g = 0; g < c->guesses; g++) {
        int r = answers(c, s)[g];
        to[g] = (uint8_t)(r >> 3 == p ? 1 << (r & 7) : 0);
    }
}

/* The rows of secrets, and masks, from those of guesses. */
HELPER void turn_responses(Check *c) {
    uint8_t *of_secret = take(c, (size_t)c->secrets, c->wide_row);
    for (int from = 0; from < c->guesses; from += 64) turn_rows(c, from, of_secret);
    c->of_secret = of_secret;
    size_t bytes = (size_t)c->secrets * c->wide_row;
    c->planes = (c->responses + 7) / 8;
    if (c->planes > MAX_PLANES || (size_t)c->planes * bytes > MAX_MASKS) c->planes = 0;
    uint8_t *to = take(c, (size_t)c->planes, bytes);
    c->masks = (uint64_t *)(void *)to;
    for (int p = 0; p < c->planes; p++)
        for (int s = 0; s < c->secrets; s++, to += c->wide_row) mask_row(c, p, s, to);
}

static void mark_responses(const uint8_t *of, int n, int *met) { for (int s = 0; s < n; s++) met[of[s]] = 1; }

static void change_responses(uint8_t *of, int n, const int *to) { for (int s = 0; s < n; s++) of[s] = (uint8_t)to[of[s]]; }

HELPER void number_responses(Check *c, uint8_t *cells) { /* from 0, without gaps */
    int dense[MAX_PARTS + 1] = {0};
    for (int g = 0; g < c->guesses; g++) mark_responses(row(c, g), c->secrets, dense);
    for (int r = 0; r <= MAX_PARTS; r++) dense[r] = dense[r] ? c->responses++ : -1;
    for (int g = 0; g < c->guesses; g++) change_responses(cells + (size_t)g * c->long_row, c->secrets, dense);
    c->win = c->win < 0 ? -1 : dense[c->win];
}

/* Each row is a function of its own: in a browser, what runs long is quick only from its next call on. */
static void answer_row(const Check *c, int g, uint8_t *to) {
    for (int s = 0; s < c->secrets; s++) /* who guesses and who hides are alike for codes */
        to[s] = c->kind <= BULLS && s < g ? row(c, s)[g] : (uint8_t)respond(c, c->guess_text[g], c->secret_text[s]);
}

HELPER void make_game(Check *c, const char *word) {
    static const char *const names[] = {"mastermind", "blackpeg", "bulls", "wordle", "table", "wordle-hard", "wordle-ultra"};
    static const char *const goals[] = {"win", "identify", "win-candidates", "identify-candidates"};
    const char *a = token(c), *b = token(c);
    uint8_t *cells = NULL;
    int k = 0, goal = 0;
    while (k < 7 && strcmp(word, names[k])) k++;
    if (k == 7) stop(c, 1, "%.40s is no game: mastermind, blackpeg, bulls, wordle, wordle-hard, wordle-ultra or table", word);
    if (k > TABLE) c->rules = k - TABLE, k = WORDLE;
    if (!*b) stop(c, 1, "the file ends within the name of the game");
    c->kind = k, c->win = -1;
    if (k <= BULLS) {
        c->pegs = (int)number(c, a, 1, MAX_PEGS, "pegs"), c->colours = (int)number(c, b, 1, 36, "colours");
        make_codes(c);
        c->win = k == BLACKPEG ? c->pegs : c->pegs * (c->pegs + 1);
    } else if (k == WORDLE) {
        make_words(c, a, b);
        for (c->win = 1, k = 0; k < c->pegs; k++) c->win *= 3;
        c->win--;
    } else {
        c->of_guess = cells = read_table(c, a, b);
        c->win = MAX_PARTS;
    }
    if (c->kind != TABLE && c->win >= MAX_PARTS) stop(c, 1, "more than %d responses", MAX_PARTS);
    word = token(c);
    while (goal < 4 && strcmp(word, goals[goal])) goal++;
    if (goal == 4) stop(c, 1, "%.40s: the goal is win or identify, or one of these with -candidates", word);
    c->identify = goal & 1, c->candidates_only = goal > 1, c->win = c->identify ? -1 : c->win;
    c->long_row = ((size_t)c->secrets + 63) / 64 * 64, c->wide_row = ((size_t)c->guesses + 63) / 64 * 64;
    if ((uint64_t)c->guesses * c->long_row + (uint64_t)c->secrets * c->wide_row > MAX_TABLE)
        stop(c, 2, "%d guesses, %d secrets: the responses take more than %zu bytes", c->guesses, c->secrets, MAX_TABLE);
    match_names(c);
    if (!cells) c->of_guess = cells = take(c, (size_t)c->guesses, c->long_row);
    for (int g = 0; c->kind != TABLE && g < c->guesses; g++) answer_row(c, g, cells + (size_t)g * c->long_row);
    number_responses(c, cells);
    turn_responses(c);
    open_rules(c);
}

/* ---- renamings of codes (L8, F2) ------------------------------------------------------------------------------ */

HELPER void read_permutation(Check *c, const char *word, int *to, int size, const char *what) {
    int met[36] = {0};
    for (int i = 0; i < size; i++) {
        const char *place = word[i] ? strchr(digits, word[i]) : NULL;
        to[i] = place ? (int)(place - digits) : size;
        if (to[i] >= size || met[to[i]]++) stop(c, 1, "%.40s does not rename %d %s", word, size, what);
    }
}

/* Where a code goes when the peg in position i goes to position[i], and its colour becomes colour[i][...]. Its number
 * counts, for each position, the smaller colours that may stand there: the codes that begin so come before it. */
HELPER int renamed_code(const Check *c, const int *position, int (*colour)[36], int g) {
    int image[16], once = c->kind == BULLS, place = 0; /* once: no colour comes twice */
    for (int i = 0; i < c->pegs; i++) {
        int sign = c->guess_text[g][i];
        image[position[i]] = colour[i][sign <= '9' ? sign - '0' : sign - 'a' + 10];
    }
    for (int i = 0; i < c->pegs; i++) {
        place = place * (c->colours - once * i) + image[i];
        for (int j = 0; j < once * i; j++) place -= image[j] < image[i];
    }
    return place;
}

/* The same of all codes where none is missing: the number of a code, read with as many digits as colours, is its place. */
HELPER void rename_numbers(const Check *c, const int *position, int (*colour)[36], int *to) {
    int weight[16], done = 1;
    for (int i = c->pegs - 1; i >= 0; i--, done *= c->colours) weight[i] = done;
    done = 1, to[0] = 0;
    for (int i = c->pegs - 1; i >= 0; i--, done *= c->colours) /* codes whose pegs before i have colour 0 */
        for (int d = c->colours - 1; d >= 0; d--)
            for (int j = 0; j < done; j++) to[d * done + j] = to[j] + colour[i][d] * weight[position[i]];
}

/* Reads where positions go, and the colours of each. */
HELPER void read_code_renaming(Check *c, int *position, int (*colour)[36]) {
    const char *order = token(c), *names = token(c);
    int each = c->kind == BLACKPEG && strchr(names, '/') ? c->colours + 1 : 0; /* of each position, with / between */
    if ((int)strlen(order) != c->pegs || (int)strlen(names) != (each ? each * c->pegs - 1 : c->colours))
        stop(c, 1, "%.40s %.40s does not rename %d positions and %d colours", order, names, c->pegs, c->colours);
    read_permutation(c, order, position, c->pegs, "positions");
    for (int i = 0; i < c->pegs; i++) {
        if (each && i && names[each * i - 1] != '/') stop(c, 1, "%.40s: / is due between positions", names);
        read_permutation(c, names + each * i, colour[i], c->colours, "colours");
    }
}

/* Joins the orbits of codes that the next words rename. `like`: of each code that may be the secret a number that the
 * renaming has to keep, and 0 of all others. */
HELPER void rename_codes(Check *c, Claim *claim, const int *like) {
    int position[16], colour[16][36];
    read_code_renaming(c, position, colour);
    int *to = take(c, (size_t)c->guesses, sizeof *to);
    if (c->kind != BULLS) rename_numbers(c, position, colour, to);
    else for (int g = 0; g < c->guesses; g++) to[g] = renamed_code(c, position, colour, g);
    open_orbits(c, claim);
    for (int g = 0; g < c->guesses; g++) {
        const char *from = c->guess_text[g], *image = c->guess_text[to[g]];
        if (like[g] != like[to[g]]) stop(c, 1, "the renaming takes %s to %s, which is not in the set alike", from, image);
        join_orbits(claim, g, to[g]);
    }
    give(to);
}

/* ---- renamings of secrets of other games (L9, F2) ------------------------------------------------------------- */

static inline int answer_to(const Check *c, int g, int s) { return row(c, g)[s]; }

static inline int answers_most(const Check *c) { return (void)c, MAX_PARTS + 1; }

static inline uint64_t kept_of(const Check *c, int g, int s) {
    return c->candidates_only ? c->secret_of[g] == s : row(c, g)[s] == c->win;
}

static inline int allowed(const Check *c, int g, const int *set, int n) {
    int i = 0;
    while (c->candidates_only && i < n && c->secret_of[g] != set[i]) i++;
    return i < n;
}

#include "renamings.h"

HELPER int read_secret(Check *c, const char *word) { return index_of(c, word, 0); }

/* Joins the orbits of guesses that the renaming in the next words makes equal. `like`: as `rename_codes` has it. */
HELPER void read_renaming(Check *c, Claim *claim, const int *like) {
    if (c->kind <= BULLS) rename_codes(c, claim, like);
    else rename_secrets(c, claim, like, read_secret);
}
