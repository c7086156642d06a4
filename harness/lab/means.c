/* What a kernel does its work with, counted. */
#include "harness/lab/means.h"

#include "harness/emu/copies/flight.h"

static struct lab_count *count_of(const struct emu_thread *t)
{
    return t->cta->cluster->grid->machine->options.watch_state;
}

static void add(const struct emu_thread *t, enum lab_means means, uint64_t amount)
{
    count_of(t)->of[means] += amount;
}

static bool cluster_begin(struct emu_cluster *c)
{
    (void)c;
    return true; /* every access is counted */
}

/* ---- accesses by threads ----------------------------------------------------------------------------------------- */

/* How many of the n bytes lie in buffers of lab_in. */
static uint64_t of_inputs(const struct lab_count *count, uint64_t address, uint64_t n)
{
    for (unsigned i = 0; i < count->range_count; i++)
        if (address - count->ranges[i].at < count->ranges[i].size)
            return n;
    return 0;
}

static void any_access(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                       enum emu_access access)
{
    const bool writes = access != EMU_READ;

    (void)space;
    if (t->landing)
        return;
    if (cta)
        add(t, LAB_REMOTE_BYTES, cta != t->cta ? n : 0);
    else if (writes)
        add(t, LAB_STORES_BYTES, n);
    else
        add(t, LAB_LOADS_BYTES, of_inputs(count_of(t), address, n));
}

static void load(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n)
{
    (void)at;
    any_access(t, 0, cta, address, n, EMU_READ);
}

static void store(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                  enum emu_access access)
{
    (void)at;
    any_access(t, 0, cta, address, n, access);
}

/* ---- barriers, fences, waits ------------------------------------------------------------------------------------- */

static void barrier_complete(struct emu_thread *t, uint64_t number)
{
    add(t, number == EMU_CLUSTER_BARRIER ? LAB_CLUSTER_BARRIERS : LAB_BARRIERS, 1);
}

static void fence(struct emu_thread *t, const struct ptx_instruction *i)
{
    (void)i;
    add(t, LAB_FENCES, 1);
}

static void fence_init(struct emu_thread *t)
{
    add(t, LAB_FENCES, 1);
}

static void proxy_fence(struct emu_thread *t, const struct ptx_instruction *i, uint64_t address)
{
    (void)i;
    (void)address;
    add(t, LAB_PROXY_FENCES, 1);
}

static void mbarrier_phase(struct emu_thread *t, struct emu_mbarrier *m)
{
    (void)m;
    add(t, LAB_PHASES, 1);
}

static void group_wait(struct emu_thread *t, const struct emu_group_wait *wait)
{
    add(t, LAB_GROUP_WAITS, 1);
    add(t, LAB_FULL_WAITS, !wait->pending);
}

/* ---- copies -------------------------------------------------------------------------------------------------------
 */

static enum lab_means means_of(const struct emu_flight *f)
{
    const bool loads = !f->from_cta && (f->to_cta || f->multicast), stores = f->from_cta && !f->to_cta;

    if (f->value || f->kind == EMU_ARRIVE)
        return LAB_MEANS;
    if (f->at->op == OP_cp_async)
        return LAB_CP_ASYNC_BYTES;
    switch (f->kind) {
    case EMU_TENSOR_LOAD: return LAB_TENSOR_LOAD_BYTES;
    case EMU_TENSOR_STORE: return LAB_TENSOR_STORE_BYTES;
    default: return loads ? LAB_BULK_LOAD_BYTES : stores ? LAB_BULK_STORE_BYTES : LAB_MEANS;
    }
}

/* How many copies of the CTA's threads are in flight; a count of its own as long as there are few CTAs. */
static uint64_t *flying(struct lab_count *count, const struct emu_cta *cta)
{
    unsigned k = 0;

    while (k + 1 < LAB_CTAS && count->flying[k].cta && count->flying[k].cta != cta)
        k++;
    count->flying[k].cta = cta;
    return &count->flying[k].now;
}

static void copy_issued(struct emu_thread *t, struct emu_flight *f)
{
    struct lab_count *count = count_of(t);
    const enum lab_means means = means_of(f);
    uint64_t *now = flying(count, t->cta);

    if (means == LAB_MEANS)
        return;
    add(t, means, f->size);
    if (f->multicast & (f->multicast - 1))
        add(t, LAB_MULTICASTS, 1);
    ++*now;
    if (*now > count->of[LAB_IN_FLIGHT])
        count->of[LAB_IN_FLIGHT] = *now;
}

static void copy_landed(struct emu_thread *t, struct emu_flight *f)
{
    uint64_t *now = flying(count_of(t), t->cta);

    if (means_of(f) != LAB_MEANS && *now)
        --*now;
}

const struct emu_watch lab_means_watch = {
    .cluster_begin = cluster_begin,
    .access = any_access,
    .load = load,
    .store = store,
    .barrier_complete = barrier_complete,
    .fence = fence,
    .fence_init = fence_init,
    .proxy_fence = proxy_fence,
    .mbarrier_phase = mbarrier_phase,
    .copy_issued = copy_issued,
    .copy_landed = copy_landed,
    .group_wait = group_wait,
};
// SPDX-License-Identifier: Apache-2.0
