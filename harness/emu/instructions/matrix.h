/* What warp-wide matrix instructions share: ldmatrix.c, mma.c. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_MATRIX_H
#define COPYCHECK_EMU_INSTRUCTIONS_MATRIX_H

#include "harness/emu/machine/meeting.h"
#include "harness/emu/machine/state.h"

/* All 32 lanes meet at this instruction: the forms are .aligned, so it is an error where some are missing. False: the
 * thread waits. */
bool emu_matrix_meet(struct emu_thread *t, const struct emu_op *op, struct emu_meeting *m);

/* For an op whose handler begins with emu_matrix_meet and blocks for nothing else: lanes that are all at it execute it
 * together. */
void emu_matrix_together(struct emu_op *op);

/* The slots of a vector's elements, or of the one register; returns their number, 0 where there are more than `most`.
 */
unsigned emu_matrix_slots(const struct ptx_module *m, const struct ptx_operand *o, uint16_t type, uint32_t *slots,
                          unsigned most);

#endif
// SPDX-License-Identifier: Apache-2.0
