/* Maps edited on the device: one field of a map that an encode call made, or all fields of 128 zero bytes. */
#include "tests/tensor_map/edit.h"

/* A map that differs from the right one in the field that the axes name. `a` receives the edit that puts the right
 * value there; `address` is the device address of the tensor. */
static struct tensor_map wrong_in_one_field(struct ck *t, const struct tensor_map *right, uint64_t address,
                                            struct tmap_replace_args *a)
{
    const int dim = (int)ck_int(t, "dim");
    struct tensor_map wrong = *right;

    if (ck_is(t, "field", "address")) {
        wrong.address += 64;
        edit_add(a, TMAP_ADDRESS, 0, address);
    } else if (ck_is(t, "field", "dim")) {
        wrong.dims[dim] += 8;
        edit_add(a, TMAP_DIM, dim, right->dims[dim]);
    } else if (ck_is(t, "field", "stride")) {
        wrong.strides[dim - 1] += 16;
        edit_add(a, TMAP_STRIDE, dim - 1, right->strides[dim - 1]);
    } else if (ck_is(t, "field", "box")) {
        wrong.box[dim] /= 2;
        edit_add(a, TMAP_BOX, dim, right->box[dim]);
    } else if (ck_is(t, "field", "element-stride")) {
        wrong.element_strides[1] = 1;
        edit_add(a, TMAP_ELEMENT_STRIDE, 1, right->element_strides[1]);
    } else if (ck_is(t, "field", "type")) {
        wrong.type = TENSOR_U32;
        edit_add(a, TMAP_TYPE, 0, edit_type_number(right->type));
    } else if (ck_is(t, "field", "swizzle")) {
        wrong.swizzle = TENSOR_SWIZZLE_NONE;
        edit_add(a, TMAP_SWIZZLE, 0, (uint64_t)right->swizzle);
    } else {
        wrong.fill = TENSOR_FILL_NONE;
        edit_add(a, TMAP_FILL, 0, (uint64_t)right->fill);
    }
    return wrong;
}

/* A map is encoded with a wrong value in one field; once the kernel has replaced that field, a load goes by the right
 * map. */
static void one_field(struct ck *t)
{
    struct tensor_map right = box_map(ck_is(t, "field", "fill") ? TENSOR_F16 : TENSOR_U16, 3), wrong;
    struct tmap_replace_args a = { 0 };
    struct box b;

    right.element_strides[1] = 2;
    if (ck_is(t, "field", "swizzle"))
        right.swizzle = TENSOR_SWIZZLE_32B;
    if (ck_is(t, "field", "fill"))
        right.fill = TENSOR_FILL_NAN;
    b = box_to_load(t, &right);
    if (ck_is(t, "field", "fill") || ck_is(t, "field", "dim"))
        box_over(&right, b.corner, (int)ck_int(t, "dim"), "high");
    wrong = wrong_in_one_field(t, &right, b.tensor.device + right.address, &a);
    if (ck_variant(t, "keep"))
        a.count = 0;
    ck_encode(t, &wrong, b.tensor, &a.map);
    edit_launch(t, &b, &a, "tmap_replace");
}

/* All fields of 128 zero bytes, or of the map `start`, are replaced; a load goes by the map that an encode call with
 * these values makes. */
static void replace_all(struct ck *t, const struct tensor_map *start)
{
    const struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    struct box b = box_to_load(t, &map);
    struct tmap_replace_args a = { .zeros = !start };

    if (start)
        ck_encode(t, start, b.tensor, &a.map);
    edit_all(&a, &map, b.tensor.device + map.address);
    if (ck_variant(t, "step"))
        a.edits[0].value += 16;
    edit_launch(t, &b, &a, "tmap_replace");
}

/* 128 zero bytes whose fields are all replaced are the map that an encode call with those values makes. */
static void all_fields(struct ck *t)
{
    replace_all(t, NULL);
}

/* A map of one dimension with 16 bytes, as a host makes it without knowing more, is a beginning for any other: its
 * fields are all replaced. */
static void from_minimal(struct ck *t)
{
    struct tensor_map minimal = tensor_map_default(TENSOR_U8, 1);

    minimal.dims[0] = minimal.box[0] = 16;
    replace_all(t, &minimal);
}

static bool field_has_dim(struct ck *t)
{
    const bool array = ck_is(t, "field", "dim") || ck_is(t, "field", "box") || ck_is(t, "field", "stride");

    return ck_int(t, "dim") == 1 || (array && (ck_int(t, "dim") != 0 || !ck_is(t, "field", "stride")));
}

static const struct ck_case cases[] = {
    { CK_RULE(tmap_replace_field), .run = one_field,
      .axes = { { "field", "address dim stride box element-stride type swizzle fill" }, { "dim", "0..2" } },
      .valid = field_has_dim, .mutants = { { "keep", "replace nothing" } } },
    { CK_RULE(tmap_replace_zeros), .run = all_fields,
      .axes = { { "rank", "1..5" }, { "type", "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz" } },
      .mutants = { { "step", "let the tensor begin 16 bytes further" } } },
    { CK_RULE(tmap_template_minimal), .run = from_minimal,
      .axes = { { "rank", "1..5" }, { "type", "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz" } },
      .mutants = { { "step", "let the tensor begin 16 bytes further" } } },
    { 0 }
};

const struct ck_suite tensor_map_replace = { "tensor-map/replace", cases };
// SPDX-License-Identifier: Apache-2.0
