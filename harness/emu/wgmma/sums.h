/* Sums of products a row of D at a time: the inner loops of product.c, for processors with AVX2 and for all others. */
#ifndef COPYCHECK_EMU_WGMMA_SUMS_H
#define COPYCHECK_EMU_WGMMA_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/emu/instructions/alu/dot.h"

enum { SUMS_COLUMNS = 256, SUMS_DEPTH = 64, SUMS_BLOCK = 32, SUMS_ZERO = -8192 };

/* How a format's bits become single precision: without `low` bits, shifted left, then multiplied by a power of two. */
struct sums_format {
    unsigned bits, exponent, fraction, shift, low;
    uint32_t beyond; /* the first magnitude that is no number */
    float power;
};

struct sums_range {
    int least, most; /* exponents of the factors that are not zero */
};

/* The factors of a B of floats, near 1, and their exponents; SUMS_ZERO of a zero. */
struct sums_factors {
    _Alignas(32) float value[SUMS_DEPTH][SUMS_COLUMNS];
    _Alignas(32) int16_t exponent[SUMS_DEPTH][SUMS_COLUMNS];
};

/* A row of A, and how the sums are made. */
struct sums {
    unsigned columns, count; /* of D, a multiple of SUMS_BLOCK; products of a sum */
    int digits;              /* that a sum keeps behind the point of its largest product */
    int scale;               /* all products are larger by this power of two */
    uint32_t kept;           /* bits of an f32 result that stay */
    bool halves;             /* D is f16 */
    const uint8_t *of;       /* which row of B each element meets; NULL: the one with its number */
    float value[SUMS_DEPTH];
    int16_t exponent[SUMS_DEPTH];
};

/* The loops, compiled for one kind of processor. */
struct sums_loops {
    /* n factors, a multiple of 8, as single precision, `flip` the sign bit where they are negated, and their exponents;
     * range widens to theirs; odd[k] becomes 1 where factor k is no number. */
    void (*convert)(const struct sums_format *f, uint32_t flip, const uint32_t *from, unsigned n, float *values,
                    int16_t *exponents, struct sums_range *range, uint8_t *odd);
    /* One row of floats: addends as bits of f32 or f16, results likewise. redo[n] becomes 1 where the result is not to
     * be had in this way; false: nowhere. The host rounds towards zero. */
    bool (*floats)(const struct sums *s, const struct sums_factors *b, const uint32_t *addends, uint32_t *results,
                   uint8_t *redo);
    /* sums[n] = the sum over k of a[k] * b[k][n], of `columns` columns, a multiple of SUMS_BLOCK. */
    void (*integers)(const int32_t *a, const int32_t (*b)[SUMS_COLUMNS], unsigned count, unsigned columns,
                     int32_t *sums);
};

extern const struct sums_loops sums_plain;
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SUMS_AVX2
extern const struct sums_loops sums_avx2;
#endif

#endif
