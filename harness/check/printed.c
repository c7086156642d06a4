/* What a kernel prints, apart from what copycheck says of it. */
#include "harness/check/printed.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/clean.h"

enum { LINE = 4096 }; /* a longer line is put out in several */

struct printed {
    FILE *to;
    char line[LINE];
    size_t size;
};

static void put_line(struct printed *p)
{
    fputs("kernel: ", p->to);
    fwrite(p->line, 1, ck_clean_bytes(p->line, p->size, false), p->to);
    putc('\n', p->to);
    p->size = 0;
}

static ssize_t take(void *cookie, const char *bytes, size_t size)
{
    struct printed *p = cookie;

    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n' || p->size == LINE)
            put_line(p);
        if (bytes[i] != '\n')
            p->line[p->size++] = bytes[i] == '\t' ? ' ' : bytes[i];
    }
    return (ssize_t)size;
}

static int end(void *cookie)
{
    struct printed *p = cookie;

    if (p->size)
        put_line(p);
    free(p);
    return 0;
}

FILE *check_printed_open(FILE *to)
{
    struct printed *p = calloc(1, sizeof *p);
    FILE *stream = p ? fopencookie(p, "w", (cookie_io_functions_t){ .write = take, .close = end }) : NULL;

    if (!stream) {
        free(p);
        return NULL;
    }
    p->to = to;
    setvbuf(stream, NULL, _IONBF, 0); /* what is printed is out, however the run ends */
    return stream;
}
// SPDX-License-Identifier: Apache-2.0
