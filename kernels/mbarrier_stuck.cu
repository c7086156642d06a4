/* Phases that never end, or end too early, because somebody waits or announces in a wrong way. */
#include "kernels/ck.cuh"
#include "kernels/mbarrier_copies.h"

enum { NONE, WAIT_FIRST, SKIP_ARRIVAL, MORE_BYTES, FEWER_BYTES, LATE_EXPECT, LAG_TWO, ASK_ONCE };

enum { PHASES = 2, WAITED = 256 };

__device__ static void copy(uint32_t to, uint64_t from, uint32_t bytes, uint32_t bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(bar)
                 : "memory");
}

__device__ static void expect(uint32_t bar, uint32_t bytes)
{
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}

/* Thread 0 lets a copy of `bytes` bytes come in each phase, one behind the other, thread 32 waits with it; each of both
 * arrives. out[phase * bytes / 4 + i] are the words that thread 32 saw. */
template <int M> __device__ static void mbarrier_handover_body(const mbarrier_copies_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), me = threadIdx.x / 32, words = a.bytes / 4;
    uint32_t *data = (uint32_t *)(ck_smem + 128);

    for (uint32_t i = threadIdx.x; i < PHASES * words; i += blockDim.x)
        data[i] = 0xA5A5A5A5;
    fence_proxy_async_shared();
    if (threadIdx.x == 0)
        mbarrier_init(bar, 2);
    __syncthreads();
    if (threadIdx.x % 32)
        return;
    for (uint32_t phase = 0; phase < PHASES; phase++) {
        const uint32_t to = ck_shared(data + phase * words);
        const uint64_t from = a.in + phase * a.bytes;
        if (M == WAIT_FIRST && me == 1)
            mbarrier_wait_parity(a.head, bar, phase & 1, 0);
        if (M == LATE_EXPECT && me == 0) {
            copy(to, from, a.bytes, bar);
            mbarrier_arrive(bar);
        } else if (me == 0) {
            mbarrier_arrive_expect_tx(bar, M == MORE_BYTES ? a.bytes + 16 : M == FEWER_BYTES ? a.bytes - 16 : a.bytes);
            copy(to, from, a.bytes, bar);
        } else if (M != SKIP_ARRIVAL || phase == 0) {
            mbarrier_arrive(bar);
        }
        if (!mbarrier_wait_parity(a.head, bar, phase & 1, me))
            return;
        if (me == 1)
            for (uint32_t i = 0; i < words; i++)
                ((uint32_t *)a.out)[phase * words + i] = data[phase * words + i];
        if (M == LATE_EXPECT) { /* the bytes are announced for the next phase, which ends with them */
            if (me == 0)
                expect(bar, a.bytes);
            mbarrier_arrive(bar);
            mbarrier_wait_parity(a.head, bar, 1, 2);
            return;
        }
    }
}
CK_KERNEL(mbarrier_handover, mbarrier_copies_args)
CK_MUTANT(mbarrier_handover, wait_first, WAIT_FIRST, mbarrier_copies_args)
CK_MUTANT(mbarrier_handover, skip_arrival, SKIP_ARRIVAL, mbarrier_copies_args)
CK_MUTANT(mbarrier_handover, more_bytes, MORE_BYTES, mbarrier_copies_args)
CK_MUTANT(mbarrier_handover, fewer_bytes, FEWER_BYTES, mbarrier_copies_args)
CK_MUTANT(mbarrier_handover, late_expect, LATE_EXPECT, mbarrier_copies_args)

/* Thread 0 goes through two phases, then thread 32 waits: for the second one, which has just ended, or for the first,
 * whose parity is that of the third by now. out[0] is 1 where its wait came true. */
template <int M> __device__ static void mbarrier_late_wait_body(const mbarrier_copies_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);

    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        for (uint32_t phase = 0; phase < PHASES; phase++) {
            mbarrier_arrive(bar);
            mbarrier_wait_parity(a.head, bar, phase & 1, 0);
        }
    }
    __syncthreads();
    if (threadIdx.x == 32)
        ((uint32_t *)a.out)[0] = mbarrier_wait_parity(a.head, bar, M == LAG_TWO ? 0 : 1, 1);
}
CK_KERNEL(mbarrier_late_wait, mbarrier_copies_args)
CK_MUTANT(mbarrier_late_wait, lag_two, LAG_TWO, mbarrier_copies_args)

/* Thread 32 writes a word, late, and arrives; thread 0 asks until that is so, or once, and reads it. out[0] is what it
 * read. */
template <int M> __device__ static void mbarrier_ask_body(const mbarrier_copies_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);
    uint32_t *word = (uint32_t *)(ck_smem + 128);

    if (threadIdx.x == 0) {
        *word = 0;
        mbarrier_init(bar, 1);
    }
    __syncthreads();
    if (threadIdx.x == 32) {
        const uint64_t start = ck_now();
        while (ck_now() - start < a.bytes)
            ;
        *word = WAITED;
        mbarrier_arrive(bar);
    }
    if (threadIdx.x == 0) {
        if (M == ASK_ONCE)
            mbarrier_test_parity(bar, 0);
        else if (!mbarrier_wait_parity(a.head, bar, 0, 0))
            return;
        ((uint32_t *)a.out)[0] = *word;
    }
}
CK_KERNEL(mbarrier_ask, mbarrier_copies_args)
CK_MUTANT(mbarrier_ask, ask_once, ASK_ONCE, mbarrier_copies_args)
