/* Tile loads into .shared::cta, which PTX ISA 8.6 brought: a file of its own, so that older toolkits build the rest. */
#include "kernels/box.cuh"
#include "kernels/tensor.h"
#include "kernels/tile.h"

#define LOAD_BOX_CTA(RANK, AT, tile, map, corner, bar)                                                                 \
    asm volatile("cp.async.bulk.tensor." RANK ".shared::cta.global.tile.mbarrier::complete_tx::bytes"                  \
                 " [%5], [%6, " AT "], [%7];" ::COORDINATES(corner),                                                   \
                 "r"(tile), "l"(map), "r"(bar)                                                                         \
                 : "memory")
__device__ static void load_box_cta(uint32_t rank, uint32_t tile, const void *map, const int32_t *corner, uint32_t bar)
{
    AT_RANK(rank, LOAD_BOX_CTA, tile, map, corner, bar);
}

/* As tile_load, with .shared::cta for the destination. */
template <int M> __device__ static void tensor_load_cta_body(const tile_load_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box_cta(a.rank, tile, &a.map, a.corner, bar);
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tensor_load_cta, tile_load_args)

/* In a cluster: the issuer loads into its own shared memory, or names another CTA's, which breaks a rule. */
template <int M> __device__ static void tensor_cluster_cta_body(const tensor_cluster_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes), me = cluster_rank();

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0)
        mbarrier_arrive_expect_tx(bar, a.expect[me]);
    __syncthreads(); /* the threads of a warp come to the cluster's barrier together */
    cluster_sync();
    if (threadIdx.x == 0) {
        if (me == a.issuer)
            load_box_cta(a.rank, a.to == me ? tile : in_cta(tile, a.to), &a.map, a.corner,
                         a.signal == me ? bar : in_cta(bar, a.signal));
        mbarrier_wait_parity(a.head, bar, 0, me);
    }
    __syncthreads();
    cluster_sync();
    dump_shared(a.out + (uint64_t)me * a.bytes, 0, a.bytes);
}
CK_KERNEL(tensor_cluster_cta, tensor_cluster_args)
// SPDX-License-Identifier: Apache-2.0
