/* The listings of the notes 004, second half: groups of copies, clusters, and forms. */
#include <string.h>

#include "expected/oracle.h"
#include "tests/listings/numbers.h"
#include "tests/listings/page.h"

/* ---- groups ---- */

/* So many bytes come out as they are. */
static void straight(struct ck *t, const char *kernel, size_t bytes)
{
    const struct ck_buf in = ck_is(t, "source", "far") ? ck_slow_input(t, bytes) : ck_input(t, bytes);
    const struct ck_buf out = ck_output(t, bytes);

    page_numbers(t, kernel, 1, ck_int(t, "threads"), in, out);
    ck_equal(t, out, in.host);
}

/* Each thread gives out the two pieces of the other one. */
static void two_threads(struct ck *t)
{
    const struct ck_buf in = ck_is(t, "source", "far") ? ck_slow_input(t, 64) : ck_input(t, 64);
    const struct ck_buf out = ck_output(t, 64);
    unsigned char want[64];

    memcpy(want, in.host + 32, 32);
    memcpy(want + 32, in.host, 32);
    page_numbers(t, "groups_two_threads", 1, 2, in, out);
    ck_equal(t, out, want);
}

/* Five rows of 16 bytes a thread. */
static void groups_commit(struct ck *t)
{
    straight(t, "groups_commit", (size_t)ck_int(t, "threads") * 80);
}

/* Three rows. */
static void wait_group_1(struct ck *t)
{
    straight(t, "wait_group_1", (size_t)ck_int(t, "threads") * 48);
}

/* One row, by both ways. */
static void wait_all(struct ck *t)
{
    const size_t threads = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_is(t, "source", "far") ? ck_slow_input(t, threads * 16) : ck_input(t, threads * 16);
    const struct ck_buf out = ck_output(t, in.size);

    page_numbers_n(t, "wait_all", 1, (int64_t)threads, in, out, ck_is(t, "way", "group"));
    ck_equal(t, out, in.host);
}

/* The four numbers of x come out from the last one to the first one. */
static void visibility_x(struct ck *t)
{
    const struct ck_buf in = ck_is(t, "source", "far") ? ck_slow_input(t, 16) : ck_input(t, 16);
    const struct ck_buf out = ck_output(t, 16);

    page_numbers(t, "visibility_x", 1, 64, in, out);
    ck_equal(t, out, numbers_turned(t, in, 4));
}

/* The numbers come out from the last one to the first one. */
static void trap_no_syncthreads(struct ck *t)
{
    const size_t threads = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_is(t, "source", "far") ? ck_slow_input(t, threads * 4) : ck_input(t, threads * 4);
    const struct ck_buf out = ck_output(t, in.size);

    page_numbers(t, "trap_no_syncthreads", 1, (int64_t)threads, in, out);
    ck_equal(t, out, numbers_turned(t, in, threads));
}

/* Three rows of a number a thread. */
static void trap_wait_2(struct ck *t)
{
    straight(t, "trap_wait_2", (size_t)ck_int(t, "threads") * 12);
}

/* The sums of the first `count` rows of three; where there are two, the third one as it is behind them. */
static void sums(struct ck *t, const char *kernel, size_t count)
{
    const size_t n = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_is(t, "source", "far") ? ck_slow_input(t, n * 12) : ck_input(t, n * 12);
    const struct ck_buf out = ck_output(t, (4 - count) * n * 4);
    unsigned char *const want = ck_alloc(t, out.size);

    for (size_t i = 0; i < n; i++) {
        const uint32_t third = number_at(in, 2 * n + i);
        set_number(want, i, number_at(in, i) + number_at(in, n + i) + (count == 3 ? third : 0));
        if (count == 2)
            set_number(want, n + i, third);
    }
    page_numbers(t, kernel, 1, (int64_t)n, in, out);
    ck_equal(t, out, want);
}

/* The sums of all three rows. */
static void trap_wait_0(struct ck *t)
{
    sums(t, "trap_wait_0", 3);
}

/* The sums of the two rows of batch 0, and the row of batch 1. */
static void wait_prior_mapping(struct ck *t)
{
    sums(t, "wait_prior_mapping", 2);
}

/* Each stage comes out from the last piece to the first one. */
static void ptx_two_stage(struct ck *t)
{
    const size_t n = 2 * (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_is(t, "source", "far") ? ck_slow_input(t, n * 32) : ck_input(t, n * 32);
    const struct ck_buf out = ck_output(t, in.size);
    unsigned char *const want = ck_alloc(t, in.size);

    for (size_t i = 0; i < 2 * n; i++)
        memcpy(want + i * 16, in.host + (i / n * n + n - 1 - i % n) * 16, 16);
    page_numbers(t, "ptx_two_stage", 1, (int64_t)n / 2, in, out);
    ck_equal(t, out, want);
}

/* ---- clusters ---- */

static void launch_cluster(struct ck *t, const char *kernel, uint32_t blocks, const void *args, size_t size)
{
    ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                      .grid = { blocks },
                                      .cluster = { blocks },
                                      .block = { 32 },
                                      .args = args,
                                      .size = size,
                                      .plain = true });
}

/* Each block of the mask gives out the tile, each row turned round; the others give out nothing. */
static void multicast_ptx(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks"), mask = (uint32_t)ck_int(t, "mask") & ((1u << blocks) - 1);
    const char *const words = "type=s32 rank=2 dims=64x32 strides=256 box=16x8";
    const struct tensor_map call = page_call(t, words);
    const struct ck_buf array = ck_slow_input(t, 8192), out = ck_output(t, blocks * 512);
    const struct ck_buf tile = { .host = ck_alloc(t, 512), .size = 512 };
    unsigned char *const want = ck_alloc(t, out.size);
    struct {
        struct ck_tmap map;
        int32_t x, y, mask;
        uint64_t out;
    } a = { page_map(t, words, array), (int32_t)ck_int(t, "x"), 5, (int32_t)mask, out.device };

    oracle_tile_load(&call, array.host, (const int32_t[TENSOR_CORNER]){ a.x, a.y }, tile.host, 0);
    memset(want, CK_POISON, out.size);
    for (uint32_t rank = 0; rank < blocks; rank++)
        if (mask >> rank & 1)
            memcpy(want + rank * 512, numbers_turned(t, tile, 16), 512);
    launch_cluster(t, "multicast_ptx", blocks, &a, sizeof a);
    ck_equal(t, out, want);
}

/* Each block gives out as many planes of 16 x 8 numbers as there are blocks; outside there is zero. */
static void ptx_3d_multicast(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    const char *const words = "type=s32 rank=3 dims=16x8x8 strides=64x512 box=16x8x1";
    const struct tensor_map call = page_call(t, words);
    const struct ck_buf array = ck_slow_input(t, 4096), out = ck_output(t, (size_t)blocks * blocks * 512);
    unsigned char *const want = ck_alloc(t, out.size);
    struct {
        struct ck_tmap map;
        int32_t z;
        uint64_t out;
    } a = { page_map(t, words, array), (int32_t)ck_int(t, "z"), out.device };

    for (uint32_t i = 0; i < blocks * blocks; i++)
        oracle_tile_load(&call, array.host, (const int32_t[TENSOR_CORNER]){ 0, 0, a.z + (int32_t)(i % blocks) },
                         want + i * 512, 0);
    launch_cluster(t, "ptx_3d_multicast", blocks, &a, sizeof a);
    ck_equal(t, out, want);
}

#define THREADS                                                                                                        \
    {                                                                                                                  \
        "threads", "1..9 31 32 33 48 63 64"                                                                            \
    }
#define MORE_THREADS                                                                                                   \
    {                                                                                                                  \
        "threads", "2..9 31 32 33 64 96 128 255 256"                                                                   \
    }
#define SOURCE                                                                                                         \
    {                                                                                                                  \
        "source", "near far"                                                                                           \
    }
#define BREACH(name, says, mark, points)                                                                               \
    {                                                                                                                  \
        name, says, .kernel = mark, .only = points, .varies = true                                                     \
    }
#define LOAD(coordinates) ".shared::cluster.global.mbarrier::complete_tx::bytes [sa], [g, {" coordinates "}], [ma];"
#define FORM(symbol, word, coordinates, right, wrong)                                                                  \
    {                                                                                                                  \
        CK_LISTING(symbol), .name = word, .assemble = "cp.async.bulk.tensor.$" LOAD(coordinates), .accept = right,     \
                            .refuse = wrong                                                                            \
    }
#define PREFETCH(word, coordinates, right, wrong)                                                                      \
    {                                                                                                                  \
        CK_LISTING(004_ptx_prefetch_tensor),                                                                           \
            .name = word, .accept = right, .refuse = wrong,                                                            \
            .assemble = "cp.async.bulk.prefetch.tensor.$.L2.global [g, {" coordinates "}];"                            \
    }

static const struct ck_case cases[] = {
    /* ---- groups ---- */
    { CK_LISTING(004_groups_two_threads), .run = two_threads, .axes = { SOURCE },
      .mutants = { { "own", "each thread gives out its own pieces", .kernel = "own" } },
      .breaches = { BREACH("no-sync", "no barrier behind the wait", "no_sync", "source=far") } },
    { CK_LISTING(004_groups_commit), .run = groups_commit, .axes = { THREADS, SOURCE },
      .mutants = { { "only-first", "leave out the last copy", .kernel = "only_first" } },
      .breaches = { BREACH("too-far", "read copies of the newest group too", "too_far", "threads=1/32/64 source=far"),
                    BREACH("one-late", "commit the third copy with the newest group", "one_late",
                           "threads=1/32/64 source=far") } },
    { CK_LISTING(004_commit_group), .assemble = "cp.async.commit_group$;", .accept = "",
      .refuse = " 0|.shared|.read|.all" },
    { CK_LISTING(004_wait_group_1), .run = wait_group_1, .axes = { THREADS, SOURCE },
      .mutants = { { "first", "give out the first piece for the third one", .kernel = "first" } },
      .breaches = { BREACH("wait-2", "let two groups run on", "wait_2", "threads=1/32/64 source=far") } },
    { CK_LISTING(004_wait_all), .run = wait_all, .axes = { { "way", "all group" }, THREADS, SOURCE },
      .mutants = { { "first", "every thread copies the first piece", .kernel = "first",
                     .only = "threads=2/3/8/31/32/64" } },
      .breaches = { BREACH("no-commit", "no commit before the wait for groups", "no_commit",
                           "way=group threads=1/32/64 source=far") } },
    { CK_LISTING(004_visibility_x), .run = visibility_x, .axes = { SOURCE },
      .mutants = { { "straight", "give out the numbers in their order", .kernel = "straight" } },
      .breaches = { BREACH("no-wait", "say that it is there before it is", "no_wait", "source=far"),
                    BREACH("relaxed", "say so without release", "relaxed", "source=far") } },
    { CK_LISTING(004_trap_no_syncthreads), .run = trap_no_syncthreads, .axes = { MORE_THREADS, SOURCE },
      .mutants = { { "own", "each thread gives out its own number", .kernel = "own" } },
      .breaches = { BREACH("no-sync", "no barrier behind the wait", "no_sync", "threads=2/33/256 source=far") } },
    { CK_LISTING(004_trap_wait_2), .run = trap_wait_2, .axes = { MORE_THREADS, SOURCE },
      .mutants = { { "first", "give out the first number for the second one", .kernel = "first" } },
      .breaches = { BREACH("group-2", "take the number for that of the group", "group_2",
                           "threads=2/33/256 source=far") } },
    { CK_LISTING(004_trap_wait_0), .run = trap_wait_0, .axes = { MORE_THREADS, SOURCE },
      .mutants = { { "two", "leave out the third number", .kernel = "two" } },
      .breaches = { BREACH("wait-2", "let two groups run on", "wait_2", "threads=2/33/256 source=far") } },
    { CK_LISTING(004_wait_prior_mapping), .run = wait_prior_mapping, .axes = { MORE_THREADS, SOURCE },
      .mutants = { { "one", "leave out the second number", .kernel = "one" } },
      .breaches = { BREACH("wait-2", "let both batches run on", "wait_2", "threads=2/33/256 source=far") } },
    { CK_LISTING(004_ptx_two_stage), .run = ptx_two_stage, .axes = { THREADS, SOURCE },
      .mutants = { { "straight", "give out the first stage in its order", .kernel = "straight" } },
      .breaches = { BREACH("wait-2", "let both stages run on", "wait_2", "threads=2/33/64 source=far"),
                    BREACH("no-sync", "no barrier before others' pieces are read", "no_sync",
                           "threads=2/33/64 source=far") } },

    /* ---- clusters ---- */
    { CK_LISTING(004_multicast_ptx), .run = multicast_ptx,
      .axes = { { "blocks", "1 2 4 8" }, { "mask", "1 3 5 129 255" }, { "x", "-4 0 16 60" } },
      .mutants = { { "straight", "give out the rows in their order", .kernel = "straight" } },
      .breaches = { BREACH("early", "read first, and wait at the end", "early", "blocks=1/2/8 mask=255 x=0/16") } },
    { CK_LISTING(004_ptx_3d_multicast), .run = ptx_3d_multicast, .axes = { { "blocks", "2 4 8" }, { "z", "-2..6" } },
      .mutants = { { "same", "every block loads the first plane", .kernel = "same", .only = "z=0/1/2/3/4/5/6" } },
      .breaches = { BREACH("early", "read first, and wait at the end", "early", "blocks=2/8 z=0/1") } },

    /* ---- forms ---- */
    FORM(004_tensor_syntax, "one", "r0", "1d", "2d"),
    FORM(004_tensor_syntax, "two", "r0, r1", "2d", "1d|3d"),
    FORM(004_tensor_syntax, "three", "r0, r1, r2", "3d", "2d|4d"),
    FORM(004_tensor_syntax, "four", "r0, r1, r2, r3", "4d", "3d|5d"),
    FORM(004_tensor_syntax, "five", "r0, r1, r2, r3, r4", "5d", "4d|6d"),
    { CK_LISTING(004_tensor_syntax), .name = "operands",
      .assemble = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes $;",
      .accept = "[sa], [g, {r0, r1}], [ma]",
      .refuse = "[g, {r0, r1}], [sa], [ma]|[sa], [g], [ma]|[sa], [g, {r0, r1}]|[sa], [ma], [g, {r0, r1}]" },
    PREFETCH("one", "r0", "1d", "2d"),
    PREFETCH("two", "r0, r1", "2d", "1d|3d"),
    PREFETCH("three", "r0, r1, r2", "3d", "2d|4d"),
    PREFETCH("four", "r0, r1, r2, r3", "4d", "3d|5d"),
    PREFETCH("five", "r0, r1, r2, r3, r4", "5d", "4d|6d"),
    { CK_LISTING(004_prefetch_syntax), .name = "place", .assemble = "cp.async.bulk.prefetch.tensor.2d$ [g, {r0, r1}];",
      .accept = ".L2.global", .refuse = ".L1.global|.global|.L2|.L2.shared::cta" },
    { CK_LISTING(004_prefetch_syntax), .name = "rest", .assemble = "cp.async.bulk.prefetch.tensor.2d.L2.global$;",
      .accept = " [g, {r0, r1}]|.tile [g, {r0, r1}]|.L2::cache_hint [g, {r0, r1}], pol",
      .refuse = " [g, {r0, r1}], pol|.L2::cache_hint [g, {r0, r1}]| [g, {r0, r1}], [ma]| [sa], [g, {r0, r1}]|"
                ".bulk_group [g, {r0, r1}]" },
    { CK_LISTING(004_cp_mask_ptx), .name = "direction", .assemble = "cp.async.bulk.$, h;", .version = "8.6",
      .target = "sm_100", .accept = "global.shared::cta.bulk_group.cp_mask [g], [sa], 16",
      .refuse = "shared::cta.global.mbarrier::complete_tx::bytes.cp_mask [sa], [g], 16, [ma]|"
                "global.shared::cta.bulk_group [g], [sa], 16" },
    { CK_LISTING(004_cp_mask_ptx), .name = "target", .version = "8.6", .target = "$",
      .assemble = "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [g], [sa], 16, h;", .accept = "sm_100|sm_100a",
      .refuse = "sm_90|sm_90a" },
    { CK_LISTING(004_cta_group_ptx), .name = "target", .version = "8.6", .target = "$",
      .assemble =
          "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes.cta_group::2 [sa], [g, {r0, r1}], [ma];",
      .accept = "sm_100a", .refuse = "sm_90|sm_90a" },
    { CK_LISTING(004_cta_group_ptx), .name = "value", .version = "8.6", .target = "sm_100a",
      .assemble = "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes$ [sa], [g, {r0, r1}], [ma];",
      .accept = "|.cta_group::1|.cta_group::2", .refuse = ".cta_group::0|.cta_group::4|.cta_group" },
    { 0 }
};

const struct ck_suite listings_004_groups = { "listings-004-groups", cases };
// SPDX-License-Identifier: Apache-2.0
