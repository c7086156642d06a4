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
/* The same of a component of any cluster. */
void order_past_raise_of(struct order *o, struct order_past *to, uint32_t home, uint32_t cluster, uint32_t component,
                         uint32_t value);
/* The same of all of a thread's components, to what it knows of itself. */
void order_past_raise_own(struct order *o, struct order_past *to, uint32_t home, uint32_t thread, const uint32_t own[]);
/* The same of a thread of the home cluster, by its number there. */
void order_past_raise_home(struct order *o, struct order_past *to, uint32_t home, uint32_t thread,
                           const uint32_t own[]);
uint32_t order_past_value(const struct order *o, const struct order_past *p, uint32_t home, uint32_t cluster,
                          uint32_t component);

/* As many components of mbarriers and barriers are in the second part of a clock. */
enum { ORDER_FEW = 16 };

/* Where a clock has a component. It begins with what most programs use, so that it can be short: its first part has
 * the epochs of threads, the second the first components of mbarriers and barriers, the third all that is left. */
static inline uint32_t order_clock_place(const struct order *o, uint32_t component)
{
    const uint32_t of_threads = o->threads * OWN_COUNT, own = component % OWN_COUNT, thread = component / OWN_COUNT;

    if (component < of_threads)
        return thread + own * o->threads + (own == OWN_NOW ? 0 : ORDER_FEW);
    return component < of_threads + ORDER_FEW ? component - of_threads + o->threads : component;
}

/* What a clock has at a place; c may be NULL. */
static inline uint32_t order_clock_at(const struct order_clock *c, uint32_t place)
{
    if (c && c->base) {
        for (uint32_t i = 0; i < c->n; i++)
            if (c->v[2 * i] == place)
                return c->v[2 * i + 1];
        c = c->base;
    }
    return c && place < c->n ? c->v[place] : 0;
}

static inline uint32_t order_clock_value(const struct order *o, const struct order_clock *c, uint32_t component)
{
    return order_clock_at(c, order_clock_place(o, component));
}
/* Raises what a clock of its cluster says of a thread to what that knows of itself, if the clock is nobody else's, has
 * all components and is long enough: whether it is. */
static inline bool order_clock_raise_own(const struct order *o, struct order_clock *c, uint32_t thread,
                                         const uint32_t own[])
{
    if (!c || c->refs != 1 || c->base || c->n < o->threads)
        return false;
    if (c->v[thread] < own[OWN_NOW])
        c->v[thread] = own[OWN_NOW];
    if (!(own[OWN_CP] | own[OWN_BULK] | own[OWN_READ]))
        return true;
    for (uint32_t i = OWN_CP; i < OWN_COUNT; i++) {
        const uint32_t place = order_clock_place(o, thread * OWN_COUNT + i);
        if (own[i] && place >= c->n)
            return false;
        if (own[i] && c->v[place] < own[i])
            c->v[place] = own[i];
    }
    return true;
}

static inline bool order_past_same(const struct order_past *a, const struct order_past *b)
{
    return a->own_cluster == b->own_cluster && a->other_clusters == b->other_clusters;
}
/* Most pasts of an object are empty, and stay so: three of a thread's views hold something only after a fence. */
static inline bool order_past_empty(const struct order_past *p)
{
    return !p->own_cluster && !p->other_clusters;
}
/* What others hold too is only let go. */
static inline void order_past_drop(struct order_past *p)
{
    if (order_past_empty(p))
        return;
    if (p->other_clusters || p->own_cluster->refs == 1) {
        order_past_clear(p);
        return;
    }
    p->own_cluster->refs--;
    p->own_cluster = NULL;
}
/* What is known there is known here too, where nothing was. */
static inline void order_past_keep(struct order_past *at, const struct order_past *p)
{
    *at = *p;
    if (p->own_cluster)
        p->own_cluster->refs++;
    if (p->other_clusters)
        p->other_clusters->refs++;
}
static inline void order_past_set(struct order_past *at, const struct order_past *p)
{
    if (!order_past_same(at, p))
        order_past_change(at, p);
}
static inline void order_past_merge(struct order *o, struct order_past *to, uint32_t home,
                                    const struct order_past *from, uint32_t from_home)
{
    if (order_past_empty(from))
        return;
    if (home != from_home || from->other_clusters || (to->own_cluster && to->own_cluster != from->own_cluster)) {
        order_past_join(o, to, home, from, from_home);
        return;
    }
    if (!to->own_cluster) {
        to->own_cluster = from->own_cluster;
        to->own_cluster->refs++;
    }
}

#endif
// SPDX-License-Identifier: Apache-2.0
