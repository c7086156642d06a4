#!/bin/sh
# copycheck exec: memory that a program allocates costs none until it is touched, and little more than twice as much then.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
for_exec
[ -r /proc/self/status ] || { echo "no /proc"; exit 77; }
"$nvcc" -gencode arch=compute_90a,code=compute_90a tests/exec/large.cu -o "$aside/program" > "$aside/why" 2>&1 ||
    { cat "$aside/why"; exit 1; }

# most WHAT MIB LIMIT: the program, and the most memory that it may have had, in MiB
most()
{
    if kib=$("$copycheck" exec --log "$aside/log" --jobs 2 "$aside/program" "$1" "$2"); then
        [ "$kib" -le $(($3 * 1024)) ] || wrong "$1 of $2 MiB: $kib KiB, more than $3 MiB"
        grep -q ': 0 findings$' "$aside/log" || wrong "$1: $(cat "$aside/log")"
    else
        wrong "$1 of $2 MiB does not run: $(cat "$aside/log")"
    fi
}
most some 2048 64
most all 64 208
exit $failed
# SPDX-License-Identifier: Apache-2.0
