/* The threads of a cluster; one that waits, what it waits for, and its special registers. Instructions, copies, the
 * scheduler and the judge include it. */
#ifndef COPYCHECK_EMU_MACHINE_THREAD_H
#define COPYCHECK_EMU_MACHINE_THREAD_H

#include "harness/emu/machine/state.h"

/* How many warps so many threads of a CTA make: the last one may have fewer than 32. */
static inline uint32_t emu_warps_of(uint32_t threads)
{
    return (threads + EMU_WARP - 1) / EMU_WARP;
}

/* How many threads the cluster has; the i-th of them, by CTA. */
static inline uint32_t emu_threads_of(const struct emu_cluster *c)
{
    return c->cta_count * c->ctas[0].thread_count;
}
static inline struct emu_thread *emu_thread_at(const struct emu_cluster *c, uint32_t i)
{
    const uint32_t per_cta = c->ctas[0].thread_count;

    return &c->ctas[i / per_cta].threads[i % per_cta];
}

/* Behind the last thread of a warp, which begins there: the last warp of a CTA may have few. */
static inline struct emu_thread *emu_warp_end(struct emu_thread *lanes)
{
    const uint32_t left = lanes->cta->thread_count - lanes->index;

    return lanes + (left < EMU_WARP ? left : EMU_WARP);
}

/* Instructions that the cluster's threads have executed, with the one that is executed now. */
static inline uint64_t emu_now(const struct emu_cluster *c)
{
    const struct emu_run *run = c->run;

    return run->instructions + (run->turn ? run->turn->steps - run->turn_began : 0);
}

/* The thread has changed memory that others can see: the shared memory of a CTA, or, without one, global memory. */
static inline void emu_act(const struct emu_thread *t, const struct emu_cta *cta)
{
    struct emu_run *run = emu_run_of(t);

    run->acts += cta != NULL;
    run->wrote += cta == NULL;
}
/* So many threads of a CTA each have an effect in it. */
static inline void emu_act_all(const struct emu_cta *cta, uint32_t threads)
{
    cta->cluster->run->acts += threads;
}

/* How often the cluster has changed anything; with what the thread, whose turn it is, has done in it. The first is what
 * has been counted: between turns that is all. */
static inline uint64_t emu_acts_counted(const struct emu_run *run)
{
    return run->acts + run->wrote;
}
static inline uint64_t emu_acts(struct emu_run *run, struct emu_thread *t)
{
    run->acts += t->acted;
    run->wrote += t->wrote;
    t->acted = t->wrote = false;
    return emu_acts_counted(run);
}

/* The thread cannot go on: it is called again at the same instruction when something changed. Handlers return after
 * it. If no thread of the cluster can go on and nothing is in flight, that is a deadlock. */
void emu_block(struct emu_thread *t, enum emu_wait wait, uint64_t a, uint64_t b);
/* A poll that the program repeats by itself (test_wait, a false try_wait) was in vain: others run before it goes on.
 * The mbarrier's offset in shared memory and the phase that is not over are for the report of a deadlock. */
void emu_poll(struct emu_thread *t, uint64_t offset, uint64_t phase);
/* The thread goes round a loop, and its instruction is about to look at so many bytes of shared memory of a CTA, or,
 * without one, of global memory: for the report of a deadlock. */
void emu_look_at(struct emu_thread *t, const struct ptx_instruction *at, struct emu_cta *cta, uint64_t address,
                 uint64_t size);
/* Something that blocked threads of this cluster may wait for has changed. */
void emu_wake(struct emu_cluster *c);

/* How many threads have come to a barrier of a CTA that is not complete, and how many it waits for. */
void emu_barrier_counts(const struct emu_cta *cta, uint64_t number, uint32_t *arrived, uint32_t *expected);

/* The value of a special register that stays the same while the thread runs; whether one does not. */
uint64_t emu_special_value(const struct emu_thread *t, uint16_t special, uint8_t component);
bool emu_special_changes(uint16_t special);
/* The value for each of the EMU_WARP lanes of a warp, lanes[0] being the first. */
void emu_special_lanes(const struct emu_thread *lanes, uint16_t special, uint8_t component, uint64_t *values);

#endif
// SPDX-License-Identifier: Apache-2.0
