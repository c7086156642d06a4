/* Objects of another CTA of the cluster: what other CTAs may do to them. */
#include "tests/mbarrier/program.h"

#define CTAS   "2 4 8"
#define OWNERS "first last"
#define FORMS  "plain cta cluster relaxed-cluster generic"

/* A program of a cluster with one object, in the CTA that the axis "owner" names, and the next steps done there. */
static struct program *cluster(struct ck *t)
{
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas");
    struct program *p = program(t, ctas, 32);

    p->owner = p->cta = ck_is(t, "owner", "first") ? 0 : ctas - 1;
    return p;
}

/* The next steps are done by CTA `cta`, in the form of the point. */
static void from(struct ck *t, struct program *p, uint32_t cta)
{
    p->cta = cta;
    p->form = program_form(t);
}

/* The next steps are done by the owner. */
static void home(struct program *p)
{
    p->cta = p->owner;
    p->form = MB_PLAIN;
}

/* Each CTA of the cluster arrives once on the owner's object: the arrivals count like the owner's own, and the last
 * one completes the phase. Two phases, so both parities. */
static void arrive(struct ck *t)
{
    struct program *p = cluster(t);
    struct mbarrier_step *last = NULL;

    mb_init(p, p->ctas);
    for (uint32_t phase = 0; phase < 2; phase++)
        for (uint32_t cta = 0; cta < p->ctas; cta++) {
            from(t, p, cta);
            last = mb_remote_arrive(p);
            home(p);
            mb_test_parity(p, phase, cta + 1 == p->ctas);
        }
    if (ck_variant(t, "skip"))
        mb_become(last, MB_PAUSE, 0);
    program_run(p);
}

/* All threads of all CTAs arrive on the owner's object at once: no arrival is lost, phase after phase. */
static void arrive_together(struct ck *t)
{
    struct program *p = cluster(t);
    struct mbarrier_step *idle;

    mb_init(p, 32 * p->ctas);
    for (uint32_t phase = 0; phase < 4; phase++) {
        from(t, p, MB_EVERY);
        p->threads = 32;
        mb_remote_arrive(p);
        p->threads = 1;
        home(p);
        mb_test_parity(p, phase & 1, true);
        mb_test_parity(p, (phase + 1) & 1, false);
    }
    idle = mb_pause(p, 0);
    mb_arrive_nocomplete(p, 1);
    mb_pending(p, 32 * p->ctas);
    if (ck_variant(t, "twice"))
        mb_become(idle, MB_ARRIVE, 0);
    program_run(p);
}

/* A .shared::cluster address may name the own CTA: the owner arrives on its own object by such an address and
 * completes the phase. */
static void arrive_self(struct ck *t)
{
    struct program *p = cluster(t);
    struct mbarrier_step *arrive;

    mb_init(p, 1);
    p->form = program_form(t);
    arrive = mb_remote_arrive(p);
    home(p);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "none"))
        mb_become(arrive, MB_PAUSE, 0);
    program_run(p);
}

/* A remote arrival with a count takes that many: after N - 1 arrivals of another CTA, the owner's own arrival
 * completes the phase. */
static void arrive_count(struct ck *t)
{
    struct program *p = cluster(t);
    const uint32_t n = (uint32_t)ck_int(t, "count");
    struct mbarrier_step *arrive;

    mb_init(p, n);
    from(t, p, p->ctas - 1 - p->owner);
    arrive = mb_remote_arrive_count(p, n - 1);
    home(p);
    mb_test_parity(p, 0, false);
    mb_arrive(p);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "less"))
        mb_become(arrive, n > 2 ? MB_REMOTE_ARRIVE_COUNT : MB_PAUSE, n - 2);
    program_run(p);
}

/* A remote expect_tx announces bytes on the owner's object: the owner's arrival does not complete the phase before
 * they have come. */
static void expect(struct ck *t)
{
    struct program *p = cluster(t);
    struct mbarrier_step *expect;

    p->cta = MB_EVERY; /* the mutant announces on another one */
    mb_init(p, 1);
    from(t, p, p->ctas - 1 - p->owner);
    expect = mb_remote_expect(p, 512);
    home(p);
    mb_arrive(p);
    mb_test_parity(p, 0, false);
    mb_complete(p, 512);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "self"))
        expect->owner = expect->cta;
    program_run(p);
}

/* A remote complete_tx takes bytes from the owner's tx-count: those are the 512 bytes that the owner announced, and
 * its phase completes. */
static void complete(struct ck *t)
{
    struct program *p = cluster(t);
    struct mbarrier_step *complete;

    mb_init(p, 1);
    mb_arrive_expect(p, 512);
    mb_test_parity(p, 0, false);
    from(t, p, p->ctas - 1 - p->owner);
    complete = mb_remote_complete(p, 512);
    home(p);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "less"))
        complete->value = 511;
    program_run(p);
}

/* A remote arrive.expect_tx announces bytes and arrives on the owner's object: the phase stays open until the bytes
 * have come. */
static void arrive_expect(struct ck *t)
{
    struct program *p = cluster(t);
    struct mbarrier_step *complete;

    mb_init(p, 1);
    from(t, p, p->ctas - 1 - p->owner);
    mb_remote_arrive_expect(p, 512);
    home(p);
    mb_test_parity(p, 0, false);
    complete = mb_complete(p, 512);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "less"))
        complete->value = 511;
    program_run(p);
}

/* Each CTA except the owner drops out from afar, one in each phase: each later phase needs one arrival less, and in
 * the end the owner's arrival alone is enough. */
static void drop(struct ck *t)
{
    struct program *p = cluster(t);
    struct mbarrier_step *last = NULL;
    uint32_t left = p->ctas, phase = 0;

    mb_init(p, p->ctas);
    for (uint32_t cta = 0; cta < p->ctas; cta++) {
        if (cta == p->owner)
            continue;
        from(t, p, cta);
        last = mb_remote_drop(p);
        home(p);
        if (left > 1)
            mb_arrive_count(p, left - 1);
        mb_test_parity(p, phase & 1, true);
        phase++;
        left--;
    }
    mb_arrive(p);
    mb_test_parity(p, phase & 1, true);
    if (ck_variant(t, "arrive"))
        mb_become(last, MB_REMOTE_ARRIVE, 0);
    program_run(p);
}

/* A remote arrive_drop with a count of 2 takes 2 of 5 arrivals from this phase and from every later one: the next
 * phase completes at its third arrival. */
static void drop_count(struct ck *t)
{
    struct program *p = cluster(t);
    struct mbarrier_step *drop;

    mb_init(p, 5);
    from(t, p, p->ctas - 1 - p->owner);
    drop = mb_remote_drop_count(p, 2);
    home(p);
    mb_arrive_count(p, 3);
    mb_test_parity(p, 0, true);
    mb_arrive_count(p, 2);
    mb_test_parity(p, 1, false);
    mb_arrive(p);
    mb_test_parity(p, 1, true);
    if (ck_variant(t, "arrive"))
        mb_become(drop, MB_REMOTE_ARRIVE_COUNT, 2);
    program_run(p);
}

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_arrive_remote), .run = arrive,
      .axes = { { "ctas", CTAS }, { "owner", OWNERS }, { "form", FORMS } },
      .mutants = { { "skip", "let the last CTA not arrive" } } },
    { CK_RULE(mbarrier_arrive_remote), .name = "count", .run = arrive_count,
      .axes = { { "ctas", CTAS }, { "owner", OWNERS }, { "form", FORMS }, { "count", "2 3 1024 1048575" } },
      .mutants = { { "less", "arrive once less" } } },
    { CK_RULE(mbarrier_arrive_remote), .name = "together", .run = arrive_together,
      .axes = { { "ctas", CTAS }, { "owner", OWNERS }, { "form", FORMS } },
      .mutants = { { "twice", "let one thread arrive once more" } } },
    { CK_RULE(mbarrier_arrive_remote_self), .run = arrive_self,
      .axes = { { "ctas", CTAS }, { "owner", OWNERS }, { "form", FORMS } },
      .mutants = { { "none", "leave the arrival out" } } },
    { CK_RULE(mbarrier_cluster_one_way), .name = "arrive", .run = arrive,
      .axes = { { "ctas", CTAS }, { "owner", OWNERS }, { "form", "cluster" } },
      .mutants = { { "skip", "let the last CTA not arrive" } } },
    { CK_RULE(mbarrier_expect_tx_remote), .run = expect,
      .axes = { { "ctas", CTAS }, { "owner", OWNERS }, { "form", FORMS } },
      .mutants = { { "self", "announce on the own object" } } },
    { CK_RULE(mbarrier_complete_tx_remote), .run = complete,
      .axes = { { "ctas", CTAS }, { "owner", OWNERS }, { "form", FORMS } },
      .mutants = { { "less", "complete one byte less" } } },
    { CK_RULE(mbarrier_arrive_expect_remote), .run = arrive_expect,
      .axes = { { "ctas", CTAS }, { "owner", OWNERS }, { "form", FORMS } },
      .mutants = { { "less", "complete one byte less" } } },
    { CK_RULE(mbarrier_arrive_drop_remote), .run = drop,
      .axes = { { "ctas", CTAS }, { "owner", OWNERS }, { "form", FORMS } },
      .mutants = { { "arrive", "arrive in place of the last drop" } } },
    { CK_RULE(mbarrier_arrive_drop_remote), .name = "count", .run = drop_count,
      .axes = { { "ctas", CTAS }, { "owner", OWNERS }, { "form", FORMS } },
      .mutants = { { "arrive", "arrive in place of the drop" } } },
    { 0 },
};

const struct ck_suite mbarrier_cluster_cases = { "mbarrier/cluster", cases };
// SPDX-License-Identifier: Apache-2.0
