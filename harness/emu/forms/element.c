/* Elements of vectors, and operands in place of a register or constant, as ptxas takes them beside what the PTX ISA
 * has. It takes a vector that has an untyped register for one of that type, whatever the others are. */
#include "harness/emu/forms/fits.h"
#include "harness/emu/forms/lax.h"

/* Whether a vector has an untyped register of this many bytes as an element. */
static bool untyped(const struct form_candidate *c, const struct ptx_operand *vector, unsigned bytes)
{
    for (uint32_t j = 0; j < vector->count; j++) {
        const struct ptx_operand *e = &c->m->operands[vector->first + j];
        if (e->kind != PO_register)
            continue;
        const uint16_t type = form_register(c, e->reg)->type;
        if (form_kind_of(type) == FIT_BITS && ptx_type_size(type) == bytes)
            return true;
    }
    return false;
}

/* Whether elements of operand k are fragments of A or B, which ptxas takes for untyped ones. Products that it takes
 * apart are others. */
static bool is_fragment(const struct form_candidate *c, unsigned k, uint16_t type)
{
    return c->i->op == OP_mma && (k == 1 || k == 2) && (type == PTX_u32 || form_has(c, PTX_kind_f8f6f4));
}

static bool is_wmma(uint16_t op)
{
    return op == OP_wmma_load || op == OP_wmma_store || op == OP_wmma_mma;
}

/* Whether a vector has a register as an element. */
static bool registers(const struct form_candidate *c, const struct ptx_operand *vector)
{
    for (uint32_t j = 0; j < vector->count; j++)
        if (c->m->operands[vector->first + j].kind == PO_register)
            return true;
    return false;
}

static bool constant_fits(const struct form_candidate *c, const struct ptx_operand *vector, const struct ptx_operand *e,
                          unsigned k, uint16_t type)
{
    const enum form_kind kind = form_kind_of(type);
    const bool real = e->flags & PF_FLOAT, single = e->flags & PF_SINGLE;

    if (!registers(c, vector) || (real && ptx_type_size(type) < 4) || (is_wmma(c->i->op) && type == PTX_tf32))
        return false;
    if (c->i->op == OP_wmma_store && real)
        return single && kind == FIT_OTHER;
    if (kind == FIT_BITS && real && c->i->op != OP_sust && c->i->op != OP_st && c->i->op != OP_stmatrix)
        return single;
    if (!is_wmma(c->i->op) && (kind == (real ? FIT_FLOAT : FIT_INTEGER) || (kind == FIT_BITS && !real)))
        return true;
    return is_fragment(c, k, type) || untyped(c, vector, ptx_type_size(type));
}

static bool special_fits(const struct form_candidate *c, const struct ptx_operand *e, uint16_t type)
{
    const struct ptx_special_info *s = &ptx_specials[e->reg];

    return !(e->flags & (PF_NOT | PF_NEGATE)) && s->vector == (e->component != 0) && s->version <= c->m->version &&
           s->target <= c->m->sm && ptx_type_size(s->type) == ptx_type_size(type);
}

static bool register_fits(const struct form_candidate *c, const struct ptx_operand *vector, const struct ptx_operand *e,
                          unsigned k, uint16_t type)
{
    const struct ptx_register *r = form_register(c, e->reg);

    return !(e->flags & (PF_NOT | PF_NEGATE)) && !e->component && r->vector == 1 &&
           (r->type != PTX_pred || c->i->op == OP_ldmatrix) &&
           (r->type == PTX_pred || ptx_type_size(r->type) == ptx_type_size(type)) &&
           (r->type == PTX_pred || is_fragment(c, k, type) || untyped(c, vector, ptx_type_size(type))) &&
           (!is_wmma(c->i->op) || type == PTX_f16x2);
}

bool form_lax_element(struct form_candidate *c, const struct ptx_operand *vector, const struct ptx_operand *e,
                      unsigned k, uint16_t type, bool source)
{
    if (!c->lenient || (vector->count == 1 && (c->i->op == OP_mma || is_wmma(c->i->op))))
        return false;
    switch (e->kind) {
    case PO_immediate: return source && constant_fits(c, vector, e, k, type) && form_lax(c, LAX_CONSTANT, k);
    case PO_special: return special_fits(c, e, type) && form_lax(c, LAX_SPECIAL, k);
    case PO_register: return register_fits(c, vector, e, k, type) && form_lax(c, LAX_KIND, k);
    default: return false;
    }
}

bool form_lax_source(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type, bool constant,
                     bool own)
{
    const enum form_kind kind = form_kind_of(type);
    const unsigned bytes = ptx_type_size(type);
    const bool whole = (kind == FIT_BITS || kind == FIT_INTEGER) && bytes <= 8;

    if (!c->lenient)
        return false;
    if (o->kind == PO_variable)
        return whole && (own || bytes == 4 || c->i->op == OP_isspacep) && o->flags & PF_OFFSET &&
               !form_is_argument(c, o->symbol) && form_lax(c, LAX_SYMBOL, k);
    if (o->kind == PO_function)
        return constant && own && type != PTX_pred && form_lax(c, LAX_SYMBOL, k);
    if (o->kind == PO_immediate && !constant && !(o->flags & PF_FLOAT))
        return whole && form_lax(c, LAX_CONSTANT, k);
    return form_lax_vector(c, o, k, type, true);
}

/* Whether element `e` of a vector may stand for a value of this type, or for a part of one. */
static bool stands_for(const struct form_candidate *c, const struct ptx_operand *e, uint16_t type, bool source,
                       unsigned *bytes)
{
    const unsigned size = ptx_type_size(type);
    const bool parts = c->i->op == OP_suld || c->i->op == OP_sust;

    if (e->kind == PO_immediate) {
        *bytes += size;
        return source && parts;
    }
    if (e->kind != PO_register || e->flags & (PF_NOT | PF_NEGATE) || e->component)
        return false;
    const struct ptx_register *r = form_register(c, e->reg);
    *bytes += ptx_type_size(r->type);
    return r->vector == 1 && r->type != PTX_pred && (parts || ptx_type_size(r->type) == size);
}

/* Whether all elements of a vector are floating-point ones. */
static bool real_elements(const struct form_candidate *c, const struct ptx_operand *vector)
{
    for (uint32_t j = 0; j < vector->count; j++) {
        const struct ptx_operand *e = &c->m->operands[vector->first + j];
        if (e->kind != PO_register || form_kind_of(form_register(c, e->reg)->type) != FIT_FLOAT)
            return false;
    }
    return true;
}

bool form_lax_vector(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type, bool source)
{
    const bool parts = c->i->op == OP_suld || c->i->op == OP_sust;
    unsigned bytes = 0;

    if (!c->lenient)
        return false;
    if (c->i->op == OP_st_async && (form_kind_of(type) == FIT_BITS || c->i->n_operands != 3))
        return false;
    if (o->kind == PO_register && form_register(c, o->reg)->vector > 1 && !o->component && !parts) {
        const struct ptx_register *r = form_register(c, o->reg);
        bytes = ptx_type_size(r->type) * r->vector;
        return r->type == PTX_b32 && r->vector == 2 && bytes >= ptx_type_size(type) && form_lax(c, LAX_VECTOR, k);
    }
    if (o->kind != PO_vector || ((o->count != 1 || parts) && o->count != 2 && o->count != 4))
        return false;
    if (!parts && form_kind_of(type) == FIT_INTEGER && real_elements(c, o))
        return false;
    for (uint32_t j = 0; j < o->count; j++)
        if (!stands_for(c, &c->m->operands[o->first + j], type, source, &bytes))
            return false;
    return bytes >= ptx_type_size(type) && form_alike(c, o, k) && form_lax(c, LAX_VECTOR, k);
}
// SPDX-License-Identifier: Apache-2.0
