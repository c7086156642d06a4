/* Operations by which the warps of a kernel synchronise. */
#include "harness/emu/machine/sync.h"

#include "harness/emu/machine/address.h"

/* Objects that have no generic address: barriers. */
#define BARRIERS (1ull << 62)

enum { CLUSTER_BARRIER = 1 << 30 };

bool emu_is_strong(const struct ptx_module *m, const struct ptx_instruction *i)
{
    static const uint16_t words[] = { PTX_volatile, PTX_relaxed, PTX_acquire, PTX_release, PTX_mmio };

    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (ptx_has(m, i, words[k]))
            return true;
    return false;
}

uint8_t emu_sync_of(const struct ptx_module *m, const struct ptx_instruction *i)
{
    switch (i->op) {
    case OP_mbarrier_init:
    case OP_mbarrier_inval:
    case OP_mbarrier_expect_tx:
    case OP_mbarrier_complete_tx:
    case OP_atom: return EMU_SYNC_CHANGE;
    case OP_mbarrier_arrive:
    case OP_mbarrier_arrive_drop:
    case OP_red:
    case OP_multimem_red: return EMU_SYNC_COUNT;
    case OP_mbarrier_test_wait:
    case OP_mbarrier_try_wait: return EMU_SYNC_WAIT;
    case OP_bar:
    case OP_barrier: return ptx_has(m, i, PTX_warp) ? EMU_SYNC_NONE : EMU_SYNC_BARRIER;
    case OP_barrier_cluster_wait: return EMU_SYNC_CLUSTER_WAIT;
    case OP_barrier_cluster_arrive: return EMU_SYNC_CLUSTER_ARRIVE;
    case OP_barrier_cluster: return ptx_has(m, i, PTX_wait) ? EMU_SYNC_CLUSTER_WAIT : EMU_SYNC_CLUSTER_ARRIVE;
    case OP_membar: return EMU_SYNC_FENCE;
    case OP_fence: return ptx_has(m, i, PTX_sc) ? EMU_SYNC_FENCE : EMU_SYNC_NONE;
    case OP_ld:
    case OP_multimem_ld_reduce: return emu_is_strong(m, i) ? EMU_SYNC_LOOK : EMU_SYNC_NONE;
    case OP_st:
    case OP_multimem_st: return emu_is_strong(m, i) ? EMU_SYNC_CHANGE : EMU_SYNC_NONE;
    default: return EMU_SYNC_NONE;
    }
}

/* The slot of the address, which the decoders put where the operand is. */
static uint32_t address_slot(const struct emu_op *op)
{
    switch (op->source->op) {
    case OP_mbarrier_init:
    case OP_mbarrier_inval:
    case OP_mbarrier_expect_tx:
    case OP_mbarrier_complete_tx:
    case OP_st:
    case OP_multimem_st: return op->d;
    default: return op->a;
    }
}

uint64_t emu_sync_object(const struct emu_thread *t, const struct emu_op *op)
{
    uint64_t at;

    if (op->sync == EMU_SYNC_BARRIER)
        return BARRIERS + ((uint64_t)t->cta->rank << 32) + t->r[op->a];
    if (op->sync == EMU_SYNC_CLUSTER_ARRIVE || op->sync == EMU_SYNC_CLUSTER_WAIT)
        return BARRIERS + CLUSTER_BARRIER;
    at = t->r[address_slot(op)] + (uint64_t)op->offset;
    if (emu_window_of(op->space) == EMU_SHARED_WINDOW)
        at = EMU_SHARED_WINDOW + (uint32_t)at;
    if (at - EMU_SHARED_WINDOW < 1u << EMU_RANK_SHIFT)
        at += (t->cta->rank + 1ull) << EMU_RANK_SHIFT;
    return at;
}

bool emu_sync_is_global(uint64_t object)
{
    return object < BARRIERS && emu_is_global(object);
}

bool emu_sync_is_of_mbarrier(const struct emu_op *op)
{
    switch (op->source->op) {
    case OP_mbarrier_init:
    case OP_mbarrier_inval:
    case OP_mbarrier_expect_tx:
    case OP_mbarrier_complete_tx:
    case OP_mbarrier_arrive:
    case OP_mbarrier_arrive_drop:
    case OP_mbarrier_test_wait:
    case OP_mbarrier_try_wait: return true;
    default: return false;
    }
}

struct emu_cta *emu_sync_cta(struct emu_cluster *c, uint64_t object, uint64_t *offset)
{
    const uint64_t at = object - EMU_SHARED_WINDOW, rank = (at >> EMU_RANK_SHIFT) - 1;

    *offset = at & ((1u << EMU_RANK_SHIFT) - 1);
    return rank < c->cta_count ? &c->ctas[rank] : NULL;
}
// SPDX-License-Identifier: Apache-2.0
