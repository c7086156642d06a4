/* A point, a run of many, and texts for assemblers: what the room offers. */
#ifndef COPYCHECK_RUN_H
#define COPYCHECK_RUN_H

#include <stdio.h>

#include "harness/engines/engine.h"
#include "harness/plan/plan.h"
#include "harness/records/record.h"
#include "harness/run/slot.h"

/* ---- one point on one engine: point.c -------------------------------------------------------------------------- */

/* Runs a point on an engine that is open. Where it is known what the engine says of a row, it is not asked, and need
 * not be open; else `known` is NULL. */
void ck_point_run(const struct ck_point *point, struct ck_engine *engine, uint64_t seed, const struct ck_outcome *known,
                  struct ck_slot *result);

/* What kind of thing the point asks of an engine; whether the engine can do such a thing at all. */
const char *ck_point_phase(const struct ck_point *point);
bool ck_engine_can(const struct ck_engine *engine, const struct ck_point *point);

/* "accept", "refuse", "done", or "seen" where nothing is demanded. */
const char *ck_point_expected(const struct ck_point *point);

/* Whether small inputs of later points lie in host memory, each by chance drawn from its seed: copies from there take
 * long, so that a wait that does not wait shows. Their bytes are the same. Set before a run. */
void ck_run_slow_inputs(bool slow);

/* ---- a run: points on engines, in worker processes, records as they end: jobs.c -------------------------------- */

enum { CK_ENGINES = 24 };

/* What is still to come of a run when what gates is told. */
struct ck_to_come {
    const char *behind; /* the engine that needs no device, "emu"; NULL: none */
    size_t on_it;       /* its points that are not recorded yet, and those of others: */
    size_t observing;   /* that only observe */
    size_t faulting;    /* breaches that cost the device a context */
};

struct ck_run {
    const struct ck_engine *engines;
    size_t engine_count;
    const struct ck_point *const *points; /* in the order in which they are to run */
    size_t point_count;
    uint64_t seed;
    unsigned repeat;      /* times that each point runs; 1 at least */
    unsigned jobs;        /* workers of an engine without a device */
    unsigned devices;     /* that are alike, among which the points of an engine with a device are shared; 1 at least */
    unsigned deadline_ms; /* for a point, before its worker is killed */
    bool alone;           /* each text is an assembler's only one, not an entry of a module with others (batches.h) */
    /* Which points that may fault a device runs. What gates runs on each of its engines, except with `no_faults`. */
    const bool *spare; /* of each point: another one breaks its rule in the same way (ck_spare), so that the device's
                        * further engines do without it; NULL: all are run everywhere */
    bool brief;        /* its first engine does without the spare ones too, the further ones without any */
    bool no_faults;    /* none */
    FILE *out;         /* records go here, flushed as points end; closed by the caller */
    uint64_t *chain;   /* of its lines: ck_write_record */
    bool (*done)(void *context, const char *point, const char *engine); /* records that a resumed file has; or NULL */
    void *context;
    void (*progress)(void *context, size_t ended, size_t planned, size_t failed); /* or NULL */
    /* Called once, where a device is among the engines: when all is recorded that gates, except for what may fault and
     * for engines that do without a device what it does. `records`: what this run has written, for the time of the
     * call. Or NULL. */
    void (*gated)(void *context, const struct ck_to_come *left, const struct ck_record *records, size_t count);
};

/* What the run took. Contexts, loading, compiling and launches are what no run on a GPU can do without; their times are
 * summed over all worker processes, of which several work at once, and may come to more than `wall`. */
struct ck_profile {
    double wall, context, load, compile, copy, launch; /* seconds */
    unsigned long contexts, launches, records;
    uint64_t digest; /* ck_record_digest of the records, added up */
};

enum ck_run_end {
    CK_RUN_COMPLETE,
    CK_RUN_INTERRUPTED, /* SIGINT or SIGTERM: finished records are written */
    CK_RUN_UNWRITTEN,   /* the record file takes no more: errno says why */
};

/* Points times engines that can do them: what ck_run_points will write records of. */
size_t ck_run_planned(const struct ck_run *run);
/* ck_record_hash of all of them, added up. */
uint64_t ck_run_plan(const struct ck_run *run);

enum ck_run_end ck_run_points(const struct ck_run *run, struct ck_profile *profile);

/* ---- many texts on many engines, in worker processes: assemble.c ------------------------------------------------ */

struct ck_assemble {
    const char *const *files; /* "-" is standard input, read before the workers start */
    size_t file_count;
    struct ck_engine *engines; /* not open; each worker opens those that it needs */
    size_t engine_count;
    unsigned jobs;
    unsigned deadline_ms; /* of an engine that works inside its worker; others keep their own */
};

/* What came of one file on one engine. */
struct ck_assembled {
    bool bad; /* the file could not be read as PTX: the outcome's message says why */
    struct ck_outcome outcome;
};

/* Assembles all and calls `each` for every file, in the order of the files, with one result for each engine. Stops
 * early if `each` returns false. Returns false, with one line in `error`, if nothing can be started; an interruption
 * (SIGINT, SIGTERM) ends it early, with no process left, and *ended_by says which. */
bool ck_assemble_all(const struct ck_assemble *a,
                     bool (*each)(void *context, size_t file, const struct ck_assembled *results), void *context,
                     int *ended_by, char *error, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
