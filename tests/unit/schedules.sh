#!/bin/sh
# The schedules of copycheck check: what only another order of threads shows, how it is told and repeated, what a number
# of schedules has covered, and that all of it is the same in each run.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
. tests/unit/checks

# The first thread of each warp takes a ticket. What the second one wrote is read by thread 0, if it came second.
kernel ticket << 'EOF'
    .shared .b32 n; .shared .align 4 .b8 who[16];
    setp.eq.u32 %p, %r0, 0; @%p st.shared.u32 [n], 0; bar.sync 0;
    and.b32 %r1, %r0, 31; setp.ne.u32 %p, %r1, 0; @%p ret;
    mov.u32 %r2, n; atom.shared.add.u32 %r3, [%r2], 1;
    mov.u32 %r4, who; mad.lo.u32 %r5, %r3, 4, %r4; st.shared.u32 [%r5], %r0;
    setp.ne.u32 %p, %r0, 0; @%p ret; setp.ne.u32 %p, %r3, 1; @%p ret;
    ld.shared.u32 %r6, [%r4]; st.global.u32 [%d0], %r6; ret;
EOF
expect 0 'schedules: threads in order' ticket.ptx --block 128 --arg out:4 --schedules 1
grep -q 'in order,' out && wrong "one schedule, and more said: $(cat out)"
expect 0 'schedules: threads in order, backwards' ticket.ptx --block 128 --arg out:4 --schedules 2
expect 1 'order.data-race' ticket.ptx --block 128 --arg out:4
grep -qF 'in 1 of 3 schedules, first in schedule 2 (--seed 1 --schedule 2 repeats it)' out || wrong "seen: $(cat out)"
grep -qxF 'schedules: threads in order, backwards, 1 of 3 swaps of two operations' out || wrong "covered: $(cat out)"
expect 1 'order.data-race' ticket.ptx --block 128 --arg out:4 --schedule 2
grep -qxF 'schedules: 1 of 3 swaps of two operations' out || wrong "one alone: $(cat out)"
expect 0 '1 in random order' ticket.ptx --block 32 --arg out:4 --schedule 7
expect 1 'all 3 swaps of two operations, 1 with threads that stop, 3 in random order' ticket.ptx --block 128 --arg out:4 --schedules 9
expect 1 '"schedule":2,"seed":8}' ticket.ptx --block 128 --arg out:4 --seed 6 --format jsonl
grep -qF '"covered":"threads in order, backwards, 1 of 3 swaps of two operations"' out || wrong "JSON: $(cat out)"
expect 0 '2 with threads that stop, 1 in random order; no two operations to swap' ticket.ptx --block 32 --arg out:4 --schedules 5
expect 1 'the only swap of two operations' ticket.ptx --block 64 --arg out:4 --schedules 3

# Two warps take two locks, each the other one first: a swap of the first warp's second lock shows the deadlock.
kernel locks << 'EOF'
    .shared .b32 a; .shared .b32 b; setp.eq.u32 %p, %r0, 0; mov.u32 %r3, a; mov.u32 %r4, b;
    @%p st.shared.u32 [%r3], 0; @%p st.shared.u32 [%r4], 0; bar.sync 0;
    and.b32 %r1, %r0, 31; setp.ne.u32 %q, %r1, 0; @%q ret;
    @%p bra T; mov.u32 %r5, %r3; mov.u32 %r3, %r4; mov.u32 %r4, %r5;
T:  atom.acquire.cta.shared.cas.b32 %r6, [%r3], 0, 1; setp.ne.u32 %q, %r6, 0; @%q bra T;
U:  atom.acquire.cta.shared.cas.b32 %r6, [%r4], 0, 1; setp.ne.u32 %q, %r6, 0; @%q bra U;
    atom.release.cta.shared.exch.b32 %r6, [%r4], 0; atom.release.cta.shared.exch.b32 %r6, [%r3], 0; ret;
EOF
expect 0 'clean' locks.ptx --block 64 --arg out:4 --schedules 1
expect 1 'deadlock.spin' locks.ptx --block 64 --arg out:4
grep -q 'swaps of two operations' out || wrong "no swap showed it: $(cat out)"

# What a warp does before it comes to a barrier, or arrives at an mbarrier, again is not ordered before those that have
# yet to leave the time before.
kernel again << 'EOF'
    .shared .b32 n; .shared .align 8 .b64 b; setp.eq.u32 %p, %r0, 0;
    @%p st.shared.u32 [n], 0; @%p mbarrier.init.shared.b64 [b], 128; bar.sync 0; mov.u32 %r2, n;
    MEET and.b32 %r1, %r0, 31; setp.eq.u32 %p, %r1, 0;
    @%p atom.shared.add.u32 %r3, [%r2], 1;
    MEET ret;
EOF
sed 's/MEET/bar.sync 0;/' again.ptx > bars.ptx
sed 's/MEET/mbarrier.arrive.shared.b64 %d1, [b];\nW\n/' again.ptx |
    awk '$1 == "W" { n++; printf "W%d: mbarrier.try_wait.shared.b64 %%q, [b], %%d1; @!%%q bra W%d;\n", n, n; next } { print }' > phases.ptx
expect 0 'all 3 swaps of two operations' bars.ptx --block 128 --arg out:4 --schedules 9
expect 0 'all 3 swaps of two operations' phases.ptx --block 128 --arg out:4 --schedules 9

# The same of CTAs: CTA 0 reads what CTA 1 wrote if its own ticket is the second.
kernel ctas << 'EOF'
    setp.ne.u32 %p, %r0, 0; @%p ret; mov.u32 %r1, %ctaid.x;
    atom.global.add.u32 %r2, [%d0], 1;
    setp.eq.u32 %p, %r1, 1; @%p st.global.u32 [%d0+4], 7;
    setp.ne.u32 %q, %r2, 1; @%q ret; @%p ret;
    ld.global.u32 %r3, [%d0+4]; st.global.u32 [%d0+8], %r3; ret;
EOF
expect 0 'clean' ctas.ptx --grid 2 --block 32 --arg in:16@/dev/zero --schedules 1
expect 1 'order.data-race' ctas.ptx --grid 2 --block 32 --arg in:16@/dev/zero --schedule 2
expect 1 'of the first 64 clusters' ctas.ptx --grid 65 --block 32 --arg in:16@/dev/zero --schedule 4

# A channel of four slots: the receiver says that a slot is free before it has read it. Where the two CTAs go on step by
# step, the sender learns that of a later slot; where the receiver comes to many at once, of this one.
kernel channel << 'EOF'
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, 0; shl.b32 %r6, %r0, 2; setp.ne.u32 %p, %r1, 0; setp.ne.u32 %q, %r0, 0; @%p bra R;
S:  @%q bra T;
U:  ld.acquire.gpu.u32 %r3, [%d0]; sub.u32 %r3, %r2, %r3; setp.ge.s32 %p, %r3, 4; @%p bra U;
T:  bar.warp.sync 3; and.b32 %r4, %r2, 3; mad.lo.u32 %r4, %r4, 8, %r6; cvt.u64.u32 %d2, %r4; add.u64 %d2, %d0, %d2;
    st.global.u32 [%d2+8], %r2; add.u32 %r2, %r2, 1; bar.warp.sync 3; @!%q st.release.gpu.u32 [%d0+4], %r2;
    setp.lt.u32 %p, %r2, 8; @%p bra S; ret;
R:  @%q bra V;
W:  ld.acquire.gpu.u32 %r3, [%d0+4]; setp.le.u32 %p, %r3, %r2; @%p bra W;
V:  bar.warp.sync 3; and.b32 %r4, %r2, 3; mad.lo.u32 %r4, %r4, 8, %r6; cvt.u64.u32 %d2, %r4; add.u64 %d2, %d0, %d2;
    add.u32 %r2, %r2, 1; FREE ld.global.u32 %r5, [%d2+8]; bar.warp.sync 3; READ
    setp.lt.u32 %p, %r2, 8; @%p bra R; ret;
EOF
free='@!%q st.release.gpu.u32 [%d0], %r2;'
sed "s/FREE//; s/READ/$free/" channel.ptx > freed.ptx
sed -i "s/FREE/$free/; s/READ//" channel.ptx
expect 0 clean freed.ptx --grid 2 --block 2 --arg in:64@/dev/zero --schedules 40
expect 0 clean channel.ptx --grid 2 --block 2 --arg in:64@/dev/zero --schedule 0
expect 1 'order.data-race' channel.ptx --grid 2 --block 2 --arg in:64@/dev/zero --schedule 1

# Each warp signals, and the first one then waits at the same barrier: it counts twice. Its lane 0 comes later than the
# others, which stand at the second instruction by then, or half of the warp never comes to it.
kernel twice << 'EOF'
    .shared .align 4 .b8 s[256]; mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 4, %r1; st.shared.u32 [%r2], %r0;
    setp.ne.u32 %p, %r0, 0; @%p bra A; mov.u32 %r3, 0;
L:  add.u32 %r3, %r3, 1; setp.lt.u32 %q, %r3, 300; @%q bra L;
A:  bar.arrive 1, COUNT; setp.ge.u32 %p, %r0, 32; @%p ret; FEW
    bar.sync 1, COUNT; xor.b32 %r3, %r0, 32; mad.lo.u32 %r4, %r3, 4, %r1; ld.shared.u32 %r5, [%r4];
    mul.wide.u32 %d1, %r0, 4; add.s64 %d1, %d0, %d1; st.global.u32 [%d1], %r5; ret;
EOF
sed 's/COUNT/96/; s/FEW//' twice.ptx > both.ptx
expect 0 'clean' both.ptx --block 64 --arg out:128 --schedules 40
sed 's/COUNT/96/; s/FEW/setp.ge.u32 %p, %r0, 16; @%p bar.sync 2, 32;/' twice.ptx > half.ptx
expect 1 'bar.aligned' half.ptx --block 64 --arg out:128
sed 's/COUNT/64/; s/FEW//' twice.ptx > less.ptx
expect 1 'order.data-race' less.ptx --block 64 --arg out:128 --schedules 40

# Two pairs of warps use one named barrier: in order, each pair meets there before the other one comes. A swap lets a
# warp of each pair meet.
kernel pairs << 'EOF'
    .shared .align 4 .b8 s[512];
    mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 4, %r1; st.shared.u32 [%r2], %r0; bar.sync 1, 64;
    xor.b32 %r3, %r0, 32; mad.lo.u32 %r4, %r3, 4, %r1; ld.shared.u32 %r5, [%r4];
    mul.wide.u32 %d1, %r0, 4; add.s64 %d1, %d0, %d1; st.global.u32 [%d1], %r5; ret;
EOF
expect 1 'order.data-race' pairs.ptx --block 128 --arg out:512 --schedule 2
sed 's/bar.sync 1, 64/shr.u32 %r6, %r0, 6; add.u32 %r6, %r6, 1; bar.sync %r6, 64/' pairs.ptx > apart.ptx
expect 0 'clean' apart.ptx --block 128 --arg out:512 --schedules 100

# Lanes of one instruction count up; a reader that waits for one less than there are misses what the last one wrote. It
# may look by a load, volatile or not, or by an atomic, at shared or at global memory, from before or behind the lanes.
kernel less << 'EOF'
    .shared .align 8 .b8 n[8]; .shared .align 4 .b8 s[128]; PLACE
    setp.eq.u32 %p, %r0, 0; @%p st.shared.b64 [n], 0; bar.sync 0;
    mov.u32 %r1, s; mov.u32 %r2, WRITER; sub.u32 %r2, %r0, %r2; setp.lt.u32 %p, %r2, 32; @%p bra W;
    setp.ne.u32 %q, %r0, READER; @%q ret; SUM
L:  LOOK setp.lt.u32 %q, %r3, COUNT; @%q bra L;
    ld.shared.u32 %r4, [%r1+124]; st.global.u32 [%d0+8], %r4; ret;
W:  mad.lo.u32 %r3, %r2, 4, %r1; st.shared.u32 [%r3], %r0; red.release.gpu.SPACE.add.u32 [%d1], 1; ret;
EOF
for shape in 's/WRITER/0/; s/READER/32/' 's/WRITER/32/; s/READER/0/'; do
    for look in 'ld.acquire.gpu.SPACE.u32 %r3, [%d1];' 'atom.acquire.gpu.SPACE.or.b32 %r3, [%d1], 0;' \
        'ld.volatile.SPACE.u32 %r3, [%d1]; fence.acq_rel.gpu;' 'nanosleep.u32 20; ld.acquire.gpu.SPACE.u32 %r3, [%d1];'; do
        for place in 's/SPACE/global/g; s/PLACE/mov.u64 %d1, %d0;/' \
            's/SPACE/shared/g; s/PLACE/mov.u32 %r5, n; cvt.u64.u32 %d1, %r5;/'; do
            sed "s/LOOK/$look/; s/SUM//; $shape" less.ptx | sed "$place" > shaped.ptx
            sed 's/COUNT/32/' shaped.ptx > right.ptx
            sed 's/COUNT/31/' shaped.ptx > wrong.ptx
            expect 0 'clean' right.ptx --block 64 --arg in:16@/dev/zero --schedule 3
            grep -q 'changes alone' out || wrong "right: $(cat out)"
            expect 1 'order.data-race' wrong.ptx --block 64 --arg in:16@/dev/zero --schedule 3
            expect 1 'changes alone' wrong.ptx --block 64 --arg in:16@/dev/zero --schedules 4
        done
    done
done
# The same where the reader is in another CTA.
sed 's/LOOK/ld.acquire.gpu.global.u32 %r3, [%d0];/; s/SPACE/global/; s/PLACE/mov.u64 %d1, %d0; mov.u32 %r6, %ctaid.x;/
     s/WRITER/0/; s/READER/32/; s/SUM/setp.eq.u32 %q, %r6, WRITES; @%q ret;/; s/ld.shared.u32 %r4, .*124.;/ld.global.u32 %r4, [%d0+140];/
     s/^W: /W: setp.ne.u32 %q, %r6, WRITES; @%q ret; mul.wide.u32 %d2, %r2, 4; add.s64 %d2, %d0, %d2; st.global.u32 [%d2+16], %r0;/' less.ptx > far.ptx
for writes in 0 1; do
    sed "s/WRITES/$writes/g; s/COUNT/32/" far.ptx > right.ptx
    sed "s/WRITES/$writes/g; s/COUNT/31/" far.ptx > wrong.ptx
    expect 0 'clean' right.ptx --grid 2 --block 64 --arg in:256@/dev/zero --schedule 3
    expect 1 'order.data-race' wrong.ptx --grid 2 --block 64 --arg in:256@/dev/zero --schedule 3
done

# Which of the lanes comes last differs: lane 31 in one such schedule, in the other the one that had data last, which is
# lane 30, since lane 31 came to the barrier last and goes on first.
sed 's/LOOK/ld.acquire.gpu.global.u32 %r3, [%d1];/; s/SUM//; s/WRITER/32/; s/READER/0/; s/COUNT/31/
     s/SPACE/global/g; s/PLACE/mov.u64 %d1, %d0;/' less.ptx > last.ptx
sed 's/%r1+124/%r1+120/' last.ptx > latest.ptx
expect 1 'order.data-race' last.ptx --block 64 --arg in:16@/dev/zero --schedule 3
expect 1 'order.data-race' latest.ptx --block 64 --arg in:16@/dev/zero --schedule 7
expect 0 'changes alone' last.ptx --block 64 --arg in:16@/dev/zero --schedule 7
expect 0 'changes alone' latest.ptx --block 64 --arg in:16@/dev/zero --schedule 3

# Who sets a flag may look at it behind that, by an atomic that releases what the flag did not. It leaves the flag as it is,
# and so shows nobody what it released: any schedule names it, also one in which it comes before the other one's look.
kernel own << 'EOF'
    mov.u32 %r1, %ctaid.x; setp.ne.u32 %p, %r1, 0; @!%p st.global.u32 [%d0+8], %r0; FENCE @!%p atom.relaxed.gpu.global.exch.b32 %r2, [%d0], 1;
L:  atom.acq_rel.gpu.global.cas.b32 %r3, [%d0], 0, 0; setp.ne.u32 %q, %r3, 1; @%q bra L;
    @%p ld.global.u32 %r4, [%d0+8]; ret;
EOF
sed 's/FENCE/fence.acq_rel.gpu;/' own.ptx > right.ptx
sed 's/FENCE//' own.ptx > wrong.ptx
expect 0 'clean' right.ptx --grid 2 --block 1 --arg in:16@/dev/zero --schedules 100
expect 1 'fence.mp' wrong.ptx --grid 2 --block 1 --arg in:16@/dev/zero --schedules 1
expect 1 'fence.mp' wrong.ptx --grid 2 --block 1 --arg in:16@/dev/zero --schedule 3

# A lane that nobody waits for may be so slow that it misses a phase. One thread is slow in some of the random schedules.
kernel slowly << 'EOF'
    .shared .align 8 .b8 m[8]; mov.u32 %r1, m; setp.eq.u32 %p, %r0, 0; @%p mbarrier.init.shared.b64 [%r1], 1; bar.warp.sync -1;
    @%p mbarrier.arrive.shared.b64 _, [%r1];
A:  mbarrier.test_wait.parity.shared.b64 %q, [%r1], 0; @!%q bra A;
    setp.lt.u32 %q, %r0, LANES; @%q bar.warp.sync MASK;
    @%p mbarrier.arrive.shared.b64 _, [%r1];
B:  mbarrier.test_wait.parity.shared.b64 %q, [%r1], 1; @!%q bra B; ret;
EOF
sed 's/LANES/32/; s/MASK/-1/' slowly.ptx > right.ptx
sed 's/LANES/31/; s/MASK/0x7fffffff/' slowly.ptx > wrong.ptx
expect 0 'clean' right.ptx --block 32 --arg out:4 --schedules 400
expect 1 'mbarrier.phase.older-parity' wrong.ptx --block 32 --arg out:4 --schedules 400

# Of those that are counted only lanes 0 to 3 have data, or have read some: one of them has to be the last. The one that
# waits for too little may have something of its own to change before, further down in the program; a load behind a fence
# does not belong to what was before the fence.
kernel some << 'EOF'
    .shared .align 8 .b8 n[8]; .shared .align 4 .b8 s[128]; mov.u32 %r5, n; mov.u32 %r1, s;
    setp.eq.u32 %p, %r0, 0; @%p st.shared.b64 [n], 0; mad.lo.u32 %r2, %r0, 4, %r1;
    setp.lt.u32 %p, %r0, 32; @%p st.shared.u32 [%r2], %r0; bar.sync 0; @!%p bra R; setp.lt.u32 %p, %r0, 4; FENCE @%p ACCESS; red.release.gpu.shared.add.u32 [%r5], 1; ret;
R:  setp.ne.u32 %q, %r0, 32; @%q ret; OWN
L:  ld.acquire.gpu.shared.u32 %r3, [%r5]; setp.lt.u32 %q, %r3, COUNT; @%q bra L;
    OTHER; ret;
EOF
for own in '' 'red.shared.add.u32 [%r5+4], 1; ld.volatile.shared.u32 %r6, [%r5+4];'; do
    for access in 's/ACCESS/st.shared.u32 [%r2], %r0/; s/OTHER/ld.shared.u32 %r4, [%r1+12]/' \
        's/ACCESS/ld.shared.u32 %r4, [%r2]/; s/OTHER/st.shared.u32 [%r1+12], %r0/'; do
        for fence in '' 'fence.sc.gpu;'; do
            sed "s/OWN/$own/; $access; s/FENCE/$fence/" some.ptx > shaped.ptx
            sed 's/COUNT/32/' shaped.ptx > right.ptx
            sed 's/COUNT/31/' shaped.ptx > wrong.ptx
            expect 0 'clean' right.ptx --block 64 --arg out:4 --schedule 3
            expect 1 'order.data-race' wrong.ptx --block 64 --arg out:4 --schedule 3
        done
    done
done

# The elected lane stores; lane 0 waits for the store, which is its own only where it was elected.
kernel elected << 'EOF'
    .shared .align 16 .b8 s[16]; mov.u32 %r1, s;
    setp.eq.u32 %q, %r0, 0; @%q st.shared.v4.u32 [%r1], {%r0, %r0, %r0, %r0};
    fence.proxy.async; bar.warp.sync -1;
    elect.sync _|%p, -1;
    @%p cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r1], 16;
    @WAITS cp.async.bulk.commit_group; @WAITS cp.async.bulk.wait_group 0; ret;
EOF
sed 's/@WAITS/@%p/g' elected.ptx > right.ptx
sed 's/@WAITS/@%q/g' elected.ptx > lane.ptx
expect 0 'clean' lane.ptx --block 32 --arg out:16 --schedules 1
expect 1 'bulk.exit.source-alive' lane.ptx --block 32 --arg out:16
expect 0 'clean' right.ptx --block 32 --arg out:16 --schedules 100

# A warp that arrives at a barrier with a count and exits, lane by lane, counts once.
kernel leaves << 'EOF'
    setp.ge.u32 %p, %r0, 32; @%p bra SECOND;
    barrier.sync 1, 64; barrier.arrive 1, 64; ret;
SECOND:
    barrier.sync 1, 64; barrier.sync 1, 64; ret;
EOF
expect 0 'clean' leaves.ptx --block 64 --arg out:4 --schedules 100

# Lanes that come to activemask one after the other are together there in any schedule.
kernel together << 'EOF'
    bar.sync 0; and.b32 %r1, %r0, 1; setp.eq.u32 %p, %r1, 0; @%p bra E;
    activemask.b32 %r2; mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1; st.global.u32 [%d0], %r2;
E:  ret;
EOF
for k in 0 1 3 5 7 9 11; do
    expect 0 'clean' together.ptx --block 32 --arg in:128@/dev/zero --schedule $k --dump 0=mask
    [ "$(od -An -tx4 -v -w4 mask | sort -u | tr -d ' \n')" = 00000000aaaaaaaa ] || wrong "activemask in schedule $k"
done

# What takes long is run twice; a schedule that takes far longer than the first is cut short and not counted.
kernel long << 'EOF'
    mov.u32 %r1, 0; atom.global.or.b32 %r2, [%d0], 0;
L:  add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 12000; @%p bra L; ret;
EOF
expect 0 'clean: long, grid 1,1,1, block 32,1,1, 2 schedules' long.ptx --block 32 --arg in:4
kernel slow << 'EOF'
    mov.u32 %r1, 0; atom.global.add.u32 %r2, [%d0], 1; setp.ne.u32 %p, %r2, 0; @%p ret; setp.ne.u32 %p, %r0, 32; @%p ret;
L:  add.u32 %r1, %r1, 1; setp.lt.u32 %q, %r1, 120000; @%q bra L; ret;
EOF
expect 0 'schedules: threads in order' slow.ptx --block 64 --arg in:4@/dev/zero
grep -q backwards out && wrong "one that was cut short is counted: $(cat out)"
expect 0 'schedules: threads in order, backwards' slow.ptx --block 64 --arg in:4@/dev/zero --schedules 2

# What takes long is run once where no order of warps can show: they meet at barriers of all threads alone, and nothing
# races. Anything else is run in another order too: warps that synchronise in another way, one that stores what another
# has stored, a cluster, reads that are too many to be compared, and what takes little.
kernel meet << 'EOF'
    .shared .align 4 .b8 s[4096]; .shared .align 4 .b8 n[4]; mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 4, %r1; xor.b32 %r3, %r2, 128; mov.u32 %r6, ROUNDS;
    mov.u32 %r7, n; setp.eq.u32 %p, %r0, 0; @%p st.shared.u32 [%r7], 0; bar.sync 0;
L:  st.shared.u32 [%r2], %r6; bar.sync 0; ld.shared.u32 %r4, [%r3]; bar.sync 0; add.u32 %r6, %r6, -1; setp.ne.u32 %p, %r6, 0; @%p bra L;
    ELSE
    ret;
EOF
meet() { # STATUS TEXT ROUNDS ELSE ARGUMENT...
    sed "s/ROUNDS/$3/; s/ELSE/$4/" meet.ptx > met.ptx
    status=$1 text=$2
    shift 4
    expect "$status" "$text" met.ptx --block 256 --arg in:8192@/dev/zero "$@"
}
settled='schedules: threads in order: any other order does the same, as there is no race'
meet 0 "$settled" 50 ''
grep -q ' 1 schedule, ' out || wrong "settled: $(cat out)"
meet 0 'in order, backwards; no two' 50 '' --schedules 2
meet 0 'in order, backwards, 2 in random order' 5 ''
meet 0 'in order, backwards' 50 '' --grid 2 --cluster 2
meet 0 'in order, backwards' 50 'atom.shared.add.u32 %r4, [%r7], 1;'
meet 0 'in order, backwards' 50 'ld.volatile.shared.u32 %r4, [%r7];'
meet 0 'in order, backwards' 50 'activemask.b32 %r4;'
meet 0 'in order, backwards' 50 'mov.u32 %r4, %clock;'
meet 0 'in order, backwards' 50 'bar.sync 1, 256;'
meet 0 'in order, backwards' 50 'st.shared.u32 [%r7], 7;'
meet 1 'schedules: threads in order' 50 'st.shared.u32 [%r7], %r0;'
grep -q 'any other' out && wrong "a race is said to settle: $(cat out)"
# Each part of a word read by 1024 threads, in no row.
many='mul.lo.u32 %r4, %r0, 0x9e3779b1; '
for part in u8:0 u8:1 u8:2 u8:3 u16:0 u16:2 u32:0; do
    for k in 0 1 2 3 4 5 6 7; do
        many="$many and.b32 %r5, %r4, 7; setp.eq.u32 %p, %r5, $k; @%p ld.shared.${part%:*} %r6, [%r7+${part#*:}];"
    done
    many="$many shr.u32 %r4, %r4, 4;"
done
meet 0 "$settled" 20 "$many" --block 512
meet 0 'in order, backwards' 10 "$many" --block 1024

# A slow thread goes on where all the others go round in long turns and wait for it.
built=${copycheck%/*}/kernels/libcu_pipeline.ptx
[ ! -f "$built" ] || expect 0 ' 24 schedules' "$built" --entry libcu_pipe_device --block 64 --smem 16K --arg out:4 \
    --arg +u64:0 --arg +in:1024 --arg +out:1024 --arg +u32:1 --arg +u32:8 --arg +u32:0 --arg +u32:0 --arg +u32:0 \
    --schedules 24

# One thread sends by a ring of two slots, which it takes for three: a slot is overwritten while the other thread reads it
# only where the sender is ahead by three, and the other one has read what came first.
kernel ahead << 'EOF'
    .shared .b32 head; .shared .b32 tail; .shared .b32 ring[2]; setp.eq.u32 %p, %r0, 0;
    @%p st.shared.u32 [head], 0; @%p st.shared.u32 [tail], 0; bar.sync 0;
    and.b32 %r1, %r0, 31; setp.ne.u32 %q, %r1, 0; @%q ret;
    mov.u32 %r2, 0; mov.u32 %r6, ring; @!%p bra R;
S:  ld.acquire.cta.shared.u32 %r3, [head]; sub.u32 %r3, %r2, %r3; setp.gt.u32 %q, %r3, ROOM; @%q bra S;
    and.b32 %r4, %r2, 1; mad.lo.u32 %r4, %r4, 4, %r6; st.shared.u32 [%r4], %r2; add.u32 %r2, %r2, 1;
    st.release.cta.shared.u32 [tail], %r2; setp.lt.u32 %q, %r2, 4; @%q bra S; ret;
R:  ld.acquire.cta.shared.u32 %r3, [tail]; setp.le.u32 %q, %r3, %r2; @%q bra R;
    and.b32 %r4, %r2, 1; mad.lo.u32 %r4, %r4, 4, %r6; ld.shared.u32 %r5, [%r4]; add.u32 %r2, %r2, 1;
    st.global.u32 [%d0], %r5; st.release.cta.shared.u32 [head], %r2; setp.lt.u32 %q, %r2, 4; @%q bra R; ret;
EOF
sed 's/ROOM/1/' ahead.ptx > room.ptx
sed 's/ROOM/2/' ahead.ptx > ahead_two.ptx
expect 0 'changes alone' room.ptx --block 64 --arg out:4 --schedule 11
expect 0 'clean' room.ptx --block 64 --arg out:4 --schedules 100
expect 0 'changes alone' ahead_two.ptx --block 64 --arg out:4 --schedule 3
expect 1 'order.data-race' ahead_two.ptx --block 64 --arg out:4 --schedule 11
# That one is run without a word too where a schedule takes some ten thousand instructions, and no longer where it takes
# many times as much.
filled() { sed "s/bar.sync 0;/mov.u32 %r7, $1; F: sub.u32 %r7, %r7, 1; setp.ne.u32 %q, %r7, 0; @%q bra F; bar.sync 0;/" room.ptx > filled.ptx; }
filled 80
expect 0 ' 12 schedules' filled.ptx --block 64 --arg out:4
filled 2000
expect 0 ' 2 schedules' filled.ptx --block 64 --arg out:4

# Which of two threads goes in is decided by two flags, the second of which is raised too late. Both go in where one is
# stopped before it raises its own, and the other one when it has gone in: two switches at once.
kernel late_flag << 'EOF'
    .shared .b32 flag[2]; .shared .b32 turn; .shared .b32 n; setp.eq.u32 %p, %r0, 0; @%p st.shared.u64 [flag], 0; @%p st.shared.u32 [turn], 0;
    @%p st.shared.u32 [n], 0; bar.sync 0; and.b32 %r1, %r0, 31; setp.ne.u32 %q, %r1, 0; @%q ret; shr.u32 %r1, %r0, 5; xor.b32 %r2, %r1, 1;
    mov.u32 %r3, flag; mad.lo.u32 %r4, %r1, 4, %r3; mad.lo.u32 %r5, %r2, 4, %r3;
    FIRST fence.sc.cta; SECOND fence.sc.cta;
W:  ld.acquire.cta.shared.u32 %r6, [%r5]; setp.ne.u32 %p, %r6, 1; @%p bra C;
    ld.acquire.cta.shared.u32 %r6, [turn]; setp.eq.u32 %p, %r6, %r2; @%p bra W;
C:  ld.shared.u32 %r7, [n]; add.u32 %r7, %r7, 1; st.shared.u32 [n], %r7; st.release.cta.shared.u32 [%r4], 0; ret;
EOF
raise='st.relaxed.cta.shared.u32 [%r4], 1;' give='st.relaxed.cta.shared.u32 [turn], %r2;'
sed "s/FIRST/$raise/; s/SECOND/$give/" late_flag.ptx > in_time.ptx
sed -i "s/FIRST/$give/; s/SECOND/$raise/" late_flag.ptx
expect 0 clean in_time.ptx --block 64 --arg out:4 --schedules 400
expect 1 'order.data-race' late_flag.ptx --block 64 --arg out:4
grep -q 'with threads that stop' out || wrong "stops: $(cat out)"

# Threads that look again in vain and could go on are no deadlock where nobody else is held back: a lock of three flags.
kernel fast << 'EOF'
    .reg .b32 %s<4>; .shared .b32 b[4]; .shared .b32 x; .shared .b32 y; .shared .b32 n; setp.eq.u32 %p, %r0, 0; mov.u32 %s0, b; mov.u32 %s1, x; mov.u32 %s2, y; mov.u32 %s3, n;
    @%p st.shared.u64 [%s0], 0; @%p st.shared.u64 [%s0+8], 0; @%p st.shared.u32 [%s1], 0; @%p st.shared.u32 [%s2], 0; @%p st.shared.u32 [%s3], 0;
    bar.sync 0; and.b32 %r1, %r0, 31; setp.ne.u32 %q, %r1, 0; @%q ret; shr.u32 %r1, %r0, 5; mad.lo.u32 %r2, %r1, 4, %s0; add.u32 %r1, %r1, 1;
T:  st.relaxed.cta.shared.u32 [%r2], 1; fence.sc.cta; st.relaxed.cta.shared.u32 [%s1], %r1; fence.sc.cta;
    ld.acquire.cta.shared.u32 %r3, [%s2]; setp.eq.u32 %p, %r3, 0; @%p bra U; st.release.cta.shared.u32 [%r2], 0;
V:  ld.acquire.cta.shared.u32 %r3, [%s2]; setp.ne.u32 %p, %r3, 0; @%p bra V; bra T;
U:  fence.sc.cta; st.relaxed.cta.shared.u32 [%s2], %r1; fence.sc.cta; ld.acquire.cta.shared.u32 %r3, [%s1]; setp.eq.u32 %p, %r3, %r1; @%p bra C;
    st.release.cta.shared.u32 [%r2], 0; fence.sc.cta;
X:  ld.acquire.cta.shared.u32 %r3, [%s0]; setp.ne.u32 %p, %r3, 0; @%p bra X;
Y:  ld.acquire.cta.shared.u32 %r3, [%s0+4]; setp.ne.u32 %p, %r3, 0; @%p bra Y;
Z:  ld.acquire.cta.shared.u32 %r3, [%s0+8]; setp.ne.u32 %p, %r3, 0; @%p bra Z;
    ld.acquire.cta.shared.u32 %r3, [%s2]; setp.eq.u32 %p, %r3, %r1; @!%p bra V;
C:  ld.shared.u32 %r7, [%s3]; add.u32 %r7, %r7, 1; st.shared.u32 [%s3], %r7; st.release.cta.shared.u32 [%s2], 0; fence.sc.cta;
    st.release.cta.shared.u32 [%r2], 0; ret;
EOF
expect 0 'changes alone' fast.ptx --block 96 --arg out:4 --schedule 3
expect 0 clean fast.ptx --block 96 --arg out:4 --schedules 100

# A thread that looks at a count which goes up many times, one by one, rests after each of them.
kernel rests << 'EOF'
    .shared .b32 n; setp.eq.u32 %p, %r0, 0; @%p st.shared.u32 [n], 0; bar.sync 0; mov.u32 %r1, n; @%p bra W;
    setp.ne.u32 %q, %r0, 32; @%q ret;
L:  ld.acquire.cta.shared.u32 %r3, [%r1]; setp.lt.u32 %q, %r3, 400; @%q bra L; ret;
W:  mov.u32 %r2, 0;
M:  atom.release.cta.shared.add.u32 %r4, [%r1], 1; nanosleep.u32 100; add.u32 %r2, %r2, 1; setp.lt.u32 %q, %r2, 400; @%q bra M; ret;
EOF
expect 0 clean rests.ptx --block 64 --arg out:4 --schedule 0
count=$(sed -n 's/.* \([0-9]*\) instructions$/\1/p' out)
[ "$count" -lt 20000 ] || wrong "rests: $count instructions"

# A barrier of the grid by hand: the round is read before one arrives (LATE is empty), or behind it, when the last one may
# have ended it already. Of the swaps between CTAs that of this read and the end of the round comes first.
for late in '' 'ld.volatile.global.u32 %r2, [%d0+4];'; do
    kernel "round${late:+late}" << EOF
    setp.ne.u32 %p, %r0, 0; ld.volatile.global.u32 %r2, [%d0+4]; @%p bra E; mov.u32 %r6, 0;
A:  ld.volatile.global.u32 %r2, [%d0+4]; fence.sc.gpu; atom.global.add.u32 %r3, [%d0], 1;
    $late
    setp.ne.u32 %q, %r3, 3; @%q bra W;
    st.volatile.global.u32 [%d0], 0; fence.sc.gpu; atom.global.add.u32 %r4, [%d0+4], 1; bra N;
W:  ld.volatile.global.u32 %r4, [%d0+4]; setp.eq.u32 %q, %r4, %r2; @%q bra W; fence.sc.gpu;
N:  add.u32 %r6, %r6, 1; setp.lt.u32 %q, %r6, 3; @%q bra A;
E:  ret;
EOF
done
expect 0 clean round.ptx --grid 4 --block 64 --arg in:8@/dev/zero --schedules 28
expect 1 'deadlock.spin' roundlate.ptx --grid 4 --block 64 --arg in:8@/dev/zero
grep -qF 'in 1 of 3 schedules, first in schedule 2' out || wrong "a round read late: $(cat out)"

# A wait that gives up after a microsecond: in the first random schedule it does. Who then looks (AGAIN) goes on asking.
for again in '@!%q bra W;' ''; do
    kernel "patient${again:+again}" << EOF
    .shared .align 8 .b64 b; .shared .align 4 .b8 s[256]; .reg .b64 %t<4>;
    mov.u32 %r2, b; setp.eq.u32 %p, %r0, 0; @%p mbarrier.init.shared.b64 [%r2], 64; bar.sync 0;
    mov.u32 %r3, s; mad.lo.u32 %r4, %r0, 4, %r3; st.shared.u32 [%r4], %r0; mbarrier.arrive.shared.b64 %t0, [%r2];
W:  mov.u64 %t1, %globaltimer;
T:  mbarrier.try_wait.shared.b64 %q, [%r2], %t0; @%q bra R; mov.u64 %t2, %globaltimer; sub.s64 %t2, %t2, %t1;
    setp.lt.s64 %p, %t2, LIMIT; @%p bra T; $again
R:  xor.b32 %r4, %r0, 63; mad.lo.u32 %r4, %r4, 4, %r3; ld.shared.u32 %r5, [%r4];
    mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1; st.global.u32 [%d0], %r5; ret;
EOF
done
sed 's/LIMIT/1000000000/' patient.ptx > watched.ptx
sed -i 's/LIMIT/1000/' patient.ptx patientagain.ptx
expect 0 clean patientagain.ptx --block 64 --arg out:256
expect 0 clean watched.ptx --block 64 --arg out:256 --schedules 12
expect 1 'mbarrier.try_wait.may-be-false' patient.ptx --block 64 --arg out:256
grep -qF 'first in schedule 3' out || wrong "a wait that gives up: $(cat out)"

# Where each change wakes very many threads, a schedule of such changes goes on in order before it is taken for a loop
# that ends never.
kernel gather << 'EOF'
    setp.ne.u32 %p, %r0, 0; bar.sync 0; @%p bra M; fence.sc.gpu; atom.global.add.u32 %r1, [%d0], 1;
L:  ld.volatile.global.u32 %r1, [%d0]; setp.lt.u32 %q, %r1, 200; @%q bra L; fence.sc.gpu;
M:  bar.sync 0;
EOF
expect 0 'changes alone' gather.ptx --grid 200 --block 1024 --arg in:64@/dev/zero --schedule 3

# The same in each run, whatever the number of host threads.
for k in ticket pairs ctas; do
    for how in '--schedules 20' ''; do
        # shellcheck disable=SC2086 -- an option a word
        "$copycheck" check $k.ptx --grid 2 --block 128 --arg in:512@/dev/zero $how --jobs 1 --format jsonl > one || :
        # shellcheck disable=SC2086
        "$copycheck" check $k.ptx --grid 2 --block 128 --arg in:512@/dev/zero $how --jobs 3 --format jsonl > two || :
        cmp -s one two || wrong "$k $how: two runs differ"
    done
done

expect 2 "--schedule 'x'" ticket.ptx --block 32 --arg out:4 --schedule x
expect 2 'one of the two' ticket.ptx --block 32 --arg out:4 --schedule 1 --schedules 2

exit $failed
# SPDX-License-Identifier: Apache-2.0
