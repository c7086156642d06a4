/* A pool's worker: the process that takes the tasks of a line, and what it and the parent call. */
#ifndef COPYCHECK_WORKER_H
#define COPYCHECK_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    CK_POOL_WORKERS = 256,
    CK_POOL_LINES = 192,
    CK_POOL_THREADS = 16,
};

struct ck_seat; /* a worker's place in shared memory */

/* How a worker ended while it was at a task. */
struct ck_death {
    int status;       /* as waitpid has it */
    unsigned late_ms; /* it was killed, as its task took longer than this; 0: it ended by itself */
};

struct ck_pool_ops {
    /* ---- in a worker: `context` is the worker's own copy of the caller's memory, except for what is shared ---- */
    /* Does a task. False: the process is of no more use, and ends without `leave`. */
    bool (*work)(void *context, struct ck_seat *seat, size_t task);
    /* Makes ready for a task that is not to begin yet: see ck_pool_line_early. May be NULL, where no line is early. */
    void (*ready)(void *context, struct ck_seat *seat, size_t task);
    /* Before the worker, or a thread of it, ends, as there are no more tasks. May be NULL. */
    void (*leave)(void *context);

    /* ---- in the parent ---- */
    void (*done)(void *context, size_t task); /* may be NULL */
    /* A worker ended while it was at the task; `alone`: it had no other. */
    void (*died)(void *context, size_t task, bool alone, const struct ck_death *how);
    /* The worker of a task that ran alone has ended, and the task is done. May be NULL. */
    void (*alone_over)(void *context, size_t task);
    /* No task is left. Gives those of which it has heard nothing to ck_pool_alone, and says whether there are any: a
     * worker that ends takes along what another thread of it has taken and not begun. May be NULL. */
    bool (*missed)(void *context);
    /* Called once in every turn, at least every 20 ms; false ends the pool. May be NULL. */
    bool (*turn)(void *context);
};

/* In `work` and `ready`: the lowest number, from 0, that no other worker of its line has while this one lives. */
unsigned ck_seat_place(const struct ck_seat *seat);

/* In `work`: the task may take `ms` milliseconds from now on; before, it has no limit. */
void ck_seat_limit(struct ck_seat *seat, unsigned ms);

/* ---- between pool.c and worker.c ---- */

enum {
    TRIAL = CK_POOL_WORKERS, /* the seat of ck_pool_lives */
    SEATS = CK_POOL_WORKERS + 1,
};

struct ck_seat {
    _Atomic size_t task;       /* number + 1 of what the worker is at; 0: nothing */
    _Atomic uint64_t since;    /* CLOCK_MONOTONIC, ns */
    _Atomic unsigned limit_ms; /* for the task, from `since` on; 0: none */
    _Atomic size_t good;       /* tasks after which the worker could go on */
    _Atomic size_t next;       /* counter of a worker that has tasks of its own */
    _Atomic unsigned place;    /* of the worker among those of its line: the lowest that no other one has */
};

struct pool_shared {
    struct ck_seat seats[SEATS];
    _Atomic size_t next[CK_POOL_LINES]; /* how many tasks of each line are taken */
    atomic_bool open[CK_POOL_LINES];    /* its tasks may begin */
};

/* What a worker writes into the pipe. */
struct pool_note {
    size_t task; /* number of what is done */
    size_t seat;
};

/* What one worker is to do, or a thread of one. */
struct pool_work {
    const struct ck_pool_ops *ops;
    void *context;
    struct pool_shared *shared; /* by all workers and the parent */
    int pipe;                   /* takes notes of what is done */
    struct ck_seat *seat;
    const size_t *tasks;
    size_t together; /* how many of them threads do */
    size_t count;
    _Atomic size_t *next;
    const atomic_bool *open; /* tasks may begin; NULL: they may */
    bool quiet;              /* `done` is not called for its tasks */
};

uint64_t pool_now(void); /* CLOCK_MONOTONIC, ns */

/* In the new process: does the work, in as many threads as there are seats for, and ends. */
_Noreturn void pool_work(const struct pool_work *work, const size_t *seats, unsigned threads, pid_t parent);

#endif
// SPDX-License-Identifier: Apache-2.0
