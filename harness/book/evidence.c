/* What record files say of each rule. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folder.h"
#include "harness/base/room.h"
#include "harness/book/parts.h"

enum { SAYINGS = 60 };

/* The rules by id. */
struct numbered {
    const char *id;
    size_t number;
};

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct numbered *)a)->id, ((const struct numbered *)b)->id);
}

size_t book_rule_count(void)
{
    static size_t count;

    while (ck_rules[count])
        count++;
    return count;
}

size_t book_rule_number(const char *id)
{
    static struct numbered *sorted;
    const size_t count = book_rule_count();
    const struct numbered key = { id, 0 };

    if (!sorted) {
        sorted = calloc(count, sizeof *sorted);
        if (!sorted)
            return count;
        for (size_t i = 0; i < count; i++)
            sorted[i] = (struct numbered){ ck_rules[i]->id, i };
        qsort(sorted, count, sizeof *sorted, by_id);
    }
    const struct numbered *found = bsearch(&key, sorted, count, sizeof *sorted, by_id);
    return found ? found->number : count;
}

/* The column of an engine in this file; BOOK_COLUMNS where there is none: two files of one assembler say the same. */
static size_t column_of(struct book_evidence *e, const struct ck_run_head *head, int file, const char *engine)
{
    struct book_column *new = &e->columns[e->column_count];
    const char *built = strchr(engine, '@'); /* "gpu@13.5": kernels of another toolkit than the run's own */

    for (size_t i = 0; i < e->column_count; i++)
        if (!strcmp(e->columns[i].engine, engine) && (e->columns[i].file == file || !ck_engine_is_of_device(engine)))
            return e->columns[i].file == file ? i : BOOK_COLUMNS;
    if (e->column_count == BOOK_COLUMNS)
        return BOOK_COLUMNS;
    *new = (struct book_column){ .file = file };
    snprintf(new->engine, sizeof new->engine, "%s", engine);
    if (ck_engine_is_of_device(engine) && head->device)
        snprintf(new->machine, sizeof new->machine, "%s, driver %s, toolkit %s", head->device,
                 head->driver ? head->driver : "?",
                 built           ? built + 1
                 : head->toolkit ? head->toolkit
                                 : "?");
    return e->column_count++;
}

/* What comes behind the ~ of a breach's name. */
static const char *variant_of(const char *point)
{
    const char *mark = strrchr(point, '~');

    return mark ? mark : "";
}

static bool say(struct book_sayings *said, size_t column, const struct ck_record *r)
{
    const bool breach = ck_point_is_breach(r->point);
    const char *seen = r->seen && *r->seen ? r->seen : r->outcome ? r->outcome : "";

    for (size_t i = 0; i < said->count; i++) {
        struct book_saying *s = &said->all[i];

        if (s->column == column && s->breach == breach && !strcmp(s->seen, seen) &&
            (!breach || !strcmp(variant_of(s->point), variant_of(r->point)))) {
            s->count++;
            return true;
        }
    }
    if (said->count == SAYINGS)
        return true;
    struct book_saying *all = ck_room(said->all, said->count, &said->room, 8, sizeof *all);
    if (!all)
        return false;
    said->all = all;
    all[said->count] = (struct book_saying){ column, breach, strdup(r->point), strdup(seen), 1 };
    said->count++;
    return all[said->count - 1].point && all[said->count - 1].seen;
}

static bool take_file(struct book_evidence *e, const char *path, int number, char *error, size_t size)
{
    struct ck_record_file file;
    struct ck_entries entries;
    bool held = true;

    if (!ck_load_records(path, &file, &entries, error, size))
        return false;
    for (size_t i = 0; i < entries.count && held; i++) {
        const struct ck_record *r = entries.all[i].record;
        const size_t rule = book_rule_number(r->rule);
        size_t column;

        if (rule == book_rule_count() || ck_point_is_mutant(r->point))
            continue;
        column = column_of(e, &file.head, number, r->engine);
        if (column == BOOK_COLUMNS)
            continue;
        if (!ck_point_is_breach(r->point))
            e->of[rule][column].of[r->verdict]++;
        if (r->verdict == CK_V_SEEN)
            held = say(&e->said[rule], column, r);
    }
    if (!held)
        snprintf(error, size, "out of memory");
    ck_unload_records(&file, &entries);
    return held;
}

bool book_evidence_read(const char *folder, struct book_evidence *e, char *error, size_t size)
{
    const size_t rules = book_rule_count();
    struct dirent **names = NULL;
    bool held;
    int count;

    *e = (struct book_evidence){ .of = calloc(rules, sizeof *e->of), .said = calloc(rules, sizeof *e->said) };
    held = e->of && e->said;
    if (!held)
        snprintf(error, size, "out of memory");
    count = scandir(folder, &names, ck_is_jsonl, alphasort);
    if (count < 0) {
        snprintf(error, size, "%s: %s", folder, strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        char path[4096];

        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        held = held && take_file(e, path, i, error, size);
        free(names[i]);
    }
    free(names);
    return held;
}

void book_evidence_free(struct book_evidence *e)
{
    for (size_t r = 0; e->said && r < book_rule_count(); r++) {
        for (size_t i = 0; i < e->said[r].count; i++) {
            free(e->said[r].all[i].point);
            free(e->said[r].all[i].seen);
        }
        free(e->said[r].all);
    }
    free(e->said);
    free(e->of);
    *e = (struct book_evidence){ 0 };
}

enum book_rely book_rely(const struct book_evidence *e, size_t rule)
{
    unsigned long passes = 0, seen = 0;

    for (size_t c = 0; c < e->column_count; c++) {
        const struct ck_tally *t = &e->of[rule][c];

        for (int v = 0; v < CK_V_COUNT; v++)
            if (t->of[v] && ck_verdict_is_bad((enum ck_verdict)v))
                return BOOK_NO;
        passes += t->of[CK_V_PASS];
        seen += t->of[CK_V_SEEN];
    }
    if (ck_rules[rule]->evidence == CK_FOLKLORE)
        return BOOK_NO;
    if (ck_rules[rule]->evidence == CK_OBSERVED)
        return passes + seen ? BOOK_AS_RECORDED : BOOK_UNCHECKED;
    return passes ? BOOK_YES : BOOK_UNCHECKED;
}
// SPDX-License-Identifier: Apache-2.0
