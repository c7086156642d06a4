#!/bin/sh
# tools/slurm on a stand-in of Slurm: nodes are processes, some of which are killed and queued again. Nothing is lost and
# nothing doubled, and merge says of each node what it left. Also what prologs and monitors read of a run.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. tests/unit/common
built_kernels
fake=${BUILD:-build}/fake
[ -e "$fake/libcuda.so.1" ] || { echo 'no stand-in driver: make test-programs'; exit 77; }
case $fake in /*) ;; *) fake=$top/$fake ;; esac
cd "$aside" || exit 2
mkdir bin folder made

# Kernels of the test's own: whether the toolkit has assembled any must not matter. The stand-in driver takes a module
# for a string.
for ptx in "$kernels"/cp_async_*.ptx "$kernels"/gather4*.ptx; do
    name=${ptx##*/}
    cp "$ptx" "made/$name" && { cat "$ptx" && printf '\0'; } > "made/${name%.ptx}.cubin" || exit 2
done
cp "$kernels/index" made/ || exit 2
kernels=$aside/made

# Runs a job at once; a node in $aside/lost is killed once, after a while, and queued again, as --requeue asks.
cat > bin/sbatch << 'S'
#!/bin/sh
node='' requeue=''
while [ "${1#--}" != "$1" ]; do
    case $1 in
    --nodelist=*) node=${1#*=} ;;
    --requeue) requeue=yes ;;
    --output=*) log=${1#*=} ;;
    esac
    shift
done
n=$(($(cat "$ASIDE/jobs" 2> /dev/null || echo 0) + 1))
echo $n > "$ASIDE/jobs"
echo "$n $node" >> "$ASIDE/ran"
[ ! "$node" ] || export SLURMD_NODENAME="$node" FAKE_CUDA="machine $node"
times=1
[ "$requeue" ] && grep -qx "$node" "$ASIDE/lost" 2> /dev/null && times=2
while [ $times -gt 0 ]; do
    setsid "$@" >> "$log" 2>&1 &
    if [ $times = 2 ]; then
        i=0
        while [ $i -lt 400 ] && [ "$(cat "$ASIDE/folder/$node-0.jsonl" 2> /dev/null | wc -l)" -lt 1 ]; do
            i=$((i + 1))
            sleep 0.01
        done
        kill -s KILL -- "-$!" 2> /dev/null
    fi
    wait $!
    times=$((times - 1))
done
echo $n
S
chmod +x bin/sbatch
PATH=$aside/bin:$PATH ASIDE=$aside COPYCHECK=$copycheck COPYCHECK_GPUS=1 LD_LIBRARY_PATH=$fake
export PATH ASIDE COPYCHECK COPYCHECK_GPUS LD_LIBRARY_PATH
is() { # WORDS STATUS EXPECTED
    [ "$2" = "$3" ] || wrong "$1: status $2, expected $3: $(head -n 3 err)"
}

printf '%s\n' n2 n4 > lost
timeout 200 "$top/tools/slurm/submit" folder n1 n2 n3 n4 -- --engine emu,gpu --kernels "$kernels" --no-recorded \
    --jobs 1 family:cp-async-group > out 2> err
is 'submit' $? 0
for node in n1 n2 n3 n4; do
    "$copycheck" records "folder/$node-0.jsonl" > out 2>&1 || wrong "$node: $(cat out)"
    [ "$(grep -o '"point":"[^"]*","engine":"[^"]*"' "folder/$node-0.jsonl" | sort | uniq -d | wc -l)" = 0 ] ||
        wrong "$node has records twice"
done
heads=$(cat folder/n[24]-0.jsonl | grep -c '^{"copycheck"')
[ "$heads" -ge 3 ] || wrong "no node was lost and gone on with: $heads heads"
grep -q '^4 machines in 4 files, ' folder/matrix.txt || wrong "merged: $(head -n 5 folder/matrix.txt) $(cat folder/merge.log)"
grep -q 'no machine is unlike' folder/matrix.txt || wrong "alike: $(head -n 12 folder/matrix.txt)"
grep -q '^copycheck_files{state="counted"} 4' folder/matrix.prom || wrong 'matrix.prom'
# Once more: nothing runs again. A file that was edited is put aside and its node runs again.
cat folder/*-0.jsonl | cksum > before
timeout 200 "$top/tools/slurm/submit" folder n1 n2 n3 n4 -- --engine emu,gpu --kernels "$kernels" --no-recorded \
    family:cp-async-group > out 2> err
is 'submit again' $? 0
cat folder/*-0.jsonl | cksum > after
cmp -s before after || wrong 'what had ended ran again'
sed -i 30d folder/n3-0.jsonl
timeout 200 "$top/tools/slurm/submit" folder n3 -- --engine emu,gpu --kernels "$kernels" --no-recorded \
    family:cp-async-group > out 2> err
"$copycheck" records folder/n3-0.jsonl > out 2>&1 || wrong "an edited file was kept: $(cat out)"
[ -e folder/n3-0.jsonl.unsound ] || wrong 'an edited file was not put aside'
grep -q '^4 machines in 4 files, ' folder/matrix.txt || wrong "merged again: $(head -n 5 folder/matrix.txt)"

# ---- what a prolog and a monitor read ----
run() { timeout 60 "$copycheck" run --no-recorded --kernels "$kernels" --out r.jsonl "$@" > out 2> err; }
run --nhc --engine emu family:gather
is '--nhc' $? 0
[ ! -s out ] && [ ! -s err ] || wrong "--nhc says: $(cat out err)"
run --nhc --engine gpu family:cp-async-group
is '--nhc of a bad node' $? 1
[ "$(wc -l < out)" = 1 ] && grep -q '^ERROR: copycheck: [0-9,]* of [0-9,]* points fail on NVIDIA H200 driver=.* rules=group' out ||
    wrong "--nhc of a bad node: $(cat out err; grep -o '"detail":"[^"]*"' r.jsonl | sort | uniq -c | head -n 3; tail -n 1 r.jsonl)"
run --nagios --engine emu family:gather
is '--nagios' $? 0
grep -q '^COPYCHECK OK - 0 of ' out || wrong "--nagios: $(cat out)"
run --nagios --engine gpu family:cp-async-group
is '--nagios of a bad node' $? 2
grep -q '^COPYCHECK CRITICAL - ' out || wrong "--nagios of a bad node: $(cat out)"
FAKE_CUDA=empty run --nagios --engine gpu family:cp-async-group
is '--nagios without a device' $? 3
grep -q '^COPYCHECK UNKNOWN - ' out || wrong "--nagios without a device: $(cat out)"
run --nhc --prometheus node.prom --engine emu family:gather
is '--prometheus' $? 0
grep -q '^copycheck_run_status 0$' node.prom && grep -q '^copycheck_run_results{engine="emu",verdict="fail"} 0$' node.prom ||
    wrong "--prometheus: $(cat node.prom)"
[ -z "$(ls node.prom*.part 2> /dev/null)" ] || wrong '--prometheus leaves a part'
run --prometheus /nosuch/node.prom --engine emu family:gather
is '--prometheus into no folder' $? 2
# The program with those kernels: a prolog names none.
printf '#!/bin/sh\nexec %s "$@" --kernels %s\n' "'$copycheck'" "'$kernels'" > bin/with_kernels
chmod +x bin/with_kernels
COPYCHECK=$aside/bin/with_kernels PROLOG_ENGINE=emu PROLOG_SELECT=family:gather "$top/tools/slurm/prolog" > out 2> err
is 'the prolog' $? 0
COPYCHECK=$aside/bin/with_kernels PROLOG_ENGINE=gpu PROLOG_SELECT=family:cp-async-group "$top/tools/slurm/prolog" > out 2> err
is 'the prolog of a bad node' $? 1
grep -q '^ERROR: copycheck: [0-9,]* of [0-9,]* points fail' out || wrong "the prolog of a bad node: $(cat out err)"
exit $failed
# SPDX-License-Identifier: Apache-2.0
