/* Tensor maps in several homes: used, copied, edited, acquired. Needs PTX ISA 8.3 for the tensormap proxy's fences. */
#include "kernels/box.cuh"
#include "kernels/tensor_map.h"

enum { NONE, NO_FENCE, CTA_SCOPE, PREFETCH_ONLY, EARLY_EDIT, ONE_BLOCK, EDIT_BETWEEN };

__device__ static void acquire_map(uint64_t map, uint32_t scope)
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

__device__ static void release_map()
{
    asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
}

__device__ static void prefetch_map(uint64_t map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

__device__ static void write_map(uint64_t to, const ck_tmap &map, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes / 8; i++)
        ((volatile uint64_t *)to)[i] = ((const uint64_t *)map.bytes)[i];
}

__device__ static void start_load(const tmap_args &a, uint64_t map, unsigned char *image, uint32_t bar)
{
    mbarrier_arrive_expect_tx(bar, a.expect);
    load_box({ .corner = a.corner, .rank = a.rank, .shared = ck_shared(image + a.offset), .bar = bar, .map = map });
}

/* A map that the host put into global memory, or that is a parameter. */
template <int M> __device__ static void tmap_use_body(const tmap_args &a)
{
    const uint64_t map = a.home ? a.home : (uint64_t)&a.map;
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        if (M != NO_FENCE && a.home)
            acquire_map(map, a.acquire);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (a.prefetch)
            prefetch_map(map);
        for (uint32_t i = 0; i < a.loads; i++) {
            if (M == EDIT_BETWEEN && i == a.loads / 2) {
                write_map(a.home, a.other, 128);
                release_map();
                acquire_map(map, TMAP_GPU);
            }
            start_load(a, map, ck_smem, bar);
            if (!mbarrier_wait_parity(a.head, bar, i & 1, 0))
                break;
        }
    }
    __syncthreads();
    write_out(a.out + (uint64_t)blockIdx.x * a.bytes, ck_smem, a.bytes);
}
CK_KERNEL(tmap_use, tmap_args)
CK_MUTANT(tmap_use, no_fence, NO_FENCE, tmap_args)
CK_MUTANT(tmap_use, edit_between, EDIT_BETWEEN, tmap_args)

/* A map in constant memory, 64 bytes from a multiple of 128 or at one: the launch fills both places. */
__constant__ __align__(128) unsigned char constant_maps[256 + 64];

template <int M> __device__ static void tmap_const_body(const tmap_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        const uint64_t map = (uint64_t)(constant_maps + a.at);
        if (a.prefetch)
            prefetch_map(map);
        start_load(a, map, ck_smem, bar);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    write_out(a.out, ck_smem, a.bytes);
}
CK_KERNEL(tmap_const, tmap_args)

/* A copy of the parameter's bytes, made on the device, is used from its new home. */
template <int M> __device__ static void tmap_copy_body(const tmap_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x < a.copy / 8)
        ((uint64_t *)a.home)[threadIdx.x] = ((const uint64_t *)a.map.bytes)[threadIdx.x];
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        release_map();
        acquire_map(a.home, TMAP_GPU);
        start_load(a, a.home, ck_smem, bar);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    write_out(a.out, ck_smem, a.bytes);
}
CK_KERNEL(tmap_copy, tmap_args)

/* A copy in shared memory: at the end of the image, or, which breaks a rule, used there. */
enum { USE_SHARED = 1 };

template <int M> __device__ static void tmap_shared_body(const tmap_args &a)
{
    unsigned char *const home = ck_smem + a.bytes + 64;
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        write_map((uint64_t)home, a.map, 128);
        fence_proxy_async_shared();
        if (M == USE_SHARED) {
            release_map();
            acquire_map((uint64_t)home, TMAP_GPU);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        start_load(a, M == USE_SHARED ? (uint64_t)home : (uint64_t)&a.map, ck_smem, bar);
    mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    write_out(a.out, ck_smem, a.bytes);
}
CK_KERNEL(tmap_shared, tmap_args)
CK_MUTANT(tmap_shared, use, USE_SHARED, tmap_args)

/* One thread uses a map, edits it and uses it again: two images. */
template <int M> __device__ static void tmap_edit_body(const tmap_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + 2 * a.bytes);

    poison_image(ck_smem, 2 * a.bytes);
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        write_map(a.home, a.map, 128);
        release_map();
        acquire_map(a.home, TMAP_GPU);
        start_load(a, a.home, ck_smem, bar);
        if (M != EARLY_EDIT)
            mbarrier_wait_parity(a.head, bar, 0, 0);
        write_map(a.home, a.other, 128);
        if (M == PREFETCH_ONLY) {
            prefetch_map(a.home);
        } else if (M == CTA_SCOPE) {
            asm volatile("fence.proxy.tensormap::generic.release.cta;" ::: "memory");
            acquire_map(a.home, TMAP_CTA);
        } else if (M != NO_FENCE) {
            release_map();
            acquire_map(a.home, a.acquire);
        }
        if (M == EARLY_EDIT)
            mbarrier_wait_parity(a.head, bar, 0, 0);
        start_load(a, a.home, ck_smem + a.bytes, bar);
        mbarrier_wait_parity(a.head, bar, 1, 1);
    }
    __syncthreads();
    write_out(a.out, ck_smem, 2 * a.bytes);
}
CK_KERNEL(tmap_edit, tmap_args)
CK_MUTANT(tmap_edit, no_fence, NO_FENCE, tmap_args)
CK_MUTANT(tmap_edit, cta_scope, CTA_SCOPE, tmap_args)
CK_MUTANT(tmap_edit, prefetch_only, PREFETCH_ONLY, tmap_args)
CK_MUTANT(tmap_edit, early_edit, EARLY_EDIT, tmap_args)

__device__ static bool wait_for(const ck_head &h, uint64_t word, uint32_t value, unsigned bit)
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

/* All blocks use a map; the first edits it; all acquire it and use it again. Another thread than the one that
 * acquires issues the copy, after a block barrier. */
template <int M> __device__ static void tmap_blocks_body(const tmap_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);
    const uint64_t arrived = a.flags, edited = a.flags + 4;

    poison_image(ck_smem, a.bytes);
    __syncthreads(); /* the poison of all threads, before the copy of one */
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        acquire_map(a.home, TMAP_SYS);
        start_load(a, a.home, ck_smem, bar);
        mbarrier_wait_parity(a.head, bar, 0, 0);
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
        if (blockIdx.x == 0 && wait_for(a.head, arrived, gridDim.x, 1)) {
            write_map(a.home, a.other, 128);
            release_map();
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
        start_load(a, a.home, ck_smem, bar);
    __syncthreads();
    mbarrier_wait_parity(a.head, bar, 1, 3);
    __syncthreads();
    write_out(a.out + (uint64_t)blockIdx.x * a.bytes, ck_smem, a.bytes);
}
CK_KERNEL(tmap_blocks, tmap_args)
CK_MUTANT(tmap_blocks, one_block, ONE_BLOCK, tmap_args)
CK_MUTANT(tmap_blocks, cta_scope, CTA_SCOPE, tmap_args)

template <int M> __device__ static void tmap_reuse_body(const tmap_reuse_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    if (threadIdx.x == 0) {
        int32_t corner[5] = { 0, (int32_t)(blockIdx.x * a.rows + a.skip), 0, 0, 0 };
        const int32_t further = (int32_t)(gridDim.x * a.rows);
        box_operands b = {
            .corner = corner, .rank = 2, .shared = ck_shared(ck_smem), .bar = bar, .map = (uint64_t)&a.map
        };

        mbarrier_init(bar, 1);
        fence_proxy_async_shared();
        prefetch_box(b);
        mbarrier_arrive_expect_tx(bar, a.bytes);
        load_box(b);
        if (mbarrier_wait_parity(a.head, bar, 0, 0)) {
            corner[1] += further;
            store_box(b);
            corner[1] += further;
            add_box(b);
            commit_and_wait();
        }
    }
}
CK_KERNEL(tmap_reuse, tmap_reuse_args)

template <int M> __device__ static void tmap_place_body(const tmap_place_args &a)
{
    const uint64_t map = a.use_second ? (uint64_t)&a.second : (uint64_t)&a.first;
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        *(uint64_t *)a.address = map;
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box(
            { .corner = a.corner, .rank = a.rank, .shared = ck_shared(ck_smem + a.offset), .bar = bar, .map = map });
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    write_out(a.out, ck_smem, a.bytes);
}
CK_KERNEL(tmap_place, tmap_place_args)
