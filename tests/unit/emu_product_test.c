/* Products as wgmma makes them, many columns at a time, beside alu/dot.c, which makes one sum after the other: the same
 * bits, with the loops for any processor and with those for this one.
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

/* A number whose exponent field is `spread` or less above `from`; some are zero, some anything. */
static uint32_t number(enum real_type type, unsigned bits, unsigned from, unsigned spread, unsigned zeros, bool wild)
{
    const unsigned e = exponent_bits(type), fraction = bits - 1 - e;
    const uint32_t field = (from + draw() % (spread + 1)) & ((1u << e) - 1);
    const uint32_t all = bits == 32 ? UINT32_MAX : (1u << bits) - 1;

    if (type == REAL_TYPES)
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

static void all_types(const struct sums_loops *loops)
{
    sums_asked = loops;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        for (unsigned i = 0; i < products; i++) {
            fill(&types[k]);
            product(&types[k], i % 2);
        }
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(this_processor), cmocka_unit_test(any_processor) };

    if (argc > 1)
        products = (unsigned)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 0);
    return cmocka_run_group_tests_name("emu_product", tests, NULL, NULL);
}
