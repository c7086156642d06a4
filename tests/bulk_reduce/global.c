/* Bulk reductions from shared to global memory. */
#include <string.h>

#include "kernels/bulk_reduce.h"
#include "tests/bulk/image.h"
#include "tests/bulk_reduce/values.h"

enum { GUARD = 64, BLOCK = 64 };

struct reduce {
    const char *kernel;
    uint32_t reduction;
    const char *how; /* the operands, for reduce_operands; NULL: `old` and `by`, again and again */
    uint64_t old, by;
    uint32_t from, to; /* offsets of the piece: in the shared image, and in global memory behind the guard */
    uint32_t size;     /* of the piece */
    uint32_t hint;     /* BULK_... */
};

static struct reduce reduce_of(struct ck *t)
{
    return (struct reduce){ .kernel = "bulk_reduce", .reduction = bulk_reduction_of(t), .how = "random" };
}

/* Reduces one piece and compares the whole buffer: poison round the piece. */
static void do_reduce(struct ck *t, const struct reduce *s)
{
    const struct reduction r = reduction_of(s->reduction);
    const uint32_t room = round_up(s->size, 16), bytes = s->from + room + 32;
    const struct ck_buf in = ck_input(t, bytes), out = ck_output(t, (size_t)GUARD + s->to + room + GUARD);
    const struct bulk_reduce_args a = {
        .in = in.device,
        .out = out.device + GUARD + s->to,
        .bytes = round_up(bytes, 16),
        .offset = s->from + (ck_variant(t, "source") ? 16 : 0),
        .size = s->size + (ck_variant(t, "longer") ? 16 : 0),
        .reduction = ck_variant(t, "other") ? other_reduction(s->reduction) : s->reduction,
        .hint = s->hint,
    };
    unsigned char *const to = out.host + GUARD + s->to, *const by = in.host + s->from;
    unsigned char *expected = ck_alloc(t, out.size);

    if (s->how) {
        reduce_operands(t, r, s->how, to, by, room);
    } else {
        reduce_repeat(r.type, to, s->old, room);
        reduce_repeat(r.type, by, s->by, room);
    }
    memcpy(expected, out.host, out.size);
    oracle_reduce(r, expected + GUARD + s->to, by, s->size);
    if (ck_variant(t, "shift"))
        memmove(by + reduce_size(r.type), by, room - reduce_size(r.type));
    ck_changed(t, in);
    ck_changed(t, out);
    if (ck_launch(
            t, &(struct ck_launch){
                   .kernel = s->kernel, .block = { BLOCK }, .smem = a.bytes, .args = &a, .size = sizeof a }) != CK_DONE)
        return;
    ck_equal(t, out, expected);
    if (!ck_conforming(t))
        ck_see(t, "%s", memcmp(out.host, expected, out.size) ? "other bytes" : "the same bytes");
}

/* A reduction combines the bytes of shared memory with those of global memory, by each operation and type that there
 * is: the results are those of exact arithmetic, rounded once to the nearest value. */
static void by_oracle(struct ck *t)
{
    struct reduce s = reduce_of(t);

    s.how = ck_word(t, "operands");
    s.size = (uint32_t)ck_int(t, "size");
    do_reduce(t, &s);
}

/* A reduction from shared to global memory, tracked by a bulk group, combines the named bytes. */
static void to_global(struct ck *t)
{
    by_oracle(t);
}

/* Each element of the destination meets the element at its own place in the source, wherever the two are, and nothing
 * round the destination changes. */
static void element_by_element(struct ck *t)
{
    struct reduce s = reduce_of(t);

    s.size = (uint32_t)ck_int(t, "size");
    s.from = (uint32_t)ck_int(t, "from");
    s.to = (uint32_t)ck_int(t, "to");
    do_reduce(t, &s);
}

/* A reduction to and from any multiple of 16, also of elements of 2 bytes. The breaches have another address. */
static void aligned(struct ck *t)
{
    struct reduce s = reduce_of(t);
    const uint32_t offset = (uint32_t)ck_int(t, "offset");

    s.size = 256;
    if (ck_is(t, "side", "global"))
        s.to = offset;
    else
        s.from = offset;
    do_reduce(t, &s);
}

/* A size in a register that is a multiple of 16: that many bytes are combined. The breaches have another size, which is
 * undefined. */
static void of_size(struct ck *t)
{
    struct reduce s = reduce_of(t);

    s.size = (uint32_t)ck_int(t, "size");
    do_reduce(t, &s);
}

/* A reduction of size 0 to global memory. Seen to change nothing. */
static void of_nothing(struct ck *t)
{
    of_size(t);
}

/* A reduction with any cache policy, or with none, leaves the same bytes. */
static void with_hint(struct ck *t)
{
    struct reduce s = reduce_of(t);

    s.size = 256;
    s.hint = hint_of(t);
    if (s.hint != BULK_NO_HINT)
        s.kernel = "bulk_reduce_hint";
    do_reduce(t, &s);
}

/* The source is written again when the reduction has read it, and not before. The breach writes it while it may still
 * be read. */
static void source_again(struct ck *t)
{
    struct reduce s = reduce_of(t);

    s.kernel = "bulk_reduce_reuse";
    s.size = (uint32_t)ck_int(t, "size");
    do_reduce(t, &s);
}

/* ---- many at once ----------------------------------------------------------------------------------------------- */

/* Operands of which each result is exact, in whatever order they come. */
static uint64_t exact_operand(enum reduce_type type, bool old)
{
    static const uint64_t one[] = {
        [REDUCE_F16] = 0x3C00, [REDUCE_BF16] = 0x3F80, [REDUCE_F32] = 0x3F800000, [REDUCE_F64] = 0x3FF0000000000000
    };

    if (reduce_is_float(type))
        return old ? 0 : one[type];
    return old ? 0x05 : 0x0F;
}

/* Many CTAs reduce into the same place at once, each several times, and wait for nothing in between. Each element is
 * updated as one step, so no operand is lost. */
static void many_at_once(struct ck *t)
{
    const uint32_t reduction = bulk_reduction_of(t), ctas = (uint32_t)ck_int(t, "ctas");
    const struct reduction r = reduction_of(reduction);
    const uint32_t size = (uint32_t)ck_int(t, "size"), times = (uint32_t)ck_int(t, "times");
    const struct ck_buf in = ck_input(t, size), out = ck_output(t, size + GUARD);
    const struct bulk_reduce_args a = { .in = in.device,
                                        .out = out.device,
                                        .bytes = size,
                                        .size = size,
                                        .reduction = reduction,
                                        .times = times - (ck_variant(t, "fewer") ? 1 : 0) };
    unsigned char *expected = ck_alloc(t, out.size);

    reduce_repeat(r.type, out.host, exact_operand(r.type, true), size);
    reduce_repeat(r.type, in.host, exact_operand(r.type, false), size);
    ck_changed(t, in);
    ck_changed(t, out);
    memcpy(expected, out.host, out.size);
    for (uint32_t n = 0; n < ctas * times; n++)
        oracle_reduce(r, expected, in.host, size);
    ck_launch(t, &(struct ck_launch){ .kernel = "bulk_reduce_many",
                                      .grid = { ctas },
                                      .block = { BLOCK },
                                      .smem = size,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, out, expected);
}

#define OTHER                                                                                                          \
    {                                                                                                                  \
        "other", "another operation", .only = "operands=random"                                                        \
    }
/* Addresses and sizes that are no multiple of 16; they may end the context. */
#define AWRY(n)                                                                                                        \
    {                                                                                                                  \
        "off-" #n, "an address " #n " past a multiple of 16",                                                          \
            .set = "offset=" #n, .only = "reduction=add.noftz.f16 offset=0", .faults = true                            \
    }
#define ODD(n)                                                                                                         \
    {                                                                                                                  \
        "size-" #n, "a size of " #n, .set = "size=" #n, .only = "reduction=add.u32 size=16", .faults = true            \
    }
#define ADDS "add.u32 add.s32 add.u64 add.f32 add.f64 add.noftz.f16 add.noftz.bf16"

static const struct ck_case cases[] = {
    { CK_RULE(bulkred_dir_s2g), .run = to_global,
      .axes = { { "reduction", "add.u32" },
                { "operands", "random" },
                { "size", "16 32 48 64 112 128 240 256 512 1024 4096 16384 32768 65536" } },
      .mutants = { OTHER, SOURCE } },
    { CK_RULE(bulkred_types_global), .run = by_oracle,
      .axes = { { "reduction", TO_GLOBAL }, { "operands", "random near edges" }, { "size", "16 48 256 2048" } },
      .mutants = { OTHER } },
    { CK_RULE(bulkred_elementwise), .run = element_by_element,
      .axes = { { "reduction", TO_GLOBAL }, { "size", "32 112" }, { "from", "0 16 80" }, { "to", "0 16 112" } },
      .mutants = { { "shift", "move the source by one element", .only = "size=112" },
                   { "longer", "16 bytes more", .only = "reduction=add.u32/xor.b32" } } },
    { CK_RULE(bulkred_align16), .run = aligned,
      .axes = { { "reduction", "add.u32 add.noftz.f16 add.u64" },
                { "side", "global shared" },
                { "offset", "0 16 32 48 64 80 112 128 240 1008" } },
      .mutants = { { "other", "another operation" } }, .breaches = { AWRY(2), AWRY(4), AWRY(8) } },
    { CK_RULE(bulkred_size), .run = of_size,
      .axes = { { "reduction", "add.u32 min.bf16" }, { "size", "16 32 48 1040" } },
      .mutants = { { "other", "another operation" } }, .breaches = { ODD(8), ODD(24), ODD(1030) } },
    { CK_RULE(bulkred_size_zero), .run = of_nothing, .axes = { { "reduction", "add.u32" }, { "size", "0" } },
      .no_mutant = "what happens is recorded, whatever it is" },
    { CK_RULE(bulkred_hint), .run = with_hint,
      .axes = { { "reduction", TO_GLOBAL },
                { "hint", "none evict-first evict-normal evict-last evict-unchanged fractional" } },
      .mutants = { { "other", "another operation" } } },
    { CK_RULE(bulk_src_stable), .name = "reduction", .run = source_again,
      .axes = { { "reduction", ADDS }, { "size", "16 1024 16384" } }, .mutants = { { "other", "another operation" } },
      .breaches = { { "early", "write the source while it may still be read", .kernel = "early", .varies = true } } },
    { CK_RULE(bulkred_atomic_gpu), .run = many_at_once,
      .axes = { { "reduction", TO_GLOBAL }, { "ctas", "2 16" }, { "times", "1 4" }, { "size", "=128" } },
      .mutants = { { "fewer", "each CTA reduces once less",
                     .only = "reduction="
                             "add.u32 times=4" },
                   { "plain", "ordinary loads and stores", .kernel = "plain",
                     .only = "reduction=add.u32 ctas=16 times=4" } } },
    { CK_RULE(bulkred_atomic_gpu), .name = "wide", .run = many_at_once,
      .axes = { { "reduction", ADDS " inc.u32 xor.b64" }, { "ctas", "132" }, { "times", "1" }, { "size", "=16" } },
      .mutants = { { "fewer", "each CTA reduces once less", .only = "reduction=add.u32/add.f32" } } },
    { 0 }
};

const struct ck_suite bulk_reduce_global = { "bulk-reduce/global", cases };
// SPDX-License-Identifier: Apache-2.0
