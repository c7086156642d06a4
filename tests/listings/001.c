/* The listings of the notes 001: CUDA Tile. Each is run by its tile kernel, and by the kernel for threads that does the
 * same with copies. */
#include <stdio.h>
#include <string.h>

#include "tests/listings/page.h"

#define LOWERED .name = "lowered", .needs = "sm_90, PTX 8.0"
#define TILE                                                                                                           \
    {                                                                                                                  \
        "by", "=tile"                                                                                                  \
    }
#define COPY                                                                                                           \
    {                                                                                                                  \
        "by", "=copy"                                                                                                  \
    }

static bool lowered(struct ck *t)
{
    return ck_is(t, "by", "copy");
}

/* A block of a tile kernel has one thread; the others have a warp. */
static int threads(struct ck *t)
{
    return lowered(t) ? 32 : 1;
}

/* Whole numbers as floats, so that sums are exact in any order. */
static struct ck_buf floats(struct ck *t, size_t count)
{
    const struct ck_buf b = ck_input(t, count * 4);

    for (size_t i = 0; i < count; i++) {
        const float value = (float)(1 + ck_random(t) % 1000);
        memcpy(b.host + i * 4, &value, 4);
    }
    ck_changed(t, b);
    return b;
}

static float float_at(struct ck_buf b, size_t i)
{
    float value;

    memcpy(&value, b.host + i * 4, 4);
    return value;
}

/* The map of `count` floats in boxes. An array of none has no map: the kernel then makes no copy. */
static struct ck_tmap row_map(struct ck *t, struct ck_buf b, int64_t count, int box)
{
    char words[96];

    snprintf(words, sizeof words, "type=f32 rank=1 dims=%d box=%d", count > 0 ? (int)count : 1, box);
    return page_map(t, words, b);
}

/* Each tile of the figure's array has the elements that the figure says. */
static void figure19(struct ck *t)
{
    const int32_t row = (int32_t)ck_int(t, "row"), column = (int32_t)ck_int(t, "column");
    const struct ck_buf array = ck_input(t, 10 * 16 * 4), out = ck_output(t, 32);
    unsigned char want[32];
    struct {
        uint64_t array;
        int32_t row, column;
        uint64_t out;
    } tile = { array.device, row, column, out.device };
    struct {
        struct ck_tmap map;
        int32_t row, column;
        uint64_t out;
    } copy = { .row = row, .column = column, .out = out.device };

    for (int i = 0; i < 8; i++)
        memcpy(want + i * 4, array.host + ((row * 2 + i / 4) * 16 + column * 4 + i % 4) * 4, 4);
    if (ck_variant(t, "beside"))
        tile.column = copy.column ^= 1;
    if (lowered(t)) {
        copy.map = page_map(t, "type=s32 rank=2 dims=16x10 strides=64 box=4x2", array);
        PAGE_LAUNCH(t, "figure19_lowered", 1, 32, copy);
    } else {
        PAGE_LAUNCH(t, "figure19", 1, 1, tile);
    }
    ck_equal(t, out, want);
}

/* Sixteen blocks add two arrays of 128 floats. */
static void vec_add(struct ck *t)
{
    const struct ck_buf a = floats(t, 128), b = floats(t, 128), out = ck_output(t, 512);
    const int blocks = ck_variant(t, "fewer") ? 15 : 16;
    float want[128];
    struct {
        uint64_t a, b, out;
    } tile = { a.device, b.device, out.device };
    struct {
        struct ck_tmap a, b, out;
    } copy;

    for (size_t i = 0; i < 128; i++)
        want[i] = float_at(a, i) + float_at(b, i);
    if (lowered(t)) {
        copy.a = row_map(t, a, 128, 8);
        copy.b = row_map(t, b, 128, 8);
        copy.out = row_map(t, out, 128, 8);
        PAGE_LAUNCH(t, "vec_add_lowered", blocks, 32, copy);
    } else {
        PAGE_LAUNCH(t, "vec_add", blocks, 1, tile);
    }
    ck_equal(t, out, want);
}

/* A kernel that copies n floats by blocks of `size`, `zeros` of the last block's elements excepted; what lies behind
 * the n-th stays poison. */
static void copy_floats(struct ck *t, const char *kernel, int size, bool last_is_zero)
{
    const int32_t n = (int32_t)ck_int(t, "n"), blocks = (n + size - 1) / size;
    const struct ck_buf in = floats(t, 512), out = ck_output(t, 2048);
    unsigned char *want = ck_alloc(t, 2048);
    char name[64];
    struct {
        uint64_t in, out;
        int32_t n;
    } tile = { in.device, out.device, n };
    struct {
        struct ck_tmap map;
        uint64_t out;
        int32_t n;
    } copy = { .out = out.device, .n = n };

    memset(want, CK_POISON, 2048);
    memcpy(want, in.host, (size_t)n * 4);
    for (int i = (blocks - 1) * size; last_is_zero && i < n; i++)
        memset(want + i * 4, 0, 4);
    if (ck_variant(t, "shorter"))
        tile.n = copy.n = n - 1;
    snprintf(name, sizeof name, "%s%s", kernel, lowered(t) ? "_lowered" : "");
    if (lowered(t)) {
        copy.map = row_map(t, in, n, size);
        PAGE_LAUNCH(t, name, blocks, 32, copy);
    } else {
        PAGE_LAUNCH(t, name, blocks, 1, tile);
    }
    ck_equal(t, out, want);
}

/* An array of any length arrives whole, and nothing behind its end is written. */
static void edge_safe(struct ck *t)
{
    copy_floats(t, "edge_safe", 128, false);
}

/* The tiles of all blocks but the last one arrive; that of the last is zero, as far as the array goes. */
static void conditional_load(struct ck *t)
{
    copy_floats(t, "conditional_load", 8, true);
}

/* The blocks add eight elements each, through pointers. */
static void vec_add_gather(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks"), count = blocks * 8;
    const struct ck_buf a = ck_input(t, count * 4), b = ck_input(t, count * 4), out = ck_output(t, count * 4);
    uint32_t *want = ck_alloc(t, count * 4);
    struct {
        uint64_t a, b, out;
    } args = { a.device, b.device, out.device };

    for (uint32_t i = 0; i < count; i++)
        want[i] = ((const uint32_t *)a.host)[i] + ((const uint32_t *)b.host)[i];
    PAGE_LAUNCH(t, lowered(t) ? "vec_add_gather_lowered" : "vec_add_gather",
                ck_variant(t, "fewer") ? blocks - 1 : blocks, threads(t), args);
    ck_equal(t, out, want);
}

/* The first n elements arrive, through pointers under a mask; behind them nothing is read or written. */
static void gather_safe(struct ck *t)
{
    const int32_t n = (int32_t)ck_int(t, "n");
    const struct ck_buf in = ck_edge_input(t, (size_t)n * 4), out = ck_output(t, 256);
    unsigned char want[256];
    struct {
        uint64_t in, out;
        int32_t n;
    } args = { in.device, out.device, ck_variant(t, "shorter") ? n - 1 : n };

    memset(want, CK_POISON, sizeof want);
    memcpy(want, in.host, (size_t)n * 4);
    PAGE_LAUNCH(t, lowered(t) ? "gather_safe_lowered" : "gather_safe", (n + 7) / 8, threads(t), args);
    ck_equal(t, out, want);
}

/* One block adds up tiles of eight floats; the sum of none is zero. */
static void tile_sum(struct ck *t)
{
    const int32_t tiles = (int32_t)ck_int(t, "tiles");
    const struct ck_buf in = floats(t, tiles ? (size_t)tiles * 8 : 8), out = ck_output(t, 32);
    float want[8] = { 0 };
    struct {
        uint64_t in, out;
        int32_t tiles;
    } tile = { in.device, out.device, tiles };
    struct {
        struct ck_tmap map;
        uint64_t out;
        int32_t tiles;
    } copy = { .out = out.device, .tiles = tiles };

    for (int32_t i = 0; i < tiles * 8; i++)
        want[i % 8] += float_at(in, (size_t)i);
    if (ck_variant(t, "fewer"))
        tile.tiles = copy.tiles = tiles - 1;
    if (lowered(t)) {
        copy.map = row_map(t, in, tiles * 8, 8);
        PAGE_LAUNCH(t, "tile_sum_lowered", 1, 32, copy);
    } else {
        PAGE_LAUNCH(t, "tile_sum", 1, 1, tile);
    }
    ck_equal(t, out, want);
}

#define FIGURE                                                                                                         \
    { "row", "0..4" },                                                                                                 \
    {                                                                                                                  \
        "column", "0..3"                                                                                               \
    }
#define LENGTHS                                                                                                        \
    {                                                                                                                  \
        "n", "1 2 3 4 5 31 32 33 100 127 128 129 130 200 255 256 257 384 511"                                          \
    }
#define SHORT                                                                                                          \
    {                                                                                                                  \
        "n", "1 2 7 8 9 15 16 17 31 32 33 60"                                                                          \
    }
#define FEWER                                                                                                          \
    {                                                                                                                  \
        "fewer", "leave out the last block"                                                                            \
    }
#define FEWER_OF_MANY                                                                                                  \
    {                                                                                                                  \
        "fewer", "leave out the last block", .only = "blocks=2/5"                                                      \
    }
#define FEWER_OF_SUM                                                                                                   \
    {                                                                                                                  \
        "fewer", "leave out the last tile", .only = "tiles=1/2/7/20"                                                   \
    }
#define SHORTER                                                                                                        \
    {                                                                                                                  \
        "shorter", "give a length that is 1 less"                                                                      \
    }

static const struct ck_case cases[] = {
    { CK_LISTING(001_figure19), .run = figure19, .axes = { TILE, FIGURE },
      .mutants = { { "beside", "take the tile beside it" } } },
    { CK_LISTING(001_figure19), LOWERED, .run = figure19, .axes = { COPY, FIGURE },
      .mutants = { { "beside", "take the tile beside it" },
                   { "in-tiles", "give the corner in tiles", .kernel = "in_tiles", .only = "row=1/2/3/4" } } },
    { CK_LISTING(001_vec_add), .run = vec_add, .axes = { TILE }, .mutants = { FEWER } },
    { CK_LISTING(001_vec_add), LOWERED, .run = vec_add, .axes = { COPY }, .mutants = { FEWER },
      .breaches = { { "no-fence", "no proxy fence before the store", .kernel = "no_fence" } } },
    { CK_LISTING(001_edge_safe), .run = edge_safe, .axes = { TILE, LENGTHS }, .mutants = { SHORTER } },
    { CK_LISTING(001_edge_safe), LOWERED, .run = edge_safe, .axes = { COPY, LENGTHS },
      .mutants = { SHORTER, { "unmasked", "store one element more", .kernel = "unmasked", .only = "n=1/100/257" } } },
    { CK_LISTING(001_vec_add_gather), .run = vec_add_gather, .axes = { TILE, { "blocks", "1 2 5" } },
      .mutants = { FEWER_OF_MANY } },
    { CK_LISTING(001_vec_add_gather), LOWERED, .run = vec_add_gather, .axes = { COPY, { "blocks", "1 2 5" } },
      .mutants = { FEWER_OF_MANY },
      .breaches = { { "no-wait", "add before the copies have come", .kernel = "no_wait", .varies = true } } },
    { CK_LISTING(001_gather_safe), .run = gather_safe, .axes = { TILE, SHORT }, .mutants = { SHORTER } },
    { CK_LISTING(001_gather_safe), LOWERED, .run = gather_safe, .axes = { COPY, SHORT },
      .mutants = { SHORTER,
                   { "unmasked", "store every lane's element", .kernel = "unmasked", .only = "n=1/9/33/60" } } },
    { CK_LISTING(001_tile_sum), .run = tile_sum, .axes = { TILE, { "tiles", "0 1 2 7 20" } },
      .mutants = { FEWER_OF_SUM } },
    { CK_LISTING(001_tile_sum), LOWERED, .run = tile_sum, .axes = { COPY, { "tiles", "0 1 2 7 20" } },
      .mutants = { FEWER_OF_SUM },
      .breaches = { { "no-meeting", "load a box while others may still read it", .kernel = "no_meeting",
                      .only = "tiles=7", .varies = true } } },
    { CK_LISTING(001_conditional_load), .run = conditional_load, .axes = { TILE, SHORT }, .mutants = { SHORTER } },
    { CK_LISTING(001_conditional_load), LOWERED, .run = conditional_load, .axes = { COPY, SHORT },
      .mutants = { SHORTER },
      .breaches = { { "no-fence", "zeros are not ordered before the load that overwrites them", .kernel = "no_fence",
                      .only = "n=17/60", .varies = true } } },
    { 0 }
};

const struct ck_suite listings_001 = { "listings-001", cases };
// SPDX-License-Identifier: Apache-2.0
