#!/bin/sh
# Threads that wait by going round: right programs come to their end, and hangs are named, whatever the loop looks like; the
# limits; what is resident together; cooperative launches.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
. tests/unit/checks

# A bulk load that thread 0 waits for, while thread 32 waits for a flag that thread 0 sets then, in a loop of several forms.
begin='
    .shared .align 16 .b8 tile[64]; .shared .align 8 .b64 bar; .shared .b32 flag; .shared .b32 tries;
    .reg .b32 %bar, %tile; mov.u32 %bar, bar; mov.u32 %tile, tile;
    setp.ne.u32 %p, %r0, 0; @%p bra S;
    mbarrier.init.shared.b64 [%bar], 1; fence.mbarrier_init.release.cluster;
    st.shared.u32 [flag], 0; st.shared.u32 [tries], 0;
S:  bar.sync 0; setp.eq.u32 %p, %r0, 32; @%p bra F; setp.ne.u32 %p, %r0, 0; @%p bra E;
    mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 64;
    cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%tile], [%d0], 64, [%bar];
W:  mbarrier.try_wait.parity.shared.b64 %q, [%bar], 0; @!%q bra W;'
give='    st.release.cta.shared.u32 [flag], 1; bra E;'
take='    ld.shared.u32 %r1, [%tile]; st.global.u32 [%d0+64], %r1;'
plain='F: ld.acquire.cta.shared.u32 %r2, [flag]; setp.eq.u32 %q, %r2, 0; @%q bra F;'
counted='    mov.u32 %r3, 0;
F:  add.u32 %r3, %r3, 1; ld.acquire.cta.shared.u32 %r2, [flag]; setp.eq.u32 %q, %r2, 0; @%q bra F;'
stores='F: ld.shared.u32 %r3, [tries]; add.u32 %r3, %r3, 1; st.shared.u32 [tries], %r3;
    ld.acquire.cta.shared.u32 %r2, [flag]; setp.eq.u32 %q, %r2, 0; @%q bra F;'
sleeps='F: nanosleep.u32 100; ld.acquire.cta.shared.u32 %r2, [flag]; setp.eq.u32 %q, %r2, 0; @%q bra F;'
nested='F: mov.u32 %r3, 0;
G:  add.u32 %r3, %r3, 1; ld.acquire.cta.shared.u32 %r2, [flag]; setp.ne.u32 %q, %r2, 0; @%q bra T;
    setp.lt.u32 %q, %r3, 20; @%q bra G; nanosleep.u32 50; bra F;
T:'
timed='F: mov.u64 %d1, %globaltimer;
G:  ld.acquire.cta.shared.u32 %r2, [flag]; setp.ne.u32 %q, %r2, 0; @%q bra T;
    mov.u64 %d2, %globaltimer; sub.u64 %d2, %d2, %d1; cvt.u32.u64 %r3, %d2; shr.u32 %r3, %r3, 2; nanosleep.u32 %r3; bra G;
T:'
lock='F: atom.acquire.cta.shared.cas.b32 %r2, [flag], 1, 2; setp.ne.u32 %q, %r2, 1; @%q bra F;'
for loop in plain counted stores sleeps nested timed lock; do
    eval "body=\$$loop"
    printf '%s\n' "$begin" "$give" "$body" "$take" 'E: ret;' | kernel "right_$loop"
    expect 0 clean "right_$loop.ptx" --block 64 --arg in:128
    expect 0 clean "right_$loop.ptx" --block 64 --arg in:128 --schedules 12
done
# Without the flag: named at once, with the loop and what is read there, in each form that has no count.
for loop in plain sleeps nested timed lock; do
    eval "body=\$$loop"
    printf '%s\n' "$begin" 'bra E;' "$body" "$take" 'E: ret;' | kernel "wrong_$loop"
    expect 1 'deadlock.spin' "wrong_$loop.ptx" --block 64 --arg in:128 --schedule 0
    grep -qE 'the loop (of|in) lines? .* which reads 0 at offset' out || wrong "$loop: no loop in: $(cat out)"
done
# A loop that counts is cut off in seconds, with its lines; one that counts to an end comes to it.
printf '%s\n' "$begin" 'bra E;' "$counted" "$take" 'E: ret;' | kernel wrong_counted
expect 2 'wrong_counted: 1048576 instructions without any change of memory (--max-quiet); thread 32,0,0 of CTA 0,0,0 goes round' \
    wrong_counted.ptx --block 64 --arg in:128 --max-quiet 1M
sed 's/@%q bra F;/setp.lt.and.u32 %q, %r3, 1000000, %q; @%q bra F; trap;/' wrong_counted.ptx > tries.ptx
expect 1 'trap' tries.ptx --block 64 --arg in:128 --schedule 0

# A loop that changes memory in each round, or meets others at a barrier in each, ends as well, with its lines: what it
# does is nothing new. Work of the same length that reaches new memory is let be.
kernel beats << 'EOF'
L:  atom.global.add.u32 %r1, [%d0+4], 1; ld.volatile.global.u32 %r2, [%d0]; setp.eq.u32 %q, %r2, 0; @%q bra L;
EOF
kernel meets << 'EOF'
L:  bar.sync 0; setp.eq.u32 %p, %r0, 0; @%p atom.global.add.u32 %r1, [%d0+4], 1;
    bar.sync 0; ld.volatile.global.u32 %r2, [%d0]; setp.eq.u32 %q, %r2, 0; @%q bra L;
EOF
kernel pongs << 'EOF'
    shr.u32 %r3, %r0, 5; xor.b32 %r4, %r3, 1;
L:  atom.global.cas.b32 %r1, [%d0], %r3, %r4; setp.ne.u32 %q, %r1, 7; @%q bra L;
EOF
# It looks at nothing that others change: an endless loop of its own counter, of reductions, or beside a weak read.
kernel owns << 'EOF'
    .shared .b32 mine[64]; mov.u32 %r3, mine; shl.b32 %r4, %r0, 2; add.u32 %r3, %r3, %r4; st.shared.u32 [%r3], 0;
L:  ld.shared.u32 %r1, [%r3]; add.u32 %r1, %r1, 1; st.shared.u32 [%r3], %r1; bra L;
EOF
kernel reds << 'EOF'
L:  red.global.add.u32 [%d0+4], 1; bra L;
EOF
kernel weakly << 'EOF'
L:  red.global.add.u32 [%d0+4], 1; ld.global.u32 %r2, [%d0]; setp.eq.u32 %q, %r2, 0; @%q bra L;
EOF
kernel naps << 'EOF'
L:  atom.global.add.u32 %r1, [%d0+4], 1; nanosleep.u32 100;
    setp.ne.u32 %q, %r1, 0xffffffff; @%q bra L;
EOF
for name in beats meets pongs owns reds weakly naps; do
    for grid in 1 5; do
        expect 2 'nothing was reached that is new, neither code nor memory (--max-idle); thread 0,0,0 of CTA' \
            "$name.ptx" --grid $grid --block 64 --arg in:8@/dev/zero --max-idle 3M --jobs 1
        grep -qE 'goe?s? round at lines? [0-9]' out || wrong "$name: no lines in: $(cat out)"
        cp out one
        expect 2 'max-idle' "$name.ptx" --grid $grid --block 64 --arg in:8@/dev/zero --max-idle 3M --jobs 2
        cmp -s one out || wrong "$name: two jobs say something else: $(cat one out)"
    done
done
expect 2 'naps: 200000000 instructions in which no thread ended' naps.ptx --block 1024 --arg in:8@/dev/zero
kernel sums << 'EOF'
    mov.u32 %r1, 0;
L:  ld.global.u32 %r2, [%d0]; st.global.u32 [%d0], %r1; add.u64 %d0, %d0, 4; add.u32 %r1, %r1, 1;
    setp.lt.u32 %p, %r1, 1000000; @%p bra L;
EOF
expect 0 clean sums.ptx --block 1 --arg in:4M --schedule 0 --max-idle 4M
# A thread that counts in one word for long, and ends, is let be: an atomic alone is quick to judge.
kernel counts << 'EOF'
    mov.u32 %r1, 0;
L:  atom.global.add.u32 %r2, [%d0], 1; add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 1000000; @%p bra L;
EOF
expect 0 clean counts.ptx --block 1 --arg in:4@/dev/zero --schedule 0 --max-idle 20M

# A long computation waits for nobody: arithmetic, a sum that reads the same memory again, work in place with a barrier in
# each round and a sum by an atomic. A loop that looks at a flag after each of its rounds is no computation.
kernel computes << 'EOF'
    mov.u32 %r1, 0; shl.b32 %r3, %r0, 2; cvt.u64.u32 %d1, %r3; add.u64 %d1, %d0, %d1;
L:  ACT add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 200000; @%p bra L; st.global.u32 [%d1], %r1;
EOF
for act in '' 'ld.global.u32 %r2, [%d0+512];' 'st.global.u32 [%d1], %r1; bar.sync 0; atom.global.add.u32 %r2, [%d0+512], 1;'; do
    sed "s/ACT/$act/" computes.ptx > acts.ptx
    expect 0 clean acts.ptx --block 64 --arg in:516@/dev/zero --schedule 0 --max-idle 4M --max-quiet 4M --max-busy 8G
done
sed 's/ACT/ld.volatile.global.u32 %r2, [%d0+512]; st.global.u32 [%d1], %r1;/' computes.ptx > acts.ptx
expect 2 'max-idle' acts.ptx --block 64 --arg in:516@/dev/zero --schedule 0 --max-idle 4M --max-quiet 4M

# A computation that goes on for ever is ended by a limit of its own; a grid whose CTAs end is let be.
kernel endless << 'EOF'
    mov.u32 %r1, 1;
L:  mad.lo.u32 %r1, %r1, 5, 2; or.b32 %r1, %r1, 1; ACT setp.ne.u32 %q, %r1, 0; @%q bra L;
EOF
for act in '' 'atom.global.add.u32 %r2, [%d0], 1;' 'membar.cta;'; do
    sed "s/ACT/$act/" endless.ptx > acts.ptx
    for jobs in 1 2; do
        expect 2 'no thread ended in the time of 5242880 additions, and hardly any code or memory' \
            acts.ptx --grid 2 --block 1 --arg in:4@/dev/zero --max-busy 5M --max-idle 8G --jobs $jobs --schedule 0
        grep -q 'thread 0,0,0 of CTA .* goes round at line 9' out || wrong "endless $act: no lines in: $(cat out)"
    done
done
sed 's/bra L;/bra L; ret;/; s/mov.u32 %r1, 1/mov.u32 %r1, 1; mov.u32 %r3, 0/; s/ACT setp.ne.u32 %q, %r1, 0/add.u32 %r3, %r3, 1; setp.lt.u32 %q, %r3, 20000/' \
    endless.ptx > many.ptx
expect 0 clean many.ptx --grid 400 --block 1 --arg in:4@/dev/zero --schedule 0 --max-busy 30M
# Deadlocks of loops at the head of a function, which look at nothing.
printf '%s\n' '.version 8.7' '.target sm_90a' '.address_size 64' '.visible .entry f()' '{' \
    'L: nanosleep.u32 100; bra L;' '}' > first.ptx
expect 1 'deadlock: 40 threads wait for what never comes: thread 0,0,0 goes round a loop for ever' first.ptx --block 40
# One of them keeps another from what it would write: it is the reason, not the loop that reads the flag. Where a lane of
# its warp reads the flag in the same loop, it is not.
kernel blind << 'EOF'
    setp.ge.u32 %p, %r0, 32; @%p bra B;
F:  ld.volatile.global.u32 %r2, [%d0]; setp.eq.u32 %q, %r2, 0; @%q bra F; ret;
B:  nanosleep.u32 100; bra B;
EOF
expect 1 'thread 32,0,0 goes round a loop for ever' blind.ptx --block 64 --arg in:4@/dev/zero
kernel led << 'EOF'
    mov.u32 %r2, 0; setp.eq.u32 %p, %r0, 0;
F:  @%p ld.volatile.global.u32 %r2, [%d0]; setp.eq.u32 %q, %r2, 0; @%q bra F; ret;
EOF
expect 1 'deadlock.spin' led.ptx --block 32 --arg in:4@/dev/zero

# Who has waited for the second flag of a thread still knows so when another thread tells it of the first one. In a CTA of
# so many threads that clocks have what they know beyond a common one beside it.
kernel later << 'EOF'
    .shared .b32 first, second, passed, data;
    setp.ne.u32 %p, %r0, 0; @%p bra S;
    st.shared.u32 [first], 0; st.shared.u32 [second], 0; st.shared.u32 [passed], 0;
S:  bar.sync 0;
    setp.eq.u32 %p, %r0, 0; @%p bra A; setp.eq.u32 %p, %r0, 32; @%p bra B; setp.eq.u32 %p, %r0, 64; @%p bra C; ret;
A:  st.release.cta.shared.u32 [first], 1; st.shared.u32 [data], 7; st.release.cta.shared.u32 [second], 1; ret;
B:  ld.acquire.cta.shared.u32 %r1, [first]; setp.eq.u32 %p, %r1, 0; @%p bra B; st.release.cta.shared.u32 [passed], 1; ret;
C:  ld.acquire.cta.shared.u32 %r1, [second]; setp.eq.u32 %p, %r1, 0; @%p bra C;
D:  ld.acquire.cta.shared.u32 %r1, [passed]; setp.eq.u32 %p, %r1, 0; @%p bra D;
    ld.shared.u32 %r2, [data]; st.global.u32 [%d0], %r2;
EOF
expect 0 clean later.ptx --block 256 --arg out:4

# A loop with a barrier that changes nothing: it is told what is read there.
kernel barred << 'EOF'
L:  ld.volatile.global.u32 %r1, [%d0]; setp.ne.u32 %p, %r1, 0; @%p ret; bar.sync 0; bra L;
EOF
expect 1 'deadlock.spin' barred.ptx --block 128 --arg in:4@/dev/zero
grep -qE 'the loop (of|in) lines? .* which reads 0 at offset 0 of --arg 0' out ||
    wrong "barred: $(cat out)"

# A warp goes round by a vote, and one lane of it alone reads what they wait for: that is told, not the other lanes' loop.
kernel voted << 'EOF'
L:  mov.u32 %r1, 0; setp.eq.u32 %p, %r0, 31; @%p ld.volatile.global.u32 %r1, [%d0];
    setp.ne.u32 %p, %r1, 0; vote.sync.any.pred %q, %p, 0xffffffff; @!%q bra L; ret;
EOF
expect 1 'deadlock.spin' voted.ptx --block 32 --arg in:4@/dev/zero
grep -qF 'thread 31,0,0 of CTA 0,0,0 reads 0 at offset 0 of --arg 0' out || wrong "voted: $(cat out)"

# A wait with try_wait, a clock and growing sleeps, as in libcu++: the same rule as for a plain loop.
kernel timed << 'EOF'
    .shared .align 8 .b64 bar; .reg .b32 %bar; mov.u32 %bar, bar; mov.u64 %d1, %globaltimer;
    setp.ne.u32 %p, %r0, 0; @%p bra S; mbarrier.init.shared.b64 [%bar], 1;
S:  bar.sync 0; @!%p mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 64;
    mov.u32 %r1, 0;
L:  mbarrier.try_wait.parity.shared.b64 %q, [%bar], 0; @%q ret;
    add.u32 %r1, %r1, 1; setp.lt.u32 %q, %r1, 16; @%q bra L; mov.u32 %r1, 16;
    mov.u64 %d2, %globaltimer; sub.u64 %d2, %d2, %d1; shr.u64 %d2, %d2, 2; cvt.u32.u64 %r2, %d2; nanosleep.u32 %r2; bra L;
EOF
expect 1 'mbarrier.tx.balance' timed.ptx --block 32 --arg out:4 --schedule 0

# CTAs that wait for time, two at a time, by the lower half of a clock: the jumps of time do not grow from each to the next.
kernel clocks << 'EOF'
    mov.u32 %r1, %clock;
L:  mov.u32 %r2, %clock; sub.u32 %r2, %r2, %r1; setp.lt.u32 %p, %r2, 9900; @%p bra L;
EOF
expect 0 clean clocks.ptx --grid 200 --block 32 --arg in:4 --resident 2 --schedule 0 --max-idle 1M

# A barrier of all CTAs: as many as are resident together come to its end, others are named.
kernel gridbar << 'EOF'
    .reg .b32 %n; mov.u32 %n, %nctaid.x; setp.ne.u32 %p, %r0, 0; @%p ret;
    atom.acq_rel.gpu.global.add.u32 %r1, [%d0], 1;
L:  ld.acquire.gpu.global.u32 %r2, [%d0]; setp.lt.u32 %q, %r2, %n; @%q bra L;
EOF
expect 0 clean gridbar.ptx --grid 200 --block 32 --arg in:4@/dev/zero --schedule 0
expect 1 'deadlock.resident' gridbar.ptx --grid 4 --block 32 --arg in:4@/dev/zero --resident 3 --schedule 0
grep -q '1 of 4 CTAs cannot be resident together' out || wrong "residency: $(cat out)"
expect 1 'deadlock.resident' gridbar.ptx --grid 150 --block 1024 --smem 131072 --arg in:4@/dev/zero --schedule 0

# Many threads wait as libcu++ does: they look again and again at first, then sleep for a quarter of the time they have
# waited. Each is soon seen to go round, though its clock says something else at each look.
kernel many << 'EOF'
    .shared .b32 flag; setp.eq.u32 %p, %r0, 0; @%p st.shared.u32 [flag], 1; bar.sync 0; mov.u64 %d1, %globaltimer; mov.u32 %r3, 0;
F:  setp.ge.s32 %q, %r3, 16; @%q bra T; add.u32 %r3, %r3, 1; bra L;
T:  mov.u64 %d2, %globaltimer; sub.u64 %d2, %d2, %d1; setp.lt.u64 %q, %d2, 40000; @%q bra L; min.u64 %d2, %d2, 4000000;
    cvt.u32.u64 %r4, %d2; shr.u32 %r4, %r4, 2; nanosleep.u32 %r4;
L:  ld.relaxed.cta.shared.u32 %r2, [flag]; setp.ne.u32 %q, %r2, 0; @%q bra F;
EOF
expect 1 'deadlock.spin' many.ptx --grid 4 --block 256 --arg in:4 --schedule 0

# A thread that counts its tries in memory waits for an arrival that does not come: it is seen to ask, though not at each
# moment.
kernel tries << 'EOF'
    .shared .b64 b; .shared .b32 n; setp.eq.u32 %p, %r0, 0; @%p mbarrier.init.shared.b64 [b], 3; @%p st.shared.u32 [n], 0;
    bar.sync 0; mbarrier.arrive.shared.b64 %d1, [b]; @!%p bra W;
L:  ld.shared.u32 %r1, [n]; add.u32 %r1, %r1, 1; st.shared.u32 [n], %r1; mul.lo.u32 %r1, %r1, 7; xor.b32 %r2, %r1, %r2;
    mbarrier.test_wait.shared.b64 %q, [b], %d1; @!%q bra L; ret;
W:  mbarrier.try_wait.shared.b64 %q, [b], %d1; @!%q bra W;
EOF
for limit in 2001 2002 2003 2004 2005 2006 2007; do
    expect 1 'mbarrier.phase.all-arrive' tries.ptx --block 2 --arg out:4 --schedule 0 --max-idle ${limit}K
done

# The workspace of a cooperative grid.
kernel whole << 'EOF'
    mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; or.b32 %r3, %r1, %r2; setp.ne.u32 %p, %r3, 0; @!%p trap;
    mov.b64 %d1, {%r2, %r1}; red.relaxed.gpu.global.add.u32 [%d1+4], 1;
EOF
expect 0 clean whole.ptx --grid 3 --block 32 --arg out:4
expect 1 'grid.cooperative' whole.ptx --grid 3 --block 32 --arg out:4 --cooperative no
expect 1 'cudaErrorCooperativeLaunchTooLarge' whole.ptx --grid 3 --block 32 --arg out:4 --resident 2
sed -i 's/@!%p trap/@%p trap/' whole.ptx
expect 1 'trap' whole.ptx --grid 3 --block 32 --arg out:4

# On a terminal a line says how far a long launch has come, and it is taken away.
kernel long << 'EOF'
    mov.u32 %r1, 0;
L:  st.global.u32 [%d0], %r1; add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 40000000; @%p bra L;
EOF
if command -v script > /dev/null; then
    script -qec "$copycheck check long.ptx --block 1 --arg out:4 --schedules 1" /dev/null < /dev/null > out 2>&1
    grep -q 'schedule 0: .* million instructions, 0 of 1 clusters have ended' out || wrong "no progress is shown: $(cat out)"
fi

exit $failed
# SPDX-License-Identifier: Apache-2.0
