/* By the text of a function, not by the way that the thread would go. */
#include "harness/emu/judge/behind.h"

#include "harness/emu/judge/waiters.h"
#include "harness/emu/machine/thread.h"

bool behind_is_barrier(const struct ptx_module *m, const struct ptx_instruction *i)
{
    (void)m;
    return i->op == OP_bar || i->op == OP_barrier;
}

bool behind_is_bulk_copy(const struct ptx_module *m, const struct ptx_instruction *i)
{
    (void)m;
    return i->op == OP_cp_async_bulk || i->op == OP_cp_async_bulk_tensor;
}

bool behind_is_bulk_load(const struct ptx_module *m, const struct ptx_instruction *i)
{
    return behind_is_bulk_copy(m, i) && ptx_has(m, i, PTX_mbarrier_complete_tx_bytes);
}

bool behind_is_arrive(const struct ptx_module *m, const struct ptx_instruction *i)
{
    (void)m;
    return i->op == OP_mbarrier_arrive || i->op == OP_mbarrier_arrive_drop;
}

bool behind_is_plain_arrive(const struct ptx_module *m, const struct ptx_instruction *i)
{
    return behind_is_arrive(m, i) && !ptx_has(m, i, PTX_expect_tx);
}

static bool has(const struct ptx_module *m, const struct ptx_instruction *i, const struct ptx_instruction *end,
                behind_is *is)
{
    while (i < end && !is(m, i))
        i++;
    return i < end;
}

bool behind_comes(const struct emu_thread *t, behind_is *is)
{
    const struct ptx_module *m = t->cta->cluster->grid->module;
    const struct ptx_function *f = t->frame->code->function;

    return has(m, waiter_at(t) + 1, &m->instructions[f->instructions + f->n_instructions], is);
}

bool behind_comes_again(const struct emu_thread *t, behind_is *is)
{
    const struct ptx_module *m = t->cta->cluster->grid->module;
    const struct ptx_function *f = t->frame->code->function;
    const struct ptx_instruction *last = &m->instructions[f->instructions + f->n_instructions], *loop = waiter_at(t);

    for (const struct ptx_instruction *i = waiter_at(t); i < last; i++) {
        const struct ptx_operand *to = i->op == OP_bra ? &m->operands[i->operands] : NULL;
        if (to && to->kind == PO_label && &m->instructions[to->reg] < loop)
            loop = &m->instructions[to->reg];
    }
    return behind_comes(t, is) || has(m, loop, waiter_at(t), is);
}
// SPDX-License-Identifier: Apache-2.0
