#!/bin/sh
# What a finding says: places by argument and offset, the same bytes in each run, one mistake as one finding.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
cd "$aside"

# judge NAME STATUS ARGUMENT...: NAME.ptx, judged twice, ends with the status and says the same bytes both times
judge()
{
    name=$1 want=$2
    shift 2
    for run in first second; do
        status=0
        "$copycheck" check "$name.ptx" "$@" > $run 2>&1 < /dev/null || status=$?
        [ "$status" = "$want" ] || wrong "$name $*: status $status, not $want: $(head -n 3 $run)"
    done
    cmp -s first second || wrong "$name $*: two runs say different things: $(diff first second | head -n 4)"
    cp first out
}

# says TEXT: the run before said so
says()
{
    grep -qF -- "$1" out || wrong "$name: no '$1' in: $(head -n 30 out)"
}

head='.version 8.0
.target sm_90a
.address_size 64
'
# body NAME TEXT: a kernel of two pointers, with what its threads do
body()
{
    cat > "$1.ptx" << EOF
$head
.global .align 16 .b8 kept[64];
.visible .entry $1(.param .u64 from, .param .u64 to)
{
    .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<16>; .reg .b64 %d<16>;
    .shared .align 128 .b8 tile[4096]; .shared .align 8 .b64 bar; .local .align 16 .b8 own[64];
    ld.param.u64 %d0, [from]; ld.param.u64 %d1, [to]; mov.u32 %r0, %tid.x; mov.u32 %r1, tile; mov.u32 %r2, bar;
    $2
    ret;
}
EOF
}

# Places are named by argument, variable, heap or memory, and by offset: no address of the host.
for access in '[%d0+68],68,--arg 0' '[%d1+64],64,--arg 1' '[%d2+64],64,variable kept' '[%d3+8192],8192,shared memory' \
    '[%d4+1000000],1000000,local memory'; do
    offset=${access#*,} memory=${access##*,}
    body place "mov.u64 %d2, kept; mov.u64 %d3, 0; cvta.shared.u64 %d3, %d3; mov.u64 %d4, 0; cvta.local.u64 %d4, %d4;
        ld.u32 %r3, ${access%%,*};"
    judge place 1 --block 1 --arg in:64 --arg out:64
    says "thread 0,0,0 of CTA 0,0,0: bytes ${offset%%,*} to $((${offset%%,*} + 3)) of $memory"
done
body odd 'ld.global.u32 %r3, [%d0+6];'
judge odd 1 --block 1 --arg in:64 --arg out:64
says 'offset 6 of --arg 0 is not a multiple of 4'
body odd 'ld.shared.u32 %r3, [%r1+6];'
judge odd 1 --block 1 --arg in:64 --arg out:64
says 'offset 1030 (tile + 6) of shared memory is not a multiple of 4'
sed 's/tile/_ZZ3oddE4tile_0/g' odd.ptx > mangled.ptx
sed 's/tile\[4096\]/tile[512]/; s/.shared .align 8 .b64 bar;/& .shared .align 128 .b8 late[512];/; s/, tile;/, late;/' \
    odd.ptx > second.ptx
judge mangled 1 --block 1 --arg in:64 --arg out:64
says 'offset 1030 (tile + 6) of shared memory'
judge second 1 --block 1 --arg in:64 --arg out:64
says '(late + 6) of shared memory'
body odd 'cp.async.bulk.prefetch.L2.global [%d0+8], 16;'
judge odd 1 --block 1 --arg in:64 --arg out:64
says 'a prefetch from offset 8 of --arg 0'
body race 'st.global.u32 [%d1+4], %r0;'
judge race 1 --block 64 --arg in:64 --arg out:64
says 'bytes 4 to 7 of --arg 1: written by'
judge race 1 --block 64 --arg in:64 --arg out:64 --format jsonl
says '"message":"bytes 4 to 7 of --arg 1: written by'
says '"where":"bytes 4 to 7 of --arg 1","numbers":{"arg":1,"offset":4,"bytes":4}'
grep -q '0x[0-9a-f]\{6\}' out && wrong "an address: $(cat out)"

# A pointer that a kernel stores is the same in each run.
body pointer 'st.global.u64 [%d1], %d0;'
judge pointer 0 --block 1 --arg in:64 --arg out:8 --dump 1=one
judge pointer 0 --block 1 --arg in:64 --arg out:8 --dump 1=two
cmp -s one two || wrong "a pointer: $(od -t x1 one) $(od -t x1 two)"

# An unrolled loop that reads too early: one finding and its places, with CUDA lines and without. What was not written
# either is told under it.
early='cp.async.ca.shared.global [%r1], [%d0], 16; cp.async.commit_group;'
reads='ld.shared.u32 %r3, [%r1]; ld.shared.u32 %r4, [%r1+4]; ld.shared.u32 %r5, [%r1+8];'
body unrolled "$early $reads cp.async.wait_group 0;"
judge unrolled 1 --block 1 --arg in:64 --arg out:64
says 'too       at 2 more places (PTX lines '
says ', 1 finding (3 with what is folded under it)'
body lines ".loc 1 7 3
    $early
    .loc 1 9 3
    $reads
    cp.async.wait_group 0; bar.sync 0;
    .loc 1 12 3
    ld.shared.u32 %r6, [%r1+64];"
sed -i 's/^.global/.file 1 "lines.cu"\n.global/' lines.ptx
judge lines 1 --block 1 --arg in:64 --arg out:64
says 'lines.cu:9'
says ', 2 findings (4 with what is folded under them)'
judge lines 1 --block 1 --arg in:64 --arg out:64 --format jsonl
grep -c '"places":3,"same_as":null,"follows":null' out | grep -q '^1$' || wrong "the first of three places: $(cat out)"
grep -c '"places":1,"same_as":0,"follows":null' out | grep -q '^2$' || wrong "two more places: $(cat out)"
grep -q '^{"rule":"order.unwritten".*"same_as":null,"follows":null' out || wrong "a mistake of its own: $(cat out)"
body unwritten 'setp.eq.u32 %p0, %r0, 0; @!%p0 ld.shared.u32 %r3, [%r1]; @%p0 st.shared.u32 [%r1], %r0;'
judge unwritten 1 --block 64 --arg in:64 --arg out:64 --schedule 0

# A wait by the wrong parity: what the thread that runs ahead then upsets follows.
cat > ahead.ptx << EOF
$head
.visible .entry ahead(.param .u64 from)
{
    .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<4>;
    .shared .align 128 .b8 tile[1024]; .shared .align 8 .b64 full; .shared .align 8 .b64 empty;
    ld.param.u64 %d0, [from]; mov.u32 %r0, %tid.x; mov.u32 %r1, tile; mov.u32 %r2, full; mov.u32 %r3, empty; mov.u32 %r4, 0;
    setp.ne.u32 %p0, %r0, 0; @%p0 bra ready;
    mbarrier.init.shared.b64 [%r2], 1; mbarrier.init.shared.b64 [%r3], 32;
ready:
    bar.sync 0;
    setp.ge.u32 %p1, %r0, 32; @%p1 bra use;
    @%p0 bra end;
fill:
    and.b32 %r5, %r4, 1; xor.b32 %r5, %r5, 1;
full_of: mbarrier.try_wait.parity.shared.b64 %p2, [%r3], %r5; @!%p2 bra full_of;
    mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 1024;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d0], 1024, [%r2];
    add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 6; @%p3 bra fill;
    bra end;
use:
    mov.u32 %r5, 0;
wait: mbarrier.try_wait.parity.shared.b64 %p2, [%r2], %r5; @!%p2 bra wait;
    ld.shared.u32 %r6, [%r1+64];
    mbarrier.arrive.shared.b64 _, [%r3];
    add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 6; @%p3 bra use;
end:
    ret;
}
EOF
judge ahead 1 --block 64 --arg in:1K
[ "$(head -n 1 out)" = 'mbarrier.phase.parity-alternates  in ahead' ] || wrong "ahead: $(head -n 3 out)"
says 'the thread'"'"'s last wait, at line 25,'
says '  follows   '
says ', 1 finding ('

# Two threads overwrite what a third one stores: one before the store of this run, the other behind it.
body stored 'shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r1; mov.u32 %r4, 0; setp.eq.u32 %p0, %r0, 0;
again: st.shared.u32 [%r3], %r0; fence.proxy.async.shared::cta; bar.sync 0;
    @%p0 cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], 256; @%p0 cp.async.bulk.commit_group;
    cp.async.bulk.wait_group.read 0; add.u64 %d1, %d1, 256; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 2; @%p1 bra again;'
judge stored 1 --block 64 --arg in:64 --arg out:512
[ "$(head -n 1 out)" = 'bulkgrp.per-thread  in stored' ] || wrong "stored: $(head -n 3 out)"
says 'wait for it, and then a barrier'
says '  follows   bulk.src.stable, at 1 place'
says ', 1 finding (2'

# A phase that expects the bytes of one of two copies; and a copy into a buffer that is still waited for and read.
once='mbarrier.init.shared.b64 [%r2], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 64;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d0], 64, [%r2];'
twice='cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1+'
wait='w: mbarrier.try_wait.parity.shared.b64 %p2, [%r2], 0; @!%p2 bra w; ld.shared.u32 %r3, [%r1+'
body short "$once $twice 64], [%d0+64], 64, [%r2]; $wait 64];"
judge short 1 --block 1 --arg in:128 --arg out:64 --schedule 0 --format jsonl
says 'expect as many bytes as the copies bring: the phase completed without these'
judge short 1 --block 1 --arg in:128 --arg out:64 --schedule 0
[ "$(head -n 1 out)" = 'mbarrier.tx.balance  in short' ] || wrong "short: $(head -n 3 out)"
says ', 1 finding (4'
body refilled "$once $twice 0], [%d0+64], 64, [%r2]; $wait 0];"
judge refilled 1 --block 1 --arg in:128 --arg out:64 --schedule 0 --format jsonl
says 'issue the copy behind the reads of what was there before'

# An arrival that does not wait for expect_tx: the phase is over before the bytes are announced, and the readers waited as
# they should.
body late 'setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0;
    @%p0 mbarrier.arrive.shared.b64 _, [%r2]; setp.eq.u32 %p1, %r0, 1;
    @%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r2], 64;
    @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d0], 64, [%r2];
w:  mbarrier.try_wait.parity.shared.b64 %p2, [%r2], 0; @!%p2 bra w; ld.shared.u32 %r3, [%r1];'
judge late 1 --block 64 --arg in:64 --arg out:64
[ "$(head -n 1 out)" = 'mbarrier.tx.wrong-phase  in late' ] || wrong "late: $(head -n 3 out)"
says ', 1 finding ('

# A CTA with two faults that have nothing to do with each other has two findings.
body two "$early ld.shared.u32 %r3, [%r1]; cp.async.wait_group 0; st.global.u32 [%d1], %r0;"
judge two 1 --block 64 --arg in:64 --arg out:64
says 'order.data-race  in two'
says 'cpasync.order.read-early  in two'

# A circle of waits, of two barriers, of two mbarriers, of a barrier and an mbarrier; and threads that only wait for one who
# is gone.
body crossed 'setp.lt.u32 %p0, %r0, 32; @!%p0 bra b; barrier.sync 1, 64; barrier.sync 2, 64; bra e;
b: barrier.sync 2, 64; barrier.sync 1, 64;
e:'
judge crossed 1 --block 64 --arg in:64 --arg out:64
says 'deadlock: 64 threads wait for what never comes: a circle of 2 waits: thread 0,0,0 of CTA 0,0,0 and 31 more at line '
says 'circle: thread 32,0,0 of CTA 0,0,0 and 31 more at line '
body handshake 'setp.eq.u32 %p0, %r0, 0; mov.u32 %r3, %r1; @%p0 mbarrier.init.shared.b64 [%r2], 1;
@%p0 mbarrier.init.shared.b64 [%r3], 1; bar.sync 0; @%p0 bra a;
w: mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0; @!%p1 bra w; mbarrier.arrive.shared.b64 _, [%r3]; bra e;
a: mbarrier.try_wait.parity.shared.b64 %p1, [%r3], 0; @!%p1 bra a; mbarrier.arrive.shared.b64 _, [%r2];
e:'
judge handshake 1 --block 2 --arg in:64 --arg out:64
says 'a circle of 2 waits'
says 'a wait for parity 1 comes true at once'
body mixed 'setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; @%p0 bra a;
w: mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0; @!%p1 bra w; barrier.sync 1, 64; bra e;
a: barrier.sync 1, 64; mbarrier.arrive.shared.b64 _, [%r2];
e:'
judge mixed 1 --block 64 --arg in:64 --arg out:64
says 'circle: '
body gone 'setp.lt.u32 %p0, %r0, 32; @%p0 bra e; barrier.sync 1, 64;
e:'
judge gone 1 --block 64 --arg in:64 --arg out:64
says 'deadlock'
grep -q circle out && wrong "a circle of one: $(cat out)"

# discard.L2 is a weak write of 128 aligned bytes of global memory, which have no value then until they are written again.
body discarded 'st.global.u32 [%d1], 1; discard.global.L2 [%d1], 128; st.global.u32 [%d1], 2; ld.global.u32 %r3, [%d1];
    ld.global.u32 %r3, [%d1+4];'
judge discarded 1 --block 1 --arg in:64 --arg out:128
[ "$(head -n 1 out)" = 'order.unwritten  in discarded' ] || wrong "discarded: $(head -n 3 out)"
says 'bytes 4 to 7 of --arg 1'
says ', 1 finding'
body apart 'discard.global.L2 [%d0+64], 128;'
judge apart 1 --block 1 --arg in:256 --arg out:64
says 'offset 64 of --arg 0 is not a multiple of 128'
body beyond 'discard.global.L2 [%d0+128], 128;'
judge beyond 1 --block 1 --arg in:192 --arg out:64
[ "$(head -n 1 out)" = 'access.bounds  in beyond' ] || wrong "beyond: $(head -n 3 out)"
body shared_with 'setp.eq.u32 %p0, %r0, 0; @%p0 discard.global.L2 [%d0], 128; setp.eq.u32 %p1, %r0, 32;
    @%p1 ld.global.u32 %r3, [%d0];'
judge shared_with 1 --block 64 --arg in:128 --arg out:64
[ "$(head -n 1 out)" = 'order.data-race  in shared_with' ] || wrong "shared_with: $(head -n 3 out)"

exit $failed
# SPDX-License-Identifier: Apache-2.0
