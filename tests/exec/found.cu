/* A kernel that breaks a rule, for the formats in which that is said. */
__global__ void race(float *x)
{
    __shared__ float s[64];

    s[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = s[63 - threadIdx.x];
}

int main()
{
    float *x;

    cudaMalloc(&x, 256);
    cudaMemset(x, 0, 256);
    race<<<1, 64>>>(x);
    return cudaDeviceSynchronize();
}
// SPDX-License-Identifier: Apache-2.0
