/* Products of more columns than eight: D has N/2 registers a thread, eight columns in each four of them. */
#include <stdio.h>
#include <string.h>

#include "tests/wgmma/matrices.h"

static uint32_t float_bits(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The matrices of N / 8 products of eight columns lie one behind the other: together they are the B and the D of the
 * wide one. */
static void wide(struct ck *t)
{
    const uint32_t n = (uint32_t)ck_int(t, "n"), count = n / 2;
    const size_t size = (size_t)WGMMA_THREADS * count * 4;
    struct product *p = product_new(t, product_type("f16"));
    const struct ck_buf image = product_image(t, p), addend = ck_zeroed(t, size), out = ck_output(t, size);
    uint32_t *expected = ck_alloc(t, size);
    struct wgmma_args a = { .in = image.device,
                            .d = addend.device,
                            .out = out.device,
                            .a_desc = wgmma_descriptor(&p->a),
                            .b_desc = wgmma_descriptor(&p->b) };
    char kernel[32];

    for (uint32_t part = 0; part < n / WGMMA_N; part++) {
        struct product *x = product_new(t, p->type);
        struct ck_buf of_x;
        memcpy(x->of_a, p->of_a, sizeof x->of_a);
        x->b.start = p->b.start + part * p->b.stride;
        of_x = product_image(t, x);
        memcpy(image.host + x->b.start, of_x.host + x->b.start, p->b.stride);
        for (uint32_t thread = 0; thread < WGMMA_THREADS; thread++)
            for (uint32_t i = 0; i < WGMMA_D; i++) {
                const struct wgmma_at at = wgmma_d_at(thread, i);
                const uint32_t bits = float_bits((float)x->d[at.row][at.column]);
                memcpy(addend.host + (thread * count + part * WGMMA_D + i) * 4, &bits, 4);
            }
        product_add(x, 1, 1);
        for (uint32_t thread = 0; thread < WGMMA_THREADS; thread++)
            for (uint32_t i = 0; i < WGMMA_D; i++) {
                const struct wgmma_at at = wgmma_d_at(thread, i);
                const uint32_t to = part ^ ck_variant(t, "parts");
                expected[thread * count + to * WGMMA_D + i] = float_bits((float)x->d[at.row][at.column]);
            }
    }
    ck_changed(t, image);
    ck_changed(t, addend);
    snprintf(kernel, sizeof kernel, "wgmma_wide_%u", n);
    if (product_launch(t, kernel, &a) == CK_DONE)
        ck_equal(t, out, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(wgmma_result), .name = "wide", .run = wide, .axes = { { "n", "16 64 256" } },
      .mutants = { { "parts", "expect each eight columns in the place of the next" } } },
    { CK_RULE(wgmma_d_fragment), .name = "wide", .run = wide, .axes = { { "n", "16 64 256" } },
      .mutants = { { "parts", "expect each eight columns in the place of the next" } } },
    { 0 }
};

const struct ck_suite wgmma_wide = { "wgmma/wide", cases };
// SPDX-License-Identifier: Apache-2.0
