#!/bin/sh
# Rows that are asked together have the records that they have alone, whatever an assembler does with many entries.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common

# An assembler of one instruction: sizes 4, 8 and 16 are right, a negative one cannot be parsed, 8 is warned of. What else
# it does where a module has more than one entry is in the file `mode` beside it; it counts its texts in `count`.
cat > "$aside/ptxas" <<'SH'
#!/bin/sh
[ "$1" = --version ] && { echo 'Cuda compilation tools, release 12.4, V12.4.131'; exit 0; }
here=${0%/*}
exec awk -v mode="$(cat "$here/mode")" -v count="$here/count" '
function say(kind, line, text) { printf "ptxas f, line %d; %-8s: %s\n", line, kind, text }
function stop(status) { ended = 1; exit status }
/^\.version 99/ { print "ptxas f, line 1; fatal   : Unsupported .version 99.9; current version is \0478.4\047"; stop(255) }
/\.entry/ { entries++ }
/^cp.async/ {
    size = $NF; sub(/;/, "", size)
    if (size < 0) { say("fatal", NR, "Parsing error near \047-\047: syntax error"); bad = 1; exit }
    if (size == 8) say("warning", NR, "Advisory: slow")
    if (size != 4 && size != 8 && size != 16) { say("error", NR, "unexpected value " size); bad = 1; at[++n] = NR }
}
END {
    if (ended) exit 255
    if (entries) print "text" >> count
    if (entries > 1 && mode == "crash") { close(count); system("kill -SEGV $PPID"); }
    if (entries > 1 && mode == "internal") { print "ptxas error   : Internal compiler error"; exit 255 }
    if (entries > 1 && mode == "elsewhere" ) for (i = 20; i < 400; i++) say("error", i, "misled")
    if (entries > 1 && mode == "silent") exit 255
    if (entries > 1 && mode == "takes-all") exit 0
    if (bad) { print "ptxas fatal   : Ptx assembly aborted due to errors"; exit 255 }
}'
SH
chmod +x "$aside/ptxas"

# asked NAME OPTION...: runs the rows; their records are in $aside/NAME, and $texts says how many texts were asked about
asked()
{
    name=$1
    shift
    : > "$aside/count"
    PATH="$aside:$PATH" "$copycheck" run --engine ptxas --no-recorded --out "$aside/out.jsonl" "$@" \
        rule:cpasync.size.set > "$aside/report" 2>&1 || { wrong "$name: $(tail -n 3 "$aside/report")"; }
    sed 's/,"ms":[0-9.e-]*//; s/,"sum":"[0-9a-f]*"//' "$aside/out.jsonl" > "$aside/$name"
    texts=$(wc -l < "$aside/count")
}

echo none > "$aside/mode"
asked alone --alone --jobs 2 --mutants
alone=$texts
grep -q '"verdict":"pass".*"message   Advisory: slow"' "$aside/alone" || wrong 'no warning is recorded'
for jobs in 1 3; do
    asked together --jobs $jobs --mutants
    cmp "$aside/alone" "$aside/together" || wrong 'the records differ'
    [ "$texts" -lt $((alone / 3)) ] || wrong "$texts texts were asked together, $alone alone"
done
asked repeated --repeat 2 --jobs 2 --mutants
[ "$texts" -ge $((2 * alone - 4)) ] || wrong "with --repeat each row is asked alone, each time: $texts"
for mode in crash internal elsewhere silent takes-all; do
    echo "$mode" > "$aside/mode"
    asked "$mode" --mutants
    cmp "$aside/alone" "$aside/$mode" || wrong "$mode: the records differ"
done
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
