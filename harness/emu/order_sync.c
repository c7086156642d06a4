/* Clocks, and the objects through which threads pass on what they know. */
#include <stdlib.h>
#include <string.h>

#include "harness/emu/order.h"

void order_clock_drop(struct order_clock **c)
{
    if (*c && !--(*c)->refs)
        free(*c);
    *c = NULL;
}

static struct order_clock *keep(struct order_clock *c)
{
    if (c)
        c->refs++;
    return c;
}

static void set(struct order_clock **at, struct order_clock *c)
{
    keep(c);
    order_clock_drop(at);
    *at = c;
}

/* A clock of its own that can be changed, with room for all components. */
static struct order_clock *own(struct order *o, struct order_clock **at)
{
    struct order_clock *c = *at;
    const uint32_t n = (o->components + 15) / 16 * 16;

    if (c && c->refs == 1 && c->n >= o->components)
        return c;
    c = calloc(1, sizeof *c + n * sizeof *c->v);
    if (!c) {
        o->failed = true;
        return NULL;
    }
    c->refs = 1;
    c->n = n;
    if (*at)
        memcpy(c->v, (*at)->v, (*at)->n * sizeof *c->v);
    order_clock_drop(at);
    *at = c;
    return c;
}

static bool reaches(const struct order_clock *a, const struct order_clock *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (b->v[i] > (i < a->n ? a->v[i] : 0))
            return false;
    return true;
}

static void merge(struct order *o, struct order_clock **to, struct order_clock *from)
{
    struct order_clock *c;

    if (!from || *to == from)
        return;
    if (!*to) {
        *to = keep(from);
        return;
    }
    if (reaches(*to, from))
        return;
    if (reaches(from, *to)) {
        set(to, from);
        return;
    }
    c = own(o, to);
    for (uint32_t i = 0; c && i < from->n && i < c->n; i++)
        if (from->v[i] > c->v[i])
            c->v[i] = from->v[i];
}

static void raise_to(struct order *o, struct order_clock **to, uint32_t component, uint32_t value)
{
    struct order_clock *c;

    if (!value || (*to && component < (*to)->n && (*to)->v[component] >= value))
        return;
    c = own(o, to);
    if (c)
        c->v[component] = value;
}

static void merge_view(struct order *o, struct order_clock **to, struct order_clock **merged, uint32_t thread,
                       const struct order_known *k)
{
    if (k->past && *merged != k->past) {
        merge(o, to, k->past);
        set(merged, k->past);
    }
    for (int i = 0; i < OWN_COUNT; i++)
        raise_to(o, to, order_component(o, thread, i), k->own[i]);
}

static struct order_part *part_of(struct order *o, struct order_sync *s, uint32_t cta, bool wide, bool loose)
{
    struct order_part *more;

    for (uint32_t i = 0; i < s->n; i++)
        if (s->parts[i].loose == loose && (loose || (s->parts[i].cta == cta && s->parts[i].wide == wide)))
            return &s->parts[i];
    more = realloc(s->parts, (s->n + 1) * sizeof *more);
    if (!more) {
        o->failed = true;
        return NULL;
    }
    s->parts = more;
    more[s->n] = (struct order_part){ .cta = cta, .wide = wide, .loose = loose };
    return &more[s->n++];
}

/* Only what the thread did up to now has been published: what it does next has the next epoch. */
static void step(struct order_thread *t)
{
    t->view[VIEW_GENERIC].own[OWN_NOW]++;
    for (int i = 0; i < OWN_COUNT; i++)
        t->view[VIEW_LOOSE].own[i] = t->view[VIEW_GENERIC].own[i];
}

static void forget_acquires(struct order_part *p)
{
    for (int v = 0; v < VIEW_COUNT; v++) {
        order_clock_drop(&p->from[v]);
        order_clock_drop(&p->to[v]);
    }
}

void order_release_to(struct order *o, struct order_sync *s, uint32_t thread, bool relaxed, bool wide,
                      const struct ck_rule *loose)
{
    struct order_thread *t = &o->thread[thread];
    struct order_part *p = part_of(o, s, 0, false, true);

    if (!p)
        return;
    merge_view(o, &p->clock[VIEW_LOOSE], &p->merged[VIEW_LOOSE], thread, &t->view[VIEW_LOOSE]);
    forget_acquires(p);
    if (loose)
        s->loose = loose;
    if (relaxed && t->fenced_any) { /* a release pattern: fence, then a relaxed operation */
        p = part_of(o, s, thread / o->per_cta, wide && t->fenced_wide, false);
        for (int v = VIEW_GENERIC; p && v < VIEW_LOOSE; v++)
            merge(o, &p->clock[v], t->fenced[v]);
    } else if (!relaxed) {
        p = part_of(o, s, thread / o->per_cta, wide, false);
        for (int v = VIEW_GENERIC; p && v < VIEW_LOOSE; v++)
            merge_view(o, &p->clock[v], &p->merged[v], thread, &t->view[v]);
    }
    if (p)
        forget_acquires(p);
    if (!relaxed || t->fenced_any || loose)
        step(t);
}

static void take(struct order *o, struct order_part *p, int v, struct order_clock **past)
{
    if (!p->clock[v])
        return;
    if (p->to[v] && p->from[v] == *past) {
        set(past, p->to[v]);
        return;
    }
    set(&p->from[v], *past);
    merge(o, past, p->clock[v]);
    set(&p->to[v], *past);
}

void order_acquire_from(struct order *o, struct order_sync *s, uint32_t thread, bool relaxed, bool wide,
                        const struct ck_rule *loose)
{
    struct order_thread *t = &o->thread[thread];
    const uint32_t cta = thread / o->per_cta;

    for (uint32_t i = 0; i < s->n; i++) {
        struct order_part *p = &s->parts[i];
        if (p->loose) {
            take(o, p, VIEW_LOOSE, &t->view[VIEW_LOOSE].past);
            if (loose || s->loose)
                t->loose = loose ? loose : s->loose;
            continue;
        }
        if (p->cta != cta && !(p->wide && wide)) {
            t->loose = &rule_mbarrier_wait_scope_too_small;
            continue;
        }
        for (int v = VIEW_GENERIC; v < VIEW_LOOSE; v++) {
            if (relaxed)
                merge(o, &t->pending[v], p->clock[v]);
            else
                take(o, p, v, &t->view[v].past);
        }
        t->pending_any |= relaxed;
    }
}

void order_raise(struct order *o, struct order_sync *s, uint32_t cta, uint32_t component, uint32_t value)
{
    struct order_part *p = part_of(o, s, cta, true, false);

    if (!p)
        return;
    raise_to(o, &p->clock[VIEW_GENERIC], component, value);
    forget_acquires(p);
    p = part_of(o, s, 0, false, true);
    if (!p)
        return;
    raise_to(o, &p->clock[VIEW_LOOSE], component, value);
    forget_acquires(p);
}

static void part_free(struct order_part *p)
{
    for (int v = 0; v < VIEW_COUNT; v++) {
        order_clock_drop(&p->clock[v]);
        order_clock_drop(&p->merged[v]);
    }
    forget_acquires(p);
}

void order_sync_free(struct order_sync *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        part_free(&s->parts[i]);
    free(s->parts);
    *s = (struct order_sync){ 0 };
}

/* What has been collected joins what is complete: later arrivals at an object carry on what earlier ones released. */
void order_sync_move(struct order *o, struct order_sync *from, struct order_sync *to)
{
    for (uint32_t i = 0; i < from->n; i++) {
        const struct order_part *p = &from->parts[i];
        struct order_part *q = part_of(o, to, p->cta, p->wide, p->loose);
        if (!q)
            break;
        for (int v = 0; v < VIEW_COUNT; v++)
            merge(o, &q->clock[v], p->clock[v]);
        forget_acquires(q);
    }
    if (from->loose)
        to->loose = from->loose;
    order_sync_free(from);
}

/* What only better messages are made of: a release that releases nothing. */
void order_release_loose(struct order *o, struct order_sync *s, uint32_t thread, const struct ck_rule *why)
{
    struct order_part *p = part_of(o, s, 0, false, true);

    if (!p)
        return;
    merge_view(o, &p->clock[VIEW_LOOSE], &p->merged[VIEW_LOOSE], thread, &o->thread[thread].view[VIEW_LOOSE]);
    forget_acquires(p);
    s->loose = why;
    step(&o->thread[thread]);
}

void order_release_init(struct order *o, struct order_sync *s, uint32_t thread)
{
    struct order_part *p = part_of(o, s, thread / o->per_cta, true, false);

    if (!p)
        return;
    merge_view(o, &p->clock[VIEW_INIT], &p->merged[VIEW_INIT], thread, &o->thread[thread].view[VIEW_INIT]);
    forget_acquires(p);
}

/* What happens before now is known in this respect too. */
void order_fence_view(struct order *o, uint32_t thread, enum order_view view)
{
    struct order_thread *t = &o->thread[thread];

    set(&t->view[view].past, t->view[VIEW_GENERIC].past);
    memcpy(t->view[view].own, t->view[VIEW_GENERIC].own, sizeof t->view[view].own);
    step(t);
}

/* A fence lets the relaxed operations behind it release, and makes those before it acquire. PTX ISA, Release and
 * Acquire Patterns. */
void order_fence(struct order *o, uint32_t thread, enum order_sem sem, bool wide)
{
    struct order_thread *t = &o->thread[thread];

    if ((sem == SEM_ACQ_REL || sem == SEM_ACQUIRE) && t->pending_any) {
        for (int v = VIEW_GENERIC; v < VIEW_LOOSE; v++) {
            merge(o, &t->view[v].past, t->pending[v]);
            order_clock_drop(&t->pending[v]);
        }
        t->pending_any = false;
    }
    if (sem == SEM_ACQ_REL || sem == SEM_RELEASE) {
        for (int v = VIEW_GENERIC; v < VIEW_LOOSE; v++) {
            struct order_clock *none = NULL;
            order_clock_drop(&t->fenced[v]);
            merge_view(o, &t->fenced[v], &none, thread, &t->view[v]);
            order_clock_drop(&none);
        }
        t->fenced_any = true;
        t->fenced_wide = wide;
        step(t);
    }
}
