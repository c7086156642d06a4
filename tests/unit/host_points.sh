#!/bin/sh
# The emulator's model of streams: points of copies between host and device pass on it, and it names a host that does not
# wait for a copy.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
built_kernels

"$copycheck" run --engine emu --kernels "$kernels" --no-recorded --all --out "$aside/records" 'host.memcpy.async-needs-sync*' \
    'host.memcpy.sync:*' 'host.memcpy.stream-order:kernels=[23],*' 'host.memcpy.pageable-staging:*kilobytes=65' \
    > "$aside/out" 2>&1 || wrong "the run: $(cat "$aside/out")"
n=$(grep -c '"verdict":"pass"' "$aside/records")
[ "$n" -ge 14 ] || wrong "$n points pass: $(cat "$aside/out")"
grep '"point"' "$aside/records" | grep -v '"verdict":"\(pass\|seen\|skip\)"' && wrong 'a point does not pass'
[ "$(grep '~no-wait' "$aside/records" | grep -c '"seen":"diagnosed host.memcpy.async-needs-sync')" = 6 ] ||
    wrong "who does not wait is not named: $(grep '~no-wait' "$aside/records")"
for who in reads writes; do
    grep -q "the host $who memory which the copy of call 1, in stream 0, still uses: wait for the stream first" "$aside/records" ||
        wrong "not in words: the host $who"
done
exit $failed
# SPDX-License-Identifier: Apache-2.0
