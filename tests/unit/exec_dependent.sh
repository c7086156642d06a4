#!/bin/sh
# copycheck exec: kernels that may begin before the one before them has ended. Programs that are right, and some that are
# not.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
for_exec
"$nvcc" -gencode arch=compute_90a,code=compute_90a -std=c++17 tests/exec/dependent.cu -o "$aside/program" -lcuda \
    > "$aside/why" 2>&1 || { cat "$aside/why"; exit 1; }

# run OPTION...: the program's number $number of this $kind
run()
{
    status=0
    "$copycheck" exec "$@" "$aside/program" $kind $number > "$aside/out" 2>&1 || status=$?
}

kind=right
for number in 0 1 2 3 4 5 6 7 8 9 10 11; do
    for options in '' '--jobs 1' '--schedules 3'; do
        run $options
        [ $status = 0 ] && grep -q ': 0 findings' "$aside/out" && grep -qx passed "$aside/out" ||
            wrong "right $number $options: status $status: $(cat "$aside/out")"
    done
done

# finds NUMBER WORDS...: what exec says of a wrong one, however many host threads run it
kind=wrong
finds()
{
    number=$1
    shift
    for options in '' '--jobs 1' '--schedules 3'; do
        run $options
        [ $status = 1 ] && grep -qx passed "$aside/out" || wrong "wrong $number $options: status $status: $(cat "$aside/out")"
        for words in "$@" ': 1 finding'; do
            grep -qF -- "$words" "$aside/out" || wrong "wrong $number $options: no '$words' in $(cat "$aside/out")"
        done
    done
}
before='of _Z5firstPiPKiS_, the grid before; '
finds 0 'pdl.wait.required  in _Z7no_waitPKiPi' 'of cudaMalloc 1: written by thread' "$before" 'with no wait for that grid' \
    'st.global.u32' 'ld.global'
finds 1 'pdl.wait.required  in _Z11reads_earlyPKiPi' "$before"
finds 2 'pdl.wait.required  in _Z15one_waits_alonePKiPi' "$before"
finds 3 'pdl.wait.required  in _Z10waits_latePKiPi' "$before"
finds 4 'order.data-race  in _Z6writesPi' 'of cudaMalloc 2: read by thread' "$before"'written by thread'
finds 5 'order.data-race  in _Z6writesPi' 'of cudaMalloc 1: written by thread' "$before"'written by thread'
finds 6 'pdl.wait.required  in _Z12copies_earlyPKiPi' "$before"'read by a copy of thread'
finds 7 'pdl.wait.required  in _Z5looksPKiPi' 'bytes 0 to 3 of cudaMalloc 6: written by thread' 'of _Z6countsPi, the grid before'
finds 8 'pdl.wait.required  in _Z7no_waitPKiPi' "$before"
finds 9 'pdl.wait.required  in _Z7no_waitPKiPi' "$before"
exit $failed
# SPDX-License-Identifier: Apache-2.0
