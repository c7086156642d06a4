#!/bin/sh
# Labs on a GPU, with the stand-in driver: its kernel `reverse` is that of L01, and FAKE_KERNEL says how it fails.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
no_sanitizer 'the address sanitizer takes all address space'
fake=${copycheck%/*}/fake
start=docs/labs/L01-first-copy/reverse.cu solution=docs/labs/L01-first-copy/solution.cu
[ -e "$fake/libcuda.so.1" ] || { echo 'no stand-in driver: make test-programs'; exit 77; }
command -v nvcc > /dev/null || command -v clang > /dev/null || { echo 'neither nvcc nor clang'; exit 77; }
TMPDIR=$aside/places
mkdir "$TMPDIR" "$aside/none"
export TMPDIR

lab() { LD_LIBRARY_PATH=$fake timeout 120 "$copycheck" lab "$@" < /dev/null; }
without() { LD_LIBRARY_PATH=$aside/none timeout 120 "$copycheck" lab "$@" < /dev/null; }
failing() { FAKE_KERNEL=$1 && export FAKE_KERNEL && shift && lab "$@"; status=$?; unset FAKE_KERNEL; return $status; }

# The verdict says what the GPU shows; without one, or where it is left out, it says nothing of it.
ends 0 'and on the NVIDIA H200' lab run L01 "$solution"
ends 1 'On the NVIDIA H200 the bytes are right in all 40 launches: it does not show the' lab run L01 "$start"
lab run L01 "$solution" --no-gpu > "$aside/left-out"
lab grade L01 "$solution" --format tap > "$aside/graded"
ends 2 'sees no device' env FAKE_CUDA=empty "LD_LIBRARY_PATH=$fake" "$copycheck" lab grade --gpu L01 "$solution"
ends 2 'NVIDIA A100 is sm_80' env FAKE_CUDA=sm_80 "LD_LIBRARY_PATH=$fake" "$copycheck" lab grade --gpu L01 "$solution"
if ! ldconfig -p 2> /dev/null | grep -q 'libcuda\.so\.1'; then
    without run L01 "$solution" > "$aside/without"
    cmp -s "$aside/left-out" "$aside/without" || wrong 'without a GPU the verdict differs'
    refuses without run L01 "$solution" --gpu
    refuses without check L01 --record "$aside/record"
fi
! grep -q GPU "$aside/graded" || wrong 'grade launches without --gpu'

# A GPU that disagrees turns the verdict, and is a part of its own; one that cannot be asked does not.
ends 1 'L01: fail: gpu:bytes' failing luck run L01 "$solution"
grep -q 'wrong in 20 of 40 launches' "$aside/out" || wrong "luck: $(cat "$aside/out")"
ends 1 'L01: fail: gpu:bytes' failing idle run L01 "$solution"
ends 1 'CUDA_ERROR_MISALIGNED_ADDRESS' failing fault run L01 "$solution"
ends 1 'L01: fail: gpu:hang' failing hang run L01 "$solution"
ends 0 'Not launched on the NVIDIA H200: the driver died' failing crash run L01 "$solution"
ends 1 "$solution fail     7/10  gpu:bytes" failing idle grade --gpu L01 "$solution"
ends 1 "$start fail     3/10  cpasync.visibility.nothing-else" failing idle grade --gpu L01 "$start"
ends 1 '"gpu":{"seen":"luck","launches":40,"right":20}' failing luck grade --gpu L01 "$solution" --format jsonl
ends 1 '1..5' failing idle grade --gpu L01 "$solution" --format tap
grep -q '^not ok 5 .*: the bytes are right on the GPU$' "$aside/out" || wrong "$(cat "$aside/out")"
ends 0 '1..4' failing crash grade --gpu L01 "$solution" --format tap
ends 1 'tests="5" failures="1" errors="0" skipped="0"' failing idle grade --gpu L01 "$solution" --format junit

# A tile kernel is launched if the driver takes it; this one knows no kernel of that name.
if [ -n "$(ls -d "${copycheck%/*}"/toolkits/13.[3-9]/bin/tileiras 2> /dev/null)" ]; then
    ends 0 'launch    Not launched on the NVIDIA H200: cuModuleGetFunction' lab run L13 docs/labs/L13-capstone/product_tile.cu
fi

# One call of the driver fails: a machine that lacks memory, or no context, says nothing of the submission.
"$copycheck" lab ptx L01 "$solution" > "$aside/reverse.ptx" || wrong 'no PTX of the solution'
while read -r call status text; do
    ends "$status" "$text" env "FAKE_CUDA_FAIL=$call" "LD_LIBRARY_PATH=$fake" "$copycheck" lab run L01 "$aside/reverse.ptx"
done << 'END'
cuCtxCreate_v2:1:2 0 Not launched on the NVIDIA H200: cuCtxCreate: CUresult 2
cuMemAlloc_v2:1:2 0 Not launched on the NVIDIA H200: cuMemAlloc: CUresult 2
cuMemcpyDtoHAsync_v2:1:2 0 Not launched on the NVIDIA H200: cuMemcpyDtoHAsync: CUresult 2
cuModuleLoadData:1:2 0 Not launched on the NVIDIA H200: cuModuleLoadData: CUresult 2
cuLaunchKernelEx:1:2 0 Not launched on the NVIDIA H200: cuLaunchKernelEx: CUresult 2
cuLaunchKernelEx:1:1 1 L01: fail: gpu:refused
cuModuleGetFunction:1:500 1 L01: fail: gpu:refused
cuLaunchKernelEx:3:716 1 L01: fail: gpu:fault
cuMemAlloc_v2:1:716 1 L01: fail: gpu:fault
cuStreamSynchronize:4:716 1 L01: fail: gpu:fault
END

# What a kernel prints there is nobody's verdict.
! grep -q 'what a kernel prints' "$aside"/* 2> /dev/null || wrong 'printf of the GPU gets through'

# The record, and no folder left behind.
ends 0 'on the NVIDIA H200 the bytes of 10 are right' lab check L01 --record "$aside/record"
[ "$(grep -c '^L01 .* right    40 40$' "$aside/record")" = 10 ] || wrong "the record: $(cat "$aside/record")"
ends 0 '| L01 | 7 | 7 | - | - | - | - | - |' tools/labs-seen "$aside/record"
ends 1 'ok  gpu: luck 20/40' failing luck check L01
ends 2 'Is a directory' lab check L01 --record "$aside"
[ -z "$(ls "$TMPDIR")" ] || wrong "left behind: $(ls "$TMPDIR")"
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
