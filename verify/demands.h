/* Wordle in hard mode: what was marked must be used, so what may be asked depends on the history (L10). Whoever doubts a
 * certificate of hard mode reads `features_of` and `demands_of`. Included by games.h.
 *
 * A set of features is bits, and has a number, the same for the same set; 0 is the empty one, the only one of games in
 * which every guess may always be asked. */

#define LETTERS 5
#define DEMAND_WORDS 9 /* of bits, four kinds of features for 5 places and 26 letters */
#define MAX_DEMANDS (1 << 26) /* places for numbers of sets, twice as many as sets: these take 2.7 GB at most */

enum { AT, OVER, NOT_AT, AT_MOST }; /* letter x is at place i, or not; occurs more than i times, or at most i times */
enum { FREELY, HARD, ULTRA };       /* rules of what may be asked */

HELPER void feature(uint64_t *bits, int kind, int i, int x) {
    int bit = (kind * LETTERS + i) * 26 + x;
    bits[bit >> 6] |= (uint64_t)1 << (bit & 63);
}

HELPER void features_of(const Check *c, const char *word, uint64_t *bits) { /* adds all that a word has */
    for (int x = 0; x < 26; x++) {
        int many = 0;
        for (int i = 0; i < c->pegs; many += word[i++] == 'a' + x) feature(bits, word[i] == 'a' + x ? AT : NOT_AT, i, x);
        for (int i = 0; i < LETTERS; i++) feature(bits, many > i ? OVER : AT_MOST, i, x);
    }
}

/* Adds what the response to a guess demands of all that follow, when this is the secret: a letter in place stays there,
 * and a letter of which n were marked occurs n times at least. Ultra: a letter not in place is not there again, and a
 * letter of which one was not marked occurs no more than those that were. */
HELPER void demands_of(const Check *c, const char *guess, const char *secret, uint64_t *bits) {
    int marked[26] = {0}, absent[26] = {0}, tiles = respond(c, guess, secret);
    for (int i = c->pegs - 1; i >= 0; i--, tiles /= 3) {
        int x = guess[i] - 'a', mark = tiles % 3;
        if (mark) feature(bits, OVER, marked[x]++, x);
        else absent[x] = 1;
        if (mark == 2) feature(bits, AT, i, x);
        else if (c->rules == ULTRA) feature(bits, NOT_AT, i, x);
    }
    for (int x = 0; x < 26 && c->rules == ULTRA; x++) if (absent[x]) feature(bits, AT_MOST, marked[x], x);
}

static inline const uint64_t *features(const Check *c, int number) { return c->demands + (size_t)number * DEMAND_WORDS; }

static inline int has_all(const uint64_t *has, const uint64_t *needs) {
    uint64_t missing = 0;
    for (int i = 0; i < DEMAND_WORDS; i++) missing |= needs[i] & ~has[i];
    return !missing;
}

static inline int implied(const Check *c, int fewer, int more) { /* whether one number's features are all among another's */
    return !fewer || fewer == more || has_all(features(c, more), features(c, fewer));
}

static inline int may_ask(const Check *c, int under, int g) {
    return !under || has_all(c->of_words + (size_t)g * DEMAND_WORDS, features(c, under));
}

HELPER size_t place_of(const Check *c, const uint64_t *bits) { /* of a set in the table: where its number is, or 0 */
    uint64_t h = 0;
    for (int i = 0; i < DEMAND_WORDS; i++) h = (h ^ bits[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    size_t at = (size_t)h & (c->demand_slots - 1);
    while (c->demand_at[at] && memcmp(features(c, c->demand_at[at]), bits, DEMAND_WORDS * sizeof *bits))
        at = (at + 1) & (c->demand_slots - 1);
    return at;
}

HELPER void more_demands(Check *c) { /* room for twice as many */
    size_t slots = c->demand_slots ? 2 * c->demand_slots : 1 << 10;
    if (slots > MAX_DEMANDS) stop(c, 2, "the histories demand more than %d sets of features", MAX_DEMANDS / 2);
    c->demands = changed(c, c->demands, slots / 2 * DEMAND_WORDS * sizeof *c->demands);
    int *larger = take(c, slots, sizeof *larger);
    give(c->demand_at);
    c->demand_at = larger, c->demand_slots = slots;
    for (int number = 1; number < c->demand_count; number++) c->demand_at[place_of(c, features(c, number))] = number;
}

HELPER void open_rules(Check *c) { /* of a game that is made */
    if (c->rules == FREELY) return;
    c->of_words = take(c, (size_t)c->guesses * DEMAND_WORDS, sizeof *c->of_words);
    for (int g = 0; g < c->guesses; g++) features_of(c, c->guess_text[g], c->of_words + (size_t)g * DEMAND_WORDS);
    more_demands(c);
    memset(c->demands, 0, DEMAND_WORDS * sizeof *c->demands), c->demand_count = 1;
}

/* The number of what is demanded after one more guess, when this is the secret. */
HELPER int demanded(Check *c, int under, int g, int s) {
    uint64_t bits[DEMAND_WORDS];
    if (c->rules == FREELY) return 0;
    memcpy(bits, features(c, under), sizeof bits);
    demands_of(c, c->guess_text[g], c->secret_text[s], bits);
    if (2 * (size_t)c->demand_count >= c->demand_slots) more_demands(c);
    size_t at = place_of(c, bits);
    if (has_all(features(c, 0), bits)) return 0;
    if (!c->demand_at[at]) {
        c->demand_at[at] = c->demand_count;
        memcpy(c->demands + (size_t)c->demand_count++ * DEMAND_WORDS, bits, sizeof bits);
    }
    return c->demand_at[at];
}
