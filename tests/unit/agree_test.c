/* The emulator compared with the GPU, and how it names breaches: small made-up runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <fnmatch.h>

#include <cmocka.h>

#include "harness/records/breaches.h"
#include "harness/commands/cmd.h"
#include "harness/plan/plan.h"
#include "harness/reports/report.h"
#include "harness/base/text.h"
#include "tests/unit/capture.h"

enum { SEED = 0x5eed };

static struct ck_record launch(const char *point, const char *engine, uint64_t digest)
{
    return (struct ck_record){ .point = point,
                               .rule = "cpasync.size.set",
                               .family = "cp-async",
                               .engine = engine,
                               .phase = "launch",
                               .verdict = CK_V_PASS,
                               .outcome = "done",
                               .digest = digest,
                               .seed = SEED };
}

static struct ck_record encode(const char *point, const char *engine, const char *outcome)
{
    struct ck_record r = launch(point, engine, 0);

    r.phase = "encode";
    r.family = "encode";
    r.outcome = outcome;
    return r;
}

static struct ck_record breach(const char *point, const char *seen)
{
    struct ck_record r = launch(point, "emu", 0);

    r.verdict = CK_V_SEEN;
    r.seen = seen;
    return r;
}

/* A run that holds these records. */
struct run {
    struct ck_record_file file;
    struct ck_entries entries;
};

static struct run *made(struct ck_record *records, size_t count, const char *engines, const char *device)
{
    struct run *r = calloc(1, sizeof *r);

    assert_non_null(r);
    r->file = (struct ck_record_file){ .head = { .version = "0.1",
                                                 .engines = engines,
                                                 .device = device,
                                                 .driver = device ? "580.159.04" : NULL,
                                                 .seed = SEED,
                                                 .planned = count,
                                                 .complete = true },
                                       .records = records,
                                       .count = count };
    assert_true(ck_entries_make(&r->file, &r->entries));
    return r;
}

static void done(struct run *r)
{
    ck_entries_free(&r->entries);
    free(r);
}

#define RUN(records, engines, device) made(records, sizeof(records) / sizeof *(records), engines, device)

/* What print writes, as a string that lives until the next call. */
static char *text;
static size_t text_size;

static FILE *start(void)
{
    FILE *f;

    free(text);
    f = open_memstream(&text, &text_size);
    assert_non_null(f);
    return f;
}

static const char *ended(FILE *f)
{
    fclose(f);
    return text;
}

static void what_can_be_compared(void **state)
{
    struct ck_record gpu[] = { launch("a.b:x=1", "gpu", 1),    launch("a.b:x=2", "gpu", 2),
                               launch("a.b:x=3", "gpu", 0),    launch("a.b:x=4", "gpu", 4),
                               launch("a.b:x=5", "gpu", 5),    launch("a.b~gone", "gpu", 6),
                               launch("a.b!turned", "gpu", 7), launch("a.b:x=8", "gpu", 8),
                               encode("e.f", "gpu", "accept"), encode("e.g", "gpu", "refused"),
                               encode("e.h", "gpu", NULL) };
    struct ck_record emu[] = { launch("a.b:x=1", "emu", 1),    launch("a.b:x=2", "emu", 3),
                               launch("a.b:x=3", "emu", 3),    launch("a.b:x=4", "emu", 4),
                               launch("a.b:x=5", "emu", 0),    launch("a.b~gone", "emu", 1),
                               launch("a.b!turned", "emu", 1), launch("a.b:x=8", "emu", 9),
                               launch("a.b:x=9", "emu", 9),    encode("e.f", "emu", "accept"),
                               encode("e.g", "emu", "accept"), encode("e.h", "emu", "accept") };
    struct ck_agreement a;
    char line[320];

    (void)state;
    gpu[10].verdict = CK_V_SKIP; /* a skip says nothing */
    emu[3].seed = 1;             /* other bytes went in */
    emu[4].verdict = CK_V_SKIP;  /* the emulator could not run it: that is a difference */
    emu[4].detail = "unsupported: 7: wgmma";
    emu[7].varies = true;
    struct run *g = RUN(gpu, "gpu", "NVIDIA H200"), *e = RUN(emu, "emu", NULL);
    assert_true(ck_agreement_make(&e->entries, 1, &g->entries, &a));
    assert_int_equal(a.count, 5); /* x=1, x=2, x=5, e.f, e.g */
    assert_int_equal(a.equal, 2);
    assert_int_equal(a.known, 0);
    assert_int_equal(a.skipped, 1);
    assert_int_equal(ck_agreement_unknown(&a), 2);
    assert_ptr_equal(a.with, &g->file.head);
    ck_agreement_line(&a, line, sizeof line);
    assert_string_equal(
        line, "emu agrees with H200, driver 580 at 2 of 5 points; 2 differ for no known reason; 1 could not be run");
    FILE *f = start();
    ck_agreement_print(f, &a, 1);
    ended(f);
    assert_non_null(strstr(text,
                           "  a.b:x=2\n    emu  pass (done), digest 0000000000000003\n    gpu  pass (done), digest "
                           "0000000000000002\n"));
    assert_non_null(strstr(text, "  ... and 1 more\n"));
    assert_null(strstr(text, "e.g"));
    assert_null(strstr(text, "emu  skip"));
    f = start();
    ck_agreement_print(f, &a, 0);
    ended(f);
    assert_non_null(strstr(text, "  e.g\n    emu  pass (accept)\n    gpu  pass (refused)\n"));
    const char *skips = strstr(text, "emu could not run what the GPU ran\n");
    assert_non_null(skips);
    assert_non_null(strstr(skips, "emu  skip (done): unsupported: 7: wgmma\n"));
    ck_agreement_free(&a);
    /* nothing to compare with */
    assert_true(ck_agreement_make(&e->entries, 1, NULL, &a));
    assert_int_equal(a.count, 0);
    assert_null(a.with);
    ck_agreement_free(&a);
    done(g);
    done(e);
}

/* A GPU's records in the run itself come before the recorded ones. */
static void own_records_first(void **state)
{
    struct ck_record both[] = { launch("a.b", "gpu", 5), launch("a.b", "emu", 5), launch("a.c", "emu", 6) };
    struct ck_record old[] = { launch("a.b", "gpu", 1), launch("a.c", "gpu", 6) };
    struct run *r = RUN(both, "gpu,emu", "NVIDIA H100"), *o = RUN(old, "gpu", "NVIDIA H200");
    struct ck_agreement a;
    char line[320];

    (void)state;
    assert_true(ck_agreement_make(&r->entries, 1, &o->entries, &a));
    assert_int_equal(a.count, 2);
    assert_int_equal(a.equal, 2);
    ck_agreement_line(&a, line, sizeof line);
    assert_string_equal(line, "emu agrees with H100, driver 580 at 2 of 2 points");
    ck_agreement_free(&a);
    done(r);
    done(o);
}

static void a_known_difference(void **state)
{
    struct ck_record both[] = { launch("mbarrier.object.opaque-read:access=load", "gpu", 5),
                                launch("mbarrier.object.opaque-read:access=load", "emu", 6) };
    struct run *r = RUN(both, "gpu,emu", "NVIDIA H200");
    struct ck_report_options options = { 0 };
    struct ck_agreement a;
    char line[320];

    (void)state;
    assert_true(ck_agreement_make(&r->entries, 1, NULL, &a));
    assert_int_equal(a.known, 1);
    ck_agreement_line(&a, line, sizeof line);
    assert_string_equal(line, "emu agrees with H200, driver 580 at 0 of 1 points; 1 differ for a known reason");
    FILE *f = start();
    ck_agreement_print(f, &a, 0);
    assert_non_null(strstr(ended(f), "1  mbarrier.object.opaque-read:*: opaque: "));
    options.agreement = &a;
    assert_int_equal(ck_report_status(&r->entries, &options), 0);
    a.known = 0;
    assert_int_equal(ck_report_status(&r->entries, &options), 3); /* for no known reason */
    ck_agreement_free(&a);
    both[1].digest = both[0].digest; /* equal: the row is there in vain */
    assert_true(ck_agreement_make(&r->entries, 1, NULL, &a));
    f = start();
    ck_agreement_print(f, &a, 0);
    assert_string_equal(ended(f), "listed in expected/known/differences.def, but equal now: "
                                  "mbarrier.object.opaque-read:*\n");
    ck_agreement_free(&a);
    done(r);
}

/* The column, and what each format says beside it. */
static void reports(void **state)
{
    struct ck_record both[] = {
        launch("cpasync.size.set", "gpu", 5),       launch("cpasync.size.set", "emu", 5),
        launch("cpasync.size.set:n=2", "gpu", 5),   launch("cpasync.size.set:n=2", "emu", 6),
        encode("tmap.tiled.rank", "gpu", "accept"), encode("tmap.tiled.rank", "emu", "accept"),
        launch("cpasync.isa.cta", "gpu", 0),        breach("cpasync.size.set~broken", "nothing")
    };
    struct run *r = RUN(both, "gpu,emu", "NVIDIA H200");
    struct ck_agreement a;
    const struct ck_report_options options = { .agreement = &a };
    static const struct {
        enum ck_format format;
        const char *text;
    } said[] = {
        { CK_FORMAT_HUMAN, "    agree\n" },
        { CK_FORMAT_HUMAN, "   1 of 2\n" },
        { CK_FORMAT_HUMAN, "   2 of 3   F fail" },
        { CK_FORMAT_HUMAN, "emu names 0 of 1 breaches by their rule; 1 without a reason\n" },
        { CK_FORMAT_HUMAN, "  cpasync.size.set~broken\n    seen    nothing\n" },
        { CK_FORMAT_MARKDOWN, "| family | rules | gpu | emu | agree |\n|---|--:|--:|--:|--:|\n" },
        { CK_FORMAT_MARKDOWN, " 1 of 2 |\n" },
        { CK_FORMAT_MARKDOWN, "\nemu agrees with H200, driver 580 at 2 of 3 points; 1 differ for no known reason\n" },
        { CK_FORMAT_MARKDOWN, "  cpasync.size.set:n=2\n" },
        { CK_FORMAT_HTML, "<th>agree</th>" },
        { CK_FORMAT_HTML, "<td>1 of 2</td>" },
        { CK_FORMAT_HTML, "<p>emu names 0 of 1 breaches by their rule; 1 without a reason</p>" },
        { CK_FORMAT_JSONL, "{\"agree\":\"emu\",\"with\":\"H200, driver 580\",\"points\":3,\"equal\":2,\"known\":0}\n" },
        { CK_FORMAT_JSONL, "{\"differs\":\"cpasync.size.set:n=2\",\"reason\":null}\n" },
        { CK_FORMAT_JSONL, "{\"breaches\":1,\"named\":0,\"also\":0,\"otherwise\":0,\"not\":1,\"listed\":0}\n" },
    };

    (void)state;
    assert_true(ck_agreement_make(&r->entries, 1, NULL, &a));
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        FILE *f = start();
        assert_true(ck_report(f, &r->entries, said[i].format, &options));
        if (!strstr(ended(f), said[i].text))
            fail_msg("%s: no '%s' in\n%s", ck_format_names[said[i].format], said[i].text, text);
    }
    ck_agreement_free(&a);
    done(r);
}

static void names_of_breaches(void **state)
{
    static const struct {
        const char *seen;
        enum ck_naming naming;
    } rows[] = {
        { "diagnosed cpasync.size.set", CK_NAMED },
        { "diagnosed cpasync.size.set; 16 bytes changed", CK_NAMED },
        { "diagnosed cpasync.size.set, also cpasync.isa.cta", CK_NAMED },
        { "diagnosed cpasync.isa.cta, also cpasync.size.set; differs", CK_NAMED_ALSO },
        { "diagnosed cpasync.isa.cta, also cpasync.addr.forms, cpasync.size.set", CK_NAMED_ALSO },
        { "diagnosed cpasync.size.set-imm", CK_NAMED_OTHERWISE },
        { "diagnosed without a rule; differs", CK_NAMED_OTHERWISE },
        { "diagnosed cpasync.isa.cta; cpasync.size.set", CK_NAMED_OTHERWISE },
        { "as conforming", CK_NOT_NAMED },
        { NULL, CK_NOT_NAMED },
    };
    struct ck_record records[sizeof rows / sizeof *rows];
    char points[sizeof rows / sizeof *rows][40];
    struct ck_breaches b;
    char line[320];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(points[i], sizeof points[i], "cpasync.size.set:n=%zu~2^32-1", i);
        records[i] = breach(points[i], rows[i].seen);
        assert_int_equal(ck_breach_naming(&records[i]), rows[i].naming);
    }
    struct run *r = RUN(records, "emu", NULL);
    b = ck_breaches_count(&r->entries);
    assert_int_equal(ck_breaches_total(&b), 10);
    assert_int_equal(b.of[CK_NAMED], 3);
    assert_int_equal(b.of[CK_NAMED_ALSO], 2);
    assert_int_equal(ck_breaches_unlisted(&b), 5);
    ck_breaches_line(&b, line, sizeof line);
    assert_string_equal(line, "emu names 5 of 10 breaches by their rule; 5 without a reason");
    FILE *f = start();
    ck_breaches_print(f, &r->entries, true);
    ended(f);
    assert_non_null(strstr(text, "cp-async                     3             2             3             2\n"));
    assert_non_null(strstr(text, "  cpasync.size.set:n=9~2^32-1\n    seen    nothing\n"));
    assert_null(strstr(text, "n=3~"));
    done(r);
}

/* A row of the list that holds a breach: named by now, it is idle; else it gives its reason. */
static void listed_breaches(void **state)
{
    const struct ck_known *row = ck_known_breaches;
    char point[200] = "", said[260], line[320];
    size_t n = 0;

    (void)state;
    if (!row->points)
        skip();
    for (const char *p = row->points; *p && n < sizeof point - 1; p++)
        if (*p != '*')
            point[n++] = *p;
    struct ck_record record = breach(point, "as conforming");
    struct run *r = made(&record, 1, "emu", NULL);
    struct ck_breaches b = ck_breaches_count(&r->entries);
    assert_int_equal(b.listed, 1);
    assert_int_equal(b.idle, 0);
    ck_breaches_line(&b, line, sizeof line);
    assert_string_equal(line, "emu names 0 of 1 breaches by their rule; 1 exception is listed");
    FILE *f = start();
    ck_breaches_print(f, &r->entries, true);
    assert_non_null(strstr(ended(f), row->reason));
    snprintf(said, sizeof said, "diagnosed %s", record.rule);
    record.seen = said;
    b = ck_breaches_count(&r->entries);
    assert_int_equal(b.listed, 0);
    assert_int_equal(b.idle, 1);
    f = start();
    ck_breaches_print(f, &r->entries, false);
    assert_non_null(strstr(ended(f), "but named now: "));
    done(r);
}

/* Each row of the lists holds a point of the catalogue, and the finding that a difference cites is in the documents. */
static void rows_hold_points(void **state)
{
    static const struct ck_known *const lists[] = { ck_known_differences, ck_known_breaches };
    static const char cites[] = "(findings: ";
    struct ck_text findings;
    struct ck_plan plan;
    char error[512];

    (void)state;
    assert_true(ck_plan_make(ck_suites, false, &plan, error, sizeof error));
    assert_true(ck_text_read("docs/findings.md", &findings, error, sizeof error));
    for (size_t l = 0; l < 2; l++)
        for (const struct ck_known *row = lists[l]; row->points; row++) {
            const char *cited = strstr(row->reason, cites);
            char title[200];
            size_t i = 0;
            while (i < plan.count && fnmatch(row->points, plan.points[i].name, FNM_NOESCAPE) != 0)
                i++;
            if (i == plan.count)
                fail_msg("%s holds no point", row->points);
            if (!*row->reason || (!l && !cited && strncmp(row->reason, "case: ", 6) != 0))
                fail_msg("%s: no finding is cited, and the case is not at fault", row->points);
            if (!cited)
                continue;
            cited += sizeof cites - 1;
            snprintf(title, sizeof title, "**%.*s**", (int)strcspn(cited, ")"), cited);
            if (!strstr(findings.data, title))
                fail_msg("%s: docs/findings.md has no %s", row->points, title);
        }
    ck_text_free(&findings);
    ck_plan_free(&plan);
}

/* ---- copycheck matrix ---------------------------------------------------------------------------------------------
 */

static char path[] = "/tmp/copycheck_agree_XXXXXX";

static void write_run(struct ck_record *records, size_t count, const char *engines)
{
    struct run *r = made(records, count, engines, "NVIDIA H200");
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(ck_report(f, &r->entries, CK_FORMAT_JSONL, &(struct ck_report_options){ 0 }));
    fclose(f);
    done(r);
}

static void matrix_command(void **state)
{
    struct ck_record both[] = { launch("cpasync.size.set", "gpu", 5), launch("cpasync.size.set", "emu", 6),
                                breach("cpasync.size.set~broken", "diagnosed cpasync.size.set") };
    char table[80], differences[80], breaches[80];

    (void)state;
    assert_true(mkstemp(path) >= 0);
    snprintf(table, sizeof table, "matrix %s", path);
    snprintf(differences, sizeof differences, "matrix %s --differences", path);
    snprintf(breaches, sizeof breaches, "matrix %s --breaches", path);
    write_run(both, 3, "gpu,emu");
    assert_int_equal(capture(cmd_matrix, table), 0);
    assert_non_null(strstr(captured_out, "agree"));
    assert_non_null(strstr(captured_out, "0 of 1"));
    assert_int_equal(capture(cmd_matrix, differences), 0);
    assert_non_null(
        strstr(captured_out, "emu agrees with H200, driver 580 at 0 of 1 points; 1 differ for no known reason"));
    assert_int_equal(capture(cmd_matrix, breaches), 0);
    assert_non_null(strstr(captured_out, "\nemu names 1 of 1 breaches by their rule\n"));
    both[2].seen = "as conforming";
    write_run(both, 3, "gpu,emu");
    assert_int_equal(capture(cmd_matrix, breaches), 1);
    assert_non_null(strstr(captured_out, "without a reason"));
    write_run(both, 1, "gpu");
    assert_int_equal(capture(cmd_matrix, differences), 2);
    assert_non_null(strstr(captured_err, "no point of these files has run both on emu and on a GPU"));
    assert_int_equal(capture(cmd_matrix, breaches), 2);
    assert_non_null(strstr(captured_err, "emu has run no breach"));
    assert_int_equal(capture(cmd_matrix, table), 0);
    assert_null(strstr(captured_out, "agree"));
    remove(path);
}

/* A listing's mistake has the rule that the listing's row says. */
static void mistakes_of_listings_have_their_rule(void **state)
{
    static const struct {
        const char *point, *seen;
        enum ck_naming naming;
    } rows[] = {
        { "listing.000.transpose-swizzle~no-fence", "diagnosed tensor.store.fence", CK_NAMED },
        { "listing.000.transpose-swizzle~no-fence", "diagnosed swz.oob, also tensor.store.fence", CK_NAMED_ALSO },
        { "listing.000.transpose-swizzle~no-fence", "diagnosed swz.128b.formula", CK_NAMED_OTHERWISE },
        { "listing.000.transpose-swizzle~other", "diagnosed tensor.store.fence", CK_NAMED_OTHERWISE },
        { "listing.000.rmw-1d:blocks=1~one-fence", "diagnosed bulk.proxy.s2g-needs-fence; differs", CK_NAMED },
        { "listing.000.rmw-1d:blocks=1~early", "diagnosed bulk.proxy.s2g-needs-fence", CK_NAMED_OTHERWISE },
        { "listing.000.rmw-1d:blocks=1~early", "as conforming", CK_NOT_NAMED },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ck_record r = breach(rows[i].point, rows[i].seen);
        char id[64];

        snprintf(id, sizeof id, "%.*s", (int)strcspn(rows[i].point, ":~"), rows[i].point);
        r.rule = id;
        assert_int_equal(ck_breach_naming(&r), rows[i].naming);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_of_listings_have_their_rule),
        cmocka_unit_test(what_can_be_compared),
        cmocka_unit_test(own_records_first),
        cmocka_unit_test(a_known_difference),
        cmocka_unit_test(reports),
        cmocka_unit_test(names_of_breaches),
        cmocka_unit_test(listed_breaches),
        cmocka_unit_test(rows_hold_points),
        cmocka_unit_test(matrix_command),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);

    free(text);
    capture_free();
    return failed;
}
// SPDX-License-Identifier: Apache-2.0
