/* Spans: how their layout says where an element is. */
#include <stdio.h>
#include <string.h>

#include "kernels/cp_async.h"
#include "tests/cuda_tile/access.h"

#define TYPES "u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64"

/* Makes the layout dense, the last dimension the fastest (row-major) or the first one (layout_left). */
static void lay(struct access *a, bool left)
{
    const int rank = a->v.extents.count;
    int64_t stride = 1;

    for (int k = 0; k < rank; k++) {
        const int i = left ? k : rank - 1 - k;

        a->v.strides.of[i] = stride;
        stride *= a->v.extents.of[i];
    }
}

/* Loads by the kernel of that layout, or by a tensor copy. */
static void load_laid(struct ck *t, const struct access *a, const char *side)
{
    char kernel[64];

    snprintf(kernel, sizeof kernel, "span_%s_load%d_%s", side, a->v.extents.count, view_type_name(a->v.type));
    if (a->copy)
        access_load(t, a);
    else
        access_by(t, a, kernel);
}

/* A dense array: element (i, j, ...) of it is at the place that the last index counts fastest. */
static void row_major(struct ck *t)
{
    struct access a = access_to_load(t);
    const unsigned char *expected;

    lay(&a, false);
    access_place(t, &a, true);
    access_pick(&a, ck_int(t, "at"));
    expected = access_loaded(t, &a);
    if (ck_variant(t, "index"))
        access_pick(&a, ck_int(t, "at") ^ 1);
    load_laid(t, &a, ck_variant(t, "left") ? "left" : "right");
    ck_equal(t, a.tile, expected);
}

/* The same array with layout_left: the first index is the fastest. */
static void layout_left(struct ck *t)
{
    struct access a = access_to_load(t);
    const unsigned char *expected;

    lay(&a, true);
    access_place(t, &a, true);
    access_pick(&a, ck_int(t, "at"));
    expected = access_loaded(t, &a);
    load_laid(t, &a, ck_variant(t, "right") ? "right" : "left");
    ck_equal(t, a.tile, expected);
}

struct turn {
    const struct access *a;
    unsigned char *to;
};

/* Puts an element of the tile, numbered in row-major order, where it is in column-major order. */
static void put_turned(void *context, const struct view_element *e)
{
    const struct turn *r = context;
    const struct view_access *v = &r->a->v;
    const size_t size = view_type_bytes(v->type);
    int64_t at = 0;

    for (int i = v->tile.count - 1; i >= 0; i--)
        at = at * v->tile.of[i] + (e->at[i] - v->index.of[i] * v->tile.of[i]);
    memcpy(r->to + (size_t)at * size, r->a->array.host + (size_t)e->offset * size, size);
}

/* The tensor copy that does the same counts the map's dimensions in the order of the indices, and leaves the tile in
 * column-major order. */
static void layout_left_copy(struct ck *t)
{
    struct access a = access_to_load(t), reversed;
    const int rank = a.v.extents.count;
    unsigned char *expected;
    struct turn r;

    reversed = a;
    for (int i = 0; i < rank; i++) {
        a.v.extents.of[i] = reversed.v.extents.of[rank - 1 - i];
        a.v.tile.of[i] = reversed.v.tile.of[rank - 1 - i];
    }
    lay(&a, true);
    access_place(t, &a, true);
    access_pick(&a, ck_int(t, "at"));
    reversed.array = a.array;
    expected = ck_alloc(t, a.tile.size);
    memset(expected, CK_POISON, a.tile.size);
    r = (struct turn){ &a, expected + 256 };
    view_each(&a.v, put_turned, &r);
    lay(&reversed, false);
    for (int i = 0; i < rank; i++)
        reversed.v.index.of[i] = a.v.index.of[rank - 1 - i];
    if (ck_variant(t, "index"))
        reversed.v.index.of[0] ^= 1;
    access_load(t, &reversed);
    ck_equal(t, a.tile, expected);
}

/* Elements that an axis counts, in a copy pieces of 16 bytes: a tensor map's strides are multiples of those. */
static int64_t counted(struct ck *t, const struct access *a, const char *axis)
{
    return ck_int(t, axis) * (a->copy ? 16 / (int64_t)view_type_bytes(a->v.type) : 1);
}

/* Gives every dimension but the last a gap of `pad` behind what the next one takes. */
static void pad(struct ck *t, struct access *a)
{
    const int rank = a->v.extents.count;

    lay(a, false);
    for (int i = rank - 2; i >= 0; i--)
        a->v.strides.of[i] = a->v.extents.of[i + 1] * a->v.strides.of[i + 1] + counted(t, a, "pad");
}

/* Rows, slabs, ... a pitch apart. */
static void strided(struct ck *t)
{
    struct access a = access_to_load(t);
    const unsigned char *expected;

    pad(t, &a);
    access_place(t, &a, true);
    access_pick(&a, ck_int(t, "at"));
    expected = access_loaded(t, &a);
    if (ck_variant(t, "pitch"))
        a.v.strides.of[0] += a.copy ? 16 / (int64_t)view_type_bytes(a.v.type) : 1;
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

/* One pitch in elements, for elements of each size. The mutant gives it in bytes. */
static void in_elements(struct ck *t)
{
    struct access a = access_to_load(t);
    const int64_t size = (int64_t)view_type_bytes(a.v.type);
    const unsigned char *expected;

    pad(t, &a);
    access_place(t, &a, true);
    if (ck_variant(t, "bytes"))
        a.array = ck_input(t, a.array.size * (size_t)size);
    expected = access_loaded(t, &a);
    if (ck_variant(t, "bytes"))
        a.v.strides.of[0] *= size;
    if (ck_variant(t, "index"))
        a.v.index.of[0] = 0;
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

/* A store to rows with gaps behind them, over the end of the rows: the gaps keep their bytes. The mutant counts a part
 * of the gap as array. */
static void gaps_keep(struct ck *t)
{
    struct access a = access_to_store(t);
    const int inner = a.v.extents.count - 1;
    const unsigned char *expected;

    a.v.extents.of[inner] -= counted(t, &a, "over");
    pad(t, &a);
    access_place(t, &a, false);
    expected = access_stored(t, &a);
    if (ck_variant(t, "longer"))
        a.v.extents.of[inner]++;
    access_store(t, &a);
    ck_equal(t, a.array, expected);
}

/* The same of a load: what it returns is the array's, and zeros where it hangs over into the gap. */
static void gaps_unread(struct ck *t)
{
    struct access a = access_to_load(t);
    const int inner = a.v.extents.count - 1;
    const unsigned char *expected;

    a.v.extents.of[inner] -= counted(t, &a, "over");
    pad(t, &a);
    access_place(t, &a, true);
    expected = access_loaded(t, &a);
    if (ck_variant(t, "longer"))
        a.v.extents.of[inner]++;
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

/* valid: the tile does not hang over by more than it has. */
static bool part_over(struct ck *t)
{
    const enum view_type type = (enum view_type)view_type_find(ck_word(t, "type"));

    return !ck_is(t, "by", "copy") || ck_int(t, "over") * 16 < (int64_t)(ACCESS_INNER * view_type_bytes(type));
}

/* Elements of a row that are `step` apart: every second of interleaved pairs, every third of triples. */
static void inner_stride(struct ck *t)
{
    struct access a = access_to_load(t);
    const int64_t step = ck_int(t, "step");
    const unsigned char *expected;

    for (int i = 0; i < a.v.strides.count; i++)
        a.v.strides.of[i] *= step;
    access_place(t, &a, true);
    access_pick(&a, ck_int(t, "at"));
    expected = access_loaded(t, &a);
    if (ck_variant(t, "dense"))
        a.v.strides.of[a.v.strides.count - 1] = 1;
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

/* One cp.async a lane from elements that are `step` apart; there is no box of them. */
static void inner_stride_lanes(struct ck *t)
{
    const bool wide = ck_is(t, "type", "u64");
    const uint32_t size = wide ? 8 : 4, step = (uint32_t)ck_int(t, "step"), at = (uint32_t)ck_int(t, "at");
    const struct ck_buf in = ck_input(t, 2048), out = ck_output(t, 256), values = ck_zeroed(t, 128);
    struct cp_async_args a = { .in = in.device,
                               .out = out.device,
                               .values = values.device,
                               .bytes = 256,
                               .form = wide ? CP_CA8 : CP_CA4,
                               .lanes = 0xFFFF,
                               .dst_step = size,
                               .src = at * ACCESS_INNER * step * size,
                               .src_step = step * size };
    unsigned char *expected = ck_alloc(t, 256);

    memset(expected, CK_POISON, 256);
    for (uint32_t i = 0; i < ACCESS_INNER; i++)
        memcpy(expected + (size_t)i * size, in.host + (size_t)(at * ACCESS_INNER + i) * step * size, size);
    if (ck_variant(t, "dense"))
        a.src_step = size;
    ck_launch(t, &(struct ck_launch){
                     .kernel = "cp_async_copy", .block = { 32 }, .smem = 256, .args = &a, .size = sizeof a });
    ck_equal(t, out, expected);
}

/* Rows that begin `pitch` elements after each other, fewer than a row has: they share elements, at 0 all of them. */
static void shared_rows(struct ck *t)
{
    struct access a = access_to_load(t);
    const unsigned char *expected;

    a.v.strides.of[0] = ck_int(t, "pitch");
    access_pick(&a, ck_int(t, "at"));
    expected = access_loaded(t, &a);
    if (ck_variant(t, "width"))
        a.v.strides.of[0] = a.v.extents.of[1];
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

/* An array that begins `from` elements into its memory; for a copy, as many pieces of 16 bytes. */
static void any_base(struct ck *t)
{
    struct access a = access_to_load(t);
    const struct ck_buf whole = ck_input(t, a.array.size + 1024);
    const size_t from = (size_t)counted(t, &a, "from") * view_type_bytes(a.v.type);
    const unsigned char *expected;

    a.array = whole;
    a.array.host += from;
    expected = access_loaded(t, &a);
    a.array.device += from;
    if (ck_variant(t, "further"))
        a.array.device += a.copy ? 16 : view_type_bytes(a.v.type);
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

#define INDEX                                                                                                          \
    {                                                                                                                  \
        "index", "load another tile"                                                                                   \
    }
#define PITCH                                                                                                          \
    {                                                                                                                  \
        "pitch", "make the outermost stride larger by the least step"                                                  \
    }
#define LONGER                                                                                                         \
    {                                                                                                                  \
        "longer", "count one element of the gap as array"                                                              \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tile_span_row_major), .run = row_major,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", "u8 u32" }, PLAIN, TILE }, .valid = access_at,
      .mutants = { INDEX, { "left", "take layout_left", .only = "rank=2/3/4" } } },
    { CK_RULE(tile_span_row_major), LOWERED, .run = row_major,
      .axes = { { "rank", "1..5" }, { "at", "0..31" }, { "type", SIZES }, PLAIN, COPY }, .valid = access_at,
      .mutants = { INDEX } },
    { CK_RULE(tile_span_layout_left), .run = layout_left,
      .axes = { { "rank", "2..4" }, { "at", "0..15" }, { "type", "u8 u32" }, PLAIN, TILE }, .valid = access_at,
      .mutants = { { "right", "take the default layout" } } },
    { CK_RULE(tile_span_layout_left), LOWERED, .run = layout_left_copy,
      .axes = { { "rank", "2..5" }, { "at", "0..31" }, { "type", SIZES }, PLAIN, COPY }, .valid = access_at,
      .mutants = { INDEX } },
    { CK_RULE(tile_span_layout_strided), .name = "padded", .run = strided,
      .axes = { { "rank", "2..4" },
                { "pad", "1..5 15 16 17 63" },
                { "at", "0..15" },
                { "type", "u8 u16 f32 f64" },
                PLAIN,
                TILE },
      .valid = access_at, .mutants = { PITCH } },
    { CK_RULE(tile_span_layout_strided), .name = "padded-lowered", .needs = "sm_90, PTX 8.0", .run = strided,
      .axes = { { "rank", "2..5" }, { "pad", "1 2 3 8" }, { "at", "0..31" }, { "type", "u8 u32" }, PLAIN, COPY },
      .valid = access_at, .mutants = { PITCH } },
    { CK_RULE(tile_span_stride_in_elements), .run = in_elements,
      .axes = { { "rank", "=2" }, { "pad", "0 1 7 16 33" }, { "type", TYPES }, PLAIN, TILE },
      .mutants = { { "bytes", "give the pitch in bytes", .only = "type=u16/s16/u32/s32/u64/s64/f16/bf16/f32/f64" },
                   INDEX } },
    { CK_RULE(tile_span_stride_in_elements), LOWERED, .run = in_elements,
      .axes = { { "rank", "=2" }, { "pad", "0 1 2 5" }, { "type", TYPES }, PLAIN, COPY },
      .mutants = { { "bytes", "give the pitch in bytes", .only = "type=u16/s16/u32/s32/u64/s64/f16/bf16/f32/f64" },
                   INDEX } },
    { CK_RULE(tile_span_pad_untouched), .run = gaps_keep,
      .axes = { { "rank", "2..4" },
                { "pad", "1..9 15..17 31 33 63" },
                { "over", "1 2 7 15" },
                { "type", SIZES },
                MASKED,
                TILE },
      .mutants = { LONGER } },
    { CK_RULE(tile_span_pad_untouched), .name = "load", .run = gaps_unread,
      .axes = { { "rank", "2..4" },
                { "pad", "1..9 15..17 31 33 63" },
                { "over", "1 2 7 15" },
                { "type", "u8 u16 f32 f64" },
                MASKED,
                TILE },
      .mutants = { LONGER } },
    { CK_RULE(tile_span_pad_untouched), LOWERED, .run = gaps_keep,
      .axes = { { "rank", "2..5" },
                { "pad", "1..4 7" },
                { "over", "1 2 3 7" },
                { "type", "u16 u32 u64" },
                MASKED,
                COPY },
      .valid = part_over, .mutants = { LONGER } },
    { CK_RULE(tile_span_pad_untouched), .name = "lowered-load", .needs = "sm_90, PTX 8.0", .run = gaps_unread,
      .axes = { { "rank", "2..5" }, { "pad", "1..4 7" }, { "over", "1 2 3 7" }, { "type", SIZES }, MASKED, COPY },
      .valid = part_over, .mutants = { LONGER } },
    { CK_RULE(tile_span_inner_stride), .run = inner_stride,
      .axes = { { "rank", "1..3" }, { "step", "2 3" }, { "at", "0..7" }, { "type", "u8 u16 f32 f64" }, PLAIN, TILE },
      .valid = access_at, .mutants = { { "dense", "make the last stride 1" } } },
    { CK_RULE(tile_span_inner_stride), LOWERED, .run = inner_stride_lanes,
      .axes = { { "step", "2..8" }, { "at", "0 1" }, { "type", "u32 u64" } },
      .mutants = { { "dense", "make the stride 1" } } },
    { CK_RULE(tile_span_zero_stride), .run = shared_rows,
      .axes = { { "rank", "=2" }, { "pitch", "0..8 15..17" }, { "at", "0..3" }, { "type", SIZES }, PLAIN, TILE },
      .mutants = { { "width", "make the pitch the width of the array" } } },
    { CK_RULE(tile_span_base_any), .run = any_base,
      .axes = { { "rank", "1..3" }, { "from", "0..17 31..33 63 64" }, { "type", "u8 u16 f32 f64" }, PLAIN, TILE },
      .mutants = { { "further", "begin one element further" } } },
    { CK_RULE(tile_span_base_any), LOWERED, .run = any_base,
      .axes = { { "rank", "1..5" }, { "from", "0..17" }, { "type", SIZES }, PLAIN, COPY },
      .mutants = { { "further", "begin 16 bytes further" } } },
    { 0 }
};

const struct ck_suite suite_cuda_tile_layout = { "cuda_tile_layout", cases };
// SPDX-License-Identifier: Apache-2.0
