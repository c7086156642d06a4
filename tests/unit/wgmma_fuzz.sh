#!/bin/sh
# Random programs of wgmma: they leave the bytes that were recorded on an H200, the right ones are clean in three deliveries
# of copies, and wrong forms are named.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/unit/common
fuzz=${BUILD:-build}/wgmma_fuzz

"$fuzz" --replay expected/recorded/wgmma-fuzz-h200.txt --programs 256 --jobs 2 > "$aside/out" 2>&1 ||
    wrong "$(head -n 5 "$aside/out")"
grep -q '^256 of 256 programs .*; 0 not as they should be$' "$aside/out" || wrong "$(head -n 5 "$aside/out")"

"$fuzz" --programs 40 --schedules 3 --jobs 2 > "$aside/out" 2>&1 || wrong "$(head -n 5 "$aside/out")"
grep -q '^40 of 40 programs .*; 0 not as they should be$' "$aside/out" || wrong "$(head -n 5 "$aside/out")"

"$fuzz" --programs 30 --wrong 4 --schedules 4 --jobs 2 > "$aside/out" 2>&1 || wrong "$(head -n 5 "$aside/out")"

# Digests of one run hold in the next, and others do not.
"$fuzz" --programs 4 --jobs 1 --digests "$aside/first" > "$aside/out" 2>&1 || wrong "$(cat "$aside/out")"
"$fuzz" --replay "$aside/first" --jobs 1 > "$aside/out" 2>&1 || wrong "$(cat "$aside/out")"
sed '3s/.$/x/;3y/x/0/' "$aside/first" > "$aside/second"
sed '3s/.$/x/;3y/x/1/' "$aside/first" > "$aside/third"
if "$fuzz" --replay "$aside/second" --jobs 1 > "$aside/out" 2>&1 &&
    "$fuzz" --replay "$aside/third" --jobs 1 >> "$aside/out" 2>&1; then
    wrong "another digest went unseen: $(cat "$aside/out")"
fi
"$fuzz" --print 0x2a:3 > "$aside/out" || wrong "$(head -n 3 "$aside/out")"
"$fuzz" --programs none > "$aside/out" 2>&1 && wrong 'no number was taken'
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
