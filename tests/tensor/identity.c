/* Boxes inside the tensor: every element at its own place, and nothing else. */
#include <string.h>

#include "kernels/tensor.h"
#include "tests/tensor/box.h"

#define ALL_TYPES "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz"

static void load(struct ck *t)
{
    const struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    const struct box b = box_to_load(t, &map);

    box_load(t, &b);
    ck_equal(t, b.image, box_loaded(t, &b));
}

static void store(struct ck *t)
{
    const struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    const struct box b = box_to_store(t, &map);

    box_store(t, &b);
    ck_equal(t, b.tensor, box_stored(t, &b));
}

/* The same box into .shared::cta, which is a kernel of its own. */
static void load_cta(struct ck *t)
{
    const struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    const struct box b = box_to_load(t, &map);
    const struct box_told told = box_told(t, &b);
    struct tensor_load_args a = { .out = b.image.device,
                                  .bytes = b.image_bytes,
                                  .offset = b.offset,
                                  .expect = (uint32_t)tensor_tile_bytes(&map),
                                  .rank = (uint32_t)map.rank };

    memcpy(a.corner, told.corner, sizeof a.corner);
    ck_encode(t, &told.map, b.tensor, &a.map);
    ck_launch(
        t,
        &(struct ck_launch){
            .kernel = "tensor_load_cta", .block = { 128 }, .smem = b.image_bytes + 16, .args = &a, .size = sizeof a });
    ck_equal(t, b.image, box_loaded(t, &b));
}

/* All sizes and coordinates differ, so that no two dimensions can change places unseen. */
static void distinct_dimensions(struct ck *t)
{
    static const uint32_t dims[] = { 4, 4, 7, 8, 10 }, box[] = { 2, 1, 2, 1, 2 };
    static const int32_t corner[] = { 0, 2, 4, 6, 8 };
    struct tensor_map map = tensor_map_default(TENSOR_U64, ck_int(t, "rank"));
    struct box b;

    for (int i = 0; i < map.rank; i++) {
        map.dims[i] = dims[i];
        map.box[i] = box[i];
    }
    box_pack(&map, 0);
    b = ck_is(t, "direction", "load") ? box_to_load(t, &map) : box_to_store(t, &map);
    memcpy(b.corner, corner, sizeof b.corner);
    memset(b.corner + map.rank, 0, (size_t)(5 - map.rank) * sizeof *corner);
    if (ck_is(t, "direction", "load")) {
        box_load(t, &b);
        ck_equal(t, b.image, box_loaded(t, &b));
    } else {
        box_store(t, &b);
        ck_equal(t, b.tensor, box_stored(t, &b));
    }
}

/* Says where each byte of a dense tile comes from without the oracle: row after row, box[0] elements each. */
static void dense_in_shared(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U8, (int)ck_int(t, "rank"));
    const struct box b = box_to_load(t, &map);
    unsigned char *expected = ck_alloc(t, b.image_bytes), *to = expected + b.offset;
    uint32_t at[5] = { 0 };

    memset(expected, CK_POISON, b.image_bytes);
    for (size_t rows = tensor_tile_bytes(&map) / map.box[0]; rows; rows--) {
        uint64_t from = (uint64_t)b.corner[0];
        for (int i = 1; i < map.rank; i++)
            from += (uint64_t)(b.corner[i] + (int32_t)at[i]) * map.strides[i - 1];
        memcpy(to, b.tensor.host + from, map.box[0]);
        to += map.box[0];
        for (int i = 1; i < map.rank && ++at[i] == map.box[i]; i++)
            at[i] = 0;
    }
    box_load(t, &b);
    ck_equal(t, b.image, expected);
}

/* The tile stands between poison on both sides. With element strides it is smaller than its box. */
static void footprint(struct ck *t)
{
    struct tensor_map map = box_map(TENSOR_U16, (int)ck_int(t, "rank"));
    struct box b;

    for (int i = 1; i < map.rank; i++)
        map.element_strides[i] = (uint32_t)ck_int(t, "stride");
    b = box_to_load(t, &map);
    box_load(t, &b);
    ck_filled(t, b.image, 0, b.offset, CK_POISON);
    ck_filled(t, b.image, b.offset + tensor_tile_bytes(&map), b.image_bytes - b.offset - tensor_tile_bytes(&map),
              CK_POISON);
    ck_equal(t, b.image, box_loaded(t, &b));
}

static bool stride_in_rank(struct ck *t)
{
    return ck_int(t, "stride") == 1 || ck_int(t, "rank") > 1;
}

/* One stride is larger than the packed pitch. */
static void padded_rows(struct ck *t)
{
    const int dim = (int)ck_int(t, "stride");
    struct tensor_map map = box_map(TENSOR_F32, (int)ck_int(t, "rank"));
    struct box b;

    map.strides[dim] += 48;
    for (int i = dim + 1; i + 1 < map.rank; i++)
        map.strides[i] = map.strides[i - 1] * map.dims[i];
    if (ck_is(t, "direction", "load")) {
        b = box_to_load(t, &map);
        box_load(t, &b);
        ck_equal(t, b.image, box_loaded(t, &b));
    } else {
        b = box_to_store(t, &map);
        box_store(t, &b);
        ck_equal(t, b.tensor, box_stored(t, &b));
    }
}

static bool stride_below_rank(struct ck *t)
{
    return ck_int(t, "stride") + 1 < ck_int(t, "rank");
}

/* Rows of an odd number of elements, 16 bytes apart at least; the box takes in their end. */
static void odd_rows(struct ck *t)
{
    struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    struct box b;

    map.dims[0] = (uint64_t)ck_int(t, "dim0");
    box_pack(&map, 0);
    b = box_to_load(t, &map);
    box_over(&map, b.corner, 0, "high");
    box_load(t, &b);
    ck_equal(t, b.image, box_loaded(t, &b));
}

/* With .tile and without a mode. */
static void no_mode(struct ck *t)
{
    const bool to_load = ck_is(t, "direction", "load");
    const struct tensor_map map = box_map(TENSOR_U32, (int)ck_int(t, "rank"));
    const struct box b = to_load ? box_to_load(t, &map) : box_to_store(t, &map);
    const struct box_told told = box_told(t, &b);
    const uint32_t form = ck_is(t, "mode", "tile") ? TENSOR_TILE : TENSOR_MODELESS;
    struct tensor_load_args l = { .out = b.image.device,
                                  .bytes = b.image_bytes,
                                  .offset = b.offset,
                                  .expect = (uint32_t)tensor_tile_bytes(&map),
                                  .rank = (uint32_t)map.rank,
                                  .form = form };
    struct tensor_store_args s = {
        .in = b.image.device, .bytes = b.image_bytes, .offset = b.offset, .rank = (uint32_t)map.rank, .form = form
    };

    memcpy(l.corner, told.corner, sizeof l.corner);
    memcpy(s.corner, told.corner, sizeof s.corner);
    ck_encode(t, &told.map, b.tensor, &l.map);
    s.map = l.map;
    ck_launch(t, &(struct ck_launch){ .kernel = to_load ? "tensor_load" : "tensor_store",
                                      .block = { 128 },
                                      .smem = b.image_bytes + 16,
                                      .args = to_load ? (void *)&l : (void *)&s,
                                      .size = to_load ? sizeof l : sizeof s });
    if (to_load)
        ck_equal(t, b.image, box_loaded(t, &b));
    else
        ck_equal(t, b.tensor, box_stored(t, &b));
}

#define STEP                                                                                                           \
    {                                                                                                                  \
        "step", "start one step further", .set = "twist=step"                                                          \
    }
#define REVERSE                                                                                                        \
    {                                                                                                                  \
        "reverse", "give the coordinates slowest first", .set = "twist=reverse"                                        \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tensor_form_default_tile), .run = no_mode,
      .axes = { { "rank", "1..5" }, { "mode", "none tile" }, { "direction", "load store" } }, .mutants = { STEP } },
    { CK_RULE(tensor_tile_load_identity), .run = load, .axes = { { "rank", "1..5" }, { "type", ALL_TYPES } },
      .mutants = { STEP } },
    { CK_RULE(tensor_tile_load_identity), .name = "cta", .run = load_cta,
      .axes = { { "rank", "1..5" }, { "type", ALL_TYPES } }, .mutants = { STEP } },
    { CK_RULE(tensor_tile_store_identity), .run = store, .axes = { { "rank", "1..5" }, { "type", ALL_TYPES } },
      .mutants = { STEP } },
    { CK_RULE(tensor_tile_coord_fastest_first), .run = distinct_dimensions,
      .axes = { { "rank", "2..5" }, { "direction", "load store" } }, .mutants = { REVERSE } },
    { CK_RULE(tensor_tile_smem_packed), .run = dense_in_shared, .axes = { { "rank", "1..5" } },
      .mutants = { { "padded", "load rows that are 16 bytes longer", .set = "twist=wide" } } },
    { CK_RULE(tensor_tile_smem_footprint), .run = footprint, .axes = { { "rank", "1..5" }, { "stride", "1..3" } },
      .valid = stride_in_rank,
      .mutants = { { "tall", "make the box one larger", .set = "twist=tall", .only = "stride=1" } } },
    { CK_RULE(tensor_tile_gstride_padding), .run = padded_rows,
      .axes = { { "rank", "2..5" }, { "stride", "0..3" }, { "direction", "load store" } }, .valid = stride_below_rank,
      .mutants = { { "packed", "leave the padding out of the strides", .set = "twist=pitch" } } },
    { CK_RULE(tensor_tile_inner_not_16), .run = odd_rows,
      .axes = { { "rank", "1..2" }, { "dim0", "5 13 17" }, { "type", "u8 u16 f32" } },
      .mutants = { { "rounded", "round the inner size up to 16 bytes", .set = "twist=wider dim=0" } } },
    { 0 }
};

const struct ck_suite tensor_identity = { "tensor/identity", cases };
