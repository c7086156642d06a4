#!/bin/sh
# Record files that runs write at the same time, that are gone on with, that are full or edited: none of them lies.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
recorded=$top/expected/recorded/nvidia-h200-580.jsonl
. tests/unit/common
built_kernels
cd "$aside" || exit 2
mkdir own
cp "$copycheck" own/ && ln -s "$kernels" own/kernels
program=$aside/own/copycheck

run() { timeout 120 "$program" run --no-recorded "$@" > out 2> err; }
is() { # WORDS STATUS EXPECTED
    [ "$2" = "$3" ] || wrong "$1: status $2, expected $3: $(head -n 3 err)"
}
says() { grep -qF -- "$2" err || wrong "$1: does not say '$2': $(head -n 3 err)"; }
whole() { # WORDS FILE FAMILY: a file with its end, of one family
    tail -n 1 "$2" | grep -q '^{"end"' || wrong "$1: $2 has no end"
    grep '"point"' "$2" | grep -vq "\"family\":\"$3\"" && wrong "$1: $2 holds other families"
    "$program" matrix "$2" > /dev/null 2> err || wrong "$1: $(cat err)"
}

# ---- two runs at a time: each has a file of its own; a named one is refused ----
(flock 9 && exec sleep 30) 9>> own/last.jsonl & # as a run would
sleep 0.2
run --engine emu family:swizzle
is 'a second run' $? 0
says 'a second run' "another run writes $aside/own/last.jsonl; the records of this one go into $aside/own/last-2.jsonl"
[ ! -s own/last.jsonl ] || wrong 'a second run writes into the file of the first'
whole 'a second run' own/last-2.jsonl swizzle
kill $!
wait $! 2> /dev/null
run --engine emu family:swizzle
is 'when the other has ended' $? 0
whole 'when the other has ended' own/last.jsonl swizzle
cp own/last.jsonl named
(flock 9 && exec sleep 30) 9>> named &
sleep 0.2
run --engine emu --out named family:cp-async-group
is '--out of another run' $? 2
says '--out of another run' 'copycheck: run: another run writes named'
run --engine emu --resume named
is '--resume of another run' $? 2
kill $!
wait $! 2> /dev/null
cmp -s named own/last.jsonl || wrong 'the file of another run was changed'
mkfifo fifo
run --engine emu --out fifo family:swizzle
is 'a FIFO for records' $? 2

# ---- the default place: beside the program, else the current folder ----
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
    mkdir -m 777 theirs
    chmod 755 "$aside" own
    (cd theirs && setpriv --reuid 65534 --regid 65534 --clear-groups timeout 60 "$program" run --no-recorded \
        --kernels "$aside/own/kernels/" --engine emu family:swizzle) > out 2> err
    status=$?
    if grep -q "no kernels in" out err; then
        echo 'the kernels cannot be read by another user: the default place is not tested'
    else
        is 'another user' $status 0
        says 'another user' "the records go into ./last.jsonl: $aside/own cannot be written"
        whole 'another user' theirs/last.jsonl swizzle
    fi
fi
run --engine emu --kernels /nosuch family:swizzle
is 'kernels that are not there' $? 2
grep -q '^copycheck: run: no kernels in /nosuch: make kernels' err || wrong "kernels that are not there: $(cat out err)"
rm -f own/last*.jsonl

# ---- a run that goes on: what its head says counts ----
run --engine emu --mutants --delivery eager --seed 7 --repeat 2 --out all family:cp-async-group
is 'a run of a family' $? 0
head -n 1 out | grep -q '  delivery eager  ' || wrong "the report does not say how copies arrived: $(head -n 1 out)"
part() { # FILE: what a killed run leaves
    head -c "$(($(wc -c < all) / 2))" all > "$1"
}
part again
run --resume again
is '--resume alone' $? 0
whole '--resume alone' again cp-async-group
"$program" diff --quiet all again > out 2> err
is 'what a resumed run did' $? 0
[ "$(grep -c '"point"' again)" = "$(grep -c '"point"' all)" ] || wrong 'a resumed run has other points'
ptxas=$(command -v ptxas || ls /usr/local/cuda*/bin/ptxas 2> /dev/null || true) # a fetched one is not beside this program
while read -r options; do
    case $options in *ptxas*) [ "$ptxas" ] || continue ;; esac
    part other
    cp other kept
    # shellcheck disable=SC2086 -- options are words
    run --resume other $options
    is "--resume with $options" $? 2
    says "--resume with $options" 'it is a run with another "'
    cmp -s other kept || wrong "--resume with $options changes the file"
done << 'OPTIONS'
family:swizzle
--engine ptxas family:cp-async-group
--delivery late
--delivery random
--seed 8
--repeat 3
--shard 1/2
--schedules 3
OPTIONS
run --engine emu --out plain family:swizzle
head -c 2000 plain > other
run --resume other --mutants
is '--resume with --mutants' $? 2
run --resume other --out elsewhere
is '--resume with --out' $? 2
run --resume nowhere
is '--resume of no file' $? 2
# A last record that lacks only its newline is kept, not run again and not lost.
head -n 20 all > other
printf '%s' "$(head -n 21 all | tail -n 1)" >> other
run --resume other
is 'a record without its newline' $? 0
[ "$(grep -c '"point"' other)" = "$(grep -c '"point"' all)" ] || wrong 'a record without its newline is lost'
# Selects with characters that separate.
run --engine emu --out spaces 'swz.* ' 2> /dev/null
is 'a select that names nothing' $? 2
run --engine emu --out two family:swizzle 'rule:group.wait.*'
head -n 30 two > other
run --resume other
is 'two selects' $? 0
"$program" diff --quiet two other > out 2> err
is 'two selects go on' $? 0
run --engine emu,emu --out twice family:swizzle
is 'an engine twice' $? 2
says 'an engine twice' 'engine emu is named twice'

# ---- a full disk: the count is that of the file ----
(ulimit -f 40; run --engine emu --jobs 1 --out small family:cp-async-group)
is 'a file that may not grow' $? 2
n=$(grep -c '"point".*}$' small)
[ "$n" -gt 5 ] || wrong "too few records for this test: $n"
says 'a file that may not grow' "File too large; it keeps $n records: go on with --resume small"

if command -v ptxas > /dev/null; then # which could not write a cubin, and would seem to crash
    (ulimit -f 40; run --engine ptxas --out small 'fence.scope*')
    is 'an assembler that may not write' $? 2
    says 'an assembler that may not write' 'copycheck: run: ptxas may write 16 MiB'
fi

# ---- edited and mixed files ----
edited() { # WORDS: the file `other` is refused, by each reader
    for command in 'matrix other' 'diff all other' 'diff other all' 'run --resume other' 'run --engine emu --out x failed:other'; do
        # shellcheck disable=SC2086 -- words
        timeout 60 "$program" $command > out 2> err
        is "$1: $command" $? 2
        says "$1: $command" 'other:'
    done
}
sed '0,/"verdict":"pass"/s//"verdict":"fail"/' all > other
edited 'another verdict'
sed '0,/"outcome":"done"/s//"outcome":"fault"/' all > other
edited 'another outcome'
sed '9d' all > other
edited 'a line less'
sed 's/^{"copycheck":"0.1"/{"copycheck":"9.9"/' all > other
edited 'a later version'
{ sed '$d' all; cat plain; } > other
edited 'two runs'
{ sed '$d' all; sed 1d plain; } > other
edited 'records of two runs'
sed '0,/"engine":"gpu",/s//"engine":"gpu","verdict":"fail",/' "$recorded" > other
"$program" diff other "$recorded" > out 2> err
is 'an edited recorded matrix' $? 2
sed 2d "$recorded" > other # of which the lines that follow have their family
"$program" diff other "$recorded" > out 2> err
is 'a recorded matrix without its first record' $? 2
says 'a recorded matrix without its first record' 'other:2: "family" is missing'
# A file of schema 2 says in which line: the first that was edited, or that follows one that is gone.
named() { # WORDS LINE: the file `other` is refused, with this line
    "$program" diff all other > out 2> err
    is "$1" $? 2
    grep -q "^copycheck: other:$2: " err || wrong "$1: not line $2: $(cat err)"
}
sed '7s/"ms":[0-9.]*/"ms":1000/' all > other
named 'another time' 7
sed '9s/"at":"[^"]*",//' all > other
named 'a member less' 9
sed 9d all > other
named 'a line less' 9
sed 9h\;10G all > other
named 'a line twice' 11
sed '9{h;d};12G' all > other
named 'a line moved' 9
sed '9s/,"sum":"[^"]*"//' all > other
named 'a line without its sum' 9
sed '1s/,"planned":[0-9]*/,"planned":1/' all > other
named 'another plan' 1
sed '1s/,"schema":2//;s/,"sum":"[^"]*"//' all > other
"$program" diff --quiet all other > out 2> err
is 'a file without its sums is an old one' $? 0
sed '1s/,"schema":2//' all > other
named 'a head of an older schema' 1
sed '1s/,"schema":2/,"schema":3/' all > other
named 'a later schema' 1
{ sed '$d' all; cat plain; } > other
named 'two files' "$(wc -l < all)"
says 'two files' 'the head of another file: two files were put together'
"$program" keep all | sed '1s/"planned"/"plan":"1","planned"/' > other
named 'records that were not planned' "$(wc -l < other)"

# What is kept of a run in expected/recorded says the same.
"$program" keep all > other
"$program" diff --quiet other all > out 2> err
is 'a recorded matrix of a run' $? 0
# An old file, without a digest.
"$program" keep all | sed '$s/,"digest":"[^"]*"//' > other
"$program" diff other all > out 2> err
is 'a file without a digest' $? 0
grep -q '^old .*(no digest: an edit' out || wrong "a file without a digest: $(head -n 1 out)"

# ---- copycheck records ----
"$program" records all plain > out 2> err
is 'records of sound files' $? 0
grep -q '^all: sound, schema 2, [0-9,]* records, a sum in each line$' out || wrong "records: $(cat out)"
grep -q "host $(printf 'copycheck host\n\n%s' "$(uname -n)" | sha256sum | cut -c 1-16)" out || wrong "the host: $(cat out)"
COPYCHECK_SALT=site run --engine emu --out salted family:cp-async-group
"$program" records salted > out 2> err
grep -q "host $(printf 'copycheck host\nsite\n%s' "$(uname -n)" | sha256sum | cut -c 1-16)" out || wrong "a salt: $(cat out)"
for length in 30 36 44 90 150; do # SHA-256 of one block and of more
    salt=$(printf "%${length}s" x | tr ' ' s)
    COPYCHECK_SALT=$salt run --engine emu --out salted 'fence.*' 2> /dev/null
    grep -q "\"host\":\"$(printf 'copycheck host\n%s\n%s' "$salt" "$(uname -n)" | sha256sum | cut -c 1-16)\"" salted ||
        wrong "a salt of $length bytes: $(head -n 1 salted)"
done
sed 5d plain > other
"$program" records --quiet all other plain > out 2> err
is 'records of an edited file' $? 1
says 'records of an edited file' 'other:5: '
[ ! -s out ] || wrong "records --quiet: $(cat out)"
part other
"$program" records --quiet all other > out 2> err
is 'records of a cut file' $? 3
grep -q '^other: sound, but the run did not end, schema 2, [0-9,]* records of ' out || wrong "a cut file: $(cat out)"
"$program" records "$recorded" > out 2> err
is 'records of a recorded matrix' $? 0
grep -q 'sound, schema 1, 122,226 records, a digest at the end' out || wrong "a recorded matrix: $(cat out)"
"$program" records nosuch > out 2> err
is 'records of no file' $? 1

# ---- names that a terminal would obey ----
bad=$(printf 'a\033[2K\rall pass')
cp all "$bad"
"$program" diff "$bad" "$bad" > out 2>&1
"$program" matrix "$bad" plain >> out 2>&1
"$program" matrix "$bad.not" >> out 2>&1
run --engine "$bad" family:swizzle
cat err >> out
LC_ALL=C grep -q "$(printf '[\033\r]')" out && wrong "an escape sequence of a file's name comes out: $(cat -v out)"
# ---- copycheck keep: what differs between runs varies; a documented verdict that differs is named ----
made() { # FILE SEEN VERDICT
    cat > "$1" <<EOF
{"copycheck":"0.1","engines":"gpu,jit,emu","planned":5}
{"point":"a","engine":"gpu","verdict":"seen","rule":"x","family":"x","phase":"launch","evidence":"observed","expected":"seen","outcome":"done","seen":"$2"}
{"point":"b","engine":"gpu","verdict":"$3","rule":"x","family":"x","phase":"launch","evidence":"documented","expected":"done","outcome":"done"}
{"point":"c","engine":"gpu","verdict":"seen","rule":"x","family":"x","phase":"launch","evidence":"observed","expected":"seen","outcome":"done","seen":"always"}
{"point":"a","engine":"jit","verdict":"seen","rule":"x","family":"x","phase":"launch","evidence":"observed","expected":"seen","outcome":"done","seen":"one"}
{"point":"a","engine":"emu","verdict":"seen","rule":"x","family":"x","phase":"launch","evidence":"observed","expected":"seen","outcome":"done","seen":"one"}
{"end":5}
EOF
}
made first one pass
made same one pass
made other two pass
made red one fail
"$program" keep first same > marked 2> err
is 'keep of equal runs' $? 0
grep -q varies marked && wrong 'keep of equal runs: something varies'
"$program" keep first same other > marked 2> err
is 'keep' $? 0
says 'keep' '2 marked as not the same in 3 runs'
# the device's other engine with it, and not the emulator
[ "$(grep '"varies":true' marked | grep -c '"point":"a","engine":"\(gpu\|jit\)"')" = 2 ] &&
    [ "$(grep -c '"varies":true' marked)" = 2 ] || wrong 'keep: not the one that varies'
"$program" diff marked other > out 2> err
is 'diff of what varies' $? 0
"$program" keep first marked > again 2> err
is 'keep with marks' $? 0
[ "$(grep -c '"varies":true' again)" = 2 ] || wrong 'keep: an older matrix does not hand on its marks'
"$program" keep first red > marked 2> err
is 'keep of a run that failed' $? 1
says 'keep of a run that failed' 'red: b on gpu is fail, and pass before'
"$program" keep first nosuch > marked 2> err
is 'keep of a file that is not there' $? 2
"$program" keep first > marked 2> err
is 'keep of one file' $? 0
grep -q varies marked && wrong 'keep of one file: something varies'
"$program" keep > marked 2> err
is 'keep of no file' $? 2
exit $failed
# SPDX-License-Identifier: Apache-2.0
