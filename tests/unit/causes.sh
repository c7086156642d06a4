#!/bin/sh
# Which finding leads where one mistake has broken several rules: the one nearest to the mistake, and nothing beside it.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
cd "$aside"

# kernel NAME < TEXT: a kernel of two pointers (%d0, %d1); %r0 is the thread, %p0 thread 0, %p1 thread 32, %r1 to %r3 are
# places in shared memory: a tile, two mbarriers `full`, two mbarriers `empty`.
kernel()
{
    cat > "$1.ptx" << END
.version 8.0
.target sm_90a
.address_size 64
.visible .entry $1(.param .u64 in, .param .u64 out)
{
    .reg .pred %p<4>, %q; .reg .b32 %r<16>; .reg .b64 %d<8>;
    .shared .align 128 .b8 tile[2048]; .shared .align 16 .b64 full[2]; .shared .align 16 .b64 empty[2];
    ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; mov.u32 %r0, %tid.x;
    mov.u32 %r1, tile; mov.u32 %r2, full; mov.u32 %r3, empty; setp.eq.u32 %p0, %r0, 0; setp.eq.u32 %p1, %r0, 32;
$(cat)
    ret;
}
END
}

# leads RULE NAME ARGUMENT...: NAME.ptx has one finding, of this rule, with what is folded under it
leads()
{
    rule=$1 name=$2 status=0
    shift 2
    "$copycheck" check "$name.ptx" "$@" > out 2>&1 || status=$?
    [ "$status" = 1 ] || wrong "$name: status $status: $(head -n 3 out)"
    [ "$(head -n 1 out)" = "$rule  in $name" ] || wrong "$name: not $rule: $(head -n 2 out)"
    grep -qE ', 1 finding( |$)' out || wrong "$name: $(tail -n 3 out)"
}

says()
{
    grep -qF -- "$1" out || wrong "$name: no '$1' in: $(head -n 30 out)"
}

# announce AT BYTES: with an arrival; load TO FROM BYTES AT: a bulk copy; await LABEL AT PARITY
announce() { echo "mbarrier.arrive.expect_tx.shared.b64 _, [$1], $2;"; }
load() { echo "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$1], [$2], $3, [$4];"; }
await() { echo "$1: mbarrier.try_wait.parity.shared.b64 %q, [$2], $3; @!%q bra $1;"; }
store='cp.async.bulk.global.shared::cta.bulk_group'

# One arrival too few at `empty`. The thread that waits there arrives at `full` later, for which the others wait.
kernel few << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; @%p0 mbarrier.init.shared.b64 [%r3], 33; bar.sync 0;
    setp.lt.u32 %p2, %r0, 32; @%p2 bra C; @!%p1 bra E;
    $(await P %r3 0) $(announce %r2 0) bra E;
C:  mbarrier.arrive.shared.b64 _, [%r3]; $(await W %r2 0)
E:
EOF
leads mbarrier.phase.all-arrive few --block 64 --arg in:64 --arg out:64
# The same where nobody waits elsewhere: the thread waits before its own arrival.
kernel own << EOF
    @%p0 mbarrier.init.shared.b64 [%r3], 33; bar.sync 0;
    setp.lt.u32 %p2, %r0, 32; @%p2 bra C; @!%p1 bra E;
    $(await P %r3 0) mbarrier.arrive.shared.b64 _, [%r3]; bra E;
C:  mbarrier.arrive.shared.b64 _, [%r3]; $(await W %r3 0)
E:
EOF
leads mbarrier.wait.own-arrive-order own --block 64 --arg in:64 --arg out:64

# An arrive behind the wait that expects bytes is meant for another mbarrier: this one counts an arrival too many.
kernel counts << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; @%p0 mbarrier.init.shared.b64 [%r3], 2; bar.sync 0;
    @%p1 mbarrier.arrive.shared.b64 _, [%r3]; @!%p0 bra E;
$(await W '%r3' 0)
    $(announce '%r2' 64) $(load '%r1' '%d0' 64 '%r2')
$(await V '%r2' 0)
E:
EOF
leads mbarrier.phase.all-arrive counts --block 64 --arg in:64 --arg out:64

# Bytes are missing because a warp waits at a barrier before it copies, and that barrier lacks the warp that waits for
# them: it has one barrier less.
kernel fewer << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; shr.u32 %r4, %r0, 5; setp.ne.u32 %p2, %r4, 1;
    @%p0 $(announce '%r2' 64)
    @%p2 bar.sync 0;
    @!%p0 bra W;
    $(load '%r1' '%d0' 64 '%r2')
$(await W '%r2' 0)
    bar.sync 0;
EOF
leads deadlock.barrier fewer --block 64 --arg in:64 --arg out:64

# A fence of too small a scope before a relaxed arrival at the cluster's barrier: no mbarrier is there to speak of.
kernel narrow << EOF
    st.shared.u32 [%r1], %r0; fence.acq_rel.cta; barrier.cluster.arrive.relaxed; barrier.cluster.wait;
    mov.u32 %r4, %cluster_ctarank; xor.b32 %r4, %r4, 1; mapa.shared::cluster.u32 %r5, %r1, %r4;
    ld.shared::cluster.u32 %r6, [%r5]; barrier.cluster.arrive; barrier.cluster.wait;
EOF
leads cluster.barrier.relaxed narrow --grid 2 --cluster 2 --block 1 --arg in:64 --arg out:64

# Bytes that another lane announces than the one that arrives, with nothing between: what is read before they come, and
# the copies of two rounds that have no order then, follow from that.
kernel other_lane << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; setp.eq.u32 %p2, %r0, 5; mov.u32 %r5, 0;
L:  @%p2 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r2], 64; @%p2 $(load %r1 %d0 64 %r2)
    @%p0 mbarrier.arrive.shared.b64 _, [%r2]; $(await W %r2 %r5) ld.shared.u32 %r6, [%r1]; bar.sync 0;
    xor.b32 %r5, %r5, 1; setp.ne.u32 %p3, %r5, 0; @%p3 bra L;
EOF
leads mbarrier.tx.wrong-phase other_lane --block 64 --arg in:64 --arg out:64

# A second wait for the phase that is over: the two threads race, and the wait is why.
kernel again << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; @%p0 mbarrier.init.shared.b64 [%r3], 1; bar.sync 0; @%p0 bra P; @!%p1 bra E;
    $(await W %r2 0) ld.shared.u32 %r4, [%r1]; mbarrier.arrive.shared.b64 _, [%r3];
    $(await V %r2 0) ld.shared.u32 %r4, [%r1]; bra E;
P:  st.shared.u32 [%r1], 1; mbarrier.arrive.shared.b64 _, [%r2];
    $(await X %r3 0) st.shared.u32 [%r1], 2; mbarrier.arrive.shared.b64 _, [%r2];
E:
EOF
leads mbarrier.phase.parity-alternates again --block 64 --arg in:64 --arg out:64
says 'also      order.data-race'
says 'cause '

# A load into what a store still reads, behind a wait that does not cover the store; the store's bytes, read by another load
# behind a wait for their source alone.
init='mbarrier.init.shared.b64 [%r2], 1; fence.proxy.async;'
kernel uncommitted << EOF
    $init cp.async.bulk.commit_group; $store [%d1], [%r1], 64; cp.async.bulk.wait_group.read 0;
    $(announce %r2 64) $(load %r1 %d0 64 %r2) $(await W %r2 0) cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
EOF
leads bulkgrp.uncommitted uncommitted --block 1 --arg in:64 --arg out:64
says 'also      bulk.order.none-between'
kernel one_left << EOF
    $init $store [%d1], [%r1], 64; cp.async.bulk.commit_group; $store [%d1+64], [%r1+64], 64;
    cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 1;
    $(announce %r2 64) $(load %r1+64 %d0 64 %r2) $(await W %r2 0) cp.async.bulk.wait_group 0;
EOF
leads bulkgrp.wait.n one_left --block 1 --arg in:64 --arg out:128
kernel source_only << EOF
    $init $store [%d1], [%r1], 64; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;
    $(announce %r2 64) $(load %r1+64 %d1 64 %r2) $(await W %r2 0) cp.async.bulk.wait_group 0;
EOF
leads bulkgrp.read.not-visible source_only --block 1 --arg in:64 --arg out:64

# Another CTA reads what a store has brought, and the flag that says so does not release.
kernel told << EOF
    mov.u32 %r4, %ctaid.x; setp.ne.u32 %p2, %r4, 0; @%p2 bra R;
    $store [%d1], [%r1], 64; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; st.volatile.global.u32 [%d0], 1; bra E;
R:  ld.acquire.gpu.global.u32 %r5, [%d0]; setp.eq.u32 %q, %r5, 0; @%q bra R; ld.global.u32 %r6, [%d1];
E:
EOF
leads fence.mp told --grid 2 --block 1 --arg in:4@/dev/zero --arg out:64
says 'also      bulkgrp.wait.visible-issuer-only'

# Two threads announce and copy, and init said one: the phase does not wait for the copy of the second.
kernel two << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; or.pred %p2, %p0, %p1; shl.b32 %r4, %r0, 1; add.u32 %r4, %r4, %r1;
    @%p2 $(announce %r2 64) @%p2 $(load %r4 %d0 64 %r2)
    $(await W %r2 0) ld.shared.u32 %r5, [%r1+64];
EOF
leads mbarrier.phase.over-arrive two --block 64 --arg in:64 --arg out:64
# The same where both copies go to the same place.
kernel both << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; or.pred %p2, %p0, %p1;
    @%p2 $(announce %r2 64) @%p2 $(load %r1 %d0 64 %r2) $(await W %r2 0) ld.shared.u32 %r5, [%r1];
EOF
leads mbarrier.phase.over-arrive both --block 64 --arg in:64 --arg out:64
says 'bulk.order.none-between'
# One of them announces the bytes of one copy: the second copy comes when nobody waits for it.
kernel half << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 2; bar.sync 0; or.pred %p2, %p0, %p1; shl.b32 %r4, %r0, 1; add.u32 %r4, %r4, %r1;
    @%p0 $(announce %r2 64) @%p1 mbarrier.arrive.shared.b64 _, [%r2]; @%p2 $(load %r4 %d0 64 %r2)
    $(await W %r2 0) ld.shared.u32 %r5, [%r1+64]; ld.shared.u32 %r5, [%r1];
EOF
leads mbarrier.tx.balance half --block 64 --arg in:64 --arg out:64
says '64 bytes were announced in all, and its copies bring 128'

# An mbarrier is made again while others go on to wait at it.
kernel anew << EOF
    @%p0 $init bar.sync 0; @%p0 $(announce %r2 64) @%p0 $(load %r1 %d0 64 %r2)
    $(await W %r2 0) ld.shared.u32 %r4, [%r1]; bar.sync 0;
    @%p0 mbarrier.inval.shared.b64 [%r2]; @%p0 mbarrier.init.shared.b64 [%r2], 1;
    @%p0 $(announce %r2 64) @%p0 $(load %r1 %d0 64 %r2) $(await V %r2 0) ld.shared.u32 %r4, [%r1];
EOF
leads mbarrier.inval.quiescent anew --block 64 --arg in:64 --arg out:64

# A copy runs over the mbarriers behind the tile.
kernel over << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; @%p0 mbarrier.init.shared.b64 [%r2+8], 1; bar.sync 0;
    @%p0 $(announce %r2 2064) @%p0 $(load %r1 %d0 2064 %r2) $(await W %r2 0) ld.shared.u32 %r4, [%r1];
    @%p0 $(announce %r2+8 64) @%p0 $(load %r1 %d0 64 %r2+8) $(await V %r2+8 0) ld.shared.u32 %r4, [%r1];
EOF
leads mbarrier.object.opaque-write over --block 64 --arg in:2064 --arg out:64

# A barrier of two CTAs, each of which looks at the generation after it has arrived: the other one may have counted it up
# by then. A swap of the two shows it.
kernel late << EOF
    atom.global.add.u32 %r4, [%d0], 1; ld.volatile.global.u32 %r5, [%d0+4]; setp.ne.u32 %p2, %r4, 1; @%p2 bra S;
    fence.acq_rel.gpu; atom.global.add.u32 %r7, [%d0+4], 1; bra E;
S:  ld.volatile.global.u32 %r6, [%d0+4]; setp.eq.u32 %q, %r6, %r5; @%q bra S;
E:
EOF
leads deadlock.spin late --grid 2 --block 1 --arg in:8@/dev/zero --arg out:64

# A wait that counts its tries never rests: it is a deadlock all the same where nobody can end it, and a limit where a
# thread of the cluster may.
counted='C: add.u32 %r6, %r6, 1; mbarrier.try_wait.parity.shared.b64 %q, [%r2], 0; @%q bra E; setp.lt.u32 %p3, %r6, 0x7fffffff;
    @%p3 bra C;'
kernel tries << EOF
    mov.u32 %r6, 0; @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; @%p0 $(announce %r2 80) @%p0 $(load %r1 %d0 64 %r2)
    $counted
E:
EOF
leads mbarrier.tx.balance tries --block 64 --arg in:64 --arg out:64 --max-idle 100K
says '16 are still expected'
kernel counts << EOF
    mov.u32 %r6, 0; @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; @%p1 bra L;
    $counted
L:  ld.volatile.shared.u32 %r5, [%r1]; add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 0x7fffffff; @%p3 bra L;
E:
EOF
status=0
"$copycheck" check counts.ptx --block 64 --arg in:64 --arg out:64 --max-idle 100K > out 2>&1 || status=$?
[ "$status" = 1 ] || [ "$status" = 2 ] || wrong "counts: status $status"
grep -qF 'max-idle' out || wrong "counts: $(head -n 3 out)"

# A thread waits at a barrier of the CTA where it should wait for the bytes, in the second round of a buffer: it is early for
# these bytes, not late for those of the first round.
kernel barrier_alone << EOF
    @%p0 $init bar.sync 0; @%p0 $(announce %r2 64) @%p0 $(load %r1 %d0 64 %r2)
    $(await W %r2 0) ld.shared.u32 %r4, [%r1]; bar.sync 0;
    @%p0 $(announce %r2 64) @%p0 $(load %r1 %d0 64 %r2) bar.sync 0; ld.shared.u32 %r4, [%r1]; bar.sync 0; $(await V %r2 1)
EOF
leads bulk.dst.no-early-read barrier_alone --block 64 --arg in:64 --arg out:64

# An index that nobody has written yet leads out of the CTA's memory. Where it has been written, the address is told alone.
kernel astray << EOF
    @%p1 st.shared.u32 [%r1+1024], 4;
    ld.shared.u32 %r4, [%r1+1024]; mad.lo.u32 %r5, %r4, 4, %r1; st.shared.u32 [%r5], %r0;
EOF
leads order.unwritten astray --block 64 --arg in:64 --arg out:64
says 'follows   access.'
kernel astray << EOF
    @%p1 st.shared.u32 [%r1+1024], 4; bar.sync 0;
    ld.shared.u32 %r4, [%r1+1024]; mad.lo.u32 %r5, %r4, 0x800000, %r1; st.shared.u32 [%r5], %r0;
EOF
leads access.own-window astray --block 64 --arg in:64 --arg out:64

# A read of another CTA that may not have begun: that nothing orders it with that one's store follows.
kernel entry << EOF
    mov.u32 %r4, %cluster_ctarank; setp.eq.u32 %p2, %r4, 0; @!%p0 bra E; @!%p2 bra A; st.shared.u32 [%r1], 1; bra E;
A:  mapa.shared::cluster.u32 %r5, %r1, 0; ld.shared::cluster.u32 %r6, [%r5];
E:  barrier.cluster.arrive; barrier.cluster.wait;
EOF
leads dsmem.entry entry --grid 2 --cluster 2 --block 32 --arg in:64 --arg out:64
says 'follows   order.data-race'
# A read between arrive and wait of the cluster's barrier: that nobody has written the bytes yet follows.
kernel between << EOF
    mov.u32 %r4, %cluster_ctarank; xor.b32 %r4, %r4, 1; mapa.shared::cluster.u32 %r5, %r1, %r4;
    barrier.cluster.arrive; barrier.cluster.wait; st.shared.u32 [%r1], %r0; barrier.cluster.arrive;
    ld.shared::cluster.u32 %r6, [%r5]; barrier.cluster.wait; barrier.cluster.arrive; barrier.cluster.wait;
EOF
leads cluster.barrier.between between --grid 2 --cluster 2 --block 1 --arg in:64 --arg out:64
says 'follows   order.unwritten'

# A store that is never committed: nobody waits for it, and its CTA ends.
kernel not_committed << EOF
    $store [%d1], [%r1], 64; cp.async.bulk.wait_group 0; ld.global.u32 %r4, [%d1];
EOF
leads bulkgrp.uncommitted not_committed --block 1 --arg in:64 --arg out:64
says 'follows   bulk.exit.source-alive'

# Counters and a lock in shared memory that nobody has set: an atomic makes its value of what is there, one that exchanges
# does not.
kernel unset << EOF
    red.shared.add.u32 [%r1], 1;
EOF
leads order.unwritten unset --block 64 --arg in:64 --arg out:64
kernel unlocked << EOF
L:  atom.shared.cas.b32 %r4, [%r1], 0, 1; setp.ne.u32 %q, %r4, 0; @%q bra L;
EOF
leads order.unwritten unlocked --block 1 --arg in:64 --arg out:64
says 'follows   deadlock.spin'
kernel reduced << EOF
    $init fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait; $(announce %r2 4)
    mov.u32 %r4, %cluster_ctarank; xor.b32 %r4, %r4, 1; mapa.shared::cluster.u32 %r5, %r1, %r4;
    mapa.shared::cluster.u32 %r6, %r2, %r4;
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r5], 1, [%r6];
W:  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%r2], 0; @!%q bra W;
EOF
sed -i 's/^.version 8.0/.version 8.1/' reduced.ptx
leads order.unwritten reduced --grid 2 --cluster 2 --block 1 --arg in:64 --arg out:64
kernel exchanged << EOF
    atom.shared.exch.b32 %r4, [%r1], %r0; st.global.u32 [%d1], %r4;
EOF
ends 0 'clean: exchanged' "$copycheck" check exchanged.ptx --block 1 --arg in:64 --arg out:64

# An index over the end of a local array.
kernel local_array << EOF
    .local .align 4 .b32 own[8];
    mov.u32 %r4, own; mad.lo.u32 %r4, %r0, 4, %r4; st.local.u32 [%r4], %r0;
EOF
ends 0 'clean: local_array' "$copycheck" check local_array.ptx --block 8 --arg in:64 --arg out:64
leads access.bounds local_array --block 9 --arg in:64 --arg out:64

# A flag whose scope is too small races itself, and so does what it passes on: one mistake, and the scope is what to mend.
kernel scope << EOF
    mov.u32 %r4, %ctaid.x; setp.ne.u32 %p2, %r4, 0; @%p2 bra R;
    st.global.u32 [%d1], 7; red.release.cta.global.add.u32 [%d0], 1; bra E;
R:  ld.acquire.gpu.global.u32 %r5, [%d0]; setp.eq.u32 %q, %r5, 0; @%q bra R; ld.global.u32 %r6, [%d1];
E:
EOF
leads order.data-race scope --grid 2 --block 1 --arg in:4@/dev/zero --arg out:64
says 'do        a scope that includes the other thread, on both sides'
says 'follows   fence.mp, at 1 place'
sed 's/scope(/plain_flag(/; s/red.release.cta.global.add.u32/st.release.gpu.global.u32/; s/ld.acquire.gpu.global.u32 %r5/ld.global.u32 %r5/' scope.ptx > plain_flag.ptx
leads order.data-race plain_flag --grid 2 --block 1 --arg in:4@/dev/zero --arg out:64
says 'strong accesses on both sides'

# The barrier of the cluster that is missing at the beginning is missing for each access of a neighbour's memory.
kernel entries << EOF
    mov.u32 %r4, %cluster_ctarank; add.u32 %r5, %r4, 1; and.b32 %r5, %r5, 3; add.u32 %r6, %r4, 3; and.b32 %r6, %r6, 3;
    st.shared.u32 [%r1], 1; mapa.shared::cluster.u32 %r5, %r1, %r5; mapa.shared::cluster.u32 %r6, %r1, %r6;
    ld.shared::cluster.u32 %r7, [%r5]; st.shared::cluster.u32 [%r6+128], %r4;
    barrier.cluster.arrive; barrier.cluster.wait;
EOF
leads dsmem.entry entries --grid 4 --cluster 4 --block 1 --arg in:64 --arg out:64

# Arrivals at what is no mbarrier are missing at the one that was meant.
kernel beside << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 64; bar.sync 0; setp.lt.u32 %p2, %r0, 32;
    @%p2 mbarrier.arrive.shared.b64 _, [%r2]; @!%p2 mbarrier.arrive.shared.b64 _, [%r2+8]; $(await W %r2 0)
EOF
leads mbarrier.init.required beside --block 64 --arg in:64 --arg out:64

# A group that the wait leaves in flight meets the next copy to the same place too.
kernel left << EOF
    mov.u32 %r4, 0; mad.lo.u32 %r5, %r0, 4, %r1; xor.b32 %r6, %r0, 1; mad.lo.u32 %r6, %r6, 4, %r1;
L:  cp.async.ca.shared.global [%r5], [%d0], 4; cp.async.commit_group; cp.async.wait_group 1; bar.sync 0;
    ld.shared.u32 %r7, [%r6]; bar.sync 0; add.u32 %r4, %r4, 1; setp.lt.u32 %q, %r4, 2; @%q bra L;
    cp.async.wait_all;
EOF
leads group.wait.n left --block 2 --arg in:64 --arg out:64

# Arrivals of threads and those of cp.async.mbarrier.arrive.noinc, where init counted one kind of them: the phase completes
# while one that counts waits for its copy.
kernel both_arrive << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 64; bar.sync 0; mad.lo.u32 %r4, %r0, 4, %r1; xor.b32 %r5, %r0, 33; mad.lo.u32 %r5, %r5, 4, %r1;
    cp.async.ca.shared.global [%r4], [%d0], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [%r2]; mbarrier.arrive.shared.b64 _, [%r2];
    $(await W %r2 0) ld.shared.u32 %r6, [%r5];
EOF
leads mbarrier.phase.over-arrive both_arrive --block 64 --arg in:64 --arg out:64
says 'init with the arrivals of threads and those of .noinc together'
says 'follows   mbarrier.wait.async-not-covered'
sed 's/both_arrive/counted/; s/\[%r2\], 64/[%r2], 128/' both_arrive.ptx > counted.ptx
ends 0 'clean: counted' "$copycheck" check counted.ptx --block 64 --arg in:64 --arg out:64
# The arrival comes before the copy that it is to tell of.
kernel arrives_first << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 2; bar.sync 0; mad.lo.u32 %r4, %r0, 4, %r1; xor.b32 %r5, %r0, 1; mad.lo.u32 %r5, %r5, 4, %r1;
    cp.async.mbarrier.arrive.noinc.shared.b64 [%r2]; cp.async.ca.shared.global [%r4], [%d0], 4;
    $(await W %r2 0) ld.shared.u32 %r6, [%r5]; cp.async.wait_all;
EOF
leads mbarrier.wait.async-not-covered arrives_first --block 2 --arg in:64 --arg out:64
says 'do        cp.async.mbarrier.arrive behind the copies'

# Half of the threads arrive twice in a phase, which completes without the others.
kernel arrive_twice << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 64; mad.lo.u32 %r5, %r0, 4, %r1; xor.b32 %r6, %r0, 32; mad.lo.u32 %r6, %r6, 4, %r1;
    st.shared.u32 [%r5], 0; bar.sync 0; setp.lt.u32 %p2, %r0, 32; @!%p2 nanosleep.u32 1000; st.shared.u32 [%r5], 1;
    @%p2 mbarrier.arrive.shared.b64 _, [%r2];
    mbarrier.arrive.shared.b64 _, [%r2]; $(await W %r2 0) ld.shared.u32 %r7, [%r6];
EOF
leads order.data-race arrive_twice --block 64 --arg in:64 --arg out:64
says 'do        let each thread arrive once in a phase'

# Nobody arrives but copies, by the form that raises the count first.
sed 's/both_arrive/raised/; s/arrive.noinc/arrive/; s/mbarrier.arrive.shared.b64 _, .%r2.;//' both_arrive.ptx > raised.ptx
leads mbarrier.phase.all-arrive raised --block 64 --arg in:64 --arg out:64
says 'also      cpmb.inc.alone'
says 'do        cp.async.mbarrier.arrive.noinc, or let the threads arrive as well'

# One thread announces two copies by an arrival each, and init said one arrival.
kernel announced_twice << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; @!%p0 bra W;
    $(announce %r2 64) $(load %r1 %d0 64 %r2) $(announce %r2 64) $(load %r1+64 %d0 64 %r2)
    $(await W %r2 0) ld.shared.u32 %r5, [%r1+64];
EOF
leads mbarrier.phase.over-arrive announced_twice --block 64 --arg in:64 --arg out:64

# The same where nobody waits between the rounds: the reads are early, and that one arrives again follows.
kernel never_waits << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; @!%p0 bra W;
    $(announce %r2 64) $(load %r1 %d0 64 %r2) ld.shared.u32 %r5, [%r1]; $(announce %r2 64) $(load %r1+64 %d0 64 %r2)
    $(await W %r2 0)
EOF
leads bulk.dst.no-early-read never_waits --block 64 --arg in:64 --arg out:64
says 'mbarrier.phase.over-arrive, at 1 place'

# A warp arrives at a barrier again before it is complete, and takes another one's place there.
kernel takes_place << EOF
    setp.lt.u32 %p2, %r0, 32; @!%p2 bra B; barrier.arrive 1, 96; barrier.arrive 1, 96; bra E;
B:  barrier.sync 1, 96;
E:
EOF
leads bar.next-use takes_place --block 96 --arg in:64 --arg out:64
says 'follows   deadlock.barrier'

# Another cluster's copy reads what a store has brought whose source alone was waited for; and reductions of two clusters.
kernel read_alone << EOF
    mov.u32 %r4, %ctaid.x; setp.ne.u32 %p2, %r4, 0; @%p2 bra R;
    $store [%d1], [%r1], 64; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; st.release.gpu.global.u32 [%d0], 1;
    cp.async.bulk.wait_group 0; bra E;
R:  ld.acquire.gpu.global.u32 %r5, [%d0]; setp.eq.u32 %q, %r5, 0; @%q bra R; $init $(announce %r2 64)
    $(load %r1 %d1 64 %r2) $(await W %r2 0)
E:
EOF
leads bulkgrp.read.not-visible read_alone --grid 2 --block 1 --arg in:4@/dev/zero --arg out:64
kernel both_store << EOF
    $store [%d1], [%r1], 64; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
EOF
leads bulk.order.none-between both_store --grid 2 --block 1 --arg in:64 --arg out:64
says 'releases a flag at gpu scope'

# A commit that is left out in every other round: the wait would be right if all were committed.
kernel every_other << EOF
    $store [%d1], [%r1], 64; cp.async.bulk.commit_group; $store [%d1+64], [%r1+64], 64; cp.async.bulk.wait_group.read 1;
    st.shared.u32 [%r1], 1; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
EOF
leads bulkgrp.uncommitted every_other --block 1 --arg in:64 --arg out:128
says 'also      bulkgrp.wait.n'
kernel every_other_cp << EOF
    cp.async.ca.shared.global [%r1], [%d0], 4; cp.async.commit_group; cp.async.ca.shared.global [%r1+64], [%d0], 4;
    cp.async.wait_group 1; ld.shared.u32 %r4, [%r1]; cp.async.wait_all;
EOF
leads group.wait.uncommitted every_other_cp --block 1 --arg in:64 --arg out:64
sed 's/every_other_cp/all_others/; s/cp.async.wait_group 1; ld/cp.async.wait_group 2; ld/' every_other_cp.ptx > all_others.ptx
leads group.wait.n all_others --block 1 --arg in:64 --arg out:64
kernel every_other_load << EOF
    $init $store [%d1], [%r1], 64; cp.async.bulk.commit_group; $store [%d1+64], [%r1+64], 64;
    cp.async.bulk.wait_group.read 1; $(announce %r2 64) $(load %r1 %d0 64 %r2) $(await W %r2 0)
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
EOF
leads bulkgrp.uncommitted every_other_load --block 1 --arg in:64 --arg out:128
# Copies of one buffer that no group holds meet one another as well.
kernel none_committed << EOF
    mov.u32 %r4, 0; mad.lo.u32 %r5, %r0, 4, %r1;
L:  cp.async.ca.shared.global [%r5], [%d0], 4; cp.async.wait_group 0; ld.shared.u32 %r7, [%r5]; add.u32 %r4, %r4, 1;
    setp.lt.u32 %q, %r4, 2; @%q bra L; cp.async.wait_all;
EOF
leads group.wait.uncommitted none_committed --block 1 --arg in:64 --arg out:64

# A bulk store of what cp.async brings, or a bulk copy to where one writes or reads, and no wait for the cp.async.
kernel no_wait << EOF
    cp.async.ca.shared.global [%r1], [%d0], 4; fence.proxy.async;
    $store [%d1], [%r1], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; cp.async.wait_all;
EOF
leads cpasync.order.read-early no_wait --block 1 --arg in:64 --arg out:64
says 'also      bulk.order.none-between'
kernel nobody_waits << EOF
    mad.lo.u32 %r4, %r0, 4, %r1; cp.async.ca.shared.global [%r4], [%d0], 4; fence.proxy.async; bar.sync 0; @!%p1 bra E;
    $store [%d1], [%r1], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
E:
EOF
leads cpasync.visibility.nothing-else nobody_waits --block 64 --arg in:64 --arg out:64
kernel same_place << EOF
    $init cp.async.ca.shared.global [%r1], [%d0], 4; $(announce %r2 16) $(load %r1 %d0 16 %r2) $(await W %r2 0) cp.async.wait_all;
EOF
leads cpasync.order.pair-unordered same_place --block 1 --arg in:64 --arg out:64
kernel source_stored << EOF
    cp.async.ca.shared.global [%r1], [%d0], 4;
    $store [%d0], [%r1+64], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; cp.async.wait_all;
EOF
leads cpasync.order.write-src-early source_stored --block 1 --arg in:64 --arg out:64

# Copies that an mbarrier tells of have no group: what lacks is a wait for the first one.
kernel tied_again << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; mov.u32 %r4, 0; @!%p0 bra E;
L:  cp.async.ca.shared.global [%r1], [%d0], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [%r2]; add.u32 %r4, %r4, 1;
    add.u32 %r2, %r2, 8; @%p0 mbarrier.init.shared.b64 [%r2], 1; setp.lt.u32 %q, %r4, 2; @%q bra L;
    mov.u32 %r2, full; $(await W %r2 0) $(await V %r2+8 0)
E:
EOF
leads cpasync.order.pair-unordered tied_again --block 32 --arg in:64 --arg out:64

# A thread waits for another one's store: itself, or a third one, writes the source then.
kernel other_waits << EOF
    @%p0 $store [%d1], [%r1], 256; @%p0 cp.async.bulk.commit_group; bar.sync 0; @%p1 cp.async.bulk.wait_group.read 0;
    bar.sync 0; mad.lo.u32 %r4, %r0, 4, %r1; st.shared.u32 [%r4], %r0; @%p0 cp.async.bulk.wait_group 0;
EOF
leads bulk.wait.store-issuer-only other_waits --block 64 --arg in:64 --arg out:256
says 'bulkgrp.per-thread, at 1 place'

# The slot of a store is given free before the store has read it.
kernel slot_free << EOF
    $init $store [%d1], [%r1], 64; cp.async.bulk.commit_group; $(announce %r2 64) $(load %r1 %d0 64 %r2) $(await W %r2 0)
    cp.async.bulk.wait_group 0;
EOF
leads bulk.order.none-between slot_free --block 1 --arg in:64 --arg out:64
says 'also      bulk.src.stable'
says 'do        wait_group.read before the copy that writes'

# A local array, and a null pointer, where shared memory is meant: converted, they are no address of shared memory.
kernel converted << EOF
    .local .align 16 .b32 own[8]; .reg .b64 %e0;
    mov.u64 %e0, own; cvta.local.u64 %e0, %e0; cvta.to.shared.u64 %e0, %e0; cvt.u32.u64 %r4, %e0;
    fence.proxy.async; $store [%d1], [%r4], 32; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
EOF
leads bulk.range.src converted --block 1 --arg in:64 --arg out:64
says 'it was converted from a generic address that is not in shared memory'
kernel null_bar << EOF
    .reg .b64 %e0;
    mov.u64 %e0, 0; cvta.to.shared.u64 %e0, %e0; cvt.u32.u64 %r4, %e0; mbarrier.init.shared::cta.b64 [%r4], 1;
EOF
leads mbarrier.init.generic-window null_bar --block 1 --arg in:64 --arg out:64
kernel other_cta << EOF
    .reg .b64 %e0;
    mov.u64 %e0, 0; cvta.to.shared.u64 %e0, %e0; cvt.u32.u64 %r4, %e0; ld.shared::cluster.u32 %r5, [%r4];
EOF
leads access.bounds other_cta --block 1 --arg in:64 --arg out:64

# Two CTAs bring each other's half by multicast, and one of them waits for a free slot that nobody gives: bytes are missing in
# the other one, and that follows.
kernel one_stands << EOF
    .reg .b16 %h; mov.u16 %h, 3; mov.u32 %r4, %cluster_ctarank; shl.b32 %r5, %r4, 6; add.u32 %r5, %r1, %r5;
    mbarrier.init.shared.b64 [%r2], 1; mbarrier.init.shared.b64 [%r3], 1; fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive; barrier.cluster.wait; setp.eq.u32 %p2, %r4, 0; @%p2 bra L;
    $(await W %r3 0)
L:  $(announce %r2 128)
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r5], [%d0], 64, [%r2], %h;
    $(await V %r2 0) barrier.cluster.arrive; barrier.cluster.wait;
EOF
leads mbarrier.phase.all-arrive one_stands --grid 2 --cluster 2 --block 1 --arg in:64 --arg out:64

# Threads wait at a barrier to which nobody comes any more; the arrivals behind it are missing at an mbarrier.
kernel not_primed << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 32; bar.sync 0; setp.lt.u32 %p2, %r0, 32; @%p2 bra W;
    bar.sync 1, 64; mbarrier.arrive.shared.b64 _, [%r2]; bra E;
    $(await W %r2 0)
E:
EOF
leads deadlock.barrier not_primed --block 64 --arg in:64 --arg out:64

# One fence is missing behind a write: a store reads the bytes, and later a load writes them.
kernel one_fence << EOF
    $init st.shared.u32 [%r1], 1; $store [%d1], [%r1], 64; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
    $(announce %r2 64) $(load %r1 %d0 64 %r2) $(await W %r2 0)
EOF
leads bulk.proxy.s2g-needs-fence one_fence --block 1 --arg in:64 --arg out:64
says 'follows   fence.proxy_async.g2a'

# A lane skips an operation of its warp and waits at a barrier behind it; and the other way round.
kernel skips << EOF
    setp.lt.u32 %p2, %r0, 1; @%p2 bra N; shfl.sync.idx.b32 %r4, %r0, 0, 31, -1;
N:  bar.sync 0;
EOF
leads deadlock.warp skips --block 32 --arg in:64 --arg out:64
kernel divergent << EOF
    setp.ge.u32 %p2, %r0, 16; @%p2 bra N; bar.sync 0;
N:  bar.warp.sync -1;
EOF
leads bar.aligned divergent --block 32 --arg in:64 --arg out:64

# A wait on the state of an older phase: what is read behind it may not be written yet.
kernel old_state << EOF
    .reg .b64 %e0, %e1;
    @%p0 mbarrier.init.shared.b64 [%r2], 64; bar.sync 0; mov.u32 %r4, 0; mad.lo.u32 %r5, %r0, 4, %r1; xor.b32 %r6, %r0, 33;
    mad.lo.u32 %r6, %r6, 4, %r1;
L:  st.shared.u32 [%r5], %r4; mbarrier.arrive.shared.b64 %e1, [%r2]; setp.eq.u32 %p2, %r4, 0; @%p2 mov.b64 %e0, %e1;
W:  mbarrier.test_wait.shared.b64 %q, [%r2], %e0; @!%q bra W; ld.shared.u32 %r7, [%r6];
    add.u32 %r5, %r5, 256; add.u32 %r6, %r6, 256; add.u32 %r4, %r4, 1; setp.lt.u32 %q, %r4, 4; @%q bra L;
EOF
leads mbarrier.phase.older-state old_state --block 64 --arg in:64 --arg out:64
says 'follows   order.unwritten'

# A wait for a state that the thread has waited for before: it is told about the state, not about a parity.
kernel same_state << EOF
    .reg .b64 %e0;
    @%p0 mbarrier.init.shared.b64 [%r2], 32; bar.sync 0; mov.u32 %r4, 0; setp.lt.u32 %p2, %r0, 32; add.u32 %r5, %r1, 64;
    mad.lo.u32 %r6, %r0, 4, %r1; @!%p2 bra T; setp.ne.u32 %q, %r0, 31;
    st.shared.u32 [%r6], %r0; mbarrier.arrive.shared.b64 %e0, [%r2]; @%p0 st.shared.u64 [%r1+512], %e0; bar.sync 1, 64;
    st.shared.u32 [%r6+256], %r0; @%q mbarrier.arrive.shared.b64 %e0, [%r2]; bra E;
T:  bar.sync 1, 64; ld.shared.u64 %e0, [%r1+512];
V:  mbarrier.try_wait.shared.b64 %q, [%r2], %e0; @!%q bra V; ld.shared.u32 %r7, [%r6+-128];
W:  mbarrier.try_wait.shared.b64 %q, [%r2], %e0; @!%q bra W; ld.shared.u32 %r7, [%r6+128];
E:
EOF
leads order.data-race same_state --block 64 --arg in:64 --arg out:64
says 'wait for the state of a later phase'

# The next tile is asked for before the other stage's wait, and this stage is read without a wait: the bytes are early,
# though the thread knew those of the tile before.
kernel prefetch << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; @%p0 mbarrier.init.shared.b64 [%r2+8], 1; bar.sync 0; add.u32 %r4, %r2, 8;
    add.u32 %r5, %r1, 64; @!%p0 bra A; $(announce %r2 64) $(load %r1 %d0 64 %r2)
A:  $(await V %r2 0) ld.shared.u32 %r7, [%r1]; bar.sync 0; @!%p0 bra B;
    $(announce %r4 64) $(load %r5 %d0 64 %r4) $(announce %r2 64) $(load %r1 %d0 64 %r2)
B:  bar.sync 0; $(await W %r4 0) @!%p1 bra C; ld.shared.u32 %r7, [%r1];
C:  $(await X %r2 1)
EOF
leads mbarrier.wait.async-not-covered prefetch --block 64 --arg in:64 --arg out:64
says 'do        wait on the mbarrier that the copy signals'

# It gives up after a few tries: a try_wait may return false while a copy takes its time.
kernel gives_up << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; @%p0 $(announce %r2 64) @%p0 $(load %r1 %d0 64 %r2)
    bar.sync 0; mov.u32 %r4, 0;
L:  mbarrier.try_wait.parity.shared.b64 %q, [%r2], 0; @%q bra D; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 4;
    @%p2 bra L;
D:  ld.shared.u32 %r7, [%r1];
EOF
leads mbarrier.try_wait.may-be-false gives_up --block 64 --arg in:64 --arg out:64
says 'also      bulk.dst.no-early-read'

# An mbarrier is made again, for too few: copies were tied to the one before, and have nothing to do with the race.
kernel made_again << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 64; bar.sync 0; mad.lo.u32 %r4, %r0, 4, %r1; mul.wide.u32 %d3, %r0, 4;
    add.u64 %d3, %d3, %d0; cp.async.ca.shared.global [%r4], [%d3], 4;
    cp.async.mbarrier.arrive.noinc.shared.b64 [%r2]; $(await V %r2 0) bar.sync 0;
    @%p0 mbarrier.inval.shared.b64 [%r2]; @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0;
    st.shared.u32 [%r4], %r0; bar.warp.sync -1; @%p0 mbarrier.arrive.shared.b64 _, [%r2]; $(await W %r2 0)
    xor.b32 %r5, %r0, 63; mad.lo.u32 %r5, %r5, 4, %r1; ld.shared.u32 %r7, [%r5];
EOF
leads order.data-race made_again --block 64 --arg in:256 --arg out:64
if grep -q cpmb out; then wrong "made_again: copies are blamed: $(cat out)"; fi

# Of the system's part of shared memory nothing is said, where the program knows of it; elsewhere its addresses are
# a mistake.
kernel systems << EOF
    .reg .b32 %t0; mov.b32 %t0, %reserved_smem_offset_1; ld.shared.u32 %r7, [%t0]; add.u32 %r7, %r7, %r0;
    st.shared.u32 [%t0], %r7;
EOF
"$copycheck" check systems.ptx --block 64 --arg in:64 --arg out:64 > out 2>&1 || wrong "systems: $(cat out)"
kernel nobodys << EOF
    mov.u32 %r4, 0; @%p0 ld.shared.u32 %r7, [%r4];
EOF
leads order.unwritten nobodys --block 64 --arg in:64 --arg out:64

# A read comes before the write that it is to see, and the two race: one finding, of the race.
kernel before_write << EOF
    @%p0 ld.shared.u32 %r7, [%r1]; bar.warp.sync -1; @%p1 ld.shared.u32 %r7, [%r1];
    @%p1 st.shared.u32 [%r1], %r0;
EOF
leads order.data-race before_write --block 64 --arg in:64 --arg out:64
says 'follows   order.unwritten'

# Two stores to one place: wait_group.read is about what they read, whatever its number.
kernel one_place << EOF
    st.shared.u32 [%r1], 1; st.shared.u32 [%r1+64], 1; fence.proxy.async; $store [%d1], [%r1], 64;
    cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 1; $store [%d1], [%r1+64], 64;
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
EOF
leads bulk.order.none-between one_place --block 1 --arg in:64 --arg out:64

# A product whose B nobody has written: its descriptor leads past the tile. Where a part of it is written, the rest may be
# rows that the product does not need.
product='{.reg .f32 %f<4>; mov.f32 %f0, 0f00000000; mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f00000000; mov.f32 %f3, 0f00000000; mov.b32 %r9, 0;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r9, %r9, %r9, %r9}, %d2, 1, 1, 1, 0;
    wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;}'
fill='setp.lt.u32 %p2, %r0, 8; mad.lo.u32 %r4, %r0, 16, %r1; @%p2 st.shared.v4.b32 [%r4], {%r0, %r0, %r0, %r0};
    fence.proxy.async; bar.sync 0; shr.u32 %r4, %r1, 4; cvt.u64.u32 %d2, %r4; or.b64 %d2, %d2, 0x800080000;'
kernel past << EOF
    $fill add.u64 %d2, %d2, 16; $product
EOF
leads order.unwritten past --block 128 --arg in:64 --arg out:64
says 'nobody has written'
kernel in_part << EOF
    $fill $product
EOF
"$copycheck" check in_part.ptx --block 128 --arg in:64 --arg out:64 > out 2>&1 || wrong "in_part: $(cat out)"

# One warp of the second warpgroup goes past the product and waits behind it for what the others do then.
kernel left_out << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 2; $fill shr.u32 %r4, %r0, 5; setp.eq.u32 %p2, %r4, 6; @%p2 bra G;
    $product and.b32 %r4, %r0, 127; setp.eq.u32 %p2, %r4, 0; @%p2 mbarrier.arrive.shared.b64 _, [%r2];
G:  $(await V %r2 0)
EOF
leads wgmma.aligned left_out --block 256 --arg in:64 --arg out:64
says 'waits for warp 6, which has gone past it'

# A wait by the wrong parity comes true before anything has been copied: what is read then has no value yet, and what is
# stored there meets the copy.
kernel too_soon << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; @%p1 bra C; @!%p0 bra E;
    $(await W %r2 1) ld.shared.u32 %r7, [%r1]; add.u32 %r7, %r7, 1; st.shared.u32 [%r1], %r7; bra E;
C:  $(announce %r2 64) $(load %r1 %d0 64 %r2) $(await V %r2 0)
E:
EOF
leads mbarrier.phase.parity-alternates too_soon --block 64 --arg in:64 --arg out:64
says 'also      bulk.weak'
says 'follows   order.unwritten'

# A counter is set to zero and raised by one thread, raised by another one: the first order of threads shows it, though
# the last write of the one that set it is an atomic, which races with no other.
kernel zeroed << EOF
    @%p0 st.shared.u32 [%r1], 0; atom.shared.add.u32 %r7, [%r1], 1;
EOF
leads order.data-race zeroed --block 2 --arg in:64 --arg out:64 --schedules 1
kernel zeroed_before << EOF
    @%p0 st.shared.u32 [%r1], 0; bar.warp.sync 3; atom.shared.add.u32 %r7, [%r1], 1;
EOF
"$copycheck" check zeroed_before.ptx --block 2 --arg in:64 --arg out:64 --schedules 9 > out 2>&1 ||
    wrong "zeroed_before: $(cat out)"

# Lanes of a warp that name different members do not meet: what they read of one another follows. The upper half goes on
# without the lower one, which waits for it until it has exited.
kernel masks << EOF
    mov.u32 %r4, -1; setp.ge.u32 %p2, %r0, 16; @%p2 mov.u32 %r4, 0xffff0000; xor.b32 %r5, %r0, 31; shl.b32 %r6, %r0, 2;
    add.u32 %r6, %r6, %r1; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, %r1; st.shared.u32 [%r6], %r0; bar.warp.sync %r4;
    ld.shared.u32 %r7, [%r5]; add.u32 %r7, %r7, 1; shfl.sync.idx.b32 %r8, %r7, 3, 31, %r4;
EOF
leads warp.same-mask masks --block 32 --arg in:64 --arg out:64
says 'and lane 16, one of them, came with another mask alone'
says 'order.data-race'
says 'warp.source'
# The same where some wait for ever, and the others at a barrier of the CTA.
kernel masks_wait << EOF
    mov.u32 %r4, 0x0000ffff; setp.ge.u32 %p2, %r0, 8; setp.ge.u32 %p3, %r0, 16; @%p2 mov.u32 %r4, 0x0010ff00;
    @%p3 mov.u32 %r4, 0xffff0000; setp.lt.u32 %p1, %r0, 8; @%p1 bra J; elect.sync _|%q, %r4;
J:  bar.sync 0;
EOF
leads warp.same-mask masks_wait --block 32 --arg in:64 --arg out:64
says 'waits for lane 20, which came to it with another mask alone'
# Half of a warp may meet there alone before it comes again with all.
kernel masks_again << EOF
    mov.u32 %r4, -1; setp.ge.u32 %p2, %r0, 16; @%p2 mov.u32 %r4, 0xffff0000;
L:  bar.warp.sync %r4; setp.ne.u32 %q, %r4, -1; mov.u32 %r4, -1; @%q bra L;
EOF
ends 0 'clean: masks_again' "$copycheck" check masks_again.ptx --block 32 --arg in:64 --arg out:64

# A maximum that nobody reads in between passes nothing on: it is a barrier that is missing, and no fence at a flag.
kernel unread << EOF
    @%p0 st.shared.u32 [%r1+64], 0; @%p0 st.shared.u32 [%r1], 0; bar.sync 0; @%p1 ld.shared.u32 %r4, [%r1];
    @%p0 nanosleep.u32 1000; atom.shared.max.u32 %r5, [%r1+64], %r0; @%p0 st.shared.u32 [%r1], %r4;
EOF
leads order.data-race unread --block 64 --arg in:64 --arg out:64

# A tile that lies on a living mbarrier, and on bytes that threads have written.
kernel over << EOF
    mov.u32 %r4, tile; st.shared.u32 [%r4+1920], %r0; @%p0 mbarrier.init.shared.b64 [%r4+1928], 1; bar.sync 0;
    @!%p0 bra E; $(announce %r4+1928 64) $(load %r4+1920 %d0 64 %r4+1928) $(await W %r4+1928 0)
E:
EOF
leads mbarrier.object.opaque-write over --block 1 --arg in:64 --arg out:64
says 'fence.proxy_async.g2a'

# A store's source is filled again by cp.async of another thread, which came first in this run.
kernel source_filled << EOF
    shl.b32 %r4, %r0, 2; add.u32 %r4, %r4, %r1; mul.wide.u32 %d4, %r0, 4; add.u64 %d4, %d4, %d0;
    cp.async.ca.shared.global [%r4], [%d4], 4; cp.async.wait_all; fence.proxy.async; bar.sync 0;
    @!%p0 cp.async.ca.shared.global [%r4], [%d4+256], 4; @%p0 nanosleep.u32 20; @!%p0 bra E;
    $store [%d1], [%r1], 256; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
E:  cp.async.wait_all;
EOF
leads cpasync.order.war-dst source_filled --block 64 --arg in:512 --arg out:256

# The second warp leaves the wait for the second load out: it is early for that one, and not late for the first, whose
# bytes it has read before the barrier.
kernel left_out << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0;
    @%p0 $(announce %r2 64) @%p0 $(load %r1 %d0 64 %r2) $(await W %r2 0) ld.shared.u32 %r4, [%r1]; bar.sync 0;
    @%p0 $(announce %r2 64) @%p0 $(load %r1 %d0 64 %r2) setp.ge.u32 %p2, %r0, 32; @%p2 bra J; $(await V %r2 1)
J:  ld.shared.u32 %r4, [%r1];
EOF
leads bulk.dst.no-early-read left_out --block 64 --arg in:64 --arg out:64
# The same with two stages, and an arrival in place of the barrier: the thread has waited for the other stage since.
kernel left_out_ring << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; @%p0 mbarrier.init.shared.b64 [%r2+8], 1; @%p0 mbarrier.init.shared.b64 [%r3], 1;
    bar.sync 0; @!%p0 bra C;
    $(announce %r2 64) $(load %r1 %d0 64 %r2) $(announce %r2+8 64) $(load %r1+64 %d0 64 %r2+8)
    $(await P %r3 0) $(announce %r2 64) $(load %r1 %d0 64 %r2) $(await Q %r2 1) bra E;
C:  @!%p1 bra E; $(await V %r2 0) ld.shared.u32 %r4, [%r1]; mbarrier.arrive.shared.b64 _, [%r3];
    $(await W %r2+8 0) ld.shared.u32 %r4, [%r1+64]; nanosleep.u32 1000; ld.shared.u32 %r4, [%r1];
E:
EOF
leads mbarrier.wait.async-not-covered left_out_ring --block 64 --arg in:64 --arg out:64
says 'bulk.dst.no-early-read'
# It reads again behind its own arrival: now it is late.
kernel read_again << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; @%p0 mbarrier.init.shared.b64 [%r3], 1; bar.sync 0; @!%p0 bra C;
    $(announce %r2 64) $(load %r1 %d0 64 %r2) $(await P %r3 0) $(announce %r2 64) $(load %r1 %d0 64 %r2) $(await Q %r2 1)
    bra E;
C:  @!%p1 bra E; $(await V %r2 0) ld.shared.u32 %r4, [%r1]; mbarrier.arrive.shared.b64 _, [%r3];
    nanosleep.u32 1000; ld.shared.u32 %r4, [%r1];
E:
EOF
leads bulk.dst.reuse-war read_again --block 64 --arg in:64 --arg out:64
# The same behind a barrier of its warp, one lane of which has arrived.
kernel read_again_warp << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; @%p0 mbarrier.init.shared.b64 [%r3], 1; bar.sync 0; @!%p0 bra C;
    $(announce %r2 64) $(load %r1 %d0 64 %r2) $(await P %r3 0) $(announce %r2 64) $(load %r1 %d0 64 %r2) $(await Q %r2 1)
    bra E;
C:  setp.lt.u32 %p2, %r0, 32; @%p2 bra E; $(await V %r2 0) ld.shared.u32 %r4, [%r1]; bar.warp.sync -1;
    @%p1 mbarrier.arrive.shared.b64 _, [%r3]; nanosleep.u32 1000; @!%p1 ld.shared.u32 %r4, [%r1];
E:
EOF
leads bulk.dst.reuse-war read_again_warp --block 64 --arg in:64 --arg out:64
# The producer waits for the same phase of `empty` before the second load as before the first: the loads meet; or, where
# the second one comes later, it meets the reads of the first.
again()
{
    kernel "$1" << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; @%p0 mbarrier.init.shared.b64 [%r3], 1; bar.sync 0; @!%p0 bra C;
    $(await P %r3 1) $(announce %r2 64) $(load %r1 %d0 64 %r2) $2
    $(await Q %r3 $3) $(announce %r2 64) $(load %r1 %d0 64 %r2) $(await X %r3 1) bra E;
C:  @!%p1 bra E; $(await V %r2 0) $4 ld.shared.u32 %r4, [%r1]; mbarrier.arrive.shared.b64 _, [%r3];
    $(await W %r2 1) ld.shared.u32 %r4, [%r1]; mbarrier.arrive.shared.b64 _, [%r3];
E:
EOF
}
again empty_again '' 1 ''
leads mbarrier.phase.parity-alternates empty_again --block 64 --arg in:64 --arg out:64
says 'bulk.order.none-between'
says 'wait for the other parity before the copy'
again empty_later "$(await Y %r2 0)" 1 'nanosleep.u32 5000;'
leads mbarrier.phase.parity-alternates empty_later --block 64 --arg in:64 --arg out:64
says 'bulk.dst.reuse-war'
again empty_right '' 0 ''
ends 0 'clean: empty_right' "$copycheck" check empty_right.ptx --block 64 --arg in:64 --arg out:64

# Nobody waits at one of two mbarriers, and its bytes are announced again in the same phase.
kernel one_of_two << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; @%p0 mbarrier.init.shared.b64 [%r2+8], 1; bar.sync 0; mov.u32 %r6, 0;
R:  @%p0 $(announce %r2+8 64) @%p0 $(load %r1+64 %d0 64 %r2+8) @%p0 $(announce %r2 64) @%p0 $(load %r1 %d0 64 %r2)
    $(await W %r2+8 %r6) ld.shared.u32 %r4, [%r1]; ld.shared.u32 %r5, [%r1+64]; bar.sync 0;
    add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 2; @%p2 bra R;
EOF
leads mbarrier.wait.async-not-covered one_of_two --block 64 --arg in:64 --arg out:64
says 'wait on the mbarrier that the copy signals'
says 'mbarrier.phase.over-arrive'

# A wait for cp.async that are tied to an mbarrier is left out in the second round.
kernel left_out_tied << EOF
    shl.b32 %r4, %r0, 2; add.u32 %r4, %r4, %r1; xor.b32 %r5, %r4, 252; mul.wide.u32 %d4, %r0, 4; add.u64 %d4, %d4, %d0;
    @%p0 mbarrier.init.shared.b64 [%r2], 64; bar.sync 0;
    cp.async.ca.shared.global [%r4], [%d4], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];
    $(await W %r2 0) ld.shared.u32 %r6, [%r5]; bar.sync 0;
    cp.async.ca.shared.global [%r4], [%d4], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];
    nanosleep.u32 100; ld.shared.u32 %r6, [%r5]; $(await V %r2 1)
EOF
leads cpmb.async left_out_tied --block 64 --arg in:256 --arg out:256

# A barrier of the grid whose threads look at the round behind their own arrival: who comes last may have ended it by
# then. In schedules in which threads stop too, all that wait for those say at what they wait.
kernel lost_round << EOF
    bar.sync 0; @!%p0 bra W; atom.global.add.u32 %r4, [%d0], 1; ld.volatile.global.u32 %r5, [%d0+4];
    setp.eq.u32 %q, %r4, 2; @%q bra L;
S:  ld.volatile.global.u32 %r6, [%d0+4]; setp.eq.u32 %q, %r6, %r5; @%q bra S; bra W;
L:  atom.global.add.u32 %r7, [%d0+4], 1;
W:  bar.sync 0;
EOF
leads deadlock.spin lost_round --grid 3 --block 96 --arg in:64@/dev/zero --arg out:64 --schedules 150

# What a load takes along without a value, and the program does not use: a vector's last word, a struct's padding that is
# stored elsewhere with it.
clean()
{
    name=$1
    shift
    "$copycheck" check "$name.ptx" "$@" > out 2>&1 || wrong "$name: $(head -n 3 out)"
}
three='st.shared.u32 [%r1], 1; st.shared.u32 [%r1+4], 2; st.shared.u32 [%r1+8], 3;
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r1]; add.u32 %r4, %r4, %r5; add.u32 %r4, %r4, %r6;'
echo "$three" | kernel of_three
clean of_three --block 1 --arg in:64 --arg out:64
echo "$three add.u32 %r4, %r4, %r7;" | kernel of_four
leads order.unwritten of_four --block 1 --arg in:64 --arg out:64
echo "st.shared.u8 [%r1], 1; ld.shared.u32 %r4, [%r1]; st.shared.u32 [%r1+4], %r4;" | kernel padding
clean padding --block 1 --arg in:64 --arg out:64
echo "st.shared.u8 [%r1], 1; ld.shared.u32 %r4, [%r1]; st.shared.u32 [%r1+4], %r4; add.u32 %r5, %r4, 1;" | kernel no_padding
leads order.unwritten no_padding --block 1 --arg in:64 --arg out:64
echo "st.shared.u8 [%r1], 1; ld.shared.v2.u32 {%r4, %r5}, [%r1]; shr.u32 %r6, %r5, 8; mov.b32 %r7, %r6;
    st.shared.u32 [%r1+16], %r4; st.shared.u8 [%r1+20], %r7;" | kernel moved
clean moved --block 1 --arg in:64 --arg out:64
echo "ld.shared.u32 %r4, [%r1]; setp.eq.u32 %p2, %r0, 1; selp.b32 %r5, %r4, 0, %p2; add.u32 %r5, %r5, 1;" |
    kernel selected
clean selected --block 1 --arg in:64 --arg out:64
# What it will choose is known where its predicate was set before: the word, or the other one.
select='ld.shared.u32 %r4, [%r1]; selp.b32 %r5, %r4, 0'
echo "setp.eq.u32 %p2, %r0, 0; $select, %p2; add.u32 %r5, %r5, 1;" | kernel taken
leads order.unwritten taken --block 1 --arg in:64 --arg out:64
echo "setp.eq.u32 %p3|%p2, %r0, 1; $select, %p2; add.u32 %r5, %r5, 1;" | kernel taken_of_two
leads order.unwritten taken_of_two --block 1 --arg in:64 --arg out:64
echo "setp.eq.u32 %p2, %r0, 0; $select, !%p2; add.u32 %r5, %r5, 1;" | kernel not_taken
clean not_taken --block 1 --arg in:64 --arg out:64
echo "setp.eq.u32 %p2, %r0, 0; $select, %p2; setp.eq.u32 %p2, %r0, 1; add.u32 %r5, %r5, 1;" | kernel set_again
clean set_again --block 1 --arg in:64 --arg out:64
echo "ld.shared.u32 %r4, [%r1]; st.shared.u32 [%r1+4], %r4;" | kernel nothing
leads order.unwritten nothing --block 1 --arg in:64 --arg out:64

# The same where the word is stored with others, or is an address.
echo "st.shared.u32 [%r1], 1; ld.shared.v2.u32 {%r4, %r5}, [%r1]; st.shared.v2.u32 [%r1+16], {%r4, %r5};" | kernel both
clean both --block 1 --arg in:64 --arg out:64
echo "st.shared.u32 [%r1], 1; ld.shared.v2.u32 {%r4, %r5}, [%r1]; setp.eq.u32 %p2, %r4, 0;
    @%p2 st.shared.u32 [%r5], %r4;" | kernel address
leads order.unwritten address --block 1 --arg in:64 --arg out:64

# A product waits for a warp that waits itself, before it.
kernel late << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; $fill setp.lt.u32 %p2, %r0, 96; @%p2 bra C;
$(await W '%r2' 0)
C:  $product
EOF
leads mbarrier.phase.all-arrive late --block 128 --arg in:64 --arg out:64
# Its A in shared memory, which nobody has written either.
kernel no_a << EOF
    $fill add.u64 %d3, %d2, 32;
    {.reg .f32 %f<4>; mov.f32 %f0, 0f00000000; mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f00000000; mov.f32 %f3, 0f00000000;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d3, %d2, 1, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;}
EOF
leads order.unwritten no_a --block 128 --arg in:64 --arg out:64

# A write before a wait by the wrong parity is not what that wait was for.
kernel wrote_first << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; @%p1 bra L; @!%p0 bra E;
    st.shared.u32 [%r1], 1;
$(await W '%r2' 1)
    bra E;
L:  $(announce '%r2' 64) $(load '%r1' '%d0' 64 '%r2')
$(await V '%r2' 0)
E:
EOF
leads bulk.weak wrote_first --block 64 --arg in:64 --arg out:64

# What a thread has behind a barrier at which it waits is a store: it brings no bytes.
kernel stores_behind << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; @!%p0 bra B; $(announce '%r2' 64)
$(await W '%r2' 0)
B:  bar.sync 0; @%p1 cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], 64;
EOF
leads mbarrier.tx.balance stores_behind --block 64 --arg in:64 --arg out:64

# A copy of no bytes may name any destination; one of 16 may not.
for bytes in 0 16; do
    kernel "to_odd_$bytes" << EOF
    @%p0 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; @!%p0 bra E; add.u32 %r1, %r1, 4; mov.u32 %r4, $bytes;
    mbarrier.arrive.expect_tx.shared.b64 _, [%r2], %r4; $(load '%r1' '%d0' '%r4' '%r2')
$(await W '%r2' 0)
E:
EOF
done
clean to_odd_0 --block 32 --arg in:64 --arg out:64
"$copycheck" check to_odd_16.ptx --block 32 --arg in:64 --arg out:64 > out 2>&1 && wrong "a copy to an odd place: $(cat out)"
says 'bulk.align.shared16'

exit $failed
# SPDX-License-Identifier: Apache-2.0
