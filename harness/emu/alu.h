/* Arithmetic, logic and conversions: pure functions of register values. */
#ifndef COPYCHECK_EMU_ALU_H
#define COPYCHECK_EMU_ALU_H

#include "harness/emu/inside.h"

emu_handler *emu_decode_integer(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);
emu_handler *emu_decode_float(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);
emu_handler *emu_decode_convert(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);
emu_handler *emu_decode_matrix(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);

#endif
