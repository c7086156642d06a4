#!/bin/sh
# tools/chaos for a few seconds: runs that are killed, that lack room or memory, that nobody reads, whose clock goes back,
# two in one tree. Nothing is lost, nothing doubled, nothing left behind, and the verdicts are those of an undisturbed run.
# The tool itself is held to it with programs that leave a file, lose a record, or say something else.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
no_sanitizer 'the address sanitizer takes all address space'
built_kernels
command -v python3 > /dev/null || { echo 'needs python3'; exit 77; }

chaos() { # OPTION...
    TMPDIR=$aside timeout 300 tools/chaos --quick "$@" > "$aside/out" 2>&1
}
chaos --copycheck "$copycheck" --kills 15 --seed 7 || wrong "chaos: $(cat "$aside/out")"
grep -q '^chaos, seed 7: [0-9]* rounds, 1[5-9] kills (.* 0 rounds failed, ' "$aside/out" || wrong "the figures: $(tail -n 1 "$aside/out")"
cat "$aside/out"
kinds='small_file stdout clock two disk'
case $(ldd "$copycheck") in *libasan*) ;; *) kinds="$kinds memory" ;; esac # which takes all address space
for kind in $kinds; do
    chaos --copycheck "$copycheck" --only "$kind" --rounds 1 || wrong "$kind: $(cat "$aside/out")"
    grep '^not done' "$aside/out"
done

# A program that does not do what it should is found out.
lying() { # WORDS SCRIPT: in it the program is $real, its arguments those of the script
    printf '#!/bin/sh\nreal=%s kernels=%s\n%s\n' "'$copycheck'" "'$kernels'" "$2" > "$aside/lying"
    chmod +x "$aside/lying"
    chaos --copycheck "$aside/lying" --only killed --rounds 4
    status=$?
    [ $status = 1 ] || wrong "$1: status $status: $(cat "$aside/out")"
    grep -q "tools/chaos --seed 1 --round [0-9]*): .*$1" "$aside/out" || wrong "$1: $(cat "$aside/out")"
}
run='[ "$1" = run ] || exec "$real" "$@"; for a; do case $last in --out|--resume) file=$a ;; esac; last=$a; done'
run="$run; \"\$real\" \"\$@\" --kernels \"\$kernels\"; status=\$?"
lying 'left behind: left' "$run; case \$file in */round/*) touch \"\$TMPDIR/left\" ;; esac; exit \$status"
lying 'copycheck records ends with status 1' "$run; case \$file in */round/*) sed -i 4d \"\$file\" ;; esac; exit \$status"
lying 'undisturbed' "$run; case \$file in */round/*) exit 3 ;; esac; exit \$status"
refuses tools/chaos --kills 0
refuses tools/chaos --kills many
refuses tools/chaos --only nothing
refuses tools/chaos --copycheck /nosuch
exit $failed
# SPDX-License-Identifier: Apache-2.0
