/* Exact arithmetic on the values of floating-point types, and their rounding into any of them.
 *
 * A value is digits * 2^exponent, digits being an integer of up to 128 bits. Sums, products and fused products are
 * exact, or keep lost digits as a 1 in their last digit (rounding "to odd"), far below the last digit of any format;
 * quotients and roots too. real_pack alone rounds, once. So every operation here is correctly rounded, in all modes,
 * for all formats.
 */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_ALU_REAL_H
#define COPYCHECK_EMU_INSTRUCTIONS_ALU_REAL_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 real_digits;

enum real_kind { REAL_ZERO, REAL_FINITE, REAL_INFINITE, REAL_NAN };

struct real {
    enum real_kind kind;
    bool negative;
    int exponent;
    real_digits digits; /* of a NaN, the fraction that it has as an f64 */
};

enum real_round { REAL_RN, REAL_RZ, REAL_RM, REAL_RP, REAL_RNA };

/* A format: sign, exponent, fraction, from the top down. */
struct real_format {
    uint8_t bits, fraction; /* of the whole, of the fraction */
    uint8_t low;            /* unused bits below the fraction (tf32 in its 32) */
    int bias;
    uint64_t largest; /* finite value */
    uint64_t nan;     /* the one that operations give; of f64, that of an invalid operation */
    bool infinite;    /* it has infinities */
};

/* Numbers of the formats. */
enum real_type { REAL_F16, REAL_BF16, REAL_F32, REAL_F64, REAL_TF32, REAL_E4M3, REAL_E5M2, REAL_TYPES };
extern const struct real_format real_formats[REAL_TYPES];

enum { REAL_FTZ = 1, REAL_SATFINITE = 2 };

/* The value of these bits; with ftz, a subnormal counts as a zero of its sign. */
struct real real_unpack(enum real_type type, uint64_t bits, bool ftz);
/* The value rounded into the format. REAL_FTZ: a subnormal result becomes a zero of its sign. REAL_SATFINITE: what is
 * too large, infinities too, becomes the largest finite value. */
uint64_t real_pack(enum real_type type, struct real x, enum real_round round, unsigned flags);

/* The NaN that an operation of double precision on a, b and c, or a * b + c, gives: an operand that is one, made quiet
 * (b before c before a, as an H200 has it), or that of an invalid operation. */
uint64_t real_nan_f64(uint64_t a, uint64_t b, uint64_t c);

/* The rounding mode decides the sign of a sum that is zero. */
struct real real_add(struct real a, struct real b, enum real_round round);
struct real real_mul(struct real a, struct real b);
struct real real_div(struct real a, struct real b);
struct real real_sqrt(struct real a);
struct real real_negate(struct real a);
/* The value rounded to an integer. */
struct real real_integer(struct real a, enum real_round round);

struct real real_of_double(double d);
struct real real_of_integer(uint64_t magnitude, bool negative);
double real_double(uint64_t bits);
uint64_t real_bits(double d);

/* Whether the bits are a NaN; their place in the order of the format's values, in which -0 is below +0. */
bool real_is_nan(enum real_type type, uint64_t bits);
int64_t real_order(enum real_type type, uint64_t bits);

#endif
// SPDX-License-Identifier: Apache-2.0
