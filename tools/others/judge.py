"""Runs kernels through copycheck check and holds what they compute to numpy. What the programs in this folder share."""

import json
import os
import re
import subprocess
import sys

import numpy as np

TYPES = {"f16": np.float16, "f32": np.float32, "i8": np.int8, "i32": np.int32, "bf16": np.uint16, "f64": np.float64,
         "f8": np.uint8, "u64": np.uint64}


def from_type(values, kind):
    if kind == "bf16":
        return (values.astype(np.uint32) << 16).view(np.float32)
    return values


class Launch:
    """A launch of a PTX file. Arguments are (array, kind), ("out", shape, kind), ("zero", shape, kind), ints, floats or texts of --arg;
    expected maps an argument's number to what it should hold."""

    def __init__(self, ptx, entry, grid, block, args, expected, smem=0, scratch=(), tolerance=1e-5, cluster=None,
                 options=()):
        self.ptx, self.entry, self.grid, self.block, self.args = ptx, entry, grid, block, args
        self.expected, self.smem, self.scratch, self.tolerance = expected, smem, scratch, tolerance
        self.cluster, self.options = cluster, list(options)

    def command(self, copycheck, base):
        triple = lambda v: ",".join(map(str, v))
        command = [copycheck, "check", self.ptx, "--format", "jsonl", "--grid", triple(self.grid), "--block",
                   triple(self.block), "--smem", str(self.smem), *self.options]
        if "--schedule" not in self.options:
            command += ["--schedules", os.environ.get("SCHEDULES", "1")]
        if self.entry:
            command += ["--entry", self.entry]
        if self.cluster:
            command += ["--cluster", triple(self.cluster)]
        for k, value in enumerate(self.args):
            if isinstance(value, tuple) and isinstance(value[0], str):
                size = int(np.prod(value[1])) * np.dtype(TYPES[value[2]]).itemsize
                if value[0] == "zero":
                    np.zeros(size, np.uint8).tofile(f"{base}.{k}.in")
                command += ["--arg", f"out:{size}" if value[0] == "out" else f"in:{size}@{base}.{k}.in"]
                command += ["--dump", f"{k}={base}.{k}.out"]
            elif isinstance(value, tuple):
                value[0].tofile(f"{base}.{k}.in")
                command += ["--arg", f"in:@{base}.{k}.in"]
                if k in self.expected:
                    command += ["--dump", f"{k}={base}.{k}.out"]
            elif isinstance(value, str):
                command += ["--arg", value]
            else:
                command += ["--arg", f"s32:{value}" if isinstance(value, int) else f"f32:{value!r}"]
        for size in self.scratch:
            command += ["--arg", f"out:{size}"]
        return command

    def run(self, copycheck, base):
        """A verdict, instructions, the greatest difference, and what to say about it."""
        for k in self.expected:
            if os.path.exists(f"{base}.{k}.out"):
                os.remove(f"{base}.{k}.out")
        command = self.command(copycheck, base)
        with open(base + ".command", "w") as f:
            f.write(" ".join(command) + "\n")
        ran = subprocess.run(command, capture_output=True, text=True)
        lines = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
        end = lines[-1] if lines else {}
        said = (ran.stderr + ran.stdout).strip()
        verdict = {0: "clean", 1: "diagnosed", 2: "unsupported" if "unsupported" in said else "not run"}.get(
            ran.returncode, f"status {ran.returncode}")
        found = [f for f in lines[:-1] if f["severity"] == "error"] # no remarks
        rules = {f["rule"] for f in found}
        notes = list(dict.fromkeys(f"{f['rule']}: {f['message']}" for f in found))
        if end.get("end") == "too-long": # it waits for ever
            verdict, rules = "diagnosed", rules | {"too-long"}
        if ran.returncode > 1:
            notes.append(said.splitlines()[0][:200])
        return verdict, end.get("instructions", ""), self.difference(base, ran.returncode), notes, rules

    def difference(self, base, status):
        worst = ""
        for k, want in self.expected.items():
            if status > 1 or not os.path.exists(f"{base}.{k}.out"):
                continue
            kind = self.args[k][-1]
            got = from_type(np.fromfile(f"{base}.{k}.out", TYPES[kind]), kind).astype(np.float64).reshape(want.shape)
            gap = np.abs(got - want).max()
            worst = f"{gap:.2g}" if gap <= self.tolerance * max(1.0, np.abs(want).max()) else f"{gap:.2g} WRONG"
        return worst


class Table:
    """Prints a line for each kernel. A kernel that others broke has the rules that it breaks in `known`; `broken`, a
    pattern of rules, says that it was broken on purpose and has to be found."""

    def __init__(self, family, known=None):
        self.family, self.known, self.counts = family, known or {}, {}

    def line(self, name, verdict, instructions="", difference="", notes=(), rules=(), broken=None, fault=""):
        if name in self.known and verdict == "diagnosed":
            wanted, why = self.known[name]
            verdict = "defect" if set(wanted) <= set(rules) else verdict
            fault = why
        if broken is not None:
            verdict = "found" if any(rule and re.match(broken, rule) for rule in rules) else "MISSED"
        bad = verdict in ("diagnosed", "not run", "MISSED", "not compiled") or (
            "WRONG" in difference and verdict not in ("defect", "found"))
        word = verdict if not bad else verdict.upper()
        self.counts[word] = self.counts.get(word, 0) + 1
        print(f"{self.family}/{name:44} {word:12} {instructions!s:>12} {difference:>12}  {fault}".rstrip(), flush=True)
        if bad:
            for note in list(notes)[:4]:
                print("    " + note)

    def end(self):
        print(f"{self.family}: " + ", ".join(f"{n} {word}" for word, n in sorted(self.counts.items())))
        return any(word.isupper() for word in self.counts)


def wanted(name):
    return len(sys.argv) <= 3 or any(word in name for word in sys.argv[3:])
# SPDX-License-Identifier: Apache-2.0
