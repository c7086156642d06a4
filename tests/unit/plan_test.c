/* Plans: cases taken apart into points with stable names, and selections of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/records/record.h"
#include "harness/plan/plan.h"

static const struct ck_rule one = { .id = "plan.one", .family = "first", .needs = "", .sentence = "S.", .source = "s" };
static const struct ck_rule two = {
    .id = "plan.two", .family = "second", .needs = "", .sentence = "S.", .source = "s"
};
static const struct ck_rule open = {
    .id = "plan.open", .family = "second", .evidence = CK_OBSERVED, .needs = "", .sentence = "S.", .source = "s"
};

static void nothing(struct ck *t)
{
    (void)t;
}

static bool odd(struct ck *t)
{
    return ck_int(t, "n") % 2 != 0;
}

static bool asks_too_much(struct ck *t)
{
    return ck_int(t, "colour") == 0;
}

static const struct ck_case good[] = {
    { .rule = &one,
      .at = "p.c:1",
      .run = nothing,
      .axes = { { "n", "0..9" }, { "side", "low high" } },
      .mutants = { { "none", "x", .set = "side=none n=0x10", .only = "side=low n=2/4/6/8" },
                   { "kernel", "x", .kernel = "k", .only = "colour=red" } },
      .breaches = { { "late", "x", .kernel = "late", .only = "n=3", .faults = true } } },
    { .rule = &one, .at = "p.c:2", .name = "odd", .run = nothing, .axes = { { "n", "-2..3" } }, .valid = odd },
    { .rule = &one, .at = "p.c:3", .name = "asks", .run = nothing, .axes = { { "n", "1" } }, .valid = asks_too_much },
    { .rule = &two,
      .at = "p.c:4",
      .assemble = "op.$ ${type}, ${type}",
      .axes = { { "type", "u8 f16" } },
      .accept = "a b|[c],{d}|",
      .refuse = "x|x",
      .mutants = { { "given", "x", .set = "$=z" } } },
    { .rule = &open, .at = "p.c:5", .encode = "rank=$", .accept = "1", .refuse = "6" },
    { 0 },
};
static const struct ck_suite suite = { "plan", good };
static const struct ck_suite *const suites[] = { &suite, NULL };

static struct ck_plan made(bool mutants)
{
    struct ck_plan plan;
    char error[256] = "";

    if (!ck_plan_make(suites, mutants, &plan, error, sizeof error))
        fail_msg("%s", error);
    return plan;
}

static void points_have_names(void **state)
{
    static const char *const names[] = {
        "plan.one:n=0,side=low",
        "plan.one:n=0,side=high",
        "plan.one:n=9,side=high",
        "plan.one:n=3,side=low~late",
        "plan.one:n=3,side=high~late",
        "plan.one/odd:n=-1",
        "plan.one/odd:n=1",
        "plan.one/odd:n=3",
        "plan.one/asks:n=1",
        "plan.two:type=u8,accept=a_b",
        "plan.two:type=u8,accept=_c___d_",
        "plan.two:type=f16,accept=none",
        "plan.two:type=f16,refuse=x",
        "plan.two:type=f16,refuse=x#2",
        "plan.open:accept=1",
    };
    struct ck_plan plan = made(false);

    (void)state;
    assert_int_equal(plan.count, 20 + 2 + 3 + 1 + 10 + 2);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct ck_point *p = ck_plan_find(&plan, names[i]);
        if (!p) {
            fail_msg("no %s", names[i]);
            continue;
        }
        assert_string_equal(p->name, names[i]);
        assert_int_equal(p->faults, strstr(names[i], "~late") != NULL);
    }
    assert_null(ck_plan_find(&plan, "plan.one/odd:n=2"));
    assert_string_equal(ck_plan_find(&plan, "plan.one:n=3,side=low~late")->base, "plan.one:n=3,side=low");
    ck_plan_free(&plan);
    assert_null(ck_plan_find(&plan, names[0]));
}

/* A mutant has points at the first, the middle and the last of the points that it fits. */
static void mutants_stand_where_they_fit(void **state)
{
    struct ck_plan plan = made(true);
    const struct ck_point *p = ck_plan_find(&plan, "plan.one:n=2,side=low!none");

    (void)state;
    assert_non_null(p);
    assert_string_equal(ck_point_value(p, "side"), "none");
    assert_string_equal(ck_point_value(p, "n"), "0x10");
    assert_null(ck_point_value(p, "colour"));
    assert_non_null(ck_plan_find(&plan, "plan.one:n=6,side=low!none"));
    assert_non_null(ck_plan_find(&plan, "plan.one:n=8,side=low!none"));
    assert_null(ck_plan_find(&plan, "plan.one:n=4,side=low!none"));
    assert_null(ck_plan_find(&plan, "plan.one:n=2,side=high!none"));
    assert_null(ck_plan_find(&plan, "plan.open:accept=6!other-side")); /* what does not gate cannot turn */
    for (size_t i = 0; i < plan.count; i++)
        assert_null(strstr(plan.points[i].name, "!kernel"));
    assert_non_null(ck_plan_find(&plan, "plan.two:type=u8,accept=x!other-side"));
    ck_plan_free(&plan);
}

static void texts_of_rows(void **state)
{
    struct ck_plan plan = made(true);
    const struct ck_point *p = ck_plan_find(&plan, "plan.two:type=u8,accept=_c___d_");
    char *text = ck_point_text(p, p->c->assemble);

    (void)state;
    assert_string_equal(text, "op.[c],{d} u8, u8");
    free(text);
    p = ck_plan_find(&plan, "plan.two:type=u8,accept=a_b!given");
    assert_non_null(p);
    text = ck_point_text(p, p->c->assemble);
    assert_string_equal(text, "op.z u8, u8");
    free(text);
    assert_null(ck_point_text(p, "${colour}"));
    text = ck_point_text(p, "$$ {");
    assert_string_equal(text, "zz {");
    free(text);
    ck_plan_free(&plan);
}

static void malformed_cases_are_named(void **state)
{
    static const struct ck_case rows[][2] = {
        { { .rule = &one, .at = "p.c:1", .run = nothing, .axes = { { "n", " " } } } },
        { { .rule = &one, .at = "p.c:1", .run = nothing, .axes = { { "n", "0..5000" } } } },
        { { .rule = &one, .at = "p.c:1", .run = nothing, .assemble = "x" } },
        { { .rule = &one, .at = "p.c:1" } },
        { { .rule = &one, .at = "p.c:1", .run = nothing, .axes = { { "n", "2" } }, .valid = odd } },
    };
    static const char *const errors[] = {
        "p.c:1: axis n has no value, or too many",
        "p.c:1: axis n has no value, or too many",
        "p.c:1: a case is one of run, assemble, encode, compile, cuda, python",
        "p.c:1: a case is one of run, assemble, encode, compile, cuda, python",
        "p.c:1: the case of plan.one has no point",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ck_suite bad = { "bad", rows[i] };
        struct ck_plan plan;
        char error[256] = "";

        assert_false(ck_plan_make((const struct ck_suite *const[]){ &bad, NULL }, true, &plan, error, sizeof error));
        assert_string_equal(error, errors[i]);
        ck_plan_free(&plan);
    }
}

/* Of points that may fault, one for each rule and breach is not spare; of others none is. */
static void one_fault_of_each_kind(void **state)
{
    static const struct ck_rule a = { .id = "a" }, b = { .id = "b" };
    static const struct ck_case of_a = { .rule = &a }, more_of_a = { .rule = &a, .name = "more" },
                                of_b = { .rule = &b };
    static const struct ck_variant off = { .name = "off" }, other = { .name = "other" };
    static const struct ck_point points[] = {
        { .c = &of_a, .faults = true },                                  /* kept */
        { .c = &of_a, .variant = &off, .faults = true },                 /* kept */
        { .c = &of_a, .variant = &off, .faults = true },                 /* another choice of axes */
        { .c = &more_of_a, .variant = &off, .faults = true },            /* another case of the rule */
        { .c = &of_a, .variant = &other, .faults = true },               /* kept */
        { .c = &of_b, .variant = &off, .faults = true },                 /* kept */
        { .c = &of_a, .variant = &off, .mutant = true, .faults = true }, /* kept: a mutant gates */
        { .c = &of_a, .variant = &off },                                 /* does not fault */
        { .c = &of_a, .faults = true },
    };
    static const bool expected[] = { false, false, true, true, false, false, false, false, true };
    const struct ck_point *list[9];
    bool *spare;

    (void)state;
    for (size_t i = 0; i < 9; i++)
        list[i] = &points[i];
    for (int by_rule = 0; by_rule < 2; by_rule++) {
        spare = ck_spare(list, 9, by_rule);
        assert_non_null(spare);
        for (size_t i = 0; i < 9; i++)
            assert_int_equal(spare[i], expected[i] || (by_rule && points[i].variant == &other));
        free(spare);
    }
}

static size_t selected(const struct ck_plan *plan, const char *expected_error, char **selects, size_t count)
{
    char error[256] = "";
    size_t n = 0;
    const struct ck_point **points = ck_select(plan, selects, count, &n, error, sizeof error);

    assert_string_equal(error, expected_error);
    assert_int_equal(points == NULL, *expected_error != 0);
    for (size_t i = 1; i < n; i++)
        assert_true(points[i] > points[i - 1]);
    free(points);
    return n;
}

#define SELECT(error, ...)                                                                                             \
    selected(&plan, error, (char *[]){ __VA_ARGS__ }, sizeof((char *[]){ __VA_ARGS__ }) / sizeof(char *))

static void selections(void **state)
{
    struct ck_plan plan = made(false);
    char path[] = "/tmp/copycheck_plan_XXXXXX", failed[64];
    FILE *to = fdopen(mkstemp(path), "w");

    (void)state;
    assert_int_equal(selected(&plan, "", NULL, 0), plan.count);
    assert_int_equal(SELECT("", "plan.one:n=3*"), 4);
    assert_int_equal(SELECT("", "plan.one/odd:n=-1", "plan.one/odd:*"), 3);
    assert_int_equal(SELECT("", "rule:plan.two"), 10);
    assert_int_equal(SELECT("", "rule:plan.o*"), 28);
    assert_int_equal(SELECT("", "family:second"), 12);
    SELECT("'rule:plan.three' names no point; near is plan.one, and copycheck list shows them all", "rule:plan.three");
    SELECT("'plan.twu:n=1' names no point; near is plan.two, and copycheck list shows them all", "plan.*",
           "plan.twu:n=1");
    SELECT("'family:secnd' names no point; near is family:second, and copycheck list shows them all", "family:secnd");
    SELECT("'plan.two' names no point, but a rule: rule:plan.two has its points", "plan.two");
    SELECT("'second' names no point, but a family: family:second has its points", "second");
    SELECT("/nowhere: No such file or directory", "failed:/nowhere");

    snprintf(failed, sizeof failed, "failed:%s", path);
    ck_write_head(to, &(struct ck_run_head){ .version = "0.1" }, NULL);
    fflush(to);
    SELECT("nothing is selected", failed);
    for (int i = 0; i < 4; i++) {
        const char *const points[] = { "plan.one/odd:n=1", "plan.one/odd:n=3", "plan.gone", "plan.one/asks:n=1" };
        ck_write_record(to,
                        &(struct ck_record){ .point = points[i],
                                             .engine = "gpu",
                                             .rule = "x",
                                             .family = "x",
                                             .verdict = i == 1 ? CK_V_PASS
                                                        : i    ? CK_V_HANG
                                                               : CK_V_FAIL },
                        NULL);
    }
    fclose(to);
    assert_int_equal(SELECT("", failed), 2);
    assert_int_equal(SELECT("", failed, "rule:plan.open"), 4);
    unlink(path);
    ck_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_have_names),      cmocka_unit_test(mutants_stand_where_they_fit),
        cmocka_unit_test(texts_of_rows),          cmocka_unit_test(malformed_cases_are_named),
        cmocka_unit_test(one_fault_of_each_kind), cmocka_unit_test(selections),
    };

    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
