#!/bin/sh
# copycheck lab: words and options that are wrong, names of labs as students write them, folders of submissions, keys that
# are no keys. Nothing is compiled.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. tests/unit/common
cd "$aside" || exit 2
labs="--labs $top/docs/labs"
printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n' > k.ptx

says() # WORDS ARGUMENT...: refuses
{
    words=$1
    shift
    # shellcheck disable=SC2086
    refuses "$copycheck" lab "$@" $labs
    grep -qF -- "$words" out || wrong "lab $*: no '$words' in: $(cat out)"
}
says 'lab: what? list, start, run'
says "no action 'grad'; the nearest is grade" grad
says "no action 'zzzzzz'" zzzzzz
says "lab list: 'L01' is one word too many" list L01
says "'c': one hint at a time" hint L01 b c
says "--seed 'x': a number" run L01 --seed x
says "--jobs '0': a number from 1 to 256" grade L01 k.ptx --jobs 0
says "--compiler 'cc': nvcc or clang" run L01 --compiler cc
says "--format 'xml': table, csv, gradescope" grade L01 k.ptx --format xml
says 'no option' run --colour
says 'explain: which rule?' explain
says 'needs a lab and files' grade L01
says "no lab 'L99'; the nearest is" check L99
says "'nonsense' is no lab and no file here" run nonsense
says "'nonsense' is no lab" grade nonsense k.ptx
says 'one file is enough' run L01 a b
says 'of which lab is it? name it in front of the file' run ./k.ptx
says "no lab's file in this folder" run
says "'x' is no number of a hint: 1, 2 or 3" hint L01 x
says 'has no hint 4' hint L01 4
mkdir own empty
cp "$copycheck" own/
refuses own/copycheck lab run L01 k.ptx
grep -q 'no folder of labs beside .*; --labs DIR names one' out || wrong "without labs: $(cat out)"
refuses "$copycheck" lab run L01 k.ptx --labs empty
grep -q 'labs empty: no lab.cuh in it' out || wrong "--labs: $(cat out)"

# A lab by its number, its name in any case, its folder; into a folder that is there, with files that stay.
for name in 1 01 l1 L01 L01-first-copy l01-FIRST-copy; do
    # shellcheck disable=SC2086
    ends 0 'L01, hint 2' "$copycheck" lab hint $name 2 $labs
done
# shellcheck disable=SC2086
{
    ends 0 "then: cd 'a b' &&" "$copycheck" lab start L01 'a b' $labs
    ends 2 'is already there and stays as it is' "$copycheck" lab start L01 'a b' $labs
    ends 2 'Not a directory' "$copycheck" lab start L01 k.ptx/x $labs
    ends 0 'L01, hint 1' sh -c "cd 'a b' && '$copycheck' lab hint $labs"
    ends 0 'L01, hint 3' sh -c "cd 'a b' && '$copycheck' lab hint 3 $labs"
}

# Submissions in a folder: those below it too, with a slash behind its name or without; none, or a link, is no submission.
mkdir -p class/ann class/.hidden
cp k.ptx class/one.ptx
cp k.ptx class/.hidden/two.ptx
echo text > class/notes.txt
ln -s "$PWD/k.ptx" class/linked.ptx
for folder in class class// ./class; do
    # shellcheck disable=SC2086
    "$copycheck" lab grade L01 $folder --no-gpu --format csv $labs > out 2>&1
    grep -q 'one.ptx",fail' out || wrong "grade $folder: $(cat out)"
    grep -q 'linked.ptx",none,.*it is a symbolic link' out || wrong "grade $folder follows a link: $(cat out)"
    grep -q 'two.ptx\|notes' out && wrong "grade $folder: $(cat out)"
done
says 'no submission in it' grade L01 empty
# shellcheck disable=SC2086
ends 2 '--csv nowhere/csv cannot be written' "$copycheck" lab grade L01 k.ptx --no-gpu --csv nowhere/csv $labs
[ ! -w /dev/full ] || ends 2 '--csv /dev/full cannot be written' "$copycheck" lab grade L01 k.ptx --no-gpu --csv /dev/full $labs

# A key with a line that is none, no key, and a key that is not what comes: named for a pull request.
mkdir -p labs/L01-first-copy
cp "$top"/docs/labs/*.cuh labs/
cp k.ptx labs/L01-first-copy/
ends 2 'key: No such file' "$copycheck" lab check L01 --no-gpu --labs labs
echo 'k.ptx pass' > labs/L01-first-copy/key
ends 2 "'k.ptx pass' has not three columns" "$copycheck" lab check L01 --no-gpu --labs labs
printf '# a key\n\nk.ptx pass -\n' > labs/L01-first-copy/key
ends 1 '::error file=' "$copycheck" lab check L01 --no-gpu --format github --labs labs
grep -q 'the key says pass' out || wrong "check --format github: $(cat out)"
exit $failed
# SPDX-License-Identifier: Apache-2.0
