/* Tensor maps as an assembler sees them: prefetching, parameters, replacing fields, fences. */
#include "tests/tensor/targets.h"

/* Targets whose name ends in a letter, from PTX `first` on; plain ones are refused. */
#define SPECIFIC(rule, what, first, text)                                                                              \
    ON(rule, what "-" first, first, "sm_90a", "sm_90|sm_89", text),                                                    \
        ON(rule, what "-8.6", "8.6", "sm_100a", "sm_100", text),                                                       \
        ON(rule, what "-8.7", "8.7", "sm_120a", "sm_120", text),                                                       \
        ON(rule, what "-8.8", "8.8", "sm_100f|sm_103a|sm_103f|sm_120f|sm_121a", "sm_103", text),                       \
        ON(rule, what "-9.0", "9.0", "sm_110a|sm_110f", "sm_110", text)

/* The same without sm_90a. */
#define SPECIFIC_FROM_100A(rule, what, text)                                                                           \
    ON(rule, what "-8.7", "8.7", "sm_100a|sm_120a", "sm_90a|sm_100|sm_120", text),                                     \
        ON(rule, what "-8.8", "8.8", "sm_100f|sm_103a|sm_103f|sm_120f|sm_121a", "sm_90a|sm_103", text),                \
        ON(rule, what "-9.0", "9.0", "sm_110a|sm_110f", "sm_90a|sm_110", text)

static const struct ck_case cases[] = {
    { CK_RULE(tmap_prefetch_forms), .accept = ".tensormap [gm]|.const.tensormap [cmap]|.param.tensormap [pmap]",
      .refuse = ".global.tensormap [gmap]|.global.tensormap [gm]|.shared.tensormap [smap]|.shared::cta.tensormap [sa]|"
                ".local.tensormap [gm]",
      .assemble = "prefetch$;" },
    { CK_RULE(tmap_prefetch_forms), .name = "level", .accept = "", .refuse = ".L1|.L2",
      .assemble = "prefetch$.tensormap [gm];" },
    { CK_RULE(tmap_prefetch_forms), .name = "symbol", .seen = "gmap|cmap|pmap|smap",
      .assemble = "prefetch.tensormap [$];" },
    { CK_RULE(tmap_prefetch_req), .name = "target", .accept = "sm_90|sm_90a", .refuse = "sm_80|sm_86|sm_89",
      .target = "$", .version = "8.0", .assemble = "prefetch.tensormap [gm];" },
    { CK_RULE(tmap_prefetch_req), .name = "version", .accept = "8.0|8.1", .refuse = "7.8", .target = "sm_90",
      .version = "$", .assemble = "prefetch.tensormap [gm];" },

    { CK_RULE(tmap_space_param_align), .seen = "1|8|16|32|64|128",
      .declare = ".entry other(.param .align $ .b8 map[128])\n{\n.reg .b64 a;\n"
                 ".shared .align 128 .b8 buffer[1024];\n.shared .b64 barrier;\nmov.b64 a, map;\n"
                 "cvta.param.u64 a, a;\ncp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[buffer], [a, {0}], [barrier];\nret;\n}\n",
      .assemble = "" },
    { CK_RULE(tmap_space_shared), .name = "symbol", .accept = "gmap", .refuse = "smap",
      .assemble =
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [sa], [$, {r0, r1}], [ma];" },

    SPECIFIC(tmap_arch_replace, "address-global", "8.3",
             "tensormap.replace.tile.global_address.global.b1024.b64 [gmap], d0;"),
    SPECIFIC(tmap_arch_replace, "address-shared", "8.3",
             "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [smap], d0;"),
    SPECIFIC(tmap_arch_replace, "elemtype", "8.3", "tensormap.replace.tile.elemtype.global.b1024.b32 [gmap], 12;"),
    SPECIFIC(tmap_arch_replace, "swizzle", "8.3", "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [gmap], 3;"),
    SPECIFIC_FROM_100A(tmap_arch_replace_packed, "elemtype-13",
                       "tensormap.replace.tile.elemtype.global.b1024.b32 [gmap], 13;"),
    SPECIFIC_FROM_100A(tmap_arch_replace_packed, "elemtype-15",
                       "tensormap.replace.tile.elemtype.global.b1024.b32 [gmap], 15;"),
    SPECIFIC_FROM_100A(tmap_arch_replace_packed, "atom",
                       "tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [gmap], 1;"),
    ON(tmap_arch_replace_packed, "atom-8.6", "8.6", "sm_100a", "sm_90a|sm_100",
       "tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [gmap], 1;"),
    { CK_RULE(tmap_arch_replace_packed), .name = "elemtype-version", .target = "sm_100a", .version = "$",
      .accept = "8.7", .refuse = "8.6", .assemble = "tensormap.replace.tile.elemtype.global.b1024.b32 [gmap], 13;" },
    { CK_RULE(tmap_arch_replace_96b), .target = "$", .version = "8.8", .accept = "sm_103a",
      .refuse = "sm_90a|sm_100a|sm_100f|sm_103f|sm_120a|sm_121a",
      .assemble = "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [gmap], 4;" },

    EVERYWHERE(
        tmap_arch_fences, "copy", "8.3",
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [gmap], [smap], 128;"),
    EVERYWHERE(tmap_arch_fences, "acquire", "8.3", "fence.proxy.tensormap::generic.acquire.sys [gm], 128;"),
    EVERYWHERE(tmap_arch_fences, "release", "8.3", "fence.proxy.tensormap::generic.release.gpu;"),

    { CK_RULE(tmap_acquire_scope), .name = "acquire", .accept = "cta|cluster|gpu|sys", .refuse = "system|cga",
      .assemble = "fence.proxy.tensormap::generic.acquire.$ [gm], 128;" },
    { CK_RULE(tmap_acquire_scope), .name = "release", .accept = "cta|cluster|gpu|sys", .refuse = "system|cga",
      .assemble = "fence.proxy.tensormap::generic.release.$;" },
    { CK_RULE(tmap_size), .name = "fence", .accept = "128", .refuse = "0|64|127|256|n", .version = "8.3",
      .assemble = "fence.proxy.tensormap::generic.acquire.gpu [gm], $;" },
    { CK_RULE(tmap_size), .name = "copy", .accept = "128", .refuse = "0|64|127|256|n", .version = "8.3",
      .assemble =
          "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [gmap], [smap], $;" },

    { 0 },
};

const struct ck_suite tensor_map_assemble = { "tensor_map_assemble", cases };
// SPDX-License-Identifier: Apache-2.0
