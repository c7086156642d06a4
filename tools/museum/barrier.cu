// libcu++'s barrier of a block: each thread asks for a while whether its phase is over, until it is.
#include <cuda/barrier>
#include <cuda/std/chrono>

__global__ void meet()
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier b;

    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    auto token = b.arrive();
    while (!b.try_wait_for(cuda::std::move(token), cuda::std::chrono::nanoseconds(100)))
        token = b.arrive();
}

int main()
{
    meet<<<1, 32>>>();
}
// SPDX-License-Identifier: Apache-2.0
