/* The grid of tiles that a view makes of an array. */
#include <stdio.h>
#include <string.h>

#include "kernels/tile_grid.h"
#include "tests/cuda_tile/access.h"

/* ---- a whole array ----------------------------------------------------------------------------------------------- */

struct grid {
    struct access a; /* padding zero */
    struct ck_buf to;
    int64_t tiles[5]; /* of each dimension, the slowest first */
    unsigned char *copied, *numbered;
};

static void number_element(struct grid *g, const struct view_element *e, unsigned value)
{
    const size_t size = view_type_bytes(g->a.v.type);

    memcpy(g->copied + (size_t)e->offset * size, g->a.array.host + (size_t)e->offset * size, size);
    memset(g->numbered + (size_t)e->offset * size, 0, size);
    if (g->a.copy)
        memset(g->numbered + (size_t)e->offset * size, (int)value, size);
    else
        for (size_t k = 0; k < size && k < sizeof value; k++)
            g->numbered[(size_t)e->offset * size + k] = (unsigned char)(value >> 8 * k);
}

struct numbering {
    struct grid *g;
    unsigned value;
};

static void visit(void *context, const struct view_element *e)
{
    const struct numbering *n = context;

    if (e->inside)
        number_element(n->g, e, n->value);
}

/* The number that block or box `number` writes: a copy's boxes are counted from 1, a tile kernel's blocks by their
 * axes.
 */
static unsigned value_of(const struct grid *g, int64_t number)
{
    const int64_t *const at = g->a.v.index.of;
    const int rank = g->a.v.extents.count;

    if (g->a.copy)
        return (unsigned)number + 1;
    return (unsigned)(1 + at[rank - 1] + (rank > 1 ? 16 * at[rank - 2] : 0) + (rank > 2 ? 64 * at[rank - 3] : 0));
}

/* An array of `n` elements in dimension `dim`, and two tiles in the others. What a copy of all tiles leaves, and what
 * remains if each tile has its number; all else is poison. */
static struct grid grid_of(struct ck *t)
{
    struct grid g = { .a = access_to_load_zero(t) };
    const int64_t n = ck_int(t, "n");
    const int rank = g.a.v.extents.count, dim = (int)ck_int(t, "dim");
    int64_t all = 1, stride = 1;

    g.a.v.extents.of[dim] = n * (g.a.copy && dim == rank - 1 ? 16 / (int64_t)view_type_bytes(g.a.v.type) : 1);
    for (int i = rank - 1; i >= 0; i--) {
        g.a.v.strides.of[i] = stride;
        stride *= g.a.v.extents.of[i];
        g.tiles[i] = view_tiles(&g.a.v, i);
        all *= g.tiles[i];
    }
    access_place(t, &g.a, true);
    g.to = ck_output(t, g.a.array.size);
    g.copied = ck_alloc(t, g.to.size);
    g.numbered = ck_alloc(t, g.to.size);
    memset(g.copied, CK_POISON, g.to.size);
    memset(g.numbered, CK_POISON, g.to.size);
    for (int64_t i = 0; i < all; i++) {
        struct numbering with = { &g, 0 };

        access_pick(&g.a, i);
        with.value = value_of(&g, i);
        view_each(&g.a.v, visit, &with);
    }
    return g;
}

/* Launches a block for each tile; of a copy, a CTA for each box, or one for all of them. */
static void launch_grid(struct ck *t, const struct grid *g, const char *what)
{
    const struct view_access *const v = &g->a.v;
    struct ck_launch l = { 0 };
    struct view_args args = { .array = g->a.array.device, .tile = g->to.device };
    char kernel[64];

    snprintf(kernel, sizeof kernel, "span_%s%d_%s", what, v->extents.count, view_type_name(v->type));
    for (int i = 0; i < v->extents.count; i++) {
        args.extents[i] = (int32_t)v->extents.of[i];
        args.strides[i] = (int32_t)v->strides.of[i];
        l.grid[v->extents.count - 1 - i] = (uint32_t)g->tiles[i];
    }
    l.kernel = kernel;
    l.members = true;
    l.args = &args;
    l.size = sizeof args;
    ck_launch(t, &l);
}

static void launch_boxes(struct ck *t, const struct grid *g, const char *kernel, int64_t ctas)
{
    struct tile_grid_args args = { .rank = (uint32_t)g->a.v.extents.count, .boxes = 1 };
    struct view_access v = g->a.v;
    struct tensor_map map;
    int32_t corner[TENSOR_CORNER];

    memset(v.index.of, 0, sizeof v.index.of);
    view_lower(&v, &map, corner);
    args.bytes = (uint32_t)(view_elements(&v) * view_type_bytes(v.type));
    for (int k = 0; k < v.extents.count; k++) {
        args.counts[k] = (int32_t)g->tiles[v.extents.count - 1 - k];
        args.size[k] = (int32_t)v.tile.of[v.extents.count - 1 - k];
        args.boxes *= (uint32_t)args.counts[k];
    }
    ck_encode(t, &map, g->a.array, &args.from);
    ck_encode(t, &map, g->to, &args.to);
    if (ck_variant(t, "first"))
        args.first = 1;
    ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                      .grid = { ctas ? (uint32_t)ctas : args.boxes },
                                      .block = { 32 },
                                      .smem = args.bytes + 16,
                                      .args = &args,
                                      .size = sizeof args });
}

/* As many tiles as ceil(extent / tile) in each dimension cover the array: a block for each copies it, byte for byte. */
static void covers_all(struct ck *t)
{
    struct grid g = grid_of(t);
    const int dim = (int)ck_int(t, "dim");

    if (ck_variant(t, "fewer"))
        g.tiles[dim]--;
    if (g.a.copy)
        launch_boxes(t, &g, "tile_each", 0);
    else if (g.tiles[dim]) /* a grid of 0 would be one of 1 */
        launch_grid(t, &g, "each");
    ck_equal(t, g.to, g.copied);
}

/* Each tile is stored with its number: each element has exactly one, the number of its tile. */
static void numbers_all(struct ck *t)
{
    struct grid g = grid_of(t);

    if (g.a.copy)
        launch_boxes(t, &g, "tile_number", 1);
    else
        launch_grid(t, &g, ck_variant(t, "copied") ? "each" : "number");
    ck_equal(t, g.to, g.numbered);
}

/* One CTA goes through all boxes of one map: it loads and stores by it again and again. */
static void one_map_for_all(struct ck *t)
{
    const struct grid g = grid_of(t);

    launch_boxes(t, &g, "tile_each", 1);
    ck_equal(t, g.to, g.copied);
}

static bool dim_in_rank(struct ck *t)
{
    return ck_int(t, "dim") < ck_int(t, "rank");
}

/* One block copies the first `n` of 64 tiles through one view; the others stay as they were. */
static void one_view_for_all(struct ck *t)
{
    const int64_t n = ck_int(t, "n");
    struct access a = access_to_load_zero(t);
    const struct ck_buf in = ck_input(t, 4096), out = ck_output(t, 4096);
    unsigned char *expected = ck_alloc(t, 4096);

    memset(expected, CK_POISON, 4096);
    memcpy(expected, in.host, (size_t)n * 64);
    a.array = in;
    a.tile = out;
    a.v.extents.count = 2; /* e0: the tiles, e1: the array */
    a.v.extents.of[0] = n - ck_variant(t, "fewer");
    a.v.extents.of[1] = 1024;
    access_by(t, &a, "span_reuse");
    ck_equal(t, out, expected);
}

/* ---- single tiles ------------------------------------------------------------------------------------------------ */

/* The guide's figure: tile (1, 2) of 2 x 4 tiles of a 10 x 16 array is rows 2 and 3, columns 8 to 11. The axes go
 * through all of its tiles. */
static void figure(struct ck *t)
{
    struct access a = access_to_load(t);
    const int64_t row = ck_int(t, "row"), column = ck_int(t, "column");
    unsigned char *expected;

    a.v.extents.of[0] = 10;
    a.v.extents.of[1] = a.v.strides.of[0] = 16;
    a.v.tile.of[0] = 2;
    a.v.tile.of[1] = 4;
    a.v.index.of[0] = row;
    a.v.index.of[1] = ck_variant(t, "next") ? (column + 1) % 4 : column;
    access_place(t, &a, true);
    expected = ck_alloc(t, a.tile.size);
    memset(expected, CK_POISON, a.tile.size);
    for (int64_t r = 0; r < 2; r++)
        memcpy(expected + 256 + r * 16, a.array.host + ((row * 2 + r) * 16 + column * 4) * 4, 16);
    access_load(t, &a);
    ck_equal_at(t, a.tile, 0, expected, 256 + 32);
}

/* The reference's example: a 4 x 8 array of 0, 1, 2, ... in tiles of 2 x 2 has {20, 21; 28, 29} at (1, 2). */
static void example(struct ck *t)
{
    static const int values[] = { 20, 21, 28, 29 };
    struct access a = access_to_load(t);
    const size_t size = view_type_bytes(a.v.type);
    unsigned char *expected;

    a.v.extents = (struct view_list){ 2, { 4, 8 } };
    a.v.strides = (struct view_list){ 2, { 8, 1 } };
    a.v.tile = (struct view_list){ 2, { 2, 2 } };
    a.v.index = (struct view_list){ 2, { 1, 2 } };
    if (ck_variant(t, "turned"))
        a.v.index = (struct view_list){ 2, { 0, 3 } };
    a.array = ck_zeroed(t, 32 * size);
    for (size_t i = 0; i < 32; i++)
        a.array.host[i * size] = (unsigned char)i;
    ck_changed(t, a.array);
    expected = ck_alloc(t, 4 * size);
    for (size_t i = 0; i < 4; i++)
        expected[i * size] = (unsigned char)values[i];
    if (a.copy)
        access_load(t, &a);
    else
        access_by(t, &a, "span_2x2");
    ck_equal_at(t, a.tile, a.copy ? 256 : 0, expected, 4 * size);
}

/* Two views of one span, of 4 x 16 and 8 x 8: each has its own tile at one index. */
static void two_views(struct ck *t)
{
    struct access a = access_to_load(t), b = a;
    unsigned char *expected;

    a.v.extents = b.v.extents = (struct view_list){ 2, { 16, 32 } };
    b.v.tile = (struct view_list){ 2, { 8, 8 } };
    access_place(t, &a, true);
    access_pick(&a, ck_int(t, "at"));
    b.array = a.array;
    b.v.index = a.v.index;
    b.tile = ck_output(t, a.copy ? a.tile.size : 512);
    if (a.copy) {
        const unsigned char *const wide = access_loaded(t, &a), *const square = access_loaded(t, &b);

        if (ck_variant(t, "one"))
            b.v.tile = a.v.tile;
        access_load(t, &a);
        access_load(t, &b);
        ck_equal(t, a.tile, wide);
        ck_equal(t, b.tile, square);
        return;
    }
    expected = ck_alloc(t, 512);
    view_load(&a.v, a.array.host, expected);
    view_load(&b.v, a.array.host, expected + 256);
    if (ck_variant(t, "index"))
        b.v.index.of[0] ^= 1;
    access_by(t, &b, "span_two_views");
    ck_equal(t, b.tile, expected);
}

#define INDEX                                                                                                          \
    {                                                                                                                  \
        "index", "take another tile"                                                                                   \
    }
#define FEWER                                                                                                          \
    {                                                                                                                  \
        "fewer", "leave the last tile out"                                                                             \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tile_view_grid_ceil), .run = covers_all,
      .axes = { { "rank", "1..3" }, { "dim", "0..2" }, { "n", "1..52" }, { "type", "u8 u32" }, TILE },
      .valid = dim_in_rank, .mutants = { FEWER } },
    { CK_RULE(tile_view_grid_ceil), LOWERED, .run = covers_all,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "n", "1..13" }, { "type", "u32 u64" }, COPY },
      .valid = dim_in_rank, .mutants = { FEWER } },
    { CK_RULE(tile_view_covers), .run = access_loads_any,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", "u8 u16 f32 f64" }, PLAIN, TILE }, .valid = access_at,
      .mutants = { INDEX } },
    { CK_RULE(tile_view_covers), LOWERED, .run = access_loads_any,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", "u8 u16 f32 f64" }, PLAIN, COPY }, .valid = access_at,
      .mutants = { INDEX } },
    { CK_RULE(tile_view_covers), .name = "lowered-figure", .needs = "sm_90, PTX 8.0", .run = figure,
      .axes = { { "row", "0..4" }, { "column", "0..3" }, { "rank", "=2" }, { "type", "=f32" }, PLAIN, COPY },
      .mutants = { { "next", "load the next tile of the row" } } },
    { CK_RULE(tile_view_disjoint), .run = numbers_all,
      .axes = { { "rank", "1..3" }, { "dim", "0..2" }, { "n", "1..33 47..49" }, { "type", "u8 u32" }, TILE },
      .valid = dim_in_rank, .mutants = { { "copied", "store another tile's elements" } } },
    { CK_RULE(tile_view_disjoint), LOWERED, .run = numbers_all,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "n", "9..13" }, { "type", "u32 u64" }, COPY },
      .valid = dim_in_rank, .mutants = { { "first", "leave the first box out" } } },
    { CK_RULE(tile_view_example), .run = example, .axes = { { "rank", "=2" }, { "type", "=s32" }, PLAIN, TILE },
      .mutants = { { "turned", "take the tile (0, 3)" } } },
    { CK_RULE(tile_view_example), LOWERED, .run = example,
      .axes = { { "rank", "=2" }, { "type", "=u64" }, PLAIN, COPY },
      .mutants = { { "turned", "take the tile (0, 3)" } } },
    { CK_RULE(tile_view_many), .run = two_views,
      .axes = { { "rank", "=2" }, { "at", "0..3" }, { "type", "=u32" }, PLAIN, TILE }, .mutants = { INDEX } },
    { CK_RULE(tile_view_many), LOWERED, .run = two_views,
      .axes = { { "rank", "=2" }, { "at", "0..3" }, { "type", "u16 u32 u64" }, PLAIN, COPY },
      .mutants = { { "one", "take one shape for both" } } },
    { CK_RULE(tile_view_reuse), .run = one_view_for_all,
      .axes = { { "n", "1..64" }, { "rank", "=1" }, { "type", "=u32" }, TILE }, .mutants = { FEWER } },
    { CK_RULE(tile_view_reuse), LOWERED, .run = one_map_for_all,
      .axes = { { "rank", "1..5" }, { "dim", "=0" }, { "n", "1..24" }, { "type", "u32 u64" }, COPY },
      .mutants = { { "first", "leave the first box out" } } },
    { 0 }
};

const struct ck_suite suite_cuda_tile_grid = { "cuda_tile_grid", cases };
// SPDX-License-Identifier: Apache-2.0
