/* fence.sc: which of two fences comes first, and what that orders. */
#ifndef COPYCHECK_EMU_JUDGE_FENCE_SC_H
#define COPYCHECK_EMU_JUDGE_FENCE_SC_H

#include "harness/emu/judge/state.h"

/* PTX ISA, membar / fence: membar is a synonym of fence.sc. */
static inline bool order_is_fence_sc(const struct ptx_module *m, const struct ptx_instruction *i)
{
    return i->op == OP_membar || (i->op == OP_fence && ptx_has(m, i, PTX_sc));
}
/* A thread executes fence.sc (membar) with this scope. */
void order_fence_sc(struct order *o, uint32_t thread, enum order_scope scope);
/* Whether a fence.sc is known to come before what the thread does now. */
bool order_is_fenced(const struct order *o, uint32_t thread);
/* A thread writes a location by a strong operation of this scope, `atomic` or not; it reads it by one. */
void order_fence_show(struct order *o, struct order_object *s, uint32_t thread, enum order_scope scope, bool atomic);
void order_fence_shown(struct order *o, const struct order_object *s, uint32_t thread, enum order_scope scope);
void order_shown_free(struct order_object *s);

#endif
// SPDX-License-Identifier: Apache-2.0
