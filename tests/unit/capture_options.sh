#!/bin/sh
# copycheck capture on a machine without a GPU: what is said of its options, of a driver that is not there, and of
# programs that launch nothing, end badly or cannot be started.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
[ -f "$build/fake/libcuda.so.1" ] && [ -f "${copycheck%/*}/capture/libcuda.so.1" ] || {
    echo 'needs the fake driver and the library of capture: make inside test-programs'
    exit 77
}
cd "$aside" || exit 2

ends 0 'usage: copycheck capture ' "$copycheck" capture --help
for arguments in '' '--' '--output x --' '--no-such-option true' '-x true' '--output' '--kernel-name' '--launch-skip' \
    '--launch-skip some true' '--launch-skip -1 true' '--max-bytes 0 true' '--max-bytes 1x true'; do
    # shellcheck disable=SC2086
    refuses "$copycheck" capture $arguments
done
ends 2 "--launch-skip 'some' is not a number" "$copycheck" capture --launch-skip some true
ends 2 "--max-bytes '0' is not a number of bytes" "$copycheck" capture --max-bytes=0 true
ends 2 'has a line break in it' "$copycheck" capture --output 'a
b' true
ends 2 'no program is named' "$copycheck" capture --output x

# Without a driver, or without the library that is put before it.
mkdir alone
cp "$copycheck" alone/
ends 2 'alone/capture/libcuda.so.1 is not there' alone/copycheck capture true
if ! ldconfig -p 2> /dev/null | grep -q 'libcuda\.so\.1'; then
    LD_LIBRARY_PATH='' ends 2 'there is no CUDA driver on this machine' "$copycheck" capture true
fi

LD_LIBRARY_PATH=$build/fake${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
ends 2 'no launch was captured; the program ended with status 0' "$copycheck" capture true
ends 2 'no launch of a kernel with this in its name: axpy was captured; the program ended with status 3' \
    "$copycheck" capture --kernel-name axpy --launch-skip 1 --max-bytes 4096 -- sh -c 'exit 3'
ends 2 'the program ended with signal 15' "$copycheck" capture sh -c 'kill $$'
ends 2 'No such file or directory' "$copycheck" capture ./not-there
ends 2 'Permission denied' "$copycheck" capture ./alone
mkdir full
ends 2 '--output full: Is a directory' "$copycheck" capture --output full true
ends 2 'the name is too long' "$copycheck" capture --output "$(printf '%04200d' 0)" true
ends 2 'the name is too long' "$copycheck" capture --output "/$(printf '%04200d' 0)" true

# In a folder with a space, and with a colon, at which the loader would end its name.
mkdir 'a b' 'a:b'
for place in 'a b' 'a:b'; do
    cp "$copycheck" "$place/" && cp -r "${copycheck%/*}/capture" "$place/"
done
ends 2 "the loader takes ':'" 'a:b/copycheck' capture true
ends 2 'no launch was captured; the program ended with status 0' 'a b/copycheck' capture true

# An old capture is not taken for a new one, and the program sees which library comes first.
echo old > launch.capture
ends 2 'no launch was captured' "$copycheck" capture sh -c 'echo "$LD_LIBRARY_PATH" > seen'
[ ! -e launch.capture ] || wrong 'an old capture is still there'
case $(cat seen) in "${copycheck%/*}/capture:$LD_LIBRARY_PATH") ;; *) wrong "the program sees $(cat seen)" ;; esac

# What another program has captured counts, with the status of this one.
ends 4 'captured there.capture; copycheck check there.capture judges it' "$copycheck" capture --output there.capture \
    sh -c 'echo x > there.capture; exit 4'
ends 143 'captured ' "$copycheck" capture --output="$PWD/there.capture" sh -c 'echo x > there.capture; kill $$'
exit $failed
# SPDX-License-Identifier: Apache-2.0
