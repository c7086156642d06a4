"""Instructions, and the same ones changed in one place: what tools/ptx-forms asks about."""
import collections
import os
import re
import subprocess

from ptx_ask import ROOT
from ptx_pool import (ASM_TYPES, BASES, ELEMENTS, GUARDS, HEAD, MANY, NEEDS, NUDGES, OFFSETS, PLACES, POOL, PREFIXES,
                      REGISTERS, RELEASED, SPACES, STRAY, TARGETS)


def read_words():
    """The class of every word, and the words of every class, of words.def."""
    with open(os.path.join(ROOT, "harness/emu/ptx/words.def")) as f:
        found = re.findall(r'WORD\(\w+, "([^"]+)", (\w+)\)', f.read())
    of = collections.defaultdict(list)
    for word, kind in found:
        of[kind].append(word)
    return dict(found), of


class Form:
    """An instruction: name, modifiers, operands as text; the target that it is asked for."""

    def __init__(self, name, words, operands, target="sm_90a"):
        self.name, self.words, self.operands, self.target = name, words, operands, target

    def text(self, guard=""):
        head = ".".join([self.name] + self.words)
        return (guard + " " if guard else "") + head + (" " + ", ".join(self.operands) if self.operands else "") + ";"



# ---- instructions from the table ---------------------------------------------------------------------------------

def register(kind, number):
    kind = {"bf16": "b16", "bf16x2": "b32", "tf32": "b32", "f32x2": "b64", "u16x2": "b32", "s16x2": "b32",
            "e4m3x2": "b16", "e5m2x2": "b16", "texref": "b64"}.get(kind, kind)
    return "%s%d" % (REGISTERS.get(kind, "%r"), number % MANY.get(kind, 32 if kind not in REGISTERS else 8))


def operand(r, spec, types, words, number):
    """An operand of this kind (form.h), or None where there is none."""
    m = re.match(r"(\?)?(?:<(!?)([^>]*)>)?(.)(.*)$", spec)
    optional, unless, condition, kind, rest = m.groups()
    if condition and (condition in words) == bool(unless):
        return None
    if optional and r.random() < 0.5:
        return None
    count = 1
    if kind in "vVy":
        n = re.match(r"\d+", rest).group(0)
        count, rest = int(n), rest[len(n):]
    if kind in "wW":
        count = next((int(w[1:]) for w in words if w in ("v2", "v4", "v8")), 1)
    of = rest.rstrip("+")
    if re.fullmatch(r"T\d", of):
        at = int(of[1])
        of = types[at] if at < len(types) else "b32"
    if kind in "vVy" or (kind in "wW" and count > 1):
        return "{" + ", ".join(register(of, number + i) for i in range(count)) + "}"
    if kind in "dDsrwW":
        return register(of, number)
    if kind in "xX":
        return register(of, number) + "|%p1" if kind == "X" or r.random() < 0.3 else register(of, number)
    if kind in "pqnPQ":
        return "%%p%d" % (number % 8)
    if kind in "iIJ":
        first = re.match(r"-?\d+", rest)
        return first.group(0) if first else "1"
    if kind == "o":
        return "_"
    if kind in "aA":
        value = {"s": ["%r1", "sa"], "g": ["%rd1", "ga"], "c": ["ca"], "l": ["%rd1"], "p": ["p"]}.get(rest[:1])
        if rest[:1] == "S":
            spaces = [w for w in words if w.split("::")[0] in ("shared", "global", "const", "local", "param")]
            at = int(rest[1]) if rest[1:] else 0
            space = spaces[at].split("::")[0] if at < len(spaces) else "generic"
            value = {"shared": ["%r1", "sa"], "global": ["%rd1", "ga"], "const": ["%rd1", "ca"], "param": ["p"],
                     "local": ["%rd1", "la"]}.get(space, ["%rd1"])
        base = r.choice(value or ["%rd1"])
        return "[" + base + ("+16" if r.random() < 0.2 else "") + "]" if kind == "a" else base
    if kind == "t":
        dims = next((int(w[0]) for w in words if re.fullmatch(r"[1-5]d", w)), 2)
        dims = 5 if "tile::gather4" in words or "tile::scatter4" in words else dims
        return "[%rd1, {" + ", ".join("%%r%d" % (i + 1) for i in range(dims)) + "}]"
    if kind in "cuCe":
        return texel(r, kind, of, words, number)
    if kind == "l":
        return "L1"
    return "%r1"


# The elements of coordinates and of offsets by geometry; the first of an array's coordinates is an integer.
GEOMETRIES = {"1d": (1, 1), "2d": (2, 2), "3d": (4, 4), "a1d": (2, 1), "a2d": (4, 2), "cube": (4, 4), "acube": (4, 4),
              "2dms": (4, 2), "a2dms": (4, 2)}


def texel(r, kind, of, words, number):
    """[texture], [texture, {coordinates}], [surface, {coordinates}], or an offset or gradient."""
    if kind == "C":
        return {"texref": "[tx]", "surfref": "[sf]", "samplerref": "[sp]"}[of] if r.random() < 0.5 else "[%rd2]"
    geometry = next((w for w in words if w in GEOMETRIES), "2d")
    coordinates, steps = GEOMETRIES[geometry]
    if kind == "e":
        return "{" + ", ".join(register(of, number + i) for i in range(steps)) + "}"
    elements = [register("s32" if kind == "u" else of, number + i) for i in range(coordinates)]
    if kind == "c" and geometry in ("a1d", "a2d", "acube", "2dms", "a2dms"):
        elements[0] = "%r9"
    sampler = r.choice(["", "", "%rd2, ", "sp, "]) if kind == "c" else ""
    base = r.choice(["%rd1", "tx" if kind == "c" else "sf"])
    return "[" + base + ", " + sampler + "{" + ", ".join(elements) + "}]"


# The registers that one copy of a shape of tcgen05.ld and tcgen05.st fills.
TMEM = {"16x64b": 1, "16x128b": 2, "16x256b": 4, "32x32b": 1, "16x32bx2": 1}


def unsaid(r, name, words, types, number):
    """An operand that the table leaves to a function of C, by the name of the instruction."""
    if name.startswith("wgmma"):
        columns = next(int(re.match(r"m64n(\d+)k", w).group(1)) for w in words if w.startswith("m64n"))
        half = types[0] == "f16"
        return "{" + ", ".join(register("b32" if half else types[0], k) for k in range(columns // (4 if half else 2))) + "}"
    if name.startswith("tcgen05"):
        count = TMEM[next(w for w in words if w in TMEM)] * next(int(w[1:]) for w in words if re.fullmatch(r"x\d+", w))
        kind = types[0] if "red" in name else "b32"
        return "{" + ", ".join(register(kind, k) for k in range(min(count, 128))) + "}"
    if name.startswith("brx"):
        return "bt"
    if name.startswith("v"):
        parts = ["", "", ".h10", ".h3", ".h32"] if name[-1] == "2" else ["", "", ".b3210", ".b7531", ".b20", ".b3"] \
            if name[-1] == "4" else ["", "", "", ".b1", ".h1"]
        return register("b32", number) + r.choice(parts)
    return "%r1"


# Calls; the table says nothing of their operands.
CALLS = ["call (%r1), fn, (%r2);", "call.uni (%r1), fn, (%r2);", "call (%r1), %rd1, (%r2), pt;", "call (%r1), %rd1, (%r2), ct;"]


def table_forms(r, forms, classes, each):
    """`each` instructions of every row of the table."""
    done = subprocess.run([forms], capture_output=True, text=True, check=True)
    out = [take_apart(line) for line in CALLS]
    for row in done.stdout.splitlines():
        name, groups, operands, _, target = row.split("\t")
        if name == "call" or (name == "mov" and "z" in operands):
            continue
        for _ in range(each):
            words = []
            for g in groups.split():
                if g.startswith("?"):
                    if r.random() < 0.55:
                        continue
                    g = g[1:]
                words.append(r.choice(g.lstrip("^").split("|")))
            types = [w for w in words if classes.get(w) == "type"]
            given = [operand(r, s, types, words, 1 + 3 * k) if s[-1] != "z" else unsaid(r, name, words, types, 1 + 3 * k)
                     for k, s in enumerate(operands.split()) if s != "?z" or r.random() < 0.5]
            out.append(Form(name, words, [o for o in given if o], TARGETS.get(target, "sm_90a")))
    return out


# ---- instructions of PTX files -----------------------------------------------------------------------------------

def split_operands(text):
    parts, depth, cur = [], 0, ""
    for c in text:
        depth += c in "[{("
        depth -= c in "]})"
        if c == "," and not depth:
            parts.append(cur.strip())
            cur = ""
        else:
            cur += c
    return parts + [cur.strip()] if cur.strip() else parts


def take_apart(line):
    head, _, rest = line.strip().rstrip(";").strip().partition(" ")
    name, *words = head.split(".")
    return Form(name, words, split_operands(rest))


def asm_text(source):
    """The PTX of the asm statements of a CUDA source: operand %N becomes a register of its constraint's type."""
    out = []
    string = r'"(?:[^"\\]|\\.)*"'
    for m in re.finditer(r"\b(?:asm|__asm__)\s*(?:volatile|__volatile__)?\s*\(\s*((?:%s\s*)+)([^;]*?)\)\s*;" % string, source):
        body = "".join(s[1:-1] for s in re.findall(string, m.group(1)))
        body = body.replace("\\n", "\n").replace("\\t", " ")
        kinds = [ASM_TYPES.get(c[-1], "b32") for c in re.findall(r'"([=+]?\w)"\s*\(', m.group(2))]
        constants = [c[-1] == "n" for c in re.findall(r'"([=+]?\w)"\s*\(', m.group(2))]

        def put(d):
            n = int(d.group(1))
            if n >= len(kinds):
                return d.group(0)
            return "1" if constants[n] else "%%asm_%s_%d" % (kinds[n], n)
        out.append(re.sub(r"%(\d+)", put, body.replace("%%", "%")))
    types = "".join(".reg .%s %%asm_%s_<99>;\n" % (t, t) for t in sorted(set(ASM_TYPES.values())))
    return types + ";\n".join(out)


def file_forms(path, known):
    """The instructions of a file, with the registers and variables of HEAD; those in `known` are left out. What is not
    a .ptx is a CUDA source: the instructions of its asm statements."""
    with open(path, errors="replace") as f:
        text = f.read()
    if not path.endswith(".ptx"):
        text = asm_text(text)
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    m = re.search(r"\.target\s+(sm_\w+)", text)
    target = m.group(1) if m and m.group(1) in ("sm_100a", "sm_103a", "sm_120a") else "sm_90a"
    out, symbols = [], {}
    # a function after the other: a name means something else in each
    for part in re.split(r"\n(?=[^\n;{}]*\.(?:entry|func)\b)", text):
        types, symbols = {}, dict(symbols)
        for kind, names in re.findall(r"\.reg\s*\.(\w+)\s+([^;]+);", part):
            for name in names.split(","):
                types[re.sub(r"<\d+>", "", name.strip())] = kind
        for space, name in re.findall(r"(?:^|[\n(,;{])\s*(?:\.(?:visible|extern|weak)\s+)?\.(shared|global|const|local|param)\b"
                                      r"[^;(){}=,\n]*?\s([\w$%]+)\s*(?:\[[^\];]*\])*\s*(?=[;,=)\n])", part):
            symbols[name] = SPACES[space]
        out += part_forms(part, types, symbols, target, known)
    return out


def part_forms(text, types, symbols, target, known):
    """The instructions of one function."""
    out = []
    for line in re.split(r"[;{}]\s*\n|;|\n\s*\n", text):
        line = " ".join(line.split())
        line = re.sub(r"^(\$?[\w$]+:\s*)+", "", line.lstrip("{ "))
        line = re.sub(r"^@!?%?\w+\s+", "", line)
        if not re.match(r"[a-z][a-z0-9_]*(\.[\w:]+)*( |$)", line) or line.startswith(("call", "bra ", "bra.", "brx")):
            continue
        form = rename(take_apart(line), types, symbols, target)
        if form and form.text() not in known:
            known.add(form.text())
            out.append(form)
    return out


def rename(form, types, symbols, target):
    numbers = collections.Counter()
    given = {}

    def name(m):
        n = m.group(0)
        if n in symbols:
            return symbols[n]
        kind = types.get(re.sub(r"\d+$", "", n)) or types.get(n)
        if not kind or kind not in REGISTERS:
            return n
        if n not in given:
            numbers[kind] += 1
            given[n] = "%s%d" % (REGISTERS[kind], numbers[kind] % MANY.get(kind, 8))
        return given[n]
    operands = [re.sub(r"%?[A-Za-z_$][\w$]*", name, o) for o in form.operands]
    if any(re.search(r"%\d|\$|[A-Za-z_]\w{5,}", o) for o in operands):
        return None  # a name that is not known here
    if form.name == "tcgen05" or any(w.startswith(("cta_group", "tcgen05")) for w in form.words):
        target = "sm_100a"
    return Form(form.name, form.words, operands, target)


# ---- one change --------------------------------------------------------------------------------------------------

def shape(o):
    """An operand's kind and width, without numbers of registers and values of constants."""
    o = re.sub(r"(%[a-z]+\d?[a-z]*)\d+", r"\1", o)
    return re.sub(r"(?<![%\w.])-?\d[\w.]*", "#", o)


def with_element(r, form, k):
    """One element of a vector is another, missing or doubled; or all are."""
    old = form.operands[k]
    vector = re.search(r"\{([^{}]*)\}", old)
    if not vector:
        return None
    elements = [e.strip() for e in vector.group(1).split(",")]
    j, what = r.randrange(len(elements)), r.random()
    if what < 0.66:
        elements[j] = r.choice(ELEMENTS)
        say = "element %s" % shape(elements[j])
    elif what < 0.72:
        elements[j] = "_"
        say = "element %d of %d _" % (j, len(elements))
    elif what < 0.82:
        elements.pop(j)
        say = "element missing"
    elif what < 0.92:
        elements.insert(j, elements[j])
        say = "element more"
    else:
        elements = [e for e in elements for _ in "ab"]
        say = "vector doubled"
    return say, old[:vector.start()] + "{" + ", ".join(elements) + "}" + old[vector.end():]


def with_base(r, form, k):
    """The base of an address, or its offset, or both."""
    inner = re.fullmatch(r"\[([^,\]]*)(.*)\]", form.operands[k])
    if not inner:
        return None
    base, rest = inner.group(1), inner.group(2)
    how = r.random()
    new, offset = r.choice(BASES), r.choice(OFFSETS)
    if how < 0.45:
        return "base %s" % shape(new), "[" + re.sub(r"^[^+]*", lambda _: new, base) + rest + "]"
    if how < 0.75:
        new = re.sub(r"[+-].*$", "", base)
        return "offset %s" % offset, "[" + new + offset + rest + "]"
    return "base %s with %s" % (shape(new), offset), "[" + new + offset + rest + "]"


def with_constant(r, form, k):
    """A constant somewhere in the operand is another."""
    found = [m for m in re.finditer(r"(?<![%\w.$])\d+(?![\w.])", form.operands[k])]
    if not found:
        return None
    m, how = r.choice(found), r.choice(NUDGES)
    return "constant %s" % how, form.operands[k][:m.start()] + how.replace("{}", m.group(0)) + form.operands[k][m.end():]


def with_width(r, form, k):
    """A register somewhere in the operand is one of another width or kind."""
    found = list(re.finditer(r"%[a-z]+(?<!v2r)(?<!v4f)\d+", form.operands[k]))
    if not found:
        return None
    m, name = r.choice(found), r.choice(list(REGISTERS.values()))
    return "register %s" % name, form.operands[k][:m.start()] + name + "5" + form.operands[k][m.end():]


def changed_operands(r, form):
    """(what kind of change, operands) for one operand."""
    k = r.randrange(len(form.operands))
    old, out = form.operands[k], list(form.operands)
    for change, share in ((with_element, 0.4), (with_base, 0.5), (with_constant, 0.4), (with_width, 0.12)):
        changed = change(r, form, k) if r.random() < share else None
        if changed:
            out[k] = changed[1]
            return "%d %s" % (k, changed[0]), out
    how = r.random()
    if how < 0.14:
        out.pop(k)
        return "%d missing" % k, out
    if how < 0.20:
        out.insert(k, old)
        return "%d doubled" % k, out
    if how < 0.26:
        out.append(r.choice(POOL))
        return "one more: %s" % shape(out[-1]), out
    if how < 0.31 and len(out) > 1:
        j = r.randrange(len(out) - 1)
        out[j], out[j + 1] = out[j + 1], out[j]
        return "%d exchanged" % j, out
    if how < 0.38:
        mark = r.choice(PREFIXES)
        out[k] = mark + ("(%s)" % old if mark == "generic" else old)
        return "%d behind %s" % (k, mark), out
    out[k] = r.choice(POOL) if how > 0.42 else "_"
    return "%d is %s" % (k, shape(out[k])), out


def changed_words(r, form, classes, of):
    words = list(form.words)
    how = r.random()
    if words and how < 0.2:
        w = words.pop(r.randrange(len(words)))
        return "without ." + w, words
    if words and how < 0.26:
        k = r.randrange(len(words))
        words.insert(r.randint(0, len(words)), words[k])
        return "twice ." + words[k], words
    if len(words) > 1 and how < 0.32:
        k = r.randrange(len(words) - 1)
        words[k], words[k + 1] = words[k + 1], words[k]
        return "moved ." + words[k], words
    if words and how < 0.68:
        k = r.randrange(len(words))
        old = words[k]
        same = of.get(classes.get(old, ""), [])
        if classes.get(old) in ("flag", "directive", "shape", None) or len(same) < 2 or r.random() < 0.2:
            same = STRAY
        words[k] = r.choice(same)
        return ".%s for .%s" % (words[k], old), words
    w = r.choice(STRAY)
    words.insert(r.randint(0, len(words)), w)
    return "with ." + w, words


def module(version, target):
    """What stands before the instruction in the module that it is asked in; `version` is times ten. There are no
    registers of 128 bits before PTX ISA 8.3, and samplers in the independent texture mode only."""
    head = HEAD if version >= 83 else HEAD.replace(".reg .b128", ".reg .b64")
    head = head if "," in target else head.replace(".global .samplerref sp;\n", "")
    return head.replace("VERSION", "%d.%d" % divmod(version, 10)).replace("TARGET", target)


# Changes of the text that leave no instruction at all, most of them.
MARKS = ["{", "}", "[", "]", "(", ")", ",", ";", "|", "@", "!", "-", "+", ".", ":", " ", "_", "%", "0", "="]


def changed_text(r, text):
    """A mark that is missing, doubled, exchanged for another or too many; a letter of the other case; a comment."""
    places = [i for i, c in enumerate(text) if c in MARKS]
    k = r.choice(places)
    how = r.random()
    if how < 0.08:
        k = r.choice([i for i, c in enumerate(text) if c.isalpha()])
        return TEXT + "case of " + text[k], text[:k] + text[k].swapcase() + text[k + 1:]
    if how < 0.14:
        return TEXT + "comment at " + text[k], text[:k] + r.choice(["/**/", "/* ; */ ", "\t"]) + text[k:]
    if how < 0.4:
        return TEXT + "without " + text[k], text[:k] + text[k + 1:]
    if how < 0.6:
        return TEXT + "twice " + text[k], text[:k] + text[k:k + 1] * 2 + text[k + 1:]
    mark = r.choice(MARKS)
    if how < 0.8:
        return TEXT + "%s for %s" % (mark, text[k]), text[:k] + mark + text[k + 1:]
    return TEXT + "with " + mark, text[:k] + mark + text[k:]


TEXT = "text "  # what the name of such a change begins with


COMMON = ["b8", "b16", "b32", "b64", "u32", "s32", "f32", "f64", "pred"]


def statement(r, of):
    """(what kind, text) of a declaration, a call, a label or a block."""
    chosen = [r.choice(place) for place in r.choice(PLACES)]
    text = "".join(chosen).replace("^", " ")
    return TEXT + text, text.replace("$T", "." + r.choice(of["type"] if r.random() < 0.5 else COMMON))


def others(r, targets, newest):
    """Some pairs of a target and a version, lower ones of these targets among them: each pair costs a module."""
    pairs = [(t, v) for t in sorted(NEEDS) for v in RELEASED if NEEDS[t] <= v <= newest]
    of_targets = [p for p in pairs if p[0] in targets]
    return r.sample(pairs, 20) + [r.choice(of_targets) for _ in range(12)]


def change(r, form, classes, of):
    """(what kind of change, text) of the form with one change, or of its operands and modifiers."""
    how = r.random()
    if how < 0.04 and form.operands:
        what, operands = changed_operands(r, form)
        also, words = changed_words(r, form, classes, of)
        return what + ", " + also, Form(form.name, words, operands).text()
    how = r.random()
    if how < 0.02:
        g = r.choice(GUARDS)
        return "guard " + g, form.text(g)
    if how < 0.06:
        return changed_text(r, form.text())
    if how < 0.64 and form.operands:
        what, operands = changed_operands(r, form)
        return what, Form(form.name, form.words, operands).text()
    what, words = changed_words(r, form, classes, of)
    return what, Form(form.name, words, form.operands).text()


# Of these the name of a file's instruction is in its modifiers.
LONG_NAMES = ("cp", "mbarrier", "tcgen05", "wgmma", "wmma", "fence", "multimem")
TEXTURES = ("tex", "tld4", "txq", "suld", "sust", "sured", "suq", "istypep")
# Forms of these that differ by types, geometry or shape count as different instructions.
BY_TYPE = TEXTURES + ("wgmma", "wmma", "mma", "multimem", "ld", "st", "atom", "red")


def family(form, classes):
    """What instructions are chosen evenly over."""
    words = form.words[:2] if form.name in LONG_NAMES else []
    kinds = [w for w in form.words if classes.get(w) in ("type", "geometry")] if form.name.split(".")[0] in BY_TYPE else []
    return ".".join([form.name] + words + kinds[:3])


def choose(r, forms, count, classes, of, newest, statements):
    """`count` different changed instructions, evenly over the names of instructions: (target, version, name, change,
    text). `newest` is the version of those that are not for an older one, `statements` the share of what is no
    instruction."""
    families = collections.defaultdict(list)
    for f in forms:
        families[family(f, classes)].append(f)
    names = sorted(families)
    elsewhere = others(r, {f.target for f in forms}, newest)
    seen, texts, out, idle = set(), set(), [], 0
    while len(out) < count and idle < 200000:
        f = r.choice(families[r.choice(names)])
        target, version = f.target, newest
        how = r.random()
        if f.name in TEXTURES and r.random() < 0.15:
            target += ", texmode_independent"
        if how < statements:
            f, (what, text) = Form("statement", [], []), statement(r, of)
        elif how < 0.06:
            what, text = "as it is", f.text()
        elif how < 0.14:
            target, version = r.choice(elsewhere)
            what, text = "for %d %s" % (version, target), f.text()
        else:
            what, text = change(r, f, classes, of)
        key = (f.target, f.name, tuple(f.words), tuple(shape(o) for o in f.operands), what)
        idle += 1
        if key in seen or (target, version, text) in texts or "\n" in text:
            continue
        seen.add(key)
        texts.add((target, version, text))
        out.append((target, version, f.name, what, text))
        idle = 0
    return out
# SPDX-License-Identifier: Apache-2.0
