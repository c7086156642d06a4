/* cooperative_groups::wait and wait_prior: which calls of memcpy_async are over after them. */
#include "harness/ck.h"
#include "kernels/libcu_groups.h"
#include "tests/pipeline_primitives/late.h"

static bool fewer_than_calls(struct ck *t)
{
    return ck_int(t, "n") < ck_int(t, "calls");
}

/* Calls, and a wait_prior that lets the n newest be unfinished: the youngest call that it covers is the late one, and
 * each thread reads what the next one copied. */
static void wait_prior(struct ck *t)
{
    const uint32_t calls = (uint32_t)ck_int(t, "calls"), n = (uint32_t)ck_int(t, "n");
    struct late l = late_groups(t, (uint32_t)ck_int(t, "size"), calls, calls - n - 1);

    l.a.wait = n + ck_variant(t, "late");
    late_check(&l, "cg_calls");
}

/* Calls, and a wait for all: the last call is the late one. */
static void wait_all(struct ck *t)
{
    const uint32_t calls = (uint32_t)ck_int(t, "calls");
    struct late l = late_groups(t, (uint32_t)ck_int(t, "size"), calls, calls - 1);

    l.threads = 32;
    l.a.wait = ck_variant(t, "sync");
    late_check(&l, ck_is(t, "group", "tile") ? "cg_wait_tile" : "cg_wait_block");
}

/* The bytes are read behind the wait. The breach reads them without one. */
static void read_after_wait(struct ck *t)
{
    struct late l = late_groups(t, (uint32_t)ck_int(t, "size"), 1, 0);

    l.a.wait = ck_variant(t, "no-wait") ? CG_NO_WAIT : ck_variant(t, "too-weak") ? 1 : 0;
    late_check(&l, "cg_calls");
}

/* Recorded is whether a wait_prior for all but n of 20 calls has also waited for the ninth call from the end. */
static void cap(struct ck *t)
{
    struct late l = late_groups(t, 16, 20, 11);

    l.a.wait = (uint32_t)ck_int(t, "n");
    late_launch(&l, "cg_calls");
    ck_see(t, late_there(&l) ? "the ninth call from the end is over" : "the ninth call from the end is not over");
}

#define SIZES                                                                                                          \
    {                                                                                                                  \
        "size", "4 8 16"                                                                                               \
    }

static const struct ck_case cases[] = {
    { CK_RULE(cg_wait_prior), .run = wait_prior, .valid = fewer_than_calls,
      .axes = { SIZES, { "calls", "1..12" }, { "n", "0..7" } },
      .mutants = { { "late", "wait for one call less", .only = "n=0/1/2/3/4" } } },
    { CK_RULE(cg_memcpy_commits), .run = wait_prior, .valid = fewer_than_calls,
      .axes = { SIZES, { "calls", "1..8" }, { "n", "0..3" } },
      .mutants = { { "no-commit", "the last copy is made without a commit", .kernel = "no_commit" } } },
    { CK_RULE(cg_wait), .run = wait_all, .axes = { SIZES, { "calls", "1..8" }, { "group", "block tile" } },
      .mutants = { { "sync", "only synchronise the group" } } },
    { CK_RULE(cg_memcpy_read_after_wait), .run = read_after_wait, .axes = { SIZES },
      .mutants = { { "no-wait", "read at once" } },
      .breaches = { { "no-wait", "read at once", .varies = true },
                    { "too-weak", "wait for all calls but the one that is read", .varies = true } } },
    { CK_RULE(cg_wait_prior_cap), .run = cap, .axes = { { "n", "8 9 12 100" } }, .seen_only = true },
    { 0 },
};

const struct ck_suite cooperative_groups_wait = { "cooperative-groups-wait", cases };
// SPDX-License-Identifier: Apache-2.0
