/* The barriers of a CTA: bar.sync, bar.arrive, bar.red, and threads that exit. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/bar.h"

enum { LATE = 20000, WORD = 4 }; /* nanoseconds; bytes */

struct bench {
    struct ck_buf in, out, words;
    struct bar_args a;
    uint32_t threads;
    uint32_t *expected;
};

/* A CTA of `threads` threads in groups of `group`, with `per` words of result for each thread. */
static struct bench bench_of(struct ck *t, uint32_t threads, uint32_t group, uint32_t per)
{
    struct bench b = { .threads = threads };

    b.in = ck_zeroed(t, (size_t)WORD * threads);
    b.out = ck_zeroed(t, (size_t)WORD * threads * per);
    b.words = ck_zeroed(t, (size_t)WORD * threads);
    b.expected = ck_alloc(t, b.out.size);
    b.a = (struct bar_args){
        .in = b.in.device, .out = b.out.device, .words = b.words.device, .group = group, .rounds = 1, .delay = LATE
    };
    return b;
}

static void run(struct ck *t, const struct bench *b, const char *kernel)
{
    ck_changed(t, b->in);
    if (ck_launch(t, &(struct ck_launch){
                         .kernel = kernel, .block = { b->threads }, .args = &b->a, .size = sizeof b->a }) == CK_DONE)
        ck_equal(t, b->out, b->expected);
}

static uint32_t form_of(struct ck *t)
{
    static const char *const forms[] = { "sync", "sync-count", "barrier", "barrier-count" };

    for (uint32_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (ck_is(t, "form", forms[i]))
            return i;
    return BAR_ALIGNED_COUNT;
}

/* Each thread writes a word to shared and one to global memory, meets its group, and reads what a thread of another
 * warp wrote. One warp of each group comes late. */
static void exchange(struct ck *t)
{
    const uint32_t group = (uint32_t)ck_int(t, "threads"), groups = (uint32_t)ck_int(t, "groups");
    struct bench b = bench_of(t, group * groups, group, 2);

    b.a.form = form_of(t);
    b.a.id = (uint32_t)ck_int(t, "id");
    for (uint32_t i = 0; i < b.threads; i++) {
        const uint32_t first = i / group * group, other = first + (i - first + group - 32) % group;
        b.expected[2 * i] = other + 1;
        b.expected[2 * i + 1] = other + 1001;
    }
    run(t, &b, "bar_exchange");
}

/* Half of the threads make all their rounds at a barrier with their count, before the others begin theirs at another
 * one: each round hands words over. */
static void halves(struct ck *t)
{
    const uint32_t group = (uint32_t)ck_int(t, "threads");
    struct bench b = bench_of(t, 2 * group, group, 1);

    b.a.form = form_of(t);
    b.a.id = 1;
    b.a.rounds = (uint32_t)ck_int(t, "rounds");
    for (uint32_t i = 0; i < b.threads; i++)
        b.expected[i] = b.a.rounds;
    run(t, &b, "bar_partial");
}

/* Half of the threads write a word and only arrive; the others wait for them, and read the words, round by round. */
static void hand_over(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    struct bench b = bench_of(t, threads, threads / 2, 1);

    b.a.id = (uint32_t)ck_int(t, "id");
    b.a.rounds = (uint32_t)ck_int(t, "rounds");
    for (uint32_t i = threads / 2; i < threads; i++)
        b.expected[i] = b.a.rounds;
    run(t, &b, "bar_hand_over");
}

/* Whether the pattern of the axis `mask` has the thread, of so many. */
static bool votes(struct ck *t, uint32_t thread, uint32_t threads)
{
    return ck_is(t, "mask", "all")       ? true
           : ck_is(t, "mask", "none")    ? false
           : ck_is(t, "mask", "first")   ? thread == 0
           : ck_is(t, "mask", "last")    ? thread == threads - 1
           : ck_is(t, "mask", "but-one") ? thread != threads / 2
           : ck_is(t, "mask", "even")    ? thread % 2 == 0
                                         : thread < 32;
}

/* Each thread brings a predicate: all threads of its group get the number of true ones, or whether all, or any, are. */
static void reduce(struct ck *t)
{
    const uint32_t group = (uint32_t)ck_int(t, "threads"), groups = (uint32_t)ck_int(t, "groups");
    struct bench b = bench_of(t, group * groups, group, 1);
    uint32_t *in = (uint32_t *)b.in.host, sum = 0;

    b.a.form = ck_is(t, "op", "popc") ? BAR_POPC : ck_is(t, "op", "and") ? BAR_AND : BAR_OR;
    b.a.id = (uint32_t)ck_int(t, "id");
    for (uint32_t i = 0; i < group; i++)
        sum += votes(t, i, group);
    for (uint32_t i = 0; i < b.threads; i++) {
        in[i] = votes(t, i % group, group);
        b.expected[i] = b.a.form == BAR_POPC ? sum : b.a.form == BAR_AND ? sum == group : sum != 0;
    }
    if (ck_variant(t, "flip"))
        in[0] = !in[0];
    run(t, &b, "bar_reduce");
}

/* The last warp exits before it comes to the barrier; the others meet without it. */
static void some_exit(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    struct bench b = bench_of(t, threads, threads, 1);

    b.a.form = form_of(t);
    b.a.id = (uint32_t)ck_int(t, "id");
    for (uint32_t i = 0; i < threads - 32; i++)
        b.expected[i] = threads - 32;
    run(t, &b, "bar_exited");
}

#define FORMS      "sync sync-count barrier barrier-count aligned-count"
#define COUNTED    "sync-count barrier-count aligned-count"
#define NO_BARRIER "no-bar", "do not meet in the last round", .kernel = "no_bar"

static const struct ck_case cases[] = {
    { CK_RULE(bar_sync_orders), .run = exchange,
      .axes = { { "form", FORMS }, { "threads", "64 96 128 256 1024" }, { "groups", "1" }, { "id", "0 1 15" } },
      .mutants = { { NO_BARRIER, .only = "threads=128" } } },
    { CK_RULE(bar_sync_orders), .name = "ids", .run = exchange,
      .axes = { { "form", "sync barrier-count" }, { "threads", "64" }, { "groups", "1" }, { "id", "0..15" } },
      .mutants = { { NO_BARRIER } } },
    { CK_RULE(bar_named_independent), .run = exchange,
      .axes = { { "form", COUNTED }, { "threads", "64" }, { "groups", "2 3 4 8 16" }, { "id", "0" } },
      .mutants = { { NO_BARRIER } } },
    { CK_RULE(bar_named_independent), .name = "large", .run = exchange,
      .axes = { { "form", COUNTED }, { "threads", "128 256" }, { "groups", "2 3 4" }, { "id", "0 1 12" } },
      .mutants = { { NO_BARRIER, .only = "id=0" } } },
    { CK_RULE(bar_sync_partial), .run = halves,
      .axes = { { "form", COUNTED }, { "threads", "64 128" }, { "rounds", "1 2 3" } },
      .mutants = { { NO_BARRIER, .only = "rounds=2" } } },
    { CK_RULE(bar_reuse), .run = halves,
      .axes = { { "form", COUNTED }, { "threads", "64" }, { "rounds", "1 2 10 100" } },
      .mutants = { { NO_BARRIER, .only = "rounds=10" } } },
    { CK_RULE(bar_arrive_sync), .run = hand_over,
      .axes = { { "threads", "64 128 256 1024" }, { "id", "0 1 7 15" }, { "rounds", "1 2 10" } },
      .mutants = { { "early", "read before the barrier", .kernel = "read_first", .only = "id=1" } } },
    { CK_RULE(bar_red), .run = reduce,
      .axes = { { "op", "popc and or" },
                { "mask", "all none first last but-one even warp" },
                { "threads", "32 64 128 512" },
                { "groups", "1 2" },
                { "id", "0 14" } },
      .mutants = { { "flip", "let one thread bring the opposite", .only = "op=popc id=0" } } },
    { CK_RULE(bar_exited_threads), .run = some_exit,
      .axes = { { "form", "sync barrier" }, { "threads", "64 96 128 1024" }, { "id", "0 1 15" } },
      .mutants = { { "stay", "let the warp come after a while", .kernel = "stay" } } },
    { 0 },
};

const struct ck_suite sync_bar_cases = { "sync/bar", cases };
// SPDX-License-Identifier: Apache-2.0
