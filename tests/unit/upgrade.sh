#!/bin/sh
# copycheck upgrade: the page about two runs, and the exit status; assemblers of two releases are compared; machine code
# is told apart from behaviour.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common

# records FILE ENGINE: a run of three rows; VERDICT, SEEN and CODE are those of its lines
records()
{
    {
        echo "{\"copycheck\":\"0.1\",\"engines\":\"$2\",\"seed\":\"0000000000005eed\",\"planned\":3}"
        echo "{\"point\":\"fence.scope.set/fence:sem=acq_rel,accept=cta\",\"engine\":\"$2\",\"verdict\":\"$VERDICT\",\"rule\":\"fence.scope.set\",\"family\":\"fence\",\"phase\":\"assemble\",\"evidence\":\"documented\",\"expected\":\"accept\",\"outcome\":\"$OUTCOME\"}"
        echo "{\"point\":\"fence.acquire.isa/version:sem=acquire,seen=8.3\",\"engine\":\"$2\",\"verdict\":\"seen\",\"rule\":\"fence.acquire.isa\",\"family\":\"fence\",\"phase\":\"assemble\",\"evidence\":\"observed\",\"expected\":\"seen\",\"outcome\":\"$ANSWER\",\"seen\":\"$SEEN\"}"
        echo "{\"point\":\"fence.scope.set/fence:sem=acq_rel,accept=gpu\",\"engine\":\"$2\",\"verdict\":\"pass\",\"rule\":\"fence.scope.set\",\"family\":\"fence\",\"phase\":\"assemble\",\"evidence\":\"documented\",\"expected\":\"accept\",\"outcome\":\"accept\",\"machine\":\"$CODE\"}"
        echo '{"end":3}'
    } > "$1"
}

VERDICT=pass OUTCOME=accept SEEN=accepted ANSWER=accept CODE=00000000000000aa
records "$aside/before" ptxas-12.9
records "$aside/same" ptxas-13.5
CODE=00000000000000bb
records "$aside/code" ptxas-13.5
SEEN=refused ANSWER=refused
records "$aside/observed" ptxas-13.5
VERDICT=fail OUTCOME=refused
records "$aside/worse" ptxas-13.5

upgrade="$copycheck upgrade --before $aside/before"
ends 0 'no machine code changed' $upgrade --after "$aside/same"
ends 0 '1 of 1 results whose machine code is known' $upgrade --after "$aside/code"
ends 3 'What documents leave open changed' $upgrade --after "$aside/observed"
ends 3 'before  accepted' $upgrade --after "$aside/observed"
ends 1 'WORSE' $upgrade --after "$aside/worse"
ends 1 "report 'fence.scope.set/fence:sem=acq_rel,accept=cta'" $upgrade --after "$aside/worse"
# the recorded matrix of the assemblers says since when: expected/recorded/ptxas.jsonl
if [ -f expected/recorded/ptxas.jsonl ]; then
    ends 3 'as every recorded release since ptxas-13.1' $upgrade --after "$aside/observed"
fi
for format in html json; do
    status=0
    $upgrade --after "$aside/worse" --format "$format" --out "$aside/page" || status=$?
    [ "$status" = 1 ] || wrong "$format: status $status"
    grep -q 'fence.acquire.isa' "$aside/page" || wrong "$format: $(head -c 300 "$aside/page")"
done
if command -v python3 > /dev/null; then
    python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert d["status"] == 1 and d["machine"]["points"] == 1, d' \
        "$aside/page" || wrong 'the JSON is not what it should be'
fi
# a run that did not end gives no verdict
sed '$d' "$aside/observed" > "$aside/cut"
ends 2 'No verdict' $upgrade --after "$aside/cut"
# a folder for each change of rules and behaviour
ends 1 reports/01 $upgrade --after "$aside/worse" --reports "$aside/reports" --out "$aside/page"
[ -s "$aside/reports/01-fence.scope.set/row.ptx" ] || wrong "reports: $(ls "$aside/reports" 2>&1)"

# without --after the points are run: here on the emulator, where nothing changes
"$copycheck" run 'fence.scope.set*' --engine emu --no-recorded --out "$aside/first" > "$aside/out" 2>&1 || wrong "run: $(tail -n 2 "$aside/out")"
ends 0 'No rule' "$copycheck" upgrade --before "$aside/first" --records "$aside/second" --engine emu
[ -s "$aside/second" ] || wrong 'the run left no records'

# a head that says with what the points were run: they are run with it again; names with blanks are one word
"$copycheck" run 'fence.scope.set*' --engine emu --no-recorded --mutants --all --no-faults --out "$aside/whole" > "$aside/out" 2>&1 || true
ends 0 'No rule' "$copycheck" upgrade --before "$aside/whole" --records "$aside/again" --engine emu
head -n 1 "$aside/again" | grep -q '"mutants":true' || wrong "not run with mutants again: $(head -n 1 "$aside/again")"

# Changes are told by weight: worse ones first, then those of more points; points with the same change are one.
many()
{
    {
        echo '{"copycheck":"0.1","engines":"ptxas-13.5","seed":"0000000000005eed","planned":6}'
        while read -r rule axis evidence verdict outcome code; do
            echo "{\"point\":\"$rule/fence:sem=$axis\",\"engine\":\"ptxas-13.5\",\"verdict\":\"$verdict\",\"rule\":\"$rule\",\"family\":\"fence\",\"phase\":\"assemble\",\"evidence\":\"$evidence\",\"expected\":\"accept\",\"outcome\":\"$outcome\",\"seen\":\"$outcome\",\"machine\":\"$code\"}"
        done
        echo '{"end":6}'
    } > "$1"
}
many "$aside/one" << 'END'
fence.scope.set longer documented pass accept 00000000000000aa
fence.scope.set short documented pass accept 00000000000000aa
fence.scope.set other documented fail refused 00000000000000aa
fence.acquire.isa a documented pass accept 00000000000000aa
fence.acquire.isa b observed seen accept 00000000000000aa
fence.acquire.isa c documented pass accept 00000000000000aa
END
many "$aside/two" << 'END'
fence.scope.set longer documented fail refused 00000000000000aa
fence.scope.set short documented fail refused 00000000000000aa
fence.scope.set other documented pass accept 00000000000000aa
fence.acquire.isa a documented fail refused 00000000000000aa
fence.acquire.isa b observed seen refused 00000000000000aa
fence.acquire.isa c documented pass accept 00000000000000bb
END
"$copycheck" upgrade --before "$aside/one" --after "$aside/two" > "$aside/out" 2>&1 && wrong 'changes for the worse'
grep '^  [a-z.]* on ptxas' "$aside/out" > "$aside/changes" || true
cat > "$aside/want" << 'END'
  fence.scope.set on ptxas-13.5: 2 points  WORSE
  fence.acquire.isa on ptxas-13.5: 1 point  WORSE
  fence.scope.set on ptxas-13.5: 1 point
  fence.acquire.isa on ptxas-13.5: 1 point
  fence.acquire.isa on ptxas-13.5: 1 point
END
diff "$aside/want" "$aside/changes" || wrong 'the order of changes'
grep -q "report 'fence.scope.set/fence:sem=short'" "$aside/out" || wrong 'a change is shown by its shortest point'

refuses "$copycheck" upgrade
refuses "$copycheck" upgrade --before "$aside/none" --after "$aside/same"
refuses "$copycheck" upgrade --before "$aside/before" --after "$aside/none"
refuses $upgrade --after "$aside/same" --format pdf
refuses $upgrade --after "$aside/same" --out "$aside/no/page"
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
