"""Gather, scatter and atomic addition: 16 elements of an array `a` by the indices in `x`; `o` holds the values, and `m` is
not 0 where the mask is true. The parameters are as in view.py."""
import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, ScalarConstraint

ENTRIES = ["gather", "gather_pad", "gather_mask", "scatter", "scatter_mask", "atomic_add"]


@ct.kernel
def k(h0, h1, a, o, x, m, pad, WHAT: ct.Constant[int]):
    at = ct.load(x, (0,), (16,))
    mask = ct.load(m, (0,), (16,)) != 0
    if WHAT == 0:
        ct.store(o, (0,), ct.gather(a, at))
    elif WHAT == 1:
        ct.store(o, (0,), ct.gather(a, at, padding_value=pad))
    elif WHAT == 2:
        ct.store(o, (0,), ct.gather(a, at, mask=mask))
    elif WHAT == 3:
        ct.scatter(a, at, ct.load(o, (0,), (16,)))
    elif WHAT == 4:
        ct.scatter(a, at, ct.load(o, (0,), (16,)), mask=mask)
    else:
        ct.atomic_add(a, at, ct.load(o, (0,), (16,)))


def array(dtype):
    return ArrayConstraint(dtype, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(),
                           may_alias_internally=False)


head = [ScalarConstraint(ct.int64)] * 2
arrays = [array(ct.int32)] * 4
signatures = [KernelSignature([*head, *arrays, ScalarConstraint(ct.int32), what],
                              CallingConvention.cutile_python_v1(), symbol="py_" + entry)
              for what, entry in enumerate(ENTRIES)]
# SPDX-License-Identifier: Apache-2.0
