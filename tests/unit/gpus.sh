#!/bin/sh
# Several GPUs that are alike, here the stand-in of a driver with three: they share the launches, and the last one has the
# breaches that may fault. Records say which one it was.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
built_kernels
build=${BUILD:-build}

[ -e "$build/fake/libcuda.so.1" ] || { echo "no stand-in of a driver"; exit 77; }

run() { # WORDS NAME OPTION...
    words=$1 name=$2
    shift 2
    FAKE_CUDA=$words FAKE_CUDA_CONTEXTS=$aside/$name.contexts LD_LIBRARY_PATH="$build/fake" "$copycheck" run \
        --engine jit --kernels "$kernels" --no-recorded --out "$aside/$name.jsonl" "$@" family:swizzle family:access \
        > "$aside/$name" 2>&1
}
devices() { # NAME PATTERN: which GPUs ran the points that match
    grep '"point"' "$aside/$1.jsonl" | grep -E "$2" | sed 's/.*"gpu":\([0-9]*\).*/\1/; t; s/.*/0/' | sort -u | tr '\n' ' '
}
uuids() { # NAME
    head -n 1 "$aside/$1.jsonl" | sed -n 's/.*"uuid":"\([0-9a-f,]*\)".*/\1/p' | tr ',' '\n' | sort -u | wc -l
}

run three three
[ "$(uuids three)" = 3 ] || wrong "the head does not name three GPUs: $(head -n 1 "$aside/three.jsonl")"
head -n 1 "$aside/three" | grep -q '  3 H200 sm_90' || wrong "the report's head: $(head -n 1 "$aside/three")"
faulting=$(devices three '"point":"access[^"]*~')
case $faulting in *2*) ;; *) wrong "the last GPU has no breaches that may fault: $faulting" ;; esac
[ "$(devices three '"family":"swizzle","phase":"launch","evidence":"documented"')" = '0 1 2 ' ] ||
    wrong "launches are not shared: $(devices three '"family":"swizzle","phase":"launch","evidence":"documented"')"
grep -q '^  on GPU  *number [012] of 3, counted from 0$' "$aside/three" || wrong 'a failure does not say on which GPU'
# A process sees no other GPU than its own.
cut -d- -f1,2 "$aside/three.contexts" | sort -u > "$aside/seen"
printf '0 GPU-%s\n' 00b9a5bf 01b9a5bf 02b9a5bf | cut -c1-8 > "$aside/expected"
cut -c1-8 "$aside/seen" | cmp -s - "$aside/expected" || wrong "contexts: $(cat "$aside/seen")"

run three one --gpus 1
[ "$(uuids one)" = 1 ] || wrong '--gpus 1 names several GPUs'
[ "$(devices one .)" = '0 ' ] || wrong "--gpus 1 uses others: $(devices one .)"
grep -q 'on GPU' "$aside/one" && wrong 'with one GPU failures say on which'
run 'three unlike' unlike
[ "$(uuids unlike)" = 2 ] || wrong 'a GPU that is unlike the first one has points too'
[ "$(devices unlike '"family":"swizzle","phase":"launch","evidence":"documented"')" = '0 1 ' ] || wrong 'launches are not shared by two'

# A run goes on on the same GPUs, and a merge knows a machine by all of them.
grep -v '"end"' "$aside/three.jsonl" | head -n 40 > "$aside/cut.jsonl"
FAKE_CUDA=three LD_LIBRARY_PATH="$build/fake" "$copycheck" run --resume "$aside/cut.jsonl" --kernels "$kernels" \
    --no-recorded > "$aside/resumed" 2>&1
[ "$("$copycheck" records "$aside/cut.jsonl" | grep -c sound)" = 1 ] || wrong "resumed: $(cat "$aside/resumed")"
FAKE_CUDA=three LD_LIBRARY_PATH="$build/fake" "$copycheck" run --resume "$aside/cut.jsonl" --gpus 2 --kernels "$kernels" \
    > "$aside/other" 2>&1
grep -q 'another "uuid"' "$aside/other" || wrong "a run goes on on other GPUs: $(cat "$aside/other")"
for bad in 0 17 x; do
    "$copycheck" run --gpus $bad > "$aside/bad" 2>&1
    [ $? = 2 ] && grep -q -- '--gpus takes a number from 1 to 16' "$aside/bad" || wrong "--gpus $bad: $(cat "$aside/bad")"
done
exit $failed
# SPDX-License-Identifier: Apache-2.0
