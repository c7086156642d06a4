/* Shapes, extents, types and literals of tiles, and the types that operators give: what the compiler accepts. */
#include "harness/ck.h"

#define TYPES                                                                                                          \
    "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>\n#include <cuda_tf32.h>\n"                  \
    "struct s { int a; };\nenum e { e1 };\n"
#define TILE       "template <class T, size_t... D> using tile = ct::tile<T, ct::shape<D...>>;\n"
#define OF         "template <class T> __tile__ auto of() { return ct::ones<ct::tile<T, ct::shape<8>>>(); }\n"
#define SAME       "static_assert(ct::same_as<"
#define CONSTRAINT "template constraint not satisfied"

static const struct ck_case cases[] = {
    { CK_RULE(tile_shape_pow2), .compile = "auto t = ct::full<ct::tile<int, ct::shape<$>>>(1); (void)t;",
      .accept = "1|2|4|8|64|4096|4, 8|2, 1, 4|2, 2, 2, 2, 2", .refuse = "0|3|5|6|7|12|33|4, 3|0, 8|2, 2, 2, 2, 6",
      .says = CONSTRAINT },
    { CK_RULE(tile_shape_count_max), .compile = "", .declare = "static_assert(sizeof(ct::tile<$>));",
      .accept = "int, ct::shape<1u << 24>|bool, ct::shape<4096, 4096>|double, ct::shape<1, 1u << 24>",
      .refuse = "int, ct::shape<1u << 25>|bool, ct::shape<4096, 8192>|bool, ct::shape<1u << 31, 2>",
      .says = CONSTRAINT },
    { CK_RULE(tile_shape_count_max), .name = "bytes",
      .compile = "using t = ct::tile<$>; t v = ct::full<t>(1); (void)v;",
      .accept = "bool, ct::shape<1u << 24>|int, ct::shape<1u << 22>|double, ct::shape<1u << 21>",
      .refuse = "double, ct::shape<1u << 22>|int, ct::shape<1u << 24>",
      .says = "is larger than maximum size supported in tile code (16777216)" },
    { CK_RULE(tile_shape_static), .compile = "auto t = ct::reshape(ct::iota<i32x8>(), ct::shape{ $ }); (void)t;",
      .accept = "8_ic|4_ic, 2_ic", .refuse = "n|4_ic, n" },
    { CK_RULE(tile_shape_index_type), .compile = "",
      .declare = "static_assert(sizeof(ct::tile<int, ct::extents<$, 4, 8>>));", .accept = "ct::uint32_t|unsigned",
      .refuse = "int|short|ct::uint64_t|ct::int64_t", .says = CONSTRAINT },
    { CK_RULE(tile_shape_alias), .compile = "", .declare = SAME "ct::shape<4, 5>, ct::extents<$>>);",
      .accept = "ct::uint32_t, 4, 5", .refuse = "ct::uint64_t, 4, 5|int, 4, 5|ct::uint32_t, 5, 4",
      .says = "static assertion failed" },
    { CK_RULE(tile_shape_not_for_tiles), .compile = "", .declare = "using none = $;\nstatic_assert(sizeof(none));",
      .accept = "ct::shape<33, 0>|ct::extents<short, 3>",
      .refuse = "ct::tile<int, ct::shape<33, 0>>|ct::tile<int, ct::extents<short, 3>>", .says = CONSTRAINT },
    { CK_RULE(tile_shape_not_for_tiles), .name = "array",
      .compile = "auto s = ct::tensor_span{ pi, ct::extents{ 33_ic, n } }; "
                 "auto v = ct::partition_view{ s, ct::shape{ $ } }; v.store_masked(v.load_masked(0, 0), 0, 0);",
      .accept = "4_ic, 8_ic", .refuse = "3_ic, 8_ic|33_ic, 1_ic" },

    { CK_RULE(tile_value_reassign), .compile = "i32x8 t = ct::iota<i32x8>(); t = $; ct::store(pi + t, t);",
      .accept = "ct::full<i32x8>(1)|ct::full<ct::tile<short, ct::shape<8>>>(1)|ct::full<i8x8>(1)",
      .refuse =
          "ct::full<ct::tile<int, ct::shape<4>>>(1)|ct::full<ct::tile<int, ct::shape<1>>>(1)|ct::full<i64x8>(1)|ct::full<u32x8>(1)|ct::full<f32x8>(1)|1",
      .says = "no operator \"=\" matches" },
    { CK_RULE(tile_value_object), .compile = "",
      .declare = TYPES TILE
      "using t = tile<${type}, ${shape}>;\n"
      "static_assert(__is_trivially_copyable(t) && alignof(t) == alignof(${type}) && sizeof(t) == sizeof(${type}) * ${count} * $);",
      .accept = "1", .refuse = "2",
      .axes = { { "type", "bool short float double __half int*" }, { "shape", "8" }, { "count", "=8" } },
      .says = "static assertion failed" },
    { CK_RULE(tile_value_object), .name = "shapes", .compile = "",
      .declare = "static_assert(sizeof(ct::tile<float, ct::shape<$>>) == 128);", .accept = "32|4, 8|2, 4, 4|32, 1",
      .refuse = "16|4, 16", .says = "static assertion failed" },
    { CK_RULE(tile_value_element_types), .compile = "",
      .declare = TYPES "static_assert(sizeof(ct::tile<$, ct::shape<8>>));",
      .accept =
          "bool|char|signed char|unsigned char|short|unsigned short|int|unsigned|long|long long|unsigned long long|"
          "__half|__nv_bfloat16|float|double|__nv_fp8_e4m3|__nv_fp8_e5m2|__nv_tf32|int *|const float *|void *",
      .refuse = "__int128|unsigned __int128|long double|int **|s *|void (*)()|s|e|decltype(nullptr)|__half2",
      .says = CONSTRAINT },
    { CK_RULE(tile_value_element_types), .name = "other", .compile = "",
      .declare = TYPES "static_assert(sizeof(ct::tile<$, ct::shape<8>>));",
      .seen = "__nv_fp8_e8m0|char16_t|wchar_t|char8_t|volatile int *|const int" },
    { CK_RULE(tile_value_fp8_arch), .options = "--enable-tile -tile-only -std=c++20 -cubin -arch=$",
      .declare = "#include <cuda_fp8.h>",
      .compile =
          "auto t = ct::element_cast<__nv_fp8_e4m3>(ct::full<f32x8>(x)); ct::store((__nv_fp8_e4m3 *)pv + ct::iota<i32x8>(), t);",
      .accept = "sm_90|sm_100|sm_120", .refuse = "sm_80|sm_86" },
    { CK_RULE(tile_value_fp8_arch), .name = "sm_89", .options = "--enable-tile -tile-only -std=c++20 -cubin -arch=$",
      .declare = "#include <cuda_fp8.h>",
      .compile =
          "auto t = ct::element_cast<__nv_fp8_e4m3>(ct::full<f32x8>(x)); ct::store((__nv_fp8_e4m3 *)pv + ct::iota<i32x8>(), t);",
      .seen = "sm_89" },
    { CK_RULE(tile_value_rank0), .compile = "ct::tile<int, ct::shape<$>> t = n; ct::store(pi, n); (void)t;",
      .accept = "", .refuse = "1|8|1, 1", .says = "no suitable constructor exists to convert from \"int\"" },
    { CK_RULE(tile_value_rank0), .name = "back", .compile = "int i = $; ct::store(pi, i);",
      .accept = "ct::element_cast<int>(x)", .refuse = "ct::full<ct::tile<int, ct::shape<1>>>(1)",
      .says = "no suitable conversion function" },

    { CK_RULE(tile_extents_mixed), .name = "types",
      .compile =
          "auto e = ct::extents{ $ }; static_assert(decltype(e)::rank() == 2 && "
          "decltype(e)::rank_dynamic() == 1 && decltype(e)::static_extent(0) == 8 && decltype(e)::static_extent(1) == ct::dynamic_extent); (void)e;",
      .accept = "8_ic, n|8_ic, u|8_ic, 8", .refuse = "8_ic, 8_ic|n, 8_ic|n, n|8_ic",
      .says = "static assertion failed" },
    { CK_RULE(tile_extents_mixed), .name = "ranks",
      .compile = "auto e = ct::extents{ $ }; static_assert(decltype(e)::rank_dynamic() == 1); (void)e;",
      .accept = "n|8_ic, n, 8_ic|8_ic, 8_ic, n, 8_ic", .refuse = "8_ic|n, n, n|n, 8_ic, n, n, 8_ic",
      .says = "static assertion failed" },
    { CK_RULE(tile_extents_index_type),
      .compile = "auto e = ct::extents{ ${e} }; " SAME "decltype(e)::index_type, $>); (void)e;",
      .axes = { { "e", "8_ic n u (long)n 5000000000_ic" } }, .accept = "ct::uint32_t", .refuse = "ct::uint64_t",
      .says = "static assertion failed" },
    { CK_RULE(tile_extents_index_type), .name = "wide", .compile = "",
      .declare = "static_assert(sizeof(ct::extents<$, ct::dynamic_extent>::index_type) == 8);",
      .accept = "ct::int64_t|ct::uint64_t", .refuse = "ct::uint32_t", .says = "static assertion failed" },
    { CK_RULE(tile_extents_rank0), .compile = "", .declare = "static_assert(ct::$ == 1);",
      .accept = "shape_size_v<ct::shape<>>|shape<>::rank() + 1", .refuse = "shape<>::rank()|shape_size_v<ct::shape<2>>",
      .says = "static assertion failed" },
    { CK_RULE(tile_extents_equal), .compile = "",
      .declare = "static_assert(ct::extents_equal(ct::extents<short, 4, 8>{}, $));",
      .accept = "ct::shape<4, 8>{}|ct::extents<ct::int64_t, 4, 8>{}",
      .refuse = "ct::shape<4, 9>{}|ct::shape<8, 4>{}|ct::shape<4>{}", .says = "static assertion failed" },

    { CK_RULE(tile_lit_ic), .compile = "", .declare = SAME "decltype(8_ic), ct::integral_constant<$>>);",
      .accept = "8|(int)8u", .refuse = "8u|8l|9", .says = "static assertion failed" },
    { CK_RULE(tile_lit_ic), .name = "using", .head = "#include <cuda_tile.h>\nnamespace ct = cuda::tiles;\n",
      .compile = "", .declare = "$\nstatic_assert(8_ic == 8);", .accept = "using namespace ct::literals;",
      .refuse = "|using namespace ct;", .says = "user-defined literal operator not found" },
    { CK_RULE(tile_lit_ic), .name = "decimal", .compile = "auto v = $; (void)v;", .accept = "10_ic|1'000_ic",
      .refuse = "0x8_ic|0b1_ic|010_ic", .says = "Only decimal integer literals are supported" },
    { CK_RULE(tile_lit_same_as_template), .name = "both", .declare = TILE,
      .compile =
          "auto a = ct::ones<tile<int, 4, 8>>(); auto t = $; static_assert(ct::same_as<decltype(t), tile<int, 8, 8>>); (void)t;",
      .accept = "ct::cat<0>(a, a)|ct::cat(a, a, 0_ic)", .refuse = "ct::cat<1>(a, a)|ct::cat(a, a, 1_ic)",
      .says = "static assertion failed" },
    { CK_RULE(tile_lit_same_as_template), .name = "run-time", .declare = TILE,
      .compile = "auto a = ct::ones<tile<int, 4, 8>>(); auto t = ct::cat(a, a, $); (void)t;", .accept = "0_ic|1_ic",
      .refuse = "0|n|2_ic", .says = "no instance of function template \"cuda::tiles::__1::cat\"" },
    { CK_RULE(tile_lit_plain_is_runtime),
      .compile = "auto e = ct::extents{ 128$ }; static_assert(decltype(e)::static_extent(0) == ${is}); (void)e;",
      .axes = { { "is", "128" } }, .accept = "_ic", .refuse = "|u", .says = "static assertion failed" },
    { CK_RULE(tile_lit_plain_is_runtime), .name = "plain",
      .compile =
          "auto e = ct::extents{ 128$ }; static_assert(decltype(e)::static_extent(0) == ct::dynamic_extent); (void)e;",
      .accept = "|u", .refuse = "_ic", .says = "static assertion failed" },

    { CK_RULE(tile_make_iota_type), .declare = TYPES TILE, .compile = "auto t = ct::iota<tile<$>>(); (void)t;",
      .accept = "signed char, 128|unsigned char, 256|short, 256|bool, 2|long long, 8|signed char, 2, 64",
      .refuse = "float, 8|__half, 8|int *, 8|signed char, 256|unsigned char, 512|bool, 4|signed char, 4, 64",
      .says = "no instance of function template \"cuda::tiles::__1::iota\"" },
    { CK_RULE(tile_make_full_pointer), .name = "types",
      .compile = "auto t = ct::full<ct::tile<$, ct::shape<8>>>(pi); (void)t;", .accept = "int *|const int *|void *",
      .refuse = "float *|int", .says = "no instance of function template \"cuda::tiles::__1::full\"" },
    { CK_RULE(tile_op_broadcast), .name = "types", .declare = TILE,
      .compile =
          "auto t = ct::ones<tile<int, ${a}>>() + ct::ones<tile<int, ${b}>>(); static_assert(ct::same_as<decltype(t), tile<int, $>>); (void)t;",
      .axes = { { "a", "8,2" }, { "b", "4,1,2" } }, .accept = "4, 8, 2", .refuse = "8, 2|4, 1, 2",
      .says = "static assertion failed" },
    { CK_RULE(tile_op_broadcast), .name = "pairs", .declare = TILE,
      .compile = "auto t = ct::ones<tile<int, 4, 8>>() + ct::ones<tile<int, $>>(); (void)t;",
      .accept = "8|1|4, 8|1, 8|4, 1|2, 4, 8|2, 1, 1", .refuse = "4|16|2, 8|4, 4|8, 4|2, 2, 8",
      .says = "no operator \"+\" matches" },
    { CK_RULE(tile_op_scalar_follows_tile),
      .compile = "auto t = ct::iota<i32x8>() + $; static_assert(ct::same_as<decltype(t), i32x8>); (void)t;",
      .accept = "2|n|'a'|true|(short)2", .refuse = "2.5|2u|2.0f|x|u|2l|3000000000",
      .says = "no operator \"+\" matches" },
    { CK_RULE(tile_op_scalar_follows_tile), .name = "float",
      .compile = "auto t = ct::full<f32x8>(1) * $; static_assert(ct::same_as<decltype(t), f32x8>); (void)t;",
      .accept = "2.5f|x|2|n|2u|5000000000", .refuse = "2.5|(double)n", .says = "no operator \"*\" matches" },
    { CK_RULE(tile_op_compare_common), .name = "types",
      .compile = "auto t = ct::iota<i32x8>() ${op} $; static_assert(ct::same_as<decltype(t), b8>); (void)t;",
      .axes = { { "op", "!= <" } }, .accept = "2.0|2|x", .refuse = "2u|pi", .says = "matches these operands" },
    { CK_RULE(tile_op_no_promotion), .name = "types", .declare = OF,
      .compile =
          "auto t = of<${type}>() + of<${type}>(); static_assert(ct::same_as<ct::tile_element_t<decltype(t)>, $>); (void)t;",
      .axes = { { "type", "=short" } }, .accept = "short", .refuse = "int", .says = "static assertion failed" },
    { CK_RULE(tile_op_no_promotion), .name = "bytes", .declare = OF,
      .compile =
          "auto t = of<signed char>() ${op} of<signed char>(); static_assert(ct::same_as<ct::tile_element_t<decltype(t)>, $>); (void)t;",
      .axes = { { "op", "+ -" } }, .accept = "signed char", .refuse = "int", .says = "static assertion failed" },
    { CK_RULE(tile_op_tile_tile_common),
      .declare = TYPES OF
      "#define COMMON(a, b, c) auto t = of<a>() + of<b>(); static_assert(ct::same_as<ct::tile_element_t<decltype(t)>, c>); (void)t;",
      .compile = "COMMON($)",
      .accept =
          "int, float, float|short, int, int|signed char, short, short|float, double, double|long long, float, float|"
          "long long, __half, __half|__half, float, float|__nv_bfloat16, float, float|bool, int, int|unsigned char, int, int|bool, bool, bool",
      .refuse = "int, float, int|short, int, short|float, double, float|long long, float, double",
      .says = "static assertion failed" },
    { CK_RULE(tile_op_tile_tile_common), .name = "none", .declare = OF,
      .compile = "auto t = of<int>() + of<$>(); (void)t;", .accept = "int|unsigned char|short|unsigned short",
      .refuse = "unsigned|unsigned long long", .says = "no operator \"+\" matches" },
    { CK_RULE(tile_op_select), .name = "shapes", .declare = TILE,
      .compile =
          "auto t = ct::select(ct::full<tile<bool, $>>(true), ct::ones<tile<int, 4, 8>>(), ct::zeros<tile<int, 4, 8>>()); (void)t;",
      .accept = "8|4, 8|4, 1|1", .refuse = "4|16|8, 4|2, 4, 8",
      .says = "no instance of function template \"cuda::tiles::__1::select\"" },
    { CK_RULE(tile_op_transpose), .name = "types", .declare = TILE,
      .compile =
          "auto a = ct::ones<tile<int, 2, 4, 8>>(); auto t = $; static_assert(ct::same_as<decltype(t), tile<int, 4, 2, 8>>); (void)t;",
      .accept = "ct::transpose(a)|ct::permute(a, ct::dimension_map{ 1_ic, 0_ic, 2_ic })",
      .refuse =
          "a|ct::permute(a, ct::dimension_map{ 0_ic, 1_ic, 2_ic })|ct::permute(a, ct::dimension_map{ 2_ic, 1_ic, 0_ic })",
      .says = "static assertion failed" },
    { CK_RULE(tile_op_transpose), .name = "maps", .declare = TILE,
      .compile = "auto t = ct::permute(ct::ones<tile<int, 4, 8>>(), ct::dimension_map{ $ }); (void)t;",
      .accept = "1_ic, 0_ic|0_ic, 1_ic", .refuse = "1_ic, 1_ic|0_ic|0_ic, 2_ic|0_ic, 1_ic, 2_ic",
      .says = "no instance of function template \"cuda::tiles::__1::permute\"" },
    { CK_RULE(tile_op_half_mix), .declare = TYPES OF, .compile = "auto t = of<__half>() + of<$>(); (void)t;",
      .accept = "__half|float", .refuse = "__nv_bfloat16", .says = "no operator \"+\" matches" },
    { 0 },
};

const struct ck_suite suite_cuda_tile_shape = { "cuda_tile_shape", cases };
// SPDX-License-Identifier: Apache-2.0
