/* What the threads of a warp execute together at the beginning of their turns. cluster.c asks. */
#ifndef COPYCHECK_EMU_SCHEDULE_WINDOW_H
#define COPYCHECK_EMU_SCHEDULE_WINDOW_H

#include "harness/emu/machine/state.h"

/* The turns of a warp's threads begin, one behind the other; each has so many instructions. Executes what all of them
 * would do first with their own registers alone, or as nobody could tell from their doing it in turns, and notes in
 * t->ahead how far each has come: its turn goes on there. `lanes`: the warp's, of whom nobody asks about each
 * instruction; those before the first have had their turns. Returns those whose turns have ended so: they block at a
 * barrier. */
uint32_t emu_window(struct emu_thread *lanes, uint32_t first, uint64_t length);
/* The same of the thread's warp, where the turn is its own: its first lane's, or one behind which a barrier has been
 * completed. The turns that have ended are counted. */
void emu_window_turns(struct emu_thread *t, uint64_t length);

#endif
