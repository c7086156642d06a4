/* Registers whose values follow from what a clock said: the register that a clock is read into, and each register that
 * an instruction writes which reads such a one, in whatever order the instructions run. What a condition on time
 * decides does not count: a number of tries is the program's own. Values pass through local memory and through
 * parameters of calls; there they are not told apart. */
#include "harness/emu/machine/timed.h"

#include <stdlib.h>

#include "harness/emu/machine/thread.h"

/* What is found, for one function at a time. */
struct timed {
    const struct ptx_module *m;
    unsigned char *registers; /* of the function */
    bool memory, more;        /* more: the last pass found something new */
};

static bool is_timed(const struct timed *x, const struct ptx_operand *o)
{
    bool yes = false;

    switch (o->kind) {
    case PO_special: return emu_special_changes((uint16_t)o->reg);
    case PO_register:
    case PO_pair: return o->reg != PTX_NO && x->registers[o->reg];
    case PO_address: return o->flags & PF_BASE_REGISTER && x->registers[o->reg];
    case PO_vector:
    case PO_list:
        for (uint32_t i = 0; i < o->count; i++)
            yes |= is_timed(x, &x->m->operands[o->first + i]);
        return yes;
    default: return false;
    }
}

static void mark_register(struct timed *x, uint32_t reg)
{
    if (reg == PTX_NO || x->registers[reg])
        return;
    x->registers[reg] = 1;
    x->more = true;
}

static void mark(struct timed *x, const struct ptx_operand *o)
{
    if (o->kind == PO_register || o->kind == PO_pair)
        mark_register(x, o->reg);
    if (o->kind == PO_pair)
        mark_register(x, o->second);
    for (uint32_t i = 0; (o->kind == PO_vector || o->kind == PO_list) && i < o->count; i++)
        mark(x, &x->m->operands[o->first + i]);
}

/* Whether the access may be one of local memory or of parameters of a call. */
static bool is_private(const struct ptx_instruction *i)
{
    return i->space[0] == PTX_local || i->space[0] == PTX_param || i->space[0] == PTX_none;
}

static void look_at(struct timed *x, const struct ptx_instruction *i)
{
    bool from = false;

    for (unsigned k = i->op == OP_st || i->op == OP_call ? 0 : 1; k < i->n_operands; k++)
        from |= is_timed(x, ptx_operand(x->m, i, k));
    if (i->op == OP_st || i->op == OP_call) {
        x->more |= from && is_private(i) && !x->memory;
        x->memory |= from && is_private(i);
    }
    if ((i->op == OP_ld || i->op == OP_call) && is_private(i))
        from |= x->memory;
    if (from && i->op != OP_st && i->n_operands)
        mark(x, ptx_operand(x->m, i, 0));
}

static unsigned char *find(struct emu_image *image)
{
    const struct ptx_module *m = image->module;
    unsigned char *all = calloc(m->n_registers + 1, 1);
    struct timed x = { .m = m, .more = all != NULL };

    while (x.more) {
        x.more = false;
        for (uint32_t f = 0; f < m->n_functions; f++) {
            const struct ptx_function *g = &m->functions[f];
            x.registers = all + g->registers;
            for (uint32_t i = 0; i < g->n_instructions; i++)
                look_at(&x, &m->instructions[g->instructions + i]);
        }
    }
    image->memory_timed = x.memory;
    return all;
}

bool emu_timed_prepare(struct emu_image *image)
{
    bool fine;

    pthread_mutex_lock(&image->lock);
    if (!image->timed)
        image->timed = find(image);
    fine = image->timed != NULL;
    pthread_mutex_unlock(&image->lock);
    return fine;
}
// SPDX-License-Identifier: Apache-2.0
