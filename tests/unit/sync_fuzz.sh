#!/bin/sh
# Random programs that synchronise: right forms are clean and leave the bytes of the model; wrong forms are named; the
# same seed gives the same program.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/unit/common
fuzz=${BUILD:-build}/sync_fuzz

"$fuzz" --programs 30 --seed 100 --schedules 3 --wrong 0 --jobs 2 > "$aside/out" 2>&1 || wrong "$(head -n 5 "$aside/out")"
grep -q '^30 of 30 right programs clean' "$aside/out" || wrong "$(tail -n 1 "$aside/out")"

# One whose schedule 9 gives a CTA that waits for another one some millions of turns in a row, if nothing stops it.
"$fuzz" --programs 1 --seed 0xf433f --schedules 10 --wrong 0 > "$aside/out" 2>&1 || wrong "$(head -n 5 "$aside/out")"

# Most wrong forms are named in a few schedules; the summary counts them.
"$fuzz" --programs 15 --seed 64 --schedules 4 --wrong 1 --jobs 2 --most 0 > "$aside/out" 2>&1
line=$(grep 'wrong ones named' "$aside/out")
made=$(echo "$line" | sed 's/.*; \([0-9]*\) of \([0-9]*\) wrong ones named.*/\2/')
named=$(echo "$line" | sed 's/.*; \([0-9]*\) of \([0-9]*\) wrong ones named.*/\1/')
[ "$made" -gt 8 ] && [ $((named * 10)) -ge $((made * 9)) ] || wrong "$line"

# What the judge finds, exec finds too.
"$fuzz" --programs 60 --seed 200 --engine exec --wrong 3 --jobs 2 > "$aside/out" 2>&1 || wrong "$(head -n 5 "$aside/out")"
grep -q '^60 of 60 right programs and \([0-9]*\) of \1 wrong ones have the same findings' "$aside/out" ||
    wrong "$(tail -n 1 "$aside/out")"
grep -q ' watched [1-9]' "$aside/out" || wrong 'the light judge watches nothing'

# A program that is printed is what check takes, with the words of its second line.
"$fuzz" --print 7 > "$aside/a.ptx"
"$fuzz" --print 0x7 > "$aside/b.ptx"
cmp -s "$aside/a.ptx" "$aside/b.ptx" || wrong 'one seed, two programs'
words=$(sed -n '2s/.*FILE//p' "$aside/a.ptx")
# shellcheck disable=SC2086
"$copycheck" check "$aside/a.ptx" $words > "$aside/out" 2>&1 || wrong "$(head -n 3 "$aside/out")"

refuses "$fuzz" --engine cpu
refuses "$fuzz" --programs 0
refuses "$fuzz" --seed none
refuses "$fuzz" --print 7:99999
refuses "$fuzz" --print none
refuses "$fuzz" words
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
