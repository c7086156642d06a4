/* Arguments of the kernels in tensor_map.cu. All load tiles and write shared images of `bytes` to `out`. */
#ifndef COPYCHECK_TENSOR_MAP_KERNELS_H
#define COPYCHECK_TENSOR_MAP_KERNELS_H

#include "kernels/args.h"

/* How a block acquires a map in global memory. */
enum tmap_acquire { TMAP_NONE, TMAP_CTA, TMAP_CLUSTER, TMAP_GPU, TMAP_SYS };

struct tmap_args {
    struct ck_head head;
    struct ck_tmap map;   /* a parameter; the map before an edit */
    struct ck_tmap other; /* the map after it */
    uint64_t home;        /* global address of a map, 0: use the parameter */
    uint64_t out;         /* tmap_use and tmap_blocks: an image for each block; tmap_edit: one before, one after */
    uint64_t flags;       /* tmap_blocks: two 32-bit words, zero */
    uint32_t bytes;       /* of an image */
    uint32_t offset;      /* of the tile in it */
    uint32_t expect;
    uint32_t rank;
    uint32_t acquire;  /* enum tmap_acquire */
    uint32_t loads;    /* tmap_use: so many, one after the other */
    uint32_t prefetch; /* tmap_use: prefetch the map first */
    uint32_t copy;     /* tmap_copy: bytes of the map that are copied to `home`, 128 or fewer */
    uint32_t at;       /* tmap_const: offset of the map in the symbol constant_maps, 320 bytes */
    int32_t corner[5];
};

/* tmap_reuse: block b loads the box at row b * rows, stores it n * rows further down and adds it 2 * n * rows further
 * down, where n is the number of blocks, all through one map of rank 2. */
struct tmap_reuse_args {
    struct ck_head head;
    struct ck_tmap map;
    uint32_t bytes; /* of the box */
    uint32_t rows;  /* of the box */
    uint32_t skip;  /* rows by which the loads are shifted: 0 */
};

/* tmap_place: one map at two places of the parameters that are 64 bytes apart mod 128; uses one of them. */
struct tmap_place_args {
    struct ck_head head;
    struct ck_tmap first;
    unsigned char between[64];
    struct ck_tmap second;
    uint64_t out;
    uint64_t address; /* device address of a 64-bit word that receives the address of the map that was used */
    uint32_t bytes;
    uint32_t offset;
    uint32_t expect;
    uint32_t rank;
    uint32_t use_second;
    int32_t corner[5];
};

#endif
