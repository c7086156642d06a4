/* Building CUDA Tile: options of nvcc, targets, standards, and what an object then holds. */
#include "harness/ck.h"

#define KERNEL    "ct::store(pi, n);"
#define TILE_ONLY "--enable-tile -tile-only -std=c++20 -cubin "
#define WHOLE     "--enable-tile -std=c++20 -arch=sm_90 -c"
#define SIMT      "__global__ void simt(int *p) { *p = 1; }"
#define BARE      "extern \"C\" __tile_global__ void k(int *p) { *p = 1; }"
#define BARE_IF_HEADER                                                                                                 \
    "#if ${header}\n"                                                                                                  \
    "#include <cuda_tile.h>\n"                                                                                         \
    "#endif\n" BARE
#define BOTH_LAUNCHED                                                                                                  \
    SIMT "\n__tile_global__ void tile(int *p) { *p += 1; }\n"                                                          \
         "void both(int *p) { simt<<<1, 1>>>(p); tile<<<1, 1>>>(p); }"

static const struct ck_case cases[] = {
    { CK_RULE(tile_build_flag), .compile = KERNEL, .options = "$ -std=c++20 -arch=sm_90 -c", .accept = "--enable-tile",
      .refuse = "", .says = "calling a __tile__ function", .holds = "simt tile" },

    { CK_RULE(tile_build_silent_without_flag), .compile = "", .head = "", .declare = BARE,
      .options = "-std=c++17 -arch=sm_90 $", .seen = "-c|-cubin|-cubin -tile-only" },
    { CK_RULE(tile_build_silent_without_flag), .name = "header", .compile = KERNEL,
      .options = "-std=c++20 -arch=sm_90 $", .seen = "-cubin|-cubin -tile-only|-cubin -simt-only" },

    { CK_RULE(tile_build_std20), .compile = KERNEL, .options = "--enable-tile -tile-only -arch=sm_90 -cubin $",
      .accept = "-std=c++20", .refuse = "-std=c++14|-std=c++17|", .says = "needs C++20 features" },
    { CK_RULE(tile_build_std20), .name = "bare", .compile = "", .head = "", .declare = BARE_IF_HEADER,
      .options = "--enable-tile -tile-only -arch=sm_90 -cubin -std=$", .accept = "c++14|c++17",
      .axes = { { "header", "=0" } }, .holds = "tile",
      .mutants = { { "header", "include cuda_tile.h", .set = "header=1" } } },

    /* What nvcc itself includes is kept out, and the header stands alone. */
    { CK_RULE(tile_build_header_alone), .compile = "", .head = "#include <cuda_tile.h>", .declare = "$",
      .options = TILE_ONLY "-arch=sm_90 -Xcompiler -nostdinc -D__CUDA_RUNTIME_H__", .seen = "" },

    { CK_RULE(tile_build_namespace), .compile = "cuda::$::store(pi, n);", .accept = "tiles", .refuse = "cutile|tile",
      .says = "must be a class or namespace name" },

    { CK_RULE(tile_build_arch_min), .compile = KERNEL, .options = TILE_ONLY "-arch=$",
      .accept = "sm_80|sm_86|sm_89|sm_90|sm_100|sm_120", .refuse = "sm_75",
      .says = "requires at least one architecture supporting Tile output", .holds = "tile" },
    { CK_RULE(tile_build_arch_min), .name = "left-out", .compile = KERNEL, .options = "--enable-tile -std=c++20 -c $",
      .accept = "-arch=sm_75", .holds = "simt",
      .mutants = { { "sm_80", "compile for a target that has tile code", .set = "$=-arch=sm_80" } } },

    { CK_RULE(tile_build_arch_default), .compile = KERNEL, .options = "--enable-tile -std=c++20 -c $", .accept = "",
      .holds = "simt", .mutants = { { "arch", "name a target that has tile code", .set = "$=-arch=sm_90" } } },
    { CK_RULE(tile_build_arch_default), .name = "tile-only", .compile = KERNEL, .options = TILE_ONLY "$",
      .accept = "-arch=sm_90", .refuse = "", .says = "requires at least one architecture supporting Tile output" },

    { CK_RULE(tile_build_arch_suffix), .compile = KERNEL, .options = TILE_ONLY "-arch=$",
      .seen = "sm_90a|sm_100a|sm_100f|sm_120a|compute_90" },

    { CK_RULE(tile_build_two_images), .compile = KERNEL, .declare = SIMT, .options = WHOLE " $", .accept = "",
      .holds = "simt tile", .mutants = { { "simt-only", "leave the tile image out", .set = "$=--simt-only" } } },
    { CK_RULE(tile_build_two_images), .name = "simt-only", .compile = KERNEL, .declare = SIMT, .options = WHOLE " $",
      .accept = "--simt-only", .holds = "simt",
      .mutants = { { "tile-only", "make the other image", .set = "$=--tile-only" } } },
    { CK_RULE(tile_build_two_images), .name = "tile-only", .compile = KERNEL, .declare = SIMT, .options = WHOLE " $",
      .accept = "--tile-only", .holds = "tile",
      .mutants = { { "simt-only", "make the other image", .set = "$=--simt-only" } } },

    { CK_RULE(tile_build_macro), .compile = "", .head = "",
      .declare = "#ifndef __CUDACC_TILE__\n#error this is not tile mode\n#endif",
      .options = "-std=c++20 -arch=sm_90 -c $", .accept = "--enable-tile|--enable-tile --tile-only", .refuse = "",
      .says = "this is not tile mode" },

    { CK_RULE(tile_build_mixed_file), .compile = "", .declare = BOTH_LAUNCHED, .options = WHOLE " $", .accept = "",
      .holds = "simt tile", .mutants = { { "simt-only", "leave the tile kernel out", .set = "$=--simt-only" } } },
    { 0 },
};

const struct ck_suite suite_cuda_tile_build = { "cuda_tile_build", cases };
// SPDX-License-Identifier: Apache-2.0
