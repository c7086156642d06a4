/* What copycheck run prints at its end: a report of the record file that it wrote. */
#include "harness/commands/run_report.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/clean.h"
#include "harness/commands/cmd.h"

/* Adds the points that took longest, of those that a device or the emulator ran. */
static void largest_points(const struct ck_entries *run, char *out, size_t size)
{
    enum { NAMED = 3 };
    const struct ck_record *top[NAMED] = { 0 };

    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *r = run->all[i].record;
        if (!r->phase || strcmp(r->phase, "launch") != 0)
            continue;
        for (size_t k = 0; k < NAMED; k++)
            if (!top[k] || r->ms > top[k]->ms) {
                const struct ck_record *down = top[k];
                top[k] = r;
                r = down;
                if (!r)
                    break;
            }
    }
    for (size_t k = 0; k < NAMED && top[k]; k++)
        ck_append(out, size, "%s%s on %s %.2f s", k ? ", " : "; longest: ", top[k]->point, top[k]->engine,
                  top[k]->ms / 1e3);
}

/* The time that the run took, and the time that its workers spent on GPU work that no run avoids. What is left of a
 * point is the host's: inputs, expected bytes, comparison. */
static void profile_line(const struct ck_profile *p, const struct ck_entries *run, char *out, size_t size)
{
    const double sum = p->context + p->load + p->compile + p->copy + p->launch;
    double host = -(p->load + p->copy + p->launch);

    snprintf(out, size, "profile   %.2f s", p->wall);
    if (p->contexts) { /* only a GPU has costs that cannot be avoided */
        for (size_t i = 0; i < run->count; i++)
            if (strncmp(run->all[i].record->engine, "gpu", 3) == 0 || !strcmp(run->all[i].record->engine, "jit"))
                host += !strcmp(run->all[i].record->phase, "launch") ? run->all[i].record->ms / 1e3 : 0;
        snprintf(
            out, size,
            "profile   the run took %.2f s. GPU work that no run avoids took %.2f s, added up over all workers: %lu "
            "contexts %.2f s, loading %.2f s, compiling %.2f s, copies %.2f s, %lu launches %.2f s; judging %.2f s",
            p->wall, sum, p->contexts, p->context, p->load, p->compile, p->copy, p->launches, p->launch,
            host > 0 ? host : 0);
    }
    largest_points(run, out, size);
}

/* The recorded matrices that a run is compared with: that of its device, and those of its engines that need none; and
 * the one with a GPU that the emulator is compared with, where that is a further one. */
enum { RECORDED = 8 };

/* A record file that is read in a thread of its own: together they take a second or two, which a run waits for. */
struct loading {
    char path[4096], error[512];
    pthread_t thread;
    bool threaded, loaded;
    struct ck_record_file file; /* its head only, until it is loaded */
    struct ck_entries entries;
};

struct recorded {
    struct loading files[RECORDED];
    size_t count;                 /* of those compared with */
    size_t all;                   /* with the further one */
    const struct ck_entries *gpu; /* the one with a GPU */
    struct ck_comparison comparison;
    struct ck_agreement agreement;
};

static void *load(void *of)
{
    struct loading *l = of;

    l->loaded = ck_load_records(l->path, &l->file, &l->entries, l->error, sizeof l->error);
    return NULL;
}

static void begin_loading(struct loading *l)
{
    ck_free_records(&l->file);
    l->threaded = pthread_create(&l->thread, NULL, load, l) == 0;
    if (!l->threaded)
        load(l);
}

/* False after a line. */
static bool end_loading(struct loading *l)
{
    if (l->threaded)
        pthread_join(l->thread, NULL);
    l->threaded = false;
    return l->loaded || ck_wrong("%s", l->error);
}

/* Adds a recorded matrix, of which the head is read. */
static bool add_recorded(struct recorded *r, const char *path)
{
    struct loading *l = &r->files[r->all];

    snprintf(l->path, sizeof l->path, "%s", path);
    if (!ck_read_head(path, &l->file, l->error, sizeof l->error))
        return ck_wrong("%s", l->error);
    if (!r->gpu && ck_head_has_engine(&l->file.head, "gpu"))
        r->gpu = &l->entries;
    r->all++;
    return true;
}

static bool is_recorded(const struct recorded *r, const char *engine)
{
    for (size_t i = 0; i < r->all; i++)
        if (ck_head_has_engine(&r->files[i].file.head, engine))
            return true;
    return false;
}

/* Adds what is recorded of the run's engines without a device, as far as no file so far has them. */
static bool add_of_engines(struct recorded *r, const char *folder, const char *engines)
{
    char engine[64], path[4096];

    for (size_t n; *engines && r->all < RECORDED - 1; engines += n + (engines[n] == ',')) {
        n = strcspn(engines, ",");
        snprintf(engine, sizeof engine, "%.*s", (int)n, engines);
        if (!is_recorded(r, engine) && ck_recorded_of(folder, engine, path, sizeof path) && !add_recorded(r, path))
            return false;
    }
    return true;
}

static bool find_recorded(struct recorded *r, const struct cmd_report *o, const struct ck_run_head *head)
{
    const char *folder = ck_recorded_folder();
    char path[4096];

    if (o->no_recorded && !o->recorded)
        return true;
    if (o->recorded) {
        if (!add_recorded(r, o->recorded))
            return false;
    } else {
        if (head->device && ck_recorded_for(folder, head, path, sizeof path) && !add_recorded(r, path))
            return false;
        if (!add_of_engines(r, folder, head->engines ? head->engines : ""))
            return false;
    }
    r->count = r->all;
    if (r->gpu || o->recorded || !ck_head_has_engine(head, "emu") || ck_head_has_engine(head, "gpu"))
        return true;
    return !ck_recorded_with(folder, "gpu", path, sizeof path) || add_recorded(r, path);
}

static void free_recorded(struct recorded *r)
{
    for (size_t i = 0; i < r->all; i++)
        ck_unload_records(&r->files[i].file, &r->files[i].entries);
    ck_comparison_free(&r->comparison);
    ck_agreement_free(&r->agreement);
}

/* What of a report is drawn from recorded matrices; false after a line. */
static bool compare(struct recorded *r, const struct cmd_report *o, const struct ck_entries *results,
                    struct ck_report_options *options)
{
    struct ck_entries entries[RECORDED];

    for (size_t i = 0; i < r->count; i++)
        entries[i] = r->files[i].entries;
    if (!ck_compare_recorded(results, entries, r->count, &r->comparison))
        return ck_wrong("run: out of memory");
    if (r->count && (o->recorded || ck_comparison_met(&r->comparison))) {
        options->comparison = &r->comparison;
        options->recorded = &r->files[0].file.head;
    }
    if (!ck_agreement_make(results, 1, r->gpu, &r->agreement))
        return ck_wrong("run: out of memory");
    options->agreement = &r->agreement;
    return true;
}

/* Adds what belongs into the early report: what gates, of the engines that do not come behind. */
static void add_gating(struct ck_record_file *file, const struct ck_record *records, size_t count, const char *behind)
{
    for (size_t i = 0; i < count; i++)
        if (records[i].verdict != CK_V_SEEN && (!behind || strcmp(records[i].engine, behind) != 0))
            file->records[file->count++] = records[i];
}

/* A text of a record that was not read from a file, as a file would give it back: NULL or a copy without what a
 * terminal would obey. */
static const char *cleaned(const char *text)
{
    char *copy = text && *text ? strdup(text) : NULL;

    if (copy)
        ck_clean(copy, true);
    return copy;
}

/* The engines' names without this one. */
static void leave_out(char *engines, const char *behind)
{
    for (char *p = engines; behind && *p;) {
        const size_t n = strcspn(p, ","), whole = n + (p[n] == ',');
        if (n == strlen(behind) && !strncmp(p, behind, n))
            memmove(p, p + whole, strlen(p + whole) + 1);
        else
            p += whole;
    }
}

/* "Still to come: 52,498 points on emu, 9,832 that only observe, 98 breaches that fault". */
static void print_to_come(const struct ck_to_come *left)
{
    const char *before = "Still to come: ";

    if (left->on_it) {
        printf("%s%s point%s on %s", before, ck_thousands(left->on_it), left->on_it == 1 ? "" : "s", left->behind);
        before = ", ";
    }
    if (left->observing) {
        printf("%s%s that only observe%s", before, ck_thousands(left->observing), left->observing == 1 ? "s" : "");
        before = ", ";
    }
    if (left->faulting)
        printf("%s%s breach%s that fault%s", before, ck_thousands(left->faulting), left->faulting == 1 ? "" : "es",
               left->faulting == 1 ? "s" : "");
    fputs("\n\n", stdout);
}

static void print_gates(struct ck_record_file *file, size_t own, const struct ck_to_come *left)
{
    const struct ck_report_options options = { .color = ck_report_color(stdout), .part = CK_PART_GATES };
    struct ck_entries results;

    for (size_t i = own; i < file->count; i++) {
        struct ck_record *r = &file->records[i];
        r->detail = ck_verdict_is_bad(r->verdict) ? cleaned(r->detail) : NULL; /* no other is shown */
        r->seen = NULL;
    }
    if (file->count && ck_entries_make(file, &results)) {
        ck_report(stdout, &results, CK_FORMAT_HUMAN, &options);
        ck_entries_free(&results);
        print_to_come(left);
        fflush(stdout);
    }
    for (size_t i = own; i < file->count; i++)
        free((char *)(uintptr_t)file->records[i].detail);
}

void cmd_run_gates(const struct ck_run_head *head, const struct ck_record_file *before, const struct ck_record *records,
                   size_t count, const struct ck_to_come *left)
{
    struct ck_record_file file = { .head = *head };
    char *engines = strdup(head->engines);

    file.records = calloc(before->count + count + 1, sizeof *file.records);
    if (engines && file.records) {
        leave_out(engines, left->behind);
        file.head.engines = engines;
        add_gating(&file, before->records, before->count, left->behind);
        const size_t own = file.count;
        add_gating(&file, records, count, left->behind);
        print_gates(&file, own, left);
    }
    free(file.records);
    free(engines);
}

/* Loads the run's record file and the matrices that it is compared with, all at once. False after a line. */
static bool load_all(struct loading *own, struct recorded *r, const struct cmd_report *o, const char *path)
{
    bool good;

    snprintf(own->path, sizeof own->path, "%s", path);
    if (!ck_read_head(path, &own->file, own->error, sizeof own->error))
        return ck_wrong("%s", own->error);
    if (!find_recorded(r, o, &own->file.head))
        return false;
    begin_loading(own);
    for (size_t i = 0; i < r->all; i++)
        begin_loading(&r->files[i]);
    good = end_loading(own);
    for (size_t i = 0; i < r->all; i++)
        good &= end_loading(&r->files[i]);
    return good;
}

/* Reports what is loaded; the exit status. */
static int report(const struct cmd_report *o, const struct ck_entries *results, struct recorded *recorded,
                  const struct ck_profile *profile)
{
    struct ck_report_options options = { .color = ck_report_color(stdout) };
    char note[1024];
    int status;

    if (o->profile) {
        profile_line(profile, results, note, sizeof note);
        options.note = note;
    }
    if (!compare(recorded, o, results, &options))
        return 2;
    status = ck_report_status(results, &options);
    if (o->how != CMD_REPORT)
        cmd_short_print(o->how, results, status);
    else if (!ck_report(stdout, results, o->format, &options))
        status = cmd_end(2);
    if (o->prometheus && !cmd_short_prometheus(o->prometheus, results, status))
        status = 2;
    return status;
}

int cmd_run_report(const struct cmd_report *o, const char *path, const struct ck_profile *profile)
{
    struct loading *own = calloc(1, sizeof *own);
    struct recorded *recorded = calloc(1, sizeof *recorded);
    int status = 2;

    if (!own || !recorded)
        ck_no_memory();
    if (load_all(own, recorded, o, path))
        status = report(o, &own->entries, recorded, profile);
    free_recorded(recorded);
    ck_unload_records(&own->file, &own->entries);
    free(recorded);
    free(own);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
