/* cp.async.mbarrier.arrive: a thread's copies arrive on an mbarrier. */
#include "kernels/cluster.cuh"
#include "kernels/cp_async.cuh"
#include "kernels/cp_async_mbarrier.h"

enum { NONE, LATE, ARRIVE_FIRST, NO_WAIT, LATE_FIRST, OTHER, ONLY_ASYNC };

/* One thread's arrival on an mbarrier when its copies up to here are complete; the pending count goes up first. */
__device__ static void cp_async_arrive(uint32_t bar)
{
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(bar) : "memory");
}

/* The thread's copy of this number. */
__device__ static void copy_number(const cpmb_args &a, uint32_t number)
{
    cp_async(a.form, ck_shared(ck_smem) + 16 * number, a.in + 16 * number);
}

/* Poisons the slots, and makes an mbarrier behind them. */
__device__ static uint32_t begin(const cpmb_args &a, uint32_t slots, uint32_t count)
{
    const uint32_t bar = ck_shared(ck_smem) + 16 * slots;

    if (threadIdx.x == 0)
        mbarrier_init(bar, count);
    poison_and_meet(16 * slots);
    return bar;
}

/* Which phases a thread finds complete: CPMB_DONE_*. */
__device__ static uint32_t phases_of(uint32_t bar)
{
    return (mbarrier_test_parity(bar, 0) ? CPMB_DONE_0 : 0) | (mbarrier_test_parity(bar, 1) ? CPMB_DONE_1 : 0);
}

/* Each of the first threads copies and has its copies arrive, round by round, and arrives itself. All threads wait, or
 * look after a while, and each reads the copies of the next thread. LATE: a thread's last copy comes after its last
 * arrival. ARRIVE_FIRST: the ordinary arrivals come first. NO_WAIT: nobody waits. */
template <int M> __device__ static void cpmb_arrive_body(const cpmb_args &a)
{
    const uint32_t n = blockDim.x, i = threadIdx.x, other = (i + 1) % n, all = a.rounds * a.copies;
    const uint32_t bar = begin(a, all * n, a.count);

    if (i < a.lanes) {
        for (uint32_t k = 0; M == ARRIVE_FIRST && k < a.plain; k++)
            mbarrier_arrive(bar);
        for (uint32_t r = 0; r < a.rounds; r++) {
            for (uint32_t c = r * a.copies; c < (r + 1) * a.copies; c++)
                if (M != LATE || c + 1 < all)
                    copy_number(a, c * n + i);
            if (a.counted)
                cp_async_arrive_noinc(bar);
            else
                cp_async_arrive(bar);
        }
        if (M == LATE)
            copy_number(a, (all - 1) * n + i);
        for (uint32_t k = 0; M != ARRIVE_FIRST && k < a.plain; k++)
            mbarrier_arrive(bar);
    }
    if (M != NO_WAIT && a.waits)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    if (!a.waits)
        ck_pause(a.delay);
    if (M != NO_WAIT)
        a.phases[i] = phases_of(bar);
    if (a.waits && other < a.lanes)
        for (uint32_t c = 0; c < all; c++)
            give_out(a.out + 16 * (c * n + other), ck_shared(ck_smem) + 16 * (c * n + other), cp_async_size(a.form));
    cp_async_wait_all(); /* no copy outlives the CTA */
    if (M == NO_WAIT)
        mbarrier_wait_parity(a.head, bar, 0, 0);
}
CK_KERNEL(cpmb_arrive, cpmb_args)
CK_MUTANT(cpmb_arrive, late, LATE, cpmb_args)
CK_MUTANT(cpmb_arrive, arrive_first, ARRIVE_FIRST, cpmb_args)
CK_MUTANT(cpmb_arrive, no_wait, NO_WAIT, cpmb_args)

/* Each thread copies and arrives on a first mbarrier, then makes a copy that is soon there and arrives on a second one.
 * All threads wait on the second alone and read the first copies of the next thread. LATE_FIRST: the first copy comes
 * last. */
template <int M> __device__ static void cpmb_second_body(const cpmb_args &a)
{
    const uint32_t n = blockDim.x, i = threadIdx.x, other = (i + 1) % n;
    const uint32_t first = ck_shared(ck_smem) + 32 * n, second = first + 8;

    if (i == 0) {
        mbarrier_init(first, n);
        mbarrier_init(second, n);
    }
    poison_and_meet(32 * n);
    if (M != LATE_FIRST)
        copy_number(a, i);
    cp_async_arrive_noinc(first);
    cp_async(a.form, ck_shared(ck_smem) + 16 * (n + i), (const unsigned char *)a.phases);
    cp_async_arrive_noinc(second);
    if (M == LATE_FIRST)
        copy_number(a, i);
    mbarrier_wait_parity(a.head, second, 0, 0);
    give_out(a.out + 16 * other, ck_shared(ck_smem) + 16 * other, cp_async_size(a.form));
    cp_async_wait_all();
}
CK_KERNEL(cpmb_second, cpmb_args)
CK_MUTANT(cpmb_second, late_first, LATE_FIRST, cpmb_args)

/* One thread without copies executes the instruction without .noinc, then makes `plain` ordinary arrivals at once. The
 * phase completes if these are all that init asked for. */
template <int M> __device__ static void cpmb_limit_body(const cpmb_args &a)
{
    const uint32_t bar = begin(a, 1, a.count);

    cp_async_arrive(bar);
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0], %1; }" ::"r"(bar), "r"(a.plain)
                 : "memory");
    mbarrier_wait_parity(a.head, bar, 0, 0);
    a.phases[0] = phases_of(bar);
}
CK_KERNEL(cpmb_limit, cpmb_args)

/* CTA 0 of two executes the instruction on an mbarrier by its generic address, which may be of other memory; the own
 * mbarrier completes by it. */
template <int M> __device__ static void cpmb_window_body(const cpmb_args &a)
{
    const uint32_t bar = begin(a, 1, 1);
    uint64_t local[2] = { a.delay, a.delay }, at = generic_of(bar);

    cluster_sync_unaligned();
    if (cluster_rank() == 0) {
        if (a.where == CPMB_GLOBAL)
            at = (uint64_t)a.out;
        if (a.where == CPMB_LOCAL)
            at = (uint64_t)&local[a.delay & 1];
        if (a.where == CPMB_REMOTE)
            at = generic_of(in_cta(bar, 1));
        asm volatile("cp.async.mbarrier.arrive.noinc.b64 [%0];" ::"l"(at) : "memory");
        if (a.where != CPMB_OWN)
            mbarrier_arrive(bar);
        mbarrier_wait_parity(a.head, bar, 0, 0);
        a.phases[0] = phases_of(bar);
    }
    cluster_sync_unaligned();
}
CK_KERNEL(cpmb_window, cpmb_args)

/* Warp 0 stores words, late, and arrives as a thread and for its copies; warp 1 waits and reads the words. ONLY_ASYNC:
 * the arrival for the copies is the only one. NO_WAIT: warp 1 does not wait. */
template <int M> __device__ static void cpmb_stores_body(const cpmb_args &a)
{
    const uint32_t i = threadIdx.x % 32;
    const uint32_t bar = begin(a, 64, M == ONLY_ASYNC ? 32 : 64), word = ck_shared(ck_smem) + 4 * i;

    if (threadIdx.x < 32) {
        copy_number(a, 32 + i);
        ck_pause(a.delay);
        store_shared(word, i + 1);
        cp_async_arrive_noinc(bar);
        if (M != ONLY_ASYNC)
            mbarrier_arrive(bar);
    } else {
        if (M != NO_WAIT)
            mbarrier_wait_parity(a.head, bar, 0, 0);
        a.phases[i] = load_shared(word);
    }
    cp_async_wait_all();
}
CK_KERNEL(cpmb_stores, cpmb_args)
CK_MUTANT(cpmb_stores, only_async, ONLY_ASYNC, cpmb_args)
CK_MUTANT(cpmb_stores, no_wait, NO_WAIT, cpmb_args)

/* A thread starts a bulk copy of all its slots, which signals one mbarrier, and lets its cp.async, of which there are
 * none, arrive on another. It waits on the first and reads. OTHER: it waits on the second. */
template <int M> __device__ static void cpmb_bulk_body(const cpmb_args &a)
{
    const uint32_t bytes = 16 * a.copies, slots = ck_shared(ck_smem), bar = slots + bytes, other = bar + 8;

    poison_shared(0, bytes);
    fence_proxy_async_shared();
    mbarrier_init(bar, 1);
    mbarrier_init(other, 1);
    fence_mbarrier_init();
    __syncthreads();
    mbarrier_arrive_expect_tx(bar, bytes);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(slots),
                 "l"(a.in), "r"(bytes), "r"(bar)
                 : "memory");
    cp_async_arrive_noinc(other);
    mbarrier_wait_parity(a.head, M == OTHER ? other : bar, 0, 0);
    give_out(a.out, slots, bytes);
    mbarrier_wait_parity(a.head, bar, 0, 1);
    mbarrier_wait_parity(a.head, other, 0, 2);
}
CK_KERNEL(cpmb_bulk, cpmb_args)
CK_MUTANT(cpmb_bulk, other, OTHER, cpmb_args)
// SPDX-License-Identifier: Apache-2.0
