// A plain matrix product for tools/bench-grids, of square matrices of floats with n rows, in CTAs of 16 x 16 threads. END
// says what thread 0 of each CTA does when it is done: 0 nothing; 1 it counts, and drops the result; 2 it draws a ticket;
// 3 it adds to a sum of floats; 4 the CTA that comes last adds up the whole product.
__device__ bool is_last(unsigned *count)
{
    __shared__ bool last;

    __threadfence();
    __syncthreads();
    if (threadIdx.x + threadIdx.y == 0)
        last = atomicAdd(count, 1) == gridDim.x * gridDim.y - 1;
    __syncthreads();
    __threadfence();
    return last;
}

extern "C" __global__ void product(const float *a, const float *b, float *c, unsigned *count, float *sum, int n)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    const bool first = threadIdx.x + threadIdx.y == 0;
    float total = 0;

    for (int k = 0; k < n; k++)
        total += a[row * n + k] * b[k * n + column];
    c[row * n + column] = total;
    if (END == 1 && first)
        atomicAdd(count, 1);
    if (END == 2 && first)
        c[row * n + column] += atomicAdd(count, 1);
    if (END == 3 && first)
        atomicAdd(sum, total);
    if (END == 4 && is_last(count)) {
        total = 0;
        for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < n * n; i += blockDim.x * blockDim.y)
            total += c[i];
        atomicAdd(sum, total);
    }
}
// SPDX-License-Identifier: Apache-2.0
