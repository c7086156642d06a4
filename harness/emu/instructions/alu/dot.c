/* Sums of products as the tensor cores of an H200 make them.
 *
 * The ISA leaves precision and order open; what an H200 does was found from its results (docs/alu-sweep.md). The
 * products and the addend are brought to the largest exponent among them, or -133 if that is larger, with 25 binary
 * digits after the point, the rest is cut off, and their exact sum is cut to f32 (rounded to nearest for f16). The
 * hardware of Fasi and others, "Numerical behavior of NVIDIA tensor cores", 2021, works in the same way, with fewer
 * digits. In f64 it is a chain of fused products by rising k. */
#include "harness/emu/instructions/alu/dot.h"

static int64_t integer(uint64_t bits, unsigned width, bool is_signed)
{
    return is_signed && bits >> (width - 1) & 1 ? (int64_t)(bits | ~0ull << width) : (int64_t)bits;
}

static uint64_t dot_integers(const struct alu_dot *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    int64_t sum = (int32_t)c;

    for (unsigned k = 0; k < p->count; k++)
        sum += p->exclusive ? (int64_t)(a[k] ^ b[k])
                            : integer(a[k], p->bits, p->a_signed) * integer(b[k], p->bits, p->b_signed);
    if (p->satfinite)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (uint32_t)sum;
}

static uint64_t dot_doubles(const struct alu_dot *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    for (unsigned k = 0; k < p->count; k++) {
        const struct real sum =
            real_add(real_mul(real_unpack(REAL_F64, a[k], false), real_unpack(REAL_F64, b[k], false)),
                     real_unpack(REAL_F64, c, false), p->round);
        c = sum.kind == REAL_NAN ? real_nan_f64(a[k], b[k], c) : real_pack(REAL_F64, sum, p->round, 0);
    }
    return c;
}

/* sum * 2^exponent in the result's format. A sum that is too large is an infinity, although digits are cut off; a sum
 * that vanishes is +0. */
static uint64_t packed_sum(const struct alu_dot *p, int64_t sum, int exponent)
{
    const struct real_format *f = &real_formats[p->result];
    const uint64_t digits = (uint64_t)(sum < 0 ? -sum : sum), sign = 1ull << (f->bits - 1);
    const bool huge = digits && exponent + 63 - __builtin_clzll(digits) > f->bias;
    const struct real x = {
        .kind = huge ? REAL_INFINITE : REAL_FINITE, .negative = sum < 0, .exponent = exponent, .digits = digits
    };
    uint64_t out = digits ? real_pack(p->result, x, p->result == REAL_F16 ? REAL_RN : REAL_RZ, 0) : 0;

    if (p->kept && p->result == REAL_F32 && !huge)
        out &= ~0ull << (f->fraction - p->kept);
    return out == sign ? 0 : out;
}

/* A factor made ready for sums, in one word: its digits with their sign in the low 32 bits, its exponent in 16 above,
 * and above that whether it is infinite (then its digits are 1), or a NaN. */
enum { EXPONENT = 32, INFINITE = 48, NOT_A_NUMBER = 49 };

uint64_t alu_dot_ready(enum real_type type, uint64_t bits)
{
    const struct real x = real_unpack(type, bits, false);
    const uint32_t digits = x.kind == REAL_FINITE ? (uint32_t)x.digits : x.kind == REAL_INFINITE;

    return (x.negative ? 0 - digits : digits) | (uint64_t)(uint16_t)x.exponent << EXPONENT |
           (uint64_t)(x.kind == REAL_INFINITE) << INFINITE | (uint64_t)(x.kind == REAL_NAN) << NOT_A_NUMBER;
}

/* Whether a sum has a NaN, or infinities of either sign. */
struct special {
    bool nan, plus, minus;
};

static void take_special(struct special *s, uint64_t a, uint64_t b)
{
    s->nan |= (a | b) >> NOT_A_NUMBER & 1 || !(uint32_t)a || !(uint32_t)b; /* an infinity times zero too is a NaN */
    if ((a ^ b) >> 31 & 1)
        s->minus = true;
    else
        s->plus = true;
}

static uint64_t special_sum(const struct alu_dot *p, const struct special *s)
{
    const bool nan = s->nan || (s->plus && s->minus);
    const struct real x = { .kind = nan ? REAL_NAN : REAL_INFINITE, .negative = s->minus };

    return real_pack(p->result, x, REAL_RN, 0);
}

/* The sum of products of factors that are alu_dot_ready. */
uint64_t alu_dot_sum(const struct alu_dot *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    const int fraction = real_formats[p->a].fraction + real_formats[p->b].fraction;
    const int sum_digits = p->digits ? (int)p->digits : ALU_DOT_DIGITS;
    const int c_fraction = real_formats[p->addend].fraction;
    const uint64_t addend = alu_dot_ready(p->addend, c);
    int64_t digits[ALU_DOT_COUNT + 1], sum = 0;
    int exponents[ALU_DOT_COUNT + 1], top = ALU_DOT_LOWEST;
    struct special special = { 0 };

    for (unsigned k = 0; k < p->count; k++) {
        if ((a[k] | b[k]) >> INFINITE)
            take_special(&special, a[k], b[k]);
        digits[k] = (int64_t)(int32_t)a[k] * (int32_t)b[k];
        exponents[k] = (int16_t)(a[k] >> EXPONENT) + (int16_t)(b[k] >> EXPONENT);
        if (digits[k] && exponents[k] + fraction > top)
            top = exponents[k] + fraction;
    }
    if (addend >> INFINITE)
        take_special(&special, addend, 1);
    digits[p->count] = (int32_t)addend;
    exponents[p->count] = (int16_t)(addend >> EXPONENT);
    if (digits[p->count] && exponents[p->count] + c_fraction > top)
        top = exponents[p->count] + c_fraction;
    if (special.nan || special.plus || special.minus)
        return special_sum(p, &special);
    for (unsigned k = 0; k <= p->count; k++) {
        const int shift = top - sum_digits - exponents[k];
        const int64_t magnitude = digits[k] < 0 ? -digits[k] : digits[k];
        int64_t part;
        if (!magnitude)
            continue;
        part = shift > 63 ? 0 : shift > 0 ? magnitude >> shift : magnitude << -shift;
        sum += digits[k] < 0 ? -part : part;
    }
    return packed_sum(p, sum, top - sum_digits);
}

static uint64_t sum_of(enum real_type type, uint64_t a, uint64_t b)
{
    return real_pack(type, real_add(real_unpack(type, a, false), real_unpack(type, b, false), REAL_RN), REAL_RN, 0);
}

uint64_t alu_dot_added(enum real_type type, uint64_t a, uint64_t b)
{
    union {
        uint32_t bits;
        float value;
    } x = { (uint32_t)a }, y = { (uint32_t)b };

    x.value += y.value;
    if (type == REAL_F32 && (x.bits & 0x7f800000) != 0x7f800000) /* the host's sums are the same but for NaNs */
        return x.bits;
    return sum_of(type, a, b);
}

/* Factors of 8 bits. Assemblers write them for an H200 as halves: of each four products, the first two of all fours
 * make one sum, the others are added to it in a second, and the addend comes last. */
static uint64_t dot_bytes(const struct alu_dot *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    struct alu_dot half = *p;
    uint64_t sum = 0;

    half.count = p->count / 2;
    half.addend = p->result;
    for (unsigned part = 0; part < 2; part++) {
        uint64_t some_a[ALU_DOT_COUNT / 2], some_b[ALU_DOT_COUNT / 2];
        for (unsigned k = 0; k < half.count; k++) {
            some_a[k] = a[k / 2 * 4 + part * 2 + k % 2];
            some_b[k] = b[k / 2 * 4 + part * 2 + k % 2];
        }
        sum = alu_dot_sum(&half, some_a, some_b, sum);
    }
    return sum_of(p->result, c, sum);
}

static uint64_t fused(const struct alu_dot *p, const uint64_t *a, const uint64_t *b, unsigned k, uint64_t c)
{
    const struct real product = real_mul(real_unpack(p->a, a[k], false), real_unpack(p->b, b[k], false));

    return real_pack(REAL_F32, real_add(product, real_unpack(REAL_F32, c, false), REAL_RN), REAL_RN, 0);
}

uint64_t alu_dot_quads(const struct alu_dot *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    const uint64_t addend = real_pack(REAL_F32, real_unpack(p->addend, c, false), REAL_RN, 0);
    const uint64_t none = p->result == REAL_F32 ? 0 : 0x80000000; /* a sum with +0, or a product alone */
    const uint64_t low = fused(p, a, b, 1, fused(p, a, b, 0, none));

    if (p->result == REAL_F32)
        return sum_of(REAL_F32, addend, fused(p, a, b, 3, fused(p, a, b, 2, low)));
    c = sum_of(REAL_F32, sum_of(REAL_F32, addend, low), fused(p, a, b, 3, fused(p, a, b, 2, none)));
    return real_pack(REAL_F16, real_unpack(REAL_F32, c, false), REAL_RN, 0);
}

uint64_t alu_dot(const struct alu_dot *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    if (p->a == REAL_TYPES)
        return dot_integers(p, a, b, c);
    if (p->a == REAL_F64)
        return dot_doubles(p, a, b, c);
    return p->bits == 8 ? dot_bytes(p, a, b, c) : alu_dot_sum(p, a, b, c);
}
// SPDX-License-Identifier: Apache-2.0
