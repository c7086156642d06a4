/* Plain loads whose value is a guess that a compare-and-swap of the same place checks. */
#ifndef COPYCHECK_EMU_JUDGE_GUESS_H
#define COPYCHECK_EMU_JUDGE_GUESS_H

#include "harness/emu/ptx/ptx.h"

/* The atom.cas that compares what a load loads with what is there at that moment; NULL where there is none. */
const struct ptx_instruction *order_guess_of(const struct ptx_module *m, const struct ptx_instruction *load);

#endif
// SPDX-License-Identifier: Apache-2.0
