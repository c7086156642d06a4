/* The judge: the watcher that finds what a launch does against the rules. The files of this folder are its own; emu.c
 * includes this header, and nobody else knows the judge. */
#ifndef COPYCHECK_EMU_JUDGE_JUDGE_H
#define COPYCHECK_EMU_JUDGE_JUDGE_H

struct emu;
struct emu_grid;
struct emu_options;
struct emu_watch;

/* Watches the lives of mbarriers and deadlocks, and with options.check_order the order of accesses. */
const struct emu_watch *judge_watch(const struct emu_options *o);
/* Watches, in the judge's place, the clusters of a grid that run ahead of their turns, and finds nothing: where there
 * may be something to find, the run is put back. NULL: not in this grid, which has begun. */
const struct emu_watch *judge_light(const struct emu_grid *g);

/* Before each launch of the host's: what the judge kept of the last one is now that of the launch before. A module or
 * all memory goes, or the machine itself: nothing is kept. */
void judge_next_launch(struct emu *e);
void judge_forget(struct emu *e);

#endif
// SPDX-License-Identifier: Apache-2.0
