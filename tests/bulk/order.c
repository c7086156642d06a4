/* Order around bulk copies. The conforming form must deliver; what the breach does is recorded. A machine may well be
 * right in each of them: only an order checker finds all. */
#include "kernels/bulk_order.h"
#include "tests/bulk/image.h"

enum { BLOCK = 64, OTHER = 0x77777777, FLAG = 0x12345678 };

struct plan {
    const char *kernel;
    uint32_t size;   /* bytes of one copy */
    uint32_t rounds; /* number of copies, one after the other; 0: one */
    uint32_t fence;  /* FENCE_... */
    uint32_t ctas;   /* 0: one */
    uint32_t smem;   /* bytes; more than the kernel needs: fewer CTAs fit at a time */
    bool slow;       /* the source is far away, so that copies are late */
};

/* Launches with `in` and `out`, and `work` where the kernel has one. */
static bool launch(struct ck *t, const struct plan *p, struct ck_buf in, struct ck_buf work, struct ck_buf out,
                   uint32_t other)
{
    const struct bulk_order_args a = {
        .in = in.device + (ck_variant(t, "source") ? 16 : 0),
        .work = work.device,
        .out = out.device,
        .size = p->size,
        .fence = p->fence,
        .rounds = p->rounds,
        .other = other,
    };

    return ck_launch(t, &(struct ck_launch){ .kernel = p->kernel,
                                             .grid = { p->ctas },
                                             .block = { BLOCK },
                                             .smem = p->smem ? p->smem : p->size + 128,
                                             .args = &a,
                                             .size = sizeof a }) == CK_DONE;
}

/* `out` must be what `in` is. */
static void deliver(struct ck *t, const struct plan *p)
{
    const uint32_t bytes = p->size * (p->rounds ? p->rounds : 1) * (p->ctas ? p->ctas : 1);
    const struct ck_buf in = p->slow ? ck_slow_input(t, bytes + 16) : ck_input(t, bytes + 16);
    const struct ck_buf work = ck_output(t, p->size);
    const struct ck_buf out = ck_output(t, bytes);

    if (launch(t, p, in, work, out, OTHER))
        ck_equal_at(t, out, 0, in.host, bytes);
}

/* One thread loads from global to shared memory, waits, and stores to global memory: the bytes come through. Two copies
 * have no order of their own, so the breach, which stores without the wait, may store poison. */
static void relay(struct ck *t)
{
    deliver(t, &(struct plan){ .kernel = "bulk_relay", .size = (uint32_t)ck_int(t, "size"), .slow = true });
}

static uint32_t fence_of(struct ck *t)
{
    static const char *const names[] = { "none", "all", "global", "shared::cta", "shared::cluster" };

    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ck_is(t, "fence", names[i]))
            return i;
    return FENCE_NONE;
}

/* Threads write global memory by ordinary stores, each executes a proxy fence that covers global memory, and a load
 * reads what they wrote. The breaches fence another space, or nothing. */
static void reload(struct ck *t)
{
    deliver(t, &(struct plan){ .kernel = "bulk_reload", .size = (uint32_t)ck_int(t, "size"), .fence = fence_of(t) });
}

/* Threads write shared memory by ordinary stores, each executes a proxy fence that covers shared memory, and a store
 * carries what they wrote. The breach fences another space. */
static void overwrite_fenced(struct ck *t)
{
    deliver(t, &(struct plan){ .kernel = "bulk_overwrite", .size = (uint32_t)ck_int(t, "size"), .fence = fence_of(t) });
}

/* A thread stores from shared memory, waits for the reading, and then the threads overwrite the source: the store
 * carries the bytes from before. The breaches overwrite without a wait, or after another thread's wait, which says
 * nothing about this store. */
static void overwrite(struct ck *t)
{
    deliver(t, &(struct plan){ .kernel = "bulk_overwrite", .size = (uint32_t)ck_int(t, "size"), .fence = FENCE_ALL });
}

/* One warp loads into the same buffer again and again, and the other reads it each time. A barrier behind the reads
 * comes before the next load, so each round's reader gets its own bytes. */
static void refill(struct ck *t)
{
    deliver(t, &(struct plan){ .kernel = "bulk_refill",
                               .size = (uint32_t)ck_int(t, "size"),
                               .rounds = (uint32_t)ck_int(t, "rounds") });
}

/* Each of many CTAs stores from its shared memory, waits until that has been read, and ends: all bytes arrive. A CTA
 * that ends before may give its shared memory to another one. */
static void leave(struct ck *t)
{
    deliver(t, &(struct plan){ .kernel = "bulk_leave",
                               .size = (uint32_t)ck_int(t, "size"),
                               .ctas = (uint32_t)ck_int(t, "ctas"),
                               .smem = 200 * 1024 });
}

/* A load, a wait, and then the threads overwrite the load's source: the load delivers the source as it was, and
 * afterwards the source holds the other bytes. The breach overwrites before the wait. */
static void spoil(struct ck *t)
{
    const struct plan p = { .kernel = "bulk_spoil", .size = (uint32_t)ck_int(t, "size") };
    const struct ck_buf in = ck_input(t, 32);
    const struct ck_buf work = ck_slow_input(t, p.size);
    const struct ck_buf out = ck_output(t, p.size);
    unsigned char *before = ck_alloc(t, p.size);

    memcpy(before, work.host, p.size);
    if (!launch(t, &p, in, work, out, ck_variant(t, "other") ? 0x66666666 : OTHER))
        return;
    ck_equal(t, out, before);
    ck_filled(t, work, 0, p.size, OTHER & 0xff);
}

/* A load, a wait, and then another thread writes the last word of the destination: that word is what stays. The breach
 * writes it during the copy, by a strong store: a copy is a weak access, so the two conflict all the same. */
static void meddle(struct ck *t)
{
    const uint32_t other = OTHER;
    const struct plan p = { .kernel = "bulk_meddle", .size = (uint32_t)ck_int(t, "size") };
    const struct ck_buf in = ck_slow_input(t, p.size + 16);
    const struct ck_buf out = ck_output(t, p.size);
    unsigned char *expected = ck_alloc(t, p.size);

    memcpy(expected, in.host, p.size);
    memcpy(expected + p.size - 4, &other, sizeof other);
    if (launch(t, &p, in, out, out, other))
        ck_equal(t, out, expected);
}

/* The issuer writes a word beside the destination, arrives, and loads; a thread that waits reads the bytes and the
 * word. The arrival releases the word. The breach writes it after the arrival and before the load, whose completion
 * publishes the copied bytes only. */
static void flag(struct ck *t)
{
    const uint32_t word = FLAG;
    const struct plan p = { .kernel = "bulk_flag", .size = (uint32_t)ck_int(t, "size") };
    const struct ck_buf in = ck_input(t, p.size + 16);
    const struct ck_buf out = ck_output(t, p.size + 16);
    unsigned char *expected = poisoned(t, out.size);

    memcpy(expected, in.host, p.size);
    memcpy(expected + p.size, &word, sizeof word);
    if (launch(t, &p, in, out, out, word))
        ck_equal(t, out, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(bulk_order_none_between), .run = relay, .axes = { { "size", "16 1024 65536" } }, .mutants = { SOURCE },
      .breaches = { { "no-wait", "store without waiting for the load", .kernel = "no_wait", .varies = true } } },
    { CK_RULE(bulk_proxy_g2s_needs_fence), .run = reload,
      .axes = { { "fence", "all global" }, { "size", "16 1024 65536" } }, .mutants = { SOURCE },
      .breaches = { { "no-fence", "no proxy fence", .set = "fence=none", .only = "fence=all", .varies = true },
                    { "shared-only", "a proxy fence for shared memory", .set = "fence=shared::cta", .only = "fence=all",
                      .varies = true } } },
    { CK_RULE(bulk_proxy_fence_space), .name = "global", .run = reload,
      .axes = { { "fence", "all global" }, { "size", "1024" } }, .mutants = { SOURCE },
      .breaches = { { "cta", "a fence for the CTA's shared memory", .set = "fence=shared::cta", .only = "fence=all",
                      .varies = true },
                    { "cluster", "a fence for the cluster's shared memory", .set = "fence=shared::cluster",
                      .only = "fence=all", .varies = true } } },
    { CK_RULE(bulk_proxy_fence_space), .name = "shared", .run = overwrite_fenced,
      .axes = { { "fence", "all shared::cta shared::cluster" }, { "size", "1024" } }, .mutants = { SOURCE },
      .breaches = { { "global", "a fence for global memory", .set = "fence=global", .only = "fence=all",
                      .varies = true } } },
    { CK_RULE(bulk_src_stable), .name = "store", .run = overwrite, .axes = { { "size", "16 1024 65536" } },
      .mutants = { SOURCE },
      .breaches = { { "early", "overwrite the source before the wait", .kernel = "early", .varies = true } } },
    { CK_RULE(bulk_src_stable), .name = "load", .run = spoil, .axes = { { "size", "16 1024 65536" } },
      .mutants = { { "other", "other bytes written afterwards" } },
      .breaches = { { "early", "overwrite the source before the wait", .kernel = "early", .varies = true } } },
    { CK_RULE(bulk_dst_reuse_war), .run = refill, .axes = { { "size", "16 1024 16384" }, { "rounds", "2 3 8" } },
      .mutants = { SOURCE },
      .breaches = { { "no-barrier", "refill without waiting for the readers", .kernel = "no_barrier",
                      .varies = true } } },
    { CK_RULE(bulk_weak), .run = meddle, .axes = { { "size", "16 1024 65536" } }, .mutants = { SOURCE },
      .breaches = { { "early", "write during the copy", .kernel = "early", .varies = true } } },
    { CK_RULE(bulk_complete_not_transitive), .run = flag, .axes = { { "size", "16 1024 65536" } },
      .mutants = { SOURCE },
      .breaches = { { "late", "write after the release, before the copy", .kernel = "late", .varies = true } } },
    { CK_RULE(bulk_wait_store_issuer_only), .run = overwrite, .axes = { { "size", "16 1024 65536" } },
      .mutants = { SOURCE },
      .breaches = { { "other-waits", "another thread commits and waits", .kernel = "other_waits", .varies = true } } },
    { CK_RULE(bulk_exit_source_alive), .run = leave, .axes = { { "size", "16 1024 16384" }, { "ctas", "1 132 264" } },
      .mutants = { SOURCE },
      .breaches = { { "no-wait", "end without waiting", .kernel = "no_wait", .varies = true },
                    { "no-commit", "end without committing", .kernel = "no_commit", .varies = true } } },
    { 0 }
};

const struct ck_suite bulk_order = { "bulk-order", cases };
// SPDX-License-Identifier: Apache-2.0
