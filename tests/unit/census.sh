#!/bin/sh
# tools/census counts files, kernels, and what is not run, also where a kernel reaches it through calls.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common

head='.version 8.0
.target sm_90
.address_size 64'
mkdir -p "$aside/ptx/one/deep" "$aside/ptx/two"
cat > "$aside/ptx/one/deep/calls.ptx" << EOF
$head
.extern .func elsewhere;
.extern .func free (.param .b64 what);
.func far { .reg .f32 %f<4>; .reg .s32 %i; .reg .b64 %d; mov.u64 %d, 0; mov.u32 %i, 0;
    tex.2dms.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d, {%i, %i, %i, %i}]; ret; }
.func near { call far; ret; }
.func aside { call elsewhere; ret; }
.visible .entry reaches() { call near; ret; }
.visible .entry points() { .reg .b64 %d; mov.u64 %d, aside; ret; }
.visible .entry reaches_not() { .reg .b64 %d; mov.u64 %d, 0; .param .b64 p; st.param.b64 [p], %d; call free, (p); ret; }
EOF
cat > "$aside/ptx/two/clean.ptx" << EOF
$head
.visible .entry clean() { ret; }
EOF
cp "$aside/ptx/two/clean.ptx" "$aside/ptx/two/b l.ptx"
echo 'no PTX' > "$aside/ptx/two/refused.ptx"

line() # WORDS...: the output has a line of these words
{
    awk '{ $1 = $1; print }' "$aside/out" | grep -qxF -- "$*" || wrong "no line '$*' in: $(cat "$aside/out")"
}

ends 0 'two/refused.ptx 1: ' tools/census "$aside/ptx"
line files taken kernels not run
line one 1 1 3 2
line two 3 2 2 0
line all 4 3 5 2
line tex 1 1 1 'tex.2dms.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d, {%i, %i, %i, %i}];'
line call elsewhere 1 1 1
ends 0 '| one | 1 | 1 | 3 | 2 |' tools/census --markdown "$aside/ptx/"
ends 0 '| `call elsewhere` | 1 | 1 | 1 |  |' tools/census --markdown "$aside/ptx/"
mkdir "$aside/empty"
ends 2 'no .ptx file' tools/census "$aside/empty"
ends 2 'usage' tools/census "$aside/absent"

exit $failed
# SPDX-License-Identifier: Apache-2.0
