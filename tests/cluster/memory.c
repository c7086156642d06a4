/* Addresses in the shared memory of a cluster. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/cluster_memory.h"

struct bench {
    struct ck_buf in, out;
    struct cluster_memory_args a;
    uint32_t ctas;
    unsigned char *expected;
};

static struct bench bench_of(struct ck *t, uint32_t bytes)
{
    struct bench b = { .ctas = (uint32_t)ck_int(t, "ctas"),
                       .in = ck_input(t, MEMORY_BYTES),
                       .out = ck_output(t, bytes) };

    b.a.in = b.in.device;
    b.a.out = b.out.device;
    b.a.offset = (uint32_t)ck_int(t, "offset");
    b.expected = ck_alloc(t, bytes);
    memset(b.expected, CK_POISON, bytes);
    return b;
}

static void run(struct ck *t, const struct bench *b, const char *kernel, uint32_t threads)
{
    if (ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                          .grid = { b->ctas },
                                          .cluster = { b->ctas },
                                          .block = { threads },
                                          .smem = 1024,
                                          .args = &b->a,
                                          .size = sizeof b->a }) == CK_DONE)
        ck_equal(t, b->out, b->expected);
}

static void put(struct bench *b, size_t word, uint32_t value)
{
    memcpy(b->expected + 4 * word, &value, sizeof value);
}

/* Every CTA maps an address to every rank, and asks for the rank of what it got: that is the one it named, and the
 * offset in the shared memory is as it was. */
static void round_trip(struct ck *t)
{
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas");
    struct bench b = bench_of(t, 8 * ctas * ctas);

    b.a.map = ck_is(t, "form", "u32") ? MAP_U32 : ck_is(t, "form", "u64") ? MAP_U64 : MAP_GENERIC;
    for (uint32_t i = 0; i < ctas * ctas; i++) {
        put(&b, 2 * i, i % ctas);
        put(&b, 2 * i + 1, 0);
    }
    run(t, &b, "cluster_map", ctas);
}

/* Every CTA asks in which windows an address of every rank lies: the own one in all three of shared memory, another in
 * that of the cluster alone, and an address in global memory in none. */
static void windows(struct ck *t)
{
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas");
    struct bench b = bench_of(t, 4 * (ctas * ctas + 1));

    for (uint32_t i = 0; i < ctas * ctas; i++)
        put(&b, i, i % ctas == i / ctas ? IN_SHARED | IN_SHARED_CTA | IN_SHARED_CLUSTER : IN_SHARED_CLUSTER);
    put(&b, ctas * ctas, IN_GLOBAL);
    run(t, &b, "cluster_windows", ctas);
}

/* The 4 or 8 bytes at `to` grow by those at `by`. */
static void add(unsigned char *to, const unsigned char *by, uint32_t size)
{
    uint64_t sum = 0, more = 0;

    memcpy(&sum, to, size);
    memcpy(&more, by, size);
    sum += more;
    memcpy(to, &sum, size);
}

/* CTA 0 makes one access of `size` bytes, by a mapped address, to the place of a CTA that holds the input. All places,
 * and what a load or an atomic operation brought, are as they must be. */
static void one_access(struct ck *t, uint32_t to)
{
    static const char *const hows[] = { "st", "ld", "atom", "red", "generic" };
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas"), size = (uint32_t)ck_int(t, "size");
    struct bench b = bench_of(t, (ctas + 1) * MEMORY_BYTES);
    unsigned char *place = b.expected + to * MEMORY_BYTES, *got = b.expected + ctas * MEMORY_BYTES;

    b.a.size = size;
    b.a.to = to;
    for (b.a.how = 0; !ck_is(t, "how", hows[b.a.how]);)
        b.a.how++;
    memcpy(place, b.in.host, MEMORY_BYTES);
    memcpy(got, b.in.host, 16);
    if (b.a.how == ACCESS_LD || b.a.how == ACCESS_ATOM) {
        if (size < 8)
            memset(got, 0, 8);
        memcpy(got, place + b.a.offset, size);
    }
    if (b.a.how == ACCESS_ST || b.a.how == ACCESS_GENERIC)
        memcpy(place + b.a.offset, b.in.host, size);
    if (b.a.how == ACCESS_ATOM || b.a.how == ACCESS_RED)
        add(place + b.a.offset, b.in.host, size);
    if (ck_variant(t, "other"))
        b.a.to = 1;
    run(t, &b, "cluster_access", 1);
}

/* The access is to another CTA's place. */
static void to_others(struct ck *t)
{
    one_access(t, ck_is(t, "to", "last") ? (uint32_t)ck_int(t, "ctas") - 1 : 1);
}

/* The address is mapped to the own rank: the access is to the own place. */
static void to_own(struct ck *t)
{
    one_access(t, 0);
}

/* A load and a store have all sizes, atomic operations 4 and 8 bytes, the generic store 1; offsets are aligned. */
static bool legal_access(struct ck *t)
{
    const int64_t size = ck_int(t, "size");

    return ck_int(t, "offset") % size == 0 &&
           (ck_is(t, "how", "st") || ck_is(t, "how", "ld") || (ck_is(t, "how", "generic") && size == 1) ||
            (!ck_is(t, "how", "generic") && (size == 4 || size == 8)));
}

#define HOWS "st ld atom red generic"
#define OWN  "own", "access the own shared memory", .kernel = "own"

static const struct ck_case cases[] = {
    { CK_RULE(dsmem_mapa_roundtrip), .run = round_trip,
      .axes = { { "ctas", "1..8 16" }, { "form", "u32 u64 generic" }, { "offset", "0 4 16 100 1000" } },
      .mutants = { { "own", "map to the own rank", .kernel = "own", .only = "ctas=4" } } },
    { CK_RULE(dsmem_window), .run = windows, .axes = { { "ctas", "1..8 16" }, { "offset", "0 1 16 1000" } },
      .mutants = { { "own", "ask about the own shared memory", .kernel = "own", .only = "ctas=4" } } },
    { CK_RULE(dsmem_mapa_access), .run = to_others,
      .axes = { { "how", HOWS },
                { "size", "1 2 4 8 16" },
                { "ctas", "2 3 4 8" },
                { "to", "next last" },
                { "offset", "0 1 6 16 32 48" } },
      .valid = legal_access, .mutants = { { OWN, .only = "offset=16" } } },
    { CK_RULE(dsmem_mapa_self), .run = to_own,
      .axes = { { "how", HOWS }, { "size", "1 2 4 8 16" }, { "ctas", "1 2 4 8" }, { "offset", "0 1 6 16 32 48" } },
      .valid = legal_access, .mutants = { { "other", "map to rank 1", .only = "ctas=2" } } },
    { 0 },
};

const struct ck_suite cluster_memory_cases = { "cluster/memory", cases };
// SPDX-License-Identifier: Apache-2.0
