/* Which operations of a cluster could come in the other order: the swaps that options.swaps asks for. */
#ifndef COPYCHECK_EMU_SCHEDULE_FINDER_H
#define COPYCHECK_EMU_SCHEDULE_FINDER_H

#include "harness/emu/machine/state.h"
#include "harness/emu/machine/swap.h"

/* Makes c->finder; NULL where nobody asks, or for a cluster that is not looked at. False where memory is short. */
bool emu_finder_make(struct emu_cluster *c);
void emu_finder_free(struct emu_cluster *c);

/* The thread is about to execute an operation that has op->sync, in a cluster that has a finder; it has executed it. */
void emu_finder_before(struct emu_thread *t, const struct emu_op *op);
void emu_finder_after(struct emu_thread *t, const struct emu_op *op);
/* Lanes of a warp go on behind a barrier that is complete, at which they wait. */
void emu_finder_passes(struct emu_thread *lanes, uint32_t set, const struct emu_op *op);

/* Adds what was found in the cluster to options.swaps. */
void emu_finder_end(struct emu_cluster *c);

#endif
// SPDX-License-Identifier: Apache-2.0
