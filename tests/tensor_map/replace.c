/* Maps edited on the device: one field of a map that an encode call made, or all fields of 128 zero bytes. */
#include <string.h>

#include "kernels/tmap_replace.h"
#include "tests/tensor/box.h"

static void edit(struct tmap_replace_args *a, enum tmap_field field, int entry, uint64_t value)
{
    a->edits[a->count].field = (uint32_t)field;
    a->edits[a->count].entry = (uint32_t)entry;
    a->edits[a->count].value = value;
    a->count++;
}

/* The number of a type in tensormap.replace; the ISA numbers the types in another order than the driver does. */
static uint64_t type_number(int64_t type)
{
    static const int64_t numbers[] = { TENSOR_U8,   TENSOR_U16,  TENSOR_U32,     TENSOR_S32,     TENSOR_U64,
                                       TENSOR_S64,  TENSOR_F16,  TENSOR_F32,     TENSOR_F32_FTZ, TENSOR_F64,
                                       TENSOR_BF16, TENSOR_TF32, TENSOR_TF32_FTZ };
    uint64_t n = 0;

    while (n < 12 && numbers[n] != type)
        n++;
    return n;
}

/* Launches with the edits of `a` and compares the tile. */
static void launch(struct ck *t, const struct box *b, struct tmap_replace_args *a)
{
    const struct ck_buf home = ck_input(t, 128); /* no output: a map holds an address, which differs from run to run */

    memset(home.host, 0, home.size);
    a->home = home.device;
    a->out = b->image.device;
    a->bytes = b->image_bytes;
    a->offset = b->offset;
    a->expect = (uint32_t)tensor_tile_bytes(&b->map);
    a->rank = (uint32_t)b->map.rank;
    memcpy(a->corner, b->corner, sizeof a->corner);
    ck_launch(
        t,
        &(struct ck_launch){
            .kernel = "tmap_replace", .block = { 128 }, .smem = b->image_bytes + 144, .args = a, .size = sizeof *a });
    ck_equal(t, b->image, box_loaded(t, b));
}

/* A map that differs from the right one in the field that the axes name. `a` receives the edit that puts the right
 * value there; `address` is the device address of the tensor. */
static struct tensor_map wrong_in_one_field(struct ck *t, const struct tensor_map *right, uint64_t address,
                                            struct tmap_replace_args *a)
{
    const int dim = (int)ck_int(t, "dim");
    struct tensor_map wrong = *right;

    if (ck_is(t, "field", "address")) {
        wrong.address += 64;
        edit(a, TMAP_ADDRESS, 0, address);
    } else if (ck_is(t, "field", "dim")) {
        wrong.dims[dim] += 8;
        edit(a, TMAP_DIM, dim, right->dims[dim]);
    } else if (ck_is(t, "field", "stride")) {
        wrong.strides[dim - 1] += 16;
        edit(a, TMAP_STRIDE, dim - 1, right->strides[dim - 1]);
    } else if (ck_is(t, "field", "box")) {
        wrong.box[dim] /= 2;
        edit(a, TMAP_BOX, dim, right->box[dim]);
    } else if (ck_is(t, "field", "element-stride")) {
        wrong.element_strides[1] = 1;
        edit(a, TMAP_ELEMENT_STRIDE, 1, right->element_strides[1]);
    } else if (ck_is(t, "field", "type")) {
        wrong.type = TENSOR_U32;
        edit(a, TMAP_TYPE, 0, type_number(right->type));
    } else if (ck_is(t, "field", "swizzle")) {
        wrong.swizzle = TENSOR_SWIZZLE_NONE;
        edit(a, TMAP_SWIZZLE, 0, (uint64_t)right->swizzle);
    } else {
        wrong.fill = TENSOR_FILL_NONE;
        edit(a, TMAP_FILL, 0, (uint64_t)right->fill);
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
    launch(t, &b, &a);
}

/* 128 zero bytes whose fields are all replaced are the map that an encode call with those values makes. */
static void all_fields(struct ck *t)
{
    const struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    struct box b = box_to_load(t, &map);
    struct tmap_replace_args a = { .zeros = 1 };

    edit(&a, TMAP_ADDRESS, 0, b.tensor.device + map.address);
    edit(&a, TMAP_RANK, 0, (uint64_t)map.rank - 1);
    edit(&a, TMAP_TYPE, 0, type_number(map.type));
    edit(&a, TMAP_INTERLEAVE, 0, 0);
    edit(&a, TMAP_SWIZZLE, 0, 0);
    edit(&a, TMAP_FILL, 0, 0);
    for (int i = 0; i < map.rank; i++) {
        edit(&a, TMAP_DIM, i, map.dims[i]);
        edit(&a, TMAP_BOX, i, map.box[i]);
        edit(&a, TMAP_ELEMENT_STRIDE, i, 1);
        if (i + 1 < map.rank)
            edit(&a, TMAP_STRIDE, i, map.strides[i]);
    }
    if (ck_variant(t, "step"))
        a.edits[0].value += 16;
    launch(t, &b, &a);
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
    { 0 }
};

const struct ck_suite tensor_map_replace = { "tensor-map/replace", cases };
