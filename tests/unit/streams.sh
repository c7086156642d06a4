#!/bin/sh
# Streams that take nothing, files that never come: each ends with its status, none with a crash or a wait for ever.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
cd "$aside" || exit 2

# ---- standard output that takes nothing: status 2 and one line; a pipe that nobody reads: no line ----
for arguments in --help help list 'list --cases' 'list --help' 'run --help' 'matrix --help' 'plot --help' 'diff --help' rules \
    'rules --help' 'show --help' 'show swz.rank' 'assemble --help' 'check --help' 'encode --help' \
    'encode --type u8 --dims 64 --box 32' 'encode --type u8 --dims 63,2 --strides 63 --box 32,1' 'encode --bench 100' \
    'encode --random 3' 'tile --help' 'tile --type u8 --dims 64 --box 32' 'swizzle --help' swizzle 'lint --help'; do
    for out in full closed pipe; do
        case $out in
        full) "$copycheck" $arguments > /dev/full 2> err ;;
        closed) "$copycheck" $arguments >&- 2> err ;;
        pipe) (trap '' PIPE; "$copycheck" $arguments 2> err; echo $? > status) | : ;;
        esac
        status=$?
        lines=1
        [ $out != pipe ] || { status=$(cat status) lines=0; }
        if [ $out = pipe ] && [ $status != 2 ]; then # it was quicker than the reader left
            own=0
            "$copycheck" $arguments > /dev/null 2>&1 || own=$?
            [ $status = $own ] && continue
        fi
        [ $status = 2 ] && [ "$(wc -l < err)" = $lines ] || wrong "$arguments, $out: status $status: $(cat err)"
        [ $out != full ] || grep -q 'cannot write standard output: No space left' err || wrong "$arguments: $(cat err)"
    done
done

# A file never takes the place of a closed stream.
cat > k.ptx <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b64 %rd1;
    ld.param.u64 %rd1, [out];
    st.global.u32 [%rd1], 7;
    ret;
}
PTX
k='--block 1 --arg out:4'
"$copycheck" check k.ptx $k --dump 0=dumped >&- 2> err
[ $? = 2 ] || wrong 'check with a closed standard output'
[ "$(od -An -tu4 dumped | tr -d ' ')" = 7 ] || wrong "what was dumped: $(od -c dumped)"

# ---- FIFOs ----
mkfifo empty late out
start=$(date +%s)
timeout 30 "$copycheck" check empty $k > text 2>&1
[ $? = 2 ] && grep -q '^copycheck: check: empty: a FIFO that nobody has written to' text || wrong "a FIFO: $(cat text)"
[ $(($(date +%s) - start)) -lt 25 ] || wrong 'a FIFO without a writer took too long'
(sleep 1; cat k.ptx) > late &
timeout 30 "$copycheck" check late $k > text 2>&1 || wrong "a writer that comes late: $(cat text)"
grep -q '^clean: k' text || wrong "a writer that comes late: $(cat text)"
"$copycheck" check - $k < k.ptx > text 2>&1 || wrong "standard input: $(cat text)"
cat k.ptx | "$copycheck" check /dev/stdin $k > text 2>&1 || wrong "/dev/stdin: $(cat text)"
timeout 30 "$copycheck" check k.ptx $k --dump 0=out > text 2>&1
[ $? = 2 ] && grep -q '^copycheck: check: --dump 0=out: ' text || wrong "--dump to a FIFO: $(cat text)"
cat out > got &
sleep 0.2
timeout 30 "$copycheck" check k.ptx $k --dump 0=out > text 2>&1 || wrong "--dump to a FIFO with a reader: $(cat text)"
wait
[ "$(od -An -tu4 got | tr -d ' ')" = 7 ] || wrong "what came out of the FIFO: $(od -c got)"
"$copycheck" check . $k > text 2>&1
[ $? = 2 ] || wrong "a folder as PTX: $(cat text)"

# ---- a link stays a link, and permissions are those of umask ----
: > real
ln -s real link
(umask 027; "$copycheck" check k.ptx $k --dump 0=link) > text 2>&1 || wrong "--dump to a link: $(cat text)"
[ -h link ] && [ "$(stat -c %a real)" = 640 ] || wrong "a link: $(ls -l link real)"

# ---- a limit on files: an error, no signal ----
(ulimit -f 1; "$copycheck" rules > long 2> err)
[ $? = 2 ] && grep -q 'cannot write standard output: File too large' err || wrong "ulimit -f: $(cat err)"
exit $failed
# SPDX-License-Identifier: Apache-2.0
