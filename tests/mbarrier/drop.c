/* Dropping out: an arrival that is also the last one of its thread. And pending_count, which reads a state. */
#include "tests/mbarrier/program.h"

#define FORMS "plain cta cluster relaxed relaxed-cluster generic sink"

/* `phases` further phases from number `from` on, each of which completes at its n-th arrival, not before. Returns
 * the last arrival. */
static struct mbarrier_step *further(struct program *p, uint32_t from, uint32_t phases, uint32_t n)
{
    struct mbarrier_step *last = NULL;

    for (uint32_t phase = from; phase < from + phases; phase++) {
        if (n > 1) {
            mb_arrive_count(p, n - 1);
            mb_test_parity(p, phase & 1, false);
        }
        last = mb_arrive(p);
        mb_test_parity(p, phase & 1, true);
    }
    return last;
}

/* arrive_drop arrives in the current phase: it takes the last of N arrivals, and the phase completes. */
static void this_phase(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count");
    struct mbarrier_step *drop;

    mb_init(p, n);
    if (n > 1)
        mb_arrive_count(p, n - 1);
    mb_test_parity(p, 0, false);
    p->form = program_form(t);
    drop = mb_drop(p);
    p->form = MB_PLAIN;
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "none"))
        mb_become(drop, MB_PAUSE, 0);
    program_run(p);
}

/* arrive_drop lowers the expected count: after the phase of the drop, each later one completes at N - 1 arrivals,
 * not before. */
static void next_phases(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count");
    struct mbarrier_step *drop;

    mb_init(p, n);
    drop = mb_drop(p);
    mb_arrive_count(p, n - 1);
    mb_test_parity(p, 0, true);
    further(p, 1, (uint32_t)ck_int(t, "phases"), n - 1);
    if (ck_variant(t, "arrive"))
        mb_become(drop, MB_ARRIVE, 0);
    program_run(p);
}

/* arrive_drop with a count c takes c from the pending count and from the expected count: this phase needs N - c more
 * arrivals, and the next one N - c in all. */
static void count(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count"), c = (uint32_t)ck_int(t, "drop");
    struct mbarrier_step *drop;

    mb_init(p, n);
    p->form = program_form(t);
    drop = mb_drop_count(p, c);
    p->form = MB_PLAIN;
    mb_test_parity(p, 0, false);
    mb_arrive_count(p, n - c);
    mb_test_parity(p, 0, true);
    further(p, 1, 1, n - c);
    if (ck_variant(t, "arrive"))
        mb_become(drop, MB_ARRIVE_COUNT, c);
    program_run(p);
}

static bool count_valid(struct ck *t)
{
    return ck_int(t, "drop") < ck_int(t, "count");
}

/* Drops add up: in each phase some threads drop, until `drops` of 32 have, and the phase after that needs the rest
 * alone. */
static void repeat(struct ck *t)
{
    const uint32_t k = (uint32_t)ck_int(t, "drops"), per_phase = (uint32_t)ck_int(t, "per-phase");
    struct program *p = program(t, 1, 32);
    struct mbarrier_step *drop = NULL;
    uint32_t n = 32, phase = 0;

    mb_init(p, n);
    for (uint32_t left = k; left;) {
        const uint32_t now = left < per_phase ? left : per_phase;
        p->threads = now;
        drop = mb_drop(p);
        p->threads = 1;
        mb_arrive_count(p, n - now);
        mb_test_parity(p, phase & 1, true);
        phase++;
        n -= now;
        left -= now;
    }
    further(p, phase, 1, n);
    if (ck_variant(t, "arrive"))
        mb_become(drop, MB_ARRIVE, 0);
    program_run(p);
}

/* One of two arrivals drops out, and the object goes on with the other. An object that lost all its arrivals is not
 * used for another phase: the breach does so. */
static void to_zero(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = ck_variant(t, "one") ? 1 : 2;
    struct mbarrier_step *init = mb_init(p, n);

    mb_drop(p);
    if (n == 2)
        mb_arrive(p);
    mb_test_parity(p, 0, true);
    mb_arrive(p);
    mb_test_parity(p, 1, true);
    if (ck_variant(t, "count"))
        init->value = 3;
    program_run(p);
}

/* arrive_drop returns the phase before it: a wait on that state is false while the phase runs, and true after the
 * other arrivals completed it. `phases` phases came before. */
static void state(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t phases = (uint32_t)ck_int(t, "phases");
    struct mbarrier_step *last;

    mb_init(p, 3);
    for (uint32_t phase = 0; phase < phases; phase++) {
        mb_arrive_count(p, 3);
        mb_test_parity(p, phase & 1, true);
    }
    p->form = program_form(t);
    mb_drop(p);
    mb_test(p, false)->form = MB_PLAIN;
    p->form = MB_PLAIN;
    p->token = 1;
    last = mb_arrive_count(p, 2);
    p->token = 0;
    mb_test(p, true);
    if (ck_variant(t, "fewer"))
        last->value = 1;
    program_run(p);
}

/* arrive_drop.expect_tx announces its bytes, arrives and drops: the phase stays open until the other arrival and the
 * bytes are there, and the next phase needs one arrival. */
static void expect(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");
    struct mbarrier_step *drop;

    mb_init(p, 2);
    p->form = program_form(t);
    drop = mb_drop_expect(p, bytes);
    p->form = MB_PLAIN;
    mb_test_parity(p, 0, false);
    mb_arrive(p);
    mb_test_parity(p, 0, false);
    mb_complete(p, bytes);
    mb_test_parity(p, 0, true);
    further(p, 1, 1, 1);
    if (ck_variant(t, "none"))
        drop->value = 0;
    program_run(p);
}

/* arrive_drop.noComplete counts like any other drop as long as it leaves arrivals pending: the rest completes this
 * phase, and each of the next two. The breach leaves none pending. */
static void nocomplete(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count"), c = ck_variant(t, "all") ? n : n - 1;
    struct mbarrier_step *drop;

    mb_init(p, n);
    drop = mb_drop_nocomplete(p, c);
    mb_test_parity(p, 0, false);
    if (ck_conforming(t)) {
        mb_arrive_count(p, n - c);
        mb_test_parity(p, 0, true);
        further(p, 1, 2, n - c);
    } else {
        mb_peek(p);
    }
    if (ck_variant(t, "arrive"))
        mb_become(drop, MB_ARRIVE_NOCOMPLETE, c);
    program_run(p);
}

/* ---- pending_count ---- */

/* pending_count, given the state of a .noComplete arrival or drop, says how many arrivals were pending before it: N,
 * then `step` less each time, as long as some are left pending. */
static void pending(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count"), step = (uint32_t)ck_int(t, "step");
    struct mbarrier_step *init = mb_init(p, n);

    p->form = program_form(t);
    for (uint32_t i = 0; i < 8 && n > (i + 1) * step; i++) {
        p->token = i;
        if (ck_is(t, "op", "drop"))
            mb_drop_nocomplete(p, step);
        else
            mb_arrive_nocomplete(p, step);
        mb_pending(p, n - i * step);
    }
    if (ck_variant(t, "count"))
        init->value = n == MBARRIER_MAX ? n - 1 : n + 1;
    program_run(p);
}

static bool pending_valid(struct ck *t)
{
    return ck_int(t, "step") < ck_int(t, "count");
}

/* pending_count takes the state of a .noComplete arrival: 5 arrivals were pending. The breaches hand it the state of
 * another kind of arrival, or none. */
static void pending_source(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *init = mb_init(p, 5);

    if (ck_is(t, "source", "nocomplete"))
        mb_arrive_nocomplete(p, 2);
    else if (ck_is(t, "source", "arrive"))
        mb_arrive(p);
    else if (ck_is(t, "source", "arrive-expect"))
        mb_arrive_expect(p, 16);
    else if (ck_is(t, "source", "drop"))
        mb_drop(p);
    else if (ck_is(t, "source", "completing"))
        mb_arrive_count(p, 5);
    mb_pending(p, 5);
    if (ck_variant(t, "count"))
        init->value = 6;
    program_run(p);
}

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_arrive_drop_this_phase), .run = this_phase,
      .axes = { { "count", "1 2 3 32 1048575" }, { "form", FORMS } }, .mutants = { { "none", "leave the drop out" } } },
    { CK_RULE(mbarrier_arrive_drop_next_phases), .run = next_phases,
      .axes = { { "count", "2 3 32 1024 1048575" }, { "phases", "1 2 3 8" } },
      .mutants = { { "arrive", "arrive in place of the drop", .only = "phases=1" } } },
    { CK_RULE(mbarrier_arrive_drop_count), .run = count, .valid = count_valid,
      .axes = { { "count", "4 32 1024 1048575" }, { "drop", "1 2 31 1048574" }, { "form", FORMS } },
      .mutants = { { "arrive", "arrive in place of the drop" } } },
    { CK_RULE(mbarrier_arrive_drop_repeat), .run = repeat,
      .axes = { { "drops", "1 2 3 16 31" }, { "per-phase", "1 2 31" } },
      .mutants = { { "arrive", "arrive in place of the last drops" } } },
    { CK_RULE(mbarrier_arrive_drop_to_zero), .run = to_zero, .mutants = { { "count", "init with count 3" } },
      .breaches = { { "one", "drop the only arrival", .faults = true } } },
    { CK_RULE(mbarrier_arrive_drop_state), .run = state,
      .axes = { { "phases", "0 1 2 3" }, { "form", "plain cta cluster relaxed relaxed-cluster generic" } },
      .mutants = { { "fewer", "leave one arrival out" } } },
    { CK_RULE(mbarrier_arrive_drop_expect), .run = expect,
      .axes = { { "bytes", "1 16 65536 1048575" }, { "form", FORMS } }, .mutants = { { "none", "announce nothing" } } },
    { CK_RULE(mbarrier_arrive_drop_nocomplete), .run = nocomplete, .axes = { { "count", "2 4 32 1024" } },
      .mutants = { { "arrive", "arrive in place of the drop" } },
      .breaches = { { "all", "drop all that are pending" } } },
    { CK_RULE(mbarrier_pending_count_value), .run = pending, .valid = pending_valid,
      .axes = { { "op", "arrive" },
                { "count", "2 3 31 32 33 256 1024 65536 1048575" },
                { "step", "1 2 7 100000" },
                { "form", "plain cta generic" } },
      .mutants = { { "count", "init with another count" } } },
    { CK_RULE(mbarrier_pending_count_drop), .run = pending, .valid = pending_valid,
      .axes = { { "op", "drop" },
                { "count", "2 3 31 32 33 256 1024 65536 1048575" },
                { "step", "1 2 7 100000" },
                { "form", "plain cta generic" } },
      .mutants = { { "count", "init with another count" } } },
    { CK_RULE(mbarrier_pending_count_source), .run = pending_source, .axes = { { "source", "=nocomplete" } },
      .mutants = { { "count", "init with another count" } },
      .breaches = { { "arrive", "take the state of a plain arrive", .set = "source=arrive" },
                    { "expect", "take the state of an arrive.expect_tx", .set = "source=arrive-expect" },
                    { "drop", "take the state of a plain drop", .set = "source=drop" },
                    { "completing", "take the state of the arrival that completes", .set = "source=completing" },
                    { "none", "take no state at all", .set = "source=none" } } },
    { 0 },
};

const struct ck_suite mbarrier_drop_cases = { "mbarrier/drop", cases };
// SPDX-License-Identifier: Apache-2.0
