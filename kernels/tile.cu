/* A tile load and a tile store, one box each: the two kernels to read first. */
#include "kernels/box.cuh"
#include "kernels/tile.h"

enum { NONE, NO_WAIT, NO_FENCE };

/* One thread loads a box into shared memory; all wait on the barrier that the copy signals, then read the tile. */
template <int M> __device__ static void tile_load_body(const tile_load_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);

    poison_shared(0, a.bytes);
    fence_proxy_async_shared(); /* each thread orders its poison before the copy that writes over it */
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box(a.rank, tile, &a.map, a.corner, bar);
    }
    if (M != NO_WAIT)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(tile_load, tile_load_args)
CK_MUTANT(tile_load, no_wait, NO_WAIT, tile_load_args)

/* All threads write the tile and fence their writes; one thread stores it, and waits until that is done. */
template <int M> __device__ static void tile_store_body(const tile_store_args &a)
{
    fill_shared(0, a.in, a.bytes);
    if (M != NO_FENCE)
        fence_proxy_async_shared(); /* each thread orders its own writes before the store that reads them */
    __syncthreads();
    if (threadIdx.x == 0) {
        store_box(a.rank, &a.map, a.corner, ck_shared(ck_smem + a.offset));
        commit_and_wait();
    }
}
CK_KERNEL(tile_store, tile_store_args)
CK_MUTANT(tile_store, no_fence, NO_FENCE, tile_store_args)
// SPDX-License-Identifier: Apache-2.0
