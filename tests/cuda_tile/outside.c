/* Accesses that the documents leave undefined: the conforming form beside it, and what the machine does. */
#include <string.h>

#include "tests/cuda_tile/access.h"

/* Moves the access to the axis `place`: from the last tile, which is full, to where no access may be. */
static void put(struct ck *t, struct access *a, int dim)
{
    if (ck_is(t, "place", "partial"))
        access_cut(a, dim, 1);
    else if (ck_is(t, "place", "next"))
        a->v.index.of[dim]++;
    else if (ck_is(t, "place", "far"))
        a->v.index.of[dim] = 1 << 20;
    else if (ck_is(t, "place", "before"))
        a->v.index.of[dim] = -1;
}

/* What a load returned that the documents leave undefined, in words. */
static void see_load(struct ck *t, const struct access *a, const unsigned char *expected)
{
    const size_t size = view_type_bytes(a->v.type);
    unsigned char padding[8];
    const uint64_t bits = view_padding_bits(a->v.type, a->v.padding);
    bool all = true;

    memcpy(padding, &bits, size);
    for (size_t i = 0; i < a->tile.size; i += size)
        all &= !memcmp(a->tile.host + i, padding, size);
    ck_see(t, "%s",
           all                                            ? "all padding"
           : memcmp(a->tile.host, expected, a->tile.size) ? "other bytes"
                                                          : "what lies in memory there");
}

/* A load of the last tile, which is full, returns its elements. The breach makes the array shorter, or takes an index
 * behind the last tile or before the first. */
static void within_the_array(struct ck *t)
{
    const int dim = (int)ck_int(t, "dim");
    struct access a = access_to_load(t);
    const unsigned char *const expected = access_loaded(t, &a);

    if (ck_variant(t, "index"))
        a.v.index.of[dim] = 0;
    put(t, &a, dim);
    if (access_load(t, &a) != CK_DONE)
        return;
    if (ck_conforming(t))
        ck_equal(t, a.tile, expected);
    else
        see_load(t, &a, expected);
}

/* What a store left that the documents leave undefined. */
static void see_store(struct ck *t, const struct access *a, const unsigned char *whole)
{
    const unsigned char *const part = access_stored(t, a);
    bool none = true;

    for (size_t i = 0; i < a->array.size; i++)
        none &= a->array.host[i] == CK_POISON;
    ck_see(t, "%s",
           none                                           ? "nothing is written"
           : !memcmp(a->array.host, part, a->array.size)  ? "the part inside is written"
           : !memcmp(a->array.host, whole, a->array.size) ? "all of the tile is written"
                                                          : "other bytes");
}

/* The same of a store: the array's bytes after it. */
static void store_within_the_array(struct ck *t)
{
    const int dim = (int)ck_int(t, "dim");
    struct access a = access_to_store(t);
    const unsigned char *const expected = access_stored(t, &a);

    if (ck_variant(t, "index"))
        a.v.index.of[dim] = 0;
    put(t, &a, dim);
    if (access_store(t, &a) != CK_DONE)
        return;
    if (ck_conforming(t))
        ck_equal(t, a.array, expected);
    else
        see_store(t, &a, expected);
}

/* Stores a tile whose rows lie upon each other, the stride being 0: each place must hold an element of its column.
 * Records whether it does. */
static void rows_upon_each_other(struct ck *t)
{
    struct access a = access_to_store(t);
    const size_t size = view_type_bytes(a.v.type), row = ACCESS_INNER * size;
    bool all = true;

    memset(a.v.index.of, 0, sizeof a.v.index.of);
    a.v.strides.of[0] = 0;
    if (access_store(t, &a) != CK_DONE)
        return;
    for (size_t at = 0; at < row; at += size) {
        bool some = false;
        for (int64_t r = 0; r < a.v.tile.of[0]; r++)
            some |= !memcmp(a.array.host + at, a.tile.host + (size_t)r * row + at, size);
        all &= some;
    }
    ck_see(t, all ? "one of the elements at each place" : "other bytes");
    ck_no_digest(t);
}

static bool dim_in_rank(struct ck *t)
{
    return ck_int(t, "dim") < ck_int(t, "rank");
}

/* Records what a masked load of tile 0 returns of an array that has no element in one dimension. */
static void of_nothing(struct ck *t)
{
    struct access a = access_to_load(t);

    memset(a.v.index.of, 0, sizeof a.v.index.of);
    a.v.extents.of[ck_int(t, "dim")] = 0;
    if (access_load(t, &a) == CK_DONE)
        see_load(t, &a, a.array.host);
}

/* Records what comes of a negative stride: the array's first element is in the middle of its memory. */
static void backwards(struct ck *t)
{
    struct access a = access_to_load(t);
    const int dim = (int)ck_int(t, "dim");

    memset(a.v.index.of, 0, sizeof a.v.index.of);
    a.v.strides.of[dim] = -a.v.strides.of[dim];
    a.array.device += a.array.size / 2;
    if (access_load(t, &a) == CK_DONE)
        see_load(t, &a, a.array.host);
}

#define PLACE                                                                                                          \
    { "dim", "0..4" }, { "place", "=last" },                                                                           \
    {                                                                                                                  \
        "by", "=tile"                                                                                                  \
    }
#define ANOTHER                                                                                                        \
    {                                                                                                                  \
        "index", "access another tile"                                                                                 \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tile_oob_unmasked_load_ub), .run = within_the_array,
      .axes = { { "rank", "1..5" }, PLACE, { "type", "f32" }, { "padding", "none" } }, .valid = dim_in_rank,
      .mutants = { ANOTHER }, .breaches = { { "partial", "end the array inside the tile", .set = "place=partial" } } },
    { CK_RULE(tile_oob_unmasked_store_ub), .run = store_within_the_array,
      .axes = { { "rank", "1..5" }, PLACE, { "type", "u32" }, { "padding", "none" } }, .valid = dim_in_rank,
      .mutants = { ANOTHER }, .breaches = { { "partial", "end the array inside the tile", .set = "place=partial" } } },
    { CK_RULE(tile_oob_all_outside_load), .run = within_the_array,
      .axes = { { "rank", "1..5" }, PLACE, { "type", "f32" }, { "padding", "zero nan none" } }, .valid = dim_in_rank,
      .mutants = { ANOTHER },
      .breaches = { { "next", "take the index behind the last tile", .set = "place=next", .faults = true },
                    { "far", "take an index far behind the last tile", .set = "place=far", .faults = true } } },
    { CK_RULE(tile_oob_all_outside_store), .run = store_within_the_array,
      .axes = { { "rank", "1..5" }, PLACE, { "type", "u32" }, { "padding", "zero" } }, .valid = dim_in_rank,
      .mutants = { ANOTHER },
      .breaches = { { "next", "take the index behind the last tile", .set = "place=next", .faults = true },
                    { "far", "take an index far behind the last tile", .set = "place=far", .faults = true } } },
    { CK_RULE(tile_oob_no_low_side), .run = within_the_array,
      .axes = { { "rank", "1..5" }, PLACE, { "type", "f32" }, { "padding", "zero" } }, .valid = dim_in_rank,
      .mutants = { ANOTHER },
      .breaches = { { "minus-1", "take the index -1", .set = "place=before", .faults = true } } },
    { CK_RULE(tile_oob_no_low_side), .name = "store", .run = store_within_the_array,
      .axes = { { "rank", "1..5" }, PLACE, { "type", "u32" }, { "padding", "zero" } }, .valid = dim_in_rank,
      .mutants = { ANOTHER },
      .breaches = { { "minus-1", "take the index -1", .set = "place=before", .faults = true } } },
    { CK_RULE(tile_oob_extent_zero), .run = of_nothing,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "type", "f32" },
                { "padding", "zero nan" },
                { "by", "=tile" } },
      .valid = dim_in_rank, .faults = true },
    { CK_RULE(tile_oob_extent_zero), .name = "static",
      .compile = "auto v = ct::partition_view{ ct::tensor_span{ pf, ct::extents{ $, 16_ic } }, ct::shape{ 2_ic, 4_ic } "
                 "}; v.store(v.load_masked(0, 0), 0, 1);",
      .seen = "0_ic|1_ic|4_ic|n" },
    { CK_RULE(tile_store_shared_place), .run = rows_upon_each_other,
      .axes = { { "rank", "=2" }, { "type", "u8 u16 u32 u64" }, { "padding", "zero" }, { "by", "=tile" } } },
    { CK_RULE(tile_span_negative_stride), .run = backwards,
      .axes = { { "rank", "1..3" }, { "dim", "0..2" }, { "type", "f32" }, { "padding", "zero" }, { "by", "=tile" } },
      .valid = dim_in_rank, .faults = true },
    { 0 }
};

const struct ck_suite suite_cuda_tile_outside = { "cuda_tile_outside", cases };
// SPDX-License-Identifier: Apache-2.0
