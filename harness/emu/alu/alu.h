/* Arithmetic, logic and conversions: pure functions of register values. */
#ifndef COPYCHECK_EMU_ALU_H
#define COPYCHECK_EMU_ALU_H

#include "harness/emu/inside.h"

typedef emu_handler *emu_decode(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op);

emu_decode emu_decode_integer; /* integers, bits, moves, comparisons of all types: alu_int.h */
emu_decode emu_decode_float;
emu_decode emu_decode_convert;
emu_decode emu_decode_matrix;
emu_decode emu_decode_video;

#endif
