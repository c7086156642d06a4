// CUB's DeviceTopK: the CTAs add their histograms to one in global memory, and the last of them goes on with it.
#include <cub/device/device_topk.cuh>

#include <cuda/std/execution>
#include <vector>

int main()
{
    constexpr int width = 16384, chosen = 16;
    std::vector<int> values(width);
    int *from, *to;
    void *scratch = nullptr;
    size_t bytes = 0;
    auto wish = cuda::std::execution::env{ cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                                    cuda::execution::output_ordering::unsorted) };

    for (int i = 0; i < width; i++)
        values[i] = int(unsigned(i) * 2654435761u >> 1);
    cudaMalloc(&from, sizeof(int) * width);
    cudaMemcpy(from, values.data(), sizeof(int) * width, cudaMemcpyHostToDevice);
    cudaMalloc(&to, sizeof(int) * chosen);
    for (int round = 0; round < 2; round++) {
        cub::DeviceTopK::MaxKeys(scratch, bytes, from, to, width, chosen, wish);
        if (!round)
            cudaMalloc(&scratch, bytes);
    }
}
// SPDX-License-Identifier: Apache-2.0
