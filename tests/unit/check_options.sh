#!/bin/sh
# What copycheck check says of options, spec files, arguments and output files that cannot be: one line, status 2.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
cd "$aside" || exit 2

# kernel FILE PARAMETERS: a kernel that does nothing
kernel()
{
    printf '.version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(%s) { ret; }\n' "$2" > "$1"
}
kernel k '.param .u64 in, .param .u64 out'
kernel none ''
kernel narrow '.param .u32 in'
kernel shared '.param .u64 .ptr.shared .align 4 in'
kernel loose '.param .align 8 .b8 map[128]'
kernel pair '.param .align 8 .b8 pair[16]'
printf '.version 8.3\n.target sm_80\n.address_size 32\n.visible .entry k() { ret; }\n' > short
head -c 64 /dev/zero > bytes

# says WORDS ARGUMENT...: and refuses
says()
{
    words=$1
    shift
    refuses "$copycheck" check "$@"
    grep -qF -- "$words" out || wrong "$*: no '$words' in: $(cat out)"
}
a='--block 32 --arg in:64 --arg out:64'

# The launch.
says "--block '0': x is from 1 to 1024" k --block 0
says "--block '32,2000': y is from 1 to 1024" k --block 32,2000
says "--block '1,1,1,1': X, X,Y or X,Y,Z" k --block 1,1,1,1
says "--block '99999999999999999999'" k --block 99999999999999999999
says "--grid '1,': X, X,Y or X,Y,Z" k --grid 1,
says "--cluster '17'" k --cluster 17
says "--cluster '1x1'" k --cluster 1x1
says "--smem '1M': bytes, at most 232448" k --smem 1M
says "--smem 'x'" k --smem x
says "--schedule '-1'" k --schedule -1
says "--schedules '0': a number from 1 to" k --schedules 0
says '--schedule is one schedule, --schedules how many' k --schedule 1 --schedules 2
says "--jobs '0': a number from 1 to 256" k --jobs 0
says "--seed 'x': a number" k --seed x
says "--delivery 'soon': late, eager or random" k --delivery soon
says "--format 'xml': text, jsonl" k --format xml
says "--ask 'me': reads, swizzle" k --ask me
says "--cooperative 'maybe': yes, no" k --cooperative maybe
for limit in instructions memory quiet idle busy; do
    says "--max-$limit '0': a number, perhaps with K, M or G after it" k --max-$limit 0
done
says "--resident '1T': a number" k --resident 1T
says '--entry needs a value' k --entry
says "no option '--blocks=3'" k --blocks=3
says "no option '-b'" k -b
says "'more': one PTX file is enough" k more
says 'no PTX file given' --block 32
ends 2 '--block: No such file' "$copycheck" check -- --block
says '.address_size 32; the emulator has addresses of 64 bits' short --block 1
for fine in '--smem 16K' '--cooperative yes' '--cooperative no' '--resident 7' '--max-busy 1M' '--max-idle 1M' \
    '--max-quiet 1M' '--seed 18446744073709551615' '--cluster 1,1,1' '--delivery random' '--ask same-value'; do
    # shellcheck disable=SC2086
    ends 0 'clean: ' "$copycheck" check k $a $fine
done

# Arguments, and the parameters that they are for.
says 'there is no --arg for out (8 bytes)' k --block 1 --arg in:64
says "none is left for --arg 2 'u32:1'" k $a --arg u32:1
says "none is left for --arg 0 'out:4'" none --block 1 --arg out:4
says "--arg 0 'in:64' has 8 bytes, parameter in 4" narrow --block 1 --arg in:64
says 'is in global memory, parameter in points to .shared' shared --block 1 --arg in:64
says 'a tensor map is aligned to 64 bytes, parameter map to 8' loose --block 1 --arg map:m --buffer in:8K \
    --map m=buffer=1,type=f32,dims=64x16,box=8x8
says 'aligned to 64 bytes, parameter pair to 8' pair --block 1 --arg u32:1 --arg +map:m --buffer in:8K \
    --map m=buffer=2,type=f32,dims=64x16,box=8x8
says '--arg 0 to 2 have 24 bytes together, parameter pair 16' pair --block 1 --arg u64:1 --arg +u64:2 --arg +u32:3
ends 0 'clean: ' "$copycheck" check pair --block 1 --arg u32:1 --arg +u64:2
says "no --arg before it that it could be a part of" k --block 1 --arg +u32:1
says "no --arg before it that it could be a part of" k --block 1 --buffer in:4 --arg +u32:1
says "--buffer 'u32:1': in:SIZE" k --block 1 --buffer u32:1
says "--bind 'x': of the form NAME=tex:" k --block 1 --bind x
says "--bind '=tex:u8x4,4': of the form" k --block 1 --bind =tex:u8x4,4
says "--bind 'x=in:4': of the form" k --block 1 --bind x=in:4
says "--arg 'tex:no': " k --block 1 --bind x=tex:no
says 'more than 256 --arg' k $(i=0; while [ $i -lt 257 ]; do echo --arg u32:1; i=$((i + 1)); done)
says '.: Is a directory' k --block 1 --arg in:4@. --arg out:4
says 'nowhere: No such file' k --block 1 --arg in:4@nowhere --arg out:4
says "in:65@bytes" k --block 1 --arg in:65@bytes --arg out:4
says "in:@/dev/null" k --block 1 --arg in:@/dev/null --arg out:4
ends 0 'clean: ' "$copycheck" check k --block 1 --arg in:64@bytes --arg out:4
ends 0 'clean: ' "$copycheck" check k --block 1 --arg in:@bytes --arg out:4

# Addresses, maps, dumps.
says "'x' is no number of a --arg" k --block 1 --arg in:64 --arg at:x
says "'1234567890123456' is no number of a --arg" k --block 1 --arg in:64 --arg at:1234567890123456
says 'no --arg 7; there are 2' k --block 1 --arg in:64 --arg at:7
says "--arg 0 'u64:3' is no buffer" k --block 1 --arg u64:3 --arg at:0
says "'x': no number of bytes" k --block 1 --arg in:64 --arg at:0+x
says 'no --map of this name' k --block 1 --arg in:64 --arg map:m
m=buffer=0,type=f32,dims=64x16,box=8x8
says 'of the form NAME=buffer=K' k $a --map nothing
says 'of the form NAME=buffer=K' k $a --map "=$m"
says 'of the form NAME=buffer=K' k $a --map "a,b=$m"
says '--map m is given twice' k $a --map m=$m --map m=$m
says 'no buffer=K' k $a --map m=dims=64x16,box=8x8
says "'offset=x': no number of bytes" k $a --map m=$m,offset=x
says 'is given by buffer= and offset=' k $a --map m=$m,address=0
says "'--box': of the form name=value" k $a --map m=$m,--box
says "'box': of the form name=value" k $a --map m=$m,box
says "'colour=red': no such word" k $a --map m=$m,colour=red
says "no --arg 9" k $a --map m=buffer=9
says '--map m: ' k $a --map m=$m,type=none
says '--map m: ' k $a --map m=buffer=0,type=f32,dims=64x16x0x
says 'boxDim[0] is 300 and must be' k $a --map m=buffer=0,type=u8,dims=512x16,box=300x1
says 'more than 32 --map' k $a $(i=0; while [ $i -lt 33 ]; do echo --map m$i=$m; i=$((i + 1)); done)
says "--dump '1': of the form K=FILE" k $a --dump 1
says "--dump '=x': of the form K=FILE" k $a --dump =x
says "--dump '1=': of the form K=FILE" k $a --dump 1=
says "--dump: 'z' is no number" k $a --dump z=x
says '--dump 1 is given twice' k $a --dump 1=x --dump 1=y
says 'more than 256 --dump' k $a $(i=0; while [ $i -lt 257 ]; do echo --dump 1=x; i=$((i + 1)); done)

# Spec files.
printf '# a launch\n--block 32\n\targ in:64 # of words\r\narg=out:64\n\n' > spec
ends 0 'clean: ' "$copycheck" check k --spec spec
printf 'block 32\nblocks 3\n' > spec
says "spec:2: no option 'blocks 3'" k --spec spec
printf 'spec spec\n' > spec
says 'spec:1: a spec file names no other' k --spec spec
printf 'block' > spec
says 'spec:1: --block needs a value' k --spec spec
printf 'block 32\0\n' > spec
says 'a spec file is text' k --spec spec
says '--spec: nowhere' k --spec nowhere
: > spec
says 'more than 8 --spec' k $(i=0; while [ $i -lt 9 ]; do echo --spec spec; i=$((i + 1)); done)

# What comes out goes into a file that is not to be had, or full.
for option in '--dump 1=' --trace= --html=; do
    name=${option%%[ =]*}
    # shellcheck disable=SC2086
    ends 2 'No such file or directory' "$copycheck" check k $a ${option}nowhere/file
    [ ! -w /dev/full ] || ends 2 'No space left on device' "$copycheck" check k $a ${option}/dev/full
    grep -q -- "check: $name" out || wrong "$name is not named: $(cat out)"
done
exit $failed
# SPDX-License-Identifier: Apache-2.0
