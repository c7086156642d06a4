/* Which thread, which cluster and which host thread runs when. emu.c includes it. */
#ifndef COPYCHECK_EMU_SCHEDULE_SCHEDULE_H
#define COPYCHECK_EMU_SCHEDULE_SCHEDULE_H

#include "harness/emu/machine/state.h"

/* Runs every cluster of a grid whose entry is of this image, and fills in how it ended. */
enum emu_end emu_schedule_grid(struct emu_grid *g, struct emu_image *image, struct emu_report *report);

#endif
// SPDX-License-Identifier: Apache-2.0
