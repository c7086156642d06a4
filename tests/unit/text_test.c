/* What is read off PTX without understanding it, and the rules that complaints are about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "harness/engines/engine.h"
#include "harness/base/plain.h"
#include "harness/base/text.h"

static char error[256], target[32];
static int version;

static bool head(const char *text)
{
    char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    const struct ck_text t = { copy, strlen(copy) };

    return ck_text_head("a.ptx", &t, &version, target, error, sizeof error);
}

static void test_head(void **state)
{
    (void)state;
    assert_true(head(".version 9.0\n.target sm_90a\n"));
    assert_int_equal(version, 90);
    assert_string_equal(target, "sm_90a");
    assert_true(head("// a comment\n\r\n/* and\n another */ .version\t8.4 // x\n .target sm_80, debug\n"));
    assert_int_equal(version, 84);
    assert_string_equal(target, "sm_80");
    assert_true(head(".version 10.1 .target sm_100f;"));
    assert_int_equal(version, 101);
}

static void test_bad_heads(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        { "", "a.ptx:1: does not start with a .version" },
        { "\n\n.target sm_90\n", "a.ptx:3: does not start with a .version" },
        { ".versions 9.0\n", "a.ptx:1: does not start with a .version" },
        { "/* never closed", "a.ptx:1: does not start with a .version" },
        { "\177ELF\002\001", "a.ptx:1: does not start with a .version" },
        { "\n.version 9\n.target sm_90", "a.ptx:2: '9' is no version" },
        { ".version 9.0.1x\n", "a.ptx:1: no .target" },
        { ".version 9.05 .target sm_90", "a.ptx:1: '9.05' is no version" },
        { ".version x.0\n", "a.ptx:1: 'x.0' is no version" },
        { ".version 9.0\n.entry k", "a.ptx:2: no .target" },
        { ".version 9.0\n.target -o\n", "a.ptx:2: '-o' is no target" },
        { ".version 9.0\n.target abcdefghijklmnopqrstuvwxyz0123456789", "is no target name" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(head(bad[i].text));
        if (!strstr(error, bad[i].message))
            fail_msg("%s: %s", bad[i].text, error);
    }
}

static const char *statement(const char *text, int line)
{
    static char out[128];

    ck_text_statement(text, line, out, sizeof out);
    return out;
}

static void test_statement(void **state)
{
    (void)state;
    static const char text[] = ".version 9.0\n"
                               ".target sm_90\n"
                               ".visible .entry k(.param .b64 p)\n"
                               "{\n"
                               ".reg .b32 r<4>; .reg .pred p;\n" /* 5 */
                               "@!p  mov.b32   r0, /* one */ r1;\n"
                               "again: $L_2:\n"
                               "cp.async.bulk.tensor.2d.x::y // all\n"
                               "   [r0],\n"
                               "   [r1, {r2, r3}], [r0];\n" /* 10 */
                               "{ add.u32 r0, r0, 1; }\n"
                               "ret;\n"
                               ".loc 1 3 4\n"
                               "exit;\n" /* 14 */
                               "}\n";
    assert_string_equal(statement(text, 6), "mov.b32 r0, r1");
    assert_string_equal(statement(text, 8), "cp.async.bulk.tensor.2d.x::y [r0], [r1, {r2, r3}], [r0]");
    assert_string_equal(statement(text, 10), "cp.async.bulk.tensor.2d.x::y [r0], [r1, {r2, r3}], [r0]");
    assert_string_equal(statement(text, 12), "ret");
    assert_string_equal(statement(text, 5), ".reg .b32 r<4>");
    assert_string_equal(statement(text, 13), ".loc 1 3 4");
    assert_string_equal(statement(text, 14), "exit");
    assert_string_equal(statement(text, 99), "");
    assert_string_equal(statement(text, 0), statement(text, 1));
    assert_string_equal(statement("{{{", 1), "");
    assert_string_equal(statement("", 1), "");
    assert_string_equal(statement("mov.b32 a, b", 1), "mov.b32 a, b");
    char *longer = calloc(1, 2000);
    memset(longer, 'x', 1999);
    assert_int_equal(strlen(statement(longer, 1)), 127);
    free(longer);
}

static void test_read(void **state)
{
    (void)state;
    struct ck_text t;
    char path[] = "/tmp/copycheck-text-XXXXXX";
    const int fd = mkstemp(path);
    char *big = malloc(100000);

    memset(big, 'a', 100000);
    assert_int_equal(write(fd, big, 100000), 100000);
    close(fd);
    assert_true(ck_text_read(path, &t, error, sizeof error));
    assert_int_equal(t.size, 100000);
    assert_memory_equal(t.data, big, 100000);
    assert_int_equal(t.data[t.size], 0);
    ck_text_free(&t);
    unlink(path);
    assert_false(ck_text_read(path, &t, error, sizeof error));
    assert_non_null(strstr(error, "No such file"));
    assert_false(ck_text_read("/tmp", &t, error, sizeof error));
    assert_non_null(strstr(error, "/tmp: Is a directory"));
    free(big);
}

/* ---- rules ------------------------------------------------------------------------------------------------------ */

static void test_rules(void **state)
{
    (void)state;
    static const struct {
        const char *statement, *message, *rule;
    } said[] = {
        { "cp.async.ca.shared.global [a], [b], 5",
          "Argument 2 of instruction 'cp.async': unexpected value '5', expected to be 4 or 8 or 16",
          "cpasync.size.set" },
        { "cp.async.cg.shared.global [a], [b], 4",
          "Argument 2 of instruction 'cp.async': unexpected value '4', expected to be 16", "cpasync.cg.size16" },
        { "cp.async.ca.shared.global [a], [b], n", "Arguments mismatch for instruction 'cp.async'",
          "cpasync.size.constant" },
        { "cp.async.ca.shared.global [a], [b], 4, h", "Arguments mismatch for instruction 'cp.async'",
          "cpasync.srcsize.type32" },
        { "cp.async.ca.shared.global.L2::cache_hint [a], [b], 4", "Arguments mismatch for instruction 'cp.async'",
          "cpasync.hint.pair" },
        { "cp.async.cs.shared.global [a], [b], 4", "Illegal modifier '.cs' for instruction 'cp.async'",
          "cpasync.cacheop.required" },
        { "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [a], [b], 24, [m]",
          "Argument 2 of instruction 'cp.async.bulk': unexpected value '24', expected to be multiple of 16",
          "bulk.size.mult16-imm" },
        { "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [a], [b], 16",
          "Arguments mismatch for instruction 'cp.async.bulk'", "bulk.cm.mbar-operand" },
        { "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [a], [g, {r0}], [m]",
          "Argument 2 of instruction 'cp.async.bulk.tensor': Argument vector size mismatch",
          "tensor.form.coord-count" },
        { "mbarrier.init.shared.b32 [a], 1", "Unexpected instruction types specified for 'mbarrier.init'",
          "mbarrier.object.type" },
        { "cp.async.wait_group n", "Arguments mismatch for instruction 'cp.async.wait_group'", "group.wait.form" },
        { "cp.async.bulk.wait_group n", "Arguments mismatch for instruction 'cp.async.bulk.wait_group'",
          "bulkgrp.wait.const" },
        /* nothing is better than something wrong */
        { "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [a], [g, {d0, 0}], [m]",
          "Arguments mismatch for instruction 'cp.async.bulk.tensor'", NULL },
        { "cp.async.wait_group 0", "Predicate expression expected", NULL },
        { "add.u32 a, b", "Arguments mismatch for instruction 'add'", NULL },
        { "", "", NULL },
    };
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const struct ck_rule *rule = ck_message_rule(said[i].statement, said[i].message);
        if (!said[i].rule && rule)
            fail_msg("%s: %s", said[i].statement, rule->id);
        if (said[i].rule && (!rule || strcmp(rule->id, said[i].rule) != 0))
            fail_msg("%s: %s, not %s", said[i].statement, rule ? rule->id : "no rule", said[i].rule);
    }
    char longer[400];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    assert_null(ck_message_rule(longer, "Arguments mismatch"));
}

/* Every byte at every place of texts of each length up to two words. */
static void test_plain(void **state)
{
    (void)state;
    for (int byte = 0; byte < 256; byte++)
        for (size_t place = 0; place < 20; place++)
            for (size_t size = 0; size <= 20; size++) {
                const bool plain = byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\';
                char text[21] = "abcdefghijklmnopqrst";
                text[place] = (char)byte;
                assert_int_equal(ck_plain(text, size), plain || place >= size ? size : place);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head), cmocka_unit_test(test_bad_heads), cmocka_unit_test(test_statement),
        cmocka_unit_test(test_read), cmocka_unit_test(test_rules),     cmocka_unit_test(test_plain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
