// Memory of the runtime: kinds, copies, sets, arrays, pools, and the errors of each.
#include "expect.cuh"

__device__ int variable[4] = { 1, 2, 3, 4 };
__constant__ float constants[2];
__managed__ int shared_by_both = 5;

// Adds 1 to each of n numbers.
__global__ void add_one(int *numbers, int n)
{
    if (threadIdx.x < n)
        numbers[threadIdx.x]++;
}

__global__ void use_symbols(float *out)
{
    out[0] = constants[1] + variable[2];
    shared_by_both++;
}

static void properties()
{
    cudaDeviceProp p;
    int value, count;
    size_t bytes;

    FINE(cudaGetDeviceCount(&count));
    FINE(cudaGetDeviceProperties(&p, 0));
    GIVES(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    EXPECT(count == 1 && p.major == 9 && p.minor == 0 && p.warpSize == 32 && p.maxThreadsPerBlock == 1024);
    EXPECT(p.maxThreadsDim[2] == 64 && p.maxGridSize[1] == 65535 && p.sharedMemPerBlockOptin == 227 << 10);
    EXPECT(p.totalConstMem == 64 << 10 && p.maxThreadsPerMultiProcessor == 2048 && p.clusterLaunch == 1);
    EXPECT(p.cooperativeLaunch == 1 && p.memoryPoolsSupported == 1 && p.maxBlocksPerMultiProcessor == 32);
    FINE(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    EXPECT(value == p.multiProcessorCount && !strcmp(p.name, "NVIDIA H200"));
    GIVES(cudaSetDevice(1), cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDevice && cudaGetLastError() == cudaSuccess);
    FINE(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
    FINE(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    EXPECT(bytes >= 1 << 20);
    FINE(cudaDeviceCanAccessPeer(&value, 0, 0));
    EXPECT(value == 0);
}

static void linear()
{
    int host[8] = { 0, 1, 2, 3, 4, 5, 6, 7 }, back[8], *numbers, *managed, *pinned;
    cudaPointerAttributes about;

    FINE(cudaMalloc(&numbers, sizeof host));
    FINE(cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice));
    add_one<<<1, 8>>>(numbers, 8);
    FINE(cudaMemcpy(back, numbers, sizeof back, cudaMemcpyDeviceToHost));
    EXPECT(back[0] == 1 && back[7] == 8);
    GIVES(cudaMemcpy(numbers, host, sizeof host + 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GIVES(cudaMemcpy(numbers, host, 4, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    // a side that is said to be the device's is not the host's own memory
    GIVES(cudaMemcpy(numbers, host, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    GIVES(cudaMemcpy(numbers, host, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    GIVES(cudaMemcpy(back, numbers, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GIVES(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
    FINE(cudaPointerGetAttributes(&about, (void *)16));
    EXPECT(about.type == cudaMemoryTypeUnregistered);
    FINE(cudaMemset(numbers, 0xff, 8));
    FINE(cudaMemcpy(back, numbers, sizeof back, cudaMemcpyDefault));
    EXPECT(back[0] == -1 && back[1] == -1 && back[2] == 3);
    FINE(cudaPointerGetAttributes(&about, numbers + 1));
    EXPECT(about.type == cudaMemoryTypeDevice && about.device == 0);
    FINE(cudaPointerGetAttributes(&about, host));
    EXPECT(about.type == cudaMemoryTypeUnregistered);
    FINE(cudaMallocManaged(&managed, 64));
    FINE(cudaPointerGetAttributes(&about, managed));
    EXPECT(about.type == cudaMemoryTypeManaged && about.hostPointer == managed);
    managed[0] = 1;
    add_one<<<1, 1>>>(managed, 1);
    FINE(cudaDeviceSynchronize());
    EXPECT(managed[0] == 2);
    pinned = host;
    GIVES(cudaHostAlloc(&pinned, 64, 0x100), cudaErrorInvalidValue);
    EXPECT(!pinned);
    pinned = host;
    GIVES(cudaMallocAsync(&pinned, 1ul << 60, 0), cudaErrorMemoryAllocation);
    EXPECT(!pinned);
    FINE(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped));
    GIVES(cudaFree(pinned), cudaErrorInvalidValue);
    FINE(cudaFreeHost(pinned));
    FINE(cudaFree(managed));
    FINE(cudaFree(numbers));
    FINE(cudaFree(NULL));
    GIVES(cudaMemset(numbers, 0, 4), cudaErrorInvalidValue);
    cudaGetLastError();
}

static void symbols()
{
    const float values[2] = { 1.5f, 2.5f };
    float *out, back;
    int third = 30;
    void *at;
    size_t bytes;

    FINE(cudaMalloc(&out, 4));
    FINE(cudaMemcpyToSymbol(constants, values + 1, 4));
    FINE(cudaGetSymbolAddress(&at, constants));
    FINE(cudaMemcpy(at, values, sizeof values, cudaMemcpyHostToDevice));
    FINE(cudaMemcpyAsync(&back, (float *)at + 1, 4, cudaMemcpyDeviceToHost));
    FINE(cudaDeviceSynchronize());
    EXPECT(back == 2.5f);
    FINE(cudaMemcpyToSymbol(variable, &third, 4, 8));
    GIVES(cudaMemcpyToSymbol(variable, &third, 4, 14), cudaErrorInvalidValue);
    FINE(cudaGetSymbolAddress(&at, variable));
    FINE(cudaGetSymbolSize(&bytes, variable));
    EXPECT(bytes == 16);
    use_symbols<<<1, 1>>>(out);
    FINE(cudaMemcpy(&back, out, 4, cudaMemcpyDeviceToHost));
    EXPECT(back == 32.5f && shared_by_both == 6);
    GIVES(cudaMemcpyToSymbol(values, values, 4), cudaErrorInvalidSymbol);
    FINE(cudaFree(out));
}

static void boxes()
{
    unsigned char host[4][3][5], back[4][3][5] = { 0 };
    cudaPitchedPtr box;
    cudaMemcpy3DParms p = { 0 };
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaExtent extent;
    unsigned flags;

    for (int i = 0; i < 60; i++)
        host[i / 15][i / 5 % 3][i % 5] = i;
    FINE(cudaMalloc3D(&box, make_cudaExtent(5, 3, 4)));
    p.srcPtr = make_cudaPitchedPtr(host, 5, 5, 3);
    p.dstPtr = box;
    p.extent = make_cudaExtent(5, 3, 4);
    p.kind = cudaMemcpyHostToDevice;
    FINE(cudaMemcpy3D(&p));
    FINE(cudaMalloc3DArray(&array, &format, make_cudaExtent(5, 3, 4)));
    p.srcPtr = box;
    p.dstPtr = make_cudaPitchedPtr(NULL, 0, 0, 0);
    p.dstArray = array;
    p.kind = cudaMemcpyDeviceToDevice;
    FINE(cudaMemcpy3D(&p));
    FINE(cudaMemset3D(box, 0, make_cudaExtent(5, 3, 4)));
    p = { 0 };
    p.srcArray = array;
    p.srcPos = make_cudaPos(1, 1, 1);
    p.dstPtr = make_cudaPitchedPtr(back, 5, 5, 3);
    p.extent = make_cudaExtent(4, 2, 3);
    p.kind = cudaMemcpyDeviceToHost;
    FINE(cudaMemcpy3D(&p));
    EXPECT(back[0][0][0] == host[1][1][1] && back[2][1][3] == host[3][2][4] && back[0][0][4] == 0);
    p.extent = make_cudaExtent(5, 2, 3);
    GIVES(cudaMemcpy3D(&p), cudaErrorInvalidValue);
    FINE(cudaArrayGetInfo(NULL, &extent, &flags, array));
    EXPECT(extent.width == 5 && extent.height == 3 && extent.depth == 4 && flags == 0);
    FINE(cudaFreeArray(array));
    FINE(cudaFree(box.ptr));
    cudaGetLastError();
}

static void pools()
{
    cudaMemPool_t pool;
    cudaStream_t stream;
    unsigned long long used = 0, keep = ~0ull;
    int *numbers, back = 0;

    FINE(cudaStreamCreate(&stream));
    FINE(cudaDeviceGetDefaultMemPool(&pool, 0));
    FINE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    FINE(cudaMallocAsync(&numbers, 4096, stream));
    FINE(cudaMemsetAsync(numbers, 0, 4096, stream));
    add_one<<<1, 32, 0, stream>>>(numbers, 32);
    FINE(cudaMemcpyAsync(&back, numbers, 4, cudaMemcpyDeviceToHost, stream));
    FINE(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used == 4096);
    FINE(cudaFreeAsync(numbers, stream));
    FINE(cudaStreamSynchronize(stream));
    EXPECT(back == 1);
    FINE(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used == 0);
    GIVES(cudaFreeAsync(&back, stream), cudaErrorInvalidValue);
    FINE(cudaStreamDestroy(stream));
    cudaGetLastError();
}

int main()
{
    properties();
    linear();
    symbols();
    boxes();
    pools();
    add_one<<<1, 2048>>>(NULL, 0);
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    FINE(cudaDeviceSynchronize());
    return end_of_test();
}
// SPDX-License-Identifier: Apache-2.0
