#!/bin/sh
# The emulator's points in one worker and in several: the same records in the same order, except for the times and the sums
# of lines, which hold them.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common

for jobs in 1 3; do
    "$copycheck" run --engine emu --no-recorded --jobs $jobs --out "$aside/$jobs" family:encode > "$aside/report.$jobs" || {
        echo "run --jobs $jobs: status $?"
        exit 1
    }
    sed 's/,"ms":[0-9.e-]*//; s/,"sum":"[0-9a-f]*"//' "$aside/$jobs" > "$aside/$jobs.records"
done
cmp "$aside/1.records" "$aside/3.records"
[ "$(wc -l < "$aside/3.records")" -gt 1000 ]
# SPDX-License-Identifier: Apache-2.0
