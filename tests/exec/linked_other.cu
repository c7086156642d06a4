/* The second file. */
#include "linked.cuh"

__device__ int shared_counter = 40;
__constant__ float factors[4] = { 1, 2, 3, 4 };

__device__ float scaled(float x, int which)
{
    return x * factors[which];
}

static __device__ float negative(float x)
{
    return -x;
}

__device__ unary chosen = negative;

__global__ void kernel_of_other(float *out, int n)
{
    own[0] = 7;
    if ((int)threadIdx.x < n)
        out[threadIdx.x] = twice(scaled((float)threadIdx.x, 2)) + (float)tally(1);
}
// SPDX-License-Identifier: Apache-2.0
