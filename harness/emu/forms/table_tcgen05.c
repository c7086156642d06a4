/* Instruction table: tensor memory and the matrix products on it, sm_100 and later. PTX ISA, "TensorCore 5th Generation
 * Instructions". */
#include "harness/emu/forms/fits.h"
#include "harness/emu/forms/tables.h"

#define NEEDS   86, "100x"
#define CTAS    "cta_group::1|cta_group::2"
#define COLUMNS "J32/64/128/256/512"

/* Registers that a thread has of a load or store: those of one repetition, times .xN. */
static bool fragment(struct form_candidate *c)
{
    static const struct {
        uint16_t word;
        unsigned count;
    } of[] = {
        { PTX_n16x64b, 1 }, { PTX_n16x128b, 2 }, { PTX_n16x256b, 4 }, { PTX_n32x32b, 1 }, { PTX_n16x32bx2, 1 },
        { PTX_x1, 1 },      { PTX_x2, 2 },       { PTX_x4, 4 },       { PTX_x8, 8 },      { PTX_x16, 16 },
        { PTX_x32, 32 },    { PTX_x64, 64 },     { PTX_x128, 128 },
    };
    const bool store = c->i->op == OP_tcgen05_st;
    const unsigned k = store ? c->i->n_operands - 1u : 0;
    const struct ptx_operand *o = ptx_operand(c->m, c->i, k);
    unsigned count = 1;

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (form_has(c, of[i].word))
            count *= of[i].count;
    if (count > 128)
        return form_fail(c, NULL, "this shape has no more than 128 registers a thread");
    if (o->kind != PO_vector || o->count != count)
        return form_fail(c, o, "operand %u of '%s' must be a vector of %u elements", k + 1, ptx_op_text[c->i->op],
                         count);
    for (uint32_t j = 0; j < count; j++) {
        const struct ptx_operand *e = &c->m->operands[o->first + j];
        if (!form_is_register(c, e, c->i->type[0], false))
            return form_fail(c, e, "an element of operand %u of '%s' must be a register for .%s", k + 1,
                             ptx_op_text[c->i->op], ptx_word_text[c->i->type[0]]);
        for (uint32_t n = 0; n < j && !store; n++)
            if (c->m->operands[o->first + n].reg == e->reg)
                return form_fail(c, e, "this register is there twice");
    }
    return form_alike(c, o, k);
}

/* A constant mask of CTAs has 16 bits. */
static bool multicast(struct form_candidate *c)
{
    const struct ptx_operand *mask = ptx_operand(c->m, c->i, 1);

    return mask->kind != PO_immediate || mask->value <= UINT16_MAX ||
           form_fail(c, mask, "the mask %llu has more than 16 bits", (unsigned long long)mask->value);
}

#define NUMBERS "x1|x2|x4|x8|x16|x32|x64|x128"
#define SHAPES  "16x64b|16x128b|16x256b|32x32b"

/* Matrix A by descriptor or from tensor memory; `meta`: the metadata of a sparse product. */
#define A_USE "?collector::a::fill|collector::a::use|collector::a::lastuse|collector::a::discard"
#define A_END "?collector::a::lastuse|collector::a::discard"
#define BOTH(op, words, meta, last)                                                                                    \
    { op, words " " A_USE, "aT ru64 ru64" meta " ru32" last, NEEDS },                                                  \
        { op, words " " A_USE, "aT aT ru64" meta " ru32" last, NEEDS },                                                \
    {                                                                                                                  \
        op, words " ashift " A_END, "aT aT ru64" meta " ru32" last, NEEDS                                              \
    }
#define FLOATS "kind::f16|kind::tf32"
#define OTHERS "kind::f8f6f4|kind::i8/100a"
#define LANES(op, cta, meta, mask)                                                                                     \
    BOTH(op, cta " " FLOATS, meta, mask " p ?i0..15"), BOTH(op, cta " " OTHERS, meta, mask " p")
#define SCALED(op, kinds, sizes, meta)                                                                                 \
    { op, CTAS " " kinds " block_scale " sizes " " A_USE, "aT ru64 ru64" meta " ru32 aT aT p", NEEDS },                \
    {                                                                                                                  \
        op, CTAS " " kinds " block_scale " sizes " " A_USE, "aT aT ru64" meta " ru32 aT aT p", NEEDS                   \
    }
#define MMA(op, meta)                                                                                                  \
    LANES(op, CTAS, meta, ""), LANES(op, "cta_group::1", meta, " y4b32"), LANES(op, "cta_group::2", meta, " y8b32"),   \
        SCALED(op, "kind::mxf8f6f4", "?scale_vec::1X/1xxa|block32@88", meta),                                          \
        SCALED(op, "kind::mxf4", "?scale_vec::2X/1xxa|block32@88", meta),                                              \
        SCALED(op, "kind::mxf4nvf4@87", "scale_vec::2X/1xxa|scale_vec::4X/1xxa|block16@88|block32@88", meta)
#define B_USE(n) "collector::b" n "::fill|collector::b" n "::use|collector::b" n "::lastuse|collector::b" n "::discard"
#define WS(op, a, meta)                                                                                                \
    {                                                                                                                  \
        op, "cta_group::1 " FLOATS "|" OTHERS " ?" B_USE("0") "|" B_USE("1") "|" B_USE("2") "|" B_USE("3"),            \
            "aT " a " ru64" meta " ru32 p ?ru64", NEEDS                                                                \
    }

const struct ptx_form ptx_forms_tcgen05[] = {
    { OP_tcgen05_alloc, CTAS " sync aligned ?shared::cta b32", "as " COLUMNS, NEEDS },
    { OP_tcgen05_dealloc, CTAS " sync aligned b32", "ru32 " COLUMNS, NEEDS },
    { OP_tcgen05_relinquish_alloc_permit, CTAS " sync aligned", "", NEEDS },
    { OP_tcgen05_ld, "sync aligned " SHAPES " " NUMBERS " ?pack::16b b32", "z at", NEEDS, fragment },
    { OP_tcgen05_ld, "sync aligned 16x32bx2 " NUMBERS " ?pack::16b b32", "z at i", NEEDS, fragment },
    { OP_tcgen05_st, "sync aligned " SHAPES " " NUMBERS " ?unpack::16b b32", "at z", NEEDS, fragment },
    { OP_tcgen05_st, "sync aligned 16x32bx2 " NUMBERS " ?unpack::16b b32", "at i z", NEEDS, fragment },
#define REPEATED "x2|x4|x8|x16|x32|x64|x128"
    { OP_tcgen05_ld_red, "sync aligned 32x32b " REPEATED " min|max ?abs ?NaN f32", "z df32 at", 88, "103x", fragment },
    { OP_tcgen05_ld_red, "sync aligned 32x32b " REPEATED " min|max u32|s32", "z dT0 at", 88, "103x", fragment },
    { OP_tcgen05_ld_red, "sync aligned 16x32bx2 " REPEATED " min|max ?abs ?NaN f32", "z df32 at i", 88, "103x",
      fragment },
    { OP_tcgen05_ld_red, "sync aligned 16x32bx2 " REPEATED " min|max u32|s32", "z dT0 at i", 88, "103x", fragment },
    { OP_tcgen05_wait_ld, "sync aligned", "", NEEDS },
    { OP_tcgen05_wait_st, "sync aligned", "", NEEDS },
    { OP_tcgen05_cp, CTAS " 128x256b|4x256b|128x128b", "at ru64", NEEDS },
    { OP_tcgen05_cp, CTAS " 64x128b warpx2::02_13|warpx2::01_23", "at ru64", NEEDS },
    { OP_tcgen05_cp, CTAS " 32x128b warpx4", "at ru64", NEEDS },
    { OP_tcgen05_cp, CTAS " 128x256b|4x256b|128x128b b8x16 b6x16_p32|b4x16_p64", "at ru64", NEEDS },
    { OP_tcgen05_cp, CTAS " 64x128b warpx2::02_13|warpx2::01_23 b8x16 b6x16_p32|b4x16_p64", "at ru64", NEEDS },
    { OP_tcgen05_cp, CTAS " 32x128b warpx4 b8x16 b6x16_p32|b4x16_p64", "at ru64", NEEDS },
    { OP_tcgen05_shift, CTAS " down", "at", NEEDS },
    { OP_tcgen05_commit, CTAS " mbarrier::arrive::one ?shared::cluster b64", "as", NEEDS },
    { OP_tcgen05_commit, CTAS " mbarrier::arrive::one ?shared::cluster multicast::cluster b64", "as su16", NEEDS,
      multicast },
    { OP_tcgen05_fence_before_thread_sync, "", "", NEEDS },
    { OP_tcgen05_fence_after_thread_sync, "", "", NEEDS },
    MMA(OP_tcgen05_mma, ""),
    MMA(OP_tcgen05_mma_sp, " aT"),
    WS(OP_tcgen05_mma_ws, "ru64", ""),
    WS(OP_tcgen05_mma_ws, "aT", ""),
    WS(OP_tcgen05_mma_ws_sp, "ru64", " aT"),
    WS(OP_tcgen05_mma_ws_sp, "aT", " aT"),
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
