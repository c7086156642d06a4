/* The stack in a thread's local memory, where code uses it explicitly: alloca, stacksave, stackrestore. Parameters of
 * device functions move there once their address is taken (PTX ISA, mov). */
#include <string.h>

#include "harness/emu/instructions/decoders.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/frame.h"

static uint64_t take(struct emu_thread *t, uint64_t bytes, uint64_t align)
{
    const uint64_t at = (t->frame->local_top + align - 1) / align * align;

    if (bytes > EMU_LOCAL_MAX || !emu_local_room(t, at + bytes))
        emu_bad_access(t, NULL, at, bytes, "%llu more bytes on the stack, which holds %llu and may hold %llu",
                       (unsigned long long)bytes, (unsigned long long)at, (unsigned long long)EMU_LOCAL_MAX);
    t->frame->local_top = at + bytes;
    return at;
}

/* op->a: the slot with the number of bytes. */
static void allocate(struct emu_thread *t, const struct emu_op *op)
{
    t->r[op->d] = take(t, t->r[op->a], op->alloca_align);
}

static void save(struct emu_thread *t, const struct emu_op *op)
{
    t->r[op->d] = t->frame->local_top;
}

/* op->d: the slot with the result of stacksave. */
static void restore(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t top = t->r[op->d], least = t->frame->local_base + t->frame->code->function->local_bytes;

    if (top < least || top > t->local_size)
        emu_bad_access(t, NULL, top, 0, "stackrestore of %llu, which is not the result of a stacksave of this function",
                       (unsigned long long)top);
    t->frame->local_top = top;
}

/* op->offset: the parameter's place among all parameters, in bytes; all are copied together. */
static void address_of_parameter(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_frame *f = t->frame;
    const uint64_t bytes = f->code->function->param_bytes + f->code->function->return_bytes;

    if (!f->params_copied) {
        f->params_copied = true;
        f->params_at = take(t, bytes, 16);
        memcpy(t->local + f->params_at, f->params, bytes);
    }
    t->r[op->d] = f->params_at + (uint64_t)op->offset;
}

/* The address of a call's .param variable. */
static void not_modelled(struct emu_thread *t, const struct emu_op *op)
{
    emu_unsupported(t, op->source);
}

emu_handler *emu_decode_stack(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const struct ptx_operand *o;
    const struct ptx_variable *v;

    switch (i->op) {
    case OP_alloca: op->alloca_align = i->n_operands > 2 ? (uint32_t)ptx_operand(m, i, 2)->value : 8; return allocate;
    case OP_stacksave: return save;
    case OP_stackrestore: return restore;
    case OP_mov: break;
    default: return NULL;
    }
    o = ptx_operand(m, i, 1);
    if (o->kind != PO_variable)
        return NULL;
    v = &m->variables[o->symbol];
    if (v->space != PTX_param || v->function == PTX_NO || m->functions[v->function].is_entry)
        return NULL;
    for (uint32_t k = 0; k < m->functions[v->function].n_params; k++)
        if (m->functions[v->function].params + k == o->symbol) {
            op->offset = (int64_t)(v->offset + o->value);
            return address_of_parameter;
        }
    return not_modelled;
}
// SPDX-License-Identifier: Apache-2.0
