/* Sums of products: the inner loops of product.c, for processors with AVX-512, for those with AVX2 and for all others.
 *
 * Columns come in groups of 8, whose order is that of a warp's registers: a vector of 8 elements of D is four lanes of
 * one register, then four of the next, as one shuffle puts them: columns 0 2 1 3 4 6 5 7. */
#ifndef COPYCHECK_EMU_PRODUCT_SUMS_H
#define COPYCHECK_EMU_PRODUCT_SUMS_H

#include <stdbool.h>
#include <stdint.h>

enum { SUMS_BELOW = 64 * 256, SUMS_COLUMNS = 256, SUMS_DEPTH = 64, SUMS_GROUP = 8, SUMS_REGISTERS = 128 };

/* A column's place in its group and the column at a place: the same exchange. */
static inline unsigned sums_turned(unsigned column)
{
    return (column & ~3u) | (column & 1) << 1 | (column >> 1 & 1);
}

/* How a format's bits become single precision: without `low` bits, shifted left, then multiplied by a power of two. */
struct sums_format {
    unsigned bits, exponent, fraction, shift, low;
    uint32_t beyond; /* the first magnitude that is no number */
    float power;
};

struct sums_range {
    int least, most; /* exponents of the factors that are not zero */
};

/* Exponents of factors: of a B, from that of its largest one down; SUMS_ZERO of a zero. Of a product it is the sum of
 * the two, which is below all others where B's factor is zero. SUMS_NONE: of a zero before it is known what the
 * largest is. */
enum { SUMS_MOST_A = 50, SUMS_MOST_B = 192, SUMS_ZERO = 0, SUMS_NONE = -128 };

/* The factors of a B. Where a sum keeps few digits, those that are not negative, and from row SUMS_DEPTH on the others
 * without their sign. */
struct sums_factors {
    _Alignas(64) float value[2 * SUMS_DEPTH][SUMS_COLUMNS];
    _Alignas(64) uint8_t exponent[SUMS_DEPTH][SUMS_COLUMNS];
};

/* The factors of a B as they are, infinities and NaNs too, and their exponents; SUMS_NEVER of those that are zero or no
 * number, which is below all others with any other added. */
enum { SUMS_NEVER = -4096 };
struct sums_wide {
    _Alignas(64) float value[SUMS_DEPTH][SUMS_COLUMNS];
    _Alignas(64) int16_t exponent[SUMS_DEPTH][SUMS_COLUMNS];
    const uint8_t *odd; /* of each column, whether it has what is no number */
    bool near;          /* no product of two numbers is too large for single precision */
};

/* A warp's registers of D or its addend: rows of one value of 64 bits for each lane. */
struct sums_d {
    const uint64_t *from[SUMS_REGISTERS];
    uint64_t *to[SUMS_REGISTERS];
};

/* A row of A, its factors that are not zero, and how the sums are made. */
struct sums {
    unsigned columns;        /* of D, a multiple of SUMS_GROUP */
    unsigned row;            /* of D, 0 to 15 */
    bool halves;             /* D is f16 */
    bool odd;                /* some columns are not to be had: redo says so; for wide_row, the row is not */
    bool few;                /* a sum keeps so few digits that it is exact in single precision */
    int digits;              /* that a sum keeps behind the point of its largest product */
    uint32_t kept;           /* bits of an f32 result that stay */
    int scale;               /* all products are larger by this power of two */
    int shift;               /* from exponents of products to those of an f32 */
    int lowest;              /* exponent of a product: one that is lower is of a zero, */
    bool deep;               /* or is not told from it; */
    int highest;             /* exponent of an f32: sums that have a larger term are left to others */
    unsigned n, n_by_4;      /* factors; with those of value 0 that follow */
    bool moved;              /* `at` is not that of all rows of B in order */
    uint32_t at[SUMS_DEPTH]; /* where the row of B begins that each one meets, in elements of B; where few: of those */
    uint32_t other[SUMS_DEPTH]; /* with which products are not negative; and of the others */
    float value[SUMS_DEPTH];    /* where few: without its sign */
    uint8_t exponent[SUMS_DEPTH];
    int16_t wide[SUMS_DEPTH]; /* exponents in place of those, and factors as they are: for `wide` */
};

/* A product of 16 by 8 as mma.sync has it. A register is a row of one value of 64 bits for each lane. */
struct sums_tile {
    const struct sums_format *format_a, *format_b; /* NULL: integers */
    unsigned bits;                                 /* of a factor */
    unsigned quads;                                /* registers of B; half of those of A */
    bool halves;                                   /* C and D are f16 */
    bool a_signed, b_signed;                       /* integers */
    bool exclusive;                                /* bits are combined by xor, else by and */
    bool stops;                                    /* a result that an s32 does not hold is its largest or least */
    const uint64_t *a[4], *b[2], *c[4];
    uint64_t *d[4]; /* may be some of the others */
};

/* The loops, compiled for one kind of processor. */
struct sums_loops {
    const char *name; /* of its vector unit */
    unsigned wide;    /* a vector has so many words: n, below, and columns are a multiple of it, but for `tile`; */
    const struct sums_loops *narrower; /* who does others */
    /* n factors as single precision, `flip` the sign bit where they are negated, and their exponents;
     * range widens to theirs; odd[k] becomes 1 where factor k is no number. */
    void (*convert)(const struct sums_format *f, uint32_t flip, const uint32_t *from, unsigned n, float *values,
                    int8_t *exponents, struct sums_range *range, uint8_t *odd);
    /* Makes n factors of a row of A, and their exponents of which `most` is the largest, ready for s; whether none is
     * 0.
     */
    bool (*ready)(const float *values, const int8_t *exponents, unsigned n, int most, struct sums *s);
    /* Of row k of a B, n factors: exponents become what they are there, `most` being the largest, and factors are
     * multiplied; `few`: those below zero are put apart. */
    void (*finish)(struct sums_factors *b, unsigned k, unsigned n, int most, float by, bool few);
    /* Bits of 8 columns of 8 elements each, of so many bytes, the columns `stride` bytes apart, to rows of B. */
    void (*turn)(const unsigned char *from, unsigned bytes, unsigned stride, uint32_t (*to)[SUMS_COLUMNS]);
    /* One row of floats. redo[n] becomes 1 where the result is not to be had in this way, which is the addend then;
     * false: it is 1 nowhere. The host rounds towards zero. */
    bool (*floats)(const struct sums *s, const struct sums_factors *b, const struct sums_d *d, uint8_t *redo);
    /* n factors as struct sums_wide has them, and their exponents. Whether some are no numbers. */
    bool (*widen)(const struct sums_format *f, uint32_t flip, const uint32_t *from, unsigned n, float *values,
                  int16_t *exponents);
    /* One row of floats, whatever they are: those columns n that are wanted[n], or all. The host rounds towards zero.
     */
    void (*wide_row)(const struct sums *s, const struct sums_wide *b, const struct sums_d *d, const uint8_t *wanted);
    /* One row of integers: a[k] and b[k][n] hold two factors each, in the low and the high half. `stops`: a result that
     * an s32 does not hold is its largest or least. */
    void (*integers)(const uint32_t *a, const uint32_t (*b)[SUMS_COLUMNS], unsigned count, const struct sums *s,
                     const struct sums_d *d, bool stops);
    /* A product of 16 by 8. */
    void (*tile)(const struct sums_tile *x);
};

extern const struct sums_loops sums_plain;
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SUMS_AVX2
extern const struct sums_loops sums_avx2, sums_avx512;
#endif

#endif
// SPDX-License-Identifier: Apache-2.0
