/* How a verdict is put together. */
#include "harness/lab/verdict.h"

#include <stdarg.h>
#include <string.h>

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
    size_t column = strlen(label), n;
    bool first = true;

    fputs(label, to);
    for (; *text; text += n + strspn(text + n, " \n")) {
        n = strcspn(text, " \n");
        if (!first && column + 1 + n > COLUMNS) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            putc(' ', to);
            column++;
        }
        fwrite(text, 1, n, to);
        column += n;
        first = false;
    }
    putc('\n', to);
}
