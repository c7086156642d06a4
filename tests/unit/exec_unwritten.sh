#!/bin/sh
# copycheck exec: memory that nobody has written and a later launch reads. Programs that are right, and some that are not.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
for_exec
"$nvcc" -gencode arch=compute_90a,code=compute_90a tests/exec/unwritten.cu -o "$aside/program" -lcuda \
    > "$aside/why" 2>&1 || { cat "$aside/why"; exit 1; }

# exec OPTION...: the program's number $number of this $kind
run()
{
    status=0
    "$copycheck" exec "$@" "$aside/program" $kind $number > "$aside/out" 2>&1 || status=$?
}

kind=right
for number in 0 1 2 3 4 5 6 7 8 9 10; do
    for options in '' '--jobs 1' '--schedules 3'; do
        run $options
        [ $status = 0 ] && grep -q ': 0 findings$' "$aside/out" && ! grep -q remark "$aside/out" ||
            wrong "right $number $options: status $status: $(cat "$aside/out")"
    done
done

# finds NUMBER STATUS WORDS...: what exec says of a wrong one, however many host threads run it
kind=wrong
finds()
{
    number=$1 expected=$2
    shift 2
    for options in '' '--jobs 1' '--schedules 3'; do
        run $options
        [ $status = $expected ] || wrong "wrong $number $options: status $status: $(cat "$aside/out")"
        for words in "$@"; do
            grep -qF -- "$words" "$aside/out" || wrong "wrong $number $options: no '$words' in $(cat "$aside/out")"
        done
    done
}
never='and nobody has written them, in this launch or before it'
finds 0 1 'order.unwritten  in _Z3sumPKiiiPi' 'bytes 128 to 131 of cudaMalloc 1 (of 256 bytes): read by thread 0,0,0' \
    "$never" 'ld.global.u32' ': 1 finding'
finds 1 1 'order.unwritten  in _Z3sum' 'bytes 156 to 159 of cudaMalloc 2 (of 256 bytes)' "$never" ': 1 finding'
finds 2 1 'order.unwritten  in _Z5countPi' 'bytes 160 to 163 of cudaMalloc 1 (of 256 bytes)' ': 1 finding'
finds 3 1 'order.unwritten  in _Z3sum' 'bytes 8 to 11 of cudaMallocAsync 4 (of 256 bytes)' ': 1 finding'
finds 4 1 'order.unwritten  in _Z3sum' 'bytes 252 to 255 of cudaMalloc 4 (of 256 bytes)' ': 1 finding'
finds 5 1 'order.unwritten  in _Z3sum' 'bytes 128 to 131 of cuMemMap 4 (of 2097152 bytes)' ': 1 finding'
finds 6 1 'order.unwritten  in _Z7copy_in' 'of cudaMalloc 1 (of 256 bytes)' 'cp.async' ': 1 finding'
finds 7 0 'remark: host.unwritten' 'from offset 12 of cudaMalloc 2 (of 256 bytes) on' ': 0 findings'
finds 8 1 'order.unwritten  in _Z3sum' 'bytes 0 to 3 of cudaMalloc 4 (of 256 bytes)' ': 1 finding'
# A word of shared memory that is read is a finding where the launch does something else with other values there.
finds 9 1 'order.unwritten  in _Z11differences' '(tile + 128)' ': 1 finding'
finds 10 0 'remark: order.unwritten  in _Z11differences' 'with other bytes there, the launch writes the same' \
    ': 0 findings'
# That such a word is not used has been seen; what else the kernel does wrong in a later launch is found.
finds 11 1 'order.data-race  in _Z14differences_of' 'remark: order.unwritten  in _Z14differences_of' ': 1 finding'

# Launches that are not looked at may write anything.
number=0
run --kernel-name sum
[ $status = 0 ] && grep -q ': 0 findings' "$aside/out" || wrong "--kernel-name: $(cat "$aside/out")"
exit $failed
# SPDX-License-Identifier: Apache-2.0
