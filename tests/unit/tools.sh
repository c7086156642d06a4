#!/bin/sh
# tools/run-tests counts what passed and failed; tools/need installs, or prints the command that would.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common

ok() { # NAME CONDITION...
    name=$1
    shift
    "$@" || {
        failed=1
        echo "not so: $name" >&2
        cat "$aside/out" >&2
    }
}
has() { grep -qF -- "$1" "$aside/out"; }
script() {
    printf '#!/bin/sh\n%s\n' "$2" > "$aside/$1"
    chmod +x "$aside/$1"
}

# ---- run-tests ----
script good 'exit 0'
script bad 'echo the reason; exit 1'
script three 'echo "[  PASSED  ] 3 test(s)."'
script mixed 'echo "[  PASSED  ] 4 test(s)."; echo "[  FAILED  ] tests: 2 test(s), listed below:"; exit 2'
script slow 'exec sleep 30'
script aside 'echo "needs two suns"; exit 77'
tools/run-tests "$aside/logs" "$aside/good" "$aside/three" "$aside/aside" > "$aside/out" 2>&1
ok 'all good' [ $? = 0 ]
ok 'four passed' [ "$(tail -n 1 "$aside/out")" = '4 passed, 0 failed' ]
ok 'a skip is named' has 'skipped: needs two suns'
TEST_SECONDS=1 tools/run-tests "$aside/logs" "$aside/good" "$aside/bad" "$aside/mixed" "$aside/slow" > "$aside/out" 2>&1
ok 'a failure is reported' [ $? = 1 ]
ok 'five passed, four failed' [ "$(tail -n 1 "$aside/out")" = '5 passed, 4 failed' ]
ok 'its output is shown' has '    the reason'
ok 'and again before the counts' [ "$(sed -n '/^failed: bad$/{n;p;}' "$aside/out")" = '    the reason' ]
ok 'a test without an end is ended' has 'did not end within 1 s'
tools/run-tests "$aside/logs" "$aside/absent" > "$aside/out" 2>&1
ok 'a test that is not there fails' [ $? = 1 ]

# ---- need ----
tools/need gcc make > "$aside/out" 2>&1
ok 'what is there needs nothing' [ $? = 0 ]
mkdir "$aside/bin"
for program in sh mktemp rm tail; do
    ln -s "$(command -v $program)" "$aside/bin/$program"
done
PATH=$aside/bin "$(command -v sh)" tools/need lcov > "$aside/out" 2>&1
ok 'without apt-get' [ $? = 2 ]
ok 'says what is missing' has 'copycheck: this needs lcov; install'
script bin/apt-get 'echo "$@" >> '"$aside"'/asked; [ "$1" = update ] || [ -f '"$aside"'/updated ]'
script bin/id 'echo 1000'
PATH=$aside/bin "$(command -v sh)" tools/need lcov cppcheck > "$aside/out" 2>&1
ok 'not root' [ $? = 2 ]
ok 'prints the command' has 'get them with: sudo apt-get install -y --no-install-recommends lcov cppcheck'
ok 'and asks for nothing' [ ! -e "$aside/asked" ]
script bin/id 'echo 0'
PATH=$aside/bin "$(command -v sh)" tools/need lcov > "$aside/out" 2>&1
ok 'an install that fails' [ $? = 2 ]
ok 'is reported' has 'install -y --no-install-recommends lcov failed'
ok 'after another try' [ "$(grep -c . "$aside/asked")" = 3 ]
touch "$aside/updated"
PATH=$aside/bin "$(command -v sh)" tools/need lcov > "$aside/out" 2>&1
ok 'an install that works' [ $? = 0 ]

exit $failed
# SPDX-License-Identifier: Apache-2.0
