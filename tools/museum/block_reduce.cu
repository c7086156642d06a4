// CUB's sum over the threads of a CTA by raking: 80 threads are raked by 27, and a warp's sum over 27 lanes goes through
// shared memory.
#include <cub/block/block_reduce.cuh>

using Reduce = cub::BlockReduce<int, 80, cub::BLOCK_REDUCE_RAKING>;

__global__ void sum(const int *in, int *out)
{
    __shared__ Reduce::TempStorage storage;
    const int total = Reduce(storage).Reduce(in[threadIdx.x], cub::Max());

    if (threadIdx.x == 0)
        *out = total;
}

int main()
{
    int *in, *out, values[80];

    for (int i = 0; i < 80; i++)
        values[i] = i;
    cudaMalloc(&in, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMalloc(&out, sizeof *out);
    sum<<<1, 80>>>(in, out);
}
// SPDX-License-Identifier: Apache-2.0
