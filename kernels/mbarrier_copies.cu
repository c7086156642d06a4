/* What a wait on an object says about copies: those that the object tracks, and those that it does not. */
#include "kernels/ck.cuh"
#include "kernels/mbarrier_copies.h"

enum { NONE, NOT_TRACKED, OTHER_OBJECT };

/* Objects stand behind the bytes. */
__device__ static uint32_t object(const mbarrier_copies_args &a, uint32_t n)
{
    return ck_shared(ck_smem) + a.bytes + 8 * n;
}

__device__ static void read_out(const mbarrier_copies_args &a)
{
    for (uint32_t i = threadIdx.x; i < a.bytes / 16; i += blockDim.x) {
        const uint32_t at = (i + a.shift) % (a.bytes / 16);
        ((uint4 *)a.out)[at] = *(const uint4 *)(ck_smem + 16 * at);
    }
}

/* Each thread copies its 16-byte pieces without the bulk engine and lets the object wait for them. */
template <int M> __device__ static void mbarrier_cp_async_body(const mbarrier_copies_args &a)
{
    const uint32_t bar = object(a, 0);

    for (uint32_t i = threadIdx.x; i < a.bytes; i += blockDim.x)
        ck_smem[i] = 0xA5;
    if (threadIdx.x == 0)
        mbarrier_init(bar, blockDim.x);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < a.bytes / 16; i += blockDim.x)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(ck_shared(ck_smem + 16 * i)), "l"(a.in + 16 * i)
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

/* One bulk copy; all threads wait for it on object 0. The mutant lets object 1 track it. */
template <int M> __device__ static void mbarrier_bulk_body(const mbarrier_copies_args &a)
{
    const uint32_t tracks = object(a, M == OTHER_OBJECT ? 1 : 0);

    for (uint32_t i = threadIdx.x; i < a.bytes; i += blockDim.x)
        ck_smem[i] = 0xA5;
    fence_proxy_async_shared();
    if (threadIdx.x == 0) {
        mbarrier_init(object(a, 0), 1);
        mbarrier_init(object(a, 1), 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(tracks, a.bytes);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         ck_shared(ck_smem)),
                     "l"(a.in), "r"(a.bytes), "r"(tracks)
                     : "memory");
        if (M == OTHER_OBJECT)
            mbarrier_arrive(object(a, 0));
    }
    mbarrier_wait_parity(a.head, object(a, 0), 0, 0);
    read_out(a);
    if (M == OTHER_OBJECT)
        mbarrier_wait_parity(a.head, tracks, 0, 1); /* the copy does not outlive the CTA */
}
CK_KERNEL(mbarrier_bulk, mbarrier_copies_args)
CK_MUTANT(mbarrier_bulk, other_object, OTHER_OBJECT, mbarrier_copies_args)
