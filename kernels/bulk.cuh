/* The bulk copy instructions, and small helpers that the kernels of the bulk families share. */
#ifndef COPYCHECK_BULK_CUH
#define COPYCHECK_BULK_CUH

#include "kernels/ck.cuh"

__device__ static inline void load_to_cluster(uint32_t dst, uint64_t src, uint32_t size, uint32_t bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(dst),
                 "l"(src), "r"(size), "r"(bar)
                 : "memory");
}

__device__ static inline void copy_to_cluster(uint32_t dst, uint32_t src, uint32_t size, uint32_t bar)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(dst),
        "r"(src), "r"(size), "r"(bar)
        : "memory");
}

__device__ static inline void load_multicast(uint32_t dst, uint64_t src, uint32_t size, uint32_t bar, uint16_t mask)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                 " [%0], [%1], %2, [%3], %4;" ::"r"(dst),
                 "l"(src), "r"(size), "r"(bar), "h"(mask)
                 : "memory");
}

__device__ static inline void store_to_global(uint64_t dst, uint32_t src, uint32_t size)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(dst), "r"(src), "r"(size)
                 : "memory");
}

__device__ static inline void commit_group()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

template <int N> __device__ static inline void wait_group()
{
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}

template <int N> __device__ static inline void wait_group_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

/* The policies of the cases' axis "hint", see kernels/bulk.h; 0 where there is none. */
__device__ static inline uint64_t cache_policy(uint32_t hint)
{
    uint64_t policy = 0;

    switch (hint) {
    case 1: asm volatile("createpolicy.fractional.L2::evict_first.b64 %0;" : "=l"(policy)); break;
    case 2: asm volatile("createpolicy.fractional.L2::evict_normal.b64 %0;" : "=l"(policy)); break;
    case 3: asm volatile("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(policy)); break;
    case 4: asm volatile("createpolicy.fractional.L2::evict_unchanged.b64 %0;" : "=l"(policy)); break;
    case 5: asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, 0.5;" : "=l"(policy)); break;
    }
    return policy;
}

__device__ static inline uint32_t cluster_rank()
{
    uint32_t r;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}

__device__ static inline uint32_t cluster_size()
{
    uint32_t n;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
    return n;
}

/* The number of the cluster in the grid. */
__device__ static inline uint32_t cluster_number()
{
    uint32_t x, y, nx;
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(x));
    asm("mov.u32 %0, %%clusterid.y;" : "=r"(y));
    asm("mov.u32 %0, %%nclusterid.x;" : "=r"(nx));
    return y * nx + x;
}

__device__ static inline uint32_t in_cta(uint32_t address, uint32_t rank)
{
    uint32_t r;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(address), "r"(rank));
    return r;
}

__device__ static inline void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* Makes barriers that this thread initialised known to the other CTAs of the cluster; a cluster barrier follows. */
__device__ static inline void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ static inline void pause(uint64_t ns)
{
    for (const uint64_t start = ck_now(); ck_now() - start < ns;)
        ;
}

__device__ static inline void poison_shared(uint32_t offset, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x * 4; i < bytes; i += blockDim.x * 4)
        *(uint32_t *)(ck_smem + offset + i) = 0xA5A5A5A5;
}

/* Both sizes are multiples of 16, both addresses too. */
__device__ static inline void fill_shared(uint32_t offset, uint64_t from, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
        *(uint4 *)(ck_smem + offset + i) = *(const uint4 *)(from + i);
}

__device__ static inline void dump_shared(uint64_t to, uint32_t offset, uint32_t bytes)
{
    for (uint32_t i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
        *(uint4 *)(to + i) = *(const uint4 *)(ck_smem + offset + i);
}

#endif
