/* Worker processes that take tasks in turn: which tasks are done, which a worker died of, and that none is lost. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/run/pool.h"

enum { TASKS = 400 };

enum play { GOOD, DIES, LEAVES, HANGS, SPOILS, DIES_AFTER_SPOILED, SLOW, WAITS };

struct shared {
    _Atomic int runs[TASKS]; /* how often each task began */
    _Atomic int left;        /* workers that ended in peace */
    _Atomic pid_t worker;    /* the one that began a task last */
    _Atomic int began;       /* tasks that began */
    int place[TASKS];        /* of each task among them */
    unsigned seat[TASKS];    /* the place of its worker in its line */
    _Atomic int ready[TASKS];
    int ready_at[TASKS]; /* how many had begun when a worker made ready for the task */
};

struct game {
    struct ck_pool *pool;
    struct shared *shared;
    enum play plays[TASKS];
    bool again;   /* what dies in company runs again alone */
    bool leaving; /* what was taken and not done is given to the pool again */
    bool spoiled; /* of a worker: a task has left it in a state that another dies of */
    int done[TASKS], died[TASKS], late[TASKS], over[TASKS];
    size_t turns, stop_after;
    int kills;  /* in how many turns a worker is killed */
    int raises; /* a signal in every turn */
    int asked;  /* how often the pool asked for missed tasks */
};

static bool play(void *context, struct ck_seat *seat, size_t task)
{
    struct game *g = context;

    g->shared->place[task] = atomic_fetch_add(&g->shared->began, 1);
    atomic_fetch_add(&g->shared->runs[task], 1);
    g->shared->seat[task] = ck_seat_place(seat);
    atomic_store(&g->shared->worker, getpid());
    ck_seat_limit(seat, 200);
    switch (g->plays[task]) {
    case DIES: raise(SIGKILL); break;
    case LEAVES: return false;
    case HANGS: pause(); break;
    case SPOILS: g->spoiled = true; break;
    case DIES_AFTER_SPOILED:
        if (g->spoiled)
            raise(SIGKILL);
        break;
    case SLOW: usleep(2000); break;
    case WAITS: /* until task 200 has begun */
        ck_seat_limit(seat, 20000);
        while (!atomic_load(&g->shared->runs[200]))
            usleep(1000);
        break;
    case GOOD: break;
    }
    return true;
}

static void ready(void *context, struct ck_seat *seat, size_t task)
{
    struct game *g = context;

    ck_seat_limit(seat, 1000);
    atomic_fetch_add(&g->shared->ready[task], 1);
    g->shared->ready_at[task] = atomic_load(&g->shared->began);
}

static void leave(void *context)
{
    struct game *g = context;

    atomic_fetch_add(&g->shared->left, 1);
}

static void done(void *context, size_t task)
{
    struct game *g = context;

    g->done[task]++;
}

static void died(void *context, size_t task, bool alone, const struct ck_death *how)
{
    struct game *g = context;

    g->died[task]++;
    g->late[task] = (int)how->late_ms;
    if (!alone && g->again)
        assert_true(ck_pool_alone(g->pool, 0, task));
}

static void alone_over(void *context, size_t task)
{
    struct game *g = context;

    g->over[task]++;
}

static bool turn(void *context)
{
    struct game *g = context;

    g->turns++;
    if (g->kills) {
        const pid_t worker = atomic_load(&g->shared->worker);
        siginfo_t info;
        if (worker > 0 && waitid(P_PID, (id_t)worker, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
            kill(worker, SIGKILL); /* it is still a child of this process */
        g->kills--;
    }
    if (g->raises)
        raise(g->raises);
    return !g->stop_after || g->turns < g->stop_after;
}

/* What was taken and not done, where the test has that. */
static bool missed(void *context)
{
    struct game *g = context;
    bool any = false;

    if (g->asked++ == 20)
        return false;
    for (size_t i = 0; g->leaving && i < TASKS; i++)
        if (!g->done[i])
            any |= ck_pool_alone(g->pool, 0, i);
    return any;
}

static const struct ck_pool_ops ops = { .work = play,
                                        .ready = ready,
                                        .leave = leave,
                                        .done = done,
                                        .died = died,
                                        .alone_over = alone_over,
                                        .missed = missed,
                                        .turn = turn };

static size_t numbers[TASKS];

/* A pool with so many seats, and a line of so many tasks and workers. */
static struct game *begin_seated(size_t count, unsigned seats, unsigned workers)
{
    struct game *g = calloc(1, sizeof *g);

    assert_non_null(g);
    g->shared = mmap(NULL, sizeof *g->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(g->shared != MAP_FAILED);
    for (size_t i = 0; i < TASKS; i++)
        numbers[i] = i;
    g->pool = ck_pool_new(&ops, g, seats);
    assert_non_null(g->pool);
    assert_true(ck_pool_line(g->pool, numbers, count, workers));
    return g;
}

static struct game *begin(size_t count, unsigned workers)
{
    return begin_seated(count, workers, workers);
}

static void end(struct game *g)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no process is left */
    ck_pool_free(g->pool);
    munmap(g->shared, sizeof *g->shared);
    free(g);
}

static void each_task_is_done_once(void **state)
{
    struct game *g = begin(TASKS, 5);
    int by;

    (void)state;
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_COMPLETE);
    for (size_t i = 0; i < TASKS; i++) {
        assert_int_equal(g->done[i], 1);
        assert_int_equal(atomic_load(&g->shared->runs[i]), 1);
    }
    assert_in_range(atomic_load(&g->shared->left), 1, 5);
    end(g);
}

static void what_a_worker_died_of_is_named(void **state)
{
    struct game *g = begin(TASKS, 3);
    int by;

    (void)state;
    g->plays[3] = DIES;
    g->plays[4] = DIES;
    g->plays[77] = HANGS;
    g->plays[200] = LEAVES;
    g->plays[TASKS - 1] = DIES;
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_COMPLETE);
    for (size_t i = 0; i < TASKS; i++) {
        const bool dies = g->plays[i] == DIES || g->plays[i] == HANGS;
        assert_int_equal(g->died[i], dies);
        assert_int_equal(g->done[i], !dies);
        assert_int_equal(g->late[i], g->plays[i] == HANGS ? 200 : 0);
    }
    end(g);
}

static void what_died_runs_again_alone(void **state)
{
    struct game *g = begin(20, 1);
    int by;

    (void)state;
    g->again = true;
    g->plays[5] = SPOILS;
    g->plays[9] = DIES_AFTER_SPOILED;
    g->plays[12] = DIES;
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_COMPLETE);
    assert_int_equal(g->died[9], 1);
    assert_int_equal(g->done[9], 1); /* alone it lives */
    assert_int_equal(g->over[9], 1);
    assert_int_equal(g->died[12], 2);
    assert_int_equal(g->over[12], 0);

    assert_false(ck_pool_lives(g->pool, (size_t[]){ 4, 5, 6, 9 }, 4, 1000));
    assert_true(ck_pool_lives(g->pool, (size_t[]){ 4, 6, 9 }, 3, 1000));
    assert_false(ck_pool_lives(g->pool, (size_t[]){ 4, 12 }, 2, 1000));
    g->plays[4] = HANGS;
    assert_false(ck_pool_lives(g->pool, (size_t[]){ 4 }, 1, 50));
    assert_int_equal(g->done[4], 1); /* a trial tells nobody */
    end(g);
}

/* A thread that ends its worker takes along what others have just taken: the pool asks for it. */
static void what_threads_lose_is_missed(void **state)
{
    struct game *g = begin_seated(TASKS, 8, 1);
    int by;

    (void)state;
    g->leaving = true;
    ck_pool_line_threads(g->pool, 6, TASKS);
    for (size_t i = 0; i < TASKS; i += 3)
        g->plays[i] = LEAVES;
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_COMPLETE);
    assert_in_range(g->asked, 1, 20);
    for (size_t i = 0; i < TASKS; i++)
        assert_int_equal(g->done[i], 1);
    end(g);
}

static void workers_killed_from_outside_lose_nothing(void **state)
{
    struct game *g = begin(TASKS, 4);
    int by, died_of_it = 0;

    (void)state;
    for (size_t i = 0; i < TASKS; i++)
        g->plays[i] = SLOW;
    g->again = true;
    g->kills = 40;
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_COMPLETE);
    for (size_t i = 0; i < TASKS; i++) {
        assert_int_equal(g->done[i], 1);
        died_of_it += g->died[i];
    }
    assert_true(died_of_it > 0);
    end(g);
}

static void two_lines_and_a_limit(void **state)
{
    struct game *g = begin(100, 1);
    static size_t further[50];
    int by;

    (void)state;
    for (size_t i = 0; i < 50; i++)
        further[i] = 100 + i;
    assert_true(ck_pool_line(g->pool, further, 50, 2));
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_COMPLETE);
    for (size_t i = 0; i < 150; i++)
        assert_int_equal(g->done[i], 1);
    end(g);
}

/* The third line waits for the second alone: not for the first, which has tasks left when it begins. */
static void a_line_waits_for_others(void **state)
{
    struct game *g = begin(100, 6);
    static size_t second[20], third[20];
    int by;

    (void)state;
    g->plays[50] = WAITS;
    for (size_t i = 0; i < 20; i++) {
        second[i] = 100 + i;
        third[i] = 200 + i;
    }
    g->plays[119] = DIES; /* a worker that dies does not let the next line begin while tasks are left */
    assert_true(ck_pool_line(g->pool, second, 20, 1));
    assert_true(ck_pool_line(g->pool, third, 20, 2));
    ck_pool_line_after(g->pool, 1, 1);
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_COMPLETE);
    for (size_t i = 0; i < 20; i++) {
        for (size_t k = 0; k < 20; k++)
            assert_true(g->shared->place[200 + i] > g->shared->place[100 + k]);
        assert_int_equal(g->done[200 + i], 1);
    }
    assert_int_equal(g->died[119], 1);
    assert_int_equal(g->done[50], 1);
    end(g);
}

/* The tasks of a worker with threads run beside each other; what takes the worker along is told once, and what was
 * beside it runs again alone. */
static void threads_of_a_worker(void **state)
{
    struct game *g = begin(TASKS, 8);
    int by, beside = 0;

    (void)state;
    ck_pool_line_threads(g->pool, 4, TASKS);
    g->again = true;
    for (size_t i = 0; i < TASKS; i++)
        g->plays[i] = SLOW;
    g->plays[0] = WAITS; /* in its own thread, until another one has come to task 200 */
    g->plays[60] = DIES;
    g->plays[100] = LEAVES;
    g->plays[140] = HANGS;
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_COMPLETE);
    for (size_t i = 0; i < TASKS; i++) {
        const bool dies = g->plays[i] == DIES || g->plays[i] == HANGS;
        assert_int_equal(g->done[i], !dies);
        assert_true(dies ? g->died[i] == 2 : g->died[i] <= 1);
        assert_int_equal(g->late[i], g->plays[i] == HANGS ? 200 : 0);
        beside += !dies && g->died[i];
    }
    assert_in_range(beside, 1, 3 * 3 * 8); /* three deaths, in which a worker has three other threads */
    end(g);
}

/* Behind the tasks that threads do together come the others, one by one, of the same worker. */
static void threads_for_the_first_tasks(void **state)
{
    struct game *g = begin_seated(TASKS, 8, 1);
    int by;

    (void)state;
    ck_pool_line_threads(g->pool, 4, 300);
    g->again = true;
    g->plays[0] = WAITS; /* until another thread has come to task 200 */
    g->plays[299] = SLOW;
    g->plays[350] = LEAVES;
    g->plays[370] = DIES;
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_COMPLETE);
    for (int i = 300; i < TASKS; i++) {
        assert_int_equal(g->died[i], i == 370 ? 2 : 0); /* the others had no company */
        if (i != 370)
            assert_int_equal(g->shared->place[i], i); /* task 370 runs once more, at the end */
    }
    for (int i = 0; i < 300; i++)
        assert_int_equal(g->done[i], 1);
    end(g);
}

/* The second line's worker makes ready while the first line is at work, the third line's not before the second may
 * begin; no task begins early. */
static void an_early_worker_is_ready(void **state)
{
    struct game *g = begin(100, 2);
    static size_t second[20], third[20];
    int by;

    (void)state;
    for (size_t i = 0; i < 100; i++)
        g->plays[i] = SLOW;
    for (size_t i = 0; i < 20; i++) {
        second[i] = 100 + i;
        third[i] = 200 + i;
        g->plays[100 + i] = SLOW;
    }
    ck_pool_free(g->pool);
    g->pool = ck_pool_new(&ops, g, 8);
    assert_true(ck_pool_line(g->pool, numbers, 100, 2));
    assert_true(ck_pool_line(g->pool, second, 20, 1));
    ck_pool_line_threads(g->pool, 2, 10);
    ck_pool_line_after(g->pool, 0, 0);
    ck_pool_line_early(g->pool);
    assert_true(ck_pool_line(g->pool, third, 20, 1));
    ck_pool_line_after(g->pool, 1, 1);
    ck_pool_line_early(g->pool);
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_COMPLETE);
    for (size_t i = 0; i < 20; i++) {
        for (size_t k = 0; k < 100; k++)
            assert_true(g->shared->place[100 + i] > g->shared->place[k]);
        for (size_t k = 0; k < 20; k++)
            assert_true(g->shared->place[200 + i] > g->shared->place[100 + k]);
        assert_int_equal(g->done[200 + i], 1);
    }
    assert_int_equal(atomic_load(&g->shared->ready[100]) + atomic_load(&g->shared->ready[101]), 2);
    assert_in_range(g->shared->ready_at[100], 0, 99);
    assert_int_equal(atomic_load(&g->shared->ready[200]), 1);
    assert_in_range(g->shared->ready_at[200], 100, 119);
    end(g);
}

/* A line that takes what others leave: nothing beside two workers of two, one worker beside two of three. */
static void a_line_takes_what_is_left(void **state)
{
    (void)state;
    for (unsigned workers = 2; workers <= 3; workers++) {
        struct game *g = begin(100, 2);
        static size_t second[50];
        int by, beside = 0;

        for (size_t i = 0; i < 100; i++)
            g->plays[i] = SLOW;
        for (size_t i = 0; i < 50; i++)
            second[i] = 100 + i;
        ck_pool_free(g->pool);
        g->pool = ck_pool_new(&ops, g, 8);
        assert_true(ck_pool_line(g->pool, numbers, 100, 2));
        assert_true(ck_pool_line(g->pool, second, 50, 4));
        ck_pool_line_spare(g->pool, 0, 0, workers);
        assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_COMPLETE);
        for (size_t i = 0; i < 150; i++)
            assert_int_equal(g->done[i], 1);
        for (size_t i = 100; i < 150; i++)
            beside += g->shared->place[i] < 90;
        assert_int_equal(beside > 0, workers == 3);
        end(g);
    }
}

/* A line that has one worker while another line is at work, and four when that is over; each worker has a place in its
 * line that no other has. */
static void a_line_has_few_workers_at_first(void **state)
{
    struct game *g = begin(50, 2);
    static size_t second[200];
    unsigned places = 0;
    int by, last = 0;

    (void)state;
    for (size_t i = 0; i < 250; i++)
        g->plays[i] = SLOW;
    for (size_t i = 0; i < 200; i++)
        second[i] = 50 + i;
    ck_pool_free(g->pool);
    g->pool = ck_pool_new(&ops, g, 8);
    assert_true(ck_pool_line(g->pool, numbers, 50, 2));
    assert_true(ck_pool_line(g->pool, second, 200, 4));
    ck_pool_line_few(g->pool, 0, 0, 1);
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_COMPLETE);
    for (size_t i = 0; i < 50; i++) {
        assert_in_range(g->shared->seat[i], 0, 1);
        last = g->shared->place[i] > last ? g->shared->place[i] : last;
    }
    for (size_t i = 50; i < 250; i++) {
        assert_int_equal(g->done[i], 1);
        assert_in_range(g->shared->seat[i], 0, g->shared->place[i] < last ? 0 : 3);
        places |= 1u << g->shared->seat[i];
    }
    assert_int_equal(places, 0xF);
    end(g);
}

static void the_caller_stops_it(void **state)
{
    struct game *g = begin(2, 2);
    int by;

    (void)state;
    g->plays[0] = HANGS;
    g->plays[1] = HANGS;
    g->stop_after = 2;
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_STOPPED);
    assert_int_equal(g->done[0] + g->done[1], 0);
    end(g);
}

static void a_signal_ends_it(void **state)
{
    struct game *g = begin(2, 2);
    int by = 0;

    (void)state;
    g->plays[0] = HANGS;
    g->plays[1] = HANGS;
    g->raises = SIGTERM;
    assert_int_equal(ck_pool_run(g->pool, &by), CK_POOL_SIGNALED);
    assert_int_equal(by, SIGTERM);
    end(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_is_done_once),      cmocka_unit_test(what_a_worker_died_of_is_named),
        cmocka_unit_test(what_died_runs_again_alone),  cmocka_unit_test(workers_killed_from_outside_lose_nothing),
        cmocka_unit_test(what_threads_lose_is_missed), cmocka_unit_test(two_lines_and_a_limit),
        cmocka_unit_test(a_line_waits_for_others),     cmocka_unit_test(threads_of_a_worker),
        cmocka_unit_test(threads_for_the_first_tasks), cmocka_unit_test(an_early_worker_is_ready),
        cmocka_unit_test(a_line_takes_what_is_left),   cmocka_unit_test(a_line_has_few_workers_at_first),
        cmocka_unit_test(the_caller_stops_it),         cmocka_unit_test(a_signal_ends_it),
    };

    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
