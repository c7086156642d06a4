/* Arriving: what it takes from the pending count, what it returns, and in which forms. */
#include "tests/mbarrier/program.h"

#define FORMS "plain cta cluster relaxed relaxed-cluster generic sink"

/* N arrivals without a count complete a phase of N: each takes 1 from the pending count, so the phase is open before
 * the last of them and complete after it. */
static void default_one(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count");
    struct mbarrier_step *last = NULL;

    mb_init(p, n);
    for (uint32_t i = 0; i < n; i++) {
        mb_test_parity(p, 0, false);
        p->form = program_form(t);
        last = mb_arrive(p);
        p->form = MB_PLAIN;
    }
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "fewer"))
        mb_become(last, MB_PAUSE, 0);
    program_run(p);
}

/* An arrival with a count takes that many from the pending count: the first one takes `first`, a second one the
 * rest, and the phase completes exactly when they add up to N. */
static void count(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count"), first = (uint32_t)ck_int(t, "first");
    struct mbarrier_step *arrive;

    mb_init(p, n);
    p->form = program_form(t);
    arrive = mb_arrive_count(p, first < n ? first : n);
    if (first < n) {
        p->form = MB_PLAIN;
        mb_test_parity(p, 0, false);
        mb_arrive_count(p, n - first);
    }
    p->form = MB_PLAIN;
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "less"))
        mb_become(arrive, arrive->value > 1 ? MB_ARRIVE_COUNT : MB_PAUSE, arrive->value - 1);
    program_run(p);
}

static bool count_valid(struct ck *t)
{
    return ck_int(t, "first") == 1 || ck_int(t, "first") <= ck_int(t, "count");
}

/* An arrival whose count register holds 0. Documents leave open whether it is legal, so what each wait says is
 * recorded; with 1 it takes 1 from the pending count. */
static void count_zero(struct ck *t)
{
    struct program *p = program(t, 1, 1);

    p->show = true;
    mb_init(p, 2);
    mb_arrive_count(p, (uint32_t)ck_int(t, "value"));
    mb_test_parity(p, 0, false);
    mb_arrive(p);
    mb_test_parity(p, 0, ck_is(t, "value", "1"));
    mb_arrive(p);
    mb_test_parity(p, 0, true);
    program_run(p);
}

/* An arrival may take all that is pending and no more: one of 3 is taken, then the other 2, and the phase is
 * complete. The breaches take more than is pending. */
static void count_over(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *init = mb_init(p, 3);

    mb_arrive(p);
    mb_arrive_count(p, (uint32_t)ck_int(t, "value"));
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "count"))
        init->value = 4;
    program_run(p);
}

/* The state that an arrival returns names the phase before the arrival: a wait on it is false while that phase runs,
 * and true once the last arrival has completed it. `phases` phases came before. */
static void state(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count"), phases = (uint32_t)ck_int(t, "phases");
    struct mbarrier_step *last = NULL;

    mb_init(p, n);
    for (uint32_t phase = 0; phase < phases; phase++) {
        mb_arrive_count(p, n);
        mb_test_parity(p, phase & 1, true);
    }
    p->form = program_form(t);
    for (uint32_t i = 0; i < n; i++) {
        p->token = i % MB_TOKENS;
        last = mb_arrive(p);
        if (i + 1 < n)
            mb_test(p, false)->form = MB_PLAIN;
    }
    for (uint32_t i = 0; i < n && i < MB_TOKENS; i++) {
        p->token = i;
        mb_test(p, true)->form = MB_PLAIN;
    }
    if (ck_variant(t, "fewer"))
        mb_become(last, MB_PAUSE, 0);
    program_run(p);
}

/* Another thread may wait on the state that thread 0 got: its wait is false while an arrival is missing, and true
 * after it. */
static void state_shared(struct ck *t)
{
    struct program *p = program(t, 1, 64);
    struct mbarrier_step *test;

    mb_init(p, 2);
    mb_arrive(p);
    p->first = (uint32_t)ck_int(t, "other");
    mb_test(p, false);
    p->first = 0;
    p->token = 1;
    mb_arrive(p);
    mb_test_parity(p, 0, true);
    p->token = 2; /* one of the next phase, for the mutant */
    mb_arrive(p);
    p->token = 0;
    p->first = (uint32_t)ck_int(t, "other");
    test = mb_test(p, true);
    if (ck_variant(t, "state"))
        test->token = 2;
    program_run(p);
}

/* A state is waited on with the object that it came from: both objects are in the middle of a phase, object 1 one
 * phase ahead, and a wait on object 0 is false. The breach hands it the state of object 1. */
static void state_other_object(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *test;

    for (p->object = 0; p->object < 2; p->object++) { /* object 1 is one phase ahead */
        p->token = p->object;
        mb_init(p, 2);
        mb_arrive(p);
        if (p->object == 1) {
            mb_arrive(p);
            mb_test_parity(p, 0, true);
            mb_arrive(p);
        }
    }
    p->object = 0;
    p->token = ck_variant(t, "other") ? 1 : 0;
    test = mb_test(p, false);
    if (ck_variant(t, "parity"))
        mb_become(test, MB_TEST_PARITY, 1);
    program_run(p);
}

/* All threads arrive at the same time, over and over: no arrival is lost and none counts twice. After each phase the
 * next one is open, and at the end all arrivals are pending again. */
static void atomic(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads"), phases = (uint32_t)ck_int(t, "phases");
    struct program *p = program(t, 1, threads);
    struct mbarrier_step *idle;

    mb_init(p, threads);
    for (uint32_t phase = 0; phase < phases; phase++) {
        p->threads = threads;
        mb_arrive(p);
        mb_test_parity(p, phase & 1, true);
        p->threads = 1;
        mb_test_parity(p, (phase + 1) & 1, false);
    }
    idle = mb_pause(p, 0);
    mb_arrive_nocomplete(p, 1);
    mb_pending(p, threads);
    if (ck_variant(t, "twice"))
        mb_become(idle, MB_ARRIVE, 0);
    program_run(p);
}

/* A .noComplete arrival that leaves some arrivals pending counts like any other: the phase completes when the rest
 * has arrived. */
static void nocomplete(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count"), c = (uint32_t)ck_int(t, "first");
    struct mbarrier_step *arrive;

    mb_init(p, n);
    p->form = program_form(t);
    arrive = mb_arrive_nocomplete(p, c);
    p->form = MB_PLAIN;
    mb_test_parity(p, 0, false);
    mb_arrive_count(p, n - c);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "pause"))
        mb_become(arrive, MB_PAUSE, 0);
    program_run(p);
}

static bool nocomplete_valid(struct ck *t)
{
    return ck_int(t, "first") < ck_int(t, "count");
}

/* A .noComplete arrival is not the one that completes the phase: here it leaves one arrival pending, and a plain
 * arrival takes that. The breach leaves none, and says what became of the object. */
static void nocomplete_completing(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count"), left = ck_variant(t, "all") ? 0 : 1;
    struct mbarrier_step *init = mb_init(p, n);

    mb_arrive_nocomplete(p, n - left);
    if (!ck_conforming(t)) {
        mb_test_parity(p, 0, false);
        mb_peek(p);
    } else {
        mb_arrive(p);
        mb_test_parity(p, 0, true);
    }
    if (ck_variant(t, "count"))
        init->value = n + 1;
    program_run(p);
}

/* ---- arrive.expect_tx ---- */

/* arrive.expect_tx announces its bytes before it arrives: though it is the last arrival, the phase stays open until
 * the bytes have come, and the next phase is open then. */
static void expect_order(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");
    struct mbarrier_step *arrive;

    mb_init(p, 1);
    p->form = program_form(t);
    arrive = mb_arrive_expect(p, bytes);
    p->form = MB_PLAIN;
    mb_test_parity(p, 0, false);
    mb_complete(p, bytes);
    mb_test_parity(p, 0, true);
    mb_test_parity(p, 1, false);
    if (ck_variant(t, "plain"))
        mb_become(arrive, MB_ARRIVE, 0);
    program_run(p);
}

/* arrive.expect_tx arrives once: it takes one of two arrivals, and though its bytes have come, the phase waits for
 * the other. */
static void expect_one(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *arrive;

    mb_init(p, 2);
    p->form = program_form(t);
    arrive = mb_arrive_expect(p, 16);
    p->form = MB_PLAIN;
    mb_complete(p, 16);
    mb_test_parity(p, 0, false);
    mb_arrive(p);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "expect")) {
        mb_become(arrive, MB_EXPECT, 16);
        arrive->form = MB_PLAIN;
    }
    program_run(p);
}

/* arrive.expect_tx of 0 bytes is a plain arrival: as the last one it completes the phase at once. */
static void expect_zero(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *arrive;

    mb_init(p, 2);
    mb_arrive(p);
    mb_test_parity(p, 0, false);
    p->form = program_form(t);
    arrive = mb_arrive_expect(p, 0);
    p->form = MB_PLAIN;
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "one"))
        arrive->value = 1;
    program_run(p);
}

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_arrive_default_one), .run = default_one, .axes = { { "count", "1 2 3 32" }, { "form", FORMS } },
      .mutants = { { "fewer", "leave the last arrival out" } } },
    { CK_RULE(mbarrier_arrive_count), .run = count, .valid = count_valid,
      .axes = { { "count", COUNTS }, { "first", "1 2 5 1023 1048575" }, { "form", FORMS } },
      .mutants = { { "less", "arrive once less" } } },
    { CK_RULE(mbarrier_arrive_count_reg_zero), .run = count_zero, .axes = { { "value", "1 0" } },
      .no_mutant = "observed: documents leave it open" },
    { CK_RULE(mbarrier_arrive_count_over), .run = count_over, .axes = { { "value", "=2" } },
      .mutants = { { "count", "init with count 4" } },
      .breaches = { { "one", "arrive with pending+1", .set = "value=3", .faults = true },
                    { "2^20", "arrive with 2^20", .set = "value=1048576", .faults = true },
                    { "2^32-1", "arrive with 2^32-1", .set = "value=4294967295", .faults = true } } },
    { CK_RULE(mbarrier_arrive_state), .run = state,
      .axes = { { "count", "1 2 32" },
                { "phases", "0 1 2 3" },
                { "form", "plain cta cluster relaxed relaxed-cluster generic" } },
      .mutants = { { "fewer", "leave the last arrival out", .only = "count=2" } } },
    { CK_RULE(mbarrier_arrive_state_shared), .run = state_shared, .axes = { { "other", "1 31 32 63" } },
      .mutants = { { "state", "wait on a state of the next phase" } } },
    { CK_RULE(mbarrier_arrive_state_other_object), .run = state_other_object,
      .mutants = { { "parity", "test the parity of the phase before" } },
      .breaches = { { "other", "wait on a state of another object" } } },
    { CK_RULE(mbarrier_arrive_atomic), .slow = true, .run = atomic,
      .axes = { { "threads", "2 31 32 33 256 1024" }, { "phases", "1 30" } },
      .mutants = { { "twice", "let one thread arrive once more" } } },
    { CK_RULE(mbarrier_arrive_nocomplete), .run = nocomplete, .valid = nocomplete_valid,
      .axes = { { "count", COUNTS }, { "first", "1 2 5 1023" }, { "form", "plain cta generic" } },
      .mutants = { { "pause", "leave it out" } } },
    { CK_RULE(mbarrier_arrive_nocomplete_completing), .run = nocomplete_completing,
      .axes = { { "count", "2 32 1024" } }, .mutants = { { "count", "init with one more" } },
      .breaches = { { "all", "arrive with all that are pending" } } },
    { CK_RULE(mbarrier_arrive_expect_order), .run = expect_order,
      .axes = { { "bytes", "1 16 65536 1048575" }, { "form", FORMS } },
      .mutants = { { "plain", "arrive without announcing" } } },
    { CK_RULE(mbarrier_arrive_expect_count_one), .run = expect_one, .axes = { { "form", FORMS } },
      .mutants = { { "expect", "announce without arriving" } } },
    { CK_RULE(mbarrier_arrive_expect_zero), .run = expect_zero, .axes = { { "form", FORMS } },
      .mutants = { { "one", "announce one byte" } } },
    { 0 },
};

const struct ck_suite mbarrier_arrive_cases = { "mbarrier/arrive", cases };
// SPDX-License-Identifier: Apache-2.0
