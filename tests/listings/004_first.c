/* The listings of the notes 004, first half: copies of the host, through registers, and by cp.async. */
#include <string.h>

#include "tests/listings/page.h"

/* Launches a kernel whose parameters are (const int *in, int *out). */
static void launch(struct ck *t, const char *kernel, int64_t blocks, int64_t threads, struct ck_buf in,
                   struct ck_buf out)
{
    struct {
        uint64_t in, out;
    } a = { in.device, out.device };

    PAGE_LAUNCH(t, kernel, blocks, threads, a);
}

/* Launches a kernel whose parameters are (const int *in, int *out, int n). */
static void launch_n(struct ck *t, const char *kernel, int64_t blocks, int64_t threads, struct ck_buf in,
                     struct ck_buf out, int64_t n)
{
    struct {
        uint64_t in, out;
        int32_t n;
    } a = { in.device, out.device, (int32_t)n };

    PAGE_LAUNCH(t, kernel, blocks, threads, a);
}

static uint32_t number_at(struct ck_buf b, size_t i)
{
    uint32_t number;

    memcpy(&number, b.host + 4 * i, 4);
    return number;
}

static void set_number(unsigned char *image, size_t i, uint32_t number)
{
    memcpy(image + 4 * i, &number, 4);
}

/* The numbers of each piece, from the last one to the first one. */
static unsigned char *turned(struct ck *t, struct ck_buf in, size_t length)
{
    unsigned char *const want = ck_alloc(t, in.size);

    for (size_t i = 0; i < in.size / 4; i++)
        set_number(want, i, number_at(in, i / length * length + length - 1 - i % length));
    return want;
}

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
    unsigned char *const read = ck_alloc(t, BYTES), *const want = turned(t, numbers, 256);
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

    launch(t, "shared_assign", blocks, threads, in, out);
    ck_equal(t, out, turned(t, in, (size_t)threads));
}

/* Each number becomes the sum of itself and the next one of its tile; the last one's neighbour is the first one. */
static void iteration_pattern(struct ck *t)
{
    const size_t tiles = (size_t)ck_int(t, "tiles"), threads = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_input(t, 2 * tiles * threads * 4), out = ck_output(t, in.size);
    unsigned char *const want = ck_alloc(t, in.size);

    for (size_t i = 0; i < 2 * tiles * threads; i++)
        set_number(want, i, number_at(in, i) + number_at(in, i / threads * threads + (i + 1) % threads));
    launch_n(t, "iteration_pattern", 2, (int64_t)threads, in, out, (int64_t)tiles - (ck_variant(t, "fewer") ? 1 : 0));
    ck_equal(t, out, want);
}

/* The numbers come out as they are, four a thread. */
static void ldg_sts(struct ck *t)
{
    const size_t blocks = (size_t)ck_int(t, "blocks"), threads = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_input(t, blocks * threads * 16), out = ck_output(t, in.size);

    launch(t, "ldg_sts", (int64_t)blocks, (int64_t)threads, in, out);
    ck_equal(t, out, in.host);
}

/* ---- the entries ---- */

/* 256 numbers come out from the last one to the first one. */
static void entry(struct ck *t, const char *kernel, int64_t threads)
{
    const struct ck_buf in = ck_input(t, 1024), out = ck_output(t, 1024);

    launch(t, kernel, 1, threads, in, out);
    ck_equal(t, out, turned(t, in, 256));
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
    launch_n(t, "init_256", 1, 256, in, out, (int64_t)rounds);
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
    launch_n(t, "basic_async_copy", ((int64_t)n + 255) / 256, 256, in, out, (int64_t)n);
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
    launch_n(t, "double_buffer_async", ((int64_t)n + 1023) / 1024, 256, in, out, (int64_t)n);
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
    launch(t, "read_after_wait", 1, 256, from, out);
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
    launch(t, "change_after_wait", 1, 256, in, out);
    ck_equal(t, out, before);
    ck_equal(t, in, after);
}

/* The numbers of each tile come out from the last one to the first one. */
static void wait_then_read(struct ck *t)
{
    const int64_t tiles = ck_int(t, "tiles");
    const struct ck_buf in = ck_input(t, (size_t)tiles * 1024), out = ck_output(t, in.size);

    launch_n(t, "wait_then_read", 1, 256, in, out, tiles);
    ck_equal(t, out, turned(t, in, 256));
}

/* n numbers and then zeros come out from the last one to the first one. */
static void conditional_copy(struct ck *t)
{
    const size_t n = (size_t)ck_int(t, "n");
    const struct ck_buf in = ck_input(t, 1024), out = ck_output(t, 1024);
    unsigned char *const want = ck_alloc(t, 1024);

    for (size_t i = 0; i < n; i++)
        set_number(want, 255 - i, number_at(in, i));
    launch_n(t, "conditional_copy", 1, 256, in, out, (int64_t)n);
    ck_equal(t, out, want);
}

/* ---- PTX ---- */

/* 16 bytes of each thread, from the last one to the first one. */
static void ptx_basic(struct ck *t)
{
    const size_t threads = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_input(t, threads * 16), out = ck_output(t, in.size);
    unsigned char *const want = ck_alloc(t, in.size);

    for (size_t i = 0; i < threads; i++)
        memcpy(want + i * 16, in.host + (threads - 1 - i) * 16, 16);
    launch(t, "ptx_basic", 1, (int64_t)threads, in, out);
    ck_equal(t, out, want);
}

/* What comes out begins 64 bytes further. */
static void ptx_prefetch(struct ck *t)
{
    const size_t threads = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_input(t, 64 + threads * 16), out = ck_output(t, threads * 16);

    launch(t, "ptx_prefetch", 1, (int64_t)threads, in, out);
    ck_equal(t, out, in.host + 64);
}

/* Three numbers of each row of four, and a zero. */
static void src_size_tail(struct ck *t)
{
    const size_t threads = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_input(t, threads * 16), out = ck_output(t, in.size);
    unsigned char *const want = ck_alloc(t, in.size);

    for (size_t i = 0; i < threads; i++)
        memcpy(want + i * 16, in.host + i * 16, 12);
    launch(t, "src_size_tail", 1, (int64_t)threads, in, out);
    ck_equal(t, out, want);
}

/* The array, and zeros up to the end of what the threads copy. */
static void ptx_srcsize(struct ck *t)
{
    const size_t bytes = (size_t)ck_int(t, "bytes");
    const struct ck_buf in = ck_input(t, bytes), out = ck_output(t, 512);
    unsigned char *const want = ck_alloc(t, 512);

    memcpy(want, in.host, bytes);
    launch_n(t, "ptx_srcsize", 1, 32, in, out, (int64_t)bytes);
    ck_equal(t, out, want);
}

/* The 16 bytes of each thread below valid_count, and zeros; behind the source there is no memory. */
static void ignore_src(struct ck *t)
{
    const size_t valid = (size_t)ck_int(t, "valid");
    const struct ck_buf in = ck_edge_input(t, valid * 16), out = ck_output(t, 1024);
    unsigned char *const want = ck_alloc(t, 1024);

    memcpy(want, in.host, valid * 16);
    launch_n(t, "ignore_src", 1, 64, in, out, (int64_t)valid);
    ck_equal(t, out, want);
}

/* Tiles of 30 pieces and of one more on both sides; zeros past the ends. Behind the row there is no memory; where the
 * mutant reads there is some. */
static void ptx_ignsrc(struct ck *t)
{
    const size_t n = (size_t)ck_int(t, "pieces"), tiles = (n + 29) / 30;
    const struct ck_buf in = ck_variant(t, "high") ? ck_input(t, n * 16) : ck_edge_input(t, n * 16);
    const struct ck_buf out = ck_output(t, tiles * 512);
    unsigned char *const want = ck_alloc(t, out.size);

    for (size_t i = 0; i < tiles * 32; i++) {
        const size_t piece = i / 32 * 30 + i % 32; /* counted from 1 */
        if (piece >= 1 && piece <= n)
            memcpy(want + i * 16, in.host + (piece - 1) * 16, 16);
    }
    launch_n(t, "ptx_ignsrc", (int64_t)tiles, 32, in, out, (int64_t)n);
    ck_equal(t, out, want);
}

/* The rows of a random list; every third number is -1, and gives zeros. */
static void gather_rows(struct ck *t)
{
    const size_t threads = (size_t)ck_int(t, "threads"), count = 16;
    const struct ck_buf rows = ck_input(t, count * 16), list = ck_input(t, threads * 4);
    const struct ck_buf out = ck_output(t, threads * 16);
    unsigned char *const want = ck_alloc(t, out.size);
    struct {
        uint64_t rows, list, out;
    } a = { rows.device, list.device, out.device };

    for (size_t i = 0; i < threads; i++) {
        const uint32_t row = (uint32_t)(ck_random(t) % count);
        set_number(list.host, i, i % 3 ? row : UINT32_MAX);
        if (i % 3)
            memcpy(want + i * 16, rows.host + row * 16, 16);
    }
    ck_changed(t, list);
    PAGE_LAUNCH(t, "gather_rows", 1, threads, a);
    ck_equal(t, out, want);
}

#define NO_WAIT                                                                                                        \
    {                                                                                                                  \
        "no-wait", "no wait before the read", .kernel = "no_wait", .varies = true                                      \
    }

static const struct ck_case cases[] = {
    /* ---- copies of the host ---- */
    { CK_LISTING(004_stream_copy), .run = stream_copy,
      .mutants = { { "kernel-first", "the kernel before the copy that brings its numbers" } },
      .breaches = { { "read-early", "read before the wait", .varies = true },
                    { "write-early", "change the source before the wait", .varies = true } } },
    { CK_LISTING(004_pinned_alloc), .run = pinned_alloc, .axes = { { "kilobytes", "1 64 1024 4096" } },
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
      .breaches = { { "no-wait", "meet at a barrier of the block in place of the copy's", .kernel = "no_wait",
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

    /* ---- the forms of cp.async ---- */
    { CK_LISTING(004_cpasync_syntax_ca), .name = "place", .assemble = "cp.async.ca$ [sa], [g], 16;", .version = "7.8",
      .target = "sm_90", .accept = ".shared.global|.shared::cta.global",
      .refuse = ".shared::cluster.global|.global.shared|.shared" },
    { CK_LISTING(004_cpasync_syntax_ca), .name = "size", .assemble = "cp.async.ca.shared.global [sa], [g]$;",
      .accept = ", 4|, 8|, 16|, 16, n|, 4, 3", .refuse = "|, n|, 12|, 32" },
    { CK_LISTING(004_cpasync_syntax_ca), .name = "prefetch", .assemble = "cp.async.ca.shared.global$ [sa], [g], 8;",
      .version = "7.4", .accept = "|.L2::64B|.L2::128B|.L2::256B", .refuse = ".L2|.L2::512B|.L1::128B" },
    { CK_LISTING(004_cpasync_syntax_ca), .name = "policy",
      .assemble = "cp.async.ca.shared.global.L2::cache_hint$ [sa], [g], 8${rest};", .version = "7.4",
      .accept = "|.L2::128B", .refuse = ".L2::cache_hint|.L2", .axes = { { "rest", ",pol ,n,pol" } } },
    { CK_LISTING(004_cpasync_syntax_ca), .name = "no-policy",
      .assemble = "cp.async.ca.shared.global$ [sa], [g], 8, pol;", .version = "7.4", .accept = ".L2::cache_hint",
      .refuse = "|.L2::128B" },
    { CK_LISTING(004_cpasync_syntax_cg), .name = "place", .assemble = "cp.async.cg$ [sa], [g], 16;", .version = "7.8",
      .target = "sm_90", .accept = ".shared.global|.shared::cta.global",
      .refuse = ".shared::cluster.global|.global.shared|.shared" },
    { CK_LISTING(004_cpasync_syntax_cg), .name = "size", .assemble = "cp.async.cg.shared.global [sa], [g]$;",
      .accept = ", 16|, 16, n|, 16, 3", .refuse = "|, n|, 4|, 8|, 8, 4|, 32" },
    { CK_LISTING(004_cpasync_syntax_cg), .name = "prefetch", .assemble = "cp.async.cg.shared.global$ [sa], [g], 16;",
      .version = "7.4", .accept = "|.L2::64B|.L2::128B|.L2::256B", .refuse = ".L2|.L2::512B|.L1::128B" },
    { CK_LISTING(004_cpasync_syntax_cg), .name = "policy",
      .assemble = "cp.async.cg.shared.global.L2::cache_hint$ [sa], [g], 16${rest};", .version = "7.4",
      .accept = "|.L2::128B", .refuse = ".L2::cache_hint|.L2", .axes = { { "rest", ",pol ,n,pol" } } },
    { CK_LISTING(004_cpasync_syntax_cg), .name = "no-policy",
      .assemble = "cp.async.cg.shared.global$ [sa], [g], 16, pol;", .version = "7.4", .accept = ".L2::cache_hint",
      .refuse = "|.L2::128B" },
    { CK_LISTING(004_cpasync_syntax_ignsrc), .name = "ca", .assemble = "cp.async.ca.shared.global [sa], [g], ${size}$;",
      .accept = "|, p", .refuse = ", true|, p, n|, n, p", .axes = { { "size", "4 8 16" } } },
    { CK_LISTING(004_cpasync_syntax_ignsrc), .name = "cg", .assemble = "cp.async.cg.shared.global [sa], [g], ${size}$;",
      .accept = "|, p", .refuse = ", true|, p, n|, n, p", .axes = { { "size", "16" } } },

    /* ---- PTX ---- */
    { CK_LISTING(004_src_size_tail), .run = src_size_tail, .axes = { { "threads", "1..33 64 128 256" } },
      .mutants = { { "last", "give out the fourth number alone", .kernel = "last" } },
      .breaches = { { "dense", "rows of 12 bytes, one behind the other", .kernel = "dense", .only = "threads=7/32",
                      .faults = true },
                    NO_WAIT } },
    { CK_LISTING(004_ignore_src), .run = ignore_src, .axes = { { "valid", "1..64" } },
      .mutants = { { "fewer", "ignore the source of the thread before valid_count too", .kernel = "fewer" } },
      .breaches = { { "one-more", "let the thread valid_count copy too", .kernel = "one_more", .only = "valid=1/33/63",
                      .faults = true },
                    NO_WAIT } },
    { CK_LISTING(004_inline_ignore_src), .run = gather_rows,
      .axes = { { "threads", "1 2 3 31 32 33 64 100 128 255 256" } },
      .mutants = { { "all", "ignore nothing", .kernel = "all" } }, .breaches = { NO_WAIT } },
    { CK_LISTING(004_ptx_basic), .run = ptx_basic, .axes = { { "threads", "2..34 64 128 256" } },
      .mutants = { { "straight", "each thread reads its own piece", .kernel = "straight" } },
      .breaches = { { "no-wait", "no wait before the barrier", .kernel = "no_wait", .varies = true },
                    { "no-sync", "no barrier before others' pieces are read", .kernel = "no_sync", .varies = true } } },
    { CK_LISTING(004_ptx_prefetch), .run = ptx_prefetch, .axes = { { "threads", "1..33 64 128 256" } },
      .mutants = { { "near", "copy from 64 bytes before", .kernel = "near" } }, .breaches = { NO_WAIT } },
    { CK_LISTING(004_ptx_srcsize), .run = ptx_srcsize, .axes = { { "bytes", "1..66 100 255 256 400 511 512" } },
      .mutants = { { "whole", "copy whole pieces only", .kernel = "whole",
                     .only = "bytes=1/2/3/4/8/15/17/31/33/511" } },
      .breaches = { { "unclamped", "give all that is left as the source size", .kernel = "unclamped",
                      .only = "bytes=32/100/511" },
                    { "no-wait", "no wait before the read", .kernel = "no_wait", .only = "bytes=1/16/512",
                      .varies = true } } },
    { CK_LISTING(004_ptx_ignsrc), .run = ptx_ignsrc, .axes = { { "pieces", "1..62 100" } },
      .mutants = { { "high", "look at the high end only", .kernel = "high" } },
      .breaches = { { "low", "look at the low end only: the piece behind the row is read", .kernel = "low",
                      .only = "pieces=1/29/100", .faults = true },
                    NO_WAIT } },
    { 0 }
};

const struct ck_suite listings_004_first = { "listings-004-first", cases };
