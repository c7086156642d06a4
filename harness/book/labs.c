/* The labs whose kernels break a rule, and what GPUs have shown of these: from the keys below docs/labs of the sources,
 * and from the files labs-*.txt of the folder of records (copycheck lab check --record). */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folder.h"
#include "harness/base/room.h"
#include "harness/base/text.h"
#include "harness/book/parts.h"

enum { KEY_COLUMNS = 3, SEEN_COLUMNS = 5 }; /* that are read */

static int is_lab(const struct dirent *e)
{
    return *e->d_name == 'L' && strchr(e->d_name, '-') != NULL;
}

static int is_lab_record(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');

    return !strncmp(e->d_name, "labs-", strlen("labs-")) && dot && !strcmp(dot, ".txt");
}

/* The lines of a text, one after another; each is ended by a NUL in it. NULL: there is none left. */
static char *next_line(char **at)
{
    char *line = *at;
    const size_t n = strcspn(line, "\n");

    if (!*line)
        return NULL;
    *at = line + n + (line[n] != 0);
    line[n] = 0;
    return line;
}

static bool take_key(struct book_labs *labs, const char *sources, const char *folder)
{
    char path[4096], *text, *line;
    bool held = true;

    snprintf(path, sizeof path, "%s/docs/labs/%s/key", sources, folder);
    text = ck_text_load(path, NULL);
    for (char *at = text; text && held && (line = next_line(&at)) != NULL;) {
        struct book_lab *all = ck_room(labs->all, labs->count, &labs->room, 64, sizeof *all);
        struct book_lab x = { "" };
        held = all != NULL;
        if (!held)
            break;
        labs->all = all;
        snprintf(x.lab, sizeof x.lab, "%.*s", (int)strcspn(folder, "-"), folder);
        if (sscanf(line, "%99s %15s %79s", x.file, x.verdict, x.named) == KEY_COLUMNS && *x.file != '#')
            all[labs->count++] = x;
    }
    free(text);
    return held;
}

static bool take_record(struct book_labs *labs, const char *folder, const char *name)
{
    static const char head[] = "# What an ";
    char path[4096], device[100] = "", *text, *line;
    bool held = true;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    text = ck_text_load(path, NULL);
    for (char *at = text; text && held && (line = next_line(&at)) != NULL;) {
        struct book_lab_seen *all = ck_room(labs->seen, labs->seen_count, &labs->seen_room, 64, sizeof *all);
        struct book_lab_seen x = { "" };
        const char *end = strstr(line, " shows of ");
        held = all != NULL;
        if (!held)
            break;
        labs->seen = all;
        if (!strncmp(line, head, strlen(head)) && end)
            snprintf(device, sizeof device, "%.*s", (int)(end - line - (int)strlen(head)), line + strlen(head));
        snprintf(x.device, sizeof x.device, "%s", device);
        if (*line != '#' &&
            sscanf(line, "%7s %99s %*s %*s %15s %u %u", x.lab, x.file, x.seen, &x.right, &x.runs) == SEEN_COLUMNS)
            all[labs->seen_count++] = x;
    }
    free(text);
    return held;
}

/* Calls `take` for each of the folder's entries that `which` is true of. A folder that is not there has none. */
static bool each(const char *folder, int (*which)(const struct dirent *), struct book_labs *labs, const char *root,
                 bool (*take)(struct book_labs *labs, const char *root, const char *name))
{
    struct dirent **names = NULL;
    const int count = ck_folder_list(folder, which, &names);
    bool held = true;

    for (int i = 0; i < count; i++) {
        held = held && take(labs, root, names[i]->d_name);
        free(names[i]);
    }
    free(names);
    return held;
}

bool book_labs_read(struct book_labs *labs, const char *sources, const char *recorded)
{
    char folder[4096];

    *labs = (struct book_labs){ 0 };
    snprintf(folder, sizeof folder, "%s/docs/labs", sources);
    return each(folder, is_lab, labs, sources, take_key) && each(recorded, is_lab_record, labs, recorded, take_record);
}

void book_labs_free(struct book_labs *labs)
{
    free(labs->all);
    free(labs->seen);
    *labs = (struct book_labs){ 0 };
}

/* What the GPU has shown of a file, in words. */
static void tell_seen(FILE *to, const struct book_lab_seen *s)
{
    fputs(" On the ", to);
    book_text(to, s->device);
    if (!strcmp(s->seen, "right"))
        fprintf(to, " the bytes were right in all of %u launches: it does not show the mistake.", s->runs);
    else if (!strcmp(s->seen, "luck") || !strcmp(s->seen, "wrong"))
        fprintf(to, " the bytes were wrong in %u of %u launches.", s->runs - s->right, s->runs);
    else
        fputs(!strcmp(s->seen, "fault")     ? " a launch ended with an error."
              : !strcmp(s->seen, "hang")    ? " a launch had no end."
              : !strcmp(s->seen, "refused") ? " the driver refused it."
                                            : " it was not launched.",
              to);
}

void book_labs_part(FILE *to, const struct book *book, const char *rule)
{
    const struct book_labs *labs = &book->labs;
    bool any = false;

    for (size_t i = 0; i < labs->count; i++) {
        const struct book_lab *x = &labs->all[i];
        bool seen = false;
        if (strcmp(x->named, rule) != 0)
            continue;
        if (!any)
            fputs("<h2>In the labs</h2>\n<p>Kernels of the labs (<code>copycheck lab list</code>) that break it on the "
                  "emulator, and what a GPU has shown of them:</p>\n<ul>\n",
                  to);
        any = true;
        fprintf(to, "<li>%s, <code>%s</code>:", x->lab, x->file);
        for (size_t k = 0; k < labs->seen_count; k++)
            if (!strcmp(labs->seen[k].lab, x->lab) && !strcmp(labs->seen[k].file, x->file)) {
                tell_seen(to, &labs->seen[k]);
                seen = true;
            }
        fputs(seen ? "</li>\n" : " no GPU has been recorded.</li>\n", to);
    }
    fputs(any ? "</ul>\n" : "", to);
}
// SPDX-License-Identifier: Apache-2.0
