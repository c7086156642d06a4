#!/bin/sh
# What clang makes of kernels, optimised and not: it runs, is clean, computes the right bytes; what is broken is found.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
clang=${CLANG:-clang}

compile() {
    "$clang" -x cuda --cuda-device-only -S --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -Wno-unknown-cuda-version \
        -Xclang -target-feature -Xclang +ptx70 "$@" tests/unit/kernels/clang.cu
}
command -v "$clang" > /dev/null || { echo "no $clang"; exit 77; }
compile -O1 -o "$aside/try.ptx" > "$aside/why" 2>&1 || { echo "$clang compiles no CUDA: $(head -n 1 "$aside/why")"; exit 77; }

# The inputs are seeded: 1024 words. What the kernels compute of them, by awk.
run() { # KERNEL GRID BLOCK BYTES-IN BYTES-OUT [ARG...]
    kernel=$1 grid=$2 block=$3 in=$4 out=$5
    shift 5
    status=0
    "$copycheck" check "$aside/$level.ptx" --entry "$kernel" --grid "$grid" --block "$block" --arg "in:$in" --arg "out:$out" \
        "$@" --dump 0="$aside/in" --dump 1="$aside/out" > "$aside/said" 2>&1 || status=$?
}
wrong() {
    echo "WRONG: $level $*: $(head -n 3 "$aside/said")"
    failed=1
}
clean() {
    run "$@"
    [ "$status" = 0 ] || wrong "$1 is not clean"
}
found() {
    rule=$1
    shift
    run "$@"
    [ "$status" = 1 ] && grep -q "^$rule" "$aside/said" || wrong "$1 is not found"
}
words() { od -An -v -w4 -tu4 "$aside/$1"; }

for level in O0 O1 O3; do
    compile "-$level" -o "$aside/$level.ptx" 2> "$aside/why" || { echo "WRONG: $clang -$level: $(cat "$aside/why")"; exit 1; }
    clean sum 1 128 4096 4
    [ "$(words in | awk '{ s = (s + $1) % 4294967296 } END { printf "%.0f", s }')" = "$(words out | tr -d ' ')" ] || wrong "sum"
    found order.data-race sum_racing 1 128 4096 4
    clean copied 1 128 2048 2048
    [ "$(od -An -v -w16 -tx8 "$aside/in" | awk '{ l[NR] = $0 } END { for (i = 1; i <= NR; i++) print l[i % 2 ? i + 1 : i - 1] }')" = \
        "$(od -An -v -w16 -tx8 "$aside/out")" ] || wrong "copied"
    cp "$aside/out" "$aside/copied"
    found group.wait.n copied_early 1 128 2048 2048
    clean met 1 128 2048 2048
    cmp -s "$aside/out" "$aside/copied" || wrong "met"
    clean saxpy 2 64 512 512 --arg u32:100
    clean called 1 128 512 512
    [ "$level" = O0 ] && cp "$aside/out" "$aside/called"
    cmp -s "$aside/out" "$aside/called" || wrong "called computes what it does not at -O0"
done
# called, by awk: what thread t leaves, for the arms of its switch that need no 64-bit product
"$copycheck" check "$aside/O3.ptx" --entry called --block 128 --arg in:512 --arg out:512 --dump 0="$aside/in" --dump 1="$aside/out" > /dev/null
words in > "$aside/x" && words out > "$aside/y"
paste -d ' ' "$aside/x" "$aside/y" | awk '{
    t = NR - 1
    if (t % 7 == 2) { want = ($1 * 5) % 4294967296; if (want != $2) bad = bad " " t }
    if (t % 7 == 3 && $1 != $2) bad = bad " " t
    if (t % 7 == 4 && t % 256 != $2) bad = bad " " t
} END { if (bad) { print "WRONG: called, threads" bad; exit 1 } }' || failed=1
exit $failed
# SPDX-License-Identifier: Apache-2.0
