"""Programs that others wrote, judged again with one wait, fence, arrival or barrier taken out of their PTX. What
cutlass_kernels.py, product_kernels.py, cub_kernels.py and cccl_tests.py share."""

import os
import re

import host

# What goes out of the PTX, and the rules that may be named then. A launch of an entry that has none is left out.
STUCK = "mbarrier|deadlock|bulk|tensor|cxx.barrier"
BROKEN = [
    (r"wgmma\.wait_group", r"wgmma\."),
    (r"wgmma\.fence", r"wgmma\."),
    (r"wgmma\.commit_group", r"wgmma\."),
    (r"mbarrier\.arrive\.(release\.\w+\.)?shared", STUCK),
    (r"mbarrier\.arrive\.expect_tx", STUCK),
    (r"mbarrier\.try_wait", r"mbarrier|bulk|tensor|wgmma"),
    (r"mbarrier\.init", r"mbarrier|cxx"),
    (r"barrier\.cluster\.wait", r"mbarrier|cluster|bulk|tensor|barrier|fence"),
    (r"bar(rier)?(\.cta)?\.sync", r"cpasync|wgmma|mbarrier|order|bulk|tensor|cxx"),
    (r"cp\.async\.wait_", r"cpasync|group|wgmma"),
    (r"cp\.async\.bulk\.wait_", r"bulk|tensor"),
    (r"cp\.async\.bulk\.commit", r"bulk|tensor"),
    (r"fence\.proxy", r"wgmma\.proxy|tensor|bulk|fence"),
    (r"fence\.mbarrier_init", r"fence\.mbarrier_init|mbarrier"),
]


class Program:
    """`broken`: it is judged with each of BROKEN taken out too. `spare`: patterns of these without which it is clean, and why."""

    def __init__(self, source, args, check=None, edits=(), broken=False, known=None, spare=None):
        self.source, self.args, self.check = source, [str(a) for a in args], check
        self.edits, self.broken, self.known, self.spare = edits, broken, known, spare or {}


def without(ptx, pattern, to):
    """Writes the PTX without the first instruction that the pattern names, in each of its entries, or without all where these
    are barriers or fences; false if there is none. A wait that goes is one that came true."""
    with open(ptx) as f:
        lines = f.read().split("\n")
    done, found = False, False
    for k, line in enumerate(lines):
        if ".entry" in line:
            done = False
        if not done and re.match(r"\s*(@!?%p\d+ )?(" + pattern + ")", line):
            test = re.match(r"\s*mbarrier\.try_wait\S*\s+(\S+),", line)
            lines[k] = f"\tsetp.eq.u32 {test[1]}, 0, 0;" if test else ""
            done, found = not pattern.startswith(("bar", "fence")), True
    with open(to, "w") as f:
        f.write("\n".join(lines))
    return found


SCHEDULES = 12
# What orders threads, in a line of PTX: groups 1 and 2 are a wait that tests, and its predicate.
SYNC = re.compile(r"\s*(?:@!?%p\d+ )?(?:\{)?\s*(?:(mbarrier\.(?:try|test)_wait\S*)\s+(\S+),|(?:mbarrier\.arrive|bar\.|barrier\.|fence|membar|"
                  r"cp\.async\.(?:wait|commit|mbarrier|bulk\.(?:wait|commit)))\S*)")


def sites(lines, entry):
    """The numbers of the lines of an entry, and of the functions of its file, that order threads."""
    inside, found = False, []
    for k, line in enumerate(lines):
        if line.startswith((".visible .entry", ".entry")):
            inside = re.search(r"\b" + re.escape(entry) + r"\(", line) is not None
        elif re.match(r"\.(visible |weak )?\.?func", line):
            inside = True
        elif inside and SYNC.match(line) and ";" in line:
            found.append(k)
    return found


def taken(lines, gone):
    """The text without what the lines of these numbers do; an arrival's state becomes 0, and a wait one that came true."""
    lines = list(lines)
    for k in gone:
        wait = SYNC.match(lines[k])
        state = re.search(r"\s(%rd\d+),", lines[k])
        lines[k] = (f"setp.eq.u32 {wait[2]}, 0, 0;" if wait[1] else
                    f"mov.b64 {state[1]}, 0;" if "arrive" in lines[k] and state else "")
    return "\n".join(lines)


def wrong_in(launch, schedule, copycheck, base):
    """Whether its numbers are wrong in a schedule: accesses that are volatile or atomic do not race, whatever they find."""
    options, launch.options = launch.options, [*launch.options, "--schedule", str(schedule)]
    difference = launch.run(copycheck, base + ".without")[2]
    launch.options = options
    return "WRONG" in difference


def judge_without(table, name, launch, copycheck, base, why=""):
    """Judges a launch without each of what orders threads in its entry. What was not needed stays away when the next one goes:
    at the end each that is left is needed, since without it a rule is named or the numbers are wrong, and all others are not,
    since without all of them together nothing is named and the numbers are right in each schedule. `why` they are not."""
    with open(launch.ptx) as f:
        lines = f.read().split("\n")
    whole, launch.ptx, spare = launch.ptx, base + ".without.ptx", []
    for k in sites(lines, launch.entry):
        with open(launch.ptx, "w") as f:
            f.write(taken(lines, [*spare, k]))
        verdict, instructions, difference, notes, rules = launch.run(copycheck, base + ".without")
        word = f"without line {k + 1}, {' '.join(lines[k].split(';')[0].split())};"
        wrong = next((s for s in range(SCHEDULES) if wrong_in(launch, s, copycheck, base)), None) if verdict == "clean" else None
        if wrong is not None:
            table.line(name, "found", instructions, fault=f"{word} the numbers are wrong in schedule {wrong}")
        elif verdict == "clean":
            spare.append(k)
        else:
            rules = {rule or "(its own assertion)" for rule in rules}
            table.line(name, verdict, instructions, "", notes, rules, ".", f"{word} {', '.join(sorted(rules))}")
    for k in spare:
        table.line(name, "spare", fault=f"line {k + 1}, {' '.join(lines[k].split(';')[0].split())}; {why}".rstrip())
    launch.ptx = whole


def judge_program(table, copycheck, name, program, exe, folder):
    base = os.path.join(folder, "run_" + name)
    options = "--schedules " + os.environ.get("SCHEDULES", "1")
    ran = host.run(copycheck, exe, exe + ".ptx", base, program.args, True, options)
    difference = "" if ran.verdict == "not run" else "Passed" if "Passed" in ran.printed else "WRONG"
    if program.check and ran.verdict != "not run":
        gap = program.check(base, *[int(a) for a in program.args[:3]])
        difference = f"{gap:.2g}" + (" WRONG" if gap > 0 else "")
    table.line(name, ran.verdict, ran.instructions, difference, ran.notes, ran.rules)
    for number, (pattern, expected) in enumerate(BROKEN if program.broken else ()):
        ptx = os.path.join(folder, f"{name}.broken{number}.ptx")
        if not without(exe + ".ptx", pattern, ptx):
            continue
        ran = host.run(copycheck, exe, ptx, base + "_broken", program.args, False, options)
        word = pattern.replace("\\", "")
        if pattern in program.spare and ran.verdict == "clean":
            table.line(name, "spare", ran.instructions, fault=f"without {word}: {program.spare[pattern]}")
        else:
            table.line(name, ran.verdict, ran.instructions, "", ran.notes, ran.rules, expected,
                       f"without {word}: " + ", ".join(sorted(ran.rules)))
# SPDX-License-Identifier: Apache-2.0
