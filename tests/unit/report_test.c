/* Reports and tables of small made-up runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "harness/commands/cmd.h"
#include "tests/unit/runs.h"

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
    assert_true(ck_point_is_mutant("a.b:x=1!64B"));
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

static void repeats_are_reported(void **state)
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

static void an_unended_run_is_reported(void **state)
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

static void formats_for_programs(void **state)
{
    char error[512];
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

static void a_refusing_stream_is_reported(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_taken_apart),
        cmocka_unit_test(repeats_are_reported),
        cmocka_unit_test(the_human_report),
        cmocka_unit_test(many_failures_and_reasons),
        cmocka_unit_test(a_flood_is_cut),
        cmocka_unit_test(an_unended_run_is_reported),
        cmocka_unit_test(exit_statuses),
        cmocka_unit_test(formats_for_programs),
        cmocka_unit_test(the_page_needs_nothing_else),
        cmocka_unit_test(a_refusing_stream_is_reported),
        cmocka_unit_test(the_matrix),
    };

    return cmocka_run_group_tests_name("report", tests, make_folder, drop_folder);
}
// SPDX-License-Identifier: Apache-2.0
