// FlashInfer's tinygemm2: a product of a few rows by a weight matrix; 8192 numbers fill all stages of its ring twice.
// BIASED: of the releases in which the bias is a parameter of the template.
#include "piece.cuh"

#ifdef BIASED
#define PARAMETERS 16, true
#else
#define PARAMETERS 16
#endif

int main(int count, char **words)
{
    const int rows = 8, columns = 16, inner = count > 1 ? atoi(words[1]) : 8192;
    auto make = [](size_t n) {
        std::vector<__nv_bfloat16> values(n);
        for (size_t i = 0; i < n; i++)
            values[i] = __float2bfloat16(float(i * 7 % 19) / 8 - 1);
        __nv_bfloat16 *to;
        cudaMalloc(&to, n * sizeof *to);
        cudaMemcpy(to, values.data(), n * sizeof *to, cudaMemcpyHostToDevice);
        return to;
    };
    __nv_bfloat16 *output;
    cudaMalloc(&output, rows * columns * sizeof *output);
    flashinfer::tinygemm2::launch_tinygemm2_impl<PARAMETERS>(make(rows * inner), make(columns * inner), output,
                                                             make(columns), rows, columns, inner, 0, false);
}
// SPDX-License-Identifier: Apache-2.0
