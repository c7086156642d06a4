/* Instruction table: matrix products with wmma. PTX ISA, "Warp Level Matrix Instructions: wmma". */
#include "harness/emu/forms/extra.h"
#include "harness/emu/forms/tables.h"

#define SHAPES "m16n16k16|m8n32k16|m32n8k16"
#define LOAD(matrix, layouts, shapes, type, fragment, version, target)                                                 \
    {                                                                                                                  \
        OP_wmma_load, "^" matrix " sync aligned " layouts " " shapes " ?global|shared|shared::cta@78 " type,           \
            "V" fragment " aS0 ?su32", version, target                                                                 \
    }
#define RESULT(shapes, type, fragment, version, target)                                                                \
    LOAD("c", "row|col", shapes, type, fragment, version, target),                                                     \
    {                                                                                                                  \
        OP_wmma_store, "^d sync aligned row|col " shapes " ?global|shared|shared::cta@78 " type,                       \
            "aS0 y" fragment " ?su32", version, target                                                                 \
    }
#define MMA(layouts, shapes, words, a, b, c, d, version, target)                                                       \
    {                                                                                                                  \
        OP_wmma_mma, "sync aligned " layouts " " shapes " " words, "V" d " y" a " y" b " y" c, version, target,        \
            form_popc                                                                                                  \
    }
#define ANY_LAYOUT "row|col row|col"
#define HALVES     "8f16x2"

const struct ptx_form ptx_forms_wmma[] = {
    LOAD("a|b", "row|col", SHAPES, "f16", HALVES, 60, "70"),
    LOAD("a|b", "row|col", "m16n16k16", "bf16", "4bf16x2", 70, "80"),
    LOAD("a", "row|col", "m8n32k16", "bf16", "2bf16x2", 70, "80"),
    LOAD("b", "row|col", "m8n32k16", "bf16", "8bf16x2", 70, "80"),
    LOAD("a", "row|col", "m32n8k16", "bf16", "8bf16x2", 70, "80"),
    LOAD("b", "row|col", "m32n8k16", "bf16", "2bf16x2", 70, "80"),
    LOAD("a|b", "row|col", "m16n16k16", "s8|u8", "2u32", 63, "72"),
    LOAD("a", "row|col", "m8n32k16", "s8|u8", "1u32", 63, "72"),
    LOAD("b", "row|col", "m8n32k16", "s8|u8", "4u32", 63, "72"),
    LOAD("a", "row|col", "m32n8k16", "s8|u8", "4u32", 63, "72"),
    LOAD("b", "row|col", "m32n8k16", "s8|u8", "1u32", 63, "72"),
    LOAD("a|b", "row|col", "m16n16k8", "tf32", "4tf32", 70, "80"),
    LOAD("a|b", "row|col", "m8n8k4", "f64", "1f64", 70, "80"),
    LOAD("a", "row", "m8n8k32", "s4|u4", "1u32", 63, "75"),
    LOAD("b", "col", "m8n8k32", "s4|u4", "1u32", 63, "75"),
    LOAD("a", "row", "m8n8k128", "b1", "1u32", 63, "75"),
    LOAD("b", "col", "m8n8k128", "b1", "1u32", 63, "75"),
    RESULT(SHAPES, "f16", "4f16x2", 60, "70"),
    RESULT(SHAPES "|m16n16k8@70/80", "f32", "8f32", 60, "70"),
    RESULT(SHAPES, "s32", "8s32", 63, "72"),
    RESULT("m8n8k32|m8n8k128", "s32", "2s32", 63, "75"),
    RESULT("m8n8k4", "f64", "2f64", 70, "80"),

    MMA(ANY_LAYOUT, SHAPES, "f16 f16", HALVES, HALVES, "4f16x2", "4f16x2", 60, "70"),
    MMA(ANY_LAYOUT, SHAPES, "f16 f32", HALVES, HALVES, "8f32", "4f16x2", 60, "70"),
    MMA(ANY_LAYOUT, SHAPES, "f32 f16", HALVES, HALVES, "4f16x2", "8f32", 60, "70"),
    MMA(ANY_LAYOUT, SHAPES, "f32 f32", HALVES, HALVES, "8f32", "8f32", 60, "70"),
    MMA(ANY_LAYOUT, "m16n16k16", "f32 bf16 bf16 f32", "4bf16x2", "4bf16x2", "8f32", "8f32", 70, "80"),
    MMA(ANY_LAYOUT, "m8n32k16", "f32 bf16 bf16 f32", "2bf16x2", "8bf16x2", "8f32", "8f32", 70, "80"),
    MMA(ANY_LAYOUT, "m32n8k16", "f32 bf16 bf16 f32", "8bf16x2", "2bf16x2", "8f32", "8f32", 70, "80"),
    /* ptxas 13.5 takes no _ in the results of this one. */
    { OP_wmma_mma, "sync aligned " ANY_LAYOUT " m16n16k8 f32 tf32 tf32 f32", "y8f32 y4tf32 y4tf32 y8f32", 70, "80" },
    MMA(ANY_LAYOUT, "m8n8k4", "?rn|rz|rm|rp f64 f64 f64 f64", "1f64", "1f64", "2f64", "2f64", 70, "80"),
#define BYTES(shape, type, a, b)                                                                                       \
    MMA(ANY_LAYOUT, shape, "s32 " type " " type " s32 ?satfinite", a, b, "8s32", "8s32", 63, "72")
    BYTES("m16n16k16", "s8", "2u32", "2u32"),
    BYTES("m16n16k16", "u8", "2u32", "2u32"),
    BYTES("m8n32k16", "s8", "1u32", "4u32"),
    BYTES("m8n32k16", "u8", "1u32", "4u32"),
    BYTES("m32n8k16", "s8", "4u32", "1u32"),
    BYTES("m32n8k16", "u8", "4u32", "1u32"),
    MMA("row col", "m8n8k32", "s32 s4 s4 s32 ?satfinite", "1u32", "1u32", "2s32", "2s32", 63, "75"),
    MMA("row col", "m8n8k32", "s32 u4 u4 s32 ?satfinite", "1u32", "1u32", "2s32", "2s32", 63, "75"),
    MMA("row col", "m8n8k128", "xor|and@71/80 popc s32 b1 b1 s32", "1u32", "1u32", "2s32", "2s32", 63, "75"),
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
