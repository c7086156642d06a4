/* Functions made ready to run. emu.c includes it and gives it to the images that it loads. */
#ifndef COPYCHECK_EMU_DECODE_H
#define COPYCHECK_EMU_DECODE_H

#include "harness/emu/machine/state.h"

/* The code of a function of the image's module: its operands as slots, its instructions with their handlers. An
 * instruction that no decoder knows gets one that ends the grid as unsupported. NULL where memory is short. */
emu_ready emu_decode_function;

#endif
