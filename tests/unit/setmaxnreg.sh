#!/bin/sh
# setmaxnreg and the registers of a CTA: what is taken must have been given, or the grid hangs; more and less are that.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/unit/common

# kernel DIRECTIVES BODY: two warpgroups; %w is true in the first one.
kernel()
{
    printf '.version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n%s\n{\n' "$1"
    printf '.reg .pred %%w, %%p; .reg .b32 %%t; mov.u32 %%t, %%tid.x; setp.lt.u32 %%w, %%t, 128;\n%s\nret;\n}\n' "$2"
}

# says STATUS TEXT DIRECTIVES BODY
says()
{
    kernel "$3" "$4" > "$aside/k.ptx"
    ends "$1" "$2" "$copycheck" check "$aside/k.ptx" --grid 2 --block 256 --arg out:16
}

roles='@%w bra A; setmaxnreg.inc.sync.aligned.u32 INC; bra E; A: setmaxnreg.dec.sync.aligned.u32 DEC; E:'
with() { printf '%s' "$roles" | sed "s/INC/$1/; s/DEC/$2/"; }

# 128 registers each: who goes down to 40 gives 88, so that the others may have 216. With 224 three warps take 96 of
# what four gave, and 64 are left for the fourth.
says 0 'clean' '.reqntid 256 .maxnreg 128' "$(with 216 40)"
says 1 'setmaxnreg.pool' '.reqntid 256 .maxnreg 128' "$(with 224 40)"
says 1 "needs 96 registers for each thread of its warp; the CTA's pool has 64" '.maxnreg 128' "$(with 224 40)"
# A warp that leaves out its part is to blame.
says 1 'setmaxnreg.warpgroup' '.maxnreg 128' "setp.lt.u32 %p, %t, 32; @%p ret; $(with 216 40)"
# 384 threads, one CTA a multiprocessor: 168 registers each.
says 1 'setmaxnreg.pool' '.maxntid 384 .minnctapersm 1' "$(with 240 120)"
# Nothing says how many there are: nothing is said.
says 0 'clean' '.reqntid 256' "$(with 240 40)"
# The wait ends when a slower warp releases.
says 0 'clean' '.maxnreg 128' "@%w nanosleep.u32 5000; $(with 216 40)"
# More than is owned by .dec, less by .inc.
says 1 'setmaxnreg.dec.owned' '.maxnreg 64' 'setmaxnreg.dec.sync.aligned.u32 72;'
says 1 'setmaxnreg.inc.owned' '.maxnreg 64' 'setmaxnreg.inc.sync.aligned.u32 56;'
says 0 'clean' '.maxnreg 64' 'setmaxnreg.dec.sync.aligned.u32 64; bar.sync 0; setmaxnreg.inc.sync.aligned.u32 64;'
# Down and up again: what a warpgroup gave is still there.
says 0 'clean' '.maxnreg 64' 'setmaxnreg.dec.sync.aligned.u32 24; bar.sync 0; setmaxnreg.inc.sync.aligned.u32 64;'
# Not all lanes of a warp, or by two instructions: it is .aligned.
half='and.b32 %t, %t, 31; setp.lt.u32 %p, %t, 16;'
says 1 'lanes 0xffff0000 of warp 0 of CTA 0,0,0 execute none' '' "$half @!%p bra E; setmaxnreg.dec.sync.aligned.u32 40; E:"
says 1 'execute another one' '' "$half @%p bra A; setmaxnreg.dec.sync.aligned.u32 40; bra E; A: setmaxnreg.dec.sync.aligned.u32 40; E:"
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
