/* cuTensorMapEncodeTiled where the documents are silent or disagree: what the driver does is recorded. */
#include <stdio.h>

#include "expected/oracle.h"
#include "harness/ck.h"

static bool stride_in_rank(struct ck *t)
{
    return ck_int(t, "stride") < ck_int(t, "rank") - 1;
}

static bool dim_in_rank(struct ck *t)
{
    return ck_int(t, "dim") < ck_int(t, "rank");
}

/* A legal call gets NULL for one of its pointer arguments: records whether it is refused. */
static void null_argument(struct ck *t)
{
    static const char *const names[] = { "map", "address", "dims", "strides", "box", "element-strides" };
    const struct tensor_map map = tensor_map_default(TENSOR_F32, ck_int(t, "rank"));
    struct ck_tmap object;
    unsigned null = 0;

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (ck_is(t, "argument", names[i]))
            null = 1u << i;
    ck_see(t, "%s", ck_encode_call(t, &map, &object, null) ? "refused" : "accepted");
}

static const struct ck_case cases[] = {
    { CK_RULE(tmap_tiled_gaddr_any_memory), .encode = "type=f32 rank=2 address=$",
      .seen = "0x10|0x1000|0x7f0000000000|2^47-16|2^47|2^48|2^56|2^57-16|2^57|2^63|2^64-16" },
    { CK_RULE(tmap_tiled_gstride_zero),
      .encode = "type=${type} rank=${rank} interleave=${interleave} swizzle=32B strides[${stride}]=$", .seen = "0",
      .axes = { { "type", "u8 f32" }, { "rank", "3..5" }, { "stride", "0..3" }, { "interleave", "none 16B 32B" } },
      .valid = stride_in_rank },
    { CK_RULE(tmap_tiled_gstride_nesting), .encode = "type=f32 rank=${rank} strides[${stride}]=$",
      .seen = "16|32|128|240|256|8176", .axes = { { "rank", "2..5" }, { "stride", "0..3" } }, .valid = stride_in_rank },
    { CK_RULE(tmap_tiled_box_inner16_interleave),
      .encode = "type=${type} rank=3 interleave=${interleave} swizzle=32B box[0]=$", .seen = "1|2|3|4|8|15|16|17|24|32",
      .axes = { { "type", "u8 f16 f32 f64" }, { "interleave", "16B 32B" } } },
    { CK_RULE(tmap_tiled_box_no_smem_limit), .encode = "type=${type} rank=${rank} box=$",
      .seen = "256x226|256x227|256x228|256x256|256x256x256|256x256x256x256x256",
      .axes = { { "type", "u8 f32 f64" }, { "rank", "2 5" } } },
    { CK_RULE(tmap_tiled_box_over_dim), .encode = "type=u8 rank=${rank} dims[${dim}]=$ box[${dim}]=256",
      .seen = "1|16|255", .axes = { { "rank", "1..5" }, { "dim", "0..4" } }, .valid = dim_in_rank },
    { CK_RULE(tmap_tiled_seen_estride0), .encode = "type=${type} rank=${rank} element-strides[0]=$",
      .seen = "0|9|16|2^31|2^32-1", .axes = { { "rank", "1..5" }, { "type", "u8 f64" } } },
    { CK_RULE(tmap_tiled_swz_atom_arch), .encode = "type=${type} rank=${rank} swizzle=$",
      .seen = "128B-atom-32B|128B-atom-32B-flip-8B|128B-atom-64B",
      .axes = { { "type", "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz" }, { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_swz_inner_ilv), .encode = "type=${type} rank=3 interleave=${interleave} swizzle=32B box[0]=$",
      .seen = "16|32|48|64|128|256", .axes = { { "type", "u8 f16 f32 f64" }, { "interleave", "16B 32B" } } },
    { CK_RULE(tmap_tiled_seen_packed_types), .encode = "type=${type} rank=${rank} swizzle=$", .seen = "none|128B",
      .axes = { { "type", "16u4-align8b 16u4-align16b 16u6-align16b" }, { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_seen_atom_swizzle), .encode = "type=${type} rank=3 interleave=${interleave} swizzle=$",
      .seen = "128B-atom-32B|128B-atom-32B-flip-8B|128B-atom-64B",
      .axes = { { "type", "u8 f16 f32 f64" }, { "interleave", "none 16B" } } },
    { CK_RULE(tmap_tiled_seen_address_57_bits), .encode = "type=${type} rank=${rank} address=$",
      .seen = "2^57-16|2^57|2^57+16|2^58|2^63", .axes = { { "type", "u8 f64" }, { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_seen_box_bytes), .encode = "type=${type} rank=3 box=256,$,1",
      .seen = "57|58|113|114|115|227|228|229|256", .axes = { { "type", "u8 u16 u32 u64" } } },
    { CK_RULE(tmap_tiled_seen_box_bytes), .name = "strided",
      .encode = "type=u32 rank=3 box=256,$ element-strides=1,${step},1", .seen = "114|115|228|229|256",
      .axes = { { "step", "1 2 8" } } },
    { CK_RULE(tmap_tiled_seen_inner16_interleave),
      .encode = "type=${type} rank=${rank} interleave=${interleave} swizzle=32B box[0]=$",
      .seen = "1|2|3|4|8|12|16|20|24|32|255|256",
      .axes = { { "type", "u8 f16 f32 f64" }, { "rank", "3..5" }, { "interleave", "16B 32B" } } },
    { CK_RULE(tmap_tiled_seen_ilv32_any_swizzle), .encode = "type=${type} rank=${rank} interleave=32B swizzle=$",
      .seen = "none|32B|64B|128B|128B-atom-32B|128B-atom-32B-flip-8B|128B-atom-64B",
      .axes = { { "type", "u8 u16 u32 u64 f16 f32 f64 bf16" }, { "rank", "3..5" } } },
    { CK_RULE(tmap_tiled_null_args), .run = null_argument,
      .axes = { { "argument", "map address dims strides box element-strides" }, { "rank", "1 2" } },
      .seen_only = true },
    { 0 }
};

const struct ck_suite encode_seen = { "encode/seen", cases };
// SPDX-License-Identifier: Apache-2.0
