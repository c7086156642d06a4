/* The one line that bad input gets. */
#include "harness/base/bad.h"

#include <stdarg.h>
#include <stdio.h>

int ck_bad(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fflush(stdout);
    fputs("copycheck: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return 2;
}
