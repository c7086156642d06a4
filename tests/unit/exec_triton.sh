#!/bin/sh
# copycheck exec and Triton: what is called in place of ptxas, the folder of the cache, and the user's own. A script does
# what Triton's compiler does, in its way of 3.5 to 3.9.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
no_sanitizer 'the address sanitizer must come first in a program'
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
launcher=$build/fake/launcher
[ -f "$launcher" ] && [ -f "${copycheck%/*}/inside/libcopycheck-inside.so" ] || {
    echo 'needs the library of exec and a program: make inside test-programs'
    exit 77
}
cd "$aside" || exit 2
unset TRITON_PTXAS_PATH TRITON_PTXAS_BLACKWELL_PATH TRITON_CACHE_DIR
mkdir 'its own' tmp
TMPDIR=$PWD/tmp
export TMPDIR

cat > kernel.ptx << 'PTX'
.version 8.0
.target sm_90a
.address_size 64
.visible .entry fill(.param .u64 in, .param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    add.u32 %r2, %r1, 40;
    st.global.u32 [%rd3], %r2;
    ret;
}
PTX
# The compiler: asks for the version, keeps the text and what was made of it in a folder with a name that hangs on it,
# and loads what was made.
cat > compiler << 'SH'
set -eu
version=$("$TRITON_PTXAS_PATH" --version 2>&1)
echo "$version" | grep -q 'release 1[2-9]\.[0-9]' || { echo "no release: $version"; exit 20; }
[ "$("$TRITON_PTXAS_BLACKWELL_PATH" --version)" = "$version" ] || exit 21
echo "$TRITON_CACHE_DIR" > where
key=$TRITON_CACHE_DIR/$(echo "$version" | cksum | tr ' ' -)
mkdir -p "$key/tmp.pid_1"
text="its own/tmpa b.ptx"
cp kernel.ptx "$text"
"$TRITON_PTXAS_PATH" -lineinfo --fmad=false -v --opt-level 0 --regAllocOptLevel=2 --gpu-name=sm_90a "$text" -o "$text.o" 2> log ||
    exit 22
[ ! -s log ] || { cat log; exit 23; }
mv "$text.o" "$key/fill.cubin"
"$1" "$key/fill.cubin" fill
exit "${2:-0}"
SH

ends 0 '40 41' "$copycheck" exec sh compiler "$launcher"
grep -q '1 launch, 1 judged, .*: 0 findings$' out || wrong "a kernel of Triton's: $(cat out)"
case $(cat where) in "$PWD"/tmp/copycheck-triton-??????) ;; *) wrong "the cache is $(cat where)" ;; esac
ends 3 '40 41' "$copycheck" exec sh compiler "$launcher" 3
ends 137 'signal 9' "$copycheck" exec sh -c 'mkdir -p "$TRITON_CACHE_DIR/a/b"; ln -s / "$TRITON_CACHE_DIR/a/all"; kill -9 $$'
ends 2 'No such file' "$copycheck" exec ./nothing
[ -z "$(ls tmp)" ] || wrong "exec leaves $(find tmp)"

# What the user has set stays, and his cache is not taken away.
mkdir cache
TRITON_CACHE_DIR=$PWD/cache ends 0 '40 41' "$copycheck" exec sh compiler "$launcher"
[ "$(cat where)" = "$PWD/cache" ] && [ -n "$(find cache -name fill.cubin)" ] || wrong "his cache: $(cat where), $(find cache)"
TRITON_PTXAS_PATH=/his TRITON_PTXAS_BLACKWELL_PATH='' ends 0 '/his--' "$copycheck" exec sh -c \
    'echo "$TRITON_PTXAS_PATH-$TRITON_PTXAS_BLACKWELL_PATH-"; [ -d "$TRITON_CACHE_DIR" ]'
# Where there is no place for a folder, the key keeps the two apart.
TMPDIR=$PWD/nowhere ends 0 '--' "$copycheck" exec sh -c 'echo "-${TRITON_CACHE_DIR:-}-"'

# From another place.
mkdir 'moved to'
cp "$copycheck" 'moved to/' && cp -r "${copycheck%/*}/inside" 'moved to/'
ends 0 '40 41' 'moved to/copycheck' exec sh compiler "$launcher"

mv 'moved to' 'moved:to'
ends 2 "the loader takes ':'" 'moved:to/copycheck' exec true

# In place of ptxas: other ways to write its options, and what it cannot do.
ptxas=${copycheck%/*}/inside/ptxas
for way in '-o x kernel.ptx' '--output-file x kernel.ptx' 'kernel.ptx --output-file=x' '-o x.ptx kernel.ptx'; do
    rm -f x x.ptx
    # shellcheck disable=SC2086
    "$ptxas" $way > out 2>&1 || wrong "ptxas $way: $(cat out)"
    cat x x.ptx 2> /dev/null | cmp -s - kernel.ptx || wrong "ptxas $way: writes $(ls)"
done
for way in '' 'kernel.ptx' '-o x' '-o x.ptx' '-o x nothing.ptx' '-o nowhere/x kernel.ptx'; do
    # shellcheck disable=SC2086
    "$ptxas" $way > out 2>&1 && wrong "ptxas $way: ends with 0"
    [ -s out ] || wrong "ptxas $way: says nothing"
done
exit $failed
# SPDX-License-Identifier: Apache-2.0
