/* What the judge does about each event: the lives of mbarriers, the order of accesses, deadlocks. */
#include "harness/emu/judge/judge.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/judge/bars.h"
#include "harness/emu/judge/child.h"
#include "harness/emu/judge/copies.h"
#include "harness/emu/judge/deadlock.h"
#include "harness/emu/judge/exit.h"
#include "harness/emu/judge/expects.h"
#include "harness/emu/judge/fence_sc.h"
#include "harness/emu/judge/firsts.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/lives.h"
#include "harness/emu/judge/map.h"
#include "harness/emu/judge/mixed.h"
#include "harness/emu/judge/objects.h"
#include "harness/emu/judge/order.h"
#include "harness/emu/judge/patterns.h"
#include "harness/emu/judge/pages.h"
#include "harness/emu/judge/pasts.h"
#include "harness/emu/judge/peer.h"
#include "harness/emu/judge/prior.h"
#include "harness/emu/judge/registers.h"
#include "harness/emu/judge/spans.h"
#include "harness/emu/judge/tiles.h"
#include "harness/emu/judge/wgmma.h"
#include "harness/emu/machine/image.h"
#include "harness/emu/machine/spare.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/written.h"

/* ---- a grid and a cluster begin and end ------------------------------------------------------------------------- */

/* The shadow of global memory may take as much as the machine's memory may, counted for itself; some pages always.
 * Where clusters run ahead, all of their shadows together may. */
static uint64_t shadow_most(const struct emu *e)
{
    const uint64_t least = 64 * sizeof(struct order_page);

    return e->options.max_memory < least ? least : e->options.max_memory;
}

/* What the checker has of a grid's module. NULL: memory is short. A launch begins, and no cluster of its module runs.
 */
static struct order_module *module_of(struct emu_grid *g)
{
    const struct ptx_module *m = g->module;
    struct emu_image *image = emu_image_of(g->machine, m);
    struct order_module *of = image->judged;
    uint8_t *loads;

    if (of)
        return of;
    of = image->judged = calloc(1, sizeof *of + 2 * ((size_t)m->n_instructions + 1));
    if (!of)
        return NULL;
    loads = (uint8_t *)(of->decoded + m->n_instructions + 1);
    for (uint32_t i = 0; i < m->n_instructions; i++) {
        const struct ptx_instruction *at = &m->instructions[i];
        of->fence_sc |= order_is_fence_sc(m, at);
        of->ends |= at->op == OP_mbarrier_inval;
        of->releases |= at->op == OP_griddepcontrol && ptx_has(m, at, PTX_launch_dependents);
        if (at->op != OP_ldu && (at->op != OP_ld || !ptx_has(m, at, PTX_nc)))
            continue;
        loads[i] = RECORD_NC;
        of->loads = loads;
    }
    return of;
}

/* What the launch before and the launch behind have to do with it, where they may be at work at the same time. A
 * cluster that runs ahead has a copy of its grid, whose checker is `first`. */
static void begin_dependence(struct order_grid *x, const struct order_grid *first, uint32_t threads)
{
    const struct emu_grid *g = x->grid;
    const struct emu_options *o = &g->machine->options;

    x->before_who = PTX_NO;
    x->ahead = first != NULL;
    if (g->parent)
        return;
    if (first)
        x->trace = first->trace;
    else if (o->dependents && !o->repeated && x->of->releases)
        x->trace = order_prior_new(g);
    if (!o->dependent || !g->machine->before)
        return;
    x->before = g->machine->before;
    x->before_who = threads;
}

static void end_dependence(struct order_grid *x)
{
    if (x->ahead || !x->trace)
        return;
    if (order_prior_counts(x->trace))
        x->grid->machine->last = x->trace;
    else
        order_prior_free(x->trace);
}

static void grid_begin(struct emu_grid *g)
{
    const struct order_grid *first = g->order;
    const uint64_t threads = (uint64_t)g->dim[0] * g->dim[1] * g->dim[2] * g->block[0] * g->block[1] * g->block[2];
    struct order_module *of;
    struct order_grid *x;

    g->order = NULL;
    if (!g->machine->options.check_order || threads >= RECORD_FLIGHT)
        return;
    of = first ? first->of : module_of(g);
    x = of ? calloc(1, sizeof *x) : NULL;
    if (!x)
        return;
    x->grid = g;
    x->most = shadow_most(g->machine);
    x->of = of;
    x->loads = of->loads;
    begin_dependence(x, first, (uint32_t)threads);
    g->order = x;
}

static void grid_ran(struct emu_grid *g)
{
    const struct order_grid *x = g->order;

    if (x && x->trace)
        order_prior_take(x->trace, x);
    if (x && !x->forgot)
        order_grid_tell_written(x, false);
    else
        emu_written_lose(g->machine);
}

static void grid_end(struct emu_grid *g)
{
    struct order_grid *x = g->order;

    if (!x)
        return;
    if (!x->ahead) /* else its cluster has done it */
        order_child_end(g);
    g->order = NULL;
    end_dependence(x);
    order_grid_free_pages(x);
    order_launches_free(x);
    order_flags_free(&x->flags);
    order_flights_free(x);
    free(x->replaced);
    free(x);
}

/* In place of the checker of a cluster for which there was no memory. */
static struct order no_memory = { .failed = true, .near = { [0 ... NEAR_PAGES - 1] = &order_page_none } };

static size_t selves_bytes(const struct order *o)
{
    return (size_t)o->threads * (size_t)o->views * sizeof *o->selves;
}

static size_t barriers_bytes(const struct order *o)
{
    return (size_t)o->cluster->cta_count * EMU_BARRIERS * 2 * sizeof *o->cta_barriers;
}

/* All threads know nothing but themselves. */
static void begin_threads(struct order *o, struct order_pasts *pasts)
{
    struct emu_cluster *c = o->cluster;
    struct order_thread *t = o->thread;
    struct order_self *view = o->selves;
    const int views = o->views;
    uint32_t number = o->base;

    pasts->refs += o->threads;
    for (uint32_t k = 0; k < c->cta_count; k++) {
        struct emu_thread *of = c->ctas[k].threads, *const end = of + o->per_cta;
        while (of < end) {
            const uint32_t some = end - of < EMU_WARP ? (uint32_t)(end - of) : EMU_WARP;
            memset(t, 0, some * sizeof *t); /* a warp's: few enough to be still in the cache when they are set */
            memset(view, 0, (size_t)some * (size_t)views * sizeof *view);
            for (const struct order_thread *last = t + some; t < last; t++, of++, view += views) {
                t->pasts = pasts;
                t->view = view;
                view[VIEW_GENERIC].own[OWN_NOW] = view[VIEW_LOOSE].own[OWN_NOW] = 1;
                t->groups = order_no_groups;
                t->number = number++;
                of->order = t;
            }
        }
    }
}

static void order_begin(struct emu_cluster *c)
{
    const struct emu_grid *g = c->grid;
    struct order_pasts *pasts;
    struct order *o;

    c->order = &no_memory;
    if (!g->order)
        return;
    o = calloc(1, sizeof *o);
    if (!o)
        return;
    o->cluster = c;
    o->module = g->module;
    o->grid = g->order;
    if (o->grid->trace && !o->grid->ahead)
        order_prior_again(o->grid->trace);
    o->next = o->grid->resident;
    o->grid->resident = o;
    o->number = c->id[0] + g->dim[0] / g->cluster_dim[0] * (c->id[1] + g->dim[1] / g->cluster_dim[1] * c->id[2]);
    o->per_cta = c->ctas[0].thread_count;
    o->threads = o->per_cta * c->cta_count;
    o->base = o->number * o->threads;
    o->cta0 = o->number * c->cta_count;
    o->components = o->threads * OWN_COUNT;
    o->views = o->grid->of->fence_sc ? VIEW_COUNT : VIEW_FENCED;
    o->thread = emu_spare_take(g->spare, o->threads * sizeof *o->thread);
    o->selves = emu_spare_take(g->spare, selves_bytes(o));
    o->cta_barriers = emu_spare_zeros(g->spare, barriers_bytes(o));
    o->barrier_uses = calloc((size_t)c->cta_count * EMU_BARRIERS, sizeof *o->barrier_uses);
    if (g->machine->options.check_swizzle)
        o->tiles = order_tiles_new();
    o->failed |= !o->thread || !o->selves || !o->cta_barriers || !o->barrier_uses;
    pasts = order_pasts_new(o, (uint32_t)o->views);
    order_pages_none_near(o);
    o->begun = pasts && o->thread && o->selves;
    if (o->begun)
        begin_threads(o, pasts);
    order_pasts_drop(pasts);
    o->init = g->machine->options.check_init;
    c->order = o;
}

static void order_end(struct emu_cluster *c, bool done)
{
    struct order *o = c->order;
    struct emu_run *run = c->run;

    c->order = NULL;
    run->unjudged |= c->grid->machine->options.check_order && o->failed;
    if (o == &no_memory) {
        emu_written_lose(c->grid->machine);
        return;
    }
    run->forgot |= o->grid->forgot;
    run->lost |= span_lost();
    if (o->failed || o->grid->forgot)
        emu_written_lose(c->grid->machine);
    else if (run->claimer)
        order_grid_tell_written(o->grid, true);
    if (run->claimer && o->grid->trace)
        order_prior_take(o->grid->trace, o->grid);
    if (!o->failed && done) {
        order_check_exit(o);
        order_check_peers(o);
        order_check_registers(o);
        order_wgmma_end(o);
    }
    if (run->claimer && !o->failed && done) /* the cluster has a grid of its own, whose findings are the cluster's */
        order_child_end(c->grid);
    if (o->tiles && !o->failed)
        order_tiles_end(o);
    order_tiles_free(o->tiles);
    if (o->begun)
        order_threads_free(o->thread, o->threads);
    for (int v = 0; v < VIEW_COUNT; v++) {
        order_pasts_drop(o->fenced[v].from);
        order_pasts_drop(o->fenced[v].to);
    }
    order_pasts_drop(o->waited_prior.from);
    order_pasts_drop(o->waited_prior.to);
    for (uint32_t i = 0; o->cta_barriers && i < c->cta_count * EMU_BARRIERS * 2; i++)
        order_object_free(&o->cta_barriers[i]);
    for (uint32_t i = 0; i < o->bar_count; i++) {
        order_object_free(&o->bars[i].collecting);
        order_object_free(&o->bars[i].complete);
        order_expect_free(&o->bars[i]);
        free(o->bars[i].seen);
    }
    for (struct order **p = &o->grid->resident; *p; p = &(*p)->next)
        if (*p == o) {
            *p = o->next;
            break;
        }
    order_flags_free(&o->flags);
    order_maps_free(o);
    order_flights_end(o);
    order_object_free(&o->cluster_collecting);
    order_object_free(&o->cluster_complete);
    order_pages_free(&o->pages);
    free(o->replaced);
    emu_spare_give(c->grid->spare, o->thread, o->threads * sizeof *o->thread);
    emu_spare_give(c->grid->spare, o->selves, selves_bytes(o));
    emu_spare_give(c->grid->spare, o->cta_barriers, barriers_bytes(o));
    free(o->barrier_uses);
    order_registers_free(o);
    order_wgmma_free(o);
    free(o->uses);
    free(o->peers);
    free(o->bars);
    free(o->bar_slot);
    free(o);
}

static bool cluster_begin(struct emu_cluster *c)
{
    order_begin(c);
    return c->order != &no_memory;
}

static void cluster_end(struct emu_cluster *c, bool done)
{
    lives_end(c, done);
    order_end(c, done);
    lives_free(c);
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static void stuck(const struct emu_standstill *all, char *message, size_t size)
{
    for (size_t i = 0; i < all->count; i++)
        lives_end(all->clusters[i], true);
    deadlock_report(all, message, size);
}

static void access(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                   enum emu_access access)
{
    if (cta)
        life_touch(t, cta, address, n, access);
    order_memory(t, space, cta, address, n, access);
}

static void barrier_arrive(struct emu_thread *t, uint64_t number, bool relaxed)
{
    if (number == EMU_CLUSTER_BARRIER)
        order_cluster_arrive(t, relaxed);
    else
        order_bar_arrive(t, number);
}

static void barrier_complete(struct emu_thread *t, uint64_t number)
{
    if (number == EMU_CLUSTER_BARRIER)
        order_cluster_complete(t->cta->cluster);
    else
        order_bar_complete(t, number);
}

static void barrier_wait(struct emu_thread *t, uint64_t number)
{
    if (number == EMU_CLUSTER_BARRIER)
        order_cluster_wait(t);
    else
        order_bar_wait(t, number);
}

static void mbarrier_init(struct emu_thread *t, struct emu_mbarrier *m, uint32_t count, const struct ck_rule *broken)
{
    (void)count;
    order_mbarrier_init(t, m);
    life_init(t, m, broken);
}

static void mbarrier_arrive(struct emu_thread *t, struct emu_mbarrier *m, struct emu_strength how)
{
    order_mbarrier_arrive(t, m, how);
    life_arrive(t, m);
}

static void mbarrier_expect(struct emu_thread *t, struct emu_mbarrier *m)
{
    order_mbarrier_expect(t, m);
}

static void mbarrier_count(struct emu_thread *t, struct emu_mbarrier *m, enum emu_mbarrier_count what, uint64_t amount)
{
    order_mbarrier_count(t, m, what, amount);
    life_count(t, m, what, amount);
}

static void mbarrier_phase(struct emu_thread *t, struct emu_mbarrier *m)
{
    order_mbarrier_phase(t, m);
    life_phase(t, m);
}

static void mbarrier_wait(struct emu_thread *t, struct emu_mbarrier *m, bool done, struct emu_strength how)
{
    order_mbarrier_wait(t, m, done, how);
    if (done)
        life_seen(t, m);
}

static void copy_issued(struct emu_thread *t, struct emu_flight *f)
{
    (void)t;
    life_copy_issued(f);
    order_copy_issued(f);
}

static void copy_map(struct emu_thread *t, struct emu_flight *f, uint64_t address)
{
    (void)t;
    order_map_use(f, address);
}

static void copy_signals(struct emu_thread *t, struct emu_flight *f, struct emu_cta *cta, uint64_t offset)
{
    (void)t;
    order_copy_signals(f, cta, offset);
    life_copy_signals(f, cta, offset);
}

static const struct emu_watch judge = {
    .grid_begin = grid_begin,
    .grid_ran = grid_ran,
    .grid_end = grid_end,
    .cluster_begin = cluster_begin,
    .cluster_end = cluster_end,
    .stuck = stuck,
    .access = access,
    .load = order_load,
    .store = order_store,
    .patterns = order_patterns,
    .barrier_arrive_lanes = order_bar_arrive_lanes,
    .barrier_wait_lanes = order_bar_wait_lanes,
    .meet = order_meet,
    .converge = order_converge,
    .barrier_arrive = barrier_arrive,
    .barrier_complete = barrier_complete,
    .barrier_wait = barrier_wait,
    .slept = order_slept,
    .child_launched = order_child_launched,
    .setmaxnreg = order_setmaxnreg,
    .dependents = order_prior_event,
    .fence = order_fence_by,
    .fence_init = order_fence_init,
    .proxy_fence = order_proxy_fence,
    .map_prefetch = order_map_prefetch,
    .mbarrier_use = life_use,
    .mbarrier_init = mbarrier_init,
    .mbarrier_inval = life_inval,
    .mbarrier_arrive = mbarrier_arrive,
    .mbarrier_expect = mbarrier_expect,
    .mbarrier_count = mbarrier_count,
    .mbarrier_phase = mbarrier_phase,
    .mbarrier_wait = mbarrier_wait,
    .copy_issued = copy_issued,
    .copy_map = copy_map,
    .copy_signals = copy_signals,
    .group_commit = order_group_commit,
    .group_wait = order_group_wait,
    .wgmma = order_wgmma,
    .wgmma_registers = order_wgmma_registers,
};

/* ---- without the order of accesses ------------------------------------------------------------------------------- */

static bool lives_begin(struct emu_cluster *c)
{
    (void)c;
    return false;
}

static void lives_over(struct emu_cluster *c, bool done)
{
    lives_end(c, done);
    lives_free(c);
}

static void no_grid(struct emu_grid *g)
{
    (void)g;
}

/* Nobody has looked at what it writes. */
static void unknown_grid(struct emu_grid *g)
{
    emu_written_lose(g->machine);
}

/* Events without a CTA are of global memory, and are not wanted. */
static void touch(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                  enum emu_access access)
{
    (void)space;
    life_touch(t, cta, address, n, access);
}

static void touch_load(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n)
{
    (void)at;
    if (life_near(cta, address, n))
        life_touch(t, cta, address, n, EMU_READ);
}

static void touch_store(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                        enum emu_access access)
{
    (void)at;
    if (life_near(cta, address, n))
        life_touch(t, cta, address, n, access);
}

static bool touch_patterns(struct emu_thread *lanes, const struct emu_pattern *of, uint32_t n)
{
    (void)lanes;
    return !order_patterns_near(of, n);
}

static void seen(struct emu_thread *t, struct emu_mbarrier *m, bool done, struct emu_strength how)
{
    (void)how;
    if (done)
        life_seen(t, m);
}

static void made(struct emu_thread *t, struct emu_mbarrier *m, uint32_t count, const struct ck_rule *broken)
{
    (void)count;
    life_init(t, m, broken);
}

static void arrived(struct emu_thread *t, struct emu_mbarrier *m, struct emu_strength how)
{
    (void)how;
    life_arrive(t, m);
}

static void expected(struct emu_thread *t, struct emu_mbarrier *m)
{
    (void)t;
    (void)m;
}

static void issued(struct emu_thread *t, struct emu_flight *f)
{
    (void)t;
    life_copy_issued(f);
}

static void signals(struct emu_thread *t, struct emu_flight *f, struct emu_cta *cta, uint64_t offset)
{
    (void)t;
    life_copy_signals(f, cta, offset);
}

static const struct emu_watch judge_of_lives = {
    .grid_begin = no_grid,
    .grid_ran = unknown_grid,
    .grid_end = no_grid,
    .cluster_begin = lives_begin,
    .cluster_end = lives_over,
    .stuck = stuck,
    .access = touch,
    .load = touch_load,
    .store = touch_store,
    .patterns = touch_patterns,
    .mbarrier_use = life_use,
    .mbarrier_init = made,
    .mbarrier_inval = life_inval,
    .mbarrier_arrive = arrived,
    .mbarrier_expect = expected,
    .mbarrier_count = life_count,
    .mbarrier_phase = life_phase,
    .mbarrier_wait = seen,
    .copy_issued = issued,
    .copy_signals = signals,
};

const struct emu_watch *judge_watch(const struct emu_options *o)
{
    return o->check_order ? &judge : &judge_of_lives;
}

void judge_next_launch(struct emu *e)
{
    if (e->options.repeated)
        return;
    order_prior_free(e->before);
    e->before = e->last;
    e->last = NULL;
}

void judge_forget(struct emu *e)
{
    order_prior_free(e->before);
    order_prior_free(e->last);
    e->before = e->last = NULL;
}
// SPDX-License-Identifier: Apache-2.0
