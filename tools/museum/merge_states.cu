// FlashInfer's merging of attention states, each from 16: one row more than an H200 has processors, so that a CTA takes two.
#include <flashinfer/attention/cascade.cuh>

#include <vector>

int main()
{
    const uint32_t rows = 133, sets = 16, heads = 1, dim = 64;
    auto make = [](size_t count, auto value) {
        std::vector<decltype(value(0))> values(count);
        for (size_t i = 0; i < count; i++)
            values[i] = value(i);
        decltype(value(0)) *to;
        cudaMalloc(&to, count * sizeof *to);
        cudaMemcpy(to, values.data(), count * sizeof *to, cudaMemcpyHostToDevice);
        return to;
    };
    half *v = make(rows * sets * heads * dim, [](size_t i) { return __float2half(float(i * 7 % 19) / 8 - 1); }), *merged;
    float *s = make(rows * sets * heads, [](size_t i) { return float(i % 5) / 4; });
    int32_t *starts = make(rows + 1, [](size_t i) { return int32_t(i * sets); });

    cudaMalloc(&merged, rows * heads * dim * sizeof *merged);
    return flashinfer::VariableLengthMergeStates<half, half, int32_t>(v, s, starts, merged, nullptr, rows, nullptr, heads, dim,
                                                                      false);
}
// SPDX-License-Identifier: Apache-2.0
