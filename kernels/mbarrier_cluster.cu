/* Mbarriers across the CTAs of a cluster: data handed over, making known, leaving, and addresses that an operation may
 * not have. */
#include "kernels/cluster.cuh"
#include "kernels/mbarrier_cluster.h"
#include "kernels/mbarrier_form.cuh"

enum { NONE, ARRIVE_FIRST, NO_SYNC, EXIT_EARLY };

/* Thread 0 makes an mbarrier, and the whole cluster knows it. */
__device__ static void make_known(uint32_t bar, uint32_t count)
{
    if (threadIdx.x == 0)
        mbarrier_init(bar, count);
    fence_mbarrier_init();
    cluster_sync_unaligned();
}

/* Each CTA writes words into the shared memory of the next one and to global memory, and arrives there. The next one
 * waits and reads both, of global memory the last word: out[(2 * rank + 0 or 1) * threads + thread]. */
template <int M> __device__ static void mbarrier_message_body(const mbarrier_message_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), words = bar + 16, n = blockDim.x, i = threadIdx.x;
    const uint32_t rank = cluster_rank(), ranks = cluster_size();
    const uint32_t next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks, other = (i + 32) % n;
    uint32_t word;

    ((uint32_t *)(ck_smem + 16))[i] = 0;
    make_known(bar, n);
    if (rank & 1)
        ck_pause(a.delay);
    if (M == ARRIVE_FIRST) {
        arrive_remote_as(a.form, in_cta(bar, next));
        ck_pause(a.delay);
    }
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(in_cta(words + 4 * i, next)), "r"(rank * 4096 + i + 1)
                 : "memory");
    for (uint32_t k = 0; k < MESSAGE_WORDS; k++)
        a.scratch[(k * ranks + rank) * n + i] = rank * 4096 + i + 1;
    if (M != ARRIVE_FIRST)
        arrive_remote_as(a.form, in_cta(bar, next));
    if (wait_as(a.head, a.wait, true, bar, 0)) {
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(words + 4 * other) : "memory");
        a.out[2 * rank * n + i] = word;
        asm volatile("ld.global.u32 %0, [%1];"
                     : "=r"(word)
                     : "l"(&a.scratch[((MESSAGE_WORDS - 1) * ranks + before) * n + other])
                     : "memory");
        a.out[(2 * rank + 1) * n + i] = word;
    }
    cluster_sync_unaligned();
}
CK_KERNEL(mbarrier_message, mbarrier_message_args)
CK_MUTANT(mbarrier_message, arrive_first, ARRIVE_FIRST, mbarrier_message_args)

/* CTA 0 makes an mbarrier, late, and publishes it with a fence and a barrier of the cluster; then thread 0 of each CTA
 * arrives on it. *out is 1 where the wait of CTA 0 came true. */
template <int M> __device__ static void mbarrier_remote_init_body(const mbarrier_owner_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);

    if (threadIdx.x == 0 && cluster_rank() == 0) {
        ck_pause(a.delay);
        mbarrier_init(bar, a.count);
        fence_mbarrier_init();
    }
    if (M != NO_SYNC)
        asm volatile("barrier.cluster.arrive.relaxed;\n\tbarrier.cluster.wait;" ::: "memory");
    if (threadIdx.x == 0)
        arrive_remote_as(MB_CLUSTER, in_cta(bar, 0));
    if (threadIdx.x == 0 && cluster_rank() == 0)
        *a.out = wait_as(a.head, MB_CLUSTER, true, bar, 0);
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
}
CK_KERNEL(mbarrier_remote_init, mbarrier_owner_args)
CK_MUTANT(mbarrier_remote_init, no_sync, NO_SYNC, mbarrier_owner_args)

/* CTA 1 arrives, late, on the mbarrier of CTA 0, which waits for it before it exits. out[0] is 1 where the wait came
 * true, out[1] where CTA 1 got to its end. */
template <int M> __device__ static void mbarrier_owner_body(const mbarrier_owner_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);

    make_known(bar, a.count);
    if (threadIdx.x == 0 && cluster_rank() == 1) {
        ck_pause(a.delay);
        arrive_remote_as(MB_CLUSTER, in_cta(bar, 0));
        a.out[1] = 1;
    }
    if (M != EXIT_EARLY && threadIdx.x == 0 && cluster_rank() == 0)
        a.out[0] = wait_as(a.head, MB_CLUSTER, true, bar, 0);
    if (M != EXIT_EARLY)
        cluster_sync_unaligned();
}
CK_KERNEL(mbarrier_owner, mbarrier_owner_args)
CK_MUTANT(mbarrier_owner, exit_early, EXIT_EARLY, mbarrier_owner_args)

/* One operation at a generic address, by CTA 0 of two. Then the own mbarrier gets another arrival, unless the operation
 * was a wait. out[0] is 1 when all is over, out[1] what the wait, or a wait on the own mbarrier, returned. */
template <int M> __device__ static void mbarrier_window_body(const mbarrier_window_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);
    uint64_t local[2] = { a.zero, a.zero }, at;
    uint32_t done = 0;

    if (threadIdx.x == 0 && (a.what != WHAT_INIT || a.where != WHERE_OWN))
        mbarrier_init(bar, a.count);
    fence_mbarrier_init();
    cluster_sync_unaligned();
    if (cluster_rank() == 0 && threadIdx.x == 0) {
        switch (a.where) {
        case WHERE_OWN: at = generic_of(bar); break;
        case WHERE_GLOBAL: at = (uint64_t)a.scratch; break;
        case WHERE_LOCAL: at = (uint64_t)&local[a.zero]; break;
        default: at = generic_of(in_cta(bar, 1));
        }
        if (a.what == WHAT_INIT)
            asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(at), "r"(a.count) : "memory");
        if (a.what == WHAT_ARRIVE)
            asm volatile("{ .reg .b64 state; mbarrier.arrive.b64 state, [%0]; }" ::"l"(at) : "memory");
        if (a.what == WHAT_WAIT) {
            asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "l"(at), "r"(a.parity)
                         : "memory");
        } else {
            mbarrier_arrive(bar);
            done = mbarrier_test_parity(bar, 0);
        }
        a.out[1] = done;
        a.out[0] = 1;
    }
    cluster_sync_unaligned();
}
CK_KERNEL(mbarrier_window, mbarrier_window_args)

/* CTA 0 arrives at a generic address, in the form that returns a state. out[0] is 1 when that is over, out[1] and
 * out[2] are the state, out[3] is what a wait of the mbarrier's owner returned. */
template <int M> __device__ static void mbarrier_remote_state_body(const mbarrier_window_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), owner = a.where == WHERE_REMOTE ? 1 : 0;
    uint64_t state = 0;

    make_known(bar, a.count);
    if (cluster_rank() == 0 && threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.release.cluster.b64 %0, [%1];"
                     : "=l"(state)
                     : "l"(generic_of(in_cta(bar, owner)))
                     : "memory");
        a.out[0] = 1;
        a.out[1] = (uint32_t)state;
        a.out[2] = (uint32_t)(state >> 32);
    }
    cluster_sync_unaligned();
    if (cluster_rank() == owner && threadIdx.x == 0)
        a.out[3] = mbarrier_test_parity(bar, 0);
    cluster_sync_unaligned();
}
CK_KERNEL(mbarrier_remote_state, mbarrier_window_args)
// SPDX-License-Identifier: Apache-2.0
