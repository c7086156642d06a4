/* What the threads of a warp execute together at the beginning of their turns. cluster.c asks. */
#ifndef COPYCHECK_EMU_SCHEDULE_WINDOW_H
#define COPYCHECK_EMU_SCHEDULE_WINDOW_H

#include "harness/emu/machine/state.h"

/* The turns of a warp's threads begin with this one's, one behind the other; each has so many instructions. It is the
 * first lane's, or one behind which a barrier has been completed. Executes what all of them would do first with their
 * own registers alone, or as nobody could tell from their doing it in turns, and notes in t->ahead how far each has
 * come: its turn goes on there. Nobody asks about each instruction of the warp. Turns that have ended so, at a barrier,
 * are counted; true: all have, and nothing is left of the warp's. */
bool emu_window_turns(struct emu_thread *t, uint64_t length);

#endif
// SPDX-License-Identifier: Apache-2.0
