/* How long copies into shared memory take, beside another way to make the same copy. */
#include "tests/speed/speed.h"

enum { THREADS = 128, TILES = 16 };

/* 128 threads copy 2 KB by cp.async `times` times, with .ca and with .cg, from bytes that the L2 cache has. The ratio
 * says what .ca costs the first time, and what it saves when the same bytes are asked for again. */
static void cache_choice(struct ck *t)
{
    struct speed s = speed_of(t, ck_input(t, ROUNDS * 2 * THREADS * 16), THREADS, ROUNDS);

    s.a.bytes = THREADS * 16;
    s.a.times = (uint32_t)ck_int(t, "times");
    for (uint32_t i = 0; i < THREADS; i++)
        for (uint32_t way = 0; way < 2; way++)
            s.expected[way * THREADS + i] =
                word_of(s.in.host + ((s.a.rounds - 1) * 2 + way) * (size_t)s.a.bytes + i * 16);
    run_speed(t, &s, "speed_cache", s.a.bytes, ".ca over .cg");
}

/* 128 threads copy by cp.async.cg from a source some bytes past a multiple of 128, and from one at it: a warp's 512
 * bytes lie in five lines in place of four. */
static void alignment(struct ck *t)
{
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes"), offset = (uint32_t)ck_int(t, "offset");
    struct speed s = speed_of(t, ck_input(t, bytes + 128), THREADS, ROUNDS);

    s.a.bytes = bytes;
    s.a.choice = offset;
    for (uint32_t i = 0; i < THREADS; i++) {
        s.expected[i] = word_of(s.in.host + offset + i * 16);
        s.expected[THREADS + i] = word_of(s.in.host + i * 16);
    }
    run_speed(t, &s, "speed_align", bytes, "past a line's begin over at it");
}

/* The same bytes come by cp.async of 128 threads and by one bulk copy, until all threads may read them. */
static void size_crossover(struct ck *t)
{
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");
    struct speed s = speed_of(t, ck_input(t, bytes), THREADS, ROUNDS);

    s.a.bytes = bytes;
    for (uint32_t i = 0; i < THREADS; i++)
        expect_word(&s, i, word_of(s.in.host + i * 4 % bytes));
    run_speed(t, &s, "speed_size", 2 * bytes + 8, "cp.async over a bulk copy");
}

/* A thread issues a bulk copy, and reads the clock before it waits: the time until then is a part of the whole. */
static void issue(struct ck *t)
{
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");
    struct speed s = speed_of(t, ck_slow_input(t, bytes), 1, ROUNDS);

    s.a.bytes = bytes;
    expect_word(&s, 0, word_of(s.in.host));
    run_speed(t, &s, "speed_issue", bytes + 8, "to issue over to issue and wait");
}

/* What a thread makes of a word in `steps` steps. */
static uint32_t worked(uint32_t x, uint32_t steps)
{
    while (steps--)
        x = x * 1664525u + 1013904223u;
    return x;
}

/* Sixteen tiles for `workers` threads; each thread works on the words that are its own in each. */
static void expect_work(struct speed *s, uint32_t first, uint32_t workers)
{
    for (uint32_t i = 0; i < workers; i++) {
        uint32_t sum = 0;
        for (uint32_t tile = 0; tile < TILES; tile++)
            for (uint32_t at = i * 4; at < s->a.bytes; at += workers * 4)
                sum += worked(word_of(s->in.host + (size_t)tile * s->a.bytes + at), s->a.times);
        expect_word(s, first + i, sum);
    }
}

static struct speed tiles(struct ck *t, uint32_t threads)
{
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");
    struct speed s = speed_of(t, ck_input(t, (size_t)TILES * bytes), threads, ROUNDS);

    s.a.bytes = bytes;
    s.a.times = (uint32_t)ck_int(t, "work");
    return s;
}

/* Sixteen tiles are loaded and worked on: one after the other through registers, and with the next tile on its way by
 * cp.async while threads work on this one. */
static void double_buffer(struct ck *t)
{
    struct speed s = tiles(t, THREADS);

    expect_work(&s, 0, THREADS);
    run_speed(t, &s, "speed_overlap", 2 * s.a.bytes, "one after the other over two buffers");
}

/* Sixteen tiles come by bulk copies, with one place in shared memory and with several. */
static void stages(struct ck *t)
{
    struct speed s = tiles(t, THREADS);

    s.a.choice = (uint32_t)ck_int(t, "stages");
    expect_work(&s, 0, THREADS);
    run_speed(t, &s, "speed_stages", s.a.choice * s.a.bytes + 8 * (s.a.choice + 1), "one stage over several");
}

/* Sixteen tiles come by bulk copies through four places; who loads is one of the working threads, or a thread of a warp
 * of its own. Both get the same sums. */
static void roles(struct ck *t)
{
    struct speed s = tiles(t, 32 + THREADS);

    expect_work(&s, 32, THREADS);
    run_speed(t, &s, "speed_roles", 4 * s.a.bytes + 128, "a worker loads over a warp that only loads");
}

/* Each thread brings sixteen pieces of 16 bytes into shared memory through registers: each by a load and its store, and
 * several loads before their stores. */
static void batches(struct ck *t)
{
    struct speed s = speed_of(t, ck_input(t, 16 * 16 * THREADS), THREADS, ROUNDS);

    s.a.choice = (uint32_t)ck_int(t, "batch");
    for (uint32_t i = 0; i < THREADS; i++)
        expect_word(&s, i, word_of(s.in.host + i * 16));
    run_speed(t, &s, "speed_batch", (uint32_t)s.in.size, "load, store, in turn over loads first");
}

/* Each CTA of a cluster gets the same bytes: by a load of its own, and by one multicast for all. */
static void multicast(struct ck *t)
{
    enum { BLOCK = 32 };
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes"), ctas = (uint32_t)ck_int(t, "ctas");
    const uint32_t clusters = (uint32_t)ck_int(t, "clusters"), grid = clusters * ctas;
    struct speed s = speed_of(t, ck_input(t, (size_t)clusters * bytes), grid * BLOCK, ROUNDS);

    s.a.bytes = bytes;
    for (uint32_t i = 0; i < s.threads; i++)
        expect_word(&s, i, word_of(s.in.host + (size_t)(i / BLOCK / ctas) * bytes + i % BLOCK * 4));
    if (launch_speed(t, "speed_multicast", &s.a, sizeof s.a, grid, BLOCK, ctas, bytes + 8) == CK_DONE)
        judge_speed(t, &s, "a load for each CTA over one multicast");
}

static const struct ck_case cases[] = {
    { CK_RULE(obs_cpasync_cache_choice), .timed = true, .run = cache_choice, .axes = { { "times", "1 2 3 4 8 16" } } },
    { CK_RULE(obs_cpasync_align128), .timed = true, .run = alignment,
      .axes = { { "offset", "0 16 32 48 64 80 96 112" }, { "bytes", "2048 8192 16384" } } },
    { CK_RULE(obs_tma_size_crossover), .timed = true, .run = size_crossover,
      .axes = { { "bytes", "64 128 256 512 1024 2048 4096 8192 16384 32768 65536" } } },
    { CK_RULE(bulk_async_returns_early), .timed = true, .run = issue, .axes = { { "bytes", "16 1024 16384 65536" } } },
    { CK_RULE(obs_overlap_double_buffer), .timed = true, .run = double_buffer,
      .axes = { { "work", "0 4 16 64" }, { "bytes", "2048 8192" } } },
    { CK_RULE(obs_overlap_prefetch), .timed = true, .run = stages,
      .axes = { { "stages", "2 4 8" }, { "work", "0 4 16 64" }, { "bytes", "2048 8192" } } },
    { CK_RULE(obs_warp_specialisation_uniform), .timed = true, .run = roles,
      .axes = { { "work", "0 4 16 64" }, { "bytes", "2048 8192" } } },
    { CK_RULE(obs_copy_batched_loads), .timed = true, .run = batches, .axes = { { "batch", "2 4 8" } } },
    { CK_RULE(obs_multicast_speed), .timed = true, .run = multicast,
      .axes = { { "ctas", "2 4 8" }, { "bytes", "1024 8192 32768" }, { "clusters", "1 16" } } },
    { 0 }
};

const struct ck_suite speed_copies = { "speed/copies", cases };
// SPDX-License-Identifier: Apache-2.0
