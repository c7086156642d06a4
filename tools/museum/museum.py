"""Bugs that really happened: public projects from before a fix and from behind it, both judged by copycheck check.

usage: museum.py COPYCHECK FOLDER [--write DOCUMENT] [--mirror DIR] [NAME...]
The pieces are listed in releases.py and commits.py. Packages are fetched by pip into FOLDER, and commits by git, from GitHub
or from repositories in DIR (owner/name, owner+name or name; the git directory may be below it); they stay there. Prints a
line for each side of each piece: what check named; a word in capitals is an unexpected result. --write puts the tables
into the document, between its marks. No GPU is used."""

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
    flags = [*piece.flags, *(piece.flags_before if side == "before" else piece.flags_after)]
    why = None if prepare(piece, root, base) else host.program(base, [here, *includes], folder, flags)
    if why:
        return refused(copycheck, base, why)
    return host.run(copycheck, base, base + ".ptx", base, piece.args, options=piece.options)


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
        return ran.verdict == "clean" or bool(piece.still and ran.verdict == "diagnosed")
    return bool(ran.rules & set(piece.rules))


def row(piece, before, after):
    found = f"`{next((r for r in piece.rules if r in before.rules), '?')}`"
    if found == "`refused`":
        found = "in the line of the instruction"
    says = before.findings[0]["message"] if before.findings else (before.notes or ["nothing"])[0]
    says = re.sub(r"\s+", " ", says).replace("|", "\\|")
    versions = " and ".join(piece.versions())
    what = f"{piece.package} {versions}" if piece.package else versions
    return (f"### {piece.title}\n\n{piece.project}, {what} ([the fix]({piece.fix}))\n\n"
            f"{piece.seen}\n\nBefore, `check` says {found}: {says}.\n\n"
            + (f"Behind the fix it still names something: {piece.still}.\n" if piece.still else "Behind the fix it is clean.\n"))


def write(document, rows):
    with open(document) as f:
        text = f.read()
    before, rest = text.split(BEGIN, 1)
    _, behind = rest.split(END, 1)
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
    fine, parts = True, []
    for section, pieces in (("By releases", RELEASES), ("By commits", COMMITS)):
        parts.append(f"## {section}\n")
        for piece in pieces:
            if not given.names or piece.name in given.names:
                as_said, part = show(piece, given.copycheck, given.folder, given.mirror)
                fine &= as_said
                parts.append(part)
    if given.write:
        write(given.write, parts)
    return not fine


if __name__ == "__main__":
    sys.exit(main())
