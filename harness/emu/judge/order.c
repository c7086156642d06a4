/* The happens-before judgement of accesses, barriers and fences: what the machine tells, and what that makes known to
 * whom. docs/order.md has the table of edges with the source of each; bars.c and copies.c have the rest of it. */
#include "harness/emu/judge/order.h"

#include <stdatomic.h>

#include "harness/emu/judge/acquire.h"
#include "harness/emu/judge/fence_sc.h"
#include "harness/emu/judge/fences.h"
#include "harness/emu/judge/flag.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/map.h"
#include "harness/emu/judge/objects.h"
#include "harness/emu/judge/peer.h"
#include "harness/emu/judge/tiles.h"
#include "harness/emu/judge/touch.h"
#include "harness/emu/machine/findings.h"

/* ---- loads, stores, atomics ------------------------------------------------------------------------------------- */

/* Of an instruction: its memory order, its scope, that it is a reduction, whose read is part of no acquire pattern, and
 * that nobody looks at what it has read. */
enum { DECODED = 128, UNREAD = 64, SCOPE_SHIFT = 4, NO_PATTERN = 8, SEM = 7 };

/* No scope is .gpu. PTX ISA, atom; membar / fence. */
static enum order_scope scope_of(const struct order *o, const struct ptx_instruction *i)
{
    const uint16_t scope = ptx_word_of(o->module, i, PC_scope);

    return scope == PTX_cta ? SCOPE_CTA : scope == PTX_cluster ? SCOPE_CLUSTER : SCOPE_GRID;
}

static uint8_t decode(const struct order *o, uint32_t at)
{
    const struct ptx_instruction *i = &o->module->instructions[at];
    const bool reduces = i->op == OP_red || i->op == OP_multimem_red || i->op == OP_sured;
    enum order_sem sem = i->op == OP_atom || reduces ? SEM_RELAXED : SEM_WEAK;

    if (ptx_has(o->module, i, PTX_volatile) || ptx_has(o->module, i, PTX_relaxed) || ptx_has(o->module, i, PTX_mmio))
        sem = SEM_RELAXED;
    else if (ptx_has(o->module, i, PTX_acquire))
        sem = SEM_ACQUIRE;
    else if (ptx_has(o->module, i, PTX_release))
        sem = SEM_RELEASE;
    else if (ptx_has(o->module, i, PTX_acq_rel))
        sem = SEM_ACQ_REL;
    return (uint8_t)(DECODED | (unsigned)scope_of(o, i) << SCOPE_SHIFT | (reduces ? NO_PATTERN : 0) |
                     (reduces || i->drops ? UNREAD : 0) | (unsigned)sem);
}

/* The same, kept with the module; threads of the host may ask at a time, and come to the same. */
static uint8_t decoded(const struct order *o, uint32_t at)
{
    _Atomic uint8_t *of = &o->grid->of->decoded[at];
    uint8_t d = atomic_load_explicit(of, memory_order_relaxed);

    if (!d) {
        d = decode(o, at);
        atomic_store_explicit(of, d, memory_order_relaxed);
    }
    return d;
}

/* d: as decode() says. idle: an atomic that leaves the bytes as they are. */
static void strong_access(struct order *o, struct emu_thread *t, struct order_flags *flags, uint64_t key, uint64_t n,
                          uint8_t d, uint8_t kind, bool idle)
{
    const struct order_strong x = {
        .flags = flags,
        .key = key,
        .n = n,
        .sem = d & SEM,
        .scope = (d >> SCOPE_SHIFT) % 4,
        .atomic = kind & RECORD_ATOMIC,
        .no_pattern = d & NO_PATTERN,
        .unread = d & UNREAD,
        .idle = idle,
    };
    const uint32_t thread = order_number(o, t);

    if (x.scope > SCOPE_CTA)
        kind |= RECORD_WIDE;
    if (x.scope == SCOPE_GRID)
        kind |= RECORD_GRID;
    if (!(kind & RECORD_WRITE) || x.atomic)
        order_flag_read(o, thread, &x);
    order_touch(o, t, PTX_NO, key, n, kind | RECORD_STRONG);
    if (kind & RECORD_WRITE) {
        order_flag_write(o, thread, &x);
        o->thread[thread].arrived = false;
    }
}

void order_memory(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                  enum emu_access access)
{
    static const uint8_t kinds[] = { [EMU_READ] = 0,
                                     [EMU_WRITE] = RECORD_WRITE,
                                     [EMU_WRITE_SAME] = RECORD_WRITE | RECORD_SAME,
                                     [EMU_DISCARD] = RECORD_WRITE,
                                     [EMU_ATOMIC] = RECORD_WRITE | RECORD_ATOMIC,
                                     [EMU_ATOMIC_IDLE] = RECORD_WRITE | RECORD_ATOMIC };
    struct order *o = order_of(t);
    const uint64_t key = cta ? order_shared_key(cta, address) : address;
    uint32_t at;
    uint8_t d;

    if (!o || (!cta && (space == PTX_none || space == PTX_const) && !emu_is_global(address)))
        return;
    at = order_instruction_now(o, t);
    if (cta && cta != t->cta)
        order_peer_access(o, order_number(o, t), at, cta->rank, false);
    if (o->tiles && cta)
        order_tiles_access(o, t, cta, address, n, access != EMU_READ);
    d = decoded(o, at);
    if ((d & SEM) == SEM_WEAK)
        order_touch(o, t, PTX_NO, key, n, access == EMU_READ && o->grid->loads ? o->grid->loads[at] : kinds[access]);
    else
        strong_access(o, t, cta ? &o->flags : &o->grid->flags, key, n, d, kinds[access], access == EMU_ATOMIC_IDLE);
    if (access == EMU_DISCARD)
        order_forget_values(o, key, n);
}

/* ---- barriers --------------------------------------------------------------------------------------------------- */

void order_meet(struct emu_thread *const *threads, uint32_t count)
{
    struct order *o = count ? order_of(threads[0]) : NULL;
    struct order_object s = { 0 };

    if (!o)
        return;
    for (uint32_t i = 0; i < count; i++) {
        order_release_to(o, &s, order_number(o, threads[i]), false, SCOPE_CTA, NULL);
        o->thread[order_number(o, threads[i])].arrived = false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t thread = order_number(o, threads[i]);
        order_acquire_from(o, &s, thread, false, SCOPE_CTA, NULL);
        o->thread[thread].met = o->thread[thread].view[VIEW_GENERIC].own[OWN_NOW];
    }
    order_object_free(&s);
}

static struct order_object *barrier_of(struct order *o, const struct emu_cta *cta, uint64_t number)
{
    return &o->cta_barriers[(cta->rank * EMU_BARRIERS + number) * 2];
}

/* A barrier that fewer threads than the CTA has take part in, and more than one warp, which comes as a whole: then some
 * threads can come to its next use while others have yet to come to this one. */
static bool is_partial(const struct emu_cta *cta, const struct emu_barrier *b)
{
    return b->expected > EMU_WARP && b->expected < cta->thread_count;
}

/* The barrier's use before is to be known as complete. Where no memory order says so, a flag may. */
static void check_use(struct order *o, struct emu_thread *t, uint64_t number)
{
    const struct emu_barrier *b = &t->cta->barriers[number];
    const uint32_t component = o->barrier_uses[t->cta->rank * EMU_BARRIERS + number], thread = order_number(o, t);

    if (component && is_partial(t->cta, b) && order_known(o, thread, VIEW_GENERIC, component) < b->generation &&
        order_known(o, thread, VIEW_LOOSE, component) < b->generation)
        emu_complain(t, &rule_bar_next_use, NULL, number, 0,
                     "barrier %llu is used a further time, and nothing orders that after the end of the use before, in "
                     "which this thread might have counted",
                     (unsigned long long)number);
}

void order_bar_arrive(struct emu_thread *t, uint64_t number)
{
    struct order *o = order_of(t);

    if (!o)
        return;
    check_use(o, t, number);
    order_release_to(o, barrier_of(o, t->cta, number), order_number(o, t), false, SCOPE_CTA, NULL);
    o->thread[order_number(o, t)].arrived = false;
}

void order_bar_complete(struct emu_thread *t, uint64_t number)
{
    struct order *o = order_of(t);
    struct order_object *s = o ? barrier_of(o, t->cta, number) : NULL;
    const struct emu_barrier *b = &t->cta->barriers[number];
    uint32_t *component;

    if (!s)
        return;
    component = &o->barrier_uses[t->cta->rank * EMU_BARRIERS + number];
    if (!*component && is_partial(t->cta, b))
        *component = o->components++;
    if (*component)
        order_raise(o, &s[0], t->cta->rank, *component, (uint32_t)b->generation + 1);
    order_object_move(o, &s[0], &s[1]);
}

void order_bar_wait(struct emu_thread *t, uint64_t number)
{
    struct order *o = order_of(t);

    if (o)
        order_acquire_from(o, barrier_of(o, t->cta, number) + 1, order_number(o, t), false, SCOPE_CTA, NULL);
}

/* All threads of the CTA take part: it is no partial one. */
void order_bar_arrive_lanes(struct emu_thread *lanes, uint32_t set, uint64_t number)
{
    struct order *o = order_of(lanes);

    if (o)
        order_release_lanes(o, barrier_of(o, lanes->cta, number), order_number(o, lanes), set);
}

void order_bar_wait_lanes(struct emu_thread *lanes, uint32_t set, uint64_t number)
{
    struct order *o = order_of(lanes);

    if (o)
        order_acquire_lanes(o, barrier_of(o, lanes->cta, number) + 1, order_number(o, lanes), set);
}

void order_cluster_arrive(struct emu_thread *t, bool relaxed)
{
    struct order *o = order_of(t);
    struct order_thread *x;

    if (!o)
        return;
    x = &o->thread[order_number(o, t)];
    order_release_to(o, &o->cluster_collecting, order_number(o, t), relaxed, SCOPE_CLUSTER,
                     !relaxed         ? NULL
                     : x->init_fenced ? &rule_fence_mbarrier_init_only_inits
                                      : &rule_cluster_barrier_relaxed);
    order_release_init(o, &o->cluster_collecting, order_number(o, t));
    x->arrived = false;
    x->cluster_arrivals++;
    x->cluster_from[x->cluster_arrivals & 1] = order_instruction_now(o, t);
    x->cluster_to[x->cluster_arrivals & 1] = PTX_NO;
}

void order_cluster_complete(struct emu_cluster *c)
{
    struct order *o = c->order;

    if (o && !o->failed)
        order_object_move(o, &o->cluster_collecting, &o->cluster_complete);
}

void order_cluster_wait(struct emu_thread *t)
{
    struct order *o = order_of(t);
    struct order_thread *x;

    if (!o)
        return;
    order_acquire_from(o, &o->cluster_complete, order_number(o, t), false, SCOPE_CLUSTER, NULL);
    x = &o->thread[order_number(o, t)];
    x->cluster_to[x->cluster_arrivals & 1] = order_instruction_now(o, t);
}

/* match.sync orders no memory, but a thread that acts for the lanes that it found comes after they were there: that is
 * how libcu++ elects the thread that ends a pipeline's mbarriers for all of its warp. */
void order_converge(struct emu_thread *const *threads, uint32_t count)
{
    struct order *o = count ? order_of(threads[0]) : NULL;
    struct order_object s = { 0 };

    if (!o)
        return;
    for (uint32_t i = 0; i < count; i++)
        order_release_loose(o, &s, order_number(o, threads[i]), NULL);
    for (uint32_t i = 0; i < count; i++)
        order_acquire_from(o, &s, order_number(o, threads[i]), true, SCOPE_CTA, NULL);
    order_object_free(&s);
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
    if (order_is_fence_sc(o->module, i))
        sem = SEM_SC;
    o->thread[order_number(o, t)].memory_fence = i;
    if (sem != SEM_RELEASE)
        order_flag_fenced(o, order_number(o, t));
    order_fence(o, order_number(o, t), sem, scope_of(o, i), is_restricted(o, i));
}

void order_fence_init(struct emu_thread *t)
{
    struct order *o = order_of(t);

    if (!o)
        return;
    order_fence_inits(o, order_number(o, t));
    o->thread[order_number(o, t)].init_fenced = true;
}

void order_proxy_fence(struct emu_thread *t, const struct ptx_instruction *i, uint64_t address)
{
    struct order *o = order_of(t);
    uint16_t space;

    if (!o || ptx_has(o->module, i, PTX_alias))
        return;
    if (ptx_has(o->module, i, PTX_tensormap_generic)) {
        const uint16_t scope = ptx_word_of(o->module, i, PC_scope);
        if (ptx_has(o->module, i, PTX_acquire) && !emu_is_global(address)) {
            char where[140];
            emu_spot_words(t, PTX_none, address, where, sizeof where);
            emu_complain(t, &rule_fence_tensormap_global_only,
                         address < EMU_SHARED_WINDOW ? NULL : &rule_tmap_space_shared, address, 128,
                         "an acquire of a tensor map at %s, which is not in global memory", where);
        } else if (ptx_has(o->module, i, PTX_acquire)) {
            order_map_acquire(o, order_number(o, t), address, scope);
        } else if (scope != PTX_cta) {
            order_fence_view(o, order_number(o, t), VIEW_MAP);
        } else { /* no text lets a CTA's scope do */
            o->thread[order_number(o, t)].map_narrow = order_epoch(t);
        }
        return;
    }
    space = is_restricted(o, i) ? PTX_shared : i->space[0];
    o->thread[order_number(o, t)].map_async = order_epoch(t);
    o->thread[order_number(o, t)].proxy_fence = i;
    if (space != PTX_global)
        order_fence_view(o, order_number(o, t), VIEW_ASYNC_SHARED);
    if (space == PTX_none || space == PTX_global)
        order_fence_view(o, order_number(o, t), VIEW_ASYNC_GLOBAL);
}

void order_slept(struct emu_thread *t)
{
    struct order *o = order_of(t);

    if (o)
        o->thread[order_number(o, t)].slept = ++o->tick;
}
// SPDX-License-Identifier: Apache-2.0
