/* Tile-space loads and stores of full tiles. */
#include <stdio.h>
#include <string.h>

#include "kernels/tile_grid.h"
#include "tests/cuda_tile/access.h"
#include "tests/tensor/box.h"

/* ---- every tile, every size -------------------------------------------------------------------------------------- */

/* A store of any full tile writes each element to its own place, and nothing else. */
static void stores(struct ck *t)
{
    struct access a = access_to_store(t);
    const unsigned char *expected;

    access_pick(&a, ck_int(t, "at"));
    expected = access_stored(t, &a);
    if (ck_variant(t, "index"))
        access_pick(&a, ck_int(t, "at") ^ 1);
    if (ck_variant(t, "wider")) { /* the tile beside it too */
        access_store(t, &a);
        access_pick(&a, ck_int(t, "at") ^ 1);
    }
    access_store(t, &a);
    ck_equal(t, a.array, expected);
}

/* Makes it a tile of `size` elements of an array of three such tiles, the one that `at` numbers. */
static void resize(struct ck *t, struct access *a, bool load)
{
    const int64_t size = ck_int(t, "size");
    const size_t bytes = (size_t)size * view_type_bytes(a->v.type) + (a->copy ? 512 : 0);

    a->v.tile.of[0] = size;
    a->v.extents.of[0] = 3 * size;
    a->v.index.of[0] = ck_int(t, "at");
    access_place(t, a, load);
    a->tile = load ? ck_output(t, bytes) : ck_input(t, bytes);
}

static void sized(struct ck *t, const struct access *a, const char *what)
{
    char kernel[64];

    snprintf(kernel, sizeof kernel, "sized_%s%d_%s", what, (int)a->v.tile.of[0], view_type_name(a->v.type));
    access_by(t, a, kernel);
}

/* A load of a tile of any size returns its elements. */
static void loads_sized(struct ck *t)
{
    struct access a = access_to_load(t);
    const unsigned char *expected;

    resize(t, &a, true);
    expected = access_loaded(t, &a);
    if (ck_variant(t, "index"))
        a.v.index.of[0] = (a.v.index.of[0] + 1) % 3;
    if (a.copy)
        access_load(t, &a);
    else
        sized(t, &a, "load");
    ck_equal(t, a.tile, expected);
}

/* A store of a tile of any size writes its elements, and nothing else. */
static void stores_sized(struct ck *t)
{
    struct access a = access_to_store(t);
    const unsigned char *expected;

    resize(t, &a, false);
    expected = access_stored(t, &a);
    if (ck_variant(t, "index"))
        a.v.index.of[0] = (a.v.index.of[0] + 1) % 3;
    if (a.copy)
        access_store(t, &a);
    else
        sized(t, &a, "store");
    ck_equal(t, a.array, expected);
}

/* valid: a row of the box has a multiple of 16 bytes. */
static bool whole_chunks(struct ck *t)
{
    const enum view_type type = (enum view_type)view_type_find(ck_word(t, "type"));

    return (size_t)ck_int(t, "size") * view_type_bytes(type) % 16 == 0;
}

/* ---- what a load brings ------------------------------------------------------------------------------------------ */

/* Elements whose bits arithmetic would change: NaNs with payloads, signaling ones, minus zero, subnormals. */
static void fill_patterns(struct ck *t, struct access *a)
{
    static const unsigned char top[] = { 0x7F, 0xFF, 0x80, 0x00, 0x7C, 0xFC, 0x7E, 0x01 },
                               next[] = { 0xF0, 0x80, 0x00, 0x01, 0xC0, 0xFF, 0x7F, 0xBF };
    const size_t size = view_type_bytes(a->v.type);

    for (size_t i = 0; i + size <= a->array.size; i += size) {
        a->array.host[i + size - 1] = top[i / size % 8];
        if (size > 1)
            a->array.host[i + size - 2] = next[i / size / 8 % 8];
        for (size_t k = 0; size > 2 && k < size - 2; k++)
            a->array.host[i + k] = (unsigned char)(i / size % 3 ? 1 + i / size + k : 0);
    }
    ck_changed(t, a->array);
}

/* Every bit of an element arrives, whatever it means as a number. */
static void bits_arrive(struct ck *t)
{
    struct access a = access_to_load(t);
    const unsigned char *expected;

    fill_patterns(t, &a);
    access_pick(&a, ck_int(t, "at"));
    expected = access_loaded(t, &a);
    if (ck_variant(t, "zero")) { /* as adding 0 to -0 would */
        memset(a.array.host, 0, a.array.size);
        ck_changed(t, a.array);
    }
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

/* The tile is in row-major order, whether the array is row-major or its first index is the fastest: element number k of
 * the tile plus k is what comes. */
static void row_major_tile(struct ck *t)
{
    struct access a = access_to_load(t);
    uint32_t *expected;

    if (ck_is(t, "layout", "left"))
        a.v.strides = (struct view_list){ 2, { 1, a.v.extents.of[0] } };
    access_place(t, &a, true);
    access_pick(&a, ck_int(t, "at"));
    expected = (uint32_t *)(void *)access_loaded(t, &a);
    for (uint32_t i = 0; i < 64; i++)
        expected[i] += i;
    access_by(t, &a, "span_numbered");
    ck_equal(t, a.tile, expected);
}

/* Bytes 0 and 1, loaded and stored as bool, are the same bytes. */
static void bools(struct ck *t)
{
    struct access a = access_to_load(t);
    const unsigned char *expected;

    for (size_t i = 0; i < a.array.size; i++)
        a.array.host[i] &= 1;
    ck_changed(t, a.array);
    access_pick(&a, ck_int(t, "at"));
    expected = access_loaded(t, &a);
    if (ck_variant(t, "inverted")) {
        for (size_t i = 0; i < a.array.size; i++)
            a.array.host[i] ^= 1;
        ck_changed(t, a.array);
    }
    access_by(t, &a, "span_bool");
    ck_equal(t, a.tile, expected);
}

/* Truth values of comparisons are stored as bytes 0 and 1. */
static void bools_made(struct ck *t)
{
    struct access a = access_to_load(t);
    const int64_t n = ck_int(t, "n");
    unsigned char *expected = ck_alloc(t, 16);

    memset(expected, 1, (size_t)n);
    a.v.extents.of[0] = n + ck_variant(t, "one-more");
    access_by(t, &a, "span_bool_made");
    ck_equal_at(t, a.tile, 0, expected, 16);
}

/* Index 1 of a dimension begins at element T of it, not at element 1. The array is large enough that index T, which the
 * mutant takes, is a tile too. */
static void index_in_tiles(struct ck *t)
{
    struct access a = access_to_load(t);
    const int dim = (int)ck_int(t, "dim"), rank = a.v.extents.count;
    const unsigned char *expected;
    int64_t stride = 1;

    memset(a.v.index.of, 0, sizeof a.v.index.of);
    a.v.index.of[dim] = 1;
    a.v.extents.of[dim] = a.v.tile.of[dim] * (a.v.tile.of[dim] + 1);
    for (int i = rank - 1; i >= 0; i--) {
        a.v.strides.of[i] = stride;
        stride *= a.v.extents.of[i];
    }
    access_place(t, &a, true);
    expected = access_loaded(t, &a);
    if (ck_variant(t, "elements"))
        a.v.index.of[dim] = a.v.tile.of[dim];
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

static bool dim_in_rank(struct ck *t)
{
    return ck_int(t, "dim") < ck_int(t, "rank");
}

/* A load leaves the array as it was. */
static void array_unchanged(struct ck *t)
{
    struct access a = access_to_load(t);
    unsigned char *before;

    access_pick(&a, ck_int(t, "at"));
    before = ck_alloc(t, a.array.size);
    memcpy(before, a.array.host, a.array.size);
    access_load(t, &a);
    if (ck_variant(t, "store")) {
        access_pick(&a, ck_int(t, "at") ^ 1);
        access_store(t, &a);
    }
    ck_equal(t, a.array, before);
}

/* The last tile of an array of `n` elements, whatever n is. */
static void any_length(struct ck *t)
{
    const int64_t n = ck_int(t, "n");
    struct access a = access_to_load(t);
    const unsigned char *expected;
    int64_t round = 2;

    while (round < n)
        round *= 2;
    a.array = ck_input(t, 640 * view_type_bytes(a.v.type));
    a.v.extents.of[0] = n;
    a.v.index.of[0] = (n - 1) / ACCESS_INNER;
    expected = access_loaded(t, &a);
    if (ck_variant(t, "power"))
        a.v.extents.of[0] = round;
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

/* valid: the last tile is partly outside. */
static bool not_whole(struct ck *t)
{
    return ck_int(t, "n") % ACCESS_INNER;
}

/* ---- when a load or a store is complete -------------------------------------------------------------------------- */

/* What a load returns is there when it returns; the tensor copy must be waited for. */
static void complete(struct ck *t)
{
    struct access a = access_to_load(t);
    const unsigned char *expected;

    access_pick(&a, ck_int(t, "at"));
    expected = access_loaded(t, &a);
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

/* A load after a store of the same elements, through the same view or another, returns what was stored. */
static void store_then_load(struct ck *t)
{
    struct access a = access_to_store(t);
    unsigned char *expected = ck_alloc(t, 256);

    access_pick(&a, ck_int(t, "at"));
    memcpy(expected, a.tile.host, 256);
    a.tile = ck_output(t, 512);
    memcpy(a.tile.host, expected, 256);
    ck_changed(t, a.tile);
    access_by(t, &a, ck_is(t, "view", "same") ? "span_then_load_same" : "span_then_load_other");
    ck_equal_at(t, a.tile, 256, expected, 256);
}

/* The same of a box: the load begins when the store is complete. */
static void store_then_load_copy(struct ck *t)
{
    struct access a = access_to_store(t);
    struct tile_again_args args = { .rank = (uint32_t)a.v.extents.count };
    const size_t bytes = view_elements(&a.v) * view_type_bytes(a.v.type);
    const struct ck_buf in = ck_input(t, bytes), out = ck_output(t, bytes);
    struct tensor_map map;
    int32_t corner[TENSOR_CORNER];

    access_pick(&a, ck_int(t, "at"));
    view_lower(&a.v, &map, corner);
    memcpy(args.corner, corner, sizeof args.corner);
    args.bytes = (uint32_t)bytes;
    args.in = in.device;
    args.out = out.device;
    ck_encode(t, &map, a.array, &args.map);
    ck_launch(t, &(struct ck_launch){ .kernel = "tile_again",
                                      .block = { 32 },
                                      .smem = 2 * ((args.bytes + 127) / 128 * 128) + 16,
                                      .args = &args,
                                      .size = sizeof args });
    ck_equal(t, out, in.host);
}

/* A tile of 16 x 64 of an array that a tensor copy can load, with the hint that one may be used, or that none may: the
 * bytes are the same. */
static void either_way(struct ck *t)
{
    struct access a = access_to_load_zero(t);
    unsigned char *expected;
    char kernel[64];

    a.v.tile = (struct view_list){ 2, { 16, 64 } };
    a.v.extents = (struct view_list){ 2, { 40, 160 } };
    a.v.strides = (struct view_list){ 2, { 160 + 16 * ck_int(t, "pad"), 1 } };
    access_place(t, &a, true);
    access_pick(&a, ck_int(t, "at"));
    a.tile = ck_output(t, view_elements(&a.v) * view_type_bytes(a.v.type) + (a.copy ? 512 : 0));
    expected = access_loaded(t, &a);
    if (ck_variant(t, "index"))
        a.v.index.of[0] ^= 1;
    snprintf(kernel, sizeof kernel, "hinted_load_%s_%s", view_type_name(a.v.type),
             ck_is(t, "tma", "yes") ? "true" : "false");
    if (a.copy)
        access_load(t, &a);
    else
        access_by(t, &a, kernel);
    ck_equal(t, a.tile, expected);
}

#define INDEX                                                                                                          \
    {                                                                                                                  \
        "index", "take another tile"                                                                                   \
    }
#define NO_WAIT                                                                                                        \
    {                                                                                                                  \
        "no-wait", "do not wait for the copy", .kernel = "no_wait"                                                     \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tile_load_identity), .name = "types", .run = access_loads_any,
      .axes = { { "rank", "=2" }, { "at", "0..3" }, { "type", ALL_TYPES }, PLAIN, TILE }, .mutants = { INDEX } },
    { CK_RULE(tile_load_identity), .name = "sizes", .run = loads_sized,
      .axes = { { "rank", "=1" },
                { "size", "1 2 4 8 16 32 64 128 256" },
                { "at", "0..2" },
                { "type", "u8 u32 u64" },
                PLAIN,
                TILE },
      .mutants = { INDEX } },
    { CK_RULE(tile_load_identity), LOWERED, .run = access_loads_any,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", "s8 s16 u32 s32 u64 s64 bf16 e5m2" }, PLAIN, COPY },
      .valid = access_at, .mutants = { INDEX } },
    { CK_RULE(tile_load_identity), .name = "lowered-sizes", .needs = "sm_90, PTX 8.0", .run = loads_sized,
      .axes = { { "rank", "=1" },
                { "size", "2 4 8 16 32 64 128 256" },
                { "at", "0..2" },
                { "type", SIZES },
                PLAIN,
                COPY },
      .valid = whole_chunks, .mutants = { INDEX } },
    { CK_RULE(tile_store_identity), .run = stores,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", "u8 u32" }, PLAIN, TILE }, .valid = access_at,
      .mutants = { INDEX } },
    { CK_RULE(tile_store_identity), .name = "sizes", .run = stores_sized,
      .axes = { { "rank", "=1" },
                { "size", "1 2 4 8 16 32 64 128 256" },
                { "at", "0..2" },
                { "type", "u8 u32 u64" },
                PLAIN,
                TILE },
      .mutants = { INDEX } },
    { CK_RULE(tile_store_identity), LOWERED, .run = stores,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", "u8 u16 s32 f64" }, PLAIN, COPY }, .valid = access_at,
      .mutants = { INDEX } },
    { CK_RULE(tile_store_identity), .name = "lowered-sizes", .needs = "sm_90, PTX 8.0", .run = stores_sized,
      .axes = { { "rank", "=1" },
                { "size", "2 4 8 16 32 64 128 256" },
                { "at", "0..2" },
                { "type", SIZES },
                PLAIN,
                COPY },
      .valid = whole_chunks, .mutants = { INDEX } },
    { CK_RULE(tile_store_footprint), .run = stores,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", "u16 u64" }, MASKED, TILE }, .valid = access_at,
      .mutants = { { "wider", "store to the tile beside it too" } } },
    { CK_RULE(tile_store_footprint), LOWERED, .run = stores,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", "u32 u64" }, MASKED, COPY }, .valid = access_at,
      .mutants = { { "wider", "store to the tile beside it too" } } },

    { CK_RULE(tile_load_row_major_tile), .run = row_major_tile,
      .axes = { { "rank", "=2" }, { "layout", "right left" }, { "at", "0..3" }, { "type", "=u32" }, PLAIN, TILE },
      .mutants = { { "transposed", "add the numbers of column-major order", .kernel = "transposed" } } },
    { CK_RULE(tile_load_row_major_tile), LOWERED, .run = access_loads_any,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", "u16" }, PLAIN, COPY }, .valid = access_at,
      .mutants = { INDEX } },
    { CK_RULE(tile_load_bit_exact), .run = bits_arrive,
      .axes = { { "rank", "=2" }, { "at", "0..3" }, { "type", ALL_TYPES }, PLAIN, TILE },
      .mutants = { { "zero", "load zeros" } } },
    { CK_RULE(tile_load_bit_exact), LOWERED, .run = bits_arrive,
      .axes = { { "rank", "1..5" }, { "at", "0..3" }, { "type", ALL_TYPES }, PLAIN, COPY }, .valid = access_at,
      .mutants = { { "zero", "load zeros" } } },
    { CK_RULE(tile_load_bool), .run = bools,
      .axes = { { "rank", "=2" }, { "at", "0..3" }, { "type", "=u8" }, PLAIN, TILE },
      .mutants = { { "inverted", "invert the bytes after the expectation" } } },
    { CK_RULE(tile_load_bool), .name = "made", .run = bools_made,
      .axes = { { "rank", "=1" }, { "n", "0..16" }, { "type", "=u8" }, PLAIN, TILE },
      .mutants = { { "one-more", "compare with the next number",
                     .only = "n=0/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15" } } },
    { CK_RULE(tile_load_index_in_tiles), .run = index_in_tiles,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "type", "u8 u16 f32 f64" }, PLAIN, TILE },
      .valid = dim_in_rank, .mutants = { { "elements", "multiply the index by the tile's size" } } },
    { CK_RULE(tile_load_index_in_tiles), LOWERED, .run = index_in_tiles,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "type", ALL_TYPES }, PLAIN, COPY }, .valid = dim_in_rank,
      .mutants = { { "elements", "multiply the index by the tile's size" } } },
    { CK_RULE(tile_load_source_unchanged), .run = array_unchanged,
      .axes = { { "rank", "=2" }, { "at", "0..3" }, { "type", "=u32" }, PLAIN, TILE },
      .mutants = { { "back", "store the tile with one added", .kernel = "back" } } },
    { CK_RULE(tile_load_source_unchanged), LOWERED, .run = array_unchanged,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", "u8 u64" }, PLAIN, COPY }, .valid = access_at,
      .mutants = { { "store", "store the tile beside it" } } },
    { CK_RULE(tile_load_async_invisible), .run = access_loads_any,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", "u8 f32" }, MASKED, TILE }, .valid = access_at,
      .mutants = { INDEX } },
    { CK_RULE(tile_load_async_invisible), LOWERED, .run = complete,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", "u8 f32" }, PLAIN, COPY }, .valid = access_at,
      .mutants = { NO_WAIT } },
    { CK_RULE(tile_store_then_load), .run = store_then_load,
      .axes = { { "rank", "=2" }, { "view", "same other" }, { "at", "0..3" }, { "type", "=u32" }, PLAIN, TILE },
      .mutants = { { "before", "load before the store", .kernel = "before" } } },
    { CK_RULE(tile_store_then_load), LOWERED, .run = store_then_load_copy,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", SIZES }, PLAIN, COPY }, .valid = access_at,
      .mutants = { { "before", "load before the store", .kernel = "before" } } },
    { CK_RULE(tile_load_may_be_tma), .run = either_way,
      .axes = { { "tma", "yes no" },
                { "pad", "0..3" },
                { "at", "0..8" },
                { "type", "u8 f32" },
                { "rank", "=2" },
                TILE },
      .mutants = { INDEX } },
    { CK_RULE(tile_load_padding_of_pow2), .run = any_length,
      .axes = { { "rank", "=1" }, { "n", "1..300" }, { "type", "u8 u16 f32 f64" }, MASKED, TILE }, .valid = not_whole,
      .mutants = { { "power", "round the length up to a power of two" } } },
    { CK_RULE(tile_load_padding_of_pow2), LOWERED, .run = any_length,
      .axes = { { "rank", "=1" }, { "n", "1..300" }, { "type", SIZES }, MASKED, COPY }, .valid = not_whole,
      .mutants = { { "power", "round the length up to a power of two" } } },
    { 0 }
};

const struct ck_suite suite_cuda_tile_identity = { "cuda_tile_identity", cases };
// SPDX-License-Identifier: Apache-2.0
