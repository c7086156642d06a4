/* copycheck keep: what of a run's records is kept as a recorded matrix. */
#include "harness/commands/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/records/compare.h"
#include "harness/records/records.h"
#include "harness/records/usual.h"

static const char help[] =
    "usage: copycheck keep FILE [RUN...]\n"
    "\n"
    "Prints what is kept of the record file FILE as a recorded matrix, sorted, so that a new recording differs from an old\n"
    "one only where a machine, an assembler or a case differs. Left out are points that were skipped, how long a point\n"
    "took, the lines of cases, the messages of points that are as they should be, and what most lines would say.\n"
    "A result of which a RUN, a further run on the same machine, says something else gets \"varies\": later runs do not\n"
    "compare what was observed there. Of a RUN that is a recorded matrix, an older one, only the marks count. Bytes are\n"
    "not looked at: each run may have a seed of its own. A line on standard error says how many were marked.\n"
    "\n"
    "Exit status: 0 printed, 1 a RUN has another verdict on a documented rule, 2 a file cannot be read.\n";

/* Marks what the run at `path` says otherwise of these records. False after a line. */
static bool mark_by(struct ck_record_file *file, const char *path, bool *gating)
{
    struct ck_record_file run;
    struct ck_entries said;
    char error[512];

    if (!ck_load_records(path, &run, &said, error, sizeof error))
        return ck_wrong("%s", error);
    for (size_t i = 0; i < file->count; i++) {
        struct ck_record *r = &file->records[i];
        const struct ck_entry *other = ck_entries_find(&said, r->point, r->engine);
        if (!other)
            continue;
        if (run.head.usual) { /* an older matrix: its cases may have said other words */
            r->varies |= other->record->varies;
            continue;
        }
        if (other->record->verdict != r->verdict && ck_record_gates(r)) {
            ck_wrong("%s: %s on %s is %s, and %s before", path, r->point, r->engine,
                     ck_verdict_names[other->record->verdict], ck_verdict_names[r->verdict]);
            *gating = true;
        }
        r->varies |= !ck_record_says(r, other->record);
    }
    ck_unload_records(&run, &said);
    return true;
}

static int by_point(const void *a, const void *b)
{
    const struct ck_record *x = a, *y = b;
    const int points = strcmp(x->point, y->point);

    return points ? points : strcmp(x->engine, y->engine);
}

/* Leaves out what changes from run to run or with the sources, and what nobody judged. */
static void keep(struct ck_record_file *file)
{
    size_t kept = 0;

    for (size_t i = 0; i < file->count; i++) {
        struct ck_record *r = &file->records[i];
        if (r->verdict == CK_V_SKIP)
            continue;
        r->at = NULL;
        r->ms = 0;
        r->gpu = 0;
        if (!ck_verdict_is_bad(r->verdict))
            r->detail = NULL;
        file->records[kept++] = *r;
    }
    file->count = file->head.planned = kept;
    qsort(file->records, kept, sizeof *file->records, by_point);
}

/* The engines of a device give the same instructions to it: what varies on one varies on all. Of sorted records. */
static void mark_siblings(struct ck_record_file *file)
{
    for (size_t from = 0, to; from < file->count; from = to) {
        bool varies = false;
        for (to = from; to < file->count && !strcmp(file->records[to].point, file->records[from].point); to++)
            varies |= file->records[to].varies && ck_engine_is_of_device(file->records[to].engine);
        for (size_t i = from; i < to && varies; i++)
            file->records[i].varies |= ck_engine_is_of_device(file->records[i].engine);
    }
}

static bool print(const struct ck_record_file *file)
{
    struct ck_run_head head = ck_head_kept(&file->head);
    uint64_t digest = 0;

    head.usual = true;
    if (!ck_write_head(stdout, &head, NULL))
        return false;
    for (size_t i = 0; i < file->count; i++) {
        struct ck_record line = ck_record_unusual(&file->records[i], i ? &file->records[i - 1] : NULL);
        if (line.seed == file->head.seed)
            line.seed = 0;
        if (!ck_write_record(stdout, &line, NULL))
            return false;
        digest += ck_record_digest(&file->records[i]);
    }
    return ck_write_end(stdout, file->count, digest, NULL);
}

static size_t count_marked(const struct ck_record_file *file)
{
    size_t marked = 0;

    for (size_t i = 0; i < file->count; i++)
        marked += file->records[i].varies && file->records[i].verdict != CK_V_SKIP; /* a skip is not kept */
    return marked;
}

int cmd_keep(int argc, char **argv)
{
    struct ck_record_file file;
    bool gating = false, good = true;
    char error[512];

    if (argc > 1 && !strcmp(argv[1], "--help"))
        return cmd_help(help);
    if (argc < 2)
        return ck_bad("keep: a record file is missing; --help explains");
    if (!ck_read_records(argv[1], &file, error, sizeof error))
        return ck_bad("%s", error);
    if (!file.head.complete) {
        ck_free_records(&file);
        return ck_bad("keep: %s: the run did not finish", argv[1]);
    }
    const size_t before = count_marked(&file);
    for (int i = 2; i < argc && good; i++)
        good = mark_by(&file, argv[i], &gating);
    keep(&file);
    mark_siblings(&file);
    if (good && !print(&file))
        good = ck_wrong("keep: cannot write: %s", strerror(errno));
    if (good && argc > 2)
        fprintf(stderr, "%zu marked as not the same in %d runs\n", count_marked(&file) - before, argc - 1);
    ck_free_records(&file);
    return !good ? 2 : gating ? 1 : 0;
}
// SPDX-License-Identifier: Apache-2.0
