/* The transaction count: announcing bytes, their arrival, and the limits of both. */
#include "tests/mbarrier/program.h"

#define BYTES "1 4 16 128 65536 1048575"
#define FORMS "plain cta cluster generic"

/* expect_tx adds its bytes to the tx-count: the arrival does not complete the phase before the bytes have come. */
static void adds(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");
    struct mbarrier_step *complete;

    mb_init(p, 1);
    p->form = program_form(t);
    mb_expect(p, bytes);
    p->form = MB_PLAIN;
    mb_arrive(p);
    mb_test_parity(p, 0, false);
    complete = mb_complete(p, bytes);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "bytes"))
        complete->value = bytes - 1;
    program_run(p);
}

/* Several expect_tx add up: the phase is open while 16 bytes of their sum are missing, and complete with them. */
static void accumulates(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t terms = (uint32_t)ck_int(t, "terms");
    struct mbarrier_step *expect = NULL;
    uint32_t sum = 0;

    mb_init(p, 1);
    for (uint32_t i = 1; i <= terms; i++) {
        expect = mb_expect(p, i * 16);
        sum += i * 16;
    }
    mb_arrive(p);
    mb_complete(p, sum - 16);
    mb_test_parity(p, 0, false);
    mb_complete(p, 16);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "fewer"))
        mb_become(expect, MB_PAUSE, 0);
    program_run(p);
}

/* expect_tx does not arrive: after it and its bytes N arrivals are pending as before, and they complete the phase.
 * */
static void not_arrive(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t n = (uint32_t)ck_int(t, "count");
    struct mbarrier_step *arrive;

    mb_init(p, n);
    mb_expect(p, 16);
    mb_complete(p, 16);
    mb_test_parity(p, 0, false);
    if (n > 1) {
        mb_arrive_nocomplete(p, 1);
        mb_pending(p, n);
    }
    arrive = mb_arrive_count(p, n > 1 ? n - 1 : 1);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "none"))
        mb_become(arrive, MB_PAUSE, 0);
    program_run(p);
}

/* expect_tx of 0 changes nothing: the phase is open, and the arrival completes it. */
static void zero(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *expect;

    mb_init(p, 1);
    p->form = program_form(t);
    expect = mb_expect(p, 0);
    p->form = MB_PLAIN;
    mb_test_parity(p, 0, false);
    mb_arrive(p);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "one"))
        expect->value = 1;
    program_run(p);
}

/* The tx-count goes up to 2^20-1, in two steps, and down to 0 again, which completes the phase. The breaches go
 * above. */
static void expect_limit(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t first = (uint32_t)ck_int(t, "first"), second = (uint32_t)ck_int(t, "second");
    struct mbarrier_step *complete;

    mb_init(p, 1);
    mb_expect(p, first);
    mb_expect(p, second);
    mb_arrive(p);
    mb_test_parity(p, 0, false);
    complete = mb_complete(p, first);
    mb_complete(p, second);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "bytes"))
        complete->value--;
    program_run(p);
}

/* The tx-count goes down to -(2^20-1) where bytes come before they are announced, and up to 0 again; then the
 * arrival completes the phase. The breaches go below. */
static void complete_limit(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t first = (uint32_t)ck_int(t, "first"), second = (uint32_t)ck_int(t, "second");
    struct mbarrier_step *expect;

    mb_init(p, 1);
    mb_complete(p, first);
    mb_complete(p, second);
    expect = mb_expect(p, first);
    mb_expect(p, second);
    mb_test_parity(p, 0, false);
    mb_arrive(p);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "bytes"))
        expect->value--;
    program_run(p);
}

/* complete_tx subtracts its bytes from the tx-count: they come in parts, and the last part completes the phase. */
static void subtracts(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes"), parts = (uint32_t)ck_int(t, "parts");
    struct mbarrier_step *last = NULL;

    mb_init(p, 1);
    mb_arrive_expect(p, bytes);
    p->form = program_form(t);
    for (uint32_t i = 0; i < parts; i++) {
        mb_test_parity(p, 0, false);
        last = mb_complete(p, i + 1 < parts ? bytes / parts : bytes - bytes / parts * (parts - 1));
    }
    mb_test_parity(p, 0, true);
    if (last && ck_variant(t, "bytes"))
        last->value--;
    program_run(p);
}

static bool subtracts_valid(struct ck *t)
{
    return ck_int(t, "parts") <= ck_int(t, "bytes");
}

/* complete_tx may come before the expect_tx of its bytes: neither of the two completes the phase, the arrival does.
 * */
static void first(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");
    struct mbarrier_step *expect;

    mb_init(p, 1);
    mb_complete(p, bytes);
    mb_test_parity(p, 0, false);
    expect = mb_expect(p, bytes);
    mb_test_parity(p, 0, false);
    mb_arrive(p);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "bytes"))
        expect->value--;
    program_run(p);
}

/* complete_tx gives the signal of a copy and moves no data: no byte of shared memory beside the object changes.
 * program_run compares them. */
static void no_memory(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *idle;

    for (size_t i = 0; i < sizeof p->fill; i++)
        p->fill[i] = (unsigned char)ck_random(t);
    mb_init(p, 1);
    mb_arrive_expect(p, (uint32_t)ck_int(t, "bytes"));
    mb_complete(p, (uint32_t)ck_int(t, "bytes"));
    mb_test_parity(p, 0, true);
    idle = mb_pause(p, 0);
    if (ck_variant(t, "write")) {
        mb_become(idle, MB_STORE, 1);
        idle->object = 2;
    }
    program_run(p);
}

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_expect_tx_adds), .run = adds, .axes = { { "bytes", BYTES }, { "form", FORMS } },
      .mutants = { { "bytes", "complete one byte less" } } },
    { CK_RULE(mbarrier_expect_tx_accumulates), .run = accumulates, .axes = { { "terms", "2 3 4 8 16 32 64" } },
      .mutants = { { "fewer", "leave one term out" } } },
    { CK_RULE(mbarrier_expect_tx_not_arrive), .run = not_arrive, .axes = { { "count", "1 2 3 32 1024 1048575" } },
      .mutants = { { "none", "leave the arrival out" } } },
    { CK_RULE(mbarrier_expect_tx_zero), .run = zero, .axes = { { "form", FORMS } },
      .mutants = { { "one", "announce one byte" } } },
    { CK_RULE(mbarrier_expect_tx_limit), .run = expect_limit,
      .axes = { { "first", "524287 1048574" }, { "second", "1" } },
      .mutants = { { "bytes", "complete one byte less" } },
      .breaches = { { "2^20", "announce 2^20 bytes at once", .set = "first=1048576 second=0", .only = "first=524287",
                      .faults = true },
                    { "twice", "announce 2^19 bytes twice", .set = "first=524288 second=524288", .only = "first=524287",
                      .faults = true },
                    { "2^32-1", "announce 2^32-1 bytes at once", .set = "first=4294967295 second=0",
                      .only = "first=524287", .faults = true } } },
    { CK_RULE(mbarrier_complete_tx_subtracts), .run = subtracts,
      .axes = { { "bytes", BYTES }, { "parts", "1 2 3 16" }, { "form", FORMS } }, .valid = subtracts_valid,
      .mutants = { { "bytes", "complete one byte less at the end" } } },
    { CK_RULE(mbarrier_complete_tx_first), .run = first, .axes = { { "bytes", BYTES } },
      .mutants = { { "bytes", "announce one byte less" } } },
    { CK_RULE(mbarrier_complete_tx_limit), .run = complete_limit,
      .axes = { { "first", "524287 1048574" }, { "second", "1" } },
      .mutants = { { "bytes", "announce one byte less" } },
      .breaches = { { "2^20", "complete 2^20 bytes at once", .set = "first=1048576 second=0", .only = "first=524287",
                      .faults = true },
                    { "twice", "complete 2^19 bytes twice", .set = "first=524288 second=524288", .only = "first=524287",
                      .faults = true },
                    { "2^32-1", "complete 2^32-1 bytes at once", .set = "first=4294967295 second=0",
                      .only = "first=524287", .faults = true } } },
    { CK_RULE(mbarrier_complete_tx_no_memory), .run = no_memory, .axes = { { "bytes", BYTES } },
      .mutants = { { "write", "write a word" } } },
    { 0 },
};

const struct ck_suite mbarrier_tx_cases = { "mbarrier/tx", cases };
// SPDX-License-Identifier: Apache-2.0
