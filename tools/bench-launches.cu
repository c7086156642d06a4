/* Launches of small kernels in many ways, for tools/bench-launches: prints of each way how many microseconds a launch
 * takes, of the processor and by the clock.
 * usage: PROGRAM COUNT */
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

struct large {
    char bytes[1000];
};

__global__ void empty() {}
__global__ void with_arguments(int *at, int i, float f, double d, large l) {}
__global__ void store(int *at)
{
    at[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}
__global__ void sum(int *at, int n)
{
    int all = 0;

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        all += at[i];
    at[threadIdx.x] = all;
}

static int *memory;
static cudaStream_t stream;
static cudaGraphExec_t graph;
static CUfunction function;
enum { IN_GRAPH = 10 };

static void plain(int)
{
    empty<<<1, 1>>>();
}
static void arguments(int i)
{
    with_arguments<<<1, 1>>>(memory, i, 1, 2, large{});
}
static void in_stream(int)
{
    empty<<<1, 1, 0, stream>>>();
}
static void warp(int)
{
    empty<<<1, 32>>>();
}
static void stores(int)
{
    store<<<1, 32>>>(memory);
}
static void four_ctas(int)
{
    store<<<4, 256>>>(memory);
}
static void loop(int)
{
    sum<<<1, 32>>>(memory, 128);
}
static void driver(int)
{
    cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
}
static void synchronised(int)
{
    empty<<<1, 1>>>();
    cudaDeviceSynchronize();
}
static void extended(int)
{
    cudaLaunchConfig_t config = {};

    config.gridDim = config.blockDim = 1;
    cudaLaunchKernelEx(&config, empty);
}
static void in_graph(int i)
{
    if (i % IN_GRAPH == 0)
        cudaGraphLaunch(graph, stream);
}

static double now(clockid_t which)
{
    timespec t;

    clock_gettime(which, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static void measure(const char *what, void (*launch)(int), int count)
{
    double processor, clock;

    launch(0);
    cudaDeviceSynchronize();
    processor = now(CLOCK_PROCESS_CPUTIME_ID);
    clock = now(CLOCK_MONOTONIC);
    for (int i = 0; i < count; i++)
        launch(i);
    cudaDeviceSynchronize();
    printf("%-58s%7.1f %7.1f\n", what, (now(CLOCK_PROCESS_CPUTIME_ID) - processor) / count,
           (now(CLOCK_MONOTONIC) - clock) / count);
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 10000;
    cudaGraph_t of;
    cudaError_t error;

    cudaMalloc(&memory, 4096);
    cudaMemset(memory, 0, 4096);
    cudaStreamCreate(&stream);
    cudaGetFuncBySymbol(&function, (const void *)empty);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < IN_GRAPH; i++)
        in_stream(i);
    cudaStreamEndCapture(stream, &of);
    cudaGraphInstantiate(&graph, of, 0);
    printf("%-56s%9s %7s\n", "microseconds for a launch", "processor", "clock");
    measure("an empty kernel", plain, count);
    measure("the same with 1032 bytes of arguments", arguments, count);
    measure("the same in a stream", in_stream, count);
    measure("the same by cudaLaunchKernelEx", extended, count);
    measure("the same by cuLaunchKernel", driver, count);
    measure("the same in a graph of 10", in_graph, count);
    measure("the same, each with cudaDeviceSynchronize", synchronised, count);
    measure("an empty kernel of 32 threads", warp, count);
    measure("a store by 32 threads", stores, count);
    measure("a store by 4 CTAs of 256 threads", four_ctas, count);
    measure("a loop that loads 4 words, by 32 threads", loop, count);
    error = cudaGetLastError();
    if (error != cudaSuccess)
        printf("%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
