/* Tile stores over the edges of a tensor: what lies outside is not written. */
#include <string.h>

#include "tests/tensor/box.h"

#define ALL_TYPES "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz"

/* The part of the box that hangs over the high side is not written; the padding behind the rows keeps its bytes. Rows
 * are a multiple of 16 bytes long. */
static void store_over_an_edge(struct ck *t)
{
    struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    const int dim = (int)ck_int(t, "dim");
    const unsigned char *expected;
    struct box b;

    box_pack(&map, 32);
    map.fill = ck_is(t, "fill", "nan") ? TENSOR_FILL_NAN : TENSOR_FILL_NONE;
    b = box_to_store(t, &map);
    box_over(&map, b.corner, dim, "high");
    expected = box_stored(t, &b);
    if (ck_variant(t, "wider"))
        box_widen(&b, dim);
    box_store(t, &b);
    ck_equal(t, b.tensor, expected);
}

/* A store of a box that lies wholly outside the tensor writes nothing. */
static void store_outside(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U16, (int)ck_int(t, "rank"));
    const int dim = (int)ck_int(t, "dim");
    struct box b = box_to_store(t, &map);
    const unsigned char *expected;

    box_over(&map, b.corner, dim, "above");
    if (ck_is(t, "where", "far-above"))
        b.corner[dim] = INT32_MAX / 2 / (int32_t)box_step(&map) * (int32_t)box_step(&map);
    expected = box_stored(t, &b);
    if (ck_variant(t, "inside"))
        memset(b.corner, 0, sizeof b.corner);
    box_store(t, &b);
    ck_equal(t, b.tensor, expected);
}

/* Rows end inside a 16-byte chunk: records how far a store, or a reduction, writes behind the last element. */
static void store_row_ends(struct ck *t)
{
    struct tensor_map map = box_map(box_type(t), 2);
    const bool add = ck_is(t, "copy", "add");
    const size_t size = tensor_type_bytes(map.type, NULL);
    struct box b;
    size_t row, most = 0;

    map.dims[0] = (uint64_t)ck_int(t, "dim0");
    map.strides[0] = 512;
    map.box[0] = (uint32_t)(128 / size);
    b = box_to_store(t, &map);
    memset(b.corner, 0, sizeof b.corner);
    b.corner[0] = (int32_t)(map.dims[0] / map.box[0] * map.box[0]);
    row = map.dims[0] * size;
    if (add) { /* a value that is normal in every type, so that no sum is zero */
        b.tensor = ck_zeroed(t, b.tensor.size);
        memset(b.image.host, 0x41, b.image.size);
    }
    if ((add ? box_add(t, &b) : box_store(t, &b)) != CK_DONE)
        return;
    for (size_t r = 0; r < map.box[1]; r++)
        for (size_t i = most; i < 512 - row; i++)
            if (b.tensor.host[r * 512 + row + i] != (add ? 0 : CK_POISON))
                most = i + 1;
    if (!most)
        ck_see(t, "nothing behind the row is written");
    else
        ck_see(t, "%zu bytes behind the row are written, to %zu mod 16", most, (row + most) % 16);
}

static bool row_end_in_chunk(struct ck *t)
{
    const size_t bytes = (size_t)ck_int(t, "dim0") * tensor_type_bytes(box_type(t), NULL);

    return bytes < 480 && bytes % 16;
}

/* A store whose coordinates are zero or more writes its part of the tensor. The breach starts before the tensor; what
 * is written then is recorded. */
static void store_before(struct ck *t)
{
    const bool add = ck_is(t, "copy", "add");
    struct tensor_map map = box_map(TENSOR_U32, (int)ck_int(t, "rank"));
    const int dim = (int)ck_int(t, "dim");
    const unsigned char *expected;
    struct box b;
    enum ck_end end;

    map.address = 8192; /* room in front of the tensor for what might be written there */
    b = box_to_store(t, &map);
    b.corner[dim] = 0;
    if (!ck_conforming(t))
        box_over(&map, b.corner, dim, "low");
    expected = add ? box_added(t, &b) : box_stored(t, &b);
    if (ck_variant(t, "step"))
        box_move_on(&b);
    end = add ? box_add(t, &b) : box_store(t, &b);
    if (ck_conforming(t))
        ck_equal(t, b.tensor, expected);
    else if (end == CK_DONE)
        ck_see(t, "%s",
               memcmp(b.tensor.host, expected, b.tensor.size) ? "other bytes are written"
                                                              : "the part inside is written and no more");
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_tile_oob_store_dropped), .run = store_over_an_edge,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "type", ALL_TYPES }, { "fill", "=zero" } },
      .valid = box_dim_in_rank, .mutants = { { "wider", "make the tensor one larger in this dimension" } } },
    { CK_RULE(tensor_tile_oob_store_no_fill), .run = store_over_an_edge,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "fill", "nan" },
                { "type", "f16 bf16 f32 f64 f32-ftz tf32 tf32-ftz" } },
      .valid = box_dim_in_rank, .mutants = { { "wider", "make the tensor one larger in this dimension" } } },
    { CK_RULE(tensor_tile_oob_store_all_outside), .run = store_outside,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "where", "above far-above" } }, .valid = box_dim_in_rank,
      .mutants = { { "inside", "start the box inside the tensor" } } },
    { CK_RULE(tensor_tile_oob_store_inner_16), .run = store_row_ends,
      .axes = { { "copy", "store" },
                { "type", "u8 u16 u32 u64 f16 f32 f64 bf16" },
                { "dim0", "5 13 33 57 59 117 233 466 471" } },
      .valid = row_end_in_chunk },
    { CK_RULE(tensor_tile_oob_store_inner_16), .name = "add", .run = store_row_ends,
      .axes = { { "copy", "add" }, { "type", "u32 s32 u64 f16 bf16 f32" }, { "dim0", "5 13 33 57 59 117 233" } },
      .valid = row_end_in_chunk },
    { CK_RULE(tensor_tile_oob_store_negative), .run = store_before,
      .axes = { { "copy", "store add" }, { "rank", "1..5" }, { "dim", "0..4" } }, .valid = box_dim_in_rank,
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "negative", "start before the tensor in this dimension", .only = "rank=1/3", .faults = true },
                    { "negative-outer", "start before the tensor in this dimension", .only = "rank=5 dim=4",
                      .faults = true } } },
    { 0 }
};

const struct ck_suite tensor_bounds_store = { "tensor-bounds/store", cases };
// SPDX-License-Identifier: Apache-2.0
