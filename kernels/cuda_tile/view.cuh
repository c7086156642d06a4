/* What the kernels that access one tile of an array have in common. */
#ifndef COPYCHECK_CUDA_TILE_VIEW_CUH
#define COPYCHECK_CUDA_TILE_VIEW_CUH

#include "kernels/cuda_tile/ct.cuh"

/* struct view_args of kernels/view.h. */
#define CT_VIEW                                                                                                        \
    CT_HEAD, unsigned char *array, unsigned char *tile, const int *rows, int e0, int e1, int e2, int e3, int e4,       \
        int s0, int s1, int s2, int s3, int s4, int i0, int i1, int i2, int i3, int i4, int unused

/* The view of an array in tiles; its extents and strides are run-time values. */
template <typename T, typename Extents, typename Strides, typename Shape>
__tile__ auto partition(T *array, Extents extents, Strides strides, Shape shape)
{
    return ct::partition_view{ ct::tensor_span{ array, ct::layout_strided_mapping{ extents, strides } }, shape };
}

/* The view of a tile that lies densely in memory. */
template <typename T, typename Shape> __tile__ auto dense(unsigned char *tile, Shape shape)
{
    return ct::partition_view{ ct::tensor_span{ (T *)tile, shape }, shape };
}

/* By rank: the first parameters x0, x1, ..., the tile's shape, and the index of a dense tile. */
#define LIST_1(x) x##0
#define LIST_2(x) x##0, x##1
#define LIST_3(x) x##0, x##1, x##2
#define LIST_4(x) x##0, x##1, x##2, x##3
#define LIST_5(x) x##0, x##1, x##2, x##3, x##4
#define SHAPE_1                                                                                                        \
    ct::shape                                                                                                          \
    {                                                                                                                  \
        16_ic                                                                                                          \
    }
#define SHAPE_2                                                                                                        \
    ct::shape                                                                                                          \
    {                                                                                                                  \
        4_ic, 16_ic                                                                                                    \
    }
#define SHAPE_3                                                                                                        \
    ct::shape                                                                                                          \
    {                                                                                                                  \
        2_ic, 4_ic, 16_ic                                                                                              \
    }
#define SHAPE_4                                                                                                        \
    ct::shape                                                                                                          \
    {                                                                                                                  \
        2_ic, 2_ic, 2_ic, 16_ic                                                                                        \
    }
#define SHAPE_5                                                                                                        \
    ct::shape                                                                                                          \
    {                                                                                                                  \
        2_ic, 2_ic, 2_ic, 2_ic, 16_ic                                                                                  \
    }
#define ZEROS_1 0
#define ZEROS_2 0, 0
#define ZEROS_3 0, 0, 0
#define ZEROS_4 0, 0, 0, 0
#define ZEROS_5 0, 0, 0, 0, 0

#endif
// SPDX-License-Identifier: Apache-2.0
