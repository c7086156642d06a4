/* Products of matrices as a warp's part of a wgmma makes them: 16 rows of D. */
#ifndef COPYCHECK_EMU_WGMMA_PRODUCT_H
#define COPYCHECK_EMU_WGMMA_PRODUCT_H

#include "harness/emu/instructions/alu/dot.h"

/* Of a product: rows of A and D; columns of B and D; elements of a row of A or a column of B. B_BYTES: of B, at most.
 */
enum { PRODUCT_ROWS = 16, PRODUCT_COLUMNS = 256, PRODUCT_DEPTH = 64, PRODUCT_B_BYTES = PRODUCT_COLUMNS * 64 };

/* What a product is made of. Bits are taken 32 at a time: their elements are words. */
struct emu_product_kind {
    struct alu_dot dot;    /* how an element of D comes about; dot.count: elements of a row of A */
    unsigned depth;        /* rows of B: dot.count, or twice that where A is sparse */
    unsigned columns;      /* of B and D */
    bool minus_a, minus_b; /* the matrix is negated */
    bool b_across;         /* the bytes of B hold row after row, not column after column */
};

struct emu_product_tile {
    uint32_t a[PRODUCT_ROWS][PRODUCT_DEPTH];   /* bits of the elements; of a sparse A, those that are kept, */
    uint8_t of[PRODUCT_ROWS][PRODUCT_DEPTH];   /* and which row of B each one meets */
    uint32_t d[PRODUCT_ROWS][PRODUCT_COLUMNS]; /* bits of the addend; then of the result */
};

/* Computes x->d += a * b. `b`: the bytes of B, without gaps. What the last call on this host thread made of B is kept
 * for the next one: the warps of a warpgroup share B. */
void emu_product(const struct emu_product_kind *p, const unsigned char *b, struct emu_product_tile *x);

#endif
