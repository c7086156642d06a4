/* NaN fill: what lies outside a floating-point tensor arrives as a NaN. */
#include <string.h>

#include "kernels/tensor.h"
#include "tests/tensor/box.h"

#define FLOATS "f16 bf16 f32 f64 f32-ftz tf32 tf32-ftz"

static bool is_nan(int64_t type, const unsigned char *element)
{
    uint64_t bits = 0;

    memcpy(&bits, element, tensor_type_bytes(type, NULL));
    switch (type) {
    case TENSOR_F16: return (bits & 0x7FFF) > 0x7C00;
    case TENSOR_BF16: return (bits & 0x7FFF) > 0x7F80;
    case TENSOR_F64: return (bits & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000;
    default: return (bits & 0x7FFFFFFF) > 0x7F800000;
    }
}

/* Marks the bytes of the image that come from inside the tensor: what a load of ones with zero fill leaves. */
static const unsigned char *inside_marks(struct ck *t, const struct box *b)
{
    static const int64_t unsigned_of[] = { [2] = TENSOR_U16, [4] = TENSOR_U32, [8] = TENSOR_U64 };
    struct tensor_map marks = b->map;
    unsigned char *ones = ck_alloc(t, b->tensor.size), *image = ck_alloc(t, b->image_bytes);

    memset(ones, 1, b->tensor.size);
    marks.fill = TENSOR_FILL_NONE;
    marks.type = unsigned_of[tensor_type_bytes(b->map.type, NULL)];
    oracle_tile_load(&marks, ones, b->corner, image, b->offset);
    return image;
}

/* Compares the image: any NaN will do for an element outside; elements inside must have the bits of the tensor. */
static void check_image(struct ck *t, const struct box *b)
{
    const size_t size = tensor_type_bytes(b->map.type, NULL), bytes = tensor_tile_bytes(&b->map);
    const unsigned char *const inside = inside_marks(t, b);
    unsigned char *expected = box_loaded(t, b);

    for (size_t at = b->offset; at < b->offset + bytes; at += size)
        if (!inside[at] && is_nan(b->map.type, b->image.host + at))
            memcpy(expected + at, b->image.host + at, size);
    ck_equal(t, b->image, expected);
}

static struct box nan_box(struct ck *t)
{
    struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    struct box b;

    map.fill = TENSOR_FILL_NAN;
    b = box_to_load(t, &map);
    box_over(&map, b.corner, (int)ck_int(t, "dim"), ck_word(t, "side"));
    return b;
}

/* Loads the box; a mutant fills with zero. */
static enum ck_end load(struct ck *t, struct box b)
{
    if (ck_variant(t, "zero"))
        b.map.fill = TENSOR_FILL_NONE;
    return box_load(t, &b);
}

/* What hangs over an edge arrives as a NaN, the rest as it is in the tensor. */
static void fill(struct ck *t)
{
    const struct box b = nan_box(t);

    load(t, b);
    check_image(t, &b);
}

/* Zeros and NaNs of the tensor itself arrive bit by bit; only what is outside is filled. */
static void fill_round_nans(struct ck *t)
{
    static const uint64_t values[][4] = { [2] = { 0, 0x7E01, 0x8000, 0xFFFF },
                                          [4] = { 0, 0x7FC00001, 0x80000000, 0xFFFFFFFF },
                                          [8] = { 0, 0x7FF8000000000001, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF } };
    const struct box b = nan_box(t);
    const size_t size = tensor_type_bytes(b.map.type, NULL);

    for (size_t i = 0; (i + 1) * size <= b.tensor.size; i++)
        memcpy(b.tensor.host + i * size, &values[size][i % 4], size);
    load(t, b);
    check_image(t, &b);
}

/* Records the bits of the NaN that fills, and whether they are the same everywhere. */
static void fill_bits(struct ck *t)
{
    const struct box b = nan_box(t);
    const size_t size = tensor_type_bytes(b.map.type, NULL), bytes = tensor_tile_bytes(&b.map);
    const unsigned char *const inside = inside_marks(t, &b);
    uint64_t first = 0, bits = 0;
    bool found = false, several = false;

    if (box_load(t, &b) != CK_DONE)
        return;
    for (size_t at = b.offset; at < b.offset + bytes; at += size) {
        if (inside[at])
            continue;
        memcpy(&bits, b.image.host + at, size);
        if (!found)
            first = bits;
        else if (bits != first)
            several = true;
        found = true;
    }
    ck_see(t, "%s0x%llx", several ? "several, one is " : "", (unsigned long long)first);
}

/* fma.rn.oob(element, x, c) is plus zero where the element is the fill, and what fma gives elsewhere. */
static void fma_of_fill(struct ck *t)
{
    const bool bf16 = ck_is(t, "type", "bf16");
    const uint16_t one = bf16 ? 0x3F80 : 0x3C00, quiet = bf16 ? 0x7FC0 : 0x7E00;
    struct box b = nan_box(t);
    const uint32_t elements = (uint32_t)tensor_tile_bytes(&b.map) / 2;
    const struct ck_buf out = ck_output(t, 2 * (size_t)elements);
    const unsigned char *const inside = inside_marks(t, &b) + b.offset;
    unsigned char *expected = ck_alloc(t, out.size);
    const uint16_t c = ck_is(t, "addend", "zero") ? 0 : ck_is(t, "addend", "one") ? one : (uint16_t)(one | 0x8000);
    struct tensor_oob_args a = { .out = out.device,
                                 .elements = elements,
                                 .expect = 2 * elements,
                                 .rank = (uint32_t)b.map.rank,
                                 .bf16 = bf16,
                                 .x = one,
                                 .c = c };

    for (size_t i = 0; i + 2 <= b.tensor.size; i += 2) { /* 1.0 and, in one of four, an ordinary NaN */
        const uint16_t bits = i % 8 == 2 ? quiet : one;
        memcpy(b.tensor.host + i, &bits, 2);
    }
    memcpy(a.corner, b.corner, sizeof a.corner);
    ck_encode(t, &b.map, b.tensor, &a.map);
    ck_launch(t, &(struct ck_launch){ .kernel = "tensor_oob",
                                      .block = { 128 },
                                      .smem = (2 * elements + 127) / 128 * 128 + 16,
                                      .args = &a,
                                      .size = sizeof a });
    memcpy(expected, out.host, out.size);
    for (size_t i = 0; i < out.size; i += 2) {
        const uint16_t zero = 0;
        if (!inside[i])
            memcpy(expected + i, &zero, 2);
        else if (!memcmp(out.host + i, &zero, 2) && c == 0)
            expected[i + 1] = 0x7F; /* neither 1.0 nor a NaN becomes zero here */
    }
    ck_equal(t, out, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_tile_oob_nan_fill), .run = fill,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "side", "low high below above" }, { "type", FLOATS } },
      .valid = box_dim_in_rank, .mutants = { { "zero", "fill with zero" } } },
    { CK_RULE(tensor_tile_oob_nan_bits), .run = fill_bits,
      .axes = { { "rank", "1..3" }, { "dim", "0" }, { "side", "low high" }, { "type", FLOATS } } },
    { CK_RULE(tensor_tile_oob_nan_only_outside), .run = fill_round_nans,
      .axes = { { "rank", "1..5" }, { "dim", "0..4" }, { "side", "low high" }, { "type", "f16 bf16 f32 f64" } },
      .valid = box_dim_in_rank, .mutants = { { "zero", "fill with zero" } } },
    { CK_RULE(tensor_tile_oob_nan_is_oobnan), .run = fma_of_fill,
      .axes = { { "rank", "2" },
                { "dim", "0 1" },
                { "side", "low high" },
                { "type", "f16 bf16" },
                { "addend", "zero one minus-one" } },
      .mutants = { { "plain", "use fma without .oob", .kernel = "plain" } } },
    { 0 }
};

const struct ck_suite tensor_bounds_nan = { "tensor-bounds/nan", cases };
// SPDX-License-Identifier: Apache-2.0
