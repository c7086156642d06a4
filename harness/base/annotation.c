/* Annotations of pull requests on GitHub. */
#include "harness/base/annotation.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* `special`: characters that are written as % and two digits. */
static void put(FILE *to, const char *text, const char *special)
{
    for (; *text; text++)
        if (strchr(special, *text))
            fprintf(to, "%%%02X", (unsigned char)*text);
        else
            fputc(*text, to);
}

static void put_property(FILE *to, const char **before, const char *name, const char *text)
{
    fprintf(to, "%s%s=", *before, name);
    put(to, text, "%\r\n:,");
    *before = ",";
}

/* nvcc names files from the root; a repository does not: a file below this folder is named from here. */
static const char *from_here(const char *file)
{
    char here[PATH_MAX];
    const size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;

    return n > 1 && !strncmp(file, here, n) && file[n] == '/' ? file + n + 1 : file;
}

void ck_annotation_write(FILE *to, const struct ck_annotation *a)
{
    const char *before = " ";
    char number[16];

    fprintf(to, "::%s", a->kind);
    if (a->file)
        put_property(to, &before, "file", from_here(a->file));
    if (a->line) {
        snprintf(number, sizeof number, "%u", a->line);
        put_property(to, &before, "line", number);
    }
    if (a->line && a->column) {
        snprintf(number, sizeof number, "%u", a->column);
        put_property(to, &before, "col", number);
    }
    if (a->title && *a->title)
        put_property(to, &before, "title", a->title);
    fputs("::", to);
    put(to, a->message, "%\r\n");
    fputc('\n', to);
}
// SPDX-License-Identifier: Apache-2.0
