/* Arithmetic, logic and conversions: pure functions of register values. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_ALU_ALU_H
#define COPYCHECK_EMU_INSTRUCTIONS_ALU_ALU_H

#include <string.h>

#include "harness/emu/instructions/alu/real.h"
#include "harness/emu/machine/bytes.h"
#include "harness/emu/machine/code.h"

emu_decode emu_decode_integer; /* integer arithmetic */
emu_decode emu_decode_bits;    /* logic, shifts, bit fields, permutation */
emu_decode emu_decode_move;    /* mov, selp, slct */
emu_decode emu_decode_compare; /* setp, set, testp, of integers and floats */
emu_decode emu_decode_float;
emu_decode emu_decode_convert;
emu_decode emu_decode_video;

/* The handler for a warp that does what this one does for a thread; NULL: there is none. */
emu_lanes *alu_lanes(emu_handler *run);

/* The format of a floating type, of each value in a packed one; REAL_TYPES for others. */
enum real_type alu_real(uint16_t type);

/* The f32 in a register. */
static inline float alu_f32(uint64_t slot)
{
    const uint32_t bits = (uint32_t)slot;
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

#endif
// SPDX-License-Identifier: Apache-2.0
