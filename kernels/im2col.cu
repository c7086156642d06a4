/* Copies in im2col mode: a column of pixels out of a batch of images, or back. */
#include "kernels/box.cuh"
#include "kernels/im2col.h"

#define LOAD_COLUMN(RANK, AT, OFFSETS, tile, map, corner, bar, offsets)                                                \
    asm volatile("cp.async.bulk.tensor." RANK ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes"            \
                 " [%5], [%6, " AT "], [%7], " OFFSETS ";" ::COORDINATES(corner),                                      \
                 "r"(tile), "l"(map), "r"(bar), "h"((offsets)[0]), "h"((offsets)[1]), "h"((offsets)[2])                \
                 : "memory")
__device__ static void load_column(uint32_t rank, uint32_t tile, const void *map, const int32_t *corner, uint32_t bar,
                                   const uint16_t *offsets)
{
    switch (rank) {
    case 3: LOAD_COLUMN("3d", "{%0, %1, %2}", "{%8}", tile, map, corner, bar, offsets); break;
    case 4: LOAD_COLUMN("4d", "{%0, %1, %2, %3}", "{%8, %9}", tile, map, corner, bar, offsets); break;
    default: LOAD_COLUMN("5d", "{%0, %1, %2, %3, %4}", "{%8, %9, %10}", tile, map, corner, bar, offsets); break;
    }
}

/* Into the same place of every CTA of `ctas`, whose barriers all receive the signal; with a cache policy or without. */
#define LOAD_COLUMNS(RANK, AT, OFFSETS, HINT, POLICY, tile, map, corner, bar, offsets, ctas, policy)                   \
    asm volatile(                                                                                                      \
        "cp.async.bulk.tensor." RANK ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes"                     \
        ".multicast::cluster" HINT " [%5], [%6, " AT "], [%7], " OFFSETS ", %11" POLICY ";" ::COORDINATES(corner),     \
        "r"(tile), "l"(map), "r"(bar), "h"((offsets)[0]), "h"((offsets)[1]), "h"((offsets)[2]), "h"(ctas), "l"(policy) \
        : "memory")
#define LOAD_COLUMNS_AT(RANK, AT, OFFSETS, hint, ...)                                                                  \
    if (hint)                                                                                                          \
        LOAD_COLUMNS(RANK, AT, OFFSETS, ".L2::cache_hint", ", %12", __VA_ARGS__);                                      \
    else                                                                                                               \
        LOAD_COLUMNS(RANK, AT, OFFSETS, "", "", __VA_ARGS__)
__device__ static void load_columns(uint32_t rank, bool hint, uint32_t tile, const void *map, const int32_t *corner,
                                    uint32_t bar, const uint16_t *offsets, uint16_t ctas)
{
    const uint64_t policy = evict_first_policy();

    if (rank == 3)
        LOAD_COLUMNS_AT("3d", "{%0, %1, %2}", "{%8}", hint, tile, map, corner, bar, offsets, ctas, policy);
    else if (rank == 4)
        LOAD_COLUMNS_AT("4d", "{%0, %1, %2, %3}", "{%8, %9}", hint, tile, map, corner, bar, offsets, ctas, policy);
    else
        LOAD_COLUMNS_AT("5d", "{%0, %1, %2, %3, %4}", "{%8, %9, %10}", hint, tile, map, corner, bar, offsets, ctas,
                        policy);
}

#define STORE_COLUMN(RANK, AT, map, corner, tile)                                                                      \
    asm volatile("cp.async.bulk.tensor." RANK ".global.shared::cta.im2col_no_offs.bulk_group"                          \
                 " [%5, " AT "], [%6];" ::COORDINATES(corner),                                                         \
                 "l"(map), "r"(tile)                                                                                   \
                 : "memory")
__device__ static void store_column(uint32_t rank, const void *map, const int32_t *corner, uint32_t tile)
{
    switch (rank) {
    case 3: STORE_COLUMN("3d", "{%0, %1, %2}", map, corner, tile); break;
    case 4: STORE_COLUMN("4d", "{%0, %1, %2, %3}", map, corner, tile); break;
    default: STORE_COLUMN("5d", "{%0, %1, %2, %3, %4}", map, corner, tile); break;
    }
}

/* Loads a column of pixels that starts at `corner`, each moved by `offsets`. */
template <int M> __device__ static void im2col_load_body(const im2col_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_column(a.rank, tile, &a.map, a.corner, bar, a.offsets);
    }
    wait_and_dump(a.head, bar, a.image, a.bytes);
}
CK_KERNEL(im2col_load, im2col_args)

/* Stores a column of pixels back; a store knows no offsets. */
template <int M> __device__ static void im2col_store_body(const im2col_args &a)
{
    fill_shared(0, a.image, a.bytes);
    fence_proxy_async_shared(); /* each thread orders its own writes before the store that reads them */
    __syncthreads();
    if (threadIdx.x == 0) {
        store_column(a.rank, &a.map, a.corner, ck_shared(ck_smem + a.offset));
        commit_and_wait();
    }
}
CK_KERNEL(im2col_store, im2col_args)

/* Loads a column of one tensor and stores it to another, `shift` positions further on. */
template <int M> __device__ static void im2col_round_body(const im2col_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        int32_t corner[5];

        for (uint32_t i = 0; i < 5; i++)
            corner[i] = a.corner[i] + (i == 1 ? a.shift : 0);
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_column(a.rank, tile, &a.map, a.corner, bar, a.offsets);
        if (mbarrier_wait_parity(a.head, bar, 0, 0)) {
            store_column(a.rank, &a.target, corner, tile);
            commit_and_wait();
        }
    }
}
CK_KERNEL(im2col_round, im2col_args)

/* The first CTA of the cluster loads a column into each CTA of the mask. */
template <int M> __device__ static void im2col_multicast_body(const im2col_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes), me = cluster_rank();
    const bool waits = a.waiting >> me & 1;

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0 && waits)
        mbarrier_arrive_expect_tx(bar, a.expect);
    cluster_sync();
    if (threadIdx.x == 0 && me == 0)
        load_columns(a.rank, a.hint, tile, &a.map, a.corner, bar, a.offsets, a.ctas);
    if (waits)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    dump_shared(a.image + (uint64_t)me * a.bytes, 0, a.bytes);
    cluster_sync(); /* no CTA ends while a load may still write to it */
}
CK_KERNEL(im2col_multicast, im2col_args)
// SPDX-License-Identifier: Apache-2.0
