/* Fences: what relaxed operations before one acquire with it, and those after it release; what one makes known to other
 * proxies. */
#include "harness/emu/judge/fences.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/judge/clock.h"
#include "harness/emu/judge/fence_sc.h"
#include "harness/emu/judge/pasts.h"

void order_step(struct order_thread *t)
{
    t->view[VIEW_GENERIC].own[OWN_NOW]++;
    t->view[VIEW_LOOSE] = t->view[VIEW_GENERIC];
}

/* The thread's own accesses alone are: where the writer's fence is asked for, nobody else's serves. */
static void fence_own(struct order_thread *t, enum order_view view)
{
    t->view[view] = t->view[VIEW_GENERIC];
    t->fences |= 1u << view;
    order_step(t);
}

/* What happens before now is known in this respect too. */
void order_fence_view(struct order *o, uint32_t thread, enum order_view view)
{
    struct order_thread *t = &o->thread[thread];
    struct order_fenced *last = &o->fenced[view];

    if (view != VIEW_MAP && o->cluster->grid->machine->options.check_writers) {
        fence_own(t, view);
        return;
    }
    if (last->from != t->pasts) {
        struct order_pasts *to = order_pasts_copy(o, t->pasts);
        if (!to)
            return;
        order_past_set(&to->of[view], &to->of[VIEW_GENERIC]);
        if (view == VIEW_ASYNC_SHARED)
            order_past_merge(o, &to->of[view], o->number, &to->of[VIEW_SHARED], o->number);
        order_pasts_drop(last->from);
        order_pasts_drop(last->to);
        *last = (struct order_fenced){ .from = order_pasts_keep(t->pasts), .to = to };
    }
    order_pasts_set(&t->pasts, last->to);
    fence_own(t, view);
}

/* PTX ISA, membar / fence: fence.mbarrier_init concerns the inits of the thread that executes it, no other's. */
void order_fence_inits(struct order *o, uint32_t thread)
{
    struct order_thread *t = &o->thread[thread];

    t->view[VIEW_INIT].own[OWN_NOW] = t->view[VIEW_GENERIC].own[OWN_NOW];
    t->fences |= 1u << VIEW_INIT;
    order_step(t);
}

/* Relaxed reads before it, of threads that its scope takes in, acquire now. */
static void fence_acquires(struct order *o, struct order_thread *t, enum order_scope scope, bool restricted)
{
    bool left = false;

    for (int need = SCOPE_CTA; need <= (int)scope; need++) {
        struct order_past *pending = t->pending_any[need] ? t->pending[need] : NULL;
        struct order_past *pasts = pending ? order_pasts_own(o, t) : NULL;
        if (!pasts)
            continue;
        if (restricted) {
            order_past_merge(o, &pasts[VIEW_SHARED], o->number, &pending[VIEW_GENERIC], o->number);
            order_past_merge(o, &pasts[VIEW_SHARED], o->number, &pending[VIEW_SHARED], o->number);
            order_past_merge(o, &pasts[VIEW_ASYNC_SHARED], o->number, &pending[VIEW_ASYNC_SHARED], o->number);
            continue;
        }
        for (int v = VIEW_GENERIC; v < o->views; v++) {
            order_past_merge(o, &pasts[v], o->number, &pending[v], o->number);
            order_past_drop(&pending[v]);
        }
        t->pending_any[need] = false;
    }
    for (int need = SCOPE_CTA; need <= SCOPE_GRID; need++)
        left |= t->pending_any[need];
    if (!left && t->looked && t->looked->looks[t->looked->look].key) {
        memset(t->looked->looks, 0, sizeof t->looked->looks);
        t->looked->looks_lost = false;
    }
}

void order_acquire_seen(struct order *o, uint32_t thread, enum order_scope scope)
{
    fence_acquires(o, &o->thread[thread], scope, false);
}

/* `to` of what a fence has released, with what the thread knows in the respect `from`. */
static void fence_releases(struct order *o, uint32_t thread, enum order_scope scope, int from, int to)
{
    struct order_thread *t = &o->thread[thread];

    order_past_merge(o, &t->fenced[scope][to], o->number, &t->pasts->of[from], o->number);
    if (from <= VIEW_GENERIC || t->fences >> from & 1) /* else it knows nothing of itself there */
        order_past_raise_own(o, &t->fenced[scope][to], o->number, thread, t->view[from].own);
}

/* A fence lets the relaxed operations after it release, and makes those before it acquire. PTX ISA, Release and
 * Acquire Patterns. Restricted (.sync_restrict) to shared memory, it does so for accesses of shared memory alone. */
void order_fence(struct order *o, uint32_t thread, enum order_sem sem, enum order_scope scope, bool restricted)
{
    struct order_thread *t = &o->thread[thread];

    if (sem == SEM_ACQ_REL || sem == SEM_ACQUIRE || sem == SEM_SC)
        fence_acquires(o, t, scope, restricted);
    if (sem == SEM_SC)
        order_fence_sc(o, thread, scope);
    if (sem == SEM_ACQUIRE)
        return;
    if (!t->fenced)
        t->fenced = calloc(SCOPE_GRID + 1, sizeof *t->fenced);
    if (!t->fenced) {
        o->failed = true;
        return;
    }
    if (restricted) {
        fence_releases(o, thread, scope, VIEW_GENERIC, VIEW_SHARED);
        fence_releases(o, thread, scope, VIEW_SHARED, VIEW_SHARED);
        fence_releases(o, thread, scope, VIEW_ASYNC_SHARED, VIEW_ASYNC_SHARED);
    } else {
        for (int v = VIEW_GENERIC; v < o->views; v++) {
            order_past_drop(&t->fenced[scope][v]);
            fence_releases(o, thread, scope, v, v);
        }
    }
    for (int narrow = SCOPE_CTA; narrow < (int)scope; narrow++)
        for (int v = VIEW_GENERIC; v < o->views; v++)
            order_past_set(&t->fenced[narrow][v], &t->fenced[scope][v]);
    order_step(t);
}
// SPDX-License-Identifier: Apache-2.0
