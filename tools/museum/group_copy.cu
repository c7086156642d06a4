// libcu++'s cuda::memcpy_async by the two tiles of 16 threads of a warp, each with a barrier of its own.
#include <cooperative_groups.h>
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
enum { BYTES = 64 };

__global__ void copy(const unsigned char *in, unsigned char *out)
{
    __shared__ alignas(16) unsigned char tile[2][BYTES];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ Barrier bar[2];
    const auto half = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
    const unsigned which = half.meta_group_rank();

    if (half.thread_rank() == 0)
        init(&bar[which], 16);
    __syncthreads();
    cuda::memcpy_async(half, tile[which], in + which * BYTES, cuda::aligned_size_t<16>(BYTES), bar[which]);
    bar[which].arrive_and_wait();
    for (unsigned i = half.thread_rank(); i < BYTES; i += 16)
        out[which * BYTES + i] = tile[which][i];
}

int main()
{
    unsigned char *in, *out, values[2 * BYTES] = { 1, 2, 3 };

    cudaMalloc(&in, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMalloc(&out, sizeof values);
    copy<<<1, 32>>>(in, out);
}
// SPDX-License-Identifier: Apache-2.0
