/* Products of matrices as a warp's part of a wgmma makes them: 16 rows of D. */
#ifndef COPYCHECK_EMU_PRODUCT_PRODUCT_H
#define COPYCHECK_EMU_PRODUCT_PRODUCT_H

#include "harness/emu/product/kind.h"

struct emu_product_a {
    uint32_t bits[PRODUCT_ROWS][PRODUCT_DEPTH]; /* of the elements; of a sparse A, those that are kept, */
    uint8_t of[PRODUCT_ROWS][PRODUCT_DEPTH];    /* and which row of B each one meets */
};

/* Computes d->to = d->from + a * b. `b`: the bytes of B, without gaps. What the last calls on this host thread made of
 * B is kept for the next ones: the warps of a warpgroup share B. */
void emu_product(const struct emu_product_kind *p, const unsigned char *b, const struct emu_product_a *a,
                 const struct sums_d *d);

#endif
// SPDX-License-Identifier: Apache-2.0
