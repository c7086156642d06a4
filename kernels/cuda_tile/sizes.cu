/* Loads and stores of tiles of every size from 1 to 256 elements, and those that may be compiled to tensor copies. */
#include "kernels/cuda_tile/view.cuh"

/* One tile of `size` elements of a dense array of e0. */
#define SIZED(size, name, T)                                                                                           \
    extern "C" __tile_global__ void sized_load##size##_##name(CT_VIEW)                                                 \
    {                                                                                                                  \
        const ct::shape shape{ size##_ic };                                                                            \
        const ct::partition_view from{ ct::tensor_span{ (const T *)array, ct::extents{ e0 } }, shape };                \
        dense<T>(tile, shape).store(from.load(i0), 0);                                                                 \
    }                                                                                                                  \
    extern "C" __tile_global__ void sized_store##size##_##name(CT_VIEW)                                                \
    {                                                                                                                  \
        const ct::shape shape{ size##_ic };                                                                            \
        const ct::partition_view to{ ct::tensor_span{ (T *)array, ct::extents{ e0 } }, shape };                        \
        to.store(dense<T>(tile, shape).load(0), i0);                                                                   \
    }
#define SIZES(name, T)                                                                                                 \
    SIZED(1, name, T)                                                                                                  \
    SIZED(2, name, T)                                                                                                  \
    SIZED(4, name, T)                                                                                                  \
    SIZED(8, name, T)                                                                                                  \
    SIZED(16, name, T)                                                                                                 \
    SIZED(32, name, T)                                                                                                 \
    SIZED(64, name, T)                                                                                                 \
    SIZED(128, name, T)                                                                                                \
    SIZED(256, name, T)

SIZES(u8, unsigned char)
SIZES(u32, unsigned)
SIZES(u64, unsigned long long)

/* One tile of 16 x 64 of an array whose address, extents and pitch are multiples of 16: what a tensor copy needs; and
 * the hint that it may be used, or not. */
#define HINTED(name, T, tma)                                                                                           \
    extern "C" __tile_global__ void hinted_load_##name##_##tma(CT_VIEW)                                                \
    {                                                                                                                  \
        ct::shape shape{ 16_ic, 64_ic };                                                                               \
        const ct::partition_view from{ ct::tensor_span{ ct::assume_aligned((const T *)array, 16_ic),                   \
                                                        ct::layout_strided_mapping{                                    \
                                                            ct::extents{ e0, ct::assume_divisible(e1, 16_ic) },        \
                                                            ct::extents{ ct::assume_divisible(s0, 16_ic), 1_ic } } },  \
                                       shape };                                                                        \
        ct::tile<T, decltype(shape)> value;                                                                            \
        [[cutile::hint(0, allow_tma = tma)]] value = from.load_masked(i0, i1);                                         \
        dense<T>(tile, shape).store(value, 0, 0);                                                                      \
    }

HINTED(u8, unsigned char, true)
HINTED(u8, unsigned char, false)
HINTED(f32, float, true)
HINTED(f32, float, false)
// SPDX-License-Identifier: Apache-2.0
