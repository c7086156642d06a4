"""Kernels made of CUB's parts (cub_kernels.cu), judged by copycheck check, and again without each barrier and fence that they
have; their numbers are held to numpy. CUB's sum by the whole device (cub_device.cu), of a million numbers.

usage: cub_kernels.py COPYCHECK FOLDER [NAME...]
Prints a line for each kernel: its name, the verdict, instructions, the greatest difference. No GPU is used."""

import os
import shutil
import subprocess
import sys

import numpy as np

import host
import judge
from programs import Program, judge_program, judge_without

HERE = os.path.dirname(os.path.abspath(__file__))
TILES, TILE = 8, 64


def numbers(count):
    values = np.random.default_rng(count).integers(-1000, 1000, count).astype(np.int32)
    return values, (values, "i32")


def case(grid, block, count, expected):
    values, given = numbers(count)
    want = expected(values)
    return (grid,), (block,), [given, ("out", want.shape, "i32")], {1: want}


CASES = {
    "reduce": case(2, 128, 256, lambda v: v.reshape(2, 128).sum(1)),
    "reduce_raking": case(2, 100, 200, lambda v: v.reshape(2, 100).sum(1)),
    "scan_raking": case(1, 128, 128, np.cumsum),
    "radix_sort": case(1, 128, 512, np.sort),
    "merge_sort": case(1, 128, 512, np.sort),
    "transpose": case(1, 96, 384, lambda v: v),
}
# What is known of some of them: the rule, and why.
KNOWN = {"merge_sort": (["order.unwritten"], "reads one item behind those that were written, and does not use it")}

# Why a kernel is clean without some of what orders its threads.
SPARE = {"lookback": "the sum of a tile and what it is lie in one word of 64 bits",
         "reduce_raking": "the last one: behind it nothing is read or written"}


def lookback(copycheck, ptx, folder, table):
    """The scan over CTAs: a first launch makes the states of the tiles, a second one scans."""
    base = os.path.join(folder, "lookback")
    states = judge.Launch(ptx, "lookback_init", (1,), (128,), [("out", (8192,), "i8"), TILES], {})
    table.line("lookback_init", *states.run(copycheck, base))
    made = np.fromfile(base + ".0.out", np.int8)
    values, given = numbers(TILES * TILE)
    scan = judge.Launch(ptx, "lookback", (TILES,), (TILE,), [(made, "i8"), given, ("out", values.shape, "i32")],
                        {2: values.cumsum()})
    table.line("lookback", *scan.run(copycheck, base))
    judge_without(table, "lookback", scan, copycheck, base, SPARE["lookback"])


def device(copycheck, folder, table):
    """A program of CUB's whole, with its own check."""
    base = os.path.join(folder, "cub_device")
    host.build_runtime(folder)
    shutil.copy(os.path.join(HERE, "cub_device.cu"), base + ".cu")
    why = host.program(base, [], folder)
    if why:
        table.line("device_reduce", "not compiled", notes=[why])
    else:
        judge_program(table, copycheck, "device_reduce", Program("cub_device.cu", ()), base, folder)


def main():
    copycheck, folder = sys.argv[1], sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    ptx = os.path.join(folder, "cub_kernels.ptx")
    source = os.path.join(HERE, "cub_kernels.cu")
    subprocess.run(["nvcc", "-ptx", "-std=c++17", "-arch=sm_90a", "-lineinfo", source, "-o", ptx], check=True)
    table = judge.Table("cub", KNOWN)
    for name, (grid, block, args, expected) in CASES.items():
        if judge.wanted(name):
            launch = judge.Launch(ptx, name, grid, block, args, expected)
            table.line(name, *launch.run(copycheck, os.path.join(folder, name)))
            if name not in KNOWN:
                judge_without(table, name, launch, copycheck, os.path.join(folder, name), SPARE.get(name, ""))
    if judge.wanted("lookback"):
        lookback(copycheck, ptx, folder, table)
    if judge.wanted("device_reduce"):
        device(copycheck, os.path.abspath(folder), table)
    return table.end()


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
