// FlashInfer's choice of the K greatest. BY_ONE: by one CTA, of values so alike that its candidates overflow and are
// refined in rounds. Else: by two CTAs that share a state in global memory and wait for one another.
#include <vector>

#include <flashinfer/math.cuh>
#include <flashinfer/topk.cuh>

using namespace flashinfer::sampling;

template <class T> static T *filled(size_t n, T value)
{
    std::vector<T> values(n, value);
    T *to;

    cudaMalloc(&to, n * sizeof(T));
    cudaMemcpy(to, values.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

int main()
{
    constexpr uint32_t chosen = 16;
    uint32_t one = 1, k = chosen;
    int *none = nullptr, *output;
    int64_t stride = 0;
    float *values;

    cudaMalloc(&output, chosen * sizeof(int));
    cudaMalloc(&values, chosen * sizeof(float));
#ifdef BY_ONE
    uint32_t width = 40960;
    float *input = filled(width, 0.f);
    auto kernel = FilteredTopKUnifiedKernel<float, int, 4, false, FilteredTopKMode::Plain, TopKTieBreak::None>;
    void *args[] = { &input, &output, &values, &none, &stride, &none, &none, &none, &one, &k, &width };
    cudaLaunchKernel((void *)kernel, dim3(1), dim3(FILTERED_TOPK_BLOCK_THREADS), args, FILTERED_TOPK_SMEM_DYNAMIC, 0);
#else
    uint32_t width = 1024, chunk = 512, ctas = 2;
    float *input = filled(width, 0.f);
    RadixRowState *state = (RadixRowState *)filled(sizeof(RadixRowState), (unsigned char)0);
    RadixDeterministicCollectScratch *scratch = nullptr;
    auto kernel = RadixTopKKernel_Unified<256, 4, false, false, RadixTopKMode::Basic, float, int>;
    void *args[] = { &input, &output, &values, &none,  &none,    &none,  &none, &stride,
                     &k,     &width,  &one,    &state, &scratch, &chunk, &ctas };
    cudaLaunchKernel((void *)kernel, dim3(ctas), dim3(256), args, 8192, 0);
#endif
}
// SPDX-License-Identifier: Apache-2.0
