#!/bin/sh
# copycheck exec and libraries that a program opens while it runs, as Python does; a program of toolkit 12.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
for_exec
folder=${inside%/*}

for n in 1 2; do
    "$nvcc" -gencode arch=compute_90,code=compute_90 -shared -Xcompiler -fPIC -cudart static tests/exec/opened.cu \
        -o "$aside/libopened$n.so" || exit 1
done
"${CXX:-c++}" -std=c++17 -x c++ tests/exec/opened_by.cu -o "$aside/opened_by" -ldl
libraries=$(dirname "$nvcc")/../lib64
LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    ends 0 'libraries: right' "$copycheck" exec "$aside/opened_by" "$aside/libopened1.so" "$aside/libopened2.so"
grep -q '2 launches, 2 judged, .*: 0 findings$' "$aside/out" || wrong "opened: $(cat "$aside/out")"
grep -q 'no PTX' "$aside/out" && wrong "machine code: $(cat "$aside/out")"

"${CXX:-c++}" -std=c++17 -x c++ tests/exec/older.cu -x none -o "$aside/older" -Wl,--no-as-needed "$folder/libcudart.so.12" "$inside" \
    -Wl,-rpath,"$folder"
ends 0 passed "$copycheck" exec "$aside/older"
exit $failed
# SPDX-License-Identifier: Apache-2.0
