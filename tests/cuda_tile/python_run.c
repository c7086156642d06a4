/* Kernels in cuTile Python, kernels/cutile, on the GPU: what loads pad and stores drop, gather, scatter and atomics.
 * They are built where tools/toolkit cutile-1.7 has fetched their compiler. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/ck.h"

enum { HIGH = 4, WIDE = 16, PITCH = 56, ROWS_MAX = 24, COUNT = 16 };

static void run_python(struct ck *t, const char *entry, const void *args, size_t size)
{
    char kernel[64];

    snprintf(kernel, sizeof kernel, "py_%s", entry);
    ck_launch(t, &(struct ck_launch){ .kernel = kernel, .members = true, .args = args, .size = size });
}

/* ---- tiles of a two-dimensional array -----------------------------------------------------------------------------
 */

struct matrix {
    uint64_t address;
    int32_t lengths[2], strides[2];
};

struct tile_args {
    struct ck_head head;
    struct matrix array, tile;
    int32_t i, j;
};

static struct tile_args tile_args_of(struct ck *t, uint64_t array, uint64_t tile)
{
    return (struct tile_args){ .array = { array, { (int)ck_int(t, "rows"), (int)ck_int(t, "columns") }, { PITCH, 1 } },
                               .tile = { tile, { HIGH, WIDE }, { WIDE, 1 } },
                               .i = (int)ck_int(t, "i"),
                               .j = (int)ck_int(t, "j") };
}

/* A part of the tile is in the array. */
static bool touches(struct ck *t)
{
    return ck_int(t, "i") * HIGH < ck_int(t, "rows") && ck_int(t, "j") * WIDE < ck_int(t, "columns");
}

static bool is_inside(struct ck *t)
{
    return (ck_int(t, "i") + 1) * HIGH <= ck_int(t, "rows") && (ck_int(t, "j") + 1) * WIDE <= ck_int(t, "columns");
}

/* Tile axis 0 runs over columns. */
static bool touches_turned(struct ck *t)
{
    return ck_int(t, "j") * WIDE < ck_int(t, "rows") && ck_int(t, "i") * HIGH < ck_int(t, "columns");
}

static float padding_of(struct ck *t)
{
    return ck_is(t, "mode", "neg_zero")  ? -0.0f
           : ck_is(t, "mode", "nan")     ? NAN
           : ck_is(t, "mode", "pos_inf") ? INFINITY
           : ck_is(t, "mode", "neg_inf") ? -INFINITY
                                         : 0.0f;
}

/* One tile is loaded. What lies outside the array is its padding; where that is a NaN, any NaN, and where it is
 * undetermined, anything. */
static void loads_tile(struct ck *t)
{
    const struct ck_buf array = ck_input(t, (size_t)4 * ROWS_MAX * PITCH), tile = ck_output(t, (size_t)4 * HIGH * WIDE);
    struct tile_args a = tile_args_of(t, array.device, tile.device);
    const bool turned = ck_is(t, "mode", "f");
    const float padding = padding_of(t);
    bool outside[HIGH * WIDE];
    unsigned char expected[4 * HIGH * WIDE];

    for (int k = 0; k < HIGH * WIDE; k++) {
        const int x = a.i * HIGH + k / WIDE, y = a.j * WIDE + k % WIDE;
        const int row = turned ? y : x, column = turned ? x : y;

        outside[k] = row >= a.array.lengths[0] || column >= a.array.lengths[1];
        memcpy(expected + 4 * k, outside[k] ? (const void *)&padding : array.host + 4 * (row * PITCH + column), 4);
    }
    if (ck_variant(t, "next"))
        a.array.address += 4;
    {
        char entry[32];

        snprintf(entry, sizeof entry, "load_%s", ck_word(t, "mode"));
        run_python(t, entry, &a, sizeof a);
    }
    for (int k = 0; k < HIGH * WIDE; k++) {
        float got;

        memcpy(&got, tile.host + 4 * k, 4);
        if (outside[k] && (ck_is(t, "mode", "undetermined") || (isnan(padding) && isnan(got))))
            memcpy(expected + 4 * k, &got, 4);
    }
    ck_equal(t, tile, expected);
}

/* One tile is stored: what lies outside the array stays as it was. */
static void stores_tile(struct ck *t)
{
    const struct ck_buf array = ck_output(t, (size_t)4 * ROWS_MAX * PITCH), tile = ck_input(t, (size_t)4 * HIGH * WIDE);
    struct tile_args a = tile_args_of(t, array.device, tile.device);
    unsigned char *const expected = ck_alloc(t, array.size);

    memset(expected, CK_POISON, array.size);
    for (int k = 0; k < HIGH * WIDE; k++) {
        const int row = a.i * HIGH + k / WIDE, column = a.j * WIDE + k % WIDE;

        if (row < a.array.lengths[0] && column < a.array.lengths[1])
            memcpy(expected + 4 * (row * PITCH + column), tile.host + 4 * k, 4);
    }
    if (ck_variant(t, "next"))
        a.array.address += 4;
    run_python(t, ck_word(t, "by"), &a, sizeof a);
    ck_equal(t, array, expected);
}

/* ---- elements by their indices ------------------------------------------------------------------------------------
 */

struct line {
    uint64_t address;
    int32_t length, stride;
};

struct index_args {
    struct ck_head head;
    struct line array, values, indices, mask;
    int32_t padding;
};

struct indexed {
    struct index_args a;
    struct ck_buf array, values, indices, mask;
    int32_t at[COUNT], on[COUNT];
};

/* Sixteen indices, in an order that is not sorted, of which some are below 0 or behind an array of n elements. */
static struct indexed indexed_of(struct ck *t)
{
    static const int32_t first[COUNT] = { 3, 0, -1, 7, 15, 8, 1, 12, -16, 20, 5, 31, 0x7fffffff, 2, 64, -0x7fffffff };
    const int32_t n = (int32_t)ck_int(t, "n");
    struct indexed x = { .array = ck_input(t, 4 * 80),
                         .values = ck_input(t, 4 * COUNT),
                         .indices = ck_zeroed(t, 4 * COUNT),
                         .mask = ck_zeroed(t, 4 * COUNT) };

    for (int k = 0; k < COUNT; k++) {
        x.at[k] = first[k];
        x.on[k] = k % 3 != 1;
    }
    memcpy(x.indices.host, x.at, sizeof x.at);
    memcpy(x.mask.host, x.on, sizeof x.on);
    ck_changed(t, x.indices);
    ck_changed(t, x.mask);
    x.a = (struct index_args){ .array = { x.array.device, n, 1 },
                               .values = { x.values.device, COUNT, 1 },
                               .indices = { x.indices.device, COUNT, 1 },
                               .mask = { x.mask.device, COUNT, 1 },
                               .padding = 7 };
    return x;
}

static bool counts(const struct indexed *x, int k, bool masked)
{
    return x->at[k] >= 0 && x->at[k] < x->a.array.length && (!masked || x->on[k]);
}

static void next_array(struct ck *t, struct indexed *x)
{
    if (ck_variant(t, "next"))
        x->a.array.address += 4;
}

/* The array's elements where the index is inside and the mask true, the padding elsewhere. */
static void gathers(struct ck *t)
{
    struct indexed x = indexed_of(t);
    const bool masked = ck_is(t, "by", "gather_mask");
    const int32_t padding = ck_is(t, "by", "gather_pad") ? x.a.padding : 0;
    unsigned char expected[4 * COUNT];

    for (int k = 0; k < COUNT; k++)
        memcpy(expected + 4 * k,
               counts(&x, k, masked) ? (const void *)(x.array.host + 4 * x.at[k]) : (const void *)&padding, 4);
    next_array(t, &x);
    run_python(t, ck_word(t, "by"), &x.a, sizeof x.a);
    ck_equal(t, x.values, expected);
}

/* Only the elements whose index is inside and whose mask is true are written, or added to. */
static void scatters(struct ck *t)
{
    struct indexed x = indexed_of(t);
    const bool masked = ck_is(t, "by", "scatter_mask"), adds = ck_is(t, "by", "atomic_add");
    unsigned char *const expected = ck_alloc(t, x.array.size);

    memcpy(expected, x.array.host, x.array.size);
    for (int k = 0; k < COUNT; k++) {
        uint32_t value, old;

        if (!counts(&x, k, masked))
            continue;
        memcpy(&value, x.values.host + 4 * k, 4);
        memcpy(&old, expected + 4 * x.at[k], 4);
        value += adds ? old : 0;
        memcpy(expected + 4 * x.at[k], &value, 4);
    }
    next_array(t, &x);
    run_python(t, ck_word(t, "by"), &x.a, sizeof x.a);
    ck_equal(t, x.array, expected);
}

#define NEXT                                                                                                           \
    {                                                                                                                  \
        "next", "let the array begin one element later"                                                                \
    }
#define LENGTHS                                                                                                        \
    { "rows", "1 4 10" },                                                                                              \
    {                                                                                                                  \
        "columns", "1 16 40"                                                                                           \
    }
#define INDEX                                                                                                          \
    { "i", "0..2" },                                                                                                   \
    {                                                                                                                  \
        "j", "0..2"                                                                                                    \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tile_py_load_formula), .run = loads_tile,
      .axes = { { "mode", "=zero" }, { "rows", "=12" }, { "columns", "=48" }, INDEX }, .valid = is_inside,
      .mutants = { NEXT } },
    { CK_RULE(tile_py_two_forms), .name = "load", .run = loads_tile,
      .axes = { { "mode", "zero view" }, LENGTHS, INDEX }, .valid = touches, .mutants = { NEXT } },
    { CK_RULE(tile_py_order_value), .run = loads_tile,
      .axes = { { "mode", "=f" },
                { "rows", "1 10 16 24" },
                { "columns", "1 4 10 40" },
                { "i", "0..9" },
                { "j", "0 1" } },
      .valid = touches_turned, .mutants = { NEXT } },
    { CK_RULE(tile_py_padding_default), .run = loads_tile, .axes = { { "mode", "=undetermined" }, LENGTHS, INDEX },
      .valid = touches, .mutants = { NEXT } },
    { CK_RULE(tile_py_padding_values), .run = loads_tile,
      .axes = { { "mode", "zero neg_zero nan pos_inf neg_inf" }, LENGTHS, INDEX }, .valid = touches,
      .mutants = { NEXT } },
    { CK_RULE(tile_py_store_drop), .run = stores_tile, .axes = { { "by", "store store_view" }, LENGTHS, INDEX },
      .valid = touches, .mutants = { NEXT } },

    { CK_RULE(tile_py_gather_default), .run = gathers,
      .axes = { { "by", "gather gather_pad gather_mask" }, { "n", "4 8 13 16 32 65" } }, .mutants = { NEXT } },
    { CK_RULE(tile_py_scatter_default), .run = scatters,
      .axes = { { "by", "scatter scatter_mask" }, { "n", "4 8 13 16 32 65" } }, .mutants = { NEXT } },
    { CK_RULE(tile_py_atomic_oob), .run = scatters, .axes = { { "by", "=atomic_add" }, { "n", "4 8 13 16 32 65" } },
      .mutants = { NEXT } },
    { 0 },
};

const struct ck_suite suite_cuda_tile_python_run = { "cuda_tile_python_run", cases };
// SPDX-License-Identifier: Apache-2.0
