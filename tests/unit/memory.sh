#!/bin/sh
# Too little memory: no verdict (status 2), or the whole answer; never a part of it that looks whole, never a crash.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
built_kernels
no_sanitizer 'the address sanitizer takes all address space'

# A build with counters does not start where a plain one does, and keeps its counters at the end with no memory left.
counted=
! grep -q __gcov_merge_add "$copycheck" || counted=counted

# ---- ulimit -v: what is printed is whole, or there is no verdict ----
"$copycheck" run --kernels "$kernels" --engine emu --no-recorded --out "$aside/r" family:cp-async-group > /dev/null 2>&1 || wrong 'a run'
whole() { # KILOBYTES WORDS COMMAND...: ends with status 2 and a line, or prints what it prints with all memory
    kilobytes=$1 words=$2
    shift 2
    (ulimit -v "$kilobytes" && timeout 60 "$@") > "$aside/out" 2> "$aside/err"
    status=$?
    case $counted$status in
    counted127 | counted139) ;;
    2 | counted2) grep -q '^copycheck: ' "$aside/err" || wrong "$words with $kilobytes KB: nothing said" ;;
    0 | counted0) cmp -s "$aside/out" "$aside/full" || wrong "$words with $kilobytes KB: $(diff "$aside/out" "$aside/full" | head -n 4)" ;;
    *) wrong "$words with $kilobytes KB: status $status: $(tail -n 2 "$aside/err")" ;;
    esac
}
"$copycheck" matrix "$aside/r" > "$aside/full" 2> /dev/null
grep -q agree "$aside/full" || wrong "no column agree: $(cat "$aside/full")"
for kilobytes in 14000 16000 20000 24000 28000 32000 36000 40000 44000 48000 52000 56000 60000; do
    whole $kilobytes matrix "$copycheck" matrix "$aside/r"
done
rule='group.wait.n*'
"$copycheck" run --kernels "$kernels" --engine emu --jobs 1 --out "$aside/x" "$rule" > "$aside/full" 2> /dev/null
for kilobytes in 14000 15000 16000 18000 20000 24000 30000 40000 50000 60000 70000; do
    whole $kilobytes run "$copycheck" run --kernels "$kernels" --engine emu --jobs 1 --out "$aside/x" "$rule"
done

# What a point lacks memory for is no verdict on it: the run ends, and goes on with --resume where there is more.
points='bulkgrp.wait.n/large*'
"$copycheck" run --kernels "$kernels" --engine emu --jobs 2 --no-recorded --out "$aside/all" "$points" > /dev/null 2>&1 || wrong 'the large groups'
lacked=0
kilobytes=24000
while [ $lacked -lt 2 ] && [ $kilobytes -lt 200000 ]; do
    kilobytes=$((kilobytes + 6000))
    rm -f "$aside/part"
    (ulimit -v $kilobytes && timeout 60 "$copycheck" run --kernels "$kernels" --engine emu --jobs 2 --no-recorded --out "$aside/part" "$points") \
        > "$aside/out" 2> "$aside/err"
    status=$?
    grep -qs '"verdict":"broken"' "$aside/part" && wrong "$kilobytes KB: a verdict on what had no memory"
    case $counted$status in
    0 | counted0) ;;
    counted127 | counted139) continue ;;
    2 | counted2)
        if grep -q "^copycheck: run: out of memory; $aside/part keeps [0-9]* records*: go on with --resume" "$aside/err"; then
            lacked=$((lacked + 1))
        fi
        [ -s "$aside/part" ] || continue # not even a head
        "$copycheck" run --kernels "$kernels" --no-recorded --resume "$aside/part" > "$aside/out" 2>&1 || wrong "$kilobytes KB: goes on: $(cat "$aside/out")"
        ;;
    *) wrong "$kilobytes KB: status $status: $(cat "$aside/err")" ;;
    esac
    "$copycheck" diff --quiet "$aside/all" "$aside/part" > "$aside/out" 2>&1 || wrong "$kilobytes KB: $(cat "$aside/out")"
done
[ $lacked -gt 0 ] || wrong 'no limit was too low for the large groups alone'
# An assembler with less memory than it may take would refuse what it accepts.
if command -v ptxas > /dev/null; then
    (ulimit -v 100000 && "$copycheck" run --engine ptxas --no-recorded --out "$aside/x" 'fence.scope*') > "$aside/out" 2>&1
    case $? in
    0) ;; # root may raise the limit
    2) grep -q '^copycheck: run: ptxas may need [0-9]* MiB' "$aside/out" || wrong "ptxas: $(cat "$aside/out")" ;;
    *) wrong "ptxas with little memory: $(tail -n 3 "$aside/out")" ;;
    esac
fi

# ---- --max-memory: the order checker's shadow of global memory is limited too, and what it forgets is said ----
cat > "$aside/k.ptx" << 'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<3>;
    .reg .pred %p;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r5, [n];
    mov.u32 %r1, %ntid.x;
    mov.u32 %r2, %tid.x;
    sub.u32 %r4, %r5, 1;
L:  mul.lo.u32 %r3, %r2, 2654435761; // neighbours in time are none in memory
    and.b32 %r3, %r3, %r4;
    mul.wide.u32 %rd2, %r3, 4;
    add.u64 %rd2, %rd1, %rd2;
    st.global.u32 [%rd2], %r2;
    add.u32 %r2, %r2, %r1;
    setp.lt.u32 %p, %r2, %r5;
@%p bra L;
    ret;
}
PTX
k="$aside/k.ptx --block 256 --arg out:4M --arg u32:1048576 --jobs 1"
(ulimit -v 80000 && "$copycheck" check $k --max-memory 8M) > "$aside/out" 2>&1 # without a limit it takes more
[ $? = 0 ] || wrong "--max-memory 8M: $(tail -n 2 "$aside/out")"
grep -q '^memory: accesses of global memory before its shadow outgrew --max-memory' "$aside/out" || wrong "says so: $(cat "$aside/out")"
"$copycheck" check $k --max-memory 8M --format jsonl | grep -q '"end":"done".*"forgot":true' || wrong 'JSON says so'
"$copycheck" check $k > "$aside/out" 2>&1 || wrong 'without a limit'
grep -q '^memory: ' "$aside/out" && wrong 'without a limit nothing is forgotten'
"$copycheck" check $k --max-memory 4M > "$aside/out" 2>&1
[ $? = 2 ] || wrong "no room for the cluster: status is not 2: $(cat "$aside/out")"
exit $failed
# SPDX-License-Identifier: Apache-2.0
