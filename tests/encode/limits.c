/* cuTensorMapEncodeTiled: the limits that hold for every type, on both sides, for every dimension and rank. */
#include "harness/ck.h"

#define TYPES "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz"

static bool dim_in_rank(struct ck *t)
{
    return ck_int(t, "dim") < ck_int(t, "rank");
}

static bool stride_in_rank(struct ck *t)
{
    return ck_int(t, "stride") < ck_int(t, "rank") - 1;
}

static bool first_unused(struct ck *t)
{
    return ck_int(t, "entry") == ck_int(t, "rank");
}

static bool first_unused_stride(struct ck *t)
{
    return ck_int(t, "entry") == ck_int(t, "rank") - 1;
}

static const struct ck_case cases[] = {
    { CK_RULE(tmap_tiled_dtype), .encode = "type=$ rank=2", .accept = "0|1|2|3|4|5|6|7|8|9|10|11|12",
      .refuse = "16|17|255|-1|-2147483648" },
    { CK_RULE(tmap_tiled_rank), .encode = "type=${type} rank=$", .accept = "1|2|3|4|5", .refuse = "0|6|7|8",
      .axes = { { "type", TYPES } } },
    { CK_RULE(tmap_tiled_rank_interleave), .encode = "type=f16 rank=$ interleave=${interleave} swizzle=32B",
      .accept = "3|4|5", .refuse = "1|2", .axes = { { "interleave", "16B 32B" } } },

    /* The address. */
    { CK_RULE(tmap_tiled_gaddr16), .encode = "type=${type} rank=${rank} address=$",
      .accept = "0x10000|0x10010|0x10020|0x10ff0", .refuse = "0x10001|0x10002|0x10004|0x10008|0x1000c|0x1000f",
      .axes = { { "rank", "1..5" }, { "type", "u8 f16 f32 f64" } } },
    { CK_RULE(tmap_tiled_gaddr32_interleave), .encode = "type=f16 rank=${rank} interleave=32B swizzle=32B address=$",
      .accept = "0x10000|0x10020|0x10040|0x10fe0", .refuse = "0x10010|0x10030|0x10ff0",
      .axes = { { "rank", "3..5" } } },
    { CK_RULE(tmap_tiled_gaddr32_interleave), .name = "other",
      .encode = "type=f16 rank=${rank} interleave=${interleave} address=$", .accept = "0x10010|0x10030",
      .axes = { { "rank", "3..5" }, { "interleave", "none 16B" } },
      .mutants = { { "interleave", "interleave 32B", .set = "interleave=32B" } } },
    { CK_RULE(tmap_tiled_gaddr_null), .encode = "type=${type} rank=${rank} address=$", .accept = "0", .refuse = "8",
      .axes = { { "rank", "1..5" }, { "type", "u8 f64" } } },

    /* The tensor's dimensions. */
    { CK_RULE(tmap_tiled_gdim_zero), .encode = "type=${type} rank=${rank} dims[${dim}]=$", .accept = "1|2|3",
      .refuse = "0", .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "type", "u8 f64" } }, .valid = dim_in_rank },
    { CK_RULE(tmap_tiled_gdim_max), .encode = "type=${type} rank=${rank} dims[${dim}]=$", .accept = "2^31|2^32-1|2^32",
      .refuse = "2^32+1|2^33|2^63|2^64-1", .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "type", "u8 f64" } },
      .valid = dim_in_rank },

    /* Strides. */
    { CK_RULE(tmap_tiled_gstride16), .encode = "type=${type} rank=${rank} strides[${stride}]=$",
      .accept = "4096|4112|4128|8192", .refuse = "4097|4100|4104|4108|4111",
      .axes = { { "rank", "2..5" }, { "stride", "0..3" }, { "type", "u8 f64" } }, .valid = stride_in_rank },
    { CK_RULE(tmap_tiled_gstride32_interleave),
      .encode = "type=f16 rank=${rank} interleave=32B swizzle=32B strides[${stride}]=$", .accept = "4096|4128|4160",
      .refuse = "4112|4144|8176", .axes = { { "rank", "3..5" }, { "stride", "0..3" } }, .valid = stride_in_rank },
    { CK_RULE(tmap_tiled_gstride32_interleave), .name = "other",
      .encode = "type=f16 rank=${rank} interleave=${interleave} strides[${stride}]=$", .accept = "4112|4144",
      .axes = { { "rank", "3..5" }, { "interleave", "none 16B" }, { "stride", "0..3" } }, .valid = stride_in_rank,
      .mutants = { { "interleave", "interleave 32B", .set = "interleave=32B" } } },
    { CK_RULE(tmap_tiled_gstride_max), .encode = "type=${type} rank=${rank} strides[${stride}]=$",
      .accept = "2^36|2^39|2^40-32|2^40-16", .refuse = "2^40|2^40+16|2^41|2^63|2^64-16",
      .axes = { { "rank", "2..5" }, { "stride", "0..3" }, { "type", "u8 f64" } }, .valid = stride_in_rank },
    { CK_RULE(tmap_tiled_gstride_count), .encode = "type=f32 rank=${rank} strides[${entry}]=$",
      .accept = "7|2^40|2^64-1", .axes = { { "rank", "1..4" }, { "entry", "0..3" } }, .valid = first_unused_stride,
      .mutants = { { "used", "the stride counts", .set = "rank=5" } } },
    { CK_RULE(tmap_tiled_gstride_count), .name = "others",
      .encode = "type=f32 rank=${rank} dims[${entry}]=0 box[${entry}]=$ element-strides[${entry}]=0", .accept = "0|257",
      .axes = { { "rank", "1..4" }, { "entry", "1..4" } }, .valid = first_unused,
      .mutants = { { "used", "the entry counts", .set = "rank=5" } } },

    /* The box. */
    { CK_RULE(tmap_tiled_box_zero), .encode = "type=${type} rank=${rank} box[${dim}]=$", .accept = "1|2|3",
      .refuse = "0", .axes = { { "rank", "2..5" }, { "dim", "1..4" }, { "type", "u8 f64" } }, .valid = dim_in_rank },
    { CK_RULE(tmap_tiled_box_zero), .name = "inner", .encode = "type=u8 rank=${rank} box[0]=$", .accept = "16|32",
      .refuse = "0", .axes = { { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_box_max), .encode = "type=${type} rank=${rank} box[${dim}]=$", .accept = "255|256",
      .refuse = "257|258|512|65536|65537|2^32-1",
      .axes = { { "rank", "2..5" }, { "dim", "1..4" }, { "type", "u8 f64" } }, .valid = dim_in_rank },
    { CK_RULE(tmap_tiled_box_max), .name = "inner", .encode = "type=${type} rank=${rank} box[0]=$", .accept = "240|256",
      .refuse = "272|288|512|65536", .axes = { { "rank", "1..5" }, { "type", "u8 u16 u32 u64" } } },
    { CK_RULE(tmap_tiled_box_inner16), .encode = "type=u8 rank=${rank} box[0]=$", .accept = "16|32|48|240",
      .refuse = "1|2|4|8|15|17|24|255", .axes = { { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_box_inner16), .name = "2-byte", .encode = "type=${type} rank=2 box[0]=$",
      .accept = "8|16|24|248", .refuse = "1|2|4|7|9|12|255", .axes = { { "type", "u16 f16 bf16" } } },
    { CK_RULE(tmap_tiled_box_inner16), .name = "4-byte", .encode = "type=${type} rank=2 box[0]=$",
      .accept = "4|8|12|252", .refuse = "1|2|3|5|6|255", .axes = { { "type", "u32 s32 f32 f32-ftz tf32 tf32-ftz" } } },
    { CK_RULE(tmap_tiled_box_inner16), .name = "8-byte", .encode = "type=${type} rank=2 box[0]=$",
      .accept = "2|4|6|254", .refuse = "1|3|5|255", .axes = { { "type", "u64 s64 f64" } } },

    /* Element strides. */
    { CK_RULE(tmap_tiled_estride_zero), .encode = "type=f32 rank=${rank} element-strides[${dim}]=$", .accept = "1|2",
      .refuse = "0", .axes = { { "rank", "2..5" }, { "dim", "1..4" } }, .valid = dim_in_rank },
    { CK_RULE(tmap_tiled_estride_max), .encode = "type=f32 rank=${rank} element-strides[${dim}]=$",
      .accept = "1|2|3|4|5|6|7|8", .refuse = "9|10|16|17|256|257|2^31|2^32-1",
      .axes = { { "rank", "2..5" }, { "dim", "1..4" } }, .valid = dim_in_rank },
    { CK_RULE(tmap_tiled_estride0_ignored), .encode = "type=${type} rank=${rank} element-strides[${dim}]=$",
      .accept = "1|2|3|8", .axes = { { "rank", "1..5" }, { "dim", "0" }, { "type", "u8 f16 f32 f64" } },
      .no_mutant = "what is refused in dimension 0 is observed, not documented" },

    /* Enumerators. */
    { CK_RULE(tmap_tiled_ilv_enum), .encode = "type=f16 rank=3 swizzle=32B interleave=$", .accept = "0|1|2",
      .refuse = "3|4|255|-1" },
    { CK_RULE(tmap_tiled_swz_enum), .encode = "type=f16 rank=${rank} swizzle=$", .accept = "0|1|2|3",
      .refuse = "7|8|255|-1", .axes = { { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_l2_enum), .encode = "type=f16 rank=2 l2=$", .accept = "0|1|2|3", .refuse = "4|5|255|-1" },
    { CK_RULE(tmap_tiled_fill_enum), .encode = "type=f16 rank=2 fill=$", .accept = "0|1", .refuse = "2|3|255|-1" },
    { CK_RULE(tmap_tiled_fill_float_only), .encode = "type=$ rank=${rank} fill=nan",
      .accept = "f16|f32|f64|bf16|f32-ftz|tf32|tf32-ftz", .refuse = "u8|u16|u32|s32|u64|s64",
      .axes = { { "rank", "1..5" } } },

    /* Interleave and swizzle. */
    { CK_RULE(tmap_tiled_ilv32_swizzle), .encode = "type=${type} rank=${rank} interleave=32B swizzle=$",
      .accept = "32B", .seen = "none|64B|128B", /* driver 580 accepts them: tmap.tiled.seen.ilv32-any-swizzle */
      .axes = { { "type", "u8 f16 f32" }, { "rank", "3..5" } },
      .no_mutant = "the side that the documents refuse is accepted, and recorded as seen" },
    { CK_RULE(tmap_tiled_ilv_any_swizzle), .encode = "type=${type} rank=3 interleave=${interleave} swizzle=$",
      .accept = "none|64B|128B", .axes = { { "type", TYPES }, { "interleave", "none 16B" } },
      .mutants = { { "interleave", "an interleave that does not exist", .set = "interleave=3" } } },
    { CK_RULE(tmap_tiled_swz_inner32), .encode = "type=u8 rank=${rank} swizzle=32B box[0]=$", .accept = "16|32",
      .refuse = "48|64|128|256", .axes = { { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_swz_inner32), .name = "2-byte", .encode = "type=${type} rank=2 swizzle=32B box[0]=$",
      .accept = "8|16", .refuse = "24|32", .axes = { { "type", "u16 f16 bf16" } } },
    { CK_RULE(tmap_tiled_swz_inner32), .name = "4-byte", .encode = "type=${type} rank=2 swizzle=32B box[0]=$",
      .accept = "4|8", .refuse = "12|16", .axes = { { "type", "u32 s32 f32 f32-ftz tf32 tf32-ftz" } } },
    { CK_RULE(tmap_tiled_swz_inner32), .name = "8-byte", .encode = "type=${type} rank=2 swizzle=32B box[0]=$",
      .accept = "2|4", .refuse = "6|8", .axes = { { "type", "u64 s64 f64" } } },
    { CK_RULE(tmap_tiled_swz_inner64), .encode = "type=u8 rank=${rank} swizzle=64B box[0]=$", .accept = "16|32|48|64",
      .refuse = "80|96|128|256", .axes = { { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_swz_inner64), .name = "2-byte", .encode = "type=${type} rank=2 swizzle=64B box[0]=$",
      .accept = "8|32", .refuse = "40|64", .axes = { { "type", "u16 f16 bf16" } } },
    { CK_RULE(tmap_tiled_swz_inner64), .name = "4-byte", .encode = "type=${type} rank=2 swizzle=64B box[0]=$",
      .accept = "4|16", .refuse = "20|32", .axes = { { "type", "u32 s32 f32 f32-ftz tf32 tf32-ftz" } } },
    { CK_RULE(tmap_tiled_swz_inner64), .name = "8-byte", .encode = "type=${type} rank=2 swizzle=64B box[0]=$",
      .accept = "2|8", .refuse = "10|16", .axes = { { "type", "u64 s64 f64" } } },
    { CK_RULE(tmap_tiled_swz_inner128), .encode = "type=u8 rank=${rank} swizzle=128B box[0]=$",
      .accept = "16|64|112|128", .refuse = "144|160|256", .axes = { { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_swz_inner128), .name = "2-byte", .encode = "type=${type} rank=2 swizzle=128B box[0]=$",
      .accept = "8|64", .refuse = "72|128", .axes = { { "type", "u16 f16 bf16" } } },
    { CK_RULE(tmap_tiled_swz_inner128), .name = "4-byte", .encode = "type=${type} rank=2 swizzle=128B box[0]=$",
      .accept = "4|32", .refuse = "36|64", .axes = { { "type", "u32 s32 f32 f32-ftz tf32 tf32-ftz" } } },
    { CK_RULE(tmap_tiled_swz_inner128), .name = "8-byte", .encode = "type=${type} rank=2 swizzle=128B box[0]=$",
      .accept = "2|16", .refuse = "18|32", .axes = { { "type", "u64 s64 f64" } } },
    { CK_RULE(tmap_tiled_swz_inner_none), .encode = "type=${type} rank=${rank} swizzle=${swizzle} box[0]=$",
      .accept = "144|256", .axes = { { "type", TYPES }, { "rank", "1..5" }, { "swizzle", "none" } },
      .mutants = { { "swizzle", "with SWIZZLE_128B", .set = "swizzle=128B" } } },
    { 0 }
};

const struct ck_suite encode_limits = { "encode/limits", cases };
// SPDX-License-Identifier: Apache-2.0
