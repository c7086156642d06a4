/* Tile-space loads of one tile through a partition view, of each rank, type and padding. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "kernels/cuda_tile/view.cuh"

/* Loads the tile at the index, by load or by load_masked with a padding, and stores it densely. */
#define LOAD(rank, name, T, way, call)                                                                                 \
    extern "C" __tile_global__ void view_load##rank##_##name##_##way(CT_VIEW)                                          \
    {                                                                                                                  \
        const auto from =                                                                                              \
            partition((const T *)array, ct::extents{ LIST_##rank(e) }, ct::extents{ LIST_##rank(s) }, SHAPE_##rank);   \
        dense<T>(tile, SHAPE_##rank).store(from.call(LIST_##rank(i)), ZEROS_##rank);                                   \
    }
#define PADDED(rank, name, T, way) LOAD(rank, name, T, way, template load_masked<ct::view_padding::way>)
#define EITHER(rank, name, T)                                                                                          \
    PADDED(rank, name, T, zero)                                                                                        \
    LOAD(rank, name, T, unmasked, load)
#define FLOAT(rank, name, T)                                                                                           \
    EITHER(rank, name, T)                                                                                              \
    PADDED(rank, name, T, negative_zero)                                                                               \
    PADDED(rank, name, T, nan)
#define INFINITE(rank, name, T)                                                                                        \
    FLOAT(rank, name, T)                                                                                               \
    PADDED(rank, name, T, positive_inf)                                                                                \
    PADDED(rank, name, T, negative_inf)
#define OTHER_RANKS(rank)                                                                                              \
    EITHER(rank, u8, unsigned char)                                                                                    \
    EITHER(rank, u16, unsigned short)                                                                                  \
    EITHER(rank, f64, double)                                                                                          \
    FLOAT(rank, f32, float)

EITHER(2, u8, unsigned char)
EITHER(2, s8, signed char)
EITHER(2, u16, unsigned short)
EITHER(2, s16, short)
EITHER(2, u32, unsigned)
EITHER(2, s32, int)
EITHER(2, u64, unsigned long long)
EITHER(2, s64, long long)
INFINITE(2, f16, __half)
INFINITE(2, bf16, __nv_bfloat16)
INFINITE(2, f32, float)
INFINITE(2, f64, double)
INFINITE(2, e5m2, __nv_fp8_e5m2)
FLOAT(2, e4m3, __nv_fp8_e4m3)
OTHER_RANKS(1)
OTHER_RANKS(3)
OTHER_RANKS(4)
OTHER_RANKS(5)

/* The padding as a template argument and as an object: both spellings of one load. */
#define SPELLED(way)                                                                                                   \
    extern "C" __tile_global__ void view_load2_f32_##way##_object(CT_VIEW)                                             \
    {                                                                                                                  \
        const auto from = partition((const float *)array, ct::extents{ e0, e1 }, ct::extents{ s0, s1 }, SHAPE_2);      \
        dense<float>(tile, SHAPE_2).store(from.load_masked(ct::view_padding_##way##_t{}, i0, i1), 0, 0);               \
    }
SPELLED(zero)
SPELLED(negative_zero)
SPELLED(positive_inf)
SPELLED(negative_inf)
SPELLED(nan)
// SPDX-License-Identifier: Apache-2.0
