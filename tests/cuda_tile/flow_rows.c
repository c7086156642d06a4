/* Control flow that the compiler of CUDA Tile takes and refuses. */
#include "harness/ck.h"

/* Four loops over 0 to n - 1. */
#define LOOPS                                                                                                          \
    "#define LOOP_for(...) for (int i = 0; i < n; i++) { __VA_ARGS__ }\n"                                              \
    "#define LOOP_while(...) int i = -1; while (++i < n) { __VA_ARGS__ }\n"                                            \
    "#define LOOP_do(...) int i = -1; do { ++i; __VA_ARGS__ } while (i < n - 1);\n"                                    \
    "#define LOOP_irange(...) for (auto i : ct::irange(0, n)) { __VA_ARGS__ }\n"
#define LOOP                                                                                                           \
    {                                                                                                                  \
        "loop", "for while do irange"                                                                                  \
    }
#define STEP "for (auto i : ct::irange($)) ct::store(pi, (int)i);"

static const struct ck_case cases[] = {
    { CK_RULE(tile_cf_scalar_condition), .compile = "auto t = ct::iota<i32x8>(); ${statement} ($) ct::store(pi, n);",
      .axes = { { "statement", "if while for(;;)if" } }, .accept = "n|n > 0", .refuse = "t|t > 0|t == t",
      .says = "expression must have bool type" },
    { CK_RULE(tile_cf_scalar_condition), .name = "one-element", .compile = "auto c = ct::full<$>(1); if (c) *pi = 1;",
      .accept = "ct::tile<bool, ct::shape<>>|ct::tile<int, ct::shape<>>|ct::tile<bool, ct::shape<1>>",
      .refuse = "b8|ct::tile<bool, ct::shape<2>>|ct::tile<bool, ct::shape<1, 2>>",
      .says = "expression must have bool type" },
    { CK_RULE(tile_cf_scalar_condition), .name = "conditional",
      .compile = "b8 t = ct::iota<i32x8>() > 3; *pi = $ ? 1 : 2;", .accept = "n|true", .refuse = "t|!t",
      .says = "expression must have bool type" },

    { CK_RULE(tile_cf_irange_types), .compile = STEP, .accept = "0, n|0u, u|0, 5LL|n, 5, 1|0LL, n, 1|(short)0, n",
      .refuse = "0, u|n, u|0, n, u|0.0f, x|0, x|0, n, 1.0f", .says = "no instance of constructor" },
    { CK_RULE(tile_cf_irange_step), .compile = STEP, .seen = "0, n, 0|0, n, -1|n, 0, -1" },

    { CK_RULE(tile_cf_no_return_in_loop), .compile = "LOOP_${loop}(if (i == 3) $; *pi = i;)", .declare = LOOPS,
      .axes = { LOOP }, .seen = "return" },
    { CK_RULE(tile_cf_return_outside), .compile = "$ *pi = 2;",
      .accept = "return;|if (n) return;|if (n) { if (u) return; *pi = 1; }|if (n) return; else *pi = 1;|"
                "if (n) return; else return;",
      .refuse = "if (n) return 1;|return n;", .says = "return value type" },
    { CK_RULE(tile_cf_break_continue), .compile = "LOOP_${loop}(if (i == 3) $; *pi = i;)", .declare = LOOPS,
      .axes = { LOOP }, .seen = "break|continue" },

    { CK_RULE(tile_cf_no_goto), .compile = "$ *pi = 2;", .accept = "if (n) { *pi = 1; }|end:",
      .refuse = "goto end; end:|if (n) goto end; *pi = 1; end:|again: if (n--) goto again;",
      .says = "goto statement is unsupported in tile code" },

    { CK_RULE(tile_cf_switch), .compile = "switch (n) { case 1: $ *pi = 1; break; default: *pi = 3; }",
      .accept = "|if (u) *pi = 2;|for (int i = 0; i < n; i++) { if (i == 3) continue; }|case 2:|break; case 2:",
      .refuse = "if (u) { case 2: *pi = 2; }|for (int i = 0; i < n; i++) { case 2: *pi = i; }|"
                "while (n--) { case 2: *pi = n; }",
      .says = "inside a nested if or loop block of the switch body" },
    { CK_RULE(tile_cf_switch), .name = "in-loop",
      .compile = "LOOP_${loop}(switch (i) { case 1: *pi = 1; $; default: *pi = 3; })", .declare = LOOPS,
      .axes = { LOOP }, .accept = "break|", .refuse = "continue", .says = "continue statement inside a switch" },
    { CK_RULE(tile_cf_switch_return), .compile = "switch (n) { case 1: *pi = 1; $; default: *pi = 3; }",
      .seen = "return|if (u) return" },

    { CK_RULE(tile_cf_no_recursion), .compile = "*pi = f(n);", .declare = "__tile__ int f(int a) { return $; }",
      .accept = "a|a - 1", .refuse = "a ? f(a - 1) : 1|f(a)", .says = "non-inlin" },
    { CK_RULE(tile_cf_no_recursion), .name = "mutual", .compile = "*pi = f(n);",
      .declare = "__tile__ int g(int a);\n__tile__ int f(int a) { return a ? g(a - 1) : 1; }\n"
                 "__tile__ int g(int a) { return $; }",
      .accept = "a", .refuse = "f(a)", .says = "non-inlin" },
    { CK_RULE(tile_cf_no_recursion), .name = "template", .compile = "*pi = f<5>(n);",
      .declare = "template <int N> __tile__ int f(int a)\n"
                 "{ if constexpr (N == 0) return a; else return f<$>(a + 1); }",
      .accept = "N - 1", .refuse = "N" },
    { 0 },
};

const struct ck_suite suite_cuda_tile_flow_rows = { "cuda_tile_flow_rows", cases };
// SPDX-License-Identifier: Apache-2.0
