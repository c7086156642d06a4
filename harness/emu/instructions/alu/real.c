/* Exact values of floating-point types: see real.h. */
#include "harness/emu/instructions/alu/real.h"

#include <string.h>

/* PTX ISA, "Fundamental types" and "Alternate floating-point data formats". Operations of single precision and below
 * give one NaN, all ones but the sign; those of double precision hand on a NaN operand, made quiet. */
const struct real_format real_formats[REAL_TYPES] = {
    [REAL_F16] = { 16, 10, 0, 15, 0x7bff, 0x7fff, true },
    [REAL_BF16] = { 16, 7, 0, 127, 0x7f7f, 0x7fff, true },
    [REAL_F32] = { 32, 23, 0, 127, 0x7f7fffff, 0x7fffffff, true },
    [REAL_F64] = { 64, 52, 0, 1023, 0x7fefffffffffffff, 0xfff8000000000000, true },
    [REAL_TF32] = { 32, 10, 13, 127, 0x7f7fe000, 0x7fffffff, true },
    [REAL_E4M3] = { 8, 3, 0, 7, 0x7e, 0x7f, false },
    [REAL_E5M2] = { 8, 2, 0, 15, 0x7b, 0x7f, true },
};

enum { TOP = 124 }; /* the place of the highest digit before a sum: room above for the carry, below for what is lost */

static int highest(real_digits x)
{
    const uint64_t high = (uint64_t)(x >> 64);

    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)x);
}

static struct real not_a_number(void)
{
    return (struct real){ .kind = REAL_NAN, .negative = true, .digits = 1ull << 51 };
}

/* Shifts left until its highest digit is at bit `top`. */
static void normalise(struct real *x, int top)
{
    const int shift = top - highest(x->digits);

    if (shift > 0) {
        x->digits <<= shift;
        x->exponent -= shift;
    }
}

/* Shifted right; digits that are lost set the last digit, so that rounding still sees them. */
static real_digits jam(real_digits x, int shift)
{
    if (shift <= 0)
        return x;
    if (shift > 127)
        return x != 0;
    return x >> shift | ((x & (((real_digits)1 << shift) - 1)) != 0);
}

struct real real_unpack(enum real_type type, uint64_t bits, bool ftz)
{
    const struct real_format *f = &real_formats[type];
    const uint64_t sign = 1ull << (f->bits - 1);
    const uint64_t body = (bits & (sign - 1)) >> f->low;
    const uint64_t fraction = body & ((1ull << f->fraction) - 1);
    const int exponent = (int)(body >> f->fraction);
    struct real x = { .kind = REAL_FINITE, .negative = bits & sign };

    if (real_is_nan(type, bits)) {
        x.kind = REAL_NAN;
        x.digits = fraction << (52 - f->fraction);
    } else if ((bits & (sign - 1)) > f->largest) {
        x.kind = REAL_INFINITE;
    } else if (exponent) {
        x.digits = fraction | 1ull << f->fraction;
        x.exponent = exponent - f->bias - f->fraction;
    } else {
        x.kind = fraction && !ftz ? REAL_FINITE : REAL_ZERO;
        x.digits = fraction;
        x.exponent = 1 - f->bias - f->fraction;
    }
    return x;
}

/* Whether a value with this half digit and lower digits is rounded away from zero. */
static bool rounds_up(enum real_round round, bool negative, bool odd, bool half, bool lower)
{
    switch (round) {
    case REAL_RN: return half && (lower || odd);
    case REAL_RNA: return half;
    case REAL_RM: return negative && (half || lower);
    case REAL_RP: return !negative && (half || lower);
    default: return false;
    }
}

/* The digits in units of 2^unit, rounded. The caller sees to it that the result is not too long. */
static real_digits in_units(const struct real *x, int unit, enum real_round round)
{
    const int shift = unit - x->exponent;
    real_digits whole;
    bool half, lower;

    if (shift <= 0)
        return x->digits << -shift;
    if (shift > 128)
        return rounds_up(round, x->negative, false, false, true);
    whole = shift == 128 ? 0 : x->digits >> shift;
    half = x->digits >> (shift - 1) & 1;
    lower = (x->digits & (((real_digits)1 << (shift - 1)) - 1)) != 0;
    return whole + rounds_up(round, x->negative, whole & 1, half, lower);
}

/* Flushing looks at the value as it would be rounded without a lowest exponent: a result below the smallest normal
 * number then is zero, although as a subnormal it may round up to that number. */
static uint64_t flushed(const struct real_format *f, const struct real *x, int exponent, enum real_round round)
{
    if (exponent < -f->bias)
        return 0;
    return in_units(x, exponent - f->fraction, round) >> (f->fraction + 1) ? 1ull << f->fraction << f->low : 0;
}

uint64_t real_pack(enum real_type type, struct real x, enum real_round round, unsigned flags)
{
    const struct real_format *f = &real_formats[type];
    const uint64_t sign = x.negative ? 1ull << (f->bits - 1) : 0;
    const uint64_t infinite = (f->largest | ((1ull << f->low) - 1)) + 1;
    const int lowest = 1 - f->bias;
    uint64_t bits;
    int exponent;

    switch (x.kind) {
    case REAL_NAN:
        if (type == REAL_F64) /* only in this format does a NaN keep its fraction */
            return sign | 0x7ff8000000000000 | (uint64_t)x.digits;
        return f->nan;
    case REAL_INFINITE: return flags & REAL_SATFINITE || !f->infinite ? sign | f->largest : sign | infinite;
    case REAL_ZERO: return sign;
    default: break;
    }
    exponent = x.exponent + highest(x.digits);
    if (exponent > f->bias + 1) /* far too large: keeps the shifts below in bounds */
        bits = UINT64_MAX >> 1;
    else if (flags & REAL_FTZ && exponent < lowest)
        return sign | flushed(f, &x, exponent, round);
    else {
        exponent = exponent < lowest ? lowest : exponent;
        bits = (uint64_t)(exponent + f->bias - 1) << f->fraction;
        bits += (uint64_t)in_units(&x, exponent - f->fraction,
                                   round); /* a carry out of the fraction increases the exponent, as it should */
        bits <<= f->low;
    }
    if (bits <= f->largest)
        return sign | bits;
    if (flags & REAL_SATFINITE || !f->infinite || round == REAL_RZ || (round == REAL_RM && !x.negative) ||
        (round == REAL_RP && x.negative))
        return sign | f->largest;
    return sign | infinite;
}

uint64_t real_nan_f64(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t quiet = 0x8000000000000;

    return real_is_nan(REAL_F64, b)   ? b | quiet
           : real_is_nan(REAL_F64, c) ? c | quiet
           : real_is_nan(REAL_F64, a) ? a | quiet
                                      : real_formats[REAL_F64].nan;
}

struct real real_negate(struct real a)
{
    if (a.kind != REAL_NAN)
        a.negative = !a.negative;
    return a;
}

struct real real_add(struct real a, struct real b, enum real_round round)
{
    if (a.kind == REAL_NAN || b.kind == REAL_NAN)
        return a.kind == REAL_NAN ? a : b;
    if (a.kind == REAL_INFINITE || b.kind == REAL_INFINITE) {
        if (a.kind == b.kind && a.negative != b.negative)
            return not_a_number();
        return a.kind == REAL_INFINITE ? a : b;
    }
    if (a.kind == REAL_ZERO && b.kind == REAL_ZERO) {
        if (a.negative != b.negative)
            a.negative = round == REAL_RM;
        return a;
    }
    if (a.kind == REAL_ZERO || b.kind == REAL_ZERO)
        return a.kind == REAL_ZERO ? b : a;
    normalise(&a, TOP);
    normalise(&b, TOP);
    if (a.exponent < b.exponent) {
        const struct real other = a;
        a = b;
        b = other;
    }
    b.digits = jam(b.digits, a.exponent - b.exponent);
    if (a.negative == b.negative) {
        a.digits += b.digits;
    } else if (a.digits >= b.digits) {
        a.digits -= b.digits;
    } else {
        a.digits = b.digits - a.digits;
        a.negative = b.negative;
    }
    if (!a.digits) {
        a.kind = REAL_ZERO;
        a.negative = round == REAL_RM;
    }
    return a;
}

struct real real_mul(struct real a, struct real b)
{
    if (a.kind == REAL_NAN || b.kind == REAL_NAN)
        return a.kind == REAL_NAN ? a : b;
    if ((a.kind == REAL_INFINITE && b.kind == REAL_ZERO) || (a.kind == REAL_ZERO && b.kind == REAL_INFINITE))
        return not_a_number();
    a.negative ^= b.negative;
    if (a.kind == REAL_INFINITE || b.kind == REAL_INFINITE)
        a.kind = REAL_INFINITE;
    else if (a.kind == REAL_ZERO || b.kind == REAL_ZERO)
        a.kind = REAL_ZERO;
    a.digits *= b.digits; /* 53 digits each at most */
    a.exponent += b.exponent;
    return a;
}

struct real real_div(struct real a, struct real b)
{
    real_digits quotient;

    if (a.kind == REAL_NAN || b.kind == REAL_NAN)
        return a.kind == REAL_NAN ? a : b;
    if ((a.kind == REAL_INFINITE && b.kind == REAL_INFINITE) || (a.kind == REAL_ZERO && b.kind == REAL_ZERO))
        return not_a_number();
    a.negative ^= b.negative;
    if (a.kind == REAL_INFINITE || b.kind == REAL_ZERO) {
        a.kind = REAL_INFINITE;
        return a;
    }
    if (a.kind == REAL_ZERO || b.kind == REAL_INFINITE) {
        a.kind = REAL_ZERO;
        return a;
    }
    normalise(&a, 127); /* by 53 digits at most: a quotient of 75 or more */
    quotient = a.digits / b.digits;
    a.digits = quotient | (quotient * b.digits != a.digits);
    a.exponent -= b.exponent;
    return a;
}

struct real real_sqrt(struct real a)
{
    real_digits rest, root = 0, bit = (real_digits)1 << 126;

    if (a.kind == REAL_NAN || a.kind == REAL_ZERO)
        return a;
    if (a.negative)
        return not_a_number();
    if (a.kind == REAL_INFINITE)
        return a;
    normalise(&a, 126);
    if (a.exponent & 1) { /* the digits stay below 2^128 */
        a.digits <<= 1;
        a.exponent--;
    }
    for (rest = a.digits; bit; bit >>= 2) { /* digit by digit */
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    a.digits = root << 1 | (rest != 0);
    a.exponent = a.exponent / 2 - 1;
    return a;
}

struct real real_integer(struct real a, enum real_round round)
{
    if (a.kind != REAL_FINITE || a.exponent >= 0)
        return a;
    a.digits = in_units(&a, 0, round);
    a.exponent = 0;
    if (!a.digits)
        a.kind = REAL_ZERO;
    return a;
}

double real_double(uint64_t bits)
{
    double d;

    memcpy(&d, &bits, sizeof d);
    return d;
}

uint64_t real_bits(double d)
{
    uint64_t bits;

    memcpy(&bits, &d, sizeof bits);
    return bits;
}

struct real real_of_double(double d)
{
    return real_unpack(REAL_F64, real_bits(d), false);
}

struct real real_of_integer(uint64_t magnitude, bool negative)
{
    return (struct real){ .kind = magnitude ? REAL_FINITE : REAL_ZERO, .negative = negative, .digits = magnitude };
}

bool real_is_nan(enum real_type type, uint64_t bits)
{
    const struct real_format *f = &real_formats[type];
    const uint64_t body = (bits & ((1ull << (f->bits - 1)) - 1)) >> f->low;

    return body > (f->largest >> f->low) + f->infinite;
}

int64_t real_order(enum real_type type, uint64_t bits)
{
    const uint64_t sign = 1ull << (real_formats[type].bits - 1);
    const int64_t body = (int64_t)(bits & (sign - 1));

    return bits & sign ? -body - 1 : body;
}
// SPDX-License-Identifier: Apache-2.0
