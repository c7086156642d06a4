/* All boxes of a tensor, one after the other or by many CTAs: what a grid of tile blocks is lowered to. */
#include "kernels/box.cuh"
#include "kernels/tile_grid.h"

enum { NONE, NO_WAIT, BEFORE };

/* Where box `number` begins. */
__device__ static void corner_of(const tile_grid_args &a, uint32_t number, int32_t corner[5])
{
    for (uint32_t k = 0; k < 5; k++) {
        const uint32_t count = k < a.rank ? (uint32_t)a.counts[k] : 1;

        corner[k] = k < a.rank ? (int32_t)(number % count) * a.size[k] : 0;
        number /= count;
    }
}

/* Each CTA copies its boxes from one tensor to the other, through shared memory. A box is stored by the async proxy
 * from what the async proxy wrote, behind the wait for it, so no proxy fence comes between. NO_WAIT: the store does not
 * wait for the load. */
template <int M> __device__ static void tile_each_body(const tile_grid_args &a)
{
    const uint32_t tile = ck_shared(ck_smem), bar = ck_shared(ck_smem + a.bytes);
    uint32_t parity = 0;

    if (threadIdx.x)
        return;
    mbarrier_init(bar, 1);
    fence_mbarrier_init();
    for (uint32_t number = a.first + blockIdx.x; number < a.boxes; number += gridDim.x, parity ^= 1) {
        int32_t corner[5];

        corner_of(a, number, corner);
        mbarrier_arrive_expect_tx(bar, a.bytes);
        load_box(a.rank, tile, &a.from, corner, bar);
        if (M != NO_WAIT)
            mbarrier_wait_parity(a.head, bar, parity, 0);
        store_box(a.rank, &a.to, corner, tile);
        commit_and_wait();
        if (M == NO_WAIT)
            mbarrier_wait_parity(a.head, bar, parity, 0);
    }
}
CK_KERNEL(tile_each, tile_grid_args)
CK_MUTANT(tile_each, no_wait, NO_WAIT, tile_grid_args)

/* Each CTA fills its boxes with their number, counted from 1, in each byte, and stores them. */
template <int M> __device__ static void tile_number_body(const tile_grid_args &a)
{
    for (uint32_t number = a.first + blockIdx.x; number < a.boxes; number += gridDim.x) {
        for (uint32_t i = threadIdx.x; i < a.bytes; i += blockDim.x)
            ck_smem[i] = (unsigned char)(number + 1);
        fence_proxy_async_shared(); /* each thread orders its own writes before the store that reads them */
        __syncthreads();
        if (threadIdx.x == 0) {
            int32_t corner[5];

            corner_of(a, number, corner);
            store_box(a.rank, &a.to, corner, ck_shared(ck_smem));
            commit_and_wait();
        }
        __syncthreads();
    }
}
CK_KERNEL(tile_number, tile_grid_args)

/* Stores a box of the tensor from shared memory, and loads it again into the bytes behind it, once the store is
 * complete. BEFORE: the load comes before the store. */
template <int M> __device__ static void tile_again_body(const tile_again_args &a)
{
    const uint32_t half = (a.bytes + 127) / 128 * 128; /* a box in shared memory is aligned to 128 */
    const uint32_t from = ck_shared(ck_smem), to = from + half, bar = from + 2 * half;

    fill_shared(0, a.in, a.bytes);
    fence_proxy_async_shared(); /* each thread orders its own writes before the store that reads them */
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (M != BEFORE) {
            store_box(a.rank, &a.map, a.corner, from);
            commit_and_wait();
        }
        mbarrier_arrive_expect_tx(bar, a.bytes);
        load_box(a.rank, to, &a.map, a.corner, bar);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    if (M == BEFORE && threadIdx.x == 0) {
        store_box(a.rank, &a.map, a.corner, from);
        commit_and_wait();
    }
    __syncthreads();
    dump_shared(a.out, half, a.bytes);
}
CK_KERNEL(tile_again, tile_again_args)
CK_MUTANT(tile_again, before, BEFORE, tile_again_args)
// SPDX-License-Identifier: Apache-2.0
