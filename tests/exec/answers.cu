// What the runtime answers: the device's properties, names of errors, limits, occupancy, and calls with arguments that
// are wrong in one way. Each line of the output is a call and its answer. On an H200 it gave
// expected/recorded/answers-nvidia-h200-580.txt; under copycheck exec it gives the same, but for the number of
// multiprocessors, which an option sets.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda.h>
#include <cuda_runtime.h>

#define P(x)                                                                                                           \
    do {                                                                                                               \
        cudaError_t e_ = (x);                                                                                          \
        printf("%s: %s\n", #x, cudaGetErrorName(e_));                                                                  \
        cudaGetLastError();                                                                                            \
    } while (0)
#define F(f) printf("prop %s %lld\n", #f, (long long)p.f);

__global__ void small(int *x)
{
    if (x)
        *x = threadIdx.x;
}

__global__ void __launch_bounds__(1024) big(float *x)
{
    extern __shared__ float s[];
    s[threadIdx.x] = 1;
    __syncthreads();
    if (x)
        x[threadIdx.x] = s[1023 - threadIdx.x];
}

__global__ void stat(float *x)
{
    __shared__ float s[4096];
    s[threadIdx.x] = 1;
    __syncthreads();
    if (x)
        x[threadIdx.x] = s[31 - threadIdx.x % 32];
}

__global__ void __cluster_dims__(4) clus(int *x)
{
    if (x)
        *x = 1;
}

__device__ int var[10];
__constant__ int con[3];
static cudaDeviceProp p;
static void *x, *y;
static char h[4096];

static void device()
{
    cudaGetDeviceProperties(&p, 0);
    printf("name %s\n", p.name);
    F(totalGlobalMem)
    F(sharedMemPerBlock)
    F(regsPerBlock) F(warpSize) F(memPitch) F(maxThreadsPerBlock) F(maxThreadsDim[0]) F(maxThreadsDim[1])
        F(maxThreadsDim[2]) F(maxGridSize[0]) F(maxGridSize[1]) F(maxGridSize[2]) F(totalConstMem) F(major) F(minor) F(
            textureAlignment) F(texturePitchAlignment) F(multiProcessorCount) F(integrated) F(canMapHostMemory)
            F(maxTexture1D) F(maxTexture1DMipmap) F(maxTexture2D[0]) F(maxTexture2D[1]) F(maxTexture2DLinear[0]) F(
                maxTexture2DLinear[1]) F(maxTexture2DLinear[2]) F(maxTexture3D[0]) F(maxTexture3D[1]) F(maxTexture3D[2])
                F(maxTextureCubemap) F(maxTexture1DLayered[0]) F(maxTexture2DLayered[0]) F(maxSurface1D)
                    F(maxSurface2D[0]) F(maxSurface3D[0]) F(surfaceAlignment) F(concurrentKernels) F(ECCEnabled)
                        F(tccDriver) F(asyncEngineCount) F(unifiedAddressing) F(memoryBusWidth) F(l2CacheSize) F(
                            persistingL2CacheMaxSize) F(maxThreadsPerMultiProcessor) F(streamPrioritiesSupported)
                            F(globalL1CacheSupported) F(localL1CacheSupported) F(sharedMemPerMultiprocessor) F(
                                regsPerMultiprocessor) F(managedMemory) F(isMultiGpuBoard) F(hostNativeAtomicSupported)
                                F(pageableMemoryAccess) F(concurrentManagedAccess) F(computePreemptionSupported)
                                    F(canUseHostPointerForRegisteredMem) F(cooperativeLaunch) F(sharedMemPerBlockOptin)
                                        F(pageableMemoryAccessUsesHostPageTables) F(directManagedMemAccessFromHost)
                                            F(maxBlocksPerMultiProcessor) F(accessPolicyMaxWindowSize)
                                                F(reservedSharedMemPerBlock) F(hostRegisterSupported)
                                                    F(sparseCudaArraySupported) F(hostRegisterReadOnlySupported)
                                                        F(timelineSemaphoreInteropSupported) F(memoryPoolsSupported)
                                                            F(gpuDirectRDMASupported) F(clusterLaunch)
                                                                F(unifiedFunctionPointers)

                                                                    for (int a = 1; a < 160; a++)
    {
        int v = -12345;
        cudaError_t e = cudaDeviceGetAttribute(&v, (cudaDeviceAttr)a, 0);
        printf("attr %d %s %d\n", a, cudaGetErrorName(e), v);
        cudaGetLastError();
    }
}

static void errors()
{
    for (int e = 0; e < 1000; e++) {
        const char *n = cudaGetErrorName((cudaError_t)e);
        if (strcmp(n, "unrecognized error code"))
            printf("error %d %s: %s\n", e, n, cudaGetErrorString((cudaError_t)e));
    }
    for (int e = 0; e < 1000; e++) {
        const char *n = NULL, *s = NULL;
        if (!cuGetErrorName((CUresult)e, &n)) {
            cuGetErrorString((CUresult)e, &s);
            printf("cuerror %d %s: %s\n", e, n, s);
        }
    }
}

static void limits()
{
    int lo, hi;
    cudaDeviceGetStreamPriorityRange(&lo, &hi);
    printf("priorities %d %d\n", lo, hi);
    for (int l = 0; l < 10; l++) {
        size_t v = 0;
        cudaError_t e = cudaDeviceGetLimit(&v, (cudaLimit)l);
        printf("limit %d %s %zu\n", l, cudaGetErrorName(e), v);
        cudaGetLastError();
    }
}

static void occupancy()
{
    cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024);
    for (int s = 0; s <= 232448; s += s < 8192 ? 1024 : 15 * 1024)
        for (int t = 32; t <= 1024; t *= 2) {
            int n = -1;
            cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, big, t, s);
            printf("occ big %d %d %s %d\n", t, s, cudaGetErrorName(e), n);
            cudaGetLastError();
        }
    for (int t = 1; t <= 1024; t += 61) {
        int n, m;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, small, t, 0);
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&m, stat, t, 0);
        printf("occ small %d %d stat %d\n", t, n, m);
    }
    int g, b;
    P(cudaOccupancyMaxPotentialBlockSize(&g, &b, small, 0, 0));
    printf("%d %d\n", g / p.multiProcessorCount, b);
    P(cudaOccupancyMaxPotentialBlockSize(&g, &b, stat, 0, 0));
    printf("%d %d\n", g / p.multiProcessorCount, b);
    size_t dyn;
    P(cudaOccupancyAvailableDynamicSMemPerBlock(&dyn, small, 4, 128));
    printf("%zu\n", dyn);
    P(cudaOccupancyAvailableDynamicSMemPerBlock(&dyn, stat, 1, 128));
    printf("%zu\n", dyn);
}

static void launches()
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute at[2];
    c.gridDim = 64;
    c.blockDim = 128;
    c.attrs = at;
    c.numAttrs = 0;
    int n = 0;
    P(cudaOccupancyMaxPotentialClusterSize(&n, small, &c));
    printf("%d\n", n);
    at[0].id = cudaLaunchAttributeClusterDimension;
    at[0].val.clusterDim.x = 4;
    at[0].val.clusterDim.y = at[0].val.clusterDim.z = 1;
    c.numAttrs = 1;
    P(cudaOccupancyMaxActiveClusters(&n, small, &c));
    at[0].val.clusterDim.x = 16;
    P(cudaLaunchKernelEx(&c, small, (int *)0));
    at[0].val.clusterDim.x = 3;
    P(cudaLaunchKernelEx(&c, small, (int *)0));
    at[0].val.clusterDim.x = 8;
    P(cudaLaunchKernelEx(&c, small, (int *)0));
    c.numAttrs = 0;
    c.gridDim = 6;
    P(cudaLaunchKernelEx(&c, clus, (int *)0));
    c.gridDim = 8;
    P(cudaLaunchKernelEx(&c, clus, (int *)0));
    c.gridDim = 0;
    P(cudaLaunchKernelEx(&c, small, (int *)0));
    c.gridDim = 1;
    c.blockDim = 1025;
    P(cudaLaunchKernelEx(&c, small, (int *)0));
    c.blockDim = dim3(1, 1, 65);
    P(cudaLaunchKernelEx(&c, small, (int *)0));
    c.gridDim = dim3(1, 65536);
    c.blockDim = 1;
    P(cudaLaunchKernelEx(&c, small, (int *)0));
    c.gridDim = 1;
    c.blockDim = 32;
    c.dynamicSmemBytes = 48 * 1024 + 1;
    P(cudaLaunchKernelEx(&c, small, (int *)0));
    c.dynamicSmemBytes = 227 * 1024;
    P(cudaLaunchKernelEx(&c, big, (float *)0));
    P(cudaDeviceSynchronize());
}

static void functions()
{
    cudaFuncAttributes fa;
    P(cudaFuncGetAttributes(&fa, stat));
    printf("shared %zu const %zu local %zu max %d ptx %d bin %d dyn %d carve %d\n", fa.sharedSizeBytes,
           fa.constSizeBytes, fa.localSizeBytes, fa.maxThreadsPerBlock, fa.ptxVersion, fa.binaryVersion,
           fa.maxDynamicSharedSizeBytes, fa.preferredShmemCarveout);
    P(cudaFuncGetAttributes(&fa, big));
    printf("max %d dyn %d regs<=64 %d\n", fa.maxThreadsPerBlock, fa.maxDynamicSharedSizeBytes, fa.numRegs <= 64);
    P(cudaFuncSetAttribute(stat, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    P(cudaFuncSetAttribute(stat, cudaFuncAttributeMaxDynamicSharedMemorySize, 211 * 1024));
    P(cudaFuncSetAttribute(small, (cudaFuncAttribute)99, 1));
}

static void memory()
{
    for (size_t w = 1; w < 5000; w = w * 2 + 3) {
        void *x;
        size_t pitch;
        cudaMallocPitch(&x, &pitch, w, 7);
        printf("pitch %zu %zu align %d\n", w, pitch, (int)((size_t)x % 512));
        cudaFree(x);
    }
    P(cudaMalloc(&x, 0));
    printf("%d\n", x == NULL);
    P(cudaMalloc(&x, (size_t)1 << 50));
    P(cudaMalloc((void **)NULL, 4));
    P(cudaMalloc(&x, 1000));
    P(cudaMalloc(&y, 1000));
    printf("apart %ld\n", labs((long)((char *)y - (char *)x)) % 512);
    P(cudaMemcpy(h, x, 2000, cudaMemcpyHostToDevice));
    P(cudaMemcpy(x, h, 100, cudaMemcpyDeviceToHost));
    P(cudaMemcpy(x, h, 100, cudaMemcpyDeviceToDevice));
    P(cudaMemcpy(x, NULL, 0, cudaMemcpyHostToDevice));
    P(cudaMemcpy(x, NULL, 4, cudaMemcpyHostToDevice));
    P(cudaMemcpy2D(h, 8, x, 16, 16, 2, cudaMemcpyDeviceToHost));
    P(cudaMemset((char *)x + 1, 0, 3));
    P(cudaMemset(h, 0, 3));
    P(cudaFree((char *)x + 16));
    P(cudaFree(h));
    P(cudaFree(y));
    P(cudaFree(y));
    P(cudaFreeHost(h));
    P(cudaHostUnregister(h));
    P(cudaHostRegister(h, 4096, 0));
    P(cudaHostRegister(h, 4096, 0));
    P(cudaHostUnregister(h));
    P(cudaMemcpyToSymbol(var, h, 44));
    P(cudaMemcpyToSymbol(var, h, 8, 36));
    P(cudaMemcpyToSymbol(con, h, 12));
    P(cudaMemcpyFromSymbol(h, con, 13));
    cudaPointerAttributes pa;
    P(cudaPointerGetAttributes(&pa, h));
    printf("%d %d\n", pa.type, pa.device);
    P(cudaPointerGetAttributes(&pa, (void *)16));
    printf("%d\n", pa.type);
    P(cudaPointerGetAttributes(&pa, (char *)x + 999));
    printf("%d\n", pa.type);
    P(cudaPointerGetAttributes(&pa, NULL));
}

static void streams()
{
    cudaStream_t s;
    cudaEvent_t e0, e1;
    float ms;
    P(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -100));
    int pr;
    P(cudaStreamGetPriority(s, &pr));
    printf("%d\n", pr);
    unsigned fl;
    P(cudaStreamGetFlags(s, &fl));
    printf("%u\n", fl);
    P(cudaStreamCreateWithFlags(&s, 77));
    P(cudaEventCreate(&e0));
    P(cudaEventCreateWithFlags(&e1, cudaEventDisableTiming));
    P(cudaEventQuery(e0));
    P(cudaEventElapsedTime(&ms, e0, e0));
    P(cudaEventRecord(e0));
    P(cudaEventRecord(e1));
    P(cudaDeviceSynchronize());
    P(cudaEventElapsedTime(&ms, e0, e1));
    P(cudaEventElapsedTime(&ms, e0, e0));
    P(cudaEventSynchronize(e1));
    P(cudaEventCreateWithFlags(&e1, 0x40));
    P(cudaStreamDestroy(NULL));
    P(cudaStreamQuery(NULL));
    P(cudaStreamSynchronize(cudaStreamPerThread));
}

static void arrays()
{
    cudaArray_t a;
    cudaChannelFormatDesc cf = cudaCreateChannelDesc<float4>();
    P(cudaMallocArray(&a, &cf, 0));
    P(cudaMallocArray(&a, &cf, 131073));
    P(cudaMallocArray(&a, &cf, 131072, 65536 + 1));
    cudaChannelFormatDesc odd = { 8, 8, 8, 0, cudaChannelFormatKindUnsigned };
    P(cudaMallocArray(&a, &odd, 8));
    odd = { 8, 16, 0, 0, cudaChannelFormatKindUnsigned };
    P(cudaMallocArray(&a, &odd, 8));
    P(cudaMallocArray(&a, &cf, 64, 32));
    P(cudaMemcpy2DToArray(a, 0, 0, h, 64, 64, 33, cudaMemcpyHostToDevice));
    P(cudaMemcpy2DToArray(a, 8, 0, h, 64, 64, 3, cudaMemcpyHostToDevice));
    P(cudaMemcpy2DToArray(a, 1000, 0, h, 64, 64, 3, cudaMemcpyHostToDevice));
    cudaResourceDesc rd = {};
    cudaTextureDesc td = {};
    cudaTextureObject_t to;
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = a;
    P(cudaCreateSurfaceObject(&to, &rd));
    td.filterMode = cudaFilterModeLinear;
    P(cudaCreateTextureObject(&to, &rd, &td, NULL));
    td.normalizedCoords = 0;
    td.addressMode[0] = cudaAddressModeWrap;
    P(cudaCreateTextureObject(&to, &rd, &td, NULL));
    rd.resType = cudaResourceTypeLinear;
    rd.res.linear.devPtr = (char *)x + 4;
    rd.res.linear.desc = cf;
    rd.res.linear.sizeInBytes = 64;
    td = {};
    P(cudaCreateTextureObject(&to, &rd, &td, NULL));
    rd.res.linear.devPtr = x;
    P(cudaCreateTextureObject(&to, &rd, &td, NULL));
    td.filterMode = cudaFilterModeLinear;
    P(cudaCreateTextureObject(&to, &rd, &td, NULL));
    cudaChannelFormatDesc ic = cudaCreateChannelDesc<int>();
    rd = {};
    cudaArray_t ia;
    cudaMallocArray(&ia, &ic, 64, 32);
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = ia;
    P(cudaCreateTextureObject(&to, &rd, &td, NULL));
    P(cudaDestroyTextureObject(0));
}

static void graphs()
{
    cudaGraph_t gr;
    cudaGraphExec_t ge;
    cudaStream_t cs;
    P(cudaStreamCreate(&cs));
    P(cudaStreamBeginCapture(cs, cudaStreamCaptureModeGlobal));
    P(cudaMalloc(&y, 64));
    P(cudaStreamSynchronize(cs));
    P(cudaStreamEndCapture(cs, &gr));
    P(cudaStreamBeginCapture(cs, cudaStreamCaptureModeRelaxed));
    small<<<1, 1, 0, cs>>>(NULL);
    P(cudaGetLastError());
    P(cudaMalloc(&y, 64));
    P(cudaStreamBeginCapture(cs, cudaStreamCaptureModeRelaxed));
    P(cudaStreamEndCapture(cs, &gr));
    size_t nn = 0;
    P(cudaGraphGetNodes(gr, NULL, &nn));
    printf("%zu\n", nn);
    P(cudaGraphInstantiate(&ge, gr, 0));
    P(cudaGraphLaunch(ge, cs));
    P(cudaStreamSynchronize(cs));
    P(cudaStreamEndCapture(cs, &gr));
}

int main()
{
    device();
    errors();
    limits();
    occupancy();
    launches();
    functions();
    memory();
    streams();
    arrays();
    graphs();
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
