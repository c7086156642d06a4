/* Which targets take which form of a tensor copy. Each target is asked under the lowest PTX version that knows both it
 * and the form. */
#include "tests/tensor/targets.h"

/* Forms of sm_100a, sm_103a, sm_110a and their families alone. */
#define DATACENTRE(rule, what, text)                                                                                   \
    ON(rule, what "-8.6", "8.6", "sm_100a", "sm_90|sm_90a|sm_100", text),                                              \
        ON(rule, what "-8.7", "8.7", "sm_100a", "sm_120|sm_120a", text),                                               \
        ON(rule, what "-8.8", "8.8", "sm_100f|sm_103a|sm_103f", "sm_103|sm_120f|sm_121a", text),                       \
        ON(rule, what "-9.0", "9.0", "sm_110a|sm_110f", "sm_110", text)

/* Forms of every target from sm_100 on. */
#define FROM_SM_100(rule, what, text)                                                                                  \
    ON(rule, what "-8.6", "8.6", "sm_100|sm_100a", "sm_90|sm_90a", text),                                              \
        ON(rule, what "-8.7", "8.7", "sm_120|sm_120a", "sm_90a", text),                                                \
        ON(rule, what "-8.8", "8.8", "sm_100f|sm_103|sm_103a|sm_103f|sm_120f|sm_121a", "sm_90a", text),                \
        ON(rule, what "-9.0", "9.0", "sm_110|sm_110a|sm_110f", "sm_90a", text)

#define LOAD(rank, to, mode, tail)                                                                                     \
    "cp.async.bulk.tensor." rank "." to ".global" mode ".mbarrier::complete_tx::bytes" tail

static const struct ck_case cases[] = {
    EVERYWHERE(tensor_arch_tile, "load", "8.0", LOAD("2d", "shared::cluster", ".tile", " [sa], [g, {r0, r1}], [ma];")),
    EVERYWHERE(tensor_arch_tile, "store", "8.0",
               "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [g, {r0, r1}], [sa];"),
    EVERYWHERE(tensor_arch_tile, "im2col-load", "8.0",
               LOAD("3d", "shared::cluster", ".im2col", " [sa], [g, {r0, r1, r2}], [ma], {h};")),
    EVERYWHERE(tensor_arch_tile, "im2col-store", "8.0",
               "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [g, {r0, r1, r2}], [sa];"),
    EVERYWHERE(tensor_arch_tile, "reduce", "8.0",
               "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [g, {r0, r1}], [sa];"),
    EVERYWHERE(tensor_arch_tile, "prefetch", "8.0", "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [g, {r0, r1}];"),
    EVERYWHERE(tensor_arch_multicast, "load", "8.0",
               LOAD("2d", "shared::cluster", "", ".multicast::cluster [sa], [g, {r0, r1}], [ma], h;")),

    DATACENTRE(tensor_ctagroup_arch, "one",
               LOAD("2d", "shared::cluster", "", ".cta_group::1 [sa], [g, {r0, r1}], [ma];")),
    DATACENTRE(tensor_ctagroup_arch, "two",
               LOAD("2d", "shared::cluster", "", ".cta_group::2 [sa], [g, {r0, r1}], [ma];")),
    DATACENTRE(tensor_arch_gather4_cluster, "load",
               LOAD("2d", "shared::cluster", ".tile::gather4", " [sa], [g, {r0, r1, r2, r3, r4}], [ma];")),
    FROM_SM_100(tensor_arch_gather4_cta, "load",
                LOAD("2d", "shared::cta", ".tile::gather4", " [sa], [g, {r0, r1, r2, r3, r4}], [ma];")),
    DATACENTRE(tensor_arch_scatter4, "store",
               "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [g, {r0, r1, r2, r3, r4}], [sa];"),
    DATACENTRE(tensor_arch_im2col_w_cluster, "load",
               LOAD("3d", "shared::cluster", ".im2col::w", " [sa], [g, {r0, r1, r2}], [ma], {h, h};")),
    FROM_SM_100(tensor_arch_im2col_w_cta, "load",
                LOAD("3d", "shared::cta", ".im2col::w", " [sa], [g, {r0, r1, r2}], [ma], {h, h};")),
    DATACENTRE(tensor_arch_im2col_w_128, "load",
               LOAD("3d", "shared::cta", ".im2col::w::128", " [sa], [g, {r0, r1, r2}], [ma], {h, h};")),
    DATACENTRE(tensor_arch_im2col_w_128, "load-cluster",
               LOAD("3d", "shared::cluster", ".im2col::w::128", " [sa], [g, {r0, r1, r2}], [ma], {h, h};")),
    DATACENTRE(tensor_arch_prefetch_modes, "gather4",
               "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [g, {r0, r1, r2, r3, r4}];"),
    DATACENTRE(tensor_arch_prefetch_modes, "im2col-w",
               "cp.async.bulk.prefetch.tensor.3d.L2.global.im2col::w [g, {r0, r1, r2}], {h, h};"),

    { CK_RULE(tensor_arch_reduce_scatter4), .target = "$", .version = "8.6", .seen = "sm_90|sm_90a|sm_100|sm_100a",
      .assemble = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile::scatter4.bulk_group "
                  "[g, {r0, r1, r2, r3, r4}], [sa];" },

    { 0 },
};

const struct ck_suite tensor_targets = { "tensor_targets", cases };
// SPDX-License-Identifier: Apache-2.0
