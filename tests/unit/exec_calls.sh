#!/bin/sh
# copycheck exec answers some 5,000 calls of both APIs, right ones and wrong ones, as an H200 did (expected/answers), but
# for the lines of expected/answers/differences.txt; and the same functions succeed before cuInit, without a context and
# after a fault.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
for_exec

build()
{
    "$nvcc" -arch=sm_90a -std=c++17 tests/exec/answers_$1.cu -o "$aside/$1" -lcuda > "$aside/$1.why" 2>&1 ||
        wrong "answers_$1.cu does not compile: $(grep error "$aside/$1.why" | head -n 3)"
}

# said PROGRAM STATE: what it prints in $aside/said/PROGRAM.STATE
said()
{
    "$copycheck" exec --sms 132 --error-exitcode 0 --log "$aside/log" "$aside/$1" $2 > "$aside/said/$1.$2" 2> "$aside/err" ||
        wrong "$1 $2: status $?: $(tail -n 3 "$aside/log") $(tail -n 1 "$aside/said/$1.$2")"
}

# differing RECORD: its lines, with exec's answer where that is listed as another one; a row of the list that finds no
# such line, or the same answer, is printed as well
differing()
{
    awk -v record="$1" '
    FNR == NR { if ($1 == record) { name[$2] = $3; answer[$2] = $4 } next }
    { sub(/: died$/, /^cuda/ ? ": cudaErrorInvalidValue" : ": CUDA_ERROR_INVALID_VALUE") }
    FNR in name {
        was = $0
        if (index($0, name[FNR] "(") == 1 || index($0, "    " name[FNR] " = ") == 1)
            sub(/[^ ]+$/, answer[FNR])
        if ($0 == was)
            print "no longer needed: " record " " FNR " " name[FNR] " " answer[FNR]
        delete name[FNR]
    }
    { print }
    END { for (line in name) print "not in the record: " record " " line " " name[line] }
    ' expected/answers/differences.txt "expected/answers/$1.txt"
}

# differing_states: as tools/record-answers prints them, without the functions that are listed to fail here
differing_states()
{
    awk '
    FNR == NR { if ($3 == "fails") fails[$1 " " $2]; next }
    {
        printf "%s", $1
        for (i = 2; i <= NF; i++) {
            if (!(($1 " " $i) in fails))
                printf " %s", $i
            delete fails[$1 " " $i]
        }
        print ""
    }
    END { for (row in fails) print "not in the record: " row }
    ' expected/answers/differences.txt expected/answers/states.txt
}

mkdir "$aside/said"
runtime='memory arrays streams kernels graphs nodes'
driver='driver driver_memory driver_launches driver_arrays'
# two at a time: compiling takes longest
for pair in memory:arrays streams:kernels graphs:nodes driver:driver_memory driver_launches:driver_arrays; do
    build ${pair%:*} &
    build ${pair#*:}
    wait
done
for program in $runtime $driver; do
    [ -x "$aside/$program" ] || { wrong "answers_$program.cu: $(head -n 5 "$aside/$program.why")"; continue; }
    said $program all
    said $program fault
    differing $program | diff - "$aside/said/$program.all" > "$aside/why" ||
        wrong "answers_$program: $(head -n 20 "$aside/why")"
done
for program in $driver; do
    said $program none
    said $program bare
done
tools/record-answers states "$aside/said" | tr ' ' '\n' > "$aside/states"
differing_states | tr ' ' '\n' | diff - "$aside/states" > "$aside/why" || wrong "states: $(cat "$aside/why")"
exit $failed
# SPDX-License-Identifier: Apache-2.0
