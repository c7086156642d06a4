/* A tile load and a tile store, one box each. */
#include "kernels/box.cuh"
#include "kernels/tile.h"

enum { NONE, NO_WAIT, NO_FENCE, BAR_ASIDE };

template <int M> __device__ static void tile_load_body(const tile_load_args &a)
{
    const uint32_t named = ck_shared(ck_smem + a.bytes) + a.bar_shift; /* by the copy */
    const uint32_t bar = M == BAR_ASIDE ? named & ~7u : named;

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box({ .corner = a.corner,
                   .rank = a.rank,
                   .shared = ck_shared(ck_smem + a.offset),
                   .bar = named,
                   .map = (uint64_t)&a.map });
    }
    if (M != NO_WAIT)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    write_out(a.out, ck_smem, a.bytes);
}
CK_KERNEL(tile_load, tile_load_args)
CK_MUTANT(tile_load, no_wait, NO_WAIT, tile_load_args)
CK_MUTANT(tile_load, bar_aside, BAR_ASIDE, tile_load_args)

template <int M> __device__ static void tile_store_body(const tile_store_args &a)
{
    read_in(ck_smem, a.in, a.bytes);
    if (M != NO_FENCE)
        fence_proxy_async_shared(); /* each writer orders its own writes before the store reads them */
    __syncthreads();
    if (threadIdx.x == 0) {
        store_box(
            { .corner = a.corner, .rank = a.rank, .shared = ck_shared(ck_smem + a.offset), .map = (uint64_t)&a.map });
        commit_and_wait();
    }
}
CK_KERNEL(tile_store, tile_store_args)
CK_MUTANT(tile_store, no_fence, NO_FENCE, tile_store_args)
