/* Cache operators, prefetch sizes and cache policies: none of them changes a byte. */
#include <stdlib.h>

#include "tests/cp_async/lanes.h"

/* The mutant of all these cases: a byte of the source is not what the expectation says. */
static void maybe_corrupt(struct ck *t, const struct lanes *l)
{
    if (!ck_variant(t, "other"))
        return;
    l->in.host[l->a.src] ^= 0x10;
    ck_changed(t, l->in);
}

/* Every lane copies with an L2 prefetch size of 64, 128 or 256 bytes, or with none. The prefetch changes speed only:
 * the copied bytes are the same. */
static void prefetches(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));

    l.a.hint = (uint32_t)ck_int(t, "prefetch");
    expect_lanes(&l, l.size);
    maybe_corrupt(t, &l);
    launch_lanes(t, &l, "cp_async_prefetch");
    ck_equal(t, l.out, l.expected);
}

static uint32_t policy_of(const char *word)
{
    return !strcmp(word, "last")     ? CP_EVICT_LAST
           : !strcmp(word, "normal") ? CP_EVICT_NORMAL
           : !strcmp(word, "first")  ? CP_EVICT_FIRST
                                     : CP_EVICT_UNCHANGED;
}

/* Every lane copies with an L2 cache policy that holds for a fraction of the lines. The policy changes speed only:
 * the copied bytes are the same. */
static void has_policy(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));

    l.a.hint = policy_of(ck_word(t, "policy"));
    l.a.fraction = strtof(ck_word(t, "fraction"), NULL);
    expect_lanes(&l, l.size);
    maybe_corrupt(t, &l);
    launch_lanes(t, &l, "cp_async_policy");
    ck_equal(t, l.out, l.expected);
}

/* The same at an address that compilers split into the start of shared memory and a lane's part. What comes out is
 * recorded: one compiler gets it wrong. */
static void has_policy_at_split_address(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));
    char kernel[32];

    snprintf(kernel, sizeof kernel, "cp_async_policy_%s", ck_word(t, "form"));
    l.a.fraction = 1.0f;
    expect_lanes(&l, l.size);
    if (launch_lanes(t, &l, kernel) == CK_DONE)
        ck_see(t, ck_equal(t, l.out, l.expected) ? "copied" : "differs");
}

/* The same 16-byte copies with .ca and with .cg, of every source size. Both bring the same bytes. */
static void has_cache_operator(struct ck *t)
{
    const struct ck_buf in = ck_input(t, SOURCE);
    struct lanes ca = lanes_with(t, in, CP_CA16), cg = lanes_with(t, in, CP_CG16);
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");

    set_values(&ca, bytes);
    set_values(&cg, bytes);
    expect_lanes(&ca, bytes);
    launch_lanes(t, &ca, bytes == ca.size ? "cp_async_copy" : "cp_async_register");
    maybe_corrupt(t, &cg);
    launch_lanes(t, &cg, bytes == cg.size ? "cp_async_copy" : "cp_async_register");
    ck_equal(t, ca.out, ca.expected);
    ck_equal(t, cg.out, ca.out.host);
}

static const struct ck_case cases[] = {
    { CK_RULE(cpasync_prefetch_hint_only), .run = prefetches,
      .axes = { { "form", FORMS }, { "prefetch", "0 64 128 256" } },
      .mutants = { { "other", "change one source byte" } } },
    { CK_RULE(cpasync_hint_hint_only), .run = has_policy,
      .axes = { { "form", FORMS }, { "policy", "last normal first unchanged" }, { "fraction", "0.25 0.5 1.0" } },
      .mutants = { { "other", "change one source byte" } } },
    { CK_RULE(cpasync_hint_hint_only), .name = "split-address", .run = has_policy_at_split_address,
      .axes = { { "form", FORMS } }, .seen_only = true, .faults = true,
      .no_mutant = "what happens is recorded, whatever it is" },
    { CK_RULE(cpasync_cacheop_hint_only), .run = has_cache_operator, .axes = { { "bytes", "0..16" } },
      .mutants = { { "other", "change one source byte between the two",
                     .only = "bytes=1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16" } } },
    { 0 },
};

const struct ck_suite cp_async_hints = { "cp_async/hints", cases };
// SPDX-License-Identifier: Apache-2.0
