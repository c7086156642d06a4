#!/bin/sh
# copycheck view as a user meets it: the picture, answers, batches, bad input.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common

# expect STATUS TEXT ARGUMENT...: copycheck view, with $aside/in as its input, ends with the status and says the text
expect()
{
    want=$1 text=$2
    shift 2
    ends "$want" "$text" "$copycheck" view "$@" < "$aside/in"
}
: > "$aside/in"

# The picture: the example of the programming guide, padding, slices, what does not fit.
expect 0 'of a tile space of 5 x 4' --extents 10,16 --tile 2,4 --at 1,2
expect 0 '    2,8  2,9 2,10 2,11' --extents 10,16 --tile 2,4 --at 1,2
expect 0 '8 elements, 2 inside the array, 6 padded: -inf is 0xfc00' --extents 5 --tile 8 --steps 3 --at 1 --type f16 --padding -inf
expect 0 '    3    4 -inf -inf' --extents 5 --tile 4 --steps 3 --at 1 --type f16 --padding -inf
expect 0 '1 more rows: --lines 4' --extents 2,2,2 --tile 2,2,2 --lines 3
expect 0 ' ...' --extents 256 --tile 256
"$copycheck" view --extents 300,300,300,300 --tile 1,1,64,64 --at 299,299,2,2 > "$aside/picture"
[ "$(awk 'length > 80' "$aside/picture")" = '' ] || wrong 'the picture is wider than 80 columns'

# On a terminal rows have colours, but not with NO_COLOR.
if command -v script > /dev/null; then
    for command in 'view --extents 10,16 --tile 2,4' 'view --extents 5 --tile 8 --steps 3 --at 1 --type f16 --padding -inf' \
        'tile --dims 24,2 --box 32,2 --type u8 --at 16,0' 'tile --dims 64,4 --box 16,2 --type u8'; do
        # shellcheck disable=SC2086
        "$copycheck" $command > "$aside/plain"
        script -qec "$copycheck $command" /dev/null < /dev/null | tr -d '\r' > "$aside/coloured"
        grep -q "$(printf '\033')\[" "$aside/coloured" || wrong "no colour on a terminal: $command"
        sed "s/$(printf '\033')\[[0-9]*m//g" "$aside/coloured" | cmp -s - "$aside/plain" || wrong "a terminal shows something else: $command"
        NO_COLOR=1 script -qec "$copycheck $command" /dev/null < /dev/null | tr -d '\r' | cmp -s - "$aside/plain" || wrong "NO_COLOR: $command"
    done
fi

# What is not defined, and what the compiler refuses.
expect 1 'undefined: the tile lies wholly outside the array (tile.oob.all-outside-load)' --extents 8 --tile 4 --at 2
expect 1 'undefined: an access without mask must not reach over the end of the array (tile.oob.unmasked-load-ub)' \
    --extents 7 --tile 4 --at 1 --padding none
expect 1 'refused: each dimension of the tile must be a power of two (tile.shape.pow2)' --extents 8 --tile 3
expect 1 'refused: the type has no infinity (tile.oob.padding-e4m3)' --extents 8 --tile 4 --type e4m3 --padding inf

# Bad input.
expect 0 'usage: copycheck view' --help
expect 2 'usage: copycheck view'
expect 2 'usage: copycheck view' --extents 8
expect 2 '--tile needs a value' --extents 8 --tile
expect 2 '--tile needs a list of numbers' --extents 8 --tile ''
expect 2 "--extents: not a number at 'x'" --extents 8,x --tile 4
expect 2 "--extents: not understood at 'x4'" --extents 8x4 --tile 4
expect 2 "--extents: 9223372036854775808 does not fit into 64 bits" --extents 9223372036854775808 --tile 4
expect 2 '--extents: more than 16 entries' --extents 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 --tile 4
expect 2 "no type 'f8'" --type f8
expect 2 "no padding '-nan'" --padding -nan
expect 2 "--lines 'x': not a number" --lines x
expect 2 "'--frob' is no option" --frob 1
expect 2 'do not go with --batch' --batch --type u8

# Batches: digests that an independent reckoning gave, and answers.
printf 'f32\t10,16\t16,1\t2,4\t1,2\tzero\nf16\t5\t1\t4\t1\t-inf\nu8\t5\t1\t3\t0\tzero\nf16\t5\t1\t4\t2\t-inf\nu8\t\t\t\t\tzero' > "$aside/in"
"$copycheck" view --batch < "$aside/in" > "$aside/out"
printf '%s\n' 067fb443d96e8551 f6bc432255f965a4 refuse undefined refuse | cmp - "$aside/out" || wrong 'the batch'
cp "$aside/in" "$aside/loads"
expect 0 undefined --batch "$aside/loads"
expect 2 'No such file' --batch "$aside/none"

# bad LINE TEXT: a line that is no load, by the name of its column
bad()
{
    printf 'f32\t10\t1\t4\t0\tzero\n%b' "$1" > "$aside/in"
    expect 2 "standard input:2: $2" --batch
}
bad '\n' "type: no type ''"
bad 'f33\t10\t1\t4\t0\tzero\n' "type: no type 'f33'"
bad 'f32\t10,\t1\t4\t0\tzero\n' "extents: not a number at ''"
bad 'f32\t10\t1.5\t4\t0\tzero\n' "strides: not understood at '.5'"
bad 'f32\t10\t1\t4\t--1\tzero\n' "index: not a number at '--1'"
bad 'f32\t10\t1\t4\t0\n' 'padding: is missing'
bad 'f32\t10\t1\t4\t0\tZero\n' "padding: no padding 'Zero'"
bad 'f32\t10\t1\t4\t0\tzero\t\n' 'padding: more columns after it'
bad 'f32\t10\t1\t4\t0\tzero\r\n' "padding: no padding 'zero"
printf 'f32\t10\0\t1\t4\t0\tzero\n' > "$aside/in"
expect 2 'standard input:1: a null byte' --batch
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
