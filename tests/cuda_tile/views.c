/* Spans, views, and accesses through them or through pointers: what nvcc accepts. */
#include "harness/ck.h"

#define SPAN "ct::tensor_span{ pf, ct::extents{ n, n } }"
#define VIEW "auto v = ct::partition_view{ " SPAN ", ct::shape{ 4_ic, 8_ic } };\n"

/* A span of one's own, with all members of one; `mapping`, `accessor` and `handle` stand where a row leaves one out. */
#define OWN(mapping, accessor, handle)                                                                                 \
    "using base = ct::tensor_span<float, ct::extents<unsigned, 64>>;\n"                                                \
    "struct own {\n"                                                                                                   \
    "using element_type = base::element_type; using value_type = base::value_type;\n"                                  \
    "using layout_type = base::layout_type; using mapping_type = base::mapping_type;\n"                                \
    "using extents_type = base::extents_type; using index_type = base::index_type;\n"                                  \
    "using rank_type = base::rank_type; using accessor_type = base::accessor_type;\n"                                  \
    "using data_handle_type = base::data_handle_type; using reference = base::reference;\n"                            \
    "base b;\n" mapping accessor handle "};\n"
#define MAPPING  "__tile__ mapping_type const &mapping() const { return b.mapping(); }\n"
#define ACCESSOR "__tile__ accessor_type const &accessor() const { return b.accessor(); }\n"
#define HANDLE   "__tile__ data_handle_type data_handle() const { return b.data_handle(); }\n"
#define USE_OWN  "own s{ base{ pf, {} } }; ct::partition_view v{ s, ct::shape{ 4_ic } }; v.store(v.load(0), 1);"

#define AT "auto at = ct::iota<i32x8>();\n"

static const struct ck_case cases[] = {
    { CK_RULE(tile_span_const),
      .compile = "auto v = ct::partition_view{ ct::tensor_span{ ($ *)pv, ct::extents{ n } }, "
                 "ct::shape{ 4_ic } }; v.store(v.load(0), 1);",
      .accept = "int|float|signed char", .refuse = "const int|const float|const signed char", .says = "store" },
    { CK_RULE(tile_span_const), .name = "load",
      .compile = "auto v = ct::partition_view{ ct::tensor_span{ ci, "
                 "ct::extents{ n } }, ct::shape{ 4_ic } }; $",
      .accept = "(void)v.load(0);|(void)v.load_masked(0);",
      .refuse = "v.store(v.load(0), 0);|v.store_masked(v.load(0), 0);", .says = "store" },
    { CK_RULE(tile_span_mdspan_like), .compile = USE_OWN, .declare = OWN("$", ACCESSOR, HANDLE), .accept = MAPPING,
      .refuse = "", .says = "partition_view" },
    { CK_RULE(tile_span_mdspan_like), .name = "accessor", .compile = USE_OWN, .declare = OWN(MAPPING, "$", HANDLE),
      .accept = ACCESSOR, .refuse = "", .says = "partition_view" },
    { CK_RULE(tile_span_mdspan_like), .name = "handle", .compile = USE_OWN, .declare = OWN(MAPPING, ACCESSOR, "$"),
      .accept = HANDLE, .refuse = "", .says = "partition_view" },
    { CK_RULE(tile_span_tile_code_only), .compile = "", .options = "--enable-tile -std=c++20 -arch=sm_90 -c",
      .declare = "void host(float *p) { auto s = ct::tensor_span{ p, ct::extents{ 64 } }; (void)s; $ }",
      .seen = "|auto v = ct::partition_view{ s, ct::shape{ 4_ic } }; (void)v;"
              "|auto v = ct::partition_view{ s, ct::shape{ 4_ic } }; (void)v.load(0);" },

    { CK_RULE(tile_view_two_steps), .compile = "auto v = ct::partition_view{ $, ct::shape{ 4_ic, 8_ic } }; (void)v;",
      .accept = SPAN "|ct::tensor_span<float, ct::extents<unsigned, 8, 8>>{ pf, {} }",
      .refuse = "pf|pf, ct::extents{ n, n }|ct::extents{ n, n }|&pf", .says = "partition_view" },
    { CK_RULE(tile_view_two_steps), .name = "types",
      .compile = "ct::partition_view<ct::tensor_span<$, ct::extents<unsigned, 8, 8>>, ct::shape<4, 8>> v{ { pf, {} }, "
                 "{} }; (void)v;",
      .accept = "float|const float", .refuse = "int|double" },
    { CK_RULE(tile_view_rank_match), .name = "1",
      .compile = "auto v = ct::partition_view{ ct::tensor_span{ pf, ct::extents{ n } }, ct::shape{ $ } }; (void)v;",
      .accept = "4_ic", .refuse = "|4_ic, 8_ic|2_ic, 2_ic, 2_ic", .says = "partition_view" },
    { CK_RULE(tile_view_rank_match), .name = "2",
      .compile = "auto v = ct::partition_view{ " SPAN ", ct::shape{ $ } }; (void)v;", .accept = "4_ic, 8_ic",
      .refuse = "|4_ic|2_ic, 2_ic, 2_ic|1_ic, 1_ic, 1_ic, 1_ic", .says = "partition_view" },
    { CK_RULE(tile_view_rank_match), .name = "3",
      .compile = "auto v = ct::partition_view{ ct::tensor_span{ pf, ct::extents{ n, n, n } }, ct::shape{ $ } }; "
                 "(void)v;",
      .accept = "2_ic, 2_ic, 8_ic", .refuse = "4_ic|4_ic, 8_ic|2_ic, 2_ic, 2_ic, 2_ic", .says = "partition_view" },
    { CK_RULE(tile_view_rank_match), .name = "5",
      .compile = "auto v = ct::partition_view{ ct::tensor_span{ pf, ct::extents{ n, n, n, n, n } }, ct::shape{ $ } }; "
                 "(void)v;",
      .accept = "1_ic, 1_ic, 2_ic, 2_ic, 8_ic", .refuse = "4_ic, 8_ic|2_ic, 2_ic, 2_ic, 2_ic",
      .says = "partition_view" },
    { CK_RULE(tile_view_no_cv),
      .compile = "using span = ct::tensor_span<float, ct::extents<unsigned, 8>>;\n"
                 "ct::partition_view<$> v{ span{ pf, {} }, {} }; (void)v;",
      .accept = "span, ct::shape<4>",
      .refuse = "const span, ct::shape<4>|volatile span, ct::shape<4>|span, const "
                "ct::shape<4>|span, volatile ct::shape<4>" },
    { CK_RULE(tile_view_fixed_size),
      .compile = VIEW "static_assert(same<decltype(v.$(n, n)), ct::tile<float, "
                      "ct::shape<${rows}, 8>>>); (void)v.$(0, 0);",
      .declare = "template <class A, class B> constexpr bool same = false;\n"
                 "template <class A> constexpr bool same<A, A> = true;",
      .accept = "load|load_masked", .axes = { { "rows", "=4" } },
      .no_mutant = "it is a type, whatever the indices are" },

    { CK_RULE(tile_load_index_count), .name = "plain", .compile = VIEW "(void)v.load($);", .accept = "0, 0|n, 1|n, n",
      .refuse = "|0|0, 0, 0|n, n, n, n", .says = "load" },
    { CK_RULE(tile_load_index_count), .name = "masked", .compile = VIEW "(void)v.load_masked($);", .accept = "0, 0",
      .refuse = "|0|0, 0, 0", .says = "load_masked" },
    { CK_RULE(tile_load_index_count), .name = "plain-store", .compile = VIEW "v.store(v.load(0, 0)$);",
      .accept = ", 0, 0", .refuse = "|, 0|, 0, 0, 0", .says = "store" },
    { CK_RULE(tile_store_arg_order), .compile = VIEW "auto t = v.load(0, 0); v.$;",
      .accept = "store(t, n, 0)|store_masked(t, n, 0)",
      .refuse = "store(n, 0, t)|store(n, t, 0)|store_masked(n, 0, t)|store_masked(n, t, 0)", .says = "store" },
    { CK_RULE(tile_store_type_convert), .name = "float",
      .compile = VIEW "v.store(ct::full<ct::tile<$, ct::shape<4, "
                      "8>>>(1), 0, 0);",
      .accept = "float|__half|__nv_bfloat16", .refuse = "double|int|unsigned|long long",
      .declare = "#include <cuda_bf16.h>\n#include <cuda_fp16.h>", .says = "store" },
    { CK_RULE(tile_store_type_convert), .name = "long",
      .compile = "auto v = ct::partition_view{ ct::tensor_span{ (long long *)pv, ct::extents{ n } }, ct::shape{ 8_ic } "
                 "}; v.store(ct::full<$>(1), 0);",
      .accept = "i64x8|i32x8|u32x8|i8x8", .refuse = "f32x8|f64x8|ct::tile<unsigned long long, ct::shape<8>>",
      .says = "store" },
    { CK_RULE(tile_store_type_convert), .name = "cast",
      .compile = VIEW "auto t = ct::full<ct::tile<double, ct::shape<4, "
                      "8>>>(1); v.store($, 0, 0);",
      .accept = "ct::element_cast<float>(t)", .refuse = "t", .says = "store" },
    { CK_RULE(tile_store_shape), .compile = VIEW "v.store(ct::full<ct::tile<float, ct::shape<$>>>(1.0f), 0, 0);",
      .accept = "4, 8", .refuse = "8, 4|32|1, 8|4, 1|2, 8|", .says = "store" },

    { CK_RULE(tile_gather_mask_signedness), .compile = AT "(void)ct::load_masked(pi + at, at < $, 0);",
      .accept = "n|(int)u|100", .refuse = "u|(unsigned)n|ct::bid().x" },
    { CK_RULE(tile_gather_mask_by_compare), .name = "type", .compile = AT "static_assert(same<decltype(at < n), $>);",
      .declare = "template <class A, class B> constexpr bool same = false;\n"
                 "template <class A> constexpr bool same<A, A> = true;",
      .accept = "b8", .refuse = "i32x8|bool", .says = "static assertion failed" },
    { CK_RULE(tile_gather_mask_shape), .compile = AT "(void)ct::load_masked(pi + at, $, 0);",
      .accept = "ct::full<b8>(true)|at < n|true|ct::full<ct::tile<bool, ct::shape<1>>>(true)",
      .refuse = "ct::full<ct::tile<bool, ct::shape<4>>>(true)|ct::full<ct::tile<bool, ct::shape<16>>>(true)|"
                "ct::full<ct::tile<bool, ct::shape<2, 8>>>(true)",
      .says = "load_masked" },
    { CK_RULE(tile_gather_mask_shape), .name = "store", .compile = AT "ct::store_masked(pi + at, at, $);",
      .accept = "ct::full<b8>(true)|at < n|true",
      .refuse = "ct::full<ct::tile<bool, ct::shape<4>>>(true)|ct::full<ct::tile<bool, ct::shape<16>>>(true)",
      .says = "store_masked" },
    { CK_RULE(tile_gather_pad_required), .compile = AT "(void)ct::load_masked($);",
      .seen = "pi + at, at < n|pi + at, at < n, 0|pf + at, at < n, 0.0f|pf + at, at < n, 0|pi + at, at < n, 0.0f" },
    { CK_RULE(tile_gather_pointee), .compile = AT "auto p = ($ *)pv + at; (void)ct::load(p);",
      .accept = "int|const int|double|const unsigned char", .refuse = "volatile int|const volatile int|void" },
    { CK_RULE(tile_gather_pointee), .name = "store", .compile = AT "auto p = ($ *)pv + at; ct::store(p, at);",
      .accept = "int|long long", .refuse = "const int|volatile int|const volatile int", .says = "store" },
    { CK_RULE(tile_gather_no_tma_hint),
      .compile = AT "auto t = at; [[cutile::hint(0, $)]] t = ct::load(ci + at); "
                    "ct::store(pi + at, t);",
      .seen = "latency = 2|allow_tma = true|allow_tma = false" },
    { 0 }
};

const struct ck_suite suite_cuda_tile_views = { "cuda_tile_views", cases };
// SPDX-License-Identifier: Apache-2.0
