/* cuTile Python: kernels that its compiler takes and refuses. What the parameters are is said in harness/plan/source.c.
 */
#include "harness/ck.h"

#define FROM_A  "t = ct.load(a, (0,), (16,))\n"
#define INDEX   "t = ct.arange(16, dtype=ct.int32)\n"
#define STORE_T "ct.store(o, (0,), t)"

static const struct ck_case cases[] = {
    { CK_RULE(tile_py_load_form), .python = "ct.store(o, (0,), ct.load($))",
      .accept = "a, (0,), (16,)|a, 0, 16|a, index=(ct.bid(0),), shape=(16,)|a, (n,), (16,)|a, (0,), shape=(N,)",
      .refuse = "a, (0,), (16, 1)|a, (0, 0), (16,)|a, (x,), (16,)|a, (0,), (16.0,)" },
    { CK_RULE(tile_py_load_form), .name = "rank", .python = "t = ct.load($)\nct.store(o, (0,), ct.sum(t))",
      .accept = "b, (0, 0), (4, 4)|c, (0, 0, 0), (4, 4, 4)|d, (0, 0, 0, 0), (2, 2, 2, 2)|"
                "e, (0, 0, 0, 0, 0), (2, 2, 2, 2, 2)",
      .refuse = "b, (0,), (4, 4)|c, (0, 0, 0), (4, 4)|d, (0, 0, 0), (2, 2, 2, 2)|e, (0, 0, 0, 0, 0), (2, 2, 2, 2)" },
    { CK_RULE(tile_py_call), .python = "t = $(n)\n" STORE_T,
      .declare = "def plain(n):\n    return n + 1\n@ct.kernel\ndef kernel(n):\n    return n\n", .accept = "plain",
      .refuse = "kernel" },
    { CK_RULE(tile_py_two_forms), .python = "t = $\n" STORE_T,
      .accept = "ct.load(a, (n,), (16,))|a.tiled_view((16,)).load((n,))",
      .refuse = "a.tiled_view((16,)).load((n,), (16,))|ct.load(a, (n,))" },
    { CK_RULE(tile_py_tiled_view_methods), .python = "v = a.tiled_view((16,))\n$",
      .accept = "v.store((0,), v.load((0,)))|v.store(0, v.load(1))|ct.store(o, (0,), v.num_tiles(0))|"
                "ct.store(o, (0,), v.tile_shape[0])|t = ct.zeros((16,), v.dtype); v.store((0,), t)",
      .refuse = "v.store(v.load((0,)), (0,))|v.num_tiles(1)|v.load((0, 0))|v.gather((0,))|v[0]" },
    { CK_RULE(tile_py_store_order), .python = FROM_A "ct.store(o, $)",
      .accept = "(0,), t|index=(0,), tile=t|tile=t, index=0", .refuse = "t, (0,)",
      .says = "Invalid argument \"index\"" },
    { CK_RULE(tile_py_order), .python = "t = ct.load(b, (0, 0), (4, 4), order=$)\nct.store(p, (0, 0), t)",
      .accept = "'C'|'F'|(0, 1)|(1, 0)|(-1, 0)", .refuse = "(0, 0)|(1, 1)|(0,)|(0, 1, 2)|(0, 2)|'K'", .says = "order" },
    { CK_RULE(tile_py_order), .name = "rank-3",
      .python = "t = ct.load(c, (0, 0, 0), (2, 4, 8), order=$)\nct.store(o, (0,), ct.sum(t))",
      .accept = "(0, 1, 2)|(0, 2, 1)|(1, 0, 2)|(1, 2, 0)|(2, 0, 1)|(2, 1, 0)|'C'|'F'",
      .refuse = "(0, 1, 1)|(0, 1)|(2, 2, 2)|(0, 1, 3)", .says = "order" },

    { CK_RULE(tile_py_padding_modes),
      .python = "t = ct.load(${array}, (n,), (16,), padding_mode=$)\nct.store(${array}, (0,), t)",
      .axes = { { "array", "a h" } },
      .accept = "ct.PaddingMode.UNDETERMINED|ct.PaddingMode.ZERO|ct.PaddingMode.NEG_ZERO|ct.PaddingMode.NAN|"
                "ct.PaddingMode.POS_INF|ct.PaddingMode.NEG_INF",
      .refuse = "0|None|ct.PaddingMode.ONE|x" },
    { CK_RULE(tile_py_padding_int),
      .python = "t = ct.load(${array}, (n,), (16,), padding_mode=ct.PaddingMode.$)\nct.store(${array}, (0,), t)",
      .axes = { { "array", "i u" } }, .accept = "UNDETERMINED|ZERO", .refuse = "NEG_ZERO|NAN|POS_INF|NEG_INF",
      .says = "can only be used with floating point element types" },
    { CK_RULE(tile_py_padding_fixed), .python = "v = a.tiled_view((16,)$\nct.store(o, (0,), t)",
      .accept = ")\nt = v.load((n,))|, padding_mode=ct.PaddingMode.ZERO)\nt = v.load((n,))",
      .refuse = ")\nt = v.load((n,), padding_mode=ct.PaddingMode.ZERO)|)\nt = v.load((n,), ct.PaddingMode.ZERO)" },
    { CK_RULE(tile_py_padding_fp8),
      .python = "t = ct.load(f, (n,), (16,), padding_mode=ct.PaddingMode.$)\nct.store(f, (0,), t)",
      .seen = "ZERO|NEG_ZERO|NAN|POS_INF|NEG_INF" },
    { CK_RULE(tile_py_store_no_padding), .python = FROM_A "ct.store(o, (n,), t$)", .accept = "|, latency=2",
      .refuse = ", padding_mode=ct.PaddingMode.ZERO", .says = "padding_mode" },
    { CK_RULE(tile_py_check_off), .python = INDEX "${call}, check_bounds=$)", .accept = "True|False|N == 16",
      .axes = { { "call", "ct.load(a,(0,),(16,) ct.store(o,(0,),t ct.gather(a,t ct.scatter(o,t,1.0" } },
      .refuse = "n|t > 0|2", .says = "check_bounds" },
    { CK_RULE(tile_py_scalar_store), .python = "ct.store($)",
      .accept = "o, (0,), 1.0|o, (0,), x|o, (0,), n|o, (0,), ct.load(a, (0,), ())|i, (0,), n|"
                "p, (0, 0), ct.load(b, (0, 0), (1, 1))",
      .refuse = "p, (0, 0), ct.load(a, (0,), (16,))|p, (0,), 1.0|o, (0, 0), 1.0" },
    { CK_RULE(tile_py_scalar_store), .name = "others", .python = "ct.store(o, (0,), $)", .seen = "'x'|None|a|(1.0,)" },

    { CK_RULE(tile_py_shape_errors), .python = "t = ct.load(a, (0,), $)\n" STORE_T,
      .accept = "(1,)|(2,)|(16,)|(1024,)|(N,)|(N * 2,)|(ct.cdiv(N, 4),)",
      .refuse = "(3,)|(0,)|(-1,)|(12,)|(4, 4)|(n,)|(N + 1,)", .says = "Invalid argument \"shape\"" },
    { CK_RULE(tile_py_shape_errors), .name = "made", .python = "t = ct.$\n" STORE_T,
      .accept = "zeros((16,), ct.float32)|full((N,), 1, ct.float32)|ones((1,), ct.float32)",
      .refuse = "zeros((3,), ct.float32)|full((n,), 1, ct.float32)|ones((0,), ct.float32)" },
    { CK_RULE(tile_py_no_subscript), .python = FROM_A "$",
      .accept =
          "ct.store(o, (0,), t)|ct.scatter(o, ct.arange(16, dtype=ct.int32), t)|ct.store(o, (0,), t[None, :].reshape((16,)))",
      .refuse = "x = a[0]|a[0] = 1.0|t[0] = 1.0|o[0:16] = t|x = t[0]" },

    { CK_RULE(tile_py_gather_padding_value), .python = INDEX "ct.store(o, (0,), ct.gather(a, t, padding_value=$))",
      .accept = "0|1.0|x|n|ct.full((16,), 2.0, ct.float32)", .refuse = "'x'|None|(1,)|ct.zeros((8,), ct.float32)" },
    { CK_RULE(tile_py_gather_mask), .python = INDEX "ct.store(o, (0,), ct.gather(a, t, mask=$))",
      .accept = "t > 3|n > 3|(t > 3) & (t < 8)|ct.full((1,), True, ct.bool_)",
      .refuse = "t|n|ct.arange(8, dtype=ct.int32) > 3|ct.full((2, 16), True, ct.bool_)", .says = "mask" },
    { CK_RULE(tile_py_gather_mask), .name = "scatter", .python = INDEX "ct.scatter(o, t, 1.0, mask=$)",
      .accept = "t > 3|n > 3", .refuse = "t|n|ct.arange(8, dtype=ct.int32) > 3", .says = "mask" },
    { CK_RULE(tile_py_gather_indices), .python = INDEX "ct.store(o, (0,), ct.gather($))",
      .accept = "a, t|a, (t,)|b, (t, t)|b, (t, 0)|c, (t, t, n)",
      .refuse = "b, t|a, (t, t)|b, (t,)|a, ct.astype(t, ct.float32)|c, (t, t)" },

    { CK_RULE(tile_py_arange), .python = "ct.store(i, (0,), ct.arange($, dtype=ct.int32))", .accept = "1|2|16|1024|N",
      .refuse = "0|3|-4|n|300" },
    { CK_RULE(tile_py_arange_range), .python = "ct.store(i, (0,), ct.astype(ct.arange($), ct.int32))",
      .seen = "256, dtype=ct.int8" },
    { CK_RULE(tile_py_constants), .python = "", .accept = "ConstInt|ct.Constant[int]|ct.Constant",
      .refuse = "ct.Scalar|int",
      .declare = "@ct.kernel\ndef k(a, o, N: $):\n    ct.store(o, (0,), ct.load(a, (0,), (N,)))", .says = "constant" },
    { CK_RULE(tile_py_constants), .name = "scalar", .python = "ct.store(o, (0,), ct.load(a, (0,), ($,)))",
      .accept = "N|M|N * M|N // 2", .refuse = "n|m|n + N|ct.bid(0)", .says = "constant" },
    { CK_RULE(tile_py_bid), .python = "ct.store(i, (0,), ct.${call}($))", .axes = { { "call", "bid num_blocks" } },
      .accept = "0|1|2|M - 2", .refuse = "3|-1|n|1.0", .says = "xis" },

    { CK_RULE(tile_py_range_step), .python = "for q in range($):\n    ct.store(i, (q,), q)",
      .accept = "10|0, 10|0, 10, 2|0, n, 3|0, n, m|n, 0", .refuse = "0, 10, -2|10, 0, -1|0, n, -3|0, 10, 0",
      .says = "tep must be positive" },
    { CK_RULE(tile_py_loops), .python = "$", .says = "-else' is not supported",
      .accept = "for q in range(n):\n    ct.store(i, (q,), q)|while n > 0:\n    n -= 1\n    ct.store(i, (n,), n)|"
                "for q in range(n):\n    for r in range(m):\n        ct.store(i, (q,), r)",
      .refuse =
          "for q in range(n):\n    pass\nelse:\n    ct.store(i, (0,), n)|while n > 0:\n    n -= 1\nelse:\n    ct.store(i, (0,), n)" },
    { CK_RULE(tile_py_loops), .name = "leave",
      .python = "for q in range(n):\n    if q == 3:\n        $\n    ct.store(i, (q,), q)",
      .accept = "break|continue|pass", .refuse = "yield q|raise ValueError|await q" },
    { CK_RULE(tile_py_return_in_loop),
      .python = "${loop}:\n    if n == 3:\n        $\n    n -= 1\n    ct.store(i, (0,), n)",
      .axes = { { "loop", "while(n) while(n>0) for\tq\tin\trange(n)" } }, .seen = "return" },
    { CK_RULE(tile_py_path_types), .python = "if n > 0:\n    t = $\nelse:\n    t = 1\nct.store(i, (0,), t)",
      .accept = "2|n|m + 1", .refuse = "1.0|x|ct.arange(16, dtype=ct.int32)|ct.int32(1) + 0.5",
      .says = "depends on path taken" },
    { CK_RULE(tile_py_path_types), .name = "defined", .python = "if n > 0:\n    t = 1\n$\nct.store(i, (0,), t)",
      .accept = "else:\n    t = 2|t = 3", .refuse = "|else:\n    q = 2", .says = "potentially undefined" },
    { CK_RULE(tile_py_scalar_condition), .python = INDEX "${word} $:\n    ct.store(i, (0,), n)\n    n -= 1",
      .axes = { { "word", "if while" } }, .accept = "n > 0|n > 0 and m > 0|n", .refuse = "t > 0|t|a" },
    { CK_RULE(tile_py_no_recursion), .python = "ct.store(i, (0,), inner(N, n))",
      .declare = "def inner(N, n):\n    if N == 0:\n        return n\n    return $", .accept = "inner(N - 1, n)|n",
      .refuse = "inner(N, n)" },

    { CK_RULE(tile_py_hints), .python = "ct.store(o, (0,), ct.load(a, (0,), (16,), latency=$))",
      .accept = "1|2|10|M|None", .refuse = "0|11|-1|n|100", .says = "atency" },
    { CK_RULE(tile_py_hints), .name = "allow-tma", .python = "ct.store(o, (0,), ct.load(a, (0,), (16,), allow_tma=$))",
      .accept = "True|False|None", .refuse = "2|0|n > 0|'no'", .says = "llow" },
    { CK_RULE(tile_py_hints), .name = "kernel", .python = "",
      .declare = "@ct.kernel($)\ndef k(a, o):\n    ct.store(o, (0,), ct.load(a, (0,), (16,)))",
      .accept = "num_ctas=1|num_ctas=2|num_ctas=16|occupancy=1|occupancy=32|opt_level=0|opt_level=3|"
                "num_ctas=ct.ByTarget(sm_90=2, default=1)|num_ctas=ct.ByTarget(sm_100=2)",
      .refuse = "num_ctas=0|num_ctas=3|num_ctas=32|occupancy=0|occupancy=33|opt_level=4|opt_level=-1|"
                "num_ctas=ct.ByTarget(sm_90=3)" },

    { CK_RULE(tile_ir_tile_size), .python = "t = ct.zeros(($,), ct.float32)\nct.store(o, (0,), ct.sum(t))",
      .accept = "1|1024|4096", .refuse = "2**25|2**26|2**30", .says = "would exceed the maximum of 16777216 elements" },
    { CK_RULE(tile_ir_tile_size), .name = "rank-2", .python = "t = ct.zeros($, ct.int8)\nct.store(o, (0,), ct.sum(t))",
      .accept = "(32, 32)|(1, 4096)", .refuse = "(2**12, 2**13)|(2**24, 2)|(1, 2**25)",
      .says = "would exceed the maximum of 16777216 elements" },
    { CK_RULE(tile_ir_tile_match), .python = "ct.store($)",
      .accept = "o, (0,), ct.load(a, (0,), (16,))|p, (0, 0), ct.load(b, (0, 0), (4, 4))",
      .refuse = "p, (0, 0), ct.load(a, (0,), (16,))|c, (0, 0, 0), ct.load(b, (0, 0), (4, 4))",
      .says = "tensor_view rank and tile rank to match" },
    { CK_RULE(tile_ir_iota), .python = "ct.store(i, (0,), ct.astype(ct.arange($), ct.int32))",
      .accept = "128, dtype=ct.int8|256, dtype=ct.uint8|512, dtype=ct.int16",
      .refuse = "512, dtype=ct.int8|512, dtype=ct.uint8", .says = "exceeds the maximum value of element type" },
    { CK_RULE(tile_ir_mem_order),
      .python = "t = ct.load(i, (n,), (16,), memory_order=ct.MemoryOrder.$)\nct.store(j, (0,), t)",
      .accept = "WEAK|RELAXED, memory_scope=ct.MemoryScope.DEVICE|ACQUIRE, memory_scope=ct.MemoryScope.SYS|"
                "ACQUIRE, memory_scope=ct.MemoryScope.BLOCK",
      .refuse = "RELAXED|ACQUIRE|RELEASE, memory_scope=ct.MemoryScope.DEVICE|"
                "ACQ_REL, memory_scope=ct.MemoryScope.DEVICE|WEAK, memory_scope=ct.MemoryScope.DEVICE",
      .says = "emory" },
    { CK_RULE(tile_ir_mem_order), .name = "store", .python = "ct.store(i, (n,), n, memory_order=ct.MemoryOrder.$)",
      .accept = "WEAK|RELAXED, memory_scope=ct.MemoryScope.DEVICE|RELEASE, memory_scope=ct.MemoryScope.SYS|"
                "RELEASE, memory_scope=ct.MemoryScope.BLOCK",
      .refuse = "RELAXED|RELEASE|ACQUIRE, memory_scope=ct.MemoryScope.DEVICE|"
                "ACQ_REL, memory_scope=ct.MemoryScope.DEVICE|WEAK, memory_scope=ct.MemoryScope.DEVICE",
      .says = "emory" },
    { CK_RULE(tile_ir_atomic_order), .python = "ct.atomic_${op}(i, n, 1, memory_order=ct.MemoryOrder.$)",
      .axes = { { "op", "add xchg max" } }, .accept = "RELAXED|ACQUIRE|RELEASE|ACQ_REL", .refuse = "WEAK",
      .says = "Invalid memory order" },
    { CK_RULE(tile_ir_assume), .python = "ct.store(i, (ct.assume_divisible_by(n, $),), n)", .accept = "1|2|16|128",
      .refuse = "3|24|100", .says = "divisor must be a power of 2" },
    { 0 },
};

const struct ck_suite suite_cuda_tile_python = { "cuda_tile_python", cases };
// SPDX-License-Identifier: Apache-2.0
