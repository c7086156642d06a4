/* The one line that bad input gets. */
#include "harness/base/bad.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/clean.h"

enum { LINE = 16384 };

static _Thread_local char *kept;
static _Thread_local size_t kept_size;

void ck_bad_keep(char *line, size_t size)
{
    kept = line;
    kept_size = size;
    if (line && size)
        *line = 0;
}

bool ck_bad_is_kept(void)
{
    return kept != NULL;
}

/* Names and arguments in the line are somebody else's: none of them may paint over it. */
static void say(const char *format, va_list args)
{
    char line[LINE];

    vsnprintf(line, sizeof line, format, args);
    ck_clean(line, false);
    if (kept) {
        if (!*kept)
            snprintf(kept, kept_size, "%s", line);
        return;
    }
    fflush(stdout);
    fprintf(stderr, "copycheck: %s\n", line);
}

int ck_bad(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(format, args);
    va_end(args);
    return 2;
}

bool ck_wrong(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(format, args);
    va_end(args);
    return false;
}

_Noreturn void ck_no_memory(void)
{
    exit(ck_bad("out of memory"));
}
// SPDX-License-Identifier: Apache-2.0
