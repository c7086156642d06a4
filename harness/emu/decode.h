/* Functions made ready to run. emu.c includes it and gives it to the images that it loads. */
#ifndef COPYCHECK_EMU_DECODE_H
#define COPYCHECK_EMU_DECODE_H

#include "harness/emu/machine/state.h"

/* The code of a function of the image's module: its operands as slots, its instructions with their handlers. An
 * instruction that no decoder knows gets one that ends the grid as unsupported. NULL where memory is short. */
emu_ready emu_decode_function;

/* Whether this instruction of a function made ready is one that the emulator runs. Some operands are found wanting only
 * when it is executed. */
bool emu_decode_knows(const struct emu_op *op);

#endif
// SPDX-License-Identifier: Apache-2.0
