/* The oracle's mbarrier object: counts and phases as the PTX ISA tells them, and the rule that each misuse breaks. */
#include "expected/mbarrier.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define OK(call)          assert_null(call)
#define BREAKS(call, sym) assert_ptr_equal(call, &rule_mbarrier_##sym)

static const struct mbarrier_arrival one = { .count = 1 };

static struct mbarrier made(uint64_t count)
{
    struct mbarrier b = { 0 };

    OK(mbarrier_init(&b, count));
    return b;
}

static bool parity(const struct mbarrier *b, uint64_t p)
{
    bool done = false;

    OK(mbarrier_test_parity(b, p, &done));
    return done;
}

static void phases(void **unused)
{
    struct mbarrier b = made(2);

    (void)unused;
    for (uint64_t phase = 0; phase < 5; phase++) {
        assert_false(parity(&b, phase & 1));
        assert_true(parity(&b, (phase & 1) ^ 1));
        OK(mbarrier_arrive(&b, one, NULL));
        assert_false(parity(&b, phase & 1));
        OK(mbarrier_arrive(&b, one, NULL));
        assert_true(parity(&b, phase & 1));
        assert_int_equal(b.phase, phase + 1);
        assert_int_equal(b.pending, 2);
    }
}

static void bytes(void **unused)
{
    struct mbarrier b = made(1);

    (void)unused;
    OK(mbarrier_arrive(&b, (struct mbarrier_arrival){ .count = 1, .bytes = 16 }, NULL));
    assert_int_equal(b.phase, 0);
    OK(mbarrier_complete(&b, 15));
    assert_int_equal(b.phase, 0);
    OK(mbarrier_complete(&b, 1));
    assert_int_equal(b.phase, 1);
    OK(mbarrier_complete(&b, MBARRIER_MAX)); /* below 0 is legal, down to the limit */
    assert_int_equal(b.tx, -MBARRIER_MAX);
    BREAKS(mbarrier_complete(&b, 1), complete_tx_limit);
    OK(mbarrier_expect(&b, MBARRIER_MAX));
    OK(mbarrier_expect(&b, MBARRIER_MAX));
    BREAKS(mbarrier_expect(&b, 1), expect_tx_limit);
    BREAKS(mbarrier_expect(&b, 1ull << 32), expect_tx_limit);
    BREAKS(mbarrier_arrive(&b, (struct mbarrier_arrival){ .count = 1, .bytes = 1 }, NULL), expect_tx_limit);
    assert_int_equal(b.tx, MBARRIER_MAX); /* a broken rule changes nothing */
    BREAKS(mbarrier_inval(&b), inval_quiescent);
    OK(mbarrier_complete(&b, MBARRIER_MAX));
    OK(mbarrier_inval(&b));
}

/* An announcement that evens out bytes which came first ends a phase with nothing pending. */
static void expect_last(void **unused)
{
    struct mbarrier b = made(1);

    (void)unused;
    OK(mbarrier_complete(&b, 16));
    OK(mbarrier_arrive(&b, one, NULL));
    assert_int_equal(b.phase, 0);
    OK(mbarrier_expect(&b, 16));
    assert_int_equal(b.phase, 1);
}

static void drops(void **unused)
{
    struct mbarrier b = made(3);
    const struct mbarrier_arrival drop = { .count = 1, .drop = true };

    (void)unused;
    OK(mbarrier_arrive(&b, drop, NULL));
    OK(mbarrier_arrive(&b, (struct mbarrier_arrival){ .count = 2 }, NULL));
    assert_int_equal(b.phase, 1);
    assert_int_equal(b.pending, 2);
    OK(mbarrier_arrive(&b, drop, NULL));
    OK(mbarrier_arrive(&b, drop, NULL));
    assert_int_equal(b.expected, 0);
    BREAKS(mbarrier_arrive(&b, one, NULL), arrive_drop_to_zero);
}

static void states(void **unused)
{
    struct mbarrier b = made(2), other = made(2);
    struct mbarrier_state first = { 0 }, counted = { 0 };
    uint64_t count = 0;
    bool done = true;

    (void)unused;
    OK(mbarrier_arrive(&b, one, &first));
    OK(mbarrier_test(&b, &first, &done));
    assert_false(done);
    BREAKS(mbarrier_test(&other, &first, &done), arrive_state_other_object);
    BREAKS(mbarrier_pending(&first, &count), pending_count_source);
    BREAKS(mbarrier_pending(&counted, &count), pending_count_source);
    OK(mbarrier_arrive(&b, one, NULL));
    OK(mbarrier_test(&b, &first, &done));
    assert_true(done);
    OK(mbarrier_arrive(&b, (struct mbarrier_arrival){ .count = 1, .stay = true }, &counted));
    OK(mbarrier_pending(&counted, &count));
    assert_int_equal(count, 2);
    BREAKS(mbarrier_arrive(&b, (struct mbarrier_arrival){ .count = 1, .stay = true }, NULL),
           arrive_nocomplete_completing);
    OK(mbarrier_arrive(&b, one, NULL));
    BREAKS(mbarrier_test(&b, &first, &done), phase_older_state);
}

static void misuse(void **unused)
{
    struct mbarrier b = { 0 };
    struct mbarrier_state state = { 0 };
    bool done;

    (void)unused;
    BREAKS(mbarrier_arrive(&b, one, NULL), init_required);
    BREAKS(mbarrier_expect(&b, 1), init_required);
    BREAKS(mbarrier_complete(&b, 1), init_required);
    BREAKS(mbarrier_test(&b, &state, &done), init_required);
    BREAKS(mbarrier_test_parity(&b, 0, &done), init_required);
    BREAKS(mbarrier_inval(&b), init_required);
    BREAKS(mbarrier_init(&b, 0), init_count_zero);
    BREAKS(mbarrier_init(&b, MBARRIER_MAX + 1), init_count_over);
    OK(mbarrier_init(&b, MBARRIER_MAX));
    BREAKS(mbarrier_init(&b, 1), init_live_object);
    BREAKS(mbarrier_test_parity(&b, 2, &done), wait_parity_values);
    BREAKS(mbarrier_arrive(&b, (struct mbarrier_arrival){ 0 }, NULL), arrive_count_reg_zero);
    BREAKS(mbarrier_arrive(&b, (struct mbarrier_arrival){ .count = 1 << 20 }, NULL), arrive_count_over);
    OK(mbarrier_arrive(&b, (struct mbarrier_arrival){ .count = MBARRIER_MAX }, NULL));
    assert_int_equal(b.phase, 1);
    OK(mbarrier_inval(&b));
    b = made(1);
    OK(mbarrier_arrive(&b, (struct mbarrier_arrival){ .count = 1, .bytes = 1 }, NULL));
    BREAKS(mbarrier_arrive(&b, one, NULL), phase_over_arrive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases), cmocka_unit_test(bytes),  cmocka_unit_test(expect_last),
        cmocka_unit_test(drops),  cmocka_unit_test(states), cmocka_unit_test(misuse),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
