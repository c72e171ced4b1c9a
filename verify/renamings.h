/* Renamings of secrets, which the game need not declare: L9, P9, F2. A certificate says where secrets go; the images of
 * guesses are found by comparing rows. Included by what has the game, and says before:
 *
 *     answer_to   the number of the response to a guess for a secret, below `answers_most`
 *     kept_of     what an image has in common with a guess and a secret: the price, whether it wins, or is the secret
 *     allowed     whether a guess may be asked of a set: others need no image */

/* How a guess splits secrets in this order, with all that an image keeps, as a number; `number`: of each response, 0
 * between uses. */
HELPER uint64_t pattern(const Check *c, int g, const int *order, int n, int *number) {
    uint64_t h = 0;
    int met = 0;
    for (int i = 0; i < n; i++) {
        int *at = &number[answer_to(c, g, order[i])];
        if (!*at) *at = ++met;
        h = (h ^ (uint64_t)*at) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
        h = (h ^ kept_of(c, g, order[i])) * 0xc2b2ae3d27d4eb4fu, h ^= h >> 31;
    }
    for (int i = 0; i < n; i++) number[answer_to(c, g, order[i])] = 0;
    return h;
}

/* Whether a guess on secrets in one order and another on those in another have the same pattern. */
HELPER int fits(const Check *c, int g, const int *from, int image, const int *to, int n, int *number) {
    int *back = number + answers_most(c), i, same = 1;
    for (i = 0; i < n && same; i++) {
        int r = answer_to(c, g, from[i]), q = answer_to(c, image, to[i]);
        if (!number[r] && !back[q]) number[r] = q + 1, back[q] = r + 1;
        same = number[r] == q + 1 && back[q] == r + 1 && kept_of(c, g, from[i]) == kept_of(c, image, to[i]);
    }
    while (i-- > 0) number[answer_to(c, g, from[i])] = 0, back[answer_to(c, image, to[i])] = 0;
    return same;
}

HELPER int splits(const Check *c, int g, const int *set, int n) { /* whether not all secrets of the set answer alike */
    int i = 1;
    while (i < n && answer_to(c, g, set[i]) == answer_to(c, g, set[0])) i++;
    return i < n;
}

/* Joins the orbits of guesses that a renaming makes equal on a set: secret i of it goes to `to`[i]. Returns the guess that
 * has no image, or -1. */
HELPER int join_images(Check *c, Claim *claim, const int *set, const int *to, int n) {
    int slots = 1, failed = -1;
    while (slots < 2 * c->guesses) slots *= 2;
    int *table = take(c, (size_t)slots, sizeof *table), *number = take(c, 2 * (size_t)answers_most(c), sizeof *number);
    uint64_t *hash = take(c, (size_t)c->guesses, sizeof *hash);
    for (int g = 0; g < c->guesses; g++) {
        if (!allowed(c, g, set, n)) continue;
        size_t at = (size_t)(hash[g] = pattern(c, g, to, n, number)) & (size_t)(slots - 1);
        while (table[at] && hash[table[at] - 1] != hash[g]) at = (at + 1) & (size_t)(slots - 1);
        if (!table[at]) table[at] = g + 1; /* else it is like another guess, or an image may be missed */
    }
    open_orbits(c, claim);
    for (int g = 0; g < c->guesses && failed < 0; g++) {
        if (!allowed(c, g, set, n) || !splits(c, g, set, n)) continue;
        uint64_t h = pattern(c, g, set, n, number);
        size_t at = (size_t)h & (size_t)(slots - 1);
        while (table[at] && !(hash[table[at] - 1] == h && fits(c, g, set, table[at] - 1, to, n, number)))
            at = (at + 1) & (size_t)(slots - 1);
        if (table[at]) join_orbits(claim, g, table[at] - 1);
        else failed = g;
    }
    give(table), give(number), give(hash);
    return failed;
}

/* Reads the cycles of a renaming, and joins the orbits of guesses: in a cycle each secret goes to the next one, the last
 * to the first; all others stay. `like`: of each secret of the set a number that its image has, too; 0 of all others. */
HELPER void rename_secrets(Check *c, Claim *claim, const int *like, int read(Check *c, const char *word)) {
    int *set = take(c, (size_t)c->secrets, sizeof *set), *to = take(c, (size_t)c->secrets, sizeof *to), n = 0;
    for (int s = 0; s < c->secrets; to[s++] = -1) if (like[s]) set[n++] = s;
    for (int ended = 0, first = -1, last = -1; !ended;) {
        const char *word = token(c);
        ended = !strcmp(word, ";");
        if (ended || !strcmp(word, "/")) {
            if (first == last) stop(c, 1, "a cycle of a renaming has two secrets or more");
            to[last] = first, first = last = -1;
            continue;
        }
        int s = read(c, word);
        if (!like[s] || to[s] >= 0) stop(c, 1, "a renaming of what is not in the set at hand, or of a secret twice");
        if (first < 0) first = s;
        else if (like[s] == like[last]) to[last] = s;
        else stop(c, 1, "the renaming takes a secret to %.40s, of another weight or with other lies left", word);
        to[s] = s, last = s;
    }
    for (int i = 0; i < n; i++) to[i] = to[set[i]] < 0 ? set[i] : to[set[i]]; /* set[i] >= i */
    int failed = join_images(c, claim, set, to, n);
    if (failed >= 0) stop(c, 1, "the renaming has no image of guess %s", name_of(c, failed));
    give(set), give(to);
}
