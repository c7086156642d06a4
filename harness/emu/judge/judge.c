/* What the judge does about each event: the lives of mbarriers, the order of accesses, deadlocks. */
#include "harness/emu/judge/judge.h"

#include "harness/emu/judge/deadlock.h"
#include "harness/emu/judge/lives.h"
#include "harness/emu/judge/order.h"

static bool cluster_begin(struct emu_cluster *c)
{
    order_cluster_begin(c);
    return c->order != NULL;
}

static void cluster_end(struct emu_cluster *c, bool done)
{
    if (done)
        lives_end(c);
    order_cluster_end(c, done);
    lives_free(c);
}

static void stuck(struct emu_cluster *c, size_t others, char *message, size_t size)
{
    lives_end(c);
    deadlock_report(c, others, message, size);
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

static void mbarrier_init(struct emu_thread *t, struct emu_mbarrier *m, const struct ck_rule *broken)
{
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

/* What a copy reads and writes is judged from its issue to its signal or the wait for its group: when it really reads
 * and lands is of no matter. */
static void copy_moves(struct emu_thread *t, struct emu_flight *f)
{
    (void)t;
    (void)f;
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
    .grid_begin = order_grid_begin,
    .grid_end = order_grid_end,
    .cluster_begin = cluster_begin,
    .cluster_end = cluster_end,
    .stuck = stuck,
    .access = access,
    .load = order_load,
    .store = order_store,
    .meet = order_meet,
    .converge = order_converge,
    .barrier_arrive = barrier_arrive,
    .barrier_complete = barrier_complete,
    .barrier_wait = barrier_wait,
    .slept = order_slept,
    .fence = order_fence_by,
    .fence_init = order_fence_init,
    .proxy_fence = order_proxy_fence,
    .map_prefetch = order_map_prefetch,
    .mbarrier_use = life_use,
    .mbarrier_init = mbarrier_init,
    .mbarrier_inval = life_inval,
    .mbarrier_arrive = mbarrier_arrive,
    .mbarrier_expect = mbarrier_expect,
    .mbarrier_count = life_count,
    .mbarrier_phase = mbarrier_phase,
    .mbarrier_wait = mbarrier_wait,
    .copy_issued = copy_issued,
    .copy_map = copy_map,
    .copy_read = copy_moves,
    .copy_landed = copy_moves,
    .copy_signals = copy_signals,
    .group_commit = order_group_commit,
    .group_wait = order_group_wait,
};

const struct emu_watch *judge_watch(void)
{
    return &judge;
}
