/* Tile-space loads over the edges of an array. */
#include <stdio.h>
#include <string.h>

#include "tests/cuda_tile/access.h"

#define FLOATS      "f16 bf16 f32 f64 e4m3 e5m2"
#define WITH_INF    "f16 bf16 f32 f64 e5m2"
#define OTHER_TYPES "u8 u16 f32 f64" /* of ranks other than 2 */

/* Makes the change of the mutant that all share, the array one element longer than it is said to be. */
static void lengthen(struct ck *t, struct access *a, int dim)
{
    if (ck_variant(t, "longer"))
        a->v.extents.of[dim]++;
}

/* Of a tile that hangs over the end of one dimension, the elements inside are the array's and the others the padding,
 * whatever lies in memory behind the end. A NaN may be any. */
static void over_an_edge(struct ck *t)
{
    const int dim = (int)ck_int(t, "dim");
    struct access a = access_to_load(t);
    unsigned char *expected;

    access_cut(&a, dim, ck_int(t, "over"));
    expected = access_loaded(t, &a);
    lengthen(t, &a, dim);
    if (ck_variant(t, "padding"))
        a.v.padding = a.v.padding == VIEW_ZERO ? VIEW_NEGATIVE_ZERO : VIEW_ZERO;
    if (access_load(t, &a) == CK_DONE && ck_is(t, "padding", "nan")) {
        access_cut(&a, dim, ck_variant(t, "longer"));
        access_take_nans(&a, expected);
    }
    ck_equal(t, a.tile, expected);
}

/* A tile that hangs over in several dimensions: an element is padded that is outside in any one of them. Bit i of the
 * axis `corner` stands for dimension i. */
static void over_a_corner(struct ck *t)
{
    const int64_t corner = ck_int(t, "corner");
    struct access a = access_to_load(t);
    const unsigned char *expected;
    int last = 0;

    for (int i = 0; i < a.v.extents.count; i++)
        if (corner >> i & 1) {
            access_cut(&a, i, 1);
            last = i;
        }
    expected = access_loaded(t, &a);
    lengthen(t, &a, last);
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

static bool corner_of_rank(struct ck *t)
{
    return ck_int(t, "corner") < 1 << ck_int(t, "rank");
}

/* A full tile: masked or not, with any padding, a load returns the array's elements. */
static void full_tile(struct ck *t)
{
    struct access a = access_to_load(t);
    const unsigned char *const expected = access_loaded(t, &a);

    if (ck_variant(t, "index"))
        a.v.index.of[0] = 0;
    if (ck_variant(t, "longer")) /* here: shorter */
        access_cut(&a, 0, 1);
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

/* The first tile of an array of `n` elements in one dimension, n from 1 on; the memory behind it is mapped and full. */
static void first_tile(struct ck *t)
{
    const int dim = (int)ck_int(t, "dim");
    struct access a = access_to_load(t);
    const unsigned char *expected;

    memset(a.v.index.of, 0, sizeof a.v.index.of);
    a.v.extents.of[dim] = ck_int(t, "n");
    expected = access_loaded(t, &a);
    lengthen(t, &a, dim);
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

static bool part_of_tile(struct ck *t)
{
    static const int64_t tiles[][5] = { { 16 }, { 4, 16 }, { 2, 4, 16 }, { 2, 2, 2, 16 }, { 2, 2, 2, 2, 16 } };
    const int64_t rank = ck_int(t, "rank"), dim = ck_int(t, "dim");

    return dim < rank && ck_int(t, "n") < tiles[rank - 1][dim];
}

/* An array whose rows follow each other without a gap: what hangs over the end of a row is padding, not the next row.
 */
static void dense_rows(struct ck *t)
{
    struct access a = access_to_load(t);
    const int inner = a.v.extents.count - 1;
    const unsigned char *expected;
    int64_t stride = 1;

    a.v.extents.of[inner] = ACCESS_INNER + ck_int(t, "n");
    for (int i = inner; i >= 0; i--) {
        a.v.strides.of[i] = stride;
        stride *= a.v.extents.of[i];
    }
    expected = access_loaded(t, &a);
    lengthen(t, &a, inner);
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

/* One kernel, launched for arrays of `n` elements: the last tile is padded behind element n - 1. */
static void any_length(struct ck *t)
{
    const int64_t n = ck_int(t, "n");
    struct access a = access_to_load(t);
    const unsigned char *expected;

    a.array = ck_input(t, 1024);
    a.v.extents.of[0] = n;
    a.v.index.of[0] = (n - 1) / ACCESS_INNER;
    expected = access_loaded(t, &a);
    lengthen(t, &a, 0);
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

/* Records the bits of the padding, and whether they are the same in all elements outside. */
static void padding_bits(struct ck *t)
{
    struct access a = access_to_load(t);
    const size_t size = view_type_bytes(a.v.type);
    uint64_t first = 0, bits = 0;
    bool several = false;

    access_cut(&a, 0, 2); /* rows 2 and 3 of 4 */
    if (access_load(t, &a) != CK_DONE)
        return;
    memcpy(&first, a.tile.host + (size_t)2 * ACCESS_INNER * size, size);
    for (size_t i = (size_t)2 * ACCESS_INNER * size; i < a.tile.size; i += size) {
        memcpy(&bits, a.tile.host + i, size);
        several |= bits != first;
    }
    ck_see(t, "%s0x%llx", several ? "several, one is " : "", (unsigned long long)first);
}

/* The padding as an object of its own type, in place of a template argument. */
static void spelled(struct ck *t)
{
    static const char *const kernels[] = { "view_load2_f32_zero_object", "view_load2_f32_negative_zero_object",
                                           "view_load2_f32_positive_inf_object", "view_load2_f32_negative_inf_object",
                                           "view_load2_f32_nan_object" };
    const int dim = (int)ck_int(t, "dim");
    struct access a = access_to_load(t);
    unsigned char *expected;

    access_cut(&a, dim, ck_int(t, "over"));
    expected = access_loaded(t, &a);
    lengthen(t, &a, dim);
    if (access_by(t, &a, kernels[a.v.padding]) == CK_DONE && ck_is(t, "padding", "nan")) {
        access_cut(&a, dim, ck_variant(t, "longer"));
        access_take_nans(&a, expected);
    }
    ck_equal(t, a.tile, expected);
}

/* The lines of a row that loads a tile of an array of one dimension. */
#define TYPE_NAMES                                                                                                     \
    "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cuda_fp8.h>\n"                                          \
    "using u8 = unsigned char; using s8 = signed char; using u16 = unsigned short; using s16 = short;\n"               \
    "using u32 = unsigned; using s32 = int; using u64 = unsigned long long; using s64 = long long;\n"                  \
    "using f16 = __half; using bf16 = __nv_bfloat16; using f32 = float; using f64 = double;\n"                         \
    "using e4m3 = __nv_fp8_e4m3; using e5m2 = __nv_fp8_e5m2;"
#define LOAD_OF(type, call)                                                                                            \
    "auto v = ct::partition_view{ ct::tensor_span{ (" type " *)pv, ct::extents{ n } }, ct::shape{ 4_ic } };\n"         \
    "(void)v." call ";"

#define LONGER                                                                                                         \
    {                                                                                                                  \
        "longer", "make the array one element longer in this dimension"                                                \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tile_oob_unmasked_divisible), .run = full_tile,
      .axes = { { "rank", "2" }, { "type", ALL_TYPES }, { "padding", "none" }, TILE },
      .mutants = { { "index", "load another tile" } } },
    { CK_RULE(tile_oob_unmasked_divisible), .name = "ranks", .run = full_tile,
      .axes = { { "rank", "1 3 4 5" }, { "type", OTHER_TYPES }, { "padding", "none" }, TILE },
      .mutants = { { "index", "load another tile" } } },
    { CK_RULE(tile_oob_unmasked_divisible), LOWERED, .run = full_tile,
      .axes = { { "rank", "1..5" }, { "type", ALL_TYPES }, { "padding", "none" }, COPY },
      .mutants = { { "index", "load another tile" } } },

    { CK_RULE(tile_oob_masked_zero), .run = over_an_edge,
      .axes = { { "rank", "2" },
                { "dim", "0 1" },
                { "over", "1..15" },
                { "type", ALL_TYPES },
                { "padding", "=zero" },
                TILE },
      .valid = access_over, .mutants = { LONGER } },
    { CK_RULE(tile_oob_masked_zero), .name = "ranks", .run = over_an_edge,
      .axes = { { "rank", "1 3 4 5" },
                { "dim", "0..4" },
                { "over", "1..15" },
                { "type", OTHER_TYPES },
                { "padding", "=zero" },
                TILE },
      .valid = access_over, .mutants = { LONGER } },
    { CK_RULE(tile_oob_masked_zero), LOWERED, .run = over_an_edge,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "over", "1..15" },
                { "type", "u8 u16 u32 u64 f16 f64" },
                { "padding", "=zero" },
                COPY },
      .valid = access_over, .mutants = { LONGER } },

    { CK_RULE(tile_oob_masked_positive_zero), .run = over_an_edge,
      .axes = { { "rank", "2" },
                { "dim", "0 1" },
                { "over", "1..3" },
                { "type", FLOATS },
                { "padding", "=zero" },
                TILE },
      .valid = access_over, .mutants = { { "padding", "pad with minus zero" } } },
    { CK_RULE(tile_oob_masked_positive_zero), LOWERED, .run = over_an_edge,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "over", "1 2" },
                { "type", "f16 bf16 f32 f64" },
                { "padding", "=zero" },
                COPY },
      .valid = access_over, .mutants = { LONGER } },

    { CK_RULE(tile_oob_masked_inside), .run = over_an_edge,
      .axes = { { "rank", "=2" },
                { "dim", "1" },
                { "over", "1..15" },
                { "type", FLOATS },
                { "padding", "-zero nan" },
                TILE },
      .valid = access_over, .mutants = { LONGER } },
    { CK_RULE(tile_oob_masked_inside), LOWERED, .run = over_an_edge,
      .axes = { { "rank", "=2" },
                { "dim", "1" },
                { "over", "1..15" },
                { "type", ALL_TYPES },
                { "padding", "=zero" },
                COPY },
      .valid = access_over, .mutants = { LONGER } },

    { CK_RULE(tile_oob_masked_corner), .run = over_a_corner,
      .axes = { { "rank", "1..5" }, { "corner", "1..31" }, { "type", "u8 f32" }, { "padding", "=zero" }, TILE },
      .valid = corner_of_rank, .mutants = { LONGER } },
    { CK_RULE(tile_oob_masked_corner), LOWERED, .run = over_a_corner,
      .axes = { { "rank", "1..5" }, { "corner", "1..31" }, { "type", "u8 f32" }, { "padding", "=zero" }, COPY },
      .valid = corner_of_rank, .mutants = { LONGER } },

    { CK_RULE(tile_oob_masked_equals_plain), .run = full_tile,
      .axes = { { "rank", "2" }, { "type", ALL_TYPES }, { "padding", "zero none" }, TILE },
      .mutants = { { "longer", "make the array one row shorter", .only = "padding=zero" },
                   { "index", "load another tile" } } },
    { CK_RULE(tile_oob_masked_equals_plain), .name = "ranks", .run = full_tile,
      .axes = { { "rank", "1 3 4 5" }, { "type", OTHER_TYPES }, { "padding", "zero none" }, TILE },
      .mutants = { { "longer", "make the array one row shorter", .only = "padding=zero" },
                   { "index", "load another tile" } } },
    { CK_RULE(tile_oob_masked_equals_plain), LOWERED, .run = full_tile,
      .axes = { { "rank", "1..5" }, { "type", "u8 u16 u32 u64" }, { "padding", "zero" }, COPY },
      .mutants = { { "longer", "make the array one row shorter" } } },

    { CK_RULE(tile_oob_extents_decide), .run = first_tile,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "n", "1..15" },
                { "type", "u16" },
                { "padding", "=zero" },
                TILE },
      .valid = part_of_tile, .mutants = { LONGER } },
    { CK_RULE(tile_oob_tile_over_array), .run = first_tile,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "n", "1..15" },
                { "type", "u8 f32" },
                { "padding", "=zero" },
                TILE },
      .valid = part_of_tile, .mutants = { LONGER } },
    { CK_RULE(tile_oob_extents_decide), LOWERED, .run = first_tile,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "n", "1..15" },
                { "type", "u16" },
                { "padding", "=zero" },
                COPY },
      .valid = part_of_tile, .mutants = { LONGER } },
    { CK_RULE(tile_oob_tile_over_array), LOWERED, .run = first_tile,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "n", "1..15" },
                { "type", "u8 f32" },
                { "padding", "=zero" },
                COPY },
      .valid = part_of_tile, .mutants = { LONGER } },

    { CK_RULE(tile_oob_last_row_pitch), .run = dense_rows,
      .axes = { { "rank", "2..5" }, { "n", "1..15" }, { "type", "u8 u16 f32 f64" }, { "padding", "=zero" }, TILE },
      .mutants = { LONGER } },
    { CK_RULE(tile_oob_last_row_pitch), LOWERED, .run = dense_rows,
      .axes = { { "rank", "2..5" }, { "n", "4 8 12" }, { "type", "u32 f32 u64" }, { "padding", "=zero" }, COPY },
      .mutants = { LONGER } },

    { CK_RULE(tile_oob_runtime_n), .run = any_length,
      .axes = { { "rank", "=1" },
                { "n", "1..15 17..31 33..47 49..63" },
                { "type", "u8 u16 f32 f64" },
                { "padding", "=zero" },
                TILE },
      .mutants = { LONGER } },
    { CK_RULE(tile_oob_runtime_n), LOWERED, .run = any_length,
      .axes = { { "rank", "=1" },
                { "n", "1..15 17..31 33..47 49..63" },
                { "type", "u8 u16 f32 f64" },
                { "padding", "=zero" },
                COPY },
      .mutants = { LONGER } },

    { CK_RULE(tile_oob_padding_choice), .run = over_an_edge,
      .axes = { { "rank", "=2" },
                { "dim", "0 1" },
                { "over", "1 3" },
                { "type", WITH_INF },
                { "padding", "zero -zero inf -inf nan" },
                TILE },
      .valid = access_over, .mutants = { { "padding", "pad with another zero" } } },
    { CK_RULE(tile_oob_padding_infinities), .run = over_an_edge,
      .axes = { { "rank", "=2" },
                { "dim", "0 1" },
                { "over", "1..3" },
                { "type", WITH_INF },
                { "padding", "inf -inf" },
                TILE },
      .valid = access_over, .mutants = { { "padding", "pad with zero" } } },
    { CK_RULE(tile_oob_padding_nan), .run = over_an_edge,
      .axes = { { "rank", "=2" },
                { "dim", "0 1" },
                { "over", "1..15" },
                { "type", FLOATS },
                { "padding", "=nan" },
                TILE },
      .valid = access_over, .mutants = { { "padding", "pad with zero" }, LONGER } },
    { CK_RULE(tile_oob_padding_nan), LOWERED, .run = over_an_edge,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "over", "1 7 15" },
                { "type", "f16 bf16 f32 f64" },
                { "padding", "=nan" },
                COPY },
      .valid = access_over, .mutants = { { "padding", "fill with zero" }, LONGER } },
    { CK_RULE(tile_oob_padding_bits), .run = padding_bits,
      .axes = { { "rank", "=2" }, { "type", FLOATS }, { "padding", "zero -zero nan" }, TILE } },
    { CK_RULE(tile_oob_padding_bits), .name = "infinities", .run = padding_bits,
      .axes = { { "rank", "=2" }, { "type", WITH_INF }, { "padding", "inf -inf" }, TILE } },

    { CK_RULE(tile_oob_padding_float_only), .compile = LOAD_OF("${type}", "load_masked<ct::view_padding::$>(0)"),
      .accept = "zero", .refuse = "negative_zero|positive_inf|negative_inf|nan",
      .axes = { { "type", "u8 s8 u16 s16 u32 s32 u64 s64" } }, .declare = TYPE_NAMES, .says = "load_masked" },
    { CK_RULE(tile_oob_padding_float_only), .name = "float",
      .compile = LOAD_OF("${type}", "load_masked<ct::view_padding::$>(0)"),
      .accept = "zero|negative_zero|positive_inf|negative_inf|nan", .axes = { { "type", "f16 bf16 f32 f64" } },
      .declare = TYPE_NAMES, .no_mutant = "its refusals are those of integers" },
    { CK_RULE(tile_oob_padding_float_only), .name = "e5m2", .needs = "sm_90, toolkit 13.5",
      .compile = LOAD_OF("e5m2", "load_masked<ct::view_padding::$>(0)"),
      .accept = "zero|negative_zero|positive_inf|negative_inf|nan", .declare = TYPE_NAMES,
      .no_mutant = "its refusals are those of integers" },
    { CK_RULE(tile_oob_padding_e4m3), .compile = LOAD_OF("e4m3", "load_masked<ct::view_padding::$>(0)"),
      .accept = "zero|negative_zero|nan", .refuse = "positive_inf|negative_inf", .declare = TYPE_NAMES,
      .says = "load_masked" },
    { CK_RULE(tile_oob_padding_spelling), .compile = LOAD_OF("f32", "$"),
      .accept = "load_masked<ct::view_padding::nan>(0)|load_masked(ct::view_padding_nan_t{}, 0)"
                "|load_masked(ct::view_padding_constant<ct::view_padding::nan>{}, 0)|load_masked(0)",
      .refuse = "load_masked(ct::view_padding::nan, 0)|load_masked(0, ct::view_padding_nan_t{})", .declare = TYPE_NAMES,
      .says = "load_masked" },
    { CK_RULE(tile_oob_padding_spelling), .name = "object", .run = spelled,
      .axes = { { "rank", "=2" },
                { "dim", "0 1" },
                { "over", "1..3" },
                { "type", "=f32" },
                { "padding", "zero -zero inf -inf nan" },
                TILE },
      .valid = access_over, .mutants = { LONGER } },
    { 0 }
};

const struct ck_suite suite_cuda_tile_edges = { "cuda_tile_edges", cases };
// SPDX-License-Identifier: Apache-2.0
