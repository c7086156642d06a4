/* The parts of points' names. */
#include "harness/records/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The variant's name after the last `mark`, or NULL: names of variants are words, so that text of a case that happens
 * to hold the mark is not taken for one. A name may begin with a digit: "~2^32-1", "!64B". */
static const char *variant(const char *point, char mark)
{
    const char *at = strrchr(point, mark);

    if (!at || !isalnum((unsigned char)at[1]))
        return NULL;
    for (const char *p = at + 1; *p; p++) {
        if (*p == '!' && mark == '~')
            break;
        if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_' && *p != '.' && *p != '#' && *p != '^')
            return NULL;
    }
    return at;
}

bool ck_point_is_mutant(const char *point)
{
    return variant(point, '!') != NULL;
}

bool ck_point_is_breach(const char *point)
{
    return variant(point, '~') != NULL;
}

static bool begins_axis(const char *p)
{
    size_t n = 0;

    while (isalnum((unsigned char)p[n]) || p[n] == '-' || p[n] == '_')
        n++;
    return n && p[n] == '=';
}

/* The comma after the value that begins at `from`, NULL where the value reaches to `end`. A comma ends a value where an
 * axis follows it; values may hold commas of their own. */
static const char *next_axis(const char *from, const char *end)
{
    const char *comma = memchr(from, ',', (size_t)(end - from));

    while (comma && !begins_axis(comma + 1))
        comma = memchr(comma + 1, ',', (size_t)(end - comma - 1));
    return comma;
}

/* Where the point's axes end. */
static const char *axes_end(const char *point)
{
    const char *mutant = variant(point, '!'), *breach = variant(point, '~');

    return breach ? breach : mutant ? mutant : point + strlen(point);
}

bool ck_point_axis_number(const char *point, size_t number, char *axis, char *value, size_t size)
{
    const char *const end = axes_end(point);
    const char *p = strchr(point, ':');

    while (p && p < end && number--)
        p = next_axis(p + 1, end);
    if (!p || p >= end || !begins_axis(p + 1))
        return false;
    const char *const equals = strchr(p, '='), *const next = next_axis(p + 1, end);
    snprintf(axis, size, "%.*s", (int)(equals - p - 1), p + 1);
    snprintf(value, size, "%.*s", (int)((next ? next : end) - equals - 1), equals + 1);
    return true;
}

bool ck_point_axis(const char *point, const char *axis, char *value, size_t size)
{
    const size_t length = strlen(axis);
    const char *const end = axes_end(point);
    const char *p = strchr(point, ':');

    value[0] = 0;
    while (p && p < end) {
        const char *next;

        p++;
        next = next_axis(p, end);
        if (!strncmp(p, axis, length) && p[length] == '=') {
            p += length + 1;
            snprintf(value, size, "%.*s", (int)((next ? next : end) - p), p);
            return true;
        }
        p = next;
    }
    return false;
}
// SPDX-License-Identifier: Apache-2.0
