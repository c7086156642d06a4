#!/bin/sh
# A mistake in a program that uses libcu++ is told by the rule of libcu++, with the rule of PTX behind it; without line
# information, which says what was inlined from where, by the rule of PTX alone.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
nvcc=${NVCC:-$(command -v nvcc || echo "${BUILD:-build}/toolkits/13.0/bin/nvcc")}

command -v "$nvcc" > /dev/null || { echo "no nvcc"; exit 77; }
for with in -lineinfo ''; do
    # shellcheck disable=SC2086
    "$nvcc" -ptx -arch=sm_90a -std=c++17 $with tests/unit/kernels/layers.cu -o "$aside/k$with.ptx" > "$aside/why" 2>&1 ||
        { echo "nvcc has no libcu++: $(head -n 1 "$aside/why")"; exit 77; }
done

says() { # FILE KERNEL ARGUMENTS RULE [BEHIND]
    status=0
    # shellcheck disable=SC2086
    "$copycheck" check "$aside/$1.ptx" --entry "$2" --block 64 $3 > "$aside/said" 2>&1 || status=$?
    if [ "$status" != 1 ] || [ "$(head -n 1 "$aside/said" | cut -d' ' -f1)" != "$4" ]; then
        wrong "$1 $2: status $status, not $4 first: $(head -n 3 "$aside/said")"
    elif [ -n "${5-}" ] && ! grep -q "^  behind    $5: " "$aside/said"; then
        wrong "$1 $2: no $5 behind $4: $(grep behind "$aside/said")"
    fi
}

while read -r kernel arguments rule behind; do
    case $arguments in both) arguments='--arg in:4K --arg out:4K' ;; out) arguments='--arg out:4K' ;; esac
    says k-lineinfo "$kernel" "$arguments" "$rule" "$behind"
    says k "$kernel" "$arguments" "$behind"
done << 'EOF'
early_read both cxx.memcpy.phase-binding cpasync.visibility.others
too_many out cxx.barrier.arrive-nonzero mbarrier.arrive.count-over
place_reused out cxx.barrier.destructor-inval mbarrier.inval.required
not_announced both cxx.tx.no-expect mbarrier.tx.wrong-phase
promised_too_much both cxx.memcpy.aligned-address cpasync.align.src
not_made out cxx.barrier.init-sync mbarrier.init.needs-sync
one_leaves out cxx.barrier.arrive mbarrier.phase.all-arrive
wrong_parity both cxx.barrier.parity mbarrier.phase.parity-alternates
EOF

"$copycheck" check "$aside/k-lineinfo.ptx" --entry not_made --block 64 --arg out:4K --format jsonl > "$aside/said" 2>&1 || :
grep -q '"rule":"cxx.barrier.init-sync".*"behind":"mbarrier.init.needs-sync"' "$aside/said" || wrong "$(head -n 1 "$aside/said")"
exit $failed
# SPDX-License-Identifier: Apache-2.0
