/* A list of steps on one cuda::barrier of block scope: what the documents say of its phases is followed here step by
 * step, and then the kernel libcu_steps carries the list out.
 *
 *     struct steps *s = steps(t);
 *     step_init(s, 2);
 *     step_arrive(s, 1, 0);
 *     step_ask(s, 0, 0);
 *     steps_run(s);
 *
 * Each step is returned, so that a mutant can change it after it was followed: the machine then does something else. */
#ifndef COPYCHECK_CUDA_BARRIER_STEPS_H
#define COPYCHECK_CUDA_BARRIER_STEPS_H

#include "harness/ck.h"
#include "kernels/libcu_barrier.h"

struct steps {
    struct ck *t;
    uint32_t global; /* the barrier is in global memory */
    uint32_t count;
    struct libcu_step step[LIBCU_STEPS];
    bool asks[LIBCU_STEPS];
    uint32_t answer[LIBCU_STEPS];

    int64_t expected, pending, bytes; /* of the barrier so far */
    uint32_t phase;
    uint32_t token[LIBCU_TOKENS]; /* in which phase each was made */
};

struct steps *steps(struct ck *t);

struct libcu_step *step_init(struct steps *s, int32_t count);
struct libcu_step *step_arrive(struct steps *s, int32_t count, uint32_t token);
struct libcu_step *step_drop(struct steps *s);
struct libcu_step *step_arrive_tx(struct steps *s, int32_t count, int32_t bytes, uint32_t token);
struct libcu_step *step_expect_tx(struct steps *s, int32_t bytes);
struct libcu_step *step_complete_tx(struct steps *s, int32_t bytes);
struct libcu_step *step_raw_arrive(struct steps *s);
struct libcu_step *step_ask(struct steps *s, uint32_t token, int64_t ns);
struct libcu_step *step_ask_parity(struct steps *s, int32_t parity, int64_t ns);
struct libcu_step *step_destroy(struct steps *s);
struct libcu_step *step_store(struct steps *s);

/* Runs the steps and compares each answer. */
void steps_run(struct steps *s);
/* Runs them and says what each answer was: "FT" for false, then true. */
void steps_see(struct steps *s);

#endif
// SPDX-License-Identifier: Apache-2.0
