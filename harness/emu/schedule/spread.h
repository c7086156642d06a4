/* The clusters of a grid ahead of their turns, on several host threads. grid.c includes it. */
#ifndef COPYCHECK_EMU_SCHEDULE_SPREAD_H
#define COPYCHECK_EMU_SCHEDULE_SPREAD_H

#include "harness/emu/machine/state.h"

struct emu_spread;
struct emu_ahead; /* a cluster that runs ahead */

/* Makes the `total` clusters of a grid ready to run ahead, of which at most `resident` are resident at a time; NULL
 * where that cannot be, or would be no use. light: grid->light watches, which reports nothing. */
struct emu_spread *emu_spread_begin(struct emu_grid *g, struct emu_image *image, const struct emu_code *code,
                                    uint64_t total, uint64_t resident, bool light);
/* The cluster with the next number becomes resident; NULL where memory is short. */
struct emu_ahead *emu_spread_next(struct emu_spread *s);
/* A round of a resident cluster is taken: it has been run, or is run now. False where clusters turn out to depend on
 * one another. */
bool emu_spread_round(struct emu_spread *s, struct emu_ahead *a);
/* Whether all rounds of the cluster, up to its end, have been taken. */
bool emu_spread_over(const struct emu_ahead *a);
void emu_spread_drop(struct emu_spread *s, struct emu_ahead *a, struct emu_report *report);
/* Frees everything. True if all that was done counts, and the report says on how many host threads; else all bytes have
 * been put back, and nothing has been done; doubted: there may be something to report. */
bool emu_spread_end(struct emu_spread *s, struct emu_report *report, bool *doubted);

#endif
// SPDX-License-Identifier: Apache-2.0
