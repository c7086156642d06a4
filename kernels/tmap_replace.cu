/* Tensor maps edited on the device: tensormap.replace and tensormap.cp_fenceproxy, which only targets like sm_90a have.
 *
 * `map` is the shared address of a map's 128 bytes. The instruction takes numbers of entries, types and modes as
 * constants only, so that a number known at run time chooses among instructions. */
#include "kernels/box.cuh"
#include "kernels/tmap_replace.h"

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
    case TMAP_INTERLEAVE:
        asm volatile("tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%0], 0;" ::"r"(map) : "memory");
        return;
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

/* One thread edits a map in shared memory; its warp copies it to global memory and releases it there; the thread
 * acquires it and loads a tile through it. */
template <int M> __device__ static void tmap_replace_body(const tmap_replace_args &a)
{
    uint64_t *const object = (uint64_t *)(ck_smem + a.bytes);
    const uint32_t tile = ck_shared(ck_smem + a.offset), map = ck_shared(object), bar = map + 128;

    if (threadIdx.x < 16)
        object[threadIdx.x] = a.zeros ? 0 : ((const uint64_t *)a.map.bytes)[threadIdx.x];
    poison_and_init(a.bytes, bar);
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            for (uint32_t i = 0; i < a.count; i++)
                replace(map, a.edits[i].field, a.edits[i].entry, a.edits[i].value);
        __syncwarp();
        asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned"
                     " [%0], [%1], 128;" ::"l"(a.home),
                     "r"(map)
                     : "memory");
        if (threadIdx.x == 0) {
            asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(a.home) : "memory");
            mbarrier_arrive_expect_tx(bar, a.expect);
            load_box(a.rank, tile, a.home, a.corner, bar);
        }
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tmap_replace, tmap_replace_args)
