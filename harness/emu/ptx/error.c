/* Where in the text an error is, for people. */
#include <stdio.h>
#include <string.h>

#include "harness/emu/ptx/ptx.h"

/* The beginning of a line, counted from 1; the end of the text if it has fewer. */
static const char *find_line(const char *text, size_t size, int line)
{
    const char *c = text, *const end = text + size;

    for (int n = 1; n < line && c < end; n++) {
        const char *newline = memchr(c, '\n', (size_t)(end - c));
        if (!newline)
            return end;
        c = newline + 1;
    }
    return c;
}

void ptx_error_source(struct ptx_error *e, const char *text, size_t size)
{
    enum { BEFORE = 100 }; /* characters of the line that are kept in front of the column */
    const char *const end = text + size, *const line = find_line(text, size, e->line);
    const char *at = line + (e->column > 0 ? e->column - 1 : 0);
    size_t n = 0;

    if (at > end)
        at = end;
    const char *const from = at - line > BEFORE ? at - BEFORE : line;
    for (; from + n < end && from[n] != '\n' && n < sizeof e->source - 1; n++) {
        const unsigned char c = (unsigned char)from[n];
        e->source[n] = (char)(c < 32 || c == 127 ? ' ' : c);
    }
    while (n && e->source[n - 1] == ' ')
        n--;
    e->source[n] = 0;
    e->caret = (int)(at - from) + 1;
}

void ptx_error_print(const struct ptx_error *error, const char *file, char *out, size_t size)
{
    int n = snprintf(out, size, "%s:%d:%d: error: %s\n", file, error->line, error->column, error->message);
    if (n > 0 && (size_t)n < size && error->source[0])
        snprintf(out + n, size - (size_t)n, "    %s\n    %*s^\n", error->source,
                 error->caret > 0 ? error->caret - 1 : 0, "");
}
// SPDX-License-Identifier: Apache-2.0
