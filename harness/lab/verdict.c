/* How a verdict is put together. */
#include "harness/lab/verdict.h"

#include <stdarg.h>
#include <string.h>

#include "harness/base/wrap.h"

enum { COLUMNS = 80 };

void lab_name(struct lab_verdict *v, const char *format, ...)
{
    char name[LAB_NAME];
    va_list args;

    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    for (unsigned i = 0; i < v->named_count; i++)
        if (!strcmp(v->named[i], name))
            return;
    if (v->named_count < LAB_NAMED)
        strcpy(v->named[v->named_count++], name);
}

void lab_fail(struct lab_verdict *v, enum lab_part part)
{
    v->parts[part] = LAB_WRONG;
    v->outcome = LAB_FAIL;
}

void lab_wrap(FILE *to, const char *label, unsigned indent, const char *text)
{
    fputs(label, to);
    ck_wrap(to, COLUMNS, strlen(label), indent, text);
}
// SPDX-License-Identifier: Apache-2.0
