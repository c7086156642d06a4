"""Kernels of llm.c (dev/cuda), built by nvcc and judged by copycheck check; those of layer norm and softmax are held to numpy.

usage: llmc_kernels.py COPYCHECK FOLDER CHECKOUT [NAME...]
Prints a line for each kernel: its name, the verdict, instructions, the greatest difference. No GPU is used."""

import os
import re
import subprocess
import sys

import numpy as np

import judge

ROWS, WIDTH = 6, 96  # of the activations; a row has a multiple of 32 numbers


def dice(seed, *shape):
    return (np.random.default_rng(seed).standard_normal(shape).astype(np.float32), "f32")


def out(*shape):
    return ("out", shape, "f32")


def zero(*shape):
    return ("zero", shape, "f32")


def half(values):
    """The numbers as bfloat16, rounded towards zero."""
    return ((values.view(np.uint32) >> 16).astype(np.uint16), "bf16")


X, WEIGHT, BIAS = dice(1, ROWS, WIDTH), dice(2, WIDTH), dice(3, WIDTH)
MEAN = X[0].mean(1).astype(np.float32)
RSTD = (1 / np.sqrt(X[0].var(1) + 1e-5)).astype(np.float32)
NORMED = (X[0] - MEAN[:, None]) * RSTD[:, None] * WEIGHT[0] + BIAS[0]
EXPONENTIAL = np.exp(X[0] - X[0].max(1, keepdims=True))
SOFTMAX = EXPONENTIAL / EXPONENTIAL.sum(1, keepdims=True)


def norm(grid, block, smem=0):
    return (grid, block, smem, [out(ROWS, WIDTH), out(ROWS), out(ROWS), X, WEIGHT, BIAS, ROWS, WIDTH], {0: NORMED})


def softmax(grid, block, smem=0):
    return (grid, block, smem, [out(ROWS, WIDTH), X, ROWS, WIDTH], {0: SOFTMAX})


XH, YH = half(X[0]), half(dice(4, ROWS, WIDTH)[0])
XF, YF = (judge.from_type(v[0], "bf16").astype(np.float64) for v in (XH, YH))


def bias(grid, smem=0):
    zeros = ("zero", (WIDTH,), "bf16")
    return (grid, (64,), smem, [zeros, XH, 2, ROWS // 2, WIDTH], {0: XF.sum(0)})


BACKWARD = [zero(ROWS, WIDTH), zero(WIDTH), zero(WIDTH)]
GIVEN = [dice(4, ROWS, WIDTH), X, WEIGHT, (MEAN, "f32"), (RSTD, "f32"), 2, ROWS // 2, WIDTH]
# kernel: file, (grid, block, bytes of shared memory, arguments, what they should hold)
KERNELS = {
    "layernorm_forward_kernel1": ("layernorm_forward", norm((1,), (32,))),
    "layernorm_forward_kernel3": ("layernorm_forward", norm((3,), (64,))),
    "layernorm_forward_kernel4": ("layernorm_forward", norm((3,), (64,))),
    "layernorm_forward_kernel5": ("layernorm_forward", norm((ROWS,), (96,))),
    "layernorm_forward_kernel6": ("layernorm_forward", norm((3,), (32, 2), 4 * (2 + 2) * WIDTH)),
    "softmax_forward_kernel1": ("softmax_forward", softmax((1,), (32,))),
    "softmax_forward_kernel2": ("softmax_forward", softmax((ROWS,), (64,), 256)),
    "softmax_forward_kernel3": ("softmax_forward", softmax((ROWS,), (32,), 128)),
    "softmax_forward_kernel4": ("softmax_forward", softmax((ROWS,), (96,), 24)),
    "softmax_forward_online_kernel1": ("softmax_forward", softmax((1,), (32,))),
    "softmax_forward_online_kernel2": ("softmax_forward", softmax((3,), (64,))),
    "softmax_forward_kernel7": ("softmax_forward", softmax((ROWS,), (64,), 16)),
    "softmax_forward_online_kernel8": ("softmax_forward", softmax((3,), (64,))),
    "layernorm_backward_kernel1": ("layernorm_backward", ((1,), (32,), 0, BACKWARD + GIVEN, {})),
    "gelu_forward_kernel1": ("gelu_forward", ((9,), (64,), 0, [out(ROWS, WIDTH), X, ROWS * WIDTH], {})),
    "residual_forward_kernel1": ("residual_forward", ((9,), (64,), 0, [("out", (ROWS, WIDTH), "bf16"), XH, YH, ROWS * WIDTH],
                                                      {0: XF + YF})),
    "matmul_backward_bias_kernel1": ("matmul_backward_bias", bias((WIDTH,), 256)),
    "matmul_backward_bias_kernel2": ("matmul_backward_bias", bias((WIDTH // 2,))),
    "matmul_backward_bias_kernel3": ("matmul_backward_bias", bias((WIDTH,))),
    "matmul_backward_bias_kernel4": ("matmul_backward_bias", bias((WIDTH // 32,), 256)),
    "attention_query_key_kernel1": ("attention_forward",
                                    ((4,), (64,), 0, [out(1, 2, 8, 8), dice(5, 8, 3 * 64), 1, 8, 64, 2], {})),
    "attention_softmax_kernel1": ("attention_forward", ((1,), (16,), 0, [zero(1, 2, 8, 8), dice(6, 1, 2, 8, 8), 1, 8, 2], {})),
}


# What is broken in some of them: the rule, and why.
KNOWN = {
    "softmax_forward_kernel4": (["order.data-race"], "the sum goes where other warps may still read the maximum"),
    "softmax_forward_kernel7": (["order.data-race"], "reads past the row's end are moved to its last element, which changes"),
}


def build(checkout, folder, name):
    """The PTX of a file."""
    path = os.path.join(folder, name + ".ptx")
    source = os.path.join(checkout, "dev/cuda", name + ".cu")
    ran = subprocess.run(["nvcc", "-ptx", "-arch=sm_90a", "-lineinfo", "-std=c++17", source, "-o", path],
                         capture_output=True, text=True)
    return path if ran.returncode == 0 else None


def main():
    copycheck, folder, checkout = sys.argv[1], sys.argv[2], sys.argv.pop(3)
    os.makedirs(folder, exist_ok=True)
    table = judge.Table("llm.c", KNOWN)
    files = {}
    for name, (file, (grid, block, smem, args, expected)) in KERNELS.items():
        if not judge.wanted(name):
            continue
        if file not in files:
            files[file] = build(checkout, folder, file)
        entry = files[file] and re.search(rf"\.entry (\w*{name}[A-Z]\w*)\(", open(files[file]).read())
        if not entry:
            table.line(name, "not compiled", notes=[f"no such kernel in {file}.cu"])
            continue
        launch = judge.Launch(files[file], entry[1], grid, block, args, expected, smem, tolerance=2e-2 if args[0][2] == "bf16" else 1e-4)
        table.line(name, *launch.run(copycheck, os.path.join(folder, name)))
    return table.end()


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
