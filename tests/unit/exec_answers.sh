#!/bin/sh
# copycheck exec answers 762 calls of the runtime as an H200 did.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
for_exec

"$nvcc" -arch=sm_90a tests/exec/answers.cu -o "$aside/answers" -lcuda > "$aside/why" 2>&1 || {
    cat "$aside/why"
    exit 1
}
"$copycheck" exec --sms 132 --error-exitcode 0 --log "$aside/log" "$aside/answers" > "$aside/out" ||
    wrong "status $?: $(tail -n 3 "$aside/log")"
diff expected/recorded/answers-nvidia-h200-580.txt "$aside/out" > "$aside/why" ||
    wrong "not as on the H200: $(head -n 20 "$aside/why")"
exit $failed
# SPDX-License-Identifier: Apache-2.0
