/* A pool's worker: the process that takes the tasks of a line. Private to pool.c and pool_worker.c. */
#ifndef COPYCHECK_POOL_WORKER_H
#define COPYCHECK_POOL_WORKER_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "harness/run/pool.h"

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
