/* st.async and red.async: values, the bytes that they signal, and where they go. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/cluster_memory.h"

#define STORES                                                                                                         \
    "b32 u32 s32 f32 b64 u64 s64 f64 v2.b32 v2.u32 v2.s32 v2.f32 v4.b32 v4.u32 v4.s32 v4.f32 v2.b64 v2.u64 v2.s64 v2.f64"
#define REDUCTIONS "inc dec min-u32 min-s32 max-u32 max-s32 and or xor add-u32 add-s32 add-u64"

/* In the order of enum cluster_store; bytes of each. */
static const struct {
    const char *name;
    uint32_t bytes;
} stores[] = {
    { "b32", 4 },     { "u32", 4 },     { "s32", 4 },     { "f32", 4 },     { "b64", 8 },
    { "u64", 8 },     { "s64", 8 },     { "f64", 8 },     { "v2.b32", 8 },  { "v2.u32", 8 },
    { "v2.s32", 8 },  { "v2.f32", 8 },  { "v4.b32", 16 }, { "v4.u32", 16 }, { "v4.s32", 16 },
    { "v4.f32", 16 }, { "v2.b64", 16 }, { "v2.u64", 16 }, { "v2.s64", 16 }, { "v2.f64", 16 },
};

static const char *const reductions[] = { "inc", "dec", "min-u32", "min-s32", "max-u32", "max-s32",
                                          "and", "or",  "xor",     "add-u32", "add-s32", "add-u64" };

static uint32_t rank_of(struct ck *t)
{
    return ck_is(t, "to", "last") ? (uint32_t)ck_int(t, "ctas") - 1 : ck_is(t, "to", "own") ? 0 : 1;
}

static enum ck_end launch(struct ck *t, const struct cluster_memory_args *a, const char *kernel, uint32_t smem)
{
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas");

    return ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                             .grid = { ctas },
                                             .cluster = { ctas },
                                             .block = { (uint32_t)ck_int(t, "threads") },
                                             .smem = smem,
                                             .args = a,
                                             .size = sizeof *a });
}

/* Threads of CTA 0 store values side by side into another CTA, whose mbarrier expects the bytes of all. After the wait
 * they are there, and all other bytes are poison. */
static void store(struct ck *t)
{
    const uint32_t threads = (uint32_t)ck_int(t, "threads"), times = (uint32_t)ck_int(t, "times");
    struct cluster_memory_args a = { .stores = times, .offset = (uint32_t)ck_int(t, "offset"), .to = rank_of(t) };
    struct ck_buf in, out;
    unsigned char *expected;
    uint32_t bytes;

    for (a.how = 0; !ck_is(t, "type", stores[a.how].name);)
        a.how++;
    a.size = stores[a.how].bytes;
    a.bar_to = ck_variant(t, "two-ctas") ? 0 : a.to;
    a.expect = threads * times * a.size;
    bytes = (a.expect + MEMORY_BYTES + 15) & ~15u;
    in = ck_input(t, bytes);
    out = ck_output(t, bytes);
    expected = ck_alloc(t, bytes);
    memset(expected, CK_POISON, bytes);
    memcpy(expected + a.offset, in.host, a.expect);
    a.in = in.device + (ck_variant(t, "next") ? 16 : 0);
    a.out = out.device;
    if (ck_variant(t, "more"))
        a.expect += 4;
    if (launch(t, &a, "cluster_store", bytes + 16) == CK_DONE)
        ck_equal(t, out, expected);
}

static bool is_aligned(struct ck *t)
{
    uint32_t i = 0;

    while (!ck_is(t, "type", stores[i].name))
        i++;
    return ck_int(t, "offset") % stores[i].bytes == 0;
}

/* What a reduction makes of the old value and the operand. */
static uint64_t reduced(enum cluster_reduction op, uint64_t old, uint64_t value)
{
    const uint32_t o = (uint32_t)old, v = (uint32_t)value;

    switch (op) {
    case REDUCE_INC: return o >= v ? 0 : o + 1;
    case REDUCE_DEC: return o == 0 || o > v ? v : o - 1;
    case REDUCE_MIN_U32: return o < v ? o : v;
    case REDUCE_MIN_S32: return (int32_t)o < (int32_t)v ? o : v;
    case REDUCE_MAX_U32: return o > v ? o : v;
    case REDUCE_MAX_S32: return (int32_t)o > (int32_t)v ? o : v;
    case REDUCE_AND: return o & v;
    case REDUCE_OR: return o | v;
    case REDUCE_XOR: return o ^ v;
    case REDUCE_ADD_U32:
    case REDUCE_ADD_S32: return (uint32_t)(o + v);
    case REDUCE_ADD_U64: return old + value;
    }
    return 0;
}

/* Threads of CTA 0 reduce values into one place of another CTA, whose mbarrier expects the bytes of all: the place
 * holds the result of all. Values of inc and dec are the same, as their order would matter else; the result of the
 * others has no order. */
static void reduce(struct ck *t)
{
    const uint32_t count = (uint32_t)(ck_int(t, "threads") * ck_int(t, "times"));
    const struct ck_buf in = ck_input(t, 8 * ((size_t)count + 1)), out = ck_zeroed(t, 8);
    uint64_t *values = (uint64_t *)in.host, result, low;
    struct cluster_memory_args a = { .in = in.device, .out = out.device, .to = rank_of(t) };
    uint32_t bytes;

    for (a.how = 0; !ck_is(t, "op", reductions[a.how]);)
        a.how++;
    bytes = a.how == REDUCE_ADD_U64 ? 8 : 4;
    for (uint32_t i = 0; i < count && a.how <= REDUCE_DEC; i++)
        values[i] = 37;
    if (a.how <= REDUCE_DEC)
        values[count] = values[count] >> 32 << 32 | 5;
    ck_changed(t, in);
    result = values[count];
    for (uint32_t i = 0; i < count; i++) {
        low = reduced(a.how, result, values[i]);
        result = bytes == 8 ? low : result >> 32 << 32 | low;
    }
    a.stores = (uint32_t)ck_int(t, "times");
    a.expect = count * bytes + (ck_variant(t, "more") ? 4 : 0);
    if (ck_variant(t, "start"))
        values[count] ^= 1ull << 40 | 1;
    if (launch(t, &a, "cluster_reduce", 64) != CK_DONE)
        return;
    if (ck_is(t, "to", "own"))
        ck_see(t, memcmp(out.host, &result, 8) ? "other bytes" : "reduced");
    else
        ck_equal(t, out, &result);
}

#define FIXED                                                                                                          \
    { "ctas", "2" },                                                                                                   \
    {                                                                                                                  \
        "to", "next"                                                                                                   \
    }
#define MORE "more", "let the owner expect four bytes more"
#define SINGLE                                                                                                         \
    { "threads", "1" },                                                                                                \
    {                                                                                                                  \
        "times", "1"                                                                                                   \
    }

static const struct ck_case cases[] = {
    { CK_RULE(stasync_value), .run = store,
      .axes = { { "type", STORES }, { "ctas", "2 4 8" }, { "to", "next last" }, SINGLE, { "offset", "0 4 8 16 48" } },
      .valid = is_aligned, .mutants = { { "next", "store the next bytes of the input", .only = "ctas=2 to=next" } } },
    { CK_RULE(stasync_tx_bytes), .run = store,
      .axes = { { "type", STORES }, FIXED, { "threads", "1 32 64" }, { "times", "1 2 4" }, { "offset", "=0" } },
      .mutants = { { MORE, .only = "threads=32 times=2" } } },
    { CK_RULE(stasync_tx_bytes), .name = "many", .run = store,
      .axes = { { "type", "b32 b64 v4.b32" }, FIXED, { "threads", "256" }, { "times", "1" }, { "offset", "=0" } },
      .mutants = { { MORE, .only = "threads=256 times=1" } } },
    { CK_RULE(stasync_same_cta), .run = store,
      .axes = { { "type", "b32 b64 v4.b32" },
                { "ctas", "2 4" },
                { "to", "next last" },
                { "threads", "1 32" },
                { "times", "=1" },
                { "offset", "=0" } },
      .mutants = { { MORE, .only = "threads=1" } },
      .breaches = { { "two-ctas", "signal the mbarrier of another CTA than the bytes go to", .faults = true } } },
    { CK_RULE(stasync_align), .run = store, .axes = { { "type", STORES }, FIXED, SINGLE, { "offset", "0 16" } },
      .mutants = { { MORE, .only = "offset=0" } },
      .breaches = { { "off-1", "an address 1 past a multiple of the size", .set = "offset=1",
                      .only = "offset=0 type=b32/v2.b32/v4.u32/v2.f64", .faults = true },
                    { "off-2", "an address 2 past a multiple of the size", .set = "offset=2",
                      .only = "offset=0 type=b32/v2.b32/v4.u32/v2.f64", .faults = true } } },
    { CK_RULE(redasync_result), .run = reduce,
      .axes = { { "op", REDUCTIONS },
                { "ctas", "2 4" },
                { "to", "next last" },
                { "threads", "1 32 64" },
                { "times", "1 2 4" } },
      .mutants = { { MORE, .only = "ctas=2 to=next threads=32 times=2" },
                   { "start", "begin with another value", .only = "ctas=2 to=next threads=1 times=1" } } },
    { CK_RULE(redasync_own), .run = reduce,
      .axes = { { "op", REDUCTIONS }, { "ctas", "2" }, { "to", "own" }, { "threads", "1 32" }, { "times", "1" } },
      .seen_only = true, .faults = true, .no_mutant = "what happens is recorded, whatever it is" },
    { 0 },
};

const struct ck_suite cluster_async_cases = { "cluster/async", cases };
// SPDX-License-Identifier: Apache-2.0
