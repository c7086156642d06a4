/* setmaxnreg: all warps of a warpgroup execute it, and meet before the next one. */
#ifndef COPYCHECK_EMU_JUDGE_REGISTERS_H
#define COPYCHECK_EMU_JUDGE_REGISTERS_H

#include "harness/emu/judge/state.h"

/* The event of machine/watch.h. */
void order_setmaxnreg(struct emu_thread *t);
/* The cluster has come to its end: whether some warp of a warpgroup left one out. */
void order_check_registers(struct order *o);
void order_registers_free(struct order *o);

/* Of a thread that waits at a setmaxnreg.inc when nothing goes on any more: what it waits for, in words; why, and which
 * rule that breaks. */
void order_registers_words(const struct emu_thread *t, char *out, size_t size);
const struct ck_rule *order_registers_short(const struct emu_thread *t, unsigned line, char *why, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
