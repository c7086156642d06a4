/* What every kernel file starts with: the kernel macros, shared addresses, and a bounded wait.
 *
 * A kernel is a template over its mutant: NONE is the kernel itself, every other constant is one changed line.
 *
 *     enum { NONE, NO_WAIT };
 *     template <int M> __device__ static void tile_load_body(const tile_load_args &a) { ... if (M != NO_WAIT) ... }
 *     CK_KERNEL(tile_load, tile_load_args)
 *     CK_MUTANT(tile_load, no_wait, NO_WAIT, tile_load_args)
 *
 * makes the entries tile_load and tile_load__no_wait. A case's variant names the second one with .kernel = "no_wait".
 */
#ifndef COPYCHECK_CK_CUH
#define COPYCHECK_CK_CUH

#include "kernels/args.h"

#define CK_KERNEL(name, args)                                                                                          \
    extern "C" __global__ void name(const __grid_constant__ args a)                                                    \
    {                                                                                                                  \
        name##_body<0>(a);                                                                                             \
    }
#define CK_MUTANT(name, mutant, constant, args)                                                                        \
    extern "C" __global__ void name##__##mutant(const __grid_constant__ args a)                                        \
    {                                                                                                                  \
        name##_body<constant>(a);                                                                                      \
    }

/* The dynamic shared memory of the CTA. ck_launch.smem says how much there is; kernels keep static shared memory to a
 * minimum so that it starts at an aligned address: align what needs more than 128 by hand. */
extern __shared__ __align__(1024) unsigned char ck_smem[];

__device__ static inline uint32_t ck_shared(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ static inline uint64_t ck_now()
{
    uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

/* Lets `ns` nanoseconds go by. */
__device__ static inline void ck_pause(uint64_t ns)
{
    const uint64_t start = ck_now();

    while (ck_now() - start < ns)
        ;
}

/* Reports that a wait ran out. */
__device__ static inline void ck_timeout(const ck_head &h, unsigned bit)
{
    atomicOr(h.timeouts, 1u << bit);
}

/* Makes an mbarrier that expects `count` arrivals in each phase. __syncthreads() makes it known to the other threads of
 * the CTA and is all that they need. Where a bulk copy signals it, or another CTA uses it, fence_mbarrier_init()
 * (cluster.cuh) comes between the two, as in the programming guide. */
__device__ static inline void mbarrier_init(uint32_t bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
}

__device__ static inline void mbarrier_arrive(uint32_t bar)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(bar) : "memory");
}

__device__ static inline void mbarrier_arrive_expect_tx(uint32_t bar, uint32_t bytes)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared.b64 state, [%0], %1; }" ::"r"(bar), "r"(bytes)
                 : "memory");
}

__device__ static inline bool mbarrier_test_parity(uint32_t bar, uint32_t parity)
{
    uint32_t done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(bar), "r"(parity)
                 : "memory");
    return done;
}

/* Waits for the phase of this parity to complete; false, with `bit` of the timeouts set, if it does not in time. */
__device__ static inline bool mbarrier_wait_parity(const ck_head &h, uint32_t bar, uint32_t parity, unsigned bit)
{
    const uint64_t start = ck_now();

    while (!mbarrier_test_parity(bar, parity))
        if (h.limit && ck_now() - start > h.limit) {
            ck_timeout(h, bit);
            return false;
        }
    return true;
}

/* Orders this thread's generic writes to shared memory before later accesses of the async proxy. */
__device__ static inline void fence_proxy_async_shared()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

#endif
// SPDX-License-Identifier: Apache-2.0
