/* The worker processes of copycheck assemble, with engines that work, die, hang and cannot be opened. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "harness/run/run.h"

static char folder[64], paths[40][96];
static const char *files[41];

/* What an engine does is written in the text, behind its two directives. */
static void play_assemble(struct ck_engine *e, const struct ck_ptx *ptx, struct ck_outcome *out)
{
    *out = (struct ck_outcome){ .kind = CK_O_DONE };
    if (strstr(ptx->text, "DIE")) {
        signal(SIGSEGV, SIG_DFL); /* cmocka has a handler for it */
        raise(SIGSEGV);
    }
    if (strstr(ptx->text, "LEAVE"))
        _exit(3);
    if (strstr(ptx->text, "HANG"))
        pause();
    if (strstr(ptx->text, "REFUSE") && strcmp(e->name, "lax") != 0) {
        out->kind = CK_O_REFUSED;
        out->line = 3;
        snprintf(out->message, sizeof out->message, "two\nlines, version %d, target %s", ptx->version, ptx->target);
    }
}

static bool play_open(struct ck_engine *e, struct ck_outcome *out)
{
    *out = (struct ck_outcome){ .kind = CK_O_UNSUPPORTED, .message = "not today" };
    return strcmp(e->name, "closed") != 0;
}

static void play_close(struct ck_engine *e)
{
    (void)e;
}

static const struct ck_engine_ops play = { .open = play_open, .close = play_close, .assemble = play_assemble };

struct seen {
    size_t count, stop;
    struct ck_assembled results[40][3];
    size_t engines;
    bool in_order;
};

static bool note(void *context, size_t file, const struct ck_assembled *results)
{
    struct seen *s = context;

    s->in_order &= file == s->count;
    memcpy(s->results[file], results, s->engines * sizeof *results);
    return ++s->count != s->stop;
}

static void add_file(size_t i, const char *text)
{
    snprintf(paths[i], sizeof paths[i], "%s/%zu.ptx", folder, i);
    FILE *f = fopen(paths[i], "w");
    assert_non_null(f);
    fprintf(f, ".version 8.4\n.target sm_90a\n%s\n", text);
    fclose(f);
    files[i] = paths[i];
}

static struct seen assembled(size_t count, unsigned jobs, size_t stop, const char *second, const char *third)
{
    struct ck_engine engines[] = { { .name = "play", .ops = &play }, { .ops = &play }, { .ops = &play } };
    struct ck_assemble a = { files, count, engines, second ? third ? 3 : 2 : 1, jobs, 100 };
    struct seen s = { .in_order = true, .engines = a.engine_count, .stop = stop };
    char error[256];
    int ended_by;

    snprintf(engines[1].name, sizeof engines[1].name, "%s", second ? second : "");
    snprintf(engines[2].name, sizeof engines[2].name, "%s", third ? third : "");
    assert_true(ck_assemble_all(&a, note, &s, &ended_by, error, sizeof error));
    assert_int_equal(ended_by, 0);
    assert_true(s.in_order);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no process is left */
    return s;
}

static void test_results(void **state)
{
    (void)state;
    add_file(0, "");
    add_file(1, "REFUSE");
    files[2] = "/nonexistent.ptx";
    struct seen s = assembled(3, 8, 0, "lax", "closed");
    assert_int_equal(s.count, 3);
    assert_int_equal(s.results[0][0].outcome.kind, CK_O_DONE);
    assert_int_equal(s.results[1][0].outcome.kind, CK_O_REFUSED);
    assert_string_equal(s.results[1][0].outcome.message, "two lines, version 84, target sm_90a");
    assert_int_equal(s.results[1][1].outcome.kind, CK_O_DONE);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(s.results[i][2].outcome.kind, CK_O_UNSUPPORTED);
        assert_string_equal(s.results[i][2].outcome.message, "not today");
    }
    for (int k = 0; k < 3; k++) {
        assert_true(s.results[2][k].bad);
        assert_non_null(strstr(s.results[2][k].outcome.message, "/nonexistent.ptx: No such file"));
    }
}

static void test_workers_that_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < 40; i++)
        add_file(i, i == 3 || i == 20 ? "DIE" : i == 7 ? "LEAVE" : i == 9 || i == 39 ? "HANG" : "");
    struct seen s = assembled(40, 3, 0, NULL, NULL);
    assert_int_equal(s.count, 40);
    for (size_t i = 0; i < 40; i++) {
        const struct ck_outcome *o = &s.results[i][0].outcome;
        if (i == 3 || i == 20) {
            assert_int_equal(o->kind, CK_O_CRASHED);
            assert_int_equal(o->code, SIGSEGV);
        } else if (i == 7) {
            assert_int_equal(o->kind, CK_O_CRASHED);
            assert_string_equal(o->message, "ended with status 3");
        } else if (i == 9 || i == 39) {
            assert_int_equal(o->kind, CK_O_TIMEOUT);
            assert_string_equal(o->message, "did not end within 100 ms");
        } else {
            assert_int_equal(o->kind, CK_O_DONE);
        }
    }
}

static void test_stopped_by_the_caller(void **state)
{
    (void)state;
    for (size_t i = 0; i < 40; i++)
        add_file(i, "");
    assert_int_equal(assembled(40, 2, 5, NULL, NULL).count, 5);
}

/* A reader of standard input: the text is there for each engine, and a second "-" sees the same. */
static void test_standard_input(void **state)
{
    (void)state;
    add_file(0, "REFUSE");
    assert_non_null(freopen(paths[0], "r", stdin));
    files[0] = files[1] = "-";
    struct seen s = assembled(2, 2, 0, "lax", NULL);
    assert_int_equal(s.results[0][0].outcome.kind, CK_O_REFUSED);
    assert_int_equal(s.results[1][0].outcome.kind, CK_O_REFUSED);
    assert_int_equal(s.results[0][1].outcome.kind, CK_O_DONE);
    assert_non_null(freopen("/", "r", stdin));
    s = assembled(1, 2, 0, NULL, NULL);
    assert_true(s.results[0][0].bad);
    assert_non_null(strstr(s.results[0][0].outcome.message, "standard input: Is a directory"));
}

static void test_interrupted(void **state)
{
    (void)state;
    struct ck_engine e = { .name = "play", .ops = &play };
    const struct ck_assemble a = { files, 1, &e, 1, 1, 60000 };
    struct seen s = { .in_order = true, .engines = 1 };
    char error[256];
    int ended_by;

    add_file(0, "HANG");
    const pid_t self = getpid(), other = fork();
    if (!other) {
        usleep(200000);
        kill(self, SIGTERM);
        _exit(0);
    }
    assert_true(ck_assemble_all(&a, note, &s, &ended_by, error, sizeof error));
    assert_int_equal(ended_by, SIGTERM);
    assert_int_equal(s.count, 0);
    waitpid(other, NULL, 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
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
    for (size_t i = 0; i < 40; i++)
        unlink(paths[i]);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_workers_that_end),
        cmocka_unit_test(test_stopped_by_the_caller),
        cmocka_unit_test(test_standard_input),
        cmocka_unit_test(test_interrupted),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
// SPDX-License-Identifier: Apache-2.0
