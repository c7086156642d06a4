/* Copies of four rows that are named one by one: gather4 and scatter4. */
#include <string.h>

#include "tests/tensor/box.h"

enum { ROWS = 4 };

struct gather {
    struct ck *t;
    struct box b;          /* its map has the four rows, for the oracle */
    struct tensor_map map; /* what is encoded: its box is one row high */
    bool cluster;          /* a load in the form with .shared::cluster */
};

/* The rows that the axis `rows` names, of a tensor of seven. */
static void name_rows(struct ck *t, int32_t rows[ROWS])
{
    static const struct {
        const char *name;
        int32_t rows[ROWS];
    } orders[] = {
        { "ascending", { 1, 2, 3, 4 } }, { "descending", { 6, 4, 3, 0 } }, { "apart", { 0, 6, 2, 5 } },
        { "twice", { 5, 1, 5, 1 } },     { "same", { 3, 3, 3, 3 } },
    };

    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (ck_is(t, "rows", orders[i].name))
            memcpy(rows, orders[i].rows, sizeof orders[i].rows);
}

static void set_swizzle(struct ck *t, struct tensor_map *map)
{
    for (int64_t s = 0; s < TENSOR_SWIZZLE_COUNT; s++)
        if (ck_is(t, "swizzle", tensor_swizzle_name(s)))
            map->swizzle = s;
}

/* A map of the axis' type, and a box of 32 bytes a row at 16 bytes of each row that the axis names. */
static struct gather gather_of(struct ck *t, int64_t fill, bool stores)
{
    struct gather g = { .t = t, .map = box_map(box_type(t), 2) };
    struct tensor_map four;

    g.map.box[1] = 1;
    g.map.fill = fill;
    set_swizzle(t, &g.map);
    four = tensor_gather4(&g.map);
    g.b = stores ? box_to_store(t, &four) : box_to_load(t, &four);
    g.b.offset = 1024;
    g.b.image_bytes += 1024;
    g.b.image = stores ? ck_input(t, g.b.image_bytes) : ck_output(t, g.b.image_bytes);
    name_rows(t, g.b.corner + 1);
    return g;
}

static enum ck_end load(const struct gather *g)
{
    struct ck *t = g->t;
    struct tile_load_args a = { .out = g->b.image.device,
                                .bytes = g->b.image_bytes,
                                .offset = g->b.offset,
                                .expect = (uint32_t)tensor_tile_bytes(&g->b.map),
                                .rank = g->cluster ? 0 : 2 };

    if (ck_variant(t, "three-rows"))
        a.expect = a.expect / ROWS * 3;
    memcpy(a.corner, g->b.corner, sizeof a.corner);
    ck_encode(t, &g->map, g->b.tensor, &a.map);
    return ck_launch(
        t,
        &(struct ck_launch){
            .kernel = "gather4_load", .block = { 128 }, .smem = g->b.image_bytes + 16, .args = &a, .size = sizeof a });
}

static enum ck_end store(const struct gather *g)
{
    struct tile_store_args a = { .in = g->b.image.device, .bytes = g->b.image_bytes, .offset = g->b.offset, .rank = 2 };

    memcpy(a.corner, g->b.corner, sizeof a.corner);
    ck_encode(g->t, &g->map, g->b.tensor, &a.map);
    return ck_launch(
        g->t,
        &(struct ck_launch){
            .kernel = "scatter4_store", .block = { 128 }, .smem = g->b.image_bytes, .args = &a, .size = sizeof a });
}

/* What the tile's rows hold after a gather is the rows of the tensor that were named, in the order of their names. */
static void gathers(struct ck *t)
{
    struct gather g = gather_of(t, TENSOR_FILL_NONE, false);
    const unsigned char *const expected = box_loaded(t, &g.b);

    g.cluster = ck_is(t, "form", "cluster");
    if (ck_variant(t, "other-row"))
        g.b.corner[3] = (g.b.corner[3] + 1) % 7;
    if (load(&g) == CK_DONE)
        ck_equal(t, g.b.image, expected);
}

/* The rows of the tile come to lie in the rows of the tensor that were named; no other byte of it changes. */
static void scatters(struct ck *t)
{
    struct gather g = gather_of(t, TENSOR_FILL_NONE, true);
    const unsigned char *const expected = box_stored(t, &g.b);

    if (ck_variant(t, "other-row"))
        g.b.corner[3] = g.b.corner[3] == 1 ? 2 : 1;
    if (store(&g) == CK_DONE)
        ck_equal(t, g.b.tensor, expected);
}

/* One of the four rows is outside the tensor: a load fills it as what a tile has outside is filled, and its bytes are
 * signalled with the others. */
static void gathers_outside(struct ck *t)
{
    struct gather g = gather_of(t, ck_is(t, "fill", "nan") ? TENSOR_FILL_NAN : TENSOR_FILL_NONE, false);
    const unsigned char *expected;

    g.b.corner[1 + ck_int(t, "slot")] = (int32_t)ck_int(t, "row");
    expected = box_loaded(t, &g.b);
    if (ck_variant(t, "inside"))
        g.b.corner[1 + ck_int(t, "slot")] = 1;
    if (load(&g) == CK_DONE)
        ck_equal(t, g.b.image, expected);
}

/* A store drops such a row. */
static void scatters_outside(struct ck *t)
{
    struct gather g = gather_of(t, TENSOR_FILL_NONE, true);
    const unsigned char *expected;

    g.b.corner[1 + ck_int(t, "slot")] = (int32_t)ck_int(t, "row");
    expected = box_stored(t, &g.b);
    if (ck_variant(t, "inside"))
        g.b.corner[1 + ck_int(t, "slot")] = 0;
    if (store(&g) == CK_DONE)
        ck_equal(t, g.b.tensor, expected);
}

/* The map's box is one row high, and four rows come. A breach makes it two rows high. */
static void one_row(struct ck *t)
{
    struct gather g = gather_of(t, TENSOR_FILL_NONE, false);
    const unsigned char *const expected = box_loaded(t, &g.b);

    g.cluster = ck_is(t, "form", "cluster");
    g.map.box[1] = (uint32_t)ck_int(t, "height");
    if (ck_variant(t, "other-row"))
        g.b.corner[3] = (g.b.corner[3] + 1) % 7;
    if (load(&g) == CK_DONE)
        ck_equal(t, g.b.image, expected);
}

/* No coordinate of a store is negative. The breaches name a negative row, or begin left of the tensor. */
static void not_negative(struct ck *t)
{
    struct gather g = gather_of(t, TENSOR_FILL_NONE, true);
    const unsigned char *const expected = box_stored(t, &g.b);

    if (ck_variant(t, "other-row"))
        g.b.corner[3] = g.b.corner[3] == 1 ? 2 : 1;
    if (ck_variant(t, "row"))
        g.b.corner[2] = -1;
    if (ck_variant(t, "column"))
        g.b.corner[0] = -(int32_t)box_step(&g.map);
    if (store(&g) == CK_DONE)
        ck_equal(t, g.b.tensor, expected);
}

/* Integers have no NaN. */
static bool fill_of_type(struct ck *t)
{
    return ck_is(t, "fill", "zero") || tensor_type_is_float(box_type(t));
}

#define TYPES                                                                                                          \
    {                                                                                                                  \
        "type", "u8 u16 u32 u64 f16 f32 f64 bf16"                                                                      \
    }
#define FORMS                                                                                                          \
    {                                                                                                                  \
        "form", "cta cluster"                                                                                          \
    }
#define SWIZZLES                                                                                                       \
    {                                                                                                                  \
        "swizzle", "none 32B 64B 128B"                                                                                 \
    }
#define ONE(name, value)                                                                                               \
    {                                                                                                                  \
        name, "=" value                                                                                                \
    }
#define PLAIN ONE("swizzle", "none")
#define OTHER "other-row", "name another third row"

static const struct ck_case cases[] = {
    { CK_RULE(tensor_g4_rows), .run = gathers,
      .axes = { TYPES, { "rows", "ascending descending apart twice same" }, SWIZZLES, FORMS },
      .mutants = { { OTHER }, { "no-wait", "leave the wait out", .kernel = "no_wait" } } },
    { CK_RULE(tensor_g4_rows), .name = "scatter", .run = scatters,
      .axes = { TYPES, { "rows", "ascending descending apart" }, SWIZZLES }, .mutants = { { OTHER } } },
    { CK_RULE(tensor_g4_oob_row), .run = gathers_outside,
      .axes = { { "type", "u16 f16 f32" },
                { "slot", "0..3" },
                { "row", "-2147483648 -8 -1 7 8 2147483647" },
                { "fill", "zero nan" },
                ONE("rows", "apart"),
                PLAIN },
      .valid = fill_of_type, .mutants = { { "inside", "name a row inside" } } },
    { CK_RULE(tensor_g4_oob_row), .name = "scatter", .run = scatters_outside,
      .axes = { { "type", "u16 f32" },
                { "slot", "0..3" },
                { "row", "7 8 2147483647" },
                ONE("rows", "ascending"),
                PLAIN },
      .mutants = { { "inside", "name a row inside" } } },
    { CK_RULE(tensor_g4_tx), .run = gathers, .axes = { TYPES, { "rows", "ascending same" }, FORMS, PLAIN },
      .mutants = { { "three-rows", "expect the bytes of three rows" } } },
    { CK_RULE(tensor_g4_box1), .run = one_row,
      .axes = { { "type", "u16 f32" }, ONE("rows", "apart"), FORMS, PLAIN, ONE("height", "1") },
      .mutants = { { OTHER } },
      .breaches = { { "two-high", "a box that is two rows high", .set = "height=2", .faults = true } } },
    { CK_RULE(tensor_g4_scatter_nonneg), .run = not_negative,
      .axes = { { "type", "u16 f32" }, { "rows", "ascending apart" }, PLAIN }, .mutants = { { OTHER } },
      .breaches = { { "row", "a row of -1", .faults = true },
                    { "column", "begin left of the tensor", .faults = true } } },
    { 0 },
};

const struct ck_suite tensor_gather_copies = { "tensor/gather-copies", cases };
// SPDX-License-Identifier: Apache-2.0
