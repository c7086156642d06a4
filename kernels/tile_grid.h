/* Arguments of the kernels in tile_grid.cu, which go over all boxes of a tensor, or come back to one. */
#ifndef COPYCHECK_KERNELS_TILE_GRID_H
#define COPYCHECK_KERNELS_TILE_GRID_H

#include "kernels/args.h"

/* Box number n of the grid of boxes, dimension 0 counted fastest, belongs to CTA n % CTAs. */
struct tile_grid_args {
    struct ck_head head;
    struct ck_tmap from, to; /* maps with one box; tile_number uses `to` only */
    uint32_t rank;           /* 1 to 5 */
    uint32_t bytes;          /* of a box */
    uint32_t boxes;          /* in all */
    uint32_t first;          /* of the boxes that are copied or numbered */
    int32_t counts[5];       /* boxes in each dimension, dimension 0 first */
    int32_t size[5];         /* from one box to the next, elements */
};

/* One box, stored and loaded again. */
struct tile_again_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(const unsigned char) in; /* what is stored: a box */
    CK_PTR(unsigned char) out;      /* receives what is loaded */
    uint32_t bytes;                 /* of a box, 16 divides them */
    uint32_t rank;                  /* 1 to 5 */
    int32_t corner[5];              /* where the box begins: elements, dimension 0 first */
};

#endif
// SPDX-License-Identifier: Apache-2.0
