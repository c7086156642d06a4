"""Compiles libcu++'s own tests of barriers, latches, semaphores, pipelines and memcpy_async by nvcc and judges them by
copycheck check: as they are, and with the edits below, which mend what is broken in them; and these again without each wait,
fence, arrival and barrier that they have.

usage: cccl_tests.py COPYCHECK FOLDER [NAME...]    (CCCL: a checkout of github.com/NVIDIA/cccl; JOBS)"""

import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys

import numpy as np

import judge
from programs import judge_without

TESTS = ["cuda/barrier", "cuda/memcpy_async", "cuda/pipeline", "std/thread/thread.barrier", "std/thread/thread.latch",
         "std/thread/thread.semaphore", "cuda/annotated_ptr/memcpy_async"]
HOST = "cuda.barrier.cp_async_bulk_tensor"  # their maps are encoded by the host and put into constant memory

ONE_BUFFER = "two barriers of the test stand in one buffer: the second is made while threads wait at the first"
EARLY_END = "the test's first thread ends a barrier that others still wait at"
TWICE = "the test ends a pipeline's barriers, which the pipeline has ended"
POINTER = "all threads store one pointer and read it: a race by the letter, of equal values"
KNOWN = {name: (["cxx.barrier.init-uninitialised"], ONE_BUFFER) for name in
         [f"cuda.barrier.{kind}_tx_{who}" for kind in ("arrive", "expect") for who in ("cta", "thread", "warp")]}
KNOWN |= {f"cuda.pipeline.pipeline_memcpy_async_thread_scope_{scope}_{size}": (["cxx.barrier.destroy-quiesce"], TWICE)
          for scope in ("block", "device", "system") for size in ("8", "16", "32", "64", "large_type")}
KNOWN |= {f"std.thread.thread.semaphore.{name}": (["order.data-race"], POINTER)
          for name in ("release", "acquire", "timed", "try_acquire")}
KNOWN |= {f"cuda.memcpy_async.group_memcpy_async_{size}b":
          (["order.data-race"], "threads still compare the destination when others begin to copy into it")
          for size in (16, 32, 64)}
KNOWN |= {
    "cuda.barrier.cp_async_bulk": (["bulk.proxy.g2s-needs-fence", "bulkgrp.read.not-visible"],
                                   "no proxy fence behind the stores; wait_group.read before the result is read"),
    "cuda.memcpy_async.memcpy_async_block": (["cxx.barrier.destroy-quiesce"], EARLY_END),
    "cuda.pipeline.pipeline_memcpy_async_producer_consumer": (["mbarrier.inval.quiescent"], EARLY_END),
    "cuda.pipeline.pipeline_divergent_threads": (["cxx.barrier.destroy-quiesce"],
                                                 EARLY_END + "; " + TWICE),
}
# A test whose kernel its host part launches.
NUMBERS = np.arange(2560)
OWN_LAUNCH = {"cuda.pipeline.pipeline_divergent_threads": lambda ptx: judge.Launch(
    ptx, "_Z12with_stagingPiPKimm", (1,), (256,), [("out", (2560,), "i32"), (NUMBERS.astype(np.int32), "i32"), "u64:2560",
                                                   "u64:10"], {0: NUMBERS})}

# file, what it says, what it is to say
EDITS = [
    ("support/concurrent_agents.h", "NV_IF_ELSE_TARGET(NV_IS_DEVICE, (if (", "NV_IF_ELSE_TARGET(NV_IS_DEVICE, (__syncthreads(); if ("),
    ("support/cuda_space_selector.h", "ptr->~T();", "end_of(*ptr);"),
    ("support/cuda_space_selector.h", "struct init_initializer",
     "template <class T> TEST_HOST_DEVICE_FUNC void end_of(T& t) { t.~T(); }\n#ifdef _CUDA_PIPELINE\n"
     "template <cuda::thread_scope S, cuda::std::uint8_t N>\n"
     "TEST_HOST_DEVICE_FUNC void end_of(cuda::pipeline_shared_state<S, N>&) {}\n#endif\nstruct init_initializer"),
    ("libcudacxx/cuda/barrier/arrive_tx.h", "shared_memory_selector<barrier_t, constructor_initializer> sel_2;",
     "typename shared_memory_selector<barrier_t, constructor_initializer>::template "
     "offsetted<decltype(sel_1)::shared_offset> sel_2;"),
    ("libcudacxx/cuda/barrier/cp_async_bulk.pass.cpp", "  __threadfence();",
     "  asm volatile(\"fence.proxy.async.global;\" ::: \"memory\");\n  __threadfence();"),
    ("libcudacxx/cuda/barrier/cp_async_bulk.pass.cpp", "wait_group_read<0>();",
     "wait_group_read<0>();\n    asm volatile(\"cp.async.bulk.wait_group 0;\" ::: \"memory\");"),
    ("libcudacxx/cuda/memcpy_async/group_memcpy_async.h", "construct(+thread_block_size);",
     "construct(+thread_block_size);\n  __syncthreads();"),
    *[("libcudacxx/cuda/memcpy_async/group_memcpy_async.h", text, text + "\n  __syncthreads();") for text in
      ("assert(*dest == 0);", "assert(*dest == 12);", "assert(*source == 24);", "assert(*dest == 24);",
       "assert(*source == 48);")],
]
POINTERS = [f"libcudacxx/std/thread/thread.semaphore/{name}.pass.cpp" for name in ("release", "acquire", "timed", "try_acquire")]


def mend(tree):
    for name, old, new in EDITS:
        path = os.path.join(tree, name)
        with open(path) as f:
            text = f.read()
        if old not in text:
            print(f"cccl: {name} has changed: no '{old}'", file=sys.stderr)
        with open(path, "w") as f:
            f.write(text.replace(old, new))
    for name in POINTERS:
        path = os.path.join(tree, name)
        with open(path) as f:
            text = f.read()
        with open(path, "w") as f:
            f.write(re.sub(r"(\n\s*s\s*= sel\.construct\([^;]*;)", r"\1\n  NV_IF_TARGET(NV_IS_DEVICE, (__syncthreads();))", text))


def tests_of(tree):
    """Names and sources."""
    root = os.path.join(tree, "libcudacxx")
    found = {}
    for part in TESTS:
        for path in sorted(glob.glob(os.path.join(root, part + "*.pass.cpp")) +
                           glob.glob(os.path.join(root, part, "*.pass.cpp"))):
            found[os.path.relpath(path, root).replace("/", ".")[: -len(".pass.cpp")]] = path
    return found


def build(tree, source, ptx):
    """Compiles a test as its harness does; a line of what went wrong, or None."""
    if os.path.exists(ptx) and os.path.getmtime(ptx) > os.path.getmtime(source):
        return None
    ran = subprocess.run(
        [os.environ.get("NVCC", "nvcc"), "-ptx", "-arch=sm_90a", "-std=c++17", "-lineinfo", "-w",
         "--expt-relaxed-constexpr", "--extended-lambda", "-I", os.path.join(tree, "../include"), "-I",
         os.path.join(tree, "support"), "-I", os.path.join(tree, "libcudacxx"), "-include",
         os.path.join(tree, "libcudacxx/force_include.h"), "-x", "cu", source, "-o", ptx],
        capture_output=True, text=True)
    if ran.returncode == 0:
        return None
    if os.path.exists(ptx):
        os.remove(ptx)
    return next((line for line in ran.stderr.splitlines() if "error" in line), "nvcc failed")[:200]


def number(text, name, otherwise):
    """What the test's host part sets the variable to, a number or a constant of the test."""
    said = re.findall(rf"{name}\s*=\s*(\w+)", text)
    value = said[-1] if said else str(otherwise)
    if not value.isdigit():
        value = next(iter(re.findall(rf"constexpr[^;]*\b{value}\s*=\s*(\d+)", text)), str(otherwise))
    return int(value)


def judge_tree(copycheck, tree, folder, known, family, broken=False):
    os.makedirs(folder, exist_ok=True)
    table = judge.Table(family, known)
    tests = {name: path for name, path in tests_of(tree).items() if judge.wanted(name)}
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        built = {name: pool.submit(build, tree, path, os.path.join(folder, name + ".ptx")) for name, path in tests.items()}
        for name, path in tests.items():
            why = built[name].result()
            if why:
                table.line(name, "not compiled", notes=[why])
                continue
            if name.startswith(HOST):
                table.line(name, "skipped", fault="its map is encoded by the host")
                continue
            with open(path) as f:
                text = f.read()
            for header in re.findall(r'#include "(\w+\.h)"', text):
                beside = os.path.join(os.path.dirname(path), header)
                if os.path.exists(beside):
                    with open(beside) as f:
                        text = f.read() + text
            ptx = os.path.join(folder, name + ".ptx")
            if name in OWN_LAUNCH:
                table.line(name, *OWN_LAUNCH[name](ptx).run(copycheck, os.path.join(folder, name)))
                continue
            threads, cluster = number(text, "cuda_thread_count", 1), number(text, "cuda_cluster_size", 1)
            launch = judge.Launch(ptx, "_Z16fake_main_kernelPi", (cluster,), (threads,),
                                  [("out", (1,), "i32")], {0: np.zeros(1)}, cluster=(cluster,) if cluster > 1 else None)
            ran = launch.run(copycheck, os.path.join(folder, name))
            table.line(name, *ran)
            if broken and ran[0] == "clean":
                judge_without(table, name, launch, copycheck, os.path.join(folder, name))
    return table.end()


def main():
    copycheck, folder = sys.argv[1], sys.argv[2]
    tree = os.path.join(os.path.abspath(os.environ["CCCL"]), "libcudacxx/test")
    bad = judge_tree(copycheck, tree, os.path.join(folder, "as-is"), KNOWN, "libcu++")
    mended = os.path.join(os.path.abspath(folder), "tree")
    shutil.rmtree(mended, ignore_errors=True)
    shutil.copytree(os.path.join(tree, "../include"), os.path.join(mended, "include"))
    shutil.copytree(tree, os.path.join(mended, "test"))
    mend(os.path.join(mended, "test"))
    return judge_tree(copycheck, os.path.join(mended, "test"), os.path.join(folder, "mended"), {}, "libcu++ mended", True) or bad


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
