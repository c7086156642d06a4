/* L07: a box that reaches outside the image: what is filled, what is clipped, and which bytes count. */
#include "harness/lab/lab.h"

enum { TILE_W = 32, TILE_H = 4, SIDE = 4, PIXEL = sizeof(float) };

/* The map of an image whose rows follow each other, with a box of TILE_H rows. */
static struct tensor_map image_map(uint32_t width, uint32_t height, uint32_t box_width)
{
    return (struct tensor_map){
        .type = TENSOR_F32,
        .rank = 2,
        .dims = { width, height },
        .strides = { (uint64_t)width * PIXEL },
        .box = { box_width, TILE_H },
        .element_strides = { 1, 1 },
    };
}

static void prepare(struct lab_launch *l)
{
    /* A row of the image is a multiple of 16 bytes. */
    const uint32_t width = lab_draw(l, 28, 60, 4), height = lab_draw(l, 3, 10, 1);
    const uint32_t columns = (width + TILE_W - 1) / TILE_W, rows = (height + TILE_H - 1) / TILE_H;
    const struct tensor_map in_map = image_map(width, height, SIDE + TILE_W + SIDE);
    const struct tensor_map out_map = image_map(width, height, TILE_W);
    const size_t size = (size_t)width * height * PIXEL;
    const float *in = lab_floats(l, (size_t)width * height);
    float *out = lab_room(l, size);

    for (uint32_t i = 0; width && i < width * height; i++) {
        const uint32_t x = i % width;
        out[i] = (x > 0 ? in[i - 1] : 0) + in[i] + (x + 1 < width ? in[i + 1] : 0);
    }
    lab_grid(l, columns, rows, 1);
    lab_block(l, TILE_W, TILE_H, 1);
    const unsigned to = lab_out(l, out, size, 0), from = lab_in(l, in, size);
    lab_columns(l, to, width);
    lab_look(l,
             "The box begins SIDE columns before the tile, also where that is outside the image: box[row][SIDE] is to "
             "be the tile's first pixel in every block.");
    lab_u32(l, width);
    lab_u32(l, height);
    lab_map(l, &in_map, from);
    lab_map(l, &out_map, to);

    const uint64_t box_bytes = (SIDE + TILE_W + SIDE) * TILE_H * PIXEL, tile_bytes = TILE_W * TILE_H * PIXEL;
    lab_at_least(l, LAB_TENSOR_LOAD_BYTES, columns * rows * box_bytes,
                 "each tile must be loaded by a tensor copy, with its neighbours on both sides");
    lab_at_least(l, LAB_TENSOR_STORE_BYTES, columns * rows * tile_bytes, "each tile must be stored by a tensor copy");
    lab_at_most(l, LAB_LOADS_BYTES, 0, "the threads must take the pixels from the box, and load none themselves");
    lab_remark(l, LAB_BARRIERS, 2 * columns * rows,
               "two __syncthreads in each CTA are enough: after the init, and before the tile is stored");
}

const struct lab lab_l07 = {
    .id = "L07",
    .folder = "L07-edges",
    .file = "edges.cu",
    .title = "A tile at the edge",
    .kernel = "blur",
    .prepare = { prepare },
};
// SPDX-License-Identifier: Apache-2.0
