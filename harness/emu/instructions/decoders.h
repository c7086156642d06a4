/* The decoders of ordinary instructions, one for each family. decode.c lists them; each file defines its own. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_DECODERS_H
#define COPYCHECK_EMU_INSTRUCTIONS_DECODERS_H

#include "harness/emu/machine/code.h"

emu_decode emu_decode_stack;
emu_decode emu_decode_control;
emu_decode emu_decode_setmaxnreg; /* emu_decode_control calls it */
emu_decode emu_decode_barrier;
emu_decode emu_decode_memory;
emu_decode emu_decode_atomic;
emu_decode emu_decode_warp;
emu_decode emu_decode_matrix;
emu_decode emu_decode_mma;
emu_decode emu_decode_wmma;
emu_decode emu_decode_opaque;

/* The handler behind a function's last instruction: a return. */
emu_handler emu_end_of;

#endif
// SPDX-License-Identifier: Apache-2.0
