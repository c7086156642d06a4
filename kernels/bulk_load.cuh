/* The body of the bulk loads, shared by both spellings of the destination. */
#ifndef COPYCHECK_BULK_LOAD_CUH
#define COPYCHECK_BULK_LOAD_CUH

#include "kernels/bulk.cuh"
#include "kernels/bulk.h"

enum { NONE, NO_WAIT, NO_SYNC, BAR_ASIDE, LEAVE };

/* Issue: a function object that issues one load, so that each spelling is assembled only where it is used. */
template <int M, typename Issue> __device__ static void load_pieces(const bulk_load_args &a, Issue issue)
{
    const uint32_t named = ck_shared(ck_smem + (a.bytes + a.bar)); /* by the copies */
    const uint32_t bar = M == BAR_ASIDE ? named & ~7u : named;
    const uint64_t in = a.in + blockIdx.x * a.in_step;
    const uint64_t out = a.out + blockIdx.x * a.out_step;

    poison_shared(0, a.bytes);
    fence_proxy_async_shared(); /* each writer orders its poison before the copy writes over it */
    if (M == NO_SYNC)
        __syncthreads();
    if (threadIdx.x == a.init_by)
        mbarrier_init(bar, 1);
    if (M == NO_SYNC && threadIdx.x == a.init_by)
        mbarrier_arrive_expect_tx(bar, a.expect); /* so that the copy alone is out of order */
    if (M != NO_SYNC)
        __syncthreads();
    if (threadIdx.x == 0) {
        if (M != NO_SYNC)
            mbarrier_arrive_expect_tx(bar, a.expect);
        for (uint32_t i = 0; i < a.copies; i++)
            issue(ck_shared(ck_smem + a.offset + i * a.step), in + i * a.step, a.size, named);
    }
    if (M == LEAVE)
        return;
    if (a.waiter != BULK_ALL_THREADS && threadIdx.x != a.waiter)
        return;
    if (M != NO_WAIT)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    if (a.waiter == BULK_ALL_THREADS)
        dump_shared(out, 0, a.bytes);
    else
        for (uint32_t i = 0; i < a.bytes; i += 16)
            *(uint4 *)(out + i) = *(const uint4 *)(ck_smem + i);
    if (M == NO_WAIT) /* the bytes must not arrive in somebody else's shared memory */
        mbarrier_wait_parity(a.head, bar, 0, 0);
}

#endif
