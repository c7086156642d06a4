/* Tensor maps edited on the device: tensormap.replace and tensormap.cp_fenceproxy, which only targets like sm_90a have.
 */
#include "kernels/box.cuh"
#include "kernels/tmap_replace.h"

#define REPLACE(field, type, constraint, value)                                                                        \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type " [%0], %1;" ::"r"(map), constraint(value) \
                 : "memory")
#define ENTRY(field, type, constraint, number, value)                                                                  \
    case number:                                                                                                       \
        asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type " [%0], " #number ", %1;" ::"r"(map),  \
                     constraint(value)                                                                                 \
                     : "memory");                                                                                      \
        break
#define ENTRIES(field)                                                                                                 \
    switch (entry) {                                                                                                   \
        ENTRY(field, "b32", "r", 0, (uint32_t)value);                                                                  \
        ENTRY(field, "b32", "r", 1, (uint32_t)value);                                                                  \
        ENTRY(field, "b32", "r", 2, (uint32_t)value);                                                                  \
        ENTRY(field, "b32", "r", 3, (uint32_t)value);                                                                  \
        ENTRY(field, "b32", "r", 4, (uint32_t)value);                                                                  \
    }
#define NUMBER(field, number)                                                                                          \
    case number:                                                                                                       \
        asm volatile("tensormap.replace.tile." field ".shared::cta.b1024.b32 [%0], " #number ";" ::"r"(map)            \
                     : "memory");                                                                                      \
        break

__device__ static void replace_type(uint32_t map, uint64_t value)
{
    switch (value) {
        NUMBER("elemtype", 0);
        NUMBER("elemtype", 1);
        NUMBER("elemtype", 2);
        NUMBER("elemtype", 3);
        NUMBER("elemtype", 4);
        NUMBER("elemtype", 5);
        NUMBER("elemtype", 6);
        NUMBER("elemtype", 7);
        NUMBER("elemtype", 8);
        NUMBER("elemtype", 9);
        NUMBER("elemtype", 10);
        NUMBER("elemtype", 11);
        NUMBER("elemtype", 12);
    }
}

__device__ static void replace_mode(uint32_t map, uint32_t field, uint64_t value)
{
    switch (field * 8 + value) {
    case TMAP_INTERLEAVE * 8:
        asm volatile("tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%0], 0;" ::"r"(map) : "memory");
        break;
    case TMAP_SWIZZLE * 8:
        asm volatile("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], 0;" ::"r"(map) : "memory");
        break;
    case TMAP_SWIZZLE * 8 + 1:
        asm volatile("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], 1;" ::"r"(map) : "memory");
        break;
    case TMAP_SWIZZLE * 8 + 2:
        asm volatile("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], 2;" ::"r"(map) : "memory");
        break;
    case TMAP_SWIZZLE * 8 + 3:
        asm volatile("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], 3;" ::"r"(map) : "memory");
        break;
    case TMAP_FILL * 8:
        asm volatile("tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%0], 0;" ::"r"(map) : "memory");
        break;
    case TMAP_FILL * 8 + 1:
        asm volatile("tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%0], 1;" ::"r"(map) : "memory");
        break;
    }
}

__device__ static void replace(uint32_t map, uint32_t field, uint32_t entry, uint64_t value)
{
    switch (field) {
    case TMAP_ADDRESS: REPLACE("global_address", "b64", "l", value); break;
    case TMAP_RANK: REPLACE("rank", "b32", "r", (uint32_t)value); break;
    case TMAP_BOX: ENTRIES("box_dim"); break;
    case TMAP_DIM: ENTRIES("global_dim"); break;
    case TMAP_STRIDE:
        switch (entry) {
            ENTRY("global_stride", "b64", "l", 0, value);
            ENTRY("global_stride", "b64", "l", 1, value);
            ENTRY("global_stride", "b64", "l", 2, value);
            ENTRY("global_stride", "b64", "l", 3, value);
        }
        break;
    case TMAP_ELEMENT_STRIDE: ENTRIES("element_stride"); break;
    case TMAP_TYPE: replace_type(map, value); break;
    default: replace_mode(map, field, value); break;
    }
}

template <int M> __device__ static void tmap_replace_body(const tmap_replace_args &a)
{
    unsigned char *const object = ck_smem + a.bytes;
    const uint32_t map = ck_shared(object), bar = map + 128;

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x < 16)
        ((uint64_t *)object)[threadIdx.x] = a.zeros ? 0 : ((const uint64_t *)a.map.bytes)[threadIdx.x];
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            for (uint32_t i = 0; i < a.count; i++)
                replace(map, a.edits[i].field, a.edits[i].entry, a.edits[i].value);
        __syncwarp();
        asm volatile(
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], "
            "128;" ::"l"(a.home),
            "r"(map)
            : "memory");
        if (threadIdx.x == 0) {
            asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(a.home) : "memory");
            mbarrier_arrive_expect_tx(bar, a.expect);
            load_box({ .corner = a.corner,
                       .rank = a.rank,
                       .shared = ck_shared(ck_smem + a.offset),
                       .bar = bar,
                       .map = a.home });
        }
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    write_out(a.out, ck_smem, a.bytes);
}
CK_KERNEL(tmap_replace, tmap_replace_args)
