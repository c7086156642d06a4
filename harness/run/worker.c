/* A worker of a pool, in its own process: it takes task after task. */
#include "harness/run/worker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { NAP_NS = 1000000 }; /* of a worker that waits for its turn */

uint64_t pool_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

unsigned ck_seat_place(const struct ck_seat *seat)
{
    return atomic_load(&seat->place);
}

void ck_seat_limit(struct ck_seat *seat, unsigned ms)
{
    atomic_store(&seat->since, pool_now());
    atomic_store(&seat->limit_ms, ms);
}

static void tell(const struct pool_work *w, const struct ck_seat *seat, size_t task)
{
    const struct pool_note note = { .task = task, .seat = (size_t)(seat - w->shared->seats) };
    ssize_t n;

    do
        n = write(w->pipe, &note, sizeof note);
    while (n < 0 && errno == EINTR);
    if (n != sizeof note)
        _exit(3);
}

/* The process is of no more use. The first task of it that is, is told; what other threads are at dies with it, as they
 * may have seen no more than what this one did. */
static void tell_last(const struct pool_work *w, size_t task)
{
    static atomic_flag last = ATOMIC_FLAG_INIT;

    while (atomic_flag_test_and_set(&last))
        pause();
    if (!w->quiet)
        tell(w, w->seat, task);
    _exit(1); /* without exit handlers, which what is lost can hold up */
}

/* Takes the next task before `end`; false where none is left. */
static bool take(_Atomic size_t *next, size_t end, size_t *task)
{
    *task = atomic_load(next);
    while (*task < end)
        if (atomic_compare_exchange_weak(next, task, *task + 1))
            return true;
    return false;
}

/* Makes ready for the first task and waits until it may begin. */
static void await_open(const struct pool_work *w, size_t task)
{
    const struct timespec nap = { .tv_nsec = NAP_NS };

    if (!w->open || atomic_load(w->open))
        return;
    w->ops->ready(w->context, w->seat, task);
    ck_seat_limit(w->seat, 0);
    while (!atomic_load(w->open))
        nanosleep(&nap, NULL);
}

/* Takes task after task, until none before `end` is left. */
static void do_tasks(const struct pool_work *w, size_t end)
{
    for (size_t i; take(w->next, end, &i);) {
        const size_t task = w->tasks[i];

        ck_seat_limit(w->seat, 0);
        atomic_store(&w->seat->task, task + 1);
        await_open(w, task);
        if (!w->ops->work(w->context, w->seat, task))
            tell_last(w, task);
        atomic_fetch_add(&w->seat->good, 1);
        if (!w->quiet)
            tell(w, w->seat, task);
        atomic_store(&w->seat->task, 0); /* after the note, so that a worker killed in between loses no task */
    }
}

struct thread {
    struct pool_work work;
    pthread_t thread;
};

static void *do_thread(void *of)
{
    const struct thread *t = of;

    do_tasks(&t->work, t->work.together);
    if (t->work.ops->leave)
        t->work.ops->leave(t->work.context);
    return NULL;
}

/* Where no thread can be made, the others do its tasks. */
_Noreturn void pool_work(const struct pool_work *w, const size_t *seats, unsigned threads, pid_t parent)
{
    struct thread further[CK_POOL_THREADS];
    unsigned made = 0;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before the line above */
        _exit(1);
    signal(SIGINT, SIG_IGN); /* the parent decides what an interrupt means */
    signal(SIGTERM, SIG_DFL);
    signal(SIGSEGV, SIG_DFL); /* a test's handler would go on with the next test, in each worker */
    signal(SIGBUS, SIG_DFL);
    for (unsigned k = 1; k < threads; k++) {
        struct thread *t = &further[made];
        *t = (struct thread){ .work = *w };
        t->work.seat = &w->shared->seats[seats[k]];
        made += pthread_create(&t->thread, NULL, do_thread, t) == 0;
    }
    do_tasks(w, w->together);
    for (unsigned k = 0; k < made; k++)
        pthread_join(further[k].thread, NULL);
    do_tasks(w, w->count);
    if (w->ops->leave)
        w->ops->leave(w->context);
    _exit(0);
}
// SPDX-License-Identifier: Apache-2.0
