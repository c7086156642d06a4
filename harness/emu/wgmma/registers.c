/* Registers of products in flight may not be touched, and wgmma.fence orders other accesses of them. So ops that access
 * such a register tell the watcher first. */
#include <stdlib.h>

#include "harness/emu/machine/watch.h"
#include "harness/emu/wgmma/wgmma.h"

enum { MOST = 512 }; /* registers that an op accesses */

/* A function's registers that its products use. */
struct used {
    const struct ptx_module *m;
    uint32_t *number; /* by slot, counted: 1 and the number; 0: no product uses it */
    uint32_t slots, count;
};

static uint32_t slot_of(const struct used *u, uint32_t reg, uint32_t *slots, uint32_t n)
{
    const uint32_t slot = reg == PTX_NO || n == MOST ? EMU_NO : emu_register_slot(reg) / EMU_WARP;

    if (slot < u->slots)
        slots[n++] = slot;
    return n;
}

/* Adds the slots of all registers in an operand to the n that are there; returns how many these are then. */
static uint32_t slots_in(const struct used *u, const struct ptx_operand *o, uint32_t *slots, uint32_t n)
{
    switch (o->kind) {
    case PO_register: return slot_of(u, o->reg, slots, n);
    case PO_pair: return slot_of(u, o->second, slots, slot_of(u, o->reg, slots, n));
    case PO_address: return o->flags & PF_BASE_REGISTER ? slot_of(u, o->reg, slots, n) : n;
    case PO_vector:
    case PO_tensor:
    case PO_list:
        for (uint32_t k = 0; k < o->count; k++)
            n = slots_in(u, &u->m->operands[o->first + k], slots, n);
        return n;
    default: return n;
    }
}

static bool is_product(const struct ptx_instruction *i)
{
    return i->op == OP_wgmma_mma_async || i->op == OP_wgmma_mma_async_sp;
}

/* The registers of D, then those of A. */
static void number_product(struct used *u, struct emu_op *op)
{
    uint32_t slots[MOST], n = slots_in(u, ptx_operand(u->m, op->source, 0), slots, 0);

    if (!op->wgmma->a_shared)
        n = slots_in(u, ptx_operand(u->m, op->source, 1), slots, n);
    op->wgmma->used = emu_kept(n * sizeof *slots);
    for (uint32_t k = 0; op->wgmma->used && k < n; k++) {
        if (!u->number[slots[k]])
            u->number[slots[k]] = ++u->count;
        op->wgmma->used[k] = u->number[slots[k]] - 1;
        op->wgmma->used_count = k + 1;
    }
}

static void touch(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);

    if (watch && watch->wgmma_registers)
        watch->wgmma_registers(t, op);
    op->touched->run(t, op);
}

static void watch_op(const struct used *u, struct emu_op *op)
{
    uint32_t slots[MOST], n = 0, count = 0;
    struct emu_touched *touched;

    for (unsigned k = 0; k < op->source->n_operands; k++)
        n = slots_in(u, ptx_operand(u->m, op->source, k), slots, n);
    for (uint32_t k = 0; k < n; k++)
        if (u->number[slots[k]])
            slots[count++] = u->number[slots[k]] - 1;
    touched = count ? emu_kept(sizeof *touched + count * sizeof *slots) : NULL;
    if (!touched)
        return;
    touched->run = op->run;
    touched->count = count;
    for (uint32_t k = 0; k < count; k++)
        touched->registers[k] = slots[k];
    op->touched = touched;
    op->run = touch;
    op->lanes = NULL;
    op->together = EMU_APART;
}

void emu_wgmma_registers(const struct ptx_module *m, struct emu_code *c)
{
    struct used u = { .m = m, .slots = c->slots };
    uint32_t products = 0;

    for (uint32_t i = 0; i < c->function->n_instructions; i++)
        products += is_product(c->ops[i].source) && c->ops[i].run == emu_wgmma_issue;
    if (!products)
        return;
    u.number = calloc(u.slots + 1, sizeof *u.number);
    for (uint32_t i = 0; u.number && i < c->function->n_instructions; i++)
        if (c->ops[i].run == emu_wgmma_issue)
            number_product(&u, &c->ops[i]);
    for (uint32_t i = 0; u.number && i < c->function->n_instructions; i++)
        if (!is_product(c->ops[i].source))
            watch_op(&u, &c->ops[i]);
    free(u.number);
}
// SPDX-License-Identifier: Apache-2.0
