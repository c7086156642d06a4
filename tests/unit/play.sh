#!/bin/sh
# The playground of the rule book in Chromium, from a file: a finding is there when it is opened, gone when the line is
# mended, and there again after a change; a module that is assembled is refused with its rule. The emulator is the one
# that make book compiled.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common

browser=
for name in chromium chromium-browser google-chrome; do
    [ "$browser" ] || browser=$(command -v $name || true)
done
[ "$browser" ] || { echo 'needs chromium (Debian package chromium)'; exit 77; }
emulator=build/book/emulator.js
[ -f "$emulator" ] || { echo 'needs emscripten (Debian package emscripten), and make book'; exit 77; }

mkdir -p "$aside/book"
cp "$emulator" "$aside/book/"
ends 0 'index.html: ' "$copycheck" book "$aside/book"

# drive PAGE SCRIPT: the page, with a script that calls say(WORDS); what was said is in $aside/said.
drive()
{
    {
        sed 's|</body></html>||' "$aside/book/rules/$1.html"
        cat << EOF
<script>
const say = words => document.body.append('SAID ' + words + ' END');
const part = document.querySelector('details.play'), text = part.querySelector('textarea');
const answer = part.querySelector('.answer');
const until = async words => {
    for (let i = 0; i < 600 && !answer.textContent.includes(words); i++)
        await new Promise(r => setTimeout(r, 50));
    say(answer.textContent.includes(words) ? 'sees ' + words : 'lacks ' + words + ': ' + answer.textContent);
};
const change = (from, to) => {
    text.value = text.value.replace(from, to);
    text.dispatchEvent(new Event('input', { bubbles: true }));
};
addEventListener('error', e => say('error ' + e.message));
// The page counts as loading, and is not printed, while a document in it is open.
const held = document.body.appendChild(document.createElement('iframe')).contentDocument;
held.open();
addEventListener('DOMContentLoaded', async () => { part.open = true; $2; say('done'); held.close(); });
</script></body></html>
EOF
    } > "$aside/book/rules/driven.html"
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$aside/profile" \
        --dump-dom "file://$aside/book/rules/driven.html" 2> "$aside/log" |
        sed -n '/<\/script>/,$p' | grep -o 'SAID [^E]* END' | grep -v "'" > "$aside/said"
    grep -q 'SAID done' "$aside/said" || wrong "$1: the page was not driven to the end: $(tail -n 3 "$aside/log")"
}

drive group.wait.n "await until('group.wait.n  in'); change('wait_group 1', 'wait_group 0'); await until('clean:');
    change('wait_group 0', 'wait_group 2'); await until('group.wait.n  in');
    part.querySelector('[data-text=right]').click(); await until('clean:');
    const p = part.querySelector('.picture'); p.open = true;
    for (let i = 0; i < 200 && !p.querySelector('iframe').srcdoc; i++) await new Promise(r => setTimeout(r, 50));
    say(p.querySelector('iframe').srcdoc.length > 10000 ? 'a picture' : 'no picture')"
[ "$(grep -c 'sees' "$aside/said")" = 4 ] || wrong "the small program: $(cat "$aside/said")"
grep -q 'SAID a picture' "$aside/said" || wrong "the picture: $(cat "$aside/said")"

# A kernel that does not end: the page goes on beside it and can stop it; one that is long ends at the limit of the page.
drive group.wait.n "await until('group.wait.n  in');
    const running = part.querySelector('.running');
    change('ret;', 'M: st.shared.u32 [%tile], %value; add.u32 %value, %value, 1; bra M;');
    for (let i = 0; i < 400 && running.hidden; i++) await new Promise(r => setTimeout(r, 50));
    say(running.textContent.includes('running, ') && !running.hidden ? 'runs' : 'does not run: ' + answer.textContent);
    running.querySelector('button').click();
    await until('stopped: ');
    say(running.hidden ? 'rests' : 'still runs');
    change(/M: st.*/, 'ret;'); await until('group.wait.n  in');
    change('ret;', 'M: add.u32 %tile, %tile, 1; bra M;'); await until('20 million instructions')"
[ "$(grep -c 'sees' "$aside/said")" = 4 ] && grep -q 'SAID runs' "$aside/said" && grep -q 'SAID rests' "$aside/said" ||
    wrong "the kernel that does not end: $(cat "$aside/said")"

drive cpasync.size.set "await until('accepted'); change('[g], 4', '[g], 5'); await until('cpasync.size.set')"
[ "$(grep -c 'sees' "$aside/said")" = 2 ] || wrong "the module: $(cat "$aside/said")"
exit $failed
# SPDX-License-Identifier: Apache-2.0
