/* Columns of pixels out of a batch of images: which pixels, in which order, and what replaces those outside. */
#include <string.h>

#include "expected/oracle.h"
#include "harness/ck.h"
#include "kernels/im2col.h"

enum { COLUMN_OFFSET = 256, CHANNELS = 32 };

/* A column of pixels: which tensor it is cut out of, and where it starts. */
struct column {
    int64_t rank;
    const char *box; /* the bounding box: whole, padded, moved or inner */
    uint32_t step;   /* pixels from one position to the next */
    int32_t channel; /* the first one */
    int32_t image;   /* the first one in the batch */
    int32_t offset;  /* pixels that the instruction adds in the first space dimension; one more in each further one */
    bool nan;        /* NaN in place of zero for what lies outside */
};

/* What the cases leave as it is has the value here: from channel 8 of the second image on, pixel by pixel. */
static struct column column_of(struct ck *t)
{
    return (struct column){ .rank = ck_int(t, "rank"), .box = ck_word(t, "box"), .step = 1, .channel = 8, .image = 1 };
}

/* The corners of the bounding box in dimension i, in pixels from those of the tensor. They differ from dimension to
 * dimension, so that no two can change places unseen. */
static void bound(const char *box, int i, struct tensor_map *map)
{
    if (!strcmp(box, "padded")) {
        map->lower[i - 1] = -i;
        map->upper[i - 1] = i - 2;
    } else if (!strcmp(box, "moved")) {
        map->lower[i - 1] = i - 3;
        map->upper[i - 1] = 2 - i;
    } else if (!strcmp(box, "inner")) {
        map->lower[i - 1] = 1;
        map->upper[i - 1] = -i;
    }
}

/* Three images of 7 x 6 x 5 pixels, 32 channels of 16 bits. */
static struct tensor_map images(const struct column *c)
{
    static const uint64_t space[] = { 7, 6, 5 };
    struct tensor_map map = tensor_map_default(c->nan ? TENSOR_F16 : TENSOR_U16, c->rank);
    const int last = (int)map.rank - 1;

    map.mode = TENSOR_MODE_IM2COL;
    map.fill = c->nan ? TENSOR_FILL_NAN : TENSOR_FILL_NONE;
    map.dims[0] = CHANNELS;
    map.strides[0] = CHANNELS * 2;
    for (int i = 1; i < last && i <= 3; i++) { /* at most three, in a rank of 5 */
        map.dims[i] = space[i - 1];
        map.strides[i] = map.strides[i - 1] * map.dims[i];
        map.element_strides[i] = c->step;
        bound(c->box, i, &map);
    }
    map.dims[last] = 3;
    map.channels = 16;
    map.pixels = 40;
    return map;
}

/* The second position of the bounding box; and, behind the coordinates, what the instruction adds to it. */
static void start(const struct column *c, const struct tensor_map *map, int32_t corner[TENSOR_CORNER])
{
    memset(corner, 0, TENSOR_CORNER * sizeof *corner);
    corner[0] = c->channel;
    for (int i = 1; i < map->rank - 1; i++) {
        corner[i] = map->lower[i - 1];
        corner[TENSOR_RANK_MAX + i - 1] = c->offset ? c->offset + i - 1 : 0;
    }
    corner[1] += (int32_t)c->step;
    corner[map->rank - 1] = c->image;
}

static struct im2col_args args_of(struct ck *t, const struct tensor_map *map, const int32_t corner[],
                                  struct ck_buf image)
{
    struct im2col_args a = { .image = image.device,
                             .bytes = (uint32_t)image.size,
                             .offset = COLUMN_OFFSET,
                             .expect = (uint32_t)tensor_tile_bytes(map),
                             .rank = (uint32_t)map->rank };

    memcpy(a.corner, corner, sizeof a.corner);
    for (int i = 0; i < TENSOR_SPACE_MAX; i++)
        a.offsets[i] = (uint16_t)corner[TENSOR_RANK_MAX + i];
    if (ck_variant(t, "none"))
        memset(a.offsets, 0, sizeof a.offsets);
    if (ck_variant(t, "inside")) {
        memset(a.corner, 0, sizeof a.corner);
        a.corner[0] = 8;
    }
    if (ck_variant(t, "step"))
        a.corner[1] += (int32_t)map->element_strides[1];
    return a;
}

static size_t extent(const struct tensor_map *map)
{
    return map->strides[map->rank - 2] * map->dims[map->rank - 1];
}

static void launch(struct ck *t, const char *kernel, const struct im2col_args *a)
{
    ck_launch(t, &(struct ck_launch){
                     .kernel = kernel, .block = { 128 }, .smem = a->bytes + 16, .args = a, .size = sizeof *a });
}

/* Loads the column and compares all of the image. */
static void load(struct ck *t, const struct column *c)
{
    const struct tensor_map map = images(c);
    const struct ck_buf tensor = ck_input(t, extent(&map));
    const struct ck_buf image = ck_output(t, COLUMN_OFFSET + tensor_tile_span(&map) + 256);
    unsigned char *want = ck_alloc(t, image.size);
    int32_t corner[TENSOR_CORNER];
    struct im2col_args a;

    start(c, &map, corner);
    memset(want, CK_POISON, image.size);
    oracle_tile_load(&map, tensor.host, corner, want, COLUMN_OFFSET);
    a = args_of(t, &map, corner, image);
    ck_encode(t, &map, tensor, &a.map);
    launch(t, "im2col_load", &a);
    ck_equal(t, image, want);
}

/* The column follows the positions of the bounding box, row by row, and goes on in the next image of the batch. */
static void positions(struct ck *t)
{
    struct column c = column_of(t);

    c.image = (int32_t)ck_int(t, "image");
    load(t, &c);
}

/* What the instruction adds to a position moves each pixel, and not the bounding box. */
static void offsets(struct ck *t)
{
    struct column c = column_of(t);

    c.offset = (int32_t)ck_int(t, "offset");
    load(t, &c);
}

/* Element strides are the steps from position to position; the column has as many pixels as without them. */
static void steps(struct ck *t)
{
    struct column c = column_of(t);

    c.step = (uint32_t)ck_int(t, "step");
    c.offset = (int32_t)ck_int(t, "offset");
    load(t, &c);
}

/* Pixels outside the image, channels beyond the last and images behind the batch arrive as the map's fill. */
static void outside(struct ck *t)
{
    struct column c = column_of(t);

    c.nan = ck_is(t, "fill", "nan");
    c.channel = (int32_t)ck_int(t, "channel");
    c.image = (int32_t)ck_int(t, "image");
    load(t, &c);
}

/* A store puts the pixels of a column back to the positions that a load without offsets takes them from. */
static void store(struct ck *t)
{
    struct column c = column_of(t);
    struct tensor_map map;
    struct ck_buf tensor, image;
    unsigned char *want;
    int32_t corner[TENSOR_CORNER];
    struct im2col_args a;

    c.image = (int32_t)ck_int(t, "image");
    c.step = (uint32_t)ck_int(t, "step");
    map = images(&c);
    tensor = ck_output(t, extent(&map));
    image = ck_input(t, COLUMN_OFFSET + tensor_tile_span(&map) + 256);
    want = ck_alloc(t, tensor.size);
    start(&c, &map, corner);
    memset(want, CK_POISON, tensor.size);
    oracle_tile_store(&map, want, corner, image.host, COLUMN_OFFSET);
    a = args_of(t, &map, corner, image);
    ck_encode(t, &map, tensor, &a.map);
    launch(t, "im2col_store", &a);
    ck_equal(t, tensor, want);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_im2col_positions), .run = positions,
      .axes = { { "rank", "3..5" }, { "box", "whole padded moved inner" }, { "image", "0 1" } },
      .mutants = { { "step", "start one position further" } } },
    { CK_RULE(tensor_im2col_offsets), .run = offsets,
      .axes = { { "rank", "3..5" }, { "box", "padded moved" }, { "offset", "1 2" } },
      .mutants = { { "step", "start one position further" }, { "none", "add nothing" } } },
    { CK_RULE(tensor_im2col_stride), .run = steps,
      .axes = { { "rank", "3..5" }, { "box", "whole padded" }, { "step", "2..6" }, { "offset", "0 1" } },
      .mutants = { { "step", "start one position further" } } },
    { CK_RULE(tensor_im2col_oob), .run = outside,
      .axes = { { "rank", "3..5" },
                { "fill", "zero nan" },
                { "channel", "8 24" },
                { "image", "2 3" },
                { "box", "padded" } },
      .mutants = { { "inside", "start at the first pixel, within the channels" } } },
    { CK_RULE(tensor_im2col_store), .run = store,
      .axes = { { "rank", "3..5" }, { "box", "whole inner" }, { "image", "0 2" }, { "step", "1 2" } },
      .mutants = { { "step", "start one position further" } } },
    { 0 }
};

const struct ck_suite tensor_im2col = { "tensor/im2col", cases };
// SPDX-License-Identifier: Apache-2.0
