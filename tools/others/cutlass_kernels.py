"""CUTLASS's own programs for sm_90, from its Python package: the cute tutorials with wgmma, and example 48. Their host part
runs against a runtime without a GPU (host.c), so that each launch is judged by copycheck check; the products are held to
numpy. Each program is judged again with one wait, fence or arrival taken out of its PTX.

usage: cutlass_kernels.py COPYCHECK FOLDER CUTLASS [NAME...]
CUTLASS is the folder that holds include and examples. Prints a line for each: name, verdict, instructions, the greatest
difference. No GPU is used."""

import os
import re
import sys

import numpy as np

import host
import judge

TUTORIAL = "examples/cute/tutorial/hopper/"
# What is mended in the TMA tutorial of 4.2: after the last tile it goes on to copy, past the end, and waits for none of it.
LAST = ("if ((warp_idx == 0) && lane_predicate)\n    {\n      int pipe = write_state",
        "if ((warp_idx == 0) && lane_predicate && k_tile_count > 0)\n    {\n      int pipe = write_state")
# And in the one with cp.async: each thread waits for its own copies, and wgmma reads those of all.
OTHERS = [("cp_async_wait<0>();\n\n    warpgroup_fence",
           "cp_async_wait<0>();\n    asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n    __syncthreads();\n\n    warpgroup_fence"),
          ("    // Advance k_pipe_read\n", "    __syncthreads();\n    // Advance k_pipe_read\n")]
LATE = ["bulk.exit.dst-alive"], "copies past the last tile, which nobody waits for"
SCOPE = ["mbarrier.wait.scope-too-small"], "arrivals at another CTA's mbarrier, and the waits for them, have .cta scope"
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


# A line of PTX that goes, and the rules that may be named then.
WGMMA = [(r"wgmma\.wait_group", r"wgmma\."), (r"wgmma\.fence", r"wgmma\."), (r"wgmma\.commit_group", r"wgmma\.")]
TMA = WGMMA + [(r"mbarrier\.arrive\.shared", r"mbarrier|deadlock|bulk|tensor"),
               (r"mbarrier\.arrive\.expect_tx", r"mbarrier|deadlock|bulk|tensor"),
               (r"barrier\.cluster\.wait", r"mbarrier|cluster|bulk|tensor|barrier"),
               (r"mbarrier\.try_wait", r"mbarrier|bulk|tensor|wgmma")]
CP_ASYNC = WGMMA + [(r"cp\.async\.wait_", r"cpasync|group|wgmma"), (r"bar(rier)?(\.cta)?\.sync", r"cpasync|wgmma"),
                    (r"fence\.proxy", r"wgmma\.proxy")]


class Program:
    def __init__(self, source, args, check=None, edits=(), broken=(), known=None):
        self.source, self.args, self.check = source, [str(a) for a in args], check
        self.edits, self.broken, self.known = edits, broken, known


PROGRAMS = {
    "wgmma_tma_sm90": Program(TUTORIAL + "wgmma_tma_sm90.cu", (256, 128, 256), product(False), known=LATE),
    "wgmma_tma_sm90_mended": Program(TUTORIAL + "wgmma_tma_sm90.cu", (256, 128, 256), product(False), [LAST], TMA),
    "wgmma_tma_sm90_mended_tn": Program(TUTORIAL + "wgmma_tma_sm90.cu", (256, 128, 256, "T", "N"), product(True), [LAST]),
    "wgmma_sm90": Program(TUTORIAL + "wgmma_sm90.cu", (256, 128, 256), product(False), known=BARE),
    "wgmma_sm90_mended": Program(TUTORIAL + "wgmma_sm90.cu", (256, 128, 256), product(False), OTHERS, CP_ASYNC),
    "wgmma_sm90_mended_tn": Program(TUTORIAL + "wgmma_sm90.cu", (256, 128, 256, "T", "N"), product(True), OTHERS),
    "48": Program("examples/48_hopper_warp_specialized_gemm/48_hopper_warp_specialized_gemm.cu",
                  ("--m=128", "--n=128", "--k=128", "--iterations=1"), broken=[TMA[4]]),
    "48_refilled": Program("examples/48_hopper_warp_specialized_gemm/48_hopper_warp_specialized_gemm.cu",
                           ("--m=128", "--n=128", "--k=512", "--iterations=1"), known=SCOPE),
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


def without(ptx, pattern, to):
    """Writes the PTX without the first instruction that the pattern names, in each of its entries, or without all where these
    are barriers; false if there is none. A wait that goes is one that came true."""
    with open(ptx) as f:
        lines = f.read().split("\n")
    done, found = False, False
    for k, line in enumerate(lines):
        if ".entry" in line:
            done = False
        if not done and re.match(r"\s*(@!?%p\d+ )?(" + pattern + ")", line):
            test = re.match(r"\s*mbarrier\.try_wait\S*\s+(\S+),", line)
            lines[k] = f"\tsetp.eq.u32 {test[1]}, 0, 0;" if test else ""
            done, found = "bar" not in pattern[:3], True
    with open(to, "w") as f:
        f.write("\n".join(lines))
    return found


def judge_program(table, copycheck, name, program, exe, folder):
    base = os.path.join(folder, "run_" + name)
    options = "--schedules " + os.environ.get("SCHEDULES", "1")
    ran = host.run(copycheck, exe, exe + ".ptx", base, program.args, True, options)
    difference = "" if ran.verdict == "not run" else "Passed" if "Passed" in ran.printed else "WRONG"
    if program.check and ran.verdict != "not run":
        gap = program.check(base, *[int(a) for a in program.args[:3]])
        difference = f"{gap:.2g}" + (" WRONG" if gap > 0 else "")
    table.line(name, ran.verdict, ran.instructions, difference, ran.notes, ran.rules)
    for number, (pattern, expected) in enumerate(program.broken):
        ptx = os.path.join(folder, f"{name}.broken{number}.ptx")
        if not without(exe + ".ptx", pattern, ptx):
            table.line(f"{name} without {pattern}", "not compiled", notes=["no such instruction"])
            continue
        ran = host.run(copycheck, exe, ptx, base + "_broken", program.args, False, options)
        table.line(name, ran.verdict, ran.instructions, "", ran.notes, ran.rules, expected,
                   "without " + pattern.replace("\\", "") + ": " + ", ".join(sorted(ran.rules)))


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
