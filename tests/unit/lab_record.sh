#!/bin/sh
# What GPUs have shown of the labs' kernels: the records are of the files and verdicts that the keys have now, no solution
# has failed there, and the pages and the rule book say what the last record says, or that there is none.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
BUILD=$aside
export BUILD

# The keys' files and verdicts, as a record begins its lines.
for key in docs/labs/*/key; do
    lab=${key#docs/labs/}
    sed -n "s/^\([^# ][^ ]*\)  *\([a-z]*\)  *\([^ ]*\).*/${lab%%-*} \1 \2 \3/p" "$key"
done > "$aside/named"
cut -d ' ' -f 1-3 "$aside/named" > "$aside/keys"

last=/dev/null
for record in expected/recorded/labs-*.txt; do
    [ -e "$record" ] || continue
    last=$record
    grep -v '^#' "$record" | tr -s ' ' | cut -d ' ' -f 1-3 > "$aside/recorded"
    cmp -s "$aside/keys" "$aside/recorded" ||
        wrong "$record is of other files: $(diff "$aside/keys" "$aside/recorded" | head -n 4); make record-labs"
    awk '!/^#/ && $3 != "fail" && $5 != "right"' "$record" > "$aside/failed"
    [ ! -s "$aside/failed" ] || wrong "$record: $(cat "$aside/failed")"
done

# Each page is what tools/record-labs makes of the last record: nothing is left to write.
cp -r docs/labs "$aside/labs"
LABS=$aside/labs tools/record-labs "$last" > "$aside/out" 2>&1 || wrong "record-labs: $(cat "$aside/out")"
diff -r docs/labs "$aside/labs" > "$aside/out" || wrong "tools/record-labs $last: $(head -n 4 "$aside/out")"

# Made up: the kernels end in each way in turn. Nothing of it is kept.
mkdir "$aside/made"
{
    echo '# What an Example 9000 (driver 1.2.3) shows of each file of the labs: copycheck lab check --record'
    awk 'BEGIN { n = split("right 40 40,luck 18 40,wrong 0 40,fault 0 0,hang 10 10,refused 0 0,not-launched 0 0", seen, ",") }
         { print $0, $3 == "fail" ? seen[++k % n + 1] : "right 40 40" }' "$aside/named"
} > "$aside/made/labs-example.txt"
LABS=$aside/labs tools/record-labs "$aside/made/labs-example.txt" > "$aside/out" 2>&1 || wrong "record-labs: $(cat "$aside/out")"
grep -q '^Seen on an Example 9000 (driver 1.2.3): how' "$aside/labs/README.md" || wrong 'the guide does not name the GPU'
for words in 'bytes right in all 40 launches' 'bytes wrong in 22 of 40 launches' 'bytes wrong in 40 of 40 launches' \
    'a launch ends with an error' 'a launch has no end' 'the driver refuses it' 'not launched'; do
    grep -q "^| wrong/.* | $words |\$" "$aside"/labs/L*/answers.md || wrong "no page says: $words"
done
grep -q '^| solution.cu | - | bytes right in all 40 launches |$' "$aside/labs/L05-bulk-bytes/answers.md" || wrong 'the solution is left out'
"$copycheck" book "$aside/book" --recorded "$aside/made" > "$aside/out" 2>&1 || wrong "book: $(cat "$aside/out")"
page=$aside/book/rules/cpasync.visibility.others.html
grep -q 'L01, <code>wrong/no-barrier.cu</code>: On the Example 9000 (driver 1.2.3) ' "$page" ||
    wrong "the rule's page: $(grep -A 6 'In the labs' "$page")"
grep -q 'In the labs' "$aside/book/rules/cpasync.size.set.html" && wrong 'a lab of a rule that none is about'

# There is none.
LABS=$aside/labs tools/record-labs /dev/null > "$aside/out" 2>&1 || wrong "record-labs /dev/null: $(cat "$aside/out")"
for page in "$aside/labs/README.md" "$aside"/labs/L*/answers.md; do
    grep -q '^No GPU has been recorded yet' "$page" || wrong "$page does not say that nothing is recorded"
done
rm "$aside/made/labs-example.txt"
"$copycheck" book "$aside/book" --recorded "$aside/made" > "$aside/out" 2>&1 || wrong "book: $(cat "$aside/out")"
grep -q 'L01, <code>wrong/no-barrier.cu</code>: no GPU has been recorded' "$aside/book/rules/cpasync.visibility.others.html" ||
    wrong 'the rule book does not say that nothing is recorded'
grep -q '^<!-- seen -->$' docs/labs/L*/answers.md || wrong 'a page has no place for what a GPU shows'
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
