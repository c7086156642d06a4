#!/bin/sh
# copycheck merge: who is unlike the others, files that do not count, shards, an interruption. Made record files.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
made=${BUILD:-build}/made_records
[ -x "$made" ] || { echo 'needs made_records: make test-programs'; exit 77; }
case $made in /*) ;; *) made=$PWD/$made ;; esac
cd "$aside" || exit 2

merge() { timeout 60 "$copycheck" merge "$@" > out 2> err; }
is() { # WORDS STATUS EXPECTED
    [ "$2" = "$3" ] || wrong "$1: status $2, expected $3: $(head -n 3 err)"
}
says() { # WORDS TEXT...
    what=$1
    shift
    for text; do grep -qF -- "$text" out err || wrong "$what: no '$text' in: $(head -n 12 out err)"; done
}

# ---- all alike; then two of them are not ----
mkdir alike odd
"$made" alike 12 300
merge alike
is 'machines that are alike' $? 0
says 'machines that are alike' '12 machines in 12 files, 3,600 records' 'no machine is unlike the others' \
    'NVIDIA H200  driver 580.159.04  toolkit 13.0.88'
"$made" odd 12 300 odd=7
merge odd
is 'odd bytes' $? 3
says 'odd bytes' '(n00007.jsonl): 2 results unlike those of most of its 12' ' on 11; pass, bytes '
sed -n 3p out | grep -q '^odd .*n00007' || wrong "the odd one is not named first: $(cat out)"
"$made" odd 1 300 bad=4 begin=4
merge odd
is 'a rule that fails' $? 1
says 'a rule that fails' '1F/1' 'fail, bytes ' '(n00004.jsonl): 1 result unlike'
merge odd --format jsonl --out merged
is '--out' $? 1
[ ! -s out ] && [ -z "$(ls merged*.part 2> /dev/null)" ] || wrong '--out writes elsewhere too'
[ ! "$(command -v python3)" ] || python3 - << 'P' || wrong 'the lines of --format jsonl'
import json
lines = [json.loads(line) for line in open("merged")]
assert lines[0]["files"] == 12 and lines[0]["records"] == 3600 and lines[0]["counted"] == 12
odd = {line["file"]: line["odd"] for line in lines if "machine" in line and line["odd"]}
assert odd == {"odd/n00007.jsonl": 2, "odd/n00004.jsonl": 1}, odd
cells = [line for line in lines if "point" in line]
assert len(cells) == 300 and all(cell["machines"] == 12 for cell in cells)
assert all(sum(r["machines"] for r in cell["results"]) == 12 for cell in cells)
assert any(r["verdict"] == "fail" and len(r["named"]) == 1 for cell in cells for r in cell["results"])
P
merge odd --format prometheus
is 'prometheus' $? 1
says 'prometheus' 'copycheck_files{state="counted"} 12' 'copycheck_odd_machines 2' \
    'copycheck_machines{group="1",device="NVIDIA H200",driver="580.159.04",toolkit="13.0.88"} 12' \
    'copycheck_results{group="1",engine="gpu",verdict="fail"} 1'
grep -v '^#' out | grep -vqE '^[a-z_]+(\{([a-z]+="[^"]*",?)+\})? [0-9]+$' && wrong "no Prometheus text: $(cat out)"

# ---- files that do not count, and say why ----
sed -i '100s/"ms":[0-9.]*/"ms":1/' alike/n00002.jsonl
head -c 20000 alike/n00005.jsonl > cut && mv cut alike/n00005.jsonl
cp alike/n00009.jsonl alike/n00009-again.jsonl
echo > alike/empty.jsonl
merge alike
is 'broken files' $? 2
says 'broken files' '11 machines in 14 files' 'not counted alike/n00002.jsonl:100: ' 'not counted alike/empty.jsonl:1: ' \
    'cut         alike/n00005.jsonl: ' '-again.jsonl' ': the same machine as alike/'
# Of two files of a machine the whole one counts, wherever it is named; and a broken one gives way.
mkdir two
"$made" two 1 300
head -c 20000 two/n00000.jsonl > two/part
for files in 'two/n00000.jsonl two/part' 'two/part two/n00000.jsonl'; do
    # shellcheck disable=SC2086 -- words
    merge $files
    is "a whole and a cut file: $files" $? 0
    says "$files" '1 machine in 2 files, 300 records'
done
sed 9d two/n00000.jsonl > two/broken
merge two/n00000.jsonl two/broken
is 'a broken file of a machine' $? 2
says 'a broken file of a machine' '1 machine in 2 files, 300 records' 'two/broken:9: '

# ---- shards ----
mkdir shards
"$made" shards 3 300 shards=4
merge shards
is 'shards' $? 0
says 'shards' '3 machines in 12 files, 900 records'
cp shards/n00001-2.jsonl again.jsonl
merge shards again.jsonl
is 'a shard twice' $? 0
says 'a shard twice' '3 machines in 13 files, 900 records' 'the same machine as'
rm shards/n00001-2.jsonl
merge shards
is 'a shard that is missing' $? 2
says 'a shard that is missing' '(n00001' '3 of 4 shards'

# ---- diff of more than two files ----
timeout 60 "$copycheck" diff odd/n00000.jsonl odd/n00004.jsonl odd/n00007.jsonl odd/n00001.jsonl > out 2> err
is 'diff of four' $? 1
says 'diff of four' '          pass a      fail b      pass c      pass a' '          pass a      pass a      pass b      pass a' \
    'odd/n00007.jsonl: NVIDIA H200  driver 580.159.04' '300 results, 2 unlike the first'
timeout 60 "$copycheck" diff odd/n00000.jsonl odd/n00001.jsonl odd/n00002.jsonl > out 2> err
is 'diff of three that are alike' $? 0
says 'diff of three that are alike' 'nothing differs'
timeout 60 "$copycheck" diff odd/n00000.jsonl odd/n00001.jsonl odd/n00007.jsonl > out 2> err
is 'diff of three' $? 3
timeout 60 "$copycheck" diff odd/n00000.jsonl odd/n00001.jsonl two/part > out 2> err
is 'diff with a cut file' $? 1
timeout 60 "$copycheck" diff odd/n00000.jsonl odd/n00001.jsonl two/broken > out 2> err
is 'diff with a broken file' $? 2
says 'diff with a broken file' 'two/broken:9: '

# ---- another kind of machine is none to be compared with ----
"$copycheck" run --engine emu --no-recorded --out emu.jsonl family:gather > /dev/null 2>&1
merge two/n00000.jsonl emu.jsonl
is 'two kinds' $? 0
says 'two kinds' '1 machine: NVIDIA H200' '1 machine: no GPU'

# ---- an interruption, no place, bad words ----
mkdir many
"$made" many 60 6000
echo before > merged
"$copycheck" merge many --out merged > out 2> err &
sleep 0.3
kill -INT $!
wait $!
is 'an interruption' $? 2
says 'an interruption' 'merge: interrupted after ' ' of 60 files; nothing was written'
[ "$(cat merged)" = before ] || wrong 'an interrupted merge wrote'
merge two/n00000.jsonl --out /nosuch/merged
is 'no such folder' $? 2
ln -s /dev/full full # that is the link's, so that a mistake would not replace the device
merge two/n00000.jsonl --out full
is 'a full disk' $? 2
[ -c full ] || wrong '--out replaces a device'
(ulimit -f 4; timeout 60 "$copycheck" merge two/n00000.jsonl --format jsonl --out small) > out 2> err
is 'a file that may not grow' $? 2
[ ! -e small ] && [ -z "$(ls small*.part 2> /dev/null)" ] || wrong 'a part of a file is left'
refuses "$copycheck" merge
refuses "$copycheck" merge --format xml two/n00000.jsonl
refuses "$copycheck" merge --bad two/n00000.jsonl
mkdir none
refuses "$copycheck" merge none
exit $failed
# SPDX-License-Identifier: Apache-2.0
