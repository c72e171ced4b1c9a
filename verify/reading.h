/* What the checkers of certificates share that has nothing to do with games: messages, memory, files and their SHA-256,
 * the words and numbers of a certificate, names, the cells of CSV files. */
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

/* ---- messages, memory, files -------------------------------------------------------------------------------- */

static const char *file_name;
static long line = 1;

static void stop(int status, const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (status == 1) fprintf(stderr, "%s:%ld: refused: ", file_name, line);
    else fprintf(stderr, "gtverify: ");
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(status);
}

static void *take(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) stop(2, "out of memory: %zu times %zu bytes", count, size);
    return memory;
}

static char *slurp(const char *name, size_t *length) { /* a whole file, ended by a byte 0; NULL when there is none */
    FILE *file = fopen(name, "rb");
    if (!file) return NULL;
    size_t room = 1 << 16, got;
    char *text = take(room + 1, 1);
    for (*length = 0; (got = fread(text + *length, 1, room - *length, file)) > 0;)
        if ((*length += got) == room && (room >= MAX_FILE || !(text = realloc(text, (room *= 2) + 1))))
            stop(2, "%s: %zu bytes and more are too many", name, room);
    if (ferror(file)) stop(2, "%s: cannot be read", name);
    fclose(file);
    text[*length] = 0;
    return text;
}

static uint32_t turn(uint32_t x, int by) { return x >> by | x << (32 - by); }

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

static char *text, *text_end;

static int blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static char *token(void) { /* the next one, ended by a byte 0; "" at the end of the file */
    static char none[1];
    static long lines = 1; /* `line` stays at the last token */
    for (; text < text_end && blank(*text); text++) lines += *text == '\n';
    line = lines;
    if (text == text_end) return none;
    char *start = text;
    while (text < text_end && !blank(*text)) text++;
    if (text - start > MAX_LABEL) stop(1, "a word of more than %d letters", MAX_LABEL);
    if (text < text_end) lines += *text == '\n', *text++ = 0;
    return start;
}

static void begin(int count, char **arguments) { /* open the certificate that the command names */
    size_t length;
    if (count != 2) stop(2, "usage: gtverify FILE.proof");
    file_name = arguments[1];
    text = slurp(file_name, &length);
    if (!text) stop(2, "%s: cannot be read", file_name);
    text_end = text + length;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] > 126 || (text[i] < ' ' && !blank(text[i]))) stop(1, "byte %zu is no ASCII text", i);
    const char *word = token();
    if (strcmp(word, "guesstree-proof/1")) stop(1, "%.40s: the file begins with guesstree-proof/1", word);
}

static Cost number(const char *word, Cost least, Cost most, const char *what) {
    Cost value = 0;
    const char *c = word;
    if (!*word) stop(1, "nothing stands where %s is due", what);
    while (*c >= '0' && *c <= '9' && value <= BIGGEST / 10) value = value * 10 + (*c++ - '0');
    if (!*c && (*word != '0' || !word[1]) && value >= least && value <= most) return value; /* no zeros before it */
    stop(1, "%s %.40s: a number of %lld to %lld is due", what, word, (long long)least, (long long)most);
    return 0;
}

static inline Cost bound_of(const char *word, Cost most) {
    return strcmp(word, "inf") ? number(word, 0, most, "the bound") : INF;
}

static int accepted(int guesses, long lemmas) { /* ends the line of a file that is accepted; returns the status */
    printf(" (%d guesses, %ld lemmas)\n", guesses, lemmas);
    return fflush(stdout) ? 2 : 0;
}

static inline Cost plus(Cost a, Cost b) { return a >= INF || b >= INF ? INF : a + b; }

/* ---- names, and files beside the certificate ------------------------------------------------------------------ */

static inline int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static inline int find(char **list, int count, const char *word) {
    char **at = bsearch(&word, list, (size_t)count, sizeof *list, by_text);
    return at ? (int)(at - list) : -1;
}

static char *beside(const char *name, const char *hash, size_t *length) { /* a file of the game, bound by its hash */
    const char *slash = strrchr(file_name, '/');
    size_t folder = slash ? (size_t)(slash - file_name) + 1 : 0;
    char *path = take(folder + strlen(name) + 1, 1), hex[65];
    if (strchr(name, '/')) stop(1, "%.80s: the name of a file beside the certificate is due", name);
    memcpy(path, file_name, folder), strcpy(path + folder, name);
    char *content = slurp(path, length);
    if (!content) stop(2, "%s: cannot be read", path);
    sha256(content, *length, hex);
    if (!strstr(hash, hex)) stop(1, "%s: its SHA-256 is %s, not %s", name, hex, hash);
    if (!strncmp(content, "\xef\xbb\xbf", 3)) stop(1, "%s: begins with a byte order mark, which others may skip", name);
    for (size_t i = 0; i < *length; i++)
        if (((unsigned char)content[i] < ' ' && content[i] != '\n') || content[i] == 127)
            stop(1, "%s: byte %zu is %d: of control characters only line ends, 10, are taken", name, i, content[i]);
    free(path);
    return content;
}

static inline int is_cost(const char *head) { /* whether a column is about what guesses cost */
    return !strcmp(head, "cost") || !strncmp(head, "cost:", 5);
}

/* The next cell of a CSV file; *last: it ends its line. What another reader may take otherwise is refused: line ends in a
 * cell, blanks around it, and quotation marks but around the whole of it or, two for one, within such. */
static char *cell(char **at, char *end, int *last) {
    int quoted = *at < end && **at == '"';
    char *c = *at + quoted, *start = c, *write = c;
    while (c < end && *c != '\n' && (quoted || *c != ',')) {
        if (*c == '"' && (!quoted || *++c != '"')) { /* the mark that ends the cell, or one too many */
            quoted = 0;
            break;
        }
        *write++ = *c++;
    }
    if (quoted || (c < end && *c != ',' && *c != '\n')) stop(1, "the table: a cell with an odd quotation mark");
    *last = c >= end || *c == '\n';
    *at = c < end ? c + 1 : end + 1;
    *write = 0;
    if (*start == ' ' || (write > start && write[-1] == ' ')) stop(1, "the table: a blank at an end of '%.40s'", start);
    return start;
}
