#!/bin/sh
# copycheck exec without a toolkit: its options, programs that are none of CUDA's, findings in each format, launches that
# do not end, functions that the device has not, signals; and captures of what runs on the emulated device.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
no_sanitizer 'the address sanitizer must come first in a program'
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
launcher=$build/fake/launcher
[ -f "$launcher" ] && [ -f "${copycheck%/*}/inside/libcopycheck-inside.so" ] || {
    echo 'needs the library of exec and a program: make inside test-programs'
    exit 77
}
cd "$aside" || exit 2

early_kernel early > k.ptx
cat >> k.ptx << 'PTX'
.visible .entry race(.param .u64 in, .param .u64 out)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry right(.param .u64 in, .param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    add.u32 %r2, %r1, 40;
    st.global.u32 [%rd3], %r2;
    ret;
}
.visible .entry soon(.param .u64 in, .param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<5>;
    .shared .align 16 .b8 lines[512];
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 16;
    mov.u32 %r2, lines;
    shl.b32 %r3, %r1, 4;
    add.u32 %r2, %r2, %r3;
    add.u64 %rd4, %rd1, %rd3;
    cp.async.ca.shared.global [%r2], [%rd4], 16;
    cp.async.commit_group;
    cp.async.wait_group 1;
    ld.shared.u32 %r3, [%r2];
    add.u32 %r3, %r3, 7;
    add.u64 %rd4, %rd2, %rd3;
    st.global.u32 [%rd4], %r3;
    ret;
}
.visible .entry leaves(.param .u64 in, .param .u64 out)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    .shared .align 16 .b8 line[16];
    ld.param.u64 %rd1, [in];
    mov.u32 %r1, line;
    cp.async.ca.shared.global [%r1], [%rd1], 16;
    ret;
}
.visible .entry again(.param .u64 in, .param .u64 out)
{
    .reg .pred %p<3>;
    .reg .b32 %r<5>;
    .reg .b64 %rd<6>;
    .shared .align 8 .b64 bar;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, 0;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, 1;
L:  setp.eq.u32 %p1, %r1, 0;
    @%p1 mbarrier.init.shared.b64 [bar], %r3;
    bar.sync 0;
    mbarrier.arrive.shared.b64 %rd2, [bar], %r4;
W:  mbarrier.try_wait.shared.b64 %p2, [bar], %rd2;
    @!%p2 bra W;
    add.u32 %r2, %r2, 1;
    add.u32 %r4, %r4, %r4;
    add.u32 %r3, %r3, %r3;
    setp.lt.u32 %p2, %r2, 3;
    @%p2 bra L;
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd1, %rd1, %rd3;
    st.global.u32 [%rd1], %r2;
    ret;
}
.visible .entry endless(.param .u64 in, .param .u64 out)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 8;
    add.u64 %rd1, %rd1, %rd3;
L:  add.u64 %rd2, %rd2, 1;
    st.global.u64 [%rd1], %rd2;
    bra L;
}
PTX

# ---- options ----
says() # WORDS ARGUMENT...: refuses
{
    words=$1
    shift
    refuses "$copycheck" exec "$@"
    grep -qF -- "$words" out || wrong "exec $*: no '$words' in: $(cat out)"
}
ends 0 'usage: copycheck exec ' "$copycheck" exec --help
says 'no program is named'
says 'no program is named' --seed 3 --
says "unknown option '--colour'" --colour true
says '--seed' --seed
says "--launch-skip '-1' is not a number from 0 to" --launch-skip -1 true
says "--schedules '0' is not a number from 1 to 100000" --schedules=0 true
says "--sms '133' is not a number from 1 to 132" --sms 133 true
says "--max-memory '1' is not a number from 1048576" --max-memory 1 true
says "--error-exitcode '256' is not a number from 0 to 255" --error-exitcode 256 true
says "--format 'xml' is none of text, jsonl, gcc, github, sarif" --format xml true
says "--delivery 'soon' is none of late, eager, random" --delivery soon true
says '--kernel-name has more than 199 characters' --kernel-name "$(printf '%0200d' 0)" true
says '--log nowhere/log: No such file' --log nowhere/log true
mkdir own
cp "$copycheck" own/
refuses own/copycheck exec true
grep -q 'libcopycheck-inside.so is not there' out || wrong "without its library: $(cat out)"

# ---- programs that launch nothing ----
ends 0 '0 launches, 0 judged, 0 instructions: 0 findings' "$copycheck" exec true
ends 5 '0 findings' "$copycheck" exec -- sh -c 'exit 5'
ends 137 'the program was ended by signal 9' "$copycheck" exec sh -c 'kill -9 $$'
says './nothing: No such file or directory' ./nothing
says './own: Permission denied' ./own
ends 0 '0 launches' "$copycheck" exec sh -c 'sleep 20 > /dev/null 2>&1 < /dev/null & echo $! > left'
kill "$(cat left)" 2> /dev/null || wrong 'exec waits for what the program leaves behind, or ends it'
# A signal that ends the wait for a program reaches the program.
"$copycheck" exec sh -c 'trap "exit 6" TERM; echo > ready; while :; do sleep 0.05; done' 2> err &
while [ ! -e ready ]; do sleep 0.02; done
kill -TERM $!
wait $!
[ $? = 6 ] || wrong "a signal: status is not 6: $(cat err)"

# ---- findings ----
ends 0 '40 41' "$copycheck" exec "$launcher" k.ptx right
grep -q '1 launch, 1 judged, [0-9]* instructions: 0 findings' out || wrong "right: $(cat out)"
ends 1 '40 41' "$copycheck" exec --log log "$launcher" k.ptx early right
grep -q '^group.wait.n  in early' log && grep -q '2 launches, 2 judged, .*: 1 finding' log || wrong "a log: $(cat log)"
# What does not wait for its copies is named, and has what they bring, as it mostly has on a GPU.
ends 1 '7 0' "$copycheck" exec "$launcher" k.ptx soon
grep -q '^group.wait.n  in soon' out || wrong "soon: $(cat out)"
ends 1 '3082270654 0' "$copycheck" exec --delivery late "$launcher" k.ptx soon
# A thread makes an mbarrier where others still wait for the one before it, whose phase is over: they go on.
ends 1 '3 3' "$copycheck" exec "$launcher" k.ptx again
grep -q '^mbarrier.init.live-object  in again' out || wrong "again: $(cat out)"
# What no document forbids is a remark.
ends 0 'remark: cpasync.exit-pending' "$copycheck" exec "$launcher" k.ptx leaves
ends 7 'order.data-race  in race' "$copycheck" exec --error-exitcode 7 --schedules 2 --seed 5 "$launcher" k.ptx right race
ends 0 '0 findings' "$copycheck" exec --kernel-name rig "$launcher" k.ptx race right
grep -q '2 launches, 1 judged' out || wrong "--kernel-name: $(cat out)"
ends 0 '2 launches, 1 judged' "$copycheck" exec --launch-skip 1 "$launcher" k.ptx race right
ends 0 '2 launches, 1 judged' "$copycheck" exec --launch-count=1 "$launcher" k.ptx right race
ends 1 '(seen ' "$copycheck" exec "$launcher" k.ptx race race
ends 1 'error: ' "$copycheck" exec --format gcc "$launcher" k.ptx race
ends 1 '::error ' "$copycheck" exec --format github "$launcher" k.ptx race
ends 1 '"rule":"order.data-race"' "$copycheck" exec --format jsonl "$launcher" k.ptx race
"$copycheck" exec --format sarif --log sarif "$launcher" k.ptx early race early > /dev/null 2>&1
if command -v python3 > /dev/null; then
    python3 - sarif << 'P' || wrong "sarif: $(cat sarif)"
import json, sys
run = json.load(open(sys.argv[1]))["runs"][0]
rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
assert sorted(rules) == sorted(set(rules)) and "order.data-race" in rules, rules
assert {r["ruleId"] for r in run["results"]} <= set(rules), rules
P
fi
ends 1 'host.leak' "$copycheck" exec --leak-check --host-access --host-races "$launcher" k.ptx race
[ ! -w /dev/full ] || ends 2 '--log /dev/full: No space left on device' "$copycheck" exec --log /dev/full "$launcher" k.ptx race

# ---- what is no verdict ----
ends 8 'not run to its end: endless: endless: more than 100000 instructions' "$copycheck" exec --max-instructions 100000 "$launcher" k.ptx endless
grep -q '1 launch not run to the end' out || wrong "endless: $(cat out)"
ends 8 '"executionSuccessful":false' "$copycheck" exec --format sarif --max-instructions 100000 "$launcher" k.ptx endless
ends 0 'the program called functions that this device does not have: cuArrayCreate' "$copycheck" exec "$launcher" -call cuArrayCreate

# ---- a capture of what the emulated device runs is judged as its launch was ----
LD_LIBRARY_PATH=${copycheck%/*}/inside${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
ends 0 'captured right.capture' "$copycheck" capture --output right.capture "$launcher" k.ptx right
ends 0 'bytes: as on the GPU' "$copycheck" check right.capture
grep -q '^clean: right, grid 1,1,1, block 32,1,1' out || wrong "right.capture: $(cat out)"
ends 0 'captured early.capture' "$copycheck" capture --kernel-name early --output early.capture "$launcher" k.ptx right early
ends 1 'group.wait.n  in early' "$copycheck" check early.capture
ends 0 'captured launch.capture' "$copycheck" capture --launch-skip 1 "$launcher" k.ptx early right early
ends 0 'clean: right' "$copycheck" check launch.capture
ends 2 'no launch of a kernel with this in its name: other was captured' "$copycheck" capture --kernel-name other "$launcher" k.ptx right
ends 2 'no launch was captured' "$copycheck" capture --launch-skip 3 "$launcher" k.ptx right
ends 2 'no launch was captured' "$copycheck" capture --max-bytes 4096 "$launcher" k.ptx right
ends 2 'no launch was captured' "$copycheck" capture --output nowhere/capture "$launcher" k.ptx right
[ ! -w /dev/full ] || { ln -s /dev/full full; ends 2 '' "$copycheck" capture --output full/x "$launcher" k.ptx right; }
exit $failed
# SPDX-License-Identifier: Apache-2.0
