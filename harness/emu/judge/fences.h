/* Fences: what relaxed operations before one acquire with it, and those after it release; what one makes known to other
 * proxies. */
#ifndef COPYCHECK_EMU_JUDGE_FENCES_H
#define COPYCHECK_EMU_JUDGE_FENCES_H

#include "harness/emu/judge/state.h"

/* Only what the thread did up to now has been published: what it does next has the next epoch. */
void order_step(struct order_thread *t);
void order_fence_view(struct order *o, uint32_t thread, enum order_view view);
void order_fence_inits(struct order *o, uint32_t thread);
void order_fence(struct order *o, uint32_t thread, enum order_sem sem, enum order_scope scope, bool restricted);
/* What the thread's relaxed reads have seen is acquired, as by an acquire fence of this scope. */
void order_acquire_seen(struct order *o, uint32_t thread, enum order_scope scope);

#endif
// SPDX-License-Identifier: Apache-2.0
