"""Loads and stores of a tile of 4 x 16 of an array `a`; `o` holds the tile. The parameters after h0 and h1, which stand for
struct ck_head, are: of each array its address, its lengths and its strides in elements; and the index of the tile. Each
value of WHAT makes an entry of its own."""
import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, ScalarConstraint

MODES = ["undetermined", "zero", "neg_zero", "nan", "pos_inf", "neg_inf"]
ENTRIES = ["load_" + mode for mode in MODES] + ["load_view", "load_f", "store", "store_view"]


@ct.kernel
def k(h0, h1, a, o, i, j, WHAT: ct.Constant[int]):
    if WHAT == 8:
        ct.store(a, (i, j), ct.load(o, (0, 0), (4, 16)))
    elif WHAT == 9:
        a.tiled_view((4, 16)).store((i, j), ct.load(o, (0, 0), (4, 16)))
    else:
        if WHAT == 0:
            t = ct.load(a, (i, j), (4, 16))
        elif WHAT == 1:
            t = ct.load(a, (i, j), (4, 16), padding_mode=ct.PaddingMode.ZERO)
        elif WHAT == 2:
            t = ct.load(a, (i, j), (4, 16), padding_mode=ct.PaddingMode.NEG_ZERO)
        elif WHAT == 3:
            t = ct.load(a, (i, j), (4, 16), padding_mode=ct.PaddingMode.NAN)
        elif WHAT == 4:
            t = ct.load(a, (i, j), (4, 16), padding_mode=ct.PaddingMode.POS_INF)
        elif WHAT == 5:
            t = ct.load(a, (i, j), (4, 16), padding_mode=ct.PaddingMode.NEG_INF)
        elif WHAT == 6:
            t = a.tiled_view((4, 16), padding_mode=ct.PaddingMode.ZERO).load((i, j))
        else:
            t = ct.load(a, (i, j), (4, 16), order="F", padding_mode=ct.PaddingMode.ZERO)
        ct.store(o, (0, 0), t)


def array(rank):
    return ArrayConstraint(ct.float32, rank, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(),
                           may_alias_internally=False)


head = [ScalarConstraint(ct.int64)] * 2
signatures = [KernelSignature([*head, array(2), array(2), ScalarConstraint(ct.int32), ScalarConstraint(ct.int32), what],
                              CallingConvention.cutile_python_v1(), symbol="py_" + entry)
              for what, entry in enumerate(ENTRIES)]
# SPDX-License-Identifier: Apache-2.0
