/* The engine that compiles CUDA Tile: what nvcc prints and writes, and the source around a row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/engines/cutile.h"
#include "harness/engines/nvcc.h"
#include "harness/engines/images.h"
#include "harness/engines/tile.h"
#include "harness/plan/plan.h"

static void refusals_are_read(void **state)
{
    static const struct {
        const char *output, *message;
        int line;
    } rows[] = {
        { "k.cu(6): error: template constraint not satisfied\n      auto t\n", "template constraint not satisfied", 6 },
        { "k.cu(12): error #20360: no tile here\n", "no tile here", 12 },
        { "nvcc fatal   : Unknown option '--enable-tile'\n", "Unknown option '--enable-tile'", 0 },
        { "k.cu(3): warning #1: what\n\nk.cu(9): error: second\n", "second", 9 },
        { "k.cu:4:10: fatal error: nosuch.h: No such file or directory\n", "nosuch.h: No such file or directory", 0 },
        { "error: 'cuda_tile.entry' op is refused\n", "'cuda_tile.entry' op is refused", 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char message[200];
        int line;

        assert_true(ck_nvcc_message(rows[i].output, &line, message, sizeof message));
        assert_string_equal(message, rows[i].message);
        assert_int_equal(line, rows[i].line);
    }
}

static void output_without_an_error_is_no_refusal(void **state)
{
    char message[200];
    int line;

    (void)state;
    assert_false(ck_nvcc_message("k.cu(3): warning #1: what\nRemark: nothing\n", &line, message, sizeof message));
    assert_string_equal(message, "");
    assert_int_equal(line, 0);
}

/* A file of ELF headers for a GPU, of which some hold the mark of a tile image. */
static void images_are_told_apart(void **state)
{
    static const char *const names[] = { "", "simt", "tile", "simt tile" };
    static const char elf[] = { 0x7f, 'E', 'L', 'F', 0 };
    unsigned char object[512];
    char got[32];

    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        memset(object, 0, sizeof object);
        if (k & 1) {
            strcpy((char *)object + 64, elf);
            object[64 + 18] = 190;
        }
        if (k & 2) {
            strcpy((char *)object + 256, elf);
            object[256 + 18] = 190;
            strcpy((char *)object + 400, "__CUDA_TILEIR_X");
        }
        ck_images(object, sizeof object, got, sizeof got);
        assert_string_equal(got, names[k]);
    }
    memset(object, 0, sizeof object);
    strcpy((char *)object, elf); /* of a CPU: no image */
    object[18] = 62;
    ck_images(object, sizeof object, got, sizeof got);
    assert_string_equal(got, "");
}

static const struct ck_rule one = { .id = "one", .family = "tile", .needs = "sm_90, toolkit 13.3" };

/* Statements are put into a kernel; declarations alone stand alone; a head of its own replaces the usual lines. */
static void rows_become_sources(void **state)
{
    static const struct ck_case statement = { .rule = &one, .at = "t.c:1", .compile = "auto t = $;", .accept = "1" },
                                declaration = { .rule = &one,
                                                .at = "t.c:2",
                                                .compile = "",
                                                .declare = "int $;",
                                                .accept = "x",
                                                .options = "-std=c++$" },
                                bare = { .rule = &one, .at = "t.c:3", .compile = "", .head = "// bare", .accept = "" };
    const struct ck_point points[] = {
        { .c = &statement, .side = CK_ACCEPT, .alternative = "1" },
        { .c = &declaration, .side = CK_ACCEPT, .alternative = "x" },
        { .c = &bare, .side = CK_ACCEPT, .alternative = "" },
    };
    char *text;

    (void)state;
    text = ck_source_text(&points[0]);
    assert_non_null(strstr(text, "#include <cuda_tile.h>"));
    assert_non_null(strstr(text, "__tile_global__ void k("));
    assert_non_null(strstr(text, "auto t = 1;"));
    free(text);
    text = ck_source_text(&points[1]);
    assert_null(strstr(text, "__tile_global__"));
    assert_non_null(strstr(text, "int x;"));
    free(text);
    text = ck_source_text(&points[2]);
    assert_null(strstr(text, "#include"));
    free(text);
    text = ck_source_options(&points[1]);
    assert_string_equal(text, "-std=c++x");
    free(text);
    text = ck_source_options(&points[0]);
    assert_non_null(strstr(text, "--enable-tile"));
    free(text);
}

/* CUDA C++ has lines of its own around it; what is looked for in its PTX is found in the order of the words. */
static void cuda_rows_become_sources(void **state)
{
    static const struct ck_case row = { .rule = &one, .at = "t.c:4", .cuda = "bar.$();", .accept = "arrive" };
    const struct ck_point point = { .c = &row, .side = CK_ACCEPT, .alternative = "arrive" };
    static const char ptx[] = "mbarrier.init; cp.async.bulk; trap;";
    char held[64], *text;

    (void)state;
    text = ck_source_text(&point);
    assert_non_null(strstr(text, "#include <cuda/barrier>"));
    assert_non_null(strstr(text, "bar.arrive();"));
    assert_null(strstr(text, "cuda_tile"));
    free(text);
    text = ck_source_options(&point);
    assert_non_null(strstr(text, "-ptx"));
    free(text);
    ck_nvcc_held(ptx, sizeof ptx - 1, "trap atom. mbarrier.init", held, sizeof held);
    assert_string_equal(held, "trap mbarrier.init");
    ck_nvcc_held(ptx, sizeof ptx - 1, "", held, sizeof held);
    assert_string_equal(held, "");
}

static void script(const char *folder, const char *name, const char *text)
{
    char path[200];
    FILE *to;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    to = fopen(path, "w");
    assert_non_null(to);
    fprintf(to, "#!/bin/sh\n%s\n", text);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(chmod(path, 0755), 0);
}

static struct ck_outcome compiled(struct ck_engine *e, const char *options)
{
    const struct ck_source source = { .language = CK_CUDA_CPP, .text = "", .options = options, .look_for = "LDG STS" };
    struct ck_outcome out = { 0 };

    e->ops->compile(e, &source, &out);
    return out;
}

/* Words of a cubin are looked for in what nvdisasm writes of it, those of PTX in the PTX itself. */
static void machine_code_has_words_too(void **state)
{
    char folder[] = "/tmp/copycheck_nvcc_XXXXXX", error[200], line[200];
    struct ck_engine e;
    struct ck_outcome out;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(line, sizeof line, "mkdir -p %s/bin %s/nvvm/bin", folder, folder);
    assert_int_equal(system(line), 0);
    script(folder, "nvvm/bin/cicc", "");
    script(folder, "bin/nvcc",
           "[ \"$1\" != --version ] || { echo 'release 13.0, V13.0.88'; exit; }\n"
           "for word; do object=$word; done; echo LDG > \"$object\"");
    assert_true(ck_nvcc_engine(folder, &e, error, sizeof error));
    assert_true(e.ops->open(&e, &out));
    assert_string_equal(compiled(&e, "-ptx").message, "LDG");
    setenv("PATH", "/nonexistent:/bin:/usr/bin", 1);
    out = compiled(&e, "-arch=sm_90a -cubin");
    if (access("/usr/bin/nvdisasm", X_OK) != 0) {
        assert_int_equal(out.kind, CK_O_UNSUPPORTED);
        assert_string_equal(out.message, "needs nvdisasm beside nvcc or on the PATH");
    }
    script(folder, "bin/nvdisasm", "cat \"$2\"; echo STS");
    assert_string_equal(compiled(&e, "-arch=sm_90a -cubin").message, "LDG STS");
    script(folder, "bin/nvdisasm", "echo what; exit 1");
    out = compiled(&e, "-cubin");
    assert_int_equal(out.kind, CK_O_UNSUPPORTED);
    assert_string_equal(out.message, "nvdisasm does not read what nvcc made: what");
    e.ops->close(&e);
    snprintf(line, sizeof line, "rm -r %s", folder);
    assert_int_equal(system(line), 0);
}

static void answers_of_cutile_are_read(void **state)
{
    static const struct {
        const char *output;
        enum ck_outcome_kind kind;
        int line;
        const char *message;
    } rows[] = {
        { "done: 0: no message\n", CK_O_DONE, 0, "" },
        { "UserWarning: what\nrefused: 5: Step must be positive, got -2\n", CK_O_REFUSED, 5,
          "Step must be positive, got -2" },
        { "failed: 0: KeyError: 'x'", CK_O_CRASHED, 0, "KeyError: 'x'" },
    };
    struct ck_outcome out;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(ck_cutile_answer(rows[i].output, &out));
        assert_int_equal(out.kind, rows[i].kind);
        assert_int_equal(out.line, rows[i].line);
        assert_string_equal(out.message, rows[i].message);
    }
    assert_false(ck_cutile_answer("", &out));
    assert_false(ck_cutile_answer("Traceback (most recent call last):\n  done\n", &out));
}

static void python_rows_become_kernels(void **state)
{
    static const struct ck_case row = { .rule = &rule_tile_py_range_step,
                                        .python = "t = 1\nif t:\n    $",
                                        .accept = "pass" };
    const struct ck_point point = { .c = &row, .alternative = "pass" };
    char *text = ck_source_text(&point);

    (void)state;
    assert_non_null(text);
    assert_non_null(strstr(text, "import cuda.tile as ct\n"));
    assert_non_null(strstr(text, "@ct.kernel\ndef k("));
    assert_non_null(strstr(text, "):\n    t = 1\n    if t:\n        pass\n"));
    free(text);
}

static void a_folder_without_a_compiler_is_named(void **state)
{
    struct ck_engine e;
    char error[200];

    (void)state;
    assert_false(ck_tile_engine("/nonexistent", &e, error, sizeof error));
    assert_string_equal(error, "no nvcc with a tileiras beside it in '/nonexistent'");
    assert_false(ck_nvcc_engine("/nonexistent", &e, error, sizeof error));
    assert_string_equal(error, "no nvcc with a cicc beside it in '/nonexistent'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_are_read),
        cmocka_unit_test(output_without_an_error_is_no_refusal),
        cmocka_unit_test(images_are_told_apart),
        cmocka_unit_test(rows_become_sources),
        cmocka_unit_test(cuda_rows_become_sources),
        cmocka_unit_test(machine_code_has_words_too),
        cmocka_unit_test(answers_of_cutile_are_read),
        cmocka_unit_test(python_rows_become_kernels),
        cmocka_unit_test(a_folder_without_a_compiler_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
