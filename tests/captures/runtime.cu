/* A program of the runtime API, for tools/record-captures and for copycheck exec: adds 1 to 64 numbers. */
#include <cstdio>

__global__ void add(float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] += 1;
}

int main()
{
    float host[64], *x;

    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    add<<<1, 64>>>(x, 64);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s, %g\n", cudaGetErrorName(cudaGetLastError()), host[63]);
    cudaFree(x);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
