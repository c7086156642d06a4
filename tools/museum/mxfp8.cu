// torchao's rearrangement of scales for the tensor cores: two groups of rows. SIMPLE: the kernel that loads without tensor
// copies.
#include "piece.cuh"

int main()
{
    const int rows = 256, columns = 32, groups = 2, ends[groups] = { 128, 256 };
    unsigned char *scales, *to, values[rows * columns];
    int32_t *ends_there;

    for (int i = 0; i < rows * columns; i++)
        values[i] = (unsigned char)(i * 7);
    cudaMalloc(&scales, sizeof values);
    cudaMemcpy(scales, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMalloc(&to, 2 * sizeof values);
    cudaMalloc(&ends_there, sizeof ends);
    cudaMemcpy(ends_there, ends, sizeof ends, cudaMemcpyHostToDevice);
#ifdef SIMPLE
    mxfp8::launch_mx_block_rearrange_2d_simple_cuda(scales, rows, columns, ends_there, to, groups, 16, 0);
#else
    mxfp8::launch_mx_block_rearrange_2d_M_groups_cuda(scales, columns, rows, columns, rows, ends_there, to, groups, 16, 1, 0);
#endif
}
// SPDX-License-Identifier: Apache-2.0
