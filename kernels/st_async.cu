/* One thread of each CTA writes to a CTA of its cluster, asynchronously: st.async and red.async. */
#include "kernels/cluster.cuh"
#include "kernels/st_async.h"

enum { NONE };

/* The write to the shared::cluster address `to`. It signals its bytes on the mbarrier at `bar`, in the same CTA. */
__device__ static void write_async(uint32_t op, uint32_t to, uint32_t value, uint32_t bar)
{
    switch (op) {
    case ST_ASYNC_B32:
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to),
                     "r"(value), "r"(bar)
                     : "memory");
        break;
    case ST_ASYNC_B64:
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to),
                     "l"((uint64_t)value), "r"(bar)
                     : "memory");
        break;
    case ST_ASYNC_V4:
        asm volatile(
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to),
            "r"(value), "r"(value + 1), "r"(value + 2), "r"(value + 3), "r"(bar)
            : "memory");
        break;
    case RED_ASYNC_ADD:
        asm volatile(
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(to),
            "r"(value), "r"(bar)
            : "memory");
        break;
    case RED_ASYNC_INC:
        asm volatile(
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%0], %1, [%2];" ::"r"(to),
            "r"(value), "r"(bar)
            : "memory");
        break;
    case RED_ASYNC_OR:
        asm volatile(
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.or.b32 [%0], %1, [%2];" ::"r"(to),
            "r"(value), "r"(bar)
            : "memory");
    }
}

/* Each CTA makes an mbarrier that waits for the bytes of one write, the cluster meets, and each CTA writes to another
 * one; each waits for the write that comes to it, and reads its place. */
template <int M> __device__ static void st_async_body(const st_async_args &a)
{
    __shared__ __align__(16) uint32_t place[ST_ASYNC_WORDS];
    __shared__ __align__(8) uint64_t object;
    const uint32_t bar = ck_shared(&object), target = (cluster_rank() + a.to) % cluster_size();

    for (int i = 0; i < ST_ASYNC_WORDS; i++)
        place[i] = a.before;
    mbarrier_init(bar, 1);
    fence_mbarrier_init();
    mbarrier_arrive_expect_tx(bar, a.expect);
    cluster_sync();
    write_async(a.op, in_cta(ck_shared(place), target), a.value, in_cta(bar, target));
    mbarrier_wait_parity(a.head, bar, 0, 0);
    for (int i = 0; i < ST_ASYNC_WORDS; i++)
        a.out[blockIdx.x * ST_ASYNC_WORDS + i] = place[i];
    cluster_sync();
}

CK_KERNEL(st_async, st_async_args)
// SPDX-License-Identifier: Apache-2.0
