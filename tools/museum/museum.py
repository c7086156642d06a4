"""Bugs that really happened: public projects from before a fix and from behind it, both judged by copycheck check.

usage: museum.py COPYCHECK FOLDER [--write DOCUMENT] [--mirror DIR] [NAME...]
The pieces are listed in releases.py and commits.py. Packages are fetched by pip into FOLDER, and commits by git, from GitHub
or from repositories in DIR (owner/name, owner+name or name; the git directory may be below it); they stay there. Prints a
line for each side of each piece: what check named; a word in capitals is an unexpected result. --write puts what is told of
these pieces into the document, between its marks. No GPU is used."""

import argparse
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "others"))
import fetch
import host
from commits import COMMITS
from releases import RELEASES

SECTIONS = ("By releases", RELEASES), ("By commits", COMMITS)
BEGIN, END = "<!-- what tools/museum/run wrote -->", "<!-- to here -->"


def sources(piece, side, folder, mirror):
    """The folder of a side's sources, and the folders that its compiler includes."""
    version = piece.before if side == "before" else piece.after
    root = (fetch.commit(folder, mirror, piece.repository, version, piece.members) if piece.repository else
            fetch.release(folder, piece.package, version, piece.members))
    includes = [os.path.join(root, i) for i in piece.includes]
    for package, other, members, below in piece.needs:
        includes += [os.path.join(fetch.release(folder, package, other, members), i) for i in below]
    return root, includes


def prepare(piece, root, base):
    """Writes base.cu, and beside it piece.cuh where a file has to be cut: its text with the piece's edits. True where a
    run before has built the same."""
    with open(piece.source(root, HERE)) as f:
        text = f.read()
    texts = {base + ".cu": text}
    if piece.cut:
        with open(os.path.join(root, piece.cut)) as f:
            cut = f.read()
        for pattern, instead in piece.edits:
            cut, times = re.subn(pattern, instead, cut, flags=re.S | re.M)
            if not times:
                raise SystemExit(f"museum: {piece.name}: no '{pattern}' in {piece.cut}")
        texts[os.path.join(os.path.dirname(base), "piece.cuh")] = cut
    same = os.path.exists(base) and os.path.exists(base + ".ptx")
    for name, text in texts.items():
        if os.path.exists(name):
            with open(name) as f:
                same = same and f.read() == text
        with open(name, "w") as f:
            f.write(text)
    return same


def judged(piece, side, copycheck, folder, mirror):
    """What check says of the project before the fix or behind it: a host.Ran."""
    here = os.path.join(folder, piece.name, side)
    base = os.path.join(here, piece.name)
    os.makedirs(here, exist_ok=True)
    root, includes = sources(piece, side, folder, mirror)
    if piece.launch.endswith(".py"):
        return compiled(piece, copycheck, root, base)
    flags = [*piece.flags, *(piece.flags_before if side == "before" else piece.flags_after)]
    why = None if prepare(piece, root, base) else host.program(base, [here, *includes], folder, flags)
    if why:
        return refused(copycheck, base, why)
    return host.run(copycheck, base, base + ".ptx", base, piece.args, options=piece.options)


def compiled(piece, copycheck, root, base):
    """What check says of PTX that the release in root, a compiler, makes of our script's kernel. The script gets the path of
    the PTX and the piece's arguments, and prints the launch as options of check."""
    ran, environment = host.Ran(), dict(os.environ, PYTHONPATH=root, TRITON_CACHE_DIR=base + ".cache")
    told = subprocess.run([sys.executable, piece.source(root, HERE), base + ".ptx", *piece.args], capture_output=True, text=True,
                          env=environment)
    if told.returncode:
        ran.verdict, ran.notes = "not compiled", told.stderr.splitlines()[-1:]
        return ran
    said = subprocess.run([copycheck, "check", base + ".ptx", "--format", "jsonl", *told.stdout.split(), *piece.options.split()],
                          capture_output=True, text=True)
    host.hear(ran, said.stdout or said.stderr)
    return ran


def refused(copycheck, base, why):
    """What check says of PTX that ptxas refuses."""
    ran, ptx = host.Ran(), os.path.join(base + ".keep", os.path.basename(base) + ".ptx")
    ran.verdict, ran.notes = "not compiled", [why]
    if "ptxas" in why and os.path.exists(ptx):
        said = subprocess.run([copycheck, "check", ptx, "--block", "32", "--format", "jsonl"], capture_output=True, text=True)
        end = json.loads(said.stdout.splitlines()[-1]) if said.stdout else {}
        if end.get("end") == "refused":
            ran.verdict, ran.findings, ran.rules = "diagnosed", [end], {end["rule"] or "refused"}
    return ran


def expected(piece, side, ran):
    """Whether the project before is named by the rule, and the one behind clean, or named for what is said of it."""
    if side == "after":
        remains = piece.still and ran.verdict == "diagnosed" and (piece.same or not ran.rules & set(piece.rules))
        return ran.verdict == "clean" or bool(remains)
    return bool(ran.rules & set(piece.rules))


def row(piece, before, after):
    rule = next((r for r in piece.rules if r in before.rules), "?")
    found = "in the line of the instruction" if rule == "refused" else f"`{rule}`"
    findings = [f for f in before.findings if f.get("rule") == rule] or before.findings
    says = findings[0]["message"] if findings else (before.notes or ["nothing"])[0]
    says = re.sub(r"; /[^ ;)]*:\d+|(?<=address )0x[0-9a-f]+ ", "", re.sub(r"\s+", " ", says)) # what another machine says otherwise
    says = says.replace("|", "\\|")
    versions = " and ".join(piece.versions())
    what = f"{piece.package} {versions}" if piece.package else versions
    return (f"### {piece.title}\n\n{piece.project}, {what} ([the fix]({piece.fix}))\n\n"
            f"{piece.seen}\n\nBefore, `check` says {found}: {says}.\n\n"
            + (f"Behind the fix it still names something: {piece.still}.\n" if piece.still else "Behind the fix it is clean.\n"))


def write(document, told):
    """Puts what was told of pieces, by their titles, between the document's marks; of other pieces what stands there stays."""
    with open(document) as f:
        text = f.read()
    before, rest = text.split(BEGIN, 1)
    stood, behind = rest.split(END, 1)
    parts = {part.split("\n", 1)[0]: "### " + part for part in re.split(r"^(?:## .*\n+)?### |^## ", stood, flags=re.M)[1:]}
    rows = []
    for section, pieces in SECTIONS:
        rows.append(f"## {section}\n")
        rows += [told.get(p.title) or parts[p.title].rstrip() + "\n" for p in pieces if p.title in told or p.title in parts]
    with open(document, "w") as f:
        f.write(before + BEGIN + "\n\n" + "\n".join(rows) + "\n" + END + behind)


def show(piece, copycheck, folder, mirror):
    """Judges both sides and prints a line for each; whether both are as expected, and the piece's part of the document."""
    results, fine = [], True
    for side, version in zip(("before", "after"), piece.versions()):
        ran = judged(piece, side, copycheck, folder, mirror)
        as_said = expected(piece, side, ran)
        results.append(ran)
        fine &= as_said
        print(f"{piece.name:24} {version:10} {ran.verdict if as_said else ran.verdict.upper():12} {ran.instructions:>12}  "
              f"{', '.join(sorted(ran.rules))}".rstrip(), flush=True)
        for note in ran.notes[: 0 if as_said else 4]:
            print("    " + note)
    return fine, row(piece, *results)


def main():
    words = argparse.ArgumentParser(usage="tools/museum/run [--write DOCUMENT] [--mirror DIR] [NAME...]")
    for name in ("copycheck", "folder"):
        words.add_argument(name, type=os.path.abspath)
    words.add_argument("--write", type=os.path.abspath)
    words.add_argument("--mirror", type=os.path.abspath)
    words.add_argument("names", nargs="*")
    given = words.parse_intermixed_args()
    os.makedirs(given.folder, exist_ok=True)
    host.build_runtime(given.folder)
    fine, told = True, {}
    for piece in RELEASES + COMMITS:
        if not given.names or piece.name in given.names:
            as_said, told[piece.title] = show(piece, given.copycheck, given.folder, given.mirror)
            fine &= as_said
    if given.write:
        write(given.write, told)
    return not fine


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
