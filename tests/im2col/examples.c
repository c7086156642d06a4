/* The manual's examples of im2col mode, and the order of the corners' entries. */
#include "tests/im2col/column.h"

enum { CHANNELS = 64, HEIGHT = 14, IMAGES = 64 };

/* One example: images of `width` x 14 pixels and what is copied of them. Dimensions are W and H. */
static struct column example(struct ck *t, uint64_t width, int32_t lower, int32_t upper)
{
    const int64_t type = ck_is(t, "type", "u32") ? TENSOR_U32 : ck_is(t, "type", "f16") ? TENSOR_F16 : TENSOR_BF16;
    struct column c = column_make(type, 4);

    c.map.dims[0] = CHANNELS;
    c.map.dims[1] = width;
    c.map.dims[2] = HEIGHT;
    c.map.dims[3] = IMAGES;
    column_pack(&c.map);
    c.map.lower[0] = c.map.lower[1] = lower;
    c.map.upper[0] = c.map.upper[1] = upper;
    c.corner[0] = 8; /* the manual says 7, which no type makes a multiple of 16 bytes */
    c.corner[1] = 7;
    return c;
}

static void compare(struct ck *t, struct column *right)
{
    struct column given = *right;

    if (ck_variant(t, "offsets"))
        given.corner[TENSOR_RANK_MAX] = 1 - right->corner[TENSOR_RANK_MAX] / 2;
    if (ck_variant(t, "stride"))
        given.map.element_strides[1] = given.map.element_strides[2] = 1;
    column_load(t, right, &given);
}

/* 64 pixels of 8 channels around the image's edge, from the last position of a row on. */
static void padded(struct ck *t)
{
    struct column right = example(t, 9, -1, -1);

    right.map.channels = 8;
    right.map.pixels = 64;
    right.corner[2] = 4;
    right.corner[3] = (int32_t)ck_int(t, "image");
    compare(t, &right);
}

/* The same with a box that stays inside the image, seen from the far end of the filter. */
static void valid_filter(struct ck *t)
{
    struct column right = example(t, 9, 0, -2);

    right.map.channels = 8;
    right.map.pixels = 64;
    right.corner[1] = 6;
    right.corner[2] = 4;
    right.corner[3] = (int32_t)ck_int(t, "image");
    right.corner[TENSOR_RANK_MAX] = right.corner[TENSOR_RANK_MAX + 1] = 2;
    compare(t, &right);
}

/* 32 pixels of 16 channels at every second position, seen from the middle of the filter. */
static void strided(struct ck *t)
{
    struct column right = example(t, 8, -1, -1);

    right.map.channels = 16;
    right.map.pixels = 32;
    right.map.element_strides[1] = right.map.element_strides[2] = 2;
    right.corner[1] = 5;
    right.corner[2] = 5;
    right.corner[3] = (int32_t)ck_int(t, "image");
    right.corner[TENSOR_RANK_MAX] = right.corner[TENSOR_RANK_MAX + 1] = 1;
    compare(t, &right);
}

/* Corners that differ in each dimension: entry 0 belongs to W, as in the other arrays. */
static void corner_order(struct ck *t)
{
    const int rank = (int)ck_int(t, "rank");
    struct column right = column_make(TENSOR_U16, rank), given;

    for (int i = 1; i + 1 < rank; i++) {
        right.map.lower[i - 1] = ck_is(t, "corner", "lower") ? i - 2 : 0;
        right.map.upper[i - 1] = ck_is(t, "corner", "upper") ? i - 3 : 0;
    }
    right.corner[1] = column_last(&right.map, 1);
    for (int i = 2; i + 1 < rank; i++)
        right.corner[i] = column_last(&right.map, i);
    given = right;
    if (ck_variant(t, "reverse"))
        for (int i = 0; i < rank - 2; i++) {
            given.map.lower[i] = right.map.lower[rank - 3 - i];
            given.map.upper[i] = right.map.upper[rank - 3 - i];
        }
    column_load(t, &right, &given);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_i2c_example1), .run = padded, .axes = { { "type", "f16 bf16 u32" }, { "image", "0 1 62 63" } },
      .mutants = { { "offsets", "offset 1 along W" } } },
    { CK_RULE(tensor_i2c_example2), .run = valid_filter,
      .axes = { { "type", "f16 bf16 u32" }, { "image", "0 1 62 63" } },
      .mutants = { { "offsets", "offset 0 along W" } } },
    { CK_RULE(tensor_i2c_example3), .run = strided, .axes = { { "type", "f16 bf16 u32" }, { "image", "0 1 62 63" } },
      .mutants = { { "stride", "every position" } } },
    { CK_RULE(tmap_i2c_corner_order), .run = corner_order, .axes = { { "rank", "4 5" }, { "corner", "lower upper" } },
      .mutants = { { "reverse", "the entries in the order of cuda.h's words" } } },
    { 0 }
};

const struct ck_suite im2col_examples = { "im2col/examples", cases };
// SPDX-License-Identifier: Apache-2.0
