/* What the kernels of cuda::memcpy_async have in common. */
#ifndef COPYCHECK_LIBCU_MEMCPY_CUH
#define COPYCHECK_LIBCU_MEMCPY_CUH

#include <cuda/barrier>
#include <cuda/std/utility>

#include "kernels/libcu_memcpy.h"
#include "kernels/shared.cuh"

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/* `size` threads that copy together. */
struct part {
    uint32_t threads, rank;

    __device__ uint32_t size() const
    {
        return threads;
    }
    __device__ uint32_t thread_rank() const
    {
        return rank;
    }
    __device__ void sync() const {}
};

/* Arrives and waits, with a bound. */
__device__ static bool meet(const ck_head &h, block_barrier &bar)
{
    const uint64_t start = ck_now();
    const block_barrier::arrival_token token = bar.arrive();

    for (;;) {
        block_barrier::arrival_token again = token;
        if (bar.try_wait_for(cuda::std::move(again), cuda::std::chrono::nanoseconds(1000)))
            return true;
        if (h.limit && ck_now() - start > h.limit)
            break;
    }
    ck_timeout(h, 0);
    return false;
}

/* Makes the barrier and the image. The proxy fence is for the copies that are made in bulk. */
template <class B> __device__ static void prepare(B *bar, uint32_t arrivals, const unsigned char *in, uint32_t image)
{
    const uint32_t half = image / 2;

    if (threadIdx.x == 0)
        init(bar, arrivals);
    poison_shared_bytes(0, half);
    fill_shared_bytes(half, in + half, half);
    fence_proxy_async_shared();
    __syncthreads();
}

#endif
// SPDX-License-Identifier: Apache-2.0
