/* What is made of the bytes of a B before products are made with it. */
#ifndef COPYCHECK_EMU_PRODUCT_FACTORS_H
#define COPYCHECK_EMU_PRODUCT_FACTORS_H

#include "harness/emu/product/kind.h"

/* Columns are at their places (sums.h). */
struct factors {
    struct emu_product_kind kind; /* of it; columns 0: there is none */
    unsigned char bytes[PRODUCT_B_BYTES];
    uint32_t bits[PRODUCT_DEPTH][PRODUCT_COLUMNS];
    union {
        struct sums_factors floats;
        uint32_t pairs[PRODUCT_DEPTH / 2][PRODUCT_COLUMNS]; /* of integers: two rows in one */
    };
    struct sums_range range;      /* of the floats: exponents, most < least where all are zero; */
    int scale;                    /* the factors are larger by this power of two */
    bool far;                     /* they are too far apart */
    bool any_odd;                 /* a column is odd: */
    uint8_t odd[PRODUCT_COLUMNS]; /* it has what is no number */
    bool is_wide;                 /* what follows has been made: */
    struct sums_wide wide;        /* the floats as they are */
};

/* Of the last bytes of a B, or of earlier ones that are the same. */
struct factors *factors_of(const struct emu_product_kind *p, const unsigned char *b);
/* Makes them wide. */
void factors_widen(const struct emu_product_kind *p, struct factors *made);

/* The loops for this processor, or, if not NULL, those that a test asks for; such as do n values, a multiple of 4. */
const struct sums_loops *sums_loops(unsigned n);
extern const struct sums_loops *sums_asked;
extern const struct sums_format sums_formats[REAL_TYPES];

/* What n factors, near 1 afterwards if their type reaches far, are multiplied by, as a power of two. *far: they are too
 * far apart for that. */
int factors_nearer(enum real_type type, const struct sums_range *r, float *values, unsigned n, bool *far);

/* A sum keeps so few digits that single precision holds it. */
static inline bool factors_few(const struct emu_product_kind *p)
{
    return p->dot.digits && p->dot.digits <= 13 && p->dot.bits == 8;
}

#endif
// SPDX-License-Identifier: Apache-2.0
