/* Launches of tile kernels: blocks, the grid, and what a block is told about its place. */
#include <string.h>

#include "harness/ck.h"

struct grid {
    uint32_t x, y, z;
};

struct index_args {
    struct ck_head head;
    uint64_t count, places;
};

struct copy_args {
    struct ck_head head;
    uint64_t in, out;
};

struct cover_args {
    struct ck_head head;
    uint64_t in, out;
    int n;
};

struct last_args {
    struct ck_head head;
    uint64_t out;
};

static struct grid grid_of(struct ck *t)
{
    return (struct grid){ (uint32_t)ck_int(t, "x"), (uint32_t)ck_int(t, "y"), (uint32_t)ck_int(t, "z") };
}

/* What launch_index leaves: a count of 1 for each block, and its index with the grid. */
struct places {
    struct ck_buf count, places;
    uint32_t *counts, *expected;
};

static struct places places_of(struct ck *t, struct grid g)
{
    const size_t blocks = (size_t)g.x * g.y * g.z;
    struct places p = { ck_zeroed(t, blocks * 4), ck_output(t, blocks * 24), ck_alloc(t, blocks * 4),
                        ck_alloc(t, blocks * 24) };

    for (uint32_t at = 0; at < blocks; at++) {
        const uint32_t row[6] = { at % g.x, at / g.x % g.y, at / g.x / g.y, g.x, g.y, g.z };

        p.counts[at] = 1;
        memcpy(p.expected + 6 * (size_t)at, row, sizeof row);
    }
    return p;
}

static struct ck_launch index_launch(const struct index_args *a, struct grid g)
{
    return (struct ck_launch){
        .kernel = "launch_index", .grid = { g.x, g.y, g.z }, .members = true, .args = a, .size = sizeof *a
    };
}

/* Every block counts itself at the place of its index: all counts are 1. */
static void every_index_once(struct ck *t)
{
    const struct grid g = grid_of(t);
    const struct places p = places_of(t, g);
    const struct index_args a = { .count = p.count.device, .places = p.places.device };
    const struct ck_launch l = index_launch(&a, g);

    ck_launch(t, &l);
    ck_equal(t, p.count, p.counts);
}

/* Every block writes its index and the grid: they are those of the launch. */
static void index_and_grid(struct ck *t)
{
    const struct grid g = grid_of(t);
    const struct places p = places_of(t, g);
    const struct index_args a = { .count = p.count.device, .places = p.places.device };
    struct ck_launch l = index_launch(&a, g);

    if (ck_variant(t, "swap")) {
        l.grid[0] = g.y;
        l.grid[1] = g.x;
    }
    ck_launch(t, &l);
    ck_equal(t, p.places, p.expected);
}

/* A launch that names one axis of its grid, or two: on the others the index is 0, and the number of blocks 1. */
static void axes_left_out(struct ck *t)
{
    const struct grid g = { (uint32_t)ck_int(t, "x"), (uint32_t)ck_int(t, "y"), 1 };
    const struct places p = places_of(t, (struct grid){ g.x, g.y ? g.y : 1, 1 });
    const struct index_args a = { .count = p.count.device, .places = p.places.device };
    struct ck_launch l = index_launch(&a, (struct grid){ g.x, g.y, 0 });

    if (ck_variant(t, "half")) {
        l.grid[0] = g.x / 2;
        l.grid[1] = 2;
    }
    ck_launch(t, &l);
    ck_equal(t, p.places, p.expected);
}

/* Blocks of one thread; a breach has more threads, dynamic shared memory or a cluster. */
static void block_of_one(struct ck *t)
{
    const struct grid g = { 3, 1, 1 };
    const struct places p = places_of(t, g);
    const struct index_args a = { .count = p.count.device, .places = p.places.device };
    struct ck_launch l = index_launch(&a, g);

    l.block[0] = (uint32_t)ck_int(t, "threads");
    l.block[1] = (uint32_t)ck_int(t, "rows");
    l.smem = (uint32_t)ck_int(t, "smem");
    l.cluster[0] = (uint32_t)ck_int(t, "cluster");
    if (ck_variant(t, "two"))
        l.grid[0] = 2;
    ck_launch(t, &l);
    ck_equal(t, p.places, p.expected);
}

/* The largest grids of one axis: the last block writes its index. */
static void last_block(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    const struct ck_buf out = ck_output(t, 4);
    const struct last_args a = { .out = out.device };
    uint32_t last;

    ck_launch(t,
              &(struct ck_launch){
                  .kernel = "launch_last", .grid = { blocks, 1, 1 }, .members = true, .args = &a, .size = sizeof a });
    memcpy(&last, out.host, sizeof last);
    ck_see(t, "%s", last == blocks - 1 ? "runs, with a last block" : "runs, without a last block");
}

/* The kernel is looked up by its plain name, loaded and launched, and it runs. */
static void loads_and_runs(struct ck *t)
{
    const struct ck_buf out = ck_output(t, 4);
    const struct last_args a = { .out = out.device };
    const uint32_t none = 0;

    ck_launch(t, &(struct ck_launch){ .kernel = "launch_last", .members = true, .args = &a, .size = sizeof a });
    ck_see(t, "loads and runs");
    ck_equal(t, out, &none);
}

enum { TILE = 16 };

/* Blocks of the grid copy one tile of 16 each; together they copy all n elements, and nothing behind them. */
static void grid_covers(struct ck *t)
{
    const int n = (int)ck_int(t, "n");
    const size_t bytes = (size_t)n * 4;
    const struct ck_buf in = ck_input(t, bytes), out = ck_output(t, bytes);
    const struct cover_args a = { .in = in.device, .out = out.device, .n = n };
    uint32_t blocks = (uint32_t)((n + TILE - 1) / TILE);

    if (ck_variant(t, "floor"))
        blocks = (uint32_t)(n / TILE);
    ck_launch(t,
              &(struct ck_launch){
                  .kernel = "launch_cover", .grid = { blocks, 1, 1 }, .members = true, .args = &a, .size = sizeof a });
    ck_equal(t, out, in.host);
}

/* Each block adds a number of its own to its copy of one tile, and stores it: it has seen no other block's sum. */
static void tile_is_private(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    const struct ck_buf in = ck_input(t, 32), out = ck_output(t, blocks * 32);
    const struct copy_args a = { .in = in.device, .out = out.device };
    uint32_t *expected = ck_alloc(t, blocks * 32);

    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t element;

            memcpy(&element, in.host + i * 4, 4);
            expected[8 * b + i] = element + b + 1;
        }
    ck_launch(
        t, &(struct ck_launch){
               .kernel = "launch_private", .grid = { blocks, 1, 1 }, .members = true, .args = &a, .size = sizeof a });
    ck_equal(t, out, expected);
}

/* A function that doubles a tile is called with what it returned: four times the tile. */
static void tile_through_functions(struct ck *t)
{
    const struct ck_buf in = ck_input(t, 32), out = ck_output(t, 32);
    const struct copy_args a = { .in = in.device, .out = out.device };
    uint32_t expected[8];

    for (uint32_t i = 0; i < 8; i++) {
        memcpy(&expected[i], in.host + i * 4, 4);
        expected[i] *= 4;
    }
    ck_launch(t, &(struct ck_launch){ .kernel = "space_function", .members = true, .args = &a, .size = sizeof a });
    ck_equal(t, out, expected);
}

#define PLAIN                                                                                                          \
    .axes = { { "threads", "=1" }, { "rows", "=1" }, { "smem", "=0" }, { "cluster", "=0" } },                          \
    .mutants = { { "two", "launch a block fewer" } }

static const struct ck_case cases[] = {
    { CK_RULE(tile_launch_block_one), .run = block_of_one, PLAIN,
      .breaches = { { "threads-2", "launch blocks of 2 threads", .set = "threads=2" },
                    { "threads-32", "launch blocks of a warp", .set = "threads=32" },
                    { "threads-1024", "launch blocks of 1024 threads", .set = "threads=1024" },
                    { "rows-2", "launch blocks of (1,2,1)", .set = "rows=2" } } },
    { CK_RULE(tile_launch_api), .run = block_of_one, PLAIN,
      .breaches = { { "smem-16", "launch with 16 bytes of dynamic shared memory", .set = "smem=16" },
                    { "smem-32768", "launch with 32 KB of dynamic shared memory", .set = "smem=32768" },
                    { "cluster-1", "launch with a cluster of one block", .set = "cluster=1" },
                    { "cluster-3", "launch with a cluster of three blocks", .set = "cluster=3" } } },
    { CK_RULE(tile_launch_extern_c), .run = loads_and_runs },
    { CK_RULE(tile_build_driver), .run = loads_and_runs },

    { CK_RULE(tile_launch_bid), .run = every_index_once,
      .axes = { { "x", "1 2 5 64" }, { "y", "1 3 7" }, { "z", "1 2 4" } },
      .mutants = { { "y-for-x", "use bid().y in place of bid().x", .kernel = "y_for_x", .only = "x=5/64 y=3/7" } } },
    { CK_RULE(tile_launch_num_blocks), .run = index_and_grid,
      .axes = { { "x", "1 2 5 64 1000" }, { "y", "1 3 7" }, { "z", "1 2 4" } },
      .mutants = { { "swap", "launch with the grid's first two axes exchanged", .only = "x=2/5/64 y=3/7" } } },
    { CK_RULE(tile_launch_unused_axes), .run = axes_left_out, .axes = { { "x", "2 4 16 100" }, { "y", "0 1 4" } },
      .mutants = { { "half", "launch half of the blocks in each of two rows", .only = "y=0/1" } } },
    { CK_RULE(tile_launch_grid_limit), .run = last_block,
      .axes = { { "blocks", "65535 65536 1048576 16777215 16777216 16777217" } } },

    { CK_RULE(tile_launch_grid_sizing), .run = grid_covers, .axes = { { "n", "1..48" } },
      .mutants = { { "floor", "round N/T down", .only = "n=17/31/33/47" } } },
    { CK_RULE(tile_launch_scope_of_tile), .run = tile_is_private, .axes = { { "blocks", "2 3 8 32 256" } },
      .mutants = { { "together", "let all blocks store to one place", .kernel = "together" } } },
    { CK_RULE(tile_space_tile_from_tile), .run = tile_through_functions,
      .mutants = { { "same", "call a function that returns what it was given", .kernel = "same" } } },
    { CK_RULE(tile_space_tile_from_tile), .name = "compiles",
      .declare = "__tile__ i32x8 twice(i32x8 t) { return t + t; }",
      .compile = "i32x8 t = ct::iota<i32x8>(); ct::store(pi + t, twice($));", .accept = "t|twice(t)",
      .refuse = "ct::full<f32x8>(1)|ct::iota<i64x8>()|n", .says = "no suitable" },
    { 0 },
};

const struct ck_suite suite_cuda_tile_launch = { "cuda_tile_launch", cases };
// SPDX-License-Identifier: Apache-2.0
