/* Pasts: what is known, and how it is passed on. `home` is the number of the cluster whose clock is own_cluster, or
 * ORDER_NO_HOME where all clocks are among other_clusters. */
#ifndef COPYCHECK_EMU_JUDGE_CLOCK_H
#define COPYCHECK_EMU_JUDGE_CLOCK_H

#include "harness/emu/judge/state.h"

void order_past_clear(struct order_past *p);
void order_past_change(struct order_past *at, const struct order_past *p);
void order_past_join(struct order *o, struct order_past *to, uint32_t home, const struct order_past *from,
                     uint32_t from_home);
void order_past_raise(struct order *o, struct order_past *to, uint32_t home, uint32_t component, uint32_t value);
/* The same of all of a thread's components, to what it knows of itself. */
void order_past_raise_own(struct order *o, struct order_past *to, uint32_t home, uint32_t thread, const uint32_t own[]);
uint32_t order_past_value(const struct order_past *p, uint32_t home, uint32_t cluster, uint32_t component);
static inline bool order_past_same(const struct order_past *a, const struct order_past *b)
{
    return a->own_cluster == b->own_cluster && a->other_clusters == b->other_clusters;
}
/* Most pasts of an object are empty, and stay so: three of a thread's views hold something only after a fence. */
static inline bool order_past_empty(const struct order_past *p)
{
    return !p->own_cluster && !p->other_clusters;
}
static inline void order_past_drop(struct order_past *p)
{
    if (!order_past_empty(p))
        order_past_clear(p);
}
static inline void order_past_set(struct order_past *at, const struct order_past *p)
{
    if (!order_past_same(at, p))
        order_past_change(at, p);
}
static inline void order_past_merge(struct order *o, struct order_past *to, uint32_t home,
                                    const struct order_past *from, uint32_t from_home)
{
    if (!order_past_empty(from))
        order_past_join(o, to, home, from, from_home);
}

#endif
