/* A copy and those beside its thread: other threads, the async proxy, and the end of the kernel. */
#include "expected/oracle.h"
#include "tests/cp_async/order.h"

/* Who copies and who reads: the lanes of a warp by turns, or one warp and the other. The readers use `how`, of enum
 * cp_async_read. */
static void pass_on(struct ck *t, uint32_t how)
{
    struct order o = slow_order(t);
    const size_t apart = ck_is(t, "partner", "lane") ? 1 : 32;

    o.a.what = apart == 1 ? CP_LANE : CP_WARP;
    o.a.how = how;
    for (size_t i = 0; i < THREADS; i++)
        if (i & apart)
            memcpy(o.expected + TO * i, o.in.host + FROM * (i - apart), o.size);
    launch_order(t, &o, "cp_async_hand_over");
    judge_results(t, &o);
}

/* Half of the threads copy and wait, then all meet at a barrier, then the other half read. They see the bytes: the
 * copier's wait and the barrier are both needed. */
static void hand_over(struct ck *t)
{
    pass_on(t, CP_LOAD);
}

/* The same with readers that use relaxed or atomic loads. A copy is a weak access: also a strong read of its bytes
 * needs the copier's wait and the barrier before it. */
static void hand_over_to_strong_reads(struct ck *t)
{
    pass_on(t, ck_is(t, "read", "relaxed") ? CP_RELAXED : CP_ATOMIC);
}

/* The threads copy, wait, and execute a proxy fence; then one thread stores all slots to global memory by a bulk or
 * tensor store. The store carries the copied bytes, and the poison between them. */
static void to_async_proxy(struct ck *t)
{
    struct order o = order_of(t, ck_slow_input(t, IN_BYTES), ck_zeroed(t, OUT_BYTES));

    memset(o.expected, CK_POISON, OUT_BYTES);
    expect_results(&o, o.in);
    if (ck_is(t, "by", "bulk")) {
        launch_order(t, &o, "cp_async_to_bulk");
    } else {
        struct cp_async_tensor_args a = { .o = o.a };
        struct tensor_map map = tensor_map_default(TENSOR_U8, 2);

        map.dims[0] = map.strides[0] = map.box[0] = TO;
        map.dims[1] = THREADS;
        map.box[1] = BLOCK;
        ck_encode(t, &map, o.out, &a.map);
        ck_launch(t, &(struct ck_launch){ .kernel = "cp_async_to_tensor",
                                          .grid = { BLOCKS },
                                          .block = { BLOCK },
                                          .smem = 4096,
                                          .args = &a,
                                          .size = sizeof a });
    }
    judge_results(t, &o);
}

/* The thread reads the clock before the copy, behind it, and after the wait. The thread may go on before the copy is
 * complete; whether it does is recorded. */
static void goes_on(struct ck *t)
{
    struct order o = slow_order(t);
    uint64_t issue = 0, wait = 0;

    ck_no_digest(t);
    if (launch_order(t, &o, "cp_async_clock") != CK_DONE)
        return;
    for (size_t i = 0; i < THREADS; i++) {
        uint64_t ticks[2];
        memcpy(ticks, o.out.host + TO * i, sizeof ticks);
        issue += ticks[0];
        wait += ticks[1];
    }
    ck_see(t, issue < wait ? "goes on before the copy is there" : "goes on when the copy is there");
    ck_note(t, "clock ticks on average: %llu to issue, %llu more until it is there",
            (unsigned long long)(issue / THREADS), (unsigned long long)(wait / THREADS));
}

/* The threads write their results, copy, and end with the copies in flight. What becomes of these copies is not said;
 * whether the results stay right is recorded. */
static void ends_in_flight(struct ck *t)
{
    struct order o = slow_order(t);
    const uint32_t cluster = ck_is(t, "end", "before-peer") ? 2 : 0;

    o.a.what = cluster;
    o.size = TO;
    expect_results(&o, o.other);
    if (ck_launch(t, &(struct ck_launch){ .kernel = "cp_async_exit",
                                          .grid = { BLOCKS },
                                          .block = { BLOCK },
                                          .cluster = { cluster },
                                          .smem = 4096,
                                          .args = &o.a,
                                          .size = sizeof o.a }) == CK_DONE)
        ck_see(t, memcmp(o.out.host, o.expected, OUT_BYTES) ? "other results are lost" : "ends without a trace");
}

/* A thread copies, waits, writes a word and sets a flag with a release; a thread of the other warp that acquires the
 * flag reads the word. The wait covers the copies alone: the word needs the release and the acquire. */
static void message(struct ck *t)
{
    struct order o = slow_order(t);

    o.a.what = ck_is(t, "payload", "global") ? CP_GLOBAL : CP_SHARED;
    for (size_t i = 0; i < THREADS / 2; i++)
        memcpy(o.expected + TO * i, o.other.host + FROM * i, 4);
    launch_order(t, &o, "cp_async_message");
    judge_results(t, &o);
}

/* Each thread has a cp.async and a bulk store in flight; one is done long before the other, which is waited for and
 * read at once. Each kind of wait covers its own kind: wait_group the copy, bulk.wait_group the store. */
static void two_kinds(struct ck *t)
{
    const bool copy = ck_is(t, "read", "copy");
    struct order o = copy ? slow_order(t) : near_order(t);

    for (size_t i = 0; i < THREADS; i++)
        memcpy(o.expected + TO * i, copy ? o.in.host + FROM * i : o.other.host + FROM * i + 64, copy ? o.size : 16);
    launch_order(t, &o, copy ? "cp_async_beside_bulk" : "bulk_beside_cp_async");
    judge_results(t, &o);
}

static const struct ck_case cases[] = {
    { CK_RULE(cpasync_visibility_others), .run = hand_over, .axes = { { "form", FORMS }, { "partner", "lane warp" } },
      .mutants = { { "no-wait", "the copier does not wait", .kernel = "no_wait" },
                   { "no-barrier", "the reader does not wait for the copier", .kernel = "no_barrier",
                     .only = "partner=warp" } },
      .breaches = { { "no-wait", "the copier does not wait", .kernel = "no_wait", .varies = true },
                    { "no-barrier", "the reader does not wait for the copier", .kernel = "no_barrier",
                      .varies = true } } },
    { CK_RULE(group_per_thread), .run = hand_over, .axes = { { "form", FORMS }, { "partner", "lane warp" } },
      .mutants = { { "other", "the reader waits in place of the copier", .kernel = "other_waits",
                     .only = "partner=warp" } },
      .breaches = { { "other", "the reader waits in place of the copier", .kernel = "other_waits", .varies = true } } },
    { CK_RULE(cpasync_weak), .run = hand_over_to_strong_reads,
      .axes = { { "form", FORMS }, { "read", "relaxed atomic" }, { "partner", "warp" } },
      .mutants = { { "no-wait", "the copier does not wait", .kernel = "no_wait" } },
      .breaches = { { "no-barrier", "read while the copy runs", .kernel = "no_barrier", .varies = true } } },
    { CK_RULE(cpasync_proxy_to_async), .run = to_async_proxy, .axes = { { "form", FORMS }, { "by", "bulk tensor" } },
      .mutants = { { "no-wait", "store before the copies are there", .kernel = "no_wait" } },
      .breaches = { { "no-fence", "leave the proxy fence out", .kernel = "no_fence", .varies = true } } },
    { CK_RULE(cpasync_nonblocking), .run = goes_on, .axes = { { "form", FORMS } } },
    { CK_RULE(cpasync_exit_pending), .run = ends_in_flight,
      .axes = { { "form", FORMS }, { "end", "alone before-peer" } } },
    { CK_RULE(group_wait_only_cpasync), .run = message, .axes = { { "form", FORMS }, { "payload", "global shared" } },
      .mutants = { { "no-flag", "read without looking at the flag", .kernel = "no_flag" } },
      .breaches = { { "relaxed-flag", "pass the flag without release and acquire", .kernel = "relaxed_flag",
                      .varies = true } } },
    { CK_RULE(group_bulk_separate), .run = two_kinds, .axes = { { "form", FORMS }, { "read", "copy bulk" } },
      .mutants = { { "neither", "wait for neither kind", .kernel = "neither", .only = "read=copy" },
                   { "no-wait", "wait for the other kind alone", .kernel = "no_wait",
                     .survives = "either wait is seen to wait for both kinds on sm_90a" } },
      .breaches = { { "no-wait", "wait for the other kind alone", .kernel = "no_wait", .varies = true } } },
    { 0 },
};

const struct ck_suite cp_async_others = { "cp_async/others", cases };
// SPDX-License-Identifier: Apache-2.0
