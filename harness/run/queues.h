/* The jobs of a run: which point runs on which engine, in which order. */
#ifndef COPYCHECK_QUEUES_H
#define COPYCHECK_QUEUES_H

#include <sys/types.h>

#include "harness/run/run.h"

struct job {
    const struct ck_point *point;
    unsigned engine;
    unsigned line; /* of the pool; it runs alone in the same one */
    bool again;    /* runs alone because it died with others before it in its worker, or was killed from outside */
    bool along;    /* of one that runs again: the worker ended while it was at work, and it did not say why */
    bool settled;  /* its result is final; the record waits for those before it */
    bool written;
    pid_t company; /* of a job that runs again: the worker that it died in */
    unsigned shot; /* how often a signal from outside ended its worker, or memory was short, while it was at work */
};

/* The jobs of an engine, in the order in which they run and are recorded. */
struct queue {
    size_t *jobs;
    size_t count;
    size_t texts;    /* the first of them: texts for an assembler, or what takes the emulator long */
    size_t shared;   /* those and launches on a device that gate and have company there */
    size_t gates;    /* those and launches that gate and measure time: all that gates and does not fault */
    size_t observed; /* those and launches that only observe and have company */
    size_t plain;    /* those and all launches that do not fault */
    size_t watched;  /* those and texts for a device's compiler that do not gate; what may fault follows */
    size_t recorded; /* written, or to be written when they have run again */
};

struct queues {
    struct job *jobs;
    size_t count;
    struct queue queues[CK_ENGINES];
};

/* Whether a device is among the engines of the run. */
bool ck_run_has_device(const struct ck_run *run);

/* Which of the run's devices the worker at this place in its line uses (ck_seat_place) for the job, or for a batch of
 * rows (NULL): what may fault runs on the last one, and all of them share the rest. */
unsigned ck_job_device(const struct ck_run *run, const struct job *job, unsigned place);

/* Whether the engine does without a device what another one of the run does on it: its points come behind. */
bool ck_queue_behind(const struct ck_run *run, unsigned engine);

/* Makes the jobs of a run. False: out of memory. */
bool ck_queues_make(struct queues *q, const struct ck_run *run);
void ck_queues_free(struct queues *q);

#endif
// SPDX-License-Identifier: Apache-2.0
