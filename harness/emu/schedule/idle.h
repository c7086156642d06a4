/* Whether a grid still gets on. A thread that computes waits for nobody, and may do so for long: what counts soon are
 * the instructions of threads that look again and again at what others may change; what counts after long are all. A
 * loop that changes memory in each round, or meets others at a barrier in each round, looks like work. What work does
 * sooner or later and an endless loop does not: a thread ends, code is reached for the first time, memory is looked at
 * for the first time. */
#ifndef COPYCHECK_EMU_SCHEDULE_IDLE_H
#define COPYCHECK_EMU_SCHEDULE_IDLE_H

#include <stdatomic.h>

#include "harness/emu/machine/state.h"

/* Bits of a set of places that have been reached: of instructions, and of IDLE_PLACE bytes of memory each. Where two
 * places share a bit, one of them is not noticed. */
enum { IDLE_BITS = 1 << 19, IDLE_PLACE = 128 };

/* Of a grid; its clusters share it, on whatever host thread they run. */
struct emu_idle {
    _Atomic uint64_t spent; /* since anything new: instructions, with what the slow ones cost beside the others */
    _Atomic uint64_t busy;  /* the same of all instructions, in additions that take as long; less for what is new */
    unsigned ahead;         /* host threads on which clusters run ahead of their turns; 0: they take turns */
    atomic_bool reached;    /* some of these bits are set: */
    _Atomic uint64_t places[IDLE_BITS / 64];
};

/* For a launch that begins; NULL: memory is short. One that has ended gives it back, since most launches reach none of
 * its bits, and all bits take longer to clear than a small launch takes. */
struct emu_idle *emu_idle_take(struct emu *e);
void emu_idle_give(struct emu *e, struct emu_idle *i);
/* As it was when it was taken. */
void emu_idle_reset(struct emu_idle *i);

/* How many turns of the cluster come before the next one that is probed; UINT64_MAX: none is in this round. */
uint64_t emu_idle_next_probe(const struct emu_cluster *c);
/* Whether the cluster's next turn is one of those in which emu_idle_probe is asked about each instruction. */
bool emu_idle_probes(struct emu_cluster *c);
/* So many turns of the cluster have ended of which none is. */
void emu_idle_passes(struct emu_cluster *c, uint32_t turns);
/* The thread is about to execute the instruction. */
void emu_idle_probe(struct emu_thread *t, const struct emu_op *op);
/* A turn of the cluster begins that is probed. */
void emu_idle_turn(struct emu_run *run, const struct emu_thread *t);
/* A round of the cluster has ended, of so many instructions. Returns how many of them count. */
uint64_t emu_idle_round(struct emu_cluster *c, uint64_t instructions);
/* Whether the grid has done nothing new for longer than options.max_idle. A cluster that runs ahead of its turns is
 * given up sooner: it is run again by turns, which takes as long once more. */
bool emu_idle_over(const struct emu_cluster *c);
/* The same of options.max_busy, for which threads that compute count too. */
bool emu_busy_over(const struct emu_cluster *c);
/* Whether a quarter of one of the two limits is used up. */
bool emu_idle_for_long(const struct emu_cluster *c);

/* Which of the grid's limits is reached, in words; false: none. */
bool emu_idle_limit(const struct emu_cluster *c, char *out, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
