/* Memory orders, scopes and atomics that the compiler of CUDA Tile takes and refuses. */
#include "harness/ck.h"

#define NONE "no instance of"

#define NAMES                                                                                                          \
    "using order = ct::memory_order;\nusing scope = ct::thread_scope;\n"                                               \
    "constexpr ct::memory_order_relaxed_t relaxed;\nconstexpr ct::memory_order_acquire_t acquire;\n"                   \
    "constexpr ct::memory_order_release_t release;\nconstexpr ct::memory_order_acq_rel_t acq_rel;\n"                   \
    "constexpr ct::thread_scope_system_t everywhere;\nconstexpr ct::thread_scope_device_t device;\n"                   \
    "constexpr ct::thread_scope_block_t block;\n"                                                                      \
    "constexpr ct::view_padding_constant<ct::view_padding::zero> padding;\n"
#define POINTERS "const auto p = pi + ct::iota<i32x8>(); const i32x8 v = ct::ones<i32x8>(); "
#define VIEWS                                                                                                          \
    NAMES "template <class T> __tile__ auto partition(T *p, int n)\n"                                                  \
          "{ return ct::partition_view{ ct::tensor_span{ p, ct::extents{ n } }, ct::shape{ 8_ic } }; }\n"
#define VIEWS_134                                                                                                      \
    VIEWS "template <class T> __tile__ auto strided(T *p, int n)\n"                                                    \
          "{ return ct::strided_view{ ct::tensor_span{ p, ct::extents{ n } }, ct::shape{ 8_ic }, "                     \
          "ct::strides{ 4_ic } }; }\n"                                                                                 \
          "template <class T> __tile__ auto gather(T *p, int n)\n"                                                     \
          "{ return ct::gather_scatter_view{ ct::tensor_span{ p, ct::extents{ n, 8_ic } }, "                           \
          "ct::shape{ 4_ic, 8_ic }, 0_ic }; }\n"

static const struct ck_case cases[] = {
    { CK_RULE(tile_mem_atomic_order_tag), .compile = POINTERS "ct::atomic_${call}(p, v$);", .declare = NAMES,
      .axes = { { "call", "add store xchg" } }, .accept = ", relaxed|, relaxed, device|, relaxed, everywhere",
      .refuse = "|, device", .says = NONE },
    { CK_RULE(tile_mem_atomic_order_tag), .name = "load", .compile = POINTERS "(void)ct::atomic_load$(p);",
      .declare = NAMES, .accept = "<order::relaxed>|<order::acquire, scope::device>", .refuse = "|<scope::device>",
      .says = NONE },
    { CK_RULE(tile_mem_atomic_order_tag), .name = "compare", .compile = POINTERS "ct::atomic_compare_exchange$;",
      .declare = NAMES, .accept = "(p, v, v, relaxed)|(pi, 1, 2, relaxed)", .refuse = "(p, v, v)|(pi, 1, 2)",
      .says = NONE },

    { CK_RULE(tile_mem_order_kinds), .compile = POINTERS "(void)ct::atomic_load(p, $);", .declare = NAMES,
      .accept = "relaxed|acquire|acquire, block", .refuse = "release|acq_rel", .says = NONE },
    { CK_RULE(tile_mem_order_kinds), .name = "store", .compile = POINTERS "ct::atomic_store(p, v, $);",
      .declare = NAMES, .accept = "relaxed|release|release, block", .refuse = "acquire|acq_rel", .says = NONE },
    { CK_RULE(tile_mem_order_kinds), .name = "both", .compile = POINTERS "ct::atomic_${call}(p, v, $);",
      .declare = NAMES, .axes = { { "call", "add sub and or xor max min xchg" } },
      .accept = "relaxed|acquire|release|acq_rel|acq_rel, block", .refuse = "device", .says = NONE },
    { CK_RULE(tile_mem_order_kinds), .name = "compare", .compile = POINTERS "ct::atomic_compare_exchange(p, v, v, $);",
      .declare = NAMES, .accept = "relaxed|acquire|release|acq_rel|acq_rel, block", .refuse = "device", .says = NONE },

    { CK_RULE(tile_mem_view_atomic_access), .compile = "auto v = partition(pi, n); v.store(v.atomic_load$, 0);",
      .declare = VIEWS, .accept = "(relaxed, 0)|(acquire, 0)|(acquire, device, 0)|_masked(padding, relaxed, 0)",
      .refuse = "(0)|(0, relaxed)|(release, 0)", .says = NONE },
    { CK_RULE(tile_mem_view_atomic_access), .name = "store", .compile = "auto v = partition(pi, n); v.atomic_store$;",
      .declare = VIEWS,
      .accept = "(ct::ones<i32x8>(), relaxed, 0)|(ct::ones<i32x8>(), release, device, 0)|"
                "_masked(ct::ones<i32x8>(), relaxed, 0)",
      .refuse = "(ct::ones<i32x8>(), 0)|(relaxed, ct::ones<i32x8>(), 0)|(ct::ones<i32x8>(), acquire, 0)",
      .says = NONE },

    { CK_RULE(tile_mem_view_atomics),
      .compile = "auto v = $(pi, n); v.atomic_${op}(ct::ones<decltype(v)::view_tile_type>(), relaxed, device, 0);",
      .declare = VIEWS_134, .axes = { { "op", "add sub and or xor max min" } }, .accept = "partition|strided",
      .refuse = "gather", .says = "has no member \"atomic_" },
    { CK_RULE(tile_mem_view_atomics), .name = "others",
      .compile = "auto v = ${view}(pi, n); v.atomic_$(ct::ones<i32x8>(), relaxed, device, 0);", .declare = VIEWS_134,
      .axes = { { "view", "partition strided" } }, .accept = "add|max", .refuse = "xchg|inc|exchange",
      .says = "has no member \"atomic_" },
    { CK_RULE(tile_mem_view_atomics), .name = "form",
      .compile = "auto v = ${view}(pi, n); const i32x8 t = ct::ones<i32x8>(); $;", .declare = VIEWS_134,
      .axes = { { "view", "partition strided" } },
      .accept = "v.atomic_add(t, relaxed, device, 0)|v.atomic_add(t, relaxed, block, 0)",
      .refuse = "v.atomic_add(t, 0)|v.atomic_add(t, relaxed, 0)|v.atomic_add(t, relaxed, everywhere, 0)|"
                "v.atomic_add(t, acquire, device, 0)|v.atomic_add(t, acq_rel, device, 0)|"
                "v.atomic_add(0, t, relaxed, device)|v.atomic_add(relaxed, device, t, 0)",
      .says = NONE },
    { CK_RULE(tile_mem_view_atomics), .name = "result",
      .compile = "auto v = ${view}(pi, n); $ v.atomic_add(ct::ones<i32x8>(), relaxed, device, 0);",
      .declare = VIEWS_134, .axes = { { "view", "partition strided" } }, .accept = "|(void)", .refuse = "auto r =" },
    { CK_RULE(tile_mem_view_atomics), .name = "add-types",
      .compile = "auto v = partition(($ *)pv, n); "
                 "v.atomic_add(ct::ones<ct::tile<$, ct::shape<8>>>(), relaxed, device, 0);",
      .declare = "#include <cuda_fp16.h>\n" VIEWS_134,
      .accept = "int|unsigned|long long|unsigned long long|float|double|__half", .refuse = "short|signed char|bool",
      .says = NONE },
    { CK_RULE(tile_mem_view_atomics), .name = "max-types",
      .compile = "auto v = partition(($ *)pv, n); "
                 "v.atomic_max(ct::ones<ct::tile<$, ct::shape<8>>>(), relaxed, device, 0);",
      .declare = "#include <cuda_fp16.h>\n" VIEWS_134, .accept = "int|unsigned|long long|unsigned long long",
      .refuse = "float|double|__half|short|signed char", .says = NONE },

    { CK_RULE(tile_mem_bf16_add),
      .compile = "auto v = partition((__nv_bfloat16 *)pv, n); "
                 "v.atomic_add(ct::ones<ct::tile<__nv_bfloat16, ct::shape<8>>>(), relaxed, device, 0);",
      .declare = "#include <cuda_bf16.h>\n" VIEWS_134, .options = "--enable-tile -tile-only -std=c++20 -cubin -arch=$",
      .accept = "sm_90|sm_100|sm_120", .refuse = "sm_80|sm_86|sm_89", .says = NONE },
    { CK_RULE(tile_mem_bf16_add), .name = "pointers",
      .compile = "ct::atomic_add((__nv_bfloat16 *)pv + ct::iota<i32x8>(), "
                 "ct::ones<ct::tile<__nv_bfloat16, ct::shape<8>>>(), relaxed);",
      .declare = "#include <cuda_bf16.h>\n" NAMES, .options = "--enable-tile -tile-only -std=c++20 -cubin -arch=$",
      .accept = "sm_90|sm_100|sm_120", .refuse = "sm_80|sm_86|sm_89", .says = NONE },
    { 0 },
};

const struct ck_suite suite_cuda_tile_memory_rows = { "cuda_tile_memory_rows", cases };
// SPDX-License-Identifier: Apache-2.0
