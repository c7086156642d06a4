/* Grids that threads launch, held against what their parent does at the same time. CUDA Programming Guide, CUDA Dynamic
 * Parallelism, Memory Coherence and Consistency. */
#ifndef COPYCHECK_EMU_JUDGE_CHILD_H
#define COPYCHECK_EMU_JUDGE_CHILD_H

#include "harness/emu/judge/state.h"
#include "harness/emu/machine/children.h"

/* The event `child_launched` of machine/watch.h: what the thread knows now comes before all of the child. */
void order_child_launched(struct emu_thread *t, struct emu_child *child);
/* The grid has ended: its accesses of global memory are compared with what the grids above it do at the same time. */
void order_child_end(struct emu_grid *g);
/* The grid's launches of others are forgotten. */
void order_launches_free(struct order_grid *g);

#endif
// SPDX-License-Identifier: Apache-2.0
