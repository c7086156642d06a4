/* What a case says of the bytes and numbers that came: it holds, it does not, it was seen. */
#include "harness/run/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"

enum { SHOWN = 16, EXPECTATIONS = 3 }; /* bytes of a line of hex; wrong numbers that are described */

void ck_see(struct ck *t, const char *format, ...)
{
    struct ck_slot *r = t->bench->result;
    va_list args;

    t->bench->checks++;
    if (r->seen[0])
        ck_append(r->seen, sizeof r->seen, "; ");
    va_start(args, format);
    ck_append_list(r->seen, sizeof r->seen, format, args);
    va_end(args);
}

void ck_no_digest(struct ck *t)
{
    t->bench->no_digest = true;
}

/* The bytes as hex, with blanks between them: 3 characters for each, the NUL among them. */
static void hex(char out[SHOWN * 3], const unsigned char *bytes, size_t count)
{
    out[0] = 0;
    for (size_t i = 0; i < count && i < SHOWN; i++)
        snprintf(out + (i ? i * 3 - 1 : 0), 4, "%s%02x", i ? " " : "", bytes[i]);
}

/* Tells an engine that keeps what happens where these bytes, which are of a buffer, lie on it. */
static void tell_engine(const struct ck_bench *b, const unsigned char *got, const unsigned char *expected, size_t bytes)
{
    struct ck_engine *e = b->engine;

    for (size_t i = 0; i < b->region_count && e->ops->compared; i++) {
        const struct ck_region *r = &b->regions[i];
        const size_t whole = r->front + r->size + r->back;
        if (got >= r->image && got < r->image + whole)
            e->ops->compared(e, r->device + (uint64_t)(got - r->image), expected, bytes);
    }
}

/* Compares `bytes` bytes that lie `offset` bytes into their buffer. The first failure of a point is described. */
static bool compare(struct ck *t, const unsigned char *got, const unsigned char *expected, size_t offset, size_t bytes)
{
    char good[SHOWN * 3], bad[SHOWN * 3];
    size_t first = bytes, wrong = 0;

    t->bench->checks++;
    tell_engine(t->bench, got, expected, bytes);
    if (!memcmp(got, expected, bytes))
        return true;
    for (size_t i = 0; i < bytes; i++) {
        if (got[i] == expected[i])
            continue;
        if (!wrong)
            first = i;
        wrong++;
    }
    if (!t->bench->failures) {
        const size_t from = first - first % SHOWN, count = bytes - from < SHOWN ? bytes - from : SHOWN;
        hex(good, expected + from, count);
        hex(bad, got + from, count);
        ck_note(
            t, "first     byte %zu of the buffer; %zu of %zu bytes are wrong\nexpected  %06zx: %s\ngot       %06zx: %s",
            offset + first, wrong, bytes, offset + from, good, offset + from, bad);
    }
    t->bench->failures++;
    return false;
}

static void need_inside(struct ck *t, struct ck_buf b, size_t offset, size_t bytes)
{
    if (offset > b.size || bytes > b.size - offset)
        ck_broken(t, "a comparison of bytes %zu to %zu in a buffer of %zu", offset, offset + bytes, b.size);
}

bool ck_equal(struct ck *t, struct ck_buf got, const void *expected)
{
    return compare(t, got.host, expected, 0, got.size);
}

bool ck_equal_at(struct ck *t, struct ck_buf got, size_t offset, const void *expected, size_t bytes)
{
    need_inside(t, got, offset, bytes);
    return compare(t, got.host + offset, expected, offset, bytes);
}

void ck_starved(struct ck *t, size_t bytes)
{
    t->bench->result->starved = true;
    ck_broken(t, "out of memory for %zu bytes", bytes);
}

bool ck_filled(struct ck *t, struct ck_buf got, size_t offset, size_t bytes, unsigned char value)
{
    unsigned char *expected;
    bool held;

    need_inside(t, got, offset, bytes);
    expected = malloc(bytes ? bytes : 1);
    if (!expected)
        ck_starved(t, bytes);
    memset(expected, value, bytes);
    held = compare(t, got.host + offset, expected, offset, bytes);
    free(expected);
    return held;
}

bool ck_expect(struct ck *t, const char *what, uint64_t got, uint64_t expected)
{
    t->bench->checks++;
    if (got == expected)
        return true;
    t->bench->failures++;
    if (t->bench->failures <= EXPECTATIONS)
        ck_note(t, "expected  %s %llu (0x%llx)\ngot       %s %llu (0x%llx)", what, (unsigned long long)expected,
                (unsigned long long)expected, what, (unsigned long long)got, (unsigned long long)got);
    return false;
}
// SPDX-License-Identifier: Apache-2.0
