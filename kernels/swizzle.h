/* Arguments of the kernels in swizzle.cu. */
#ifndef COPYCHECK_SWIZZLE_H
#define COPYCHECK_SWIZZLE_H

#include "kernels/args.h"

/* swizzle_multicast: CTA 0 of a cluster loads one two-dimensional box into the same place of every CTA. */
struct swizzle_multicast_args {
    struct ck_head head;
    struct ck_tmap map;
    uint64_t out;    /* device address, receives the images of the CTAs, one behind the other */
    uint32_t bytes;  /* of an image */
    uint32_t offset; /* of the tile in each image */
    uint32_t expect; /* transaction bytes of one CTA */
    uint32_t ctas;
    int32_t corner[2];
};

/* swizzle_through: one two-dimensional box into shared memory by one map, and out of it by another. */
struct swizzle_through_args {
    struct ck_head head;
    struct ck_tmap in, out;
    uint32_t bytes;  /* of the image */
    uint32_t offset; /* of the tile in it */
    uint32_t expect; /* transaction bytes */
    int32_t corner[2];
};

/* swizzle_reduce: adds one two-dimensional box of 32-bit integers to global memory. */
struct swizzle_reduce_args {
    struct ck_head head;
    struct ck_tmap map;
    uint64_t in; /* device address of the image */
    uint32_t bytes;
    uint32_t offset;
    int32_t corner[2];
};

#endif
