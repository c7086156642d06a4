/* Addresses that a copy must not be given: off its alignment, or where no memory is. */
#include "tests/cp_async/lanes.h"

/* Each size has three offsets of its own; a choice with another one is dropped. */
static bool three_offsets(struct ck *t)
{
    static const int64_t offsets[][3] = { { 1, 2, 3 }, { 1, 2, 4 }, { 1, 4, 8 } };
    const uint32_t size = form_size(form_of(t));
    const int64_t *own = offsets[size == 4 ? 0 : size == 8 ? 1 : 2], off = ck_int(t, "off");

    return off == own[0] || off == own[1] || off == own[2];
}

static struct lanes one_lane(struct ck *t, struct ck_buf in)
{
    struct lanes l = lanes_of(t, in);

    l.a.lanes = 1;
    return l;
}

static void judge(struct ck *t, struct lanes *l)
{
    if (launch_lanes(t, l, "cp_async_copy") == CK_DONE)
        ck_equal(t, l->out, l->expected);
}

/* What a misaligned copy that did not fault has done: `at` and `from` are where the aligned one would have worked. */
static void see_placement(struct ck *t, const struct lanes *l, uint32_t at, uint32_t from)
{
    const unsigned char *image = l->out.host, *source = l->in.host;

    if (!memcmp(image + at, source + from, l->size))
        ck_see(t, "low bits dropped");
    else if (!memcmp(image + l->a.dst, source + l->a.src, l->size))
        ck_see(t, "copied as addressed");
    else
        ck_see(t, "other bytes");
}

/* One lane copies, and one of its two addresses, a member of l->a, is tried: the conforming form leaves it aligned, the
 * mutant moves it by a whole copy, and the breach by `off` bytes. */
static void try_address(struct ck *t, struct lanes *l, uint32_t *address)
{
    const uint32_t at = l->a.dst, from = l->a.src;

    if (ck_variant(t, "off")) {
        *address += (uint32_t)ck_int(t, "off");
        if (launch_lanes(t, l, "cp_async_copy") == CK_DONE)
            see_placement(t, l, at, from);
        return;
    }
    expect_lanes(l, l->size);
    if (ck_variant(t, "next"))
        *address += l->size;
    judge(t, l);
}

/* One lane copies to a multiple of the copy size, and the bytes are there. The breach copies to `off` bytes behind
 * that, where the low bits of the address may be dropped or the copy may fault: what happens is recorded. */
static void aligned_destination(struct ck *t)
{
    struct lanes l = one_lane(t, ck_input(t, SOURCE));

    try_address(t, &l, &l.a.dst);
}

/* One lane copies from a multiple of the copy size, and gets these bytes. The breach copies from `off` bytes behind
 * that, where the low bits of the address may be dropped or the copy may fault: what happens is recorded. */
static void aligned_source(struct ck *t)
{
    struct lanes l = one_lane(t, ck_input(t, SOURCE));

    try_address(t, &l, &l.a.src);
}

/* One lane copies the last bytes that are mapped, and gets them. The breach copies from behind them: right behind, or
 * a page further on. */
static void mapped_source(struct ck *t)
{
    struct lanes l = one_lane(t, ck_edge_input(t, SOURCE));

    l.a.src = SOURCE - l.size;
    expect_lanes(&l, l.size);
    if (ck_variant(t, "before"))
        l.a.src -= l.size;
    if (ck_variant(t, "behind"))
        l.a.src = SOURCE + (ck_is(t, "where", "page") ? 4096 : 0);
    judge(t, &l);
}

/* One lane copies to the last slot of the CTA's shared memory, and the bytes are there. The breach copies behind it:
 * right behind, or far away. */
static void own_destination(struct ck *t)
{
    struct lanes l = one_lane(t, ck_input(t, SOURCE));

    l.a.dst = IMAGE - l.size;
    expect_lanes(&l, l.size);
    if (ck_variant(t, "before"))
        l.a.dst -= l.size;
    if (ck_variant(t, "behind"))
        l.a.dst = ck_is(t, "where", "far") ? 1 << 20 : IMAGE;
    judge(t, &l);
}

static const struct ck_case cases[] = {
    { CK_RULE(cpasync_align_dst), .run = aligned_destination, .valid = three_offsets,
      .axes = { { "form", FORMS }, { "off", "1 2 3 4 8" } }, .mutants = { { "next", "copy to the next slot" } },
      .breaches = { { "off", "misalign the destination", .only = "off=1/4/8", .faults = true } } },
    { CK_RULE(cpasync_align_src), .run = aligned_source, .valid = three_offsets,
      .axes = { { "form", FORMS }, { "off", "1 2 3 4 8" } }, .mutants = { { "next", "copy from the next slot" } },
      .breaches = { { "off", "misalign the source", .only = "off=1/4/8", .faults = true } } },
    { CK_RULE(cpasync_oob_src), .run = mapped_source, .axes = { { "form", FORMS }, { "where", "next page" } },
      .mutants = { { "before", "copy from the slot before" } },
      .breaches = { { "behind", "copy from behind the last mapped byte", .only = "where=page", .faults = true } } },
    { CK_RULE(cpasync_oob_dst), .run = own_destination, .axes = { { "form", FORMS }, { "where", "next far" } },
      .mutants = { { "before", "copy to the slot before" } },
      .breaches = { { "behind", "copy behind the CTA's shared memory", .only = "where=far", .faults = true } } },
    { 0 },
};

const struct ck_suite cp_async_address = { "cp_async/address", cases };
// SPDX-License-Identifier: Apache-2.0
