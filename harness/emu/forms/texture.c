/* Operands of textures and surfaces: what an instruction reads, and where. PTX ISA, "Texture Instructions", "Surface
 * Instructions". */
#include "harness/emu/forms/texture.h"

#include "harness/emu/forms/fits.h"
#include "harness/emu/forms/lax.h"

/* How many elements the vectors of a geometry have. */
static const struct geometry {
    uint16_t word;
    uint8_t coordinates; /* with the array index and the sample, and with what is there to fill up a vector of 4 */
    bool array;          /* the first one is an index, an unsigned integer */
    uint8_t steps;       /* of an offset or gradient; 0: there are none */
} geometries[] = {
    { PTX_n1d, 1, false, 1 },  { PTX_n2d, 2, false, 2 },  { PTX_n3d, 4, false, 4 },
    { PTX_a1d, 2, true, 1 },   { PTX_a2d, 4, true, 2 },   { PTX_cube, 4, false, 4 },
    { PTX_acube, 4, true, 4 }, { PTX_n2dms, 4, true, 2 }, { PTX_a2dms, 4, true, 2 },
};

static const struct geometry *geometry_of(const struct form_candidate *c)
{
    const uint16_t word = ptx_word_of(c->m, c->i, PC_geometry);

    for (size_t i = 0; i < sizeof geometries / sizeof *geometries; i++)
        if (geometries[i].word == word)
            return &geometries[i];
    return NULL;
}

static bool wrong(struct form_candidate *c, const struct ptx_operand *o, unsigned k, const char *what)
{
    return form_fail(c, o, "operand %u of '%s' must be %s", k + 1, ptx_op_text[c->i->op], what);
}

/* A handle in a 64-bit register, or a variable of the type. */
static bool handle(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type)
{
    if (o->flags & PF_BASE_VARIABLE && c->m->variables[o->symbol].type == type && !(o->flags & PF_OFFSET))
        return true;
    if (o->flags & PF_BASE_REGISTER && !(o->flags & PF_OFFSET) && !o->component &&
        form_register_fits(form_register(c, o->reg), PTX_u64, false))
        return true;
    return form_fail(c, o, "operand %u of '%s' must name a .%s, or have a handle in a register of 64 bits", k + 1,
                     ptx_op_text[c->i->op], ptx_word_text[type]);
}

bool form_opaque(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type)
{
    return o->kind == PO_address ? handle(c, o, k, type) : wrong(c, o, k, "in brackets");
}

/* Whether ptxas takes a sampler in the unified mode with these operands. */
static bool samples(const struct form_candidate *c, uint16_t coordinate)
{
    const unsigned last = c->i->n_operands - 1u;

    const unsigned kind = ptx_operand(c->m, c->i, last)->kind;

    if (form_has(c, PTX_level))
        return coordinate == PTX_f32 && (last < 3 || kind == PO_register);
    return !form_has(c, PTX_grad) || (!form_has(c, PTX_n3d) && (last < 4 || kind == PO_vector));
}

/* In the independent texture mode a texture is read by a sampler, which in the unified one is part of it. PTX ISA,
 * "Texturing Modes"; ptxas 13.5 takes a sampler with some geometries in the unified mode too, and breaks down with
 * others. */
static bool sampler(struct form_candidate *c, const struct ptx_operand *tensor, unsigned k, uint16_t coordinate)
{
    const struct ptx_operand *s = &c->m->operands[tensor->first + 1];

    if (!c->m->texmode_independent && tensor->count != 2 && !(samples(c, coordinate) && form_lax(c, LAX_SAMPLER, k)))
        return wrong(c, s, k, "without a sampler: the texture mode is the unified one");
    if (tensor->count == 2)
        return !c->m->texmode_independent ||
               wrong(c, tensor, k, "[texture, sampler, {coordinates}] in the independent texture mode");
    if (s->kind == PO_variable && c->m->variables[s->symbol].type == PTX_samplerref && !(s->flags & PF_OFFSET))
        return true;
    return form_fits(c, s, PTX_u64, false) || wrong(c, s, k, "with a sampler, or its handle in a register of 64 bits");
}

/* Whether ptxas takes this vector, which has more elements: those of coordinates and offsets, not of gradients. */
static bool larger(struct form_candidate *c, const struct ptx_operand *o, unsigned k, const struct geometry *g,
                   bool exact)
{
    return o->count > g->coordinates && (o->count == 2 || o->count == 4) && !exact && form_lax(c, LAX_LARGER, k);
}

/* A vector of `count` elements, the first an index if `array`; or a scalar for one. */
static bool elements(struct form_candidate *c, const struct ptx_operand *o, unsigned k, const struct geometry *g,
                     uint16_t type, bool steps, bool exact)
{
    if (g->coordinates == 1 && o->kind != PO_vector)
        return form_fits(c, o, type, true) || wrong(c, o, k, "with one coordinate");
    if (o->kind != PO_vector && !g->array && c->lenient && steps && form_fits(c, o, type, true) &&
        form_lax(c, LAX_SCALAR, k))
        return true;
    if (o->kind != PO_vector || (o->count != g->coordinates && !larger(c, o, k, g, exact)))
        return form_fail(c, o, "operand %u of '%s' must be a vector of %u elements", k + 1, ptx_op_text[c->i->op],
                         g->coordinates);
    for (uint32_t j = 0; j < o->count; j++) {
        const struct ptx_operand *e = &c->m->operands[o->first + j];
        const uint16_t of = j == 0 && g->array ? PTX_u32 : type;
        if (!form_fits(c, e, of, true) && !(form_lax_element(c, o, e, k, of, true) && form_alike(c, o, k)))
            return form_fail(c, e, "element %u of operand %u of '%s' must be for .%s", j + 1, k + 1,
                             ptx_op_text[c->i->op], ptx_word_text[of]);
    }
    return true;
}

bool form_texel(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type, uint16_t coordinate)
{
    const struct geometry *g = geometry_of(c);
    const bool texture = type == PTX_texref;

    if (!g || o->kind != PO_tensor || (o->count != 2 && !(texture && o->count == 3)))
        return wrong(c, o, k, texture ? "[texture, {coordinates}]" : "[surface, {coordinates}]");
    const struct ptx_operand *in = &c->m->operands[o->first];
    if (!handle(c, &in[0], k, type))
        return false;
    if (texture && !sampler(c, o, k, coordinate))
        return false;
    return elements(c, &in[o->count - 1], k, g, coordinate, false, o->count == 3 && !c->m->texmode_independent);
}

static bool is_untyped(const struct form_candidate *c, const struct ptx_operand *o)
{
    return o->kind == PO_register && form_kind_of(form_register(c, o->reg)->type) == FIT_BITS;
}

bool form_steps(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type)
{
    const struct geometry *g = geometry_of(c);

    if (!g || !g->steps)
        return wrong(c, o, k, "left out for this geometry");
    const struct geometry as = { .coordinates = g->steps };
    if (type == PTX_f32 && o->kind != PO_vector)
        return wrong(c, o, k, "a vector");
    if (form_has(c, PTX_grad) && k + 1u < c->i->n_operands && o->kind != PO_vector && !is_untyped(c, o))
        return wrong(c, o, k,
                     "a vector or register of a .b type: a depth follows the gradient's offset"); /* ptxas 13.5 */
    return elements(c, o, k, &as, type, type == PTX_s32, type == PTX_f32);
}

bool form_sampler_query(struct form_candidate *c)
{
    const struct ptx_operand *o = ptx_operand(c->m, c->i, 1);

    if (!c->m->texmode_independent || !(o->flags & PF_BASE_VARIABLE))
        return true;
    return form_fail(c, o, "'%s' of this attribute must name a .samplerref in the independent texture mode",
                     ptx_op_text[c->i->op]);
}
// SPDX-License-Identifier: Apache-2.0
