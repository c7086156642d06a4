/* A tile load and a tile store, one box each. */
#include "kernels/ck.cuh"
#include "kernels/tile.h"

enum { NONE, NO_WAIT, NO_FENCE };

__device__ static void load_box(const ck_tmap &map, const int32_t *c, uint32_t rank, uint32_t dst, uint32_t bar)
{
    const uint64_t m = (uint64_t)&map;

    switch (rank) {
    case 1:
        asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                     " [%0], [%1, {%2}], [%3];" ::"r"(dst), "l"(m), "r"(c[0]), "r"(bar) : "memory");
        break;
    case 2:
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                     " [%0], [%1, {%2, %3}], [%4];" ::"r"(dst), "l"(m), "r"(c[0]), "r"(c[1]), "r"(bar) : "memory");
        break;
    case 3:
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                     " [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(dst), "l"(m), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(bar)
                     : "memory");
        break;
    case 4:
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                     " [%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(dst), "l"(m), "r"(c[0]), "r"(c[1]), "r"(c[2]),
                     "r"(c[3]), "r"(bar) : "memory");
        break;
    default:
        asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                     " [%0], [%1, {%2, %3, %4, %5, %6}], [%7];" ::"r"(dst), "l"(m), "r"(c[0]), "r"(c[1]), "r"(c[2]),
                     "r"(c[3]), "r"(c[4]), "r"(bar) : "memory");
    }
}

__device__ static void store_box(const ck_tmap &map, const int32_t *c, uint32_t rank, uint32_t src)
{
    const uint64_t m = (uint64_t)&map;

    switch (rank) {
    case 1:
        asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%1}], [%2];" ::"l"(m), "r"(c[0]),
                     "r"(src) : "memory");
        break;
    case 2:
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(m),
                     "r"(c[0]), "r"(c[1]), "r"(src) : "memory");
        break;
    case 3:
        asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(m),
                     "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(src) : "memory");
        break;
    case 4:
        asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4}], [%5];" ::"l"(m),
                     "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(src) : "memory");
        break;
    default:
        asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4, %5}], [%6];" ::"l"(
                         m), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(src) : "memory");
    }
}

template <int M> __device__ static void tile_load_body(const tile_load_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    for (uint32_t i = threadIdx.x; i < a.bytes; i += blockDim.x)
        ck_smem[i] = 0xA5;
    fence_proxy_async_shared(); /* each writer orders its poison before the copy writes over it */
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box(a.map, a.corner, a.rank, ck_shared(ck_smem + a.offset), bar);
    }
    if (M != NO_WAIT)
        mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < a.bytes; i += blockDim.x)
        ((unsigned char *)a.out)[i] = ck_smem[i];
}
CK_KERNEL(tile_load, tile_load_args)
CK_MUTANT(tile_load, no_wait, NO_WAIT, tile_load_args)

template <int M> __device__ static void tile_store_body(const tile_store_args &a)
{
    for (uint32_t i = threadIdx.x; i < a.bytes; i += blockDim.x)
        ck_smem[i] = ((const unsigned char *)a.in)[i];
    if (M != NO_FENCE)
        fence_proxy_async_shared(); /* each writer orders its own writes before the store reads them */
    __syncthreads();
    if (threadIdx.x == 0) {
        store_box(a.map, a.corner, a.rank, ck_shared(ck_smem + a.offset));
        asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
    }
}
CK_KERNEL(tile_store, tile_store_args)
CK_MUTANT(tile_store, no_fence, NO_FENCE, tile_store_args)
