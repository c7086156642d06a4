/* The listings of the notes 004, first half: copies of the host, through registers, and by cp.async in C++. */
#include <string.h>

#include "tests/listings/numbers.h"
#include "tests/listings/page.h"

/* ---- copies of the host ---- */

static void swap(struct ck_step *a, struct ck_step *b)
{
    const struct ck_step was = *a;

    *a = *b;
    *b = was;
}

/* listing.004.stream-copy: into a stream go a copy, a kernel that turns round each piece of 256
 * numbers, and a copy back. The calls return at once; the stream carries them out in order.
 *
 *     host     copy  launch  copy  ...other work...  wait | reads `to`, may change `from`
 *     stream       ===in===  ==kernel==  ===out===        |
 *
 *     CK_STEP_IN, CK_STEP_OUT   cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream)
 *     CK_STEP_WAIT_STREAM       cudaStreamSynchronize(stream)
 *
 * Whatever the host does before the wait, it does while the copies may still be under way. */
static void stream_copy(struct ck *t)
{
    enum { BYTES = 1 << 20, STREAM = 1 };
    const struct ck_buf numbers = ck_input(t, BYTES);
    const struct ck_buf in = ck_output(t, BYTES), out = ck_output(t, BYTES);
    unsigned char *const from = ck_pinned(t, BYTES), *const to = ck_pinned(t, BYTES);
    unsigned char *const read = ck_alloc(t, BYTES), *const want = numbers_turned(t, numbers, 256);
    struct {
        uint64_t in, out;
    } a = { in.device, out.device };
    const struct ck_launch turn = { .kernel = "shared_assign",
                                    .grid = { BYTES / 1024 },
                                    .block = { 256 },
                                    .args = &a,
                                    .size = sizeof a,
                                    .plain = true };
    struct ck_step steps[] = {
        { CK_STEP_IN, STREAM, .host = from, .device = in.device, .bytes = BYTES },
        { CK_STEP_LAUNCH, STREAM, .launch = &turn },
        { CK_STEP_OUT, STREAM, .host = to, .device = out.device, .bytes = BYTES },
        { CK_STEP_WAIT_STREAM, STREAM },
        { CK_STEP_KEEP, .host = to, .kept = read, .bytes = BYTES },
        { CK_STEP_FILL, .host = from, .value = 0x77, .bytes = BYTES },
    };

    memcpy(from, numbers.host, BYTES);
    if (ck_variant(t, "kernel-first"))
        swap(&steps[0], &steps[1]);
    if (ck_variant(t, "read-early"))
        swap(&steps[3], &steps[4]);
    if (ck_variant(t, "write-early"))
        swap(&steps[3], &steps[5]);
    ck_steps(t, steps, 6);
    ck_equal(t, out, want);
    ck_expect(t, "numbers that the host read wrong", memcmp(read, want, BYTES) != 0, 0);
}

/* listing.004.pinned-alloc: memory that stays in its place, so that the device copies from and
 * to it by itself, and the call need not wait for that. Memory of malloc may be moved: there a
 * copy goes through a buffer of the driver, and the call may wait.
 *
 *     ck_pinned      cudaMallocHost(&p, bytes)
 *     ck_is_pinned   cudaPointerGetAttributes(...)   says cudaMemoryTypeHost
 *     ck_unpin       cudaFreeHost(p) */
static void pinned_alloc(struct ck *t)
{
    const size_t bytes = (size_t)ck_int(t, "kilobytes") * 1024;
    const struct ck_buf numbers = ck_input(t, bytes), device = ck_output(t, bytes);
    unsigned char *const pageable = ck_alloc(t, bytes), *const pinned = ck_pinned(t, bytes);
    unsigned char *const p = ck_variant(t, "pageable") ? pageable : pinned;
    struct ck_step steps[] = {
        { CK_STEP_IN, .host = p, .device = device.device, .bytes = bytes },
        { CK_STEP_WAIT_STREAM },
    };

    memcpy(p, numbers.host, bytes);
    ck_steps(t, steps, 2);
    ck_equal(t, device, numbers.host);
    ck_expect(t, "page-locked", ck_is_pinned(t, p), true);
    ck_unpin(t, pinned);
}

/* ---- through registers ---- */

/* The numbers of each block come out from the last one to the first one. */
static void shared_assign(struct ck *t)
{
    const int64_t blocks = ck_int(t, "blocks"), threads = ck_int(t, "threads");
    const struct ck_buf in = ck_input(t, (size_t)(blocks * threads * 4)), out = ck_output(t, in.size);

    page_numbers(t, "shared_assign", blocks, threads, in, out);
    ck_equal(t, out, numbers_turned(t, in, (size_t)threads));
}

/* Each number becomes the sum of itself and the next one of its tile; the last one's neighbour is the first one. */
static void iteration_pattern(struct ck *t)
{
    const size_t tiles = (size_t)ck_int(t, "tiles"), threads = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_input(t, 2 * tiles * threads * 4), out = ck_output(t, in.size);
    unsigned char *const want = ck_alloc(t, in.size);

    for (size_t i = 0; i < 2 * tiles * threads; i++)
        set_number(want, i, number_at(in, i) + number_at(in, i / threads * threads + (i + 1) % threads));
    page_numbers_n(t, "iteration_pattern", 2, (int64_t)threads, in, out,
                   (int64_t)tiles - (ck_variant(t, "fewer") ? 1 : 0));
    ck_equal(t, out, want);
}

/* The numbers come out as they are, four a thread. */
static void ldg_sts(struct ck *t)
{
    const size_t blocks = (size_t)ck_int(t, "blocks"), threads = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_input(t, blocks * threads * 16), out = ck_output(t, in.size);

    page_numbers(t, "ldg_sts", (int64_t)blocks, (int64_t)threads, in, out);
    ck_equal(t, out, in.host);
}

/* ---- the entries ---- */

/* 256 numbers come out from the last one to the first one. */
static void entry(struct ck *t, const char *kernel, int64_t threads)
{
    const struct ck_buf in = ck_input(t, 1024), out = ck_output(t, 1024);

    page_numbers(t, kernel, 1, threads, in, out);
    ck_equal(t, out, numbers_turned(t, in, 256));
}

/* The block may have any number of threads. */
static void entry_barrier(struct ck *t)
{
    entry(t, "entry_barrier", ck_int(t, "threads"));
}

/* So may this one. */
static void entry_cg(struct ck *t)
{
    entry(t, "entry_cg", ck_int(t, "threads"));
}

/* One number a thread. */
static void entry_primitives(struct ck *t)
{
    entry(t, "entry_primitives", 256);
}

/* In round r each thread gets the number of the thread r + 1 places further. */
static void init_256(struct ck *t)
{
    const size_t rounds = (size_t)ck_int(t, "rounds");
    const struct ck_buf in = ck_input(t, rounds * 1024), out = ck_output(t, in.size);
    unsigned char *const want = ck_alloc(t, in.size);

    for (size_t i = 0; i < rounds * 256; i++)
        set_number(want, i, number_at(in, i / 256 * 256 + (i + i / 256 + 1) % 256));
    page_numbers_n(t, "init_256", 1, 256, in, out, (int64_t)rounds);
    ck_equal(t, out, want);
}

/* Each of n numbers becomes the sum of itself and the next one of its tile of 256; behind the last one is a zero. */
static void basic_async_copy(struct ck *t)
{
    const size_t n = (size_t)ck_int(t, "n");
    const struct ck_buf in = ck_input(t, n * 4), out = ck_output(t, (n + 255) / 256 * 1024);
    unsigned char *const want = ck_alloc(t, out.size);

    memset(want, CK_POISON, out.size);
    for (size_t i = 0; i < n; i++)
        set_number(want, i, number_at(in, i) + (i % 256 < 255 && i + 1 < n ? number_at(in, i + 1) : 0));
    page_numbers_n(t, "basic_async_copy", ((int64_t)n + 255) / 256, 256, in, out, (int64_t)n);
    ck_equal(t, out, want);
}

/* The numbers of each tile of 256 come out from the last one to the first one, each doubled and 1 more. */
static void double_buffer(struct ck *t)
{
    const size_t n = (size_t)ck_int(t, "n");
    const struct ck_buf in = ck_input(t, n * 4), out = ck_output(t, (n + 1023) / 1024 * 4096);
    unsigned char *const want = ck_alloc(t, out.size);

    memset(want, CK_POISON, out.size);
    for (size_t i = 0; i < n; i++) {
        const size_t first = i / 256 * 256, count = n - first < 256 ? n - first : 256;
        set_number(want, i, 2 * number_at(in, first + count - 1 - (i - first)) + 1);
    }
    page_numbers_n(t, "double_buffer_async", ((int64_t)n + 1023) / 1024, 256, in, out, (int64_t)n);
    ck_equal(t, out, want);
}

/* ---- common mistakes ---- */

/* 256 numbers come out as they are. */
static void read_after_wait(struct ck *t)
{
    const struct ck_buf in = ck_is(t, "source", "far") ? ck_slow_input(t, 1040) : ck_input(t, 1040);
    const struct ck_buf out = ck_output(t, 1024);
    struct ck_buf from = in;

    if (ck_variant(t, "further"))
        from.device += 16;
    page_numbers(t, "read_after_wait", 1, 256, from, out);
    ck_equal(t, out, in.host);
}

/* 256 numbers come out as they were, though the source is overwritten afterwards. */
static void change_after_wait(struct ck *t)
{
    const struct ck_buf in = ck_is(t, "source", "far") ? ck_slow_input(t, 1024) : ck_input(t, 1024);
    const struct ck_buf out = ck_output(t, 1024);
    unsigned char *const before = ck_alloc(t, 1024), *const after = ck_alloc(t, 1024);

    memcpy(before, in.host, 1024);
    for (size_t i = 0; i < 256; i++)
        set_number(after, i, 999);
    page_numbers(t, "change_after_wait", 1, 256, in, out);
    ck_equal(t, out, before);
    ck_equal(t, in, after);
}

/* The numbers of each tile come out from the last one to the first one. */
static void wait_then_read(struct ck *t)
{
    const int64_t tiles = ck_int(t, "tiles");
    const struct ck_buf in = ck_input(t, (size_t)tiles * 1024), out = ck_output(t, in.size);

    page_numbers_n(t, "wait_then_read", 1, 256, in, out, tiles);
    ck_equal(t, out, numbers_turned(t, in, 256));
}

/* n numbers and then zeros come out from the last one to the first one. */
static void conditional_copy(struct ck *t)
{
    const size_t n = (size_t)ck_int(t, "n");
    const struct ck_buf in = ck_input(t, 1024), out = ck_output(t, 1024);
    unsigned char *const want = ck_alloc(t, 1024);

    for (size_t i = 0; i < n; i++)
        set_number(want, 255 - i, number_at(in, i));
    page_numbers_n(t, "conditional_copy", 1, 256, in, out, (int64_t)n);
    ck_equal(t, out, want);
}

static const struct ck_case cases[] = {
    /* ---- copies of the host ---- */
    { CK_LISTING(004_stream_copy), .timed = true, .run = stream_copy,
      .mutants = { { "kernel-first", "the kernel before the copy that brings its numbers" } },
      .breaches = { { "read-early", "read before the wait", .varies = true },
                    { "write-early", "change the source before the wait", .varies = true } } },
    { CK_LISTING(004_pinned_alloc), .timed = true, .run = pinned_alloc, .axes = { { "kilobytes", "1 64 1024 4096" } },
      .mutants = { { "pageable", "memory of malloc" } } },

    /* ---- through registers ---- */
    { CK_LISTING(004_shared_assign), .run = shared_assign,
      .axes = { { "blocks", "1 3" }, { "threads", "2 3 4 31 32 33 64 96 128 256 512 1000 1024" } },
      .mutants = { { "mine", "each thread reads what it has copied itself", .kernel = "mine" } },
      .breaches = { { "no-sync", "no barrier before another thread's number is read", .kernel = "no_sync",
                      .varies = true } } },
    { CK_LISTING(004_iteration_pattern), .run = iteration_pattern,
      .axes = { { "tiles", "1 2 3 4 8" }, { "threads", "2 32 33 64 96 256 1024" } },
      .mutants = { { "fewer", "go over one tile fewer" } },
      .breaches = { { "no-first", "no barrier between loading and computing", .kernel = "no_first", .varies = true },
                    { "no-second", "no barrier before the next tile is loaded", .kernel = "no_second",
                      .only = "tiles=2/8", .varies = true } } },
    { CK_LISTING(004_ldg_sts), .run = ldg_sts, .axes = { { "blocks", "1 2" }, { "threads", "32 64 128 256" } },
      .mutants = { { "back", "store the four numbers in the other order", .kernel = "back" } },
      .breaches = { { "no-sync", "no barrier before other threads' numbers are read", .kernel = "no_sync",
                      .varies = true } } },
    { CK_LISTING(004_ldg_sts), .name = "instructions", .head = "#include <cuda_pipeline.h>",
      .cuda = "__shared__ int tile[256]; $; __syncthreads(); pi[threadIdx.x] = tile[255 - threadIdx.x];",
      .accept = "tile[threadIdx.x] = pi[n + threadIdx.x]", .holds = "ld.global st.shared !cp.async",
      .mutants = { { "async", "a copy that is no assignment",
                     .set = "$=__pipeline_memcpy_async(&tile[threadIdx.x], &pi[threadIdx.x], 4)" } } },

    /* ---- the entries ---- */
    { CK_LISTING(004_entry1_barrier), .run = entry_barrier,
      .axes = { { "threads", "1..9 31 32 33 64 96 128 255 256 257 512 1024" } },
      .mutants = { { "straight", "read the numbers in their order", .kernel = "straight" } },
      .breaches = { { "early", "meet at a barrier of the block, and wait for the copy at the end", .kernel = "early",
                      .varies = true } } },
    { CK_LISTING(004_init_256), .run = init_256, .axes = { { "rounds", "1..8" } },
      .mutants = { { "own", "each thread reads its own number", .kernel = "own" } },
      .breaches = { { "no-wait", "arrive and go on", .kernel = "no_wait", .varies = true } } },
    { CK_LISTING(004_entry2_cg), .run = entry_cg,
      .axes = { { "threads", "1..9 31 32 33 64 96 128 255 256 257 512 1024" } },
      .mutants = { { "straight", "read the numbers in their order", .kernel = "straight" } },
      .breaches = { { "no-wait", "meet at a barrier in place of the wait", .kernel = "no_wait", .varies = true } } },
    { CK_LISTING(004_entry3_primitives), .run = entry_primitives,
      .mutants = { { "straight", "read the numbers in their order", .kernel = "straight" } },
      .breaches = { { "no-commit", "no commit before the wait", .kernel = "no_commit", .varies = true },
                    { "wait-1", "wait for all groups but the newest one", .kernel = "wait_1", .varies = true },
                    { "no-sync", "no barrier before others' numbers are read", .kernel = "no_sync",
                      .varies = true } } },
    { CK_LISTING(004_basic_async_copy), .run = basic_async_copy,
      .axes = { { "n", "1..33 64 255 256 257 300 511 512 513 1000 2048" } },
      .mutants = { { "alone", "do not add the next number", .kernel = "alone",
                     .only = "n=2/3/31/255/256/300/511/1000" } },
      .breaches = { { "no-zero", "leave what the copy does not touch as it is", .kernel = "no_zero",
                      .only = "n=1/31/300/1000", .varies = true },
                    { "no-sync", "copy over zeros that others may still be storing", .kernel = "no_sync",
                      .only = "n=256/1000", .varies = true },
                    { "no-wait", "meet at a barrier in place of the wait", .kernel = "no_wait", .varies = true } } },
    { CK_LISTING(004_double_buffer_async), .run = double_buffer,
      .axes = { { "n", "1 2 31 32 33 255 256 257 511 512 513 700 768 769 1023 1024 1025 2000 2048 3072" } },
      .mutants = { { "odd", "give out 1", .kernel = "odd" } },
      .breaches = { { "wait-2", "let two groups run on: this tile's too", .kernel = "wait_2", .varies = true },
                    { "last-uncommitted", "no commit where nothing is copied", .kernel = "last_uncommitted",
                      .only = "n=1024/2000/3072", .varies = true },
                    { "no-first", "no barrier between the wait and others' numbers", .kernel = "no_first",
                      .only = "n=256/700/3072", .varies = true },
                    { "no-second", "no barrier before the buffer is filled again", .kernel = "no_second",
                      .only = "n=700/1024/3072", .varies = true } } },

    /* ---- common mistakes ---- */
    { CK_LISTING(004_wrong_read_early), .run = read_after_wait, .axes = { { "source", "near far" } },
      .mutants = { { "further", "copy from 16 bytes further" } },
      .breaches = { { "early", "read before the wait", .kernel = "early", .varies = true } } },
    { CK_LISTING(004_wrong_source_change), .run = change_after_wait, .axes = { { "source", "near far" } },
      .mutants = { { "after", "give out the source as it is in the end", .kernel = "after" } },
      .breaches = { { "early", "overwrite the source before the wait", .kernel = "early", .varies = true } } },
    { CK_LISTING(004_right_wait), .run = wait_then_read, .axes = { { "tiles", "1 2 3 8" } },
      .mutants = { { "straight", "read the numbers in their order", .kernel = "straight" } },
      .breaches = { { "no-second", "no barrier before the buffer is filled again", .kernel = "no_second",
                      .only = "tiles=2/8", .varies = true } } },
    { CK_LISTING(004_conditional_copy), .run = conditional_copy, .axes = { { "n", "0..34 63 64 65 100 255 256" } },
      .mutants = { { "straight", "read the numbers in their order", .kernel = "straight", .only = "n=1/31/100/256" } },
      .breaches = { { "group", "call the copy of a group in the branch, with other addresses in each thread",
                      .kernel = "group", .only = "n=31/100/256", .varies = true },
                    { "no-sync", "no barrier before others' numbers are read", .kernel = "no_sync",
                      .varies = true } } },
    { 0 }
};

const struct ck_suite listings_004_first = { "listings-004-first", cases };
// SPDX-License-Identifier: Apache-2.0
