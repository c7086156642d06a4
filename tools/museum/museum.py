"""Bugs that really happened: releases of public projects from before a fix and from behind it, both judged by copycheck check.

usage: museum.py COPYCHECK FOLDER [--write DOCUMENT] [NAME...]
The pieces are listed in pieces.py. Packages are fetched by pip into FOLDER and stay there. Prints a line for each release of
each piece: what check named; a word in capitals is an unexpected result. --write puts the tables into the document, between
its marks. No GPU is used."""

import fnmatch
import json
import os
import re
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "others"))
import host
from pieces import PIECES

BEGIN, END = "<!-- what tools/museum/run wrote -->", "<!-- to here -->"


def release(folder, package, version, members):
    """A package's files that are wanted, unpacked; the folder that they are in."""
    into = os.path.join(folder, f"{package}-{version}")
    wheels = os.path.join(folder, "wheels")
    os.makedirs(wheels, exist_ok=True)
    start = f"{package.replace('-', '_')}-{version}-"
    if not any(name.startswith(start) for name in os.listdir(wheels)):
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":none:", "-d", wheels,
                        f"{package}=={version}"], check=True)
    wheel = next(name for name in os.listdir(wheels) if name.startswith(start))
    with zipfile.ZipFile(os.path.join(wheels, wheel)) as archive:
        for name in archive.namelist():
            if any(fnmatch.fnmatch(name, pattern) for pattern in members) and not os.path.exists(os.path.join(into, name)):
                archive.extract(name, into)
    return into


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


def judged(piece, side, copycheck, folder):
    """What check says of the release before the fix or behind it: a host.Ran."""
    here = os.path.join(folder, piece.name, side)
    base = os.path.join(here, piece.name)
    os.makedirs(here, exist_ok=True)
    version, parameters = (piece.before, piece.flags_before) if side == "before" else (piece.after, piece.flags_after)
    root = release(folder, piece.package, version, piece.members)
    why = None if prepare(piece, root, base) else host.program(base, [here, *(os.path.join(root, i) for i in piece.includes)], folder, [*piece.flags, *parameters])
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
    """Whether the release before is named by the rule, and the one behind clean, or named for what is said of it."""
    if side == "after":
        return ran.verdict == "clean" or bool(piece.still and ran.verdict == "diagnosed")
    return bool(ran.rules & set(piece.rules))


def row(piece, before, after):
    found = f"`{next((r for r in piece.rules if r in before.rules), '?')}`"
    if found == "`refused`":
        found = "in the line of the instruction"
    says = before.findings[0]["message"] if before.findings else before.notes[0]
    says = re.sub(r"\s+", " ", says).replace("|", "\\|")
    return (f"### {piece.title}\n\n{piece.project}, {piece.package} {piece.before} and {piece.after} ([the fix]({piece.fix}))\n\n"
            f"{piece.seen}\n\n`check` says {found} of the release before: {says}.\n\n"
            + (f"The release behind is named too: {piece.still}.\n" if piece.still else f"The release behind is {after.verdict}.\n"))


def write(document, rows):
    with open(document) as f:
        text = f.read()
    before, rest = text.split(BEGIN, 1)
    _, behind = rest.split(END, 1)
    with open(document, "w") as f:
        f.write(before + BEGIN + "\n\n" + "\n".join(rows) + "\n" + END + behind)


def main():
    copycheck, folder, names = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
    document = None
    if names[:1] == ["--write"]:
        document, names = names[1], names[2:]
    os.makedirs(folder, exist_ok=True)
    host.build_runtime(folder)
    bad, rows = False, []
    for piece in PIECES:
        if names and piece.name not in names:
            continue
        results = {}
        for side in ("before", "after"):
            ran = results[side] = judged(piece, side, copycheck, folder)
            fine = expected(piece, side, ran)
            bad |= not fine
            version = piece.before if side == "before" else piece.after
            print(f"{piece.name:24} {version:10} {ran.verdict if fine else ran.verdict.upper():12} {ran.instructions:>12}  "
                  f"{', '.join(sorted(ran.rules))}".rstrip(), flush=True)
            if not fine:
                for note in ran.notes[:4]:
                    print("    " + note)
        rows.append(row(piece, results["before"], results["after"]))
    if document:
        write(document, rows)
    return bad


if __name__ == "__main__":
    sys.exit(main())
