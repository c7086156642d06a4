// Programmatic dependent launch: a second kernel that may begin while the first is at work. Each number is a pair of
// them: the right ones first.
#include <cstdlib>

#include <cuda.h>

#include "expect.cuh"

enum { THREADS = 64, CTAS = 4, N = THREADS * CTAS };

__device__ int place()
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

/* Lets the second kernel begin, and then writes x and reads y. */
__global__ void first(int *x, const int *y, int *out)
{
    cudaTriggerProgrammaticLaunchCompletion();
    x[place()] = place();
    out[place()] = y[place()];
}

__global__ void first_in_order(int *x)
{
    x[place()] = place();
}

__global__ void all_wait(const int *x, int *to)
{
    cudaGridDependencySynchronize();
    to[place()] = x[N - 1 - place()];
}

__global__ void one_waits(const int *x, int *to)
{
    if (threadIdx.x == 0)
        cudaGridDependencySynchronize();
    __syncthreads();
    to[place()] = x[N - 1 - place()];
}

/* What the first kernel has nothing to do with may come before the wait. */
__global__ void prepares(const int *x, const int *own, int *to)
{
    const int mine = own[place()];

    to[place()] = mine;
    cudaGridDependencySynchronize();
    to[place()] += x[place()];
}

__global__ void copies_after(const int *x, int *to)
{
    __shared__ int tile[THREADS];
    const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);

    cudaGridDependencySynchronize();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n\tcp.async.wait_all;" ::"r"(at), "l"(x + place()) : "memory");
    to[place()] = tile[threadIdx.x];
}

__global__ void no_wait(const int *x, int *to)
{
    to[place()] = x[place()];
}

__global__ void reads_early(const int *x, int *to)
{
    const int early = x[place()];

    cudaGridDependencySynchronize();
    to[place()] = early;
}

/* Nothing makes the other threads of the CTA wait. */
__global__ void one_waits_alone(const int *x, int *to)
{
    if (threadIdx.x == 0)
        cudaGridDependencySynchronize();
    to[place()] = x[place()];
}

/* The barrier comes before the wait. */
__global__ void waits_late(const int *x, int *to)
{
    __syncthreads();
    if (threadIdx.x == 0)
        cudaGridDependencySynchronize();
    to[place()] = x[place()];
}

__global__ void writes(int *y)
{
    y[place()] = 7;
    cudaGridDependencySynchronize();
}

__global__ void copies_early(const int *x, int *to)
{
    __shared__ int tile[THREADS];
    const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);

    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n\tcp.async.wait_all;" ::"r"(at), "l"(x + place()) : "memory");
    cudaGridDependencySynchronize();
    to[place()] = tile[threadIdx.x];
}

__global__ void counts(int *counter)
{
    cudaTriggerProgrammaticLaunchCompletion();
    atomicAdd(counter, 1);
}

__global__ void looks(const int *counter, int *to)
{
    *to = *counter;
}

int *x, *y, *own, *to, *out, *counter;

template <typename... P, typename... A> void dependent(cudaStream_t stream, void (*kernel)(P...), A... args)
{
    cudaLaunchAttribute how[1];
    cudaLaunchConfig_t config = {};

    how[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    how[0].val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(CTAS);
    config.blockDim = dim3(THREADS);
    config.stream = stream;
    config.attrs = how;
    config.numAttrs = 1;
    FINE(cudaLaunchKernelEx(&config, kernel, args...));
}

/* The same by the driver's function. */
void dependent_of_driver(cudaStream_t stream, const void *kernel, void **args)
{
    CUlaunchAttribute how[1];
    CUlaunchConfig config;
    cudaFunction_t f;

    memset(&config, 0, sizeof config);
    memset(how, 0, sizeof how);
    how[0].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    how[0].value.programmaticStreamSerializationAllowed = 1;
    config.gridDimX = CTAS;
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = THREADS;
    config.blockDimY = config.blockDimZ = 1;
    config.hStream = (CUstream)stream;
    config.attrs = how;
    config.numAttrs = 1;
    FINE(cudaGetFuncBySymbol(&f, kernel));
    EXPECT(cuLaunchKernelEx(&config, (CUfunction)f, args, NULL) == CUDA_SUCCESS);
}

void right(int number, cudaStream_t s)
{
    void *args[] = { &x, &to };
    int mine[N];

    first<<<CTAS, THREADS, 0, s>>>(x, y, out);
    switch (number) {
    case 0: dependent(s, all_wait, x, to); break;
    case 1: dependent(s, one_waits, x, to); break;
    case 2: dependent(s, prepares, x, own, to); break;
    case 3: dependent(s, copies_after, x, to); break;
    case 4: no_wait<<<CTAS, THREADS, 0, s>>>(x, to); break; /* begins behind the first, as without attributes */
    case 5: /* the host waits in between */
        FINE(cudaStreamSynchronize(s));
        dependent(s, no_wait, x, to);
        break;
    case 6: /* a copy comes in between */
        FINE(cudaMemsetAsync(own, 0, 4, s));
        dependent(s, no_wait, x, to);
        break;
    case 7: /* the kernel before does not let others begin early */
        first_in_order<<<CTAS, THREADS, 0, s>>>(x);
        dependent(s, no_wait, x, to);
        break;
    case 8: /* atomics meet */
        counts<<<CTAS, THREADS, 0, s>>>(counter);
        dependent(s, counts, counter);
        break;
    case 9: dependent_of_driver(s, (const void *)all_wait, args); break;
    case 10: /* a row of three */
        dependent(s, all_wait, x, to);
        dependent(s, all_wait, to, own);
        break;
    case 11: /* the kernel before adds something each time: it counts once, however often it is looked at */
        for (int i = 0; i < 3; i++) {
            counts<<<CTAS, THREADS, 0, s>>>(counter);
            dependent(s, prepares, x, own, to);
        }
        FINE(cudaMemcpyAsync(mine, counter, sizeof(int), cudaMemcpyDeviceToHost, s));
        FINE(cudaStreamSynchronize(s));
        EXPECT(mine[0] == 3 * N);
        break;
    }
    FINE(cudaStreamSynchronize(s));
    if (number == 0 || number == 1 || number == 9) {
        FINE(cudaMemcpy(mine, to, sizeof mine, cudaMemcpyDeviceToHost));
        for (int i = 0; i < N; i++)
            EXPECT(mine[i] == N - 1 - i);
    }
}

void wrong(int number, cudaStream_t s)
{
    void *args[] = { &x, &to };

    first<<<CTAS, THREADS, 0, s>>>(x, y, out);
    switch (number) {
    case 0: dependent(s, no_wait, x, to); break;
    case 1: dependent(s, reads_early, x, to); break;
    case 2: dependent(s, one_waits_alone, x, to); break;
    case 3: dependent(s, waits_late, x, to); break;
    case 4: dependent(s, writes, y); break; /* which the first reads */
    case 5: dependent(s, writes, x); break; /* which the first writes */
    case 6: dependent(s, copies_early, x, to); break;
    case 7:
        counts<<<CTAS, THREADS, 0, s>>>(counter);
        dependent(s, looks, counter, to);
        break;
    case 8: dependent_of_driver(s, (const void *)no_wait, args); break;
    case 9: /* behind pairs of which nothing is to be said */
        for (int i = 0; i < 4; i++) {
            dependent(s, all_wait, x, to);
            first<<<CTAS, THREADS, 0, s>>>(x, y, out);
        }
        dependent(s, no_wait, x, to);
        break;
    }
    FINE(cudaStreamSynchronize(s));
}

int main(int argc, char **argv)
{
    const int number = argc > 2 ? atoi(argv[2]) : 0;
    cudaStream_t s;

    FINE(cudaStreamCreate(&s));
    for (int **p : { &x, &y, &own, &to, &out, &counter }) {
        FINE(cudaMalloc(p, N * sizeof(int)));
        FINE(cudaMemset(*p, 0, N * sizeof(int)));
    }
    FINE(cudaDeviceSynchronize());
    if (argc > 1 && !strcmp(argv[1], "wrong"))
        wrong(number, s);
    else
        right(number, s);
    return end_of_test();
}
// SPDX-License-Identifier: Apache-2.0
