/* What the light judge does about each event. */
#include "harness/emu/judge/light_state.h"

#include <stdatomic.h>
#include <string.h>

#include "harness/emu/copies/flight.h"
#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/judge/judge.h"
#include "harness/emu/judge/state.h"
#include "harness/emu/machine/spare.h"
#include "harness/emu/machine/sync.h"

/* The cluster's, unless it doubts already. */
static inline struct light *light_of(const struct emu_thread *t)
{
    struct light *l = t->cta->cluster->order;

    return l->doubts ? NULL : l;
}

static void doubt_of(const struct emu_thread *t)
{
    struct light *l = light_of(t);

    if (l)
        light_doubt(l);
}

/* ---- clusters ---------------------------------------------------------------------------------------------------- */

/* The grid keeps what the judge knows of it. One whose clusters take turns keeps what they have in common. */
static void grid_begin(struct emu_grid *g)
{
    g->together = g->in_turns ? light_all_new(g) : NULL;
}

static void grid_ran(struct emu_grid *g)
{
    light_all_keep(g->together);
}

static void grid_end(struct emu_grid *g)
{
    if (g->together)
        light_all_free(g->together);
    g->together = NULL;
}

static bool cluster_begin(struct emu_cluster *c)
{
    struct light *l = emu_spare_zeros(c->grid->spare, sizeof *l);

    if (!l) {
        static struct light no_memory = { .doubts = true };
        c->order = &no_memory;
        c->run->unjudged = true;
        return true;
    }
    l->cluster = c;
    l->grid = c->grid;
    l->all = c->grid->together;
    l->global = l->all ? light_all_global(l->all) : l;
    l->me = (uint16_t)(c->run->number + 1);
    l->module = c->grid->module;
    l->loads = ((const struct order_grid *)c->grid->order)->loads;
    l->before = ((const struct order_grid *)c->grid->order)->before;
    l->ends = ((const struct order_grid *)c->grid->order)->of->ends;
    l->init = c->grid->machine->options.check_init;
    c->order = l;
    if (!light_begin(l))
        l->doubts = c->run->unjudged = true;
    return true;
}

static void cluster_end(struct emu_cluster *c, bool done)
{
    struct light *l = c->order;

    if (!l->cluster) {
        c->order = NULL;
        return;
    }
    if (done && !l->doubts && (!light_copies_over(l) || !light_arrivals_over(l)))
        light_doubt(l);
    c->order = NULL;
    light_copies_free(l);
    light_marks_free(l);
    light_clocks_free(l);
    light_past_free(l);
    light_end(l, done && !l->doubts && !l->all);
    emu_spare_give(c->grid->spare, l, sizeof *l);
}

static void stuck(const struct emu_standstill *all, char *message, size_t size)
{
    (void)all;
    (void)message;
    (void)size;
}

/* ---- a launch that may begin early ------------------------------------------------------------------------------- */

/* For a launch behind this one nothing is kept. */
static void dependents(struct emu_thread *t, bool wait)
{
    struct light *l = light_of(t);

    if (!wait)
        atomic_store_explicit(&emu_machine_of(t)->lets_begin, true, memory_order_relaxed);
    else if (l) {
        l->waited[t->warp] |= 1u << t->lane;
        l->waits = true;
    }
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

/* A store of these bytes is the last one there. Whether it was, before, another one of just these bytes by the same
 * instruction and a thread of the same warp. */
static bool stores_again(struct light *l, const struct light_same *now, bool shared, uint64_t address, uint64_t n)
{
    const uint64_t first = address / LIGHT_CELL, last = (address + n - 1) / LIGHT_CELL;
    bool again = last - first < LIGHT_SAME;

    for (uint64_t c = again ? first : last + 1 - LIGHT_SAME; c <= last; c++) {
        struct light_same *s = &l->same[(c << 1 | shared) % LIGHT_SAME];
        again = again && s->at == now->at && s->cell == (c << 1 | shared) && s->by == now->by && s->warp == now->warp &&
                s->bytes == n;
        *s = *now;
        s->cell = c << 1 | shared;
        s->bytes = (uint32_t)n;
    }
    return again;
}

static void load(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n)
{
    struct light *l = light_of(t);

    if (!l)
        return;
    light_note(l, t);
    if (!cta)
        light_early(l, t->warp, 1u << t->lane, address, n, false);
    light_touch(l, (struct light_access){ .shared = cta, .nc = l->loads && l->loads[at] }, address, n, t->index, false);
}

static void store(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                  enum emu_access access)
{
    struct light *l = light_of(t);

    if (!l)
        return;
    light_note(l, t);
    if (!cta)
        light_early(l, t->warp, 1u << t->lane, address, n, true);
    else if (l->marks)
        light_marks_write(l, address, n);
    const bool again =
        stores_again(l, &(struct light_same){ .at = address, .by = at, .warp = t->warp }, cta, address, n);
    light_touch(l, (struct light_access){ .shared = cta, .writes = true }, address, n, t->index,
                again && access == EMU_WRITE_SAME);
}

/* What an instruction is to memory; most are asked about again and again. */
static struct light_known *known_of(struct light *l, const struct ptx_instruction *i)
{
    struct light_known *k = &l->known[(size_t)(i - l->module->instructions) % LIGHT_KNOWN];

    if (k->of == i)
        return k;
    const uint16_t scope = ptx_word_of(l->module, i, PC_scope);
    const bool both = ptx_has(l->module, i, PTX_acq_rel), red = i->op == OP_red;
    *k = (struct light_known){ .of = i,
                               .strong = i->op == OP_atom || i->op == OP_red || emu_is_strong(l->module, i),
                               .read_only = i->op == OP_ldu || i->op == OP_tex || i->op == OP_tld4 ||
                                            i->op == OP_suld || ptx_has(l->module, i, PTX_nc),
                               .exchanges = ptx_has(l->module, i, PTX_exch),
                               .wide = scope != PTX_cta && scope != PTX_cluster,
                               .tells = i->op == OP_atom && !i->drops,
                               .looks = !red && i->op != OP_st,
                               .acquires = !red && (both || ptx_has(l->module, i, PTX_acquire)),
                               .releases = both || ptx_has(l->module, i, PTX_release) };
    return k;
}

static void access(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                   enum emu_access access)
{
    struct light *l = light_of(t);
    const struct ptx_instruction *i = t->pc[-1].source;
    struct light_access how = { .shared = cta, .writes = access != EMU_READ };

    if (!l || (!cta && (space == PTX_none || space == PTX_const) && !emu_is_global(address)))
        return;
    if (!i || access == EMU_DISCARD || (cta && cta != t->cta)) {
        light_doubt(l);
        return;
    }
    light_note(l, t);
    if (!cta)
        light_early(l, t->warp, 1u << t->lane, address, n, how.writes);
    const struct light_known *k = known_of(l, i);
    how.strong = k->strong && (cta || !l->all || k->wide);
    how.nc = !how.writes && k->read_only;
    how.reads_old = (access == EMU_ATOMIC || access == EMU_ATOMIC_IDLE) && !k->exchanges;
    if (how.writes)
        stores_again(l, &(struct light_same){ .by = PTX_NO }, cta, address, n);
    light_touch(l, how, address, n, t->index, false);
    if (l->ends && cta && !l->doubts)
        light_marks_access(l, t, k, address, n, k->strong ? access : how.writes ? EMU_WRITE : EMU_READ);
    if (l->all && !cta && k->strong && !l->doubts)
        light_flag(l, t, k, address, n, access);
}

/* All cells of a line are read as what nobody is to write, by whatever cluster: more of that says nothing new. A launch
 * before may still be at work there, which is asked of each thread. */
static bool fetched(struct emu_thread *t, uint64_t line, bool texels)
{
    struct light *l = light_of(t);

    return l && !l->before && light_fetched(l, line, t->index, texels);
}

static bool patterns(struct emu_thread *lanes, const struct emu_pattern *of, uint32_t n)
{
    struct light *l = light_of(lanes);

    for (uint32_t i = 0; l && i < n && !l->doubts; i++) {
        light_note_lanes(l, lanes->warp, of[i].lanes);
        if (of[i].writes)
            memset(l->same, 0, sizeof l->same);
        if (!of[i].cta)
            light_early(l, lanes->warp, of[i].lanes, of[i].low, of[i].end - of[i].low, of[i].writes);
        else if (of[i].writes && l->marks)
            light_marks_write(l, of[i].low, of[i].end - of[i].low);
        light_pattern(l, &of[i], lanes->index, of[i].constant);
    }
    return true;
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

/* Whether a thread that has exited has accessed something that this barrier does not order. */
static bool left_something(const struct light *l, const struct emu_cta *cta)
{
    for (uint32_t i = 0; cta->live < cta->thread_count && i < cta->thread_count; i++)
        if (cta->threads[i].state == EMU_EXITED && l->touched[i / EMU_WARP] >> i % EMU_WARP & 1)
            return true;
    return false;
}

/* Whether each thread of the CTA waits at this barrier. */
static bool all_wait(const struct emu_cta *cta, uint64_t number)
{
    for (uint32_t i = 0; i < cta->thread_count; i++)
        if (!light_waits_at(&cta->threads[i], number))
            return false;
    return true;
}

/* One with a count may have threads that only arrive. */
static void barrier_complete(struct emu_thread *t, uint64_t number)
{
    struct light *l = light_of(t);

    if (!l || number >= EMU_BARRIERS)
        return;
    if (t->cta->barriers[number].expected && !all_wait(t->cta, number)) {
        light_bar_complete(l, t->cta, number);
        return;
    }
    if (left_something(l, t->cta))
        return;
    memset(l->touched, 0, sizeof l->touched);
    if (l->waits) /* who has waited says so to all */
        memset(l->waited, 0xff, sizeof l->waited);
    memset(l->released, 0, sizeof l->released);
    light_clocks_pass(l, t->cta, number);
    light_marks_forget(l);
    if (l->all)
        light_passes(l);
    l->now++;
    l->barrier = l->now << LIGHT_TIME_SHIFT;
    if (l->now == LIGHT_TIME_MOST)
        light_rebase(l);
}

static void barrier_arrive(struct emu_thread *t, uint64_t number, bool relaxed)
{
    struct light *l = light_of(t);

    (void)relaxed;
    if (l && number < EMU_BARRIERS && t->cta->barriers[number].expected)
        light_bar_arrive(l, t, number);
}

static void barrier_wait(struct emu_thread *t, uint64_t number)
{
    (void)t;
    (void)number;
}

static void barrier_lanes(struct emu_thread *lanes, uint32_t set, uint64_t number)
{
    (void)lanes;
    (void)set;
    (void)number;
}

/* What of a warp has exited would be left out. */
static bool is_all_of_warp(const struct emu_thread *t, uint32_t count)
{
    const uint32_t behind = t->cta->thread_count - t->warp * EMU_WARP;

    return count >= (behind < EMU_WARP ? behind : EMU_WARP);
}

static void meet(struct emu_thread *const *threads, uint32_t count)
{
    struct light *l = light_of(threads[0]);
    const uint32_t warp = threads[0]->warp;

    if (!l || !is_all_of_warp(threads[0], count) || l->now + 1 >= LIGHT_TIME_MOST)
        return;
    l->now++;
    l->met[warp] = l->now << LIGHT_TIME_SHIFT;
    light_clocks_meet(l, threads, count);
}

static void converge(struct emu_thread *const *threads, uint32_t count)
{
    struct light *l = count ? light_of(threads[0]) : NULL;

    if (l && l->ends && is_all_of_warp(threads[0], count))
        light_marks_converge(l, threads[0]->warp);
}

static void slept(struct emu_thread *t)
{
    (void)t;
}

static void fence(struct emu_thread *t, const struct ptx_instruction *i)
{
    struct light *l = light_of(t);

    if (l && l->all)
        light_fence(l, t, i);
    if (l && l->ends)
        light_marks_fence(l, t, i);
}

/* ---- cp.async ---------------------------------------------------------------------------------------------------- */

static void copy_issued(struct emu_thread *t, struct emu_flight *f)
{
    struct light *l = light_of(t);
    struct light_arrivals *a;

    if (!l)
        return;
    memset(l->same, 0, sizeof l->same);
    if (f->kind != EMU_ARRIVE) {
        if (l->marks)
            light_marks_write(l, f->to, f->size);
        light_copy(l, t, f);
        return;
    }
    a = f->bar_cta == t->cta ? light_arrivals_of(l, t, f->bar) : NULL;
    if (a)
        light_copies_arrive(l, t, f, a);
    else
        light_doubt(l);
}

static void copy_signals(struct emu_thread *t, struct emu_flight *f, struct emu_cta *cta, uint64_t offset)
{
    struct light *l = light_of(t);
    struct light_arrivals *a = l && f->kind == EMU_ARRIVE && cta == t->cta ? light_arrivals_of(l, t, offset) : NULL;

    if (a)
        light_copies_arrived(l, t, f, a);
    else if (l)
        light_doubt(l);
}

static void group_commit(struct emu_thread *t, bool bulk)
{
    if (bulk)
        doubt_of(t);
}

static void group_wait(struct emu_thread *t, const struct emu_group_wait *wait)
{
    struct light *l = light_of(t);

    if (l && wait->bulk)
        light_doubt(l);
    else if (l)
        light_copies_wait(l, t, wait->pending);
}

/* ---- mbarriers ------------------------------------------------------------------------------------------------ */

static void mbarrier_init(struct emu_thread *t, struct emu_mbarrier *m, uint32_t count, const struct ck_rule *broken)
{
    struct light *l = light_of(t);

    (void)count;
    if (!l)
        return;
    light_note(l, t);
    light_touch(l, (struct light_access){ .shared = true, .writes = true }, m->offset, EMU_MBARRIER_BYTES, t->index,
                false);
    light_written(l, m->offset, EMU_MBARRIER_BYTES, LIGHT_FLYING); /* nobody's to access */
    light_mbarrier_init(l, t, m, broken);
}

static void mbarrier_use(struct emu_thread *t, struct emu_mbarrier *m)
{
    struct light *l = light_of(t);

    if (l)
        light_mbarrier_use(l, t, m);
}

/* Its bytes are its thread's from now on. */
static void mbarrier_inval(struct emu_thread *t, struct emu_mbarrier *m)
{
    struct light *l = light_of(t);

    if (!l)
        return;
    light_note(l, t);
    light_mbarrier_inval(l, t, m);
    light_written(l, m->offset, EMU_MBARRIER_BYTES, l->now << LIGHT_TIME_SHIFT | LIGHT_WEAK | t->index);
}

static void mbarrier_arrive(struct emu_thread *t, struct emu_mbarrier *m, struct emu_strength how)
{
    struct light *l = light_of(t);

    if (l)
        light_mbarrier_arrive(l, t, m, how);
}

/* Bytes are nothing that it knows. */
static void mbarrier_count(struct emu_thread *t, struct emu_mbarrier *m, enum emu_mbarrier_count what, uint64_t amount)
{
    (void)m;
    (void)amount;
    if (what != EMU_ARRIVED)
        doubt_of(t);
}

static void mbarrier_phase(struct emu_thread *t, struct emu_mbarrier *m)
{
    struct light *l = light_of(t);

    if (l)
        light_mbarrier_phase(l, m);
}

/* A thread waits for a phase behind which copies have arrived. From now on it is as if the mbarrier had written what
 * they have. */
static void see_copies(struct light *l, const struct emu_thread *t, const struct emu_mbarrier *m)
{
    struct light_arrivals *a = light_arrivals_at(m);

    if (!a || !a->over)
        return;
    light_note(l, t); /* where it leaves, a barrier behind it says nothing of them */
    light_tick(l);
    light_arrivals_seen(l, a, l->now << LIGHT_TIME_SHIFT | LIGHT_WEAK | (LIGHT_BARS + a->number - 1));
    light_arrivals_told(l, m);
}

static void mbarrier_wait(struct emu_thread *t, struct emu_mbarrier *m, bool done, struct emu_strength how)
{
    struct light *l = light_of(t);

    if (!l || !done)
        return;
    see_copies(l, t, m);
    light_mbarrier_wait(l, t, m, how);
}

static void fence_init(struct emu_thread *t)
{
    (void)t;
}

/* ---- what it doubts ---------------------------------------------------------------------------------------------- */

static void proxy_fence(struct emu_thread *t, const struct ptx_instruction *i, uint64_t address)
{
    (void)i;
    (void)address;
    doubt_of(t);
}

static void map_prefetch(struct emu_thread *t, uint64_t address)
{
    (void)address;
    doubt_of(t);
}

static void one(struct emu_thread *t)
{
    doubt_of(t);
}

static void mbarrier(struct emu_thread *t, struct emu_mbarrier *m)
{
    (void)m;
    doubt_of(t);
}

static void copy_map(struct emu_thread *t, struct emu_flight *f, uint64_t address)
{
    (void)f;
    (void)address;
    doubt_of(t);
}

static void wgmma(struct emu_thread *const *lanes, const struct emu_op *op, struct emu_flight *f)
{
    (void)op;
    (void)f;
    doubt_of(lanes[0]);
}

static const struct emu_watch light = {
    .any_order = true,
    .grid_begin = grid_begin,
    .grid_ran = grid_ran,
    .grid_end = grid_end,
    .cluster_begin = cluster_begin,
    .cluster_end = cluster_end,
    .stuck = stuck,
    .access = access,
    .load = load,
    .store = store,
    .fetched = fetched,
    .patterns = patterns,
    .meet = meet,
    .converge = converge,
    .barrier_arrive = barrier_arrive,
    .barrier_complete = barrier_complete,
    .barrier_wait = barrier_wait,
    .barrier_arrive_lanes = barrier_lanes,
    .barrier_wait_lanes = barrier_lanes,
    .slept = slept,
    .setmaxnreg = one,
    .dependents = dependents,
    .fence = fence,
    .fence_init = fence_init,
    .proxy_fence = proxy_fence,
    .map_prefetch = map_prefetch,
    .mbarrier_use = mbarrier_use,
    .mbarrier_init = mbarrier_init,
    .mbarrier_inval = mbarrier_inval,
    .mbarrier_arrive = mbarrier_arrive,
    .mbarrier_expect = mbarrier,
    .mbarrier_count = mbarrier_count,
    .mbarrier_phase = mbarrier_phase,
    .mbarrier_wait = mbarrier_wait,
    .copy_issued = copy_issued,
    .copy_map = copy_map,
    .copy_signals = copy_signals,
    .group_commit = group_commit,
    .group_wait = group_wait,
    .wgmma = wgmma,
};

const struct emu_watch *judge_light(const struct emu_grid *g)
{
    const struct emu_options *o = &g->machine->options;
    const struct order_grid *x = g->order;
    const bool one_cta = g->cluster_dim[0] * g->cluster_dim[1] * g->cluster_dim[2] == 1;

    return o->light && o->check_order && !o->check_swizzle && !o->watch && !o->swaps && one_cta && x && !g->parent &&
                   o->turns == EMU_TURNS_IN_ORDER
               ? &light
               : NULL;
}
// SPDX-License-Identifier: Apache-2.0
