#!/bin/sh
# The page of rules has an entry for each rule, and every file that a document names is there.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common

# ---- make docs ----
"$copycheck" rules --format markdown > "$aside/rules.md" || wrong "rules --format markdown ends with status $?"
"$copycheck" rules --format tsv | sed 1d > "$aside/rules.tsv"
cut -f 1 "$aside/rules.tsv" > "$aside/ids"
sed -n 's/^### `\(.*\)`$/\1/p' "$aside/rules.md" > "$aside/entries"
cmp -s "$aside/ids" "$aside/entries" || wrong 'the page does not have one entry for each rule, in the order of the catalogue'
for field in 'kind: ' 'source: ' 'needs: '; do
    [ "$(grep -c "^- $field." "$aside/rules.md")" = "$(wc -l < "$aside/ids")" ] || wrong "not every entry has its $field"
done
[ "$(sed -n 's/^## //p' "$aside/rules.md")" = "$(cut -f 2 "$aside/rules.tsv" | uniq)" ] || wrong 'the sections are not the families'
cases=$(cut -f 6 "$aside/rules.tsv" | awk '{ n += $1 } END { print n }')
[ "$(grep -c '^- case: `tests/' "$aside/rules.md")" = "$cases" ] || wrong "the page does not name all $cases cases"
awk '/^### / { getline; getline; if ($0 !~ /^[^-]/) print NR }' "$aside/rules.md" | grep -q . && wrong 'an entry has no sentence'
# The target itself, without building the program anew.
build=${BUILD:-build}
MAKEFLAGS='' make -s -o "$build/copycheck" BUILD="$build" docs > "$aside/out" 2>&1 || wrong "make docs: $(cat "$aside/out")"
[ "$(cat "$aside/out")" = "$build/rules.md" ] || wrong "make docs does not say what it wrote: $(cat "$aside/out")"
cmp -s "$build/rules.md" "$aside/rules.md" || wrong 'make docs writes another page than rules --format markdown'

# ---- files that documents name ----
# A word of a document that begins with one of our folders is a path; it may be a pattern, or end in a line number. One
# with a word in capitals (FILE, VERSION) stands for many. The table of rooms is left to tools/rooms.
folders='harness\|tests\|docs\|expected\|kernels\|tools'
for document in README.md docs/*.md; do
    grep -v '^| `harness' "$document" | sed "s/[^A-Za-z0-9_.*\/-]/ /g" | tr ' ' '\n' | grep "^\($folders\)/." | grep -v '[A-Z][A-Z]' |
        sed 's/[.]*$//' | sort -u | while read -r path; do
        # the path may be a pattern
        # shellcheck disable=SC2086
        set -- $path
        [ -e "$1" ] || echo "$document names $path, which is not there"
    done
    sed -n 's/](/\n](/gp' "$document" | sed -n 's/^](\([^)#]*\).*/\1/p' | grep -v '^https*:\|^$' | sort -u |
        while read -r link; do
            [ -e "$(dirname "$document")/$link" ] || echo "$document has a link to $link, which is not there"
        done
done > "$aside/absent"
[ ! -s "$aside/absent" ] || wrong "$(cat "$aside/absent")"

# ---- functions that documents name: `function` in `harness/...` ----
for document in docs/*.md; do
    tr -s '\n ' '  ' < "$document" | grep -o '`[a-z0-9_]*` in `harness/[a-z0-9_/.]*`' | tr -d '`' | while read -r name _ file; do
        grep -q "^[a-z].*\<$name(" "$file" || echo "$document: $name is not in $file"
    done
done > "$aside/absent"
[ ! -s "$aside/absent" ] || wrong "$(cat "$aside/absent")"

# ---- examples ----
# The kernel of docs/order.md is clean. Without the lines of an edge, the emulator names the rule of the edge's row.
judge() { # FILE THREADS
    "$copycheck" check "$1" --block "$2" --arg in:4K --arg out:4K > "$aside/out" 2>&1
}
# The kernel of docs/architecture.md, between its first and its last line.
sed -n '/^    \.version/,/^    }/s/^    //p' docs/architecture.md > "$aside/early.ptx"
judge "$aside/early.ptx" 1 && wrong 'the kernel of docs/architecture.md is clean'
for words in 'group.wait.n  in early' 'a copy of thread 0,0,0 of CTA 0,0,0 (line 11)' 'wait_group 0 at line 13'; do
    grep -qF "$words" "$aside/out" || wrong "the kernel of docs/architecture.md: no '$words'"
done

example=tests/unit/kernels/refill.ptx
judge "$example" 2 || wrong "$example: $(head -n 3 "$aside/out")"
sed -n 's/^| \([0-9]\) | .* | `\([a-z0-9_.-]*\)` |$/\1 \2/p' docs/order.md > "$aside/edges"
[ -s "$aside/edges" ] || wrong 'docs/order.md has no table of edges'
while read -r edge rule; do
    grep -v "// edge $edge" "$example" > "$aside/broken.ptx"
    judge "$aside/broken.ptx" 2 && wrong "$example without edge $edge is clean"
    grep -q "^$rule " "$aside/out" || wrong "$example without edge $edge: $rule is not named"
done < "$aside/edges"

# The lines of a trace in docs/check.md, each object put together again, are lines of the trace of that kernel.
"$copycheck" check "$example" --block 2 --arg in:128 --arg out:8 --trace "$aside/trace" > /dev/null 2>&1 ||
    wrong "$example: --trace ends with status $?"
sed -n '/^    {"step"/,/^$/s/^    //p' docs/check.md | awk '/^{/ && NR > 1 { print "" } { sub(/^ /, ""); printf "%s", $0 } END { print "" }' \
    > "$aside/events"
[ "$(wc -l < "$aside/events")" -ge 2 ] || wrong 'docs/check.md shows no events'
while read -r event; do
    grep -qxF -- "$event" "$aside/trace" || wrong "docs/check.md: the trace has no $event"
done < "$aside/events"

exit "$failed"
# SPDX-License-Identifier: Apache-2.0
