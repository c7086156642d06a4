/* Products as wgmma and mma.sync make them, many sums at a time, beside alu/dot.c, which makes one sum after the other:
 * the same bits, with the loops for any processor and with those for this one: AVX2, AVX-512.
 * usage: emu_product_test [products of each type] */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/product/factors.h"
#include "harness/emu/product/product.h"

static unsigned products = 40;
static uint64_t seed = 0x5eed;

static uint32_t draw(void)
{
    uint64_t x = seed += 0x9e3779b97f4a7c15;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return (uint32_t)(x ^ x >> 31);
}

static const struct type {
    enum real_type a, b;
    unsigned bits, depth, digits;
    enum real_type result;
    bool a_signed, b_signed;
} types[] = {
    { REAL_F16, REAL_F16, 16, 16, 25, REAL_F32, false, false },
    { REAL_F16, REAL_F16, 16, 16, 25, REAL_F16, false, false },
    { REAL_BF16, REAL_BF16, 16, 16, 25, REAL_F32, false, false },
    { REAL_TF32, REAL_TF32, 32, 8, 25, REAL_F32, false, false },
    { REAL_TF32, REAL_TF32, 32, 4, 25, REAL_F32, false, false },
    { REAL_F16, REAL_F16, 16, 8, 25, REAL_F16, false, false },
    { REAL_BF16, REAL_BF16, 16, 8, 25, REAL_F32, false, false },
    { REAL_E4M3, REAL_E4M3, 8, 32, 13, REAL_F32, false, false },
    { REAL_E4M3, REAL_E5M2, 8, 32, 13, REAL_F16, false, false },
    { REAL_E5M2, REAL_E4M3, 8, 32, 13, REAL_F32, false, false },
    { REAL_E5M2, REAL_E5M2, 8, 32, 13, REAL_F16, false, false },
    { REAL_E4M3, REAL_E5M2, 8, 16, 25, REAL_F32, false, false },
    { REAL_TYPES, REAL_TYPES, 8, 32, 0, REAL_F32, true, true },
    { REAL_TYPES, REAL_TYPES, 8, 32, 0, REAL_F32, true, false },
    { REAL_TYPES, REAL_TYPES, 8, 32, 0, REAL_F32, false, false },
};

/* The shape of a float's numbers. */
static unsigned exponent_bits(enum real_type type)
{
    return type == REAL_F16 || type == REAL_E5M2 ? 5 : type == REAL_E4M3 ? 4 : 8;
}

/* Whether all factors and addends are any bits: far apart, infinities and NaNs among them. */
static bool any_bits;

/* A number whose exponent field is `spread` or less above `from`; some are zero, some anything. */
static uint32_t number(enum real_type type, unsigned bits, unsigned from, unsigned spread, unsigned zeros, bool wild)
{
    const unsigned e = exponent_bits(type), fraction = bits - 1 - e;
    const uint32_t field = (from + draw() % (spread + 1)) & ((1u << e) - 1);
    const uint32_t all = bits == 32 ? UINT32_MAX : (1u << bits) - 1;

    if (type == REAL_TYPES || any_bits)
        return draw() & all;
    if (draw() % 100 < zeros)
        return draw() % 4 ? 0 : 1u << (bits - 1);
    if (wild && draw() % 50 == 0)
        return draw() & all;
    if (draw() % 8 == 0) /* few digits */
        return (draw() & 1u << (bits - 1)) | field << fraction | (draw() % 4 << fraction >> 2);
    return (draw() & 1u << (bits - 1)) | field << fraction | (draw() & ((1u << fraction) - 1));
}

struct matrices {
    struct emu_product_kind kind;
    struct emu_product_a a;
    uint32_t b[PRODUCT_DEPTH][PRODUCT_COLUMNS];
    unsigned char bytes[PRODUCT_B_BYTES];
    uint64_t d[SUMS_REGISTERS][32], out[SUMS_REGISTERS][32];
};
static struct matrices m;

static void fill(const struct type *t)
{
    const unsigned e = exponent_bits(t->a), all = (1u << e) - 1, width = t->bits / 8;
    const unsigned ea = draw() % (all + 1), eb = draw() % 3 ? all - ea : draw() % (all + 1);
    const unsigned spread = (unsigned[]){ 0, 2, 6, 12, all }[draw() % 5] % (all + 1);
    const unsigned zeros = (unsigned[]){ 0, 0, 5, 90, 100 }[draw() % 5], odd = draw() % 4;
    const bool wild = draw() % 4 == 0, halves = t->result == REAL_F16;
    const unsigned centre = draw() % 4 ? 127 : draw() % 255;
    struct emu_product_kind *p = &m.kind;

    any_bits = draw() % 6 == 0;
    *p = (struct emu_product_kind){
        .dot = { .count = t->depth,
                 .bits = t->bits,
                 .a = t->a,
                 .b = t->b,
                 .addend = t->result,
                 .result = t->result,
                 .a_signed = t->a_signed,
                 .b_signed = t->b_signed,
                 .satfinite = t->a == REAL_TYPES && draw() % 2,
                 .digits = t->digits,
                 .kept = t->digits == 13 && !halves ? 13 : 0 },
        .depth = draw() % 4 || t->digits == 25 ? t->depth : 2 * t->depth,
        .columns = 8 * (draw() % 3 ? 1 + draw() % 6 : 1 + draw() % 32),
        .minus_a = t->bits == 16 && draw() % 4 == 0,
        .minus_b = t->bits == 16 && draw() % 4 == 0,
        .b_across = t->bits == 16 && draw() % 2,
    };
    for (unsigned row = 0; row < PRODUCT_ROWS; row++)
        for (unsigned k = 0; k < p->dot.count; k++) {
            m.a.bits[row][k] = number(t->a, t->bits, ea, spread, odd == row ? 100 : zeros, wild && odd == 0);
            m.a.of[row][k] = (uint8_t)(p->depth > p->dot.count ? 2 * k + draw() % 2 : k);
        }
    for (unsigned k = 0; k < p->depth; k++)
        for (unsigned n = 0; n < p->columns; n++) {
            m.b[k][n] = number(t->b, t->bits, eb, spread, n % 16 == odd ? 100 : zeros, wild && n % 8 == odd);
            memcpy(m.bytes + (p->b_across ? k * p->columns + n : n * p->depth + k) * width, &m.b[k][n], width);
        }
    for (unsigned r = 0; r < p->columns / (halves ? 4 : 2); r++)
        for (unsigned lane = 0; lane < 32; lane++) {
            const unsigned near = draw() % 3 ? draw() % 12 : 0;
            m.d[r][lane] = halves ? number(REAL_F16, 16, draw() % 32, 3, 10, wild) |
                                        number(REAL_F16, 16, draw() % 32, 3, 10, wild) << 16
                           : t->a == REAL_TYPES ? draw()
                                                : number(REAL_TF32, 32, centre + near, 4, 10, wild);
        }
}

static uint64_t ready(const struct type *t, enum real_type type, uint32_t bits, bool minus)
{
    if (type == REAL_TYPES)
        return bits;
    if (minus)
        bits ^= 1u << (t->bits - 1);
    return alu_dot_ready(type, type == REAL_TF32 ? bits & ~0x1fffu : bits);
}

/* The element of D in this row and column, and what it should be. */
static bool same(const struct type *t, unsigned row, unsigned column)
{
    const struct emu_product_kind *p = &m.kind;
    const bool halves = t->result == REAL_F16;
    const unsigned lane = row % 8 * 4 + column % 8 / 2, shift = halves ? column % 2 * 16 : 0;
    const unsigned reg = halves ? column / 8 * 2 + row / 8 : column / 8 * 4 + row / 8 * 2 + column % 2;
    const uint32_t mask = halves ? 0xffff : UINT32_MAX, c = (uint32_t)m.d[reg][lane] >> shift & mask;
    uint64_t a[PRODUCT_DEPTH], b[PRODUCT_DEPTH];
    uint32_t want, got = (uint32_t)(m.out[reg][lane] >> shift) & mask;

    for (unsigned k = 0; k < p->dot.count; k++) {
        a[k] = ready(t, t->a, m.a.bits[row][k], p->minus_a);
        b[k] = ready(t, t->b, m.b[m.a.of[row][k]][column], p->minus_b);
    }
    want = (uint32_t)(t->a == REAL_TYPES ? alu_dot(&p->dot, a, b, c) : alu_dot_sum(&p->dot, a, b, c));
    if (got == want)
        return true;
    print_error("type %d, %u columns, depth %u, row %u, column %u: addend %08x, %08x instead of %08x\n",
                (int)(t - types), p->columns, p->depth, row, column, c, got, want);
    return false;
}

static void product(const struct type *t, bool apart)
{
    struct sums_d d = { 0 };

    memcpy(m.out, m.d, sizeof m.d);
    if (apart)
        memset(m.out, 0xee, sizeof m.out);
    for (unsigned r = 0; r < SUMS_REGISTERS; r++) {
        d.from[r] = apart ? m.d[r] : m.out[r];
        d.to[r] = m.out[r];
    }
    emu_product(&m.kind, m.bytes, &m.a, &d);
    for (unsigned row = 0; row < PRODUCT_ROWS; row++)
        for (unsigned n = 0; n < m.kind.columns; n++)
            assert_true(same(t, row, n));
}

/* ---- 16 by 8 ----------------------------------------------------------------------------------------------------- */

static const struct tile_type {
    enum real_type a, b, result;
    unsigned bits, depth;
    bool a_signed, b_signed, exclusive;
} tile_types[] = {
    { REAL_F16, REAL_F16, REAL_F32, 16, 16, false, false, false },
    { REAL_F16, REAL_F16, REAL_F16, 16, 16, false, false, false },
    { REAL_F16, REAL_F16, REAL_F32, 16, 8, false, false, false },
    { REAL_F16, REAL_F16, REAL_F16, 16, 8, false, false, false },
    { REAL_BF16, REAL_BF16, REAL_F32, 16, 16, false, false, false },
    { REAL_BF16, REAL_BF16, REAL_F32, 16, 8, false, false, false },
    { REAL_TF32, REAL_TF32, REAL_F32, 32, 8, false, false, false },
    { REAL_TF32, REAL_TF32, REAL_F32, 32, 4, false, false, false },
    { REAL_E4M3, REAL_E4M3, REAL_F32, 8, 32, false, false, false },
    { REAL_E4M3, REAL_E5M2, REAL_F16, 8, 32, false, false, false },
    { REAL_E5M2, REAL_E4M3, REAL_F32, 8, 16, false, false, false },
    { REAL_E5M2, REAL_E5M2, REAL_F16, 8, 16, false, false, false },
    { REAL_TYPES, REAL_TYPES, REAL_F32, 8, 32, true, true, false },
    { REAL_TYPES, REAL_TYPES, REAL_F32, 8, 16, true, false, false },
    { REAL_TYPES, REAL_TYPES, REAL_F32, 8, 32, false, false, false },
    { REAL_TYPES, REAL_TYPES, REAL_F32, 4, 64, true, true, false },
    { REAL_TYPES, REAL_TYPES, REAL_F32, 4, 32, false, true, false },
    { REAL_TYPES, REAL_TYPES, REAL_F32, 1, 256, false, false, true },
    { REAL_TYPES, REAL_TYPES, REAL_F32, 1, 128, false, false, false },
};

/* A, B, C and D of a product, and the registers of a warp that hold them: mma.c says where. */
static struct {
    uint32_t a[16][256], b[256][8], c[16][8];
    uint64_t ra[4][32], rb[2][32], rc[4][32];
    struct alu_dot dot;
} w;

static void fill_tile(const struct tile_type *t)
{
    const bool floats = t->a != REAL_TYPES;
    const unsigned e = floats ? exponent_bits(t->a) : 0, all = (1u << e) - 1, each = 32 / t->bits;
    const unsigned ea = e == 8 ? 80 + draw() % 80 : draw() % (all + 1), eb = e == 8 ? 254 - ea : all - ea % (all + 1);
    const unsigned spread = (unsigned[]){ 0, 2, 6, 20, all }[draw() % 5] % (all + 1), addend = draw() % 30;
    const unsigned zeros = (unsigned[]){ 0, 0, 5, 90, 100 }[draw() % 5];
    const bool wild = draw() % 6 == 0;

    any_bits = draw() % 6 == 0;
    for (unsigned k = 0; k < t->depth; k++) {
        for (unsigned row = 0; row < 16; row++)
            w.a[row][k] = floats ? number(t->a, t->bits, ea, spread, zeros, wild) : draw() & ((1u << t->bits) - 1);
        for (unsigned n = 0; n < 8; n++)
            w.b[k][n] =
                floats ? number(t->b, t->bits, eb, spread, n == 3 ? 100 : zeros, wild) : draw() & ((1u << t->bits) - 1);
    }
    for (unsigned row = 0; row < 16; row++)
        for (unsigned n = 0; n < 8; n++)
            w.c[row][n] = !floats                 ? draw() | (draw() % 4 ? 0 : 0x7ffffff0)
                          : t->result == REAL_F16 ? number(REAL_F16, 16, draw() % 24, 5, 10, wild)
                                                  : number(REAL_TF32, 32, 112 + addend, 8, 10, wild);
    memset(w.ra, 0, sizeof w.ra);
    memset(w.rb, 0, sizeof w.rb);
    memset(w.rc, 0, sizeof w.rc);
    for (unsigned k = 0; k < t->depth; k++) {
        const unsigned quad = k / (4 * each), lane = k / each % 4, shift = k % each * t->bits;
        for (unsigned row = 0; row < 16; row++)
            w.ra[2 * quad + row / 8][row % 8 * 4 + lane] |= (uint64_t)w.a[row][k] << shift;
        for (unsigned n = 0; n < 8; n++)
            w.rb[quad][n * 4 + lane] |= (uint64_t)w.b[k][n] << shift;
    }
    for (unsigned row = 0; row < 16; row++)
        for (unsigned n = 0; n < 8; n++)
            if (t->result == REAL_F16)
                w.rc[row / 8][row % 8 * 4 + n / 2] |= (uint64_t)w.c[row][n] << n % 2 * 16;
            else
                w.rc[row / 8 * 2 + n % 2][row % 8 * 4 + n / 2] = w.c[row][n];
    w.dot = (struct alu_dot){ .count = t->depth,
                              .bits = t->bits,
                              .a = t->a,
                              .b = t->b,
                              .addend = t->result,
                              .result = t->result,
                              .a_signed = t->a_signed,
                              .b_signed = t->b_signed,
                              .satfinite = t->bits > 1 && t->bits < 16 && draw() % 2,
                              .exclusive = t->exclusive };
}

static void check_tile(const struct tile_type *t, const uint64_t d[4][32])
{
    const bool floats = t->a != REAL_TYPES, halves = t->result == REAL_F16;

    for (unsigned row = 0; row < 16; row++)
        for (unsigned n = 0; n < 8; n++) {
            const unsigned lane = row % 8 * 4 + n / 2, shift = halves ? n % 2 * 16 : 0;
            const uint64_t reg = d[halves ? row / 8 : row / 8 * 2 + n % 2][lane];
            uint64_t a[256], b[256];
            for (unsigned k = 0; k < t->depth; k++) {
                const uint32_t low = t->a == REAL_TF32 ? 0x1fff : 0;
                a[k] = floats ? alu_dot_ready(t->a, w.a[row][k] & ~low) : w.a[row][k];
                b[k] = floats ? alu_dot_ready(t->b, w.b[k][n] & ~low) : w.b[k][n];
            }
            if ((reg >> shift & (halves ? 0xffff : UINT64_MAX)) != alu_dot(&w.dot, a, b, w.c[row][n]))
                fail_msg("type %td, row %u, column %u: 0x%llx, not 0x%llx", t - tile_types, row, n,
                         (unsigned long long)(reg >> shift), (unsigned long long)alu_dot(&w.dot, a, b, w.c[row][n]));
        }
}

static void tiles(const struct tile_type *t, const struct sums_loops *loops)
{
    const bool floats = t->a != REAL_TYPES;

    for (unsigned i = 0; i < products; i++) {
        uint64_t d[4][32];
        fill_tile(t);
        const struct sums_tile x = { .format_a = floats ? &sums_formats[t->a] : NULL,
                                     .format_b = floats ? &sums_formats[t->b] : NULL,
                                     .bits = t->bits,
                                     .quads = t->depth * t->bits / 128,
                                     .halves = t->result == REAL_F16,
                                     .a_signed = t->a_signed,
                                     .b_signed = t->b_signed,
                                     .exclusive = t->exclusive,
                                     .stops = w.dot.satfinite,
                                     .a = { w.ra[0], w.ra[1], w.ra[2], w.ra[3] },
                                     .b = { w.rb[0], w.rb[1] },
                                     .c = { w.rc[0], w.rc[1], w.rc[2], w.rc[3] },
                                     .d = { d[0], d[1], d[2], d[3] } };
        loops->tile(&x);
        check_tile(t, d);
    }
}

/* ---- processors -------------------------------------------------------------------------------------------------- */

static void all_types(const struct sums_loops *loops)
{
    sums_asked = loops;
    seed = 0x5eed;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        for (unsigned i = 0; i < products; i++) {
            fill(&types[k]);
            product(&types[k], i % 2);
        }
    for (size_t k = 0; k < sizeof tile_types / sizeof *tile_types; k++)
        tiles(&tile_types[k], sums_loops(0));
}

static void any_processor(void **state)
{
    (void)state;
    all_types(&sums_plain);
}

static void this_processor(void **state)
{
    (void)state;
    all_types(NULL);
}

/* Wider processors have these loops too. */
static void narrower(void **state)
{
    sums_asked = NULL;
    (void)state;
    for (const struct sums_loops *l = sums_loops(0)->narrower; l; l = l->narrower)
        all_types(l);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(this_processor), cmocka_unit_test(any_processor),
                                        cmocka_unit_test(narrower) };

    if (argc > 1)
        products = (unsigned)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 0);
    return cmocka_run_group_tests_name("emu_product", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
