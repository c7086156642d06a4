/* Bulk copies between the CTAs of a cluster, and multicast. */
#include "kernels/bulk_cluster.h"
#include "tests/bulk/image.h"

enum { GUARD = 64, BLOCK = 64, CTAS = 16 };

/* ---- from one CTA to another ---- */

struct between {
    const char *kernel;
    uint32_t ctas;    /* of the cluster */
    uint32_t size;    /* of a piece */
    uint32_t at;      /* offset in the receiving image, behind the guard */
    uint32_t from;    /* offset in the source */
    uint32_t to;      /* see kernels/bulk_cluster.h */
    uint32_t senders; /* bit r: the CTA of rank r sends */
};

/* Every CTA sends to the next one. */
static struct between between_of(struct ck *t, uint32_t size)
{
    const uint32_t ctas = (uint32_t)ck_int(t, "cluster");

    return (
        struct between){ .kernel = "bulk_between", .ctas = ctas, .size = size, .to = 1, .senders = (1u << ctas) - 1 };
}

/* Sends, and compares the images of all CTAs and which barriers flipped. A breach that copies into the own CTA is
 * expected to copy there all the same. */
static void do_between(struct ck *t, const struct between *b)
{
    const uint32_t n = b->ctas, step = round_up(b->size + 16, 16);
    const uint32_t bytes = round_up(GUARD + b->at + b->size + GUARD, 128);
    const uint32_t to = ck_variant(t, "self") ? 0 : b->to;
    const struct ck_buf in = ck_input(t, (size_t)step * n + 256);
    const struct ck_buf out = ck_output(t, (size_t)bytes * n);
    const struct ck_buf flags = ck_output(t, 4 * CTAS);
    const struct bulk_between_args a = {
        .in = in.device,
        .out = out.device,
        .flags = flags.device,
        .bytes = bytes,
        .offset = GUARD + b->at,
        .src_offset = b->from + (ck_variant(t, "source") ? 16 : 0),
        .fill = step + 128,
        .in_step = step,
        .size = b->size + (ck_variant(t, "longer") ? 16 : 0),
        .to = to + (ck_variant(t, "rank") ? 1 : 0),
    };
    unsigned char *expected = poisoned(t, out.size);
    uint32_t flag[CTAS];

    for (uint32_t r = 0; r < n; r++)
        if (b->senders >> r & 1)
            memcpy(expected + (size_t)((r + to) % n) * bytes + GUARD + b->at, in.host + (size_t)r * step + b->from,
                   b->size);
    if (ck_launch(t, &(struct ck_launch){ .kernel = b->kernel,
                                          .grid = { n },
                                          .block = { BLOCK },
                                          .cluster = { n },
                                          .smem = bytes + 128 + a.fill,
                                          .args = &a,
                                          .size = sizeof a }) == CK_FAULT)
        return;
    memcpy(flag, flags.host, sizeof flag);
    for (uint32_t r = 0; r < n; r++)
        ck_expect(t, "barrier flipped", flag[r], b->senders >> (r + n - to) % n & 1);
    ck_equal(t, out, expected);
    if (!ck_conforming(t))
        ck_see(t, "%zu bytes changed", touched(out.host, out.size));
}

/* Every CTA copies bytes of its shared memory into the next CTA of the cluster. They arrive there, and each barrier
 * counts what its CTA was sent. */
static void between(struct ck *t)
{
    const struct between b = between_of(t, (uint32_t)ck_int(t, "size"));

    do_between(t, &b);
}

/* The same with sizes in a register that are multiples of 16: that many bytes arrive. The breaches have another size,
 * which is undefined. */
static void between_of_size(struct ck *t)
{
    between(t);
}

/* The same with size 0. Seen to copy nothing and to complete zero bytes. */
static void between_nothing(struct ck *t)
{
    between(t);
}

/* The same to a CTA other than the executing one, as the manual asks. The breach copies into the own CTA; whether the
 * bytes arrive there is recorded. */
static void between_others(struct ck *t)
{
    between(t);
}

/* The same to any multiple of 16 in the other CTA: the bytes of the destination change and no others. The breach goes
 * to an address that is no multiple of 16. */
static void between_to(struct ck *t)
{
    struct between b = between_of(t, (uint32_t)ck_int(t, "size"));

    b.at = (uint32_t)ck_int(t, "offset");
    do_between(t, &b);
}

/* The same from any multiple of 16. The breach reads from another address. */
static void between_from(struct ck *t)
{
    struct between b = between_of(t, 256);

    b.from = (uint32_t)ck_int(t, "offset");
    do_between(t, &b);
}

/* CTA 0 sends to one other CTA. The bytes arrive there, and the barrier that the copy names, in the destination CTA,
 * flips; no other does. The receiver must not end before. */
static void between_one(struct ck *t)
{
    struct between b = between_of(t, 1024);

    b.kernel = "bulk_send_one";
    b.to = (uint32_t)ck_int(t, "to");
    b.senders = 1;
    do_between(t, &b);
}

static bool other_cta(struct ck *t)
{
    return ck_int(t, "to") < ck_int(t, "cluster");
}

/* ---- multicast ---- */

struct multicast {
    uint32_t x, y;         /* the cluster */
    uint32_t across, down; /* clusters in the grid */
    uint32_t mask;         /* bit r: the CTA of rank r */
    uint32_t size;         /* of the piece */
    uint32_t issuer;       /* rank */
    uint32_t waiter;       /* thread */
    bool slow;             /* the source is far away, so that bytes come late */
};

/* Masks by name; cut to the cluster. */
static uint32_t mask_of(const char *name, uint32_t n)
{
    const uint32_t all = (1u << n) - 1;

    if (!strcmp(name, "all"))
        return all;
    if (!strcmp(name, "first"))
        return 1;
    if (!strcmp(name, "last"))
        return 1u << (n - 1);
    if (!strcmp(name, "even"))
        return 0x5555 & all;
    if (!strcmp(name, "odd"))
        return 0xAAAA & all;
    if (!strcmp(name, "not-first"))
        return all & ~1u;
    if (!strcmp(name, "low-half"))
        return all >> n / 2;
    return all & ~(all >> n / 2); /* high-half */
}

/* The mask that the kernel uses: in two variants it selects more CTAs than the case expects. */
static uint32_t sent_mask(struct ck *t, uint32_t mask, uint32_t n)
{
    return ck_variant(t, "all") ? (1u << n) - 1 : ck_variant(t, "beyond") ? mask | 1u << n : mask;
}

/* Loads, and compares the images of all CTAs of all clusters and which barriers flipped. */
static void do_multicast(struct ck *t, const struct multicast *m)
{
    const uint32_t n = m->x * m->y, clusters = m->across * m->down;
    const uint32_t bytes = round_up(GUARD + m->size + GUARD, 128);
    const size_t needed = (size_t)m->size * clusters + 16;
    const struct ck_buf in = m->slow ? ck_slow_input(t, needed) : ck_input(t, needed);
    const struct ck_buf out = ck_output(t, (size_t)bytes * n * clusters);
    const struct ck_buf flags = ck_output(t, (size_t)4 * n * clusters);
    const struct bulk_multicast_args a = {
        .in = in.device + (ck_variant(t, "source") ? 16 : 0),
        .out = out.device,
        .flags = flags.device,
        .bytes = bytes,
        .offset = GUARD,
        .size = m->size,
        .expect = m->size + (ck_variant(t, "expect") ? 16 : 0),
        .mask = sent_mask(t, m->mask, n),
        .wait_mask = m->mask,
        .issuer = m->issuer,
        .waiter = m->waiter,
        .settle = 50 * 1000,
    };
    unsigned char *expected = poisoned(t, out.size);

    for (uint32_t cta = 0; cta < n * clusters; cta++)
        if (m->mask >> cta % n & 1)
            memcpy(expected + (size_t)cta * bytes + GUARD, in.host + (size_t)(cta / n) * m->size, m->size);
    if (ck_launch(t, &(struct ck_launch){ .kernel = "bulk_multicast",
                                          .grid = { m->x * m->across, m->y * m->down },
                                          .block = { BLOCK },
                                          .cluster = { m->x, m->y },
                                          .smem = bytes + 256,
                                          .args = &a,
                                          .size = sizeof a }) == CK_FAULT)
        return;
    for (uint32_t cta = 0; cta < n * clusters; cta++) {
        uint32_t flag;
        memcpy(&flag, flags.host + (size_t)4 * cta, sizeof flag);
        ck_expect(t, "barrier flipped", flag, m->mask >> cta % n & 1);
    }
    ck_equal(t, out, expected);
}

static struct multicast multicast_of(struct ck *t)
{
    const uint32_t n = (uint32_t)ck_int(t, "cluster");

    return (struct multicast){
        .x = n, .y = 1, .across = 1, .down = 1, .mask = mask_of(ck_word(t, "mask"), n), .size = 1024
    };
}

/* One CTA loads into all CTAs of a mask. Each of them gets the bytes at the same offset, and its barrier at the same
 * offset counts them; CTAs that the mask leaves out get neither bytes nor signal. The breaches select a CTA that does
 * not exist, or that has ended. */
static void multicast(struct ck *t)
{
    const struct multicast m = multicast_of(t);

    do_multicast(t, &m);
}

/* A mask that the cluster has room for, and that no other name of the axis gives. */
static bool mask_differs(struct ck *t)
{
    const int64_t n = ck_int(t, "cluster");

    return n > 2 || ck_is(t, "mask", "all") || ck_is(t, "mask", "first") || ck_is(t, "mask", "last");
}

/* One CTA of each of several clusters loads into the CTAs of a mask, so that %ctaid and rank differ; clusters have one
 * or two dimensions. Bit i of the mask selects the CTA of rank i. */
static void bit_is_rank(struct ck *t)
{
    static const struct {
        const char *name;
        uint32_t x, y;
    } shapes[] = {
        { "4x1", 4, 1 }, { "2x2", 2, 2 }, { "1x4", 1, 4 }, { "8x1", 8, 1 }, { "4x2", 4, 2 }, { "2x4", 2, 4 }
    };
    struct multicast m = { .across = 3, .down = 2, .size = 256, .issuer = 1 };

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (ck_is(t, "cluster", shapes[i].name)) {
            m.x = shapes[i].x;
            m.y = shapes[i].y;
        }
    m.mask = mask_of(ck_word(t, "mask"), m.x * m.y);
    do_multicast(t, &m);
}

/* The CTA that loads is not in its own mask: the CTAs of the mask get the bytes all the same, and the issuer none. */
static void issuer_outside(struct ck *t)
{
    struct multicast m = multicast_of(t);

    m.issuer = ck_is(t, "mask", "last") ? 0 : m.x - 1;
    do_multicast(t, &m);
}

/* The thread that waits is in another CTA than the issuer, and in another warp than the thread that made the barrier.
 * It sees the bytes after its wait, which acquires; the breach waits without acquiring. */
static void waiter_elsewhere(struct ck *t)
{
    struct multicast m = multicast_of(t);

    m.slow = true;
    m.size = 16384;
    m.waiter = (uint32_t)ck_int(t, "waiter");
    do_multicast(t, &m);
}

#define EXPECT_MORE                                                                                                    \
    {                                                                                                                  \
        "expect", "expect 16 bytes more than come"                                                                     \
    }

static const struct ck_case cases[] = {
    { CK_RULE(bulk_dir_s2cluster), .run = between,
      .axes = { { "cluster", "2 4 8 16" }, { "size", "16 48 128 1024 16384 65536" } },
      .mutants = { SOURCE, { "rank", "send to the CTA after the right one", .only = "cluster=4" } } },
    { CK_RULE(bulk_footprint_exact), .name = "between", .run = between_to,
      .axes = { { "cluster", "2" }, { "size", "16 48 256 16384" }, { "offset", "0 16 64 112" } },
      .mutants = { { "longer", "copy, and expect, 16 bytes more" } } },
    { CK_RULE(bulk_align_shared16), .name = "between-to", .run = between_to,
      .axes = { { "cluster", "2" }, { "size", "256" }, { "offset", "0 16 32 48 64 112" } }, .mutants = { SOURCE },
      .breaches = { OFF(1), OFF(4), OFF(8) } },
    { CK_RULE(bulk_align_shared16), .name = "between-from", .run = between_from,
      .axes = { { "cluster", "2" }, { "offset", "0 16 32 48 64 112" } }, .mutants = { SOURCE },
      .breaches = { OFF(1), OFF(4), OFF(8) } },
    { CK_RULE(bulk_size_mult16_reg), .name = "between", .run = between_of_size,
      .axes = { { "cluster", "2" }, { "size", "16 32 48 1040" } }, .mutants = { SOURCE },
      .breaches = { SIZE(8), SIZE(24), SIZE(100) } },
    { CK_RULE(bulk_size_zero), .name = "between", .run = between_nothing,
      .axes = { { "cluster", "2" }, { "size", "0" } }, .no_mutant = "what happens is recorded, whatever it is" },
    { CK_RULE(bulk_mbar_remote_s2cluster), .run = between_one, .axes = { { "cluster", "2 4 8" }, { "to", "1 2 3 7" } },
      .valid = other_cta, .mutants = { SOURCE, { "elsewhere", "name the barrier 16 bytes on", .kernel = "elsewhere" } },
      .breaches = { { "own-barrier", "name the issuer's own barrier", .kernel = "own_barrier" } } },
    { CK_RULE(bulk_exit_dst_alive), .name = "between", .run = between_one,
      .axes = { { "cluster", "2 4" }, { "to", "1 3" } }, .valid = other_cta, .mutants = { SOURCE },
      .breaches = { { "early-exit", "the receiving CTA ends first", .kernel = "early_exit", .faults = true,
                      .varies = true } } },
    { CK_RULE(bulk_s2cluster_other_cta), .run = between_others, .axes = { { "cluster", "2 4" }, { "size", "16 1024" } },
      .mutants = { SOURCE }, .breaches = { { "self", "copy into the own CTA" } } },

    { CK_RULE(bulk_mc_same_data_offset), .run = multicast, .valid = mask_differs,
      .axes = { { "cluster", "2 4 8 16" }, { "mask", "all first last even odd not-first low-half high-half" } },
      .mutants = { SOURCE,
                   { "shifted", "the last CTA looks 128 bytes further on", .kernel = "shifted",
                     .only = "mask=all" } } },
    { CK_RULE(bulk_mc_same_mbar_offset), .run = multicast, .valid = mask_differs,
      .axes = { { "cluster", "2 4 8 16" }, { "mask", "all even odd" } }, .mutants = { EXPECT_MORE } },
    { CK_RULE(bulk_mc_bit_is_rank), .run = bit_is_rank,
      .axes = { { "cluster", "4x1 2x2 1x4 8x1 4x2 2x4" }, { "mask", "first last even not-first low-half" } },
      .mutants = { SOURCE,
                   { "ctaid", "shift the mask by %ctaid.x", .kernel = "ctaid", .only = "cluster=4x1 mask=first" } } },
    { CK_RULE(bulk_mc_unselected_untouched), .run = multicast, .valid = mask_differs,
      .axes = { { "cluster", "2 4 8 16" }, { "mask", "first last even odd not-first low-half high-half" } },
      .mutants = { { "all", "select every CTA" } } },
    { CK_RULE(bulk_mc_issuer_outside), .run = issuer_outside,
      .axes = { { "cluster", "2 4 8" }, { "mask", "first last" } }, .mutants = { SOURCE } },
    { CK_RULE(bulk_mc_rank_exists), .run = multicast, .axes = { { "cluster", "2 4 8" }, { "mask", "all" } },
      .mutants = { SOURCE },
      .breaches = { { "beyond", "select a CTA that the cluster lacks", .only = "cluster=4", .faults = true },
                    { "early-exit", "the last CTA ends first", .kernel = "early_exit", .only = "cluster=4",
                      .faults = true, .varies = true } } },
    { CK_RULE(bulk_complete_release_cluster), .run = waiter_elsewhere,
      .axes = { { "cluster", "2 4 8" }, { "mask", "all not-first" }, { "waiter", "0 33" } },
      .mutants = { SOURCE, EXPECT_MORE },
      .breaches = { { "relaxed", "wait with .relaxed and no fence", .kernel = "relaxed", .varies = true } } },
    { 0 }
};

const struct ck_suite bulk_cluster = { "bulk-cluster", cases };
// SPDX-License-Identifier: Apache-2.0
