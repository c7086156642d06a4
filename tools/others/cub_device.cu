// CUB's sum of a million numbers by the whole device.
#include <cub/device/device_reduce.cuh>

#include <cstdio>
#include <vector>

int main()
{
    const int count = 1 << 20;
    std::vector<int> values(count);
    int *in, *out, sum = 0, want = 0;
    void *storage = nullptr;
    size_t bytes = 0;

    for (int i = 0; i < count; i++)
        want += values[i] = i % 1021 - 500;
    cudaMalloc(&in, count * sizeof *in);
    cudaMemcpy(in, values.data(), count * sizeof *in, cudaMemcpyHostToDevice);
    cudaMalloc(&out, sizeof *out);
    cub::DeviceReduce::Sum(storage, bytes, in, out, count);
    cudaMalloc(&storage, bytes);
    cub::DeviceReduce::Sum(storage, bytes, in, out, count);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    printf("%s: %d, expected %d\n", sum == want ? "Passed" : "Wrong", sum, want);
    return sum != want;
}
// SPDX-License-Identifier: Apache-2.0
