/* Floating-point arithmetic of the emulator: each instruction as PTX text, run over edge values and random ones, and
 * compared with references that are not the emulator's: the host's arithmetic in every rounding mode. Tables of further
 * instructions are in emu_alu_table_test.c. */
#include <fenv.h>
#include <math.h>

#include "tests/unit/emu_alu_float.h"

#include "harness/emu/instructions/alu/real.h"

/* ---- values --------------------------------------------------------------------------------------------------------
 */

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Edges first, then bits with exponents near to each other, then any bits. */
static uint64_t value(enum real_type type, unsigned n)
{
    const struct real_format *f = &real_formats[type];
    const uint64_t sign = 1ull << (f->bits - 1), least = 1ull << f->fraction, one = (uint64_t)f->bias << f->fraction;
    const uint64_t infinite = f->largest + 1;
    const uint64_t edges[] = { 0,
                               1,
                               least - 1,
                               least,
                               least + 1,
                               one - 1,
                               one,
                               one + 1,
                               one + least / 2,
                               f->largest,
                               f->largest - 1,
                               infinite,
                               infinite + 1,
                               f->nan & ~sign,
                               infinite | least >> 1,
                               least * 2 };
    const unsigned count = sizeof edges / sizeof *edges;
    const uint64_t bits = next() & (sign * 2 - 1);

    if (n % 3 == 0)
        return edges[next() % count] | (next() & 1 ? sign : 0);
    if (n % 3 == 1)
        return (bits & (sign | (least - 1))) | (one + (next() % 40 - 20) * least);
    return bits;
}

static double f64(uint64_t bits)
{
    return real_double(bits);
}

static float f32(uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float f;

    memcpy(&f, &low, sizeof f);
    return f;
}

static uint64_t of_f32(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    return f != f ? 0x7fffffff : bits;
}

static const struct {
    const char *word;
    int host;
} modes[] = { { "rn", FE_TONEAREST }, { "rz", FE_TOWARDZERO }, { "rm", FE_DOWNWARD }, { "rp", FE_UPWARD } };

enum { COUNT = 6000 };
static struct tuple tuples[COUNT];

static void fill(enum real_type type)
{
    for (unsigned i = 0; i < COUNT; i++)
        tuples[i] = (struct tuple){ value(type, i), value(type, i / 3), value(type, i / 9), 0 };
}

static void differ(const char *ptx, const struct tuple *t, uint64_t expected)
{
    fail_msg("%s of %#llx, %#llx, %#llx: %#llx, not %#llx", ptx, (unsigned long long)t->a, (unsigned long long)t->b,
             (unsigned long long)t->c, (unsigned long long)t->d, (unsigned long long)expected);
}

/* ---- arithmetic against the host -----------------------------------------------------------------------------------
 */

enum { ADD, SUB, MUL, DIV, FMA, SQRT, RCP, OPERATIONS };
static const char *const names[] = { "add", "sub", "mul", "div", "fma", "sqrt", "rcp" };
static const char *const tails[] = { "%d, %a, %b",     "%d, %a, %b", "%d, %a, %b", "%d, %a, %b",
                                     "%d, %a, %b, %c", "%d, %a",     "%d, %a" };

static float host_f32(int op, volatile float a, volatile float b, volatile float c)
{
    switch (op) {
    case ADD: return a + b;
    case SUB: return a - b;
    case MUL: return a * b;
    case DIV: return a / b;
    case FMA: return fmaf(a, b, c);
    case SQRT: return sqrtf(a);
    default: return 1 / a;
    }
}

static double host_f64(int op, volatile double a, volatile double b, volatile double c)
{
    switch (op) {
    case ADD: return a + b;
    case SUB: return a - b;
    case MUL: return a * b;
    case DIV: return a / b;
    case FMA: return fma(a, b, c);
    case SQRT: return sqrt(a);
    default: return 1 / a;
    }
}

static const char *instruction(int op, const char *words)
{
    static char text[120];

    snprintf(text, sizeof text, "%s.%s %s", names[op], words, tails[op]);
    return text;
}

static void single(void **unused)
{
    (void)unused;
    for (int op = 0; op < OPERATIONS; op++)
        for (unsigned k = 0; k < 4; k++) {
            char words[20];
            const char *ptx;
            snprintf(words, sizeof words, "%s.f32", modes[k].word);
            ptx = instruction(op, words);
            fill(REAL_F32);
            run(ptx, 4, 4, tuples, COUNT);
            for (const struct tuple *t = tuples; t < tuples + COUNT; t++) {
                uint64_t expected;
                fesetround(modes[k].host);
                expected = of_f32(host_f32(op, f32(t->a), f32(t->b), f32(t->c)));
                fesetround(FE_TONEAREST);
                if (t->d != expected)
                    differ(ptx, t, expected);
            }
        }
}

/* A NaN goes on as it is, made quiet: the second operand's before the third's before the first's, of a quotient the
 * dividend's first. */
static uint64_t expected_nan(int op, const struct tuple *t)
{
    const bool first = op == DIV || op >= SQRT;
    const uint64_t all[] = { first ? t->a : t->b, op == FMA ? t->c : first ? t->b : t->a, t->a };

    for (unsigned k = 0; k < (op >= SQRT ? 1 : 3); k++)
        if (isnan(f64(all[k])))
            return all[k] | 1ull << 51;
    return 0xfff8000000000000;
}

static void twice(void **unused)
{
    (void)unused;
    for (int op = 0; op < OPERATIONS; op++)
        for (unsigned k = 0; k < 4; k++) {
            char words[20];
            const char *ptx;
            snprintf(words, sizeof words, "%s.f64", modes[k].word);
            ptx = instruction(op, words);
            fill(REAL_F64);
            run(ptx, 8, 8, tuples, COUNT);
            for (const struct tuple *t = tuples; t < tuples + COUNT; t++) {
                double d;
                uint64_t expected;
                fesetround(modes[k].host);
                d = host_f64(op, f64(t->a), f64(t->b), f64(t->c));
                fesetround(FE_TONEAREST);
                expected = isnan(d) ? expected_nan(op, t) : real_bits(d);
                if (t->d != expected)
                    differ(ptx, t, expected);
            }
        }
}

/* 16-bit sums and products are exact in the host's quadruple precision. */
__extension__ typedef __float128 quad;

static double wide(enum real_type type, uint64_t bits)
{
    const struct real_format *f = &real_formats[type];
    const int exponent = (int)(bits >> f->fraction) & (f->bias * 2 + 1);
    const double fraction = (double)(bits & ((1u << f->fraction) - 1));
    const double sign = bits >> (f->bits - 1) & 1 ? -1 : 1;

    if (f->infinite && exponent == f->bias * 2 + 1)
        return fraction != 0 ? NAN : sign * INFINITY;
    if (!exponent)
        return sign * ldexp(fraction, 1 - f->bias - f->fraction);
    return sign * ldexp(fraction + ldexp(1, f->fraction), exponent - f->bias - f->fraction);
}

/* To nearest, ties to even, by search: the value of the format that is closest. */
static uint64_t nearest(enum real_type type, quad x)
{
    const struct real_format *f = &real_formats[type];
    const uint64_t sign = 1ull << (f->bits - 1);
    const quad magnitude = x < 0 ? -x : x;
    uint64_t low = 0, high = f->largest + 1;
    quad below, above;

    if (x != x)
        return f->nan;
    if (magnitude == (quad)INFINITY)
        return (x < 0 ? sign : 0) | (f->largest + 1);
    while (high - low > 1) {
        const uint64_t middle = (low + high) / 2;
        if ((quad)wide(type, middle) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    below = magnitude - (quad)wide(type, low);
    above = low == f->largest ? (quad)wide(type, low) + ((quad)wide(type, low) - (quad)wide(type, low - 1)) - magnitude
                              : (quad)wide(type, high) - magnitude;
    if (above < below || (above == below && (low & 1)))
        low++;
    return low | (__builtin_signbit((double)x) ? sign : 0);
}

static quad host_quad(int op, quad a, quad b, quad c)
{
    const quad least = (quad)0x1p-90;
    quad d = a * b, most = d < 0 ? -d : d;

    if (op != FMA)
        return op == ADD ? a + b : op == SUB ? a - b : d;
    /* An addend too small for 113 digits still says to which side it lies. */
    if (c != 0 && d != 0 && most < (quad)INFINITY && (c < 0 ? -c : c) < most * least)
        c = c < 0 ? -most * least : most * least;
    most = c < 0 ? -c : c;
    if (c != 0 && d != 0 && most < (quad)INFINITY && (d < 0 ? -d : d) < most * least)
        d = d < 0 ? -most * least : most * least;
    return d + c;
}

static void halves(void **unused)
{
    static const enum real_type types[] = { REAL_F16, REAL_BF16 };
    static const char *const words[2][2] = { { "rn.f16", "rn.f16x2" }, { "rn.bf16", "rn.bf16x2" } };
    static const int operations[] = { ADD, SUB, MUL, FMA };

    (void)unused;
    for (unsigned y = 0; y < 2; y++)
        for (unsigned o = 0; o < 4; o++)
            for (unsigned pair = 0; pair < 2; pair++) {
                const char *ptx = instruction(operations[o], words[y][pair]);
                fill(types[y]);
                for (unsigned i = 0; pair && i < COUNT; i++) {
                    tuples[i].a |= value(types[y], i + 1) << 16;
                    tuples[i].b |= value(types[y], i / 3 + 1) << 16;
                    tuples[i].c |= value(types[y], i / 9 + 1) << 16;
                }
                run(ptx, 2 + 2 * pair, 2 + 2 * pair, tuples, COUNT);
                for (const struct tuple *t = tuples; t < tuples + COUNT; t++)
                    for (unsigned k = 0; k <= pair; k++) {
                        const quad a = (quad)wide(types[y], t->a >> 16 * k & 0xffff),
                                   b = (quad)wide(types[y], t->b >> 16 * k & 0xffff),
                                   c = (quad)wide(types[y], t->c >> 16 * k & 0xffff);
                        const uint64_t expected = nearest(types[y], host_quad(operations[o], a, b, c));
                        if ((t->d >> 16 * k & 0xffff) != expected)
                            differ(ptx, t, expected << 16 * k);
                    }
            }
}

/* Every value of the small formats goes through f32 and comes back, and is what its digits say. */
static void round_trips(void **unused)
{
    static const enum real_type types[] = { REAL_F16, REAL_BF16, REAL_E4M3, REAL_E5M2 };

    (void)unused;
    for (unsigned y = 0; y < 4; y++) {
        const struct real_format *f = &real_formats[types[y]];
        for (uint64_t bits = 0; bits < 1ull << f->bits; bits++) {
            const uint64_t single_bits = real_pack(REAL_F32, real_unpack(types[y], bits, false), REAL_RN, 0);
            const uint64_t back = real_pack(types[y], real_unpack(REAL_F32, single_bits, false), REAL_RZ, 0);
            if (real_is_nan(types[y], bits)) {
                assert_int_equal(back, f->nan);
                continue;
            }
            assert_int_equal(back, bits);
            assert_true((double)f32(single_bits) == wide(types[y], bits));
        }
    }
}

/* f32 to the small formats: to nearest, against the search above. */
static void narrowing(void **unused)
{
    static const enum real_type types[] = { REAL_F16, REAL_BF16, REAL_E4M3, REAL_E5M2 };

    (void)unused;
    for (unsigned y = 0; y < 4; y++)
        for (unsigned i = 0; i < 100000; i++) {
            const uint64_t bits =
                i % 2 ? value(REAL_F32, i)
                      : of_f32((float)wide(types[y], next() & real_formats[types[y]].largest)) + next() % 3 - 1;
            const float x = f32(bits);
            uint64_t expected = nearest(types[y], (quad)x), got;
            if (isnan(x) || (types[y] == REAL_E4M3 && isinf(x)))
                continue;
            got = real_pack(types[y], real_unpack(REAL_F32, bits, false), REAL_RN, 0);
            if (types[y] == REAL_E4M3 && (expected & 0x7f) == 0x7f)
                expected--; /* it has no infinity */
            if (got != expected)
                fail_msg("format %u of %#llx: %#llx, not %#llx", y, (unsigned long long)bits, (unsigned long long)got,
                         (unsigned long long)expected);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single),      cmocka_unit_test(twice),     cmocka_unit_test(halves),
        cmocka_unit_test(round_trips), cmocka_unit_test(narrowing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
