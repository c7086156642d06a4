"""Triton's kernels, compiled for sm_90 without a GPU, and judged.

    import copycheck.triton
    result = copycheck.triton.check(add_kernel, (4,), x, y, out, x.size, BLOCK=128)

Tensors are numpy arrays, which are changed in place; scalars and constexpr arguments as in a launch.
"""
import inspect

import numpy as np

import copycheck

_NAMES = {"float16": "*fp16", "float32": "*fp32", "float64": "*fp64", "bfloat16": "*bf16", "int8": "*i8", "int16": "*i16",
          "int32": "*i32", "int64": "*i64", "uint8": "*u8", "uint16": "*u16", "uint32": "*u32", "uint64": "*u64",
          "bool": "*i1"}


def _type(value):
    if isinstance(value, np.ndarray):
        return _NAMES[str(value.dtype)]
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, (int, np.integer)):
        return "i32" if -2**31 <= int(value) < 2**31 else "i64"
    if isinstance(value, (float, np.floating)):
        return "fp32"
    raise copycheck.Error(f"{value!r} is no argument of a Triton kernel")


def compile(kernel, *args, num_warps=4, num_stages=3, target=90, **constants):
    """The compiled kernel: .asm["ptx"] is its text."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    names = list(inspect.signature(kernel.fn).parameters)
    given = dict(zip(names, args), **constants)
    marked = {p.name for p in kernel.params if p.is_constexpr}
    signature = {n: "constexpr" if n in marked else _type(given[n]) for n in names}
    # As in a launch: a multiple of 16 is said to be one, and 1 is a constant.
    constexprs = {(names.index(n),): given[n] for n in names if n in marked}
    attributes = {(names.index(n),): [["tt.divisibility", 16]] for n in names
                  if n not in marked and (isinstance(given[n], np.ndarray) or
                                          (isinstance(given[n], int) and given[n] and given[n] % 16 == 0))}
    source = ASTSource(fn=kernel, signature=signature, constexprs=constexprs, attrs=attributes)
    return triton.compile(source, target=GPUTarget("cuda", target, 32),
                          options={"num_warps": num_warps, "num_stages": num_stages})


def check(kernel, grid, *args, num_warps=4, num_stages=3, options=(), **constants):
    """Compiles a kernel for sm_90, runs it and judges it: see copycheck.check."""
    compiled = compile(kernel, *args, num_warps=num_warps, num_stages=num_stages, **constants)
    names = list(inspect.signature(kernel.fn).parameters)
    given = dict(zip(names, args), **constants)
    marked = {p.name for p in kernel.params if p.is_constexpr}
    if callable(grid):
        grid = grid({n: given[n] for n in marked})
    values = [given[n] if isinstance(given[n], np.ndarray) else
              {"fp32": np.float32, "i1": np.int8, "i32": np.int32, "i64": np.int64}[_type(given[n])](given[n])
              for n in names if n not in marked]
    ptx = compiled.asm["ptx"]
    entry = compiled.metadata.name
    # What Triton adds for itself (scratch memory and the like) is not used by kernels without it.
    while True:
        try:
            copycheck._parameter(ptx.encode(), entry.encode(), len(values))
        except copycheck.Error:
            break
        values.append(None)
    return copycheck.check(ptx, entry, grid, compiled.metadata.num_warps * 32, values, smem=compiled.metadata.shared,
                           options=options, name=kernel.fn.__name__ + ".ptx")
# SPDX-License-Identifier: Apache-2.0
