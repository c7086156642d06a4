/* The clusters of a grid on several host threads. grid.c includes it. */
#ifndef COPYCHECK_EMU_SCHEDULE_SPREAD_H
#define COPYCHECK_EMU_SCHEDULE_SPREAD_H

#include "harness/emu/machine/state.h"

/* Runs the `total` clusters of a grid with the result that turns on one host thread would have. False where they depend
 * on one another; then nothing has been done. */
bool emu_spread_grid(struct emu_grid *g, struct emu_image *image, const struct emu_code *code, uint64_t total,
                     struct emu_report *report);

#endif
