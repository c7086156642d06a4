// A sum over two warps, twice, whose second use of the same word no barrier keeps from the first one's reads. On a
// device warps go on at once, and what is read directly behind a barrier is mostly still there.
#include <cstdio>

__device__ float sum_of_all(float value)
{
    __shared__ float parts[2];

    for (int i = 16; i; i /= 2)
        value += __shfl_down_sync(~0u, value, i);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = value;
    __syncthreads();
    return parts[0] + parts[1];
}

__global__ void twice(const float *in, float *out)
{
    const float first = sum_of_all(in[threadIdx.x]);

    out[threadIdx.x] = first + sum_of_all(in[threadIdx.x] * 1000);
}

int main()
{
    float in[64], out[64], *d, *o;
    int right = 0;

    for (int i = 0; i < 64; i++)
        in[i] = 1;
    cudaMalloc(&d, sizeof in);
    cudaMalloc(&o, sizeof out);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    for (int times = 0; times < 3; times++) {
        twice<<<2, 64>>>(d, o);
        cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 64; i++)
            right += out[i] == 64064;
    }
    printf("%d of 192 right\n", right);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
