// FlashInfer's sampling from logits: a row takes three rounds of the block's reduction.
#include <vector>

#include <flashinfer/sampling.cuh>

using namespace flashinfer::sampling;

int main()
{
    constexpr unsigned width = 3000, rows = 2;
    std::vector<float> values(width * rows);
    float *logits;
    int *output, *indices = nullptr;
    uint64_t *none = nullptr, seed = 7, offset = 3;
    unsigned d = width;

    for (size_t i = 0; i < values.size(); i++)
        values[i] = float(i * 31 % 101) / 16;
    cudaMalloc(&logits, values.size() * sizeof(float));
    cudaMemcpy(logits, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMalloc(&output, rows * sizeof(int));
    auto kernel = SamplingFromLogitsKernel<256, cub::BLOCK_SCAN_WARP_SCANS, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 4, true,
                                           float, int>;
    void *args[] = { &logits, &output, &indices, &d, &none, &seed, &none, &offset };
    cudaLaunchKernel((void *)kernel, dim3(rows), dim3(256), args, 4096, 0);
}
// SPDX-License-Identifier: Apache-2.0
