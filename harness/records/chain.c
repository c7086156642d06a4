/* The sums at the ends of a record file's lines. */
#include "harness/records/chain.h"

#include <string.h>

static const char before[] = ",\"sum\":\"", after[] = "\"}";

enum { BEFORE = sizeof before - 1, DIGITS = 8, AFTER = sizeof after - 1, TAIL = BEFORE + DIGITS + AFTER };

static void digits_of(uint64_t chain, char digits[DIGITS])
{
    const uint32_t sum = (uint32_t)(chain ^ chain >> 32);

    for (int i = 0; i < DIGITS; i++)
        digits[i] = "0123456789abcdef"[sum >> (28 - 4 * i) & 0xF];
}

bool ck_chain_write(FILE *to, const char *text, size_t size, uint64_t *chain)
{
    char digits[DIGITS];

    *chain = fnv1a(*chain, text, size);
    digits_of(*chain, digits);
    fwrite(text, 1, size, to);
    fprintf(to, "%s%.*s%s\n", before, DIGITS, digits, after);
    return !ferror(to);
}

struct ck_sum ck_chain_read(const char *line, size_t size, uint64_t chain)
{
    const size_t text = size < TAIL ? size : size - TAIL;
    char digits[DIGITS];
    struct ck_sum sum = { .chain = chain };

    sum.there = size >= TAIL && !memcmp(line + text, before, BEFORE) && !memcmp(line + size - AFTER, after, AFTER);
    if (sum.there) {
        sum.chain = fnv1a(chain, line, text);
        digits_of(sum.chain, digits);
        sum.right = !memcmp(line + text + BEFORE, digits, DIGITS);
    }
    return sum;
}
// SPDX-License-Identifier: Apache-2.0
