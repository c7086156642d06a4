/* What must be between the steps of a wgmma: fences, groups and waits; and who executes it. The conforming form gives
 * the product; the breaches leave a step out. What a machine then does is recorded. */
#include "tests/wgmma/matrices.h"

/* Products of half precision, added to D; the kernel's D is compared with that of a loop. `out` has as many D as the
 * kernel writes. */
static void steps(struct ck *t, const char *kernel, int products, int plus, uint32_t threads)
{
    struct product *p = product_new(t, product_type("f16"));
    const struct ck_buf in = product_image(t, p), addend = product_addend(t, p), out = ck_output(t, addend.size);
    struct wgmma_args a = { .in = in.device,
                            .d = addend.device,
                            .out = out.device,
                            .a_desc = wgmma_descriptor(&p->a),
                            .b_desc = wgmma_descriptor(&p->b),
                            .adds = 1 };

    for (int i = 0; i < products - ck_variant(t, "sum"); i++)
        product_add(p, 1, 1);
    for (uint32_t m = 0; m < WGMMA_M; m++)
        for (uint32_t n = 0; n < WGMMA_N; n++)
            p->d[m][n] += plus;
    if (ck_launch(t,
                  &(struct ck_launch){
                      .kernel = kernel, .block = { threads }, .smem = WGMMA_IMAGE, .args = &a, .size = sizeof a }) ==
        CK_DONE)
        ck_equal(t, out, product_result(t, p));
}

/* Fill, proxy fence, barrier, wgmma.fence, two products, commit, wait: D has both. */
static void all_steps(struct ck *t)
{
    steps(t, "wgmma_steps", 2, 0, ck_variant(t, "warps") ? 96 : WGMMA_THREADS);
}

/* D is changed after the wait, and a fence comes before it is an addend again. */
static void again(struct ck *t)
{
    steps(t, "wgmma_again", 2, 1, WGMMA_THREADS);
}

/* The first 8 columns of a wider product go to the registers of a narrower one, behind a fence. */
static void shapes(struct ck *t)
{
    steps(t, "wgmma_shapes", 2, 0, WGMMA_THREADS);
}

/* wait_group 1 behind a group and an empty one: the product is complete. */
static void empty(struct ck *t)
{
    steps(t, "wgmma_empty", 1, 0, WGMMA_THREADS);
}

/* wait_group 1 behind two groups: D of the first is complete, and D of the second after wait_group 0. */
static void groups(struct ck *t)
{
    struct product *p = product_new(t, product_type("f16"));
    const struct ck_buf in = product_image(t, p), addend = product_addend(t, p), out = ck_output(t, 2 * addend.size);
    struct wgmma_args a = { .in = in.device,
                            .d = addend.device,
                            .out = out.device,
                            .a_desc = wgmma_descriptor(&p->a),
                            .b_desc = wgmma_descriptor(&p->b) };
    struct product *alone = ck_alloc(t, sizeof *alone);

    *alone = *p;
    for (uint32_t m = 0; m < WGMMA_M; m++)
        for (uint32_t n = 0; n < WGMMA_N; n++)
            alone->d[m][n] = ck_variant(t, "sum");
    product_add(p, 1, 1);
    product_add(alone, 1, 1);
    if (product_launch(t, "wgmma_groups", &a) != CK_DONE)
        return;
    ck_equal_at(t, out, 0, product_result(t, p), addend.size);
    ck_equal_at(t, out, addend.size, product_result(t, alone), addend.size);
}

#define SUM .mutants = { { "sum", "expect another sum" } }
#define ONE_LESS(name, change, instance, ...)                                                                          \
    SUM, .breaches = { { name, change, .kernel = instance, .varies = true, __VA_ARGS__ } }

static const struct ck_case cases[] = {
    { CK_RULE(wgmma_warpgroup), .run = all_steps, SUM,
      .breaches = { { "warps", "launch three warps", .faults = true, .varies = true } } },
    { CK_RULE(wgmma_aligned), .run = all_steps,
      ONE_LESS("skipped", "let warp 3 leave the second product out", "skipped", .faults = true) },
    { CK_RULE(wgmma_uniform), .run = all_steps, SUM,
      .breaches = { { "descriptor", "let lane 0 have another descriptor", .kernel = "other_lane", .varies = true },
                    { "warp", "let warp 0 have another descriptor", .kernel = "other_warp", .varies = true } } },
    { CK_RULE(wgmma_uniform_scale_d), .run = all_steps,
      ONE_LESS("scale", "let lane 0 have another scale-d", "other_scale") },
    { CK_RULE(wgmma_fence_first), .run = all_steps, ONE_LESS("no-fence", "leave wgmma.fence out", "no_fence") },
    { CK_RULE(wgmma_fence_missing), .run = again,
      ONE_LESS("touched", "leave out the fence behind the change of D", "touched") },
    { CK_RULE(wgmma_fence_shape), .run = shapes,
      ONE_LESS("behind", "leave out the fence between the two shapes", "behind") },
    { CK_RULE(wgmma_regs_in_flight), .run = all_steps, ONE_LESS("early", "read D before the wait", "early") },
    { CK_RULE(wgmma_regs_uncommitted), .run = all_steps,
      ONE_LESS("uncommitted", "wait before the commit", "uncommitted") },
    { CK_RULE(wgmma_proxy), .run = all_steps, ONE_LESS("no-proxy", "leave the proxy fence out", "no_proxy") },
    { CK_RULE(wgmma_smem_written), .run = all_steps,
      ONE_LESS("no-barrier", "leave the barrier behind the writes out", "no_barrier") },
    { CK_RULE(wgmma_smem_overwritten), .run = all_steps,
      ONE_LESS("overwritten", "overwrite B before the wait", "overwritten") },
    { CK_RULE(wgmma_regs_in_flight), .name = "groups", .run = groups,
      ONE_LESS("one-more", "leave two groups and read the first one's D", "one_more") },
    { CK_RULE(wgmma_regs_in_flight), .name = "empty", .run = empty,
      ONE_LESS("one-more", "leave two groups and read D", "one_more") },
    { CK_RULE(wgmma_group_wait), .run = groups, SUM },
    { CK_RULE(wgmma_group_empty), .run = empty, SUM },
    { CK_RULE(wgmma_group_chain), .run = all_steps, SUM },
    { 0 }
};

const struct ck_suite wgmma_order = { "wgmma/order", cases };
// SPDX-License-Identifier: Apache-2.0
