#!/bin/sh
# copycheck capture keeps a launch in each way in which the driver API makes one: modules and libraries, linked ones,
# parameters one by one or as a block, functions that cuGetProcAddress finds, tensor maps, graphs. The emulated device runs
# them; on a machine with a GPU, `EMULATED= sh tests/unit/capture_ways.sh` lets the GPU do so.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
for_exec
folder=${copycheck%/*}
driver=${EMULATED-$folder/inside}
[ -f "$folder/capture/libcuda.so.1" ] || { echo 'no library for capture: make inside'; exit 77; }
for program in captured captured_graphs; do
    "$nvcc" -arch=sm_90a -std=c++17 tests/exec/$program.cu -o "$aside/$program" -lcuda > "$aside/why" 2>&1 ||
        { cat "$aside/why"; exit 1; }
done

# 5 of memory, 20 of a parameter, 100 of a variable
for way in 0 1 2 3 4 5 6 7 8 9 10 11; do
    name=add left=125
    [ $way -lt 10 ] || name=tile left=7
    LD_LIBRARY_PATH=$driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} timeout 60 "$copycheck" capture --output "$aside/$way" "$aside/captured" $way > "$aside/out" 2>&1 ||
        wrong "way $way: $(cat "$aside/out")"
    grep -qx $left "$aside/out" || wrong "way $way: the program prints $(cat "$aside/out")"
    ends 0 "clean: $name, grid 1,1,1, block 1,1,1" "$copycheck" check "$aside/$way"
    grep -q 'bytes: as on the GPU' "$aside/out" || wrong "way $way: $(cat "$aside/out")"
    [ $way -lt 10 ] || grep -qa '^map ' "$aside/$way" || wrong "way $way: no tensor map in the capture"
done

# Each kernel of a graph: it is captured between the one before it, whose sum it adds to, and the last one, which writes to
# the same place. In way 6 the first one is switched off.
for way in 0 1 2 3 4 5 6 7 8; do
    for skip in 0 1 2 3; do
        status=0
        LD_LIBRARY_PATH=$driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} timeout 60 "$copycheck" capture --kernel-name add \
            --launch-skip $skip --output "$aside/graph" "$aside/captured_graphs" $way > "$aside/out" 2>&1 || status=$?
        grep -qx 8 "$aside/out" || wrong "graph $way: the program prints $(cat "$aside/out")"
        left=$((way == 6 ? skip + 1 : skip))
        if [ $left -gt 2 ]; then
            [ $status = 2 ] || wrong "graph $way has no kernel $skip: status $status: $(cat "$aside/out")"
            continue
        fi
        ends 0 'clean: add, grid 1,1,1, block 1,1,1' "$copycheck" check "$aside/graph"
        grep -q 'bytes: as on the GPU' "$aside/out" || wrong "graph $way, kernel $skip: $(cat "$aside/out")"
    done
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
