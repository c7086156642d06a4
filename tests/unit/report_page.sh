#!/bin/sh
# The HTML report of a run in Chromium: the matrix comes first, what was observed is hidden until it is asked for, and
# a word that is looked for hides all rows without it.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
built_kernels

browser=
for name in chromium chromium-browser google-chrome; do
    [ "$browser" ] || browser=$(command -v $name || true)
done
[ "$browser" ] || { echo 'needs chromium (Debian package chromium)'; exit 77; }

"$copycheck" run --engine emu 'rule:swz.*' --kernels "$kernels" --out "$aside/run.jsonl" --format html > "$aside/report.html" 2> "$aside/err"
grep -q '<h2>No failures</h2>' "$aside/report.html" || wrong "no report: $(head -n 3 "$aside/err")"
[ "$(grep -n '<table>' "$aside/report.html" | head -n 1 | cut -d : -f 1)" -lt "$(grep -n '<form' "$aside/report.html" | cut -d : -f 1)" ] ||
    wrong 'the matrix does not come first'
{
    sed 's|</body></html>||' "$aside/report.html"
    cat << 'EOF'
<script>
const say = words => document.body.append('SAID ' + words + ' END');
const observed = document.getElementById('observed'), shown = () => all.filter(e => !e.hidden).length;

say('at first ' + observed.hidden);
f.observed.click();
say('asked for ' + observed.hidden);
f.w.value = 'swz.128b';
f.w.dispatchEvent(new Event('input', { bubbles: true }));
say('found ' + (shown() > 0 && shown() < all.length && all.every(e => e.hidden || e.dataset.w.includes('swz.128b'))));
say('rules ' + document.getElementById('rules').open);
</script></body></html>
EOF
} > "$aside/driven.html"
timeout 100 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$aside/profile" --dump-dom \
    "file://$aside/driven.html" 2> "$aside/log" | grep -o 'SAID [a-z ]* END' > "$aside/said"
printf 'SAID %s END\n' 'at first true' 'asked for false' 'found true' 'rules true' > "$aside/expected"
cmp -s "$aside/expected" "$aside/said" || wrong "the page: $(cat "$aside/said")"
exit $failed
# SPDX-License-Identifier: Apache-2.0
