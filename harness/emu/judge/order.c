/* The happens-before judgement: what the machine tells it, and what that makes known to whom. docs/order.md has the
 * table of edges with the source of each; the functions here stand in its order. */
#include <stdlib.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/emu/judge/order.h"
#include "harness/emu/copies/tile.h"

struct order *order_of(const struct emu_thread *t)
{
    struct order *o = t->cta->cluster->order;

    return o && !o->failed ? o : NULL;
}

uint32_t order_number(const struct order *o, const struct emu_thread *t)
{
    return t->cta->rank * o->per_cta + t->index;
}

uint32_t order_component(const struct order *o, uint32_t thread, enum order_own own)
{
    (void)o;
    return thread * OWN_COUNT + own;
}

uint32_t order_known(const struct order *o, uint32_t thread, enum order_view view, uint32_t component)
{
    const struct order_known *k = &o->thread[thread].view[view];
    const uint32_t past = k->past.here && component < k->past.here->n ? k->past.here->v[component] : 0;
    const uint32_t own = component / OWN_COUNT == thread ? k->own[component % OWN_COUNT] : 0;

    return own > past ? own : past;
}

static uint32_t instruction_of(const struct order *o, const struct ptx_instruction *i)
{
    return i ? (uint32_t)(i - o->module->instructions) : PTX_NO;
}

static uint32_t instruction_now(const struct order *o, const struct emu_thread *t)
{
    return instruction_of(o, t->pc ? t->pc[-1].source : NULL);
}

/* ---- a cluster begins and ends ---------------------------------------------------------------------------------- */

void order_cluster_begin(struct emu_cluster *c)
{
    const struct emu_grid *g = c->grid;
    struct order *o;

    c->order = NULL;
    if (!g->order)
        return;
    o = calloc(1, sizeof *o);
    if (!o)
        return;
    o->cluster = c;
    o->module = g->module;
    o->grid = g->order;
    o->next = o->grid->resident;
    o->grid->resident = o;
    o->number = c->id[0] + g->dim[0] / g->cluster_dim[0] * (c->id[1] + g->dim[1] / g->cluster_dim[1] * c->id[2]);
    o->per_cta = c->ctas[0].thread_count;
    o->threads = o->per_cta * c->cta_count;
    o->base = o->number * o->threads;
    o->cta0 = o->number * c->cta_count;
    o->components = o->threads * OWN_COUNT;
    o->thread = calloc(o->threads, sizeof *o->thread);
    o->cta_barriers = calloc((size_t)c->cta_count * EMU_BARRIERS * 2, sizeof *o->cta_barriers);
    o->decoded = calloc(o->module->n_instructions + 1, 1);
    if (g->machine->options.check_swizzle)
        o->tiles = order_tiles_new();
    o->failed = !o->thread || !o->cta_barriers || !o->decoded;
    for (uint32_t i = 0; o->thread && i < o->threads; i++) {
        struct order_thread *t = &o->thread[i];
        t->view[VIEW_GENERIC].own[OWN_NOW] = t->view[VIEW_LOOSE].own[OWN_NOW] = 1;
        t->number = o->base + i;
        c->ctas[i / o->per_cta].threads[i % o->per_cta].order = t;
    }
    o->init = g->machine->options.check_init;
    c->order = o;
}

void order_cluster_end(struct emu_cluster *c, bool done)
{
    struct order *o = c->order;

    c->order = NULL;
    if (!o)
        return;
    if (!o->failed && done) {
        order_check_exit(o);
        order_check_peers(o);
    }
    if (o->tiles && !o->failed)
        order_tiles_end(o);
    order_tiles_free(o->tiles);
    for (uint32_t i = 0; o->thread && i < o->threads; i++)
        order_thread_free(&o->thread[i]);
    for (uint32_t i = 0; o->cta_barriers && i < c->cta_count * EMU_BARRIERS * 2; i++)
        order_sync_free(&o->cta_barriers[i]);
    for (uint32_t i = 0; i < o->bar_count; i++) {
        order_sync_free(&o->bars[i].now);
        order_sync_free(&o->bars[i].done);
    }
    for (struct order **p = &o->grid->resident; *p; p = &(*p)->next)
        if (*p == o) {
            *p = o->next;
            break;
        }
    order_flags_free(&o->flags);
    order_maps_free(o);
    order_flights_end(o);
    order_sync_free(&o->cluster_now);
    order_sync_free(&o->cluster_done);
    order_pages_free(&o->pages);
    free(o->thread);
    free(o->cta_barriers);
    free(o->decoded);
    free(o->peers);
    free(o->bars);
    free(o->bar_slot);
    free(o);
}

/* ---- loads, stores, atomics ------------------------------------------------------------------------------------- */

/* Of an instruction: its memory order, its scope, and that it is a reduction, whose read is part of no acquire pattern.
 */
enum { DECODED = 128, SCOPE_SHIFT = 4, NO_PATTERN = 8, SEM = 7 };

/* No scope is .gpu. PTX ISA, atom; membar / fence. */
static enum order_scope scope_of(const struct order *o, const struct ptx_instruction *i)
{
    const uint16_t scope = ptx_word_of(o->module, i, PC_scope);

    return scope == PTX_cta ? SCOPE_CTA : scope == PTX_cluster ? SCOPE_CLUSTER : SCOPE_GRID;
}

static uint8_t decode(struct order *o, uint32_t at)
{
    const struct ptx_instruction *i = &o->module->instructions[at];
    enum order_sem sem = i->op == OP_atom || i->op == OP_red ? SEM_RELAXED : SEM_WEAK;

    if (ptx_has(o->module, i, PTX_volatile) || ptx_has(o->module, i, PTX_relaxed) || ptx_has(o->module, i, PTX_mmio))
        sem = SEM_RELAXED;
    else if (ptx_has(o->module, i, PTX_acquire))
        sem = SEM_ACQUIRE;
    else if (ptx_has(o->module, i, PTX_release))
        sem = SEM_RELEASE;
    else if (ptx_has(o->module, i, PTX_acq_rel))
        sem = SEM_ACQ_REL;
    return o->decoded[at] = (uint8_t)(DECODED | (unsigned)scope_of(o, i) << SCOPE_SHIFT |
                                      (i->op == OP_red ? NO_PATTERN : 0) | (unsigned)sem);
}

enum { LOOSE_FLAGS = 1024 }; /* as many relaxed locations are followed for the sake of messages */

void order_memory(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                  enum emu_access access)
{
    struct order *o = order_of(t);
    const uint64_t key = cta ? order_shared_key(cta, address) : address;
    uint32_t at, thread;
    uint8_t d, kind = access == EMU_READ ? 0 : RECORD_WRITE;
    enum order_sem sem;
    struct order_sync *s;

    if (!o || (!cta && (space == PTX_none || space == PTX_const) && !emu_is_global(address)))
        return;
    if (access == EMU_ATOMIC || access == EMU_WRITE_SAME)
        kind |= access == EMU_ATOMIC ? RECORD_ATOMIC : RECORD_SAME;
    at = instruction_now(o, t);
    if (at == PTX_NO)
        return;
    if (cta && cta != t->cta)
        order_peer_access(o, order_number(o, t), at, cta->rank, false);
    if (o->tiles && cta)
        order_tiles_access(o, t, cta, address, n, access != EMU_READ);
    d = o->decoded[at] & DECODED ? o->decoded[at] : decode(o, at);
    sem = d & SEM;
    if (sem != SEM_WEAK) {
        const enum order_scope scope = (d >> SCOPE_SHIFT) % 4;
        struct order_flags *flags = cta ? &o->flags : &o->grid->flags;
        kind |=
            (uint8_t)(RECORD_STRONG | (scope > SCOPE_CTA ? RECORD_WIDE : 0) | (scope == SCOPE_GRID ? RECORD_GRID : 0));
        thread = order_number(o, t);
        s = access != EMU_WRITE && access != EMU_WRITE_SAME ? order_flag(o, flags, key, false) : NULL;
        if (s && d & NO_PATTERN)
            order_acquire_loose(o, s, thread, &rule_fence_mp);
        else if (s && (sem == SEM_RELAXED || sem == SEM_RELEASE))
            order_acquire_from(o, s, thread, true, scope, &rule_fence_mp);
        else if (s)
            order_acquire_from(o, s, thread, false, scope, NULL);
        order_touch(o, t, PTX_NO, key, n, kind);
        if (access != EMU_READ) {
            const bool relaxed = sem == SEM_RELAXED || sem == SEM_ACQUIRE;
            const bool make = !relaxed || o->thread[thread].fenced || flags->count < LOOSE_FLAGS;
            if ((s = order_flag(o, flags, key, make)))
                order_release_to(o, s, thread, relaxed, scope, relaxed ? &rule_fence_mp : NULL);
            o->thread[thread].arrived = false;
        }
        return;
    }
    order_touch(o, t, PTX_NO, key, n, kind);
}

/* ---- barriers --------------------------------------------------------------------------------------------------- */

void order_meet(struct emu_thread *const *threads, uint32_t count)
{
    struct order *o = count ? order_of(threads[0]) : NULL;
    struct order_sync s = { 0 };

    if (!o)
        return;
    for (uint32_t i = 0; i < count; i++) {
        order_release_to(o, &s, order_number(o, threads[i]), false, SCOPE_CTA, NULL);
        o->thread[order_number(o, threads[i])].arrived = false;
    }
    for (uint32_t i = 0; i < count; i++)
        order_acquire_from(o, &s, order_number(o, threads[i]), false, SCOPE_CTA, NULL);
    order_sync_free(&s);
}

static struct order_sync *barrier_of(struct order *o, const struct emu_cta *cta, uint64_t number)
{
    return &o->cta_barriers[(cta->rank * EMU_BARRIERS + number) * 2];
}

void order_bar_arrive(struct emu_thread *t, uint64_t number)
{
    struct order *o = order_of(t);

    if (!o)
        return;
    order_release_to(o, barrier_of(o, t->cta, number), order_number(o, t), false, SCOPE_CTA, NULL);
    o->thread[order_number(o, t)].arrived = false;
}

void order_bar_complete(struct emu_thread *t, uint64_t number)
{
    struct order *o = order_of(t);
    struct order_sync *s = o ? barrier_of(o, t->cta, number) : NULL;

    if (s)
        order_sync_move(o, &s[0], &s[1]);
}

void order_bar_wait(struct emu_thread *t, uint64_t number)
{
    struct order *o = order_of(t);

    if (o)
        order_acquire_from(o, barrier_of(o, t->cta, number) + 1, order_number(o, t), false, SCOPE_CTA, NULL);
}

void order_cluster_arrive(struct emu_thread *t, bool relaxed)
{
    struct order *o = order_of(t);

    if (!o)
        return;
    order_release_to(o, &o->cluster_now, order_number(o, t), relaxed, SCOPE_CLUSTER,
                     relaxed ? &rule_fence_mbarrier_init_only_inits : NULL);
    order_release_init(o, &o->cluster_now, order_number(o, t));
    o->thread[order_number(o, t)].arrived = false;
}

void order_cluster_complete(struct emu_cluster *c)
{
    struct order *o = c->order;

    if (o && !o->failed)
        order_sync_move(o, &o->cluster_now, &o->cluster_done);
}

void order_cluster_wait(struct emu_thread *t)
{
    struct order *o = order_of(t);

    if (o)
        order_acquire_from(o, &o->cluster_done, order_number(o, t), false, SCOPE_CLUSTER, NULL);
}

/* ---- fences ----------------------------------------------------------------------------------------------------- */

static bool is_restricted(const struct order *o, const struct ptx_instruction *i)
{
    return ptx_has(o->module, i, PTX_sync_restrict_shared_cta) ||
           ptx_has(o->module, i, PTX_sync_restrict_shared_cluster);
}

void order_fence_by(struct emu_thread *t, const struct ptx_instruction *i)
{
    struct order *o = order_of(t);
    enum order_sem sem = SEM_ACQ_REL;

    if (!o)
        return;
    if (ptx_has(o->module, i, PTX_acquire))
        sem = SEM_ACQUIRE;
    if (ptx_has(o->module, i, PTX_release))
        sem = SEM_RELEASE;
    order_fence(o, order_number(o, t), sem, scope_of(o, i), is_restricted(o, i));
}

void order_fence_init(struct emu_thread *t)
{
    struct order *o = order_of(t);

    if (o)
        order_fence_view(o, order_number(o, t), VIEW_INIT);
}

void order_proxy_fence(struct emu_thread *t, const struct ptx_instruction *i, uint64_t address)
{
    struct order *o = order_of(t);
    uint16_t space;

    if (!o || ptx_has(o->module, i, PTX_alias))
        return;
    if (ptx_has(o->module, i, PTX_tensormap_generic)) {
        const uint16_t scope = ptx_word_of(o->module, i, PC_scope);
        if (ptx_has(o->module, i, PTX_acquire) && !emu_is_global(address))
            emu_complain(t, &rule_fence_tensormap_global_only,
                         address < EMU_SHARED_WINDOW ? NULL : &rule_tmap_space_shared, address, 128,
                         "an acquire of a tensor map at 0x%llx, which is not in global memory",
                         (unsigned long long)address);
        else if (ptx_has(o->module, i, PTX_acquire))
            order_map_acquire(o, order_number(o, t), address, scope);
        else if (scope != PTX_cta)
            order_fence_view(o, order_number(o, t), VIEW_MAP);
        else /* no text lets a CTA's scope do */
            o->thread[order_number(o, t)].map_narrow = o->thread[order_number(o, t)].view[VIEW_GENERIC].own[OWN_NOW];
        return;
    }
    space = is_restricted(o, i) ? PTX_shared : i->space[0];
    if (space != PTX_global)
        order_fence_view(o, order_number(o, t), VIEW_ASYNC_SHARED);
    if (space == PTX_none || space == PTX_global)
        order_fence_view(o, order_number(o, t), VIEW_ASYNC_GLOBAL);
}

/* ---- mbarriers -------------------------------------------------------------------------------------------------- */

/* Where the object of this key is in bar_slot, or would be: a number in bars plus 1, or 0. */
static uint32_t *bar_slot(const struct order *o, uint64_t key)
{
    uint64_t h = (key ^ key >> 29) * 0x9E3779B97F4A7C15u >> 32;

    for (;; h++) {
        uint32_t *slot = &o->bar_slot[h & (o->bar_room * 2 - 1)];
        if (!*slot || o->bars[*slot - 1].key == key)
            return slot;
    }
}

static bool more_bars(struct order *o)
{
    const uint32_t room = o->bar_room ? o->bar_room * 2 : 8;
    struct order_bar *bars = realloc(o->bars, room * sizeof *bars);

    if (bars)
        o->bars = bars;
    free(o->bar_slot);
    o->bar_slot = calloc(room * 2, sizeof *o->bar_slot);
    o->bar_room = room;
    if (!bars || !o->bar_slot) {
        o->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < o->bar_count; i++)
        *bar_slot(o, o->bars[i].key) = i + 1;
    return true;
}

static struct order_bar *bar_of(struct order *o, const struct emu_cta *cta, uint64_t offset)
{
    const uint64_t key = order_shared_key(cta, offset);
    uint32_t *slot = o->bar_room ? bar_slot(o, key) : NULL;

    if (slot && *slot)
        return &o->bars[*slot - 1];
    if (!slot || o->bar_count == o->bar_room) {
        if (!more_bars(o))
            return NULL;
        slot = bar_slot(o, key);
    }
    if (!o->bars)
        return NULL;
    *slot = o->bar_count + 1;
    o->bars[o->bar_count] =
        (struct order_bar){ .key = key, .component = o->bar_count < FOLLOWED_BARS ? o->components++ : PTX_NO };
    return &o->bars[o->bar_count++];
}

void order_mbarrier_init(struct emu_thread *t, const struct emu_mbarrier *m)
{
    struct order *o = order_of(t);
    struct order_bar *b = o ? bar_of(o, m->cta, m->offset) : NULL;

    if (!b)
        return;
    b->init_known = true;
    b->init_thread = order_number(o, t);
    b->init_epoch = o->thread[b->init_thread].view[VIEW_GENERIC].own[OWN_NOW];
    b->init_at = instruction_now(o, t);
}

static void check_init(struct order *o, struct emu_thread *t, const struct order_bar *b, uint64_t offset)
{
    const uint32_t thread = order_number(o, t), c = order_component(o, b->init_thread, OWN_NOW);

    if (b->init_known && b->init_thread != thread && order_known(o, thread, VIEW_GENERIC, c) < b->init_epoch &&
        order_known(o, thread, VIEW_INIT, c) < b->init_epoch)
        order_report_init(o, t, b, offset);
}

/* The object that a thread changes: its init has to be visible, and its CTA to be there. NULL: it is not followed. */
static struct order_bar *bar_changed(struct order *o, struct emu_thread *t, const struct emu_mbarrier *m)
{
    struct order_bar *b = o ? bar_of(o, m->cta, m->offset) : NULL;

    if (!b)
        return NULL;
    check_init(o, t, b, m->offset);
    if (m->cta != t->cta)
        order_peer_access(o, order_number(o, t), instruction_now(o, t), m->cta->rank, true);
    return b;
}

void order_mbarrier_arrive(struct emu_thread *t, const struct emu_mbarrier *m, struct emu_strength how)
{
    struct order *o = order_of(t);
    struct order_bar *b = bar_changed(o, t, m);

    if (!b)
        return;
    order_release_to(o, &b->now, order_number(o, t), how.relaxed, how.wide ? SCOPE_CLUSTER : SCOPE_CTA,
                     !how.relaxed                                 ? NULL
                     : t->pc[-1].source->op == OP_mbarrier_arrive ? &rule_mbarrier_arrive_relaxed_no_order
                                                                  : &rule_mbarrier_arrive_drop_release);
    o->thread[order_number(o, t)].arrived = true;
}

void order_mbarrier_expect(struct emu_thread *t, const struct emu_mbarrier *m)
{
    struct order *o = order_of(t);
    struct order_bar *b = bar_changed(o, t, m);

    if (!b)
        return;
    order_release_loose(o, &b->now, order_number(o, t), &rule_mbarrier_expect_tx_no_order);
}

void order_mbarrier_phase(struct emu_thread *t, const struct emu_mbarrier *m)
{
    struct order *o = order_of(t);
    struct order_bar *b = o ? bar_of(o, m->cta, m->offset) : NULL;

    if (!b)
        return;
    b->phases++;
    for (uint32_t i = 0; b->component != PTX_NO && i < o->cluster->cta_count;
         i++) /* completion is known to whoever waits, at any scope */
        order_raise(o, &b->now, i, b->component, b->phases);
    order_sync_move(o, &b->now, &b->done);
}

void order_mbarrier_wait(struct emu_thread *t, const struct emu_mbarrier *m, bool done, struct emu_strength how)
{
    struct order *o = order_of(t);
    struct order_bar *b = o ? bar_of(o, m->cta, m->offset) : NULL;

    if (!b)
        return;
    check_init(o, t, b, m->offset);
    o->thread[order_number(o, t)].vain = !done;
    if (!done)
        return;
    o->thread[order_number(o, t)].bar_waited = ++o->tick;
    order_acquire_from(o, &b->done, order_number(o, t), how.relaxed, how.wide ? SCOPE_CLUSTER : SCOPE_CTA,
                       how.relaxed ? &rule_mbarrier_wait_relaxed_no_order : NULL);
}

uint32_t order_epoch(const struct emu_thread *t)
{
    const struct order *o = order_of(t);

    return o ? o->thread[order_number(o, t)].view[VIEW_GENERIC].own[OWN_NOW] : 0;
}

bool order_knows(const struct emu_thread *t, const struct emu_thread *other, uint32_t place)
{
    const struct order *o = order_of(t);

    return !o ||
           order_known(o, order_number(o, t), VIEW_LOOSE, order_component(o, order_number(o, other), OWN_NOW)) >= place;
}

/* ---- copies ----------------------------------------------------------------------------------------------------- */

struct tile {
    struct order *o;
    struct emu_flight *f;
    uint32_t flight;
    uint64_t at, n; /* a run of bytes that is not told yet */
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
    const uint64_t size = tensor ? tensor_tile_span(&f->map) : f->size;

    if (tensor) {
        struct tile x = { .o = o, .f = f, .flight = flight, .kind = loads ? 0 : into };
        emu_tile_runs(&f->map, f->corner, tile_run, &x);
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
    if (!f->to_cta && !f->multicast) {
        order_touch(o, f->thread, flight, f->to, size, into);
        return;
    }
    for (uint32_t rank = 0; rank < (f->multicast ? c->cta_count : 1); rank++)
        if (!f->multicast || f->multicast >> rank & 1)
            order_touch(o, f->thread, flight, order_shared_key(f->multicast ? &c->ctas[rank] : f->to_cta, f->to), size,
                        into);
}

/* The mbarriers that a copy or an arrival will signal. */
static void check_inits(struct order *o, struct emu_flight *f)
{
    for (uint32_t rank = 0; rank < o->cluster->cta_count; rank++) {
        const struct emu_cta *cta = &o->cluster->ctas[rank];
        const struct order_bar *b;
        if (f->multicast ? !(f->multicast >> rank & 1) : cta != f->bar_cta)
            continue;
        b = bar_of(o, cta, f->bar);
        if (!b)
            return;
        check_init(o, f->thread, b, f->bar);
    }
}

void order_copy_issued(struct emu_flight *f)
{
    const bool tensor = f->kind == EMU_TENSOR_LOAD || f->kind == EMU_TENSOR_STORE;
    struct order *o = order_of(f->thread);
    struct order_thread *t;
    struct order_flight *r;

    if (!o)
        return;
    t = &o->thread[order_number(o, f->thread)];
    if (f->bar_cta)
        check_inits(o, f);
    if (f->kind == EMU_ARRIVE) {
        f->order = t->groups[0].issued;
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
        .at = instruction_of(o, f->at),
        .tick = ++o->tick,
        .swizzle = tensor ? (uint8_t)f->map.swizzle : 0,
        .tile = tensor ? (uint32_t)f->to : 0,
        .tile_bytes = tensor ? (uint32_t)tensor_tile_bytes(&f->map) : 0,
        .from = f->from_cta && f->kind != EMU_TENSOR_LOAD ? (uint8_t)(f->from_cta->rank + 1) : 0,
        .into = (uint16_t)(f->kind == EMU_TENSOR_STORE ? 0
                           : f->multicast              ? f->multicast
                           : f->to_cta                 ? 1u << f->to_cta->rank
                                                       : 0),
    };
    if (r->kind != COPY_BULK_BAR) {
        struct order_groups *g = &t->groups[r->kind == COPY_BULK_GROUP];
        r->sequence = ++g->issued;
        r->group = g->open;
    } else {
        t->bulk_epoch = r->epoch;
    }
    if (o->tiles && r->into)
        order_tiles_copy(o, r, f->to, tensor ? tensor_tile_span(&f->map) : f->size);
    touch_all(o, f, f->order);
}

void order_copy_signals(struct emu_flight *f, struct emu_cta *cta, uint64_t offset)
{
    struct order *o = order_of(f->thread);
    struct order_bar *b = o ? bar_of(o, cta, offset) : NULL;
    struct order_flight *r;
    uint32_t *more;

    if (!b)
        return;
    if (f->kind == EMU_ARRIVE) { /* the thread's earlier cp.async are complete for who waits for this phase */
        for (uint32_t i = 0; i < o->cluster->cta_count; i++)
            order_raise(o, &b->now, i, order_component(o, order_number(o, f->thread), OWN_CP), f->order);
        return;
    }
    r = order_flight_at(o, f->order);
    if (!r)
        return;
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

void order_slept(struct emu_thread *t)
{
    struct order *o = order_of(t);

    if (o)
        o->thread[order_number(o, t)].slept = ++o->tick;
}

void order_group_commit(struct emu_thread *t, bool bulk)
{
    struct order *o = order_of(t);
    struct order_groups *g;

    if (!o)
        return;
    g = &o->thread[order_number(o, t)].groups[bulk];
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
    g = &x->groups[wait->bulk];
    g->waited = o->waited[wait->bulk] = ++o->tick;
    o->waiter[wait->bulk] = order_number(o, t);
    g->wait_at = instruction_now(o, t);
    g->wait_open = g->open;
    g->wait_left = wait->pending < g->open ? (uint32_t)wait->pending : g->open;
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
