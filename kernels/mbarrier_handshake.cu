/* What an mbarrier does, one instruction a kernel: how it counts, what it returns, and how threads and CTAs use it.
 * Start here. */
#include "kernels/cluster.cuh"
#include "kernels/mbarrier_handshake.h"

enum { NONE, NO_WAIT, NO_ARRIVAL, LAST_STATE, FEWER_BYTES, ARRIVE_ONLY, ONE_MORE, OTHER_WORD, OWN };

/* Thread 0 writes a word and arrives; thread 32 waits for that and reads the word. out[0] is what it read. */
template <int M> __device__ static void mbarrier_handshake_body(const mbarrier_handshake_args &a)
{
    __shared__ uint64_t object;
    __shared__ uint32_t word;
    const uint32_t bar = ck_shared(&object);

    if (threadIdx.x == 0) {
        word = 0;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ck_pause(a.delay);
        word = HANDSHAKE_WORD;
        asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
    }
    if (threadIdx.x == 32) {
        if (M != NO_WAIT)
            mbarrier_wait_parity(a.head, bar, 0, 0);
        a.out[0] = word;
    }
}
CK_KERNEL(mbarrier_handshake, mbarrier_handshake_args)
CK_MUTANT(mbarrier_handshake, no_wait, NO_WAIT, mbarrier_handshake_args)

/* An mbarrier for two arrivals: out[0..2] say whether phase 0 is complete before, between and after them. */
template <int M> __device__ static void mbarrier_count_body(const mbarrier_handshake_args &a)
{
    __shared__ uint64_t object;
    const uint32_t bar = ck_shared(&object);

    asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" ::"r"(bar) : "memory");
    a.out[0] = mbarrier_test_parity(bar, 0);
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
    a.out[1] = mbarrier_test_parity(bar, 0);
    if (M != NO_ARRIVAL)
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
    a.out[2] = mbarrier_test_parity(bar, 0);
}
CK_KERNEL(mbarrier_count, mbarrier_handshake_args)
CK_MUTANT(mbarrier_count, no_arrival, NO_ARRIVAL, mbarrier_handshake_args)

/* Phase after phase, each with the parity of its number: out[2 * phase] and out[2 * phase + 1] say whether the phase is
 * complete before and after its arrival. */
template <int M> __device__ static void mbarrier_parity_body(const mbarrier_handshake_args &a)
{
    __shared__ uint64_t object;
    const uint32_t bar = ck_shared(&object);

    mbarrier_init(bar, 1);
    for (uint32_t phase = 0; phase < HANDSHAKE_PHASES; phase++) {
        const uint32_t parity = phase % 2;

        a.out[2 * phase] = mbarrier_test_parity(bar, parity);
        if (M != NO_ARRIVAL || phase < HANDSHAKE_PHASES - 1)
            mbarrier_arrive(bar);
        a.out[2 * phase + 1] = mbarrier_test_parity(bar, parity);
    }
}
CK_KERNEL(mbarrier_parity, mbarrier_handshake_args)
CK_MUTANT(mbarrier_parity, no_arrival, NO_ARRIVAL, mbarrier_handshake_args)

/* Whether the phase that the state names is complete. */
__device__ static bool test_state(uint32_t bar, uint64_t state)
{
    uint32_t done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(bar), "l"(state)
                 : "memory");
    return done;
}

/* The state that an arrival returns names its phase: out[0] and out[1] say whether that phase is complete before and
 * after the last arrival. The mutant asks at the end with the state of an arrival in the next phase. */
template <int M> __device__ static void mbarrier_state_body(const mbarrier_handshake_args &a)
{
    __shared__ uint64_t object;
    const uint32_t bar = ck_shared(&object);
    uint64_t state;

    mbarrier_init(bar, 2);
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(bar) : "memory");
    a.out[0] = test_state(bar, state);
    mbarrier_arrive(bar);
    if (M == LAST_STATE)
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(bar) : "memory");
    a.out[1] = test_state(bar, state);
}
CK_KERNEL(mbarrier_state, mbarrier_handshake_args)
CK_MUTANT(mbarrier_state, last_state, LAST_STATE, mbarrier_handshake_args)

/* Announced bytes hold a phase open: out[0] says whether it is complete after the only arrival, out[1] after the bytes
 * have come. */
template <int M> __device__ static void mbarrier_bytes_body(const mbarrier_handshake_args &a)
{
    __shared__ uint64_t object;
    const uint32_t bar = ck_shared(&object), come = M == FEWER_BYTES ? HANDSHAKE_BYTES - 1 : HANDSHAKE_BYTES;

    mbarrier_init(bar, 1);
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(HANDSHAKE_BYTES)
                 : "memory");
    mbarrier_arrive(bar);
    a.out[0] = mbarrier_test_parity(bar, 0);
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(come) : "memory");
    a.out[1] = mbarrier_test_parity(bar, 0);
}
CK_KERNEL(mbarrier_bytes, mbarrier_handshake_args)
CK_MUTANT(mbarrier_bytes, fewer_bytes, FEWER_BYTES, mbarrier_handshake_args)

/* One of two arrivals drops out in phase 0: out[0] says whether that phase is complete after the other one, out[1]
 * whether phase 1 is after a single arrival. */
template <int M> __device__ static void mbarrier_drop_body(const mbarrier_handshake_args &a)
{
    __shared__ uint64_t object;
    const uint32_t bar = ck_shared(&object);

    mbarrier_init(bar, 2);
    if (M == ARRIVE_ONLY)
        mbarrier_arrive(bar);
    else
        asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
    mbarrier_arrive(bar);
    a.out[0] = mbarrier_test_parity(bar, 0);
    mbarrier_arrive(bar);
    a.out[1] = mbarrier_test_parity(bar, 1);
}
CK_KERNEL(mbarrier_drop, mbarrier_handshake_args)
CK_MUTANT(mbarrier_drop, arrive_only, ARRIVE_ONLY, mbarrier_handshake_args)

/* out[0] is how many arrivals were pending before an arrive.noComplete, by the state that it returned. */
template <int M> __device__ static void mbarrier_pending_body(const mbarrier_handshake_args &a)
{
    __shared__ uint64_t object;
    const uint32_t bar = ck_shared(&object);
    uint64_t state;
    uint32_t pending;

    mbarrier_init(bar, M == ONE_MORE ? HANDSHAKE_PENDING + 1 : HANDSHAKE_PENDING);
    asm volatile("mbarrier.arrive.noComplete.shared::cta.b64 %0, [%1], 2;" : "=l"(state) : "r"(bar) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
    a.out[0] = pending;
}
CK_KERNEL(mbarrier_pending, mbarrier_handshake_args)
CK_MUTANT(mbarrier_pending, one_more, ONE_MORE, mbarrier_handshake_args)

/* After inval the mbarrier's place is ordinary memory: out[0] is the word that was stored there. */
template <int M> __device__ static void mbarrier_inval_body(const mbarrier_handshake_args &a)
{
    __shared__ uint64_t object;
    const uint32_t bar = ck_shared(&object);

    mbarrier_init(bar, 1);
    mbarrier_arrive(bar);
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(bar) : "memory");
    *(volatile uint64_t *)&object = M == OTHER_WORD ? 0 : HANDSHAKE_WORD;
    a.out[0] = (uint32_t) * (volatile uint64_t *)&object;
}
CK_KERNEL(mbarrier_inval, mbarrier_handshake_args)
CK_MUTANT(mbarrier_inval, other_word, OTHER_WORD, mbarrier_handshake_args)

/* A wait that may suspend the thread, here for about a microsecond. */
__device__ static bool try_wait(uint32_t bar, uint32_t parity)
{
    uint32_t done;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2, 1000; selp.b32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(bar), "r"(parity)
                 : "memory");
    return done;
}

/* out[0] and out[1] say what try_wait answers before and after the arrival that completes the phase. */
template <int M> __device__ static void mbarrier_try_body(const mbarrier_handshake_args &a)
{
    __shared__ uint64_t object;
    const uint32_t bar = ck_shared(&object);

    mbarrier_init(bar, 1);
    a.out[0] = try_wait(bar, 0);
    if (M != NO_ARRIVAL)
        mbarrier_arrive(bar);
    a.out[1] = try_wait(bar, 0);
}
CK_KERNEL(mbarrier_try, mbarrier_handshake_args)
CK_MUTANT(mbarrier_try, no_arrival, NO_ARRIVAL, mbarrier_handshake_args)

/* A cluster of two CTAs: CTA 1 arrives on the mbarrier of CTA 0. out[0] says whether its phase is complete then. */
template <int M> __device__ static void mbarrier_remote_body(const mbarrier_handshake_args &a)
{
    __shared__ uint64_t object;
    const uint32_t bar = ck_shared(&object), owner = M == OWN ? 1 : 0;

    mbarrier_init(bar, 1);
    fence_mbarrier_init();
    cluster_sync();
    if (cluster_rank() == 1)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(in_cta(bar, owner))
                     : "memory");
    cluster_sync();
    if (cluster_rank() == 0)
        a.out[0] = mbarrier_test_parity(bar, 0);
}
CK_KERNEL(mbarrier_remote, mbarrier_handshake_args)
CK_MUTANT(mbarrier_remote, own, OWN, mbarrier_handshake_args)
// SPDX-License-Identifier: Apache-2.0
