/* Small made-up runs in record files of a temporary folder: for tests of what reads records. Include after cmocka's
 * header. */
#ifndef COPYCHECK_RUNS_H
#define COPYCHECK_RUNS_H

#include <stdlib.h>
#include <string.h>

#include "harness/reports/report.h"
#include "tests/unit/capture.h"

static char folder[] = "/tmp/copycheck_report_XXXXXX";

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int drop_folder(void **state)
{
    char line[128];

    (void)state;
    capture_free();
    snprintf(line, sizeof line, "rm -r %s", folder);
    return system(line);
}

static inline const char *in(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next];

    next = (next + 1) % 4;
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* One point in a test's table. */
struct row {
    const char *point, *engine;
    enum ck_verdict verdict;
    const char *detail, *seen, *outcome;
    long code;
    const char *evidence;
    unsigned runs, same;
    uint64_t digest;
    bool varies;
};

static const struct ck_run_head machine = { .version = "0.1",
                                            .device = "NVIDIA H200",
                                            .sm = 90,
                                            .driver = "580.159.04",
                                            .toolkit = "13.0.88",
                                            .engines = "ptxas-13.0,gpu,jit",
                                            .seed = 0x5EED };

static inline void save(const char *name, struct ck_run_head head, const struct row *rows, size_t count, bool ended)
{
    FILE *to = fopen(in(name), "w");
    uint64_t digest = 0;

    assert_non_null(to);
    if (!head.planned)
        head.planned = count;
    assert_true(ck_write_head(to, &head, NULL));
    for (size_t i = 0; i < count; i++) {
        char rule[128], family[128];
        snprintf(rule, sizeof rule, "%.*s", (int)strcspn(rows[i].point, "/:~!"), rows[i].point);
        snprintf(family, sizeof family, "%.*s", (int)strcspn(rule, "."), rule);
        if (!strcmp(family, "tensor"))
            strcpy(family, "tensor-bounds");
        else if (!strcmp(family, "cpasync"))
            strcpy(family, "cp-async");
        const struct ck_record record = { .point = rows[i].point,
                                          .rule = rule,
                                          .family = family,
                                          .engine = rows[i].engine,
                                          .phase = "launch",
                                          .evidence = rows[i].evidence,
                                          .verdict = rows[i].verdict,
                                          .expected = "done",
                                          .outcome = rows[i].outcome,
                                          .code = rows[i].code,
                                          .seen = rows[i].seen,
                                          .detail = rows[i].detail,
                                          .at = "tests/x/y.c:41",
                                          .runs = rows[i].runs,
                                          .same = rows[i].same,
                                          .digest = rows[i].digest,
                                          .varies = rows[i].varies,
                                          .seed = 0x5EED,
                                          .ms = 1.5 };
        assert_true(ck_write_record(to, &record, NULL));
        digest += ck_record_digest(&record);
    }
    if (ended)
        assert_true(ck_write_end(to, count, digest, NULL));
    fclose(to);
}

#define SAVE(name, rows) save(name, machine, rows, sizeof(rows) / sizeof *(rows), true)

struct loaded {
    struct ck_record_file file;
    struct ck_entries entries;
};

static inline struct loaded load(const char *name)
{
    struct loaded l;
    char error[512];

    if (!ck_read_records(in(name), &l.file, error, sizeof error))
        fail_msg("%s", error);
    return l;
}

/* The entries point at the file: call once it is where it stays. */
static inline void index_it(struct loaded *l)
{
    assert_true(ck_entries_make(&l->file, &l->entries));
}

static inline void unload(struct loaded *l)
{
    ck_entries_free(&l->entries);
    ck_free_records(&l->file);
}

static inline char *report_text(const char *name, enum ck_format format, const struct ck_report_options *options)
{
    struct loaded l = load(name);
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    index_it(&l);
    assert_true(ck_report(to, &l.entries, format, options));
    fclose(to);
    unload(&l);
    return text;
}

#endif
// SPDX-License-Identifier: Apache-2.0
