/* Where the elements of wgmma's matrices are, by the documents: PTX ISA, "Asynchronous Warpgroup Level Matrix
 * Instructions". Independent of the emulator. */
#ifndef COPYCHECK_EXPECTED_WGMMA_H
#define COPYCHECK_EXPECTED_WGMMA_H

#include <stdbool.h>
#include <stdint.h>

/* A matrix in shared memory. A line is a row of A or a column of B. */
struct wgmma_layout {
    int64_t swizzle;          /* TENSOR_SWIZZLE_NONE, ..._32B, ..._64B or ..._128B */
    bool across;              /* elements follow each other along the lines (M or N), not along K */
    uint32_t start;           /* where it begins, bytes */
    uint32_t leading, stride; /* leading and stride dimension byte offsets, bytes */
    uint32_t base;            /* base offset, 0 to 7 */
    uint32_t bytes;           /* of an element: 1, 2 or 4 */
};

/* The byte at which the element of this line and this k begins; as `start`, it counts from a multiple of 1024. */
uint32_t wgmma_place(const struct wgmma_layout *l, uint32_t line, uint32_t k);
/* The matrix descriptor of the layout. */
uint64_t wgmma_descriptor(const struct wgmma_layout *l);

/* Row and column of D in register `i` of thread `t` of a warpgroup. Of an f16 D, i counts halves, not registers. */
struct wgmma_at {
    uint32_t row, column;
};
struct wgmma_at wgmma_d_at(uint32_t t, uint32_t i);
/* Row and k of A in element `e` of register `i` of thread `t`; K is of the shape, `bytes` an element's. */
struct wgmma_at wgmma_a_at(uint32_t t, uint32_t i, uint32_t e, uint32_t k, uint32_t bytes);

#endif
// SPDX-License-Identifier: Apache-2.0
