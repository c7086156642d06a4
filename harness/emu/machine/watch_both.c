/* Two watchers of one run: each event goes to the first, then to the second. */
#include "harness/emu/machine/watch.h"

enum { WATCHERS = 2 };

static const struct emu_watch *const *both_of(const struct emu_thread *t)
{
    return t->cta->cluster->grid->both;
}

static void grid_begin(struct emu_grid *g)
{
    for (unsigned k = 0; k < WATCHERS; k++)
        if (g->both[k]->grid_begin)
            g->both[k]->grid_begin(g);
}

static void grid_end(struct emu_grid *g)
{
    for (unsigned k = 0; k < WATCHERS; k++)
        if (g->both[k]->grid_end)
            g->both[k]->grid_end(g);
}

static bool cluster_begin(struct emu_cluster *c)
{
    bool every_access = false;

    for (unsigned k = 0; k < WATCHERS; k++)
        if (c->grid->both[k]->cluster_begin && c->grid->both[k]->cluster_begin(c))
            every_access = true;
    return every_access;
}

static void cluster_end(struct emu_cluster *c, bool done)
{
    for (unsigned k = 0; k < WATCHERS; k++)
        if (c->grid->both[k]->cluster_end)
            c->grid->both[k]->cluster_end(c, done);
}

static void stuck(struct emu_cluster *c, size_t others, char *message, size_t size)
{
    for (unsigned k = 0; k < WATCHERS; k++)
        if (c->grid->both[k]->stuck)
            c->grid->both[k]->stuck(c, others, message, size);
}

static void access(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                   enum emu_access access)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->access)
            both[k]->access(t, space, cta, address, n, access);
}

static void load(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->load)
            both[k]->load(t, at, cta, address, n);
}

static void store(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                  enum emu_access access)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->store)
            both[k]->store(t, at, cta, address, n, access);
}

static void meet(struct emu_thread *const *threads, uint32_t count)
{
    const struct emu_watch *const *both = both_of(threads[0]);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->meet)
            both[k]->meet(threads, count);
}

static void converge(struct emu_thread *const *threads, uint32_t count)
{
    const struct emu_watch *const *both = both_of(threads[0]);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->converge)
            both[k]->converge(threads, count);
}

static void barrier_arrive(struct emu_thread *t, uint64_t number, bool relaxed)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->barrier_arrive)
            both[k]->barrier_arrive(t, number, relaxed);
}

static void barrier_complete(struct emu_thread *t, uint64_t number)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->barrier_complete)
            both[k]->barrier_complete(t, number);
}

static void barrier_wait(struct emu_thread *t, uint64_t number)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->barrier_wait)
            both[k]->barrier_wait(t, number);
}

static void slept(struct emu_thread *t)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->slept)
            both[k]->slept(t);
}

static void fence(struct emu_thread *t, const struct ptx_instruction *i)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->fence)
            both[k]->fence(t, i);
}

static void fence_init(struct emu_thread *t)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->fence_init)
            both[k]->fence_init(t);
}

static void proxy_fence(struct emu_thread *t, const struct ptx_instruction *i, uint64_t address)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->proxy_fence)
            both[k]->proxy_fence(t, i, address);
}

static void map_prefetch(struct emu_thread *t, uint64_t address)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->map_prefetch)
            both[k]->map_prefetch(t, address);
}

static void mbarrier_use(struct emu_thread *t, struct emu_mbarrier *m)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->mbarrier_use)
            both[k]->mbarrier_use(t, m);
}

static void mbarrier_init(struct emu_thread *t, struct emu_mbarrier *m, uint32_t count, const struct ck_rule *broken)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->mbarrier_init)
            both[k]->mbarrier_init(t, m, count, broken);
}

static void mbarrier_inval(struct emu_thread *t, struct emu_mbarrier *m)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->mbarrier_inval)
            both[k]->mbarrier_inval(t, m);
}

static void mbarrier_arrive(struct emu_thread *t, struct emu_mbarrier *m, struct emu_strength how)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->mbarrier_arrive)
            both[k]->mbarrier_arrive(t, m, how);
}

static void mbarrier_expect(struct emu_thread *t, struct emu_mbarrier *m)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->mbarrier_expect)
            both[k]->mbarrier_expect(t, m);
}

static void mbarrier_count(struct emu_thread *t, struct emu_mbarrier *m, enum emu_mbarrier_count what, uint64_t amount)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->mbarrier_count)
            both[k]->mbarrier_count(t, m, what, amount);
}

static void mbarrier_phase(struct emu_thread *t, struct emu_mbarrier *m)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->mbarrier_phase)
            both[k]->mbarrier_phase(t, m);
}

static void mbarrier_wait(struct emu_thread *t, struct emu_mbarrier *m, bool done, struct emu_strength how)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->mbarrier_wait)
            both[k]->mbarrier_wait(t, m, done, how);
}

static void copy_issued(struct emu_thread *t, struct emu_flight *f)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->copy_issued)
            both[k]->copy_issued(t, f);
}

static void copy_map(struct emu_thread *t, struct emu_flight *f, uint64_t address)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->copy_map)
            both[k]->copy_map(t, f, address);
}

static void copy_read(struct emu_thread *t, struct emu_flight *f)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->copy_read)
            both[k]->copy_read(t, f);
}

static void copy_landed(struct emu_thread *t, struct emu_flight *f)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->copy_landed)
            both[k]->copy_landed(t, f);
}

static void copy_signals(struct emu_thread *t, struct emu_flight *f, struct emu_cta *cta, uint64_t offset)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->copy_signals)
            both[k]->copy_signals(t, f, cta, offset);
}

static void group_commit(struct emu_thread *t, bool bulk)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->group_commit)
            both[k]->group_commit(t, bulk);
}

static void group_wait(struct emu_thread *t, const struct emu_group_wait *wait)
{
    const struct emu_watch *const *both = both_of(t);

    for (unsigned k = 0; k < WATCHERS; k++)
        if (both[k]->group_wait)
            both[k]->group_wait(t, wait);
}

const struct emu_watch emu_watch_both = {
    .grid_begin = grid_begin,
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
};
