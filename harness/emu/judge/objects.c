/* The objects through which threads pass on what they know. */
#include "harness/emu/judge/objects.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/judge/clock.h"
#include "harness/emu/judge/fence_sc.h"

/* As many CTAs that release to one global location at gpu scope are kept apart, for acquires with a
 * narrower scope; those take all where there are more. */
enum { APART = 64 };

/* The number in the grid of a thread's CTA. */
static uint32_t cta_of(const struct order *o, uint32_t thread)
{
    return o->cta0 + thread / o->per_cta;
}

static void merge_view(struct order *o, struct order_past *to, uint32_t home, struct order_past *merged,
                       uint32_t thread, const struct order_known *k)
{
    if (!order_past_same(merged, &k->past)) {
        order_past_merge(o, to, home, &k->past, o->number);
        order_past_set(merged, &k->past);
    }
    if (k->own[OWN_NOW] | k->own[OWN_CP] | k->own[OWN_BULK] | k->own[OWN_READ])
        order_past_raise_own(o, to, home, thread, k->own);
}

static struct order_release *release_of(struct order *o, struct order_object *s, uint32_t cta, enum order_scope scope,
                                        bool loose)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->releases[i].loose == loose && s->releases[i].cta == cta && s->releases[i].scope == scope)
            return &s->releases[i];
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
    s->releases[s->n] =
        (struct order_release){ .cta = cta, .scope = scope, .loose = loose, .acquired_by = ORDER_NO_HOME };
    return &s->releases[s->n++];
}

/* What all clusters released, loose and not: its home is none of them. */
static struct order_release *grid_release(struct order *o, struct order_object *s)
{
    if (s->grid)
        return s->grid;
    s->grid = calloc(1, sizeof *s->grid);
    if (!s->grid) {
        o->failed = true;
        return NULL;
    }
    s->grid->acquired_by = ORDER_NO_HOME;
    return s->grid;
}

/* Only what the thread did up to now has been published: what it does next has the next epoch. */
void order_step(struct order_thread *t)
{
    t->view[VIEW_GENERIC].own[OWN_NOW]++;
    for (int i = 0; i < OWN_COUNT; i++)
        t->view[VIEW_LOOSE].own[i] = t->view[VIEW_GENERIC].own[i];
}

static void forget_acquires(struct order_release *p, int views)
{
    for (int v = 0; v < views && p->acquired; v++) {
        order_past_drop(&p->from[v]);
        order_past_drop(&p->to[v]);
    }
    p->acquired = false;
}

static void release_loose(struct order *o, struct order_object *s, uint32_t thread)
{
    struct order_release *p = s->global ? grid_release(o, s) : release_of(o, s, o->number, SCOPE_CTA, true);

    if (!p)
        return;
    merge_view(o, &p->clock[VIEW_LOOSE], s->global ? ORDER_NO_HOME : o->number, &p->merged[VIEW_LOOSE], thread,
               &o->thread[thread].view[VIEW_LOOSE]);
    forget_acquires(p, o->views);
}

/* What a thread releases: what it knows, or (of a release pattern: a fence, then a relaxed operation) what the fence
 * knew. */
struct released {
    const struct order_known *known;
    const struct order_past *fenced; /* in place of `known`, or NULL */
    uint32_t home;                   /* of which cluster these pasts are */
};

static void release_into(struct order *o, struct order_release *p, uint32_t home, uint32_t thread, struct released what)
{
    if (!p)
        return;
    for (int v = VIEW_GENERIC; v < o->views; v++)
        if (what.fenced)
            order_past_merge(o, &p->clock[v], home, &what.fenced[v], what.home);
        else
            merge_view(o, &p->clock[v], home, &p->merged[v], thread, &what.known[v]);
    forget_acquires(p, o->views);
}

/* thread: whose `known` it is. */
static void release_at(struct order *o, struct order_object *s, uint32_t cta, uint32_t thread, enum order_scope scope,
                       struct released what)
{
    if (s->global && scope == SCOPE_GRID)
        release_into(o, grid_release(o, s), ORDER_NO_HOME, thread, what);
    if (!s->global || scope < SCOPE_GRID || s->n < APART)
        release_into(o, release_of(o, s, cta, scope, false), what.home, thread, what);
}

void order_release_again(struct order *o, struct order_object *s, uint32_t thread, enum order_scope scope,
                         const struct order_known known[])
{
    release_at(o, s, cta_of(o, thread), thread, scope, (struct released){ .known = known, .home = o->number });
}

void order_release_past(struct order *o, struct order_object *s, uint32_t cta, enum order_scope scope,
                        const struct order_past past[])
{
    const uint32_t home = cta / o->cluster->cta_count;
    struct order_release *p;

    release_at(o, s, cta, 0, scope, (struct released){ .fenced = past, .home = home });
    p = s->global ? grid_release(o, s) : release_of(o, s, o->number, SCOPE_CTA, true);
    if (!p)
        return;
    order_past_merge(o, &p->clock[VIEW_LOOSE], s->global ? ORDER_NO_HOME : o->number, &past[VIEW_LOOSE], home);
    forget_acquires(p, o->views);
}

void order_release_to(struct order *o, struct order_object *s, uint32_t thread, bool relaxed, enum order_scope scope,
                      const struct ck_rule *loose)
{
    struct order_thread *t = &o->thread[thread];

    release_loose(o, s, thread);
    if (loose)
        s->loose = loose;
    if (!relaxed)
        release_at(o, s, cta_of(o, thread), thread, scope, (struct released){ .known = t->view, .home = o->number });
    for (int at = (int)scope; relaxed && t->fenced && at >= SCOPE_CTA; at--)
        if (at == (int)scope || !order_past_same(&t->fenced[at][VIEW_GENERIC], &t->fenced[at + 1][VIEW_GENERIC]) ||
            !order_past_same(&t->fenced[at][VIEW_SHARED], &t->fenced[at + 1][VIEW_SHARED]))
            release_at(o, s, cta_of(o, thread), thread, (enum order_scope)at,
                       (struct released){ .fenced = t->fenced[at], .home = o->number });
    order_step(t);
}

static void acquire_view(struct order *o, struct order_release *p, uint32_t home, int v, struct order_past *past)
{
    if (!p->clock[v].own_cluster && !p->clock[v].other_clusters)
        return;
    if (p->acquired_by != o->number) {
        forget_acquires(p, o->views);
        p->acquired_by = o->number;
    }
    if ((p->to[v].own_cluster || p->to[v].other_clusters) && order_past_same(&p->from[v], past)) {
        order_past_set(past, &p->to[v]);
        return;
    }
    p->acquired = true;
    order_past_set(&p->from[v], past);
    order_past_merge(o, past, o->number, &p->clock[v], home);
    order_past_set(&p->to[v], past);
}

/* What is said of fences of a scope that does not include both threads. */
static bool is_narrower(int v, enum order_scope need)
{
    return need > SCOPE_CTA && (v == VIEW_FENCED_CTA || v == VIEW_SHOWN_CTA ||
                                (need > SCOPE_CLUSTER && (v == VIEW_FENCED_CLUSTER || v == VIEW_SHOWN_CLUSTER)));
}

/* `need`: the scope that includes both threads, which an acquire fence after a relaxed read must have too. */
static void acquire_all(struct order *o, struct order_release *p, uint32_t home, struct order_thread *t, bool relaxed,
                        enum order_scope need)
{
    if (relaxed && !t->pending)
        t->pending = calloc(SCOPE_GRID + 1, sizeof *t->pending);
    if (relaxed && !t->pending) {
        o->failed = true;
        return;
    }
    for (int v = VIEW_GENERIC; v < o->views; v++)
        if (v >= VIEW_FENCED && is_narrower(v, need))
            continue;
        else if (relaxed)
            order_past_merge(o, &t->pending[need][v], o->number, &p->clock[v], home);
        else
            acquire_view(o, p, home, v, &t->view[v].past);
    t->pending_any[need] |= relaxed;
}

void order_acquire_loose(struct order *o, struct order_object *s, uint32_t thread, const struct ck_rule *loose)
{
    struct order_thread *t = &o->thread[thread];

    if (s->grid) {
        acquire_view(o, s->grid, ORDER_NO_HOME, VIEW_LOOSE, &t->view[VIEW_LOOSE].past);
    } else {
        for (uint32_t i = 0; i < s->n; i++)
            if (s->releases[i].loose)
                acquire_view(o, &s->releases[i], o->number, VIEW_LOOSE, &t->view[VIEW_LOOSE].past);
    }
    if (loose || s->loose)
        t->loose = loose ? loose : s->loose;
}

void order_acquire_from(struct order *o, struct order_object *s, uint32_t thread, bool relaxed, enum order_scope scope,
                        const struct ck_rule *loose)
{
    struct order_thread *t = &o->thread[thread];
    const uint32_t cta = o->cta0 + thread / o->per_cta;

    order_acquire_loose(o, s, thread, loose);
    if (s->grid && (scope == SCOPE_GRID || s->n >= APART))
        acquire_all(o, s->grid, ORDER_NO_HOME, t, relaxed, s->n >= APART ? SCOPE_CTA : SCOPE_GRID);
    for (uint32_t i = 0; i < s->n; i++) {
        struct order_release *p = &s->releases[i];
        const uint32_t home = p->cta / o->cluster->cta_count;
        enum order_scope need = p->cta == cta ? SCOPE_CTA : home == o->number ? SCOPE_CLUSTER : SCOPE_GRID;
        if (p->loose)
            continue;
        if (p->scope < need || scope < need)
            t->loose = s->flag ? &rule_fence_mp : &rule_mbarrier_wait_scope_too_small;
        else if (need < SCOPE_GRID) /* else s->grid has it */
            acquire_all(o, p, home, t, relaxed, need);
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

static void release_free(struct order_release *p, int views)
{
    for (int v = 0; v < views; v++) {
        order_past_drop(&p->clock[v]);
        order_past_drop(&p->merged[v]);
    }
    forget_acquires(p, views);
}

/* Nothing has been released to it; the room for releases stays. */
static void object_empty(struct order_object *s, int views)
{
    for (uint32_t i = 0; i < s->n; i++)
        release_free(&s->releases[i], views);
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
            release_free(&s->releases[i], o->views);
    s->n = kept;
    if (!s->grid)
        return;
    forget_acquires(s->grid, o->views);
    for (int v = VIEW_GENERIC; v < o->views; v++) {
        order_past_drop(&s->grid->clock[v]);
        order_past_drop(&s->grid->merged[v]);
    }
}

void order_object_free(struct order_object *s)
{
    object_empty(s, VIEW_COUNT);
    order_shown_free(s);
    if (s->grid)
        release_free(s->grid, VIEW_COUNT);
    free(s->grid);
    free(s->releases);
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
        for (int v = 0; v < o->views; v++)
            order_past_merge(o, &q->clock[v], o->number, &p->clock[v], o->number);
        forget_acquires(q, o->views);
    }
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
    merge_view(o, &p->clock[VIEW_INIT], o->number, &p->merged[VIEW_INIT], thread, &o->thread[thread].view[VIEW_INIT]);
}

/* ---- fences ------------------------------------------------------------------------------------------------------ */

/* What happens before now is known in this respect too. */
void order_fence_view(struct order *o, uint32_t thread, enum order_view view)
{
    struct order_thread *t = &o->thread[thread];

    order_past_set(&t->view[view].past, &t->view[VIEW_GENERIC].past);
    if (view == VIEW_ASYNC_SHARED)
        order_past_merge(o, &t->view[view].past, o->number, &t->view[VIEW_SHARED].past, o->number);
    memcpy(t->view[view].own, t->view[VIEW_GENERIC].own, sizeof t->view[view].own);
    order_step(t);
}

/* PTX ISA, membar / fence: fence.mbarrier_init concerns the inits of the thread that executes it, no other's. */
void order_fence_inits(struct order *o, uint32_t thread)
{
    struct order_thread *t = &o->thread[thread];

    t->view[VIEW_INIT].own[OWN_NOW] = t->view[VIEW_GENERIC].own[OWN_NOW];
    order_step(t);
}

/* Relaxed reads before it, of threads that its scope takes in, acquire now. */
static void fence_acquires(struct order *o, struct order_thread *t, enum order_scope scope, bool restricted)
{
    bool left = false;

    for (int need = SCOPE_CTA; need <= (int)scope; need++) {
        struct order_past *pending = t->pending_any[need] ? t->pending[need] : NULL;
        if (!pending)
            continue;
        if (restricted) {
            order_past_merge(o, &t->view[VIEW_SHARED].past, o->number, &pending[VIEW_GENERIC], o->number);
            order_past_merge(o, &t->view[VIEW_SHARED].past, o->number, &pending[VIEW_SHARED], o->number);
            order_past_merge(o, &t->view[VIEW_ASYNC_SHARED].past, o->number, &pending[VIEW_ASYNC_SHARED], o->number);
            continue;
        }
        for (int v = VIEW_GENERIC; v < o->views; v++) {
            order_past_merge(o, &t->view[v].past, o->number, &pending[v], o->number);
            order_past_drop(&pending[v]);
        }
        t->pending_any[need] = false;
    }
    for (int need = SCOPE_CTA; need <= SCOPE_GRID; need++)
        left |= t->pending_any[need];
    if (!left && t->looks[t->look].key) {
        memset(t->looks, 0, sizeof t->looks);
        t->looks_lost = false;
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
    struct order_past none = { 0 };

    merge_view(o, &t->fenced[scope][to], o->number, &none, thread, &t->view[from]);
    order_past_drop(&none);
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

void order_thread_free(struct order_thread *t)
{
    for (int v = 0; v < VIEW_COUNT; v++) {
        order_past_drop(&t->view[v].past);
        for (int scope = 0; scope <= SCOPE_GRID; scope++) {
            if (t->fenced)
                order_past_drop(&t->fenced[scope][v]);
            if (t->pending)
                order_past_drop(&t->pending[scope][v]);
        }
    }
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < t->heads[i].n; k++)
            for (int v = 0; v < VIEW_COUNT; v++)
                order_past_drop(&t->heads[i].of[k].known[v].past);
        free(t->heads[i].of);
    }
    for (uint32_t i = 0; i < POLLS; i++)
        order_past_drop(&t->heeds[i].past);
    free(t->fenced);
    free(t->pending);
    free(t->groups[0].behind);
    free(t->groups[1].behind);
}
