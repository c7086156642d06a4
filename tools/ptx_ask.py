"""Asking a ptxas and copycheck about instructions: what tools/ptx-forms and tools/ptx-fuzz share."""
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
MEMORY = 3 << 30  # bytes that one ptxas may use
SECONDS = 60      # that one ptxas may run


# A shell sets the limits: Python would copy itself to do so, which costs more than ptxas.
LIMITED = ["/bin/sh", "-c", 'ulimit -v %d; ulimit -c 0; exec "$@"' % (MEMORY >> 10), "sh"]


def newest_version(ptxas):
    """The PTX ISA of this release, times ten: 12.4 brought 8.4, 12.9 brought 8.8, 13.5 brings 9.5."""
    me = os.path.basename(sys.argv[0])
    try:
        out = subprocess.run([ptxas, "--version"], capture_output=True, text=True).stdout
    except OSError as e:
        sys.exit("%s: %s: %s" % (me, ptxas, e.strerror))
    m = re.search(r"release (\d+)\.(\d+)", out)
    if not m:
        sys.exit("%s: %s does not say its version" % (me, ptxas))
    major, minor = int(m.group(1)), int(m.group(2))
    return 90 + minor if major > 12 else min(80 + minor, 88)


class Ptxas:
    """A ptxas, and the module in which it judges instructions: `top`, one instruction a line, `tail`."""

    def __init__(self, program, path, target, top, tail):
        self.program, self.path, self.target, self.top, self.tail = program, path, target, top, tail
        self.before = top.count("\n") + 1

    def assemble(self, lines):
        """Its exit status, -1 if it ran too long, and what it prints."""
        with open(self.path, "w") as f:
            f.write(self.top + "".join(line + "\n" for line in lines) + self.tail)
        try:
            done = subprocess.run(LIMITED + [self.program, "-arch=" + self.target, "-O0", self.path, "-o", os.devnull],
                                  capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return -1, ""
        return done.returncode, done.stdout + done.stderr

    def alone(self, line):
        """What it says of this line in a module of its own."""
        return self.ask([line])[0]

    def misread(self, lines, told, token):
        """Which line a syntax error is in: ptxas tells the one of a token before or behind it."""
        near = sorted((j for j, line in enumerate(lines) if token in line or j == told), key=lambda j: abs(j - told))
        return next((j for j in near if self.alone(lines[j])), told)

    def refused(self, out, lines):
        """The lines that these messages are about, each with its message."""
        bad = {}
        for m in re.finditer(r", line (\d+); (?:error|fatal) *: (.*)", out):
            k = int(m.group(1)) - self.before
            near = re.match(r"Parsing error near '(.*?)'", m.group(2))
            if near and len(lines) > 1:
                k = self.misread(lines, k, near.group(1))
            if 0 <= k < len(lines):
                bad.setdefault(k, m.group(2))
        # told as a warning, and as an error that names no line if the module has no narrower address
        for m in re.finditer(r"Program uses 32-bit address on line '(\d+)'", out):
            bad.setdefault(int(m.group(1)) - self.before, "Program uses 32-bit address")
        return bad

    def ask(self, lines):
        """What it says of each line: None for accepted, a message for refused, "?" if it crashed or ran away. Lines
        that it refuses are taken out, and it is asked again, until the rest assembles."""
        says, live = [None] * len(lines), list(range(len(lines)))
        while live:
            status, out = self.assemble([lines[i] for i in live])
            if status == 0 and "Program uses 32-bit address" not in out:
                break
            bad = self.refused(out, [lines[i] for i in live])
            for k, message in bad.items():
                says[live[k]] = message
            if bad:
                live = [i for k, i in enumerate(live) if k not in bad]
            elif len(live) == 1:
                why = re.search(r"(?:error|fatal) *: *(.*)", out)
                says[live[0]] = "?" if status < 0 or not why or "Internal compiler error" in out else why.group(1)
                break
            else:
                for half in (live[:len(live) // 2], live[len(live) // 2:]):
                    for i, said in zip(half, self.ask([lines[i] for i in half])):
                        says[i] = said
                break
        return says


def ask_emu(copycheck, where, texts):
    """What the emulator's assembler says of each module: None for accepted, or its message. Files go into `where`."""
    paths = []
    for i, text in enumerate(texts):
        paths.append(os.path.join(where, "%d.ptx" % i))
        with open(paths[-1], "w") as f:
            f.write(text)
    with open(os.path.join(where, "list"), "w") as f:
        f.write("\n".join(paths) + "\n")
    done = subprocess.run([copycheck, "assemble", "--engine", "emu", "@" + os.path.join(where, "list")],
                          capture_output=True, text=True)
    says = {}
    for row in done.stdout.splitlines():
        cells = row.split("\t")
        says[cells[0]] = None if cells[1] == "accept" else " ".join(cells[3:])
    if len(says) != len(texts):
        sys.exit("%s: copycheck said nothing about some texts: %s" %
                 (os.path.basename(sys.argv[0]), done.stderr.strip()[:300]))
    return [says[p] for p in paths]
# SPDX-License-Identifier: Apache-2.0
