/* Bulk stores from shared to global memory. */
#include "kernels/bulk.h"
#include "tests/bulk/image.h"

enum { GUARD = 64, BLOCK = 64 };

#define SIZES "16 32 48 64 112 128 240 256 512 1024 4096 16384 32768 65536 131072"

struct store {
    const char *kernel;
    uint32_t from;        /* offset of the piece in the shared image */
    uint32_t to;          /* offset in global memory, behind the guard */
    uint32_t size;        /* of the piece */
    uint32_t hint;        /* BULK_... */
    uint32_t first, last; /* the threads that write the image: first <= thread < last */
    bool edge;            /* nothing is mapped behind the destination */
};

static struct store store_of(const char *kernel, uint32_t size)
{
    return (struct store){ .kernel = kernel, .size = size, .last = BLOCK };
}

/* Stores one piece and compares the whole buffer: poison round the piece. */
static void do_store(struct ck *t, const struct store *s)
{
    const uint32_t bytes = round_up(s->from + s->size + 16, 16);
    const size_t room = (size_t)GUARD + s->to + round_up(s->size, 16);
    const struct ck_buf in = ck_input(t, bytes);
    const struct ck_buf out = s->edge ? ck_edge_output(t, room) : ck_output(t, room + GUARD);
    const struct bulk_store_args a = {
        .in = in.device,
        .out = out.device + GUARD + s->to + (ck_variant(t, "beyond") ? 16 : 0),
        .bytes = bytes,
        .offset = s->from + (ck_variant(t, "source") ? 16 : 0),
        .size = s->size + (ck_variant(t, "longer") ? 16 : 0),
        .hint = s->hint,
        .first = s->first,
        .last = s->last,
    };
    unsigned char *expected = poisoned(t, out.size);

    memcpy(expected + GUARD + s->to, in.host + s->from, s->size);
    if (ck_launch(
            t, &(struct ck_launch){
                   .kernel = s->kernel, .block = { BLOCK }, .smem = bytes, .args = &a, .size = sizeof a }) == CK_FAULT)
        return;
    ck_equal(t, out, expected);
    if (!ck_conforming(t))
        ck_see(t, "%zu bytes changed", touched(out.host, out.size));
}

/* A store from shared to global memory, tracked by a bulk group, delivers the named bytes, and nothing round them
 * changes. */
static void store_size(struct ck *t)
{
    const struct store s = store_of("bulk_store", (uint32_t)ck_int(t, "size"));

    do_store(t, &s);
}

/* The size is in a register, and a multiple of 16: that many bytes arrive. The breaches have another size, which is
 * undefined. */
static void store_of_size(struct ck *t)
{
    store_size(t);
}

/* A store of size 0. Seen to copy nothing. */
static void store_nothing(struct ck *t)
{
    store_size(t);
}

/* A store to any multiple of 16 in global memory changes the bytes of its destination and no others. The breach goes to
 * an address that is no multiple of 16. */
static void store_to(struct ck *t)
{
    struct store s = store_of("bulk_store", (uint32_t)ck_int(t, "size"));

    s.to = (uint32_t)ck_int(t, "offset");
    do_store(t, &s);
}

/* A store from any multiple of 16 in shared memory delivers its bytes. The breach reads from another address. */
static void store_from(struct ck *t)
{
    struct store s = store_of("bulk_store", 256);

    s.from = (uint32_t)ck_int(t, "offset");
    do_store(t, &s);
}

/* A store with any cache policy, or with none, delivers the same bytes. */
static void store_hint(struct ck *t)
{
    struct store s = store_of("bulk_store", (uint32_t)ck_int(t, "size"));

    s.hint = hint_of(t);
    if (s.hint != BULK_NO_HINT)
        s.kernel = "bulk_store_hint";
    do_store(t, &s);
}

/* The bytes are written by the thread that issues the store, by the other warp, or by all. Each writer executes a proxy
 * fence before the barrier that leads to the store: the store carries what they wrote. */
static void store_written_by(struct ck *t)
{
    struct store s = store_of("bulk_store_by", (uint32_t)ck_int(t, "size"));

    s.first = ck_is(t, "writer", "other-warp") ? 32 : 0;
    s.last = ck_is(t, "writer", "issuer") ? 1 : BLOCK;
    do_store(t, &s);
}

/* The same seen from the store: it comes after what its thread did before issuing it, so what it is to carry is
 * written, and fenced, first. One breach writes after the store, the other does not fence. */
static void store_after_writes(struct ck *t)
{
    store_written_by(t);
}

/* The last byte written is the last one before memory that is not mapped. The breach writes 16 bytes of that. */
static void store_edge(struct ck *t)
{
    struct store s = store_of("bulk_store", (uint32_t)ck_int(t, "size"));

    s.edge = true;
    do_store(t, &s);
}

#define NO_FENCE                                                                                                       \
    {                                                                                                                  \
        "no-fence", "no proxy fence by the writers", .kernel = "no_fence", .varies = true                              \
    }

static const struct ck_case cases[] = {
    { CK_RULE(bulk_dir_s2g), .run = store_size, .axes = { { "size", SIZES } }, .mutants = { SOURCE } },
    { CK_RULE(bulk_footprint_exact), .name = "store", .run = store_to,
      .axes = { { "size", "16 48 256 16384" }, { "offset", "0 16 64 112" } },
      .mutants = { { "longer", "store 16 bytes more" } } },
    { CK_RULE(bulk_hint_no_effect), .name = "store", .run = store_hint,
      .axes = { { "hint", "none evict-first evict-normal evict-last evict-unchanged fractional" },
                { "size", "16 4096" } },
      .mutants = { SOURCE } },
    { CK_RULE(bulk_align_global16), .name = "store", .run = store_to,
      .axes = { { "size", "256" }, { "offset", "0 16 32 48 64 112 128 240 1008" } }, .mutants = { SOURCE },
      .breaches = { OFF(1), OFF(8), OFF(15) } },
    { CK_RULE(bulk_align_shared16), .name = "store", .run = store_from,
      .axes = { { "offset", "0 16 32 48 64 112 128 240 1008" } }, .mutants = { SOURCE },
      .breaches = { OFF(1), OFF(8), OFF(15) } },
    { CK_RULE(bulk_size_mult16_reg), .name = "store", .run = store_of_size, .axes = { { "size", "16 32 48 1040" } },
      .mutants = { SOURCE }, .breaches = { SIZE(8), SIZE(17), SIZE(24), SIZE(100), SIZE(1030) } },
    { CK_RULE(bulk_size_zero), .name = "store", .run = store_nothing, .axes = { { "size", "0" } },
      .no_mutant = "what happens is recorded, whatever it is" },
    { CK_RULE(bulk_range_dst), .name = "store", .run = store_edge, .axes = { { "size", "16 256 4096 65536" } },
      .mutants = { SOURCE },
      .breaches = { { "beyond", "store 16 bytes that are not mapped", .only = "size=256", .faults = true } } },
    { CK_RULE(bulk_proxy_s2g_needs_fence), .run = store_written_by,
      .axes = { { "writer", "issuer other-warp all" }, { "size", "16 1024 65536" } }, .mutants = { SOURCE },
      .breaches = { NO_FENCE } },
    { CK_RULE(bulk_order_after_issuer), .run = store_after_writes,
      .axes = { { "writer", "issuer other-warp all" }, { "size", "1024" } }, .mutants = { SOURCE },
      .breaches = { { "store-first", "write what the store is to carry after issuing it", .kernel = "store_first",
                      .varies = true },
                    NO_FENCE } },
    { 0 }
};

const struct ck_suite bulk_store = { "bulk-store", cases };
// SPDX-License-Identifier: Apache-2.0
