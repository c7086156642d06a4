/* CTAs of a cluster that hand data over, make an object known, and leave; and addresses that an operation may not
 * have. */
#include "kernels/mbarrier_cluster.h"
#include "tests/mbarrier/program.h"

enum { SLOW = 5000, THREADS = 128 };

static enum ck_end launch(struct ck *t, const char *kernel, uint32_t ctas, uint32_t threads, const void *args,
                          size_t size)
{
    return ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                             .grid = { ctas },
                                             .cluster = { ctas },
                                             .block = { threads },
                                             .smem = 16 + 4 * THREADS,
                                             .args = args,
                                             .size = size });
}

/* Each CTA writes words into the shared memory of the next CTA and to global memory, then arrives there; after its
 * wait the next CTA reads these words in both places. */
static void message(struct ck *t)
{
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas");
    const struct ck_buf out = ck_output(t, ctas * 2 * THREADS * 4);
    const size_t bytes = MESSAGE_WORDS * ctas * THREADS * 4;
    const struct ck_buf scratch = ck_is(t, "memory", "host") ? ck_slow_input(t, bytes) : ck_zeroed(t, bytes);
    const struct mbarrier_message_args a = { .out = out.device,
                                             .scratch = scratch.device,
                                             .delay = SLOW,
                                             .form = form_of(t, "form"),
                                             .wait = form_of(t, "wait") };
    uint32_t *expected = ck_alloc(t, out.size);

    for (uint32_t cta = 0; cta < ctas; cta++)
        for (uint32_t i = 0; i < 2 * THREADS; i++)
            expected[cta * 2 * THREADS + i] = (cta + ctas - 1) % ctas * 4096 + (i + 32) % THREADS + 1;
    if (launch(t, "mbarrier_message", ctas, THREADS, &a, sizeof a) == CK_DONE)
        ck_equal(t, out, expected);
}

/* CTA 0 makes an object and publishes it to the cluster, by a fence and a cluster barrier; then a thread of each CTA
 * arrives on it, and the owner's wait comes true. */
static void remote_init(struct ck *t)
{
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas");
    const struct ck_buf out = ck_zeroed(t, 4);
    const struct mbarrier_owner_args a = { .out = out.device, .delay = SLOW, .count = ctas + ck_variant(t, "count") };

    if (launch(t, "mbarrier_remote_init", ctas, 32, &a, sizeof a) == CK_DONE)
        ck_expect(t, "the owner's wait came true", *(const uint32_t *)(const void *)out.host, 1);
}

/* The CTA that owns an object waits for the late arrival of CTA 1 before it exits: its wait comes true, and CTA 1
 * gets to its end. In the breach the owner exits first. */
static void owner_alive(struct ck *t)
{
    const struct ck_buf out = ck_zeroed(t, 8);
    const struct mbarrier_owner_args a = { .out = out.device,
                                           .delay = 100 * SLOW,
                                           .count = 1 + ck_variant(t, "count") };
    const uint32_t *got = (const uint32_t *)(const void *)out.host;

    if (launch(t, "mbarrier_owner", 2, 32, &a, sizeof a) != CK_DONE)
        return;
    ck_expect(t, "the owner's wait came true", got[0], ck_conforming(t));
    ck_expect(t, "CTA 1 got to its end", got[1], 1);
}

/* What the axis "where" says that the generic address is of. */
static enum mbarrier_where where_of(struct ck *t)
{
    if (ck_is(t, "where", "own"))
        return WHERE_OWN;
    if (ck_is(t, "where", "global"))
        return WHERE_GLOBAL;
    return ck_is(t, "where", "local") ? WHERE_LOCAL : WHERE_REMOTE;
}

/* The operation that the axis "op" names. */
static enum mbarrier_what what_of(struct ck *t)
{
    if (ck_is(t, "op", "init"))
        return WHAT_INIT;
    return ck_is(t, "op", "arrive") ? WHAT_ARRIVE : WHAT_WAIT;
}

/* One operation at a generic address: given the own CTA's object it works, as the wait shows. The breaches hand it
 * addresses that it may not have: global, local, or of another CTA. */
static void window(struct ck *t)
{
    const struct ck_buf out = ck_zeroed(t, 8), scratch = ck_zeroed(t, 64);
    const enum mbarrier_what what = what_of(t);
    const struct mbarrier_window_args a = {
        .out = out.device,
        .scratch = scratch.device,
        .where = where_of(t),
        .what = what,
        .count = (what == WHAT_INIT ? 1u : 2u) + ck_variant(t, "count"),
        .parity = !ck_variant(t, "parity"),
    };
    const uint32_t *got = (const uint32_t *)(const void *)out.host;

    if (launch(t, "mbarrier_window", 2, 32, &a, sizeof a) != CK_DONE)
        return;
    if (!ck_conforming(t))
        ck_see(t, "no fault, %u", got[1]);
    ck_expect(t, "the operation ended", got[0], 1);
    ck_expect(t, "what the wait said", got[1], 1);
}

/* The arrive that returns a state, at a generic address: given the own CTA's object it completes the phase. The
 * breach hands it an object of another CTA, from which no state can be returned. */
static void remote_state(struct ck *t)
{
    const struct ck_buf out = ck_zeroed(t, 16);
    const struct mbarrier_window_args a = { .out = out.device,
                                            .count = 1 + ck_variant(t, "count"),
                                            .where = ck_variant(t, "remote") ? WHERE_REMOTE : WHERE_OWN };
    const uint32_t *got = (const uint32_t *)(const void *)out.host;

    if (launch(t, "mbarrier_remote_state", 2, 32, &a, sizeof a) != CK_DONE)
        return;
    if (!ck_conforming(t))
        ck_see(t, "state 0x%08x%08x, arrived %u", got[2], got[1], got[3]);
    ck_expect(t, "the arrival ended", got[0], 1);
    ck_expect(t, "the phase completed", got[3], 1);
}

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_wait_cluster_mp), .run = message,
      .axes = { { "ctas", "2 4 8" }, { "form", "=cluster" }, { "wait", "=cluster" }, { "memory", "device host" } },
      .mutants = { { "first", "write after the arrive", .kernel = "arrive_first" } } },
    { CK_RULE(mbarrier_wait_scope_too_small), .name = "data", .run = message,
      .axes = { { "ctas", "2 8" }, { "form", "=cluster" }, { "wait", "=cluster" }, { "memory", "device host" } },
      .mutants = { { "first", "write after the arrive", .kernel = "arrive_first" } },
      .breaches = { { "arrive", "arrive at .cta scope", .set = "form=cta", .varies = true },
                    { "wait", "wait at .cta scope", .set = "wait=cta", .varies = true },
                    { "both", "arrive and wait at .cta scope", .set = "form=cta wait=cta", .varies = true },
                    { "default", "arrive and wait without order and scope", .set = "form=plain wait=plain",
                      .varies = true } } },
    { CK_RULE(mbarrier_arrive_relaxed_no_order), .name = "cluster", .run = message,
      .axes = { { "ctas", "2 8" }, { "form", "=cluster" }, { "wait", "=cluster" }, { "memory", "device host" } },
      .mutants = { { "first", "write after the arrive", .kernel = "arrive_first" } },
      .breaches = { { "arrive", "arrive relaxed", .set = "form=relaxed-cluster", .varies = true } } },
    { CK_RULE(mbarrier_wait_relaxed_no_order), .name = "cluster", .run = message,
      .axes = { { "ctas", "2 8" }, { "form", "=cluster" }, { "wait", "=cluster" }, { "memory", "device host" } },
      .mutants = { { "first", "write after the arrive", .kernel = "arrive_first" } },
      .breaches = { { "wait", "wait relaxed", .set = "wait=relaxed-cluster", .varies = true } } },
    { CK_RULE(mbarrier_cluster_remote_init_sync), .run = remote_init, .axes = { { "ctas", "2 4 8" } },
      .mutants = { { "count", "init with one more" } },
      .breaches = { { "none", "no cluster barrier after init", .kernel = "no_sync", .faults = true,
                      .varies = true } } },
    { CK_RULE(mbarrier_cluster_owner_alive), .run = owner_alive, .mutants = { { "count", "init with one more" } },
      .breaches = { { "exit", "let the owner exit first", .kernel = "exit_early", .faults = true } } },
    { CK_RULE(mbarrier_init_generic_window), .run = window, .axes = { { "op", "init" }, { "where", "=own" } },
      .mutants = { { "count", "init with one more" } },
      .breaches = { { "global", "init at a global address", .set = "where=global", .faults = true },
                    { "local", "init at a local address", .set = "where=local", .faults = true },
                    { "remote", "init at an address of another CTA", .set = "where=remote", .faults = true } } },
    { CK_RULE(mbarrier_arrive_generic_window), .run = window, .axes = { { "op", "arrive" }, { "where", "=own" } },
      .mutants = { { "count", "init with one more" } },
      .breaches = { { "global", "arrive at a global address", .set = "where=global", .faults = true, .varies = true },
                    { "local", "arrive at a local address", .set = "where=local", .faults = true, .varies = true } } },
    { CK_RULE(mbarrier_wait_remote_generic), .run = window, .axes = { { "op", "wait" }, { "where", "=own" } },
      .mutants = { { "parity", "ask for parity 0" } },
      .breaches = { { "remote", "wait on an object of another CTA", .set = "where=remote", .faults = true },
                    { "global", "wait at a global address", .set = "where=global", .faults = true } } },
    { CK_RULE(mbarrier_arrive_remote_generic_state), .name = "run", .run = remote_state,
      .mutants = { { "count", "init with one more" } },
      .breaches = { { "remote", "arrive on an object of another CTA", .faults = true } } },
    { 0 },
};

const struct ck_suite mbarrier_cluster_threads = { "mbarrier/cluster_threads", cases };
// SPDX-License-Identifier: Apache-2.0
