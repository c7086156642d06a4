/* Record files compared: two runs, a run with recorded ones, and which recorded file belongs to a machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "harness/commands/cmd.h"
#include "tests/unit/runs.h"

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
    assert_has(captured_out, "documented points that are gone\n  a.gone on gpu\n    pass\n\n");
    assert_has(captured_out, "a documented rule fails that did not\n1 documented point is gone\n");
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

/* A documented point that is gone fails; a run that did not end gives no verdict on what it lacks. */
static void gone_and_unended(void **state)
{
    static const struct row before[] = { { "a.b", "gpu", CK_V_PASS },
                                         { "a.c", "gpu", CK_V_PASS },
                                         { "a.c!m", "gpu", CK_V_KILLED },
                                         { "a.skip", "gpu", CK_V_SKIP, "needs sm_100a" } };
    static const struct {
        const char *options, *last;
        size_t rows;
        bool old_ended, new_ended;
        int status;
    } cases[] = {
        { "", "\n1 documented point is gone\n", 1, true, true, 1 },
        { "", "\nno documented rule became worse\n", 2, true, true, 3 }, /* a mutant and a skip */
        { "", "\n1 documented point is gone\nno verdict on the rest: the new run did not end\n", 1, true, false, 1 },
        { " --part", "\nnothing changed\n", 1, true, true, 0 },
        { " --part", "\nno verdict on the rest: the new run did not end\n", 1, true, false, 2 },
        { "", "\nno verdict on the rest: the new run did not end\n", 4, true, false, 2 },
        { "", "\nno verdict on the rest: the old run did not end\n", 4, false, true, 2 },
    };
    struct ck_run_head head = machine;
    char line[512];

    (void)state;
    head.planned = 4;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        save("old", head, before, 4, cases[i].old_ended);
        save("new", head, before, cases[i].rows, cases[i].new_ended);
        snprintf(line, sizeof line, "diff%s %s %s", cases[i].options, in("old"), in("new"));
        if (capture(cmd_diff, line) != cases[i].status)
            fail_msg("%zu: %s%s", i, captured_out, captured_err);
        assert_has(captured_out, cases[i].last);
        if (!cases[i].new_ended)
            assert_has(captured_out, "of 4 (the run did not end)\n");
    }
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
    struct ck_run_head head = machine;
    struct ck_comparison c;

    (void)state;
    head.engines = "gpu,ptxas-12.4";
    save("first", head, first, 1, true);
    save("second", head, second, 2, true);
    save("now", head, now, 2, true);
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
        cmocka_unit_test(comparisons),
        cmocka_unit_test(only_observed_changes),
        cmocka_unit_test(lines_about_recorded),
        cmocka_unit_test(gone_and_unended),
        cmocka_unit_test(further_files_stand_in),
        cmocka_unit_test(the_recorded_file_of_a_machine),
    };

    return cmocka_run_group_tests_name("compare", tests, make_folder, drop_folder);
}
// SPDX-License-Identifier: Apache-2.0
