/* The pasts of a thread in all respects, which threads share as long as they know the same. */
#include "harness/emu/judge/pasts.h"

#include <stdlib.h>

#include "harness/emu/judge/clock.h"

struct order_pasts *order_pasts_new(struct order *o, uint32_t views)
{
    struct order_pasts *p = calloc(1, sizeof *p + views * sizeof *p->of);

    if (!p) {
        o->failed = true;
        return NULL;
    }
    p->refs = 1;
    p->n = views;
    return p;
}

struct order_pasts *order_pasts_copy(struct order *o, const struct order_pasts *p)
{
    struct order_pasts *copy = order_pasts_new(o, p->n);

    for (uint32_t v = 0; copy && v < p->n; v++)
        order_past_keep(&copy->of[v], &p->of[v]);
    return copy;
}

struct order_past *order_pasts_own(struct order *o, struct order_thread *t)
{
    struct order_pasts *copy;

    if (t->pasts->refs == 1)
        return t->pasts->of;
    copy = order_pasts_copy(o, t->pasts);
    if (!copy)
        return NULL;
    order_pasts_drop(t->pasts);
    t->pasts = copy;
    return copy->of;
}

void order_pasts_free(struct order_pasts *p)
{
    for (uint32_t v = 0; v < p->n; v++)
        order_past_drop(&p->of[v]);
    free(p);
}

bool order_pasts_same(const struct order_pasts *a, const struct order_pasts *b)
{
    for (uint32_t v = 0; v < a->n; v++)
        if (!order_past_same(&a->of[v], &b->of[v]))
            return false;
    return true;
}
// SPDX-License-Identifier: Apache-2.0
