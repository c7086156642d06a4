/* How many CTAs of a grid an H200 holds at a time. grid.c and emu.c ask. */
#ifndef COPYCHECK_EMU_SCHEDULE_RESIDENT_H
#define COPYCHECK_EMU_SCHEDULE_RESIDENT_H

#include "harness/emu/machine/state.h"

/* The most clusters that are resident together: by the threads, the CTAs and the shared memory of 132 multiprocessors,
 * by registers where .maxnreg says how many a thread has, and by options.resident. At least 1. */
uint64_t emu_most_resident(const struct emu_grid *g);
/* How many are resident as long as none waits for one that has not begun: one CTA on each multiprocessor. */
uint64_t emu_first_resident(const struct emu_grid *g);

#endif
// SPDX-License-Identifier: Apache-2.0
