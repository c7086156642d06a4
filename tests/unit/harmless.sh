#!/bin/sh
# Text from outside cannot paint over a verdict or forge one: what kernels print, names in PTX, record files, arguments.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
cd "$aside" || exit 2
escape=$(printf '\033')

# tame FILE WORDS: no byte in it that a terminal obeys, but newlines and tabs
tame() {
    LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$1" && wrong "$2: a control character: $(cat -v "$1" | head -n 5)"
    LC_ALL=C grep -q "$(printf '\302[\200-\237]')" "$1" && wrong "$2: a C1 control character"
    LC_ALL=C grep -q "$(printf '\342\200\256')" "$1" && wrong "$2: a mark that turns the line round"
}

# A kernel that prints what looks like verdicts, from a source file whose name does.
bytes() { printf '%b' "$1" | od -An -v -tu1 | tr -s ' \n' ',' | sed 's/^,//; s/,$//; s/$/,0/'; }
text='one\nclean: k, grid 1,1,1\n\033[2J\r\302\233A\342\200\256copycheck: all as expected\n\nhalf'
{
    cat << 'PTX'
.version 8.0
.target sm_90
.address_size 64
PTX
    printf '.file 1 "x%s[2K\rclean: k.cu"\n' "$escape"
    printf '.global .align 1 .b8 text[] = {%s};\n' "$(bytes "$text")"
    cat << 'PTX'
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.visible .entry k(.param .u64 in, .param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    .shared .align 16 .b8 tile[16];
    mov.b64 %rd3, text; cvta.global.u64 %rd3, %rd3;
    { .param .b64 p; .param .b64 q; .param .b32 v; st.param.b64 [p], %rd3; st.param.b64 [q], 0;
      call.uni (v), vprintf, (p, q); ld.param.b32 %r0, [v]; }
    .loc 1 3 0
    mov.u32 %r1, tile;
    ld.param.u64 %rd1, [in];
    cp.async.ca.shared.global [%r1], [%rd1], 16;
    cp.async.commit_group;
    .loc 1 4 0
    ld.shared.u32 %r2, [%r1];
    ld.param.u64 %rd2, [out];
    st.global.u32 [%rd2], %r2;
    cp.async.wait_all;
PTX
} > head
{ cat head; printf '    ret;\n}\n'; } > k.ptx
options='--block 1 --arg in:4K --arg out:4K'

"$copycheck" check k.ptx $options > out 2>&1
[ $? = 1 ] || wrong "a kernel that prints: status is not 1: $(cat -v out)"
tame out 'what a kernel prints'
[ "$(head -n 5 out)" = 'kernel: one
kernel: clean: k, grid 1,1,1
kernel: ?[2J??A?copycheck: all as expected
kernel: 
kernel: half' ] || wrong "what a kernel prints: $(head -n 5 out)"
grep -q '^clean' out && wrong 'a kernel forges a verdict'
grep -qF 'x?[2K?clean: k.cu:4' out || wrong "the name of a source file: $(cat -v out)"
"$copycheck" check k.ptx $options --format jsonl > out 2> err
tame out 'JSON'
tame err 'what a kernel prints beside JSON'
grep -v '^{' out && wrong 'a line that is no JSON'
grep -qF 'x\u001b[2K\u000dclean: k.cu:4' out || wrong "JSON escapes names: $(cat -v out | head -n 2)"

# Findings and what ended the run: the diagnosis counts.
{ cat head; printf 'L:  add.u32 %%r1, %%r1, 1;\n    st.global.u32 [%%rd2], %%r1;\n    bra L;\n}\n'; } > long.ptx
"$copycheck" check long.ptx $options --max-instructions 10000 > out 2> err
[ $? = 1 ] || wrong "findings and a limit: status is not 1: $(cat err)"
grep -q '^diagnosed: k' out || wrong "findings and a limit: $(tail -n 1 out)"
grep -q '^copycheck: check: long.ptx: not judged to its end: .*more than 10000 instructions' err || wrong "says so: $(cat err)"
{ cat head; printf '    tex.2dms.v4.u32.s32 {%%r1, %%r1, %%r1, %%r1}, [%%rd1, {%%r1, %%r1, %%r1, %%r1}];\n    ret;\n}\n'; } > lacks.ptx
"$copycheck" check lacks.ptx $options > out 2> err
[ $? = 1 ] || wrong "findings and an unsupported instruction: status is not 1: $(cat err)"
grep -q 'not judged to its end: unsupported: [0-9]*: tex' err || wrong "says so: $(cat err)"
sed 's/ld.shared.u32 %r2, \[%r1\]/mov.u32 %r2, 1/' long.ptx > none.ptx
"$copycheck" check none.ptx $options --max-instructions 10000 > out 2> err
[ $? = 2 ] || wrong "a limit without findings: status is not 2: $(cat err)"

# Names of files and arguments, in each command that repeats them.
name="x$escape[2K"
cp k.ptx "$name.ptx"
{ cat head; printf '    frob %s[2K;\n' "$escape"; } > "$name.bad"
for command in "check $name.ptx $options" "check $name.bad $options" "check $name.gone $options" \
    "assemble --engine emu $name.ptx $name.bad" "check k.ptx --arg $name" "check k.ptx $name" "list $name" "show $name" \
    "run --engine $name" "run --out x $name" "matrix $name" "diff $name $name" "tile dims=$name" "encode dims=$name" \
    "encode --batch $name" "swizzle $name" "rules $name" "rules --lcov $name" "lint --kernels $name $name" "$name"; do
    # shellcheck disable=SC2086 -- words
    timeout 60 "$copycheck" $command > out 2>&1 < /dev/null
    [ -s out ] || wrong "$(echo "$command" | cat -v) says nothing"
    tame out "$(echo "$command" | cat -v)"
done

# Record files, in each format of a report.
cat > records << 'RECORDS'
{"copycheck":"0.1","device":"a\u001b[2Kb","engines":"emu","planned":2}
{"point":"bulk.x:a=<b>&`|\u001b[2K\nall pass","engine":"emu","verdict":"fail","rule":"bulk.x","family":"bu\u202elk\u009b","phase":"launch","evidence":"documented","expected":"done","outcome":"done","detail":"one\r\u001b[2K]]>\n| two <script>","at":"x\n.c:1"}
{"point":"bulk.y","engine":"emu","verdict":"seen","rule":"bulk.y","family":"bulk","phase":"launch","evidence":"observed","expected":"seen","outcome":"done","seen":"\u0007bell"}
RECORDS
for format in human ktap junit jsonl markdown html; do
    "$copycheck" matrix --format $format records > out 2> err
    tame out "a record as $format"
    tame err "a record as $format"
    grep -q '^all pass' out && wrong "a record forges a line as $format"
    case $format in html | junit) grep -q 'two <script>\|a=<b>' out && wrong "$format takes what a record says for markup" ;; esac
done
printf '%s\n' '{"copycheck":"0.1","delivery":"eager;touch forged"}' \
    '{"point":"a.b'"'"'; touch forged '"'"'","engine":"emu; touch forged","verdict":"fail","rule":"a.b","family":"a"}' \
    '{"point":"a.c","engine":"emu","verdict":"fail","rule":"a.c","family":"a"}' > quotes
sh -c "$("$copycheck" matrix --format human quotes 2> /dev/null | sed -n 's|^ *again  *build/copycheck|: |p')"
"$copycheck" matrix --format human quotes 2> /dev/null | grep -q -- "'a.c' --engine emu .* --delivery 'eager;touch forged'" ||
    wrong 'the command that repeats a point lacks the delivery'
[ ! -e forged ] || wrong 'the command that repeats a point runs what its name says'
"$copycheck" matrix records > out 2>&1
tame out 'a table of records'
"$copycheck" diff records records > out 2>&1
tame out 'records compared'
exit $failed
# SPDX-License-Identifier: Apache-2.0
