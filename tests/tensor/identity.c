/* Boxes inside the tensor: every element at its own place, and nothing else. */
#include <string.h>

#include "tests/tensor/box.h"

#define ALL_TYPES "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz"

/* A box of each type and rank is loaded: each element arrives at its own place, and nothing else does. */
static void load(struct ck *t)
{
    const struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    struct box b = box_to_load(t, &map);
    const unsigned char *const expected = box_loaded(t, &b);

    if (ck_variant(t, "step"))
        box_move_on(&b);
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

/* A box of each type and rank is stored: each element arrives at its own place, and nothing else does. */
static void store(struct ck *t)
{
    const struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    struct box b = box_to_store(t, &map);
    const unsigned char *const expected = box_stored(t, &b);

    if (ck_variant(t, "step"))
        box_move_on(&b);
    box_store(t, &b);
    ck_equal(t, b.tensor, expected);
}

/* A load whose destination is .shared::cta leaves what one to .shared::cluster leaves. */
static void load_cta(struct ck *t)
{
    const struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    struct box b = box_to_load(t, &map);
    const unsigned char *const expected = box_loaded(t, &b);

    if (ck_variant(t, "step"))
        box_move_on(&b);
    box_load_by(t, &b, "tensor_load_cta");
    ck_equal(t, b.image, expected);
}

/* The first coordinate counts in the fastest dimension. All sizes and coordinates differ, so that no two dimensions can
 * change places unseen. */
static void distinct_dimensions(struct ck *t)
{
    static const uint32_t dims[] = { 4, 4, 7, 8, 10 }, box[] = { 2, 1, 2, 1, 2 };
    static const int32_t corner[] = { 0, 2, 4, 6, 8 };
    const bool to_load = ck_is(t, "direction", "load");
    struct tensor_map map = tensor_map_default(TENSOR_U64, ck_int(t, "rank"));
    const unsigned char *expected;
    struct box b;

    for (int i = 0; i < map.rank; i++) {
        map.dims[i] = dims[i];
        map.box[i] = box[i];
    }
    box_pack(&map, 0);
    b = to_load ? box_to_load(t, &map) : box_to_store(t, &map);
    memcpy(b.corner, corner, (size_t)map.rank * sizeof *corner);
    expected = to_load ? box_loaded(t, &b) : box_stored(t, &b);
    if (ck_variant(t, "reverse"))
        for (int i = 0; i < map.rank; i++)
            b.corner[i] = corner[map.rank - 1 - i];
    if (to_load)
        box_load(t, &b);
    else
        box_store(t, &b);
    ck_equal(t, to_load ? b.image : b.tensor, expected);
}

/* A tile in shared memory is dense: row follows row, box[0] elements each. Says so without the oracle. */
static void dense_in_shared(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U8, (int)ck_int(t, "rank"));
    struct box b = box_to_load(t, &map);
    unsigned char *expected = ck_alloc(t, b.image_bytes), *to = expected + b.offset;
    uint32_t at[5] = { 0 };

    memset(expected, CK_POISON, b.image_bytes);
    for (size_t rows = tensor_tile_bytes(&map) / map.box[0]; rows; rows--) {
        uint64_t from = (uint64_t)b.corner[0];
        for (int i = 1; i < map.rank; i++)
            from += (uint64_t)(b.corner[i] + (int32_t)at[i]) * map.strides[i - 1];
        memcpy(to, b.tensor.host + from, map.box[0]);
        to += map.box[0];
        for (int i = 1; i < map.rank; i++) { /* on to the next row */
            at[i]++;
            if (at[i] < map.box[i])
                break;
            at[i] = 0;
        }
    }
    if (ck_variant(t, "padded"))
        b.map.box[0] += 16;
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

/* A load writes the bytes of its tile, and none before or behind it. With element strides the tile is smaller than its
 * box. */
static void footprint(struct ck *t)
{
    struct tensor_map map = box_map(TENSOR_U16, (int)ck_int(t, "rank"));
    const unsigned char *expected;
    size_t end;
    struct box b;

    for (int i = 1; i < map.rank; i++)
        map.element_strides[i] = (uint32_t)ck_int(t, "stride");
    b = box_to_load(t, &map);
    end = b.offset + tensor_tile_bytes(&map);
    expected = box_loaded(t, &b);
    if (ck_variant(t, "tall"))
        b.map.box[map.rank - 1] += map.rank > 1 ? 1 : (uint32_t)box_step(&map);
    box_load(t, &b);
    ck_filled(t, b.image, 0, b.offset, CK_POISON);
    ck_filled(t, b.image, end, b.image_bytes - end, CK_POISON);
    ck_equal(t, b.image, expected);
}

static bool stride_in_rank(struct ck *t)
{
    return ck_int(t, "stride") == 1 || ck_int(t, "rank") > 1;
}

/* A stride that is larger than the packed pitch leaves a gap in the tensor, and none in the tile. */
static void padded_rows(struct ck *t)
{
    const bool to_load = ck_is(t, "direction", "load");
    const int dim = (int)ck_int(t, "stride");
    struct tensor_map map = box_map(TENSOR_F32, (int)ck_int(t, "rank"));
    const unsigned char *expected;
    struct box b;

    map.strides[dim] += 48;
    for (int i = dim + 1; i + 1 < map.rank; i++)
        map.strides[i] = map.strides[i - 1] * map.dims[i];
    b = to_load ? box_to_load(t, &map) : box_to_store(t, &map);
    expected = to_load ? box_loaded(t, &b) : box_stored(t, &b);
    if (ck_variant(t, "packed"))
        box_pack(&b.map, 0);
    if (to_load)
        box_load(t, &b);
    else
        box_store(t, &b);
    ck_equal(t, to_load ? b.image : b.tensor, expected);
}

static bool stride_below_rank(struct ck *t)
{
    return ck_int(t, "stride") + 1 < ck_int(t, "rank");
}

/* A row may have an odd number of elements, with rows 16 bytes apart or a multiple of that; the box takes in a row's
 * end. */
static void odd_rows(struct ck *t)
{
    struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    const unsigned char *expected;
    struct box b;

    map.dims[0] = (uint64_t)ck_int(t, "dim0");
    box_pack(&map, 0);
    b = box_to_load(t, &map);
    box_over(&map, b.corner, 0, "high");
    expected = box_loaded(t, &b);
    if (ck_variant(t, "rounded"))
        box_widen(&b, 0);
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

/* A copy that names no mode does what one with .tile does. */
static void no_mode(struct ck *t)
{
    const bool to_load = ck_is(t, "direction", "load"), tile = ck_is(t, "mode", "tile");
    const struct tensor_map map = box_map(TENSOR_U32, (int)ck_int(t, "rank"));
    struct box b = to_load ? box_to_load(t, &map) : box_to_store(t, &map);
    const unsigned char *const expected = to_load ? box_loaded(t, &b) : box_stored(t, &b);

    if (ck_variant(t, "step"))
        box_move_on(&b);
    if (to_load)
        box_load_by(t, &b, tile ? "tile_load" : "tensor_load_modeless");
    else
        box_store_by(t, &b, tile ? "tile_store" : "tensor_store_modeless");
    ck_equal(t, to_load ? b.image : b.tensor, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_form_default_tile), .run = no_mode,
      .axes = { { "rank", "1..5" }, { "mode", "none tile" }, { "direction", "load store" } },
      .mutants = { { "step", "start one step further" } } },
    { CK_RULE(tensor_tile_load_identity), .run = load, .axes = { { "rank", "1..5" }, { "type", ALL_TYPES } },
      .mutants = { { "step", "start one step further" } } },
    { CK_RULE(tensor_tile_load_identity), .name = "cta", .run = load_cta,
      .axes = { { "rank", "1..5" }, { "type", ALL_TYPES } }, .mutants = { { "step", "start one step further" } } },
    { CK_RULE(tensor_tile_store_identity), .run = store, .axes = { { "rank", "1..5" }, { "type", ALL_TYPES } },
      .mutants = { { "step", "start one step further" } } },
    { CK_RULE(tensor_tile_coord_fastest_first), .run = distinct_dimensions,
      .axes = { { "rank", "2..5" }, { "direction", "load store" } },
      .mutants = { { "reverse", "give the coordinates slowest first" } } },
    { CK_RULE(tensor_tile_smem_packed), .run = dense_in_shared, .axes = { { "rank", "1..5" } },
      .mutants = { { "padded", "load rows that are 16 bytes longer" } } },
    { CK_RULE(tensor_tile_smem_footprint), .run = footprint, .axes = { { "rank", "1..5" }, { "stride", "1..3" } },
      .valid = stride_in_rank, .mutants = { { "tall", "make the box one larger", .only = "stride=1" } } },
    { CK_RULE(tensor_tile_gstride_padding), .run = padded_rows,
      .axes = { { "rank", "2..5" }, { "stride", "0..3" }, { "direction", "load store" } }, .valid = stride_below_rank,
      .mutants = { { "packed", "leave the padding out of the strides" } } },
    { CK_RULE(tensor_tile_inner_not_16), .run = odd_rows,
      .axes = { { "rank", "1..2" }, { "dim0", "5 13 17" }, { "type", "u8 u16 f32" } },
      .mutants = { { "rounded", "round the inner size up to 16 bytes" } } },
    { 0 }
};

const struct ck_suite tensor_identity = { "tensor/identity", cases };
// SPDX-License-Identifier: Apache-2.0
