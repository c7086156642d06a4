/* Arithmetic of f16 and bf16 that many lanes do at a time. float.c includes it. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_ALU_HALVES_H
#define COPYCHECK_EMU_INSTRUCTIONS_ALU_HALVES_H

#include "harness/emu/machine/op.h"

/* The handler of add, sub, mul or fma, rounded to nearest even and with no other qualifier; NULL: there is none. */
emu_handler *alu_halves(uint16_t op, bool bf16, bool pair);

#endif
// SPDX-License-Identifier: Apache-2.0
