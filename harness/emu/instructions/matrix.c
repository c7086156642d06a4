/* What warp-wide matrix instructions share. */
#include "harness/emu/instructions/matrix.h"

#include "harness/emu/machine/address.h"
#include "harness/emu/machine/code.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"

bool emu_matrix_meet(struct emu_thread *t, const struct emu_op *op, struct emu_meeting *m)
{
    if (emu_run_of(t)->meets) {
        m->mask = UINT32_MAX;
        for (uint32_t i = 0; i < EMU_WARP; i++)
            m->lane[i] = t - t->lane + i;
        return true;
    }
    if (!emu_warp_meet(t, op, UINT32_MAX, 0, 0, m))
        return false;
    if (m->mask != UINT32_MAX)
        emu_bad_access(t, &rule_warp_aligned, m->mask, 0,
                       "a matrix instruction needs all 32 threads of its warp; only lanes 0x%08x are there", m->mask);
    return true;
}

static void whole(struct emu_thread *lanes, uint32_t set, const struct emu_op *op)
{
    struct emu_thread *last = &lanes[EMU_WARP - 1];

    (void)set;
    last->pc = op + 1;
    op->run(last, op);
}

void emu_matrix_together(struct emu_op *op)
{
    op->together = EMU_MEETING;
    op->whole = whole;
}

unsigned emu_matrix_slots(const struct ptx_module *m, const struct ptx_operand *o, uint16_t type, uint32_t *slots,
                          unsigned most)
{
    if (o->kind != PO_vector) {
        slots[0] = emu_slot(o, type);
        return 1;
    }
    if (o->count > most)
        return 0;
    for (uint32_t k = 0; k < o->count; k++)
        slots[k] = emu_slot(&m->operands[o->first + k], type);
    return o->count;
}
// SPDX-License-Identifier: Apache-2.0
