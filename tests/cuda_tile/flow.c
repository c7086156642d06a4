/* Control flow of tile kernels on the GPU: which way a block went, and how often a loop went round. */
#include <stdio.h>
#include <string.h>

#include "harness/ck.h"

enum { TILE = 8, LIST = 64 };

struct flow_args {
    struct ck_head head;
    uint64_t in, out;
    int a, b, c, d;
};

static void run_flow(struct ck *t, const char *kernel, const struct flow_args *a, int blocks)
{
    ck_launch(t, &(struct ck_launch){
                     .kernel = kernel, .grid = { (uint32_t)blocks }, .members = true, .args = a, .size = sizeof *a });
}

/* The name of a kernel: flow_, first words, and the value of an axis. */
static const char *named(struct ck *t, const char *words, const char *axis)
{
    enum { NAME = 64 };
    char *const name = ck_alloc(t, NAME);

    snprintf(name, NAME, "flow_%s%s", words, ck_word(t, axis));
    return name;
}

static int32_t number_at(struct ck_buf b, size_t i)
{
    int32_t number;

    memcpy(&number, b.host + 4 * i, 4);
    return number;
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

/* A block for each tile: what those with an odd number do, adding 100, the others do not. */
static void own_path(struct ck *t)
{
    const int blocks = (int)ck_int(t, "blocks");
    const struct ck_buf in = ck_input(t, 4 * TILE * (size_t)blocks), out = ck_output(t, in.size);
    const struct flow_args a = { .in = in.device, .out = out.device };
    uint32_t *const expected = ck_alloc(t, in.size);

    for (int i = 0; i < blocks * TILE; i++)
        expected[i] = (uint32_t)number_at(in, (size_t)i) + (i / TILE % 2 ? 100 : 0);
    run_flow(t, "flow_path", &a, blocks);
    ck_equal(t, out, expected);
}

/* if and else in an if, and in its else: one of four numbers, by two scalars. */
static void one_way(struct ck *t)
{
    const struct ck_buf out = ck_output(t, 4);
    const struct flow_args a = { .out = out.device, .a = (int)ck_int(t, "outer"), .b = (int)ck_int(t, "inner") };
    const int32_t way = a.a > 0 ? (a.b > 0 ? 1 : 2) : (a.b > 0 ? 3 : 4);

    run_flow(t, "flow_way", &a, 1);
    ck_equal(t, out, &way);
}

/* Of six blocks the first few load their tile in a branch, the others keep the zeros that they had before it. */
static void branch_keeps_tile(struct ck *t)
{
    enum { BLOCKS = 6 };
    const int loading = (int)ck_int(t, "loading");
    const struct ck_buf in = ck_input(t, 4 * TILE * BLOCKS), out = ck_output(t, in.size);
    const struct flow_args a = { .in = in.device, .out = out.device, .a = loading };
    unsigned char *const expected = ck_alloc(t, in.size);

    memcpy(expected, in.host, 4 * TILE * (size_t)loading);
    run_flow(t, "flow_load_if", &a, BLOCKS);
    ck_equal(t, out, expected);
}

/* ---- lists of numbers -------------------------------------------------------------------------------------------- */

struct list {
    int32_t of[LIST]; /* how many, and then the numbers */
};

static void give(struct list *l, int32_t number)
{
    if (l->of[0] + 1 < LIST)
        l->of[++l->of[0]] = number;
}

/* Launches a kernel that lists numbers, and compares all that it wrote; behind the list is poison. */
static void expect_list(struct ck *t, const char *kernel, const struct flow_args *args, const struct list *l)
{
    const struct ck_buf out = ck_output(t, sizeof l->of);
    struct flow_args a = *args;
    unsigned char *const expected = ck_alloc(t, out.size);
    const size_t used = 4 * (size_t)(1 + l->of[0]);

    memset(expected, CK_POISON, out.size);
    memcpy(expected, l->of, used);
    a.out = out.device;
    run_flow(t, kernel, &a, 1);
    ck_equal(t, out, expected);
}

/* The numbers of one range, by an irange of this type or by another loop. A longer range gives one number more. */
static void range_gives(struct ck *t)
{
    struct flow_args a = { .a = (int)ck_int(t, "begin"), .b = (int)ck_int(t, "end"), .c = (int)ck_int(t, "step") };
    struct list l = { 0 };

    for (int i = a.a; i < a.b; i += a.c)
        give(&l, i);
    if (ck_variant(t, "longer"))
        a.b += a.c;
    if (ck_variant(t, "one"))
        a.b = a.a + 1;
    expect_list(t, named(t, "", "loop"), &a, &l);
}

static bool begins_below_end(struct ck *t)
{
    return ck_int(t, "begin") < ck_int(t, "end");
}

static bool begins_at_end(struct ck *t)
{
    return ck_int(t, "begin") >= ck_int(t, "end");
}

/* Two and three loops in each other: the numbers in the order of the rounds. */
static void loops_in_loops(struct ck *t)
{
    const bool three = ck_is(t, "deep", "3");
    const struct flow_args a = { .a = (int)ck_int(t, "outer"), .b = (int)ck_int(t, "inner"), .c = 2 };
    struct list l = { 0 };

    for (int i = 0; i < a.a; i++)
        for (int j = 0; j < a.b; j++)
            for (int k = 0; k < (three ? a.c : 1); k++)
                give(&l, three ? 100 * i + 10 * j + k : 10 * i + j);
    expect_list(t, named(t, "nested_", "deep"), &a, &l);
}

static bool unequal(struct ck *t)
{
    return ck_int(t, "outer") != ck_int(t, "inner");
}

/* Each loop is left in a round, or passes over one: whether it gave the numbers that it gives in C++. */
static void left_early(struct ck *t)
{
    const bool leaves = ck_is(t, "word", "break");
    const struct ck_buf out = ck_output(t, 4 * LIST);
    const struct flow_args a = { .out = out.device, .a = (int)ck_int(t, "rounds"), .b = (int)ck_int(t, "at") };
    struct list l = { 0 };
    char kernel[64];

    for (int i = 0; i < a.a && !(leaves && i == a.b); i++)
        if (i != a.b)
            give(&l, i);
    snprintf(kernel, sizeof kernel, "flow_%s_%s", ck_word(t, "word"), ck_word(t, "loop"));
    run_flow(t, kernel, &a, 1);
    if (memcmp(out.host, l.of, 4 * (size_t)(1 + l.of[0])) != 0)
        ck_see(t, "other numbers than in C++: %d of them", number_at(out, 0));
    else
        ck_see(t, "as in C++");
}

/* What is behind a return that is reached, in an if or in an if of an if, is not done. */
static void returns_early(struct ck *t)
{
    const bool nested = ck_is(t, "in", "nested");
    struct flow_args a = { .a = (int)ck_int(t, "a"), .b = (int)ck_int(t, "b") };
    struct list l = { { 1, 1 } };
    struct ck_buf out = ck_output(t, 4 * LIST);
    unsigned char *const expected = ck_alloc(t, out.size);

    if (nested && a.a > 0 && a.b <= 0)
        give(&l, 3);
    if (a.a <= 0 || (nested && a.b <= 0))
        give(&l, 2);
    memset(expected, CK_POISON, out.size);
    memcpy(expected, l.of, 4 * (size_t)(1 + l.of[0]));
    if (ck_variant(t, "other"))
        a.a = !a.a;
    a.out = out.device;
    run_flow(t, named(t, "return_", "in"), &a, 1);
    ck_equal(t, out, expected);
}

/* A switch: one label falls through to the next, two share a statement, the default is in the middle. */
static void switch_goes(struct ck *t)
{
    struct flow_args a = { .a = (int)ck_int(t, "value") };
    struct list l = { 0 };

    if (a.a == 1)
        give(&l, 1);
    give(&l, a.a == 1 || a.a == 2 ? 2 : a.a == 4 || a.a == 5 ? 5 : 9);
    if (ck_variant(t, "next"))
        a.a = a.a == 5 ? 6 : a.a == 4 ? 3 : a.a == 2 ? 1 : 2;
    expect_list(t, "flow_switch", &a, &l);
}

/* ---- tiles in loops ---------------------------------------------------------------------------------------------- */

/* The sum of all tiles of an array, carried from round to round. */
static void sums_tiles(struct ck *t)
{
    const int count = (int)ck_int(t, "tiles");
    const struct ck_buf in = ck_input(t, 4 * TILE * (size_t)(count + 1)), out = ck_output(t, 4 * TILE);
    struct flow_args a = { .in = in.device, .out = out.device, .a = count };
    uint32_t sum[TILE] = { 0 };

    for (int i = 0; i < count * TILE; i++)
        sum[i % TILE] += (uint32_t)number_at(in, (size_t)i);
    if (ck_variant(t, "more"))
        a.a = count + 1;
    run_flow(t, ck_is(t, "loop", "for") ? "flow_sum_for" : "flow_sum", &a, 1);
    ck_equal(t, out, sum);
}

#define LONGER                                                                                                         \
    {                                                                                                                  \
        "longer", "end the range one step later"                                                                       \
    }
#define SWAPPED(what)                                                                                                  \
    {                                                                                                                  \
        "swapped", what, .kernel = "swapped"                                                                           \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tile_cf_single_path), .run = own_path, .axes = { { "blocks", "1..16" } },
      .mutants = { SWAPPED("let the blocks with an even number add") } },
    { CK_RULE(tile_cf_if_else), .run = one_way, .axes = { { "outer", "0 1 2" }, { "inner", "0 1 2" } },
      .mutants = { { "negated", "turn the inner condition round", .kernel = "negated" } } },
    { CK_RULE(tile_cf_tile_from_branch), .run = branch_keeps_tile, .axes = { { "loading", "0..5" } },
      .mutants = { { "also", "let one block more load", .kernel = "also" } } },

    { CK_RULE(tile_cf_irange), .run = range_gives,
      .axes = { { "loop", "irange irange_s64 irange_s16" },
                { "begin", "-3 0 5" },
                { "end", "-1 0 1 6 12" },
                { "step", "1 2 3 7" } },
      .valid = begins_below_end, .mutants = { LONGER } },
    { CK_RULE(tile_cf_irange), .name = "unsigned", .run = range_gives,
      .axes = { { "loop", "=irange_u32" }, { "begin", "0 5" }, { "end", "1 6 12" }, { "step", "1 2 3 7" } },
      .valid = begins_below_end, .mutants = { LONGER } },
    { CK_RULE(tile_cf_irange_default_step), .run = range_gives,
      .axes = { { "loop", "irange_two irange_one" },
                { "begin", "-3 0 5" },
                { "end", "-1 0 1 6 12" },
                { "step", "=1" } },
      .valid = begins_below_end, .mutants = { LONGER } },
    { CK_RULE(tile_cf_irange_empty), .run = range_gives,
      .axes = { { "loop", "irange irange_two irange_s64" },
                { "begin", "-3 0 5 12" },
                { "end", "-9 -3 0 5" },
                { "step", "=1" } },
      .valid = begins_at_end, .mutants = { { "one", "end the range one behind its begin" } } },
    { CK_RULE(tile_cf_irange_not_semantic), .run = range_gives,
      .axes = { { "loop", "for while do irange" }, { "begin", "-3 0 5" }, { "end", "0 5 12" }, { "step", "1 2 3" } },
      .valid = begins_below_end, .mutants = { LONGER } },
    { CK_RULE(tile_cf_nested), .run = loops_in_loops,
      .axes = { { "deep", "2 3" }, { "outer", "1..5" }, { "inner", "1..5" } }, .valid = unequal,
      .mutants = { SWAPPED("exchange the bounds of the two outer loops") } },
    { CK_RULE(tile_cf_break_continue), .name = "run", .run = left_early,
      .axes = { { "word", "break continue" },
                { "loop", "for while do irange" },
                { "rounds", "0 1 5 9" },
                { "at", "0 2 4 9" } } },
    { CK_RULE(tile_cf_return_outside), .name = "run", .run = returns_early,
      .axes = { { "in", "if nested" }, { "a", "0 1" }, { "b", "0 1" } },
      .mutants = { { "other", "let the first condition be the opposite" } } },
    { CK_RULE(tile_cf_switch), .name = "run", .run = switch_goes, .axes = { { "value", "-1..6" } },
      .mutants = { { "next", "take another label" } } },

    { CK_RULE(tile_cf_loop_tiles), .run = sums_tiles, .axes = { { "loop", "irange for" }, { "tiles", "0..9" } },
      .mutants = { { "more", "add one tile more" } } },
    { 0 },
};

const struct ck_suite suite_cuda_tile_flow = { "cuda_tile_flow", cases };
// SPDX-License-Identifier: Apache-2.0
