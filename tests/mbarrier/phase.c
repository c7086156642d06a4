/* Phases: when one completes, what the next starts with, and for which of them a thread may wait. */
#include "tests/mbarrier/program.h"

#include <string.h>

/* A phase completes when the pending count and the tx-count are both 0, not before: two arrivals, an announcement
 * and its bytes complete it at the last of them, whatever their order. */
static void needs_both(struct ck *t)
{
    const char *order = ck_word(t, "order"); /* a arrive, e expect 16, c complete 16 */
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *complete = NULL;

    mb_init(p, 2);
    for (uint32_t phase = 0; phase < 2; phase++)
        for (const char *o = order; *o; o++) {
            if (*o == 'a')
                mb_arrive(p);
            else if (*o == 'e')
                mb_expect(p, 16);
            else
                complete = mb_complete(p, 16);
            mb_test_parity(p, phase, !o[1]);
        }
    p->show = order[strlen(order) - 1] == 'e'; /* what no document says */
    if (complete && ck_variant(t, "bytes"))
        complete->value = 15;
    program_run(p);
}

/* Where the tx-count is 0 already, the last arrival completes the phase. */
static void pending_last(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count");
    struct mbarrier_step *last = NULL;

    mb_init(p, n);
    mb_expect(p, 4096);
    mb_complete(p, 4096);
    for (uint32_t i = 0; i < n; i++) {
        mb_test_parity(p, 0, false);
        last = mb_arrive(p);
    }
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "fewer"))
        mb_become(last, MB_PAUSE, 0);
    program_run(p);
}

/* Where no arrival is pending any more, the complete_tx that brings the tx-count to 0 completes the phase. */
static void tx_last(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");
    struct mbarrier_step *complete;

    mb_init(p, 1);
    mb_arrive_expect(p, bytes);
    mb_test_parity(p, 0, false);
    complete = mb_complete(p, bytes);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "bytes"))
        complete->value = bytes - 1;
    program_run(p);
}

/* When a phase completes, the pending count becomes the expected count again: each of many phases completes at its
 * Nth arrival, not before. */
static void reload(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count"), phases = (uint32_t)ck_int(t, "phases");
    struct mbarrier_step *last = NULL;

    mb_init(p, n);
    for (uint32_t phase = 0; phase < phases; phase++) {
        if (n > 1)
            mb_arrive_count(p, n - 1);
        mb_test_parity(p, phase & 1, false);
        last = mb_arrive(p);
        mb_test_parity(p, phase & 1, true);
    }
    if (ck_variant(t, "fewer"))
        mb_become(last, MB_PAUSE, 0);
    program_run(p);
}

/* The tx-count of a new phase is 0: after a phase with bytes, an arrival alone completes the next one. */
static void tx_reset(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");
    struct mbarrier_step *idle;

    mb_init(p, 1);
    mb_arrive_expect(p, bytes);
    mb_complete(p, bytes);
    mb_test_parity(p, 0, true);
    mb_test_parity(p, 1, false);
    idle = mb_pause(p, 0);
    mb_arrive(p);
    mb_test_parity(p, 1, true);
    if (ck_variant(t, "announce"))
        mb_become(idle, MB_EXPECT, bytes);
    program_run(p);
}

/* Phases have parity 0, 1, 0, 1 and so on: a test of the current phase's parity is false before the arrival and true
 * after it. */
static void parity_alternates(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *test = NULL;

    mb_init(p, 1);
    for (uint32_t phase = 0; phase < (uint32_t)ck_int(t, "phases"); phase++) {
        mb_test_parity(p, phase & 1, false);
        mb_arrive(p);
        test = mb_test_parity(p, phase & 1, true);
    }
    if (test && ck_variant(t, "parity"))
        test->value ^= 1;
    program_run(p);
}

/* Waits by the form that the axis "by" names. */
static struct mbarrier_step *wait_by(struct ck *t, struct program *p, uint32_t parity, bool done)
{
    return ck_is(t, "by", "test-state")    ? mb_test(p, done)
           : ck_is(t, "by", "test-parity") ? mb_test_parity(p, parity, done)
           : ck_is(t, "by", "try-state")   ? mb_try(p, done)
                                           : mb_try_parity(p, parity, done);
}

/* A wait for the current phase is false, and one for the phase just before it is true, as often as it is asked. The
 * axis "phase" says which of the two; `phases` phases came before. */
static void current_and_preceding(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t phases = (uint32_t)ck_int(t, "phases");
    const bool preceding = ck_is(t, "phase", "preceding");
    struct mbarrier_step *between;

    mb_init(p, 2);
    for (uint32_t phase = 0; phase < phases; phase++) {
        mb_arrive_count(p, 2);
        mb_test_parity(p, phase & 1, true);
    }
    mb_arrive(p);
    p->token = 1; /* the waits are on the state of the arrival before */
    between = preceding ? mb_arrive(p) : mb_pause(p, 0);
    p->token = 0;
    p->form = program_form(t);
    for (int i = 0; i < 3; i++)
        wait_by(t, p, phases & 1, preceding);
    if (ck_variant(t, "phase"))
        mb_become(between, preceding ? MB_PAUSE : MB_ARRIVE, 0);
    program_run(p);
}

/* A state given to a wait is of the current phase or, as here, of the one before, and then the wait is true. The
 * breaches hand it states of `age` phases ago. */
static void older_state(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t age = (uint32_t)ck_int(t, "age");
    struct mbarrier_step *last = NULL;

    mb_init(p, 2);
    mb_arrive(p);
    p->token = 1;
    for (uint32_t i = 0; i < 2 * age - 1; i++) {
        last = mb_arrive(p);
        if (i % 2 == 0 && i + 1 < 2 * age - 1)
            mb_test_parity(p, i / 2 & 1, true);
    }
    p->token = 0;
    mb_test(p, true);
    if (!ck_conforming(t)) {
        p->token = 1;
        mb_arrive(p); /* the same in the middle of a phase */
        p->token = 0;
        mb_test(p, true);
    }
    if (ck_variant(t, "fewer"))
        mb_become(last, MB_PAUSE, 0);
    program_run(p);
}

/* A wait by parity for the phase just over is true. stuck.c has the breach: a wait for one phase further back looks
 * like a wait for the current one. */
static void older_parity(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t phases = (uint32_t)ck_int(t, "phases");
    struct mbarrier_step *test;

    mb_init(p, 1);
    for (uint32_t phase = 0; phase < phases; phase++) {
        mb_arrive(p);
        mb_test_parity(p, phase & 1, true);
    }
    test = mb_test_parity(p, (phases - 1) & 1, true);
    if (ck_variant(t, "lag"))
        test->value ^= 1;
    program_run(p);
}

/* At least one wait sees each phase complete before an arrival in the next one: the arriver's or another thread's.
 * In the breach nobody waits. */
static void observe(struct ck *t)
{
    struct program *p = program(t, 1, 2);
    const bool waits = !ck_is(t, "by", "nobody");
    const uint32_t phases = (uint32_t)ck_int(t, "phases");
    struct mbarrier_step *test;

    mb_init(p, 1);
    for (uint32_t phase = 0; phase < phases; phase++) {
        mb_arrive(p);
        p->first = ck_is(t, "by", "other");
        if (waits)
            mb_test_parity(p, phase & 1, true);
        p->first = 0;
    }
    test = mb_test_parity(p, phases & 1, false);
    mb_test_parity(p, (phases - 1) & 1, true);
    if (test && ck_variant(t, "parity"))
        test->value ^= 1;
    program_run(p);
}

/* A phase gets as many arrivals as are pending, 3, and the phase after it is open. The breach arrives once more; a
 * count of 3 leaves enough of the next phase to see what became of it. */
static void over_arrive(struct ck *t)
{
    struct program *p = program(t, 1, 32);
    const uint32_t extra = ck_variant(t, "1") ? 1 : 0;
    struct mbarrier_step *init = mb_init(p, 3);

    if (ck_is(t, "how", "count")) {
        mb_arrive_count(p, 3 + extra);
    } else if (ck_is(t, "how", "threads")) {
        p->threads = 3 + extra;
        mb_arrive(p);
        p->threads = 1;
    }
    mb_test_parity(p, 0, true);
    mb_test_parity(p, 1, false);
    if (ck_variant(t, "count"))
        init->value = 4;
    program_run(p);
}

/* The bytes are announced before the arrival, and hold the phase open until they come. stuck.c has the breach. */
static void wrong_phase(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *complete;

    mb_init(p, 1);
    mb_expect(p, 64);
    mb_arrive(p);
    mb_test_parity(p, 0, false);
    complete = mb_complete(p, 64);
    mb_test_parity(p, 0, true);
    mb_test_parity(p, 1, false);
    if (ck_variant(t, "bytes"))
        complete->value = 48;
    program_run(p);
}

#define BY    "test-state test-parity try-state try-parity"
#define FORMS "plain cta cluster relaxed relaxed-cluster generic"

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_phase_needs_both), .run = needs_both,
      .axes = { { "order", "aeac aeca acea caea ceaa eaac eaca ecaa" } },
      .mutants = { { "bytes", "complete 15 of 16 bytes" } } },
    /* An announcement that brings a negative tx-count to 0 when nothing is pending: no document gives an example. */
    { CK_RULE(mbarrier_phase_needs_both), .name = "expect-last", .run = needs_both, .seen_only = true,
      .axes = { { "order", "acae caae" } }, .no_mutant = "only seen" },
    { CK_RULE(mbarrier_phase_pending_last), .run = pending_last, .axes = { { "count", "1 2 3 32" } },
      .mutants = { { "fewer", "leave the last arrival out" } } },
    { CK_RULE(mbarrier_phase_tx_last), .run = tx_last, .axes = { { "bytes", "1 4 16 128 65536 1048575" } },
      .mutants = { { "bytes", "complete one byte less" } } },
    { CK_RULE(mbarrier_phase_reload), .run = reload,
      .axes = { { "count", "1 2 3 32 1024 1048575" }, { "phases", "2 3 64" } },
      .mutants = { { "fewer", "leave the last arrival out" } } },
    { CK_RULE(mbarrier_phase_tx_reset), .run = tx_reset, .axes = { { "bytes", "1 4 16 128 65536 1048575" } },
      .mutants = { { "announce", "announce the bytes in the next phase too" } } },
    { CK_RULE(mbarrier_phase_parity_alternates), .run = parity_alternates, .axes = { { "phases", "1 2 3 4 5 1000" } },
      .mutants = { { "parity", "test the other parity at the end" } } },
    { CK_RULE(mbarrier_phase_current_false), .run = current_and_preceding,
      .axes = { { "by", BY }, { "form", FORMS }, { "phases", "0 1 2" }, { "phase", "current" } },
      .mutants = { { "phase", "complete the phase first" } } },
    { CK_RULE(mbarrier_phase_preceding_true), .run = current_and_preceding,
      .axes = { { "by", BY }, { "form", FORMS }, { "phases", "0 1 2" }, { "phase", "preceding" } },
      .mutants = { { "phase", "leave the last arrival out" } } },
    { CK_RULE(mbarrier_phase_older_state), .run = older_state, .axes = { { "age", "=1" } },
      .mutants = { { "fewer", "leave the last arrival out" } },
      .breaches = { { "2", "test a state of two phases ago", .set = "age=2" },
                    { "3", "test a state of three phases ago", .set = "age=3" },
                    { "4", "test a state of four phases ago", .set = "age=4" },
                    { "5", "test a state of five phases ago", .set = "age=5" } } },
    { CK_RULE(mbarrier_phase_older_parity), .run = older_parity, .axes = { { "phases", "2 3 4" } },
      .mutants = { { "lag", "test the parity of the current phase" } } },
    { CK_RULE(mbarrier_phase_observe_before_next), .run = observe,
      .axes = { { "by", "arriver other" }, { "phases", "3 64" } },
      .mutants = { { "parity", "test the other parity at the end" } },
      .breaches = { { "nobody", "let nobody wait", .set = "by=nobody", .only = "by=arriver" } } },
    { CK_RULE(mbarrier_phase_over_arrive), .run = over_arrive, .axes = { { "how", "count threads" } },
      .mutants = { { "count", "init with count 4" } },
      .breaches = { { "1", "arrive once too often", .only = "how=threads", .faults = true } } },
    { CK_RULE(mbarrier_tx_wrong_phase), .run = wrong_phase, .mutants = { { "bytes", "complete 48 of 64 bytes" } } },
    { 0 },
};

const struct ck_suite mbarrier_phase_cases = { "mbarrier/phase", cases };
// SPDX-License-Identifier: Apache-2.0
