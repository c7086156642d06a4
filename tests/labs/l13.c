/* L13: a product of two matrices, by tiles that tensor copies bring into stages. */
#include "harness/lab/lab.h"

enum { TILE = 8, STAGES = 2, FLOAT = sizeof(float) };

/* A matrix in boxes of TILE by TILE. */
static struct tensor_map map_of(uint32_t columns, uint32_t rows)
{
    return (struct tensor_map){
        .type = TENSOR_F32,
        .rank = 2,
        .dims = { columns, rows },
        .strides = { columns * FLOAT },
        .box = { TILE, TILE },
        .element_strides = { 1, 1 },
    };
}

struct product {
    uint32_t rows, columns, depth;
    const float *a, *b;
    float *c;
};

/* Both kernels compute the same. */
static struct product draw(struct lab_launch *l)
{
    const uint32_t depth = lab_draw(l, 3, 6, 1) * TILE;
    const uint32_t rows = lab_draw(l, TILE, 2 * TILE, TILE), columns = lab_draw(l, TILE, 2 * TILE, TILE);
    const struct product p = { .rows = rows,
                               .columns = columns,
                               .depth = depth,
                               .a = lab_floats(l, rows * depth),
                               .b = lab_floats(l, depth * columns),
                               .c = lab_room(l, rows * columns * FLOAT) };

    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++)
            for (uint32_t i = 0; i < depth; i++)
                p.c[y * columns + x] += p.a[y * depth + i] * p.b[i * columns + x];
    lab_grid(l, columns / TILE, rows / TILE, 1);
    return p;
}

static void prepare(struct lab_launch *l)
{
    const struct product p = draw(l);
    const uint32_t rows = p.rows, columns = p.columns, depth = p.depth, steps = depth / TILE;
    const uint32_t blocks = rows / TILE * (columns / TILE);
    const struct tensor_map a_map = map_of(depth, rows), b_map = map_of(columns, depth);

    lab_block(l, TILE, TILE, 1);
    lab_map(l, &a_map, lab_behind_in(l, p.a, rows * depth * FLOAT));
    lab_map(l, &b_map, lab_behind_in(l, p.b, depth * columns * FLOAT));
    lab_columns(l, lab_out(l, p.c, rows * columns * FLOAT, 0), columns);
    lab_u32(l, columns);
    lab_u32(l, steps);

    lab_at_least(l, LAB_TENSOR_LOAD_BYTES, blocks * steps * 2 * TILE * TILE * FLOAT,
                 "each tile must be loaded by a tensor copy");
    lab_at_least(l, LAB_IN_FLIGHT, 2 * STAGES, "the tiles of the next step must be under way while a step is computed");
    lab_remark(l, LAB_BARRIERS, blocks * (steps + 1),
               "one barrier a step is enough: before a stage is filled again, all threads must have left it");
}

/* Of a tile kernel a block is one thread of control. */
static void prepare_tile(struct lab_launch *l)
{
    const struct product p = draw(l);

    lab_block(l, 1, 1, 1);
    lab_in(l, p.a, p.rows * p.depth * FLOAT);
    lab_in(l, p.b, p.depth * p.columns * FLOAT);
    lab_columns(l, lab_out(l, p.c, p.rows * p.columns * FLOAT, 0), p.columns);
    lab_u32(l, p.rows);
    lab_u32(l, p.columns);
    lab_u32(l, p.depth);
}

static const struct lab tile = {
    .id = "L13",
    .folder = "L13-capstone",
    .file = "product_tile.cu",
    .title = "One product, three layers",
    .kernel = "product",
    .needs = "tile",
    .prepare = { prepare_tile },
};

const struct lab lab_l13 = {
    .id = "L13",
    .folder = "L13-capstone",
    .file = "product.cu",
    .title = "One product, three layers",
    .kernel = "product",
    .beside = { "product_libcu.cu", "product_tile.cu" },
    .tile = &tile,
    .prepare = { prepare },
};
// SPDX-License-Identifier: Apache-2.0
