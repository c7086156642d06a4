/* What a program owes an im2col copy: offsets in range, a position inside the box, corners that a store can have. */
#include <string.h>

#include "tests/im2col/column.h"

static int32_t offset_max(int rank)
{
    return rank == 3 ? 65535 : rank == 4 ? 255 : 31;
}

/* Images that are long in one dimension, so that the pixel at the offset exists; what the breach asks for, too. */
static struct column long_column(int rank, int dim, int32_t offset)
{
    struct column c = column_make(TENSOR_U16, rank);

    c.map.dims[0] = c.map.channels = 8;
    c.map.pixels = 4;
    for (int i = 1; i < rank; i++)
        c.map.dims[i] = i == dim ? (uint64_t)offset + 8 : 2;
    column_pack(&c.map);
    c.corner[1] = dim == 1;
    c.corner[TENSOR_RANK_MAX + dim - 1] = offset;
    return c;
}

/* Which offset a load went by, of those that its number could be cut to. */
static void see_offset(struct ck *t, const struct column *c, int dim, struct ck_buf tensor, struct ck_buf image)
{
    const int32_t asked = c->corner[TENSOR_RANK_MAX + dim - 1];
    unsigned char *want = ck_alloc(t, image.size);

    for (int32_t mask = 0xFFFF; mask >= 7; mask >>= 1) {
        struct column cut = *c;

        cut.corner[TENSOR_RANK_MAX + dim - 1] = asked & mask;
        memset(want, CK_POISON, image.size);
        oracle_tile_load(&cut.map, tensor.host, cut.corner, want, COLUMN_OFFSET);
        if (!memcmp(want, image.host, image.size)) {
            ck_see(t, "as offset %d", asked & mask);
            return;
        }
    }
    ck_see(t, "as no part of the offset");
}

/* Offsets from 0 up to what the rank allows, each added in full. */
static void offset_range(struct ck *t)
{
    const int rank = (int)ck_int(t, "rank"), dim = (int)ck_int(t, "dim");
    const bool over = ck_variant(t, "over");
    struct column c = long_column(rank, dim, over ? offset_max(rank) + 1 : (int32_t)ck_int(t, "offset"));
    const struct ck_buf tensor = ck_input(t, column_extent(&c.map, 2));
    const struct ck_buf image = ck_output(t, column_image(&c.map));
    unsigned char *want = ck_alloc(t, image.size);
    struct im2col_args a;

    memset(want, CK_POISON, image.size);
    oracle_tile_load(&c.map, tensor.host, c.corner, want, COLUMN_OFFSET);
    a = column_args(t, &c, tensor, image);
    if (ck_variant(t, "less"))
        a.offsets[dim - 1] ^= 1;
    column_launch(t, "im2col_load", &a);
    if (over)
        see_offset(t, &c, dim, tensor, image);
    else
        ck_equal(t, image, want);
}

static bool offset_at_rank(struct ck *t)
{
    return column_dim_in_rank(t) && ck_int(t, "offset") <= offset_max((int)ck_int(t, "rank")) &&
           (ck_int(t, "rank") != 4 || ck_int(t, "offset") != 65535);
}

/* A box that differs from the tensor on both sides; the column starts at its first or last position in each dimension,
 * or in one of them one step outside, which breaks the rule. */
static void base(struct ck *t)
{
    const int rank = (int)ck_int(t, "rank"), dim = (int)ck_int(t, "dim");
    struct column right = column_make(TENSOR_U16, rank), given;

    for (int i = 1; i + 1 < rank; i++) {
        right.map.lower[i - 1] = -1;
        right.map.upper[i - 1] = -2;
        right.corner[i] = ck_is(t, "end", "low") ? -1 : column_last(&right.map, i);
    }
    if (ck_variant(t, "before"))
        right.corner[dim] = -2;
    if (ck_variant(t, "behind"))
        right.corner[dim] = column_last(&right.map, dim) + 1;
    given = right;
    if (ck_variant(t, "step"))
        given.corner[dim] += ck_is(t, "end", "low") ? 1 : -1;
    column_load(t, &right, &given);
}

/* A store within corners that leave the tensor nowhere; each breach moves one of them, or a coordinate, out of it. */
static void store_corners(struct ck *t)
{
    const int rank = (int)ck_int(t, "rank"), dim = (int)ck_int(t, "dim");
    struct column right = column_make(TENSOR_U16, rank), given;

    right.map.lower[dim - 1] = (int32_t)ck_int(t, "lower");
    right.map.upper[dim - 1] = (int32_t)ck_int(t, "upper");
    for (int i = 1; i + 1 < rank; i++)
        right.corner[i] = column_last(&right.map, i);
    right.corner[1] -= 2;
    if (ck_variant(t, "lower"))
        right.map.lower[dim - 1] = -1;
    if (ck_variant(t, "upper"))
        right.map.upper[dim - 1] = 1;
    if (ck_variant(t, "image"))
        right.corner[rank - 1] = -1;
    given = right;
    if (ck_variant(t, "wider"))
        given.map.lower[dim - 1] = 1 - given.map.lower[dim - 1];
    column_store(t, &right, &given);
}

/* Loads a column and stores it to an empty batch: there, its pixels are where they were taken from. */
static void round_trip(struct ck *t)
{
    const int rank = (int)ck_int(t, "rank");
    struct column c = column_make(TENSOR_U16, rank);
    const size_t size = column_extent(&c.map, 3);
    const struct ck_buf from = ck_input(t, size), to = ck_output(t, size);
    const struct ck_buf image = ck_output(t, column_image(&c.map));
    unsigned char *want = ck_alloc(t, size), *column = ck_alloc(t, image.size);
    struct im2col_args a;

    for (int i = 1; i + 1 < rank; i++) {
        c.map.upper[i - 1] = -i;
        c.map.element_strides[i] = (uint32_t)ck_int(t, "step");
    }
    c.corner[1] = (int32_t)c.map.element_strides[1];
    c.corner[rank - 1] = (int32_t)ck_int(t, "image");
    memset(want, CK_POISON, size);
    oracle_tile_load(&c.map, from.host, c.corner, column, 0);
    oracle_tile_store(&c.map, want, c.corner, column, 0);
    a = column_args(t, &c, from, image);
    ck_encode(t, &c.map, to, &a.target);
    a.shift = ck_variant(t, "shift") ? (int32_t)c.map.element_strides[1] : 0;
    column_launch(t, "im2col_round", &a);
    ck_equal(t, to, want);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_i2c_offset_range), .run = offset_range,
      .axes = { { "rank", "3..5" },
                { "dim", "1..3" },
                { "offset", "0 1 2 7 8 15 16 30 31 32 63 64 127 128 254 255 256 1023 4096 32767 32768 65534 65535" } },
      .valid = offset_at_rank, .mutants = { { "less", "another offset" } },
      .breaches = { { "over", "one more than the rank allows", .only = "rank=4/5 offset=0" } } },
    { CK_RULE(tensor_i2c_base_in_box), .run = base,
      .axes = { { "rank", "3..5" }, { "dim", "1..3" }, { "end", "low high" } }, .valid = column_dim_in_rank,
      .mutants = { { "step", "one position further inside" } },
      .breaches = { { "before", "one position before the box", .only = "rank=3/5 end=low", .faults = true },
                    { "behind", "one position behind the box", .only = "rank=3/5 end=high", .faults = true } } },
    { CK_RULE(tensor_i2c_store_corners), .run = store_corners,
      .axes = { { "rank", "3..5" }, { "dim", "1..3" }, { "lower", "0 1" }, { "upper", "-2..0" } },
      .valid = column_dim_in_rank, .mutants = { { "wider", "another lower corner" } },
      .breaches = { { "lower", "a lower corner of -1", .only = "rank=3/5 lower=0 upper=0", .faults = true },
                    { "upper", "an upper corner of 1", .only = "rank=3/5 lower=0 upper=0", .faults = true },
                    { "image", "image -1", .only = "rank=3/5 lower=0 upper=0 dim=1", .faults = true } } },
    { CK_RULE(tensor_i2c_store_identity), .run = round_trip,
      .axes = { { "rank", "3..5" }, { "step", "1..3" }, { "image", "0..3" } },
      .mutants = { { "shift", "store one position further", .only = "image=0/1/2" } } },
    { 0 }
};

const struct ck_suite im2col_limits = { "im2col/limits", cases };
// SPDX-License-Identifier: Apache-2.0
