/* Making an object: its counts, its first phase, and what may not be in its place before. */
#include "tests/mbarrier/program.h"

#include <string.h>

/* An object made with count N completes a phase at its Nth arrival, not before: two phases, so both parities. */
static void count_range(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count");
    struct mbarrier_step *last = NULL;

    mb_init(p, n);
    for (uint32_t phase = 0; phase < 2; phase++) {
        if (n > 1)
            mb_arrive_count(p, n - 1);
        mb_test_parity(p, phase, false);
        last = mb_arrive(p);
        mb_test_parity(p, phase, true);
    }
    if (ck_variant(t, "fewer"))
        mb_become(last, MB_PAUSE, 0);
    program_run(p);
}

/* A fresh object is in phase 0, which is open: a test of parity 0 is false. */
static void phase_zero(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *test;

    mb_init(p, (uint32_t)ck_int(t, "count"));
    p->form = program_form(t);
    test = mb_test_parity(p, 0, false);
    if (ck_variant(t, "parity"))
        test->value = 1;
    program_run(p);
}

/* On a fresh object a test of parity 1 is true, as if a phase before phase 0 had completed. Pipelines rely on it and
 * no document says it, so the answers are recorded. */
static void fresh_parity_one(struct ck *t)
{
    struct program *p = program(t, 1, 1);

    p->show = true;
    mb_init(p, (uint32_t)ck_int(t, "count"));
    mb_test_parity(p, 1, true);
    mb_test_parity(p, 0, false);
    program_run(p);
}

/* The pending count of a fresh object is its count: the state of the first .noComplete arrival says N. */
static void pending(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count");
    struct mbarrier_step *init = mb_init(p, n);

    mb_arrive_nocomplete(p, 1);
    mb_pending(p, n);
    if (ck_variant(t, "count"))
        init->value = n == MBARRIER_MAX ? n - 1 : n + 1;
    program_run(p);
}

/* The tx-count of a fresh object is 0: N arrivals alone complete phase 0. */
static void tx_zero(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count");
    struct mbarrier_step *idle;

    mb_init(p, n);
    idle = mb_pause(p, 0);
    mb_arrive_count(p, n);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "announce"))
        mb_become(idle, MB_EXPECT, 1);
    program_run(p);
}

/* The eight bytes that the axis "fill" names. */
static uint64_t filling(struct ck *t)
{
    return ck_is(t, "fill", "zeros")    ? 0
           : ck_is(t, "fill", "ones")   ? ~0ull
           : ck_is(t, "fill", "poison") ? CK_POISON * 0x0101010101010101ull
                                        : ck_random(t);
}

/* What memory held before init does not matter, not even an old object: the fresh one completes two phases of 3
 * arrivals each. */
static void overwrites_garbage(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint64_t fill = filling(t);
    struct mbarrier_step *init;

    memcpy(p->fill + PROGRAM_BASE, &fill, sizeof fill);
    if (ck_is(t, "fill", "old-object")) {
        mb_init(p, 7);
        mb_arrive(p);
        mb_inval(p);
    }
    init = mb_init(p, 3);
    for (uint32_t phase = 0; phase < 2; phase++) {
        mb_test_parity(p, phase, false);
        mb_arrive(p);
        mb_arrive(p);
        mb_test_parity(p, phase, false);
        mb_arrive(p);
        mb_test_parity(p, phase, true);
    }
    if (ck_variant(t, "count"))
        init->value = 2;
    program_run(p);
}

/* The smallest count and the largest one work: that many arrivals complete the phase. The breaches make objects with
 * counts outside the range, and what the waits then say is recorded. */
static void count_outside(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count");
    struct mbarrier_step *arrive;

    mb_init(p, n);
    mb_test_parity(p, 0, false);
    arrive = mb_arrive_count(p, n ? n : 1);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "none"))
        mb_become(arrive, MB_PAUSE, 0);
    program_run(p);
}

/* A live object is invalidated before init makes another one in its place, which starts afresh with a count of its
 * own. The breach leaves the inval out. */
static void live_object(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count");
    struct mbarrier_step *arrive;

    mb_init(p, 3);
    mb_arrive(p);
    if (!ck_variant(t, "live"))
        mb_inval(p);
    mb_init(p, n);
    mb_test_parity(p, 0, false);
    arrive = mb_arrive_count(p, n);
    mb_test_parity(p, 0, true);
    if (!ck_conforming(t))
        mb_peek(p);
    if (ck_variant(t, "none"))
        mb_become(arrive, MB_PAUSE, 0);
    program_run(p);
}

/* Once an object is made, any operation may be done on it; none of these here completes its phase, which a test
 * finds open. The breaches do them on bytes that never became an object. */
static void required(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint64_t fill = filling(t);
    struct mbarrier_step *test;

    memcpy(p->fill + PROGRAM_BASE, &fill, sizeof fill);
    if (ck_conforming(t))
        mb_init(p, 2);
    mb_named(p, ck_word(t, "op"));
    test = mb_test_parity(p, 0, false);
    if (ck_variant(t, "parity"))
        test->value = 1;
    program_run(p);
}

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_init_count_range), .run = count_range, .axes = { { "count", COUNTS } },
      .mutants = { { "fewer", "leave the last arrival out" } } },
    { CK_RULE(mbarrier_init_count_zero), .run = count_outside, .axes = { { "count", "=1" } },
      .mutants = { { "none", "leave the arrivals out" } },
      .breaches = { { "zero", "init with count 0", .set = "count=0", .faults = true } } },
    { CK_RULE(mbarrier_init_count_over), .run = count_outside, .axes = { { "count", "=1048575" } },
      .mutants = { { "none", "leave the arrivals out" } },
      .breaches = { { "2^20", "init with count 2^20", .set = "count=1048576", .faults = true },
                    { "2^20+1", "init with count 2^20+1", .set = "count=1048577", .faults = true },
                    { "2^32-1", "init with count 2^32-1", .set = "count=4294967295", .faults = true } } },
    { CK_RULE(mbarrier_init_phase_zero), .run = phase_zero,
      .axes = { { "count", COUNTS }, { "form", "plain cta cluster relaxed relaxed-cluster generic" } },
      .mutants = { { "parity", "test parity 1" } } },
    { CK_RULE(mbarrier_init_fresh_parity_one), .run = fresh_parity_one, .axes = { { "count", COUNTS } },
      .no_mutant = "observed: no document says it" },
    { CK_RULE(mbarrier_init_pending), .run = pending,
      .axes = { { "count", "2 3 31 32 33 255 256 1023 1024 16383 16384 65535 65536 1048574 1048575" } },
      .mutants = { { "count", "init with another count" } } },
    { CK_RULE(mbarrier_init_tx_zero), .run = tx_zero, .axes = { { "count", COUNTS } },
      .mutants = { { "announce", "announce one byte in between" } } },
    { CK_RULE(mbarrier_init_overwrites_garbage), .run = overwrites_garbage,
      .axes = { { "fill", "zeros ones poison random old-object" } }, .mutants = { { "count", "init with count 2" } } },
    { CK_RULE(mbarrier_init_live_object), .run = live_object, .axes = { { "count", "1 3 1024 1048575" } },
      .mutants = { { "none", "leave the arrivals out" } }, .breaches = { { "live", "leave the inval out" } } },
    { CK_RULE(mbarrier_init_required), .run = required,
      .axes = { { "op", "expect complete test try inval" }, { "fill", "zeros ones poison" } },
      .mutants = { { "parity", "test parity 1 at the end" } },
      .breaches = { { "zeros", "leave the init out", .only = "fill=zeros" },
                    { "poison", "leave the init out", .only = "fill=poison", .faults = true } } },
    { CK_RULE(mbarrier_init_required), .name = "arrival", .run = required,
      .axes = { { "op", "arrive drop" }, { "fill", "zeros ones" } },
      .mutants = { { "parity", "test parity 1 at the end" } },
      .breaches = { { "none", "leave the init out", .faults = true } } },
    { 0 },
};

const struct ck_suite mbarrier_init_cases = { "mbarrier/init", cases };
// SPDX-License-Identifier: Apache-2.0
