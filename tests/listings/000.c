/* The listings of the notes 000: TMA from CUDA C++. */
#include <stdio.h>
#include <string.h>

#include "expected/oracle.h"
#include "tests/listings/page.h"

/* Blocks of 1024 numbers: each number is 1 more afterwards. */
static void rmw_1d(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    const struct ck_buf data = ck_input(t, (size_t)blocks * 4096);
    unsigned char *want = ck_alloc(t, data.size);
    struct {
        uint64_t data;
    } a = { data.device };

    for (size_t i = 0; i < data.size; i += 4) {
        uint32_t number;
        memcpy(&number, data.host + i, 4);
        number++;
        memcpy(want + i, &number, 4);
    }
    PAGE_LAUNCH(t, "rmw_1d", ck_variant(t, "fewer") ? blocks - 1 : blocks, ck_int(t, "threads"), a);
    ck_equal(t, data, want);
}

/* The tile of 16 x 8 numbers at (x, y) of an array: a number outside is 0. */
static unsigned char *tile_of(struct ck *t, const struct tensor_map *map, struct ck_buf array, int32_t x, int32_t y)
{
    unsigned char *tile = ck_alloc(t, 512);

    oracle_tile_load(map, array.host, (const int32_t[TENSOR_CORNER]){ x, y }, tile, 0);
    return tile;
}

static void launch_tile_2d(struct ck *t, const struct ck_tmap *map, int32_t x, int32_t y, struct ck_buf out)
{
    struct {
        struct ck_tmap map;
        int32_t x, y;
        uint64_t out;
    } a = { *map, x, y, out.device };

    PAGE_LAUNCH(t, "tile_2d", 1, 32, a);
}

/* listing.000.encode-2d: the tensor map of an array of 32-bit integers, width x height, and of tiles of 16 x 8. The
 * fastest dimension comes first. The distance of two rows is in bytes, a multiple of 16; so a row may need padding.
 * An element stride of 2 in dimension 0 would not load every second number: there it is ignored. */
static void encode_2d(struct ck *t)
{
    const uint64_t width = (uint64_t)ck_int(t, "width"), height = (uint64_t)ck_int(t, "height");
    const struct tensor_map call = {
        .type = TENSOR_S32, /* CU_TENSOR_MAP_DATA_TYPE_INT32 */
        .rank = 2,
        .dims = { width, height },
        .strides = { (width * 4 + 15) / 16 * 16 + (ck_variant(t, "stride") ? 8 : 0) },
        .box = { 16, 8 },
        .element_strides = { (uint32_t)ck_int(t, "step"), 1 },
        .interleave = TENSOR_INTERLEAVE_NONE,
        .swizzle = TENSOR_SWIZZLE_NONE,
        .l2 = TENSOR_L2_NONE,
        .fill = TENSOR_FILL_NONE, /* outside is zero */
    };
    const struct ck_buf array = ck_input(t, (width * 4 + 15) / 16 * 16 * height), out = ck_output(t, 512);
    struct ck_tmap map;

    ck_encode(t, &call, array, &map);
    launch_tile_2d(t, &map, ck_variant(t, "right") ? 4 : 0, 0, out);
    ck_equal(t, out, tile_of(t, &call, array, 0, 0));
}

/* listing.000.get-encode-fn: cuTensorMapEncodeTiled by its name, as cudaGetDriverEntryPointByVersion finds it for a
 * version of CUDA. The version says which signature is meant: there is one since 12000. Both the result of the call and
 * the status that it gives must be looked at; where the status is not "success", there is no function. */
static void get_encode_fn(struct ck *t)
{
    const struct tensor_map words = page_call(t, "type=s32 rank=2 dims=50x30 strides=208 box=16x8");
    const struct ck_buf array = ck_input(t, 208 * 30), out = ck_output(t, 512);
    struct tensor_map call = words;
    _Alignas(128) struct ck_tmap map = { 0 };

    call.address = array.device;
    if (!ck_expect(t, "cuTensorMapEncodeTiled",
                   (uint64_t)ck_encode_through(t, "cuTensorMapEncodeTiled", (int)ck_int(t, "version"), &call, &map), 0))
        return;
    launch_tile_2d(t, &map, 4, 5, out);
    ck_equal(t, out, tile_of(t, &words, array, 4, 5));
}

/* Tiles inside the array, over each of its edges, and outside it. */
static void tile_2d(struct ck *t)
{
    const struct tensor_map call = page_call(t, "type=s32 rank=2 dims=50x30 strides=208 box=16x8");
    const struct ck_buf array = ck_input(t, 208 * 30), out = ck_output(t, 512);
    const int32_t x = (int32_t)ck_int(t, "x"), y = (int32_t)ck_int(t, "y");
    struct ck_tmap map;

    ck_encode(t, &call, array, &map);
    launch_tile_2d(t, &map, x, ck_variant(t, "below") ? y + 1 : y, out);
    ck_equal(t, out, tile_of(t, &call, array, x, y));
}

/* The matrix comes out transposed: piece (row, column) is that of (column, row). */
static void transpose_swizzle(struct ck *t)
{
    const char *const call = "type=s32 rank=2 dims=32x8 strides=128 box=32x8 swizzle=128B";
    const struct ck_buf in = ck_input(t, 1024), out = ck_output(t, 1024);
    unsigned char *want = ck_alloc(t, 1024);
    struct {
        struct ck_tmap in, out;
    } a = { page_map(t, call, in), page_map(t, call, out) };

    for (size_t row = 0; row < 8; row++)
        for (size_t column = 0; column < 8; column++)
            memcpy(want + (row * 8 + column) * 16, in.host + (column * 8 + row) * 16, 16);
    PAGE_LAUNCH(t, "transpose_swizzle", 1, 8, a);
    ck_equal(t, out, want);
}

/* The three ways to load, and the store, copy blocks of 1024 numbers. */
static void copy_1d_variants(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    const struct ck_buf in = ck_input(t, (size_t)blocks * 4096), out = ck_output(t, in.size);
    struct {
        uint64_t in, out;
        int32_t way;
    } a = { in.device, out.device, ck_is(t, "way", "memcpy_async") ? 0 : ck_is(t, "way", "memcpy_async_tx") ? 1 : 2 };

    PAGE_LAUNCH(t, "copy_1d_variants", ck_variant(t, "fewer") ? blocks - 1 : blocks, ck_int(t, "threads"), a);
    ck_equal(t, out, in.host);
}

/* To each number of batch b the kernel adds b: so a batch that came too late, or twice, shows. */
static void prefetch_stages(struct ck *t)
{
    const uint32_t batches = (uint32_t)ck_int(t, "batches");
    const struct ck_buf in = ck_input(t, batches * 1024), out = ck_output(t, in.size);
    unsigned char *want = ck_alloc(t, in.size);
    struct {
        uint64_t in, out;
        uint32_t batches;
    } a = { in.device, out.device, ck_variant(t, "fewer") ? batches - 1 : batches };

    for (uint32_t i = 0; i < batches * 256; i++) {
        uint32_t number;
        memcpy(&number, in.host + i * 4, 4);
        number += i / 256;
        memcpy(want + i * 4, &number, 4);
    }
    PAGE_LAUNCH(t, "prefetch_stages", 1, ck_int(t, "threads"), a);
    ck_equal(t, out, want);
}

/* Tiles of 16 lines at each multiple of 128 bytes: the formula finds every piece of 16 bytes. A line holds a row of the
 * box, or two, or four. */
static void swizzle_offset(struct ck *t)
{
    const uint32_t span = (uint32_t)ck_int(t, "span");
    const struct ck_buf in = ck_input(t, 2048), out = ck_output(t, 2048);
    char words[128];
    struct {
        struct ck_tmap map;
        int32_t start, n;
        uint64_t out;
    } a = { .start = (int32_t)ck_int(t, "start"), .n = (int32_t)span / 16, .out = out.device };

    snprintf(words, sizeof words, "type=u8 rank=2 dims=%ux%u strides=%u box=%ux%u swizzle=%uB", span, 2048 / span, span,
             span, 2048 / span, span);
    a.map = page_map(t, words, in);
    PAGE_LAUNCH(t, "swizzle_offset", 1, 32, a);
    ck_equal(t, out, in.host); /* a tile is as wide as the tensor: its pieces are in the order of the tensor */
}

/* Each way gives the blocks the same map; each block loads its own tile by it. */
static void pass_map(struct ck *t)
{
    const struct tensor_map call = page_call(t, "type=s32 rank=2 dims=64x8 strides=256 box=16x8");
    const struct ck_buf array = ck_input(t, 2048), object = ck_output(t, 128), out = ck_output(t, 2048);
    unsigned char *want = ck_alloc(t, 2048);
    struct ck_tmap map;
    struct {
        struct ck_tmap map;
        uint64_t out;
    } by_parameter = { .out = out.device };
    struct {
        uint64_t map, out;
    } by_pointer = { object.device, out.device };
    struct {
        uint64_t out;
    } by_constant = { out.device };

    for (int32_t block = 0; block < 4; block++)
        memcpy(want + block * 512, tile_of(t, &call, array, block * 16, 0), 512);
    ck_encode(t, &call, array, &map);
    if (ck_is(t, "way", "parameter")) {
        by_parameter.map = map;
        PAGE_LAUNCH(t, "pass_map_parameter", ck_variant(t, "fewer") ? 3 : 4, 32, by_parameter);
    } else if (ck_is(t, "way", "global")) {
        ck_no_digest(t);                /* the map is among the bytes, and has an address in it */
        memcpy(object.host, &map, 128); /* cudaMemcpy to memory of cudaMalloc */
        ck_changed(t, object);
        PAGE_LAUNCH(t, "pass_map_global", ck_variant(t, "fewer") ? 3 : 4, 32, by_pointer);
    } else {
        ck_launch(t, &(struct ck_launch){ .kernel = "pass_map_constant",
                                          .grid = { ck_variant(t, "fewer") ? 3 : 4 },
                                          .block = { 32 },
                                          .args = &by_constant,
                                          .size = sizeof by_constant,
                                          .plain = true,
                                          .constant = "constant_map", /* cudaMemcpyToSymbol */
                                          .constant_bytes = &map,
                                          .constant_size = sizeof map });
    }
    ck_equal(t, out, want);
}

/* listing.000.template: a map to begin with on the device. Which tensor it names does not matter: the smallest legal
 * one is a row of 16 bytes. The device replaces address, rank, sizes, stride, box and type. */
static struct ck_tmap make_template(struct ck *t, struct ck_buf any)
{
    const struct tensor_map call = {
        .type = TENSOR_U8, .rank = 1, .dims = { 16 }, .box = { 16 }, .element_strides = { 1 }
    };
    struct ck_tmap map;

    ck_encode(t, &call, any, &map);
    return map;
}

/* A kernel makes the map of an array, from a template or from zeros, and the next one loads a tile by it. */
static void encode_and_consume(struct ck *t, const struct ck_tmap *from)
{
    const uint32_t width = (uint32_t)ck_int(t, "width"), height = (uint32_t)ck_int(t, "height");
    const uint64_t pitch = (width * 4 + 15) / 16 * 16;
    const struct tensor_map call = { .type = TENSOR_S32,
                                     .rank = 2,
                                     .dims = { width, height },
                                     .strides = { pitch },
                                     .box = { 16, 8 },
                                     .element_strides = { 1, 1 } };
    const struct ck_buf array = ck_input(t, pitch * height), map = ck_output(t, 128), out = ck_output(t, 512);
    struct {
        struct ck_tmap from;
        uint64_t address;
        uint32_t width, height;
        uint64_t pitch, out;
    } encode = { *from, array.device, width, height, pitch, map.device };
    struct {
        uint64_t map;
        int32_t x, y;
        uint64_t out;
    } consume = { map.device, 0, -2, out.device };

    ck_no_digest(t); /* the map is among the bytes, and has an address in it */
    if (ck_variant(t, "narrow"))
        encode.width -= 4;
    PAGE_LAUNCH(t, "encode_device", 1, 32, encode);
    PAGE_LAUNCH(t, ck_variant(t, "no-acquire") ? "consume_device__no_acquire" : "consume_device", 1, 32, consume);
    ck_equal(t, out, tile_of(t, &call, array, 0, -2));
}

/* A map that the device made: a tile of the array, zero outside. On sm_90a a template of zero bytes does as well. */
static void made_on_device(struct ck *t)
{
    const struct ck_tmap from = make_template(t, ck_input(t, 16)), zeros = { 0 };

    encode_and_consume(t, ck_is(t, "from", "zeros") ? &zeros : &from);
}

static const struct ck_case cases[] = {
    { CK_LISTING(000_rmw_1d), .run = rmw_1d, .axes = { { "blocks", "1 2 5" }, { "threads", "32 96 256 1024" } },
      .mutants = { { "fewer", "launch a block fewer", .only = "blocks=2/5" } },
      .breaches = { { "early", "meet at __syncthreads, which waits for threads and not for copies, and wait at the end",
                      .kernel = "early", .only = "blocks=1", .varies = true },
                    { "no-fence", "no proxy fence before the store", .kernel = "no_fence", .only = "blocks=1" },
                    { "no-read-wait", "end before the store has read the tile", .kernel = "no_read_wait",
                      .only = "blocks=1" },
                    { "one-fence", "only thread 0 fences", .kernel = "one_fence", .only = "blocks=1" } } },
    { CK_LISTING(000_copy_1d_variants), .run = copy_1d_variants,
      .axes = { { "way", "memcpy_async memcpy_async_tx cp_async_bulk" },
                { "blocks", "1 3" },
                { "threads", "32 128 1024" } },
      .mutants = { { "fewer", "launch a block fewer", .only = "blocks=3" } },
      .breaches = { { "early", "meet at __syncthreads, which waits for threads and not for copies, and wait at the end",
                      .kernel = "early", .only = "blocks=1", .varies = true } } },
    { CK_LISTING(000_prefetch_stages), .run = prefetch_stages,
      .axes = { { "batches", "1..12" }, { "threads", "32 256" } },
      .mutants = { { "fewer", "leave out the last batch" } },
      .breaches = { { "no-meeting", "fill a buffer again while others may still read it", .kernel = "no_meeting",
                      .only = "batches=5 threads=256", .varies = true } } },
    { CK_LISTING(000_template), .run = made_on_device,
      .axes = { { "from", "=template" }, { "width", "12 16" }, { "height", "5 30" } },
      .mutants = { { "narrow", "give a width that is 4 less" } } },
    { CK_LISTING(000_encode_device), .run = made_on_device,
      .axes = { { "from", "template zeros" }, { "width", "13 16 4096" }, { "height", "5 30" } },
      .mutants = { { "narrow", "give a width that is 4 less", .only = "width=16" } } },
    { CK_LISTING(000_consume_device), .run = made_on_device,
      .axes = { { "from", "=template" }, { "width", "15 64" }, { "height", "8 30" } },
      .mutants = { { "narrow", "give a width that is 4 less", .only = "width=15" } },
      .breaches = { { "no-acquire", "use the map without an acquire", .varies = true } } },
    { CK_LISTING(000_swizzle_offset), .run = swizzle_offset,
      .axes = { { "span", "32 64 128" }, { "start", "0 128 256 384 512 640 768 896" } },
      .mutants = { { "from-start", "take the pattern to begin with the buffer", .kernel = "from_start",
                     .only = "start=128/384/640/896" } } },
    { CK_LISTING(000_pass_map), .run = pass_map, .axes = { { "way", "parameter constant global" } },
      .mutants = { { "fewer", "launch a block fewer" } },
      .breaches = { { "no-acquire", "use the map without an acquire", .kernel = "no_acquire", .only = "way=global",
                      .varies = true },
                    { "one-block", "only block 0 acquires it", .kernel = "one_block", .only = "way=global",
                      .varies = true } } },
    { CK_LISTING(000_encode_2d), .run = encode_2d,
      .axes = { { "width", "16 19 64" }, { "height", "5 8 20" }, { "step", "1 2" } },
      .mutants = { { "stride", "a distance of rows that is no multiple of 16" },
                   { "right", "load the tile beside" } } },
    { CK_LISTING(000_get_encode_fn), .run = get_encode_fn, .axes = { { "version", "12000 12010 12080" } },
      .mutants = { { "before", "ask for a version that has no such function", .set = "version=11080" } } },
    { CK_LISTING(000_tile_2d), .run = tile_2d, .axes = { { "x", "-12 -4 0 4 20 40 52" }, { "y", "-8 -3 0 7 25 30" } },
      .mutants = { { "below", "load the tile a row below", .only = "x=0/20 y=0/7" } },
      .breaches = { { "unguarded", "every thread issues the load, and announces it", .kernel = "unguarded",
                      .only = "x=0 y=0" } } },
    { CK_LISTING(000_transpose_swizzle), .run = transpose_swizzle,
      .mutants = { { "plain", "index the tiles as if they were not swizzled", .kernel = "plain" } },
      .breaches = { { "no-fence", "no proxy fence before the store", .kernel = "no_fence" } } },
    { 0 }
};

const struct ck_suite listings_000 = { "listings-000", cases };
// SPDX-License-Identifier: Apache-2.0
