/* Tile-space loads and stores through a partition view. */
#include "kernels/cuda_tile/ct.cuh"

/* Loads tile (row, column) of 2 x 4 floats from an array of `rows` x `columns`, zeros where it lies outside, and stores
 * it densely. */
extern "C" __tile_global__ void view_load_2x4(CT_HEAD, const float *in, float *out, int rows, int columns, int row,
                                              int column)
{
    auto from = ct::partition_view{ ct::tensor_span{ in, ct::extents{ rows, columns } }, ct::shape{ 2_ic, 4_ic } };
    auto to = ct::partition_view{ ct::tensor_span{ out, ct::extents{ 2_ic, 4_ic } }, ct::shape{ 2_ic, 4_ic } };

    to.store(from.load_masked(row, column), 0, 0);
}
// SPDX-License-Identifier: Apache-2.0
