/* Tile-space stores over the edges of an array. */
#include <stdio.h>
#include <string.h>

#include "tests/cuda_tile/access.h"

#define LONGER                                                                                                         \
    {                                                                                                                  \
        "longer", "make the array one element longer in this dimension"                                                \
    }

/* Of a tile that hangs over the end of one dimension, the elements inside are stored. All other memory, behind the end
 * too, keeps its bytes: there is neither the tile nor a fill. */
static void over_an_edge(struct ck *t)
{
    const int dim = (int)ck_int(t, "dim");
    struct access a = access_to_store(t);
    const unsigned char *expected;

    access_cut(&a, dim, ck_int(t, "over"));
    expected = access_stored(t, &a);
    if (ck_variant(t, "longer"))
        a.v.extents.of[dim]++;
    access_store(t, &a);
    ck_equal(t, a.array, expected);
}

/* A store of a full tile, masked or not, writes all of its elements and nothing else. */
static void full_tile(struct ck *t)
{
    struct access a = access_to_store(t);
    const unsigned char *const expected = access_stored(t, &a);

    if (ck_variant(t, "index"))
        a.v.index.of[0] = 0;
    if (ck_variant(t, "shorter"))
        access_cut(&a, 0, 1);
    access_store(t, &a);
    ck_equal(t, a.array, expected);
}

/* The last tile of `n` elements, whatever n is: the byte behind element n - 1 keeps its value. */
static void up_to_n(struct ck *t)
{
    const int64_t n = ck_int(t, "n");
    struct access a = access_to_store(t);
    const unsigned char *expected;
    char kernel[64];

    a.array = ck_output(t, (size_t)(n + 32) * view_type_bytes(a.v.type));
    a.v.extents.of[0] = n;
    a.v.index.of[0] = (n - 1) / ACCESS_INNER;
    expected = access_stored(t, &a);
    if (ck_variant(t, "longer"))
        a.v.extents.of[0]++;
    if (ck_is(t, "tma", "open")) {
        access_store(t, &a);
    } else {
        snprintf(kernel, sizeof kernel, "view_store_%s_tma_%s", ck_word(t, "type"),
                 ck_is(t, "tma", "yes") ? "true" : "false");
        access_by(t, &a, kernel);
    }
    ck_equal(t, a.array, expected);
}

/* The byte behind row ends of `n` elements, the next rows a pitch away. */
static void up_to_row_end(struct ck *t)
{
    struct access a = access_to_store(t);
    const unsigned char *expected;

    a.v.extents.of[1] = ACCESS_INNER + ck_int(t, "n");
    expected = access_stored(t, &a);
    if (ck_variant(t, "longer"))
        a.v.extents.of[1]++;
    access_store(t, &a);
    ck_equal(t, a.array, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(tile_oob_unmasked_divisible), .name = "store", .run = full_tile,
      .axes = { { "rank", "1..5" }, { "type", "u8 u32" }, { "padding", "none" }, TILE },
      .mutants = { { "index", "store to another tile" } } },
    { CK_RULE(tile_oob_masked_equals_plain), .name = "store", .run = full_tile,
      .axes = { { "rank", "1..5" }, { "type", "u8 u32" }, { "padding", "zero none" }, TILE },
      .mutants = { { "index", "store to another tile" },
                   { "shorter", "make the array one row shorter", .only = "padding=zero" } } },
    { CK_RULE(tile_oob_masked_equals_plain), .name = "lowered-store", .needs = "sm_90, PTX 8.0", .run = full_tile,
      .axes = { { "rank", "2..5" }, { "type", SIZES }, { "padding", "zero" }, COPY },
      .mutants = { { "shorter", "make the array one row shorter" } } },

    { CK_RULE(tile_oob_store_drop), .run = over_an_edge,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "over", "1..15" },
                { "type", SIZES },
                { "padding", "=zero" },
                TILE },
      .valid = access_over, .mutants = { LONGER } },
    { CK_RULE(tile_oob_store_drop), LOWERED, .run = over_an_edge,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "over", "1..15" },
                { "type", SIZES },
                { "padding", "=zero" },
                COPY },
      .valid = access_over_chunk, .mutants = { LONGER } },

    { CK_RULE(tile_oob_store_drop_exact), .run = up_to_n,
      .axes = { { "rank", "=1" },
                { "n", "1..15 17..31 57 59 117 233 466 471" },
                { "type", SIZES },
                { "tma", "open" },
                { "padding", "=zero" },
                TILE },
      .mutants = { LONGER } },
    { CK_RULE(tile_oob_store_drop_exact), .name = "hint", .run = up_to_n,
      .axes = { { "rank", "=1" },
                { "n", "1..15 17..31 57 59 117 233 466 471" },
                { "type", "u8 u16" },
                { "tma", "yes no" },
                { "padding", "=zero" },
                TILE },
      .mutants = { LONGER } },
    { CK_RULE(tile_oob_store_drop_exact), .name = "rows", .run = up_to_row_end,
      .axes = { { "rank", "=2" }, { "n", "1..15" }, { "type", SIZES }, { "padding", "=zero" }, TILE },
      .mutants = { LONGER } },

    { CK_RULE(tile_oob_store_no_padding), .run = over_an_edge,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "over", "1 15" },
                { "type", "u8 u64" },
                { "padding", "=zero" },
                TILE },
      .valid = access_over, .mutants = { LONGER } },
    { CK_RULE(tile_oob_store_no_padding), LOWERED, .run = over_an_edge,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "over", "1 8" },
                { "type", "u16 u64" },
                { "padding", "=zero" },
                COPY },
      .valid = access_over_chunk, .mutants = { LONGER } },
    { 0 }
};

const struct ck_suite suite_cuda_tile_stores = { "cuda_tile_stores", cases };
// SPDX-License-Identifier: Apache-2.0
