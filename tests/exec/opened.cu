// A library with a kernel and a CUDA runtime of its own, which a program opens: opened_by.cu.
__global__ void twice(const int *from, int *to)
{
    to[threadIdx.x] = 2 * from[threadIdx.x];
}

// Doubles 32 numbers on the device; its error.
extern "C" int doubled(const int *from, int *to)
{
    const size_t bytes = 32 * sizeof *from;
    int *in, *out;

    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemcpy(in, from, bytes, cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(in, out);
    cudaMemcpy(to, out, bytes, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return cudaGetLastError();
}
// SPDX-License-Identifier: Apache-2.0
