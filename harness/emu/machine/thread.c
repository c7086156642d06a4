/* A thread that waits, what it waits for, and its special registers. */
#include "harness/emu/machine/thread.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/reach.h"

void emu_block(struct emu_thread *t, enum emu_wait wait, uint64_t a, uint64_t b)
{
    t->state = EMU_BLOCKED;
    t->cta->warps[t->warp].waits |= wait == EMU_WAIT_WARP;
    t->wait = wait;
    t->wait_a = a;
    t->wait_b = b;
    t->pc--;
}

void emu_wake(struct emu_cluster *c)
{
    c->run->changed = true;
}

void emu_look_at(struct emu_thread *t, const struct ptx_instruction *at, struct emu_cta *cta, uint64_t address,
                 uint64_t size)
{
    struct emu_around *a = t->around;

    for (unsigned i = 0; i < a->look_count; i++)
        if (a->looks[i].at == at && a->looks[i].cta == cta && a->looks[i].address == address)
            return;
    if (a->look_count < EMU_LOOKS)
        a->looks[a->look_count++] = (struct emu_look){ .at = at, .cta = cta, .address = address, .size = size };
}

/* A loop that only polls comes back with the registers that it had: then it waits for others. One that counts, or a
 * program that asks once and goes on, does not. */
void emu_poll(struct emu_thread *t, uint64_t offset, uint64_t phase)
{
    const uint32_t n = t->frame->code->first_special;
    uint32_t last = EMU_NO;

    if (emu_run_of(t)->observed && t->around) {
        emu_look_at(t, t->pc[-1].source, t->cta, offset, 8);
        t->around->phase = phase;
    }
    t->polled = true;
    t->wait = EMU_WAIT_MBARRIER;
    t->wait_a = offset;
    t->wait_b = phase;
    t->went_on = true;
    if (n > t->poll_room) {
        uint64_t *more = realloc(t->poll_registers, n * sizeof *t->r);
        t->poll_at = NULL;
        t->since_poll.low = NULL;
        if (!more)
            return; /* it may go on for ever: --max-instructions ends it */
        t->poll_registers = more;
        t->cta->extras = true;
        t->poll_room = n;
    }
    t->went_on = emu_registers_changed(t, &t->since_poll, t->poll_registers, &last) || t->poll_at != t->pc;
    emu_registers_keep(t, &t->since_poll, t->poll_registers);
    t->poll_at = t->pc;
}

void emu_barrier_counts(const struct emu_cta *cta, uint64_t number, uint32_t *arrived, uint32_t *expected)
{
    const struct emu_barrier *b = cta->barriers && number < EMU_BARRIERS ? &cta->barriers[number] : NULL;

    *arrived = b ? b->arrived : 0;
    *expected = b && b->expected ? b->expected : cta->live;
}

/* ---- special registers ------------------------------------------------------------------------------------------ */

static uint32_t component(const uint32_t v[3], uint8_t which)
{
    return which == 'w' ? 0 : v[which ? which - 'x' : 0];
}

/* How many CTAs a cluster has on one side; of no side, 1. */
static uint32_t clusters_side(const struct emu_grid *g, uint8_t which)
{
    return which == 'w' ? 1 : component(g->cluster_dim, which);
}

uint64_t emu_special_value(const struct emu_thread *t, uint16_t special, uint8_t which)
{
    const struct emu_cta *cta = t->cta;
    const struct emu_cluster *c = cta->cluster;
    const struct emu_grid *g = c->grid;
    const uint32_t bit = 1u << t->lane;

    switch (special) {
    case SR_tid: return component(t->tid, which);
    case SR_ntid: return which == 'w' ? 1 : component(g->block, which);
    case SR_laneid: return t->lane;
    case SR_warpid: return t->warp;
    case SR_nwarpid: return emu_warps_of(cta->thread_count);
    case SR_ctaid: return component(cta->ctaid, which);
    case SR_nctaid: return which == 'w' ? 1 : component(g->dim, which);
    case SR_smid: return cta->rank;
    case SR_nsmid: return 132;
    case SR_gridid: return g->number;
    case SR_is_explicit_cluster: return g->explicit_cluster;
    case SR_clusterid: return component(c->id, which);
    case SR_nclusterid: return component(g->dim, which) / clusters_side(g, which);
    case SR_cluster_ctaid: return component(cta->ctaid, which) % clusters_side(g, which);
    case SR_cluster_nctaid: return component(g->cluster_dim, which);
    case SR_cluster_ctarank: return cta->rank;
    case SR_cluster_nctarank: return c->cta_count;
    case SR_lanemask_eq: return bit;
    case SR_lanemask_lt: return bit - 1;
    case SR_lanemask_le: return bit | (bit - 1);
    case SR_lanemask_gt: return ~(bit | (bit - 1));
    case SR_lanemask_ge: return ~(bit - 1);
    case SR_envreg1: return g->workspace >> 32;
    case SR_envreg2: return g->workspace & 0xffffffffu;
    case SR_total_smem_size: return cta->shared_bytes;
    case SR_dynamic_smem_size: return g->smem;
    case SR_aggr_smem_size: return cta->shared_bytes;
    case SR_reserved_smem_offset_begin:
    case SR_reserved_smem_offset_0:
    case SR_reserved_smem_offset_1: emu_run_of(t)->reserved = true; return 0;
    case SR_reserved_smem_offset_cap:
    case SR_reserved_smem_offset_end: return EMU_SHARED_BASE;
    default: return 0;
    }
}

/* Whether the threads of a CTA have values of their own. */
static bool is_own(uint16_t special)
{
    switch (special) {
    case SR_laneid:
    case SR_warpid:
    case SR_lanemask_eq:
    case SR_lanemask_lt:
    case SR_lanemask_le:
    case SR_lanemask_gt:
    case SR_lanemask_ge: return true;
    default: return false;
    }
}

void emu_special_lanes(const struct emu_thread *lanes, uint16_t special, uint8_t which, uint64_t *values)
{
    const uint64_t first = emu_special_value(lanes, special, which);

    if (special == SR_tid && which != 'w') {
        const unsigned side = which ? (unsigned)(which - 'x') : 0;
        for (unsigned lane = 0; lane < EMU_WARP; lane++)
            values[lane] = lanes[lane].tid[side];
    } else if (is_own(special)) {
        for (unsigned lane = 0; lane < EMU_WARP; lane++)
            values[lane] = emu_special_value(&lanes[lane], special, which);
    } else {
        EMU_EACH_LANE
        {
            values[lane] = first;
        }
    }
}

bool emu_special_changes(uint16_t special)
{
    return special == SR_clock || special == SR_clock_hi || special == SR_clock64 || special == SR_globaltimer ||
           special == SR_globaltimer_lo || special == SR_globaltimer_hi;
}
// SPDX-License-Identifier: Apache-2.0
