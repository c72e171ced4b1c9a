/* The games of the checker: their rules, and the response to every guess for every secret. Whoever doubts a certificate
 * of a code or a word begins to read at `respond`. */
#include "reading.h"

#define MAX_PARTS 255               /* responses of a game */
#define MAX_NUMBER 100000           /* secrets or guesses */
#define MAX_PEGS 14                 /* of a code */
#define MAX_TABLE ((size_t)2 << 30) /* bytes of responses, and of their masks */

static enum { MASTERMIND, BLACKPEG, BULLS, WORDLE, TABLE } kind;
static int secrets, guesses, pegs, colours, responses, win; /* win: the response that ends the game, or -1 */
static int identify, own;             /* the goal; own: only guesses that are secrets of the set at hand are asked */
static char **secret_text, **guess_text;
static int *secret_of, *guess_of;     /* which secret a guess is, which guess a secret is; or -1 */
static uint8_t *of_guess, *of_secret; /* the responses: rows of guesses, rows of secrets */
static size_t long_row, wide_row;     /* their lengths: so many secrets, so many guesses, rounded up to 64 */

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

static const uint8_t *row(int g) { return of_guess + (size_t)g * long_row; }

static const uint8_t *answers(int s) { return of_secret + (size_t)s * wide_row; }

static int respond(const char *guess, const char *secret) {
    uint8_t left[128] = {0}; /* symbols of the secret that are not in place: each answers for one of the guess */
    int hits = 0, others = 0, tiles = 0;
    for (int i = 0; i < pegs; i++) if (guess[i] != secret[i]) left[(int)secret[i]]++;
    for (int i = 0; i < pegs; i++) {
        int hit = guess[i] == secret[i], other = !hit && left[(int)guess[i]];
        if (other) left[(int)guess[i]]--;
        hits += hit, others += other, tiles = 3 * tiles + 2 * hit + other;
    }
    return kind == WORDLE ? tiles : kind == BLACKPEG ? hits : hits * (pegs + 1) + others;
}

static void make_codes(void) {
    double all = 1;
    for (int i = 0; i < pegs; i++) all *= kind == BULLS ? colours - i : colours;
    if (all < 1 || all > MAX_NUMBER) stop(1, "%.0f codes: 1 to %d are checked", all, MAX_NUMBER);
    guess_text = secret_text = take((size_t)all, sizeof *secret_text);
    int code[16] = {0};
    for (int i = 0; i >= 0;) {
        int repeated = 0;
        for (i = 0; i < pegs; i++) for (int j = 0; j < i; j++) repeated |= code[i] == code[j];
        if (kind != BULLS || !repeated) {
            char *word = secret_text[secrets++] = take((size_t)pegs + 1, 1);
            for (i = 0; i < pegs; i++) word[i] = digits[code[i]];
        }
        for (i = pegs - 1; i >= 0 && ++code[i] == colours; i--) code[i] = 0;
    }
    guesses = secrets;
}

static int read_words(const char *name, char ***list) {
    size_t length;
    char *content = beside(name, name, &length);
    int count = 0;
    *list = take(length / 2 + 1, sizeof **list);
    for (char *word = content, *end = content + length; word < end; count++) {
        size_t size = strspn(word, digits + 10);
        if (!pegs) pegs = (int)size;
        if ((word[size] && word[size] != '\n') || (int)size != pegs || size < 1 || size > 5)
            stop(1, "%s: word %d: 1 to 5 letters a to z, as many as in all others, are due", name, count + 1);
        (*list)[count] = word, word[size] = 0, word += size + 1;
    }
    if (!count) stop(1, "%s: no word", name);
    qsort(*list, (size_t)count, sizeof **list, by_text);
    for (int i = 1; i < count; i++)
        if (!strcmp((*list)[i], (*list)[i - 1])) stop(1, "%s: %s is there twice", name, (*list)[i]);
    if (count > MAX_NUMBER) stop(1, "%s: %d words: at most %d are checked", name, count, MAX_NUMBER);
    return count;
}

static void make_words(const char *hidden, const char *others) {
    char **allowed;
    secrets = read_words(hidden, &secret_text);
    int count = guesses = read_words(others, &allowed);
    guess_text = take((size_t)(secrets + guesses), sizeof *guess_text); /* a secret may always be guessed */
    memcpy(guess_text, allowed, (size_t)guesses * sizeof *allowed);
    for (int s = 0; s < secrets; s++)
        if (find(allowed, count, secret_text[s]) < 0) guess_text[guesses++] = secret_text[s];
    qsort(guess_text, (size_t)guesses, sizeof *guess_text, by_text);
}

static void read_table(const char *hash, const char *name) { /* secrets and guesses are columns and rows, from 1 */
    size_t length;
    if (strlen(hash) != 64) stop(1, "%.80s: a SHA-256 is 64 digits", hash);
    char *at = beside(name, hash, &length), *end = at + length;
    int last = 0, room = 0;
    secret_text = take(length + 2, sizeof *secret_text), guess_text = take(length + 2, sizeof *guess_text);
    if (length && end[-1] == '\n') end--;
    for (cell(&at, end, &last); !last; secrets++)
        if (is_cost(secret_text[secrets] = cell(&at, end, &last))) stop(1, "%s: has costs", name);
    if (secrets < 1 || secrets > MAX_NUMBER) stop(1, "%s: %d secrets: 1 to %d are checked", name, secrets, MAX_NUMBER);
    long_row = ((size_t)secrets + 63) / 64 * 64;
    for (; at <= end; guesses++) {
        char *seen[MAX_PARTS];
        int used = 0;
        if (!strcmp(guess_text[guesses] = cell(&at, end, &last), "weight")) stop(1, "%s: has weights", name);
        if (guesses == MAX_NUMBER) stop(1, "%s: more than %d guesses", name, MAX_NUMBER);
        if (guesses == room) {
            of_guess = realloc(of_guess, (size_t)(room = 2 * room + 16) * long_row);
            if (!of_guess || (size_t)room * long_row > MAX_TABLE) stop(2, "%s: out of memory", name);
        }
        for (int s = 0, r; s < secrets; s++) {
            if (last) stop(1, "%s: row %d has %d cells instead of %d", name, guesses + 1, s, secrets);
            char *word = cell(&at, end, &last);
            if (!*word) stop(1, "%s: row %d has an empty cell", name, guesses + 1);
            for (r = 0; r < used && strcmp(seen[r], word); r++) {}
            if (!strcmp(word, "win")) r = MAX_PARTS;
            else if (r == MAX_PARTS - 1) stop(1, "%s: row %d has more than %d responses", name, guesses + 1, r);
            else if (r == used) seen[used++] = word;
            of_guess[(size_t)guesses * long_row + (size_t)s] = (uint8_t)r;
        }
        if (!last) stop(1, "%s: row %d has more than %d cells", name, guesses + 1, secrets);
    }
    if (!guesses) stop(1, "%s: no guess", name);
}

static int index_of(const char *word, int is_guess) {
    int count = is_guess ? guesses : secrets, at;
    if (kind == TABLE) return (int)number(word, 1, count, is_guess ? "a guess" : "a secret") - 1;
    at = find(is_guess ? guess_text : secret_text, count, word);
    if (at < 0) stop(1, "%.40s is no %s of the game", word, is_guess ? "guess" : "secret");
    return at;
}

static const char *name_of(int g) { /* the guess as a certificate names it */
    static char place[12];
    sprintf(place, "%d", g + 1);
    return kind == TABLE ? place : guess_text[g];
}

static void match_names(void) { /* which guess is which secret; in a table to win, the one that it wins for */
    secret_of = take((size_t)guesses, sizeof *secret_of), guess_of = take((size_t)secrets, sizeof *guess_of);
    for (int s = 0; s < secrets; s++) guess_of[s] = -1;
    for (int g = 0; g < guesses; g++) {
        int at = kind == TABLE ? -1 : find(secret_text, secrets, guess_text[g]);
        for (int s = 0; kind == TABLE && (own || !identify) && s < secrets; s++) {
            if (identify ? strcmp(secret_text[s], guess_text[g]) : row(g)[s] != win) continue;
            if (at >= 0) stop(1, "%.40s: a guess names one secret, and wins for one", guess_text[g]);
            if (own && guess_of[s] >= 0) stop(1, "%.40s: another guess is the same secret", guess_text[g]);
            at = s;
        }
        if ((secret_of[g] = at) >= 0) guess_of[at] = g;
    }
}

static int planes;      /* of masks of responses, 8 responses each; 0 when there are too many responses */
static uint64_t *masks; /* of each plane, a row for each secret: a byte for each guess */

static void make_responses(void) { /* numbered from 0, both ways, and as masks */
    int dense[MAX_PARTS + 1] = {0};
    for (int g = 0; g < guesses; g++) for (int s = 0; s < secrets; s++) dense[row(g)[s]] = 1;
    responses = 0;
    for (int r = 0; r <= MAX_PARTS; r++) dense[r] = dense[r] ? responses++ : -1;
    win = win < 0 ? -1 : dense[win];
    of_secret = take((size_t)secrets, wide_row);
    for (int from = 0; from < guesses; from += 64)
        for (int s = 0; s < secrets; s++)
            for (int g = from; g < guesses && g < from + 64; g++) {
                uint8_t *r = of_guess + (size_t)g * long_row + s;
                of_secret[(size_t)s * wide_row + (size_t)g] = *r = (uint8_t)dense[*r];
            }
    planes = responses <= 32 && (size_t)secrets * wide_row <= MAX_TABLE / 4 ? (responses + 7) / 8 : 0;
    uint8_t *to = take((size_t)planes * (size_t)secrets, wide_row);
    masks = (uint64_t *)(void *)to;
    for (int p = 0; p < planes; p++)
        for (int s = 0; s < secrets; s++, to += wide_row)
            for (int g = 0; g < guesses; g++) to[g] = (uint8_t)(answers(s)[g] >> 3 == p ? 1 << (answers(s)[g] & 7) : 0);
}

static void make_game(void) {
    static const char *const names[] = {"mastermind", "blackpeg", "bulls", "wordle", "table"};
    static const char *const goals[] = {"win", "identify", "win-candidates", "identify-candidates"};
    const char *word = token(), *a = token(), *b = token();
    int k = 0, goal = 0;
    while (k < 5 && strcmp(word, names[k])) k++;
    if (k == 5) stop(1, "%.40s is no game: mastermind, blackpeg, bulls, wordle or table", word);
    kind = k, win = -1;
    if (kind <= BULLS) {
        pegs = (int)number(a, 1, MAX_PEGS, "pegs"), colours = (int)number(b, 1, 36, "colours");
        make_codes();
        win = kind == BLACKPEG ? pegs : pegs * (pegs + 1);
    } else if (kind == WORDLE) {
        make_words(a, b);
        for (win = 1, k = 0; k < pegs; k++) win *= 3;
        win--;
    } else {
        read_table(a, b);
        win = MAX_PARTS;
    }
    if (kind != TABLE && win >= MAX_PARTS) stop(1, "more than %d responses", MAX_PARTS);
    word = token();
    while (goal < 4 && strcmp(word, goals[goal])) goal++;
    if (goal == 4) stop(1, "%.40s: the goal is win or identify, or one of these with -candidates", word);
    identify = goal & 1, own = goal > 1, win = identify ? -1 : win;
    long_row = ((size_t)secrets + 63) / 64 * 64, wide_row = ((size_t)guesses + 63) / 64 * 64;
    if ((size_t)guesses * long_row + (size_t)secrets * wide_row > MAX_TABLE)
        stop(2, "%d guesses, %d secrets: the responses take more than %zu bytes", guesses, secrets, MAX_TABLE);
    match_names();
    if (kind != TABLE) of_guess = take((size_t)guesses, long_row);
    for (int g = 0; kind != TABLE && g < guesses; g++)
        for (int s = 0; s < secrets; s++) /* who guesses and who hides are alike for codes */
            of_guess[(size_t)g * long_row + (size_t)s] =
                kind <= BULLS && s < g ? row(s)[g] : (uint8_t)respond(guess_text[g], secret_text[s]);
    make_responses();
}
