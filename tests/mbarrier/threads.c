/* Many threads and one object: data handed over, rings, threads that leave, phases without end. */
#include "kernels/mbarrier_threads.h"
#include "tests/mbarrier/program.h"

enum { SLOW = 3000 }; /* nanoseconds that slow threads take */

/* What thread `thread` writes in a phase; the kernels' word_of(). */
static uint32_t value(uint32_t phase, uint32_t thread)
{
    return phase * 4096 + thread + 1;
}

static uint32_t number(struct ck *t, const char *axis)
{
    return (uint32_t)ck_int(t, axis);
}

static enum ck_end launch(struct ck *t, const char *kernel, uint32_t threads, uint32_t smem, const void *args,
                          size_t size)
{
    return ck_launch(
        t, &(struct ck_launch){ .kernel = kernel, .block = { threads }, .smem = smem, .args = args, .size = size });
}

/* The words that threads exchange through shared memory: each writes one, arrives or drops out, waits, and reads the
 * word of another thread. */
static void exchange_words(struct ck *t, bool drop)
{
    const uint32_t threads = number(t, "threads"), phases = number(t, "phases");
    const uint32_t shift = threads > 32 ? 32 : 1;
    const struct ck_buf out = ck_output(t, 4 * threads * phases);
    const struct mbarrier_exchange_args a = { .out = out.device,
                                              .phases = phases,
                                              .shift = shift,
                                              .delay = SLOW,
                                              .form = form_of(t, "form"),
                                              .wait = form_of(t, "wait"),
                                              .try_wait = ck_is(t, "by", "try"),
                                              .drop = drop };
    uint32_t *expected = ck_alloc(t, out.size);

    for (uint32_t phase = 0; phase < phases; phase++)
        for (uint32_t i = 0; i < threads; i++)
            expected[phase * threads + i] = value(phase, (i + shift) % threads);
    if (launch(t, "mbarrier_exchange", threads, 16 + 8 * threads, &a, sizeof a) == CK_DONE)
        ck_equal(t, out, expected);
}

/* Every thread writes a word, arrives and waits, then reads the word that another thread wrote before it arrived. */
static void exchange(struct ck *t)
{
    exchange_words(t, false);
}

/* Every thread writes a word, drops out and waits, then reads the word that another thread wrote before it dropped
 * out: arrive_drop publishes as arrive does. */
static void exchange_by_drop(struct ck *t)
{
    exchange_words(t, true);
}

/* Every thread reads the word of another one, arrives and waits, and only then writes its own word anew: no reader
 * sees the new word. */
static void overwrite(struct ck *t)
{
    const uint32_t threads = number(t, "threads"), shift = threads > 32 ? 32 : 1;
    const struct ck_buf out = ck_output(t, 8 * threads);
    const struct mbarrier_exchange_args a = { .out = out.device,
                                              .shift = shift,
                                              .delay = SLOW,
                                              .form = form_of(t, "form"),
                                              .wait = form_of(t, "wait"),
                                              .try_wait = ck_is(t, "by", "try") };
    uint32_t *expected = ck_alloc(t, out.size);

    for (uint32_t i = 0; i < threads; i++) {
        expected[i] = value(0, (i + shift) % threads);
        expected[threads + i] = value(1, i);
    }
    if (launch(t, "mbarrier_overwrite", threads, 16 + 4 * threads, &a, sizeof a) == CK_DONE)
        ck_equal(t, out, expected);
}

/* One thread makes an object, late; the others use it after they synchronised with it. All arrive, and every wait
 * comes true. */
static void publish(struct ck *t)
{
    const uint32_t threads = number(t, "threads");
    const struct ck_buf out = ck_zeroed(t, 4 * threads);
    const struct mbarrier_publish_args a = { .out = out.device,
                                             .delay = SLOW,
                                             .count = threads + ck_variant(t, "count") };
    uint32_t *expected = ck_alloc(t, out.size);

    for (uint32_t i = 0; i < threads; i++)
        expected[i] = 1;
    if (launch(t, "mbarrier_publish", threads, 16, &a, sizeof a) == CK_DONE)
        ck_equal(t, out, expected);
}

/* Producers fill a ring of slots and consumers empty it, with two objects for each slot, full and empty: threads
 * arrive in the next phase while others still test the one before, and the consumers get all items in order. */
static void ring(struct ck *t)
{
    const uint32_t threads = number(t, "threads"), half = threads / 2, stages = number(t, "stages"), items = 24;
    const uint32_t shift = half > 32 ? 32 : 0;
    const struct ck_buf out = ck_output(t, 4 * half * items);
    const struct mbarrier_ring_args a = {
        .out = out.device, .items = items, .stages = stages, .shift = shift, .delay = SLOW
    };
    uint32_t *expected = ck_alloc(t, out.size);

    for (uint32_t item = 0; item < items; item++)
        for (uint32_t i = 0; i < half; i++)
            expected[item * half + i] = value(item, (i + shift) % half);
    if (launch(t, "mbarrier_ring", threads, 16 * stages + 4 * half * stages, &a, sizeof a) == CK_DONE)
        ck_equal(t, out, expected);
}

/* Half of the threads drop out in the first phase and exit; the others go on, and all their waits come true. */
static void leave(struct ck *t)
{
    const uint32_t threads = number(t, "threads"), phases = 9;
    const struct ck_buf out = ck_zeroed(t, 4 * threads);
    const struct mbarrier_leave_args a = { .out = out.device, .phases = phases, .form = form_of(t, "form") };
    uint32_t *expected = ck_alloc(t, out.size);

    for (uint32_t i = 0; i < threads / 2; i++)
        expected[i] = phases;
    if (launch(t, "mbarrier_leave", threads, 16, &a, sizeof a) == CK_DONE)
        ck_equal(t, out, expected);
}

/* Phases follow each other without limit: through more of them than 20 bits count, every test gives the right
 * answer. */
static void phases(struct ck *t)
{
    const struct ck_buf out = ck_output(t, 8);
    const struct mbarrier_count_args a = { .out = out.device, .phases = number(t, "phases") };
    const uint32_t *got = (const uint32_t *)(const void *)out.host;

    if (launch(t, "mbarrier_phases", 1, 16, &a, sizeof a) != CK_DONE)
        return;
    ck_expect(t, "wrong answers of test_wait", got[0], 0);
    ck_expect(t, "phases", got[1], a.phases);
}

/* As many objects as fit into shared memory work side by side: arrivals on every second one complete its phases, and
 * no other's. */
static void many(struct ck *t)
{
    const uint32_t objects = number(t, "objects");
    const struct ck_buf out = ck_zeroed(t, 4);
    const struct mbarrier_count_args a = { .out = out.device, .phases = 3, .objects = objects };

    if (launch(t, "mbarrier_many", objects < 256 ? 32 : 256, 8 * objects, &a, sizeof a) == CK_DONE)
        ck_expect(t, "objects in a wrong phase", *(const uint32_t *)(const void *)out.host, 0);
}

/* Threads wait for a phase that completes late: their suspended try_wait goes on then, and they read the word that
 * was written before the arrival. */
static void wake(struct ck *t)
{
    const uint32_t waiters = number(t, "waiters");
    const struct ck_buf out = ck_zeroed(t, 4 * waiters);
    const struct mbarrier_wake_args a = { .out = out.device, .delay = number(t, "ns"), .wait = form_of(t, "wait") };
    uint32_t *expected = ck_alloc(t, out.size);

    for (uint32_t i = 0; i < waiters; i++)
        expected[i] = value(7, 7);
    if (launch(t, "mbarrier_wake", 32 + waiters, 32, &a, sizeof a) == CK_DONE)
        ck_equal(t, out, expected);
}

/* One wait on an open phase is false. test_wait says so at once: it takes some dozens of clocks, and ten thousand
 * would be a wait. How long try_wait takes is the system's choice and is noted. */
static void one_wait(struct ck *t)
{
    const struct ck_buf out = ck_output(t, 8);
    const struct mbarrier_time_args a = { .out = out.device,
                                          .wait = form_of(t, "wait"),
                                          .try_wait = ck_is(t, "by", "try") };
    const uint32_t *got = (const uint32_t *)(const void *)out.host;

    ck_no_digest(t);
    if (launch(t, "mbarrier_time", 1, 16, &a, sizeof a) != CK_DONE)
        return;
    ck_note(t, "%u clocks", got[1]);
    ck_expect(t, "the wait's answer", got[0], 0);
    if (a.try_wait)
        ck_see(t, "false");
    else
        ck_expect(t, "the wait took ten thousand clocks", got[1] > 10000, 0);
}

#define THREADS "2 31 32 33 64 256 1024"
#define BY      "test try"
#define LATE    "late", "store after the arrive", .kernel = "store_late", .only = "threads=256"
#define EARLY   "early", "read before the wait", .kernel = "read_early", .only = "threads=256"

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_init_needs_sync), .run = publish, .axes = { { "threads", "2 32 33 256 1024" } },
      .mutants = { { "count", "init with one more" } },
      .breaches = { { "warp", "no synchronisation after init", .kernel = "no_sync", .only = "threads=32",
                      .varies = true },
                    { "cta", "no synchronisation after init", .kernel = "no_sync", .only = "threads=256",
                      .faults = true, .varies = true } } },
    { CK_RULE(mbarrier_arrive_release_publishes), .run = exchange,
      .axes = { { "threads", THREADS },
                { "form", "plain cta cluster" },
                { "wait", "plain cluster" },
                { "by", BY },
                { "phases", "4" } },
      .mutants = { { LATE } } },
    { CK_RULE(mbarrier_arrive_default_sem), .run = exchange,
      .axes = { { "threads", THREADS },
                { "form", "plain cta" },
                { "wait", "cta" },
                { "phases", "4" },
                { "by", "=test" } },
      .mutants = { { LATE } } },
    { CK_RULE(mbarrier_wait_default_sem), .run = exchange,
      .axes = { { "threads", THREADS }, { "form", "cta" }, { "wait", "plain cta" }, { "by", BY }, { "phases", "4" } },
      .mutants = { { EARLY } } },
    { CK_RULE(mbarrier_wait_acquire_reads), .run = exchange,
      .axes = { { "threads", THREADS },
                { "form", "plain cluster" },
                { "wait", "plain cta cluster" },
                { "by", BY },
                { "phases", "4" } },
      .mutants = { { EARLY } } },
    { CK_RULE(mbarrier_wait_acquire_war), .run = overwrite,
      .axes = { { "threads", THREADS },
                { "form", "plain cta cluster" },
                { "wait", "plain cta cluster" },
                { "by", BY } },
      .mutants = { { "early", "write before the wait", .kernel = "write_early", .only = "threads=256" } } },
    { CK_RULE(mbarrier_arrive_relaxed_no_order), .run = exchange,
      .axes = { { "threads", "64 1024" },
                { "form", "cta cluster" },
                { "wait", "cluster" },
                { "phases", "4" },
                { "by", "=test" } },
      .mutants = { { "late", "store after the arrive", .kernel = "store_late" } },
      .breaches = { { "cta", "arrive relaxed at .cta scope", .set = "form=relaxed", .only = "form=cta",
                      .varies = true },
                    { "cluster", "arrive relaxed at .cluster scope", .set = "form=relaxed-cluster",
                      .only = "form=cluster", .varies = true } } },
    { CK_RULE(mbarrier_wait_relaxed_no_order), .run = exchange,
      .axes = { { "threads", "64 1024" },
                { "form", "cluster" },
                { "wait", "cta cluster" },
                { "by", BY },
                { "phases", "4" } },
      .mutants = { { "early", "read before the wait", .kernel = "read_early" } },
      .breaches = { { "cta", "wait relaxed at .cta scope", .set = "wait=relaxed", .only = "wait=cta", .varies = true },
                    { "cluster", "wait relaxed at .cluster scope", .set = "wait=relaxed-cluster",
                      .only = "wait=cluster", .varies = true } } },
    { CK_RULE(mbarrier_arrive_after_unordered), .run = exchange,
      .axes = { { "threads", "64 256 1024" },
                { "form", "plain" },
                { "wait", "plain" },
                { "phases", "4" },
                { "by", "=test" } },
      .mutants = { { "early", "read before the wait", .kernel = "read_early" } },
      .breaches = { { "late", "store after the arrive", .kernel = "store_late", .varies = true } } },
    { CK_RULE(mbarrier_expect_tx_no_order), .run = exchange,
      .axes = { { "threads", "64 256 1024" },
                { "form", "plain" },
                { "wait", "plain" },
                { "phases", "1" },
                { "by", "=test" } },
      .mutants = { { "late", "store after the arrive", .kernel = "store_late" } },
      .breaches = { { "expect", "signal with expect_tx in place of arriving", .kernel = "by_expect",
                      .varies = true } } },
    { CK_RULE(mbarrier_arrive_drop_release), .name = "data", .run = exchange_by_drop,
      .axes = { { "threads", THREADS },
                { "form", "plain cta cluster" },
                { "wait", "plain cluster" },
                { "phases", "1" },
                { "by", "=test" } },
      .mutants = { { LATE } },
      .breaches = { { "cta", "drop relaxed at .cta scope", .set = "form=relaxed", .only = "form=cta wait=plain",
                      .varies = true },
                    { "cluster", "drop relaxed at .cluster scope", .set = "form=relaxed-cluster",
                      .only = "form=cluster wait=cluster", .varies = true } } },
    { CK_RULE(mbarrier_phase_early_next), .run = ring,
      .axes = { { "threads", "2 64 128 1024" }, { "stages", "1 2 3 4 8" } },
      .mutants = { { "overrun", "do not wait for an empty slot", .kernel = "no_empty_wait", .only = "threads=128" } } },
    { CK_RULE(mbarrier_arrive_drop_exit), .run = leave,
      .axes = { { "threads", "2 32 64 256 1024" }, { "form", "plain cta cluster relaxed relaxed-cluster" } },
      .mutants = { { "arrive", "arrive in place of the drop", .kernel = "arrive_only" } } },
    { CK_RULE(mbarrier_phase_many), .slow = true, .run = phases, .axes = { { "phases", "65536 1048579" } },
      .mutants = { { "skip", "leave one arrival out", .kernel = "skip_one" } } },
    { CK_RULE(mbarrier_object_many), .slow = true, .run = many, .axes = { { "objects", "2 16 1024 6144 29056" } },
      .mutants = { { "twice", "arrive on another object in its place", .kernel = "twice" } } },
    { CK_RULE(mbarrier_try_wait_wakes), .run = wake,
      .axes = { { "ns", "1000 10000 100000 1000000" }, { "waiters", "1 32 992" }, { "wait", "plain cta cluster" } },
      .mutants = { { "none", "leave the arrival out", .kernel = "no_arrive" } } },
    { CK_RULE(mbarrier_test_wait_nonblocking), .run = one_wait,
      .axes = { { "wait", "plain cta cluster relaxed relaxed-cluster" }, { "by", "test" } },
      .mutants = { { "complete", "complete the phase", .kernel = "complete" } } },
    { CK_RULE(mbarrier_try_wait_hint), .name = "time", .run = one_wait,
      .axes = { { "wait", "plain" }, { "by", "try" } }, .seen_only = true,
      .no_mutant = "the limit is the system's choice: only seen" },
    { 0 },
};

const struct ck_suite mbarrier_threads_cases = { "mbarrier/threads", cases };
// SPDX-License-Identifier: Apache-2.0
