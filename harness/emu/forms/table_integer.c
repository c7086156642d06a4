/* Instruction table: integer arithmetic, logic, shifts, compare, select. */
#include "harness/emu/forms/tables.h"

#define COMPARE_S "eq|ne|lt|le|gt|ge"
#define COMPARE_U "eq|ne|lo|ls|hi|hs|lt|le|gt|ge"
#define COMPARE_F "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"

#define DST3 "dT0 sT0 sT0"

const struct ptx_form ptx_forms_integer[] = {
    { OP_add, "$int", DST3 },
    { OP_add, "sat s32", DST3 },
    { OP_add, "u16x2|s16x2", "dT0 rT0 rT0", 80, "90" },
    { OP_add, "cc u32|s32|u64@43|s64@43", DST3, 12 },
    { OP_sub, "$int", DST3 },
    { OP_sub, "sat s32", DST3 },
    { OP_sub, "cc u32|s32|u64@43|s64@43", DST3, 12 },
    { OP_addc, "?cc u32|s32|u64@43|s64@43", DST3, 12 },
    { OP_subc, "?cc u32|s32|u64@43|s64@43", DST3, 12 },
    { OP_mul, "^hi|lo $int", DST3 },
    { OP_mul, "^wide u16|s16", "du32 sT0 sT0" },
    { OP_mul, "^wide u32|s32", "du64 sT0 sT0" },
    { OP_mad, "^hi|lo $int", "dT0 sT0 sT0 sT0" },
    { OP_mad, "^hi sat s32", "dT0 sT0 sT0 sT0" },
    { OP_mad, "^wide u16|s16", "du32 sT0 sT0 su32" },
    { OP_mad, "^wide u32|s32", "du64 sT0 sT0 su64" },
    { OP_mad, "^hi|lo cc u32|s32|u64@43|s64@43", "dT0 sT0 sT0 sT0", 30, "20" },
    { OP_madc, "^hi|lo ?cc u32|s32|u64@43|s64@43", "dT0 sT0 sT0 sT0", 30, "20" },
    { OP_mul24, "^hi|lo u32|s32", DST3 },
    { OP_mad24, "^hi|lo u32|s32", "dT0 sT0 sT0 sT0" },
    { OP_mad24, "^hi sat s32", "dT0 sT0 sT0 sT0" },
    { OP_sad, "$int", "dT0 sT0 sT0 sT0" },
    { OP_div, "$int", DST3 },
    { OP_rem, "$int", DST3 },
    { OP_abs, "s16|s32|s64", "dT0 sT0" },
    { OP_neg, "s16|s32|s64", "dT0 sT0" },
    { OP_min, "$int|u16x2@80/90|s16x2@80/90", DST3 },
    { OP_max, "$int|u16x2@80/90|s16x2@80/90", DST3 },
    { OP_min, "relu s32|s16x2", DST3, 80, "90" },
    { OP_max, "relu s32|s16x2", DST3, 80, "90" },
    { OP_popc, "b32|b64", "du32 sT0", 20, "20" },
    { OP_clz, "b32|b64", "du32 sT0", 20, "20" },
    { OP_bfind, "?shiftamt u32|u64|s32|s64", "du32 sT0", 20, "20" },
    { OP_brev, "b32|b64", "dT0 sT0", 20, "20" },
    { OP_bfe, "u32|u64|s32|s64", "dT0 sT0 J0..255 J0..255", 20, "20" },
    { OP_bfi, "b32|b64", "dT0 sT0 sT0 J0..255 J0..255", 20, "20" },
    { OP_fns, "b32", "db32 sb32 sb32 ss32", 60, "30" },
    { OP_szext, "clamp|wrap u32|s32", "dT0 sT0 su32", 76, "70" },
    { OP_bmsk, "clamp|wrap b32", "du32 su32 su32", 76, "70" },
    { OP_dp4a, "u32|s32 u32|s32", "du32 su32 su32 su32", 50, "61" },
    { OP_dp2a, "^lo|hi u32|s32 u32|s32", "du32 su32 su32 su32", 50, "61" },

    { OP_and, "b16|b32|b64", DST3 },
    { OP_or, "b16|b32|b64", DST3 },
    { OP_xor, "b16|b32|b64", DST3 },
    { OP_not, "b16|b32|b64", "dT0 sT0" },
    { OP_and, "pred", "q p p" },
    { OP_or, "pred", "q p p" },
    { OP_xor, "pred", "q p p" },
    { OP_not, "pred", "q p" },
    { OP_cnot, "b16|b32|b64", "dT0 sT0" },
    { OP_lop3, "b32", "db32 sb32 sb32 sb32 i0..255", 43, "50" },
    { OP_lop3, "and|or b32", "Xb32 sb32 sb32 sb32 i0..255 p", 82, "70" },
    { OP_shf, "^l|r clamp|wrap b32", "db32 sb32 sb32 su32", 31, "32" },
    { OP_shl, "b16|b32|b64", "dT0 sT0 su32" },
    { OP_shr, "b16|b32|b64|$int", "dT0 sT0 su32" },
    { OP_prmt, "b32 ?f4e|b4e|rc8|ecl|ecr|rc16", "db32 sb32 sb32 sb32", 20, "20" },

#define SET(words)                                                                                                     \
    { OP_set, words, "dT0 sT1 sT1" },                                                                                  \
    {                                                                                                                  \
        OP_set, "and|or|xor " words, "dT0 sT1 sT1 p"                                                                   \
    }
    SET("eq|ne u32|s32|f32 b16|b32|b64"),
    SET(COMPARE_S " u32|s32|f32 s16|s32|s64"),
    SET(COMPARE_U " u32|s32|f32 u16|u32|u64"),
    SET(COMPARE_F " ?ftz u32|s32|f32 f32"),
    SET(COMPARE_F " u32|s32|f32 f64"),
    { OP_set, COMPARE_F " ?ftz f16|u16|s16|u32|s32 f16", "dT0 sT1 sT1", 42, "53" },
    { OP_set, COMPARE_F " and|or|xor ?ftz f16|u16|s16|u32|s32 f16", "dT0 sT1 sT1 p", 42, "53" },
    { OP_set, COMPARE_F " ?ftz f16x2|u32|s32 f16x2", "dT0 sT1 sT1", 42, "53" },
    { OP_set, COMPARE_F " and|or|xor ?ftz f16x2|u32|s32 f16x2", "dT0 sT1 sT1 p", 42, "53" },
    { OP_set, COMPARE_F " bf16|u16|s16|u32|s32 bf16", "dT0 sT1 sT1", 78, "90" },
    { OP_set, COMPARE_F " and|or|xor bf16|u16|s16|u32|s32 bf16", "dT0 sT1 sT1 P", 78, "90" },
    { OP_set, COMPARE_F " bf16x2|u32|s32 bf16x2", "dT0 sT1 sT1", 78, "90" },
    { OP_set, COMPARE_F " and|or|xor bf16x2|u32|s32 bf16x2", "dT0 sT1 sT1 P", 78, "90" },

#define SETP(words, version, target)                                                                                   \
    { OP_setp, words, "Q sT0 sT0", version, target },                                                                  \
    {                                                                                                                  \
        OP_setp, "and|or|xor " words, "Q sT0 sT0 p", version, target                                                   \
    }
    SETP("eq|ne b16|b32|b64", 0, NULL),
    SETP(COMPARE_S " s16|s32|s64", 0, NULL),
    SETP(COMPARE_U " u16|u32|u64", 0, NULL),
    SETP(COMPARE_F " ?ftz f32", 0, NULL),
    SETP(COMPARE_F " f64", 0, NULL),
    { OP_setp, COMPARE_F " ?ftz f16", "q sT0 sT0", 42, "53" },
    { OP_setp, COMPARE_F " and|or|xor ?ftz f16", "q sT0 sT0 p", 42, "53" },
    SETP(COMPARE_F " ?ftz f16x2", 42, "53"),
    { OP_setp, COMPARE_F " bf16x2", "Q sT0 sT0", 78, "90" },
    { OP_setp, COMPARE_F " and|or|xor bf16x2", "Q sT0 sT0 P", 78, "90" },
    { OP_setp, COMPARE_F " bf16", "q sT0 sT0", 78, "90" },
    { OP_setp, COMPARE_F " and|or|xor bf16", "q sT0 sT0 P", 78, "90" },

    { OP_selp, "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64", "dT0 sT0 sT0 p" },
    { OP_slct, "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64 s32", "dT0 sT0 sT0 sT1" },
    { OP_slct, "?ftz b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64 f32", "dT0 sT0 sT0 sT1" },
    { OP_testp, "finite|infinite|number|notanumber|normal|subnormal f32|f64", "q sT0", 20, "20" },
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
