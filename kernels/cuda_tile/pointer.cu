/* Gather and scatter through tiles of pointers. `rows` has an offset for each element of the tile, in elements, and
 * behind them a number for each that is not 0 where the mask is true. */
#include "kernels/cuda_tile/view.cuh"

/* Tile `number` of the dense tiles of numbers. */
#define OFFSETS(shape)        ct::partition_view{ ct::tensor_span{ rows, shape }, shape }.load
#define MASK(shape, elements) ct::partition_view{ ct::tensor_span{ rows + (elements), shape }, shape }.load
#define ELEMENTS_1            16
#define ELEMENTS_2            64
#define ELEMENTS_3            128

/* A gather, a scatter, and both under a mask; a load's padding is e0. */
#define POINTERS(rank, name, T)                                                                                        \
    extern "C" __tile_global__ void pointer_load##rank##_##name(CT_VIEW)                                               \
    {                                                                                                                  \
        const auto offsets = OFFSETS(SHAPE_##rank)(ZEROS_##rank);                                                      \
        dense<T>(tile, SHAPE_##rank).store(ct::load((const T *)array + offsets), ZEROS_##rank);                        \
    }                                                                                                                  \
    extern "C" __tile_global__ void pointer_store##rank##_##name(CT_VIEW)                                              \
    {                                                                                                                  \
        const auto offsets = OFFSETS(SHAPE_##rank)(ZEROS_##rank);                                                      \
        ct::store((T *)array + offsets, dense<T>(tile, SHAPE_##rank).load(ZEROS_##rank));                              \
    }                                                                                                                  \
    extern "C" __tile_global__ void pointer_masked_load##rank##_##name(CT_VIEW)                                        \
    {                                                                                                                  \
        const auto offsets = OFFSETS(SHAPE_##rank)(ZEROS_##rank);                                                      \
        const auto mask = MASK(SHAPE_##rank, ELEMENTS_##rank)(ZEROS_##rank) != 0;                                      \
        dense<T>(tile, SHAPE_##rank).store(ct::load_masked((const T *)array + offsets, mask, (T)e0), ZEROS_##rank);    \
    }                                                                                                                  \
    extern "C" __tile_global__ void pointer_masked_store##rank##_##name(CT_VIEW)                                       \
    {                                                                                                                  \
        const auto offsets = OFFSETS(SHAPE_##rank)(ZEROS_##rank);                                                      \
        const auto mask = MASK(SHAPE_##rank, ELEMENTS_##rank)(ZEROS_##rank) != 0;                                      \
        ct::store_masked((T *)array + offsets, dense<T>(tile, SHAPE_##rank).load(ZEROS_##rank), mask);                 \
    }
#define RANKS(name, T)                                                                                                 \
    POINTERS(1, name, T)                                                                                               \
    POINTERS(2, name, T)                                                                                               \
    POINTERS(3, name, T)

RANKS(u8, unsigned char)
RANKS(u16, unsigned short)
RANKS(u32, unsigned)
RANKS(u64, unsigned long long)

/* The usual mask: elements i0 * 16 + 0, 1, 2, ... as long as they are below e0; zero behind them. */
#define BY_COMPARE(name, T)                                                                                            \
    extern "C" __tile_global__ void pointer_below_##name(CT_VIEW)                                                      \
    {                                                                                                                  \
        const auto at = i0 * 16 + ct::iota<ct::tile<int, ct::shape<16>>>();                                            \
        dense<T>(tile, SHAPE_1).store(ct::load_masked((const T *)array + at, at < e0, (T)0), 0);                       \
    }
BY_COMPARE(u8, unsigned char)
BY_COMPARE(u32, unsigned)
BY_COMPARE(u64, unsigned long long)

/* The reference's example: (2 + 9 * iota) % 16 of an array of 4 x 4 ints. EIGHT: 8 * iota. */
#define EXAMPLE(name, factor)                                                                                          \
    extern "C" __tile_global__ void name(CT_VIEW)                                                                      \
    {                                                                                                                  \
        const auto at = (2 + factor * ct::iota<ct::tile<int, ct::shape<4>>>()) % 16;                                   \
        const auto value = ct::load((const int *)array + ct::reshape(at, ct::shape{ 2_ic, 2_ic }));                    \
        dense<int>(tile, ct::shape{ 2_ic, 2_ic }).store(value, 0, 0);                                                  \
    }
EXAMPLE(pointer_example, 9)
EXAMPLE(pointer_example__eight, 8)

/* A tile of the array's rows and columns by offsets that follow each other, as a partition view would load it. */
extern "C" __tile_global__ void pointer_as_view1(CT_VIEW)
{
    const auto at = i0 * 16 + ct::iota<ct::tile<int, ct::shape<16>>>();

    dense<unsigned>(tile, SHAPE_1).store(ct::load((const unsigned *)array + at), 0);
}
extern "C" __tile_global__ void pointer_as_view2(CT_VIEW)
{
    const auto number = ct::reshape(ct::iota<ct::tile<int, ct::shape<64>>>(), SHAPE_2);
    const auto at = (i0 * 4 + number / 16) * s0 + i1 * 16 + number % 16;

    dense<unsigned>(tile, SHAPE_2).store(ct::load((const unsigned *)array + at), 0, 0);
}

/* A scatter by atomic stores, whose pointers may be the same. */
extern "C" __tile_global__ void pointer_atomic_store(CT_VIEW)
{
    const auto offsets = OFFSETS(SHAPE_1)(0);

    ct::atomic_store<ct::memory_order::relaxed>((unsigned *)array + offsets, dense<unsigned>(tile, SHAPE_1).load(0));
}
// SPDX-License-Identifier: Apache-2.0
