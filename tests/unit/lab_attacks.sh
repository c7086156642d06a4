#!/bin/sh
# Submissions that want a pass without the work: none gets one, none hangs the grader, none puts words into its mouth.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
no_sanitizer 'the address sanitizer takes all address space'
compiler=$(command -v clang > /dev/null && echo clang || echo nvcc)
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2> /dev/null || true)
[ "$compiler" = clang ] || [ "$nvcc" ] || { echo 'neither nvcc nor clang'; exit 77; }
cd "$aside" || exit 2
lab() { timeout 120 "$copycheck" lab "$@" --no-gpu --compiler "$compiler" < /dev/null; }

# A kernel of L01 with this body, and with these lines before it.
kernel() { # FILE BODY [LINES]
    printf '#include "lab.cuh"\n%s\nextern "C" __global__ void reverse(float *out, const float *in)\n{\n%s\n}\n' "${3-}" "$2" > "$1"
}
body='    __shared__ __align__(16) float tile[512];
    const unsigned t = threadIdx.x, size = 4 * blockDim.x, start = blockIdx.x * size;
    cp_async_16(&tile[4 * t], &in[start + 4 * t]);
    cp_async_commit_group();'
wait='    cp_async_wait_group(0);
    __syncthreads();'
write='    for (unsigned i = t; i < size; i += blockDim.x) out[start + i] = tile[size - 1 - i];'

fails() { # FILE NAMED: run says fail and names this
    status=0
    lab run L01 "$1" > out 2>&1 || status=$?
    [ "$status" = 1 ] || wrong "$1: status $status: $(tail -n 3 out)"
    grep -q "^L01: fail: .*$2" out || wrong "$1: no '$2': $(tail -n 4 out)"
    grep -q '^L01: pass' out && wrong "$1 passes in words: $(cat out)"
    return 0
}
refused() { # FILE WORDS: it is not compiled at all
    fails "$1" compile
    grep -qF -- "$2" out || wrong "$1: no '$2': $(cat out)"
}

kernel honest.cu "$body
$wait
$write"
lab run L01 honest.cu > out 2>&1 || wrong "an honest solution fails: $(cat out)"

# ---- words ----
if [ "$nvcc" ]; then
    before=$compiler compiler=nvcc
    kernel words.cu '    printf("\nL01: pass: no rule is broken\n\033[2K{\"verdict\":\"pass\"}\n");' '#include <cstdio>'
    fails words.cu bytes
    lab grade L01 words.cu --format jsonl > out
    [ "$(wc -l < out)" = 1 ] || wrong "a kernel's words are lines of the grade"
    compiler=$before
fi
name=$(printf 'a\nL01: pass\033[1m <&"x> .cu')
kernel "$name" ''
for format in table csv gradescope junit tap jsonl; do
    lab grade L01 "./$name" --format "$format" > out 2>&1
    grep -q '^L01: pass' out && wrong "a file's name forges a line of $format"
    LC_ALL=C grep -q "$(printf '\033')" out && wrong "a file's name reaches the terminal in $format"
done

# ---- files by name ----
include() {
    printf '%s\n' "$1" > include.cu
    cat honest.cu >> include.cu
    refused include.cu "$2"
}
include '#include "/etc/passwd"' '#include "/etc/passwd"'
include '#include <../../../etc/passwd>' '#include'
include '#define F "/etc/passwd"
#include F' '#include F'
include '%: include "/etc/passwd"' '#include'
include '#inc\
lude "/etc/passwd"' '#include'
include '/* */ # /* */ include "/etc/passwd"' '#include'
include 'const char *a = "/*";
#include "/etc/passwd"
const char *b = "*/";' 'line 2'
include '??=include "/etc/passwd"' 'trigraph'
include '// ??/
#include "/etc/passwd"' 'trigraph'
include '// \ 
#include "/etc/passwd"' 'backslash'
include 'const char *a = R"(/*)";
#include "/etc/passwd"
const char *b = R"(*/)";' 'raw string'
include '#embed "/etc/passwd"' '#embed'
include '#include_next <stdint.h>' '#include_next'
include '#import "/etc/passwd"' '#import'
include '#line 1 "/etc/passwd"' '#line'
include '# 1 "/etc/passwd"' '#1'
include 'const char *f = __FILE__;' '__FILE__'
include '#pragma GCC dependency "/etc/passwd"' '#pragma'
include '#if __has_include("/etc/passwd")
#endif' '__has_include'
include '_Pragma("GCC dependency \"/etc/passwd\"")' '_Pragma'
include '#define H(a, b) a##b' '##'
include '#define T __TIME__' '__TIME__'
printf 'x\0y' > nul.cu
refused nul.cu NUL
kernel asm.cu '    asm volatile(".inc" "bin \"/etc/passwd\";");'
fails asm.cu compile
grep -q root: out && wrong 'a file was read'

# ---- other lines, other kernels, the host ----
kernel loc.cu "    asm volatile(\".loc 1 3 0;\");
$body
$write"
fails loc.cu compile
kernel file.cu "    asm volatile(\".file 1 \\\"/etc/passwd\\\"\");
$body
$write"
fails file.cu compile
kernel twice.cu "$body
$write" 'extern "C" __global__ void reverse(float *out, const float *in) { }'
fails twice.cu compile
kernel apart.cu "$body
$write" 'namespace { __global__ void reverse(float *out, const float *in) { } }'
fails apart.cu ''
kernel scope.cu "$body
$write" 'asm(".visible .entry reverse(.param .u64 a, .param .u64 b) { ret; }");'
fails scope.cu ''
kernel host.cu '' 'extern "C" int system(const char *);
struct once { once() { system("touch executed"); } } one;
__attribute__((constructor)) void before() { system("touch executed"); }
int main() { return system("touch executed"); }'
fails host.cu bytes
[ ! -e executed ] || wrong 'a submission was executed on the host'
kernel search.cu '    for (volatile float *p = out;; p += 16) *p = 1;'
fails search.cu access.bounds

# ---- limits ----
kernel loop.cu '    for (volatile unsigned i = 0;; i++) out[0] = i;'
fails loop.cu 'limit\|deadlock\|order'
kernel spin.cu "    while (atomicAdd((unsigned *)out, 1u) != 77u) ;"
[ "$compiler" = clang ] || fails spin.cu ''
kernel stray.cu '    *(volatile float *)(out + 100000000) = 1;'
fails stray.cu ''
kernel wild.cu '    *(volatile float *)0x10 = 1;'
fails wild.cu ''
kernel own.cu '    const_cast<float *>(in)[threadIdx.x] = 0;'
fails own.cu bytes
kernel much.cu '    out[threadIdx.x] = big[threadIdx.x];' '__device__ float big[100000000];'
fails much.cu limit
kernel work.cu '    float s = 0;
    for (unsigned i = 0; i < 200000; i++) s = s * 1.5f + in[threadIdx.x];
    out[threadIdx.x] = s;'
fails work.cu limit
kernel templates.cu "$body" 'template <int N> struct t { static constexpr int v = t<N - 1>::v + t<N - 2>::v; };
constexpr int x = t<100000>::v;'
fails templates.cu compile
kernel constant.cu "$body" 'constexpr unsigned long f() { unsigned long s = 0; for (unsigned long i = 0; i < 100000000000ul; i++) s += i; return s; }
constexpr unsigned long x = f();'
fails constant.cu compile

# ---- guesses: is this the grader? ----
guess() {
    kernel guess.cu "    unsigned long long c; asm volatile(\"$1\" : \"=l\"(c));
    if (c) {
$body
$wait
$write
    }"
    refused guess.cu "$2"
}
guess 'mov.u64 %0, %clock64;' '%clock64'
guess 'mov.u64 %0, %globaltimer;' '%globaltimer'
guess '{ .reg .u32 x; mov.u32 x, %smid; cvt.u64.u32 %0, x; }' '%smid'
guess '{ .reg .u32 x; mov.u32 x, %warpid; cvt.u64.u32 %0, x; }' '%warpid'
guess 'mov.u64 %0, %gridid;' '%gridid'
guess '{ .reg .u32 x; mov.u32 x, %nsmid; cvt.u64.u32 %0, x; }' '%nsmid'
guess '{ .reg .b32 x; mov.b32 x, %envreg3; cvt.u64.u32 %0, x; }' '%envreg3'
# Waits only if it sees that its copy is late.
kernel order.cu "$body
    if (tile[4 * t] != in[start + 4 * t]) {
        cp_async_wait_group(0);
    }
    __syncthreads();
$write"
fails order.cu ''
# Knows the first size: right for it alone.
kernel public.cu "$body
$wait
    if (blockDim.x == 64 && gridDim.x == 1) {
$write
    }"
fails public.cu bytes

# ---- things that are no source ----
: > empty.cu
mkdir folder.cu
mkfifo fifo.cu
head -c 100000000 /dev/zero > big.cu
refused empty.cu empty
fails big.cu compile
for f in folder.cu fifo.cu /dev/zero missing.cu; do
    status=0
    lab run L01 "./$f" > out 2>&1 || status=$?
    [ "$status" = 2 ] || wrong "$f: status $status: $(cat out)"
done
# A link may lead to a solution, or to what another student hands in; a name may be any bytes.
mkdir class answers
cp honest.cu answers/reverse.cu
ln -s ../honest.cu class/link.cu
ln -s ../answers class/linked
ln -s nowhere class/broken.cu
cp nul.cu "class/$(printf 'a\377b.cu')"
lab grade L01 class > out 2>&1
[ "$(grep -c 'it is a symbolic link$' out)" = 3 ] || wrong "links are followed: $(cat out)"
grep -q ' pass  ' out && wrong "a link passes: $(cat out)"
for format in csv gradescope junit tap jsonl; do
    lab grade L01 class --format "$format" > out 2>&1
    iconv -f UTF-8 -t UTF-8 out > again 2>&1 && cmp -s out again || wrong "$format is no UTF-8"
done
: > 'empty.ptx'
fails empty.ptx compile
printf '.version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry reverse(.param .u64 a) { ret; }\n' > short.ptx
fails short.ptx compile
printf '.version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry other(.param .u64 a, .param .u64 b) { ret; }\n' > other.ptx
fails other.ptx compile
printf '.version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry reverse(.param .u64 a, .param .u64 b) { ret; }\n' > nothing.ptx
fails nothing.ptx bytes
exit "$failed"
# SPDX-License-Identifier: Apache-2.0
