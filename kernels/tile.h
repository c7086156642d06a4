/* Arguments of kernels that copy one box: those in tile.cu, most in tensor.cu, and tensor_load_cta.
 *
 * The image is the first `bytes` bytes of dynamic shared memory, 16 divides their number; a load's barrier is the 8
 * bytes behind it. The tile lies in the image. */
#ifndef COPYCHECK_KERNELS_TILE_H
#define COPYCHECK_KERNELS_TILE_H

#include "kernels/args.h"

/* Loads one box and copies the image out. */
struct tile_load_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(unsigned char) out; /* receives the image */
    uint32_t bytes;            /* of the image */
    uint32_t offset;           /* of the tile, bytes from the start of the image */
    uint32_t expect;           /* bytes of the copy that the barrier expects */
    uint32_t rank;             /* of the instruction, 1 to 5 */
    int32_t corner[5];         /* where the box starts: elements of the tensor, dimension 0 (the fastest) first */
};

/* Fills the image from `in` and stores one box from it. */
struct tile_store_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(const unsigned char) in; /* the image */
    uint32_t bytes;                 /* of the image */
    uint32_t offset;                /* of the tile, bytes from the start of the image */
    uint32_t rank;                  /* of the instruction, 1 to 5 */
    int32_t corner[5];              /* where the box starts: elements, dimension 0 first */
};

#endif
// SPDX-License-Identifier: Apache-2.0
