#!/bin/sh
# tools/lower-ptx and tools/kernel-with, with a script for a ptxas: what it refuses is left out entry by entry.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
mkdir -p "$aside/70.1/bin"
cat > "$aside/70.1/bin/ptxas" <<'END'
#!/bin/sh
out=$5 in=$3
grep -q '^\.version 99.9' "$in" && { echo "ptxas x, line 1; fatal   : Unsupported .version 99.9; current version is '8.0'"; exit 255; }
grep -q '^\.version 9' "$in" && { echo "ptxas fatal : too new"; exit 255; }
grep -q 'CRASH' "$in" && kill -SEGV $$
bad=$(grep -n 'BAD' "$in" | cut -d: -f1)
for n in $bad; do echo "ptxas $in, line $n; error   : Unexpected BAD"; done
[ -z "$bad" ] || { echo 'ptxas fatal   : Ptx assembly aborted due to errors'; exit 255; }
cp "$in" "$out"
END
chmod +x "$aside/70.1/bin/ptxas"

# text FILE BODY-OF-A BODY-OF-B BETWEEN
text()
{
    printf '// head\n.version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry a(\n.param .b64 p\n)\n{\n.loc 1 2 3\n%s\nret;\n}\n%s\n.visible .entry b()\n{\n%s\n}\n' "$2" "$4" "$3" > "$aside/$1"
}
# check STATUS OUTPUT FILE
check()
{
    status=0
    rm -f "$aside/out"
    got=$(tools/lower-ptx "$aside/70.1/bin/ptxas" "$aside/$3" "$aside/out" 2>&1) || status=$?
    got=$(printf '%s' "$got" | tr '\t' '|' | sed "s|$aside/||g")
    if [ $status != "$1" ] || [ "$got" != "$2" ] || { [ "$1" != 0 ] && [ -e "$aside/out" ]; }; then
        printf '%s: status %s, not %s\n-- expected\n%s\n-- got\n%s\n' "$3" $status "$1" "$2" "$got"
        failed=1
    fi
}
text good 'add;' 'sub;' ''
check 0 '' good
grep -q '^\.version 8.0$' "$aside/out" && ! grep -q '\.loc' "$aside/out" || { echo 'good: not lowered'; failed=1; }
text one 'add BAD;' 'sub;' ''
check 0 'a|one:10: Unexpected BAD: add BAD;' one
grep -q 'entry b' "$aside/out" && ! grep -q 'entry a' "$aside/out" || { echo 'one: wrong entries'; failed=1; }
text both 'BAD' 'BAD' ''
check 3 'a|both:10: Unexpected BAD: BAD
b|both:16: Unexpected BAD: BAD' both
text module 'add;' 'sub;' 'BAD'
check 3 '*|module: Unexpected BAD' module
text crash 'CRASH' 'sub;' ''
check 3 '*|crash: ended by signal 11' crash
echo 'no PTX' > "$aside/none"
check 2 'lower-ptx: none: no .version and .target: no PTX' none
check 2 'lower-ptx: missing: No such file or directory' missing
tools/lower-ptx x > /dev/null 2>&1 && { echo 'too few arguments: no failure'; failed=1; }

# an assembler alone takes our PTX; an nvcc makes its own
tools/kernel-with "$aside/70.1" k.cu "$aside/one" "$aside/k/k.cubin" "$aside/k/k.log" > "$aside/says"
grep -q '^70.1: k.cu: without a (see ' "$aside/says" && [ -e "$aside/k/k.cubin" ] || { echo 'kernel-with: no word of what is missing'; failed=1; }
printf '#!/bin/sh\nfor out; do :; done\ncp "$FROM" "$out"\n' > "$aside/70.1/bin/nvcc"
chmod +x "$aside/70.1/bin/nvcc"
FROM="$aside/good" tools/kernel-with "$aside/70.1" k.cu "$aside/one" "$aside/k/k.cubin" "$aside/k/k.log" > "$aside/says"
[ ! -s "$aside/says" ] && [ ! -s "$aside/k/k.log" ] && [ -e "$aside/k/k.ptx" ] || { echo 'kernel-with: nvcc was not used'; failed=1; }
printf '#!/bin/sh\necho "k.cu(3): error: no such thing"\nexit 1\n' > "$aside/70.1/bin/nvcc"
tools/kernel-with "$aside/70.1" k.cu "$aside/one" "$aside/k/k.cubin" "$aside/k/k.log" > "$aside/says"
grep -q '^\*.nvcc: k.cu(3): error: no such thing$' "$aside/k/k.log" && [ ! -e "$aside/k/k.cubin" ] || { echo 'kernel-with: nvcc error is lost'; cat "$aside/k/k.log"; failed=1; }

[ $failed = 0 ] && echo "lower_ptx.sh: all as expected"
exit $failed
# SPDX-License-Identifier: Apache-2.0
