/* The catalogue's lint, on cases that have something to complain about. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "harness/commands/cmd.h"
#include "harness/lint/lint.h"
#include "tests/unit/capture.h"

static const struct ck_rule one = { .id = "lint.one", .family = "lint", .needs = "", .sentence = "S.", .source = "s" };
static const struct ck_rule two = { .id = "lint.two", .family = "lint", .needs = "", .sentence = "S.", .source = "s" };

struct args {
    struct ck_head head;
};

static void launch(struct ck *t, const char *kernel)
{
    const struct ck_buf b = ck_output(t, 16), in = ck_input(t, 16);
    struct ck_tmap map;
    const struct tensor_map call = { .rank = 1 };
    const struct args a = { 0 };

    ck_encode(t, &call, in, &map);
    ck_launch(t, &(struct ck_launch){ .kernel = kernel, .args = &a, .size = sizeof a });
    ck_filled(t, b, 0, 16, CK_POISON);
}

static void launches(struct ck *t)
{
    launch(t, "there");
    launch(t, "there");
}

static void launches_nothing(struct ck *t)
{
    launch(t, "absent");
}

static void dies(struct ck *t)
{
    (void)t;
    raise(SIGABRT);
}

#define ROW .assemble = "$;", .target = "sm_90", .version = "8.0"

static const struct ck_case cases[] = {
    { .rule = &one,
      .at = "a.c:1",
      .run = launches,
      .mutants = { { "same", "x", .kernel = "same" }, { "other", "x", .kernel = "other" } } },
    { .rule = &one, .at = "a.c:2", .run = launches_nothing, .no_mutant = "x" },
    { .rule = &one, .at = "a.c:3", .name = "n", .run = launches },
    { .rule = &one, .at = "a.c:4", .name = "o", .run = dies, .no_mutant = "x" },
    { .rule = &one, .at = "a.c:5", .name = "p", ROW, .accept = "x", .refuse = "y" },
    { .rule = &one, .at = "a.c:6", .name = "q", ROW, .accept = "x" },
    { .rule = &one, .at = "a.c:7", .name = "r", ROW, .seen = "x" },
    { .rule = &one, .at = "a.c:8", .name = "s", ROW, .accept = "x y x", .refuse = "z|z" },
    { 0 },
};
static const struct ck_case malformed[] = {
    { .rule = &two,
      .at = "a.c:9",
      .run = launches,
      .no_mutant = "x",
      .mutants = { { "m", NULL, .kernel = "other" }, { "m", "y" } },
      .breaches = { { "b", "y" }, { "c", "y", .set = "a=3 z=4" } },
      .axes = { { "a", "1" }, { "a", "2" } } },
    { .rule = &two, .at = "a.c:10", .name = "n", ROW },
    { .rule = &two, .at = "a.c:11", .name = "o", ROW, .encode = "rank=$", .accept = "1", .refuse = "6" },
    { 0 },
};
static const struct ck_suite suite = { "lint", cases }, malformed_suite = { "malformed", malformed };
static const struct ck_suite *const suites[] = { &suite, NULL }, *const malformed_suites[] = { &malformed_suite, NULL };

static char *complaints;
static size_t complaints_size;

static struct ck_lint begin(void)
{
    return (struct ck_lint){ .to = open_memstream(&complaints, &complaints_size) };
}

static void end(struct ck_lint *l)
{
    fclose(l->to);
}

static void cases_are_checked(void **state)
{
    struct ck_lint l = begin();

    (void)state;
    ck_lint_cases(&l, suites);
    ck_lint_cases(&l, malformed_suites);
    end(&l);
    assert_has(complaints, "a.c:2: the case at a.c:1 has the same rule and name\n");
    assert_has(complaints, "a.c:3: no mutant, and no reason why not\n");
    assert_has(complaints, "a.c:6: no mutant, and no reason why not\n");
    assert_lacks(complaints, "a.c:5:");
    assert_lacks(complaints, "a.c:7:");
    assert_has(complaints, "a.c:8: two points have the name ");
    assert_has(complaints, "a.c:9: has a mutant and a reason for having none\n");
    assert_has(complaints, "a.c:9: mutant m does not say what it changes\n");
    assert_has(complaints, "a.c:9: variant c sets z, which is no axis of the case\n");
    assert_lacks(complaints, "sets a,");
    assert_has(complaints, "a.c:9: two mutants are called m\n");
    assert_has(complaints, "a.c:9: two axes are called a\n");
    assert_lacks(complaints, "breach b");
    assert_has(complaints, "a.c:10: a row needs accept, refuse or seen\n");
    assert_has(complaints, "a.c:11: a case is one of run, assemble, encode, compile, cuda and python\n");
    assert_has(complaints, "a.c:10: the case of lint.two has no point\n");
    free(complaints);
}

static const char text[] =
    "/* ---- a heading ---- */\n"
    "static void bare(struct ck *t)\n{\n    ck_expect(t, \"x\", ck_variant(t, \"made\"), 0);\n}\n"
    "/* Says what must come. */\n"
    "static void told(struct ck *t)\n{\n    if (ck_variant(t, \"mispelt\"))\n        return;\n"
    "    ck_variant(t, name);\n}\n";

/* The text of cases: run functions have a sentence, and variants are asked for by names that exist. */
static void sources_are_checked(void **state)
{
    char folder[] = "/tmp/copycheck_lint_XXXXXX", path[64], at[80];
    struct ck_case written[] = { { .rule = &one,
                                   .at = at,
                                   .run = launches,
                                   .mutants = { { "made", "x" }, { "kernel", "x", .kernel = "k" }, { "idle", "x" } } },
                                 { 0 } };
    const struct ck_suite s = { "written", written };
    const struct ck_suite *const both[] = { &s, NULL };
    struct ck_lint l = begin();
    FILE *to;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/case.c", folder);
    snprintf(at, sizeof at, "%s:9", path);
    assert_non_null(to = fopen(path, "w"));
    fputs(text, to);
    fclose(to);
    ck_lint_sources(&l, both);
    ck_lint_sources(
        &l, suites); /* the file that it names is not there: nothing of it is read, and its variants name kernels */
    remove(path);
    remove(folder);
    ck_lint_sources(&l, both);
    end(&l);
    assert_has(complaints, "/case.c:2: no sentence above bare");
    assert_lacks(complaints, "told");
    assert_has(complaints, "/case.c:9: no case here has a variant 'mispelt'\n");
    assert_lacks(complaints, "'made'");
    assert_has(complaints, "/case.c:11: ck_variant takes the name of a variant in quotes\n");
    assert_has(complaints,
               "/case.c:9: variant idle sets no axis, names no kernel, and nothing asks ck_variant for it\n");
    assert_lacks(complaints, "variant kernel");
    assert_has(complaints, "No such file or directory (lint runs in the top folder)\n");
    free(complaints);
}

static void rules_are_checked(void **state)
{
    struct ck_lint l = begin();
    const struct ck_suite *const none[] = { NULL };
    size_t owed = 0;

    (void)state;
    ck_lint_rules(&l, none);
    end(&l);
    for (const struct ck_rule *const *r = ck_rules; *r; r++)
        owed += !(*r)->no_case;
    assert_int_equal(l.complaints, owed); /* nothing else is wrong with the catalogue */
    assert_has(complaints, ": no case cites it, and its row does not say why\n");
    free(complaints);
}

static void listings_are_checked(void **state)
{
    static const struct ck_case pages[] = {
        { CK_LISTING(000_transpose_swizzle), .run = launches_nothing, .no_mutant = "it does nothing",
          .breaches = { { "no-wait", "do not wait", .kernel = "no_wait" } } },
        { 0 },
    };
    static const struct ck_suite page_suite = { "listings", pages };
    const struct ck_suite *const page_suites[] = { &page_suite, NULL };
    struct ck_lint l = begin();

    (void)state;
    ck_lint_listings(&l, page_suites);
    end(&l);
    assert_has(complaints, "listing.000.transpose-swizzle: no case has the breach no-fence\n");
    assert_has(complaints, ": the row of listing.000.transpose-swizzle does not say what no-wait breaks\n");
    assert_has(complaints, "rule listing.000.rmw-1d: no case cites it, and its row does not say why\n");
    assert_lacks(complaints, "no rule has the id");
    assert_lacks(complaints, "its C name");
    free(complaints);
}

static const char ptx[] = ".version 9.0\n"
                          ".visible .entry there(\n\t.param .b8 there_param_0[16]\n)\n{\n"
                          "\t.loc\t1 2 3\n\tld.param.u64 %rd1, [there_param_0];\n$L__BB0_1:\n\tadd.s32 %r1, %r2, 3;\n"
                          "\tst.shared [_Z4bodyILi0EE], %r1;\n\tret;\n}\n"
                          ".visible .entry there__same(\n\t.param .b8 there__same_param_0[16]\n)\n{\n"
                          "\t// a comment\n\tld.param.u64 %rd1, [there__same_param_0];\n$L__BB1_1:\n$L__tmp4:\n"
                          "\tadd.s32 %r1, %r2, 3;\n\tst.shared [_Z4bodyILi1EE], %r1;\n\tret;\n}\n"
                          ".visible .entry there__other(\n\t.param .b8 there__other_param_0[16]\n)\n{\n"
                          "\tld.param.u64 %rd1, [there__other_param_0];\n$L__BB2_1:\n\tadd.s32 %r1, %r2, 4;\n"
                          "\tst.shared [_Z4bodyILi2EE], %r1;\n\tret;\n}\n";

static void entries_are_compared(void **state)
{
    char *a = ck_ptx_entry(ptx, "there"), *b = ck_ptx_entry(ptx, "there__same"), *c = ck_ptx_entry(ptx, "there__other");

    (void)state;
    assert_non_null(a);
    assert_string_equal(a, b);
    assert_string_not_equal(a, c);
    assert_null(ck_ptx_entry(ptx, "the"));
    free(a);
    free(b);
    free(c);
}

static void kernels_are_looked_up(void **state)
{
    char folder[] = "/tmp/copycheck_lint_XXXXXX", path[64], command[64];
    struct ck_lint l = begin();
    FILE *to;

    (void)state;
    assert_non_null(mkdtemp(folder));
    ck_lint_kernels(&l, suites, "/nowhere");
    assert_false(l.kernels_known);
    ck_lint_kernels(&l, suites, folder);
    assert_false(l.kernels_known);
    assert_int_equal(l.complaints, 0);
    snprintf(path, sizeof path, "%s/there.ptx", folder);
    to = fopen(path, "w");
    fputs(ptx, to);
    fclose(to);
    ck_lint_kernels(&l, suites, folder);
    end(&l);
    assert_true(l.kernels_known);
    assert_has(complaints, "a.c:1: there__same has the same PTX as there\n");
    assert_has(complaints, "a.c:2: lint.one#2 launches absent, which no file of kernels/ has\n");
    assert_has(complaints, "a.c:4: the case dies of signal 6 (Aborted) where kernels do nothing\n");
    assert_lacks(complaints, "there__other");
    assert_int_equal(l.complaints, 3);
    free(complaints);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void documents_are_read(void **state)
{
    char path[] = "/tmp/copycheck_lint_XXXXXX", line[128];
    FILE *to = fdopen(mkstemp(path), "w");
    struct ck_lint l = begin();

    (void)state;
    fputs("`cpasync.size.set` and `cpasync.size.set:accept=4` are there,\n"
          "`cpasync.size.sett` is not, nor is `mbarrier.nothing.such`;\n"
          "`mbarrier.try_wait.parity`, `bulk.md`, `cp.async.bulk`, `int x.y`, `unknown.word` are no ids, `open\n",
          to);
    fclose(to);
    ck_lint_document(&l, path);
    ck_lint_document(&l, "/nowhere");
    end(&l);
    assert_has(complaints, ":2: no rule has the id cpasync.size.sett\n");
    assert_has(complaints, ":2: no rule has the id mbarrier.nothing.such\n");
    assert_has(complaints, "/nowhere: No such file or directory\n");
    assert_int_equal(l.complaints, 3);
    free(complaints);

    snprintf(line, sizeof line, "lint --kernels /nowhere %s", path);
    assert_int_equal(capture(cmd_lint, line), 1);
    assert_has(captured_out, "no rule has the id cpasync.size.sett\n");
    assert_has(captured_out, "kernels: not looked at, /nowhere has no PTX\n");
    assert_int_equal(capture(cmd_lint, "lint --help"), 0);
    assert_int_equal(capture(cmd_lint, "lint --colour"), 2);
    capture_free();
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_checked),    cmocka_unit_test(sources_are_checked),
        cmocka_unit_test(rules_are_checked),    cmocka_unit_test(listings_are_checked),
        cmocka_unit_test(entries_are_compared), cmocka_unit_test(kernels_are_looked_up),
        cmocka_unit_test(documents_are_read),
    };

    return cmocka_run_group_tests_name("lint", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
