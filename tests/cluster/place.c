/* Sizes of clusters, and what CTAs know of their place in one. */
#include <stdio.h>

#include "harness/ck.h"
#include "kernels/cluster_barrier.h"

struct shape {
    uint32_t n[3];
};

/* The axis "AxBxC". */
static struct shape shape_of(struct ck *t, const char *axis)
{
    struct shape s = { { 1, 1, 1 } };

    if (sscanf(ck_word(t, axis), "%ux%ux%u", &s.n[0], &s.n[1], &s.n[2]) != 3)
        ck_skip(t, "no shape %s", ck_word(t, axis));
    return s;
}

static uint32_t count(struct shape s)
{
    return s.n[0] * s.n[1] * s.n[2];
}

/* The parts of its place that a case is about. */
enum part { RANK = 1, SHAPE = 2, NUMBER = 4, EXPLICIT = 8 };

/* What the CTA at `at` of the grid must find; words of other parts are taken from what it did find. */
static void expect_place(uint32_t *place, const uint32_t at[3], struct shape cluster, struct shape times,
                         bool explicitly, unsigned parts)
{
    uint32_t inside[3];

    for (int d = 0; d < 3; d++) {
        inside[d] = at[d] % cluster.n[d];
        place[PLACE_CTAID + d] = at[d];
        place[PLACE_NCTAID + d] = cluster.n[d] * times.n[d];
        if (parts & NUMBER) {
            place[PLACE_CLUSTERID + d] = at[d] / cluster.n[d];
            place[PLACE_NCLUSTERID + d] = times.n[d];
            place[PLACE_CLUSTER_CTAID + d] = inside[d];
        }
        if (parts & SHAPE)
            place[PLACE_CLUSTER_NCTAID + d] = cluster.n[d];
    }
    if (parts & SHAPE)
        place[PLACE_RANKS] = count(cluster);
    if (parts & RANK)
        place[PLACE_RANK] = inside[0] + cluster.n[0] * (inside[1] + cluster.n[1] * inside[2]);
    if (parts & EXPLICIT)
        place[PLACE_EXPLICIT] = explicitly;
}

/* One thread of each CTA says what its special registers hold; that is held to the shape of the clusters and their
 * number in the grid. */
static void places(struct ck *t, unsigned parts, bool explicitly)
{
    const struct shape cluster = shape_of(t, "cluster"), times = shape_of(t, "times");
    struct shape grid;
    struct ck_buf out = ck_output(t, (size_t)4 * PLACE_WORDS * count(cluster) * count(times));
    const struct cluster_barrier_args a = { .out = out.device };
    uint32_t *expected = ck_alloc(t, out.size), at[3];
    struct ck_launch l = { .kernel = "cluster_place", .block = { 1 }, .args = &a, .size = sizeof a };

    for (int d = 0; d < 3; d++) {
        grid.n[d] = l.grid[d] = cluster.n[d] * times.n[d];
        l.cluster[d] = explicitly ? cluster.n[d] : 0;
    }
    if (ck_variant(t, "without"))
        l.cluster[0] = 0;
    if (ck_variant(t, "with")) {
        l.cluster[0] = 2;
        l.cluster[1] = l.cluster[2] = 1;
    }
    if (ck_launch(t, &l) != CK_DONE)
        return;
    for (uint32_t i = 0; i < count(grid); i++) {
        uint32_t *place = expected + i * PLACE_WORDS;
        for (uint32_t w = 0; w < PLACE_WORDS; w++)
            place[w] = ((const uint32_t *)out.host)[i * PLACE_WORDS + w];
        at[0] = i % grid.n[0];
        at[1] = i / grid.n[0] % grid.n[1];
        at[2] = i / grid.n[0] / grid.n[1];
        expect_place(place, at, cluster, times, explicitly, parts);
    }
    ck_equal(t, out, expected);
}

/* Each CTA's rank follows from its place in the cluster, x fastest. */
static void ranks(struct ck *t)
{
    places(t, RANK, true);
}

/* Each CTA knows the shape of its cluster and the number of CTAs in it. */
static void shapes(struct ck *t)
{
    places(t, SHAPE, true);
}

/* Each CTA knows which cluster of the grid it is in, and where in that it is. */
static void numbers(struct ck *t)
{
    places(t, NUMBER, true);
}

/* Each CTA knows that the launch had cluster dimensions. */
static void explicitly(struct ck *t)
{
    places(t, EXPLICIT, true);
}

/* A launch without cluster dimensions: each CTA is alone in its cluster, of rank 0 of 1, and knows that no dimensions
 * were given. */
static void implicitly(struct ck *t)
{
    places(t, RANK | SHAPE | NUMBER | EXPLICIT, false);
}

/* One cluster of this many CTAs launches, and each of them knows the number. */
static void launches(struct ck *t)
{
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas");
    const struct ck_buf out = ck_output(t, (size_t)4 * PLACE_WORDS * ctas);
    const struct cluster_barrier_args a = { .out = out.device };
    struct ck_launch l = {
        .kernel = "cluster_place", .grid = { ctas }, .cluster = { ctas }, .block = { 32 }, .args = &a, .size = sizeof a
    };

    if (ck_variant(t, "single"))
        l.cluster[0] = 1;
    if (ck_launch(t, &l) != CK_DONE)
        return;
    if (!ck_expect(t, "CTAs in the cluster", ((const uint32_t *)out.host)[PLACE_RANKS], ctas))
        return;
    if (ck_int(t, "ctas") > 8)
        ck_see(t, "launches");
}

/* A grid that is no multiple of the cluster is refused: no byte of the result changes. Where it is one the same kernel
 * runs, which the mutant shows. */
static void divides(struct ck *t)
{
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas"), grid = (uint32_t)ck_int(t, "grid");
    const struct ck_buf out = ck_output(t, (size_t)4 * PLACE_WORDS * (grid + ctas) * ctas);
    const struct cluster_barrier_args a = { .out = out.device };
    const int d = ck_is(t, "dim", "x") ? 0 : ck_is(t, "dim", "y") ? 1 : 2;
    struct ck_launch l = { .kernel = "cluster_place",
                           .grid = { 1, 1, 1 },
                           .cluster = { 1, 1, 1 },
                           .block = { 1 },
                           .args = &a,
                           .size = sizeof a,
                           .refused = true };

    l.grid[d] = ck_variant(t, "multiple") ? grid - grid % ctas + ctas : grid;
    l.cluster[d] = ctas;
    if (ck_launch(t, &l) != CK_REFUSED)
        ck_expect(t, "launches that were refused", 0, 1);
    ck_filled(t, out, 0, out.size, CK_POISON);
}

static bool not_multiple(struct ck *t)
{
    return ck_int(t, "grid") % ck_int(t, "ctas") != 0;
}

#define CLUSTERS                                                                                                         \
    "2x1x1 1x2x1 1x1x2 3x1x1 4x1x1 1x4x1 1x1x4 2x2x1 2x1x2 1x2x2 5x1x1 6x1x1 2x3x1 3x2x1 1x2x3 7x1x1 8x1x1 1x8x1 1x1x8 " \
    "4x2x1 2x4x1 4x1x2 1x2x4 2x2x2"
#define TIMES   "1x1x1 3x1x1 1x2x1 1x1x2 2x3x2"
#define WITHOUT "without", "launch without cluster dimensions"

static const struct ck_case cases[] = {
    { CK_RULE(cluster_rank), .run = ranks, .axes = { { "cluster", CLUSTERS }, { "times", TIMES } },
      .mutants = { { WITHOUT } } },
    { CK_RULE(cluster_shape), .run = shapes, .axes = { { "cluster", CLUSTERS }, { "times", TIMES } },
      .mutants = { { WITHOUT } } },
    { CK_RULE(cluster_number), .run = numbers, .axes = { { "cluster", CLUSTERS }, { "times", TIMES } },
      .mutants = { { WITHOUT } } },
    { CK_RULE(cluster_explicit), .run = explicitly,
      .axes = { { "cluster", "1x1x1 " CLUSTERS }, { "times", "1x1x1 2x3x2" } }, .mutants = { { WITHOUT } } },
    { CK_RULE(cluster_explicit), .name = "not", .run = implicitly,
      .axes = { { "cluster", "1x1x1" }, { "times", "2x1x1 4x1x1 2x2x2 4x3x2" } },
      .mutants = { { "with", "launch with clusters of two CTAs" } } },
    { CK_RULE(cluster_size_portable), .run = launches, .axes = { { "ctas", "1..8" } },
      .mutants = { { "single", "launch clusters of one CTA", .only = "ctas=8" } } },
    { CK_RULE(cluster_size_larger), .run = launches, .axes = { { "ctas", "9..16 32" } }, .seen_only = true,
      .no_mutant = "what happens is recorded, whatever it is" },
    { CK_RULE(cluster_size_divides), .run = divides,
      .axes = { { "ctas", "2..8" }, { "grid", "1..9 15 17" }, { "dim", "x y z" } }, .valid = not_multiple,
      .mutants = { { "multiple", "launch a multiple of the cluster", .only = "grid=9" } } },
    { 0 },
};

const struct ck_suite cluster_place_cases = { "cluster/place", cases };
// SPDX-License-Identifier: Apache-2.0
