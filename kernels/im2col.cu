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
