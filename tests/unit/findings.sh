#!/bin/sh
# What a finding says: places by argument and offset, and the same bytes in each run.
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
says 'offset 1030 of shared memory is not a multiple of 4'
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

exit $failed
