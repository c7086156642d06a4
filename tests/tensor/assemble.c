/* The form of cp.async.bulk.tensor: ranks, coordinates, completion, multicast, CTA groups. */
#include "harness/ck.h"

/* What follows the rank in a load to each kind of shared memory, and in a store. */
#define TO_CLUSTER(coords) ".shared::cluster.global.mbarrier::complete_tx::bytes [sa], [g, {" coords "}], [ma];"
#define TO_CTA(coords)     ".shared::cta.global.mbarrier::complete_tx::bytes [sa], [g, {" coords "}], [ma];"
#define STORE(coords)      ".global.shared::cta.bulk_group [g, {" coords "}], [sa];"

/* Only the rank changes, the number of coordinates does not, so a refusal is about the count alone. */
#define THREE_WAYS(rule, count, coords, right, wrong)                                                                  \
    { CK_RULE(rule), .name = count "-load-cluster", .assemble = "cp.async.bulk.tensor.$" TO_CLUSTER(coords),           \
      .accept = right, .refuse = wrong },                                                                              \
        { CK_RULE(rule),   .name = count "-load-cta", .assemble = "cp.async.bulk.tensor.$" TO_CTA(coords),             \
          .accept = right, .refuse = wrong,           .version = "8.6" },                                              \
    {                                                                                                                  \
        CK_RULE(rule), .name = count "-store", .assemble = "cp.async.bulk.tensor.$" STORE(coords), .accept = right,    \
                       .refuse = wrong                                                                                 \
    }

static const struct ck_case cases[] = {
    THREE_WAYS(tensor_form_rank, "one", "r0", "1d", "0d|6d"),
    THREE_WAYS(tensor_form_rank, "two", "r0, r1", "2d", "0d|6d"),
    THREE_WAYS(tensor_form_rank, "three", "r0, r1, r2", "3d", "0d|6d"),
    THREE_WAYS(tensor_form_rank, "four", "r0, r1, r2, r3", "4d", "0d|6d"),
    THREE_WAYS(tensor_form_rank, "five", "r0, r1, r2, r3, r4", "5d", "0d|6d"),

    THREE_WAYS(tensor_form_coord_count, "one", "r0", "1d", "2d|5d"),
    THREE_WAYS(tensor_form_coord_count, "two", "r0, r1", "2d", "1d|3d"),
    THREE_WAYS(tensor_form_coord_count, "three", "r0, r1, r2", "3d", "2d|4d"),
    THREE_WAYS(tensor_form_coord_count, "four", "r0, r1, r2, r3", "4d", "3d|5d"),
    THREE_WAYS(tensor_form_coord_count, "five", "r0, r1, r2, r3, r4", "5d", "1d|4d"),

    { CK_RULE(tensor_form_dir), .name = "to-cluster", .accept = "global", .refuse = "shared::cta|shared::cluster|const",
      .assemble = "cp.async.bulk.tensor.2d.shared::cluster.$.mbarrier::complete_tx::bytes [sa], [g, {r0, r1}], [ma];" },
    { CK_RULE(tensor_form_dir), .name = "store-source", .accept = "shared::cta",
      .refuse = "shared::cluster|global|const",
      .assemble = "cp.async.bulk.tensor.2d.global.$.bulk_group [g, {r0, r1}], [sa];" },
    { CK_RULE(tensor_form_dir), .name = "load-target", .accept = "shared::cluster", .refuse = "global|const|shared",
      .assemble = "cp.async.bulk.tensor.2d.$.global.mbarrier::complete_tx::bytes [sa], [g, {r0, r1}], [ma];" },
    { CK_RULE(tensor_form_dir), .name = "load-target-cta", .accept = "shared::cta|shared::cluster", .refuse = "shared",
      .version = "8.6",
      .assemble = "cp.async.bulk.tensor.2d.$.global.mbarrier::complete_tx::bytes [sa], [g, {r0, r1}], [ma];" },

    { CK_RULE(tensor_form_coord_type), .name = "load", .accept = "r0|-1|-8|2147483647|-2147483648", .refuse = "d0|h",
      .assemble = "cp.async.bulk.tensor.2d" TO_CLUSTER("$, r1") },
    { CK_RULE(tensor_form_coord_type), .name = "store", .accept = "r0|0|2147483647", .refuse = "d0|h",
      .assemble = "cp.async.bulk.tensor.2d" STORE("$, r1") },
    /* Other types and values beyond 32 bits: no document allows them; assemblers differ. */
    { CK_RULE(tensor_form_coord_type), .name = "other", .seen = "f0|p|2147483648|4294967295|4294967296|-2147483649|0.5",
      .assemble = "cp.async.bulk.tensor.2d" TO_CLUSTER("$, r1") },

    { CK_RULE(tensor_form_coord_braces), .name = "load", .accept = "{r0}|{5}", .refuse = "r0|5",
      .assemble = "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [sa], [g, $], [ma];" },
    { CK_RULE(tensor_form_coord_braces), .name = "store", .accept = "{r0}|{5}", .refuse = "r0|5",
      .assemble = "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [g, $], [sa];" },

    { CK_RULE(tensor_form_completion), .name = "load", .accept = ".mbarrier::complete_tx::bytes",
      .refuse = ".bulk_group",
      .assemble = "cp.async.bulk.tensor.2d.shared::cluster.global$ [sa], [g, {r0, r1}], [ma];" },
    { CK_RULE(tensor_form_completion), .name = "load-operand", .accept = ", [ma]", .refuse = "",
      .assemble = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [sa], [g, {r0, r1}]$;" },
    { CK_RULE(tensor_form_completion), .name = "store", .accept = ".bulk_group",
      .refuse = ".mbarrier::complete_tx::bytes",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta$ [g, {r0, r1}], [sa];" },
    { CK_RULE(tensor_form_completion), .name = "store-operand", .accept = "", .refuse = ", [ma]",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [g, {r0, r1}], [sa]$;" },

    { CK_RULE(tensor_form_completion_missing), .name = "load", .accept = ".mbarrier::complete_tx::bytes", .refuse = "",
      .assemble = "cp.async.bulk.tensor.2d.shared::cluster.global$ [sa], [g, {r0, r1}], [ma];" },
    { CK_RULE(tensor_form_completion_missing), .name = "store", .accept = ".bulk_group", .refuse = "",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta$ [g, {r0, r1}], [sa];" },

    { CK_RULE(tensor_form_default_tile), .name = "load", .accept = "|.tile", .refuse = ".tiled",
      .assemble =
          "cp.async.bulk.tensor.2d.shared::cluster.global$.mbarrier::complete_tx::bytes [sa], [g, {r0, r1}], [ma];" },
    { CK_RULE(tensor_form_default_tile), .name = "store", .accept = "|.tile", .refuse = ".tiled",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta$.bulk_group [g, {r0, r1}], [sa];" },

    { CK_RULE(tensor_form_modifier_order), .name = "load",
      .seen = ".2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes|"
              ".shared::cluster.global.tile.mbarrier::complete_tx::bytes.2d|"
              ".mbarrier::complete_tx::bytes.2d.shared::cluster.global.tile|"
              ".tile.2d.shared::cluster.global.mbarrier::complete_tx::bytes|"
              ".2d.global.shared::cluster.mbarrier::complete_tx::bytes",
      .assemble = "cp.async.bulk.tensor$ [sa], [g, {r0, r1}], [ma];" },
    { CK_RULE(tensor_form_modifier_order), .name = "store",
      .seen =
          ".2d.global.shared::cta.tile.bulk_group|.global.shared::cta.bulk_group.2d|.bulk_group.2d.global.shared::cta",
      .assemble = "cp.async.bulk.tensor$ [g, {r0, r1}], [sa];" },

    { CK_RULE(tensor_form_map_space), .name = "load", .seen = "g|gmap|gmap+64|cmap|pmap|smap|sa",
      .assemble =
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [sa], [$, {r0, r1}], [ma];" },
    { CK_RULE(tensor_form_map_space), .name = "store", .seen = "g|gmap|gmap+64|cmap|pmap|smap|sa",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$, {r0, r1}], [sa];" },

    { CK_RULE(tensor_form_no_cp_mask), .accept = "", .refuse = ".cp_mask",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group$ [g, {r0, r1}], [sa];" },
    { CK_RULE(tensor_form_isa93), .name = "multicast", .seen = ".multicast::cluster::32b [sa], [g, {r0, r1}], [ma], m",
      .assemble = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes$;" },
    { CK_RULE(tensor_form_isa93), .name = "im2col", .seen = ".im2col_no_offs|.im2col_no_offs::w",
      .assemble = "cp.async.bulk.tensor.3d.global.shared::cta$.bulk_group [g, {r0, r1, r2}], [sa];" },

    { CK_RULE(tensor_req), .name = "version", .accept = "8.0|8.1|8.6", .refuse = "7.8", .version = "$",
      .target = "sm_90", .assemble = "cp.async.bulk.tensor.2d" TO_CLUSTER("r0, r1") },
    { CK_RULE(tensor_req), .name = "version-store", .accept = "8.0|8.1|8.6", .refuse = "7.8", .version = "$",
      .target = "sm_90", .assemble = "cp.async.bulk.tensor.2d" STORE("r0, r1") },
    { CK_RULE(tensor_req), .name = "version-cta", .accept = "8.6|8.7", .refuse = "8.0|8.3|8.5", .version = "$",
      .target = "sm_90", .assemble = "cp.async.bulk.tensor.2d" TO_CTA("r0, r1") },
    { CK_RULE(tensor_req), .name = "target", .accept = "sm_90|sm_90a", .refuse = "sm_80|sm_86|sm_89", .target = "$",
      .version = "8.0", .assemble = "cp.async.bulk.tensor.2d" TO_CLUSTER("r0, r1") },
    { CK_RULE(tensor_req), .name = "target-store", .accept = "sm_90|sm_90a", .refuse = "sm_80|sm_86|sm_89",
      .target = "$", .version = "8.0", .assemble = "cp.async.bulk.tensor.2d" STORE("r0, r1") },

    { CK_RULE(tensor_mc_forms), .name = "mask", .accept = "h|3", .refuse = "r0|d0|f0",
      .assemble =
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [sa], "
          "[g, {r0, r1}], [ma], $;" },
    { CK_RULE(tensor_mc_forms), .name = "mask-needed", .accept = ".multicast::cluster", .refuse = "",
      .assemble = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes$ [sa], [g, {r0, r1}], "
                  "[ma], h;" },
    { CK_RULE(tensor_mc_forms), .name = "policy", .accept = "h, pol", .refuse = "pol, h|pol|h",
      .assemble = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                  ".L2::cache_hint [sa], [g, {r0, r1}], [ma], $;" },
    { CK_RULE(tensor_mc_forms), .name = "target", .accept = "shared::cluster", .refuse = "shared::cta",
      .version = "8.6",
      .assemble =
          "cp.async.bulk.tensor.2d.$.global.mbarrier::complete_tx::bytes.multicast::cluster [sa], [g, {r0, r1}], "
          "[ma], h;" },
    { CK_RULE(tensor_mc_forms), .name = "store", .accept = " [g, {r0, r1}], [sa]",
      .refuse = ".multicast::cluster [g, {r0, r1}], [sa], h|.multicast::cluster [g, {r0, r1}], [sa]",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group$;" },

    { CK_RULE(tensor_ctagroup_values), .name = "load", .accept = "|.cta_group::1|.cta_group::2",
      .refuse = ".cta_group::0|.cta_group::3|.cta_group::4|.cta_group",
      .assemble =
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes$ [sa], [g, {r0, r1}], [ma];" },
    { CK_RULE(tensor_ctagroup_values), .name = "store", .accept = "", .refuse = ".cta_group::1|.cta_group::2",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group$ [g, {r0, r1}], [sa];" },
    { CK_RULE(tensor_ctagroup_values), .name = "reduce", .accept = "", .refuse = ".cta_group::1|.cta_group::2",
      .assemble = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group$ [g, {r0, r1}], [sa];" },

    { CK_RULE(tensor_hint_no_effect), .name = "policy-given", .accept = ".L2::cache_hint", .refuse = "",
      .assemble = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes$ [sa], [g, {r0, r1}], "
                  "[ma], pol;" },
    { CK_RULE(tensor_hint_no_effect), .name = "policy-missing", .accept = "", .refuse = ".L2::cache_hint",
      .assemble =
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes$ [sa], [g, {r0, r1}], [ma];" },
    { CK_RULE(tensor_hint_no_effect), .name = "store-policy-given", .accept = ".L2::cache_hint", .refuse = "",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group$ [g, {r0, r1}], [sa], pol;" },
    { CK_RULE(tensor_hint_no_effect), .name = "store-policy-missing", .accept = "", .refuse = ".L2::cache_hint",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group$ [g, {r0, r1}], [sa];" },
    { CK_RULE(tensor_hint_no_effect), .name = "policy-type", .accept = "pol|d0", .refuse = "r0|h|fd0",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group.L2::cache_hint [g, {r0, r1}], [sa], $;" },

    /* What no assembler checks: the program must. */
    { CK_RULE(tensor_smem_align128), .name = "constant-address", .seen = "sbuf|sbuf+64|sbuf+16|sbuf+8|sbuf+1",
      .assemble =
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$], [g, {r0, r1}], [ma];" },
    { CK_RULE(tensor_mbar_align8), .name = "constant-address", .seen = "mb|mb+4|mb+1",
      .assemble =
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [sa], [g, {r0, r1}], [$];" },

    { 0 },
};

const struct ck_suite tensor_assemble = { "tensor_assemble", cases };
// SPDX-License-Identifier: Apache-2.0
