/* elect.sync: one lane of a mask. */
#include <stdlib.h>

#include "harness/ck.h"
#include "kernels/bar.h"

enum { LANES = 32, LATE = 20000 };

static uint32_t mask_of(struct ck *t)
{
    return (uint32_t)strtoul(ck_word(t, "mask"), NULL, 16);
}

/* The lanes of the mask elect one of themselves, several times. False: they did not come to an end. */
static bool elect(struct ck *t, struct ck_buf out)
{
    const struct bar_args a = { .out = out.device, .mask = mask_of(t), .rounds = (uint32_t)ck_int(t, "times") };

    return ck_launch(t, &(struct ck_launch){ .kernel = "elect", .block = { LANES }, .args = &a, .size = sizeof a }) ==
           CK_DONE;
}

/* Of the lanes of the mask one is told each time that it is elected, and always the same. */
static void one(struct ck *t)
{
    const struct ck_buf out = ck_zeroed(t, 4 * LANES);
    const uint32_t *word = (const uint32_t *)out.host;
    uint32_t elected = 0, sum = 0;

    if (!elect(t, out))
        return;
    for (int i = 0; i < LANES; i++) {
        elected += (word[i] & 0xffff) != 0;
        sum += word[i] & 0xffff;
    }
    ck_expect(t, "lanes that were elected", elected, 1);
    ck_expect(t, "times that one was", sum, (uint64_t)ck_int(t, "times"));
}

/* Every lane of the mask is told the same lane, which is the elected one; the others get nothing. */
static void lane(struct ck *t)
{
    const struct ck_buf out = ck_zeroed(t, 4 * LANES);
    const uint32_t mask = mask_of(t), *word = (const uint32_t *)out.host;
    uint32_t *expected = ck_alloc(t, out.size), leader = 0;

    if (!elect(t, out))
        return;
    while (leader < LANES - 1 && !(word[leader] & 0xffff))
        leader++;
    ck_expect(t, "whether the elected lane is in the mask", mask >> leader & 1, 1);
    for (uint32_t i = 0; i < LANES; i++)
        if (mask >> i & 1)
            expected[i] = leader << 16 | (i == leader ? (uint32_t)ck_int(t, "times") : 0);
    ck_equal(t, out, expected);
}

/* Which lane of the mask it is. */
static void which(struct ck *t)
{
    const struct ck_buf out = ck_zeroed(t, 4 * LANES);
    const uint32_t mask = mask_of(t), *word = (const uint32_t *)out.host;
    uint32_t leader;

    if (!elect(t, out))
        return;
    leader = word[__builtin_ctz(mask)] >> 16 & 31;
    ck_see(t, leader == (uint32_t)__builtin_ctz(mask)        ? "the lowest lane"
              : leader == 31 - (uint32_t)__builtin_clz(mask) ? "the highest lane"
                                                             : "another lane");
}

/* The lanes of the mask count themselves, one of them late, before they elect one. Behind that each finds all counted.
 */
static void waits(struct ck *t)
{
    const struct ck_buf out = ck_zeroed(t, 4 * LANES);
    const struct bar_args a = {
        .out = out.device, .mask = mask_of(t), .late = (uint32_t)ck_int(t, "late"), .delay = LATE
    };
    uint32_t *expected = ck_alloc(t, out.size);

    for (uint32_t i = 0; i < LANES; i++)
        expected[i] = a.mask >> i & 1 ? (uint32_t)__builtin_popcount(a.mask) : 0;
    if (ck_launch(t, &(struct ck_launch){ .kernel = "elect_wait", .block = { LANES }, .args = &a, .size = sizeof a }) ==
        CK_DONE)
        ck_equal(t, out, expected);
}

static bool has_late(struct ck *t)
{
    return mask_of(t) >> ck_int(t, "late") & 1;
}

#define MASKS                                                                                                                \
    "ffffffff ffff ffff0000 55555555 aaaaaaaa f f0 1 2 80 8000 10000 40000000 80000000 80000001 7fffffff fffffffe c0000000 " \
    "11111111 00ff00ff 12345678 87654321"
#define WIDE "ffffffff ffff ffff0000 55555555 aaaaaaaa 80000001 7fffffff 12345678"

static const struct ck_case cases[] = {
    { CK_RULE(elect_one), .run = one, .axes = { { "mask", MASKS }, { "times", "1 3" } },
      .mutants = { { "all", "take each lane to be elected", .kernel = "all", .only = "mask=ffffffff" } } },
    { CK_RULE(elect_lane), .run = lane, .axes = { { "mask", MASKS }, { "times", "1 3" } },
      .mutants = { { "own", "take the own lane for the elected one", .kernel = "own_lane",
                     .only = "mask=ffffffff" } } },
    { CK_RULE(elect_same), .run = lane, .axes = { { "mask", MASKS }, { "times", "2 10 100" } },
      .mutants = { { "other", "elect with another mask the last time", .kernel = "other_mask" } } },
    { CK_RULE(elect_lowest), .run = which, .axes = { { "mask", MASKS }, { "times", "1" } }, .seen_only = true,
      .no_mutant = "what happens is recorded, whatever it is" },
    { CK_RULE(elect_waits), .run = waits, .axes = { { "mask", WIDE }, { "late", "0 3 4 15 16 31" } }, .valid = has_late,
      .mutants = { { "drop", "leave the late lane out of the mask", .kernel = "drop" } } },
    { 0 },
};

const struct ck_suite sync_elect_cases = { "sync/elect", cases };
// SPDX-License-Identifier: Apache-2.0
