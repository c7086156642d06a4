#!/bin/sh
# The rule book: every link leads somewhere, the search has every rule, each page has sentence and source. The small
# programs break the rule that they say, and are clean with the lines that mend them. copycheck explain.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common

# ---- pages ----
ends 0 'index.html: ' "$copycheck" book "$aside/book"
"$copycheck" rules --format tsv > "$aside/rules.tsv"
if command -v python3 > /dev/null; then
    python3 tests/unit/book_links.py "$aside/book" "$aside/rules.tsv" > "$aside/out" || wrong "$(cat "$aside/out")"
fi
page=$aside/book/rules
grep -q '<form class=filter hidden' "$aside/book/index.html" && grep -q '<noscript>' "$aside/book/index.html" ||
    wrong 'a search is shown that needs a script'
grep -l '^<p>\.</p>' "$aside"/book/family-*.html && wrong 'a family of which harness/book/subjects.def says nothing'
[ ! -e "$aside/book/family-listings.html" ] || wrong 'a page without a rule'
grep -q '<tr id=w-mutant>' "$aside/book/words.html" || wrong 'no word to link to'
grep -q 'gpu@13.5</td><td class=t>.*toolkit 13.5<' "$page/bulk.order.none-between.html" || wrong 'a toolkit that built nothing'
grep -q '<span class=i>    c</span>p.async.bulk' "$page/bulk.order.none-between.html" || wrong 'an indented line may break early'
grep -q 'class=yes>Yes' "$page/bulk.order.none-between.html" || wrong 'a documented rule that is kept cannot be relied on'
grep -q 'class=as>As recorded' "$page/cpasync.srcsize.equal.html" || wrong 'an observed rule can be relied on'
grep -q 'findings.html#f[0-9]' "$page/cpasync.srcsize.equal.html" || wrong 'no finding at a rule that has one'
grep -q '<mark>.*NO_WAIT' "$page/bulk.order.none-between.html" || wrong 'the changed line of a kernel is not marked'
grep -q 'diagnosed bulk.order.none-between' "$page/bulk.order.none-between.html" || wrong 'no word of the emulator'
grep -q '<svg' "$page/swz.128b.formula.html" || wrong 'no picture of a swizzle'
grep -q '<svg' "$page/tensor.tile.oob.load-negative.html" || wrong 'no picture of a box'
grep -q 'details class="play' "$page/group.wait.n.html" && wrong 'a playground without an emulator'
# Without the sources the tables are there all the same; with the emulator beside them pages have a playground.
mkdir -p "$aside/again" && : > "$aside/again/emulator.js"
ends 0 'index.html: ' "$copycheck" book "$aside/again" --sources "$aside"
grep -q 'details class="play' "$aside/again/rules/cpasync.size.set.html" || wrong 'no playground beside an emulator'
grep -q 'The kernel <code>' "$aside/again/rules/bulk.order.none-between.html" && wrong 'a kernel from nowhere'
refuses "$copycheck" book
refuses "$copycheck" book a b
refuses "$copycheck" book --bad
refuses "$copycheck" book "$aside/rules.tsv"
refuses "$copycheck" book "$aside/again" --recorded "$aside/none"

# ---- the small programs ----
for program in docs/examples/*.ptx; do
    rule=$(sed -n 's|^// rules \([^ ]*\).*|\1|p' "$program")
    grep -E '^// (grid|block|cluster|smem|arg|map) ' "$program" | cut -c4- > "$aside/spec"
    status=0
    "$copycheck" check "$program" --spec "$aside/spec" > "$aside/out" 2>&1 || status=$?
    [ $status = 1 ] && grep -q "^$rule  in " "$aside/out" || wrong "$program does not break $rule: $(head -n 3 "$aside/out")"
    [ "$(grep -c '^[a-z].*  in ' "$aside/out")" = 1 ] || wrong "$program has more than one finding"
    sed 's#^\( *\).*// mend: #\1#' "$program" > "$aside/mended.ptx"
    "$copycheck" check "$aside/mended.ptx" --spec "$aside/spec" > "$aside/out" 2>&1 ||
        wrong "$program is not mended: $(head -n 3 "$aside/out")"
done

# ---- explain ----
ends 0 'mistakes  store without waiting for the load' "$copycheck" explain bulk.order.none-between
ends 0 'copycheck show cpasync.size.set' "$copycheck" explain cpasync.size.set
ends 0 'takes   .version 7.4 | 7.5' "$copycheck" explain cpasync.isa.prefetch
ends 0 'L2::64B [sa]' "$copycheck" explain cpasync.isa.prefetch
ends 0 'not     for $: (nothing) | .sync' "$copycheck" explain cpasync.async.required
"$copycheck" explain cxx.ptx.guide-example cluster.shape | grep -v '^  page' | grep '.\{81\}' && wrong 'a line of explain is too long'
refuses "$copycheck" explain
refuses "$copycheck" explain bulk.order.none-betwen
exit $failed
# SPDX-License-Identifier: Apache-2.0
