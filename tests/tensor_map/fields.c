/* tensormap.replace, field by field: a map with another value there, once it is edited, is the map of an encode call.
 */
#include <string.h>

#include "tests/tensor_map/edit.h"

/* Loads by `wrong` after the edits; what must come is what `b` says. */
static void edited(struct ck *t, const struct box *b, const struct tensor_map *wrong, struct tmap_replace_args *a)
{
    if (ck_variant(t, "keep"))
        a->count = 0;
    if (ck_variant(t, "entry")) /* the number of another dimension */
        a->edits[0].entry = (a->edits[0].entry + 1) % 4;
    ck_encode(t, wrong, b->tensor, &a->map);
    edit_launch(t, b, a, "tmap_replace");
}

static int rank_of(struct ck *t)
{
    return (int)ck_int(t, "rank");
}

static int dim_of(struct ck *t)
{
    return (int)ck_int(t, "dim");
}

/* A box that is smaller or larger in one dimension: the bytes of the right one come, and are signalled. */
static void box_field(struct ck *t)
{
    const int dim = dim_of(t);
    struct tensor_map right = box_map(TENSOR_U16, rank_of(t)), wrong = right;
    struct tmap_replace_args a = { 0 };
    const uint32_t unit = dim ? 1 : 8;
    struct box b;

    right.box[dim] = unit * (uint32_t)ck_int(t, "size");
    wrong.box[dim] = right.box[dim] == unit ? 2 * unit : right.box[dim] - unit;
    b = box_to_load(t, &right);
    edit_add(&a, TMAP_BOX, dim, right.box[dim]);
    edited(t, &b, &wrong, &a);
}

/* A tensor that ends elsewhere in one dimension, and a box that hangs over the right end. */
static void dim_field(struct ck *t)
{
    const int dim = dim_of(t), by = (int)ck_int(t, "by");
    const struct tensor_map right = box_map(TENSOR_F16, rank_of(t));
    struct tensor_map wrong = right;
    struct tmap_replace_args a = { 0 };
    struct box b = box_to_load(t, &right);

    wrong.dims[dim] = (uint64_t)((int64_t)right.dims[dim] + by);
    box_over(&right, b.corner, dim, "high");
    if (by < 0) /* the elements that the wrong tensor lacks are in the box */
        b.corner[dim] -= dim ? 1 : 8;
    edit_add(&a, TMAP_DIM, dim, right.dims[dim]);
    edited(t, &b, &wrong, &a);
}

/* A dimension is replaced by 0, and a box hangs over the end that it had: what lies there comes if 0 means 2^32. */
static void dim_of_zero(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_F16, rank_of(t));
    struct tmap_replace_args a = { 0 };
    struct box b = box_to_load(t, &map);
    const unsigned char *end_there;

    box_over(&map, b.corner, dim_of(t), "high");
    end_there = box_loaded(t, &b);
    edit_add(&a, TMAP_DIM, dim_of(t), 0);
    ck_encode(t, &map, b.tensor, &a.map);
    edit_fill_in(t, &b, &a);
    if (ck_launch(t, &(struct ck_launch){ .kernel = "tmap_replace",
                                          .block = { 128 },
                                          .smem = b.image_bytes + 144,
                                          .args = &a,
                                          .size = sizeof a,
                                          .may_hang = true }) != CK_DONE)
        return;
    b.map.dims[dim_of(t)] = UINT64_C(1) << 32;
    ck_see(t, "%s",
           !memcmp(b.image.host, box_loaded(t, &b), b.image.size) ? "2^32 elements"
           : !memcmp(b.image.host, end_there, b.image.size)       ? "as many as before"
                                                                  : "another number");
}

/* Rows, slabs ... that are further apart, or nearer, than the stride of an encoded map says. */
static void stride_field(struct ck *t)
{
    const int dim = dim_of(t);
    struct tensor_map right = box_map(TENSOR_U16, rank_of(t)), wrong;
    struct tmap_replace_args a = { 0 };
    struct box b;

    right.strides[dim - 1] += (uint64_t)ck_int(t, "extra");
    for (int i = dim; i + 1 < right.rank; i++)
        right.strides[i] = right.strides[i - 1] * right.dims[i];
    wrong = right;
    wrong.strides[dim - 1] += 16;
    b = box_to_load(t, &right);
    edit_add(&a, TMAP_STRIDE, dim - 1, right.strides[dim - 1]);
    if (ck_variant(t, "shift")) /* sixteenths, as before CUDA 12.5 */
        a.edits[0].value >>= 4;
    edited(t, &b, &wrong, &a);
}

static bool has_stride(struct ck *t)
{
    return box_dim_in_rank(t) && dim_of(t) > 0;
}

/* Every so many elements of one dimension, in place of each of them, or the other way round. */
static void element_stride_field(struct ck *t)
{
    const int dim = dim_of(t);
    struct tensor_map right = box_map(TENSOR_U16, rank_of(t)), wrong;
    struct tmap_replace_args a = { 0 };
    struct box b;

    right.box[dim] = 6;
    right.element_strides[dim] = (uint32_t)ck_int(t, "step");
    wrong = right;
    wrong.element_strides[dim] = right.element_strides[dim] == 1 ? 2 : 1;
    b = box_to_load(t, &right);
    b.corner[dim] = 0;
    edit_add(&a, TMAP_ELEMENT_STRIDE, dim, right.element_strides[dim]);
    edited(t, &b, &wrong, &a);
}

/* A map of another rank. What the map of a lower rank lacks is given to it as well. */
static void rank_field(struct ck *t)
{
    const int rank = rank_of(t), from = (int)ck_int(t, "from");
    const struct tensor_map right = box_map(TENSOR_U16, rank), wrong = box_map(TENSOR_U16, from);
    struct tmap_replace_args a = { 0 };
    const struct box b = box_to_load(t, &right);

    edit_add(&a, TMAP_RANK, 0, (uint64_t)rank - 1);
    for (int i = from; i < rank; i++) {
        edit_add(&a, TMAP_DIM, i, right.dims[i]);
        edit_add(&a, TMAP_BOX, i, right.box[i]);
        edit_add(&a, TMAP_ELEMENT_STRIDE, i, 1);
        edit_add(&a, TMAP_STRIDE, i - 1, right.strides[i - 1]);
    }
    if (ck_variant(t, "rank"))
        a.edits[0].value = (uint64_t)rank;
    if (ck_variant(t, "keep"))
        a.edits[0].value = (uint64_t)from - 1;
    ck_encode(t, &wrong, b.tensor, &a.map);
    edit_launch(t, &b, &a, "tmap_replace");
}

static bool other_rank(struct ck *t)
{
    return ck_int(t, "from") != ck_int(t, "rank");
}

/* The tensor of an encoded map is moved: `place` says where the map is edited, and by which kind of address. */
static void address_field(struct ck *t)
{
    struct tensor_map right = box_map(TENSOR_U16, rank_of(t)), wrong;
    struct tmap_replace_args a = { 0 };
    struct box b;

    right.address = (uint64_t)ck_int(t, "to");
    wrong = right;
    wrong.address += 64;
    b = box_to_load(t, &right);
    edit_add(&a, TMAP_ADDRESS, 0, b.tensor.device + right.address);
    a.generic = ck_is(t, "place", "generic");
    if (ck_variant(t, "old"))
        a.edits[0].value = b.tensor.device + wrong.address;
    ck_encode(t, &wrong, b.tensor, &a.map);
    edit_launch(t, &b, &a, ck_is(t, "place", "shared") ? "tmap_replace" : "tmap_in_place");
}

/* A type whose elements have another size, so that the same numbers make another box. */
static int64_t other_type(int64_t type)
{
    const size_t size = tensor_type_bytes(type, NULL);

    return size == 4 ? TENSOR_U64 : size == 1 ? TENSOR_U16 : TENSOR_U32;
}

/* A map of a type that is larger or smaller becomes one of the right type. */
static void type_field(struct ck *t)
{
    const struct tensor_map right = box_map(box_type(t), rank_of(t));
    struct tensor_map wrong = right;
    struct tmap_replace_args a = { 0 };
    const struct box b = box_to_load(t, &right);

    wrong.type = other_type(right.type);
    edit_add(&a, TMAP_TYPE, 0, edit_type_number(right.type));
    if (ck_variant(t, "enum"))
        a.edits[0].value = (uint64_t)right.type;
    edited(t, &b, &wrong, &a);
}

/* One of the four swizzles in place of another. */
static void swizzle_field(struct ck *t)
{
    struct tensor_map right = box_map(TENSOR_U16, rank_of(t)), wrong;
    struct tmap_replace_args a = { 0 };
    struct box b;

    right.box[1] = 6; /* 32 bytes of each: rows of every swizzle's pattern */
    wrong = right;
    right.swizzle = ck_int(t, "to");
    wrong.swizzle = ck_int(t, "from");
    b = box_to_load(t, &right);
    b.offset = 1024;
    b.image_bytes += 4096;
    b.image = ck_output(t, b.image_bytes);
    edit_add(&a, TMAP_SWIZZLE, 0, (uint64_t)right.swizzle);
    edited(t, &b, &wrong, &a);
}

static bool differ(struct ck *t)
{
    return ck_int(t, "from") != ck_int(t, "to");
}

/* Slices of channels, or none, in place of another layout of the same memory. */
static void interleave_field(struct ck *t)
{
    static const uint64_t dims[] = { 9, 5, 4, 3, 3 };
    struct tensor_map right = box_map(TENSOR_F16, rank_of(t)), wrong;
    struct tmap_replace_args a = { 0 };
    uint64_t stride = dims[0] * 32 + 32;
    struct box b;

    for (int i = 0; i < right.rank; i++) {
        right.dims[i] = dims[i];
        if (i)
            right.strides[i - 1] = stride;
        stride *= i ? dims[i] : 1;
    }
    right.swizzle = TENSOR_SWIZZLE_32B;
    wrong = right;
    right.interleave = ck_int(t, "to");
    wrong.interleave = ck_int(t, "from");
    b = box_to_load(t, &right);
    b.tensor = ck_input(t, stride + 4096);
    b.corner[0] = 0;
    b.image_bytes = BOX_OFFSET + 32768;
    b.image = ck_output(t, b.image_bytes);
    edit_add(&a, TMAP_INTERLEAVE, 0, (uint64_t)right.interleave);
    edited(t, &b, &wrong, &a);
}

/* NaN in place of zero outside the tensor, or zero in place of NaN. */
static void fill_field(struct ck *t)
{
    struct tensor_map right = box_map(box_type(t), rank_of(t)), wrong;
    struct tmap_replace_args a = { 0 };
    struct box b;

    wrong = right;
    right.fill = ck_int(t, "to");
    wrong.fill = !right.fill;
    b = box_to_load(t, &right);
    box_over(&right, b.corner, (int)right.rank - 1, "high");
    edit_add(&a, TMAP_FILL, 0, (uint64_t)right.fill);
    edited(t, &b, &wrong, &a);
}

/* A template that has nothing in common with the map but that it is one: every field is replaced. */
static void template_of_another(struct ck *t)
{
    const struct tensor_map map = box_map(box_type(t), rank_of(t));
    struct tensor_map template = box_map(other_type(map.type), 6 - rank_of(t));
    const struct box b = box_to_load(t, &map);
    struct tmap_replace_args a = { 0 };

    for (int i = 1; i < template.rank; i++)
        template.element_strides[i] = 2;
    template.swizzle = TENSOR_SWIZZLE_32B;
    edit_all(&a, &map, b.tensor.device + map.address);
    if (ck_variant(t, "skip")) {
        a.edits[2] = a.edits[0]; /* the type stays the template's */
        a.edits[4] = a.edits[0];
    }
    ck_encode(t, &template, b.tensor, &a.map);
    edit_launch(t, &b, &a, "tmap_replace");
}

#define TYPES "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz"
#define RANK_DIM                                                                                                       \
    { "rank", "1..5" },                                                                                                \
    {                                                                                                                  \
        "dim", "0..4"                                                                                                  \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tmap_rep_box), .run = box_field, .axes = { RANK_DIM, { "size", "1..3" } }, .valid = box_dim_in_rank,
      .mutants = { { "keep", "replace nothing" }, { "entry", "replace the next dimension's", .only = "rank=5" } } },
    { CK_RULE(tmap_rep_gdim), .run = dim_field, .axes = { RANK_DIM, { "by", "-1 1 8" } }, .valid = box_dim_in_rank,
      .mutants = { { "keep", "replace nothing" }, { "entry", "replace the next dimension's", .only = "rank=5" } } },
    { CK_RULE(tmap_rep_gdim_zero), .run = dim_of_zero, .axes = { { "rank", "2..5" }, { "dim", "1..4" } },
      .valid = box_dim_in_rank, .seen_only = true, .faults = true },
    { CK_RULE(tmap_rep_gstride_bytes), .run = stride_field, .axes = { RANK_DIM, { "extra", "0 16 48 240" } },
      .valid = has_stride, .mutants = { { "keep", "replace nothing" }, { "shift", "the value in sixteenths" } } },
    { CK_RULE(tmap_rep_estride), .run = element_stride_field,
      .axes = { { "rank", "2..5" }, { "dim", "1..4" }, { "step", "1..6" } }, .valid = box_dim_in_rank,
      .mutants = { { "keep", "replace nothing" } } },
    { CK_RULE(tmap_rep_rank_zero_based), .run = rank_field, .axes = { { "rank", "1..5" }, { "from", "1..5" } },
      .valid = other_rank,
      .mutants = { { "rank", "the rank itself", .faults = true },
                   { "keep", "the rank of the encoded map", .faults = true } } },
    { CK_RULE(tmap_rep_address), .run = address_field,
      .axes = { { "rank", "1..5" }, { "to", "0 16 48 64 1024 4096" }, { "place", "shared global generic" } },
      .mutants = { { "old", "the address that it had" } } },
    { CK_RULE(tmap_rep_elemtype_map), .run = type_field, .axes = { { "rank", "1..5" }, { "type", TYPES } },
      .mutants = { { "keep", "replace nothing" },
                   { "enum", "the number of CUtensorMapDataType", .only = "type=f64/bf16/f32-ftz" } } },
    { CK_RULE(tmap_rep_swizzle_map), .run = swizzle_field,
      .axes = { { "rank", "2..5" }, { "from", "0..3" }, { "to", "0..3" } }, .valid = differ,
      .mutants = { { "keep", "replace nothing" } } },
    { CK_RULE(tmap_rep_interleave_map), .run = interleave_field,
      .axes = { { "rank", "3..5" }, { "from", "0..2" }, { "to", "0..2" } }, .valid = differ,
      .mutants = { { "keep", "replace nothing" } } },
    { CK_RULE(tmap_rep_fill_map), .run = fill_field,
      .axes = { { "rank", "1..5" }, { "to", "0 1" }, { "type", "f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz" } },
      .mutants = { { "keep", "replace nothing" } } },
    { CK_RULE(tmap_rep_all_equals_host), .run = template_of_another, .axes = { { "rank", "1..5" }, { "type", TYPES } },
      .mutants = { { "skip", "leave the type and swizzle as they are" } } },
    { 0 }
};

const struct ck_suite tensor_map_fields = { "tensor-map/fields", cases };
// SPDX-License-Identifier: Apache-2.0
