/* Bulk reductions between the CTAs of a cluster. */
#include <string.h>

#include "kernels/bulk_reduce.h"
#include "tests/bulk/image.h"
#include "tests/bulk_reduce/values.h"

enum {
    GUARD = 64,
    BLOCK = 64,
    CTAS = 8,
    FLAGS = 3,
    PROBE = 100 * 1000 /* nanoseconds; a reduction takes a few thousand */
};

struct between {
    const char *kernel;
    uint32_t reduction;
    const char *how; /* the operands, for reduce_operands; NULL: an element of its own for each CTA */
    uint32_t ctas;
    uint32_t to; /* ranks from a sender to its receiver */
    uint32_t size, from, at;
    uint32_t times;
};

static struct between between_of(struct ck *t)
{
    return (struct between){ .kernel = "bulk_reduce_between",
                             .reduction = bulk_reduction_of(t),
                             .how = "random",
                             .ctas = (uint32_t)ck_int(t, "cluster"),
                             .to = 1,
                             .size = (uint32_t)ck_int(t, "size"),
                             .times = 1 };
}

/* Makes images and sources, and the images that must come: `in`, `out` and `expected` have `bytes` for each CTA. */
static struct bulk_reduce_between_args arrange(struct ck *t, const struct between *b, struct ck_buf *out,
                                               unsigned char **expected)
{
    const struct reduction r = reduction_of(b->reduction);
    const uint32_t at = GUARD + b->at, bytes = round_up(at + b->from + b->size + GUARD, 128);
    const struct ck_buf in = ck_input(t, (size_t)bytes * b->ctas);

    *out = ck_output(t, in.size);
    *expected = ck_alloc(t, in.size);
    for (uint32_t c = 0; c < b->ctas; c++)
        reduce_operands(t, r, b->how, out->host + (size_t)((c + b->to) % b->ctas) * bytes + at,
                        in.host + (size_t)c * bytes + b->from, round_up(b->size, 16));
    memcpy(*expected, out->host, out->size);
    for (uint32_t c = 0; c < b->ctas; c++)
        for (uint32_t n = 0; n < b->times; n++)
            oracle_reduce(r, *expected + (size_t)((c + b->to) % b->ctas) * bytes + at,
                          in.host + (size_t)c * bytes + b->from, b->size);
    ck_changed(t, in);
    ck_changed(t, *out);
    return (struct bulk_reduce_between_args){
        .in = in.device,
        .start = out->device,
        .out = out->device,
        .bytes = bytes,
        .offset = at,
        .src_offset = b->from + (ck_variant(t, "source") ? 16 : 0),
        .size = b->size,
        .to = b->to + (ck_variant(t, "rank") ? 1 : 0),
        .times = b->times,
        .expect = b->size * b->times,
        .reduction = ck_variant(t, "other") ? other_reduction(b->reduction) : b->reduction,
    };
}

static enum ck_end launch(struct ck *t, const struct between *b, struct bulk_reduce_between_args *a,
                          struct ck_buf flags)
{
    a->flags = flags.device;
    return ck_launch(t, &(struct ck_launch){ .kernel = b->kernel,
                                             .grid = { b->ctas },
                                             .block = { BLOCK },
                                             .cluster = { b->ctas },
                                             .smem = 2 * a->bytes + 16,
                                             .args = a,
                                             .size = sizeof *a });
}

static void do_between(struct ck *t, const struct between *b)
{
    const struct ck_buf flags = ck_output(t, 4 * CTAS);
    unsigned char *expected;
    struct ck_buf out;
    struct bulk_reduce_between_args a = arrange(t, b, &out, &expected);
    uint32_t flag[CTAS];

    if (launch(t, b, &a, flags) != CK_DONE)
        return;
    memcpy(flag, flags.host, sizeof flag);
    for (uint32_t c = 0; c < b->ctas; c++)
        ck_expect(t, "barrier flipped", flag[c], 1);
    ck_equal(t, out, expected);
}

/* Every CTA reduces bytes of its shared memory into the next CTA of the cluster, by each operation and type that there
 * is: the results there are those of exact arithmetic. */
static void by_oracle(struct ck *t)
{
    struct between b = between_of(t);

    b.how = ck_word(t, "operands");
    do_between(t, &b);
}

/* Every CTA reduces bytes of its shared memory into another CTA, near or far in the cluster. They are combined there,
 * and the barrier that the reduction names, in that CTA, counts them. */
static void to_cluster(struct ck *t)
{
    struct between b = between_of(t);

    b.to = (uint32_t)ck_int(t, "to");
    b.from = (uint32_t)ck_int(t, "from");
    b.at = (uint32_t)ck_int(t, "at");
    do_between(t, &b);
}

static bool other_cta(struct ck *t)
{
    return ck_int(t, "to") < ck_int(t, "cluster");
}

/* The barrier expects 16 bytes more than a reduction brings, so the phase stays open until another thread completes
 * them: a reduction takes exactly its number of bytes off what is expected. */
static void counts_bytes(struct ck *t)
{
    struct between b = between_of(t);
    const struct ck_buf flags = ck_output(t, 4 * FLAGS);
    unsigned char *expected;
    struct bulk_reduce_between_args a;
    struct ck_buf out;
    uint32_t flag[FLAGS];

    b.kernel = "bulk_reduce_tx";
    a = arrange(t, &b, &out, &expected);
    memcpy(expected, out.host, a.bytes); /* CTA 0 alone sends */
    a.expect = b.size + (ck_variant(t, "exact") ? 0 : 16);
    a.probe = PROBE;
    if (launch(t, &b, &a, flags) != CK_DONE)
        return;
    memcpy(flag, flags.host, sizeof flag);
    ck_expect(t, "phase over before the last bytes", flag[0], 0);
    ck_expect(t, "phase over at the end", flag[1], 1);
    ck_expect(t, "next phase over as well", flag[2], 0);
    ck_equal(t, out, expected);
}

/* All CTAs but one reduce into that one at once, each several times. Each element is updated as one step, so no operand
 * is lost. */
static void gather(struct ck *t)
{
    const uint32_t reduction = bulk_reduction_of(t), ctas = (uint32_t)ck_int(t, "cluster");
    const struct reduction r = reduction_of(reduction);
    const uint32_t size = 256, times = (uint32_t)ck_int(t, "times"), all = (ctas - 1) * times;
    const struct ck_buf in = ck_input(t, (size_t)size * ctas), out = ck_output(t, (size_t)size * ctas);
    const struct between b = { .kernel = "bulk_reduce_gather", .ctas = ctas };
    struct bulk_reduce_between_args a = { .in = in.device,
                                          .start = out.device,
                                          .out = out.device,
                                          .bytes = size,
                                          .size = size,
                                          .times = times - (ck_variant(t, "fewer") ? 1 : 0),
                                          .reduction = reduction };
    unsigned char *expected = ck_alloc(t, out.size);

    a.expect = size * (ctas - 1) * a.times;
    reduce_repeat(r.type, out.host, 0x05, size);
    reduce_repeat(r.type, in.host, 0x0F, in.size);
    ck_changed(t, in);
    ck_changed(t, out);
    memcpy(expected, out.host, out.size);
    for (uint32_t n = 0; n < all; n++)
        oracle_reduce(r, expected, in.host, size);
    launch(t, &b, &a, ck_output(t, 4 * CTAS));
    ck_equal(t, out, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(bulkred_dir_s2cluster), .run = to_cluster,
      .axes = { { "reduction", "add.u32" },
                { "cluster", "2 4 8" },
                { "size", "16 240 4096" },
                { "to", "1 2 3 5 7" },
                { "from", "0 80" },
                { "at", "0 16" } },
      .valid = other_cta, .mutants = { SOURCE, { "rank", "to the CTA one rank further on", .only = "cluster=4/8" } } },
    { CK_RULE(bulkred_types_cluster), .run = by_oracle,
      .axes = { { "reduction", TO_CLUSTER },
                { "cluster", "2" },
                { "operands", "random near edges" },
                { "size", "16 48 256 2048" } },
      .mutants = { { "other", "another operation", .only = "operands=random" } } },
    { CK_RULE(bulkred_tx), .run = counts_bytes,
      .axes = { { "reduction", TO_CLUSTER }, { "cluster", "=2" }, { "size", "16 256 4096" } },
      .mutants = { { "exact", "expect no byte more than the reduction brings" } } },
    { CK_RULE(bulkred_atomic_cluster), .run = gather,
      .axes = { { "reduction", TO_CLUSTER }, { "cluster", "2 4 8" }, { "times", "1 4" } },
      .mutants = { { "fewer", "each CTA reduces once less", .only = "reduction=add.u32/inc.u32 times=4" } } },
    { 0 }
};

const struct ck_suite bulk_reduce_cluster = { "bulk-reduce/cluster", cases };
// SPDX-License-Identifier: Apache-2.0
