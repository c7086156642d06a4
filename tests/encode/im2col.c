/* cuTensorMapEncodeIm2col: the arguments that it has in place of a box. */
#include "harness/ck.h"

static bool space_in_rank(struct ck *t)
{
    return ck_int(t, "space") < ck_int(t, "rank") - 2;
}

static const struct ck_case cases[] = {
    { CK_RULE(tmap_im2col_rank), .encode = "type=${type} mode=im2col rank=$", .accept = "3|4|5", .refuse = "1|2|6",
      .axes = { { "type", "u8 f16 f32" } } },
    { CK_RULE(tmap_im2col_corners), .encode = "type=f16 mode=im2col rank=3 lower[0]=$", .accept = "-32768|-1|0|1|31",
      .refuse = "-32769|-65536" },
    { CK_RULE(tmap_im2col_corners), .name = "upper", .encode = "type=f16 mode=im2col rank=3 upper[0]=$",
      .accept = "-31|-1|0|1|32767", .refuse = "32768|65536" },
    { CK_RULE(tmap_im2col_corners), .name = "rank-4", .encode = "type=f16 mode=im2col rank=4 upper[${space}]=$",
      .accept = "-7|0|127", .refuse = "128|255", .axes = { { "rank", "4" }, { "space", "0 1" } } },
    { CK_RULE(tmap_im2col_corners), .name = "rank-5", .encode = "type=f16 mode=im2col rank=5 lower[${space}]=$",
      .accept = "-16|0|3", .refuse = "-17|-32", .axes = { { "rank", "5" }, { "space", "0..2" } } },
    { CK_RULE(tmap_im2col_corners), .name = "rank-4-lower", .encode = "type=f16 mode=im2col rank=4 lower[${space}]=$",
      .accept = "-128|-127|-1|0|7", .refuse = "-129|-130|-256|-32768",
      .axes = { { "rank", "4" }, { "space", "0 1" } } },
    { CK_RULE(tmap_im2col_corners), .name = "rank-5-upper", .encode = "type=f16 mode=im2col rank=5 upper[${space}]=$",
      .accept = "-3|-1|0|14|15", .refuse = "16|17|127|128|32767", .axes = { { "rank", "5" }, { "space", "0..2" } } },
    { CK_RULE(tmap_im2col_corners), .name = "types", .encode = "type=${type} mode=im2col rank=3 lower[0]=$",
      .accept = "-32768|31", .refuse = "-32769|-2^31",
      .axes = { { "type", "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16" } } },
    { CK_RULE(tmap_im2col_area), .name = "w", .encode = "type=f16 mode=im2col rank=${rank} dims[1]=4 upper[0]=$",
      .accept = "-3|-2|-1|0|1", .refuse = "-4|-5|-16", .axes = { { "rank", "3..5" } } },
    { CK_RULE(tmap_im2col_area), .name = "h", .encode = "type=f16 mode=im2col rank=${rank} dims[2]=4 upper[1]=$",
      .accept = "-3|-2|-1|0|1", .refuse = "-4|-5|-16", .axes = { { "rank", "4 5" } } },
    { CK_RULE(tmap_im2col_area), .name = "d", .encode = "type=f16 mode=im2col rank=${rank} dims[3]=4 upper[2]=$",
      .accept = "-3|-2|-1|0|1", .refuse = "-4|-5|-16", .axes = { { "rank", "5" } } },
    { CK_RULE(tmap_im2col_area), .name = "lower", .encode = "type=f16 mode=im2col rank=${rank} dims[1]=4 lower[0]=$",
      .accept = "-4|-1|0|1|3", .refuse = "4|5|15", .axes = { { "rank", "3..5" } } },
    { CK_RULE(tmap_im2col_area), .encode = "type=f16 mode=im2col rank=${rank} lower[${space}]=1 upper[${space}]=$",
      .accept = "0|-1|-2", .refuse = "-8|-16", .axes = { { "rank", "4" }, { "space", "1" } }, .valid = space_in_rank },
    { CK_RULE(tmap_im2col_channels), .encode = "type=u8 mode=im2col rank=${rank} channels=$", .accept = "16|32|256",
      .refuse = "0|257|272|512", .seen = "1|8|24|100", .axes = { { "rank", "3..5" } } },
    { CK_RULE(tmap_im2col_pixels), .encode = "type=u8 mode=im2col rank=${rank} channels=16 pixels=$",
      .accept = "1|2|7|256|1024", .refuse = "0|1025|2048", .axes = { { "rank", "3..5" } } },
    { CK_RULE(tmap_im2col_swizzle), .encode = "type=u8 mode=im2col rank=${rank} swizzle=32B channels=$",
      .accept = "16|32", .refuse = "48|64", .axes = { { "rank", "3..5" } } },
    { CK_RULE(tmap_im2col_swizzle), .name = "64B", .encode = "type=u8 mode=im2col rank=${rank} swizzle=64B channels=$",
      .accept = "32|64", .refuse = "80|128", .axes = { { "rank", "3..5" } } },
    { CK_RULE(tmap_im2col_swizzle), .name = "128B",
      .encode = "type=u8 mode=im2col rank=${rank} swizzle=128B channels=$", .accept = "64|128", .refuse = "144|256",
      .axes = { { "rank", "3..5" } } },
    { 0 }
};

const struct ck_suite encode_im2col = { "encode/im2col", cases };
// SPDX-License-Identifier: Apache-2.0
