/* Which registers and constants go with which type. PTX ISA, "Operand Size Exceeding Instruction-Type Size" and
 * "Operand Type Information". */
#include "harness/emu/forms/fits.h"

#include "harness/emu/forms/lax.h"

enum form_kind form_kind_of(uint16_t type)
{
    switch (type) {
    case PTX_b8:
    case PTX_b16:
    case PTX_b32:
    case PTX_b64:
    case PTX_b128: return FIT_BITS;
    case PTX_u8:
    case PTX_u16:
    case PTX_u32:
    case PTX_u64:
    case PTX_s8:
    case PTX_s16:
    case PTX_s32:
    case PTX_s64: return FIT_INTEGER;
    case PTX_f16:
    case PTX_bf16:
    case PTX_f32:
    case PTX_f64: return FIT_FLOAT;
    default: return FIT_OTHER;
    }
}

bool form_register_fits(const struct ptx_register *r, uint16_t type, bool wider)
{
    if (r->vector != 1)
        return false;
    if ((r->type == PTX_pred) != (type == PTX_pred))
        return false;
    const unsigned has = ptx_type_size(r->type), needs = ptx_type_size(type);
    if (has != needs && !(wider && has > needs && type != PTX_bf16))
        return false;
    if (r->type == type)
        return true;
    const enum form_kind of_register = form_kind_of(r->type), of_type = form_kind_of(type);
    if (of_type == FIT_BITS)
        return true;
    if (of_type == FIT_INTEGER)
        return of_register == FIT_INTEGER || of_register == FIT_BITS;
    /* A floating-point or packed type goes with its own registers or untyped ones. */
    return form_kind_of(r->type) == FIT_BITS;
}

bool form_immediate_fits(const struct ptx_operand *o, uint16_t type)
{
    if (type == PTX_pred)
        return !(o->flags & PF_FLOAT);
    const enum form_kind k = form_kind_of(type);
    if (!(o->flags & PF_FLOAT))
        return k == FIT_BITS || k == FIT_INTEGER;
    if (k == FIT_FLOAT)
        return type == PTX_f32 || type == PTX_f64;
    return k == FIT_BITS && type == (o->flags & PF_SINGLE ? PTX_b32 : PTX_b64);
}

bool form_is_register(const struct form_candidate *c, const struct ptx_operand *o, uint16_t type, bool wider)
{
    if (o->kind != PO_register || o->flags & (PF_NOT | PF_NEGATE))
        return false;
    if (o->component) {
        const struct ptx_register *v = form_register(c, o->reg);
        struct ptx_register part = *v;
        if (v->vector == 1 || o->component < 'w' || (o->component == 'z' && v->vector < 3) ||
            (o->component == 'w' && v->vector < 4))
            return false;
        part.vector = 1;
        return form_register_fits(&part, type, wider);
    }
    return form_register_fits(form_register(c, o->reg), type, wider);
}

bool form_fits(const struct form_candidate *c, const struct ptx_operand *o, uint16_t type, bool constant)
{
    return form_is_register(c, o, type, false) || (constant && o->kind == PO_immediate && form_immediate_fits(o, type));
}

bool form_is_opaque(uint16_t type)
{
    return type == PTX_texref || type == PTX_samplerref || type == PTX_surfref;
}

/* An element of a vector: what it holds, and its bytes; 0 for a constant, which goes with any width. */
struct element {
    enum form_kind kind;
    uint16_t type;
    unsigned bytes;
};

/* Whether `o` has a width and kind at all: _ and what is no value have none. */
static bool element_of(const struct form_candidate *c, const struct ptx_operand *o, struct element *e)
{
    if (o->kind == PO_immediate) {
        *e = (struct element){ o->flags & PF_FLOAT ? FIT_FLOAT : FIT_INTEGER, PTX_none, 0 };
        return true;
    }
    if (o->kind != PO_register)
        return false;
    const uint16_t type = form_register(c, o->reg)->type;
    *e = (struct element){ form_kind_of(type), type, ptx_type_size(type) };
    return true;
}

/* Whether a vector of this instruction may have parts of vector registers as elements. ptxas 13.5 reads .x as a syntax
 * error in the others. */
static bool takes_parts(uint16_t op)
{
    return op == OP_ld || op == OP_st || op == OP_mov;
}

bool form_alike(struct form_candidate *c, const struct ptx_operand *vector, unsigned k)
{
    struct element typed = { .kind = FIT_BITS }; /* the first one that is not untyped */
    unsigned bytes = 0, sinks = 0, parts = 0, constants = 0;

    for (uint32_t j = 0; j < vector->count; j++) {
        const struct ptx_operand *o = &c->m->operands[vector->first + j];
        struct element e;
        sinks += o->kind == PO_sink;
        parts += o->kind == PO_register && o->component;
        constants += o->kind == PO_immediate;
        if (!element_of(c, o, &e))
            continue;
        if (e.bytes && bytes && e.bytes != bytes)
            return form_fail(c, o, "the elements of a vector must have one width");
        if (e.bytes)
            bytes = e.bytes;
        if (e.kind == FIT_BITS)
            continue;
        if (typed.kind == FIT_BITS)
            typed = e;
        if (e.kind != typed.kind || (e.kind == FIT_OTHER && e.type != typed.type))
            return form_fail(c, o, "the elements of a vector must be of one kind");
    }
    if (sinks == vector->count)
        return form_fail(c, vector, "a vector must have an element beside _");
    if (parts && (constants || !takes_parts(c->i->op)) && (constants || !form_lax(c, LAX_PART, k)))
        return form_fail(c, vector, "the elements of this vector must be whole registers");
    return true;
}
// SPDX-License-Identifier: Apache-2.0
