/* Programs run in several ways, and the bytes that they left compared. */
#ifndef COPYCHECK_ASYNC_FUZZ_JUDGE_H
#define COPYCHECK_ASYNC_FUZZ_JUDGE_H

#include "tools/async_fuzz/engines.h"

enum { WAYS = 1100 };

struct fuzz_judge {
    const struct way *ways;
    size_t way_count;
    unsigned level; /* of optimisation by the driver's compiler, 0 to 4 */
    void *context;
    /* Asked before each run, and with program == count before the batch is loaded: false leaves it out. */
    bool (*start)(void *context, size_t way, size_t program);
    /* What is wrong with a program; `program` is the batch's count where the whole module is refused. False ends it. */
    bool (*report)(void *context, size_t way, size_t program, const char *message);
    /* The digest of what the first way left. */
    void (*digest)(void *context, size_t program, uint64_t digest);
    void (*spent)(void *context, size_t way, uint64_t load_ns, uint64_t run_ns, size_t programs);
};

/* Judges the programs of one module. The bytes of the first way are those that the others must leave. */
void judge_batch(const struct fuzz_judge *j, const struct program *programs, size_t count,
                 const struct ck_growing *text);

uint64_t digest_of(const void *bytes, size_t size);
uint64_t now_ns(void);

#endif
// SPDX-License-Identifier: Apache-2.0
