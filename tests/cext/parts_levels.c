/* Counts parts and looks for separating columns with all that this processor has, and compares. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

#define MOST_WIDTH 256
#define MOST_ROWS 300

static uint8_t table[MOST_ROWS][MOST_WIDTH];
static const uint8_t *rows[MOST_ROWS];
static uint64_t state = 1;

static uint32_t dice(uint32_t sides) {      /* splitmix64 (Steele, Lea, Flood 2014) */
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) >> 32) % sides;
}

static int first_largest(const uint8_t *parts, int width) {
    int best = 0;
    for (int j = 1; j < width; j++) if (parts[j] > parts[best]) best = j;
    return best;
}

static int compare(int level, int responses) {
    int width = 32 * (1 + (int)dice(MOST_WIDTH / 32)), n = 1 + (int)dice(dice(4) ? 24 : MOST_ROWS);
    int numbered = responses > PARTS_MOST && dice(2), few = 1 + (int)dice((uint32_t)responses);
    uint8_t reach[MOST_WIDTH / 32], right[MOST_WIDTH], found[MOST_WIDTH];
    memset(reach, 0, sizeof reach);
    memset(found, 0xaa, sizeof found);
    for (int i = 0; i < n; i++) {
        rows[i] = table[i];
        for (int j = 0; j < width; j++) {
            table[i][j] = (uint8_t)(dice(8) ? dice((uint32_t)few) : (uint32_t)(i % few));
            if (table[i][j] > reach[j / 32]) reach[j / 32] = table[i][j];
        }
    }
    if (n > 255) n = 255;
    parts_portable(rows, n, width, right);
    parts_of_columns(rows, n, width, responses, numbered ? reach : NULL, 0, level, found);
    if (memcmp(right, found, (size_t)width)) return printf("level %d: %d rows, %d columns\n", level, n, width);
    int enough = 1 + (int)dice((uint32_t)n), most = first_largest(right, width);
    parts_of_columns(rows, n, width, responses, numbered ? reach : NULL, enough, level, found);
    for (int j = 0; j < width && right[most] > enough; j++)
        if ((found[j] == right[most]) != (right[j] == right[most]) || found[j] > right[most])
            return printf("level %d: %d parts of %d rows, enough %d\n", level, right[most], n, enough);
    if (n > 1 && separating_column(rows, n, width, responses, level) != separating_portable(rows, n, width))
        return printf("level %d: no such column separates %d rows\n", level, n);
    return 0;
}

int main(void) {
    for (int level = 0; level <= parts_simd(); level++)
        for (int responses = 2; responses <= 256; responses++)
            for (int i = 0; i < 40; i++)
                if (compare(level, responses)) return 1;
    printf("levels 0 to %d agree\n", parts_simd());
    return 0;
}
