/* Where a CTA stands in its cluster, addresses in other CTAs, and the cluster's barrier. */
#ifndef COPYCHECK_CLUSTER_CUH
#define COPYCHECK_CLUSTER_CUH

#include "kernels/ck.cuh"

/* The rank of this CTA in its cluster, 0 to cluster_size() - 1. */
__device__ static inline uint32_t cluster_rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* How many CTAs the cluster has. */
__device__ static inline uint32_t cluster_size()
{
    uint32_t ctas;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(ctas));
    return ctas;
}

/* The number of this cluster in a grid of one or two dimensions. */
__device__ static inline uint32_t cluster_number()
{
    uint32_t x, y, columns;
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(x));
    asm("mov.u32 %0, %%clusterid.y;" : "=r"(y));
    asm("mov.u32 %0, %%nclusterid.x;" : "=r"(columns));
    return y * columns + x;
}

/* The shared::cluster address of what the CTA of this rank has where this CTA has `shared`. */
__device__ static inline uint32_t in_cta(uint32_t shared, uint32_t rank)
{
    uint32_t mapped;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(shared), "r"(rank));
    return mapped;
}

/* The generic address of a shared::cluster address. */
__device__ static inline uint64_t generic_of(uint32_t shared)
{
    uint64_t generic;
    asm volatile("cvta.shared::cluster.u64 %0, %1;" : "=l"(generic) : "l"((uint64_t)shared));
    return generic;
}

/* Every thread of the cluster waits for every other, and sees what they wrote before. */
__device__ static inline void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* The same where threads of a warp may come one by one. */
__device__ static inline void cluster_sync_unaligned()
{
    asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
}

/* Makes the mbarriers that this thread initialised known to the cluster and to the async proxy; a cluster barrier or
 * __syncthreads() follows. */
__device__ static inline void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

#endif
// SPDX-License-Identifier: Apache-2.0
