/* Several object files as one program (nvcc -rdc=true): variables, constants, functions, templates and function
 * pointers of one file in another, and its kernels. */
#include "linked.cuh"

#include <cstdio>

static __device__ float negative(float x)
{
    return -2 * x;
}

__device__ __noinline__ float through(unary f, float x)
{
    return f(x);
}

__global__ void kernel(float *out)
{
    own[1] = 9;
    shared_counter += 2;
    out[0] = scaled(10, 3);
    out[1] = (float)shared_counter;
    out[2] = twice(21.0f);
    out[3] = through(chosen, 5);
    out[4] = through(negative, 5);
    out[5] = (float)(own[0] + own[1]);
}

/* A kernel of the other file, launched by one of this. */
__global__ void parent(float *out)
{
    kernel_of_other<<<1, 2>>>(out, 2);
}

int main()
{
    float *out, got[40] = {};

    cudaMalloc(&out, sizeof got);
    kernel_of_other<<<1, 32>>>(out + 8, 32);
    kernel<<<1, 1>>>(out);
    parent<<<1, 1>>>(out + 6);
    if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 6; i++)
        printf("%g ", got[i]);
    printf("%g %g %g\n", got[7], got[9], got[11]);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
