#!/bin/sh
# copycheck check --trace: the events of the example in docs/order.md, in their order, with their numbers.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
kernel=$PWD/tests/unit/kernels/refill.ptx
cd "$aside"

"$copycheck" check "$kernel" --block 2 --arg in:128 --arg out:8 --trace one > out 2>&1 || wrong "not clean: $(cat out)"
"$copycheck" check "$kernel" --block 2 --arg in:128 --arg out:8 --trace two --jobs 2 > out 2>&1
cmp -s one two || wrong 'two traces of the same launch differ'

# Each line is an object with a step and an event; steps never go back.
grep -vq '^{"step":[0-9]*,"event":"[a-z-]*".*}$' one && wrong "a line that is no event: $(grep -v '^{"step".*}$' one | head -n 1)"
sed 's/^{"step":\([0-9]*\),.*/\1/' one | sort -nc 2> /dev/null || wrong 'steps go back'
"$copycheck" check "$kernel" --block 2 --arg in:128 --arg out:8 --schedules 1 > first
[ "$(tail -n 1 one | sed 's/^{"step":\([0-9]*\),.*/\1/')" = "$(sed -n 's/.*schedule, \([0-9]*\) instr.*/\1/p' first)" ] ||
    wrong 'the end is not at the number of instructions'

# What thread 0 does and what becomes of it: EVENT LINE REST, in order.
follow()
{
    sed -n 's/^{"step":[0-9]*,"event":"\([a-z-]*\)","thread":{"tid":\[0,0,0\],"ctaid":\[0,0,0\]},"ptx_line":\([0-9]*\),"ptx":"\([a-z0-9_:.]*\).*"source":null,*\(.*\)}$/\1 \2 \4/p' one
}
follow > got
bar='"mbarrier":{"space":"shared","ctaid":[0,0,0],"offset":1088}'
cat > want << EOF
init 19 $bar,"count":1
barrier 20 "kind":"arrive","barrier":0
barrier 20 "kind":"wait","barrier":0
expect 21 $bar,"phase":0,"bytes":64
arrival 21 $bar,"phase":0,"arrivals":1
issue 22 "copy":1,"kind":"copy","from":{"space":"global","buffer":"--arg 0","offset":0},"to":{"space":"shared","ctaid":[0,0,0],"offset":1024},"bytes":64,$bar
barrier 23 "kind":"arrive","barrier":1
source-read 22 "copy":1
landing 22 "copy":1
signal 22 "copy":1,$bar
delivery 22 $bar,"phase":0,"bytes":64
phase 22 $bar,"phase":0
barrier 23 "kind":"wait","barrier":1
expect 24 $bar,"phase":1,"bytes":64
arrival 24 $bar,"phase":1,"arrivals":1
issue 25 "copy":2,"kind":"copy","from":{"space":"global","buffer":"--arg 0","offset":64},"to":{"space":"shared","ctaid":[0,0,0],"offset":1024},"bytes":64,$bar
wait 27 $bar,"phase":1,"done":false
source-read 25 "copy":2
landing 25 "copy":2
signal 25 "copy":2,$bar
delivery 25 $bar,"phase":1,"bytes":64
phase 25 $bar,"phase":1
wait 27 $bar,"phase":2,"done":true
EOF
cmp -s want got || wrong "the events of thread 0: $(diff want got)"
grep -q '"tid":\[1,0,0\].*"ptx":"ld.shared.*"kind":"read","at":{"space":"shared","ctaid":\[0,0,0\],"offset":1024},"bytes":4}' one ||
    wrong 'the read of thread 1 is missing'
grep -q '"event":"barrier".*"ptx_line":null.*"kind":"complete","barrier":1}' one || wrong 'barrier 1 does not complete'

# A kernel that breaks a rule is traced up to its end, and the findings are the same with and without a trace.
sed '/barrier.sync 1;/d' "$kernel" > broken.ptx
"$copycheck" check broken.ptx --block 2 --arg in:128 --arg out:8 > without 2>&1 && wrong 'broken.ptx is clean'
"$copycheck" check broken.ptx --block 2 --arg in:128 --arg out:8 --trace three > with 2>&1 && wrong 'broken.ptx is clean'
cmp -s without with || wrong "a trace changes the findings: $(diff without with)"
tail -n 1 three | grep -q '"event":"end"' || wrong 'a trace without its end'

# Thousands of copies in flight at once keep their numbers: each that is issued lands, once.
cat > many.ptx << 'EOF'
.version 8.0
.target sm_90
.address_size 64
.visible .entry many(.param .u64 in)
{
    .reg .pred %more; .reg .b32 %r<4>; .reg .b64 %in; .shared .align 16 .b8 tile[48000];
    ld.param.u64 %in, [in]; mov.u32 %r0, tile; mov.u32 %r1, 0;
L:  cp.async.ca.shared.global [%r0], [%in], 16; add.u32 %r0, %r0, 16; add.u32 %r1, %r1, 1;
    setp.lt.u32 %more, %r1, 3000; @%more bra L;
    cp.async.wait_all; ret;
}
EOF
"$copycheck" check many.ptx --block 1 --arg in:16 --trace five > out 2>&1 || wrong "many.ptx: $(head -n 3 out)"
for event in issue source-read landing; do
    sed -n "s/.*\"event\":\"$event\".*\"copy\":\([0-9]*\)[,}].*/\1/p" five | sort -n > numbers
    seq 3000 | cmp -s - numbers || wrong "$event: not the copies 1 to 3000, each once"
done

# A thread that waits for ever.
sed '/cp.async.bulk/d' "$kernel" > stuck.ptx
"$copycheck" check stuck.ptx --block 2 --arg in:128 --arg out:8 --trace four > out 2>&1 && wrong 'stuck.ptx is clean'
grep -q '"event":"stuck"' four || wrong 'no event says that nobody goes on'

# Products of wgmma: one event for each warp.
cat > product.ptx << 'EOF'
.version 8.0
.target sm_90a
.address_size 64
.visible .entry product(.param .u64 out)
{
    .reg .f32 %f<4>; .reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .pred %adds; .shared .align 1024 .b8 tile[1024];
    ld.param.u64 %rd1, [out]; mov.u32 %r0, tile; mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 3; add.u32 %r2, %r0, %r1;
    mov.b64 %rd2, 0; st.shared.b64 [%r2], %rd2; fence.proxy.async; bar.sync 0;
    shr.u32 %r0, %r0, 4; cvt.u64.u32 %rd0, %r0; or.b64 %rd0, %rd0, 0x1000080000; setp.eq.u32 %adds, 0, 1; mov.b32 %r3, 0;
    mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r3, %r3, %r3, %r3}, %rd0, %adds, 1, 1, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    st.global.f32 [%rd1], %f0; ret;
}
EOF
"$copycheck" check product.ptx --block 128 --arg out:4 --schedules 1 --trace six > out 2>&1 || true
sed -n '/wgmma/s/^{"step":[0-9]*,"event":"\([a-z]*\)".*"tid":\[\([0-9]*\),0,0\].*"ptx_line":\([0-9]*\),.*"source":null,\(.*\)}$/\1 \2 \3 \4/p' six |
    grep ' 0 ' | grep -v landing > got
cat > want << 'EOF'
fence 0 11 "kind":"wgmma"
issue 0 12 "copy":1,"kind":"product","shape":"m64n8k16","group":{"kind":"wgmma","number":0}
group 0 13 "kind":"commit","of":"wgmma"
group 0 14 "kind":"wait","of":"wgmma","pending":0
EOF
cmp -s want got || wrong "the events of a product: $(diff want got; cat out)"
[ "$(grep -c '"event":"landing"' six)" = 4 ] || wrong 'not four parts of a product land'
"$copycheck" check product.ptx --block 128 --arg out:4 --schedules 1 --html page.html > out 2>&1 || true
[ "$(grep -o '"m64n8k16"\]' page.html | wc -l)" = 4 ] || wrong 'a picture without the four parts of a product'

# A file that cannot be written: one line, status 2, and nothing half-written.
for file in /nowhere/trace /dev/full; do
    status=0
    "$copycheck" check "$kernel" --block 2 --arg in:128 --arg out:8 --trace $file > out 2>&1 || status=$?
    [ $status = 2 ] || wrong "--trace $file: status $status"
    grep -q "^copycheck: check: --trace $file: " out || wrong "--trace $file: $(cat out)"
done
[ -z "$(ls one.*.part 2> /dev/null)" ] || wrong 'a part of the trace was left behind'
"$copycheck" check "$kernel" --block 2 --arg in:128 --arg out:8 --trace /dev/stdout | grep -q '"event":"landing"' ||
    wrong 'no trace on standard output'
exit $failed
# SPDX-License-Identifier: Apache-2.0
