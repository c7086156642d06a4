/* Tensor copies of one CTA: loads, stores and reductions in their further forms, and what loads signal. */
#include "kernels/box.cuh"
#include "kernels/tensor.h"
#include "kernels/tile.h"

enum { NONE, PREDICATE_ON, NO_WAIT_BETWEEN };

/* ---- loads ---- */

/* A load that names no mode does what .tile does. */
template <int M> __device__ static void tensor_load_modeless_body(const tile_load_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box_modeless(a.rank, tile, &a.map, a.corner, bar);
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tensor_load_modeless, tile_load_args)

/* A cache policy says how long lines stay in the L2 cache, and nothing about the bytes. */
template <int M> __device__ static void tensor_load_hint_body(const tile_load_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box_hint(a.rank, tile, &a.map, a.corner, bar, evict_first_policy());
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tensor_load_hint, tile_load_args)

/* A load that follows a prefetch of the same box into the L2 cache brings the same bytes. */
template <int M> __device__ static void tensor_load_prefetched_body(const tile_load_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        prefetch_box(a.rank, &a.map, a.corner);
        load_box(a.rank, tile, &a.map, a.corner, bar);
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tensor_load_prefetched, tile_load_args)

/* The same with a cache policy for the prefetch. */
template <int M> __device__ static void tensor_load_prefetched_hint_body(const tile_load_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        prefetch_box_hint(a.rank, &a.map, a.corner, evict_first_policy());
        load_box(a.rank, tile, &a.map, a.corner, bar);
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tensor_load_prefetched_hint, tile_load_args)

/* A load of rank 2 whose predicate is false copies nothing and signals nothing: the arrival alone completes the
 * phase. */
template <int M> __device__ static void tensor_load_off_body(const tile_load_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);
    const uint32_t on = M == PREDICATE_ON;

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        mbarrier_arrive(bar);
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %5, 0;\n\t"
                     "@p cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                     " [%0], [%1, {%2, %3}], [%4]; }" ::"r"(tile),
                     "l"(&a.map), "r"(a.corner[0]), "r"(a.corner[1]), "r"(bar), "r"(on)
                     : "memory");
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    linger(20000); /* bytes that should not come would come late */
    __syncthreads();
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(tensor_load_off, tile_load_args)
CK_MUTANT(tensor_load_off, on, PREDICATE_ON, tile_load_args)

/* A load signals the barrier that it names, which is any 8 aligned bytes of shared memory. */
template <int M> __device__ static void tensor_load_barrier_body(const tensor_barrier_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bar);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box(a.rank, tile, &a.map, a.corner, ck_shared(ck_smem + a.named));
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tensor_load_barrier, tensor_barrier_args)

/* ---- stores and reductions ---- */

/* All threads write the image, and order their writes before the copy that reads them. */
__device__ static void fill_and_fence(const tile_store_args &a, uint32_t bytes)
{
    fill_shared(0, a.in, bytes);
    fence_proxy_async_shared();
    __syncthreads();
}

/* A store that names no mode does what .tile does. */
template <int M> __device__ static void tensor_store_modeless_body(const tile_store_args &a)
{
    fill_and_fence(a, a.bytes);
    if (threadIdx.x == 0) {
        store_box_modeless(a.rank, &a.map, a.corner, ck_shared(ck_smem + a.offset));
        commit_and_wait();
    }
}
CK_KERNEL(tensor_store_modeless, tile_store_args)

/* A store with a cache policy writes the same bytes. */
template <int M> __device__ static void tensor_store_hint_body(const tile_store_args &a)
{
    fill_and_fence(a, a.bytes);
    if (threadIdx.x == 0) {
        store_box_hint(a.rank, &a.map, a.corner, ck_shared(ck_smem + a.offset), evict_first_policy());
        commit_and_wait();
    }
}
CK_KERNEL(tensor_store_hint, tile_store_args)

/* A reduction adds each element of the tile to the tensor's. */
template <int M> __device__ static void tensor_add_body(const tile_store_args &a)
{
    fill_and_fence(a, a.bytes);
    if (threadIdx.x == 0) {
        add_box(a.rank, &a.map, a.corner, ck_shared(ck_smem + a.offset));
        commit_and_wait();
    }
}
CK_KERNEL(tensor_add, tile_store_args)

/* A reduction with a cache policy adds the same bytes. */
template <int M> __device__ static void tensor_add_hint_body(const tile_store_args &a)
{
    fill_and_fence(a, a.bytes);
    if (threadIdx.x == 0) {
        add_box_hint(a.rank, &a.map, a.corner, ck_shared(ck_smem + a.offset), evict_first_policy());
        commit_and_wait();
    }
}
CK_KERNEL(tensor_add_hint, tile_store_args)

/* A store of rank 2 whose predicate is false writes nothing. */
template <int M> __device__ static void tensor_store_off_body(const tile_store_args &a)
{
    const uint32_t on = M == PREDICATE_ON;

    fill_and_fence(a, a.bytes);
    if (threadIdx.x == 0) {
        asm volatile(
            "{ .reg .pred p; setp.ne.u32 p, %4, 0;\n\t"
            "@p cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3]; }" ::"l"(&a.map),
            "r"(a.corner[0]), "r"(a.corner[1]), "r"(ck_shared(ck_smem + a.offset)), "r"(on)
            : "memory");
        commit_and_wait();
    }
}
CK_KERNEL(tensor_store_off, tile_store_args)
CK_MUTANT(tensor_store_off, on, PREDICATE_ON, tile_store_args)

/* Two stores to one place: the second wins, since the first has been waited for. `in` holds two images. */
template <int M> __device__ static void tensor_store_twice_body(const tile_store_args &a)
{
    const uint32_t first = ck_shared(ck_smem + a.offset), second = first + a.bytes;

    fill_and_fence(a, 2 * a.bytes);
    if (threadIdx.x == 0) {
        store_box(a.rank, &a.map, a.corner, first);
        if (M != NO_WAIT_BETWEEN)
            commit_and_wait();
        store_box(a.rank, &a.map, a.corner, second);
        commit_and_wait();
    }
}
CK_KERNEL(tensor_store_twice, tile_store_args)
CK_MUTANT(tensor_store_twice, no_wait, NO_WAIT_BETWEEN, tile_store_args)

/* ---- what loads signal ---- */

__device__ static void bulk_load(uint32_t to, const unsigned char *from, uint32_t bytes, uint32_t bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(bar)
                 : "memory");
}

/* Several copies count on one phase, which completes when all their bytes have come; the next phase, which expects
 * none, completes by its arrival alone. */
template <int M> __device__ static void tensor_count_body(const tensor_count_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        for (uint32_t i = 0; i < a.loads; i++)
            load_box(a.rank, ck_shared(ck_smem + a.offset[i]), &a.map, a.corner[i], bar);
        if (a.bulk_bytes)
            bulk_load(ck_shared(ck_smem + a.bulk_offset), a.bulk_from, a.bulk_bytes, bar);
        if (mbarrier_wait_parity(a.head, bar, 0, 0)) {
            linger(20000); /* bytes beyond those expected would come late */
            mbarrier_arrive(bar);
            mbarrier_wait_parity(a.head, bar, 1, 1);
        }
    }
    __syncthreads();
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(tensor_count, tensor_count_args)
// SPDX-License-Identifier: Apache-2.0
