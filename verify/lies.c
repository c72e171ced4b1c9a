/* lies: check a certificate that no strategy settles a game within so many guesses where responses may be false.
 *
 *     cc -O3 lies.c -o gtlies && ./gtlies FILE.proof
 *
 * Status 0: what the file says is proved. 1: refused, with the line and why. 2: a file cannot be read. F1 to F5 are
 * stated and proved in LIES.md. Plain C99. */
#include "games.h"

#define MAX_NESTING 1000 /* claims inside claims */
#define MAX_LIES 7
#define MAX_GUESSES 64
#define MAX_VOLUME 100000000000000000LL

typedef struct { int s, left; } Pair; /* a secret, and how many lies may still be told of it */

/* ---- volume (F3) -------------------------------------------------------------------------------------------- */

static int lies, branches, deepest; /* K; the guesses up to which volumes are known */
static int64_t volume[MAX_GUESSES + 1][MAX_LIES + 2]; /* U(d, left) at [d][left + 1], and 0 at [d][0] */
static int64_t room[MAX_GUESSES + 1][MAX_LIES + 1];   /* B(d, left) */

static void find_volumes(void) {
    branches = 1; /* at least: F3 */
    for (int g = 0; g < guesses; g++) {
        int met[MAX_PARTS + 1] = {0}, count = 0;
        for (int s = 0; s < secrets; s++) count += row(g)[s] != win && !met[row(g)[s]], met[row(g)[s]] = 1;
        branches = count > branches ? count : branches;
    }
    for (deepest = 0;; deepest++) {
        int d = deepest;
        for (int left = 0; left <= lies; left++) {
            int64_t before = d ? room[d - 1][left] : 0;
            volume[d][left + 1] = d <= !identify ? 1 : volume[d - 1][left + 1] + (branches - 1) * volume[d - 1][left];
            room[d][left] = identify ? (d ? branches * before : 1) : d ? volume[d][left + 1] + branches * before : 0;
        }
        if (d == MAX_GUESSES || volume[d][lies + 1] > MAX_VOLUME / secrets / branches) break;
        if (room[d][lies] > MAX_VOLUME / branches) break;
    }
}

static int most_lies(const Pair *set, int n) {
    int most = 0;
    for (int i = 0; i < n; i++) most = set[i].left > most ? set[i].left : most;
    return most;
}

static int too_many(const Pair *set, int n, int d) { /* by volume */
    int64_t sum = 0;
    for (int i = 0; i < n; i++) sum += volume[d][set[i].left + 1];
    return sum > room[d][most_lies(set, n)];
}

/* ---- what is refuted (F4) ----------------------------------------------------------------------------------- */

typedef struct Known { struct Known *next; int n, d; Pair set[]; } Known;

static Known **known;
static size_t known_slots = 1 << 12, known_count;

static size_t slot_of(const Pair *set, int n, size_t slots) {
    uint64_t h = (uint64_t)n;
    for (int i = 0; i < n; i++) h = (h ^ (uint64_t)(set[i].s * 8 + set[i].left)) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return (size_t)h & (slots - 1);
}

static int remembered(const Pair *set, int n, int d) {
    for (Known *at = known[slot_of(set, n, known_slots)]; at; at = at->next)
        if (at->n == n && at->d >= d && !memcmp(at->set, set, (size_t)n * sizeof *set)) return 1;
    return 0;
}

static void remember(const Pair *set, int n, int d) {
    if (known_count++ > known_slots) {
        Known **wider = take(2 * known_slots, sizeof *known);
        for (size_t i = 0; i < known_slots; i++)
            for (Known *one = known[i], *next; one; one = next) {
                size_t slot = slot_of(one->set, one->n, 2 * known_slots);
                next = one->next, one->next = wider[slot], wider[slot] = one;
            }
        free(known);
        known = wider, known_slots *= 2;
    }
    size_t slot = slot_of(set, n, known_slots);
    Known *at = take(1, sizeof *at + (size_t)n * sizeof *set);
    at->next = known[slot], at->n = n, at->d = d;
    memcpy(at->set, set, (size_t)n * sizeof *set);
    known[slot] = at;
}

/* ---- asking (F1, F2) ---------------------------------------------------------------------------------------- */

static int tells(const Pair *set, int n, int g) { /* or wins */
    if (row(g)[set[0].s] == win) return 1;
    for (int i = 1; i < n; i++) if (row(g)[set[i].s] != row(g)[set[0].s]) return 1;
    return 0;
}

static int child(const Pair *set, int n, int g, int response, Pair *to) { /* returns how many secrets are left */
    int count = 0;
    for (int i = 0; i < n; i++) {
        int r = row(g)[set[i].s], left = set[i].left - (r != response);
        if (r != win && left >= 0) to[count++] = (Pair){set[i].s, left};
    }
    return count;
}

/* The volume of the child of each response that a secret of the set gives, with d guesses left behind it; they are
 * written, and the largest is returned. */
static int64_t children(const Pair *set, int n, int g, int d, int *given, int64_t *size, int *count) {
    static int at[MAX_PARTS + 1];
    int64_t all = 0, most = 0;
    *count = 0;
    for (int i = 0; i < n; i++) {
        int r = row(g)[set[i].s];
        const int64_t *u = &volume[d][set[i].left];
        if (r == win) continue;
        if (!at[r]) given[*count] = r, size[*count] = 0, at[r] = ++*count;
        all += u[0], size[at[r] - 1] += u[1] - u[0];
    }
    for (int k = 0; k < *count; k++) {
        at[given[k]] = 0, size[k] += all;
        most = size[k] > most ? size[k] : most;
    }
    return most;
}

static int open_set(int n) { return n > (identify ? 1 : 0); } /* there is something left to ask */

static int ahead(const Pair *set, int n, int d) { /* one step: F5 */
    int given[MAX_PARTS + 1], count;
    int64_t size[MAX_PARTS + 1];
    if (!open_set(n)) return 0;
    if (too_many(set, n, d)) return 1;
    if (!d) return 0;
    int64_t most = room[d - 1][most_lies(set, n)];
    for (int g = 0; g < guesses; g++)
        if (tells(set, n, g) && children(set, n, g, d - 1, given, size, &count) <= most) return 0;
    return 1;
}

static int passes(const Pair *set, int n, int d, int g) { /* a response leaves a set that d - 1 guesses do not settle */
    int given[MAX_PARTS + 1], count, found = 0;
    int64_t size[MAX_PARTS + 1];
    if (children(set, n, g, d - 1, given, size, &count) > room[d - 1][most_lies(set, n)]) return 1;
    Pair *part = take((size_t)n, sizeof *part);
    for (int look = 0; look < 2 && !found; look++)
        for (int k = 0; k < count && !found; k++) {
            int m = child(set, n, g, given[k], part);
            found = look ? ahead(part, m, d - 1) : too_many(part, m, d - 1) || remembered(part, m, d - 1);
        }
    free(part);
    return found;
}

/* ---- renamings (F2) ----------------------------------------------------------------------------------------- */

static void read_permutation(const char *word, int *to, int size, const char *what) {
    int met[36] = {0};
    for (int i = 0; i < size; i++) {
        const char *place = strchr(digits, word[i]);
        to[i] = place ? (int)(place - digits) : size;
        if (to[i] >= size || met[to[i]]++) stop(1, "%.40s does not rename %d %s", word, size, what);
    }
}

static int orbit_of(int *orbit, int g) {
    while (orbit[g] != g) g = orbit[g] = orbit[orbit[g]];
    return g;
}

static void rename_guesses(const Pair *set, int n, int *orbit) {
    int position[16], colour[16][36], *left_of = take((size_t)secrets, sizeof *left_of);
    const char *order = token(), *names = token();
    int each = kind == BLACKPEG && strchr(names, '/') ? colours + 1 : 0; /* one for each position, with / between */
    if (kind > BULLS) stop(1, "renamings are for codes only");
    if ((int)strlen(order) != pegs || (int)strlen(names) != (each ? each * pegs - 1 : colours))
        stop(1, "%.40s %.40s does not rename %d positions and %d colours", order, names, pegs, colours);
    read_permutation(order, position, pegs, "positions");
    for (int i = 0; i < pegs; i++) {
        if (each && i && names[each * i - 1] != '/') stop(1, "%.40s: / is due between positions", names);
        read_permutation(names + each * i, colour[i], colours, "colours");
    }
    for (int i = 0; i < n; i++) left_of[set[i].s] = set[i].left + 1;
    for (int g = 0; g < guesses; g++) {
        char image[37] = {0};
        for (int i = 0; i < pegs; i++) image[position[i]] = digits[colour[i][strchr(digits, guess_text[g][i]) - digits]];
        int to = find(guess_text, guesses, image);
        if (left_of[g] != left_of[to]) stop(1, "the renaming takes %s to %s, which has other lies left", guess_text[g], image);
        orbit[orbit_of(orbit, g)] = orbit_of(orbit, to);
    }
    free(left_of);
}

/* ---- claims ------------------------------------------------------------------------------------------------- */

static long lemmas;

/* Read the body of the claim that d guesses do not settle the set, verify it, and remember it. */
static void prove(const Pair *set, int n, int d, int first, int nesting) {
    const char *word = token();
    long claimed_at = line;
    int open = !strcmp(word, "("), nameds = 0, *named = NULL, failed = -1;
    if (!open && strcmp(word, ".")) stop(1, "%.40s: a body is . or ( items )", *word ? word : "end of file");
    if (nesting > MAX_NESTING) stop(1, "more than %d claims inside claims", MAX_NESTING);
    int *orbit = take((size_t)guesses, sizeof *orbit), renamed = 0;
    for (int g = 0; g < guesses; g++) orbit[g] = g;
    while (open && strcmp(word = token(), ")")) {
        if (!*word) stop(1, "the file ends inside a body");
        if (!strcmp(word, "=")) {
            rename_guesses(set, n, orbit), renamed = 1;
            continue;
        }
        int g = index_of(word, 1), s = index_of(token(), 0), i = 0;
        while (i < n && set[i].s != s) i++;
        if (i == n) stop(1, "the secret is not in the set at hand");
        if (row(g)[s] == win || !d) stop(1, "nothing is left to ask");
        Pair *part = take((size_t)n, sizeof *part);
        prove(part, child(set, n, g, row(g)[s], part), d - 1, -1, nesting + 1);
        free(part);
        if (!(named = realloc(named, (size_t)(nameds + 1) * sizeof *named))) stop(2, "out of memory");
        named[nameds++] = g, lemmas++;
    }
    int shown = open_set(n) && (too_many(set, n, d) || remembered(set, n, d));
    if (!shown && d && open_set(n)) {
        uint8_t *passed = take((size_t)guesses, 1);
        for (int i = 0; i < nameds + guesses; i++) { /* one guess of each orbit passes; those named go first */
            int g = i < nameds ? named[i] : i - nameds, of = renamed && first < 0 ? orbit_of(orbit, g) : g;
            if (passed[of] || (first >= 0 && g != first)) continue;
            passed[of] = (uint8_t)((first < 0 && !tells(set, n, g)) || passes(set, n, d, g));
        }
        shown = 1;
        for (int g = 0; g < guesses && failed < 0; g++) {
            if (!passed[renamed && first < 0 ? orbit_of(orbit, g) : g] && (first < 0 || g == first)) failed = g, shown = 0;
        }
        free(passed);
    }
    if (!shown) {
        line = claimed_at;
        stop(1, "%d secrets: it is not shown that %d guesses do not settle them, guess %s first", n, d, failed < 0 ? "-" : name_of(failed));
    }
    if (first < 0) remember(set, n, d);
    free(orbit), free(named);
}

int main(int count, char **arguments) {
    begin(count, arguments);
    const char *word = token();
    if (strcmp(word, "lies")) stop(1, "%.40s: this checker is for lies", word);
    lies = (int)number(token(), 0, MAX_LIES, "the lies");
    make_game();
    if (own) stop(1, "candidates only: that is not checked with lies");
    find_volumes();
    known = take(known_slots, sizeof *known);
    word = token();
    int first = strcmp(word, "-") ? index_of(word, 1) : -1;
    int d = (int)number(token(), 0, deepest, "the guesses allowed");
    if (strcmp(word = token(), "inf")) stop(1, "%.40s: inf is due", word);
    Pair *all = take((size_t)secrets, sizeof *all);
    for (int s = 0; s < secrets; s++) all[s] = (Pair){s, lies};
    prove(all, secrets, d, first, 0);
    if (*(word = token())) stop(1, "%.40s: nothing is due behind the proof", word);
    printf("verified: no strategy settles all %d secrets within %d guesses if %d response%s may be false", secrets, d, lies, lies == 1 ? "" : "s");
    if (first >= 0) printf(", first guess %s", name_of(first));
    return accepted(guesses, lemmas);
}
