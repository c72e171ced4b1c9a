/* Sets of codes that renamings of positions and colours take to each other: an image that they have in common.
 *
 * Positions and colours split each other by labels until none changes (Weisfeiler and Leman 1968); where several have one
 * label, one gets its own, until each is alone, which puts all in an order. The image is the set with positions and
 * colours renamed by their places in that order. It is an image of the set whatever the order is; how good the order is
 * decides only how often sets that are alike are seen to be: always where those of one label are alike. */
#ifndef GUESSTREE_CODE_FORM_H
#define GUESSTREE_CODE_FORM_H

#include <stdint.h>
#include <string.h>
#include "spread.h"

#define CODE_FORM_OWN UINT64_C(0x9E3779B97F4A7C15)  /* what makes a label another one */

typedef struct {
    int n, pegs, colours, rows;     /* rows: of colours; each position has its own, or all have one */
    uint8_t *codes;                 /* n x pegs */
    uint64_t *labels;               /* room for 3 pegs and 3 rows x colours */
    int32_t *there;                 /* the same for rows x colours */
    int64_t *position, *named;      /* the places of positions, and of colours, rows x colours: the result */
} CodeForm;

/* Returns how many labels there are; writes the first of the smallest class of equal ones, or -1. */
static int code_form_different(const uint64_t *labels, int count, int *tied) {
    int found = 0, least = count + 1;
    *tied = -1;
    for (int i = 0; i < count; i++) {
        int same = 0, first = i;
        for (int j = 0; j < count; j++) {
            if (labels[j] != labels[i]) continue;
            same++;
            if (j < first) first = j;
        }
        if (first < i) continue;
        found++;
        if (same > 1 && (same < least || (same == least && labels[i] < labels[*tied]))) least = same, *tied = i;
    }
    return found;
}

static void code_form_ranked(const uint64_t *labels, int64_t *ranks, int count) { /* equal ones stay in their order */
    for (int i = 0; i < count; i++) {
        ranks[i] = 0;
        for (int j = 0; j < count; j++) ranks[i] += labels[j] < labels[i] || (labels[j] == labels[i] && j < i);
    }
}

/* Writes the places of positions and colours from the codes; the rest is room. */
static void code_form_order(const CodeForm *f) {
    const int pegs = f->pegs, all = f->rows * f->colours, apart = f->rows > 1 ? f->colours : 0;
    uint64_t *of_position = f->labels, *of_colour = of_position + pegs, *met = of_colour + all, *some = met + pegs + all;
    uint64_t *peg = some + all;
    int count = 0, known = 0, tied, tied_colour;
    memset(f->labels, 0, (size_t)(pegs + all) * sizeof *f->labels);
    memset(some, 0, (size_t)all * sizeof *some);
    for (int s = 0; s < f->n; s++)
        for (int x = 0; x < pegs; x++) some[x * apart + f->codes[(size_t)s * pegs + x]] = 1;
    for (int c = 0; c < all; c++) if (some[c]) f->there[count++] = c;
    for (;;) {
        memset(met, 0, (size_t)(pegs + all) * sizeof *met);
        for (int s = 0; s < f->n; s++) {
            const uint8_t *code = f->codes + (size_t)s * pegs;
            uint64_t whole = 0;
            for (int x = 0; x < pegs; x++) {
                peg[x] = spread(of_position[x] + of_colour[x * apart + code[x]]);
                whole += peg[x];
            }
            whole = spread(whole);
            for (int x = 0; x < pegs; x++) {
                const uint64_t both = spread(peg[x] + whole);
                met[x] += both, met[pegs + x * apart + code[x]] += both;
            }
        }
        for (int i = 0; i < pegs + all; i++) f->labels[i] = spread(f->labels[i] + met[i]);
        for (int c = 0; c < count; c++) {
            some[c] = of_colour[f->there[c]];
            if (apart) some[c] ^= of_position[f->there[c] / apart];
        }
        const int now = code_form_different(of_position, pegs, &tied) + code_form_different(some, count, &tied_colour);
        if (now == pegs + count) break;
        if (now > known) known = now;
        else if (tied_colour >= 0) of_colour[f->there[tied_colour]] ^= CODE_FORM_OWN;
        else of_position[tied] ^= CODE_FORM_OWN;
    }
    code_form_ranked(of_position, f->position, pegs);
    for (int x = 0; x < f->rows; x++) code_form_ranked(of_colour + x * f->colours, f->named + x * f->colours, f->colours);
}

/* The number of the image of a code, as if with the first position last. */
static int64_t code_form_image(const CodeForm *f, int s) {
    const uint8_t *code = f->codes + (size_t)s * f->pegs;
    int64_t image = 0;
    for (int x = 0; x < f->pegs; x++) {
        int64_t place = f->named[(f->rows > 1 ? x * f->colours : 0) + code[x]];
        for (int64_t i = 0; i < f->position[x]; i++) place *= f->colours;
        image += place;
    }
    return image;
}

#endif
