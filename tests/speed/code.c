/* What compilers make of copies: the PTX of CUDA's functions, and machine code as nvdisasm writes it. */
#include "harness/ck.h"

#define CUBIN .options = "-std=c++17 -arch=sm_90a -cubin", .head = "#include <cstdint>"
#define SHARED                                                                                                         \
    "__shared__ alignas(128) char s[1024]; __shared__ uint64_t b; const uint32_t to = "                                \
    "(uint32_t)__cvta_generic_to_shared(s), bar = (uint32_t)__cvta_generic_to_shared(&b); "
#define READ " out[n] = s[n] + (char)b;"
#define BULK                                                                                                           \
    "asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];\" :: "    \
    "\"r\"(to), \"l\"(in), \"r\"(bar));"
#define TENSOR                                                                                                         \
    "asm volatile(\"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "      \
    "{%3, %3}], [%2];\" :: \"r\"(to), \"l\"(in), \"r\"(bar), \"r\"(n));"
#define ELECTED                                                                                                        \
    "uint32_t elected; asm volatile(\"{ .reg .pred p; elect.sync _|p, -1; selp.b32 %0, 1, 0, p; }\" : "                \
    "\"=r\"(elected)); "

static const struct ck_case cases[] = {
    { CK_RULE(sass_copy_ldg_sts), CUBIN,
      .cuda = "__shared__ $ s[256]; s[threadIdx.x] = (($ *)in)[threadIdx.x]; __syncthreads(); (($ *)out)[n] = s[n];",
      .seen = "char|short|long long|int4", .holds = "LDG.E LDGSTS STS.U8 STS.U16 STS.64 STS.128" },
    { CK_RULE(sass_cpasync_ldgsts), CUBIN,
      .cuda = SHARED "asm volatile(\"cp.async.ca.shared.global [%0], [%1], $; cp.async.wait_all;\" :: \"r\"(to), "
                     "\"l\"(in));" READ,
      .seen = "4|8|16", .holds = "LDGSTS.E LDG.E LDGDEPBAR DEPBAR" },
    { CK_RULE(sass_cpasync_bypass), CUBIN,
      .cuda = SHARED "asm volatile(\"cp.async.cg.shared.global [%0], [%1], $; cp.async.wait_all;\" :: \"r\"(to), "
                     "\"l\"(in));" READ,
      .seen = "16", .holds = "LDGSTS.E BYPASS" },
    { CK_RULE(sass_cpasync_bypass), .name = "ca", CUBIN,
      .cuda = SHARED "asm volatile(\"cp.async.ca.shared.global [%0], [%1], $; cp.async.wait_all;\" :: \"r\"(to), "
                     "\"l\"(in));" READ,
      .seen = "4|8|16", .holds = "LDGSTS.E BYPASS" },
    { CK_RULE(obs_tma_no_registers), CUBIN, .cuda = SHARED "if (threadIdx.x == 0) { " BULK " }" READ, .seen = "",
      .holds = "UBLKCP.S.G LDG.E STS" },
    { CK_RULE(obs_tma_no_registers), .name = "tensor", CUBIN,
      .cuda = SHARED "if (threadIdx.x == 0) { " TENSOR " }" READ, .seen = "", .holds = "UTMALDG.2D LDG.E STS" },
    { CK_RULE(obs_elect_peeling_loop), CUBIN, .cuda = SHARED ELECTED "if ($) { " BULK " }" READ,
      .seen = "threadIdx.x == 0|threadIdx.x < 32 && elected", .holds = "UBLKCP.S.G BRA.U.ANY" },
    { CK_RULE(host_tmap_gcc_abi_warning), .head = "#include <cuda.h>", .cuda = "",
      .declare = "__global__ void g(const __grid_constant__ CUtensorMap m) { (void)m; }\n"
                 "void launch($) { g<<<1, 1>>>(m); }",
      .options = "-std=c++17 -arch=sm_90a -c -Xcompiler -Wall,-Wextra,-Wpsabi,-Werror",
      .seen = "CUtensorMap m|const CUtensorMap &m" },

    { CK_RULE(cuda_threadfence_equivalence), .name = "block", .cuda = "pi[0] = 1; $; pi[1] = 1;",
      .accept = "__threadfence_block()", .refuse = "__threadfence_cta()", .says = "undefined", .holds = "membar.cta" },
    { CK_RULE(cuda_threadfence_equivalence), .name = "device", .cuda = "pi[0] = 1; $; pi[1] = 1;",
      .accept = "__threadfence()", .refuse = "__threadfence_device()", .says = "undefined", .holds = "membar.gl" },
    { CK_RULE(cuda_threadfence_equivalence), .name = "system", .cuda = "pi[0] = 1; $; pi[1] = 1;",
      .accept = "__threadfence_system()", .refuse = "__threadfence_sys()", .says = "undefined", .holds = "membar.sys" },
    { CK_RULE(cuda_syncwarp_orders), .cuda = "pi[0] = 1; $; pi[1] = 1;", .accept = "__syncwarp()|__syncwarp(0xf)",
      .refuse = "__syncwarp(0xf, 0xf)", .says = "too many arguments", .holds = "bar.warp.sync" },
    { CK_RULE(cluster_dims_attribute), .cuda = "",
      .declare = "__global__ void __cluster_dims__($) g(int *p) { *p = 1; }", .accept = "2, 1, 1|4|1, 2, 4",
      .refuse = "0, 1, 1|-1", .says = "must be positive integers", .holds = ".explicitcluster .reqnctapercluster" },
    { CK_RULE(cxx_ptx_cp_async_bulk), .head = "#include <cuda/ptx>",
      .cuda = "__shared__ alignas(128) char s[64]; __shared__ uint64_t b; namespace ptx = cuda::ptx; "
              "ptx::cp_async_bulk($);",
      .accept = "ptx::space_cluster, ptx::space_global, s, in, 64, &b",
      .refuse = "ptx::space_global, ptx::space_cluster, s, in, 64, &b|ptx::space_cluster, ptx::space_global, s, in, 64|"
                "s, in, 64, &b",
      .says = "no instance of overloaded function",
      .holds = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes" },
    { CK_RULE(cxx_ptx_cp_async_bulk), .name = "store", .head = "#include <cuda/ptx>",
      .cuda = "__shared__ alignas(128) char s[64]; __shared__ uint64_t b; namespace ptx = cuda::ptx; b = n; "
              "ptx::cp_async_bulk($);",
      .accept = "ptx::space_global, ptx::space_shared, out, s, 64",
      .refuse = "ptx::space_global, ptx::space_shared, out, s, 64, &b|ptx::space_shared, ptx::space_global, out, s, 64",
      .says = "no instance of overloaded function", .holds = "cp.async.bulk.global.shared::cta.bulk_group" },

    { CK_RULE(toolkit_sm90_since_11_8), .assemble = "mov.u32 n, 1;", .version = "$", .target = "sm_90",
      .accept = "7.8|8.0|8.3|8.6|9.0", .refuse = "6.0|7.0|7.5|7.7" },
    { 0 }
};

const struct ck_suite speed_code = { "speed/code", cases };
// SPDX-License-Identifier: Apache-2.0
