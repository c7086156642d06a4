/* The body of the multicast kernels, and the mutants of bulk_cluster.cu and bulk_relaxed.cu. */
#ifndef COPYCHECK_BULK_MULTICAST_CUH
#define COPYCHECK_BULK_MULTICAST_CUH

#include "kernels/bulk.cuh"
#include "kernels/bulk_cluster.h"

enum { NONE, RELAXED, EARLY_EXIT, SHIFTED, CTAID, ELSEWHERE, OWN_BARRIER };

/* Waits without acquiring anything: defined where it is used, since the instruction needs a newer PTX than the rest. */
template <int M> __device__ void wait_relaxed(const ck_head &h, uint32_t bar);

/* The mask as it would be if it counted from the issuer's %ctaid.x in place of rank 0. */
__device__ static inline uint32_t rotated(uint32_t mask)
{
    const uint32_t n = cluster_size(), by = blockIdx.x % n;

    return (mask << by | mask >> (n - by)) & ((1u << n) - 1);
}

/* The issuer loads the bytes into every CTA of the mask, at the same place; each one's barrier, at the same place too,
 * counts them. RELAXED: the wait acquires nothing. EARLY_EXIT: the last CTA ends before the load. SHIFTED: it has its
 * image and its barrier 128 bytes further on than the others. CTAID: the mask is taken to count by %ctaid. */
template <int M> __device__ static void bulk_multicast_body(const bulk_multicast_args &a)
{
    const uint32_t rank = cluster_rank(), n = cluster_size(), cluster = cluster_number();
    const uint32_t base = M == SHIFTED && rank == n - 1 ? 128 : 0;
    const uint32_t bar = ck_shared(ck_smem + base + a.bytes);
    const uint32_t mask = M == CTAID ? rotated(a.mask) : a.mask;

    poison_shared(0, base + a.bytes);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect_tx(bar, a.expect);
    }
    cluster_sync();
    if (M == EARLY_EXIT && rank == n - 1)
        return;
    if (rank == a.issuer && threadIdx.x == 0)
        load_multicast(ck_shared(ck_smem + a.offset), a.in + cluster * a.size, a.size, bar, (uint16_t)mask);
    if (threadIdx.x == a.waiter) {
        unsigned char *const out = a.out + (uint64_t)(cluster * n + rank) * a.bytes;

        if (!(a.wait_mask >> rank & 1))
            ck_pause(a.settle);
        else if (M == RELAXED)
            wait_relaxed<M>(a.head, bar);
        else
            mbarrier_wait_parity(a.head, bar, 0, 0);
        for (uint32_t i = 0; i < a.bytes; i += 16)
            *(uint4 *)(out + i) = *(const uint4 *)(ck_smem + base + i);
        a.flags[cluster * n + rank] = mbarrier_test_parity(bar, 0);
    }
    if (M != EARLY_EXIT)
        cluster_sync(); /* nobody leaves while bytes may come */
}

#endif
// SPDX-License-Identifier: Apache-2.0
