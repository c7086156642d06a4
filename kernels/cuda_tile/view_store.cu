/* Tile-space stores of one tile through a partition view, of each rank and size of element. */
#include "kernels/cuda_tile/view.cuh"

/* Loads the tile that lies densely in memory, and stores it at the index, by store_masked or by store. */
#define STORE(rank, name, T, call)                                                                                     \
    extern "C" __tile_global__ void view_store##rank##_##name(CT_VIEW)                                                 \
    {                                                                                                                  \
        const auto to =                                                                                                \
            partition((T *)array, ct::extents{ LIST_##rank(e) }, ct::extents{ LIST_##rank(s) }, SHAPE_##rank);         \
        to.call(dense<T>(tile, SHAPE_##rank).load(ZEROS_##rank), LIST_##rank(i));                                      \
    }
#define SIZES(rank)                                                                                                    \
    STORE(rank, u8, unsigned char, store_masked)                                                                       \
    STORE(rank, u16, unsigned short, store_masked)                                                                     \
    STORE(rank, u32, unsigned, store_masked)                                                                           \
    STORE(rank, u64, unsigned long long, store_masked)                                                                 \
    STORE(rank, u8_unmasked, unsigned char, store)                                                                     \
    STORE(rank, u32_unmasked, unsigned, store)

SIZES(1)
SIZES(2)
SIZES(3)
SIZES(4)
SIZES(5)

/* store_masked with the hint that a tensor copy may be used, and with the one that it may not. */
#define HINTED(name, T, tma)                                                                                           \
    extern "C" __tile_global__ void view_store_##name##_tma_##tma(CT_VIEW)                                             \
    {                                                                                                                  \
        const auto to =                                                                                                \
            partition(ct::assume_aligned((T *)array, 16_ic), ct::extents{ e0 }, ct::extents{ 1_ic }, SHAPE_1);         \
        const auto value = dense<T>(tile, SHAPE_1).load(0);                                                            \
        [[cutile::hint(0, allow_tma = tma)]] to.store_masked(value, i0);                                               \
    }

HINTED(u8, unsigned char, true)
HINTED(u8, unsigned char, false)
HINTED(u16, unsigned short, true)
HINTED(u16, unsigned short, false)
// SPDX-License-Identifier: Apache-2.0
