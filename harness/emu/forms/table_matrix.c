/* Instruction table: matrix products. PTX ISA, "Warp Level Matrix Instructions", "Asynchronous Warpgroup Level Matrix
 * Instructions". Fragments are held to their sizes. */
#include <string.h>

#include "harness/emu/forms/extra.h"
#include "harness/emu/forms/fits.h"
#include "harness/emu/forms/lax.h"
#include "harness/emu/forms/tables.h"

/* All shapes of a wgmma with this depth: n is a multiple of 8 up to 256. */
#define SHAPES(k)                                                                                                      \
    "m64n8k" k "|m64n16k" k "|m64n24k" k "|m64n32k" k "|m64n40k" k "|m64n48k" k "|m64n56k" k "|m64n64k" k "|m64n72k" k \
    "|m64n80k" k "|m64n88k" k "|m64n96k" k "|m64n104k" k "|m64n112k" k "|m64n120k" k "|m64n128k" k "|m64n136k" k       \
    "|m64n144k" k "|m64n152k" k "|m64n160k" k "|m64n168k" k "|m64n176k" k "|m64n184k" k "|m64n192k" k "|m64n200k" k    \
    "|m64n208k" k "|m64n216k" k "|m64n224k" k "|m64n232k" k "|m64n240k" k "|m64n248k" k "|m64n256k" k

/* Whether a wgmma adds to its accumulator is said by a predicate, or by 0 or 1. */
static bool scale_d(struct form_candidate *c)
{
    const unsigned k = c->i->op == OP_wgmma_mma_async_sp ? 5 : 3;
    const struct ptx_operand *o = ptx_operand(c->m, c->i, k);

    c->now.operand = (uint8_t)k;
    if (o->kind != PO_immediate || o->value <= 1)
        return true;
    c->now.fault = FAULT_VALUE;
    return form_fail(c, o, "operand %u of '%s' is %lld, it must be a predicate, 0 or 1", k + 1, ptx_op_text[c->i->op],
                     (long long)o->value);
}

/* The accumulator of a wgmma of n columns holds n / 2 registers a thread, n / 4 where they hold pairs. */
static bool accumulator(struct form_candidate *c)
{
    const uint16_t shape = ptx_word_of(c->m, c->i, PC_shape);
    const struct ptx_operand *d = ptx_operand(c->m, c->i, 0);
    unsigned n = 0;
    if (strncmp(ptx_word_text[shape], "m64n", 4) != 0)
        return form_fail(c, NULL, "'%s' needs a shape such as .m64n64k16", ptx_op_text[c->i->op]);
    for (const char *t = ptx_word_text[shape] + 4; *t >= '0' && *t <= '9'; t++)
        n = n * 10 + (unsigned)(*t - '0');
    if (c->i->type[0] == PTX_s32 && n > 32 && n % 16)
        return form_fail(c, NULL, "'%s' of integers has no shape .%s", ptx_op_text[c->i->op], ptx_word_text[shape]);
    if (c->i->type[0] == PTX_s32 && c->i->type[1] != c->i->type[2] && c->m->version < 84)
        return form_fail(c, NULL, "'%s' of .s8 with .u8 needs PTX ISA 8.4 or later", ptx_op_text[c->i->op]);
    const unsigned count = c->i->type[0] == PTX_f16 ? n / 4 : n / 2;
    const uint16_t type = c->i->type[0] == PTX_f16 ? PTX_f16x2 : c->i->type[0];
    if (d->kind != PO_vector || d->count != count)
        return form_fail(c, d, "the accumulator must be a vector of %u elements", count);
    for (uint32_t k = 0; k < d->count; k++) {
        const struct ptx_operand *o = &c->m->operands[d->first + k];
        if (!form_is_register(c, o, type, false) && !form_lax_element(c, d, o, 0, type, false))
            return form_fail(c, o, "the accumulator's elements must be registers for .%s", ptx_word_text[type]);
    }
    return form_alike(c, d, 0) && form_popc(c) && scale_d(c);
}

/* Which byte of a register, and which threads, have the scales: constants within their ranges, or registers. */
static bool scales(struct form_candidate *c)
{
    const unsigned step = form_has(c, PTX_scale_vec_4X) ? 4 : form_has(c, PTX_kind_mxf8f6f4) ? 1 : 2;

    const unsigned first = c->i->n_operands - 3u;

    for (unsigned k = first; k < first + 3; k += 2) {
        const struct ptx_operand *of = ptx_operand(c->m, c->i, k), *byte = &c->m->operands[of->first],
                                 *thread = byte + 1;
        if (byte->kind == PO_immediate && (byte->value > 3 || byte->value % step))
            return form_fail(c, byte, "the byte %llu is not where a scale begins", (unsigned long long)byte->value);
        if (thread->kind == PO_immediate && thread->value > (k == first ? 1u : 3u))
            return form_fail(c, thread, "there are no threads %llu", (unsigned long long)thread->value);
    }
    return true;
}

#define MMA     "sync aligned "
#define ROW_COL MMA "row col "

const struct ptx_form ptx_forms_matrix[] = {
    { OP_mma, MMA "m8n8k4 row|col row|col f16 f16 f16 f16", "V4f16x2 y2f16x2 y2f16x2 y4f16x2", 64, "70" },
    { OP_mma, MMA "m8n8k4 row|col row|col f32 f16 f16 f32", "V8f32 y2f16x2 y2f16x2 y8f32", 64, "70" },
    { OP_mma, MMA "m8n8k4 row|col row|col f32 f16 f16 f16", "V8f32 y2f16x2 y2f16x2 y4f16x2", 64, "70" },
    { OP_mma, ROW_COL "m16n8k8 f16 f16 f16 f16", "V2f16x2 y2f16x2 y1f16x2 y2f16x2", 65, "75" },
    { OP_mma, ROW_COL "m16n8k8 f32 f16 f16 f32", "V4f32 y2f16x2 y1f16x2 y4f32", 65, "75" },
    { OP_mma, ROW_COL "m16n8k8 f32 bf16 bf16 f32", "V4f32 y2bf16x2 y1bf16x2 y4f32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k16 f16 f16 f16 f16", "V2f16x2 y4f16x2 y2f16x2 y2f16x2", 70, "80" },
    { OP_mma, ROW_COL "m16n8k16 f32 f16 f16 f32", "V4f32 y4f16x2 y2f16x2 y4f32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k16 f32 bf16 bf16 f32", "V4f32 y4bf16x2 y2bf16x2 y4f32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k4 f32 tf32 tf32 f32", "V4f32 y2tf32 y1tf32 y4f32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k8 f32 tf32 tf32 f32", "V4f32 y4tf32 y2tf32 y4f32", 70, "80" },
    /* ptxas 13.5 takes no _ in the results of these. */
    { OP_mma, ROW_COL "m16n8k32 f32 e4m3|e5m2 e4m3|e5m2 f32", "y4f32 y4b32 y2b32 y4f32", 84, "89" },
    { OP_mma, ROW_COL "m16n8k16 f32 e4m3|e5m2 e4m3|e5m2 f32", "y4f32 y2b32 y1b32 y4f32", 87, "89" },
    { OP_mma, ROW_COL "m16n8k32 f16 e4m3|e5m2 e4m3|e5m2 f16", "y2f16x2 y4b32 y2b32 y2f16x2", 87, "89" },
    { OP_mma, ROW_COL "m16n8k16 f16 e4m3|e5m2 e4m3|e5m2 f16", "y2f16x2 y2b32 y1b32 y2f16x2", 87, "89" },
    { OP_mma, ROW_COL "m8n8k4 ?$rnd f64 f64 f64 f64", "V2f64 y1f64 y1f64 y2f64", 70, "80" },
    { OP_mma, ROW_COL "m16n8k4 ?$rnd f64 f64 f64 f64", "V4f64 y2f64 y1f64 y4f64", 78, "90" },
    { OP_mma, ROW_COL "m16n8k8 ?$rnd f64 f64 f64 f64", "V4f64 y4f64 y2f64 y4f64", 78, "90" },
    { OP_mma, ROW_COL "m16n8k16 ?$rnd f64 f64 f64 f64", "V4f64 y8f64 y4f64 y4f64", 78, "90" },
    { OP_mma, ROW_COL "m8n8k16 ?satfinite s32 u8|s8 u8|s8 s32", "V2s32 y1u32 y1u32 y2s32", 65, "75" },
    { OP_mma, ROW_COL "m16n8k16 ?satfinite s32 u8|s8 u8|s8 s32", "V4s32 y2u32 y1u32 y4s32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k32 ?satfinite s32 u8|s8 u8|s8 s32", "V4s32 y4u32 y2u32 y4s32", 70, "80" },
    { OP_mma, ROW_COL "m8n8k32 ?satfinite s32 u4|s4 u4|s4 s32", "V2s32 y1u32 y1u32 y2s32", 65, "75" },
    { OP_mma, ROW_COL "m16n8k32 ?satfinite s32 u4|s4 u4|s4 s32", "V4s32 y2u32 y1u32 y4s32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k64 ?satfinite s32 u4|s4 u4|s4 s32", "V4s32 y4u32 y2u32 y4s32", 70, "80" },
    { OP_mma, ROW_COL "m8n8k128 xor|and@71/80 popc s32 b1 b1 s32", "V2s32 y1u32 y1u32 y2s32", 70, "75", form_popc },
    { OP_mma, ROW_COL "m16n8k128 xor|and popc s32 b1 b1 s32", "V4s32 y2u32 y1u32 y4s32", 70, "80", form_popc },
    { OP_mma, ROW_COL "m16n8k256 xor|and popc s32 b1 b1 s32", "V4s32 y4u32 y2u32 y4s32", 70, "80", form_popc },
/* Sparse products: metadata, and which threads have it. */
#define SPARSE_MMA(words, a, b, cd, selector, version, target)                                                         \
    {                                                                                                                  \
        OP_mma, "sp|sp::ordered_metadata@85 " ROW_COL words, "V" cd " y" a " y" b " y" cd " rb32 i" selector, version, \
            target                                                                                                     \
    }
    SPARSE_MMA("m16n8k16 f16 f16 f16 f16", "2f16x2", "2f16x2", "2f16x2", "0..3", 71, "80"),
    SPARSE_MMA("m16n8k16 f32 f16 f16 f32", "2f16x2", "2f16x2", "4f32", "0..3", 71, "80"),
    SPARSE_MMA("m16n8k32 f16 f16 f16 f16", "4f16x2", "4f16x2", "2f16x2", "0..1", 71, "80"),
    SPARSE_MMA("m16n8k32 f32 f16 f16 f32", "4f16x2", "4f16x2", "4f32", "0..1", 71, "80"),
    SPARSE_MMA("m16n8k16 f32 bf16 bf16 f32", "2bf16x2", "2bf16x2", "4f32", "0..3", 71, "80"),
    SPARSE_MMA("m16n8k32 f32 bf16 bf16 f32", "4bf16x2", "4bf16x2", "4f32", "0..1", 71, "80"),
    SPARSE_MMA("m16n8k8 f32 tf32 tf32 f32", "2tf32", "2tf32", "4f32", "0..3", 71, "80"),
    SPARSE_MMA("m16n8k16 f32 tf32 tf32 f32", "4tf32", "4tf32", "4f32", "0..1", 71, "80"),
    SPARSE_MMA("m16n8k32 ?satfinite s32 u8|s8 u8|s8 s32", "2u32", "2u32", "4s32", "0..1", 71, "80"),
    SPARSE_MMA("m16n8k64 ?satfinite s32 u8|s8 u8|s8 s32", "4u32", "4u32", "4s32", "0", 71, "80"),
    SPARSE_MMA("m16n8k64 ?satfinite s32 u4|s4 u4|s4 s32", "2u32", "2u32", "4s32", "0..1", 71, "80"),
    SPARSE_MMA("m16n8k128 ?satfinite s32 u4|s4 u4|s4 s32", "4u32", "4u32", "4s32", "0", 71, "80"),
    { OP_mma, "sp|sp::ordered_metadata@85 " ROW_COL "m16n8k64 f32 e4m3|e5m2 e4m3|e5m2 f32",
      "y4f32 y4b32 y4b32 y4f32 rb32 i0", 84, "89" },
    { OP_mma, "sp::ordered_metadata " ROW_COL "m16n8k64 f16 e4m3|e5m2 e4m3|e5m2 f16",
      "V2f16x2 y4b32 y4b32 y2f16x2 rb32 i0", 87, "120x" },
#define NARROW "e4m3|e5m2|e3m2|e2m3|e2m1 e4m3|e5m2|e3m2|e2m3|e2m1"
#define SCALES "V4f32 y4bf16x2 y2bf16x2 y4f32 rb32 v2u16 rb32 v2u16"
#define SCALED(words)                                                                                                  \
    {                                                                                                                  \
        OP_mma, ROW_COL words, SCALES, 87, "120x", scales                                                              \
    }
    { OP_mma, ROW_COL "m16n8k32 kind::f8f6f4 f32 " NARROW " f32", "V4f32 y4bf16x2 y2bf16x2 y4f32", 87, "120x" },
    { OP_mma, ROW_COL "m16n8k32 kind::f8f6f4 f16 " NARROW " f16", "V2f16x2 y4bf16x2 y2bf16x2 y2f16x2", 87, "120x" },
    SCALED("m16n8k32 kind::mxf8f6f4 block_scale ?scale_vec::1X f32 " NARROW " f32 ue8m0"),
    SCALED("m16n8k64 kind::mxf4 block_scale ?scale_vec::2X f32 e2m1 e2m1 f32 ue8m0"),
    SCALED("m16n8k64 kind::mxf4nvf4 block_scale scale_vec::2X f32 e2m1 e2m1 f32 ue8m0"),
    SCALED("m16n8k64 kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue4m3|ue8m0"),
#define SPARSE_SCALED(words)                                                                                           \
    {                                                                                                                  \
        OP_mma, "sp::ordered_metadata " ROW_COL words, "V4f32 y4bf16x2 y4bf16x2 y4f32 rb32 i0 rb32 v2u16 rb32 v2u16",  \
            87, "120x", scales                                                                                         \
    }
    { OP_mma, "sp::ordered_metadata " ROW_COL "m16n8k64 kind::f8f6f4 f32 " NARROW " f32",
      "V4f32 y4bf16x2 y4bf16x2 y4f32 rb32 i0", 87, "120x" },
    { OP_mma, "sp::ordered_metadata " ROW_COL "m16n8k64 kind::f8f6f4 f16 " NARROW " f16",
      "V2b32 y4bf16x2 y4bf16x2 y2b32 rb32 i0", 87, "120x" },
    SPARSE_SCALED("m16n8k64 kind::mxf8f6f4 block_scale ?scale_vec::1X f32 " NARROW " f32 ue8m0"),
    SPARSE_SCALED("m16n8k128 kind::mxf4 block_scale ?scale_vec::2X f32 e2m1 e2m1 f32 ue8m0"),
    SPARSE_SCALED("m16n8k128 kind::mxf4nvf4 block_scale scale_vec::2X f32 e2m1 e2m1 f32 ue8m0"),
    SPARSE_SCALED("m16n8k128 kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue4m3|ue8m0"),

    { OP_wgmma_fence, "sync aligned", "", 80, "90a" },
    { OP_wgmma_commit_group, "sync aligned", "", 80, "90a" },
    { OP_wgmma_wait_group, "sync aligned", "i0..2147483647", 80, "90a" },
/* A from a matrix descriptor or from registers, all of A or its nonzero half with what says where that belongs, from
 * the threads of `which`. */
#define WGMMA(shape, sparse_shape, words, a, which, last_of_two, last)                                                 \
    { OP_wgmma_mma_async, MMA SHAPES(shape) " " words, "z ru64 ru64 p" last_of_two, 80, "90a", accumulator },          \
        { OP_wgmma_mma_async, MMA SHAPES(shape) " " words, "z y4" a " ru64 p" last, 80, "90a", accumulator },          \
        { OP_wgmma_mma_async_sp,                                                                                       \
          MMA SHAPES(sparse_shape) " " words,                                                                          \
          "z ru64 ru64 rb32 " which " p" last_of_two,                                                                  \
          82,                                                                                                          \
          "90a",                                                                                                       \
          accumulator },                                                                                               \
    {                                                                                                                  \
        OP_wgmma_mma_async_sp, MMA SHAPES(sparse_shape) " " words, "z y4" a " ru64 rb32 " which " p" last, 82, "90a",  \
            accumulator                                                                                                \
    }
#define SIGNS " i-1/1 i-1/1"
    WGMMA("16", "32", "f32 f16 f16", "f16x2", "i0/1", SIGNS " i0/1 i0/1", SIGNS " i0/1"),
    WGMMA("16", "32", "f32 bf16 bf16", "bf16x2", "i0/1", SIGNS " i0/1 i0/1", SIGNS " i0/1"),
    WGMMA("16", "32", "f16 f16 f16", "f16x2", "i0/1", SIGNS " i0/1 i0/1", SIGNS " i0/1"),
    WGMMA("8", "16", "f32 tf32 tf32", "tf32", "i0/1", SIGNS, SIGNS),
    WGMMA("32", "64", "f16|f32 e4m3|e5m2 e4m3|e5m2", "bf16x2", "i0", SIGNS, SIGNS),
    WGMMA("32", "64", "?satfinite s32 u8|s8 u8|s8", "b32", "i0", "", ""),
    { OP_wgmma_mma_async, MMA SHAPES("256") " and popc s32 b1 b1", "z ru64 ru64 p", 80, "90a", accumulator },
    { OP_wgmma_mma_async, MMA SHAPES("256") " and popc s32 b1 b1", "z y4b32 ru64 p", 80, "90a", accumulator },
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
