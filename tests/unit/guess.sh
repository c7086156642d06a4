#!/bin/sh
# A plain load whose value only an atom.cas of the same place checks is a remark, as the guide's loop of atomicCAS has it;
# a load of anything else that races with atomics is a finding, and so is one that races with a store.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
cd "$aside" || exit 2

# kernel NAME LOAD COMPARE MORE: the load, then a loop that adds 1 by atom.cas, from the guess in COMPARE on
kernel()
{
    cat << PTX
.version 8.0
.target sm_90
.address_size 64
.global .align 4 .u32 total;
.global .align 4 .u32 other;
.visible .entry $1(.param .u64 out)
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .f32 %f<3>;
    .reg .b64 %rd<5>;
    .shared .align 4 .u32 near;
    ld.param.u64 %rd1, [out];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r7, %tid.x;
    mul.wide.u32 %rd3, %r7, 4;
    add.u64 %rd3, %rd3, %rd2;
    $2
L:  add.u32 %r3, %r2, 1;
    atom.cas.b32 %r4, $3, %r2, %r3;
    setp.ne.u32 %p1, %r4, %r2;
    mov.u32 %r2, %r4;
    @%p1 bra L;
    $4
    ret;
}
PTX
}
judged() # STATUS WORDS NAME LOAD COMPARE [MORE]
{
    status=$1 words=$2
    shift 2
    kernel "$1" "$2" "$3" "${4-}" > k.ptx
    ends "$status" "$words" "$copycheck" check k.ptx --block 64 --arg in:4K
}
judged 0 'what is read is a guess that atom.cas checks (line 20)' plain 'ld.global.u32 %r2, [%rd2];' '[%rd2]'
judged 0 'clean: moved' moved 'ld.global.f32 %f1, [%rd2+8]; mov.b32 %r1, %f1; mov.u32 %r2, %r1;' '[%rd1+8]'
judged 0 'clean: variable' variable 'ld.global.u32 %r2, [total];' '[total]'
judged 0 'clean: shared' shared 'setp.eq.u32 %p2, %r7, 0; @%p2 st.shared.u32 [near], 5; bar.sync 0; ld.shared.u32 %r2, [near];' '[near]'
# Another place, another value, and a value that is used elsewhere only.
judged 1 'order.data-race  in beside' beside 'ld.global.u32 %r2, [%rd2+4];' '[%rd2]' 'atom.global.add.u32 %r5, [%rd2+4], 1;'
judged 1 'order.data-race  in changed' changed 'ld.global.u32 %r1, [%rd2]; add.u32 %r2, %r1, 0;' '[%rd2]'
judged 1 'order.data-race  in apart' apart 'mov.u32 %r2, 0; ld.global.u32 %r1, [%rd2]; st.global.u32 [%rd3+1024], %r1;' '[%rd2]'
judged 1 'order.data-race  in elsewhere' elsewhere 'ld.global.u32 %r2, [%rd3];' '[%rd2]'
judged 1 'order.data-race  in others' others 'ld.global.u32 %r2, [other];' '[total]' 'atom.global.add.u32 %r5, [other], 1;'
# A swap that compares nothing, and a load of two words.
judged 1 'order.data-race  in swapped' swapped 'mov.u32 %r2, 0; ld.global.u32 %r1, [%rd2];' '[%rd2]' 'atom.global.exch.b32 %r5, [%rd2], %r1;'
judged 1 'order.data-race  in two' two 'ld.global.v2.u32 {%r2, %r6}, [%rd2];' '[%rd2]'
# Another thread stores there.
judged 1 'order.data-race  in stored' stored 'ld.global.u32 %r2, [%rd2];' '[%rd2]' 'setp.eq.u32 %p2, %r7, 40; @%p2 st.global.u32 [%rd2], 5;'
exit $failed
# SPDX-License-Identifier: Apache-2.0
