"""Kernels in Triton's language, compiled for sm_90 by the release of Triton that PYTHONPATH leads to.

usage: triton_language.py PTX matmul|tickets
Writes the PTX and prints the options of copycheck check that launch it."""

import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

SCRATCH = ["out:16"] * 2 # global memory that Triton may ask for, and does not here


@triton.jit
def matmul(a, b, c, n, k, TILE: tl.constexpr):
    """C = A B: copies by cp.async in three stages, and wgmma."""
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    column = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inner = tl.arange(0, TILE)
    of_a = a + row[:, None] * k + inner[None, :]
    of_b = b + inner[:, None] * n + column[None, :]
    total = tl.zeros((TILE, TILE), tl.float32)
    for _ in range(0, k, TILE):
        total = tl.dot(tl.load(of_a), tl.load(of_b), total)
        of_a += TILE
        of_b += TILE * n
    tl.store(c + row[:, None] * n + column[None, :], total)


@triton.jit
def tickets(counter, out, SIZE: tl.constexpr):
    """A program of two CTAs: one of them takes a number, and both use it."""
    at = tl.arange(0, SIZE)
    tl.store(out + tl.program_id(0) * SIZE + at, tl.atomic_add(counter, 1) + at)


def compiled(kernel, types, constants, options):
    """The kernel with pointers and numbers that are multiples of 16."""
    multiples = {(k,): [["tt.divisibility", 16]] for k, kind in enumerate(types.values()) if kind != "constexpr"}
    return triton.compile(ASTSource(kernel, types, constants, multiples), target=GPUTarget("cuda", 90, 32), options=options)


def main():
    if sys.argv[2] == "matmul":
        size, tile = 128, 64
        types = {"a": "*fp16", "b": "*fp16", "c": "*fp32", "n": "i32", "k": "i32", "TILE": "constexpr"}
        kernel = compiled(matmul, types, {"TILE": tile}, {"num_warps": 4, "num_stages": 3})
        grid = f"{size // tile},{size // tile}"
        arguments = [f"in:{2 * size * size}"] * 2 + [f"out:{4 * size * size}"] + [f"s32:{size}"] * 2
    else:
        size, programs, ctas = 1024, 2, 2
        types = {"counter": "*i32", "out": "*i32", "SIZE": "constexpr"}
        kernel = compiled(tickets, types, {"SIZE": size}, {"num_warps": 4, "num_ctas": ctas})
        grid = str(programs * ctas)
        arguments = ["in:16", f"out:{4 * size * programs}"]
    with open(sys.argv[1], "w") as f:
        f.write(kernel.asm["ptx"])
    print("--grid", grid, "--block", 32 * kernel.metadata.num_warps, "--smem", kernel.metadata.shared)
    for argument in arguments + SCRATCH:
        print("--arg", argument)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: Apache-2.0
