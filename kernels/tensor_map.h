/* Arguments of the kernels in tensor_map.cu and tensor_map_local.cu. All load tiles and write images of shared memory
 * to `out`. An image is the first `bytes` bytes of dynamic shared memory (tmap_edit: two of them), 16 divides their
 * number; the barrier is the 8 bytes behind it. */
#ifndef COPYCHECK_KERNELS_TENSOR_MAP_H
#define COPYCHECK_KERNELS_TENSOR_MAP_H

#include "kernels/args.h"

/* The scope at which a block acquires a map in global memory. */
enum tmap_acquire { TMAP_CTA, TMAP_CLUSTER, TMAP_GPU, TMAP_SYS };

enum { TMAP_CONSTANT_BYTES = 320 }; /* of the symbol constant_maps */

struct tmap_args {
    struct ck_head head;
    struct ck_tmap map;          /* a parameter; the map before an edit */
    struct ck_tmap other;        /* the map after it */
    CK_PTR(struct ck_tmap) home; /* a map in global memory; not in tmap_param, tmap_const and tmap_local */
    CK_PTR(unsigned char) out;   /* one image for each block; tmap_edit: one from before the edit, one from after it */
    CK_PTR(uint32_t) flags;      /* tmap_blocks: two words in global memory, zero */
    uint32_t bytes;              /* of one image */
    uint32_t offset;             /* of the tile, bytes from the start of the image */
    uint32_t expect;             /* bytes of one copy that the barrier expects */
    uint32_t rank;               /* of the instruction, 1 to 5 */
    uint32_t acquire;            /* tmap_edit, tmap_blocks: enum tmap_acquire, of the acquire after the edit */
    uint32_t loads;              /* tmap_many: how many, one after the other */
    uint32_t prefetch;           /* tmap_param, tmap_global, tmap_const: 1: prefetch the map first */
    uint32_t copy;     /* tmap_copy: bytes of the map that are copied to `home`: 128, or fewer by a multiple of 8 */
    uint32_t at;       /* tmap_const: of the map, bytes from the start of constant_maps */
    int32_t corner[5]; /* where the box starts: elements, dimension 0 (the fastest) first */
};

/* tmap_reuse: block b loads the box at row b * rows, stores it n * rows further down and adds it 2 * n * rows further
 * down, where n is the number of blocks, all through one map of rank 2. */
struct tmap_reuse_args {
    struct ck_head head;
    struct ck_tmap map;
    uint32_t bytes; /* of the box; the barrier is behind it in shared memory */
    uint32_t rows;  /* of the box */
    uint32_t skip;  /* rows that the loads start further down */
};

/* tmap_place: one map at two places of the parameters that are 64 bytes apart mod 128; uses one of them. */
struct tmap_place_args {
    struct ck_head head;
    struct ck_tmap first;
    unsigned char between[64];
    struct ck_tmap second;
    CK_PTR(unsigned char) out; /* receives the image */
    CK_PTR(uint64_t) address;  /* receives the generic address of the map that was used */
    uint32_t bytes;            /* of the image */
    uint32_t offset;           /* of the tile, bytes from the start of the image */
    uint32_t expect;           /* bytes of the copy that the barrier expects */
    uint32_t rank;             /* of the instruction, 1 to 5 */
    uint32_t use_second;       /* 0: use the first */
    int32_t corner[5];
};

#endif
// SPDX-License-Identifier: Apache-2.0
