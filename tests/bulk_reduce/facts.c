/* What the documents say of single results of bulk reductions, value by value, and what they leave open. */
#include <stdio.h>
#include <string.h>

#include "kernels/bulk_reduce.h"
#include "tests/bulk_reduce/values.h"

enum { BLOCK = 64, CTAS = 2, IMAGE = 256 };

/* An element holds `old`, `by` comes, and then it holds `want`. */
struct fact {
    const char *reduction; /* as the instruction spells it */
    uint64_t old, by, want;
};

static const struct fact facts[] = {
    { "add.u32", 0xFFFFFFFF, 1, 0 },
    { "add.u32", 0xFFFFFFFE, 3, 1 },
    { "add.u32", 0xC0000000, 0x40000001, 1 },
    { "add.s32", 0x7FFFFFFF, 1, 0x80000000 },
    { "add.s32", 0x80000001, 0xFFFFFFFF, 0x80000000 },
    { "add.s32", 0xFFFFFFFF, 1, 0 },
    { "add.u64", UINT64_MAX, 1, 0 },
    { "add.u64", 0x00000000FFFFFFFF, 1, 0x0000000100000000 },
    { "add.u64", 0xC000000000000000, 0x4000000000000001, 1 },

    /* Half a unit of the last place goes to the even neighbour, more than half up, less than half down. */
    { "add.f32", 0x3F800000, 0x33800000, 0x3F800000 },
    { "add.f32", 0x3F800001, 0x33800000, 0x3F800002 },
    { "add.f32", 0x3F800000, 0x33800001, 0x3F800001 },
    { "add.f32", 0x3F800000, 0x337FFFFF, 0x3F800000 },
    { "add.f32", 0x3F800000, 0x30000000, 0x3F800000 },
    { "add.f32", 0xBF800001, 0xB3800000, 0xBF800002 },
    { "add.f32", 0x7F7FFFFF, 0x73000000, 0x7F800000 },
    { "add.f32", 0x7F7FFFFF, 0x72FFFFFF, 0x7F7FFFFF },
    { "add.f32", 0x3F800000, 0xBF800000, 0x00000000 },
    { "add.f32", 0x7F800000, 0x3F800000, 0x7F800000 },
    { "add.f64", 0x3FF0000000000000, 0x3CA0000000000000, 0x3FF0000000000000 },
    { "add.f64", 0x3FF0000000000001, 0x3CA0000000000000, 0x3FF0000000000002 },
    { "add.f64", 0x3FF0000000000000, 0x3CA0000000000001, 0x3FF0000000000001 },
    { "add.f64", 0x7FEFFFFFFFFFFFFF, 0x7C90000000000000, 0x7FF0000000000000 },
    { "add.f64", 0x0000000000000001, 0x0000000000000001, 0x0000000000000002 },
    { "add.f64", 0x0010000000000000, 0x8000000000000001, 0x000FFFFFFFFFFFFF },
    { "add.f64", 0x000FFFFFFFFFFFFF, 0x0000000000000001, 0x0010000000000000 },

    { "add.noftz.f16", 0x0001, 0x0001, 0x0002 },
    { "add.noftz.f16", 0x03FF, 0x0001, 0x0400 },
    { "add.noftz.f16", 0x0400, 0x8001, 0x03FF },
    { "add.noftz.f16", 0x8001, 0x8001, 0x8002 },
    { "add.noftz.f16", 0x0001, 0x8002, 0x8001 },
    { "add.noftz.bf16", 0x0001, 0x0001, 0x0002 },
    { "add.noftz.bf16", 0x007F, 0x0001, 0x0080 },
    { "add.noftz.bf16", 0x0080, 0x8001, 0x007F },
    { "add.noftz.bf16", 0x8001, 0x8001, 0x8002 },
    { "add.noftz.bf16", 0x0001, 0x8002, 0x8001 },

    { "min.u32", 0xFFFFFFFF, 1, 1 },
    { "min.u32", 0x7FFFFFFF, 0x80000000, 0x7FFFFFFF },
    { "max.u32", 1, 0xFFFFFFFF, 0xFFFFFFFF },
    { "min.s32", 1, 0xFFFFFFFF, 0xFFFFFFFF },
    { "min.s32", 0x7FFFFFFF, 0x80000000, 0x80000000 },
    { "max.s32", 0xFFFFFFFF, 1, 1 },
    { "min.u64", UINT64_MAX, 1, 1 },
    { "min.u64", 0x8000000000000000, 0x00000000FFFFFFFF, 0x00000000FFFFFFFF },
    { "max.u64", 1, UINT64_MAX, UINT64_MAX },
    { "min.s64", 1, UINT64_MAX, UINT64_MAX },
    { "max.s64", UINT64_MAX, 1, 1 },
    { "max.s64", 0x8000000000000000, 0x00000000FFFFFFFF, 0x00000000FFFFFFFF },

    { "min.f16", 0x3C00, 0xBC00, 0xBC00 },
    { "min.f16", 0xC000, 0xBC00, 0xC000 },
    { "min.f16", 0x0002, 0x0001, 0x0001 },
    { "max.f16", 0xBC00, 0x3C00, 0x3C00 },
    { "max.f16", 0xC000, 0xBC00, 0xBC00 },
    { "max.f16", 0x7BFF, 0x7C00, 0x7C00 },
    { "min.bf16", 0x3F80, 0xBF80, 0xBF80 },
    { "min.bf16", 0xC000, 0xBF80, 0xC000 },
    { "min.bf16", 0x0002, 0x0001, 0x0001 },
    { "max.bf16", 0xBF80, 0x3F80, 0x3F80 },
    { "max.bf16", 0xC000, 0xBF80, 0xBF80 },
    { "max.bf16", 0x7F7F, 0x7F80, 0x7F80 },

    { "inc.u32", 6, 7, 7 },
    { "inc.u32", 7, 7, 0 },
    { "inc.u32", 8, 7, 0 },
    { "inc.u32", 0xFFFFFFFF, 0xFFFFFFFF, 0 },
    { "inc.u32", 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF },
    { "inc.u32", 0, 0xFFFFFFFF, 1 },
    { "inc.u32", 0x7FFFFFFF, 0x80000000, 0x80000000 },
    { "dec.u32", 0, 7, 7 },
    { "dec.u32", 1, 7, 0 },
    { "dec.u32", 7, 7, 6 },
    { "dec.u32", 8, 7, 7 },
    { "dec.u32", 0xFFFFFFFF, 7, 7 },
    { "dec.u32", 0, 0xFFFFFFFF, 0xFFFFFFFF },
    { "dec.u32", 0x80000000, 0xFFFFFFFF, 0x7FFFFFFF },

    { "and.b32", 0xFFFF0000, 0xFF00FF00, 0xFF000000 },
    { "or.b32", 0xFFFF0000, 0xFF00FF00, 0xFFFFFF00 },
    { "xor.b32", 0xFFFF0000, 0xFF00FF00, 0x00FFFF00 },
    { "and.b64", 0xFFFF0000FFFF0000, 0xFF00FF0000FF00FF, 0xFF00000000FF0000 },
    { "or.b64", 0xFFFF0000FFFF0000, 0xFF00FF0000FF00FF, 0xFFFFFF00FFFF00FF },
    { "xor.b64", 0xFFFF0000FFFF0000, 0xFF00FF0000FF00FF, 0x00FFFF00FF0000FF },
};

enum { FACTS = sizeof facts / sizeof *facts };

/* The fact of this number among those of the case's reduction; NULL if there are fewer. */
static const struct fact *fact_of(struct ck *t)
{
    int64_t n = ck_int(t, "fact");

    for (size_t i = 0; i < FACTS; i++)
        if (!strcmp(facts[i].reduction, ck_word(t, "reduction")) && n-- == 0)
            return &facts[i];
    return NULL;
}

static bool has_fact(struct ck *t)
{
    return fact_of(t) != NULL;
}

/* What a reduction takes and changes: global memory, or the image of CTA 0, which CTA 1 reduces into. */
struct operands {
    struct ck_buf in, out;
    unsigned char *old, *by; /* in `out`, and in `in` */
    size_t size;
    bool cluster;
};

static struct operands operands_of(struct ck *t, size_t size, bool cluster)
{
    const size_t bytes = cluster ? CTAS * IMAGE : size;
    struct operands o = { .in = ck_input(t, bytes), .out = ck_output(t, bytes), .size = size, .cluster = cluster };

    o.old = o.out.host;
    o.by = o.in.host + (cluster ? IMAGE : 0);
    return o;
}

static bool reduce_to_global(struct ck *t, const struct operands *o, uint32_t reduction)
{
    const struct bulk_reduce_args a = { .in = o->in.device,
                                        .out = o->out.device,
                                        .bytes = (uint32_t)o->size,
                                        .size = (uint32_t)o->size,
                                        .reduction = reduction };

    return ck_launch(t, &(struct ck_launch){ .kernel = "bulk_reduce",
                                             .block = { BLOCK },
                                             .smem = a.bytes,
                                             .args = &a,
                                             .size = sizeof a }) == CK_DONE;
}

static bool reduce_to_cluster(struct ck *t, const struct operands *o, uint32_t reduction)
{
    const struct bulk_reduce_between_args a = { .in = o->in.device,
                                                .start = o->out.device,
                                                .out = o->out.device,
                                                .bytes = IMAGE,
                                                .size = (uint32_t)o->size,
                                                .times = 1,
                                                .expect = (uint32_t)o->size,
                                                .reduction = reduction };

    return ck_launch(t, &(struct ck_launch){ .kernel = "bulk_reduce_gather",
                                             .grid = { CTAS },
                                             .block = { BLOCK },
                                             .cluster = { CTAS },
                                             .smem = 2 * IMAGE + 16,
                                             .args = &a,
                                             .size = sizeof a }) == CK_DONE;
}

/* Reduces, and leaves in `out` what is there then. */
static bool reduce(struct ck *t, const struct operands *o, uint32_t reduction)
{
    ck_changed(t, o->in);
    ck_changed(t, o->out);
    return o->cluster ? reduce_to_cluster(t, o, reduction) : reduce_to_global(t, o, reduction);
}

/* Elements hold a value, and another comes to each: they become what the documents say for the operation and type. */
static void fact(struct ck *t)
{
    const uint32_t reduction = bulk_reduction_of(t);
    const enum reduce_type type = reduction_of(reduction).type;
    const struct fact *f = fact_of(t);
    const struct operands o = operands_of(t, 64, ck_is(t, "to", "cluster"));
    unsigned char *expected = ck_alloc(t, o.out.size);

    reduce_repeat(type, o.old, f->old, o.size);
    reduce_repeat(type, o.by, f->by, o.size);
    memcpy(expected, o.out.host, o.out.size);
    reduce_repeat(type, expected, f->want, o.size);
    if (reduce(t, &o, ck_variant(t, "other") ? other_reduction(reduction) : reduction))
        ck_equal(t, o.out, expected);
}

/* ---- what documents leave open ---------------------------------------------------------------------------------- */

enum { PAIRS = 8 };

struct open {
    const char *reduction;
    uint64_t pair[PAIRS][2]; /* what an element holds, and what comes */
};

static const struct open opens[] = {
    /* subnormal operands and results; the last pair is there for comparison */
    { "add.f32",
      { { 0x00000001, 0x00000000 },
        { 0x00000000, 0x00000001 },
        { 0x80000001, 0x80000000 },
        { 0x00000001, 0x00000001 },
        { 0x00800000, 0x80400000 },
        { 0x007FFFFF, 0x00000001 },
        { 0x00400000, 0x00400000 },
        { 0x00800000, 0x00800000 } } },
    /* zeros, then a NaN that is held, comes, or both */
    { "min.f16",
      { { 0x0000, 0x8000 },
        { 0x8000, 0x0000 },
        { 0x7E01, 0x3C00 },
        { 0x3C00, 0x7E01 },
        { 0x7C01, 0x3C00 },
        { 0x3C00, 0xFC01 },
        { 0x7E01, 0xFE02 },
        { 0x7E01, 0x7C00 } } },
    { "max.f16",
      { { 0x0000, 0x8000 },
        { 0x8000, 0x0000 },
        { 0x7E01, 0x3C00 },
        { 0x3C00, 0x7E01 },
        { 0x7C01, 0x3C00 },
        { 0x3C00, 0xFC01 },
        { 0x7E01, 0xFE02 },
        { 0x7E01, 0xFC00 } } },
    { "min.bf16",
      { { 0x0000, 0x8000 },
        { 0x8000, 0x0000 },
        { 0x7FC1, 0x3F80 },
        { 0x3F80, 0x7FC1 },
        { 0x7F81, 0x3F80 },
        { 0x3F80, 0xFF81 },
        { 0x7FC1, 0xFFC2 },
        { 0x7FC1, 0x7F80 } } },
    { "max.bf16",
      { { 0x0000, 0x8000 },
        { 0x8000, 0x0000 },
        { 0x7FC1, 0x3F80 },
        { 0x3F80, 0x7FC1 },
        { 0x7F81, 0x3F80 },
        { 0x3F80, 0xFF81 },
        { 0x7FC1, 0xFFC2 },
        { 0x7FC1, 0xFF80 } } },
};

/* Which NaN a sum gives: of a NaN that is held, comes, or both, quiet or signalling, and of infinities. */
static const struct open sums[] = {
    { "add.f32",
      { { 0x7FC00001, 0x3F800000 },
        { 0x3F800000, 0xFFC00001 },
        { 0x7F800001, 0x3F800000 },
        { 0x3F800000, 0x7F800001 },
        { 0x7FC00001, 0xFFC00002 },
        { 0x7F800001, 0x7FC00002 },
        { 0x7F800000, 0xFF800000 },
        { 0x80000000, 0x80000000 } } },
    { "add.f64",
      { { 0x7FF8000000000001, 0x3FF0000000000000 },
        { 0x3FF0000000000000, 0xFFF8000000000001 },
        { 0x7FF0000000000001, 0x3FF0000000000000 },
        { 0x3FF0000000000000, 0x7FF0000000000001 },
        { 0x7FF8000000000001, 0xFFF8000000000002 },
        { 0x7FF0000000000001, 0x7FF8000000000002 },
        { 0x7FF0000000000000, 0xFFF0000000000000 },
        { 0x8000000000000000, 0x8000000000000000 } } },
    { "add.noftz.f16",
      { { 0x7E01, 0x3C00 },
        { 0x3C00, 0xFE01 },
        { 0x7C01, 0x3C00 },
        { 0x3C00, 0x7C01 },
        { 0x7E01, 0xFE02 },
        { 0x7C01, 0x7E02 },
        { 0x7C00, 0xFC00 },
        { 0x8000, 0x8000 } } },
    { "add.noftz.bf16",
      { { 0x7FC1, 0x3F80 },
        { 0x3F80, 0xFFC1 },
        { 0x7F81, 0x3F80 },
        { 0x3F80, 0x7F81 },
        { 0x7FC1, 0xFFC2 },
        { 0x7F81, 0x7FC2 },
        { 0x7F80, 0xFF80 },
        { 0x8000, 0x8000 } } },
};

/* Records what the pairs become, in their order. */
static void see_pairs(struct ck *t, const struct open *open)
{
    const uint32_t reduction = bulk_reduction_of(t);
    const size_t size = reduce_size(reduction_of(reduction).type);
    const struct operands o = operands_of(t, 64, false);
    char text[PAIRS * 20];
    size_t length = 0;

    for (size_t i = 0; i < PAIRS; i++) {
        memcpy(o.old + i * size, &open->pair[i][0], size);
        memcpy(o.by + i * size, &open->pair[i][1], size);
    }
    if (!reduce(t, &o, reduction))
        return;
    for (size_t i = 0; i < PAIRS; i++) {
        uint64_t out = 0;
        memcpy(&out, o.old + i * size, size);
        length += (size_t)snprintf(text + length, sizeof text - length, " %llx", (unsigned long long)out);
    }
    ck_see(t, "%s", text + 1);
}

/* Subnormal sums in single precision, zeros of both signs and NaNs in minima and maxima. Seen, as a table. */
static void see_open(struct ck *t)
{
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++)
        if (ck_is(t, "reduction", opens[i].reduction))
            see_pairs(t, &opens[i]);
}

/* Which NaN a sum is, where one goes in or infinities cancel out. Seen, as a table. */
static void see_sums(struct ck *t)
{
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (ck_is(t, "reduction", sums[i].reduction))
            see_pairs(t, &sums[i]);
}

#define OTHER                                                                                                          \
    {                                                                                                                  \
        "other", "another operation"                                                                                   \
    }
#define FACTS_OF(symbol, reductions, places)                                                                           \
    {                                                                                                                  \
        CK_RULE(symbol), .run = fact, .axes = { { "reduction", reductions }, { "to", places }, { "fact", "0..15" } },  \
                         .valid = has_fact, .mutants = {                                                               \
                             OTHER                                                                                     \
                         }                                                                                             \
    }
#define SEEN "what happens is recorded, whatever it is"

static const struct ck_case cases[] = {
    FACTS_OF(bulkred_add_wrap, "add.u32 add.s32 add.u64", "global cluster"),
    FACTS_OF(bulkred_add_f32, "add.f32", "global"),
    FACTS_OF(bulkred_add_f64, "add.f64", "global"),
    FACTS_OF(bulkred_add_half_subnormal, "add.noftz.f16 add.noftz.bf16", "global"),
    FACTS_OF(bulkred_minmax_signed, "min.u32 max.u32 min.s32 max.s32", "global cluster"),
    { CK_RULE(bulkred_minmax_signed), .name = "wide", .run = fact,
      .axes = { { "reduction", "min.u64 max.u64 min.s64 max.s64" }, { "to", "global" }, { "fact", "0..15" } },
      .valid = has_fact, .mutants = { OTHER } },
    FACTS_OF(bulkred_minmax_half, "min.f16 max.f16 min.bf16 max.bf16", "global"),
    FACTS_OF(bulkred_inc, "inc.u32", "global cluster"),
    FACTS_OF(bulkred_dec, "dec.u32", "global cluster"),
    FACTS_OF(bulkred_bitops, "and.b32 or.b32 xor.b32", "global cluster"),
    { CK_RULE(bulkred_bitops), .name = "wide", .run = fact,
      .axes = { { "reduction", "and.b64 or.b64 xor.b64" }, { "to", "global" }, { "fact", "0..15" } }, .valid = has_fact,
      .mutants = { OTHER } },
    { CK_RULE(bulkred_add_f32_ftz), .run = see_open, .axes = { { "reduction", "add.f32" } }, .no_mutant = SEEN },
    { CK_RULE(bulkred_minmax_open), .run = see_open, .axes = { { "reduction", "min.f16 max.f16 min.bf16 max.bf16" } },
      .no_mutant = SEEN },
    { CK_RULE(bulkred_add_nan), .run = see_sums,
      .axes = { { "reduction", "add.f32 add.f64 add.noftz.f16 add.noftz.bf16" } }, .no_mutant = SEEN },
    { 0 }
};

const struct ck_suite bulk_reduce_facts = { "bulk-reduce/facts", cases };
// SPDX-License-Identifier: Apache-2.0
