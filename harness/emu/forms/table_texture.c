/* Instruction table: textures and surfaces. */
#include "harness/emu/forms/tables.h"
#include "harness/emu/forms/texture.h"

#define FLAT   "1d|2d|3d|a1d|a2d"
#define CUBES  "cube|acube"
#define TEXELS "v4 u32|s32|f32|f16"
#define PAIRS  "v2 f16x2"
/* By coordinates: floating-point ones may come with a value that the depth is compared with. `more`: the operands of a
 * level or gradient; an offset may follow. */
#define TEX(first, more)                                                                                               \
    { OP_tex, first FLAT " " TEXELS " f32", "V4T0 cf32" more("f32") " ?es32" },                                        \
        { OP_tex, first FLAT " " TEXELS " s32", "V4T0 cs32" more("s32") " ?es32" },                                    \
        { OP_tex, first FLAT " " PAIRS " f32", "y2f16x2 cf32" more("f32") " ?es32" },                                  \
        { OP_tex, first FLAT " " PAIRS " s32", "y2f16x2 cs32" more("s32") " ?es32" },                                  \
        { OP_tex, first DEPTHS " " TEXELS " f32", "V4T0 cf32" more("f32") " ?es32 sf32" },                             \
        { OP_tex, first DEPTHS " " PAIRS " f32", "y2f16x2 cf32" more("f32") " ?es32 sf32" },                           \
        { OP_tex, first CUBES " " TEXELS " f32", "V4T0 cf32" more("f32") " ?sf32" },                                   \
    {                                                                                                                  \
        OP_tex, first CUBES " " PAIRS " f32", "y2f16x2 cf32" more("f32") " ?sf32"                                      \
    }
#define DEPTHS "1d|2d|a1d|a2d"
#define NOTHING(type)
#define LEVEL(type)    " s" type
#define GRADIENT(type) " ef32 ef32"

#define CLAMP "trap|clamp|zero"
#define REDUCE(words)                                                                                                  \
    {                                                                                                                  \
        OP_sured, words " 1d|2d|3d " CLAMP, "u sT0", 20, "20"                                                          \
    }

const struct ptx_form ptx_forms_texture[] = {
    TEX("?^base ", NOTHING),
    TEX("^level ", LEVEL),
    TEX("^grad ", GRADIENT),
    { OP_tex, "?^base 2dms|a2dms " TEXELS " s32", "V4T0 cs32 ?es32" },
    { OP_tex, "?^base 2dms|a2dms " PAIRS " s32", "y2f16x2 cs32 ?es32" },
    { OP_tld4, "r|g|b|a 2d|a2d v4 u32|s32|f32 f32", "V4T0 cT1 ?es32 ?sf32", 22, "20" },
    { OP_tld4, "r|g|b|a 2d|a2d v4 u32|s32|f32 f32", "V4T0 cT1 ?sf32", 22, "20" },
    { OP_tld4, "r|g|b|a " CUBES " v4 u32|s32|f32 f32", "V4T0 cT1 ?sf32", 22, "20" },
    { OP_txq,
      "width|height|depth|channel_data_type|channel_order|normalized_coords|array_size|num_mipmap_levels|num_samples b32",
      "db32 Ctexref" },
    /* In the unified mode a texture has the attributes of its sampler too. */
    { OP_txq, "filter_mode|addr_mode_0|addr_mode_1|addr_mode_2 b32", "db32 Ctexref", 0, NULL, form_sampler_query },
    { OP_txq, "filter_mode|addr_mode_0|addr_mode_1|addr_mode_2|force_unnormalized_coords b32", "db32 Csamplerref" },
    { OP_txq, "^level width|height|depth b32", "db32 Ctexref su32", 43, "30" },
    { OP_istypep, "texref|samplerref|surfref", "q ru64", 40, "30" },

    { OP_suld, "^b " FLAT " ?ca|cg|cs|cv ?v2|v4 b8|b16|b32 " CLAMP, "WT0+ u", 20, "20" },
    { OP_suld, "^b " FLAT " ?ca|cg|cs|cv ?v2 b64 " CLAMP, "WT0+ u", 20, "20" },
    { OP_sust, "^b " FLAT " ?wb|cg|cs|wt ?v2|v4 b8|b16|b32 " CLAMP, "u wT0+", 15 },
    { OP_sust, "^b " FLAT " ?wb|cg|cs|wt ?v2 b64 " CLAMP, "u wT0+", 15 },
    { OP_sust, "^p " FLAT " ?v2|v4 b32 " CLAMP, "u wT0", 15 },
    REDUCE("^b add u32|s32|u64"),
    REDUCE("^b min|max u32|s32|u64@81/60|s64@81/60"),
    REDUCE("^b and|or b32"),
    REDUCE("^p add|min|max|and|or b32"),
    REDUCE("^p min|max b64@81"),
    { OP_suq, "width|height|depth|channel_data_type|channel_order|array_size|memory_layout b32", "db32 Csurfref", 15 },
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
