/* A run that is under way: what its parent (jobs.c) and its workers (duties.c) share. Private to the two. */
#ifndef COPYCHECK_RUN_STATE_H
#define COPYCHECK_RUN_STATE_H

#include <stdatomic.h>

#include "harness/run/lines.h"

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
    bool trial;      /* a worker that begins now leaves no results: it is asked whether a job lives */
    unsigned asked;  /* how often jobs were missed */
    bool gated;      /* run->gated was called, or there was nothing to tell */
    uint64_t digest; /* of the records that were written */
    bool unwritten;
    int unwritten_errno;
};

#endif
// SPDX-License-Identifier: Apache-2.0
