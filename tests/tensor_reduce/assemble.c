/* What an assembler must take and refuse of tensor reductions and prefetches. How a row becomes a module: harness/ck.h.
 */
#include "harness/ck.h"

#define REDUCE(rank, tail) "cp.reduce.async.bulk.tensor." rank ".global.shared::cta." tail
#define PREFETCH           "cp.async.bulk.prefetch.tensor."

static const struct ck_case cases[] = {
    /* ---- reductions ---- */
    { CK_RULE(tensor_red_ops), .assemble = REDUCE("1d", "$.tile.bulk_group [g, {r0}], [sa];"),
      .accept = "add|min|max|inc|dec|and|or|xor", .refuse = "sub|mul|exch|cas|popc|not|add.add|min.max" },
    { CK_RULE(tensor_red_ops), .name = "rank-5",
      .assemble = REDUCE("5d", "$.tile.bulk_group [g, {r0, r1, r2, r3, r4}], [sa];"),
      .accept = "add|min|max|inc|dec|and|or|xor", .refuse = "sub|mul|exch|cas|popc|not" },
    { CK_RULE(tensor_red_ops), .name = "needed",
      .assemble = "cp.reduce.async.bulk.tensor.2d.global.shared::cta$.tile"
                  ".bulk_group [g, {r0, r1}], [sa];",
      .accept = ".add", .refuse = "" },
    { CK_RULE(tensor_red_type_from_map), .assemble = REDUCE("2d", "${op}$.tile.bulk_group [g, {r0, r1}], [sa];"),
      .accept = "", .refuse = ".u32|.s32|.u64|.f16|.bf16|.f32|.b32|.noftz|.noftz.f16|.ftz",
      .axes = { { "op", "add min max inc dec and or xor" } } },
    { CK_RULE(tensor_red_type_from_map), .name = "behind",
      .assemble = REDUCE("2d", "${op}.tile.bulk_group$ [g, {r0, r1}], [sa];"), .accept = "",
      .refuse = ".u32|.f16|.b32|.noftz", .axes = { { "op", "add min max inc dec and or xor" } } },
    { CK_RULE(tensor_red_modes), .name = "rank-1", .assemble = REDUCE("1d", "add.$.bulk_group [g, {r0}], [sa];"),
      .accept = "tile", .refuse = "im2col|im2col_no_offs|im2col::w|tile::gather4|tiled" },
    { CK_RULE(tensor_red_modes), .name = "rank-2", .assemble = REDUCE("2d", "add.$.bulk_group [g, {r0, r1}], [sa];"),
      .accept = "tile", .refuse = "im2col|im2col_no_offs|im2col::w|tile::gather4|tiled" },
    { CK_RULE(tensor_red_modes), .name = "rank-3", .assemble = REDUCE("3d", "add$.bulk_group [g, {r0, r1, r2}], [sa];"),
      .accept = "|.tile|.im2col_no_offs", .refuse = ".im2col|.im2col::w|.tile::gather4|.tiled" },
    { CK_RULE(tensor_red_modes), .name = "rank-4",
      .assemble = REDUCE("4d", "add$.bulk_group [g, {r0, r1, r2, r3}], [sa];"), .accept = "|.tile|.im2col_no_offs",
      .refuse = ".im2col|.im2col::w|.tile::gather4|.tiled" },
    { CK_RULE(tensor_red_modes), .name = "rank-5",
      .assemble = REDUCE("5d", "add$.bulk_group [g, {r0, r1, r2, r3, r4}], [sa];"), .accept = "|.tile|.im2col_no_offs",
      .refuse = ".im2col|.im2col::w|.tile::gather4|.tiled" },
    { CK_RULE(tensor_red_modes), .name = "completion", .assemble = REDUCE("2d", "${op}.tile$;"),
      .accept = ".bulk_group [g, {r0, r1}], [sa]",
      .refuse = ".mbarrier::complete_tx::bytes [g, {r0, r1}], [sa], [ma]| [g, {r0, r1}], [sa]|"
                ".bulk_group [g, {r0, r1}], [sa], [ma]",
      .axes = { { "op", "add min xor" } } },
    { CK_RULE(tensor_red_modes), .name = "direction",
      .assemble = "cp.reduce.async.bulk.tensor.2d.$.${op}.tile.bulk_group [g, {r0, r1}], [sa];",
      .accept = "global.shared::cta",
      .refuse =
          "global|global.shared|global.shared::cluster|global.global|shared::cluster.shared::cta|shared::cta.global",
      .axes = { { "op", "add max and" } } },
    { CK_RULE(tensor_red_modes), .name = "hint", .assemble = REDUCE("2d", "${op}.tile.bulk_group$;"),
      .accept = " [g, {r0, r1}], [sa]|.L2::cache_hint [g, {r0, r1}], [sa], pol",
      .refuse = ".L2::cache_hint [g, {r0, r1}], [sa]| [g, {r0, r1}], [sa], pol|.L2::cache_hint [g, {r0, r1}], [sa], n",
      .axes = { { "op", "add min max inc dec and or xor" } } },
    { CK_RULE(tensor_red_modes), .name = "multicast", .target = "sm_90a",
      .assemble = REDUCE("2d", "${op}.tile.bulk_group$ [g, {r0, r1}], [sa];"), .accept = "",
      .refuse = ".multicast::cluster", .axes = { { "op", "add or" } } },

    /* ---- prefetches ---- */
    { CK_RULE(tensor_pf_forms), .name = "rank-1", .assemble = PREFETCH "1d.L2.global$ [g, {r0}];", .accept = "|.tile",
      .refuse = ".im2col|.im2col_no_offs|.tiled|.tile.tile" },
    { CK_RULE(tensor_pf_forms), .name = "rank-2", .assemble = PREFETCH "$.L2.global.tile [g, {r0, r1}];",
      .accept = "2d", .refuse = "0d|1d|3d|4d|5d|6d" },
    { CK_RULE(tensor_pf_forms), .name = "rank-3", .assemble = PREFETCH "$.L2.global.tile [g, {r0, r1, r2}];",
      .accept = "3d", .refuse = "1d|2d|4d|5d" },
    { CK_RULE(tensor_pf_forms), .name = "rank-4", .assemble = PREFETCH "$.L2.global.tile [g, {r0, r1, r2, r3}];",
      .accept = "4d", .refuse = "1d|2d|3d|5d" },
    { CK_RULE(tensor_pf_forms), .name = "rank-5", .assemble = PREFETCH "$.L2.global.tile [g, {r0, r1, r2, r3, r4}];",
      .accept = "5d", .refuse = "1d|2d|3d|4d" },
    { CK_RULE(tensor_pf_forms), .name = "im2col-3", .assemble = PREFETCH "3d.L2.global.im2col [g, {r0, r1, r2}]$;",
      .accept = ", {h}", .refuse = "|, {h, h}|, {n}|, h" },
    { CK_RULE(tensor_pf_forms), .name = "im2col-4", .assemble = PREFETCH "4d.L2.global.im2col [g, {r0, r1, r2, r3}]$;",
      .accept = ", {h, h}", .refuse = "|, {h}|, {h, h, h}|, {n, n}" },
    { CK_RULE(tensor_pf_forms), .name = "im2col-5",
      .assemble = PREFETCH "5d.L2.global.im2col [g, {r0, r1, r2, r3, r4}]$;", .accept = ", {h, h, h}",
      .refuse = "|, {h, h}|, {n, n, n}" },
    { CK_RULE(tensor_pf_forms), .name = "level", .assemble = PREFETCH "2d.$.tile [g, {r0, r1}];", .accept = "L2.global",
      .refuse = "L1.global|L3.global|global|L2|L2.shared::cta|L2.const|L2.shared::cluster" },
    { CK_RULE(tensor_pf_forms), .name = "hint", .assemble = PREFETCH "2d.L2.global.tile$;",
      .accept = " [g, {r0, r1}]|.L2::cache_hint [g, {r0, r1}], pol",
      .refuse = ".L2::cache_hint [g, {r0, r1}]| [g, {r0, r1}], pol|.L2::cache_hint [g, {r0, r1}], n" },
    { CK_RULE(tensor_pf_forms), .name = "nothing-else", .target = "sm_90a", .assemble = PREFETCH "2d.L2.global.tile$;",
      .accept = " [g, {r0, r1}]",
      .refuse = ".multicast::cluster [g, {r0, r1}], h|.bulk_group [g, {r0, r1}]|"
                ".mbarrier::complete_tx::bytes [g, {r0, r1}], [ma]| [g, {r0, r1}], [sa]" },
    { CK_RULE(tensor_pf_forms), .name = "version", .target = "sm_90", .version = "$",
      .assemble = PREFETCH "2d.L2.global.tile [g, {r0, r1}];", .accept = "8.0|8.1|8.6|9.0", .refuse = "7.8" },
    { 0 }
};

const struct ck_suite tensor_reduce_assemble = { "tensor-reduce/assemble", cases };
// SPDX-License-Identifier: Apache-2.0
