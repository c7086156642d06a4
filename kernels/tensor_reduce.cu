/* Tensor reductions, by each operation in each rank, and tensor prefetches. */
#include "kernels/box.cuh"
#include "kernels/tensor_reduce.h"

enum { NONE, LOAD, STORE };

/* The operation is a part of the instruction's name, as the rank is; the type of the elements is the map's. */
#define REDUCE_BOX(RANK, AT, op, map, corner, tile)                                                                    \
    asm volatile("cp.reduce.async.bulk.tensor." RANK ".global.shared::cta." op ".tile.bulk_group [%5, " AT             \
                 "], [%6];" ::COORDINATES(corner),                                                                     \
                 "l"(map), "r"(tile)                                                                                   \
                 : "memory")

enum {
#define NUMBER(op, text) TENSOR_##op,
    TENSOR_REDUCTIONS(NUMBER)
#undef NUMBER
};

__device__ static void reduce_box(uint32_t op, uint32_t rank, const void *map, const int32_t *corner, uint32_t tile)
{
    switch (op) {
#define ONE(op, text)                                                                                                  \
    case TENSOR_##op: AT_RANK(rank, REDUCE_BOX, text, map, corner, tile); break;
        TENSOR_REDUCTIONS(ONE)
#undef ONE
    }
}

__device__ static void fill_and_fence(const tensor_reduce_args &a)
{
    fill_shared(0, a.in, a.bytes);
    fence_proxy_async_shared(); /* each thread orders its own writes before the reduction that reads them */
    __syncthreads();
}

/* A tile of shared memory is reduced into a box of the tensor. STORE: it is stored there. */
template <int M> __device__ static void tensor_reduce_body(const tensor_reduce_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset);

    fill_and_fence(a);
    if (threadIdx.x == 0) {
        if (M == STORE)
            store_box(a.rank, &a.map, a.corner, tile);
        else
            reduce_box(a.op, a.rank, &a.map, a.corner, tile);
        commit_and_wait();
    }
}
CK_KERNEL(tensor_reduce, tensor_reduce_args)
CK_MUTANT(tensor_reduce, store, STORE, tensor_reduce_args)

/* Every CTA of the grid reduces its tile several times into the same box, and waits for nothing in between. */
template <int M> __device__ static void tensor_reduce_many_body(const tensor_reduce_args &a)
{
    fill_and_fence(a);
    if (threadIdx.x == 0) {
        for (uint32_t n = 0; n < a.times; n++)
            reduce_box(a.op, a.rank, &a.map, a.corner, ck_shared(ck_smem + a.offset));
        commit_and_wait();
    }
}
CK_KERNEL(tensor_reduce_many, tensor_reduce_args)

/* A box is prefetched, and time goes by. LOAD: it is loaded. */
template <int M> __device__ static void tensor_prefetch_body(const tensor_prefetch_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        if (M == LOAD)
            load_box(a.rank, ck_shared(ck_smem), &a.map, a.corner, bar);
        else if (a.hint)
            prefetch_box_hint(a.rank, &a.map, a.corner, evict_first_policy());
        else
            prefetch_box(a.rank, &a.map, a.corner);
        ck_pause(20000);
        *a.flag = mbarrier_test_parity(bar, 0);
    }
    __syncthreads();
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(tensor_prefetch, tensor_prefetch_args)
CK_MUTANT(tensor_prefetch, load, LOAD, tensor_prefetch_args)
// SPDX-License-Identifier: Apache-2.0
