/* Element strides: which elements of its box a copy takes. What must come is counted out here, element by element. */
#include <string.h>

#include "tests/tensor/box.h"

/* A tensor that is long along one dimension, where the box is `box` elements and the copy takes every stride-th. */
static struct tensor_map long_map(struct ck *t, uint32_t box)
{
    const int rank = (int)ck_int(t, "rank"), dim = (int)ck_int(t, "dim");
    struct tensor_map map = box_map(box_type(t), rank);

    for (int i = 1; i < rank; i++) {
        map.box[i] = i == dim ? box : 2;
        map.dims[i] = i == dim ? 80 : 3;
    }
    map.element_strides[dim] = (uint32_t)ck_int(t, "stride");
    box_pack(&map, 16);
    return map;
}

/* Copies the elements that the copy takes between the tensor and the tile at `tile`, dimension `dim` and those below
 * it, from the byte `at` of the tensor on. Returns what is behind them in the tile. */
static unsigned char *take(const struct box *b, int dim, uint64_t at, unsigned char *tensor, unsigned char *tile,
                           bool store)
{
    const size_t size = tensor_type_bytes(b->map.type, NULL), row = b->map.box[0] * size;

    if (dim == 0) {
        unsigned char *const from = tensor + at + (size_t)b->corner[0] * size;
        memcpy(store ? from : tile, store ? tile : from, row);
        return tile + row;
    }
    for (uint32_t i = 0; i < b->map.box[dim]; i += b->map.element_strides[dim])
        tile = take(b, dim - 1, at + ((uint32_t)b->corner[dim] + i) * b->map.strides[dim - 1], tensor, tile, store);
    return tile;
}

static unsigned char *taken(struct ck *t, const struct box *b)
{
    unsigned char *image = ck_alloc(t, b->image_bytes);

    memset(image, CK_POISON, b->image_bytes);
    take(b, (int)b->map.rank - 1, 0, b->tensor.host, image + b->offset, false);
    return image;
}

/* The box is `whole` strides and a rest: whole + 1 elements arrive along the dimension, and nothing behind them. */
static void with_rest(struct ck *t)
{
    const uint32_t whole = (uint32_t)(ck_int(t, "whole") * ck_int(t, "stride"));
    const struct tensor_map map = long_map(t, whole + (uint32_t)ck_int(t, "rest"));
    const int dim = (int)ck_int(t, "dim");
    struct box b = box_to_load(t, &map);
    const unsigned char *const expected = taken(t, &b);

    if (ck_variant(t, "floor"))
        b.map.box[dim] = whole;
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

static bool rest_is_less(struct ck *t)
{
    return box_dim_in_rank(t) && ck_int(t, "rest") < ck_int(t, "stride");
}

/* Each element of the tile comes from the start plus its number times the stride, wherever the tile starts. */
static void from_start(struct ck *t)
{
    const uint32_t stride = (uint32_t)ck_int(t, "stride");
    const struct tensor_map map = long_map(t, 5 * stride);
    const int dim = (int)ck_int(t, "dim");
    const unsigned char *expected;
    struct box b = box_to_load(t, &map);

    b.corner[dim] = (int32_t)ck_int(t, "start");
    expected = taken(t, &b);
    if (ck_variant(t, "next-to-each-other")) {
        b.map.box[dim] = 5;
        b.map.element_strides[dim] = 1;
    }
    if (ck_variant(t, "scaled"))
        b.corner[dim] *= (int32_t)stride;
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

static bool off_stride(struct ck *t)
{
    return box_dim_in_rank(t) && ck_int(t, "start") % ck_int(t, "stride") != 0;
}

/* A box of n strides brings n elements. */
static void n_elements(struct ck *t)
{
    const uint32_t n = (uint32_t)ck_int(t, "n"), stride = (uint32_t)ck_int(t, "stride");
    const struct tensor_map map = long_map(t, n * stride);
    const int dim = (int)ck_int(t, "dim");
    struct box b = box_to_load(t, &map);
    const unsigned char *const expected = taken(t, &b);

    if (ck_variant(t, "box-of-n"))
        b.map.box[dim] = n;
    if (ck_variant(t, "one-more"))
        b.map.box[dim] += stride;
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

/* A store writes the elements that a load would take; those between keep their poison. */
static void store(struct ck *t)
{
    const uint32_t stride = (uint32_t)ck_int(t, "stride");
    const struct tensor_map map = long_map(t, 4 * stride + (uint32_t)ck_int(t, "rest"));
    const int dim = (int)ck_int(t, "dim");
    struct box b = box_to_store(t, &map);
    unsigned char *expected = ck_alloc(t, b.tensor.size);

    memset(expected, CK_POISON, b.tensor.size);
    take(&b, (int)map.rank - 1, 0, expected, b.image.host + b.offset, true);
    if (ck_variant(t, "next-to-each-other")) {
        b.map.box[dim] = 4 + (ck_int(t, "rest") != 0);
        b.map.element_strides[dim] = 1;
    }
    box_store(t, &b);
    ck_equal(t, b.tensor, expected);
}

/* An element stride of dimension 0 without an interleave: records whether it changes what arrives. */
static void along_rows(struct ck *t)
{
    struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    const unsigned char *expected;
    struct box b;

    b = box_to_load(t, &map);
    expected = taken(t, &b);
    b.map.element_strides[0] = (uint32_t)ck_int(t, "stride");
    if (box_load(t, &b) == CK_DONE)
        ck_see(t, "%s", memcmp(b.image.host, expected, b.image_bytes) ? "other elements" : "as with stride 1");
}

#define DIMS                                                                                                           \
    { "rank", "2..5" },                                                                                                \
    {                                                                                                                  \
        "dim", "1..4"                                                                                                  \
    }

static const struct ck_case cases[] = {
    { CK_RULE(estride_ceil), .run = with_rest,
      .axes = { DIMS, { "stride", "2..8" }, { "whole", "1..3" }, { "rest", "1..7" }, { "type", "=u8" } },
      .valid = rest_is_less, .mutants = { { "floor", "leave the rest out of the box" } } },
    { CK_RULE(estride_which), .run = from_start,
      .axes = { DIMS, { "stride", "2..8" }, { "start", "0 3 8" }, { "type", "u8 f16 f32 f64" } },
      .valid = box_dim_in_rank, .mutants = { { "next-to-each-other", "take five elements next to each other" } } },
    { CK_RULE(estride_coord_unscaled), .run = from_start,
      .axes = { DIMS, { "stride", "2..8" }, { "start", "1..7" }, { "type", "=u16" } }, .valid = off_stride,
      .mutants = { { "scaled", "count the start in strides" } } },
    { CK_RULE(estride_n), .run = n_elements,
      .axes = { DIMS, { "stride", "1..8" }, { "n", "1..8" }, { "type", "=u32" } }, .valid = box_dim_in_rank,
      .mutants = { { "box-of-n", "make the box n elements", .only = "stride=2/3/4/5/6/7/8 n=2/3/4/5/6/7/8" },
                   { "one-more", "make the box one stride longer" } } },
    { CK_RULE(estride_store), .run = store,
      .axes = { DIMS, { "stride", "2..8" }, { "rest", "0 1" }, { "type", "u8 f16 f64" } }, .valid = box_dim_in_rank,
      .mutants = { { "next-to-each-other", "store the elements next to each other" } } },
    { CK_RULE(estride_dim0), .run = along_rows,
      .axes = { { "rank", "1..5" }, { "stride", "1..8" }, { "type", "u8 f16 f32 f64" } }, .seen_only = true },
    { 0 }
};

const struct ck_suite tensor_layout_strides = { "tensor-layout/strides", cases };
// SPDX-License-Identifier: Apache-2.0
