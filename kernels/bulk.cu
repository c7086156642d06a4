/* Bulk copies of one CTA: loads, stores, and the bytes that the barrier counts. */
#include "kernels/bulk.cuh"

enum { NONE, NO_WAIT, LEAVE, NO_SYNC, BAR_ASIDE, NO_FENCE, STORE_FIRST, ARRIVE_FIRST, MORE, ONE_LANE, INVERTED };

/* ---- loads ------------------------------------------------------------------------------------------------------ */

/* Thread 0 loads a piece; all threads wait, and the image is copied out. NO_WAIT: they read before they wait, so that
 * the bytes do not arrive in somebody else's shared memory. LEAVE: the CTA ends without waiting. */
template <int M> __device__ static void bulk_load_body(const bulk_load_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes);

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_to_cluster(ck_shared(ck_smem + a.offset), a.in, a.size, bar);
    }
    if (M == LEAVE)
        return;
    if (M != NO_WAIT)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, a.bytes);
    if (M == NO_WAIT)
        mbarrier_wait_parity(a.head, bar, 0, 0);
}
CK_KERNEL(bulk_load, bulk_load_args)
CK_MUTANT(bulk_load, no_wait, NO_WAIT, bulk_load_args)
CK_MUTANT(bulk_load, leave, LEAVE, bulk_load_args)

/* The same in each CTA of a cluster: the destination is the CTA's own address, and it lies in the CTA's own memory. */
template <int M> __device__ static void bulk_load_window_body(const bulk_load_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes);

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_to_cluster(ck_shared(ck_smem + a.offset), a.in + blockIdx.x * a.in_step, a.size, bar);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out + blockIdx.x * a.out_step, 0, a.bytes);
}
CK_KERNEL(bulk_load_window, bulk_load_args)

/* The same with a cache policy. */
template <int M> __device__ static void bulk_load_hint_body(const bulk_load_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes);

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
                     " [%0], [%1], %2, [%3], %4;" ::"r"(ck_shared(ck_smem + a.offset)),
                     "l"(a.in), "r"(a.size), "r"(bar), "l"(cache_policy(a.hint))
                     : "memory");
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(bulk_load_hint, bulk_load_args)

/* Several pieces on one barrier, which expects the sum of their bytes. */
template <int M> __device__ static void bulk_load_sum_body(const bulk_load_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes);

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        for (uint32_t i = 0; i < a.copies; i++)
            load_to_cluster(ck_shared(ck_smem + a.offset + i * a.step), a.in + i * a.step, a.size, bar);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(bulk_load_sum, bulk_load_args)

/* The barrier lies anywhere behind the image. BAR_ASIDE: it lies at a multiple of 8, and the copy names what may be
 * another address. */
template <int M> __device__ static void bulk_load_bar_body(const bulk_load_args &a)
{
    const uint32_t named = ck_shared(ck_smem + a.bytes + a.bar);
    const uint32_t bar = M == BAR_ASIDE ? named / 8 * 8 : named;

    poison_shared(0, a.bytes);
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        fence_mbarrier_init();
    }
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_to_cluster(ck_shared(ck_smem + a.offset), a.in, a.size, named);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(bulk_load_bar, bulk_load_args)
CK_MUTANT(bulk_load_bar, bar_aside, BAR_ASIDE, bulk_load_args)

/* Another thread makes the barrier, and the threads meet before the copy names it. The rule promises that this is
 * enough, so here alone no fence follows mbarrier_init; the proxy fence before it is for the poison. NO_SYNC: the
 * threads do not meet. */
template <int M> __device__ static void bulk_load_init_body(const bulk_load_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    poison_shared(0, a.bytes);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == a.thread) {
        mbarrier_init(bar, 1);
        mbarrier_arrive_expect_tx(bar, a.expect);
    }
    if (M != NO_SYNC)
        __syncthreads();
    if (threadIdx.x == 0)
        load_to_cluster(ck_shared(ck_smem + a.offset), a.in, a.size, bar);
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(bulk_load_init, bulk_load_args)
CK_MUTANT(bulk_load_init, no_sync, NO_SYNC, bulk_load_args)

/* One thread waits and copies out, all others end. NO_WAIT: it reads before it waits. */
template <int M> __device__ static void bulk_load_waiter_body(const bulk_load_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes);

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_to_cluster(ck_shared(ck_smem + a.offset), a.in, a.size, bar);
    }
    if (threadIdx.x != a.thread)
        return;
    if (M != NO_WAIT)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    for (uint32_t i = 0; i < a.bytes; i += 16)
        *(uint4 *)(a.out + i) = *(const uint4 *)(ck_smem + i);
    if (M == NO_WAIT)
        mbarrier_wait_parity(a.head, bar, 0, 0);
}
CK_KERNEL(bulk_load_waiter, bulk_load_args)
CK_MUTANT(bulk_load_waiter, no_wait, NO_WAIT, bulk_load_args)

/* ---- stores ----------------------------------------------------------------------------------------------------- */

/* The threads fill shared memory, each one fences its writes, and thread 0 stores a piece of it and waits. */
template <int M> __device__ static void bulk_store_body(const bulk_store_args &a)
{
    fill_for_store(a.in, a.bytes);
    if (threadIdx.x == 0) {
        store_to_global(a.out, ck_shared(ck_smem + a.offset), a.size);
        commit_group();
        wait_group<0>();
    }
}
CK_KERNEL(bulk_store, bulk_store_args)

/* The same with a cache policy. */
template <int M> __device__ static void bulk_store_hint_body(const bulk_store_args &a)
{
    fill_for_store(a.in, a.bytes);
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" ::"l"(a.out),
                     "r"(ck_shared(ck_smem + a.offset)), "r"(a.size), "l"(cache_policy(a.hint))
                     : "memory");
        commit_group();
        wait_group<0>();
    }
}
CK_KERNEL(bulk_store_hint, bulk_store_args)

__device__ static void store_piece(const bulk_store_args &a)
{
    if (threadIdx.x == 0) {
        store_to_global(a.out, ck_shared(ck_smem + a.offset), a.size);
        commit_group();
    }
}

/* Some threads write over the poison in shared memory, each one fences its writes, all threads meet, and thread 0
 * stores. NO_FENCE: the writers do not fence. STORE_FIRST: thread 0 stores before they write. */
template <int M> __device__ static void bulk_store_by_body(const bulk_store_args &a)
{
    poison_shared(0, a.bytes);
    fence_proxy_async_shared();
    __syncthreads();
    if (M == STORE_FIRST) {
        store_piece(a);
        __syncthreads();
    }
    if (threadIdx.x >= a.first && threadIdx.x < a.last) {
        for (uint32_t i = (threadIdx.x - a.first) * 16; i < a.bytes; i += (a.last - a.first) * 16)
            *(uint4 *)(ck_smem + i) = *(const uint4 *)(a.in + i);
        if (M != NO_FENCE)
            fence_proxy_async_shared();
    }
    __syncthreads();
    if (M != STORE_FIRST)
        store_piece(a);
    if (threadIdx.x == 0)
        wait_group<0>();
}
CK_KERNEL(bulk_store_by, bulk_store_args)
CK_MUTANT(bulk_store_by, no_fence, NO_FENCE, bulk_store_args)
CK_MUTANT(bulk_store_by, store_first, STORE_FIRST, bulk_store_args)

/* ---- what the barrier counts ------------------------------------------------------------------------------------ */

__device__ static void expect_tx(uint32_t bar, uint32_t bytes)
{
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}

__device__ static void complete_tx(uint32_t bar, uint32_t bytes)
{
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}

/* Loads `size` bytes to image byte `at` from the same byte of the source. */
__device__ static void load_piece(const bulk_tx_args &a, uint32_t at, uint32_t size, uint32_t bar)
{
    load_to_cluster(ck_shared(ck_smem + at), a.in + at, size, bar);
}

/* Whether phase 0 ends within the next `ns` nanoseconds; the barrier is looked at once at least. */
__device__ static bool ends_within(uint32_t bar, uint64_t ns)
{
    const uint64_t start = ck_now();

    do {
        if (mbarrier_test_parity(bar, 0))
            return true;
    } while (ck_now() - start < ns);
    return false;
}

/* Thread 0 waits and writes the flags, the others wait behind it, and the image is copied out. */
__device__ static void end_of_phase(const bulk_tx_args &a, uint32_t bar)
{
    if (threadIdx.x == 0) {
        a.flags[1] = mbarrier_wait_parity(a.head, bar, 0, 0);
        a.flags[2] = mbarrier_test_parity(bar, 1);
    }
    __syncthreads();
    if (threadIdx.x)
        mbarrier_wait_parity(a.head, bar, 0, 1);
    dump_shared(a.out, 0, a.bytes);
}

/* One load of as many bytes as are expected; the thread looks at the barrier right behind it. */
template <int M> __device__ static void bulk_tx_once_body(const bulk_tx_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes);

    if (threadIdx.x == 0) {
        expect_tx(bar, a.expect);
        mbarrier_arrive(bar);
        load_piece(a, 0, a.size, bar);
        a.flags[0] = ends_within(bar, a.probe);
    }
    end_of_phase(a, bar);
}
CK_KERNEL(bulk_tx_once, bulk_tx_args)

/* A load that brings 16 bytes less than are expected, then one that brings them. */
template <int M> __device__ static void bulk_tx_two_body(const bulk_tx_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes);

    if (threadIdx.x == 0) {
        expect_tx(bar, a.expect);
        mbarrier_arrive(bar);
        load_piece(a, 0, a.size, bar);
        a.flags[0] = ends_within(bar, a.probe);
        load_piece(a, a.size, 16, bar);
    }
    end_of_phase(a, bar);
}
CK_KERNEL(bulk_tx_two, bulk_tx_args)

/* The bytes are there before they are expected; the pending arrival keeps the phase open. ARRIVE_FIRST: the arrival
 * comes before the loads, and the phase ends without the bytes. */
template <int M> __device__ static void bulk_tx_late_body(const bulk_tx_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes);

    if (threadIdx.x == 0) {
        if (M == ARRIVE_FIRST)
            mbarrier_arrive(bar);
        for (uint32_t i = 0; i < a.copies; i++)
            load_piece(a, i * a.size, a.size, bar);
        a.flags[0] = ends_within(bar, a.probe);
        expect_tx(bar, a.expect);
        if (M != ARRIVE_FIRST)
            mbarrier_arrive(bar);
    }
    end_of_phase(a, bar);
}
CK_KERNEL(bulk_tx_late, bulk_tx_args)
CK_MUTANT(bulk_tx_late, arrive_first, ARRIVE_FIRST, bulk_tx_args)

/* More bytes are expected than shared memory has: a load brings some, an instruction completes the others. MORE: 16
 * bytes are expected that nothing brings. */
template <int M> __device__ static void bulk_tx_limit_body(const bulk_tx_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes);

    if (threadIdx.x == 0) {
        expect_tx(bar, a.expect);
        load_piece(a, 0, a.size, bar);
        complete_tx(bar, a.complete);
        a.flags[0] = ends_within(bar, a.probe);
        if (M == MORE)
            expect_tx(bar, 16);
        mbarrier_arrive(bar);
    }
    end_of_phase(a, bar);
}
CK_KERNEL(bulk_tx_limit, bulk_tx_args)
CK_MUTANT(bulk_tx_limit, more, MORE, bulk_tx_args)

/* The bytes are there and one arrival is missing; then it comes. */
template <int M> __device__ static void bulk_tx_arrivals_body(const bulk_tx_args &a)
{
    const uint32_t bar = image_and_barrier(a.bytes, a.arrivals);

    if (threadIdx.x == 0) {
        expect_tx(bar, a.expect);
        for (uint32_t i = 0; i < a.early; i++)
            mbarrier_arrive(bar);
        load_piece(a, 0, a.size, bar);
        a.flags[0] = ends_within(bar, a.probe);
        mbarrier_arrive(bar);
    }
    end_of_phase(a, bar);
}
CK_KERNEL(bulk_tx_arrivals, bulk_tx_args)

/* ---- lanes ------------------------------------------------------------------------------------------------------ */

/* The barrier for the lanes' copies; lane 0 expects their bytes. */
__device__ static uint32_t lanes_barrier(const bulk_lanes_args &a)
{
    const uint32_t bar = image_and_barrier(512);

    if (threadIdx.x == 0)
        mbarrier_arrive_expect_tx(bar, a.expect);
    __syncwarp();
    return bar;
}

/* Lanes of the mask take a branch, and each makes its own copy there. ONE_LANE: only one of them does. INVERTED: the
 * others do. */
template <int M> __device__ static void bulk_lanes_body(const bulk_lanes_args &a)
{
    const uint32_t lane = threadIdx.x, bar = lanes_barrier(a);
    const uint32_t mask = M == INVERTED ? ~a.mask : M == ONE_LANE ? 1 : a.mask;

    if (mask >> lane & 1)
        load_to_cluster(ck_shared(ck_smem + lane * 16), a.in + lane * 16, 16, bar);
    __syncwarp();
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, 512);
}
CK_KERNEL(bulk_lanes, bulk_lanes_args)
CK_MUTANT(bulk_lanes, one_lane, ONE_LANE, bulk_lanes_args)
CK_MUTANT(bulk_lanes, inverted, INVERTED, bulk_lanes_args)

/* All lanes execute the copy, under a predicate that is true for the lanes of the mask. INVERTED: for the others. */
template <int M> __device__ static void bulk_lanes_predicated_body(const bulk_lanes_args &a)
{
    const uint32_t lane = threadIdx.x, bar = lanes_barrier(a);
    const uint32_t mask = M == INVERTED ? ~a.mask : a.mask;

    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0;\n\t"
                 "@p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2]; }" ::"r"(
                     ck_shared(ck_smem + lane * 16)),
                 "l"(a.in + lane * 16), "r"(bar), "r"(mask >> lane & 1)
                 : "memory");
    __syncwarp();
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, 512);
}
CK_KERNEL(bulk_lanes_predicated, bulk_lanes_args)
CK_MUTANT(bulk_lanes_predicated, inverted, INVERTED, bulk_lanes_args)
// SPDX-License-Identifier: Apache-2.0
