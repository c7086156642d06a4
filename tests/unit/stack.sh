#!/bin/sh
# alloca, stacksave and stackrestore; the address of a device function's parameter.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
. tests/unit/checks

cat > stack.ptx << 'EOF'
.version 8.0
.target sm_90
.address_size 64
// The n-th word of the struct, by its address, and a call deeper below whose frame must not lie over it.
.func (.param .b32 r) nth(.param .align 8 .b8 s[16], .param .b32 n)
{
    .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d<4>;
    ld.param.u32 %r0, [n]; mov.b64 %d0, s; mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1;
    setp.eq.u32 %p, %r0, 0; @%p bra E;
    sub.u32 %r1, %r0, 1; ld.param.u64 %d2, [s]; ld.param.u64 %d3, [s+8];
    { .param .align 8 .b8 t[16]; .param .b32 m; .param .b32 v; st.param.b64 [t], %d3; st.param.b64 [t+8], %d2;
      st.param.b32 [m], %r1; call.uni (v), nth, (t, m); ld.param.b32 %r2, [v]; }
E:  cvta.local.u64 %d0, %d0; ld.u32 %r1, [%d0]; st.param.b32 [r], %r1; ret;
}
.visible .entry param(.param .u64 out)
{
    .reg .b32 %r<4>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [out]; mov.b64 %d1, 0x0000000200000001; mov.b64 %d2, 0x0000000400000003;
    { .param .align 8 .b8 t[16]; .param .b32 m; .param .b32 v; st.param.b64 [t], %d1; st.param.b64 [t+8], %d2;
      st.param.b32 [m], 2; call.uni (v), nth, (t, m); ld.param.b32 %r0, [v]; }
    st.global.u32 [%d0], %r0; ret;
}
.visible .entry grown(.param .u64 out)
{
    .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d<6>; .local .align 16 .b8 first[32];
    ld.param.u64 %d0, [out]; mov.u32 %r0, 0; stacksave.u64 %d5; mov.b64 %d4, first; st.local.u32 [%d4], 9;
L:  alloca.u64 %d1, 4096, 64; st.local.u32 [%d1+4092], %r0; and.b64 %d2, %d1, 63; ld.local.u32 %r1, [%d1+4092];
    stackrestore.u64 %d5;
    add.u32 %r0, %r0, 1; setp.lt.u32 %p, %r0, 20000; @%p bra L;
    ld.local.u32 %r2, [%d4]; st.global.u32 [%d0], %r1; st.global.u32 [%d0+4], %r2; st.global.u64 [%d0+8], %d2; ret;
}
.visible .entry endless(.param .u64 out)
{
    .reg .b64 %d<4>;
L:  alloca.u64 %d1, 65536; bra L;
}
EOF

words() { od -An -v -tu4 bytes | tr -s ' '; }

expect 0 clean stack.ptx --entry param --block 1 --arg out:16 --dump 0=bytes
[ "$(words | cut -d ' ' -f 2)" = 3 ] || wrong "the third word is $(words)"
expect 0 clean stack.ptx --entry grown --block 1 --arg out:16 --dump 0=bytes
[ "$(words)" = ' 19999 9 0 0' ] || wrong "the stack gave $(words)"
expect 1 'on the stack' stack.ptx --entry endless --block 1 --arg out:16 --dump 0=bytes
exit $failed
# SPDX-License-Identifier: Apache-2.0
