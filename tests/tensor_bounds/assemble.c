/* What an assembler says about the bounds of tensor copies. */
#include "harness/ck.h"

static const struct ck_case cases[] = {
    { CK_RULE(tensor_tile_oob_nan_is_oobnan), .name = "target", .target = "$", .version = "8.1",
      .accept = "sm_90|sm_90a", .refuse = "sm_80|sm_89", .assemble = "fma.rn.oob.${type} h, h, h, h;",
      .axes = { { "type", "f16 bf16" } } },
    { CK_RULE(tensor_tile_oob_nan_is_oobnan), .name = "packed-target", .target = "$", .version = "8.1",
      .accept = "sm_90|sm_90a", .refuse = "sm_80|sm_89", .assemble = "fma.rn.oob.${type} r0, r0, r0, r0;",
      .axes = { { "type", "f16x2 bf16x2" } } },
    /* Documented from 8.1 on; ptxas 12.0 takes it under earlier versions too. */
    { CK_RULE(tensor_tile_oob_nan_is_oobnan), .name = "version", .target = "sm_90", .version = "$", .accept = "8.1",
      .seen = "8.0|7.8", .assemble = "fma.rn.oob.${type} h, h, h, h;", .axes = { { "type", "f16 bf16" } },
      .no_mutant = "older versions are recorded, they do not gate" },
    { CK_RULE(tensor_tile_oob_nan_is_oobnan), .name = "type", .accept = "f16", .refuse = "f32",
      .assemble = "fma.rn.oob.$ h, h, h, h;" },

    /* A negative immediate on a store is undefined, and assembles. */
    { CK_RULE(tensor_tile_oob_store_negative), .name = "immediate", .seen = "0|-1|-8|-2147483648",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [g, {$, 0}], [sa];" },
    { CK_RULE(tensor_tile_oob_store_negative), .name = "reduce-immediate", .seen = "0|-1|-8",
      .assemble = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [g, {0, $}], [sa];" },
    { CK_RULE(tensor_tile_oob_load_negative), .name = "immediate", .accept = "0|-1|-16|-2147483648", .refuse = "d0",
      .assemble =
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [sa], [g, {$, 0}], [ma];" },

    { 0 },
};

const struct ck_suite tensor_bounds_assemble = { "tensor_bounds_assemble", cases };
// SPDX-License-Identifier: Apache-2.0
