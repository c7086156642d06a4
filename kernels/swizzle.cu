/* Swizzled boxes by multicast, by reduction, and in and out by two maps. The map holds the swizzle: the instructions
 * are those of any box. */
#include "kernels/box.cuh"
#include "kernels/swizzle.h"

/* CTA 0 loads a box into every CTA of its cluster; each waits for its own copy of the tile. */
template <int M> __device__ static void swizzle_multicast_body(const swizzle_multicast_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes), me = cluster_rank();
    const uint16_t all = (uint16_t)((1u << a.ctas) - 1);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0)
        mbarrier_arrive_expect_tx(bar, a.expect);
    cluster_sync();
    if (me == 0 && threadIdx.x == 0)
        load_box_multicast(2, tile, &a.map, a.corner, bar, all);
    mbarrier_wait_parity(a.head, bar, 0, me);
    __syncthreads();
    dump_shared(a.out + (uint64_t)me * a.bytes, 0, a.bytes);
    cluster_sync(); /* no CTA leaves while another may still be written */
}
CK_KERNEL(swizzle_multicast, swizzle_multicast_args)

/* A reduction reads the tile through the swizzle of its map, as a store does. */
template <int M> __device__ static void swizzle_reduce_body(const swizzle_reduce_args &a)
{
    fill_shared(0, a.in, a.bytes);
    fence_proxy_async_shared(); /* each thread orders its own writes before the reduction that reads them */
    __syncthreads();
    if (threadIdx.x == 0) {
        add_box(2, &a.map, a.corner, ck_shared(ck_smem + a.offset));
        commit_and_wait();
    }
}
CK_KERNEL(swizzle_reduce, swizzle_reduce_args)

/* One thread loads a box by one map and stores the tile by another: the swizzle of the second undoes that of the first
 * if they are the same. */
template <int M> __device__ static void swizzle_through_body(const swizzle_through_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);

    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box(2, tile, &a.in, a.corner, bar);
        mbarrier_wait_parity(a.head, bar, 0, 0);
        store_box(2, &a.out, a.corner, tile);
        commit_and_wait();
    }
}
CK_KERNEL(swizzle_through, swizzle_through_args)
// SPDX-License-Identifier: Apache-2.0
