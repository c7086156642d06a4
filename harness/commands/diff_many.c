/* copycheck diff of more than two files: machines as columns, rows that differ. */
#include "harness/commands/diff_many.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/bad.h"
#include "harness/base/clean.h"
#include "harness/commands/cmd.h"
#include "harness/records/records.h"

struct column {
    struct ck_record_file file;
    struct ck_entries results;
    unsigned long changed; /* rows in which it differs from the first */
    bool loaded;
};

struct rows {
    const struct ck_record **all; /* of each row one record, for its name */
    size_t count;
};

static int by_name(const void *a, const void *b)
{
    const struct ck_record *const *x = a, *const *y = b;
    const int points = strcmp((*x)->point, (*y)->point);

    return points ? points : strcmp((*x)->engine, (*y)->engine);
}

/* Adds the rows in which a file differs from the first; returns its exit status. */
static int compare(const struct column *first, struct column *other, bool part, struct rows *rows)
{
    const struct ck_record **all;
    struct ck_comparison c;
    int status;

    if (!ck_compare(&first->results, &other->results, part, &c))
        return ck_bad("out of memory");
    all = realloc(rows->all, (rows->count + c.count + 1) * sizeof *all);
    if (!all) {
        ck_comparison_free(&c);
        return ck_bad("out of memory");
    }
    rows->all = all;
    for (size_t i = 0; i < c.count; i++)
        all[rows->count++] = c.changes[i].after ? c.changes[i].after : c.changes[i].before;
    other->changed = c.count;
    status = ck_comparison_status(&c);
    ck_comparison_free(&c);
    return status == 1 || other->file.head.complete ? status : 2;
}

static void sort(struct rows *rows)
{
    size_t kept = 0;

    if (rows->count)
        qsort(rows->all, rows->count, sizeof *rows->all, by_name);
    for (size_t i = 0; i < rows->count; i++)
        if (!kept || by_name(&rows->all[kept - 1], &rows->all[i]) != 0)
            rows->all[kept++] = rows->all[i];
    rows->count = kept;
}

static void print_heads(char **paths, const struct column *columns, size_t count)
{
    char name[512];

    for (size_t i = 0; i < count; i++) {
        const struct ck_run_head *h = &columns[i].file.head;
        printf("%4zu  %s: %s", i + 1, ck_clean_copy(name, sizeof name, paths[i]), h->device ? h->device : "no GPU");
        if (h->driver)
            printf("  driver %s", h->driver);
        if (h->toolkit)
            printf("  toolkit %s", h->toolkit);
        if (h->uuid || h->host)
            printf("  %s", h->uuid ? h->uuid : h->host);
        printf("  %s results", ck_thousands(columns[i].results.count));
        if (!h->complete)
            printf(" of %s (the run did not end)", ck_thousands(h->planned));
        if (i)
            printf(", %s unlike the first", ck_thousands(columns[i].changed));
        putchar('\n');
    }
}

/* The letter of what a record says among those of its row: the same letter says the same. */
static char letter_of(const struct ck_record *const *cells, size_t column)
{
    char letter = 'a';

    for (size_t i = 0; i < column; i++) {
        bool same = cells[i] && ck_record_says(cells[i], cells[column]) && cells[i]->digest == cells[column]->digest;
        if (same)
            return letter_of(cells, i);
    }
    for (size_t i = 0; i < column; i++)
        if (cells[i] && letter_of(cells, i) >= letter)
            letter = (char)(letter_of(cells, i) + 1);
    return letter > 'z' ? 'z' : letter;
}

static void print_row(const struct ck_record *name, const struct column *columns, size_t count,
                      const struct ck_record **cells)
{
    printf("%s on %s\n    ", name->point, name->engine);
    for (size_t i = 0; i < count; i++) {
        const struct ck_entry *e = ck_entries_find(&columns[i].results, name->point, name->engine);
        cells[i] = e ? e->record : NULL;
        if (cells[i])
            printf("  %8s %c", ck_verdict_names[cells[i]->verdict], letter_of(cells, i));
        else
            printf("  %8s  ", "-");
    }
    putchar('\n');
}

static void print_rows(const struct rows *rows, const struct column *columns, size_t count, size_t limit)
{
    const struct ck_record **cells = calloc(count, sizeof *cells);
    const size_t shown = limit && limit < rows->count ? limit : rows->count;

    if (!cells)
        ck_no_memory();
    fputs("\n    ", stdout);
    for (size_t i = 0; i < count; i++)
        printf("  %8zu  ", i + 1);
    putchar('\n');
    for (size_t i = 0; i < shown; i++)
        print_row(rows->all[i], columns, count, cells);
    if (shown < rows->count)
        printf("and %s more: --all\n", ck_thousands(rows->count - shown));
    puts("\nIn a row the same letter says the same: verdict, outcome, what was seen, bytes.");
    free(cells);
}

int cmd_diff_many(char **paths, size_t count, bool part, bool quiet, size_t limit)
{
    static const int gravity[] = { 0, 3, 2, 1 }; /* of an exit status */
    struct column *columns = calloc(count, sizeof *columns);
    struct rows rows = { 0 };
    char error[512];
    int status = 0;

    if (!columns)
        ck_no_memory();
    for (size_t i = 0; i < count && !status; i++) {
        columns[i].loaded = ck_load_records(paths[i], &columns[i].file, &columns[i].results, error, sizeof error);
        status = columns[i].loaded ? 0 : ck_bad("%s", error);
    }
    if (!status) {
        status = columns[0].file.head.complete ? 0 : 2;
        for (size_t i = 1; i < count; i++) {
            const int one = compare(&columns[0], &columns[i], part, &rows);
            status = gravity[one] > gravity[status] ? one : status;
        }
        sort(&rows);
        print_heads(paths, columns, count);
        if (rows.count && !quiet)
            print_rows(&rows, columns, count, limit);
        if (!rows.count)
            puts("nothing differs");
        status = cmd_end(status);
    }
    for (size_t i = 0; i < count; i++)
        if (columns[i].loaded)
            ck_unload_records(&columns[i].file, &columns[i].results);
    free(rows.all);
    free(columns);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
