/* cuTensorMapEncodeIm2col: the limits that it shares with cuTensorMapEncodeTiled; cuTensorMapEncodeIm2colWide. */
#include "harness/ck.h"

#define TYPES  "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz"
#define IM2COL "mode=im2col rank=${rank} "
#define WIDE   "mode=${mode} swizzle=128B rank=${rank} "

static bool dim_in_rank(struct ck *t)
{
    return ck_int(t, "dim") < ck_int(t, "rank");
}

/* The first dimension and the last: the boxes of an im2col map bound the others. */
static bool dim_without_corner(struct ck *t)
{
    return ck_int(t, "dim") == 0 || ck_int(t, "dim") == ck_int(t, "rank") - 1;
}

static bool dim_with_corner(struct ck *t)
{
    return ck_int(t, "dim") < ck_int(t, "rank") - 1;
}

static bool stride_in_rank(struct ck *t)
{
    return ck_int(t, "stride") < ck_int(t, "rank") - 1;
}

#define RANKS                                                                                                          \
    {                                                                                                                  \
        "rank", "3..5"                                                                                                 \
    }
#define MODES                                                                                                          \
    {                                                                                                                  \
        "mode", "im2col-w im2col-w128"                                                                                 \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tmap_i2c_common), .name = "type", .encode = IM2COL "type=$",
      .accept = "u8|u16|u32|s32|u64|s64|f16|f32|f64|bf16|f32-ftz|tf32|tf32-ftz", .refuse = "16|17|255|-1",
      .axes = { RANKS } },
    { CK_RULE(tmap_i2c_common), .name = "address", .encode = IM2COL "type=${type} address=$",
      .accept = "0|0x10000|0x10010|0x10ff0", .refuse = "0x10001|0x10002|0x10004|0x10008|0x1000c|0x1000f",
      .axes = { RANKS, { "type", "u8 f16 f32 f64" } } },
    { CK_RULE(tmap_i2c_common), .name = "address-32", .encode = IM2COL "type=f16 interleave=32B swizzle=32B address=$",
      .accept = "0x10000|0x10020|0x10fe0", .refuse = "0x10010|0x10030|0x10ff0", .axes = { RANKS } },
    { CK_RULE(tmap_i2c_common), .name = "dim-zero", .encode = IM2COL "type=${type} dims[${dim}]=$", .accept = "1|2|3",
      .refuse = "0", .axes = { RANKS, { "dim", "0..4" }, { "type", "u8 f64" } }, .valid = dim_in_rank },
    { CK_RULE(tmap_i2c_common), .name = "dim-max", .encode = IM2COL "type=${type} dims[${dim}]=$",
      .accept = "2^31|2^32-1|2^32", .refuse = "2^32+1|2^33|2^63|2^64-1",
      .axes = { RANKS, { "dim", "0..4" }, { "type", "u8 f64" } }, .valid = dim_without_corner },
    { CK_RULE(tmap_i2c_common), .name = "dim-max-spatial", .encode = IM2COL "type=${type} dims[${dim}]=$",
      .accept = "2^16|2^31-1", .refuse = "2^32+1|2^33|2^63|2^64-1", .seen = "2^31|2^32-1|2^32",
      .axes = { RANKS, { "dim", "1..3" }, { "type", "u8 f64" } }, .valid = dim_with_corner },
    { CK_RULE(tmap_i2c_common), .name = "stride", .encode = IM2COL "type=${type} strides[${stride}]=$",
      .accept = "4096|4112|4128|8192", .refuse = "4097|4100|4104|4108|4111",
      .axes = { RANKS, { "stride", "0..3" }, { "type", "u8 f64" } }, .valid = stride_in_rank },
    { CK_RULE(tmap_i2c_common), .name = "stride-32",
      .encode = IM2COL "type=f16 interleave=32B swizzle=32B strides[${stride}]=$", .accept = "4096|4128|4160",
      .refuse = "4112|4144|8176", .axes = { RANKS, { "stride", "0..3" } }, .valid = stride_in_rank },
    { CK_RULE(tmap_i2c_common), .name = "stride-max", .encode = IM2COL "type=${type} strides[${stride}]=$",
      .accept = "2^36|2^39|2^40-32|2^40-16", .refuse = "2^40|2^40+16|2^41|2^63|2^64-16",
      .axes = { RANKS, { "stride", "0..3" }, { "type", "u8 f64" } }, .valid = stride_in_rank },
    { CK_RULE(tmap_i2c_common), .name = "element-stride", .encode = IM2COL "type=f32 element-strides[${dim}]=$",
      .accept = "1|2|3|4|5|6|7|8", .refuse = "0|9|10|16|256|2^31|2^32-1", .axes = { RANKS, { "dim", "1..4" } },
      .valid = dim_in_rank },
    { CK_RULE(tmap_i2c_common), .name = "interleave", .encode = IM2COL "type=f16 swizzle=32B interleave=$",
      .accept = "0|1|2", .refuse = "3|4|255|-1", .axes = { RANKS } },
    { CK_RULE(tmap_i2c_common), .name = "swizzle", .encode = IM2COL "type=${type} swizzle=$", .accept = "0|1|2|3",
      .refuse = "7|8|255|-1", .axes = { RANKS, { "type", "u8 f16 f32 f64" } } },
    { CK_RULE(tmap_i2c_common), .name = "l2", .encode = IM2COL "type=f16 l2=$", .accept = "0|1|2|3",
      .refuse = "4|5|255|-1", .axes = { RANKS } },
    { CK_RULE(tmap_i2c_common), .name = "fill", .encode = IM2COL "type=f16 fill=$", .accept = "0|1",
      .refuse = "2|3|255|-1", .axes = { RANKS } },
    { CK_RULE(tmap_i2c_common), .name = "fill-float", .encode = IM2COL "type=$ fill=nan",
      .accept = "f16|f32|f64|bf16|f32-ftz|tf32|tf32-ftz", .refuse = "u8|u16|u32|s32|u64|s64", .axes = { RANKS } },
    { CK_RULE(tmap_i2c_common_seen), .name = "element-stride-0", .encode = IM2COL "type=${type} element-strides[0]=$",
      .seen = "0|1|2|8|9|16", .axes = { RANKS, { "type", "u8 f16 f64" } } },
    { CK_RULE(tmap_i2c_common_seen), .name = "interleave-32B", .encode = IM2COL "type=${type} interleave=32B swizzle=$",
      .seen = "none|32B|64B|128B|128B-atom-32B", .axes = { RANKS, { "type", "u8 f16 f32" } } },
    { CK_RULE(tmap_i2c_common_seen), .name = "atom", .encode = IM2COL "type=${type} swizzle=$",
      .seen = "128B-atom-32B|128B-atom-32B-flip-8B|128B-atom-64B", .axes = { RANKS, { "type", "u8 f16 f32 f64" } } },
    { CK_RULE(tmap_i2c_common_seen), .name = "packed", .encode = IM2COL "type=$ channels=128",
      .seen = "16u4-align8b|16u4-align16b|16u6-align16b", .axes = { RANKS } },
    { CK_RULE(tmap_i2c_common_seen), .name = "address-57-bits", .encode = IM2COL "type=${type} address=$",
      .seen = "2^47|2^56|2^57-16|2^57|2^58|2^63", .axes = { RANKS, { "type", "u8 f64" } } },
    { CK_RULE(tmap_i2c_common_seen), .name = "column-bytes", .encode = IM2COL "type=${type} channels=256 pixels=$",
      .seen = "113|114|115|228|229|456|1024", .axes = { RANKS, { "type", "u8 u16 u32 u64" } } },
    { CK_RULE(tmap_im2col_channels_packed), .encode = IM2COL "type=${type} channels=$", .accept = "128",
      .refuse = "16|32|64|127|129|256", .axes = { RANKS, { "type", "16u4-align16b 16u6-align16b" } } },

    { CK_RULE(tmap_wide_cc10), .encode = "type=${type} rank=${rank} swizzle=128B mode=$", .accept = "im2col",
      .seen = "im2col-w|im2col-w128", .axes = { { "type", TYPES }, RANKS },
      .no_mutant = "the driver 580 accepts what cuda.h says that it refuses (findings: Wide im2col maps)" },
    { CK_RULE(tmap_wide_swizzle), .encode = "type=u8 mode=${mode} rank=${rank} swizzle=$",
      .accept = "64B|128B|128B-atom-32B", .refuse = "none|32B|128B-atom-32B-flip-8B|128B-atom-64B",
      .axes = { MODES, RANKS } },
    { CK_RULE(tmap_wide_corners), .name = "lower", .encode = WIDE "type=f16 lower[0]=$", .accept = "-32768|-1|0|1|31",
      .refuse = "-32769|32|32768", .axes = { MODES, RANKS } },
    { CK_RULE(tmap_wide_corners), .name = "upper", .encode = WIDE "type=f16 upper[0]=$", .accept = "-31|-1|0|1|32767",
      .refuse = "-32769|-32|32768", .axes = { MODES, RANKS } },
    { CK_RULE(tmap_wide_mode), .encode = "type=f16 swizzle=128B rank=${rank} mode=$", .accept = "im2col-w|im2col-w128",
      .refuse = "4|5", .axes = { RANKS } },
    { CK_RULE(tmap_wide_pixels), .encode = "type=f16 mode=im2col-w swizzle=128B rank=${rank} pixels=$",
      .accept = "1|32|1024", .refuse = "1025|2000", .axes = { RANKS } },
    { CK_RULE(tmap_wide_pixels), .name = "ignored", .encode = "type=f16 swizzle=128B rank=${rank} pixels=2000 mode=$",
      .accept = "im2col-w128", .refuse = "im2col-w", .axes = { RANKS } },
    { CK_RULE(tmap_wide_common), .name = "address", .encode = WIDE "type=f16 address=$", .accept = "0x10000|0x10010",
      .refuse = "0x10001|0x10008", .axes = { MODES, RANKS } },
    { CK_RULE(tmap_wide_common), .name = "rank", .encode = "type=f16 mode=${mode} swizzle=128B rank=$",
      .accept = "3|4|5", .refuse = "1|2|6", .axes = { MODES } },
    { CK_RULE(tmap_wide_common), .name = "dim", .encode = WIDE "type=f16 dims[${dim}]=$", .accept = "1|2^32",
      .refuse = "0|2^32+1", .axes = { MODES, RANKS, { "dim", "0..4" } }, .valid = dim_in_rank },
    { CK_RULE(tmap_wide_common), .name = "stride", .encode = WIDE "type=f16 strides[${stride}]=$",
      .accept = "4112|2^40-16", .refuse = "4104|2^40", .axes = { MODES, RANKS, { "stride", "0..3" } },
      .valid = stride_in_rank },
    { CK_RULE(tmap_wide_common), .name = "element-stride", .encode = WIDE "type=f16 element-strides[${dim}]=$",
      .accept = "1|8", .refuse = "0|9", .axes = { MODES, RANKS, { "dim", "1..4" } }, .valid = dim_in_rank },
    { CK_RULE(tmap_wide_common), .name = "channels", .encode = WIDE "type=u8 channels=$", .accept = "16|128",
      .refuse = "144|256|257", .axes = { MODES, RANKS } },
    { CK_RULE(tmap_wide_interleave), .encode = WIDE "type=f16 interleave=$", .seen = "none|16B|32B",
      .axes = { MODES, RANKS } },
    { 0 }
};

const struct ck_suite encode_im2col_limits = { "encode/im2col-limits", cases };
// SPDX-License-Identifier: Apache-2.0
