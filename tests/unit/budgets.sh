#!/bin/sh
# Budgets of a run. copycheck run --smoke: the points of expected/known/smoke.def, in its order, none that does not gate; it goes on with
# --resume. copycheck run --soak: rounds that are disturbed in other ways; what varies is named.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
built_kernels

"$copycheck" list smoke: > "$aside/points"
grep -q '~' "$aside/points" && wrong 'a breach is among them'
[ "$(sed -n '1s/:.*//p' "$aside/points")" = tensor.tile.gstride.padding ] || wrong "the first is $(head -n 1 "$aside/points")"
# each row names points that gate
grep -o 'SMOKE("[^"]*"' expected/known/smoke.def | cut -d'"' -f2 > "$aside/rows"
[ "$(grep -c SMOKE'("' expected/known/smoke.def)" = "$(wc -l < "$aside/rows")" ] || wrong 'rows that cannot be read'
while read -r row; do
    id=$(echo "${row#rule:}" | sed 's/[.]/[.]/g; s/[*]/.*/g')
    grep -q "^$id" "$aside/points" || wrong "$row: no point of it gates"
done < "$aside/rows"
ends 0 "$(wc -l < "$aside/points" | sed 's/\([0-9]\)\([0-9]\{3\}\)$/\1,\2/') points" "$copycheck" run --smoke --engine emu \
    --kernels "$kernels" --no-recorded --out "$aside/smoke.jsonl"
head -n 400 "$aside/smoke.jsonl" > "$aside/part.jsonl"
ends 0 '' "$copycheck" run --resume "$aside/part.jsonl" --kernels "$kernels" --no-recorded
refuses "$copycheck" run --smoke family:bulk
refuses "$copycheck" run --smoke --all

ends 3 'selftest.moody:kernel=even on fake: seen' "${SELFTEST:-build/selftest}" run --soak --rounds 6 'selftest.moody:*' \
    --out "$aside/soak"
[ -s "$aside/soak.6" ] || wrong 'no records of round 6'
# what a wrong program sees on emu hangs on when copies arrive, which each round sets
ends 0 'nothing varies' "$copycheck" run --soak --rounds 3 'bulkgrp.wait.range/run:*' --engine emu --kernels "$kernels" \
    --out "$aside/soak"
# the inputs of a round are the same wherever they lie
ends 0 'nothing varies' "$copycheck" run --soak --rounds 2 'bulk.dir.s2g:*' --engine emu --kernels "$kernels" --out "$aside/soak"
refuses "$copycheck" run --soak --for x
refuses "$copycheck" run --soak --repeat 3
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
