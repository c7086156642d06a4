"""Host programs with CUDA, built against a runtime without a GPU (host.c), so that each launch is judged by copycheck check.
What cutlass_kernels.py here and tools/museum share."""

import json
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
NVCC = os.environ.get("NVCC", "nvcc")
# Names that older host code uses and toolkit 13 has no more.
OLDER = ["-DPFN_cuTensorMapEncodeTiled=PFN_cuTensorMapEncodeTiled_v12000",
         "-DPFN_cuTensorMapEncodeIm2col=PFN_cuTensorMapEncodeIm2col_v12000"]


def build_runtime(folder):
    """Builds the runtime: folder/libhost.a."""
    include = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(shutil.which(NVCC)))), "include")
    objects = []
    for name in ("host", "host_launch", "host_answers"):
        objects.append(os.path.join(folder, name + ".o"))
        subprocess.run(["cc", "-O1", "-I", include, "-I", HERE, "-c", os.path.join(HERE, name + ".c"), "-o", objects[-1]],
                       check=True)
    subprocess.run(["ar", "rcs", os.path.join(folder, "libhost.a"), *objects], check=True)


def program(base, includes, library_folder, flags=()):
    """Builds base.cu into the program `base` and base.ptx; a line of what went wrong, or None. The machine code is left out."""
    keep = base + ".keep"
    os.makedirs(keep, exist_ok=True)
    command = [NVCC, "-std=c++17", "-gencode", "arch=compute_90a,code=compute_90a", "-cudart", "none", "-w",
               "--expt-relaxed-constexpr", "-lineinfo", *flags, "-c", base + ".cu", "-o", base + ".o", "--keep", "--keep-dir", keep]
    for include in includes:
        command += ["-I", include]
    for step in (command, ["g++", base + ".o", os.path.join(library_folder, "libhost.a"), "-o", base]):
        ran = subprocess.run(step, capture_output=True, text=True)
        if ran.returncode:
            said = (ran.stderr + ran.stdout).splitlines()
            return next((line for line in said if "error" in line or "undefined" in line), "failed")[:200]
    os.replace(os.path.join(keep, os.path.basename(base) + ".ptx"), base + ".ptx")
    shutil.rmtree(keep)
    return None


class Ran:
    """What came of a program: the worst verdict of its launches, their instructions, the rules that were named, notes, and
    what it printed. A finding is a pair of its rule and its message."""

    def __init__(self):
        self.verdict, self.instructions, self.rules, self.notes, self.printed, self.findings = "clean", 0, set(), [], "", []


def hear(ran, said):
    """Adds what check said of one launch; False where that was not run to its end."""
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    found = [line for line in lines if line.get("severity") == "error"]
    end = lines[-1] if lines else {}
    if end.get("end") == "refused":
        found = [end]
    if not found and end.get("end") != "done":
        ran.verdict, ran.notes = "not run", [said.splitlines()[0][:300] if said else "nothing was said"]
        if end.get("end") == "too-long":
            ran.rules, ran.findings = {"too-long"}, [end]
        return False
    ran.instructions += end.get("instructions", 0)
    ran.rules |= {f["rule"] for f in found if f["rule"]}
    ran.findings += [f for f in found if f.get("follows") is None and f.get("same_as") is None]
    ran.notes += [f"{f['rule']}: {f['message'][:300]}" for f in found]
    ran.verdict = "diagnosed" if found else ran.verdict
    return True


def run(copycheck, program, ptx, base, args=(), keep=False, options=""):
    """Runs a program whose launches go through check. Their files are named base.N..."""
    folder, ran = os.path.dirname(base), Ran()
    for old in os.listdir(folder):
        if re.match(re.escape(os.path.basename(base)) + r"\.\d+\.", old):
            os.remove(os.path.join(folder, old))
    environment = dict(os.environ, COPYCHECK=copycheck, COPYCHECK_PTX=ptx, COPYCHECK_WORK=base, COPYCHECK_ONCE="1",
                       COPYCHECK_KEEP="1" if keep else "0", COPYCHECK_OPTIONS="--format jsonl " + options)
    told = subprocess.run([program, *args], capture_output=True, text=True, env=environment)
    ran.printed, number = told.stdout, 0
    while os.path.exists(f"{base}.{number}.out"):
        with open(f"{base}.{number}.out") as f:
            if not hear(ran, f.read()):
                return ran
        number += 1
    if not number or (ran.verdict == "clean" and (told.returncode < 0 or told.returncode == 2)): # host_fail, or a signal
        said = [line for line in told.stderr.splitlines() if " launches, " not in line]
        ran.verdict, ran.notes = "not run", said[-1:] or ["no launch"]
    return ran
# SPDX-License-Identifier: Apache-2.0
