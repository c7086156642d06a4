#!/bin/sh
# The labs: each file of each lab is judged as its key says, by each compiler that is here; what a student and a teacher
# type; each format twice the same.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
no_sanitizer 'the address sanitizer takes all address space'
labs=$PWD/docs/labs
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2> /dev/null || true)
command -v clang > /dev/null || [ "$nvcc" ] || { echo 'neither nvcc nor clang'; exit 77; }
quick=$(command -v clang > /dev/null && echo clang || echo nvcc)
compilers="${nvcc:+nvcc} $(command -v clang > /dev/null && echo clang)"

# All by the quicker compiler, some by the other; copycheck lab check does all by nvcc.
for compiler in $compilers; do
    some=$([ "$compiler" = "$quick" ] || echo L01 L08)
    # shellcheck disable=SC2086 -- a lab a word
    "$copycheck" lab check $some --no-gpu --compiler "$compiler" > "$aside/check" 2>&1 ||
        wrong "lab check $some --compiler $compiler: $(grep -v ' ok$' "$aside/check")"
done

# What a student types, in a folder whose name has a blank.
cd "$aside" || exit 2
ends 0 'L01 ' "$copycheck" lab list
ends 0 'copycheck lab run' "$copycheck" lab start L01 'my lab'
refuses "$copycheck" lab start L01 'my lab'
[ -f 'my lab/lab.cuh' ] && [ -f 'my lab/README.md' ] || wrong 'start leaves files out'
[ ! -e 'my lab/solution.cu' ] && [ ! -e 'my lab/key' ] || wrong 'start gives the solution away'
(
    cd 'my lab' || exit 2
    ends 1 'L01: fail: cpasync.visibility.nothing-else' "$copycheck" lab run
    ends 0 'L01, hint 1' "$copycheck" lab hint
    ends 0 'L01, hint 2' "$copycheck" lab hint 2
    cp reverse.cu mine.cu
    ends 1 'L01: fail: ' "$copycheck" lab run mine.cu
    ends 1 'reverse.cu:' "$copycheck" lab run l1
    awk 'length > 80 { bad = 1 } END { exit bad }' "$aside/out" || wrong "lines of more than 80 columns: $(awk 'length > 80' "$aside/out")"
    ends 1 'L01: fail' "$copycheck" lab run --html page.html
    grep -q '^{"kernel":"reverse"' page.html || wrong 'no picture of the launch'
    grep -q '"name":"reverse.cu","lines":\[\[' page.html || wrong 'no lines of reverse.cu in the picture'
    ! grep -q 'copycheck-lab-' page.html || wrong 'the picture names a folder that is gone'
    cp "$labs/L01-first-copy/solution.cu" reverse.cu
    ends 0 'L01: pass' "$copycheck" lab run reverse.cu
    cp "$labs/L01-first-copy/wrong/barriers.cu" 'by hand.cu'
    ends 0 'pass, with a remark' "$copycheck" lab run L01 'by hand.cu'
    exit "$failed"
) || failed=1
for n in 1 2 3; do
    ends 0 "L01, hint $n" "$copycheck" lab hint L01 "$n"
done
ends 0 'group.wait.n' "$copycheck" lab explain group.wait.n
ends 0 'usage: copycheck lab' "$copycheck" lab --help
awk 'length > 80 { bad = 1 } END { exit bad }' "$aside/out" || wrong 'the help has lines of more than 80 columns'

# watch judges again when the file is another one: also when an editor removes it and writes it anew.
said() { # WORDS: waits until watch has said them
    for _ in $(seq 100); do
        grep -q "$1" watched && return
        sleep 0.2
    done
    wrong "watch does not say '$1': $(cat watched)"
}
mkdir watch && cp "$labs/L01-first-copy/reverse.cu" watch
"$copycheck" lab watch L01 watch/reverse.cu --no-gpu --compiler "$quick" > watched 2>&1 < /dev/null &
watch=$!
said 'again when it is saved'
rm watch/reverse.cu
said 'is away'
grep -q 'no verdict' watched && wrong 'watch judges a file that is away'
cp "$labs/L01-first-copy/solution.cu" watch/reverse.cu
said 'L01: pass'
kill "$watch"
wait "$watch" 2> /dev/null

# The same product in three layers: the two to read and compare keep all rules, and compile.
ends 2 'L13 judges product.cu' "$copycheck" lab run L13 "$labs/L13-capstone/product_libcu.cu"
if [ "$nvcc" ]; then
    # Without one of the pipeline's four calls a rule is broken, as the answers say.
    for row in none:clean producer_acquire:cxx.pipeline.release-before-reuse consumer_release:cxx.pipeline.pattern \
        consumer_wait:cxx.pipeline.read-after-wait producer_commit:cxx.pipeline.pattern; do
        grep -v "pipeline\.${row%%:*}()" "$labs/L13-capstone/product_libcu.cu" > libcu.cu
        "$nvcc" -ptx -arch=sm_90 -lineinfo libcu.cu -o libcu.ptx || wrong "product_libcu.cu without ${row%%:*}"
        "$copycheck" check libcu.ptx --grid 2,2 --block 8,8 --arg in:2K --arg in:2K --arg out:1K --arg u32:16 \
            --arg u32:4 > "$aside/out" 2>&1
        grep -q "^${row#*:}" "$aside/out" || wrong "product_libcu.cu without ${row%%:*}: $(head -n 3 "$aside/out")"
    done
fi
tile=$(ls -d "$labs"/../../build/toolkits/13.[3-9]/bin/nvcc 2> /dev/null | tail -n 1)
if [ "$tile" ]; then
    ends 0 'compile   tile-13.' "$copycheck" lab run L13 "$labs/L13-capstone/product_tile.cu" --no-gpu
    grep -q '^launch    not launched: ' "$aside/out" || wrong "$(cat "$aside/out")"
    sed 's/ct::mma/ct::mmm/' "$labs/L13-capstone/product_tile.cu" > product_tile.cu
    ends 1 'compile   refused' "$copycheck" lab run L13 product_tile.cu --no-gpu
else
    ends 2 'compile   no compiler of CUDA Tile' "$copycheck" lab run L13 "$labs/L13-capstone/product_tile.cu" --no-gpu
fi

# From beside the folder: the lab's name, or the folder's.
ends 2 'copycheck lab start L01' "$copycheck" lab run L01
ends 0 'L01: pass' "$copycheck" lab run 'my lab'
mkdir L01 && cp 'my lab/'* L01
ends 0 'L01: pass' "$copycheck" lab run L01
mkdir bare
refuses "$copycheck" lab run bare
rm -r L01

# What was typed is what is suggested; from a folder below it is the same program.
ln -s "${copycheck%/*}" linked
mkdir -p a && ends 0 'cd a/b && ../../linked/copycheck lab run' linked/copycheck lab start L02 a/b
ends 0 'linked/copycheck lab hint L01 2 says more' linked/copycheck lab hint L01

# An nvcc that does not run does not hide clang.
mkdir -p broken/bin
for tool in nvcc ptxas; do
    printf '#!/bin/sh\necho no license >&2\nexit 1\n' > broken/bin/$tool
    chmod +x broken/bin/$tool
done
if command -v clang > /dev/null; then
    ends 0 'Compiled with clang: ' env PATH="$aside/broken/bin:$PATH" "$copycheck" lab run 'my lab'
fi
ends 2 'does not run' env PATH="$aside/broken/bin:$PATH" "$copycheck" lab run 'my lab' --compiler nvcc

# What nobody should type.
refuses "$copycheck" lab
refuses "$copycheck" lab dance
ends 2 'the nearest is run' "$copycheck" lab runn
refuses "$copycheck" lab list extra
refuses "$copycheck" lab start L06 a b
ends 2 'is no lab and no number of a hint' "$copycheck" lab hint x
ends 2 'is no lab and no file here' "$copycheck" lab watch nothing
refuses "$copycheck" lab run
refuses "$copycheck" lab run L99
refuses "$copycheck" lab run L01 a.cu b.cu
refuses "$copycheck" lab hint
refuses "$copycheck" lab hint L01 0
refuses "$copycheck" lab hint L01 4
refuses "$copycheck" lab start
refuses "$copycheck" lab explain
refuses "$copycheck" lab grade L01
refuses "$copycheck" lab grade L01 "$labs/L01-first-copy" --format xml
refuses "$copycheck" lab grade L01 x.cu --jobs 0
refuses "$copycheck" lab run L01 --labs "$aside"
refuses "$copycheck" lab run L01 --compiler gcc
refuses "$copycheck" lab run L01 --html
ends 2 'the nearest is L0' "$copycheck" lab run L00
ends 2 'no verdict' "$copycheck" lab run L01 nowhere.cu

# A lab room: solutions are the teacher's.
(
    cd "$labs/../.." || exit 2
    BUILD=${copycheck%/*} tools/dist-labs student "$aside/room" > "$aside/out" 2>&1 || wrong "dist-labs: $(cat "$aside/out")"
    [ -s "$aside/room.tar.gz" ] || wrong 'dist-labs packs nothing'
    [ -z "$(find "$aside/room" -name 'solution.cu' -o -name key -o -name answers.md -o -name wrong -o -name 'alternative*')" ] || wrong 'dist-labs gives solutions away'
    tools/copy-labs teacher "$aside/all"
    [ -f "$aside/all/L01-first-copy/key" ] || wrong 'a teacher gets no key'
    exit "$failed"
) || failed=1
ends 1 'L01: fail: cpasync.visibility.nothing-else' env -i room/copycheck lab run L01 room/labs/L01-first-copy/reverse.ptx

# A class: files in a folder, and folders of students. Each format is the same again, by more processes too.
mkdir class class/ann class/bob
cp "$labs/L01-first-copy/solution.cu" class/ann/reverse.cu
cp "$labs/L01-first-copy/reverse.cu" class/bob/reverse.cu
cp "$labs"/L01-first-copy/wrong/*.cu class
ends 1 'submissions: ' "$copycheck" lab grade L01 class --csv table.csv --compiler "$quick"
[ "$(wc -l < table.csv)" = 11 ] || wrong "the CSV has $(wc -l < table.csv) lines"
grep -q '^L01,"class/ann/reverse.cu",pass,10,10,""' table.csv || wrong "the CSV: $(cat table.csv)"
"$copycheck" lab grade L01 "$aside/class" --format csv --compiler "$quick" > whole.csv
grep -q '^L01,"ann/reverse.cu",pass' whole.csv || wrong "the CSV of a folder named from the root: $(cat whole.csv)"
for format in table csv gradescope github junit tap jsonl; do
    "$copycheck" lab grade L01 class/ann class/bob class/plain.cu --format "$format" --jobs 1 --compiler "$quick" > once 2>&1
    "$copycheck" lab grade L01 class/ann class/bob class/plain.cu --format "$format" --jobs 3 --compiler "$quick" > again 2>&1
    cmp -s once again || wrong "$format differs from run to run"
    [ -s once ] || wrong "$format is empty"
done
if command -v python3 > /dev/null; then
    python3 - "$copycheck" "$quick" << 'END' || wrong 'formats'
import base64, json, subprocess, sys, xml.etree.ElementTree as tree

def grade(format):
    return subprocess.run([sys.argv[1], 'lab', 'grade', 'L01', 'class/ann', 'class/bob', '--compiler', sys.argv[2], '--format', format],
                          capture_output=True, text=True).stdout

scope = json.loads(grade('gradescope'))
assert [t['status'] for t in scope['tests']].count('passed') == 6, scope
assert scope['score'] == sum(t['score'] for t in scope['tests']) == 13, scope['score']
assert all({'name', 'score', 'max_score', 'status', 'output', 'number', 'tags', 'visibility'} <= set(t) for t in scope['tests'])
hub = json.loads(base64.b64decode(grade('github')))
assert hub['status'] == 'fail' and hub['max_score'] == 20 and len(hub['tests']) == 8, hub
suite = tree.fromstring(grade('junit')).find('testsuite')
assert suite.get('tests') == '8' and int(suite.get('failures')) == len(suite.findall('.//failure')) == 2, suite.attrib
assert [json.loads(l)['verdict'] for l in grade('jsonl').splitlines()] == ['pass', 'fail']
lines = grade('tap').splitlines()
assert lines[:2] == ['TAP version 14', '1..8'] and sum(l.startswith('ok ') for l in lines) == 6, lines
END
fi
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
