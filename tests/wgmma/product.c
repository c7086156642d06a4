/* What wgmma computes, and where its matrices are: one product for each case, of matrices of small integers. */
#include <stdio.h>
#include <string.h>

#include "expected/oracle.h"
#include "expected/tensor_map.h"
#include "tests/wgmma/matrices.h"

#define SHARED    "f16 bf16 tf32 e4m3 e5m2 e4m3_e5m2 s8 u8 b1"
#define REGISTERS "f16 bf16 tf32 e4m3 e5m2 s8 u8"
#define MODES     "none 32B 64B 128B"

static int64_t swizzle_of(struct ck *t)
{
    return ck_is(t, "swizzle", "none")  ? TENSOR_SWIZZLE_NONE
           : ck_is(t, "swizzle", "32B") ? TENSOR_SWIZZLE_32B
           : ck_is(t, "swizzle", "64B") ? TENSOR_SWIZZLE_64B
                                        : TENSOR_SWIZZLE_128B;
}

/* The layout whose parts lie one behind the other. */
static void pack(struct wgmma_layout *l, int64_t swizzle)
{
    const uint32_t span = swizzle == TENSOR_SWIZZLE_NONE ? 16 : tensor_swizzle_span(swizzle);

    l->swizzle = swizzle;
    if (l->across && swizzle == TENSOR_SWIZZLE_NONE) {
        l->stride = 128;
        l->leading = 1024;
    } else if (l->across) {
        l->stride = 8 * span;
        l->leading = 16 * span;
    } else {
        l->leading = swizzle == TENSOR_SWIZZLE_NONE ? 128 : 16;
        l->stride = swizzle == TENSOR_SWIZZLE_NONE ? 256 : 8 * span;
    }
}

/* Launches the kernel with descriptors of `of`, and compares D with what `p` expects. */
static void launch(struct ck *t, const char *kernel, const struct product *p, const struct product *of, uint32_t adds,
                   struct ck_buf addend)
{
    const struct ck_buf out = ck_output(t, addend.size);
    struct wgmma_args a = { .in = product_image(t, of).device,
                            .a = product_registers(t, of).device,
                            .d = addend.device,
                            .out = out.device,
                            .a_desc = wgmma_descriptor(&p->a),
                            .b_desc = wgmma_descriptor(&p->b),
                            .adds = adds };

    if (product_launch(t, kernel, &a) == CK_DONE)
        ck_equal(t, out, product_result(t, p));
}

static void multiply(struct ck *t, const char *kernel, struct product *p, const struct product *of)
{
    const struct ck_buf addend = product_addend(t, p);

    product_add(p, 1, 1);
    launch(t, kernel, p, of, 1, addend);
}

/* A of each type times B, added to D: the sums of a loop over rows, columns and K. */
static void result(struct ck *t)
{
    struct product *p = product_new(t, product_type(ck_word(t, "type")));
    struct product of = *p;
    char kernel[32];

    if (ck_variant(t, "element"))
        of.of_a[WGMMA_M - 1][0] ^= 1;
    snprintf(kernel, sizeof kernel, "wgmma_%s%s", p->type->name, ck_is(t, "a", "registers") ? "_r" : "");
    multiply(t, kernel, p, &of);
}

/* scale-d is false: what D held is gone. */
static void no_addend(struct ck *t)
{
    struct product *p = product_new(t, product_type(ck_word(t, "type")));
    const struct ck_buf addend = product_addend(t, p);
    char kernel[32];

    memset(p->d, 0, sizeof p->d);
    product_add(p, 1, 1);
    snprintf(kernel, sizeof kernel, "wgmma_%s", p->type->name);
    launch(t, kernel, p, p, ck_variant(t, "adds"), addend);
}

/* imm-scale-a is -1: each sum has the sign turned, and D is added as it is. */
static void negate_a(struct ck *t)
{
    struct product *p = product_new(t, product_type("f16"));
    const struct ck_buf addend = product_addend(t, p);

    product_add(p, -1, 1);
    launch(t, ck_variant(t, "plain") ? "wgmma_f16" : "wgmma_f16_minus_a", p, p, 1, addend);
}

/* imm-scale-b is -1: likewise. */
static void negate_b(struct ck *t)
{
    struct product *p = product_new(t, product_type("f16"));
    const struct ck_buf addend = product_addend(t, p);

    product_add(p, 1, -1);
    launch(t, ck_variant(t, "plain") ? "wgmma_f16" : "wgmma_f16_minus_b", p, p, 1, addend);
}

/* Addends near both ends of the range: with .satfinite a sum beyond an end is that end, without it wraps around. */
static void range(struct ck *t)
{
    struct product *p = product_new(t, product_type("s8"));
    const bool clamps = ck_is(t, "kernel", "s8_satfinite");
    struct ck_buf addend;

    for (uint32_t m = 0; m < WGMMA_M; m++)
        for (uint32_t n = 0; n < WGMMA_N; n++)
            p->d[m][n] = m % 2 ? INT32_MAX - 3 : INT32_MIN + 3;
    addend = product_addend(t, p);
    for (uint32_t m = 0; m < WGMMA_M; m++)
        for (uint32_t n = 0; n < WGMMA_N; n++) {
            int64_t sum = p->d[m][n];
            for (uint32_t k = 0; k < p->type->k; k++)
                sum += p->of_a[m][k] * p->of_b[n][k];
            if (clamps && sum > INT32_MAX)
                sum = INT32_MAX;
            if (clamps && sum < INT32_MIN)
                sum = INT32_MIN;
            p->d[m][n] = (int32_t)(uint32_t)(uint64_t)sum;
        }
    launch(t, clamps != ck_variant(t, "other") ? "wgmma_s8_satfinite" : "wgmma_s8", p, p, 1, addend);
}

/* The lower 13 bits of each tf32 are set, in shared memory and in registers: the product is that of the upper ones. */
static void low_bits(struct ck *t)
{
    struct product *p = product_new(t, product_type("tf32"));

    p->low = ck_variant(t, "more") ? 0x7fff : 0x1fff;
    multiply(t, ck_is(t, "a", "registers") ? "wgmma_tf32_r" : "wgmma_tf32", p, p);
}

/* Two matrices of the layout that the axes name. The matrices lie as the documents say, and the descriptors say the
 * same; the mutant's matrices lie elsewhere. */
static void layout(struct ck *t)
{
    struct product *p = product_new(t, product_type(ck_word(t, "type")));
    struct product of;
    char kernel[32];

    p->a.across = ck_is(t, "across", "a");
    p->b.across = ck_is(t, "across", "b");
    pack(&p->a, swizzle_of(t));
    pack(&p->b, swizzle_of(t));
    p->a.start += (uint32_t)ck_int(t, "start");
    p->b.start += (uint32_t)ck_int(t, "start");
    if (p->a.start % tensor_swizzle_period(p->a.swizzle))
        p->a.base = p->b.base = p->a.start / 128 % 8;
    if (ck_int(t, "leading"))
        p->a.leading = p->b.leading = (uint32_t)ck_int(t, "leading");
    if (ck_int(t, "stride"))
        p->a.stride = p->b.stride = (uint32_t)ck_int(t, "stride");
    of = *p;
    if (ck_variant(t, "elsewhere"))
        of.a.start += 16;
    if (ck_variant(t, "leading"))
        of.a.leading += 16;
    if (ck_variant(t, "stride"))
        of.a.stride += 16;
    if (ck_variant(t, "plain"))
        of.a.swizzle = TENSOR_SWIZZLE_NONE;
    if (ck_variant(t, "base"))
        of.a.base = 0;
    snprintf(kernel, sizeof kernel, "wgmma_%s%s", p->type->name,
             p->a.across   ? "_across_a"
             : p->b.across ? "_across_b"
                           : "");
    multiply(t, kernel, p, &of);
}

/* Every register of D is known by its thread and number, and has the sum of its row and column. */
static void fragment_d(struct ck *t)
{
    struct product *p = product_new(t, product_type("f16"));
    struct product of = *p;

    if (ck_variant(t, "rows"))
        memcpy(of.of_a[0], p->of_a[8], sizeof of.of_a[0]);
    multiply(t, "wgmma_f16", p, &of);
}

static uint32_t half_of(int32_t value)
{
    const uint32_t sign = value < 0 ? 0x8000 : 0;
    uint32_t size = (uint32_t)(value < 0 ? -value : value), exponent = 25;

    if (!size)
        return 0;
    for (; size < 1024; exponent--)
        size *= 2;
    return sign | exponent << 10 | (size & 1023);
}

/* A register of an f16 D has two columns, the lower one in its lower half. */
static void fragment_f16(struct ck *t)
{
    struct product *p = product_new(t, product_type("f16"));
    const struct ck_buf addend = ck_zeroed(t, sizeof(uint32_t[WGMMA_THREADS][WGMMA_D]));
    const struct ck_buf out = ck_output(t, addend.size);
    uint32_t *expected = ck_alloc(t, addend.size);
    struct wgmma_args a = { .in = product_image(t, p).device,
                            .a = product_registers(t, p).device,
                            .d = addend.device,
                            .out = out.device,
                            .a_desc = wgmma_descriptor(&p->a),
                            .b_desc = wgmma_descriptor(&p->b) };

    memset(p->d, 0, sizeof p->d);
    product_add(p, 1, 1);
    for (uint32_t thread = 0; thread < WGMMA_THREADS; thread++)
        for (uint32_t i = 0; i < WGMMA_D; i++) {
            const struct wgmma_at at = wgmma_d_at(thread, i);
            const bool upper = (i % 2) != ck_variant(t, "halves");
            expected[thread * WGMMA_D + i / 2] |= half_of(p->d[at.row][at.column]) << (upper ? 16 : 0);
        }
    if (product_launch(t, "wgmma_f16_f16", &a) == CK_DONE)
        ck_equal(t, out, expected);
}

/* Of each four neighbours in a row of A, two are kept, and the metadata say which two; here the same two everywhere.
 * sp-sel chooses the lanes whose metadata count: the others have the bits turned. */
static void sparse(struct ck *t)
{
    const uint32_t first = (uint32_t)ck_int(t, "first"), second = (uint32_t)ck_int(t, "second");
    const bool one = ck_is(t, "selector", "1");
    struct product *p = product_new(t, product_type("f16")), *of = ck_alloc(t, sizeof *of);
    const struct ck_buf addend = product_addend(t, p), out = ck_output(t, addend.size);
    struct ck_buf image;
    struct wgmma_args a = { .d = addend.device, .out = out.device, .adds = 1 };

    /* B has 32 rows: those of K 16 and on are a second matrix of the same layout, 256 bytes further on. */
    p->b.stride = 512;
    *of = *p;
    for (uint32_t n = 0; n < WGMMA_N; n++)
        for (uint32_t k = 0; k < 16; k++)
            of->of_b[n][k] = p->of_b[(n + 1) % WGMMA_N][k];
    of->b.start += 256;
    image = product_image(t, of);
    {
        const struct ck_buf lower = product_image(t, p);
        memcpy(image.host, lower.host, WGMMA_IMAGE / 2 + 256);
        ck_changed(t, image);
    }
    for (uint32_t m = 0; m < WGMMA_M; m++)
        for (uint32_t n = 0; n < WGMMA_N; n++)
            for (uint32_t k = 0; k < 16; k++) {
                const uint32_t row = k / 2 * 4 + (k % 2 ? second : first);
                p->d[m][n] += p->of_a[m][k] * (row < 16 ? p->of_b[n][row] : of->of_b[n][row - 16]);
            }
    a.meta = (first | second << 2) * 0x11111111u;
    if (one)
        a.meta = ~a.meta;
    if (ck_variant(t, "meta"))
        a.meta = 0xeeeeeeee;
    if (ck_variant(t, "same"))
        a.meta = 0x44440444;
    a.in = image.device;
    a.a_desc = wgmma_descriptor(&p->a);
    a.b_desc = wgmma_descriptor(&p->b);
    if (product_launch(t, one != ck_variant(t, "selector") ? "wgmma_sparse_1" : "wgmma_sparse_0", &a) == CK_DONE)
        ck_equal(t, out, product_result(t, p));
}

static bool in_order(struct ck *t)
{
    return ck_int(t, "first") < ck_int(t, "second");
}

/* The parts of the matrices do not lie over one another. */
static bool apart(struct ck *t)
{
    const int64_t leading = ck_int(t, "leading"), stride = ck_int(t, "stride");

    return ck_is(t, "across", "none") ? leading + 128 <= stride || leading >= 8 * stride : leading >= 8 * stride;
}

/* The matrices begin where the swizzle's pattern does not. */
static bool between_patterns(struct ck *t)
{
    return ck_int(t, "start") % tensor_swizzle_period(swizzle_of(t)) != 0;
}

#define LAYOUT(a, s, at, l, st)                                                                                        \
    .run = layout, .axes = { { "type", "=f16" }, { "across", a },  { "swizzle", s },                                   \
                             { "start", at },    { "leading", l }, { "stride", st } }

static const struct ck_case cases[] = {
    { CK_RULE(wgmma_result), .run = result, .axes = { { "type", SHARED }, { "a", "=shared" } },
      .mutants = { { "element", "change an element of A" } } },
    { CK_RULE(wgmma_a_fragment), .run = result, .axes = { { "type", REGISTERS }, { "a", "=registers" } },
      .mutants = { { "element", "change an element of A" } } },
    { CK_RULE(wgmma_result_bits), .run = result, .axes = { { "type", "=b1" }, { "a", "=shared" } },
      .mutants = { { "element", "change an element of A" } } },
    { CK_RULE(wgmma_result_no_addend), .run = no_addend, .axes = { { "type", SHARED } },
      .mutants = { { "adds", "set scale-d" } } },
    { CK_RULE(wgmma_result_negate_a), .run = negate_a, .mutants = { { "plain", "negate nothing" } } },
    { CK_RULE(wgmma_result_negate_b), .run = negate_b, .mutants = { { "plain", "negate nothing" } } },
    { CK_RULE(wgmma_result_satfinite), .run = range, .axes = { { "kernel", "=s8_satfinite" } },
      .mutants = { { "other", "leave .satfinite out" } } },
    { CK_RULE(wgmma_result_wraps), .run = range, .axes = { { "kernel", "=s8" } },
      .mutants = { { "other", "add .satfinite" } } },
    { CK_RULE(wgmma_result_tf32_low), .run = low_bits, .axes = { { "a", "shared registers" } },
      .mutants = { { "more", "set 15 bits" } } },
    { CK_RULE(wgmma_d_fragment), .run = fragment_d, .mutants = { { "rows", "let row 0 be row 8" } } },
    { CK_RULE(wgmma_d_fragment_f16), .run = fragment_f16, .mutants = { { "halves", "expect the halves exchanged" } } },
    { CK_RULE(wgmma_desc_start), LAYOUT("none", "=none", "0 16 128 4096 4112", "=0", "=0"),
      .mutants = { { "elsewhere", "put A 16 bytes further on" } } },
    { CK_RULE(wgmma_desc_leading), LAYOUT("=none", "=none", "=0", "128 144 2048", "=256"), .valid = apart,
      .mutants = { { "leading", "put the second half of A's rows 16 bytes further on" } } },
    { CK_RULE(wgmma_desc_stride), LAYOUT("=none", "=none", "=0", "=128", "256 272 512 1024"),
      .mutants = { { "stride", "put each 8 rows of A 16 bytes further on" } } },
    { CK_RULE(wgmma_desc_mode), LAYOUT("=none", MODES, "=0", "=0", "=0"),
      .mutants = { { "plain", "put A there without a swizzle", .only = "swizzle=32B/64B/128B" },
                   { "elsewhere", "put A 16 bytes further on" } } },
    { CK_RULE(wgmma_desc_base_offset), .valid = between_patterns,
      LAYOUT("=none", "32B 64B 128B", "128 256 384 512 640 768 896", "=0", "=0"),
      .mutants = { { "base", "let the pattern of A begin at a multiple of its size" } } },
    { CK_RULE(wgmma_layout_core), .name = "types", .run = layout,
      .axes = { { "type", SHARED },
                { "across", "=none" },
                { "swizzle", "=none" },
                { "start", "=0" },
                { "leading", "=0" },
                { "stride", "=0" } },
      .mutants = { { "elsewhere", "put A 16 bytes further on" } } },
    { CK_RULE(wgmma_layout_k_major), LAYOUT("=none", "=none", "0 1024", "128 2048", "=256"), .valid = apart,
      .mutants = { { "leading", "put the second half of A's rows 16 bytes further on" } } },
    { CK_RULE(wgmma_layout_k_swizzled), .run = layout,
      .axes = { { "type", SHARED },
                { "across", "=none" },
                { "swizzle", "32B 64B 128B" },
                { "start", "=0" },
                { "leading", "0 16 128 4096" },
                { "stride", "=0" } },
      .mutants = { { "stride", "put each 8 rows of A 16 bytes further on" } } },
    { CK_RULE(wgmma_layout_mn_major), LAYOUT("a b", "=none", "=0", "=0", "=0"),
      .mutants = { { "elsewhere", "put A 16 bytes further on" } } },
    { CK_RULE(wgmma_layout_mn_plain), LAYOUT("a b", "=none", "=0", "1024 2048", "128 256"), .valid = apart,
      .mutants = { { "leading", "put the second 8 rows along K 16 bytes further on", .only = "across=a" },
                   { "stride", "put the next 8 rows of A 16 bytes further on" } } },
    { CK_RULE(wgmma_layout_mn_swizzled), LAYOUT("a b", "32B 64B 128B", "=0", "=0", "=0"),
      .mutants = { { "stride", "put the second 8 rows along K 128 bytes further on" } } },
    { CK_RULE(wgmma_sp_half), .run = sparse, .valid = in_order,
      .axes = { { "first", "0..2" }, { "second", "1..3" }, { "selector", "=0" } },
      .mutants = { { "meta", "keep the last two of each four", .only = "second=1" } } },
    { CK_RULE(wgmma_sp_selector), .run = sparse,
      .axes = { { "first", "=0" }, { "second", "=1" }, { "selector", "0 1" } },
      .mutants = { { "selector", "take the other one" } } },
    { CK_RULE(wgmma_sp_pairs), .run = sparse, .axes = { { "first", "=0" }, { "second", "=1" }, { "selector", "=0" } },
      .mutants = { { "meta", "keep the last two of each four" } },
      .breaches = { { "same", "keep the first of four twice", .varies = true } } },
    { 0 }
};

const struct ck_suite wgmma_product = { "wgmma/product", cases };
// SPDX-License-Identifier: Apache-2.0
