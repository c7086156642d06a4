/* fence.sc, which membar and __threadfence are too.
 *
 * PTX ISA, Fence-SC Order: any two fences whose scopes include each other's thread are ordered in a run, and Memory
 * synchronization: the first synchronises with the second. Which one is the first shows where a read R observes a write
 * W, one fence comes before W and the other after R: if that other one came first, R would come before W, which it
 * reads from (Axioms, Causality). "Before" and "after" are base causality order, so there may be barriers between a
 * fence and its access, and threads whose fences the barriers gather: that is what this has over a release pattern.
 *
 * So three things are kept: what each thread knows to come before some fence that comes before now (the views FENCED);
 * at a location, what the writer of its value knew so (shown); and what reads before now have seen there (the views
 * SHOWN). A fence takes over what SHOWN has. That is done apart for each scope: a fence of .cta scope is ordered with
 * those of its own CTA only. */
#include "harness/emu/judge/fence_sc.h"

#include <stdlib.h>

#include "harness/emu/judge/clock.h"
#include "harness/emu/judge/pasts.h"

/* In what a thread is fenced at a scope: the respect, the view of fences before now, and that of fences seen. */
static const struct level {
    enum order_scope scope;
    enum order_view known, fenced, shown;
} levels[] = {
    { SCOPE_GRID, VIEW_GENERIC, VIEW_FENCED, VIEW_SHOWN },
    { SCOPE_GRID, VIEW_ASYNC_SHARED, VIEW_FENCED_SHARED, VIEW_SHOWN_SHARED },
    { SCOPE_GRID, VIEW_ASYNC_GLOBAL, VIEW_FENCED_GLOBAL, VIEW_SHOWN_GLOBAL },
    { SCOPE_CLUSTER, VIEW_GENERIC, VIEW_FENCED_CLUSTER, VIEW_SHOWN_CLUSTER },
    { SCOPE_CTA, VIEW_GENERIC, VIEW_FENCED_CTA, VIEW_SHOWN_CTA },
};
enum { LEVELS = sizeof levels / sizeof *levels };

struct order_shown {
    uint32_t cta;           /* of the last writer, by its number in the grid */
    enum order_scope scope; /* of its write */
    struct order_past fenced[LEVELS];
};

void order_fence_sc(struct order *o, uint32_t thread, enum order_scope scope)
{
    struct order_thread *t = &o->thread[thread];
    struct order_past *pasts = order_pasts_own(o, t);

    if (!pasts)
        return;
    for (int i = 0; i < LEVELS; i++)
        if (scope >= levels[i].scope)
            order_past_merge(o, &pasts[levels[i].known], o->number, &pasts[levels[i].shown], o->number);
    for (int i = 0; i < LEVELS; i++) {
        if (scope < levels[i].scope)
            continue;
        order_past_set(&pasts[levels[i].fenced], &pasts[levels[i].known]); /* what was fenced before is part of it */
        t->view[levels[i].fenced] = t->view[levels[i].known];
        t->fences |= 1u << levels[i].fenced;
    }
}

/* The scope that includes threads of these two CTAs. */
static enum order_scope scope_of(const struct order *o, uint32_t cta, uint32_t other)
{
    const uint32_t ctas = o->cluster->cta_count;

    return cta == other ? SCOPE_CTA : cta / ctas == other / ctas ? SCOPE_CLUSTER : SCOPE_GRID;
}

bool order_is_fenced(const struct order *o, uint32_t thread)
{
    const struct order_thread *t = &o->thread[thread];

    return o->views > VIEW_FENCED &&
           (t->view[VIEW_FENCED_CTA].own[OWN_NOW] || !order_past_empty(&t->pasts->of[VIEW_FENCED_CTA]) ||
            !order_past_empty(&t->pasts->of[VIEW_FENCED]) || !order_past_empty(&t->pasts->of[VIEW_FENCED_CLUSTER]));
}

void order_fence_show(struct order *o, struct order_object *s, uint32_t thread, enum order_scope scope, bool atomic)
{
    const struct order_thread *t = &o->thread[thread];
    const uint32_t home = s->global ? ORDER_NO_HOME : o->number, cta = o->cta0 + thread / o->per_cta;
    enum order_scope need;

    if (!s->shown && !order_is_fenced(o, thread))
        return;
    if (!s->shown) {
        s->shown = calloc(1, sizeof *s->shown);
        if (!s->shown) {
            o->failed = true;
            return;
        }
        *s->shown = (struct order_shown){ .cta = cta, .scope = scope };
    }
    need = scope_of(o, s->shown->cta, cta);
    atomic &= need <= scope && need <= s->shown->scope; /* it reads, too, what was written before */
    for (int i = 0; i < LEVELS; i++) {
        const uint32_t *own = t->view[levels[i].fenced].own;
        if (!atomic || need > levels[i].scope)
            order_past_drop(&s->shown->fenced[i]);
        order_past_merge(o, &s->shown->fenced[i], home, &t->pasts->of[levels[i].fenced], o->number);
        if (own[OWN_NOW])
            order_past_raise_own(o, &s->shown->fenced[i], home, thread, own);
    }
    s->shown->cta = cta;
    s->shown->scope = scope;
}

void order_fence_shown(struct order *o, const struct order_object *s, uint32_t thread, enum order_scope scope)
{
    const uint32_t home = s->global ? ORDER_NO_HOME : o->number, cta = o->cta0 + thread / o->per_cta;
    const enum order_scope need = s->shown ? scope_of(o, s->shown->cta, cta) : SCOPE_CTA;

    struct order_past *pasts;

    if (!s->shown || need > scope || need > s->shown->scope)
        return;
    pasts = order_pasts_own(o, &o->thread[thread]);
    for (int i = 0; pasts && i < LEVELS; i++)
        if (need <= levels[i].scope)
            order_past_merge(o, &pasts[levels[i].shown], o->number, &s->shown->fenced[i], home);
}

void order_shown_free(struct order_object *s)
{
    for (int i = 0; s->shown && i < LEVELS; i++)
        order_past_drop(&s->shown->fenced[i]);
    free(s->shown);
    s->shown = NULL;
}
// SPDX-License-Identifier: Apache-2.0
