/* Tensor maps edited on the device and published: tensormap.replace, which only targets like sm_90a have, and
 * tensormap.cp_fenceproxy.
 *
 * `map` is the shared address of a map's 128 bytes. The instruction takes numbers of entries, types and modes as
 * constants only, so that a number known at run time chooses among instructions. */
#include "kernels/box.cuh"
#include "kernels/tmap_replace.h"

enum { NONE, AT_ONCE, NO_BARRIER, NEIGHBOUR, ASYNC_FENCE, HALF };

/* ---- fields with one entry for each dimension ---- */

template <int ENTRY> __device__ static void replace_box_dim(uint32_t map, uint32_t elements)
{
    asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], %1, %2;" ::"r"(map), "n"(ENTRY),
                 "r"(elements)
                 : "memory");
}

template <int ENTRY> __device__ static void replace_global_dim(uint32_t map, uint32_t elements)
{
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], %1, %2;" ::"r"(map), "n"(ENTRY),
                 "r"(elements)
                 : "memory");
}

template <int ENTRY> __device__ static void replace_element_stride(uint32_t map, uint32_t elements)
{
    asm volatile("tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%0], %1, %2;" ::"r"(map), "n"(ENTRY),
                 "r"(elements)
                 : "memory");
}

template <int ENTRY> __device__ static void replace_global_stride(uint32_t map, uint64_t bytes)
{
    asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], %1, %2;" ::"r"(map), "n"(ENTRY),
                 "l"(bytes)
                 : "memory");
}

template <int ENTRY> __device__ static void replace_entry(uint32_t map, uint32_t field, uint64_t value)
{
    switch (field) {
    case TMAP_BOX: replace_box_dim<ENTRY>(map, (uint32_t)value); break;
    case TMAP_DIM: replace_global_dim<ENTRY>(map, (uint32_t)value); break;
    case TMAP_ELEMENT_STRIDE: replace_element_stride<ENTRY>(map, (uint32_t)value); break;
    case TMAP_STRIDE: replace_global_stride < ENTRY<4 ? ENTRY : 3>(map, value); break; /* there are four strides */
    }
}

/* ---- fields whose value is a constant ---- */

template <int TYPE> __device__ static void replace_elemtype(uint32_t map)
{
    asm volatile("tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%0], %1;" ::"r"(map), "n"(TYPE) : "memory");
}

template <int MODE> __device__ static void replace_swizzle_mode(uint32_t map)
{
    asm volatile("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], %1;" ::"r"(map), "n"(MODE)
                 : "memory");
}

template <int MODE> __device__ static void replace_interleave_layout(uint32_t map)
{
    asm volatile("tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%0], %1;" ::"r"(map), "n"(MODE)
                 : "memory");
}

template <int MODE> __device__ static void replace_fill_mode(uint32_t map)
{
    asm volatile("tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%0], %1;" ::"r"(map), "n"(MODE) : "memory");
}

__device__ static void replace_type(uint32_t map, uint64_t type)
{
    switch (type) {
    case 0: replace_elemtype<0>(map); break;
    case 1: replace_elemtype<1>(map); break;
    case 2: replace_elemtype<2>(map); break;
    case 3: replace_elemtype<3>(map); break;
    case 4: replace_elemtype<4>(map); break;
    case 5: replace_elemtype<5>(map); break;
    case 6: replace_elemtype<6>(map); break;
    case 7: replace_elemtype<7>(map); break;
    case 8: replace_elemtype<8>(map); break;
    case 9: replace_elemtype<9>(map); break;
    case 10: replace_elemtype<10>(map); break;
    case 11: replace_elemtype<11>(map); break;
    case 12: replace_elemtype<12>(map); break;
    }
}

__device__ static void replace_swizzle(uint32_t map, uint64_t mode)
{
    switch (mode) {
    case 0: replace_swizzle_mode<0>(map); break;
    case 1: replace_swizzle_mode<1>(map); break;
    case 2: replace_swizzle_mode<2>(map); break;
    case 3: replace_swizzle_mode<3>(map); break;
    }
}

__device__ static void replace_interleave(uint32_t map, uint64_t mode)
{
    switch (mode) {
    case 0: replace_interleave_layout<0>(map); break;
    case 1: replace_interleave_layout<1>(map); break;
    case 2: replace_interleave_layout<2>(map); break;
    }
}

__device__ static void replace_fill(uint32_t map, uint64_t mode)
{
    switch (mode) {
    case 0: replace_fill_mode<0>(map); break;
    case 1: replace_fill_mode<1>(map); break;
    }
}

/* ---- any field ---- */

__device__ static void replace(uint32_t map, uint32_t field, uint32_t entry, uint64_t value)
{
    switch (field) {
    case TMAP_ADDRESS:
        asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(map), "l"(value)
                     : "memory");
        return;
    case TMAP_RANK:
        asm volatile("tensormap.replace.tile.rank.shared::cta.b1024.b32 [%0], %1;" ::"r"(map), "r"((uint32_t)value)
                     : "memory");
        return;
    case TMAP_INTERLEAVE: replace_interleave(map, value); return;
    case TMAP_TYPE: replace_type(map, value); return;
    case TMAP_SWIZZLE: replace_swizzle(map, value); return;
    case TMAP_FILL: replace_fill(map, value); return;
    }
    switch (entry) {
    case 0: replace_entry<0>(map, field, value); break;
    case 1: replace_entry<1>(map, field, value); break;
    case 2: replace_entry<2>(map, field, value); break;
    case 3: replace_entry<3>(map, field, value); break;
    case 4: replace_entry<4>(map, field, value); break;
    }
}

/* ---- publishing ---- */

/* All threads of a warp: copies the map to global memory and releases it there. */
__device__ static void publish(ck_tmap *home, uint32_t map)
{
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned"
                 " [%0], [%1], 128;" ::"l"(home),
                 "r"(map)
                 : "memory");
}

__device__ static void acquire(const ck_tmap *home)
{
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(home) : "memory");
}

/* All threads: puts the map that is to be edited, or zeros, into shared memory. */
__device__ static void put_map(uint64_t *object, const tmap_replace_args &a)
{
    if (threadIdx.x < 16)
        object[threadIdx.x] = a.zeros ? 0 : ((const uint64_t *)a.map.bytes)[threadIdx.x];
}

__device__ static void edit(uint32_t map, const tmap_replace_args &a, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        replace(map, a.edits[i].field, a.edits[i].entry, a.edits[i].value);
}

__device__ static void load_by(const tmap_replace_args &a, const ck_tmap *map, uint32_t tile, uint32_t bar)
{
    mbarrier_arrive_expect_tx(bar, a.expect);
    load_box(a.rank, tile, map, a.corner, bar);
}

/* One thread edits a map in shared memory; its warp copies it to global memory and releases it there; the thread
 * acquires it and loads a tile through it. */
template <int M> __device__ static void tmap_replace_body(const tmap_replace_args &a)
{
    uint64_t *const object = (uint64_t *)(ck_smem + a.bytes);
    const uint32_t tile = ck_shared(ck_smem + a.offset), map = ck_shared(object), bar = map + 128;

    put_map(object, a);
    poison_and_init(a.bytes, bar);
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            edit(map, a, 0, a.count);
        __syncwarp();
        publish(a.home, map);
        if (threadIdx.x == 0) {
            acquire(a.home);
            load_by(a, a.home, tile, bar);
        }
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tmap_replace, tmap_replace_args)

/* Two threads edit the map, one after the other, then the first warp publishes it. AT_ONCE: no barrier between the two;
 * NO_BARRIER: none between the second one and the copy. */
template <int M> __device__ static void tmap_edit_by_body(const tmap_replace_args &a)
{
    uint64_t *const object = (uint64_t *)(ck_smem + a.bytes);
    const uint32_t tile = ck_shared(ck_smem + a.offset), map = ck_shared(object), bar = map + 128;

    put_map(object, a);
    poison_and_init(a.bytes, bar);
    if (threadIdx.x == a.editors[0])
        edit(map, a, 0, a.count / 2);
    if (M != AT_ONCE)
        __syncthreads();
    if (threadIdx.x == a.editors[1])
        edit(map, a, a.count / 2, a.count);
    if (M != NO_BARRIER)
        __syncthreads();
    if (threadIdx.x < 32) {
        publish(a.home, map);
        if (threadIdx.x == 0) {
            acquire(a.home);
            load_by(a, a.home, tile, bar);
        }
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tmap_edit_by, tmap_replace_args)
CK_MUTANT(tmap_edit_by, at_once, AT_ONCE, tmap_replace_args)
CK_MUTANT(tmap_edit_by, no_barrier, NO_BARRIER, tmap_replace_args)

/* One thread puts a map into global memory, sets its address there, releases and acquires it, and loads a tile through
 * it. NEIGHBOUR: it acquires the 128 bytes behind the map; ASYNC_FENCE: its fence is the async proxy's. */
template <int M> __device__ static void tmap_in_place_body(const tmap_replace_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);

    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        for (uint32_t i = 0; i < 16; i++)
            ((volatile uint64_t *)a.home)[i] = ((const uint64_t *)a.map.bytes)[i];
        if (a.generic)
            asm volatile("tensormap.replace.tile.global_address.b1024.b64 [%0], %1;" ::"l"(a.home),
                         "l"(a.edits[0].value)
                         : "memory");
        else
            asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(a.home),
                         "l"(a.edits[0].value)
                         : "memory");
        if (M == ASYNC_FENCE) {
            asm volatile("fence.proxy.async;" ::: "memory");
        } else {
            asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
            acquire(a.home + (M == NEIGHBOUR));
        }
        load_by(a, a.home, tile, bar);
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tmap_in_place, tmap_replace_args)
CK_MUTANT(tmap_in_place, neighbour, NEIGHBOUR, tmap_replace_args)
CK_MUTANT(tmap_in_place, async_fence, ASYNC_FENCE, tmap_replace_args)

/* Waits until the flag is set, and acquires what was released with it. */
__device__ static bool wait_for_flag(const ck_head &h, const uint32_t *flag)
{
    const uint64_t start = ck_now();
    uint32_t got;

    do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(got) : "l"(flag) : "memory");
        if (h.limit && ck_now() - start > h.limit) {
            ck_timeout(h, 1);
            return false;
        }
    } while (!got);
    return true;
}

/* The first block edits a map and publishes it; each block that has seen the flag acquires it and loads by it. */
template <int M> __device__ static void tmap_publish_body(const tmap_replace_args &a)
{
    uint64_t *const object = (uint64_t *)(ck_smem + a.bytes);
    const uint32_t tile = ck_shared(ck_smem + a.offset), map = ck_shared(object), bar = map + 128;

    put_map(object, a);
    poison_and_init(a.bytes, bar);
    if (blockIdx.x == 0 && threadIdx.x < 32) {
        if (threadIdx.x == 0)
            edit(map, a, 0, a.count);
        __syncwarp();
        publish(a.home, map);
        if (threadIdx.x == 0)
            asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(a.flag) : "memory");
    }
    if (threadIdx.x == 0 && wait_for_flag(a.head, a.flag)) {
        acquire(a.home);
        load_by(a, a.home, tile, bar);
    }
    wait_and_dump(a.head, bar, a.out + (uint64_t)blockIdx.x * a.bytes, a.bytes);
}
CK_KERNEL(tmap_publish, tmap_replace_args)

/* ---- the copy itself ---- */

#define COPY_OUT(SCOPE, home, map)                                                                                     \
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release." SCOPE ".sync.aligned"        \
                 " [%0], [%1], 128;" ::"l"(home),                                                                      \
                 "r"(map)                                                                                              \
                 : "memory")

/* One warp puts a map somewhere into shared memory and copies it out. HALF: the other half of the warp goes on. */
template <int M> __device__ static void tmap_copy_out_body(const tmap_copy_out_args &a)
{
    const uint32_t map = ck_shared(ck_smem + a.from);

    for (uint32_t i = threadIdx.x; i < 1024; i += 32)
        ck_smem[i] = 0xE1;
    __syncwarp();
    for (uint32_t i = threadIdx.x; i < 128; i += 32)
        ck_smem[a.from + (i + a.shift) % 128] = a.map.bytes[i];
    __syncwarp();
    if (M == HALF && threadIdx.x >= 16)
        return;
    switch (a.scope) {
    case 0: COPY_OUT("cta", a.home, map); break;
    case 1: COPY_OUT("cluster", a.home, map); break;
    case 2: COPY_OUT("gpu", a.home, map); break;
    default: COPY_OUT("sys", a.home, map); break;
    }
}
CK_KERNEL(tmap_copy_out, tmap_copy_out_args)
CK_MUTANT(tmap_copy_out, half, HALF, tmap_copy_out_args)
// SPDX-License-Identifier: Apache-2.0
