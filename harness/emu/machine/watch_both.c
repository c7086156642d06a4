/* Two watchers of one run: each event goes to the first, then to the second. */
#include "harness/emu/machine/watch.h"

enum { WATCHERS = 2 };

static const struct emu_grid *grid_of(const struct emu_thread *t)
{
    return t->cta->cluster->grid;
}

/* The function `event` with these parameters passes them on as these arguments, to each watcher of the grid that asks
 * for the event. */
#define PASS(event, parameters, arguments, grid)                                                                       \
    static void event parameters                                                                                       \
    {                                                                                                                  \
        for (unsigned k = 0; k < WATCHERS; k++)                                                                        \
            if ((grid)->both[k]->event)                                                                                \
                (grid)->both[k]->event arguments;                                                                      \
    }

PASS(grid_begin, (struct emu_grid * g), (g), g)
PASS(grid_ran, (struct emu_grid * g), (g), g)
PASS(grid_end, (struct emu_grid * g), (g), g)

static bool cluster_begin(struct emu_cluster *c)
{
    bool every_access = false;

    for (unsigned k = 0; k < WATCHERS; k++)
        if (c->grid->both[k]->cluster_begin && c->grid->both[k]->cluster_begin(c))
            every_access = true;
    return every_access;
}

PASS(cluster_end, (struct emu_cluster * c, bool done), (c, done), c->grid)
PASS(stuck, (const struct emu_standstill *all, char *message, size_t size), (all, message, size),
     all->clusters[0]->grid)
PASS(access,
     (struct emu_thread * t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n, enum emu_access access),
     (t, space, cta, address, n, access), grid_of(t))
PASS(load, (struct emu_thread * t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n),
     (t, at, cta, address, n), grid_of(t))
PASS(store,
     (struct emu_thread * t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n, enum emu_access access),
     (t, at, cta, address, n, access), grid_of(t))
PASS(meet, (struct emu_thread *const *threads, uint32_t count), (threads, count), grid_of(threads[0]))
PASS(converge, (struct emu_thread *const *threads, uint32_t count), (threads, count), grid_of(threads[0]))
PASS(barrier_arrive, (struct emu_thread * t, uint64_t number, bool relaxed), (t, number, relaxed), grid_of(t))
PASS(barrier_complete, (struct emu_thread * t, uint64_t number), (t, number), grid_of(t))
PASS(barrier_wait, (struct emu_thread * t, uint64_t number), (t, number), grid_of(t))
PASS(slept, (struct emu_thread * t), (t), grid_of(t))
PASS(child_launched, (struct emu_thread * t, struct emu_child *child), (t, child), grid_of(t))
PASS(dependents, (struct emu_thread * t, bool wait), (t, wait), grid_of(t))
PASS(setmaxnreg, (struct emu_thread * t), (t), grid_of(t))
PASS(fence, (struct emu_thread * t, const struct ptx_instruction *i), (t, i), grid_of(t))
PASS(fence_init, (struct emu_thread * t), (t), grid_of(t))
PASS(proxy_fence, (struct emu_thread * t, const struct ptx_instruction *i, uint64_t address), (t, i, address),
     grid_of(t))
PASS(map_prefetch, (struct emu_thread * t, uint64_t address), (t, address), grid_of(t))
PASS(mbarrier_use, (struct emu_thread * t, struct emu_mbarrier *m), (t, m), grid_of(t))
PASS(mbarrier_init, (struct emu_thread * t, struct emu_mbarrier *m, uint32_t count, const struct ck_rule *broken),
     (t, m, count, broken), grid_of(t))
PASS(mbarrier_inval, (struct emu_thread * t, struct emu_mbarrier *m), (t, m), grid_of(t))
PASS(mbarrier_arrive, (struct emu_thread * t, struct emu_mbarrier *m, struct emu_strength how), (t, m, how), grid_of(t))
PASS(mbarrier_expect, (struct emu_thread * t, struct emu_mbarrier *m), (t, m), grid_of(t))
PASS(mbarrier_count, (struct emu_thread * t, struct emu_mbarrier *m, enum emu_mbarrier_count what, uint64_t amount),
     (t, m, what, amount), grid_of(t))
PASS(mbarrier_phase, (struct emu_thread * t, struct emu_mbarrier *m), (t, m), grid_of(t))
PASS(mbarrier_wait, (struct emu_thread * t, struct emu_mbarrier *m, bool done, struct emu_strength how),
     (t, m, done, how), grid_of(t))
PASS(copy_issued, (struct emu_thread * t, struct emu_flight *f), (t, f), grid_of(t))
PASS(copy_map, (struct emu_thread * t, struct emu_flight *f, uint64_t address), (t, f, address), grid_of(t))
PASS(copy_read, (struct emu_thread * t, struct emu_flight *f), (t, f), grid_of(t))
PASS(copy_landed, (struct emu_thread * t, struct emu_flight *f), (t, f), grid_of(t))
PASS(copy_signals, (struct emu_thread * t, struct emu_flight *f, struct emu_cta *cta, uint64_t offset),
     (t, f, cta, offset), grid_of(t))
PASS(group_commit, (struct emu_thread * t, bool bulk), (t, bulk), grid_of(t))
PASS(group_wait, (struct emu_thread * t, const struct emu_group_wait *wait), (t, wait), grid_of(t))

PASS(wgmma, (struct emu_thread *const *lanes, const struct emu_op *op, struct emu_flight *f), (lanes, op, f),
     grid_of(lanes[0]))
PASS(wgmma_landed, (struct emu_thread * t, struct emu_flight *f), (t, f), grid_of(t))
PASS(wgmma_registers, (struct emu_thread * t, const struct emu_op *op), (t, op), grid_of(t))

const struct emu_watch emu_watch_both = {
    .grid_begin = grid_begin,
    .grid_ran = grid_ran,
    .grid_end = grid_end,
    .cluster_begin = cluster_begin,
    .cluster_end = cluster_end,
    .stuck = stuck,
    .access = access,
    .load = load,
    .store = store,
    .meet = meet,
    .converge = converge,
    .barrier_arrive = barrier_arrive,
    .barrier_complete = barrier_complete,
    .barrier_wait = barrier_wait,
    .slept = slept,
    .child_launched = child_launched,
    .setmaxnreg = setmaxnreg,
    .dependents = dependents,
    .fence = fence,
    .fence_init = fence_init,
    .proxy_fence = proxy_fence,
    .map_prefetch = map_prefetch,
    .mbarrier_use = mbarrier_use,
    .mbarrier_init = mbarrier_init,
    .mbarrier_inval = mbarrier_inval,
    .mbarrier_arrive = mbarrier_arrive,
    .mbarrier_expect = mbarrier_expect,
    .mbarrier_count = mbarrier_count,
    .mbarrier_phase = mbarrier_phase,
    .mbarrier_wait = mbarrier_wait,
    .copy_issued = copy_issued,
    .copy_map = copy_map,
    .copy_read = copy_read,
    .copy_landed = copy_landed,
    .copy_signals = copy_signals,
    .group_commit = group_commit,
    .group_wait = group_wait,
    .wgmma = wgmma,
    .wgmma_landed = wgmma_landed,
    .wgmma_registers = wgmma_registers,
};
// SPDX-License-Identifier: Apache-2.0
