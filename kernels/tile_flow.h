/* Arguments of the kernels in tile_flow.cu. */
#ifndef COPYCHECK_KERNELS_TILE_FLOW_H
#define COPYCHECK_KERNELS_TILE_FLOW_H

#include "kernels/args.h"

enum { RING_WIDTH = 32, RING_BYTES = 128, RING_STAGES = 8 }; /* a box: elements of 32 bits, bytes */

/* A loop over the boxes of a tensor of rank 1. */
struct tile_ring_args {
    struct ck_head head;
    struct ck_tmap map;     /* with boxes of RING_WIDTH elements */
    CK_PTR(uint32_t) boxes; /* receives each box of the loop, at its place */
    CK_PTR(uint32_t) sum;   /* receives the sum of all of them, a box */
    uint32_t count;         /* of boxes */
    uint32_t loaded;        /* bit i: box i is loaded; where it is clear, zeros stand for the box */
    uint32_t stages;        /* boxes under way at a time: 1 to RING_STAGES */
};

/* A box that is loaded and stored again further on. */
struct tile_shift_args {
    struct ck_head head;
    struct ck_tmap map; /* rank 1, elements of 32 bits, boxes of `width` elements */
    uint32_t width;     /* a multiple of 4 */
    int32_t shift;      /* elements */
};

struct tile_increase_args {
    struct ck_head head;
    CK_PTR(uint32_t) array;
};

#endif
// SPDX-License-Identifier: Apache-2.0
