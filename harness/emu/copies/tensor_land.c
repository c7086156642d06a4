/* What a tensor copy does to memory when it is carried out: addresses by the oracle. */
#include "harness/emu/copies/tensor_land.h"

#include "expected/tensor_map.h"
#include "harness/emu/copies/operand.h"
#include "harness/emu/copies/tile.h"
#include "harness/emu/instructions/alu/reduce.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/bytes.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/prior.h"
#include "harness/emu/machine/thread.h"

/* The tile as the tensor has it, without the swizzle. */
void emu_tensor_read(struct emu_flight *f)
{
    const uint64_t span = f->tile.size.span;

    if (f->kind == EMU_TENSOR_LOAD)
        return;
    emu_flight_hold(f, span);
    emu_tile_read(&f->tile, f->from_cta->shared, f->from, f->bytes);
}

/* All that lies inside the tensor must lie in an allocation. */
static void check_run(void *context, const struct emu_tile_run *run)
{
    const struct emu_flight *f = context;

    if (run->inside)
        emu_bytes(f->thread, PTX_global, run->global, run->bytes, 1, f->kind == EMU_TENSOR_LOAD ? EMU_READ : EMU_WRITE,
                  NULL, NULL);
}

static void prior_run(void *context, const struct emu_tile_run *run)
{
    const struct emu_flight *f = context;

    if (run->inside)
        emu_prior_read(f->thread, run->global, run->bytes);
}

void emu_tensor_prior(struct emu_flight *f)
{
    if (emu_machine_of(f->thread)->prior && f->kind == EMU_TENSOR_LOAD)
        emu_tile_runs(&f->tile, prior_run, f);
}

static void reduce_run(void *context, const struct emu_tile_run *run)
{
    const struct emu_flight *f = context;

    if (run->inside)
        alu_reduce(f->op, f->type, f->tile.map.type == TENSOR_F32_FTZ || f->tile.map.type == TENSOR_TF32_FTZ,
                   (unsigned char *)(uintptr_t)run->global, f->bytes + run->linear, run->bytes);
}

void emu_tensor_land(struct emu_flight *f)
{
    struct emu_cluster *c = f->thread->cta->cluster;

    f->thread->bounds[0] = f->kind == EMU_TENSOR_LOAD ? &rule_bulk_range_src : &rule_bulk_range_dst;
    emu_tile_runs(&f->tile, check_run, f);
    f->thread->bounds[0] = NULL;
    if (f->kind == EMU_TENSOR_STORE && f->type != PTX_none) {
        emu_tile_runs(&f->tile, reduce_run, f);
        return;
    }
    if (f->kind == EMU_TENSOR_STORE) {
        emu_tile_store(&f->tile, f->bytes);
        return;
    }
    for (uint32_t rank = 0; rank < c->cta_count; rank++)
        if (emu_flight_reaches(f, &c->ctas[rank])) {
            emu_operand_landing(f, &c->ctas[rank]);
            emu_tile_load(&f->tile, c->ctas[rank].shared, f->to);
        }
}
// SPDX-License-Identifier: Apache-2.0
