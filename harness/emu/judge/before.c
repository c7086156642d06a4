/* Whether an access happens before another. */
#include "harness/emu/judge/before.h"

#include "harness/emu/judge/clock.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/prior.h"
#include "harness/emu/judge/swizzle.h"

enum { STRIDE = 8 };   /* components that are compared at once */
enum { COMPARED = 4 }; /* what a comparison takes, in instructions: schedule/idle.c */
typedef uint32_t __attribute__((may_alias, vector_size(16), aligned(4))) four;

static bool phase_known(const struct order *o, const struct order_flight *f, uint32_t thread, enum order_view view,
                        uint32_t bar, uint32_t phase)
{
    if (bar == PTX_NO)
        return true;
    return order_past_value(o, &o->thread[thread].pasts->of[view], o->number, f->cluster, bar) > phase;
}

bool order_flight_known(const struct order *o, const struct order_flight *f, uint32_t thread, enum order_view view,
                        bool wrote)
{
    const enum order_own own = f->kind == COPY_CP_ASYNC ? OWN_CP : wrote ? OWN_BULK : OWN_READ;

    if (f->kind == COPY_CP_ASYNC || f->kind == COPY_BULK_GROUP)
        return order_known_of(o, thread, view, f->cluster * o->threads + f->thread, own) >= f->sequence;
    if (!f->ended)
        return false;
    if (phase_known(o, f, thread, view, f->bar, f->phase))
        return true;
    for (uint32_t i = 0; i < f->bar_count; i++)
        if (phase_known(o, f, thread, view, f->bars[i * 2], f->bars[i * 2 + 1]))
            return true;
    return false;
}

/* In which respect the thread must know of the access before. The async proxy needs a proxy fence after generic
 * writes, and after generic reads too where the option asks for it. */
static enum order_view view_for(const struct order_access *x, const struct order_record *r,
                                const struct order_flight *f)
{
    if (!x->async || x->now.kind & RECORD_MAP ||
        (!(r->kind & RECORD_WRITE) && !x->o->cluster->grid->machine->options.check_reads))
        return VIEW_GENERIC;
    if (f && f->kind != COPY_CP_ASYNC)
        return VIEW_GENERIC;
    return order_is_shared(x->key) ? VIEW_ASYNC_SHARED : VIEW_ASYNC_GLOBAL;
}

static bool flight_ordered(const struct order_access *x, const struct order_record *r)
{
    const struct order_flight *f = r->who == x->now.who ? NULL : order_flight_at(x->o, r->who & ~RECORD_FLIGHT);
    enum order_view view;

    if (!f)
        return true;
    view = view_for(x, r, f);
    if (r->kind & RECORD_MAP) {
        const uint32_t issuer = f->cluster * x->o->threads + f->thread;
        return order_known_of(x->o, x->thread, view, issuer, OWN_READ) >= f->map ||
               (f->kind == COPY_BULK_BAR && order_flight_known(x->o, f, x->thread, view, true));
    }
    return order_flight_known(x->o, f, x->thread, view, r->kind & RECORD_WRITE) ||
           (view == VIEW_GENERIC && order_is_shared(x->key) &&
            order_flight_known(x->o, f, x->thread, VIEW_SHARED, r->kind & RECORD_WRITE));
}

/* Of `count` threads in a row, from the accessor of r on: how many, from the first on, the clock of this cluster knows
 * to be beyond the access. There may be more of which that is known. */
static uint32_t row_known(const struct order_access *x, enum order_view view, const struct order_record *r,
                          uint32_t count)
{
    const struct order *o = x->o;
    const struct order_clock *c = o->thread[x->thread].pasts->of[view].own_cluster;
    const uint32_t first = r->who - o->base;
    four late = { 0 };
    uint32_t n = 0;

    if (c && c->base) /* what it has beyond the base is greater */
        c = c->base;
    if (!c || first >= o->threads || o->threads - first < count || c->n < first + count)
        return 0;
    for (; n + STRIDE <= count; n += STRIDE) {
        const four *v = (const four *)&c->v[first + n];
        late |= (v[0] - r->epoch) | (v[1] - r->epoch);
    }
    return (late[0] | late[1] | late[2] | late[3]) >> 31 ? 0 : n; /* one is less: none of them comes near 2^31 */
}

/* A copy writes over what these threads have read, in order. */
static void note_taken(const struct order_access *x, const struct order_record *r, int step, uint32_t count)
{
    uint32_t thread = r->who - x->o->base;

    for (uint32_t i = 0; i < count && thread < x->o->threads; i++, thread += (uint32_t)step) {
        x->o->thread[thread].taken = x->flight + 1;
        x->o->thread[thread].taken_epoch = r->epoch;
    }
}

uint32_t order_ordered(const struct order_access *x, const struct order_record *r, int step, uint32_t count)
{
    const struct order *o = x->o;
    const enum order_view view = view_for(x, r, NULL);
    const bool also_shared = view == VIEW_GENERIC && order_is_shared(x->key);
    const bool refills = x->flight != PTX_NO && x->now.kind & RECORD_WRITE && !(r->kind & RECORD_WRITE);
    struct order_record one = *r;
    uint32_t i;

    if (r->who & RECORD_FLIGHT) {
        for (i = 0; i < count; i++, one.who += (uint32_t)step) {
            if (!flight_ordered(x, &one))
                return i;
            if (x->laid && r->kind & RECORD_WRITE)
                order_swizzle_meet(x, one.who & ~RECORD_FLIGHT);
        }
        return count;
    }
    const uint32_t known = count > 1 && step == 1 ? row_known(x, view, r, count) : 0;
    one.who += known;
    o->cluster->run->joined += known / EMU_WARP;
    for (i = known; i < count; i++, one.who += (uint32_t)step) {
        o->cluster->run->joined += COMPARED;
        if ((x->async || one.who != o->base + x->thread) &&
            order_known_of(o, x->thread, view, one.who, OWN_NOW) < r->epoch &&
            !(also_shared && order_known_of(o, x->thread, VIEW_SHARED, one.who, OWN_NOW) >= r->epoch))
            break;
    }
    if (refills)
        note_taken(x, r, step, i);
    return i;
}

/* The thread that made an access, by its number in the grid. */
static uint32_t maker(const struct order *o, const struct order_record *r)
{
    const struct order_flight *f = r->who & RECORD_FLIGHT ? order_flight_at(o, r->who & ~RECORD_FLIGHT) : NULL;

    return f ? f->cluster * o->threads + f->thread : r->who;
}

bool order_morally_strong(const struct order *o, const struct order_record *a, const struct order_record *b)
{
    const uint32_t x = maker(o, a), y = maker(o, b);

    if (!(a->kind & b->kind & RECORD_STRONG))
        return false;
    if (x / o->per_cta == y / o->per_cta)
        return true;
    return a->kind & b->kind & (x / o->threads == y / o->threads ? RECORD_WIDE : RECORD_GRID);
}

/* Strong accesses do not race where the scope of each includes the other thread. */
bool order_both_strong(const struct order_access *x, const struct order_record *r)
{
    const struct order_record now = { .who = x->o->base + x->thread, .kind = x->now.kind };

    return order_morally_strong(x->o, &now, r);
}

bool order_same_store(const struct order_access *x, const struct order_record *r)
{
    return x->now.kind & RECORD_SAME && x->flight == PTX_NO && !order_is_prior(x->o, r->who) &&
           r->kind & RECORD_WRITE && !(r->who & RECORD_FLIGHT) && r->at == x->now.at &&
           !((x->now.kind | r->kind) & RECORD_STRONG);
}

bool order_same_warp(const struct order_access *x, const struct order_record *r)
{
    const uint32_t me = x->o->base + x->thread, per_cta = x->o->per_cta;

    return me / per_cta == r->who / per_cta && me % per_cta / EMU_WARP == r->who % per_cta / EMU_WARP;
}
// SPDX-License-Identifier: Apache-2.0
