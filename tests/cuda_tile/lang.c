/* What of C++ tile code does without. Each row has the construct on one side and its nearest legal form on the other.
 */
#include "harness/ck.h"

#define PLUS "__tile__ int plus(int a) { return a + 1; }\n"
#define PAIR "struct pair { int a, b; __tile__ int sum() { return a + b; } };\n"

static const struct ck_case cases[] = {
    { CK_RULE(tile_lang_virtual), .compile = "", .declare = "struct v { $ int f() { return 1; } };",
      .accept = "__tile__", .refuse = "__tile__ virtual|virtual __tile__",
      .says = "virtual function is unsupported in tile code" },
    { CK_RULE(tile_lang_virtual), .name = "base", .compile = "derived d; d.b = n; ct::store(pi, d.b);",
      .declare = "struct base { int a; };\nstruct derived : $ base { int b; };", .accept = "|public",
      .refuse = "virtual|virtual public", .says = "virtual base class is unsupported in tile code" },
    { CK_RULE(tile_lang_virtual), .name = "object", .compile = "v o; o.a = n; ct::store(pi, o.a);",
      .declare = "struct v { int a; $ int f() { return 1; } };", .accept = "|__tile__", .refuse = "virtual",
      .says = "a non-__tile__ variable (\"Virtual function table" },
    { CK_RULE(tile_lang_virtual), .name = "call", .compile = "ct::store(pi, ((v *)pv)->f());",
      .declare = "struct v { $ int f() { return 1; } };", .accept = "__tile__", .refuse = "virtual",
      .says = "calling a __host__ function" },

    { CK_RULE(tile_lang_function_pointers), .compile = "$; ct::store(pi, plus(n));", .declare = PLUS,
      .accept = "n = plus(n)",
      .refuse = "int (*f)(int) = plus; n = f(n)|int (*f)(int) = &plus; n = f(n)|auto f = &plus; (void)f",
      .says = "is unsupported in tile code" },
    { CK_RULE(tile_lang_function_pointers), .name = "reference", .compile = "$ ct::store(pi, f(n));", .declare = PLUS,
      .accept = "auto f = [&](int a) { return plus(a) + n; };", .refuse = "int (&f)(int) = plus;|auto &f = plus;",
      .says = "indirect call is unsupported in tile code" },
    { CK_RULE(tile_lang_function_pointers), .name = "parameter", .compile = "",
      .declare = PLUS "__tile_global__ void k(int *p, int (*f)(int)) { *p = $(1); }", .accept = "plus",
      .refuse = "f|(*f)", .says = "indirect call is unsupported in tile code" },
    { CK_RULE(tile_lang_member_pointers), .compile = "pair p{ n, n }; $; ct::store(pi, p.a);", .declare = PAIR,
      .accept = "p.a = p.sum()",
      .refuse = "auto m = &pair::sum; p.a = (p.*m)()|auto m = &pair::sum; p.a = ((&p)->*m)()",
      .says = "taking address" },
    { CK_RULE(tile_lang_member_pointers), .name = "data", .compile = "pair p{ n, n }; $; ct::store(pi, p.a);",
      .declare = PAIR, .seen = "int pair::*m = &pair::b; p.a = p.*m|int pair::*m = n ? &pair::a : &pair::b; p.*m = 3" },

    { CK_RULE(tile_lang_int128), .compile = "$ v = n; ct::store(pi, (int)v);", .accept = "long long|unsigned long long",
      .refuse = "__int128|unsigned __int128" },
    { CK_RULE(tile_lang_int128), .name = "float", .compile = "$ v = n; ct::store(pi, (int)v);",
      .accept = "float|double", .refuse = "__float128", .says = "128-bit floating-point, which is not supported" },
    { CK_RULE(tile_lang_int128), .name = "long-double", .compile = "long double v = n; ct::store(pi, (int)v$);",
      .seen = "" },
    { CK_RULE(tile_lang_bitfields), .compile = "fields f{}; f.a = n; ct::store(pi, (int)f.b);",
      .declare = "struct fields { $ };", .accept = "int a, b;|char a, b;",
      .refuse = "int a : 3, b : 5;|int a : 32, b : 32;", .says = "bit field read/write is unsupported in tile code" },
    { CK_RULE(tile_lang_type_size), .compile = "big b; b.a[n] = 1; ct::store(pi, (int)b.a[0]);",
      .declare = "struct big { char a[$]; };", .accept = "1 << 24", .refuse = "(1 << 24) + 1|1 << 25",
      .says = "is larger than maximum size supported in tile code (16777216)" },

    { CK_RULE(tile_lang_new_delete), .compile = "int i; int *p = $; ct::store(pi, *p);", .declare = "#include <new>",
      .accept = "new (&i) int(n)", .refuse = "new int(n)|new int[8]", .says = "new is unsupported in tile code" },
    { CK_RULE(tile_lang_new_delete), .name = "delete", .compile = "$ pi;", .accept = "(void)",
      .refuse = "delete|delete[]", .says = "deallocation with operator delete" },
    { CK_RULE(tile_lang_new_delete), .name = "malloc",
      .compile = "int i; int *p = (int *)$; *p = n; ct::store(pi, *p);", .accept = "&i", .refuse = "malloc(4)",
      .says = "dynamic memory allocation is unsupported in tile code" },

    { CK_RULE(tile_lang_same_unit), .compile = "ct::store(pi, f(n));", .declare = "__tile__ int f(int a)$",
      .accept = " { return a; }", .refuse = ";", .says = "cannot call a function without a body in tile code" },
    { CK_RULE(tile_lang_same_unit), .name = "variable", .compile = "ct::store(pi, v);", .declare = "$ int v;",
      .accept = "__tile__", .refuse = "extern __tile__", .says = "must be defined in the current translation unit" },
    { CK_RULE(tile_lang_ellipsis), .compile = "ct::store(pi, f(n, 1));",
      .declare = "__tile__ int f(int a, $) { return a; }", .accept = "int", .refuse = "...",
      .says = "variadic function is unsupported in tile code" },
    { CK_RULE(tile_lang_ellipsis), .name = "kernel", .compile = "",
      .declare = "__tile_global__ void k(int *p, $) { *p = 1; }", .accept = "int", .refuse = "...",
      .says = "a __tile_global__ function cannot have ellipsis" },

    { CK_RULE(tile_lang_params), .compile = "",
      .declare =
          "#include <initializer_list>\nstruct s { int a; };\nunion un { int a; float b; };\nclass c { int a; };\n"
          "enum e { e1 };\nstruct alignas(64) map { unsigned long long opaque[16]; };\n"
          "__tile_global__ void k(int *p, $ a) { *p = 1; }",
      .accept = "int|bool|double|long long|const int *|s *|int &|e",
      .refuse = "s|un|c|const s|map|std::initializer_list<int>|i32x8",
      .says = "for __tile_global__ function parameter (must be a scalar" },

    { CK_RULE(tile_lang_variadic), .compile = "", .options = "--enable-tile -std=c++20 -arch=sm_90 -c",
      .declare = "template <$> __tile_global__ void k(int *p, B b, A... a) { *p = (int)sizeof...(A); }\n"
                 "void launch(int *p) { k<int><<<1, 1>>>(p, 1, 2, 3); }",
      .accept = "class B, class... A", .refuse = "class... A, class B" },
    { CK_RULE(tile_lang_variadic), .name = "two-packs", .compile = "",
      .options = "--enable-tile -std=c++20 -arch=sm_90 -c",
      .declare = "template <class... A, class... B> __tile_global__ void k(int *p, A... a, B... b) { *p = 1; }\n"
                 "void launch(int *p) { k<int, int><<<1, 1>>>(p, 1, 2$); }",
      .seen = "|, 3" },
    { CK_RULE(tile_lang_device_launch), .compile = "", .options = "--enable-tile -std=c++20 -arch=sm_90 -rdc=true -c",
      .declare = "__global__ void simt(int *p) { *p = 1; }\n$ void launch(int *p) { simt<<<1, 1>>>(p); }",
      .accept = "__host__", .refuse = "__tile__|__tile_global__",
      .says = "Launching a __global__ kernel is unsupported in tile code" },
    { CK_RULE(tile_lang_device_launch), .name = "of-tile", .compile = "",
      .options = "--enable-tile -std=c++20 -arch=sm_90 -rdc=true -c",
      .declare = "__tile_global__ void tile(int *p) { *p = 1; }\n$ void launch(int *p) { tile<<<1, 1>>>(p); }",
      .accept = "__host__", .refuse = "__global__|__device__|__tile__",
      .says = "Launching a __tile_global__ kernel from device or tile code is not allowed" },
    { CK_RULE(tile_lang_half_x), .compile = "__half h = __float2half(x); ct::store(pf, (float)$);",
      .declare = "#include <cuda_fp16.h>", .accept = "h", .refuse = "h.__x", .says = "::__x\"" },
    { CK_RULE(tile_lang_half_x), .name = "bfloat16",
      .compile = "__nv_bfloat16 h = __float2bfloat16(x); ct::store(pf, (float)$);", .declare = "#include <cuda_bf16.h>",
      .accept = "h", .refuse = "h.__x", .says = "::__x\"" },
    { CK_RULE(tile_lang_static_local), .compile = "$; ct::store(pi, n + s);",
      .seen =
          "static int s; s += n|static int s = 5|static const int s = 5|static constexpr int s = 5|static int s = n" },
    { 0 },
};

const struct ck_suite suite_cuda_tile_lang = { "cuda_tile_lang", cases };
// SPDX-License-Identifier: Apache-2.0
