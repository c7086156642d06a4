// libcu++'s cuda::ptx::mbarrier_init.
#include <cuda/ptx>

__global__ void init()
{
    __shared__ uint64_t bar;

    cuda::ptx::mbarrier_init(&bar, 32);
}

int main()
{
    init<<<1, 1>>>();
}
// SPDX-License-Identifier: Apache-2.0
