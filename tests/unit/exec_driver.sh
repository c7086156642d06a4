#!/bin/sh
# copycheck exec: programs that use the driver API, or were linked from several object files; shared memory of many
# kernels; the formats of findings.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
for_exec

# The program finds each function of both APIs in the library.
nm -D --defined-only "$inside" | awk '{ print $3 }' | LC_ALL=C sort > "$aside/there"
LC_ALL=C sort -u harness/inside/driver/names harness/inside/runtime/names | LC_ALL=C comm -23 - "$aside/there" > "$aside/lost"
[ ! -s "$aside/lost" ] || wrong "hidden: $(tr '\n' ' ' < "$aside/lost")"

# built OPTION... FILE...: tests/exec's program in $aside/program
built()
{
    "$nvcc" -arch=sm_90a -std=c++17 -o "$aside/program" "$@" > "$aside/why" 2>&1 || {
        wrong "nvcc $*: $(head -n 3 "$aside/why")"
        return 1
    }
}

if built tests/exec/driver.cu -lcuda; then
    ends 0 'all as it should be' "$copycheck" exec "$aside/program"
    grep -q 'globalStrides\[0\] is 20' "$aside/out" || wrong "no reason for the tensor map: $(cat "$aside/out")"
    grep -q 'does not have' "$aside/out" && wrong "a function is missing: $(cat "$aside/out")"
    ends 1 'cuStreamWaitValue32: a stream waits for memory at' "$copycheck" exec "$aside/program" never
fi

if built -rdc=true tests/exec/linked.cu tests/exec/linked_other.cu -lcudadevrt; then
    ends 0 '40 42 42 -5 -10 9 8 38 50' "$copycheck" exec "$aside/program"
    grep -q ': 0 findings$' "$aside/out" || wrong "linked: $(cat "$aside/out")"
fi

# 20 kernels of 32 threads: 1 to 20 and 100 of each thread, and 1000 of each kernel
if built tests/exec/layouts.cu; then
    ends 0 90720 "$copycheck" exec "$aside/program"
    grep -q '^kernel' "$aside/out" && wrong "layouts: $(cat "$aside/out")"
fi

if built -lineinfo tests/exec/found.cu; then
    ends 1 'tests/exec/found.cu:' "$copycheck" exec --format gcc "$aside/program"
    grep -q 'found.cu:[67]:[0-9]*: error: .* \[order.data-race\]$' "$aside/out" || wrong "gcc: $(cat "$aside/out")"
    ends 1 '::error file=tests/exec/found.cu,line=' "$copycheck" exec --format github "$aside/program"
    ends 1 '"ruleId":"order.data-race"' "$copycheck" exec --format sarif "$aside/program"
    "$copycheck" exec --format sarif --log "$aside/sarif" "$aside/program" || :
    python3 - "$aside/sarif" << 'END' || wrong "sarif: $(cat "$aside/sarif")"
import json, sys
run = json.load(open(sys.argv[1]))["runs"][0]
assert [r["ruleId"] for r in run["results"]] == ["order.data-race"] == [r["id"] for r in run["tool"]["driver"]["rules"]]
assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] in (6, 7)
assert run["results"][0]["level"] == "error" and run["invocations"][0]["executionSuccessful"]
END
fi
exit $failed
# SPDX-License-Identifier: Apache-2.0
