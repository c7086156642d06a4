/* Sums of f16 and bf16 by the host's double precision, rounded to nearest even: those of ordinary numbers. float.c
 * includes it. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_ALU_HALF_H
#define COPYCHECK_EMU_INSTRUCTIONS_ALU_HALF_H

#include "harness/emu/instructions/alu/real.h"

enum { HALF_DOUBLE_FRACTION = 52, HALF_DOUBLE_BIAS = 1023 };

/* The number as a double. False: it is subnormal, infinite or a NaN. */
static inline bool half_double(enum real_type type, uint64_t bits, double *out)
{
    const struct real_format *f = &real_formats[type];
    const uint64_t sign = 1ull << (f->bits - 1), body = bits & (sign - 1);
    const uint64_t up = (uint64_t)(HALF_DOUBLE_BIAS - f->bias) << HALF_DOUBLE_FRACTION;

    if (body > f->largest || (body && body < 1ull << f->fraction))
        return false;
    *out =
        real_double((body ? (body << (HALF_DOUBLE_FRACTION - f->fraction)) + up : 0) | (bits & sign ? 1ull << 63 : 0));
    return true;
}

/* x + y, where both have half the digits of a double at most. What the sum as a double leaves off makes its last digit
 * odd ("rounding to odd"), so that it is rounded once. False: the result is zero, subnormal, or too large. */
static inline bool half_sum(enum real_type type, double x, double y, uint64_t *out)
{
    const struct real_format *f = &real_formats[type];
    const double sum = x + y, part = sum - x, rest = (x - (sum - part)) + (y - part);
    const unsigned off = HALF_DOUBLE_FRACTION - f->fraction;
    const uint64_t least = (uint64_t)(HALF_DOUBLE_BIAS - f->bias + 1) << HALF_DOUBLE_FRACTION;
    uint64_t bits = real_bits(sum), body;

    if (sum == 0)
        return false;
    if (rest != 0 && !(bits & 1))
        bits += (rest > 0) == (sum > 0) ? 1 : -1ull;
    body = bits & ~(1ull << 63);
    if (body < least)
        return false;
    body = (body + ((1ull << (off - 1)) - 1 + (body >> off & 1))) >> off;
    body -= (uint64_t)(HALF_DOUBLE_BIAS - f->bias) << f->fraction;
    if (body > f->largest)
        return false;
    *out = body | (bits >> 63) << (f->bits - 1);
    return true;
}

#endif
// SPDX-License-Identifier: Apache-2.0
