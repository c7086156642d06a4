/* Commits and waits: which copies are there after a wait. All sources are near but one group's, which comes from far
 * away: a wait that is too weak by one leaves that group's destination poisoned. */
#include "tests/cp_async/order.h"

enum { LANES_HERE = 32 };

struct groups {
    struct ck_buf near, far, out;
    struct cp_async_group_args a;
    uint32_t size; /* of a copy, bytes */
    uint32_t threads;
    uint32_t first_far; /* the first copy of the slow group that comes from far away */
};

/* Groups of copies of which group `slow` is late and read. The caller sets the rest before launch_groups. */
static struct groups groups_of(struct ck *t, uint32_t groups, uint32_t copies, uint32_t slow)
{
    struct groups g = { .threads = groups > 64 ? 16 : LANES_HERE };

    g.a.form = form_of(t);
    g.size = form_size(g.a.form);
    g.near = ck_input(t, (size_t)16 * groups * copies * g.threads);
    g.far = ck_slow_input(t, (size_t)2 * 128 * copies * g.threads);
    g.out = ck_output(t, (size_t)16 * copies * g.threads);
    g.a.near_by = g.near.device;
    g.a.far_off = g.far.device;
    g.a.out = g.out.device;
    g.a.groups = groups;
    g.a.copies = copies;
    g.a.slow = g.a.read = slow;
    g.a.then = CP_WAIT_NONE;
    return g;
}

static enum ck_end launch_groups(struct ck *t, const struct groups *g, const char *kernel)
{
    return ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                             .block = { g->threads },
                                             .smem = g->size * g->a.groups * g->a.copies * g->threads + 16,
                                             .args = &g->a,
                                             .size = sizeof g->a });
}

/* Launches, and compares the copies of group `read` with their sources; `far` are those of its late copies. */
static void compare_groups(struct ck *t, const struct groups *g, const char *kernel, const unsigned char *far)
{
    const size_t count = (size_t)g->a.copies * g->threads;
    unsigned char *expected = ck_alloc(t, 16 * count);

    memset(expected, CK_POISON, 16 * count);
    for (size_t i = 0; i < count; i++) {
        const bool late = g->a.read == g->a.slow && i / g->threads >= g->first_far;
        memcpy(expected + 16 * i, late ? far + 128 * i : g->near.host + 16 * (g->a.read * count + i), g->size);
    }
    launch_groups(t, g, kernel);
    ck_equal(t, g->out, expected);
}

static void check_groups(struct ck *t, const struct groups *g, const char *kernel)
{
    compare_groups(t, g, kernel, g->far.host);
}

/* The same of a kernel that does it all twice: the results are those of the second round, with its own far sources. */
static void check_second_round(struct ck *t, const struct groups *g, const char *kernel)
{
    compare_groups(t, g, kernel, g->far.host + (size_t)128 * g->a.copies * g->threads);
}

/* ---- commit --------------------------------------------------------------------------------------------------- */

/* The copies of one group are issued, then committed. The wait covers them all, also the last, which is late. The
 * variant "loose" issues that copy behind the commit, so the group does not have it. */
static void commit_takes_all(struct ck *t)
{
    struct groups g = groups_of(t, 1, (uint32_t)ck_int(t, "copies"), 0);

    g.first_far = g.a.copies - 1;
    check_second_round(t, &g, "cp_async_group_last");
}

/* A group of copies is committed, and commits with nothing to gather follow. A copy belongs to the first commit after
 * it and to no other: each further commit makes a group of its own, and the wait lets these be unfinished. */
static void commit_takes_once(struct ck *t)
{
    struct groups g = groups_of(t, 1, 1, 0);

    g.a.after = (uint32_t)ck_int(t, "commits") - 1;
    g.a.wait = g.a.after + ck_variant(t, "late");
    check_second_round(t, &g, "cp_async_groups");
}

/* Empty groups are committed, then one with copies. Empty groups are legal and older than the copies: a wait for all
 * groups covers the copies. */
static void empty_groups_before(struct ck *t)
{
    struct groups g = groups_of(t, 1, 1, 0);

    g.a.before = (uint32_t)ck_int(t, "empty");
    g.a.wait = ck_variant(t, "late");
    check_second_round(t, &g, "cp_async_groups");
}

/* A group of copies is committed, then empty ones. An empty group counts as a group: a wait that lets as many be
 * unfinished as there are empty ones covers the copies. */
static void empty_groups_after(struct ck *t)
{
    struct groups g = groups_of(t, 1, 1, 0);

    g.a.after = (uint32_t)ck_int(t, "empty");
    g.a.wait = g.a.after + ck_variant(t, "late");
    check_second_round(t, &g, "cp_async_groups");
}

/* A group of copies is committed, then a commit follows under a guard. The guard is true, so there is one more group,
 * and a wait for all but one covers the copies; under a false guard there is no further group. */
static void guarded_commit(struct ck *t)
{
    struct groups g = groups_of(t, 1, 1, 0);

    g.a.what = !ck_variant(t, "false");
    g.a.wait = 1;
    check_groups(t, &g, "cp_async_group_guard");
}

/* The lanes of a warp issue and commit in parties, one party after the other. Each lane's wait counts its own groups:
 * what it waited for is there. */
static void diverged_commits(struct ck *t)
{
    const uint32_t n = (uint32_t)ck_int(t, "n");
    struct groups g = groups_of(t, 3, 1, 2 - n);

    g.a.what = (uint32_t)ck_int(t, "parties");
    g.a.wait = ck_variant(t, "no-wait") ? CP_WAIT_NONE : n;
    check_groups(t, &g, "cp_async_group_parties");
}

/* As above, with a wait for all but one of three groups. The newest group need not be there after it; whether it is,
 * is recorded. */
static void diverged_strength(struct ck *t)
{
    struct groups g = groups_of(t, 3, 1, 2);
    uint32_t there = 0;

    ck_no_digest(t);
    g.a.what = (uint32_t)ck_int(t, "parties");
    g.a.wait = 1;
    if (launch_groups(t, &g, "cp_async_group_parties") != CK_DONE)
        return;
    for (size_t i = 0; i < g.threads; i++)
        there += !memcmp(g.out.host + 16 * i, g.far.host + 128 * i, g.size);
    ck_see(t, there ? "lanes wait for more than they asked" : "lanes wait for what they asked");
    ck_note(t, "the newest group was there in %u of %u lanes", there, g.threads);
}

/* ---- wait ----------------------------------------------------------------------------------------------------- */

static bool fewer_than_groups(struct ck *t)
{
    return ck_int(t, "n") < ck_int(t, "groups");
}

/* Groups are committed, then the thread waits until at most n are unfinished. All but the n newest are there; the
 * youngest that the wait covers is the late one. */
static void wait_covers(struct ck *t)
{
    const uint32_t groups = (uint32_t)ck_int(t, "groups"), n = (uint32_t)ck_int(t, "n");
    struct groups g = groups_of(t, groups, 1, groups - n - 1);

    g.a.wait = n + ck_variant(t, "late");
    check_second_round(t, &g, "cp_async_groups");
}

/* A wait lets as many groups be unfinished as there are, or more: it waits for nothing, and does no harm. The wait
 * for all behind it covers the groups; the youngest is late. */
static void wait_for_none(struct ck *t)
{
    const uint32_t groups = (uint32_t)ck_int(t, "groups");
    struct groups g = groups_of(t, groups, 1, groups - 1);

    g.a.wait = ck_is(t, "n", "groups") ? groups : ck_is(t, "n", "one-more") ? groups + 1 : (uint32_t)ck_int(t, "n");
    g.a.then = ck_variant(t, "alone") ? CP_WAIT_NONE : CP_WAIT_ALL;
    check_second_round(t, &g, "cp_async_groups");
}

/* n + 1 groups are committed, then the thread waits until at most n are unfinished, for an n larger than the machine
 * counts. The machine may wait for more groups, not for fewer: the oldest is there. */
static void wait_beyond_count(struct ck *t)
{
    const uint32_t n = (uint32_t)ck_int(t, "n");
    struct groups g = groups_of(t, n + 1, 1, ck_variant(t, "newest") ? n : 0);

    g.a.wait = n;
    check_second_round(t, &g, "cp_async_groups");
}

/* Copies are committed, then a wait for all groups covers them. The breach leaves the commit out: no wait_group
 * covers what was not committed. */
static void wait_needs_commit(struct ck *t)
{
    const struct groups g = groups_of(t, 1, (uint32_t)ck_int(t, "copies"), 0);

    check_second_round(t, &g, "cp_async_group_one");
}

/* Copies are issued and not committed, then the thread executes cp.async.wait_all. It waits for them all the same, as
 * a commit and a wait_group 0 do. */
static void wait_all_commits(struct ck *t)
{
    const struct groups g = groups_of(t, 1, (uint32_t)ck_int(t, "copies"), 0);

    check_second_round(t, &g, "cp_async_group_none");
}

/* One group is waited for again and again. A wait with nothing left to wait for changes nothing: the copied bytes
 * stay. */
static void wait_again(struct ck *t)
{
    struct groups g = groups_of(t, 1, 2, 0);

    g.a.what = (uint32_t)ck_int(t, "again");
    g.a.wait = wait_of(ck_word(t, "wait"));
    check_groups(t, &g, "cp_async_group_again");
}

/* The first of several groups is late, and the later ones are there long before it. A wait for all but the newest
 * groups still waits for the first: groups complete in the order of their commits. */
static void first_group_first(struct ck *t)
{
    const uint32_t groups = (uint32_t)ck_int(t, "groups");
    struct groups g = groups_of(t, groups, 2, ck_variant(t, "last") ? groups - 1 : 0);

    g.a.wait = groups - 1;
    check_second_round(t, &g, "cp_async_groups");
}

/* One group is committed, and an mbarrier tracks its copies too. Either wait covers them. */
static void both_mechanisms(struct ck *t)
{
    struct groups g = groups_of(t, 1, 2, 0);

    g.a.wait = ck_variant(t, "no-wait") ? CP_WAIT_NONE : wait_of(ck_word(t, "wait"));
    check_groups(t, &g, "cp_async_group_both");
}

static const struct ck_case cases[] = {
    { CK_RULE(group_commit_batch), .run = commit_takes_all, .axes = { { "form", FORMS }, { "copies", "1..16" } },
      .mutants = { { "loose", "issue the last copy behind the commit", .kernel = "loose" } } },
    { CK_RULE(group_commit_not_later), .run = commit_takes_all, .axes = { { "form", FORMS }, { "copies", "2 4 8" } },
      .mutants = { { "loose", "issue the last copy behind the commit", .kernel = "loose" } },
      .breaches = { { "loose", "issue the last copy behind the commit", .kernel = "loose", .varies = true } } },
    { CK_RULE(group_commit_once), .run = commit_takes_once, .axes = { { "form", FORMS }, { "commits", "1..4" } },
      .mutants = { { "late", "wait for one group less" } } },
    { CK_RULE(group_commit_empty), .run = empty_groups_before,
      .axes = { { "form", FORMS }, { "empty", "0 1 2 3 4 7 8 31 32 62 63 64" } },
      .mutants = { { "late", "wait for one group less" } } },
    /* sm_90a counts no further than 63: behind 63 empty groups a wait for one group less is the same wait. */
    { CK_RULE(group_empty_counts), .run = empty_groups_after,
      .axes = { { "form", FORMS }, { "empty", "1 2 3 4 7 8 31 62 63" } },
      .mutants = { { "late", "wait for one group less", .only = "empty=1/2/3/4/7/8/31" } } },
    { CK_RULE(group_predicated_commit), .run = guarded_commit, .axes = { { "form", FORMS } },
      .mutants = { { "false", "make the guard false" } } },
    { CK_RULE(group_divergent_commit), .run = diverged_commits,
      .axes = { { "form", FORMS }, { "parties", "1 2 4 8 32" }, { "n", "0 1 2" } },
      .mutants = { { "no-wait", "read at once", .only = "n=0" } } },
    { CK_RULE(group_divergent_commit), .name = "strength", .run = diverged_strength, .seen_only = true,
      .axes = { { "form", FORMS }, { "parties", "1 2 4 8 32" } } },
    /* With eleven copies issued behind it the late one was there before the read on an H200. */
    { CK_RULE(group_wait_n), .run = wait_covers, .valid = fewer_than_groups,
      .axes = { { "form", FORMS }, { "groups", "1..12" }, { "n", "0..11" } },
      .mutants = { { "late", "wait for one group less", .only = "n=0/1/2/3/4" } } },
    { CK_RULE(group_wait_n_large), .run = wait_for_none,
      .axes = { { "form", FORMS }, { "groups", "1..4" }, { "n", "groups one-more 63 255" } },
      .mutants = { { "alone", "leave out the wait for all behind it" } } },
    { CK_RULE(group_wait_cap_safe), .run = wait_beyond_count,
      .axes = { { "form", FORMS }, { "n", "64 100 255 257 320" } },
      .mutants = { { "newest", "read the newest group" } } },
    { CK_RULE(group_wait_cap_safe), .name = "wraps", .run = wait_beyond_count,
      .axes = { { "form", FORMS }, { "n", "256 512" } },
      .mutants = { { "newest", "read the newest group",
                     .survives = "multiples of 256 wait for all groups on sm_90a" } } },
    { CK_RULE(group_wait_uncommitted), .run = wait_needs_commit, .axes = { { "form", FORMS }, { "copies", "1 4" } },
      .mutants = { { "none", "leave the commit out", .kernel = "no_commit" } },
      .breaches = { { "none", "leave the commit out", .kernel = "no_commit", .varies = true } } },
    { CK_RULE(group_wait_all_equiv), .run = wait_all_commits, .axes = { { "form", FORMS }, { "copies", "1 2 4 16" } },
      .mutants = { { "group", "cp.async.wait_group 0 in its place", .kernel = "wait_group" } } },
    { CK_RULE(group_wait_idempotent), .run = wait_again,
      .axes = { { "form", FORMS }, { "again", "1..8" }, { "wait", "group all" } },
      .mutants = { { "clobber", "write the destination between the waits", .kernel = "clobber" } } },
    { CK_RULE(group_order_fifo), .run = first_group_first, .axes = { { "form", FORMS }, { "groups", "2..8" } },
      .mutants = { { "last", "expect the last group in place of the first" } } },
    { CK_RULE(group_both_mechanisms), .run = both_mechanisms,
      .axes = { { "form", FORMS }, { "wait", "group test try" } },
      .mutants = { { "no-wait", "read at once" },
                   { "no-commit", "leave the commit out", .kernel = "no_commit", .only = "wait=group" } } },
    { 0 },
};

const struct ck_suite cp_async_group_groups = { "cp_async_group/groups", cases };
// SPDX-License-Identifier: Apache-2.0
