/* The barrier of a cluster. */
#include "harness/ck.h"
#include "kernels/cluster_barrier.h"

enum { LATE = 20000 }; /* nanoseconds */

struct bench {
    struct ck_buf out, count, words;
    struct cluster_barrier_args a;
    struct ck_launch l;
    uint32_t ctas, threads, clusters;
};

/* Two clusters of `ctas` CTAs of `threads` threads, with `per` words of result a thread; 0 launches without cluster
 * dimensions. */
static void make(struct ck *t, struct bench *b, const char *kernel, uint32_t per)
{
    const uint32_t cluster = (uint32_t)ck_int(t, "ctas");

    b->ctas = cluster ? cluster : 1;
    b->threads = (uint32_t)ck_int(t, "threads");
    b->clusters = 2;
    b->out = ck_zeroed(t, (size_t)4 * b->clusters * b->ctas * b->threads * per);
    b->count = ck_zeroed(t, (size_t)4 * b->clusters);
    b->words = ck_zeroed(t, (size_t)4 * b->clusters * b->ctas * b->threads);
    b->a = (struct cluster_barrier_args){
        .out = b->out.device, .count = b->count.device, .words = b->words.device, .delay = LATE
    };
    b->l = (struct ck_launch){ .kernel = kernel,
                               .grid = { b->clusters * b->ctas },
                               .cluster = { cluster },
                               .block = { b->threads },
                               .args = &b->a,
                               .size = sizeof b->a };
}

/* Whether the thread of the cluster is one that exits at once. */
static bool leaves(const struct bench *b, uint32_t thread)
{
    return b->a.leave == LEAVE_CTA ? thread / b->threads == b->ctas - 1
                                   : thread % b->threads / 32 == (b->threads - 1) / 32;
}

/* Every thread of each cluster counts itself and meets the others: each then reads the number of threads of its
 * cluster, although a warp comes late. */
static void all_come(struct ck *t)
{
    struct bench b;
    uint32_t *expected;

    make(t, &b, "cluster_all", 1);
    expected = ck_alloc(t, b.out.size);
    for (size_t i = 0; i < b.out.size / 4; i++)
        expected[i] = b.ctas * b.threads;
    if (ck_launch(t, &b.l) == CK_DONE)
        ck_equal(t, b.out, expected);
}

/* A warp of each CTA, or a whole CTA, exits before it comes to the barrier. The others meet without it, and count
 * themselves alone. */
static void some_leave(struct ck *t)
{
    struct bench b;
    uint32_t *expected, stay = 0;

    make(t, &b, "cluster_gone", 1);
    b.a.leave = ck_is(t, "who", "cta") ? LEAVE_CTA : LEAVE_WARP;
    expected = ck_alloc(t, b.out.size);
    const uint32_t each = b.ctas * b.threads;
    for (uint32_t i = 0; i < each; i++)
        stay += !leaves(&b, i);
    for (uint32_t i = 0; i < b.clusters * each; i++)
        expected[i] = leaves(&b, each ? i % each : 0) ? 0 : stay;
    if (ck_launch(t, &b.l) == CK_DONE)
        ck_equal(t, b.out, expected);
}

/* Each thread writes the number of the round to the next CTA and meets the others, round by round: it finds the number
 * each time. */
static void many_rounds(struct ck *t)
{
    struct bench b;
    uint32_t *expected;

    make(t, &b, "cluster_rounds", 1);
    b.a.rounds = (uint32_t)ck_int(t, "rounds");
    expected = ck_alloc(t, b.out.size);
    for (size_t i = 0; i < b.out.size / 4; i++)
        expected[i] = b.a.rounds;
    if (ck_launch(t, &b.l) == CK_DONE)
        ck_equal(t, b.out, expected);
}

/* Each thread writes a word to the next CTA's shared memory and one to global memory, arrives, waits, and reads the two
 * of another thread of the CTA before. With `order` fence the arrive is relaxed behind a fence. */
static void publish(struct ck *t)
{
    struct bench b;
    uint32_t *expected;

    make(t, &b, "cluster_publish", 2);
    b.a.fence = ck_is(t, "order", "fence");
    expected = ck_alloc(t, b.out.size);
    for (uint32_t cta = 0; cta < b.clusters * b.ctas; cta++)
        for (uint32_t i = 0; i < b.threads; i++) {
            const uint32_t rank = cta % b.ctas, from = cta - rank + (rank + b.ctas - 1) % b.ctas;
            const uint32_t word = from * b.threads + (i + b.threads - 1) % b.threads + 1;
            expected[2 * (cta * b.threads + i)] = expected[2 * (cta * b.threads + i) + 1] = word;
        }
    if (ck_launch(t, &b.l) == CK_DONE)
        ck_equal(t, b.out, expected);
}

#define EARLY  "early", "read the count before the wait", .kernel = "no_wait"
#define BEFORE "read-first", "read before the wait", .kernel = "read_first"

static const struct ck_case cases[] = {
    { CK_RULE(cluster_barrier_all), .run = all_come, .axes = { { "ctas", "1 2 3 4 8" }, { "threads", "1 32 64 256" } },
      .mutants = { { EARLY, .only = "ctas=8" } } },
    { CK_RULE(cluster_barrier_all), .slow = true, .name = "large", .run = all_come,
      .axes = { { "ctas", "4 16" }, { "threads", "64 256" } }, .mutants = { { EARLY, .only = "threads=64" } } },
    { CK_RULE(cluster_barrier_no_cluster), .run = all_come,
      .axes = { { "ctas", "0" }, { "threads", "64 128 256 1024" } }, .mutants = { { EARLY } } },
    { CK_RULE(cluster_barrier_no_cluster), .name = "publishes", .run = publish,
      .axes = { { "ctas", "0" }, { "threads", "64 128" }, { "order", "release fence" } }, .mutants = { { BEFORE } } },
    { CK_RULE(cluster_barrier_gone), .run = some_leave,
      .axes = { { "ctas", "2 3 4 8" }, { "threads", "64 128 256" }, { "who", "warp cta" } },
      .mutants = { { "stay", "let them come after a while", .kernel = "stay" } } },
    { CK_RULE(cluster_barrier_reinit), .run = many_rounds,
      .axes = { { "ctas", "1 2 4 8" }, { "threads", "32 64" }, { "rounds", "1 2 3 4 10" } },
      .mutants = { { "no-barrier", "no barrier in the last round", .kernel = "no_barrier",
                     .only = "ctas=2 threads=64" } } },
    { CK_RULE(cluster_barrier_reinit), .name = "many", .run = many_rounds,
      .axes = { { "ctas", "2" }, { "threads", "32" }, { "rounds", "50 200" } },
      .mutants = { { "no-barrier", "no barrier in the last round", .kernel = "no_barrier" } } },
    { CK_RULE(cluster_barrier_publishes), .run = publish,
      .axes = { { "ctas", "1 2 3 4 8" }, { "threads", "64 128" }, { "order", "release" } },
      .mutants = { { BEFORE, .only = "ctas=2" } } },
    { CK_RULE(cluster_barrier_relaxed), .run = publish,
      .axes = { { "ctas", "2 4 8" }, { "threads", "64 128" }, { "order", "fence" } }, .mutants = { { BEFORE } },
      .breaches = { { "relaxed", "neither a release nor a fence", .kernel = "relaxed", .varies = true } } },
    { CK_RULE(cluster_barrier_between), .run = publish,
      .axes = { { "ctas", "2 4 8" }, { "threads", "64" }, { "order", "release" } }, .mutants = { { BEFORE } },
      .breaches = { { "write", "write between arrive and wait", .kernel = "write_between", .varies = true },
                    { BEFORE, .varies = true } } },
    { 0 },
};

const struct ck_suite cluster_barrier_cases = { "cluster/barrier", cases };
// SPDX-License-Identifier: Apache-2.0
