/* Bulk reductions: bytes of shared memory combined with what global memory, or another CTA's shared memory, holds. */
#include "kernels/bulk_reduce.cuh"

enum { NONE, EARLY, PLAIN };

/* ---- to global memory ------------------------------------------------------------------------------------------- */

/* Shared memory is filled, and thread 0 reduces a piece of it into global memory. */
template <int M> __device__ static void bulk_reduce_body(const bulk_reduce_args &a)
{
    fill_for_store(a.in, a.bytes);
    if (threadIdx.x == 0) {
        reduce_to_global(a.reduction, a.out, ck_shared(ck_smem + a.offset), a.size);
        commit_group();
        wait_group<0>();
    }
}
CK_KERNEL(bulk_reduce, bulk_reduce_args)

/* The same with a cache policy. */
template <int M> __device__ static void bulk_reduce_hint_body(const bulk_reduce_args &a)
{
    fill_for_store(a.in, a.bytes);
    if (threadIdx.x == 0) {
        reduce_to_global_hint(a.reduction, a.out, ck_shared(ck_smem + a.offset), a.size, cache_policy(a.hint));
        commit_group();
        wait_group<0>();
    }
}
CK_KERNEL(bulk_reduce_hint, bulk_reduce_args)

/* The source is written again when the reduction has read it. EARLY: without a wait before. */
template <int M> __device__ static void bulk_reduce_reuse_body(const bulk_reduce_args &a)
{
    fill_for_store(a.in, a.bytes);
    if (threadIdx.x == 0) {
        reduce_to_global(a.reduction, a.out, ck_shared(ck_smem + a.offset), a.size);
        commit_group();
        if (M != EARLY)
            wait_group_read<0>();
        for (uint32_t i = 0; i < a.size; i += 4)
            *(volatile uint32_t *)(ck_smem + a.offset + i) = 0;
        wait_group<0>();
    }
}
CK_KERNEL(bulk_reduce_reuse, bulk_reduce_args)
CK_MUTANT(bulk_reduce_reuse, early, EARLY, bulk_reduce_args)

/* Adds to 32-bit words by ordinary loads and stores, each of which takes its time. */
__device__ static void add_plainly(unsigned char *to, const unsigned char *from, uint32_t size)
{
    for (uint32_t i = 0; i < size; i += 4) {
        const uint32_t old = *(const uint32_t *)(to + i);
        ck_pause(1000);
        *(uint32_t *)(to + i) = old + *(const uint32_t *)(from + i);
    }
}

/* Every CTA of the grid reduces its piece several times, all into one place, and waits for nothing in between. PLAIN:
 * ordinary loads and stores in place of the reductions. */
template <int M> __device__ static void bulk_reduce_many_body(const bulk_reduce_args &a)
{
    fill_for_store(a.in, a.bytes);
    if (threadIdx.x == 0) {
        for (uint32_t n = 0; n < a.times; n++)
            if (M == PLAIN)
                add_plainly(a.out, ck_smem + a.offset, a.size);
            else
                reduce_to_global(a.reduction, a.out, ck_shared(ck_smem + a.offset), a.size);
        commit_group();
        wait_group<0>();
    }
}
CK_KERNEL(bulk_reduce_many, bulk_reduce_args)
CK_MUTANT(bulk_reduce_many, plain, PLAIN, bulk_reduce_args)

/* ---- to another CTA's shared memory ----------------------------------------------------------------------------- */

struct places {
    uint32_t image, source, bar;
};

/* Fills image and source, makes the barrier behind them, and waits until the whole cluster has done so. */
__device__ static places begin(const bulk_reduce_between_args &a)
{
    const places p = { ck_shared(ck_smem), ck_shared(ck_smem + a.bytes), ck_shared(ck_smem + 2 * a.bytes) };

    fill_shared(0, a.start + cluster_rank() * a.bytes, a.bytes);
    fill_shared(a.bytes, a.in + cluster_rank() * a.bytes, a.bytes);
    fence_proxy_async_shared(); /* each writer, before reductions read the one and change the other */
    if (threadIdx.x == 0) {
        mbarrier_init(p.bar, 1);
        fence_mbarrier_init();
    }
    cluster_sync();
    return p;
}

/* Every CTA reduces its piece into the CTA `to` ranks on, and waits for what it is sent. */
template <int M> __device__ static void bulk_reduce_between_body(const bulk_reduce_between_args &a)
{
    const places p = begin(a);
    const uint32_t to = (cluster_rank() + a.to) % cluster_size();

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(p.bar, a.expect);
        for (uint32_t n = 0; n < a.times; n++)
            reduce_to_cluster(a.reduction, in_cta(p.image + a.offset, to), p.source + a.src_offset, a.size,
                              in_cta(p.bar, to));
    }
    mbarrier_wait_parity(a.head, p.bar, 0, 0);
    cluster_sync(); /* nobody leaves while others still write to it */
    dump_shared(a.out + cluster_rank() * a.bytes, 0, a.bytes);
    if (threadIdx.x == 0)
        a.flags[cluster_rank()] = mbarrier_test_parity(p.bar, 0);
}
CK_KERNEL(bulk_reduce_between, bulk_reduce_between_args)

/* All CTAs but the first reduce their pieces into the first one, at once. */
template <int M> __device__ static void bulk_reduce_gather_body(const bulk_reduce_between_args &a)
{
    const places p = begin(a);

    if (threadIdx.x == 0) {
        if (cluster_rank() == 0)
            mbarrier_arrive_expect_tx(p.bar, a.expect);
        for (uint32_t n = 0; cluster_rank() != 0 && n < a.times; n++)
            reduce_to_cluster(a.reduction, in_cta(p.image + a.offset, 0), p.source + a.src_offset, a.size,
                              in_cta(p.bar, 0));
    }
    if (cluster_rank() == 0)
        mbarrier_wait_parity(a.head, p.bar, 0, 0);
    cluster_sync(); /* nobody leaves while its source may still be read */
    dump_shared(a.out + cluster_rank() * a.bytes, 0, a.bytes);
}
CK_KERNEL(bulk_reduce_gather, bulk_reduce_between_args)

/* CTA 0 reduces a piece into CTA 1, whose barrier expects `expect` bytes; CTA 1 polls it for a while, and then
 * completes what is missing of 16 bytes more than the piece. Three flags: the phase was over while it was polled, it is
 * over in the end, and the next one is over too. */
template <int M> __device__ static void bulk_reduce_tx_body(const bulk_reduce_between_args &a)
{
    const places p = begin(a);

    if (cluster_rank() == 1 && threadIdx.x == 0)
        mbarrier_arrive_expect_tx(p.bar, a.expect);
    cluster_sync();
    if (cluster_rank() == 0 && threadIdx.x == 0)
        reduce_to_cluster(a.reduction, in_cta(p.image + a.offset, 1), p.source + a.src_offset, a.size,
                          in_cta(p.bar, 1));
    if (cluster_rank() == 1 && threadIdx.x == 0) {
        const uint64_t start = ck_now();
        bool over = false;
        while (!over && ck_now() - start < a.probe)
            over = mbarrier_test_parity(p.bar, 0);
        a.flags[0] = over;
        asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], 16;" ::"r"(p.bar) : "memory");
        a.flags[1] = mbarrier_wait_parity(a.head, p.bar, 0, 0);
        a.flags[2] = mbarrier_test_parity(p.bar, 1);
    }
    cluster_sync();
    dump_shared(a.out + cluster_rank() * a.bytes, 0, a.bytes);
}
CK_KERNEL(bulk_reduce_tx, bulk_reduce_between_args)
// SPDX-License-Identifier: Apache-2.0
