#!/bin/sh
# The options of copycheck run that are wrong, those that are passed on to a run that goes on, and the places of records.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. tests/unit/common
cd "$aside" || exit 2
own_program

says() # WORDS ARGUMENT...: refuses
{
    words=$1
    shift
    refuses "$program" run "$@"
    grep -qF -- "$words" out || wrong "$*: no '$words' in: $(cat out)"
}
for shard in 0/2 3/2 1 1/ /2 1/0 1/-1 -1/2 1/2x 1,2 1/99999999999999999999 111111111111111111111111111/2; do
    says "--shard takes I/N with I from 1 to N, not '$shard'" --shard $shard
done
says "--seed takes a number, not '1x'" --seed 1x
says "--repeat takes a number from 1 to 1000000, not '0'" --repeat 0
says "--schedules takes a number from 1 to 1000000, not 'many'" --schedules many
says "--jobs takes a number from 1 to 1024, not '1025'" --jobs 1025
says "--deadline takes a number from 1 to 3600000, not '-5'" --deadline -5
says "no format 'xml': there are human, ktap, junit, jsonl, markdown, html" --format xml
says '--delivery takes late, eager or random, not' --delivery soon
says '--colour: no such option' --colour
says '--out: no such option, or its value is missing' --out
says '--smoke is a selection of its own' --smoke --all
says '--smoke is a selection of its own' --smoke fence.scope.set
says '--resume writes into its own file' --resume a --out b
says 'at most 32 toolkits' $(i=0; while [ $i -lt 33 ]; do echo --toolkit x; i=$((i + 1)); done)
says 'no kernels in /nowhere: make kernels builds them' --kernels /nowhere 'fence.scope.set*'
says '--resume nowhere: ' --resume nowhere
long=$(printf '%05000d' 0)
says 'File name too long' --out $long 'fence.scope.set*'
says 'File name too long' --resume $long
says 'Not a directory' --out own/copycheck/records 'fence.scope.set*'
says 'Is a directory' --out own 'fence.scope.set*'

rows='fence.scope.set* fence.acquire.isa*'
run() { timeout 100 "$program" run --engine emu --no-recorded "$@" > out 2> err; }
# shellcheck disable=SC2086
run --out whole --jobs 2 --seed 7 $rows || wrong "a run: $(cat out err)"
n=$(grep -c '"point"' whole)
[ "$n" -ge 10 ] || wrong "$n points"

# Shards are the whole, each point in one of them, in any order.
for i in 1 2 3; do
    # shellcheck disable=SC2086
    run --out shard$i --shard $i/3 --shuffle --alone --deadline 20000 --seed 7 $rows || wrong "shard $i: $(cat out err)"
done
points() { grep -ho '"point":"[^"]*"' "$@" | sort; }
[ "$(points whole)" = "$(points shard1 shard2 shard3)" ] || wrong 'the shards are not the whole'

# What was cut goes on with the options of its head; its records are those of a run that was not cut.
head -n 3 shard2 > cut
run --resume cut || wrong "goes on: $(cat out err)"
[ "$(points cut)" = "$(points shard2)" ] || wrong 'what goes on has other points'
grep -q '"shard":"2/3"' cut || wrong "a shard that goes on is none: $(head -n 1 cut)"
grep -q '"seed":"0000000000000007"' cut || wrong 'what goes on has another seed'
head -n 1 whole | sed 's/"selection":"[^"]*"/"selection":"fence.scope.set* a\\\\\\\\ b*"/' > spaced
says "the line's sum is not right" --resume spaced

# A name of a point with a space in it is one selection, also where a run goes on.
says "'fence.scope set*' names no point" --engine emu --no-recorded --out x 'fence.scope set*'

# Where the program's folder cannot be written to, records go into the current one; root may write anywhere.
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
    mkdir -m 777 theirs
    chmod 755 . own
    (cd theirs && setpriv --reuid 65534 --regid 65534 --clear-groups timeout 100 "$program" run --engine emu \
        --no-recorded 'fence.scope.set*') > out 2> err || wrong "of another user: $(cat out err)"
    grep -q 'the records go into ./*last.jsonl: .* cannot be written' err || wrong "of another user: $(cat err)"
    grep -q '^{"end"' theirs/last.jsonl || wrong 'of another user: no records'
fi

# A soak: rounds of the same points; what a documented rule says fails the whole, what varies is named, the first 2 ends it.
ends 0 'nothing varies' "$program" run --soak --rounds 2 --engine emu --out soak --seed 5 'fence.scope.set/fence:sem=acq_rel,accept=c*'
grep -q '^soak      2 rounds of [0-9]* results in [0-9]* s: seeds 0x5 to 0x6, ' out || wrong "a soak: $(cat out)"
[ -s soak.1 ] && [ -s soak.2 ] && [ ! -e soak.3 ] || wrong "records of two rounds: $(ls)"
ends 0 'soak      1 round of ' "$program" run --soak --rounds 1 --engine emu --out soak 'fence.scope.set/fence:sem=acq_rel,accept=c*'
selftest=${SELFTEST:-build/selftest}
case $selftest in /*) ;; *) selftest=$top/$selftest ;; esac
ends 1 'a documented rule failed' "$selftest" run --soak --rounds 2 'selftest.wrong:*' --out soak
refuses "$program" run --soak --rounds
refuses "$program" run --soak --rounds 0
refuses "$program" run --soak --resume soak.1
ends 2 "'no.such' names no point" "$program" run --soak --rounds 2 --out soak no.such
ends 2 'names no point' "$program" run --soak --for 1 --out nowhere/deeper/soak no.such

# What a monitor reads.
# shellcheck disable=SC2086
run --nagios --out x $rows
grep -q '^COPYCHECK OK' out || wrong "--nagios: $(cat out err)"
# shellcheck disable=SC2086
run --nhc --prometheus metrics --out x $rows || wrong "--nhc: $(cat out err)"
[ ! -s out ] || wrong "--nhc says $(cat out)"
grep -q '^copycheck_run_results{.*} [0-9]' metrics || wrong "--prometheus: $(cat metrics)"
# shellcheck disable=SC2086
run --nhc --prometheus nowhere/metrics --out x $rows
grep -q 'run: cannot write nowhere/metrics: No such file' err || wrong "--prometheus nowhere: $(cat err)"
exit $failed
# SPDX-License-Identifier: Apache-2.0
