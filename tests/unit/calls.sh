#!/bin/sh
# What device code calls without a body in PTX: vprintf, malloc, free, __assertfail.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
. tests/unit/checks

# calls STATUS TEXT KERNEL [OPTION...]: check ends with the status and says the text of this kernel, in one thread
calls()
{
    want=$1 text=$2 kernel=$3
    shift 3
    expect "$want" "$text" calls.ptx --entry "$kernel" --block 1 "$@"
}

# The bytes of a string, with its NUL.
bytes() { printf '%b' "$1" | od -An -v -tu1 | tr -s ' \n' ',' | sed 's/^,//; s/,$//; s/$/,0/'; }
string() { b=$(bytes "$2"); echo ".global .b8 $1[$(echo "$b" | tr ',' '\n' | wc -l)] = {$b};"; }

{
    cat << 'EOF'
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
EOF
    string format '%d|%5u|%-6x|%c|%s|%8.3f|%lld|%*d|%%|%hhd|%p\n'
    string wide_format '%2000000000d|%.1999999999f|%-*.*e\n'
    string word 'word'
    string message 'x > 0'
    string file 'some.cu'
    string function 'void k()'
    cat << 'EOF'
.visible .entry print(.param .u64 out)
{
    .reg .b32 %r<4>; .reg .b64 %d<8>; .local .align 8 .b8 a[80];
    mov.b64 %d0, a; cvta.local.u64 %d1, %d0;
    st.local.s32 [%d0], -7; st.local.u32 [%d0+4], 42; st.local.u32 [%d0+8], 48879; st.local.u32 [%d0+12], 65;
    mov.b64 %d2, word; cvta.global.u64 %d2, %d2; st.local.u64 [%d0+16], %d2; st.local.f64 [%d0+24], 0d400921FB54442D18;
    st.local.s64 [%d0+32], -9000000000; st.local.u32 [%d0+40], 4; st.local.s32 [%d0+44], 9; st.local.s32 [%d0+48], -1;
    mov.b64 %d3, 0x1234; st.local.u64 [%d0+56], %d3;
    mov.b64 %d4, format; cvta.global.u64 %d4, %d4;
    { .param .b64 p; .param .b64 q; .param .b32 v; st.param.b64 [p], %d4; st.param.b64 [q], %d1;
      call.uni (v), vprintf, (p, q); ld.param.b32 %r0, [v]; }
    ld.param.u64 %d5, [out]; st.global.u32 [%d5], %r0; ret;
}
.visible .entry wide(.param .u64 out)
{
    .reg .b32 %r<2>; .reg .b64 %d<4>; .local .align 8 .b8 a[48];
    mov.b64 %d0, a; cvta.local.u64 %d1, %d0; st.local.u32 [%d0], 5; st.local.f64 [%d0+8], 0d400921FB54442D18;
    st.local.u32 [%d0+16], 0x7fffffff; st.local.u32 [%d0+20], 0x80000000; st.local.f64 [%d0+24], 0d400921FB54442D18;
    mov.b64 %d2, wide_format; cvta.global.u64 %d2, %d2;
    { .param .b64 p; .param .b64 q; .param .b32 v; st.param.b64 [p], %d2; st.param.b64 [q], %d1;
      call.uni (v), vprintf, (p, q); ld.param.b32 %r0, [v]; }
    ret;
}
.func (.param .b64 r) take(.param .b64 n)
{
    .reg .b64 %d<2>;
    ld.param.b64 %d0, [n];
    { .param .b64 p; .param .b64 v; st.param.b64 [p], %d0; call.uni (v), malloc, (p); ld.param.b64 %d0, [v]; }
    st.param.b64 [r], %d0; ret;
}
.func give(.param .b64 n)
{
    .reg .b64 %d<2>;
    ld.param.b64 %d0, [n];
    { .param .b64 p; st.param.b64 [p], %d0; call.uni free, (p); }
    ret;
}
EOF
    heap() { cat << EOF
.visible .entry $1(.param .u64 out)
{
    .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d<8>;
    mov.b64 %d0, 40;
    { .param .b64 n; .param .b64 v; st.param.b64 [n], %d0; call.uni (v), take, (n); ld.param.b64 %d1, [v]; }
    $2
    { .param .b64 n; st.param.b64 [n], %d1; call.uni give, (n); }
    $3
    ret;
}
EOF
    }
    heap fine 'st.u32 [%d1+36], 5; ld.u32 %r0, [%d1+36]; and.b64 %d2, %d1, 15; cvt.u32.u64 %r1, %d2;
               ld.param.u64 %d3, [out]; st.global.u32 [%d3], %r0; st.global.u32 [%d3+4], %r1;' ''
    heap beyond 'st.u32 [%d1+40], 5;' ''
    heap unwritten 'st.u32 [%d1], 5; ld.u32 %r0, [%d1+4];' ''
    heap after '' 'ld.u32 %r0, [%d1+8];'
    heap twice '' '{ .param .b64 n; st.param.b64 [n], %d1; call.uni give, (n); }'
    heap inside 'add.s64 %d1, %d1, 4;' ''
    heap nobody 'add.s64 %d1, %d1, 4096; st.u32 [%d1], 5;' ''
    heap full '{ .param .b64 n; .param .b64 v; st.param.b64 [n], 0x40000000; call.uni (v), take, (n); ld.param.b64 %d2, [v]; }
               ld.param.u64 %d3, [out]; st.global.u64 [%d3], %d2;' ''
    cat << 'EOF'
.visible .entry assert()
{
    .reg .b64 %d<8>;
    mov.b64 %d0, message; cvta.global.u64 %d0, %d0; mov.b64 %d1, file; cvta.global.u64 %d1, %d1;
    mov.b64 %d2, function; cvta.global.u64 %d2, %d2;
    { .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;
      st.param.b64 [m], %d0; st.param.b64 [f], %d1; st.param.b32 [l], 17; st.param.b64 [n], %d2; st.param.b64 [s], 1;
      call.uni __assertfail, (m, f, l, n, s); }
    ret;
}
.extern .func cudaGraphSetConditional(.param .b64 graph, .param .b32 value);
.visible .entry conditional() {
    .param .b64 graph; .param .b32 value;
    st.param.b64 [graph], 4096; st.param.b32 [value], 1;
    call.uni cudaGraphSetConditional, (graph, value);
    ret;
}
EOF
} > calls.ptx

calls 0 '-7|   42|beef  |A|word|   3.142|-9000000000|   9|%|-1|0x1234' print --arg out:4 --dump 0=n
[ "$(od -An -tu4 n | tr -d ' ')" = 11 ] || wrong "vprintf returned $(od -An -tu4 n)"
# a program that reads jsonl gets nothing else on standard output
"$copycheck" check calls.ptx --entry print --block 1 --arg out:4 --format jsonl 2> said | grep -v '^{' &&
    wrong "printed among the records"
grep -q '|word|' said || wrong "--format jsonl prints nothing"
# once, however many schedules
[ "$("$copycheck" check calls.ptx --entry print --block 1 --arg out:4 --schedules 5 | grep -c word)" = 1 ] ||
    wrong "printed in every schedule"

calls 0 'clean: wide' wide --arg out:4

calls 0 clean fine --arg out:8 --dump 0=n
[ "$(od -An -tu4 n | tr -s ' ')" = ' 5 0' ] || wrong "the heap gave $(od -An -tu4 n)"
calls 1 '4 bytes at offset 40 of a block of malloc, which has 40' beyond --arg out:8
calls 1 'order.unwritten  in unwritten' unwritten --arg out:8
calls 1 '4 bytes at offset 8 of a block of malloc that was freed' after --arg out:8
calls 1 'which was freed before' twice --arg out:8
calls 1 'which malloc did not return' inside --arg out:8
calls 1 "the device's heap that malloc gave to nobody" nobody --arg out:8
calls 0 clean full --arg out:8 --dump 0=n
[ "$(od -An -tu8 n | tr -d ' ')" = 0 ] || wrong "a full heap gave $(od -An -tu8 n)"
calls 1 "some.cu:17: void k(): assertion \`x > 0' failed" assert
calls 0 'clean: conditional' conditional
exit $failed
# SPDX-License-Identifier: Apache-2.0
