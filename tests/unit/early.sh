#!/bin/sh
# Beside a device, here the stand-in of one, the matrix of its own engines is told first, and what is still to come; the
# report at the end is whole.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
built_kernels
build=${BUILD:-build}

[ -e "$build/fake/libcuda.so.1" ] || { echo "no stand-in of a driver"; exit 77; }
LD_LIBRARY_PATH="$build/fake" "$copycheck" run --engine jit,emu --kernels "$kernels" --no-recorded \
    --out "$aside/run.jsonl" family:swizzle family:access > "$aside/out" 2>&1
head -n 3 "$aside/out" | tail -n 1 | grep -q 'rules  *jit$' || wrong "the first matrix: $(head -n 3 "$aside/out")"
sed '/^Still to come: /q' "$aside/out" > "$aside/early"
tail -n 1 "$aside/early" |
    grep -Eq '^Still to come: [0-9,]+ points? on emu, [0-9,]+ that only observes?, [0-9,]+ breaches that fault$' ||
    wrong "what is still to come: $(tail -n 1 "$aside/early")"
grep -q ' on emu$' "$aside/early" && wrong 'the early report has failures on emu'
grep -q 'o observed' "$aside/early" && wrong 'the early report has what only observes'
sed '1,/^Still to come: /d' "$aside/out" > "$aside/whole"
sed -n 4p "$aside/whole" | grep -q 'rules  *jit  *emu' || wrong "the whole matrix: $(head -n 4 "$aside/whole")"
grep -q ' FAIL on jit$' "$aside/whole" || wrong 'the whole report lacks failures'
exit $failed
# SPDX-License-Identifier: Apache-2.0
