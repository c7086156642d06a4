/* The listings of the notes 003: barriers, clusters, pipelines, TMA. */
#include <string.h>

#include "expected/oracle.h"
#include "tests/listings/page.h"

#define THREADS                                                                                                        \
    {                                                                                                                  \
        "threads", "32 64 100 256"                                                                                     \
    }
#define HURRIED .only = "threads=256", .varies = true

static int32_t number(struct ck_buf b, size_t i)
{
    int32_t value;

    memcpy(&value, b.host + i * 4, 4);
    return value;
}

/* Numbers of up to 1000. */
static struct ck_buf numbers(struct ck *t, size_t count)
{
    const struct ck_buf b = ck_input(t, count * 4);

    for (size_t i = 0; i < count; i++)
        memcpy(b.host + i * 4, &(int32_t){ (int32_t)(1 + ck_random(t) % 1000) }, 4);
    ck_changed(t, b);
    return b;
}

static void launch(struct ck *t, const char *kernel, uint32_t threads, uint32_t smem, const void *args, size_t size)
{
    ck_launch(t, &(struct ck_launch){
                     .kernel = kernel, .block = { threads }, .smem = smem, .args = args, .size = size, .plain = true });
}

/* ---- barriers ---- */

/* Each thread gets the number of its neighbour, and what it computed meanwhile. */
static void arrive_wait(struct ck *t)
{
    const uint32_t n = (uint32_t)ck_int(t, "threads");
    const struct ck_buf in = numbers(t, n), out = ck_output(t, n * 4);
    int32_t *want = ck_alloc(t, n * 4);
    struct {
        uint64_t in, out;
    } args = { in.device, out.device };

    for (uint32_t i = 0; i < n; i++)
        want[i] = number(in, (i + 1) % n) + 3 * (int32_t)i;
    launch(t, "arrive_wait", ck_variant(t, "fewer") ? n - 1 : n, n * 4, &args, sizeof args);
    ck_equal(t, out, want);
}

/* What a step makes of the number at i; the next one is that of its right or left neighbour. */
static int32_t step(const char *kernel, const int32_t *now, uint32_t i, uint32_t n, int32_t k)
{
    if (!strcmp(kernel, "iter_barrier"))
        return now[i] + now[(i + 1) % n];
    if (!strcmp(kernel, "simple_sync"))
        return now[(i + n - 1) % n] + k;
    return now[i] * 5 + 1 + now[(i + 1) % n];
}

/* Iterations of a step that takes a neighbour's number: none is ahead of another, and none behind. */
static void iterate(struct ck *t, const char *kernel)
{
    const uint32_t n = (uint32_t)ck_int(t, "threads");
    const int32_t iterations = (int32_t)ck_int(t, "iterations");
    const struct ck_buf data = numbers(t, n);
    int32_t *now = ck_alloc(t, n * 4), *next = ck_alloc(t, n * 4);
    struct {
        uint64_t data;
        int32_t iterations;
    } args = { data.device, ck_variant(t, "shorter") ? iterations - 1 : iterations };

    memcpy(now, data.host, n * 4);
    for (int32_t k = 0; k < iterations; k++) {
        for (uint32_t i = 0; i < n; i++)
            next[i] = step(kernel, now, i, n, k);
        memcpy(now, next, n * 4);
    }
    launch(t, kernel, n, 2 * n * 4, &args, sizeof args);
    ck_equal(t, data, now);
}

/* Sums with the right neighbour. */
static void iter_barrier(struct ck *t)
{
    iterate(t, "iter_barrier");
}

/* Numbers go round to the right, and grow. */
static void simple_sync(struct ck *t)
{
    iterate(t, "simple_sync");
}

/* A thread's own work lies between its arrival and its wait. */
static void split_arrive_wait(struct ck *t)
{
    iterate(t, "split_arrive_wait");
}

/* Each thread gets the number that its opposite wrote. */
static void init_barrier(struct ck *t)
{
    const uint32_t n = (uint32_t)ck_int(t, "threads");
    const struct ck_buf out = ck_output(t, n * 4);
    int32_t *want = ck_alloc(t, n * 4);
    struct {
        uint64_t out;
    } args = { out.device };

    for (uint32_t i = 0; i < n; i++)
        want[i] = 7 * (int32_t)(n - 1 - i);
    launch(t, "init_barrier", ck_variant(t, "fewer") ? n - 1 : n, n * 4, &args, sizeof args);
    ck_equal(t, out, want);
}

/* Each block of a pair finds the number of the other one. */
static void dsmem(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    const struct ck_buf out = ck_output(t, blocks * 4);
    int32_t *want = ck_alloc(t, blocks * 4);
    struct {
        uint64_t out;
    } args = { out.device };

    for (uint32_t i = 0; i < blocks; i++)
        want[i] = (int32_t)(i ^ 1);
    PAGE_LAUNCH(t, "dsmem", ck_variant(t, "fewer") ? blocks - 2 : blocks, 32, args);
    ck_equal(t, out, want);
}

/* Batches go from the first warp through two buffers to the others, each in its turn. */
static void producer_consumer(struct ck *t)
{
    const int32_t batches = (int32_t)ck_int(t, "batches");
    const size_t count = (size_t)batches * 64;
    const struct ck_buf in = numbers(t, count), out = ck_output(t, count * 4);
    int32_t *want = ck_alloc(t, count * 4);
    struct {
        uint64_t in, out;
        int32_t batches;
    } args = { in.device, out.device, ck_variant(t, "fewer") ? batches - 1 : batches };

    for (size_t i = 0; i < count; i++)
        want[i] = number(in, i) + (int32_t)(i / 64);
    PAGE_LAUNCH(t, "producer_consumer_pattern", 1, ck_int(t, "threads"), args);
    ck_equal(t, out, want);
}

/* ---- staging ---- */

/* A batch has a number for each thread, or for each producer: twice its opposite's number comes out. */
static void stage(struct ck *t, const char *kernel, uint32_t batch)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    const int32_t batches = (int32_t)ck_int(t, "batches");
    const size_t count = (size_t)batches * batch;
    const struct ck_buf in = numbers(t, count), out = ck_output(t, count * 4);
    int32_t *want = ck_alloc(t, count * 4);
    struct {
        uint64_t in, out;
        int32_t batches;
    } args = { in.device, out.device, ck_variant(t, "fewer") ? batches - 1 : batches };

    for (size_t i = 0; i < count; i++)
        want[i] = 2 * number(in, i / batch * batch + batch - 1 - i % batch);
    launch(t, kernel, threads, 2 * batch * 4, &args, sizeof args);
    ck_equal(t, out, want);
}

/* Batches by loads and stores, between two meetings. */
static void without_memcpy_async(struct ck *t)
{
    stage(t, "without_memcpy_async", (uint32_t)ck_int(t, "threads"));
}

/* Batches by cooperative groups. */
static void with_memcpy_async(struct ck *t)
{
    stage(t, "with_memcpy_async", (uint32_t)ck_int(t, "threads"));
}

/* Batches by memcpy_async on a barrier. */
static void with_barrier(struct ck *t)
{
    stage(t, "with_barrier", (uint32_t)ck_int(t, "threads"));
}

/* Batches through a pipeline of one stage. */
static void with_single_stage(struct ck *t)
{
    stage(t, "with_single_stage", (uint32_t)ck_int(t, "threads"));
}

/* Batches through a pipeline of two stages. */
static void with_staging(struct ck *t)
{
    stage(t, "with_staging", (uint32_t)ck_int(t, "threads"));
}

/* Batches from even threads to odd ones. */
static void with_specialized_staging(struct ck *t)
{
    stage(t, "with_specialized_staging", (uint32_t)ck_int(t, "threads") / 2);
}

/* ---- bulk and tensor copies ---- */

/* The numbers from the offset on are 1 more; those before and behind them stay. */
static void add_one(struct ck *t)
{
    const uint64_t offset = (uint64_t)ck_int(t, "offset");
    const struct ck_buf data = numbers(t, 4096);
    int32_t *want = ck_alloc(t, data.size);
    struct {
        uint64_t data, offset;
    } args = { data.device, offset + (ck_variant(t, "next") ? 4 : 0) };

    for (size_t i = 0; i < 4096; i++)
        want[i] = number(data, i) + (i >= offset && i < offset + 1024);
    PAGE_LAUNCH(t, "add_one_kernel", 1, ck_int(t, "threads"), args);
    ck_equal(t, data, want);
}

/* The numbers of a tile of 16 x 8 at (x, y); what lies outside the array is 0. */
static void expect_tile(const struct tensor_map *call, struct ck_buf array, int32_t x, int32_t y, unsigned char *tile)
{
    oracle_tile_load(call, array.host, (const int32_t[TENSOR_CORNER]){ x, y }, tile, 0);
}

static void load_tile(struct ck *t, const struct tensor_map *call, struct ck_buf array, int32_t x, int32_t y)
{
    const struct ck_buf out = ck_output(t, 512);
    unsigned char want[512] = { 0 };
    struct {
        struct ck_tmap map;
        int32_t x, y;
        uint64_t out;
    } args = { .x = x, .y = ck_variant(t, "below") ? y + 1 : y, .out = out.device };

    ck_encode(t, call, array, &args.map);
    expect_tile(call, array, x, y, want);
    PAGE_LAUNCH(t, "grid_constant", 1, 32, args);
    ck_equal(t, out, want);
}

/* listing.003.encode-2d: the map of an array of 64 x 32 integers in tiles of 16 x 8. The driver copies what it is
 * given, so all of it may be local; the result must be looked at, since a call that breaks a limit leaves no map. */
static void encode_2d(struct ck *t)
{
    const struct ck_buf array = ck_input(t, 64 * 32 * 4);
    const struct tensor_map call = {
        .type = TENSOR_S32,
        .rank = 2,
        .dims = { 64, 32 },          /* elements: width, height */
        .strides = { 64 * 4 },       /* bytes from row to row */
        .box = { 16, 8 },            /* what a copy moves */
        .element_strides = { 1, 1 }, /* every element */
        .interleave = TENSOR_INTERLEAVE_NONE,
        .swizzle = TENSOR_SWIZZLE_NONE,
        .l2 = (int64_t)ck_int(t, "l2"), /* how much the L2 cache fetches: no byte differs */
        .fill = TENSOR_FILL_NONE,
    };

    load_tile(t, &call, array, 16, 8);
}

/* Tiles at several corners, by a map that is a parameter. */
static void grid_constant(struct ck *t)
{
    const struct tensor_map call = page_call(t, "type=s32 rank=2 dims=64x32 strides=256 box=16x8");

    load_tile(t, &call, ck_input(t, 8192), (int32_t)ck_int(t, "x"), (int32_t)ck_int(t, "y"));
}

/* The first row of the tile is changed as far as it lies inside the array; nothing else is. */
static void tile_2d_store(struct ck *t)
{
    const struct ck_buf array = numbers(t, 64 * 32);
    const int32_t x = (int32_t)ck_int(t, "x"), y = (int32_t)ck_int(t, "y");
    int32_t *want = ck_alloc(t, array.size);
    struct {
        struct ck_tmap map;
        int32_t x, y;
    } args = { page_map(t, "type=s32 rank=2 dims=64x32 strides=256 box=16x8", array), x,
               ck_variant(t, "below") ? y - 1 : y };

    memcpy(want, array.host, array.size);
    for (int32_t i = 0; i < 16 && x + i < 64; i++)
        want[y * 64 + x + i] += i;
    PAGE_LAUNCH(t, "tile_2d_store", 1, 32, args);
    ck_equal(t, array, want);
}

#define ITERATIONS                                                                                                     \
    {                                                                                                                  \
        "iterations", "1 2 7"                                                                                          \
    }
#define BATCHES                                                                                                        \
    {                                                                                                                  \
        "batches", "1 2 3 8"                                                                                           \
    }
#define FEWER                                                                                                          \
    {                                                                                                                  \
        "fewer", "leave the last one out"                                                                              \
    }
#define SHORTER                                                                                                        \
    {                                                                                                                  \
        "shorter", "go round once less"                                                                                \
    }
#define STAGING(symbol, function)                                                                                      \
    CK_LISTING(symbol), .run = function, .axes = { { "threads", "32 64 128 256" }, BATCHES }, .mutants = { FEWER }

static const struct ck_case cases[] = {
    { CK_LISTING(003_arrive_wait), .run = arrive_wait, .axes = { THREADS }, .mutants = { FEWER },
      .breaches = { { "early", "read a neighbour's number before the wait", .kernel = "early", HURRIED } } },
    { CK_LISTING(003_iter_barrier), .run = iter_barrier, .axes = { THREADS, ITERATIONS }, .mutants = { SHORTER },
      .breaches = { { "one-meeting", "write before all have read", .kernel = "one_meeting", HURRIED } } },
    { CK_LISTING(003_dsmem), .run = dsmem, .axes = { { "blocks", "2 4 16" } }, .mutants = { FEWER },
      .breaches = { { "no-first-sync", "write to a block that may not have begun", .kernel = "no_first_sync",
                      .faults = true, .varies = true },
                    { "no-last-sync", "read and end while the other block may still write", .kernel = "no_last_sync",
                      .faults = true, .varies = true } } },
    { CK_LISTING(003_simple_sync), .run = simple_sync, .axes = { THREADS, ITERATIONS }, .mutants = { SHORTER },
      .breaches = { { "no-sync", "write before all have read", .kernel = "no_sync", HURRIED } } },
    { CK_LISTING(003_split_arrive_wait), .run = split_arrive_wait, .axes = { THREADS, ITERATIONS },
      .mutants = { SHORTER }, .breaches = { { "no-wait", "arrive and never wait", .kernel = "no_wait", HURRIED } } },
    { CK_LISTING(003_init_barrier), .run = init_barrier, .axes = { THREADS }, .mutants = { FEWER },
      .breaches = { { "no-wait", "arrive and do not wait", .kernel = "no_wait", HURRIED } } },
    { CK_LISTING(003_producer_consumer_pattern), .run = producer_consumer,
      .axes = { { "threads", "64 96 256" }, BATCHES }, .mutants = { FEWER },
      .breaches = { { "early", "use a buffer before waiting until it is filled", .kernel = "early",
                      .only = "batches=3 threads=96/256", .varies = true } } },
    { STAGING(003_without_memcpy_async, without_memcpy_async),
      .breaches = { { "no-first-sync", "use a batch before all have brought their part", .kernel = "no_first_sync",
                      .only = "threads=256 batches=3", .varies = true },
                    { "no-second-sync", "bring the next batch while others use this one", .kernel = "no_second_sync",
                      .only = "threads=256 batches=3", .varies = true } } },
    { STAGING(003_with_memcpy_async, with_memcpy_async),
      .breaches = { { "own-wait", "each thread waits for itself alone", .kernel = "own_wait",
                      .only = "threads=256 batches=3", .varies = true } } },
    { STAGING(003_with_barrier, with_barrier),
      .breaches = { { "early", "meet at block.sync() in place of the barrier", .kernel = "early",
                      .only = "threads=256 batches=3", .varies = true } } },
    { STAGING(003_with_single_stage, with_single_stage),
      .breaches = { { "early", "compute before the wait", .kernel = "early", .only = "threads=256 batches=3",
                      .varies = true } } },
    { STAGING(003_with_staging, with_staging), .breaches = { { "early", "compute before the wait", .kernel = "early",
                                                               .only = "threads=256 batches=3", .varies = true } } },
    { STAGING(003_with_specialized_staging_unified, with_specialized_staging),
      .breaches = { { "early", "use a stage before the wait", .kernel = "early", .only = "threads=256 batches=3",
                      .varies = true } } },
    { CK_LISTING(003_add_one_kernel), .run = add_one,
      .axes = { { "offset", "0 4 100 1024 3072" }, { "threads", "32 256 1024" } },
      .mutants = { { "next", "begin four numbers later", .only = "offset=0/4/100/1024" } },
      .breaches = { { "no-meeting", "store before all have added and fenced", .kernel = "no_meeting",
                      .only = "offset=0 threads=256/1024", .varies = true } } },
    { CK_LISTING(003_encode_2d), .run = encode_2d, .axes = { { "l2", "0..3" } },
      .mutants = { { "below", "load the tile a row below" } } },
    { CK_LISTING(003_grid_constant), .run = grid_constant, .axes = { { "x", "-8 0 4 40 56" }, { "y", "-4 0 13 28" } },
      .mutants = { { "below", "load the tile a row below" } } },
    { CK_LISTING(003_tile_2d_cde), .run = tile_2d_store,
      .axes = { { "x", "0 4 40 48 52 60" }, { "y", "1 13 24 28 31" } },
      .mutants = { { "below", "load and store the tile a row above", .only = "y=1/13/24" } },
      .breaches = { { "no-fence", "no proxy fence before the store", .kernel = "no_fence",
                      .only = "x=0/60 y=1/31" } } },
    { 0 }
};

const struct ck_suite listings_003 = { "listings-003", cases };
// SPDX-License-Identifier: Apache-2.0
