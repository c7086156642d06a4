/* The source size and ignore-src: how much of the source counts. */
#include "tests/cp_async/lanes.h"

static const char *size_kernel(struct ck *t)
{
    return ck_is(t, "operand", "constant") ? "cp_async_constant" : "cp_async_register";
}

static bool below_size(struct ck *t)
{
    return ck_int(t, "bytes") < form_size(form_of(t));
}

/* Every lane copies with a source size smaller than the copy size. That many bytes arrive, and the rest of the slot
 * becomes zero. */
static void fills_with_zeros(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");

    expect_lanes(&l, bytes);
    set_values(&l, ck_variant(t, "more") || ck_variant(t, "one") ? bytes + 1 : bytes);
    launch_lanes(t, &l, size_kernel(t));
    ck_equal(t, l.out, l.expected);
}

/* Every lane copies with a source size of its own, in a register. Each lane's slot gets its own number of bytes, and
 * zeros behind them. */
static void differs_by_lane(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));

    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t bytes = (lane * (uint32_t)ck_int(t, "stride")) % l.size;
        expect_lane(&l, lane, bytes);
        set_value(&l, lane, ck_variant(t, "half") ? l.size / 2 : bytes);
    }
    launch_lanes(t, &l, "cp_async_register");
    ck_equal(t, l.out, l.expected);
}

/* The words of all lanes' destinations where they are alike. */
static void see_slots(struct ck *t, const struct lanes *l)
{
    const char *words = slot_words(t, l, 0, lane_source(l, 0));

    for (uint32_t lane = 1; lane < LANES; lane++)
        if (strcmp(words, slot_words(t, l, lane, lane_source(l, lane))) != 0)
            words = "lanes differ";
    ck_see(t, "%s", words);
}

/* Every lane copies with a source size that equals the copy size. The manual contradicts itself about it; what the
 * slots hold is recorded. */
static void equal_size(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));

    set_values(&l, l.size);
    if (launch_lanes(t, &l, size_kernel(t)) == CK_DONE)
        see_slots(t, &l);
}

/* A source size above the copy size, as the axis `size` names it. */
static uint32_t above_size(struct ck *t, uint32_t size)
{
    return ck_is(t, "size", "above")    ? size + 1
           : ck_is(t, "size", "double") ? 2 * size
           : ck_is(t, "size", "2^31")   ? 0x80000000
                                        : 0xFFFFFFFF;
}

/* Every lane copies with a source size of one byte less than the copy size, and gets these bytes and a zero. The
 * breach asks for more than the copy size, which is undefined: what the slots hold is recorded, and the bytes between
 * the slots must not change. */
static void not_above_size(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));
    const uint32_t bytes = ck_variant(t, "less")    ? l.size - 2
                           : ck_variant(t, "above") ? above_size(t, l.size)
                                                    : l.size - 1;

    l.a.src_step = l.a.dst_step = 48;
    l.a.src = l.a.dst = 0;
    expect_lanes(&l, l.size - 1);
    set_values(&l, bytes);
    if (launch_lanes(t, &l, "cp_async_register") != CK_DONE)
        return;
    if (!ck_variant(t, "above")) {
        ck_equal(t, l.out, l.expected);
        return;
    }
    see_slots(t, &l);
    for (uint32_t lane = 0; lane < LANES; lane++) /* the room between the slots */
        ck_filled(t, l.out, lane_slot(&l, lane) + l.size, 48 - l.size, CK_POISON);
}

/* ignore-src in the lanes of `ignored`. */
static void ignores(struct ck *t, uint32_t ignored, uint32_t sent, const char *kernel)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));

    for (uint32_t lane = 0; lane < LANES; lane++) {
        expect_lane(&l, lane, ignored >> lane & 1 ? 0 : l.size);
        set_value(&l, lane, sent >> lane & 1);
    }
    launch_lanes(t, &l, kernel);
    ck_equal(t, l.out, l.expected);
}

/* Every lane copies with ignore-src true. The source does not count: the slots become zero. */
static void ignore_true(struct ck *t)
{
    ignores(t, 0xFFFFFFFF, ck_variant(t, "false") ? 0 : 0xFFFFFFFF, "cp_async_ignore");
}

/* Every lane copies with ignore-src false. It is an ordinary copy. */
static void ignore_false(struct ck *t)
{
    ignores(t, 0, ck_variant(t, "true") ? 0xFFFFFFFF : 0, "cp_async_ignore");
}

/* ignore-src is true in the lanes of the mask. It is a predicate of each lane: their slots become zero, the other
 * lanes get their bytes. */
static void ignore_by_lane(struct ck *t)
{
    const uint32_t mask = (uint32_t)ck_int(t, "mask");

    ignores(t, mask, ck_variant(t, "inverted") ? ~mask : mask, "cp_async_ignore");
}

/* ignore-src is a negated predicate. Whether it may be is not said; it is taken, and the lanes where the predicate is
 * false get zeros. */
static void ignore_not(struct ck *t)
{
    ignores(t, ~(uint32_t)ck_int(t, "mask"), (uint32_t)ck_int(t, "mask"), "cp_async_ignore_not");
}

/* The same copy without ignore-src, and with ignore-src false. Both leave the same image. */
static void ignore_default(struct ck *t)
{
    const struct ck_buf in = ck_input(t, SOURCE);
    struct lanes plain = lanes_of(t, in), given = lanes_of(t, in);

    set_values(&given, ck_variant(t, "true"));
    expect_lanes(&plain, plain.size);
    launch_lanes(t, &plain, "cp_async_copy");
    launch_lanes(t, &given, "cp_async_ignore");
    ck_equal(t, plain.out, plain.expected);
    ck_equal(t, given.out, plain.out.host);
}

/* Behind the copy size comes a constant 0 or 1. It is a source size of 0 or 1 bytes, and no ignore-src. */
static void constant_is_size(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));
    const uint32_t bytes = (uint32_t)ck_int(t, "constant");

    expect_lanes(&l, bytes);
    set_values(&l, bytes);
    launch_lanes(t, &l, ck_variant(t, "predicate") ? "cp_async_ignore" : "cp_async_constant");
    ck_equal(t, l.out, l.expected);
}

/* One lane, with a source that is not there: address 0, or behind the last mapped byte. */
static void no_fetch(struct ck *t, const char *kernel, uint32_t value)
{
    struct lanes l = lanes_of(t, ck_edge_input(t, SOURCE));

    l.a.lanes = 1;
    l.a.src = 0;
    l.a.in = ck_is(t, "source", "null") ? 0 : l.in.device + SOURCE;
    set_values(&l, value);
    if (launch_lanes(t, &l, kernel) == CK_DONE)
        ck_see(t, "%s", slot_words(t, &l, 0, NULL));
}

/* Constants with one of the two sources: every such point costs a process of its own. */
static bool one_operand(struct ck *t)
{
    return ck_is(t, "operand", "register") || ck_is(t, "source", "behind");
}

/* One lane copies with ignore-src true from where no memory is. Whether the address may be invalid is not said; the
 * breach passes false. */
static void ignored_not_fetched(struct ck *t)
{
    no_fetch(t, "cp_async_ignore", !ck_variant(t, "false"));
}

/* One lane copies with source size 0 from where no memory is. Whether the address may be invalid is not said; the
 * breach asks for one byte. */
static void zero_not_fetched(struct ck *t)
{
    no_fetch(t, size_kernel(t), ck_variant(t, "one"));
}

static const struct ck_case cases[] = {
    { CK_RULE(cpasync_srcsize_zero_fill), .run = fills_with_zeros, .valid = below_size,
      .axes = { { "form", FORMS }, { "bytes", "0..15" }, { "operand", "constant register" } },
      .mutants = { { "more", "ask for one byte more" } } },
    { CK_RULE(cpasync_srcsize_zero), .run = fills_with_zeros,
      .axes = { { "form", FORMS }, { "operand", "constant register" }, { "bytes", "0" } },
      .mutants = { { "one", "ask for one byte" } } },
    { CK_RULE(cpasync_srcsize_reg_per_lane), .run = differs_by_lane,
      .axes = { { "form", FORMS }, { "stride", "1 3 5 7" } },
      .mutants = { { "half", "give all lanes half the copy size" } } },
    { CK_RULE(cpasync_srcsize_equal), .run = equal_size,
      .axes = { { "form", FORMS }, { "operand", "constant register" } } },
    { CK_RULE(cpasync_srcsize_reg_over), .run = not_above_size,
      .axes = { { "form", FORMS }, { "size", "above double 2^31 max" } },
      .mutants = { { "less", "ask for one byte less" } },
      .breaches = { { "above", "ask for more than the copy size" } } },
    { CK_RULE(cpasync_srcsize_zero_no_fetch), .run = zero_not_fetched, .faults = true, .valid = one_operand,
      .axes = { { "form", FORMS }, { "source", "null behind" }, { "operand", "constant register" } },
      .breaches = { { "one", "ask for one byte", .only = "operand=constant", .faults = true } } },
    { CK_RULE(cpasync_ignsrc_true), .run = ignore_true, .axes = { { "form", FORMS } },
      .mutants = { { "false", "pass false" } } },
    { CK_RULE(cpasync_ignsrc_false), .run = ignore_false, .axes = { { "form", FORMS } },
      .mutants = { { "true", "pass true" } } },
    { CK_RULE(cpasync_ignsrc_default), .run = ignore_default, .axes = { { "form", FORMS } },
      .mutants = { { "true", "pass true in one of the two" } } },
    { CK_RULE(cpasync_ignsrc_per_lane), .run = ignore_by_lane,
      .axes = { { "form", FORMS }, { "mask", "0x1 0x80000000 0x55555555 0xffff0000 0x7fffffff" } },
      .mutants = { { "inverted", "invert the mask" } } },
    { CK_RULE(cpasync_ignsrc_negated), .run = ignore_not,
      .axes = { { "form", FORMS }, { "mask", "0 0x1 0x55555555 0xffffffff" } } },
    { CK_RULE(cpasync_ignsrc_not_immediate), .run = constant_is_size,
      .axes = { { "form", FORMS }, { "constant", "0 1" } },
      .mutants = { { "predicate", "pass the constant's truth value as ignore-src" } } },
    { CK_RULE(cpasync_ignsrc_no_fetch), .run = ignored_not_fetched, .faults = true,
      .axes = { { "form", FORMS }, { "source", "null behind" } },
      .breaches = { { "false", "pass false", .faults = true } } },
    { 0 },
};

const struct ck_suite cp_async_source = { "cp_async/source", cases };
// SPDX-License-Identifier: Apache-2.0
