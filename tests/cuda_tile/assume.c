/* Assumptions and hints: that they change nothing, and which of them the compiler takes. */
#include <stdio.h>
#include <string.h>

#include "harness/ck.h"

enum { COLUMNS = 64, SLACK = 64 /* elements behind the rows */ };

struct copy_args {
    struct ck_head head;
    uint64_t from, to;
    int rows, pitch, skip;
};

/* Rows of 64 elements are copied by this kernel, to the same places of another array; nothing else there changes. */
static void copy_by(struct ck *t, const char *kernel, int rows, int pitch, int skip)
{
    const size_t elements = (size_t)skip + (size_t)rows * (size_t)pitch + SLACK;
    const struct ck_buf from = ck_input(t, 4 * elements), to = ck_output(t, from.size);
    struct copy_args a = { .from = from.device, .to = to.device, .rows = rows, .pitch = pitch, .skip = skip };
    unsigned char *const expected = ck_alloc(t, to.size);

    memset(expected, CK_POISON, to.size);
    for (int r = 0; r < rows; r++) {
        const size_t at = 4 * (size_t)(skip + r * pitch);

        memcpy(expected + at, from.host + at, (size_t)4 * COLUMNS);
    }
    if (ck_variant(t, "next"))
        a.from += (uint64_t)4 * SLACK;
    ck_launch(t, &(struct ck_launch){ .kernel = kernel, .members = true, .args = &a, .size = sizeof a });
    ck_equal(t, to, expected);
}

static const char *named(struct ck *t, const char *words, const char *axis)
{
    enum { NAME = 64 };
    char *const name = ck_alloc(t, NAME);

    snprintf(name, NAME, "%s%s", words, ck_word(t, axis));
    return name;
}

/* The arrays begin at a multiple of the alignment that is assumed. */
static void aligned(struct ck *t)
{
    const int skip = (int)(ck_int(t, "bytes") / 4 * ck_int(t, "times"));

    copy_by(t, named(t, "assume_aligned_", "bytes"), (int)ck_int(t, "rows"), (int)ck_int(t, "pitch"), skip);
}

/* What the assumptions return is left alone, and none of them holds. */
static void unused(struct ck *t)
{
    copy_by(t, "assume_unused", (int)ck_int(t, "rows"), (int)ck_int(t, "pitch"), (int)ck_int(t, "skip"));
}

/* The pitch is a multiple of what is assumed. */
static void divisible(struct ck *t)
{
    const int n = (int)ck_int(t, "n");
    const int pitch = (COLUMNS / n + (int)ck_int(t, "times")) * n;

    copy_by(t, named(t, "assume_divisible_", "n"), (int)ck_int(t, "rows"), pitch, 4);
}

/* Assumptions of which `what` is the name; rows, pitch and alignment are such that they hold. */
static void holds(struct ck *t)
{
    copy_by(t, named(t, "assume_", "what"), (int)ck_int(t, "rows"), (int)ck_int(t, "pitch"), (int)ck_int(t, "skip"));
}

/* A hint, before the kernel or before its loads and stores. */
static void hinted(struct ck *t)
{
    copy_by(t, named(t, "hint_", "hint"), (int)ck_int(t, "rows"), (int)ck_int(t, "pitch"), 0);
}

#define NEXT                                                                                                           \
    {                                                                                                                  \
        "next", "read from 64 elements further on"                                                                     \
    }
#define ROWS                                                                                                           \
    {                                                                                                                  \
        "rows", "8 16 32"                                                                                              \
    }
#define PITCH                                                                                                          \
    {                                                                                                                  \
        "pitch", "64 68 128"                                                                                           \
    }
#define NO_FUNCTION "no instance of function template"
#define VIEW        "auto v = ct::partition_view{ ct::tensor_span{ pi, ct::extents{ n } }, ct::shape{ 8_ic } }; "
#define STORE       "ct::store(pi + ct::iota<i32x8>(), ct::ones<i32x8>());"
/* A hint that is ignored is a warning, and here an error. */
#define STRICT "--enable-tile -tile-only -std=c++20 -arch=sm_90 -cubin -Werror all-warnings"
#define KERNEL "[[cutile::hint($)]] __tile_global__ void hinted(int *p) { *p = 1; }"

static const struct ck_case cases[] = {
    { CK_RULE(tile_assume_aligned), .run = aligned,
      .axes = { { "bytes", "4 8 16 32 128 256" }, { "times", "0 1 3" }, ROWS, { "pitch", "64 65 68" } },
      .mutants = { NEXT } },
    { CK_RULE(tile_assume_aligned), .name = "spellings",
      .compile = "ct::store(ct::assume_aligned$ + ct::iota<i32x8>(), ct::ones<i32x8>());",
      .accept = "(pi, 16_ic)|<16>(pi)", .refuse = "(pi, 16)|(pi)", .says = NO_FUNCTION },
    { CK_RULE(tile_assume_use_result), .run = unused,
      .axes = { ROWS, { "pitch", "65 66 68 127" }, { "skip", "1 2 3" } }, .mutants = { NEXT } },
    { CK_RULE(tile_assume_use_result), .name = "nodiscard", .compile = "$ct::assume_aligned(pi, 16_ic); *pi = n;",
      .options = STRICT, .accept = "(void)|pi = ", .refuse = "", .says = "ignoring return value" },
    { CK_RULE(tile_assume_power), .compile = "auto q = ct::assume_aligned(pi, $_ic); *q = 1;",
      .accept = "1|2|4|8|16|128|4096|1073741824", .refuse = "0|3|12|24|100", .says = NO_FUNCTION },
    { CK_RULE(tile_assume_power), .name = "divisor", .compile = "*pi = ct::assume_divisible(n, $_ic);",
      .accept = "1|2|4|8|16|128|4096|1073741824", .refuse = "0|3|12|24|100", .says = NO_FUNCTION },
    { CK_RULE(tile_assume_power), .name = "strided",
      .compile = "auto q = ct::assume_aligned_strided(pi + ct::iota<i32x8>(), $_ic, 4_ic, 0_ic); "
                 "ct::store(q, ct::ones<i32x8>());",
      .accept = "4|16", .refuse = "0|12", .says = NO_FUNCTION },
    { CK_RULE(tile_assume_types), .compile = "auto v = ct::assume_$; (void)v;",
      .accept =
          "aligned(pi, 16_ic)|aligned(pv, 16_ic)|divisible(n, 4_ic)|divisible(u, 4_ic)|bounded(n, 0_ic, 9_ic)|"
          "bounded(n, 9_ic, 9_ic)|bounded_above(u, 9_ic)|bounded_below(n, 0_ic)|divisible(ct::iota<i32x8>(), 1_ic)",
      .refuse = "aligned(n, 16_ic)|divisible(pi, 4_ic)|divisible(x, 4_ic)|bounded(x, 0_ic, 9_ic)|"
                "bounded(n, 9_ic, 8_ic)|bounded(u < 3, 0_ic, 1_ic)|bounded_below(u, 0_ic)",
      .says = NO_FUNCTION },
    { CK_RULE(tile_assume_types), .name = "blocks", .compile = "auto v = ct::assume_$; (void)v;",
      .accept = "blocked(ct::iota<i32x8>() / 4, ct::shape{ 4_ic })|"
                "divisible_strided(ct::iota<i32x8>(), 4_ic, 4_ic, 0_ic)|"
                "aligned_strided(pi + ct::iota<i32x8>(), 16_ic, 4_ic, 0_ic)",
      .refuse =
          "blocked(ct::iota<i32x8>() / 4, ct::shape{ 4_ic, 1_ic })|blocked(ct::zeros<f32x8>(), ct::shape{ 4_ic })|"
          "divisible_strided(ct::iota<i32x8>(), 4_ic, 0_ic, 0_ic)|"
          "divisible_strided(ct::iota<i32x8>(), 4_ic, 4_ic, 1_ic)|"
          "divisible_strided(ct::iota<u32x8>(), 4_ic, 4_ic, 0_ic)|"
          "aligned_strided(pi + ct::iota<i32x8>(), 16_ic, 4_ic, 1_ic)",
      .says = NO_FUNCTION },
    { CK_RULE(tile_assume_divisible), .run = divisible, .axes = { { "n", "1 2 4 8 64" }, { "times", "0 1 3" }, ROWS },
      .mutants = { NEXT } },
    { CK_RULE(tile_assume_bounded), .run = holds,
      .axes = { { "what", "bounded_both bounded_tight bounded_above bounded_below" }, ROWS, PITCH, { "skip", "0 4" } },
      .mutants = { NEXT } },
    { CK_RULE(tile_assume_blocked_strided), .run = holds,
      .axes = { { "what", "tiles divisible_strided aligned_strided blocked" }, ROWS, PITCH, { "skip", "0 4 64" } },
      .mutants = { NEXT } },
    { CK_RULE(tile_assume_restrict), .run = holds,
      .axes = { { "what", "restrict nothing" }, ROWS, { "pitch", "64 65 68" }, { "skip", "0 1 4" } },
      .mutants = { NEXT } },

    { CK_RULE(tile_hint_no_effect), .run = hinted,
      .axes = { { "hint", "occupancy_1 occupancy_2 occupancy_32 ctas_1 ctas_2 ctas_4 both latency_1 latency_5 "
                          "latency_10 latency_load latency_store latency_two" },
                ROWS,
                PITCH },
      .mutants = { NEXT } },
    { CK_RULE(tile_hint_allow_tma), .run = hinted,
      .axes = { { "hint", "tma no_tma no_tma_load no_tma_store" }, ROWS, PITCH }, .mutants = { NEXT } },

    { CK_RULE(tile_hint_form), .compile = "[[cutile::hint($, latency=4)]] " STORE, .options = STRICT,
      .accept = "0|800|900|1000|1200", .refuse = "905|90|1", .says = "architecture value" },
    { CK_RULE(tile_hint_form), .name = "values", .compile = "[[cutile::hint$]] " STORE, .options = STRICT,
      .accept = "(0, latency=4)|(0, latency=4)]] [[cutile::hint(900, latency=5)", .refuse = "(900)|(latency=4)|" },
    { CK_RULE(tile_hint_form), .name = "unknown", .compile = "[[cutile::hint(0, $)]] " STORE, .options = STRICT,
      .accept = "latency=4", .refuse = "delay=4|Latency=4|num_warps=4", .says = "unrecognized tile optimization hint" },
    { CK_RULE(tile_hint_form), .name = "ignored", .compile = "[[cutile::hint($)]] " STORE,
      .accept = "905, latency=4|0, delay=4|0, latency=11|0, occupancy=1", .no_mutant = "all of it is only ignored" },
    { CK_RULE(tile_hint_form), .name = "ctas", .compile = "", .declare = KERNEL, .options = STRICT,
      .seen = "0, num_cta_in_cga=2|0, num_cta_per_cga=2" },
    { CK_RULE(tile_hint_form), .name = "twice", .compile = "", .options = STRICT,
      .declare = "[[cutile::hint(${arch}, occupancy=2)]] [[cutile::hint($, occupancy=4)]] __tile_global__ "
                 "void hinted(int *p) { *p = 1; }",
      .axes = { { "arch", "=900" } }, .accept = "0|1000", .refuse = "900", .says = "duplicate" },

    { CK_RULE(tile_hint_ranges), .compile = "[[cutile::hint(${arch}, latency=$)]] " STORE, .options = STRICT,
      .axes = { { "arch", "0 900" } }, .accept = "1|2|9|10", .refuse = "0|11|-1|100", .says = "is invalid" },
    { CK_RULE(tile_hint_ranges), .name = "occupancy", .compile = "", .declare = KERNEL, .options = STRICT,
      .accept = "900, occupancy=1|900, occupancy=32|0, occupancy=17",
      .refuse = "900, occupancy=0|900, occupancy=33|0, occupancy=-1", .says = "is invalid" },
    { CK_RULE(tile_hint_ranges), .name = "ctas", .compile = "", .declare = KERNEL, .options = STRICT,
      .accept = "900, num_cta_in_cga=1|900, num_cta_in_cga=2|900, num_cta_in_cga=4|900, num_cta_in_cga=8|"
                "900, num_cta_in_cga=16",
      .refuse = "900, num_cta_in_cga=0|900, num_cta_in_cga=3|900, num_cta_in_cga=32", .says = "is invalid" },
    { CK_RULE(tile_hint_ranges), .name = "ctas-sm_80", .compile = "", .declare = KERNEL, .options = STRICT,
      .accept = "800, num_cta_in_cga=1", .refuse = "800, num_cta_in_cga=2|800, num_cta_in_cga=16",
      .says = "is incompatible" },
    { CK_RULE(tile_hint_ranges), .name = "allow-tma",
      .compile = VIEW "[[cutile::hint(0, allow_tma=$)]] v.store(ct::ones<i32x8>(), 0);", .options = STRICT,
      .accept = "true|false", .refuse = "2|-1", .says = "is invalid" },

    { CK_RULE(tile_hint_per_construct), .compile = VIEW "[[cutile::hint(0, ${hint})]] $;", .options = STRICT,
      .axes = { { "hint", "latency=4 allow_tma=true" } },
      .accept = "v.store(ct::ones<i32x8>(), 0)|v.store_masked(ct::ones<i32x8>(), 0)", .refuse = "n = n + 1|pi++",
      .says = "does not apply to the attached entity" },
    { CK_RULE(tile_hint_per_construct), .name = "pointers", .compile = "[[cutile::hint(0, $)]] " STORE,
      .options = STRICT, .accept = "latency=4", .refuse = "allow_tma=true|occupancy=2|num_cta_in_cga=2",
      .says = "does not apply to the attached entity" },
    { CK_RULE(tile_hint_per_construct), .name = "kernel", .compile = "", .declare = KERNEL, .options = STRICT,
      .accept = "0, occupancy=2|0, num_cta_in_cga=2", .refuse = "0, latency=2|0, allow_tma=true",
      .says = "does not apply to the attached entity" },
    { CK_RULE(tile_hint_per_construct), .name = "function", .compile = "", .options = STRICT,
      .declare = "[[cutile::hint(0, occupancy=2)]] $ void hinted(int *p) { *p = 1; }", .accept = "__tile_global__",
      .refuse = "__tile__|__global__", .says = "does not apply to the attached entity" },
    { CK_RULE(tile_hint_per_construct), .name = "declaration",
      .compile = VIEW "[[cutile::hint(0, latency=4)]] $; (void)t;", .options = STRICT, .seen = "auto t = v.load(0)" },
    { 0 },
};

const struct ck_suite suite_cuda_tile_assume = { "cuda_tile_assume", cases };
// SPDX-License-Identifier: Apache-2.0
