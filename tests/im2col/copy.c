/* Columns of pixels, property by property: how many, in which order, from where, and what replaces those outside. */
#include "tests/im2col/column.h"

#define TYPES "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz"

static int64_t type_of(struct ck *t)
{
    int64_t type = 0;

    while (type < TENSOR_TYPE_COUNT - 1 && !ck_is(t, "type", tensor_type_name(type)))
        type++;
    return type;
}

static int rank_of(struct ck *t)
{
    return (int)ck_int(t, "rank");
}

/* The map's numbers of pixels and channels say what a load writes and signals: no byte before, behind or between. */
static void count(struct ck *t)
{
    struct column right = column_make(TENSOR_U8, rank_of(t)), given;

    right.map.dims[0] = 256;
    column_pack(&right.map);
    right.map.pixels = (uint32_t)ck_int(t, "pixels");
    right.map.channels = (uint32_t)ck_int(t, "channels");
    given = right;
    if (ck_variant(t, "pixel"))
        given.map.pixels--;
    column_load(t, &right, &given);
}

static bool fits(struct ck *t)
{
    return ck_int(t, "pixels") * ck_int(t, "channels") <= 32768;
}

static int swizzle_of(struct ck *t)
{
    return ck_is(t, "swizzle", "32B")    ? TENSOR_SWIZZLE_32B
           : ck_is(t, "swizzle", "64B")  ? TENSOR_SWIZZLE_64B
           : ck_is(t, "swizzle", "128B") ? TENSOR_SWIZZLE_128B
                                         : TENSOR_SWIZZLE_NONE;
}

/* Pixel p and channel c of a column are at byte (p * channels + c) * size, moved by the swizzle alone. */
static void layout(struct ck *t)
{
    const int64_t type = type_of(t);
    const uint32_t bytes = (uint32_t)ck_int(t, "channel-bytes"), size = (uint32_t)tensor_type_bytes(type, NULL);
    struct column right = column_make(type, rank_of(t)), given;

    right.map.dims[0] = 256 / size;
    column_pack(&right.map);
    right.map.channels = bytes / size;
    right.map.swizzle = swizzle_of(t);
    given = right;
    if (ck_variant(t, "pixel"))
        given.corner[1]++;
    if (ck_variant(t, "channel"))
        given.corner[0] += (int32_t)(16 / size);
    column_load(t, &right, &given);
}

static bool row_in_span(struct ck *t)
{
    const int64_t bytes = ck_int(t, "channel-bytes");

    return ck_is(t, "swizzle", "32B")    ? bytes <= 32
           : ck_is(t, "swizzle", "64B")  ? bytes <= 64
           : ck_is(t, "swizzle", "128B") ? bytes <= 128
                                         : true;
}

/* A pixel is a row as long as the swizzle's span, and the rows of a column are permuted as those of a tile are. */
static void swizzled(struct ck *t)
{
    const int64_t type = type_of(t);
    const uint32_t size = (uint32_t)tensor_type_bytes(type, NULL), span = 16u << swizzle_of(t);
    struct column right = column_make(type, rank_of(t)), given;

    right.map.dims[0] = 256 / size;
    column_pack(&right.map);
    right.map.channels = span / size;
    right.map.pixels = (uint32_t)ck_int(t, "pixels");
    right.map.swizzle = swizzle_of(t);
    given = right;
    if (ck_variant(t, "none"))
        given.map.swizzle = TENSOR_SWIZZLE_NONE;
    if (ck_variant(t, "wider"))
        given.map.swizzle++;
    column_load(t, &right, &given);
}

/* A column of one pixel is the one at the sum of position and offset, also if the position is outside the image. */
static void start(struct ck *t)
{
    const int dim = (int)ck_int(t, "dim"), rank = rank_of(t);
    struct column right = column_make(TENSOR_U16, rank), given;

    right.map.pixels = 1;
    for (int i = 1; i + 1 < rank; i++) {
        right.map.lower[i - 1] = -2;
        right.corner[i] = 1;
    }
    right.corner[dim] = (int32_t)ck_int(t, "at");
    right.corner[TENSOR_RANK_MAX + dim - 1] = (int32_t)ck_int(t, "offset");
    given = right;
    if (ck_variant(t, "none"))
        given.corner[TENSOR_RANK_MAX + dim - 1] = 0;
    if (ck_variant(t, "step"))
        given.corner[dim]++;
    column_load(t, &right, &given);
}

/* From the last position of the first image on: the column goes on at the lower corner of the next image, and a row
 * ends at the upper corner. */
static void box(struct ck *t)
{
    const int dim = (int)ck_int(t, "dim"), rank = rank_of(t);
    struct column right = column_make(TENSOR_U16, rank), given;

    right.map.lower[dim - 1] = (int32_t)ck_int(t, "lower");
    right.map.upper[dim - 1] = (int32_t)ck_int(t, "upper");
    for (int i = 1; i + 1 < rank; i++)
        right.corner[i] = column_last(&right.map, i);
    if (dim == 1)
        right.corner[1] -= 2;
    if (dim == 2)
        right.corner[2]--;
    given = right;
    if (ck_variant(t, "upper"))
        given.map.upper[dim - 1]++;
    if (ck_variant(t, "lower"))
        given.map.lower[dim - 1]--;
    column_load(t, &right, &given);
}

/* Any position of a box may be the first one: W goes on first, then H, then D, then the image. */
static void walk(struct ck *t)
{
    const int rank = rank_of(t);
    struct column right = column_make(TENSOR_U16, rank), given;
    int64_t from = ck_int(t, "from");

    for (int i = 1; i + 1 < rank; i++) {
        right.map.lower[i - 1] = -1;
        right.map.upper[i - 1] = i - 3;
    }
    for (int i = 1; i + 1 < rank; i++) {
        const int64_t n = column_last(&right.map, i) - right.map.lower[i - 1] + 1;
        right.corner[i] = right.map.lower[i - 1] + (int32_t)(from % n);
        from /= n;
    }
    given = right;
    if (ck_variant(t, "swap")) { /* the two slowest dimensions of the walk change places */
        const uint64_t dim = given.map.dims[rank - 1], stride = given.map.strides[rank - 2];
        given.map.dims[rank - 1] = given.map.dims[rank - 2];
        given.map.strides[rank - 2] = given.map.strides[rank - 3];
        given.map.dims[rank - 2] = dim;
        given.map.strides[rank - 3] = stride;
    }
    column_load(t, &right, &given);
}

/* A filter of three pixels along each of W, H and D, with one pixel of padding: each of its offsets sees the image
 * from elsewhere, and the map's fill around it. */
static void halo(struct ck *t)
{
    const int rank = rank_of(t);
    struct column right = column_make(TENSOR_F16, rank), given;
    static const char *const names[] = { "w", "h", "d" };

    right.map.fill = ck_is(t, "fill", "nan") ? TENSOR_FILL_NAN : TENSOR_FILL_NONE;
    right.map.pixels = 48;
    for (int i = 1; i + 1 < rank && i <= 3; i++) {
        right.map.lower[i - 1] = right.corner[i] = -1;
        right.map.upper[i - 1] = -1;
        right.corner[TENSOR_RANK_MAX + i - 1] = (int32_t)ck_int(t, names[i - 1]);
    }
    given = right;
    if (ck_variant(t, "corner"))
        for (int i = 1; i + 1 < rank; i++)
            given.map.lower[i - 1] = given.corner[i] = 0;
    column_load(t, &right, &given);
}

static bool filter_in_rank(struct ck *t)
{
    return (ck_int(t, "h") == 0 || rank_of(t) > 3) && (ck_int(t, "d") == 0 || rank_of(t) > 4);
}

/* What a column would take from images behind the last one is filled, though there is memory. */
static void last_image(struct ck *t)
{
    const int last = rank_of(t) - 1;
    struct column right = column_make(TENSOR_F16, rank_of(t)), given;

    right.map.fill = ck_is(t, "fill", "nan") ? TENSOR_FILL_NAN : TENSOR_FILL_NONE;
    right.map.pixels = (uint32_t)ck_int(t, "pixels");
    right.corner[last] = (int32_t)ck_int(t, "image");
    if (right.corner[last] < 3) /* the last pixels of this image */
        for (int i = 1; i < last; i++)
            right.corner[i] = column_last(&right.map, i);
    given = right;
    if (ck_variant(t, "image"))
        given.map.dims[last]++;
    column_load(t, &right, &given);
}

/* Channels that the tensor does not have are filled, though the next pixel's memory is there. */
static void channels(struct ck *t)
{
    struct column right = column_make(TENSOR_F16, rank_of(t)), given;

    right.map.fill = ck_is(t, "fill", "nan") ? TENSOR_FILL_NAN : TENSOR_FILL_NONE;
    right.map.dims[0] = (uint64_t)ck_int(t, "depth");
    right.corner[0] = (int32_t)ck_int(t, "channel");
    given = right;
    if (ck_variant(t, "depth"))
        given.map.dims[0]++;
    column_load(t, &right, &given);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_i2c_count), .run = count,
      .axes = { { "rank", "3..5" },
                { "pixels", "1 2 3 4 7 8 9 16 31 32 33 64 96 100 127 128 129 255 256 257 500 512 1000 1023 1024" },
                { "channels", "16 32 48 64 112 128 144 240 256" } },
      .valid = fits,
      .mutants = { { "pixel", "one pixel less", .only = "pixels=2/3/7/33/129/257/1024" },
                   { "expect", "expect 16 bytes more", .only = "rank=4 pixels=32 channels=64" } } },
    { CK_RULE(tensor_i2c_smem_layout), .run = layout,
      .axes = { { "rank", "3..5" },
                { "type", TYPES },
                { "channel-bytes", "16 32 48 64 128 256" },
                { "swizzle", "none 32B 64B 128B" } },
      .valid = row_in_span,
      .mutants = { { "pixel", "start one pixel further" }, { "channel", "start 16 bytes of channels further" } } },
    { CK_RULE(swz_i2c), .run = swizzled,
      .axes = { { "rank", "3..5" },
                { "type", "u8 f16 u32 f64" },
                { "swizzle", "32B 64B 128B" },
                { "pixels", "8 31 64 200" } },
      .mutants = { { "none", "a map without a swizzle" },
                   { "wider", "a map with the next wider swizzle", .only = "swizzle=32B/64B" } } },
    { CK_RULE(tensor_i2c_start), .run = start,
      .axes = { { "rank", "3..5" }, { "dim", "1..3" }, { "at", "-2..3" }, { "offset", "0..3" } },
      .valid = column_dim_in_rank,
      .mutants = { { "step", "start one position further", .only = "at=0/1 offset=0/1" },
                   { "none", "add nothing", .only = "at=0/1 offset=1/2/3" } } },
    { CK_RULE(tensor_i2c_box), .run = box,
      .axes = { { "rank", "3..5" }, { "dim", "1..3" }, { "lower", "-2..2" }, { "upper", "-2..2" } },
      .valid = column_dim_in_rank,
      .mutants = { { "upper", "end one position later", .only = "upper=-2/-1" },
                   { "lower", "begin one position earlier", .only = "lower=1/2" } } },
    { CK_RULE(tensor_i2c_walk), .run = walk,
      .axes = { { "rank", "3..5" }, { "from", "0 1 2 3 5 6 7 11 13 17 24 29 30 31 35 41 59 83 97 119" } },
      .mutants = { { "swap", "let the two slowest dimensions change places" } } },
    { CK_RULE(tensor_i2c_halo_fill), .run = halo,
      .axes = { { "rank", "3..5" }, { "w", "0..2" }, { "h", "0..2" }, { "d", "0..2" }, { "fill", "zero nan" } },
      .valid = filter_in_rank, .mutants = { { "corner", "no padding: the lower corner is 0" } } },
    { CK_RULE(tensor_i2c_n_overflow), .run = last_image,
      .axes = { { "rank", "3..5" }, { "image", "2 3 4 100" }, { "pixels", "2 8 32 64" }, { "fill", "zero nan" } },
      .mutants = { { "image", "one more image", .only = "image=2/3" } } },
    { CK_RULE(tensor_i2c_channel_oob), .run = channels,
      .axes = { { "rank", "3..5" },
                { "depth", "17 20 23 24 25 31" },
                { "channel", "-16 -8 0 8 16 24 32 40" },
                { "fill", "zero nan" } },
      .mutants = { { "depth", "one more channel", .only = "channel=16" } } },
    { 0 }
};

const struct ck_suite im2col_copy = { "im2col/copy", cases };
// SPDX-License-Identifier: Apache-2.0
