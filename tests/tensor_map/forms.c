/* tensormap.replace and the tensormap proxy's fences as an assembler sees them: fields, types, spaces, values. */
#include "harness/ck.h"

/* The spaces that a map may be edited in, as an axis is part of an instruction and an operand at once. */
#define EACH_SPACE(rule, what, right, wrong, before, after)                                                            \
    { CK_RULE(rule), .name = what "-global", .accept = right, .refuse = wrong,                                         \
      .assemble = "tensormap.replace.tile." before ".global" after(" [gmap]") },                                       \
        { CK_RULE(rule), .name = what "-shared", .accept = right, .refuse = wrong,                                     \
          .assemble = "tensormap.replace.tile." before ".shared::cta" after(" [smap]") },                              \
    {                                                                                                                  \
        CK_RULE(rule), .name = what "-generic", .accept = right, .refuse = wrong,                                      \
                       .assemble = "tensormap.replace.tile." before after(" [g]")                                      \
    }

#define WITH_ADDRESS(map) ".b1024.b64" map ", d0;"
#define WITH_VALUE(map)   ".b1024.b32" map ", n;"
#define WITH_ENTRY(map)   ".b1024.b32" map ", 1, n;"
#define WITH_STRIDE(map)  ".b1024.b64" map ", 1, d0;"
#define WITH_NUMBER(map)  ".b1024.b32" map ", 1;"
#define TYPED(map)        ".b1024.$" map ", 0;"
#define TYPED_ENTRY(map)  ".b1024.$" map ", 0, 16;"
#define NUMBERED(map)     ".b1024.b32" map ", $, 16;"
#define STRIDE_AT(map)    ".b1024.b64" map ", $, 16;"
#define VALUED(map)       ".b1024.b32" map ", $;"
#define ADDRESSED(map)    ".b1024.b64" map ", $;"
#define SIZED(map)        "$.b32" map ", n;"

#define B32_NOT "b64|u32|s32|b16|f32|b128"
#define B64_NOT "b32|u64|s64|b16|f64|b128"

static const struct ck_case cases[] = {
    { CK_RULE(tmap_rep_isa), .version = "$", .accept = "8.3|8.4|8.5|9.0", .refuse = "8.0|8.1|8.2",
      .assemble = "tensormap.replace.tile.global_address.global.b1024.b64 [gmap], d0;" },

    EACH_SPACE(tmap_rep_fields, "address", "global_address", "address|base|global_addr|globaladdress", "$",
               WITH_ADDRESS),
    EACH_SPACE(tmap_rep_fields, "rank", "rank", "dim|box|dimension|tensor_rank|ranks", "$", WITH_VALUE),
    EACH_SPACE(tmap_rep_fields, "entry", "box_dim|global_dim|element_stride",
               "box_size|global_size|element_size|traversal_stride|boxdim|globaldim", "$", WITH_ENTRY),
    EACH_SPACE(tmap_rep_fields, "stride", "global_stride", "stride|global_strides|box_stride", "$", WITH_STRIDE),
    EACH_SPACE(tmap_rep_fields, "number", "elemtype|interleave_layout|swizzle_mode|fill_mode",
               "type|element_type|interleave|swizzle|fill|oob_fill|l2_promotion", "$", WITH_NUMBER),
    { CK_RULE(tmap_rep_fields), .name = "operands", .accept = "rank.global.b1024.b32 [gmap], n",
      .refuse = "rank.global.b1024.b32 [gmap], 1, n|box_dim.global.b1024.b32 [gmap], n|rank.global.b1024.b32 [gmap]|"
                "global_address.global.b1024.b64 [gmap], 0, d0|global_stride.global.b1024.b64 [gmap], d0|"
                "elemtype.global.b1024.b32 [gmap], 0, 1|fill_mode.global.b1024.b32 [gmap]",
      .assemble = "tensormap.replace.tile.$;" },

    EACH_SPACE(tmap_rep_type, "address", "b64", B64_NOT, "global_address", TYPED),
    EACH_SPACE(tmap_rep_type, "rank", "b32", B32_NOT, "rank", TYPED),
    EACH_SPACE(tmap_rep_type, "box", "b32", B32_NOT, "box_dim", TYPED_ENTRY),
    EACH_SPACE(tmap_rep_type, "dim", "b32", B32_NOT, "global_dim", TYPED_ENTRY),
    EACH_SPACE(tmap_rep_type, "element-stride", "b32", B32_NOT, "element_stride", TYPED_ENTRY),
    EACH_SPACE(tmap_rep_type, "stride", "b64", B64_NOT, "global_stride", TYPED_ENTRY),
    EACH_SPACE(tmap_rep_type, "elemtype", "b32", B32_NOT, "elemtype", TYPED),
    EACH_SPACE(tmap_rep_type, "interleave", "b32", B32_NOT, "interleave_layout", TYPED),
    EACH_SPACE(tmap_rep_type, "swizzle", "b32", B32_NOT, "swizzle_mode", TYPED),
    EACH_SPACE(tmap_rep_type, "fill", "b32", B32_NOT, "fill_mode", TYPED),

    EACH_SPACE(tmap_rep_b1024, "rank", ".b1024", "|.b512|.b128|.b2048|.b32|.u1024", "rank", SIZED),
    { CK_RULE(tmap_rep_space), .accept = ".global.b1024.b32 [gmap]|.shared::cta.b1024.b32 [smap]|.b1024.b32 [g]",
      .refuse = ".shared.b1024.b32 [smap]|.shared::cluster.b1024.b32 [smap]|.const.b1024.b32 [cmap]|"
                ".param.b1024.b32 [pmap]|.local.b1024.b32 [g]",
      .assemble = "tensormap.replace.tile.rank$, n;" },
    { CK_RULE(tmap_rep_mode), .name = "form", .accept = ".tile",
      .refuse = "|.im2col|.im2col_no_offs|.im2col::w|.tile::gather4|.tiled",
      .assemble = "tensormap.replace$.rank.global.b1024.b32 [gmap], n;" },

    EACH_SPACE(tmap_rep_ord, "box", "0|1|2|3|4", "-1|5|6|8|n|r0", "box_dim", NUMBERED),
    EACH_SPACE(tmap_rep_ord, "dim", "0|1|2|3|4", "-1|5|6|8|n|r0", "global_dim", NUMBERED),
    EACH_SPACE(tmap_rep_ord, "element-stride", "0|1|2|3|4", "-1|5|6|8|n|r0", "element_stride", NUMBERED),
    EACH_SPACE(tmap_rep_ord, "stride", "0|1|2|3", "-1|5|6|8|n|r0", "global_stride", STRIDE_AT),
    { CK_RULE(tmap_rep_ord_stride), .seen = "3|4|5",
      .assemble = "tensormap.replace.tile.global_stride.global.b1024.b64 [gmap], $, 16;" },

    EACH_SPACE(tmap_rep_imm, "elemtype", "0|1", "n|r0|d0", "elemtype", VALUED),
    EACH_SPACE(tmap_rep_imm, "interleave", "0|1", "n|r0|d0", "interleave_layout", VALUED),
    EACH_SPACE(tmap_rep_imm, "swizzle", "0|1", "n|r0|d0", "swizzle_mode", VALUED),
    EACH_SPACE(tmap_rep_imm, "fill", "0|1", "n|r0|d0", "fill_mode", VALUED),
    EACH_SPACE(tmap_rep_imm, "rank", "0|4|n|r0", "d0|h", "rank", VALUED),
    EACH_SPACE(tmap_rep_imm, "address", "0|256|d0|g", "n|h", "global_address", ADDRESSED),

    EACH_SPACE(tmap_rep_elemtype_range, "sm_90a", "0|1|2|3|4|5|6|7|8|9|10|11|12", "-1|13|14|15|16|255", "elemtype",
               VALUED),
    { CK_RULE(tmap_rep_elemtype_range), .name = "packed", .target = "sm_100a", .version = "8.7",
      .accept = "0|12|13|14|15", .refuse = "-1|16|17|255",
      .assemble = "tensormap.replace.tile.elemtype.global.b1024.b32 [gmap], $;" },
    EACH_SPACE(tmap_rep_interleave_range, "sm_90a", "0|1|2", "-1|3|4|255", "interleave_layout", VALUED),
    EACH_SPACE(tmap_rep_swizzle_range, "sm_90a", "0|1|2|3", "-1|4|5|6|255", "swizzle_mode", VALUED),
    EACH_SPACE(tmap_rep_atomicity, "sm_100a", "0|1|2|3", "-1|4|5|255|n", "swizzle_atomicity", VALUED),
    EACH_SPACE(tmap_rep_fill_range, "sm_90a", "0|1", "-1|2|3|255", "fill_mode", VALUED),

    { CK_RULE(tmap_rep_unchecked), .name = "box", .seen = "0|1|256|257|65536|-1",
      .assemble = "tensormap.replace.tile.box_dim.global.b1024.b32 [gmap], 0, $;" },
    { CK_RULE(tmap_rep_unchecked), .name = "dim", .seen = "0|1|4294967295|4294967296|-1",
      .assemble = "tensormap.replace.tile.global_dim.global.b1024.b32 [gmap], 0, $;" },
    { CK_RULE(tmap_rep_unchecked), .name = "stride", .seen = "0|8|16|1099511627776|-16",
      .assemble = "tensormap.replace.tile.global_stride.global.b1024.b64 [gmap], 0, $;" },
    { CK_RULE(tmap_rep_unchecked), .name = "element-stride", .seen = "0|1|8|9|-1",
      .assemble = "tensormap.replace.tile.element_stride.global.b1024.b32 [gmap], 0, $;" },
    { CK_RULE(tmap_rep_unchecked), .name = "address", .seen = "0|7|16|-1",
      .assemble = "tensormap.replace.tile.global_address.global.b1024.b64 [gmap], $;" },
    { CK_RULE(tmap_rep_unchecked), .name = "rank", .seen = "0|4|5|-1",
      .assemble = "tensormap.replace.tile.rank.global.b1024.b32 [gmap], $;" },

    { CK_RULE(tmap_cpf_req), .name = "version", .version = "$", .accept = "8.3|8.4|9.0", .refuse = "8.0|8.1|8.2",
      .assemble =
          "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [gmap], [smap], 128;" },
    { CK_RULE(tmap_cpf_req), .name = "target", .target = "$", .accept = "sm_90|sm_90a", .refuse = "sm_80|sm_86|sm_89",
      .assemble =
          "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [gmap], [smap], 128;" },

    { CK_RULE(tmap_fence_direction), .name = "release", .accept = "tensormap::generic",
      .refuse = "generic::tensormap|tensormap|tensormap::async|async::generic|generic",
      .assemble = "fence.proxy.$.release.gpu;" },
    { CK_RULE(tmap_fence_direction), .name = "acquire", .accept = "tensormap::generic",
      .refuse = "generic::tensormap|tensormap|tensormap::async|async::generic|generic",
      .assemble = "fence.proxy.$.acquire.gpu [gm], 128;" },
    { CK_RULE(tmap_fence_direction), .name = "sem", .accept = "release", .refuse = "relaxed|acq_rel|sc|acquire|weak",
      .assemble = "fence.proxy.tensormap::generic.$.gpu;" },
    { 0 }
};

const struct ck_suite tensor_map_forms = { "tensor-map/forms", cases };
// SPDX-License-Identifier: Apache-2.0
