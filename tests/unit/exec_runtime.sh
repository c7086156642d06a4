#!/bin/sh
# copycheck exec and the runtime API: programs of tests/exec, which say themselves what is not as documented; and what
# exec finds on the host's side.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
for_exec

# build NAME [OPTION...]: PTX alone, which is all that exec needs
build()
{
    name=$1
    shift
    "$nvcc" -gencode arch=compute_90a,code=compute_90a "$@" tests/exec/$name.cu -o "$aside/$name" ||
        { echo "$name does not compile"; exit 1; }
}

for name in runtime_memory runtime_graphs runtime_textures runtime_conditions runtime_warps outside policies; do
    build $name $([ $name != runtime_conditions ] || echo -rdc=true) # with the functions of the device's own runtime
    status=0
    "$copycheck" exec --log "$aside/log" "$aside/$name" > "$aside/out" || status=$?
    if [ $status != 0 ] || ! grep -q ': 0 findings$' "$aside/log" || [ "$(tail -n 1 "$aside/out")" != passed ]; then
        echo "$name: status $status"
        cat "$aside/out" "$aside/log"
        failed=1
    fi
done

# a race that a device mostly wins: the warps of a launch that is judged go on evenly
build evenly
status=0
"$copycheck" exec --log "$aside/log" "$aside/evenly" > "$aside/out" || status=$?
if [ $status != 1 ] || ! grep -q '^order.data-race ' "$aside/log" || [ "$(cat "$aside/out")" != '192 of 192 right' ]; then
    wrong "evenly: status $status: $(cat "$aside/out" "$aside/log")"
fi

# what programs get of cuBLAS and cuRAND, where the toolkit has them; what they do not get is named
if "$nvcc" -w -gencode arch=compute_90a,code=compute_90a -std=c++17 tests/exec/libraries.cu -o "$aside/libraries" -lcublas \
    -lcublasLt -lcurand 2> "$aside/why"; then
    status=0
    "$copycheck" exec --log "$aside/log" "$aside/libraries" > "$aside/out" || status=$?
    if [ $status != 0 ] || ! grep -q ': 0 findings$' "$aside/log" || [ "$(tail -n 1 "$aside/out")" != passed ]; then
        echo "libraries: status $status"
        cat "$aside/out" "$aside/log"
        failed=1
    fi
    status=0
    "$copycheck" exec --log "$aside/log" "$aside/libraries" missing > "$aside/out" || status=$?
    grep -q 'does not have: cublasSgetrfBatched$' "$aside/log" && [ "$(cat "$aside/out")" = 15 ] ||
        wrong "a function of cuBLAS that is missing: $(cat "$aside/out" "$aside/log")"
else
    echo "no cuBLAS or cuRAND: $(head -n 1 "$aside/why")"
fi

# a kernel for which nobody writes
status=0
"$copycheck" exec --log "$aside/log" "$aside/outside" never > "$aside/out" || status=$?
if [ $status != 1 ] || ! grep -q '^deadlock.spin ' "$aside/log" || [ "$(cat "$aside/out")" != passed ]; then
    echo "outside never: status $status"
    cat "$aside/out" "$aside/log"
    failed=1
fi

# find ARGUMENT STATUS WORDS...: what exec says of this mistake
build host_findings
races=
find()
{
    argument=$1 wanted=$2
    shift 2
    status=0
    "$copycheck" exec --leak-check --host-access $races "$aside/host_findings" $argument > "$aside/out" 2> "$aside/log" ||
        status=$?
    [ $status = "$wanted" ] || { echo "host_findings $argument: status $status, not $wanted"; failed=1; }
    for words in "$@"; do
        grep -qF -- "$words" "$aside/log" || { echo "host_findings $argument: no '$words'"; cat "$aside/log"; failed=1; }
    done
}
find 0 0 'remark: host.leak  cudaMalloc 2 (8192 bytes'
find 1 1 'host.double-free' 'cudaFree at offset 0 of cudaMalloc 1, which cudaFree 1 has freed'
find 2 1 'access.bounds' '4 bytes at offset 16 of cudaMalloc 1, which cudaFree 1 has freed'
find 3 139 'the host accesses device memory: byte 12 of cudaMalloc 2' 'ended by signal 11'
find 4 0 ': 0 findings'
find 5 1 'deadlock.resident' '100000 CTAs, of which 264 can be resident together'
grep -qx 'cudaErrorCooperativeLaunchTooLarge cudaSuccess' "$aside/out" || wrong "a launch that is refused: $(cat "$aside/out")"
races='--host-races'
find 4 1 'host.race' 'the host reads byte 4 of allocation 3' 'on a page that _Z5writePi writes' ': 1 finding'
races='--host-races --schedules 3 --jobs 2'
find 4 1 'host.race' ': 1 finding'
exit $failed
# SPDX-License-Identifier: Apache-2.0
