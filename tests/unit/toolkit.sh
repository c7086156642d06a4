#!/bin/sh
# tools/toolkit with a pip that plays the package index: fetching, going on after an interruption, clear refusals.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
mkdir "$aside/bin" "$aside/py" "$aside/py/pip"

# A python module "pip" that makes a small wheel, or says what pip says. It counts its downloads.
cat > "$aside/py/pip/__main__.py" <<'PY'
import os, pathlib, sys, time, zipfile
a = sys.argv[1:]
if "index" in a:
    print(f"{a[-1]} (9)\nAvailable versions: " + ("12.4.131, 12.4.99, 12.0.140" if a[-1].endswith("cu12") else "13.10.2, 13.0.88"))
    sys.exit(0)
name, version = a[-1].split("==")
to = pathlib.Path(a[a.index("--dest") + 1])
with open(os.environ["COUNT"], "a") as f:
    f.write(a[-1] + "\n")
if version.startswith("12.7"):
    sys.exit("ERROR: No matching distribution found for " + a[-1])
if version.startswith("12.6"):
    sys.exit("WARNING: Retrying after NewConnectionError\nERROR: No matching distribution found for " + a[-1])
if version.startswith("12.3"):
    sys.exit("WARNING: Retrying after SSLError(CERTIFICATE_VERIFY_FAILED)\nERROR: No matching distribution found for " + a[-1])
if os.environ.get("SLOW") == name:
    time.sleep(15)
full = version.replace("*", "88")
part = "cuda_nvcc" if name.endswith("cu12") else "cu13"
wheel = to / f"{name.replace('-', '_')}-{full}-py3-none-any.whl"
if os.environ.get("DAMAGED"):
    wheel.write_text("not a zip file")
    sys.exit(0)
with zipfile.ZipFile(wheel, "w") as z:
    if "nvcc" in name:
        says = "11.1.1" if version.startswith("12.5") else full
        z.writestr(f"nvidia/{part}/bin/ptxas", f"#!/bin/sh\necho 'release, V{says}'\n")
        z.writestr(f"nvidia/{part}/bin/nvcc", "#!/bin/sh\n")
        z.writestr(f"nvidia/{part}/nvvm/lib64/libnvvm.so", "")
    else:
        z.writestr(f"nvidia/{part}/include/{name}.h", "")
    z.writestr("nvidia/../../../escaped", "")
    z.writestr(f"{name}-{full}.dist-info/licenses/License.txt", "terms")
    z.writestr(f"{name}-{full}.dist-info/METADATA", "")
PY
: > "$aside/py/pip/__init__.py"
export PYTHONPATH="$aside/py" COUNT="$aside/count" PYTHONDONTWRITEBYTECODE=1
: > "$COUNT"
t="$aside/toolkits"

# run STATUS PATTERN ARGUMENT...: the tool ends with STATUS and prints a line that matches PATTERN
run()
{
    wanted=$1 pattern=$2
    shift 2
    status=0
    tools/toolkit --into "$t" "$@" > "$aside/out" 2>&1 || status=$?
    if [ $status -ne "$wanted" ] || ! grep -q -- "$pattern" "$aside/out"; then
        echo "toolkit $*: status $status, not $wanted, or no line '$pattern' in:"
        cat "$aside/out"
        failed=1
    fi
}
check() { if ! eval "$1"; then echo "not so: $1"; ls -laR "$t"; failed=1; fi; }

run 0 '^12.4: fetched (12.4.88, assembler only)$' 12.4
check '[ -x $t/12.4/bin/ptxas ] && [ ! -e $t/12.4/nvvm ] && grep -q terms $t/12.4/licenses/nvidia_cuda_nvcc_cu12.txt'
run 0 '^12.4: there (12.4.88)$' 12.4
run 0 '^13.0: fetched (13.0.88)$' 13.0
check '[ -x $t/13.0/bin/nvcc ] && [ -e $t/13.0/include/nvidia-cuda-cccl.h ] && [ ! -e $aside/escaped ]'
run 0 '^13.10: fetched' 13.10
check 'grep -q "^nvidia-cuda-cccl==13.3.10" $COUNT'

run 0 '^12.0   available 12.0.140' --list
check '[ "$(cut -c1-5 < $aside/out | tr -d " " | tr "\n" " ")" = "12.4 13.0 13.10 12.0 " ]'

# clear refusals; the other toolkits of the same command are still brought
run 2 "^toolkit: '13' is no toolkit version" 13
run 2 '^toolkit: 11.8: the package index holds' 11.8
run 2 '^toolkit: cannot get nvidia-cuda-nvcc-cu12==12.7.\*: the package index has none' 12.7 12.0
check '[ -d $t/12.0 ]'
run 2 'the package index cannot be reached$' 12.6
run 2 "the package index's certificate is not trusted here" 12.3
run 2 '^toolkit: 12.5: the ptxas of .* says it is 11.1.1$' 12.5
check '[ ! -e $t/12.5 ] && [ -z "$(ls -d $t/.part-* 2>/dev/null)" ]'
DAMAGED=1 run 2 'is damaged and was removed' 12.1
run 0 '^12.1: fetched' 12.1
rm -rf "$t/.wheels-12.5"
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$aside/sealed" && chmod 555 "$aside/sealed"
    (t="$aside/sealed/in"; run 2 '^toolkit: cannot write to' 12.4; exit $failed) || failed=1
fi

# killed in the middle: what was downloaded stays, nothing half made is taken for a toolkit, the next run goes on
for signal in TERM KILL; do
    rm -rf "$t/13.0"
    : > "$COUNT"
    SLOW=nvidia-cuda-crt tools/toolkit --into "$t" 13.0 > "$aside/out" 2>&1 &
    pid=$!
    for _ in $(seq 300); do grep -q crt "$COUNT" && break; sleep 0.2; done
    mkdir -p "$t/.part-stale/13.0"
    kill -$signal $pid
    wait $pid 2>/dev/null || true
    check '[ ! -e $t/13.0 ]'
    run 0 '^13.0: fetched' 13.0
    check '[ "$(grep -c nvidia-nvvm== $COUNT)" = 1 ]'
    check '[ "$(grep -c nvidia-cuda-crt== $COUNT)" = 2 ]'
    check '[ -z "$(ls -d $t/.part-* $t/.wheels-* 2>/dev/null)" ]'
done
[ $failed = 0 ] && echo "toolkit.sh: all as expected"
exit $failed
# SPDX-License-Identifier: Apache-2.0
