/* Registers whose values follow from what a clock said. schedule/around.c asks. */
#ifndef COPYCHECK_EMU_MACHINE_TIMED_H
#define COPYCHECK_EMU_MACHINE_TIMED_H

#include "harness/emu/machine/state.h"

/* Finds image->timed and image->memory_timed, unless they are known. False where memory is short. */
bool emu_timed_prepare(struct emu_image *image);

#endif
// SPDX-License-Identifier: Apache-2.0
