/* The object itself: its size, its place, what may be done to it, and its end. */
#include "tests/mbarrier/program.h"

static const uint64_t patterns[] = { 0, ~0ull, 0x0123456789abcdefull, 0x8000000000000001ull };

/* An object is 8 bytes: through a whole life, with operations of all kinds, no byte of shared memory beside it
 * changes. program_run compares them. */
static void size(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *idle;

    for (size_t i = 0; i < sizeof p->fill; i++)
        p->fill[i] = (unsigned char)ck_random(t);
    mb_init(p, 4);
    mb_expect(p, 64);
    mb_arrive_expect(p, 16);
    mb_drop_expect(p, 16);
    mb_arrive_nocomplete(p, 1);
    mb_complete(p, 96);
    mb_arrive(p);
    mb_test_parity(p, 0, true);
    mb_drop(p);
    mb_arrive_count(p, 2);
    mb_test(p, true);
    mb_try_parity(p, 0, false);
    idle = mb_pause(p, 0);
    mb_inval(p);
    if (ck_variant(t, "canary")) {
        mb_become(idle, MB_STORE, 0);
        idle->object = 1;
    }
    program_run(p);
}

/* An object has an address that is a multiple of 8: here it is `skew` bytes further on, and completes a phase. The
 * breaches put it at other addresses. */
static void align(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *init;

    p->skew = (uint32_t)ck_int(t, "skew");
    init = mb_init(p, 1);
    if (ck_is(t, "op", "life")) {
        mb_arrive(p);
        mb_test_parity(p, 0, true);
    }
    p->hole = 24;
    if (ck_variant(t, "count"))
        init->value = 2;
    program_run(p);
}

/* After inval the eight bytes are ordinary memory: a word stored there is read back. The breach stores it over the
 * live object. */
static void repurpose(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint64_t value = patterns[ck_int(t, "pattern")];
    struct mbarrier_step *load;

    mb_init(p, 2);
    mb_arrive(p);
    if (!ck_variant(t, "live"))
        mb_inval(p);
    mb_store(p, value);
    load = mb_load(p, true, value);
    if (ck_variant(t, "place"))
        load->object = 1;
    program_run(p);
}

/* After inval the same bytes become an object again, with another count: it starts in phase 0, however far the first
 * object got, and completes a phase at its own count. */
static void reinit(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const uint32_t first = (uint32_t)ck_int(t, "first"), second = (uint32_t)ck_int(t, "second");
    struct mbarrier_step *again;

    mb_init(p, first);
    for (int64_t phase = 0; phase < ck_int(t, "phases"); phase++) {
        mb_arrive_count(p, first);
        mb_test_parity(p, phase & 1, true);
    }
    mb_inval(p);
    again = mb_init(p, second);
    mb_test_parity(p, 0, false);
    if (second > 1)
        mb_arrive_count(p, second - 1);
    mb_test_parity(p, 0, false);
    mb_arrive(p);
    mb_test_parity(p, 0, true);
    if (ck_variant(t, "count"))
        again->value = other_count(second);
    program_run(p);
}

/* An object is invalidated when nothing is pending on it: the bytes that were announced have come. In the breach
 * they come later, when its place is ordinary memory again. */
static void quiescent(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    const bool after = ck_variant(t, "after");
    struct mbarrier_step *load;

    mb_init(p, 1);
    mb_arrive_expect(p, 16);
    if (!after) {
        mb_complete(p, 16);
        mb_test_parity(p, 0, true);
    }
    mb_inval(p);
    mb_store(p, patterns[2]);
    if (after)
        mb_complete(p, 16);
    load = mb_load(p, true, patterns[2]);
    if (ck_variant(t, "place"))
        load->object = 1;
    program_run(p);
}

/* After inval nothing but init may be done: made again, the object takes any operation, and its phase is open. The
 * breach does the operation on the dead object. */
static void then_use(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *test;

    mb_init(p, 2);
    mb_arrive(p);
    mb_inval(p);
    if (!ck_variant(t, "dead"))
        mb_init(p, 2);
    if (ck_is(t, "op", "test")) {
        if (ck_conforming(t)) /* a state of this object, not of the one before */
            mb_arrive(p);
        mb_test(p, false);
    } else {
        mb_named(p, ck_word(t, "op"));
    }
    test = mb_test_parity(p, 0, false);
    if (!ck_conforming(t))
        mb_peek(p);
    if (ck_variant(t, "parity"))
        test->value = 1;
    program_run(p);
}

/* No ordinary load, store or copy touches a live object: after inval they may, and the object made there next works
 * as usual. The breaches leave the inval out. */
static void opaque(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *again;

    mb_init(p, 2);
    mb_arrive(p);
    if (!ck_variant(t, "live"))
        mb_inval(p);
    if (ck_is(t, "access", "load"))
        mb_load(p, false, 0);
    else if (ck_is(t, "access", "store"))
        mb_store(p, patterns[2]);
    else
        mb_copy(p, 1);
    if (ck_conforming(t)) {
        again = mb_init(p, 1);
        if (ck_variant(t, "count"))
            again->value = 2;
    }
    mb_test_parity(p, 0, false);
    mb_arrive(p);
    mb_test_parity(p, 0, true);
    program_run(p);
}

/* The eight bytes of an object are no object where they are copied to: there object 1 is made anew, and completes a
 * phase at one arrival. The breach uses the copy of a live object as it is. */
static void no_copy(struct ck *t)
{
    struct program *p = program(t, 1, 1);
    struct mbarrier_step *init;

    mb_init(p, 2);
    mb_arrive(p);
    mb_inval(p);
    if (!ck_conforming(t)) { /* a live one */
        mb_init(p, 2);
        mb_arrive(p);
    }
    p->object = 1;
    mb_copy(p, 0);
    if (ck_conforming(t)) {
        init = mb_init(p, 1);
        if (ck_variant(t, "count"))
            init->value = 2;
    }
    mb_test_parity(p, 0, false);
    mb_arrive(p);
    mb_test_parity(p, 0, true);
    program_run(p);
}

static const struct ck_case cases[] = {
    { CK_RULE(mbarrier_object_size), .run = size, .mutants = { { "canary", "write the word behind the object" } } },
    { CK_RULE(mbarrier_object_align), .run = align, .axes = { { "op", "init life" }, { "skew", "0 8 16" } },
      .mutants = { { "count", "init with count 2", .only = "op=life" } },
      .breaches = { { "1", "put the object 1 byte off", .set = "skew=1", .only = "op=init skew=0", .faults = true },
                    { "2", "put the object 2 bytes off", .set = "skew=2", .only = "op=init skew=0", .faults = true },
                    { "4", "put the object 4 bytes off", .set = "skew=4", .only = "op=init skew=0",
                      .faults = true } } },
    { CK_RULE(mbarrier_inval_repurpose), .run = repurpose, .axes = { { "pattern", "0..3" } },
      .mutants = { { "place", "read the word behind" } } },
    { CK_RULE(mbarrier_inval_required), .run = repurpose, .axes = { { "pattern", "0..3" } },
      .mutants = { { "place", "read the word behind" } }, .breaches = { { "live", "leave the inval out" } } },
    { CK_RULE(mbarrier_inval_reinit), .run = reinit,
      .axes = { { "first", "1 2 1048575" }, { "second", "1 2 32 1048575" }, { "phases", "0 1 2 3" } },
      .mutants = { { "count", "init with another count the second time" } } },
    { CK_RULE(mbarrier_inval_quiescent), .run = quiescent, .mutants = { { "place", "read the word behind" } },
      .breaches = { { "after", "invalidate before the bytes have come", .faults = true } } },
    { CK_RULE(mbarrier_inval_then_use), .run = then_use,
      .axes = { { "op", "arrive drop expect complete test test-parity try inval" } },
      .mutants = { { "parity", "test parity 1 at the end" } }, .breaches = { { "dead", "do not init it again" } } },
    { CK_RULE(mbarrier_object_opaque_read), .run = opaque, .axes = { { "access", "load" } },
      .mutants = { { "count", "init with count 2 afterwards" } },
      .breaches = { { "live", "leave the inval out", .varies = true } } },
    { CK_RULE(mbarrier_object_opaque_write), .run = opaque, .axes = { { "access", "store copy" } },
      .mutants = { { "count", "init with count 2 afterwards" } },
      .breaches = { { "live", "leave the inval out", .varies = true } } },
    { CK_RULE(mbarrier_object_no_copy), .run = no_copy, .mutants = { { "count", "init with count 2" } },
      .breaches = { { "copy", "use the copy as it is", .faults = true } } },
    { 0 },
};

const struct ck_suite mbarrier_object_cases = { "mbarrier/object", cases };
// SPDX-License-Identifier: Apache-2.0
