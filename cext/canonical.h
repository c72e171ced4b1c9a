/* Which codes are not the smallest of their class after a history of guesses.
 *
 * Two codes are in one class when a symmetry of the game fixes every guess of the history and takes one to the
 * other. Positions that had the same colours in every guess form a block. All that fixes the history is a product:
 * any order inside the blocks and any renaming of unseen colours, which is solved for, and the ways to move whole
 * blocks while renaming seen colours, which are listed; history pins them down, so they are few. */
#ifndef GUESSTREE_CANONICAL_H
#define GUESSTREE_CANONICAL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "arena.h"

#define CANONICAL_POSITIONS 32 /* a set of positions is a uint32_t, the first position its highest bit */
#define CANONICAL_COLOURS 255
#define CANONICAL_NONE 255
#define CANONICAL_MOVES 5040 /* at least the smaller of positions! and colours! when it is at most this... */
#define CANONICAL_STEPS (1 << 18) /* ...and then backtracking places at most so many blocks */

typedef struct Stabiliser {
    int positions, colours, separate, blocks, unseen, moves, room;
    uint8_t later[CANONICAL_POSITIONS];      /* the next position of the same block, 0: none */
    uint8_t size[CANONICAL_POSITIONS];       /* of each block */
    uint8_t start[CANONICAL_POSITIONS];      /* of each block in slots */
    uint32_t slots[2 * CANONICAL_POSITIONS]; /* the first 0, 1, 2, ... positions of each block */
    uint8_t rank[CANONICAL_COLOURS];         /* which of the unseen colours, NONE: seen */
    uint8_t fresh[CANONICAL_COLOURS];        /* the unseen colours */
    /* Rows. Together: moves, for each block the block that comes there, then what each seen colour becomes, then
     * what became it. Separate: for each position the names of its colours, then the smallest colour of each name. */
    uint8_t *rows;
    Arena *arena;                            /* where all of it is */
    int failed;                              /* no memory */
} Stabiliser;

static int canonical_row(const Stabiliser *s) {
    return s->separate ? 2 * s->colours : s->blocks + 2 * s->colours;
}

/* Blocks are numbered by their first positions; columns: length bytes a position. */
static void canonical_blocks(Stabiliser *s, const uint8_t *columns, int length, uint8_t *first) {
    uint8_t last[CANONICAL_POSITIONS], block[CANONICAL_POSITIONS];
    for (int i = 0; i < s->positions; i++) {
        int b = 0;
        while (b < s->blocks && memcmp(columns + (size_t)first[b] * length, columns + (size_t)i * length, length)) b++;
        block[i] = (uint8_t)b;
        if (b == s->blocks) first[s->blocks++] = (uint8_t)i;
        else s->later[last[b]] = (uint8_t)i;
        last[b] = (uint8_t)i;
        s->size[b]++;
    }
    for (int b = 0, at = 0; b < s->blocks; at += s->size[b++] + 1) {
        s->start[b] = (uint8_t)at;
        s->slots[at] = 0;
        s->size[b] = 0;
        for (int i = first[b]; i < s->positions; i++) {
            if (block[i] != b) continue;
            s->slots[at + s->size[b] + 1] = s->slots[at + s->size[b]] | (uint32_t)1 << (31 - i);
            s->size[b]++;
        }
    }
}

typedef struct {
    Stabiliser *s;
    const uint8_t *columns, *first;
    int length, steps;
    uint32_t used;
    uint8_t *move;   /* the row under construction */
    uint8_t *named;  /* seen colours in the order of their renaming, to take it back */
    int names;
} CanonicalSearch;

static int canonical_keep(CanonicalSearch *search) {
    Stabiliser *s = search->s;
    int row = canonical_row(s);
    if (s->moves == CANONICAL_MOVES) return 0;
    if (s->moves == s->room) {
        int room = s->room ? 4 * s->room : 4;
        uint8_t *rows = arena_take(s->arena, (size_t)room * row);
        if (!rows) {
            s->failed = 1;
            return 0;
        }
        if (s->moves) memcpy(rows, s->rows, (size_t)s->moves * row);
        s->rows = rows;
        s->room = room;
    }
    memcpy(s->rows + (size_t)row * s->moves++, search->move, row);
    return 1;
}

/* List every way to fill blocks target.. with blocks whose colours can be renamed to theirs in all guesses; the
 * identity comes first. 0: too many. */
static int canonical_moves(CanonicalSearch *search, int target) {
    Stabiliser *s = search->s;
    uint8_t *rename = search->move + s->blocks, *back = rename + s->colours;
    if (target == s->blocks) return canonical_keep(search);
    const uint8_t *to = search->columns + (size_t)search->first[target] * search->length;
    for (int source = 0; source < s->blocks; source++) {
        if (search->used >> source & 1 || s->size[source] != s->size[target]) continue;
        const uint8_t *from = search->columns + (size_t)search->first[source] * search->length;
        int names = search->names, t = 0, going = 1;
        for (; t < search->length; t++) {
            if (rename[from[t]] == CANONICAL_NONE && back[to[t]] == CANONICAL_NONE) {
                rename[from[t]] = to[t];
                back[to[t]] = from[t];
                search->named[search->names++] = from[t];
            } else if (rename[from[t]] != to[t]) {
                break;
            }
        }
        if (t == search->length) {
            if (++search->steps > CANONICAL_STEPS) return 0;
            search->move[target] = (uint8_t)source;
            search->used |= (uint32_t)1 << source;
            going = canonical_moves(search, target + 1);
            search->used &= ~((uint32_t)1 << source);
        }
        while (search->names > names) {
            uint8_t colour = search->named[--search->names];
            back[rename[colour]] = CANONICAL_NONE;
            rename[colour] = CANONICAL_NONE;
        }
        if (!going) return 0;
    }
    return 1;
}

/* One renaming for all positions. 0: only the identity is left. */
static int canonical_together(Stabiliser *s, const uint8_t *columns, int length) {
    uint8_t first[CANONICAL_POSITIONS];
    uint8_t move[CANONICAL_POSITIONS + 2 * CANONICAL_COLOURS], named[CANONICAL_COLOURS];
    CanonicalSearch search = {.s = s, .columns = columns, .first = first, .length = length,
                              .move = move, .named = named};
    canonical_blocks(s, columns, length, first);
    memset(s->rank, 0, s->colours);
    for (int i = 0; i < s->positions * length; i++) s->rank[columns[i]] = CANONICAL_NONE;
    for (int c = 0; c < s->colours; c++) {
        if (s->rank[c] == CANONICAL_NONE) continue;
        s->fresh[s->unseen] = (uint8_t)c;
        s->rank[c] = (uint8_t)s->unseen++;
    }
    memset(move, CANONICAL_NONE, s->blocks + 2 * (size_t)s->colours);
    if (!canonical_moves(&search, 0)) {
        if (s->failed) return 0;
        s->moves = 1; /* too many to try on every code: order in blocks and unseen colours must do */
    }
    return s->moves > 1 || s->unseen > 1 || s->blocks < s->positions;
}

/* A renaming for each position: columns count up to renaming, so they are renamed by first occurrence. */
static int canonical_separate(Stabiliser *s, uint8_t *columns, int length) {
    uint8_t first[CANONICAL_POSITIONS];
    int row = canonical_row(s), some_unseen = 0;
    s->rows = arena_take(s->arena, (size_t)s->positions * row);
    if (!s->rows) {
        s->failed = 1;
        return 0;
    }
    for (int i = 0; i < s->positions; i++) {
        uint8_t *name = s->rows + (size_t)i * row, *colour = name + s->colours;
        int names = 0;
        memset(name, CANONICAL_NONE, row);
        for (int t = 0; t < length; t++) {
            uint8_t c = columns[(size_t)i * length + t];
            if (name[c] == CANONICAL_NONE) {
                colour[names] = c;
                name[c] = (uint8_t)names++;
            }
            columns[(size_t)i * length + t] = name[c];
        }
        for (int c = s->colours - 1; c >= 0; c--) {
            if (name[c] != CANONICAL_NONE) continue;
            name[c] = (uint8_t)names; /* all unseen colours share a name */
            colour[names] = (uint8_t)c;
        }
        if (s->colours - names > 1) some_unseen = 1;
    }
    canonical_blocks(s, columns, length, first);
    return some_unseen || s->blocks < s->positions;
}

/* Write what fixes the history, or NULL when that is the identity alone (or the code is too long); 0: no memory. All
 * of it is in the arena. digits: codes, a row each; history: rows. separate: colours are renamed at each position on
 * its own. When too many moves are left, only the order in blocks and the renaming of unseen colours are used. */
static int stabiliser_new(Arena *arena, const uint8_t *digits, int positions, int colours, int separate,
                          const int32_t *history, int length, Stabiliser **out) {
    *out = NULL;
    if (positions < 1 || positions > CANONICAL_POSITIONS || colours > CANONICAL_COLOURS) return 1;
    Stabiliser *s = arena_take(arena, sizeof *s);
    uint8_t *columns = s ? arena_take(arena, (size_t)positions * length + 1) : NULL;
    if (!columns) return 0;
    memset(s, 0, sizeof *s);
    s->positions = positions;
    s->colours = colours;
    s->separate = separate;
    s->arena = arena;
    for (int t = 0; t < length; t++)
        for (int i = 0; i < positions; i++)
            columns[(size_t)i * length + t] = digits[(size_t)history[t] * positions + i];
    int some = separate ? canonical_separate(s, columns, length) : canonical_together(s, columns, length);
    if (some) *out = s;
    return !s->failed;
}

/* Blocks of one position each: the image is read off position by position, unseen colours named as they come. */
static int canonical_smaller_single(const Stabiliser *s, const uint8_t *move, const uint8_t *code) {
    const uint8_t *rename = move + s->blocks;
    uint8_t named[CANONICAL_POSITIONS];
    int names = 0;
    for (int i = 0; i < s->positions; i++) {
        uint8_t colour = code[move[i]], image = rename[colour];
        if (image == CANONICAL_NONE) {
            int j = 0;
            while (j < names && named[j] != colour) j++;
            if (j == names) named[names++] = colour;
            image = s->fresh[j];
        }
        if (image != code[i]) return image < code[i];
    }
    return 0;
}

/* Where the pegs of one colour end up: the first free positions of each block. */
static uint32_t canonical_place(const Stabiliser *s, const uint8_t *move, uint32_t pegs, const uint8_t *filled) {
    uint32_t placed = 0;
    for (int b = 0; b < s->blocks; b++) {
        int source = move[b];
        uint32_t own = pegs & s->slots[s->start[source] + s->size[source]];
        const uint32_t *slots = s->slots + s->start[b] + filled[b];
        if (own) placed |= slots[__builtin_popcount(own)] ^ slots[0];
    }
    return placed;
}

/* Is the smallest image under a move smaller than the code? at: positions of each colour of the code.
 *
 * The image is filled colour by colour, smallest first. The smallest unseen colour goes to the code's colour that
 * takes the earliest positions: exchanging the names of two colours changes each block first where the fuller one
 * goes on and the other has ended, and of these places the earliest decides. */
static int canonical_smaller(const Stabiliser *s, const uint8_t *move, const uint32_t *at) {
    const uint8_t *back = move + s->blocks + s->colours;
    uint8_t filled[CANONICAL_POSITIONS] = {0}, left[CANONICAL_POSITIONS];
    uint32_t open = ~(uint32_t)0 << (32 - s->positions), decided = 0;
    int smaller = 0, lefts = 0;
    for (int i = 0; i < s->unseen; i++)
        if (at[s->fresh[i]]) left[lefts++] = s->fresh[i];
    for (int c = 0; c < s->colours; c++) {
        uint32_t placed = 0, pegs = 0;
        if (s->rank[c] == CANONICAL_NONE) {
            pegs = at[back[c]];
            placed = canonical_place(s, move, pegs, filled);
        } else {
            int best = -1;
            for (int i = 0; i < lefts; i++) {
                uint32_t place = canonical_place(s, move, at[left[i]], filled);
                if (place > placed) {
                    placed = place;
                    best = i;
                }
            }
            if (best >= 0) {
                pegs = at[left[best]];
                left[best] = left[--lefts];
            }
        }
        uint32_t differ = placed ^ at[c];
        if (differ > decided && differ) {
            uint32_t place = (uint32_t)1 << (31 - __builtin_clz(differ));
            if (place > decided) {
                decided = place;
                smaller = (placed & place) != 0;
            }
        }
        open &= ~placed;
        if (decided ? !(open & ~(decided | (decided - 1))) : !open) break; /* nothing earlier can differ */
        for (int b = 0; b < s->blocks; b++) {
            int source = move[b];
            filled[b] += (uint8_t)__builtin_popcount(pegs & s->slots[s->start[source] + s->size[source]]);
        }
    }
    return smaller;
}

/* A block's names can be dealt to its positions in any order: is there a smaller colour for a position than its own,
 * by its own name or by that of a later position? What comes before is then unchanged. */
static int canonical_drops_separate(const Stabiliser *s, const uint8_t *code) {
    int row = canonical_row(s);
    for (int i = 0; i < s->positions; i++) {
        const uint8_t *colour = s->rows + (size_t)i * row + s->colours;
        int j = i;
        do {
            if (colour[s->rows[(size_t)j * row + code[j]]] < code[i]) return 1;
            j = s->later[j];
        } while (j);
    }
    return 0;
}

/* 1: an equivalent code is smaller (lexicographically). */
static int stabiliser_drops(const Stabiliser *s, const uint8_t *code) {
    if (s->separate) return canonical_drops_separate(s, code);
    int names = 0, single = s->blocks == s->positions;
    for (int i = 0; i < s->positions; i++) {
        uint8_t rank = s->rank[code[i]];
        if (s->later[i] && code[s->later[i]] < code[i]) return 1;
        if (rank == CANONICAL_NONE) continue;
        if (rank > names) return 1;
        names += rank == names;
    }
    /* The identity moves nothing; it is done with unless it matters which unseen colour fills a block first. */
    int from = single || names < 2, row = canonical_row(s);
    if (from >= s->moves) return 0;
    uint32_t at[CANONICAL_COLOURS];
    if (single) {
        for (int m = from; m < s->moves; m++)
            if (canonical_smaller_single(s, s->rows + (size_t)row * m, code)) return 1;
        return 0;
    }
    memset(at, 0, s->colours * sizeof *at);
    for (int i = 0; i < s->positions; i++) at[code[i]] |= (uint32_t)1 << (31 - i);
    for (int m = from; m < s->moves; m++)
        if (canonical_smaller(s, s->rows + (size_t)row * m, at)) return 1;
    return 0;
}

#endif
