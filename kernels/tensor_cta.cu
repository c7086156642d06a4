/* Tile loads into .shared::cta, which PTX ISA 8.6 brought: a file of its own, so that older toolkits build the rest. */
#include "kernels/box.cuh"
#include "kernels/tensor.h"

#define FORM_LOAD_CTA(dim, coords)                                                                                     \
    asm volatile("cp.async.bulk.tensor" dim                                                                            \
                 ".shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" coords "}], [%2];" BOX_OPERANDS)
BOX_FUNCTION(load_box_cta, FORM_LOAD_CTA)

template <int M> __device__ static void tensor_load_cta_body(const tensor_load_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box_cta({ .corner = a.corner,
                       .rank = a.rank,
                       .shared = ck_shared(ck_smem + a.offset),
                       .bar = bar,
                       .map = (uint64_t)&a.map });
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    write_out(a.out, ck_smem, a.bytes);
}
CK_KERNEL(tensor_load_cta, tensor_load_args)

/* In a cluster: the issuer loads into its own shared memory, or names another CTA's, which breaks a rule. */
template <int M> __device__ static void tensor_cluster_cta_body(const tensor_cluster_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes), tile = ck_shared(ck_smem + a.offset);
    uint32_t me, to, signal;

    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(me));
    poison_image(ck_smem, a.bytes);
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        mbarrier_arrive_expect_tx(bar, a.expect[me]);
    }
    __syncthreads();
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (threadIdx.x == 0) {
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(tile), "r"(a.to));
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(signal) : "r"(bar), "r"(a.signal));
        if (me == a.issuer)
            load_box_cta({ .corner = a.corner,
                           .rank = a.rank,
                           .shared = a.to == me ? tile : to,
                           .bar = a.signal == me ? bar : signal,
                           .map = (uint64_t)&a.map });
        mbarrier_wait_parity(a.head, bar, 0, me);
    }
    __syncthreads();
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    write_out(a.out + (uint64_t)me * a.bytes, ck_smem, a.bytes);
}
CK_KERNEL(tensor_cluster_cta, tensor_cluster_args)
