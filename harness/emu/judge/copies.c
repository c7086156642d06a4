/* Copies: what one accesses from its issue on, which mbarrier it signals, which waits cover it. */
#include "harness/emu/judge/copies.h"

#include <stdlib.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/emu/copies/tile.h"
#include "harness/emu/judge/bars.h"
#include "harness/emu/judge/expects.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/objects.h"
#include "harness/emu/judge/tiles.h"
#include "harness/emu/judge/touch.h"

struct tile {
    struct order *o;
    struct emu_flight *f;
    uint32_t flight;
    uint64_t at, n; /* a run of bytes that has not been touched yet */
    uint8_t kind;
};

static void flush(struct tile *x)
{
    if (x->n)
        order_touch(x->o, x->f->thread, x->flight, x->at, x->n, x->kind);
    x->n = 0;
}

static void tile_run(void *context, const struct emu_tile_run *run)
{
    struct tile *x = context;

    if (!run->inside)
        return;
    if (x->n && run->global == x->at + x->n) {
        x->n += run->bytes;
        return;
    }
    flush(x);
    x->at = run->global;
    x->n = run->bytes;
}

/* What a copy reads and writes, from its issue on. */
static void touch_all(struct order *o, struct emu_flight *f, uint32_t flight)
{
    struct emu_cluster *c = o->cluster;
    const bool loads = f->kind == EMU_TENSOR_LOAD, stores = f->kind == EMU_TENSOR_STORE, tensor = loads || stores;
    const uint8_t into = f->kind == EMU_REDUCE || (stores && f->op)
                             ? RECORD_WRITE | RECORD_ATOMIC | RECORD_STRONG | RECORD_WIDE | RECORD_GRID
                             : RECORD_WRITE;
    const uint64_t size = tensor ? f->tile.size.span : f->size;

    if (tensor) {
        struct tile x = { .o = o, .f = f, .flight = flight, .kind = loads ? 0 : into };
        emu_tile_runs(&f->tile, tile_run, &x);
        flush(&x);
    }
    if (!loads && (tensor || f->copied)) {
        if (f->from_cta)
            order_touch(o, f->thread, flight, order_shared_key(f->from_cta, f->from), tensor ? size : f->copied, 0);
        else
            order_touch(o, f->thread, flight, f->from, f->copied, 0);
    }
    if (stores || !size)
        return;
    if (!f->to_cta && !f->multicast)
        order_touch(o, f->thread, flight, f->to, size, into);
    for (uint32_t rank = 0; rank < c->cta_count; rank++)
        if (emu_flight_reaches(f, &c->ctas[rank]))
            order_touch(o, f->thread, flight, order_shared_key(&c->ctas[rank], f->to), size, into);
}

/* The mbarriers that a copy or an arrival will signal. Returns how many phases of the only one are complete, or PTX_NO.
 */
static uint32_t check_inits(struct order *o, struct emu_flight *f)
{
    uint32_t phases = PTX_NO, n = 0;

    for (uint32_t rank = 0; rank < o->cluster->cta_count; rank++) {
        const struct emu_cta *cta = &o->cluster->ctas[rank];
        const struct order_bar *b;
        if (!emu_flight_signals(f, cta))
            continue;
        b = order_bar_of(o, cta, f->bar);
        if (!b)
            return PTX_NO;
        phases = n++ ? PTX_NO : b->phases;
        order_check_init(o, f->thread, b, f->bar);
    }
    return phases;
}

static uint16_t signals_of(const struct order *o, const struct emu_flight *f)
{
    uint16_t ranks = 0;

    for (uint32_t rank = 0; f->bar_cta && rank < o->cluster->cta_count; rank++)
        if (emu_flight_signals(f, &o->cluster->ctas[rank]))
            ranks |= (uint16_t)(1u << rank);
    return ranks;
}

/* The thread has waited at an mbarrier for threads, and issues a copy: what let it is used up. */
static void note_use(struct order *o, const struct order_thread *t)
{
    const struct order_bar *b = t->bar_waited && !t->bar_bytes ? order_bar_of_key(o, t->bar_key) : NULL;

    if (b && b->seen)
        b->seen[t - o->thread] |= SEEN_USED;
}

void order_copy_issued(struct emu_flight *f)
{
    const bool tensor = f->kind == EMU_TENSOR_LOAD || f->kind == EMU_TENSOR_STORE;
    struct order *o = order_of(f->thread);
    struct order_thread *t;
    struct order_flight *r;
    uint32_t phases;

    if (!o)
        return;
    t = &o->thread[order_number(o, f->thread)];
    phases = check_inits(o, f);
    if (f->kind == EMU_ARRIVE) {
        f->order = t->groups[0].issued;
        t->tied = ++o->tick;
        t->tied_key = order_shared_key(f->bar_cta, f->bar);
        t->tied_noinc = f->at && ptx_has(o->module, f->at, PTX_noinc);
        return;
    }
    r = order_flight_new(o, &f->order);
    if (!r)
        return;
    *r = (struct order_flight){
        .kind = f->group == EMU_CP_ASYNC_GROUP ? COPY_CP_ASYNC
                : f->group == EMU_BULK_GROUP   ? COPY_BULK_GROUP
                                               : COPY_BULK_BAR,
        .tensor = tensor,
        .cluster = o->number,
        .generic = f->group == EMU_CP_ASYNC_GROUP || f->value,
        .thread = order_number(o, f->thread),
        .epoch = t->view[VIEW_GENERIC].own[OWN_NOW],
        .at = order_instruction(o, f->at),
        .tick = ++o->tick,
        .after = t->bar_waited && !t->bar_bytes ? t->bar_key : 0,
        .again = t->bar_waited && !t->bar_bytes && t->bar_used,
        .again_at = t->bar_at,
        .apart = f->to - f->from,
        .whole = f->group == EMU_CP_ASYNC_GROUP && f->copied == f->size,
        .swizzle = tensor ? (uint8_t)f->tile.map.swizzle : 0,
        .tile = tensor ? (uint32_t)f->to : 0,
        .tile_bytes = tensor ? (uint32_t)f->tile.size.bytes : 0,
        .from = f->from_cta && f->kind != EMU_TENSOR_LOAD ? (uint8_t)(f->from_cta->rank + 1) : 0,
        .signals = signals_of(o, f),
        .bar_offset = f->bar,
        .issued_in = phases,
        .into = (uint16_t)(f->kind == EMU_TENSOR_STORE ? 0
                           : f->multicast              ? f->multicast
                           : f->to_cta                 ? 1u << f->to_cta->rank
                                                       : 0),
    };
    if (r->kind != COPY_BULK_BAR) {
        struct order_groups *g = order_groups_own(o, t);
        if (!g)
            return;
        g += r->kind == COPY_BULK_GROUP;
        r->sequence = ++g->issued;
        r->group = g->open;
    } else {
        t->bulk_epoch = r->epoch;
        note_use(o, t);
    }
    if (o->tiles && r->into)
        order_tiles_copy(o, r, f->to, tensor ? f->tile.size.span : f->size);
    touch_all(o, f, f->order);
}

void order_copy_signals(struct emu_flight *f, struct emu_cta *cta, uint64_t offset)
{
    struct order *o = order_of(f->thread);
    struct order_bar *b = o ? order_bar_of(o, cta, offset) : NULL;
    struct order_flight *r;
    uint32_t *more;

    if (!b)
        return;
    if (f->kind == EMU_ARRIVE)
        order_expect_arrived(o, b, order_number(o, f->thread));
    if (f->kind == EMU_ARRIVE) { /* for threads that wait for this phase, the thread's earlier cp.async are complete */
        for (uint32_t i = 0; i < o->cluster->cta_count; i++)
            order_raise(o, &b->collecting, i, order_component(order_number(o, f->thread), OWN_CP), f->order);
        return;
    }
    r = order_flight_at(o, f->order);
    if (!r)
        return;
    order_expect_copied(o, b, r, f->size);
    if (!r->ended) {
        r->ended = true;
        r->bar = b->component;
        r->phase = b->phases;
        return;
    }
    more = realloc(r->bars, (r->bar_count + 1) * 2 * sizeof *more);
    if (!more) {
        o->failed = true;
        return;
    }
    r->bars = more;
    more[r->bar_count * 2] = b->component;
    more[r->bar_count * 2 + 1] = b->phases;
    r->bar_count++;
}

void order_group_commit(struct emu_thread *t, bool bulk)
{
    struct order *o = order_of(t);
    struct order_groups *g;

    if (!o)
        return;
    g = order_groups_own(o, &o->thread[order_number(o, t)]);
    if (!g)
        return;
    g += bulk;
    if (g->open == g->room) {
        const uint32_t room = g->room ? g->room * 2 : 8;
        uint32_t *more = realloc(g->behind, room * sizeof *more);
        if (!more) {
            o->failed = true;
            return;
        }
        g->behind = more;
        g->room = room;
    }
    g->behind[g->open++] = g->issued;
}

void order_group_wait(struct emu_thread *t, const struct emu_group_wait *wait)
{
    struct order *o = order_of(t);
    struct order_thread *x;
    struct order_groups *g;
    uint32_t *own, done, first, last;

    if (!o)
        return;
    x = &o->thread[order_number(o, t)];
    g = order_groups_own(o, x);
    if (!g)
        return;
    g += wait->bulk;
    g->waited = o->waited[wait->bulk] = ++o->tick;
    o->waiter[wait->bulk] = order_number(o, t);
    g->wait[g->waits++ % WAITS] =
        (struct order_wait){ .tick = o->tick,
                             .epoch = x->view[VIEW_GENERIC].own[OWN_NOW],
                             .at = order_instruction_now(o, t),
                             .open = g->open,
                             .left = wait->pending < g->open ? (uint32_t)wait->pending : g->open,
                             .asked = wait->pending < UINT32_MAX ? (uint32_t)wait->pending : UINT32_MAX,
                             .read = wait->read,
                             .rest = g->issued > (g->open ? g->behind[g->open - 1] : 0) };
    if (wait->pending >= g->open)
        return;
    own = x->view[VIEW_GENERIC].own;
    done = g->behind[g->open - wait->pending - 1];
    first = !wait->bulk ? OWN_CP : wait->read ? OWN_READ : OWN_BULK;
    last = wait->bulk ? OWN_READ : OWN_CP;
    for (uint32_t i = first; i <= last; i++)
        if (own[i] < done)
            own[i] = done;
    memcpy(x->view[VIEW_LOOSE].own, own, sizeof x->view[VIEW_LOOSE].own);
}
// SPDX-License-Identifier: Apache-2.0
