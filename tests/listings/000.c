/* The listings of the notes 000: TMA from CUDA C++. */
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
        .box = { 16, ck_variant(t, "lower") ? 4 : 8 },
        .element_strides = { (uint32_t)ck_int(t, "step"), 1 },
        .interleave = TENSOR_INTERLEAVE_NONE,
        .swizzle = TENSOR_SWIZZLE_NONE,
        .l2 = TENSOR_L2_NONE,
        .fill = TENSOR_FILL_NONE, /* outside is zero */
    };
    const struct ck_buf array = ck_input(t, (width * 4 + 15) / 16 * 16 * height), out = ck_output(t, 512);
    struct ck_tmap map;

    ck_encode(t, &call, array, &map);
    launch_tile_2d(t, &map, 0, 0, out);
    ck_equal(t, out, tile_of(t, &call, array, 0, 0));
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

static const struct ck_case cases[] = {
    { CK_LISTING(000_rmw_1d), .run = rmw_1d, .axes = { { "blocks", "1 2 5" }, { "threads", "32 96 256 1024" } },
      .mutants = { { "fewer", "launch a block fewer", .only = "blocks=2/5" } },
      .breaches = { { "no-wait", "meet at __syncthreads, which waits for threads and not for copies",
                      .kernel = "no_wait", .only = "blocks=1", .varies = true },
                    { "no-fence", "no proxy fence before the store", .kernel = "no_fence", .only = "blocks=1" },
                    { "no-read-wait", "end before the store has read the tile", .kernel = "no_read_wait",
                      .only = "blocks=1" },
                    { "one-fence", "only thread 0 fences", .kernel = "one_fence", .only = "blocks=1" } } },
    { CK_LISTING(000_encode_2d), .run = encode_2d,
      .axes = { { "width", "16 19 64" }, { "height", "5 8 20" }, { "step", "1 2" } },
      .mutants = { { "stride", "a distance of rows that is no multiple of 16" }, { "lower", "a box of 4 rows" } } },
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
