#!/bin/sh
# copycheck assemble as a user meets it, with toolkits that are shell scripts: lines, tabs, statuses, bad arguments.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common

# toolkit VERSION PTX SCRIPT: a ptxas that says it is VERSION, takes PTX up to a version, and then does SCRIPT
toolkit()
{
    mkdir -p "$aside/$1/bin"
    cat > "$aside/$1/bin/ptxas" <<END
#!/bin/sh
[ "\$1" = --version ] && { echo "Cuda compilation tools, release $1, V$1.7"; exit 0; }
text=\$(cat)
case \$text in
*'.version 99.9'*) echo "ptxas x, line 1; fatal   : Unsupported .version 99.9; current version is '$2'"; exit 255;;
*'entry k(){ret;}'*) [ "\$1" != -arch=sm_100a ] || { echo "ptxas fatal   : no such target"; exit 1; }; exit 0;;
esac
$3
END
    chmod +x "$aside/$1/bin/ptxas"
}
toolkit 71.2 9.0 'case $text in *BAD*) echo "ptxas f, line 3; error   : Unexpected thing"; exit 255;; esac; exit 0'
toolkit 71.3 8.4 'case $text in *BAD*) exit 0;; *CRASH*) kill -SEGV $$;; *WARN*) echo "ptxas f, line 4; warning : Advisory: slow";; esac; exit 0'
a="--toolkit $aside/71.2"
b="--toolkit $aside/71.3"

file() { printf '.version %s\n.target %s\n%s\n' "$2" "$3" "$4" > "$aside/$1"; }
file good 8.0 sm_90a ''
file bad 8.0 sm_90a BAD
file new 9.0 sm_90a ''
file other 8.0 sm_100a BAD
file crash 8.0 sm_90a CRASH
file warn 8.0 sm_90a WARN
file size 8.0 sm_90a 'cp.async.ca.shared.global [a], [b], 5;'
: > "$aside/empty"

# check STATUS EXPECTED ARGUMENT...: the command ends with STATUS, and prints EXPECTED ('|' means a tab)
check()
{
    wanted=$1 expected=$2
    shift 2
    status=0
    (cd "$aside" && "$copycheck" assemble "$@") > "$aside/out" 2>&1 < "$aside/bad" || status=$?
    got=$(tr '\t' '|' < "$aside/out")
    if [ $status -ne "$wanted" ] || [ "$got" != "$expected" ]; then
        printf 'assemble %s: status %s, not %s\n-- expected\n%s\n-- got\n%s\n' "$*" $status "$wanted" "$expected" "$got"
        failed=1
    fi
}

check 0 'good|accept' $a good
check 0 'bad|refuse|3|Unexpected thing' $a bad
check 0 '-|refuse|3|Unexpected thing' $a -
check 0 'good|ptxas-71.2|accept
good|ptxas-71.3|accept
bad|ptxas-71.2|refuse|3|Unexpected thing
bad|ptxas-71.3|accept' $a $b good bad
check 0 'good|accept' --engine ptxas-71.2 $a good
check 1 'bad|ptxas-71.2|refuse|3|Unexpected thing
bad|ptxas-71.3|accept
1 of 4 files: engines disagree; 1 that fewer than two engines know the version and target of' $a $b --compare good bad warn new
check 0 '0 of 1 files: engines disagree' $a $b --compare good
check 0 'new|refuse|0|needs PTX ISA 9.0; ptxas 71.3.7 takes up to 8.4' $b new
check 0 'other|refuse|0|does not know target sm_100a' $a other
check 0 'crash|crashed|0|ended by signal 11 (Segmentation fault)' $b crash
check 0 'warn|accept' $b warn
check 0 'warn|accept|4|Advisory: slow' $b --warnings warn
toolkit 71.4 9.0 'sleep 30'
check 0 'good|timeout|0|did not end within 200 ms' --toolkit "$aside/71.4" --deadline=200 good
toolkit 71.5 9.0 "echo \"ptxas f, line 3; error   : Argument 2 of instruction 'cp.async': unexpected value '5', expected to be 4 or 8 or 16\"; exit 255"
check 0 "size|refuse|3|Argument 2 of instruction 'cp.async': unexpected value '5', expected to be 4 or 8 or 16|cpasync.size.set" --toolkit "$aside/71.5" size

# lists and many files
{ echo good; echo; echo bad; } > "$aside/list"
check 0 'good|accept
bad|refuse|3|Unexpected thing' $a @list
i=0; while [ $i -lt 300 ]; do echo good; i=$((i + 1)); done > "$aside/many"
(cd "$aside" && "$copycheck" assemble $a --jobs 4 @many bad) > "$aside/out"
[ "$(grep -c 'accept$' "$aside/out")" = 300 ] && tail -n 1 "$aside/out" | grep -q refuse || { echo "300 files: $(wc -l < "$aside/out") lines"; failed=1; }

# bad files: one line each, the others still get their answer
check 2 'copycheck: empty:1: does not start with a .version directive: no PTX
good|accept' $a empty good
check 2 'good|accept
copycheck: none: No such file or directory' $a good none
check 2 'copycheck: none: No such file or directory' $a @none
check 2 'copycheck: .: Is a directory' $a .

# bad arguments
check 2 'copycheck: assemble: no file given; copycheck assemble --help explains' $a
check 2 "copycheck: assemble: no option '--jbos'; copycheck assemble --help lists them" --jbos 3 good
check 2 'copycheck: assemble: --jobs needs a value' good --jobs
check 2 "copycheck: assemble: --jobs '0': a number from 1 to 256" --jobs 0 good
check 2 "copycheck: assemble: --memory '12q': a number from 64 to 16777216" --memory 12q good
check 2 "copycheck: assemble: --deadline '-1': a number from 1 to 3600000" --deadline -1 good
check 2 'copycheck: assemble: --compare needs two engines or more' $a --compare good
check 2 'copycheck: assemble: --engine names none' --engine , good
check 2 "copycheck: no ptxas in '/nonexistent'" --toolkit /nonexistent good
check 2 "copycheck: no toolkit 70.1 in build/toolkits: tools/toolkit 70.1 fetches it" --toolkit 70.1 good
check 2 'copycheck: no ptxas 70.1 on this machine: tools/toolkit 70.1 fetches it' --engine ptxas-70.1 good
"$copycheck" assemble --help | grep -q '^usage: copycheck assemble' || { echo 'no help'; failed=1; }

# a full disk is no success
if [ -w /dev/full ]; then
    status=0
    "$copycheck" assemble $a "$aside/good" > /dev/full 2> "$aside/out" || status=$?
    [ $status = 2 ] && grep -q 'cannot write standard output: No space left' "$aside/out" || { echo "full disk: $status"; cat "$aside/out"; failed=1; }
fi

# interrupted: it ends at once, and no assembler stays
(cd "$aside" && exec "$copycheck" assemble --toolkit "$aside/71.4" good good good) > "$aside/out" 2>&1 &
pid=$!
sleep 0.7
kill -TERM $pid
status=0
wait $pid || status=$?
[ $status = 143 ] || { echo "interrupted: status $status"; failed=1; }
sleep 0.2
for cmd in /proc/[0-9]*/cmdline; do
    if { tr '\0' ' ' < "$cmd"; } 2>/dev/null | grep -q "^/bin/sh $aside/71.4/bin/ptxas"; then
        echo "an assembler is left: $cmd"
        failed=1
    fi
done
[ $failed = 0 ] && echo "assemble.sh: all as expected"
exit $failed
# SPDX-License-Identifier: Apache-2.0
