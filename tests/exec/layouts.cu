/* Static shared memory of twenty kernels, which together would not fit, and dynamic shared memory behind that of each.
 */
#include <cstdio>

template <int N> __global__ void kernel(int *out)
{
    __shared__ int fixed[N * 512];
    extern __shared__ int more[];

    fixed[threadIdx.x] = N;
    more[threadIdx.x] = 100;
    __syncthreads();
    out[threadIdx.x] = fixed[31 - threadIdx.x] + more[31 - threadIdx.x];
    if (threadIdx.x == 0)
        out[0] += (int)(more - fixed == N * 512) * 1000;
}

template <int N> void all(int *out)
{
    cudaFuncAttributes a;

    kernel<N><<<1, 32, 128>>>(out);
    if (cudaFuncGetAttributes(&a, kernel<N>) != cudaSuccess || a.sharedSizeBytes != N * 2048)
        printf("kernel %d: %zu bytes\n", N, a.sharedSizeBytes);
    all<N - 1>(out + 32);
}
template <> void all<0>(int *) {}

int main()
{
    int *out, got[20 * 32], sum = 0;

    cudaMalloc(&out, sizeof got);
    all<20>(out);
    if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 20 * 32; i++)
        sum += got[i];
    printf("%d\n", sum);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
