/* L10: a tile is loaded with a swizzle to an address at which the pattern does not begin. */
#include "harness/lab/lab.h"

enum { TILE = 32, CHUNKS = 8, FLOAT = sizeof(float) }; /* columns and rows of a box; chunks of a row */

static void prepare(struct lab_launch *l)
{
    const uint32_t columns = lab_draw(l, TILE, 2 * TILE, TILE), rows = lab_draw(l, TILE, 2 * TILE, TILE);
    const uint32_t n = columns * rows, boxes = n / (TILE * TILE);
    const float *in = lab_floats(l, n);
    float *out = lab_room(l, n * FLOAT);
    const struct tensor_map map = {
        .type = TENSOR_F32,
        .rank = 2,
        .dims = { columns, rows },
        .strides = { columns * FLOAT },
        .box = { TILE, TILE },
        .element_strides = { 1, 1 },
        .swizzle = TENSOR_SWIZZLE_128B,
    };

    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++)
            out[x * rows + y] = in[y * columns + x];
    lab_grid(l, columns / TILE, rows / TILE, 1);
    lab_block(l, TILE, CHUNKS, 1);
    lab_map(l, &map, lab_behind_in(l, in, n * FLOAT));
    lab_columns(l, lab_out(l, out, n * FLOAT, 0), rows);
    lab_look(l,
             "A column of `out` is a row of the matrix. Compare the places that this row's chunks are read from with "
             "the page's table: place = chunk ^ (line % 8), where a line has 128 bytes of shared memory.");
    lab_u32(l, rows);

    lab_ask_swizzle(l);
    lab_at_least(l, LAB_TENSOR_LOAD_BYTES, n * FLOAT, "each box must be loaded by a tensor copy");
    lab_remark(
        l, LAB_BARRIERS, boxes,
        "one __syncthreads in each block is enough, after the init: each thread waits for the box at the mbarrier");
}

const struct lab lab_l10 = {
    .id = "L10",
    .folder = "L10-swizzle",
    .file = "swizzle.cu",
    .title = "Swizzle detective",
    .kernel = "transpose",
    .prepare = { prepare },
};
// SPDX-License-Identifier: Apache-2.0
