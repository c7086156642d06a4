#!/bin/sh
# make install: an installed tree runs with no help from the sources, wherever PREFIX is; names may hold spaces.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
built_kernels

# What is built: machine code is for a GPU alone, so it may be missing; an empty file stands for it.
build=$aside/build
mkdir -p "$build/kernels"
cp "$copycheck" "$build/" && cp "$kernels"/*.ptx "$kernels/index" "$build/kernels/" && : > "$build/kernels/none.cubin"

cp -r "${BUILD:-build}/inside" "${BUILD:-build}/capture" "${BUILD:-build}/libcopycheck.so.1" "$build/"

# Installs what is built already (-o all) below $1, with the Makefile's variables $2...
install_below() {
    below=$1
    shift
    make -s -o all install BUILD="$build" "$@" > "$aside/out" 2>&1 || wrong "make install $*: $(cat "$aside/out")"
    [ -x "$below/bin/copycheck" ] || wrong "the link leads nowhere: $(ls -l "$below/bin")"
    for file in kernels/index expected/recorded/ptxas.jsonl labs/lab.cuh labs/L01-first-copy/hints.md inside/libcopycheck-inside.so \
        inside/libcudart.so.13 inside/ptxas capture/libcuda.so.1 ../libcopycheck.so ../../include/copycheck.h ../pkgconfig/copycheck.pc ../../share/man/man1/copycheck-run.1 \
        ../../share/bash-completion/completions/copycheck ../../share/doc/copycheck/LICENSE slurm/submit; do
        [ -s "$below/lib/copycheck/$file" ] || wrong "$* lacks $file"
    done
}

install_below "$aside/plain" PREFIX="$aside/plain"
install_below "$aside/a b/c d" PREFIX="$aside/a b/c d"
install_below "$aside/stage/usr" DESTDIR="$aside/stage" PREFIX=/usr
relative=build/install.$$
install_below "$PWD/$relative" PREFIX="$relative"
rm -rf "$relative"
make -s uninstall PREFIX="$aside/a b/c d" > "$aside/out" 2>&1 || wrong "make uninstall: $(cat "$aside/out")"
find "$aside/a b" ! -type d > "$aside/out"
[ ! -s "$aside/out" ] || wrong "make uninstall leaves $(cat "$aside/out")"
mv "$aside/plain" "$aside/moved" # a tree that was packed elsewhere

# A tree that nobody may write to, and a user who has no home and keeps temporary files elsewhere: another one, where
# the test may become one.
chmod -R a-w "$aside/moved"
chmod 755 "$aside"
mkdir "$aside/temporary"
chmod 777 "$aside/temporary"
as_user()
{
    other=
    [ "$(id -u)" != 0 ] || ! setpriv --reuid 65534 --regid 65534 --clear-groups true 2> /dev/null ||
        other='setpriv --reuid 65534 --regid 65534 --clear-groups'
    # shellcheck disable=SC2086
    (cd / && exec $other env -i PATH=/usr/bin:/bin TMPDIR="$aside/temporary" timeout 60 "$@")
}

# From another folder, by its link: its kernels and its recorded matrices are found.
as_user "$aside/moved/bin/copycheck" run --engine emu --out "$aside/temporary/r.jsonl" family:cp-async-group \
    > "$aside/out" 2>&1 || wrong "an installed program runs: status $?: $(tail -n 5 "$aside/out")"
grep -q '^emu agrees with H200' "$aside/out" || wrong "the installed recorded matrix was not found: $(cat "$aside/out")"
[ "$(ls "$aside/temporary")" = r.jsonl ] || wrong "a run leaves $(ls "$aside/temporary")"
as_user "$aside/moved/bin/copycheck" check "$aside/moved/lib/copycheck/kernels/cp_async.ptx" --block 1 > "$aside/out" 2>&1
grep -q '^copycheck: check: ' "$aside/out" || wrong "an installed check: $(cat "$aside/out")"

# Its labs too, without their solutions.
(cd "$aside" && "$aside/moved/bin/copycheck" lab start L01 lab) > "$aside/out" 2>&1 || wrong "an installed lab: $(cat "$aside/out")"
[ -z "$(find "$aside/moved" -name 'solution.cu' -o -name key)" ] || wrong 'solutions are installed'

# Built kernels in a folder with a space.
env -i PATH=/usr/bin:/bin make -n check BUILD="$build" KERNELS="$aside/a b/kernels" > "$aside/out" 2>&1 || wrong 'make -n check'
grep -qF -- "--kernels '$aside/a b/kernels'" "$aside/out" || wrong "KERNELS with a space: $(tail -n 2 "$aside/out")"
exit $failed
# SPDX-License-Identifier: Apache-2.0
