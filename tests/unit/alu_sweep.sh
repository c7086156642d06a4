#!/bin/sh
# The sweep of ordinary instructions: the emulator gives what was recorded, and a comparison finds what differs.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
sweep=${BUILD:-build}/alu_sweep
record=expected/recorded/alu-nvidia-h200-580.tsv

# expect STATUS TEXT ARGUMENT...: alu_sweep ends with the status and says the text
expect()
{
    want=$1 text=$2
    shift 2
    ends "$want" "$text" "$sweep" "$@" < /dev/null
}

expect 0 '; 0 differ' --engine emu --compare "$record" --dump "$aside/dump"
tail -n 1 "$aside/out"
[ "$("$sweep" --list | sort | uniq -d)" = '' ] || wrong 'two forms of the same text'

# A record that differs in one digest, in one approximation, in a contract, in a form too many or too few.
tab=$(printf '\t')
change()
{
    sed "$1" "$record" > "$aside/record"
    expect 1 "$2" --from "$aside/dump" --compare "$aside/record"
}
change "s/^\(add\.u32 d, a, b;$tab=$tab\)...../\100000/" 'add.u32 d, a, b;: other bits than recorded'
change "/^tanh\.approx\.f32 d/s/ 3f[0-9a-f]* / 3f0000 /" 'tanh.approx.f32 d, a;: outside its error, rel -11'
change "s/^\(rcp\.approx\.f32 d, a;\)${tab}ulp 1/\1${tab}ulp 9/" 'rcp.approx.f32 d, a;: recorded under another contract, ulp 9'
change 's/^add\.u32 d/addd.u32 d/' 'addd.u32 d, a, b;: recorded, and no form of the table'
change '/^add\.u32 d/d' 'add.u32 d, a, b;: not recorded'
change "s/^add\.u32 d, a, b;.*/add.u32 d, a, b;${tab}refused${tab}-${tab}why/" 'ran, and the assembler refuses it: why'
echo 'no record' > "$aside/record"
expect 2 'a line without its four fields' --from "$aside/dump" --compare "$aside/record"

# One result changed: the form, the inputs and both results are shown.
"$sweep" --from "$aside/dump" --form 'popc.b32 ' --dump "$aside/changed" > "$aside/out"
printf '\007' | dd of="$aside/changed" bs=1 seek="$(head -n 1 "$aside/changed" | wc -c)" conv=notrunc 2> /dev/null
expect 1 '1 of 3072 differ: popc.b32 d, a;' --engine emu --form 'popc.b32 ' --against "$aside/changed"
expect 1 'not:  00000000 -> 00000007' --engine emu --form 'popc.b32 ' --against "$aside/changed"
expect 2 'cannot read' --engine emu --form popc --compare "$aside/nothing"
expect 2 'cannot read' --from "$aside/nothing"
expect 2 'is no option' --engine emu --fast
expect 2 'needs a value' --engine
expect 2 '--engine is gpu, emu or ptxas' --engine cpu
head -c 1000 "$aside/dump" > "$aside/short"
expect 2 'is no dump, or cut short' --from "$aside/short"
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
