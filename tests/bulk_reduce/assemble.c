/* What an assembler must take and refuse of cp.reduce.async.bulk. How a row becomes a module: harness/ck.h. */
#include "harness/ck.h"
#include "tests/bulk/targets.h"

#define TX   "mbarrier::complete_tx::bytes"
#define S2C  "cp.reduce.async.bulk.shared::cluster.shared::cta." TX
#define S2G  "cp.reduce.async.bulk.global.shared::cta.bulk_group"
#define HINT ".L2::cache_hint"

/* Types that no reduction has. */
#define NO_TYPES "u8|s8|b8|u16|s16|b16|b128|f16x2|bf16x2|tf32|e4m3|e5m2|pred"

/* Which types an operation (an axis) takes to global memory, and to shared memory. */
#define TYPES(op, ops, to_global, not_to_global, to_cluster, not_to_cluster)                                           \
    { CK_RULE(bulkred_types_global),                                                                                   \
      .name = op,                                                                                                      \
      .assemble = S2G ".${op}.$ [g], [sa], 16;",                                                                       \
      .accept = to_global,                                                                                             \
      .refuse = not_to_global "|" NO_TYPES,                                                                            \
      .axes = { { "op", ops } } },                                                                                     \
    {                                                                                                                  \
        CK_RULE(bulkred_types_cluster), .name = op, .assemble = S2C ".${op}.$ [ra], [sa], 16, [ma];",                  \
                                        .accept = to_cluster, .refuse = not_to_cluster "|" NO_TYPES, .axes = {         \
                                            { "op", ops }                                                              \
                                        }                                                                              \
    }

/* A form in each version and on each target. */
#define SINCE(what, text)                                                                                              \
    { CK_RULE(bulkred_req), .name = what "-version",     .target = "sm_90", .version = "$",                            \
      .assemble = text,     .accept = VERSIONS_SINCE_80, .refuse = "7.8" },                                            \
        { CK_RULE(bulkred_req), .name = what "-8.0",  .target = "$",                                                   \
          .assemble = text,     .accept = TARGETS_80, .refuse = TARGETS_OLD },                                         \
        { CK_RULE(bulkred_req), .name = what "-8.6",  .version = "8.6",     .target = "$",                             \
          .assemble = text,     .accept = TARGETS_86, .refuse = TARGETS_OLD },                                         \
        { CK_RULE(bulkred_req), .name = what "-8.7",  .version = "8.7",     .target = "$",                             \
          .assemble = text,     .accept = TARGETS_87, .refuse = TARGETS_OLD },                                         \
        { CK_RULE(bulkred_req), .name = what "-8.8",  .version = "8.8",     .target = "$",                             \
          .assemble = text,     .accept = TARGETS_88, .refuse = TARGETS_OLD },                                         \
    {                                                                                                                  \
        CK_RULE(bulkred_req), .name = what "-9.0", .version = "9.0", .target = "$", .assemble = text,                  \
                              .accept = TARGETS_90, .refuse = TARGETS_OLD                                              \
    }

static const struct ck_case cases[] = {
    /* ---- directions and completion ---- */
    { CK_RULE(bulkred_dir_s2g), .name = "form", .assemble = "cp.reduce.async.bulk.$.bulk_group.add.u32 [g], [sa], n;",
      .accept = "global.shared::cta", .refuse = "global|global.shared::cluster|global.global|global.shared" },
    { CK_RULE(bulkred_dir_s2cluster), .name = "form",
      .assemble = "cp.reduce.async.bulk.$." TX ".add.u32 [ra], [sa], n, [ma];", .accept = "shared::cluster.shared::cta",
      .refuse = "shared::cluster|shared::cluster.shared::cluster|shared.shared::cta|shared::cluster.shared" },
    { CK_RULE(bulkred_dir_no_g2s),
      .assemble = "cp.reduce.async.bulk.shared::cluster.$." TX ".add.u32 [ra], [g], 16, [ma];", .accept = "shared::cta",
      .refuse = "global" },
    { CK_RULE(bulkred_dir_no_g2s), .name = "bits",
      .assemble = "cp.reduce.async.bulk.shared::cluster.$." TX ".xor.b32 [ra], [g], 16, [ma];", .accept = "shared::cta",
      .refuse = "global|const|local|param" },
    { CK_RULE(bulkred_dir_no_cta_dst), .version = "8.6",
      .assemble = "cp.reduce.async.bulk.$.shared::cta." TX ".add.u32 [ra], [sa], 16, [ma];",
      .accept = "shared::cluster", .refuse = "shared::cta|global|shared" },
    { CK_RULE(bulkred_cm), .name = "global", .assemble = "cp.reduce.async.bulk.global.shared::cta$;",
      .accept = ".bulk_group.add.u32 [g], [sa], 16",
      .refuse = "." TX ".add.u32 [g], [sa], 16, [ma]|.add.u32 [g], [sa], 16|.bulk_group.add.u32 [g], [sa], 16, [ma]" },
    { CK_RULE(bulkred_cm), .name = "cluster", .assemble = "cp.reduce.async.bulk.shared::cluster.shared::cta$;",
      .accept = "." TX ".add.u32 [ra], [sa], 16, [ma]",
      .refuse = ".bulk_group.add.u32 [ra], [sa], 16|.add.u32 [ra], [sa], 16, [ma]|." TX ".add.u32 [ra], [sa], 16" },
    SINCE("global", S2G ".add.u32 [g], [sa], 16;"),
    SINCE("cluster", S2C ".add.u32 [ra], [sa], 16, [ma];"),

    /* ---- operations and types ---- */
    TYPES("add", "add", "u32|s32|u64|f32|f64", "s64|b32|b64|f16|bf16", "u32|s32|u64", "s64|b32|b64|f32|f64|f16|bf16"),
    TYPES("order", "min max", "u32|s32|u64|s64|f16|bf16", "b32|b64|f32|f64", "u32|s32",
          "u64|s64|b32|b64|f32|f64|f16|bf16"),
    TYPES("count", "inc dec", "u32", "s32|u64|s64|b32|b64|f32|f64|f16|bf16", "u32",
          "s32|u64|s64|b32|b64|f32|f64|f16|bf16"),
    TYPES("bits", "and or xor", "b32|b64", "u32|s32|u64|s64|f32|f64|f16|bf16", "b32",
          "b64|u32|s32|u64|s64|f32|f64|f16|bf16"),
    { CK_RULE(bulkred_types_global), .name = "operations", .assemble = S2G ".$ [g], [sa], 16;", .accept = "add.u32",
      .refuse = "sub.u32|mul.u32|exch.b32|cas.b32|popc.b32|not.b32|u32|add|add.add.u32|add.u32.u32" },
    { CK_RULE(bulkred_types_cluster), .name = "operations", .assemble = S2C ".$ [ra], [sa], 16, [ma];",
      .accept = "add.u32",
      .refuse = "sub.u32|mul.u32|exch.b32|cas.b32|popc.b32|not.b32|u32|add|add.add.u32|add.u32.u32" },
    { CK_RULE(bulkred_types_no_b64_cluster), .assemble = S2C ".${op}.$ [ra], [sa], 16, [ma];", .accept = "b32",
      .refuse = "b64", .axes = { { "op", "and or xor" } } },
    { CK_RULE(bulkred_types_doc_example), .assemble = S2C ".xor.$ [ra], [sa], 16, [ma];", .accept = "b32",
      .refuse = "s32" },
    { CK_RULE(bulkred_noftz_required), .assemble = S2G ".add$.${type} [g], [sa], 16;", .accept = ".noftz", .refuse = "",
      .axes = { { "type", "f16 bf16" } } },
    { CK_RULE(bulkred_noftz_only_half_add), .name = "add", .assemble = S2G ".add.noftz.$ [g], [sa], 16;",
      .accept = "f16|bf16", .refuse = "u32|s32|u64|f32|f64" },
    { CK_RULE(bulkred_noftz_only_half_add), .name = "order", .assemble = S2G ".${op}$.${type} [g], [sa], 16;",
      .accept = "", .refuse = ".noftz|.ftz", .axes = { { "op", "min max" }, { "type", "f16 bf16 u32 s64" } } },
    { CK_RULE(bulkred_noftz_only_half_add), .name = "cluster", .assemble = S2C ".$ [ra], [sa], 16, [ma];",
      .accept = "add.u32|inc.u32|and.b32", .refuse = "add.noftz.u32|add.noftz.f16|inc.noftz.u32|and.noftz.b32" },
    { CK_RULE(bulkred_no_subbyte), .assemble = S2G ".${op}.$ [g], [sa], 16;", .accept = "u32",
      .refuse = "b4x16|b6x16|b4x16_p64|b6x16_p32|b6p2x16|u4|s4|b4|u8|s8|u8x4|s8x4|e2m1x2|e4m3x2",
      .axes = { { "op", "add min max" } } },

    /* ---- operands ---- */
    { CK_RULE(bulkred_size), .name = "constant", .assemble = S2G ".${reduction} [g], [sa], $;",
      .accept = "16|32|48|1024|65536|n", .refuse = "1|2|4|8|12|15|17|24|31|33|100|1000|h|d0",
      .axes = { { "reduction", "add.u32 add.noftz.f16 max.s64" } } },
    { CK_RULE(bulkred_size), .name = "constant-cluster", .assemble = S2C ".${reduction} [ra], [sa], $, [ma];",
      .accept = "16|32|48|1024|65536|n", .refuse = "1|2|4|8|12|15|17|24|31|33|100|1000|h|d0",
      .axes = { { "reduction", "add.u32 min.s32 xor.b32" } } },
    { CK_RULE(bulkred_size_zero), .name = "form", .assemble = S2G ".add.u32 [g], [sa], $;",
      .seen = "0|1048560|1048576|4294967280|-16" },
    { CK_RULE(bulkred_size_zero), .name = "form-cluster", .assemble = S2C ".add.u32 [ra], [sa], $, [ma];",
      .seen = "0|1048560|1048576|4294967280|-16" },
    { CK_RULE(bulkred_hint), .name = "global", .assemble = S2G "$;",
      .accept = ".add.u32 [g], [sa], 16|" HINT ".add.u32 [g], [sa], 16, pol",
      .refuse = HINT ".add.u32 [g], [sa], 16|.add.u32 [g], [sa], 16, pol|" HINT ".add.u32 [g], [sa], 16, n" },
    { CK_RULE(bulkred_hint), .name = "cluster", .assemble = S2C "$;", .accept = ".add.u32 [ra], [sa], 16, [ma]",
      .refuse = HINT ".add.u32 [ra], [sa], 16, [ma], pol|" HINT ".add.u32 [ra], [sa], 16, [ma]" },
    { CK_RULE(bulkred_no_multicast), .name = "cluster", .target = "sm_90a",
      .assemble = S2C "$.${reduction} [ra], [sa], 16, [ma];", .accept = "", .refuse = ".multicast::cluster",
      .axes = { { "reduction", "add.u32 add.s32 add.u64 min.u32 max.s32 inc.u32 dec.u32 and.b32 or.b32 xor.b32" } } },
    { CK_RULE(bulkred_no_multicast), .name = "global", .target = "sm_90a",
      .assemble = S2G "$.${reduction} [g], [sa], 16;", .accept = "", .refuse = ".multicast::cluster",
      .axes = { { "reduction", "add.u32 add.f32 add.noftz.f16 min.s64 inc.u32 xor.b64" } } },
    { CK_RULE(bulkred_sem93), .name = "version", .version = "$",
      .assemble = "cp.reduce.async.bulk.relaxed.gpu.global.shared::cta.bulk_group.add.u32 [g], [sa], 16;",
      .accept = "9.3", .refuse = "8.0|8.6|9.0|9.1|9.2" },
    { CK_RULE(bulkred_sem93), .name = "version-cluster", .version = "$",
      .assemble =
          "cp.reduce.async.bulk.relaxed.cluster.shared::cluster.shared::cta." TX ".add.u32 [ra], [sa], 16, [ma];",
      .accept = "9.3", .refuse = "8.0|8.6|9.0|9.1|9.2" },
    { CK_RULE(bulkred_sem93), .name = "scope",
      .assemble = "cp.reduce.async.bulk.$.global.shared::cta.bulk_group.add.u32 [g], [sa], 16;",
      .accept = "relaxed.cta|relaxed.cluster|relaxed.gpu|relaxed.sys", .refuse = "gpu|weak|acquire.gpu|release.gpu" },
    { 0 }
};

const struct ck_suite bulk_reduce_assemble = { "bulk-reduce/assemble", cases };
// SPDX-License-Identifier: Apache-2.0
