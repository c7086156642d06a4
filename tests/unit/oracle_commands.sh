#!/bin/sh
# copycheck encode, tile and swizzle as a user meets them: answers, batches, bad input, and what an H200 answered.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
build=${BUILD:-build}
tab=$(printf '\t')

# expect STATUS TEXT ARGUMENT...: copycheck, with $aside/in as its input, ends with the status and says the text
expect()
{
    want=$1 text=$2
    shift 2
    ends "$want" "$text" "$copycheck" "$@" < "$aside/in"
}
: > "$aside/in"

# One call, explained.
expect 0 'accepted: the call breaks no limit. A tile load with this map writes 512 bytes' encode --type f16 --dims 64,33 --box 64,4
expect 1 'globalStrides[0] is 100; it must be a multiple of 16. A row takes 128 bytes: the nearest legal value that holds it is 128.' encode --type f16 --dims 64,33 --box 64,4 --strides 100
expect 1 'rule    tmap.tiled.gdim.max' encode dims=2^32+1 box=16
expect 1 'swizzle is -1; it must be an enumerator' encode dims=64 box=16 --swizzle=-1
expect 1 'No document states this limit' encode --dims 64,64 --box 16,4 --element-strides 9,1
expect 1 'Driver 580 accepts this all the same' encode --type f16 --dims 64,8,8 --box 16,2,2 --interleave 32B --swizzle 64B
expect 1 'illegal: the call breaks 1 limit.' encode --documents --type f16 --dims 64,8,8 --box 16,2,2 --interleave 32B --swizzle 64B
expect 0 'accepted' encode --documents --dims 64,8 --box 16,2 --element-strides 9,1
expect 0 'globalStrides   {256, 4096} bytes' encode --dims 64,8,8 'strides[1]=4096' --box 16,2,2
expect 1 'tmap.tiled.rank' encode --dims 64,8 --rank 6
expect 0 'usage: copycheck encode' encode --help
expect 2 'usage: copycheck encode' encode
expect 2 "'swizzle=96B': no such name" encode --dims 64 --swizzle 96B
expect 2 '--dims needs a value' encode --dims
expect 2 'no blanks' encode --dims '64 8'
expect 2 "'--frob' is no option" encode --frob
expect 2 "no engine 'x'" encode --engine x --batch
expect 2 '--engine needs' encode --engine
expect 2 '--random needs' encode --random
expect 2 '--random needs' encode --random x
expect 2 '--seed needs' encode --random 1 --seed
expect 2 'do not go with' encode --batch --dims 64
expect 2 'at least one check' encode --bench 0
expect 0 'million a second' encode --bench 1000

# Batches.
"$copycheck" encode --batch < "$aside/in" || wrong 'no line is no error'
printf '7\t2\t0x100\t64,32\t256\t16,4\t1,1\t0\t0\t0\t0\n' > "$aside/in"
expect 0 accept encode --batch
printf '7\t2\t264\t64,32\t255\t16,4\t1,1\t0\t0\t0\t0' > "$aside/in"
expect 0 "refuse${tab}tmap.tiled.gaddr16,tmap.tiled.gstride16" encode --batch -
printf '7\t1\t0\t64\t\t16\t1\t0\t0\t0\t0\n0\t6\t0\t1\t1\t1\t1\t0\t0\t0\t0\n' > "$aside/calls"
expect 0 "refuse${tab}tmap.tiled.rank" encode --batch "$aside/calls"
expect 2 'No such file' encode --batch "$aside/none"

# bad LINE TEXT: a batch line that is refused as input, by the name of its column
bad()
{
    printf '7\t2\t0\t64,32\t256\t16,4\t1,1\t0\t0\t0\t0\n%b' "$1" > "$aside/in"
    expect 2 "standard input:2: $2" encode --batch
}
bad '\n' 'type: a number is missing'
bad 'x\t2\t0\t64,32\t256\t16,4\t1,1\t0\t0\t0\t0\n' "type: not a number: 'x'"
bad '7\t2\t0\t64\t256\t16,4\t1,1\t0\t0\t0\t0\n' 'dims: 1 entries, where the rank takes 2'
bad '7\t2\t0\t64,32\t\t16,4\t1,1\t0\t0\t0\t0\n' 'strides: 0 entries, where the rank takes 1'
bad '7\t2\t0\t64,32\t256\t16,4,\t1,1\t0\t0\t0\t0\n' 'box: a number is missing'
bad '7\t2\t0\t64,32\t256\t16,4294967296\t1,1\t0\t0\t0\t0\n' 'box: 4294967296 is above 4294967295'
bad '7\t2\t0\t64,18446744073709551616\t256\t16,4\t1,1\t0\t0\t0\t0\n' 'dims: above 2^64-1'
bad '7\t2\t0\t64,32;\t256\t16,4\t1,1\t0\t0\t0\t0\n' "dims: not understood at ';'"
bad '7\t2\t0\t64,32\t256\t16,4\t1,1\t0\t0\t0\n' 'l2: the line ends after it'
bad '7\t2\t0\t64,32\t256\t16,4\t1,1\t0\t0\t0\t0\t1\n' 'fill: more columns after it'
bad '7\t6\t0\t1,2,3,4,5,6,7,8,9\t1\t1\t1\t0\t0\t0\t0\n' 'dims: too many entries'
bad '7\t2\t0\t64,32\t256\t16,4\t1,1\t0\t0\t0\t0\r\n' 'fill: not understood'
bad '7\t2\t-1\t64,32\t256\t16,4\t1,1\t0\t0\t0\t0\n' "address: not a number: '-1'"
printf '7\t2\t0\t64\0,32\t256\t16,4\t1,1\t0\t0\t0\t0\n' > "$aside/in"
expect 2 'standard input:1: a null byte' encode --batch

# A million random calls, cut to the verdicts: those of an H200, driver 580.159.04, which differ in none.
verdicts=$("$copycheck" encode --random 1000000 --seed 7 | "$copycheck" encode --batch | cut -f1 | cksum)
[ "$verdicts" = '844678344 7000000' ] || wrong "the verdicts of a million random calls are $verdicts"

# A driver, where there is one: the stand-in takes what is formed well.
if [ -e "$build/fake/libcuda.so.1" ]; then
    LD_LIBRARY_PATH=$build/fake
    export LD_LIBRARY_PATH
    "$copycheck" encode --random 300 > "$aside/in"
    expect 1 '300 calls, ' encode --batch --compare
    expect 0 accept encode --batch --engine gpu
    expect 0 "refuse${tab}CUDA_ERROR_INVALID_VALUE" encode --batch --engine=gpu
    expect 0 'not asked' encode --batch --engine gpu
    expect 0 'driver: accepts this call.' encode --engine gpu --dims 64 --box 16
    expect 1 'driver: refuses this call' encode --engine gpu --dims 64 --box 16 --rank 0
    expect 1 'not asked' encode --engine gpu --dims 64 --box 16 --rank=-1
    expect 1 'driver: accepts this call.' encode --compare --dims 64 --box 17
    unset LD_LIBRARY_PATH
else
    expect 2 'no CUDA driver' encode --engine gpu --dims 64 --box 16
fi
: > "$aside/in"

# Tiles.
grep -v '^#' expected/recorded/tile-h200.tsv > "$aside/recorded"
cut -f1-13 "$aside/recorded" | "$copycheck" tile --batch > "$aside/got"
cut -f14 "$aside/recorded" | cmp -s - "$aside/got" || wrong "tiles are not as an H200 loaded them"
expect 0 '20,5  24,5  28,5  32,5  36,5  zero  zero  zero' tile --type f32 --dims 40,9 --box 32,6 --at 20,5 --swizzle 128B
expect 0 '16,0 8z     zero' tile --type u8 --dims 24,2 --box 32,2 --at 16,0
expect 0 'more lines: --lines' tile --dims 64,64 --box 32,64
expect 0 'nan' tile --type f16 --dims 64,4 --box 64,2 --at 32,0 --fill nan
expect 0 '    0x80' tile --type u8 --dims 64,8,8 --box 16,4,2 --interleave 16B --offset 0x80
expect 0 ' 2z' tile --type f32 --dims 26,2 --box 32,2 --at 0,0
expect 0 ' 2n' tile --type f32 --dims 26,2 --box 32,2 --at 0,0 --fill nan
expect 2 'no packed type on compute capability 9.0' tile --type 16u4-align8b --dims 64,4 --box 64,2
expect 2 'the tile of a map in tile mode is drawn' tile --mode im2col --dims 8,8,8,8 --channels 8 --pixels 4
expect 0 'usage: copycheck tile' tile -h
expect 0 'usage: copycheck encode' encode -h
expect 2 'not coordinates' tile --dims 64,4 --box 16,2 --at 4,4,4,4,4,4
expect 2 'is no option' tile --batch -x
expect 0 'usage: copycheck tile' tile --help
expect 2 'usage: copycheck tile' tile
expect 2 'tmap.tiled.swz.inner32' tile --dims 64,4 --box 16,2 --swizzle 32B
expect 2 '--at has 1 coordinates' tile --dims 64,4 --box 16,2 --at 4
expect 2 "not coordinates" tile --dims 64,4 --box 16,2 --at 4,x
expect 2 "not coordinates" tile --dims 64,4 --box 16,2 --at 4,4294967296
expect 2 "coordinate 0 is no multiple of 16 bytes" tile --dims 64,4 --box 16,2 --at 1,0
expect 2 "no multiple of 128" tile --dims 64,4 --box 16,2 --offset 64
expect 2 "not a shared address" tile --dims 64,4 --box 16,2 --offset -1
expect 2 "not a number" tile --dims 64,4 --box 16,2 --lines x
expect 2 "is no option" tile --frob
expect 2 'do not go with --batch' tile --batch --dims 64
expect 2 'No such file' tile --batch "$aside/none"
printf '7\t2\t0\t64,32\t256\t16,4\t1,1\t0\t0\t0\t0\t1,0\t0\n7\t2\t0\t64,32\t256\t16,4\t1,1\t0\t0\t0\t0\t0,0\t64\n' > "$aside/in"
expect 0 "fault${tab}illegal instruction" tile --batch
expect 0 "fault${tab}misaligned address" tile --batch
printf '7\t2\t0\t64,32\t256\t16,4\t1,1\t0\t0\t0\t0\t0,0\t49024\n' > "$aside/in"
expect 2 'standard input:1: shared offset: the tile of 256 bytes at 49024 leaves the image' tile --batch
printf '7\t2\t1048320\t64,32\t256\t16,4\t1,1\t0\t0\t0\t0\t0,0\t0\n' > "$aside/in"
expect 2 'standard input:1: address: the tile reads up to byte' tile --batch
printf '7\t2\t0\t64,32\t256\t16,4\t1,1\t0\t0\t0\t0\t0\t0\n' > "$aside/in"
expect 2 'coordinates: 1 entries' tile --batch
printf '7\t2\t0\t64,32\t256\t16,4\t1,1\t0\t0\t0\t0\t0,-2147483649\t0\n' > "$aside/in"
expect 2 'coordinates: 2147483649 is above' tile --batch
printf 'a\0b' > "$aside/in"
expect 2 'a null byte' tile --batch

# Swizzles.
expect 0 '0x80   1    0    3    2    5    4    7    6' swizzle --mode 128B --base 0x80
expect 0 '10~  11~   8~   9~' swizzle --mode 128B-atom-32B-flip-8B
expect 0 'every byte stays' swizzle --mode none
expect 0 '0x380' swizzle --mode 32B --lines 8
expect 0 'usage: copycheck swizzle' swizzle --help
expect 2 'usage: copycheck swizzle' swizzle
expect 2 "no mode '96B'" swizzle --mode 96B
expect 2 "no mode ''" swizzle --mode
expect 2 'no multiple of 128' swizzle --mode 32B --base 64
expect 2 'not a 32-bit address' swizzle --mode 32B --base x
expect 2 'not a number from 1' swizzle --mode 32B --lines 0
expect 2 'is no option' swizzle --frob
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
