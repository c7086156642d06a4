/* Waiting, one thread at a time: what is returned, and that nothing changes. */
#include "tests/mbarrier/program.h"

/* The parity to wait for is 0 or 1: true for the phase just over, false for the current one. What a wait makes of
 * another number in a register is recorded. */
static void parity_values(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t parity = (uint32_t)ck_int(t, "parity"), phases = (uint32_t)ck_int(t, "phases");
    const bool over = (parity & 1) != (phases & 1); /* the phase just over has this parity */
    struct mbarrier_step *test;

    mb_init(p, 1);
    for (uint32_t phase = 0; phase < phases; phase++) {
        mb_arrive(p);
        if (phase + 1 < phases)
            mb_test_parity(p, phase & 1, true);
    }
    if (ck_is(t, "op", "try"))
        test = mb_try_parity(p, parity, over);
    else
        test = mb_test_parity(p, parity, over);
    if (ck_variant(t, "parity"))
        test->value ^= 1;
    program_run(p);
}

/* Waiting changes nothing: after many waits of all kinds in the middle of a phase, the counts are what they are
 * without. */
static void pure(struct ck *t)
{
    struct program *p = program(t, 1, 32);
    const uint32_t times = (uint32_t)ck_int(t, "times");
    struct mbarrier_step *idle;

    mb_init(p, 5);
    mb_expect(p, 16);
    mb_arrive(p);
    idle = mb_pause(p, 0);
    for (int round = 0; round < 2; round++) {
        p->threads = round == 0 ? 1 : 32;
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

/* try_wait on a phase that does not complete comes back with false, after a limit of the system's choice. */
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

/* A time limit never changes the answer of try_wait: false while the phase is open, true when it is complete. */
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

/* A program asks again until the wait is true. stuck.c has the breach: it asks once and goes on. */
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

/* Threads that do not arrive may wait by parity: false before the arrival of thread 0, true after it. */
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

/* A thread that takes part in a phase arrives before it waits, and the wait comes true. The other way round it waits
 * for itself: stuck.c has that breach. */
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
    { CK_RULE(mbarrier_try_wait_may_be_false), .run = may_be_false,
      .mutants = { { "none", "leave the arrival out" } } },
    { CK_RULE(mbarrier_wait_non_participant), .slow = true, .run = non_participant,
      .axes = { { "threads", "2 32 33 256 1024" } }, .mutants = { { "parity", "wait for the wrong parity" } } },
    { CK_RULE(mbarrier_wait_own_arrive_order), .run = own_order,
      .mutants = { { "none", "leave the other arrival out" } } },
    { 0 },
};

const struct ck_suite mbarrier_wait_cases = { "mbarrier/wait", cases };
// SPDX-License-Identifier: Apache-2.0
