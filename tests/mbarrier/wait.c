/* Waiting, one thread at a time: what is returned, and that nothing changes. */
#include "tests/mbarrier/program.h"

/* The parity of the axis: 0 and 1 are legal, and what a register may hold beside them is only seen. */
static void parity_values(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t parity = (uint32_t)ck_int(t, "parity"), phases = (uint32_t)ck_int(t, "phases");
    const bool try = ck_is(t, "op", "try");
    struct mbarrier_step *test;

    mb_init(p, 1);
    for (uint32_t phase = 0; phase < phases; phase++) {
        mb_arrive(p);
        if (phase + 1 < phases)
            mb_test_parity(p, phase & 1, true);
    }
    test = (try ? mb_try_parity : mb_test_parity)(p, parity, (parity & 1) != (phases & 1));
    if (ck_variant(t, "parity"))
        test->value ^= 1;
    program_run(p);
}

/* Many waits of all kinds in the middle of a phase; then the counts are as without them. */
static void pure(struct ck *t)
{
    struct program *p = program(t, 1, 32);
    const uint32_t times = (uint32_t)ck_int(t, "times");
    struct mbarrier_step *idle;

    mb_init(p, 5);
    mb_expect(p, 16);
    mb_arrive(p);
    idle = mb_pause(p, 0);
    for (p->threads = 1; p->threads <= 32; p->threads += 31) {
        p->times = times;
        mb_test(p, false);
        mb_test_parity(p, 0, false);
        mb_test_parity(p, 1, true);
        p->times = 1;
        mb_try_parity(p, 1, true);
        mb_try_hint(p, 0, 1000, false);
    }
    p->threads = 1;
    p->token = 1;
    mb_arrive_nocomplete(p, 1);
    mb_pending(p, 4);
    mb_complete(p, 16);
    mb_arrive_count(p, 3);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "announce"))
        mb_become(idle, MB_EXPECT, 16);
    program_run(p);
}

static void try_returns(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *idle;

    mb_init(p, 2);
    mb_arrive(p);
    p->token = 1;
    idle = mb_pause(p, 0);
    p->token = 0;
    p->form = program_form(t);
    if (ck_is(t, "by", "state"))
        mb_try(p, false);
    else
        mb_try_parity(p, 0, false);
    if (ck_variant(t, "complete"))
        mb_become(idle, MB_ARRIVE, 0);
    program_run(p);
}

static void hint(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t ns = (uint32_t)ck_int(t, "ns");
    struct mbarrier_step *arrive;

    mb_init(p, 1);
    if (ns < 1000000000) /* a wait that long would hold the test up */
        mb_try_hint(p, 0, ns, false);
    arrive = mb_arrive(p);
    mb_try_hint(p, 0, ns, true)->times = 2;
    if (ck_variant(t, "none"))
        mb_become(arrive, MB_PAUSE, 0);
    program_run(p);
}

/* Asking until it is true. stuck.c has the breach. */
static void may_be_false(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *arrive;

    mb_init(p, 1);
    arrive = mb_arrive(p);
    mb_try_hint(p, 0, 1000, true);
    if (ck_variant(t, "none"))
        mb_become(arrive, MB_PAUSE, 0);
    program_run(p);
}

static void non_participant(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads");
    struct program *p = program(t, 1, threads);
    struct mbarrier_step *test;

    mb_init(p, 1);
    p->threads = threads;
    mb_test_parity(p, 0, false);
    p->threads = 1;
    mb_arrive(p);
    p->first = 1;
    p->threads = threads - 1;
    test = mb_test_parity(p, 0, true);
    mb_try_parity(p, 0, true);
    if (ck_variant(t, "parity"))
        test->value = 1;
    program_run(p);
}

/* A participant that waits before it arrives would wait for itself: asked a bounded number of times here. */
static void own_order(struct ck *t)
{
    struct program *p = program(t, 1, 2);
    struct mbarrier_step *other;

    mb_init(p, 2);
    p->first = 1;
    other = mb_arrive(p);
    p->first = 0;
    mb_arrive(p);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "none"))
        mb_become(other, MB_PAUSE, 0);
    program_run(p);
}

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_wait_parity_values), .run = parity_values,
      .axes = { { "op", "test try" }, { "parity", "0 1" }, { "phases", "0 1 2" } },
      .mutants = { { "parity", "test the other parity" } },
      .breaches = { { "2", "wait for parity 2", .set = "parity=2", .only = "parity=0" },
                    { "3", "wait for parity 3", .set = "parity=3", .only = "parity=0" },
                    { "2^32-1", "wait for parity 2^32-1", .set = "parity=4294967295", .only = "parity=0" } } },
    { CK_RULE(mbarrier_wait_pure), .run = pure, .axes = { { "times", "1 2 32 1000" } },
      .mutants = { { "announce", "announce bytes in between" } } },
    { CK_RULE(mbarrier_try_wait_returns), .run = try_returns,
      .axes = { { "by", "state parity" }, { "form", "plain cta cluster relaxed relaxed-cluster generic" } },
      .mutants = { { "complete", "complete the phase" } } },
    { CK_RULE(mbarrier_try_wait_hint), .name = "answer", .run = hint,
      .axes = { { "ns", "0 1 1000 1000000 4294967295" } },
      .mutants = { { "none", "leave the arrival out", .only = "ns=1000" } } },
    { CK_RULE(mbarrier_try_wait_may_be_false), .run = may_be_false, .axes = { { "ask", "again" } },
      .mutants = { { "none", "leave the arrival out" } } },
    { CK_RULE(mbarrier_wait_non_participant), .run = non_participant, .axes = { { "threads", "2 32 33 256 1024" } },
      .mutants = { { "parity", "wait for the wrong parity" } } },
    { CK_RULE(mbarrier_wait_own_arrive_order), .run = own_order, .axes = { { "order", "arrive-wait" } },
      .mutants = { { "none", "leave the other arrival out" } } },
    { 0 },
};

const struct ck_suite mbarrier_wait_cases = { "mbarrier/wait", cases };
