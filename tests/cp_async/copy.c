/* What a copy brings, and what it leaves alone. */
#include "tests/cp_async/lanes.h"

/* The source bytes of pattern "zero" and so on; "random" keeps the seeded ones. */
static void fill(struct ck *t, struct ck_buf in, const char *pattern)
{
    if (!strcmp(pattern, "random"))
        return;
    for (size_t i = 0; i < in.size; i++)
        in.host[i] = (unsigned char)(!strcmp(pattern, "zero")     ? 0
                                     : !strcmp(pattern, "ones")   ? 0xFF
                                     : !strcmp(pattern, "poison") ? CK_POISON
                                                                  : i);
    ck_changed(t, in);
}

/* Each lane copies from one multiple of the copy size to another. Once the copies are complete, the bytes at each
 * destination are those at its source. */
static void copies_bytes(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));

    l.a.src = (uint32_t)ck_int(t, "src") * l.size;
    l.a.dst = 64 + (uint32_t)ck_int(t, "dst") * l.size;
    expect_lanes(&l, l.size);
    if (ck_variant(t, "next"))
        l.a.src += l.size;
    launch_lanes(t, &l, "cp_async_copy");
    ck_equal(t, l.out, l.expected);
}

/* Each lane copies bytes of a pattern: random, all zero, all ones, poison, or counting. Lanes' sources lie `step`
 * copies apart (0: all copy the same bytes). Whatever the bytes are, the destination has them afterwards. */
static void copies_patterns(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));

    fill(t, l.in, ck_word(t, "pattern"));
    l.a.src_step = (uint32_t)ck_int(t, "step") * l.size;
    expect_lanes(&l, l.size);
    if (ck_variant(t, "lane"))
        l.a.lanes &= ~(1u << 31);
    if (ck_variant(t, "inverted")) {
        for (size_t i = 0; i < l.in.size; i++)
            l.in.host[i] ^= 0xFF;
        ck_changed(t, l.in);
    }
    launch_lanes(t, &l, "cp_async_copy");
    ck_equal(t, l.out, l.expected);
}

/* One lane copies into the middle of poisoned shared memory. The bytes of its slot change and no others: all the rest
 * stays poison. */
static void spares_neighbours(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));

    l.a.lanes = 1;
    l.a.dst = 128 + (uint32_t)ck_int(t, "slot") * l.size;
    expect_lanes(&l, l.size);
    if (ck_variant(t, "two"))
        l.a.lanes = 3;
    launch_lanes(t, &l, "cp_async_copy");
    ck_equal(t, l.out, l.expected);
}

/* Every lane copies once. The source is only read: its bytes are the same afterwards. */
static void spares_source(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));
    unsigned char *before = ck_alloc(t, SOURCE);

    memcpy(before, l.in.host, SOURCE);
    expect_lanes(&l, l.size);
    launch_lanes(t, &l, "cp_async_copy");
    ck_equal(t, l.in, before);
    ck_equal(t, l.out, l.expected);
}

/* The lanes of the mask copy, each from its own source to its own destination; the other lanes do not execute the
 * copy, and their slots stay poison. */
static void copies_by_lane(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));

    l.a.lanes = (uint32_t)ck_int(t, "mask");
    l.a.src_step = 48;
    l.a.dst_step = 32;
    expect_lanes(&l, l.size);
    if (ck_variant(t, "less"))
        l.a.lanes &= l.a.lanes - 1;
    launch_lanes(t, &l, "cp_async_copy");
    ck_equal(t, l.out, l.expected);
}

/* All lanes execute the copy under a guard predicate. Lanes whose guard is true copy; under a false guard no copy is
 * made and the slot stays poison. */
static void obeys_guard(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));
    const uint32_t guard = (uint32_t)ck_int(t, "true");

    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t runs = guard >> lane & 1;
        set_value(&l, lane, ck_variant(t, "inverted") ? !runs : runs);
        if (runs)
            expect_lane(&l, lane, l.size);
    }
    launch_lanes(t, &l, "cp_async_guard");
    ck_equal(t, l.out, l.expected);
}

/* One thread makes nine copies of 8 bytes, each with its two addresses written in another way: symbol or register,
 * alone or with a constant added, also a negative one. Each copy goes where its text says. */
static void takes_address_forms(struct ck *t)
{
    struct lanes l = lanes_with(t, ck_input(t, SOURCE), CP_CA8);

    memcpy(l.expected, l.in.host, 72);
    launch_lanes(t, &l, "cp_async_addresses");
    ck_equal(t, l.out, l.expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(cpasync_copy_bytes), .run = copies_bytes,
      .axes = { { "form", FORMS }, { "src", "0..7" }, { "dst", "0..7" } },
      .mutants = { { "next", "copy from the address behind" } } },
    { CK_RULE(cpasync_copy_bytes), .name = "patterns", .run = copies_patterns,
      .axes = { { "form", FORMS }, { "pattern", "random zero ones poison counting" }, { "step", "0 1 2 3" } },
      .mutants = { { "lane", "leave one lane out", .only = "pattern=random/zero/ones/counting" },
                   { "inverted", "invert the source's bytes after the expectation" } } },
    { CK_RULE(cpasync_copy_neighbours), .run = spares_neighbours, .axes = { { "form", FORMS }, { "slot", "0..15" } },
      .mutants = { { "two", "let a second lane copy to the next slot" } } },
    { CK_RULE(cpasync_copy_src_unchanged), .run = spares_source, .axes = { { "form", FORMS } },
      .mutants = { { "stores", "store one byte to each source", .kernel = "stores" } } },
    { CK_RULE(cpasync_copy_lanes), .run = copies_by_lane,
      .axes = { { "form", FORMS },
                { "mask", "0x1 0x80000000 0x3 0x55555555 0xffff 0xffff0000 0x7fffffff 0xffffffff" } },
      .mutants = { { "less", "leave the lowest lane of the mask out" } } },
    { CK_RULE(cpasync_guard_false), .run = obeys_guard,
      .axes = { { "form", FORMS }, { "true", "0 0x1 0x55555555 0xffff0000 0xffffffff" } },
      .mutants = { { "inverted", "invert the guards" } } },
    { CK_RULE(cpasync_addr_forms), .run = takes_address_forms,
      .mutants = { { "offset", "change one constant", .kernel = "other_offset" } } },
    { 0 },
};

const struct ck_suite cp_async_copy = { "cp_async/copy", cases };
// SPDX-License-Identifier: Apache-2.0
