/* Strided views, whose tiles begin `step` elements after each other, and views of chosen rows. */
#include <stdio.h>
#include <string.h>

#include "tests/cuda_tile/access.h"

/* ---- strided views ----------------------------------------------------------------------------------------------- */

/* Makes it an access of a strided view, at tile `at` of the last dimension; in two dimensions the rows of tiles are
 * `rows` elements apart, and it is row 1. */
static void stride(struct ck *t, struct access *a)
{
    const int inner = a->v.extents.count - 1;

    a->v.steps.count = inner + 1;
    a->v.steps.of[0] = ck_int(t, "rows");
    a->v.steps.of[inner] = ck_int(t, "step");
    a->v.index.of[inner] = ck_int(t, "at");
}

/* Launches it; a copy is the box that begins at the same element. */
static enum ck_end strided(struct ck *t, const struct access *a, bool load)
{
    char kernel[64];

    if (a->copy)
        return load ? access_load(t, a) : access_store(t, a);
    snprintf(kernel, sizeof kernel, "view_strided_%s%d_%s_%s_%s", load ? "load" : "store", a->v.extents.count,
             view_type_name(a->v.type), ck_word(t, "rows"), ck_word(t, "step"));
    return access_by(t, a, kernel);
}

/* Tile `at` begins at element at * step, and has neighbouring elements from there on; what lies over the end is zero.
 */
static void load_by_steps(struct ck *t)
{
    struct access a = access_to_load_zero(t);
    const unsigned char *expected;

    stride(t, &a);
    expected = access_loaded(t, &a);
    if (ck_variant(t, "at"))
        a.v.index.of[a.v.index.count - 1] += ck_int(t, "at") ? -1 : 1;
    strided(t, &a, true);
    ck_equal(t, a.tile, expected);
}

/* The same of a store: the elements before, behind and between the tiles keep their bytes. */
static void store_by_steps(struct ck *t)
{
    struct access a = access_to_store_zero(t);
    const unsigned char *expected;

    stride(t, &a);
    expected = access_stored(t, &a);
    if (ck_variant(t, "at"))
        a.v.index.of[a.v.index.count - 1] += ck_int(t, "at") ? -1 : 1;
    strided(t, &a, false);
    ck_equal(t, a.array, expected);
}

/* The tile begins inside the array; of a copy, at a multiple of 16 bytes. */
static bool begins_inside(struct ck *t)
{
    return ck_int(t, "at") * ck_int(t, "step") < 2 * ACCESS_INNER &&
           (!ck_is(t, "by", "copy") || ck_int(t, "at") * ck_int(t, "step") % 4 == 0);
}

/* The last tile: the next step begins outside. */
static bool is_last(struct ck *t)
{
    return begins_inside(t) && (ck_int(t, "at") + 1) * ck_int(t, "step") >= 2 * ACCESS_INNER;
}

/* ---- chosen rows ------------------------------------------------------------------------------------------------- */

enum { CHOSEN = 4, ROWS_MAX = 8 };

/* Four numbers of rows of an array that has eight, by name. */
static const int32_t *rows_named(struct ck *t)
{
    static const struct {
        const char *name;
        int32_t rows[CHOSEN];
    } lists[] = {
        { "first", { 0, 1, 2, 3 } },    { "reversed", { 7, 5, 3, 1 } },
        { "mixed", { 6, 0, 7, 2 } },    { "twice", { 5, 2, 5, 1 } },
        { "same", { 3, 3, 3, 3 } },     { "behind", { 1, 8, 6, 9 } },
        { "before", { -1, 4, 0, -2 } }, { "far", { 2, INT32_MAX, 5, INT32_MIN } },
    };

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (ck_is(t, "rows", lists[i].name))
            return lists[i].rows;
    return lists[0].rows;
}

struct chosen {
    struct access a; /* its index: element 0 of the rows' dimension, and the elements at which the tile begins */
    int dim;         /* of the rows */
    const int32_t *rows;
};

static struct chosen choose(struct ck *t, bool load)
{
    struct chosen c = { .rows = rows_named(t) };

    c.a = load ? access_to_load_zero(t) : access_to_store_zero(t);
    c.dim = c.a.v.extents.count - 2;
    memset(c.a.v.index.of, 0, sizeof c.a.v.index.of);
    c.a.v.index.of[c.dim + 1] = ck_int(t, "from");
    return c;
}

/* Where element `number` of the tile is in the array, in elements; -1 outside. */
static int64_t chosen_offset(const struct chosen *c, size_t number)
{
    const struct view_access *v = &c->a.v;
    const int64_t column = v->index.of[c->dim + 1] + (int64_t)(number % ACCESS_INNER);
    const int64_t row = c->rows[number / ACCESS_INNER % CHOSEN], slab = (int64_t)(number / ACCESS_INNER / CHOSEN);

    if (row < 0 || row >= v->extents.of[c->dim] || column >= v->extents.of[c->dim + 1])
        return -1;
    return (c->dim ? slab * v->strides.of[0] : 0) + row * v->strides.of[c->dim] + column;
}

static enum ck_end access_rows(struct ck *t, const struct chosen *c, bool load)
{
    struct view_args args = { .array = c->a.array.device, .tile = c->a.tile.device };
    const struct ck_buf rows = ck_zeroed(t, CHOSEN * sizeof *c->rows);
    char kernel[64];

    memcpy(rows.host, c->rows, CHOSEN * sizeof *c->rows);
    if (ck_variant(t, "row")) {
        const int32_t other = c->rows[0] < 0 ? 0 : c->rows[0] ^ 4;
        memcpy(rows.host, &other, sizeof other);
    }
    ck_changed(t, rows);
    args.rows = rows.device;
    for (int i = 0; i < c->a.v.extents.count; i++) {
        args.extents[i] = (int32_t)c->a.v.extents.of[i];
        args.strides[i] = (int32_t)c->a.v.strides.of[i];
        args.index[i] = (int32_t)c->a.v.index.of[i];
    }
    snprintf(kernel, sizeof kernel, "view_rows_%s%d_%s", load ? "load" : "store", c->a.v.extents.count,
             view_type_name(c->a.v.type));
    return ck_launch(t, &(struct ck_launch){ .kernel = kernel, .members = true, .args = &args, .size = sizeof args });
}

/* Row r of the tile is the array's row that number r names, from element `from` on; zero where there is none. */
static void load_rows(struct ck *t)
{
    const struct chosen c = choose(t, true);
    const size_t size = view_type_bytes(c.a.v.type);
    unsigned char *expected = ck_alloc(t, c.a.tile.size);

    for (size_t i = 0; i * size < c.a.tile.size; i++)
        if (chosen_offset(&c, i) >= 0)
            memcpy(expected + i * size, c.a.array.host + (size_t)chosen_offset(&c, i) * size, size);
    access_rows(t, &c, true);
    ck_equal(t, c.a.tile, expected);
}

/* The same of a store; a row that does not exist is dropped. */
static void store_rows(struct ck *t)
{
    const struct chosen c = choose(t, false);
    const size_t size = view_type_bytes(c.a.v.type);
    unsigned char *expected = ck_alloc(t, c.a.array.size);

    memset(expected, CK_POISON, c.a.array.size);
    for (size_t i = 0; i * size < c.a.tile.size; i++)
        if (chosen_offset(&c, i) >= 0)
            memcpy(expected + (size_t)chosen_offset(&c, i) * size, c.a.tile.host + i * size, size);
    access_rows(t, &c, false);
    ck_equal(t, c.a.array, expected);
}

#define STEPS1(values)                                                                                                 \
    { "rank", "=1" }, { "rows", "=1" },                                                                                \
    {                                                                                                                  \
        "step", values                                                                                                 \
    }
#define STEPS2(values)                                                                                                 \
    { "rank", "=2" }, { "rows", "1 3 6" },                                                                             \
    {                                                                                                                  \
        "step", values                                                                                                 \
    }
#define EVERY "1 4 15 16 17 24 32"
#define ANOTHER                                                                                                        \
    {                                                                                                                  \
        "at", "take the tile beside it"                                                                                \
    }
#define ANOTHER_ROW                                                                                                    \
    {                                                                                                                  \
        "row", "name another row first"                                                                                \
    }

#define SPAN "ct::tensor_span{ pf, ct::extents{ n, n } }"

static const struct ck_case cases[] = {
    { CK_RULE(tile_strided_start), .run = load_by_steps,
      .axes = { STEPS1("1 4 15 16 17 24 32"), { "at", "0..31" }, { "type", "u8 u32" }, TILE }, .valid = begins_inside,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_start), .name = "two-dimensions", .run = load_by_steps,
      .axes = { STEPS2("1 4 15 16 17 24 32"), { "at", "0..31" }, { "type", "=u32" }, TILE }, .valid = begins_inside,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_start), LOWERED, .run = load_by_steps,
      .axes = { STEPS2("4 8 12 16 20 24 28"), { "at", "0..31" }, { "type", "=u32" }, COPY }, .valid = begins_inside,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_count), .run = load_by_steps,
      .axes = { STEPS1("1 4 15 16 17 24 32"), { "at", "0..31" }, { "type", "u8 u32" }, TILE }, .valid = is_last,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_count), .name = "two-dimensions", .run = load_by_steps,
      .axes = { STEPS2("1 4 15 16 17 24 32"), { "at", "0..31" }, { "type", "=u32" }, TILE }, .valid = is_last,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_count), LOWERED, .run = load_by_steps,
      .axes = { STEPS2("4 8 12 16 20 24 28"), { "at", "0..31" }, { "type", "=u32" }, COPY }, .valid = is_last,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_overlap), .run = load_by_steps,
      .axes = { STEPS1("1 4 15"), { "at", "0..31" }, { "type", "u8 u32" }, TILE }, .valid = begins_inside,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_overlap), .name = "two-dimensions", .run = load_by_steps,
      .axes = { STEPS2("1 4 15"), { "at", "0..31" }, { "type", "=u32" }, TILE }, .valid = begins_inside,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_overlap), LOWERED, .run = load_by_steps,
      .axes = { STEPS2("4 8 12"), { "at", "0..31" }, { "type", "=u32" }, COPY }, .valid = begins_inside,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_gap), .run = store_by_steps,
      .axes = { STEPS1("17 24 32"), { "at", "0 1" }, { "type", "u8 u32" }, TILE }, .valid = begins_inside,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_gap), .name = "two-dimensions", .run = store_by_steps,
      .axes = { STEPS2("17 24 32"), { "at", "0 1" }, { "type", "=u32" }, TILE }, .valid = begins_inside,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_gap), LOWERED, .run = store_by_steps,
      .axes = { STEPS2("20 24 28"), { "at", "0 1" }, { "type", "=u32" }, COPY }, .valid = begins_inside,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_not_element_step), .run = load_by_steps,
      .axes = { STEPS1("4 15 17 24"), { "at", "0 1" }, { "type", "u8 u32" }, TILE }, .valid = begins_inside,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_not_element_step), .name = "two-dimensions", .run = load_by_steps,
      .axes = { STEPS2("4 15 17 24"), { "at", "0 1" }, { "type", "=u32" }, TILE }, .valid = begins_inside,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_strided_not_element_step), LOWERED, .run = load_by_steps,
      .axes = { STEPS2("4 8 12 20 24 28"), { "at", "0 1" }, { "type", "=u32" }, COPY }, .valid = begins_inside,
      .mutants = { ANOTHER } },
    { CK_RULE(tile_rows_load), .run = load_rows,
      .axes = { { "rank", "2" },
                { "rows", "first reversed mixed" },
                { "from", "0..16" },
                { "type", "u8 u16 u32 u64" },
                TILE },
      .mutants = { ANOTHER_ROW } },
    { CK_RULE(tile_rows_load), .name = "rank-3", .run = load_rows,
      .axes = { { "rank", "3" }, { "rows", "first reversed mixed" }, { "from", "0..16" }, { "type", "u8 u32" }, TILE },
      .mutants = { ANOTHER_ROW } },
    { CK_RULE(tile_rows_store), .run = store_rows,
      .axes = { { "rank", "2" },
                { "rows", "first reversed mixed" },
                { "from", "0..16" },
                { "type", "u8 u16 u32 u64" },
                TILE },
      .mutants = { ANOTHER_ROW } },
    { CK_RULE(tile_rows_store), .name = "rank-3", .run = store_rows,
      .axes = { { "rank", "3" }, { "rows", "first reversed mixed" }, { "from", "0..16" }, { "type", "u8 u32" }, TILE },
      .mutants = { ANOTHER_ROW } },
    { CK_RULE(tile_rows_duplicates), .run = load_rows,
      .axes = { { "rank", "2" }, { "rows", "twice same" }, { "from", "0..16" }, { "type", "u8 u16 u32 u64" }, TILE },
      .mutants = { ANOTHER_ROW } },
    { CK_RULE(tile_rows_duplicates), .name = "rank-3", .run = load_rows,
      .axes = { { "rank", "3" }, { "rows", "twice same" }, { "from", "0..16" }, { "type", "u8 u32" }, TILE },
      .mutants = { ANOTHER_ROW } },
    { CK_RULE(tile_rows_oob), .run = load_rows,
      .axes = { { "rank", "2" },
                { "rows", "behind before far" },
                { "from", "0..16" },
                { "type", "u8 u16 u32 u64" },
                TILE },
      .mutants = { ANOTHER_ROW } },
    { CK_RULE(tile_rows_oob), .name = "rank-3", .run = load_rows,
      .axes = { { "rank", "3" }, { "rows", "behind before far" }, { "from", "0..16" }, { "type", "u8 u32" }, TILE },
      .mutants = { ANOTHER_ROW } },
    { CK_RULE(tile_rows_oob), .name = "store", .run = store_rows,
      .axes = { { "rank", "2" },
                { "rows", "behind before far" },
                { "from", "0..16" },
                { "type", "u8 u16 u32 u64" },
                TILE },
      .mutants = { ANOTHER_ROW } },
    { CK_RULE(tile_rows_oob), .name = "store-rank-3", .run = store_rows,
      .axes = { { "rank", "3" }, { "rows", "behind before far" }, { "from", "0..16" }, { "type", "u8 u32" }, TILE },
      .mutants = { ANOTHER_ROW } },
    { CK_RULE(tile_view_kinds), .compile = "auto v = ct::$; (void)v;",
      .accept = "partition_view{ " SPAN ", ct::shape{ 2_ic, 4_ic } }", .refuse = "partition_view{ " SPAN " }" },
    { CK_RULE(tile_view_kinds), .name = "13.4", .needs = "sm_90, toolkit 13.4", .compile = "auto v = ct::$; (void)v;",
      .accept = "strided_view{ " SPAN ", ct::shape{ 2_ic, 4_ic }, ct::strides{ 1_ic, 2_ic } }"
                "|gather_scatter_view{ " SPAN ", ct::shape{ 2_ic, 4_ic }, 0_ic }",
      .refuse = "strided_view{ " SPAN ", ct::shape{ 2_ic, 4_ic } }"
                "|gather_scatter_view{ " SPAN ", ct::shape{ 2_ic, 4_ic } }" },
    { CK_RULE(tile_strided_positive),
      .compile = "auto v = ct::strided_view{ " SPAN ", ct::shape{ 2_ic, 4_ic }, ct::strides{ $ } }; (void)v;",
      .accept = "1_ic, 1_ic|2_ic, 4_ic|3_ic, 5_ic|16_ic, 1_ic",
      .refuse = "0_ic, 1_ic|1_ic, 0_ic|1_ic|1_ic, 1_ic, 1_ic|n, 1_ic|-1_ic, 1_ic" },
    { CK_RULE(tile_rows_one_sparse),
      .compile = "auto v = ct::gather_scatter_view{ " SPAN ", ct::shape{ 8_ic, 4_ic }, 0_ic }; auto i = "
                 "ct::iota<i32x8>(); auto j = ct::iota<ct::tile<int, ct::shape<4>>>(); (void)v.load_masked($);",
      .accept = "i, 0|i, n|i, 4u", .refuse = "0, 0|i, j|0, j|j, 0|i|i, 0, 0" },
    { 0 }
};

const struct ck_suite suite_cuda_tile_strided = { "cuda_tile_strided", cases };
// SPDX-License-Identifier: Apache-2.0
