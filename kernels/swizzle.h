/* Arguments of the kernels in swizzle.cu, which copy boxes of rank 2. An image is the first `bytes` bytes of dynamic
 * shared memory, 16 divides their number; the barrier is the 8 bytes behind it. Corners are in elements of the tensor,
 * dimension 0 (the fastest) first; two coordinates count. */
#ifndef COPYCHECK_KERNELS_SWIZZLE_H
#define COPYCHECK_KERNELS_SWIZZLE_H

#include "kernels/args.h"

/* swizzle_multicast: CTA 0 of a cluster loads one box into the same place of every CTA. */
struct swizzle_multicast_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(unsigned char) out; /* receives the images of the CTAs, one behind the other by rank */
    uint32_t bytes;            /* of one image */
    uint32_t offset;           /* of the tile, bytes from the start of each image */
    uint32_t expect;           /* bytes that the barrier of each CTA expects */
    uint32_t ctas;             /* of the cluster */
    int32_t corner[5];
};

/* swizzle_through: one box into shared memory by one map, and out of it by another. */
struct swizzle_through_args {
    struct ck_head head;
    struct ck_tmap in, out;
    uint32_t bytes;  /* of the image */
    uint32_t offset; /* of the tile, bytes from the start of the image */
    uint32_t expect; /* bytes of the load that the barrier expects */
    int32_t corner[5];
};

/* swizzle_reduce: adds one box of 32-bit integers to global memory. */
struct swizzle_reduce_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(const unsigned char) in; /* the image */
    uint32_t bytes;                 /* of the image */
    uint32_t offset;                /* of the tile, bytes from the start of the image */
    int32_t corner[5];
};

#endif
// SPDX-License-Identifier: Apache-2.0
