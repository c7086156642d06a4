/* Tiles that one copy lays out by a swizzle and another takes out by a different one. */
#ifndef COPYCHECK_EMU_JUDGE_SWIZZLE_H
#define COPYCHECK_EMU_JUDGE_SWIZZLE_H

#include "harness/emu/judge/state.h"

/* A tile store or reduction reads what a copy wrote: 1 and the number of the copy goes into *x->laid
 * if that is a tile load by another swizzle; reported at the end of the access. */
void order_swizzle_meet(const struct order_access *x, uint32_t writer);
void order_swizzle_report(struct order *o, struct emu_thread *t, const struct order_flight *reader,
                          const struct order_flight *writer);

#endif
// SPDX-License-Identifier: Apache-2.0
