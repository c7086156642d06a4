#!/bin/sh
# copycheck check as a user meets it: a clean kernel, a broken one, what cannot run, and bad input.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
. tests/unit/checks

head='.version 8.0
.target sm_90a
.address_size 64
'
# c[i] = a[i] + b[i]; and two kernels, so that one has to be named
cat > add.ptx << EOF
$head
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
    .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<8>;
    mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x; mad.lo.s32 %r0, %r0, %r1, %r2;
    ld.param.u32 %r3, [n]; setp.ge.u32 %p, %r0, %r3; @%p ret;
    ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; ld.param.u64 %d2, [c]; mul.wide.u32 %d3, %r0, 4;
    add.s64 %d0, %d0, %d3; add.s64 %d1, %d1, %d3; add.s64 %d2, %d2, %d3;
    ld.global.u32 %r4, [%d0]; ld.global.u32 %r5, [%d1]; add.s32 %r4, %r4, %r5; st.global.u32 [%d2], %r4;
    ret;
}
EOF
# What a launch gives, stored: a struct of a pointer, a byte, a half, a word and a map's first word.
cat > struct.ptx << EOF
$head
.visible .entry pack(.param .align 8 .b8 s[16]) .reqntid 1
{
    .reg .b32 %r<4>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [s]; ld.param.u64 %d1, [s+8]; st.global.u64 [%d0], %d1;
    ret;
}
.visible .entry words(.param .u64 out, .param .u16 h, .param .u16 b, .param .f32 f, .param .f64 d)
{
    .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [out]; ld.param.b16 %h0, [h]; ld.param.b16 %h1, [b]; ld.param.b32 %r0, [f]; ld.param.b64 %d1, [d];
    st.global.b16 [%d0], %h0; st.global.b16 [%d0+2], %h1; st.global.b32 [%d0+4], %r0; st.global.b64 [%d0+8], %d1;
    ret;
}
EOF
# A copy of 16 bytes that is, or is not, waited for.
copy()
{
    cat << EOF
$head
.file 1 "copy.cu"
.visible .entry copy(.param .u64 from, .param .u64 to)
{
    .reg .b32 %r<8>; .reg .b64 %d<4>;
    .shared .align 16 .b8 tile[16];
    ld.param.u64 %d0, [from]; ld.param.u64 %d1, [to]; mov.u32 %r0, tile;
    .loc 1 7 3
    cp.async.cg.shared.global [%r0], [%d0], 16;
    cp.async.commit_group;
    $1
    .loc 1 9 3
    ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r0];
    st.global.v4.u32 [%d1], {%r1, %r2, %r3, %r4};
    ret;
}
EOF
}
copy 'cp.async.wait_group 0;' > copy.ptx
copy '' > nowait.ptx
# One tile of 4 x 2 words through a tensor map, by value or by address.
tile()
{
    cat << EOF
$head
.visible .entry tile($1, .param .u64 out)
{
    .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<4>;
    .shared .align 128 .b8 box[32]; .shared .align 8 .b64 bar;
    $2
    ld.param.u64 %d1, [out]; mov.u32 %r0, box; mov.u32 %r1, bar; mov.u32 %r2, 0;
    mbarrier.init.shared.b64 [%r1], 1;
    fence.proxy.async.shared::cta;
    mbarrier.arrive.expect_tx.shared.b64 %d2, [%r1], 32;
    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], [%d0, {%r2, %r2}], [%r1];
wait:
    mbarrier.try_wait.parity.shared.b64 %p, [%r1], 0;
    @!%p bra wait;
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r0];
    st.global.v4.u32 [%d1], {%r4, %r5, %r6, %r7};
    ret;
}
EOF
}
tile '.param .align 64 .b8 map[128]' 'mov.b64 %d0, map; cvta.param.u64 %d0, %d0;' > tile.ptx
tile '.param .u64 map' 'ld.param.u64 %d0, [map];' > tile_bare.ptx
tile '.param .u64 map' 'ld.param.u64 %d0, [map]; fence.proxy.tensormap::generic.acquire.sys [%d0], 128;' |
    sed 's/^.version 8.0/.version 8.3/' > tile_at.ptx

printf '\001\000\000\000\002\000\000\000\003\000\000\000\004\000\000\000' > a.bin
printf '\012\000\000\000\024\000\000\000\036\000\000\000\050\000\000\000' > b.bin
printf '\013\000\000\000\026\000\000\000\041\000\000\000\054\000\000\000' > sum.bin

# Clean kernels, and their bytes.
expect 0 'clean: add' add.ptx --block 4 --arg in:16@a.bin --arg in:@b.bin --arg out:16 --arg u32:4 --dump 2=c.bin
cmp -s c.bin sum.bin || wrong "the sum: $(od -t d4 c.bin | head -n 2)"
expect 0 'clean: add' add.ptx --grid 2,1 --block=2,1,1 --arg=in:16 --arg in:1K --arg out:16 --arg s32:4 --dump 0=x --dump 1=y
head -c 16 y | cmp -s - x && wrong 'two buffers have the same bytes'
expect 0 'clean: add' add.ptx --grid 2 --block 2 --arg in:16 --arg in:1K --arg out:16 --arg u32:4 --dump 0=z
cmp -s x z || wrong 'the bytes of a seed changed'
expect 0 'clean: add' add.ptx --grid 2 --block 2 --arg in:16 --arg in:1K --arg out:16 --arg u32:4 --dump 0=z --seed 2
cmp -s x z && wrong 'two seeds have the same bytes'
expect 0 'clean: pack' struct.ptx --entry pack --arg out:8 --arg +u8:1 --arg +u16:0x203 --arg +u32:1028 --dump 0=s.bin
printf '\001\000\003\002\004\004\000\000' | cmp -s - s.bin || wrong "a struct: $(od -t x1 s.bin | head -n 1)"
expect 0 'clean: words' struct.ptx --entry words --block 1 --arg out:16 --arg f16:-1.5 --arg bf16:0x1p-133 --arg f32:0.1 \
    --arg f64:inf --dump 0=w.bin
printf '\000\276\001\000\315\314\314\075\000\000\000\000\000\000\360\177' | cmp -s - w.bin || wrong "values: $(od -t x1 w.bin | head -n 1)"
expect 0 'clean: copy' copy.ptx --block 1 --arg in:16@a.bin --arg out:16 --dump 1=c.bin
cmp -s a.bin c.bin || wrong 'a copy'
# Parameters that point into one buffer, which none of them is the address of.
expect 0 'clean: copy' copy.ptx --block 1 --buffer in:48@/dev/zero --arg at:0+32 --arg at:0+0x10 --dump 0=c.bin
expect 1 'access.bounds  in copy' copy.ptx --block 1 --buffer in:48@/dev/zero --arg at:0 --arg at:0+48
expect 0 'clean: add' add.ptx --block 4 --arg in:16@a.bin --arg at:0 --arg out:16 --arg u32:4 --dump 2=c.bin
printf '\002\000\000\000\004\000\000\000\006\000\000\000\010\000\000\000' | cmp -s - c.bin || wrong 'one buffer twice'
for map in tile tile_at; do
    expect 0 'clean: tile' $map.ptx --block 1 --map M=type=u32,rank=2,buffer=1,dims=4x2,strides=16,box=4x2 --arg map:M --arg in:64 \
        --delivery eager
    expect 0 'clean: tile' $map.ptx --block 1 --map M=type=u32,buffer=1,offset=16,dims=4x1,box=4x2,fill=none --arg map:M --arg in:32
done
expect 1 'tmap.host.acquire-sys  in tile' tile_bare.ptx --block 1 --map M=type=u32,buffer=1,offset=16,dims=4x1,box=4x2 --arg map:M \
    --arg in:32

# A wgmma-group is one of the warpgroup: who has waited for it may overwrite what all four warps read.
cat > group.ptx << 'EOF'
.version 8.0
.target sm_90a
.address_size 64
.visible .entry group(.param .u64 in, .param .u64 out)
{
    .reg .pred %p, %q; .reg .b32 %t, %s, %m; .reg .b64 %in, %out, %a, %b, %x; .reg .f32 %d<4>;
    .shared .align 128 .b8 tile[2304]; .shared .align 8 .b64 bar[2];
    mov.u32 %t, %tid.x; mov.u32 %s, tile; mov.u32 %m, bar;
    ld.param.u64 %in, [in]; ld.param.u64 %out, [out];
    setp.ne.u32 %p, %t, 0;
    @%p bra MADE;
    mbarrier.init.shared.b64 [%m], 1; mbarrier.init.shared.b64 [%m+8], 1;
    mbarrier.arrive.expect_tx.shared.b64 %x, [%m], 2304;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 2304, [%m];
MADE:
    bar.sync 0;
FULL: mbarrier.try_wait.parity.shared.b64 %q, [%m], 0;
    @!%q bra FULL;
    cvt.u64.u32 %a, %s; shr.u64 %a, %a, 4; or.b64 %a, %a, 0x0000001000080000;
    add.u64 %b, %a, 128;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %a, %b, 0, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    @%p bra STORE;
    mbarrier.arrive.expect_tx.shared.b64 %x, [%m+8], 2304;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 2304, [%m+8];
AGAIN: mbarrier.try_wait.parity.shared.b64 %q, [%m+8], 0;
    @!%q bra AGAIN;
STORE:
    mul.wide.u32 %x, %t, 16; add.u64 %out, %out, %x;
    st.global.v4.f32 [%out], {%d0, %d1, %d2, %d3};
    ret;
}
EOF
expect 0 'clean: group' group.ptx --block 128 --arg in:4K@/dev/zero --arg out:2K --schedules 6
sed -i 's/wait_group.sync.aligned 0/wait_group.sync.aligned 1/' group.ptx
expect 1 'wgmma.smem.overwritten  in group' group.ptx --block 128 --arg in:4K@/dev/zero --arg out:2K
# A product before its bytes: the finding's place is the product, not the commit.
sed '/^FULL:/d; /bra FULL/d' group.ptx > early.ptx
expect 1 'wgmma.smem.written  in group' early.ptx --block 128 --arg in:4K@/dev/zero --arg out:2K
expect 1 'early.ptx:20: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16' early.ptx --block 128 --arg in:4K@/dev/zero --arg out:2K
# A descriptor whose stride leads out of shared memory.
sed -i 's/0x0000001000080000/0x0000004000080000/' group.ptx
expect 1 'access.bounds  in group' group.ptx --block 128 --arg in:4K@/dev/zero --arg out:2K

# The proxy fence of the thread that copies, behind the barrier; and that of each writer, before it.
for side in copier writers; do
    cat > $side.ptx << EOF
$head
.visible .entry $side(.param .u64 out)
{
    .reg .pred %p; .reg .b32 %s, %t; .reg .b64 %d;
    .shared .align 16 .b8 tile[128];
    mov.u32 %t, %tid.x; mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s;
    st.shared.u32 [%s], %t;
    $([ $side = copier ] || echo 'fence.proxy.async.shared::cta;')
    bar.sync 0;
    setp.ne.u32 %p, %t, 0;
    @%p bra DONE;
    $([ $side = writers ] || echo 'fence.proxy.async.shared::cta;')
    ld.param.u64 %d, [out];
    cp.async.bulk.global.shared::cta.bulk_group [%d], [%s], 128;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
DONE:
    ret;
}
EOF
done
expect 0 'clean: copier' copier.ptx --block 32 --arg out:128
expect 1 'bulk.proxy.s2g-needs-fence  in copier' copier.ptx --block 32 --arg out:128 --ask writers
expect 0 'clean: writers' writers.ptx --block 32 --arg out:128 --ask writers

# A tile that goes in by one map and out by another: one swizzle, or the grid of what goes where.
cat > through.ptx << EOF
$head
.visible .entry through(.param .align 64 .b8 in[128], .param .align 64 .b8 out[128], .param .u64 a, .param .u64 b)
{
    .reg .pred %p; .reg .b32 %s, %m; .reg .b64 %a, %b, %x;
    .shared .align 1024 .b8 tile[2048]; .shared .align 8 .b64 bar;
    mov.u32 %s, tile; mov.u32 %m, bar;
    mov.b64 %x, in; cvta.param.u64 %a, %x; mov.b64 %x, out; cvta.param.u64 %b, %x;
    mbarrier.init.shared.b64 [%m], 1;
    mbarrier.arrive.expect_tx.shared.b64 %x, [%m], 2048;
    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s], [%a, {0, 0}], [%m];
wait:
    mbarrier.try_wait.parity.shared.b64 %p, [%m], 0;
    @!%p bra wait;
    cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%b, {0, 0}], [%s];
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
    ret;
}
EOF
box=type=f16,rank=2,dims=64x64,strides=128,box=64x16
through() { # STATUS TEXT SWIZZLE
    expect "$1" "$2" through.ptx --block 1 --arg map:A --arg map:B --arg in:8K --arg out:8K --map A=$box,buffer=2,swizzle=128B \
        --map "B=$box,buffer=3,swizzle=$3"
}
through 0 'clean: through' 128B
through 1 'swz.reader-as-writer' none
through 1 '112 of 128 pieces of 16 bytes' none
through 1 'offset 1152   | 1  0  3  2  5  4  7  6    | 0* 1* 2* 3* 4* 5* 6* 7*' none

# The same tile read by lanes: by its pattern, or as if it had none. Only a user who asks gets the finding.
swizzled() { # ADDRESS, of the word of lane %i in row %r: two rows of 8 pieces of 16 bytes, so that each lane reads one word of a row
    cat << EOF
$head
.visible .entry swizzled(.param .align 64 .b8 in[128], .param .u64 a, .param .u64 out)
{
    .reg .pred %p; .reg .b32 %s, %m, %i, %o, %v, %x; .reg .b64 %a, %b, %d;
    .shared .align 1024 .b8 tile[2048]; .shared .align 8 .b64 bar;
    mov.u32 %s, tile; mov.u32 %m, bar; mov.u32 %i, %tid.x; mov.b64 %a, in; cvta.param.u64 %a, %a;
    ld.param.u64 %b, [out]; shl.b32 %o, %i, 2; cvt.u64.u32 %d, %o; add.u64 %b, %b, %d;
    setp.ne.u32 %p, %i, 0; @%p bra behind;
    mbarrier.init.shared.b64 [%m], 1;
    mbarrier.arrive.expect_tx.shared.b64 %d, [%m], 2048;
    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s], [%a, {0, 0}], [%m];
behind:
    bar.sync 0;
wait:
    mbarrier.try_wait.parity.shared.b64 %p, [%m], 0;
    @!%p bra wait;
    add.u32 %o, %o, %s; add.u32 %o, %o, 384;
    $1
    ld.shared.u32 %v, [%o];
    st.global.u32 [%b], %v;
    ret;
}
EOF
}
swizzled '' > natural.ptx
swizzled 'shr.u32 %x, %o, 3; and.b32 %x, %x, 0x70; xor.b32 %o, %o, %x;' > undone.ptx
for kernel in natural undone; do
    expect 0 'clean: swizzled' $kernel.ptx --block 32 --arg map:A --arg in:8K --arg out:128 --map A=$box,buffer=1,swizzle=128B
done
expect 0 'clean: swizzled' undone.ptx --block 32 --arg map:A --arg in:8K --arg out:128 --map A=$box,buffer=1,swizzle=128B --ask swizzle
expect 0 'clean: swizzled' natural.ptx --block 32 --arg map:A --arg in:8K --arg out:128 --map A=$box,buffer=1 --ask swizzle
# A tile that starts where the pattern does not, and is read by a pattern of the offsets in it.
swizzled '' | sed 's/mov.u32 %s, tile;/& add.u32 %s, %s, 128;/; s/tile\[2048\]/tile[2176]/
    s/add.u32 %o, %o, %s; add.u32 %o, %o, 384;/add.u32 %o, %o, 384; shr.b32 %x, %o, 3; and.b32 %x, %x, 0x70; xor.b32 %o, %o, %x; add.u32 %o, %o, %s;/
    ' > offset.ptx
expect 1 'align the tile to 1024 bytes' offset.ptx --block 32 --arg map:A --arg in:8K --arg out:128 --map A=$box,buffer=1,swizzle=128B --ask swizzle
expect 1 'a ^ (a >> 3 & 0x70)' natural.ptx --block 32 --arg map:A --arg in:8K --arg out:128 --map A=$box,buffer=1,swizzle=128B --ask swizzle
# A reader that undoes the pattern of another swizzle.
sed 's/and.b32 %x, %x, 0x70/and.b32 %x, %x, 0x10/' undone.ptx > other_pattern.ptx
expect 1 'equal steps by the pattern of swizzle 32B, and the tile there was loaded with swizzle 128B' other_pattern.ptx --block 32 --arg map:A --arg in:8K --arg out:128 \
    --map A=$box,buffer=1,swizzle=128B --ask swizzle
# Lanes that take 16 rows each, in two pieces, as for ldmatrix.
rows='and.b32 %x, %i, 15; shl.b32 %x, %x, 7; shr.u32 %o, %i, 4; shl.b32 %o, %o, 4; add.u32 %o, %o, %x; shr.u32 %x, %x, 3; and.b32 %x, %x, MASK;
    xor.b32 %o, %o, %x; add.u32 %o, %o, %s;'
swizzled "$rows" | sed 's/MASK/0x70/' > rows.ptx
expect 0 'clean: swizzled' rows.ptx --block 32 --arg map:A --arg in:8K --arg out:128 --map A=$box,buffer=1,swizzle=128B --ask swizzle
swizzled "$rows" | sed 's/MASK/0/' > natural_rows.ptx
expect 1 '16 lanes of the warp' natural_rows.ptx --block 32 --arg map:A --arg in:8K --arg out:128 --map A=$box,buffer=1,swizzle=128B --ask swizzle
expect 2 "--ask 'all': reads, swizzle" natural.ptx --ask all

# Two warps store the same value: a remark, unless it is asked for.
cat > same.ptx << EOF
$head
.visible .entry same(.param .u64 out, .param .u32 step)
{
    .reg .b32 %r<4>; .reg .b64 %d;
    mov.u32 %r0, %tid.x; ld.param.u32 %r1, [step]; shr.u32 %r2, %r0, 5; mul.lo.s32 %r2, %r2, %r1; ld.param.u64 %d, [out];
    st.global.u32 [%d], %r2;
    ret;
}
EOF
expect 0 'remark: order.same-value  in same: bytes 0 to 3 of --arg 0' same.ptx --block 64 --arg out:4 --arg u32:0
expect 0 ' instructions, 1 remark' same.ptx --block 64 --arg out:4 --arg u32:0
expect 0 '"severity":"remark"' same.ptx --block 64 --arg out:4 --arg u32:0 --format jsonl
expect 0 '"findings":0,"remarks":1' same.ptx --block 64 --arg out:4 --arg u32:0 --format jsonl
expect 1 'order.same-value  in same' same.ptx --block 64 --arg out:4 --arg u32:0 --ask same-value
expect 1 '"severity":"error"' same.ptx --block 64 --arg out:4 --arg u32:0 --ask same-value --format jsonl
expect 1 'order.data-race  in same' same.ptx --block 64 --arg out:4 --arg u32:1
expect 0 'clean: same' same.ptx --block 32 --arg out:4 --arg u32:0 --ask same-value

# A thread of one CTA waits for an arrival of the other one, and no scope is written: a remark, unless it is asked for.
for scope in '' .cta; do
    cat > scope$scope.ptx << EOF
$head
.visible .entry scope(.param .u64 out) .reqntid 1
{
    .reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %d; .shared .align 8 .b64 bar; .shared .u32 word;
    mov.u32 %r0, bar; mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, word; setp.eq.u32 %p0, %r1, 0;
    mapa.shared::cluster.u32 %r3, %r0, 0; mapa.shared::cluster.u32 %r4, %r2, 0; mbarrier.init.shared.b64 [%r0], 1;
    barrier.cluster.arrive; barrier.cluster.wait;
    @%p0 bra W;
    st.shared::cluster.u32 [%r4], 7; mbarrier.arrive${scope:+.release}$scope.shared::cluster.b64 _, [%r3];
    bra E;
W:  mbarrier.try_wait.parity.shared.b64 %p1, [%r0], 0; @!%p1 bra W;
    ld.shared.u32 %r5, [%r2]; ld.param.u64 %d, [out]; st.global.u32 [%d], %r5;
E:  barrier.cluster.arrive; barrier.cluster.wait;
    ret;
}
EOF
done
two='--grid 2 --cluster 2 --block 1 --arg out:4'
expect 0 'remark: mbarrier.wait.scope-too-small  in scope: thread 0,0,0 of CTA 0,0,0 (line ' scope.ptx $two
expect 0 'and neither names a scope' scope.ptx $two
expect 1 'mbarrier.wait.scope-too-small  in scope' scope.ptx $two --ask scopes
expect 1 'mbarrier.wait.scope-too-small  in scope' scope.cta.ptx $two

# A 32-bit address wraps: base -12 and offset 24 are byte 12.
cat > wrap.ptx << EOF
$head
.visible .entry wrap(.param .u64 out)
{
    .local .align 8 .b8 depot[32]; .reg .b32 %r<4>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [out]; mov.u32 %r0, depot; mov.u32 %r1, 77; st.local.u32 [%r0+12], %r1;
    sub.s32 %r0, %r0, 12; ld.local.u32 %r2, [%r0+24]; st.global.u32 [%d0], %r2;
    ret;
}
EOF
expect 0 'clean: wrap' wrap.ptx --block 1 --arg out:4 --dump 0=w.bin
printf 'M\000\000\000' | cmp -s - w.bin || wrong "a wrapped address: $(od -t x1 w.bin | head -n 1)"

# Lanes that store one value to one place are no race; lanes that store different ones are.
lanes()
{
    cat << EOF
$head
.visible .entry lanes(.param .u64 out)
{
    .reg .b32 %r<4>; .reg .b64 %d<4>; .shared .align 4 .b8 tile[4];
    ld.param.u64 %d0, [out]; $1; mov.u32 %r0, tile; st.shared.u32 [%r0], %r1; bar.sync 0;
    ld.shared.u32 %r2, [%r0]; mov.u32 %r3, %tid.x; mul.wide.u32 %d1, %r3, 4; add.s64 %d0, %d0, %d1; st.global.u32 [%d0], %r2;
    ret;
}
EOF
}
lanes 'mov.u32 %r1, 5' > same.ptx
lanes 'mov.u32 %r1, %tid.x' > different.ptx
expect 0 'clean: lanes' same.ptx --block 64 --arg out:256
expect 1 'order.data-race' different.ptx --block 64 --arg out:256

# A broken one: both accesses, their lines, the rule.
expect 1 'thread 0,0,0 of CTA 0,0,0: bytes' nowait.ptx --block 1 --arg in:16 --arg out:16
for text in 'copy.cu:7' 'copy.cu:9' 'nowait.ptx:' 'cp.async.cg.shared.global [%r0], [%d0], 16' '  rule ' '  source ' '  do ' 'diagnosed: copy'; do
    grep -qF -- "$text" out || wrong "no '$text' in $(cat out)"
done
grep -q '^cpasync\.\|^group\.' out || wrong "no rule in $(cat out)"
# A long name is cut short for a reader, and whole for a program.
long=copy$(printf '%0200d' 0)
sed "s/entry copy(/entry $long(/" nowait.ptx > long.ptx
expect 1 "in copy$(printf '%066d' 0)... (204 letters)" long.ptx --block 1 --arg in:16 --arg out:16
grep -q "$long" out && wrong "a name of 204 letters in $(cat out)"
expect 1 "\"kernel\":\"$long\"" long.ptx --block 1 --arg in:16 --arg out:16 --format jsonl
expect 1 'in 3 of 3 schedules' nowait.ptx --block 1 --arg in:16 --arg out:16 --schedules 3
expect 1 'copy.cu:9:' nowait.ptx --block 1 --arg in:16 --arg out:16 --format gcc
expect 1 '::error file=copy.cu,line=9' nowait.ptx --block 1 --arg in:16 --arg out:16 --format github
[ "$(wc -l < out)" = 1 ] || wrong "an annotation is one line: $(cat out)"
grep -q ',title=[a-z.-]*::.*%0Athe other access: copy.cu:7, thread 0,0,0' out || wrong "the annotation: $(cat out)"
expect 1 '"uri":"copy.cu"},"region":{"startLine":9' nowait.ptx --block 1 --arg in:16 --arg out:16 --format sarif
expect 1 '"executionSuccessful":true' nowait.ptx --block 1 --arg in:16 --arg out:16 --format sarif
expect 1 '"source":"copy.cu:9"' nowait.ptx --block 1 --arg in:16 --arg out:16 --format jsonl
for text in '{"rule":"' '"kernel":"copy"' '"thread":{"tid":[0,0,0],"ctaid":[0,0,0]}' '"other":{' '"numbers":{' '"end":"done"'; do
    grep -qF -- "$text" out || wrong "no '$text' in $(cat out)"
done
expect 1 'bytes 12 to 15 of --arg 2' add.ptx --block 4 --arg in:16 --arg in:16 --arg out:12 --arg u32:4
expect 0 '{"end":"done"' add.ptx --block 4 --arg in:16 --arg in:16 --arg out:16 --arg u32:4 --format=jsonl

# A phase that never completes is found at once.
cat > dead.ptx << EOF
$head
.visible .entry dead()
{
    .reg .pred %p; .reg .b32 %r; .shared .align 8 .b64 bar;
    mov.u32 %r, bar; mbarrier.init.shared.b64 [%r], 2; mbarrier.arrive.shared.b64 _, [%r];
w:  mbarrier.try_wait.parity.shared.b64 %p, [%r], 0; @!%p bra w;
    ret;
}
EOF
expect 1 'deadlock' dead.ptx --block 1 --max-instructions 1M

# A spec file.
cat > add.spec << EOF
# the sum
entry add
--block=4      # threads
arg in:@a.bin
arg	in:@b.bin
arg out:16
arg u32:4

dump 2=d.bin
EOF
expect 0 'clean: add' --spec add.spec add.ptx
cmp -s d.bin sum.bin || wrong 'the sum of a spec'
printf 'block 4\nspec add.spec\n' > nested.spec
expect 2 'nested.spec:2: a spec file names no other' add.ptx --spec nested.spec
printf 'block 4\n\nfrob 1\n' > frob.spec
expect 2 "frob.spec:3: no option 'frob 1'" add.ptx --spec frob.spec
printf 'block' > short.spec
expect 2 'short.spec:1: --block needs a value' add.ptx --spec short.spec
printf 'block 1\n\000' > nul.spec
expect 2 'holds a NUL' add.ptx --spec nul.spec
expect 2 'none.spec' add.ptx --spec none.spec
printf 'arg map:Q\n' > map.spec
expect 2 "map.spec:1: --arg 'map:Q': no --map of this name" add.ptx --spec map.spec

# What cannot run.
expect 2 'more than 100 instructions' add.ptx --grid 64 --block 256 --arg in:64K --arg in:64K --arg out:64K --arg u32:16384 --max-instructions 100
printf '%s\n.visible .entry f() {\n .reg .b32 %%r0;\n add.s33 %%r0, %%r0, 1;\n ret;\n}\n' "$head" > bad.ptx
expect 2 "bad.ptx:7:5: error: no instruction has the modifier '.s33'" bad.ptx --block 1
[ "$(sed -n 3p out | tr -d ' ')" = '^' ] || wrong "no caret: $(cat out)"
printf '%s\n.visible .func f() { ret; }\n' "$head" > none.ptx
expect 2 'no kernel in it' none.ptx --block 1
expect 2 'nosuch.ptx: No such file' nosuch.ptx
expect 2 'no PTX file given'
expect 2 'one PTX file is enough' add.ptx add.ptx
expect 0 'usage: copycheck check' --help

# Arguments that do not fit the kernel.
expect 2 "'pack'; there is add" add.ptx --entry pack --block 1
expect 2 '--entry is needed: there are 2 kernels: pack, words' struct.ptx --block 1
expect 2 '--block is needed: add has no .reqntid' add.ptx
expect 2 'its .reqntid says so' struct.ptx --entry pack --block 2 --arg bytes:00000000000000000000000000000000
expect 2 'there is no --arg for a (8 bytes)' add.ptx --block 1
expect 2 "none is left for --arg 4 'u8:1'" add.ptx --block 1 --arg in:4 --arg in:4 --arg out:4 --arg u32:1 --arg u8:1
expect 2 "--arg 3 'u64:1' has 8 bytes, parameter n 4" add.ptx --block 1 --arg in:4 --arg in:4 --arg out:4 --arg u64:1
expect 2 '--arg 0 to 1 have 16 bytes together, parameter a 8' add.ptx --block 1 --arg in:4 --arg +in:4
expect 2 'is aligned to 64 bytes, parameter s to 8' struct.ptx --entry pack --map M=buffer=0,dims=64,box=16 --arg in:4K --arg +map:M
expect 2 '1 CTAs in x are no multiple' add.ptx --cluster 2 --block 1
expect 2 '1025 threads' add.ptx --block 41,25

# Bad words.
expect 2 "no option '--frob'" add.ptx --frob
expect 2 "no option '-x'" add.ptx -x
expect 2 '--grid needs a value' add.ptx --grid
for bad in 'grid 1,1,1,1' 'grid x' 'grid 0' 'grid 1,70000' 'block 1,' 'smem 228K' 'smem -1' 'seed -1' 'seed x' 'schedules 0' \
    'jobs 0' 'delivery soon' 'format xml' 'max-memory 0' 'max-instructions x' 'arg u32' 'arg u33:1' 'arg u8:256' 'arg s8:128' \
    'arg u8:-1' 'arg s64:0x' 'arg f32:' 'arg f16:1x' 'arg bytes:' 'arg bytes:123' 'arg bytes:0g' 'arg in:' 'arg in:0' 'arg in:4@' \
    'arg out:4@a' 'arg in:99999999999G' 'arg +u32:1' 'dump 0' 'dump 0=x' 'dump x=y' 'map M' 'map M=' 'map M=dims=4' \
    'map =buffer=0' 'map M=buffer=0' 'arg at:' 'arg at:7' 'buffer u32:1' 'buffer +in:4' 'buffer in'; do
    expect 2 "check: --${bad%% *}" add.ptx --block 1 "--${bad%% *}" "${bad#* }"
done
expect 2 'is no buffer' add.ptx --block 1 --arg u32:1 --dump 0=x
expect 2 'is given twice' add.ptx --block 1 --arg out:4 --dump 0=x --dump 0=y
expect 2 'is given twice' add.ptx --block 1 --arg out:4 --map M=buffer=0,dims=16,box=16 --map M=buffer=0,dims=16,box=16
expect 2 'no such word' add.ptx --block 1 --arg out:4 --map M=buffer=0,frob=1
expect 2 'of the form name=value' add.ptx --block 1 --arg out:4 --map M=buffer=0,dims
expect 2 'buffer= and offset=' add.ptx --block 1 --arg out:4 --map M=buffer=0,address=16
expect 2 "'swizzle=96B': no such name" add.ptx --block 1 --arg out:4 --map M=buffer=0,dims=16,swizzle=96B
expect 2 'globalStrides[0] is 20 and must be a multiple of 16 (tmap.tiled.gstride16)' add.ptx --block 1 --arg out:4K \
    --map M=buffer=0,dims=4x4,strides=20,box=4x4
expect 2 'globalAddress is 8' add.ptx --block 1 --arg out:4K --map M=buffer=0,offset=8,dims=4x4,box=4x4
expect 2 'b.bin has 16 bytes' add.ptx --block 1 --arg in:17@b.bin --arg in:4 --arg out:4 --arg u32:1
expect 2 'none.bin: No such file' add.ptx --block 1 --arg in:17@none.bin --arg in:4 --arg out:4 --arg u32:1
expect 2 'more than --max-memory leaves' add.ptx --block 1 --max-memory 1M --arg out:2M --arg in:4 --arg out:4 --arg u32:1
expect 2 '--dump 2=none/x' add.ptx --block 1 --arg in:4 --arg in:4 --arg out:4 --arg u32:1 --dump 2=none/x

# A text that is refused is reported in the same form.
sed 's/ld.shared.v4.u32/ld.shared.v3.u32/' tile.ptx > refused.ptx
expect 2 '{"end":"refused","message":"' refused.ptx --block 1 --format jsonl --map M=type=u32,buffer=1,dims=4x1,box=4x2 --arg map:M --arg out:32
grep -q '"rule":null,"ptx_line":[0-9]*,"column":[0-9]*}$' out || wrong "where it is refused: $(cat out)"
grep -q '^ *^$' out || wrong "no caret: $(cat out)"

exit $failed
# SPDX-License-Identifier: Apache-2.0
