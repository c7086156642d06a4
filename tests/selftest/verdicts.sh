#!/bin/sh
# What the harness has to call each case of tests/selftest/cases.c, and that runs are whole whatever happens to them.
set -u
cd "$(dirname "$0")/../.." || exit 2
self=${SELFTEST:-build/selftest}
aside=$(mktemp -d)
trap 'rm -rf "$aside"' EXIT
passed=0 failed=0

ok() { # NAME CONDITION...
    name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not so: $name" >&2
    fi
}

equal() { [ "$1" = "$2" ] || { printf '  got %s, expected %s\n' "$1" "$2" >&2; false; }; }
has() { grep -qF -- "$2" "$1" || { printf '  no "%s" in %s:\n' "$2" "$1" >&2; tail -n 5 "$1" >&2; false; }; }
record() { grep -F "\"point\":\"$2\"," "$1"; }
# Verdicts alone, a line for each point: what two runs must agree on.
verdicts() { sed -n 's/.*"point":"\([^"]*\)","engine":"\([^"]*\)","verdict":"\([^"]*\)".*/\1 \2 \3/p' "$1" | sort; }
run() { "$self" run --no-recorded "$@" > "$aside/out" 2> "$aside/err"; }
children() { cat "/proc/$1/task/$1/children" 2> /dev/null; }

# ---- each case by its name ----
run --out "$aside/all" --mutants --deadline 400 'selftest.[!m]*' 'selftest.memory*'
ok 'the run fails' equal $? 1
while IFS='|' read -r point verdict words; do
    [ "$point" ] || continue
    line=$(record "$aside/all" "$point")
    case $line in
    *"\"verdict\":\"$verdict\""*"$words"*) ok "$point" true ;;
    *)
        echo "  $line" >&2
        ok "$point is $verdict: $words" false
        ;;
    esac
done << 'ROWS'
selftest.pass:kernel=copy|pass|
selftest.pass:kernel=copy!nothing|killed|
selftest.wrong:kernel=wrong|fail|byte 32 of the buffer; 1 of 64 bytes are wrong
selftest.wrong/count|fail|expected  the count 3
selftest.guard:kernel=too_much|fail|guard     byte 0 behind buffer 1 was overwritten with 0x77
selftest.guard:kernel=before|fail|guard     byte 2 before buffer 1 was overwritten with 0x77
selftest.fault:kernel=fault|fault|illegal address
selftest.fault/foreseen:kernel=fault|fault|illegal address
selftest.hang:kernel=wait|hang|a wait ran out on the device (bits 0x5)
selftest.hang:kernel=sleep|hang|no end within 400 ms; the worker was killed
selftest.die:kernel=die|broken|died of signal 11
selftest.die:kernel=leave|broken|ended its process with status 7
selftest.silent|unproven|judged nothing
selftest.luck|pass|
selftest.luck!nothing|survived|
selftest.luck!again|excused|
selftest.company/culprit:kernel=poison|pass|
selftest.company/between:kernel=copy,n=7|pass|
selftest.company/victim:kernel=victim|pass|
selftest.skip|skip|needs two suns, found one
selftest.skip/engine:kernel=unsupported|skip|needs a thing, found none
selftest.broken/axis|broken|asks for axis 'colour', which it lacks
selftest.broken/misspelt:kind=word|broken|asks for axis 'kid', which it lacks
selftest.broken/number:kind=word|broken|axis kind=word is no integer
selftest.broken/past|broken|bytes 8 to 24 in a buffer of 16
selftest.refused:kernel=refused|fail|invalid value
selftest.refused:kernel=absent|fail|no such kernel
selftest.flaky:kernel=sometimes|pass|
selftest.breach:kernel=copy|pass|
selftest.breach:kernel=copy~fault|seen|"seen":"fault 716
selftest.breach:kernel=copy~nothing|seen|"seen":"differs
selftest.breach:kernel=copy~again|seen|"seen":"as conforming
selftest.observed:kernel=copy|seen|"seen":"as conforming
selftest.observed:kernel=wrong|seen|"seen":"differs
selftest.observed:kernel=wait|seen|"seen":"a wait ran out
selftest.row:accept=good|pass|
selftest.row:accept=bad|fail|syntax error
selftest.row:accept=crash|fail|died of signal 11
selftest.row:accept=endless|hang|no end within its deadline
selftest.row:accept=hungry|fail|wanted more than its limit
selftest.row:accept=unknown|skip|needs PTX 9.9, takes 9.0
selftest.row:refuse=bad|pass|
selftest.row:refuse=good|fail|got       accept
selftest.row:refuse=crash|fail|got       crashed
selftest.row:seen=good|seen|"seen":"accepted"
selftest.row:seen=bad|seen|"seen":"refused"
selftest.row:seen=crash|seen|"seen":"crashed"
selftest.row/turned:accept=good|pass|
selftest.row/turned:accept=bad!other-side|killed|
selftest.row/turned:refuse=good!other-side|killed|
selftest.encode:accept=2|pass|
selftest.encode:accept=6|fail|tensorRank must be 1 to 5
selftest.encode:refuse=6|pass|
selftest.encode:refuse=2|fail|the documents allow this call
selftest.encode:seen=7|seen|"seen":"refused"
selftest.memory|pass|
selftest.memory/buffers|broken|a point has at most 48 buffers
selftest.memory/scratch|broken|no room for 8 bytes of host scratch
selftest.memory/outside|broken|a comparison of bytes 8 to 24 in a buffer of 16
selftest.ticks:ticks=four|seen|"ratio":5,"low":3.5,"high":6.5,"rounds":4
selftest.ticks:ticks=nothing|broken|round 1 took 3 and 0 ticks
selftest.ticks:ticks=cold|broken|no round is left to measure
selftest.driver:what=streams|skip|fake has no streams
selftest.driver:what=pages|skip|needs a driver: fake knows nothing of page-locked memory
selftest.driver:what=registers|skip|needs machine code: fake runs PTX
selftest.driver:what=names|skip|needs a driver: fake has no functions that go by a name
selftest.rows/rank:rank=2|pass|
selftest.rows/rank:rank=6|fail|expected  the encode call accepts the map
selftest.rows/axis:accept=good|broken|cannot be made: a missing axis
selftest.rows/version:accept=none|broken|a version that is none
selftest.rows/words:accept=none|broken|a number is missing at 'two'
selftest.rows/type:accept=f99|broken|no such name
selftest.rows/type:accept=f16|pass|
selftest.rows/colour:accept=2|broken|cannot be made: a missing axis
selftest.outcomes/may-hang:kernel=wait|pass|"seen":"end 0, bits 5"
selftest.outcomes/args|broken|kernel arguments of 1 bytes
selftest.outcomes/again:kernel=fault|broken|a launch after a fault
selftest.judging|fail|expected  it 99 (0x63)
selftest.needs:kernel=copy|skip|needs sm_100a; fake is sm_90
selftest.two:kernel=copy|skip|needs two GPUs
selftest.open:kernel=fault|seen|"seen":"fault 700; end 1
selftest.open:kernel=refused|seen|"seen":"launch refused 1"
selftest.open:kernel=refused~odd|seen|a breach","varies":true
selftest.open:kernel=sleep|seen|"seen":"hang"
selftest.open:kernel=die|broken|died of signal 11
selftest.open:kernel=before|seen|"seen":"wrote before buffer 1
selftest.open/encode:rank=6|seen|"seen":"encode refused
ROWS
ok 'a survivor is named' has "$aside/out" 'mutant survived: selftest.luck!nothing on fake'
ok 'records are as many as planned' equal "$(grep -c '"point"' "$aside/all")" \
    "$(sed -n 's/.*"planned":\([0-9]*\).*/\1/p' "$aside/all")"
ok 'the end line counts them' equal "$(tail -n 1 "$aside/all" | cut -d, -f1)" "{\"end\":$(grep -c '"point"' "$aside/all")"

# ---- sources, on an engine that compiles ----
run --out "$aside/sources" --engine compiler 'selftest.source*'
ok 'sources: some fail' equal $? 1
while IFS='|' read -r point verdict words; do
    line=$(record "$aside/sources" "$point")
    case $line in
    *"\"verdict\":\"$verdict\""*"$words"*) ok "$point" true ;;
    *)
        echo "  $line" >&2
        ok "$point is $verdict: $words" false
        ;;
    esac
done << 'ROWS'
selftest.source/cuda:accept=good|pass|
selftest.source/cuda:accept=bad|fail|expected  accept\ngot       refused\nmessage   error: no\ntext      bad one;
selftest.source/cuda:refuse=bad|fail|must say  because
selftest.source/cuda:refuse=good|fail|expected  refuse\ngot       accept
selftest.source/cuda:refuse=because|pass|
selftest.source/holds:accept=one|pass|holds     one
selftest.source/holds:accept=two|fail|must hold one
selftest.source/none:accept=three|pass|
selftest.source/none:accept=two|fail|must hold none of these
selftest.source/end:accept=endless|hang|got       timeout
selftest.source/end:accept=unknown|skip|needs another release
selftest.source/axis:accept=one|broken|a missing axis
selftest.source-seen/words:seen=one|seen|"seen":"accepted; one"
selftest.source-seen/words:seen=three|seen|"seen":"accepted; none of the words"
selftest.source-seen/tile:seen=one|seen|"seen":"accepted; holds tile"
ROWS

# By themselves, as a point that ends the worker of the culprit would let the victim live. The points between keep the
# two apart, as several run at a time.
run --out "$aside/company" 'selftest.company*'
ok 'a point that dies of another one passes' equal $? 0
ok 'and the other one is named' has "$aside/company" \
    '"company   died after selftest.company/culprit:kernel=poison, lives alone"'

run --out "$aside/flaky" --repeat 3 'selftest.flaky*'
ok 'an unstable point fails' equal $? 1
ok 'and is named' has "$aside/flaky" 'unstable  fail in run 2 of 3, pass before'
run --out "$aside/steady" --repeat 3 'selftest.wrong*'
ok 'a steady failure is reported' has "$aside/out" '(3 of 3 runs)'

# ---- the same verdicts with another seed, in another order, one engine beside others ----
verdicts "$aside/all" > "$aside/all.v"
run --out "$aside/seed" --mutants --deadline 400 --seed 77 'selftest.[!m]*' 'selftest.memory*'
verdicts "$aside/seed" > "$aside/seed.v"
ok 'another seed, the same verdicts' diff "$aside/all.v" "$aside/seed.v"
run --out "$aside/order" --mutants --deadline 400 --shuffle 'selftest.[!m]*' 'selftest.memory*'
verdicts "$aside/order" > "$aside/order.v"
ok 'another order, the same verdicts' diff "$aside/all.v" "$aside/order.v"
run --out "$aside/two" --engine assembler,closed 'selftest.row*' 'selftest.pass*'
ok 'two engines' equal $? 1
ok 'what does not open is a skip' has "$aside/two" '"engine":"closed","verdict":"skip"'
run --out "$aside/closed" --engine closed 'selftest.pass*'
ok 'nothing but skips is no verdict' equal $? 2
run --out "$aside/x" --engine absent
ok 'an unknown engine' equal $? 2
run --out "$aside/x" 'nothing.*'
ok 'an empty selection' equal $? 2

# ---- options and selections, good and bad ----
while read -r words; do
    # shellcheck disable=SC2086 -- an option a word
    run --out "$aside/x" $words
    ok "refused: $words" equal $? 2
    ok "says so: $words" has "$aside/err" "copycheck: "
done << 'WORDS'
--repeat 0
--jobs many
--deadline -1
--shard 4/3
--shard 0/3
--shard 1/3x
--seed red
--format pdf
--colour
--engine
rule:selftest.absent
failed:/nowhere
--recorded /nowhere selftest.pass*
--engine assembler selftest.pass*
WORDS
run --help
ok 'run explains itself' has "$aside/out" 'usage: copycheck run'
run --out "$aside/failed" --deadline 400 --jobs 2 --profile --format ktap "failed:$aside/all" rule:selftest.luck
ok 'what failed fails again' equal $? 1
ok 'and nothing else is run' equal "$(grep -c '"verdict":"pass"' "$aside/failed")" 1
ok 'as KTAP' has "$aside/out" 'KTAP version 1'
run --out "$aside/x" --engine assembler --jobs 3 --profile rule:selftest.row family:nothing
ok 'a family that is not there' equal $? 2
run --out "$aside/x" --engine assembler --jobs 3 --profile rule:selftest.row
ok 'a profile is printed' has "$aside/out" 'profile  '
"$self" run --out "$aside/x" --recorded "$aside/all" 'selftest.pass*' > "$aside/out" 2> "$aside/err"
ok 'as recorded' equal $? 0
ok 'and says so' has "$aside/out" 'as recorded without a GPU'
sed '/"selftest.pass:kernel=copy"/s/"verdict":"pass"/"verdict":"fail"/' "$aside/all" > "$aside/other"
"$self" run --out "$aside/x" --recorded "$aside/other" 'selftest.pass*' > "$aside/out" 2> "$aside/err"
ok 'an edited recorded file: no verdict' equal $? 2
ok 'an edited recorded file: is named' has "$aside/err" "the line's sum is not right"
sed -i 's/,"sum":"[^"]*"//; 1s/"schema":2,//; 1s/,"plan":"[^"]*"//; $s/,"digest":"[^"]*"//' "$aside/other" # an early version's
"$self" run --out "$aside/x" --recorded "$aside/other" 'selftest.pass*' > "$aside/out" 2> "$aside/err"
ok 'not as recorded' has "$aside/out" 'except for 1 change'
"$self" list > "$aside/list"
ok 'the list is the plan' has "$aside/list" 'selftest.company/victim:kernel=victim'
"$self" list --mutants --cases rule:selftest.luck > "$aside/list"
ok 'a case a line' equal "$(wc -l < "$aside/list" | tr -d ' ')" 1
for words in --colour nothing; do
    "$self" list $words > "$aside/out" 2> "$aside/err"
    ok "list refuses $words" equal $? 2
done
"$self" list --help > "$aside/out"
ok 'list explains itself' has "$aside/out" 'usage: copycheck list'

# ---- shards add up to the plan ----
for i in 1 2 3; do
    run --out "$aside/shard$i" --shard $i/3 'selftest.c*' 'selftest.r*'
done
run --out "$aside/whole" 'selftest.c*' 'selftest.r*'
cat "$aside/shard1" "$aside/shard2" "$aside/shard3" > "$aside/shards"
verdicts "$aside/shards" > "$aside/shards.v"
verdicts "$aside/whole" > "$aside/whole.v"
ok 'three shards are the whole' cmp -s "$aside/shards.v" "$aside/whole.v"

# ---- an interrupted run keeps what it has, and goes on ----
whole() { # NAME: resumes the file and compares it with the whole run
    run --resume "$aside/$1" 'selftest.many*'
    ok "$1: resumes" equal $? 0
    verdicts "$aside/$1" > "$aside/$1.v"
    ok "$1: nothing is lost or done twice" cmp -s "$aside/$1.v" "$aside/many.v"
    ok "$1: ends" has "$aside/$1" '{"end":300,'
}
run --out "$aside/many" 'selftest.many*'
ok 'three hundred points pass' equal $? 0
verdicts "$aside/many" > "$aside/many.v"

head -c "$(($(wc -c < "$aside/many") / 2))" "$aside/many" > "$aside/cut"
"$self" matrix "$aside/cut" > /dev/null 2> "$aside/err"
ok 'a cut file can be read' equal $? 0
ok 'and is said to be cut' has "$aside/err" 'did not finish'
whole cut

started() { # waits until a run has written some records
    n=0
    while [ "$(grep -s '"point"' "$1" | wc -l)" -lt 20 ] && [ $n -lt 500 ]; do
        n=$((n + 1))
        sleep 0.02
    done
}
# Who kills a worker says nothing about its point: it runs again, and no record is another one.
for signal in KILL TERM; do
    rm -f "$aside/part"
    "$self" run --no-recorded --out "$aside/part" 'selftest.many*' > "$aside/out" 2> "$aside/err" &
    pid=$!
    started "$aside/part"
    shot=0
    while [ $shot -lt 6 ]; do
        for worker in $(children $pid); do
            kill -$signal "$worker" 2> /dev/null
        done
        shot=$((shot + 1))
        sleep 0.03
    done
    wait $pid
    ok "SIG$signal of workers: the run passes" equal $? 0
    verdicts "$aside/part" > "$aside/part.v"
    ok "SIG$signal of workers: the same verdicts" cmp -s "$aside/part.v" "$aside/many.v"
done
for signal in INT TERM KILL; do
    rm -f "$aside/part"
    # A background job of a shell ignores SIGINT unless it gets it back.
    python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
        "$self" run --no-recorded --out "$aside/part" 'selftest.many*' > "$aside/out" 2> "$aside/err" &
    pid=$!
    started "$aside/part"
    workers=$(children $pid)
    kill -$signal $pid
    wait $pid
    status=$?
    if [ $signal = KILL ]; then
        ok 'a killed run' equal $status 137
    else
        ok "SIG$signal: no verdict" equal $status 2
        ok "SIG$signal: says how to go on" has "$aside/err" "interrupted; go on with --resume $aside/part"
    fi
    sleep 0.1
    for worker in $workers; do
        ok "SIG$signal: no worker is left" [ ! -d "/proc/$worker" -o -n "$(sed -n '/^State:.*Z/p' "/proc/$worker/status" 2> /dev/null)" ]
    done
    ok "SIG$signal: the run is cut" [ "$(grep -c '"end"' "$aside/part")" = 0 ]
    whole part
done

# ---- a killed worker is no one's fault ----
rm -f "$aside/killed"
"$self" run --no-recorded --out "$aside/killed" 'selftest.many*' > "$aside/out" 2> "$aside/err" &
pid=$!
started "$aside/killed"
for worker in $(children $pid); do
    kill -KILL "$worker"
done
wait $pid
ok 'a killed worker: the run goes on' equal $? 0
verdicts "$aside/killed" > "$aside/killed.v"
ok 'a killed worker: nothing is lost' cmp -s "$aside/killed.v" "$aside/many.v"

# ---- a full disk ----
run --out /dev/full 'selftest.pass*'
ok 'a full disk: no verdict' equal $? 2
ok 'a full disk: is named' has "$aside/err" 'cannot write /dev/full: No space left on device'
(
    trap '' XFSZ
    ulimit -f 16
    "$self" run --no-recorded --out "$aside/small" 'selftest.many*' > "$aside/out" 2> "$aside/err"
)
ok 'a file that may not grow: no verdict' equal $? 2
ok 'a file that may not grow: is named' has "$aside/err" "cannot write $aside/small: File too large"
whole small
"$self" matrix --format html "$aside/many" > /dev/full 2> "$aside/err"
ok 'a report that cannot be written' equal $? 2
run --out /nonexistent/deep/x 'selftest.pass*'
ok 'a folder that is not there' equal $? 2

# ---- a record file that is none ----
echo '{"end":1}' > "$aside/bad"
run --resume "$aside/bad" 'selftest.pass*'
ok 'resuming what is no record file' equal $? 2
ok 'says where' has "$aside/err" "$aside/bad:1: no record file"
run --resume "$aside/many" --seed 1 'selftest.many*'
ok 'resuming with another seed' equal $? 2

echo "[  PASSED  ] $passed test(s)."
[ "$failed" = 0 ] || {
    echo "[  FAILED  ] tests: $failed test(s), listed below:"
    exit 1
}
# SPDX-License-Identifier: Apache-2.0
