/* Spans and views: how the elements of an array lie in memory, and how many numbers name a place. */
#include <string.h>

#include "tests/cuda_tile/access.h"

/* Arranges the array's elements anew: rows further apart, dimensions in another order in memory, gaps between the
 * elements of a row, or rows upon each other. The memory has room for three times as many elements. */
static void arrange(struct ck *t, struct view_access *v, int64_t gap)
{
    const int rank = v->extents.count;
    const bool left = ck_is(t, "layout", "left");
    int64_t stride = ck_is(t, "layout", "spread") ? 1 + gap : 1;

    for (int k = 0; k < rank; k++) {
        const int i = left ? k : rank - 1 - k;
        v->strides.of[i] = stride;
        stride *= v->extents.of[i];
        if (k == 0 && ck_is(t, "layout", "pitch"))
            stride += 16 * gap;
    }
    if (ck_is(t, "layout", "upon"))
        v->strides.of[0] = gap - 1;
}

/* The largest offset of an element, in elements, and 1. */
static size_t span_of(const struct view_access *v)
{
    size_t n = 1;

    for (int i = 0; i < v->extents.count; i++)
        n += (size_t)(v->strides.of[i] * (v->extents.of[i] - 1));
    return n;
}

/* Whatever the strides are, a load takes each element from where they say it is. */
static void load_by_strides(struct ck *t)
{
    const int64_t gap = ck_int(t, "gap");
    struct access a = access_to_load_zero(t);
    const unsigned char *expected;

    arrange(t, &a.v, gap);
    a.array = ck_input(t, (span_of(&a.v) + 512) * view_type_bytes(a.v.type));
    expected = access_loaded(t, &a);
    if (ck_variant(t, "stride"))
        a.v.strides.of[0] += 16;
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

/* A store writes each element to where the strides say it is, and nothing between them. */
static void store_by_strides(struct ck *t)
{
    const int64_t gap = ck_int(t, "gap");
    struct access a = access_to_store_zero(t);
    const unsigned char *expected;

    arrange(t, &a.v, gap);
    a.array = ck_output(t, (span_of(&a.v) + 512) * view_type_bytes(a.v.type));
    expected = access_stored(t, &a);
    if (ck_variant(t, "stride"))
        a.v.strides.of[0] += 16;
    access_store(t, &a);
    ck_equal(t, a.array, expected);
}

#define SPAN "ct::tensor_span{ pf, ct::extents{ n, 16_ic } }"
#define STRIDE                                                                                                         \
    {                                                                                                                  \
        "stride", "make the first stride 16 elements longer"                                                           \
    }

/* Statements that load a tile and store it beside itself. */
#define ACCESS(extents, shape, from, to)                                                                               \
    "auto v = ct::partition_view{ ct::tensor_span{ pf, ct::extents{ " extents " } }, ct::shape{ " shape                \
    " } }; v.store(v.load(" from ")" to ");"

static const struct ck_case cases[] = {
    { CK_RULE(tile_span_layout_strided), .run = load_by_strides,
      .axes = { { "rank", "1..5" },
                { "layout", "pitch left spread upon" },
                { "gap", "1..4" },
                { "type", "u8 u16 f32 f64" },
                TILE },
      .mutants = { STRIDE } },
    { CK_RULE(tile_span_layout_strided), .name = "store", .run = store_by_strides,
      .axes = { { "rank", "1..5" },
                { "layout", "pitch left spread" },
                { "gap", "1..4" },
                { "type", "u8 u16 u32 u64" },
                TILE },
      .mutants = { STRIDE } },
    { CK_RULE(tile_span_layout_strided), .name = "lowered", .needs = "sm_90, PTX 8.0", .run = load_by_strides,
      .axes = { { "rank", "2..5" }, { "layout", "pitch" }, { "gap", "1..8" }, { "type", "u8 u16 f32 f64" }, COPY },
      .mutants = { STRIDE } },
    { CK_RULE(tile_span_layout_strided), .name = "lowered-store", .needs = "sm_90, PTX 8.0", .run = store_by_strides,
      .axes = { { "rank", "2..5" }, { "layout", "pitch" }, { "gap", "1..8" }, { "type", "u8 u16 u32 u64" }, COPY },
      .mutants = { STRIDE } },
    { CK_RULE(tile_span_layout_strided), .name = "count",
      .compile = "auto m = ct::layout_strided_mapping{ ct::extents{ n, 16_ic }, ct::extents{ $ } }; (void)m;",
      .accept = "16_ic, 1_ic|n, 1_ic|1_ic, n|n, n", .refuse = "16_ic|n|16_ic, 1_ic, 1_ic" },

    { CK_RULE(tile_view_rank_match), .compile = "auto v = ct::partition_view{ " SPAN ", ct::shape{ $ } }; (void)v;",
      .accept = "2_ic, 4_ic|1_ic, 1_ic", .refuse = "4_ic|1_ic, 2_ic, 4_ic|1_ic, 1_ic, 2_ic, 4_ic" },
    { CK_RULE(tile_view_rank_match), .name = "least", .compile = "$", .accept = ACCESS("8_ic", "4_ic", "0", ", 1"),
      .refuse = ACCESS("", "", "", "") "|" ACCESS("8_ic", "", "", "") },
    { CK_RULE(tile_load_index_count),
      .compile = "auto v = ct::partition_view{ " SPAN ", ct::shape{ 2_ic, 4_ic } }; (void)v.$;",
      .accept = "load(0, 0)|load(n, 1)|load_masked(0, n)|load(1u, 2)",
      .refuse = "load(0)|load(0, 0, 0)|load()|load_masked(0)|load_masked(0, 0, 0)" },
    { CK_RULE(tile_load_index_count), .name = "store",
      .compile = "auto v = ct::partition_view{ " SPAN ", ct::shape{ 2_ic, 4_ic } }; "
                 "v.$;",
      .accept = "store(v.load(0, 0), 1, 1)|store_masked(v.load(0, 0), n, 1)",
      .refuse = "store(v.load(0, 0), 1)|store(v.load(0, 0), 1, 1, 1)|store_masked(v.load(0, 0))" },
    { 0 }
};

const struct ck_suite suite_cuda_tile_spans = { "cuda_tile_spans", cases };
// SPDX-License-Identifier: Apache-2.0
