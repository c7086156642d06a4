/* Tensor maps in several homes: used, copied, edited, acquired. Needs PTX ISA 8.3 for the tensormap proxy's fences. */
#include "kernels/box.cuh"
#include "kernels/tensor_map.h"

enum { NONE, NO_FENCE, CTA_SCOPE, PREFETCH_ONLY, EARLY_EDIT, ONE_BLOCK, EDIT_BETWEEN, USE_SHARED };

/* Makes what another thread or the host wrote to a map in global memory known to this block's later copies. */
__device__ static void acquire_map(const ck_tmap *map, uint32_t scope)
{
    switch (scope) {
    case TMAP_CTA: asm volatile("fence.proxy.tensormap::generic.acquire.cta [%0], 128;" ::"l"(map) : "memory"); break;
    case TMAP_CLUSTER:
        asm volatile("fence.proxy.tensormap::generic.acquire.cluster [%0], 128;" ::"l"(map) : "memory");
        break;
    case TMAP_GPU: asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory"); break;
    case TMAP_SYS: asm volatile("fence.proxy.tensormap::generic.acquire.sys [%0], 128;" ::"l"(map) : "memory"); break;
    }
}

/* Makes this thread's writes to maps known to any thread that acquires them later. */
__device__ static void release_maps()
{
    asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
}

__device__ static void prefetch_map(const ck_tmap *map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

/* Writes all 128 bytes of a map, by one thread. */
__device__ static void write_map(void *to, const ck_tmap &map)
{
    for (uint32_t i = 0; i < 16; i++)
        ((volatile uint64_t *)to)[i] = ((const uint64_t *)map.bytes)[i];
}

/* One load of the box through `map` into the image that starts at `image`. */
__device__ static void start_load(const tmap_args &a, const void *map, uint32_t image, uint32_t bar)
{
    mbarrier_arrive_expect_tx(bar, a.expect);
    load_box(a.rank, image + a.offset, map, a.corner, bar);
}

/* A map that is a kernel parameter needs no fence. */
template <int M> __device__ static void tmap_param_body(const tmap_args &a)
{
    const uint32_t image = ck_shared(ck_smem), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        if (a.prefetch)
            prefetch_map(&a.map);
        start_load(a, &a.map, image, bar);
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tmap_param, tmap_args)

/* A map that the host wrote to global memory: each block acquires it before it uses it. */
template <int M> __device__ static void tmap_global_body(const tmap_args &a)
{
    const uint32_t image = ck_shared(ck_smem), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        if (M != NO_FENCE)
            acquire_map(a.home, TMAP_SYS);
        if (a.prefetch)
            prefetch_map(a.home);
        start_load(a, a.home, image, bar);
    }
    wait_and_dump(a.head, bar, a.out + (uint64_t)blockIdx.x * a.bytes, a.bytes);
}
CK_KERNEL(tmap_global, tmap_args)
CK_MUTANT(tmap_global, no_fence, NO_FENCE, tmap_args)

/* One acquire is enough for many copies through a map that stays as it is. */
template <int M> __device__ static void tmap_many_body(const tmap_args &a)
{
    const uint32_t image = ck_shared(ck_smem), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        bool arrived = true;

        acquire_map(a.home, TMAP_SYS);
        for (uint32_t i = 0; i < a.loads && arrived; i++) {
            if (M == EDIT_BETWEEN && i == a.loads / 2) {
                write_map(a.home, a.other);
                release_maps();
                acquire_map(a.home, TMAP_GPU);
            }
            start_load(a, a.home, image, bar);
            arrived = mbarrier_wait_parity(a.head, bar, i & 1, 0);
        }
    }
    __syncthreads();
    dump_shared(a.out, 0, a.bytes);
}
CK_KERNEL(tmap_many, tmap_args)
CK_MUTANT(tmap_many, edit_between, EDIT_BETWEEN, tmap_args)

/* Receives a map before the launch, at a multiple of 64 bytes. */
__constant__ __align__(128) unsigned char constant_maps[TMAP_CONSTANT_BYTES];

/* A map in constant memory needs no fence either. */
template <int M> __device__ static void tmap_const_body(const tmap_args &a)
{
    const ck_tmap *const map = (const ck_tmap *)(constant_maps + a.at);
    const uint32_t image = ck_shared(ck_smem), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        if (a.prefetch)
            prefetch_map(map);
        start_load(a, map, image, bar);
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tmap_const, tmap_args)

/* A copy of the parameter's bytes, which the block makes in global memory, is a map there once it is released and
 * acquired. */
template <int M> __device__ static void tmap_copy_body(const tmap_args &a)
{
    const uint32_t image = ck_shared(ck_smem), bar = ck_shared(ck_smem + a.bytes);

    if (threadIdx.x < a.copy / 8)
        ((uint64_t *)a.home->bytes)[threadIdx.x] = ((const uint64_t *)a.map.bytes)[threadIdx.x];
    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        release_maps();
        acquire_map(a.home, TMAP_GPU);
        start_load(a, a.home, image, bar);
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tmap_copy, tmap_args)

/* A map may lie in shared memory, 64 bytes behind the image, but not be used there: that breaks a rule. */
template <int M> __device__ static void tmap_shared_body(const tmap_args &a)
{
    const uint32_t image = ck_shared(ck_smem), bar = ck_shared(ck_smem + a.bytes);
    ck_tmap *const home = (ck_tmap *)(ck_smem + a.bytes + 64);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        write_map(home, a.map);
        fence_proxy_async_shared();
        if (M == USE_SHARED) {
            release_maps();
            acquire_map(home, TMAP_GPU);
        }
        start_load(a, M == USE_SHARED ? home : &a.map, image, bar);
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tmap_shared, tmap_args)
CK_MUTANT(tmap_shared, use, USE_SHARED, tmap_args)

/* One thread uses a map, edits it once the copy has completed, releases and acquires it, and uses it again: one image
 * from before the edit, one from after it. */
template <int M> __device__ static void tmap_edit_body(const tmap_args &a)
{
    const uint32_t image = ck_shared(ck_smem), bar = ck_shared(ck_smem + 2 * a.bytes);

    poison_and_init(2 * a.bytes, bar);
    if (threadIdx.x == 0) {
        write_map(a.home, a.map);
        release_maps();
        acquire_map(a.home, TMAP_GPU);
        start_load(a, a.home, image, bar);
        if (M != EARLY_EDIT)
            mbarrier_wait_parity(a.head, bar, 0, 0);
        write_map(a.home, a.other);
        if (M == PREFETCH_ONLY) {
            prefetch_map(a.home);
        } else if (M == CTA_SCOPE) {
            asm volatile("fence.proxy.tensormap::generic.release.cta;" ::: "memory");
            acquire_map(a.home, TMAP_CTA);
        } else if (M != NO_FENCE) {
            release_maps();
            acquire_map(a.home, a.acquire);
        }
        if (M == EARLY_EDIT)
            mbarrier_wait_parity(a.head, bar, 0, 0);
        start_load(a, a.home, image + a.bytes, bar);
        mbarrier_wait_parity(a.head, bar, 1, 1);
    }
    __syncthreads();
    dump_shared(a.out, 0, 2 * a.bytes);
}
CK_KERNEL(tmap_edit, tmap_args)
CK_MUTANT(tmap_edit, no_fence, NO_FENCE, tmap_args)
CK_MUTANT(tmap_edit, cta_scope, CTA_SCOPE, tmap_args)
CK_MUTANT(tmap_edit, prefetch_only, PREFETCH_ONLY, tmap_args)
CK_MUTANT(tmap_edit, early_edit, EARLY_EDIT, tmap_args)

/* Waits until a word in global memory is `value` or more, and acquires what was released with it; false, with `bit` of
 * the timeouts set, if that does not come in time. */
__device__ static bool wait_for(const ck_head &h, const uint32_t *word, uint32_t value, unsigned bit)
{
    const uint64_t start = ck_now();
    uint32_t got;

    do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(got) : "l"(word) : "memory");
        if (h.limit && ck_now() - start > h.limit) {
            ck_timeout(h, bit);
            return false;
        }
    } while (got < value);
    return true;
}

/* All blocks use a map; when all have done so the first edits it; then each block acquires it and uses it again.
 * Another thread than the one that acquired issues the second copy, after a barrier of the block. */
template <int M> __device__ static void tmap_blocks_body(const tmap_args &a)
{
    const uint32_t image = ck_shared(ck_smem), bar = ck_shared(ck_smem + a.bytes);
    uint32_t *const arrived = a.flags, *const edited = a.flags + 1;

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        acquire_map(a.home, TMAP_SYS);
        start_load(a, a.home, image, bar);
        mbarrier_wait_parity(a.head, bar, 0, 0);
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
        if (blockIdx.x == 0 && wait_for(a.head, arrived, gridDim.x, 1)) {
            write_map(a.home, a.other);
            release_maps();
            asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(edited) : "memory");
        }
        wait_for(a.head, edited, 1, 2);
        if (M == CTA_SCOPE)
            acquire_map(a.home, TMAP_CTA);
        else if (M != ONE_BLOCK || blockIdx.x == 0)
            acquire_map(a.home, a.acquire);
    }
    __syncthreads();
    if (threadIdx.x == 32)
        start_load(a, a.home, image, bar);
    __syncthreads();
    mbarrier_wait_parity(a.head, bar, 1, 3);
    __syncthreads();
    dump_shared(a.out + (uint64_t)blockIdx.x * a.bytes, 0, a.bytes);
}
CK_KERNEL(tmap_blocks, tmap_args)
CK_MUTANT(tmap_blocks, one_block, ONE_BLOCK, tmap_args)
CK_MUTANT(tmap_blocks, cta_scope, CTA_SCOPE, tmap_args)

/* One thread of each block prefetches, loads, stores and adds a box through the same map. */
template <int M> __device__ static void tmap_reuse_body(const tmap_reuse_args &a)
{
    const uint32_t tile = ck_shared(ck_smem), bar = ck_shared(ck_smem + a.bytes);

    if (threadIdx.x == 0) {
        int32_t corner[5] = { 0, (int32_t)(blockIdx.x * a.rows + a.skip), 0, 0, 0 };
        const int32_t further = (int32_t)(gridDim.x * a.rows);

        mbarrier_init(bar, 1);
        fence_mbarrier_init();
        prefetch_box(2, &a.map, corner);
        mbarrier_arrive_expect_tx(bar, a.bytes);
        load_box(2, tile, &a.map, corner, bar);
        if (mbarrier_wait_parity(a.head, bar, 0, 0)) {
            corner[1] += further;
            store_box(2, &a.map, corner, tile);
            corner[1] += further;
            add_box(2, &a.map, corner, tile);
            commit_and_wait();
        }
    }
}
CK_KERNEL(tmap_reuse, tmap_reuse_args)

/* A map in the parameters may lie at any multiple of 64. */
template <int M> __device__ static void tmap_place_body(const tmap_place_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);
    const ck_tmap *const map = a.use_second ? &a.second : &a.first;

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        *a.address = (uint64_t)map;
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box(a.rank, tile, map, a.corner, bar);
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tmap_place, tmap_place_args)
// SPDX-License-Identifier: Apache-2.0
