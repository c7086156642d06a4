// fast.cu's matrix products of bf16, one kernel after the other: KERNEL is its number, the sizes are words of the command.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cudaTypedefs.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda/barrier>

typedef __nv_bfloat16 bf16;
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define cudaCheck(error) ((error) == cudaSuccess ? (void)0 : exit(1))
#define STRING(x)   #x
#define QUOTED(x)   STRING(x)
#define PASTED(a, b) a##b
#define NAMED(a, b) PASTED(a, b)

#include QUOTED(examples/matmul/NAMED(matmul_, KERNEL).cuh)

int main(int count, char **words)
{
    const int m = atoi(words[1]), n = atoi(words[2]), k = atoi(words[3]);
    auto make = [](size_t count, int step) {
        std::vector<bf16> values(count);
        for (size_t i = 0; i < count; i++)
            values[i] = __float2bfloat16(float(int(i * step % 23) - 11) / 8);
        bf16 *to;
        cudaMalloc(&to, count * sizeof *to);
        cudaMemcpy(to, values.data(), count * sizeof *to, cudaMemcpyHostToDevice);
        return to;
    };
    bf16 *a = make(size_t(m) * k, 7), *b = make(size_t(n) * k, 5), *c = make(size_t(m) * n, 0);
#if KERNEL > 2
    NAMED(runKernel, KERNEL)(m, n, k, a, b, c, nullptr);
#else
    NAMED(runKernel, KERNEL)(m, n, k, a, b, c);
#endif
    return count != 4;
}
// SPDX-License-Identifier: Apache-2.0
