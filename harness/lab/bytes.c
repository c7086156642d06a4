/* The bytes that a launch has left. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/lab/judging.h"

/* Whether a word is likely to be a float: one of a usual size. */
static bool is_float(uint32_t word)
{
    float f;

    memcpy(&f, &word, sizeof f);
    return fabsf(f) >= 1e-4F && fabsf(f) < 1e7F;
}

/* Whether n bytes of a buffer, up to 4, are as they should be. */
static bool same(const struct lab_buffer *b, const unsigned char *want, const unsigned char *got, size_t n)
{
    float x, y;

    if (!memcmp(want, got, n))
        return true;
    if (b->tolerance <= 0 || n < sizeof x)
        return false;
    memcpy(&x, want, sizeof x);
    memcpy(&y, got, sizeof y);
    return fabsf(x - y) <= b->tolerance * fabsf(x);
}

/* The first wrong word of a buffer in words. */
static void describe(const struct lab_buffer *b, size_t at, const unsigned char *got, size_t n, char *first,
                     size_t room)
{
    uint32_t x = 0, y = 0;
    float fx, fy;

    memcpy(&x, b->expected + at, n);
    memcpy(&y, got + at, n);
    memcpy(&fx, &x, sizeof fx);
    memcpy(&fy, &y, sizeof fy);
    const bool floats = n == sizeof x && is_float(x ? x : y);
    *first = 0;
    ck_append(first, room, "%s %zu (", floats ? "float" : "word", at / 4);
    if (b->columns)
        ck_append(first, room, "row %zu, column %zu, ", at / 4 / b->columns, at / 4 % b->columns);
    ck_append(first, room, "bytes %zu to %zu) of %s: ", at, at + n - 1, b->name);
    if (floats)
        ck_append(first, room, "expected %g, got %g", (double)fx, (double)fy);
    else
        ck_append(first, room, "expected 0x%08x, got 0x%08x", x, y);
    if (b->in)
        ck_append(first, room, " (the kernel is only to read it)");
}

/* Which of `count` rows or columns are wrong, as ranges. */
static void put_ranges(const bool *wrong, size_t count, const char *what, char *out, size_t room)
{
    enum { RANGES = 3 };
    unsigned ranges = 0;
    size_t total = 0;

    for (size_t i = 0; i < count; i++)
        total += wrong[i];
    ck_append(out, room, "%s%s", what, total == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        size_t last = i;
        if (!wrong[i])
            continue;
        while (last + 1 < count && wrong[last + 1])
            last++;
        if (ranges++ == RANGES) {
            ck_append(out, room, " ...");
            return;
        }
        ck_append(out, room, last > i ? "%s %zu to %zu" : "%s %zu", ranges > 1 ? "," : "", i, last);
        i = last;
    }
}

/* Whether three of four wrong words hold what belongs so many words further on. */
static bool is_shifted(const struct lab_buffer *b, const unsigned char *got, long by)
{
    const long count = (long)(b->size / 4);
    long seen = 0, all = 0;

    for (long i = 0; i < count; i++) {
        if (same(b, b->expected + 4 * i, got + 4 * i, 4))
            continue;
        all++;
        seen += i + by >= 0 && i + by < count && same(b, b->expected + 4 * (i + by), got + 4 * i, 4);
    }
    return seen > 8 && 4 * seen >= 3 * all;
}

/* How much is wrong, and where: what a pattern of wrong words says of the mistake. */
static void describe_all(const struct lab_buffer *b, const unsigned char *got, char *out, size_t room)
{
    enum { FAR = 64 };
    const size_t count = b->size / 4, columns = b->columns ? b->columns : 1, rows = (count + columns - 1) / columns;
    bool *row = calloc(rows + columns, sizeof *row), *column = row + rows;
    size_t wrong = 0;
    long by = 0;

    for (size_t i = 0; row && i < count; i++) {
        if (same(b, b->expected + 4 * i, got + 4 * i, 4))
            continue;
        wrong++;
        row[i / columns] = column[i % columns] = true;
    }
    if (wrong > 1) {
        ck_append(out, room, "; wrong are %zu of %zu words", wrong, count);
        if (b->columns) {
            ck_append(out, room, ": ");
            put_ranges(row, rows, "row", out, room);
            ck_append(out, room, " and ");
            put_ranges(column, columns, "column", out, room);
        }
        for (long k = 1; k <= FAR && !by; k++)
            by = is_shifted(b, got, k) ? k : is_shifted(b, got, -k) ? -k : 0;
        if (by)
            ck_append(out, room, "; most hold what belongs %ld %s", by > 0 ? by : -by,
                      by > 0 ? "further on" : "further back");
    }
    free(row);
}

bool lab_buffer_right(const struct lab_buffer *b, const unsigned char *got, char *first, size_t room)
{
    for (size_t at = 0, n; b->expected && at < b->size; at += n) {
        n = b->size - at < 4 ? b->size - at : 4;
        if (!same(b, b->expected + at, got + at, n)) {
            if (!*first) {
                describe(b, at, got, n, first, room);
                describe_all(b, got, first, room);
            }
            return false;
        }
    }
    return true;
}

/* Compares all buffers; those of the first launch are kept for the next step. */
bool lab_bytes_right(struct lab_judging *j, const struct check_launched *launched)
{
    struct lab_launch *l = j->launch;
    bool right = true;

    for (unsigned i = 0; i < l->buffer_count && right; i++) {
        const struct lab_buffer *b = &l->buffers[i];
        unsigned char *got = malloc(b->size + 1);
        right = got && emu_read(launched->machine, got, launched->at[b->arg], b->size) &&
                lab_buffer_right(b, got, j->first, sizeof j->first);
        if (!l->left[i])
            l->left[i] = got;
        else
            free(got);
    }
    return right;
}
// SPDX-License-Identifier: Apache-2.0
