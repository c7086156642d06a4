/* Operations of f32 and f64 that do not round, for many lanes at a time. float.c includes it. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_ALU_SIGNS_H
#define COPYCHECK_EMU_INSTRUCTIONS_ALU_SIGNS_H

#include "harness/emu/machine/op.h"

/* The handler of neg, abs, min or max with no qualifier; NULL: there is none. */
emu_handler *alu_signs(uint16_t op, bool f64);

#endif
// SPDX-License-Identifier: Apache-2.0
