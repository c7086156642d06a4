/* The listings of the notes 001 in cuTile Python: what its compiler takes, and what it refuses. A kernel `k` is
 * compiled; a and o are arrays of float32 with one dimension, N and M are constants. */
#include "tests/listings/page.h"

#define HEAD "import cuda.tile as ct\n\nConstInt = ct.Constant[int]\n\n"
#define KERNEL                                                                                                         \
    "@ct.kernel\n"                                                                                                     \
    "def k(a, o, N: ConstInt, M: ConstInt):\n"                                                                         \
    "    bid = ct.bid(0)\n"

static const struct ck_case cases[] = {
    { CK_LISTING(001_vec_add_py_view),
      .declare = KERNEL "    a_view = a.tiled_view((N,))\n"
                        "    o_view = o.tiled_view((N,))\n"
                        "    total = a_view.load((bid,)) + o_view.load((bid,))\n"
                        "    o_view.store($)\n",
      .head = HEAD, .python = "", .accept = "(bid,), total|bid, total", .refuse = "total, (bid,)|total, bid",
      .says = "index" },
    { CK_LISTING(001_vec_add_py_load),
      .declare = KERNEL "    total = ct.load(a, $) + ct.load(o, index=(bid,), shape=(N,))\n"
                        "    ct.store(o, index=(bid,), tile=total)\n",
      .head = HEAD, .python = "", .accept = "index=(bid,), shape=(N,)|(bid,), (N,)",
      .refuse = "index=(bid,)|shape=(N,)", .says = "missing a required argument" },
    { CK_LISTING(001_edge_safe_py),
      .declare = KERNEL "    tile = ct.load(a, index=(bid,), shape=(N,), padding_mode=ct.PaddingMode.$)\n"
                        "    ct.store(o, index=(bid,), tile=tile)\n",
      .head = HEAD, .python = "", .accept = "ZERO|UNDETERMINED|NEG_ZERO|NAN|POS_INF|NEG_INF", .refuse = "NONE|ONE",
      .says = "has no attribute" },
    { CK_LISTING(001_vec_add_gather_py),
      .declare = KERNEL "    indices = bid * N + ct.arange(N, dtype=ct.int32)\n"
                        "    total = ct.gather(a, indices$) + ct.gather(o, indices)\n"
                        "    ct.scatter(o, indices, total)\n",
      .head = HEAD, .python = "", .accept = "|, check_bounds=False|, padding_value=7.0",
      .refuse = ", bounds=False|, mode=0", .says = "unexpected keyword argument" },
    { CK_LISTING(001_tile_sum_py),
      .declare = KERNEL "    acc = ct.zeros((N,), dtype=ct.float32)\n"
                        "    for i in range($):\n"
                        "        acc = acc + ct.load(a, index=(i,), shape=(N,))\n"
                        "    ct.store(o, index=(bid,), tile=acc)\n",
      .head = HEAD, .python = "", .accept = "M|0, M|0, M, 2", .refuse = "M, 0, -1|M, 0, -2",
      .says = "Step must be positive" },
    { CK_LISTING(001_conditional_load_py),
      .declare = KERNEL "    if bid < ct.num_blocks(0) - 1:\n"
                        "        tile = ct.load(a, index=(bid,), shape=(N,))\n"
                        "    else:\n"
                        "        tile = ct.zeros((N,), dtype=ct.$)\n"
                        "    ct.store(o, index=(bid,), tile=tile)\n",
      .head = HEAD, .python = "", .accept = "float32", .refuse = "float16|int32", .says = "depends on path taken" },
    { 0 }
};

const struct ck_suite listings_001_python = { "listings-001-python", cases };
// SPDX-License-Identifier: Apache-2.0
