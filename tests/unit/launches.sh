#!/bin/sh
# Kernels that launch kernels: the order of the grids, their parameters, and what is refused.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common

# `add` adds v to n words; `parent` launches it three times, the second time in STREAM, with THREADS threads each.
kernels() # STREAM THREADS
{
    cat > "$aside/k.ptx" << EOF2
.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2 (.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b64 p, .param .b64 s);
.visible .entry add(.param .u64 p, .param .u32 v)
{
    .reg .b32 %r<4>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [p]; ld.param.u32 %r0, [v]; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4; add.s64 %d0, %d0, %d1;
    ld.global.u32 %r2, [%d0]; mul.lo.u32 %r2, %r2, 10; add.u32 %r2, %r2, %r0; st.global.u32 [%d0], %r2; ret;
}
.func launch (.param .b64 p, .param .b32 v, .param .b64 stream)
{
    .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d<8>; .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12];
    .param .b32 s; .param .b64 r; .param .b64 to; .param .b64 st; .param .b32 e;
    mov.u64 %d0, add; st.param.b64 [f], %d0; st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
    st.param.b32 [b], $2; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; st.param.b32 [s], 0;
    call (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s);
    ld.param.b64 %d1, [r]; ld.param.b64 %d2, [p]; ld.param.b32 %r0, [v]; st.u64 [%d1], %d2; st.u32 [%d1+8], %r0;
    st.param.b64 [to], %d1; ld.param.b64 %d3, [stream]; st.param.b64 [st], %d3;
    call (e), __cudaCDP2LaunchDeviceV2, (to, st);
    st.u32 [%d1+8], 9; // too late to count
    ret;
}
.visible .entry parent(.param .u64 p)
{
    .reg .b64 %d<4>; .param .b64 to; .param .b32 v; .param .b64 st;
    ld.param.u64 %d0, [p]; st.param.b64 [to], %d0; st.global.u32 [%d0], 7;
    st.param.b32 [v], 1; st.param.b64 [st], 0; call launch, (to, v, st);
    st.param.b32 [v], 2; st.param.b64 [st], $1; call launch, (to, v, st);
    st.param.b32 [v], 3; st.param.b64 [st], 4; call launch, (to, v, st);
    ret;
}
EOF2
}
words()
{
    od -An -tu4 "$aside/bytes" | tr -s ' \n' ' '
}
parent()
{
    timeout 60 "$copycheck" check "$aside/k.ptx" --entry parent --block 1 --arg "in:4" --dump 0="$aside/bytes"
}

kernels 0 1
ends 0 'clean:' parent
[ "$(words)" = ' 7123 ' ] || wrong "one stream: $(words)"
kernels 3 1
ends 0 'clean:' parent
[ "$(words)" = ' 7132 ' ] || wrong "a tail launch comes last: $(words)"
kernels 0 2
ends 1 'access.bounds' parent
kernels 0 2000
ends 1 'cudaErrorInvalidConfiguration' parent
sed -i 's/mov.u64 %d0, add;/mov.u64 %d0, 0;/' "$aside/k.ptx"
ends 1 'no kernel of the module' parent

# cudaMalloc, cudaMemsetAsync and cudaMemcpyAsync on the device; a copy that leaves its allocation
cat > "$aside/copy.ptx" << 'EOF2'
.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) __cudaCDP2Malloc (.param .b64 p, .param .b64 n);
.extern .func (.param .b32 r) __cudaCDP2Free (.param .b64 p);
.extern .func (.param .b32 r) __cudaCDP2MemsetAsync (.param .b64 p, .param .b32 v, .param .b64 n, .param .b64 s);
.extern .func (.param .b32 r) __cudaCDP2MemcpyAsync (.param .b64 p, .param .b64 f, .param .b64 n, .param .b32 k, .param .b64 s);
.visible .entry parent(.param .u64 p, .param .u64 n)
{
    .reg .b32 %r<4>; .reg .b64 %d<8>; .local .align 8 .b64 at; .param .b64 a; .param .b64 n1; .param .b32 r; .param .b32 v;
    .param .b64 f; .param .b64 s; .param .b32 k;
    ld.param.u64 %d0, [p]; ld.param.u64 %d3, [n];
    mov.u64 %d1, at; cvta.local.u64 %d1, %d1; st.param.b64 [a], %d1; st.param.b64 [n1], 16; call (r), __cudaCDP2Malloc, (a, n1);
    ld.u64 %d2, [%d1]; st.param.b64 [a], %d2; st.param.b32 [v], 1; st.param.b64 [s], 0;
    call (r), __cudaCDP2MemsetAsync, (a, v, n1, s);
    st.param.b64 [f], %d2; st.param.b64 [a], %d0; st.param.b64 [n1], %d3; st.param.b32 [k], 3;
    call (r), __cudaCDP2MemcpyAsync, (a, f, n1, k, s);
    st.param.b64 [a], 0; call (r), __cudaCDP2Free, (a);
    ret;
}
EOF2
ends 0 'clean:' timeout 60 "$copycheck" check "$aside/copy.ptx" --block 1 --arg in:4 --arg u64:4 --dump 0="$aside/bytes"
[ "$(words)" = ' 16843009 ' ] || wrong "a copy behind a fill: $(words)"
ends 1 'does not lie in one allocation' timeout 60 "$copycheck" check "$aside/copy.ptx" --block 1 --arg in:4 --arg u64:8

# What a parent does at the same time as its children: thread 0 launches `child` of WIDTH CTAs, a thread each, which does
# CHILD with its word; WORD of the parent's threads, two CTAs of 32, is its own. BEFORE and AFTER are around the launch.
together() # BEFORE AFTER CHILD STREAM WIDTH
{
    cat > "$aside/together.ptx" << EOF2
.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2 (.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b64 p, .param .b64 s);
.func launch (.param .b64 p, .param .b64 entry, .param .b64 stream)
{
    .reg .b64 %d<4>; .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 r;
    .param .b64 to; .param .b64 st; .param .b32 e;
    ld.param.b64 %d0, [entry]; st.param.b64 [f], %d0; st.param.b32 [g], $5; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
    st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; st.param.b32 [s], 0;
    call (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s);
    ld.param.b64 %d1, [r]; ld.param.b64 %d2, [p]; st.u64 [%d1], %d2; st.param.b64 [to], %d1;
    ld.param.b64 %d3, [stream]; st.param.b64 [st], %d3; call (e), __cudaCDP2LaunchDeviceV2, (to, st);
    ret;
}
.visible .entry grandchild(.param .u64 p)
{
    .reg .b32 %r<4>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [p]; ld.global.u32 %r0, [%d0]; ret;
}
.visible .entry child(.param .u64 p)
{
    .reg .b32 %r<4>; .reg .b64 %d<4>; .param .b64 to; .param .b64 entry; .param .b64 st;
    ld.param.u64 %d0, [p]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d0, %d1; mov.u32 %r0, 5;
    $3
    ret;
}
.visible .entry parent(.param .u64 p)
{
    .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<4>; .param .b64 to; .param .b64 entry; .param .b64 st;
    ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %r1, 32, %r0;
    mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d0, %d1; setp.ne.u32 %p0, %r1, 0; setp.ne.u32 %p1, %r1, 40; mov.u32 %r2, 7;
    $1
    @%p0 bra N;
    st.param.b64 [to], %d0; mov.u64 %d2, child; st.param.b64 [entry], %d2; st.param.b64 [st], $4; call launch, (to, entry, st);
    N: $2
    ret;
}
EOF2
}
judged()
{
    timeout 60 "$copycheck" check "$aside/together.ptx" --entry parent --grid 2 --block 32 --arg in:4K --jobs 2
}
own='st.global.u32 [%d1], %r2;'
read='ld.global.u32 %r0, [%d1];'
put='st.global.u32 [%d1], %r0;'
together "$own bar.sync 0;" '' "$read" 0 8
ends 0 'clean:' judged
together "$own" 'bar.sync 0;' "$read" 0 8
ends 1 'read by thread 0,0,0 of CTA 1,0,0 (line 26) of child, which parent launches' judged
together "$own bar.sync 0;" '' "$read" 0 40 # CTA 1 has words 32 to 63
ends 1 'written by thread 0,0,0 of CTA 1,0,0' judged
together '' "@!%p0 $own" "$put" 0 8
ends 1 'written by thread 0,0,0 of CTA 0,0,0 (line 26) of child' judged
together '' "@!%p0 ld.global.u32 %r3, [%d1];" "$read" 0 8
ends 0 'clean:' judged
together '' "@!%p0 ld.global.u32 %r3, [%d1];" "$put" 0 8
ends 1 'bytes 0 to 3 of --arg 0: read by thread 0,0,0 of CTA 0,0,0' judged
together '' "$own" "$put" 3 8 # a tail launch comes behind all of its parent
ends 0 'clean:' judged
together '' 'red.relaxed.gpu.global.add.u32 [%d0], 1;' 'red.relaxed.gpu.global.add.u32 [%d0], 1;' 0 8
ends 0 'clean:' judged
together '' 'red.relaxed.cta.global.add.u32 [%d1], 1;' 'red.relaxed.gpu.global.add.u32 [%d1], 1;' 0 8
ends 1 'changed by' judged
# what a child launches comes behind what its parent knew of the first grid; a tail launch behind the child alone
again='mov.u64 %d2, grandchild; st.param.b64 [to], %d0; st.param.b64 [entry], %d2; st.param.b64 [st], STREAM; call launch, (to, entry, st);'
together "@!%p0 $own" '' "$(echo "$again" | sed 's/STREAM/0/')" 0 1
ends 0 'clean:' judged
together '' "@!%p0 $own" "$(echo "$again" | sed 's/STREAM/3/')" 0 1
ends 1 'of grandchild, which parent launches' judged
together '' '' "$(echo "$again" | sed 's/STREAM/0/') @%p0 $put" 0 1
sed -i 's/@%p0 st.global.u32 \[%d1\], %r0;/st.global.u32 [%d0], %r0;/' "$aside/together.ptx"
ends 1 'of grandchild, which child launches' judged

# two threads launch, and each of the two children launches too: the places of parameters are given out again
second='@%p1 bra M; st.param.b64 [to], %d0; mov.u64 %d2, child; st.param.b64 [entry], %d2; st.param.b64 [st], 0; call launch, (to, entry, st); M:'
together '' "$second" "$(echo "$again" | sed 's/STREAM/0/')" 0 1
ends 0 'clean:' judged

# what is found in the first grid stays, however its children's clusters are run
together 'st.global.u32 [%d0+2048], %r1;' '' 'atom.global.add.u32 %r0, [%d0], 1; st.global.u32 [%d0+1024], %r0;' 0 40
ends 1 'bytes 2048 to 2051' judged

exit $failed
# SPDX-License-Identifier: Apache-2.0
