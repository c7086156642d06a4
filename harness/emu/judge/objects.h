/* The objects through which threads pass on what they know: barriers, mbarriers, locations of memory. */
#ifndef COPYCHECK_EMU_JUDGE_OBJECTS_H
#define COPYCHECK_EMU_JUDGE_OBJECTS_H

#include "harness/emu/judge/state.h"

void order_release_to(struct order *o, struct order_object *s, uint32_t thread, bool relaxed, enum order_scope scope,
                      const struct ck_rule *loose);
/* The same by lanes of a warp, one after the other: not relaxed, in the CTA. first: the thread of lane 0. */
void order_release_lanes(struct order *o, struct order_object *s, uint32_t first, uint32_t set);
/* What the thread knew at an earlier release is released once more. */
void order_release_again(struct order *o, struct order_object *s, uint32_t thread, enum order_scope scope,
                         const struct order_head *head);
/* What a thread of this CTA (its number in the grid) knew at an earlier release, by view, its loose view included. The
 * pasts are those of the CTA's cluster. */
void order_release_past(struct order *o, struct order_object *s, uint32_t cta, enum order_scope scope,
                        const struct order_past past[]);
/* Into an object that collects, from which nobody acquires before it is moved: a component of the cluster's clock; the
 * inits that fences of the thread have published. */
void order_raise(struct order *o, struct order_object *s, uint32_t cta, uint32_t component, uint32_t value);
void order_release_init(struct order *o, struct order_object *s, uint32_t thread);
void order_release_loose(struct order *o, struct order_object *s, uint32_t thread, const struct ck_rule *why);
void order_object_move(struct order *o, struct order_object *from, struct order_object *to);
/* Nothing that was released to it can be acquired any more. */
void order_object_drop(struct order *o, struct order_object *s);
void order_object_free(struct order_object *s);
/* The thread's groups of both kinds, made now if it has had none. NULL: there is no memory. */
struct order_groups *order_groups_own(struct order *o, struct order_thread *t);
/* Frees what threads in a row have beside themselves. */
void order_threads_free(struct order_thread *t, uint32_t count);

#endif
// SPDX-License-Identifier: Apache-2.0
