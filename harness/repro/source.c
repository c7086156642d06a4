/* A kernel's source with its headers in one file. */
#include "harness/repro/source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/program.h"
#include "harness/base/text.h"

enum { HEADERS = 64, NAME = 128 };

struct source {
    FILE *to;
    char root[PATH_MAX]; /* the folder that kernels/ is in */
    char seen[HEADERS][NAME];
    size_t count;
};

/* Whether the header is written here: false where an earlier line has brought it. */
static bool is_new(struct source *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (!strcmp(s->seen[i], name))
            return false;
    if (s->count < HEADERS)
        snprintf(s->seen[s->count++], NAME, "%s", name);
    return true;
}

static bool has(const struct source *s, const char *name)
{
    char path[PATH_MAX + NAME];

    snprintf(path, sizeof path, "%s/%s", s->root, name);
    return !access(path, R_OK);
}

static void write_file(struct source *s, const char *name, unsigned depth)
{
    char path[PATH_MAX + NAME], header[NAME];
    char *text;

    snprintf(path, sizeof path, "%s/%s", s->root, name);
    text = ck_text_load(path, NULL);
    for (const char *p = text ? text : ""; *p;) {
        const size_t n = strcspn(p, "\n") + (strchr(p, '\n') != NULL);
        int used = 0;
        if (sscanf(p, " # include \"%127[^\"]\"%n", header, &used) == 1 && used && depth < HEADERS && has(s, header)) {
            if (is_new(s, header))
                write_file(s, header, depth + 1);
        } else {
            fwrite(p, 1, n, s->to);
        }
        p += n;
    }
    free(text);
}

bool source_write(const char *folder, const char *file)
{
    /* A build folder may be within another one, as build/sanitize is. */
    static const char *const above[] = { "..", "../.." };
    struct source *s = calloc(1, sizeof *s);
    char name[NAME], to[PATH_MAX];
    bool found = false, ok = true;

    if (!s)
        return false;
    snprintf(name, sizeof name, !strncmp(file, "listing_", 8) ? "kernels/listings/%s.cu" : "kernels/%s.cu",
             file + (strncmp(file, "listing_", 8) ? 0 : 8));
    for (size_t i = 0; !found && i < sizeof above / sizeof *above; i++) {
        snprintf(s->root, sizeof s->root, "%s/%s", ck_program_folder(), above[i]);
        found = has(s, name);
    }
    if (found) {
        snprintf(to, sizeof to, "%s/%s.kernel.cu", folder, file);
        s->to = fopen(to, "w");
        ok = s->to;
        if (ok) {
            write_file(s, name, 0);
            ok = fclose(s->to) == 0;
        }
    }
    free(s);
    return ok;
}
// SPDX-License-Identifier: Apache-2.0
