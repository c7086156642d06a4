/* Bulk loads into the executing CTA's shared memory, in both spellings of the destination. */
#include "kernels/bulk.h"
#include "tests/bulk/image.h"

enum { GUARD = 64, BLOCK = 64, FAR_AWAY = 232448 /* bytes: the end of a CTA's shared memory */ };

#define SIZES "16 32 48 64 112 128 240 256 512 1024 4096 16384 32768 65536 131072"

struct load {
    const char *kernel;
    uint32_t offset; /* of the first piece in the image, behind the guard in front */
    uint32_t size;   /* of a piece */
    uint32_t copies; /* number of pieces */
    uint32_t source; /* offset of the source in the input */
    uint32_t expect; /* transaction bytes */
    uint32_t bar;    /* offset of the barrier from the end of the image */
    uint32_t thread; /* see kernels/bulk.h */
    uint32_t hint;   /* BULK_... */
    uint32_t ctas;   /* in one cluster; 0: one CTA without a cluster */
    bool slow;       /* the source is far away, so that copies are late */
    bool edge;       /* nothing is mapped behind the source */
};

/* One piece, as many bytes as are expected. */
static struct load load_of(const char *kernel, uint32_t size)
{
    return (struct load){ .kernel = kernel, .size = size, .copies = 1, .expect = size };
}

static struct load load_to(struct ck *t, uint32_t size)
{
    return load_of(ck_is(t, "to", "cta") ? "bulk_load_cta" : "bulk_load", size);
}

static uint32_t step_of(const struct load *l)
{
    return round_up(l->size ? l->size : 16, 16);
}

static struct ck_buf input_of(struct ck *t, const struct load *l)
{
    const size_t needed = l->source + (size_t)step_of(l) * l->copies * (l->ctas ? l->ctas : 1);

    return l->edge ? ck_edge_input(t, needed) : l->slow ? ck_slow_input(t, needed + 32) : ck_input(t, needed + 32);
}

/* Makes the variants' changes that several cases have. */
static void vary(struct ck *t, const struct load *l, struct bulk_load_args *a)
{
    if (ck_variant(t, "source"))
        a->in += l->edge ? (uint64_t)-16 : 16;
    if (ck_variant(t, "beyond"))
        a->in += 16;
    if (ck_variant(t, "outside"))
        a->offset = FAR_AWAY;
    if (ck_variant(t, "longer")) {
        a->size += 16;
        a->expect += 16;
    }
    if (ck_variant(t, "expect"))
        a->expect += 16;
    if (ck_variant(t, "size-24-as-16"))
        a->expect = 16;
}

/* The images that must come out: poison round the pieces. With the variant "peer" each CTA's pieces are expected in the
 * next CTA. */
static unsigned char *images(struct ck *t, const struct load *l, struct ck_buf in, uint32_t bytes)
{
    const uint32_t ctas = l->ctas ? l->ctas : 1;
    unsigned char *expected = poisoned(t, (size_t)bytes * ctas);

    for (uint32_t cta = 0; cta < ctas; cta++) {
        const uint32_t to = ck_variant(t, "peer") ? (cta + 1) % ctas : cta;
        for (uint32_t i = 0; i < l->copies; i++)
            memcpy(expected + (size_t)to * bytes + GUARD + l->offset + (size_t)i * step_of(l),
                   in.host + l->source + (size_t)(cta * l->copies + i) * step_of(l), l->size);
    }
    return expected;
}

/* Loads, and compares the whole image with what must be in it. */
static void do_load(struct ck *t, const struct load *l)
{
    const uint32_t ctas = l->ctas ? l->ctas : 1, all = step_of(l) * l->copies;
    const uint32_t bytes = round_up(GUARD + l->offset + all + GUARD, 16);
    const struct ck_buf in = input_of(t, l);
    const struct ck_buf out = ck_output(t, (size_t)bytes * ctas);
    struct bulk_load_args a = {
        .in = in.device + l->source,
        .out = out.device,
        .bytes = bytes,
        .offset = GUARD + l->offset,
        .size = l->size,
        .expect = l->expect,
        .hint = l->hint,
        .bar = l->bar,
        .thread = l->thread,
        .copies = l->copies,
        .step = step_of(l),
        .in_step = all,
        .out_step = bytes,
    };
    const unsigned char *expected = images(t, l, in, bytes);

    vary(t, l, &a);
    if (ck_launch(t, &(struct ck_launch){ .kernel = l->kernel,
                                          .grid = { ctas },
                                          .block = { BLOCK },
                                          .cluster = { l->ctas },
                                          .smem = bytes + 64,
                                          .args = &a,
                                          .size = sizeof a }) == CK_FAULT)
        return;
    ck_equal(t, out, expected);
    if (!ck_conforming(t))
        ck_see(t, "%zu bytes changed", touched(out.host, out.size));
}

/* ---- what a load delivers ---- */

/* A load from global to .shared::cluster memory delivers the named bytes, and nothing round them changes. */
static void load_cluster(struct ck *t)
{
    const struct load l = load_of("bulk_load", (uint32_t)ck_int(t, "size"));

    do_load(t, &l);
}

/* The same with the destination spelled .shared::cta. */
static void load_cta(struct ck *t)
{
    const struct load l = load_of("bulk_load_cta", (uint32_t)ck_int(t, "size"));

    do_load(t, &l);
}

/* A load to any multiple of 16 in shared memory changes the bytes of its destination and no others. The breach goes to
 * an address that is no multiple of 16. */
static void load_at(struct ck *t)
{
    struct load l = load_to(t, (uint32_t)ck_int(t, "size"));

    l.offset = (uint32_t)ck_int(t, "offset");
    do_load(t, &l);
}

/* Each CTA of a cluster loads to its own .shared::cta address. That is also a .shared::cluster address, of the same
 * bytes: they arrive in its own memory. */
static void load_own_window(struct ck *t)
{
    struct load l = load_of("bulk_load_window", 1024);

    l.ctas = (uint32_t)ck_int(t, "cluster");
    do_load(t, &l);
}

/* The last byte that is read is the last one before memory that is not mapped. The breach reads 16 bytes of that. */
static void load_edge(struct ck *t)
{
    struct load l = load_of("bulk_load", (uint32_t)ck_int(t, "size"));

    l.edge = true;
    l.source = 64;
    do_load(t, &l);
}

/* Each CTA of a cluster loads to .shared::cta: the destination is its own memory. The breach names the next CTA's. */
static void load_cta_own(struct ck *t)
{
    struct load l = load_of("bulk_load_cta_own", 256);

    l.ctas = (uint32_t)ck_int(t, "cluster");
    do_load(t, &l);
}

/* A load with any cache policy, or with none, delivers the same bytes. */
static void load_hint(struct ck *t)
{
    struct load l = load_to(t, (uint32_t)ck_int(t, "size"));

    l.hint = hint_of(t);
    if (l.hint != BULK_NO_HINT)
        l.kernel = ck_is(t, "to", "cta") ? "bulk_load_cta_hint" : "bulk_load_hint";
    do_load(t, &l);
}

/* ---- alignment and size ---- */

/* A load from any multiple of 16 in global memory delivers its bytes. The breach reads from another address. */
static void load_from(struct ck *t)
{
    struct load l = load_to(t, 256);

    l.source = (uint32_t)ck_int(t, "offset");
    do_load(t, &l);
}

/* The barrier lies at a multiple of 8, and the load signals it. The breach names an address 1 or 4 bytes behind it. */
static void load_bar_at(struct ck *t)
{
    struct load l = load_of("bulk_load_bar", 256);

    l.bar = (uint32_t)ck_int(t, "offset");
    do_load(t, &l);
}

/* The size is in a register, and a multiple of 16: that many bytes arrive. The breaches have another size, which is
 * undefined. */
static void load_of_size(struct ck *t)
{
    load_cluster(t);
}

/* The same with the destination spelled .shared::cta. */
static void load_cta_of_size(struct ck *t)
{
    load_cta(t);
}

/* All destination bytes lie in the CTA's shared memory, and the load fills them. The breach goes behind the end of all
 * shared memory. */
static void load_into_range(struct ck *t)
{
    load_cluster(t);
}

/* A load of size 0. Seen to copy nothing and to complete zero bytes: the barrier waits for those that are expected
 * beyond that. */
static void load_nothing(struct ck *t)
{
    struct load l = load_to(t, 0);

    l.expect = (uint32_t)ck_int(t, "expect");
    do_load(t, &l);
}

/* ---- waiting ---- */

/* All threads wait for the barrier and read the loaded bytes by ordinary loads, without a proxy fence: they are there.
 * Before the wait the destination must not be read: the source is far away, and the bytes come late. */
static void load_slow(struct ck *t)
{
    struct load l = load_of("bulk_load", (uint32_t)ck_int(t, "size"));

    l.slow = true;
    do_load(t, &l);
}

/* The CTA waits for the load and then ends: the bytes are there. A CTA into whose shared memory a copy goes must not
 * end before the copy is complete; the breach does not wait. */
static void load_before_exit(struct ck *t)
{
    load_cluster(t);
}

/* Thread 0 loads, and another thread of the CTA waits and reads: any thread may wait for a load. */
static void load_waiter(struct ck *t)
{
    struct load l = load_of("bulk_load_waiter", 16384);

    l.slow = true;
    l.thread = (uint32_t)ck_int(t, "waiter");
    do_load(t, &l);
}

/* One thread makes the barrier, all meet, and another thread's load signals it: a barrier of the CTA's threads between
 * the two is enough. The breach leaves it out. */
static void load_init_elsewhere(struct ck *t)
{
    struct load l = load_of("bulk_load_init", 1024);

    l.thread = (uint32_t)ck_int(t, "thread");
    do_load(t, &l);
}

/* Several loads on one phase: their bytes add up, and the phase ends when the expected total has arrived. */
static void load_sum(struct ck *t)
{
    struct load l = load_of("bulk_load_sum", (uint32_t)ck_int(t, "size"));

    l.copies = (uint32_t)ck_int(t, "copies");
    l.expect = l.copies * l.size;
    do_load(t, &l);
}

/* ---- threads and predicates ---- */

/* The lanes of the mask load 16 bytes each; the slots of the others stay poison. */
static void do_lanes(struct ck *t, const char *kernel, uint32_t mask)
{
    const struct ck_buf in = ck_input(t, 512);
    const struct ck_buf out = ck_output(t, 512);
    const uint32_t count = (uint32_t)__builtin_popcount(mask);
    const struct bulk_lanes_args a = {
        .in = in.device, .out = out.device, .mask = mask, .expect = count * 16 + (ck_variant(t, "expect") ? 16 : 0)
    };
    unsigned char *expected = poisoned(t, out.size);

    for (uint32_t lane = 0; lane < 32; lane++)
        if (mask >> lane & 1)
            memcpy(expected + lane * 16, in.host + lane * 16, 16);
    ck_launch(t, &(struct ck_launch){ .kernel = kernel, .block = { 32 }, .smem = 1024, .args = &a, .size = sizeof a });
    ck_equal(t, out, expected);
}

/* The first lanes of a warp execute the load. The instruction belongs to the thread: n active lanes make n loads, each
 * with its own bytes, and the barrier counts them all. */
static void each_lane(struct ck *t)
{
    do_lanes(t, "bulk_lanes", (uint32_t)(((uint64_t)1 << ck_int(t, "lanes")) - 1));
}

/* Some lanes do not load, because a predicate is false or a branch goes past: they copy nothing and complete nothing.
 */
static void predicated(struct ck *t)
{
    do_lanes(t, ck_is(t, "how", "branch") ? "bulk_lanes" : "bulk_lanes_predicated", (uint32_t)ck_int(t, "mask"));
}

#define EXPECT_MORE                                                                                                    \
    {                                                                                                                  \
        "expect", "expect 16 bytes more than are copied"                                                               \
    }

#define AS_16                                                                                                          \
    {                                                                                                                  \
        "size-24-as-16", "a size of 24, and 16 bytes expected", .set = "size=24", .only = "size=16"                    \
    }

static const struct ck_case cases[] = {
    { CK_RULE(bulk_dir_g2s_cluster), .run = load_cluster, .axes = { { "size", SIZES } }, .mutants = { SOURCE } },
    { CK_RULE(bulk_dir_g2s_cta), .run = load_cta, .axes = { { "size", SIZES } }, .mutants = { SOURCE } },
    { CK_RULE(bulk_footprint_exact), .name = "load", .run = load_at,
      .axes = { { "to", "cluster cta" }, { "size", "16 48 256 16384" }, { "offset", "0 16 64 112" } },
      .mutants = { { "longer", "copy, and expect, 16 bytes more" } } },
    { CK_RULE(bulk_cluster_dst_own_window), .run = load_own_window, .axes = { { "cluster", "1 2 4 8 16" } },
      .mutants = { SOURCE } },
    { CK_RULE(bulk_hint_no_effect), .name = "load", .run = load_hint,
      .axes = { { "hint", "none evict-first evict-normal evict-last evict-unchanged fractional" },
                { "to", "cluster cta" },
                { "size", "16 4096" } },
      .mutants = { SOURCE } },

    { CK_RULE(bulk_align_global16), .name = "load", .run = load_from,
      .axes = { { "to", "cluster cta" }, { "offset", "0 16 32 48 64 112 128 240 1008" } }, .mutants = { SOURCE },
      .breaches = { OFF(1), OFF(8), OFF(15) } },
    { CK_RULE(bulk_align_shared16), .name = "load", .run = load_at,
      .axes = { { "to", "cluster cta" }, { "size", "256" }, { "offset", "0 16 32 48 64 112 128 240 1008" } },
      .mutants = { SOURCE }, .breaches = { OFF(1), OFF(8), OFF(15) } },
    { CK_RULE(bulk_mbar_align8), .run = load_bar_at, .axes = { { "offset", "0 8 16 24" } }, .mutants = { SOURCE },
      .breaches = { { "off-4", "name a barrier 4 bytes on", .set = "offset=4", .kernel = "bar_aside",
                      .only = "offset=0", .faults = true },
                    { "off-1", "name a barrier 1 byte on", .set = "offset=1", .kernel = "bar_aside", .only = "offset=0",
                      .faults = true } } },
    { CK_RULE(bulk_size_mult16_reg), .name = "cluster", .run = load_of_size, .axes = { { "size", "16 32 48 1040" } },
      .mutants = { SOURCE }, .breaches = { SIZE(8), SIZE(24), AS_16, SIZE(100), SIZE(1030) } },
    { CK_RULE(bulk_size_mult16_reg), .name = "cta", .run = load_cta_of_size, .axes = { { "size", "16 32 48 1040" } },
      .mutants = { SOURCE }, .breaches = { SIZE(8), SIZE(24), AS_16, SIZE(100), SIZE(1030) } },
    { CK_RULE(bulk_size_zero), .name = "load", .run = load_nothing,
      .axes = { { "to", "cluster cta" }, { "expect", "0 16" } },
      .no_mutant = "what happens is recorded, whatever it is" },
    { CK_RULE(bulk_range_src), .name = "load", .run = load_edge, .axes = { { "size", "16 256 4096 65536" } },
      .mutants = { { "source", "copy from 16 bytes earlier" } },
      .breaches = { { "beyond", "copy 16 bytes that are not mapped", .only = "size=256", .faults = true } } },
    { CK_RULE(bulk_range_dst), .name = "load", .run = load_into_range, .axes = { { "size", "16 4096" } },
      .mutants = { SOURCE },
      .breaches = { { "outside", "a destination behind all shared memory", .only = "size=16", .faults = true } } },
    { CK_RULE(bulk_cta_dst_own), .run = load_cta_own, .axes = { { "cluster", "2 4 8" } }, .mutants = { SOURCE },
      .breaches = { { "peer", "the destination in the next CTA", .kernel = "peer" } } },

    { CK_RULE(bulk_tx_sum), .run = load_sum, .axes = { { "copies", "2 3 8 64" }, { "size", "16 1024" } },
      .mutants = { EXPECT_MORE, SOURCE } },
    { CK_RULE(bulk_mbar_generic_proxy), .run = load_init_elsewhere, .axes = { { "thread", "0 1 31 32 63" } },
      .mutants = { SOURCE },
      .breaches = { { "no-sync", "copy without waiting for the thread that sets the barrier up", .kernel = "no_sync",
                      .only = "thread=63", .faults = true, .varies = true } } },
    { CK_RULE(bulk_proxy_implicit_on_complete), .run = load_slow, .axes = { { "size", "16 1024 65536" } },
      .mutants = { { "no-wait", "read before the wait", .kernel = "no_wait" } } },
    { CK_RULE(bulk_dst_no_early_read), .run = load_slow, .axes = { { "size", "16 1024 65536" } }, .mutants = { SOURCE },
      .breaches = { { "no-wait", "read before the wait", .kernel = "no_wait", .varies = true } } },
    { CK_RULE(bulk_exit_dst_alive), .run = load_before_exit, .axes = { { "size", "16 4096" } }, .mutants = { SOURCE },
      .breaches = { { "no-wait", "end without waiting", .kernel = "leave", .faults = true, .varies = true } } },
    { CK_RULE(bulk_wait_any_thread), .run = load_waiter, .axes = { { "waiter", "0 1 31 32 33 63" } },
      .mutants = { { "no-wait", "read without waiting", .kernel = "no_wait" } } },

    { CK_RULE(bulk_thread_each_issues), .run = each_lane, .axes = { { "lanes", "1 2 3 16 31 32" } },
      .mutants = { EXPECT_MORE, { "one-lane", "one lane issues for all", .kernel = "one_lane", .only = "lanes=32" } } },
    { CK_RULE(bulk_pred_off), .run = predicated,
      .axes = { { "mask", "0 1 0x80000000 0xffff 0x55555555 0xf0f0f0f0 0xfffffffe 0xffffffff" },
                { "how", "predicate branch" } },
      .mutants = { EXPECT_MORE,
                   { "inverted", "the predicate inverted", .kernel = "inverted", .only = "mask=0xffff" } } },
    { 0 }
};

const struct ck_suite bulk_load = { "bulk-load", cases };
// SPDX-License-Identifier: Apache-2.0
