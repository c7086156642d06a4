/* Bulk loads whose destination is spelled .shared::cta: PTX 8.6, so that older toolkits can build the other files. */
#include "kernels/bulk_load.cuh"

struct to_cta {
    uint32_t hint;
    uint64_t policy;
    uint32_t peer;

    __device__ void operator()(uint32_t dst, uint64_t src, uint32_t size, uint32_t bar) const
    {
        if (peer)
            dst = in_cta(dst, (cluster_rank() + peer) % cluster_size());
        if (hint)
            asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint"
                         " [%0], [%1], %2, [%3], %4;" ::"r"(dst),
                         "l"(src), "r"(size), "r"(bar), "l"(policy)
                         : "memory");
        else
            asm volatile(
                "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(dst),
                "l"(src), "r"(size), "r"(bar)
                : "memory");
    }
};

template <int M> __device__ static void bulk_load_cta_body(const bulk_load_args &a)
{
    load_pieces<M>(a, to_cta{ a.hint, cache_policy(a.hint), a.peer });
    if (cluster_size() > 1)
        cluster_sync(); /* a neighbour may still write here */
}
CK_KERNEL(bulk_load_cta, bulk_load_args)
CK_MUTANT(bulk_load_cta, no_wait, NO_WAIT, bulk_load_args)
