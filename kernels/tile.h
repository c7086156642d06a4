/* Arguments of the kernels in tile.cu. */
#ifndef COPYCHECK_TILE_H
#define COPYCHECK_TILE_H

#include "kernels/args.h"

/* tile_load: loads one box into shared memory and copies all of `bytes` of shared memory out. */
struct tile_load_args {
    struct ck_head head;
    struct ck_tmap map;
    uint64_t out;       /* device address, receives the shared image */
    uint32_t bytes;     /* of the image: all dynamic shared memory before the barrier */
    uint32_t offset;    /* of the tile in the image */
    uint32_t expect;    /* transaction bytes to expect */
    uint32_t rank;      /* of the instruction */
    int32_t corner[5];  /* elements, fastest dimension first */
    uint32_t bar_shift; /* bytes by which the barrier stands off its place behind the image, a multiple of 8 */
};

/* tile_store: fills shared memory with `in` and stores one box from it. */
struct tile_store_args {
    struct ck_head head;
    struct ck_tmap map;
    uint64_t in;
    uint32_t bytes;
    uint32_t offset;
    uint32_t rank;
    int32_t corner[5];
};

#endif
