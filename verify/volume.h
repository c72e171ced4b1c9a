/* Bounds by volume, for games in which responses may be false: F1 to F5 of LIES.md. A member of a set is a secret that
 * may be, times 8, and how many lies may still be told of it. */
#include "games.h"

#define MAX_LIES 7
#define MAX_GUESSES 64
#define MAX_VOLUME 100000000000000000LL

struct Bounds {
    int lies, branches, deepest; /* K; the guesses up to which volumes are known */
    int64_t volume[MAX_GUESSES + 1][MAX_LIES + 2]; /* U(d, left) at [d][left + 1], and 0 at [d][0] */
    int64_t room[MAX_GUESSES + 1][MAX_LIES + 1];   /* B(d, left) */
};

static inline int secret_in(int member) { return member >> 3; }

static inline int left_in(int member) { return member & 7; }

/* ---- volume (F3) -------------------------------------------------------------------------------------------- */

static void open_bounds(Check *c, int lies) { /* of a game that is made */
    struct Bounds *b = c->bounds = take(c, 1, sizeof *b);
    b->lies = lies, b->branches = 1; /* at least: F3 */
    for (int g = 0; g < c->guesses; g++) {
        const uint8_t *of = row(c, g);
        int met[MAX_PARTS + 1] = {0}, count = 0;
        for (int s = 0; s < c->secrets; s++) count += of[s] != c->win && !met[of[s]], met[of[s]] = 1;
        b->branches = count > b->branches ? count : b->branches;
    }
    for (int d = 0;; d++) {
        for (int left = 0; left <= lies; left++) {
            int64_t before = d ? b->room[d - 1][left] : 0, *of = &b->volume[d][left + 1];
            *of = d <= !c->identify ? 1 : b->volume[d - 1][left + 1] + (b->branches - 1) * b->volume[d - 1][left];
            b->room[d][left] = c->identify ? (d ? b->branches * before : 1) : d ? *of + b->branches * before : 0;
        }
        b->deepest = d;
        if (d == MAX_GUESSES || b->volume[d][lies + 1] > MAX_VOLUME / c->secrets / b->branches) break;
        if (b->room[d][lies] > MAX_VOLUME / b->branches) break;
    }
}

static int64_t room_of(const Check *c, const int *set, int n, Cost d) { /* B(d, most lies left) */
    int most = 0;
    for (int i = 0; i < n; i++) most = left_in(set[i]) > most ? left_in(set[i]) : most;
    return c->bounds->room[d][most];
}

static int too_many(const Check *c, const int *set, int n, Cost d) { /* by volume */
    int64_t sum = 0;
    for (int i = 0; i < n; i++) sum += c->bounds->volume[d][left_in(set[i]) + 1];
    return sum > room_of(c, set, n, d);
}

/* ---- asking (F1, F4, F5) ------------------------------------------------------------------------------------- */

static inline int open_set(const Check *c, int n) { return n > c->identify; } /* there is something left to ask */

static int refuted(const Check *c, const int *set, int n, Cost d) { /* by a claim that is proved (F4) */
    for (const Known *at = first_of(c, set, n); at; at = same_set(at->next, set, n))
        if (at->left >= d && at->proved > 0) return 1;
    return 0;
}

static int tells(const Check *c, const int *set, int n, int g) { /* or wins */
    const uint8_t *of = row(c, g);
    if (of[secret_in(set[0])] == c->win) return 1;
    for (int i = 1; i < n; i++) if (of[secret_in(set[i])] != of[secret_in(set[0])]) return 1;
    return 0;
}

static int child(const Check *c, const int *set, int n, int g, int response, int *to) { /* returns how many are left */
    int count = 0;
    for (int i = 0; i < n; i++) {
        int r = row(c, g)[secret_in(set[i])], lied = r != response;
        if (r != c->win && left_in(set[i]) >= lied) to[count++] = set[i] - lied;
    }
    return count;
}

/* The volume of the child of each response that a secret of the set gives, with d guesses left behind it; they are
 * written, and the largest is returned. */
static int64_t children(const Check *c, const int *set, int n, int g, Cost d, int *given, int64_t *size, int *count) {
    int at[MAX_PARTS + 1] = {0};
    int64_t all = 0, most = 0;
    *count = 0;
    for (int i = 0; i < n; i++) {
        int r = row(c, g)[secret_in(set[i])];
        const int64_t *u = &c->bounds->volume[d][left_in(set[i])];
        if (r == c->win) continue;
        if (!at[r]) given[*count] = r, size[*count] = 0, at[r] = ++*count;
        all += u[0], size[at[r] - 1] += u[1] - u[0];
    }
    for (int k = 0; k < *count; k++) {
        size[k] += all;
        most = size[k] > most ? size[k] : most;
    }
    return most;
}

static int ahead(const Check *c, const int *set, int n, Cost d) { /* one step: F5 */
    int given[MAX_PARTS + 1], count;
    int64_t size[MAX_PARTS + 1];
    if (!open_set(c, n)) return 0;
    if (too_many(c, set, n, d)) return 1;
    if (!d) return 0;
    int64_t most = room_of(c, set, n, d - 1);
    for (int g = 0; g < c->guesses; g++)
        if (tells(c, set, n, g) && children(c, set, n, g, d - 1, given, size, &count) <= most) return 0;
    return 1;
}

static int leaves_refuted(Check *c, const int *set, int n, Cost d, int g) { /* a set that d - 1 guesses do not settle */
    int given[MAX_PARTS + 1], count, found = 0;
    int64_t size[MAX_PARTS + 1];
    if (children(c, set, n, g, d - 1, given, size, &count) > room_of(c, set, n, d - 1)) return 1;
    int *part = take(c, (size_t)n, sizeof *part);
    for (int look = 0; look < 2 && !found; look++)
        for (int k = 0; k < count && !found; k++) {
            int m = child(c, set, n, g, given[k], part);
            found = look ? ahead(c, part, m, d - 1) : too_many(c, part, m, d - 1) || refuted(c, part, m, d - 1);
        }
    give(part);
    return found;
}
