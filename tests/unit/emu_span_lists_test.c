/* Long lists of accesses of the judge's shadow: what makes room in them, and what is forgotten. emu_spans_test and
 * emu_shadow_test hold what is found of shorter ones against all accesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "harness/emu/judge/spans.h"

/* As spans.c has them: of lists with room for so many, the older reads but so many are forgotten; the longest list. */
enum { FORGETS = 4096, REMEMBERED = 1024, MOST = 16384 };

static struct order_list list;

static int begin(void **state)
{
    (void)state;
    free(list.more);
    list = (struct order_list){ 0 };
    return 0;
}

/* A thread's access of word `word` of the line. */
static void access_word(uint32_t who, unsigned word, uint8_t kind, uint32_t epoch)
{
    struct order_span *s = span_more(&list);

    assert_non_null(s);
    *s = (struct order_span){
        .who = who, .epoch = epoch, .kind = kind, .first = (uint8_t)(word * 4), .last = (uint8_t)(word * 4 + 3)
    };
}

/* So many reads, each by a thread of its own; every `nth` is strong. */
static void read_many(unsigned n, unsigned nth)
{
    for (unsigned i = 0; i < n; i++)
        access_word(i, i % 3, i % nth ? 0 : RECORD_STRONG, 1);
}

static void check_whos(unsigned from, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(span_all(&list)[i].who, from + i);
}

static void grows_up_to_its_most(void **state)
{
    struct span_cuts cuts = { .n = 1 };
    const struct order_record more = { .who = MOST };

    (void)state;
    assert_false(span_is_full(&list));
    read_many(2, 7);
    assert_false(span_is_full(&list)); /* these two have their place in the line */
    read_many(2, 7);
    assert_true(span_is_full(&list));
    begin(NULL);
    read_many(MOST, 7);
    check_whos(0, MOST);
    assert_true(span_is_full(&list));
    assert_null(span_more(&list));
    span_add(&more, &list, 64, 67);
    span_settle(&list, MOST, &cuts);
    assert_int_equal(list.n, MOST);
    check_whos(0, MOST);
}

static void a_span_stands_for_so_many(void **state)
{
    struct order_span s = { .epoch = 1, .last = 3 };
    struct order_record x = { .epoch = 1 };

    (void)state;
    while (x.who < UINT16_MAX) {
        x.who++;
        assert_true(span_extends(&s, &x, 0, 3));
    }
    x.who++;
    assert_false(span_extends(&s, &x, 0, 3));
    assert_int_equal(s.more, UINT16_MAX);
}

static void later_reads_stand_for_earlier_ones(void **state)
{
    (void)state;
    access_word(0, 0, RECORD_WRITE, 1);
    access_word(0, 0, RECORD_WRITE, 1); /* no read; and what is before it is not looked at */
    for (unsigned i = 0; i < 62; i++)
        access_word(i % 31, i % 31 % 3, 0, 1 + i / 31);
    assert_true(span_is_full(&list));
    span_crowd(&list);
    assert_int_equal(list.n, 2 + 31);
    for (unsigned i = 2; i < list.n; i++) {
        assert_int_equal(span_all(&list)[i].who, i - 2);
        assert_int_equal(span_all(&list)[i].epoch, 2);
    }
    assert_int_equal(list.room, 128); /* more than half of the room was taken */
}

static void room_is_made_where_it_is_short(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 64; i++)
        access_word(i % 32, 0, 0, i / 32);
    span_crowd(&list);
    assert_int_equal(list.n, 32);
    assert_int_equal(list.room, 64);
    begin(NULL);
    read_many(64, 7);
    span_crowd(&list);
    assert_int_equal(list.n, 64);
    check_whos(0, 64);
    assert_int_equal(list.room, 128);
}

static void older_weak_reads_are_forgotten(void **state)
{
    unsigned strong = 0;

    (void)state;
    read_many(FORGETS / 2, 7);
    span_crowd(&list);
    check_whos(0, FORGETS / 2);
    assert_int_equal(list.room, FORGETS);
    for (unsigned i = 0; i < FORGETS / 2; i++) /* the same again: half of a list that long is as short as needs be */
        access_word(i, i % 3, i % 7 ? 0 : RECORD_STRONG, 2);
    span_crowd(&list);
    assert_int_equal(list.n, FORGETS / 2);
    check_whos(0, FORGETS / 2);
    begin(NULL);
    read_many(FORGETS, 7);
    span_crowd(&list);
    for (unsigned i = 0; i < FORGETS - REMEMBERED; i++)
        strong += i % 7 == 0;
    assert_int_equal(list.n, strong + REMEMBERED);
    for (unsigned i = 0; i < strong; i++)
        assert_int_equal(span_all(&list)[i].who, 7 * i);
    for (unsigned i = 0; i < REMEMBERED; i++)
        assert_int_equal(span_all(&list)[strong + i].who, FORGETS - REMEMBERED + i);
    begin(NULL);
    read_many(MOST, 7); /* of the longest, strong ones too */
    span_crowd(&list);
    assert_int_equal(list.n, REMEMBERED);
    check_whos(MOST - REMEMBERED, REMEMBERED);
}

/* Two writes that are one pattern in the end are no reads at the end of the list. */
static void joined_writes_are_no_tail(void **state)
{
    (void)state;
    access_word(0, 0, RECORD_WRITE, 1);
    access_word(1, 1, RECORD_WRITE, 1);
    assert_int_equal(span_tail(&list), 0);
    span_join(&list);
    assert_int_equal(list.n, 1);
    assert_int_equal(span_tail(&list), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(grows_up_to_its_most, begin),
        cmocka_unit_test(a_span_stands_for_so_many),
        cmocka_unit_test_setup(later_reads_stand_for_earlier_ones, begin),
        cmocka_unit_test_setup(room_is_made_where_it_is_short, begin),
        cmocka_unit_test_setup(older_weak_reads_are_forgotten, begin),
        cmocka_unit_test_setup(joined_writes_are_no_tail, begin),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);

    begin(NULL);
    return failed;
}
// SPDX-License-Identifier: Apache-2.0
