"""Kernels of NVIDIA's CUDA samples that copy by cp.async, compiled by nvcc and judged by copycheck check.

usage: sample_kernels.py COPYCHECK FOLDER [NAME...]    (SAMPLES: a checkout of github.com/NVIDIA/cuda-samples)"""

import os
import re
import subprocess
import sys

import numpy as np

import judge

SOURCE = "Samples/3_CUDA_Features/globalToShmemAsyncCopy/globalToShmemAsyncCopy.cu"
KERNELS = {  # threads of a block
    "MatrixMulAsyncCopyMultiStageLargeChunk": (16, 16),
    "MatrixMulAsyncCopyLargeChunk": (16, 16),
    "MatrixMulAsyncCopyLargeChunkAWBarrier": (16, 16),
    "MatrixMulAsyncCopyMultiStageSharedState": (16, 18),
    "MatrixMulAsyncCopyMultiStage": (16, 16),
    "MatrixMulAsyncCopySingleStage": (16, 16),
    "MatrixMulNaive": (16, 16),
    "MatrixMulNaiveLargeChunk": (16, 16),
}
RING = "its loop fills five stages of a ring of four: a stage is overwritten before it is used"
KNOWN = {
    "MatrixMulAsyncCopyMultiStage": (["cpasync.order.read-early"], RING),
    "MatrixMulAsyncCopyMultiStageLargeChunk": (["cpasync.order.read-early"], RING),
    "MatrixMulAsyncCopyLargeChunkAWBarrier": (["mbarrier.init.live-object"],
                                              "all threads with threadIdx.x == 0, sixteen of them, init one barrier"),
}


def large_chunk(a, b):
    """What the kernels named LargeChunk compute: they take B's tile from where A's lies, which the sample does not notice,
    as all elements of its matrices are the same."""
    flat, width = b.reshape(-1), a.shape[1]
    out = np.zeros((a.shape[0], b.shape[1]))
    for row in range(0, a.shape[0], 16):
        for k in range(0, width, 16):
            tile = flat[row * width + k + width * np.arange(16)[:, None] + np.arange(16)[None, :]]
            out[row : row + 16] += np.tile(a[row : row + 16, k : k + 16] @ tile, b.shape[1] // 16)
    return out


def main():
    copycheck, folder = sys.argv[1], sys.argv[2]
    samples = os.environ["SAMPLES"]
    ptx = os.path.join(folder, "globalToShmemAsyncCopy.ptx")
    os.makedirs(folder, exist_ok=True)
    subprocess.run([os.environ.get("NVCC", "nvcc"), "-ptx", "-arch=sm_90a", "-std=c++17", "-lineinfo", "-w", "-I",
                    os.path.join(samples, "Common"), os.path.join(samples, SOURCE), "-o", ptx], check=True)
    with open(ptx) as f:
        entries = re.findall(r"\.visible \.entry (\S+)\(", f.read())
    rng = np.random.default_rng(1)
    height, inner, width = 48, 128, 64
    a, b = rng.integers(-15, 16, (height, inner)) / 8, rng.integers(-15, 16, (inner, width)) / 8
    args = [("out", (height, width), "f32"), (a.astype(np.float32), "f32"), (b.astype(np.float32), "f32"), inner, width]
    table = judge.Table("samples", KNOWN)
    for name, block in KERNELS.items():
        if not judge.wanted(name):
            continue
        entry = next(e for e in entries if re.search(rf"\d{name}I", e))
        launch = judge.Launch(ptx, entry, (width // 16, height // 16), block, args, {0: large_chunk(a, b) if "LargeChunk" in name else a @ b})
        table.line(name, *launch.run(copycheck, os.path.join(folder, name)))
    return table.end()


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
