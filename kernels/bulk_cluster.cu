/* Bulk copies between CTAs of a cluster, and multicast. */
#include "kernels/bulk.cuh"
#include "kernels/bulk_cluster.h"

enum { NONE, RELAXED, EARLY_EXIT, SHIFTED };

template <int M> __device__ static void bulk_between_body(const bulk_between_args &a)
{
    const uint32_t rank = cluster_rank(), n = cluster_size();
    const uint32_t from = (rank + n - a.shift) % n;
    const uint32_t bar = ck_shared(ck_smem + a.bytes);
    const uint32_t source = a.bytes + 128; /* room for the barrier; a.bytes is a multiple of 128 */
    const bool expects = a.senders >> from & 1;

    poison_shared(0, a.bytes);
    fill_shared(source, a.in + rank * a.in_step, a.fill);
    fence_proxy_async_shared(); /* each writer, before the copy reads the one and writes the other */
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        fence_mbarrier_init();
    }
    cluster_sync();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        if (a.senders >> rank & 1)
            copy_to_cluster(in_cta(ck_shared(ck_smem + a.offset), (rank + a.shift) % n),
                            ck_shared(ck_smem + source + a.src_offset), a.size, in_cta(bar, (rank + a.bar_shift) % n));
    }
    if (expects)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    cluster_sync(); /* all copies have landed; nobody leaves before */
    dump_shared(a.out + rank * a.bytes, 0, a.bytes);
    if (threadIdx.x == 0)
        ((uint32_t *)a.flags)[rank] = mbarrier_test_parity(bar, 0);
}
CK_KERNEL(bulk_between, bulk_between_args)

/* A wait that acquires nothing, and no fence after it. */
__device__ static void wait_relaxed(const ck_head &h, uint32_t bar)
{
    uint32_t done = 0;

    for (const uint64_t start = ck_now(); !done;) {
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.relaxed.cluster.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.b32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(bar)
                     : "memory");
        if (!done && h.limit && ck_now() - start > h.limit) {
            ck_timeout(h, 0);
            return;
        }
    }
}

template <int M> __device__ static void bulk_multicast_body(const bulk_multicast_args &a)
{
    const uint32_t rank = cluster_rank(), n = cluster_size(), cluster = cluster_number();
    /* SHIFTED: the last CTA has its image, and its barrier, 128 bytes further on than the others. */
    const uint32_t base = M == SHIFTED && rank == n - 1 ? 128 : 0;
    const uint32_t bar = ck_shared(ck_smem + base + a.bytes);
    uint32_t mask = a.mask;

    if (a.rotate) {
        const uint32_t by = blockIdx.x % n;
        mask = (mask << by | mask >> (n - by)) & ((1u << n) - 1);
    }
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
        if (a.wait_mask >> rank & 1) {
            if (M == RELAXED)
                wait_relaxed(a.head, bar);
            else
                mbarrier_wait_parity(a.head, bar, 0, 0);
        } else {
            pause(a.settle);
        }
        const uint64_t out = a.out + (uint64_t)(cluster * n + rank) * a.bytes;
        for (uint32_t i = 0; i < a.bytes; i += 16)
            *(uint4 *)(out + i) = *(const uint4 *)(ck_smem + base + i);
        ((uint32_t *)a.flags)[cluster * n + rank] = mbarrier_test_parity(bar, 0);
    }
    if (M != EARLY_EXIT)
        cluster_sync();
}
CK_KERNEL(bulk_multicast, bulk_multicast_args)
CK_MUTANT(bulk_multicast, relaxed, RELAXED, bulk_multicast_args)
CK_MUTANT(bulk_multicast, early_exit, EARLY_EXIT, bulk_multicast_args)
CK_MUTANT(bulk_multicast, shifted, SHIFTED, bulk_multicast_args)
