#!/bin/sh
# copycheck capture keeps a launch in each way in which the driver API makes one: modules and libraries, linked ones,
# parameters one by one or as a block, functions that cuGetProcAddress finds, tensor maps. The emulated device runs them.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
for_exec
folder=${copycheck%/*}
[ -f "$folder/capture/libcuda.so.1" ] || { echo 'no library for capture: make inside'; exit 77; }
"$nvcc" -arch=sm_90a -std=c++17 tests/exec/captured.cu -o "$aside/captured" -lcuda > "$aside/why" 2>&1 ||
    { cat "$aside/why"; exit 1; }

# 5 of memory, 20 of a parameter, 100 of a variable
for way in 0 1 2 3 4 5 6 7 8 9 10 11; do
    name=add left=125
    [ $way -lt 10 ] || name=tile left=7
    LD_LIBRARY_PATH=$folder/inside timeout 60 "$copycheck" capture --output "$aside/$way" "$aside/captured" $way > "$aside/out" 2>&1 ||
        wrong "way $way: $(cat "$aside/out")"
    grep -qx $left "$aside/out" || wrong "way $way: the program prints $(cat "$aside/out")"
    ends 0 "clean: $name, grid 1,1,1, block 1,1,1" "$copycheck" check "$aside/$way"
    grep -q 'bytes: as on the GPU' "$aside/out" || wrong "way $way: $(cat "$aside/out")"
    [ $way -lt 10 ] || grep -qa '^map ' "$aside/$way" || wrong "way $way: no tensor map in the capture"
done
# Without `copycheck capture`, or with a driver that is not there: a line and the driver's error, and no crash.
for from in '' driver=/there/is/no/driver; do
    status=0
    LD_LIBRARY_PATH=$folder/capture COPYCHECK_CAPTURE=$from timeout 60 "$aside/captured" 0 > "$aside/out" 2>&1 || status=$?
    [ $status -gt 0 ] && [ $status -lt 124 ] && grep -qx "copycheck: capture: .* cannot be opened" "$aside/out" ||
        wrong "'$from': status $status: $(cat "$aside/out")"
done
exit $failed
# SPDX-License-Identifier: Apache-2.0
