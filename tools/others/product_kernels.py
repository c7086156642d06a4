"""Matrix products for sm_90 by wgmma of fast.cu and DeepGEMM. Their launches (fast_matmul.cu, deep_gemm.cu) are built against a
runtime without a GPU (host.c), so that each is judged by copycheck check; the products are held to numpy. Each kernel that
is clean is judged again with one wait, fence, arrival or barrier taken out of its PTX.

usage: product_kernels.py COPYCHECK FOLDER [NAME...]    (MIRROR: a folder of git repositories)
Prints a line for each: name, verdict, instructions, the greatest difference. No GPU is used."""

import os
import shutil
import sys

import numpy as np

import fetch
import host
import judge
from programs import Program, judge_program

HERE = os.path.dirname(os.path.abspath(__file__))
CUTLASS = "nvidia-cutlass", "4.2.0.0", ["cutlass_library/source/include/*"]
MAP = ["tmap.host.acquire-sys"], "the maps are copied to global memory, and the kernel acquires none"
GONE = ["mbarrier.cluster.owner-alive"], "a CTA ends while the other one still arrives at its mbarriers; the run ends there"
STORED = ["mbarrier.cluster.owner-alive", "tensor.store.fence"], "as kernel 8; and no proxy fence between the threads' stores and a tensor store"


def rounded(values):
    """To bf16, as f64."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000).astype(np.uint32).view(np.float32).astype(np.float64)


def read(base, number, side, kind, *shape):
    values = np.fromfile(f"{base}.0.{number}.{side}", kind)[: int(np.prod(shape))]
    return (judge.from_type(values, "bf16") if kind == np.uint16 else values).astype(np.float64).reshape(shape)


def fast(base, m, n, k):
    """C column-major, A and B with rows of K."""
    a, b = read(base, 0, "in", np.uint16, m, k), read(base, 1, "in", np.uint16, n, k)
    return np.abs(read(base, 2, "out", np.uint16, n, m).T - rounded(a @ b.T)).max()


def deep(base, m):
    n, k, part = 256, 512, 128
    a = ((np.arange(m * k) * 7 % 9) - 4).reshape(m, k).astype(np.float64)
    b = ((np.arange(n * k) * 5 % 7) - 3).reshape(n, k).astype(np.float64)
    for_a, for_b = read(base, 2, "in", np.float32, k // part, m), read(base, 3, "in", np.float32, n // 128, k // part)
    want = sum(np.outer(for_a[p], np.repeat(for_b[:, p], 128)) * (a[:, p * part:][:, :part] @ b[:, p * part:][:, :part].T)
               for p in range(k // part))
    return np.abs(read(base, 4, "out", np.uint16, m, n) - rounded(want)).max()


# What is mended in DeepGEMM: each lane reads its scales of a stage, and lane 0 arrives for the warp.
SCALES = [("auto empty_barrier_arrive = [&](int s) {", "auto empty_barrier_arrive = [&](int s) { __syncwarp();")]
RACE = ["bulk.dst.reuse-war"], "each lane reads scales, and lane 0 arrives for the warp with no __syncwarp between"
SPARE = {r"fence\.proxy": "it is behind the inits of the mbarriers, which __syncthreads orders before each use"}
ONE_TILE = {r"cp\.async\.bulk\.wait_": "a CTA has one tile here, and the first wait is that before the next tile's stores"}
KNOWN = {2: MAP, 3: MAP, 4: MAP, 5: MAP, 8: GONE, 9: GONE, 10: STORED, 11: STORED, 12: STORED}
# What is mended in fast.cu's kernels 8 to 12: the CTAs of a cluster end together. In 10 to 12 they end when their tensor stores
# have read, and a proxy fence is between the threads' stores and these.
END = "            }\n        }\n    }\n}\n"
TOGETHER = 'asm volatile("barrier.cluster.arrive;\\nbarrier.cluster.wait;\\n");\n}\n'
FENCED = 'asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); '
MENDS = {8: [(END, END[:-2] + TOGETHER)], 9: [(END, END[:-2] + TOGETHER)]}
for number, barrier in ((10, "bar.sync 10, 256;"), (11, "bar.sync 1, 256;"), (12, "bar.sync %0, 128;")):
    MENDS[number] = [(END, END[:-2] + 'asm volatile("cp.async.bulk.wait_group 0;");\n' + TOGETHER),
                     (f'asm volatile("{barrier}', f'{FENCED}asm volatile("{barrier}')]
MATMUL, GEMM = "examples/matmul/matmul_{}.cuh", "deep_gemm/fp8_gemm.cuh"
PROGRAMS = {} # program, flags of the compiler, and the header that the program's edits change
for number in range(2, 13):
    size = (256, 256, 256) if number < 6 else (2048, 2048, 256)
    flags = [f"-DKERNEL={number}", *(["-DNDEBUG"] if number > 10 else [])] # an assert of these does not compile
    known, header = KNOWN.get(number), MATMUL.format(number)
    PROGRAMS[f"fast.cu-{number}"] = Program("fast_matmul.cu", size, fast, known=known, broken=not known, spare=SPARE), flags, header
    if number in MENDS:
        PROGRAMS[f"fast.cu-{number}-mended"] = Program("fast_matmul.cu", size, fast, MENDS[number], True, spare=ONE_TILE), flags, header
for clusters in (1, 2):
    flags = [f"-DCLUSTER={clusters}", *host.OLDER]
    PROGRAMS[f"DeepGEMM-{clusters}"] = Program("deep_gemm.cu", (128,), deep, known=RACE), flags, GEMM
    PROGRAMS[f"DeepGEMM-{clusters}-mended"] = Program("deep_gemm.cu", (128,), deep, SCALES, clusters == 1), flags, GEMM


def mended(sources, header, edits, folder):
    """A copy of the sources with edits in the header; its folder."""
    shutil.copytree(sources, folder, dirs_exist_ok=True)
    path = os.path.join(folder, header)
    with open(path) as f:
        text = f.read()
    for old, new in edits:
        if text.count(old) != 1:
            raise SystemExit(f"products: the source has changed: {text.count(old)} times '{old}'")
        text = text.replace(old, new)
    with open(path, "w") as f:
        f.write(text)
    return folder


def build(name, program, flags, header, folder):
    """Builds a launch; its path without an ending, and a line of what went wrong, or None."""
    base, mirror = os.path.join(folder, name), os.environ.get("MIRROR")
    if os.path.exists(base + ".ptx") and os.path.exists(base):
        return base, None
    includes = [fetch.commit(folder, mirror, "pranjalssh/fast.cu", "38eb642e0c081231d6f695978be63604bd7c689b", ["examples"]),
                os.path.join(fetch.commit(folder, mirror, "deepseek-ai/DeepGEMM", "ca13ce0fab704c5bf9a4fc19547402b2d10e2f18",
                                          ["deep_gemm/include"]), "deep_gemm/include"),
                os.path.join(fetch.release(folder, *CUTLASS), "cutlass_library/source/include")]
    if program.edits:
        which = next(k for k, include in enumerate(includes) if os.path.exists(os.path.join(include, header)))
        includes[which] = mended(includes[which], header, program.edits, base + ".include")
    shutil.copy(os.path.join(HERE, program.source), base + ".cu")
    return base, host.program(base, includes, folder, flags)


def main():
    copycheck, folder = sys.argv[1], os.path.abspath(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    host.build_runtime(folder)
    table = judge.Table("products", {name: p.known for name, (p, flags, header) in PROGRAMS.items() if p.known})
    for name, (program, flags, header) in PROGRAMS.items():
        if judge.wanted(name):
            exe, why = build(name, program, flags, header, folder)
            if why:
                table.line(name, "not compiled", notes=[why])
            else:
                judge_program(table, copycheck, name, program, exe, folder)
    return table.end()


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
