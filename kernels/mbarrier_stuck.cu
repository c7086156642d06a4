/* Phases that never end, or end too early, because a thread waits or announces bytes in a wrong way. */
#include "kernels/cluster.cuh"
#include "kernels/mbarrier_stuck.h"
#include "kernels/shared.cuh"

enum { NONE, WAIT_FIRST, SKIP_ARRIVAL, MORE_BYTES, FEWER_BYTES, LATE_EXPECT, LAG_TWO, ASK_ONCE };

/* Starts the copy of a phase's piece into its place; it signals its bytes on the mbarrier. */
__device__ static void copy_piece(const mbarrier_handover_args &a, uint32_t phase, uint32_t bar)
{
    const uint32_t to = ck_shared(ck_smem + STUCK_DATA + phase * a.bytes);

    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(a.in + phase * a.bytes), "r"(a.bytes), "r"(bar)
                 : "memory");
}

/* Writes out what this thread sees of a phase's piece. */
__device__ static void read_piece(const mbarrier_handover_args &a, uint32_t phase)
{
    const uint32_t words = a.bytes / 4;
    const uint32_t *piece = (const uint32_t *)(ck_smem + STUCK_DATA + phase * a.bytes);

    for (uint32_t i = 0; i < words; i++)
        a.out[phase * words + i] = piece[i];
}

/* Poisons the pieces' places and makes an mbarrier for two arrivals. */
__device__ static void prepare(const mbarrier_handover_args &a, uint32_t bar)
{
    poison_shared(STUCK_DATA, STUCK_PHASES * a.bytes);
    fence_proxy_async_shared();
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 2);
        fence_mbarrier_init();
    }
    __syncthreads();
}

/* In each phase thread 0 announces the bytes of a piece, starts its copy and arrives; thread 32 arrives too. Both wait,
 * then thread 32 reads the piece. */
template <int M> __device__ static void mbarrier_handover_body(const mbarrier_handover_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), me = threadIdx.x / 32;
    const uint32_t announced = a.bytes + (M == MORE_BYTES ? 16 : 0) - (M == FEWER_BYTES ? 16 : 0);

    prepare(a, bar);
    if (threadIdx.x % 32)
        return;
    for (uint32_t phase = 0; phase < STUCK_PHASES; phase++) {
        if (M == WAIT_FIRST && me == 1)
            mbarrier_wait_parity(a.head, bar, phase & 1, 0);
        if (me == 0) {
            mbarrier_arrive_expect_tx(bar, announced);
            copy_piece(a, phase, bar);
        } else if (M != SKIP_ARRIVAL || phase == 0) {
            mbarrier_arrive(bar);
        }
        if (!mbarrier_wait_parity(a.head, bar, phase & 1, me))
            return;
        if (me == 1)
            read_piece(a, phase);
    }
}

/* The same, where thread 0 announces the bytes of the first piece only in the second phase, which ends with them. */
template <> __device__ void mbarrier_handover_body<LATE_EXPECT>(const mbarrier_handover_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), me = threadIdx.x / 32;

    prepare(a, bar);
    if (threadIdx.x % 32)
        return;
    if (me == 0)
        copy_piece(a, 0, bar);
    mbarrier_arrive(bar);
    if (!mbarrier_wait_parity(a.head, bar, 0, me))
        return;
    if (me == 1)
        read_piece(a, 0);
    if (me == 0)
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(a.bytes) : "memory");
    mbarrier_arrive(bar);
    mbarrier_wait_parity(a.head, bar, 1, 2);
}
CK_KERNEL(mbarrier_handover, mbarrier_handover_args)
CK_MUTANT(mbarrier_handover, wait_first, WAIT_FIRST, mbarrier_handover_args)
CK_MUTANT(mbarrier_handover, skip_arrival, SKIP_ARRIVAL, mbarrier_handover_args)
CK_MUTANT(mbarrier_handover, more_bytes, MORE_BYTES, mbarrier_handover_args)
CK_MUTANT(mbarrier_handover, fewer_bytes, FEWER_BYTES, mbarrier_handover_args)
CK_MUTANT(mbarrier_handover, late_expect, LATE_EXPECT, mbarrier_handover_args)

/* Thread 0 goes through two phases, then thread 32 waits for the second one, which has just ended. The mutant waits for
 * the first, whose parity is by now that of the third. out[0] counts the waits of thread 0 that ran out, out[1] is 1
 * where that of thread 32 came true. */
template <int M> __device__ static void mbarrier_late_wait_body(const mbarrier_ask_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);

    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        for (uint32_t phase = 0; phase < STUCK_PHASES; phase++) {
            mbarrier_arrive(bar);
            a.out[0] += !mbarrier_wait_parity(a.head, bar, phase & 1, 0);
        }
    }
    __syncthreads();
    if (threadIdx.x == 32)
        a.out[1] = mbarrier_wait_parity(a.head, bar, M == LAG_TWO ? 0 : 1, 1);
}
CK_KERNEL(mbarrier_late_wait, mbarrier_ask_args)
CK_MUTANT(mbarrier_late_wait, lag_two, LAG_TWO, mbarrier_ask_args)

/* Thread 32 writes a word, late, and arrives; thread 0 asks until that is so, then reads the word. The mutant asks once
 * and goes on. out[1] is the word that it read; out[0] is the one that was there before, 0. */
template <int M> __device__ static void mbarrier_ask_body(const mbarrier_ask_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);
    uint32_t *word = (uint32_t *)(ck_smem + STUCK_DATA);

    if (threadIdx.x == 0) {
        *word = 0;
        a.out[0] = *word;
        mbarrier_init(bar, 1);
    }
    __syncthreads();
    if (threadIdx.x == 32) {
        ck_pause(a.delay);
        *word = STUCK_WORD;
        mbarrier_arrive(bar);
    }
    if (threadIdx.x == 0) {
        if (M == ASK_ONCE)
            mbarrier_test_parity(bar, 0);
        else if (!mbarrier_wait_parity(a.head, bar, 0, 0))
            return;
        a.out[1] = *word;
    }
}
CK_KERNEL(mbarrier_ask, mbarrier_ask_args)
CK_MUTANT(mbarrier_ask, ask_once, ASK_ONCE, mbarrier_ask_args)
// SPDX-License-Identifier: Apache-2.0
