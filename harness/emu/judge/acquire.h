/* What threads acquire from the objects through which they synchronise. */
#ifndef COPYCHECK_EMU_JUDGE_ACQUIRE_H
#define COPYCHECK_EMU_JUDGE_ACQUIRE_H

#include "harness/emu/judge/state.h"

/* As many CTAs that release to one global location at gpu scope are kept apart, for acquires with a narrower scope;
 * those take all where there are more. */
enum { ORDER_APART = 64 };

/* A relaxed acquire, which counts behind a fence alone. */
__attribute__((noinline)) void order_acquire_aside(struct order *o, struct order_object *s, uint32_t thread,
                                                   enum order_scope scope);
/* loose: why a relaxed acquire does not count yet, or NULL. */
void order_acquire_loose(struct order *o, struct order_object *s, uint32_t thread, const struct ck_rule *loose);
void order_acquire_from(struct order *o, struct order_object *s, uint32_t thread, bool relaxed, enum order_scope scope,
                        const struct ck_rule *loose);
/* The same by lanes of a warp, one after the other: not relaxed, in the CTA. first: the thread of lane 0. */
void order_acquire_lanes(struct order *o, struct order_object *s, uint32_t first, uint32_t set);

void order_acquired_clear(struct order_acquired *a);

/* What threads have acquired from it is not all that it has any more. */
static inline void order_acquired_forget(struct order_object *s)
{
    if (s->acquired && s->acquired->n)
        order_acquired_clear(s->acquired);
}

#endif
// SPDX-License-Identifier: Apache-2.0
