#!/bin/sh
# CUDA C++'s own ways to copy asynchronously, as nvcc compiles them: each kernel is clean in any order of delivery and
# copies right; with a wait left out it is found.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
nvcc=${NVCC:-$(command -v nvcc || echo "${BUILD:-build}/toolkits/13.0/bin/nvcc")}

command -v "$nvcc" > /dev/null || { echo "no nvcc"; exit 77; }
"$nvcc" -ptx -arch=sm_90a -std=c++17 -lineinfo tests/unit/kernels/libcudacxx.cu -o "$aside/k.ptx" > "$aside/why" 2>&1 ||
    { echo "nvcc has no libcu++: $(head -n 1 "$aside/why")"; exit 77; }

# The words of each tile of 256, back to front.
turned() {
    od -An -v -w4 -tx4 "$1" | awk '{ w[NR] = $1 } END { for (i = 0; i < NR; i++) print w[i - i % 256 + 256 - i % 256] }'
}

while read -r kernel rule; do
    status=0
    "$copycheck" check "$aside/k.ptx" --entry "$kernel" --block 128 --arg in:5K --arg out:5K --arg s32:5 --schedules 8 \
        --dump 0="$aside/in" --dump 1="$aside/out" > "$aside/said" 2>&1 || status=$?
    [ "$status" = 0 ] || wrong "$kernel: $(head -n 3 "$aside/said")"
    [ "$(turned "$aside/in")" = "$(od -An -v -w4 -tx4 "$aside/out" | tr -d ' ')" ] || wrong "$kernel copies wrong"
    status=0
    "$copycheck" check "$aside/k.ptx" --entry "${kernel}_broken" --block 128 --arg in:5K --arg out:5K --arg s32:5 \
        > "$aside/said" 2>&1 || status=$?
    if [ "$status" != 1 ] || ! grep -q "^$rule " "$aside/said"; then
        echo "WRONG: ${kernel}_broken: status $status, no $rule in: $(head -n 3 "$aside/said")"
        failed=1
    fi
done << 'EOF'
own_pipeline cxx.pipeline.read-after-wait
block_pipeline cxx.pipeline.read-after-wait
role_pipeline cxx.pipeline.release-before-reuse
barrier_copy cxx.barrier.init-sync
bulk_copy bulk.proxy.s2g-needs-fence
group_copy cg.memcpy.read-after-wait
primitive_copy prim.memcpy.races
EOF
exit $failed
# SPDX-License-Identifier: Apache-2.0
