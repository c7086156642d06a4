/* Floating-point arithmetic and conversions of the emulator: each instruction as PTX text, run over edge values and
 * random ones, and held against references that are not the emulator's: the host's arithmetic in every rounding mode,
 * and tables. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/machine/machine.h"
#include "harness/emu/instructions/alu/real.h"

/* One instruction that computes %d of `bytes` from %a, %b, %c of `from` bytes; t, u are there for it to use. */
struct tuple {
    uint64_t a, b, c, d;
};

static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 at)\n{\n"
    ".reg .b%u %%a, %%b, %%c; .reg .b%u %%d; .reg .u64 %%at; .reg .u32 %%x, %%y, %%z;\n"
    "ld.param.u64 %%at, [at];\nmov.u32 %%x, %%ctaid.x;\nmov.u32 %%y, %%ntid.x;\nmul.lo.u32 %%x, %%x, %%y;\n"
    "mov.u32 %%y, %%tid.x;\nadd.u32 %%x, %%x, %%y;\nmad.wide.u32 %%at, %%x, 32, %%at;\n"
    "ld.global.b%u %%a, [%%at];\nld.global.b%u %%b, [%%at+8];\nld.global.b%u %%c, [%%at+16];\n"
    "%s;\nst.global.b%u [%%at+24], %%d;\nret;\n}\n";

static void run(const char *ptx, unsigned from, unsigned to, struct tuple *tuples, uint32_t count)
{
    const struct emu_options options = { .jobs = 1 };
    const uint32_t grid[3] = { (count + 255) / 256, 1, 1 }, block[3] = { 256, 1, 1 }, cluster[3] = { 1, 1, 1 };
    struct emu *e = emu_new(&options);
    struct emu_report report;
    struct ptx_error error;
    struct ptx_module *m;
    char text[4096], line[400];
    uint64_t at;

    snprintf(text, sizeof text, frame, from * 8, to * 8, from * 8, from * 8, from * 8, ptx, to * 8);
    m = ptx_parse(text, strlen(text), NULL, &error);
    if (!m || !ptx_check(m, text, strlen(text), &error))
        fail_msg("%s: %s", ptx, error.message);
    assert_true(emu_load(e, m, line, sizeof line));
    at = emu_alloc(e, grid[0] * 256 * sizeof *tuples, 256, true, "tuples");
    assert_true(at && emu_write(e, at, tuples, count * sizeof *tuples));
    if (emu_launch(e, "k", grid, block, cluster, 0, &at, sizeof at, &report) != EMU_DONE)
        fail_msg("%s: %s", ptx, report.message);
    assert_true(emu_read(e, tuples, at, count * sizeof *tuples));
    emu_free(e);
    ptx_free(m);
}

static uint64_t once(const char *ptx, unsigned from, unsigned to, uint64_t a, uint64_t b, uint64_t c)
{
    struct tuple t = { a, b, c, 0 };

    run(ptx, from, to, &t, 1);
    return t.d;
}

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

/* ---- modifiers, by table -------------------------------------------------------------------------------------------
 */

struct row {
    const char *ptx;
    unsigned from, to;
    uint64_t a, b, c, d;
};

static void hold(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t d = once(rows[i].ptx, rows[i].from, rows[i].to, rows[i].a, rows[i].b, rows[i].c);
        if (d != rows[i].d)
            fail_msg("row %zu: %s of %#llx, %#llx, %#llx: %#llx, not %#llx", i, rows[i].ptx,
                     (unsigned long long)rows[i].a, (unsigned long long)rows[i].b, (unsigned long long)rows[i].c,
                     (unsigned long long)d, (unsigned long long)rows[i].d);
    }
}
#define HOLD(rows) hold(rows, sizeof(rows) / sizeof *(rows))

static void modifiers(void **unused)
{
    static const struct row rows[] = {
        { "add.ftz.f32 %d, %a, %b", 4, 4, 0x00000001, 0x80000001, 0, 0x00000000 },
        { "add.f32 %d, %a, %b", 4, 4, 0x00000001, 0x00000001, 0, 0x00000002 },
        { "add.ftz.f32 %d, %a, %b", 4, 4, 0x80000001, 0x80000001, 0, 0x80000000 },
        { "mul.ftz.f32 %d, %a, %b", 4, 4, 0x80800000, 0x3f000000, 0, 0x80000000 },
        { "mul.f32 %d, %a, %b", 4, 4, 0x80800000, 0x3f000000, 0, 0x80400000 },
        { "add.sat.f32 %d, %a, %b", 4, 4, 0x3f800000, 0x3f800000, 0, 0x3f800000 },
        { "add.sat.f32 %d, %a, %b", 4, 4, 0x3f800000, 0xc0000000, 0, 0 },
        { "add.sat.f32 %d, %a, %b", 4, 4, 0x7f800000, 0xff800000, 0, 0 },
        { "add.sat.f32 %d, %a, %b", 4, 4, 0x3e800000, 0x3e800000, 0, 0x3f000000 },
        { "mul.rn.sat.f16x2 %d, %a, %b", 4, 4, 0x3c004000, 0xbc003c00, 0, 0x00003c00 },
        { "fma.rn.relu.f16 %d, %a, %b, %c", 2, 2, 0x3c00, 0xbc00, 0, 0 },
        { "fma.rn.relu.f16 %d, %a, %b, %c", 2, 2, 0x3c00, 0x7e00, 0, 0x7fff },
        { "fma.rn.relu.bf16 %d, %a, %b, %c", 2, 2, 0x3f80, 0x3f80, 0x3f80, 0x4000 },
        { "fma.rn.oob.f16 %d, %a, %b, %c", 2, 2, 0x7ff7, 0x3c00, 0x3c00, 0 },
        { "fma.rn.oob.f16 %d, %a, %b, %c", 2, 2, 0x7e00, 0x3c00, 0x3c00, 0x7fff },
        { "fma.rn.oob.bf16x2 %d, %a, %b, %c", 4, 4, 0x3f807ff7, 0x3f803f80, 0x3f803f80, 0x40000000 },
        { "fma.rn.ftz.f16 %d, %a, %b, %c", 2, 2, 0x0001, 0x3c00, 0x8000, 0 },
        { "abs.f32 %d, %a", 4, 4, 0xbf800000, 0, 0, 0x3f800000 },
        { "abs.ftz.f32 %d, %a", 4, 4, 0x80000001, 0, 0, 0 },
        { "abs.f64 %d, %a", 8, 8, 0xbff0000000000000, 0, 0, 0x3ff0000000000000 },
        { "abs.f16x2 %d, %a", 4, 4, 0x8000bc00, 0, 0, 0x00003c00 },
        { "neg.f32 %d, %a", 4, 4, 0, 0, 0, 0x80000000 },
        { "neg.bf16x2 %d, %a", 4, 4, 0x3f80bf80, 0, 0, 0xbf803f80 },
        { "neg.f64 %d, %a", 8, 8, 0x7ff0000000000000, 0, 0, 0xfff0000000000000 },
        { "copysign.f32 %d, %a, %b", 4, 4, 0x80000000, 0x3f800000, 0, 0xbf800000 },
        { "copysign.f64 %d, %a, %b", 8, 8, 0, 0xbff0000000000000, 0, 0x3ff0000000000000 },
        { "min.f32 %d, %a, %b", 4, 4, 0, 0x80000000, 0, 0x80000000 },
        { "max.f32 %d, %a, %b", 4, 4, 0x80000000, 0, 0, 0 },
        { "min.f32 %d, %a, %b", 4, 4, 0x7fc00000, 0x3f800000, 0, 0x3f800000 },
        { "min.NaN.f32 %d, %a, %b", 4, 4, 0x7fc00000, 0x3f800000, 0, 0x7fffffff },
        { "max.f32 %d, %a, %b", 4, 4, 0x7fc00000, 0xffc00001, 0, 0x7fffffff },
        { "max.f32 %d, %a, %b", 4, 4, 0xc0000000, 0xbf800000, 0, 0xbf800000 },
        { "max.ftz.f32 %d, %a, %b", 4, 4, 0x00000001, 0x80000000, 0, 0 },
        { "min.xorsign.abs.f32 %d, %a, %b", 4, 4, 0xc0000000, 0x3f800000, 0, 0xbf800000 },
        { "max.NaN.xorsign.abs.f16x2 %d, %a, %b", 4, 4, 0xc000bc00, 0xbc007e00, 0, 0x40007fff },
        { "min.f64 %d, %a, %b", 8, 8, 0x7ff8000000000000, 0x3ff0000000000000, 0, 0x3ff0000000000000 },
        { "max.bf16 %d, %a, %b", 2, 2, 0xff80, 0xbf80, 0, 0xbf80 },
        { "div.approx.f32 %d, %a, %b", 4, 4, 0x3f800000, 0x7f000000, 0, 0 },
        { "div.approx.f32 %d, %a, %b", 4, 4, 0xff800000, 0x7f000000, 0, 0x7fffffff },
        { "div.approx.f32 %d, %a, %b", 4, 4, 0x40c00000, 0x40000000, 0, 0x40400000 },
        { "div.full.f32 %d, %a, %b", 4, 4, 0x7f000000, 0x7f000000, 0, 0x3f800000 },
        { "rcp.approx.ftz.f64 %d, %a", 8, 8, 0x4000000000000000, 0, 0, 0x3fe0000000000000 },
        { "rcp.approx.ftz.f64 %d, %a", 8, 8, 0x8000000000000001, 0, 0, 0xfff0000000000000 },
        { "rcp.approx.f32 %d, %a", 4, 4, 0x80000000, 0, 0, 0xff800000 },
        { "rcp.approx.ftz.f32 %d, %a", 4, 4, 0x00000001, 0, 0, 0x7f800000 },
        { "sqrt.approx.f32 %d, %a", 4, 4, 0x80000000, 0, 0, 0x80000000 },
        { "sqrt.approx.f32 %d, %a", 4, 4, 0xbf800000, 0, 0, 0x7fffffff },
        { "rsqrt.approx.f32 %d, %a", 4, 4, 0x80000000, 0, 0, 0xff800000 },
        { "rsqrt.approx.f32 %d, %a", 4, 4, 0x40800000, 0, 0, 0x3f000000 },
        { "rsqrt.approx.f64 %d, %a", 8, 8, 0x7ff0000000000000, 0, 0, 0 },
        { "sin.approx.f32 %d, %a", 4, 4, 0x80000000, 0, 0, 0x80000000 },
        { "sin.approx.f32 %d, %a", 4, 4, 0x7f800000, 0, 0, 0x7fffffff },
        { "cos.approx.ftz.f32 %d, %a", 4, 4, 0x00000001, 0, 0, 0x3f800000 },
        { "lg2.approx.f32 %d, %a", 4, 4, 0x00000000, 0, 0, 0xff800000 },
        { "lg2.approx.f32 %d, %a", 4, 4, 0xbf800000, 0, 0, 0x7fffffff },
        { "lg2.approx.f32 %d, %a", 4, 4, 0x41000000, 0, 0, 0x40400000 },
        { "ex2.approx.f32 %d, %a", 4, 4, 0x40400000, 0, 0, 0x41000000 },
        { "ex2.approx.f32 %d, %a", 4, 4, 0xff800000, 0, 0, 0 },
        { "ex2.approx.f16x2 %d, %a", 4, 4, 0x3c004000, 0, 0, 0x40004400 },
        { "tanh.approx.f32 %d, %a", 4, 4, 0x7f800000, 0, 0, 0x3f800000 },
        { "tanh.approx.f32 %d, %a", 4, 4, 0xffc00000, 0, 0, 0x7fffffff },
        { "tanh.approx.bf16 %d, %a", 2, 2, 0xff80, 0, 0, 0xbf80 },
    };

    (void)unused;
    HOLD(rows);
}

/* ---- conversions ----------------------------------------------------------------------------------------------------
 */

static void conversions(void **unused)
{
    static const struct row rows[] = {
        /* integers */
        { "cvt.s32.s8 %d, %a", 4, 4, 0xff, 0, 0, 0xffffffff },
        { "cvt.u32.u8 %d, %a", 4, 4, 0x1ff, 0, 0, 0xff },
        { "cvt.s64.s32 %d, %a", 4, 8, 0x80000000, 0, 0, 0xffffffff80000000 },
        { "cvt.u64.s32 %d, %a", 4, 8, 0x80000000, 0, 0, 0xffffffff80000000 },
        { "cvt.u64.u32 %d, %a", 4, 8, 0x80000000, 0, 0, 0x80000000 },
        { "cvt.u16.u32 %d, %a", 4, 2, 0x12345678, 0, 0, 0x5678 },
        { "cvt.u32.s16 %d, %a", 2, 4, 0x8000, 0, 0, 0xffff8000 },
        { "cvt.s8.s32 %d, %a", 4, 4, 0x180, 0, 0, 0xffffff80 },
        { "cvt.u8.s32 %d, %a", 4, 4, 0x180, 0, 0, 0x80 },
        { "cvt.sat.s8.s32 %d, %a", 4, 4, 0x180, 0, 0, 0x7f },
        { "cvt.sat.s8.s32 %d, %a", 4, 4, 0x80000000, 0, 0, 0xffffff80 },
        { "cvt.sat.u8.s32 %d, %a", 4, 4, 0xffffffff, 0, 0, 0 },
        { "cvt.sat.s32.u32 %d, %a", 4, 4, 0xffffffff, 0, 0, 0x7fffffff },
        { "cvt.sat.u32.s64 %d, %a", 8, 4, 0x100000000, 0, 0, 0xffffffff },
        { "cvt.sat.s16.u64 %d, %a", 8, 2, ~0ull, 0, 0, 0x7fff },
        /* to integers */
        { "cvt.rzi.s32.f32 %d, %a", 4, 4, 0xbfc00000, 0, 0, 0xffffffff },
        { "cvt.rni.s32.f32 %d, %a", 4, 4, 0x40200000, 0, 0, 2 },
        { "cvt.rmi.s32.f32 %d, %a", 4, 4, 0xbfc00000, 0, 0, 0xfffffffe },
        { "cvt.rpi.s32.f32 %d, %a", 4, 4, 0x3fc00000, 0, 0, 2 },
        { "cvt.rzi.s32.f32 %d, %a", 4, 4, 0x7fc00000, 0, 0, 0 },
        { "cvt.rzi.s32.f32 %d, %a", 4, 4, 0x4f000000, 0, 0, 0x7fffffff },
        { "cvt.rzi.s32.f32 %d, %a", 4, 4, 0xff800000, 0, 0, 0x80000000 },
        { "cvt.rzi.u32.f32 %d, %a", 4, 4, 0xbf800000, 0, 0, 0 },
        { "cvt.rzi.u64.f32 %d, %a", 4, 8, 0x5f800000, 0, 0, ~0ull },
        { "cvt.rzi.u64.f32 %d, %a", 4, 8, 0x5f7fffff, 0, 0, 0xffffff0000000000 },
        { "cvt.rzi.s64.f32 %d, %a", 4, 8, 0x7fc00000, 0, 0, 1ull << 63 },
        { "cvt.rzi.s32.f64 %d, %a", 8, 4, 0x7ff8000000000000, 0, 0, 0x80000000 },
        { "cvt.rzi.s64.f64 %d, %a", 8, 8, 0xc3e0000000000000, 0, 0, 1ull << 63 },
        { "cvt.rni.u16.f16 %d, %a", 2, 2, 0x7bff, 0, 0, 65504 },
        { "cvt.rzi.s8.f32 %d, %a", 4, 4, 0xc3800000, 0, 0, 0xffffff80 },
        /* from integers */
        { "cvt.rn.f32.s32 %d, %a", 4, 4, 0xffffffff, 0, 0, 0xbf800000 },
        { "cvt.rn.f32.u32 %d, %a", 4, 4, 0xffffffff, 0, 0, 0x4f800000 },
        { "cvt.rz.f32.u32 %d, %a", 4, 4, 0xffffffff, 0, 0, 0x4f7fffff },
        { "cvt.rn.f64.u64 %d, %a", 8, 8, ~0ull, 0, 0, 0x43f0000000000000 },
        { "cvt.rm.f64.u64 %d, %a", 8, 8, ~0ull, 0, 0, 0x43efffffffffffff },
        { "cvt.rn.f64.s64 %d, %a", 8, 8, 1ull << 63, 0, 0, 0xc3e0000000000000 },
        { "cvt.rn.f16.u16 %d, %a", 2, 2, 0xffff, 0, 0, 0x7c00 },
        { "cvt.rz.f16.u16 %d, %a", 2, 2, 0xffff, 0, 0, 0x7bff },
        { "cvt.rn.f32.u8 %d, %a", 4, 4, 0x101, 0, 0, 0x3f800000 },
        { "cvt.rn.sat.f32.s32 %d, %a", 4, 4, 7, 0, 0, 0x3f800000 },
        /* between floating types */
        { "cvt.f64.f32 %d, %a", 4, 8, 0x00000001, 0, 0, 0x36a0000000000000 },
        { "cvt.ftz.f64.f32 %d, %a", 4, 8, 0x80000001, 0, 0, 1ull << 63 },
        { "cvt.f32.f16 %d, %a", 2, 4, 0x7e00, 0, 0, 0x7fffffff },
        { "cvt.f32.f16 %d, %a", 2, 4, 0x0001, 0, 0, 0x33800000 },
        { "cvt.f32.bf16 %d, %a", 2, 4, 0x3f81, 0, 0, 0x3f810000 },
        { "cvt.f32.bf16 %d, %a", 2, 4, 0xff81, 0, 0, 0xff810000 },
        { "cvt.rn.f16.f32 %d, %a", 4, 2, 0x477ff000, 0, 0, 0x7c00 },
        { "cvt.rz.f16.f32 %d, %a", 4, 2, 0x477ff000, 0, 0, 0x7bff },
        { "cvt.rn.f16.f32 %d, %a", 4, 2, 0x33000000, 0, 0, 0 },
        { "cvt.rn.f16.f32 %d, %a", 4, 2, 0x33000001, 0, 0, 1 },
        { "cvt.rn.bf16.f32 %d, %a", 4, 2, 0x3f808000, 0, 0, 0x3f80 },
        { "cvt.rn.bf16.f32 %d, %a", 4, 2, 0xffc12345, 0, 0, 0x7fff },
        { "cvt.rn.relu.bf16.f32 %d, %a", 4, 2, 0xbf800000, 0, 0, 0 },
        { "cvt.rn.satfinite.f16.f32 %d, %a", 4, 2, 0xff800000, 0, 0, 0xfbff },
        { "cvt.rna.tf32.f32 %d, %a", 4, 4, 0x3f801000, 0, 0, 0x3f802000 },
        { "cvt.rna.tf32.f32 %d, %a", 4, 4, 0xbf800fff, 0, 0, 0xbf800000 },
        { "cvt.rn.tf32.f32 %d, %a", 4, 4, 0x3f801000, 0, 0, 0x3f800000 },
        { "cvt.rn.tf32.f32 %d, %a", 4, 4, 0x7f7fffff, 0, 0, 0x7f800000 },
        { "cvt.rni.f32.f32 %d, %a", 4, 4, 0x40200000, 0, 0, 0x40000000 },
        { "cvt.rpi.f32.f32 %d, %a", 4, 4, 0xbf000000, 0, 0, 0x80000000 },
        { "cvt.sat.f32.f32 %d, %a", 4, 4, 0xff800000, 0, 0, 0 },
        { "cvt.rm.f32.f64 %d, %a", 8, 4, 0xbff0000000000001, 0, 0, 0xbf800001 },
        { "cvt.rn.ftz.f32.f64 %d, %a", 8, 4, 0xb800000000000000, 0, 0, 0x80000000 },
        { "cvt.rn.f16x2.f32 %d, %a, %b", 4, 4, 0x3f800000, 0x40000000, 0, 0x3c004000 },
        { "cvt.rn.relu.bf16x2.f32 %d, %a, %b", 4, 4, 0xbf800000, 0x40000000, 0, 0x00004000 },
        { "cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b", 4, 2, 0x3f800000, 0x7f800000, 0, 0x387e },
        { "cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b", 4, 2, 0x7fc00000, 0xc3f00000, 0, 0x7ffe },
        { "cvt.rn.satfinite.e5m2x2.f32 %d, %a, %b", 4, 2, 0x3f800000, 0x7f800000, 0, 0x3c7b },
        { "cvt.rn.satfinite.e5m2x2.f16x2 %d, %a", 4, 2, 0x3c00c000, 0, 0, 0x3cc0 },
        { "cvt.rn.f16x2.e4m3x2 %d, %a", 2, 4, 0x387f, 0, 0, 0x3c007fff },
        { "cvt.rn.f16x2.e5m2x2 %d, %a", 2, 4, 0x3c7c, 0, 0, 0x3c007c00 },
        { "cvt.rn.relu.f16x2.e4m3x2 %d, %a", 2, 4, 0xb801, 0, 0, 0x00001800 },
        /* packing */
        { "cvt.pack.sat.s16.s32 %d, %a, %b", 4, 4, 0x12345, 0xffff0000, 0, 0x7fff8000 },
        { "cvt.pack.sat.u16.s32 %d, %a, %b", 4, 4, 0x12345, 0xffff0000, 0, 0xffff0000 },
        { "cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c", 4, 4, 0x100, 0xffffffff, 0xaabbccdd, 0xccddff00 },
        { "cvt.pack.sat.s4.s32.b32 %d, %a, %b, %c", 4, 4, 0x7, 0xfffffff8, 0xaabbccdd, 0xbbccdd78 },
        { "cvt.pack.sat.u2.s32.b32 %d, %a, %b, %c", 4, 4, 9, 1, 0xaabbccdd, 0xabbccddd },
    };

    (void)unused;
    HOLD(rows);
}

/* ---- atomics
 * --------------------------------------------------------------------------------------------------------- */

/* On the tuple itself: `a` in memory, `b` the operand, `d` what was there; then `a` is what there is now. */
static void atomics(void **unused)
{
    static const struct {
        const char *ptx;
        unsigned bytes;
        uint64_t a, b, c, now;
    } rows[] = {
        { "atom.global.add.f32 %d, [%at], %b", 4, 0x3f800000, 0x40000000, 0, 0x40400000 },
        { "atom.global.add.f32 %d, [%at], %b", 4, 1, 1, 0, 0 }, /* global memory flushes */
        { "atom.global.add.f32 %d, [%at], %b", 4, 0x7f800000, 0xff800000, 0, 0x7fffffff },
        { "atom.global.add.f64 %d, [%at], %b", 8, 1, 1, 0, 2 },
        { "atom.global.add.noftz.f16 %d, [%at], %b", 2, 0x3c00, 0x0001, 0, 0x3c00 },
        { "atom.global.add.noftz.bf16 %d, [%at], %b", 2, 0x3f80, 0x4000, 0, 0x4040 },
        { "atom.global.add.noftz.f16x2 %d, [%at], %b", 4, 0x3c007bff, 0x3c007bff, 0, 0x40007c00 },
        { "atom.global.add.noftz.bf16x2 %d, [%at], %b", 4, 0x00013f80, 0x00013f80, 0, 0x00024000 },
        { "atom.global.add.u32 %d, [%at], %b", 4, 0xffffffff, 2, 0, 1 },
        { "atom.global.min.s32 %d, [%at], %b", 4, 1, 0xffffffff, 0, 0xffffffff },
        { "atom.global.max.s64 %d, [%at], %b", 8, 1, ~0ull, 0, 1 },
        { "atom.global.max.u32 %d, [%at], %b", 4, 1, 0xffffffff, 0, 0xffffffff },
        { "atom.global.inc.u32 %d, [%at], %b", 4, 7, 7, 0, 0 },
        { "atom.global.inc.u32 %d, [%at], %b", 4, 6, 7, 0, 7 },
        { "atom.global.dec.u32 %d, [%at], %b", 4, 0, 7, 0, 7 },
        { "atom.global.dec.u32 %d, [%at], %b", 4, 7, 7, 0, 6 },
        { "atom.global.dec.u32 %d, [%at], %b", 4, 8, 7, 0, 7 },
        { "atom.global.and.b32 %d, [%at], %b", 4, 12, 10, 0, 8 },
        { "atom.global.or.b32 %d, [%at], %b", 4, 12, 10, 0, 14 },
        { "atom.global.xor.b64 %d, [%at], %b", 8, 12, 10, 0, 6 },
        { "atom.global.exch.b32 %d, [%at], %b", 4, 12, 10, 0, 10 },
        { "atom.global.cas.b16 %d, [%at], %b, %c", 2, 12, 12, 9, 9 },
        { "atom.global.cas.b32 %d, [%at], %b, %c", 4, 12, 13, 9, 12 },
        { "atom.global.cas.b64 %d, [%at], %b, %c", 8, 1ull << 40, 1ull << 40, 9, 9 },
        { "mov.b32 %d, %a; red.global.add.f32 [%at], %b", 4, 0x3f800000, 0x40000000, 0, 0x40400000 },
        { "mov.b32 %d, %a; red.global.add.noftz.bf16x2 [%at], %b", 4, 0x3f803f80, 0x40004000, 0, 0x40404040 },
        { "{.reg .f32 %e; atom.global.add.v2.f32 {%d, %e}, [%at], {%b, %c};}", 4, 0x3f800000, 0x40000000, 0,
          0x40400000 },
        { "{.reg .b16 %e; atom.global.v2.f16.max.noftz {%d, %e}, [%at], {%b, %c};}", 2, 0x7e00, 0xbc00, 0, 0xbc00 },
        { "{.reg .b16 %e; atom.global.v2.bf16.min.noftz {%d, _}, [%at], {%b, %c};}", 2, 0x3f80, 0xbf80, 0, 0xbf80 },
        { "{.reg .b128 %x, %y, %z; mov.b128 %x, {%b, %b}; mov.b128 %y, {%c, %c}; "
          "atom.global.exch.b128 %z, [%at], %y; atom.global.cas.b128 %z, [%at], %y, %x; mov.b64 %d, %a;}",
          8, 12, 13, 14, 13 },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tuple t = { rows[i].a, rows[i].b, rows[i].c, 0 };
        run(rows[i].ptx, rows[i].bytes, rows[i].bytes, &t, 1);
        if (t.d != rows[i].a || (t.a & (rows[i].bytes == 8 ? ~0ull : (1ull << 8 * rows[i].bytes) - 1)) != rows[i].now)
            fail_msg("row %zu: %s: was %#llx, is %#llx", i, rows[i].ptx, (unsigned long long)t.d,
                     (unsigned long long)t.a);
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
        cmocka_unit_test(single),    cmocka_unit_test(twice),       cmocka_unit_test(halves),
        cmocka_unit_test(modifiers), cmocka_unit_test(conversions), cmocka_unit_test(round_trips),
        cmocka_unit_test(narrowing), cmocka_unit_test(atomics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
