/* A copy beside loads, stores and other copies of the same bytes. */
#include "tests/cp_async/order.h"

/* Each thread stores to the source, then copies from it. The copy brings what the store wrote. */
static void store_to_source_first(struct ck *t)
{
    struct order o = near_order(t);

    expect_results(&o, o.other);
    launch_order(t, &o, "cp_async_prior_store_src");
    judge_results(t, &o);
}

/* Each thread loads the destination, then copies to it. The load gets the poison from before the copy; the results
 * were zero. */
static void load_of_destination_first(struct ck *t)
{
    struct order o = order_of(t, ck_input(t, IN_BYTES), ck_zeroed(t, OUT_BYTES));

    for (size_t i = 0; i < THREADS; i++)
        memset(o.expected + TO * i, CK_POISON, o.size);
    launch_order(t, &o, "cp_async_prior_load_dst");
    judge_results(t, &o);
}

/* Each thread stores to the destination, then copies to it. The copy comes later and prevails. */
static void store_to_destination_first(struct ck *t)
{
    struct order o = near_order(t);

    expect_results(&o, o.in);
    launch_order(t, &o, "cp_async_prior_store_dst");
    judge_results(t, &o);
}

/* Each thread copies, waits, and reads its own bytes by ordinary loads: they are there after the wait, without a
 * fence or a barrier. Without the wait they must not be read: the source is far away, and the bytes come late. */
static void read_after_wait(struct ck *t)
{
    struct order o = slow_order(t);

    o.a.wait = ck_variant(t, "no-wait") ? CP_WAIT_NONE : wait_of(ck_word(t, "wait"));
    expect_results(&o, o.in);
    launch_order(t, &o, "cp_async_own");
    judge_results(t, &o);
}

/* Each thread copies, then does something that is no wait for a copy (a barrier, a fence, a sleep), then waits, then
 * reads: the bytes are there. The breach leaves the wait out: nothing else makes the bytes visible. */
static void read_after_other(struct ck *t)
{
    struct order o = slow_order(t);

    o.a.first = wait_of(ck_word(t, "first"));
    if (ck_variant(t, "no-wait"))
        o.a.wait = CP_WAIT_NONE;
    expect_results(&o, o.in);
    launch_order(t, &o, "cp_async_own");
    judge_results(t, &o);
}

/* Each thread copies, waits, and then overwrites the source. The destination has the bytes from before; the source
 * may be changed only after the wait. */
static void write_source_after_wait(struct ck *t)
{
    struct order o = ck_is(t, "source", "far") ? slow_order(t) : near_order(t);

    expect_results(&o, o.in);
    launch_order(t, &o, "cp_async_write_src");
    judge_results(t, &o);
}

/* Each thread copies, waits, and then stores to the destination. The store comes after the copy and prevails; before
 * the wait the two have no order. */
static void write_destination_after_wait(struct ck *t)
{
    struct order o = slow_order(t);

    expect_results(&o, o.other);
    launch_order(t, &o, "cp_async_write_dst");
    judge_results(t, &o);
}

/* Two copies go to one destination, with a wait for the first between them: the second prevails. Without the wait
 * they have no order. The first comes from far away, so the second would overtake it. */
static void second_copy_prevails(struct ck *t)
{
    struct order o = slow_order(t);

    o.a.what = ck_is(t, "copies", "two-groups")    ? CP_TWO_GROUPS
               : ck_is(t, "copies", "two-threads") ? CP_TWO_THREADS
                                                   : CP_ONE_GROUP;
    o.a.wait = wait_of(ck_word(t, "wait"));
    expect_results(&o, o.other);
    if (ck_variant(t, "swapped")) {
        o.a.in = o.other.device;
        o.a.other = o.in.device;
    }
    launch_order(t, &o, "cp_async_pair");
    judge_results(t, &o);
}

/* One warp fills buffers in turn, and another reads each of them late. A barrier behind the reads comes before the
 * next copy into the same buffer, so each reader gets its own chunk: result c * 32 + i is lane i's copy of chunk c. */
static void refill_after_barrier(struct ck *t)
{
    struct order o = near_order(t);

    o.a.stages = (uint32_t)ck_int(t, "stages");
    o.a.chunks = THREADS / 32;
    expect_results(&o, o.in);
    ck_launch(t, &(struct ck_launch){
                     .kernel = "cp_async_refill", .block = { BLOCK }, .smem = 4096, .args = &o.a, .size = sizeof o.a });
    judge_results(t, &o);
}

static const struct ck_case cases[] = {
    { CK_RULE(cpasync_order_prior_store_src), .run = store_to_source_first, .axes = { { "form", FORMS } },
      .mutants = { { "late", "store after the wait", .kernel = "late" } } },
    { CK_RULE(cpasync_order_prior_load_dst), .run = load_of_destination_first, .axes = { { "form", FORMS } },
      .mutants = { { "late", "load after the wait", .kernel = "late" } } },
    { CK_RULE(cpasync_order_prior_store_dst), .run = store_to_destination_first, .axes = { { "form", FORMS } },
      .mutants = { { "late", "store after the wait", .kernel = "late" } } },
    { CK_RULE(cpasync_order_read_early), .run = read_after_wait,
      .axes = { { "form", FORMS }, { "wait", "all group test" } }, .mutants = { { "no-wait", "read at once" } },
      .breaches = { { "no-wait", "read at once", .varies = true } } },
    { CK_RULE(cpasync_visibility_own), .run = read_after_wait, .axes = { { "form", FORMS }, { "wait", "all group" } },
      .mutants = { { "no-wait", "read at once" } } },
    { CK_RULE(cpasync_proxy_generic), .run = read_after_wait,
      .axes = { { "form", FORMS }, { "wait", "all group test" } }, .mutants = { { "no-wait", "read at once" } } },
    { CK_RULE(group_visibility), .run = read_after_wait,
      .axes = { { "form", FORMS }, { "wait", "all group test try" } }, .mutants = { { "no-wait", "read at once" } } },
    { CK_RULE(cpasync_visibility_nothing_else), .run = read_after_other,
      .axes = { { "form", FORMS }, { "first", "barrier fence-cta fence-sys membar cluster sleep" } },
      .mutants = { { "no-wait", "leave the wait out", .only = "first=barrier/fence-cta" } },
      .breaches = { { "no-wait", "leave the wait out", .varies = true } } },
    { CK_RULE(cpasync_order_write_src_early), .run = write_source_after_wait,
      .axes = { { "form", FORMS }, { "source", "near far" } },
      .mutants = { { "first", "store before the copy", .kernel = "first" } },
      .breaches = { { "early", "store before the wait", .kernel = "early", .varies = true } } },
    { CK_RULE(group_src_reusable), .run = write_source_after_wait,
      .axes = { { "form", FORMS }, { "source", "near far" } },
      .mutants = { { "first", "store before the copy", .kernel = "first" } } },
    { CK_RULE(cpasync_order_write_dst_early), .run = write_destination_after_wait, .axes = { { "form", FORMS } },
      .mutants = { { "early", "store before the wait", .kernel = "early" } },
      .breaches = { { "early", "store before the wait", .kernel = "early", .varies = true } } },
    { CK_RULE(cpasync_order_pair_unordered), .run = second_copy_prevails,
      .axes = { { "form", FORMS }, { "copies", "one-group two-groups two-threads" }, { "wait", "all" } },
      .mutants = { { "swapped", "swap the two sources" } },
      .breaches = { { "no-wait", "leave out the wait between them", .kernel = "no_wait", .varies = true } } },
    { CK_RULE(group_order_within_none), .run = second_copy_prevails,
      .axes = { { "form", FORMS }, { "copies", "one-group" }, { "wait", "group" } },
      .mutants = { { "swapped", "swap the two sources" } },
      .breaches = { { "together", "leave out the commit and the wait between them", .kernel = "no_wait",
                      .varies = true } } },
    { CK_RULE(cpasync_order_pair_waited), .run = second_copy_prevails,
      .axes = { { "form", FORMS }, { "copies", "two-groups" }, { "wait", "all group test try" } },
      .mutants = { { "swapped", "swap the two sources" } } },
    { CK_RULE(cpasync_order_war_dst), .run = refill_after_barrier, .axes = { { "form", FORMS }, { "stages", "1..4" } },
      .mutants = { { "no-barrier", "refill without a barrier", .kernel = "no_barrier" } },
      .breaches = { { "no-barrier", "refill without a barrier", .kernel = "no_barrier", .varies = true } } },
    { 0 },
};

const struct ck_suite cp_async_order = { "cp_async/order", cases };
// SPDX-License-Identifier: Apache-2.0
