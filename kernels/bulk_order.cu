/* Order around bulk copies: what must come before a copy, what may come after it, and who may wait.
 *
 * Each kernel itself is right; its mutants leave out or move one step. */
#include "kernels/bulk.cuh"
#include "kernels/bulk_order.h"

enum { NONE, NO_WAIT, EARLY, LATE, OTHER_WAITS, NO_COMMIT, NO_BARRIER };

__device__ static void proxy_fence(uint32_t which)
{
    switch (which) {
    case FENCE_ALL: asm volatile("fence.proxy.async;" ::: "memory"); break;
    case FENCE_GLOBAL: asm volatile("fence.proxy.async.global;" ::: "memory"); break;
    case FENCE_SHARED_CTA: asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); break;
    case FENCE_SHARED_CLUSTER: asm volatile("fence.proxy.async.shared::cluster;" ::: "memory"); break;
    }
}

/* Global to shared to global memory, by one thread: the store comes after the wait for the load. NO_WAIT: before it. */
template <int M> __device__ static void bulk_relay_body(const bulk_order_args &a)
{
    const uint32_t bar = image_and_barrier(a.size);

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.size);
        load_to_cluster(ck_shared(ck_smem), a.in, a.size, bar);
        if (M != NO_WAIT)
            mbarrier_wait_parity(a.head, bar, 0, 0);
        store_to_global(a.out, ck_shared(ck_smem), a.size);
        commit_group();
        wait_group<0>();
        if (M == NO_WAIT)
            mbarrier_wait_parity(a.head, bar, 0, 0);
    }
}
CK_KERNEL(bulk_relay, bulk_order_args)
CK_MUTANT(bulk_relay, no_wait, NO_WAIT, bulk_order_args)

/* Ordinary writes to global memory, a proxy fence by each writer, then a load of what they wrote. */
template <int M> __device__ static void bulk_reload_body(const bulk_order_args &a)
{
    const uint32_t bar = image_and_barrier(a.size);

    copy_global(a.work, a.in, a.size);
    proxy_fence(a.fence);
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.size);
        load_to_cluster(ck_shared(ck_smem), a.work, a.size, bar);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, a.size);
}
CK_KERNEL(bulk_reload, bulk_order_args)

/* 16 bytes of the word `other` at place i, counted from the end: an early write meets the copy's last bytes first. */
__device__ static void overwrite_from_end(unsigned char *image, const bulk_order_args &a, uint32_t i)
{
    *(uint4 *)(image + a.size - 16 - i) = make_uint4(a.other, a.other, a.other, a.other);
}

/* A load whose source is overwritten after its completion. EARLY: before the wait. */
template <int M> __device__ static void bulk_spoil_body(const bulk_order_args &a)
{
    const uint32_t bar = image_and_barrier(a.size);

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.size);
        load_to_cluster(ck_shared(ck_smem), a.work, a.size, bar);
    }
    if (M != EARLY)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    for (uint32_t i = threadIdx.x * 16; i < a.size; i += blockDim.x * 16)
        overwrite_from_end(a.work, a, i);
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, a.size);
}
CK_KERNEL(bulk_spoil, bulk_order_args)
CK_MUTANT(bulk_spoil, early, EARLY, bulk_order_args)

/* Ordinary writes to shared memory, a proxy fence by each writer, then a store of what they wrote; behind the wait for
 * its reading the source is overwritten. EARLY: without the wait. OTHER_WAITS: a thread commits and waits that did not
 * issue the store. */
template <int M> __device__ static void bulk_overwrite_body(const bulk_order_args &a)
{
    const uint32_t waiter = M == OTHER_WAITS ? 32 : 0;

    fill_shared(0, a.in, a.size);
    proxy_fence(a.fence);
    __syncthreads();
    if (threadIdx.x == 0)
        store_to_global(a.out, ck_shared(ck_smem), a.size);
    if (threadIdx.x == waiter) {
        commit_group();
        if (M != EARLY)
            wait_group_read<0>();
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x * 16; i < a.size; i += blockDim.x * 16)
        overwrite_from_end(ck_smem, a, i);
    if (threadIdx.x == 0) { /* so that nothing stays in flight */
        commit_group();
        wait_group<0>();
    }
}
CK_KERNEL(bulk_overwrite, bulk_order_args)
CK_MUTANT(bulk_overwrite, early, EARLY, bulk_order_args)
CK_MUTANT(bulk_overwrite, other_waits, OTHER_WAITS, bulk_order_args)

/* One buffer filled again and again by one warp and read by the other; behind the reads the threads meet. A barrier for
 * each round, so that a reader that is late still sees its round's phase. NO_BARRIER: the threads do not meet, and the
 * producer runs ahead of the readers. */
template <int M> __device__ static void bulk_refill_body(const bulk_order_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.size);

    poison_shared(0, a.size);
    if (threadIdx.x == 0) {
        for (uint32_t r = 0; r < a.rounds; r++)
            mbarrier_init(bar + 8 * r, 1);
        fence_mbarrier_init();
    }
    fence_proxy_async_shared();
    __syncthreads();
    for (uint32_t r = 0; r < a.rounds; r++) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect_tx(bar + 8 * r, a.size);
            load_to_cluster(ck_shared(ck_smem), a.in + r * a.size, a.size, bar + 8 * r);
        }
        mbarrier_wait_parity(a.head, bar + 8 * r, 0, 0);
        if (threadIdx.x >= 32)
            for (uint32_t i = (threadIdx.x - 32) * 16; i < a.size; i += 32 * 16)
                *(uint4 *)(a.out + r * a.size + i) = *(const uint4 *)(ck_smem + i);
        if (M != NO_BARRIER)
            __syncthreads();
    }
}
CK_KERNEL(bulk_refill, bulk_order_args)
CK_MUTANT(bulk_refill, no_barrier, NO_BARRIER, bulk_order_args)

/* Another thread writes one word of the destination, by a strong store, after the copy. EARLY: during the copy. */
template <int M> __device__ static void bulk_meddle_body(const bulk_order_args &a)
{
    const uint32_t bar = image_and_barrier(a.size);
    const uint32_t last = ck_shared(ck_smem + a.size - 4);

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.size);
        load_to_cluster(ck_shared(ck_smem), a.in, a.size, bar);
    }
    __syncthreads();
    if (M != EARLY)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    if (threadIdx.x == 32)
        asm volatile("st.relaxed.gpu.shared::cta.u32 [%0], %1;" ::"r"(last), "r"(a.other) : "memory");
    mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    dump_shared(a.out, 0, a.size);
}
CK_KERNEL(bulk_meddle, bulk_order_args)
CK_MUTANT(bulk_meddle, early, EARLY, bulk_order_args)

/* A word beside the copy: the issuer's own release, which is its arrival, publishes it, not the copy's completion.
 * LATE: the word is written after the arrival. */
template <int M> __device__ static void bulk_flag_body(const bulk_order_args &a)
{
    const uint32_t bar = image_and_barrier(a.size);
    const uint32_t flag = ck_shared(ck_smem + a.size + 16);

    if (threadIdx.x == 0) {
        if (M == LATE)
            mbarrier_arrive_expect_tx(bar, a.size);
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(flag), "r"(a.other) : "memory");
        if (M != LATE)
            mbarrier_arrive_expect_tx(bar, a.size);
        load_to_cluster(ck_shared(ck_smem), a.in, a.size, bar);
    }
    if (threadIdx.x >= 32) {
        uint32_t seen;
        mbarrier_wait_parity(a.head, bar, 0, 0);
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(seen) : "r"(flag) : "memory");
        for (uint32_t i = (threadIdx.x - 32) * 16; i < a.size; i += 32 * 16)
            *(uint4 *)(a.out + i) = *(const uint4 *)(ck_smem + i);
        if (threadIdx.x == 32)
            *(uint32_t *)(a.out + a.size) = seen;
    }
}
CK_KERNEL(bulk_flag, bulk_order_args)
CK_MUTANT(bulk_flag, late, LATE, bulk_order_args)

/* Many CTAs, each of which stores its bytes, waits until they have been read, and ends. NO_WAIT: it does not wait.
 * NO_COMMIT: nor does it commit. */
template <int M> __device__ static void bulk_leave_body(const bulk_order_args &a)
{
    fill_for_store(a.in + (uint64_t)blockIdx.x * a.size, a.size);
    if (threadIdx.x == 0) {
        store_to_global(a.out + (uint64_t)blockIdx.x * a.size, ck_shared(ck_smem), a.size);
        if (M != NO_COMMIT)
            commit_group();
        if (M == NONE)
            wait_group_read<0>();
    }
}
CK_KERNEL(bulk_leave, bulk_order_args)
CK_MUTANT(bulk_leave, no_wait, NO_WAIT, bulk_order_args)
CK_MUTANT(bulk_leave, no_commit, NO_COMMIT, bulk_order_args)
// SPDX-License-Identifier: Apache-2.0
