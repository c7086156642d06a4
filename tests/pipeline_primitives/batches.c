/* __pipeline_commit, __pipeline_wait_prior and __pipeline_arrive_on: which copies are there after a wait. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/pipeline_primitives.h"
#include "tests/pipeline_primitives/late.h"

/* A batch of copies, committed, and a wait for all batches: the late bytes are there. The breach leaves the commit out.
 */
static void commit(struct ck *t)
{
    const struct late l = late_groups(t, (uint32_t)ck_int(t, "size"), 1, 0);

    late_check(&l, "prim_batches");
}

static bool fewer_than_batches(struct ck *t)
{
    return ck_int(t, "n") < ck_int(t, "batches");
}

/* Batches, and a wait that lets the n newest be unfinished: the youngest batch that it covers is the late one, and it
 * is there. */
static void wait_prior(struct ck *t)
{
    const uint32_t batches = (uint32_t)ck_int(t, "batches"), n = (uint32_t)ck_int(t, "n");
    struct late l = late_groups(t, (uint32_t)ck_int(t, "size"), batches, batches - n - 1);

    l.a.wait = n + ck_variant(t, "late");
    late_check(&l, "prim_batches");
}

/* All batches but the newest are waited for, and the youngest of these is read. The breach waits for one batch less. */
static void read_after_wait(struct ck *t)
{
    const uint32_t batches = (uint32_t)ck_int(t, "batches"), n = (uint32_t)ck_int(t, "n");
    struct late l = late_groups(t, 16, batches, batches - n - 1);

    l.a.wait = n + (ck_variant(t, "late") || ck_variant(t, "too-weak"));
    late_check(&l, "prim_batches");
}

/* Recorded is whether a wait for all but n of 20 batches has also waited for the batch that is the ninth from the end.
 */
static void wait_prior_cap(struct ck *t)
{
    struct late l = late_groups(t, 16, 20, 11);

    l.a.wait = (uint32_t)ck_int(t, "n");
    late_launch(&l, "prim_batches");
    ck_see(t, late_there(&l) ? "the ninth batch from the end is there" : "the ninth batch from the end is missing");
}

/* Recorded is whether a plain load after the wait sees the late bytes. */
static void plain_loads(struct ck *t)
{
    struct late l = late_groups(t, (uint32_t)ck_int(t, "size"), 2, 0);

    l.a.wait = 1;
    late_launch(&l, "prim_batches");
    ck_see(t, late_there(&l) ? "the load stayed behind the wait" : "the load came before the wait");
}

/* Recorded is whether wait(batch) has waited for the batch that is `back` before the newest one. */
static void experimental_wait(struct ck *t)
{
    const uint32_t batches = (uint32_t)ck_int(t, "batches"), back = (uint32_t)ck_int(t, "back");
    struct late l = late_groups(t, 16, batches, batches - 1 - back);

    l.a.wait = back;
    late_launch(&l, "prim_experimental_batches");
    ck_no_digest(t);
    ck_see(t, late_there(&l) ? "the batch is there" : "the batch is missing");
}

static bool as_many_batches(struct ck *t)
{
    return ck_int(t, "back") < ck_int(t, "batches");
}

/* Each thread binds each of its copies to the mbarrier, and arrives once: the phase ends with these arrivals alone, and
 * not before all copies are there for all threads. */
static void arrive_on(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads"), copies = (uint32_t)ck_int(t, "copies");
    const size_t bytes = (size_t)16 * threads * copies;
    const struct ck_buf in = ck_slow_input(t, bytes), out = ck_output(t, bytes);
    const struct prim_arrive_args a = {
        .in = in.device, .out = out.device, .expected = threads + ck_variant(t, "one-more"), .copies = copies
    };

    ck_launch(t, &(struct ck_launch){ .kernel = "prim_arrive_on",
                                      .block = { threads },
                                      .smem = 16 + (uint32_t)bytes,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, out, in.host);
}

#define SIZES                                                                                                          \
    {                                                                                                                  \
        "size", "4 8 16"                                                                                               \
    }

static const struct ck_case cases[] = {
    { CK_RULE(prim_commit), .run = commit, .axes = { SIZES },
      .mutants = { { "none", "leave the commit out", .kernel = "no_commit" } },
      .breaches = { { "no-commit", "leave the commit out", .kernel = "no_commit", .varies = true } } },
    { CK_RULE(prim_wait_prior), .run = wait_prior, .valid = fewer_than_batches,
      .axes = { SIZES, { "batches", "1..12" }, { "n", "0..7" } },
      .mutants = { { "late", "wait for one batch less", .only = "n=0/1/2/3/4" } } },
    { CK_RULE(prim_memcpy_races), .name = "batches", .run = read_after_wait, .valid = fewer_than_batches,
      .axes = { { "batches", "1 2 3 4" }, { "n", "0 1 2" } }, .mutants = { { "late", "wait for one batch less" } },
      .breaches = { { "too-weak", "wait for one batch less", .varies = true } } },
    { CK_RULE(prim_wait_prior_cap), .run = wait_prior_cap, .axes = { { "n", "8 9 10 11 100 255 256 100000" } },
      .seen_only = true },
    { CK_RULE(prim_wait_prior_clobber), .run = plain_loads, .axes = { SIZES }, .seen_only = true },
    { CK_RULE(prim_arrive_on), .run = arrive_on, .axes = { { "threads", "1 2 32 33 64" }, { "copies", "1..8" } },
      .mutants = { { "one-more", "the mbarrier expects one arrival more" },
                   { "early", "read before the wait", .kernel = "early" } } },
    { CK_RULE(prim_experimental_wait), .run = experimental_wait, .valid = as_many_batches,
      .axes = { { "batches", "1 2 4 8" }, { "back", "0 1 3 7" } }, .seen_only = true },
    { 0 },
};

const struct ck_suite pipeline_primitives_batches = { "pipeline-primitives-batches", cases };
// SPDX-License-Identifier: Apache-2.0
