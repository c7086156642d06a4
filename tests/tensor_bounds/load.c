/* Tile loads over the edges of a tensor: what lies outside arrives as the map's fill. */
#include <string.h>

#include "tests/tensor/box.h"

#define ALL_TYPES "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz"

/* A small tensor of the axes' rank and type whose rows end in the middle of 16 bytes, with padding behind them. */
static struct tensor_map odd_map(struct ck *t)
{
    struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));

    map.dims[0] = 56 / tensor_type_bytes(map.type, NULL);
    if (tensor_type_bytes(map.type, NULL) < 8)
        map.dims[0]--;
    box_pack(&map, 16);
    return map;
}

/* Moves the box to the first element of the tensor. */
static void start_inside(struct box *b)
{
    memset(b->corner, 0, sizeof b->corner);
}

/* What hangs over one side of one dimension arrives as the fill, the rest as it is in the tensor. */
static void load_over_an_edge(struct ck *t)
{
    const struct tensor_map map = odd_map(t);
    const int dim = (int)ck_int(t, "dim");
    struct box b = ck_variant(t, "no-wait") ? box_to_load_late(t, &map) : box_to_load(t, &map);
    const unsigned char *expected;

    box_over(&map, b.corner, dim, ck_word(t, "side"));
    expected = box_loaded(t, &b);
    if (ck_variant(t, "inside"))
        start_inside(&b);
    if (ck_variant(t, "wider"))
        box_widen(&b, dim);
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

/* The box hangs over in all dimensions at once, and only its part inside arrives. Bit i of the axis `corner` says on
 * which side of dimension i. */
static void load_over_a_corner(struct ck *t)
{
    const struct tensor_map map = odd_map(t);
    const int64_t corner = ck_int(t, "corner");
    struct box b = box_to_load(t, &map);
    const unsigned char *expected;

    for (int i = 0; i < map.rank; i++)
        box_over(&map, b.corner, i, corner >> i & 1 ? "high" : "low");
    expected = box_loaded(t, &b);
    if (ck_variant(t, "inside"))
        start_inside(&b);
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

static bool corner_of_rank(struct ck *t)
{
    return ck_int(t, "corner") < 1 << ck_int(t, "rank");
}

/* The coordinate of a box that lies far outside in dimension `dim`. */
static int32_t far_away(const struct tensor_map *map, const char *where, int dim)
{
    const int32_t step = dim ? 1 : (int32_t)box_step(map);

    return !strcmp(where, "far-below")   ? INT32_MIN / 2
           : !strcmp(where, "far-above") ? INT32_MAX / 2 / step * step
           : !strcmp(where, "lowest")    ? INT32_MIN
                                         : INT32_MAX / step * step;
}

static void put(struct box *b, int dim, const char *where)
{
    if (!strcmp(where, "below") || !strcmp(where, "above"))
        box_over(&b->map, b->corner, dim, where);
    else
        b->corner[dim] = far_away(&b->map, where, dim);
}

/* A box that lies wholly outside the tensor arrives as the fill, and all its bytes are signalled. */
static void load_outside(struct ck *t)
{
    const struct tensor_map map = odd_map(t);
    struct box b = box_to_load(t, &map);
    const unsigned char *expected;

    put(&b, (int)ck_int(t, "dim"), ck_word(t, "where"));
    expected = box_loaded(t, &b);
    if (ck_variant(t, "inside"))
        start_inside(&b);
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

/* The same with a tensor that starts behind the last mapped byte: any read of it would fault. Records what arrives. */
static void load_outside_of_nothing(struct ck *t)
{
    const struct tensor_map map = odd_map(t);
    struct box b = box_to_load(t, &map);

    put(&b, (int)ck_int(t, "dim"), ck_word(t, "where"));
    b.tensor = ck_edge_input(t, 1024);
    b.map.address = b.tensor.size;
    if (box_load(t, &b) == CK_DONE)
        ck_see(t, "%s", memcmp(b.image.host, box_loaded(t, &b), b.image_bytes) ? "other bytes arrive" : "fill arrives");
}

/* A row that ends inside a 16-byte chunk ends there: the bytes behind it are mapped and not zero, and do not arrive. */
static void load_row_ends(struct ck *t)
{
    struct tensor_map map = box_map(box_type(t), 2);
    const unsigned char *expected;
    struct box b;

    map.dims[0] = (uint64_t)ck_int(t, "dim0");
    map.box[0] = (uint32_t)(128 / tensor_type_bytes(map.type, NULL));
    map.strides[0] = 256;
    b = box_to_load(t, &map);
    start_inside(&b);
    expected = box_loaded(t, &b);
    if (ck_variant(t, "rounded"))
        box_widen(&b, 0);
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

static bool row_end_inside_chunk(struct ck *t)
{
    const size_t bytes = (size_t)ck_int(t, "dim0") * tensor_type_bytes(box_type(t), NULL);

    return bytes % 16 != 0 && bytes < 128;
}

/* The tensor ends at the last mapped byte, and the box hangs over that end: nothing behind it is touched. */
static void load_at_the_end_of_memory(struct ck *t)
{
    struct tensor_map map = box_map(TENSOR_U16, (int)ck_int(t, "rank"));
    const int dim = (int)ck_int(t, "dim");
    const unsigned char *expected;
    struct box b;

    if (ck_is(t, "layout", "padded"))
        box_pack(&map, 4096);
    b = box_to_load(t, &map);
    b.tensor = ck_edge_input(t, box_extent(&map));
    for (int i = 0; i < map.rank; i++)
        b.corner[i] = (int32_t)(map.dims[i] - map.box[i]);
    box_over(&map, b.corner, dim, "high");
    expected = box_loaded(t, &b);
    if (ck_variant(t, "wider"))
        box_widen(&b, dim);
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

/* A box that is larger than the tensor, in one dimension or in all, brings all of the tensor and fill around it. */
static void load_more_than_there_is(struct ck *t)
{
    struct tensor_map map = box_map(TENSOR_U32, (int)ck_int(t, "rank"));
    const int dim = (int)ck_int(t, "dim");
    const unsigned char *expected;
    struct box b;

    map.box[dim] = (uint32_t)map.dims[dim] + (dim ? 3 : 4);
    if (ck_is(t, "size", "256")) {
        map.box[0] = 4; /* 16 bytes */
        for (int i = 1; i < map.rank; i++)
            map.box[i] = 1;
        map.box[dim] = 256;
    }
    b = box_to_load(t, &map);
    start_inside(&b);
    expected = box_loaded(t, &b);
    if (ck_variant(t, "wider"))
        box_widen(&b, dim);
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

/* With a stride, each `stride`-th element of a dimension is loaded; an element whose index is outside arrives as the
 * fill. */
static void load_with_strides(struct ck *t)
{
    struct tensor_map map = box_map(TENSOR_U32, (int)ck_int(t, "rank"));
    const int dim = (int)ck_int(t, "dim");
    const unsigned char *expected;
    struct box b;

    map.element_strides[dim] = (uint32_t)ck_int(t, "stride");
    map.box[dim] = 8;
    b = box_to_load(t, &map);
    b.corner[dim] = ck_is(t, "side", "low") ? -3 : (int32_t)map.dims[dim] - 4;
    expected = box_loaded(t, &b);
    if (ck_variant(t, "dense"))
        b.map.element_strides[dim] = 1;
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_tile_oob_load_zero_fill), .run = load_over_an_edge,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "side", "high" }, { "type", ALL_TYPES } },
      .valid = box_dim_in_rank,
      .mutants = { { "wider", "make the tensor one larger in this dimension" },
                   { "inside", "start the box inside the tensor" },
                   { "no-wait", "read before the wait", .kernel = "no_wait" } } },
    { CK_RULE(tensor_tile_oob_load_negative), .run = load_over_an_edge,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "side", "low" }, { "type", ALL_TYPES } },
      .valid = box_dim_in_rank, .mutants = { { "inside", "start the box inside the tensor" } } },
    { CK_RULE(tensor_tile_oob_corner), .run = load_over_a_corner,
      .axes = { { "rank", "1..5" }, { "corner", "0..31" }, { "type", "u8 f32" } }, .valid = corner_of_rank,
      .mutants = { { "inside", "start the box inside the tensor" } } },
    { CK_RULE(tensor_tile_oob_all_outside), .run = load_outside,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "where", "below above far-below far-above" },
                { "type", "u16" } },
      .valid = box_dim_in_rank, .mutants = { { "inside", "start the box inside the tensor" } } },
    { CK_RULE(tensor_tile_oob_base_unmapped), .run = load_outside_of_nothing,
      .axes = { { "rank", "2" }, { "dim", "0..1" }, { "where", "below above far-above" }, { "type", "u16" } },
      .faults = true },
    { CK_RULE(tensor_coord_s32_range), .run = load_outside,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "where", "lowest highest" }, { "type", "u8 u64" } },
      .valid = box_dim_in_rank, .mutants = { { "inside", "start the box inside the tensor" } } },
    { CK_RULE(tensor_tile_oob_exact_element), .run = load_row_ends,
      .axes = { { "type", "u8 u16 u32 u64 f16 f32 f64 bf16" }, { "dim0", "1 3 5 7 9 13 15 17 31 33 63 65 127" } },
      .valid = row_end_inside_chunk, .mutants = { { "rounded", "round the rows up to 16 bytes" } } },
    { CK_RULE(tensor_tile_oob_no_touch), .run = load_at_the_end_of_memory,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "layout", "dense padded" } }, .valid = box_dim_in_rank,
      .mutants = { { "wider", "make the tensor one larger in this dimension", .faults = true } } },
    { CK_RULE(tensor_tile_oob_box_larger_than_dim), .run = load_more_than_there_is,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "size", "more 256" } }, .valid = box_dim_in_rank,
      .mutants = { { "wider", "make the tensor one larger in this dimension" } } },
    { CK_RULE(tensor_tile_oob_strided), .run = load_with_strides,
      .axes = { { "rank", "2..5" }, { "dim", "1..4" }, { "side", "low high" }, { "stride", "2..8" } },
      .valid = box_dim_in_rank, .mutants = { { "dense", "leave out the stride" } } },
    { 0 }
};

const struct ck_suite tensor_bounds_load = { "tensor-bounds/load", cases };
// SPDX-License-Identifier: Apache-2.0
