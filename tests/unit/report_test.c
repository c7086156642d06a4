/* Reports, tables and comparisons of small made-up runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "harness/commands/cmd.h"
#include "harness/reports/report.h"
#include "tests/unit/capture.h"

static char folder[] = "/tmp/copycheck_report_XXXXXX";
static char error[512];

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
    char line[128];

    (void)state;
    capture_free();
    snprintf(line, sizeof line, "rm -r %s", folder);
    return system(line);
}

static const char *in(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* One point as it stands in a test's table. */
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

static void save(const char *name, struct ck_run_head head, const struct row *rows, size_t count, bool ended)
{
    FILE *to = fopen(in(name), "w");

    assert_non_null(to);
    if (!head.planned)
        head.planned = count;
    assert_true(ck_write_head(to, &head));
    for (size_t i = 0; i < count; i++) {
        char rule[128], family[128];
        snprintf(rule, sizeof rule, "%.*s", (int)strcspn(rows[i].point, "/:~!"), rows[i].point);
        snprintf(family, sizeof family, "%.*s", (int)strcspn(rule, "."), rule);
        if (!strcmp(family, "tensor"))
            strcpy(family, "tensor-bounds");
        else if (!strcmp(family, "cpasync"))
            strcpy(family, "cp-async");
        assert_true(ck_write_record(to, &(struct ck_record){ .point = rows[i].point,
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
                                                             .ms = 1.5 }));
    }
    if (ended)
        assert_true(ck_write_end(to, count));
    fclose(to);
}

#define SAVE(name, rows) save(name, machine, rows, sizeof(rows) / sizeof *(rows), true)

struct loaded {
    struct ck_record_file file;
    struct ck_entries entries;
};

static struct loaded load(const char *name)
{
    struct loaded l;

    if (!ck_read_records(in(name), &l.file, error, sizeof error))
        fail_msg("%s", error);
    return l;
}

/* The entries point at the file: call once it is where it stays. */
static void index_it(struct loaded *l)
{
    assert_true(ck_entries_make(&l->file, &l->entries));
}

static void unload(struct loaded *l)
{
    ck_entries_free(&l->entries);
    ck_free_records(&l->file);
}

static const struct row mixed[] = {
    { "mbarrier.phase.a:count=2", "gpu", CK_V_PASS },
    { "mbarrier.phase.a:count=10", "gpu", CK_V_PASS },
    { "mbarrier.phase.a:count=2", "jit", CK_V_FAIL, "expected  phase 0\ngot       phase <1>" },
    { "mbarrier.phase.a:count=10", "jit", CK_V_FAIL, "got       phase 1" },
    { "tensor.tile.oob.corner:type=f16,rank=2", "gpu", CK_V_PASS },
    { "tensor.tile.oob.corner:type=f16,rank=2!inside", "gpu", CK_V_KILLED },
    { "tensor.tile.oob.corner:type=f16,rank=2!late", "gpu", CK_V_SURVIVED },
    { "tensor.tile.oob.corner:type=f16,rank=2!same", "gpu", CK_V_EXCUSED, "the same machine code" },
    { "tensor.tile.oob.corner:type=f32,rank=10", "gpu", CK_V_SKIP, "needs sm_100a" },
    { "tensor.tile.oob.corner:type=f32,rank=3", "gpu", CK_V_HANG, "deadline  10 s" },
    { "tensor.tile.oob.corner:type=f32,rank=1", "gpu", CK_V_FAULT, NULL, NULL, "fault", 716 },
    { "cpasync.size.set:accept=4", "ptxas-13.0", CK_V_PASS },
    { "cpasync.size.set:accept=8", "ptxas-13.0", CK_V_BROKEN, "the case died of signal 11" },
    { "cpasync.size.set:accept=16", "ptxas-13.0", CK_V_UNPROVEN, "the case judged nothing" },
    { "cpasync.size.set:seen=16~x", "ptxas-13.0", CK_V_SEEN, NULL, "accepted & <kept>", "accept", 0, "observed" },
};

static void names_are_taken_apart(void **state)
{
    static const struct {
        const char *point, *axis, *value;
    } rows[] = {
        { "a.b:x=1,y=two", "x", "1" },
        { "a.b:x=1,y=two", "y", "two" },
        { "a.b/c:x=1~br!mu", "x", "1" },
        { "a.b:x=1,2,y=3", "x", "1,2" },
        { "a.b:x=1,2,y=3", "y", "3" },
        { "a.b:xx=1,x=2", "x", "2" },
        { "a.b:accept=.shared::cta", "accept", ".shared::cta" },
        { "a.b:x=,y=", "y", "" },
        { "a.b:x=!p0 z", "x", "!p0 z" },
        { "a.b:x=1", "y", NULL },
        { "a.b", "x", NULL },
        { "a.b!x=1", "x", NULL },
    };
    char value[64];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(ck_point_axis(rows[i].point, rows[i].axis, value, sizeof value), rows[i].value != NULL);
        assert_string_equal(value, rows[i].value ? rows[i].value : "");
    }
    assert_true(ck_point_is_mutant("a.b:x=1!late"));
    assert_true(ck_point_is_mutant("a.b:x=1~br!late"));
    assert_true(ck_point_is_breach("a.b:x=1~br!late"));
    assert_false(ck_point_is_mutant("a.b:x=1~br"));
    assert_false(ck_point_is_mutant("a.b:x=!p, q"));
    assert_false(ck_point_is_mutant("a.b:x=!"));
    assert_false(ck_point_is_breach("a.b"));
    assert_string_equal(ck_thousands(0), "0");
    assert_string_equal(ck_thousands(999), "999");
    assert_string_equal(ck_thousands(1000), "1,000");
    assert_string_equal(ck_thousands(1234567), "1,234,567");
}

static void repeats_are_told(void **state)
{
    static const struct row rows[] = {
        { "a.b", "gpu", CK_V_FAIL, "got       0", .runs = 5, .same = 1 },
        { "a.c", "gpu", CK_V_FAIL, "got       0", .runs = 5, .same = 5 },
        { "a.d", "gpu", CK_V_PASS },
    };
    struct loaded l;
    char line[256];

    (void)state;
    SAVE("repeat", rows);
    l = load("repeat");
    index_it(&l);
    assert_int_equal(l.entries.count, 3);
    assert_int_equal(ck_entries_find(&l.entries, "a.d", "gpu")->runs, 1);
    assert_null(ck_entries_find(&l.entries, "a.d", "jit"));
    unload(&l);
    snprintf(line, sizeof line, "matrix --format human %s", in("repeat"));
    assert_int_equal(capture(cmd_matrix, line), 0);
    assert_has(captured_out, "  point     a.b  (1 of 5 runs)\n");
    assert_has(captured_out, "  point     a.c  (5 of 5 runs)\n");
    assert_int_equal(capture(cmd_matrix, "matrix --format human /nowhere"), 2);
}

static void the_human_report(void **state)
{
    char line[256];

    (void)state;
    SAVE("mixed", mixed);
    snprintf(line, sizeof line, "matrix --format human %s", in("mixed"));
    assert_int_equal(capture(cmd_matrix, line), 0);
    assert_has(captured_out, "copycheck 0.1  H200 sm_90  driver 580.159.04  toolkit 13.0.88  seed 0x5eed  10 points\n");
    assert_has(captured_out,
               "\n                  rules   ptxas-13.0            gpu            jit\n"
               "cp-async              1            1 1B 1U 1o     -              -\n"
               "mbarrier              1            -              2              0 2F\n"
               "tensor-bounds         1            -              1 1H 1X 1s     -\n"
               "total                 3            1 1B 1U 1o     3 1H 1X 1s     0 2F   F fail  H hang  X fault");
    assert_has(captured_out, "mbarrier.phase.a  FAIL on jit\n"
                             "  rule      (this catalogue has no such rule)\n"
                             "  point     mbarrier.phase.a:count=2  (1 of 1 run)\n"
                             "  expected  phase 0\n"
                             "  got       phase <1>\n"
                             "  so        pass on gpu  (tests/x/y.c:41)\n"
                             "  again     build/copycheck run 'mbarrier.phase.a:count=2' --engine jit --seed 0x5eed\n"
                             "  also      mbarrier.phase.a:count=10\n");
    assert_has(captured_out, "tensor.tile.oob.corner  HANG on gpu\n  rule      ");
    assert_has(captured_out, "  deadline  10 s\n");
    assert_has(captured_out, "tensor.tile.oob.corner  FAULT on gpu\n");
    assert_has(captured_out, "  got       fault, code 716\n");
    assert_has(captured_out, "  note      the case died of signal 11\n");
    assert_has(captured_out, "1 skipped: 1 needs sm_100a        1 of 2 mutants killed, 1 excused\n"
                             "mutant survived: tensor.tile.oob.corner:type=f16,rank=2!late on gpu  tests/x/y.c:41\n");
    assert_lacks(captured_out, "\033");
}

static void many_failures_and_reasons(void **state)
{
    struct row rows[60] = { 0 };
    char points[60][64], reasons[60][64], line[256];

    (void)state;
    for (int i = 0; i < 60; i++) {
        snprintf(points[i], sizeof points[i], "bulk.size.zero:n=%d", i);
        snprintf(reasons[i], sizeof reasons[i], "needs thing %d", i % 25);
        rows[i] = (struct row){ points[i], "gpu", i < 10 ? CK_V_FAIL : CK_V_SKIP, i < 10 ? "got       0" : reasons[i] };
    }
    save("many", machine, rows, 60, true);
    snprintf(line, sizeof line, "matrix --format human %s", in("many"));
    assert_int_equal(capture(cmd_matrix, line), 0);
    assert_has(captured_out, "  also      bulk.size.zero:n=1\n            bulk.size.zero:n=2\n");
    assert_has(captured_out, "            and 3 more\n");
    assert_has(captured_out, "50 skipped:\n      2  need thing 0\n");
    assert_has(captured_out, "     10  for other reasons\n");
    /* A rule of the catalogue has its sentence and source. */
    assert_lacks(captured_out, "no such rule");
    assert_has(captured_out, "  source    ");
}

/* Beyond some number failures are counted, not unfolded. */
static void a_flood_is_cut(void **state)
{
    struct row rows[100] = { 0 };
    char points[100][64], line[256];

    (void)state;
    for (int i = 0; i < 100; i++) {
        snprintf(points[i], sizeof points[i], "bulk.rule%d", i);
        rows[i] = (struct row){ points[i], "gpu", CK_V_FAIL, "got       0" };
    }
    save("flood", machine, rows, 100, true);
    snprintf(line, sizeof line, "matrix --format human %s", in("flood"));
    assert_int_equal(capture(cmd_matrix, line), 0);
    assert_has(captured_out, "bulk.rule59  FAIL on gpu\n");
    assert_lacks(captured_out, "bulk.rule60  FAIL on gpu\n");
    assert_has(captured_out, "40 further results failed, some of them named above; --format html shows each\n");
}

static void an_unended_run_is_told(void **state)
{
    struct ck_run_head head = machine;
    char line[256];
    struct loaded l;

    (void)state;
    head.planned = 2000;
    save("cut", head, mixed, 2, false);
    snprintf(line, sizeof line, "matrix --format human %s", in("cut"));
    assert_int_equal(capture(cmd_matrix, line), 0);
    assert_has(captured_out, "2 points  (the run did not finish)");
    assert_has(captured_out, "BROKEN: 1,998 of 2,000 planned results are missing");
    assert_has(captured_err, "the run did not finish");
    l = load("cut");
    index_it(&l);
    assert_int_equal(ck_report_status(&l.entries, &(struct ck_report_options){ 0 }), 2);
    unload(&l);
}

static void exit_statuses(void **state)
{
    static const struct row pass[] = { { "a.b", "gpu", CK_V_PASS } }, skip[] = { { "a.b", "gpu", CK_V_SKIP } };
    static const struct row seen[] = { { "a.b", "gpu", CK_V_SEEN, NULL, "x" } };
    static const struct row other[] = { { "a.b", "gpu", CK_V_SEEN, NULL, "y" } };
    static const struct row fresh[] = { { "a.c", "gpu", CK_V_PASS } };
    struct loaded l, old;
    struct ck_comparison c;

    (void)state;
    SAVE("p", pass);
    SAVE("s", skip);
    SAVE("m", mixed);
    l = load("p");
    index_it(&l);
    assert_int_equal(ck_report_status(&l.entries, &(struct ck_report_options){ 0 }), 0);
    unload(&l);
    l = load("s");
    index_it(&l);
    assert_int_equal(ck_report_status(&l.entries, &(struct ck_report_options){ 0 }), 2);
    unload(&l);
    l = load("m");
    index_it(&l);
    assert_int_equal(ck_report_status(&l.entries, &(struct ck_report_options){ 0 }), 1);
    unload(&l);

    SAVE("x", seen);
    SAVE("y", other);
    SAVE("f", fresh);
    old = load("x");
    index_it(&old);
    l = load("y");
    index_it(&l);
    assert_true(ck_compare_recorded(&l.entries, &old.entries, 1, &c));
    assert_int_equal(ck_report_status(&l.entries, &(struct ck_report_options){ .comparison = &c }), 3);
    ck_comparison_free(&c);
    unload(&l);
    l = load("f");
    index_it(&l);
    assert_true(ck_compare_recorded(&l.entries, &old.entries, 1, &c));
    assert_int_equal(ck_report_status(&l.entries, &(struct ck_report_options){ .comparison = &c }),
                     0); /* new points are no change of behaviour */
    ck_comparison_free(&c);
    unload(&l);
    unload(&old);
}

static char *report_text(const char *name, enum ck_format format, const struct ck_report_options *options)
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

static void formats_for_programs(void **state)
{
    const struct ck_report_options none = { 0 };
    struct ck_record_file again;
    enum ck_format format;
    char *text;
    FILE *to;

    (void)state;
    SAVE("mixed", mixed);
    text = report_text("mixed", CK_FORMAT_KTAP, &none);
    assert_has(text, "KTAP version 1\n1..3\n  KTAP version 1\n  # Subtest: ptxas-13.0\n  1..4\n"
                     "  ok 1 cpasync.size.set:accept=4\n"
                     "  not ok 2 cpasync.size.set:accept=8\n  # broken\n");
    assert_has(text, "  ok 4 cpasync.size.set:seen=16~x\n  # observed: accepted & <kept>\nnot ok 1 ptxas-13.0\n");
    assert_has(text, " # SKIP needs sm_100a\n");
    assert_has(text, " # SKIP the same machine code\n");
    assert_has(text, "  not ok 1 mbarrier.phase.a:count=2\n  # fail\n");
    assert_has(text, "not ok 3 jit\n");
    free(text);

    text = report_text("mixed", CK_FORMAT_JUNIT, &none);
    assert_has(text, "<testsuites name=\"copycheck\" tests=\"15\" failures=\"3\" errors=\"4\" skipped=\"2\">");
    assert_has(text, "<testsuite name=\"gpu\" tests=\"9\" failures=\"1\" errors=\"2\" skipped=\"2\">");
    assert_has(text, "<testcase classname=\"mbarrier.phase.a\" name=\"mbarrier.phase.a:count=2\" file=\"tests/x/y.c\" "
                     "time=\"0.001500\"");
    assert_has(text, "<failure type=\"fail\" message=\"expected  phase 0&#10;got       phase &lt;1&gt;\">");
    assert_has(text, "<error type=\"hang\"");
    assert_has(text, "<system-out>observed: accepted &amp; &lt;kept&gt;</system-out>");
    free(text);

    text = report_text("mixed", CK_FORMAT_JSONL, &none);
    to = fopen(in("again"), "w");
    fputs(text, to);
    fclose(to);
    free(text);
    assert_true(ck_read_records(in("again"), &again, error, sizeof error));
    assert_int_equal(again.count, sizeof mixed / sizeof *mixed);
    assert_true(again.head.complete);
    ck_free_records(&again);

    text = report_text("mixed", CK_FORMAT_MARKDOWN, &none);
    assert_has(text, "| family | rules | ptxas-13.0 | gpu | jit |\n|---|--:|--:|--:|--:|\n");
    assert_has(text, "| mbarrier | 1 | - | 2 | 0 2F |\n");
    assert_has(text, "### Failures\n\n**mbarrier.phase.a** fail on jit\n\n    rule ");
    assert_has(text, "### Skipped\n\n- 1: needs sm\\_100a\n");
    assert_has(
        text,
        "1 of 2 mutants killed, 1 excused\n- mutant survived: tensor.tile.oob.corner:type=f16,rank=2!late on gpu");
    free(text);

    assert_true(ck_format_parse("html", &format));
    assert_int_equal(format, CK_FORMAT_HTML);
    assert_false(ck_format_parse("pdf", &format));
}

static void the_page_needs_nothing_else(void **state)
{
    const struct ck_report_options none = { 0 };
    char *text;

    (void)state;
    SAVE("mixed", mixed);
    text = report_text("mixed", CK_FORMAT_HTML, &none);
    assert_has(text, "<!doctype html>");
    assert_has(text,
               "<td class=t>mbarrier</td><td>1</td><td class=none>-</td><td class=all>2</td><td class=bad>0 2F</td>");
    assert_has(text, "<dt>expected</dt><dd>phase 0</dd><dt>got</dt><dd>phase &lt;1&gt;</dd>");
    assert_has(text, "accepted &amp; &lt;kept&gt;");
    assert_has(text, "data-verdict=\"hang\"");
    assert_has(text, "<option>cp-async</option>");
    assert_lacks(text, "http");
    assert_lacks(text, "src=");
    assert_lacks(text, "phase <1>");
    free(text);
}

static void a_refusing_stream_is_told(void **state)
{
    (void)state;
    SAVE("mixed", mixed);
    for (int f = 0; f < CK_FORMATS; f++) {
        struct loaded l = load("mixed");
        FILE *full = fopen("/dev/full", "w");

        index_it(&l);
        assert_false(ck_report(full, &l.entries, (enum ck_format)f, &(struct ck_report_options){ 0 }));
        fclose(full);
        unload(&l);
    }
}

static void the_matrix(void **state)
{
    char line[512];

    (void)state;
    SAVE("mixed", mixed);
    snprintf(line, sizeof line, "matrix %s --rows type --cols rank", in("mixed"));
    assert_int_equal(capture(cmd_matrix, line), 0);
    assert_string_equal(captured_out, "type      1        2     3       10\n"
                                      "f16       -        1     -        -\n"
                                      "f32       0 1X     -     0 1H     0 1s\n"
                                      "total     0 1X     1     0 1H     0 1s   F fail  H hang  X fault  s skip\n");
    snprintf(line, sizeof line, "matrix %s %s --rows evidence --cols verdict", in("mixed"), in("mixed"));
    assert_int_equal(capture(cmd_matrix, line), 0);
    assert_has(captured_out, "mixed");
    assert_has(captured_out, "documented");
    assert_has(captured_out, "observed");
    for (const char *const *axis = (const char *const[]){ "rule", "case", "phase", "engine", NULL }; *axis; axis++) {
        snprintf(line, sizeof line, "matrix %s --rows %s", in("mixed"), *axis);
        assert_int_equal(capture(cmd_matrix, line), 0);
        assert_has(captured_out, *axis);
    }
    snprintf(line, sizeof line, "matrix %s --rows colour", in("mixed"));
    assert_int_equal(capture(cmd_matrix, line), 2);
    assert_string_equal(captured_err, "copycheck: no point has both of the axes 'colour' and 'engine'\n");
    assert_int_equal(capture(cmd_matrix, "matrix"), 2);
    assert_int_equal(capture(cmd_matrix, "matrix --help"), 0);
    assert_has(captured_out, "usage: copycheck matrix");
    assert_int_equal(capture(cmd_matrix, "matrix --colour x"), 2);
    assert_int_equal(capture(cmd_matrix, "matrix --format pdf x"), 2);
    assert_has(captured_err, "no format is called 'pdf'");
    assert_int_equal(capture(cmd_matrix, "matrix --format html x y"), 2);
    assert_int_equal(capture(cmd_matrix, "matrix 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"), 2);
}

static void comparisons(void **state)
{
    static const struct row before[] = {
        { "a.same", "gpu", CK_V_PASS, .digest = 1, .outcome = "done" },
        { "a.worse", "gpu", CK_V_PASS },
        { "a.better", "gpu", CK_V_FAIL },
        { "a.gone", "gpu", CK_V_PASS },
        { "a.seen", "gpu", CK_V_SEEN, NULL, "stale bytes", "done" },
        { "a.varies", "gpu", CK_V_SEEN, NULL, "3 stale", .varies = true },
        { "a.digest", "gpu", CK_V_PASS, .digest = 1 },
        { "a.skip", "gpu", CK_V_SKIP, "needs sm_100a, found sm_90" },
    };
    static const struct row after[] = {
        { "a.same", "gpu", CK_V_PASS, .digest = 1, .outcome = "done" },
        { "a.worse", "gpu", CK_V_FAULT, NULL, NULL, "fault", 719 },
        { "a.better", "gpu", CK_V_PASS },
        { "a.new", "gpu", CK_V_FAIL },
        { "a.seen", "gpu", CK_V_SEEN, NULL, "fault", "fault", 716 },
        { "a.varies", "gpu", CK_V_SEEN, NULL, "4 stale", .varies = true },
        { "a.digest", "gpu", CK_V_PASS, .digest = 2 },
        { "a.skip", "gpu", CK_V_SKIP, "needs sm_100a, found none" },
    };
    char line[512];

    (void)state;
    SAVE("old", before);
    SAVE("new", after);
    snprintf(line, sizeof line, "diff %s %s", in("old"), in("new"));
    assert_int_equal(capture(cmd_diff, line), 1);
    assert_has(captured_out,
               "documented rules that fail now\n  a.worse on gpu\n    was pass\n    is  fault (fault 719)\n\n");
    assert_has(captured_out, "new points that fail\n  a.new on gpu\n    fail\n\n");
    assert_has(captured_out,
               "documented rules whose verdict changed\n  a.better on gpu\n    was fail\n    is  pass\n\n");
    assert_has(captured_out, "  a.seen on gpu\n    was seen (done): stale bytes\n    is  seen (fault 716): fault\n");
    assert_has(captured_out,
               "  a.digest on gpu\n    was pass, digest 0000000000000001\n    is  pass, digest 0000000000000002\n");
    assert_has(captured_out, "gone\n  a.gone on gpu\n    pass\n\n");
    assert_has(captured_out, "documented             2           2           1           1\n"
                             "observed               1           2           0           0\n");
    assert_lacks(captured_out, "a.varies");
    assert_lacks(captured_out, "a.skip");

    snprintf(line, sizeof line, "diff %s %s --quiet", in("old"), in("old"));
    assert_int_equal(capture(cmd_diff, line), 0);
    assert_has(captured_out, "nothing changed\n");
    snprintf(line, sizeof line, "diff %s %s --all", in("new"), in("old"));
    assert_int_equal(capture(cmd_diff, line), 1); /* a.better turns back */
    assert_int_equal(capture(cmd_diff, "diff x"), 2);
    assert_int_equal(capture(cmd_diff, "diff --help"), 0);
    assert_int_equal(capture(cmd_diff, "diff --x"), 2);
    assert_int_equal(capture(cmd_diff, "diff /nowhere/a /nowhere/b"), 2);
    snprintf(line, sizeof line, "diff %s /nowhere/b", in("old"));
    assert_int_equal(capture(cmd_diff, line), 2);
    assert_string_equal(captured_err, "copycheck: /nowhere/b: No such file or directory\n");
}

/* Only observed behaviour differs: 3; a selection lacks points without that being a change. */
static void only_observed_changes(void **state)
{
    struct row rows[40];
    char points[40][32], line[512];

    (void)state;
    for (int i = 0; i < 40; i++) {
        snprintf(points[i], sizeof points[i], "a.seen:n=%d", i);
        rows[i] = (struct row){ points[i], "gpu", CK_V_SEEN, NULL, "x" };
    }
    save("old", machine, rows, 40, true);
    for (int i = 0; i < 40; i++)
        rows[i].seen = i < 30 ? "y" : "x";
    save("new", machine, rows, 35, true);
    snprintf(line, sizeof line, "diff %s %s --part", in("old"), in("new"));
    assert_int_equal(capture(cmd_diff, line), 3);
    assert_has(captured_out, "observed               5          30           0           0\n");
    assert_has(captured_out, "  ... and 10 more\n");
    assert_has(captured_out, "no documented rule became worse\n");
}

static void lines_about_recorded(void **state)
{
    static const struct row old[] = { { "a.b", "gpu", CK_V_SEEN, NULL, "x" }, { "a.c", "gpu", CK_V_PASS } };
    static const struct row same[] = { { "a.c", "gpu", CK_V_PASS } };
    static const struct row one[] = { { "a.b", "gpu", CK_V_SEEN, NULL, "y" } };
    static const struct row both[] = { { "a.b", "gpu", CK_V_SEEN, NULL, "y" }, { "a.d", "gpu", CK_V_PASS } };
    static const struct row added[] = { { "a.d", "gpu", CK_V_PASS }, { "a.e", "gpu", CK_V_PASS } };
    static const struct {
        const struct row *rows;
        size_t count;
        const char *line;
    } tries[] = {
        { same, 1, "as recorded for H200, driver 580" },
        { one, 1, "as recorded for H200, driver 580 except for 1 change" },
        { both, 2, "as recorded for H200, driver 580 except for 1 change, and 1 not recorded" },
        { added, 2, "as recorded for H200, driver 580, 2 not recorded" },
    };
    struct loaded recorded, run;
    struct ck_comparison c;
    char text[256], *report;

    (void)state;
    SAVE("old", old);
    recorded = load("old");
    index_it(&recorded);
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        save("new", machine, tries[i].rows, tries[i].count, true);
        run = load("new");
        index_it(&run);
        assert_true(ck_compare_recorded(&run.entries, &recorded.entries, 1, &c));
        ck_comparison_line(&c, &recorded.file.head, text, sizeof text);
        assert_string_equal(text, tries[i].line);
        const struct ck_report_options options = { .comparison = &c,
                                                   .recorded = &recorded.file.head,
                                                   .note = "the end" };
        for (int f = 0; f < CK_FORMATS; f++) {
            report = report_text("new", (enum ck_format)f, &options);
            if (f == CK_FORMAT_HUMAN || f == CK_FORMAT_MARKDOWN || f == CK_FORMAT_HTML)
                assert_has(report, tries[i].line);
            if (f == CK_FORMAT_HUMAN)
                assert_has(report, "the end\n");
            if (i == 1 && (f == CK_FORMAT_HUMAN || f == CK_FORMAT_MARKDOWN || f == CK_FORMAT_HTML))
                assert_has(report, "  a.b on gpu\n    was seen: x\n    is  seen: y\n");
            free(report);
        }
        ck_comparison_free(&c);
        unload(&run);
    }
    unload(&recorded);
}

/* What the first recorded file lacks is looked up in the second. */
static void further_files_stand_in(void **state)
{
    static const struct row first[] = { { "a.b", "gpu", CK_V_PASS } };
    static const struct row second[] = { { "a.b", "gpu", CK_V_FAIL }, { "a.b", "ptxas-12.4", CK_V_PASS } };
    static const struct row now[] = { { "a.b", "gpu", CK_V_PASS }, { "a.b", "ptxas-12.4", CK_V_PASS } };
    struct loaded l[3];
    struct ck_comparison c;

    (void)state;
    SAVE("first", first);
    SAVE("second", second);
    SAVE("now", now);
    l[0] = load("first");
    l[1] = load("second");
    l[2] = load("now");
    for (int i = 0; i < 3; i++)
        index_it(&l[i]);
    assert_true(ck_compare_recorded(&l[2].entries, (struct ck_entries[]){ l[0].entries, l[1].entries }, 2, &c));
    assert_int_equal(c.count, 0);
    assert_int_equal(c.documented[CK_UNCHANGED], 2);
    ck_comparison_free(&c);
    for (int i = 0; i < 3; i++)
        unload(&l[i]);
}

static void the_recorded_file_of_a_machine(void **state)
{
    static const struct row rows[] = { { "a.b", "gpu", CK_V_PASS } };
    struct ck_run_head head = machine;
    char found[256], shelf[256];
    FILE *to;

    (void)state;
    snprintf(shelf, sizeof shelf, "%s", in("shelf"));
    assert_int_equal(mkdir(shelf, 0700), 0);
    assert_false(ck_recorded_for("/nowhere", &machine, found, sizeof found));
    head.driver = "570.10";
    save("shelf/a.jsonl", head, rows, 1, true);
    assert_false(ck_recorded_for(shelf, &machine, found, sizeof found));
    head.driver = "580.1";
    save("shelf/b.jsonl", head, rows, 1, true);
    assert_true(ck_recorded_for(shelf, &machine, found, sizeof found));
    assert_non_null(strstr(found, "b.jsonl"));
    head.driver = "580.159.04";
    save("shelf/c.jsonl", head, rows, 1, true);
    save("shelf/d.jsonl", head, rows, 1, true);
    to = fopen(in("shelf/e.jsonl"), "w"); /* no record file: passed over with a line */
    fclose(to);
    to = fopen(in("shelf/readme"), "w");
    fclose(to);
    assert_true(ck_recorded_for(shelf, &machine, found, sizeof found));
    assert_non_null(strstr(found, "c.jsonl"));
    head = (struct ck_run_head){ .version = "0.1" };
    assert_false(ck_recorded_for(shelf, &head, found, sizeof found));
    head.device = machine.device;
    assert_false(ck_recorded_for(shelf, &head, found, sizeof found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_taken_apart),
        cmocka_unit_test(repeats_are_told),
        cmocka_unit_test(the_human_report),
        cmocka_unit_test(many_failures_and_reasons),
        cmocka_unit_test(a_flood_is_cut),
        cmocka_unit_test(an_unended_run_is_told),
        cmocka_unit_test(exit_statuses),
        cmocka_unit_test(formats_for_programs),
        cmocka_unit_test(the_page_needs_nothing_else),
        cmocka_unit_test(a_refusing_stream_is_told),
        cmocka_unit_test(the_matrix),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(only_observed_changes),
        cmocka_unit_test(lines_about_recorded),
        cmocka_unit_test(further_files_stand_in),
        cmocka_unit_test(the_recorded_file_of_a_machine),
    };

    return cmocka_run_group_tests_name("report", tests, make_folder, drop_folder);
}
