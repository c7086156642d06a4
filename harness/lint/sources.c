/* The lint of the cases' own text: a sentence above each run function, and variants that are asked for by their name.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/bad.h"
#include "harness/lint/lint.h"

enum { PATH = 1024, NAME = 96 };

/* A place that asks `ck_variant(t, "NAME")`, or ck_conforming (an empty name). */
struct question {
    char path[PATH], name[NAME];
    unsigned long line;
};

struct sources {
    struct ck_lint *l;
    const struct ck_suite *const *suites;
    struct question *questions;
    size_t count, room;
};

/* ---- which cases a file may ask about ---- */

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Whether the case stands in this file: its place is FILE:LINE. */
static bool in_file(const struct ck_case *c, const char *path)
{
    const size_t n = strlen(path);

    return !strncmp(c->at, path, n) && c->at[n] == ':';
}

static bool in_folder(const struct ck_case *c, const char *path)
{
    const size_t n = folder_length(path);

    return folder_length(c->at) == n && !strncmp(c->at, path, n);
}

static bool has_cases(const struct sources *s, const char *path)
{
    for (const struct ck_suite *const *suite = s->suites; *suite; suite++)
        for (const struct ck_case *c = (*suite)->cases; c->rule; c++)
            if (in_file(c, path))
                return true;
    return false;
}

/* The text of a file with cases speaks of these alone; a helper of the folder may speak of all its cases. */
static bool speaks_of(const struct sources *s, const char *path, const struct ck_case *c)
{
    return has_cases(s, path) ? in_file(c, path) : in_folder(c, path);
}

static bool has_variant(const struct ck_variant *v, const char *name)
{
    for (size_t i = 0; i < CK_VARIANTS && v[i].name; i++)
        if (!strcmp(v[i].name, name))
            return true;
    return false;
}

/* ---- reading ---- */

static void add_question(struct sources *s, const char *path, unsigned long line, const char *name, size_t length)
{
    if (s->count == s->room) {
        const size_t room = s->room ? s->room * 2 : 256;
        struct question *more = realloc(s->questions, room * sizeof *more);
        if (!more)
            ck_no_memory();
        s->questions = more;
        s->room = room;
    }
    snprintf(s->questions[s->count].path, PATH, "%s", path);
    snprintf(s->questions[s->count].name, NAME, "%.*s", (int)length, name);
    s->questions[s->count].line = line;
    s->count++;
}

static void find_questions(struct sources *s, const char *path, unsigned long number, const char *line)
{
    static const char asks[] = "ck_variant(t, ";

    for (const char *p = strstr(line, asks); p; p = strstr(p, asks)) {
        p += strlen(asks);
        if (*p == '"')
            add_question(s, path, number, p + 1, strcspn(p + 1, "\""));
        else
            ck_lint_say(s->l, "%s:%lu: ck_variant takes the name of a variant in quotes", path, number);
    }
    if (strstr(line, "ck_conforming(t)"))
        add_question(s, path, number, "", 0);
}

/* Whether a line is the end of a comment that says something: not a heading such as "---- arrivals ----". */
static bool ends_comment(const char *line)
{
    const size_t n = strlen(line);

    return n > 3 && !strcmp(line + n - 3, "*/\n") && !strstr(line, "----");
}

static void read_file(struct sources *s, const char *path)
{
    FILE *from = fopen(path, "r");
    char *line = NULL, name[NAME];
    size_t room = 0;
    bool comment = false;

    if (!from) {
        ck_lint_say(s->l, "%s: %s (lint runs in the top folder)", path, strerror(errno));
        return;
    }
    for (unsigned long number = 1; getline(&line, &room, from) > 0; number++) {
        int used = 0;
        if (sscanf(line, "static void %95[a-z0-9_](struct ck *t)%n", name, &used) == 1 && used && line[used] == '\n' &&
            !comment)
            ck_lint_say(s->l, "%s:%lu: no sentence above %s: what is done, and what must come of it", path, number,
                        name);
        find_questions(s, path, number, line);
        comment = ends_comment(line);
    }
    if (!feof(from))
        ck_lint_say(s->l, "%s: %s", path, strerror(errno));
    free(line);
    fclose(from);
}

static void read_folder(struct sources *s, const char *folder)
{
    DIR *files = opendir(*folder ? folder : ".");

    if (!files) {
        ck_lint_say(s->l, "%s: %s (lint runs in the top folder)", folder, strerror(errno));
        return;
    }
    for (const struct dirent *entry; (entry = readdir(files)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        char path[PATH];
        if (!dot || (strcmp(dot, ".c") != 0 && strcmp(dot, ".h") != 0))
            continue;
        snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
        read_file(s, path);
    }
    closedir(files);
}

/* Each folder that holds cases, once. */
static void read_folders(struct sources *s)
{
    const struct ck_case *seen[256];
    size_t known = 0;

    for (const struct ck_suite *const *suite = s->suites; *suite; suite++)
        for (const struct ck_case *c = (*suite)->cases; c->rule; c++) {
            char folder[PATH / 2];
            size_t k = 0;
            while (k < known && !in_folder(seen[k], c->at))
                k++;
            if (k < known || known == sizeof seen / sizeof *seen)
                continue;
            seen[known++] = c;
            snprintf(folder, sizeof folder, "%.*s", (int)folder_length(c->at), c->at);
            read_folder(s, folder);
        }
}

/* ---- judging ---- */

static void check_question(struct sources *s, const struct question *q)
{
    if (!*q->name)
        return;
    for (const struct ck_suite *const *suite = s->suites; *suite; suite++)
        for (const struct ck_case *c = (*suite)->cases; c->rule; c++)
            if (speaks_of(s, q->path, c) && (has_variant(c->mutants, q->name) || has_variant(c->breaches, q->name)))
                return;
    ck_lint_say(s->l, "%s:%lu: no case here has a variant '%s'", q->path, q->line, q->name);
}

static bool asked(const struct sources *s, const struct ck_case *c, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (!strcmp(s->questions[i].name, name) && speaks_of(s, s->questions[i].path, c))
            return true;
    return false;
}

/* A variant that sets no axis and names no kernel is made by the run function. A breach may be made where the run
 * function asks whether it is to conform; a mutant is not told that it is one. */
static void check_made(struct sources *s, const struct ck_case *c, const struct ck_variant *v, bool breach)
{
    for (size_t i = 0; i < CK_VARIANTS && v[i].name; i++)
        if (!v[i].set && !v[i].kernel && !asked(s, c, v[i].name) && !(breach && asked(s, c, "")))
            ck_lint_say(s->l, "%s: variant %s sets no axis, names no kernel, and nothing asks ck_variant for it", c->at,
                        v[i].name);
}

void ck_lint_sources(struct ck_lint *l, const struct ck_suite *const *suites)
{
    struct sources s = { .l = l, .suites = suites };

    read_folders(&s);
    for (size_t i = 0; i < s.count; i++)
        check_question(&s, &s.questions[i]);
    for (const struct ck_suite *const *suite = suites; *suite; suite++)
        for (const struct ck_case *c = (*suite)->cases; c->rule; c++) {
            check_made(&s, c, c->mutants, false);
            check_made(&s, c, c->breaches, true);
        }
    free(s.questions);
}
// SPDX-License-Identifier: Apache-2.0
