/* cuda::barrier as programs use it. Block scope in shared memory is an mbarrier; block scope elsewhere and wider scopes
 * are atomics on the barrier's own words. */
#include <cuda/barrier>
#include <cuda/std/utility>

#include "kernels/cluster.cuh"
#include "kernels/libcu_barrier.h"
#include "kernels/shared.cuh"

using block_barrier = cuda::barrier<cuda::thread_scope_block>;
using device_barrier = cuda::barrier<cuda::thread_scope_device>;
using system_barrier = cuda::barrier<cuda::thread_scope_system>;
using cuda::std::chrono::nanoseconds;

enum { NONE, NO_WAIT, NO_SYNC, WRONG_PARITY, ARRIVE, EARLY };

/* ---- one thread, step by step ---- */

/* mbarrier instructions on what barrier_native_handle gives. */
__device__ static void complete_tx(block_barrier &bar, uint32_t bytes)
{
    asm volatile("mbarrier.complete_tx.shared.b64 [%0], %1;" ::"r"(ck_shared(cuda::device::barrier_native_handle(bar))),
                 "r"(bytes)
                 : "memory");
}

__device__ static void raw_arrive(block_barrier &bar)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.b64 state, [%0]; }" ::"l"(cuda::device::barrier_native_handle(bar))
                 : "memory");
}

__device__ static uint32_t step(const libcu_step &s, block_barrier &bar, block_barrier::arrival_token *tokens)
{
    block_barrier::arrival_token token = tokens[s.token];

    switch (s.op) {
    case LIBCU_INIT: init(&bar, s.count); break;
    case LIBCU_ARRIVE: tokens[s.token] = bar.arrive(s.count); break;
    case LIBCU_DROP: bar.arrive_and_drop(); break;
    case LIBCU_ARRIVE_TX: tokens[s.token] = cuda::device::barrier_arrive_tx(bar, s.count, s.bytes); break;
    case LIBCU_EXPECT_TX: cuda::device::barrier_expect_tx(bar, s.bytes); break;
    case LIBCU_COMPLETE_TX: complete_tx(bar, s.bytes); break;
    case LIBCU_RAW_ARRIVE: raw_arrive(bar); break;
    case LIBCU_ASK: return bar.try_wait_for(cuda::std::move(token), nanoseconds(s.ns));
    case LIBCU_ASK_PARITY: return bar.try_wait_parity_for(s.count, nanoseconds(s.ns));
    case LIBCU_DESTROY: bar.~block_barrier(); break;
    case LIBCU_STORE: *(volatile uint64_t *)&bar = 0x0123456789ABCDEFull; break;
    }
    return 0;
}

/* One thread carries out a list of steps on a barrier and writes down each answer. */
template <int M> __device__ static void libcu_steps_body(const libcu_steps_args &a)
{
    block_barrier &bar = *(block_barrier *)(a.global ? a.room : ck_smem);
    block_barrier::arrival_token tokens[LIBCU_TOKENS];

    for (uint32_t i = 0; i < LIBCU_TOKENS; i++)
        tokens[i] = 0;
    for (uint32_t i = 0; i < a.count; i++)
        a.answers[i] = step(a.steps[i], bar, tokens);
}
CK_KERNEL(libcu_steps, libcu_steps_args)

/* ---- rounds of writing, waiting and reading ---- */

/* Waits for the phase of `token`, or for that of a parity, with a bound. */
__device__ static bool passed(const ck_head &h, block_barrier &bar, block_barrier::arrival_token token)
{
    const uint64_t start = ck_now();

    for (;;) {
        block_barrier::arrival_token copy = token;
        if (bar.try_wait_for(cuda::std::move(copy), nanoseconds(1000)))
            return true;
        if (h.limit && ck_now() - start > h.limit)
            break;
    }
    ck_timeout(h, 0);
    return false;
}

__device__ static bool passed_parity(const ck_head &h, block_barrier &bar, bool parity)
{
    const uint64_t start = ck_now();

    while (!bar.try_wait_parity_for(parity, nanoseconds(1000)))
        if (h.limit && ck_now() - start > h.limit) {
            ck_timeout(h, 0);
            return false;
        }
    return true;
}

/* Arrives and waits in the form that the case asks for. Wider scopes have no timed waits. NO_WAIT: only arrives.
 * WRONG_PARITY: waits for the phase before. */
template <int M> __device__ static bool meet(const libcu_rounds_args &a, block_barrier &bar, uint32_t round)
{
    const bool parity = (round + (M == WRONG_PARITY)) & 1;

    if (M == NO_WAIT || a.form == LIBCU_TRY_PARITY || a.form == LIBCU_WAIT_PARITY)
        (void)bar.arrive();
    if (M == NO_WAIT)
        return true;
    if (a.form == LIBCU_TRY_PARITY)
        return passed_parity(a.head, bar, parity);
    if (a.form == LIBCU_TOKEN)
        return passed(a.head, bar, bar.arrive());
    if (a.form == LIBCU_WAIT_PARITY)
        bar.wait_parity(parity);
    if (a.form == LIBCU_WAIT)
        bar.wait(bar.arrive());
    if (a.form == LIBCU_ARRIVE_AND_WAIT)
        bar.arrive_and_wait();
    return true;
}

template <int M, class B> __device__ static bool meet(const libcu_rounds_args &a, B &bar, uint32_t round)
{
    if (M == NO_WAIT)
        (void)bar.arrive();
    else if (a.form == LIBCU_WAIT)
        bar.wait(bar.arrive());
    else
        bar.arrive_and_wait();
    return true;
}

/* In each round, each thread writes a value, all meet at the barrier, and each reads its neighbour's value. Values have
 * two places in turn, so that one meeting a round is enough. Threads from `stay` on drop out of the barrier in the
 * first round. NO_SYNC: no thread waits for the barrier to be made. ARRIVE: who leaves arrives only. EARLY: reads
 * before it meets the others. */
template <int M, class B> __device__ static void rounds(const libcu_rounds_args &a)
{
    const uint32_t me = threadIdx.x, all = blockDim.x;
    B &bar = *(B *)(a.global ? a.room : ck_smem);
    volatile uint32_t *values = (volatile uint32_t *)(ck_smem + 16);

    values[me] = values[all + me] = ~0u;
    if (M == NO_SYNC)
        __syncthreads();
    if (me == 0)
        init(&bar, a.expected);
    if (M != NO_SYNC)
        __syncthreads();
    for (uint32_t r = 0; r < a.rounds; r++) {
        volatile uint32_t *now = values + (r & 1) * all;
        const uint32_t there = r ? a.stay : all;
        if (a.late && me == r % there)
            ck_pause(a.late);
        now[me] = r * LIBCU_THREADS + me;
        if (me >= a.stay) {
            if (M == ARRIVE)
                (void)bar.arrive();
            else
                bar.arrive_and_drop();
            return;
        }
        uint32_t read = now[(me + 1) % there];
        if (!meet<M>(a, bar, r))
            return;
        if (M != EARLY)
            read = now[(me + 1) % there];
        a.out[r * all + me] = read;
    }
}

template <int M> __device__ static void libcu_block_body(const libcu_rounds_args &a)
{
    rounds<M, block_barrier>(a);
}
CK_KERNEL(libcu_block, libcu_rounds_args)
CK_MUTANT(libcu_block, no_wait, NO_WAIT, libcu_rounds_args)
CK_MUTANT(libcu_block, no_sync, NO_SYNC, libcu_rounds_args)
CK_MUTANT(libcu_block, wrong_parity, WRONG_PARITY, libcu_rounds_args)
CK_MUTANT(libcu_block, arrive, ARRIVE, libcu_rounds_args)

template <int M> __device__ static void libcu_device_body(const libcu_rounds_args &a)
{
    rounds<M, device_barrier>(a);
}
CK_KERNEL(libcu_device, libcu_rounds_args)
CK_MUTANT(libcu_device, no_wait, NO_WAIT, libcu_rounds_args)

template <int M> __device__ static void libcu_system_body(const libcu_rounds_args &a)
{
    rounds<M, system_barrier>(a);
}
CK_KERNEL(libcu_system, libcu_rounds_args)
CK_MUTANT(libcu_system, no_wait, NO_WAIT, libcu_rounds_args)

/* ---- a completion function ---- */

/* Adds up what the threads wrote, and counts the phases. */
struct adds_up {
    volatile uint32_t *values, *sum, *phases;
    uint32_t threads;

    __device__ void operator()()
    {
        uint32_t total = 0;

        for (uint32_t i = 0; i < threads; i++)
            total += values[i];
        *sum = total;
        *phases = *phases + 1;
    }
};
using adding_barrier = cuda::barrier<cuda::thread_scope_block, adds_up>;

/* In each round, each thread writes a value and meets the others; the barrier's completion function adds the values up.
 * Each thread then reads the sum and the number of phases. A second meeting comes before the next values. EARLY: reads
 * before it meets the others. */
template <int M> __device__ static void libcu_completion_body(const libcu_rounds_args &a)
{
    const uint32_t me = threadIdx.x, all = blockDim.x;
    adding_barrier &bar = *(adding_barrier *)ck_smem;
    volatile uint32_t *sum = (volatile uint32_t *)(ck_smem + 128), *phases = sum + 1, *values = sum + 4;

    values[me] = 0;
    if (me == 0) {
        *sum = *phases = 0;
        init(&bar, all, adds_up{ values, sum, phases, all });
    }
    __syncthreads();
    for (uint32_t r = 0; r < a.rounds; r++) {
        if (a.late && me == r % all)
            ck_pause(a.late);
        values[me] = r * LIBCU_THREADS + me;
        uint32_t total = *sum, count = *phases;
        if (a.form == LIBCU_WAIT)
            bar.wait(bar.arrive());
        else
            bar.arrive_and_wait();
        if (M != EARLY) {
            total = *sum;
            count = *phases;
        }
        a.out[(r * all + me) * 2] = total;
        a.out[(r * all + me) * 2 + 1] = count;
        __syncthreads();
    }
}
CK_KERNEL(libcu_completion, libcu_rounds_args)
CK_MUTANT(libcu_completion, early, EARLY, libcu_rounds_args)

/* ---- the end of a barrier ---- */

/* The threads meet; then one of them destroys the barrier and uses its place for other data. NO_SYNC: it does not wait
 * until the others are through. */
template <int M> __device__ static void libcu_end_body(const libcu_rounds_args &a)
{
    block_barrier &bar = *(block_barrier *)ck_smem;

    if (threadIdx.x == 0)
        init(&bar, a.expected);
    __syncthreads();
    const bool through = passed(a.head, bar, bar.arrive());
    if (M != NO_SYNC)
        __syncthreads();
    if (threadIdx.x == 0) {
        bar.~block_barrier();
        *(volatile uint32_t *)ck_smem = 0x01020304;
        a.out[0] = *(volatile uint32_t *)ck_smem;
    }
    a.out[1 + threadIdx.x] = through;
}
CK_KERNEL(libcu_end, libcu_rounds_args)
CK_MUTANT(libcu_end, no_sync, NO_SYNC, libcu_rounds_args)

/* ---- the lanes of a warp, and another CTA ---- */

/* The lanes of a warp arrive, together or one by one, at a barrier that expects one more arrival. Lane 0 asks whether
 * the phase is over, brings the last arrival, and asks again. */
template <int M> __device__ static void libcu_lanes_body(const libcu_lanes_args &a)
{
    block_barrier &bar = *(block_barrier *)ck_smem;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x + 1);
    __syncthreads();
    if (!a.diverged)
        (void)bar.arrive();
    for (uint32_t i = 0; a.diverged && i < blockDim.x; i++)
        if (i == threadIdx.x)
            (void)bar.arrive();
    if (a.twice && threadIdx.x == 0)
        (void)bar.arrive();
    __syncthreads();
    if (threadIdx.x == 0) {
        a.out[0] = bar.try_wait_parity_for(false, nanoseconds(0));
        if (!a.twice)
            (void)bar.arrive();
        a.out[1] = bar.try_wait_parity_for(false, nanoseconds(0));
    }
}
CK_KERNEL(libcu_lanes, libcu_lanes_args)

/* CTA 0 of a cluster does something to a barrier in the shared memory of CTA 1, or, if `twice`, to its own. */
template <int M> __device__ static void libcu_remote_body(const libcu_lanes_args &a)
{
    const uint32_t rank = cluster_rank();
    block_barrier &own = *(block_barrier *)ck_smem;
    block_barrier &bar = *(block_barrier *)generic_of(in_cta(ck_shared(ck_smem), a.twice ? 0 : 1));

    if (threadIdx.x == 0)
        init(&own, 2);
    cluster_sync_unaligned();
    if (rank == 0 && threadIdx.x == 0) {
        switch (a.op) {
        case LIBCU_INIT: init(&bar, 2); break;
        case LIBCU_ARRIVE: (void)bar.arrive(); break;
        case LIBCU_ASK_PARITY: (void)bar.try_wait_parity_for(false, nanoseconds(0)); break;
        case LIBCU_DESTROY: bar.~block_barrier(); break;
        }
        a.out[0] = 1;
    }
    cluster_sync_unaligned();
}
CK_KERNEL(libcu_remote, libcu_lanes_args)
// SPDX-License-Identifier: Apache-2.0
