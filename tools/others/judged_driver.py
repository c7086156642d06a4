"""A driver for Triton that has no GPU: each launch is compiled to PTX and runs through copycheck check. What the kernel
writes comes back into the tensors, which stay on the CPU, so that whole functions of a library can be called."""

import json
import os
import re
import subprocess
import types

import numpy as np
import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import CompiledKernel
from triton.runtime.autotuner import Autotuner

WIDTHS = {"i1": "u8", "u1": "u8", "i8": "s8", "u8": "u8", "i16": "s16", "u16": "u16", "i32": "s32", "u32": "u32",
          "i64": "s64", "u64": "u64", "fp32": "f32", "fp64": "f64"}


class Verdicts:
    """What came of the launches since the last reset."""

    def __init__(self, copycheck, folder):
        self.copycheck, self.folder, self.number = copycheck, folder, 0
        self.reset("")

    def reset(self, name):
        self.name, self.instructions, self.notes, self.rules, self.words, self.known = name, 0, [], set(), set(), set()

    def worst(self):
        for word in ("not run", "unsupported", "diagnosed", "known"):
            if word in self.words:
                return word
        return "clean" if self.words else "no launch"


verdicts = None


def storage_bytes(tensor):
    """The bytes from the tensor's first element to the end of its storage, as an array that shares them."""
    storage = tensor.untyped_storage()
    whole = torch.tensor([], dtype=torch.uint8).set_(storage)
    return whole.numpy()[tensor.storage_offset() * tensor.element_size():]


def argument(kind, value, path):
    """The words of --arg, and the array that the kernel may change."""
    if isinstance(value, torch.Tensor):
        array = storage_bytes(value)
        array.tofile(path + ".in")
        return f"in:{max(array.size, 16)}@{path}.in" if array.size >= 16 else f"in:16@{padded(path)}", array
    if value is None:
        return "u64:0", None
    if kind.startswith("fp") or kind == "bf16":
        return f"{WIDTHS.get(kind, 'f32')}:{float(value)!r}", None
    return f"{WIDTHS[kind]}:{int(value)}", None


def padded(path):
    with open(path + ".in", "ab") as f:
        f.write(bytes(16 - os.path.getsize(path + ".in")))
    return path + ".in"


def launch(kernel, grid, args):
    """Runs a launch through check, and takes over the bytes that it changed."""
    signature = list(kernel.src.signature.values())
    verdicts.number += 1
    base = os.path.join(verdicts.folder, f"{verdicts.name}.{verdicts.number}.{kernel.name}"[:150])
    with open(base + ".ptx", "w") as f:
        f.write(kernel.asm["ptx"])
    meta = kernel.metadata
    command = [verdicts.copycheck, "check", base + ".ptx", "--format", "jsonl", "--grid", ",".join(map(str, grid)), "--block",
               str(meta.num_warps * 32), "--smem", str(meta.shared)]
    if "SCHEDULES" in os.environ:
        command += ["--schedules", os.environ["SCHEDULES"]]
    changed, count = [], 0
    for kind, value in zip(signature, args):
        if kind == "constexpr":
            continue
        words, array = argument(kind, value, f"{base}.{count}")
        command += ["--arg", words]
        if array is not None:
            command += ["--dump", f"{count}={base}.{count}.out"]
            changed.append((array, f"{base}.{count}"))
        count += 1
    entry = kernel.asm["ptx"].split(".visible .entry ")[1]
    scratch = max(1024, getattr(meta, "global_scratch_size", 0) * int(np.prod(grid)))
    command += [word for _ in range(entry[: entry.index(")")].count(".param") - count) for word in ("--arg", f"out:{scratch}")]
    with open(base + ".command", "w") as f:
        f.write(" ".join(command) + "\n")
    ran = subprocess.run(command, capture_output=True, text=True)
    note(kernel.name, ran)
    for array, path in changed if ran.returncode < 2 else ():
        before, after = np.fromfile(path + ".in", np.uint8)[: array.size], np.fromfile(path + ".out", np.uint8)[: array.size]
        where = before != after
        array[where] = after[where]
    for _, path in changed:
        for end in (".in", ".out"):
            if ran.returncode == 0 and os.path.exists(path + end):
                os.remove(path + end)


def note(name, ran):
    lines = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    verdicts.instructions += lines[-1].get("instructions", 0) if lines else 0
    said = (ran.stderr + ran.stdout).strip()
    if ran.returncode > 1:
        verdicts.words.add("unsupported" if "unsupported" in said else "not run")
        verdicts.notes.append(f"{name}: {said.splitlines()[0][:200] if said else 'status'} {ran.returncode}")
        return
    findings = [f for f in lines[:-1] if f["severity"] == "error"]
    why = [known(f["rule"], f["message"]) for f in findings]
    verdicts.words.add("clean" if not findings else "known" if all(why) else "diagnosed")
    verdicts.known.update(w for w in why if w)
    for f, w in zip(findings, why):
        if not w:
            verdicts.rules.add(f["rule"])
            verdicts.notes.append(f"{name}: {f['rule']}: {f['message']}")


ACCESS = r"(read|written) by thread (\d+),0,0 of CTA (\S+) \(line (\d+)\)"


def known(rule, message):
    """What Triton's code does at small sizes (docs/check.md), in words; None where it is neither."""
    found = re.search(ACCESS + ", " + ACCESS + ", and nothing orders", message)
    if rule != "order.data-race" or not found:
        return None
    how, thread, cta, line, other_how, other, other_cta, other_line = found.groups()
    if cta != other_cta:
        return None
    if (how, line) == (other_how, other_line) and how == "written" and "shared memory" in message:
        return "lanes of one store differ"
    if {how, other_how} == {"read", "written"} and "--arg" in message and int(thread) // 32 != int(other) // 32:
        return "replicas read what is updated in place"
    return None


class Driver:
    """What Triton asks a driver, for one device with few processors: grids stay small."""

    def __init__(self, arch):
        self.arch = arch
        self.utils = types.SimpleNamespace(get_device_properties=lambda device: {
            "max_shared_mem": 232448, "max_num_regs": 65536, "multiprocessor_count": 4, "warpSize": 32,
            "sm_clock_rate": 1, "mem_clock_rate": 1, "mem_bus_width": 1})

    @classmethod
    def is_active(cls):
        return True

    def get_current_target(self):
        return GPUTarget("cuda", self.arch, 32)

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device=0):
        return 0

    def get_active_torch_device(self):
        return torch.device("cpu")

    def get_device_interface(self):
        return torch.cuda

    def map_python_to_cpp_type(self, kind):
        return kind

    def get_benchmarker(self):
        return lambda call, **_: [1.0, 1.0, 1.0]


def first_config(self, *args, **kwargs):
    """No kernel is timed: the first configuration that the library keeps for these arguments."""
    self.nargs = dict(zip(self.arg_names, args))
    configs = self.prune_configs(kwargs) if len(self.configs) > 1 else self.configs
    config = configs[0]
    if config.pre_hook is not None:
        config.pre_hook({**self.nargs, **kwargs, **config.all_kwargs()})
    result = self.fn.run(*args, **kwargs, **config.all_kwargs())
    self.nargs = None
    return result


def install(copycheck, folder, arch):
    """Makes all launches of Triton kernels in this process go through check, as code for sm_`arch`."""
    global verdicts
    os.makedirs(folder, exist_ok=True)
    verdicts = Verdicts(copycheck, folder)
    triton.runtime.driver.set_active(Driver(arch))
    Autotuner.run = first_config
    CompiledKernel._init_handles = lambda self: None
    CompiledKernel.launch_metadata = lambda self, grid, stream, *args: self
    CompiledKernel.run = property(
        lambda self: lambda x, y, z, stream, function, packed, kernel, enter, leave, *args: launch(kernel, (x, y, z), args))
    torch.cuda.get_device_properties = lambda device=None: types.SimpleNamespace(
        multi_processor_count=4, name="none", major=arch // 10, minor=arch % 10, total_memory=1 << 37, shared_memory_per_block_optin=232448)
    torch.cuda.get_device_capability = lambda device=None: (arch // 10, arch % 10)
    torch.cuda.is_available = lambda: True
    torch.cuda.current_device = lambda: 0
    return verdicts
# SPDX-License-Identifier: Apache-2.0
