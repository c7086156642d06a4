#!/bin/sh
# What GPUs have shown of the labs' kernels: the records are of the files and verdicts that the keys have now, no solution
# has failed there, and the guide's table is that of the last record.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
last=
for record in expected/recorded/labs-*.txt; do
    [ -e "$record" ] || continue
    last=$record
    for key in docs/labs/*/key; do
        lab=${key#docs/labs/}
        sed -n "s/^\([^# ][^ ]*\)  *\([a-z]*\).*/${lab%%-*} \1 \2/p" "$key"
    done > "$aside/keys"
    grep -v '^#' "$record" | tr -s ' ' | cut -d ' ' -f 1-3 > "$aside/recorded"
    cmp -s "$aside/keys" "$aside/recorded" ||
        wrong "$record is of other files: $(diff "$aside/keys" "$aside/recorded" | head -n 4); make record-labs"
    awk '!/^#/ && $3 != "fail" && $5 != "right"' "$record" > "$aside/failed"
    [ ! -s "$aside/failed" ] || wrong "$record: $(cat "$aside/failed")"
done
[ "$last" ] || { echo 'nothing is recorded: make record-labs'; exit 77; }
sed -n '/^<!-- seen -->$/,/^<!-- seen, end -->$/{/^<!--/!p;}' docs/labs/README.md > "$aside/told"
tools/labs-seen "$last" | cmp -s - "$aside/told" || wrong "docs/labs/README.md: tools/record-labs $last writes its table"
exit "$failed"
