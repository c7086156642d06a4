"""Numba's CUDA kernels, compiled to PTX for sm_90 without a GPU, and judged.

    result = copycheck.numba.check(kernel, "void(float32[::1], float32)", grid, block, x, 2.0)

The kernel is the plain Python function; arrays are numpy's, contiguous, of the types that the signature says."""
import numpy as np

import copycheck


def check(kernel, signature, grid, block, *args, options=()):
    """See copycheck.check."""
    from numba import cuda

    ptx, _ = cuda.compile_ptx(getattr(kernel, "py_func", kernel), signature, cc=(9, 0))
    values = []
    for a in args:
        if not isinstance(a, np.ndarray):
            values.append(a)
            continue
        # An array is seven or more parameters: two that are not used, its items, bytes of an item, its data, extents
        # and strides.
        values += [None, None, np.int64(a.size), np.int64(a.itemsize), a]
        values += [np.int64(n) for n in a.shape] + [np.int64(n) for n in a.strides]
    return copycheck.check(ptx, None, grid, block, values, options=options)
# SPDX-License-Identifier: Apache-2.0
