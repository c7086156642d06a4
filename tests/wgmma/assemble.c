/* wgmma as an assembler sees it: shapes, types, constants, registers, targets. Registers hold nothing: such a text is
 * assembled, never run. */
#include "harness/ck.h"
#include "tests/wgmma/forms.h"

#define HALF_N(n, v)  "m64n" #n "k16.f32.f16.f16 {" v "}, " BOTH ", p, 1, 1, 0, 0"
#define BF16_N(n, v)  "m64n" #n "k16.f32.bf16.bf16 {" v "}, " BOTH ", p, 1, 1, 0, 0"
#define TF32_N(n, v)  "m64n" #n "k8.f32.tf32.tf32 {" v "}, " BOTH ", p, 1, 1"
#define FP8_N(n, v)   "m64n" #n "k32.f32.e4m3.e4m3 {" v "}, " BOTH ", p, 1, 1"
#define S8_N(n, v)    "m64n" #n "k32.s32.s8.s8 {" v "}, " BOTH ", p"
#define B1_N(n, v)    "m64n" #n "k256.s32.b1.b1.and.popc {" v "}, " BOTH ", p"
#define OTHER_N(x)    x(0, V1) "|" x(4, V1) "|" x(12, V1) "|" x(20, V2) "|" x(264, V32) "|" x(512, V32)
#define LATER_TARGETS "sm_100|sm_100a|sm_103a|sm_120|sm_120a"

static const struct ck_case cases[] = {
    /* ---- the instruction ---- */
    { CK_RULE(wgmma_form_sync), .assemble = FLOATS "wgmma.mma_async.$" F16 ";", .accept = "sync.aligned.",
      .refuse = "aligned." },
    { CK_RULE(wgmma_form_aligned), .assemble = FLOATS "wgmma.mma_async.$" F16 ";", .accept = "sync.aligned.",
      .refuse = "", .seen = "sync." },
    { CK_RULE(wgmma_form_shape), .assemble = FLOATS MMA "$f32.f16.f16 " D4 ", " BOTH ", p, 1, 1, 0, 0;",
      .accept = "m64n8k16.", .refuse = "|m64n8.|m64." },
    { CK_RULE(wgmma_form_d_is_c), .assemble = FLOATS MMA "m64n8k16.f32.f16.f16 " D4 ", " BOTH ", $p, 1, 1, 0, 0;",
      .accept = "", .refuse = D4 ", " },
    { CK_RULE(wgmma_form_scale_d), .assemble = FLOATS MMA "m64n8k16.f32.f16.f16 " D4 ", " BOTH ", $, 1, 1, 0, 0;",
      .accept = "p|q", .refuse = "n|h|d0|f0" },
    { CK_RULE(wgmma_form_scale_d), .name = "constant", .seen = "0|1|!p",
      .assemble = FLOATS MMA "m64n8k16.f32.f16.f16 " D4 ", " BOTH ", $, 1, 1, 0, 0;" },
    { CK_RULE(wgmma_form_scale_d), .name = "int", .assemble = INTS MMA "m64n8k32.s32.s8.s8 " D4 ", " BOTH ", $;",
      .accept = "p|q", .refuse = "n|h|d0" },
    { CK_RULE(wgmma_form_scale_d_required), .accept = ", p", .refuse = "",
      .assemble = FLOATS MMA "m64n8k16.f32.f16.f16 " D4 ", " BOTH "$, 1, 1, 0, 0;" },
    { CK_RULE(wgmma_form_scale_d_required), .name = "int", .accept = ", p", .refuse = "",
      .assemble = INTS MMA "m64n8k32.s32.s8.s8 " D4 ", " BOTH "$;" },
    { CK_RULE(wgmma_target), .target = "$", .assemble = FLOATS MMA F16 ";", .accept = "sm_90a",
      .refuse = "sm_90|sm_80|sm_86|sm_89" },
    { CK_RULE(wgmma_target), .name = "later", .version = "8.8", .target = "$", .assemble = FLOATS MMA F16 ";",
      .accept = "sm_90a", .refuse = LATER_TARGETS },
    { CK_RULE(wgmma_target), .name = "int", .version = "8.8", .target = "$", .assemble = INTS MMA S8 ";",
      .accept = "sm_90a", .refuse = "sm_90|" LATER_TARGETS },
    { CK_RULE(wgmma_isa), .version = "$", .assemble = FLOATS MMA F16 ";", .accept = "8.0|8.1|8.4|8.8",
      .refuse = "7.8" },

    /* ---- shapes ---- */
    { CK_RULE(wgmma_shape_m), .assemble = FLOATS MMA "$n8k16.f32.f16.f16 " D4 ", " BOTH ", p, 1, 1, 0, 0;",
      .accept = "m64", .refuse = "m8|m16|m32|m128" },
    { CK_RULE(wgmma_shape_n_float), .assemble = FLOATS MMA "$;", .accept = ALL_FLOATS(HALF_N),
      .refuse = OTHER_N(HALF_N) },
    { CK_RULE(wgmma_shape_n_float), .name = "bf16", .assemble = FLOATS MMA "$;", .accept = ALL_FLOATS(BF16_N),
      .refuse = OTHER_N(BF16_N) },
    { CK_RULE(wgmma_shape_n_float), .name = "tf32", .assemble = FLOATS MMA "$;", .accept = ALL_FLOATS(TF32_N),
      .refuse = OTHER_N(TF32_N) },
    { CK_RULE(wgmma_shape_n_float), .name = "fp8", .assemble = FLOATS MMA "$;", .accept = ALL_FLOATS(FP8_N),
      .refuse = OTHER_N(FP8_N) },
    { CK_RULE(wgmma_shape_n_int), .assemble = INTS MMA "$;", .accept = ALL_INTS(S8_N),
      .refuse = NO_INTS(S8_N) "|" OTHER_N(S8_N) },
    { CK_RULE(wgmma_shape_n_bits), .assemble = INTS MMA "$;", .accept = ALL_INTS(B1_N),
      .refuse = NO_INTS(B1_N) "|" OTHER_N(B1_N) },
    { CK_RULE(wgmma_shape_k_half), .assemble = FLOATS MMA "$;",
      .accept = HALF_OF("m64n8k16.f32.f16.f16") "|" HALF_OF("m64n8k16.f32.bf16.bf16"),
      .refuse = HALF_OF("m64n8k8.f32.f16.f16") "|" HALF_OF("m64n8k32.f32.f16.f16") "|" HALF_OF(
          "m64n8k64.f32.f16.f16") "|" HALF_OF("m64n8k8.f32.bf16.bf16") "|" HALF_OF("m64n8k32.f32.bf16.bf16") },
    { CK_RULE(wgmma_shape_k_tf32), .assemble = FLOATS MMA "m64n8$.f32.tf32.tf32 " D4 ", " BOTH ", p, 1, 1;",
      .accept = "k8", .refuse = "k4|k16|k32" },
    { CK_RULE(wgmma_shape_k_fp8), .assemble = FLOATS MMA "m64n8$.f32.${type}.${type} " D4 ", " BOTH ", p, 1, 1;",
      .accept = "k32", .refuse = "k8|k16|k64", .axes = { { "type", "e4m3 e5m2" } } },
    { CK_RULE(wgmma_shape_k_int), .assemble = INTS MMA "m64n8$.s32.${type}.${type} " D4 ", " BOTH ", p;",
      .accept = "k32", .refuse = "k8|k16|k64", .axes = { { "type", "s8 u8" } } },
    { CK_RULE(wgmma_shape_k_bits), .assemble = INTS MMA "m64n8$.s32.b1.b1.and.popc " D4 ", " BOTH ", p;",
      .accept = "k256", .refuse = "k32|k64|k128" },

    /* ---- types ---- */
    { CK_RULE(wgmma_type_factors), .assemble = FLOATS MMA "$;", .accept = F16 "|" BF16 "|" TF32 "|" FP8,
      .refuse = FLOAT_OF("m64n8k8.f32.f32.f32") "|" FLOAT_OF("m64n8k4.f32.f64.f64") "|" FLOAT_OF(
          "m64n8k32.f32.e2m1.e2m1") "|" FLOAT_OF("m64n8k32.f32.e3m2.e3m2") "|" FLOAT_OF("m64n8k32.f32.e2m3.e2m3") },
    { CK_RULE(wgmma_type_factors), .name = "int", .assemble = INTS MMA "$;", .accept = S8 "|" B1,
      .refuse = INT_OF("m64n8k64.s32.s4.s4") "|" INT_OF("m64n8k64.s32.u4.u4") "|" INT_OF(
          "m64n8k32.s32.b8.b8") "|" INT_OF("m64n8k16.s32.s16.s16") },
    { CK_RULE(wgmma_type_same), .assemble = FLOATS MMA "$;",
      .accept = HALF_OF("m64n8k16.f32.f16.f16") "|" HALF_OF("m64n8k16.f32.bf16.bf16"),
      .refuse = HALF_OF("m64n8k16.f32.f16.bf16") "|" HALF_OF("m64n8k16.f32.bf16.f16") "|" FLOAT_OF(
          "m64n8k8.f32.tf32.f32") "|" FLOAT_OF("m64n8k32.f32.e4m3.s8") },
    { CK_RULE(wgmma_type_d_f16), .assemble = HALVES MMA "m64n8k16.$, " BOTH ", p, 1, 1, 0, 0;",
      .accept = "f16.f16.f16 " D2 "|f32.f16.f16 " D4,
      .refuse = "bf16.f16.f16 " D2 "|s32.f16.f16 " D4 "|f16x2.f16.f16 " D2 },
    { CK_RULE(wgmma_type_d_bf16), .assemble = HALVES MMA "m64n8k16.$, " BOTH ", p, 1, 1, 0, 0;",
      .accept = "f32.bf16.bf16 " D4, .refuse = "bf16.bf16.bf16 " D2 "|f16.bf16.bf16 " D2 "|s32.bf16.bf16 " D4 },
    { CK_RULE(wgmma_type_d_tf32), .assemble = HALVES MMA "m64n8k8.$, " BOTH ", p, 1, 1;", .accept = "f32.tf32.tf32 " D4,
      .refuse = "f16.tf32.tf32 " D2 "|tf32.tf32.tf32 " D4 "|s32.tf32.tf32 " D4 },
    { CK_RULE(wgmma_type_d_fp8), .assemble = HALVES MMA "m64n8k32.$, " BOTH ", p, 1, 1;",
      .accept = "f16.e4m3.e4m3 " D2 "|f32.e4m3.e4m3 " D4 "|f16.e5m2.e5m2 " D2 "|f32.e5m2.e5m2 " D4,
      .refuse = "bf16.e4m3.e4m3 " D2 "|s32.e4m3.e4m3 " D4 "|e4m3.e4m3.e4m3 " D4 },
    { CK_RULE(wgmma_type_d_int), .assemble = HALVES MMA "m64n8k32.$.${type}.${type} " D4 ", " BOTH ", p;",
      .accept = "s32", .refuse = "u32|f32|s64|b32", .axes = { { "type", "s8 u8" } } },
    { CK_RULE(wgmma_type_d_bits), .assemble = HALVES MMA "m64n8k256.$.b1.b1.and.popc " D4 ", " BOTH ", p;",
      .accept = "s32", .refuse = "u32|b32|f32" },
    { CK_RULE(wgmma_type_fp8_mixed), .assemble = FLOATS MMA "m64n8k32.f32.$ " D4 ", " BOTH ", p, 1, 1;",
      .accept = "e4m3.e4m3|e4m3.e5m2|e5m2.e4m3|e5m2.e5m2", .refuse = "e4m3.f16|e4m3.u8" },
    { CK_RULE(wgmma_type_int_mixed), .version = "$", .assemble = INTS MMA "m64n8k32.s32.${types} " D4 ", " BOTH ", p;",
      .accept = "8.4|8.5|8.8", .refuse = "8.0|8.2|8.3", .axes = { { "types", "s8.u8 u8.s8" } } },
    { CK_RULE(wgmma_bits_op), .assemble = INTS MMA "m64n8k256.s32.b1.b1$ " D4 ", " BOTH ", p;", .accept = ".and.popc",
      .refuse = ".xor.popc|.or.popc|.popc|.and|" },
    { CK_RULE(wgmma_bits_only), .assemble = INTS MMA "m64n8k32.s32.s8.s8$ " D4 ", " BOTH ", p;", .accept = "",
      .refuse = ".and.popc|.popc" },
    { CK_RULE(wgmma_sat_int_only), .assemble = INTS MMA "m64n8k32$.s32.${type}.${type} " D4 ", " BOTH ", p;",
      .accept = "|.satfinite", .refuse = ".sat|.relu", .axes = { { "type", "s8 u8" } } },
    { CK_RULE(wgmma_sat_int_only), .name = "bits",
      .assemble = INTS MMA "m64n8k256$.s32.b1.b1.and.popc " D4 ", " BOTH ", p;", .accept = "", .refuse = ".satfinite" },
    { CK_RULE(wgmma_sat_int_only), .name = "floats",
      .assemble = FLOATS MMA "m64n8k16$.f32.f16.f16 " D4 ", " BOTH ", p, 1, 1, 0, 0;", .accept = "",
      .refuse = ".satfinite" },
    { 0 }
};

const struct ck_suite wgmma_assemble = { "wgmma/assemble", cases };
// SPDX-License-Identifier: Apache-2.0
