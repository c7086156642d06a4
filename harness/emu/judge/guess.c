/* Plain loads whose value is a guess: the CUDA Programming Guide makes any atomic operation of a load and a loop with
 * atomicCAS. The load races with the atomics of other threads; a wrong guess makes the swap fail, and the loop goes on
 * with what the swap found. */
#include "harness/emu/judge/guess.h"

#include <stdlib.h>

/* The register that stands for all those that an instruction copies from or to one another. */
static uint32_t class_of(uint32_t *classes, uint32_t reg)
{
    while (classes[reg] != reg)
        reg = classes[reg] = classes[classes[reg]];
    return reg;
}

static bool copies(const struct ptx_module *m, const struct ptx_instruction *i)
{
    return (i->op == OP_mov || i->op == OP_cvta) && i->n_operands == 2 && i->vector == 1 &&
           ptx_operand(m, i, 0)->kind == PO_register && ptx_operand(m, i, 1)->kind == PO_register;
}

/* By register of the function; NULL where memory runs out. The caller frees it. */
static uint32_t *classes_of(const struct ptx_module *m, const struct ptx_function *f)
{
    uint32_t *classes = malloc((f->n_registers + 1) * sizeof *classes);

    for (uint32_t r = 0; classes && r < f->n_registers; r++)
        classes[r] = r;
    for (uint32_t k = 0; classes && k < f->n_instructions; k++) {
        const struct ptx_instruction *i = &m->instructions[f->instructions + k];
        if (copies(m, i))
            classes[class_of(classes, ptx_operand(m, i, 0)->reg)] = class_of(classes, ptx_operand(m, i, 1)->reg);
    }
    return classes;
}

static bool same_address(uint32_t *classes, const struct ptx_operand *a, const struct ptx_operand *b)
{
    const uint16_t base = PF_BASE_REGISTER | PF_BASE_VARIABLE;

    if (a->kind != PO_address || b->kind != PO_address || a->value != b->value || (a->flags ^ b->flags) & base)
        return false;
    if (a->flags & PF_BASE_REGISTER)
        return class_of(classes, a->reg) == class_of(classes, b->reg);
    return !(a->flags & PF_BASE_VARIABLE) || a->symbol == b->symbol;
}

const struct ptx_instruction *order_guess_of(const struct ptx_module *m, const struct ptx_instruction *load)
{
    const struct ptx_function *f = load ? ptx_function_of(m, load) : NULL;
    const struct ptx_instruction *found = NULL;
    uint32_t *classes;

    if (!f || load->op != OP_ld || load->n_operands < 2 || ptx_operand(m, load, 0)->kind != PO_register ||
        !(classes = classes_of(m, f)))
        return NULL;
    for (uint32_t k = 0; k < f->n_instructions && !found; k++) {
        const struct ptx_instruction *i = &m->instructions[f->instructions + k];
        if (i->op == OP_atom && ptx_has(m, i, PTX_cas) && i->n_operands == 4 &&
            ptx_operand(m, i, 2)->kind == PO_register &&
            same_address(classes, ptx_operand(m, load, 1), ptx_operand(m, i, 1)) &&
            class_of(classes, ptx_operand(m, load, 0)->reg) == class_of(classes, ptx_operand(m, i, 2)->reg))
            found = i;
    }
    free(classes);
    return found;
}
// SPDX-License-Identifier: Apache-2.0
