/* The listings of the notes 004, second half: tensor maps, loads by them, copies in bulk, and barriers. */
#include <string.h>

#include "expected/oracle.h"
#include "tests/listings/numbers.h"
#include "tests/listings/page.h"

/* ---- how a map comes to a kernel ---- */

/* The call for a matrix of numbers whose rows lie close, in boxes of 32 x 32. */
static struct tensor_map matrix_call(int64_t width, int64_t height)
{
    return (struct tensor_map){ .type = TENSOR_S32,
                                .rank = 2,
                                .dims = { (uint64_t)width, (uint64_t)height },
                                .strides = { (uint64_t)width * 4 },
                                .box = { 32, 32 },
                                .element_strides = { 1, 1 } };
}

static struct ck_tmap matrix_map(struct ck *t, int64_t width, int64_t height, struct ck_buf matrix)
{
    const struct tensor_map call = matrix_call(width, height);
    struct ck_tmap map;

    ck_encode(t, &call, matrix, &map);
    return map;
}

/* The boxes of 32 x 32 numbers that begin at (x, y), (x + 32, y) and so on. */
static unsigned char *boxes(struct ck *t, const struct tensor_map *call, struct ck_buf matrix, int32_t x, int32_t y,
                            int32_t count)
{
    unsigned char *const want = ck_alloc(t, (size_t)count * 4096);

    for (int32_t i = 0; i < count; i++)
        oracle_tile_load(call, matrix.host, (const int32_t[TENSOR_CORNER]){ x + 32 * i, y }, want + 4096 * i, 0);
    return want;
}

struct tiles {
    int64_t across, down;
    struct ck_buf matrix, out;
};

static struct tiles tiles(struct ck *t)
{
    const int64_t across = ck_int(t, "across"), down = ck_int(t, "down");
    const size_t size = (size_t)(across * down) * 4096;

    return (struct tiles){ across, down, ck_input(t, size), ck_output(t, size) };
}

static void launch_tiles(struct ck *t, const struct tiles *m, struct ck_launch launch)
{
    launch.grid[0] = (uint32_t)m->across;
    launch.grid[1] = (uint32_t)m->down;
    launch.block[0] = 64;
    launch.plain = true;
    ck_launch(t, &launch);
}

/* A block a tile: the matrix comes out as it is. */
static void pass_param(struct ck *t)
{
    const struct tiles m = tiles(t);
    struct {
        struct ck_tmap map;
        uint64_t out;
    } a = { matrix_map(t, m.across * 32, m.down * 32, m.matrix), m.out.device };

    launch_tiles(t, &m, (struct ck_launch){ .kernel = "pass_param", .args = &a, .size = sizeof a });
    ck_equal(t, m.out, m.matrix.host);
}

/* It comes out transposed. */
static void pass_constant(struct ck *t)
{
    const struct tiles m = tiles(t);
    const size_t width = (size_t)m.across * 32, height = (size_t)m.down * 32;
    const struct ck_tmap map = matrix_map(t, m.across * 32, m.down * 32, m.matrix);
    unsigned char *const want = ck_alloc(t, m.matrix.size);
    struct {
        uint64_t out;
    } a = { m.out.device };

    for (size_t i = 0; i < width * height; i++)
        set_number(want, i % width * height + i / width, number_at(m.matrix, i));
    launch_tiles(t, &m,
                 (struct ck_launch){ .kernel = "pass_constant",
                                     .args = &a,
                                     .size = sizeof a,
                                     .constant = "matrix_map", /* cudaMemcpyToSymbol */
                                     .constant_bytes = &map,
                                     .constant_size = sizeof map });
    ck_equal(t, m.out, want);
}

/* It comes out as it is. */
static void pass_global(struct ck *t)
{
    const struct tiles m = tiles(t);
    const struct ck_buf object = ck_output(t, 128);
    const struct ck_tmap map = matrix_map(t, m.across * 32, m.down * 32, m.matrix);
    struct {
        uint64_t map, out;
    } a = { object.device, m.out.device };

    ck_no_digest(t);                /* the map is among the bytes, and has an address in it */
    memcpy(object.host, &map, 128); /* cudaMemcpy to memory of cudaMalloc */
    ck_changed(t, object);
    launch_tiles(t, &m, (struct ck_launch){ .kernel = "pass_global", .args = &a, .size = sizeof a });
    ck_equal(t, m.out, m.matrix.host);
}

/* The tiles of a row of tiles come out, one after another. */
static void prefetch_tensormap(struct ck *t)
{
    const int32_t blocks = (int32_t)ck_int(t, "blocks");
    const struct ck_buf matrix = ck_input(t, (size_t)blocks * 4096), out = ck_output(t, matrix.size);
    const struct tensor_map call = matrix_call(blocks * 32, 32);
    const struct ck_tmap map = matrix_map(t, blocks * 32, 32, matrix);
    struct {
        uint64_t out;
    } a = { out.device };

    ck_launch(t, &(struct ck_launch){ .kernel = "prefetch_tensormap",
                                      .grid = { (uint32_t)blocks },
                                      .block = { 64 },
                                      .args = &a,
                                      .size = sizeof a,
                                      .plain = true,
                                      .constant = "prefetched_map",
                                      .constant_bytes = &map,
                                      .constant_size = sizeof map });
    ck_equal(t, out, boxes(t, &call, matrix, 0, 0, blocks));
}

/* ---- what the host encodes ---- */

/* Launches a kernel whose parameters are (map, int x, int y, int *out). */
static void launch_at(struct ck *t, const char *kernel, int64_t threads, const struct ck_tmap *map, int32_t x,
                      int32_t y, struct ck_buf out)
{
    struct {
        struct ck_tmap map;
        int32_t x, y;
        uint64_t out;
    } a = { *map, x, y, out.device };

    PAGE_LAUNCH(t, kernel, 1, threads, a);
}

/* listing.004.tmap-opaque: a CUtensorMap is 128 bytes, and what is in them is not documented. It
 * has no members for address, sizes or box: the driver fills it, the host passes it on whole. */
static void tmap_opaque(struct ck *t)
{
    const struct ck_buf matrix = ck_input(t, 64 * 64 * 4), out = ck_output(t, 4096);
    const struct tensor_map call = matrix_call(64, 64);
    struct ck_tmap map, copy; /* CUtensorMap */

    ck_encode(t, &call, matrix, &map); /* cuTensorMapEncodeTiled(&map, ...) */
    memcpy(&copy, &map, sizeof map);
    launch_at(t, "coords_1024", 64, &copy, ck_variant(t, "beside") ? 0 : 32, 16, out);
    ck_equal(t, out, boxes(t, &call, matrix, 32, 16, 1));
}

/* listing.004.encode-pseudo: the arguments of cuTensorMapEncodeTiled, in their order. Of a
 * matrix with so many rows and columns of float:
 *
 *     base     the address, a multiple of 16
 *     dims     { columns, rows }       the dimension that lies together comes first
 *     strides  { bytes of a row }      one fewer than dimensions; bytes, a multiple of 16
 *     box      { columns, rows } of a tile
 *
 * Distances are in bytes, sizes in elements: a stride in elements would be a fourth of it. */
static void encode_pseudo(struct ck *t)
{
    const uint64_t rows = (uint64_t)ck_int(t, "rows"), columns = (uint64_t)ck_int(t, "columns");
    const uint64_t pitch = (columns * 4 + 15) / 16 * 16;
    const struct ck_buf matrix = ck_input(t, rows * pitch), out = ck_output(t, 4096);
    const struct tensor_map call = {
        .type = TENSOR_F32, /* CU_TENSOR_MAP_DATA_TYPE_FLOAT32 */
        .rank = 2,
        .dims = { columns, rows },
        .strides = { ck_variant(t, "elements") ? pitch / 4 : pitch },
        .box = { 32, 32 },
        .element_strides = { 1, 1 },
        .interleave = TENSOR_INTERLEAVE_NONE,
        .swizzle = TENSOR_SWIZZLE_NONE,
        .l2 = TENSOR_L2_NONE,
        .fill = TENSOR_FILL_NONE,
    };
    struct tensor_map meant = call;
    struct ck_tmap map;

    meant.strides[0] = pitch;
    ck_encode(t, &call, matrix, &map);
    launch_at(t, "coords_1024", 64, &map, 0, 1, out);
    ck_equal(t, out, boxes(t, &meant, matrix, 0, 1, 1));
}

/* listing.004.encode-swizzle: the swizzle is an argument of the call, and the kernel has to know
 * it. A row of the box is at most as long as the span: 128 bytes, here 32 numbers.
 *
 *     CU_TENSOR_MAP_SWIZZLE_128B   16 bytes of column x in row y lie at column x ^ (y % 8)
 *
 * The kernel undoes it where it reads: with n = 8 lines in the pattern. */
static void encode_swizzle(struct ck *t)
{
    const uint64_t columns = (uint64_t)ck_int(t, "columns");
    const struct ck_buf matrix = ck_input(t, columns * 4 * 16), out = ck_output(t, 2048);
    const struct tensor_map call = {
        .type = TENSOR_S32,
        .rank = 2,
        .dims = { columns, 16 },
        .strides = { columns * 4 },
        .box = { 32, 16 },
        .element_strides = { 1, 1 },
        .swizzle = ck_variant(t, "none") ? TENSOR_SWIZZLE_NONE : TENSOR_SWIZZLE_128B,
    };
    unsigned char *const want = ck_alloc(t, 2048);
    struct {
        struct ck_tmap map;
        int32_t start, n;
        uint64_t out;
    } a = { .n = 8, .out = out.device };

    ck_encode(t, &call, matrix, &a.map);
    for (size_t row = 0; row < 16; row++)
        memcpy(want + row * 128, matrix.host + row * columns * 4, columns < 32 ? columns * 4 : 128);
    ck_launch(
        t,
        &(struct ck_launch){
            .kernel = "swizzle_offset", .block = { 32 }, .smem = 2048, .args = &a, .size = sizeof a, .plain = true });
    ck_equal(t, out, want);
}

/* ---- loads by a map ---- */

/* The box of 32 x 32 numbers at a place of a matrix of 1024 x 1024. */
static void coords_1024(struct ck *t)
{
    const int32_t column = (int32_t)ck_int(t, "column"), row = (int32_t)ck_int(t, "row");
    const struct ck_buf matrix = ck_input(t, (size_t)1024 * 1024 * 4), out = ck_output(t, 4096);
    const struct tensor_map call = matrix_call(1024, 1024);
    const struct ck_tmap map = matrix_map(t, 1024, 1024, matrix);

    launch_at(t, "coords_1024", 128, &map, column, row, out);
    ck_equal(t, out, boxes(t, &call, matrix, column, row, 1));
}

/* The sums of the four neighbours of the inner numbers of a box. */
static void coords_negative(struct ck *t)
{
    const int32_t x = (int32_t)ck_int(t, "x"), y = (int32_t)ck_int(t, "y");
    const struct ck_buf matrix = ck_input(t, (size_t)100 * 400), out = ck_output(t, 900 * 4);
    const struct tensor_map call = matrix_call(100, 100);
    const struct ck_tmap map = matrix_map(t, 100, 100, matrix);
    const struct ck_buf box = { .host = boxes(t, &call, matrix, x, y, 1), .size = 4096 };
    unsigned char *const want = ck_alloc(t, 900 * 4);

    for (size_t i = 0; i < 900; i++) {
        const size_t at = (1 + i / 30) * 32 + 1 + i % 30;
        set_number(want, i,
                   number_at(box, at - 32) + number_at(box, at + 32) + number_at(box, at - 1) + number_at(box, at + 1));
    }
    launch_at(t, "coords_negative", 128, &map, x, y, out);
    ck_equal(t, out, want);
}

/* One box or two of a matrix of 100 x 60, by PTX. */
static void by_ptx(struct ck *t, const char *kernel, int32_t count)
{
    const int32_t x = (int32_t)ck_int(t, "x"), y = (int32_t)ck_int(t, "y");
    const struct ck_buf matrix =
        ck_is(t, "source", "far") ? ck_slow_input(t, (size_t)400 * 60) : ck_input(t, (size_t)400 * 60);
    const struct ck_buf out = ck_output(t, (size_t)count * 4096);
    const struct tensor_map call = matrix_call(100, 60);
    const struct ck_tmap map = matrix_map(t, 100, 60, matrix);
    unsigned char *const want = boxes(t, &call, matrix, x, y, count);
    unsigned char *const rows = ck_alloc(t, out.size);

    for (int32_t row = 0; row < 32; row++)
        for (int32_t i = 0; i < count; i++)
            memcpy(rows + (row * count + i) * 128, want + i * 4096 + row * 128, 128);
    launch_at(t, kernel, 64, &map, x, y, out);
    ck_equal(t, out, rows);
}

/* One box. */
static void ptx_2d(struct ck *t)
{
    by_ptx(t, "ptx_2d", 1);
}

/* Two boxes, side by side. */
static void complete_tx_ptx(struct ck *t)
{
    by_ptx(t, "complete_tx_ptx", 2);
}

/* Boxes from 16 numbers before the matrix on; each row of them is turned round. */
static void expect_flow(struct ck *t)
{
    const int32_t count = (int32_t)ck_int(t, "tiles");
    const struct ck_buf matrix = ck_input(t, (size_t)400 * 32), out = ck_output(t, (size_t)count * 4096);
    const struct tensor_map call = matrix_call(100, 32);
    const struct ck_buf want = { .host = boxes(t, &call, matrix, -16, 0, count), .size = out.size };
    struct {
        struct ck_tmap map;
        int32_t tiles;
        uint64_t out;
    } a = { matrix_map(t, 100, 32, matrix), count, out.device };

    PAGE_LAUNCH(t, "expect_flow", 1, ck_int(t, "threads"), a);
    ck_equal(t, out, numbers_turned(t, want, 32));
}

/* ---- copies in bulk, and barriers ---- */

/* 256 numbers come out from the last one to the first one. */
static void turned(struct ck *t, const char *kernel)
{
    const struct ck_buf in = ck_is(t, "source", "far") ? ck_slow_input(t, 1024) : ck_input(t, 1024);
    const struct ck_buf out = ck_output(t, 1024);

    page_numbers(t, kernel, 1, ck_int(t, "threads"), in, out);
    ck_equal(t, out, numbers_turned(t, in, 256));
}

/* By both kinds of size, 256 numbers come out from the last one to the first one. */
static void option1(struct ck *t)
{
    const struct ck_buf in = ck_is(t, "source", "far") ? ck_slow_input(t, 1024) : ck_input(t, 1024);
    const struct ck_buf out = ck_output(t, 1024);

    page_numbers_n(t, "option1_memcpy_async", 1, ck_int(t, "threads"), in, out, ck_is(t, "size", "aligned"));
    ck_equal(t, out, numbers_turned(t, in, 256));
}

/* The same by a copy that is always in bulk. */
static void option2(struct ck *t)
{
    turned(t, "option2_memcpy_async_tx");
}

/* The same by the instruction. */
static void option3(struct ck *t)
{
    turned(t, "option3_cp_async_bulk");
}

/* The same with bytes that are announced apart. */
static void transaction_api(struct ck *t)
{
    turned(t, "transaction_api");
}

/* The four pieces come out from the last one to the first one, each as it is. */
static void transaction_pseudo(struct ck *t)
{
    const struct ck_buf in = ck_is(t, "source", "far") ? ck_slow_input(t, 4096) : ck_input(t, 4096);
    const struct ck_buf out = ck_output(t, 4096);
    unsigned char *const want = ck_alloc(t, 4096);

    for (size_t stage = 0; stage < 4; stage++)
        memcpy(want + stage * 1024, in.host + (3 - stage) * 1024, 1024);
    page_numbers(t, "transaction_pseudo", 1, ck_int(t, "threads"), in, out);
    ck_equal(t, out, want);
}

/* n numbers come out doubled; what is behind them stays as it was. */
static void doubled(struct ck *t, const char *kernel, bool turn)
{
    const size_t n = (size_t)ck_int(t, "n");
    const struct ck_buf in = ck_input(t, n * 4), out = ck_output(t, (n + 255) / 256 * 1024);
    unsigned char *const want = ck_alloc(t, out.size);

    memset(want, CK_POISON, out.size);
    for (size_t i = 0; i < n; i++) {
        const size_t first = i / 256 * 256, count = n - first < 256 ? n - first : 256;
        set_number(want, i, 2 * number_at(in, turn ? first + count - 1 - (i - first) : i));
    }
    page_numbers_n(t, kernel, ((int64_t)n + 255) / 256, ck_int(t, "threads"), in, out, (int64_t)n);
    ck_equal(t, out, want);
}

/* n is a multiple of 4. */
static void tma_1d(struct ck *t)
{
    doubled(t, "tma_1d_bulk_example", false);
}

/* n is any number; the numbers of each block come out turned round. */
static void mbarrier_example(struct ck *t)
{
    doubled(t, "mbarrier_example", true);
}

/* Each round stores numbers of its own. */
static void wait_group_read(struct ck *t)
{
    const size_t rounds = (size_t)ck_int(t, "rounds");
    const struct ck_buf out = ck_output(t, rounds * 1024);
    unsigned char *const want = ck_alloc(t, out.size);
    struct {
        uint64_t out;
        int32_t rounds;
    } a = { out.device, (int32_t)rounds };

    for (size_t i = 0; i < rounds * 256; i++)
        set_number(want, i, (uint32_t)(i / 256 * 1000 + i % 256));
    PAGE_LAUNCH(t, "wait_group_read", 1, ck_int(t, "threads"), a);
    ck_equal(t, out, want);
}

#define THREADS                                                                                                        \
    {                                                                                                                  \
        "threads", "1..9 31 32 33 64 96 128 255 256 257 512 1024"                                                      \
    }
#define SOURCE                                                                                                         \
    {                                                                                                                  \
        "source", "near far"                                                                                           \
    }
#define TILES                                                                                                          \
    { "across", "1 2 3" },                                                                                             \
    {                                                                                                                  \
        "down", "1 2 4"                                                                                                \
    }
#define STRAIGHT                                                                                                       \
    {                                                                                                                  \
        "straight", "read the numbers in their order", .kernel = "straight"                                            \
    }
#define EARLY(points)                                                                                                  \
    {                                                                                                                  \
        "early", "meet at a barrier of the block, and wait for the copy at the end", .kernel = "early",                \
                                                                                     .only = points, .varies = true    \
    }

static const struct ck_case cases[] = {
    /* ---- tensor maps ---- */
    { CK_LISTING(004_pass_param), .run = pass_param, .axes = { TILES },
      .mutants = { { "swapped", "take the row for the column", .kernel = "swapped", .only = "across=2/3 down=1/2/4" } },
      .breaches = { { "local", "copy by a map in a local variable", .kernel = "local", .only = "across=1 down=1",
                      .faults = true } } },
    { CK_LISTING(004_pass_constant), .run = pass_constant, .axes = { TILES },
      .mutants = { { "straight", "do not transpose the tile", .kernel = "straight" } } },
    { CK_LISTING(004_pass_global), .run = pass_global, .axes = { TILES },
      .mutants = { { "swapped", "take the row for the column", .kernel = "swapped", .only = "across=2/3 down=1/2/4" } },
      .breaches = { { "no-acquire", "use the map without an acquire", .kernel = "no_acquire", .varies = true },
                    { "first-block", "only the first block acquires it", .kernel = "first_block", .only = "across=2/3",
                      .varies = true } } },
    { CK_LISTING(004_prefetch_tensormap), .run = prefetch_tensormap, .axes = { { "blocks", "1..8" } },
      .mutants = { { "first", "each block loads the first tile", .kernel = "first",
                     .only = "blocks=2/3/4/5/6/7/8" } } },
    { CK_LISTING(004_prefetch_tensormap), .name = "form", .assemble = "prefetch$;",
      .accept = ".const.tensormap [cmap]|.param.tensormap [pmap]|.tensormap [gm]",
      .refuse = ".const.tensormap|.shared.tensormap [smap]" },
    { CK_LISTING(004_tmap_opaque), .run = tmap_opaque, .mutants = { { "beside", "load the box beside it" } } },
    { CK_LISTING(004_tmap_opaque), .name = "members", .head = "#include <cuda.h>\n",
      .declare =
          "__global__ void opaque(const __grid_constant__ CUtensorMap map, uint64_t *out)\n{\n    *out = $;\n}\n",
      .cuda = "", .accept = "sizeof map|alignof(CUtensorMap)",
      .refuse = "map.globalAddress|map.globalDim[0]|map.boxDim[0]|map.rank" },
    { CK_LISTING(004_encode_pseudo), .run = encode_pseudo,
      .axes = { { "rows", "1 8 31 32 33 60" }, { "columns", "1 8 31 32 33 64 100" } },
      .mutants = { { "elements", "give the distance of rows in elements", .only = "rows=33/60 columns=64" } } },
    { CK_LISTING(004_encode_swizzle), .run = encode_swizzle, .axes = { { "columns", "4 8 16 28 32 36 64" } },
      .mutants = { { "none", "encode without swizzle", .only = "columns=8/32/64" } } },

    /* ---- loads ---- */
    { CK_LISTING(004_coords_1024), .run = coords_1024,
      .axes = { { "column", "0 256 992 1000" }, { "row", "0 512 992" } },
      .mutants = { { "rows-first", "give the row as the first coordinate", .kernel = "rows_first",
                     .only = "column=256 row=512" } } },
    { CK_LISTING(004_coords_negative), .run = coords_negative,
      .axes = { { "x", "-40 -32 -28 -8 -4 0 4 40 68 72 96 100" }, { "y", "-32 -31 -8 -1 0 1 40 68 69 90 99 100" } },
      .mutants = { { "one-less", "leave out the neighbour on the left", .kernel = "one_less",
                     .only = "x=-8/-4/0/4/40 y=-8/0/40/90" } } },
    { CK_LISTING(004_ptx_2d), .run = ptx_2d,
      .axes = { { "x", "-28 -4 0 4 32 64 68 96" }, { "y", "-8 0 7 28 30 59" }, SOURCE },
      .mutants = { { "swapped", "take the row for the column", .kernel = "swapped", .only = "x=4/32/64 y=0/7/28" } },
      .breaches = { EARLY("x=0/4/64 y=0/28 source=far") } },
    { CK_LISTING(004_complete_tx_ptx), .run = complete_tx_ptx,
      .axes = { { "x", "-60 -4 0 4 32 64 68 96" }, { "y", "-8 0 7 28 59" }, SOURCE },
      .mutants = { { "same", "load the left half twice", .kernel = "same", .only = "x=0/4/32/64 y=0/7/28" } },
      .breaches = { EARLY("x=0/4/64 y=0/28 source=far") } },
    { CK_LISTING(004_expect_flow), .run = expect_flow,
      .axes = { { "tiles", "1..5" }, { "threads", "1 32 33 64 100 128 256" } }, .mutants = { STRAIGHT },
      .breaches = { { "no-meeting", "load the next tile while others may still read this one", .kernel = "no_meeting",
                      .only = "tiles=2/3/5 threads=64/128/256", .varies = true } } },

    /* ---- copies in bulk ---- */
    { CK_LISTING(004_option1_memcpy_async), .run = option1, .axes = { { "size", "aligned plain" }, THREADS, SOURCE },
      .mutants = { STRAIGHT }, .breaches = { EARLY("threads=1/32/256 source=far") } },
    { CK_LISTING(004_option2_memcpy_async_tx), .run = option2, .axes = { THREADS, SOURCE }, .mutants = { STRAIGHT },
      .breaches = { EARLY("threads=1/32/256 source=far") } },
    { CK_LISTING(004_option3_cp_async_bulk), .run = option3, .axes = { THREADS, SOURCE }, .mutants = { STRAIGHT },
      .breaches = { EARLY("threads=1/32/256 source=far") } },
    { CK_LISTING(004_tma_1d_bulk_example), .run = tma_1d,
      .axes = { { "n", "4 8 12 100 252 256 260 500 512 768 1000 1024" }, { "threads", "1 32 96 256 1024" } },
      .mutants = { { "once", "do not double", .kernel = "once" } },
      .breaches = { EARLY("n=4/256/1000 threads=32/256") } },
    { CK_LISTING(004_mbarrier_example), .run = mbarrier_example,
      .axes = { { "n", "1 2 3 31 32 33 255 256 257 511 512 513 1000" }, { "threads", "1 32 96 256 512" } },
      .mutants = { { "straight", "read the numbers in their order", .kernel = "straight",
                     .only = "n=2/31/255/256/257/513/1000" } },
      .breaches = { EARLY("n=2/256/1000 threads=32/256") } },
    { CK_LISTING(004_transaction_api), .run = transaction_api, .axes = { THREADS, SOURCE }, .mutants = { STRAIGHT },
      .breaches = { EARLY("threads=1/32/256 source=far") } },
    { CK_LISTING(004_transaction_pseudo), .run = transaction_pseudo, .axes = { THREADS, SOURCE },
      .mutants = { STRAIGHT }, .breaches = { EARLY("threads=1/32/256 source=far") } },
    { CK_LISTING(004_wait_group_read), .run = wait_group_read,
      .axes = { { "rounds", "1..8" }, { "threads", "1 31 32 33 64 96 256 1024" } },
      .mutants = { { "same", "store the same numbers in each round", .kernel = "same",
                     .only = "rounds=2/3/4/5/6/7/8" } },
      .breaches = { { "no-wait", "fill the tile again at once", .kernel = "no_wait", .only = "rounds=2/3/8",
                      .varies = true },
                    { "no-fence", "no proxy fence before the store", .kernel = "no_fence", .only = "rounds=1/3/8",
                      .varies = true } } },
    { 0 }
};

const struct ck_suite listings_004_second = { "listings-004-second", cases };
// SPDX-License-Identifier: Apache-2.0
