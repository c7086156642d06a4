/* Products of a sparse A, and setmaxnreg, as an assembler sees them. */
#include "harness/ck.h"
#include "tests/wgmma/forms.h"

#define SPARSE        "wgmma.mma_async.sp.sync.aligned."
#define SP_F16(m)     "m64n8k32.f32.f16.f16 " D4 ", " BOTH ", " m ", p, 1, 1, 0, 0"
#define SP_TF32       "m64n8k16.f32.tf32.tf32 " D4 ", " BOTH ", n, 0, p, 1, 1"
#define SP_S8_N(n, v) "m64n" #n "k64.s32.s8.s8 {" v "}, " BOTH ", n, 0, p"
#define SP_S8         "m64n8k64.s32.s8.s8 " D4 ", " BOTH ", n, 0, p"

static const struct ck_case cases[] = {
    { CK_RULE(wgmma_sp_isa), .version = "$", .assemble = FLOATS SPARSE SP_F16("n, 0") ";", .accept = "8.2|8.4|8.8",
      .refuse = "8.0|8.1" },
    { CK_RULE(wgmma_sp_target), .target = "$", .version = "8.8", .assemble = FLOATS SPARSE SP_F16("n, 0") ";",
      .accept = "sm_90a", .refuse = "sm_80|sm_90|sm_100|sm_100a|sm_120a" },
    { CK_RULE(wgmma_sp_form), .assemble = FLOATS "wgmma.mma_async.$" SP_F16("n, 0") ";", .accept = "sp.sync.aligned.",
      .refuse = "sync.aligned.|sp.aligned.|sp::ordered_metadata.sync.aligned.", .seen = "sp.sync.|sync.sp.aligned." },
    { CK_RULE(wgmma_sp_k_half),
      .assemble = FLOATS SPARSE "m64n8$.f32.${type}.${type} " D4 ", " BOTH ", n, 0, p, 1, 1, 0, 0;", .accept = "k32",
      .refuse = "k8|k16|k64", .axes = { { "type", "f16 bf16" } } },
    { CK_RULE(wgmma_sp_k_tf32), .assemble = FLOATS SPARSE "m64n8$.f32.tf32.tf32 " D4 ", " BOTH ", n, 0, p, 1, 1;",
      .accept = "k16", .refuse = "k8|k32" },
    { CK_RULE(wgmma_sp_k_bytes),
      .assemble = FLOATS SPARSE "m64n8$.f32.${type}.${type} " D4 ", " BOTH ", n, 0, p, 1, 1;", .accept = "k64",
      .refuse = "k32|k128", .axes = { { "type", "e4m3 e5m2" } } },
    { CK_RULE(wgmma_sp_k_bytes), .name = "int", .accept = "k64", .refuse = "k32|k128", .axes = { { "type", "s8 u8" } },
      .assemble = INTS SPARSE "m64n8$.s32.${type}.${type} " D4 ", " BOTH ", n, 0, p;" },
    { CK_RULE(wgmma_sp_n_int), .assemble = INTS SPARSE "$;", .accept = ALL_INTS(SP_S8_N), .refuse = NO_INTS(SP_S8_N) },
    { CK_RULE(wgmma_sp_no_bits), .assemble = INTS SPARSE "$ " D4 ", " BOTH ", n, 0, p;", .accept = "m64n8k64.s32.s8.s8",
      .refuse = "m64n8k256.s32.b1.b1.and.popc|m64n8k512.s32.b1.b1.and.popc" },
    { CK_RULE(wgmma_sp_metadata), .assemble = FLOATS SPARSE "m64n8k32.f32.f16.f16 " D4 ", " BOTH "$, p, 1, 1, 0, 0;",
      .accept = ", n, 0", .refuse = "|, n|, 0|, d2, 0|, h, 0", .seen = ", p, 0|, {n}, 0" },
    { CK_RULE(wgmma_sp_selector_constant), .assemble = FLOATS SPARSE SP_F16("n, $") ";", .accept = "0|1",
      .refuse = "m|p|d2" },
    { CK_RULE(wgmma_sp_selector_two), .accept = "0|1", .refuse = "2|3|4|-1", .axes = { { "type", "f16 bf16" } },
      .assemble = FLOATS SPARSE "m64n8k32.f32.${type}.${type} " D4 ", " BOTH ", n, $, p, 1, 1, 0, 0;" },
    { CK_RULE(wgmma_sp_selector_two), .name = "tf32", .accept = "0|1", .refuse = "2|3|4|-1",
      .assemble = FLOATS SPARSE "m64n8k16.f32.tf32.tf32 " D4 ", " BOTH ", n, $, p, 1, 1;" },
    { CK_RULE(wgmma_sp_selector_one), .accept = "0", .refuse = "1|2|3|-1", .axes = { { "type", "e4m3 e5m2" } },
      .assemble = FLOATS SPARSE "m64n8k64.f32.${type}.${type} " D4 ", " BOTH ", n, $, p, 1, 1;" },
    { CK_RULE(wgmma_sp_selector_one), .name = "int", .accept = "0", .refuse = "1|2|3|-1",
      .axes = { { "type", "s8 u8" } },
      .assemble = INTS SPARSE "m64n8k64.s32.${type}.${type} " D4 ", " BOTH ", n, $, p;" },
    { CK_RULE(wgmma_sp_a_count), .accept = "r0, r1, r2, r3", .refuse = "r0, r1|r0, r1, r2, r3, r4, r5, r6, r7",
      .assemble = FLOATS SPARSE "m64n8k32.f32.f16.f16 " D4 ", {$}, d1, n, 0, p, 1, 1, 0;" },

    /* ---- setmaxnreg ---- */
    { CK_RULE(setmaxnreg_range), .assemble = "setmaxnreg.${action}.sync.aligned.u32 $;",
      .accept = "24|32|40|128|232|240|256", .refuse = "0|8|16|264|512|-24", .axes = { { "action", "inc dec" } } },
    { CK_RULE(setmaxnreg_multiple), .assemble = "setmaxnreg.${action}.sync.aligned.u32 $;", .accept = "24|32|168|240",
      .refuse = "25|28|30|33|36|100|172|255", .axes = { { "action", "inc dec" } } },
    { CK_RULE(setmaxnreg_constant), .assemble = "setmaxnreg.${action}.sync.aligned.u32 $;", .accept = "64",
      .refuse = "n|h|d0|p", .axes = { { "action", "inc dec" } } },
    { CK_RULE(setmaxnreg_action), .assemble = "setmaxnreg.$sync.aligned.u32 64;", .accept = "inc.|dec.",
      .refuse = "|add.|set.|inc.dec." },
    { CK_RULE(setmaxnreg_aligned), .assemble = "setmaxnreg.dec$.u32 64;", .accept = ".sync.aligned",
      .refuse = "|.sync|.aligned" },
    { CK_RULE(setmaxnreg_type), .assemble = "setmaxnreg.dec.sync.aligned$ 64;", .accept = ".u32",
      .refuse = "|.b32|.u64", .seen = ".s32" },
    { CK_RULE(setmaxnreg_target), .target = "$", .version = "8.8", .assemble = "setmaxnreg.dec.sync.aligned.u32 64;",
      .accept = "sm_90a|sm_100a|sm_103a|sm_120a|sm_121a", .refuse = "sm_80|sm_89|sm_90|sm_100|sm_103|sm_120" },
    { CK_RULE(setmaxnreg_isa), .version = "$", .assemble = "setmaxnreg.dec.sync.aligned.u32 64;",
      .accept = "8.0|8.4|8.8", .refuse = "7.8" },
    { 0 }
};

const struct ck_suite wgmma_sparse_forms = { "wgmma/sparse", cases };
// SPDX-License-Identifier: Apache-2.0
