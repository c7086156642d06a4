/* What the threads of a warp execute together at the beginning of their turns. cluster.c asks. */
#ifndef COPYCHECK_EMU_SCHEDULE_WINDOW_H
#define COPYCHECK_EMU_SCHEDULE_WINDOW_H

#include "harness/emu/machine/state.h"

/* The turns of a warp's threads begin, one behind the other; each has so many instructions. Executes what all of them
 * would do first with their own registers alone, and notes in t->ahead how far each has come: its turn goes on there.
 * `lanes`: the warp's, of whom nobody asks about each instruction. */
void emu_window(struct emu_thread *lanes, uint64_t length);

#endif
