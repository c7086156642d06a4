/* What a compiler makes of a program between a wgmma.fence and a wgmma. */
#ifndef COPYCHECK_EMU_JUDGE_COMPILER_H
#define COPYCHECK_EMU_JUDGE_COMPILER_H

#include "harness/emu/judge/state.h"

/* The instruction `at`, which accesses a register of this product, is not where the program has the access: by the
 * lines of both the program has it before the fence, or the compiler copies a value as it prepares the product's
 * operands. */
bool order_compiler_moved(const struct order *o, uint32_t at, uint32_t product);

#endif
// SPDX-License-Identifier: Apache-2.0
