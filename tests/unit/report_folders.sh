#!/bin/sh
# copycheck report: the folder of a point builds and shows the point's result without copycheck: launches and encode
# calls as a program of the driver API, here on the emulator's device; texts for assemblers and compilers.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
no_sanitizer 'the address sanitizer must come first in a program'
built_kernels

# reported POINT [OPTION...]: its folder is $aside/report
reported()
{
    rm -rf "$aside/report"
    ends 0 "$aside/report" "$copycheck" report "$@" --kernels "$kernels" --no-recorded --out "$aside/report"
    grep -q 'What the document says' "$aside/report/README.md" || wrong "$1: no README"
}

nvcc=${NVCC:-$(command -v nvcc || echo "${BUILD:-build}/toolkits/13.0/bin/nvcc")}
toolkit=$(dirname "$nvcc")/..
runs=no
[ -f "$toolkit/include/cuda.h" ] && [ -f "${copycheck%/*}/inside/libcuda.so.1" ] && links_cuda && runs=yes

# shows STATUS TEXT POINT: what the program of its report says
shows()
{
    reported "$3"
    [ $runs = yes ] || return 0
    if ! cc -x c -Wall -Werror -Wno-unused-variable -I"$toolkit/include" "$aside/report/repro.cu" \
        -L"$toolkit/lib64/stubs" -L"$aside" -lcuda -o "$aside/report/repro" > "$aside/why" 2>&1; then
        wrong "$3: $(head -n 3 "$aside/why")"
        return 0
    fi
    IMAGE=ptx ends "$1" "$2" "$copycheck" exec "$aside/report/repro"
}

while read -r point; do
    shows 0 'all as expected' "$point"
done << 'END'
bulk.dir.s2g:size=48
tensor.tile.rank-match:rank=5
tmap.tiled.null-args:argument=map,rank=1
tmap.tiled.gaddr.null:rank=1,type=u8,accept=0
cxx.barrier.arrive_tx:arrivals=1,bytes=0,last=arrival
listing.004.right-wait:tiles=3
bulkred.types.cluster:reduction=max.u32,cluster=2,operands=edges,size=256
listing.000.pass-map:way=constant
tmap.raddr.only-address:rank=1,type=u8
END
# a mutant: what comes is not what the document promises
mutant=$("$copycheck" list --mutants 'swz.128b.formula*' | grep '!' | head -n 1)
shows 1 DIFFERS "$mutant"

# a map in constant memory holds the program's addresses, not those of the emulator that made the report
reported listing.004.prefetch-tensormap:blocks=3
grep -q 'put_map(c' "$aside/report/repro.cu" || wrong 'the map in constant memory is that of another machine'
# how often a thread polls is the machine's own: no bytes to compare, but whether its wait ran out
reported mbarrier.test_wait.nonblocking:wait=relaxed,by=test
grep -q 'check("launch 1: waits' "$aside/report/repro.cu" || wrong 'nothing is asked about waits'
grep -q 'check("launch 1: buffer' "$aside/report/repro.cu" && wrong 'a count of polls is compared'
# many threads that wait long by the emulator's clock: no wait runs out, and none is expected to
reported mbarrier.phase.early-next:threads=1024,stages=2
waits=$(sed -n 's/.*check("launch 1: waits.*bytes_of(\(bytes_[0-9]*\), 4), 4);/\1/p' "$aside/report/repro.cu")
grep -A 1 " $waits\[\]" "$aside/report/repro.cu" | grep -q '"00\*4' || wrong 'a wait is expected to run out'

# with nvcc the same program is CUDA C++
if [ $runs = yes ] && command -v "$nvcc" > /dev/null; then
    reported tensor.tile.rank-match:rank=5
    "$nvcc" -o "$aside/report/repro" "$aside/report/repro.cu" -lcuda > "$aside/why" 2>&1 || wrong "nvcc: $(cat "$aside/why")"
    [ -s "$aside/report/tile.cubin" ] || wrong "no cubin: $(ls "$aside/report")"
    "$nvcc" -arch=sm_90a -std=c++17 -cubin -o "$aside/kernel.cubin" "$aside/report/tile.kernel.cu" > "$aside/why" 2>&1 ||
        wrong "its kernel: $(head -n 3 "$aside/why")"
fi

reported 'bulk.dir.g2s-cluster/form:refuse=shared::cluster'
[ -s "$aside/report/row.ptx" ] || wrong 'no text for the assembler'
grep -q 'ptxas -arch=sm_90' "$aside/report/README.md" || wrong 'no command for it'
reported "$("$copycheck" list 'family:tile-python' | head -n 1)"
[ -s "$aside/report/row.py" ] || wrong 'no text for cuTile'

# records of the point alone, as record files that can be read
"$copycheck" run bulk.dir.s2g:size=48 --engine emu --kernels "$kernels" --no-recorded --out "$aside/run.jsonl" > "$aside/out" 2>&1 ||
    wrong "run: $(tail -n 3 "$aside/out")"
reported bulk.dir.s2g:size=48 --records "$aside/run.jsonl"
ends 0 bulk "$copycheck" matrix "$aside/report/records-run.jsonl"
[ "$(grep -c '"point"' "$aside/report/records-run.jsonl")" = 1 ] || wrong 'not the records of one point'
grep -q '| emu | pass | done' "$aside/report/README.md" || wrong 'the README does not say what came'

refuses "$copycheck" report
refuses "$copycheck" report no.such.point
refuses "$copycheck" report bulk.dir.s2g:size=48 --seed x
refuses "$copycheck" report bulk.dir.s2g:size=48 --out "$aside/no/such"
refuses "$copycheck" report bulk.dir.s2g:size=48 --records "$aside/none" --out "$aside/report"
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
