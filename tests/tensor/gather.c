/* The form of gather4 and scatter4. How a row becomes a module: harness/ck.h. */
#include "harness/ck.h"

#define TX       ".mbarrier::complete_tx::bytes"
#define GATHER   "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4" TX
#define NEAR     "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4" TX
#define SCATTER  "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group"
#define PREFETCH "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4"
#define FIVE     "r0, r1, r2, r3, r4"
#define FEWER    "r0|r0, r1|r0, r1, r2|r0, r1, r2, r3|r0, r1, r2, r3, r4, r5"

static const struct ck_case cases[] = {
    /* ---- coordinates and rank ---- */
    { CK_RULE(tensor_g4_coords), .name = "load", .assemble = GATHER " [sa], [g, {$}], [ma];", .accept = FIVE,
      .refuse = FEWER },
    { CK_RULE(tensor_g4_coords), .name = "load-cta", .assemble = NEAR " [sa], [g, {$}], [ma];", .accept = FIVE,
      .refuse = FEWER },
    { CK_RULE(tensor_g4_coords), .name = "store", .assemble = SCATTER " [g, {$}], [sa];", .accept = FIVE,
      .refuse = FEWER },
    { CK_RULE(tensor_g4_coords), .name = "prefetch", .assemble = PREFETCH " [g, {$}];", .accept = FIVE,
      .refuse = FEWER },
    { CK_RULE(tensor_g4_coords), .name = "types", .assemble = GATHER " [sa], [g, {r0, $, r2, r3, r4}], [ma];",
      .accept = "r1|0|7|-1", .refuse = "h|d0" },
    { CK_RULE(tensor_g4_2d_only), .name = "load",
      .assemble = "cp.async.bulk.tensor.$.shared::cluster.global.tile::gather4" TX " [sa], [g, {" FIVE "}], [ma];",
      .accept = "2d", .refuse = "1d|3d|4d|5d" },
    { CK_RULE(tensor_g4_2d_only), .name = "load-cta",
      .assemble = "cp.async.bulk.tensor.$.shared::cta.global.tile::gather4" TX " [sa], [g, {" FIVE "}], [ma];",
      .accept = "2d", .refuse = "1d|3d|4d|5d" },
    { CK_RULE(tensor_g4_2d_only), .name = "store",
      .assemble = "cp.async.bulk.tensor.$.global.shared::cta.tile::scatter4.bulk_group [g, {" FIVE "}], [sa];",
      .accept = "2d", .refuse = "1d|3d|4d|5d" },
    { CK_RULE(tensor_g4_2d_only), .name = "prefetch",
      .assemble = "cp.async.bulk.prefetch.tensor.$.L2.global.tile::gather4 [g, {" FIVE "}];", .accept = "2d",
      .refuse = "1d|3d|4d|5d" },

    /* ---- which instruction has which mode ---- */
    { CK_RULE(tensor_g4_gather_load_only), .name = "load",
      .assemble = "cp.async.bulk.tensor.2d.${to}.global.$" TX " [sa], [g, {" FIVE "}], [ma];",
      .accept = "tile::gather4", .refuse = "tile::scatter4|tile", .axes = { { "to", "shared::cluster shared::cta" } } },
    { CK_RULE(tensor_g4_gather_load_only), .name = "store",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta.$.bulk_group [g, {" FIVE "}], [sa];",
      .accept = "tile::scatter4", .refuse = "tile::gather4|tile" },
    { CK_RULE(tensor_g4_gather_load_only), .name = "prefetch",
      .assemble = "cp.async.bulk.prefetch.tensor.2d.L2.global.$ [g, {" FIVE "}];", .accept = "tile::gather4",
      .refuse = "tile::scatter4|tile" },

    /* ---- versions ---- */
    { CK_RULE(tensor_g4_isa), .name = "load", .target = "sm_100f", .version = "$",
      .assemble = GATHER " [sa], [g, {" FIVE "}], [ma];", .accept = "8.8|9.0", .refuse = "8.6|8.7" },
    { CK_RULE(tensor_g4_isa), .name = "store", .target = "sm_100f", .version = "$",
      .assemble = SCATTER " [g, {" FIVE "}], [sa];", .accept = "8.8|9.0", .refuse = "8.6|8.7" },
    { CK_RULE(tensor_g4_isa), .name = "load-a", .target = "sm_100a", .version = "$",
      .assemble = GATHER " [sa], [g, {" FIVE "}], [ma];", .accept = "8.6|8.7|8.8|9.0", .refuse = "8.0|8.5" },
    { CK_RULE(tensor_g4_isa), .name = "load-cta-a", .target = "sm_100a", .version = "$",
      .assemble = NEAR " [sa], [g, {" FIVE "}], [ma];", .accept = "8.6|8.7|8.8|9.0", .refuse = "8.0|8.5" },
    { CK_RULE(tensor_g4_isa), .name = "store-a", .target = "sm_100a", .version = "$",
      .assemble = SCATTER " [g, {" FIVE "}], [sa];", .accept = "8.6|8.7|8.8|9.0", .refuse = "8.0|8.5" },
    { CK_RULE(tensor_g4_isa), .name = "prefetch-a", .target = "sm_100a", .version = "$",
      .assemble = PREFETCH " [g, {" FIVE "}];", .accept = "8.6|8.7|8.8|9.0", .refuse = "8.0|8.5" },

    /* ---- what else it takes ---- */
    { CK_RULE(tensor_g4_forms), .name = "load", .assemble = GATHER "$;",
      .accept = " [sa], [g, {" FIVE "}], [ma]|.multicast::cluster [sa], [g, {" FIVE "}], [ma], h|"
                ".L2::cache_hint [sa], [g, {" FIVE "}], [ma], pol|"
                ".multicast::cluster.L2::cache_hint [sa], [g, {" FIVE "}], [ma], h, pol|"
                ".cta_group::1 [sa], [g, {" FIVE "}], [ma]|.cta_group::2 [sa], [g, {" FIVE "}], [ma]",
      .refuse = " [sa], [g, {" FIVE "}]|.multicast::cluster [sa], [g, {" FIVE "}], [ma]|"
                ".L2::cache_hint [sa], [g, {" FIVE "}], [ma]|.cta_group::3 [sa], [g, {" FIVE "}], [ma]|"
                ".bulk_group [sa], [g, {" FIVE "}]" },
    { CK_RULE(tensor_g4_forms), .name = "load-cta", .assemble = NEAR "$;",
      .accept = " [sa], [g, {" FIVE "}], [ma]|.L2::cache_hint [sa], [g, {" FIVE "}], [ma], pol",
      .refuse = " [sa], [g, {" FIVE "}]|.multicast::cluster [sa], [g, {" FIVE "}], [ma], h|"
                ".L2::cache_hint [sa], [g, {" FIVE "}], [ma]" },
    { CK_RULE(tensor_g4_forms), .name = "store", .assemble = SCATTER "$;",
      .accept = " [g, {" FIVE "}], [sa]|.L2::cache_hint [g, {" FIVE "}], [sa], pol",
      .refuse = " [g, {" FIVE "}], [sa], [ma]|.L2::cache_hint [g, {" FIVE "}], [sa]|"
                ".multicast::cluster [g, {" FIVE "}], [sa], h|.cta_group::1 [g, {" FIVE "}], [sa]" },
    { CK_RULE(tensor_g4_forms), .name = "prefetch", .assemble = PREFETCH "$;",
      .accept = " [g, {" FIVE "}]|.L2::cache_hint [g, {" FIVE "}], pol",
      .refuse = ".L2::cache_hint [g, {" FIVE "}]|.multicast::cluster [g, {" FIVE "}], h| [g, {" FIVE "}], [ma]" },
    { 0 }
};

const struct ck_suite tensor_gather = { "tensor/gather", cases };
// SPDX-License-Identifier: Apache-2.0
