/* Worker processes that take numbered tasks in turn, so that a task which dies or never ends costs one result only.
 *
 * Tasks wait in lines. The workers of a line share a counter and take the next task each; a worker that dies is
 * replaced, and the one that it died of is named. After those of the line come tasks that are to run alone, in a
 * worker of their own. A worker may also do several tasks of its line at a time, each in a thread, where what a process
 * has is dear: if one of them takes it along, the others die with it. What tasks leave goes into memory that the caller
 * shares with his workers; that a task is done goes through a pipe, which wakes the parent. */
#ifndef COPYCHECK_POOL_H
#define COPYCHECK_POOL_H

#include "harness/run/worker.h"

struct ck_pool;

/* A pool with at most `workers` processes at a time (CK_POOL_WORKERS at most). NULL, with errno, where there is no
 * memory for one. */
struct ck_pool *ck_pool_new(const struct ck_pool_ops *ops, void *context, unsigned workers);
void ck_pool_free(struct ck_pool *pool);

/* A further line, numbered from 0, with at most `workers` at a time. `tasks` must live as long as the pool. False:
 * there are CK_POOL_LINES already. */
bool ck_pool_line(struct ck_pool *pool, const size_t *tasks, size_t count, unsigned workers);
/* Has the newest line wait until the lines from `first` to `last`, which come before it, have no task left and no
 * worker. */
void ck_pool_line_after(struct ck_pool *pool, unsigned first, unsigned last);
/* Has a worker of the newest line, which waits for others, begin as soon as those wait for none: it makes ready for its
 * first task, or its first ones, and then waits. */
void ck_pool_line_early(struct ck_pool *pool);
/* As long as the lines from `first` to `last` have a task left or a worker, a worker of the newest line begins only
 * where fewer than `workers` workers and threads are at work in all lines. */
void ck_pool_line_spare(struct ck_pool *pool, unsigned first, unsigned last, unsigned workers);
/* As long as the lines from `first` to `last` have a task left or a worker, the newest line has at most `workers` at a
 * time. */
void ck_pool_line_few(struct ck_pool *pool, unsigned first, unsigned last, unsigned workers);
/* Has each worker of the newest line do `threads` of its first `together` tasks at a time (CK_POOL_THREADS at most),
 * and then the others one by one. Tasks that run alone have no company in any line. */
void ck_pool_line_threads(struct ck_pool *pool, unsigned threads, size_t together);
/* Has a task run alone, after the tasks of its line. False: out of memory. */
bool ck_pool_alone(struct ck_pool *pool, unsigned line, size_t task);

enum ck_pool_end {
    CK_POOL_COMPLETE, /* no task is left */
    CK_POOL_STOPPED,  /* `turn` said so */
    CK_POOL_SIGNALED, /* SIGINT or SIGTERM: see *by. A SIGINT that the caller ignores is still ignored */
    CK_POOL_STUCK,    /* no process can be made: see errno */
};

/* Runs all tasks. No worker is left when it returns. */
enum ck_pool_end ck_pool_run(struct ck_pool *pool, int *by);

/* Runs these tasks in one worker of their own, one after the other, for `ms` milliseconds at most; `done` and `died`
 * are not called. False where it dies or is of no more use before the last is done. */
bool ck_pool_lives(struct ck_pool *pool, const size_t *tasks, size_t count, unsigned ms);

#endif
// SPDX-License-Identifier: Apache-2.0
