#!/bin/sh
# copycheck exec answers some 3,000 calls of both APIs, right ones and wrong ones, as expected/answers says; and none
# succeeds before cuInit, without a context or after a fault that should not.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
for_exec

build()
{
    "$nvcc" -arch=sm_90a -std=c++17 tests/exec/answers_$1.cu -o "$aside/$1" -lcuda > "$aside/$1.why" 2>&1 ||
        wrong "answers_$1.cu does not compile: $(grep error "$aside/$1.why" | head -n 3)"
}

# said PROGRAM STATE: what it prints in $aside/PROGRAM.STATE
said()
{
    "$copycheck" exec --sms 132 --error-exitcode 0 --log "$aside/log" "$aside/$1" $2 > "$aside/$1.$2" 2> "$aside/err" ||
        wrong "$1 $2: status $?: $(tail -n 3 "$aside/log") $(tail -n 1 "$aside/$1.$2")"
}

# succeeding STATE: the functions that gave success in it are those of tests/exec/states
succeeding()
{
    cat "$aside"/*."$1" | sed -nE 's/^(\w+)\(.*: (CUDA_SUCCESS|cudaSuccess)$/\1/p' | LC_ALL=C sort -u > "$aside/seen"
    sed -n "s/^$1 //p" tests/exec/states | tr ' ' '\n' | LC_ALL=C sort > "$aside/listed"
    diff "$aside/listed" "$aside/seen" > "$aside/why" || wrong "state $1: $(cat "$aside/why")"
}

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
    diff "expected/answers/$program.txt" "$aside/$program.all" > "$aside/why" ||
        wrong "answers_$program: $(head -n 20 "$aside/why")"
    said $program fault
done
succeeding fault
for program in $driver; do
    said $program none
    said $program bare
done
succeeding none
succeeding bare
exit $failed
# SPDX-License-Identifier: Apache-2.0
