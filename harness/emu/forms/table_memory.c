/* Instruction table: loads, stores, atomics, reductions, moves, address conversion, matrices in shared memory. */
#include "harness/emu/forms/extra.h"
#include "harness/emu/forms/fits.h"
#include "harness/emu/forms/tables.h"

#define LOAD_SPACE                                                                                                     \
    "?global|local|param|param::entry@83|param::func@83|shared|shared::cta@78|shared::cluster@78/90|const"
#define STORE_SPACE "?global|local|param|param::func@83|shared|shared::cta@78|shared::cluster@78/90"
#define VOLATILE    "?global|local@91|shared|shared::cta@78|shared::cluster@78/90"
#define L1                                                                                                             \
    "?L1::evict_normal@74/70|L1::evict_unchanged@74/70|L1::evict_first@74/70|L1::evict_last@74/70|L1::no_allocate@74/70 "
#define L2E  "?L2::evict_normal@88/100|L2::evict_first@88/100|L2::evict_last@88/100 "
#define OPT  L1 L2E "?$hint ?$prefetch "
#define VEC  "?v2|v4|v8@88/100 "
#define HINT " <L2::cache_hint>su64"

/* What is said about a cache's second level, and priorities in the first, is about global memory. */
static bool cached(struct form_candidate *c)
{
    const uint16_t evict = ptx_word_of(c->m, c->i, PC_evict);
    const uint16_t word = evict ? evict : ptx_word_of(c->m, c->i, PC_prefetch_size);

    if (word && c->i->space[0] && c->i->space[0] != PTX_global)
        return form_fail(c, NULL, "'.%s' is allowed on .global addresses only", ptx_word_text[word]);
    if (c->i->op == OP_ld || !form_has(c, PTX_L2_cache_hint))
        return true;
    /* a load may, where the address is generic */
    for (unsigned k = 0; k < c->i->n_operands; k++) {
        const struct ptx_operand *o = ptx_operand(c->m, c->i, k);
        if (o->kind == PO_address && o->flags & PF_BASE_VARIABLE && c->m->variables[o->symbol].space != PTX_global)
            return form_fail(c, o, "'.L2::cache_hint' is allowed on .global addresses only");
    }
    return true;
}

static bool atomic(struct form_candidate *c)
{
    return cached(c) && form_whole(c);
}

/* Whether a call that stands before leaves its result in this variable. */
static bool is_result(const struct form_candidate *c, uint32_t symbol)
{
    const struct ptx_instruction *first = &c->m->instructions[c->f->instructions];

    for (const struct ptx_instruction *i = c->i; i > first; i--) {
        const struct ptx_operand *results = i[-1].op == OP_call ? ptx_operand(c->m, &i[-1], 0) : NULL;
        for (uint32_t k = 0; results && k < results->count; k++) {
            const struct ptx_operand *o = &c->m->operands[results->first + k];
            if (o->kind == PO_variable && o->symbol == symbol)
                return true;
        }
    }
    return false;
}

/* An argument of calls, and a result, which are accessed on the way to a call and from it. PTX ISA, "call"; ptxas 13.5
 * looks for a call in the order of the text. */
static bool argument(struct form_candidate *c, const struct ptx_operand *o)
{
    const char *name = c->m->variables[o->symbol].name;

    if (c->i->guard != PTX_NO)
        return form_fail(c, o, "'%s' is an argument of calls, and no access of it has a predicate", name);
    if (c->i->op == OP_st)
        return true;
    if (c->i->space[0] == PTX_param_entry)
        return form_fail(c, o, "'%s' is not a kernel's parameter", name);
    return is_result(c, o->symbol) || form_fail(c, o, "no call before leaves a result in '%s'", name);
}

/* .param::func is the space of the arguments of calls and of the parameters of device functions. A kernel's parameters,
 * and those that a function is called with, are not written. */
static bool parameter(struct form_candidate *c)
{
    const struct ptx_operand *o = ptx_operand(c->m, c->i, c->i->op == OP_st ? 0 : 1);
    const bool named = o->kind == PO_address && o->flags & PF_BASE_VARIABLE;
    const bool input = named && o->symbol >= c->f->params && o->symbol < c->f->params + c->f->n_params;
    const bool output = named && o->symbol >= c->f->returns && o->symbol < c->f->returns + c->f->n_returns;

    if (c->i->space[0] == PTX_param_func && (!named || (input && c->f->is_entry)))
        return form_fail(c, o, "'.param::func' is not the space of a kernel's parameters");
    if (named && form_is_argument(c, o->symbol))
        return argument(c, o);
    if (c->i->op == OP_ld && output && c->m->variables[o->symbol].space == PTX_param)
        return form_fail(c, o, "'%s' is what the function returns, and cannot be read",
                         c->m->variables[o->symbol].name);
    if (c->i->op == OP_st && !named && c->i->space[0] == PTX_param)
        return form_fail(c, o, "a store to .param must name the parameter");
    if (c->i->op == OP_st && input && c->m->variables[o->symbol].space == PTX_param)
        return form_fail(c, o, "'%s' is a parameter that the function is given, and cannot be written",
                         c->m->variables[o->symbol].name);
    return true;
}

/* No 32-bit address is generic where addresses have 64 bits. */
static bool generic_width(struct form_candidate *c)
{
    if (ptx_type_size(c->i->type[0]) * 8 < c->m->address_size)
        return form_fail(c, NULL, "'.%s' on 'cvta' needs .address_size 32", ptx_word_text[c->i->type[0]]);
    return true;
}

/* Vectors are at most 16 bytes; 32 where the machine has wide accesses. */
static bool width(struct form_candidate *c)
{
    const unsigned bytes = ptx_type_size(c->i->type[0]) * c->i->vector;
    if (!cached(c) || !parameter(c))
        return false;
    const bool wide = c->m->sm >= 100 && c->m->version >= 88 && c->i->op != OP_ldu;
    if (bytes != 32 &&
        (form_has(c, PTX_L2_evict_normal) || form_has(c, PTX_L2_evict_first) || form_has(c, PTX_L2_evict_last)))
        return form_fail(c, NULL, "a priority in L2 is allowed on vectors of 32 bytes only");
    if (c->i->vector == 8 && ptx_type_size(c->i->type[0]) != 4)
        return form_fail(c, NULL, "'.v8' is allowed on types of 32 bits only");
    if (bytes > 16 && !(wide && bytes == 32 && (c->i->space[0] == PTX_global || !c->i->space[0])))
        return form_fail(c, NULL, "a vector of %u bytes is more than the 16 that '%s' takes", bytes,
                         ptx_op_text[c->i->op]);
    if (c->i->type[0] == PTX_b128 && c->i->vector > 1)
        return form_fail(c, NULL, "'.b128' cannot be part of a vector");
    return true;
}

/* mov of a vector: the parts fill the whole. */
static bool parts(struct form_candidate *c)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct ptx_operand *o = ptx_operand(c->m, c->i, k);
        if (o->kind == PO_register && !o->component &&
            form_register(c, o->reg)->vector > 1) { /* a whole vector register */
            const struct ptx_register *v = form_register(c, o->reg);
            if (ptx_type_size(v->type) * v->vector == ptx_type_size(c->i->type[0]))
                return true;
        }
        if (o->kind != PO_vector)
            continue;
        const struct ptx_operand *other = ptx_operand(c->m, c->i, 1 - k);
        unsigned bytes = ptx_type_size(c->i->type[0]);
        if (other->kind == PO_vector || !o->count || bytes % o->count || bytes / o->count == 0)
            return form_fail(c, o, "'mov' packs or unpacks 2 or 4 parts of one register");
        const unsigned part = bytes / o->count;
        for (uint32_t j = 0; j < o->count; j++) {
            const struct ptx_operand *e = &c->m->operands[o->first + j];
            if (e->kind == PO_sink && k == 0)
                continue;
            if (e->kind == PO_immediate && k == 1)
                continue;
            if (e->kind != PO_register)
                return form_fail(c, e, "a part must be a register");
            const struct ptx_register *r = form_register(c, e->reg);
            if (ptx_type_size(r->type) != part || r->type == PTX_pred)
                return form_fail(c, e, "each part must have %u bits", part * 8);
        }
        if (!form_alike(c, o, k))
            return false;
        const struct ptx_register *r = other->kind == PO_register ? form_register(c, other->reg) : NULL;
        if (other->kind == PO_immediate && k == 0)
            return true;
        if (!r || r->type == PTX_pred || ptx_type_size(r->type) != bytes)
            return form_fail(c, other, "the packed value must be a register of %u bits", bytes * 8);
        return true;
    }
    c->now.stage = 0; /* no vector at all: what another form says is of more use */
    return form_fail(c, NULL, "'mov' packs or unpacks 2 or 4 parts of one register");
}

#define ATOM_SEM   "?relaxed@60/70|acquire@60/70|release@60/70|acq_rel@60/70 "
#define RED_SEM    "?relaxed@60/70|release@60/70 "
#define ATOM_SCOPE "?cta@50/60|cluster@78/90|gpu@50/60|sys@50/60 "
#define ATOM_SPACE "?global|shared|shared::cta@78|shared::cluster@78/90 "
#define ATOM_HEAD  ATOM_SEM ATOM_SCOPE ATOM_SPACE
#define RED_HEAD   RED_SEM ATOM_SCOPE ATOM_SPACE

const struct ptx_form ptx_forms_memory[] = {
    /* Loads: weak, with a cache operation or eviction priority; relaxed, acquire, volatile. */
    { OP_ld, "?weak@60 " LOAD_SPACE " ?ca|cg|cs|lu|cv ?$hint ?$prefetch " VEC "$memory", "WT0+ aS0" HINT, 0, NULL,
      width },
    { OP_ld, "?weak@60 " LOAD_SPACE " " OPT VEC "$memory", "WT0+ aS0" HINT, 0, NULL, width },
    { OP_ld, "volatile " VOLATILE " ?$prefetch " VEC "$memory", "WT0+ aS0", 0, NULL, width },
    { OP_ld, "relaxed|acquire $scope ?global|shared|shared::cta@78|shared::cluster@78/90 " OPT VEC "$memory",
      "WT0+ aS0" HINT, 60, "70", width },
    { OP_ld, "mmio relaxed sys ?global b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64", "dT0+ aS0", 82, "70",
      form_whole },
    { OP_ld, "global ?ca|cg|cs nc ?$hint ?$prefetch " VEC "$memory", "WT0+ ag" HINT, 31, "32", width },
    { OP_ld, "global nc " OPT VEC "$memory", "WT0+ ag" HINT, 74, "32", width },
    { OP_ldu, "?global ?v2|v4 $memory", "WT0+ ag", 20, "20", width },
    { OP_st, "?weak@60 " STORE_SPACE " ?wb|cg|cs|wt ?$hint " VEC "$memory", "aS0 wT0+" HINT, 0, NULL, width },
    { OP_st, "?weak@60 " STORE_SPACE " " L1 L2E "?$hint " VEC "$memory", "aS0 wT0+" HINT, 0, NULL, width },
    { OP_st, "volatile " VOLATILE " " VEC "$memory", "aS0 wT0+", 0, NULL, width },
    { OP_st,
      "relaxed|release $scope ?global|shared|shared::cta@78|shared::cluster@78/90 " L1 L2E "?$hint " VEC "$memory",
      "aS0 wT0+" HINT, 60, "70", width },
    { OP_st, "mmio relaxed sys ?global b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64", "aS0 sT0+", 82, "70" },

    { OP_atom, ATOM_HEAD "add ?$hint u32|s32|u64", "DT0 aS0 sT0" HINT, 11, NULL, atomic },
    { OP_atom, ATOM_HEAD "add ?$hint f32", "DT0 aS0 sT0" HINT, 20, "20", atomic },
    { OP_atom, ATOM_HEAD "add ?$hint f64", "DT0 aS0 sT0" HINT, 50, "60", atomic },
    { OP_atom, ATOM_HEAD "add noftz ?$hint f16x2@62/60|f16@63/70|bf16@78/90|bf16x2@78/90", "DT0 aS0 sT0" HINT, 62, "60",
      cached },
    { OP_atom, ATOM_HEAD "min|max ?$hint u32|s32|u64|s64", "DT0 aS0 sT0" HINT, 11, NULL, atomic },
    { OP_atom, ATOM_HEAD "and|or|xor ?$hint b32|b64", "DT0 aS0 sT0" HINT, 11, NULL, atomic },
    { OP_atom, ATOM_HEAD "exch ?$hint b32|b64|b128@83/90", "DT0 aS0 sT0" HINT, 11, NULL, atomic },
    { OP_atom, ATOM_HEAD "inc|dec ?$hint u32", "DT0 aS0 sT0" HINT, 11, NULL, atomic },
    { OP_atom, ATOM_HEAD "cas b16@63/70|b32|b64|b128@83/90", "DT0 aS0 sT0 sT0", 11, NULL, form_whole },
    { OP_atom, ATOM_SEM ATOM_SCOPE "?global add ?$hint v2|v4 f32", "WT0 ag wT0" HINT, 81, "90" },
    { OP_atom, ATOM_SEM ATOM_SCOPE "?global add|min|max noftz ?$hint v2|v4|v8 f16|bf16", "WT0 ag wT0" HINT, 81, "90" },
    { OP_atom, ATOM_SEM ATOM_SCOPE "?global add|min|max noftz ?$hint v2|v4 f16x2|bf16x2", "WT0 ag wT0" HINT, 81, "90" },
    { OP_red, RED_HEAD "add ?$hint u32|s32|u64", "aS0 sT0" HINT, 12, NULL, cached },
    { OP_red, RED_HEAD "add ?$hint f32", "aS0 sT0" HINT, 20, "20", cached },
    { OP_red, RED_HEAD "add ?$hint f64", "aS0 sT0" HINT, 50, "60", cached },
    { OP_red, RED_HEAD "add noftz ?$hint f16x2@62/60|f16@63/70|bf16@78/90|bf16x2@78/90", "aS0 sT0" HINT, 62, "60",
      cached },
    { OP_red, RED_HEAD "min|max ?$hint u32|s32|u64|s64", "aS0 sT0" HINT, 12, NULL, cached },
    { OP_red, RED_HEAD "and|or|xor ?$hint b32|b64", "aS0 sT0" HINT, 12, NULL, cached },
    { OP_red, RED_HEAD "inc|dec ?$hint u32", "aS0 sT0" HINT, 12, NULL, cached },
    { OP_red, RED_SEM ATOM_SCOPE "?global add ?$hint v2|v4 f32", "ag wT0" HINT, 81, "90" },
    { OP_red, RED_SEM ATOM_SCOPE "?global add|min|max noftz ?$hint v2|v4|v8 f16|bf16", "ag wT0" HINT, 81, "90" },
    { OP_red, RED_SEM ATOM_SCOPE "?global add|min|max noftz ?$hint v2|v4 f16x2|bf16x2", "ag wT0" HINT, 81, "90" },

    { OP_mov, "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64|pred", "dT0 m" },
    { OP_mov, "b128", "db128 rb128", 83, "70" },
    { OP_mov, "b16|b32|b64|b128", "z z", 0, NULL, parts },
    { OP_mov, "v2 b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64", "WT0 wT0" },
    { OP_mov, "v4 b16|b32|u16|u32|s16|s32|f32", "WT0 wT0" },
    { OP_cvta, "global|local|const@31|param@77|shared|shared::cta@78|shared::cluster@78/90 u32|u64", "dT0 AS0", 20,
      "20", generic_width },
    { OP_cvta, "^to global|local|const@31|param@77|shared|shared::cta@78|shared::cluster@78/90 u32|u64", "dT0 sT0", 20,
      "20", generic_width },
    { OP_cvta, "param::entry u32|u64", "dT0 AS0", 83, "70", generic_width },
    { OP_cvta, "^to param::entry u32|u64", "dT0 sT0", 83, "70", generic_width },
#define SPACES "global|local|const@31|param@77|param::entry@83|shared|shared::cta@78|shared::cluster@78/90"
    { OP_isspacep, SPACES, "q ru64", 20, "20" },
    { OP_isspacep, SPACES, "q ru32", 20, "20" },

    { OP_ldmatrix, "sync aligned m8n8 x1 ?trans ?shared|shared::cta@78 b16", "V1b32 as", 65, "75" },
    { OP_ldmatrix, "sync aligned m8n8 x2 ?trans ?shared|shared::cta@78 b16", "V2b32 as", 65, "75" },
    { OP_ldmatrix, "sync aligned m8n8 x4 ?trans ?shared|shared::cta@78 b16", "V4b32 as", 65, "75" },
    { OP_ldmatrix, "sync aligned m16n16 x1 trans ?shared|shared::cta b8", "V2b32 as", 86, "1xx" },
    { OP_ldmatrix, "sync aligned m16n16 x2 trans ?shared|shared::cta b8", "V4b32 as", 86, "1xx" },
    { OP_ldmatrix, "sync aligned m16n16 x1 trans ?shared|shared::cta b8x16 b6x16_p32|b4x16_p64", "V2b32 as", 86,
      "1xx" },
    { OP_ldmatrix, "sync aligned m16n16 x2 trans ?shared|shared::cta b8x16 b6x16_p32|b4x16_p64", "V4b32 as", 86,
      "1xx" },
    { OP_ldmatrix, "sync aligned m8n16 x1 ?shared|shared::cta b8x16 b6x16_p32|b4x16_p64", "V1b32 as", 86, "1xx" },
    { OP_ldmatrix, "sync aligned m8n16 x2 ?shared|shared::cta b8x16 b6x16_p32|b4x16_p64", "V2b32 as", 86, "1xx" },
    { OP_ldmatrix, "sync aligned m8n16 x4 ?shared|shared::cta b8x16 b6x16_p32|b4x16_p64", "V4b32 as", 86, "1xx" },
    { OP_stmatrix, "sync aligned m8n8 x1 ?trans ?shared|shared::cta b16", "as y1b32", 78, "90" },
    { OP_stmatrix, "sync aligned m8n8 x2 ?trans ?shared|shared::cta b16", "as y2b32", 78, "90" },
    { OP_stmatrix, "sync aligned m8n8 x4 ?trans ?shared|shared::cta b16", "as y4b32", 78, "90" },
    { OP_stmatrix, "sync aligned m16n8 x1 trans ?shared|shared::cta b8", "as y1b32", 86, "1xx" },
    { OP_stmatrix, "sync aligned m16n8 x2 trans ?shared|shared::cta b8", "as y2b32", 86, "1xx" },
    { OP_stmatrix, "sync aligned m16n8 x4 trans ?shared|shared::cta b8", "as y4b32", 86, "1xx" },
    { OP_movmatrix, "sync aligned m8n8 trans b16", "db32 rb32", 78, "75" },
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
