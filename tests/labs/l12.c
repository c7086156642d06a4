/* L12: a tensor map in global memory that the kernel moves from matrix to matrix. */
#include "harness/lab/lab.h"

enum { COLUMNS = 32, ROWS = 8, COUNT_MAX = 6, FLOAT = sizeof(float) };

static void prepare(struct lab_launch *l)
{
    const uint32_t count = lab_draw(l, 3, COUNT_MAX, 1);
    uint32_t begin[COUNT_MAX + 1] = { 0 };

    for (uint32_t m = 0; m < count; m++) /* the last one is not of ROWS rows: an edge that did not move shows */
        begin[m + 1] = begin[m] + lab_draw(l, m + 2, m + 1 < count ? ROWS : ROWS - 1, 1);

    const uint32_t n = begin[count] * COLUMNS;
    const float *in = lab_floats(l, n);
    float *sums = lab_room(l, count * COLUMNS * FLOAT);
    const struct tensor_map map = {
        .type = TENSOR_F32,
        .rank = 2,
        .dims = { COLUMNS, ROWS },
        .strides = { COLUMNS * FLOAT },
        .box = { COLUMNS, ROWS },
        .element_strides = { 1, 1 },
    };

    for (uint32_t m = 0; m < count; m++)
        for (uint32_t row = begin[m]; row < begin[m + 1]; row++)
            for (uint32_t c = 0; c < COLUMNS; c++)
                sums[m * COLUMNS + c] += in[row * COLUMNS + c];
    lab_block(l, COLUMNS, 1, 1);
    const unsigned buffer = lab_in(l, in, n * FLOAT);
    lab_in(l, begin, (count + 1) * sizeof *begin);
    lab_map_at(l, &map, buffer);
    lab_out(l, sums, count * COLUMNS * FLOAT, 0);
    lab_u32(l, count);

    lab_at_least(l, LAB_TENSOR_LOAD_BYTES, count * COLUMNS * ROWS * FLOAT,
                 "each matrix must be loaded through the map");
    lab_remark(l, LAB_BARRIERS, 1, "the block is one warp: __syncwarp and the mbarrier are enough");
}

const struct lab lab_l12 = {
    .id = "L12",
    .folder = "L12-moving-maps",
    .file = "moving.cu",
    .title = "Moving tensor maps",
    .kernel = "column_sums",
    .prepare = { prepare },
};
// SPDX-License-Identifier: Apache-2.0
