/* Children under limits: every way in which one can end. */
#include <errno.h>
#include <signal.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "harness/base/child.h"

static char output[256];

static struct ck_child_result shell(const char *script, const char *input, unsigned deadline_ms, size_t memory)
{
    const char *const argv[] = { "/bin/sh", "-c", script, NULL };
    const struct ck_child c = { argv, input, strlen(input), deadline_ms, memory };

    return ck_child_run(&c, output, sizeof output);
}

static void test_output_and_status(void **state)
{
    (void)state;
    struct ck_child_result r = shell("cat; echo two >&2; exit 3", "one\n", 5000, 0);
    assert_int_equal(r.end, CK_CHILD_EXITED);
    assert_int_equal(r.code, 3);
    assert_string_equal(output, "one\ntwo\n");
    assert_true(r.peak > 0);
}

static void test_input_can_be_opened_by_name(void **state)
{
    (void)state;
    shell("cat /proc/self/fd/0 /proc/self/fd/0", "x", 5000, 0);
    assert_string_equal(output, "xx");
}

static void test_long_output_is_cut(void **state)
{
    (void)state;
    struct ck_child_result r = shell("head -c 100000 /dev/zero | tr '\\0' a", "", 5000, 0);
    assert_int_equal(r.end, CK_CHILD_EXITED);
    assert_int_equal(strlen(output), sizeof output - 1);
}

static void test_environment(void **state)
{
    (void)state;
    setenv("COPYCHECK_SECRET", "1", 1);
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    shell("echo \"$LC_ALL/$COPYCHECK_SECRET\"", "", 5000, 0);
    assert_string_equal(output, "C/\n");
}

static void test_signal(void **state)
{
    (void)state;
    struct ck_child_result r = shell("kill -SEGV $$", "", 5000, 0);
    assert_int_equal(r.end, CK_CHILD_SIGNALED);
    assert_int_equal(r.code, SIGSEGV);
}

static void test_deadline_ends_the_whole_group(void **state)
{
    (void)state;
    pid_t left;
    struct ck_child_result r = shell("sleep 60 & echo $!; wait", "", 200, 0);
    assert_int_equal(r.end, CK_CHILD_LATE);
    assert_int_equal(sscanf(output, "%d", &left), 1);
    /* init reaps it at its own pace: what counts is that it no longer runs */
    char path[64], what = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", left);
    for (int i = 0; i < 100; i++) {
        FILE *f = fopen(path, "r");
        what = 'X';
        if (f) {
            if (fscanf(f, "%*d %*s %c", &what) != 1)
                what = 'X';
            fclose(f);
        }
        if (what == 'X' || what == 'Z')
            break;
        nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    }
    assert_true(what == 'X' || what == 'Z');
}

static void test_deadline_when_output_is_closed(void **state)
{
    (void)state;
    assert_int_equal(shell("exec >&- 2>&-; sleep 60", "", 200, 0).end, CK_CHILD_LATE);
}

static void test_memory_limit(void **state)
{
    (void)state;
    struct ck_child_result r = shell("ulimit -v; ulimit -c", "", 5000, (size_t)256 << 20);
    assert_int_equal(r.end, CK_CHILD_EXITED);
    assert_string_equal(output, "262144\n0\n");
}

static void test_not_run(void **state)
{
    (void)state;
    const char *const argv[] = { "/nonexistent/program", NULL };
    const struct ck_child c = { argv, "", 0, 1000, 0 };
    struct ck_child_result r = ck_child_run(&c, output, sizeof output);
    assert_int_equal(r.end, CK_CHILD_NOT_RUN);
    assert_int_equal(r.code, ENOENT);
}

/* SIGCHLD ignored by a program that started this one: the status is lost, the call still ends. */
static void test_status_taken_by_the_system(void **state)
{
    (void)state;
    signal(SIGCHLD, SIG_IGN);
    assert_int_equal(shell("echo out", "", 5000, 0).end, CK_CHILD_EXITED);
    assert_string_equal(output, "out\n");
    signal(SIGCHLD, SIG_DFL);
}

static void test_dies_with_its_parent(void **state)
{
    (void)state;
    int ends[2];
    char c;

    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (!pid) {
        char script[64];
        snprintf(script, sizeof script, "exec sleep 60 >&%d", ends[1]);
        shell(script, "", 60000, 0);
        _exit(0);
    }
    close(ends[1]);
    nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, NULL);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_int_equal(read(ends[0], &c, 1), 0); /* the sleeper held the other end, and is gone */
    close(ends[0]);
}

/* Whether a process with this limit of its own could give a child so much. */
static int could_have(rlim_t own, size_t memory)
{
    const pid_t pid = fork();
    int status;

    if (!pid) {
        setrlimit(RLIMIT_AS, &(struct rlimit){ own, own });
        _exit(ck_child_can_have(memory));
    }
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

static void test_limit_of_its_own(void **state)
{
    const size_t mb = 1 << 20;
    struct rlimit own;

    (void)state;
    getrlimit(RLIMIT_AS, &own);
    if (own.rlim_max != RLIM_INFINITY)
        skip();
    assert_true(ck_child_can_have(SIZE_MAX / 2));
    assert_int_equal(could_have(900 * mb, 256 * mb), 1);
    /* root may raise it, unless it lacks that capability */
    const pid_t pid = fork();
    int status;
    if (!pid) {
        setrlimit(RLIMIT_AS, &(struct rlimit){ 900 * mb, 900 * mb });
        _exit(setrlimit(RLIMIT_AS, &(struct rlimit){ 900 * mb, 1800 * mb }) == 0);
    }
    waitpid(pid, &status, 0);
    assert_int_equal(could_have(900 * mb, 1800 * mb), WEXITSTATUS(status));
    assert_true(ck_child_can_write(mb));
    const pid_t writer = fork();
    if (!writer) {
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){ mb, mb });
        _exit(ck_child_can_write(mb) && !ck_child_can_write(mb + 1));
    }
    waitpid(writer, &status, 0);
    assert_int_equal(WEXITSTATUS(status), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_and_status),
        cmocka_unit_test(test_input_can_be_opened_by_name),
        cmocka_unit_test(test_long_output_is_cut),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_signal),
        cmocka_unit_test(test_deadline_ends_the_whole_group),
        cmocka_unit_test(test_deadline_when_output_is_closed),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_not_run),
        cmocka_unit_test(test_status_taken_by_the_system),
        cmocka_unit_test(test_dies_with_its_parent),
        cmocka_unit_test(test_limit_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
