/* The bulk prefetch changes nothing that a program can see. */
#include "kernels/bulk_group.h"
#include "tests/bulk/image.h"

enum { BLOCK = 64 };

/* Memory is prefetched, then written by ordinary stores, then loaded. The prefetch changes nothing: the load delivers
 * what was written, and memory that was only prefetched stays as it is. */
static void no_effect(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");
    const struct ck_buf in = ck_input(t, size), in2 = ck_input(t, size);
    const struct ck_buf out = ck_output(t, size), seen = ck_output(t, size);
    const struct bulk_group_args a = {
        .in = in.device, .in2 = in2.device, .out = out.device, .seen = seen.device, .size = size, .hint = hint_of(t)
    };
    unsigned char *before = ck_alloc(t, size);

    memcpy(before, in2.host, size);
    ck_launch(t, &(struct ck_launch){
                     .kernel = "bulk_prefetch", .block = { BLOCK }, .smem = size + 64, .args = &a, .size = sizeof a });
    ck_equal(t, seen, in.host);
    ck_equal(t, out, in.host);
    ck_equal(t, in2, before);
}

/* A prefetch, a commit and wait_group 0: the wait returns, and the word behind it is written. The breaches prefetch
 * from an address, or in a size, that is no multiple of 16. */
static void prefetch_only(struct ck *t)
{
    const uint32_t word = 0x12345678;
    const struct ck_buf in = ck_input(t, 4096), out = ck_output(t, 16);
    const struct bulk_group_args a = {
        .in = in.device + (uint32_t)ck_int(t, "offset"),
        .out = out.device,
        .size = (uint32_t)ck_int(t, "size"),
        .other = word,
    };

    if (ck_launch(t,
                  &(struct ck_launch){
                      .kernel = "bulk_prefetch_only", .block = { 32 }, .smem = 64, .args = &a, .size = sizeof a }) ==
        CK_DONE)
        ck_equal_at(t, out, 0, &word, sizeof word);
}

/* The same for the rule that lets groups have prefetches as members, though a prefetch names no completion mechanism:
 * the wait after one returns. */
static void prefetch_in_a_group(struct ck *t)
{
    prefetch_only(t);
}

#define STUCK                                                                                                          \
    {                                                                                                                  \
        "stuck", "wait for a barrier that nobody arrives at", .kernel = "stuck"                                        \
    }

static const struct ck_case cases[] = {
    { CK_RULE(bulkpf_no_effect), .run = no_effect,
      .axes = { { "hint", "none evict-first evict-normal evict-last evict-unchanged fractional" },
                { "size", "16 1024 65536" } },
      .mutants = { { "late", "write after the load", .kernel = "late" } } },
    { CK_RULE(bulkpf_align16), .run = prefetch_only, .axes = { { "offset", "0 16 32 48 112" }, { "size", "256" } },
      .mutants = { STUCK }, .breaches = { OFF(1), OFF(4), OFF(8) } },
    { CK_RULE(bulkpf_size), .name = "register", .run = prefetch_only,
      .axes = { { "offset", "0" }, { "size", "16 32 48 1024" } }, .mutants = { STUCK },
      .breaches = { SIZE(8), SIZE(17), SIZE(0) } },
    { CK_RULE(bulkgrp_prefetch_member), .run = prefetch_in_a_group,
      .axes = { { "offset", "0" }, { "size", "16 4096" } }, .no_mutant = "what happens is recorded, whatever it is" },
    { 0 }
};

const struct ck_suite bulk_group_prefetch = { "bulk-group-prefetch", cases };
// SPDX-License-Identifier: Apache-2.0
