/* Gather and scatter through tiles of pointers, by tile kernels, and the same loads by one cp.async a lane. */
#include <stdio.h>
#include <string.h>

#include "kernels/cp_async.h"
#include "kernels/gather_lanes.h"
#include "tests/cuda_tile/access.h"

#define WIDE   "u32 u64 u128"
#define ORDERS "same reversed turned twice even random"

enum { LANES = 32, ARRAY = 256, COUNT_MAX = 128 }; /* of an array and of a tile: elements */

/* The offsets of `count` elements, and which of them the mask lets through. */
struct choice {
    size_t size; /* of an element */
    int count;
    int32_t at[COUNT_MAX]; /* elements */
    bool on[COUNT_MAX];
};

static size_t size_of(struct ck *t)
{
    return ck_is(t, "type", "u8")    ? 1
           : ck_is(t, "type", "u16") ? 2
           : ck_is(t, "type", "u32") ? 4
           : ck_is(t, "type", "u64") ? 8
                                     : 16;
}

/* Offsets by name. All but "twice" and "equal" are distinct. */
static void put_offsets(struct ck *t, struct choice *c, const char *order)
{
    const int n = c->count;

    for (int i = 0; i < n; i++)
        c->at[i] = !strcmp(order, "reversed") ? n - 1 - i
                   : !strcmp(order, "turned") ? (i + n / 2 + 1) % n
                   : !strcmp(order, "twice")  ? i / 2
                   : !strcmp(order, "equal")  ? 5
                   : !strcmp(order, "even")   ? 2 * i
                                              : i;
    if (!strcmp(order, "random"))
        for (int i = n - 1; i > 0; i--) {
            const int k = (int)(ck_random(t) % (uint64_t)(i + 1));
            const int32_t kept = c->at[i];

            c->at[i] = c->at[k];
            c->at[k] = kept;
        }
}

static bool let_through(const char *mask, int i, int count)
{
    return !strcmp(mask, "all")      ? true
           : !strcmp(mask, "none")   ? false
           : !strcmp(mask, "even")   ? i % 2 == 0
           : !strcmp(mask, "odd")    ? i % 2 == 1
           : !strcmp(mask, "first")  ? i == 0
           : !strcmp(mask, "last")   ? i == count - 1
           : !strcmp(mask, "prefix") ? i < count / 3
                                     : i >= count / 3;
}

static struct choice choose(struct ck *t, int count, bool masked)
{
    struct choice c = { .size = size_of(t), .count = count };

    put_offsets(t, &c, ck_word(t, "order"));
    for (int i = 0; i < count; i++)
        c.on[i] = !masked || let_through(ck_word(t, "mask"), i, count);
    return c;
}

static int count_of(struct ck *t)
{
    const int64_t rank = ck_int(t, "rank");

    return rank == 1 ? 16 : rank == 2 ? 64 : 128;
}

/* ---- by tile kernels --------------------------------------------------------------------------------------------- */

static enum ck_end by_tile(struct ck *t, const struct choice *c, uint64_t array, uint64_t tile, const char *what,
                           int pad)
{
    const struct ck_buf rows = ck_zeroed(t, 2 * sizeof c->at);
    struct view_args args = { .array = array, .tile = tile, .rows = rows.device, .extents = { pad } };
    int32_t numbers[2 * COUNT_MAX] = { 0 };
    char kernel[64];

    for (int i = 0; i < c->count; i++) {
        numbers[i] = c->at[i];
        numbers[c->count + i] = c->on[i];
    }
    memcpy(rows.host, numbers, sizeof numbers);
    ck_changed(t, rows);
    snprintf(kernel, sizeof kernel, "pointer_%s%d_%s", what, (int)ck_int(t, "rank"), ck_word(t, "type"));
    return ck_launch(t, &(struct ck_launch){ .kernel = kernel, .members = true, .args = &args, .size = sizeof args });
}

/* What a gather leaves: the pointees, and `pad` where the mask is false. */
static unsigned char *gathered(struct ck *t, const struct choice *c, struct ck_buf array, int pad)
{
    unsigned char *bytes = ck_alloc(t, (size_t)c->count * c->size);

    for (int i = 0; i < c->count; i++) {
        bytes[(size_t)i * c->size] = (unsigned char)pad;
        if (c->on[i])
            memcpy(bytes + (size_t)i * c->size, array.host + (size_t)c->at[i] * c->size, c->size);
    }
    return bytes;
}

static void move_on(struct ck *t, struct choice *c)
{
    for (int i = 0; i < c->count; i++) {
        c->at[i] += ck_variant(t, "next");
        c->on[i] ^= ck_variant(t, "inverted");
        c->on[i] |= ck_variant(t, "unmasked");
    }
}

/* ct::load returns what each pointer points to. */
static void gather(struct ck *t)
{
    struct choice c = choose(t, count_of(t), false);
    const struct ck_buf array = ck_input(t, (ARRAY + 1) * c.size), tile = ck_output(t, (size_t)c.count * c.size);
    const unsigned char *const expected = gathered(t, &c, array, 0);

    move_on(t, &c);
    by_tile(t, &c, array.device, tile.device, "load", 0);
    ck_equal(t, tile, expected);
}

/* Under a mask it returns the padding where the mask is false. */
static void gather_masked(struct ck *t)
{
    const int pad = (int)ck_int(t, "pad");
    struct choice c = choose(t, count_of(t), true);
    const struct ck_buf array = ck_input(t, (ARRAY + 1) * c.size), tile = ck_output(t, (size_t)c.count * c.size);
    const unsigned char *const expected = gathered(t, &c, array, pad);

    move_on(t, &c);
    by_tile(t, &c, array.device, tile.device, "masked_load", pad);
    ck_equal(t, tile, expected);
}

/* A pointer whose mask is false is not read: `far`, it points past everything; "null", all of them do not point. */
static void gather_unread(struct ck *t)
{
    struct choice c = choose(t, count_of(t), true);
    const struct ck_buf array = ck_edge_input(t, ARRAY * c.size), tile = ck_output(t, (size_t)c.count * c.size);
    const unsigned char *const expected = gathered(t, &c, array, 7);
    const bool null = ck_is(t, "where", "null");

    for (int i = 0; i < c.count; i++)
        if (!c.on[i])
            c.at[i] = ck_is(t, "where", "behind") ? ARRAY : 1 << 30;
    if (ck_variant(t, "next"))
        for (int i = 0; i < c.count; i++)
            c.at[i] = c.at[i] < ARRAY ? (c.at[i] + 1) % ARRAY : c.at[i];
    by_tile(t, &c, null ? 0 : array.device, tile.device, "masked_load", 7);
    ck_equal(t, tile, expected);
}

static bool null_if_none(struct ck *t)
{
    return !ck_is(t, "where", "null") || ck_is(t, "mask", "none");
}

static void scatter_by(struct ck *t, bool masked)
{
    struct choice c = choose(t, count_of(t), masked);
    const struct ck_buf array = ck_output(t, (ARRAY + 1) * c.size), tile = ck_input(t, (size_t)c.count * c.size);
    unsigned char *expected = ck_alloc(t, array.size);

    memset(expected, CK_POISON, array.size);
    for (int i = 0; i < c.count; i++)
        if (c.on[i])
            memcpy(expected + (size_t)c.at[i] * c.size, tile.host + (size_t)i * c.size, c.size);
    move_on(t, &c);
    by_tile(t, &c, array.device, tile.device, masked ? "masked_store" : "store", 0);
    ck_equal(t, array, expected);
}

/* ct::store writes each element through its own pointer and nothing else. */
static void scatter(struct ck *t)
{
    scatter_by(t, false);
}

/* Under a mask it writes only where that is true. */
static void scatter_masked(struct ck *t)
{
    scatter_by(t, true);
}

/* The mask `at < n`: the elements of tile `tile` below n, and zeros. */
static void below(struct ck *t)
{
    const size_t size = size_of(t);
    const int64_t n = ck_int(t, "n"), first = 16 * ck_int(t, "tile");
    const struct ck_buf array = ck_input(t, 64 * size), tile = ck_output(t, 16 * size);
    struct view_args args = { .array = array.device, .tile = tile.device };
    unsigned char *expected = ck_alloc(t, 16 * size);
    char kernel[64];

    if (n > first)
        memcpy(expected, array.host + (size_t)first * size, (size_t)(n - first < 16 ? n - first : 16) * size);
    args.index[0] = (int32_t)ck_int(t, "tile");
    args.extents[0] = (int32_t)n + ck_variant(t, "one-more");
    snprintf(kernel, sizeof kernel, "pointer_below_%s", ck_word(t, "type"));
    ck_launch(t, &(struct ck_launch){ .kernel = kernel, .members = true, .args = &args, .size = sizeof args });
    ck_equal(t, tile, expected);
}

/* valid: element n is one of the tile's. */
static bool ends_in_tile(struct ck *t)
{
    return ck_int(t, "n") / 16 == ck_int(t, "tile");
}

/* The reference's example. */
static void example(struct ck *t)
{
    static const int32_t values[] = { 2, 11, 4, 13 };
    const struct ck_buf array = ck_zeroed(t, 64), tile = ck_output(t, 16);
    const struct view_args args = { .array = array.device, .tile = tile.device };

    for (int i = 0; i < 16; i++)
        array.host[4 * i] = (unsigned char)i;
    ck_changed(t, array);
    ck_launch(t,
              &(struct ck_launch){ .kernel = "pointer_example", .members = true, .args = &args, .size = sizeof args });
    ck_equal(t, tile, values);
}

/* Offsets that follow each other give the tile that a view gives. */
static void as_view(struct ck *t)
{
    struct access a = access_to_load_zero(t);
    const unsigned char *expected;

    access_pick(&a, ck_int(t, "at"));
    expected = access_loaded(t, &a);
    if (ck_variant(t, "index"))
        access_pick(&a, ck_int(t, "at") ^ 1);
    access_by(t, &a, ck_is(t, "rank", "1") ? "pointer_as_view1" : "pointer_as_view2");
    ck_equal(t, a.tile, expected);
}

/* Atomic stores of several elements to one place: one of them stays there. */
static void one_stays(struct ck *t)
{
    const int same = (int)ck_int(t, "same");
    const struct ck_buf array = ck_output(t, 64), tile = ck_input(t, 64), rows = ck_zeroed(t, 64);
    const struct view_args args = { .array = array.device, .tile = tile.device, .rows = rows.device };
    int32_t offsets[16];

    for (int i = 0; i < 16; i++)
        offsets[i] = i / same * same;
    memcpy(rows.host, offsets, sizeof offsets);
    ck_changed(t, rows);
    ck_no_digest(t);
    ck_launch(t, &(struct ck_launch){
                     .kernel = "pointer_atomic_store", .members = true, .args = &args, .size = sizeof args });
    for (int place = 0; place < 16; place += same) {
        bool one = false;

        for (int i = place + ck_variant(t, "others") * 16; i < place + same && i < 16; i++)
            one |= !memcmp(array.host + 4 * place, tile.host + 4 * i, 4);
        ck_expect(t, "whether the place holds one of its elements", one, true);
    }
}

/* ---- by one cp.async a lane -------------------------------------------------------------------------------------- */

static void by_lanes(struct ck *t, const struct choice *c, struct ck_buf array, struct ck_buf out)
{
    const struct ck_buf offsets = ck_zeroed(t, LANES * 4);
    struct gather_lanes_args args = { .in = array.device, .out = out.device, .offsets = offsets.device };

    for (int i = 0; i < LANES; i++) {
        const int32_t bytes = c->at[i] * (int32_t)c->size;

        memcpy(offsets.host + 4 * i, &bytes, 4);
        args.ignore |= c->on[i] ? 0 : 1u << i;
    }
    ck_changed(t, offsets);
    args.form = c->size == 4 ? CP_CA4 : c->size == 8 ? CP_CA8 : CP_CG16;
    ck_launch(
        t, &(struct ck_launch){
               .kernel = "gather_lanes", .block = { LANES }, .smem = LANES * 16, .args = &args, .size = sizeof args });
}

static void gather_by_lanes(struct ck *t, bool masked)
{
    struct choice c = choose(t, LANES, masked);
    const struct ck_buf array = ck_input(t, (ARRAY + 1) * c.size), out = ck_output(t, LANES * c.size);
    const unsigned char *const expected = gathered(t, &c, array, 0);

    move_on(t, &c);
    by_lanes(t, &c, array, out);
    ck_equal(t, out, expected);
}

/* Each lane copies the element at its own offset. */
static void gather_lanes(struct ck *t)
{
    gather_by_lanes(t, false);
}

/* A lane whose mask is false ignores its source, and has zeros. */
static void gather_lanes_masked(struct ck *t)
{
    gather_by_lanes(t, true);
}

/* Its source is not read: nothing is mapped there. */
static void gather_lanes_unread(struct ck *t)
{
    struct choice c = choose(t, LANES, true);
    const struct ck_buf array = ck_edge_input(t, ARRAY * c.size), out = ck_output(t, LANES * c.size);
    const unsigned char *const expected = gathered(t, &c, array, 0);

    for (int i = 0; i < LANES; i++)
        if (!c.on[i])
            c.at[i] = ck_is(t, "where", "behind") ? ARRAY : 1 << 26;
        else if (ck_variant(t, "next"))
            c.at[i]++;
    if (ck_variant(t, "swapped"))
        for (int i = 0; i < LANES; i++)
            c.on[i] = false;
    by_lanes(t, &c, array, out);
    ck_equal(t, out, expected);
}

/* Elements from `first` on, as long as they are below n. */
static void lanes_below(struct ck *t)
{
    struct choice c = { .size = size_of(t), .count = LANES };
    const int64_t n = ck_int(t, "n");
    const struct ck_buf array = ck_input(t, ARRAY * c.size), out = ck_output(t, LANES * c.size);
    const unsigned char *expected;

    for (int i = 0; i < LANES; i++) {
        c.at[i] = i;
        c.on[i] = i < n;
    }
    expected = gathered(t, &c, array, 0);
    if (ck_variant(t, "one-more"))
        c.on[n] = true;
    by_lanes(t, &c, array, out);
    ck_equal(t, out, expected);
}

/* One cp.async a lane and one box leave the same image. */
static void lanes_as_box(struct ck *t)
{
    struct access a = access_to_load_zero(t);
    struct choice c = { .size = view_type_bytes(a.v.type), .count = LANES };
    const struct ck_buf out = ck_output(t, LANES * c.size);
    const unsigned char *expected;
    const int64_t first = LANES * ck_int(t, "at");

    a.v.tile.of[0] = LANES;
    a.v.extents.of[0] = 128;
    access_place(t, &a, true);
    a.tile = ck_output(t, LANES * c.size + 512);
    a.v.index.of[0] = ck_int(t, "at");
    expected = access_loaded(t, &a);
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
    for (int i = 0; i < LANES; i++) {
        c.at[i] = (int32_t)(first + i + ck_variant(t, "next"));
        c.on[i] = true;
    }
    by_lanes(t, &c, a.array, out);
    ck_equal(t, out, expected + 256);
}

#define NEXT                                                                                                           \
    {                                                                                                                  \
        "next", "add one to each offset"                                                                               \
    }
#define INVERTED                                                                                                       \
    {                                                                                                                  \
        "inverted", "invert the mask"                                                                                  \
    }
#define UNMASKED                                                                                                       \
    {                                                                                                                  \
        "unmasked", "make the mask true throughout", .only = "mask=none/even/odd/first/last/prefix/rest"               \
    }
#define NO_WAIT                                                                                                        \
    {                                                                                                                  \
        "no-wait", "do not wait for the copies", .kernel = "no_wait"                                                   \
    }
#define MASKS "all none even odd first last prefix rest"

static const struct ck_case cases[] = {
    { CK_RULE(tile_ptr_arith), .run = gather, .axes = { { "rank", "1..3" }, { "order", "even" }, { "type", SIZES } },
      .mutants = { NEXT } },
    { CK_RULE(tile_ptr_arith), LOWERED, .run = gather_lanes, .axes = { { "order", "even" }, { "type", WIDE } },
      .mutants = { NEXT } },
    { CK_RULE(tile_gather_load), .run = gather,
      .axes = { { "rank", "1..3" }, { "order", "same reversed turned even random" }, { "type", SIZES } },
      .mutants = { NEXT } },
    { CK_RULE(tile_gather_load), LOWERED, .run = gather_lanes,
      .axes = { { "order", "same reversed turned even random" }, { "type", WIDE } }, .mutants = { NEXT, NO_WAIT } },
    { CK_RULE(tile_gather_example), .run = example, .mutants = { { "eight", "multiply by 8", .kernel = "eight" } } },
    { CK_RULE(tile_gather_repeat), .run = gather,
      .axes = { { "rank", "1..3" }, { "order", "twice equal" }, { "type", SIZES } }, .mutants = { NEXT } },
    { CK_RULE(tile_gather_repeat), LOWERED, .run = gather_lanes,
      .axes = { { "order", "twice equal" }, { "type", WIDE } }, .mutants = { NEXT } },
    { CK_RULE(tile_scatter_store), .run = scatter,
      .axes = { { "rank", "1..3" }, { "order", "same reversed turned even random" }, { "type", SIZES } },
      .mutants = { NEXT } },
    { CK_RULE(tile_scatter_repeat_atomic), .run = one_stays, .axes = { { "same", "1 2 4 8 16" } },
      .mutants = { { "others", "allow no element" } } },
    { CK_RULE(tile_gather_masked), .run = gather_masked,
      .axes = { { "rank", "1..3" },
                { "order", "same random" },
                { "mask", MASKS },
                { "pad", "0 1 77" },
                { "type", SIZES } },
      .mutants = { INVERTED } },
    { CK_RULE(tile_gather_masked), LOWERED, .run = gather_lanes_masked,
      .axes = { { "order", "same reversed turned even random" }, { "mask", MASKS }, { "type", WIDE } },
      .mutants = { INVERTED } },
    { CK_RULE(tile_gather_masked_no_access), .run = gather_unread,
      .axes = { { "rank", "1..3" },
                { "order", "same" },
                { "mask", "none even odd first last" },
                { "where", "behind far null" },
                { "type", "u8 u64" } },
      .valid = null_if_none, .mutants = { { "next", "read other elements", .only = "mask=even/odd/first/last" } },
      .faults = true },
    { CK_RULE(tile_gather_masked_no_access), LOWERED, .run = gather_lanes_unread,
      .axes = { { "order", "same" },
                { "mask", "even odd first last prefix rest" },
                { "where", "behind far" },
                { "type", WIDE } },
      .mutants = { { "next", "read other elements" }, { "swapped", "let all lanes ignore their sources" } } },
    { CK_RULE(tile_gather_mask_by_compare), .run = below,
      .axes = { { "n", "0..47" }, { "tile", "0..2" }, { "type", "u8 u32 u64" } }, .valid = ends_in_tile,
      .mutants = { { "one-more", "compare with <=" } } },
    { CK_RULE(tile_gather_mask_by_compare), LOWERED, .run = lanes_below, .axes = { { "n", "0..31" }, { "type", WIDE } },
      .mutants = { { "one-more", "compare with <=" } } },
    { CK_RULE(tile_scatter_masked), .run = scatter_masked,
      .axes = { { "rank", "1..3" }, { "order", "same random" }, { "mask", MASKS }, { "type", SIZES } },
      .mutants = { UNMASKED } },
    { CK_RULE(tile_gather_equals_view), .run = as_view,
      .axes = { { "rank", "1 2" }, { "at", "0..3" }, { "type", "=u32" }, { "by", "=tile" } }, .valid = access_at,
      .mutants = { { "index", "take another tile" } } },
    { CK_RULE(tile_gather_equals_view), LOWERED, .run = lanes_as_box,
      .axes = { { "rank", "=1" }, { "at", "0..3" }, { "type", "u32 f32 u64 f64" }, { "by", "=copy" } },
      .mutants = { NEXT } },
    { 0 }
};

const struct ck_suite suite_cuda_tile_pointers = { "cuda_tile_pointers", cases };
// SPDX-License-Identifier: Apache-2.0
