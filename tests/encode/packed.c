/* cuTensorMapEncodeTiled: the further limits of the packed 4-bit and 6-bit types. */
#include "harness/ck.h"

static bool stride_in_rank(struct ck *t)
{
    return ck_int(t, "stride") < ck_int(t, "rank") - 1;
}

static const struct ck_case cases[] = {
    { CK_RULE(tmap_tiled_dtype_packed_arch), .encode = "type=$ rank=${rank}",
      .seen = "16u4-align8b|16u4-align16b|16u6-align16b", .axes = { { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_gaddr32_packed), .encode = "type=${type} rank=${rank} address=$",
      .accept = "0x10000|0x10020|0x10fe0", .refuse = "0x10010|0x10030",
      .axes = { { "type", "16u4-align16b 16u6-align16b" }, { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_gdim_mult128), .encode = "type=${type} rank=${rank} dims[0]=$", .accept = "128|256|2^32",
      .refuse = "64|127|129|192|2^32-64", .axes = { { "type", "16u4-align16b 16u6-align16b" }, { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_gdim_even), .encode = "type=16u4-align8b rank=${rank} dims[0]=$", .accept = "2|32|34|2^32",
      .refuse = "1|33|2^32-1", .axes = { { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_gstride32_packed), .encode = "type=${type} rank=${rank} strides[${stride}]=$",
      .accept = "4096|4128|8160", .refuse = "4112|8176",
      .axes = { { "type", "16u4-align16b 16u6-align16b" }, { "rank", "2..5" }, { "stride", "0..3" } },
      .valid = stride_in_rank },
    { CK_RULE(tmap_tiled_box_packed128), .encode = "type=${type} rank=${rank} box[0]=$", .accept = "128",
      .refuse = "16|32|64|96|127|129|256", .axes = { { "type", "16u4-align16b 16u6-align16b" }, { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_u6_interleave), .encode = "type=16u6-align16b rank=${rank} interleave=$", .accept = "none",
      .refuse = "16B|32B", .axes = { { "rank", "3..5" } } },
    { CK_RULE(tmap_tiled_u6_swizzle), .encode = "type=16u6-align16b rank=${rank} swizzle=$",
      .accept = "none|128B|128B-atom-32B|128B-atom-64B", .refuse = "32B|64B|128B-atom-32B-flip-8B",
      .axes = { { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_u4_swizzle), .encode = "type=16u4-align16b rank=${rank} swizzle=$",
      .accept = "none|128B|128B-atom-32B", .refuse = "32B|64B|128B-atom-32B-flip-8B", .seen = "128B-atom-64B",
      .axes = { { "rank", "1..5" } } },
    { CK_RULE(tmap_tiled_fill_packed), .encode = "type=${type} rank=${rank} fill=$", .accept = "zero", .refuse = "nan",
      .axes = { { "type", "16u4-align8b 16u4-align16b 16u6-align16b" }, { "rank", "1..5" } } },
    { 0 }
};

const struct ck_suite encode_packed = { "encode/packed", cases };
// SPDX-License-Identifier: Apache-2.0
