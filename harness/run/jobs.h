/* A run that is under way: what its parent (jobs.c) and its workers (duties.c) share. Private to the two. */
#ifndef COPYCHECK_JOBS_H
#define COPYCHECK_JOBS_H

#include <stdatomic.h>

#include "harness/run/lines.h"

enum { DUTY_OPEN_MS = 60000 }; /* for an engine to open */

/* What an engine's workers spent on what cannot be avoided, in ns, and how often. */
struct run_cost {
    _Atomic uint64_t context, load, compile, copy, launch, contexts, launches;
};

struct run_shared {
    struct run_cost costs[CK_ENGINES];
    _Atomic bool first_open; /* the context of the first launches is there, or there are none */
    struct ck_slot results[];
};

/* The parent's; workers have it as it was when they began, but for `shared`. */
struct run_state {
    const struct ck_run *run;
    struct ck_pool *pool;
    struct run_shared *shared;
    size_t shared_size;
    struct queues plan;
    struct batches batches; /* tasks of the pool from plan.count on */
    size_t ended, failed;
    bool gated;      /* run->gated was called, or there was nothing to tell */
    uint64_t digest; /* of the records that were written */
    bool unwritten;
    int unwritten_errno;
};

/* What the pool calls in workers: pool.h, struct ck_pool_ops. */
bool duty_work(void *state, struct ck_seat *seat, size_t number);
void duty_ready(void *state, struct ck_seat *seat, size_t number);
void duty_leave(void *state);
/* Whether the job is among the first launches on a device. */
bool duty_is_first(const struct run_state *s, size_t number);

#endif
