#!/bin/sh
# Textures and surfaces as arguments of copycheck check, and the rules of their instructions.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common

head='.version 8.0
.target sm_90
.address_size 64'
# Each thread reads a texel and stores it; BODY is in between.
kernel() # NAME BODY: NAME.ptx
{
    cat > "$aside/$1.ptx" << EOF2
$head
.global .texref picture;
.global .surfref canvas;
.visible .entry k(.param .u64 t, .param .u64 s, .param .u64 out)
{
    .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<8>;
    ld.param.u64 %d0, [t]; ld.param.u64 %d1, [s]; ld.param.u64 %d2, [out];
    mov.u32 %r0, %tid.x; mul.wide.u32 %d3, %r0, 4; add.s64 %d2, %d2, %d3; mul.lo.u32 %r1, %r0, 4;
    $2
    st.global.b32 [%d2], %r2;
    ret;
}
EOF2
}
check() # NAME ARGUMENT...
{
    name=$1
    shift
    timeout 60 "$copycheck" check "$aside/$name.ptx" --block 8 "$@"
}

kernel fetch 'tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%d0, {%r0}];'
kernel store 'mov.b32 %r2, 7; sust.b.1d.b32.trap [%d1, {%r1}], %r2;'
kernel stale 'sust.b.1d.b32.trap [%d1, {%r1}], %r0; suld.b.1d.b32.trap %r2, [%d1, {%r1}];'
kernel beside 'setp.eq.u32 %p, %r0, 0; mov.u32 %r2, 4; @%p sust.b.1d.b32.trap [%d1, {%r2}], %r0; @!%p suld.b.1d.b32.trap %r2, [%d1, {%r1}];'
kernel texel 'sust.b.1d.b32.trap [%d1, {%r1}], %r0; bar.sync 0; tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%d0, {%r0}];'
kernel in_place 'suld.b.1d.b32.trap %r2, [%d1, {%r1}]; not.b32 %r2, %r2; sust.b.1d.b32.trap [%d1, {%r1}], %r2;'
kernel race 'suld.b.1d.b32.trap %r2, [%d1, {%r1}]; xor.b32 %r1, %r1, 4; sust.b.1d.b32.trap [%d1, {%r1}], %r2;'
kernel reduced 'mov.b32 %r2, 0; sured.b.add.1d.u32.zero [%d1, {%r2}], %r0;'
kernel aligned 'add.u32 %r1, %r1, 2; suld.b.1d.b32.zero %r2, [%d1, {%r1}];'
kernel named 'tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [picture, {%r0}]; sust.b.1d.b32.trap [canvas, {%r1}], %r2;'
kernel flat 'tex.2d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%d0, {%r0, %r0}];'

tex=tex:u32,8,memory surf=surf:u32,8
printf '\001\002\003\004\005\006\007\010' > "$aside/bytes"
check fetch --arg "tex:u8,8,memory@$aside/bytes" --arg $surf --arg out:32 --dump 2="$aside/out" > "$aside/said" ||
    wrong "fetch: $(cat "$aside/said")"
[ "$(od -An -tu4 -w32 "$aside/out" | tr -s ' ')" = ' 1 2 3 4 5 6 7 8' ] || wrong "fetch: $(od -An -tu4 "$aside/out")"
check store --arg $tex --arg $surf,unwritten --arg out:32 --dump 1="$aside/out" > "$aside/said" || wrong store
[ "$(od -An -tu4 -w32 "$aside/out" | tr -s ' ')" = ' 7 7 7 7 7 7 7 7' ] || wrong "store: $(od -An -tu4 "$aside/out")"

for name in fetch store in_place reduced; do
    ends 0 'clean:' check $name --arg $tex --arg $surf --arg out:32
done
ends 0 'clean:' check named --arg $tex --arg $surf --arg out:32 --bind picture=$tex --bind canvas=$surf,unwritten
ends 1 'access.texture-handle' check named --arg $tex --arg $surf --arg out:32
ends 2 'no .texref or .surfref variable' check named --arg $tex --arg $surf --arg out:32 --bind painting=$tex
ends 1 'access.texture-written' check stale --arg $tex --arg $surf --arg out:32
ends 1 'access.texture-written' check beside --arg $tex --arg $surf --arg out:32
check beside --arg $tex --arg $surf --arg out:32 --format jsonl > "$aside/said" || true
if grep -q '"order.data-race"' "$aside/said"; then
    wrong "texels that another thread has written, said twice: $(cat "$aside/said")"
fi
ends 1 'access.texture-written' check texel --arg $tex,buffer=1 --arg $surf --arg out:32
ends 0 'clean:' check texel --arg $tex --arg $surf --arg out:32
ends 1 'order.data-race' check race --arg $tex --arg $surf --arg out:32
ends 1 'order.unwritten' check in_place --arg $tex --arg $surf,unwritten --arg out:32
ends 1 'access.surface-align' check aligned --arg $tex --arg $surf --arg out:32
ends 1 'access.surface-bounds' check store --arg $tex --arg surf:u32,7 --arg out:32
ends 1 'access.texture-geometry' check flat --arg $tex --arg $surf --arg out:32
ends 1 'access.texture-handle' check fetch --arg u64:77 --arg $surf --arg out:32
ends 1 'handle 1 is of a surface object' check fetch --arg u64:1 --arg $surf --arg out:32

for bad in u9,8 x8,8 f8,8 u8x3,8 u8,0 u8,8x u8,8,wrapped u8,8,layers=0 u8,8x4,cube u8,8,linear u8,8x8,memory,layers=2 \
    u8,8,levels=9 u8,8,buffer=9 u8 f32,8,pitch=64 u8,8x8,pitch=99999999999 u8,8,@ u8,8x8,levels=2; do
    ends 2 "--arg 'tex:$bad" check fetch --arg "tex:$bad" --arg $surf --arg out:32
done
ends 2 "surf:u8,8,linear" check fetch --arg $tex --arg surf:u8,8,linear --arg out:32
ends 2 'its texels are 64 bytes' check fetch --arg tex:u32,16,buffer=2 --arg $surf --arg out:32

exit $failed
# SPDX-License-Identifier: Apache-2.0
