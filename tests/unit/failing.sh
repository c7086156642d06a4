#!/bin/sh
# Where memory runs out, a disk is full or no file can be opened, at any one place of the program: what is printed is what
# would have been, or a line says why not. No crash, no part that looks whole, no other verdict.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. tests/unit/common
library=$PWD/${BUILD:-build}/fake/failing.so
case ${BUILD:-build} in /*) library=$BUILD/fake/failing.so ;; esac
[ -f "$library" ] || {
    echo "needs $library: make test-programs"
    exit 77
}
no_sanitizer 'the address sanitizer has its own malloc'
cd "$aside" || exit 2
own_program && copycheck=$program # recorded matrices take time

# records FILE ENGINE HOST: a run of three rows
records()
{
    {
        echo "{\"copycheck\":\"0.1\",\"engines\":\"$2\",\"host\":\"$3\",\"device\":\"H200\",\"driver\":\"580\",\"seed\":\"0000000000005eed\",\"planned\":3}"
        echo "{\"point\":\"fence.scope.set/fence:sem=acq_rel,accept=cta\",\"engine\":\"$2\",\"verdict\":\"$VERDICT\",\"rule\":\"fence.scope.set\",\"family\":\"fence\",\"phase\":\"assemble\",\"evidence\":\"documented\",\"expected\":\"accept\",\"outcome\":\"$OUTCOME\"}"
        echo "{\"point\":\"fence.acquire.isa/version:sem=acquire,seen=8.3\",\"engine\":\"$2\",\"verdict\":\"seen\",\"rule\":\"fence.acquire.isa\",\"family\":\"fence\",\"phase\":\"assemble\",\"evidence\":\"observed\",\"expected\":\"seen\",\"outcome\":\"$OUTCOME\",\"seen\":\"$OUTCOME\"}"
        echo "{\"point\":\"fence.scope.set/fence:sem=acq_rel,accept=gpu\",\"engine\":\"$2\",\"verdict\":\"pass\",\"rule\":\"fence.scope.set\",\"family\":\"fence\",\"phase\":\"assemble\",\"evidence\":\"documented\",\"expected\":\"accept\",\"outcome\":\"accept\",\"machine\":\"$CODE\"}"
        echo '{"end":3}'
    } > "$1"
}
VERDICT=pass OUTCOME=accept CODE=00000000000000aa
records a.jsonl ptxas-12.9 a9926fb087f15eae
VERDICT=fail OUTCOME=refused CODE=00000000000000bb
records b.jsonl ptxas-13.5 a9926fb087f15eaf
records c.jsonl ptxas-12.9 a9926fb087f15eac
early_kernel k > k.ptx

reasons='emory|Too many open files|Input/output error|No space left|temporarily unavailable|Read-only file system|cannot|does not say'

# holds ARGUMENT...: at each place of it, where it has as much to do each time; what the program starts is let alone. $made: what the command makes
made=
export COPYCHECK_FAIL_IN=copycheck
holds()
{
    ${made:+rm -rf $made}
    "$copycheck" "$@" > whole 2> /dev/null < /dev/null
    right=$?
    ${made:+rm -rf $made}
    rm -f places
    COPYCHECK_FAIL_LIST=$aside/places LD_PRELOAD=$library "$copycheck" "$@" > out 2> /dev/null < /dev/null
    [ $? = $right ] && cmp -s out whole || wrong "$*: not the same twice"
    numbers=$(cut -d ' ' -f 1 places | sort -nu)
    [ "$numbers" ] || wrong "$*: nothing was counted"
    for n in $numbers; do
        ${made:+rm -rf $made}
        COPYCHECK_FAIL=$n LD_PRELOAD=$library "$copycheck" "$@" > out 2> err < /dev/null
        status=$?
        [ $status = $right ] && cmp -s out whole && continue
        if [ $status -gt 3 ] || ! grep -qE "$reasons" out err; then
            wrong "$*: status $status, not $right, and no reason where $(grep -m 1 "^$n " places) fails"
        fi
    done
}

holds list 'cpasync.order*'
holds matrix a.jsonl b.jsonl
for format in human html markdown ktap junit jsonl; do
    holds matrix --format $format a.jsonl
done
holds diff a.jsonl b.jsonl
holds diff a.jsonl b.jsonl c.jsonl
holds merge a.jsonl b.jsonl c.jsonl
holds merge a.jsonl b.jsonl c.jsonl --format jsonl
holds records a.jsonl b.jsonl
holds keep a.jsonl b.jsonl
mkdir none
for format in text html json; do
    holds upgrade --format $format --before a.jsonl --after b.jsonl
done
holds show group.wait.n --recorded none
holds notes --recorded none
holds encode --dims 64,32 --box 32,8
holds tile --dims 64,32 --box 16,8 --swizzle 64B
holds view --extents 10,10 --tile 4,4
k='k.ptx --block 32 --arg in:512 --arg out:512 --jobs 1'
holds check $k
holds check $k --format sarif --schedules 3
made='trace picture dump'
holds check $k --trace trace --html picture --dump 1=dump
made=lab
holds lab start L01 lab --labs "$top/docs/labs"
made=
holds lab hint L05 2 --labs "$top/docs/labs"
holds lab run L01 --no-gpu --labs "$top/docs/labs" k.ptx
holds lab grade L01 --no-gpu --jobs 1 --format csv --labs "$top/docs/labs" k.ptx
made=records
row='fence.scope.set/fence:sem=acq_rel,accept=cta'
holds run --engine emu --jobs 1 --no-recorded --out records "$row"
holds assemble --engine emu --jobs 1 k.ptx
made=report
holds report --no-recorded "$row" --out report
"$copycheck" run --engine emu --jobs 1 --no-recorded --out first "$row" > out 2>&1 || wrong "a run: $(cat out)"
made=second
holds upgrade --before first --records second --engine emu
made=grades
holds lab grade L01 --no-gpu --jobs 1 --csv grades --labs "$top/docs/labs" k.ptx
made=
holds explain group.wait.n
holds check "$top/expected/captures/runtime.capture" --jobs 1
"$copycheck" encode --random 3 > calls
holds encode --batch calls
exit $failed
# SPDX-License-Identifier: Apache-2.0
