/* What a wait on an mbarrier says about copies: those that the mbarrier tracks, and those that it does not. */
#include "kernels/cluster.cuh"
#include "kernels/mbarrier_copies.h"
#include "kernels/shared.cuh"

enum { NONE, NOT_TRACKED, OTHER_OBJECT };

/* Each thread reads its 16-byte pieces out, `shift` further on than those that it copied. */
__device__ static void read_out(const mbarrier_copies_args &a)
{
    const uint32_t pieces = a.bytes / 16;

    for (uint32_t i = threadIdx.x; i < pieces; i += blockDim.x) {
        const uint32_t piece = (i + a.shift) % pieces;
        ((uint4 *)a.out)[piece] = ((const uint4 *)ck_smem)[piece];
    }
}

/* Each thread copies its 16-byte pieces with cp.async and lets the mbarrier wait for them; all threads wait on the
 * mbarrier and read. */
template <int M> __device__ static void mbarrier_cp_async_body(const mbarrier_copies_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    poison_shared_bytes(0, a.bytes);
    if (threadIdx.x == 0)
        mbarrier_init(bar, blockDim.x);
    __syncthreads();
    for (uint32_t i = threadIdx.x * 16; i < a.bytes; i += blockDim.x * 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(ck_shared(ck_smem + i)), "l"(a.in + i)
                     : "memory");
    if (M == NOT_TRACKED)
        mbarrier_arrive(bar);
    else
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar) : "memory");
    mbarrier_wait_parity(a.head, bar, 0, 0);
    read_out(a);
    asm volatile("cp.async.wait_all;" ::: "memory"); /* the copies do not outlive the CTA */
}
CK_KERNEL(mbarrier_cp_async, mbarrier_copies_args)
CK_MUTANT(mbarrier_cp_async, not_tracked, NOT_TRACKED, mbarrier_copies_args)

/* Thread 0 announces the bytes of a bulk copy to the mbarrier and starts the copy, which signals them there; all
 * threads wait on the mbarrier and read. In the mutant another mbarrier tracks the copy. */
template <int M> __device__ static void mbarrier_bulk_body(const mbarrier_copies_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes), other = bar + 8;
    const uint32_t tracks = M == OTHER_OBJECT ? other : bar;

    poison_shared_bytes(0, a.bytes);
    fence_proxy_async_shared();
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        mbarrier_init(other, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(tracks, a.bytes);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         ck_shared(ck_smem)),
                     "l"(a.in), "r"(a.bytes), "r"(tracks)
                     : "memory");
        if (M == OTHER_OBJECT)
            mbarrier_arrive(bar);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    read_out(a);
    if (M == OTHER_OBJECT)
        mbarrier_wait_parity(a.head, other, 0, 1); /* the copy does not outlive the CTA */
}
CK_KERNEL(mbarrier_bulk, mbarrier_copies_args)
CK_MUTANT(mbarrier_bulk, other_object, OTHER_OBJECT, mbarrier_copies_args)
// SPDX-License-Identifier: Apache-2.0
