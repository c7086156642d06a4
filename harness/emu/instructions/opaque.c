/* What is asked about opaque variables: istypep. Textures and surfaces themselves are not modelled. */
#include "harness/emu/instructions/decoders.h"
#include "harness/emu/machine/state.h"
#include "harness/emu/machine/thread.h"

/* Whether the address is that of an opaque variable of the type. */
static void is_type(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_image *image = emu_run_of(t)->image;
    const struct ptx_module *m = image->module;
    bool found = false;

    for (uint32_t k = 0; k < m->n_variables && !found; k++)
        found = m->variables[k].type == op->source->type[0] && m->variables[k].space == PTX_global &&
                image->address[m->variables[k].definition] == t->r[op->a];
    t->r[op->d] = found;
}

emu_handler *emu_decode_opaque(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    (void)m;
    (void)op;
    return i->op == OP_istypep ? is_type : NULL;
}
// SPDX-License-Identifier: Apache-2.0
