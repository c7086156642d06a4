#!/bin/sh
# What was measured, drawn and told: a panel for each case, marks for each point, nothing that is not in the record.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common

record=$aside/record.jsonl
point()
{
    echo "{\"point\":\"$1\",\"engine\":\"$2\",\"verdict\":\"seen\",\"rule\":\"obs.smem.banks\",\"family\":\"speed\",\"evidence\":\"observed\",\"seen\":\"a <b> over c\",\"ratio\":$3,\"low\":$4,\"high\":$5,\"rounds\":40}"
}
{
    echo '{"copycheck":"0.1","device":"NVIDIA H200","driver":"580.1","engines":"gpu,jit","planned":5}'
    point 'obs.smem.banks:stride=16,width=4' gpu 16.25 16 16.5
    point 'obs.smem.banks:stride=2,width=4' gpu 2 1.9 2.1
    point 'obs.smem.banks:stride=2,width=8' gpu 1.5 1.25 1.75
    point 'obs.multicast.speed' gpu 0.5 0.4 0.6
    point 'obs.smem.banks:stride=2,width=4' jit 3 3 3
    echo '{"end":5}'
} > "$record"

"$copycheck" plot "$record" --out "$aside/plot.svg" || wrong 'plot: status' $?
[ "$(grep -c 'class="title"' "$aside/plot.svg")" = 2 ] || wrong 'not a panel for each case'
[ "$(grep -c '<title>' "$aside/plot.svg")" = 4 ] || wrong 'not a mark for each point of the engine'
grep -q 'obs.smem.banks:stride=16,width=4: 16.2 (16 to 16.5 in the middle half of 40 rounds)' "$aside/plot.svg" ||
    wrong 'a point without its numbers'
grep -q 'a &lt;b&gt; over c' "$aside/plot.svg" || wrong 'markup is not escaped'
grep -q 'H200, driver 580, engine gpu' "$aside/plot.svg" || wrong 'no machine'
"$copycheck" plot "$record" --engine jit | grep -q 'engine jit' || wrong 'the other engine'

ends 0 'a <b> over c: 0.5 (0.4 to 0.6 in the middle half of 40 rounds)' "$copycheck" matrix "$record" --ratios
ends 0 'observed: a <b> over c: 2 (1.9 to 2.1' "$copycheck" matrix "$record" --format ktap
ends 0 '5 times compared' "$copycheck" matrix "$record" --format human

refuses "$copycheck" plot "$record" --engine emu
refuses "$copycheck" plot "$record" --out "$aside/no/folder.svg"
refuses "$copycheck" plot "$record" "$record"
refuses "$copycheck" plot "$aside/none"
refuses "$copycheck" plot --bad
sed 's/"ratio":[0-9.]*,"low":[0-9.]*,"high":[0-9.]*,"rounds":40,*//; s/,}/}/' "$record" > "$aside/bare.jsonl"
refuses "$copycheck" plot "$aside/bare.jsonl"
refuses "$copycheck" matrix "$aside/bare.jsonl" --ratios
# other times are no change; a ratio outside its quartiles is no record
sed 's/16.25/18.5/; s/16.5/19/' "$record" > "$aside/later.jsonl"
ends 0 'nothing changed' "$copycheck" diff "$record" "$aside/later.jsonl"
sed 's/16.25/18.5/' "$record" > "$aside/edited.jsonl"
refuses "$copycheck" plot "$aside/edited.jsonl"
exit $failed
# SPDX-License-Identifier: Apache-2.0
