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

static void prefetches(struct ck *t)
{
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));

    l.a.hint = (uint32_t)ck_int(t, "prefetch");
    expect_lanes(&l, l.size);
    maybe_corrupt(t, &l);
    launch_lanes(t, &l, "cp_async_prefetch");
    ck_equal(t, l.out, l.expected);
}

static void has_policy(struct ck *t)
{
    static const char *const policies[] = { "last", "normal", "first", "unchanged" };
    struct lanes l = lanes_of(t, ck_input(t, SOURCE));

    while (!ck_is(t, "policy", policies[l.a.hint]))
        l.a.hint++;
    l.a.fraction = strtof(ck_word(t, "fraction"), NULL);
    expect_lanes(&l, l.size);
    maybe_corrupt(t, &l);
    launch_lanes(t, &l, "cp_async_policy");
    ck_equal(t, l.out, l.expected);
}

/* The same at an address that the compiler splits into the start of shared memory and a lane's part. */
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

/* The same 16-byte copies with .ca and with .cg, with a source size. */
static void has_cache_operator(struct ck *t)
{
    const struct ck_buf in = ck_input(t, SOURCE);
    struct lanes ca = lanes_of(t, in), cg = lanes_of(t, in);
    const uint32_t bytes = (uint32_t)ck_int(t, "bytes");

    ca.a.form = CP_CA16;
    cg.a.form = CP_CG16;
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
