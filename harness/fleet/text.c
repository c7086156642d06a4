/* A merged fleet as text: the odd machines first, then what did not count, then a matrix for each group. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/base/clean.h"
#include "harness/fleet/fleet.h"
#include "harness/records/tally.h"

enum { SHOWN = 20, CELL = 64, NAME = 320 };

/* The files' names are what an operator knows. */
static const char *name_of(const struct fleet *f, size_t machine, char name[NAME])
{
    const struct fleet_machine *m = &f->machines[machine];
    const char *path = f->files[m->file].path, *slash = strrchr(path, '/');
    char file[200];

    ck_clean_copy(file, sizeof file, slash ? slash + 1 : path);
    if (!strncmp(m->id, "file-", 5))
        snprintf(name, NAME, "%s", file);
    else
        snprintf(name, NAME, "%s (%s)", m->id, file);
    return name;
}

static void print_result(FILE *to, const struct fleet_result *r)
{
    fputs(ck_verdict_names[r->verdict], to);
    if (r->outcome && strcmp(r->outcome, "done") != 0 && strcmp(r->outcome, ck_verdict_names[r->verdict]) != 0) {
        fprintf(to, " (%.40s", r->outcome);
        if (r->code)
            fprintf(to, " %ld", r->code);
        fputc(')', to);
    }
    if (r->seen)
        fprintf(to, " '%.80s'", r->seen);
    if (r->digest)
        fprintf(to, ", bytes %016llx", (unsigned long long)r->digest);
}

/* "POINT on ENGINE: pass on 9,989, fail on 1". */
static void print_results(FILE *to, const struct fleet_cell *c)
{
    fprintf(to, "%s on %s: ", c->point, c->engine);
    for (unsigned i = 0; i < c->count && i < 4; i++) {
        fputs(i ? "; " : "", to);
        print_result(to, &c->results[i]);
        fprintf(to, " on %s", ck_thousands(c->results[i].machines));
    }
    if (c->count > 4 || c->others)
        fputs("; others", to);
    fputc('\n', to);
}

static int by_odd(const void *a, const void *b)
{
    const struct fleet_machine *const *x = a, *const *y = b;

    return ((*x)->odd < (*y)->odd) - ((*x)->odd > (*y)->odd);
}

static void print_odd(FILE *to, const struct fleet *f)
{
    const struct fleet_machine **odd = calloc(f->odd + 1, sizeof *odd);
    size_t count = 0;
    char name[NAME];

    if (!odd)
        return;
    for (size_t i = 0; i < f->machine_count; i++)
        if (f->machines[i].odd)
            odd[count++] = &f->machines[i];
    qsort(odd, count, sizeof *odd, by_odd);
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        fprintf(to, "odd         %s: %s result%s unlike those of most of its %s\n            ",
                name_of(f, (size_t)(odd[i] - f->machines), name), ck_thousands(odd[i]->odd),
                odd[i]->odd == 1 ? "" : "s", ck_thousands(f->groups[odd[i]->group].machines));
        print_results(to, &f->cells[odd[i]->odd_cell]);
    }
    if (count > SHOWN)
        fprintf(to, "odd         and %s more machines: --format jsonl names them\n", ck_thousands(count - SHOWN));
    free(odd);
}

/* Points at which no machine alone is the odd one: many differ. */
static void print_split(FILE *to, const struct fleet *f)
{
    unsigned long shown = 0, all = 0;

    for (size_t i = 0; i < f->cell_count; i++) {
        const struct fleet_cell *c = &f->cells[i];
        const unsigned long machines = fleet_cell_machines(c);
        bool split = c->others || (c->count > 1 && c->results[0].machines * 2ul <= machines);
        for (unsigned k = 1; k < c->count; k++)
            split |= c->results[k].machines > FLEET_NAMED;
        if (!split)
            continue;
        if (all++ >= SHOWN)
            continue;
        fputs("differs     ", to);
        print_results(to, c);
        shown++;
    }
    if (all > shown)
        fprintf(to, "differs     and %s more points: --format jsonl names them\n", ck_thousands(all - shown));
}

static void print_files(FILE *to, const struct fleet *f)
{
    char name[512], error[600];

    for (size_t i = 0; i < f->file_count; i++) {
        const struct fleet_file *file = &f->files[i];
        ck_clean_copy(name, sizeof name, file->path);
        if (file->state == FLEET_BROKEN)
            fprintf(to, "not counted %s\n", ck_clean_copy(error, sizeof error, file->why));
        else if (file->state == FLEET_AGAIN)
            fprintf(to, "not counted %s: the same machine as %s\n", name,
                    ck_clean_copy(error, sizeof error, file->why));
        else if (file->state == FLEET_CUT)
            fprintf(to, "cut         %s: %s of %s records; go on with copycheck run --resume %s\n", name,
                    ck_thousands(file->records), ck_thousands(file->planned), name);
    }
    for (size_t i = 0; i < f->machine_count; i++) {
        const struct fleet_machine *m = &f->machines[i];
        if (m->have && !m->whole && m->have < m->shards)
            fprintf(to, "lacks       %s: %lu of %lu shards\n", name_of(f, i, name), m->have, m->shards);
    }
}

/* ---- the matrix ----------------------------------------------------------------------------------------------- */

struct sums {
    struct ck_tally all;           /* points at which all machines have this verdict */
    unsigned long split, machines; /* points at which some have a bad one, and how many at most */
    char letter;
    char text[CELL];
};

static void add(struct sums *s, const struct fleet_cell *c)
{
    unsigned long bad = 0;
    char letter = 'F';

    for (unsigned i = 0; i < c->count; i++)
        if (ck_verdict_is_bad(c->results[i].verdict) && c->results[i].verdict != c->results[0].verdict) {
            struct ck_tally one = { { 0 } };
            char flag[16];
            one.of[c->results[i].verdict] = 1;
            ck_tally_flags(&one, flag, sizeof flag);
            letter = flag[0] ? flag[strlen(flag) - 1] : 'F';
            bad += c->results[i].machines;
        }
    if (!bad) {
        s->all.of[c->results[0].verdict]++;
        return;
    }
    s->split++;
    s->letter = letter;
    s->machines = bad > s->machines ? bad : s->machines;
}

static void say(struct sums *s)
{
    char flags[CELL] = "";

    if (!ck_tally_total(&s->all) && !s->split) {
        snprintf(s->text, CELL, "-");
        return;
    }
    ck_tally_flags(&s->all, flags, sizeof flags);
    snprintf(s->text, CELL, "%s%.40s", ck_thousands(s->all.of[CK_V_PASS]), flags);
    if (s->split)
        ck_append(s->text, CELL, " %s%c/%s", ck_thousands(s->split), s->letter, ck_thousands(s->machines));
}

/* The column of an engine in the comma-separated list; -1: none. */
static long column_of(const char *engines, const char *engine)
{
    long column = 0;

    for (const char *p = engines ? engines : ""; *p; column++) {
        const size_t n = strcspn(p, ",");
        if (n == strlen(engine) && !strncmp(p, engine, n))
            return column;
        p += n + (p[n] == ',');
    }
    return -1;
}

static size_t columns_of(const char *engines)
{
    size_t count = 1;

    for (const char *p = engines ? engines : ""; *p; p++)
        count += *p == ',';
    return count;
}

static void print_row(FILE *to, const char *label, const struct sums *row, const int *widths, size_t columns)
{
    fprintf(to, "%-20s", label);
    for (size_t k = 0; k < columns; k++)
        fprintf(to, "  %*s", widths[k], row[k].text);
    fputc('\n', to);
}

static void print_table(FILE *to, const struct fleet *f, struct sums *sums, const char *engines, size_t columns)
{
    int *widths = calloc(columns, sizeof *widths);
    struct sums *heads = calloc(columns, sizeof *heads);
    const char *p = engines;

    if (!widths || !heads)
        ck_no_memory();
    for (size_t k = 0; k < columns; k++) {
        const size_t n = strcspn(p, ",");
        snprintf(heads[k].text, CELL, "%.*s", (int)n, p);
        p += n + (p[n] == ',');
        widths[k] = (int)strlen(heads[k].text);
        for (size_t r = 0; r < f->family_count; r++) {
            struct sums *s = &sums[r * columns + k];
            say(s);
            widths[k] = (int)strlen(s->text) > widths[k] ? (int)strlen(s->text) : widths[k];
        }
    }
    print_row(to, "", heads, widths, columns);
    for (size_t r = 0; r < f->family_count; r++) {
        bool some = false;
        for (size_t k = 0; k < columns; k++)
            some |= strcmp(sums[r * columns + k].text, "-") != 0;
        if (some)
            print_row(to, f->families[r], &sums[r * columns], widths, columns);
    }
    free(widths);
    free(heads);
}

static void print_group(FILE *to, const struct fleet *f, size_t group)
{
    const struct ck_run_head *h = &f->groups[group].file.head;
    const size_t columns = columns_of(h->engines);
    struct sums *sums = calloc(f->family_count * columns + 1, sizeof *sums);

    if (!sums)
        ck_no_memory();
    fprintf(to, "\n%s machine%s: %s", ck_thousands(f->groups[group].machines),
            f->groups[group].machines == 1 ? "" : "s", h->device ? h->device : "no GPU");
    if (h->driver)
        fprintf(to, "  driver %s", h->driver);
    if (h->libcuda && h->driver && strcmp(h->libcuda, h->driver) != 0)
        fprintf(to, "  forward compatibility library %s", h->libcuda);
    if (h->toolkit)
        fprintf(to, "  toolkit %s", h->toolkit);
    fprintf(to, "  seed 0x%llx%s%s\n", (unsigned long long)h->seed, h->selection ? "  " : "",
            h->selection ? h->selection : "");
    for (size_t i = 0; i < f->cell_count; i++) {
        const struct fleet_cell *c = &f->cells[i];
        const long column = column_of(h->engines, c->engine);
        size_t row = 0;
        if (c->group != group || column < 0 || ck_point_is_mutant(c->point))
            continue;
        while (row < f->family_count && f->families[row] != c->family)
            row++;
        add(&sums[row * columns + (size_t)column], c);
    }
    if (h->engines)
        print_table(to, f, sums, h->engines, columns);
    free(sums);
}

void fleet_text(FILE *to, const struct fleet *f)
{
    unsigned long machines = 0;

    for (size_t i = 0; i < f->group_count; i++)
        machines += f->groups[i].machines;
    fprintf(to, "%s machine%s in %s file%s, %s records", ck_thousands(machines), machines == 1 ? "" : "s",
            ck_thousands(f->file_count), f->file_count == 1 ? "" : "s", ck_thousands(f->records));
    if (f->of[FLEET_BROKEN] || f->of[FLEET_AGAIN] || f->of[FLEET_CUT])
        fprintf(to, "; %s not sound, %s of a machine that counts already, %s cut", ck_thousands(f->of[FLEET_BROKEN]),
                ck_thousands(f->of[FLEET_AGAIN]), ck_thousands(f->of[FLEET_CUT]));
    fputs("\n\n", to);
    print_odd(to, f);
    print_split(to, f);
    print_files(to, f);
    if (!f->odd)
        fputs("no machine is unlike the others of its kind\n", to);
    for (size_t i = 0; i < f->group_count; i++)
        if (f->groups[i].machines)
            print_group(to, f, i);
    fputs("\nA cell: points that pass on all machines, others with their letter; 2F/3: two points fail on up to three\n"
          "machines, and not on most.\n",
          to);
}
// SPDX-License-Identifier: Apache-2.0
