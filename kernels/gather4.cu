/* Copies of four rows that are named one by one. They need sm_100a. */
#include "kernels/box.cuh"
#include "kernels/tile.h"

enum { NONE, NO_WAIT };

/* Four rows into a tile; their bytes count on `bar`. */
__device__ static void load_rows(uint32_t tile, const void *map, const int32_t *corner, uint32_t bar)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes"
                 " [%5], [%6, {%0, %1, %2, %3, %4}], [%7];" ::COORDINATES(corner),
                 "r"(tile), "l"(map), "r"(bar)
                 : "memory");
}

/* The same in the form that may reach the other CTAs of a cluster. */
__device__ static void load_rows_cluster(uint32_t tile, const void *map, const int32_t *corner, uint32_t bar)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes"
                 " [%5], [%6, {%0, %1, %2, %3, %4}], [%7];" ::COORDINATES(corner),
                 "r"(tile), "l"(map), "r"(bar)
                 : "memory");
}

/* The four rows of a tile to four rows of the tensor. */
__device__ static void store_rows(const void *map, const int32_t *corner, uint32_t tile)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group"
                 " [%6, {%0, %1, %2, %3, %4}], [%5];" ::COORDINATES(corner),
                 "r"(tile), "l"(map)
                 : "memory");
}

/* One thread gathers four rows; all wait on the barrier that the copy signals, then read the tile. The rank of the
 * arguments chooses the form. NO_WAIT: nobody waits. */
template <int M> __device__ static void gather4_load_body(const tile_load_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        if (a.rank == 2)
            load_rows(tile, &a.map, a.corner, bar);
        else
            load_rows_cluster(tile, &a.map, a.corner, bar);
    }
    if (M != NO_WAIT)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(gather4_load, tile_load_args)
CK_MUTANT(gather4_load, no_wait, NO_WAIT, tile_load_args)

/* All threads write the tile and fence their writes; one thread scatters it, and waits until that is done. */
template <int M> __device__ static void scatter4_store_body(const tile_store_args &a)
{
    fill_shared(0, a.in, a.bytes);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        store_rows(&a.map, a.corner, ck_shared(ck_smem + a.offset));
        commit_and_wait();
    }
}
CK_KERNEL(scatter4_store, tile_store_args)
// SPDX-License-Identifier: Apache-2.0
