#!/bin/sh
# copycheck check --html: the page opens in Chromium without an error, shows the finding and goes step by step by the
# keyboard, for a small launch, one of ten thousand events and one of which events are left out.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
here=$PWD
kernel=$PWD/tests/unit/kernels/refill.ptx
cd "$aside"

browser=
for name in chromium chromium-browser google-chrome; do
    [ "$browser" ] || browser=$(command -v $name || true)
done

# opens PAGE EXPECTED: EXPECTED is an object of JavaScript with what tests/unit/picture.js compares.
opens()
{
    [ "$browser" ] || return 0
    {
        sed '/^<head>$/q' "$1"
        echo '<script>const errors = []; addEventListener("error", (e) => errors.push(e.message));</script>'
        sed '1,/^<head>$/d; /^<\/body>$/d; /^<\/html>$/d' "$1"
        echo "<script>const expected = $2;"
        cat "$here/tests/unit/picture.js"
        echo '</script></body></html>'
    } > driven.html
    for try in 1 2 3; do # a machine that is busy may take longer than two seconds
        timeout 60 "$browser" --headless --no-sandbox --disable-gpu --window-size=1400,1200 --user-data-dir="$aside/profile" \
            --enable-logging=stderr --dump-dom "file://$aside/driven.html" > dom 2> log || true
        sed -n '/<pre id="results">/,/^end of results/p' dom | sed 's/.*<pre id="results">//' > results
        grep -q '^WRONG opened' results || break
    done
    grep -q '^end of results' results || wrong "$1: the page was not driven to the end: $(tail -n 3 log)"
    ! grep WRONG results || wrong "$1"
    ! grep CONSOLE log || wrong "$1: something was said to the console"
}

# Without a finding it is still a picture of the launch: schedule 0.
"$copycheck" check "$kernel" --block 2 --arg in:128 --arg out:8 --html clean.html > out 2>&1 || wrong "not clean: $(cat out)"
opens clean.html '{ steps: 35, verdict: "no rule is broken in this run", more: () => {
    goTo(33);
    check("the mbarrier at the end", stateWords(mbarrierState(mbarriers.get("0:1088"), now.view.events[33])), "phase 2 (parity 0), 1 of 1 arrivals pending, 0 bytes expected");
    check("copy 1", [1].map((n) => copies.get(n)).map((c) => c.issue < c.read && c.read < c.landed && c.landed < c.waited)[0], true);
    check("lanes", now.view.lanes.length, 2);
} }'

# The finding of the run, with both accesses and the PTX beside it.
cat > early.ptx << 'EOF'
.version 8.0
.target sm_90
.address_size 64
.visible .entry early(.param .u64 in, .param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    .shared .align 16 .b8 tile[16];
    mov.u32 %r1, tile; // </script><script>alert(1)</script>
    ld.param.u64 %rd1, [in];
    cp.async.ca.shared.global [%r1], [%rd1], 16;
    cp.async.commit_group;
    cp.async.wait_group 1;
    ld.shared.u32 %r2, [%r1];
    ld.param.u64 %rd2, [out];
    st.global.u32 [%rd2], %r2;
    ret;
}
EOF
"$copycheck" check early.ptx --block 1 --arg in:4K --arg out:4K > without 2>&1 && wrong 'early.ptx is clean'
"$copycheck" check early.ptx --block 1 --arg in:4K --arg out:4K --html early.html > with 2>&1 && wrong 'early.ptx is clean'
cmp -s without with || wrong "a picture changes the findings: $(diff without with)"
grep -q 'script><script' early.html && wrong 'a line of PTX ends the script'
opens early.html '{ steps: 9, rule: "group.wait.n", verdict: "diagnosed: 1 finding", event: /reads 4 bytes.*tile/, line: /14 ▶ .*ld.shared/, other: /11 ○ .*cp.async/, more: () => {
    check("state of the slot", slotsAt(now.view, 0, [8], 3).get(64).kind, "pending");
    check("not waited for", copies.get(1).waited, -1);
    check("its cause", document.querySelector("#source .line.cause").textContent, /13 ! .*wait_group 1/);
} }'

# An access outside of its buffer does nothing else: the finding has an event of its own, of the thread at fault.
sed 's/\[%rd1\], 16/[%rd1+4096], 16/' early.ptx > outside.ptx
"$copycheck" check outside.ptx --block 1 --arg in:4K --arg out:4K --html outside.html > out 2>&1 && wrong 'outside.ptx is clean'
opens outside.html '{ steps: Number($("slider").max) + 1, verdict: "diagnosed: 1 finding", more: () => {
    press("n");
    check("the finding", shown("findings"), /^cpasync.oob.src/);
    check("its event", shown("now"), "thread 0,0,0 of CTA 0,0,0: this instruction breaks a rule");
    check("its line", document.querySelector("#source .line.at").textContent, /11 ▶ .*cp.async/);
} }'

# An access that lies before what is in view is drawn at the left end of its lane.
sed 's/.param .u64 in, //; /tile/d; /cp.async/d; /ld.shared/d; s/ld.param.u64 %rd1, .in./mov.u32 %r2, %tid.x/' early.ptx > race.ptx
"$copycheck" check race.ptx --block 96 --arg out:4K --html race.html > out 2>&1 && wrong 'race.ptx is clean'
opens race.html '{ steps: 98, verdict: "diagnosed: 1 finding", more: () => {
    now.zoom = WIDTHS.length - 1;
    goToEvent(now.finding.there.event + 40);
    check("the other access", $("timeline").textContent, /◀ other at step 1/);
    check("on its lane", $("timeline").querySelectorAll("circle").length > 0, true);
} }'

# A picture with a finding in a later schedule shows that schedule; --schedule chooses.
"$copycheck" check "$kernel" --block 2 --arg in:128 --arg out:8 --schedule 1 --html one.html > out 2>&1
grep -q '"run":"schedule 1, seed 1"' one.html || wrong '--schedule 1 is not shown'

# Ten thousand events, of 64 threads that copy, wait and read; and ten times as many, with a finding behind them.
program()
{
    cat << EOF
.version 8.0
.target sm_90
.address_size 64
.visible .entry many(.param .u64 in)
{
    .reg .pred %more; .reg .b32 %r<6>; .reg .b64 %in; .shared .align 16 .b8 tile[32768];
    ld.param.u64 %in, [in]; mov.u32 %r4, %tid.x; mov.u32 %r0, tile; shl.b32 %r4, %r4, 4; add.u32 %r0, %r0, %r4;
    mov.u32 %r1, 0;
L:  cp.async.ca.shared.global [%r0], [%in], 16; cp.async.commit_group; cp.async.wait_group 0;
    ld.shared.u32 %r2, [%r0]; add.u32 %r0, %r0, 1024; and.b32 %r0, %r0, 32767; add.u32 %r1, %r1, 1;
    setp.lt.u32 %more, %r1, $1; @%more bra L;
    $2
    ret;
}
EOF
}
program 26 '' > many.ptx
"$copycheck" check many.ptx --block 64 --arg in:16 --html many.html > out 2>&1 || wrong "many.ptx: $(head -n 3 out)"
[ "$(wc -c < many.html)" -lt 2000000 ] || wrong "a page of ten thousand events has $(wc -c < many.html) bytes"
opens many.html '{ steps: 9986, verdict: "no rule is broken in this run" }'

program 300 'cp.async.ca.shared.global [%r0], [%in], 16;
    ld.shared.u32 %r2, [%r0];' > late.ptx
"$copycheck" check late.ptx --block 64 --arg in:16 --html late.html > out 2>&1 && wrong 'late.ptx is clean'
[ "$(wc -c < late.html)" -lt 2000000 ] || wrong "a page of a long launch has $(wc -c < late.html) bytes"
opens late.html '{ steps: Number($("slider").max) + 1, verdict: "diagnosed: 1 finding", left_out: true, rule: "cpasync.order.read-early", event: /reads 4 bytes/, more: () => {
    check("in flight behind the gap, by what is known", [...copies.values()].every((c) => c.landed >= 0 || c.lost >= 0), true);
    check("its state there", stateOf(copies.get(2005), 12000, -1), "waited");
    }, line: /ld.shared.u32 %r2, \[%r0\]/, other: /cp.async.ca/ }'

# A file that cannot be written: one line, status 2, and nothing half-written.
for file in /nowhere/page /dev/full; do
    status=0
    "$copycheck" check "$kernel" --block 2 --arg in:128 --arg out:8 --html $file > out 2>&1 || status=$?
    [ $status = 2 ] || wrong "--html $file: status $status"
    grep -q "^copycheck: check: --html $file: " out || wrong "--html $file: $(cat out)"
done
if [ ! "$browser" ] && [ $failed = 0 ]; then
    echo 'needs chromium (Debian package chromium) to open the pages'
    exit 77
fi
exit $failed
# SPDX-License-Identifier: Apache-2.0
