/* The one line that bad input gets. */
#include "harness/base/bad.h"

#include <stdarg.h>
#include <stdio.h>

static void say(const char *format, va_list args)
{
    fflush(stdout);
    fputs("copycheck: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
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
