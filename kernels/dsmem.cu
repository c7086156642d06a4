/* The shared memory of other CTAs: written and read between two barriers of the cluster. */
#include "kernels/cluster.cuh"
#include "kernels/dsmem.h"

enum { NONE, OWN, NO_ENTRY, NO_EXIT, BEYOND };

/* The rank whose shared memory a CTA writes: the next one. */
template <int M> __device__ static uint32_t rank_to_write()
{
    if (M == OWN)
        return cluster_rank();
    if (M == BEYOND)
        return cluster_size();
    return (cluster_rank() + 1) % cluster_size();
}

/* Every thread writes a word into the next CTA's shared memory, reads the one that the CTA before wrote into its own,
 * and then the one that it wrote: out[(2 * rank + 0 or 1) * threads + thread]. A first barrier of the cluster says that
 * all CTAs run, a last one that all accesses are over. */
template <int M> __device__ static void dsmem_exchange_body(const dsmem_args &a)
{
    const uint32_t rank = cluster_rank(), n = blockDim.x, i = threadIdx.x;
    const uint32_t own = ck_shared(ck_smem + 4 * i), next = in_cta(own, rank_to_write<M>());
    uint32_t word;

    if (M != NO_ENTRY)
        cluster_sync_unaligned();
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(next), "r"(rank * 4096 + i + 1) : "memory");
    cluster_sync_unaligned();
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(own) : "memory");
    a.out[2 * rank * n + i] = word;
    if (rank)
        ck_pause(a.delay);
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(word) : "r"(next) : "memory");
    a.out[(2 * rank + 1) * n + i] = word;
    if (M != NO_EXIT)
        cluster_sync_unaligned();
}
CK_KERNEL(dsmem_exchange, dsmem_args)
CK_MUTANT(dsmem_exchange, own, OWN, dsmem_args)
CK_MUTANT(dsmem_exchange, no_entry, NO_ENTRY, dsmem_args)
CK_MUTANT(dsmem_exchange, no_exit, NO_EXIT, dsmem_args)
CK_MUTANT(dsmem_exchange, beyond, BEYOND, dsmem_args)
// SPDX-License-Identifier: Apache-2.0
