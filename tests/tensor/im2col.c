/* Columns of pixels out of a batch of images: which pixels, in which order, and what stands in for those outside. */
#include <stdio.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/ck.h"
#include "kernels/im2col.h"

enum { COLUMN_OFFSET = 256, CHANNELS = 32 };

/* The number that an axis names; `other` where the case has no such axis. */
static int32_t number(struct ck *t, const char *axis, int32_t other)
{
    char text[12];

    for (int32_t i = 0; i < 40; i++) {
        snprintf(text, sizeof text, "%d", (int)i);
        if (ck_is(t, axis, text))
            return i;
    }
    return other;
}

/* Images of 7 x 6 x 5 pixels, 32 channels of 16 bits, three of them. The corners differ from dimension to dimension,
 * so that no two can change places unseen. */
static struct tensor_map images(struct ck *t, int64_t type)
{
    const bool padded = ck_is(t, "box", "padded"), moved = ck_is(t, "box", "moved"), inner = ck_is(t, "box", "inner");
    static const uint64_t dims[] = { CHANNELS, 7, 6, 5, 3 };
    struct tensor_map map = tensor_map_default(type, ck_int(t, "rank"));
    uint64_t stride = 2;

    map.mode = TENSOR_MODE_IM2COL;
    for (int i = 0; i < map.rank; i++) {
        map.dims[i] = i == map.rank - 1 ? dims[4] : dims[i];
        if (i)
            map.strides[i - 1] = stride;
        stride *= map.dims[i];
        if (i && i < map.rank - 1) {
            map.element_strides[i] = (uint32_t)number(t, "step", 1);
            map.lower[i - 1] = padded ? -i : moved ? i - 3 : inner;
            map.upper[i - 1] = padded ? i - 2 : moved ? 2 - i : inner ? -i : 0;
        }
    }
    map.channels = 16;
    map.pixels = 40;
    return map;
}

/* The second position of the bounding box, in the second image; and what the instruction adds to it. */
static void start(struct ck *t, const struct tensor_map *map, int32_t corner[TENSOR_CORNER])
{
    memset(corner, 0, TENSOR_CORNER * sizeof *corner);
    corner[0] = number(t, "channel", 8);
    for (int i = 1; i < map->rank - 1; i++) {
        corner[i] = map->lower[i - 1];
        corner[TENSOR_RANK_MAX + i - 1] = number(t, "offset", 0) + (number(t, "offset", 0) ? i - 1 : 0);
    }
    corner[1] += (int32_t)map->element_strides[1];
    corner[map->rank - 1] = number(t, "image", 1);
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
    if (ck_is(t, "tell", "0"))
        memset(a.offsets, 0, sizeof a.offsets);
    if (ck_is(t, "tell", "inside")) {
        memset(a.corner, 0, sizeof a.corner);
        a.corner[0] = 8;
    }
    if (ck_is(t, "twist", "step"))
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

static void load(struct ck *t)
{
    const int64_t type = ck_is(t, "fill", "nan") ? TENSOR_F16 : TENSOR_U16;
    struct tensor_map map = images(t, type);
    const struct ck_buf tensor = ck_input(t, extent(&map));
    const struct ck_buf image = ck_output(t, COLUMN_OFFSET + tensor_tile_span(&map) + 256);
    unsigned char *want = ck_alloc(t, image.size);
    int32_t corner[TENSOR_CORNER];
    struct im2col_args a;

    if (ck_is(t, "fill", "nan"))
        map.fill = TENSOR_FILL_NAN;
    start(t, &map, corner);
    a = args_of(t, &map, corner, image);
    ck_encode(t, &map, tensor, &a.map);
    launch(t, "im2col_load", &a);
    memset(want, CK_POISON, image.size);
    oracle_tile_load(&map, tensor.host, corner, want, COLUMN_OFFSET);
    ck_equal(t, image, want);
}

static void store(struct ck *t)
{
    const struct tensor_map map = images(t, TENSOR_U16);
    const struct ck_buf tensor = ck_output(t, extent(&map));
    const struct ck_buf image = ck_input(t, COLUMN_OFFSET + tensor_tile_span(&map) + 256);
    unsigned char *want = ck_alloc(t, tensor.size);
    int32_t corner[TENSOR_CORNER];
    struct im2col_args a;

    start(t, &map, corner);
    a = args_of(t, &map, corner, image);
    ck_encode(t, &map, tensor, &a.map);
    launch(t, "im2col_store", &a);
    memset(want, CK_POISON, tensor.size);
    oracle_tile_store(&map, want, corner, image.host, COLUMN_OFFSET);
    ck_equal(t, tensor, want);
}

#define STEP                                                                                                           \
    {                                                                                                                  \
        "step", "start one position further", .set = "twist=step"                                                      \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tensor_im2col_positions), .run = load,
      .axes = { { "rank", "3..5" }, { "box", "whole padded moved inner" }, { "image", "0 1" } }, .mutants = { STEP } },
    { CK_RULE(tensor_im2col_offsets), .run = load,
      .axes = { { "rank", "3..5" }, { "box", "padded moved" }, { "offset", "1 2" } },
      .mutants = { STEP, { "none", "add nothing", .set = "tell=0" } } },
    { CK_RULE(tensor_im2col_stride), .run = load,
      .axes = { { "rank", "3..5" }, { "box", "whole padded" }, { "step", "2 3" }, { "offset", "0 1" } },
      .mutants = { STEP } },
    { CK_RULE(tensor_im2col_oob), .run = load,
      .axes = { { "rank", "3..5" },
                { "fill", "zero nan" },
                { "channel", "8 24" },
                { "image", "2 3" },
                { "box", "padded" } },
      .mutants = { { "inside", "start at the first pixel, within the channels", .set = "tell=inside" } } },
    { CK_RULE(tensor_im2col_store), .run = store,
      .axes = { { "rank", "3..5" }, { "box", "whole inner" }, { "image", "0 2" }, { "step", "1 2" } },
      .mutants = { STEP } },
    { 0 }
};

const struct ck_suite tensor_im2col = { "tensor/im2col", cases };
