/* Swizzled boxes by multicast and by reduction. */
#include "kernels/ck.cuh"
#include "kernels/swizzle.h"

enum { NONE, ONE_CTA };

__device__ static void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

template <int M> __device__ static void swizzle_multicast_body(const swizzle_multicast_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);
    uint32_t rank;

    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    for (uint32_t i = threadIdx.x; i < a.bytes; i += blockDim.x)
        ck_smem[i] = 0xA5;
    fence_proxy_async_shared(); /* each writer orders its poison before the copy writes over it */
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        mbarrier_arrive_expect_tx(bar, a.expect);
    }
    cluster_sync();
    if (rank == 0 && threadIdx.x == 0) {
        const uint16_t mask = M == ONE_CTA ? 1 : (uint16_t)((1u << a.ctas) - 1);

        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                     ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(ck_shared(ck_smem + a.offset)),
                     "l"((uint64_t)&a.map), "r"(a.corner[0]), "r"(a.corner[1]), "r"(bar), "h"(mask)
                     : "memory");
    }
    mbarrier_wait_parity(a.head, bar, 0, rank);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < a.bytes; i += blockDim.x)
        ((unsigned char *)a.out)[rank * a.bytes + i] = ck_smem[i];
    cluster_sync(); /* no CTA leaves while another may still be written */
}
CK_KERNEL(swizzle_multicast, swizzle_multicast_args)
CK_MUTANT(swizzle_multicast, one_cta, ONE_CTA, swizzle_multicast_args)

template <int M> __device__ static void swizzle_reduce_body(const swizzle_reduce_args &a)
{
    for (uint32_t i = threadIdx.x; i < a.bytes; i += blockDim.x)
        ck_smem[i] = ((const unsigned char *)a.in)[i];
    fence_proxy_async_shared(); /* each writer orders its own writes before the reduction reads them */
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile(
            "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
                (uint64_t)&a.map),
            "r"(a.corner[0]), "r"(a.corner[1]), "r"(ck_shared(ck_smem + a.offset))
            : "memory");
        asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
    }
}
CK_KERNEL(swizzle_reduce, swizzle_reduce_args)

template <int M> __device__ static void swizzle_through_body(const swizzle_through_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes), tile = ck_shared(ck_smem + a.offset);

    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        mbarrier_arrive_expect_tx(bar, a.expect);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                     " [%0], [%1, {%2, %3}], [%4];" ::"r"(tile),
                     "l"((uint64_t)&a.in), "r"(a.corner[0]), "r"(a.corner[1]), "r"(bar)
                     : "memory");
        mbarrier_wait_parity(a.head, bar, 0, 0);
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
                         (uint64_t)&a.out),
                     "r"(a.corner[0]), "r"(a.corner[1]), "r"(tile)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
    }
}
CK_KERNEL(swizzle_through, swizzle_through_args)
