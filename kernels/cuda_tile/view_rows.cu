/* Loads and stores through a gather-scatter view: a tile of numbers names the rows, which are dimension 0 or 1; of the
 * other dimensions the index is the element at which the tile begins. */
#include "kernels/cuda_tile/view.cuh"

#if __CUDACC_VER_MAJOR__ > 13 || __CUDACC_VER_MINOR__ >= 4 /* the view is not in toolkit 13.3 */

template <typename T, typename Extents, typename Strides, typename Shape, typename Dim>
__tile__ auto chosen(T *array, Extents extents, Strides strides, Shape shape, Dim dim)
{
    return ct::gather_scatter_view{ ct::tensor_span{ array, ct::layout_strided_mapping{ extents, strides } }, shape,
                                    dim };
}

/* The numbers of `count` rows. */
#define ROWS(count)                                                                                                    \
    ct::partition_view{ ct::tensor_span{ rows, ct::extents{ count##_ic } }, ct::shape{ count##_ic } }.load(0)

/* The place of the tile: rows in dimension 0, or in dimension 1 of a tile of rank 3. */
#define AT_2   ROWS(4), i1
#define AT_3   i0, ROWS(4), i2
#define ROWS_2 0_ic
#define ROWS_3 1_ic
#define VIEW(rank, T)                                                                                                  \
    chosen((T *)array, ct::extents{ LIST_##rank(e) }, ct::extents{ LIST_##rank(s) }, SHAPE_##rank, ROWS_##rank)
#define CHOSEN(rank, name, T)                                                                                          \
    extern "C" __tile_global__ void view_rows_load##rank##_##name(CT_VIEW)                                             \
    {                                                                                                                  \
        dense<T>(tile, SHAPE_##rank).store(VIEW(rank, const T).load_masked(AT_##rank), ZEROS_##rank);                  \
    }                                                                                                                  \
    extern "C" __tile_global__ void view_rows_store##rank##_##name(CT_VIEW)                                            \
    {                                                                                                                  \
        VIEW(rank, T).store_masked(dense<T>(tile, SHAPE_##rank).load(ZEROS_##rank), AT_##rank);                        \
    }

CHOSEN(2, u8, unsigned char)
CHOSEN(2, u16, unsigned short)
CHOSEN(2, u32, unsigned)
CHOSEN(2, u64, unsigned long long)
CHOSEN(3, u8, unsigned char)
CHOSEN(3, u32, unsigned)

#endif
// SPDX-License-Identifier: Apache-2.0
