/* How certificates are checked, whatever bounds what a set costs: bodies with their lemmas and renamings, one claim inside
 * the other. The header included before has the bounds, which say:
 *
 *     evident      whether a claim needs no body, by what was found for the claim around it (or NULL)
 *     open_claim   finds what is needed of the set, and which guess has to pass, if only one has to
 *     renamed      reads a body that says which proved claim is the image of the present one, and returns 1; or returns 0
 *     read_item    reads an item of a body that is no lemma, and returns 1; or returns 0
 *     read_part    reads of which part of the set a lemma is, behind its guess, and what it says
 *     shown        whether a claim holds without a look at its guesses
 *     passes       whether a guess that is asked first is shown to cost enough
 *     refuse       stops: a guess is not shown to */

#define MAX_NESTING 1000 /* claims inside claims */

static void prove(Check *c, const Claim *around, Claim *claim, int nesting);

static void lemma(Check *c, Claim *claim, const char *word, int nesting) {
    int g = read_guess(c, word);
    Claim part = {.first = ANY, .set = NULL};
    int *set = take(c, (size_t)claim->n, sizeof *set);
    part.set = set;
    read_part(c, claim, g, set, &part);
    prove(c, claim, &part, nesting + 1);
    give(set);
    claim->named = changed(c, claim->named, (size_t)(claim->nameds + 1) * sizeof *claim->named);
    claim->named[claim->nameds++] = g, c->lemmas++;
}

static void look_at_guesses(Check *c, Claim *claim) { /* refuses what the items do not show */
    if (claim->only != ANY) {
        if (!passes(c, claim, claim->only)) refuse(c, claim, claim->only);
        return;
    }
    uint8_t *passed = take(c, (size_t)c->guesses, 1);
    for (int i = 0; i < claim->nameds + c->guesses; i++) { /* one guess of each orbit passes; those named go first */
        int g = i < claim->nameds ? claim->named[i] : i - claim->nameds, of = g < 0 ? g : orbit_of(claim, g);
        if (g < 0 || passed[of]) continue;
        if (passes(c, claim, g)) passed[of] = 1;
        else if (!claim->orbit) refuse(c, claim, g);
    }
    for (int g = 0; g < c->guesses; g++) if (!passed[orbit_of(claim, g)]) refuse(c, claim, g);
    give(passed);
}

/* Read the body of a claim, verify the claim, and remember it. */
static void prove(Check *c, const Claim *around, Claim *claim, int nesting) {
    const char *word = token(c);
    int open = !strcmp(word, "(");
    claim->line = c->line;
    if (nesting > MAX_NESTING) stop(c, 1, "more than %d claims inside claims", MAX_NESTING);
    int image = nesting && renamed(c, claim, word);
    if (!open && !image && strcmp(word, "."))
        stop(c, 1, "%.40s: a body is . or ( items ), or ~ with a renaming of codes", *word ? word : "end of file");
    if (!image && (open || !evident(c, around, claim))) {
        open_claim(c, claim);
        while (open && strcmp(word = token(c), ")")) {
            if (!*word) stop(c, 1, "the file ends inside a body");
            if (!read_item(c, claim, word, nesting)) lemma(c, claim, word, nesting);
        }
        if (c->known_bytes > MAX_LOOKED) forget(c, 0);
        if (!shown(c, claim)) look_at_guesses(c, claim);
        give(claim->parts), give(claim->large), give(claim->gathered), give(claim->orbit);
        give(claim->named), give(claim->refuted);
    }
    if (claim->first < 0) remember(c, claim->set, claim->n, claim->under, claim->left, claim->bound);
}

/* Read the body of the claim about all secrets, and the end of the file. */
static void prove_all(Check *c, const int *all, Cost left, Cost bound, int first) {
    Claim claim = {.set = all, .n = c->secrets, .left = left, .given = left, .bound = bound, .first = first};
    prove(c, NULL, &claim, 0);
    const char *word = token(c);
    if (*word) stop(c, 1, "%.40s: nothing is due behind the proof", word);
}
