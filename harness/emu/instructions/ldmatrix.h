/* What the files of warp-wide matrix instructions share. */
#ifndef COPYCHECK_EMU_ALU_MATRIX_H
#define COPYCHECK_EMU_ALU_MATRIX_H

#include "harness/emu/instructions/alu/alu.h"
#include "harness/emu/instructions/decoders.h"
#include "harness/emu/machine/meeting.h"

#define EACH_LANE(i) for (uint32_t i = 0; i < EMU_WARP; i++)

/* All 32 lanes at this instruction: the forms are .aligned. False: the thread waits. */
bool emu_matrix_meet(struct emu_thread *t, const struct emu_op *op, struct emu_meeting *m);

/* Slots of a vector's elements, or of the one register. Their number, 0 where there are more than `most`. */
unsigned emu_matrix_slots(const struct ptx_module *m, const struct ptx_operand *o, uint16_t type, uint32_t *slots,
                          unsigned most);

#endif
