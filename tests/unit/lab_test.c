/* What a lab says of its launches, and what a submission may not hold. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/lab/launch.h"
#include "harness/lab/scan.h"
#include "harness/lab/verdict.h"
#include "harness/lab/words.h"

static uint32_t drawn, words_of_step[2][4];

static void first_step(struct lab_launch *l)
{
    const uint32_t before[4] = { 1, 2, 3, 4 }, after[4] = { 5, 6, 7, 8 };

    drawn = lab_draw(l, 32, 96, 16);
    memcpy(words_of_step[0], lab_words(l, 4), sizeof words_of_step[0]);
    lab_block(l, 64, 2, 1);
    lab_smem(l, 4096);
    assert_int_equal(lab_inout(l, before, after, sizeof before), 0);
    assert_int_equal(lab_in(l, after, sizeof after), 1);
}

static void second_step(struct lab_launch *l)
{
    lab_draw(l, 32, 96, 16);
    memcpy(words_of_step[1], lab_words(l, 4), sizeof words_of_step[1]);
    if (!lab_left(l, 0, 1))
        lab_wrong(l, "a.rule", "%s", "nothing was left");
}

static const struct lab lab = { .id = "L99", .file = "x.cu", .kernel = "x", .prepare = { first_step, second_step } };

static void test_sizes(void **state)
{
    uint32_t seen = 0;

    (void)state;
    for (unsigned size = 0; size < LAB_SIZES; size++)
        for (uint64_t seed = 0; seed < 50; seed++) {
            struct lab_launch *l = lab_launch_new(&lab, size, 0, seed, NULL);
            assert_non_null(l);
            if (!size)
                assert_int_equal(drawn, 32);
            assert_true(drawn >= 32 && drawn <= 96 && drawn % 16 == 0);
            seen |= 1u << (drawn / 16);
            lab_launch_free(l);
        }
    assert_int_equal(seen, 0x7c); /* each of 32, 48 ... 96 */
}

static void test_steps(void **state)
{
    struct lab_launch *one = lab_launch_new(&lab, 2, 0, 7, NULL), *two = lab_launch_new(&lab, 2, 1, 7, one);

    (void)state;
    assert_memory_equal(words_of_step[0], words_of_step[1], sizeof words_of_step[0]);
    assert_string_equal(two->wrong[0].rule, "a.rule");
    assert_string_equal(two->wrong[0].text, "nothing was left");
    assert_int_equal(one->args.smem, 4096);
    assert_int_equal(one->args.block[1], 2);
    assert_int_equal(one->args.args[0].data[0], 1);
    assert_int_equal(one->buffers[0].expected[0], 5);
    assert_false(one->buffers[0].in);
    assert_true(one->buffers[1].in);
    lab_launch_free(two);
    lab_launch_free(one);
}

static void test_sources(void **state)
{
    static const struct {
        const char *text, *why; /* NULL: it may be handed in */
    } rows[] = {
        { "#include \"lab.cuh\"\n", NULL },
        { "#include <cuda/barrier>\r\n#define N 4 /* # of them */\n#if N\n#endif\n#pragma unroll\n", NULL },
        { "int a = 1'000, b = 'x'; const char *c = \"#include \\\"x\\\"\"; // #include <x>\n", NULL },
        { "/*\n#include \"x\"\n*/ int a;\n#  \n", NULL },
        { "\n#include \"x\"\n", "line 2: #include" },
        { "int a; \\\n\n#include \"x\"\n", "line 3: #include" },
        { "'/*'\n#include \"x\"\n//'*/'\n", "line 2: #include" },
        { "u8\"/*\"\n#include \"x\"\n//*/\n", "line 2: #include" },
        { "1'0/*'*/\n#include \"x\"\n", "line 2: #include" },
        { "u8R\"(x)\"", "raw string" },
        { "'a", "quote" },
        { "\"a\n\"", "quote" },
        { "/* a", "comment" },
        { "a ## b", "put together" },
        { "int \\u0061;", "backslash" },
        { "a\rb", "carriage" },
        { "int a?\?(2];", "line 1: a trigraph (?\?()" },
        { "int a = b ?? 1; // ?? and ??\n", NULL },
        { "#define TWO 1 + \\\r\n 1\n#include \"x\"\n", "line 3: #include" },
        { "#define TWO 1 + \\ \t\n 1\n", "line 1: blanks between a backslash" },
        { "int a; // the way C:\\ is written\n", NULL },
        { "/\\\n* a comment *\\\n/ int a;\n", NULL },
        { "float a = 1.5e-3f + 0x1p+4 - .5E+1, b = a / 2;\n", NULL },
        { "const char *a = \"\\\"#include\\\\\"; int $b, \xc3\xa4;\n", NULL },
        { "const char *a = \"a\\\n b\";\n", NULL },
        { "auto a = LR\"(x)\";", "raw string" },
        { "int BAR; BAR\"x\"", "raw string" },
        { "_Pragma(\"once\")", "line 1: _Pragma" },
        { "\n#if __has_include(\"x\")\n#endif\n", "line 2: __has_include" },
        { "#pragma GCC poison a\n", "line 1: #pragma GCC" },
        { "#pragma\n", "line 1: #pragma" },
        { "#", NULL },
        { "# \\\n\n", NULL },
        { "#import \"x\"\n", "line 1: #import" },
        { "#include MACRO \n", "line 1: #include MACRO: a lab includes" },
        { "%:include \"x\"\n", "line 1: #include" },
        { "a %:%: b", "put together" },
    };
    char why[300];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool fine = lab_scan_source(rows[i].text, strlen(rows[i].text), why, sizeof why);
        if (fine != !rows[i].why || (!fine && !strstr(why, rows[i].why)))
            fail_msg("%s: %s", rows[i].text, fine ? "accepted" : why);
    }
}

static void test_parameters(void **state)
{
    char names[2][32];
    static const char *const source = "/* f(a, b) does it */ void g(); extern \"C\" __global__ void\n"
                                      "f(const __grid_constant__ map<int, 2> m, float * const out) { }";

    (void)state;
    assert_true(lab_parameter_names(source + 22, "f", 2, 32, names));
    assert_string_equal(names[0], "m");
    assert_string_equal(names[1], "out");
    assert_false(lab_parameter_names(source, "f", 3, 32, names));
    assert_false(lab_parameter_names(source, "h", 2, 32, names));
}

static void test_wrap(void **state)
{
    char text[2000] = "", *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);

    (void)state;
    for (int i = 0; i < 200; i++)
        strcat(text, i % 7 ? "abc " : "longer, ");
    lab_wrap(f, "  label  ", 9, text);
    fclose(f);
    for (const char *line = out; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),      cmocka_unit_test(test_steps), cmocka_unit_test(test_sources),
        cmocka_unit_test(test_parameters), cmocka_unit_test(test_wrap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
