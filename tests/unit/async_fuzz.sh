#!/bin/sh
# Random legal programs: the emulator leaves the bytes that were recorded on an H200, in every delivery, and finds
# nothing; without their proxy fences it does; what cannot run is said.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/unit/common
build=${BUILD:-build}
fuzz=$build/async_fuzz
recorded=expected/recorded/async-fuzz-h200.txt

"$fuzz" --replay "$recorded" --programs 192 --jobs 2 > "$aside/out" 2>&1 || wrong "$(head -n 5 "$aside/out")"
grep -q '^192 of 192 programs .*; 0 not as they should be$' "$aside/out" || wrong "$(head -n 5 "$aside/out")"

# Bytes that are not those of the record are reported.
sed '3s/.$/x/;3y/x/0/' "$recorded" > "$aside/first"
sed '3s/.$/x/;3y/x/1/' "$recorded" > "$aside/second"
if "$fuzz" --replay "$aside/first" --programs 1 --delivery late > "$aside/out" 2>&1 &&
    "$fuzz" --replay "$aside/second" --programs 1 --delivery late >> "$aside/out" 2>&1; then
    wrong "another digest went unseen: $(cat "$aside/out")"
fi

# The checker sees what the generator takes care of: a program without its proxy fences breaks a rule.
zeros=$(printf '%02048d' 0)
named=0
for seed in 3 5 7 9 11 13 15 17 19 21; do
    "$fuzz" --print "$seed" > "$aside/whole.ptx"
    grep -v 'fence.proxy.async' "$aside/whole.ptx" | sed 's/cp[.a-z]*async.bulk.*tensor.*;//' > "$aside/cut.ptx"
    grep -q 'tensor' "$aside/whole.ptx" && continue
    ctas=$(sed -n 's/^\.reqnctapercluster //p' "$aside/whole.ptx")
    threads=$(sed -n 's/^\.reqntid //p' "$aside/whole.ptx")
    for text in whole cut; do
        status=0
        "$copycheck" check "$aside/$text.ptx" --grid "${ctas:-1}" --block "$threads" --arg in:256K \
            --arg "bytes:$zeros" > "$aside/$text.out" 2>&1 || status=$?
        [ "$text" = cut ] || [ "$status" = 0 ] || wrong "seed $seed: $(head -n 3 "$aside/whole.out")"
        [ "$text" = whole ] || [ "$status" != 1 ] || named=$((named + 1))
    done
done
[ "$named" -gt 0 ] || wrong 'no program without fences was diagnosed'

refuses "$fuzz" --engine cpu
refuses "$fuzz" --delivery soon
refuses "$fuzz" --programs 0
refuses "$fuzz" --seed none
refuses "$fuzz" --replay "$aside/nothing"
echo words > "$aside/words"
refuses "$fuzz" --replay "$aside/words"
refuses "$fuzz" --schedules 5000
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
