"""CUTLASS's own programs for sm_90, from its Python package: the cute tutorials with wgmma, and example 48. Their host part
runs against a runtime without a GPU (host.c), so that each launch is judged by copycheck check; the products are held to
numpy. Each program is judged again with one wait, fence or arrival taken out of its PTX.

usage: cutlass_kernels.py COPYCHECK FOLDER CUTLASS [NAME...]
CUTLASS is the folder that holds include and examples. Prints a line for each: name, verdict, instructions, the greatest
difference. No GPU is used."""

import os
import sys

import numpy as np

import host
import judge
from programs import Program, judge_program

TUTORIAL = "examples/cute/tutorial/hopper/"
# What is mended in the TMA tutorial of 4.2: after the last tile it goes on to copy, past the end, and waits for none of it.
LAST = ("if ((warp_idx == 0) && lane_predicate)\n    {\n      int pipe = write_state",
        "if ((warp_idx == 0) && lane_predicate && k_tile_count > 0)\n    {\n      int pipe = write_state")
# And in the one with cp.async: each thread waits for its own copies, and wgmma reads those of all.
OTHERS = [("cp_async_wait<0>();\n\n    warpgroup_fence",
           "cp_async_wait<0>();\n    asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n    __syncthreads();\n\n    warpgroup_fence"),
          ("    // Advance k_pipe_read\n", "    __syncthreads();\n    // Advance k_pipe_read\n")]
LATE = ["bulk.exit.dst-alive"], "copies past the last tile, which nobody waits for"
BARE = ["wgmma.proxy"], "no barrier and no proxy fence between the threads' copies and wgmma; its numbers are wrong if copies are late"


def product(transposed):
    """Holds C = A B^T, column-major, to numpy: buffers 0, 1 and 2 of the first launch."""
    def check(base, m, n, k):
        a, b = (np.fromfile(f"{base}.0.{i}.in", np.float16).astype(np.float64) for i in (0, 1))
        a = a[: m * k].reshape(m, k) if transposed else a[: m * k].reshape(k, m).T
        b = b[: n * k].reshape(n, k) if transposed else b[: n * k].reshape(k, n).T
        c = np.fromfile(f"{base}.0.2.out", np.float16)[: m * n].astype(np.float64).reshape(n, m).T
        return np.abs(c - (a @ b.T).astype(np.float16)).max()
    return check


PROGRAMS = {
    "wgmma_tma_sm90": Program(TUTORIAL + "wgmma_tma_sm90.cu", (256, 128, 256), product(False), known=LATE),
    "wgmma_tma_sm90_mended": Program(TUTORIAL + "wgmma_tma_sm90.cu", (256, 128, 256), product(False), [LAST], True),
    "wgmma_tma_sm90_mended_tn": Program(TUTORIAL + "wgmma_tma_sm90.cu", (256, 128, 256, "T", "N"), product(True), [LAST]),
    "wgmma_sm90": Program(TUTORIAL + "wgmma_sm90.cu", (256, 128, 256), product(False), known=BARE),
    "wgmma_sm90_mended": Program(TUTORIAL + "wgmma_sm90.cu", (256, 128, 256), product(False), OTHERS, True),
    "wgmma_sm90_mended_tn": Program(TUTORIAL + "wgmma_sm90.cu", (256, 128, 256, "T", "N"), product(True), OTHERS),
    "48": Program("examples/48_hopper_warp_specialized_gemm/48_hopper_warp_specialized_gemm.cu",
                  ("--m=128", "--n=128", "--k=128", "--iterations=1"), broken=True),
    "48_refilled": Program("examples/48_hopper_warp_specialized_gemm/48_hopper_warp_specialized_gemm.cu",
                           ("--m=128", "--n=128", "--k=512", "--iterations=1")),
}


def build(program, cutlass, folder):
    """Builds the program; its name and a line of what went wrong, or None. Those of one source and the same edits share it."""
    base = os.path.join(folder, os.path.basename(program.source)[: -len(".cu")] + ("_mended" if program.edits else ""))
    if os.path.exists(base + ".ptx") and os.path.exists(base):
        return base, None
    with open(os.path.join(cutlass, program.source)) as f:
        text = f.read()
    for old, new in program.edits:
        if old not in text:
            return base, f"the source has changed: no '{old.splitlines()[0]}'"
        text = text.replace(old, new)
    with open(base + ".cu", "w") as f:
        f.write(text)
    includes = ("include", "tools/util/include", "examples/common", os.path.dirname(program.source))
    return base, host.program(base, [os.path.join(cutlass, i) for i in includes], folder)


def main():
    copycheck, folder, cutlass = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv.pop(3)
    os.makedirs(folder, exist_ok=True)
    host.build_runtime(folder)
    table = judge.Table("cutlass", {name: p.known for name, p in PROGRAMS.items() if p.known})
    for name, program in PROGRAMS.items():
        if not judge.wanted(name):
            continue
        exe, why = build(program, cutlass, folder)
        if why:
            table.line(name, "not compiled", notes=[why])
        else:
            judge_program(table, copycheck, name, program, exe, folder)
    return table.end()


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
