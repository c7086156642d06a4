/* A run: points on engines, in worker processes, records as they end. */
#ifndef COPYCHECK_RUN_H
#define COPYCHECK_RUN_H

#include <stdio.h>

#include "harness/run/point.h"

enum { CK_ENGINES = 24 };

struct ck_run {
    const struct ck_engine *engines;
    size_t engine_count;
    const struct ck_point *const *points; /* in the order in which they are to run */
    size_t point_count;
    uint64_t seed;
    unsigned repeat;      /* times that each point runs; 1 at least */
    unsigned jobs;        /* workers of an engine without a device */
    unsigned deadline_ms; /* for a point, before its worker is killed */
    FILE *out;            /* records go here, flushed as points end; closed by the caller */
    bool (*done)(void *context, const char *point, const char *engine); /* records that a resumed file has; or NULL */
    void *context;
    void (*progress)(void *context, size_t ended, size_t planned, size_t failed); /* or NULL */
};

/* What the run took. Contexts, loading, compiling and launches are what no run on a GPU can do without; their times are
 * summed over all worker processes, of which several work at once, and may come to more than `wall`. */
struct ck_profile {
    double wall, context, load, compile, launch; /* seconds */
    unsigned long contexts, launches, records;
    unsigned processes; /* that had a context at a time: one for each engine with a GPU */
};

enum ck_run_end {
    CK_RUN_COMPLETE,
    CK_RUN_INTERRUPTED, /* SIGINT or SIGTERM: finished records are written */
    CK_RUN_UNWRITTEN,   /* the record file takes no more: errno says why */
};

/* Points times engines that can do them: what ck_run_points will write records of. */
size_t ck_run_planned(const struct ck_run *run);

enum ck_run_end ck_run_points(const struct ck_run *run, struct ck_profile *profile);

#endif
