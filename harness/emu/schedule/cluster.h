/* A cluster from its making to its end, as grid.c and spread.c run it. */
#ifndef COPYCHECK_EMU_SCHEDULE_CLUSTER_H
#define COPYCHECK_EMU_SCHEDULE_CLUSTER_H

#include "harness/emu/machine/state.h"

/* What helps after a round: nothing needs to, or something has landed or changed; time alone; nothing. */
enum emu_stuck { EMU_HELPED, EMU_TIME, EMU_STUCK };

/* Makes the cluster of this number, its memory and threads; the threads are about to run `code`. False, with the run's
 * end and message, where memory is short. */
bool emu_cluster_begin(struct emu_grid *g, struct emu_image *image, const struct emu_code *code, uint64_t number,
                       struct emu_cluster *c, struct emu_run *run);
/* A turn for each of its threads; where the cluster was parked in its last round, the rest of that one. run->end says
 * where a finding or a limit has ended the grid. */
enum emu_stuck emu_cluster_round(struct emu_cluster *c, struct emu_run *run);
/* The cluster cannot go on, in states that repeat: notes what its threads wait for, for the report of a deadlock. */
void emu_cluster_observe(struct emu_cluster *c, struct emu_run *run);
/* What is still in flight lands, unless the run ended early; then all that the cluster had is freed. */
void emu_cluster_finish(struct emu_cluster *c, struct emu_run *run, struct emu_report *report);

#endif
// SPDX-License-Identifier: Apache-2.0
