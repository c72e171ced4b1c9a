/* What the checkers of certificates share: what a checker knows, messages, memory, files and their SHA-256, the words and
 * numbers of a certificate, names, the cells of CSV files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t Cost;
#define INF ((Cost)1 << 60)        /* more than any cost: it cannot be done */
#define BIGGEST 1000000000000000LL /* numbers in a file are at most this */
#define MAX_LABEL 4096             /* letters of a word in a file */
#define MAX_FILE ((size_t)1 << 31) /* bytes of a file */
#define MAX_NUMBER 100000          /* secrets or guesses */

#ifdef __GNUC__
#define HELPER static __attribute__((unused)) /* not every program needs it; `inline` is what is short and often called */
#else
#define HELPER static inline
#endif

#ifndef AT_TOKEN
#define AT_TOKEN(c) (void)0 /* what shows how far a certificate is read: page/progress.h */
#endif

typedef struct Block { struct Block *next, *last; } Block; /* what stands before memory that is taken; 16 bytes */

/* All that a checker knows. Whoever calls a part of it from another program begins with `start`, sets `stopped` (setjmp)
 * and the game, and lets go of the memory with `release`. */
typedef struct {
    jmp_buf stopped; /* where `stop` goes, with what it says */
    int status;
    char why[1024];
    Block blocks; /* a ring of all memory that is taken */

    const char *file_name; /* the certificate */
    char *text, *text_end;
    long line, lines; /* of the last token, of the next one */

    enum { MASTERMIND, BLACKPEG, BULLS, WORDLE, TABLE } kind; /* the game; see games.h */
    int secrets, guesses, pegs, colours, responses;
    int win, identify, candidates_only; /* win: the response that ends the game, or -1 */
    char **secret_text, **guess_text;
    int *secret_of, *guess_of;            /* which secret a guess is, which guess a secret is; or -1 */
    const uint8_t *of_guess, *of_secret;  /* the responses: rows of guesses, rows of secrets */
    size_t long_row, wide_row;            /* their lengths: so many secrets, so many guesses, rounded up to 64 */
    int planes;                           /* of masks of responses, 8 each; 0 when there are too many responses */
    const uint64_t *masks;                /* of each plane, a row for each secret: a byte for each guess */

    int rules;                      /* of what may be asked; see demands.h */
    uint64_t *of_words, *demands;   /* features of guesses; sets of features that were demanded, by their numbers */
    int *demand_at, demand_count;   /* a table of these numbers, and one more than the last */
    size_t demand_slots;

    struct Known **known; /* what is proved of sets, and found by looking ahead; see claims.h */
    size_t known_slots, known_count, known_bytes;
    long lemmas;

    struct Bounds *bounds; /* what the bounds of this checker need: by counting, by price, or by volume */
} Check;

/* ---- messages, memory, files -------------------------------------------------------------------------------- */

static void stop(Check *c, int status, const char *format, ...) { /* does not return */
    va_list list;
    va_start(list, format);
    vsnprintf(c->why, sizeof c->why, format, list);
    va_end(list);
    c->status = status;
    longjmp(c->stopped, 1);
}

HELPER void start(Check *c) { c->blocks = (Block){&c->blocks, &c->blocks}; } /* no memory is taken */

static void *changed(Check *c, void *memory, size_t bytes) { /* memory of another size, or new: NULL */
    Block *old = memory ? (Block *)memory - 1 : NULL, *next = old ? old->next : &c->blocks;
    Block *last = old ? old->last : c->blocks.last, *fresh = realloc(old, sizeof *fresh + bytes);
    if (!fresh) stop(c, 2, "out of memory: %zu bytes", bytes);
    fresh->next = next, fresh->last = last;
    next->last = last->next = fresh;
    return fresh + 1;
}

static void *take(Check *c, size_t count, size_t size) { /* memory, all 0 */
    if (size && count > (SIZE_MAX - sizeof(Block)) / size) stop(c, 2, "out of memory: %zu times %zu bytes", count, size);
    Block *fresh = calloc(1, sizeof *fresh + count * size);
    if (!fresh) stop(c, 2, "out of memory: %zu times %zu bytes", count, size);
    *fresh = (Block){&c->blocks, c->blocks.last};
    fresh->next->last = fresh->last->next = fresh;
    return fresh + 1;
}

static void give(void *memory) {
    if (!memory) return;
    Block *block = (Block *)memory - 1;
    block->next->last = block->last, block->last->next = block->next;
    free(block);
}

HELPER void release(Check *c) { while (c->blocks.next != &c->blocks) give(c->blocks.next + 1); }

static char *slurp(Check *c, const char *name, size_t *length) { /* a whole file, ended by a byte 0; NULL: there is none */
    FILE *file = fopen(name, "rb");
    if (!file) return NULL;
    size_t room = 1 << 16, got;
    char *text = take(c, room + 1, 1);
    for (*length = 0; (got = fread(text + *length, 1, room - *length, file)) > 0;)
        if ((*length += got) == room) {
            if (room >= MAX_FILE) stop(c, 2, "%s: %zu bytes and more are too many", name, room);
            text = changed(c, text, (room *= 2) + 1);
        }
    int failed = ferror(file);
    fclose(file);
    if (failed) stop(c, 2, "%s: cannot be read", name);
    text[*length] = 0;
    return text;
}

static inline uint32_t turn(uint32_t x, int by) { return x >> by | x << (32 - by); }

static void sha256(const char *text, size_t length, char hex[65]) { /* FIPS 180-4 */
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
        0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
        0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
        0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
        0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
        0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
        0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t blocks = (length + 8) / 64 + 1;
    for (size_t block = 0; block < blocks; block++) {
        uint32_t w[64] = {0}, v[8];
        for (size_t i = 0; i < 64; i++) {
            size_t at = block * 64 + i;
            uint32_t byte = at < length ? (unsigned char)text[at] : at == length ? 0x80 : 0;
            if (at >= blocks * 64 - 8) byte = (uint32_t)((uint64_t)length * 8 >> 8 * (blocks * 64 - 1 - at)) & 255;
            w[i / 4] |= byte << (24 - 8 * (i % 4));
        }
        for (int i = 16; i < 64; i++) {
            uint32_t a = w[i - 15], b = w[i - 2];
            w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
        }
        memcpy(v, h, sizeof v);
        for (int i = 0; i < 64; i++) {
            uint32_t a = v[0], e = v[4], t = v[7] + k[i] + w[i], u;
            t += (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & v[5]) ^ (~e & v[6]));
            u = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
            memmove(v + 1, v, 7 * sizeof *v);
            v[4] += t, v[0] = t + u;
        }
        for (int i = 0; i < 8; i++) h[i] += v[i];
    }
    for (int i = 0; i < 8; i++) sprintf(hex + 8 * i, "%08lx", (unsigned long)h[i]);
}

/* ---- tokens ------------------------------------------------------------------------------------------------- */

static inline int blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static char *token(Check *c) { /* the next one, ended by a byte 0; "" at the end of the file */
    static char none[1];
    char *text = c->text, *end = c->text_end;
    AT_TOKEN(c);
    for (; text < end && blank(*text); text++) c->lines += *text == '\n';
    c->line = c->lines, c->text = text;
    if (text == end) return none;
    char *start = text;
    while (text < end && !blank(*text)) text++;
    if (text - start > MAX_LABEL) stop(c, 1, "a word of more than %d letters", MAX_LABEL);
    if (text < end) c->lines += *text == '\n', *text++ = 0;
    c->text = text;
    return start;
}

static void open_certificate(Check *c, const char *name) {
    size_t length;
    c->file_name = name;
    char *text = c->text = slurp(c, name, &length);
    if (!text) stop(c, 2, "%s: cannot be read", name);
    c->text_end = text + length;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] > 126 || (text[i] < ' ' && !blank(text[i]))) stop(c, 1, "byte %zu is no ASCII text", i);
    const char *word = token(c);
    if (strcmp(word, "guesstree-proof/1")) stop(c, 1, "%.40s: the file begins with guesstree-proof/1", word);
}

/* A whole program: the status with which it ends. `judge` reads the certificate that the command names, behind its first
 * word, stops unless it is proved, and prints what it proves. */
HELPER int run(void judge(Check *c), int count, char **arguments) {
    static Check check;
    Check *c = &check;
    start(c), c->line = c->lines = 1;
    if (!setjmp(c->stopped)) {
        if (count != 2) stop(c, 2, "usage: gtverify FILE.proof");
        open_certificate(c, arguments[1]);
        judge(c);
        printf(" (%d guesses, %ld lemmas)\n", c->guesses, c->lemmas);
        c->status = fflush(stdout) ? 2 : 0;
    } else if (c->status == 1) fprintf(stderr, "%s:%ld: refused: %s\n", c->file_name, c->line, c->why);
    else fprintf(stderr, "gtverify: %s\n", c->why);
    release(c);
    return c->status;
}

static Cost number(Check *c, const char *word, Cost least, Cost most, const char *what) {
    Cost value = 0;
    const char *at = word;
    if (!*word) stop(c, 1, "nothing stands where %s is due", what);
    while (*at >= '0' && *at <= '9' && value <= BIGGEST / 10) value = value * 10 + (*at++ - '0');
    if (!*at && (*word != '0' || !word[1]) && value >= least && value <= most) return value; /* no zeros before it */
    stop(c, 1, "%s %.40s: a number of %lld to %lld is due", what, word, (long long)least, (long long)most);
    return 0;
}

HELPER Cost bound_of(Check *c, const char *word, Cost most) {
    return strcmp(word, "inf") ? number(c, word, 0, most, "the bound") : INF;
}

HELPER char *written(Check *c, Cost bound) { /* as a file has it */
    char *to = take(c, 24, 1);
    if (bound < INF) snprintf(to, 24, "%lld", (long long)bound);
    return bound < INF ? to : strcpy(to, "inf");
}

static inline Cost plus(Cost a, Cost b) { return a >= INF || b >= INF ? INF : a + b; }

/* ---- names, and files beside the certificate ------------------------------------------------------------------ */

HELPER int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

HELPER int find(char **list, int count, const char *word) {
    char **at = bsearch(&word, list, (size_t)count, sizeof *list, by_text);
    return at ? (int)(at - list) : -1;
}

HELPER char *beside(Check *c, const char *name, const char *hash, size_t *length) { /* a file of the game, bound by its hash */
    const char *slash = strrchr(c->file_name, '/');
    size_t folder = slash ? (size_t)(slash - c->file_name) + 1 : 0;
    char *path = take(c, folder + strlen(name) + 1, 1), hex[65];
    if (strchr(name, '/')) stop(c, 1, "%.80s: the name of a file beside the certificate is due", name);
    memcpy(path, c->file_name, folder), strcpy(path + folder, name);
    char *content = slurp(c, path, length);
    if (!content) stop(c, 2, "%s: cannot be read", path);
    sha256(content, *length, hex);
    if (!strstr(hash, hex)) stop(c, 1, "%s: its SHA-256 is %s, not %s", name, hex, hash);
    if (!strncmp(content, "\xef\xbb\xbf", 3)) stop(c, 1, "%s: begins with a byte order mark, which others may skip", name);
    for (size_t i = 0; i < *length; i++)
        if (((unsigned char)content[i] < ' ' && content[i] != '\n') || content[i] == 127)
            stop(c, 1, "%s: byte %zu is %d: of control characters only line ends, 10, are taken", name, i, content[i]);
    give(path);
    return content;
}

HELPER char *open_table(Check *c, const char *hash, const char *name, char **end) { /* returns where its cells begin */
    size_t length;
    if (strlen(hash) != 64) stop(c, 1, "%.80s: a SHA-256 is 64 digits", hash);
    char *at = beside(c, name, hash, &length);
    *end = at + length - (length && at[length - 1] == '\n');
    return at;
}

HELPER void require_secrets(Check *c, const char *name) {
    if (c->secrets >= 1 && c->secrets <= MAX_NUMBER) return;
    stop(c, 1, "%s: %d secrets: 1 to %d are checked", name, c->secrets, MAX_NUMBER);
}

HELPER const char *name_of(Check *c, int g) { /* the guess as a certificate names it */
    if (g < 0) return "-";
    return c->kind == TABLE ? written(c, g + 1) : c->guess_text[g];
}

HELPER int is_cost(const char *head) { /* whether a column is about what guesses cost */
    return !strcmp(head, "cost") || !strncmp(head, "cost:", 5);
}

/* The next cell of a CSV file; *last: it ends its line. What another reader may take otherwise is refused: line ends in a
 * cell, blanks around it, and quotation marks but around the whole of it or, two for one, within such. */
HELPER char *cell(Check *c, char **at, char *end, int *last) {
    int quoted = *at < end && **at == '"';
    char *from = *at + quoted, *start = from, *write = from;
    while (from < end && *from != '\n' && (quoted || *from != ',')) {
        if (*from == '"' && (!quoted || *++from != '"')) { /* the mark that ends the cell, or one too many */
            quoted = 0;
            break;
        }
        *write++ = *from++;
    }
    if (quoted || (from < end && *from != ',' && *from != '\n')) stop(c, 1, "the table: a cell with an odd quotation mark");
    *last = from >= end || *from == '\n';
    *at = from < end ? from + 1 : end + 1;
    *write = 0;
    if (*start == ' ' || (write > start && write[-1] == ' ')) stop(c, 1, "the table: a blank at an end of '%.40s'", start);
    return start;
}
