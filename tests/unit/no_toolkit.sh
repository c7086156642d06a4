#!/bin/sh
# A machine without toolkit and GPU, as in a classroom: a packed folder runs anywhere, and make takes built kernels.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
built_kernels

# What make dist packs, in another place; of a toolkit nothing is on the PATH.
mkdir -p "$aside/dist/kernels" "$aside/dist/expected"
cp "$copycheck" "$aside/dist/" && cp "$kernels"/*.ptx "$kernels/index" "$aside/dist/kernels/"
cp -r expected/recorded "$aside/dist/expected/"
(cd / && env -i PATH=/usr/bin:/bin timeout 60 "$aside/dist/copycheck" run --engine emu family:cp-async-group) > "$aside/out" 2>&1 ||
    wrong "a run of the packed folder: status $?: $(tail -n 5 "$aside/out")"
grep -q '^cp-async-group .* of [0-9]' "$aside/out" || wrong "no column that agrees: $(cat "$aside/out")"
grep -q '^emu agrees with H200' "$aside/out" || wrong "the recorded matrix beside the program was not found"
[ -f "$aside/dist/last.jsonl" ] || wrong 'the record file does not stand beside the program'

# Its kernels in a tree that has none of its own; and a folder that is none.
env -i PATH=/usr/bin:/bin make -n check KERNELS="$aside/dist/kernels" NVCC=/nowhere/nvcc > "$aside/out" 2>&1 || wrong "make -n check"
grep -qE '(^|[ /])nvcc( |$)|tools/toolkit' "$aside/out" && wrong "a toolkit is asked for: $(grep -nE 'nvcc( |$)|tools/toolkit' "$aside/out")"
grep -q -- "run --kernels '$aside/dist/kernels'" "$aside/out" || wrong "the kernels are not taken: $(tail -n 2 "$aside/out")"
"$copycheck" run --engine emu --kernels "$aside" --no-recorded --out "$aside/none.jsonl" family:swizzle > "$aside/out" 2>&1
[ $? = 2 ] || wrong 'kernels that are not there'
grep -q "no kernels in $aside: make kernels builds them, --kernels names them" "$aside/out" || wrong "says why: $(cat "$aside/out")"
exit $failed
# SPDX-License-Identifier: Apache-2.0
