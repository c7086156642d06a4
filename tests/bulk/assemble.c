/* What an assembler must take and refuse of cp.async.bulk. How a row becomes a module: harness/ck.h. */
#include "harness/ck.h"
#include "tests/bulk/targets.h"

#define G2S  "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"
#define G2C  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
#define S2C  "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
#define S2G  "cp.async.bulk.global.shared::cta.bulk_group"
#define TX   "mbarrier::complete_tx::bytes"
#define MC   ".multicast::cluster"
#define HINT ".L2::cache_hint"

#define ODD_SIZES "1|2|4|8|12|15|17|24|31|33|100|1000"

static const struct ck_case cases[] = {
    /* ---- directions ---- */
    { CK_RULE(bulk_dir_g2s_cluster), .name = "form", .assemble = "cp.async.bulk.$." TX " [sa], [g], n, [ma];",
      .accept = "shared::cluster.global",
      .refuse = "shared::cluster|global.shared::cluster|shared::cluster.global.global" },
    { CK_RULE(bulk_dir_g2s_cta), .name = "form", .version = "$", .assemble = G2S " [sa], [g], n, [ma];",
      .accept = "8.6|8.7|8.8|9.0", .refuse = "8.0|8.1|8.2|8.3|8.4|8.5" },
    { CK_RULE(bulk_dir_s2cluster), .name = "form", .assemble = "cp.async.bulk.$." TX " [ra], [sa], n, [ma];",
      .accept = "shared::cluster.shared::cta", .refuse = "shared::cta|shared::cluster.shared::cluster" },
    { CK_RULE(bulk_dir_s2g), .name = "form", .assemble = "cp.async.bulk.$.bulk_group [g], [sa], n;",
      .accept = "global.shared::cta", .refuse = "global|global.shared::cluster" },
    { CK_RULE(bulk_dir_no_g2g), .assemble = "cp.async.bulk.global.$.bulk_group [g], [sa], 16;", .accept = "shared::cta",
      .refuse = "global" },
    { CK_RULE(bulk_dir_no_g2g), .name = "mbarrier", .assemble = "cp.async.bulk.$.global." TX " [sa], [g], 16, [ma];",
      .accept = "shared::cluster", .refuse = "global" },
    { CK_RULE(bulk_dir_no_cta2cta), .version = "8.6",
      .assemble = "cp.async.bulk.$.shared::cta." TX " [ra], [sa], 16, [ma];", .accept = "shared::cluster",
      .refuse = "shared::cta" },
    { CK_RULE(bulk_dir_no_cta2cta), .name = "bulk-group", .version = "8.6",
      .assemble = "cp.async.bulk.$.shared::cta.bulk_group [g], [sa], 16;", .accept = "global",
      .refuse = "shared::cta" },
    { CK_RULE(bulk_dir_no_bare_shared), .assemble = "cp.async.bulk.$.global." TX " [sa], [g], 16, [ma];",
      .accept = "shared::cluster", .refuse = "shared" },
    { CK_RULE(bulk_dir_no_bare_shared), .name = "source",
      .assemble = "cp.async.bulk.global.$.bulk_group [g], [sa], 16;", .accept = "shared::cta", .refuse = "shared" },
    { CK_RULE(bulk_dir_no_bare_shared), .name = "between", .assemble = "cp.async.bulk.$." TX " [ra], [sa], 16, [ma];",
      .accept = "shared::cluster.shared::cta", .refuse = "shared.shared|shared.shared::cta|shared::cluster.shared" },
    { CK_RULE(bulk_dir_no_cluster_src), .assemble = "cp.async.bulk.shared::cluster.$." TX " [ra], [sa], 16, [ma];",
      .accept = "shared::cta", .refuse = "shared::cluster" },
    { CK_RULE(bulk_dir_no_cluster_src), .name = "store", .assemble = "cp.async.bulk.global.$.bulk_group [g], [sa], 16;",
      .accept = "shared::cta", .refuse = "shared::cluster" },
    { CK_RULE(bulk_dir_no_const_src), .assemble = "cp.async.bulk.shared::cluster.$." TX " [ra], [g], 16, [ma];",
      .accept = "global|shared::cta", .refuse = "const|param|local" },
    { CK_RULE(bulk_dir_no_const_src), .name = "destination",
      .assemble = "cp.async.bulk.$.shared::cta.bulk_group [g], [sa], 16;", .accept = "global",
      .refuse = "const|param|local" },

    /* ---- targets and versions ---- */
    { CK_RULE(bulk_req_sm90), .target = "$", .assemble = G2C " [sa], [g], 16, [ma];", .accept = TARGETS_80,
      .refuse = TARGETS_OLD },
    { CK_RULE(bulk_req_sm90), .name = "between", .target = "$", .assemble = S2C " [ra], [sa], 16, [ma];",
      .accept = TARGETS_80, .refuse = TARGETS_OLD },
    { CK_RULE(bulk_req_sm90), .name = "store", .target = "$", .assemble = S2G " [g], [sa], 16;", .accept = TARGETS_80,
      .refuse = TARGETS_OLD },
    { CK_RULE(bulk_req_sm90), .name = "since-8.6", .version = "8.6", .target = "$",
      .assemble = G2S " [sa], [g], 16, [ma];", .accept = TARGETS_80 "|" TARGETS_86, .refuse = TARGETS_OLD },
    { CK_RULE(bulk_req_sm90), .name = "since-8.7", .version = "8.7", .target = "$",
      .assemble = G2S " [sa], [g], 16, [ma];", .accept = TARGETS_87, .refuse = TARGETS_OLD },
    { CK_RULE(bulk_req_sm90), .name = "since-8.8", .version = "8.8", .target = "$",
      .assemble = G2S " [sa], [g], 16, [ma];", .accept = TARGETS_88, .refuse = TARGETS_OLD },
    { CK_RULE(bulk_req_sm90), .name = "since-9.0", .version = "9.0", .target = "$",
      .assemble = G2S " [sa], [g], 16, [ma];", .accept = TARGETS_90, .refuse = "sm_88" },
    { CK_RULE(bulk_req_isa80), .target = "sm_90", .version = "$", .assemble = G2C " [sa], [g], 16, [ma];",
      .accept = VERSIONS_SINCE_80, .refuse = "7.8" },
    { CK_RULE(bulk_req_isa80), .name = "between", .target = "sm_90", .version = "$",
      .assemble = S2C " [ra], [sa], 16, [ma];", .accept = VERSIONS_SINCE_80, .refuse = "7.8" },
    { CK_RULE(bulk_req_isa80), .name = "store", .target = "sm_90", .version = "$", .assemble = S2G " [g], [sa], 16;",
      .accept = VERSIONS_SINCE_80, .refuse = "7.8" },

    /* ---- completion mechanisms ---- */
    { CK_RULE(bulk_cm_required), .assemble = "cp.async.bulk.shared::cluster.global$ [sa], [g], 16, [ma];",
      .accept = "." TX, .refuse = "" },
    { CK_RULE(bulk_cm_required), .name = "between",
      .assemble = "cp.async.bulk.shared::cluster.shared::cta$ [ra], [sa], 16, [ma];", .accept = "." TX, .refuse = "" },
    { CK_RULE(bulk_cm_required), .name = "store", .assemble = "cp.async.bulk.global.shared::cta$ [g], [sa], 16;",
      .accept = ".bulk_group", .refuse = "" },
    { CK_RULE(bulk_cm_g2s_mbar_only), .assemble = "cp.async.bulk.shared::cluster.global.$;",
      .accept = TX " [sa], [g], 16, [ma]", .refuse = "bulk_group [sa], [g], 16|bulk_group [sa], [g], 16, [ma]" },
    { CK_RULE(bulk_cm_g2s_mbar_only), .name = "cta", .version = "8.6",
      .assemble = "cp.async.bulk.shared::cta.global.$;", .accept = TX " [sa], [g], 16, [ma]",
      .refuse = "bulk_group [sa], [g], 16|bulk_group [sa], [g], 16, [ma]" },
    { CK_RULE(bulk_cm_s2cluster_mbar_only), .assemble = "cp.async.bulk.shared::cluster.shared::cta.$;",
      .accept = TX " [ra], [sa], 16, [ma]", .refuse = "bulk_group [ra], [sa], 16|bulk_group [ra], [sa], 16, [ma]" },
    { CK_RULE(bulk_cm_s2g_group_only), .assemble = "cp.async.bulk.global.shared::cta.$;",
      .accept = "bulk_group [g], [sa], 16", .refuse = TX " [g], [sa], 16, [ma]|" TX " [g], [sa], 16" },
    { CK_RULE(bulk_cm_mbar_operand), .assemble = G2C " [sa], [g], 16$;", .accept = ", [ma]", .refuse = "" },
    { CK_RULE(bulk_cm_mbar_operand), .name = "cta", .version = "8.6", .assemble = G2S " [sa], [g], 16$;",
      .accept = ", [ma]", .refuse = "" },
    { CK_RULE(bulk_cm_mbar_operand), .name = "between", .assemble = S2C " [ra], [sa], 16$;", .accept = ", [ma]",
      .refuse = "" },
    { CK_RULE(bulk_cm_mbar_operand), .name = "store", .assemble = S2G " [g], [sa], 16$;", .accept = "",
      .refuse = ", [ma]" },

    /* ---- addresses and sizes ---- */
    { CK_RULE(bulk_align_unchecked), .name = "load-to", .assemble = G2C " [$], [gbuf], 16, [mb];",
      .seen = "sbuf|sbuf+1|sbuf+2|sbuf+4|sbuf+8|sbuf+15|sbuf+16" },
    { CK_RULE(bulk_align_unchecked), .name = "load-from", .assemble = G2C " [sbuf], [$], 16, [mb];",
      .seen = "gbuf|gbuf+1|gbuf+2|gbuf+4|gbuf+8|gbuf+15|gbuf+16" },
    { CK_RULE(bulk_align_unchecked), .name = "barrier", .assemble = G2C " [sbuf], [gbuf], 16, [$];",
      .seen = "mb|mb+1|mb+4" },
    { CK_RULE(bulk_align_unchecked), .name = "store-to", .assemble = S2G " [$], [sbuf], 16;",
      .seen = "gbuf|gbuf+1|gbuf+2|gbuf+4|gbuf+8|gbuf+15|gbuf+16" },
    { CK_RULE(bulk_align_unchecked), .name = "store-from", .assemble = S2G " [gbuf], [$], 16;",
      .seen = "sbuf|sbuf+1|sbuf+2|sbuf+4|sbuf+8|sbuf+15|sbuf+16" },
    { CK_RULE(bulk_size_mult16_imm), .assemble = G2C " [sa], [g], $, [ma];", .accept = "16|32|48|1024|65536|n",
      .refuse = ODD_SIZES },
    { CK_RULE(bulk_size_mult16_imm), .name = "cta", .version = "8.6", .assemble = G2S " [sa], [g], $, [ma];",
      .accept = "16|32|48|1024|65536|n", .refuse = ODD_SIZES },
    { CK_RULE(bulk_size_mult16_imm), .name = "between", .assemble = S2C " [ra], [sa], $, [ma];",
      .accept = "16|32|48|1024|65536|n", .refuse = ODD_SIZES },
    { CK_RULE(bulk_size_mult16_imm), .name = "store", .assemble = S2G " [g], [sa], $;",
      .accept = "16|32|48|1024|65536|n", .refuse = ODD_SIZES },
    { CK_RULE(bulk_size_mult16_imm), .name = "reduce",
      .assemble = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [g], [sa], $;",
      .accept = "16|32|48|1024|65536|n", .refuse = ODD_SIZES },
    { CK_RULE(bulk_size_imm_range), .assemble = G2C " [sa], [g], $, [ma];",
      .seen = "0|16|1048560|1048576|2147483632|4294967280|4294967296|-16" },
    { CK_RULE(bulk_size_imm_range), .name = "between", .assemble = S2C " [ra], [sa], $, [ma];",
      .seen = "0|16|1048560|1048576|2147483632|4294967280|4294967296|-16" },
    { CK_RULE(bulk_size_imm_range), .name = "store", .assemble = S2G " [g], [sa], $;",
      .seen = "0|16|1048560|1048576|2147483632|4294967280|4294967296|-16" },
    { CK_RULE(bulk_size_reg32), .assemble = G2C " [sa], [g], $, [ma];", .accept = "n|16", .refuse = "h|d0|p|fd0" },
    { CK_RULE(bulk_size_reg32), .name = "between", .assemble = S2C " [ra], [sa], $, [ma];", .accept = "n|16",
      .refuse = "h|d0|p|fd0" },
    { CK_RULE(bulk_size_reg32), .name = "store", .assemble = S2G " [g], [sa], $;", .accept = "n|16",
      .refuse = "h|d0|p|fd0" },
    { CK_RULE(bulk_size_zero), .name = "form", .assemble = G2C " [sa], [g], $, [ma];", .seen = "0" },
    { CK_RULE(bulk_size_zero), .name = "form-cta", .version = "8.6", .assemble = G2S " [sa], [g], $, [ma];",
      .seen = "0" },
    { CK_RULE(bulk_size_zero), .name = "form-between", .assemble = S2C " [ra], [sa], $, [ma];", .seen = "0" },
    { CK_RULE(bulk_size_zero), .name = "form-store", .assemble = S2G " [g], [sa], $;", .seen = "0" },

    /* ---- multicast ---- */
    { CK_RULE(bulk_mc_mask_required), .target = "sm_90a", .assemble = G2C "$;",
      .accept = " [sa], [g], 16, [ma]|" MC " [sa], [g], 16, [ma], h",
      .refuse = MC " [sa], [g], 16, [ma]| [sa], [g], 16, [ma], h" },
    { CK_RULE(bulk_mc_mask16), .target = "sm_90a", .assemble = G2C MC " [sa], [g], 16, [ma], $;", .accept = "h|1|65535",
      .refuse = "n|d0|p|f0", .seen = "0|65536|-1" },
    { CK_RULE(bulk_mc_g2s_cluster_only), .target = "sm_90a", .version = "8.6", .assemble = "cp.async.bulk.$, h;",
      .accept = "shared::cluster.global." TX MC " [sa], [g], 16, [ma]",
      .refuse = "shared::cta.global." TX MC " [sa], [g], 16, [ma]|"
                "shared::cluster.shared::cta." TX MC " [ra], [sa], 16, [ma]|"
                "global.shared::cta.bulk_group" MC " [g], [sa], 16" },
    { CK_RULE(bulk_mc_g2s_cluster_only), .name = "reduce", .target = "sm_90a", .assemble = "cp.reduce.async.bulk.$;",
      .accept = "shared::cluster.shared::cta." TX ".add.u32 [ra], [sa], 16, [ma]",
      .refuse = "shared::cluster.shared::cta." TX MC ".add.u32 [ra], [sa], 16, [ma], h|"
                "global.shared::cta.bulk_group" MC ".add.u32 [g], [sa], 16, h" },
    { CK_RULE(bulk_mc_advised_arch), .target = "$", .assemble = G2C MC " [sa], [g], 16, [ma], h;", .accept = TARGETS_80,
      .refuse = TARGETS_OLD },
    { CK_RULE(bulk_mc_advised_arch), .name = "since-8.6", .version = "8.6", .target = "$",
      .assemble = G2C MC " [sa], [g], 16, [ma], h;", .accept = TARGETS_80 "|" TARGETS_86, .refuse = TARGETS_OLD },
    { CK_RULE(bulk_mc_advised_arch), .name = "since-8.7", .version = "8.7", .target = "$",
      .assemble = G2C MC " [sa], [g], 16, [ma], h;", .accept = TARGETS_87, .refuse = TARGETS_OLD },
    { CK_RULE(bulk_mc_advised_arch), .name = "since-8.8", .version = "8.8", .target = "$",
      .assemble = G2C MC " [sa], [g], 16, [ma], h;", .accept = TARGETS_88, .refuse = TARGETS_OLD },
    { CK_RULE(bulk_mc_advised_arch), .name = "since-9.0", .version = "9.0", .target = "$",
      .assemble = G2C MC " [sa], [g], 16, [ma], h;", .accept = TARGETS_90, .refuse = TARGETS_OLD },

    /* ---- cache hints ---- */
    { CK_RULE(bulk_hint_pairing), .assemble = G2C "$;",
      .accept = " [sa], [g], 16, [ma]|" HINT " [sa], [g], 16, [ma], pol",
      .refuse = HINT " [sa], [g], 16, [ma]| [sa], [g], 16, [ma], pol|" HINT " [sa], [g], 16, [ma], n" },
    { CK_RULE(bulk_hint_pairing), .name = "cta", .version = "8.6", .assemble = G2S "$;",
      .accept = " [sa], [g], 16, [ma]|" HINT " [sa], [g], 16, [ma], pol",
      .refuse = HINT " [sa], [g], 16, [ma]| [sa], [g], 16, [ma], pol|" HINT " [sa], [g], 16, [ma], n" },
    { CK_RULE(bulk_hint_pairing), .name = "store", .assemble = S2G "$;",
      .accept = " [g], [sa], 16|" HINT " [g], [sa], 16, pol",
      .refuse = HINT " [g], [sa], 16| [g], [sa], 16, pol|" HINT " [g], [sa], 16, n" },
    { CK_RULE(bulk_hint_global_only), .assemble = S2C "$;", .accept = " [ra], [sa], 16, [ma]",
      .refuse = HINT " [ra], [sa], 16, [ma], pol|" HINT " [ra], [sa], 16, [ma]" },
    { CK_RULE(bulk_hint_operand_order), .target = "sm_90a", .assemble = G2C MC HINT " [sa], [g], 16, [ma], $;",
      .accept = "h, pol", .refuse = "pol, h|h|pol" },

    /* ---- byte masks and later additions ---- */
    { CK_RULE(bulk_cpmask_arch), .target = "$", .assemble = S2G ".cp_mask [g], [sa], 16, h;",
      .accept = "sm_100|sm_100a", .refuse = "sm_90|sm_90a" },
    { CK_RULE(bulk_cpmask_arch), .name = "since-8.7", .version = "8.7", .target = "$",
      .assemble = S2G ".cp_mask [g], [sa], 16, h;", .accept = TARGETS_87, .refuse = "sm_90|sm_90a" },
    { CK_RULE(bulk_cpmask_arch), .name = "since-8.8", .version = "8.8", .target = "$",
      .assemble = S2G ".cp_mask [g], [sa], 16, h;", .accept = TARGETS_88, .refuse = "sm_90|sm_90a" },
    { CK_RULE(bulk_cpmask_arch), .name = "since-9.0", .version = "9.0", .target = "$",
      .assemble = S2G ".cp_mask [g], [sa], 16, h;", .accept = TARGETS_90, .refuse = "sm_90|sm_90a" },
    { CK_RULE(bulk_cpmask_s2g_only), .assemble = "cp.async.bulk.$, h;",
      .accept = "global.shared::cta.bulk_group.cp_mask [g], [sa], 16",
      .refuse = "shared::cta.global." TX ".cp_mask [sa], [g], 16, [ma]|"
                "shared::cluster.global." TX ".cp_mask [sa], [g], 16, [ma]|"
                "shared::cluster.shared::cta." TX ".cp_mask [ra], [sa], 16, [ma]|"
                "tensor.1d.global.shared::cta.tile.bulk_group.cp_mask [gm, {r0}], [sa]" },
    { CK_RULE(bulk_cpmask_operand), .assemble = S2G "$;",
      .accept = ".cp_mask [g], [sa], 16, h|" HINT ".cp_mask [g], [sa], 16, pol, h",
      .refuse =
          ".cp_mask [g], [sa], 16|.cp_mask [g], [sa], 16, n| [g], [sa], 16, h|" HINT ".cp_mask [g], [sa], 16, h, pol" },
    { CK_RULE(bulk_ignoreoob_isa), .version = "$", .assemble = G2S ".ignore_oob [sa], [g], 16, n, m, [ma];",
      .accept = "9.2|9.3", .refuse = "8.6|8.7|8.8|9.0|9.1" },
    { CK_RULE(bulk_ignoreoob_isa), .name = "form", .assemble = "cp.async.bulk.$;",
      .accept = "shared::cta.global." TX ".ignore_oob [sa], [g], 16, 0, 15, [ma]",
      .refuse = "shared::cta.global." TX ".ignore_oob [sa], [g], 16, [ma]|"
                "shared::cluster.global." TX ".ignore_oob [sa], [g], 16, n, m, [ma]|"
                "shared::cluster.shared::cta." TX ".ignore_oob [ra], [sa], 16, n, m, [ma]|"
                "global.shared::cta.bulk_group.ignore_oob [g], [sa], 16, n, m" },
    { CK_RULE(bulk_isa93_sem), .version = "$",
      .assemble = "cp.async.bulk.weak.shared::cta.global." TX " [sa], [g], 16, [ma];", .accept = "9.3",
      .refuse = "8.6|9.0|9.1|9.2" },
    { CK_RULE(bulk_isa93_sem), .name = "relaxed", .version = "$",
      .assemble = "cp.async.bulk.relaxed.cta.shared::cta.global." TX ".b128 [sa], [g], 16, [ma];", .accept = "9.3",
      .refuse = "8.6|9.0|9.1|9.2" },
    { CK_RULE(bulk_isa93_sem), .name = "scope", .assemble = "cp.async.bulk.$ [g], [sa], 16;",
      .accept = "weak.global.shared::cta.bulk_group|relaxed.cta.global.shared::cta.bulk_group.b128|"
                "relaxed.gpu.global.shared::cta.bulk_group.b128|relaxed.sys.global.shared::cta.bulk_group.b128",
      .refuse = "weak.cta.global.shared::cta.bulk_group|relaxed.gpu.global.shared::cta.bulk_group|"
                "relaxed.global.shared::cta.bulk_group.b128|relaxed.gpu.global.shared::cta.bulk_group.b64" },
    { CK_RULE(bulk_isa91_multimem), .version = "$",
      .assemble = "multimem.cp.async.bulk.global.shared::cta.bulk_group [g], [sa], 16;", .accept = "9.1|9.2|9.3",
      .refuse = "8.0|8.6|9.0" },
    { CK_RULE(bulk_isa91_multimem), .name = "reduce", .version = "$",
      .assemble = "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [g], [sa], 16;",
      .accept = "9.1|9.2|9.3", .refuse = "8.0|8.6|9.0" },

    /* ---- order and predicates ---- */
    { CK_RULE(bulk_proxy_fence_space), .name = "form", .assemble = "fence.proxy.async$;",
      .accept = "|.global|.shared::cta|.shared::cluster", .refuse = ".shared|.local|.const" },
    { CK_RULE(bulk_pred_off), .name = "form", .assemble = "$ " G2C " [sa], [g], 16, [ma];", .accept = "@p|@!q",
      .refuse = "@n|@h" },

    /* ---- what assemblers make of wrong text ---- */
    { CK_RULE(bulk_asm_stray_operation), .assemble = S2G ".$" HINT " [g], [sa], 16, pol;",
      .seen = "inc|dec|add|min|and" },
    { CK_RULE(bulk_asm_stray_operation), .name = "no-operand", .assemble = S2G ".$" HINT " [g], [sa], 16;",
      .seen = "inc|add" },
    /* A driver's compiler hangs at the first. */
    { CK_RULE(bulk_asm_predicate_map), .slow = true,
      .assemble = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [$, {r0, r1}], [sa];",
      .seen = "p|gm|h|n" },
    { 0 }
};

const struct ck_suite bulk_assemble = { "bulk-assemble", cases };
// SPDX-License-Identifier: Apache-2.0
