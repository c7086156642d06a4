/* Loads and stores through a strided view: tile i begins at element i * step of each dimension. */
#include "kernels/cuda_tile/view.cuh"

#if __CUDACC_VER_MAJOR__ > 13 || __CUDACC_VER_MINOR__ >= 4 /* the view is not in toolkit 13.3 */

template <typename T, typename Extents, typename Strides, typename Shape, typename Steps>
__tile__ auto strided(T *array, Extents extents, Strides strides, Shape shape, Steps steps)
{
    return ct::strided_view{ ct::tensor_span{ array, ct::layout_strided_mapping{ extents, strides } }, shape, steps };
}

/* Tiles of 16 elements, or of 4 x 16, `step` elements apart; in two dimensions the rows of tiles are `rows` apart. */
#define STEP_1(rows, step)                                                                                             \
    ct::strides                                                                                                        \
    {                                                                                                                  \
        step##_ic                                                                                                      \
    }
#define STEP_2(rows, step)                                                                                             \
    ct::strides                                                                                                        \
    {                                                                                                                  \
        rows##_ic, step##_ic                                                                                           \
    }
#define VIEW(rank, T, rows, step)                                                                                      \
    strided((T *)array, ct::extents{ LIST_##rank(e) }, ct::extents{ LIST_##rank(s) }, SHAPE_##rank,                    \
            STEP_##rank(rows, step))
#define STRIDED(rank, name, T, rows, step)                                                                             \
    extern "C" __tile_global__ void view_strided_load##rank##_##name##_##rows##_##step(CT_VIEW)                        \
    {                                                                                                                  \
        dense<T>(tile, SHAPE_##rank).store(VIEW(rank, const T, rows, step).load_masked(LIST_##rank(i)), ZEROS_##rank); \
    }                                                                                                                  \
    extern "C" __tile_global__ void view_strided_store##rank##_##name##_##rows##_##step(CT_VIEW)                       \
    {                                                                                                                  \
        VIEW(rank, T, rows, step).store_masked(dense<T>(tile, SHAPE_##rank).load(ZEROS_##rank), LIST_##rank(i));       \
    }
#define STEPS(rank, name, T, rows)                                                                                     \
    STRIDED(rank, name, T, rows, 1)                                                                                    \
    STRIDED(rank, name, T, rows, 4)                                                                                    \
    STRIDED(rank, name, T, rows, 15)                                                                                   \
    STRIDED(rank, name, T, rows, 16)                                                                                   \
    STRIDED(rank, name, T, rows, 17)                                                                                   \
    STRIDED(rank, name, T, rows, 24)                                                                                   \
    STRIDED(rank, name, T, rows, 32)

STEPS(1, u8, unsigned char, 1)
STEPS(1, u32, unsigned, 1)
STEPS(2, u32, unsigned, 1)
STEPS(2, u32, unsigned, 3)
STEPS(2, u32, unsigned, 6)

#endif
// SPDX-License-Identifier: Apache-2.0
