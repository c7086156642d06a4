/* What threads acquire from the objects through which they synchronise. */
#include "harness/emu/judge/acquire.h"

#include <stdlib.h>

#include "harness/emu/judge/clock.h"
#include "harness/emu/judge/pasts.h"

void order_acquired_clear(struct order_acquired *a)
{
    for (uint32_t i = 0; i < a->n; i++) {
        order_pasts_drop(a->of[i].from);
        order_pasts_drop(a->of[i].to);
    }
    a->n = a->next = 0;
}

/* What is said of fences of a scope that does not include both threads. */
static bool is_narrower(int v, enum order_scope need)
{
    return need > SCOPE_CTA && (v == VIEW_FENCED_CTA || v == VIEW_SHOWN_CTA ||
                                (need > SCOPE_CLUSTER && (v == VIEW_FENCED_CLUSTER || v == VIEW_SHOWN_CLUSTER)));
}

/* An acquire, into pasts that may be changed: of the thread, or what is pending for a fence to come. */
struct acquire {
    struct order_object *from;
    uint32_t cta;           /* of the thread, by its number in the grid */
    enum order_scope scope; /* of the acquire */
    bool relaxed, wrong;    /* wrong: something was released with too narrow a scope, or is acquired with one */
    uint32_t done;          /* bits of the views in which a result before has told what comes of it */
};

/* `need`: the scope that includes both threads, which an acquire fence after a relaxed read must have too. */
static void acquire_release(struct order *o, struct acquire *a, const struct order_release *p, uint32_t home,
                            enum order_scope need, struct order_thread *t, struct order_past *pasts)
{
    for (int v = VIEW_GENERIC; v < o->views; v++)
        if (!(a->done >> v & 1) && (v < VIEW_FENCED || !is_narrower(v, need)))
            order_past_merge(o, a->relaxed ? &t->pending[need][v] : &pasts[v], o->number, &p->clock[v], home);
    t->pending_any[need] |= a->relaxed;
}

static void acquire_all(struct order *o, struct acquire *a, struct order_thread *t, struct order_past *pasts)
{
    struct order_object *s = a->from;

    if (s->grid && (a->scope == SCOPE_GRID || s->n >= ORDER_APART))
        acquire_release(o, a, s->grid, ORDER_NO_HOME, s->n >= ORDER_APART ? SCOPE_CTA : SCOPE_GRID, t, pasts);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct order_release *p = &s->releases[i];
        const uint32_t home = p->cta / o->cluster->cta_count;
        enum order_scope need = p->cta == a->cta ? SCOPE_CTA : home == o->number ? SCOPE_CLUSTER : SCOPE_GRID;
        if (p->loose)
            continue;
        if (p->scope < need || a->scope < need)
            a->wrong = true;
        else if (need < SCOPE_GRID) /* else s->grid has it */
            acquire_release(o, a, p, home, need, t, pasts);
    }
}

/* What each wait at an mbarrier makes known, whatever its scope. Its completion is known to have been signalled in each
 * CTA of the cluster. */
static void acquire_count(struct order *o, struct acquire *a, struct order_thread *t, struct order_past *past)
{
    const bool others = o->cluster->cta_count > 1;

    order_past_raise(o, past, o->number, a->from->counter, a->from->count);
    a->wrong |= others && a->scope < SCOPE_CLUSTER;
    t->pending_any[SCOPE_CTA] |= a->relaxed;
    t->pending_any[SCOPE_CLUSTER] |= a->relaxed && others && a->scope >= SCOPE_CLUSTER;
}

static void acquire_loose(struct order *o, const struct order_object *s, struct order_past *past)
{
    if (s->count)
        order_past_raise(o, past, o->number, s->counter, s->count);
    if (s->grid)
        order_past_merge(o, past, o->number, &s->grid->clock[VIEW_LOOSE], ORDER_NO_HOME);
    for (uint32_t i = 0; !s->grid && i < s->n; i++) /* the others have nothing in this view */
        order_past_merge(o, past, o->number, &s->releases[i].clock[VIEW_LOOSE], o->number);
}

/* Keeps the result of an acquire that turned `from` into `to`, which a result before may have been too. */
static void keep_result(struct order *o, struct order_object *s, const struct order_result *r)
{
    struct order_acquired *a = s->acquired;
    struct order_result *at;

    if (!a)
        a = s->acquired = calloc(1, sizeof *a);
    if (!a) {
        o->failed = true;
        return;
    }
    at = &a->of[a->next];
    if (a->n == ACQUIRES) {
        order_pasts_drop(at->from);
        order_pasts_drop(at->to);
    }
    *at = *r;
    order_pasts_keep(r->from);
    order_pasts_keep(r->to);
    a->next = (a->next + 1) % ACQUIRES;
    a->n += a->n < ACQUIRES;
}

/* The same pasts as `to` if a result before had such. Takes `to`. */
static struct order_pasts *shared_of(const struct order_object *s, struct order_pasts *from, struct order_pasts *to)
{
    struct order_pasts *same = order_pasts_same(from, to) ? from : NULL;

    for (uint32_t i = 0; s->acquired && !same && i < s->acquired->n; i++)
        if (order_pasts_same(s->acquired->of[i].to, to))
            same = s->acquired->of[i].to;
    if (!same)
        return to;
    order_pasts_keep(same);
    order_pasts_drop(to);
    return same;
}

/* The first result of an acquire like this one, by a thread with any pasts. */
static const struct order_result *result_of(const struct acquire *a, bool only_loose)
{
    const struct order_acquired *all = a->from->acquired;

    for (uint32_t i = 0; all && i < all->n; i++) {
        const struct order_result *r = &all->of[i];
        if (r->cta == a->cta && r->scope == a->scope && r->only_loose == only_loose)
            return r;
    }
    return NULL;
}

/* Pasts that an acquire changes: those of the thread, but as they were left by an acquire like it in the respects in
 * which that one began with the same. NULL: there is no memory. */
static struct order_pasts *pasts_for(struct order *o, struct acquire *a, const struct order_thread *t,
                                     const struct order_result *like)
{
    struct order_pasts *p = order_pasts_copy(o, t->pasts);

    for (uint32_t v = 0; p && like && like->from && v < p->n; v++)
        if (order_past_same(&like->from->of[v], &p->of[v])) {
            order_past_set(&p->of[v], &like->to->of[v]);
            a->done |= 1u << v;
        }
    return p;
}

/* The rule about scopes that do not include the other thread, by what the two synchronise through. At the cluster's
 * barrier only a fence before a relaxed arrive can have too small a scope. */
static const struct ck_rule *too_narrow(const struct order_object *s)
{
    return s->flag                                     ? &rule_fence_mp
           : s->loose == &rule_cluster_barrier_relaxed ? s->loose
                                                       : &rule_mbarrier_wait_scope_too_small;
}

/* An acquire that had no result yet. */
static __attribute__((noinline)) void acquire_anew(struct order *o, struct acquire *a, struct order_thread *t,
                                                   bool only_loose)
{
    struct order_object *s = a->from;
    struct order_result r = { .cta = a->cta, .scope = a->scope, .only_loose = only_loose, .from = t->pasts };

    r.to = pasts_for(o, a, t, result_of(a, only_loose));
    if (!r.to)
        return;
    if (!(a->done >> VIEW_LOOSE & 1))
        acquire_loose(o, s, &r.to->of[VIEW_LOOSE]);
    if (!only_loose)
        acquire_all(o, a, t, r.to->of);
    if (!only_loose && s->count)
        acquire_count(o, a, t, &r.to->of[VIEW_GENERIC]);
    r.to = shared_of(s, t->pasts, r.to);
    r.loose = a->wrong ? too_narrow(s) : s->loose;
    keep_result(o, s, &r);
    t->loose = r.loose ? r.loose : t->loose;
    order_pasts_drop(t->pasts);
    t->pasts = r.to;
}

/* An acquire by the thread, of the loose view alone or of all; not a relaxed one. */
static inline void acquire(struct order *o, struct order_object *s, uint32_t thread, enum order_scope scope,
                           bool only_loose)
{
    struct order_thread *t = &o->thread[thread];
    const uint32_t cta = o->cta0 + thread / o->per_cta;

    for (uint32_t i = 0; s->acquired && i < s->acquired->n; i++) {
        const struct order_result *r = &s->acquired->of[i];
        if (r->from == t->pasts && r->cta == cta && r->scope == scope && r->only_loose == only_loose) {
            t->loose = r->loose ? r->loose : t->loose;
            order_pasts_set(&t->pasts, r->to);
            return;
        }
    }
    acquire_anew(o, &(struct acquire){ .from = s, .cta = cta, .scope = scope }, t, only_loose);
}

void order_acquire_loose(struct order *o, struct order_object *s, uint32_t thread, const struct ck_rule *loose)
{
    acquire(o, s, thread, SCOPE_CTA, true);
    if (loose)
        o->thread[thread].loose = loose;
}

void order_acquire_aside(struct order *o, struct order_object *s, uint32_t thread, enum order_scope scope)
{
    struct order_thread *t = &o->thread[thread];
    struct acquire a = { .from = s, .cta = o->cta0 + thread / o->per_cta, .scope = scope, .relaxed = true };

    if (!t->pending)
        t->pending = calloc(SCOPE_GRID + 1, sizeof *t->pending);
    if (!t->pending) {
        o->failed = true;
        return;
    }
    acquire_all(o, &a, t, NULL);
    if (s->count)
        acquire_count(o, &a, t, &t->pending[SCOPE_CTA][VIEW_GENERIC]);
    if (a.wrong)
        t->loose = too_narrow(s);
}

void order_acquire_from(struct order *o, struct order_object *s, uint32_t thread, bool relaxed, enum order_scope scope,
                        const struct ck_rule *loose)
{
    if (!relaxed) {
        acquire(o, s, thread, scope, false);
        return;
    }
    order_acquire_loose(o, s, thread, loose);
    order_acquire_aside(o, s, thread, scope);
}

/* So many threads that had the pasts `from` have `to` now. */
static void pass_on(struct order_pasts *from, struct order_pasts *to, uint32_t n)
{
    if (!n || !from || !to)
        return;
    to->refs += n;
    from->refs -= n - 1;
    order_pasts_drop(from);
}

void order_acquire_lanes(struct order *o, struct order_object *s, uint32_t first, uint32_t set)
{
    struct order_pasts *from = NULL, *to = NULL;
    uint32_t alike = 0;

    for (struct order_thread *t = o->thread + first; set; t++, set >>= 1) {
        if (!(set & 1))
            continue;
        if (t->pasts == from) { /* as the lane before; `from` stays, since the object keeps its result */
            t->pasts = to;
            alike++;
            continue;
        }
        pass_on(from, to, alike);
        alike = 0;
        from = t->pasts;
        acquire(o, s, (uint32_t)(t - o->thread), SCOPE_CTA, false);
        to = t->pasts;
    }
    pass_on(from, to, alike);
}
// SPDX-License-Identifier: Apache-2.0
