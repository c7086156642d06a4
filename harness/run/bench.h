/* What a case's run function works with: buffers, an engine, what came of them so far. Private to harness/run. */
#ifndef COPYCHECK_BENCH_H
#define COPYCHECK_BENCH_H

#include "harness/engines/engine.h"
#include "harness/plan/axes.h"
#include "harness/run/slot.h"

enum { CK_BUFFERS = 48, CK_SCRATCH = 64 };

/* A buffer as it lies on the device: guard band, data, guard band. */
struct ck_region {
    unsigned char *image;     /* the host's copy of all three */
    uint64_t device;          /* address of the front guard */
    size_t front, size, back; /* bytes */
    bool changed;             /* the device does not have the image yet */
    bool output;              /* kernels may write it: its bytes count for the digest */
};

struct ck_bench {
    struct ck_engine *engine;
    struct ck_slot *result;
    const struct ck_outcome *known; /* what the engine says of the row, where that is known already; or NULL */
    uint64_t random;                /* state of the point's sequence */
    struct ck_region regions[CK_BUFFERS];
    size_t region_count;
    void *scratch[CK_SCRATCH];
    size_t scratch_count;
    uint64_t timeouts_at; /* device address of the word in which kernels note the waits that ran out; 0: not made yet */
    uint32_t timeouts;    /* what the word held after the last launch */
    int checks, failures;
    bool watching; /* outcomes are recorded and do not gate */
    bool no_digest, launched;
    bool lost; /* the engine is of no more use in this worker */
    struct ck_outcome outcome;
};

/* ---- memory.c ---- */
void ck_bench_send(struct ck *t);  /* changed images go to the device; the word of timeouts becomes 0 */
void ck_bench_fetch(struct ck *t); /* images come back, and guard bands are checked */
uint64_t ck_bench_digest(const struct ck_bench *b); /* of the output buffers, in the order in which they were made */
void ck_bench_free(struct ck_bench *b);

/* An outcome of the engine that is not what the case asked for: ends the point. */
void ck_engine_failed(struct ck *t, const struct ck_outcome *out) __attribute__((noreturn));

/* ---- judge.c ---- */
/* Ends the point because this machine has no memory for so many bytes: it has no verdict then. */
void ck_starved(struct ck *t, size_t bytes) __attribute__((noreturn));

/* ---- launch.c ---- */
/* The launch as the engine takes it, with a copy of its arguments that the caller frees. */
struct ck_device_launch ck_bench_launch(struct ck *t, const struct ck_launch *launch);
/* The engine named a rule that is broken: a failure, or what a breach is there to show. */
void ck_bench_diagnosed(struct ck *t, const struct ck_outcome *out);

/* ---- rows.c: cases that are rows of a table ---- */
enum ck_verdict ck_run_assemble(struct ck *t);
enum ck_verdict ck_run_encode(struct ck *t);
enum ck_verdict ck_run_compile(struct ck *t);
enum ck_language ck_row_language(const struct ck_case *c); /* of a compile, cuda or python row */

#endif
// SPDX-License-Identifier: Apache-2.0
