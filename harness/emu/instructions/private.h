/* Loads and stores of memory that is a thread's own, by lanes of a warp together. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_PRIVATE_H
#define COPYCHECK_EMU_INSTRUCTIONS_PRIVATE_H

#include "harness/emu/machine/op.h"

/* While ld, or st, is decoded, and op->memory is set: makes it EMU_PRIVATE where it is a load of constants or of local
 * memory, or a store to that. */
void emu_private_load(struct emu_op *op);
void emu_private_store(struct emu_op *op);

#endif
// SPDX-License-Identifier: Apache-2.0
