/* What a product of matrices is, as a warp's part of a wgmma makes it. */
#ifndef COPYCHECK_EMU_PRODUCT_KIND_H
#define COPYCHECK_EMU_PRODUCT_KIND_H

#include "harness/emu/instructions/alu/dot.h"
#include "harness/emu/product/sums.h"

/* Of a product: rows of A and D; columns of B and D; elements of a row of A or a column of B. B_BYTES: of B, at most.
 */
enum { PRODUCT_ROWS = 16, PRODUCT_COLUMNS = SUMS_COLUMNS, PRODUCT_DEPTH = SUMS_DEPTH };
enum { PRODUCT_B_BYTES = PRODUCT_COLUMNS * 64 };

/* What a product is made of. Bits are taken 32 at a time: their elements are words. */
struct emu_product_kind {
    struct alu_dot dot;    /* how an element of D comes about; dot.count: elements of a row of A */
    unsigned depth;        /* rows of B: dot.count, or twice that where A is sparse */
    unsigned columns;      /* of B and D */
    bool minus_a, minus_b; /* the matrix is negated */
    bool b_across;         /* the bytes of B hold row after row, not column after column */
};

#endif
// SPDX-License-Identifier: Apache-2.0
