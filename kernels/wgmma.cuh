/* Products of matrices by a warpgroup: matrix descriptors, the fence, groups, and the product of the smallest shape. */
#ifndef COPYCHECK_WGMMA_CUH
#define COPYCHECK_WGMMA_CUH

#include "kernels/shared.cuh"
#include "kernels/wgmma.h"

/* The descriptor of a matrix in the image: the image's address is added, in units of 16 bytes. */
__device__ static inline uint64_t matrix(uint64_t desc)
{
    return desc + (ck_shared(ck_smem) >> 4);
}

__device__ static inline void wgmma_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ static inline void wgmma_commit_group()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int N> __device__ static inline void wgmma_wait_group()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

/* D = A * B + D, or A * B if `adds` is 0: A and B in shared memory, or A in registers. Each is a function of its own;
 * what comes behind scale-d are constants of the instruction. */
#define PRODUCT_OF_SHARED(name, types, constants)                                                                      \
    __device__ static inline void name(uint32_t(&d)[WGMMA_D], uint64_t a, uint64_t b, uint32_t adds)                   \
    {                                                                                                                  \
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned." types                       \
                     " {%0, %1, %2, %3}, %4, %5, p" constants "; }"                                                    \
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                                  \
                     : "l"(a), "l"(b), "r"(adds)                                                                       \
                     : "memory");                                                                                      \
    }
#define PRODUCT_OF_REGISTERS(name, types, constants)                                                                   \
    __device__ static inline void name(uint32_t(&d)[WGMMA_D], const uint32_t(&a)[WGMMA_A], uint64_t b, uint32_t adds)  \
    {                                                                                                                  \
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned." types                       \
                     " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p" constants "; }"                                      \
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                                  \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds)                                   \
                     : "memory");                                                                                      \
    }

/* The image is filled, and ordered before what reads it in the async proxy. */
__device__ static inline void fill_image(const wgmma_args &a)
{
    fill_shared(0, a.in, WGMMA_IMAGE);
    fence_proxy_async_shared();
    __syncthreads();
}

/* Volatile, so that each register is loaded for itself and before the fence: no move comes behind it. */
__device__ static inline void take(uint32_t (&r)[4], const uint32_t *from)
{
    for (int i = 0; i < 4; i++)
        r[i] = *(const volatile uint32_t *)(from + threadIdx.x * 4 + i);
}

__device__ static inline void give(uint32_t *to, const uint32_t (&r)[4])
{
    for (int i = 0; i < 4; i++)
        to[threadIdx.x * 4 + i] = r[i];
}

#endif
// SPDX-License-Identifier: Apache-2.0
