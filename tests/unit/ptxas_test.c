/* The assembler engine: on programs that behave like a ptxas in trouble, and on the real ones of this machine. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "harness/engines/ptxas.h"
#include "harness/engines/toolkits.h"

static char folder[64], error[256];

/* A folder with a shell script for a ptxas. It answers --version and the two questions that open and an unknown
 * target ask; `body` does the rest. */
static void fake(const char *body)
{
    char path[128];

    snprintf(path, sizeof path, "%s/ptxas", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "#!/bin/sh\n"
            "[ \"$1\" = --version ] && { echo 'Cuda compilation tools, release 12.4, V12.4.131'; exit 0; }\n"
            "text=$(cat)\n"
            "case $text in\n"
            "*'.version 99.9'*) echo \"ptxas x, line 1; fatal   : Unsupported .version 99.9; current version is '8.4'\""
            "; exit 255;;\n"
            "esac\n"
            "%s\n",
            body);
    fclose(f);
    chmod(path, 0755);
}

static struct ck_engine opened(void)
{
    struct ck_engine e;
    struct ck_outcome out;

    if (!ck_ptxas_engine(folder, &e, error, sizeof error))
        fail_msg("%s", error);
    if (!e.ops->open(&e, &out))
        fail_msg("%s", out.message);
    return e;
}

static struct ck_outcome assemble_on(struct ck_engine *e, const char *text, const char *target, int version)
{
    struct ck_outcome out;
    const struct ck_ptx ptx = { text, strlen(text), target, version };

    e->ops->assemble(e, &ptx, &out);
    return out;
}

static struct ck_outcome assembled(const char *body, const char *target, int version)
{
    fake(body);
    struct ck_engine e = opened();
    const struct ck_outcome out = assemble_on(&e, "text\n", target, version);
    e.ops->close(&e);
    e.ops->close(&e); /* a second time does nothing */
    return out;
}

static void test_names(void **state)
{
    (void)state;
    fake("exit 0");
    struct ck_engine e = opened();
    assert_string_equal(e.name, "ptxas-12.4");
    assert_string_equal(e.facts, "ptxas 12.4.131");
    assert_string_equal(ck_ptxas_version(&e), "12.4.131");
    assert_int_equal(e.ptx, 84);
    e.ops->close(&e);
}

static void test_accepts(void **state)
{
    (void)state;
    struct ck_outcome out = assembled("exit 0", "sm_90a", 80);
    assert_int_equal(out.kind, CK_O_DONE);
    assert_string_equal(out.message, "");
    out = assembled("echo 'ptxas /proc/self/fd/0, line 6; warning : Advisory: slow'; exit 0", "sm_90a", 80);
    assert_int_equal(out.kind, CK_O_DONE);
    assert_int_equal(out.line, 6);
    assert_string_equal(out.message, "Advisory: slow");
}

static void test_refuses(void **state)
{
    (void)state;
    static const char empty[] = "case $text in *k*ret*) exit 0;; esac\n";
    char body[512];
    snprintf(body, sizeof body,
             "%secho noise; echo 'ptxas warning : odd'\n"
             "echo 'ptxas a, line 2; b.ptx, line 12; error   : no such thing'; exit 255",
             empty);
    struct ck_outcome out = assembled(body, "sm_90a", 80);
    assert_int_equal(out.kind, CK_O_REFUSED);
    assert_int_equal(out.line, 12);
    assert_int_equal(out.code, 255);
    assert_string_equal(out.message, "no such thing");
    snprintf(body, sizeof body, "%sexit 4", empty);
    out = assembled(body, "sm_90a", 80);
    assert_int_equal(out.kind, CK_O_REFUSED);
    assert_string_equal(out.message, "exit status 4 without a message");
}

static void test_unsupported(void **state)
{
    (void)state;
    struct ck_outcome out = assembled("exit 0", "sm_90a", 86);
    assert_int_equal(out.kind, CK_O_UNSUPPORTED);
    assert_string_equal(out.message, "needs PTX ISA 8.6; ptxas 12.4.131 takes up to 8.4");
    /* the second text for a target asks no second time: the answer would be another one */
    fake("[ -e $0.asked ] && case $text in *ret*) exit 0;; esac\n"
         "case $text in *ret*) : > $0.asked;; esac\n"
         "echo \"ptxas fatal   : Value 'sm_100a' is not defined for option 'gpu-name'\"; exit 255");
    struct ck_engine e = opened();
    for (int i = 0; i < 2; i++) {
        out = assemble_on(&e, "text\n", "sm_100a", 80);
        assert_int_equal(out.kind, CK_O_UNSUPPORTED);
        assert_string_equal(out.message, "does not know target sm_100a");
    }
    for (int i = 0; i < 40; i++) { /* more targets than the first table holds */
        char name[16];
        snprintf(name, sizeof name, "sm_%d", i);
        assert_int_equal(assemble_on(&e, "text\n", name, 80).kind, CK_O_REFUSED);
    }
    e.ops->close(&e);
}

static void test_trouble(void **state)
{
    (void)state;
    struct ck_outcome out = assembled("kill -SEGV $$", "sm_90a", 80);
    assert_int_equal(out.kind, CK_O_CRASHED);
    assert_int_equal(out.code, 11);
    assert_non_null(strstr(out.message, "signal 11"));
    out = assembled("echo 'ptxas f, line 3; error   : odd'; kill -SEGV $$", "sm_90a", 80);
    assert_int_equal(out.kind, CK_O_CRASHED);
    assert_int_equal(out.line, 3);
    assert_non_null(strstr(out.message, " after: odd"));
    out = assembled("echo 'ptxas fatal   : (C7907) Internal compiler error.'; exit 255", "sm_90a", 80);
    assert_int_equal(out.kind, CK_O_CRASHED);
    assert_string_equal(out.message, "(C7907) Internal compiler error.");
    out = assembled("kill -KILL $$", "sm_90a", 80); /* what a system short of memory does */
    assert_int_equal(out.kind, CK_O_MEMORY);
    out = assembled("echo 'ptxas fatal   : Memory allocation failure'; exit 255", "sm_90a", 80);
    assert_int_equal(out.kind, CK_O_MEMORY);
    assert_string_equal(out.message, "asked for more than 2048 MiB");
    ck_ptxas_limits(300, 256);
    out = assembled("sleep 60", "sm_90a", 80);
    assert_int_equal(out.kind, CK_O_TIMEOUT);
    assert_string_equal(out.message, "did not end within 300 ms");
    ck_ptxas_limits(CK_PTXAS_DEADLINE_MS, CK_PTXAS_MEMORY_MB);
}

/* Who kills an assembler, not knowing its text, says nothing about it: it is asked again. */
static void test_killed_from_outside(void **state)
{
    static const char *const signals[] = { "KILL", "TERM", "INT", "HUP", "QUIT" };
    char once[] = "/tmp/copycheck-once-XXXXXX", script[160];
    const int fd = mkstemp(once);

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        snprintf(script, sizeof script, "if rm %s; then kill -%s $$; fi; exit 0", once, signals[i]);
        fclose(fopen(once, "w"));
        struct ck_outcome out = assembled(script, "sm_90a", 80);
        assert_int_equal(out.kind, CK_O_DONE);
        assert_int_equal(access(once, F_OK), -1);
    }
    struct ck_outcome out = assembled("kill -TERM $$", "sm_90a", 80); /* always: then it is what there is to say */
    assert_int_equal(out.kind, CK_O_CRASHED);
    assert_int_equal(out.code, SIGTERM);
}

static void test_gone_after_opening(void **state)
{
    (void)state;
    char path[128];
    fake("exit 0");
    struct ck_engine e = opened();
    snprintf(path, sizeof path, "%s/ptxas", folder);
    unlink(path);
    struct ck_outcome out = assemble_on(&e, "text\n", "sm_90a", 80);
    assert_int_equal(out.kind, CK_O_UNSUPPORTED);
    assert_string_equal(out.message, "ptxas could not be run: No such file or directory");
    e.ops->close(&e);
}

static void write_program(const char *text, mode_t mode)
{
    char path[128];

    snprintf(path, sizeof path, "%s/ptxas", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    chmod(path, mode);
}

static void assert_no_engine(const char *message)
{
    struct ck_engine e;

    assert_false(ck_ptxas_engine(folder, &e, error, sizeof error));
    if (!strstr(error, message))
        fail_msg("%s", error);
}

static void test_no_engine(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/ptxas", folder);
    unlink(path);
    assert_no_engine("no ptxas in '");
    write_program("#!/bin/sh\nexit 0\n", 0644);
    assert_no_engine("cannot be run: Permission denied");
    write_program("#!/bin/sh\nexit 0\n", 0755);
    assert_no_engine("does not say its version");
    write_program("#!/bin/sh\nexit 5\n", 0755);
    assert_no_engine("ended with status 5");
    write_program("#!/bin/sh\nkill -ILL $$\n", 0755);
    assert_no_engine("was ended by signal 4");
}

static void test_open_fails(void **state)
{
    (void)state;
    struct ck_engine e;
    struct ck_outcome out;
    write_program("#!/bin/sh\n[ \"$1\" = --version ] && { echo 'release 12.4, V12.4.131'; exit 0; }\nkill -SEGV $$\n",
                  0755);
    assert_true(ck_ptxas_engine(folder, &e, error, sizeof error));
    assert_false(e.ops->open(&e, &out));
    assert_int_equal(out.kind, CK_O_CRASHED);
    /* one that refuses in other words is used, without knowing what it takes */
    write_program("#!/bin/sh\n[ \"$1\" = --version ] && { echo 'release 12.4, V12.4.131'; exit 0; }\nexit 1\n", 0755);
    assert_true(ck_ptxas_engine(folder, &e, error, sizeof error));
    assert_true(e.ops->open(&e, &out));
    assert_int_equal(e.ptx, 0);
    e.ops->close(&e);
}

static void test_messages(void **state)
{
    (void)state;
    char message[32];
    int line;
    assert_false(ck_ptxas_message("", true, &line, message, sizeof message));
    assert_false(ck_ptxas_message("ptxas info    : fine\nptxas\nerror : x\n", true, &line, message, sizeof message));
    assert_string_equal(message, "");
    assert_true(ck_ptxas_message("ptxas error   : a: b\n", true, &line, message, sizeof message));
    assert_string_equal(message, "a: b");
    assert_int_equal(line, 0);
    assert_true(ck_ptxas_message("ptxas f, line 7; fatal   : no newline", true, &line, message, sizeof message));
    assert_int_equal(line, 7);
    assert_true(ck_ptxas_message("ptxas f, line 7; error   : longer than the room that there is for it", true, &line,
                                 message, sizeof message));
    assert_int_equal(strlen(message), sizeof message - 1);
}

/* ---- the assemblers of this machine ---------------------------------------------------------------------------- */
#define MODULE(version, target, body)                                                                                  \
    ".version " version "\n.target " target "\n.address_size 64\n.visible .entry k(){\n"                               \
    ".reg .b16 %h; .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %p0;\n" body "\nret;}\n"

static void test_real(void **state)
{
    (void)state;
    struct ck_engine all[CK_TOOLKITS_MAX];
    struct ck_outcome out;
    const int n = ck_toolkits(NULL, 0, CK_TOOLKITS_OWN | CK_TOOLKITS_FETCHED, all, error, sizeof error);

    if (n < 0)
        fail_msg("%s", error);
    if (!n) {
        print_message("no ptxas on this machine: only programs that play one were tried\n");
        skip();
    }
    for (int i = 0; i < n; i++) {
        struct ck_engine *e = &all[i];
        assert_true(e->ops->open(e, &out));
        assert_true(e->ptx >= 80);
        out = assemble_on(e, MODULE("8.0", "sm_90a", "cp.async.ca.shared.global [%r1], [%rd1], 16;"), "sm_90a", 80);
        assert_int_equal(out.kind, CK_O_DONE);
        out = assemble_on(e, MODULE("8.0", "sm_90a", "cp.async.ca.shared.global [%r1], [%rd1], 5;"), "sm_90a", 80);
        assert_int_equal(out.kind, CK_O_REFUSED);
        assert_int_equal(out.line, 6);
        assert_non_null(strstr(out.message, "unexpected value '5'"));
        out = assemble_on(e, MODULE("99.8", "sm_90a", ""), "sm_90a", 998);
        assert_int_equal(out.kind, CK_O_UNSUPPORTED);
        out = assemble_on(e, MODULE("8.0", "sm_999", ""), "sm_999", 80);
        assert_int_equal(out.kind, CK_O_UNSUPPORTED);
        out = assemble_on(e,
                          MODULE("8.0", "sm_90",
                                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                                 ".multicast::cluster [%r0], [%rd1], 16, [%r1], %h;"),
                          "sm_90", 80);
        assert_int_equal(out.kind, CK_O_DONE);
        if (e->ptx >= 83) /* 12.0 accepts it without a word */
            assert_non_null(strstr(out.message, "dvisory"));
        /* releases that take memory without bound, or crash, on these: each in one of these ways */
        ck_ptxas_limits(CK_PTXAS_DEADLINE_MS, 128);
        e->ops->close(e);
        assert_true(e->ops->open(e, &out));
        out = assemble_on(e,
                          MODULE("8.0", "sm_90a",
                                 "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile"
                                 ".bulk_group [%p0,{%r0,%r1}],[%r2];"),
                          "sm_90a", 80);
        assert_true(out.kind == CK_O_REFUSED || out.kind == CK_O_MEMORY);
        print_message("%s: map in a predicate register: %s\n", e->name, out.message);
        out = assemble_on(e,
                          MODULE("8.0", "sm_90a",
                                 "cp.async.bulk.global.shared::cta.bulk_group.inc.L2::cache_hint "
                                 "[%rd0], [%r2], 16, %rd1;"),
                          "sm_90a", 80);
        assert_true(out.kind == CK_O_REFUSED || out.kind == CK_O_CRASHED);
        print_message("%s: .inc on a bulk copy: %s\n", e->name, out.message);
        e->ops->close(e);
        ck_ptxas_limits(CK_PTXAS_DEADLINE_MS, CK_PTXAS_MEMORY_MB);
    }
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/copycheck-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/ptxas.asked", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/ptxas", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_accepts),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_unsupported),
        cmocka_unit_test(test_trouble),
        cmocka_unit_test(test_killed_from_outside),
        cmocka_unit_test(test_gone_after_opening),
        cmocka_unit_test(test_no_engine),
        cmocka_unit_test(test_open_fails),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_real),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
// SPDX-License-Identifier: Apache-2.0
