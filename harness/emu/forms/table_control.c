/* Instruction table: control flow, the stack, and some single instructions. */
#include "harness/emu/forms/extra.h"
#include "harness/emu/forms/tables.h"

/* The alignment of what alloca allocates is a power of two. */
static bool alignment(struct form_candidate *c)
{
    const struct ptx_operand *o = ptx_operand(c->m, c->i, 2);

    if (c->i->n_operands == 3 && (!o->value || o->value & (o->value - 1)))
        return form_fail(c, o, "the alignment %lld is no power of two", (long long)o->value);
    return true;
}

const struct ptx_form ptx_forms_control[] = {
    { OP_bra, "?uni", "l" },
    { OP_brx, "^idx ?uni", "ru32 z", 60, "30", form_branch_targets },
    { OP_call, "?uni", "z z z z", 0, NULL, form_call },
    { OP_ret, "?uni", "" },
    { OP_exit, "", "" },
    { OP_trap, "", "" },
    { OP_brkpt, "", "" },
    { OP_pmevent, "", "i0..15", 14 },
    { OP_pmevent, "mask", "i0..65535", 30, "20" },
    { OP_alloca, "u32|u64", "dT0 sT0 ?i", 73, "52", alignment },
    { OP_stacksave, "u32|u64", "dT0", 73, "52" },
    { OP_stackrestore, "u32|u64", "rT0", 73, "52" },
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
