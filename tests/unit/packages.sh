#!/bin/sh
# What packages hold besides the program: one version everywhere, man pages and completions that are made from the help
# texts, archives that are the same bytes again.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common

# ---- version ----
read -r version < VERSION
echo "$version" | grep -qx '[0-9]*\.[0-9]*' || wrong "VERSION is not MAJOR.MINOR: $version"
"$copycheck" --version > "$aside/out" || wrong "--version ends with status $?"
[ "$(head -n 1 "$aside/out")" = "copycheck $version" ] || wrong "--version: $(cat "$aside/out")"
grep -q '^compiler  .*[0-9]' "$aside/out" || wrong "--version names no compiler: $(cat "$aside/out")"
tools/pkg-config-file /usr /usr/lib/here > "$aside/copycheck.pc"
grep -qx "Version: $version" "$aside/copycheck.pc" || wrong "pkg-config: $(cat "$aside/copycheck.pc")"
grep -q "^## $version\b" CHANGELOG.md || wrong "CHANGELOG.md says nothing of $version"
if command -v pkg-config > /dev/null; then
    tools/pkg-config-file '/a b' '/a b/lib' > "$aside/copycheck.pc"
    words=$(PKG_CONFIG_PATH=$aside pkg-config --cflags copycheck)
    [ "$words" = '-I/a\ b/include ' ] || [ "$words" = '-I/a\ b/include' ] || wrong "pkg-config: $words"
fi

# ---- help texts, taken apart ----
commands=$(tools/packaging/help-parts "$copycheck" | awk -F '\t' '$1 == "item" { print $2 }')
[ "$(echo "$commands" | wc -l)" -ge 20 ] || wrong "the commands: $commands"

# ---- man pages ----
export SOURCE_DATE_EPOCH=1700000000
tools/packaging/manual "$copycheck" "$aside/man" || wrong 'no man pages'
TZ=Asia/Tokyo LC_ALL=C tools/packaging/manual "$copycheck" "$aside/again"
diff -r "$aside/man" "$aside/again" > "$aside/out" || wrong "man pages differ: $(head -n 5 "$aside/out")"
[ "$(find "$aside/man" -type f | wc -l)" = "$(($(echo "$commands" | wc -l) + 1))" ] || wrong "not a page for each command"
for command in $commands; do
    page=$aside/man/copycheck-$command.1
    grep -q '^\.SH SYNOPSIS' "$page" && grep -q '^\.SH DESCRIPTION' "$page" || wrong "$command: its page lacks a section"
    sed 's/\\f[BIR]//g; s/\\-/-/g' "$page" > "$aside/text"
    "$copycheck" "$command" --help | grep -o '^  --[a-z0-9-]*' | while read -r option; do
        grep -A 1 '^\.TP' "$aside/text" | grep -qF -- "$option" || echo "$command: its page lacks $option"
    done > "$aside/out"
    [ ! -s "$aside/out" ] || wrong "$(cat "$aside/out")"
done
grep -q '^\.TH COPYCHECK\\-RUN 1 2023-11-14 ' "$aside/man/copycheck-run.1" || wrong "the date of a page: $(head -n 1 "$aside/man/copycheck-run.1")"
for page in "$aside/man"/*; do
    ! command -v groff > /dev/null || groff -ww -man -Tascii -Z "$page" 2>&1 > /dev/null
    ! command -v mandoc > /dev/null || mandoc -T lint "$page"
done > "$aside/out" 2>&1
[ ! -s "$aside/out" ] || wrong "man pages: $(head -n 5 "$aside/out")"

# ---- completions ----
tools/packaging/completion "$copycheck" "$aside/words" || wrong 'no completions'
! command -v zsh > /dev/null || zsh -n "$aside/words/zsh/_copycheck" || wrong 'zsh does not read its completion'
! command -v fish > /dev/null || fish -n "$aside/words/fish/copycheck.fish" || wrong 'fish does not read its completion'
cat > "$aside/try" << 'END'
. "$1"
compopt() { :; }
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_copycheck
echo "${COMPREPLY[*]}"
END
complete() { # WANT WORD...: what bash makes of the last word
    want=$1
    shift
    said=$(bash "$aside/try" "$aside/words/bash/copycheck" "$copycheck" "$@" 2>&1)
    [ "$said" = "$want" ] || wrong "completion of '$*': '$said', not '$want'"
}
if command -v bash > /dev/null; then
    complete 'swizzle' swi
    complete '--repeat' run --rep
    complete 'late eager random' check --delivery ''
    complete 'junit jsonl' run --format j
    complete 'grade' lab gr
    complete 'group.wait.uncommitted' explain group.wait.unc
fi

# ---- SBOM ----
mkdir -p "$aside/tree/usr/bin" "$aside/tree/usr/share/doc"
cp "$copycheck" "$aside/tree/usr/bin/copycheck"
cp LICENSE "$aside/tree/usr/share/doc/"
if command -v python3 > /dev/null; then
    tools/packaging/sbom "$aside/tree" > "$aside/one.json" && tools/packaging/sbom "$aside/tree" > "$aside/two.json" || wrong 'no SBOM'
    cmp "$aside/one.json" "$aside/two.json" || wrong 'two SBOMs of the same files differ'
    python3 - "$aside/one.json" "$version" << 'END' || wrong "the SBOM is not as it should be"
import hashlib, json, sys
s = json.load(open(sys.argv[1]))
own, = [p for p in s["packages"] if p["name"] == "copycheck"]
assert s["spdxVersion"] == "SPDX-2.3" and own["versionInfo"] == sys.argv[2], own
assert [f["fileName"] for f in s["files"]] == ["./usr/bin/copycheck", "./usr/share/doc/LICENSE"], s["files"]
sums = {c["algorithm"]: c["checksumValue"] for c in s["files"][1]["checksums"]}
assert sums["SHA256"] == hashlib.sha256(open("LICENSE", "rb").read()).hexdigest()
ids = {e["SPDXID"] for e in s["packages"] + s["files"]} | {"SPDXRef-DOCUMENT"}
assert all(r["spdxElementId"] in ids and r["relatedSpdxElement"] in ids for r in s["relationships"])
END
fi

# ---- who answers for a Debian package ----
unset MAINTAINER DEBFULLNAME DEBEMAIL
maintainer() { # WANT NAME=VALUE...
    want=$1
    shift
    said=$(env "$@" tools/packaging/maintainer 2> "$aside/said") || wrong "maintainer of $*: status $?"
    [ "$said" = "$want" ] && [ ! -s "$aside/said" ] || wrong "maintainer of $*: '$said', not '$want': $(cat "$aside/said")"
}
maintainer 'Ada Byron <ada@hospital.org>' 'MAINTAINER=Ada Byron <ada@hospital.org>'
maintainer 'Ada <a@b.org>' DEBFULLNAME=Ada DEBEMAIL=a@b.org
maintainer 'Bo <b@b.org>' DEBFULLNAME=Ada DEBEMAIL=a@b.org 'MAINTAINER=Bo <b@b.org>'
ends 0 "needs MAINTAINER='NAME <ADDRESS>'" tools/packaging/maintainer
grep -qx "$(id -un) <$(id -un)@.*>" "$aside/out" || wrong "maintainer of none: $(cat "$aside/out")"
refuses env 'MAINTAINER=ada@hospital.org' tools/packaging/maintainer
refuses env "MAINTAINER=Ada <a@b.org>
Uploaders: Bo <b@b.org>" tools/packaging/maintainer
refuses env 'MAINTAINER=Ada <a@b.org>, Bo <b@b.org>' tools/packaging/maintainer

# ---- licences ----
printf 'int a;\n' > "$aside/a.c"
printf '#!/bin/sh\nexit 0' > "$aside/b"
tools/licences "$aside/a.c" "$aside/b" > "$aside/out" && wrong 'files without a licence are not named'
[ "$(wc -l < "$aside/out")" = 2 ] || wrong "licences: $(cat "$aside/out")"
tools/licences --add "$aside/a.c" "$aside/b" && tools/licences "$aside/a.c" "$aside/b" > "$aside/out" || wrong "licences --add: $(cat "$aside/out")"
[ "$(tail -n 2 "$aside/b" | head -n 1)" = 'exit 0' ] || wrong "licences --add: $(cat "$aside/b")"

# ---- PTX without the folder it was made in ----
{
    echo '.global .b8 _ZN39_INTERNAL_3eaf6c23_9_tensor_cu_56bdabcd1aE[1];'
    echo "	.file	1 \"$PWD/./kernels/box.cuh\""
    echo '	.file	2 "/usr/include/cuda.h"'
    echo 'info_string0:'
    echo '.b8 95,90,95,73,78,84,69,82,78,65,76,95,51,101,97'
    echo '.b8 102,54,99,50,51,95,57,95,116,0'
} > "$aside/made.ptx"
{
    echo '.global .b8 _ZN39_INTERNAL_00000000_9_tensor_cu_56bdabcd1aE[1];'
    echo '	.file	1 "kernels/box.cuh"'
    echo '	.file	2 "/usr/include/cuda.h"'
    echo 'info_string0:'
    echo '.b8 95,90,95,73,78,84,69,82,78,65,76,95,48,48,48'
    echo '.b8 48,48,48,48,48,95,57,95,116,0'
} > "$aside/want.ptx"
tools/plain-ptx "$aside/made.ptx" > "$aside/plain.ptx"
diff "$aside/plain.ptx" "$aside/want.ptx" || wrong 'tools/plain-ptx'

# ---- archives ----
mkdir -p "$aside/one/pack" "$aside/two/pack"
for way in one two; do
    echo text > "$aside/$way/pack/b"
    echo text > "$aside/$way/pack/a"
    tools/packaging/archive "$aside/$way/pack" > /dev/null
    sleep 1
done
cmp "$aside/one/pack.tar.gz" "$aside/two/pack.tar.gz" || wrong 'two archives of the same files differ'
exit $failed
# SPDX-License-Identifier: Apache-2.0
