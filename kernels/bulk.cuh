/* The bulk copy instructions, and small helpers that the kernels of the bulk families share. Shared addresses are the
 * 32-bit ones of .shared; a CTA's own are .shared::cluster addresses too. Sizes count bytes. */
#ifndef COPYCHECK_BULK_CUH
#define COPYCHECK_BULK_CUH

#include "kernels/bulk.h"
#include "kernels/cluster.cuh"
#include "kernels/shared.cuh"

/* Global to shared memory; the barrier counts the bytes when they are there. */
__device__ static inline void load_to_cluster(uint32_t dst, const unsigned char *src, uint32_t size, uint32_t bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(dst),
                 "l"(src), "r"(size), "r"(bar)
                 : "memory");
}

/* Shared memory of this CTA to that of another CTA of the cluster, whose barrier counts the bytes. */
__device__ static inline void copy_to_cluster(uint32_t dst, uint32_t src, uint32_t size, uint32_t bar)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(dst),
        "r"(src), "r"(size), "r"(bar)
        : "memory");
}

/* Global memory to the same place in every CTA whose rank's bit of the mask is set; each one's barrier counts. */
__device__ static inline void load_multicast(uint32_t dst, const unsigned char *src, uint32_t size, uint32_t bar,
                                             uint16_t mask)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                 " [%0], [%1], %2, [%3], %4;" ::"r"(dst),
                 "l"(src), "r"(size), "r"(bar), "h"(mask)
                 : "memory");
}

/* Shared to global memory; the thread's next commit puts it into a bulk group. */
__device__ static inline void store_to_global(unsigned char *dst, uint32_t src, uint32_t size)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(dst), "r"(src), "r"(size)
                 : "memory");
}

__device__ static inline void commit_group()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/* Waits until at most N of the thread's newest bulk groups are unfinished. */
template <int N> __device__ static inline void wait_group()
{
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}

/* The same for the reading of their sources alone. */
template <int N> __device__ static inline void wait_group_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

/* The cache policy that a BULK_... of kernels/bulk.h names; 0 for no hint. */
__device__ static inline uint64_t cache_policy(uint32_t hint)
{
    uint64_t policy = 0;

    switch (hint) {
    case BULK_EVICT_FIRST: asm volatile("createpolicy.fractional.L2::evict_first.b64 %0;" : "=l"(policy)); break;
    case BULK_EVICT_NORMAL: asm volatile("createpolicy.fractional.L2::evict_normal.b64 %0;" : "=l"(policy)); break;
    case BULK_EVICT_LAST: asm volatile("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(policy)); break;
    case BULK_EVICT_UNCHANGED:
        asm volatile("createpolicy.fractional.L2::evict_unchanged.b64 %0;" : "=l"(policy));
        break;
    case BULK_FRACTIONAL:
        asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, 0.5;" : "=l"(policy));
        break;
    }
    return policy;
}

/* Poisons the first `bytes` bytes of shared memory (a multiple of 16), makes the mbarrier behind them for this many
 * arrivals, and returns its address. Behind it, all threads of the CTA and their copies may use both: each writer
 * executes the proxy fence before the threads meet. */
__device__ static inline uint32_t image_and_barrier(uint32_t bytes, uint32_t arrivals = 1)
{
    const uint32_t bar = ck_shared(ck_smem + bytes);

    poison_shared(0, bytes);
    if (threadIdx.x == 0) {
        mbarrier_init(bar, arrivals);
        fence_mbarrier_init();
    }
    fence_proxy_async_shared();
    __syncthreads();
    return bar;
}

/* Fills the first `bytes` bytes of shared memory with what a bulk store is to carry. */
__device__ static inline void fill_for_store(const unsigned char *from, uint32_t bytes)
{
    fill_shared(0, from, bytes);
    fence_proxy_async_shared(); /* each writer orders its own writes before the store reads them */
    __syncthreads();
}

/* Global memory to global memory by ordinary loads and stores of all threads; 16 divides the size. */
__device__ static inline void copy_global(unsigned char *to, const unsigned char *from, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
        *(uint4 *)(to + i) = *(const uint4 *)(from + i);
}

/* The same by the executing thread alone, from the last 16 bytes to the first: where a copy is not complete, its last
 * bytes are those that are missing. */
__device__ static inline void copy_backwards(unsigned char *to, const unsigned char *from, uint32_t bytes)
{
    for (uint32_t i = bytes; i; i -= 16)
        *(uint4 *)(to + i - 16) = *(const uint4 *)(from + i - 16);
}

#endif
// SPDX-License-Identifier: Apache-2.0
