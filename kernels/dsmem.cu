/* The shared memory of other CTAs: written and read between two barriers of the cluster. */
#include "kernels/ck.cuh"
#include "kernels/dsmem.h"

enum { NONE, OWN, NO_ENTRY, NO_EXIT, BEYOND };

__device__ static void meet()
{
    asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
}

/* Every thread writes a word into the next CTA's shared memory, reads the one that the CTA before wrote into its own,
 * and then the one that it wrote: out[(2 * rank + 0 or 1) * threads + thread]. */
template <int M> __device__ static void dsmem_exchange_body(const dsmem_args &a)
{
    const uint32_t own = ck_shared(ck_smem + 4 * threadIdx.x), n = blockDim.x, i = threadIdx.x;
    uint32_t *out = (uint32_t *)a.out;
    uint32_t rank, ranks, next, word;

    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(ranks));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(next)
                 : "r"(own), "r"(M == OWN      ? rank
                                 : M == BEYOND ? ranks
                                               : (rank + 1) % ranks));
    if (M != NO_ENTRY)
        meet();
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(next), "r"(rank * 4096 + i + 1) : "memory");
    meet();
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(own) : "memory");
    out[2 * rank * n + i] = word;
    if (rank) {
        const uint64_t start = ck_now();
        while (ck_now() - start < a.delay)
            ;
    }
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(word) : "r"(next) : "memory");
    out[(2 * rank + 1) * n + i] = word;
    if (M != NO_EXIT)
        meet();
}
CK_KERNEL(dsmem_exchange, dsmem_args)
CK_MUTANT(dsmem_exchange, own, OWN, dsmem_args)
CK_MUTANT(dsmem_exchange, no_entry, NO_ENTRY, dsmem_args)
CK_MUTANT(dsmem_exchange, no_exit, NO_EXIT, dsmem_args)
CK_MUTANT(dsmem_exchange, beyond, BEYOND, dsmem_args)
