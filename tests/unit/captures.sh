#!/bin/sh
# Launches that were captured on an H200 are clean, and leave the bytes that they left there; a capture that was cut or
# changed is refused.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common

n=0
for f in expected/captures/*.capture; do
    ends 0 'bytes: as on the GPU, ' "$copycheck" check "$f"
    grep -q '^clean: ' "$aside/out" || wrong "$f: $(head -n 3 "$aside/out")"
    n=$((n + 1))
done
[ "$n" -ge 21 ] || wrong "$n captures, and there are twenty-one"

# Their pictures show each kind of copy, and change nothing that is said.
for f in tensor-store im2col tensor-reduce multicast wgmma; do
    ends 0 'bytes: as on the GPU, ' "$copycheck" check expected/captures/$f.capture --html "$aside/$f.html"
    sed '1,/<script id="data"/d; /<\/script>/,$d' "$aside/$f.html" > "$aside/data"
    [ -s "$aside/data" ] || wrong "$f: no data in its picture"
    ! command -v python3 > /dev/null || python3 -m json.tool "$aside/data" /dev/null 2> "$aside/out" || wrong "$f: $(cat "$aside/out")"
done

f=expected/captures/runtime.capture
head -c 700 $f > "$aside/x"
ends 2 'it stops' "$copycheck" check "$aside/x"
refuses "$copycheck" check "$aside/x"
sed 's/^launch 1 /launch 2 /' $f > "$aside/x"
ends 2 'changed since it was written' "$copycheck" check "$aside/x"
{ cat $f; echo more; } > "$aside/x"
ends 2 'something follows its end' "$copycheck" check "$aside/x"
sed 's/^entry /enter /' $f > "$aside/x"
ends 2 "no section 'enter'" "$copycheck" check "$aside/x"
refuses "$copycheck" check $f --grid 2
refuses "$copycheck" check $f --arg u32:1
exit $failed
# SPDX-License-Identifier: Apache-2.0
