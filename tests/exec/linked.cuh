/* What the three files of one program, compiled apart with nvcc -rdc=true, know of each other. */
#pragma once

extern __device__ int shared_counter;
extern __constant__ float factors[4];
__device__ float scaled(float x, int which);
typedef float (*unary)(float);
extern __device__ unary chosen;
__global__ void kernel_of_other(float *out, int n);

/* Each file has one of its own, of the same name. */
static __device__ int own[2];
static __device__ int tally(int by)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, by);
    __syncthreads();
    return sum;
}

/* Both instantiate it: one is kept. */
template <typename T> __device__ __noinline__ T twice(T x)
{
    return x + x;
}
// SPDX-License-Identifier: Apache-2.0
