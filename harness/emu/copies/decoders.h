/* The decoders of asynchronous instructions, one for each family. decode.c lists them; each file defines its own. */
#ifndef COPYCHECK_EMU_COPIES_DECODERS_H
#define COPYCHECK_EMU_COPIES_DECODERS_H

#include "harness/emu/machine/code.h"

emu_decode emu_decode_group;
emu_decode emu_decode_mbarrier;
emu_decode emu_decode_tensormap;
emu_decode emu_decode_copy; /* and fences */
emu_decode emu_decode_tensor;
emu_decode emu_decode_policy;

#endif
// SPDX-License-Identifier: Apache-2.0
