/* What control flow and the order of calls in a tile kernel are lowered to: a branch round a box that all threads take
 * alike, a loop with several boxes under way, a wait between a load and a store. */
#include "kernels/box.cuh"
#include "kernels/tile_flow.h"

enum { NONE, NO_WAIT, ALL, HALVES };

/* Starts box `number` in its stage. A box that is not loaded completes the phase of its barrier too. */
__device__ static void start_box(const tile_ring_args &a, uint32_t number, bool loaded)
{
    const uint32_t stage = number % a.stages, bar = ck_shared(ck_smem) + stage * 8;
    const int32_t corner[5] = { (int32_t)(number * RING_WIDTH) };

    if (loaded) {
        mbarrier_arrive_expect_tx(bar, RING_BYTES);
        load_box(1, ck_shared(ck_smem) + (1 + stage) * RING_BYTES, &a.map, corner, bar);
    } else {
        mbarrier_arrive(bar);
    }
}

/* A ring: the first boxes are started, and each round waits for one, adds it, and starts the next one in its place.
 * NO_WAIT: no round waits. ALL: boxes are loaded that are not to be. */
template <int M> __device__ static void tile_ring_body(const tile_ring_args &a)
{
    uint32_t sum = 0;

    poison_shared(RING_BYTES, RING_STAGES * RING_BYTES);
    fence_proxy_async_shared(); /* each thread orders its own writes before the copies into the same place */
    __syncthreads();
    if (threadIdx.x == 0) {
        for (uint32_t i = 0; i < a.stages; i++)
            mbarrier_init(ck_shared(ck_smem) + i * 8, 1);
        fence_mbarrier_init();
        for (uint32_t i = 0; i < a.stages && i < a.count; i++)
            start_box(a, i, M == ALL || (a.loaded >> i & 1));
    }
    __syncthreads();
    for (uint32_t i = 0; i < a.count; i++) {
        const uint32_t stage = i % a.stages, next = i + a.stages;
        uint32_t value = 0;

        if (M != NO_WAIT)
            mbarrier_wait_parity(a.head, ck_shared(ck_smem) + stage * 8, i / a.stages & 1, 0);
        if (M == ALL || (a.loaded >> i & 1))
            value = ((volatile uint32_t *)(ck_smem + (1 + stage) * RING_BYTES))[threadIdx.x];
        a.boxes[i * RING_WIDTH + threadIdx.x] = value;
        sum += value;
        __syncthreads();
        if (threadIdx.x == 0 && next < a.count)
            start_box(a, next, M == ALL || (a.loaded >> next & 1));
    }
    a.sum[threadIdx.x] = sum;
    if (M == NO_WAIT) /* the CTA stays until its copies have landed */
        for (uint32_t i = 0; i < a.stages && i < a.count; i++) {
            const uint32_t last = (a.count - 1 - i) / a.stages * a.stages + i;

            mbarrier_wait_parity(a.head, ck_shared(ck_smem) + i * 8, last / a.stages & 1, 0);
        }
}
CK_KERNEL(tile_ring, tile_ring_args)
CK_MUTANT(tile_ring, no_wait, NO_WAIT, tile_ring_args)
CK_MUTANT(tile_ring, all, ALL, tile_ring_args)

/* Loads the tensor's first elements, waits, and stores them `shift` elements further on. HALVES: in two pieces, of
 * which the second one is loaded when the first one is stored; the map has boxes of half the width. */
template <int M> __device__ static void tile_shift_body(const tile_shift_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), tile = bar + 128, pieces = M == HALVES ? 2 : 1;

    poison_shared(128, a.width * 4);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x)
        return;
    mbarrier_init(bar, 1);
    fence_mbarrier_init();
    for (uint32_t i = 0; i < pieces; i++) {
        const int32_t from[5] = { (int32_t)(i * a.width / 2) }, to[5] = { from[0] + a.shift };

        mbarrier_arrive_expect_tx(bar, a.width / pieces * 4);
        load_box(1, tile, &a.map, from, bar);
        if (M != NO_WAIT)
            mbarrier_wait_parity(a.head, bar, i & 1, 0);
        store_box(1, &a.map, to, tile);
        commit_and_wait();
        if (M == NO_WAIT)
            mbarrier_wait_parity(a.head, bar, i & 1, 0);
    }
}
CK_KERNEL(tile_shift, tile_shift_args)
CK_MUTANT(tile_shift, no_wait, NO_WAIT, tile_shift_args)
CK_MUTANT(tile_shift, halves, HALVES, tile_shift_args)

/* Adds 1 to an array of as many elements as the CTA has threads. */
template <int M> __device__ static void tile_increase_body(const tile_increase_args &a)
{
    a.array[threadIdx.x]++;
}
CK_KERNEL(tile_increase, tile_increase_args)
// SPDX-License-Identifier: Apache-2.0
