/* The objects through which threads pass on what they know. */
#include "harness/emu/judge/objects.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/judge/acquire.h"
#include "harness/emu/judge/clock.h"
#include "harness/emu/judge/fences.h"
#include "harness/emu/judge/fence_sc.h"
#include "harness/emu/judge/pasts.h"

/* The number in the grid of a thread's CTA. */
static uint32_t cta_of(const struct order *o, uint32_t thread)
{
    return o->cta0 + thread / o->per_cta;
}

static struct order_release *release_of(struct order *o, struct order_object *s, uint32_t cta, enum order_scope scope,
                                        bool loose)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->releases[i].loose == loose && s->releases[i].cta == cta && s->releases[i].scope == scope) {
            *(loose ? &s->last_loose : &s->last) = i;
            return &s->releases[i];
        }
    if (s->n == s->room) {
        const uint32_t room = s->room ? s->room * 2 : 2;
        struct order_release *more = realloc(s->releases, room * sizeof *more);
        if (!more) {
            o->failed = true;
            return NULL;
        }
        s->releases = more;
        s->room = room;
    }
    s->releases[s->n] = (struct order_release){ .cta = cta, .scope = scope, .loose = loose };
    return &s->releases[s->n++];
}

/* What all clusters released, loose and not: its home is none of them. */
static struct order_release *grid_release(struct order *o, struct order_object *s)
{
    if (s->grid)
        return s->grid;
    s->grid = calloc(1, sizeof *s->grid);
    if (!s->grid)
        o->failed = true;
    return s->grid;
}

/* What a thread releases: what it knows, or (of a release pattern: a fence, then a relaxed operation) what the fence
 * knew. */
struct released {
    struct order_pasts *pasts;
    const struct order_self *self;   /* by view */
    const struct order_past *fenced; /* in place of these two, or NULL */
    uint32_t home;                   /* of which cluster the pasts are */
};

/* The views of a thread's pasts, from one to before another. merged: what was merged before, and need not be again. */
static void merge_pasts(struct order *o, struct order_release *p, struct order_pasts **merged, uint32_t home,
                        struct order_pasts *pasts, int first, int end)
{
    if (!pasts || *merged == pasts)
        return;
    for (int v = first; v < end; v++)
        if (!*merged || !order_past_same(&(*merged)->of[v], &pasts->of[v]))
            order_past_merge(o, &p->clock[v], home, &pasts->of[v], o->number);
    order_pasts_set(merged, pasts);
}

static void release_loose(struct order *o, struct order_object *s, uint32_t thread)
{
    struct order_release *p = s->global ? grid_release(o, s) : release_of(o, s, o->number, SCOPE_CTA, true);
    const uint32_t home = s->global ? ORDER_NO_HOME : o->number;
    const struct order_thread *t = &o->thread[thread];

    if (!p)
        return;
    merge_pasts(o, p, &p->merged_loose, home, t->pasts, VIEW_LOOSE, VIEW_LOOSE + 1);
    order_past_raise_own(o, &p->clock[VIEW_LOOSE], home, thread, t->view[VIEW_LOOSE].own);
}

static void release_into(struct order *o, struct order_release *p, uint32_t home, uint32_t thread, struct released what)
{
    if (!p)
        return;
    for (int v = VIEW_GENERIC; what.fenced && v < o->views; v++)
        order_past_merge(o, &p->clock[v], home, &what.fenced[v], what.home);
    if (what.fenced)
        return;
    merge_pasts(o, p, &p->merged, home, what.pasts, VIEW_GENERIC, o->views);
    order_past_raise_own(o, &p->clock[VIEW_GENERIC], home, thread, what.self[VIEW_GENERIC].own);
    for (uint32_t left = o->thread[thread].fences; left; left &= left - 1) {
        const int v = __builtin_ctz(left);
        order_past_raise_own(o, &p->clock[v], home, thread, what.self[v].own);
    }
}

/* thread: who knows it. */
static void release_at(struct order *o, struct order_object *s, uint32_t cta, uint32_t thread, enum order_scope scope,
                       struct released what)
{
    if (s->global && scope == SCOPE_GRID)
        release_into(o, grid_release(o, s), ORDER_NO_HOME, thread, what);
    if (!s->global || scope < SCOPE_GRID || s->n < ORDER_APART)
        release_into(o, release_of(o, s, cta, scope, false), what.home, thread, what);
}

void order_release_again(struct order *o, struct order_object *s, uint32_t thread, enum order_scope scope,
                         const struct order_head *head)
{
    order_acquired_forget(s);
    release_at(o, s, cta_of(o, thread), thread, scope,
               (struct released){ .pasts = head->pasts, .self = head->self, .home = o->number });
}

void order_release_past(struct order *o, struct order_object *s, uint32_t cta, enum order_scope scope,
                        const struct order_past past[])
{
    const uint32_t home = cta / o->cluster->cta_count;
    struct order_release *p;

    order_acquired_forget(s);
    release_at(o, s, cta, 0, scope, (struct released){ .fenced = past, .home = home });
    p = s->global ? grid_release(o, s) : release_of(o, s, o->number, SCOPE_CTA, true);
    if (!p)
        return;
    order_past_merge(o, &p->clock[VIEW_LOOSE], s->global ? ORDER_NO_HOME : o->number, &past[VIEW_LOOSE], home);
}

/* Whether the thread knows of others what the one before it knew that released there: then only what it knows of itself
 * is new, and has been added. */
static bool release_alike(const struct order *o, struct order_object *s, uint32_t thread, enum order_scope scope)
{
    const struct order_thread *t = &o->thread[thread];
    const struct order_release *p, *loose;

    if (s->n <= s->last || s->n <= s->last_loose)
        return false;
    p = &s->releases[s->last];
    loose = &s->releases[s->last_loose];
    if (p->merged != t->pasts || loose->merged_loose != t->pasts || p->scope != scope || p->cta != cta_of(o, thread))
        return false;
    for (uint32_t left = t->fences; left; left &= left - 1) {
        const int v = __builtin_ctz(left);
        if (!order_clock_raise_own(o, p->clock[v].own_cluster, thread, t->view[v].own))
            return false;
    }
    return order_clock_raise_own(o, p->clock[VIEW_GENERIC].own_cluster, thread, t->view[VIEW_GENERIC].own) &&
           order_clock_raise_own(o, loose->clock[VIEW_LOOSE].own_cluster, thread, t->view[VIEW_LOOSE].own);
}

void order_release_to(struct order *o, struct order_object *s, uint32_t thread, bool relaxed, enum order_scope scope,
                      const struct ck_rule *loose)
{
    struct order_thread *t = &o->thread[thread];

    order_acquired_forget(s);
    if (loose)
        s->loose = loose;
    if (!relaxed && release_alike(o, s, thread, scope)) {
        order_step(t);
        return;
    }
    release_loose(o, s, thread);
    if (!relaxed)
        release_at(o, s, cta_of(o, thread), thread, scope,
                   (struct released){ .pasts = t->pasts, .self = t->view, .home = o->number });
    for (int at = (int)scope; relaxed && t->fenced && at >= SCOPE_CTA; at--)
        if (at == (int)scope || !order_past_same(&t->fenced[at][VIEW_GENERIC], &t->fenced[at + 1][VIEW_GENERIC]) ||
            !order_past_same(&t->fenced[at][VIEW_SHARED], &t->fenced[at + 1][VIEW_SHARED]))
            release_at(o, s, cta_of(o, thread), thread, (enum order_scope)at,
                       (struct released){ .fenced = t->fenced[at], .home = o->number });
    order_step(t);
}

/* Where what such a thread of a CTA releases goes, if all that it knows of others has been released there, and of
 * itself it knows no more than its epoch: whether that is so. */
static bool release_on(const struct order *o, const struct order_object *s, uint32_t thread, uint32_t **generic,
                       uint32_t **loose)
{
    const struct order_thread *t = &o->thread[thread];
    struct order_clock *a, *b;

    if (s->n <= s->last || s->n <= s->last_loose || t->fences)
        return false;
    a = s->releases[s->last].clock[VIEW_GENERIC].own_cluster;
    b = s->releases[s->last_loose].clock[VIEW_LOOSE].own_cluster;
    if (s->releases[s->last].merged != t->pasts || s->releases[s->last_loose].merged_loose != t->pasts || !a || !b ||
        a->refs != 1 || b->refs != 1 || a->base || b->base || a->n < o->threads || b->n < o->threads)
        return false;
    *generic = a->v;
    *loose = b->v;
    return true;
}

/* What a thread knows of itself is its epoch alone, which it knows in both of the first views. */
static inline bool knows_epoch_alone(const struct order_thread *t)
{
    const uint32_t *loose = t->view[VIEW_LOOSE].own, *generic = t->view[VIEW_GENERIC].own;

    uint64_t bulk[2]; /* two numbers each */

    _Static_assert(OWN_READ == OWN_BULK + 1, "they lie together");
    memcpy(&bulk[0], &loose[OWN_BULK], sizeof bulk[0]);
    memcpy(&bulk[1], &generic[OWN_BULK], sizeof bulk[1]);
    return !(t->fences | loose[OWN_CP] | generic[OWN_CP] | bulk[0] | bulk[1]);
}

void order_release_lanes(struct order *o, struct order_object *s, uint32_t first, uint32_t set)
{
    const struct order_pasts *like = NULL;
    uint32_t *generic = NULL, *loose = NULL;
    uint32_t thread = first + (uint32_t)__builtin_ctz(set);

    if (release_on(o, s, thread, &generic, &loose) && generic && loose)
        like = o->thread[thread].pasts;
    set >>= __builtin_ctz(set);
    for (struct order_thread *t = o->thread + thread; set; t++, thread++, set >>= 1) {
        if (!(set & 1))
            continue;
        t->arrived = false;
        if (like && t->pasts == like && knows_epoch_alone(t)) { /* others know of it no more than it does itself */
            const uint32_t now = t->view[VIEW_GENERIC].own[OWN_NOW];
            generic[thread] = now;
            loose[thread] = t->view[VIEW_LOOSE].own[OWN_NOW];
            t->view[VIEW_GENERIC].own[OWN_NOW] = t->view[VIEW_LOOSE].own[OWN_NOW] = now + 1;
            continue;
        }
        order_release_to(o, s, thread, false, SCOPE_CTA, NULL);
        like = release_on(o, s, thread, &generic, &loose) && generic && loose ? t->pasts : NULL;
    }
}

void order_raise(struct order *o, struct order_object *s, uint32_t cta, uint32_t component, uint32_t value)
{
    struct order_release *p = release_of(o, s, o->cta0 + cta, SCOPE_CLUSTER, false);

    if (!p)
        return;
    order_past_raise(o, &p->clock[VIEW_GENERIC], o->number, component, value);
    p = release_of(o, s, o->number, SCOPE_CTA, true);
    if (!p)
        return;
    order_past_raise(o, &p->clock[VIEW_LOOSE], o->number, component, value);
}

/* One that is loose has the first view alone, and the others all but that; only what all clusters released has all. */
static inline int first_view(const struct order_release *p)
{
    return p->loose ? VIEW_LOOSE : VIEW_GENERIC;
}
static inline int end_of_views(const struct order_release *p, int views)
{
    return p->loose ? VIEW_LOOSE + 1 : views;
}

static void release_free(struct order_release *p, int first, int end)
{
    for (int v = first; v < end; v++)
        order_past_drop(&p->clock[v]);
    order_pasts_drop(p->merged_loose);
    order_pasts_drop(p->merged);
    p->merged_loose = p->merged = NULL;
}

/* Nothing has been released to it; the room for releases stays. */
static void object_empty(struct order_object *s, int views)
{
    for (uint32_t i = 0; i < s->n; i++)
        release_free(&s->releases[i], first_view(&s->releases[i]), end_of_views(&s->releases[i], views));
    s->n = 0;
    s->loose = NULL;
}

void order_object_drop(struct order *o, struct order_object *s)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < s->n; i++)
        if (s->releases[i].loose)
            s->releases[kept++] = s->releases[i];
        else
            release_free(&s->releases[i], VIEW_GENERIC, o->views);
    s->n = kept;
    order_acquired_forget(s);
    if (!s->grid)
        return;
    for (int v = VIEW_GENERIC; v < o->views; v++)
        order_past_drop(&s->grid->clock[v]);
    order_pasts_drop(s->grid->merged);
    s->grid->merged = NULL;
}

void order_object_free(struct order_object *s)
{
    order_acquired_forget(s);
    object_empty(s, VIEW_COUNT);
    order_shown_free(s);
    if (s->grid)
        release_free(s->grid, VIEW_LOOSE, VIEW_COUNT);
    free(s->grid);
    free(s->releases);
    free(s->acquired);
    *s = (struct order_object){ 0 };
}

/* What has been collected joins what is complete: later arrivals at an object carry on what earlier ones released. */
void order_object_move(struct order *o, struct order_object *from, struct order_object *to)
{
    for (uint32_t i = 0; i < from->n; i++) {
        const struct order_release *p = &from->releases[i];
        struct order_release *q = release_of(o, to, p->cta, p->scope, p->loose);
        if (!q)
            break;
        for (int v = first_view(p), end = end_of_views(p, o->views); v < end; v++)
            order_past_merge(o, &q->clock[v], o->number, &p->clock[v], o->number);
    }
    order_acquired_forget(to);
    if (from->loose)
        to->loose = from->loose;
    object_empty(from, o->views);
}

/* What only better messages are made of: a release that releases nothing. */
void order_release_loose(struct order *o, struct order_object *s, uint32_t thread, const struct ck_rule *why)
{
    release_loose(o, s, thread);
    s->loose = why;
    order_step(&o->thread[thread]);
}

void order_release_init(struct order *o, struct order_object *s, uint32_t thread)
{
    struct order_release *p = release_of(o, s, o->cta0 + thread / o->per_cta, SCOPE_CLUSTER, false);

    if (!p)
        return;
    order_past_merge(o, &p->clock[VIEW_INIT], o->number, &o->thread[thread].pasts->of[VIEW_INIT], o->number);
    order_past_raise_own(o, &p->clock[VIEW_INIT], o->number, thread, o->thread[thread].view[VIEW_INIT].own);
}

struct order_groups order_no_groups[2];

struct order_groups *order_groups_own(struct order *o, struct order_thread *t)
{
    struct order_groups *own;

    if (t->groups != order_no_groups)
        return t->groups;
    own = calloc(2, sizeof *own);
    if (!own) {
        o->failed = true;
        return NULL;
    }
    t->groups = own;
    return own;
}

static void free_more(struct order_thread *t)
{
    for (int v = 0; (t->fenced || t->pending) && v < VIEW_COUNT; v++)
        for (int scope = 0; scope <= SCOPE_GRID; scope++) {
            if (t->fenced)
                order_past_drop(&t->fenced[scope][v]);
            if (t->pending)
                order_past_drop(&t->pending[scope][v]);
        }
    for (uint32_t i = 0; i < 2; i++) {
        if (!t->heads[i].of)
            continue;
        for (uint32_t k = 0; k < t->heads[i].n; k++)
            order_pasts_drop(t->heads[i].of[k].pasts);
        free(t->heads[i].of);
    }
    for (uint32_t i = 0; t->looked && i < POLLS; i++)
        order_past_drop(&t->looked->heeds[i].past);
    free(t->looked);
    free(t->fenced);
    free(t->pending);
    if (t->groups == order_no_groups)
        return;
    free(t->groups[0].behind);
    free(t->groups[1].behind);
    free(t->groups);
}

void order_threads_free(struct order_thread *t, uint32_t count)
{
    struct order_pasts *pasts = NULL; /* of `refs` threads in a row */
    uint32_t refs = 0;

    for (const struct order_thread *const end = t + count; t < end; t++) {
        if (t->pasts != pasts && pasts)
            order_pasts_drop_some(pasts, refs);
        refs = t->pasts == pasts ? refs + 1 : 1;
        pasts = t->pasts;
        if ((uintptr_t)t->fenced | (uintptr_t)t->pending | (uintptr_t)t->heads[0].of | (uintptr_t)t->heads[1].of |
            (uintptr_t)t->looked | ((uintptr_t)t->groups ^ (uintptr_t)order_no_groups))
            free_more(t); /* most threads have none */
    }
    if (pasts)
        order_pasts_drop_some(pasts, refs);
}
// SPDX-License-Identifier: Apache-2.0
