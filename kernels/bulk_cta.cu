/* Bulk loads whose destination is spelled .shared::cta: PTX 8.6, so that older toolkits can build the other files. */
#include "kernels/bulk.cuh"

enum { NONE, PEER };

__device__ static void load_to_cta(uint32_t dst, const unsigned char *src, uint32_t size, uint32_t bar)
{
    asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(dst),
                 "l"(src), "r"(size), "r"(bar)
                 : "memory");
}

/* Thread 0 loads a piece; all threads wait, and the image is copied out. */
template <int M> __device__ static void bulk_load_cta_body(const bulk_load_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes);

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_to_cta(ck_shared(ck_smem + a.offset), a.in, a.size, bar);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(bulk_load_cta, bulk_load_args)

/* The same with a cache policy. */
template <int M> __device__ static void bulk_load_cta_hint_body(const bulk_load_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes);

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint"
                     " [%0], [%1], %2, [%3], %4;" ::"r"(ck_shared(ck_smem + a.offset)),
                     "l"(a.in), "r"(a.size), "r"(bar), "l"(cache_policy(a.hint))
                     : "memory");
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(bulk_load_cta_hint, bulk_load_args)

/* Each CTA of a cluster loads into its own memory. PEER: the destination lies in the next CTA. */
template <int M> __device__ static void bulk_load_cta_own_body(const bulk_load_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes);
    const uint32_t own = ck_shared(ck_smem + a.offset);
    const uint32_t dst = M == PEER ? in_cta(own, (cluster_rank() + 1) % cluster_size()) : own;

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_to_cta(dst, a.in + blockIdx.x * a.in_step, a.size, bar);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out + blockIdx.x * a.out_step, 0, a.bytes);
    cluster_sync(); /* a neighbour may still write here */
}
CK_KERNEL(bulk_load_cta_own, bulk_load_args)
CK_MUTANT(bulk_load_cta_own, peer, PEER, bulk_load_args)
// SPDX-License-Identifier: Apache-2.0
