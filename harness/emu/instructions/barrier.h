/* Barriers of a CTA and of a cluster, as other instructions and the judge see them. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_BARRIER_H
#define COPYCHECK_EMU_INSTRUCTIONS_BARRIER_H

#include "harness/emu/machine/state.h"

enum { EMU_BARRIERS = 16 }; /* of a CTA */

/* A thread has exited: barriers that wait for all threads wait for it no longer. */
void emu_barriers_exit(struct emu_thread *t);
void emu_cluster_exit(struct emu_thread *t);
/* How many threads have come to a barrier of a CTA that is not complete, and how many it waits for. */
void emu_barrier_counts(const struct emu_cta *cta, uint64_t number, uint32_t *arrived, uint32_t *expected);

#endif
