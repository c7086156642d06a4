/* Bulk groups: what a commit gathers, what a wait waits for, who may read after it. Destinations are far away, so that
 * a store that nobody waited for has not arrived yet. */
#include "kernels/bulk_group.h"
#include "tests/bulk/image.h"

enum { BLOCK = 64 };

struct groups {
    const char *kernel;
    uint32_t size;                                  /* bytes of a store */
    uint32_t stores;                                /* number of stores of a CTA */
    uint32_t look;                                  /* number of stores, from the first, that must be there */
    uint32_t ctas;                                  /* in the grid */
    uint32_t groups, batch, empty, pending, reader; /* see kernels/bulk_group.h */
};

/* Launches, and compares what was there behind the wait, and what is there in the end, with the source. */
static void do_groups(struct ck *t, const struct groups *g)
{
    const uint32_t all = g->stores * g->size, look = g->look * g->size;
    const struct ck_buf in = ck_input(t, (size_t)all * g->ctas + 16);
    const struct ck_buf out = ck_slow_input(t, (size_t)all * g->ctas);
    const struct ck_buf seen = ck_output(t, (size_t)look * g->ctas);
    const struct bulk_groups_args a = {
        .in = in.device + (ck_variant(t, "source") ? 16 : 0),
        .out = out.device,
        .seen = seen.device,
        .bytes = all,
        .size = g->size,
        .look = look,
        .groups = g->groups,
        .batch = g->batch,
        .empty = g->empty,
        .pending = g->pending + (ck_variant(t, "one-more") ? 1 : 0),
        .reader = g->reader,
    };

    ck_launch(
        t,
        &(struct ck_launch){
            .kernel = g->kernel, .grid = { g->ctas }, .block = { BLOCK }, .smem = all, .args = &a, .size = sizeof a });
    for (uint32_t cta = 0; cta < g->ctas; cta++)
        ck_equal_at(t, seen, (size_t)cta * look, in.host + (size_t)cta * all, look);
    ck_equal_at(t, out, 0, in.host, (size_t)all * g->ctas);
}

/* A thread commits groups of one store each, then waits until at most n are unfinished. All but the n newest are there:
 * groups complete in the order of their commits. */
static void wait_n(struct ck *t)
{
    const uint32_t n = (uint32_t)ck_int(t, "n"), groups = (uint32_t)ck_int(t, "groups");

    do_groups(t, &(struct groups){ .kernel = "bulk_groups",
                                   .size = (uint32_t)ck_int(t, "size"),
                                   .stores = groups,
                                   .look = groups - n,
                                   .ctas = 4,
                                   .groups = groups,
                                   .pending = n });
}

static bool fewer_pending(struct ck *t)
{
    return ck_int(t, "n") < ck_int(t, "groups");
}

/* A thread commits several stores, then one more, and waits until at most one group is unfinished. The first commit
 * gathered all stores before it: they are there. */
static void batches(struct ck *t)
{
    const uint32_t batch = (uint32_t)ck_int(t, "batch");

    do_groups(
        t, &(struct groups){
               .kernel = "bulk_batch", .size = 4096, .stores = batch + 1, .look = batch, .ctas = 8, .batch = batch });
}

/* A thread commits one store, then empty groups, and waits until at most as many are unfinished as there are empty
 * ones. An empty group counts as any other: the store is there. */
static void empties(struct ck *t)
{
    const uint32_t n = (uint32_t)ck_int(t, "empty");

    do_groups(t, &(struct groups){ .kernel = "bulk_empty_groups",
                                   .size = 32768,
                                   .stores = 1,
                                   .look = 1,
                                   .ctas = 8,
                                   .empty = n,
                                   .pending = n });
}

/* A thread commits two groups, waits for both, and reads their destinations: it sees what they wrote. The breaches wait
 * for the reading alone, in a thread that committed nothing, or for stores that nobody committed: none of these waits
 * covers the writing. */
static void everything(struct ck *t)
{
    do_groups(
        t, &(struct groups){
               .kernel = "bulk_two_groups", .size = (uint32_t)ck_int(t, "size"), .stores = 2, .look = 2, .ctas = 8 });
}

/* The issuer waits, all threads of the CTA meet, and then another thread reads: it sees what the stores wrote. */
static void read_elsewhere(struct ck *t)
{
    do_groups(t, &(struct groups){ .kernel = "bulk_read_elsewhere",
                                   .size = (uint32_t)ck_int(t, "size"),
                                   .stores = 2,
                                   .look = 2,
                                   .ctas = 8,
                                   .reader = (uint32_t)ck_int(t, "reader") });
}

/* ---- the smaller kernels ---- */

struct small {
    const char *kernel;
    uint32_t size; /* bytes of each buffer in use */
    uint32_t smem; /* bytes */
    uint32_t ctas; /* 0: one */
    struct ck_buf in, in2, out, out2, seen, flag;
    uint32_t other;
};

static bool launch(struct ck *t, const struct small *s)
{
    const struct bulk_group_args a = {
        .in = s->in.device + (ck_variant(t, "source") ? 16 : 0),
        .in2 = s->in2.device + (ck_variant(t, "source2") ? 16 : 0),
        .out = s->out.device,
        .out2 = s->out2.device,
        .seen = s->seen.device,
        .flag = s->flag.device,
        .size = s->size,
        .other = s->other,
    };

    return ck_launch(t, &(struct ck_launch){ .kernel = s->kernel,
                                             .grid = { s->ctas },
                                             .block = { BLOCK },
                                             .smem = s->smem,
                                             .args = &a,
                                             .size = sizeof a }) == CK_DONE;
}

/* A thread that has committed nothing waits for groups: the waits return at once, and the word behind them is written.
 */
static void nothing_to_wait_for(struct ck *t)
{
    const uint32_t word = 0x12345678;
    const struct small s = { .kernel = "bulk_wait_none", .smem = 64, .out = ck_output(t, 16), .other = word };

    if (launch(t, &s))
        ck_equal_at(t, s.out, 0, &word, sizeof word);
}

/* wait_group with an N that no document rules out, behind one long store. Whether the thread waited at all is
 * recorded. */
static void odd_n(struct ck *t)
{
    static const char *const names[] = { "0",   "1",   "63",    "64",         "127",        "128", "255",
                                         "256", "257", "65536", "4294967295", "4294967296", "-1" };
    const uint32_t size = 128 * 1024;
    struct small s = { .kernel = "bulk_wait_range",
                       .size = size,
                       .smem = size,
                       .in = ck_input(t, size),
                       .out = ck_slow_input(t, size),
                       .seen = ck_output(t, 16) };

    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ck_is(t, "n", names[i]))
            s.other = i;
    ck_no_digest(t); /* bytes that nobody waited for */
    if (launch(t, &s))
        ck_see(t, "%s", !memcmp(s.seen.host, s.in.host + size - 16, 16) ? "waited" : "did not wait");
}

/* A thread of one CTA stores, waits, and raises a flag with a release; a thread of another CTA that acquires the flag
 * sees what the store wrote. The wait alone makes it visible to its own thread only; the breach raises the flag first.
 */
static void publish(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");
    const struct small s = { .kernel = "bulk_publish",
                             .size = size,
                             .smem = size,
                             .ctas = 2,
                             .in = ck_input(t, size + 16),
                             .out = ck_slow_input(t, size),
                             .seen = ck_output(t, size),
                             .flag = ck_zeroed(t, 16) };

    if (launch(t, &s))
        ck_equal(t, s.seen, s.in.host);
}

/* A cp.async and a bulk store side by side, each waited for by its own kind of wait: both are there. The breaches leave
 * one of the two waits out: the wait of one kind never covers the other. */
static void side_by_side(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");
    const struct small s = { .kernel = "bulk_and_cp_async",
                             .size = size,
                             .smem = 2 * size,
                             .in = ck_input(t, size + 16),
                             .in2 = ck_slow_input(t, size + 16),
                             .out = ck_slow_input(t, size),
                             .out2 = ck_output(t, size),
                             .seen = ck_output(t, size) };

    if (!launch(t, &s))
        return;
    ck_equal(t, s.seen, s.in.host);
    ck_equal(t, s.out2, s.in2.host);
}

/* Two stores write the same bytes, the second after a wait for the first: the second prevails. In one group, as in the
 * breach, they have no order. */
static void twice(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");
    const struct small s = { .kernel = "bulk_twice",
                             .size = size,
                             .smem = 2 * size,
                             .in = ck_input(t, size + 16),
                             .in2 = ck_input(t, size + 16),
                             .out = ck_output(t, size) };

    if (launch(t, &s))
        ck_equal(t, s.out, s.in2.host);
}

#define ONE_MORE                                                                                                       \
    {                                                                                                                  \
        "one-more", "let one more group be unfinished"                                                                 \
    }
/* A short store is there before anybody can look. */
#define NO_WAIT(only_)                                                                                                 \
    {                                                                                                                  \
        "no-wait", "read without waiting", .kernel = "no_wait", .only = only_                                          \
    }

static const struct ck_case cases[] = {
    { CK_RULE(bulkgrp_wait_n), .run = wait_n, .valid = fewer_pending,
      .axes = { { "groups", "1 2 4 8" }, { "n", "0..7" }, { "size", "16 4096" } }, .mutants = { SOURCE } },
    { CK_RULE(bulkgrp_wait_n), .name = "large", .run = wait_n, .valid = fewer_pending,
      .axes = { { "groups", "4 6" }, { "n", "0 1 2" }, { "size", "32768" } }, .mutants = { ONE_MORE } },
    { CK_RULE(bulkgrp_wait_in_order), .run = wait_n, .valid = fewer_pending,
      .axes = { { "groups", "2 3 6" }, { "n", "1 2 5" }, { "size", "32768" } }, .mutants = { NO_WAIT("n=1") } },
    { CK_RULE(bulkgrp_commit_batches), .run = batches, .axes = { { "batch", "1 2 3 8 32" } },
      .mutants = { SOURCE, { "merge", "one commit for all", .kernel = "merge", .only = "batch=32" } } },
    { CK_RULE(bulkgrp_commit_empty), .run = empties, .axes = { { "empty", "0..8" } }, .mutants = { ONE_MORE } },
    { CK_RULE(bulkgrp_wait_visible), .run = everything, .axes = { { "size", "16 1024 65536" } },
      .mutants = { NO_WAIT("size=65536") } },
    { CK_RULE(bulkgrp_wait_visible_issuer_only), .name = "same-cta", .run = read_elsewhere,
      .axes = { { "size", "16 1024 65536" }, { "reader", "1 32 63" } }, .mutants = { NO_WAIT("size=65536") } },
    { CK_RULE(bulkgrp_wait_visible_issuer_only), .name = "other-cta", .run = publish,
      .axes = { { "size", "16 1024 65536" } }, .mutants = { SOURCE },
      .breaches = { { "no-wait", "raise the flag before the wait", .kernel = "no_wait", .varies = true } } },
    { CK_RULE(bulkgrp_read_not_visible), .run = everything, .axes = { { "size", "16 1024 65536" } },
      .mutants = { NO_WAIT("size=65536") },
      .breaches = { { "read", "wait for the reads alone, then read the destination", .kernel = "read_wait",
                      .varies = true } } },
    { CK_RULE(bulkgrp_per_thread), .run = everything, .axes = { { "size", "16 1024 65536" } }, .mutants = { SOURCE },
      .breaches = { { "other-waits", "another thread waits and reads", .kernel = "other_waits", .varies = true } } },
    { CK_RULE(bulkgrp_uncommitted), .run = everything, .axes = { { "size", "16 1024 65536" } }, .mutants = { SOURCE },
      .breaches = { { "no-commit", "wait without a commit", .kernel = "no_commit", .varies = true } } },
    { CK_RULE(bulkgrp_wait_range), .name = "run", .run = odd_n,
      .axes = { { "n", "0 1 63 64 127 128 255 256 257 65536 4294967295 4294967296 -1" } },
      .no_mutant = "what happens is recorded, whatever it is" },
    { CK_RULE(bulkgrp_wait_none), .run = nothing_to_wait_for,
      .mutants = { { "stuck", "wait for a barrier that nobody arrives at", .kernel = "stuck" } } },
    { CK_RULE(bulkgrp_separate_nonbulk), .run = side_by_side, .axes = { { "size", "16 1024 16384" } },
      .mutants = { SOURCE, { "source2", "cp.async from 16 bytes further on" } },
      .breaches = { { "cp-async-wait", "wait for the store with cp.async.wait_group", .kernel = "wrong_wait",
                      .varies = true },
                    { "bulk-wait", "wait for the cp.async with the bulk wait_group", .kernel = "wrong_bulk_wait",
                      .varies = true } } },
    { CK_RULE(bulkgrp_unordered_inside), .run = twice, .axes = { { "size", "16 1024 65536" } },
      .mutants = { { "source2", "another second source" } },
      .breaches = { { "one-group", "both stores in one group", .kernel = "one_group", .varies = true } } },
    { 0 }
};

const struct ck_suite bulk_group_groups = { "bulk-group-groups", cases };
// SPDX-License-Identifier: Apache-2.0
