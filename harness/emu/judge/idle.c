/* Releases by atomics that leave the value as it was: a CAS that fails, an add of 0 that polls.
 *
 * A read from such an atomic sees the value that it would have seen without it. So nothing shows that the atomic has
 * come before the read: in another run it comes after it, and whatever its thread released is not ordered with what
 * comes after the read. That order is luck, and the judge does not count on it.
 *
 * It is not luck where something else brings the atomic before the read: a thread that knows of it accesses the
 * location. Knowing by whatever means is enough, also by relaxed accesses of other locations, since two atomics of one
 * location with acquire and release are as good as fences. From then on the release counts as any other. */
#include "harness/emu/judge/idle.h"

#include <stdlib.h>

#include "harness/emu/judge/clock.h"
#include "harness/emu/judge/fences.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/objects.h"

enum { MOST = 256 }; /* of a location: each access of it looks at them all */

/* Of one such atomic, or of several by one thread that publishes nothing else between them. */
struct release {
    uint32_t who;         /* number of the thread in the grid */
    uint32_t first, last; /* its epochs at the first and the last of them */
    enum order_scope scope;
    struct order_known known[VIEW_COUNT]; /* what it knew at the last one */
};

struct order_idle {
    uint32_t n, room;
    struct release of[];
};

static void forget(struct release *r)
{
    for (int v = 0; v < VIEW_COUNT; v++)
        order_past_drop(&r->known[v].past);
}

/* Where the thread's release is kept; NULL: nowhere. */
static struct release *place(struct order *o, struct order_flag *f, uint32_t who, uint32_t epoch,
                             enum order_scope scope)
{
    struct order_idle *all = f->idle;

    for (uint32_t i = 0; all && i < all->n; i++) {
        struct release *r = &all->of[i];
        if (r->who == who && r->scope == scope && r->last + 1 >= epoch) {
            r->last = epoch;
            return r;
        }
    }
    if (all && all->n == MOST)
        return NULL;
    if (!all || all->n == all->room) {
        const uint32_t room = all ? all->room * 2 : 4;
        all = realloc(all, sizeof *all + room * sizeof *all->of);
        if (!all) {
            o->failed = true;
            return NULL;
        }
        if (!f->idle)
            all->n = 0;
        all->room = room;
        f->idle = all;
    }
    all->of[all->n] = (struct release){ .who = who, .first = epoch, .last = epoch, .scope = scope };
    return &all->of[all->n++];
}

/* fenced: what a fence knew, in place of what the thread knows; or NULL. */
static bool keep(struct order *o, struct order_flag *f, uint32_t thread, enum order_scope scope,
                 const struct order_past *fenced)
{
    const struct order_past *pasts = o->thread[thread].pasts->of;
    const struct order_self *view = o->thread[thread].view;
    struct release *r = place(o, f, o->base + thread, view[VIEW_GENERIC].own[OWN_NOW], scope);

    for (int v = VIEW_LOOSE; r && v < o->views; v++) {
        const bool of_fence = fenced && v != VIEW_LOOSE;
        order_past_set(&r->known[v].past, of_fence ? &fenced[v] : &pasts[v]);
        for (int i = 0; i < OWN_COUNT; i++)
            r->known[v].own[i] = of_fence ? 0 : view[v].own[i];
    }
    return r;
}

/* From now on it counts. */
static void count(struct order *o, struct order_flag *f, struct release *r)
{
    struct order_past past[VIEW_COUNT];

    for (int v = 0; v < VIEW_COUNT; v++) {
        order_past_raise_home(o, &r->known[v].past, r->who / o->threads, r->who % o->threads, r->known[v].own);
        past[v] = r->known[v].past;
    }
    order_release_past(o, &f->object, r->who / o->per_cta, r->scope, past);
    forget(r);
    f->stamp = ++o->grid->stamp;
}

bool order_idle_note(struct order *o, struct order_flag *f, uint32_t thread, bool relaxed, enum order_scope scope)
{
    struct order_thread *t = &o->thread[thread];
    bool kept = true;

    if (!relaxed)
        kept = keep(o, f, thread, scope, NULL);
    for (int at = (int)scope; relaxed && t->fenced && at >= SCOPE_CTA && kept; at--)
        kept = keep(o, f, thread, (enum order_scope)at, t->fenced[at]);
    if (kept)
        order_step(t);
    return kept;
}

struct order_looked *order_looked_of(struct order *o, uint32_t thread)
{
    struct order_thread *t = &o->thread[thread];

    if (!t->looked)
        t->looked = calloc(1, sizeof *t->looked);
    if (!t->looked)
        o->failed = true;
    return t->looked;
}

/* What a thread knows of others, whoever they are, tells of no atomic that comes later than that: where it has learnt
 * nothing since it heeded these releases last, it need not look at them again. */
void order_idle_heed(struct order *o, struct order_flag *f, uint32_t thread, bool changes)
{
    const uint32_t me = o->base + thread;
    const struct order_past *knows = &o->thread[thread].pasts->of[VIEW_LOOSE];
    struct order_looked *looked = f->idle ? order_looked_of(o, thread) : NULL;
    struct order_heed *heed;
    uint32_t left = 0;

    if (!looked)
        return;
    heed = &looked->heeds[f->key / 4 % POLLS];
    if (!changes && heed->key == f->key && order_past_same(&heed->past, knows))
        return;
    heed->key = f->key;
    order_past_set(&heed->past, knows);
    for (uint32_t i = 0; i < f->idle->n; i++) {
        struct release *r = &f->idle->of[i];
        const bool known = r->who == me ? changes : order_known_of(o, thread, VIEW_LOOSE, r->who, OWN_NOW) >= r->first;
        if (known)
            count(o, f, r);
        else
            f->idle->of[left++] = *r;
    }
    f->idle->n = left;
}

void order_idle_drop(struct order_flag *f)
{
    for (uint32_t i = 0; f->idle && i < f->idle->n; i++)
        forget(&f->idle->of[i]);
    free(f->idle);
    f->idle = NULL;
}
// SPDX-License-Identifier: Apache-2.0
