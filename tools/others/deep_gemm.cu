// DeepGEMM's product of 8-bit floats with scales: D = A B^T, of sizes that are known at compile time but for the rows of A.
// MULTICAST CTAs of a cluster share the tiles of B.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cudaTypedefs.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <deep_gemm/fp8_gemm.cuh>

enum { N = 256, K = 512, BLOCK_M = 64, BLOCK_N = 128, BLOCK_K = 128, STAGES = 2, MULTICAST = CLUSTER };

template <typename T, typename F> static T *make(size_t count, F value)
{
    std::vector<T> values(count);
    T *to;

    for (size_t i = 0; i < count; i++)
        values[i] = T(value(i));
    cudaMalloc(&to, count * sizeof *to);
    cudaMemcpy(to, values.data(), count * sizeof *to, cudaMemcpyHostToDevice);
    return to;
}

int main(int count, char **words)
{
    using Product = deep_gemm::Gemm<N, K, BLOCK_M, BLOCK_N, BLOCK_K, 1, STAGES, MULTICAST, deep_gemm::GemmType::Normal>;
    const uint32_t m = count > 1 ? atoi(words[1]) : 128, parts = K / BLOCK_K;
    auto *a = make<__nv_fp8_e4m3>(size_t(m) * K, [](size_t i) { return float(int(i * 7 % 9) - 4); });
    auto *b = make<__nv_fp8_e4m3>(size_t(N) * K, [](size_t i) { return float(int(i * 5 % 7) - 3); });
    auto *scales_a = make<float>(size_t(m) * parts, [](size_t i) { return 1.0f / float(1 << i % 3); });
    auto *scales_b = make<float>(size_t(N / BLOCK_N) * parts, [](size_t i) { return float(1 << i % 2); });
    auto *d = make<__nv_bfloat16>(size_t(m) * N, [](size_t) { return 0.0f; });
    const uint32_t stage = BLOCK_M * BLOCK_K + BLOCK_N * BLOCK_K + BLOCK_M * sizeof(float);
    const uint32_t smem = BLOCK_M * BLOCK_N * 2 + STAGES * stage + (parts * 4 + 7) / 8 * 8 + STAGES * 16;

    Product::run(d, scales_b, nullptr, m, Product::make_2d_tma_a_desc(a, m), Product::make_2d_tma_b_desc(b),
                 Product::make_2d_tma_scales_a_desc(scales_a, m), Product::make_2d_tma_d_desc(d, m), 0, 2, smem);
}
// SPDX-License-Identifier: Apache-2.0
