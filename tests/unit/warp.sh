#!/bin/sh
# activemask: lanes that come together are in it, lanes that went another way are not; who a match elects acts for all
# that it found; and a warp that arrives at a barrier and ends is not woken.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common

cat > "$aside/warp.ptx" << 'EOF'
.version 8.0
.target sm_90
.address_size 64
.visible .entry all(.param .u64 out)
{
    .reg .b32 %r<8>; .reg .b64 %d<4>;
    mov.u32 %r0, %tid.x; bar.sync 0; activemask.b32 %r1;
    ld.param.u64 %d0, [out]; mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1; st.global.u32 [%d0], %r1; ret;
}
.visible .entry odd(.param .u64 out)
{
    .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<4>;
    mov.u32 %r0, %tid.x; and.b32 %r2, %r0, 1; setp.eq.u32 %p, %r2, 0; @%p bra E;
    activemask.b32 %r1; match.any.sync.b32 %r3, %r2, %r1;
    ld.param.u64 %d0, [out]; mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1; st.global.u32 [%d0], %r3;
E:  bar.sync 0; ret;
}
// Every lane uses the object for the last time; the lowest lane of the match ends it, with or without the match.
.visible .entry ends(.param .u64 out)
{
    .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<4>; .shared .b64 bar;
    mov.u32 %r0, %tid.x; mov.u32 %r4, bar; setp.eq.u32 %p, %r0, 0;
    @%p mbarrier.init.shared.b64 [%r4], 32; bar.sync 0;
    mbarrier.arrive.shared.b64 %d2, [%r4];
W:  mbarrier.try_wait.shared.b64 %p, [%r4], %d2; @!%p bra W;
    MATCH
    setp.eq.u32 %p, %r0, 0; @%p mbarrier.inval.shared.b64 [%r4]; ret;
}
EOF
sed 's/MATCH/activemask.b32 %r1; match.any.sync.b32 %r3, %r4, %r1;/' "$aside/warp.ptx" > "$aside/with.ptx"
sed 's/MATCH//' "$aside/warp.ptx" > "$aside/without.ptx"

words() { od -An -tx4 -v -w4 "$aside/out" | sort | uniq -c | sed 's/^ *//' | tr '\n' ';'; }
check() { "$copycheck" check "$aside/$1.ptx" --entry "$2" --block 32 --arg in:128 --dump 0="$aside/out" > "$aside/said" 2>&1; }

check with all || { cat "$aside/said"; failed=1; }
[ "$(words)" = '32  ffffffff;' ] || wrong "all lanes: $(words)"
check with odd || { cat "$aside/said"; failed=1; }
words | grep -q '16  aaaaaaaa;' || wrong "odd lanes: $(words)"
check with ends || { cat "$aside/said"; failed=1; }
if check without ends || ! grep -q '^mbarrier.inval.quiescent' "$aside/said"; then
    echo "WRONG: an inval that nothing orders is clean: $(head -n 3 "$aside/said")"
    failed=1
fi

# A warp that waits at a barrier, later only arrives there, and ends; the other warp's wait then completes, and nobody
# wakes the threads that have ended.
cat > "$aside/leaves.ptx" << 'EOF'
.version 8.0
.target sm_90
.address_size 64
.visible .entry leaves(.param .u64 out)
{
    .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d<2>; .shared .b32 x;
    mov.u32 %r0, %tid.x; setp.ge.u32 %p, %r0, 32; @%p bra SECOND;
    barrier.sync 1, 64; setp.ne.u32 %p, %r0, 0; @!%p st.shared.b32 [x], 7; bar.warp.sync -1; barrier.arrive 1, 64; ret;
SECOND:
    barrier.sync 1, 64; nanosleep.u32 1000; mov.u32 %r1, 0;
L:  add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 2000; @%p bra L;
    barrier.sync 1, 64; ld.shared.b32 %r2, [x]; setp.ne.u32 %p, %r0, 32; @%p ret;
    ld.param.u64 %d0, [out]; st.global.b32 [%d0], %r2; ret;
}
EOF
"$copycheck" check "$aside/leaves.ptx" --block 64 --arg out:4 --dump 0="$aside/leaves.out" > "$aside/out" 2>&1 ||
    wrong "a warp that arrives and ends: $(head -n 3 "$aside/out")"
[ "$(od -An -tu4 "$aside/leaves.out" | tr -d ' ')" = 7 ] || wrong 'a warp that arrives and ends: other bytes'

# Lanes that took different ways meet where each has an instruction of its own: with the same qualifiers and mask, and no
# others. tests/exec/runtime_warps.cu has each operation. FIRST and SECOND are the instructions of the two ways.
cat > "$aside/ways.ptx" << 'EOF'
.version 8.0
.target sm_90
.address_size 64
.visible .entry ways(.param .u64 out)
{
    .reg .pred %p, %q; .reg .b32 %r<8>; .reg .b64 %d<4>;
    mov.u32 %r0, %tid.x; setp.lt.u32 %p, %r0, 16; setp.eq.u32 %q, %r0, 0; mov.u32 %r3, 0; mov.u32 %r4, 100; @%p bra F;
    SECOND;
    add.u32 %r3, %r3, 1000; bra S;
F:  FIRST;
S:  ld.param.u64 %d0, [out]; mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1; st.global.u32 [%d0], %r3;
    THEN
    ret;
}
EOF
# ways FIRST SECOND THEN: the words of the lanes, or the first line of what is wrong
ways()
{
    sed "s/FIRST/$1/; s/SECOND/$2/; s/THEN/$3/" "$aside/ways.ptx" > "$aside/two.ptx"
    status=0
    "$copycheck" check "$aside/two.ptx" --block 32 --arg in:128 --schedules 20 --dump 0="$aside/out" > "$aside/said" 2>&1 ||
        status=$?
    [ $status != 0 ] || { words; return; }
    sed -n '/^[a-z.]* .*in /{s/ .*//;p;n;s/.*: the operation/the operation/;p;q;}' "$aside/said" | tr '\n' ' '
}
is() { [ "$1" = "$2" ] || wrong "lanes on two ways: $1, not $2"; }
shfl='shfl.sync.bfly.b32 %r3, %r0, 16, 31, -1'
is "$(ways "$shfl" 'shfl.sync.bfly.b32 %r3|%q, %r4, 16, 31, -1' '' | tr ';' '\n' | head -n 2 | tr '\n' ';')" \
    '16  00000064;1  000003e8;'
is "$(ways 'vote.sync.ballot.b32 %r3, %q, -1' 'vote.sync.ballot.b32 %r3, !%q, -1' '')" '16  ffff0001;16  ffff03e9;'
# another mode, another operation, another mask; one that has not come yet is named, not one that waits elsewhere
is "$(ways "$shfl" 'shfl.sync.idx.b32 %r3, %r4, 0, 31, -1' '')" \
    'deadlock.warp the operation of line 10 waits for lane 16, which waits at line 8 '
is "$(ways "$shfl" 'bar.warp.sync -1' '')" 'deadlock.warp the operation of line 10 waits for lane 16, which waits at line 8 '
is "$(ways 'bar.warp.sync -1' 'bar.warp.sync 0xffff0000' '' )" '16  00000000;16  000003e8;'
is "$(ways 'bar.warp.sync -1' 'bar.warp.sync 0xffff0000' 'bar.sync 0;')" \
    'deadlock.warp the operation of line 10 waits for lane 16, which waits at line 12 '
is "$(ways '@!%q bar.warp.sync -1; @%q bar.sync 0' 'bar.warp.sync -1' 'bar.sync 0;')" \
    'deadlock.warp the operation of line 10 waits for lane 0, which waits at line 10 '

# The accesses of all lanes are told as those of the matrix instruction, also of lanes that came to it before others.
cat > "$aside/tiles.ptx" << 'EOF'
.version 8.0
.target sm_90
.address_size 64
.visible .entry fragments(.param .u64 out)
{
    .reg .pred %p; .reg .b32 %r<4>; .reg .f32 %f<8>; .reg .b64 %d; .shared .align 32 .b8 tile[1024];
    mov.u32 %r0, tile; mov.u32 %r1, %tid.x; ld.param.u64 %d, [out]; setp.lt.u32 %p, %r1, 32; @!%p bra R;
    wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%r0], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}; ret;
R:  wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [%r0];
    st.global.f32 [%d], %f0; ret;
}
.visible .entry rows(.param .u64 out)
{
    .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d; .shared .align 16 .b8 tile[1024];
    mov.u32 %r0, tile; mov.u32 %r1, %tid.x; ld.param.u64 %d, [out]; setp.lt.u32 %p, %r1, 32;
    and.b32 %r2, %r1, 7; mad.lo.u32 %r0, %r2, 16, %r0; @!%p bra R;
    stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r0], {%r1}; ret;
R:  ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r0];
    st.global.b32 [%d], %r1; ret;
}
EOF
for tiles in 'fragments wmma.store.d wmma.load.c' 'rows stmatrix ldmatrix'; do
    set -- $tiles
    "$copycheck" check "$aside/tiles.ptx" --entry "$1" --block 64 --arg out:4 --schedule 0 > "$aside/out" 2>&1 || :
    sed -n '/^  here/,/^  do/p' "$aside/out" > "$aside/places"
    for word in "$2" "$3"; do
        grep -q "ptx:[0-9]*: $word" "$aside/places" || wrong "$1: no $word in: $(cat "$aside/places")"
    done
done

exit $failed
# SPDX-License-Identifier: Apache-2.0
