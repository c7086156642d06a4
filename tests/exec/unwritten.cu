// Memory that nobody has written, read by a later launch. Each number is a program: the right ones first.
#include <cstdlib>

#include <cuda.h>

#include "expect.cuh"

__global__ void fill(int *to)
{
    to[blockIdx.x * blockDim.x + threadIdx.x] = (int)threadIdx.x;
}

__global__ void sum(const int *x, int first, int n, int *out)
{
    int s = 0;

#pragma unroll 1
    for (int i = first; i < first + n; i++)
        s += x[i];
    *out = s;
}

__global__ void count(int *x)
{
    atomicAdd(x, 1);
}

__global__ void take(int *x)
{
    atomicExch(x, 1);
}

__global__ void quadruples(const int4 *x, int n, int *out)
{
    int s = 0;

#pragma unroll 1
    for (int i = 0; i < n; i++)
        s += x[i].x;
    *out = s;
}

/* Rows of 10 elements, by vectors of four: the last vector of a row reaches into its padding. */
__global__ void rows(const char *x, size_t pitch, int *out)
{
    int s = 0;

#pragma unroll 1
    for (int y = 0; y < 4; y++)
#pragma unroll 1
        for (int i = 0; i < 3; i++)
            s += reinterpret_cast<const int4 *>(x + y * pitch)[i].y;
    *out = s;
}

/* Differences of neighbours, in shared memory. The last thread loads a word that nobody has written; it is used, or
 * not. */
__global__ void differences(const int *x, int used, int *to)
{
    __shared__ int tile[64];

    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    const int next = static_cast<volatile int *>(tile)[threadIdx.x + 1];
    to[threadIdx.x] = (int)threadIdx.x < used ? next - tile[threadIdx.x] : 0;
}

/* The same, with a barrier before the loads or without. */
__global__ void differences_of(const int *x, bool races, int *to)
{
    __shared__ int tile[64];

    tile[threadIdx.x] = x[threadIdx.x];
    if (!races)
        __syncthreads();
    const int next = static_cast<volatile int *>(tile)[threadIdx.x + 1];
    to[threadIdx.x] = threadIdx.x < 31 ? next - tile[threadIdx.x] : 0;
}

__global__ void copy_in(const int *x, int *out)
{
    __shared__ int tile[32];
    const unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);

    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n\tcp.async.wait_all;" ::"r"(to), "l"(x + threadIdx.x)
                 : "memory");
    out[threadIdx.x] = tile[threadIdx.x];
}

enum { N = 64, BYTES = N * sizeof(int) };

int *x, *y, *out, host[N];

void *mapped(size_t bytes)
{
    CUmemAllocationProp how;
    CUmemAccessDesc access;
    CUmemGenericAllocationHandle physical;
    CUdeviceptr at;

    memset(&how, 0, sizeof how);
    how.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    how.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location = how.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    EXPECT(cuMemCreate(&physical, bytes, &how, 0) == CUDA_SUCCESS);
    EXPECT(cuMemAddressReserve(&at, bytes, 0, 0, 0) == CUDA_SUCCESS);
    EXPECT(cuMemMap(at, bytes, 0, physical, 0) == CUDA_SUCCESS);
    EXPECT(cuMemSetAccess(at, bytes, &access, 1) == CUDA_SUCCESS);
    return (void *)at;
}

void right(int number)
{
    size_t pitch;
    char *wide;
    CUdeviceptr of_driver;

    switch (number) {
    case 0: /* one launch after another writes, and a third reads both halves */
        fill<<<1, 32>>>(x);
        fill<<<1, 32>>>(x + 32);
        sum<<<1, 1>>>(x, 0, N, out);
        break;
    case 1: /* sets and copies that meet in the middle */
        cudaMemset(x, 0, 130);
        cudaMemcpy(reinterpret_cast<char *>(x) + 130, host, BYTES - 130, cudaMemcpyHostToDevice);
        sum<<<1, 1>>>(x, 0, N, out);
        break;
    case 2: /* of a copy, the part that has been written */
        fill<<<1, 32>>>(x);
        cudaMemcpy(y + 7, x + 1, BYTES - 32, cudaMemcpyDeviceToDevice);
        sum<<<1, 1>>>(y, 7, 31, out);
        break;
    case 3: /* a vector reaches behind the last element */
        fill<<<1, 5>>>(x);
        quadruples<<<1, 1>>>(reinterpret_cast<int4 *>(x), 2, out);
        break;
    case 4:
        cudaMallocPitch(&wide, &pitch, 40, 4);
        cudaMemcpy2D(wide, pitch, host, 40, 40, 4, cudaMemcpyHostToDevice);
        rows<<<1, 1>>>(wide, pitch, out);
        break;
    case 5: /* an exchange needs no value */
        take<<<1, 1>>>(x);
        count<<<1, 1>>>(x);
        break;
    case 6: /* memory that the host writes without a call */
        cudaMallocManaged(&x, BYTES);
        sum<<<1, 1>>>(x, 0, N, out);
        break;
    case 7: /* many CTAs, each on its own */
        cudaMalloc(&x, 64 * 128 * sizeof(int));
        fill<<<64, 128>>>(x);
        sum<<<1, 1>>>(x, 0, 64 * 128, out);
        break;
    case 8:
        cuMemAlloc(&of_driver, BYTES);
        cuMemsetD32(of_driver, 3, N);
        sum<<<1, 1>>>((int *)of_driver, 0, N, out);
        break;
    case 9:
        x = static_cast<int *>(mapped(2 << 20));
        fill<<<1, 32>>>(x + 32);
        sum<<<1, 1>>>(x, 32, 32, out);
        break;
    case 10:
        fill<<<1, 32>>>(x);
        copy_in<<<1, 32>>>(x, y);
        break;
    }
}

void wrong(int number)
{
    cudaStream_t stream;
    CUdeviceptr of_driver;

    fill<<<1, 32>>>(x);
    cudaMemset(out, 0, sizeof *out);
    switch (number) {
    case 0: sum<<<1, 1>>>(x, 0, 33, out); break;
    case 1:
        cudaMemcpy(y + 7, x, BYTES - 28, cudaMemcpyDeviceToDevice);
        sum<<<1, 1>>>(y, 7, 33, out);
        break;
    case 2: count<<<1, 1>>>(x + 40); break;
    case 3:
        cudaStreamCreate(&stream);
        cudaMallocAsync(&y, BYTES, stream);
        cudaMemsetAsync(y, 0, 8, stream);
        sum<<<1, 1, 0, stream>>>(y, 0, 3, out);
        break;
    case 4:
        cuMemAlloc(&of_driver, BYTES);
        cuMemsetD32(of_driver, 3, N - 1);
        sum<<<1, 1>>>((int *)of_driver, 0, N, out);
        break;
    case 5:
        x = static_cast<int *>(mapped(2 << 20));
        fill<<<1, 32>>>(x);
        sum<<<1, 1>>>(x, 31, 2, out);
        break;
    case 6: copy_in<<<1, 32>>>(x + 4, y); break;
    case 7: cudaMemcpy(host, y + 3, 8, cudaMemcpyDeviceToHost); break;
    case 8: /* what was written is gone with its allocation */
        cudaFree(x);
        cudaMalloc(&x, BYTES);
        sum<<<1, 1>>>(x, 0, 1, out);
        break;
    case 9: differences<<<1, 32>>>(x, 32, y); break;
    case 10:
        for (int i = 0; i < 3; i++)
            differences<<<1, 32>>>(x, 31, x); /* what it reads, it overwrites: each launch has other values */
        cudaMemcpy(host, x, 12, cudaMemcpyDeviceToHost);
        EXPECT(host[0] == 0 && host[1] == 0 && host[2] == 0);
        break;
    case 11:
        for (int i = 0; i < 6; i++)
            differences_of<<<1, 32>>>(x, i == 5, y);
        break;
    }
}

int main(int argc, char **argv)
{
    const int number = argc > 2 ? atoi(argv[2]) : 0;

    EXPECT(cudaMalloc(&x, BYTES) == cudaSuccess && cudaMalloc(&y, BYTES) == cudaSuccess);
    EXPECT(cudaMalloc(&out, sizeof *out) == cudaSuccess);
    if (argc > 1 && !strcmp(argv[1], "wrong"))
        wrong(number);
    else
        right(number);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    return end_of_test();
}
// SPDX-License-Identifier: Apache-2.0
