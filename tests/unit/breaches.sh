#!/bin/sh
# The emulator names every breach of the catalogue by the rule that it breaks, except for those listed with a reason in
# expected/known/breaches.def; nothing is listed in vain. And what it leaves is what the H200 left, in a sample of points.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
built_kernels

run() { # NAME SELECT...
    name=$1
    shift
    "$copycheck" run --engine emu --kernels "$kernels" --out "$aside/$name.jsonl" "$@" > "$aside/$name.out" 2>&1
    status=$?
    case $status in 0 | 3) ;; *)
        echo "run $*: status $status"
        tail -n 20 "$aside/$name.out"
        failed=1
        ;;
    esac
}

run breaches --no-recorded '*~*'
"$copycheck" matrix --breaches "$aside/breaches.jsonl" > "$aside/naming" 2>&1 || {
    failed=1
    sed -n '/without a reason/,$p; /named now/p' "$aside/naming" | sort -u | head -n 60
}
tail -n 1 "$aside/naming"
grep -q '^emu names [0-9,]* of [0-9,]\{3,\} breaches by their rule' "$aside/naming" || wrong 'breaches are not counted'

run sample --shard 1/25
"$copycheck" matrix --differences "$aside/sample.jsonl" > "$aside/differences" 2>&1 || failed=1
! grep -A 20 'no reason is known' "$aside/differences" || failed=1
head -n 1 "$aside/differences"
grep -q '^emu agrees with .* at [0-9,]* of [0-9,]* points' "$aside/differences" || wrong 'agreement is not counted'
exit $failed
# SPDX-License-Identifier: Apache-2.0
